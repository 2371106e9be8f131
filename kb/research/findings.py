"""All that research finds in a book, part by part; each part's work is kept, so that a run that was stopped goes on where it was.

    run("asl")                      the findings of a book, in the order of a report
    of_study(study)                 the same of a book that is no library's, in this process, nothing kept
    of_study(study, changed={...})  only what these norms have a part in, and what is said in words

The candidates of a part (pairs of norms, norms) are cut into pieces of work by the rules that they are about; a piece gives findings and
needs no other. What is kept stands in the cache folder under the fingerprints of the rules and of this code.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kb import resources
from kb.language import norms as m
from kb.research import (
    findings_alike,
    findings_duties,
    findings_gaps,
    findings_joined,
    findings_kinds,
    findings_likeness,
    findings_modules,
    findings_moot,
    findings_names,
    findings_notes,
    findings_numbers,
    findings_pairs,
    findings_references,
    findings_scope,
    findings_single,
    findings_states,
    findings_twice,
    findings_words,
    study as studies,
)
from kb.research.finding import KINDS as KINDS, Finding as Finding, Witness, order
from kb.research.study import Study

Progress = Callable[[str, int, int], None]
PIECE = 24  # candidates in a piece of work, more where they are about one and the same


@dataclass(frozen=True)
class Part:
    """A part of the work. candidates: what it looks at, each with the rules that it must be looked at together with."""

    name: str
    candidates: Callable[[Study], Sequence[tuple[str, Any]]]
    findings: Callable[[Study, Sequence[Any]], Iterator[Finding]]


def whole(work: Callable[[Study], Iterator[Finding]]) -> Part:
    """A part that is one piece."""
    name = work.__module__.rpartition("findings_")[2]
    return Part(name, lambda study: [("", None)], lambda study, _: work(study))


def by_winner(study: Study) -> list[tuple[str, Any]]:
    """The pairs that may meet, by the rules that share a finding."""
    found: list[tuple[str, Any]] = []
    for a, b in findings_pairs.candidates(study):
        kind, _, winner, loser = findings_pairs.settled(study, a, b)
        rules = (winner.rule,) if kind == "own-principle" else sorted((winner.rule, loser.rule))
        found.append((" ".join((kind, *rules)), (a, b)))
    return found


PARTS = (
    whole(findings_references.findings),
    whole(findings_words.findings),
    whole(findings_modules.findings),
    whole(findings_gaps.findings),
    whole(findings_scope.findings),
    whole(findings_numbers.findings),
    whole(findings_alike.findings),
    whole(findings_kinds.findings),
    whole(findings_states.findings),
    whole(findings_duties.findings),
    whole(findings_joined.findings),
    whole(findings_moot.findings),
    whole(findings_likeness.findings),
    whole(findings_names.findings),
    whole(findings_notes.findings),
    Part("readings", lambda study: [(norms[0].reading, norms) for norms in findings_notes.candidates(study)], findings_notes.disputes),
    Part("twice", lambda study: [(" ".join(sorted((a.rule, b.rule))), (a, b)) for a, b in findings_twice.candidates(study)], findings_twice.findings),
    Part("pairs", by_winner, lambda study, some: findings_pairs.findings(study, list(findings_pairs.meetings(study, some)))),
    Part("single", lambda study: [(n.id, n) for n in findings_single.candidates(study)], findings_single.findings),
)  # fmt: skip
BY_NAME = {part.name: part for part in PARTS}


def pieces(study: Study, part: Part) -> list[list[Any]]:
    """The candidates of a part in pieces, those that share a finding together."""
    groups: dict[str, list[Any]] = {}
    for key, candidate in part.candidates(study):
        groups.setdefault(key, []).append(candidate)
    cut: list[list[Any]] = [[]]
    for candidates in groups.values():
        if len(cut[-1]) + len(candidates) > PIECE and cut[-1]:
            cut.append([])
        cut[-1] += candidates
    return cut


def of_study(study: Study, changed: set[str] | None = None) -> list[Finding]:
    """The findings of a book. changed: of pairs and single norms only those in which one of these has a part."""
    found: list[Finding] = []
    for part in PARTS:
        some = [c for _, c in part.candidates(study) if changed is None or touched(c, changed)]
        if some:
            found += part.findings(study, some)
    return in_order(found)


def touched(candidate: Any, changed: set[str]) -> bool:
    """Whether one of some norms has a part in a candidate; what is no norm and no pair of norms is looked at anew."""
    norms = candidate if isinstance(candidate, tuple) else (candidate,)
    return not all(isinstance(n, m.Norm) for n in norms) or any(n.id in changed for n in norms)


def in_order(found: Sequence[Finding]) -> list[Finding]:
    """Findings as a report has them, each once."""
    return sorted({f.id: f for f in found}.values(), key=order)


# ── a book of the library, several at a time, what is done kept ──


def run(book: str, jobs: int = 2, anew: bool = False, progress: Progress | None = None) -> list[Finding]:
    """The findings of a book of the library. jobs: processes; anew: what is kept is done again. Raises LoopholeError."""
    study = studied(book)
    path = kept_in(study)
    kept: dict[str, list[Any]] = {} if anew or not path.is_file() else json.loads(path.read_text(encoding="utf-8"))
    todo = [(part.name, i) for part in PARTS for i in range(len(pieces(study, part)))]
    missing = [(name, i) for name, i in todo if f"{name} {i}" not in kept]
    done = len(todo) - len(missing)
    for (name, i), rows in worked(book, missing, jobs):
        kept[f"{name} {i}"] = rows
        done += 1
        keep(path, kept)
        if progress is not None:
            progress(KIND_OF_PART.get(name, name), done, len(todo))
    return in_order([from_json(row) for name, i in todo for row in kept[f"{name} {i}"]])


def keep(path: Path, kept: Mapping[str, Any]) -> None:
    """Keeps what is done, so that a run that is stopped goes on there; where nobody may write it is done without."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        resources.write(path, json.dumps(kept, ensure_ascii=False))
    except OSError as e:
        if e.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise


KIND_OF_PART = {
    "pairs": "norms that meet",
    "single": "norms by themselves",
    "twice": "what stands twice",
}


def worked(book: str, todo: Sequence[tuple[str, int]], jobs: int) -> Iterator[tuple[tuple[str, int], list[Any]]]:
    """The findings of some pieces, as they are done."""
    if jobs < 2 or len(todo) < 2:
        for name, i in todo:
            yield (name, i), piece(book, name, i)
        return
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(piece, book, name, i): (name, i) for name, i in todo}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def piece(book: str, name: str, index: int) -> list[Any]:
    """The findings of one piece, as JSON has them."""
    study = studied(book)
    part = BY_NAME[name]
    return [to_json(f) for f in part.findings(study, cut_of(book, name)[index])]


@cache
def studied(book: str) -> Study:
    """A book of the library under study; kept, for each process works on many pieces of it."""
    return studies.of_book(book)


@cache
def cut_of(book: str, name: str) -> list[list[Any]]:
    """The pieces of a part of a book; kept likewise."""
    return pieces(studied(book), BY_NAME[name])


def kept_in(study: Study) -> Path:
    """The file in which the work on a book is kept, under the fingerprints of its rules, its notes and this code."""
    digest = hashlib.sha256(study.notes.encode())
    digest.update(study.theory.fingerprints[""].encode())
    for norm in study.norms.values():
        digest.update(f"{norm.id} {norm.reading}".encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return resources.cache() / "research" / f"{study.book.id}-{digest.hexdigest()[:16]}.json"


def forget() -> None:
    """Lets go of the books under study: what stands in their files has changed."""
    studied.cache_clear()
    cut_of.cache_clear()


# ── as JSON ──


def to_json(found: Finding) -> dict[str, Any]:
    """A finding with all its fields."""
    shown = found.witness
    row: dict[str, Any] = {"id": found.id, "severity": found.level}
    row |= {name: getattr(found, name) for name in ("book", "kind", "says", "question", "method", "sure", "key")}
    row |= {name: list(getattr(found, name)) for name in ("rules", "norms", "words", "chains")}
    row["witness"] = None if shown is None else {
        "case": shown.case, "verdict": shown.verdict, "answer": shown.answer, "told": shown.told, "certified": shown.certified,
    }  # fmt: skip
    return row


def same(found: Finding, row: Mapping[str, Any]) -> bool:
    """Whether a finding of that name, as JSON, says the same of the same norms."""
    return (found.says, list(found.norms)) == (row.get("says"), row.get("norms"))


def from_json(row: Mapping[str, Any]) -> Finding:
    """A finding read back."""
    fields: dict[str, Any] = {name: tuple(row[name]) for name in ("rules", "norms", "words", "chains")}
    fields |= {name: row[name] for name in ("book", "kind", "says", "question", "method", "sure", "key")}
    return Finding(**fields, witness=Witness(**row["witness"]) if row["witness"] else None)
