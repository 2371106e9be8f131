"""Asks the cases that records hold: the flip case of an erratum on either side of it, the case of a ruling as it stands.

A ruling whose case is not answered as it says is a *finding*: the rule or its encoding says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb import errata_model as e, expect, pipeline, resources
from kb.case import Source, document, read
from kb.errors import CaseError, Problem
from kb.facts import Case
from kb.proof import Proof


@dataclass(frozen=True)
class Tried:
    """One asking of a record's case. side: before, after, or "" for a ruling; misses: what is not as it says."""

    record: e.Record
    side: str
    proof: Proof
    misses: tuple[str, ...]


def case_of(record: e.Record, trial: e.Trial, side: str) -> Case:
    """A record's case with what it expects on one side. Raises CaseError, at the place of the case."""
    data, expects = content(trial)
    wanted = expects.get(side, {})
    try:
        found = read({**data, "expect": dict(wanted)}, pipeline.vocabulary(record.book), Source(trial.place.file))
    except CaseError as error:
        raise CaseError(replace(p, place=trial.place) for p in error.problems) from None
    return found


def content(trial: e.Trial) -> tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]]]:
    """The case of a trial and its expectations, from its file where it names one. Raises CaseError."""
    if not trial.file:
        return trial.data, trial.expects
    path = Path(trial.place.file).parent / trial.file
    path = path if path.is_file() else resources.PACKAGE.parent / trial.file
    if not path.is_file():
        raise CaseError(
            Problem(960, f"there is no case {trial.file}", trial.place, "a path from here, or from the project")
        )
    data, _ = document(path.read_text(encoding="utf-8"), str(path))
    sides = ("before", "after", "expect")
    expects = {"" if k == "expect" else k: data[k] for k in sides if k in data}
    return {k: v for k, v in data.items() if k not in sides}, expects


def tried(record: e.Record, trial: e.Trial, side: str) -> Tried:
    """A record's case asked on one side of its change: with it, without it, or in the base for a ruling."""
    found = case_of(record, trial, side)
    held = record.id in pipeline.in_edition(record.book).errata
    without = (record.id,) if side == e.BEFORE and held else ()
    also = (record.id,) if side == e.AFTER and not held and record.changes else ()
    proof = pipeline.ask(found, without=without, also=also)
    return Tried(record, side, proof, tuple(expect.mismatches(proof)))


def run(records: Iterable[e.Record]) -> Iterable[Tried]:
    """Every case of every record, on each side that it speaks of."""
    for record in records:
        for trial in record.trials:
            for side in content(trial)[1]:
                yield tried(record, trial, side)
