"""A case without the names of its things: cases that differ in nothing but names have one answer, each in its own names.

    nameless(text, vocabulary) -> Nameless | None     None where the names stay, for what something is called may matter
    Nameless.text                                     the case, with stand-ins for names
    form(said)                                        what is said of such a case, in JSON, with a blank for each stand-in
    Nameless.filled(form)                             that with the names of the case

A name is taken out where it is nothing but a name: no word of the game's or of the rule language, no coordinate, and nowhere part of a
longer text. Only JSON is looked at, and only its text is changed, so that numbers, order and keys stay as they are written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kb.cases.misread import KEPT
from kb.cases.words import WORDS
from kb.language.vocabulary import Vocabulary

MOST = 10_000  # letters of a case that is looked at
NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
SPOT = re.compile(r"[a-z]{1,2}\d+")  # what reads as a coordinate
WORD = re.compile(r"\w+")
HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
MARK = "qzq"  # what no case says; each stand-in begins and ends with it
SILENT = {"nothing", "anything", "usual", "all", "each", "this", "yes", "no"}  # words of the case format
STAND_IN = re.compile(rb"%b(\w+?)%b" % (MARK.encode(), MARK.encode()))
FREE = ("title", "name")  # what a case is called: said again, and of no other use


class Nameless(Struct, frozen=True):
    """A case whose things go by stand-ins. names: those that these stand for, as they are written in JSON, by what they go by."""

    text: str
    names: dict[bytes, bytes]

    @property
    def key(self) -> bytes:
        """The names, to be told from others."""
        return b"\0".join(self.names.values())

    def filled(self, form: bytes) -> bytes:
        """What is said of the case, in its names. form: see `form`."""
        return form % self.names


def form(said: bytes) -> bytes:
    """What is said of a case without names, with blanks to be filled in."""
    return STAND_IN.sub(rb"%(\1)b", said.replace(b"%", b"%%"))


def stand_in(goes_by: object) -> str:
    """What stands for a name in the text of a case."""
    return f'"{MARK}{goes_by}{MARK}"'


def nameless(text: str, vocabulary: Callable[[str], Vocabulary]) -> Nameless | None:
    """A case in JSON without its names; None where there is none to be taken out, or it does not read. vocabulary: gives that of a book;
    what it raises is raised."""
    if len(text) > MOST or MARK in text:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    things = data.get("things") if isinstance(data, dict) else None
    if not isinstance(things, dict):
        return None
    names: dict[bytes, bytes] = {}
    for key in FREE:
        said = data.get(key)
        if isinstance(said, str) and said and text.count(f'"{said}"') == 1:
            text = text.replace(f'"{said}"', stand_in(key))
            names[key.encode()] = said.encode()
    taken, there = words_of(vocabulary(str(data.get("book")))), Counter(WORD.findall(text))
    told = Counter((*things, *spoken_of(data)))
    for at, name in enumerate(things):
        plain = NAME.fullmatch(name) and name not in taken and not SPOT.fullmatch(name)
        if plain and there[name] == told[name] == text.count(f'"{name}"'):
            text = text.replace(f'"{name}"', stand_in(at))
            names[b"%d" % at] = name.encode()
    return Nameless(text, names) if names else None


def spoken_of(data: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a case that stand where a thing of it may be named."""
    for told in data["things"].values():
        if isinstance(told, dict):
            yield from of_thing(told)
    asked = data.get("ask")
    for value in asked.values() if isinstance(asked, dict) else ():
        yield from texts(value)
    yield from texts(data.get("history"))


def of_thing(told: Mapping[str, Any]) -> Iterator[str]:
    """The same of what is told of one thing."""
    for key, value in told.items():
        if key not in WORDS:
            yield from texts(value)


def texts(value: Any) -> Iterator[str]:
    """The texts of a value, and of what is told in place."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, dict):
        yield from of_thing(value)


@lru_cache(maxsize=16)
def words_of(vocabulary: Vocabulary) -> frozenset[str]:
    """Every word of the terms' names and labels, and of the rule language and the case format: a thing called so may be told otherwise."""
    found = {*map(str.casefold, (*WORDS, *KEPT)), *SILENT}
    for term in vocabulary.all():
        for said in (term.label, *term.alt, " ".join(HUMP.findall(term.name))):
            found.update(WORD.findall(said.casefold()))
        found.add(term.name.casefold())
    return frozenset(found)
