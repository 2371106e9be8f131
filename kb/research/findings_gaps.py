"""Findings about what is not said: kinds of thing that an enumeration leaves out, numbers without a base, and circles.

A gap is asked of the reasoner: where some kinds of one thing are each spoken of in a rule, the others are put in their place; what no norm then
decides is a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.errors import LoopholeError
from kb.language import norms as m
from kb.reasoner.proof import UNDETERMINED
from kb.research import shapes
from kb.research.finding import PROVEN, SHOWN, Finding
from kb.research.findings_references import label
from kb.research.shapes import Scene, applied
from kb.research.study import Study, concluded, named

# What dice and the game's own count tell: no rule would say what they are.
THROWN = re.compile(r"\b(rolls?|die|dice|dr|turn)\b", re.I)
ROLLED = re.compile(r"\brolls? (?:gives|shows)\b", re.I)
PHASE = "Phase"
MOST_SIBLINGS = 6  # a class with more kinds than these is no list that a rule would go through


def findings(study: Study) -> Iterator[Finding]:
    """All that is found to be left open."""
    yield from left_out(study)
    yield from baseless(study)
    yield from of_one_kind(study)
    yield from circles(study)


# ── kinds left out ──


def left_out(study: Study) -> Iterator[Finding]:
    """A finding for the kinds that a rule passes over while it speaks of the others, of one act or number."""
    groups: dict[tuple[str, str, str, str], dict[str, list[m.Norm]]] = {}
    for norm in study.theory.norms.values():
        for role, kind in spoken(norm):
            for parent in parents(study, kind):
                groups.setdefault((norm.rule, main(norm), role, parent), {}).setdefault(kind, []).append(norm)
    for (rule, term, _, parent), by_kind in groups.items():
        if PHASE in study.theory.vocabulary.classes[parent].ancestors:
            continue  # when what is done stands in the order of play, which is no list of a rule's
        others = siblings(study, parent)
        absent = [k for k in others if not any(close(study, k, spoken_of) for spoken_of in by_kind)]
        if len(others) > MOST_SIBLINGS or not 1 <= len(absent) <= len(by_kind) or len(by_kind) < 2:
            continue
        norms = [n for rows in by_kind.values() for n in rows]
        scenes = {kind: scene for kind in absent if (scene := gap(study, norms, by_kind, kind)) is not None}
        if scenes:
            yield told(study, rule, term, sorted(by_kind), scenes)


def told(study: Study, rule: str, term: str, spoken_of: Sequence[str], scenes: Mapping[str, Scene]) -> Finding:
    """The finding that a rule passes over some kinds."""
    has, lacks = (named(label(study, k) for k in kinds) for kinds in (spoken_of, scenes))
    says = f"{rule} speaks of {has}, as to {label(study, term)}; of {lacks} no rule says anything there."
    return Finding(
        study.book.id, "gap", (rule,), says, f"Is it there with {lacks} as with one of these ({has})?",
        "kinds of one thing that a rule goes through; the one left out was put in their place and asked", SHOWN, (), (*scenes, *spoken_of), (),
        shapes.witness(next(iter(scenes.values()))), f"{term} {' '.join(sorted(scenes))}",
    )  # fmt: skip


def spoken(norm: m.Norm) -> Iterator[tuple[str, str]]:
    """Each kind that a condition asks for of what a role of the focus leads to: (role, class)."""
    for part in parts_of(norm.when):
        if isinstance(part, m.Some) and not part.role.inverse:
            yield from ((part.role.name, inner.name) for inner in parts_of(part.filler) if isinstance(inner, m.Named))


def parts_of(condition: m.Condition) -> Iterator[m.Condition]:
    """What a condition asks for, all of it or some of it."""
    match condition:
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from parts_of(part)
        case m.Bind(of, _):
            yield from parts_of(of)
        case _:
            yield condition


def main(norm: m.Norm) -> str:
    """The act, class, relation or number that a norm is about."""
    head = norm.head
    return head.act if isinstance(head, m.Deontic) else next(iter(sorted(concluded(norm) - {m.subject_of(head)})), "")


def parents(study: Study, kind: str) -> tuple[str, ...]:
    """The classes right above a class of the book."""
    term = study.theory.vocabulary.classes.get(kind)
    return term.parents if term else ()


def siblings(study: Study, parent: str) -> list[str]:
    """The classes right below a class that a case can tell: kinds of thing, which neither a norm nor a definition makes of something."""
    classes, made = study.theory.vocabulary.classes, study.theory.makes
    told = (
        n for n, t in classes.items() if parent in t.parents and not t.derived and not t.definitions and n not in made
    )
    return [n for n in told if "State" not in classes[n].ancestors]


def close(study: Study, one: str, other: str) -> bool:
    """Whether of two classes one takes in the other."""
    classes = study.theory.vocabulary.classes
    return one in classes[other].ancestors or other in classes[one].ancestors


def gap(study: Study, norms: Sequence[m.Norm], by_kind: Mapping[str, object], kind: str) -> Scene | None:
    """A situation of one of some norms in which, with another kind of thing, no norm applies."""
    for norm in norms:
        scene = study.shapes.applies(norm)
        if scene is None:
            continue
        case = swapped(scene.case, set(by_kind), kind)
        if case is None:
            continue
        try:
            proof = study.shapes.ask(case)
        except LoopholeError:
            continue
        if not applied(proof) and (proof.verdict != UNDETERMINED or not proof.open):
            return Scene(case, proof, scene.size)
    return None


def swapped(case: Mapping[str, Any], old: set[str], new: str) -> dict[str, Any] | None:
    """A case with one kind of thing in the place of others; None where it names none of these."""
    things = {name: dict(facts) for name, facts in case["things"].items()}
    met = False
    for facts in things.values():
        if old & set(facts.get("is", ())):
            facts["is"] = [new if k in old else k for k in facts["is"]]
            met = True
    return {**case, "things": things} if met else None


# ── numbers ──


def baseless(study: Study) -> Iterator[Finding]:
    """A finding for each number that norms read, and that no norm sets, no term presumes, no table holds and no dice give."""
    made, terms = study.theory, study.theory.vocabulary.properties
    read: dict[str, list[m.Norm]] = {}
    for norm in made.norms.values():
        for name in numbers_in(norm):
            if name in terms and terms[name].kind == "number":
                read.setdefault(name, []).append(norm)
    for name, norms in read.items():
        rules = [r.strip() for r in terms[name].source.split(",")]
        if set_anywhere(study, name) or terms[name].default is not None or f"/{study.book.id}#" not in terms[name].iri:
            continue
        if THROWN.search(terms[name].label) or ROLLED.search(terms[name].definition):
            continue
        away = [r for r in rules if r not in study.sections]
        where = f"; {named(away)} would say, not loaded" if away and len(away) == len(rules) else ""
        using = tuple(dict.fromkeys(n.rule for n in norms))
        says = f"{named(using)} go{'es' if len(using) == 1 else ''} by “{terms[name].label}”, and no loaded rule says what it is{where}."
        yield Finding(
            study.book.id, "no-value", using, says, f"Does a rule say what the {terms[name].label} is?", "numbers that norms read, held against those that norms set",
            PROVEN, tuple(n.id for n in norms), (name,), tuple(map(study.chain, norms[:2])), None, name,
        )  # fmt: skip


def numbers_in(norm: m.Norm) -> set[str]:
    """The names that a norm's condition and its number speak of."""
    read = {*m.names_in((norm.when, *(u.condition for u in norm.unless)))}
    if isinstance(norm.head, m.QuantityHead):
        read |= set(m.names_in(norm.head.value))
    return read


def set_anywhere(study: Study, quantity: str) -> bool:
    """Whether some norm says what a number is, or adds to it; not one that takes it from something else that has it."""
    heads = [n.head for n in study.theory.quantities.get(quantity, ()) if isinstance(n.head, m.QuantityHead)]
    return any(h.op in (m.SETS, m.ADDS) and quantity not in set(m.names_in(h.value)) for h in heads)


def of_one_kind(study: Study) -> Iterator[Finding]:
    """A finding for each number that rules give one kind of thing alone, while those beside it are about all of that sort."""
    classes = study.theory.vocabulary.classes
    for quantity, norms in study.theory.quantities.items():
        setting = [(n, n.head) for n in norms if isinstance(n.head, m.QuantityHead) and n.head.op == m.SETS]
        kinds = {head.of for _, head in setting}
        if len(kinds) != 1 or study.theory.vocabulary.properties[quantity].default is not None:
            continue
        (kind,), first = kinds, setting[0][0]
        for parent in parents(study, kind):
            wide = classes[parent]
            if f"/{study.book.id}#" in wide.iri and "State" not in wide.ancestors and about(study, first.rule, parent):
                says = f"{first.id} says the {label(study, quantity)} of a {classes[kind].label}; of another {wide.label} no rule does."
                yield Finding(
                    study.book.id, "no-value", (first.rule,), says, f"Has another {wide.label} the same {label(study, quantity)}?",
                    "numbers that norms set, by kinds of thing", PROVEN, tuple(n.id for n, _ in setting), (quantity, kind, parent),
                    (study.chain(first),), None, f"{quantity} {kind}",
                )  # fmt: skip


def about(study: Study, rule: str, name: str) -> bool:
    """Whether norms of a rule, or of those numbered beside it, are about things of a class by its own name."""
    home = rule.rpartition(".")[0]
    beside = (n for n in study.theory.norms.values() if n.rule.rpartition(".")[0] == home)
    return any(name in {*m.names_in(n.when), m.subject_of(n.head)} for n in beside)


# ── circles ──


def circles(study: Study) -> Iterator[Finding]:
    """A finding for each circle of what norms make of what, of at most three terms, and for each circle of who beats whom."""
    needs: dict[str, set[str]] = {}
    by: dict[str, set[str]] = {}
    for norm in study.theory.norms.values():
        if isinstance(norm.head, m.CountsAs | m.QuantityHead | m.Relates):
            term = main(norm)
            read = numbers_in(norm)
            needs.setdefault(term, set()).update(read - {term})
            by.setdefault(term, set()).add(norm.id)
    seen: set[frozenset[str]] = set()
    for a in needs:
        for b in needs[a] & needs.keys():
            if a not in needs[b] or frozenset((a, b)) in seen or a == b or shared_out(study, a, b):
                continue
            seen.add(frozenset((a, b)))
            norms = [i for i in sorted(by[a] | by[b]) if {a, b} & numbers_in(study.norms[i]) - {main(study.norms[i])}]
            rules = tuple(dict.fromkeys(study.norms[i].rule for i in norms))
            one, other = label(study, a), label(study, b)
            yield Finding(
                study.book.id, "circle", rules, f"Whether or how much “{one}” goes by “{other}”, and the other way round ({named(norms)}).",
                f"Can “{one}” be told without “{other}”?", "what norms conclude, and what their conditions read", PROVEN, tuple(norms), (a, b),
                tuple(study.chain(study.norms[i]) for i in norms[:2]), None, f"{min(a, b)} {max(a, b)}",
            )  # fmt: skip
    yield from rings(study)


def shared_out(study: Study, a: str, b: str) -> bool:
    """Whether two classes are kinds of one that exclude each other: what is told to be none of all but one is that one, which is no circle."""
    classes = study.theory.vocabulary.classes
    return (
        a in classes
        and b in classes
        and b in classes[a].disjoint
        and set(classes[a].parents) == set(classes[b].parents)
    )


def rings(study: Study) -> Iterator[Finding]:
    """A finding for each three norms of which each goes over the next by what it says itself."""
    over = {
        n.id: {other.id for other in study.theory.norms.values() if other.id in n.carves or other.names & set(n.over)}
        for n in study.theory.norms.values()
    }
    for a, below in over.items():
        for b in below:
            for c in over.get(b, ()):
                if a in over.get(c, ()) and a == min(a, b, c) and len({a, b, c}) == 3:
                    norms = (a, b, c)
                    rules = tuple(dict.fromkeys(study.norms[i].rule for i in norms))
                    yield Finding(
                        study.book.id, "circle", rules, f"{a} goes over {b}, that over {c}, and that over {a}.", f"Which of {named(norms)} stands?",
                        "the norms that each says it goes over", PROVEN, norms, (), tuple(study.chain(study.norms[i]) for i in norms), None, " ".join(norms),
                    )  # fmt: skip
