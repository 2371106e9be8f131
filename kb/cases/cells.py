"""What a case tells of who and what is in one cell of the map, brought into the normal words.

A case may say of a pillbox that it is `at` a hex, that the hex `holds` it, that it shares its hex with somebody, or give the
coordinate of both: all of it says that they are in one hex. The ontology has one relation above these, marked with what a
cell is (`lp:cell "hex coordinate GroundLevel Entrenchment"`): the relation to the cell that a place lies in, the text that names
a cell, the kind of place that is its ground, and the kinds of places that lie there as pieces do. Then

* cells of one coordinate are one; what is told of a cell is told of its ground; the cell stands for its ground where none is told;
* a piece, or a place that lies as pieces do, which is in the cell and not told to be at any place in it, is on its ground;
* who is at a place that lies as pieces do (a foxhole) is where that lies, and in it; what is aimed at it is aimed at where it lies;
* what by an axiom has a place of that kind beside it (a pillbox the Location outside it) has the ground of its cell;
* what is so of a whole cell (that it lies in a field of fire) is so of every place in it;
* whatever else is a place in the cell lies in it; a piece does by the place where it is, so that it does no more once it has left.

What a case states is not contradicted: where two cells would be one against what is told, they stay two. Pure, but for `things`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kb.cases import same_cell
from kb.cases.same_cell import ACT as ACT, PLACE as PLACE
from kb.cases.telling import Telling
from kb.language.case import Facts
from kb.language.vocabulary import AT, Cell, Vocabulary

AGAINST = "against"


def settle(things: Telling, vocabulary: Vocabulary) -> None:
    """Brings what is told of each cell into the normal words, in place."""
    cell = vocabulary.cell
    if cell is None or not same_cell.told(things, vocabulary, cell):
        return
    for group in same_cell.together(things, vocabulary, cell):
        Group(things, vocabulary, cell, group).settle()
    if cell.within:
        aim(things, vocabulary, cell)


def aim(things: Telling, vocabulary: Vocabulary, cell: Cell) -> None:
    """What is aimed at a place that lies as pieces do is aimed at where it lies."""
    pieces = [facts for facts in things.values() if not cell.pieces.isdisjoint(facts.is_)]
    lying = {facts.name: facts.links[AT] for facts in pieces if len(facts.links.get(AT, ())) == 1}
    roles = vocabulary.properties[AGAINST].below
    for name, facts in things.items() if lying else ():
        if aimed := {q: to for q, to in facts.links.items() if q in roles and not lying.keys().isdisjoint(to)}:
            at = {q: tuple(dict.fromkeys(n for old in to for n in lying.get(old, (old,)))) for q, to in aimed.items()}
            things[name] = replace(facts, links={**facts.links, **at})


class Group:
    """The things that are in one cell."""

    def __init__(self, things: Telling, vocabulary: Vocabulary, cell: Cell, names: list[str]):
        self.things, self.vocabulary, self.cell, self.names = things, vocabulary, cell, names
        self.spots = {spot for name in names if (spot := same_cell.spot_of(things[name], cell))}
        self.cells = [name for name in names if self.is_a(name, cell.cells)]

    def settle(self) -> None:
        """Brings what is told of the group into the normal words."""
        owing = [(name, role) for name in self.names for role in self.owed(name)]
        astray = [name for name in self.names if self.lies(name) and not self.told(name, AT)]
        beside = {n for n in self.names if self.is_place(n) and not self.lies(n) and not self.owes(n)}
        beside -= {to for n in self.names if self.owes(n) for ends in self.things[n].links.values() for to in ends}
        if len(beside) > 1 and not self.cells:
            self.named_cell()  # one coordinate is all that they have in common
        ground = self.ground(bool(astray or (owing and self.spots)))
        for name, role in owing if ground else ():
            if name != ground:
                self.link(name, role, ground)
                self.unlink(name, AT, {ground, *self.cells})
        for name in astray if ground else ():
            if name != ground:
                self.link(name, AT, ground)
        for name, place in list(self.sheltered()):
            self.unlink(name, AT, {place})
            self.link(name, AT, *self.where(place))
            self.link(name, self.cell.within, place)
        for name in self.cells:
            if name != ground:
                self.merge(name, ground)
        self.name_places(ground)
        self.share(ground)

    # ── what is told ──

    def is_a(self, name: str, classes: frozenset[str]) -> bool:
        """Whether a thing is told to be of one of these classes by its name."""
        return not classes.isdisjoint(self.things[name].is_)

    def is_place(self, name: str) -> bool:
        """Whether a thing is told to be a place."""
        return self.vocabulary.entails(self.things[name].is_, PLACE)

    def owed(self, name: str) -> Iterator[str]:
        """The relations to its ground that the axioms say a thing must have and that the case does not tell."""
        for cls in self.things[name].is_:
            for role in self.cell.owing.get(cls, ()):
                if not self.told(name, role):
                    yield role

    def owes(self, name: str) -> bool:
        """Whether by the axioms a thing has a place of its ground beside it."""
        return not self.cell.owing.keys().isdisjoint(self.things[name].is_)

    def lies(self, name: str) -> bool:
        """Whether a thing is on the ground of its cell when it is nowhere in particular: a piece, or what lies as pieces do."""
        facts = self.things[name]
        if any(self.vocabulary.entails(facts.is_, cls) for cls in (PLACE, ACT)):
            return any(self.vocabulary.entails(facts.is_, cls) for cls in self.cell.lying)
        return not self.holding(name)

    def sheltered(self) -> Iterator[tuple[str, str]]:
        """Who is told to be at a place that lies as pieces do, and that place, where it is told where that is."""
        for place in self.names if self.cell.within else ():
            if self.is_a(place, self.cell.pieces) and len(self.where(place)) == 1:
                yield from ((name, place) for name in self.names if place in self.where(name))

    def where(self, name: str) -> set[str]:
        """The places that a thing is told to be at, from either side."""
        return self.things.related(name, AT, self.vocabulary)

    def holding(self, name: str) -> bool:
        """Whether something is said to be at a thing: then it is a place, whatever it is called."""
        words = self.vocabulary.properties[AT].inverses
        return any(self.things[name].links.get(q) for q in words) or any(
            name in self.things[other].links.get(AT, ()) for other in self.names
        )

    def told(self, name: str, role: str) -> bool:
        """Whether a relation of a thing is stated, or a narrower one, from either side."""
        prop = self.vocabulary.properties[role]
        links = self.things[name].links
        return any(q in links for q in prop.below) or any(
            name in self.things[other].links.get(q, ()) for q in prop.inverses for other in self.names
        )

    # ── the ground ──

    def ground(self, wanted: bool) -> str:
        """The place that is the ground of the cell: one that is told, the cell itself, or one that is made where it is wanted."""
        roles = {role for name in self.names for cls in self.things[name].is_ for role in self.cell.owing.get(cls, ())}
        back = {q for role in roles for q in self.vocabulary.properties[role].inverses}
        outside = [to for name in self.names for role in roles for to in self.things[name].links.get(role, ())]
        outside += [name for name in self.names if not back.isdisjoint(self.things[name].links)]
        proper = [name for name in self.names if self.vocabulary.entails(self.things[name].is_, self.cell.ground)]
        vague = [name for name in self.names if self.vague(name)]
        for found in (outside, proper, vague if len(vague) == 1 else (), self.cells):
            if found:
                return found[0]
        return self.made() if wanted else ""

    def vague(self, name: str) -> bool:
        """Whether a place is told by nothing that is not so of the ground too: a Location; or by what is no place, its terrain."""
        facts, classes = self.things[name], self.vocabulary.classes
        if name in self.cells or self.owes(name):
            return False
        wide = classes[self.cell.ground].ancestors
        if self.vocabulary.entails(facts.is_, PLACE):
            return all(c in wide or PLACE not in classes[c].ancestors for c in facts.is_)
        return self.holding(name)

    def made(self) -> str:
        """A ground that nobody names: that of what must have one, or the cell of the coordinate."""
        for name in self.names:
            for cls in self.things[name].is_:
                for role in self.cell.owing.get(cls, ()):
                    place, prop = f"{name}.{role}", self.vocabulary.properties[role]
                    label = f"{self.things[name].label or name}'s {prop.label}"
                    self.things[place] = Facts(place, (self.cell.ground,), label=label)
                    self.link(name, role, place)
                    return place
        for name in self.names:
            if self.is_place(name) and not self.spots:
                cell = f"{name}.{self.cell.to_it}"
                label = f"the {self.vocabulary.classes[self.cell.name].label} of {self.things[name].label or name}"
                self.things[cell] = Facts(cell, (self.cell.name,), label=label)
                self.names, self.cells = [*self.names, cell], [*self.cells, cell]
                return cell
        return self.named_cell()

    def named_cell(self) -> str:
        """The cell of the coordinate, made; "" where there is none, or that names something else."""
        spot = min(self.spots, default="")
        if not spot or spot in self.things:
            return ""
        self.things[spot] = Facts(spot, (self.cell.name,), texts={self.cell.key: spot})
        self.cells.append(spot)
        return spot

    # ── what follows ──

    def link(self, name: str, role: str, *to: str) -> None:
        """Relates a thing to others, and to nothing else."""
        facts = self.things[name]
        self.things[name] = replace(facts, links={**facts.links, role: to})

    def merge(self, name: str, ground: str) -> None:
        """Whatever is told of a cell whose ground is another place is told of that place."""
        facts, into, classes = self.things[name], self.things[ground], self.vocabulary.classes
        apart = into.is_
        kinds = [c for c in facts.is_ if c not in self.cell.cells and not any(c in classes[d].disjoint for d in apart)]
        links = dict(into.links)
        for role, to in facts.links.items():
            if role not in self.cell.of_cells and not (self.vocabulary.properties[role].functional and role in links):
                links[role] = tuple(dict.fromkeys((*links.get(role, ()), *(n for n in to if n != ground))))
        self.things[ground] = replace(
            into,
            is_=tuple(dict.fromkeys((*into.is_, *kinds))),
            not_=tuple(
                dict.fromkeys(
                    (*into.not_, *(c for c in facts.not_ if c not in kinds and not self.vocabulary.entails(apart, c)))
                )
            ),
            links=links,
            numbers={**facts.numbers, **into.numbers},
            flags={**facts.flags, **into.flags},
        )
        self.things[name] = replace(facts, links={q: to for q, to in facts.links.items() if not self.one_only(q)})
        for other, told in list(self.things.items()):
            if any(name in to and q not in self.cell.of_cells for q, to in told.links.items()):
                told_of = {
                    q: to if q in self.cell.of_cells else tuple(dict.fromkeys(ground if n == name else n for n in to))
                    for q, to in told.links.items()
                    if not (other == ground and q == AT and name in to)
                }
                self.things[other] = replace(told, links=told_of)

    def one_only(self, role: str) -> bool:
        """Whether what this relation leads to can be so related to one thing only: who is there is nowhere else."""
        properties = self.vocabulary.properties
        backwards = [properties[q] for q in properties[role].inverses]
        return role not in self.cell.of_cells and any(prop.functional for prop in backwards)

    def unlink(self, name: str, role: str, to: Iterable[str]) -> None:
        """Takes back a relation of a thing to some others, told from either side."""
        prop, gone = self.vocabulary.properties[role], set(to)
        ways = [(name, q, other) for q in prop.below for other in gone]
        for one, q, other in [*ways, *((other, q, name) for q in prop.inverses for other in gone)]:
            facts = self.things[one]
            if other in facts.links.get(q, ()):
                rest = tuple(n for n in facts.links[q] if n != other)
                links = {key: to for key, to in facts.links.items() if key != q}
                self.things[one] = replace(facts, links={**links, q: rest} if rest else links)

    def name_places(self, ground: str) -> None:
        """Notes of each place in which cell it lies, and its coordinate; not of a piece, which has those of the place where it is."""
        own = next(iter(self.cells), "")
        spot = next(iter(self.spots)) if len(self.spots) == 1 else ""
        for name in dict.fromkeys((*self.names, *([ground] if ground else ()))):
            facts = self.things[name]
            place = self.is_place(name) or self.holding(name)
            if not place and self.told(name, AT):
                self.unlink(name, self.cell.to_it, self.cells)
                self.spot(name, "")
            elif place:
                if own and name not in self.cells and not self.told(name, self.cell.to_it):
                    self.link(name, self.cell.to_it, own)
                if spot and self.cell.key not in facts.texts:
                    self.spot(name, spot)

    def share(self, ground: str) -> None:
        """Says of each place in the cell what is told of the whole cell, where nothing of the kind is told of it."""
        told = dict.fromkeys(
            (role, to)
            for name in (*self.cells, ground) if name
            for role in self.cell.whole for to in self.things[name].links.get(role, ())
        )  # fmt: skip
        own = self.cell.whole
        for name in self.names if told else ():
            facts = self.things[name]
            if not self.is_place(name):
                continue
            said = {to for role in own for to in facts.links.get(role, ())} | {name}
            for role in sorted(own):
                if new := [to for r, to in told if r == role and to not in said]:
                    self.link(name, role, *self.things[name].links.get(role, ()), *new)

    def spot(self, name: str, spot: str) -> None:
        """Says which coordinate a thing has: none for ""."""
        facts = self.things[name]
        if spot or self.cell.key in facts.texts:
            texts = {key: text for key, text in facts.texts.items() if key != self.cell.key}
            self.things[name] = replace(facts, texts={**texts, self.cell.key: spot} if spot else texts)
