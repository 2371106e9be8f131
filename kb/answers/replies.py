"""What a player answers in an interview, as facts of the case: yes and no, classes, names, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace as changed
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kb.answers.openings import SIDES, Opening
from kb.errors import CaseError, Problem, did_you_mean
from kb.language import english
from kb.language.case import Case, Edit, Facts
from kb.language.vocabulary import Vocabulary
from kb.numbers import number

if TYPE_CHECKING:
    from kb.answers.interview import Moment

YES = frozenset(["yes", "y", "true"])
NO = frozenset(["no", "n", "false"])
UNKNOWN = frozenset(["unknown", "?", "u", "don't know", "don’t know", "dont know", "no idea", ""])
NONE = frozenset(["none", "nothing", "nobody", "no one", "none of these", "neither", *NO])
BACK = frozenset(["back", "undo"])
WHY = frozenset(["why", "why?"])
HELP = frozenset(["help", "help?"])
ARTICLES = ("a ", "an ", "the ", "my ", "our ", "some ")


@dataclass(frozen=True, slots=True)
class Reply:
    """Classes, and the name that the player gave (or that of a thing of the case)."""

    classes: tuple[str, ...] = ()
    name: str = ""


def amount(opening: Opening, text: str) -> tuple[Edit, ...]:
    """The edits by which a number is what was answered. Raises CaseError."""
    said = number(text)
    if said is None:
        raise CaseError(Problem(451, f"“{text}” is no number", hint='write 3, 2.5, "2 1/2" or unknown'))
    return (*opening.before, Edit("number", opening.thing, opening.name, said))


def kinds(vocabulary: Vocabulary, case: Case, opening: Opening, text: str) -> Reply:
    """Classes or a thing that an answer names: `squad`, `enemy squad`, `foe = enemy squad`, `foe`. Raises CaseError."""
    own, sep, word = (part.strip() for part in text.partition("="))
    word = word if sep else text
    if opening.kind == "link" and not sep and text in case.things:
        return Reply(name=text)
    if opening.kind == "link" and sep and own in case.things:
        raise CaseError(Problem(453, f"there is a “{own}” already", hint="give it another name"))
    found = spoken(vocabulary, word)
    if not found or opening.kind not in ("link", "is"):
        classes = vocabulary.classes.values()
        known = [n for c in classes for n in (c.name, c.label, *c.alt)]
        hint = did_you_mean(word, (*known, *case.things)) or "say none if it is none of these; else yes, no, unknown, or a class (see loophole terms)"
        raise CaseError(Problem(452, f"“{word}” is neither an answer nor a class", hint=hint))
    if len(opening.options) == 1 and opening.options[0] in SIDES and not {*SIDES} & {*found}:
        found = (*opening.options, *found)  # a squad, where it was asked whether an enemy is there
    return Reply(found, own if sep else "")


def spoken(vocabulary: Vocabulary, text: str) -> tuple[str, ...]:
    """The classes that words name, the longest first: `enemy squad` is an enemy and a squad. Empty where a word is none."""
    for article in ARTICLES:
        text = text.removeprefix(article)
    words, found = text.split(), []
    while words:
        for end in range(len(words), 0, -1):
            name = vocabulary.resolve(" ".join(words[:end]), [vocabulary.classes])
            if name is not None:
                found.append(name)
                words = words[end:]
                break
        else:
            return ()
    return tuple(dict.fromkeys(found))


def fits(vocabulary: Vocabulary, case: Case, opening: Opening, reply: Reply) -> None:
    """Whether what was answered can stand where it was asked for. Raises CaseError."""
    classes = vocabulary.classes
    if opening.kind == "is":
        for cls in reply.classes:
            for other in known(vocabulary, case, opening.thing):
                if cls in classes[other].disjoint:
                    one, two = english.noun(classes[other]), english.noun(classes[cls])
                    said = f"{opening.thing} is {one} and cannot be {two}"
                    raise CaseError(Problem(453, said, hint="answer with a class that fits"))
        return
    wanted = [opening.options[0] if len(opening.options) == 1 else "", vocabulary.properties[opening.name].range]
    there = case.things.get(reply.name)
    for cls in (*reply.classes, *(there.is_ if there is not None else ())):
        for other in wanted:
            if other in classes and other in classes[cls].disjoint:
                one, two = english.noun(classes[cls]), english.noun(classes[other])
                said = f"{one} cannot be {two}"
                raise CaseError(Problem(453, said, hint="answer yes, no, unknown, or a fitting class"))


def known(vocabulary: Vocabulary, case: Case, thing: str) -> Iterator[str]:
    """The classes that a thing is stated to be of, and those of the places it stands in."""
    facts = case.things.get(thing)
    yield from facts.is_ if facts is not None else ()
    for other in case.things.values():
        for name, targets in other.links.items():
            wanted = vocabulary.properties[name].range
            if thing in targets and wanted in vocabulary.classes:
                yield wanted


# ── names ──


def applied(vocabulary: Vocabulary, now: Moment, edits: Iterable[Edit]) -> Moment:
    """The moment after some edits; new things get names that people would give them. Raises KeyError for a thing there is not."""
    case = now.told
    renamed: dict[str, str] = {}
    for edit in edits:
        edit = replace(edit, thing=renamed.get(edit.thing, edit.thing))
        if edit.kind == "link":
            new, described = edit.value
            for old, facts in described.items():
                renamed[old] = named(vocabulary, old, facts, (*case.things, *renamed.values()))
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
    plain = [n for n in facts.is_ if n not in SIDES] or facts.is_
    base = vocabulary.classes[plain[0]].label if plain else old.rstrip("?").rpartition(".")[2]
    return fresh(base, taken)


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

