"""Text of the rule language as tokens: each word with its place, a cursor over them, and the fault of one that cannot stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+|[½¼¾⅓⅔])?|[½¼¾⅓⅔])|(?P<name>[^\W\d]\w*(?:-[^\W\d]\w*)*)|(?P<op><=|>=|!=|≤|≥|[-=<>+*/().,:\[\]])|(?P<bad>\S))"
)
SPELT = {"≤": "<=", "≥": ">="}
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
FUNCTIONS = ("floor", "ceil", "min", "max", "abs")
AGGREGATES = ("count", "sum", "highest", "lowest")
RESTRICTIONS = ("some", "only", "value", "min", "max", "exactly")
DEEPEST = 40  # how deep conditions and expressions may stand in one another: nobody reads what is nested so
WORDS = {"and", "or", "not", "that", "except", "as", "inverse", "same", "true", "false", *RESTRICTIONS}


class Token(NamedTuple):
    """A word of the rule language and where it stands."""

    kind: str  # number, name, op, end
    text: str
    line: int
    column: int


class Fault(Exception):
    """A token that cannot stand where it stands."""

    def __init__(self, token: Token, message: str, hint: str = ""):
        super().__init__(message)
        self.token, self.message, self.hint = token, message, hint


def tokens(text: str, line: int = 1, column: int = 1) -> list[Token]:
    """The tokens of one line of text that starts at `line`, `column`."""
    found = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "bad"
        text_ = match[kind]
        token = Token(kind, SPELT.get(text_, text_), line, column + match.start(kind))
        if kind == "bad":
            raise Fault(token, f"“{token.text}” is not part of the rule language")
        found.append(token)
    return found


class TooDeep(Fault):
    """A token that stands deeper than anything may: read in another way it would stand no higher."""


class Cursor:
    """One clause's tokens and a position in them. Bound names are known from `as` onwards."""

    def __init__(self, found: Sequence[Token], bound: set[str] | None = None):
        last = found[-1] if found else Token("end", "", 1, 1)
        self.tokens = [*found, Token("end", "", last.line, last.column + len(last.text))]
        self.at = self.depth = 0
        self.bound = {"this"} if bound is None else bound

    @contextmanager
    def deeper(self, by: int = 1) -> Iterator[None]:
        """While something is read that stands in something else. Raises TooDeep."""
        self.shallow(by)
        self.depth += by
        try:
            yield
        finally:
            self.depth -= by

    def shallow(self, by: int) -> None:
        """Sees that something may stand so much deeper than what is being read. Raises TooDeep."""
        if self.depth + by > DEEPEST:
            hint = "say a part of it by itself, and use its name: a class that a norm of its own counts"
            raise TooDeep(self.now, f"this is nested more than {DEEPEST} deep", hint)

    @property
    def now(self) -> Token:
        """The token that is to be read next."""
        return self.tokens[self.at]

    def peek(self, n: int = 1) -> Token:
        """The token n places further on."""
        at = self.at + n
        return self.tokens[at if at < len(self.tokens) else -1]

    def next(self) -> Token:
        """Reads a token."""
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def take(self, *texts: str) -> Token | None:
        """Reads a token if it is one of these; None otherwise."""
        token = self.tokens[self.at]
        if token.text not in texts or token.kind == "end":
            return None
        self.at += 1
        return token

    def need(self, text: str, why: str = "") -> Token:
        """Reads a token that has to stand here. Raises Fault."""
        token = self.take(text)
        if token is None:
            raise Fault(self.now, f"expected “{text}”{why} but found {self.shown()}")
        return token

    def name(self, what: str) -> Token:
        """Reads a name. what: what it has to name. Raises Fault."""
        if self.now.kind != "name" or self.now.text in WORDS:
            raise Fault(self.now, f"expected {what} but found {self.shown()}")
        return self.next()

    def shown(self) -> str:
        """The next token as a message tells it."""
        return f"“{self.now.text}”" if self.now.kind != "end" else "the end of the clause"

    def finish(self) -> None:
        """Sees that nothing is left. Raises Fault."""
        if self.now.kind != "end":
            raise Fault(self.now, f"{self.shown()} is left over here", "join conditions with “and” or “or”")
