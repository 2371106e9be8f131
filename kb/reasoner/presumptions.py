"""The presumption that a step of a proof makes: absence, a list that is all there is, a usual number, what one is not told."""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m
from kb.language.case import Absent, AbsentAtFirst, Amount, Flagged, IsA, Lists, OwnSide, RelatedToKind
from kb.reasoner.proof import Assumption
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Step


def presumption(situation: Situation, step: Step) -> Iterator[Assumption]:
    """The presumption that this very step makes, if it makes one that the case does not state: “and nothing else”."""
    node, x = step.node, step.thing
    if situation.case.nothing_else and not (step.why == "staged" or seen_as_own(situation, step)):
        return
    if step.why == "presumed":
        if isinstance(node, m.Named):
            now = situation.things.get(x.name)
            made = now is not None and node.name in now.kind.types
            absent = AbsentAtFirst if made else Absent
            yield Assumption(absent(x.name, x.label, node.name), "presumption", x.name, node.name)
        elif isinstance(node, m.Flag):
            yield Assumption(Flagged(x.name, x.label, node.name, False), "presumption", x.name, node.name)
    elif (
        isinstance(node, (m.Some, m.Only, m.Count))
        and not (isinstance(node, m.Some) and step.value)
        and step.value is not None
    ):
        # Of a thing as it stood before some act only its steps are left: its lists are looked up as they are now.
        now = situation.things.get(x.name, x)
        links = situation.successors(now, node.role.name, node.role.inverse)
        # Where those who did it stand now does not tell what it was done from: its steps do.
        prop = situation.vocabulary.properties[node.role.name]
        gone = not links.things and any(not situation.vocabulary.moving.isdisjoint(chain) for chain in prop.chains)
        before = now is not x and (gone or not any(getattr(q, "soft", False) for q in step.parts))
        open_ = links.perhaps if links.no_more and isinstance(node, m.Count) else {}
        if (links.presumed or open_ or before) and step.soft and step.why in ("none", "some", "only", "count"):
            perhaps = tuple(situation.things[name].label for name in open_)
            led = [q.thing for q in step.parts if isinstance(q, Step) and q.thing is not x] if gone else links.things
            listed = Lists(x.name, x.label, node.role, tuple(dict.fromkeys(t.label for t in led)), perhaps)
            yield Assumption(listed, "completeness", x.name, node.role.name)
    elif isinstance(node, m.Named) and step.why == "staged" and x.made is not None:
        owner, role, cls = x.made
        yield Assumption(RelatedToKind(owner.name, owner.label, role, cls), "staged", owner.name, role)
    elif step.why == "module" and step.soft and isinstance(node, m.Named):
        if seen_as_own(situation, step):
            yield Assumption(OwnSide(x.name), "presumption", x.name, node.name)
        else:
            yield Assumption(IsA(x.name, x.label, node.name, step.value), "completeness", x.name, node.name)
    elif step.why == "default" and isinstance(node, m.Path) and step.value is not None:
        usual = Amount(x.name, x.label, node.steps[-1], "=", step.value)
        yield Assumption(usual, "presumption", x.name, node.steps[-1])


def seen_as_own(situation: Situation, step: Step) -> bool:
    """Whether a step takes the acting unit for the asker's own: that is no absence of anything."""
    return isinstance(step.node, m.Named) and situation.vocabulary.classes[step.node.name].derived == "sides"
