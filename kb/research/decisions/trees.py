"""What each rule on an act turns on: a tree of inputs for each norm, grown by asking the reasoner.

Nothing is known at the root. Where the reasoner cannot say whether a norm applies, the first fact that it asks for is decided, each
way. So every leaf is settled by the reasoner, whatever the inputs not decided on its way; and one norm's tree is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from kb.reasoner.reason import turning
from kb.research.decisions.bdd import TooWide as TooWide
from kb.research.decisions.inputs import led_to
from kb.research.decisions.shape import FLAG, IS, LINK, NUMBER, Key, Shape

KINDS = (LINK, FLAG, NUMBER)
MOST_LEAVES = 6_000  # of all the trees of a table
MOST_EACH = 160  # of one tree; what more it turns on is left to the norm itself


@dataclass(frozen=True, slots=True)
class Split:
    """What an input decides: a tree for each of its options."""

    key: Key
    ways: tuple[Tree, ...]


Tree = Split | bool | None  # None: nothing in the shape settles it


class Grower:
    """Grows trees over one shape. leaves: how many there are so far; asked: how often the reasoner was asked."""

    def __init__(self, shape: Shape, most: int | None = None):
        self.shape, self.most = shape, MOST_LEAVES if most is None else most
        self.leaves, self.begun, self.asked = 0, 0, 0
        self.learning = True

    def grow(
        self, test: turning.Probe, chosen: Mapping[Key, int] | None = None, barred: frozenset[Key] = frozenset()
    ) -> Tree:
        """The tree of a test. barred: inputs that it is not put in terms of. Raises TooWide."""
        if chosen is None:
            self.begun, chosen = self.leaves, {}
        if self.leaves - self.begun > MOST_EACH:
            return self.leaf(None)
        situation = self.shape.staged(chosen)
        self.asked += 1
        value, open_ = test(situation)
        if value is not None:
            return self.leaf(value)
        key = self.first(situation, open_, chosen, barred)
        if key is None and not self.learning:
            return self.leaf(None)
        if key is None:
            self.asked += 1
            return self.leaf(test(self.shape.staged(chosen, True))[0])
        row = self.shape.inputs[key]
        return Split(key, tuple(self.grow(test, {**chosen, key: n}, barred) for n in range(len(row.options))))

    def under(self, test: turning.Probe, kinds: Sequence[Key]) -> Tree:
        """The tree of a test that is on acts of other kinds than the one asked about: it comes to nothing unless the act is of one of these
        as well. Raises TooWide."""
        self.begun, chosen, found = self.leaves, dict[Key, int](), list[Tree]()
        for key in kinds:
            found.append(self.grow(test, {**chosen, key: 0}))
            chosen[key] = 1
        tree: Tree = self.leaf(False)
        for key, way in zip(reversed(kinds), reversed(found), strict=True):
            tree = Split(key, (way, tree))
        return tree

    def leaf(self, value: bool | None) -> bool | None:
        """A leaf. Raises TooWide where it is one too many."""
        self.leaves += 1
        if self.leaves > self.most:
            raise TooWide
        return value

    def first(
        self, situation: turning.Situation, open_: tuple[object, ...], chosen: Mapping[Key, int], barred: frozenset[Key]
    ) -> Key | None:
        """The first input that is asked for and not decided yet."""
        found: Key | None = None
        for atom in turning.asked_for(situation, open_):
            key = key_of(atom)
            if key is None or key in chosen or key in barred or (found or key) != key:
                continue
            found = (
                self.shape.inputs_for(situation, atom) if self.learning else key if key in self.shape.inputs else None
            )
        return found or self.telling(open_, chosen.keys() | barred)

    def telling(self, open_: tuple[object, ...], decided: Set[Key]) -> Key | None:
        """An input that tells a relation which is open and is no input itself: a narrower one, the first step of a chain of it, or its
        inverse, of a thing that may lead here."""
        for thing, wide in turning.relations_open(open_):
            if (LINK, thing, wide) in decided:
                continue  # it is what stands in it that is open
            tellers = self.shape.theory.way(wide).tellers
            for key in self.shape.inputs:
                if key[:2] == (LINK, thing) and key[2] in tellers and key not in decided:
                    return key
                if key not in decided and self.leads_back(key, thing, wide):
                    return key
        return None

    def leads_back(self, key: Key, thing: str, wide: str) -> bool:
        """Whether an input may put a thing of the shape into a relation of which another is the inverse."""
        if key[0] != LINK or key[2] not in self.shape.vocabulary.properties[wide].inverses:
            return False
        return thing in map(led_to, self.shape.inputs[key].options)


def key_of(atom: turning.Atom) -> Key | None:
    """The key of the input that a fact would belong to."""
    edit = atom.true[-1] if atom.true else None
    return (edit.kind if edit.kind in KINDS else IS, edit.thing, edit.name) if edit is not None else None


def splits(tree: Tree) -> Iterator[Split]:
    """The splits of a tree."""
    if isinstance(tree, Split):
        yield tree
        for way in tree.ways:
            yield from splits(way)


def leaves(tree: Tree) -> Iterator[bool | None]:
    """What a tree comes to, way by way."""
    if isinstance(tree, Split):
        for way in tree.ways:
            yield from leaves(way)
    else:
        yield tree
