"""A closed case in OWL: a situation in which everything is settled, as individuals and assertions for a DL reasoner.

Nothing is left to be assumed: presumed and denied classes become negations, the values of a property become all there
are (`only {…}`), and individuals are all different. What OWL cannot say of a condition (kb.ontology.to_owl makes it an opaque class)
is asserted as the reasoner found it. Then whether a norm applies to a thing is an instance check, which two reasoners
have to answer alike: that is what this module is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rdflib import OWL, RDF, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kb.language import norms as m
from kb.ontology.to_owl import Translation, decimal, situation as asks
from kb.ontology.turtle import BASE
from kb.reasoner.evaluate import evaluator
from kb.reasoner.restrictions import binds
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Chained, Stated, Thing, Transitive


@dataclass(frozen=True)
class Claim:
    """That a norm applies (or does not) to a thing; `node` is the class expression of all that the norm asks for."""

    norm: str
    thing: str
    applies: bool
    individual: URIRef
    node: Node


@dataclass
class Closed:
    """One situation written into a graph. `name` keeps its individuals apart from those of other situations."""

    situation: Situation
    name: str
    graph: Graph = field(default_factory=Graph)
    claimed: Graph = field(default_factory=Graph)  # the class expressions of claims; `assert_claim` completes it

    def write(self, norms: Iterable[m.Norm]) -> list[Claim]:
        """Asserts the situation as far as these norms look at it; returns what the reasoner says of each of them."""
        s, seen = self.situation, Names(self.situation)
        tried: list[tuple[m.Norm, Thing]] = []
        for norm in norms:
            subject = m.subject_of(norm.head)
            fits = [x for x in s.case.things if subject and s.focus(s.things[x], subject) is not False]
            if fits and not names_things(norm):
                seen.read(asks(norm, subject))
                tried += [(norm, s.things[x]) for x in fits]
        self.settle(seen)
        claims: list[Claim] = []
        for norm, x in tried:
            status = s.outcome(norm, x).status
            if status is not None:
                node = Here(self, x, norm).translate(asks(norm, m.subject_of(norm.head)))
                claims.append(Claim(norm.id, x.name, status, self.iri(x), node))
        return claims

    def iri(self, x: Thing) -> URIRef:
        """The individual that stands for a thing."""
        return URIRef(f"{BASE}case/{self.name}#{x.name.replace(' ', '_')}")

    def settle(self, seen: Names) -> None:
        """Memberships, links, numbers and flags of every thing, those that staging makes up included."""
        s, vocabulary = self.situation, self.situation.vocabulary
        done: set[str] = set()
        while left := [x for x in s.things.values() if x.name not in done]:
            for x in left:
                done.add(x.name)
                self.graph.add((self.iri(x), RDF.type, OWL.NamedIndividual))
                for cls in sorted(seen.classes):
                    self.member(self.iri(x), URIRef(vocabulary.classes[cls].iri), s.member(x, cls).value)
                for role in sorted(seen.roles, key=str):
                    self.links(x, role)
                for name in sorted(n for n in seen.numbers if self.bears(x, n)):
                    value = s.quantity(x, name).value
                    if value is not None and (exact := decimal(value)) is not None:
                        self.graph.add((self.iri(x), URIRef(vocabulary.properties[name].iri), exact))
                for name in sorted(f for f in seen.flags if self.bears(x, f)):
                    flag = evaluator(s.theory, flag_of(name))(s, x, {"this": x}).value
                    if flag is not None:
                        self.graph.add((self.iri(x), URIRef(vocabulary.properties[name].iri), Literal(flag)))
        if len(s.things) < 2:
            return
        different = BNode()
        self.graph.add((different, RDF.type, OWL.AllDifferent))
        head = Translation(vocabulary, self.graph).list_([self.iri(x) for x in s.things.values()])
        self.graph.add((different, OWL.distinctMembers, head))

    def bears(self, x: Thing, name: str) -> bool:
        """Whether a thing is of the kind that has such a number or flag at all."""
        domain = self.situation.vocabulary.properties[name].domain
        return not domain or self.situation.member(x, domain).value is True

    def member(self, individual: URIRef, cls: Node, value: bool | None) -> None:
        """Says that an individual is, or is not, of a class; nothing where that is open (None)."""
        if value is True:
            self.graph.add((individual, RDF.type, cls))
        elif value is False:
            self.graph.add((individual, RDF.type, self.negation(cls)))

    def negation(self, cls: Node) -> Node:
        """The class of all that is not of a class."""
        node = BNode() if isinstance(cls, BNode) else URIRef(f"{BASE}case/not#{str(cls).rpartition('#')[2]}")
        self.graph.add((node, RDF.type, OWL.Class))
        self.graph.add((node, OWL.complementOf, cls))
        return node

    def links(self, x: Thing, role: m.Role) -> None:
        """The values that a property is told to have, and that these (with what follows from them) are all."""
        links = self.situation.successors(x, role.name, role.inverse)
        property_ = URIRef(self.situation.vocabulary.properties[role.name].iri)
        for y in links.things:
            how = links.why[y.name]
            told = URIRef(self.situation.vocabulary.properties[how.by].iri) if isinstance(how, Stated) else property_
            ends = (self.iri(x), told, self.iri(y))
            turned = isinstance(how, Stated) and how.by not in self.situation.vocabulary.properties[role.name].below
            # A chain that leads to others only is none in OWL: HermiT has to be told where it leads.
            others = isinstance(how, Chained) and self.leads_to_others(role.name, how.chain)
            if others or not isinstance(how, (Chained, Transitive)):
                self.graph.add(ends[::-1] if turned != role.inverse else ends)
        if links.complete:
            node, cls = BNode(), BNode()
            self.graph.add((node, RDF.type, OWL.Restriction))
            self.graph.add((node, OWL.onProperty, Translation(self.situation.vocabulary, self.graph).role(role)))
            self.graph.add((node, OWL.allValuesFrom, cls if links.things else OWL.Nothing))
            if links.things:
                self.graph.add((cls, RDF.type, OWL.Class))
                members = Translation(self.situation.vocabulary, self.graph).list_([self.iri(y) for y in links.things])
                self.graph.add((cls, OWL.oneOf, members))
            self.graph.add((self.iri(x), RDF.type, node))

    def leads_to_others(self, name: str, chain: tuple[str, ...]) -> bool:
        """Whether a chain, or the subproperty that stands for one, leads from a thing to others only."""
        properties = self.situation.vocabulary.properties
        return chain in properties[name].others or ((chain[0],) == chain and bool(properties[chain[0]].others))


@dataclass
class Here(Translation):
    """Translates for one focus: classes that are worked out for it, and opaque ones, are asserted thing by thing."""

    def __init__(self, closed: Closed, focus: Thing, norm: m.Norm):
        super().__init__(closed.situation.vocabulary, closed.claimed)
        self.s, self.closed, self.focus, self.norm = closed.situation, closed, focus, norm

    def named(self, name: str) -> URIRef:
        """The class of a name; one that a module works out is settled by the reasoner's own answer."""
        if name in self.vocabulary.classes and self.vocabulary.classes[name].derived:
            return self.hide(m.Named(name))
        return super().named(name)

    def hide(self, condition: m.Condition) -> URIRef:
        """A class that stands for a condition which OWL cannot say, with the reasoner's answer for each thing."""
        own = f"-{self.norm.id.replace('/', '-')}" if "otherwise(" in str(condition) else ""
        iri = URIRef(f"{super().hide(condition)}-{self.closed.name}-{self.focus.name.replace(' ', '_')}{own}")
        if (iri, RDF.type, OWL.Class) not in self.closed.graph:
            self.closed.graph.add((iri, RDF.type, OWL.Class))
            run = evaluator(self.s.theory, condition, self.norm)
            for y in list(self.s.things.values()):
                self.closed.member(self.closed.iri(y), iri, run(self.s, y, {"this": self.focus}).value)
        return iri


class Names:
    """The classes, roles, quantities and flags that conditions look at, with those that definitions lead to."""

    def __init__(self, s: Situation):
        self.theory = s.theory
        self.classes: set[str] = set()
        self.roles: set[m.Role] = set()
        self.numbers: set[str] = set()
        self.flags: set[str] = set()

    def read(self, c: Any) -> None:
        """Collects the classes and properties in a condition, and in the definitions of what it names."""
        match c:
            case m.Named(name):
                if name and name not in self.classes and not self.theory.vocabulary.classes[name].derived:
                    self.classes.add(name)
                    for definition in self.theory.definitions.get(name, ()):
                        self.read(definition)
            case m.Not(of) | m.Bind(of, _):
                self.read(of)
            case m.And(parts) | m.Or(parts):
                for part in parts:
                    self.read(part)
            case m.Except(base, carve, _):
                self.read(base)
                self.read(carve)
            case m.Some(role, of) | m.Only(role, of) | m.Count(role, _, _, of):
                self.roles |= set(self.below(role))
                self.read(of)
            case m.Flag(name, _):
                self.flags.add(name)
            case m.Compare(m.Path("", steps), _, m.Num()):
                self.roles |= {m.Role(name) for name in steps[:-1]}
                self.numbers.add(steps[-1])

    def below(self, role: m.Role) -> Iterator[m.Role]:
        """A role, its subproperties, and the steps of its chains: what a link of it may be told by."""
        yield role
        for name in self.theory.vocabulary.properties[role.name].below:
            yield m.Role(name, role.inverse)
            for chain in self.theory.vocabulary.properties[name].chains:
                yield from (m.Role(step.removeprefix("inverse "), step.startswith("inverse ")) for step in chain)


def names_things(norm: m.Norm) -> bool:
    """Whether a norm binds names: a join, of which OWL can only say that it may hold."""
    return binds(norm.when) or any(binds(u.condition) for u in norm.unless)


def flag_of(name: str, _known: dict[str, m.Flag] = {}) -> m.Flag:  # noqa: B006  (compiled conditions go by identity)
    """The condition that a flag is set, one object for each name."""
    return _known.setdefault(name, m.Flag(name, True))


def assert_claim(graph: Graph, claim: Claim) -> None:
    """Adds what a claim says to a graph: consistent with a closed case only if a DL reasoner agrees."""
    node = claim.node
    if not claim.applies:
        node = BNode()
        graph.add((node, RDF.type, OWL.Class))
        graph.add((node, OWL.complementOf, claim.node))
    graph.add((claim.individual, RDF.type, node))
