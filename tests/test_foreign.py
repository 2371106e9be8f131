"""Data extracted from an electronic rulebook, of invented rules: every kind of file, and every kind of fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.errors import TextError
from kb.texts import extracted

pytestmark = pytest.mark.usefixtures("home")
FILES: dict[str, Any] = {
    "keeps.index": [
        {
            "title": "Wall",
            "subtitle": "of stone",
            "content": "<b>Stops</b> arrows &amp; bolts.<br>Old.",
            "ruleids": ["K9.1", "K9.21-.23"],
            "rulerefs": [{"caption": "burning", "ruleids": ["K9.3"]}, {"caption": "no rule"}],
            "see_also": ["Gate"],
        },
        {"title": "Gate"},
    ],
    "keeps.targets": {
        "K9.1": {"caption": "Walls", "page_no": 12, "pos": [1, 2]},
        "Q9.2": {"caption": "Gates", "page_no": "13"},
    },
    "keeps.chapters": [
        {"title": "Keeps", "chapter_id": "K", "page_no": 11, "sections": [{"caption": "Walls", "ruleid": "K9.1"}]}
    ],
    "keeps.footnotes": {
        "K": {"1": {"captions": [{"caption": "Walls"}], "content": "Some are wooden."}, "2": {"content": "None."}}
    },
    "keeps.vo-notes": {"carts": {"1": "It creaks."}},
    "q+a/keeps.json": {
        "Gates": [
            {
                "caption": "Opening",
                "ruleids": ["K9.2", "K9.1"],
                "content": [
                    {"question": "May a pagge open it?", "answers": [["No.", "AN"], ["Never.", "XX"]]},
                    {"question": "May a duke?", "image": "gate.png", "see_other": "K9.3", "answers": []},
                ],
            }
        ]
    },
    "q+a/sources.json": {"AN": "Annals of the Keep"},
    "q+a/fixups.json": {"replace": {"pagge": "page"}},
    "errata/first.json": [{"ruleid": "Q9.2", "content": "Read “shut” for “open”.", "source": "AN"}],
    "annotations.json": [{"ruleid": "K9.3", "content": "We play it by day only."}],
    "asop/index.json": {"phases": ["dawn", "dusk"]},
    "config/search-synonyms.json": {"fort": ["keep", "tower"]},
    "notes.txt": None,
}


def write(folder: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "data", FILES)


def test_every_kind_of_file_is_read(folder: Path) -> None:
    report = extracted.import_folder(folder, "toy", {"Q9": "K9"})
    assert report.changed and len(report.files) == 12 and report.skipped == ("notes.txt",)
    assert report.counts == {
        "glossary": 2, "targets": 2, "chapters": 1, "footnotes": 2, "questions": 2, "errata": 1, "annotations": 1,
        "synonyms": 1, "notes": 2,
    }  # fmt: skip
    data = extracted.data("toy")
    assert data is not None
    wall = data.glossary[0]
    assert wall.content == "Stops arrows & bolts.\nOld."
    assert wall.rules == ("K9.1", "K9.21-K9.23") and wall.pointers == (("burning", ("K9.3",)), ("no rule", ()))
    assert [(t.rule, t.page) for t in data.targets] == [("K9.1", "12"), ("K9.2", "13")], "the alias Q9 is K9 to us"
    assert data.footnotes[0].captions == ("Walls",) and data.synonyms == {"fort": ("keep", "tower")}


def test_questions_have_their_sources_and_fixups(folder: Path) -> None:
    extracted.import_folder(folder, "toy")
    first, second = extracted.for_rule("toy", "K9.2")["questions"]
    assert first.question == "May a page open it?"
    assert first.answers == (("No.", "Annals of the Keep"), ("Never.", "XX"))
    assert (second.see_other, second.image, second.answers) == ("K9.3", "gate.png", ())


def test_nothing_is_believed_unseen(folder: Path) -> None:
    extracted.import_folder(folder, "toy", {"Q9": "K9"})
    found = extracted.for_rule("toy", "K9.2")
    assert {x.status for x in (*found["questions"], *found["errata"])} == {"unreviewed"}
    assert [e.content for e in found["errata"]] == ["Read “shut” for “open”."]
    assert [a.content for a in extracted.for_rule("toy", "K9.3")["annotations"]] == ["We play it by day only."]
    assert extracted.for_rule("other", "K9.2")["errata"] == []


def test_importing_again_changes_nothing(folder: Path, home: Path) -> None:
    extracted.import_folder(folder, "toy")
    path = home / "toy" / "_data" / "data.json"
    before = path.stat().st_mtime_ns
    assert not extracted.import_folder(folder, "toy").changed
    assert path.stat().st_mtime_ns == before
    write(folder, {"annotations.json": []})
    assert extracted.import_folder(folder, "toy").changed
    assert extracted.for_rule("toy", "K9.3")["annotations"] == []


def test_data_are_removed(folder: Path, home: Path) -> None:
    extracted.import_folder(folder, "toy")
    assert extracted.remove("toy") and not extracted.remove("toy")
    assert extracted.data("toy") is None and not (home / "toy").exists()


def test_ids_of_no_known_form_are_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"errata/e.json": [{"ruleid": "the whole book", "content": "x"}]})
    assert extracted.import_folder(folder, "toy").unplaced == ("the whole book",)


@pytest.mark.parametrize(
    ("file", "content", "where"),
    [
        ("keeps.index", "{", "is not JSON"),
        ("keeps.index", "[" * 100_000, "is not JSON"),
        ("keeps.index", {"title": "x"}, "a list is expected, this is a mapping"),
        ("keeps.index", [{"subtitle": "x"}], "[0].title: is missing"),
        ("keeps.index", [{"title": ["x"]}], "[0].title: text is expected, this is a list"),
        ("keeps.index", [{"title": "x", "ruleids": {"a": 1}}], "[0].ruleids: a list of texts"),
        ("keeps.index", [{"title": "x", "rulerefs": "y"}], "[0].rulerefs: a list is expected, this is text"),
        ("keeps.targets", {"K9.1": 3}, "K9.1: a mapping is expected, this is a number"),
        ("keeps.targets", [], "a mapping is expected, this is a list"),
        ("keeps.chapters", [7], "[0]: a mapping is expected"),
        ("keeps.footnotes", {"K": {"1": {}}}, "K.1.content: is missing"),
        ("q+a/keeps.json", {"G": [{"content": [{"answers": "no"}]}]}, "G[0].content[0].answers: a list is expected"),
        ("q+a/keeps.json", {"G": [{"content": [{"answers": [7]}]}]}, "G[0].content[0].answers[0]: an answer is a list"),
        ("q+a/keeps.json", {"G": [{"content": None}]}, "G[0].content: a list is expected, this is nothing"),
        ("q+a/sources.json", [], "a mapping is expected"),
        (
            "errata/first.json",
            [{"ruleid": "K1", "content": True}],
            "[0].content: text is expected, this is true or false",
        ),
        ("errata/first.json", [{"content": "x"}], "[0].ruleid: is missing"),
        ("annotations.json", "null", "a list is expected, this is nothing"),
        ("keeps.vo-notes", "3", "a mapping or a list is expected"),
    ],
)
def test_a_malformed_file_is_told_and_changes_nothing(
    folder: Path, home: Path, file: str, content: Any, where: str
) -> None:
    extracted.import_folder(folder, "toy")
    before = (home / "toy" / "_data" / "data.json").read_bytes()
    write(folder, {file: content, "annotations.json" if file != "annotations.json" else "x.txt": []})
    with pytest.raises(TextError) as error:
        extracted.import_folder(folder, "toy")
    (problem, *_) = error.value.problems
    assert where in problem.message and problem.place.file.endswith(file) and problem.code == 540 and problem.hint
    assert (home / "toy" / "_data" / "data.json").read_bytes() == before


def test_many_faults_are_told_at_once(folder: Path) -> None:
    write(folder, {"keeps.index": [{}, 3], "errata/first.json": "{", "keeps.targets": {"K9.1": 3}})
    with pytest.raises(TextError) as error:
        extracted.import_folder(folder, "toy")
    assert len(error.value.problems) == 4 and len({p.place.file for p in error.value.problems}) == 3


def test_a_folder_with_nothing_to_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, code in ((tmp_path / "empty", 542), (tmp_path / "none", 541)):
        with pytest.raises(TextError) as error:
            extracted.import_folder(folder, "toy")
        assert error.value.problems[0].code == code


def test_damaged_data_in_the_library_are_told(folder: Path, home: Path) -> None:
    extracted.import_folder(folder, "toy")
    for damage in ("{", "[]", '{"format": 9}', '{"format": 1, "book": "toy"}'):
        (home / "toy" / "_data" / "data.json").write_text(damage, encoding="utf-8")
        with pytest.raises(TextError, match="E543"):
            extracted.data("toy")
