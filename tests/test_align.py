"""Our sentences beside a reader's: pairing, the file of hashes, and other editions. All rules here are invented."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.coverage import edition_diff, hashes
from kb.coverage.edition_diff import ADDED, CHANGED, MISSING, MOVED, SAME
from kb.errors import TextError
from kb.language.norms import Chapter
from kb.rulebook import reader
from kb.texts import decode, library, reader as reader_
from kb.texts.model import Section

CHAPTER = """---
book: toy
chapter: K9
title: Gates
aliases: [Q9]
---

## K9.0 Before {#K9.0}

What the cut-off text begins with.
> not encoded (note): says nothing

## K9.1 Walls {#K9.1}

No arrow passes a wall [EXC fire: fire arrows do].
Whoever owns a wall mends it, at three crowns a day.
> not encoded (note) fire: an invented rule
> not encoded (note): an invented rule

## K9.2 Gates {#K9.2}

Its owner opens a gate.
By night it is shut, as K9.1 says of walls.
EX: Ann's gate is open at noon.
EX: Bob's is not.
> not encoded (note): an invented rule

## K9.4 Wells {#K9.4}

Nobody drinks here.
> not encoded (note): an invented rule
"""
BOOK = """of the wall and its gate.

9.1 WALLS: A wall stops each arrow [EXC: fire arrows]. The owner of a wall pays three crowns daily to mend it.

9.2 GATES: A gate is opened by its owner. It is closed at night (see 9.1).

EX: At noon Ann finds her gate open. Bob finds his closed.

9.3 MOATS: A moat is wet.
"""


@pytest.fixture
def chapter(tmp_path: Path) -> Chapter:
    path = tmp_path / "K9.md"
    path.write_text(CHAPTER, encoding="utf-8")
    return reader.chapter(path)


def sections(words: str, chapter: str = "K9") -> list[Section]:
    return list(reader_.read(decode.Source("t", words, ""), "toy", chapter).sections)


def statuses(found: list[edition_diff.Difference]) -> list[tuple[str, int, str]]:
    return [(d.rule, d.number, d.status) for d in found]


def test_sentences_are_paired_in_order(chapter: Chapter) -> None:
    found = edition_diff.create(chapter, sections(BOOK))
    assert {rule: s.pairs for rule, s in found.sections.items()} == {
        "K9.0": {1: (0,)},
        "K9.1": {1: (0,), 2: (1,)},
        "K9.2": {1: (0,), 2: (1,), 3: (2,), 4: (3,)},
    }
    assert [k.brackets for k in found.sections["K9.1"].known] == [1, 0]
    assert all({k for at in s.pairs.values() for k in at} == {*range(len(s.known))} for s in found.sections.values())


def test_one_line_of_ours_may_stand_for_two_sentences_of_the_book_and_two_lines_for_one(chapter: Chapter) -> None:
    joined = BOOK.replace("A gate is opened by its owner. It is closed", "A gate is opened by its owner and is closed")
    assert edition_diff.create(chapter, sections(joined)).sections["K9.2"].pairs == {1: (0,), 2: (0,), 3: (1,), 4: (2,)}
    cut = BOOK.replace("pays three crowns daily to mend it", "mends it. He pays three crowns daily")
    assert edition_diff.create(chapter, sections(cut)).sections["K9.1"].pairs == {1: (0,), 2: (1, 2)}


def test_the_chapters_other_letters_are_known(chapter: Chapter) -> None:
    found = edition_diff.create(chapter, sections(BOOK.replace("\n9.", "\nQ9."), "Q9"))
    assert set(found.sections) == {"K9.0", "K9.1", "K9.2"}


def test_bullets_go_with_the_heading_that_our_section_is(tmp_path: Path) -> None:
    path = tmp_path / "G.md"
    front = "---\nbook: toy\nchapter: G\ntitle: Gates\n---\n\n"
    rows = "## GateRules Gates {#GateRules}\n\nOpen by day.\nShut by night.\n> not encoded (note): invented\n"
    path.write_text(front + rows, encoding="utf-8")
    found = edition_diff.create(
        reader.chapter(path), sections("### Gate Rules\n\n- A gate is open by day.\n- It is shut at night.\n", "")
    )
    assert found.sections["GateRules"].pairs == {1: (0,), 2: (1,)}


def test_the_same_edition_is_the_same(chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    found = edition_diff.compare(kept, sections(BOOK), chapter)
    assert {d.status for d in found if d.rule != "K9.3"} == {SAME}
    assert [(d.rule, d.status) for d in found if d.status != SAME] == [("K9.3", ADDED)]


def test_another_edition_is_told_sentence_by_sentence(chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    other = sections(
        BOOK.replace("pays three crowns", "owes four crowns")
        .replace("A gate is opened by its owner.", "A gate is opened by its owner. It may creak.")
        .replace(" Bob finds his closed.", "")
    )
    rows = [row for row in statuses(edition_diff.compare(kept, other, chapter)) if row[0] in ("K9.1", "K9.2")]
    assert rows == [
        ("K9.1", 1, SAME),
        ("K9.1", 2, CHANGED),
        ("K9.2", 1, SAME),
        ("K9.2", 0, ADDED),
        ("K9.2", 2, SAME),
        ("K9.2", 3, SAME),
        ("K9.2", 4, MISSING),
    ]


def test_a_sentence_that_moved_is_no_change_of_wording(chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    moved = BOOK.replace(" A gate is opened by its owner.", "", 1).replace(
        "A moat is wet.", "A moat is wet. A gate is opened by its owner."
    )
    rows = edition_diff.compare(kept, sections(moved), chapter)
    assert ("K9.2", 1, MOVED) in statuses(rows)
    assert [(d.rule, d.elsewhere) for d in rows if d.status == MOVED and d.quotes] == [("K9.3", "K9.2")]


def test_typesetting_is_no_difference(chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    set_anew = (
        BOOK.replace("Ann finds", "Ann \n finds")
        .replace("daily to", "daily  to")
        .replace("each arrow", "each\xa0arrow")
    )
    assert {d.status for d in edition_diff.compare(kept, sections(set_anew), chapter) if d.rule != "K9.3"} == {SAME}


def test_quotes_lead_from_our_sentence_to_the_readers(chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    found = edition_diff.quotes(chapter, sections(BOOK), kept)
    assert [q.text for q in found["K9.2", 2]] == ["It is closed at night (see 9.1)."]
    assert len(found["K9.0", 1]) == 1
    changed = edition_diff.quotes(chapter, sections(BOOK.replace("closed at night", "barred at night")), kept)
    assert [q.text for q in changed["K9.2", 2]] == ["It is barred at night (see 9.1)."]
    assert edition_diff.quotes(chapter, sections(BOOK)) == found, "aligned here and now, without a file"
    assert edition_diff.quotes(chapter, sections("1.1 Another book altogether.", "Z1")) == {}


def test_a_stale_alignment_is_not_trusted(tmp_path: Path, chapter: Chapter) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    assert hashes.stale(kept, chapter) == []
    path = tmp_path / "K9.md"
    path.write_text(
        CHAPTER.replace("Its owner opens a gate.\n", "Its owner opens a gate.\nA gate is wood.\n"), encoding="utf-8"
    )
    later = reader.chapter(path)
    assert hashes.stale(kept, later) == ["K9.2"]
    assert [q.text for q in edition_diff.quotes(later, sections(BOOK), kept)["K9.2", 3]] == [
        "It is closed at night (see 9.1)."
    ]


def test_from_the_library(chapter: Chapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPHOLE_LIBRARY", str(tmp_path / "library"))
    assert edition_diff.quotes_for(chapter) == {}
    (tmp_path / "book.txt").write_text(BOOK, encoding="utf-8")
    library.import_text(tmp_path / "book.txt", "toy", "K9")
    hashes.save(edition_diff.create(chapter, library.sections("toy")), hashes.beside(tmp_path / "K9.md"))
    (found,) = edition_diff.quotes_for(chapter)["K9.1", 1]
    assert (found.rule, found.number, found.text) == ("K9.1", 1, "A wall stops each arrow [EXC: fire arrows].")


def test_the_file_holds_hashes_and_counts_and_no_word_of_the_book(chapter: Chapter, tmp_path: Path) -> None:
    kept = edition_diff.create(chapter, sections(BOOK))
    path = tmp_path / "K9.align.json"
    assert hashes.save(kept, path) and not hashes.save(kept, path)
    assert hashes.load(path) == kept
    content = path.read_text(encoding="utf-8")
    words = {w.casefold() for w in re.findall(r"[A-Za-z]{4,}", re.sub(r"[0-9a-f]{64}", "", content))}
    assert words == {"format", "book", "chapter", "edition", "sections", "known", "ours", "pairs"}
    assert json.loads(content)["sections"]["K9.1"]["known"][0][1:] == [8, 1, 0, 0, 0]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"format": 1}',
        '{"format": 9, "book": "b"}',
        '{"format": 1, "book": "b", "chapter": "c", "edition": "", "sections": {"x": {"known": [["00", 1, 0, 0, 0]]}}}',
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.align.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TextError) as error:
        hashes.load(path)
    assert error.value.problems[0].code in (521, 522) and error.value.problems[0].hint


def test_a_text_of_another_chapter_is_refused(chapter: Chapter) -> None:
    with pytest.raises(TextError, match="E520"):
        edition_diff.create(chapter, sections("1.1 Another book altogether.", "Z1"))


def test_endless_sections_are_paired_by_order() -> None:
    from kb.language.norms import Sentence

    ours = [Sentence(n, f"Line {n}.") for n in range(1, 701)]
    theirs = sections("9.1 " + " ".join(f"Sentence {n} of many." for n in range(700)))[0].sentences
    assert edition_diff.pair(ours, theirs)[700] == (699,)
