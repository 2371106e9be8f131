"""Looks up every name of a rulebook in its vocabulary, and every citation among its rules.

Names may be written as local name, label or abbreviation; here they become local names. Names that fit nothing, or
fit as the wrong kind of term, are reported with the nearest spelling, all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from kb.errors import Place, Problem, RulebookError, did_you_mean
from kb.language import norms as m
from kb.language.vocabulary import Vocabulary
from kb.rulebook.definitions import Definitions
from kb.rulebook.overrides import misused, with_exceptions
from kb.rulebook.places import of_word


def link(book: m.Book, vocabulary: Vocabulary, lines: Mapping[str, list[str]] | None = None) -> m.Book:
    """The book with every name resolved. `lines` (file name to its lines) sharpens the places of problems.

    Raises RulebookError with every unknown name and dangling `over`.
    """
    linker = Linker(book, vocabulary, lines or {})
    chapters = tuple(
        replace(
            ch,
            sections=tuple(linker.section(s) for s in ch.sections),
            scope=tuple(map(linker.scope, ch.scope)),
        )
        for ch in book.chapters
    )
    rules = {s.rule: s.norms for ch in chapters for s in ch.sections}
    chapters = tuple(replace(ch, sections=tuple(with_exceptions(s, rules) for s in ch.sections)) for ch in chapters)
    linker.problems += linker.definitions.idle()
    if linker.problems:
        raise RulebookError(linker.problems)
    return replace(book, chapters=chapters)


def unscoped(book: m.Book, vocabulary: Vocabulary) -> list[Problem]:
    """A fault (E209) for each norm of a linked book whose head no scope of its chapter, or of one it builds on, speaks of."""
    chapters = {ch.id: ch for ch in book.chapters}
    problems: list[Problem] = []
    for chapter in book.chapters:
        terms = {row.term for ch in based_on(chapter, chapters) for row in ch.scope if row.kind != m.LEFT}
        told: set[str] = set()
        for norm in (n for s in chapter.sections for n in s.norms):
            for term in decided_by(norm.head):
                if term not in told and terms.isdisjoint(wider(vocabulary, term)):
                    told.add(term)
                    hint = f"say in the scope of {chapter.id} whether it is decided wholly, partly and with which rules, or only named"
                    problems.append(
                        Problem(209, f"“{term}”, which {norm.id} decides, is in no scope", norm.place, hint)
                    )
    return problems


def based_on(chapter: m.Chapter, chapters: Mapping[str, m.Chapter]) -> list[m.Chapter]:
    """A chapter and those that it builds on, directly or not."""
    found = [chapter]
    for ch in found:
        found += [chapters[name] for name in ch.builds_on if name in chapters and chapters[name] not in found]
    return found


def decided_by(head: m.Head) -> Iterator[str]:
    """The terms that a norm with such a head has a part in deciding."""
    match head:
        case m.Deontic(_, act):
            yield act
        case m.CountsAs(_, target, _):
            yield target
        case m.Relates(_, role, _, _):
            yield role
        case m.QuantityHead(_, quantity, _, _):
            yield quantity
        case m.Effect():
            yield from (head.term, m.trigger_of(head))
        case m.Change():
            yield from (head.quantity, m.trigger_of(head))
        case m.Link():
            yield from (head.role, m.trigger_of(head))


def wider(vocabulary: Vocabulary, term: str) -> frozenset[str]:
    """A class and the classes above it, or a property and those that it is below."""
    known = vocabulary.classes.get(term)
    if known is not None:
        return known.ancestors
    return frozenset(q.name for q in vocabulary.properties.values() if term in q.below)


class Linker:
    """Resolves names; knows the norm at hand for the places of problems."""

    def __init__(self, book: m.Book, vocabulary: Vocabulary, lines: Mapping[str, list[str]]):
        self.vocabulary, self.lines = vocabulary, lines
        self.problems: list[Problem] = []
        self.tables = {t.name: t for ch in book.chapters for t in ch.tables}
        self.rules = {s.rule for ch in book.chapters for s in ch.sections}
        norms = [n for ch in book.chapters for s in ch.sections for n in s.norms]
        self.named = m.by_name(norms)
        self.chapters = {ch.id for ch in book.chapters}
        self.definitions = Definitions(book, (*vocabulary.classes, *vocabulary.properties))
        self.problems += self.definitions.problems
        self.rule = ""
        self.place = Place("", 0)

    # ── problems and names ──

    def unknown(self, code: int, word: str, message: str, hint: str) -> None:
        """Adds a fault at the word, where the line that is looked at has it."""
        place, text = of_word(word, self.place, self.lines)
        self.problems.append(Problem(code, message, place, hint, text))

    def look(self, word: str, pool: Mapping[str, Any], what: str, code: int) -> str:
        """The term that a word names in a pool; the word itself, with a fault, where it names none."""
        if word in pool:
            return word
        other = (
            word if word in self.vocabulary.names() else None
        )  # what bears this very name goes before what is called so
        found = self.vocabulary.resolve(word, [pool]) if other is None else None
        if found is not None:
            return found
        other = other or self.vocabulary.resolve(word)
        if other is not None:
            self.unknown(
                code, word, f"“{word}” is not {what}", "properties begin with a small letter, classes with a capital"
            )
        else:
            hint = (
                did_you_mean(word, pool)
                or "see loophole terms, or add it to the terms of the book and run loophole build"
            )
            self.unknown(code, word, f"the ontology has no {what.split(' ', 1)[1]} “{word}”", hint)
        return word

    def cls(self, word: str) -> str:
        """The class that a word names (E201 where none)."""
        return self.look(word, self.vocabulary.classes, "a class", 201)

    def prop(self, word: str, kinds: Iterable[str]) -> str:
        """The property that a word names, of one of some kinds (E202 where none)."""
        name = self.look(word, self.vocabulary.properties, "a property", 202)
        term = self.vocabulary.properties.get(name)
        if term is not None and term.kind not in kinds:
            wanted = {"object": "a relation between things", "number": "a quantity", "flag": "true or false"}
            said = " or ".join(wanted.get(k, k) for k in kinds)
            self.unknown(203, word, f"“{word}” is {wanted.get(term.kind, term.kind)}, here stands {said}", "")
        return name

    # ── conditions ──

    def condition(self, c: m.Condition) -> m.Condition:
        """A condition with every word in it looked up."""
        match c:
            case m.Named(name):
                defined = name in self.definitions.known
                return self.defined(m.Defined(name)) if defined else m.Named(self.cls(name))
            case m.Defined():
                return self.defined(c)
            case m.Not(of):
                return m.Not(self.condition(of))
            case m.And(parts):
                return m.And(tuple(map(self.condition, parts)))
            case m.Or(parts):
                return m.Or(tuple(map(self.condition, parts)))
            case m.Except(base, carve, label):
                return m.Except(self.condition(base), self.condition(carve), label)
            case m.Some(role, filler):
                return m.Some(self.role(role), self.condition(filler))
            case m.Only(role, filler):
                return m.Only(self.role(role), self.condition(filler))
            case m.Count(role, kind, n, filler):
                return m.Count(self.role(role), kind, n, self.condition(filler))
            case m.HasValue(role, target):
                return m.HasValue(self.role(role), self.path(target))
            case m.Same(target):
                return m.Same(self.path(target))
            case m.Of(root, condition):
                return m.Of(root, self.condition(condition))
            case m.Flag(name, value):
                return m.Flag(self.prop(name, ["flag"]), value)
            case m.Bind(of, var):
                return m.Bind(self.condition(of), var)
            case m.Compare(left, op, right):
                return m.Compare(self.expr(left), op, self.expr(right))
        return c

    def defined(self, used: m.Defined) -> m.Condition:
        """The condition that a defined word stands for (E210 where none)."""
        fault = self.definitions.fault(used)
        if fault is not None:
            self.unknown(210, used.name, *fault)
            return m.Anything()
        return self.condition(self.definitions.meaning(used, self.rule))  # type: ignore[arg-type]

    def defined_number(self, used: m.Defined) -> m.Expr:
        """The expression that a defined word stands for (E210 where none)."""
        fault = self.definitions.fault(used)
        if fault is not None:
            self.unknown(210, used.name, *fault)
            return m.Num(Fraction(0))
        return self.expr(self.definitions.meaning(used, self.rule))  # type: ignore[arg-type]

    def role(self, role: m.Role) -> m.Role:
        """A role with its property looked up."""
        return m.Role(self.prop(role.name, ["object"]), role.inverse)

    def path(self, path: m.Path) -> m.Path:
        """A path with its relations looked up."""
        return m.Path(path.root, tuple(self.prop(s, ["object"]) for s in path.steps))

    def expr(self, e: m.Expr) -> m.Expr:
        """An expression with every word in it looked up."""
        match e:
            case m.Path(root, steps):
                if not steps:
                    self.unknown(204, root, f"“{root}” is a thing, not a quantity", f"say {root}.quantity")
                    return e
                if steps[-1] in self.definitions.known:
                    return self.defined_number(m.Defined(steps[-1], (), m.Path(root, steps[:-1])))
                relations = tuple(self.prop(s, ["object"]) for s in steps[:-1])
                return m.Path(root, (*relations, self.prop(steps[-1], ["number"])))
            case m.Defined():
                return self.defined_number(e)
            case m.Otherwise(quantity):
                return m.Otherwise(self.prop(quantity, ["number"]))
            case m.Arith(op, left, right):
                return m.Arith(op, self.expr(left), self.expr(right))
            case m.Call(function, args):
                return m.Call(function, tuple(map(self.expr, args)))
            case m.Aggregate(function, path, filler, quantity):
                named = self.prop(quantity, ["number"]) if quantity else ""
                return m.Aggregate(function, self.path(path), self.condition(filler), named)
            case m.Lookup(table, how, key, column, shift):
                known = self.tables.get(table)
                if known is None:
                    self.unknown(
                        205, table, f"no table is called “{table}”", did_you_mean(table, self.tables, "tables:")
                    )
                elif column not in known.columns:
                    hint = f"its columns: {', '.join(known.columns)}"
                    self.unknown(206, column, f"table “{table}” has no column “{column}”", hint)
                moved = self.expr(shift) if shift is not None else None
                return m.Lookup(table, how, self.expr(key), column, moved)
        return e

    # ── norms ──

    def head(self, head: m.Head) -> m.Head:
        """A head with every word in it looked up."""
        match head:
            case m.Deontic(mode, act):
                return m.Deontic(mode, self.cls(act))
            case m.CountsAs(subject, target, negated):
                subject = "" if subject == "Thing" else self.cls(subject)
                return m.CountsAs(subject, self.cls(target), negated)
            case m.Relates(subject, role, to, negated):
                subject = "" if subject == "Thing" else self.cls(subject)
                return m.Relates(subject, self.prop(role, ["object"]), self.condition(to), negated)
            case m.QuantityHead(op, quantity, of, value, bound):
                return m.QuantityHead(op, self.prop(quantity, ["number"]), self.cls(of), self.expr(value), bound)
            case m.Effect():
                made = (m.NO_MORE if head.ends else "") + self.cls(head.term)
                return replace(head, cls=made, path=self.path(head.path), **self.trigger(head))
            case m.Change(quantity=quantity):
                value = self.expr(head.value)
                return replace(
                    head,
                    quantity=self.prop(quantity, ["number"]),
                    path=self.path(head.path),
                    value=value,
                    **self.trigger(head),
                )
            case m.Link():
                role, end = self.prop(head.role, ["object"]), None if head.to is None else self.path(head.to)
                return replace(head, role=role, path=self.path(head.path), to=end, **self.trigger(head))

    def trigger(self, head: m.OnEvent) -> dict[str, Any]:
        """When an effect comes about, and on each of what, looked up."""
        event = self.cls(m.trigger_of(head))
        event = m.NO_MORE + event if head.event.startswith(m.NO_MORE) else event
        return {"event": event, "each": self.cls(head.each) if head.each else ""}

    def section(self, section: m.Section) -> m.Section:
        """A section with every word in its norms looked up, and the rules that its exceptions restrict (E215 where none)."""
        for s in section.sentences:
            for rule in (rule for e in s.exceptions for rule in e.to if rule not in self.rules):
                self.place = s.place
                hint = did_you_mean(rule, self.rules) or "name a rule of this book"
                self.unknown(215, rule, f"an exception to {rule}, which is no rule that is loaded", hint)
        return replace(section, norms=tuple(map(self.norm, section.norms)))

    def norm(self, norm: m.Norm) -> m.Norm:
        """A norm with every word in it looked up, and the norms that it goes over."""
        self.place, self.rule = norm.place, norm.rule
        for over in norm.over:
            if over not in self.rules and over not in self.named and over.split("/")[0] not in self.rules:
                hint = did_you_mean(over, self.named.keys() | self.rules) or "name a rule or norm of this book"
                self.unknown(207, over, f"“over {over}” names no rule that is loaded", hint)
        self.problems += misused(norm, self.named)
        return replace(
            norm,
            head=self.head(norm.head),
            when=self.condition(norm.when),
            unless=tuple(replace(u, condition=self.condition(u.condition)) for u in norm.unless),
            until=tuple(
                replace(e, event=self.cls(e.event), whose=self.path(e.whose) if e.whose else None) for e in norm.until
            ),
        )

    def scope(self, row: m.ScopeRow) -> m.ScopeRow:
        """A row of a chapter's scope with every word in it looked up; where a label fits a class and a property, the class."""
        self.place, self.rule = row.place, ""
        pools = self.vocabulary.classes, self.vocabulary.properties
        named = row.term if any(row.term in pool for pool in pools) else None
        term = named or self.vocabulary.resolve(row.term, pools[:1]) or self.vocabulary.resolve(row.term, pools[1:])
        if term is None:
            hint = did_you_mean(row.term, self.vocabulary.names()) or "see loophole terms"
            self.unknown(208, row.term, f"the ontology has no term “{row.term}” to be in scope", hint)
        if row.kind == m.LEFT and term is not None and term in pools[1]:
            self.prop(term, ["number"])  # whom a thing is related to is not left open so
        named_here = [("bars", rule) for rule in row.bars] + [("by", row.by)] * (row.kind == m.LEFT)
        for word, rule in named_here:
            if rule not in self.rules:
                hint = did_you_mean(rule, self.rules) or "name a rule of this book"
                self.unknown(207, rule, f"“{word} {rule}” names no rule that is loaded", hint)
        return replace(
            row,
            term=term or row.term,
            condition=None if row.condition is None else self.condition(row.condition),
            suits=tuple(map(self.cls, row.suits)),
        )
