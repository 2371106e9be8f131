"""How far the loaded rules decide what is so: `holds` puts the answer to an `is` question in its scope.

What is not so by silence alone is an answer only of a term that a chapter decides wholly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.defeat import outdone
from kb.reasoner.descent import outcomes_in
from kb.reasoner.evaluate import of_question
from kb.reasoner.proof import Proof, Scope
from kb.reasoner.restrictions import binds
from kb.reasoner.scope import STATE, home, leaning, of_rows, on
from kb.reasoner.scope_numbers import ruled
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Step, Thing
from kb.rulebook.linker import wider


class Sure:
    """What of a question's condition is so for certain: stated, made so by a norm, or wholly decided here; gathers what is not."""

    def __init__(self, situation: Situation):
        self.situation = situation
        self.open: list[Scope] = []
        self.closing: list[Scope] = []
        self.leans: list[Step] = []

    def value(self, step: Step) -> bool | None:
        """True or False as the step says, None where silence alone says so of a term that other rules decide too."""
        node, parts = step.node, [q for q in step.parts if isinstance(q, Step)]
        if step.value is None:
            return None
        match node:
            case m.Named(name):
                return self.member(step, name, parts)
            case m.Not():
                inner = self.value(parts[0]) if parts else None
                return None if inner is None and parts else step.value
            case m.And() | m.Except():
                return self.all_of(parts) if step.value else self.one_false(parts, step.value)
            case m.Or():
                return self.one_true(parts) if step.value else self.all_false(parts)
            case m.Some(role, _):
                if step.value:
                    return self.one_true(parts)
                return None if self.silent(step, role.name) else self.all_false(parts) if parts else False
            case m.HasValue(role, _) if step.value is False and step.why == "value":
                return None if self.silent(step, role.name) else False
            case m.Compare():
                numbers = [q for q in map(number, parts) if q is not None]
                return None if any([self.unknown_number(q) for q in numbers]) else step.value
            case m.Of() | m.Bind() if parts:
                return self.value(parts[0])
        return bool(step.value)

    def member(self, step: Step, name: str, parts: list[Step]) -> bool | None:
        """Of a class. A state stated at first may have ended by what has happened since, where other rules end it too."""
        if step.value and self.before(step):
            closing = len(self.closing)
            still = self.decided(step.thing, self.situation.vocabulary.classes[name].ancestors, name) is not None
            del self.closing[closing:]  # it is the case's word that stands, no closing rule
            return True if still else None
        if step.value or step.why not in ("presumed", "defined"):
            return bool(step.value)
        if step.why == "defined" and (not parts or self.value(parts[0]) is False):
            return False
        return self.decided(step.thing, self.situation.vocabulary.classes[name].ancestors, name)

    def before(self, step: Step) -> bool:
        """Whether a thing is only stated to be in a state, and has since done something, or something has been done to it."""
        situation, x = self.situation, step.thing
        if step.why not in ("stated", "inferred") or not situation.done or not isinstance(step.node, m.Named):
            return False
        source = x.kind.source.get(step.node.name, "")
        states = situation.vocabulary.classes
        made = any(step.node.name in states[c].ancestors for c in x.caused)
        if made or source not in x.facts.is_ or STATE not in states[source].ancestors:
            return False
        acts = [situation.case.things[name] for name in situation.done]
        return any(x.name in to for act in acts for to in act.links.values())

    def decided(self, x: Thing, terms: Iterable[str], name: str) -> bool | None:
        """False where what is not said of a term is not so; None, noted, where other rules decide it too."""
        theory, vocabulary = self.situation.theory, self.situation.vocabulary
        term = vocabulary.classes.get(name) or vocabulary.properties.get(name)
        found = on(self.situation, x, terms)
        scope = of_rows(theory, found, tuple(home(theory, term)))
        if scope.kind == p.WHOLLY:
            self.leans += leaning(self.situation, x, [row for row in found if row.condition is not None])
        (self.closing if scope.kind == p.WHOLLY else self.open).append(scope)
        return False if scope.kind == p.WHOLLY else None

    def silent(self, step: Step, role: str) -> bool:
        """Whether a relation that rules make is only not said to hold, and other rules make it too."""
        terms = wider(self.situation.vocabulary, role)
        ruled = any(term in self.situation.theory.scope for term in terms)
        return ruled and self.decided(step.thing, terms, role) is None

    def unknown_number(self, step: Step) -> bool:
        """Whether a number is only a default, or what is handed on, and other rules have a part in it."""
        assert isinstance(step.node, m.Path)
        name = step.node.steps[-1]
        if step.why == "stated" or ruled(step):
            return False
        return self.decided(step.thing, (name,), name) is None

    def all_of(self, parts: list[Step]) -> bool | None:
        """Of parts that all have to hold, and do."""
        return True if all([self.value(q) for q in parts]) else None

    def one_true(self, parts: list[Step]) -> bool | None:
        """Of parts of which one has to hold, and does."""
        return True if any(self.value(q) for q in parts if q.value) else None

    def one_false(self, parts: list[Step], value: bool) -> bool | None:
        """Of parts that all have to hold, one of which does not."""
        failing = [q for q in parts if q.value is False]
        return value if not failing or any(self.value(q) is False for q in failing) else None

    def all_false(self, parts: list[Step]) -> bool | None:
        """Of parts of which one has to hold, and none does."""
        return False if all([self.value(q) is False for q in parts]) else None


def number(step: Step) -> Step | None:
    """The one number that an expression is, where it is one."""
    while isinstance(step.node, m.Path):
        inner = [q for q in step.parts if isinstance(q, Step)]
        if step.why != "path" or len(inner) != 1:
            return step
        step = inner[0]
    return None


def holds(found: Proof, situation: Situation) -> Proof:
    """The answer to `is` in its scope: what is not so only because nothing says that it is, is no answer."""
    if found.verdict == p.UNDETERMINED or situation.case.elsewhere:
        return found
    if Sure(situation).value(found.steps[0]) is None and (other := surer(situation, found.steps[0])) is not None:
        winners = tuple(o for o in outcomes_in([other]) if o.status)
        defeats = tuple(outdone(situation.theory, found.considered, winners))
        found = replace(found, steps=(other,), winners=winners, defeats=defeats)
    sure = Sure(situation)
    if sure.value(found.steps[0]) is not None:
        closing = next((s for s in sure.closing if s.by or s.says), found.scope)
        return replace(found, scope=closing, silence=tuple(sure.leans))
    return replace(found, verdict=p.OUTSIDE, scope=together(sure.open))


def surer(situation: Situation, step: Step) -> Step | None:
    """A conjunction of a question that fails, by a part that is surely not so, where the part it was found to fail for is not."""
    node = step.node
    if step.value is not False or not isinstance(node, (m.And, m.Except)) or binds(node):
        return None
    for part in node.parts if isinstance(node, m.And) else (node.base, m.Not(node.carve)):
        tried = of_question(situation.theory, part)(situation, step.thing, {"this": step.thing, **situation.things})
        if tried.value is False and Sure(situation).value(tried) is False:
            return Step(node, step.thing, False, "and", (tried,), tried.soft)
    return None


def together(scopes: Sequence[Scope]) -> Scope:
    """One scope for several that an answer fails for."""
    refs = tuple(dict.fromkeys(ref for s in scopes for ref in s.needs))
    those = next((s.those for s in scopes if s.those), "")
    return Scope(p.OUTSIDE, refs, those, scopes[0].term if scopes else "")
