"""A theory: one book's norms, indexed by what they conclude, with the order of strength between them. Pure data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kb.language import norms as m
from kb.language.rule_number import sort_key
from kb.language.vocabulary import ABSENT, COMPLETE, CONCLUDED, PropertyTerm, Vocabulary
from kb.rulebook import fingerprint
from kb.rulebook.kinds import Kind as Kind, Leaf as Leaf, Way as Way

# On which side a deontic norm is, in a may and in a must question.
SIDES = {
    "may": {m.PERMITS: 1, m.REQUIRES: 1, m.FORBIDS: -1},
    "must": {m.REQUIRES: 1, m.WAIVES: -1, m.FORBIDS: -1},
}
# A service meets ever new cases: of what is kept because cases repeat it, this much, and then anew.
MOST_KINDS, MOST_ASKED = 5_000, 500


@dataclass
class Theory:
    """The norms in force, and how they meet.

    makes, unmakes: by class, the norms that can make a thing a member of it, and those that can take it out.
    effects, turns: what happens when an event does, and when something becomes so; linking: the relations that this changes.
    scope: by term, how far the chapters decide it, less the rules that are loaded. leaves: the ids of the norms that stand for what a
    chapter leaves to others (kb.rulebook.leaves); bare: the theory without these, once it was asked for.
    """

    book: str
    vocabulary: Vocabulary
    policy: m.Policy
    norms: dict[str, m.Norm]
    sections: dict[str, m.Section]
    tables: dict[str, m.Table]
    chapters: dict[str, m.Chapter]
    deontic: list[m.Norm] = field(default_factory=list)
    makes: dict[str, list[m.Norm]] = field(default_factory=dict)
    unmakes: dict[str, list[m.Norm]] = field(default_factory=dict)
    relations: dict[str, list[m.Norm]] = field(default_factory=dict)
    quantities: dict[str, list[m.Norm]] = field(default_factory=dict)
    effects: list[m.Norm] = field(default_factory=list)
    turns: list[m.Norm] = field(default_factory=list)
    linking: set[str] = field(default_factory=set)
    scope: dict[str, list[m.ScopeRow]] = field(default_factory=dict)
    leaves: frozenset[str] = frozenset()
    bare: Theory | None = field(default=None, init=False, repr=False, compare=False)
    definitions: dict[str, tuple[m.Condition, ...]] = field(default_factory=dict)
    defined_below: dict[str, tuple[str, ...]] = field(default_factory=dict)
    specific: frozenset[tuple[str, str]] = frozenset()
    kinds: dict[tuple[frozenset[str], frozenset[str]], Kind] = field(default_factory=dict)
    kinds_stated: dict[tuple[tuple[str, ...], tuple[str, ...]], Kind] = field(default_factory=dict)
    compiled: dict[object, object] = field(default_factory=dict)
    shared: dict[object, int] = field(default_factory=dict)
    asked: dict[object, object] = field(default_factory=dict)
    ways: dict[str, Way] = field(default_factory=dict)
    making: dict[str, tuple[list[m.Norm], bool]] = field(default_factory=dict)
    sayings: dict[str, list[tuple[frozenset[str], m.Norm]]] | None = field(default=None, init=False)
    strengths: dict[tuple[str, str], m.Principle | None] = field(default_factory=dict)
    # kb.reasoner.kind_rules keeps sayings, kb.circuit.memberships making, facts_read walks; a copy with other norms finds its own
    walks: Any = field(default=None, init=False, repr=False, compare=False)
    tried: dict[str, list[Any]] | None = None  # where somebody wants to know: by their ids what came of the norms

    @cached_property
    def spoken_of(self) -> tuple[frozenset[str], ...]:
        """The terms that the condition of each norm names."""
        return tuple(frozenset(m.names_in(norm.when)) for norm in self.norms.values())

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """By chapter, the SHA-256 of what it says and of its norms as they are in force; under "", that of the whole theory."""
        rest = (self.book, self.policy, self.tables, self.definitions, self.specific, self.vocabulary.version)
        return fingerprint.of_chapters(self.chapters, self.norms, rest)

    def speak_of(self, *names: str) -> int:
        """How many norms speak of all these terms: what is often spoken of is likely to decide."""
        return sum(1 for terms in self.spoken_of if terms.issuperset(names))

    def kind(self, is_: frozenset[str], not_: frozenset[str]) -> Kind:
        """The closure of stated and denied classes under the classified tree."""
        found = self.kinds.get((is_, not_))
        if found is None:
            if len(self.kinds) >= MOST_KINDS:
                self.kinds.clear()
            classes = self.vocabulary.classes
            types: set[str] = set()
            denied: set[str] = set()
            existential: dict[str, str] = {}
            source: dict[str, str] = {}
            for name in sorted(sorted(is_, reverse=True), key=lambda n: classes[n].tells):
                term = classes[name]
                types |= term.ancestors
                denied |= term.disjoint
                source.update(dict.fromkeys(term.ancestors, name))
                source.update(dict.fromkeys(term.disjoint, name))
            for name in sorted(is_):
                for prop, cls in classes[name].existential:
                    if prop not in existential or cls in classes[existential[prop]].descendants:
                        existential[prop] = cls
            for name in not_:
                denied |= classes[name].descendants
                source.update(dict.fromkeys(classes[name].descendants, f"not {name}"))
            for name in is_:
                source[name] = name
            # Being a foe says nothing of what it is, and a wider kind nothing that the narrower does not say.
            stated = frozenset(
                c for c in is_ if not classes[c].derived and classes[c].descendants.isdisjoint(is_ - {c})
            )
            found = self.kinds[is_, not_] = Kind(
                stated, frozenset(types), frozenset(denied - types), existential, source, {}, {}, {}, {}, [], {}, []
            )
        return found

    def kind_of(self, is_: tuple[str, ...], not_: tuple[str, ...]) -> Kind:
        """The kind of a thing as a case states it."""
        found = self.kinds_stated.get((is_, not_))
        if found is None:
            if len(self.kinds_stated) >= MOST_KINDS:
                self.kinds_stated.clear()
            found = self.kinds_stated[is_, not_] = self.kind(frozenset(is_), frozenset(not_))
        return found

    def leaf(self, kind: Kind, cls: str) -> Leaf:
        """What a thing's kind alone says of its being a `cls`; remembered with the kind."""
        term = self.vocabulary.classes[cls]
        value: bool | None = None
        soft = False
        if cls in kind.types:
            value, why = True, "stated" if kind.source[cls] == cls else "inferred"
        elif cls in kind.denied:
            value, why = False, "denied" if kind.source.get(cls, "").startswith("not ") else "disjoint"
        elif cls in self.makes or cls in self.unmakes or cls in self.definitions or cls in self.defined_below:
            why = ""
        elif term.when_unstated in (ABSENT, CONCLUDED):
            value, why, soft = False, "presumed", True
        else:
            why = "unknown"
        found = kind.leaves[cls] = Leaf(m.Named(cls), value, why, soft)
        return found

    @cached_property
    def makers(self) -> dict[str, list[m.Norm]]:
        """The norms of each class that nothing but norms can make a thing a member of, and silence does not."""
        terms = self.vocabulary.classes
        otherwise = (self.unmakes, self.definitions, self.defined_below)
        return {
            cls: norms for cls, norms in self.makes.items()
            if terms[cls].when_unstated in (ABSENT, CONCLUDED) and not any(cls in held for held in otherwise)
        }  # fmt: skip

    @cached_property
    def disputed(self) -> dict[str, dict[str, list[m.Norm]]]:
        """The norms that its chapters have of ambiguous rules, by dispute and option, the adopted option first."""
        found: dict[str, dict[str, list[m.Norm]]] = {}
        for norm in (n for c in self.chapters.values() for s in c.sections for n in s.norms if n.reading):
            dispute, _, option = norm.reading.partition(":")
            found.setdefault(dispute, {}).setdefault(option, []).append(norm)
        return found

    @cached_property
    def adopted(self) -> dict[str, list[m.Norm]]:
        """By dispute, the norms in force that belong to one of its options."""
        found: dict[str, list[m.Norm]] = {}
        for norm in (n for n in self.norms.values() if n.reading):
            found.setdefault(norm.reading.partition(":")[0], []).append(norm)
        return found

    @cached_property
    def acts(self) -> frozenset[str]:
        """The kinds of act that deontic norms speak of."""
        spoken = (
            n.head for n in self.deontic if n.id not in self.leaves
        )  # what is left to others decides nothing here
        return frozenset(head.act for head in spoken if isinstance(head, m.Deontic))

    @cached_property
    def events(self) -> frozenset[str]:
        """The kinds of event that bring something about."""
        return frozenset(n.head.event for n in self.effects if isinstance(n.head, m.OnEvent))

    @cached_property
    def becoming(self) -> frozenset[str]:
        """The classes of which it matters that something becomes one: to be one from the start is not the same."""
        classes = self.vocabulary.classes
        found = (classes[m.trigger_of(n.head)] for n in self.turns if isinstance(n.head, m.OnEvent))
        return frozenset(name for term in found for name in term.ancestors | term.descendants)

    def fits(self, kind: Kind, cls: str) -> bool | None:
        """Whether a norm about `cls` can speak of a thing of this kind: False when it is plainly of another.

        A kind neither stated nor below what is stated is not what the thing is said to be, unless a norm or a
        definition can make it one.
        """
        found = kind.fits.get(cls, kind)
        if found is kind:
            found = None
            if cls == "" or cls in kind.types:
                found = True
            elif cls in kind.denied:
                found = False
            elif cls not in self.makes and cls not in self.definitions and kind.stated:
                found = False if self.vocabulary.classes[cls].ancestors.isdisjoint(kind.stated) else None
            kind.fits[cls] = found
        return found  # type: ignore[return-value]

    def numbers_of(self, kind: Kind, name: str) -> list[m.Norm]:
        """The norms that can have a part in a number of a thing of this kind; remembered with the kind."""
        found = kind.numbers[name] = [
            n for n in self.quantities.get(name, ())
            if isinstance(n.head, m.QuantityHead) and self.fits(kind, n.head.of) is not False
        ]  # fmt: skip
        return found

    def deontic_of(self, kind: Kind, question: str) -> list[tuple[m.Norm, int]]:
        """The deontic norms that can speak of an act of this kind, each with the side it is on in a question."""
        sides = SIDES[question]
        return [
            (n, sides[n.head.mode])
            for n in self.deontic
            if isinstance(n.head, m.Deontic) and n.head.mode in sides and self.fits(kind, n.head.act) is not False
        ]

    def scope_of(self, kind: Kind) -> tuple[m.ScopeRow, ...]:
        """The rows of the scopes on classes that a thing of this kind can be of; remembered with the kind."""
        if not kind.scope:
            rows = (row for term, rows in self.scope.items() if term in self.vocabulary.classes
                    and self.fits(kind, term) is not False for row in rows)  # fmt: skip
            kind.scope.append(tuple(rows))
        return kind.scope[0]

    def slot(self, asked: object) -> int:
        """The number under which a thing remembers a condition or an expression."""
        return self.shared.setdefault(asked, len(self.shared))

    def way(self, name: str) -> Way:
        """How the values of a property are found; remembered."""
        properties = self.vocabulary.properties
        prop = properties[name]
        chained = tuple(q for q in prop.below if q != name and properties[q].chains)
        chains = tuple(
            (chain, tuple((q.removeprefix("inverse "), q.startswith("inverse ")) for q in chain))
            for chain in prop.chains
        )
        first = [properties[q] for (q, inverse), *_ in (steps for _, steps in chains) if not inverse]
        openers = None
        if len(first) == len(chains) and not any(self.indirect(q) or len(q.below) > 1 for q in first):
            openers = frozenset(q.name for q in first), frozenset(i for q in first for i in q.inverses)
        indirect = bool(self.indirect(prop) or chained)
        handed = (q for n in self.relations.get(name, ()) if isinstance(n.head, m.Relates) for q in n.head.handed_on())
        found = self.ways[name] = Way(
            prop.below, prop.inverses, prop.functional, prop.derived, prop.when_unstated in (COMPLETE, ABSENT), indirect,
            not indirect and len(prop.below) == 1, chains, openers, chained,
            frozenset((*prop.below, *(chain[0] for q in prop.below for chain in properties[q].chains), *handed)),
            next((chain for chain in prop.chains if self.leads(prop, chain)), ()),
        )  # fmt: skip
        return found

    def told_by(self, name: str) -> tuple[str, ...]:
        """The relations, one after the other, by which a case tells a property: itself, or the chain at whose end it is told."""
        return (self.ways.get(name) or self.way(name)).along or (name,)

    def leads(self, prop: PropertyTerm, chain: tuple[str, ...]) -> bool:
        """Whether a chain leads through what must be there to a relation of which silence says what it says of a property."""
        *before, last = (self.vocabulary.properties.get(step) for step in chain)
        through = bool(before) and all(step and step.staged for step in before)
        return through and last is not None and last.when_unstated == prop.when_unstated

    def indirect(self, prop: PropertyTerm) -> bool:
        """Whether more than statements may give a property its values."""
        own = prop.derived or prop.transitive or prop.name in self.relations or prop.chains
        return bool(own or self.linking.intersection((*prop.below, *prop.inverses)))

    def stronger(self, a: m.Norm, b: m.Norm) -> m.Principle | None:
        """The principle by which `a` beats `b`, or None. Static: it depends on the norms alone."""
        key = (a.id, b.id)
        if key not in self.strengths:
            self.strengths[key] = None
            for principle in self.policy.principles:
                winner = self.decide(principle.name, a, b)
                if winner is not None:
                    self.strengths[key] = principle if winner is a else None
                    break
        return self.strengths[key]

    def decide(self, principle: str, a: m.Norm, b: m.Norm) -> m.Norm | None:
        """Which of two norms a principle prefers, or None when it does not tell them apart."""
        match principle:
            case "explicit":
                up, down = goes_over(a, b), goes_over(b, a)
                return None if up == down else a if up else b
            case "authority":
                order = self.policy.authorities
                ranks = [order.index(n.authority) if n.authority in order else -1 for n in (a, b)]
                return None if ranks[0] == ranks[1] else a if ranks[0] > ranks[1] else b
            case "specificity":
                up, down = (a.id, b.id) in self.specific, (b.id, a.id) in self.specific
                return None if up == down else a if up else b
            case "prohibition":
                modes = [n.head.mode == m.FORBIDS if isinstance(n.head, m.Deontic) else False for n in (a, b)]
                return None if modes[0] == modes[1] else a if modes[0] else b
            case "higher-number" | "lower-number":
                one, two = sort_key(a.rule), sort_key(b.rule)
                if one[0] != two[0] or one == two:
                    return None
                return a if (one > two) == (principle == "higher-number") else b
        return None

    def rules(self) -> list[str]:
        """The numbers of the loaded rules."""
        return [*self.sections]


def goes_over(norm: m.Norm, other: m.Norm) -> bool:
    """Whether a norm says itself that it beats another: it names it, or is the exception that restricts it."""
    return other.id in norm.carves or names(norm.over, other)


def names(over: Collection[str], norm: m.Norm) -> bool:
    """Whether a list of `over` names this norm: by its id, by the id that it is written under, or by its rule's number."""
    return bool(over) and not norm.names.isdisjoint(over)
