"""The five real texts, against inventories that were read off them by hand: numbers, ids, offsets and hashes, no text.

tests/inventories/NNN.json lists for each text its sections (rule, parent, page, has a title, sentences, examples), the
beginnings of its sentences' hashes, its exceptions (sentence, kind, where they stand, where what they modify stands,
the exception they are nested in), its references (as written, the rule meant, where they lead), what was mended, and its
terms (sentence, where the words stand, the term of the ontology meant), judged one by one.
"""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb import registry
from kb.texts import decode, mentions, reader
from kb.texts.model import BRACKET, EXCEPT, ONLY, UNLESS, Text

FOLDER = Path(__file__).parent / "inventories"
TEXTS = sorted(FOLDER.glob("*.json"))
Seed = Callable[[int], Path]


def test_every_text_has_its_inventory() -> None:
    assert [p.stem for p in TEXTS] == ["000", "001", "002", "003", "004"]


@pytest.fixture(params=TEXTS, ids=lambda p: p.stem)
def pair(request: pytest.FixtureRequest, seed: Seed) -> tuple[Text, dict[str, Any], str]:
    inventory = json.loads(request.param.read_text(encoding="utf-8"))
    source = decode.load(seed(inventory["seed"]))
    return reader.read(source, "toy", inventory["chapter"]), inventory, source.text


def test_every_character_is_accounted_for(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, _, raw = pair
    assert reader.unaccounted(found) == []
    spaces = sum(x.end - x.start for x in found.leftovers if x.kind == "space")
    assert spaces == sum(
        not raw[i].strip() for x in found.leftovers if x.kind == "space" for i in range(x.start, x.end)
    )
    assert not [x for x in found.leftovers if x.kind == "mark"], "a stretch that no kind of leftover names"


def test_sections_and_sentences(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, inventory, _ = pair
    rows = [
        [s.rule, s.parent, s.page, bool(s.title), len(s.sentences), sum(x.example for x in s.sentences)]
        for s in found.sections
    ]
    assert rows == inventory["sections"]
    hashes = {s.rule: " ".join(x.hash[:12] for x in s.sentences) for s in found.sections if s.sentences}
    assert hashes == inventory["sentences"]


def test_exceptions_and_what_they_modify(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, inventory, raw = pair
    rows = [
        [s.rule, x.number, e.kind, e.start, e.end, e.target_start, e.target_end, e.parent]
        for s, x in found.sentences()
        for e in x.exceptions
    ]
    assert rows == inventory["exceptions"]
    for _, x in found.sentences():
        for e in x.exceptions:
            assert e.target == x.text[e.target_start : e.target_end] and e.target.strip(), (x.number, e)
    # Counted again by another way: the marks and words in the text itself.
    count = [row[2] for row in rows].count
    assert count(BRACKET) == len(re.findall(r"[\[(]EXC|\(Exception:", raw))
    assert count(UNLESS) == len(re.findall(r"\bunless\b", raw, re.I))
    assert count(EXCEPT) == len(re.findall(r"\bexcept\b", raw, re.I))
    excused = len(re.findall(r"\beven if (?:\w+ ){0,5}only|\bof only|\bthe only", raw))
    assert count(ONLY) == len(re.findall(r"\bonly\b", raw, re.I)) - excused


def test_references_and_where_they_lead(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, inventory, raw = pair
    rows = [[s.rule, x.number, r.text, r.rule, r.to, r.status] for s, x in found.sentences() for r in x.references]
    assert rows == inventory["references"]
    heads = {raw[a:b] for s in found.sections for a, b in s.heading} | {
        f.text for f in found.findings if "page" in f.kind
    }
    numbers = len(re.findall(r"\d*\.\d+", raw)) + len(re.findall(r"\d\.\)", raw)) + len(re.findall(r"\(P\d+\)\.", raw))
    in_heads = sum(len(re.findall(r"\d\.\d+", head)) for head in heads)
    assert numbers - in_heads == sum(1 + bool(row[4]) for row in rows)


def test_what_was_mended(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, inventory, _ = pair
    assert [[f.kind, f.start] for f in found.findings] == inventory["findings"]


BOOKS = {"000": "asl", "001": "asl", "002": "asl", "003": "vv", "004": "fow"}
PRECISION, RECALL = 0.98, 0.95


Link = tuple[str, int, int, str]
"""Sentence, start, end, term."""


def linked(found: Text, book: str, drop: str = "") -> set[Link]:
    """Each mention; without the terms of one name, to plant a failure."""
    lexicon = mentions.Lexicon.of(registry.vocabulary(book))
    return {
        (f"{s.rule} {x.number}".strip(), m.start, m.end, m.term)
        for s, x in found.sentences()
        for m in lexicon.find(x.text)
        if m.term != drop
    }


def judged(inventory: dict[str, Any]) -> set[Link]:
    rows = ((place, re.fullmatch(r"(\d+)-(\d+) (\w+)", row)) for place, said in inventory["terms"].items()
            for row in said.split(", ") if row)  # fmt: skip
    return {(place, int(m[1]), int(m[2]), m[3]) for place, m in rows if m}


def weighed(meant: set[Link], made: set[Link]) -> tuple[set[Link], set[Link]]:
    """Both without what cannot be compared: a longer phrase that has become a term since, and what was judged in it."""
    inside: dict[str, list[Link]] = {}
    for link in meant:
        inside.setdefault(link[0], []).append(link)
    longer = {
        m for m in made - meant for j in inside.get(m[0], ())
        if m[1] <= j[1] and j[2] <= m[2] and m[2] - m[1] > j[2] - j[1]
    }  # fmt: skip
    covered = {j for m in longer for j in inside[m[0]] if m[1] <= j[1] and j[2] <= m[2]}
    return meant - covered, made - longer


def test_terms_are_linked(pair: tuple[Text, dict[str, Any], str]) -> None:
    found, inventory, _ = pair
    assert len(inventory["terms"]) == len(list(found.sentences()))
    all_meant, all_made = judged(inventory), linked(found, BOOKS[f"{inventory['seed']:03d}"])
    meant, made = weighed(all_meant, all_made)
    assert len(meant) > 200 and len(made) >= 0.9 * len(all_made), "too many new phrases: judge the links anew"
    right = len(meant & made)
    assert right >= PRECISION * len(made), sorted(made - meant)
    assert right >= RECALL * len(meant), sorted(meant - made)


def test_a_term_that_is_lost_is_noticed(seed: Seed) -> None:
    inventory = json.loads((FOLDER / "000.json").read_text(encoding="utf-8"))
    found = reader.read(decode.load(seed(0)), "asl", "B30")
    meant, made = weighed(judged(inventory), linked(found, "asl", "Pillbox"))
    assert len(meant & made) < RECALL * len(meant)


@pytest.mark.parametrize("kind", ["truncated", "shuffled lines", "one line", "no brackets closed", "wrong encoding"])
def test_maimed_texts_are_read_and_accounted_for(pair: tuple[Text, dict[str, Any], str], kind: str) -> None:
    _, inventory, raw = pair
    rng = random.Random(kind)
    if kind == "truncated":
        raw = raw[rng.randrange(len(raw) // 2) : rng.randrange(len(raw) // 2, len(raw))]
    elif kind == "shuffled lines":
        rows = raw.split("\n")
        rng.shuffle(rows)
        raw = "\n".join(rows)
    elif kind == "one line":
        raw = raw.replace("\n", " ")
    elif kind == "no brackets closed":
        raw = raw.replace("]", "").replace(")", "")
    else:
        raw = raw.encode("utf-8").decode("cp1252", "replace")
    again = reader.read(decode.Source("t", raw, ""), "toy", inventory["chapter"])
    assert reader.unaccounted(again) == []
    words = sum(len(x.text.split()) for _, x in again.sentences())
    assert words > 0.8 * len(raw.split())


@pytest.mark.parametrize("gap", ["\n\n", "\n"], ids=["blank lines", "no blank lines"])
@pytest.mark.parametrize("at_hyphens", [False, True], ids=["", "broken at hyphens"])
def test_the_same_text_as_a_pdf_would_give_it(
    pair: tuple[Text, dict[str, Any], str], gap: str, at_hyphens: bool
) -> None:
    """Hard-wrapped at 80 characters, in pages of 45 lines, each under a page head."""
    found, inventory, raw = pair
    wrapped = (textwrap.fill(row, 80, break_on_hyphens=at_hyphens, break_long_words=False) for row in raw.split("\n"))
    rows = gap.join(row for row in wrapped if row.strip()).split("\n")
    starts = range(0, len(rows), 45)
    pages = "\f".join("\n".join([f"Rules of War  {n}", *rows[at : at + 45]]) for n, at in enumerate(starts, 1))
    source = decode.from_bytes(pages.encode(), "t")
    again = reader.read(source, "toy", inventory["chapter"])
    assert reader.unaccounted(again) == []
    assert [s.rule for s in again.sections] == [s.rule for s in found.sections]
    assert sum(f.kind == "page head" for f in again.findings) >= len(starts)
    hashes = [s.hash for _, s in found.sentences()]
    kept = {s.hash for _, s in again.sentences()} & set(hashes)
    assert len(kept) >= 0.96 * len(set(hashes))
