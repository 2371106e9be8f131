"""Findings about states: one that rules bring about for some kinds of a thing and ask of all, and one that they deny of a kind and ask of it.

All of it can be read off heads and conditions; no situation is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m
from kb.research.finding import PROVEN, Finding
from kb.research.findings_gaps import close, spoken
from kb.research.findings_kinds import MOST_KINDS, all_parts
from kb.research.findings_references import label
from kb.research.study import Study, named
from kb.rulebook.compiler import conjuncts


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of states."""
    yield from never_so(study)
    yield from denied(study)


def never_so(study: Study) -> Iterator[Finding]:
    """A finding for each kind of thing in a state that a norm goes by, where rules bring the state about for some of these kinds alone."""
    seen: set[tuple[str, str, str]] = set()
    for norm in study.theory.norms.values():
        for kind, state in in_states(study, norm):
            makers = [n for n in study.theory.norms.values() if state in brought_about(n)]
            made = [k for maker in makers for k in of_whom(study, maker)]
            if not set(made) <= study.theory.vocabulary.classes.keys():
                continue  # of anything
            low = lowest(study, kind)
            has = [k for k in low if any(close(study, k, x) for x in made)]
            lacks = [k for k in low if k not in has]
            if not has or not lacks or len(low) > MOST_KINDS or (norm.rule, kind, state) in seen:
                continue
            seen.add((norm.rule, kind, state))
            ours = [n for n in makers if any(close(study, k, x) for x in of_whom(study, n) for k in low)]
            rules = tuple(dict.fromkeys((norm.rule, *(n.rule for n in ours))))
            said, others = (named(label(study, k) for k in some) for some in (has, lacks))
            says = f"{norm.id} goes by “{label(study, kind)}” being “{label(study, state)}”; rules make {said} so, and no {others}."
            yield Finding(
                study.book.id, "gap", rules, says, f"Is a {others} ever “{label(study, state)}”?", "states that norms go by, held against those that norms bring about",
                PROVEN, (norm.id, *(n.id for n in ours)), (state, *lacks), (study.chain(norm),), None, f"{kind} {state}",
            )  # fmt: skip


def in_states(study: Study, norm: m.Norm) -> Iterator[tuple[str, str]]:
    """Each kind of thing, with kinds of its own below it, that a norm's condition, or what it relates something to, asks for together
    with a state: (kind, state)."""
    classes = study.theory.vocabulary.classes
    asked = (norm.when, norm.head.to) if isinstance(norm.head, m.Relates) else (norm.when,)
    for part in (part for condition in asked for part in all_parts(condition)):
        names = [p.name for p in part.parts if isinstance(p, m.Named)] if isinstance(part, m.And) else []
        states = [n for n in names if "State" in classes[n].ancestors]
        yield from (
            (kind, state) for state in states for kind in names if kind not in states and len(lowest(study, kind)) > 1
        )


def lowest(study: Study, kind: str) -> list[str]:
    """The lowest kinds of a thing, those too that a norm makes of it."""
    classes = study.theory.vocabulary.classes
    if {"State", "Act"} & {kind, *classes[kind].ancestors}:
        return []
    below = {
        n
        for n in classes[kind].descendants
        if n != kind
        and f"/{study.book.id}#" in classes[n].iri
        and not classes[n].derived
        and not classes[n].definitions
    }
    plain = {n for n in below if n not in study.theory.definitions}
    right_below = {n for n in plain if not plain & classes[n].ancestors - {n}}
    return sorted(right_below)


def brought_about(norm: m.Norm) -> set[str]:
    """The class that a norm makes something of."""
    if isinstance(norm.head, m.CountsAs):
        return set() if norm.head.negated else {norm.head.target}
    return {norm.head.cls} if isinstance(norm.head, m.Effect) else set()


def of_whom(study: Study, maker: m.Norm) -> Iterator[str]:
    """The kinds of thing for which a norm makes a state; Thing where it says none."""
    head = maker.head
    if isinstance(head, m.CountsAs):
        yield head.subject
        return
    role = head.path.steps[-1] if isinstance(head, m.Effect) and head.path.steps else ""
    found = [k for r, k in spoken(maker) if r == role and "State" not in study.theory.vocabulary.classes[k].ancestors]
    yield from found or ["Thing"]


# ── never so, and asked for ──


def denied(study: Study) -> Iterator[Finding]:
    """A finding for each norm that asks whether a kind of thing is what another norm says that it never is."""
    classes = study.theory.vocabulary.classes
    for never in study.theory.norms.values():
        if not isinstance(never.head, m.CountsAs) or not never.head.negated or never.unless:
            continue
        parts = conjuncts(never.when)
        kinds = {never.head.subject, *(p.name for p in parts if isinstance(p, m.Named))} & classes.keys() - {"Thing"}
        if not kinds or not all(isinstance(p, m.Named | m.Anything) for p in parts):
            continue
        for norm in study.theory.norms.values():
            if any(asks_for(study, part, never.head.target, kinds) for part in all_parts(norm.when)):
                what = f"{named(label(study, k) for k in sorted(kinds))} that is “{label(study, never.head.target)}”"
                yield Finding(
                    study.book.id, "two-senses", tuple(dict.fromkeys((never.rule, norm.rule))), f"{never.id} says that there is no {what}; {norm.id} asks for one.",
                    f"Is “{label(study, never.head.target)}” meant in {norm.id} as in {never.id}?", "what norms deny of a kind of thing outright, held against what conditions ask of it", PROVEN,
                    (never.id, norm.id), (never.head.target, *sorted(kinds)), (study.chain(never), study.chain(norm)), None, f"{never.id} {norm.id}",
                )  # fmt: skip


def asks_for(study: Study, part: m.Condition, target: str, kinds: set[str]) -> bool:
    """Whether a condition asks of one thing that it is of a class, and of some kinds or kinds of these."""
    names = {p.name for p in part.parts if isinstance(p, m.Named)} if isinstance(part, m.And) else set()
    of = set().union(*(study.theory.vocabulary.classes[n].ancestors | {n} for n in names - {target}))
    return target in names and kinds <= of
