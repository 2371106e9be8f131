"""The grammar in docs/rule-language.md and the parser are one language."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kb import resources
from kb.language.parser import HEADS, Fault, HeadParser, Parser, condition, tokens
from kb.language.tokens import AGGREGATES, COMPARISONS, FUNCTIONS, WORDS
from kb.rulebook.norm_reader import CLAUSES, DEFINE
from tests.grammar import Grammar

GRAMMAR = Grammar()
NAMES = ("Knight", "Keep", "at", "holds", "wall", "force", "actor", "x")


def clauses() -> dict[str, set[str]]:
    """Every clause of the shipped books, by what it is: a head, or a condition."""
    found: dict[str, set[str]] = {"head": set(), "condition": set()}
    for path in Path(resources.path("rulebooks")).glob("*/*.md"):
        inside, now = False, []
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("#")[0].rstrip()
            if line.startswith("```"):
                inside = line == "```norms"
            if inside and text and text[0] != " ":
                now.append("")  # what goes on under a definition is no clause
            elif inside and text.startswith("  ") and text[2] != " ":
                now.append(text.strip())
            elif inside and text.startswith("   ") and now:
                now[-1] += " " + text.strip()
        for text in now:
            word, _, rest = text.partition(" ")
            if word in HEADS:
                found["head"].add(text)
            elif word == "when":
                found["condition"].add(rest)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["head", "condition"])
def test_what_the_books_say_is_of_the_grammar(kind: str) -> None:
    said = clauses()[kind]
    assert len(said) > 400
    assert [text for text in said if not GRAMMAR.accepts(kind, tokens(text))] == []


@pytest.mark.parametrize("kind", ["head", "condition", "expression"])
def test_what_the_grammar_makes_is_read(kind: str) -> None:
    draw = random.Random(20261122)
    for _ in range(400):
        text = GRAMMAR.made(kind, draw, lambda: draw.choice(NAMES))
        parser = (HeadParser if kind == "head" else Parser)(tokens(text))
        try:
            getattr(parser, kind)()
            parser.finish()
        except Fault as e:
            assert "multiplies by 1" in e.message, f"{text}: {e.message}"


def test_every_word_of_the_language_stands_in_it() -> None:
    words = {
        *HEADS,
        *(w for clause in CLAUSES for w in clause.split()),
        *WORDS,
        *FUNCTIONS,
        *AGGREGATES,
        *COMPARISONS,
        DEFINE,
    }
    assert words - GRAMMAR.words() == set()
    assert GRAMMAR.words() - words <= {
        *"(),.:[]+-*/", "by", "to", "of", "on", "at", "most", "least", "else", "none", "is", "below", "shift", "lookup", "otherwise", "each", "becoming",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["Knight and", "at some", "not", "wall >", "Knight Keep", "none of ()", "same at", "a.b."]
)
def test_what_is_of_neither_is_refused_by_both(text: str) -> None:
    assert not GRAMMAR.accepts("condition", tokens(text))
    with pytest.raises(Fault):
        condition(text)
