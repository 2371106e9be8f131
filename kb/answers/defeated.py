"""What did not decide an answer: norms that lost and exceptions tried, the nearest first, each with why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.answers.outline import Teller
from kb.answers.parts import RULE, Part, principle
from kb.language import norms as m, phrases
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome, Step

MOST_LOSERS = 5
SAYING = {
    m.PERMITS: "would allow it",
    m.FORBIDS: "would forbid it",
    m.REQUIRES: "would require it",
    m.WAIVES: "would excuse it",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A norm that did not decide: in one sentence why, with the steps, and how near it came (above 1: it applied)."""

    outcome: Outcome
    says: str
    why: str
    parts: tuple[Part, ...]
    near: float


def lost(proof: Proof, teller: Teller) -> Part:
    """Norms that would say otherwise or might have decided, the nearest first; the rest only counted."""
    found = losers(proof, teller)
    near = [r for r in found if r.near >= 0.25][:MOST_LOSERS]
    parts = [Part(f"{r.says}, {r.why}", r.parts, RULE) for r in near]
    if rest := len(found) - len(near):
        rules = list(dict.fromkeys(r.outcome.norm.rule for r in found if r not in near))
        names = ", ".join(rules[:6]) + (" …" if len(rules) > 6 else "")
        parts.append(Part(f"{rest} more norm{'s do' if rest > 1 else ' does'} not apply here ({names})"))
    return Part("LOST", tuple(parts))


def losers(proof: Proof, teller: Teller) -> list[Loser]:
    """Every norm considered that did not decide, the nearest first."""
    winning = {o.norm.id for o in proof.winners}
    found: list[Loser] = []
    seen: set[str] = set()
    beaten = [(d.loser, d.winner, d.principle) for d in proof.defeats if d.loser.norm.id not in winning]
    for outcome, winner, ground in beaten:
        if outcome.norm.id in seen:
            continue
        seen.add(outcome.norm.id)
        says = f"{teller.title(outcome.norm)} {saying(proof, outcome)}"
        if not proof.contributions:
            found.append(Loser(outcome, says, f"but {winner.norm.rule} beats it{principle(ground)}", (), 2.0))
    for outcome in proof.considered:
        if outcome.norm.id in winning | seen or outcome.status is None:
            continue
        seen.add(outcome.norm.id)
        says = f"{teller.title(outcome.norm)} {saying(proof, outcome)}"
        if outcome.exception is not None:
            unless, step = outcome.exception
            found.append(Loser(outcome, says, f"but its exception “{unless.label}” is met", teller.step(step), 1.5))
        elif outcome.status is False:
            step_ = outcome.when if outcome.when is not None and outcome.when.value is False else outcome.head
            if step_ is None:
                continue
            teller.focus = outcome.focus.label
            parts = teller.faults(step_)
            short = len(parts) <= 2
            why = f"but {'; '.join(q.text for q in parts)}" if short else "but not all that it asks is so"
            below = tuple(q for part in parts for q in part.parts) if short else parts
            found.append(Loser(outcome, says, why, below, nearness(outcome)))
        elif proof.verdict != p.UNDETERMINED:
            aside = (
                isinstance(outcome.norm.head, m.Relates) and not outcome.norm.head.negated and proof.verdict == p.FAILS
            )
            found.append(
                Loser(outcome, says, "but not to what is asked about" if aside else "but others outdo it", (), 1.0)
            )
    return sorted(found, key=lambda r: -r.near)


def saying(proof: Proof, outcome: Outcome) -> str:
    """What a norm would have done, had it not lost."""
    head = outcome.norm.head
    if isinstance(head, m.Deontic):
        return SAYING[head.mode]
    if isinstance(head, m.CountsAs):
        return "would count it so" if not head.negated else "would count it not so"
    return phrases.would(phrases.say_head(proof.theory.vocabulary, head))


def nearness(outcome: Outcome) -> float:
    """How much of what a norm asks was met before the first thing that was not: 0 to 1."""
    if outcome.when is None or outcome.when.value is not False:
        return 0.0
    return near(outcome.when)


def near(step: Step) -> float:
    """How nearly a condition was met: 0 not at all, 1 all but, by how far its parts were tried."""
    tried = [s for s in step.parts if isinstance(s, Step)]
    match step.node:
        case m.And(parts) if tried:
            at = next((i for i, q in enumerate(parts) if q is tried[0].node or q == tried[0].node), 0)
            return (at + near(tried[0])) / len(parts)
        case m.Except() if tried:
            return 0.9 if isinstance(tried[0].node, m.Not) else near(tried[0]) * 0.9
        case m.Or() if tried:
            return max(near(s) for s in tried)
        case m.Some() | m.Only() | m.Count():
            return 0.2 + 0.8 * max((near(s) for s in tried), default=0.0)
        case m.Not():
            return 0.7
        case m.Compare() | m.Flag():
            return 0.6
        case m.Named():
            return 0.5 if step.why in ("presumed", "counts-not") else 0.0  # a norm that unmakes it has its reasons
    return 0.0


def exceptions(proof: Proof, teller: Teller) -> Iterator[Part]:
    """Every labelled exception of a norm that decides or lost by it, met or not."""
    seen: set[tuple[str, str]] = set()
    shown = [*proof.winners, *(d.loser for d in proof.defeats), *(o for o in proof.considered if o.exception)]
    for outcome in shown:
        teller.focus = outcome.focus.label
        for unless, step in outcome.unless:
            key = (outcome.norm.id, unless.label)
            if key in seen:
                continue
            seen.add(key)
            cites = f" [{', '.join(unless.cites)}]" if unless.cites else ""
            verdict_ = {True: "met", False: "not met", None: "not known"}[step.value]
            # What meets an exception is told where the norm stands among those that lost.
            parts = () if step.value is True and outcome.exception is not None else teller.step(step)
            inline = f": {parts[0].text}" if len(parts) == 1 else ""
            below = parts[0].parts if len(parts) == 1 else parts
            yield Part(f"{outcome.norm.rule} {unless.label}{cites}: {verdict_}{inline}", below)
