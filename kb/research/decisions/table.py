"""When an act may be done: the rules on it as the shortest list of conditions, proven equal to them over a stated shape.

    made = table(theory, situation(theory, "Entry", {"destination": ("Pillbox",)}))
    text(made, 80)

A situation has who acts, where he is, and what the act is told with; what else the rules on it read is an input of the table. The
rows are in English, with the rules that they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kb.answers import interview
from kb.language import english, norms as m
from kb.language.case import Case, Facts, Question, Reaches
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.reason import turning
from kb.research.decisions.bdd import FALSE
from kb.research.decisions.fillers import positive
from kb.research.decisions.functions import RULE
from kb.research.decisions.inputs import Input
from kb.research.decisions.rows import DecisionTable as DecisionTable, Row, cited, rows, shortest, speaking
from kb.research.decisions.shape import LINK, Shape
from kb.research.decisions.text import sort_words, text as text
from kb.research.decisions.together import BEYOND as BEYOND, SILENT, Outcome, put_together
from kb.research.decisions.trees import TooWide as TooWide
from kb.rulebook.theory import Theory

MOST_NAMED = 3  # relations that are to be told where a table is too wide
MOST_KINDS = 6  # of each, that rules tell apart
ACTOR, HERE, SIDES = "unit", "here", ("Friendly",)


def situation(
    vocabulary: Vocabulary, book: str, act: str, roles: Mapping[str, Sequence[str]], kind: str = "may"
) -> Case:
    """The situation in which an act is asked about. roles: by relation of the act, the classes of what it leads to. Raises CaseError."""
    classes, known = vocabulary.classes, vocabulary.properties
    is_ = interview.act_named(vocabulary, act)
    name = classes[is_[0]].label
    things: dict[str, Facts] = {}
    links: dict[str, tuple[str, ...]] = {}
    if "actor" in known:
        doer = roles.get("actor") or (
            (("Unit",) if "Unit" in classes else ()) + tuple(n for n in SIDES if n in classes)
        )
        links["actor"] = (ACTOR,)
        here = {"at": (HERE,)} if "at" in known and "from" in known else {}
        things[ACTOR] = Facts(ACTOR, tuple(doer), links=here, label=f"the {classes[doer[0]].label}")
        if here:
            things[HERE] = Facts(HERE, tuple(roles.get("from") or ("Place",)), label="its place")
    for role, kinds in roles.items():
        if role not in ("actor", "from"):
            called = classes[kinds[-1]].label
            links[role] = (role,)
            things[role] = Facts(role, tuple(kinds), label=f"the {called}")
    things["act"] = Facts("act", is_, links=links, label=f"the {name}")
    return Case(book, things, Question(kind, "act"))


def table(theory: Theory, case: Case, title: str = "") -> DecisionTable:
    """The decision table of a situation. Raises TooWide where the rules on it turn on more than the bound allows."""
    shape = Shape(theory, case)
    try:
        (whole,) = put_together(shape)
        made = DecisionTable(whole.shape, rows(whole), whole, title or called(theory, case))
        measured(made)
    except TooWide as fault:
        fault.first = widest(shape)
        raise
    return made


def widest(shape: Shape) -> dict[str, list[str]]:
    """The relations of the act of which rules tell the most kinds apart, the widest first, with these kinds: told, they make a table narrower."""
    act = shape.base.question.thing
    rows = [
        (len(row.options), key[2], row)
        for key, row in shape.inputs.items()
        if key[:2] == (LINK, act) and len(row.options) > 2
    ]
    ranked = sorted(rows, key=lambda row: row[:2], reverse=True)[:MOST_NAMED]
    return {name: list(dict.fromkeys(kinds_of(shape, row))) for _, name, row in ranked}


def told_apart(kinds: Sequence[str]) -> str:
    """Kinds of thing as a hint has them in brackets, the first few; "" where there is none."""
    more = " …" if len(kinds) > MOST_KINDS else ""
    return f" ({', '.join(kinds[:MOST_KINDS])}{more})" if kinds else ""


def kinds_of(shape: Shape, row: Input) -> Iterator[str]:
    """The kinds of thing that the options of a relation tell apart, by the names under which they are told; the first few."""
    for option in row.options:
        told = positive(option.fact.filler) if isinstance(option.fact, Reaches) else ()
        yield from (name for name in told if not shape.vocabulary.classes[name].derived)


@dataclass(frozen=True)
class Difference:
    """Where two theories say different things of an act. table: the first one's; rows: those situations, each with what it comes to
    by the first and by the second; share: in which part of the shape's situations they differ."""

    table: DecisionTable
    rows: tuple[tuple[Row, Outcome], ...]
    share: float


def difference(theory: Theory, other: Theory, case: Case, title: str = "") -> Difference:
    """Where two theories of one book differ on an act, over the inputs of both. Raises TooWide."""
    first = Shape(theory, case)
    one, two = put_together(first, Shape(other, case, first))
    d, f = one.f.d, one.f
    care = d.both(one.care, two.care)
    found: list[tuple[Row, Outcome]] = []
    differ = FALSE
    after = two.outcomes()
    for outcome, where in one.outcomes().items():
        for then, there in after.items():
            both = d.both(where, there, care)
            if then != outcome and both != FALSE:
                differ = d.either(differ, both)
                for allowed in shortest(f, both, d.either(both, d.no(care)), first.notions):
                    at = d.both(f.function(allowed), both)
                    rules = dict.fromkeys((*cited(one, outcome, at), *cited(two, then, at)))
                    found.append((Row(outcome, allowed, tuple(rules)), then))
    made = DecisionTable(first, [row for row, _ in found], one, title or called(theory, case))
    return Difference(made, tuple(found), d.count(differ, f.where) / (d.count(care, f.where) or 1))


def called(theory: Theory, case: Case) -> str:
    """`WHEN MAY IT BE DONE: an entry (destination: a pillbox)`."""
    classes = theory.vocabulary.classes
    act = case.things[case.question.thing]
    ends = [
        f"{theory.vocabulary.properties[role].label}: {english.series([english.noun(classes[c]) for c in case.things[end].is_])}"
        for role, (end,) in act.links.items() if role != "actor"
    ]  # fmt: skip
    said = english.article(classes[act.is_[0]].label)
    return (
        f"{said[:1].upper()}{said[1:]}{' (' + '; '.join(ends) + ')' if ends else ''}: when it may be done, and when not"
    )


def measured(made: DecisionTable) -> None:
    """Puts to a table how much of its shape each outcome and each rule has, and what is needed besides."""
    together, d = made.together, made.together.f.d
    over = together.f.where
    whole = d.count(together.care, over) or 1
    outcomes = together.outcomes()
    speak = {o: speaking(together, o, FALSE) for o in outcomes}
    rules = dict.fromkeys(rule for row in made.rows for rule in row.rules)
    made.by_rule = {
        rule: d.count(d.either(*(d.both(w, speak[o].get(rule, FALSE)) for o, w in outcomes.items())), over) / whole
        for rule in rules
    }  # fmt: skip
    made.notes = tuple(bound(made))
    made.shares = {o: d.count(where, over) / whole for o, where in outcomes.items()}
    for outcome, where in outcomes.items():
        made.needs[outcome] = tuple(needs(made, outcome, where))


def shares_text(made: DecisionTable) -> str:
    """How much of the shape each outcome and each rule has, the most first."""
    rows = [(sort_words(outcome), share) for outcome, share in made.shares.items()]
    rules = sorted(made.by_rule.items(), key=lambda row: -row[1])
    return "\n".join(
        ["of the situations of the shape", *(f"  {share:8.3%}  {said}" for said, share in sorted(rows, key=lambda r: -r[1])),
         "in which a rule speaks for what is decided", *(f"  {share:8.3%}  {rule}" for rule, share in rules)]
    )  # fmt: skip


def bound(made: DecisionTable) -> Iterator[str]:
    """What the shape of a table is, and what is not in it."""
    shape, f = made.shape, made.together.f
    keys = [key for key in f.keys if key[0] != RULE]
    yield (
        f"Shape: {len(keys)} facts that {len(shape.norms)} norms on the act and the chapters' scopes name, "
        f"{made.together.f.d.count(made.together.care, f.where):,} situations. In each relation stands one thing at most, of a "
        "kind that a rule asks for and otherwise as usual; numbers lie on either side of the limits that rules name; nothing has happened before."
    )
    reckoned = [key[2] for key in f.keys if key[0] == RULE]
    if reckoned:
        yield f"Not followed further: what {english.series(reckoned)} reckon{'s' if len(reckoned) == 1 else ''} from other facts; it is told in words."
    yield f"The reasoner settled {made.together.grower.leaves:,} cases, each whatever else is so; the rows are equal to what they come to."


def needs(made: DecisionTable, outcome: Outcome, where: int) -> Iterator[str]:
    """The rules that are not loaded and that an outcome takes besides: those named wherever it is so. Notes the closing rule on its way."""
    together, theory = made.together, made.shape.theory
    d = together.f.d
    if outcome.sort == BEYOND:
        yield from dict.fromkeys(
            s for there, term in together.states() for s in turning.elsewhere(theory, term) if d.meet(where, there)
        )
        return
    under = [rows for rows, there in together.combinations if d.meet(there, where)]
    always = [row for row in made.shape.rows if all(row in rows for rows in under)]
    closed = [
        row
        for row in turning.narrowest(theory, [r for r in always if r.by or r.kind != m.WHOLLY])
        if row.kind == m.WHOLLY
    ]
    if outcome.sort == SILENT and closed:
        made.closing = closed[0].by
    elif outcome.verdict in (p.PERMITTED, p.OUTSIDE):
        yield from turning.of_rows(theory, [row for row in always if row.kind != m.WHOLLY], ()).needs
