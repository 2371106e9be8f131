"""A proof as JSON: one published shape, everything in it, the losers included. docs/proof.schema.json describes it.

    {format, question, situation, verdict, answer, value, so_far, scope, grade, sentence, cites, also, defeated, needs, closure,
     because: [outcome], considered: [outcome], defeats, steps: [step], contributions, effects, open, which,
     assumptions, unused, overruled, missing, flips, terms}

An outcome is a norm tried on a thing; a step is {node, thing, value, why, text, parts}. Rules are given by id, terms by
name, with their IRIs in `terms`; class-tree steps carry the axioms they use. Numbers are exact: "5", "5/2".
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kb.answers import defeated, explain, situation
from kb.answers.outline import Teller
from kb.language import english, norms as m
from kb.language.case import Edit, Facts, Question
from kb.reasoner.proof import OUTSIDE, Proof
from kb.reasoner.trace import ByNorm, Chained, Contribution, How, Outcome, Reached, Step, WorkedOut
from kb.rulebook.records import InForce

FORMAT = "loophole-proof/1"
Json = dict[str, Any]


def to_json(proof: Proof, flips: bool = True) -> Json:
    """The whole proof. Without `flips` nothing is tried out, and `flips` is null."""
    return Recorder(proof).proof(flips)


class Recorder:
    """Writes one proof; gathers the terms it names."""

    def __init__(self, proof: Proof):
        self.found = proof
        self.vocabulary = proof.theory.vocabulary
        self.names: set[str] = set()
        self.losing = {r.outcome.norm.id: r for r in defeated.losers(proof, Teller(proof.theory))}

    def situation(self) -> Json:
        """What the case tells, and what that comes to in the words that rules use."""
        case, terms = self.found.case, self.vocabulary
        return {
            "told": [{"thing": row.thing, "says": list(row.says)} for row in situation.told(case, terms)],
            "understood": [
                {"thing": row.thing, "says": row.says, "by": row.by, "instead": list(row.instead)}
                for row in situation.understood(case, terms)
            ],
        }

    def proof(self, flips: bool) -> Json:
        """The whole proof. flips: with what would turn it."""
        p = self.found
        record: Json = {
            "format": FORMAT,
            "book": p.theory.book,
            "chapters": list(p.theory.chapters),
            "edition": in_force(p.edition),
            "title": p.case.title,
            "question": self.question(p.question),
            "situation": self.situation(),
            "verdict": p.verdict,
            "answer": None if p.verdict == OUTSIDE else p.answer,
            "value": None if p.verdict == OUTSIDE else number(p.value),
            "so_far": number(p.value) if p.verdict == OUTSIDE else None,
            "scope": None if p.which else p.scope.kind,
            "grade": p.grade,
            "sentence": explain.headline(p),
            "cites": list(p.cites),
            "also": list(p.also),
            "defeated": list(p.defeated),
            "needs": list(p.needs),
            "closure": None,
            "because": [self.outcome(o) for o in p.winners],
            "considered": [self.considered(o) for o in p.considered],
            "defeats": [
                {
                    "loser": d.loser.norm.id, "winner": d.winner.norm.id, "principle": d.principle.name,
                    "cite": d.principle.cite, "says": d.principle.says,
                } for d in p.defeats
            ],
            "steps": [self.step(s) for s in p.steps],
            "contributions": [self.contribution(r) for r in p.contributions],
            "effects": [
                {
                    "thing": c.thing, "class": self.term(c.cls), "by": c.by.norm.id, "rule": c.by.norm.rule,
                    "direct": c.direct,
                } for c in p.effects
            ],
            "changes": [
                {
                    "thing": c.thing, "quantity": self.term(c.quantity), "op": c.op, "amount": self.step(c.value),
                    "by": c.by.norm.id, "rule": c.by.norm.rule,
                } for c in p.shifts
            ],
            "open": [self.step(o) for o in p.open],
            "which": [
                {"candidate": name, "chosen": name in p.chosen, "proof": to_json(found, False)}
                for name, found in p.which
            ],
            "assumptions": [
                {"text": a.said(p.theory.vocabulary), "kind": a.kind, "thing": a.thing, "term": self.term(a.term)} for a in p.assumptions
            ],
            "unused": [
                {"thing": u.thing, "fact": u.key, "value": u.value, "text": u.text, "hint": u.hint, "about": u.about}
                for u in p.unused
            ],
            "overruled": [
                {"thing": o.thing.name, "class": self.term(o.cls) if o.cls else None, "relation": self.term(o.role.name) if o.role else None, "to": o.to.name if o.to else None, "is": o.is_, "norms": [n.id for n in o.norms], "text": o.said(p.theory.vocabulary)}
                for o in p.overruled
            ],
            "missing": [
                {
                    "asks": r.said(p.theory.vocabulary), "if_true": r.if_true, "if_false": r.if_false, "settles": r.settles,
                    "rules": list(r.rules), "edits": [[self.edit(e) for e in edits] for edits in r.edits],
                } for r in p.missing
            ],
            "flips": None,
        }  # fmt: skip
        if not p.winners and (p.scope.by or p.scope.says):
            c = p.scope
            record["closure"] = {"kind": "closed", "act": self.term(c.term), "says": c.says, "cite": c.by}
        if flips:
            record["flips"] = [
                {
                    "kind": f.kind, "change": f.said(p.theory.vocabulary), "verdict": f.verdict, "value": number(f.value),
                    "edits": [self.edit(e) for e in f.edits],
                } for f in p.flips
            ]  # fmt: skip
        record["terms"] = {name: self.iri(name) for name in sorted(self.names)}
        return record

    def question(self, q: Question) -> Json:
        """A question as it was understood."""
        record: Json = {"kind": q.kind, "text": str(q), "thing": q.thing or None}
        if q.condition is not None:
            record["condition"] = str(q.condition)
        if q.quantity:
            record["quantity"] = self.term(q.quantity)
        if q.inner is not None:
            record |= {
                "class": self.term(q.cls) or None,
                "things": list(q.things),
                "as": q.role,
                "inner": self.question(q.inner),
            }
        return record

    # ── norms ──

    def outcome(self, o: Outcome) -> Json:
        """A norm that was tried: whether it applies, its conditions and exceptions."""
        norm = o.norm
        return {
            "norm": norm.id,
            "rule": norm.rule,
            "says": str(norm.head),
            "applies": o.status,
            "presumes": o.soft,
            "thing": o.focus.name,
            "sentences": list(norm.sentences),
            "head": self.step(o.head),
            "when": self.step(o.when),
            "unless": [
                {"label": u.label, "cites": list(u.cites), "met": s.value, "step": self.step(s)} for u, s in o.unless
            ],
            "reading": norm.reading or None,
        }

    def considered(self, o: Outcome) -> Json:
        """An outcome, and in one sentence why it did not decide."""
        loser = self.losing.get(o.norm.id)
        return {
            **self.outcome(o),
            "decides": any(o.norm.id == w.norm.id for w in self.found.winners),
            "why_not": loser.why if loser is not None else None,
            "nearness": round(loser.near, 3) if loser is not None else None,
        }

    def contribution(self, r: Contribution) -> Json:
        """A norm's part in a number."""
        return {
            "norm": r.outcome.norm.id,
            "rule": r.outcome.norm.rule,
            "op": r.op,
            "bound": r.bound or None,
            "state": r.state,
            "value": self.step(r.value),
            "by": r.by.norm.id if r.by is not None else None,
            "principle": r.principle.name if r.principle is not None else None,
            "outcome": self.outcome(r.outcome),
        }

    # ── steps ──

    def step(self, s: Any) -> Any:
        """A step, an outcome, a contribution or a link reached, as a nested object."""
        if s is None:
            return None
        if isinstance(s, Outcome):
            return {"kind": "norm", **self.outcome(s)}
        if isinstance(s, Contribution):
            return {"kind": "contribution", **self.contribution(s)}
        if isinstance(s, Reached):
            how = s.why
            parts = [self.step(how.outcome), self.step(how.step)] if isinstance(how, ByNorm) else []
            return {"kind": "link", "to": s.thing.name, "why": how.code, "via": via(how), "parts": parts}
        assert isinstance(s, Step)
        self.collect(s.node)
        value = number(s.value) if isinstance(s.value, Fraction) else s.value
        record: Json = {
            "kind": "step", "node": str(s.node), "thing": s.thing.name, "value": value, "why": s.why,
            "presumes": s.soft, "parts": [self.step(q) for q in s.parts],
        }  # fmt: skip
        if isinstance(s.node, m.Named):
            record["text"] = english.say_class(self.vocabulary, s.thing.label, s.node.name, s.value is not False)
            source = s.thing.kind.source.get(s.node.name, "")
            if s.why in ("inferred", "staged") and source in self.vocabulary.classes and source != s.node.name:
                record["axioms"] = [
                    [self.term(a), "rdfs:subClassOf", self.term(b)]
                    for a, b in english.chain(self.vocabulary, source, s.node.name)
                ]
            elif s.why == "disjoint" and source in self.vocabulary.classes and not source.startswith(m.NO_MORE):
                record["axioms"] = [[self.term(source), "owl:disjointWith", self.term(s.node.name)]]
        return record

    def collect(self, node: Any) -> None:
        """Remembers the terms a node names directly; those below stand in its parts."""
        match node:
            case m.Named(name) | m.Flag(name, _) | m.Otherwise(name):
                self.term(name)
            case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
                self.term(role.name)
            case m.Path(_, steps):
                for name in steps:
                    self.term(name)

    def edit(self, e: Edit) -> Json:
        """A change of the case that a what-if question made."""
        record: Json = {"kind": e.kind, "thing": e.thing, "name": self.term(e.name)}
        match e.kind:
            case "link":
                new, described = e.value
                record |= {"to": new, "things": {name: facts(f) for name, f in described.items()}}
            case "number":
                record["value"] = number(e.value)
            case "flag":
                record["value"] = e.value
        return record

    # ── terms ──

    def term(self, name: str) -> str:
        """The name itself; it is remembered, for the list of the terms used."""
        if name in self.vocabulary.classes or name in self.vocabulary.properties:
            self.names.add(name)
        return name

    def iri(self, name: str) -> str:
        """The IRI of a term. Raises KeyError for a name that is none."""
        classes, properties = self.vocabulary.classes, self.vocabulary.properties
        return classes[name].iri if name in classes else properties[name].iri


def in_force(edition: InForce | None) -> Json | None:
    """The edition an answer was given under, and the errata in force."""
    if edition is None:
        return None
    record: Json = {"id": edition.edition, "title": edition.title, "errata": list(edition.errata)}
    record |= {"as_of": edition.as_of or None, "without": list(edition.without), "undated": list(edition.undated)}
    return record


def facts(f: Facts) -> Json:
    """Facts of one thing as a case states them."""
    record: Json = {}
    for key, names in (("is", f.is_), ("not", f.not_), ("unknown", f.unknown)):
        if names:
            record[key] = list(names)
    record |= {role: list(targets) for role, targets in f.links.items()}
    record |= {name: number(value) for name, value in f.numbers.items()}
    record |= {**f.flags, **f.texts}
    return record


def number(value: Fraction | None) -> str | None:
    """An exact number as text: "5", "-1", "5/2"."""
    return None if value is None else str(value)


def via(how: How) -> list[str]:
    """What a value of a property is known by, but for a norm: the property that states it, the chain, the built-in relation."""
    match how:
        case Chained(chain):
            return list(chain)
        case WorkedOut(by, soft):
            return [by, str(soft)]
        case ByNorm():
            return []
    return [how.by]
