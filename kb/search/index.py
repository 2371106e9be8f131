"""The full-text index: SQLite's FTS5 over all documents, in memory, made once for a library as it stands.

FTS5 stems English words (porter), folds case and accents, and ranks by BM25; a word in a title or a name weighs more.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from kb.search.documents import Document, everything, numbers

COLUMNS = {"title": 3.5, "names": 4.0, "context": 0.8, "body": 1.0, "terms": 0.9}
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
OPEN, CLOSE, GAP = "«", "»", " … "
SNIPPET_WORDS = 26
NEAR = 78  # of 100: how alike a word must be to count as a misspelling of another


@dataclass
class Index:
    """Documents and their index. One connection, one query at a time: `lock` guards it."""

    documents: tuple[Document, ...]
    places: dict[str, list[int]]
    vocabulary: frozenset[str]
    database: sqlite3.Connection
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, found: Iterable[Document]) -> Index:
        """Builds the index. Raises sqlite3.OperationalError where SQLite was built without FTS5."""
        documents = tuple(found)
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(
            f"CREATE VIRTUAL TABLE d USING fts5({', '.join(COLUMNS)}, tokenize='porter unicode61 remove_diacritics 2')"
        )
        labels = {d.number: " ".join(d.names) for d in documents if d.names}
        rows = [
            (i, d.title, " . ".join(d.names), d.context, d.body, " . ".join(labels.get(t, t) for t in d.terms if t != d.number))
            for i, d in enumerate(documents)
        ]  # fmt: skip
        database.executemany(f"INSERT INTO d(rowid, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)", rows)
        spelt = {w.casefold() for row in rows for text in row[1:] for w in WORD.findall(str(text))}
        return cls(documents, numbers(documents), frozenset(spelt), database)

    def match(self, expression: str) -> dict[int, float]:
        """The documents that match an FTS5 expression, each with its BM25 score (more is better)."""
        weights = ", ".join(str(w) for w in COLUMNS.values())
        with self.lock:
            rows = self.database.execute(f"SELECT rowid, -bm25(d, {weights}) FROM d WHERE d MATCH ?", (expression,))
            return {int(i): max(float(score), 1e-6) for i, score in rows}

    def snippet(self, document: int, expression: str) -> str:
        """The stretch of a document that matches best, with the matches marked; its beginning where none is in the text."""
        marked = ""
        if expression:
            body = list(COLUMNS).index("body")
            with self.lock:
                row = self.database.execute(
                    f"SELECT snippet(d, {body}, ?, ?, ?, ?) FROM d WHERE d MATCH ? AND rowid = ?",
                    (OPEN, CLOSE, GAP, SNIPPET_WORDS, expression, document),
                ).fetchone()
            marked = str(row[0]) if row else ""
        if not marked:
            told = self.documents[document].body.split()
            marked = " ".join(told[:SNIPPET_WORDS]) + (GAP.rstrip() if len(told) > SNIPPET_WORDS else "")
        return marked.strip()

    def spelling(self, word: str) -> list[str]:
        """The words of the documents that a word may be a misspelling of, best first; none for short or known words."""
        if len(word) < 4 or word in self.vocabulary or any(c.isdigit() for c in word):
            return []
        pool = [w for w in self.vocabulary if abs(len(w) - len(word)) <= 2 and not w.isdigit()]
        found = process.extract(word, pool, scorer=fuzz.ratio, limit=6, score_cutoff=NEAR)
        # A misspelling keeps its first letter more often than not.
        ranked = sorted(found, key=lambda f: (-(f[1] + 6 * (f[0][:1] == word[:1])), f[0]))
        return [w for w, _, _ in ranked[:2]]


_kept: dict[tuple[tuple[str, str, str], ...], Index] = {}
_making = threading.Lock()


def current() -> Index:
    """The index of the books and of the reader's library as they stand; made when first asked for, and when it changes."""
    from kb.texts import shelf

    state = shelf.state()
    with _making:
        if state not in _kept:
            made = Index.of(everything())
            _kept.clear()
            _kept[state] = made
        return _kept[state]


def quoted(words: str) -> str:
    """Words as an FTS5 phrase: nothing in them is read as an operator."""
    return '"' + words.replace('"', '""') + '"'
