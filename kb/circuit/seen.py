"""A case as a built-in sees it: one lane, and which others look the same to it.

Built-ins (sides, the map, history) are asked of one lane. All that they look at narrows the lanes for which the answer holds; what is
left is asked again, until every lane has its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from kb.circuit.staged import Staged
from kb.circuit.values import Links, One, Parts, put
from kb.language.case import Case
from kb.language.vocabulary import Vocabulary

T = TypeVar("T")
SPENT = 200  # different views of one question; with more, the lanes are better asked one by one


class Words(tuple[str, ...]):
    """The classes stated of a thing in one lane: whether one of them is there is seen, or all of them where they are gone through."""

    view: View
    one: One
    field: str

    def __contains__(self, word: object) -> bool:
        field = self.field
        return self.view.bit(self.one.where((field, word), lambda form: word in getattr(form.facts, field)))

    def __iter__(self) -> Iterator[str]:
        own, field = tuple(super().__iter__()), self.field
        self.view.bit(self.one.where((field, "all", own), lambda form: getattr(form.facts, field) == own))
        return iter(own)

    def __getitem__(self, at: Any) -> Any:
        return tuple(self)[at]

    def entails(self, cls: str) -> bool:
        """Whether one of them is a cls, by the class tree."""
        return self.view.bit(
            self.one.where(
                (self.field, "<", cls), lambda form: self.view.entailed(getattr(form.facts, self.field), cls)
            )
        )

    def first(self, cls: str) -> str:
        """The first of them that is a cls."""
        seen, field = self.view.lanes.vocabulary.first, self.field
        found = seen(tuple(super().__iter__()), cls)
        self.view.bit(
            self.one.where((field, "first", cls, found), lambda form: seen(getattr(form.facts, field), cls) == found)
        )
        return found


class SeenFacts:
    """What is stated of a thing in one lane."""

    def __init__(self, view: View, one: One):
        self.view, self.one = view, one
        self.told = next(form for form in one.forms if form.lanes >> view.lane & 1).facts
        self.name = self.told.name

    def __getattr__(self, field: str) -> Any:
        own = getattr(self.told, field)
        if isinstance(own, tuple):
            words = Words(own)
            words.view, words.one, words.field = self.view, self.one, field
            setattr(self, field, words)
            return words
        key = (field, "all", tuple(own.items()))
        self.view.bit(self.one.where(key, lambda form: getattr(form.facts, field) == own))
        return own


class SeenTerms:
    """The terms of the book, as they are asked what words of a case mean."""

    def __init__(self, terms: Vocabulary):
        self.terms = terms

    def __getattr__(self, name: str) -> Any:
        return getattr(self.terms, name)

    def entails(self, stated: Any, cls: str) -> bool:
        """Whether one of the stated classes is a cls."""
        return stated.entails(cls) if isinstance(stated, Words) else self.terms.entails(stated, cls)

    def first(self, stated: Any, cls: str) -> str:
        """The first of the stated classes that is a cls."""
        return stated.first(cls) if isinstance(stated, Words) else self.terms.first(stated, cls)


class SeenOne:
    """A thing in one lane."""

    def __init__(self, view: View, one: One):
        self.view, self.one, self.name = view, one, one.name

    @cached_property
    def facts(self) -> SeenFacts:
        """What is stated of it."""
        return SeenFacts(self.view, self.one)

    @property
    def made(self) -> tuple[SeenOne, str, str] | None:
        """Whose it is, by which relation and of which class, where nobody named it."""
        if self.one.made is None:
            return None
        owner, role = self.one.made
        is_ = tuple(self.facts.is_)
        return self.view.of(owner), role, is_[0] if is_ else ""


class SeenLinks:
    """What a property leads to in one lane."""

    def __init__(self, view: View, links: Links):
        self.things = [view.of(y) for y, lanes in links.things.items() if view.bit(lanes)]
        self.complete, self.presumed = view.bit(links.complete), view.bit(links.presumed)
        self.barred = frozenset(name for name, lanes in links.barred.items() if view.bit(lanes))


class Things(Mapping[str, Any]):
    """The things of one lane by name."""

    def __init__(self, view: View):
        self.view = view

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, x in self.view.lanes.things.items() if self.view.bit(x.here)])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, name: str) -> Any:
        x = self.view.lanes.things[name]
        if not self.view.bit(x.here):
            raise KeyError(name)
        return self.view.of(x)


class Told(Things):
    """What is stated of the things of one lane, by name."""

    def __getitem__(self, name: str) -> Any:
        return super().__getitem__(name).facts


class SeenCase:
    """A case as it is told in one lane; the question and the order of events are those of all lanes."""

    def __init__(self, view: View, case: Case):
        self.things, self.question, self.history = Told(view), case.question, case.history
        self.elsewhere = case.elsewhere  # as in all lanes: no change of facts is one of this


class View:
    """One lane. same: the lanes in which all that was looked at is the same."""

    def __init__(self, lanes: Staged, lane: int, among: int):
        self.lanes, self.lane, self.same, self.among = lanes, lane, among, among
        self.vocabulary, self.done = SeenTerms(lanes.vocabulary), lanes.done
        self.entailed = lanes.vocabulary.entails
        self.ones: dict[One, SeenOne] = {}
        self.things = Things(self)
        self.case = SeenCase(self, lanes.cases[lane])

    def bit(self, lanes: int) -> bool:
        """Whether this lane is one of some, seen: others go on only as far as they are so too."""
        so = bool(lanes >> self.lane & 1)
        self.same &= lanes if so else ~lanes
        return so

    def of(self, one: One) -> SeenOne:
        """A thing in this lane; the same object each time."""
        found = self.ones.get(one)
        if found is None:
            found = self.ones[one] = SeenOne(self, one)
        return found

    def successors(self, x: SeenOne, name: str) -> SeenLinks:
        """What a relation leads to."""
        return SeenLinks(self, self.lanes.successors(x.one, name, self.among))

    def verdict(self, found: Any) -> bool | None:
        """What a built-in says of a class; in a case where nothing is presumed, not what is."""
        if found is None or (found.soft and not self.lanes.presumes):
            return None
        return found.value  # type: ignore[no-any-return]


class Seeing(Staged):
    """Asks built-ins."""

    def seen(self, at: int, ask: Callable[[View], T]) -> Parts[T]:
        """What is found in each of some lanes."""
        found: Parts[T] = {}
        spent = 0
        while at:
            view = View(self, (at & -at).bit_length() - 1, at)
            value = ask(view)
            put(found, value, view.same)
            at &= ~view.same
            spent += 1
            if spent == SPENT:
                self.lose("too many ways to see it", at)
                break
        return found
