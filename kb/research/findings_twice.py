"""Findings about norms that say the same: what stands twice, and what is settled twice in different words.

Two norms of different rules say the same where their heads do, of one act, class, relation or number. Only those are looked at whose conditions
have most of their words in common: two bars on one act are no finding, two wordings of one bar are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.language import norms as m, phrases
from kb.research import shapes
from kb.research.finding import BOUNDED, SHOWN, Finding
from kb.research.shapes import Scene
from kb.research.study import Study, concluded, named

# Share of the weight of their words that two conditions have in common: of both, or of the one that says less.
ALIKE, WITHIN = 0.46, 0.77
LEAST = 0.3  # of both, where neither lies in the other: else what they have in common is the scene, and not the matter


def candidates(study: Study) -> list[tuple[m.Norm, m.Norm]]:
    """The pairs of norms of different rules that say the same and turn on much the same words."""
    norms = list(study.theory.norms.values())
    found = []
    for i, a in enumerate(norms):
        for b in norms[i + 1 :]:
            if a.rule != b.rule and not family(a, b) and same(study, a.head, b.head) and near(study, a, b):
                found.append((a, b))
    return found


def near(study: Study, a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms turn on much the same words."""
    return study.alike(a, b) >= ALIKE or study.within(a, b) >= WITHIN


def family(a: m.Norm, b: m.Norm) -> bool:
    """Whether one of two norms is written as an exception to, or over, the other."""
    return bool(set(a.over) & b.names or set(b.over) & a.names or a.id in b.carves or b.id in a.carves)


def same(study: Study, a: m.Head, b: m.Head) -> bool:
    """Whether two heads say the same of one focus, or of a wider and a narrower one."""
    classes = study.theory.vocabulary.classes

    def related(one: str, other: str) -> bool:
        return (
            one == other
            or (one in classes and other in classes[one].ancestors)
            or (other in classes and one in classes[other].ancestors)
        )

    match a, b:
        case m.Deontic(mode, act), m.Deontic(other, other_act):
            return mode == other and related(act, other_act)
        case m.CountsAs(of, target, no), m.CountsAs(other_of, other, other_no):
            return no == other_no and related(target, other) and related(of, other_of)
        case m.Effect(term, path, event), m.Effect(other, other_path, other_event):
            return a.ends == b.ends and term == other and path == other_path and related(event, other_event)
        case m.Relates(of, role, _, no), m.Relates(other_of, other, _, other_no):
            return role == other and no == other_no and related(of, other_of)
    return False


def findings(study: Study, some: Sequence[tuple[m.Norm, m.Norm]]) -> Iterator[Finding]:
    """A finding for each two rules that say the same, in one situation or (where one lies inside the other) wherever it applies."""
    groups: dict[tuple[str, str, str], list[tuple[m.Norm, m.Norm, Scene, str]]] = {}
    for a, b in some:
        scene = study.shapes.both(a, b)
        if scene is None:
            continue
        inside = [x for x, y in ((a, b), (b, a)) if study.shapes.only(x, y) is None]
        if not inside and study.alike(a, b) < LEAST:
            continue
        kind = "repeated" if inside else "settled-twice"
        one, other = sorted((a.rule, b.rule))
        narrow = inside[0].id if len(inside) == 1 else ""
        groups.setdefault((kind, one, other), []).append((a, b, scene, narrow))
    for (kind, one, other), rows in groups.items():
        yield finding(study, kind, (one, other), rows)


def finding(
    study: Study, kind: str, rules: tuple[str, str], rows: Sequence[tuple[m.Norm, m.Norm, Scene, str]]
) -> Finding:
    """What two rules that say the same are found to be."""
    a, b, scene, narrow = min(rows, key=lambda r: (r[2].size, r[0].id))
    said = phrases.say_head(study.theory.vocabulary, a.head)
    if kind == "settled-twice":
        says = f"{a.id} and {b.id} both say: {said}, on conditions of which neither takes in the other."
        question = f"Are {named(rules)} meant to differ?"
        sure, method = SHOWN, "each applies without the other in some situation, and both in the one shown"
    else:
        wide = f"wherever {narrow} applies, the other does" if narrow else "wherever one applies, so does the other"
        says = f"{a.id} and {b.id} both say: {said}; {wide}."
        question = f"Could {narrow or 'one of them'} be left out?"
        sure, method = BOUNDED, f"no situation {study.shapes.bounds} in which it applies alone"
    norms = tuple(dict.fromkeys(n.id for r in rows for n in r[:2]))
    words = tuple(sorted(concluded(a) & concluded(b)))
    return Finding(
        study.book.id,
        kind,
        rules,
        says,
        question,
        method,
        sure,
        norms,
        words,
        (study.chain(a), study.chain(b)),
        shapes.witness(scene),
    )
