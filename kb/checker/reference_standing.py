"""Where things stand after what has happened, for the Judge: a case with its relations brought up to date by `lp:changedBy`.

One act after the other, then the states that the things are in. It comes to the same facts as kb.reasoner.positions, which it does not ask.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from kb.language.case import Case, Facts
from kb.language.vocabulary import AT, MEMBER, ChangedBy, PropertyTerm, Vocabulary

Names = tuple[str, ...]
Bond = tuple[str, str, str, bool]  # a thing, a relation, to what (“”: all there is), and whether it is over
NO_LINKS: Mapping[str, Iterable[Bond]] = {}


def earlier(case: Case) -> Names:
    """What has happened when a question is asked: of one about an act of the history, what goes before that act."""
    found: list[str] = []
    for name in case.history:
        if name == case.question.thing:
            break
        found.append(name)
    return tuple(found)


def stood(
    vocabulary: Vocabulary, case: Case, done: Sequence[str], made: Mapping[str, Collection[str]],
    links: Mapping[str, Iterable[Bond]] = NO_LINKS,
) -> Case:  # fmt: skip
    """The case once some acts are done, have made things what is told, and have related and parted them (links: by act)."""
    board = Board(vocabulary, case.things)
    for act in done:
        board.remember(act)
        if not board.fruitless(act):
            board.act(act)
        for bond in links.get(act, ()):
            board.link(*bond)
    kinds = {name: (*facts.is_, *made.get(name, ())) for name, facts in case.things.items()}
    board.states(kinds)
    return case if board.things == case.things else replace(case, things=board.things)


class Board:
    """The things of a case, as acts and states change them."""

    def __init__(self, vocabulary: Vocabulary, things: Mapping[str, Facts]):
        self.vocabulary, self.things = vocabulary, dict(things)
        self.rules = [(term, rule) for term in vocabulary.properties.values() for rule in term.changed_by]
        self.told = [(term, rule) for term in vocabulary.classes.values() for rule in term.changed_by]

    def of(self, kinds: Iterable[str], rule: ChangedBy) -> bool:
        """Whether what is of some classes is what a rule speaks of."""
        return any(rule.cls in self.vocabulary.classes[kind].ancestors for kind in kinds)

    def fruitless(self, name: str) -> bool:
        """Whether an act is told with what it came to nothing with."""
        terms, roles = self.vocabulary.classes, self.vocabulary.properties
        above = {cls for kind in self.things[name].is_ for cls in terms[kind].ancestors}
        for way in [way for cls in above for way in terms[cls].fails_with]:
            with_it = [self.things[end] for end in self.ends(roles[way.role], name) if end in self.things]
            if any(way.kind in terms[kind].ancestors for end in with_it for kind in end.is_):
                return True
        return False

    def act(self, name: str) -> None:
        """Changes what an act changes: for each that it moves, to the one place that it names, or away."""
        act = self.things[name]
        changes: list[tuple[PropertyTerm, str, Names]] = []
        for term, rule in self.rules:
            if rule.of_state or not self.of(act.is_, rule):
                continue
            to = self.follow(name, rule.place) if rule.place else ()
            if rule.place and len(to) != 1:
                continue  # nobody says where to
            whom = self.moved(act, rule) if term.kind == "object" or rule.mover else ()
            if term.name == AT or any(q.cell and term.name in q.below for q in self.vocabulary.properties.values()):
                whom = self.carried(whom)
            changes += [(term, who, to) for who in whom]
        for cls, who in [(term.name, who) for term, rule in self.told for who in self.freed(act, rule)]:
            self.strip(who, self.vocabulary.classes[cls].descendants)
        for term, who in [(term, who) for term, who, to in changes if not to and who in self.things]:
            self.widen(term, who)
        for term, who, to in changes:
            if who in self.things and (to or self.ends(term, who)):
                self.relate(term, who, to)
        for who in [who for term, who, to in changes if term.name == AT and to and who in self.things]:
            self.shelter(who)

    def link(self, who: str, role: str, to: str, over: bool) -> None:
        """Relates two things as a norm has it, with what goes along; or parts a thing from another, or from all."""
        term = self.vocabulary.properties[role]
        if not over:
            moves = role == AT or any(q.cell and role in q.below for q in self.vocabulary.properties.values())
            for one in self.carried((who,)) if moves else (who,):
                self.relate(term, one, (to,))
        elif not to:
            self.relate(term, who, ())
        else:
            had, links = self.ends(term, who), self.things[who].links
            kept = {q: tuple(n for n in ends if q not in term.below or n != to) for q, ends in links.items()}
            self.tell(who, {**kept, term.name: ()} if term.functional and to in had else kept)
            back = self.things[to].links
            self.tell(to, {q: tuple(n for n in ends if q not in term.inverses or n != who) for q, ends in back.items()})

    def moved(self, act: Facts, rule: ChangedBy) -> Names:
        """Whom an act moves: its movers with the members of groups, or without a mover all things."""
        named = act.links.get(rule.mover, ())
        return tuple(dict.fromkeys((*named, *self.members(named)))) if rule.mover else tuple(self.things)

    def carried(self, movers: Names) -> Names:
        """Some things, and after them all that they take along, and that takes along."""
        takes = self.vocabulary.along
        found: dict[str, None] = dict.fromkeys(movers)
        while takes is not None:
            more = [to for who in found if who in self.things for to in self.ends(takes, who) if to not in found]
            if not more:
                break
            found.update(dict.fromkeys(more))
        return tuple(found)

    def freed(self, act: Facts, rule: ChangedBy) -> Names:
        """Who is no more what he was told to be, after an act: not those who were at its place before."""
        if not self.of(act.is_, rule):
            return ()
        there, at = act.links.get(rule.place, ()), self.vocabulary.properties[AT]
        known = [who for who in self.moved(act, rule) if who in self.things]
        return tuple(who for who in known if not there or self.ends(at, who) != there)

    def members(self, groups: Names) -> Names:
        """Who belongs to the groups among some things, and goes with them."""
        return tuple(who for name in groups if name in self.things for who in self.things[name].links.get(MEMBER, ()))

    def follow(self, act: str, path: str) -> Names:
        """Where a path of relations from an act ends: by its own words at first, then as the things or the others tell it."""
        first, *more = path.split(".")
        ends = self.things[act].links.get(first, ())
        for role in more:
            term = self.vocabulary.properties[role]
            ends = tuple(dict.fromkeys(to for who in ends if who in self.things for to in self.ends(term, who)))
        return ends

    def widen(self, term: PropertyTerm, who: str) -> None:
        """Has a thing be no more of the classes that cannot be without a relation that it loses: only of those above them."""
        terms = self.vocabulary.classes
        self.strip(who, {c for c in terms if term.name in [role for role, _ in terms[c].existential]})

    def strip(self, who: str, bound: Collection[str]) -> None:
        """Has a thing be no more of some classes: only of those above them."""
        terms, kinds = self.vocabulary.classes, self.things[who].is_
        if not any(kind in bound for kind in kinds):
            return
        above = set().union(*(terms[c].ancestors for c in kinds)).difference(bound)
        lowest = [c for c in sorted(above) if not any(c in terms[d].ancestors for d in above - {c})]
        own = [c for c in kinds if c not in bound]
        self.things[who] = replace(self.things[who], is_=tuple(dict.fromkeys((*own, *lowest))))

    def shelter(self, who: str) -> None:
        """Has a thing that is at a foxhole, or whatever lies there as a piece does, be at the place of that, and in it."""
        cell, terms = self.vocabulary.cell, self.vocabulary.properties
        for hole in self.things[who].links.get(AT, ()) if cell and cell.within else ():
            where = self.ends(terms[AT], hole) if hole in self.things else ()
            if cell and len(where) == 1 and any(kind in cell.pieces for kind in self.things[hole].is_):
                self.relate(terms[AT], who, where)
                self.relate(terms[cell.within], who, (hole,))

    def ends(self, term: PropertyTerm, who: str) -> Names:
        """What a thing has a relation to, as it or the other tells it."""
        told = [to for q in term.below for to in self.things[who].links.get(q, ())]
        told += [to for to, facts in self.things.items() for q in term.inverses if who in facts.links.get(q, ())]
        return tuple(dict.fromkeys(told))

    def remember(self, act: str) -> None:
        """Notes with an act what a chain that goes by where somebody stands leads it to now, if nothing is told of that."""
        terms, told = self.vocabulary.properties, self.things[act].links
        for q in terms.values():
            ends: Names = ()
            for first, *others in () if q.name in told else q.chains:
                if any(name in self.vocabulary.moving for name in others):
                    met = told.get(first, ())
                    for name in others:
                        met = tuple(to for who in met if who in self.things for to in self.ends(terms[name], who))
                    ends += met
            if ends:
                self.tell(act, {**self.things[act].links, q.name: tuple(dict.fromkeys(ends))})

    def relate(self, term: PropertyTerm, who: str, to: Names) -> None:
        """Has a thing related to something: besides what it is related to, if there can be several; else to nothing but that."""
        links = self.things[who].links
        if to and not term.functional:
            self.tell(who, {**links, term.name: tuple(dict.fromkeys((*links.get(term.name, ()), *to)))})
            return
        self.tell(who, {**{q: ends for q, ends in links.items() if q not in term.below}, term.name: to})
        for other in [
            o for o, facts in self.things.items() if any(who in facts.links.get(q, ()) for q in term.inverses)
        ]:
            now = self.things[other].links
            self.tell(
                other,
                {q: tuple(n for n in ends if n != who) if q in term.inverses else ends for q, ends in now.items()},
            )

    def tell(self, name: str, links: Mapping[str, Names]) -> None:
        """Puts other relations of a thing in place of those it had."""
        self.things[name] = replace(self.things[name], links=dict(links))

    def states(self, kinds: Mapping[str, Names]) -> None:
        """Changes what the states of things change: first those that end a relation, then those that leave somebody somewhere else."""
        terms = self.vocabulary.properties
        met = [
            (term, rule, name)
            for term, rule in self.rules
            if rule.of_state
            for name in kinds
            if self.of(kinds[name], rule)
        ]
        left: list[tuple[PropertyTerm, str, Names]] = []
        for term, rule, name in met:
            if rule.place and (to := self.ends(terms[rule.place], name)):
                whom = self.ends(terms[rule.mover], name) if rule.mover else (name,)
                left += [(term, who, to) for who in whom if who in self.things]
        for term, rule, name in met:
            if not rule.place:
                self.relate(term, name, ())
        for term, who, to in left:
            self.relate(term, who, to)
