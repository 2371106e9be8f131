"""Libraries of books: two live in one process, each with its own text; what is kept is let go and bounded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb import asking, registry
from kb.errors import CaseError
from kb.language.vocabulary import Vocabulary
from kb.registry import Books
from tests import toy


class ToyBooks(Books):
    """The toy game out of a folder; its terms come from the tests."""

    def vocabulary(self, book_id: str) -> Vocabulary:  # type: ignore[override]
        return toy.vocabulary()


def library(folder: Path, old: str = "", new: str = "") -> Books:
    shutil.copytree(toy.HERE / "rulebook", folder / "toy")
    chapter = folder / "toy" / "K1.md"
    text = chapter.read_text(encoding="utf-8")
    assert old in text
    chapter.write_text(text.replace(old, new), encoding="utf-8")
    return ToyBooks(folder)


CASE = {
    "book": "toy",
    "things": {
        "k": {"is": "Knight"},
        "keep": {"is": "Keep"},
        "go": {"is": "Entry", "actor": "k", "destination": "keep", "phase": "DayPhase"},
    },
    "ask": {"may": "go"},
}


def test_two_libraries_live_in_one_process(tmp_path: Path) -> None:
    one, other = library(tmp_path / "a"), library(tmp_path / "b", "some (Knight or Archer)", "some Archer")
    answers = [asking.ask(CASE, books=books).verdict for books in (one, other, one)]
    assert answers[0] == answers[2] == "permitted" and answers[1] != "permitted"
    assert "toy" in one.names() and "toy" not in registry.SHIPPED.names()


def test_what_is_kept_is_bounded_and_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MOST", 3)
    books = library(tmp_path / "a")
    assert books.book("toy") is books.book("toy")
    for number in range(5):
        books.chapters_for("toy", frozenset({str(number)}))
    assert len(books.results["chapters_for"]) == 3
    before = books.book("toy")
    books.forget()
    assert books.book("toy") is not before


@pytest.mark.parametrize("text", [None, "{", '{"classes": {"A": {"iri": "x"}}}', '{"classes": [], "properties": 1}'])
def test_terms_that_are_not_classified_as_today_are_told(text: str | None, tmp_path: Path) -> None:
    library(tmp_path / "a")
    if text is not None:
        (tmp_path / "a" / "toy" / "vocabulary.json").write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=r"E419: the terms of “toy” (?s:.*)run loophole build"):
        Books(tmp_path / "a").vocabulary("toy")
