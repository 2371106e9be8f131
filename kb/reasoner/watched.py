"""A case that notes what of it is read: whoever is told the same in all of that has the same answer, whatever else is told of him.

    staged(theory, case) -> Situation     the case on the stage, its things watched
    Reads                                 what was read of it

A thing's classes, numbers, flags and texts are watched one by one; the rest of a case (its frame) is the same for all that share an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

from kb.language.case import Case, Facts
from kb.language.vocabulary import Vocabulary
from kb.reasoner.effects import stage
from kb.reasoner.situation import Situation
from kb.rulebook.theory import Kind, Theory

Look = tuple[str, Any]  # in what way something is read of a thing, and what
WAYS: dict[str, Callable[[Theory, Facts, Kind, Any], Any]] = {
    "leaf": lambda theory, facts, kind, cls: (kind.leaves.get(cls) or theory.leaf(kind, cls))[1:],
    "type": lambda theory, facts, kind, cls: cls in kind.types,
    "stated": lambda theory, facts, kind, cls: cls in kind.stated,
    "denied": lambda theory, facts, kind, cls: cls in kind.denied,
    "kind": lambda theory, facts, kind, field: getattr(kind, field),
    "fits": lambda theory, facts, kind, cls: theory.fits(kind, cls),
    "source": lambda theory, facts, kind, cls: kind.source.get(cls),
    "deontic": lambda theory, facts, kind, question: tuple(n.id for n, _ in theory.deontic_of(kind, question)),
    "quantities": lambda theory, facts, kind, name: tuple(n.id for n in theory.numbers_of(kind, name)),
    "scope": lambda theory, facts, kind, _: theory.scope_of(kind),
    "told": lambda theory, facts, kind, field: getattr(facts, field),
    "one": lambda theory, facts, kind, at: at[1] in getattr(facts, at[0]),
    "entails": lambda theory, facts, kind, at: theory.vocabulary.entails(getattr(facts, at[0]), at[1]),
    "first": lambda theory, facts, kind, at: theory.vocabulary.first(getattr(facts, at[0]), at[1]),
    "those": lambda theory, facts, kind, at: theory.vocabulary.those(
        getattr(kind if at[0] == "stated" else facts, at[0]), at[1]
    ),
    "value": lambda theory, facts, kind, at: getattr(facts, at[0]).get(at[1]),
}


def looked(theory: Theory, facts: Facts, look: Look) -> Any:
    """What is found where something is read of a thing that is told so, to be compared."""
    return mark(WAYS[look[0]](theory, facts, theory.kind_of(facts.is_, facts.not_), look[1]))


def mark(found: Any) -> Any:
    """What was found, to be compared: dictionaries by what they hold, in order."""
    return tuple(found.items()) if isinstance(found, Mapping) else found


COMPILED = not isinstance(vars(Situation)["outcome"], FunctionType)  # what is compiled takes no facts but Facts


class Reads:
    """What was read of a case, each with what was found; whole: whether it was more than can be told one by one; walk: how it was found
    which facts nothing reads, where that was asked."""

    walk: Any = None
    walks: Any = None  # the walks that are known of such cases, to be found or added to (kb.batch.alike)

    def __init__(self, theory: Theory):
        self.theory, self.whole = theory, False
        self.found: dict[str, dict[str, dict[Any, Any]]] = {}

    def of(self, name: str) -> Mapping[Look, Any]:
        """What was read of a thing, to be compared."""
        return {
            (way, at): mark(found) for way, rows in self.found.get(name, {}).items() for at, found in rows.items()
        }  # fmt: skip

    def also(self, other: Reads) -> None:
        """Notes what was read elsewhere of the same case."""
        self.whole = self.whole or other.whole
        for name, ways in other.found.items():
            mine = self.found.setdefault(name, {way: {} for way in WAYS})
            for way, rows in ways.items():
                mine[way].update(rows)

    def names(self) -> set[str]:
        """The things of which something was read."""
        return set(self.found)


class Watched:
    """What is told of one thing, and its kind."""

    __slots__ = ("facts", "found", "kind", "name", "theory")

    def __init__(self, reads: Reads, facts: Facts, kind: Kind):
        self.theory, self.name, self.facts, self.kind = reads.theory, facts.name, facts, kind
        self.found: dict[str, dict[Any, Any]] = reads.found.setdefault(facts.name, {way: {} for way in WAYS})

    def look(self, way: str, at: Any) -> Any:
        """Reads something of it, and notes it."""
        found = self.found[way]
        if at not in found:
            found[at] = WAYS[way](self.theory, self.facts, self.kind, at)
        return found[at]


class Of:
    """A part of what is told of a thing."""

    __slots__ = ("field", "of")

    def __init__(self, of: Watched, field: str):
        self.of, self.field = of, field

    def whole(self) -> Any:
        """All of them, in order."""
        return self.of.look("told", self.field)

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole())

    def __len__(self) -> int:
        return len(self.whole())

    def __eq__(self, other: object) -> bool:
        return bool(self.whole() == other)

    __hash__ = None  # type: ignore[assignment]


class Words(Of):
    """Classes that are stated of it, or denied."""

    __slots__ = ()

    def __contains__(self, cls: object) -> bool:
        return bool(self.of.look("one", (self.field, cls)))

    def __getitem__(self, at: Any) -> Any:
        return self.whole()[at]


class Values(Of):
    """Numbers, flags or texts."""

    __slots__ = ()

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a property."""
        found = self.of.look("value", (self.field, name))
        return default if found is None else found

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def items(self) -> Any:
        """All of them."""
        return self.whole().items()

    def keys(self) -> Any:
        """The properties that have one."""
        return self.whole().keys()

    def values(self) -> Any:
        """The values of all."""
        return self.whole().values()


class SeenFacts:
    """What is told of a thing, as a Facts has it."""

    __slots__ = ("flags", "is_", "label", "links", "name", "not_", "numbers", "one_sided", "texts", "unknown")

    def __init__(self, of: Watched):
        facts = of.facts
        self.one_sided = facts.one_sided
        self.name, self.links, self.unknown, self.label = facts.name, facts.links, facts.unknown, facts.label
        self.is_, self.not_ = Words(of, "is_"), Words(of, "not_")
        self.numbers, self.flags, self.texts = Values(of, "numbers"), Values(of, "flags"), Values(of, "texts")


class Classes:
    """The classes that a kind entails, or excludes."""

    __slots__ = ("field", "of", "way")

    def __init__(self, of: Watched, field: str, way: str):
        self.of, self.field, self.way = of, field, way

    def __contains__(self, cls: object) -> bool:
        return bool(self.of.look(self.way, cls))

    def whole(self) -> frozenset[str]:
        """All of them."""
        return self.of.look("kind", self.field)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole())

    def __len__(self) -> int:
        return len(self.whole())

    def isdisjoint(self, others: Any) -> bool:
        """Whether none of some classes is one of them."""
        return not any(cls in self for cls in others)

    def __rand__(self, others: Any) -> Any:
        return {cls for cls in others if cls in self}

    __and__ = __rand__


class Remembered:
    """What is remembered with a kind, by a word."""

    __slots__ = ("kept", "of", "seen", "way")

    def __init__(self, of: Watched, kept: Any, way: str):
        self.of, self.kept, self.way, self.seen = of, kept, way, of.found[way]

    def get(self, at: str, default: Any = None) -> Any:
        """What is remembered under a word."""
        if at not in self.seen:
            self.of.look(self.way, at)
        return self.kept.get(at, default)

    def __contains__(self, at: str) -> bool:
        self.of.look(self.way, at)
        return at in self.kept

    def __getitem__(self, at: str) -> Any:
        self.of.look(self.way, at)
        return self.kept[at]

    def __setitem__(self, at: str, found: Any) -> None:
        self.kept[at] = found


class SeenKind:
    """A kind, as a Kind has it."""

    def __init__(self, of: Watched):
        kind = of.kind
        self.of, self.types, self.denied = of, Classes(of, "types", "type"), Classes(of, "denied", "denied")
        self.leaves, self.fits = Remembered(of, kind.leaves, "leaf"), Remembered(of, kind.fits, "fits")
        self.source, self.deontic = Remembered(of, kind.source, "source"), Remembered(of, kind.deontic, "deontic")
        self.numbers = Remembered(of, kind.numbers, "quantities")

    @property
    def stated(self) -> Any:
        """The classes that are stated."""
        return Classes(self.of, "stated", "stated")

    @property
    def existential(self) -> Any:
        """What there must be of it."""
        return self.of.look("kind", "existential")

    @property
    def scope(self) -> Any:
        """The rows of the scopes that can be about it."""
        self.of.look("scope", None)
        return self.of.kind.scope


class SeenTerms:
    """The terms of the book, as they are asked what words of a case mean."""

    def __init__(self, terms: Vocabulary):
        self.terms = terms

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.terms, name)
        setattr(self, name, found)
        return found

    def entails(self, stated: Any, cls: str) -> bool:
        """Whether one of the stated classes is a cls."""
        return (
            bool(stated.of.look("entails", (stated.field, cls)))
            if isinstance(stated, Words)
            else self.terms.entails(stated, cls)
        )

    def those(self, stated: Any, wanted: Callable[[str], bool]) -> tuple[str, ...]:
        """Those of the stated classes that somebody looks for."""
        seen = isinstance(stated, (Words, Classes))
        return stated.of.look("those", (stated.field, wanted)) if seen else self.terms.those(stated, wanted)

    def first(self, stated: Any, cls: str) -> str:
        """The first of the stated classes that is a cls."""
        return (
            str(stated.of.look("first", (stated.field, cls)))
            if isinstance(stated, Words)
            else self.terms.first(stated, cls)
        )


OWN = vars(Case)  # how the fields of a case are read, of one that is changed too


class SeenCase(Case, frozen=True):
    """A case of which only the frame may be looked at unseen."""

    reads: Any = None

    @property  # type: ignore[misc]
    def things(self) -> Mapping[str, Facts]:
        """What is stated of all things; with that, everything is read."""
        self.reads.whole = True
        return OWN["things"].__get__(self)  # type: ignore[no-any-return]

    @property  # type: ignore[misc]
    def said(self) -> Mapping[str, Facts]:
        """The same in the words of the case."""
        self.reads.whole = True
        return OWN["said"].__get__(self)  # type: ignore[no-any-return]


def plain(case: Case) -> Case:
    """A case that is not watched."""
    if not isinstance(case, SeenCase):
        return case
    return Case(**{name: OWN[name].__get__(case) for name in Case.__struct_fields__})


def watchable(case: Case) -> bool:
    """Whether a case may be watched: not one with a history, of what an event brings about, or of several candidates."""
    return not (COMPILED or case.history or case.question.kind in ("which", "effects"))


def staged(theory: Theory, case: Case) -> tuple[Situation, Reads] | None:
    """The case on the stage, with its things watched; None where that is not done, and where states of things have put others elsewhere."""
    if not watchable(case):
        return None
    situation = stage(theory, case)
    if situation.now is not case:
        return None
    reads = Reads(theory)
    for x in situation.things.values():
        of = Watched(reads, x.facts, x.kind)
        x.facts, x.kind = SeenFacts(of), SeenKind(of)  # type: ignore[assignment]
    situation.vocabulary = SeenTerms(theory.vocabulary)  # type: ignore[assignment]
    fields = {f: getattr(case, f) for f in case.__struct_fields__}
    situation.case = situation.now = SeenCase(**fields, reads=reads)
    return situation, reads
