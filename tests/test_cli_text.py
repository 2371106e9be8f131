"""The commands about rule texts: import of texts and of extracted data, the library, comparison, coverage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api import cli_coverage, cli_lookup
from kb import resources
from kb.coverage import coverage, edition_diff, hashes
from kb.rulebook import reader
from kb.texts import extracted, library
from tests.conftest import Run
from tests.test_coverage import BOOK, CHAPTER
from tests.test_foreign import FILES, write

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A book of one's own that has begun: texts of books that there are not are refused."""
    (tmp_path / "own" / "toy").mkdir(parents=True)
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path / "own"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "data", FILES)


@pytest.fixture
def encoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Rulebooks of which one chapter is encoded from BOOK, in place of those that are shipped."""
    rulebooks = tmp_path / "rulebooks"
    (rulebooks / "toy").mkdir(parents=True)
    path = rulebooks / "toy" / "K9.md"
    path.write_text(CHAPTER, encoding="utf-8")
    source = tmp_path / "first.txt"
    source.write_text(BOOK, encoding="utf-8")
    library.import_text(source, "toy", "K9")
    chapter = reader.chapter(path)
    hashes.save(edition_diff.create(chapter, edition_diff.imported(chapter)), hashes.beside(path))
    monkeypatch.setattr(resources, "path", lambda name: rulebooks)
    yield source


# ── extracted data ──


def test_a_folder_of_extracted_data_is_imported(run: Run, folder: Path) -> None:
    code, out, _ = run("import", folder, "--book", "toy", "--alias", "Q9=K9")
    assert code == 0
    assert out.startswith("toy: 2 glossary, 2 targets,") and "2 questions, 1 errata, 1 annotations" in out
    assert "unreviewed" in out and "no file of a known kind: notes.txt" in out
    code, out, _ = run("library", "list")
    assert code == 0 and out.startswith("toy data: 2 glossary")
    assert [r["chapter"] for r in json.loads(run("library", "list", "--json")[1])] == ["data"]


def test_importing_the_data_again_tells_what_changed(run: Run, folder: Path) -> None:
    run("import", folder, "--book", "toy", "--alias", "Q9=K9")
    code, out, _ = run("import", folder, "--book", "toy", "--alias", "Q9=K9")
    assert code == 0 and "nothing changed" in out.splitlines()[0] and "rules whose data" not in out
    (folder / "annotations.json").write_text(
        json.dumps([{"ruleid": "K9.5", "content": "By night too."}]), encoding="utf-8"
    )
    report = json.loads(run("import", folder, "--book", "toy", "--alias", "Q9=K9", "--json")[1])
    assert (report["added"], report["altered"], report["removed"]) == (["K9.5"], ["K9.3"], [])
    (folder / "keeps.index").unlink()
    report = json.loads(run("import", folder, "--book", "toy", "--alias", "Q9=K9", "--json")[1])
    assert report["removed"] == ["K9.21-K9.23", "K9.3"] and report["altered"] == ["K9.1"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("keeps.index", "{", "is not JSON"),
        ("keeps.index", '[{"title": 3, "ruleids": 4}]', "[0].ruleids: a list of texts is expected"),
        ("keeps.targets", "[]", "a mapping is expected"),
        ("q+a/keeps.json", '{"a": [{"content": [{"answers": [[]]}]}]}', "answers[0]"),
        ("errata/first.json", '[{"ruleid": "K9.1"}]', "[0].content: is missing"),
        ("annotations.json", "null", "a list is expected"),
    ],
)
def test_a_malformed_file_changes_nothing(
    run: Run, folder: Path, home: Path, name: str, content: str, said: str
) -> None:
    run("import", folder, "--book", "toy")
    before = {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}
    (folder / name).write_text(content, encoding="utf-8")
    (folder / "errata" / "second.json").write_text('[{"ruleid": "K9.1", "content": "x"}]', encoding="utf-8")
    code, _, err = run("import", folder, "--book", "toy")
    assert code == 2 and "E540" in err and name in err and said in err
    assert before and before == {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}


def test_mistakes_about_folders_are_told(run: Run, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "E542" in run("import", tmp_path / "empty", "--book", "toy")[2]
    assert run("import", folder, "--book", "toy", "--chapter", "K9")[0] == 2
    code, _, err = run("import", folder, "--book", "toy", "--alias", "Q9")
    assert code == 2 and "THEIRS=OURS" in err
    assert run("library", "remove", "toy", "data")[0] == 2


def test_a_rule_shows_its_questions_and_errata(folder: Path) -> None:
    extracted.import_folder(folder, "toy", {"Q9": "K9"})
    shown = cli_lookup.remarks("toy", "K9.2", 100)
    assert "Q: May a page open it?" in shown and "A: No.  [Annals of the Keep]" in shown
    assert "errata (imported, unreviewed)" in shown and "Read “shut” for “open”." in shown and "page 13  Gates" in shown
    assert "Wall of stone: Stops arrows & bolts." in cli_lookup.remarks("toy", "K9.22", 100), "it stands in a range"
    assert cli_lookup.remarks("toy", "K9.4", 100) == "" and cli_lookup.remarks("other", "K9.2", 100) == ""
    found = cli_lookup.remarks_json("toy", "K9.2")
    assert sorted(found) == ["errata", "questions", "targets"] and found["questions"][0]["status"] == "unreviewed"


def test_the_rule_command_shows_them_too(run: Run, folder: Path) -> None:
    from kb import registry

    book = registry.books()[0]
    rule = next(iter(registry.theory(book).sections))
    assert "imported" not in json.loads(run("rule", rule, "--book", book, "--json")[1])
    (folder / "errata" / "mine.json").write_text(json.dumps([{"ruleid": rule, "content": "Strike it."}]), "utf-8")
    assert run("import", folder, "--book", book)[0] == 0
    code, out, _ = run("rule", rule, "--book", book)
    assert code == 0 and "errata (imported, unreviewed)\n  Strike it." in out
    assert json.loads(run("rule", rule, "--book", book, "--json")[1])["imported"]["errata"][0]["rule"] == rule


def test_removing_a_book_removes_its_data(run: Run, folder: Path, encoded: Path, home: Path) -> None:
    run("import", folder, "--book", "toy")
    assert run("library", "remove", "toy", "data")[1] == "removed toy data\n"
    run("import", folder, "--book", "toy")
    assert run("library", "remove", "toy")[1] == "removed toy K9, toy data\n"
    assert not list(home.rglob("*.json*"))


# ── another edition ──


def test_another_edition_is_compared(run: Run, encoded: Path) -> None:
    assert run("library", "compare", "toy")[1] == "toy K9: 5 same\n"
    words = (
        BOOK.replace("a moat]", "a dry moat]").replace(" Nobody bathes here.", "").replace("9.3 W", "He pays.\n\n9.3 W")
    )
    encoded.write_text(words, encoding="utf-8")
    _, out, _ = run("import", encoded, "--book", "toy", "--chapter", "K9")
    assert "3 changed since the last import; 0 unchanged" in out
    code, out, _ = run("library", "compare", "toy", "K9")
    rows = out.splitlines()
    assert code == 0 and rows[0] == "toy K9: 3 same, 1 changed, 1 missing, 1 added"
    assert "  changed: K9.1 sentence 2" in rows and "dry moat" in out and "  added: K9.2" in rows
    assert "  missing: K9.3 sentence 2; your text has no such sentence there" in rows
    assert "same: K9.1" in run("library", "compare", "toy", "--all")[1]
    (found,) = json.loads(run("library", "compare", "toy", "--json")[1])
    assert [d["status"] for d in found["differences"]] == ["changed", "added", "missing"]


def test_what_cannot_be_compared_is_told(run: Run, encoded: Path) -> None:
    assert "E523" in run("library", "compare", "toys")[2] and "E523" in run("library", "compare", "toy", "K8")[2]
    run("library", "remove", "toy")
    code, _, err = run("library", "compare", "toy")
    assert code == 2 and "E524" in err and "loophole import FILE --book toy --chapter K9" in err


# ── coverage ──


@pytest.mark.slow
def test_coverage_counts_sentences_exceptions_references_and_terms(run: Run, tmp_path: Path) -> None:
    from kb import registry

    book = registry.books()[0]
    code, out, _ = run("coverage", "--book", book)
    assert code == 0 and "  exceptions: " in out and "  references: " in out
    data = json.loads(run("coverage", "--book", book, "--json")[1])
    chapter = data["chapters"][0]
    assert chapter["terms"] and {t for s in chapter["sections"] for t in s["terms"]} == set(chapter["terms"])
    assert all(len(s["terms"]) > 2 for s in chapter["sections"] if s["norms"] > 1)
    few = json.loads(run("coverage", "--book", book, "--json", "--open")[1])["chapters"]
    assert len(few) == len(data["chapters"]) and few[0]["totals"] == chapter["totals"]
    assert all(s["open"] or s["exceptions"]["open"] or s["exceptions"]["unmarked"] for c in few for s in c["sections"])
    page = tmp_path / "page.html"
    assert run("coverage", "--book", book, "--html", page)[1] == f"wrote {page}\n"
    assert f"<td>{chapter['totals']['terms']}</td>" in page.read_text(encoding="utf-8")
    assert run("coverage", "--book", book, "--html", tmp_path / "no" / "page.html")[0] == 2
    assert run("coverage", "--book", "no such book")[0] == 2


def test_what_is_open_is_shown(encoded: Path) -> None:
    report = coverage.of_folder(resources.path("rulebooks"))
    lines = list(cli_coverage.covered(report, True))
    assert [line.split()[0] for line in lines if line.startswith("  K9")] == ["K9.3"]
    assert "open: 2" in lines[-1] and "1 exceptions of the book without a mark of ours" in lines[-1]
    assert sum(line.startswith("  K9") for line in cli_coverage.covered(report, False)) == 3


# ── which book, which chapter, whose place ──

SEVENTH = "7.4 TARGETS: Whatever stands there is shot at.\n\n7.5 GROUPS: They shoot as one.\n\n7.55 DUTY: They have to.\n\n7.8 PIN: He lies low.\n"
THIRTIETH = "30.1 SETUP: It stands on dry land.\n\n30.4 ENTRY: One goes in.\n\n30.42 GUARDED: Nobody goes in.\n"


def test_a_text_of_no_book_is_refused(run: Run, tmp_path: Path, home: Path) -> None:
    (tmp_path / "a.txt").write_text(SEVENTH, encoding="utf-8")
    code, _, err = run("import", tmp_path / "a.txt", "--book", "als")
    assert code == 2 and "E687" in err and "did you mean asl?" in err
    assert run("import", tmp_path / "a.txt", "--book", "toy")[0] == 0


def test_a_chapter_told_without_its_letters_is_known_by_its_numbers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a7.txt").write_text(SEVENTH, encoding="utf-8")
    code, out, err = run("import", tmp_path / "a7.txt", "--book", "asl")
    assert code == 0 and out.startswith("asl A7: 4 sections") and "read as chapter A7" in err
    assert "He lies low." in run("rule", "A7.8")[1]
    (tmp_path / "b30.txt").write_text(THIRTIETH, encoding="utf-8")
    assert run("import", tmp_path / "b30.txt", "--book", "asl")[1].startswith("asl B30: 3 sections")
    assert "He lies low." in run("rule", "A7.8")[1] and "Nobody goes in." in run("rule", "B30.42")[1]


def test_numbers_of_no_chapter_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(SEVENTH.replace("7.", "99."), encoding="utf-8")
    assert run("import", tmp_path / "x.txt", "--book", "asl")[1].startswith("asl: 4 sections")


def test_no_text_takes_the_place_of_another_unasked(run: Run, tmp_path: Path) -> None:
    first, other = tmp_path / "first.txt", tmp_path / "other.txt"
    first.write_text(SEVENTH, encoding="utf-8")
    other.write_text(THIRTIETH, encoding="utf-8")
    run("import", first, "--book", "toy")
    code, _, err = run("import", other, "--book", "toy")
    assert code == 2 and "E688" in err and "first.txt, 4 sections" in err and "--replace" in err
    assert "first.txt" in run("library", "list")[1]
    first.write_text(SEVENTH.replace("low", "very low"), encoding="utf-8")  # a new copy of the same is no other text
    assert "1 changed" in run("import", first, "--book", "toy")[1]
    assert run("import", other, "--book", "toy", "--replace")[0] == 0
    assert "other.txt" in run("library", "list")[1] and "first.txt" not in run("library", "list")[1]
