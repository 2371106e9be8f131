"""The local library: what an import keeps, what a second one changes, and that bad input changes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.errors import LoopholeError, TextError
from kb.texts import library, shelf

pytestmark = pytest.mark.usefixtures("home")
BOOK = """9 KEEPS

9.1 WALLS: A wall stops arrows [EXC: fire arrows; 9.3]. It is old.

9.2 GATES: A gate is opened by its owner (see 9.15). Nobody else may.

9.3 FIRE: Fire burns gates (see 4.2).
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "keeps.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(p.relative_to(folder)): (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()
    }


def test_an_import_tells_what_it_found(book: Path) -> None:
    report = library.import_text(book, "toy", "K9")
    assert (report.sections, report.sentences, report.examples) == (4, 5, 0)
    assert report.added == ("K9", "K9.1", "K9.2", "K9.3") and not report.changed and not report.removed
    assert report.exceptions == {"bracket": 1}
    assert report.references == {"section": 1, "dangling": 1, "not loaded": 1}
    assert report.dangling == ("K9.2: 9.15",)
    assert report.leftovers == {"space": 9}


def test_the_readers_sentences_are_given_by_rule(book: Path) -> None:
    library.import_text(book, "toy", "K9")
    found = library.sentences_for("toy", "K9.2")
    assert [(q.number, q.text) for q in found] == [
        (1, "A gate is opened by its owner (see 9.15)."),
        (2, "Nobody else may."),
    ]
    assert library.sentences_for("toy", "K9.2", 2) == found[1:]
    assert library.sentences_for("toy", "K9.8") == [] == library.sentences_for("other", "K9.2")
    section = library.section("toy", "k9.1")
    assert section is not None and section.sentences[0].exceptions[0].text == "fire arrows; 9.3"


def test_named_rules_are_found_in_any_spelling(tmp_path: Path) -> None:
    (tmp_path / "g.md").write_text("### Anti-tank Gates (P7)\n\n- Shut.\n- Open.\n", encoding="utf-8")
    library.import_text(tmp_path / "g.md", "toy")
    for name in ("AntiTankGates.2", "AntitankGates.2", "antitankgates.2", "Anti-tankGates.2", "Anti-tank Gates.2"):
        assert [(q.text, q.page) for q in library.sentences_for("toy", name)] == [("Open.", "7")], name


def test_importing_again_changes_only_what_changed(book: Path, home: Path) -> None:
    library.import_text(book, "toy", "K9")
    before = snapshot(home)
    report = library.import_text(book, "toy", "K9")
    assert (report.added, report.changed, report.removed, report.unchanged) == ((), (), (), 4)
    assert snapshot(home) == before, "the same text was written again"
    old = {row.rule: row.since for row in library.edition("toy")[0].sections}
    entry = home / "toy" / "K9" / "edition.json"
    entry.write_text(
        # An index of before there were checksums: one that is changed by hand is damaged.
        re.sub('"checksum": "[^"]*"', '"checksum": null', entry.read_text(encoding="utf-8")).replace(
            old["K9.1"], "2001-01-01T00:00:00+00:00"
        ),
        encoding="utf-8",
    )
    book.write_text(
        BOOK.replace("Nobody else may.", "Its porter may.").replace("9.3 FIRE", "9.4 FIRE"), encoding="utf-8"
    )
    report = library.import_text(book, "toy", "K9")
    assert (report.added, report.changed, report.removed, report.unchanged) == (("K9.4",), ("K9.2",), ("K9.3",), 2)
    since = {row.rule: row.since for row in library.edition("toy")[0].sections}
    assert since["K9.1"].startswith("2001") and not since["K9.2"].startswith("2001")
    assert len(list((home / "toy" / "K9").iterdir())) == 2, "the old sections file is gone"


@pytest.mark.parametrize("data", [b"", b"\x01\x02\x03" * 500, b"no section here, only words."])
def test_bad_input_changes_nothing(book: Path, home: Path, tmp_path: Path, data: bytes) -> None:
    library.import_text(book, "toy", "K9")
    before = snapshot(home)
    (tmp_path / "bad.txt").write_bytes(data)
    with pytest.raises(TextError):
        library.import_text(tmp_path / "bad.txt", "toy", "K9")
    with pytest.raises(TextError):
        library.import_text(tmp_path / "none.txt", "toy", "K9")
    assert snapshot(home) == before


def test_a_crash_in_the_middle_leaves_the_old_text(book: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library.import_text(book, "toy", "K9")
    before = library.sentences_for("toy", "K9.2")
    book.write_text(BOOK.replace("Nobody else may.", "Its porter may."), encoding="utf-8")

    def fail(path: Path, content: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(library, "write", fail)
    with pytest.raises(LoopholeError, match=r"E717: cannot write .*: disk full"):
        library.import_text(book, "toy", "K9")
    assert library.sentences_for("toy", "K9.2") == before
    assert not [p for p in (home / "toy" / "K9").iterdir() if p.name.startswith(".")], "a temporary file is left"


def test_references_are_resolved_across_the_texts_of_a_book(book: Path, tmp_path: Path) -> None:
    library.import_text(book, "toy", "K9")
    (tmp_path / "four.txt").write_text("4.1 Fire is hot.\n\n4.2 Fire burns; see 9.1 and J1.1.\n", encoding="utf-8")
    library.import_text(tmp_path / "four.txt", "toy", "K4")
    status = {(s.rule, r.text): r.status for s in library.sections("toy") for x in s.sentences for r in x.references}
    assert status["K9.3", "4.2"] == "section" == status["K4.2", "9.1"]
    assert status["K4.2", "J1.1"] == "not loaded" and status["K9.2", "9.15"] == "dangling"


def test_texts_are_listed_and_removed(book: Path, home: Path) -> None:
    assert library.listing() == []
    library.import_text(book, "toy", "K9")
    library.import_text(book, "toy", "Q9")
    library.import_text(book, "other")
    assert [(e.book, e.chapter) for e in library.listing()] == [("other", ""), ("toy", "K9"), ("toy", "Q9")]
    assert library.summary(library.listing()[1])["sentences"] == 5
    assert library.remove("toy", "Q9") == ["toy Q9"]
    assert library.remove("toy") == ["toy K9"] and not (home / "toy").exists()
    with pytest.raises(TextError, match="did you mean other"):
        library.remove("othr")


@pytest.mark.parametrize(
    ("name", "chapter"), [("../evil", "K9"), ("", "K9"), ("toy", "a/b"), ("toy", "../../x"), (".hidden", "")]
)
def test_names_that_would_leave_the_library_are_refused(book: Path, home: Path, name: str, chapter: str) -> None:
    with pytest.raises(TextError, match="E507"):
        library.import_text(book, name, chapter)
    assert not home.exists()


@pytest.mark.parametrize("damage", ["{", "[]", '{"format": 99}', '{"format": 1}'])
def test_a_damaged_library_says_so(book: Path, home: Path, damage: str) -> None:
    library.import_text(book, "toy", "K9")
    (home / "toy" / "K9" / "edition.json").write_text(damage, encoding="utf-8")
    with pytest.raises(TextError) as error:
        library.listing()
    assert error.value.problems[0].code in (508, 509)


def test_a_lost_sections_file_says_so(book: Path, home: Path) -> None:
    library.import_text(book, "toy", "K9")
    next((home / "toy" / "K9").glob("sections-*")).write_bytes(b"not json")
    with pytest.raises(TextError, match="E509"):
        library.sentences_for("toy", "K9.2")


def test_the_default_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOPHOLE_LIBRARY")
    assert library.root().parts[-2:] == ("loophole", "library") and library.root().is_absolute()
    assert Path(__file__).parent.parent not in library.root().parents


def test_what_is_kept_is_read_back_whole(book: Path, home: Path) -> None:
    library.import_text(book, "toy", "K9")
    entry = library.listing()[0]
    (kept,) = [s for s in shelf.sections_of(entry) if s.rule == "K9.1"]
    row = next(r for r in entry.sections if r.rule == "K9.1")
    assert kept.fingerprint == row.fingerprint
    assert json.loads((home / "toy" / "K9" / "edition.json").read_text(encoding="utf-8"))["format"] == shelf.FORMAT
