"""Looks up rules and terms by whatever a person types: 30.42, B30.42, b3042; TEM, "open ground", pill."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kb.answers.parts import Quotes
from kb.errors import Problem, QueryError, did_you_mean, nearest
from kb.language import english, norms as m
from kb.language.rule_number import covers as covers, folded, same_rule
from kb.language.vocabulary import ABSENT, COMPLETE, ClassTerm, PropertyTerm, Vocabulary, fold
from kb.rulebook.theory import Theory

SILENCE = {ABSENT: "presumed not so", COMPLETE: "what is stated is presumed to be all"}


# ── rules ──


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as loaded. out: rules it names, each with how; into: norms of other rules that name it, each with how."""

    theory: Theory
    section: m.Section
    out: tuple[tuple[str, str], ...]
    into: tuple[tuple[str, str], ...]


def rule(number: str, books: Iterable[str], theory: Callable[[str], Theory]) -> Rule:
    """The rule that a number names, in the first book that has it. Raises QueryError with the nearest numbers."""
    known: list[str] = []
    for book in books:
        loaded = theory(book)
        aliases = [(alias, c.id) for c in loaded.chapters.values() for alias in c.aliases]
        rules = list(loaded.sections)
        known += rules
        found = [r for r in rules if folded(r) == folded(number)]
        found = found or [r for r in rules if same_rule(number, r, aliases)]
        found = found or [r for r in rules if folded(r).replace(".", "") == folded(number).replace(".", "")]
        if not found and "/" in number:
            found = [r for r in rules if folded(r) == folded(number.split("/")[0])]
        if len(found) > 1:
            raise QueryError(Problem(610, f"“{number}” names several rules", hint=f"one of {', '.join(found)}"))
        if found:
            return found_rule(loaded, found[0])
    close = nearest(number, known, 4) or [r for r in known if fold(number) and fold(number) in fold(r)][:6]
    hint = f"did you mean {' or '.join(close)}?" if close else f"{len(known)} rules are loaded; see loophole coverage"
    raise QueryError(Problem(611, f"no loaded rule has the number “{number}”", hint=hint))


def found_rule(theory: Theory, rule: str) -> Rule:
    """A rule with the references out of its norms and into it."""
    section = theory.sections[rule]
    out = dict.fromkeys(pair for n in section.norms for pair in references(n))
    into = dict.fromkeys(
        (n.id, how)
        for n in theory.norms.values()
        if n.rule != rule
        for to, how in references(n)
        if to.split("/")[0] == rule
    )
    return Rule(theory, section, tuple(out), tuple(into))


def references(norm: m.Norm) -> Iterator[tuple[str, str]]:
    """Every rule that a norm names, and how."""
    for how, named in (
        ("beats", norm.over),
        ("is an exception to", norm.carves),
        ("leans on", norm.cites),
        ("needs", norm.needs),
    ):
        for rule in named:
            yield rule, how
    for unless in norm.unless:
        for rule in unless.cites:
            yield rule, f"exception “{unless.label}”"


def text(found: Rule, quotes: Quotes | None = None, width: int = 100) -> str:
    """A rule for a reader: paraphrase, the reader's own sentences, norms with exceptions, references both ways."""
    section, theory = found.section, found.theory
    chapter = next((c for c in theory.chapters.values() if section in c.sections), None)
    of = f"{chapter.id} {chapter.title}, {theory.book}" if chapter is not None else theory.book
    out = [f"{section.rule} {section.title}".strip() + f"  ({of})", ""]
    for s in section.sentences:
        out += textwrap.wrap(english.sentence(s.text), width, initial_indent="  ", subsequent_indent="    ")
        if s.not_encoded:
            out += textwrap.wrap(
                f"not encoded ({s.not_encoded})", width, initial_indent="      ", subsequent_indent="      "
            )
        for case in s.cases:
            out.append(f"      case: {case}")
        for sentence, source in quotes(section.rule, (s.number,)) if quotes is not None else ():
            out += textwrap.wrap(f"{source}: “{sentence}”", width, initial_indent="      ", subsequent_indent="      ")
    for norm in section.norms:
        out += ["", f"{norm.id}", f"  {norm.head}"]
        if not isinstance(norm.when, m.Anything):
            out += wrapped("when", str(norm.when), width)
        for unless in norm.unless:
            cites = f"  [{', '.join(unless.cites)}]" if unless.cites else ""
            out += wrapped("unless", f"{unless.label}: {unless.condition}{cites}", width)
        for name, value in (("over", norm.over), ("cites", norm.cites), ("needs", norm.needs)):
            if value:
                out += wrapped(name, ", ".join(value), width)
        for name, said in (
            ("excepts", norm.excepts),
            ("reading", norm.reading),
            ("until", ", ".join(map(str, norm.until))),
        ):
            if said:
                out += wrapped(name, said, width)
        if norm.reading and norm.id not in theory.norms:
            out.append("  (not the reading adopted)")
    out += listing("refers to", found.out, theory)
    out += listing("referred to by", found.into, theory)
    return "\n".join(out)


def wrapped(name: str, said: str, width: int) -> list[str]:
    """A named line of a rule, wrapped. width: characters."""
    return textwrap.wrap(said, width, initial_indent=f"  {name:8} ", subsequent_indent=" " * 13)


def listing(title: str, rows: Iterable[tuple[str, str]], theory: Theory) -> list[str]:
    """References under a title, those not loaded marked; nothing for none."""
    listed = [
        f"  {rule} ({how}{'' if rule.split('/')[0] in theory.sections else '; not loaded'})" for rule, how in rows
    ]
    return ["", title, *listed] if listed else []


def to_json(found: Rule) -> dict[str, Any]:
    """A rule as JSON: its paraphrase, norms and references."""
    section = found.section
    return {
        "book": found.theory.book,
        "rule": section.rule,
        "title": section.title,
        "sentences": [
            {
                "number": s.number, "text": english.sentence(s.text), "not_encoded": s.not_encoded or None,
                "example": s.example, "cases": list(s.cases),
                "exceptions": [{"label": e.label, "text": e.text} for e in s.exceptions],
            } for s in section.sentences
        ],
        "norms": [
            {
                "id": n.id, "head": str(n.head), "when": str(n.when),
                "unless": [{"label": u.label, "condition": str(u.condition), "cites": list(u.cites)} for u in n.unless],
                "over": list(n.over), "cites": list(n.cites), "needs": list(n.needs), "reading": n.reading or None,
                "adopted": n.id in found.theory.norms, "sentences": list(n.sentences),
            } for n in section.norms
        ],
        "refers_to": [
            {"rule": r, "how": how, "loaded": r.split("/")[0] in found.theory.sections}
            for r, how in found.out
        ],
        "referred_to_by": [{"norm": r, "how": how} for r, how in found.into],
    }  # fmt: skip


# ── terms ──

Term = ClassTerm | PropertyTerm


def terms(vocabulary: Vocabulary, word: str = "") -> list[Term]:
    """The terms that a word names: those called so, else every term with the word in a name, label or definition."""
    everything: list[Term] = [*vocabulary.classes.values(), *vocabulary.properties.values()]
    if not word:
        return everything
    asked = fold(word)
    exact = [t for t in everything if asked in {fold(n) for n in (t.name, t.label, *t.alt)}]
    if exact:
        return exact
    part = [t for t in everything if asked and any(asked in fold(n) for n in (t.name, t.label, *t.alt))]
    return part or [t for t in everything if asked and asked in fold(t.definition)]


def no_term(word: str, vocabularies: Iterable[Vocabulary]) -> QueryError:
    """What to raise where no vocabulary has a term of that name: E612, with the nearest spellings."""
    names = [n for v in vocabularies for t in terms(v) for n in (t.name, t.label, *t.alt)]
    hint = did_you_mean(word, names) or "loophole terms lists them"
    return QueryError(Problem(612, f"no term is called “{word}”", hint=hint))


def term_line(term: Term, width: int = 100) -> str:
    """A term on one line. width: characters."""
    return textwrap.shorten(f"{term.name}: {term.definition or term.label}", width, placeholder=" …")


def term_text(term: Term, width: int = 100) -> str:
    """A term for a reader: what it means, where it comes from, how it stands to others, what silence means."""
    alt = f" ({', '.join(term.alt)})" if term.alt else ""
    kind = (
        "class"
        if isinstance(term, ClassTerm)
        else {"object": "relation", "number": "number", "flag": "true or false", "text": "text"}[term.kind]
    )
    rows = [f"{term.name}: {kind}, “{term.label}”{alt}"]
    if term.definition:
        rows += textwrap.wrap(term.definition, width, initial_indent="  ", subsequent_indent="  ")
    if isinstance(term, ClassTerm):
        rows += [f"  a kind of: {', '.join(term.parents)}"] if term.parents else []
        below = sorted(c for c in term.descendants if c != term.name)
        rows += (
            textwrap.wrap(f"kinds of it: {', '.join(below)}", width, initial_indent="  ", subsequent_indent="    ")
            if below
            else []
        )
        rows += [f"  defined as: {d}" for d in term.definitions]
    else:
        ends = [
            f"from {term.domain}" if term.domain else "",
            f"to {term.range}" if term.range and term.kind == "object" else "",
        ]
        rows += [f"  {' '.join(filter(None, ends))}"] if any(ends) else []
        rows += [f"  in {term.unit}"] if term.unit else []
        rows += [f"  {english.shown(term.default)} where nothing sets it"] if term.default is not None else []
        rows += ["  one value only"] if term.functional and term.kind == "object" else []
    if term.derived:
        rows.append(f"  worked out ({term.derived}), unless stated")
    rows += [f"  unsaid: {SILENCE[term.when_unstated]}"] if term.when_unstated in SILENCE else []
    rows += [f"  source: {term.source}"] if term.source else []
    return "\n".join([*rows, f"  {term.iri}"])


def term_json(term: Term) -> dict[str, Any]:
    """A term as JSON."""
    record: dict[str, Any] = {
        "name": term.name, "iri": term.iri, "label": term.label, "alt": list(term.alt), "definition": term.definition,
        "source": term.source, "when_unstated": term.when_unstated,
    }  # fmt: skip
    if isinstance(term, ClassTerm):
        return record | {
            "kind": "class",
            "parents": list(term.parents),
            "children": sorted(term.descendants - {term.name}),
        }
    default = None if term.default is None else str(term.default)
    return record | {
        "kind": term.kind,
        "domain": term.domain,
        "range": term.range,
        "unit": term.unit,
        "default": default,
    }
