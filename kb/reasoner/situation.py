"""A case staged against a theory: things with closed types, and what follows of membership, relations and numbers.

A Situation is Staged things, with Relations, Memberships, and here norms and numbers, each built on the one before.
Everything is three-valued and returns a Step, which says what was found and why. Results are remembered, so a
Situation answers many questions about the same facts quickly. Nothing here reads files or clocks.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from kb.language import norms as m
from kb.reasoner import quantities
from kb.reasoner.at_first import Tried
from kb.reasoner.evaluate import plan
from kb.reasoner.memberships import Memberships
from kb.reasoner.staging import class_node
from kb.reasoner.trace import Caused, Outcome, Step, Thing


class Situation(Memberships):
    """One staged case, whatever is asked of it. `member`, `successors`, `quantity` and `outcome` are the questions everything
    reduces to. passing: which of the states that norms have made are over with an event."""

    passing: Callable[[Situation, Thing], list[Caused]] = staticmethod(lambda situation, event: [])

    # ── norms ──

    def outcome(self, norm: m.Norm, x: Thing) -> Outcome:
        """Whether a norm applies to x: its focus, its condition, and each of its exceptions."""
        found = x.outcomes.get(norm.id)
        if found is not None:
            return found
        subject, tried, each = plan(self.theory, norm)
        if subject and not (self.one_of(x, subject) if each else self.focus(x, subject) is not False):
            if self.effort is not None:
                self.effort.spend()
            if self.theory.tried is not None:
                self.theory.tried.setdefault(norm.id, [])
            other = Step(class_node(subject), x, False, "other-kind", (), False)
            found = x.outcomes[norm.id] = Outcome(norm, x, False, other, None, (), {"this": x}, False)
            return found
        met = self.begin(x.outcomes, norm.id)
        if met is not None:
            return met or Outcome(norm, x, False, None, None, (), {"this": x}, False)
        found = tried(self, x)
        if self.theory.tried is not None:
            self.theory.tried.setdefault(norm.id, []).append(found)
        return self.finish(x.outcomes, norm.id, found)  # type: ignore[no-any-return]

    def deontic(self, x: Thing, question: str) -> list[tuple[Tried, int]]:
        """The norms that can speak of an act in a question of what may or must be done, ready to be tried on it, each with
        its side. Nothing rests on what they say, so no circle is watched for."""
        theory = self.theory
        found = x.kind.deontic.get(question)
        if found is None:
            norms = theory.deontic_of(x.kind, question)
            ids = frozenset(n.id for n, _ in norms)
            found = x.kind.deontic[question] = (ids, [(plan(theory, n)[1], side) for n, side in norms])
        if theory.tried is not None:
            theory.tried |= {name: theory.tried.get(name, []) for name in found[0]}
        return found[1]

    # ── numbers ──

    def quantity(self, x: Thing, name: str, without: frozenset[str] = frozenset()) -> Step:
        """A number of x, with every contribution to it; value None when it is not known."""
        key = (x.name, name, without)
        found = self.quantities.get(key)
        if found is not None:
            return found
        met = self.begin(self.quantities, key)
        if met is not None:
            return met or Step(quantities.node(name), x, None, "circular", (), False)
        return self.finish(self.quantities, key, quantities.worked_out(self, x, name, without))  # type: ignore[no-any-return]


def apart(staged: Situation) -> Situation:
    """The same situation to look around in: what the walk finds, or makes up on its way, is not found by others."""
    fresh = Situation(staged.theory, staged.case, staged.now)
    fresh.done, fresh.past = staged.done, staged.past
    for name, thing in staged.things.items():
        twin = fresh.things.get(name)
        if twin is not None:
            twin.kind, twin.plain, twin.ended = thing.kind, thing.plain, thing.ended
            twin.caused, twin.pending, twin.spared = thing.caused, thing.pending, thing.spared
    if staged.now is staged.case and not any(thing.tied or thing.loose for thing in staged.things.values()):
        lend(staged, fresh)
    return fresh


def lend(staged: Situation, fresh: Situation) -> None:
    """What was found of the relations of things, but for what leads to something that was made up."""
    things = fresh.things
    for name, twin in things.items():
        for key, links in staged.things[name].linked.items():
            if links is None:
                continue
            if not (links.things or links.barred or links.perhaps):
                twin.linked[key] = links
            elif all(n in things for found in (links.why, links.barred, links.perhaps) for n in found):
                to = tuple([things[y.name] for y in links.things])
                twin.linked[key] = replace(links, things=to)
