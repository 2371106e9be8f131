"""How far an interview has come: the case so far, and what its things are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace as changed

from msgspec.structs import replace

from kb.answers.openings import SIDES, WIDE, Opening
from kb.language import english
from kb.language.case import Case, Edit, Facts
from kb.language.vocabulary import Vocabulary

DOER = "unit"  # what does an act, until it is told what that is


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a talk has come. told: the case so far; closed: openings that are not asked about again; given: names that the player gave;
    filled: for each question asked, what it asked to fill, None where nothing was said to it."""

    told: Case
    closed: frozenset[tuple[str, str, str]] = frozenset()
    asked: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()
    filled: tuple[Opening | None, ...] = ()


def applied(vocabulary: Vocabulary, now: Moment, edits: Iterable[Edit]) -> Moment:
    """The moment after some edits; new things get names that people would give them. Raises KeyError for a thing there is not."""
    case = now.told
    renamed: dict[str, str] = {}
    rows = tuple(edits)
    for edit in rows:
        edit = replace(edit, thing=renamed.get(edit.thing, edit.thing))
        if edit.kind == "link":
            new, described = edit.value
            for old, facts in described.items():
                told = (*facts.is_, *(row.name for row in rows if row.kind == "is" and row.thing == old))
                taken = (*case.things, *renamed.values())
                renamed[old] = named(vocabulary, old, replace(facts, is_=told), taken)
            things = {
                renamed[old]: replace(facts, name=renamed[old], label="", links=relinked(facts.links, renamed))
                for old, facts in described.items()
            }
            edit = replace(edit, value=(renamed.get(new, new), things))
        case = edit.apply(case)
    closed = frozenset((kind, renamed.get(thing, thing), name) for kind, thing, name in now.closed)
    return changed(now, told=case, closed=closed)


def named(vocabulary: Vocabulary, old: str, facts: Facts, taken: Iterable[str]) -> str:
    """A name that a reader can use for a thing that was made up, apart from those taken."""
    if "." not in old and not old.endswith("?"):
        return old
    sides = [n for n in facts.is_ if n in SIDES]
    plain = [n for n in facts.is_ if n not in (*SIDES, *WIDE)] or sides or facts.is_
    narrow = [n for n in plain if plain[0] in vocabulary.classes[n].ancestors]
    base = english.of_side(vocabulary.classes[narrow[-1]].label) if plain else role_of(vocabulary, old)
    base = f"other {base}" if facts.not_ and not plain else base
    names = {*taken}
    if sides and plain != sides and fresh(base, ()) in names:  # their squad beside ours
        base = f"{vocabulary.classes[sides[0]].label} {base}"
    return fresh(base, names)


def renamed(vocabulary: Vocabulary, now: Moment, then: Moment, thing: str, given: Iterable[str]) -> Moment:
    """The moment in which who acts, or what was told only by what it is not, is called by what it is now told to be."""
    before, after = now.told.things.get(thing), then.told.things.get(thing)
    told = {*after.is_} - {*SIDES, *WIDE} if before is not None and after is not None else set()
    if before is None or not told - {*before.is_} or not (thing == DOER or (before.not_ and thing not in now.given)):
        return then
    return called(vocabulary, then, thing, given)


def role_of(vocabulary: Vocabulary, old: str) -> str:
    """What stands in a relation, of which nothing is told but what it is not: `terrain`, by what the relation leads to."""
    name = old.rstrip("?").rpartition(".")[2]
    term = vocabulary.properties.get(name)
    return vocabulary.classes[term.range].label if term is not None and term.range in vocabulary.classes else name


def called(vocabulary: Vocabulary, now: Moment, old: str, given: Iterable[str]) -> Moment:
    """The moment in which a thing that had no name of its own is called by the name that it was given, or by what it is."""
    case = now.told
    rest = [name for name in case.things if name != old]
    name = next(iter(given), "") or named(vocabulary, f"{old}?", case.things[old], rest)
    names = {old: name}
    things = {
        names.get(n, n): replace(facts, name=names.get(n, n), links=relinked(facts.links, names))
        for n, facts in case.things.items()
    }
    closed = frozenset((kind, names.get(thing, thing), word) for kind, thing, word in now.closed)
    return changed(now, told=replace(case, things=things), closed=closed)


def relinked(links: Mapping[str, tuple[str, ...]], renamed: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Links with things renamed."""
    return {name: tuple(renamed.get(t, t) for t in targets) for name, targets in links.items()}


def fresh(label: str, taken: Iterable[str]) -> str:
    """A name made of a label that is not taken yet: `move`, `open-ground`, `squad2`."""
    base = "-".join("".join(ch if ch.isalnum() else " " for ch in label).split()).casefold() or "thing"
    names, n = set(taken), 1
    while (name := base if n == 1 else f"{base}{n}") in names:
        n += 1
    return name
