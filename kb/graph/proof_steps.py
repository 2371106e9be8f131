"""The steps of a proof as RDF: norms tried, exceptions, contributions to numbers, links, effects, and the facts below."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rdflib import DCTERMS, PROV, RDF, SH, Literal, URIRef

from kb.answers.outline import Teller
from kb.graph.cases import lp, plain
from kb.graph.errata import Versions
from kb.language import english, iris, norms as m, phrases
from kb.reasoner.proof import Proof
from kb.reasoner.trace import ByNorm, Caused, Contribution, Outcome, Reached, Shift, Step, Tied

DRAFT = "urn:loophole:proof"  # what a proof is called until all that it says is known
FARED = {True: "applies", False: "does not apply", None: "open"}
MET = {True: "met", False: "not met", None: "not known"}
TRUTH = {True: "true", False: "false", None: "unknown"}
SOURCE_RULE = URIRef(f"{SH}sourceRule")


class StepWriter:
    """Writes steps into one graph. A step met twice is one node."""

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

    # ── norms tried ──

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
            case Caused() | Shift() | Tied():
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
                english.chain(self.vocabulary, source, cls) if step.why != "disjoint" else [(source, cls)]
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
        how = reached.why
        assert isinstance(how, ByNorm)
        self.put(node, RDF.type, lp("ProofStep"))
        self.put(node, lp("ground"), plain(how.code))
        self.put(node, lp("concerns"), self.thing(reached.thing.name))
        self.put(node, lp("conclusionText"), plain(f"a rule relates it to {reached.thing.label}"))
        self.put(node, lp("hasPremise"), *self.premises((how.outcome, how.step)))

    def premises(self, parts: Iterable[object]) -> list[URIRef]:
        """The nodes of parts; a link that is stated has none, for the step above tells it."""
        return [
            self.node(q)
            for q in parts
            if isinstance(q, (Step, Outcome, Contribution)) or (isinstance(q, Reached) and isinstance(q.why, ByNorm))
        ]

    def effect(self, node: URIRef, caused: Caused | Shift | Tied) -> None:
        """Writes what an event brings about, and by which norm."""
        norm = self.norm(caused.by.norm)
        self.put(node, RDF.type, lp("ProofStep"))
        self.put(node, lp("usesNorm"), norm)
        self.put(node, SOURCE_RULE, norm)
        self.put(self.me, PROV.wasDerivedFrom, norm)
        self.put(node, lp("concerns"), self.thing(caused.thing))
        if isinstance(caused, Shift):
            assert caused.value is not None
            term, by = caused.quantity, caused.value.value
            said = f"{english.say_number(self.vocabulary, term, caused.thing)} becomes {english.shown(by)}"
            if caused.op != m.PUTS:
                said = english.say_change(self.vocabulary, caused.thing, term, caused.op == m.RAISES, by)
        elif isinstance(caused, Tied):
            term = caused.role
            said = english.say_link(
                self.vocabulary, m.Role(term), caused.thing, caused.to or "anything", not caused.ends
            )
        else:
            so = not caused.cls.startswith(m.NO_MORE)
            term = caused.cls.removeprefix(m.NO_MORE)
            said = english.say_class(self.vocabulary, caused.thing, term, so)
        self.put(node, lp("conclusionText"), plain(f"then {said}"))
        self.put(node, lp("ground"), plain("direct" if not isinstance(caused, Caused) or caused.direct else "counts"))
        self.uses(node, term)
        self.put(node, lp("hasPremise"), self.node(caused.by))
        if isinstance(caused, Caused):
            self.put(node, lp("hasPremise"), *self.premises(caused.way))

    def say(self, step: Step) -> str:
        """A step in English; one that the teller passes over, as too plain to tell, in the rule language."""
        teller = Teller(self.theory)
        told = teller.faults(step) if step.value is False else teller.step(step)
        if not told and isinstance(step.node, m.Named):
            return english.say_class(self.vocabulary, step.thing.label, step.node.name, step.value is not False)
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
