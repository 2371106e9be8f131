"""What the pages of the books show, worked out by a worker: plain values, cut to what a page can bear."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from api import jobs, trees
from kb import registry
from kb.search import lookup

MOST_TERMS = 150


def titles() -> dict[str, str]:
    """Each book's id with its title."""
    return {book: registry.book(book).title or book for book in registry.books()}


def contents(book: str) -> list[tuple[str, str, list[tuple[str, str, list[tuple[str, str, int]]]]]]:
    """By book and chapter, every rule with its title and how many norms it has. Raises CaseError (E420)."""
    found = []
    for name in jobs.which_books(book):
        made = registry.theory(name)
        chapters = [
            (c.id, c.title, [(s.rule, s.title, len(s.norms)) for s in c.sections if s.rule in made.sections])
            for c in registry.book(name).chapters
        ]
        found.append((name, registry.book(name).title or name, chapters))
    return found


def rule_shown(number: str, book: str) -> tuple[dict[str, Any], dict[str, str], str, str]:
    """A rule, the titles of the book's rules, its tree of exceptions and its neighbours. Raises QueryError (E610, E611)."""
    data = jobs.rule(number, book)
    sections = registry.theory(data["book"]).sections
    named = {s.rule: s.title for s in sections.values()}
    return data, named, trees.of_exceptions(data), trees.of_neighbours(data, named)


def rule_drawn(number: str, book: str, picture: str) -> str:
    """A rule's exceptions or its neighbours as a picture of its own. Raises QueryError (E610, E611)."""
    data = jobs.rule(number, book)
    if picture == "exceptions":
        return trees.of_exceptions(data, True)
    return trees.of_neighbours(data, {s.rule: s.title for s in registry.theory(data["book"]).sections.values()}, True)


def terms_shown(word: str, book: str) -> tuple[int, list[dict[str, Any]]]:
    """How many terms a word finds, and the first of them with how much rules speak of each. Raises CaseError (E420), QueryError (E612)."""
    rows = []
    for name in jobs.which_books(book):
        made = registry.theory(name)
        for term in lookup.terms(registry.vocabulary(name), word):
            rows.append({"book": name, "spoken": made.speak_of(term.name), **lookup.term_json(term)})
    if word and not rows:
        raise lookup.no_term(word, [registry.vocabulary(name) for name in jobs.which_books(book)])
    if not word:  # what rules speak of most goes first where nothing is looked for
        rows.sort(key=lambda row: -int(row["spoken"]))
    return len(rows), rows[:MOST_TERMS]


def errata_listed(rule: str, book: str) -> list[dict[str, Any]]:
    """The records on a rule, or all. Raises QueryError (E956)."""
    rows = json.loads(jobs.errata(rule, book, True))["errata"]
    return [{k: row[k] for k in ("id", "title", "kind", "status", "book", "rules", "effective")} for row in rows]


def erratum_shown(name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """One record, and the rules of its book. Raises QueryError (E956)."""
    found = json.loads(jobs.errata(name, "", False))
    return found, tuple(registry.theory(found["book"]).sections)


def turned_by(name: str) -> dict[str, Any]:
    """What an erratum turns, cut to what is told of it. Raises QueryError (E956)."""
    found = json.loads(jobs.impact(name))
    flip = found["invented"]
    return {
        "norms": found["norms"],
        "asked": found["asked"],
        "bounds": found["bounds"],
        "differences": [
            {"case": d["case"], "kind": d["kind"], "before": d["before"]["sentence"], "after": d["after"]["sentence"]}
            for d in found["differences"]
        ],
        "invented": None if flip is None else {
            "case": flip["case"], "before": flip["before"]["sentence"], "after": flip["after"]["sentence"],
        },
    }  # fmt: skip


def covered(book: str) -> list[dict[str, Any]]:
    """How much of each chapter is encoded, rule by rule."""
    report = json.loads(jobs.coverage(book))
    found = []
    for c in report["chapters"]:
        rows = [
            {k: s[k] for k in ("rule", "title", "sentences", "encoded", "explained", "norms")}
            | {"open": len(s["open"])}
            for s in c["sections"]
        ]
        whole = {k: sum(row[k] for row in rows) for k in ("sentences", "encoded", "explained", "open", "norms")}
        found.append({"book": c["book"], "chapter": c["chapter"], "title": c["title"], "rows": rows, "whole": whole})
    return found


def scopes(book: str) -> list[tuple[str, str, str, list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]]]:
    """What each chapter decides wholly, partly and not. Raises CaseError (E420)."""
    from kb.research import scope_page

    found = []
    for name in jobs.which_books(book):
        vocabulary = registry.vocabulary(name)
        for chapter in registry.book(name).chapters:
            tables = []
            for kind, title in scope_page.TITLES.items():
                rows = [
                    ("; ".join(scope_page.said(row, vocabulary) for row in same), *rest)
                    for rest, same in groupby((r for r in chapter.scope if r.kind == kind), key=scope_page.columns)
                ]
                if rows:
                    tables.append((title, tuple(scope_page.HEADS[kind]), rows))
            if tables:
                found.append((name, chapter.id, chapter.title, tables))
    return found
