"""The situation of a case as a picture has it: the cells of the map, what stands in them, the acts as arrows; and the same in sentences.

scene(case, vocabulary) -> Scene      `Scene.text` is what a reader gets who does not see the picture

Nothing is added to what the case tells: where a thing stands is drawn where it is told, else apart, in a cell that says so.
What is drawn how is a table, ontology/signs.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kb import resources, yaml_document
from kb.answers.openings import SIDES, WIDE
from kb.answers.scene_parts import (
    Arc as Arc,
    Arrow as Arrow,
    Cell as Cell,
    Piece as Piece,
    Scene as Scene,
    Work as Work,
    cell_of as cell_of,
)
from kb.hexes import hex_at
from kb.language import english
from kb.language.case import Case, Facts
from kb.language.vocabulary import Vocabulary

BEARS = ("possesses", "carries")
MOST_STATES = 3  # that are written under a counter
# Neighbours of a cell by column and half row, the left ones first; then places that touch no other.
BESIDE = ((-1, 1), (1, 1), (-1, -1), (1, -1), (0, 2), (0, -2))
APART = ((-2, 0), (2, 0), (-2, 3), (2, 3), (0, 3), (-2, -3), (2, -3), (0, -3), (-4, 0), (4, 0))


@lru_cache(maxsize=1)
def signs() -> Mapping[str, Mapping[str, str] | list[str]]:
    """The table of signs. Raises LoopholeError where it cannot be read."""
    file = resources.path("ontology") / "signs.yaml"
    data, _ = yaml_document.document(resources.read_text(file, 716), str(file))
    return dict(data)


def sign(vocabulary: Vocabulary, table: str, classes: tuple[str, ...], otherwise: str = "") -> str:
    """How something of some classes is drawn: the first row of a table that fits."""
    rows = signs()[table]
    assert isinstance(rows, dict)
    known = [n for n in classes if n in vocabulary.classes]
    return next((s for cls, s in rows.items() if vocabulary.entails(known, cls)), otherwise)


def scene(case: Case, vocabulary: Vocabulary) -> Scene:
    """What a picture of a case shows."""
    return Drawer(case, vocabulary).scene()


@dataclass
class Drawer:
    """Sorts the things of a case into cells. cells: by thing, the things that share its cell."""

    case: Case
    vocabulary: Vocabulary
    near: dict[str, set[str]] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.things = self.case.things
        asked = self.case.question.inner or self.case.question
        self.asked = asked.thing
        self.acts = [n for n, f in self.things.items() if self.is_a(f, "Act")]
        properties = self.vocabulary.properties
        self.within = set(properties["at"].below) if "at" in properties else set()
        self.contains = {q for role in self.within for q in properties[role].inverses} - self.within
        family = set(properties["inOneHexWith"].below) if "inOneHexWith" in properties else set()
        self.together = family - self.within - self.contains
        self.near = {name: {name} for name in self.things if name not in self.acts}
        for name, facts in self.things.items():
            for role, others in facts.links.items():
                for other in others:
                    self.relate(name, role, other)
        at: dict[str, str] = {}
        for name in self.near:  # told by one coordinate, they are one cell
            if spot := self.things[name].texts.get("coordinate"):
                self.join(name, at.setdefault(spot, name))

    def is_a(self, facts: Facts, *classes: str) -> bool:
        """Whether a thing is stated to be of one of some classes."""
        known = [n for n in facts.is_ if n in self.vocabulary.classes]
        return any(self.vocabulary.entails(known, cls) for cls in classes if cls in self.vocabulary.classes)

    def relate(self, name: str, role: str, other: str) -> None:
        """Takes up that two things are in one cell, and which stands in which."""
        if name not in self.near or other not in self.near or role not in self.within | self.contains | self.together:
            return
        if role in self.within:
            self.inside[name] = other
        if role in self.contains:
            self.inside[other] = name
        self.join(name, other)

    def join(self, name: str, other: str) -> None:
        """Puts what is in the cell of one thing, and of the other, in one."""
        whole = self.near[name] | self.near[other]
        for one in whole:
            self.near[one] = whole

    def placed(self, name: str) -> bool:
        """Whether a thing is a place, or has one: what an act leads to or comes from is one as well."""
        facts = self.things[name]
        if self.is_a(facts, "Place", "Fortification") or name in self.inside.values():
            return True
        properties = self.vocabulary.properties
        roles = (role for a in self.acts for role, others in self.things[a].links.items() if name in others)
        return any(properties[role].range == "Place" for role in roles if role in properties)

    def piece_like(self, name: str) -> bool:
        """Whether a thing is drawn as a counter."""
        facts = self.things[name]
        if self.is_a(facts, "Place", "Terrain", "Phase", "Side", "Ammunition", "Group", "Act"):
            return False
        return self.is_a(facts, "Piece", *SIDES) or any(
            name in self.things[a].links.get("actor", ()) for a in self.acts
        )

    def scene(self) -> Scene:
        """The whole picture."""
        cells, seen, left = list[Cell](), set[str](), list[str]()
        borne = {o for f in self.things.values() for r in BEARS for o in f.links.get(r, ())}
        borne |= {o for a in self.acts for o in self.things[a].links.get("weapon", ())}
        for name in self.near:
            group = sorted(self.near[name], key=list(self.things).index)
            if name in seen:
                continue
            seen.update(group)
            places = [n for n in group if self.placed(n)]
            pieces = [
                n for n in group if self.piece_like(n) and n not in places and (n not in borne or n in self.inside)
            ]
            if places:
                cells.append(self.cell(places, pieces))
            else:
                left += pieces
        doers = {o for a in self.acts for o in self.things[a].links.get("actor", ())}
        ours = [n for n in left if n in doers or SIDES[0] in self.things[n].is_]  # who acts apart from who is acted on
        cells += [self.cell([], some) for some in (ours, [n for n in left if n not in ours]) if some]
        arrows = tuple(self.arrows(cells))
        arcs = tuple(self.arcs(arrows))
        actor = next(iter(self.things[self.asked].links.get("actor", ())), "") if self.asked in self.things else ""
        whole = Scene(self.vocabulary.cell is not None, tuple(cells), arrows, arcs, actor)
        lay_out(whole, self)
        return whole

    def cell(self, places: list[str], pieces: list[str]) -> Cell:
        """One cell of the map, with its works and the counters in and beside them."""
        built = [n for n in places if self.is_a(self.things[n], "Fortification")]
        open_ = [n for n in places if n not in built]
        works = tuple(
            Work(
                n, self.label(n), sign(self.vocabulary, "works", self.things[n].is_, "post"),
                tuple(self.piece(q) for q in pieces if self.inside.get(q) == n),
            ) for n in built
        )  # fmt: skip
        loose = tuple(self.piece(q) for q in pieces if self.inside.get(q) not in built)
        grounds = [self.things[n] for n in open_]
        grounds += [self.things[t] for n in places for t in self.things[n].links.get("terrain", ()) if t in self.things]
        terrain = []
        for facts in grounds:
            for cls in facts.is_:
                if found := sign(self.vocabulary, "terrain", (cls,)):
                    terrain.append((found, self.vocabulary.classes[cls].label))
        key = self.vocabulary.cell.key if self.vocabulary.cell else ""
        coordinate = next((self.things[n].texts[key] for n in places if key in self.things[n].texts), "")
        label = english.series([self.label(n) for n in open_]) if open_ else ""
        return Cell(tuple(open_), label, tuple(dict.fromkeys(terrain)), works, loose, bool(places), coordinate)

    def piece(self, name: str) -> Piece:
        """A counter."""
        facts = self.things[name]
        vocabulary = self.vocabulary
        side = next((s for s in SIDES if s in facts.is_), "") or self.side_by_links(name)
        how = [
            vocabulary.classes[n].label
            for n in facts.is_
            if n in vocabulary.classes and n not in SIDES and english.passing(vocabulary, n)
        ]
        used = [
            o
            for a in self.acts
            if name in self.things[a].links.get("actor", ())
            for o in self.things[a].links.get("weapon", ())
        ]
        had = [*(o for r in BEARS for o in facts.links.get(r, ())), *used]
        bears = [self.label(o) for o in dict.fromkeys(had) if o in self.things]
        drawn = sign(vocabulary, "pieces", facts.is_)
        return Piece(name, self.label(name), side, drawn, tuple(how[:MOST_STATES]), tuple(bears))

    def side_by_links(self, name: str) -> str:
        """The side of a thing that is only told as the enemy or the friend of another."""
        for one, facts in self.things.items():
            for role, same in (("enemyOf", False), ("friendlyTo", True)):
                pair = facts.links.get(role, ())
                other = next(iter(pair), "") if one == name else one if name in pair else ""
                told = next((s for s in SIDES if other and s in self.things[other].is_), "")
                if told:
                    return told if same else next(s for s in SIDES if s != told)
        return ""

    def label(self, name: str) -> str:
        """What a thing is called, with what it is where its name does not say so."""
        facts, vocabulary = self.things[name], self.vocabulary
        called = facts.label or ("" if "." in name else name.replace("-", " "))
        kinds = [
            n
            for n in facts.is_
            if n in vocabulary.classes and n not in (*SIDES, *WIDE) and not english.passing(vocabulary, n)
        ]
        said = vocabulary.classes[kinds[0]].label if kinds else ""
        if not called:  # a thing that was made up has no name of its own
            return said or name.rpartition(".")[2]
        return called if not said or said.casefold() in called.casefold() else f"{called} ({said})"

    def arrows(self, cells: list[Cell]) -> Iterator[Arrow]:
        """The acts that lead from something drawn to something drawn."""
        done = set(self.case.history)
        for name in self.acts:
            facts = self.things[name]
            moves = self.is_a(facts, "Entry")
            starts = [*facts.links.get("actor", ()), *facts.links.get("from", ())]
            roles = ("destination", "place", "target", "against", "object")
            ends = [
                o for role in (roles if moves else (*roles[2:4], roles[1], roles[4])) for o in facts.links.get(role, ())
            ]
            start = next((o for o in starts if any(c.holds(o) for c in cells)), "")
            end = next((o for o in ends if o != start and any(c.holds(o) for c in cells)), "")
            if start and end:
                kind = "move" if moves else "shot" if self.is_a(facts, "Attack") else "act"
                yield Arrow(name, kind, self.label(name), start, end, name == self.asked, name in done)

    def arcs(self, arrows: tuple[Arrow, ...]) -> Iterator[Arc]:
        """What is told of the arcs of works."""
        found: dict[str, dict[str, list[str]]] = {}
        table, shots = signs()["arcs"], signs()["shots"]
        assert isinstance(table, dict) and isinstance(shots, dict)
        for name, facts in self.things.items():
            for role, how in table.items():
                for work in facts.links.get(role, ()):
                    found.setdefault(work, {}).setdefault(how, []).append(name)
        built = [n for n in self.near if self.is_a(self.things[n], "Fortification")]
        for arrow in arrows:
            for cls, how in shots.items():
                work = next((w for w in built if arrow.end in self.near[w] or arrow.start in self.near[w]), "")
                if work and self.is_a(self.things[arrow.name], cls):
                    other = arrow.start if arrow.end in self.near[work] else arrow.end
                    found.setdefault(work, {}).setdefault(how, []).append(other)
        for work, ways in found.items():
            yield Arc(work, tuple(dict.fromkeys(ways.get("inside", ()))), tuple(dict.fromkeys(ways.get("outside", ()))))


def lay_out(scene: Scene, drawer: Drawer) -> None:
    """Gives each cell its place: by coordinates where all have them, else beside its neighbours, else apart."""
    spots = [hex_at(cell.coordinate) for cell in scene.cells if cell.told]
    if spots and all(spots) and len({s.board for s in spots if s}) == 1:
        for cell, spot in zip((c for c in scene.cells if c.told), spots, strict=True):
            assert spot is not None
            cell.at = spot.column, spot.height
        taken = {cell.at for cell in scene.cells if cell.told}
        left = [cell for cell in scene.cells if not cell.told]
    else:
        taken, left = set(), list(scene.cells)
    # What is asked about stands in the middle: where the act leads to, then what has most in it.
    goal = next((a.end for a in scene.arrows if a.asked), "")
    left.sort(key=lambda c: (not c.holds(goal), not c.works))
    done = [cell for cell in scene.cells if cell not in left]
    for cell in left:
        by = next((other for other in done if neighbours(drawer, cell, other)), None)
        around, ways = (by, BESIDE) if by else (done[0] if done else None, APART)
        x, y = around.at if around else (0, 0)
        tried = [(x + dx, y + dy) for dx, dy in ways] if around else [(0, 0)]
        if arc_side(scene, cell) == "inside":  # what lies in the arc stands to the right
            tried.sort(key=lambda at: -at[0])
        cell.at = next((at for at in tried if at not in taken), (x + 2 * len(done) + 2, y))
        taken.add(cell.at)
        done.append(cell)


def arc_side(scene: Scene, cell: Cell) -> str:
    """Whether a cell is told to lie in an arc, or outside it; "" where nothing is told."""
    for arc in scene.arcs:
        for how, names in (("inside", arc.inside), ("outside", arc.outside)):
            if any(cell.holds(n) for n in names):
                return how
    return ""


def neighbours(drawer: Drawer, a: Cell, b: Cell) -> bool:
    """Whether two cells are told to touch."""
    roles = signs()["next"]
    for x, facts in drawer.things.items():
        for y in (o for role in roles for o in facts.links.get(role, ())):
            if (a.holds(x) and b.holds(y)) or (b.holds(x) and a.holds(y)):
                return True
    return False
