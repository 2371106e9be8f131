"""The terms of one book's ontology, as the reasoner uses them: classified, closed, and free of RDF.

Built from ontology/*.ttl by kb.ontology.build (`loophole build`), shipped as ontology/inferred/<book>.json, and read here
without a reasoner or an RDF library. Names are local names, unique inside a book's namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kb.language import inferred
from kb.language.inferred import seal as seal, sealed as sealed
from kb.language.terms import (
    ABSENT as ABSENT,
    ASKED as ASKED,
    COMPLETE as COMPLETE,
    CONCLUDED as CONCLUDED,
    AskedThrough as AskedThrough,
    AsOne as AsOne,
    Cell as Cell,
    CellMark as CellMark,
    ChangedBy as ChangedBy,
    ClassTerm as ClassTerm,
    FailsWith as FailsWith,
    MustBeTold as MustBeTold,
    PropertyTerm as PropertyTerm,
    Singly as Singly,
    TakenFor as TakenFor,
    ToldAs as ToldAs,
    ToldBy as ToldBy,
    ToldByKind as ToldByKind,
    ToldThrough as ToldThrough,
)

# What does not count in a name: neither a letter nor a digit, and no sign of the games'.
ASIDE = re.compile(r'_|[^\w?"#⅝]')
LONGEST_LABEL = 9  # words of a label that are looked for in a condition
ACTOR = "actor"  # the relation of an act to whoever does it
AFTER = "after"  # the relation of an act to one that goes before it
AT = "at"  # the relation of a thing to where it is
COUNT = "count"  # the number of pieces that a thing stands for
HISTORY = "history"  # the module that works out which acts have happened
MEMBER = "member"  # the relation of a group to who belongs to it
TAKEN = {"possesses", "carries"}  # what goes wherever a thing goes, where a book's relation is above both


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All terms of one book. `resolve` finds a term by name, label or abbreviation."""

    book: str
    version: str
    classes: Mapping[str, ClassTerm]
    properties: Mapping[str, PropertyTerm]
    _names: dict[str, list[str]] = field(default_factory=dict, repr=False)
    _with_ends: dict[tuple[str, ...], Vocabulary] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for term in self.all():
            for name in (term.label, *term.alt):
                found = self._names.setdefault(fold(name), [])
                if term.name not in found:
                    found.append(term.name)
        for pool in (self.classes, self.properties):
            for name in pool:
                found = self._names.setdefault(fold(name), [])
                if not any(other in pool for other in found):  # a label goes before another term's folded name
                    found.append(name)
        bare: dict[str, list[str]] = {}  # an act may be named without the "to" of its infinitive
        for term in self.classes.values():
            for name in {fold(alt[3:]) for alt in term.alt if alt.startswith("to ")}:
                if name not in self._names:
                    bare.setdefault(name, []).append(term.name)
        self._names.update(bare)
        for name in (*self.classes, *self.properties):
            self._names.setdefault(name, []).insert(0, name)

    def resolve(self, word: str, kinds: Iterable[Container[str]] = ()) -> str | None:
        """The term that `word` names: exactly, else by label or abbreviation when only one fits."""
        pools = tuple(kinds) or (self.classes, self.properties)
        if any(word in pool for pool in pools):
            return word
        for spelling in (word, fold(word)):
            found = {n for n in self._names.get(spelling, ()) if any(n in pool for pool in pools)}
            if len(found) > 1:  # a term's own name or label goes before what another is also called
                terms = {n: self.term(n) for n in found}
                forms = {n: [f for f in (n, t.label, *t.alt) if fold(f) == fold(word)] for n, t in terms.items()}
                exact = {n for n, spelled in forms.items() if word in spelled}
                if len(exact) == 1 and any(
                    w.isupper() for spelled in forms.values() for f in spelled for w in f.split()
                ):
                    return exact.pop()  # dm is not DM, nor “adjacent to” “ADJACENT to”
                found = {n for n, t in terms.items() if fold(word) in (fold(n), fold(t.label))}
                if len(found) > 1:  # “Adjacent to”, at the head of a line
                    found = {n for n in found if word.lower() in forms[n]}
                elif not found and word != word.lower():  # “Placed” of a charge is not “placed” of anything
                    found = exact or {n for n in terms if word.lower() in forms[n]}
            if len(found) == 1:
                return found.pop()
        return None

    def meanings(self, word: str, pool: Mapping[str, Any]) -> list[str]:
        """The names of the terms of a pool that a word may stand for."""
        return sorted(n for n in self._names.get(fold(word), ()) if n in pool)

    def in_one_word(self, text: str) -> str:
        """A condition with each label of several words (“in CA of”) written as the name of its term; the longest first."""
        spans = list(re.finditer(r"[^\s()]+", text))
        for n in range(min(len(spans), LONGEST_LABEL), 1, -1):
            for first, last in zip(spans, spans[n - 1 :], strict=False):
                name = self.resolve(text[first.start() : last.end()])
                if name is not None:
                    return self.in_one_word(text[: first.start()]) + name + self.in_one_word(text[last.end() :])
        return text

    def own(self, name: str) -> bool:
        """Whether a class is the book's own, not one that it shares with other games."""
        return self.classes[name].iri.rpartition("#")[0].endswith("/" + self.book)

    def own_word(self, name: str) -> str | None:
        """The book's single class of its own for a shared notion: what its readers call it. None: it has none, or several."""
        below = [] if self.own(name) else [d for d in self.classes[name].descendants if self.own(d)]
        top = [d for d in below if not any(o != d and o in self.classes[d].ancestors for o in below)]
        if len(top) != 1:
            return None
        # A special kind, presumed not so (Pioneers), is no other word for the wide one (infantry).
        special = self.classes[top[0]].when_unstated == ABSENT != self.classes[name].when_unstated
        return None if special else top[0]

    @cached_property
    def told(self) -> Mapping[str, ToldBy]:
        """The properties that a case may tell in a roundabout way, each with what tells it."""
        return {name: term.told_by for name, term in self.properties.items() if term.told_by}

    @cached_property
    def singly(self) -> dict[str, Singly]:
        """The relations to several things of which one alone is told otherwise, each with how."""
        return {name: term.singly for name, term in self.properties.items() if term.singly}

    @cached_property
    def doers(self) -> frozenset[str]:
        """The relations by which something takes part in an act as its actor does: the actor's, and those beside it."""
        return frozenset(r for p in self.properties.values() if ACTOR in p.below for r in p.below)

    @cached_property
    def left_behind(self) -> tuple[str, ...]:
        """The relations that somebody has by where he stands, and has no more once he moves off: what he is behind, next to, aboard."""
        moved = {
            p.name: [c for c in p.changed_by if c.mover == ACTOR and not c.of_state] for p in self.properties.values()
        }
        return tuple(name for name, changes in moved.items() if any(not c.place for c in changes))

    def unnamed(self, role: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What something is to which a relation leads, and nobody names it: of the range; and is not: who does an act is no act."""
        term = self.properties[role]
        is_ = (term.range,) if term.range in self.classes else ()
        not_ = (term.domain,) if role in self.doers and term.domain in self.classes else ()
        return is_, not_

    @cached_property
    def told_numbers(self) -> dict[str, tuple[str, ...]]:
        """Those of them that are numbers."""
        return {name: way.roles for name, way in self.told.items() if self.properties[name].kind == "number"}

    @cached_property
    def cell(self) -> Cell | None:
        """What a cell of the map is; None where the ontology does not say."""
        relation = next((term for term in self.properties.values() if term.cell), None)
        if relation is None or (told := relation.cell) is None:
            return None
        name = self.properties[told.to_it].range
        cells = self.classes[name].descendants
        owing = {
            cls: roles
            for cls, term in self.classes.items()
            if (roles := tuple(role for role, other in term.existential if other == told.ground))
        }
        below = [self.properties[q] for q in relation.below if q != relation.name]
        pieces = frozenset(c for kind in told.lying for c in self.classes[kind].descendants)
        within = next((p.name for p in below if p.range in pieces), "")
        normal = {q for role in (AT, *sum(owing.values(), ())) for q in self.properties[role].below}
        ways = {q: (q, *self.properties[q].inverses) for q in relation.below}
        single = {w for p in below if p.functional for w in ways[p.name]}
        keeps = frozenset(w for q in relation.below for w in ways[q])
        of_cells = (q for q, p in self.properties.items() if p.kind == "object" and {p.domain, p.range} & cells)
        whole = frozenset(q for q, p in self.properties.items() if p.of_whole_cell)
        return Cell(
            name, relation.name, cells, told.to_it, told.key, told.ground, told.lying, pieces, within, owing, keeps & single, keeps - single,
            keeps - {w for q in normal for w in (q, *self.properties[q].inverses)}, frozenset(of_cells), whole,
            {d: term.in_cell for term in self.classes.values() if term.in_cell for d in term.descendants},
        )  # fmt: skip

    @cached_property
    def meant_by(self) -> dict[str, dict[str, str]]:
        """By class of act: the relations that a case may tell instead of another one, each with that one."""
        found: dict[str, dict[str, str]] = {}
        for role, term in self.properties.items():
            for other in term.taken_for:
                for cls in self.classes[other.act].descendants:
                    found.setdefault(cls, {}).setdefault(other.role, role)
        return found

    @cached_property
    def by_kind(self) -> dict[str, list[tuple[str, ToldByKind]]]:
        """By class of act: the relations that a value of another one may be meant for, each with how."""
        found: dict[str, list[tuple[str, ToldByKind]]] = {}
        for role, term in self.properties.items():
            for way in term.told_by_kind:
                for cls in self.classes[way.act].descendants:
                    found.setdefault(cls, []).append((role, way))
        return found

    @cached_property
    def borne(self) -> dict[str, list[tuple[str, ToldThrough]]]:
        """By class of act: the relations that what one who takes part in it has may tell, each with how."""
        found: dict[str, list[tuple[str, ToldThrough]]] = {}
        for role, term in self.properties.items():
            for way in term.told_through:
                for cls in self.classes[way.act].descendants:
                    found.setdefault(cls, []).append((role, way))
        return found

    @cached_property
    def told_otherwise(self) -> dict[str, list[tuple[str, str, str]]]:
        """By class that a case may tell instead of another one: the relation and the kind that give it away, and that other one."""
        found: dict[str, list[tuple[str, str, str]]] = {}
        for name, term in self.classes.items():
            for way in term.told_as:
                found.setdefault(way.wide, []).append((way.role, way.kind, name))
        return found

    @cached_property
    def happened(self) -> frozenset[str]:
        """The classes of acts that are said to have happened already, which is what the history says of the acts in it."""
        return frozenset(c for term in self.classes.values() if term.derived == HISTORY for c in term.descendants)

    @cached_property
    def sound(self) -> set[tuple[object, ...]]:
        """The ways in which cases have described a thing, as kb.language.case.form has them, that were found faultless; cases repeat them."""
        return set()

    @cached_property
    def above(self) -> dict[str, list[str]]:
        """By relation: itself and those that it is a narrower one of."""
        found: dict[str, list[str]] = {}
        for name, term in self.properties.items():
            for below in term.below:
                found.setdefault(below, []).append(name)
        return found

    @cached_property
    def changing(self) -> tuple[PropertyTerm, ...]:
        """The relations that what happens changes."""
        return tuple(term for term in self.properties.values() if term.changed_by)

    @cached_property
    def clock(self) -> PropertyTerm | None:
        """The number that says how late something is done, with the events that change it; None where a book counts no turns."""
        return next((term for term in self.changing if term.kind == "number"), None)

    @cached_property
    def owed_by_acts(self) -> tuple[PropertyTerm, ...]:
        """The relations that some acts must be told with."""
        return tuple(term for term in self.properties.values() if term.must_be_told)

    @cached_property
    def moving(self) -> frozenset[str]:
        """The names of the relations that acts change, `at` above all, and of those opposite."""
        acted = (term for term in self.changing if not all(rule.of_state for rule in term.changed_by))
        return frozenset(q for term in acted for q in (term.name, *term.inverses))

    @cached_property
    def passing(self) -> tuple[tuple[str, ChangedBy], ...]:
        """The classes that things are told to be of until something happens, each with what."""
        return tuple((term.name, rule) for term in self.classes.values() for rule in term.changed_by)

    @cached_property
    def failing(self) -> tuple[tuple[str, FailsWith], ...]:
        """The classes of acts that may come to nothing, each with what."""
        return tuple((term.name, way) for term in self.classes.values() for way in term.fails_with)

    @cached_property
    def along(self) -> PropertyTerm | None:
        """The relation of a thing to what goes wherever it goes; None where a book has none above all such relations."""
        return next((term for term in self.properties.values() if TAKEN.issubset(term.below)), None)

    @cached_property
    def whereabouts(self) -> frozenset[str]:
        """The relations that say where a thing is."""
        return frozenset({AT}).union(*(term.below for term in self.properties.values() if term.cell))

    @cached_property
    def ending(self) -> frozenset[str]:
        """The states that change relations: what is one has this one no more, say."""
        enders = {rule.cls for term in self.changing for rule in term.changed_by if rule.of_state}
        return frozenset(name for ender in enders for name in self.classes[ender].descendants)

    def with_ends(self, names: Iterable[str]) -> Vocabulary:
        """The vocabulary with, for each class that norms end, one more of what is none of it: the two exclude each other."""
        ended = tuple(dict.fromkeys(names))
        if not ended:
            return self
        if ended not in self._with_ends:
            classes = inferred.with_ends(self.classes, ended)
            self._with_ends[ended] = Vocabulary(self.book, self.version, classes, self.properties)
        return self._with_ends[ended]

    def term(self, name: str) -> ClassTerm | PropertyTerm:
        """The class or property of a name. Raises KeyError for a name that is none."""
        return self.classes.get(name) or self.properties[name]

    def entails(self, stated: Iterable[str], cls: str) -> bool:
        """Whether one of the stated classes is a `cls`, by the class tree."""
        return cls in self.classes and not self.classes[cls].descendants.isdisjoint(stated)

    def below(self, cls: str) -> frozenset[str]:
        """A class and all below it; nothing where there is no such class."""
        return self.classes[cls].descendants if cls in self.classes else frozenset()

    def first(self, stated: Iterable[str], cls: str) -> str:
        """The first of the stated classes that is a `cls`, by the class tree; "" for none."""
        return next((name for name in stated if cls in self.classes[name].ancestors), "")

    def those(self, stated: Iterable[str], wanted: Callable[[str], bool]) -> tuple[str, ...]:
        """Those of the stated classes that somebody looks for."""
        return tuple(filter(wanted, stated))

    def all(self) -> list[ClassTerm | PropertyTerm]:
        """Every term, classes first."""
        return [*self.classes.values(), *self.properties.values()]

    def names(self) -> list[str]:
        """The names of all classes and properties."""
        return [*self.classes, *self.properties]

    @classmethod
    def from_json(cls, text: str) -> Vocabulary:
        """Read an inferred file. What follows from `parents` and from the pairs told disjoint may be left out there. Raises ValueError for
        one that is not as it was built, and others for one that does not read."""
        return cls(*inferred.read(text))


def fold(word: str) -> str:
    """A name without case, spaces, hyphens and underscores: "Open Ground", "open-ground" and "OpenGround" agree."""
    return ASIDE.sub("", word.casefold())
