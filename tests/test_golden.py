"""Golden files: rulebooks and cases with a fault each, and what is said of it; rulebooks that read, and what they hold.

`LOOPHOLE_GOLDEN=write pytest tests/test_golden.py` writes the expected files anew; review the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from kb.cases import reader as cases
from kb.errors import LoopholeError, RulebookError
from kb.language import norms as m
from kb.rulebook import compiler, linker, reader
from kb.yaml_document import MAX_BYTES, document
from tests import toy

HERE = Path(__file__).parent / "golden"
KB = Path(reader.__file__).parent.parent
BAD, GOOD, BAD_CASES = (sorted((HERE / name).glob(kind)) for name, kind in (
    ("bad", "*.md"), ("good", "*.md"), ("bad-cases", "*.yaml")
))  # fmt: skip
CODE = re.compile(r"\bE(\d{3})\b")


def problems(read_it, path: Path) -> str:  # type: ignore[no-untyped-def]
    """What is said of a faulty file, with its place cut down to its name."""
    with pytest.raises(LoopholeError) as caught:
        read_it(path)
    return str(caught.value).replace(str(path), path.name) + "\n"


def compiled(path: Path) -> m.Book:
    """One chapter, read, linked and compiled as the only one of the toy book."""
    chapter = reader.chapter(path)
    policy, title, namespaces = reader.policy_file(toy.HERE / "rulebook" / "policy.yaml")
    found = m.Book("toy", title, (chapter,), policy, namespaces)
    lines = {chapter.file: path.read_text(encoding="utf-8").splitlines()}
    linked = linker.link(found, toy.vocabulary(), lines)
    if faults := linker.unscoped(linked, toy.vocabulary()) if "scope:" in path.read_text(encoding="utf-8") else []:
        raise RulebookError(faults)
    compiler.theory(linked, toy.vocabulary())
    return linked


def read_case(path: Path) -> None:
    data, source = document(path.read_bytes().decode("utf-8"), str(path))
    cases.read(data, toy.vocabulary(), source)


def compared(path: Path, said: str) -> None:
    expected = path.with_suffix(".txt")
    if os.environ.get("LOOPHOLE_GOLDEN") == "write":
        expected.write_text(said, encoding="utf-8")
    assert expected.is_file(), f"{expected.name} is missing; LOOPHOLE_GOLDEN=write writes it"
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_a_faulty_rulebook_is_told_so(path: Path) -> None:
    compared(path, problems(compiled, path))


@pytest.mark.parametrize("path", BAD_CASES, ids=lambda p: p.stem)
def test_a_faulty_case_is_told_so(path: Path) -> None:
    compared(path, problems(read_case, path))


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_a_good_rulebook_reads_as_it_says(path: Path) -> None:
    out = []
    for section in compiled(path).chapters[0].sections:
        out.append(f"{section.rule} {section.title}")
        out += [
            f"  {s.number}. {s.text}" + (f"  ({s.not_encoded})" if s.not_encoded else "") for s in section.sentences
        ]
        for n in section.norms:
            out += [
                f"  {n.id}: {n.head}",
                f"    when {n.when}",
                *(f"    unless {u.label}: {u.condition} {list(u.cites)}" for u in n.unless),
            ]
            rest = {
                k: getattr(n, k)
                for k in (
                    "over",
                    "cites",
                    "needs",
                    "excepts",
                    "reading",
                    "until",
                    "sentences",
                    "part_of",
                    "lifts",
                    "carves",
                )
            }
            rest["until"] = ", ".join(map(str, n.until))
            out += [f"    {k} {v}" for k, v in rest.items() if v]
    compared(path, "\n".join(out) + "\n")


def test_the_collector_finds_them() -> None:
    assert len(BAD) >= 53 and len(BAD_CASES) >= 31 and len(GOOD) >= 4


def test_every_fault_that_can_be_told_has_a_golden_file() -> None:
    """Each number that read, link and case can give stands in an expected file, or is tested elsewhere."""
    files = [
        *KB.glob("rulebook/*reader.py"),
        *KB.glob("rulebook/linker.py"),
        *KB.glob("cases/*.py"),
        KB / "rulebook/definitions.py",
        KB / "rulebook/overrides.py",
        KB / "yaml_document.py",
    ]
    source = set().union(*map(codes_of, files))
    told = {int(c) for p in (*BAD, *BAD_CASES) for c in CODE.findall(p.with_suffix(".txt").read_text(encoding="utf-8"))}
    elsewhere = {101, 102, 103, 104, 105, 106, 118, 401, 402}  # tests below: they need a folder, a policy or many bytes
    elsewhere |= {408, 409, 418}  # tests/test_casebook.py
    elsewhere |= {444}  # tests/test_own_book.py
    assert source - told - elsewhere == set()
    assert len(source) >= 68, sorted(source)


def codes_of(module: Path) -> set[int]:
    """The fault numbers in a module's source."""
    text = module.read_text(encoding="utf-8")
    found = re.findall(r"(?:Problem|problem|unknown)\(\s*(\d{3}),|, (\d{3}),?\s*\)\n", text)
    return {int(code) for pair in found for code in pair if code}


# ── faults that need a folder or a policy ──

POLICY = "book: toy\nprinciples:\n  - {name: explicit, cite: K0.1, says: x}\n"


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("book: [toy", "E103"),
        ("- toy\n", "E103"),
        (POLICY + "titel: x\n", "E104 policy.yaml:1:1: unknown key “titel”\n  do: did you mean title?"),
        (POLICY.replace("explicit", "explcit"), "do: did you mean explicit?"),
        ("title: The Keep\n", "E106"),
        ("book: toy\nprinciples: explicit\n", "E106"),
    ],
)
def test_a_faulty_policy_is_told_so(policy: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(policy, encoding="utf-8")
    assert said in problems(reader.policy_file, path)


def test_a_folder_without_chapters_or_policy_is_told_so(tmp_path: Path) -> None:
    assert "E102" in problems(reader.book, tmp_path)
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    assert "E101" in problems(reader.book, tmp_path)


def test_bytes_that_are_no_text_are_told_so(tmp_path: Path) -> None:
    (tmp_path / "K1.md").write_bytes(b"---\n\xff\xfe\n")
    assert "E118" in problems(reader.chapter, tmp_path / "K1.md")


def test_a_huge_case_is_refused() -> None:
    with pytest.raises(LoopholeError, match="E401"):
        document("a: " + "x" * MAX_BYTES)
    with pytest.raises(LoopholeError, match="E402"):
        document("a: \x00")


def test_a_chapter_that_is_not_there_is_told_so() -> None:
    with pytest.raises(LoopholeError, match="E301: toy has no chapter “K2”"):
        compiler.theory(toy.book(), toy.vocabulary(), ["K2"])
