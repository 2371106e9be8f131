"""Things made up: those that must be there; blanks, which stand for whatever a relation leads to of which a case says nothing; and what
rules may relate to a blank.

So that what is found of one holds of the next (kb.reasoner.likewise), no more is looked at than can make a difference: nothing leads to
a blank but what it may be itself, and what is open of it anyway is no more open for a rule.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.language import english, norms as m
from kb.reasoner import likewise
from kb.reasoner.evaluate import evaluator, lasting
from kb.reasoner.staging import Staged, related
from kb.reasoner.trace import Thing


class Blanks(Staged):
    """Makes things up, and says which rules matter to blanks."""

    def unnamed(self, x: Thing) -> bool:
        """Whether a thing is a blank."""
        return x.made is not None and not self.named(x)

    def blank(self, x: Thing, role: str) -> Thing:
        """Whatever a role of x leads to, of which the case says nothing: presumed to be as usual, and no more."""
        key = (x.name, role)
        if key not in self.blanks:
            prop = self.vocabulary.properties[role]
            is_, not_ = self.vocabulary.unnamed(role)
            kind = self.theory.kind(frozenset(is_), frozenset(not_))
            plain = not english.verbal(prop)
            label = (
                f"{x.label}'s {prop.label}" if plain else english.role_phrase(self.vocabulary, m.Role(role), x.label)
            )
            blank = self.blanks[key] = Thing.implied(f"{x.name}.{role}", label, kind, x, role, is_, not_)
            likewise.Blank(blank, likewise.findings(self.theory).of(blank))
        return self.blanks[key]

    def _imply(self, x: Thing, roles: Iterable[str]) -> Thing | None:
        """A thing that the ontology says must be there (`C SubClassOf p some D`), made up when the case names none."""
        if not self.named(x):
            return None
        for q in roles:
            cls = x.kind.existential.get(q)
            if cls:
                return self.make(x, q, cls)
        return None

    def make(self, x: Thing, role: str, cls: str) -> Thing:
        """What the ontology says that x must stand in a relation to."""
        name = f"{x.name}.{role}"
        if name not in self.things:
            kind = self.theory.kind(frozenset([cls]), frozenset())
            made = Thing.implied(name, f"{x.label}'s {self.vocabulary.properties[role].label}", kind, x, role, (cls,))
            self.things[name] = made
            related(x, role, made)
        return self.things[name]

    def of_blank(self, norm: m.Norm, x: Thing, role: str, mine: bool, symmetric: bool) -> tuple[bool, bool]:
        """Whether a norm may relate x, a blank, to anything (or bar that), as it speaks of x itself, and as it speaks of other things."""
        head = norm.head
        assert isinstance(head, m.Relates)
        # What is open bars nothing; and it adds nothing where it is open anyway what there is.
        way = self.theory.ways[role]
        sure = head.negated or not (way.presumed or way.derived)
        mine = mine and self.outcome(norm, x).status in ((True,) if sure else (True, None))
        symmetric = symmetric and self.of_any(norm, head.to, x) in ((True, "?") if sure else (True, None, "?"))
        if mine and self.none_is(norm):
            mine = False
            if self.lookings:
                self.lookings[-1].none_is[norm.id] = norm
        if symmetric or (mine and not head.negated):
            self.looks_around()
        return mine, symmetric

    def none_is(self, norm: m.Norm) -> bool:
        """Whether plainly nothing of the case is what a norm relates things to, whatever they are."""
        assert isinstance(norm.head, m.Relates)
        to = norm.head.to
        parts = [c for c in (to.parts if isinstance(to, m.And) else (to,)) if lasting(self.vocabulary, c)]
        if not parts:
            return False
        runs = [evaluator(self.theory, c, norm) for c in parts]
        lookings, self.lookings = self.lookings, []  # what it looks at is known: all things
        found = all(any(run(self, y, {"this": y}).value is False for run in runs) for y in list(self.things.values()))
        self.lookings = lookings
        return found

    def of_any(self, norm: m.Norm, c: m.Condition, x: Thing) -> bool | str | None:
        """What a condition comes to of a blank, whatever else it is set beside; “?” where that matters."""
        match c:
            case m.And(parts):
                found = [self.of_any(norm, part, x) for part in parts]
                return next((v for v in (False, None, "?") if v in found), True)
            case m.Or(parts):
                found = [self.of_any(norm, part, x) for part in parts]
                return next((v for v in (True, None, "?") if v in found), False)
            case m.Not(of):
                value = self.of_any(norm, of, x)
                return value if value is None or value == "?" else not value
            case m.Same(m.Path("this", ())):
                return None
            case m.HasValue(role, m.Path("this", ())):
                links = self.successors(x, role.name, role.inverse)
                return "?" if not likewise.empty(links) else False if links.presumed else None
            case m.Named() | m.Some() | m.Flag() | m.Anything() if lasting(self.vocabulary, c):
                return evaluator(self.theory, c, norm)(self, x, {"this": x}).value  # type: ignore[no-any-return]
            case m.Some(role, _):
                links = self.successors(x, role.name, role.inverse)
                return "?" if not likewise.empty(links) else False if links.complete else None
        return "?"
