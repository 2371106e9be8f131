"""Search: numbers in any form, abbreviations, synonyms, kinds, misspellings, facets, the reader's own text, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import QueryError
from kb.search import ranking as searching
from kb.search.documents import KINDS, Document
from kb.search.index import Index, current
from kb.search.query import read
from kb.search.ranking import search
from kb.texts import library

pytestmark = pytest.mark.usefixtures("home")


def first(query: str, n: int = 5, **more: str) -> list[str]:
    return [h.number for h in search(query, limit=n, **more).hits]


def test_the_index_holds_every_rule_and_term_of_every_book() -> None:
    kinds = {k: sum(d.kind == k for d in current().documents) for k in KINDS}
    assert kinds["rule"] >= 120 and kinds["term"] >= 700 and kinds["erratum"] + kinds["ruling"] >= 15
    assert kinds["own"] == 0


@pytest.mark.parametrize("typed", ["30.42", "B30.42", "b3042", "b30.42", "3042", "§30.42", "B30.42/x", "B 30.42"])
def test_a_section_number_in_any_form_finds_the_rule_first(typed: str) -> None:
    assert first(typed)[0] == "B30.42"


def test_a_module_s_other_letters_and_a_number_with_words_find_the_rule() -> None:
    assert first("T6.31")[0] == "BRT6.31"
    assert first("30.42 tunnel")[0] == "B30.42"
    assert first("20.121", book="vv")[0] == "20.121"


def test_what_names_a_rule_comes_after_it() -> None:
    found = search("B30.42")
    assert found.hits[0].number == "B30.42"
    assert {h.number for h in found.hits if "names it" in h.why} == {"B30.8", "B30.42-slash"}


def test_an_abbreviation_finds_what_it_stands_for_and_what_that_is_part_of() -> None:
    rules = {h.number for h in search("WP", kind="rule").hits}
    assert {"B30.113", "B30.34"} <= rules  # by name
    assert "B30.3" in rules  # SMOKE, of which WP is one
    assert set(first("White Phosphorus", kind="rule", n=10)) & {"B30.113", "B30.34"}
    assert first("WP", n=1) == ["WhitePhosphorus"]


def test_a_kind_is_found_by_what_it_is_a_kind_of() -> None:
    entrenchments = {h.number for h in search("entrenchment", book="vv", kind="rule", limit=20).hits}
    assert {"20.9", "20.10", "20.11"} <= entrenchments


def test_misspelt_words_are_read_as_the_nearest_and_that_is_said() -> None:
    found = search("pilbox stackng")
    assert found.hits[0].number == "B30.111"
    assert ("pilbox", "pillbox") in found.read_as and ("stackng", "stacking") in found.read_as
    assert search("xqzzyv").hits == ()


def test_snippets_mark_what_was_found() -> None:
    assert "«" in next(h.snippet for h in search("cowering").hits if h.number == "A7.9")


def test_facets_count_all_hits_and_narrow_them() -> None:
    found = search("bunker")
    assert sum(found.facets["kind"].values()) == found.total == sum(found.facets["book"].values())
    narrowed = search("bunker", book="fow", kind="rule")
    assert narrowed.total < found.total and {h.book for h in narrowed.hits} == {"fow"}
    assert {h.kind for h in narrowed.hits} == {"rule"} and narrowed.facets["book"]["fow"] == narrowed.total


def test_errata_are_found() -> None:
    assert first("B30.34-att")[0] == "B30.34-att"
    assert search("bunker", kind="erratum").total >= 1


def test_the_reader_s_own_text_is_found_once_imported(tmp_path: Path) -> None:
    text = tmp_path / "own.txt"
    text.write_text(
        "99.1 Zeppelins: A zeppelin may hover over any hexagonal meadow.\n\n99.2 Ballast: It drops ballast.\n"
    )
    assert search("zeppelin").total == 0
    library.import_text(text, "asl", "Z99")
    found = search("zepelin meadow")
    assert [(h.kind, h.number) for h in found.hits][:1] == [("own", "Z99.1")]
    assert "zeppelin" in found.hits[0].snippet.casefold()
    library.remove("asl", "Z99")
    assert search("zeppelin").total == 0


@pytest.mark.parametrize(
    "query",
    ['"', "'", "a AND", "NEAR(a b)", "title:x", "*", "{x}", "pillbox OR", "-pillbox", "(((", "“TEM”", "a:b^2", "\0pillbox", "🎲 pillbox"],
)  # fmt: skip
def test_no_query_is_read_as_an_expression_of_the_engine(query: str) -> None:
    try:
        search(query)
    except QueryError as e:
        assert e.problems[0].code == 620


@pytest.mark.parametrize(
    ("query", "more", "code"),
    [
        ("", {}, 620),
        (" … ", {}, 620),
        ("x" * 401, {}, 621),
        (" ".join(f"word{i}x" for i in range(40)), {}, 621),
        ("tem", {"book": "asll"}, 622),
        ("tem", {"kind": "rules"}, 622),
    ],
)
def test_bad_input_is_told(query: str, more: dict[str, str], code: int) -> None:
    with pytest.raises(QueryError) as caught:
        search(query, **more)
    assert caught.value.problems[0].code == code and caught.value.problems[0].hint


def test_without_the_ontology_wp_finds_no_smoke() -> None:
    """Planted: an index of the same words, asked word for word, misses what the ontology knows."""
    index = current()
    word = {index.documents[i].number for i in index.match('"WP"') if index.documents[i].kind == "rule"}
    assert "B30.3" not in word and word


def test_an_index_of_anything_is_searched_alike() -> None:
    index = Index.of(
        [
            Document("toy", "rule", "1.1", "Moats", "A moat is wet."),
            Document("toy", "rule", "1.2", "Walls", "A wall is dry."),
        ]
    )
    scores, _ = searching.scored(read("moats", index), index)
    assert (list(scores) == [0] and index.spelling("moatz") == ["moat"]) or index.spelling("moatz")[0] in (
        "moats",
        "moat",
    )


def test_the_command_prints_hits_facets_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    from api import cli

    assert cli.main(["search", "pilbox", "smoke", "--limit", "3"]) == 0
    told = capsys.readouterr().out
    assert "“pilbox” is read as pillbox" in told and "3 of " in told and "rule" in told
    assert cli.main(["search", "b3042", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["number"] == "B30.42"
    assert cli.main(["search", "xqzzyv"]) == 1
    assert cli.main(["search", "tem", "--book", "nope"]) == 2
    assert "E622" in capsys.readouterr().err
