"""Reads the steps of a recorded proof: its things, the norms tried, conditions, numbers, relations, facts and changes.

A piece of the rule language is found again by its text among those of the theory, a norm by its id. What stands in the record
twice in the same words is one thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from kb.checker import record_format as r
from kb.errors import LoopholeError, Problem
from kb.language import case as c, norms as m
from kb.language.parser import Fault, condition
from kb.language.vocabulary import Vocabulary
from kb.reasoner.trace import (
    ByNorm,
    Chained,
    Contribution,
    How,
    Implied,
    Links,
    Outcome,
    Reached,
    Stated,
    Step,
    Thing,
    Transitive,
    WorkedOut,
)  # fmt: skip
from kb.rulebook.theory import Theory

T = TypeVar("T")
KNOWN: dict[str, Any] = {"stated": Stated, "implied": Implied, "transitive": Transitive}
LAST: list[tuple[Theory, dict[str, object]]] = []  # what `known` has gathered
FACTS = {kind.__name__: kind for kind in (c.IsA, c.Absent, c.AbsentAtFirst, c.Related, c.RelatedToKind, c.Reaches, c.Lists, c.LeadsTo, c.Flagged, c.Amount, c.OwnSide)}  # fmt: skip


class RecordError(LoopholeError):
    """A recorded proof that cannot be read (E895)."""


def unreadable(what: str) -> RecordError:
    """The error that says what of a record cannot be read."""
    hint = "give a file that loophole ask --proof wrote, or the JSON of an answer, unchanged"
    return RecordError(Problem(895, f"the recorded proof cannot be read: {what}", hint=hint))


def pieces(node: object) -> Iterator[object]:
    """A piece of the rule language and all that it is made of."""
    if isinstance(node, Struct):
        yield node
    for part in m.made_of(node):
        yield from pieces(part)


def known(theory: Theory) -> dict[str, object]:
    """The pieces of the rule language that a theory has, by their text; gathered once for the theory that was last asked for."""
    found = next((by_text for of, by_text in LAST if of is theory), None)
    if found is None:
        found = gathered(theory)
        LAST[:] = [(theory, found)]
    return dict(found)


def gathered(theory: Theory) -> dict[str, object]:
    """The pieces of the rule language that a theory has, by their text."""
    found: dict[str, object] = {}
    for norm in theory.norms.values():
        for node in pieces((norm.head, norm.when, tuple(u.condition for u in norm.unless))):
            if not isinstance(node, m.Head):
                found.setdefault(str(node), node)
    rows = [row.condition for told in theory.scope.values() for row in told]
    for node in pieces((*(d for defined in theory.definitions.values() for d in defined), *rows)):
        found.setdefault(str(node), node)
    return found


class Steps:
    """Reads the steps of one proof; what it has read already is the same when it is met again."""

    def __init__(self, theory: Theory, case: c.Case, record: r.ProofRecord, around: Steps | None = None):
        """around: who reads the proof that this one is within; what both tell in the same words is one."""
        self.theory, self.case = theory, case
        self.nodes: dict[str, object] = known(theory) if around is None else around.nodes
        self.seen: dict[Any, Any] = {} if around is None else around.seen
        question: c.Question | None = case.question
        while question is not None:
            for node in pieces(question.condition):
                self.nodes.setdefault(str(node), node)
            question = question.inner
        self.things: list[Thing] = []
        self.moments: Counter[tuple[object, ...]] = Counter()
        for row in record.things:
            self.things.append(self.thing(row))
        self.outcomes: list[Outcome] = []

    def once(self, key: tuple[Any, ...], made: T) -> T:
        """What was read before in the same words, or this."""
        return self.seen.setdefault(key, made)  # type: ignore[no-any-return]

    # ── things ──

    def thing(self, row: r.ThingRecord) -> Thing:
        """A thing, as it was at that moment."""
        facts = facts_of(self.theory.vocabulary, row.name, row.facts, row.called)
        self.known_words((*row.is_, *row.not_))
        kind = self.theory.kind(frozenset(row.is_), frozenset(row.not_))
        made = None if row.made is None else (self.at(row.made[0]), row.made[1], row.made[2])
        # A thing of which the same is said at another moment is another.
        told = (row.name, row.label, row.is_, row.not_, str(row.facts), id(made and made[0]))
        self.moments[told] += 1
        return self.once(("thing", *told, self.moments[told]), Thing(row.name, row.label, facts, kind, False, made))

    def known_words(self, names: Iterable[str]) -> None:
        """Raises RecordError for a name that is no class and no property."""
        terms = self.theory.vocabulary
        for name in names:
            if name not in terms.classes and name not in terms.properties:
                raise unreadable(f"there is no term “{name}”")

    def at(self, place: int) -> Thing:
        """The thing at a place of the list."""
        if not 0 <= place < len(self.things):
            raise unreadable(f"there is no thing {place}")
        return self.things[place]

    # ── pieces of the rule language ──

    def node(self, text: str) -> Any:
        """The piece of the rule language with a text."""
        found = self.nodes.get(text)
        if found is None:
            found = self.nodes[text] = self.made(text)
        return found

    def made(self, text: str) -> object:
        """A piece that no norm has: a class, a number or its name, what a step asks beside the norms."""
        terms = self.theory.vocabulary
        if text in terms.properties:
            return m.Path("", (text,))
        if text in terms.classes:
            return m.Named(text)
        try:
            return m.Num(Fraction(text))
        except (ValueError, ZeroDivisionError):
            pass
        try:
            found = condition(text)
        except Fault as fault:
            raise unreadable(f"“{text}” is no piece of the rule language: {fault}") from None
        match found:
            case m.HasValue(role, m.Path("", (name,))) if name in self.case.things and name not in terms.properties:
                found = m.HasValue(role, m.Path(name, ()))  # whether it concerned that thing of the case
                self.known_words([role.name])
                return found
        self.known_words(m.names_in(found))
        return found

    # ── norms ──

    def norm(self, name: str) -> m.Norm:
        """The norm of an id."""
        found = self.theory.norms.get(name)
        if found is None:
            raise unreadable(f"there is no norm {name}")
        return found

    def outcome(self, row: r.Tried) -> Outcome:
        """A norm that was tried."""
        norm, focus = self.norm(row.norm), self.at(row.of)
        head, when = self.maybe(row.head), self.maybe(row.when)
        unless = []
        for n, told in enumerate(row.unless):
            if n >= len(norm.unless):
                raise unreadable(f"{norm.id} has no exception “{told.label}”")
            unless.append((norm.unless[n], self.step(told.step)))
        env = {"this": focus, **{name: self.at(place) for name, place in row.names.items()}}
        key = ("norm", norm.id, id(focus), row.applies, id(head), id(when), tuple(id(s) for _, s in unless), row.presumes, tuple(sorted(row.names.items())))  # fmt: skip
        found = self.once(key, Outcome(norm, focus, row.applies, head, when, tuple(unless), env, row.presumes))
        self.outcomes.append(found)
        return found

    def tried(self, name: str, on: str = "") -> Outcome:
        """A norm that was tried and told before, on a thing of a name. Raises RecordError where none was."""
        for o in self.outcomes:
            if o.norm.id == name and (not on or o.focus.name == on):
                return o
        raise unreadable(f"{name} is said to have been tried, and not told")

    def contribution(self, row: r.ContributionRecord) -> Contribution:
        """A norm's part in a number; what it lost to is found once all parts are read."""
        outcome, value = self.outcome(row.outcome), self.maybe(row.value)
        principle = None
        if row.principle is not None:
            principle = next((p for p in self.theory.policy.principles if p.name == row.principle), None)
            if principle is None:
                raise unreadable(f"there is no principle “{row.principle}”")
        key = ("part", row.op, row.state, row.bound, id(outcome), id(value), row.by, row.principle)
        made = Contribution(row.op, outcome, value, row.bound or "", row.state, row.state == "beaten", None, principle)
        return self.once(key, made)

    def lost(self, row: r.ContributionRecord, made: Contribution, rows: list[Contribution]) -> Contribution:
        """The same, with what it lost to: one of the other parts, or a norm told before."""
        if row.by is not None and made.by is None:
            made.by = next((q.outcome for q in rows if q.outcome.norm.id == row.by), None) or self.tried(row.by)
        return made

    # ── steps ──

    def maybe(self, row: r.StepRecord | None) -> Step | None:
        """A step, where there is one."""
        return None if row is None else self.step(row)

    def step(self, row: r.StepRecord) -> Step:
        """A step, and what it leans on."""
        parts = [self.part(q) for q in row.parts]
        rows = [q for q in parts if isinstance(q, Contribution)]
        for told, made in zip(row.parts, parts, strict=True):
            if isinstance(told, r.ContributionStep):
                self.lost(told, made, rows)
        value = exact(row.value) if isinstance(row.value, str) else row.value
        thing = self.at(row.of)
        key = ("step", row.node, id(thing), value, type(value), row.why, row.presumes, tuple(map(id, parts)))
        return self.once(key, Step(self.node(row.node), thing, value, row.why, tuple(parts), row.presumes))  # type: ignore[arg-type]

    def part(self, row: object) -> Any:
        """What a step leans on."""
        match row:
            case r.StepRecord():
                return self.step(row)
            case r.NormStep():
                return self.outcome(row)
            case r.ContributionStep():
                return self.contribution(row)
        assert isinstance(row, r.LinkStep)
        thing = self.at(row.of)
        how = self.how(row)
        return self.once(
            ("link", id(thing), id(how) if isinstance(how, ByNorm) else how), Reached(Links((thing,), {thing.name: how}, True, False), thing)
        )  # fmt: skip

    def how(self, row: r.LinkStep) -> How:
        """How a value of a property is known."""
        match row.why:
            case "chain":
                return Chained(row.via)
            case "module" if len(row.via) == 2:
                return WorkedOut(row.via[0], row.via[1] == "True")
            case "norm" if len(row.parts) == 2:
                outcome, step = map(self.part, row.parts)
                return self.once(("by", id(outcome), id(step)), ByNorm(outcome, step))
        if row.why not in KNOWN or len(row.via) != 1:
            raise unreadable(f"“{row.why}” is no way to know a relation")
        found: How = KNOWN[row.why](row.via[0])
        return found

    # ── facts and changes ──

    def fact(self, row: r.FactRecord) -> Any:
        """One thing that may be so."""
        kind = FACTS.get(row.kind)
        if kind is None:
            raise unreadable(f"“{row.kind}” is no kind of fact")
        told: dict[str, Any] = {
            name: value for name in row.__struct_fields__ if name != "kind" and (value := getattr(row, name)) is not msgspec.UNSET
        }  # fmt: skip
        self.known_words(str(told[part]) for part in ("cls", "flag", "quantity") if part in told)
        if "value" in told:
            told["value"] = exact(told["value"])
        if "filler" in told:
            told["filler"] = self.node(told["filler"])
        if "role" in told:
            self.known_words([told["role"].removeprefix("inverse ")])
        if "role" in told and kind in (c.Related, c.Reaches, c.Lists):
            told["role"] = m.Role(told["role"].removeprefix("inverse "), told["role"].startswith("inverse "))
        try:
            return kind(**told)
        except TypeError:
            raise unreadable(f"a fact of kind {row.kind} has other parts") from None

    def edit(self, row: r.EditRecord) -> c.Edit:
        """A change of the case."""
        self.known_words([row.name])
        value: Any = None
        match row.kind:
            case "link":
                described = row.things if isinstance(row.things, dict) else {}
                value = (
                    row.to,
                    {name: facts_of(self.theory.vocabulary, name, told) for name, told in described.items()},
                )
            case "number":
                value = exact(str(row.value))
            case "flag":
                value = row.value
            case "become":
                value = frozenset(row.instead or ())
        return c.Edit(row.kind, row.thing, row.name, value)

    def edits(self, rows: tuple[r.EditRecord, ...]) -> tuple[c.Edit, ...]:
        """Changes of the case, in their order."""
        return tuple(map(self.edit, rows))


def exact(text: str) -> Fraction:
    """An exact number. Raises RecordError."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise unreadable(f"“{text}” is no number") from None


def facts_of(terms: Vocabulary, name: str, told: Mapping[str, Any], label: str = "") -> c.Facts:
    """What is stated of a thing. Raises RecordError for a word that is none."""
    links, numbers, flags, texts = {}, {}, {}, {}
    for key, value in told.items():
        if key in ("is", "not", "unknown"):
            continue
        prop = terms.properties.get(key)
        try:
            if prop is None:
                texts[key] = str(value)
            elif prop.kind == "number":
                numbers[key] = Fraction(value)
            elif prop.kind == "flag":
                flags[key] = bool(value)
            elif prop.kind == "object":
                links[key] = tuple(map(str, value))
            else:
                texts[key] = str(value)
        except (TypeError, ValueError, ZeroDivisionError):
            raise unreadable(f"{key} of {name} is {value!r}") from None
    is_, not_, unknown = (tuple(map(str, told.get(key, ()))) for key in ("is", "not", "unknown"))
    return c.Facts(name, is_, not_, unknown, links, numbers, flags, label, texts)
