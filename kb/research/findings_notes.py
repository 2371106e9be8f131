"""Findings that those who encoded a book wrote down themselves: disputed readings, what they settled, and sentences that decide nothing.

A dispute is two or more readings in the chapters; where the answer turns on it, a situation shows how. What NOTES.md lists as settled without a
second reading is a question to the designer too: the text left it open.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from kb.errors import LoopholeError
from kb.language import norms as m
from kb.reasoner import counterfactuals
from kb.research import shapes
from kb.research.finding import PROVEN, SHOWN, Finding
from kb.research.shapes import Scene
from kb.research.study import Study, bare, shortened

ROW = re.compile(r"^\|\s*`(?P<name>[\w-]+)`\s*\((?P<rules>[^)]*)\)\s*\|(?P<readings>[^|]*)\|(?P<why>[^|]*)\|", re.M)
SETTLED = re.compile(r"^\* \*\*(?P<head>.+?)\*\*(?P<text>.*(?:\n  .*)*)", re.M)
CHAPTER = re.compile(r"^## (\w+)", re.M)
NUMBER = re.compile(r"(?<![\w.])([A-Z]{1,4})?(\d{1,2}\.\d{1,4})(?![\w])|\b([A-Z]\w+(?:\.\d+))")
LEFT = ("umpire", "procedure")


def findings(study: Study) -> Iterator[Finding]:
    """What is recorded of a book, but for its disputes."""
    yield from settled(study)
    yield from undecided(study)


# ── disputes ──


def candidates(study: Study) -> list[tuple[m.Norm, ...]]:
    """The norms of each dispute of the chapters, those of the readings that are not adopted among them."""
    found: dict[str, list[m.Norm]] = {}
    for norm in study.norms.values():
        if norm.reading:
            found.setdefault(norm.reading.partition(":")[0], []).append(norm)
    return [tuple(norms) for norms in found.values()]


def disputes(study: Study, some: Sequence[tuple[m.Norm, ...]]) -> Iterator[Finding]:
    """A finding for each of some disputes, with a situation in which its readings differ."""
    said = {row["name"]: row for row in ROW.finditer(study.notes)}
    for written in some:
        dispute = written[0].reading.partition(":")[0]
        options: dict[str, list[m.Norm]] = {}
        for norm in written:
            options.setdefault(norm.reading.partition(":")[2], []).append(norm)
        norms = [n for rows in options.values() for n in rows]
        row = said.get(dispute)
        rules = [n.rule for n in norms]
        if row:
            rules += [r for r in numbers(study, row["rules"], norms[0].rule) if r in study.sections]
        why = f": {row['readings'].strip()} ({row['why'].strip()})" if row else ""
        found = apart(study, dispute, options)
        one, other, *_ = (*options, "not so")
        told = f" In the situation shown “{one}” says {found[1]}, “{found[2]}” {found[3]}." if found else ""
        scene = found[0] if found else None
        yield Finding(
            study.book.id, "reading", tuple(dict.fromkeys(rules)), f"The text bears two readings, `{dispute}`{why}.{told}",
            f"Is it “{one}”, and not “{other}”?", "readings recorded in the chapter, each asked of situations in which its norms apply", SHOWN if scene else PROVEN,
            tuple(n.id for n in norms), tuple(options), tuple(map(study.chain, norms[:2])), shapes.witness(scene) if scene else None, dispute,
        )  # fmt: skip


def apart(study: Study, dispute: str, options: Mapping[str, list[m.Norm]]) -> tuple[Scene, str, str, str] | None:
    """A situation in which two readings answer otherwise: (situation, what the first says, the other reading, what that says)."""
    for option in list(options)[1:]:
        for norms in options.values():
            for norm in norms:
                for scene in study.shapes.together((norm,)):
                    try:
                        other = study.shapes.ask_so(scene.case, {dispute: option})
                    except LoopholeError:
                        continue
                    one, two = (counterfactuals.said(p) for p in (scene.proof, other))
                    if one != two:
                        return scene, one, option, two
    return None


# ── what the notes settle ──


def settled(study: Study) -> Iterator[Finding]:
    """A finding for each thing that the notes settle without a second reading."""
    chapters = [(c.start(), c[1]) for c in CHAPTER.finditer(study.notes)]
    heads = Counter[str]()
    for row in SETTLED.finditer(study.notes):
        home = next((name for start, name in reversed(chapters) if start < row.start()), "")
        text = " ".join(row["text"].split()).lstrip(". ")
        rules = [r for r in numbers(study, f"{row['head']} {text}", home) if r in study.sections]
        if not rules:
            continue
        head = row["head"].rstrip(".")
        key = re.sub(r"\W+", "-", head.casefold()).strip("-")
        heads[key] += 1
        key += f"-{heads[key]}" if heads[key] > 1 else ""  # several notes on one rule
        yield Finding(
            study.book.id, "our-reading", tuple(dict.fromkeys(rules)), f"{head}: {text}", f"Is it meant so: {shortened(text, 30)}?",
            "recorded in NOTES.md by those who encoded the book", PROVEN, (), (), (), None, key,
        )  # fmt: skip


def numbers(study: Study, text: str, home: str) -> list[str]:
    """The rules that a note names, those without letters in the chapter of `home`."""
    letters = re.match(r"[A-Z]*", home)
    found: list[str] = []
    for row in NUMBER.finditer(text):
        name = row[3] or (row[1] or (letters[0] if letters else "")) + (row[2] or "")
        found += [name] if name in study.sections else [s for s in study.sections if s.partition(".")[0] == name]
    return found


def undecided(study: Study) -> Iterator[Finding]:
    """A finding for each sentence that is left to a person."""
    for rule, section in study.sections.items():
        for sentence in section.sentences:
            kind, _, reason = sentence.not_encoded.partition(": ")
            if kind in LEFT:
                yield Finding(
                    study.book.id, "not-decided", (rule,), f"“{shortened(bare(sentence.text))}”: {reason}", f"Does the sentence of {rule} rule anything?",
                    "sentences marked as not encoded", PROVEN, (), (), (bare(sentence.text),), None, f"sentence {sentence.number}",
                )  # fmt: skip
