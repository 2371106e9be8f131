"""The things that a question speaks of: named as they are met, found again when they are met again, written as a case.

A thing met again is the one whose kinds agree: "the squad" is the squad of before, "an enemy squad" another one. Where several
agree, which of them is meant is not known, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from kb.english.thing import ACT, NATION, SIDES, Thing
from kb.language.vocabulary import Vocabulary

Mark = tuple[list[tuple[Any, ...]], Thing | None, Thing | None, bool, bool, list[Thing]]


class Scene:
    """The things of one question, in the order in which they were met."""

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary, self.classes = vocabulary, vocabulary.classes
        self.things: list[Thing] = []
        self.main: Thing | None = None  # who or what the question is about
        self.act: Thing | None = None  # the act that it is about
        self.beside: list[Thing] = []  # what it is compared with
        self.happened: list[Thing] = []  # the acts that are told to have happened before what is asked, in their order
        self.row: list[Thing] = []  # the places that were last told in a row
        self.there: Thing | None = None  # where somebody was last said to be
        self.pair: list[Thing] = []  # those of whom the same was last said
        self.tries = 0  # ways of reading that were tried so far
        self.elsewhere = False  # whether it is said that no other rule bears on it
        self.last: Thing | None = None  # whom or what the last sentence was about
        self.listed: list[Thing] = []  # those of which it is asked, which
        self.open = False  # whether a number of an act is asked for that is yet to be told
        self.hangs = False  # whether it is asked what can come of something, which hangs on how that comes off
        self.later = False  # whether it is asked of a later turn than that in which things happened

    def below(self, thing: Thing, cls: str) -> bool:
        """Whether it is told to be of a class."""
        return cls in self.classes and self.vocabulary.entails(thing.kinds, cls)

    def clash(self, thing: Thing, names: Iterable[str]) -> bool:
        """Whether it cannot be of these classes too."""
        return any(
            n in self.classes[k].disjoint or n in thing.denied or set(self.classes[n].ancestors) & {*thing.denied}
            for n in names
            for k in (*thing.kinds, n)
        )

    def new(self, kinds: Sequence[str], said: str = "", first: bool = False) -> Thing:
        """A thing not met before."""
        thing = Thing(kinds=list(kinds), said=said)
        self.things.insert(0, thing) if first else self.things.append(thing)
        return thing

    def again(self, kinds: Sequence[str], states: Sequence[str] = ()) -> list[Thing]:
        """The things met before that kinds and states may speak of, the best first; those equally good stand together."""
        sides = {k for k in kinds if k in SIDES}
        found: list[tuple[int, int, Thing]] = []
        for at, thing in enumerate(self.things):
            plain = [k for k in kinds if k not in SIDES]
            if self.below(thing, ACT) != any(ACT in self.classes[k].ancestors for k in plain):
                continue
            if sides - {*thing.kinds} or self.clash(thing, (*plain, *states)):
                continue
            told = [k for k in thing.kinds if k not in SIDES]
            nation = any(NATION in self.classes[k].ancestors for k in told)
            told_of = [k for k in plain if nation or NATION not in self.classes[k].ancestors or len(plain) == 1]
            near = [self.alike(k, told) for k in told_of]
            if plain and not all(near):
                continue
            if not plain and not sides:
                continue
            exact = (
                sum(n == 2 for n in near) * 2
                + sum(s in thing.kinds for s in states)
                - ("Enemy" in thing.kinds and not sides)
            )
            found.append((-exact, at, thing))
        found.sort(key=lambda row: row[:2])
        return [row[2] for row in found if row[0] == found[0][0]]

    def alike(self, kind: str, told: Iterable[str]) -> int:
        """How a kind agrees with those told of a thing: 2, the same; 1, wider or narrower; 0, neither."""
        told = list(told)
        if kind in told:
            return 2
        near = self.classes[kind].ancestors | self.classes[kind].descendants
        return int(bool(near & {*told}))

    def refine(self, thing: Thing, kinds: Iterable[str]) -> None:
        """Adds to a thing met again what this time is told more exactly."""
        for kind in kinds:
            told = [k for k in thing.kinds if kind in self.classes[k].ancestors]
            if told:
                continue
            thing.kinds = [k for k in thing.kinds if k not in self.classes[kind].ancestors] + [kind]

    def merge(self, thing: Thing, other: Thing) -> None:
        """Says of a thing what was told of another one, which is the same."""
        self.refine(thing, [k for k in other.kinds if not any(k in self.classes[o].ancestors for o in thing.kinds)])
        thing.add(k for k in other.kinds if k in SIDES)
        thing.denied += other.denied
        for role, others in other.links.items():
            for one in others:
                thing.link(role, one)
        thing.numbers.update(other.numbers)
        thing.flags.update(other.flags)
        thing.far, thing.untold = thing.far or other.far, [*thing.untold, *other.untold]
        thing.fellows, thing.count = (
            other.fellows or thing.fellows,
            1 if other.fellows else max(thing.count, other.count),
        )
        self.things.remove(other)
        for one in self.things:
            for role, others in one.links.items():
                one.links[role] = list(dict.fromkeys(thing if o is other else o for o in others))

    def mark(self) -> Mark:
        """What is told so far, to come back to when a way of reading fails."""
        told = [
            (
                t, [*t.kinds], [*t.denied], {r: [*o] for r, o in t.links.items()}, {**t.numbers}, {**t.flags}, t.count, [*t.fellows],
                t.earlier, [*t.doing],
            )
            for t in self.things
        ]  # fmt: skip
        return told, self.main, self.act, self.elsewhere, self.later, list(self.happened)

    def back(self, mark: Mark) -> None:
        """Forgets what was told since a mark."""
        told, self.main, self.act, self.elsewhere, self.later, happened = mark
        self.happened = list(happened)
        self.things[:] = [row[0] for row in told]
        for thing, kinds, denied, links, numbers, flags, thing.count, fellows, thing.earlier, doing in told:
            thing.fellows, thing.doing = list(fellows), list(doing)
            thing.kinds, thing.denied, thing.numbers, thing.flags = [*kinds], [*denied], {**numbers}, {**flags}
            thing.links = {role: list(others) for role, others in links.items()}

    def history(self) -> list[Thing]:
        """What has happened, in its order; between what was done in an earlier turn and what was not, a turn has ended. Nothing where the
        book has no word for that."""
        self.happened += [act for act in self.things if act.earlier and act not in self.happened]
        earlier = [act for act in self.happened if act.earlier or self.later]
        if not earlier and not self.later:
            return self.happened
        said = ("end of the turn", "end of the Player Turn")
        ending = next((name for way in said if (name := self.vocabulary.resolve(way, [self.classes]))), None)
        now = [act for act in self.happened if act not in earlier]
        if ending is None:
            return []
        end = self.new([ending], "the end of the turn")
        self.beside = [*self.beside, end]
        return [*earlier, end, *now]

    # ── as a case ──

    def name_all(self) -> None:
        """Gives every thing a name from its kind: squad, enemy-squad, pillbox."""
        taken: set[str] = set()
        for thing in self.things:
            if thing.spot:
                thing.name = thing.spot
                continue
            sides = [k.lower() for k in thing.kinds if k == "Enemy"]
            plain = [k for k in thing.kinds if k not in SIDES and NATION not in self.classes[k].ancestors]
            plain = [k for k in plain if not self.state(k)] or plain or ["Thing"]
            label = self.classes[plain[0]].label if plain[0] in self.classes else "thing"
            # as he who asks which of them calls it
            label = re.sub("^(a|an|the) ", "", thing.said) if thing in self.listed else label
            base = "-".join([*sides, re.sub(r"[^a-z0-9]+", "-", label.casefold()).strip("-") or "thing"])
            if base in taken and thing in self.beside:  # a condition names it, and would read infantry-2 as a sum
                base = f"other-{base}"
            name, n = base, 2
            while name in taken:
                name, n = f"{base}-{n}", n + 1
            thing.name = name
            taken.add(name)

    def state(self, name: str) -> bool:
        """Whether a class says how a thing is."""
        from kb.language import english

        return english.passing(self.vocabulary, name)

    def count_out(self) -> None:
        """Makes one thing each of what was told as several: two squads are a squad and another one."""
        for thing in [t for t in self.things if t.fellows]:
            for owner in self.things:
                for others in owner.links.values():
                    if thing in others:
                        others += [t for t in thing.fellows if t not in others]
        for thing in [t for t in self.things if t.count > 1]:
            more = []
            for _ in range(thing.count - 1):
                other = self.new(thing.kinds, thing.said)
                other.denied, other.numbers, other.flags = list(thing.denied), dict(thing.numbers), dict(thing.flags)
                other.links = {role: list(others) for role, others in thing.links.items()}
                more.append(other)
            for owner in self.things:
                for others in owner.links.values():
                    if thing in others:
                        others += more
            thing.count = 1
        for act in [t for t in self.things if self.below(t, ACT)]:
            self.together(act)

    def together(self, act: Thing) -> None:
        """Several who do one act are its firers, or a group."""
        doers = act.links.get("actor", [])
        if len(doers) < 2:
            return
        words = ("participants", "separately from")
        role, apart = (self.vocabulary.resolve(word, [self.vocabulary.properties]) for word in words)
        if apart and role and self.separate(act) and self.at_one(act, doers, role):
            act.links["actor"], act.links[apart] = doers[:1], doers[1:]
        elif self.below(act, "Occupation") and not any(t.links.get("at") or t.kinds != doers[0].kinds for t in doers):
            act.links["actor"] = doers[:1]  # may two be in it: may one, where the other is
            for other in doers[1:]:
                other.links["at"] = list(act.links.get("place", ()))
        elif role is not None and not self.below(act, "Entry") and not self.below(act, "Occupation"):
            act.links[role] = act.links.pop("actor")
        elif "Group" in self.classes:
            group = self.new(["Group"], "group")
            group.links["member"] = list(doers)
            act.links["actor"] = [group]

    def separate(self, act: Thing) -> bool:
        """Whether what several do are separate acts, as the book calls them: one of them, apart from the others."""
        return any(self.classes[kind].label.startswith("separate ") for kind in act.kinds)

    def at_one(self, act: Thing, doers: list[Thing], role: str) -> bool:
        """Whether separate acts are not told to be done to several. What was told that those do is what is asked about."""
        asked = self.happened if act is self.act else []
        for told in [t for t in asked if doers in (t.links.get(role), t.links.get("actor"))]:
            act.add(told.kinds)
            act.links = {r: o for r, o in told.links.items() if r not in (role, "actor")} | act.links
            self.happened.remove(told)
            self.things.remove(told)
        return len(act.links.get("target", ())) < 2

    def distances(self) -> None:
        """Says how far off things are: of an act that one takes part in, else of the thing."""
        for thing in self.things:
            if thing.far:
                acts = [
                    a
                    for a in self.things
                    if self.below(a, ACT)
                    and any(thing in a.links.get(r, ()) for r in ("target", "actor"))
                    and (thing.off is None or any(thing.off in others for others in a.links.values()))
                ]
                (acts[0] if acts else thing).numbers.setdefault("range", thing.far)

    def mapping(self) -> dict[str, Any]:
        """The things, as a case has them."""
        self.distances()
        self.count_out()
        self.name_all()
        listed = [t for t in self.things if (not t.spot or self.told(t)) and not self.plain(t)]
        return {thing.name: self.written(thing) for thing in listed}

    def plain(self, thing: Thing) -> bool:
        """Whether a thing needs no name: a phase, a kind of terrain or ammunition of which nothing else is told."""
        known = self.below(thing, "Phase") or self.below(thing, "Terrain") or self.below(thing, "Ammunition")
        return known and len(thing.kinds) == 1 and not (thing.denied or thing.links or thing.numbers or thing.flags)

    def told(self, thing: Thing) -> bool:
        """Whether anything is told of a thing."""
        return bool(thing.facts())

    def written(self, thing: Thing) -> dict[str, Any]:
        """What is told of one thing, under the keys of a case."""
        found: dict[str, Any] = {}
        if thing.kinds:
            found["is"] = list(thing.kinds) if len(thing.kinds) > 1 else thing.kinds[0]
        if thing.denied:
            found["not"] = list(thing.denied)
        if thing.untold:
            found["unknown"] = list(thing.untold)
        for role, others in thing.links.items():
            names = [other.kinds[0] if self.plain(other) else other.name for other in others]
            found[role] = names[0] if len(names) == 1 else names
        return {**found, **thing.numbers, **thing.flags}

    def joined(self, one: Thing, other: Thing, without: set[Thing]) -> bool:
        """Whether something told joins two things, not by way of some others. Places of the map are joined by their names."""
        if one.spot or other.spot:
            return True
        seen, queue = {one}, [one]
        while queue:
            here = queue.pop()
            near = [o for others in here.links.values() for o in others]
            near += [t for t in self.things if any(here in others for others in t.links.values())]
            for thing in near:
                if thing not in seen and thing not in without:
                    seen.add(thing)
                    queue.append(thing)
        return other in seen

    def apart(self, first: Thing | None = None) -> list[Thing]:
        """The things that nothing joins to what is asked about: how they stand to it was not told, or not understood.
        first: whom what was told began with, where an act of others may be asked about."""
        joined: dict[Thing, set[Thing]] = {thing: set() for thing in self.things}
        for thing in self.things:
            for others in thing.links.values():
                for other in [*others, *(f for o in others for f in o.fellows)]:
                    joined[thing].add(other)
                    joined.setdefault(other, set()).add(thing)
        about = self.main if self.main is not first or self.act is None else None
        start = [t for t in (self.act, about, *self.beside) if t is not None]
        start += [t for t in self.things if any(not others for r, others in t.links.items() if r != "occupant")]
        seen, queue = set(start), list(start)
        while queue:
            for other in joined.get(queue.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        return [thing for thing in self.things if thing not in seen]
