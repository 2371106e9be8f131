"""The reader of rule texts, on invented rules: three styles, and every kind of dirt in a file of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import TextError
from kb.texts import decode, reader
from kb.texts.model import Text

PLANTED = Path(__file__).parent / "planted" / "text"


def read(words: str, chapter: str = "K9") -> Text:
    found = reader.read(decode.Source("t.txt", words, "", decode.page_starts(words)), "toy", chapter)
    assert reader.unaccounted(found) == []
    return found


def planted(name: str, chapter: str = "K9") -> Text:
    found = reader.read(decode.load(PLANTED / name), "toy", chapter)
    assert reader.unaccounted(found) == []
    return found


def sentences(found: Text) -> dict[str, list[str]]:
    return {s.rule: [x.text for x in s.sentences] for s in found.sections}


def kinds(found: Text) -> list[str]:
    return [f.kind for f in found.findings]


# ── three styles ────────────────────────────────────────────────────────────────────────────────────────


def test_decimal_sections_with_run_in_titles_and_examples() -> None:
    found = planted("clean.txt")
    assert [(s.rule, s.title, s.parent) for s in found.sections] == [
        ("K9", "KEEPS", ""),
        ("K9.1", "", "K9"),
        ("K9.2", "GATES", "K9"),
        ("K9.3", "CURSES", "K9"),
    ]
    gates = found.by_rule["K9.2"]
    assert [s.example for s in gates.sentences] == [False, False, True, True]
    assert gates.sentences[2].text == "EX: Ann opens her gate at noon."
    assert kinds(found) == []


def test_titled_sections_count_on_past_nine() -> None:
    rows = "\n\n".join(f"7.{n} Title {chr(64 + n)}\n\nRule {n} holds." for n in range(1, 13))
    found = read(f"7. The Whole\n\n{rows}\n\n7.121 Deeper\n\nThis too.", "7")
    assert len(found.sections) == 14
    assert {s.parent for s in found.sections[1:13]} == {"7"}
    assert (found.by_rule["7.121"].parent, found.by_rule["7.10"].title) == ("7.12", "Title J")


def test_bullets_are_numbered_under_their_heading_and_count_on_after_a_break() -> None:
    found = planted("turned-over.md", "")
    assert [s.rule for s in found.sections] == ["Keeps", "Gates", "Gates.1", "Gates.2", "Gates.3"]
    assert sentences(found)["Gates.3"] == ["It is shut at night."]
    assert (found.by_rule["Gates"].page, found.by_rule["Gates.3"].page, found.by_rule["Gates"].parent) == (
        "12",
        "12",
        "Keeps",
    )
    assert kinds(found) == ["turn-over mark"]


def test_hard_wrapped_lines_make_one_paragraph() -> None:
    found = read("9.1 A wall\nstops arrows. A gate\nstops horses.\n9.11 LOW WALLS: They stop\nnothing.\n")
    assert sentences(found) == {
        "K9.1": ["A wall stops arrows.", "A gate stops horses."],
        "K9.11": ["They stop nothing."],
    }


def test_letters_and_aliases_of_a_chapter() -> None:
    source = decode.Source("t", "T6.4 MOATS: A moat is wet (B8.6).\n\n6.5 WELLS: As per 6.4 and T6.4.", "")
    found = reader.read(source, "toy", "BRT6", ("T6",))
    assert [s.rule for s in found.sections] == ["BRT6.4", "BRT6.5"]


# ── sentences ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("paragraph", "count"),
    [
        ("A wall (i.e. a stone one) stops arrows, e.g. Long ones. It is old.", 2),
        ("It stands vs. Direct hits. So does the gate.", 2),
        ("See 9.1. The rest is silence.", 2),
        ("A keep with normal (K5.) Garrison limits is full.", 1),
        ("[Note that new gates exist; they are blue.] A gate is shut.", 2),
        ("Is it shut? Yes! It is.", 3),
        ("They pass on a 4+. Others fail.", 2),
        ('He said "Stop." Then he left.', 2),
        ("A gate is shut. [EXC: at noon; 9.2] A moat is wet.", 2),
        ("Roll two dice ... and add them. Done.", 2),
        ("He rolls a DR. The result stands.", 2),
    ],
)
def test_where_sentences_end(paragraph: str, count: int) -> None:
    found = read(f"9.1 {paragraph}").by_rule["K9.1"].sentences
    assert len(found) == count, [s.text for s in found]


# ── dirt: one file each, and the file's name is the fault ───────────────────────────────────────────────


def test_every_planted_file_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    names = sorted(p.name for p in PLANTED.iterdir())
    assert len(names) == 18
    assert not [n for n in names if f'planted("{n}"' not in source]


def test_a_page_head_in_mid_sentence_is_taken_out() -> None:
    found = planted("page-head-in-mid-sentence.txt")
    assert sentences(found)["K9.1"][0].endswith("may never be moved once the game has begun.")
    assert len(found.by_rule["K9.1"].sentences[0].spans) == 2
    assert kinds(found) == ["page head", "sentence goes on"]
    assert [s.rule for s in found.sections] == ["K9.1", "K9.2"]


def test_broken_words_are_joined_as_the_text_writes_them() -> None:
    found = sentences(planted("broken-word.txt"))
    assert found["K9.1"] == [
        "A keep is a strong place where garrisons sleep.",
        "Two garrisons never share a keep, and no garrison may leave at night.",
    ]
    assert found["K9.2"][0] == "A non-moving gate is shut, and the drawbridge is up."
    assert kinds(planted("broken-word.txt")).count("word break") == 3


def test_formulas_are_read_and_money_is_let_be() -> None:
    found = planted("formula.txt")
    first, second = sentences(found)["K9.1"]
    assert "at ≤ ½ of his might, that is 2½ of 5, or 3½ of 7." in first
    assert second == "A duke pays $5 and gets $6 back."
    assert kinds(found) == ["formula"] * 3


def test_a_heading_run_in_after_a_sentence_begins_a_section() -> None:
    found = planted("run-in-heading.txt")
    assert sentences(found) == {
        "K9.1": ["A wall stops arrows."],
        "K9.2": ["A gate stops horses.", "It is made of oak."],
        "K9.3": ["A moat stops both; see 9.1 for walls."],
    }
    assert "run-in heading" in kinds(found)


def test_a_lost_beginning_and_a_lost_end_are_told() -> None:
    found = planted("lost-beginning.txt")
    assert [s.rule for s in found.sections] == ["", "K9.2"]
    assert len(found.sections[0].sentences) == 2
    assert kinds(found) == ["lost beginning"]
    assert kinds(planted("lost-end.txt")) == ["lost end"]


def test_a_missing_full_stop_is_found() -> None:
    found = planted("missing-full-stop.txt")
    assert [s.split()[0:2] for s in sentences(found)["K9.1"]] == [
        ["Archers", "may"],
        ["Archers", "entering"],
        ["Archers", "leaving"],
        ["Archers", "may"],
    ]
    assert kinds(found) == ["full stop missing"]


def test_a_comma_printed_for_a_full_stop_is_found() -> None:
    found = planted("comma-for-full-stop.txt")
    assert sentences(found)["K9.1"][1] == "A knight on the wall may not jump."
    assert kinds(found) == ["comma for full stop"]


def test_website_chrome_is_a_leftover() -> None:
    found = planted("chrome.txt", "9")
    assert [s.rule for s in found.sections] == ["9", "9.1"]
    assert sentences(found)["9.1"] == ["A keep is a stone place."]
    assert kinds(found) == ["website chrome", "website chrome", "copyright line"]


def test_an_errata_mark_is_taken_out_and_kept() -> None:
    (s,) = planted("errata-mark.txt").by_rule["K9.1"].sentences
    assert s.errata == ("errata included",)
    assert [e.text for e in s.exceptions] == ["fire arrows; bolts; stones"]


def test_footnote_marks_are_taken_out_and_kept() -> None:
    found = planted("footnote-marks.txt")
    assert [(s.title, s.footnotes) for s in found.sections] == [("KEEPS & GATES", ("1",)), ("KEEP", ("2",))]
    assert [s.footnotes for s in found.by_rule["K9.1"].sentences] == [("¹¹",), ("3",)]
    assert kinds(found) == ["footnote mark"] * 4


def test_a_number_that_heads_two_sections_is_told() -> None:
    found = planted("number-twice.txt")
    assert kinds(found) == ["number again"]
    assert [s.rule for s in found.sections] == ["K9.1", "K9.2", "K9.1"]


def test_control_characters_and_other_encodings_are_told() -> None:
    found = planted("control-characters.txt")
    assert sentences(found)["K9.1"] == ["A wall stops arrows.", "It is old."]
    assert kinds(found) == ["control character"] * 2
    found = planted("windows-1252.txt")
    assert sentences(found)["K9.1"] == ["A wall stops arrows – always.", "The lord’s word is law."]
    assert kinds(found) == ["encoding"]


def test_a_bracket_that_is_never_closed_runs_to_its_sentences_end() -> None:
    found = planted("unclosed-bracket.txt")
    first, second = found.by_rule["K9.1"].sentences
    assert first.exceptions[0].text == "fire arrows and the like" and second.text == "A gate does not."
    assert kinds(found) == ["bracket never closed"]


def test_a_number_that_begins_a_wrapped_line_heads_no_section() -> None:
    found = planted("stray-number.txt")
    assert sentences(found)["K9.1"] == ["A wall costs 9.2 crowns and 3 days.", "It is paid at once."]
    assert [s.rule for s in found.sections] == ["K9.1", "K9.11"]


def test_page_heads_of_a_paged_text_are_found_by_their_repetition() -> None:
    pages = "\f".join(
        f"The Great Book of Keeps  {n}\n9.{n} WALLS: Wall {n} stops arrows and\ngoes on here." for n in range(1, 7)
    )
    found = read(pages)
    assert [s.rule for s in found.sections] == [f"K9.{n}" for n in range(1, 7)]
    assert kinds(found) == ["page head"] * 6
    assert [s.sentences[0].page for s in found.sections] == list("123456")


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────


def minimal_pdf(pages: list[str]) -> bytes:
    """A PDF of one line of text a page, written by hand."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for words in pages:
        stream = f"BT /F1 12 Tf 50 700 Td ({words}) Tj ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {len(objects)} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out = b"%PDF-1.4\n"
    starts = []
    for n, body in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{n} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{at:010d} 00000 n \n" for at in starts)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return out + f"{end}startxref\n{len(out)}\n%%EOF".encode()


def test_a_pdf_keeps_its_page_numbers(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(minimal_pdf(["9.1 WALLS: A wall stops arrows.", "9.2 GATES: A gate stops horses [EXC: ponies]."]))
    steps: list[tuple[str, int, int]] = []
    found = reader.read(decode.load(path, lambda *s: steps.append(s)), "toy", "K9")
    assert [(s.rule, s.sentences[0].page) for s in found.sections] == [("K9.1", "1"), ("K9.2", "2")]
    assert steps == [("pages", 1, 2), ("pages", 2, 2)]
    assert reader.unaccounted(found) == []


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("empty.txt", b"", 502),
        ("blank.txt", b" \n\0\n", 502),
        ("picture.png", bytes(range(32)) * 200, 503),
        ("broken.pdf", b"%PDF-1.7\nnothing here", 505),
        ("scan.pdf", minimal_pdf([""]), 502),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, name: str, data: bytes, code: int) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TextError) as error:
        decode.load(tmp_path / name)
    assert [p.code for p in error.value.problems] == [code]
    assert error.value.problems[0].hint


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TextError, match="E501"):
        decode.load(tmp_path / "none.txt")
    with pytest.raises(TextError, match="E501"):
        decode.load(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-8"])
def test_encodings(encoding: str) -> None:
    source = decode.from_bytes("9.1 A wall’s arrows ≥ 3.".encode(encoding), "t")
    assert source.text == "9.1 A wall’s arrows ≥ 3."
