"""A proof's steps as nested sentences: what kb.answers.explain prints, the pages show and the command line draws.

Nothing is decided here; every Part says what one step of the proof found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kb.answers.numbers import Numbers
from kb.answers.parts import FACT, IMPLIED, OPEN, PRESUMED, RULE, TRITE, Part, kinds, merged, plain, unsaid
from kb.language import english, norms as m, phrases
from kb.reasoner import kind_rules
from kb.reasoner.trace import (
    UNSAID,
    ByNorm,
    Chained,
    Contribution,
    Implied,
    Outcome,
    Reached,
    Stated,
    Step,
    Thing,
    WorkedOut,
)


class Teller(Numbers):
    """Tells steps: norms, conditions, memberships and relations; the class above it, numbers."""

    # ── norms ──

    def norm(self, outcome: Outcome) -> tuple[Part, ...]:
        """Why a norm applies, or what it does not say, down to the facts."""
        parts: list[Part] = []
        with self.tried(outcome):
            if outcome.head is not None and not plain(outcome.head):
                parts += self.step(outcome.head)
            if outcome.when is not None:
                parts += self.step(outcome.when)
            for unless, step in outcome.unless:
                if step.value is not False:
                    said = f"exception “{unless.label}”: {'met' if step.value else 'not known'}"
                    parts.append(Part(said, self.step(step)))
        return merged(parts)

    def related(self, outcome: Outcome, *other: Step) -> tuple[Part, ...]:
        """Why a norm relates two things, or bars that: the norm, and what the other is, as seen from what the norm was tried on."""
        told = self.named(outcome)
        with self.tried(outcome):
            return (told, *merged([q for s in other for q in self.step(s)]))

    def barred(self, step: Step) -> tuple[Part, ...]:
        """Why something is not related to another by rules: each with what the other is."""
        at = [i for i, q in enumerate(step.parts) if isinstance(q, Outcome)]
        rows = zip(at, (*at[1:], len(step.parts)), strict=True)
        return tuple(q for i, end in rows for q in self.related(step.parts[i], *step.parts[i + 1 : end]))

    def named(self, outcome: Outcome, says: str = "") -> Part:
        """A norm: its title and what it says, the sentences it encodes, and the facts that meet it."""
        title = self.title(outcome.norm)
        with self.tried(outcome):
            said = says or f"{title}: {phrases.say_head(self.vocabulary, self.spoken(outcome.norm.head))}"
        if outcome.status is None and not says:
            said += ", if it applies"
        if outcome.status is False and not says:
            said += ", but does not apply"
        if outcome.norm.id in self.told:
            return Part(f"{said} (see above)", kind=RULE)
        self.told.add(outcome.norm.id)
        return Part(said, (*self.sentences(outcome.norm), *self.norm(outcome)), RULE)

    def faults(self, step: Step, trite: bool = False) -> tuple[Part, ...]:
        """The plain sentences at the bottom of a condition that is not met: what was in the way. trite: also what says no more than the
        names do (`train is a train`): where nothing else is in the way, that is."""
        tried = [q for q in step.parts if isinstance(q, Step)]
        match step.node:
            case m.Or():  # what is said of another kind of act is told only where nothing is said of this one
                own = [s for s in tried if not aside(s)] or tried
                return merged([q for s in own for q in self.faults(s, trite)])
            case m.And() | m.Except() | m.Not():
                self.name(step)
                return merged([q for s in tried for q in self.faults(s, trite)])
            case m.Some() if len(tried) == 1 and step.value is False and "." not in tried[0].thing.name:
                self.name(step)
                return self.faults(tried[0], trite)
            case m.Named() if step.why in ("defined", "inferred") and tried:
                return merged([q for s in tried for q in self.faults(s, trite)])
            case m.Named(name) if trite:
                return (replace(self.member(step, name), kind=FACT),)
        return self.step(step)

    # ── steps ──

    def step(self, step: Any) -> tuple[Part, ...]:
        """The sentences for one step."""
        if isinstance(step, Outcome):
            return (self.named(step),)
        if isinstance(step, Contribution):
            return (self.contribution(step),)
        if isinstance(step, Reached):
            return ()
        self.name(step)
        node = self.spoken(step.node)
        match node:
            case m.And() | m.Except() | m.Or() | m.Not():
                found = [p for s in self.telling(step) for p in self.step(s)]
                return merged(found)
            case m.Named():
                return merged([self.member(step, node.name)])
            case m.Some() | m.Only() | m.HasValue():
                return self.restriction(step)
            case m.Count():
                return (self.count(step, node),)
            case m.Same(target):
                said = phrases.say_path(self.vocabulary, target, self.focus)
                verb = "is" if step.value else "is not" if step.value is False else "may be"
                return (Part(f"{step.thing.label} {verb} {said}", kind=TRITE if said == step.thing.label else FACT),)
            case m.Flag(name, value):
                return (self.flag(step, name, value),)
            case m.Compare():
                return (self.compare(step, node),)
            case m.Anything():
                return ()
        return self.number(step)

    def telling(self, step: Step) -> Iterator[Step]:
        """The parts of a connective that bear its value out."""
        parts = [s for s in step.parts if isinstance(s, Step)]
        if step.value is None:
            yield from (s for s in parts if s.value is None)
        else:
            yield from parts

    # ── membership ──

    def member(self, step: Step, cls: str) -> Part:
        """`squad is infantry: a squad is an MMC, an MMC is infantry`."""
        x, classes = step.thing, self.vocabulary.classes
        if step.value is None:
            said = f"not known: whether {english.say_class(self.vocabulary, x.label, cls)}"
            return Part(said, tuple(p for s in step.parts for p in self.step(s)), OPEN)
        said = english.say_class(self.vocabulary, x.label, cls, bool(step.value))
        predicate = english.complement(classes[cls])
        merge = ("", "")
        if predicate.startswith("is "):
            merge = (f"{x.label} is {'' if step.value else 'not '}", predicate.removeprefix("is "))
        alone = step.why in ("stated", "denied", "presumed")  # nothing is shown beneath, nor counts as told “above”
        below = () if alone else tuple(p for s in bearing(step) for p in self.step(s))
        source = x.kind.source.get(cls, "")
        match step.why:
            case "stated" | "denied":
                return Part(said, (), TRITE if x.label in (cls, classes[cls].label) else FACT, *merge)
            case "presumed":
                return Part(f"{said} (presumed)", (), PRESUMED, *merge, " (presumed)")
            case "staged" | "inferred" if not below:
                way = english.say_chain(self.vocabulary, source, cls) if source in classes and source != cls else ""
                if way and (rule := kind_rules.rule(self.theory, source, cls)):
                    way += f" ({rule})"
                if step.why == "staged":
                    return Part(f"{said} ({'; '.join(filter(None, ['implied', way]))})", (), IMPLIED)
                return Part(f"{said}: {way}" if way else said, (), FACT)
            case "disjoint":
                if source.startswith(m.NO_MORE):
                    return Part(f"{said} any more, by what has happened", below, FACT)
                note = f": it {english.complement(classes[source])}" if source in classes else ""
                return Part(f"{said}{note}", (), FACT, *merge, note)
            case "module":
                apart = self.apart(step, classes[cls].derived) if step.value is False else ()
                return Part(said, apart, FACT, *(("", "") if apart else merge))
            case "effect":
                return Part(f"{said}, by what has happened", below, FACT)
            case "counts" | "counts-not":
                return Part(f"{said}, for the rules count it so", below, FACT)
            case "defined" | "inferred":
                return Part(said, below, FACT)
        return Part(said, below, FACT)

    def apart(self, step: Step, derived: str) -> tuple[Part, ...]:
        """The places of a group that does not hang together: each that is joined to no other one."""
        kind, *names = derived.split()
        if kind != "groups" or len(names) < 4:
            return ()
        members, place, link = names[1:4]

        def led(x: Thing, name: str) -> list[Thing]:
            found = x.linked.get(name)
            return list(found.things) if found is not None else []

        spots = {z.name: z for y in led(step.thing, members) for z in led(y, place)}
        parts: list[Part] = []
        for z in spots.values():
            others = [] if parts and len(spots) == 2 else [w for w in spots.values() if w is not z]
            if others and not any(w in led(z, link) or z in led(w, link) for w in others):
                there = english.series([w.label for w in others], "or")
                parts.append(Part(english.say_link(self.vocabulary, m.Role(link), z.label, there, False), (), FACT))
        return tuple(parts)

    # ── relations ──

    def restriction(self, step: Step) -> tuple[Part, ...]:
        """Some, only and value: the links that bear them out, each with what is at its end."""
        node, x = self.spoken(step.node), step.thing
        role: m.Role = node.role
        reached = next((p for p in step.parts if isinstance(p, Reached)), None)
        tried = [p for p in step.parts if isinstance(p, Step)]
        phrase = english.role_phrase(self.vocabulary, role, x.label)
        if isinstance(node, m.HasValue):
            begins = x.label if not node.target.root else self.focus
            target = phrases.say_path(self.vocabulary, node.target, begins)
            if step.end is not None:
                target = step.end.label
            if reached is not None:
                return (self.link(role, x, reached, ()),)
            said = english.say_link(self.vocabulary, role, x.label, target, step.value is not False)
            if step.why == "barred":
                return (Part(f"{said}, by a rule", self.barred(step), FACT),)
            if step.value is None:
                return (
                    Part(f"not known: whether {said}", merged([p for s in step.parts for p in self.step(s)]), OPEN),
                )
            return (Part(said, (), PRESUMED if step.soft else FACT),)
        wanted = phrases.say_condition(self.vocabulary, node.filler)
        if reached is not None:
            below = merged([p for s in tried for p in self.step(s)])
            return (self.link(role, x, reached, below),)
        if step.why == "missing":
            known = merged([p for s in tried for p in self.step(s)])
            said = phrase
            if not isinstance(node.filler, m.Anything):
                said = f"whether {phrases.say_filler(self.vocabulary, role, x.label, node.filler)}"
            return (Part(f"not known: {said}", known, OPEN),)
        if step.why == "blank":
            return merged([p for s in tried for p in self.step(s)])
        if not tried:
            note = " (presumed)" if step.soft else ""
            said = phrases.say_none(self.vocabulary, role, x.label, node.filler, self.focus)
            return (Part(said + note, (), PRESUMED if step.soft else FACT),)
        if isinstance(node, m.Only):
            below = merged([p for s in tried for p in self.step(s)])
            return (Part(every_one(self.vocabulary.properties[role.name].label, phrase, wanted), below, FACT),)
        below = merged([p for s in tried for p in self.step(s)])
        if len(tried) == 1:
            # One candidate: say of it what it is not.
            y = tried[0].thing
            if "." in y.name and step.value is False and kinds(node.filler):
                kind_of = y.made[2] if y.made is not None else next(iter(y.facts.is_), "")
                noun = english.noun(self.vocabulary.classes[kind_of]) if kind_of in self.vocabulary.classes else y.label
                said = english.say_link(self.vocabulary, role, x.label, noun)
                return (Part(f"{said}, not {'one ' * wanted.startswith('that ')}{wanted}", (), FACT),)
            return (self.link(role, x, None, below, y),)
        kind = OPEN if step.value is None else FACT
        if step.value is None:
            said = phrases.say_filler(self.vocabulary, role, x.label, node.filler)
            return (Part(f"not known: whether {said}", below, kind),)
        if (
            role.inverse
            or phrases.manifold(self.vocabulary.properties[role.name])
            or not phrases.stative(self.vocabulary, node.filler)
        ):
            head = phrases.say_none(self.vocabulary, role, x.label, node.filler, self.focus)
        else:
            head = f"{some_of('no', phrase)} {is_so(wanted)}"
        return (Part(head, below, kind),)

    def link(
        self, role: m.Role, x: Thing, reached: Reached | None, below: tuple[Part, ...], y: Thing | None = None
    ) -> Part:
        """`foe is in yard`, and what is so of foe."""
        other = reached.thing if reached is not None else y
        assert other is not None
        plain_ = other.made is not None and all(q.kind == IMPLIED and not q.parts for q in below)
        label = (
            english.noun(self.vocabulary.classes[other.made[2]]) if plain_ and other.made is not None else other.label
        )
        said = english.say_link(self.vocabulary, role, x.label, label)
        match reached.why if reached is not None else UNSAID:
            case ByNorm(outcome, step):
                return Part(f"{said}, by a rule", (*self.related(outcome, step), *below), FACT)
            case Chained(chain) if not role.inverse and (way := self.by_way(x, role.name, chain, label)):
                return Part(f"{said}: {way}", below, FACT)
            case Implied():
                return Part(f"{said} (implied)", () if plain_ else below, IMPLIED)
            case WorkedOut():
                return Part(f"{said} (worked out)", below, FACT)
            case Stated(by) if by != role.name and not role.inverse and self.told_by_rule(by, role.name):
                told = english.say_link(self.vocabulary, m.Role(by), x.label, label)
                return Part(f"{said}: {told}", below, FACT)
        if unsaid(other, below):
            if reached is not None:
                return Part(said, (), below[0].kind)
            # `phase of move is not a rout phase: it is a movement phase` needs no second line.
            phrase = english.role_phrase(self.vocabulary, role, x.label)
            return replace(below[0], text=f"{phrase} {below[0].text.removeprefix(other.label).strip()}", subject="")
        return Part(said, below, FACT)

    def told_by_rule(self, narrower: str, name: str) -> bool:
        """Whether a relation was told by a narrower one of which a loaded rule speaks (beneath for in)."""
        properties = self.vocabulary.properties
        return narrower in properties[name].below and properties[narrower].source in self.theory.sections

    def count(self, step: Step, node: m.Count) -> Part:
        """A counting condition as a sentence."""
        amount = {"min": "at least", "max": "at most", "exactly": "exactly"}[node.kind]
        counted = f"the number of {phrases.ends(self.vocabulary, node.role, step.thing.label, node.filler)}"
        tried = [p for p in step.parts if isinstance(p, Step)]
        n = sum(1 for s in tried if s.value is True)
        below = merged([p for s in tried for p in self.step(s) if not plain(s)])
        if step.value is None:
            return Part(f"not known: whether {counted} is {amount} {node.n}", below, OPEN)
        exactly = step.value and node.kind == "exactly"
        more = "" if exactly else f", {'' if step.value else 'not '}{amount} {node.n}"
        return Part(f"{counted} is {n}{more}", below, FACT)


def some_of(amount: str, phrase: str) -> str:
    """`no occupant of yard`, `nothing of what shot is against`."""
    if not phrase.startswith("what "):
        return f"{amount} {phrase}"
    return {"no": "nothing", "every": "all", "one": "something"}[amount] + f" of {phrase}"


def every_one(label: str, phrase: str, wanted: str) -> str:
    """`every member of fg is pinned`; `all firers of fg fire their part at Long Range`."""
    if not label.endswith("s") or phrase.startswith("what "):
        return f"{some_of('every', phrase)} {is_so(wanted)}"
    return f"all {phrase} {english.plural_verb(wanted.removeprefix('that ') if wanted.startswith('that ') else f'is {wanted}')}"


def is_so(wanted: str) -> str:
    """`is pinned`, `is one that lacks a LOS`: what is said of a thing that meets a condition."""
    return f"is one {wanted}" if wanted.startswith(("that ", "with ")) else f"is {wanted}"


def aside(step: Step) -> bool:
    """Whether an alternative is for another kind of thing: it begins with a class, and that is not met."""
    tried = next((q for q in step.parts if isinstance(q, Step)), None)
    first = step.node.parts[0] if isinstance(step.node, m.And) else None
    return isinstance(first, m.Named) and tried is not None and tried.value is False and tried.node == first


def bearing(step: Step) -> Iterator[Any]:
    """What bears a step out, without a norm that does not apply beside one that does and is written with it: the other side of one test."""
    written = {o.norm.part_of for o in step.parts if isinstance(o, Outcome) and o.status} - {""}
    return (q for q in step.parts if not (isinstance(q, Outcome) and q.status is False and q.norm.part_of in written))
