"""A book under study: what the kinds of finding look at, and what several of them ask of a rule, a norm or a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log

from kb import registry, resources
from kb.language import norms as m, phrases
from kb.language.english import series
from kb.research import shapes
from kb.research.shapes import Shapes
from kb.rulebook import compiler
from kb.rulebook.theory import Theory

PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
LABELLED = re.compile(r"\[(EXC|BUT|YET)\s+([\w-]+)")
MOST_WORDS = 26


@dataclass
class Study:
    """A linked book with its theory, where its situations are looked for, and what its NOTES.md says."""

    book: m.Book
    theory: Theory
    shapes: Shapes
    notes: str = ""

    @cached_property
    def norms(self) -> dict[str, m.Norm]:
        """All norms by id, those of readings that are not adopted included."""
        return {n.id: n for ch in self.book.chapters for s in ch.sections for n in s.norms}

    @cached_property
    def sections(self) -> dict[str, m.Section]:
        """The sections by rule."""
        return {s.rule: s for ch in self.book.chapters for s in ch.sections}

    @cached_property
    def home(self) -> dict[str, m.Chapter]:
        """The chapter that each rule stands in."""
        return {s.rule: ch for ch in self.book.chapters for s in ch.sections}

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much each word tells of the conditions of norms: the fewer norms have it, the more."""
        seen: dict[str, int] = {}
        for norm in self.theory.norms.values():
            for word in words_of(norm):
                seen[word] = seen.get(word, 0) + 1
        return {word: log(1 + len(self.theory.norms) / count) for word, count in seen.items()}

    @cached_property
    def acts_at_once(self) -> dict[str, int]:
        """By the id that norms are written under, of how many acts these are."""
        acts: dict[str, set[str]] = {}
        for norm in self.norms.values():
            if isinstance(norm.head, m.Deontic):
                acts.setdefault(norm.part_of or norm.id, set()).add(norm.head.act)
        return {name: len(found) for name, found in acts.items()}

    def alike(self, a: m.Norm, b: m.Norm) -> float:
        """How much of what two norms turn on has the same words, from 0 to 1: of the words of both."""
        one, other = words_of(a), words_of(b)
        return self.weigh(one & other) / max(self.weigh(one | other), 0.01)

    def within(self, a: m.Norm, b: m.Norm) -> float:
        """The same, of the words of the one that has fewer: 1 where all of them are the other's too."""
        one, other = words_of(a), words_of(b)
        return self.weigh(one & other) / max(min(self.weigh(one), self.weigh(other)), 0.01)

    def weigh(self, words: frozenset[str]) -> float:
        """How much some words tell."""
        return sum(self.weights.get(w, 1) for w in words)

    def chain(self, norm: m.Norm) -> str:
        """A norm with the sentence that it encodes."""
        return f"{norm.id} {phrases.say_head(self.theory.vocabulary, norm.head)}: “{self.sentence(norm)}”"

    def sentence(self, norm: m.Norm) -> str:
        """Our sentence of a norm, without marks; the title of its rule where it has none."""
        section = self.sections.get(norm.rule)
        if section is None:
            return norm.id
        said = " ".join(s.text for s in section.sentences if s.number in norm.sentences)
        return bare(said) or section.title

    def mark(self, norm: m.Norm) -> str:
        """By what the text marks the exception that a norm is: EXC (a bracket), BUT (a word), YET (nothing); "" for none."""
        section = self.sections.get(norm.rule)
        for sentence in section.sentences if section and norm.excepts else ():
            for mark, label in LABELLED.findall(sentence.text):
                if label == norm.excepts:
                    return str(mark)
        return ""


def words_of(norm: m.Norm) -> frozenset[str]:
    """The words of the terms that a norm turns on: its condition, and what kind of thing it speaks of where that is no act."""
    names = {*m.names_in(norm.when), *(n for u in norm.unless for n in m.names_in(u.condition))}
    if isinstance(norm.head, m.CountsAs) and norm.head.subject not in ("Thing", "Act"):
        names.add(norm.head.subject)
    return frozenset(part.casefold() for name in names for part in PART.findall(name))


def terms_of(norm: m.Norm) -> frozenset[str]:
    """The terms that a norm turns on."""
    return frozenset({*m.names_in(norm.when), *(n for u in norm.unless for n in m.names_in(u.condition))})


def concluded(norm: m.Norm) -> frozenset[str]:
    """The terms that a norm says something of: the act, class, relation or number of its head, and of an effect the event."""
    head = norm.head
    match head:
        case m.Deontic(_, act):
            return frozenset({act})
        case m.CountsAs(of, target, _):
            return frozenset({of, target})
        case m.Relates(of, role, _, _):
            return frozenset({of, role})
        case m.QuantityHead(_, quantity, of, _, _):
            return frozenset({quantity, of})
        case m.Effect():
            return frozenset({head.term, m.trigger_of(head)})
        case m.Change():
            return frozenset({head.quantity, m.trigger_of(head)})
        case m.Link():
            return frozenset({head.role, m.trigger_of(head)})


def bare(text: str) -> str:
    """A sentence for a reader: its exceptions in brackets, without their labels."""
    return re.sub(r"\[(EXC|BUT|YET)\s+[\w-]+(?:\s+to\s+[^:\[\]]+)?:\s*", r"[\1: ", text)


def shortened(text: str, most: int = MOST_WORDS) -> str:
    """A sentence's first words."""
    words = text.split()
    return text if len(words) <= most else " ".join(words[:most]) + " …"


def named(rules: Iterable[str]) -> str:
    """Rules in a row."""
    return series(dict.fromkeys(rules))


def pairs(norms: Iterable[m.Norm]) -> Iterator[tuple[m.Norm, m.Norm]]:
    """Each two of some norms."""
    every = list(norms)
    for i, one in enumerate(every):
        for other in every[i + 1 :]:
            yield one, other


def of_book(book: str, library: registry.Books | None = None) -> Study:
    """A book of a library under study. Raises LoopholeError where it does not read."""
    books = library or registry.SHIPPED
    found = shapes.of_book(book, books)
    notes = resources.book(book, books.own) / "NOTES.md"
    text = notes.read_text(encoding="utf-8") if notes.is_file() else ""
    return Study(books.book(book), compiler.bare(found.theory), found, text)  # its sentences and no others
