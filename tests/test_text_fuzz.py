"""Odd input: no crash, no hang, and every character accounted for; time grows no faster than the input."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given, settings, strategies as st

from kb.errors import TextError
from kb.texts import decode, reader
from kb.texts.model import Text
from tests.night import turn

PIECES = st.sampled_from(
    [
        "30.1 ",
        "30.11 ",
        "30.2 WALLS: ",
        "7. Gates\n",
        "7.1 ",
        "9.9",
        "A7",
        "\n",
        "\n\n",
        "\x0c",
        "\r\n",
        "  ",
        "\t",
        "\xa0",
        "[EXC: ",
        "; 9.1]",
        "]",
        "[",
        "(",
        ")",
        "(see 30.2)",
        "EX: ",
        "[EXC",
        "A wall stops arrows. ",
        "Infantry may not enter ",
        "unless ",
        "Except at noon, ",
        "only if ",
        "but not ",
        "except that ",
        "- ",
        "* ",
        "### Gates (P12)\n",
        "**",
        "$\\frac{1}{2}$",
        "$^{31}/_{2}$",
        "$",
        "Lo-\n",
        "cation",
        "—",
        "; ",
        ", ",
        ". ",
        "! ",
        "…",
        "i.e. ",
        "e.g., ",
        "vs. ",
        "¹¹",
        "PILLS1",
        ":2",
        "[errata included] ",
        "\x00",
        "\u200b",
        "\ufeff",
        "<b>",
        "&amp;",
        "A7.211-.212",
        "8.3-.31",
        "(15.)",
        "C.7",
        "30.42, 30.44 and 30.6",
        "½",
        '"',
        "'",
        "“",
        "”",
        "é",
        "日本",
        "🙂",
        "�",
    ]
)
MESS = st.lists(PIECES | st.text(max_size=8), max_size=60).map("".join)


def read(words: str, chapter: str = "B30") -> Text:
    return reader.read(decode.Source("t", words, "", decode.page_starts(words)), "toy", chapter)


def check(found: Text, words: str) -> None:
    assert reader.unaccounted(found) == []
    assert found.length == len(words)
    for section, s in found.sentences():
        assert s.spans and s.text.strip() and s.number <= len(section.sentences)
        for e in s.exceptions:
            assert 0 <= e.start < e.end <= len(s.text) and e.target == s.text[e.target_start : e.target_end]
            assert e.parent < len(s.exceptions) and all(i < len(s.references) for i in e.references)
        for r in s.references:
            assert r.text and s.text[r.start : r.end] == r.text and r.status


@settings(max_examples=400)
@given(MESS, st.sampled_from(["B30", "A", "7", ""]))
def test_every_character_of_any_text_is_accounted_for(words: str, chapter: str) -> None:
    check(read(words, chapter), words)


@settings(max_examples=200)
@given(
    st.binary(max_size=300) | MESS.map(lambda s: s.encode("utf-8", "surrogatepass")),
    st.sampled_from(["", "utf-16", "cp1252"]),
)
def test_any_bytes_are_read_or_refused(data: bytes, encoding: str) -> None:
    if encoding:
        data = data.decode("latin-1").encode(encoding, "replace")
    try:
        source = decode.from_bytes(data, "t")
    except TextError as e:
        assert e.problems and all(p.hint for p in e.problems)
        return
    check(reader.read(source, "toy", "B30"), source.text)


def test_the_check_itself_can_fail() -> None:
    found = read("30.1 A wall stops. It is.")
    object.__setattr__(found, "leftovers", ())
    assert reader.unaccounted(found) == [("lost", 18, 19)]
    object.__setattr__(found, "length", 99)
    assert ("lost", 25, 99) in reader.unaccounted(found)
    object.__setattr__(found, "sections", found.sections * 2)
    assert any(kind == "twice" for kind, _, _ in reader.unaccounted(found))


ENDLESS = {
    "words": "word ",
    "sentences": "A wall stops arrows, unless it burns. ",
    "open brackets": "[",
    "deep brackets": "",
    "exceptions never closed": "[EXC: a ",
    "only": "only, ",
    "unless": "unless ",
    "except that": "; except that ",
    "full stops": ". ",
    "quotes": '."',
    "nothing": "\0 ",
    "spaces": " ",
    "line ends": "\n",
    "page ends": "\f",
    "broken words": "a-\n",
    "dollars": "$x^",
    "stars": "*a ",
    "numbers": "30.1 ",
    "headings": "30.1 A B\n\n",
    "bullets": "- a\n",
    "hashes": "#",
    "tags": "<a ",
    "references": "(see 30.2; A7.211-.212) ",
    "capitals": "A ",
    "commas after brackets": "], A bc ",
}


@turn(of=3, on=1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_input_takes_time_in_proportion(kind: str) -> None:
    def seconds(size: int) -> float:
        piece = ENDLESS[kind]
        words = piece * (size // len(piece)) if piece else "[" * (size // 2) + "]" * (size // 2)
        gc.collect()
        gc.disable()  # else it goes through all that other tests have left
        try:
            started = time.process_time()
            found = read(words)
            taken = time.process_time() - started
        finally:
            gc.enable()
        assert reader.unaccounted(found) == []
        return taken

    seconds(2_000)
    small, large = seconds(10_000), seconds(100_000)
    assert large < max(0.5, 25 * small), f"{small:.3f} s for 10 kB, {large:.3f} s for 100 kB"


@turn(of=3)
@pytest.mark.slow
def test_ten_megabytes_of_one_line() -> None:
    words = "a wall stops arrows [EXC: fire arrows; 30.2] and nothing else, only by day, " * 132_000
    started = time.perf_counter()
    found = read(words)
    assert reader.unaccounted(found) == []
    assert time.perf_counter() - started < 120
