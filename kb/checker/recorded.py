"""Reads a recorded proof back into a proof, so that it can be checked where it was not made.

    read(record, theory, case) -> Recorded      raises RecordError

Nothing is checked here beyond that the record can be read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from kb.checker import record_format as r
from kb.checker.proof_file import WholeRecord as WholeRecord
from kb.checker.recorded_steps import RecordError as RecordError, Steps, exact, unreadable
from kb.checker.reference_answers import candidate
from kb.errors import Problem
from kb.language import case as c, norms as m
from kb.reasoner.proof import UNDETERMINED, Assumption, Overruled, Proof, Rest, Scope, Unused
from kb.reasoner.trace import Caused, Contribution, Defeat, Flip, Missing, Shift, Tied
from kb.rulebook.records import InForce
from kb.rulebook.theory import Theory


@dataclass(frozen=True, eq=False)
class Recorded(Proof):
    """A proof as it was recorded, with what was said to follow from it."""

    rested: Rest = field(kw_only=True)
    turning: tuple[Flip, ...] = ()
    not_tried: int = 0
    not_read: tuple[Unused, ...] = ()
    against: tuple[Overruled, ...] = ()

    @property
    def rest(self) -> Rest:
        """What the decision rests on."""
        return self.rested

    @property
    def flips(self) -> tuple[Flip, ...]:
        """Each smallest change that turns the verdict."""
        return self.turning

    @property
    def untried(self) -> int:
        """How many changes, and facts that may be missing, were not tried."""
        return self.not_tried

    @property
    def unused(self) -> tuple[Unused, ...]:
        """The facts of the case that nothing could read."""
        return self.not_read

    @property
    def overruled(self) -> tuple[Overruled, ...]:
        """The statements that a norm is against."""
        return self.against


def decoded(data: bytes | str) -> WholeRecord:
    """A record, each part of its type. Raises RecordError with the place of what is not."""
    try:
        return msgspec.json.decode(data, type=WholeRecord)
    except RecursionError:
        raise unreadable("it is nested too deep") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise unreadable(str(error)) from None


def other_rules(record: WholeRecord, theory: Theory) -> list[Problem]:
    """How the rules that a record is of differ from these (E896)."""
    told, here = record.rules, theory.fingerprints
    if (
        told.sha256 == here[""]
        and told.terms == theory.vocabulary.version
        and told.chapters.keys() == theory.chapters.keys()
    ):
        return []
    names = sorted(told.chapters.keys() | theory.chapters.keys())
    faults = [
        f"{name} is another than the proof was made with" for name in names if told.chapters.get(name) != here.get(name)
    ]
    if told.terms != theory.vocabulary.version:
        faults.append(f"the terms are of version {theory.vocabulary.version[:12]}, and were {told.terms[:12]}")
    hint = "ask again, or check it with the version that made it"
    return [Problem(896, text, hint=hint) for text in faults or ["the rules are others than the proof was made with"]]


def otherwise(data: bytes | str, follows: object) -> list[Problem]:
    """What of a record's text is not what follows from its proof (E897)."""
    theirs, ours = json.loads(data), json.dumps(follows)
    # In two texts that are the same nothing differs: that is usual, and quicker to see than place by place.
    return [] if json.dumps(theirs) == ours else differences(theirs, json.loads(ours))


def differences(told: object, follows: object, at: str = "") -> list[Problem]:
    """What of a record, as plain JSON, is not what follows from its proof (E897)."""
    rows: list[tuple[str, object, object]] = []
    match told, follows:
        case dict(), dict():
            rows = [(str(key), told.get(key), follows.get(key)) for key in {**told, **follows}]
        case list(), list() if len(told) == len(follows):
            rows = [(str(n), a, b) for n, (a, b) in enumerate(zip(told, follows, strict=True))]
        case _:
            same = type(told) is type(follows) and told == follows
            return (
                []
                if same
                else [Problem(897, f"{at or 'the record'} is {brief(told)}; from the proof follows {brief(follows)}")]
            )
    return [fault for key, a, b in rows for fault in differences(a, b, f"{at}.{key}" if at else key)][:20]


def brief(value: object) -> str:
    """A value in a line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"


def read(record: r.ProofRecord, theory: Theory, case: c.Case, edition: InForce | None = None) -> Recorded:
    """The proof that a record tells. case: the one that it is of. Raises RecordError."""
    if record.format != r.FORMAT:
        raise unreadable(f"its format is “{record.format}”, not {r.FORMAT}")
    return Reader(theory, case, record).proof(record, edition)


class Reader(Steps):
    """Reads a whole proof."""

    def proof(self, row: r.ProofRecord, edition: InForce | None) -> Recorded:
        """The proof, with what is said to follow from it."""
        winners = tuple(map(self.outcome, row.because))
        considered = tuple(map(self.outcome, row.considered))
        steps = tuple(map(self.step, row.steps))
        parts = {id(q): q for step in steps for q in step.parts if isinstance(q, Contribution)}
        return Recorded(
            self.case, self.theory, self.case.question, row.verdict,
            value=self.number(row.value if row.so_far is None else row.so_far),
            winners=winners, considered=considered, steps=steps,
            contributions=tuple(self.lost(told, self.contribution(told), list(parts.values())) for told in row.contributions),
            effects=tuple(Caused(e.thing, e.cls, self.outcome(e.outcome), e.direct, tuple(map(self.step, e.way))) for e in row.effects),
            shifts=tuple(Shift(e.thing, e.quantity, self.outcome(e.outcome), self.maybe(e.amount)) for e in row.changes),
            ties=tuple(Tied(e.thing, e.relation, e.to, self.outcome(e.outcome)) for e in row.ties),
            open=tuple(map(self.part, row.open)), silence=tuple(map(self.step, row.silence)),
            defeats=tuple(map(self.defeat, row.defeats)),
            which=tuple((w.candidate, self.within(w.proof, candidate(self.case, w.candidate), edition)) for w in row.which),
            chosen=tuple(w.candidate for w in row.which if w.chosen), scope=self.scope(row.decided),
            missing=tuple(map(self.missing, row.missing)),
            cases=tuple(self.branch(b, edition) for b in row.cases), edition=edition if row.edition is not None else None,
            rested=Rest(row.grade, row.cites, row.also, row.needs, tuple(map(self.assumption, row.assumptions)), row.kin),
            turning=tuple(map(self.flip, row.flips or ())), not_tried=row.untried or 0,
            left_out=(row.untried or 0) if row.verdict == UNDETERMINED else 0,
            not_read=tuple(Unused(u.thing, u.fact, u.value, u.says, u.hint, u.about) for u in row.unused),
            against=tuple(map(self.against, row.overruled)),
        )  # fmt: skip

    def within(self, row: r.ProofRecord, case: c.Case, edition: InForce | None) -> Recorded:
        """A proof within this one, of a case of its own."""
        return Reader(self.theory, case, row, self).proof(row, edition)

    def branch(self, row: r.BranchRecord, edition: InForce | None) -> tuple[c.Fact, tuple[c.Edit, ...], Recorded]:
        """One of the two cases of reasoning by cases."""
        case, edits = self.case, self.edits(row.edits)
        for edit in edits:
            if edit.thing not in case.things:
                raise unreadable(f"there is no thing “{edit.thing}”")
            case = edit.apply(case)
        return self.fact(row.fact), edits, self.within(row.proof, case, edition)

    def number(self, text: str | None) -> Fraction | None:
        """A number, where there is one."""
        return None if text is None else exact(text)

    def defeat(self, row: r.DefeatRecord) -> Defeat:
        """Who lost to whom."""
        known = (
            p for p in self.theory.policy.principles if (p.name, p.cite, p.says) == (row.principle, row.cite, row.says)
        )
        principle = next(known, None) or m.Principle(row.principle, row.cite, row.says)
        return Defeat(self.tried(row.loser, row.on[0]), self.tried(row.winner, row.on[1]), principle)

    def scope(self, row: r.ScopeRecord) -> Scope:
        """How far the loaded rules decide it."""
        states = tuple((self.at(place), cls, rules) for place, cls, rules in row.states)
        return Scope(row.kind, row.needs, row.those, row.term, row.by, row.says, row.freed, states)

    def assumption(self, row: r.AssumptionRecord) -> Assumption:
        """What the answer rests on, that the case does not say."""
        return Assumption(self.fact(row.fact), row.kind, row.thing, row.term)

    def missing(self, row: r.MissingRecord) -> Missing:
        """A fact that would settle it."""
        yes, no = map(self.edits, row.edits)
        given = None if row.given is None else self.fact(row.given)
        return Missing(self.fact(row.fact), (yes, no), row.if_true, row.if_false, row.settles, row.rules, given)

    def flip(self, row: r.FlipRecord) -> Flip:
        """A change that turns it."""
        facts = tuple(map(self.fact, row.facts))
        reading = row.reading or ("", "")
        return Flip(
            row.kind, row.verdict, facts, row.norm or "", reading, self.edits(row.edits), self.number(row.value)
        )

    def against(self, row: r.OverruledRecord) -> Overruled:
        """A statement that norms are against."""
        things = [self.at(place) for place in row.of] or [self.at(-1)]
        role = None if row.relation is None else m.Role(row.relation, row.inverse)
        norms = tuple(map(self.norm, row.norms))
        return Overruled(things[0], row.cls or "", row.is_, norms, role, things[1] if len(things) > 1 else None)
