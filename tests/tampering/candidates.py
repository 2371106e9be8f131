"""Answers made of answers are falsified: which of several, and one case or the other."""

from __future__ import annotations

from kb.reasoner import reason as reasoner
from kb.reasoner.proof import Proof
from tests.tampering.parts import Tamper, alter_rest, replace


def which_less(x: Proof) -> bool:
    had, x.which = bool(x.which), x.which[1:]
    return had


def which_other(x: Proof) -> bool:
    if not x.which:
        return False
    names = [n for n, _ in x.which]
    x.chosen = tuple(n for n in names if n not in x.chosen) or names[:0]
    return True


def which_swapped(x: Proof) -> bool:
    """The proof of one candidate put in another's place."""
    if len({f.verdict for _, f in x.which}) < 2:
        return False
    (a, one), (b, two) = x.which[0], next(r for r in x.which if r[1].verdict != x.which[0][1].verdict)
    x.which = tuple((n, two if n == a else one if n == b else f) for n, f in x.which)
    return True


def lose_of_candidates(name: str) -> Tamper:
    return lambda x: bool(x.which and getattr(x, name)) and alter_rest(x, **{name: getattr(x, name)[1:]})


def same_branch_twice(x: Proof) -> bool:
    had, x.cases = bool(x.cases), (*x.cases[:1], *x.cases[:1])
    return had


def one_branch(x: Proof) -> bool:
    had, x.cases = bool(x.cases), x.cases[:1]
    return had


def other_branch(x: Proof) -> bool:
    """The second case is the proof of the first."""
    if not x.cases:
        return False
    (_, _, one), (text, edits, _) = x.cases
    x.cases = (x.cases[0], (text, edits, one))
    return True


def winners_of_no_branch(x: Proof) -> bool:
    if not x.cases or not x.winners:
        return False
    x.winners = x.winners[1:]
    return True


def candidate_with_more(x: Proof) -> bool:
    """A candidate is tried in a case where another fact is stated."""
    if not x.which:
        return False
    name, found = x.which[0]
    other = x.theory.vocabulary.classes
    state = next(c for c, t in other.items() if t.when_unstated == "absent" and not t.disjoint)
    changed = next(n for n, f in found.case.things.items() if x.case.things.get(n) != f or n == found.question.thing)
    facts = found.case.things[changed]
    case = replace(found.case, things={**found.case.things, changed: replace(facts, is_=(*facts.is_, state))})
    again = reasoner.answer(x.theory, case, False)
    x.which = ((name, again), *x.which[1:])
    return True


KINDS: dict[str, Tamper] = {
    "a candidate's assumption is dropped": lose_of_candidates("assumptions"),
    "a candidate's rule is dropped": lose_of_candidates("cites"),
    "one of two cases is dropped": one_branch,
    "one of two cases stands twice": same_branch_twice,
    "one case's proof stands for the other": other_branch,
    "what decides is of neither case": winners_of_no_branch,
    "a candidate is tried with another fact": candidate_with_more,
    "a candidate is dropped": which_less,
    "other candidates are chosen": which_other,
    "two candidates' proofs are swapped": which_swapped,
}  # fmt: skip
