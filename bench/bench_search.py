"""How good search is: nDCG@10 over tests/search/judged.yaml, beside plain keyword search over the same documents.

    python bench/bench_search.py [--each]

Plain keyword search: SQLite FTS5's BM25 over number, title, names and text together, any word of the query, nothing else.
"""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from kb.search.documents import Document
from kb.search.index import WORD, current, quoted
from kb.search.ranking import search

JUDGED = Path(__file__).parent.parent / "tests" / "search" / "judged.yaml"
TOP = 10
Grades = dict[str, int]


def judged() -> dict[str, Grades]:
    """Each query with the grade of each thing that is of use."""
    told = yaml.safe_load(JUDGED.read_text(encoding="utf-8"))
    return {str(q): {thing: int(g) for g, things in grades.items() for thing in things} for q, grades in told.items()}


def key(d: Document) -> str:
    return f"{d.kind}:{d.book}:{d.number}"


def ndcg(found: Sequence[str], grades: Grades) -> float:
    """Normalised discounted cumulative gain of the first ten: 1 is the best order that there is."""

    def gain(ranked: Sequence[int]) -> float:
        return sum((2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:TOP]))

    return gain([grades.get(f, 0) for f in found]) / gain(sorted(grades.values(), reverse=True))


def ours(query: str) -> list[str]:
    return [f"{h.kind}:{h.book}:{h.number}" for h in search(query, limit=TOP).hits]


class Plain:
    """Keyword search as it comes out of the box."""

    def __init__(self) -> None:
        self.documents = current().documents
        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE VIRTUAL TABLE d USING fts5(text, tokenize='unicode61')")
        rows = [(i, " ".join([d.number, d.title, *d.names, d.body])) for i, d in enumerate(self.documents)]
        self.database.executemany("INSERT INTO d(rowid, text) VALUES (?, ?)", rows)

    def __call__(self, query: str) -> list[str]:
        asked = " OR ".join(quoted(w) for w in WORD.findall(query))
        rows = self.database.execute("SELECT rowid FROM d WHERE d MATCH ? ORDER BY bm25(d) LIMIT ?", (asked, TOP))
        return [key(self.documents[i]) for (i,) in rows]


def scores() -> dict[str, tuple[float, float]]:
    """Each query's nDCG@10: ours, plain."""
    plain = Plain()
    return {q: (ndcg(ours(q), grades), ndcg(plain(q), grades)) for q, grades in judged().items()}


def mean(pairs: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return sum(a for a, _ in pairs.values()) / len(pairs), sum(b for _, b in pairs.values()) / len(pairs)


if __name__ == "__main__":
    found = scores()
    if "--each" in sys.argv:
        for q, (a, b) in sorted(found.items(), key=lambda row: row[1][0]):
            print(f"{a:.2f} {b:.2f}  {q}")
    a, b = mean(found)
    print(f"{len(found)} queries, nDCG@10: search {a:.3f}, plain keyword search {b:.3f}")
