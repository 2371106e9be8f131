"""Findings about one norm: exceptions that can never fire or that swallow their rule, and norms that never decide anything.

Each is the lack of a situation; how many were tried is told with it. That a condition contradicts the terms, a DL reasoner proves
(kb.ontology.subsumption: E762 of the build); what is left to be seen here needs the norms themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kb.language import norms as m
from kb.research import shapes, witness_search
from kb.research.finding import BOUNDED, SHOWN, Finding
from kb.research.shapes import applied
from kb.research.study import Study, concluded, named

ENOUGH = 3  # situations that have to have been tried before “never” is said


def candidates(study: Study) -> list[m.Norm]:
    """The norms of the adopted readings."""
    return list(study.theory.norms.values())


def findings(study: Study, some: Sequence[m.Norm]) -> Iterator[Finding]:
    """What is found of some norms."""
    for norm in some:
        if (whole := swallowed(study, norm)) is not None:
            yield whole
            continue
        yield from exceptions(study, norm)
        yield from idle(study, norm)


def exceptions(study: Study, norm: m.Norm) -> Iterator[Finding]:
    """A finding for each exception of a norm that no situation meets where the norm would apply without it.

    What is written with alternatives has its exceptions for all of them: one that fires in some alternative is no finding. A condition on numbers
    is left out: the search tries too few numbers to say “never”.
    """
    written = [n for n in study.theory.norms.values() if norm.part_of and n.part_of == norm.part_of]
    for unless in norm.unless:
        if counted(unless.condition) or (
            written and any(fires(study, n, unless.label) for n in written if n is not norm)
        ):
            continue
        bare = replace(norm, id=norm.id, unless=tuple(u for u in norm.unless if u is not unless))
        met = replace(bare, when=m.And((bare.when, unless.condition)))
        scenes = list(study.shapes.together((met,)))
        if any(exception_met(scene, norm) for scene in scenes):
            continue
        if len(scenes) < ENOUGH and not nothing(study, met):
            continue
        says = f"{norm.id} makes an exception “{unless.label}”; in no situation tried does the norm apply but for that."
        yield Finding(
            study.book.id, "dead-exception", (norm.rule,), says, f"Is there a situation in which “{unless.label}” of {norm.id} matters?",
            f"{len(scenes)} situations {study.shapes.bounds}", BOUNDED, (norm.id,), tuple(sorted(concluded(norm))),
            (study.chain(norm),), None, f"{norm.id} {unless.label}",
        )  # fmt: skip


def fires(study: Study, norm: m.Norm, label: str) -> bool:
    """Whether a norm fails in some situation only for its exception of that label."""
    unless = next((u for u in norm.unless if u.label == label), None)
    if unless is None:
        return False
    met = replace(
        norm, unless=tuple(u for u in norm.unless if u is not unless), when=m.And((norm.when, unless.condition))
    )
    return any(exception_met(scene, norm) for scene in study.shapes.together((met,)))


def counted(condition: m.Condition) -> bool:
    """Whether a condition compares numbers."""
    return any(sign in str(condition) for sign in ("<", ">", " = ", "!="))


def exception_met(scene: shapes.Scene, norm: m.Norm) -> bool:
    """Whether in a situation the norm fails only for an exception that is met."""
    outcomes = (*scene.proof.considered, *(c.outcome for c in scene.proof.contributions))
    return any(o.norm.id == norm.id and o.exception for o in outcomes)


def nothing(study: Study, norm: m.Norm) -> bool:
    """Whether not even the solver finds a set of facts under which a condition holds."""
    pool = study.shapes.pool((norm,))
    return next(witness_search.together(pool, study.shapes.facts, 1, (norm,), study.shapes.reach), None) is None


def idle(study: Study, norm: m.Norm) -> Iterator[Finding]:
    """A finding where a norm applies in situations, and in each of them norms of another rule would decide the same without it."""
    if isinstance(norm.head, m.QuantityHead) and str(norm.head).startswith(m.KEEPS):
        return  # it has its say and leaves the number as it is
    seen: list[shapes.Scene] = []
    instead: set[str] | None = None
    for scene in study.shapes.together((norm,)):
        if norm.id not in applied(scene.proof):
            continue
        if study.shapes.turns(scene, norm):
            return
        winners = {w.norm.id for w in scene.proof.winners if w.norm.rule != norm.rule}
        instead = winners if instead is None else instead & winners
        seen.append(scene)
    if len(seen) < ENOUGH or not instead:
        return
    others = tuple(sorted(instead))
    rules = tuple(dict.fromkeys((norm.rule, *(study.norms[n].rule for n in others))))
    says = f"{norm.id} applies in {len(seen)} situations and decides none of them: each time {named(others)} say{'s' if len(others) == 1 else ''} the same."
    yield Finding(
        study.book.id, "idle-norm", rules, says, f"Is there a situation in which the answer would be another without {norm.id}?",
        f"{len(seen)} situations {study.shapes.bounds}, each asked with and without it", BOUNDED, (norm.id, *others),
        tuple(sorted(concluded(norm))), (study.chain(norm), *(study.chain(study.norms[n]) for n in others[:1])), shapes.witness(seen[0]), norm.id,
    )  # fmt: skip


def swallowed(study: Study, norm: m.Norm) -> Finding | None:
    """A finding where a norm with exceptions applies nowhere, and would but for these."""
    if not norm.unless or study.shapes.applies(norm) is not None:
        return None
    bare = replace(norm, unless=())
    met = next((s for s in study.shapes.together((bare,)) if exception_met(s, norm)), None)
    if met is None:
        return None
    return Finding(
        study.book.id, "swallowed-rule", (norm.rule,), f"{norm.id} would apply, and an exception to it is met wherever it would.",
        f"Is there a situation in which {norm.id} applies?", f"situations {study.shapes.bounds}", SHOWN, (norm.id,),
        tuple(sorted(concluded(norm))), (study.chain(norm),), shapes.witness(met), norm.id,
    )  # fmt: skip
