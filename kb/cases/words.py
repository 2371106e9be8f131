"""The words of a case as the terms of its vocabulary: classes and properties by any of their spellings, faults with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kb.cases import domains, misread
from kb.errors import Place, Problem, did_you_mean
from kb.language.case import Facts
from kb.language.vocabulary import PropertyTerm, Vocabulary
from kb.yaml_document import Source

EACH = "each"  # what stands for the candidate in a which-question
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
WORDS = ("is", "not", "unknown", "label")
SPOT = re.compile(r"\d*([A-Z])\1?\d{1,2}")  # T4, AA10, 3T3


class Words:
    """Resolves words; collects problems on the way. given: what the case says of each thing, as written."""

    def __init__(self, vocabulary: Vocabulary, source: Source):
        self.vocabulary, self.source = vocabulary, source
        self.problems: list[Problem] = []
        self.given: dict[str, Any] = {}
        self.things: dict[str, Facts] = {}
        self.sides: list[str] = []  # the unnamed sides among the things

    def problem(
        self, code: int, message: str, path: tuple[Any, ...], hint: str = "", other: Place | None = None
    ) -> None:
        place = self.source.place(*path)
        if not place.file:
            message = f"{'.'.join(map(str, path))}: {message}" if path else message
        self.problems.append(Problem(code, message, place, hint, self.source.line(place), other))

    def class_list(self, value: Any, path: tuple[Any, ...], key: str) -> tuple[str, ...]:
        known = self.vocabulary.classes
        if type(value) is str and value in known:
            return (value,)
        if type(value) is list and all([type(word) is str and word in known for word in value]):
            return tuple(value)
        found = []
        path = (*path, key)
        for i, word in enumerate(value if isinstance(value, list) else [value] if value is not None else []):
            if isinstance(word, str) and (word in known or (key == "unknown" and word in self.vocabulary.properties)):
                found.append(
                    word
                )  # under “unknown” a property's exact name goes before a class's spelling (targetType)
                continue
            name = self.vocabulary.resolve(str(word), [self.vocabulary.classes])
            if name is None and path[-1] == "unknown":
                name = self.vocabulary.resolve(str(word), [self.vocabulary.properties])
            if isinstance(word, (Mapping, list)):
                here = (*path, i) if isinstance(value, list) else path
                self.problem(
                    423, f"“{key}” takes names of classes", here, "write is: [CLASS], and not: [CLASS] beside it"
                )
            elif name is None and key == "is" and (phrase := self.kinds_in(str(word))):
                found += phrase
            elif name is None:
                hint = domains.property_as_class(str(word), key, self.vocabulary) or self.meant(str(word), key)
                hint = hint or did_you_mean(str(word), self.spellings(self.vocabulary.classes)) or "see loophole terms"
                message, several = (
                    f"no class is called “{word}”",
                    self.vocabulary.meanings(str(word), self.vocabulary.classes),
                )
                if word == EACH:
                    message, hint = misread.each(key)
                elif len(several) > 1:
                    message, hint = f"“{word}” may be {' or '.join(several)}", "write which"
                self.problem(423, message, (*path, i) if isinstance(value, list) else path, hint)
            else:
                found.append(name)
        return tuple(found)

    def kinds_in(self, phrase: str) -> list[str]:
        """The classes that the words of a phrase name one after the other, each as many words as will do; none where some words are of none."""
        words, found = phrase.split(), []
        while words:
            for n in range(len(words), 0, -1):
                cls = self.vocabulary.resolve(" ".join(words[:n]), [self.vocabulary.classes])
                if cls is not None:
                    found.append(cls)
                    words = words[n:]
                    break
            else:
                return []
        return found

    def meant(self, word: str, key: str = "is") -> str:
        """What to do about a word that denies a class: `unbroken`; "" for any other."""
        denied = misread.denied(word, self.vocabulary)
        return f"write {'is' if key == 'not' else 'not'}: [{denied}]" if denied else ""

    def spellings(self, pool: Mapping[str, Any]) -> Iterable[str]:
        for term in pool.values():
            yield term.name
            yield from term.alt

    def property(self, key: str, path: tuple[Any, ...], value: object = None) -> PropertyTerm | None:
        exact = self.vocabulary.properties.get(key)
        if exact is not None:
            return exact
        name = self.vocabulary.resolve(key, [self.vocabulary.properties])
        if name is None:
            if cls := self.vocabulary.resolve(key, [self.vocabulary.classes]):
                hint = domains.class_as_key(key, value, cls, str(value) in self.given, self.vocabulary)
                self.problem(424, f"“{key}” is a class, not a property", path, hint)
            else:
                phrases = (said for said in self.spellings(self.vocabulary.classes) if " " in said)
                pool = (*self.spellings(self.vocabulary.properties), *WORDS, *(phrases if " " in key else ()))
                hint = self.meant(key, "not" if TRUTH.get(str(value).casefold()) is False else "is")
                hint = hint or did_you_mean(key, pool) or "see loophole terms"
                if path and path[0] == "ask":
                    hint += (
                        " Or these rules do not speak of it"
                        if hint.endswith("?")
                        else "; or these rules do not speak of it"
                    )
                self.problem(425, f"no property is called “{key}”", path, hint)
            return None
        return self.vocabulary.properties[name]

    def example(self, prop: PropertyTerm, item: str) -> str:
        """A class that a thing may be which stands in a property's place."""
        term = self.vocabulary.classes.get(prop.range)
        cell = self.vocabulary.cell
        return term.name if term is not None else cell.name if cell and SPOT.fullmatch(item) else "Thing"

    def class_named(self, word: Any, wanted: str = "") -> str | None:
        """The class that a word names; of several that it may name, one of the wanted kind (`targetType: Infantry`)."""
        classes = self.vocabulary.classes
        named = word if type(word) is str and word in classes else self.vocabulary.resolve(str(word), [classes])
        if wanted in classes and (named is None or wanted in classes[named].disjoint):
            below = classes[wanted].descendants
            phrases = (str(word), f"{word} {classes[wanted].label}")  # `phase: movement` is the movement phase
            return next((c for c in (self.vocabulary.resolve(p, [below]) for p in phrases) if c), named)
        return named

    def texts(self, value: Any) -> Iterable[str]:
        return map(str, value if isinstance(value, list) else [] if value is None else [value])
