"""What a query of a stranger may say: it reads, and reads only what is loaded. Refused before any engine sees it.

The text is cut into SPARQL's own tokens, so that a word inside a string, an IRI, a comment or a name is not taken for a
keyword. Escapes of code points (\\u0053) are resolved first, as the standard has it, and the resolved text is what runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from kb.errors import Place, Problem, QueryError

LONGEST = 64_000  # characters of a query
LONGEST_LITERAL = 4_000
DEEPEST = 60  # brackets inside brackets
MOST_STEPS = 64  # steps and signs in one property path
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH")
OURS = "https://w3id.org/loophole/"

MOST_FAULTS, LONG = 20, 40  # faults told of one query; characters of a word that a fault shows
LOCAL = r":(?:[\w.:%-]|\\[^\n])*"  # a name from its colon on
# What a token may begin with. A run of letters, digits, points and hyphens is looked at once for the colon that makes a name of it; where
# there is none, it is cut up (PLAIN): to look again from each of its words would take the square of its length.
PATTERN = (
    r"(?P<comment>\#[^\n\r]*)"
    r"|(?P<iri><[^<>\"{}|^`\\\x00-\x20]*>)"
    r"|(?P<string>\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\n\r]|\\.)*\"|'(?:[^'\\\n\r]|\\.)*')"
    r"|(?P<variable>[?$]\w+)"
    r"|(?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)"
    r"%s"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<quote>[\"'])"
    r"|(?P<sign>[^\s\w])"
    r"|(?P<space>\s+)"
)
NAMED = rf"|(?P<name>(?:_|[^\W\d_][\w.-]*+)?{LOCAL})|(?P<run>[^\W\d_][\w.-]*+)"
TOKEN, PLAIN = (re.compile(PATTERN % part, re.S) for part in (NAMED, rf"|(?P<name>{LOCAL})"))
ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


class Token(NamedTuple):
    """A word, sign, string, IRI or space of a query, and where it begins."""

    kind: str
    text: str
    start: int


def checked(query: str, file: str = "") -> str:
    """The query as it may run. Raises QueryError with everything that is wrong with it.

    E630 too long; E631 not text; E632 nothing is asked; E633 an update; E634 SERVICE; E635 FROM outside what is loaded;
    E636 nested too deeply; E637 a literal too long; E638 a property path too long; E640 a string without end. Takes a time that grows as
    the query does.
    """
    if len(query) > LONGEST:
        hint = f"at most {LONGEST:,} characters; put long lists into several queries"
        raise QueryError(Problem(630, f"the query has {len(query):,} characters", Place(file or "query", 1), hint))
    text = ESCAPE.sub(unescaped, query)
    if bad := next((c for c in text if c == "\0" or 0xD800 <= ord(c) <= 0xDFFF), ""):
        raise QueryError(
            Problem(
                631,
                f"the query holds a character that is not text (U+{ord(bad):04X})",
                Place(file or "query", 1),
                "take it out",
            )
        )
    told = [t for t in tokens(text) if t.kind not in ("space", "comment")]
    problems = list(islice(faults(told, text, file), MOST_FAULTS))
    if problems:
        raise QueryError(problems)
    return text


def unescaped(found: re.Match[str]) -> str:
    """The character that a \\u escape stands for; the escape itself where there is none."""
    code = int(found[1] or found[2], 16)
    return chr(code) if code <= 0x10FFFF else found[0]


def tokens(text: str) -> Iterable[Token]:
    """The query's tokens. Every character is in one."""
    at = plain = 0  # up to `plain` there is no name with a prefix
    while at < len(text):
        found = (TOKEN if at >= plain else PLAIN).match(text, at)
        if found is None:  # only a character that no class holds
            yield Token("sign", text[at], at)
            at += 1
        elif found.lastgroup == "run":
            plain = found.end()
        elif found.lastgroup == "quote":  # it opens a string, and nothing closes it
            yield Token("quote", text[at:], at)
            return
        else:
            yield Token(found.lastgroup or "sign", found[0], at)
            at = found.end()


def faults(told: list[Token], text: str, file: str) -> Iterable[Problem]:
    """All that is refused in a query, in the order of the text."""
    keywords = [(i, t.text.upper()) for i, t in enumerate(told) if t.kind == "word"]
    depth = deepest = 0
    for t in told:
        if t.kind == "sign" and t.text in "{([":
            depth += 1
            deepest = max(deepest, depth)
        elif t.kind == "sign" and t.text in "})]":
            depth -= 1
        elif t.kind == "string" and len(t.text) > LONGEST_LITERAL:
            hint = f"at most {LONGEST_LITERAL:,}"
            yield Problem(637, f"a string of {len(t.text):,} characters", place(text, t, file), hint)
        elif t.kind == "quote":
            hint = f"close it with another {t.text[0]}, or write \\{t.text[0]} where it is meant inside a string"
            yield Problem(
                640, "this is not SPARQL: this opens a string that nothing closes", place(text, t, file), hint
            )
    if deepest > DEEPEST:
        yield Problem(636, f"brackets stand {deepest} deep", Place(file or "query", 1), f"at most {DEEPEST}")
    form = next((k for _, k in keywords if k not in ("PREFIX", "BASE")), "")
    if not form:
        yield Problem(632, "nothing is asked", Place(file or "query", 1), f"a query begins with {', '.join(FORMS)}")
    if form in UPDATES:
        at = next(i for i, k in keywords if k == form)
        yield Problem(633, f"{form} would change the store, and this only reads", place(text, told[at], file),
                      "ask with SELECT, ASK, CONSTRUCT or DESCRIBE; loophole push loads a store")  # fmt: skip
    elif form and form not in FORMS:
        at = next(i for i, k in keywords if k == form)
        shown = told[at].text if len(told[at].text) <= LONG else told[at].text[: LONG - 1] + "…"
        yield Problem(632, f"“{shown}” begins no query", place(text, told[at], file), f"one of {', '.join(FORMS)}")
    for i, k in keywords:
        if "SERVICE" in k:  # an engine may read “trueSERVICE” as two words
            yield Problem(634, "SERVICE would ask another server", place(text, told[i], file),
                          "ask that server by itself, or load its data")  # fmt: skip
        elif "FROM" in k:
            yield from of_from(told, i, text, file)
        elif k in ("LOAD", "INSERT", "DELETE", "DROP", "CLEAR") and k != form:
            yield Problem(
                633,
                f"{k} would change the store, and this only reads",
                place(text, told[i], file),
                "ask with SELECT, ASK, CONSTRUCT or DESCRIBE",
            )
    yield from of_paths(told, text, file)


def of_from(told: list[Token], i: int, text: str, file: str) -> Iterable[Problem]:
    """FROM may name a graph of ours by its whole IRI: a server might fetch any other."""
    j = i + 1
    if j < len(told) and told[j].text.upper() == "NAMED":
        j += 1
    if j >= len(told) or told[j].kind != "iri" or not told[j].text[1:].startswith(OURS):
        said = told[j].text if j < len(told) else "nothing"
        yield Problem(635, f"FROM {said} is not a graph that is loaded", place(text, told[i], file),
                      f"write its whole IRI (<{OURS}graph/…>), or leave FROM out: all graphs are asked")  # fmt: skip


def of_paths(told: list[Token], text: str, file: str) -> Iterable[Problem]:
    """A property path with very many steps takes an engine's planner, or its stack, to its end."""
    steps, begin = 0, None
    for t in told:
        if (t.kind == "sign" and t.text in "/|^*+?!()") or t.kind in ("name", "iri") or t.text == "a":
            steps, begin = steps + (t.text in "/|^*+?!"), begin or t
            continue
        if steps > MOST_STEPS and begin is not None:
            yield Problem(638, f"a property path of {steps} signs", place(text, begin, file), f"at most {MOST_STEPS}")
        steps, begin = 0, None


def place(text: str, token: Token, file: str) -> Place:
    """Where a token stands."""
    line = text.count("\n", 0, token.start) + 1
    return Place(file or "query", line, token.start - (text.rfind("\n", 0, token.start) + 1) + 1)
