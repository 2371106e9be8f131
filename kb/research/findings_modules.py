"""Findings about modules: what a module says that a thing of its own has not, and the rules of the book that need it.

A module's bombproof is a pillbox without a CA; whatever the chapter on pillboxes says by way of the CA then says nothing of it, or too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.language import norms as m
from kb.research import shapes
from kb.research.finding import LIKELY, Finding
from kb.research.findings_references import content, label
from kb.research.study import Study, named

CAPITALS = re.compile(r"\b[A-Z]{2,}\b")


@dataclass(frozen=True)
class Taken:
    """What a norm of a module takes away: from what kind of thing, what term, and which norm of the book gives it."""

    norm: m.Norm
    kind: str
    term: str
    given: m.Norm


def findings(study: Study) -> Iterator[Finding]:
    """A finding for each word by which a module takes something away, with the rules of the book that have that word."""
    groups: dict[tuple[str, str], list[Taken]] = {}
    for taken in everything(study):
        for word in words(study, taken.term):
            groups.setdefault((taken.norm.rule, word), []).append(taken)
    for (rule, word), rows in groups.items():
        needing = [r for r in speaking(study, word) if study.home[r].id in base(study, rule)]
        if not needing:
            continue
        first = rows[0]
        kind = study.theory.vocabulary.classes[first.kind].label
        says = f"{rule} says of a {kind} that it is without “{word}” ({', '.join(dict.fromkeys(r.norm.id for r in rows))}); {named(needing)} go by it."
        scene = study.shapes.both(first.norm, first.given) or study.shapes.both(first.given)
        yield Finding(
            study.book.id, "removed-need", (rule, *needing), says, f"For a {kind}, is what {named(needing)} say by way of “{word}” left out?",
            "what the module denies of its own kind of thing, and the rules of the chapters it builds on that have the word", LIKELY,
            tuple(dict.fromkeys(n.id for r in rows for n in (r.norm, r.given))), tuple(dict.fromkeys(r.term for r in rows)),
            (study.chain(first.norm), study.chain(first.given)), shapes.witness(scene) if scene else None, word,
        )  # fmt: skip


def everything(study: Study) -> Iterator[Taken]:
    """What modules take from things that are a kind of what the book has."""
    norms = list(study.norms.values())
    for norm in norms:
        if study.home[norm.rule].authority != "module":
            continue
        for given in norms:
            if study.home[given.rule].id in base(study, norm.rule) and (kind := takes(study, norm, given)):
                yield Taken(norm, kind, term_of(norm), given)


def base(study: Study, rule: str) -> tuple[str, ...]:
    """The chapters that the chapter of a rule builds on."""
    return study.home[rule].builds_on


def takes(study: Study, norm: m.Norm, given: m.Norm) -> str:
    """The narrower kind of thing from which a norm takes what another gives the wider kind; "" where it takes nothing."""
    match norm.head, given.head:
        case m.CountsAs(kind, target, True), m.CountsAs(wide, other, False) if target == other and below(
            study, kind, wide
        ):
            return kind
        case m.QuantityHead(m.SETS, quantity, kind, m.Num(value)), m.QuantityHead(m.SETS, other, wide, m.Num(more)):
            return kind if quantity == other and not value and more and below(study, kind, wide) else ""
        case m.Deontic(m.FORBIDS, act), m.Deontic(m.REQUIRES, other) if act == other:
            mine, theirs = set(m.names_in(norm.when)), set(m.names_in(given.when))
            return next(
                (
                    k
                    for k in sorted(mine & study.theory.vocabulary.classes.keys())
                    for w in theirs
                    if below(study, k, w)
                ),
                "",
            )
    return ""


def below(study: Study, kind: str, wide: str) -> bool:
    """Whether one class is a kind of another, by the terms or because a norm counts it so."""
    classes = study.theory.vocabulary.classes
    if kind not in classes or wide not in classes or kind == wide:
        return False
    heads = (n.head for n in study.norms.values())
    counted = any(isinstance(h, m.CountsAs) and not h.negated and (h.subject, h.target) == (kind, wide) for h in heads)
    return counted or wide in classes[kind].ancestors


def term_of(norm: m.Norm) -> str:
    """The term of a head."""
    match norm.head:
        case m.CountsAs(_, target, _):
            return target
        case m.QuantityHead(quantity=quantity):
            return quantity
        case m.Deontic(_, act):
            return act
    return ""


def words(study: Study, term: str) -> list[str]:
    """The words by which sentences speak of a term: what of its label is written in capitals, else the label's last word."""
    said = label(study, term)
    return CAPITALS.findall(said) or content(said)[-1:]


def speaking(study: Study, word: str) -> list[str]:
    """The rules in whose sentences a word stands."""
    # CA stands in NCA too: what the book says by either goes by it
    form = rf"\b[A-Z]?{re.escape(word)}s?\b" if word.isupper() else rf"\b{re.escape(word)}s?\b"
    there = re.compile(form, 0 if word.isupper() else re.I)
    return [
        rule
        for rule, s in study.sections.items()
        if s.norms and any(there.search(t.text) for t in s.sentences if not t.example)
    ]
