"""A proof as JSON: one published shape, everything in it, the losers included. docs/proof.schema.json describes it.

    {format, question, situation, verdict, answer, value, so_far, scope, grade, sentence, cites, also, defeated, needs, closure,
     because: [outcome], considered: [outcome], defeats, steps: [step], contributions, effects, open, which,
     assumptions, unused, overruled, missing, flips, terms}

An outcome is a norm tried on a thing; a step is {node, thing, value, why, text, parts}. Rules are given by id, terms by
name, with their IRIs in `terms`; class-tree steps carry the axioms they use. Numbers are exact: "5", "5/2".
"""

from __future__ import annotations

from kb.answers import defeated, explain, situation
from kb.answers.outline import Teller
from kb.answers.step_json import Json, Steps, facts as facts, number
from kb.language.case import Question
from kb.reasoner.proof import OUTSIDE, Proof, Scope
from kb.reasoner.trace import Outcome
from kb.rulebook.records import InForce

FORMAT = "loophole-proof/1"  # kb.checker.record_format has its types


def to_json(proof: Proof, flips: bool = True) -> Json:
    """The whole proof. Without `flips` nothing is tried out, and `flips` is null."""
    return Recorder(proof).proof(flips)


class Recorder(Steps):
    """Writes one proof."""

    def __init__(self, proof: Proof):
        super().__init__(proof.theory.vocabulary)
        self.found = proof
        self.losing = {
            r.outcome.norm.id: r for r in defeated.losers(proof, Teller(proof.theory, things=proof.case.things))
        }

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
            "decided": self.scope(p.scope),
            "grade": p.grade,
            "sentence": explain.headline(p),
            "cites": list(p.cites),
            "also": list(p.also),
            "kin": list(p.rest.kin),
            "defeated": list(p.defeated),
            "needs": list(p.needs),
            "closure": None,
            "because": [self.outcome(o) for o in p.winners],
            "considered": [self.considered(o) for o in p.considered],
            "defeats": [
                {
                    "loser": d.loser.norm.id, "winner": d.winner.norm.id, "principle": d.principle.name,
                    "cite": d.principle.cite, "says": d.principle.says, "on": [d.loser.focus.name, d.winner.focus.name],
                } for d in p.defeats
            ],
            "steps": [self.step(s) for s in p.steps],
            "contributions": [self.contribution(r) for r in p.contributions],
            "effects": [
                {
                    "thing": c.thing, "class": self.term(c.cls), "by": c.by.norm.id, "rule": c.by.norm.rule,
                    "direct": c.direct, "outcome": self.outcome(c.by), "way": [self.step(s) for s in c.way],
                } for c in p.effects
            ],
            "changes": [self.change(c) for c in p.shifts],
            **({"ties": [self.tie(t) for t in p.ties]} if p.ties else {}),
            "open": [self.step(o) for o in p.open],
            "silence": [self.step(s) for s in p.silence],
            "cases": [
                {"fact": self.fact(fact), "edits": [self.edit(e) for e in edits], "proof": to_json(branch, False)}
                for fact, edits, branch in p.cases
            ],
            "which": [
                {"candidate": name, "chosen": name in p.chosen, "proof": to_json(found, False)}
                for name, found in p.which
            ],
            "assumptions": [
                {"text": a.said(p.theory.vocabulary), "kind": a.kind, "thing": a.thing, "term": self.term(a.term), "fact": self.fact(a.fact)} for a in p.assumptions
            ],
            "unused": [
                {"thing": u.thing, "fact": u.key, "value": u.value, "says": u.fact, "text": u.text, "hint": u.hint, "about": u.about}
                for u in p.unused
            ],
            "overruled": [
                {"thing": o.thing.name, "of": [self.place(x) for x in (o.thing, o.to) if x is not None], "class": self.term(o.cls) if o.cls else None, "relation": self.term(o.role.name) if o.role else None, "inverse": bool(o.role and o.role.inverse), "to": o.to.name if o.to else None, "is": o.is_, "norms": [n.id for n in o.norms], "text": o.said(p.theory.vocabulary)}
                for o in p.overruled
            ],
            "missing": [
                {
                    "asks": r.said(p.theory.vocabulary), "if_true": r.if_true, "if_false": r.if_false, "settles": r.settles,
                    "rules": list(r.rules), "edits": [[self.edit(e) for e in edits] for edits in r.edits],
                    "fact": self.fact(r.fact), "given": self.fact(r.given) if r.given is not None else None,
                } for r in p.missing
            ],
            "flips": None,
            "untried": p.left_out or None,
        }  # fmt: skip
        if not p.winners and (p.scope.by or p.scope.says):
            c = p.scope
            record["closure"] = {"kind": "closed", "act": self.term(c.term), "says": c.says, "cite": c.by}
        if flips:
            record["untried"] = p.untried
            record["flips"] = [
                {
                    "kind": f.kind, "change": f.said(p.theory.vocabulary), "verdict": f.verdict, "value": number(f.value),
                    "edits": [self.edit(e) for e in f.edits], "facts": [self.fact(x) for x in f.facts],
                    "norm": f.norm or None, "reading": list(f.reading) if f.kind == "reading" else None,
                } for f in p.flips
            ]  # fmt: skip
        record["things"] = self.things
        record["terms"] = {name: self.iri(name) for name in sorted(self.names)}
        return record

    def scope(self, c: Scope) -> Json:
        """How far the loaded rules decide it, whole; `scope` is only its kind."""
        return {
            "kind": c.kind, "needs": list(c.needs), "those": c.those, "term": c.term, "by": c.by, "says": c.says,
            "freed": list(c.freed), "states": [[self.place(x), cls, list(rules)] for x, cls, rules in c.states],
        }  # fmt: skip

    def question(self, q: Question) -> Json:
        """A question as it was understood."""
        record: Json = {
            "kind": q.kind,
            **({"turned": True} if q.turned else {}),
            "text": str(q),
            "thing": q.thing or None,
        }
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

    def considered(self, o: Outcome) -> Json:
        """An outcome, and in one sentence why it did not decide."""
        loser = self.losing.get(o.norm.id)
        return {
            **self.outcome(o),
            "decides": any(o.norm.id == w.norm.id for w in self.found.winners),
            "why_not": loser.why if loser is not None else None,
            "nearness": round(loser.near, 3) if loser is not None else None,
        }


def in_force(edition: InForce | None) -> Json | None:
    """The edition an answer was given under, and the errata in force."""
    if edition is None:
        return None
    record: Json = {"id": edition.edition, "title": edition.title, "errata": list(edition.errata)}
    record |= {"as_of": edition.as_of or None, "without": list(edition.without), "undated": list(edition.undated)}
    return record
