"""Sixty mutants of the rulebooks, and who notices each: python bench/mutants.py [--write] [--only N] [--deep]

A mutant is one change of a chapter's file, drawn with a fixed seed from all places where it can be made. It is put to `loophole check`
(does the book still read, link and hold together; is every sentence and exception encoded), to the case files (first those about the
rules changed, then those that cite or name them), and to research (pairs of norms that nothing settles; with --deep, where all
others are silent, what loophole research finds). With --write the table goes to docs/mutants.md. Exit code 1 where fewer than 95 % are noticed.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb import asking, resources
from kb.answers import expectations
from kb.cases import casebook
from kb.errors import LoopholeError, RulebookError
from kb.language import norms as m
from kb.ontology import subsumption
from kb.registry import Books
from kb.rulebook import reader
from kb.rulebook.theory import Theory

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "mutants.md"
SEED, EACH, WANTED, MOST_CASES = 20, 7, 0.95, 80
BLOCK = re.compile(r"^```norms\n(.*?)^```", re.S | re.M)
# How the numbers of the rules begin that a reference can be held against.
LOADED = {
    "asl": ("A7.", "B30.", "BRT6."),
    "vv": ("20.",),
    "fow": ("Gapping", "Bunkers", "Shooting", "Assaulting", "Barbed", "Entrench", "Anti", "Demolition", "Flame"),
}
NEAR = ("pairs", "twice", "single")  # what loophole research looks at norm by norm, with --deep
OPPOSITE = {"forbids": "permits", "permits": "forbids", "requires": "forbids", "waives": "requires"}


@dataclass(frozen=True)
class Mutant:
    """One change. line: where, from 1; old, new: the lines before and after, one or several; rule: of the norm that it is made to;
    context: that norm."""

    kind: str
    book: str
    chapter: str
    line: int
    old: str
    new: str
    rule: str
    context: str = ""


@dataclass
class Noticed:
    """Who noticed a mutant: what each of them said."""

    by: dict[str, str] = field(default_factory=dict)


# ── changes ──


@dataclass(frozen=True)
class Norm:
    """A norm as it is written: its id, the lines of its block, and the number of the first."""

    id: str
    lines: tuple[str, ...]
    at: int

    @property
    def rule(self) -> str:
        """The rule that it stands under."""
        return self.id.partition("/")[0]


def norms_in(text: str) -> Iterator[Norm]:
    """The norms of a chapter as they are written."""
    for block in BLOCK.finditer(text):
        at = text[: block.start(1)].count("\n") + 1
        now: list[str] = []
        start = at
        for n, line in enumerate([*block[1].splitlines(), ""]):
            if (line and not line.startswith((" ", "#", "define"))) or n == len(block[1].splitlines()):
                if now and not now[0].startswith(("define", "#")):
                    yield Norm(now[0].strip(), tuple(now), start)
                now, start = [], at + n
            if line:
                now.append(line)


def changes(book: str, file: Path) -> Iterator[Mutant]:
    """Every mutant that can be made of a chapter."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()

    def made(kind: str, norm: Norm, n: int, new: str) -> Mutant:
        return Mutant(kind, book, file.stem, norm.at + n, lines[norm.at + n - 1], new, norm.rule, " ".join(norm.lines))

    for norm in norms_in(text):
        said = [line.split() for line in norm.lines]
        for n, (line, words) in enumerate(zip(norm.lines, said, strict=True)):
            alone = n + 1 == len(norm.lines) or len(norm.lines[n + 1]) - len(norm.lines[n + 1].lstrip()) == 2
            if not (words and alone and line.startswith("  ") and line[2] != " "):
                continue
            word = words[0]
            if word == "unless":
                yield made("an exception dropped", norm, n, "")
                if " and " in line and "(" not in line:
                    yield made("an exception widened", norm, n, line.split(" and ")[0])
            if word in OPPOSITE and "only when" not in line:
                yield made("a modality swapped", norm, n, line.replace(word, OPPOSITE[word], 1))
                if len(norm.lines) > n + 1 and word in ("permits", "forbids"):
                    contrary = "\n".join(
                        [
                            line,
                            *norm.lines[n + 1 :],
                            f"{norm.id.split('/')[0]}/contrary",
                            line.replace(word, OPPOSITE[word], 1),
                            *(x for x in norm.lines[n + 1 :] if x.split()[0] in ("when", "either", "or", "and")),
                        ]
                    )
                    if all(
                        x.split()[0] in ("when", "either", "or", "and", "cites", "needs") for x in norm.lines[n + 1 :]
                    ):
                        yield Mutant(
                            "a contradicting norm added",
                            book,
                            file.stem,
                            norm.at + n,
                            "\n".join(norm.lines[n:]),
                            contrary,
                            norm.rule,
                        )
            if word in ("cites", "needs", "over", "lifts") and words[-1].startswith(LOADED[book]):
                yield made("a reference broken", norm, n, re.sub(r"(\d)(?=\D*$)", r"\g<1>97", line))
            if word == "when" and " and " in line and "(" not in line and " or " not in line:
                yield made("a condition widened", norm, n, line.rsplit(" and ", 1)[0])
                yield made(
                    "a condition narrowed to its contrary",
                    norm,
                    n,
                    "{} and not {}".format(*line.rsplit(" and ", 1))
                    if " not " not in line
                    else line.replace(" not ", " ", 1),
                )
            if word == "counts" and " as " in line:
                yield made(
                    "a modality swapped",
                    norm,
                    n,
                    line.replace(" as not ", " as ") if " as not " in line else line.replace(" as ", " as not ", 1),
                )
            if word in ("sets", "adds", "limits") and (number := re.search(r"\bto (\d+)\b", line)):
                yield made("a number changed", norm, n, line.replace(f"to {number[1]}", f"to {int(number[1]) + 1}", 1))
        if len(norm.lines) > 1:
            yield Mutant("a norm struck", book, file.stem, norm.at, "\n".join(norm.lines), "", norm.rule)
    for n, line in enumerate(lines[: lines.index("---", 1)], 1):
        if row := re.match(r"    - \{of: \[(\w+)\], with: \[[^\]]*\], those: [^}]*\}$", line):
            wide = f"    - {{of: [{row[1]}], with: []}}"
            yield Mutant("a scope overstated", book, file.stem, n, line, wide, row[1])


def written(mutant: Mutant, folder: Path) -> None:
    """Writes a mutant into a copy of its book. A scope is overstated by declaring wholly decided what is decided with other rules."""
    file = folder / f"{mutant.chapter}.md"
    lines = file.read_text(encoding="utf-8").split("\n")
    if mutant.kind == "a scope overstated":
        lines[mutant.line - 1 : mutant.line] = []
        lines.insert(lines.index("  wholly:") + 1, f"    - {{of: [{mutant.rule}], by: {by_of(mutant.book)}}}")
    else:
        size = mutant.old.count("\n") + 1
        assert lines[mutant.line - 1 : mutant.line - 1 + size] == mutant.old.split("\n"), mutant
        lines[mutant.line - 1 : mutant.line - 1 + size] = mutant.new.split("\n") if mutant.new else []
    file.write_text("\n".join(lines), encoding="utf-8")


def by_of(book: str) -> str:
    """A rule of a book by which silence bars."""
    return {"asl": "A.2", "vv": "20.2", "fow": "GappingObstacles.2"}[book]


def drawn(each: int = EACH, seed: int = SEED) -> list[Mutant]:
    """The mutants: so many of each kind, spread over the chapters."""
    by_kind: dict[str, dict[str, list[Mutant]]] = {}
    for book in ("asl", "vv", "fow"):
        for file in sorted(resources.book(book).glob("*.md")):
            if file.stem != "NOTES":
                for mutant in changes(book, file):
                    by_kind.setdefault(mutant.kind, {}).setdefault(file.stem, []).append(mutant)
    dice, found = random.Random(seed), list[Mutant]()
    for kind in sorted(by_kind):
        pools = [dice.sample(rows, len(rows)) for _, rows in sorted(by_kind[kind].items())]
        dice.shuffle(pools)
        taken: list[Mutant] = []
        while len(taken) < each and any(pools):
            taken += [pool.pop() for pool in pools if pool][: each - len(taken)]
        found += taken
    return found


# ── who notices ──


class Mutated(Books):
    """The library in which one book is read from another folder."""

    def __init__(self, book: str, folder: Path):
        super().__init__()
        self.mutant, self.folder = book, folder

    def text_of(self, book_id: str) -> m.Book:  # type: ignore[override]
        """A rulebook as read, the one that is changed from its own folder."""
        return reader.book(self.folder) if book_id == self.mutant else super().text_of(book_id)


def noticed(mutant: Mutant, deep: bool) -> Noticed:
    """Puts a mutant to everybody. deep: to loophole research too, where the others are silent."""
    found = Noticed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / mutant.book
        shutil.copytree(resources.book(mutant.book), folder)
        written(mutant, folder)
        books = Mutated(mutant.book, folder)
        try:
            theory = books.theory(mutant.book)
        except RulebookError as error:
            found.by["check"] = f"E{error.problems[0].code} {error.problems[0].message}"
            return found
        if said := by_cases(mutant, books):
            found.by["cases"] = said
        was = Books().theory(mutant.book)
        changed = {n for n in {*theory.norms, *was.norms} if wording(theory.norms.get(n)) != wording(was.norms.get(n))}
        if more := unsettled(theory, changed) - unsettled(was, changed):
            found.by["research"] = "a pair that nothing settles: {} and {}".format(*sorted(more)[0])
        if said := by_coverage(mutant, books):
            found.by["check"] = said
        if deep and not found.by and (said := by_findings(mutant, books)):
            found.by["research"] = said
    return found


def by_findings(mutant: Mutant, books: Books) -> str:
    """What loophole research finds of the norms that are changed and did not find of them before; "" where there is none, or no such
    command."""
    try:
        from kb.research import findings, study as studies  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return ""
    now, was = (studies.of_book(mutant.book, b) for b in (books, Books()))
    changed = {n for n in {*now.norms, *was.norms} if wording(now.norms.get(n)) != wording(was.norms.get(n))}

    def of(study: object) -> list[Any]:
        parts = [findings.BY_NAME[name] for name in NEAR]
        some = [(part, [c for _, c in part.candidates(study) if findings.touched(c, changed)]) for part in parts]
        return [f for part, candidates in some if candidates for f in part.findings(study, candidates)]

    told = [findings.to_json(f) for f in of(was)]
    more = [f for f in of(now) if findings.to_json(f) not in told]
    return f"{more[0].kind}: {', '.join(more[0].rules)}" if more else ""


def wording(norm: m.Norm | None) -> object:
    """What a norm says, wherever it stands in its file."""
    return norm and (norm.head, norm.when, tuple((u.label, u.condition) for u in norm.unless), norm.over, norm.lifts)


def unsettled(made: Theory, changed: set[str]) -> set[tuple[str, str]]:
    """The pairs of norms, one of them among those changed, that say opposite things and that nothing settles."""
    some = [made.norms[n] for n in changed if n in made.norms]
    return {
        (min(one.id, other.id), max(one.id, other.id))
        for one in some if isinstance(one.head, m.Deontic | m.CountsAs)
        for other in made.norms.values()
        if subsumption.compete(one.head, other.head, made.vocabulary)
        and made.stronger(one, other) is None and made.stronger(other, one) is None
    }  # fmt: skip


def by_coverage(mutant: Mutant, books: Books) -> str:
    """An exception or a sentence of a chapter that is no longer encoded, as `loophole coverage` tells it; "" for none."""
    was, now = (unencoded(b, mutant) for b in (Books(), books))
    lost = now - was
    return f"not encoded: {sorted(lost)[0]}" if lost else ""


def unencoded(books: Books, mutant: Mutant) -> set[str]:
    """The sentences and exceptions of a rule that no norm encodes."""
    found: set[str] = set()
    for chapter in books.book(mutant.book).chapters:
        for section in chapter.sections:
            if section.rule != mutant.rule:
                continue
            said = {n for norm in section.norms for n in norm.sentences}
            labels = {u.label for norm in section.norms for u in norm.unless} | {norm.excepts for norm in section.norms}
            found |= {
                f"{section.rule} sentence {s.number}"
                for s in section.sentences
                if not (s.number in said or s.not_encoded or s.example)
            }
            found |= {
                f"{section.rule} exception {x.label}"
                for s in section.sentences
                for x in s.exceptions
                if x.label not in labels
            }
    return found


def by_cases(mutant: Mutant, books: Books) -> str:
    """The first case that fails, of those about the rule and then of those that name it; "" for none."""
    for case in cases_on(mutant):
        try:
            asked = asking.case(case, books=books)
            wrong = expectations.mismatches(asking.ask(asked, books=books))
        except LoopholeError as error:
            wrong = [f"E{error.problems[0].code}"]
        if wrong:
            return f"{case.name}: {wrong[0].splitlines()[0]}"
    return ""


def cases_on(mutant: Mutant) -> Iterator[casebook.Written]:
    """The cases about a rule (or a term), then those that name it, then all others of the book."""
    folder = ROOT / "tests" / "cases" / mutant.book
    own = folder / f"{mutant.rule}.yaml"
    if own.is_file():
        yield from casebook.in_file(own)
    word = re.compile(rf"\b{re.escape(mutant.rule)}\b(?!\.?\d)")
    terms = set(re.findall(r"[A-Za-z]\w{3,}", f"{mutant.context} {mutant.old}"))
    rest = [case for file in sorted(folder.glob("*.yaml")) if file != own for case in casebook.in_file(file)]

    def near(case: casebook.Written) -> tuple[bool, int]:
        said = str(case.content)
        return word.search(said) is None, -len(terms & set(re.findall(r"\w+", said)))

    yield from sorted(rest, key=near)[:MOST_CASES]


# ── the table ──


def page(rows: list[tuple[Mutant, Noticed]]) -> str:
    """The table as a page of docs/."""
    seen = sum(bool(found.by) for _, found in rows)
    out = [
        "# Mutants", "",
        "What is noticed of a change that should not have been made. `python bench/mutants.py --write` draws them anew with the same seed "
        "and renews this page; each is put to the case files of the rules involved, to `loophole check` and `loophole coverage`, and to "
        "what `loophole question` finds; with `--deep`, where all of these are silent, to `loophole research` too.", "",
        f"{seen} of {len(rows)} noticed ({seen / len(rows):.0%}).", "",
        "| kind | mutants | check | cases | research | nobody |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for kind in dict.fromkeys(mutant.kind for mutant, _ in rows):
        group = [found.by for mutant, found in rows if mutant.kind == kind]
        cells = [str(sum(who in by for by in group)) for who in ("check", "cases", "research")]
        out.append(f"| {kind} | {len(group)} | {' | '.join(cells)} | {sum(not by for by in group)} |")
    out += ["", "| mutant | where | noticed by |", "|---|---|---|"]
    for mutant, found in rows:
        told = "; ".join(f"**{who}** {short(said)}" for who, said in found.by.items()) or "nobody"
        out.append(f"| {mutant.kind} | {mutant.book} {mutant.chapter}.md:{mutant.line}, {mutant.rule} | {told} |")
    return "\n".join(out) + "\n"


def short(said: str) -> str:
    """The beginning of what was said, fit for a cell."""
    told = " ".join(said.replace("|", "/").split())
    return told if len(told) < 110 else told[:107] + "…"


def main() -> int:
    """Draws, tries and tells; returns the exit code."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--write", action="store_true", help="renew docs/mutants.md")
    given.add_argument("--only", type=int, default=0, help="the first so many")
    given.add_argument("--deep", action="store_true", help="ask loophole research too, which takes minutes for some")
    options = given.parse_args()
    rows = list[tuple[Mutant, Noticed]]()
    for mutant in drawn()[: options.only or None]:
        found = noticed(mutant, options.deep)
        rows.append((mutant, found))
        who = ", ".join(found.by) or "NOBODY"
        print(f"{mutant.kind:32} {mutant.book} {mutant.chapter}:{mutant.line:<5} {mutant.rule:24} {who}", flush=True)
    seen = sum(bool(found.by) for _, found in rows)
    print(f"{seen} of {len(rows)} noticed")
    if options.write:
        PAGE.write_text(page(rows), encoding="utf-8")
    return int(seen < WANTED * len(rows))


if __name__ == "__main__":
    sys.exit(main())
