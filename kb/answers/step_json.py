"""The steps of a proof as JSON: norms tried, conditions, numbers, relations, and the things that they are of.

A thing stands once in `things`; what speaks of it names it and gives its place there (`of`), for the same thing is another
before an act and after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import structs

from kb.language import english, norms as m
from kb.language.case import Edit, Fact, Facts
from kb.language.vocabulary import Vocabulary
from kb.reasoner.trace import ByNorm, Chained, Contribution, How, Outcome, Reached, Shift, Step, Thing, Tied, WorkedOut

Json = dict[str, Any]
MOST_TOLD = 5_000
# By identity; what is in it lives on, so that its number stays its own.
TOLD: dict[int, tuple[Mapping[str, str], list[str], list[str]]] = {}


class Steps:
    """Writes the steps of one proof; gathers the terms that they name and the things that they are of."""

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary = vocabulary
        self.names: set[str] = set()
        self.nodes: dict[int, object] = {}  # whose terms are among them, by identity
        self.things: list[Json] = []
        self.places: dict[int, int] = {}
        self.held: list[Thing] = []  # a place is remembered by identity, which lasts as long as the thing does
        # What stands at several places of a proof is written once: by identity, each with what it was written of, which lasts as long.
        self.written: dict[int, tuple[object, Json]] = {}
        self.outcomes: dict[int, tuple[Outcome, Json]] = {}

    # ── norms ──

    def outcome(self, o: Outcome) -> Json:
        """A norm that was tried: whether it applies, its conditions and exceptions."""
        found = self.outcomes.get(id(o))
        if found is None:
            found = self.outcomes[id(o)] = o, self.tried(o)
        return found[1]

    def tried(self, o: Outcome) -> Json:
        """The same where it is not written yet."""
        norm = o.norm
        return {
            "norm": norm.id,
            "rule": norm.rule,
            "says": m.text_of(norm.head),
            "applies": o.status,
            "presumes": o.soft,
            "thing": o.focus.name,
            "of": self.place(o.focus),
            "names": {name: self.place(x) for name, x in o.env.items() if isinstance(x, Thing) and name != "this"},
            "sentences": list(norm.sentences),
            "head": self.step(o.head),
            "when": self.step(o.when),
            "unless": [
                {"label": u.label, "cites": list(u.cites), "met": s.value, "step": self.step(s)} for u, s in o.unless
            ],
            "reading": norm.reading or None,
        }

    def contribution(self, r: Contribution) -> Json:
        """A norm's part in a number."""
        return {
            "norm": r.outcome.norm.id,
            "rule": r.outcome.norm.rule,
            "op": r.op,
            "bound": r.bound or None,
            "state": r.state,
            "value": self.step(r.value),
            "by": r.by.norm.id if r.by is not None else None,
            "principle": r.principle.name if r.principle is not None else None,
            "outcome": self.outcome(r.outcome),
        }

    def change(self, c: Shift) -> Json:
        """A number that an event raises or lowers."""
        return {
            "thing": c.thing, "quantity": self.term(c.quantity), "op": c.op, "amount": self.step(c.value),
            "by": c.by.norm.id, "rule": c.by.norm.rule, "outcome": self.outcome(c.by),
        }  # fmt: skip

    def tie(self, t: Tied) -> Json:
        """A relation that an event brings about or ends."""
        return {
            "thing": t.thing, "relation": self.term(t.role), "to": t.to, "ends": t.ends,
            "by": t.by.norm.id, "rule": t.by.norm.rule, "outcome": self.outcome(t.by),
        }  # fmt: skip

    # ── things ──

    def place(self, x: Thing) -> int:
        """Where a thing stands in the list of things, from 0; it is put there when it is first met."""
        found = self.places.get(id(x))
        if found is not None:
            return found
        made = None if x.made is None else [self.place(x.made[0]), *x.made[1:]]
        self.places[id(x)] = place = len(self.things)
        self.held.append(x)
        said, denied = self.told(x.kind.source)
        self.things.append({
            "name": x.name, "label": x.label, "called": x.facts.label, "facts": facts(x.facts), "is": said,
            "not": denied, "made": made,
        })  # fmt: skip
        return place

    def told(self, source: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The classes that a kind is told to be, and not to be; by what tells each that it entails or excludes."""
        found = TOLD.get(id(source))
        if found is None:
            if len(TOLD) >= MOST_TOLD:
                TOLD.clear()
            said = sorted(name for name, by in source.items() if by == name)
            denied = sorted({by.removeprefix("not ") for by in source.values() if by.startswith("not ")})
            found = TOLD[id(source)] = source, said, denied
        return found[1], found[2]

    # ── steps ──

    def step(self, s: Any) -> Any:
        """A step, an outcome, a contribution or a link reached, as a nested object."""
        if s is None:
            return None
        found = self.written.get(id(s))
        if found is None:
            found = self.written[id(s)] = s, self.written_out(s)
        return found[1]

    def written_out(self, s: Any) -> Json:
        """The same where it is not written yet."""
        if isinstance(s, Step):
            return self.finding(s)
        if isinstance(s, Outcome):
            return {"kind": "norm", **self.outcome(s)}
        if isinstance(s, Contribution):
            return {"kind": "contribution", **self.contribution(s)}
        assert isinstance(s, Reached)
        how = s.why
        parts = [self.step(how.outcome), self.step(how.step)] if isinstance(how, ByNorm) else []
        return {
            "kind": "link", "to": s.thing.name, "of": self.place(s.thing), "why": how.code, "via": via(how), "parts": parts,
        }  # fmt: skip

    def finding(self, s: Step) -> Json:
        """What was found of a condition or an expression."""
        node, x, value = s.node, s.thing, s.value
        if id(node) not in self.nodes:
            self.collect(node)
        if not (value is None or value is True or value is False) and isinstance(value, Fraction):
            value = number(value)
        record: Json = {
            "kind": "step", "node": m.text_of(node), "thing": x.name, "of": self.place(x), "value": value, "why": s.why,
            "presumes": s.soft, "parts": [self.step(q) for q in s.parts] if s.parts else [],
        }  # fmt: skip
        if isinstance(node, m.Named):
            record["text"] = english.say_class(self.vocabulary, x.label, node.name, value is not False)
            source = x.kind.source.get(node.name, "")
            if s.why in ("inferred", "staged") and source in self.vocabulary.classes and source != node.name:
                record["axioms"] = [
                    [self.term(a), "rdfs:subClassOf", self.term(b)]
                    for a, b in english.chain(self.vocabulary, source, node.name)
                ]
            elif s.why == "disjoint" and source in self.vocabulary.classes and not source.startswith(m.NO_MORE):
                record["axioms"] = [[self.term(source), "owl:disjointWith", self.term(node.name)]]
        return record

    def collect(self, node: Any) -> None:
        """Remembers the terms a node names directly; those below stand in its parts."""
        self.nodes[id(node)] = node
        match node:
            case m.Named(name) | m.Flag(name, _) | m.Otherwise(name):
                self.term(name)
            case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
                self.term(role.name)
            case m.Path(_, steps):
                for name in steps:
                    self.term(name)

    def edit(self, e: Edit) -> Json:
        """A change of the case that a what-if question made."""
        record: Json = {"kind": e.kind, "thing": e.thing, "name": self.term(e.name)}
        match e.kind:
            case "link":
                new, described = e.value
                record |= {"to": new, "things": {name: facts(f) for name, f in described.items()}}
            case "number":
                record["value"] = number(e.value)
            case "flag":
                record["value"] = e.value
            case "become":
                record["instead"] = sorted(e.value)
        return record

    def fact(self, f: Fact) -> Json:
        """One thing that may be so: its kind, and its parts under their own names."""
        record: Json = {"kind": type(f).__name__}
        for name, value in structs.asdict(f).items():
            if isinstance(value, tuple | str | bool):
                record[name] = list(value) if isinstance(value, tuple) else value
            else:  # a number, a relation, a condition
                record[name] = str(value)
        return record

    # ── terms ──

    def term(self, name: str) -> str:
        """The name itself; it is remembered, for the list of the terms used."""
        if name in self.vocabulary.classes or name in self.vocabulary.properties:
            self.names.add(name)
        return name

    def iri(self, name: str) -> str:
        """The IRI of a term. Raises KeyError for a name that is none."""
        classes, properties = self.vocabulary.classes, self.vocabulary.properties
        return classes[name].iri if name in classes else properties[name].iri


def facts(f: Facts) -> Json:
    """Facts of one thing as a case states them."""
    record: Json = {}
    for key, names in (("is", f.is_), ("not", f.not_), ("unknown", f.unknown)):
        if names:
            record[key] = list(names)
    record |= {role: list(targets) for role, targets in f.links.items()}
    record |= {name: number(value) for name, value in f.numbers.items()}
    record |= {**f.flags, **f.texts}
    return record


def number(value: Fraction | None) -> str | None:
    """An exact number as text: "5", "-1", "5/2"."""
    return None if value is None else str(value)


def via(how: How) -> list[str]:
    """What a value of a property is known by, but for a norm: the property that states it, the chain, the built-in relation."""
    match how:
        case Chained(chain):
            return list(chain)
        case WorkedOut(by, soft):
            return [by, str(soft)]
        case ByNorm():
            return []
    return [how.by]
