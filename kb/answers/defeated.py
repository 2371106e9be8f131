"""What did not decide an answer: norms that lost and exceptions tried, the nearest first, each with why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.answers.outline import Teller
from kb.answers.parts import RULE, Part, principle
from kb.language import norms as m, phrases
from kb.language.english import STATE
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome, Step

MOST_LOSERS, MOST_DECISIVE = 5, 2
NEAR = 0.25  # how near a norm must have come to be told, and not only counted
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
    why: str
    parts: tuple[Part, ...]
    near: float


def lost(proof: Proof, teller: Teller) -> Part:
    """Norms that would say otherwise or might have decided, the nearest first; the rest only counted."""
    written = {o.norm.part_of for o in proof.winners} - {""}  # the other side of a test that is met is no rival
    found = [r for r in candidates(proof) if r.outcome.status is not False or r.outcome.norm.part_of not in written]
    found = [r for r in found if r.outcome.norm.id not in teller.told_lost]
    nearest = sorted(found, key=lambda r: -r.near)
    shown = [r for r in nearest if r.near >= NEAR][:MOST_LOSERS]
    told = {id(r): r.told(teller) for r in found if r in shown}
    parts = [Part(f"{says(proof, teller, r.outcome)}, {r.why}", r.parts, RULE) for r in (told[id(r)] for r in shown)]
    if rest := len(found) - len(shown):
        rules = list(dict.fromkeys(r.outcome.norm.rule for r in nearest if r not in shown))
        names = ", ".join(rules[:6]) + (" …" if len(rules) > 6 else "")
        parts.append(Part(f"{rest} more norm{'s do' if rest > 1 else ' does'} not apply here ({names})"))
    return Part("LOST", tuple(parts))


def decisive(proof: Proof, teller: Teller) -> Iterator[Part]:
    """The rules that would have made so what is presumed not to be, the nearest first, where it is known what was in their way, and that
    is not that they are about another kind of thing."""
    rows = [r for r in candidates(proof) if not r.why and makes(r.outcome.norm.head)]
    firm = [r for r in rows if r.step is not None and any(known(proof.theory.vocabulary, s) for s in bottom(r.step))]
    nearest = [r for r in sorted(firm, key=lambda r: -r.near) if r.near >= NEAR][:MOST_DECISIVE]
    for found in (r.told(teller) for r in nearest):
        teller.told_lost.add(found.outcome.norm.id)
        yield Part(f"{says(proof, teller, found.outcome)}, {found.why}", found.parts, RULE)


def bottom(step: Step) -> Iterator[Step]:
    """The steps by which a connective comes out as it does."""
    if isinstance(step.node, m.And | m.Or | m.Except | m.Not):
        for part in step.parts:
            if isinstance(part, Step):
                yield from bottom(part)
    else:
        yield step


def known(vocabulary: Vocabulary, step: Step) -> bool:
    """Whether a step tells what is known of a thing: a number, what it is related to, a state; not of what kind it is."""
    match step.node:
        case m.Compare():
            return True  # a number is told, whatever it is made of
        case m.Named(name):
            return not step.soft and STATE in vocabulary.classes[name].ancestors
    return not step.soft


def makes(head: m.Head) -> bool:
    """Whether a norm makes something so."""
    return (isinstance(head, m.CountsAs) and not head.negated) or (isinstance(head, m.Effect) and not head.ends)


def losers(proof: Proof, teller: Teller) -> list[Loser]:
    """Every norm considered that did not decide, the nearest first."""
    return sorted((r.told(teller) for r in candidates(proof)), key=lambda r: -r.near)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A norm that did not decide, not yet put into words. why: what is said of it; "": the steps by which it does not apply."""

    outcome: Outcome
    near: float
    why: str = ""
    step: Step | None = None

    def told(self, teller: Teller) -> Loser:
        """In words."""
        if self.why or self.step is None:
            with teller.tried(self.outcome):
                below = teller.step(self.step) if self.step is not None else ()
            return Loser(self.outcome, self.why, below, self.near)
        with teller.tried(self.outcome):
            parts = teller.faults(self.step) or teller.faults(self.step, True)
        short = len(parts) <= 2
        why = f"but {'; '.join(q.text for q in parts)}" if short else "but not all that it asks is so"
        return Loser(self.outcome, why, tuple(q for p in parts for q in p.parts) if short else parts, self.near)


def candidates(proof: Proof) -> list[Candidate]:
    """Every norm considered that did not decide, in the order in which they were tried."""
    winning = {o.norm.id for o in proof.winners}
    found: list[Candidate] = []
    seen: set[str] = set()
    for d in proof.defeats:
        if d.loser.norm.id not in winning | seen:
            seen.add(d.loser.norm.id)
            if not proof.contributions:
                why = f"but {d.winner.norm.rule} beats it{principle(d.principle)}"
                found.append(Candidate(d.loser, 2.0, why))
    for outcome in proof.considered:
        if outcome.norm.id in winning or outcome.norm.id in seen or outcome.status is None:
            continue
        seen.add(outcome.norm.id)
        if outcome.exception is not None:
            unless, step = outcome.exception
            found.append(Candidate(outcome, 1.5, f"but its exception “{unless.label}” is met", step))
        elif outcome.status is False:
            fault = outcome.when if outcome.when is not None and outcome.when.value is False else outcome.head
            if fault is not None:
                found.append(Candidate(outcome, nearness(outcome), step=fault))
        elif proof.verdict != p.UNDETERMINED:
            aside = (
                isinstance(outcome.norm.head, m.Relates) and not outcome.norm.head.negated and proof.verdict == p.FAILS
            )
            why = "but not to what is asked about" if aside else "but others outdo it"
            found.append(Candidate(outcome, 1.0, why))
    return found


def says(proof: Proof, teller: Teller, outcome: Outcome) -> str:
    """A norm, and what it would have done, had it not lost."""
    return f"{teller.title(outcome.norm)} {saying(proof, outcome)}"


def saying(proof: Proof, outcome: Outcome) -> str:
    """What a norm would have done, had it not lost."""
    head = outcome.norm.head
    if isinstance(head, m.Deontic):
        return SAYING[head.mode]
    if isinstance(head, m.CountsAs):
        return "would count it so" if not head.negated else "would count it not so"
    vocabulary = proof.theory.vocabulary
    head = phrases.called(head, phrases.of_norm(vocabulary, outcome.norm))
    return phrases.would(phrases.say_head(vocabulary, head))


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
        for unless, step in outcome.unless:
            key = (outcome.norm.id, unless.label)
            if key in seen:
                continue
            seen.add(key)
            cites = f" [{', '.join(unless.cites)}]" if unless.cites else ""
            verdict_ = {True: "met", False: "not met", None: "not known"}[step.value]
            # What meets an exception is told where the norm stands among those that lost.
            with teller.tried(outcome):
                parts = () if step.value is True and outcome.exception is not None else teller.step(step)
            inline = f": {parts[0].text}" if len(parts) == 1 else ""
            below = parts[0].parts if len(parts) == 1 else parts
            yield Part(f"{outcome.norm.rule} {unless.label}{cites}: {verdict_}{inline}", below)
