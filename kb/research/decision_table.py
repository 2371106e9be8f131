"""When an act may be done: the rules on it as the shortest list of conditions, proven equal to them over a stated shape.

    made = table(theory, situation(theory, "Entry", {"destination": ("Pillbox",)}))
    text(made, 80)

A situation has who acts, where he is, and what the act is told with; what else the rules on it read is an input of the table. The
rows are in English, with the rules that they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.answers.replies import act as act_named
from kb.cases import reader
from kb.language import english, norms as m
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p, scope_acts
from kb.reasoner.scope import narrowest, of_rows
from kb.research.bdd import FALSE
from kb.research.decision_rows import BEYOND as BEYOND, SILENT, DecisionTable as DecisionTable, Outcome, Together, rows
from kb.research.decision_shape import Shape
from kb.research.decision_text import text as text
from kb.research.decision_trees import TooWide as TooWide
from kb.rulebook.theory import Theory

ACTOR, HERE, SIDES = "unit", "here", ("Friendly",)


def situation(vocabulary: Vocabulary, book: str, act: str, roles: Mapping[str, Sequence[str]], kind: str = "may") -> Case:
    """The situation in which an act is asked about. roles: by relation of the act, the classes of what it leads to. Raises CaseError."""
    classes, known = vocabulary.classes, vocabulary.properties
    is_ = act_named(vocabulary, act)
    name = classes[is_[0]].label
    things: dict[str, Facts] = {}
    links: dict[str, tuple[str, ...]] = {}
    if "actor" in known:
        doer = roles.get("actor") or ((("Unit",) if "Unit" in classes else ()) + tuple(n for n in SIDES if n in classes))
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
    together = Together(Shape(theory, case))
    made = DecisionTable(together.shape, rows(together), together, title or called(theory, case))
    measured(made)
    return made


def called(theory: Theory, case: Case) -> str:
    """`WHEN MAY IT BE DONE: an entry (destination: a pillbox)`."""
    classes = theory.vocabulary.classes
    act = case.things[case.question.thing]
    ends = [
        f"{theory.vocabulary.properties[role].label}: {english.series([english.noun(classes[c]) for c in case.things[end].is_])}"
        for role, (end,) in act.links.items() if role != "actor"
    ]  # fmt: skip
    said = english.article(classes[act.is_[0]].label)
    return f"{said.upper() if False else said[:1].upper() + said[1:]}{' (' + '; '.join(ends) + ')' if ends else ''}: when it may be done, and when not"


def measured(made: DecisionTable) -> None:
    """Puts to a table how much of its shape each outcome and each rule has, and what is needed besides."""
    together, d = made.together, made.together.f.d
    over = together.f.where
    whole = d.count(together.care, over) or 1
    outcomes = together.outcomes()
    made.shares = {o: d.count(where, over) / whole for o, where in outcomes.items()}
    for outcome, where in outcomes.items():
        made.needs[outcome] = tuple(needs(made, outcome, where))


def needs(made: DecisionTable, outcome: Outcome, where: int) -> Iterator[str]:
    """The rules that are not loaded and that an outcome takes besides: those named wherever it is so. Notes the closing rule on its way."""
    together, theory = made.together, made.shape.theory
    d = together.f.d
    if outcome.sort == BEYOND:
        yield from dict.fromkeys(s for key in together.states() for s in scope_acts.home(theory, theory.vocabulary.classes[key[2]]) if d.both(where, d.var(together.f.vars[key][0])) != FALSE)
        return
    under = [rows for rows, there in together.combinations() if d.both(there, where) != FALSE]
    always = [row for row in made.shape.rows if all(row in rows for rows in under)]
    closed = [row for row in narrowest(theory, [r for r in always if r.by or r.kind != m.WHOLLY]) if row.kind == m.WHOLLY]
    if outcome.sort == SILENT and closed:
        made.closing = closed[0].by
    elif outcome.verdict in (p.PERMITTED, p.OUTSIDE):
        yield from of_rows(theory, [row for row in always if row.kind != m.WHOLLY], ()).needs
