"""Findings about what comes to nothing: effects that bring about what they ask for, exceptions to what a sentence does not cover, acts that make one
what they bar, duties of which a bar knows more kinds than their exceptions do, and duties with two ways of which one is barred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_duties import literals
from kb.research.findings_gaps import close
from kb.research.findings_joined import LIMITS, STEM, asked, forms, text_of
from kb.research.findings_kinds import all_parts
from kb.research.findings_references import content, label
from kb.research.findings_words import quoted
from kb.research.study import Study, bare, named, terms_of

AS_IF = re.compile(r"\b(treated|counts?|counted|considered|regarded|as if)\b", re.I)


def findings(study: Study) -> Iterator[Finding]:
    """All that is found to come to nothing."""
    yield from already(study)
    yield from outside(study)
    yield from self_barred(study)
    yield from excused(study)
    yield from ways_barred(study)


def already(study: Study) -> Iterator[Finding]:
    """A finding for each effect that brings about the state that its own condition asks for, of the same thing."""
    for norm in study.theory.norms.values():
        head = norm.head
        if not isinstance(head, m.Effect) or head.ends or norm.over:
            continue
        path = tuple((step, False) for step in str(head.path).split("."))
        sure = {(lit.path, str(lit.condition)) for lit in literals(norm.when, ()) if lit.holds}
        if (path, head.term) in sure:
            says = f"{norm.id} {phrases.say_head(study.theory.vocabulary, head)}; what it speaks of is “{label(study, head.term)}” already."
            yield Finding(
                study.book.id, "repeated", (norm.rule,), says, f"Was it not “{label(study, head.term)}” before, or does it begin anew?",
                "what effects bring about, held against what their conditions ask for", PROVEN, (norm.id,), (head.term,), (study.chain(norm),), None, f"already {norm.id}",
            )  # fmt: skip


# ── exceptions to what is not covered ──


def outside(study: Study) -> Iterator[Finding]:
    """A finding for each marked exception from a genus that its sentence does not name, where it names kinds, and the excepted is none of those."""
    classes = study.theory.vocabulary.classes
    for norm in study.theory.norms.values():
        text = LIMITS.sub("", bare(text_of(study, norm))).casefold()
        for part in all_parts(norm.when):
            if not (isinstance(part, m.Except) and part.label and isinstance(part.base, m.Named)):
                continue
            genus, carved = part.base.name, set(kinds_first(part.carve))
            if any(form.casefold() in text for form in forms(study, genus)):
                continue
            has = [
                k
                for k in sorted(classes[genus].descendants - {genus})
                if re.search(rf"\b{re.escape(classes[k].label.casefold())}", text)
            ]
            rest = [k for k in has if not any(close(study, k, c) for c in carved)]
            if rest and carved:
                says = f"{norm.rule} excepts {named(label(study, k) for k in sorted(carved))} from what its sentence says of {named(label(study, k) for k in rest)} alone."
                yield Finding(
                    study.book.id, "dead-exception", (norm.rule,), says, f"Is anything meant by the exception “{part.label}”?",
                    "the kinds that marked exceptions take out, held against those that the sentence names", LIKELY, (norm.id,), tuple(sorted(carved)),
                    (study.chain(norm),), None, f"outside {part.label}",
                )  # fmt: skip


def kinds_first(condition: m.Condition) -> Iterator[str]:
    """The classes that a condition is, each of its ways by the first that it names."""
    match condition:
        case m.Named(name):
            yield name
        case m.Or(parts):
            for part in parts:
                yield from kinds_first(part)
        case m.And(parts):
            yield from (p.name for p in parts[:1] if isinstance(p, m.Named))
        case m.Except(base, _):
            yield from kinds_first(base)


# ── made what is barred ──


def self_barred(study: Study) -> Iterator[Finding]:
    """A finding for each act by which one comes to count as what a bar on that act asks for, by its words."""
    classes = study.theory.vocabulary.classes
    bars = [
        (n, n.head.act)
        for n in study.theory.norms.values()
        if isinstance(n.head, m.Deontic) and n.head.mode == m.FORBIDS
    ]
    for norm in study.theory.norms.values():
        if not isinstance(norm.head, m.CountsAs) or norm.head.negated or norm.head.target not in classes:
            continue
        names = forms(study, norm.head.target)
        words = {w[: STEM - 1] for f in names for w in content(AS_IF.sub(" ", f))}
        if not any(AS_IF.search(f) for f in names):
            continue
        acts = {n for n in set(m.names_in(norm.when)) & classes.keys() if "Act" in classes[n].ancestors}
        for bar, act in bars:
            states = [
                n
                for n in terms_of(bar) & classes.keys()
                if "State" in classes[n].ancestors and words & {w[: STEM - 1] for w in content(classes[n].label)}
            ]
            if act in acts and states:
                says = f"By {norm.id} a {label(study, act)} makes one count as “{label(study, norm.head.target)}”; by {bar.id} who is {quoted([label(study, s) for s in states], 'or')} may not do it."
                yield Finding(
                    study.book.id, "barred-means", tuple(dict.fromkeys((norm.rule, bar.rule))), says, f"Does it bar a second {label(study, act)}, or that one itself?",
                    "what acts make one count as, held against the bars on them", LIKELY, (norm.id, bar.id), (norm.head.target, *states), (study.chain(norm), study.chain(bar)), None, f"counts {act}",
                )  # fmt: skip
                break


# ── excused of a duty, and barred from it ──


def excused(study: Study) -> Iterator[Finding]:
    """A finding for each duty that excuses some kinds, and a bar on its act of which some kinds are not among these though others are."""
    classes = study.theory.vocabulary.classes
    own = {n for n, t in classes.items() if f"/{study.book.id}#" in t.iri}
    deontic = [(n, n.head) for n in study.theory.norms.values() if isinstance(n.head, m.Deontic)]
    groups: dict[tuple[str, str, frozenset[str]], list[tuple[m.Norm, m.Norm, frozenset[str]]]] = {}
    for duty, must in (row for row in deontic if row[1].mode == m.REQUIRES):
        out = [found & own for found in lists(duty, True)]
        for bar, never in (row for row in deontic if row[1].mode == m.FORBIDS):
            if never.act != must.act or bar.rule == duty.rule:
                continue
            for barred in lists(bar, False):
                for free in out:
                    both = {k for k in barred & own if any(close(study, k, f) for f in free)}
                    missing = frozenset(barred - both)
                    if both and missing:
                        groups.setdefault((duty.rule, bar.rule, missing), []).append((duty, bar, free))
    for (_, _, missing), rows in groups.items():
        duty, bar, free = rows[0]
        says = f"{duty.id} excuses {named(label(study, k) for k in sorted(free))}; {bar.id} bars from the same act {named(label(study, k) for k in sorted(missing))} too, whom the duty does not excuse."
        yield Finding(
            study.book.id, "barred-means", (duty.rule, bar.rule), says, f"Does the duty of {duty.rule} fall away for {named(label(study, k) for k in sorted(missing))}?",
            "the kinds that a duty excuses, held against those that a bar on its act names", PROVEN, tuple(dict.fromkeys(n.id for d, b, _ in rows for n in (d, b))),
            tuple(sorted(missing)), (study.chain(duty), study.chain(bar)), None, f"excused {bar.rule} {' '.join(sorted(missing))}",
        )  # fmt: skip


def lists(norm: m.Norm, excepted: bool) -> Iterator[frozenset[str]]:
    """The lists of kinds that a norm asks for of what a role leads to; excepted: those that it denies, or makes exceptions of."""
    conditions = [u.condition for u in norm.unless] if excepted else []
    for part in all_parts(norm.when):
        if not excepted:
            conditions.append(part)
        elif isinstance(part, m.Not):
            conditions += all_parts(part.of)
    for condition in conditions:
        if isinstance(condition, m.Some):
            found = frozenset(kinds_first(condition.filler))
            if len(found) > 1:
                yield found


# ── two ways, and one of them barred ──


def ways_barred(study: Study) -> Iterator[Finding]:
    """A finding for each duty to do one of two things, with the kinds to which one of these is barred."""
    classes = study.theory.vocabulary.classes
    deontic = [(n, n.head) for n in study.theory.norms.values() if isinstance(n.head, m.Deontic)]
    for duty, must in deontic:
        if must.mode != m.REQUIRES or " or " not in label(study, must.act):
            continue
        halves = {plain(half) for f in forms(study, must.act) for half in plain(f).split(" or ")}
        acts = {
            n
            for n, t in classes.items()
            if "Act" in t.ancestors and n != must.act and halves & set(map(plain, forms(study, n)))
        }
        for act in sorted(acts):
            barring = (n for n, head in deontic if head.mode == m.FORBIDS and head.act == act and n.rule != duty.rule)
            bars = [n for n in barring if kinds_of(study, n)]
            if bars:
                barred = sorted({k for n in bars for k in kinds_of(study, n)})
                others = quoted([label(study, a) for a in sorted(acts - {act})], "or")
                says = f"{duty.id} asks for “{label(study, must.act)}”; {named(n.id for n in bars)} bar{'s' if len(bars) == 1 else ''} the {label(study, act)}, where it is about {named(label(study, k) for k in barred)}: only {others} is left."
                yield Finding(
                    study.book.id, "barred-means", tuple(dict.fromkeys((duty.rule, *(n.rule for n in bars)))), says, f"May those come in at all who cannot do the {label(study, act)}?",
                    "the two ways of a duty, held against the bars on each", LIKELY, (duty.id, *(n.id for n in bars)), (act, *barred), (study.chain(duty), study.chain(bars[0])), None, f"ways {act}",
                )  # fmt: skip


def plain(form: str) -> str:
    """A name of an act as it stands in a row of several."""
    return re.sub(r"^to ", "", form.casefold())


def kinds_of(study: Study, norm: m.Norm) -> set[str]:
    """The book's own kinds of thing that a norm asks for of what its act is about."""
    classes = study.theory.vocabulary.classes
    return {
        n
        for _, n in asked(norm.when, True)
        if f"/{study.book.id}#" in classes[n].iri and not {"State", "Act"} & classes[n].ancestors
    }
