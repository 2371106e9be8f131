"""What single rules turn on, asked of a case in which things are left open: the tests, the facts that they ask for, the words they read.

    of_norm(norm, act)(situation) -> (True | False | None, steps)     and so of a row of a scope, of a class, of a bar that lets be
    asked_for(situation, steps)   -> the facts that would settle them
    words_read(answer)            -> by thing, the words that rules can read of it from a question on

For what looks at rules one by one (kb.research.decisions), where the question is not what follows but what it hangs on. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import ClassTerm
from kb.reasoner import effects, scope, scope_acts
from kb.reasoner.abduction import Atom as Atom, atoms, leading as leading, witness as witness
from kb.reasoner.descent import below
from kb.reasoner.proof import Proof
from kb.reasoner.relevance import Walk
from kb.reasoner.scope import STATE as STATE, closes as closes, narrowest as narrowest, of_rows as of_rows
from kb.reasoner.scope_acts import names_of as names_of
from kb.reasoner.situation import Situation as Situation, apart
from kb.reasoner.staging import Effort as Effort, TooLong as TooLong
from kb.reasoner.trace import Outcome, Step
from kb.rulebook.theory import Theory

MOST_GOALS = 2_000_000  # of all the cases of one shape
MOST_FACTS = 300  # that are looked through for what would settle a test
# What is asked of a situation: whether it is so, and where it is open, the steps that say why.
Probe = Callable[[Situation], tuple[bool | None, tuple[object, ...]]]


def staged(theory: Theory, case: Case, effort: Effort | None = None) -> Situation:
    """A case, ready to be asked about. effort: what may be spent on it."""
    return effects.stage(theory, case, effort)


def of_norm(norm: m.Norm, act: str) -> Probe:
    """Whether a norm applies to an act."""

    def test(situation: Situation) -> tuple[bool | None, tuple[object, ...]]:
        found = situation.outcome(norm, situation.things[act])
        return found.status, (found,)

    return test


def of_row(row: m.ScopeRow, act: str) -> Probe:
    """Whether an act falls under a row of a chapter's scope."""

    def test(situation: Situation) -> tuple[bool | None, tuple[object, ...]]:
        x = situation.things[act]
        step = situation.member(x, row.term)
        if step.value is not False:
            step = scope.met(situation, row, x, step)
        return step.value, (step,)

    return test


def of_notion(thing: str, cls: str) -> Probe:
    """Whether the rules make a thing one of a class."""

    def test(situation: Situation) -> tuple[bool | None, tuple[object, ...]]:
        step = situation.member(situation.things[thing], cls)
        return step.value, (step,)

    return test


def of_freed(norm: m.Norm, act: str) -> Probe:
    """Whether a bar speaks of an act and lets it be: all of its condition is so but what the case states otherwise."""

    def test(situation: Situation) -> tuple[bool | None, tuple[object, ...]]:
        x = situation.things[act]
        found = situation.outcome(norm, x)
        if found.status is not False:
            return (False if found.status else None), (found,)
        if found.exception is not None and found.when is not None and found.when.value is None:
            return None, (found.when,)
        if found.exception is None and (found.head is None or found.head.value is True):
            told = (
                step for step in scope_acts.spoken(situation, found, x) if step.why != "unbound"
            )  # no input tells that
            steps = tuple(step for step in told if step.value is None)
            if steps:
                return None, tuple(steps)
        return scope_acts.but_for(situation, found, x, scope_acts.otherwise), ()

    return test


def asked_for(situation: Situation, open_: tuple[object, ...]) -> Iterator[Atom]:
    """The facts that would settle some open steps, what the rules ask for first."""
    yield from atoms(situation, open_, unknown=True, most=MOST_FACTS)


def relations_open(steps: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    """The things and relations of which it is open what stands in them, as some open steps came upon them: those that conditions name,
    and those that paths from the focus of a norm begin with."""
    seen, queue = set[int](), [(step, "") for step in steps]
    while queue:
        now, focus = queue.pop(0)
        if id(now) in seen or getattr(now, "value", None) is not None:
            continue
        seen.add(id(now))
        if isinstance(now, Outcome):
            focus = now.focus.name
        if isinstance(now, Step):
            node = now.node
            if isinstance(node, m.Some | m.Only | m.Count | m.HasValue) and not node.role.inverse:
                yield now.thing.name, node.role.name
            if isinstance(node, m.HasValue | m.Same) and node.target.root == "this" and node.target.steps:
                yield focus, node.target.steps[0]
        queue += ((part, focus) for part in below(now))


def words_read(found: Proof, situation: Situation) -> Mapping[str, Mapping[str, None]]:
    """By thing, the words that rules can read of it from a question on."""
    walk = Walk(apart(situation))
    walk.question(found)
    walk.drain()
    return walk.tried


def elsewhere(theory: Theory, term: ClassTerm) -> tuple[str, ...]:
    """The rules that a state comes from, where none of them is loaded; none of what is no such state."""
    sources = tuple(scope.home(theory, term))
    here = any(s in theory.sections for s in scope_acts.split(term.source))
    return sources if STATE in term.ancestors and not term.derived and not here else ()
