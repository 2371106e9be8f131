"""Findings about names: one thing under several, one name in two spellings, a genus of which nothing says what is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.language import norms as m
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_references import content, label
from kb.research.findings_words import quoted, sentences, sources, titled, written
from kb.research.study import Study, named

FEWEST = 3  # a class with fewer kinds, itself counted, is no list


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of names."""
    yield from several(study)
    yield from unlisted(study)


def several(study: Study) -> Iterator[Finding]:
    """A finding for each kind of thing that sentences call by names that have no word in common, or spell in two ways."""
    classes = study.theory.vocabulary.classes
    texts = [(section.rule, sentence.text) for section, sentence, _ in sentences(study)]
    for name, term in classes.items():
        if f"/{study.book.id}#" not in term.iri or {"State", "Act"} & term.ancestors or not sources(study, term.source):
            continue
        used: dict[str, list[str]] = {}
        for form in dict.fromkeys((term.label, *term.alt)):
            # a capital in the middle is an abbreviation, which every reader knows
            if len(form) > 2 and not re.search(r"[A-Z]{2}|\"", form):
                found = re.compile(rf"(?<![\w-]){re.escape(form)}(?:s|es)?(?![\w-])", re.I)
                rules = [rule for rule, text in texts if found.search(text)]
                if rules:
                    used[form] = list(dict.fromkeys(rules))
        odd = [f for f in used if all(unlike(f, other) for other in used if other != f)]
        spelt = [f for f in used if any(squeezed(f) == squeezed(o) and plain(f) != plain(o) for o in used)]
        chosen = spelt or odd
        if len(chosen) < 2:
            continue
        where = tuple(dict.fromkeys(r for f in chosen for r in used[f]))
        how = "is spelt in two ways" if spelt else "goes by several names"
        says = f"One thing {how}: {named(f'“{f}” ({named(used[f])})' for f in chosen)}."
        yield Finding(
            study.book.id, "two-senses", where, says, f"Are {quoted(chosen)} the same throughout?", "the names of one term that our sentences use, as the book's do",
            LIKELY, (), (name,), (), None, f"names {name}",
        )  # fmt: skip


def unlike(one: str, other: str) -> bool:
    """Whether two names have no word in common, in any form of it."""
    first, second = ({w[:4] for w in content(f)} for f in (one, other))
    return (
        bool(first and second)
        and not first & second
        and not any(a in b or b in a for a in content(one) for b in content(other))
    )


def plain(form: str) -> str:
    """A name without the mark of the plural."""
    return form.casefold().rstrip("s")


def squeezed(form: str) -> str:
    """The same without blanks and strokes."""
    return re.sub(r"[\s-]", "", plain(form))


def unlisted(study: Study) -> Iterator[Finding]:
    """A finding for each genus that a rule goes by, whose kinds the terms know and no rule tells."""
    classes = study.theory.vocabulary.classes
    told = {n.head.target for n in study.norms.values() if isinstance(n.head, m.CountsAs) and not n.head.negated}
    asked: dict[str, list[str]] = {}
    for norm in study.theory.norms.values():
        for name in (*m.names_in(norm.when), m.subject_of(norm.head)):
            if norm.rule not in asked.setdefault(name, []):
                asked[name].append(norm.rule)
    for name, term in classes.items():
        if (
            term.definitions
            or term.derived
            or {"Act", "State"} & term.ancestors
            or not sources(study, term.source)
            or titled(study, term.label)
        ):
            continue
        kinds = sorted(
            k
            for k in term.descendants - {name}
            if anywhere(study, k) and not set(content(term.label)) & set(content(classes[k].label))
        )
        rules = [r for r in asked.get(name, ()) if written(study, r, name)]
        if len(term.descendants) < FEWEST or not kinds or not rules or told & {name, *(k for k in term.descendants)}:
            continue
        says = f"{named(rules)} go{'es' if len(rules) == 1 else ''} by “{term.label}”, and no rule says what is one: is {named(label(study, k) for k in kinds)}?"
        yield Finding(
            study.book.id, "undefined-term", tuple(rules), says, f"Does a list of what counts as a {term.label} stand anywhere?", "kinds that terms have, held against what rules count as one",
            PROVEN, (), (name, *kinds), (), None, f"kinds of {name}",
        )  # fmt: skip


def anywhere(study: Study, name: str) -> bool:
    """Whether a sentence of the book has a term's word."""
    return any(written(study, rule, name) for rule in study.sections)
