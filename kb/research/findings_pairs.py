"""Findings about two norms that meet: conflicts and how they are settled, numbers with two values, duties that are barred.

Each two norms that can say opposite things are put into one situation; where there is one, what settles it is looked at. What
the book itself calls an exception is none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from kb.language import norms as m, phrases
from kb.language.english import ACT
from kb.ontology import subsumption
from kb.reasoner.proof import CONFLICT, FORBIDDEN, PERMITTED, UNDETERMINED
from kb.research import shapes
from kb.research.finding import SHOWN, Finding
from kb.research.findings_kinds import all_parts
from kb.research.shapes import Scene
from kb.research.study import Study, concluded, named, terms_of
from kb.rulebook.theory import goes_over, names

METHOD = (
    "situations listed by an answer-set solver over the facts of both conditions, answered by the reasoner, certified"
)
FEW_RULES = 3  # that speak of an act
MANY_ACTS = 4  # of a bar: then it is one for everybody in a state, and that the dead do not enter is no surprise
WON = ("tie-break", "own-principle", "override", "unmarked-exception")  # kinds that tell who goes before whom
VERDICTS = {m.PERMITS: PERMITTED, m.FORBIDS: FORBIDDEN}


@dataclass(frozen=True)
class Meeting:
    """Two norms that apply in one situation: the one that wins there (if any does) first."""

    kind: str
    winner: m.Norm
    loser: m.Norm
    why: str
    scene: Scene


def candidates(study: Study) -> list[tuple[m.Norm, m.Norm]]:
    """The pairs of norms that can say opposite things and of which the text does not say that one is an exception."""
    made, found = study.theory, []
    norms = list(made.norms.values())
    for i, a in enumerate(norms):
        for b in norms[i + 1 :]:
            if subsumption.compete(a.head, b.head, made.vocabulary) and settled(study, a, b)[0]:
                found.append((a, b))
    return found


def settled(study: Study, a: m.Norm, b: m.Norm) -> tuple[str, str, m.Norm, m.Norm]:
    """(kind, why, winner, loser) of two norms that would meet; kind "" where there is nothing to ask."""
    made = study.theory
    principle = made.stronger(a, b)
    one, other = (a, b) if principle is not None else (b, a)
    principle = principle or made.stronger(b, a)
    if principle is None:
        return ("two-values" if isinstance(a.head, m.QuantityHead) else "conflict"), "", a, b
    why = f"{principle.cite}: {principle.says}" if principle.cite else principle.says
    against_duty = {mode(a), mode(b)} == {m.REQUIRES, m.FORBIDS} and not (everybodys(study, a) or everybodys(study, b))
    match principle.name:
        case "explicit":
            if other.id in one.carves:
                marked = study.mark(one) if not halves(one, other) else ""
                return ("unmarked-exception" if marked == "YET" else ""), "the text marks no exception here", one, other
            lifted = "lifts" if names(one.lifts, other) else "says that it goes over"
            return ("override" if goes_over(one, other) else ""), f"{one.id} {lifted} it, by our reading", one, other
        case "authority":
            return "", why, one, other
        case _ if {mode(a), mode(b)} == {m.REQUIRES, m.FORBIDS} and of_manner(study, a, b):
            return "", why, one, other
        case "higher-number" | "lower-number":
            if isinstance(a.head, m.QuantityHead) and a.rule == b.rule:
                return "", why, one, other
            return ("barred-means" if against_duty else "tie-break"), why, one, other
    if against_duty and not halves(a, b) and (concluded(a) == concluded(b) or akin(a, b)):
        return "barred-means", why, one, other
    if principle.cite or not (akin(a, b) or alone(study, a, b)) or everybodys(study, a) or everybodys(study, b):
        return "", why, one, other
    return "own-principle", why, one, other


def halves(a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms are the two halves of one sentence, who does a thing and that the others do not: they meet where there are both."""
    if a.rule != b.rule or a.sentences != b.sentences:
        return False
    one, other = ({str(p) for p in all_parts(n.when)} for n in (a, b))
    denied, likewise = ({str(p.of) for p in all_parts(n.when) if isinstance(p, m.Not)} for n in (a, b))
    return bool(denied & other - likewise or likewise & one - denied)


def of_manner(study: Study, a: m.Norm, b: m.Norm) -> bool:
    """Whether of a duty and a bar the duty is to do in one way what is barred altogether: it falls away with the whole."""
    must, never = (n.head.act for n in (duty(a, b), bar(a, b)) if isinstance(n.head, m.Deontic))
    return never in study.theory.vocabulary.classes[must].ancestors - {must}


def mode(norm: m.Norm) -> str:
    """What a deontic norm says; "" of any other."""
    return norm.head.mode if isinstance(norm.head, m.Deontic) else ""


def akin(a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms of different rules turn on some term together."""
    return a.rule != b.rule and bool(terms_of(a) & terms_of(b) - concluded(a) - concluded(b) - {"actor", "target"})


def alone(study: Study, a: m.Norm, b: m.Norm) -> bool:
    """Whether two rules speak of one act of which hardly any other does: then what they say of it is to be read together."""
    if not isinstance(a.head, m.Deontic) or not isinstance(b.head, m.Deontic) or a.head.act != b.head.act:
        return False
    heads = ((n.rule, n.head) for n in study.theory.norms.values())
    rules = {rule for rule, head in heads if isinstance(head, m.Deontic) and head.act == a.head.act}
    return a.rule != b.rule and len(rules) <= FEW_RULES


def everybodys(study: Study, norm: m.Norm) -> bool:
    """Whether a norm is one of many acts, written at once, or of whatever is done at all."""
    if isinstance(norm.head, m.Deontic) and norm.head.act == ACT:
        return True
    return study.acts_at_once.get(norm.part_of or norm.id, 1) >= MANY_ACTS


def meetings(study: Study, some: Sequence[tuple[m.Norm, m.Norm]]) -> Iterator[Meeting]:
    """Those of some pairs that do meet, each with a situation."""
    for a, b in some:
        kind, why, winner, loser = settled(study, a, b)
        scene = study.shapes.both(a, b)
        if scene is None and kind == "barred-means":
            scene = study.shapes.both(b, a)  # what is listed is bounded, and begins with what the first asks for
        if scene is None:
            continue
        if kind in WON and not prevails(winner, scene):
            other = study.shapes.first((a, b), partial(prevails, winner))
            if other is None:
                continue  # a third norm decides each time
            scene = other
        if kind == "barred-means" and not owed(study, a, b, scene):
            other = study.shapes.first((a, b), partial(owed, study, a, b))
            if other is None:
                continue  # where it is barred it is not owed anyway
            scene = other
        verdict = scene.proof.verdict
        if kind == "conflict" and not at_odds(scene, a, b):
            continue
        if kind == "two-values":
            if same_value(a, b):
                kind = "repeated"
            elif verdict not in (CONFLICT, UNDETERMINED):
                continue
        yield Meeting(kind, winner, loser, why, scene)


def prevails(winner: m.Norm, scene: Scene) -> bool:
    """Whether the answer of a situation is what the norm says that goes before the other there."""
    said = VERDICTS.get(mode(winner))
    return said is None or scene.proof.verdict == said


def owed(study: Study, a: m.Norm, b: m.Norm, scene: Scene) -> bool:
    """Whether of a duty and a bar the duty would stand in a situation without the bar: nothing else bars it there or lets one off."""
    (act,) = scene.case["ask"].values()
    whether = Scene(scene.case, study.shapes.ask({**scene.case, "ask": {"must": act}}), scene.size)
    return duty(a, b).id in {o.norm.id for o in study.shapes.without(whether, bar(a, b)).winners}


def at_odds(scene: Scene, a: m.Norm, b: m.Norm) -> bool:
    """Whether an answer is open for these two, not for something else."""
    if scene.proof.verdict == CONFLICT:
        return True
    steps = {getattr(s, "why", "") for s in scene.proof.steps} | {getattr(o, "why", "") for o in scene.proof.open}
    return isinstance(a.head, m.CountsAs) and scene.proof.verdict == UNDETERMINED and "conflict" in steps


def same_value(a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms set a number to the same, as written."""
    return isinstance(a.head, m.QuantityHead) and isinstance(b.head, m.QuantityHead) and a.head.value == b.head.value


def findings(study: Study, met: Sequence[Meeting]) -> Iterator[Finding]:
    """A finding for each two rules that meet in a way, with the smallest of the situations; where a principle of our own settles
    it, one for each rule that wins so."""
    groups: dict[tuple[str, ...], list[Meeting]] = {}
    for row in met:
        by_rule = (
            (row.winner.rule,) if row.kind == "own-principle" else tuple(sorted((row.winner.rule, row.loser.rule)))
        )
        groups.setdefault((row.kind, *by_rule), []).append(row)
    for (kind, *_), rows in groups.items():
        best = min(rows, key=lambda r: (r.scene.size, r.winner.id, r.loser.id))
        rules = sorted({best.winner.rule, best.loser.rule})
        if kind == "own-principle":
            rules = [best.winner.rule, *sorted({r.loser.rule for r in rows})]
        yield finding(study, kind, tuple(rules), best, rows)


def finding(study: Study, kind: str, rules: tuple[str, ...], best: Meeting, rows: Sequence[Meeting]) -> Finding:
    """What two rules that meet are found to be."""
    vocabulary = study.theory.vocabulary
    a, b = best.winner, best.loser
    one, other = (phrases.say_head(vocabulary, n.head) for n in (a, b))
    said = {
        "conflict": f"{a.id} {one}, {b.id} {other}; nothing in the book says which of them stands.",
        "two-values": f"{a.id} {one}, {b.id} {other}: two values, and nothing says which.",
        "repeated": f"{a.id} and {b.id} both say: {one}.",
        "barred-means": f"{duty(a, b).id} asks for what {bar(a, b).id} forbids: one cannot do both.",
        "tie-break": f"{a.id} {one}, {b.id} {other}; only the numbers of the rules decide ({best.why}).",
        "own-principle": f"{a.id} {one}, {b.id} {other}; the first wins by a principle that the book does not state"
        + also(rules, b)
        + ".",
        "unmarked-exception": f"{a.id} {one}, {b.id} {other}; the text does not say that the first is an exception.",
        "override": f"{a.id} {one}, {b.id} {other}; {best.why}.",
    }[kind]
    wins = {
        "conflict": f"In this situation, does {a.id} stand?",
        "two-values": f"In this situation, is the number that of {a.id}?",
        "repeated": f"Do {named(rules)} mean the same, so that one of them could go?",
        "barred-means": f"Where {bar(a, b).id} forbids it, does the duty of {duty(a, b).id} fall away?",
    }.get(kind, f"In this situation, is it right that {a.id} goes before {b.id}?")
    norms = tuple(dict.fromkeys(n.id for r in (best, *rows) for n in (r.winner, r.loser)))
    key = "wins" if kind == "own-principle" else "" if rules[1:] else f"{a.id} {b.id}"
    words = tuple(sorted(concluded(a) & concluded(b)))
    chains = (study.chain(a), study.chain(b))
    return Finding(
        study.book.id, kind, rules, said, wins, METHOD, SHOWN, norms, words, chains, shapes.witness(best.scene), key
    )


def also(rules: Sequence[str], shown: m.Norm) -> str:
    """The other rules that lose in the same way."""
    more = [r for r in rules[1:] if r != shown.rule]
    return f"; so too against {named(more)}" if more else ""


def duty(a: m.Norm, b: m.Norm) -> m.Norm:
    """Of two norms the one that asks for the act."""
    return a if mode(a) == m.REQUIRES else b


def bar(a: m.Norm, b: m.Norm) -> m.Norm:
    """Of two norms the other."""
    return b if duty(a, b) is a else a
