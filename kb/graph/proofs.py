"""A proof as RDF: PROV-O, sh:sourceRule and the lp: terms of ontology/core.ttl, in the project's one Turtle style.

Every step of the proof is a node: norms tried (those that lost too, with what defeated them), exceptions tried, who
beat whom on which principle, each part of a number, and the facts below. docs/graph.md shows how to query it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version as installed
from typing import Any

from rdflib import DCTERMS, PROV, RDF, RDFS, SH, Graph, Literal, URIRef

from kb.answers import defeated, explain
from kb.answers.outline import Teller
from kb.graph.cases import EXTENTS, GRADES, VERDICTS, CaseWriter, english, lp, plain
from kb.graph.errata import Versions
from kb.language import english as english_, iris, norms as m, phrases
from kb.ontology.turtle import canonical
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Caused, Contribution, Outcome, Reached, Step

SOURCE_RULE = URIRef(f"{SH}sourceRule")
DRAFT = "urn:loophole:proof"  # what a proof is called until all that it says is known
FARED = {True: "applies", False: "does not apply", None: "open"}
MET = {True: "met", False: "not met", None: "not known"}
TRUTH = {True: "true", False: "false", None: "unknown"}


def of_proof(proof: Proof, flips: bool = True) -> str:
    """The proof with its case, as Turtle. Without `flips` nothing is tried out."""
    graph = graph_of(proof, flips)
    book = proof.theory.book
    prefixes = {f"{iris.BASE}{kind}/{book}/": kind for kind in ("norm", "rule", "erratum")}
    for kind, cls in (("case", "Case"), ("here", "Proof")):
        prefixes |= {f"{str(s).partition('#')[0]}#": kind for s in graph.subjects(RDF.type, lp(cls))}
    return canonical(graph, ("# A proof by Loophole; docs/graph.md tells what is in it.",), prefixes)


def graph_of(proof: Proof, flips: bool = True) -> Graph:
    """The proof with its case, as a graph. Its IRI is made of what it says: the same answer has the same name."""
    case = Graph()
    me = CaseWriter(case, proof.theory.vocabulary).add(proof.case)
    writer = ProofWriter(proof, me)
    writer.write(URIRef(DRAFT), proof, flips)
    shown = cache(lambda node: node.n3())  # a node stands in many triples
    text = "\n".join(sorted(" ".join(map(shown, triple)) for triple in writer.triples))
    name = iris.proof(text)
    for triple in writer.triples:
        s, o = (URIRef(str(n).replace(DRAFT, name, 1)) if is_draft(n) else n for n in (triple[0], triple[2]))
        case.add((s, triple[1], o))
    return case


def is_draft(node: object) -> bool:
    """Whether a node is a step not named yet."""
    return isinstance(node, URIRef) and str(node).startswith(DRAFT)


def version() -> str:
    """The version of the distribution; "0" in a copy that was never installed."""
    try:
        return installed("loophole-rules")
    except PackageNotFoundError:
        return "0"


class ProofWriter:
    """Writes one proof, and those inside it, into one graph. A step met twice is one node."""

    def __init__(self, proof: Proof, case: URIRef):
        self.triples: set[tuple[URIRef, URIRef, URIRef | Literal]] = set()
        self.case, self.book = case, proof.theory.book
        self.theory, self.vocabulary = proof.theory, proof.theory.vocabulary
        self.versions = Versions.of_proof(proof)
        self.nodes: dict[object, URIRef] = {}
        self.kept: list[object] = []  # what nodes stand for: an id may not be used twice while this is written
        self.me = URIRef(DRAFT)
        self.made = 0

    def put(self, s: URIRef, predicate: URIRef, *objects: URIRef | Literal) -> None:
        """Adds a triple for each object."""
        for o in objects:
            self.triples.add((s, predicate, o))

    def write(self, me: URIRef, proof: Proof, flips: bool = False) -> URIRef:
        """Everything of one proof, under the IRI given."""
        outer, self.me = self.me, me
        self.verdict(proof)
        self.trials(proof)
        for step in (*proof.steps, *proof.contributions, *proof.effects, *proof.open):
            self.node(step)
        self.rests(proof)
        if flips:
            self.flips(proof)
        parts = [(name, found) for name, found in proof.which]
        parts += [(f"if {said}", found) for said, _, found in proof.cases]
        for n, (name, found) in enumerate(parts, 1):
            part = self.write(URIRef(f"{me}-part-{n}" if "#" in me else f"{me}#part-{n}"), found)
            self.put(me, DCTERMS.hasPart, part)
            self.put(part, DCTERMS.title, english(name))
        self.me = outer
        return me

    # ── the answer ──

    def verdict(self, proof: Proof) -> None:
        """Writes the verdict, what decides, and by what software it was found."""
        me = self.me
        self.put(me, RDF.type, lp("Proof"), PROV.Entity)
        self.put(me, lp("provesCase"), self.case)
        self.put(me, lp("inBook"), URIRef(iris.book(self.book)))
        self.put(me, lp("hasVerdict"), lp(VERDICTS[proof.verdict]))
        self.put(me, lp("hasGrade"), lp(GRADES[proof.grade]))
        self.put(me, lp("conclusionText"), plain(explain.headline(proof)))
        if proof.value is not None:
            told = "valueSoFar" if proof.verdict == p.OUTSIDE else "answerValue"
            self.put(me, lp(told), plain(str(proof.value)))
        elif proof.verdict == p.WHICH:
            self.put(me, lp("answerValue"), plain(", ".join(proof.chosen)))
        self.put(me, lp("decidedBy"), *(self.norm(o.norm) for o in proof.winners))
        self.put(me, lp("citesRule"), *map(self.rule, proof.cites))
        self.put(me, lp("needsRule"), *map(self.rule, proof.needs))
        if not proof.which:
            self.put(me, lp("inScope"), lp(EXTENTS[proof.scope.kind]))
        self.put(me, lp("freedBy"), *map(self.rule, proof.scope.freed))
        self.put(me, lp("underErratum"), *map(URIRef, self.versions.in_force))
        activity = URIRef(f"{me}-answering" if "#" in me else f"{me}#answering")
        agent = URIRef(f"{iris.BASE}software/{version()}")
        self.put(me, PROV.wasGeneratedBy, activity)
        self.put(me, PROV.wasDerivedFrom, self.case)
        self.put(activity, RDF.type, PROV.Activity)
        self.put(activity, PROV.used, self.case)
        self.put(activity, PROV.wasAssociatedWith, agent)
        self.put(agent, RDF.type, PROV.SoftwareAgent)
        self.put(agent, RDFS.label, english(f"Loophole {version()}"))

    def rests(self, proof: Proof) -> None:
        """What closes it, states that no norm of it reads, assumptions and missing facts."""
        if proof.scope.by or proof.scope.says:
            closed = self.fresh()
            self.put(closed, RDF.type, lp("ProofStep"))
            self.put(closed, lp("ground"), plain("closed"))
            self.put(closed, lp("conclusionText"), plain(proof.scope.says))
            self.uses(closed, proof.scope.term)
            if proof.scope.by:
                self.put(closed, lp("citesRule"), self.rule(proof.scope.by))
        for thing, cls, rules in proof.scope.states:
            beyond = self.fresh()
            self.put(beyond, RDF.type, lp("ProofStep"))
            self.put(beyond, lp("ground"), plain("beyond"))
            self.put(beyond, lp("conclusionText"), plain(english_.say_class(self.vocabulary, thing.label, cls)))
            self.put(beyond, lp("concerns"), self.thing(thing.name))
            self.uses(beyond, cls)
            self.put(beyond, lp("needsRule"), *map(self.rule, rules))
        for n, assumed in enumerate(proof.assumptions, 1):
            node = self.numbered("assumption", n)
            kind = "Presumption" if assumed.kind in ("presumption", "completeness") else "Assumption"
            self.put(node, RDF.type, lp(kind))
            self.put(node, lp("conclusionText"), plain(assumed.text))
            self.put(node, lp("ground"), plain(assumed.kind))
            self.uses(node, assumed.term)
            self.put(self.me, lp("assumes"), node)
        for n, row in enumerate(proof.missing, 1):
            node = self.numbered("missing", n)
            self.put(node, RDF.type, lp("MissingFact"))
            self.put(node, lp("ordinal"), Literal(n))
            self.put(node, lp("conclusionText"), plain(row.asks))
            self.put(node, lp("ifTrue"), plain(row.if_true))
            self.put(node, lp("ifFalse"), plain(row.if_false))
            self.put(node, lp("citesRule"), *map(self.rule, row.rules))
            self.put(self.me, lp("lacks"), node)

    def flips(self, proof: Proof) -> None:
        """Writes what would turn the answer. It is found now, which takes time."""
        for n, flip in enumerate(proof.flips, 1):
            node = self.numbered("flip", n)
            self.put(node, RDF.type, lp("VerdictFlip"))
            self.put(node, lp("flipKind"), plain(flip.kind))
            self.put(node, lp("conclusionText"), plain(f"{flip.change}: {flip.verdict}"))
            if flip.verdict in VERDICTS:
                self.put(node, lp("turnsTo"), lp(VERDICTS[flip.verdict]))
            if flip.value is not None:
                told = "valueSoFar" if flip.verdict == p.OUTSIDE else "answerValue"
                self.put(node, lp(told), plain(str(flip.value)))
            self.put(self.me, lp("turnedBy"), node)

    # ── norms tried ──

    def trials(self, proof: Proof) -> None:
        """Every norm tried on what was asked about: whether it decides, else what defeated it."""
        winning = {id(o) for o in proof.winners}
        deciding = {o.norm.id for o in proof.winners}
        losing = {r.outcome.norm.id: r for r in defeated.losers(proof, Teller(self.theory))}
        resolutions: dict[str, list[URIRef]] = {}
        for n, defeat in enumerate(proof.defeats, 1):
            node = self.numbered("resolution", n)
            ground = defeat.principle
            self.put(self.me, lp("hasStep"), node)
            self.put(node, RDF.type, lp("Resolution"), lp("Defeater"))
            self.put(node, lp("winner"), self.norm(defeat.winner.norm))
            self.put(node, lp("loser"), self.norm(defeat.loser.norm))
            self.put(node, lp("byPrinciple"), URIRef(iris.of_book(self.book, "principle", ground.name)))
            said = f"{defeat.winner.norm.id} beats {defeat.loser.norm.id}: {ground.says or ground.name}"
            self.put(node, lp("conclusionText"), plain(said))
            if ground.cite:
                self.put(node, lp("citesRule"), self.rule(ground.cite))
            resolutions.setdefault(defeat.loser.norm.id, []).append(node)
        for outcome in (*proof.winners, *proof.considered):
            node = self.node(outcome)
            decides = id(outcome) in winning or outcome.norm.id in deciding
            self.put(node, lp("decides"), Literal(decides))
            if decides:
                continue
            self.put(node, lp("defeatedBy"), *resolutions.get(outcome.norm.id, ()))
            loser = losing.get(outcome.norm.id)
            if loser is not None:
                self.put(node, RDFS.comment, english(f"{loser.says}, {loser.why}"))

    def trial(self, node: URIRef, outcome: Outcome) -> None:
        """Writes a norm that was tried, and what kept it from applying or from winning."""
        norm = self.norm(outcome.norm)
        self.put(node, RDF.type, lp("NormTrial"))
        self.put(node, lp("usesNorm"), norm)
        self.put(node, SOURCE_RULE, norm)
        self.put(self.me, PROV.wasDerivedFrom, norm)
        self.put(node, lp("outcome"), plain(FARED[outcome.status]))
        self.put(node, lp("concerns"), self.thing(outcome.focus.name))
        section = self.theory.sections.get(outcome.norm.rule)
        title = f"{outcome.norm.id} {section.title if section else ''}".strip()
        self.put(node, lp("conclusionText"), plain(f"{title}: {phrases.say_head(self.vocabulary, outcome.norm.head)}"))
        premises = [self.node(s) for s in (outcome.head, outcome.when) if s is not None]
        tried = [self.exception(outcome, unless, step) for unless, step in outcome.unless]
        self.put(node, lp("hasPremise"), *premises, *tried)
        if outcome.status is False:
            self.put(node, lp("defeatedBy"), self.defeater(outcome))

    def defeater(self, outcome: Outcome) -> URIRef:
        """What keeps a norm from applying: the exception met, else the part of its condition that is not so."""
        if outcome.exception is not None:
            unless, step = outcome.exception
            found = self.exception(outcome, unless, step)
        else:
            failed = outcome.when is not None and outcome.when.value is False
            found = self.node(outcome.when if failed or outcome.head is None else outcome.head)
        self.put(found, RDF.type, lp("Defeater"))
        return found

    def exception(self, outcome: Outcome, unless: m.Unless, step: Step) -> URIRef:
        """An exception tried: one node for each norm, thing and label."""
        before = self.made
        node = self.known(("exception", id(outcome), unless.label), outcome)
        if self.made == before:
            return node
        self.put(node, RDF.type, lp("ExceptionTrial"))
        self.put(node, lp("triesException"), URIRef(iris.clause(self.norm(outcome.norm), "unless", unless.label)))
        self.put(node, lp("outcome"), plain(MET[step.value]))
        self.put(node, lp("conclusionText"), plain(f"{outcome.norm.id} unless {unless.label}: {MET[step.value]}"))
        self.put(node, lp("citesRule"), *map(self.rule, unless.cites))
        self.put(node, lp("hasPremise"), self.node(step))
        return node

    # ── steps ──

    def node(self, found: Any) -> URIRef:
        """The node of a step, norm tried, contribution, link or effect; written the first time it is met."""
        before = self.made
        node = self.known(id(found), found)
        if self.made == before:
            return node
        match found:
            case Outcome():
                self.trial(node, found)
            case Contribution():
                self.contribution(node, found)
            case Reached():
                self.link(node, found)
            case Caused():
                self.effect(node, found)
            case Step():
                self.step(node, found)
        return node

    def known(self, key: object, found: object) -> URIRef:
        """The node of what was met before; a new one for what was not."""
        if key not in self.nodes:
            self.nodes[key] = self.fresh()
            self.kept.append(found)
        node = self.nodes[key]
        self.put(self.me, lp("hasStep"), node)
        return node

    def fresh(self) -> URIRef:
        """A new step of the proof."""
        self.made += 1
        node = URIRef(f"{DRAFT}#step-{self.made:03}")
        self.put(self.me, lp("hasStep"), node)
        return node

    def numbered(self, kind: str, n: int) -> URIRef:
        """The IRI of the n-th of a kind within the proof."""
        return URIRef(f"{self.me}-{kind}-{n}" if "#" in self.me else f"{self.me}#{kind}-{n}")

    def step(self, node: URIRef, step: Step) -> None:
        """Writes a fact of the proof with its premises."""
        self.put(node, RDF.type, lp("ProofStep"))
        self.put(node, lp("conclusionText"), plain(self.say(step)))
        self.put(node, lp("expression"), plain(str(step.node)))
        self.put(node, lp("outcome"), plain(number_or_truth(step.value)))
        self.put(node, lp("ground"), plain(step.why))
        self.put(node, lp("concerns"), self.thing(step.thing.name))
        for name in named(step.node):
            self.uses(node, name)
        if isinstance(step.node, m.Named):
            self.axioms(node, step, step.node.name)
        self.put(node, lp("hasPremise"), *self.premises(step.parts))

    def axioms(self, node: URIRef, step: Step, cls: str) -> None:
        """The classes between what is stated and what follows from it: each is an axiom of the class tree."""
        source = step.thing.kind.source.get(cls, "")
        if step.why in ("inferred", "staged", "disjoint") and source in self.vocabulary.classes and source != cls:
            for below, above in (
                english_.chain(self.vocabulary, source, cls) if step.why != "disjoint" else [(source, cls)]
            ):
                self.uses(node, below)
                self.uses(node, above)

    def contribution(self, node: URIRef, row: Contribution) -> None:
        """Writes a norm's part in a number."""
        norm = self.norm(row.outcome.norm)
        self.put(node, RDF.type, lp("Contribution"))
        self.put(node, lp("usesNorm"), norm)
        self.put(node, SOURCE_RULE, norm)
        self.put(self.me, PROV.wasDerivedFrom, norm)
        self.put(node, lp("outcome"), plain(row.state))
        value = row.value.value if row.value is not None else None
        if isinstance(value, Fraction):
            self.put(node, lp("contributedValue"), plain(str(value)))
        self.put(node, lp("conclusionText"), plain(Teller(self.theory).contribution(row).text))
        if row.by is not None:
            self.put(node, lp("defeatedBy"), self.contest(row, row.by))
        self.put(node, lp("hasPremise"), self.node(row.outcome))
        if row.value is not None:
            self.put(node, lp("hasPremise"), self.node(row.value))

    def contest(self, row: Contribution, by: Outcome) -> URIRef:
        """Which norm beat a contribution, and on which principle."""
        node = self.known(("contest", id(row)), row)
        self.put(node, RDF.type, lp("Resolution"), lp("Defeater"))
        self.put(node, lp("winner"), self.norm(by.norm))
        self.put(node, lp("loser"), self.norm(row.outcome.norm))
        said = f"{by.norm.id} beats {row.outcome.norm.id}"
        if row.principle is not None:
            self.put(node, lp("byPrinciple"), URIRef(iris.of_book(self.book, "principle", row.principle.name)))
            said += f": {row.principle.says or row.principle.name}"
            if row.principle.cite:
                self.put(node, lp("citesRule"), self.rule(row.principle.cite))
        self.put(node, lp("conclusionText"), plain(said))
        return node

    def link(self, node: URIRef, reached: Reached) -> None:
        """Writes how something was reached by a relation."""
        code, detail = reached.why
        self.put(node, RDF.type, lp("ProofStep"))
        self.put(node, lp("ground"), plain(code))
        self.put(node, lp("concerns"), self.thing(reached.thing.name))
        self.put(node, lp("conclusionText"), plain(f"a rule relates it to {reached.thing.label}"))
        self.put(node, lp("hasPremise"), *self.premises(detail))

    def premises(self, parts: Iterable[object]) -> list[URIRef]:
        """The nodes of parts; a link that is stated has none, for the step above tells it."""
        return [
            self.node(q)
            for q in parts
            if isinstance(q, (Step, Outcome, Contribution)) or (isinstance(q, Reached) and q.why[0] == "norm")
        ]

    def effect(self, node: URIRef, caused: Caused) -> None:
        """Writes what an event brings about, and by which norm."""
        norm = self.norm(caused.by.norm)
        self.put(node, RDF.type, lp("ProofStep"))
        self.put(node, lp("usesNorm"), norm)
        self.put(node, SOURCE_RULE, norm)
        self.put(self.me, PROV.wasDerivedFrom, norm)
        self.put(node, lp("concerns"), self.thing(caused.thing))
        said = english_.say_class(self.vocabulary, caused.thing, caused.cls)
        self.put(node, lp("conclusionText"), plain(f"then {said}"))
        self.put(node, lp("ground"), plain("direct" if caused.direct else "counts"))
        self.uses(node, caused.cls)
        self.put(node, lp("hasPremise"), self.node(caused.by))

    def say(self, step: Step) -> str:
        """A step in English; one that the teller passes over, as too plain to tell, in the rule language."""
        teller = Teller(self.theory)
        told = teller.faults(step) if step.value is False else teller.step(step)
        if not told and isinstance(step.node, m.Named):
            return english_.say_class(self.vocabulary, step.thing.label, step.node.name, step.value is not False)
        return "; ".join(part.text for part in told) or f"{step.thing.label}: {step.node}"

    # ── names ──

    def norm(self, norm: m.Norm) -> URIRef:
        """The IRI of a norm as it was worded then, with its number and rule."""
        iri = self.versions.iri(norm.id)
        self.identify(iri, norm)
        return iri

    def identify(self, iri: URIRef, norm: m.Norm) -> None:
        """What a reader of the proof alone needs of a norm: its number, its rule, the erratum that it reads so by."""
        self.put(iri, DCTERMS.identifier, plain(norm.id))
        self.put(iri, lp("statedIn"), URIRef(iris.rule(self.book, norm.rule)))
        erratum = self.versions.erratum(norm.id)
        if erratum:
            self.put(iri, lp("byErratum"), URIRef(iris.erratum(self.book, erratum)))

    def rule(self, number: str) -> URIRef:
        """The IRI of a rule that is cited, loaded or not."""
        iri = URIRef(iris.rule(self.book, number))
        self.put(iri, RDF.type, lp("CitedRule"))
        self.put(iri, lp("ruleNumber"), plain(number.split("/")[0]))
        return iri

    def thing(self, name: str) -> URIRef:
        """The IRI of a thing of the case."""
        return URIRef(iris.thing(self.case, name))

    def uses(self, node: URIRef, name: str) -> None:
        """Says which term a step speaks of; nothing for a name that is no term."""
        found = self.vocabulary.classes.get(name) or self.vocabulary.properties.get(name)
        if found is not None:
            self.put(node, lp("usesTerm"), URIRef(found.iri))


def named(node: object) -> tuple[str, ...]:
    """The terms that a step's node names itself; those below stand in its premises."""
    match node:
        case m.Named(name) | m.Flag(name, _) | m.Otherwise(name):
            return (name,)
        case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
            return (role.name,)
        case m.Path(_, steps):
            return steps
        case m.Aggregate(_, m.Path(_, steps), _, quantity):
            return (*steps, quantity)
    return ()


def number_or_truth(value: object) -> str:
    """A step's value as text."""
    return str(value) if isinstance(value, Fraction) else TRUTH[value if isinstance(value, bool) else None]
