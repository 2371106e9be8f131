"""The answer of one row: verdict, deciding rules and how sure it is, without the text of the proof; or what is wrong with the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, count
from typing import Any, Generic, TypeVar, overload

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kb.errors import Problem
from kb.numbers import shown
from kb.reasoner.proof import OUTSIDE, WHICH, Proof


class Fault(Struct, frozen=True, omit_defaults=True):
    """Something that is wrong with a row: as a problem is told elsewhere, with the name of the column in which it stands."""

    number: str
    message: str
    line: int = 0
    column: str = ""
    do: str = ""


class Told(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A row's answer. row: its number, from 1; name: what its case is called. Where the row is at fault, `problems` says how, and
    verdict, answer and grade are None.

    The other fields are those of a proof's JSON (docs/cli.md). brings: what an event brings about, `foe Broken`; chosen: the
    candidates of a list for which the answer is yes.
    """

    row: int
    name: str = ""
    verdict: str | None
    answer: str | None
    value: str | None = None
    grade: str | None
    scope: str | None = None
    cites: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    problems: tuple[Fault, ...] = ()


class Answers(list[Told]):
    """Answers of some rows, in their order. asked: how many of them were worked out; the others were known."""

    asked: int = 0


class Taken(Sequence[Told]):
    """Answers of rows that follow each other, taken by number from those that are there: an answer of many rows is made once.

    first: the number of the first row; answers: the different answers, without number and name; at: for each row the number of its
    answer among them, or -1 where it has one of its own (own, by its place); names: what the rows are called, if anything.
    """

    def __init__(
        self, first: int, answers: list[Told], at: Any, own: Mapping[int, Told], names: Sequence[str] | None = None
    ):
        self.first, self.answers, self.at, self.own, self.names = first, answers, at, own, names

    def __len__(self) -> int:
        return len(self.at)

    def __iter__(self) -> Iterator[Told]:
        for place, at in enumerate(self.numbers()):
            yield self.told(place, at)

    @overload
    def __getitem__(self, place: int) -> Told: ...
    @overload
    def __getitem__(self, place: slice) -> list[Told]: ...
    def __getitem__(self, place: int | slice) -> Told | list[Told]:
        here = range(len(self))[place]
        numbers = self.numbers()
        return self.told(here, numbers[here]) if isinstance(here, int) else [self.told(i, numbers[i]) for i in here]

    def numbers(self) -> Sequence[int]:
        """The number of each row's answer, as Python has it."""
        found: list[int] = self.at if isinstance(self.at, list) else self.at.to_pylist()
        return found

    def told(self, place: int, at: int) -> Told:
        """The answer of the row at a place."""
        if at < 0:
            return self.own[place]
        return replace(self.answers[at], row=self.first + place, name=self.names[place] if self.names else "")

    @property
    def verdicts(self) -> Any:
        """The verdict of each row, None for one at fault: a list, or of columns of Arrow an array of it."""
        each = [made.verdict for made in self.answers]
        if isinstance(self.at, list):
            return [each[at] if at >= 0 else self.own[place].verdict for place, at in enumerate(self.at)]
        import pyarrow

        at, own = self.beyond()
        return pyarrow.DictionaryArray.from_arrays(at, [*each, *(made.verdict for made in own)])

    def beyond(self) -> tuple[Any, list[Told]]:
        """As an array of Arrow the number of each row's answer, counted on for rows that have one of their own; and those."""
        import pyarrow
        from pyarrow import compute

        at = pyarrow.array(self.at, pyarrow.int32()) if isinstance(self.at, list) else self.at
        own = [self.own[place] for place in sorted(self.own)]
        if own:
            numbers = range(len(self.answers), len(self.answers) + len(own))
            at = compute.replace_with_mask(at, compute.less(at, 0), pyarrow.array(numbers, pyarrow.int32()))
        return at, own


def joined(parts: Sequence[Taken]) -> Taken:
    """Parts that follow each other as one; they are lists, or Arrow's."""
    if len(parts) < 2:
        return parts[0] if parts else Taken(1, [], [], {})
    last, base = parts[0].answers, 0
    answers, own, names, at = last, dict[int, Told](), list[str](), list[Any]()
    named = any(part.names for part in parts)
    for part in parts:
        if part.answers is not last:  # what was known had been let go of
            last, base = part.answers, len(answers)
            answers = [*answers, *last]
        own.update((part.first - parts[0].first + place, made) for place, made in part.own.items())
        names += part.names or [""] * (len(part) if named else 0)
        at.append(shifted(part.at, base))
    if isinstance(at[0], list):
        return Taken(parts[0].first, answers, list(chain.from_iterable(at)), own, names or None)
    import pyarrow

    return Taken(parts[0].first, answers, pyarrow.concat_arrays(at), own, names or None)


def shifted(at: Any, base: int) -> Any:
    """The numbers of answers before which others were put."""
    if not base:
        return at
    if isinstance(at, list):
        return [number + base if number >= 0 else number for number in at]
    import pyarrow
    from pyarrow import compute

    return compute.if_else(compute.less(at, 0), at, compute.add(at, pyarrow.scalar(base, pyarrow.int32())))


T = TypeVar("T")


class Pieces(Generic[T]):
    """What is made of each different answer once, where those of many rows are taken. make: makes it of some answers."""

    def __init__(self, make: Callable[[Sequence[Told]], Sequence[T]]):
        self.make = make
        self.answers: list[Told] = []
        self.made: list[T] = []

    def of(self, rows: Taken) -> list[T]:
        """The piece of each of the answers."""
        if self.answers is not rows.answers:
            self.answers, self.made = rows.answers, []
        self.made += self.make(self.answers[len(self.made) :])
        return self.made


COLUMNS = Told.__struct_fields__
LISTS = ("cites", "needs", "assumes", "brings", "chosen")
ENCODER = msgspec.json.Encoder()


def of_proof(row: int, name: str, proof: Proof) -> Told:
    """A row's answer, of its proof."""
    outside, rest, vocabulary = proof.verdict == OUTSIDE, proof.rest, proof.theory.vocabulary
    return Told(
        row=row,
        name=name,
        verdict=proof.verdict,
        answer=None if outside else proof.answer,
        value=None if outside else number(proof.value),
        grade=proof.grade,
        scope=None if proof.verdict == WHICH else proof.scope.kind,
        cites=rest.cites,
        needs=rest.needs,
        assumes=tuple(a.said(vocabulary) for a in rest.assumptions),
        brings=tuple(brought(proof)),
        chosen=proof.chosen,
    )


def brought(proof: Proof) -> Iterable[str]:
    """What an event brings about, each as one text: `foe Broken`, `squad morale raises 1`."""
    yield from (f"{c.thing} {c.cls}" for c in proof.effects)
    for c in proof.shifts:
        if c.value is not None and c.value.value is not None:
            yield f"{c.thing} {c.quantity} {c.op} {shown(c.value.value)}"
    for t in proof.ties:
        yield f"{t.thing} {t.role} {'ends' if t.ends else 'causes'} {t.to}".rstrip()


def number(value: Fraction | None) -> str | None:
    """An exact number as JSON has it: "5", "5/2"."""
    return None if value is None else str(value)


def at_fault(row: int, line: int, problems: Iterable[Problem], name: str = "") -> Told:
    """A row that has no answer. line: of its file, for problems that have no place of their own."""
    told = tuple(
        Fault(f"E{p.code}", p.message, p.place.line if p.place.file else line, p.place.heading, p.hint)
        for p in problems
    )
    return Told(row=row, name=name, verdict=None, answer=None, grade=None, problems=told)


BEFORE = len(b'{"row":0')  # what stands in a line before all that rows with one answer share


def line(told: Told) -> bytes:
    """A row's answer as a line of JSON. `verdict`, `answer` and `grade` are always there, the others where they say something."""
    return ENCODER.encode(told) + b"\n"


def tails(answers: Sequence[Told]) -> list[bytes]:
    """Of answers without number and name, what stands in a line of JSON after these."""
    return [line(made)[BEFORE:] for made in answers]


def lines(rows: Iterable[Told], pieces: Pieces[bytes]) -> Iterator[bytes]:
    """Each row's answer as a line of JSON. pieces: the tails that were made."""
    if not isinstance(rows, Taken):
        yield from map(line, rows)
        return
    tail, own, names = pieces.of(rows), rows.own, rows.names
    if not own and not names:
        each = zip(count(rows.first), map(tail.__getitem__, rows.numbers()), strict=False)
        yield from [b'{"row":%d%b' % row for row in each]
        return
    for place, at in enumerate(rows.numbers()):
        if at < 0:
            yield line(own[place])
        elif names and names[place]:
            yield b'{"row":%d,"name":%b%b' % (rows.first + place, ENCODER.encode(names[place]), tail[at])
        else:
            yield b'{"row":%d%b' % (rows.first + place, tail[at])
