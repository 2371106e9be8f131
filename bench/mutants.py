"""Sixty mutants of the rulebooks, and who notices each: python bench/mutants.py [--write] [--only N] [--seed N] [--kind WORDS] [--every]

A mutant is one change of a chapter's file, drawn with a fixed seed from all places where it can be made. It is put to `loophole check`
(does the book still read, link and hold together; is every sentence and exception encoded), to the case files (first those about the
rules changed, then those that cite or name them, then all others in which a norm that is changed was tried), and to research (pairs of
norms that nothing settles; where all others are silent, whatever it finds that it did not find before). With --write the table goes to
docs/mutants.md; --seed draws others, --every takes all. Exit code 1 where fewer than 95 % are noticed.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

ROOT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(ROOT))

from bench.mutations import EACH, SEED, Mutant, drawn, written  # noqa: E402
from kb import asking, resources  # noqa: E402
from kb.answers import expectations  # noqa: E402
from kb.cases import casebook  # noqa: E402
from kb.errors import LoopholeError, RulebookError  # noqa: E402
from kb.language import norms as m  # noqa: E402
from kb.ontology import subsumption  # noqa: E402
from kb.reasoner import counterfactuals, reason  # noqa: E402
from kb.registry import Books  # noqa: E402
from kb.research import findings, study as studies  # noqa: E402
from kb.research.finding import Finding  # noqa: E402
from kb.rulebook import reader  # noqa: E402
from kb.rulebook.theory import Theory  # noqa: E402

PAGE = ROOT / "docs" / "mutants.md"
WANTED, MOST_CASES = 0.95, 80


@dataclass
class Noticed:
    """Who noticed a mutant: what each of them said. same: nobody did, and no situation was found, to a bound, in which an answer is
    another by it."""

    by: dict[str, str] = field(default_factory=dict)
    same: bool = False


# ── who notices ──

UNCHANGED = Books()
BEFORE: dict[tuple[str, str], list[Finding]] = {}
TRIED: dict[str, list[tuple[casebook.Written, frozenset[str]]]] = {}


class Mutated(Books):
    """The library in which one book is read from another folder."""

    def __init__(self, book: str, folder: Path):
        super().__init__()
        self.mutant, self.folder = book, folder

    def text_of(self, book_id: str) -> m.Book:  # type: ignore[override]
        """A rulebook as read, the one that is changed from its own folder."""
        return reader.book(self.folder) if book_id == self.mutant else super().text_of(book_id)

    def stored(self, name: str, kind: type[Any], files: Iterable[Path], make: Callable[[], Any]) -> Any:
        """Nothing is kept of a book that is read from elsewhere."""
        return make()


def noticed(mutant: Mutant) -> Noticed:
    """Puts a mutant to everybody; to all that research finds by situations only where the others are silent."""
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
        was = UNCHANGED.theory(mutant.book)
        changed = {n for n in {*theory.norms, *was.norms} if wording(theory.norms.get(n)) != wording(was.norms.get(n))}
        if said := by_coverage(mutant, books):
            found.by["check"] = said
        if said := by_cases(mutant, books, changed):
            found.by["cases"] = said
        if more := unsettled(theory, changed) - unsettled(was, changed):
            found.by["research"] = "a pair that nothing settles: {} and {}".format(*sorted(more)[0])
        elif not found.by and (said := by_research(mutant, books)):
            found.by["research"] = said
        found.same = not found.by and alike(mutant, was, books, changed)
    return found


def alike(mutant: Mutant, was: Theory, books: Books, changed: set[str]) -> bool:
    """Whether in no situation tried that tells the wordings of a changed norm apart an answer is another: those in which one applies and
    the other does not, the smallest first."""
    now = books.theory(mutant.book)
    found = studies.of_book(mutant.book, UNCHANGED).shapes
    for name in sorted(changed):
        one, other = was.norms.get(name), now.norms.get(name)
        if one is None or other is None:
            return False  # a norm that has come or gone is more than another wording
        for a, b in ((replace(one, id=f"{name}/was"), other), (replace(other, id=f"{name}/now"), one)):
            for scene in found.between(a, b):
                try:
                    answer = reason.answer(now, scene.proof.case, False)
                except LoopholeError:
                    return False
                if counterfactuals.said(answer) != counterfactuals.said(scene.proof):
                    return False
    return bool(changed)


def by_research(mutant: Mutant, books: Books) -> str:
    """What `loophole research --since` tells of a book that it did not tell before: a finding that is new, or says something else; ""
    for nothing. Pairs and single norms are looked at where one of them is changed."""
    was, now = (studies.of_book(mutant.book, b) for b in (UNCHANGED, books))
    changed = {n for n in {*now.norms, *was.norms} if wording(now.norms.get(n)) != wording(was.norms.get(n))}
    for part in findings.PARTS:
        told = {f.id: findings.to_json(f) for f in of_part(was, part, changed, True)}
        more = [f for f in of_part(now, part, changed, False) if f.id not in told or not findings.same(f, told[f.id])]
        if more:
            return f"{more[0].kind}: {more[0].says}"
    return ""


def of_part(study: studies.Study, part: findings.Part, changed: set[str], keep: bool) -> list[Finding]:
    """The findings of a part, of pairs and norms only those in which a changed norm has a part. keep: what is found of the whole book
    is kept."""
    some = [candidate for _, candidate in part.candidates(study) if findings.touched(candidate, changed)]
    key, whole = (study.book.id, part.name), some == [None]
    if keep and whole and key in BEFORE:
        return BEFORE[key]
    found = list(part.findings(study, some)) if some else []
    if keep and whole:
        BEFORE[key] = found
    return found


def wording(norm: m.Norm | None) -> object:
    """What a norm says, wherever it stands in its file."""
    return norm and (norm.head, norm.when, tuple((u.label, u.condition) for u in norm.unless), norm.over, norm.lifts)


def tried_in(book: str) -> list[tuple[casebook.Written, frozenset[str]]]:
    """Every case of a book with the norms that are tried in answering it; kept, for it takes a minute or two."""
    if book not in TRIED:
        TRIED[book] = []
        for case in casebook.of(sorted((ROOT / "tests" / "cases" / book).glob("*.yaml"))):
            with contextlib.suppress(LoopholeError):
                asked = asking.case(case)
                theory = asking.rules(asked)
                theory.tried = {}
                reason.answer(theory, asked, False)
                TRIED[book].append((case, frozenset(theory.tried)))
                theory.tried = None
    return TRIED[book]


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
    was, now = (unencoded(b, mutant) for b in (UNCHANGED, books))
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


def by_cases(mutant: Mutant, books: Books, changed: set[str]) -> str:
    """The first case that fails, of those about the rule, then of those that name it, then of all in which a changed norm was tried;
    "" for none."""
    for case in cases_on(mutant, changed):
        try:
            asked = asking.case(case, books=books)
            wrong = expectations.mismatches(asking.ask(asked, books=books))
        except LoopholeError as error:
            wrong = [f"E{error.problems[0].code}"]
        if wrong:
            return f"{case.name}: {wrong[0].splitlines()[0]}"
    return ""


def cases_on(mutant: Mutant, changed: set[str]) -> Iterator[casebook.Written]:
    """The cases of the book in which one of the changed norms was tried, those about the rule (or a term) and those that name it first;
    where nothing that was there is changed, the nearest of all."""
    folder = ROOT / "tests" / "cases" / mutant.book
    own = folder / f"{mutant.rule}.yaml"
    if own.is_file():
        yield from casebook.in_file(own)
    word = re.compile(rf"\b{re.escape(mutant.rule)}\b(?!\.?\d)")
    terms = set(re.findall(r"[A-Za-z]\w{3,}", f"{mutant.context} {mutant.old}"))
    known = UNCHANGED.theory(mutant.book).norms.keys()
    rest = [
        case
        for case, tried in tried_in(mutant.book)
        if Path(case.file) != own and (changed & tried or not changed <= known or not changed)
    ]

    def near(case: casebook.Written) -> tuple[bool, int]:
        said = str(case.content)
        return word.search(said) is None, -len(terms & set(re.findall(r"\w+", said)))

    yield from sorted(rest, key=near)[: None if changed and changed <= known else MOST_CASES]


# ── the table ──


def page(runs: Mapping[int, list[tuple[Mutant, Noticed]]]) -> str:
    """The tables of some draws, by seed, as a page of docs/."""
    out = [
        "# Mutants", "",
        "What is noticed of a change that should not have been made. `python bench/mutants.py --seed N … --write` draws mutants of the chapters with "
        "each seed and renews this page; each is put to `loophole check` and `loophole coverage`, to the cases about the rules involved and all in which a norm that is "
        "changed is tried, and, where these are silent, to `loophole research`: a finding that is new, or says something else than before. "
        "A change that changes no answer is counted as not noticed; which those are, as far as situations were tried, is told.",
    ]  # fmt: skip
    for seed, rows in runs.items():
        out += ["", f"## Seed {seed}", "", f"{tally(rows)}.", ""]
        out += ["| kind | mutants | check | cases | research | nobody |", "|---|---|---|---|---|---|"]
        for kind in dict.fromkeys(mutant.kind for mutant, _ in rows):
            group = [found.by for mutant, found in rows if mutant.kind == kind]
            cells = [str(sum(who in by for by in group)) for who in ("check", "cases", "research")]
            out.append(f"| {kind} | {len(group)} | {' | '.join(cells)} | {sum(not by for by in group)} |")
        out += ["", "| mutant | where | noticed by |", "|---|---|---|"]
        for mutant, found in rows:
            told = "; ".join(f"**{who}** {short(said)}" for who, said in found.by.items())
            told = told or ("nobody; it changes no answer in any situation tried" if found.same else "nobody")
            out.append(f"| {mutant.kind} | {mutant.book} {mutant.chapter}.md:{mutant.line}, {mutant.rule} | {told} |")
    return "\n".join(out) + "\n"


def tally(rows: list[tuple[Mutant, Noticed]]) -> str:
    """How many of some mutants are noticed, in words."""
    seen, same = sum(bool(found.by) for _, found in rows), sum(found.same for _, found in rows)
    return f"{seen} of {len(rows)} noticed ({seen / len(rows):.0%}); of the others {same} change no answer in any situation tried"


def short(said: str) -> str:
    """The beginning of what was said, fit for a cell."""
    told = " ".join(said.replace("|", "/").split())
    return told if len(told) < 110 else told[:107] + "…"


def main() -> int:
    """Draws, tries and tells; returns the exit code."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--write", action="store_true", help="renew docs/mutants.md")
    given.add_argument("--only", type=int, default=0, help="the first so many")
    given.add_argument("--seed", type=int, action="append", help="which are drawn; may be given again")
    given.add_argument("--kind", default="", help="only those whose kind has these words")
    given.add_argument("--each", type=int, default=EACH, help="how many of a kind")
    given.add_argument("--every", action="store_true", help="all that can be made, and none drawn")
    options = given.parse_args()
    runs = {seed: tried(seed, options) for seed in options.seed or [SEED]}
    if options.write:
        PAGE.write_text(page(runs), encoding="utf-8")
    return int(any(sum(bool(f.by) for _, f in rows) < WANTED * len(rows) for rows in runs.values()))


def tried(seed: int, options: argparse.Namespace) -> list[tuple[Mutant, Noticed]]:
    """The mutants of a seed, each put to everybody, and told as it is done."""
    each = sys.maxsize if options.every else options.each
    some = [mutant for mutant in drawn(each, seed) if options.kind in mutant.kind]
    rows = list[tuple[Mutant, Noticed]]()
    for mutant in some[: options.only or None]:
        found = noticed(mutant)
        rows.append((mutant, found))
        who = ", ".join(found.by) or ("nobody, the same in all that was tried" if found.same else "NOBODY")
        print(f"{mutant.kind:32} {mutant.book} {mutant.chapter}:{mutant.line:<5} {mutant.rule:24} {who}", flush=True)
    print(f"seed {seed}: {tally(rows)}", flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
