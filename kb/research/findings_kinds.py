"""Findings about kinds of thing, as norms name them: a number that some kinds are given and others not, a limit that may be nothing, an act that one
rule lets one do and another makes one do.

All of it can be read off heads and conditions; no situation is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_gaps import close, spoken
from kb.research.findings_references import label
from kb.research.study import Study, named

FEWEST = 2  # kinds that are given a number one by one: then they are gone through
SEVERAL = 2  # kinds for which something comes of what is done to them
MOST_KINDS = 12  # of more no rule goes through all
MOST_SPEAKERS = 3  # rules that speak of an act: of more, that one lets and another asks is no surprise


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of kinds of thing."""
    yield from passed_over(study)
    yield from from_nothing(study)
    yield from may_and_must(study)
    yield from without_effect(study)


# ── numbers given kind by kind ──


def passed_over(study: Study) -> Iterator[Finding]:
    """A finding for each number that norms give the kinds of a thing one by one, some of them left out."""
    classes, properties = study.theory.vocabulary.classes, study.theory.vocabulary.properties
    for quantity, norms in study.theory.quantities.items():
        given = {kind: n for n in norms if sets(n) for kind in told_of(study, n) if kind in classes}
        for kind in (
            (set[str]().union(*(classes[k].ancestors for k in given)) - given.keys())
            if properties[quantity].default is None
            else ()
        ):
            lowest = leaves(study, kind) if f"/{study.book.id}#" in classes[kind].iri else []
            has = [k for k in lowest if any(close(study, k, other) for other in given)]
            lacks = [k for k in lowest if k not in has]
            if len(lowest) > MOST_KINDS or len(has) < FEWEST or not 1 <= len(lacks) < len(has):
                continue
            one = [n for k, n in given.items() if any(close(study, k, x) for x in has)]
            rules = tuple(dict.fromkeys(n.rule for n in one))
            said, others = (
                named(label(study, k) for k in widest(study, kind, some, other))
                for some, other in ((has, lacks), (lacks, has))
            )
            says = f"{named(rules)} say the {label(study, quantity)} of {said}; of {others} no rule does."
            yield Finding(
                study.book.id, "no-value", rules, says, f"What is the {label(study, quantity)} of {others}?", "numbers that norms set, kind by kind of one thing",
                PROVEN, tuple(dict.fromkeys(n.id for n in one)), (quantity, *lacks), (), None, f"{quantity} of {kind}",
            )  # fmt: skip


def leaves(study: Study, kind: str) -> list[str]:
    """The lowest kinds of a thing that a case can tell; none of what is a state or an act."""
    classes, made = study.theory.vocabulary.classes, study.theory.makes
    if {"State", "Act"} & {kind, *classes[kind].ancestors}:
        return []
    told = [
        n
        for n in classes[kind].descendants
        if n != kind and not classes[n].derived and not classes[n].definitions and n not in made
    ]
    return sorted(n for n in told if not any(n in classes[other].ancestors for other in told if other != n))


def widest(study: Study, kind: str, some: list[str], others: list[str]) -> list[str]:
    """The widest kinds below one that take in some of its lowest kinds, and none of the others."""
    classes = study.theory.vocabulary.classes
    found = set()
    for low in some:
        above = sorted(
            classes[low].ancestors & classes[kind].descendants - {kind}, key=lambda n: -len(classes[n].descendants)
        )
        above = [up for up in above if f"/{study.book.id}#" in classes[up].iri]
        found.add(next((up for up in above if not any(up in classes[o].ancestors for o in others)), low))
    return sorted(found)


def sets(norm: m.Norm) -> bool:
    """Whether a norm says what a number is."""
    return isinstance(norm.head, m.QuantityHead) and norm.head.op == m.SETS and not str(norm.head).startswith(m.KEEPS)


def told_of(study: Study, norm: m.Norm) -> Iterator[str]:
    """The kinds of thing that a norm is about: its subject, or those that its condition names one by one."""
    part = next(
        (p for p in (norm.when.parts if isinstance(norm.when, m.And) else (norm.when,)) if named_kinds(p)), None
    )
    yield from named_kinds(part) if part is not None else (m.subject_of(norm.head),)


def named_kinds(condition: m.Condition) -> tuple[str, ...]:
    """The classes that a condition is, or that it is one of."""
    match condition:
        case m.Named(name):
            return (name,)
        case m.Or(parts) if all(isinstance(p, m.Named) for p in parts):
            return tuple(p.name for p in parts if isinstance(p, m.Named))
    return ()


# ── limits that may be nothing ──


def from_nothing(study: Study) -> Iterator[Finding]:
    """A finding for each number that has to be reached in one rule, and that another rule makes nothing: then all reaches it."""
    zero: dict[str, list[m.Norm]] = {}
    for norm in study.theory.norms.values():
        if sets(norm) and isinstance(norm.head, m.QuantityHead) and str(norm.head.value) == "0":
            zero.setdefault(norm.head.quantity, []).append(norm)
    for norm in study.theory.norms.values():
        for name in sorted(reached(norm)):
            none = [n for q in [name, *reckoned_from(study, name)] for n in zero.get(q, ()) if n.rule != norm.rule]
            if none:
                rules = tuple(dict.fromkeys((norm.rule, *(n.rule for n in none))))
                says = f"By {norm.id} the {label(study, name)} has to be reached; {named(n.id for n in none)} make{'s' if len(none) == 1 else ''} it nothing."
                yield Finding(
                    study.book.id, "no-value", rules, says, f"Where the {label(study, name)} is nothing, is it reached by anything at all?",
                    "numbers that conditions compare with, held against norms that set them to 0", PROVEN, (norm.id, *(n.id for n in none)), (name,),
                    (study.chain(norm), study.chain(none[0])), None, f"{name} reached",
                )  # fmt: skip


def reached(norm: m.Norm) -> set[str]:
    """The numbers that a norm's condition asks another number to come up to."""
    found: set[str] = set()
    for part in all_parts(norm.when):
        if isinstance(part, m.Compare) and part.op in (">=", ">", "<=", "<"):
            one, other = (set(m.names_in(side)) for side in (part.left, part.right))
            if one and other:
                found |= other if part.op in (">=", ">") else one
    return found


def all_parts(condition: m.Condition) -> Iterator[m.Condition]:
    """A condition with all that it is made of."""
    yield condition
    match condition:
        case m.And(parts) | m.Or(parts):
            inner: tuple[m.Condition, ...] = parts
        case m.Not(of) | m.Bind(of, _):
            inner = (of,)
        case m.Some(_, filler):
            inner = (filler,)
        case m.Except(base, _):
            inner = (base,)
        case _:
            inner = ()
    for part in inner:
        yield from all_parts(part)


def reckoned_from(study: Study, quantity: str) -> list[str]:
    """The numbers that norms take a number from as they stand."""
    values = (
        n.head.value
        for n in study.theory.quantities.get(quantity, ())
        if isinstance(n.head, m.QuantityHead) and n.head.op == m.SETS
    )
    return [v.steps[-1] for v in values if isinstance(v, m.Path) and v.steps and v.steps[-1] != quantity]


# ── a leave or a duty ──


def may_and_must(study: Study) -> Iterator[Finding]:
    """A finding for each act that few rules speak of, and of which one lets one do it and another makes one."""
    by_act: dict[str, list[m.Norm]] = {}
    for norm in study.theory.norms.values():
        if isinstance(norm.head, m.Deontic):
            by_act.setdefault(norm.head.act, []).append(norm)
    for act, norms in by_act.items():
        must, may = (
            [n for n in norms if isinstance(n.head, m.Deontic) and n.head.mode == mode]
            for mode in (m.REQUIRES, m.PERMITS)
        )
        apart = [(a, b) for a in may for b in must if a.rule != b.rule and not any(n.rule == a.rule for n in must)]
        if not apart or len({n.rule for n in norms}) > MOST_SPEAKERS + 1:
            continue
        a, b = apart[0]
        said = phrases.say_head(study.theory.vocabulary, a.head)
        rules = tuple(dict.fromkeys((*(x.rule for x, _ in apart), *(y.rule for _, y in apart))))
        says = f"{a.id} {said}, {b.id} {phrases.say_head(study.theory.vocabulary, b.head)}: of one a right, of the other a duty."
        yield Finding(
            study.book.id, "modality", rules, says, f"Is the {label(study, act)} of {a.rule} a duty too, or that of {b.rule} a right?",
            "the modes of norms on one act", LIKELY, tuple(dict.fromkeys(n.id for pair in apart for n in pair)), (act,),
            (study.chain(a), study.chain(b)), None, f"may and must {act}",
        )  # fmt: skip


# ── what comes of it ──


def without_effect(study: Study) -> Iterator[Finding]:
    """A finding for each section whose rules say what is done to some kinds of thing, and what comes of it for others alone."""
    struck: dict[tuple[str, str], dict[str, list[m.Norm]]] = {}
    harmed: dict[tuple[str, str], dict[str, list[m.Norm]]] = {}
    for norm in study.theory.norms.values():
        home, _, number = norm.rule.rpartition(".")
        effect = isinstance(norm.head, m.Effect)
        if not number.isdigit() or not (effect or (isinstance(norm.head, m.CountsAs) and not norm.head.negated)):
            continue
        for role, kind in spoken(norm):
            if "State" in study.theory.vocabulary.classes[kind].ancestors:
                continue
            # What comes of it for all that a blow falls on comes of it for its target.
            for one in study.theory.vocabulary.properties[role].below if effect else (role,):
                (harmed if effect else struck).setdefault((home, one), {}).setdefault(kind, []).append(norm)
    for place, kinds in harmed.items():
        others = {k: rows for k, rows in struck.get(place, {}).items() if not any(close(study, k, x) for x in kinds)}
        if len(kinds) < SEVERAL or not 1 <= len(others) <= len(kinds):
            continue
        rules = tuple(dict.fromkeys(n.rule for rows in (*others.values(), *kinds.values()) for n in rows))
        has, lacks = (named(label(study, k) for k in sorted(some)) for some in (kinds, others))
        says = f"{place[0]} says what is done to {lacks} too ({named(dict.fromkeys(n.id for rows in others.values() for n in rows))}), and what comes of it for {has} alone."
        yield Finding(
            study.book.id, "gap", rules, says, f"Does anything come of it for {lacks}?", "kinds that conditions name, held against those that effects do", LIKELY,
            tuple(dict.fromkeys(n.id for rows in others.values() for n in rows)), tuple(sorted(others)), (), None, f"effect {' '.join(place)}",
        )  # fmt: skip
