"""A proof as RDF: PROV-O, sh:sourceRule and the lp: terms of ontology/core.ttl, in the project's one Turtle style.

Every step of the proof is a node: norms tried (those that lost too, with what defeated them), exceptions tried, who
beat whom on which principle, each part of a number, and the facts below. docs/graph.md shows how to query it.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version as installed

from rdflib import DCTERMS, PROV, RDF, RDFS, Graph, Literal, URIRef

from kb.answers import defeated, explain
from kb.answers.outline import Teller
from kb.graph.cases import EXTENTS, GRADES, VERDICTS, CaseWriter, in_english, lp, plain
from kb.graph.proof_steps import DRAFT, StepWriter
from kb.language import english, iris
from kb.language.phrases import say_fact
from kb.ontology.turtle import canonical
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof


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


class ProofWriter(StepWriter):
    """Writes one proof, and those inside it, into one graph."""

    def write(self, me: URIRef, proof: Proof, flips: bool = False) -> URIRef:
        """Everything of one proof, under the IRI given."""
        outer, self.me = self.me, me
        self.verdict(proof)
        self.trials(proof)
        for step in (*proof.steps, *proof.contributions, *proof.effects, *proof.shifts, *proof.ties, *proof.open):
            self.node(step)
        self.rests(proof)
        if flips:
            self.flips(proof)
        parts = [(name, found) for name, found in proof.which]
        parts += [(f"if {say_fact(self.vocabulary, fact)}", found) for fact, _, found in proof.cases]
        for n, (name, found) in enumerate(parts, 1):
            part = self.write(URIRef(f"{me}-part-{n}" if "#" in me else f"{me}#part-{n}"), found)
            self.put(me, DCTERMS.hasPart, part)
            self.put(part, DCTERMS.title, in_english(name))
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
        self.put(agent, RDFS.label, in_english(f"Loophole {version()}"))

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
            self.put(beyond, lp("conclusionText"), plain(english.say_class(self.vocabulary, thing.label, cls)))
            self.put(beyond, lp("concerns"), self.thing(thing.name))
            self.uses(beyond, cls)
            self.put(beyond, lp("needsRule"), *map(self.rule, rules))
        for n, assumed in enumerate(proof.assumptions, 1):
            node = self.numbered("assumption", n)
            kind = "Presumption" if assumed.kind in ("presumption", "completeness") else "Assumption"
            self.put(node, RDF.type, lp(kind))
            self.put(node, lp("conclusionText"), plain(assumed.said(self.vocabulary)))
            self.put(node, lp("ground"), plain(assumed.kind))
            self.uses(node, assumed.term)
            self.put(self.me, lp("assumes"), node)
        for n, row in enumerate(proof.missing, 1):
            node = self.numbered("missing", n)
            self.put(node, RDF.type, lp("MissingFact"))
            self.put(node, lp("ordinal"), Literal(n))
            self.put(node, lp("conclusionText"), plain(row.said(self.vocabulary)))
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
            self.put(node, lp("conclusionText"), plain(f"{flip.said(self.vocabulary)}: {flip.verdict}"))
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
        teller = Teller(self.theory)
        losing = {r.outcome.norm.id: r for r in defeated.losers(proof, teller)}
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
                self.put(node, RDFS.comment, in_english(f"{defeated.says(proof, teller, loser.outcome)}, {loser.why}"))
