"""The answer of one row: verdict, deciding rules and how sure it is, without the text of the proof; or what is wrong with the row."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec import Struct

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


def line(told: Told) -> bytes:
    """A row's answer as a line of JSON. `verdict`, `answer` and `grade` are always there, the others where they say something."""
    return ENCODER.encode(told) + b"\n"
