"""Norms against norms: which side carries the day, by what each norm beats, and on which principle.

Team defeat: a side wins when each norm of the other side is beaten by one of its own. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from kb.language import norms as m
from kb.language.rule_number import sort_key
from kb.reasoner import proof as p
from kb.reasoner.trace import Defeat, Outcome
from kb.rulebook.theory import Theory, goes_over

HIGHER = "higher-number"  # the principle by which what stands later in a book is the stronger
DEMANDS = {m.REQUIRES: 1}  # a duty allows what it asks for, beside what does nothing else


def settle(
    theory: Theory, kind: str, pro: Sequence[Outcome], con: Sequence[Outcome], silence: str
) -> tuple[str, tuple[Outcome, ...], tuple[Defeat, ...]]:
    """Verdict, winners and defeats. Open norms are tried both ways; if that changes nothing they do not matter.

    silence: the verdict where no norm speaks.
    """
    sure_pro, sure_con = [o for o in pro if o.status], [o for o in con if o.status]
    doubtful = [o for o in (*pro, *con) if o.status is None]
    result = contest(theory, kind, sure_pro, sure_con, silence)
    if not doubtful:
        return result
    # Who wins does so with more on its own side, and with fewer on the other, so that the extremes tell of all between.
    for ours, theirs in product((sure_pro, pro), (sure_con, con)):
        if carried(theory, kind, ours, theirs, silence)[0] != result[0]:
            return p.UNDETERMINED, (), ()
    return result


def contest(
    theory: Theory, kind: str, pro: Sequence[Outcome], con: Sequence[Outcome], silence: str
) -> tuple[str, tuple[Outcome, ...], tuple[Defeat, ...]]:
    """Team defeat: a side wins when each norm of the other side is beaten by one of its own."""
    verdict, winners, defeats = carried(theory, kind, pro, con, silence)
    return verdict, winners if verdict == p.CONFLICT else ranked(theory, winners), defeats


def carried(
    theory: Theory, kind: str, pro: Sequence[Outcome], con: Sequence[Outcome], silence: str
) -> tuple[str, tuple[Outcome, ...], tuple[Defeat, ...]]:
    """The same without an order among the winners."""
    if not pro and not con:
        return silence, (), ()
    pro_wins, pro_defeats = beats_all(theory, pro, con)
    con_wins, con_defeats = beats_all(theory, con, pro)
    if pro and pro_wins and not (con and con_wins):
        return (p.PERMITTED if kind == "may" else p.REQUIRED), tuple(pro), pro_defeats
    if con and con_wins and not (pro and pro_wins):
        modes = {o.norm.head.mode for o in con if isinstance(o.norm.head, m.Deontic)}
        return p.FORBIDDEN if m.FORBIDS in modes else p.PERMITTED, tuple(con), con_defeats
    return p.CONFLICT, (*pro, *con), (*pro_defeats, *con_defeats)


def beats_all(theory: Theory, ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> tuple[bool, tuple[Defeat, ...]]:
    """Whether each of theirs is beaten by one of ours, and who beats whom on which principle."""
    defeats = []
    for t in theirs:
        for o in ours:
            principle = theory.stronger(o.norm, t.norm)
            if principle is not None:
                defeats.append(Defeat(t, o, principle))
                break
    return len(defeats) == len(theirs), tuple(defeats)


def ranked(theory: Theory, winners: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Winners, the one that decides first: not one that another goes over, that only sets a condition to what others allow, or asks for
    more than is asked; a permission that takes a bar away before others; then those that are the stronger by the book's own
    principles; then the later in the book, where the later is the stronger; then the firm before the presumed."""
    if len(winners) < 2:
        return tuple(winners)
    mildest = min(DEMANDS.get(mode_of(o), 0) for o in winners)
    later = any(principle.name == HIGHER for principle in theory.policy.principles)

    def rank(o: Outcome) -> tuple[bool, bool, bool, int]:
        norm, mode = o.norm, mode_of(o)
        over = any(w is not o and goes_over(w.norm, norm) for w in winners)  # a name may take in its own norm
        aside = DEMANDS.get(mode, 0) > mildest or (mode == m.PERMITS and f"{norm.id}-not" in theory.norms)
        usual = mode == m.PERMITS and not (norm.lifts or norm.excepts or norm.over)
        return over, aside, usual, -sum(theory.stronger(norm, w.norm) is not None for w in winners)

    found = sorted(winners, key=lambda o: o.soft)
    if later:
        found.sort(key=lambda o: sort_key(o.norm.rule), reverse=True)
    return tuple(sorted(found, key=rank))


def mode_of(o: Outcome) -> str:
    """What a norm does to an act; "" where it is of none."""
    return o.norm.head.mode if isinstance(o.norm.head, m.Deontic) else ""


def outdone(theory: Theory, considered: Iterable[Outcome], winners: Sequence[Outcome]) -> Iterator[Defeat]:
    """Constitutive norms that applied but did not carry the day, each with the winner that is stronger."""
    for o in considered:
        if o.status and o not in winners:
            for w in winners:
                principle = theory.stronger(w.norm, o.norm)
                if principle is not None:
                    yield Defeat(o, w, principle)
                    break
