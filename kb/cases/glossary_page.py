"""A book's words as a Markdown page: what a case may say, for people. Generated from the ontology."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kb.language.english import shown
from kb.language.vocabulary import ABSENT, COMPLETE, ClassTerm, PropertyTerm, Vocabulary

MARKED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.S)
KINDS = {"object": "Relations", "number": "Numbers", "flag": "True or false"}
CORE = "/core#"  # the words in which rulebooks and proofs are described; no case needs them


def page(vocabulary: Vocabulary) -> str:
    """The whole vocabulary of a book: classes as a tree, properties by kind."""
    out = [
        f"# The words of {vocabulary.book}",
        "",
        "Generated from the ontology by `python -m kb.cases.schema build`; do not edit.",
        "How to use them: [cases.md](cases.md).",
        "",
        "A name may also be written as its label or an abbreviation, in any case, with or without spaces and hyphens.",
        "Marks: **·** presumed not so unless said · **=** worked out from a definition or from the facts.",
        "",
        "## Classes",
        "",
        *tree(vocabulary),
        "",
        "## Properties",
    ]
    for kind, title in KINDS.items():
        listed = sorted(vocabulary.properties.values(), key=lambda t: t.name.casefold())
        rows = [t for t in listed if t.kind == kind and CORE not in t.iri]
        if rows:
            out += ["", f"### {title}", "", *table(rows)]
    return "\n".join(out) + "\n"


def tree(vocabulary: Vocabulary) -> Iterator[str]:
    """Each class under its first parent; where it has more, they are named."""
    children: dict[str, list[str]] = {}
    for name, term in vocabulary.classes.items():
        if CORE in term.iri:
            continue
        children.setdefault(home(vocabulary, term), []).append(name)

    def grow(name: str, depth: int) -> Iterator[str]:
        for child in sorted(children.get(name, ()), key=str.casefold):
            yield "  " * depth + f"* {line(vocabulary.classes[child])}"
            yield from grow(child, depth + 1)

    yield from grow("", 0)


def home(vocabulary: Vocabulary, term: ClassTerm) -> str:
    """The class that a class is listed under; "" for one at the top."""
    return next((p for p in term.parents if CORE not in vocabulary.classes[p].iri), "")


def line(term: ClassTerm) -> str:
    """`**Squad** (sq): counter of …; also a kind of X [A1.1]`."""
    names = ", ".join(
        dict.fromkeys(n for n in (term.label, *term.alt) if n.replace(" ", "").casefold() != term.name.casefold())
    )
    mark = " **·**" if term.when_unstated == ABSENT else ""
    mark += " **=**" if term.definitions or term.derived else ""
    also = f"; also a kind of {', '.join(term.parents[1:])}" if len(term.parents) > 1 else ""
    implied = (
        f"; always has {', '.join(f'`{p}`: {c}' for p, c in sorted(term.existential))}" if term.existential else ""
    )
    source = f" [{term.source}]" if term.source and term.source != "usage" else ""
    return (
        f"**{term.name}**{mark}{f' ({names})' if names else ''}: {term.definition or term.label}{also}{implied}{source}"
    )


def table(rows: list[PropertyTerm]) -> Iterator[str]:
    """The properties of one kind, as a Markdown table."""
    kind = rows[0].kind
    heads = {
        "object": ["from", "to", "unsaid"],
        "number": ["of", "unit", "unsaid"],
        "flag": ["of", "unsaid"],
        "text": ["of"],
    }[kind]
    yield f"| name | meaning | {' | '.join(heads)} |"
    yield f"|---|---|{'---|' * len(heads)}"
    for term in rows:
        names = ", ".join(dict.fromkeys(n for n in (term.label, *term.alt) if n.casefold() != term.name.casefold()))
        meaning = (term.definition or term.label) + (f" ({names})" if names else "")
        cells = {
            "from": term.domain, "of": term.domain, "to": term.range + ("" if term.functional else " (several)"),
            "unit": term.unit, "unsaid": unsaid(term),
        }  # fmt: skip
        row = [f"`{term.name}`", meaning, *(cells[h] for h in heads)]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def unsaid(term: PropertyTerm) -> str:
    """What it means that a case says nothing."""
    if term.derived:
        return "worked out"
    if term.staged:
        return "made up where a class implies it"
    if term.default is not None:
        return shown(term.default)
    return {COMPLETE: "what is said is all", ABSENT: "not so"}.get(term.when_unstated, "asked")


def replaced(text: str, vocabularies: Mapping[str, Vocabulary]) -> str:
    """docs/cases.md with its generated lists renewed."""
    made = {"books": "\n".join(books(vocabularies)) + "\n"}
    return MARKED.sub(lambda found: found.group(1) + made.get(found.group(2), "") + found.group(3), text)


def books(vocabularies: Mapping[str, Vocabulary]) -> Iterator[str]:
    """The books and how many words each has, as a Markdown table."""
    yield "| book | classes | properties | words |"
    yield "|---|---|---|---|"
    for book, vocabulary in sorted(vocabularies.items()):
        counts = " | ".join(
            str(sum(CORE not in t.iri for t in terms.values())) for terms in (vocabulary.classes, vocabulary.properties)
        )
        yield f"| `{book}` | {counts} | [vocabulary-{book}.md](vocabulary-{book}.md) |"
