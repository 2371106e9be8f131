"""The presumption that a step of a proof makes: absence, a list that is all there is, a usual number, what one is not told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.language import english, norms as m, phrases
from kb.reasoner.proof import Assumption, shown
from kb.reasoner.trace import Step

if TYPE_CHECKING:
    from kb.reasoner.situation import Situation


def presumption(situation: Situation, step: Step) -> Iterator[Assumption]:
    """The presumption that this very step makes, if it makes one that the case does not state: “and nothing else”."""
    node, x = step.node, step.thing
    if situation.case.nothing_else and not (step.why == "staged" or seen_as_own(situation, step)):
        return
    if step.why == "presumed":
        if isinstance(node, m.Named):
            said = english.say_absent(situation.vocabulary, x.label, node.name)
            yield Assumption(said, "presumption", x.name, node.name)
        elif isinstance(node, m.Flag):
            said = english.say_flag(situation.vocabulary, node.name, x.label, False)
            yield Assumption(said, "presumption", x.name, node.name)
    elif (
        isinstance(node, (m.Some, m.Only, m.Count))
        and not (isinstance(node, m.Some) and step.value)
        and step.value is not None
    ):
        # Of a thing as it stood before some act only its steps are left: its lists are looked up as they are now.
        now = situation.things.get(x.name, x)
        links = situation.successors(now, node.role.name, node.role.inverse)
        before = now is not x and not any(getattr(q, "soft", False) for q in step.parts)
        open_ = links.perhaps if links.no_more and isinstance(node, m.Count) else {}
        if (links.presumed or open_ or before) and step.soft and step.why in ("none", "some", "only", "count"):
            names = english.series([t.label for t in links.things])
            only = f"{names} and nothing else" if links.things else "nothing"
            if open_:
                only += f" but, maybe, {english.series([situation.things[n].label for n in open_], 'or')}"
            said = english.say_link(situation.vocabulary, node.role, x.label, only)
            if not links.things and not open_ and phrases.predicate_of(situation.vocabulary, node.role):
                # `unit does not carry anything`: the verb says it more plainly than `carries nothing`.
                said = english.say_link(situation.vocabulary, node.role, x.label, "anything", False)
                label = situation.vocabulary.properties[node.role.name].label
                if english.loose(label) is None and not label.startswith("has "):
                    said = f"no {label} of {x.label} is named"
            yield Assumption(said, "completeness", x.name, node.role.name)
    elif isinstance(node, m.Named) and step.why == "staged" and x.made is not None:
        owner, role, cls = x.made
        there = english.say_link(
            situation.vocabulary, m.Role(role), owner.label, english.noun(situation.vocabulary.classes[cls])
        )
        yield Assumption(f"{there}, not named in the case", "staged", owner.name, role)
    elif step.why == "module" and step.soft and isinstance(node, m.Named):
        if situation.vocabulary.classes[node.name].derived == "sides":
            yield Assumption("the acting unit is on the asker's side", "presumption", x.name, node.name)
        else:
            said = english.say_class(situation.vocabulary, x.label, node.name, step.value)
            yield Assumption(f"{said}, if all there is to it is named", "completeness", x.name, node.name)
    elif step.why == "default" and isinstance(node, m.Path) and step.value is not None:
        prop = situation.vocabulary.properties[node.steps[-1]]
        yield Assumption(
            f"{prop.label} of {x.label} is {shown(step.value)}, nothing said otherwise",
            "presumption",
            x.name,
            prop.name,
        )


def seen_as_own(situation: Situation, step: Step) -> bool:
    """Whether a step takes the acting unit for the asker's own: that is no absence of anything."""
    return isinstance(step.node, m.Named) and situation.vocabulary.classes[step.node.name].derived == "sides"
