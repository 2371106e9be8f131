"""What workers do: each function takes and gives plain values, so that it can run in another process."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from kb import asking, registry
from kb.answers import expectations, explain, proof_json
from kb.answers.interview import Interview
from kb.answers.parts import Part
from kb.asking import Proof
from kb.errors import CaseError, LoopholeError, Problem, QueryError, too_deep
from kb.search import lookup

Options = tuple[tuple[str, Any], ...]  # keywords of asking.ask
JSON, TEXT, TURTLE, DOT = "application/json", "text/plain", "text/turtle", "text/vnd.graphviz"
ANSWERS = (JSON, TEXT, TURTLE, DOT)
MOST_TESTS, MOST_ANSWERS = 200, 100
ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Failed:
    """Bad input, on its way back."""

    kind: type[LoopholeError]
    problems: tuple[Problem, ...]


def run(effort: int, job: Callable[..., Any], *args: Any) -> Any:
    """A job's result; what it says is wrong comes back as Failed: our exceptions do not cross processes whole. effort: see Allowed."""
    Allowed.effort = effort
    try:
        return job(*args)
    except LoopholeError as e:
        return Failed(type(e), tuple(e.problems))
    except RecursionError:
        return Failed(CaseError, too_deep().problems)


class Allowed:
    """What a worker may spend on what would turn the answer it is at: effort, see asking.ask."""

    effort = 0


def warm() -> None:
    """Reads every book once, so that no client waits for it. One of the reader's own that has faults tells them when it is asked of."""
    for book in registry.books():
        with suppress(LoopholeError):
            registry.theory(book)


def ready() -> bool:
    """True, from a worker that has read the books."""
    return True


def dumps(value: Any) -> bytes:
    """Compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


# ── answers ──


def asked(text: str, options: Options) -> Proof:
    """The proof of a case's text. Raises what asking.ask raises."""
    given = {"effort": Allowed.effort, **dict(options)}
    if "readings" in given:
        given["readings"] = dict(given["readings"])
    return asking.ask(asking.case(text), **given)


def tag(media: str, body: bytes) -> str:
    """What tells one reply from another: its ETag."""
    return f'"{hashlib.sha256(media.encode() + body).hexdigest()[:32]}"'


def answer(text: str, media: str, flips: bool, options: Options) -> tuple[str, bytes, str]:
    """A case's verdict, and its proof in one of the forms of ANSWERS, with its tag: made once, however often it is asked for."""
    proof = asked(text, options)
    match media:
        case "text/plain":
            said = explain.text(proof, asking.quotes(proof.theory), flips).encode()
        case "text/turtle":
            from kb.graph import proofs

            said = proofs.of_proof(proof).encode()
        case "text/vnd.graphviz":
            said = explain.dot(proof).encode()
        case _:
            said = ENCODER.encode(
                asking.record(proof, flips)
            )  # which holds nothing but plain values: a fifth of the time
    return proof.verdict, said, tag(media, said)


def in_english(text: str, book: str, flips: bool) -> bytes:
    """A question in English: how it was understood, and the proof; null where something was not understood."""
    reading = asking.in_english(text, book)
    proof = None if reading.unread else asking.record(asking.ask(reading.data, effort=Allowed.effort), flips)
    return dumps({**reading.to_json(), "answer": proof})


def outlined(text: str, options: Options) -> tuple[str, str, Part, tuple[str, ...]]:
    """For a page: the book and verdict of a case, its proof as nested parts, and the rules that these may name."""
    proof = asked(text, options)
    parts = explain.outline(proof, asking.quotes(proof.theory), situation=True)
    return proof.case.book, proof.verdict, parts, tuple(proof.theory.sections)


@lru_cache(maxsize=32)
def talked(act: str, book: str, asks: str, answers: tuple[str, ...]) -> Interview:
    """An interview after some answers. Raises CaseError: E454 for an answer to no question, E459 for what cannot be asked."""
    if not answers:
        return Interview(registry.theory(book), act, asks, asking.rules)
    talk = talked(act, book, asks, answers[:-1]).parted()
    question = talk.next()
    if question is None:
        said = answers[-1]
        raise CaseError(Problem(454, f"nothing is left to ask, and “{said}” answers no question", hint="leave it out"))
    talk.answer(question, answers[-1])
    return talk


def interview(act: str, book: str, asks: str, answers: tuple[str, ...]) -> bytes:
    """The next question that still matters after some answers, and what is known so far.

    A call is a whole talk, whoever answers it; a worker that has met its beginning goes on from there.
    """
    talk = talked(act, book, asks, answers[:MOST_ANSWERS])
    question = talk.next()
    answer = talk.proof if question is None else talk.standing
    then = (
        None
        if question is None
        else {
            "text": question.text,
            "kind": question.kind,
            "why": question.why,
            "options": list(question.options),
        }
    )
    return dumps(
        {
            "question": then,
            "asked": [{"question": q, "answer": a} for q, a in talk.asked],
            "verdict": answer.verdict,
            "sentence": explain.headline(answer),
            "case": talk.data(),
        }
    )


def test(text: str) -> bytes:
    """Each of some cases tried against what it expects."""
    from kb.cases import casebook

    told = [case.data for case in casebook.in_text(text)]
    listed = [item for data in told for item in (data if isinstance(data, list) else [data])]
    if len(listed) > MOST_TESTS:
        raise CaseError(Problem(455, f"{len(listed)} cases at once are too many", hint=f"send at most {MOST_TESTS}"))
    rows = []
    for item in listed:
        found = asking.case(item if isinstance(item, dict) else str(item))
        if not found.expect:
            raise CaseError(
                Problem(456, "a case has no “expect”: there is nothing to test", hint="add expect, as in docs/cases.md")
            )
        proof = asking.ask(found)
        missed = expectations.mismatches(proof)
        rows.append({"passed": not missed, "mismatches": missed, "answer": proof_json.to_json(proof, flips=False)})
    failed = sum(not r["passed"] for r in rows)
    return dumps({"passed": len(rows) - failed, "failed": failed, "results": rows})


# ── rules and terms ──


def books() -> bytes:
    """Every book with its chapters and how many rules and norms it has."""
    rows = []
    for book in registry.books():
        made = registry.theory(book)
        chapters = [{"id": c.id, "title": c.title, "authority": c.authority} for c in made.chapters.values()]
        rows.append({"id": book, "chapters": chapters, "rules": len(made.sections), "norms": len(made.norms)})
    return dumps({"books": rows})


def which_books(book: str) -> list[str]:
    """The book named, or all. Raises CaseError (E420)."""
    if book:
        registry.vocabulary(book)  # says what books there are when there is none of this name
        return [book]
    return registry.books()


def rules(book: str) -> bytes:
    """Every rule of a book, or of all."""
    rows = [
        {"book": b, "rule": s.rule, "title": s.title, "norms": len(s.norms)}
        for b in which_books(book)
        for s in registry.theory(b).sections.values()
    ]
    return dumps({"rules": rows})


def rule(number: str, book: str) -> dict[str, Any]:
    """A rule's JSON, with its errata, and the reader's own sentences where imported."""
    from kb.errata import checks

    found = lookup.rule(number, which_books(book), registry.theory)
    data = lookup.to_json(found)
    quotes = asking.quotes(found.theory)
    for s in data["sentences"]:
        s["yours"] = [{"text": t, "source": o} for t, o in quotes(data["rule"], (s["number"],))] if quotes else []
    known = checks.for_rule(checks.ledger(found.theory.book), data["rule"])
    data["errata"] = [{"id": r.id, "kind": r.kind, "title": r.title, "status": r.status} for r in known]
    return data


def terms(word: str, book: str) -> bytes:
    """The terms that a word finds, or all. Raises QueryError (E612)."""
    rows = [
        {"book": b, **lookup.term_json(t)}
        for b in which_books(book)
        for t in lookup.terms(registry.vocabulary(b), word)
    ]
    if word and not rows:
        raise lookup.no_term(word, [registry.vocabulary(b) for b in which_books(book)])
    return dumps({"terms": rows})


def term(name: str, book: str) -> dict[str, Any]:
    """One term of a book by its exact name, with the rules whose norms speak of it."""
    vocabulary = registry.vocabulary(book)
    found = vocabulary.classes.get(name) or vocabulary.properties.get(name)
    if found is None:
        raise lookup.no_term(name, [vocabulary])
    made = registry.theory(book)
    speaks = [
        s.rule
        for s in made.sections.values()
        if any(name in words_of(n) for n in s.norms)
    ]  # fmt: skip
    return {"book": book, **lookup.term_json(found), "rules": speaks}


def words_of(norm: Any) -> set[str]:
    """Every name that a norm uses, as written."""
    said = " ".join([str(norm.head), str(norm.when), *(str(u.condition) for u in norm.unless)])
    return set(re.findall(r"\w+", said))


def case_schema() -> bytes:
    """The JSON Schema of a case."""
    from kb.cases import schema

    return dumps(schema.case_schema(schema.vocabularies()))


def coverage(book: str) -> bytes:
    """How much of a book, or of all, is encoded."""
    from kb.coverage import coverage as covering

    vocabularies = {b: registry.vocabulary(b) for b in which_books(book)}
    report = covering.of_books(vocabularies, which_books(book))
    return json.dumps(report.as_json(), ensure_ascii=False, default=str).encode()


def check() -> bytes:
    """What `loophole check` prints."""
    from api import checks

    lines: list[str] = []
    ok = checks.run(lines.append)
    return dumps({"ok": ok, "lines": lines})


# ── across games ──


def comparisons() -> bytes:
    """The named questions across games."""
    from kb.compare import comparison

    return dumps({"questions": [{"name": c.name, "question": c.question} for c in comparison.named().values()]})


def compared(question: str, books: tuple[str, ...]) -> bytes:
    """One question put to every game."""
    from kb.compare import compare, comparison, page as compare_page, question as compare_question

    for book in books:
        registry.vocabulary(book)
    found = compare.answer(compare_question.find(question, comparison.named()), books)
    return dumps(compare_page.to_json(found))


# ── all that is known ──


def search(query: str, book: str, kind: str, limit: int, offset: int) -> bytes:
    """What a search finds. Raises QueryError (E620 to E622)."""
    from kb.search import ranking as searching

    return dumps(searching.search(query, book, kind, limit, offset).to_json())


def errata(name: str, book: str, listed: bool) -> bytes:
    """The records on a rule or of a name; `listed`: as a list, else the one of just that name."""
    from kb.research import errata_page

    if book:
        registry.vocabulary(book)
    found = errata_page.found(name, book, "")
    if listed:
        return dumps({"errata": [errata_page.to_json(r) for r in found]})
    exact = [r for r in found if r.id == name]
    if not exact:
        raise unknown_erratum(name)
    return dumps(errata_page.to_json(exact[0]))


def unknown_erratum(name: str) -> QueryError:
    """The problem (E956) of a name that no record has."""
    return QueryError(Problem(956, f"no erratum or ruling is called “{name}”", hint="GET /v1/errata lists them"))


def impact(name: str) -> bytes:
    """What an erratum turns. Raises QueryError (E956)."""
    from kb.research import errata_page, impact as impacts

    if not any(r.id == name for r in errata_page.found(name, "", "")):
        raise unknown_erratum(name)
    return dumps(impacts.to_json(impacts.of_record(impacts.book_of(name), name)))
