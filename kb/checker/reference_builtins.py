"""What terms that the ontology derives come to (`lp:derivedBy`), worked out for the Judge without kb.reasoner.builtins.

A class: derived_member. A relation: what it leads to, what it may lead to, and how far that is all. A number: derived_number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from kb.checker import reference_map as chart
from kb.checker.reference_case import Staged
from kb.checker.reference_sides import Sides
from kb.checker.reference_values import One, Tri, Values


@dataclass
class Worked:
    """What a derived relation leads to from a thing. may: what it may lead to besides; settled: whether it leads to nothing but these;
    complete: whether nothing is presumed of that."""

    things: list[One] = field(default_factory=list)
    may: list[One] = field(default_factory=list)
    settled: bool = False
    complete: bool = True


class Derived(Staged):
    """Works out what the ontology derives."""

    def successors(self, x: One, name: str, inverse: bool = False) -> Values:
        """What x is related to by a property."""
        raise NotImplementedError

    # ── classes ──

    def derived_member(self, x: One, cls: str, focus: One) -> tuple[Tri, bool]:
        """Whether x is of a derived class, seen from the focus; and whether that is presumed."""
        match self.vocabulary.classes[cls].derived.split():
            case ["sides"]:
                return Sides(self).seen(cls, x, focus)
            case ["history"]:
                return x.name in self.done, False
            case ["rules", "elsewhere"]:
                return False if self.case.elsewhere else None, False
            case ["history", "told", relation, kind]:
                return any(x in self.successors(act, relation).things for act in self.events_of(kind)), False
            case words:
                said = self.said(x, cls)
                return said if said is not None else self.derived_so(x, words)

    def said(self, x: One, cls: str) -> tuple[Tri, bool] | None:
        """What a case says of a thing's being of a derived class; None where it says nothing."""
        classes = self.vocabulary.classes
        if any(cls in classes[c].ancestors for c in x.facts.is_):
            return True, False
        denied = any(c in classes[cls].ancestors for c in x.facts.not_)
        if not denied and cls in x.facts.unknown:
            return None, False
        return (False, False) if denied or not classes[cls].disjoint.isdisjoint(x.facts.is_) else None

    def derived_so(self, x: One, words: list[str]) -> tuple[Tri, bool]:
        """The same as it is worked out."""
        match words:
            case ["history", "before", what]:
                return self.before(x, what), False
            case ["history", "parted", acts, aim]:
                return self.parted(x, acts, aim), False
            case ["groups", "connected", members, place, link, *of]:
                return self.connected(x, members, place, link, of)
            case ["grid", "apart", one, other]:
                far = chart.distance(self, x, one, other)
                return far is not None and far > 1, far is None
            case ["grid", "in", coordinate]:
                return chart.within(self, x, coordinate)
            case ["grid", _, one, other, a, b]:
                return chart.between(self, x, one, other, a, b)
            case ["grid", shape, lines, target, *instead]:
                return chart.in_shape(self, x, shape, lines, target, instead), False
        raise KeyError(" ".join(words))

    def events_of(self, kind: str) -> list[One]:
        """The acts of a kind that are told as events of their own: what has happened, and what is asked for its effects."""
        asked = self.case.question
        names = [*self.case.history, *([asked.thing] if asked.kind == "effects" else [])]
        classes = self.vocabulary.classes
        return [y for y in (self.things[n] for n in names) if any(kind in classes[c].ancestors for c in y.facts.is_)]

    def before(self, x: One, what: str) -> bool:
        """Whether an event of a kind, or that changes a number, has happened after an act."""
        classes, numbers = self.vocabulary.classes, self.vocabulary.properties
        kinds = [rule.cls for rule in numbers[what].changed_by] if what in numbers else [what]
        turning = {cls for kind in kinds for cls in classes[kind].descendants}
        past = False  # the act has been met
        for name in self.case.history:
            if past and name in self.done and not turning.isdisjoint(self.things[name].facts.is_):
                return True
            past = past or (name == x.name and name in self.done)
        return False

    def parted(self, x: One, acts: str, aim: str) -> bool:
        """Whether between two acts of x, which have one aim, the history has one with other aims alone."""
        mine = {y.name for y in self.successors(x, acts).things}
        aims = {z.name for y in mine for z in self.successors(self.things[y], aim).things}
        order = self.case.history
        begun = False  # an act of x has been met
        others = False  # and since then one with other aims
        for name in order:
            if name in mine:
                if others:
                    return bool(aims)
                begun = True
            elif begun and not others:
                at = {z.name for z in self.successors(self.things[name], aim).things}
                others = bool(at) and at.isdisjoint(aims)
        return bool(aims) and others and not mine <= set(order)  # what the history does not name is still to come

    def run(self, x: One, name: str, aim: str, kind: str, *others: str) -> list[One]:
        """The acts of a class up to x since the history had the last with other aims alone. x is one, and stands last, or is of the
        other class and is told to go with none."""
        classes = self.vocabulary.classes
        mine = {z.name for z in self.successors(x, aim).things}
        acts: list[One] = []
        for past in self.case.history if mine else ():
            if past == x.name:
                break
            act = self.things[past]
            at = {z.name for z in self.successors(act, aim).things}
            if at and at.isdisjoint(mine):
                acts = []
            elif at and any(kind in classes[c].ancestors for c in act.facts.is_):
                acts.append(act)
        above = {a for c in x.facts.is_ for a in classes[c].ancestors}
        if kind in above:
            return [*acts, x]
        return acts if not above.isdisjoint(others) and name not in x.facts.links else []

    def connected(self, x: One, members: str, place: str, link: str, of: list[str]) -> tuple[Tri, bool]:
        """Whether the places of a group's members hang together; and whether a list that is taken to be whole bears that out."""
        group, classes = self.successors(x, members), self.vocabulary.classes
        kinds = [y for y in group.things if not of or any(of[0] in classes[c].ancestors for c in y.facts.is_)]
        if len(kinds) == 1 and group.complete:
            return True, group.presumed
        at = [self.successors(y, place).things for y in kinds]
        if not group.complete or not all(at):
            return None, False
        spots = list(dict.fromkeys(z for found in at for z in found))
        links = {z.name: self.successors(z, link) for z in spots}
        sure = {a.name: {b.name for b in links[a.name].things} for a in spots}
        open_ = {z.name for z in spots if not links[z.name].complete}
        barred = {a: {b for b in sure if b in links[a].barred or a in links[b].barred} for a in sure}
        hoped = {a: near | (open_ - barred[a] if a in open_ else set()) for a, near in sure.items()}
        if spans(sure):
            return True, group.presumed
        return (None, False) if spans(hoped) else (False, True)

    # ── relations and numbers ──

    def derived_links(self, x: One, name: str) -> Worked:
        """What a derived relation leads to."""
        match self.vocabulary.properties[name].derived.split():
            case ["sides"]:
                sides = Sides(self)
                return Worked(sides.related(x, name == "friendlyTo"), sides.undecided(x), settled=True)
            case ["things", kind]:
                classes = self.vocabulary.classes
                others = [y for y in self.things.values() if y is not x]
                met = [y for y in others if any(kind in classes[c].ancestors for c in y.facts.is_)]
                return Worked(met, complete=bool(met))
            case ["history", "run", aim, *kinds]:
                return Worked(self.run(x, name, aim, *kinds), complete=False)
            case ["grid", "adjacent"]:
                if chart.own(x) is None:
                    return Worked(complete=False)
                blank = chart.uncharted(self, x)
                may = [y for y in blank if y.made is None]
                return Worked(chart.neighbours(self, name, x), may, settled=True, complete=not blank)
        raise KeyError(name)

    def derived_number(self, x: One, name: str) -> Fraction | None:
        """What a derived number of x comes to; None where that is not known, or the number is not derived."""
        match self.vocabulary.properties[name].derived.split():
            case ["grid", "range", one, other, *more]:
                pairs = [(one, other), *zip(more[::2], more[1::2], strict=True)]
                met = (chart.distance(self, x, *pair) for pair in pairs)
                return next((far for far in met if far is not None), None)
            case ["grid", "nearest", others, put]:
                return chart.least(self, x, others, put)
        return None


def spans(near: dict[str, set[str]]) -> bool:
    """Whether steps from each to what is near it lead from the first to all."""
    met = set(list(near)[:1])
    while more := {b for a in met for b in near[a] if b in near} - met:
        met |= more
    return len(met) == len(near)
