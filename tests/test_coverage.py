"""Coverage: counted sentence by sentence, exceptions there and back, and the floor below which CI fails."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kb import resources
from kb.coverage import coverage, edition_diff, hashes as hashes_, page as coverage_page
from kb.errors import TextError
from kb.language.vocabulary import ClassTerm, Vocabulary
from kb.texts import decode, reader
from tests import coverage_floor

FLOOR = Path(__file__).parent / "coverage.json"
CHAPTER = """---
book: toy
chapter: K9
title: Gates
---

## K9.1 Walls {#K9.1}

No arrow passes a wall [EXC fire: fire arrows; K9.2] [BUT siege: not in a siege].

```norms
K9.1
  forbids  Shot
  when     target some (Wall except fire (Burning))
  unless   siege: phase some Siege  [K9.15, J1.1]
```

Whoever owns a wall mends it [EXC moat: a moat].
> not encoded (note) moat: only a name
> not encoded (note): an invented rule

## K9.2 Gates {#K9.2}

EX: Ann's gate is open at noon.
> case: tests/cases/x.yaml

## K9.3 Wells {#K9.3}

Nobody drinks here.
> not encoded (note): an invented rule
"""
BOOK = """9.1 WALLS: A wall stops each arrow [EXC: fire arrows; 9.2], unless besieged. Its owner mends it [EXC: a moat].

9.2 GATES: EX: At noon Ann finds her gate open.

9.3 WELLS: Nobody drinks here, except the lord. Nobody bathes here.
"""


@pytest.fixture
def rulebooks(tmp_path: Path) -> Path:
    folder = tmp_path / "rulebooks"
    (folder / "toy").mkdir(parents=True)
    (folder / "toy" / "K9.md").write_text(CHAPTER, encoding="utf-8")
    return folder


def sections(words: str = BOOK) -> list:  # type: ignore[type-arg]
    return list(reader.read(decode.Source("t", words, ""), "toy", "K9").sections)


def aligned(rulebooks: Path, words: str = BOOK) -> coverage.ChapterCoverage:
    from kb.rulebook import reader as reader_

    path = rulebooks / "toy" / "K9.md"
    hashes_.save(edition_diff.create(reader_.chapter(path), sections(words)), hashes_.beside(path))
    return coverage.of_folder(rulebooks).chapters[0]


def test_without_a_text_our_own_sentences_are_counted(rulebooks: Path) -> None:
    (found,) = coverage.of_folder(rulebooks).chapters
    assert [(s.rule, s.sentences, s.encoded, s.explained, s.open) for s in found.sections] == [
        ("K9.1", 2, 1, 1, ()),
        ("K9.2", 1, 0, 1, ()),
        ("K9.3", 1, 0, 1, ()),
    ]
    assert found.percent == 100.0
    assert not any(s.aligned for s in found.sections)


def test_with_a_text_the_books_sentences_are_counted(rulebooks: Path) -> None:
    found = aligned(rulebooks)
    assert [(s.rule, s.sentences, s.encoded, s.explained, s.open) for s in found.sections] == [
        ("K9.1", 2, 1, 1, ()),
        ("K9.2", 1, 0, 1, ()),
        ("K9.3", 2, 0, 1, (2,)),
    ]
    assert (found.sentences, found.open, found.percent) == (5, 1, 80.0)


def test_exceptions_there_and_back(rulebooks: Path) -> None:
    one, _, three = aligned(rulebooks).sections
    assert (one.exceptions.brackets, one.exceptions.spoken, one.exceptions.written) == (2, 1, 3)
    assert (one.exceptions.encoded, one.exceptions.explained, one.exceptions.open, one.exceptions.unmarked) == (
        2,
        1,
        (),
        0,
    )
    assert (three.exceptions.spoken, three.exceptions.unmarked) == (1, 1), "the book's “except” has no mark of ours"


@pytest.mark.parametrize(
    ("old", "new", "unmarked"),
    [
        (" [BUT siege: not in a siege]", "", 1),
        (" [EXC moat: a moat]", "", 1),
        ("Nobody drinks here.", "Nobody drinks here [EXC lord: the lord].", -1),
    ],
)
def test_a_mark_lost_or_found_is_told(rulebooks: Path, old: str, new: str, unmarked: int) -> None:
    def total() -> int:
        chapter = coverage.of_folder(rulebooks).chapters[0]
        return sum(s.exceptions.unmarked for s in chapter.sections)

    aligned(rulebooks)
    before = total()
    path = rulebooks / "toy" / "K9.md"
    changed = CHAPTER.replace(old, new).replace(
        "  unless   siege", "  unless   siege" if "siege" not in old else "  # "
    )
    if "moat" in old:
        changed = changed.replace("> not encoded (note) moat: only a name\n", "")
    if "drinks" in old:
        changed = changed.replace(
            "drinks here [EXC lord: the lord].\n", "drinks here [EXC lord: the lord].\n> not encoded (note) lord: x\n"
        )
    path.write_text(changed, encoding="utf-8")
    assert not coverage.of_folder(rulebooks).chapters[0].problems
    assert total() == before + unmarked


def test_references_and_terms(rulebooks: Path) -> None:
    empty: frozenset[str] = frozenset()
    names = ("Shot", "Wall", "Burning", "Siege", "Moat")
    terms = {n: ClassTerm(n, f"x#{n}", n.lower(), frozenset({n}), empty, empty) for n in names}
    aligned(rulebooks)
    (found,) = coverage.of_folder(rulebooks, {"toy": Vocabulary("toy", "1", terms, {})}).chapters
    assert found.terms == ("Burning", "Shot", "Siege", "Wall")
    assert found.dangling == ("K9.1: K9.15",)
    assert found.sections[0].pointed == {"dangling": 1, "not loaded": 1}
    assert [s.references for s in found.sections] == [1, 0, 0]
    assert found.unknown_terms == ()


def test_a_name_that_no_term_explains_is_told(rulebooks: Path) -> None:
    empty: frozenset[str] = frozenset()
    path = rulebooks / "toy" / "K9.md"
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            "Nobody drinks", "By the Grey Tower a moat is no Moat: the Grey Tower is, nobody drinks"
        ),
        encoding="utf-8",
    )
    terms = {"Moat": ClassTerm("Moat", "x#Moat", "moat", frozenset({"Moat"}), empty, empty)}
    (found,) = coverage.of_folder(rulebooks, {"toy": Vocabulary("toy", "1", terms, {})}).chapters
    assert found.unknown_terms == ("Grey Tower (K9.3)",)


def test_a_chapter_that_does_not_read_is_open_throughout(rulebooks: Path) -> None:
    aligned(rulebooks)
    (rulebooks / "toy" / "K9.md").write_text("no front matter", encoding="utf-8")
    (found,) = coverage.of_folder(rulebooks).chapters
    assert found.problems and (found.sentences, found.open, found.percent) == (5, 5, 0.0)


def test_a_text_that_is_not_encoded_yet_is_open_throughout(rulebooks: Path) -> None:
    kept = hashes_.inventory(
        "toy", "K8", reader.read(decode.Source("t", "8.1 A moat is wet. It is deep.", ""), "toy", "K8").sections
    )
    hashes_.save(kept, rulebooks / "toy" / "K8.align.json")
    found = {c.chapter: c for c in coverage.of_folder(rulebooks).chapters}
    assert (found["K8"].sentences, found["K8"].open, found["K8"].problems) == (2, 2, ("not encoded yet",))


def test_sections_of_the_book_that_ours_lacks_are_open(rulebooks: Path) -> None:
    aligned(rulebooks)
    path = rulebooks / "toy" / "K9.md"
    path.write_text(CHAPTER[: CHAPTER.index("## K9.3")], encoding="utf-8")
    (found,) = coverage.of_folder(rulebooks).chapters
    assert [(s.rule, s.open) for s in found.sections if s.open] == [("K9.3", (1, 2))]


def test_an_edited_chapter_is_told_as_stale(rulebooks: Path) -> None:
    aligned(rulebooks)
    path = rulebooks / "toy" / "K9.md"
    path.write_text(CHAPTER.replace("Nobody drinks here.", "None may drink here."), encoding="utf-8")
    (found,) = coverage.of_folder(rulebooks).chapters
    assert found.stale == ("K9.3",)


# ── the floor ───────────────────────────────────────────────────────────────────────────────────────────


def test_coverage_has_not_fallen() -> None:
    floor = coverage_floor.read_floor(FLOOR)
    assert len(floor) >= 5
    report = coverage.of_folder(resources.path("rulebooks"))
    assert [str(p) for p in coverage_floor.fallen(report, floor, FLOOR.name)] == []


def test_a_fall_is_found(rulebooks: Path) -> None:
    aligned(rulebooks)
    report = coverage.of_folder(rulebooks)
    floor = coverage_floor.floor_of(report)
    assert coverage_floor.fallen(report, floor) == []
    for key, by, code in (("encoded", 1, 531), ("exceptions", 1, 531), ("open", -1, 532), ("exceptions open", -1, 532)):
        row = floor["toy/K9"]
        problems = coverage_floor.fallen(report, {"toy/K9": {**row, key: row[key] + by}})
        assert code in [p.code for p in problems], key
    assert [p.code for p in coverage_floor.fallen(report, {"toy/K7": floor["toy/K9"]})] == [530]
    path = rulebooks / "toy" / "K9.md"
    block = CHAPTER[CHAPTER.index("```norms") : CHAPTER.index("```\n\nWhoever") + 4]
    path.write_text(CHAPTER.replace(block, "> not encoded (note): lost\n"), encoding="utf-8")
    assert [p.code for p in coverage_floor.fallen(coverage.of_folder(rulebooks), floor)] == [531, 531]


def test_a_report_becomes_the_floor(rulebooks: Path, tmp_path: Path) -> None:
    aligned(rulebooks)
    report = coverage.of_folder(rulebooks)
    coverage_floor.write_floor(report, tmp_path / "floor.json")
    assert coverage_floor.read_floor(tmp_path / "floor.json") == coverage_floor.floor_of(report)


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": {"b": "x"}}'])
def test_a_damaged_floor_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "floor.json").write_text(content, encoding="utf-8")
    with pytest.raises(TextError, match="E533"):
        coverage_floor.read_floor(tmp_path / "floor.json")


# ── shown ───────────────────────────────────────────────────────────────────────────────────────────────


class Counter(HTMLParser):
    """Checks that tags close in order, and counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_as_json_and_as_a_page(rulebooks: Path) -> None:
    found = aligned(rulebooks)
    (rulebooks / "toy" / "K9.md").write_text(CHAPTER.replace("Wells", "Wells <b>&"), encoding="utf-8")
    report = coverage.of_folder(rulebooks)
    data = json.loads(json.dumps(report.as_json()))
    assert data["chapters"][0]["percent"] == found.percent and data["chapters"][0]["totals"]["open"] == 1
    page = coverage_page.page(report)
    counter = Counter()
    counter.feed(page)
    assert counter.open == [] and counter.seen["tr"] == 2 + 1 + 3
    assert "Wells &lt;b&gt;&amp;" in page and "http" not in page and "<script" not in page


def test_every_alignment_is_current(seed) -> None:  # type: ignore[no-untyped-def]
    """The file of hashes says of each of our sentences what it says when made anew from the text."""
    from kb.rulebook import reader as reader_

    found = 0
    for number, book, chapter in (
        (0, "asl", "B30"),
        (1, "asl", "BRT6"),
        (2, "asl", "A7"),
        (3, "vv", "20"),
        (4, "fow", ""),
    ):
        theirs = reader.read(decode.load(seed(number)), book, chapter).sections
        for path in sorted((resources.path("rulebooks") / book).glob("*.align.json")):
            kept = hashes_.load(path)
            if set(kept.sections) & {s.rule for s in theirs if s.sentences}:
                found += 1
                hashes = {k.hash for s in kept.sections.values() for k in s.known}
                assert hashes == {s.hash for t in theirs for s in t.sentences}, path.name
                file = path.with_name(path.name.replace(".align.json", ".md"))
                if file.is_file() and hashes_.stale(kept, reader_.chapter(file)) == []:
                    assert edition_diff.create(reader_.chapter(file), theirs).sections == kept.sections, path.name
    assert found == 5
