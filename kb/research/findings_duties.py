"""Findings about acts that are barred whatever one does: one rule bars whoever does a thing, another whoever does not.

Teams in a trench that do not shoot are Gone to Ground; who is Gone to Ground does not gap, and who has shot does not gap: no team in a trench
ever gaps. Two bars on one act are resolved on what the one asks for and the other denies, states being put in terms of what makes them so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb.language import norms as m, phrases
from kb.reasoner.proof import FORBIDDEN
from kb.research import shapes
from kb.research.finding import PROVEN, SHOWN, Finding
from kb.research.study import Study, named

Path = tuple[tuple[str, bool], ...]  # roles from the focus, each with whether it is read backwards
MOST_LITERALS = 8


@dataclass(frozen=True, slots=True)
class Literal:
    """Something asked for of what a path leads to, or denied of it."""

    path: Path
    condition: m.Condition
    holds: bool

    @property
    def negated(self) -> Literal:
        """The contrary."""
        return replace(self, holds=not self.holds)


@dataclass(frozen=True, slots=True)
class Bar:
    """What is barred under some literals, and the norms that bar it."""

    act: str
    literals: frozenset[Literal]
    norms: tuple[str, ...]
    instead: frozenset[str] = frozenset()  # states that stand in the place of the one that was put as what makes it so


def findings(study: Study) -> Iterator[Finding]:
    """A finding for each act and each two bars that leave no way to do it, confirmed both ways by the reasoner."""
    yield from doubled(study)
    bars = list(everything(study))
    seen: set[tuple[str, frozenset[Literal]]] = set()
    for i, one in enumerate(bars):
        for other in bars[i + 1 :]:
            if set(one.norms) & set(other.norms) or one.act != other.act:
                continue
            clash = [(lit, that) for lit in one.literals for that in other.literals if opposed(lit, that)]
            if len(clash) != 1 or {n for lit in clash[0] for n in m.names_in(lit.condition)} & (
                one.instead | other.instead
            ):
                continue  # of two states of which one ends the other each has its own bar: nothing is left without means by that
            rest = (one.literals | other.literals) - set(clash[0])
            if not rest or any(lit.negated in rest for lit in rest) or rest in (one.literals, other.literals):
                continue
            if any(bar.act == one.act and bar.literals <= rest for bar in bars) or (one.act, rest) in seen:
                continue
            seen.add((one.act, rest))
            found = shown(study, one, other, rest, min(clash[0], key=lambda lit: lit.holds))
            if found is not None:
                yield found


def opposed(one: Literal, other: Literal) -> bool:
    """Whether one of two literals is so whatever is so: what the one denies is all, or one of several things, that the other asks for."""
    no, yes = sorted((one, other), key=lambda lit: lit.holds)
    return (no.path, no.holds, yes.holds) == (yes.path, False, True) and ways(no.condition) <= ways(yes.condition)


def ways(condition: m.Condition) -> frozenset[m.Condition]:
    """The conditions of which any one will do."""
    return frozenset().union(*map(ways, condition.parts)) if isinstance(condition, m.Or) else frozenset({condition})


def everything(study: Study) -> Iterator[Bar]:
    """The bars of a book, each also with a state in it put as what makes it so."""
    made = study.theory
    for norm in made.norms.values():
        if not isinstance(norm.head, m.Deontic) or norm.head.mode != m.FORBIDS or norm.unless:
            continue
        found = literals(norm.when, ())
        yield Bar(norm.head.act, found, (norm.id,))
        for lit in found:
            if not lit.holds or not isinstance(lit.condition, m.Named):
                continue
            for maker in made.makes.get(lit.condition.name, ()):
                if isinstance(maker.head, m.CountsAs) and maker.head.target == lit.condition.name and not maker.unless:
                    put = literals(maker.when, lit.path) | {Literal(lit.path, m.Named(maker.head.subject), True)}
                    if len(found) + len(put) <= MOST_LITERALS:
                        yield Bar(
                            norm.head.act,
                            (found - {lit}) | put,
                            (norm.id, maker.id),
                            ended_by(study, lit.condition.name),
                        )


def ended_by(study: Study, state: str) -> frozenset[str]:
    """The classes of which a norm says that what is of them is not in a state."""
    ending = (
        n.when
        for n in study.theory.norms.values()
        if isinstance(n.head, m.CountsAs) and n.head.target == state and n.head.negated
    )
    return frozenset(w.name for when in ending for w in ways(when) if isinstance(w, m.Named))


def literals(condition: m.Condition, path: Path) -> frozenset[Literal]:
    """What a condition asks for, of what each path leads to; what is no conjunction is one literal."""
    match condition:
        case m.Anything():
            return frozenset()
        case m.And(parts):
            return frozenset().union(*(literals(p, path) for p in parts))
        case m.Bind(of, _):
            return literals(of, path)
        case m.Some(role, filler):
            return literals(filler, (*path, (role.name, role.inverse))) or frozenset({Literal(path, condition, True)})
        case m.Not(of):
            return frozenset({Literal(path, of, False)})
    return frozenset({Literal(path, condition, True)})


def condition_of(literals_: frozenset[Literal]) -> m.Condition:
    """Literals as one condition; those of one path are of one thing."""
    by_path: dict[Path, list[m.Condition]] = {}
    for lit in sorted(literals_, key=lambda x: (str(x.path), str(x.condition), x.holds)):
        by_path.setdefault(lit.path, []).append(lit.condition if lit.holds else m.Not(lit.condition))

    def below(path: Path) -> list[m.Condition]:
        parts = list(by_path.get(path, ()))
        for longer in dict.fromkeys(
            p[: len(path) + 1] for p in by_path if len(p) > len(path) and p[: len(path)] == path
        ):
            inner = below(longer)
            name, inverse = longer[-1]
            parts.append(m.Some(m.Role(name, inverse), inner[0] if len(inner) == 1 else m.And(tuple(inner))))
        return parts

    parts = below(())
    return parts[0] if len(parts) == 1 else m.And(tuple(parts))


def shown(study: Study, one: Bar, other: Bar, rest: frozenset[Literal], clash: Literal) -> Finding | None:
    """The finding, where in situations of both kinds the act is barred by these norms."""
    scenes = []
    for lit in (clash, clash.negated):
        probe = m.Norm("probe", "probe", m.Deontic(m.FORBIDS, one.act), condition_of(rest | {lit}))
        scene = next(
            (s for s in study.shapes.together((probe,)) if s.proof.verdict == FORBIDDEN and s.proof.winners), None
        )
        if scene is None:
            return None
        scenes.append(scene)
    norms = tuple(dict.fromkeys((*one.norms, *other.norms)))
    rules = tuple(dict.fromkeys(study.norms[n].rule for n in norms))
    act = study.theory.vocabulary.classes[one.act].label
    vocabulary = study.theory.vocabulary
    means = "; ".join(f"{n} {phrases.say_head(vocabulary, study.norms[n].head)}" for n in norms)
    where, either = (phrases.say_condition(vocabulary, c) for c in (condition_of(rest), clash.condition))
    says = f"A {act} that is {where} is barred, whether or not what it turns on is {either}: {means}."
    return Finding(
        study.book.id, "barred-means", rules, says, f"Is there to be no {act} there at all, whatever one does?",
        "two bars on one act, resolved on what the one asks for and the other denies; asked both ways", SHOWN, norms, (one.act,),
        tuple(study.chain(study.norms[n]) for n in norms), shapes.witness(scenes[1]), f"{one.act} {named(norms)}",
    )  # fmt: skip


# ── said as a bar and as a condition ──


def doubled(study: Study) -> Iterator[Finding]:
    """A finding for each two rules of which one bars an act under the very condition that the other's permission already denies."""
    deontic = [n for n in study.theory.norms.values() if isinstance(n.head, m.Deontic)]
    groups: dict[tuple[str, ...], list[tuple[m.Norm, m.Norm, Literal]]] = {}
    for bar in (n for n in deontic if mode(n) == m.FORBIDS and not n.unless):
        barred = literals(bar.when, ())
        if len(barred) != 1:
            continue
        (what,) = barred
        for leave in (n for n in deontic if mode(n) == m.PERMITS and n.rule != bar.rule):
            if leave.head.act == bar.head.act and what.negated in literals(leave.when, ()):  # type: ignore[union-attr]
                groups.setdefault((bar.rule, leave.rule), []).append((bar, leave, what))
    for rules, rows in groups.items():
        bar, leave, what = rows[0]
        vocabulary = study.theory.vocabulary
        said = phrases.say_condition(vocabulary, what.condition if what.holds else m.Not(what.condition))
        says = f"{bar.id} {phrases.say_head(vocabulary, bar.head)} where it is {said}; {leave.id} allows it only where not: said twice."
        yield Finding(
            study.book.id, "repeated", rules, says, f"Could it be left out of {leave.rule}?", "what a bar asks for, held against what permissions deny",
            PROVEN, tuple(dict.fromkeys(n.id for row in rows for n in row[:2])), (), (study.chain(bar), study.chain(leave)), None, f"denied {leave.rule}",
        )  # fmt: skip


def mode(norm: m.Norm) -> str:
    """What a deontic norm says; "" of any other."""
    return norm.head.mode if isinstance(norm.head, m.Deontic) else ""
