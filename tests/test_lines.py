"""No line that a player would not say: what answers print is read for what cannot stand in an English sentence.

Every condition, number and head of every norm is said; and the answers to a part of the case files, flips included, in whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from kb import asking, registry
from kb.answers import explain
from kb.errors import LoopholeError
from kb.language import norms as m, phrases
from kb.language.vocabulary import Vocabulary
from tests import corpus
from tests.night import some

ODD = {
    "a word twice": re.compile(r"\b(?!in in\b|is in is\b)([A-Za-z]{2,}) \1\b"),
    "two articles": re.compile(r"\b(an?|the) (an?|the)\b"),
    "a gap": re.compile(r"\{[so]\}|\(\s*\)|“\s*”|  \S|\s[,;.]|: ?:"),
    "a wrong article": re.compile(r"\ba (?!and\b|are\b|one\b|one-|into\b)[aeio]\w\w|\ban (?![AEFHILMNORSX][A-Za-z]*[A-Z])[^aeiouAEIOU\d“]"),
    "not before a clause": re.compile(r"\b(anything|something|nothing|one) not\b(?! in Good)|\bnot (that|with|one with)\b|\bis not no\b|\bnot not\b"),
    "one with": re.compile(r"\b(is|are) one (with|whose)\b|\bbe one (with|whose)\b"),
    "a relation for a noun": re.compile(r"\b(the|no|of) (enters|takes|leaves|uses|encircles|unpins|mans|carries|possesses|against)\b"),
    "a label and a colon": re.compile(r"\bwith (?!is\b)(at least \d+ |only )?[a-z][\w ]*: (?![A-Z]*\d)|\(each "),
    "clauses without a verb": re.compile(r"\b(?<!to )that (with|of|not|is that|is with)\b|\bwhich (with|is with)\b"),
    "an article behind no": re.compile(r"\bno an?\b|\bno (the|anything|something|nothing)\b"),
    "a sum as code": re.compile(r"\d / \d|\bsum of\b"),
}  # fmt: skip
INNER = re.compile(r"(?<![\w./`-])[A-Za-z]+[a-z][A-Z]\w*(?![\w./-])")  # a name of the ontology, not a rule number
MARK = re.compile(r"\[[A-Z]+( [\w-]+)?: ?|\]")  # what shows an exception in our sentences
QUOTED = re.compile(r"`[^`]*`|“[^”]*”")
PLANTED = (
    "no shooter of shot is one with occupant: anything not with occupant the actor", "a is aimed at the the yard", "squad is is pinned",
    "shot is ( ) aimed", "squad may not move into an pillbox", "with occupant: marked with a counter", "squad is a CommandBunkerLocation",
    "the sum of count of the actors (each a unit)", "made with no Gun, a mortar or a an LMG", "multiplies it by 1 / 2", "the number of the enters",
    "something not with a leader that directs it", "holds that it is a unit that with a gun",
)  # fmt: skip


def odd(line: str, vocabulary: Vocabulary, names: frozenset[str] = frozenset()) -> str:
    """What no player would say in a line; "" where nothing is. names: what things are called in the case."""
    said = QUOTED.sub("it", line.strip())
    for name in sorted(names, key=len, reverse=True):
        said = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "8", said)
    terms = {**vocabulary.classes, **vocabulary.properties}
    for word in INNER.findall(said):
        if word in terms and word not in (terms[word].label, *terms[word].alt):
            return f"a name of the ontology, {word}"
    return next((what for what, pattern in ODD.items() if pattern.search(said)), "")


def nodes(x: Any) -> Iterator[Any]:
    """Everything that a norm is made of."""
    if isinstance(x, tuple | list):
        for y in x:
            yield from nodes(y)
    elif names := getattr(x, "__struct_fields__", None) or getattr(x, "__dataclass_fields__", None):
        yield x
        for name in names:
            yield from nodes(getattr(x, name))


def said(node: Any, vocabulary: Vocabulary) -> str:
    """A condition, a number or a head in words."""
    if isinstance(node, m.Head):
        return phrases.say_head(vocabulary, node)
    if isinstance(node, m.Expr):
        return phrases.say_expr(vocabulary, node)
    return phrases.say_condition(vocabulary, node) if isinstance(node, m.Condition) else ""


@pytest.mark.parametrize("line", PLANTED)
def test_what_no_player_would_say_is_found(line: str) -> None:
    assert odd(line, registry.vocabulary("asl"))


@pytest.mark.parametrize("book", registry.SHIPPED.names())
def test_every_part_of_every_norm_is_said_as_a_player_says_it(book: str) -> None:
    theory = registry.SHIPPED.theory(book)
    lines = {line for norm in theory.norms.values() for node in nodes(norm) if (line := said(node, theory.vocabulary))}
    assert len(lines) > 200
    assert [(why, line) for line in sorted(lines) if (why := odd(line, theory.vocabulary))] == []


@pytest.mark.slow
@pytest.mark.parametrize("case", some(corpus.every()[::7], 24), ids=lambda case: case.name)
def test_every_line_of_an_answer_is_said_as_a_player_says_it(case: Any) -> None:
    try:
        proof = asking.ask(case)
    except LoopholeError:
        pytest.skip("no answer")
    names = frozenset([*proof.case.things, *(facts.label for facts in proof.case.things.values() if facts.label)])
    lines = explain.text(proof, width=10_000).splitlines()
    ours = " ".join(MARK.sub("", s.text) for rule in proof.theory.sections.values() for s in rule.sentences)
    read = [line for line in lines if line.strip()[:20] not in ours]
    assert [(why, line) for line in read if (why := odd(line, proof.theory.vocabulary, names))] == []
