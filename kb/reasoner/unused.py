"""Which facts of a case nothing could read, for the question that was asked.

    unused(walk, case) -> (Unused, ...)  each with the nearest word that the rules of this question do read
    about_the_act(proof)                 whether one of them is of the act asked about, or of who or what it names
    suffix(proof)                        "; not used: squad is concealed", for the first line

kb.reasoner.relevance walks what the question could read; a Report lists what a case says besides. Pure.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache

from kb.language import english, norms as m
from kb.language.case import Case, Facts
from kb.language.vocabulary import AFTER, MEMBER, ClassTerm, PropertyTerm
from kb.reasoner import untold, walks
from kb.reasoner.facts_read import STATE
from kb.reasoner.proof import CONFLICT, UNDETERMINED, Proof, Unused
from kb.reasoner.relevance import Walk
from kb.reasoner.watched import plain

MOST_TOLD = 2  # facts named in the first line
LOOKS = (0, 4, 16, 64)  # steps of a walk, after each of which it is looked whether all is read
ALIKE = 0.75  # how like two words must be for the one to be taken for the other: `phase` (0.73) is no slip for `passes`


def unused(walk: Walk, case: Case) -> tuple[Unused, ...]:
    """The facts of a case that no rule of its question could read, in the order in which they are told."""
    told = plain(case)
    for steps in LOOKS:  # most often all is read soon, and what else could be read does not matter
        if not walk.some(steps):
            break
        if all_told(walk, told) and not any(Report(walk, told).rows()):
            return ()
    else:
        walks.long(walk, told)
    walk.drain()
    return tuple(Report(walk, told).rows())


def all_told(walk: Walk, case: Case) -> bool:
    """Whether all things were met and all their numbers, flags and texts read, without what tells others: where not, it is not worth a look."""
    read, met = walk.read, walk.met
    return all(
        name in met and all((name, word) in read for told in (f.numbers, f.flags, f.texts) for word in told)
        for name, f in (case.said or case.things).items()
    )


def of_all(proof: Proof) -> tuple[Unused, ...]:
    """The same for a `which` question: what the question of one candidate reads is read."""
    told = proof.case.said or proof.case.things
    rows = tuple(row for row in proof.which[0][1].unused if row.thing in told)
    for _, found in proof.which[1:]:
        left = {(row.thing, row.key, row.value) for row in found.unused} if rows else set()
        rows = tuple(row for row in rows if (row.thing, row.key, row.value) in left)
    return rows


def about_the_act(proof: Proof) -> bool:
    """Whether a fact that nothing read is told of what is asked about, or of who or what that names."""
    return any(row.about for row in proof.unused)


def about_any(walk: Walk, case: Case) -> bool:
    """The same of another case, of which the same is read."""
    return any(row.about for row in Report(walk, case).rows())


def suffix(proof: Proof) -> str:
    """What the first line adds: the facts of the act, or of who or what it names, that nothing read; "" for none."""
    if proof.verdict in (UNDETERMINED, CONFLICT):
        return ""
    facts = [row.fact for row in proof.unused if row.about]
    more = f" and {len(facts) - MOST_TOLD} more" if len(facts) > MOST_TOLD else ""
    return f"; not used: {', '.join(facts[:MOST_TOLD])}{more}" if facts else ""


class Report:
    """What a walk did not read, of what a case says."""

    def __init__(self, walk: Walk, case: Case):
        self.walk, self.case, self.vocabulary = walk, case, walk.vocabulary
        self.read, self.met = set(walk.read), set(walk.met)
        self.said: Mapping[str, Facts] = case.said or case.things
        self.near = self.named_by_the_act()
        self.credit()

    def named_by_the_act(self) -> frozenset[str]:
        """What is asked about, and who and what it names."""
        asked = self.case.question.thing
        facts = self.case.things.get(asked)
        links = facts.links.values() if facts is not None else ()
        return frozenset((asked, *(name for targets in links for name in targets)))

    def credit(self) -> None:
        """A fact told in a roundabout way is read where what was made of it is."""
        self.taken()
        vocabulary, read = self.vocabulary, self.read
        near: dict[str, set[str]] = {}  # what is linked with a thing, in whatever words
        for name, facts in self.case.things.items():
            for targets in facts.links.values():
                for other in targets:
                    near.setdefault(name, {name}).add(other)
                    near.setdefault(other, {other}).add(name)
        for name, facts in self.case.things.items():
            said = self.said.get(name, Facts(name))
            for role, targets in facts.links.items():
                for other in targets:
                    if other not in said.links.get(role, ()) and self.reads(name, role, other):
                        told_by = {*(vocabulary.told[role].roles if role in vocabulary.told else ()), role}
                        self.made_of(name, other, told_by, near)
            for cls in {*facts.is_} - {*said.is_}:  # the kind of an act that a wider one and its relation tell
                for way in vocabulary.classes[cls].told_as:
                    read.update((name, way.role, other) for other in said.links.get(way.role, ()))
                    self.met.update(said.links.get(way.role, ()))
            for number in facts.numbers.keys() - said.numbers.keys():
                if (name, number) in read:
                    read.update((name, word) for word in vocabulary.told_numbers.get(number, ()))
                    ways = [way for cls in facts.is_ for role, way in vocabulary.borne.get(cls, ()) if role == number]
                    read.update((other, way.way) for way in ways for other in facts.links.get(way.role, ()))
            for member in said.links.get(MEMBER, ()):  # what its group is, it is by that
                own, now = self.said.get(member, said).is_, self.walk.told(self.case.things[member])
                lent = {cls for cls in said.is_ if cls not in own and cls in now}
                read.update(fact for cls in lent for fact in ((name, cls), (name, MEMBER, member)))
            # what an act is told to follow on has happened by that
            read.update(
                (name, AFTER, z) for z in said.links.get(AFTER, ()) if z in self.met.intersection(self.case.history)
            )

    def taken(self) -> None:
        """A state by which a thing has a relation no more is read, with the link that it takes away, where that link would be: of what is
        eliminated it matters where it lay, for it would be there."""
        v = self.vocabulary
        rules = [(prop, rule) for prop in v.changing for rule in prop.changed_by if rule.of_state]
        for prop, rule in rules:
            for name, facts in self.said.items():
                states = [c for c in facts.is_ if rule.cls in v.classes[c].ancestors]
                for z, role, y in list(self.links(prop)) if states else ():
                    who, place = (z, y) if role in prop.below else (y, z)
                    if name != (place if rule.mover else who):  # who is left by a state of where he is, or by his own
                        continue
                    asked = self.walk.tried.get(place, {})
                    if self.reads(z, role, y) or any(f"inverse {q}" in asked for q in prop.below):
                        self.read.update(((z, role, y), *((name, c) for c in states)))
                        self.met.update((z, y))

    def links(self, prop: PropertyTerm) -> Iterator[tuple[str, str, str]]:
        """The links that tell a relation, from either end."""
        for z, facts in self.said.items():
            for role, targets in facts.links.items():
                if role in prop.below or role in prop.inverses:
                    yield from ((z, role, y) for y in targets)

    def made_of(self, name: str, other: str, told_by: set[str], near: Mapping[str, set[str]]) -> None:
        """What is said of two things, where a link between them that nobody states is read: that told it."""
        ends = {name, other}
        for z, facts in self.said.items():
            now = self.case.things[z].links
            for key, targets in facts.links.items():
                for y in targets:
                    there = (ends - {z, y}) or ends
                    if ends.isdisjoint((z, y)):
                        continue
                    if (
                        key in told_by
                        or key not in now
                        or any(e in near.get(y, ()) and e in near.get(z, ()) for e in there)
                    ):
                        self.read.add((z, key, y))
                        self.met.update((z, y))
            if z in ends:
                self.read.update((z, text) for text in facts.texts)

    def reads(self, name: str, role: str, other: str) -> bool:
        """Whether a link was read, from either end."""
        return (name, role) in self.read or (name, role, other) in self.read

    def rows(self) -> Iterator[Unused]:
        """The facts that were not read; of a thing that nothing met, one row."""
        led: set[str] = set()
        alone: list[str] = []
        for name, facts in self.said.items():
            if name not in self.met:
                alone.append(name)
                continue
            for row, targets in self.of(name, facts):
                led.update(targets)
                yield row
        for name in alone:
            if name not in led and not self.hangs_on(name, {*alone, *led}):
                yield self.row(name, "", "", f"{self.label(name)} is not spoken of by any rule of this question", "")

    def hangs_on(self, name: str, others: set[str]) -> bool:
        """Whether a thing is described in place, under another that is listed."""
        return any(name.startswith(f"{other}.") for other in others if other != name)

    def of(self, name: str, facts: Facts) -> Iterator[tuple[Unused, tuple[str, ...]]]:
        """The rows of one thing, each with what it leads to."""
        read, v, told = self.read, self.vocabulary, self.walk.told(self.case.things[name])
        for cls in facts.is_:
            if (
                (name, cls) not in read
                and cls not in told
                and self.walk.reported(cls)
                and not self.needless(cls, facts)
            ):
                fact = english.say_class(v, self.label(name), cls, True)
                yield self.row(name, "is", cls, fact, self.class_hint(name, cls)), ()
        for role, targets in facts.links.items():
            left = tuple(y for y in targets if not self.reads(name, role, y))
            if left:
                value = ", ".join(self.written(y, f"{name}.{role}") for y in left)
                fact = english.say_link(v, m.Role(role), self.label(name), english.series(map(self.label, left)))
                yield self.row(name, role, value, fact, self.link_hint(name, role, left)), left
        for number, amount in facts.numbers.items():
            if (name, number) not in read:
                fact = f"{v.properties[number].label} of {self.label(name)} is {english.shown(amount)}"
                yield self.row(name, number, english.shown(amount), fact, self.number_hint(name, number)), ()
        for flag, truth in facts.flags.items():
            if (name, flag) not in read:
                fact = english.say_flag(v, flag, self.label(name), truth)
                yield self.row(name, flag, "true" if truth else "false", fact, self.number_hint(name, flag)), ()
        for text, value in facts.texts.items():
            if (name, text) not in read and name != value:
                fact = f"{v.properties[text].label} of {self.label(name)} is {value}"
                yield self.row(name, text, value, fact, ""), ()

    def written(self, name: str, unnamed: str) -> str:
        """A value as the case has it: the name of a thing, or the class of one that it does not name."""
        kinds = self.said[name].is_ if name in self.said and name.startswith(unnamed) else ()
        return kinds[0] if kinds else name

    def needless(self, cls: str, facts: Facts) -> bool:
        """Whether a class follows from another that is told, or is the only kind that is told: what the thing is."""
        classes = self.vocabulary.classes
        others = [c for c in facts.is_ if c != cls]
        if STATE not in classes[cls].ancestors and not any(STATE not in classes[c].ancestors for c in others):
            return True
        return any(cls in classes[c].ancestors for c in others)

    def row(self, name: str, key: str, value: str, fact: str, hint: str) -> Unused:
        """A row; of what is asked about, or of who or what that names, unless it is who acts or what is printed on a piece."""
        v, facts = self.vocabulary, self.said[name]
        prop, mine = v.properties.get(key), name == self.case.question.thing and v.entails(facts.is_, english.ACT)
        printed = prop is not None and prop.kind in ("number", "text") and not mine and not hint
        return Unused(
            name, key, value, fact, hint, name in self.near and not printed and key not in self.vocabulary.doers
        )

    def label(self, name: str) -> str:
        """What a thing is called."""
        facts = self.said.get(name)
        return facts.label or name if facts is not None else name

    def link_hint(self, name: str, role: str, targets: tuple[str, ...]) -> str:
        """A relation that is read of the thing and that the value fits: one that such an act must be told with, or that this one is a wider
        word for, else one called much alike."""
        properties, facts, act = self.vocabulary.properties, self.said[name], self.walk.s.things.get(name)
        owed = untold.untold(self.walk.s, act) if act is not None else ()
        kinds = [c for y in targets if y in self.said for c in self.said[y].is_]
        best, most = "", ALIKE
        for word in self.walk.tried.get(name, ()):
            prop = properties.get(word)
            if prop is None or prop.kind != "object" or word == role or (prop.functional and word in facts.links):
                continue
            like = alike(prop, properties[role]) + (word in owed or word in properties[role].below)
            if (not prop.range or self.vocabulary.entails(kinds, prop.range)) and like >= most:
                best, most = word, like
        return best

    def number_hint(self, name: str, word: str) -> str:
        """A number (or a true-or-false property) that is read of the thing, not told of it, and called much alike."""
        properties, facts = self.vocabulary.properties, self.said[name]
        mine = properties[word]
        others = [
            properties[w] for w in self.walk.tried.get(name, ())
            if w in properties and properties[w].kind == mine.kind and w not in facts.numbers and w not in facts.flags
        ]  # fmt: skip
        best = max(others, key=lambda p: alike(p, mine), default=None)
        return best.name if best is not None and alike(best, mine) >= ALIKE else ""

    def class_hint(self, name: str, cls: str) -> str:
        """A state that is read of the thing and is called much like this one."""
        classes, facts = self.vocabulary.classes, self.said[name]
        others = [
            classes[w] for w in self.walk.tried.get(name, ())
            if w in classes and self.walk.reported(w) and w not in facts.is_ and not classes[cls].disjoint & {w}
        ]  # fmt: skip
        best = max(others, key=lambda t: alike(t, classes[cls]), default=None)
        return best.name if best is not None and alike(best, classes[cls]) >= ALIKE else ""


def alike(one: ClassTerm | PropertyTerm, other: ClassTerm | PropertyTerm) -> float:
    """How like two terms are called, from 0 to 1."""
    return likeness((one.name, one.label), (other.name, other.label))


@lru_cache(maxsize=5_000)
def likeness(ours: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """How like some words are to others, at best."""
    pairs = ((a.casefold(), b.casefold()) for a in ours for b in theirs)
    return max(difflib.SequenceMatcher(None, a, b).ratio() for a, b in pairs)
