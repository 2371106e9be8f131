"""The rules that say outright that things of one kind are of another: “bunkers are fortifications”.

The ontology knows these kinships too, and a proof follows them without looking at the rule. A reader wants the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.language import norms as m
from kb.language.vocabulary import CONCLUDED
from kb.reasoner.descent import met
from kb.reasoner.trace import Step
from kb.rulebook.theory import Theory


def rule(theory: Theory, kind: str, cls: str) -> str:
    """The number of the loaded rule that makes each `kind` a `cls`, or of a kind next below that; "" where none says it."""
    classes = theory.vocabulary.classes
    if kind not in classes:
        return ""
    above = classes[kind].ancestors
    for target in (cls, *(c for c in sorted(above) if cls in classes[c].parents and c != kind)):
        for subjects, norm in sayings(theory).get(target, ()):
            if not above.isdisjoint(subjects - {target}):
                return norm.rule
    return ""


def rules(theory: Theory, roots: Iterable[object]) -> Iterator[str]:
    """The rules by which what is stated in a case is of the kinds that these steps and outcomes lean on, in the order met."""
    for now in met(roots, presumed=True):
        if isinstance(now, Step) and now.why == "inferred" and now.value and isinstance(now.node, m.Named):
            found = rule(theory, now.thing.kind.source.get(now.node.name, ""), now.node.name)
            if found:
                yield found


def spelled_out(theory: Theory, cls: str) -> m.Condition | None:
    """The kinds that a notion of the rules comes down to: `building or stream or …`; None where it takes more than a kind."""
    if theory.vocabulary.classes[cls].when_unstated != CONCLUDED:
        return None
    listed = sayings(theory).get(cls, [])
    makers = [
        norm for norm in theory.makes.get(cls, ()) if isinstance(norm.head, m.CountsAs) and norm.head.target == cls
    ]
    if not listed or {norm.id for _, norm in listed} != {norm.id for norm in makers}:
        return None
    kinds = dict.fromkeys(kind for norm in makers for kind in sorted(next(s for s, n in listed if n is norm)))
    return m.Or(tuple(m.Named(kind) for kind in kinds)) if len(kinds) > 1 else m.Named(next(iter(kinds)))


def sayings(theory: Theory) -> dict[str, list[tuple[frozenset[str], m.Norm]]]:
    """By class: the norms that count whole kinds as it, each with those kinds."""
    if theory.sayings is not None:
        return theory.sayings
    found: dict[str, list[tuple[frozenset[str], m.Norm]]] = {}
    for norm in theory.norms.values():
        if isinstance(norm.head, m.CountsAs) and not norm.head.negated and not norm.unless:
            subjects = {norm.head.subject} if isinstance(norm.when, m.Anything | None) else named(norm.when)
            if subjects:
                found.setdefault(norm.head.target, []).append((frozenset(subjects), norm))
    theory.sayings = found
    return found


def named(when: m.Condition) -> set[str]:
    """The kinds that a condition asks for and no more: C, or C or D; empty where it asks for anything else."""
    match when:
        case m.Named(name):
            return {name}
        case m.Or(parts):
            each = [named(part) for part in parts]
            return set().union(*each) if all(each) else set()
    return set()
