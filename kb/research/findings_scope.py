"""Findings about who decides: a chapter that says it decides a term wholly, while others have a part in it, loaded or not.

Silence of a chapter on what it decides wholly is an answer. So the claim is held against all that says otherwise: norms of other
chapters, the rule in which the term is at home, what norms need, and what other chapters say of the very same term or of a kind of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import PROVEN, Finding
from kb.research.findings_gaps import main
from kb.research.findings_references import label
from kb.research.study import Study, named, shortened
from kb.rulebook.soundness import Cited


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of a book's scopes."""
    yield from scopes(study)
    yield from overstated(study)


def scopes(study: Study) -> Iterator[Finding]:
    """A finding for each term that a chapter says it decides wholly, while another chapter that does not build on it decides it too."""
    seen = set()
    for chapter in study.book.chapters:
        whole = {row.term: row for row in chapter.scope if row.kind == m.WHOLLY and row.condition is None}
        for other in study.book.chapters:
            if other is chapter or chapter.id in other.builds_on:
                continue
            for section in other.sections:
                for norm in section.norms:
                    row = whole.get(main(norm))
                    if row is None or (chapter.id, norm.rule, row.term) in seen:
                        continue
                    seen.add((chapter.id, norm.rule, row.term))
                    first = next(
                        (s.rule for s in chapter.sections if any(main(n) == row.term for n in s.norms)),
                        chapter.sections[0].rule,
                    )
                    says = f"{chapter.id} says that it decides “{label(study, row.term)}” wholly; {norm.id} of {other.id} decides it too: {phrases.say_head(study.theory.vocabulary, norm.head)}."
                    yield Finding(
                        study.book.id, "scope-clash", (first, norm.rule), says, f"Is what {norm.rule} says of it meant to add to {chapter.id}?",
                        "the scopes of the chapters, held against the heads of norms", PROVEN, (norm.id,), (row.term,), (shortened(study.chain(norm), 40),), None, row.term,
                    )  # fmt: skip


def overstated(study: Study) -> Iterator[Finding]:
    """A finding for each term that a chapter decides wholly, whatever the circumstances, by what it says, and that rules which are not loaded decide."""
    cited = Cited(study.book)
    for chapter in study.book.chapters:
        for row in chapter.scope:
            if row.kind != m.WHOLLY or row.condition is not None:
                continue
            why = [
                said
                for said in (
                    at_home(study, cited, row),
                    *needing(study, cited, row),
                    *elsewhere(study, cited, chapter, row),
                    closed(study, row),
                )
                if said
            ]
            if not why:
                continue
            rules = [s.rule for s in chapter.sections if any(main(n) == row.term for n in s.norms)] or [
                chapter.sections[0].rule
            ]
            term = label(study, row.term)
            yield Finding(
                study.book.id, "scope-clash", tuple(dict.fromkeys(rules)), f"{chapter.id} says that it decides “{term}” wholly; {'; '.join(why)}.",
                f"Is all that is said of “{term}” said in {chapter.id}?", "the scope, held against the sources of terms, what norms need, and other scopes",
                PROVEN, (), (row.term,), (), None, f"overstated {row.term}",
            )  # fmt: skip


def at_home(study: Study, cited: Cited, row: m.ScopeRow) -> str:
    """That a rule in which a term is at home is not loaded; "" where all are, or the term names none."""
    terms = study.theory.vocabulary
    found = terms.classes.get(row.term) or terms.properties.get(row.term)
    homes = [part.strip() for part in found.source.split(",") if any(c.isdigit() for c in part)] if found else []
    away = [home for home in homes if cited.away(home)]
    return f"it is at home in {named(away)}, not loaded" if away else ""


def needing(study: Study, cited: Cited, row: m.ScopeRow) -> Iterator[str]:
    """That a norm on the term is incomplete without a rule that is not loaded."""
    for norm in study.theory.norms.values():
        away = [ref for ref in norm.needs if cited.away(ref)]
        if away and main(norm) == row.term:
            yield f"{norm.id} needs {named(away)}, not loaded"


def elsewhere(study: Study, cited: Cited, chapter: m.Chapter, row: m.ScopeRow) -> Iterator[str]:
    """That a scope leaves the term, or a kind of it, to rules that are not loaded: another chapter's the term, any chapter's a kind."""
    classes = study.theory.vocabulary.classes
    for other in study.book.chapters:
        for part in other.scope:
            away = [ref for ref in part.refs if cited.away(ref)]
            if not away or part.kind == m.WHOLLY:
                continue
            if part.term == row.term and other is not chapter:
                yield f"{other.id} leaves it to {named(away)}, not loaded"
            elif (
                part.kind == m.PARTLY
                and part.term in classes
                and part.term != row.term
                and row.term in classes[part.term].ancestors
            ):
                yield f"{other.id} leaves “{label(study, part.term)}”, a kind of it, to {named(away)}, not loaded"


def closed(study: Study, row: m.ScopeRow) -> str:
    """That silence bars an act which no norm lets anybody do or asks for; "" where one does, or where silence bars nothing."""
    terms = study.theory.vocabulary.classes.get(row.term)
    if not row.by or terms is None or "Act" not in terms.ancestors:
        return ""
    near = {row.term, *terms.ancestors, *terms.descendants}
    heads = [n.head for n in study.theory.norms.values()]
    done = {h.act if isinstance(h, m.Deontic) else h.event for h in heads if isinstance(h, m.Deontic | m.OnEvent)}
    if row.term not in done or any(
        isinstance(h, m.Deontic) and h.mode in (m.PERMITS, m.REQUIRES) and h.act in near for h in heads
    ):
        return ""
    return f"and by {row.by} it is never done, for no norm lets anybody"
