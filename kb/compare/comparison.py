"""A question across games as data, read from its file (kb/comparisons/*.yaml): a case without a book, and what answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb import registry, resources
from kb.errors import CaseError, Place, Problem, did_you_mean
from kb.reasoner import proof as p
from kb.yaml_document import Source, document

KIND = "$kind"
KEYS = ("question", "also", "contrary", "about", "things", "history", "ask", "answers", "instead", "notes")
ALTERNATIVE = ("in", "where", "says", "things", "history", "ask", "answers")
YES, NO, UNSAID, DEPENDS, CANNOT, UNRULED = "yes", "no", "not said", "it depends", "does not arise", "not ruled here"
ANSWERS = {
    p.PERMITTED: YES, p.REQUIRED: YES, p.HOLDS: YES, p.FORBIDDEN: NO, p.FAILS: NO, p.SILENT: UNSAID,
    p.UNDETERMINED: DEPENDS, p.CONFLICT: p.CONFLICT, p.NO_EFFECT: "nothing", p.OUTSIDE: UNRULED,
}  # fmt: skip
CONTRARY = {YES: NO, NO: YES}


@dataclass(frozen=True)
class Wording:
    """How the question is put: the case, and what each verdict answers. Without `ask`: it does not arise."""

    things: Mapping[str, Any]
    ask: Mapping[str, Any] | None
    history: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    book: str = ""
    where: str = ""
    says: str = ""


@dataclass(frozen=True)
class Comparison:
    """A question across games. `also`: other ways to put it in words; `instead`: other wordings for some kinds.

    `contrary`: ways to ask whether it is not so; `turned`: asked in one of these, so that yes answers no.
    """

    name: str
    question: str
    about: str
    wording: Wording
    instead: tuple[Wording, ...] = ()
    also: tuple[str, ...] = ()
    file: str = ""
    contrary: tuple[str, ...] = ()
    turned: bool = False


def books() -> list[str]:
    """The books that can be asked: one whose terms are not built yet is left out."""
    return [book for book in registry.books() if resources.inferred(book).is_file()]


def named() -> dict[str, Comparison]:
    """The questions shipped, by name. Raises CaseError with every fault in their files."""
    found: dict[str, Comparison] = {}
    problems: list[Problem] = []
    for file in sorted(resources.path("comparisons").glob("*.yaml")):
        try:
            found[file.stem] = read(file)
        except CaseError as e:
            problems += e.problems
    if problems:
        raise CaseError(problems)
    return found


def read(file: Path) -> Comparison:
    """A comparison from a file. Raises CaseError with what is wrong, and where."""
    data, source = document(resources.read_text(file, 400, CaseError), str(file))
    return comparison(data, source, file.stem, str(file))


def comparison(data: Any, source: Source | None = None, name: str = "", file: str = "") -> Comparison:
    """A comparison from a mapping. Raises CaseError."""
    source = source or Source()
    problems: list[Problem] = []

    def problem(message: str, path: tuple[Any, ...], hint: str) -> None:
        place = source.place(*path) if source.file else Place(file, 1) if file else source.place()
        problems.append(Problem(460, message, place, hint, source.line(place)))

    if not isinstance(data, Mapping):
        problem("a comparison is a mapping", (), "question, about, things and ask: see docs/across-games.md")
        raise CaseError(problems)
    for key in data:
        if key not in KEYS:
            problem(f"unknown key “{key}”", (key,), did_you_mean(str(key), KEYS, "keys:"))
    if not data.get("question"):
        problem("a comparison needs its question in words", (), "question: May a mortar fire from inside a bunker?")
    if not isinstance(data.get("ask"), Mapping):
        problem("“ask” is a mapping such as {may: shot}", ("ask",), "see docs/cases.md")
    listed = data.get("instead") or []
    for i, row in enumerate(listed):
        for key in row:
            if key not in ALTERNATIVE:
                hint = did_you_mean(str(key), ALTERNATIVE, "keys:")
                problem(f"unknown key “{key}”", ("instead", i, key), hint)
        if not row.get("in") and not row.get("where"):
            problem("another wording says for whom it is", ("instead", i), "in: BOOK, or where: a class of the kind")
    about = str(data.get("about") or "")
    vocabularies = [registry.vocabulary(b) for b in books()]
    if about and not any(v.resolve(about, [v.classes]) for v in vocabularies):
        spelt = did_you_mean(about, {n for v in vocabularies for n in v.classes})
        problem(f"no class is called “{about}”", ("about",), spelt or "see loophole terms")
    if problems:
        raise CaseError(problems)
    return Comparison(
        name, str(data["question"]).strip(), about, wording(data), tuple(wording(row) for row in listed),
        tuple(map(str, data.get("also") or ())), file, tuple(map(str, data.get("contrary") or ())),
    )  # fmt: skip


def wording(row: Mapping[str, Any]) -> Wording:
    """A question's wording as the file of questions gives it."""
    history = row.get("history") or ()
    return Wording(
        row.get("things") or {}, row.get("ask"), (history,) if isinstance(history, str) else tuple(history),
        {str(k): str(v) for k, v in (row.get("answers") or {}).items()},
        str(row.get("in") or ""), str(row.get("where") or ""), str(row.get("says") or ""),
    )  # fmt: skip
