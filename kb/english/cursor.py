"""A cursor in one sentence: what stands at it, what stretch stands for a term, what the map is made of, and ways of reading that are tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from kb.english.lexicon import Found, Lexicon, Sense
from kb.english.scene import Scene
from kb.english.thing import Thing
from kb.english.words import Word, counted

PLACE = "Place"
T = TypeVar("T")
MOST_TRIES = 4000  # ways of reading that are tried for one text; questions as people ask them take some hundreds


class Tangled(Exception):
    """A text that may be read in too many ways to try them all."""


class Stuck(Exception):
    """Words that are not understood where they stand. question: what to ask back, where there is more to ask than what they mean;
    sure: whether that is what is to be asked, however far another way of reading comes."""

    def __init__(self, start: int, question: str = "", sure: bool = False):
        super().__init__(question)
        self.start, self.question, self.sure = start, question, sure

    @property
    def far(self) -> tuple[bool, int]:
        """How good it is as what to tell: of two, the one that came farther."""
        return self.sure, self.start


class Cursor:
    """A place in a sentence, with the scene that it tells of."""

    # Ways of reading that others need; each is defined by the reader of its kind further on.
    purpose: Callable[[Thing], bool]  # for which other act an act is done
    predicate: Callable[[Thing], bool]  # what a thing is said to be
    manner: Callable[[Thing], bool]  # how an act is done
    goes_with: Callable[[Thing], bool]  # what goes with an act
    undergone: Callable[[Thing], bool]  # what is done to a thing, told without is
    in_the_midst: Callable[[Thing], bool]  # what a thing does, told without that
    done_by: Callable[[Thing], bool]  # what a thing does
    done_to_it: Callable[[Thing], bool]  # what somebody does to a thing
    class_of: Callable[[Thing], bool]  # of what kind a thing is said to be
    fact: Callable[[], bool]  # one fact
    ground_of: Callable[[Thing], Thing]  # the place where a thing is
    works: Callable[[], list[Thing]]  # the works spoken of
    told_apart: Callable[[list[Thing]], list[Thing]]  # of several, the one that is where it is told next
    own_state: Callable[[Thing, str], str]  # a state as that of the kind of thing: a successful test has passed
    numbered: Callable[[Thing, str, str, int], bool]  # says a number of a thing; False where it can have none such

    def __init__(self, lexicon: Lexicon, scene: Scene, line: Sequence[Word]):
        self.lexicon, self.scene, self.line, self.i = lexicon, scene, line, 0
        self.vocabulary = lexicon.vocabulary
        self.classes, self.properties = self.vocabulary.classes, self.vocabulary.properties
        self.it: Thing | None = scene.main
        self.named: Thing | None = None  # the thing that was named last in the sentence
        self.told: Thing | None = None  # the act that was last told in the sentence
        self.doer: Thing | None = None  # who does what is being told: a Bunker that a team assaults is not the team
        self.verb_awaited = False  # whether the verb of a question is still to come
        self.anew = False  # whether what is named is none of the things met before
        self.aimed = False  # whether what is to stand here is aimed at, which no act is, and not who does it
        self.farthest = Stuck(-1)  # where the reading that came farthest stuck
        self.placed: list[tuple[Thing, str, Thing]] = []  # who was last said to be where

    def low(self, ahead: int = 0) -> str:
        """A word in lower case; "" at the end."""
        at = self.i + ahead
        return self.line[at].low if at < len(self.line) else ""

    def take(self, *said: str) -> bool:
        """Goes on past one of these words, if it stands here. A text of several words is that many."""
        for text in said:
            parts = text.split()
            if [self.low(n) for n in range(len(parts))] == parts:
                self.i += len(parts)
                return True
        return False

    def over(self) -> bool:
        """Whether the sentence is at its end."""
        return self.i >= len(self.line)

    def attempt(self, way: Callable[[], bool]) -> bool:
        """Whether a way of reading goes; where it does not, the cursor and the scene are as before."""
        self.scene.tries += 1
        if self.scene.tries > MOST_TRIES:
            raise Tangled
        start, mark, placed = self.i, self.scene.mark(), list(self.placed)
        it, named, line = self.it, self.named, self.line
        try:
            if way():
                return True
        except Stuck as stuck:
            self.farthest = max(self.farthest, stuck, key=lambda s: s.far)
        self.farthest = max(self.farthest, Stuck(self.i), key=lambda s: s.far)
        self.i, self.placed, self.it, self.named, self.line = start, placed, it, named, line
        self.scene.back(mark)
        return False

    def tried(self, told: T, *ways: Callable[[T], bool]) -> bool:
        """Whether one of some ways of reading what is said of a thing, or of some, goes."""
        return any(self.attempt(partial(way, told)) for way in ways)

    def found(self, *sorts: str) -> Found | None:
        """The longest stretch here that stands for a term of one of these sorts."""
        return self.lexicon.at(self.line, self.i, sorts) if not self.over() else None

    def sensed(self, *sorts: str) -> tuple[Found | None, Sense | None]:
        """The longest stretch here that stands for a term of one of these sorts, and what it means as such."""
        found = self.found(*sorts)
        return found, found.of(*sorts) if found is not None else None

    def taken(self, *sorts: str, below: str = "", bare: bool = False) -> Sense | None:
        """Takes the longest stretch here that stands for a term of one of these sorts, or for one below a class; bare: which is not denied."""
        found, sense = self.sensed(*sorts)
        if found is None or sense is None or (bare and found.denied) or (below and not self.kind(sense.name, below)):
            return None
        self.i += found.length
        return sense

    def until(self, end: int, read: Callable[[], T]) -> T | None:
        """What is read of the sentence up to a word, all of which has to be taken; else None."""
        whole, self.line = self.line, self.line[:end]
        try:
            found = read()
            return found if self.over() else None
        finally:
            self.line = whole

    def unsaid(self, read: Callable[[], T]) -> T:
        """What is read of which nothing is told: the scene is as before."""
        mark, found = self.scene.mark(), read()
        self.scene.back(mark)
        return found

    def ahead(self, *words: str, start: int = 0) -> int:
        """Where one of these words stands next; -1 where none does."""
        rest = range(self.i + start, len(self.line))
        return next((n for n in rest if self.line[n].low in words), -1)

    def meant(self, said: Sequence[Word | str], *sorts: str) -> Sense | None:
        """What some words together mean as a term of one of these sorts."""
        found = self.lexicon.meaning(said)
        return found.of(*sorts) if found is not None else None

    def number(self) -> str:
        """Takes a number; "" where none stands here."""
        value = counted(self.line[self.i]) if not self.over() else ""
        self.i += bool(value)
        return value

    def back_at(self, start: int) -> bool:
        """Goes back to where a way of reading began that is none."""
        self.i = start
        return False

    def stuck(self, question: str = "") -> Stuck:
        """What is raised where nothing more is understood."""
        return Stuck(self.i, question)

    def kind(self, name: str, above: str) -> bool:
        """Whether a class is below another one of the book."""
        return above in self.classes[name].ancestors

    def outside_role(self, thing: Thing) -> str:
        """The relation of a thing to the ground outside it in its cell of the map, where an axiom says that it has one."""
        cell = self.vocabulary.cell
        owing = cell.owing if cell is not None else {}
        return next((role for k in thing.kinds for role in owing.get(k, ())), "")

    def has_outside(self, thing: Thing) -> bool:
        """Whether an axiom says that a thing of its kinds has an outside."""
        return bool(self.outside_role(thing))

    def works_outside(self) -> list[Thing]:
        """The things spoken of that have an outside."""
        return [t for t in self.scene.things if self.has_outside(t)]

    def outsides(self) -> set[str]:
        """The relations of things to the ground outside them."""
        cell = self.vocabulary.cell
        return {role for roles in cell.owing.values() for role in roles} if cell is not None else set()

    def ground(self) -> str:
        """The kind of place that the ground of a cell of the map is."""
        return self.vocabulary.cell.ground if self.vocabulary.cell is not None else PLACE

    def cell(self, name: str) -> bool:
        """Whether a class is that of the cells of a map."""
        return self.vocabulary.cell is not None and name == self.vocabulary.cell.name
