"""What would settle an open answer: small edits of the case, tried for real. What turns a settled one is in kb.reasoner.flips.

Every candidate edit comes from a step of the proof, is applied to the case, and the question is asked again. What is
reported is what the reasoner then said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from kb.errors import LoopholeError
from kb.language import norms as m
from kb.language.case import (
    Amount,
    Case,
    Edit,
    Fact,
    Flagged,
    IsA,
    LeadsTo,
    Question,
    Reaches,
    Related,
    RelatedToKind,
    brought_about,
)
from kb.reasoner import untold
from kb.reasoner.abduction import atoms
from kb.reasoner.proof import IMPOSSIBLE, UNDETERMINED, Proof
from kb.reasoner.situation import Situation
from kb.reasoner.staging import TooLong as TooLong
from kb.reasoner.trace import Missing
from kb.reasoner.trials import Trials as Trials
from kb.rulebook.theory import Theory

MOST_SAMPLES = 2

# What knows beforehand what variants of a case come to, each maybe without a norm, or with a change that a rule asks for; None where it does not.
Sieve = Callable[..., Sequence[str | None]]


def asked_each(
    theory: Theory, cases: Sequence[Case], struck: Sequence[str] = (), most: int = 0, rules: Sequence[str] = ()
) -> Sequence[str | None]:
    """A sieve that knows nothing."""
    return (None,) * len(cases)


def consistent(situation: Situation, edits: Iterable[Edit]) -> bool:
    """Whether the classes that edits state of each thing can hold together."""
    classes = situation.vocabulary.classes
    case = situation.case
    try:
        for edit in edits:
            case = edit.apply(case)
    except KeyError:
        return False
    for name, facts in case.things.items():
        for a in facts.is_ if facts is not situation.case.things.get(name) else ():
            term = classes[a]
            if any(b in term.disjoint for b in facts.is_) or any(n in term.ancestors for n in facts.not_):
                return False
    return True


def said(found: Proof) -> str:
    """An answer as one comparable string: verdict, value, effects."""
    made = [(c.thing, c.cls, "") for c in found.effects]
    known = [(c, c.value.value) for c in found.shifts if c.value is not None and c.value.value is not None]
    made += [(c.thing, f"{c.quantity} {c.op} {value}", "") for c, value in known]
    made += [(t.thing, f"{t.role} {'ends' if t.ends else 'causes'}", t.to) for t in found.ties]
    if made:
        return brought_about(found.case, made)
    return found.answer if found.verdict == "value" else found.verdict


def asks_back(question: Question, fact: Fact) -> bool:
    """Whether a missing fact is what an `is` question asks: to ask it back helps nobody who can tell more."""
    if question.kind != "is" or fact.thing != question.thing:
        return False
    asked = question.condition
    while isinstance(asked, m.Not):
        asked = asked.of
    match asked, fact:
        case m.Named(name), IsA(cls=cls):
            return cls == name
        case m.Flag(name), Flagged(flag=flag):
            return flag == name
        case m.HasValue(role, target), Related(role=told, to=to):
            return (role, str(target)) == (told, to)
        case m.Some(role, m.Named(name)), RelatedToKind(role=word, cls=cls):
            return (role, name) == (m.Role(word), cls)
        case m.Some(role, filler), Reaches(role=told, filler=wanted):
            return (role, filler) == (told, wanted)
    return False


def speaks_of_more(fact: Fact) -> bool:
    """Whether a fact says of what a relation leads to how it stands to another thing of a norm, of which the edits know nothing."""
    return isinstance(fact, Reaches) and bool(m.unbound(fact.filler) or m.speaks_of(fact.filler, "this"))


def either_way(found: Proof, situation: Situation, most: int) -> bool:
    """Whether an open answer may be the same whichever way an open fact falls, so that it is tried."""
    return any(untold.asked(o) for o in found.open) or any(
        atom.whole and atom.otherwise is not None
        for atom in atoms(situation, [*found.open], unknown=True, most=most)
    )  # fmt: skip


def settle(
    found: Proof, situation: Situation, most: int, trials: Trials, missing: bool = True, sieve: Sieve = asked_each
) -> Proof:
    """An open answer with the facts that it misses, ranked; an answer that is the same either way is no longer open. What takes too long
    to try is left out, and counted.

    With `missing` false the facts are not told, and only those are tried by which it may be the same either way. sieve: what knows of
    some facts beforehand that they leave it open.
    """
    try:
        now = settled(found, situation, most, trials, missing, sieve)
    except TooLong:  # not even what it turns on could be told
        return replace(found, left_out=trials.untried)
    return replace(now, left_out=0 if now.cases else trials.untried)


def settled(found: Proof, situation: Situation, most: int, trials: Trials, missing: bool, sieve: Sieve) -> Proof:
    """The same. Raises TooLong where it cannot be told what an answer turns on."""
    theory = found.theory
    rows: list[Missing] = []
    roots: list[object] = [*found.open]
    halves: list[tuple[Fact, tuple[Edit, ...]]] = []
    roles = tuple(role for role in map(untold.asked, found.open) if role)
    if roles:  # what silence on them would have answered is what it turns on
        act = situation.things[found.question.thing]
        withdrawn = untold.withdrawn(found.case, act.name, untold.untold(situation, act))
        withheld, situation = trials.decided(theory, withdrawn)
        roots = [*withheld.open]
    wanted = [
        atom for atom in atoms(situation, roots, unknown=True, most=most)
        if missing or (atom.whole and atom.otherwise is not None)
    ]  # fmt: skip
    changes = [edits if consistent(situation, edits) else () for atom in wanted for edits in (atom.true, atom.false)]
    seen = foreseen(theory, found.case, changes, sieve, trials.left)
    for n, atom in enumerate(wanted):
        outcomes: list[Proof | str | None] = []
        try:
            for edits, then in zip(changes[2 * n : 2 * n + 2], seen[2 * n : 2 * n + 2], strict=True):
                asked = then if then == UNDETERMINED else trials.after(theory, found.case, edits) if edits else None
                outcomes.append(asked)
        except TooLong:
            continue
        yes, no = (IMPOSSIBLE if o is None else said(o) if isinstance(o, Proof) else o for o in outcomes)
        settles = UNDETERMINED not in (yes, no) and (yes != no or not atom.whole)
        if settles and yes == no and speaks_of_more(atom.fact):
            continue  # what was tried does not meet what it says
        rows.append(Missing(atom.fact, (atom.true, atom.false), yes, no, settles, (atom.rule,) if atom.rule else ()))
        if None in outcomes or not (atom.whole and atom.otherwise is not None):
            continue
        if isinstance(atom.fact, IsA) and atom.fact.cls in theory.becoming and found.case.history:
            continue  # so from the start or not: that it came to be so is neither
        one, other = outcomes
        whole = not any(
            isinstance(o, Proof) and o.verdict == UNDETERMINED for o in outcomes
        )  # effects may be told beside what is open
        if yes == no and isinstance(one, Proof) and isinstance(other, Proof) and whole:
            # decided whichever way the open fact falls: reasoning by cases
            same = ("verdict", "value", "winners", "considered", "defeats", "effects", "scope")
            either = ((atom.fact, atom.true, one), (atom.otherwise, atom.false, other))
            return replace(found, **{name: getattr(one, name) for name in same}, open=(), cases=either)
        if (yes == UNDETERMINED) != (no == UNDETERMINED):
            halves.append((atom.fact, atom.true) if yes == UNDETERMINED else (atom.otherwise, atom.false))
    if not missing:
        return found
    # What the case itself says is not known is asked for, where it settles the answer; not what else would tell it.
    rows = ranked(found.question, [r for r in rows if r.settles and said_unknown(found.case, r.fact)] or rows)
    if not any(r.settles for r in rows):
        with suppress(TooLong):
            more = further(theory, found.case, halves[:1], {r.fact for r in rows}, trials)
            rows += [r for r in more if not asks_back(found.question, r.fact)]
    if roles:
        samples = sorted(rows, key=lambda r: r.said(theory.vocabulary).count(" "))[
            :MOST_SAMPLES
        ]  # whatever things are called
        rows = [*itself_asked(found, situation, roles, rows), *samples]
    return replace(found, missing=tuple(rows))


def ranked(question: Question, rows: list[Missing]) -> list[Missing]:
    """Missing facts, those that settle the answer first, without those that another asks for better."""
    rows = [r for r in rows if not asks_back(question, r.fact)] or rows
    # Where a number is asked for beside what it stands to, that is enough.
    measured = {number_of(r.fact) for r in rows if isinstance(r.fact, Amount) and r.fact.op}
    rows = [r for r in rows if not (isinstance(r.fact, Amount) and not r.fact.op and number_of(r.fact) in measured)]
    # Of numbers of which each by itself settles the same, one made of the next, the innermost is enough: it is told last.
    alone = {(r.if_true, r.if_false): r.fact for r in rows if r.settles and free(r.fact)}
    rows = [r for r in rows if not (r.settles and free(r.fact)) or alone[r.if_true, r.if_false] == r.fact]
    # Of a fact that one norm asks for and another denies, the plain side is enough.
    turned = [(r.edits[1], r.edits[0]) for r in rows if plain(r.fact)]
    rows = [r for r in rows if plain(r.fact) or r.edits not in turned]
    return sorted(rows, key=lambda r: (not r.settles, (r.if_true == UNDETERMINED) + (r.if_false == UNDETERMINED)))


def said_unknown(case: Case, fact: Fact) -> bool:
    """Whether a case says that it is not known."""
    facts = case.things.get(fact.thing)
    word = fact.quantity if isinstance(fact, Amount) else fact.cls if isinstance(fact, IsA) else ""
    return facts is not None and word in facts.unknown


def free(fact: Fact) -> bool:
    """Whether a fact asks for a number, and not how it stands to a limit."""
    return isinstance(fact, Amount) and not fact.op


def number_of(fact: Amount) -> tuple[str, str]:
    """Which number a fact is about."""
    return fact.thing, fact.quantity


def plain(fact: Fact) -> bool:
    """Whether a fact says that something is so, and not that it is not."""
    return fact.op != "!=" if isinstance(fact, Amount) else getattr(fact, "so", True)


def itself_asked(found: Proof, situation: Situation, roles: tuple[str, ...], rows: list[Missing]) -> Iterator[Missing]:
    """The relation that an act must be told with, asked for by its word; with the sample that shows best what turns on it."""
    act = situation.things[found.question.thing]
    best = sorted(rows, key=lambda r: not (r.settles and r.if_true != r.if_false))
    for row in [r for r in best if all(r.edits)][:1]:
        asked = LeadsTo(act.name, act.label, roles[0])
        yield Missing(asked, row.edits, row.if_true, row.if_false, row.settles)


def further(
    theory: Theory, case: Case, halves: list[tuple[Fact, tuple[Edit, ...]]], told: set[Fact], trials: Trials
) -> Iterator[Missing]:
    """What else is missing where a fact settles an answer one way only: the facts asked for if it falls the other way."""
    for condition, before in halves:
        other = case
        for edit in before:
            other = edit.apply(other)
        found, situation = trials.decided(theory, other)
        for atom in atoms(situation, [*found.open], unknown=True):
            if atom.fact in told or not (atom.true and atom.false):
                continue
            try:
                tried = [
                    trials.after(theory, other, edits) if consistent(situation, edits) else None
                    for edits in (atom.true, atom.false)
                ]
            except TooLong:
                continue
            yes, no = (said(o) if o is not None else IMPOSSIBLE for o in tried)
            if IMPOSSIBLE not in (yes, no) and yes != no:
                edits = (*before, *atom.true), (*before, *atom.false)
                rules, settles = (atom.rule,) if atom.rule else (), UNDETERMINED not in (yes, no)
                yield Missing(atom.fact, edits, yes, no, settles, rules, condition)


def foreseen(
    theory: Theory, case: Case, changes: Sequence[Sequence[Edit]], sieve: Sieve, most: int, struck: Sequence[str] = (),
    rules: Sequence[str] = (),
) -> Sequence[str | None]:  # fmt: skip
    """What a case comes to after each of some changes, and then without each of some norms, where the sieve knows. rules: those that the
    changes come from."""
    cases: list[Case] = []
    places: list[int] = []
    for number, edits in enumerate(changes):
        with suppress(KeyError, LoopholeError):
            other = case
            for edit in edits:
                other = edit.apply(other)
            if edits:
                cases.append(other)
                places.append(number)
    without_any = [""] * len(cases)
    come = [rules[number] for number in places] if rules else []
    places += range(len(changes), len(changes) + len(struck))
    known: list[str | None] = [None] * (len(changes) + len(struck))
    found = sieve(theory, [*cases, *(case for _ in struck)], [*without_any, *struck], most, come)
    for number, then in zip(places, found, strict=True):
        known[number] = then
    return known


def in_dispute(theory: Theory, dispute: str, option: str) -> tuple[list[m.Norm], list[m.Norm]]:
    """The norms of a theory that another reading has not, and those that it has in their place."""
    return theory.adopted.get(dispute, []), theory.disputed[dispute][option]


def readings(theory: Theory) -> dict[str, list[str]]:
    """The disputes of a theory and their options, the adopted one first."""
    return {dispute: list(options) for dispute, options in theory.disputed.items()}
