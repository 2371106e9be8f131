"""The built-ins by the names that the ontology calls them by: sides, history, the map, groups.

A term says `lp:derivedBy "NAME ARGUMENT …"`; `faults` holds the terms of a book against the table, when they are loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from kb.errors import Problem, did_you_mean
from kb.language import norms as m
from kb.language.vocabulary import Vocabulary
from kb.reasoner import map_builtins
from kb.reasoner.builtin import CLASS, NUMBER, RELATION, Args, Builtin
from kb.reasoner.connectivity import Connected
from kb.reasoner.hexgrid import SHAPES
from kb.reasoner.history import Before, Done, Parted, Run, Told
from kb.reasoner.sides import Sides
from kb.reasoner.trace import Step, Thing
from kb.reasoner.world import Surroundings


class Things(Builtin):
    """Everything of a class that the case speaks of."""

    name, takes, gives = "things", (1, 1), (RELATION,)

    def related(self, s: Surroundings, args: Args, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
        """All others that are of it."""
        for y in list(s.things.values()):
            if y is not x and any(args[0] in s.vocabulary.classes[c].ancestors for c in y.facts.is_):
                yield y, False

    def complete(self, s: Surroundings, args: Args, x: Thing) -> bool:
        """Where the case speaks of one: of what nobody mentions (the weather) it is not known that there is none."""
        return any(True for _ in self.related(s, args, "", x))


class Elsewhere(Builtin):
    """What rules that are not loaded say of a thing: open, but where the case says that they say nothing."""

    name, gives = "rules elsewhere", (CLASS,)

    def member(self, s: Surroundings, args: Args, cls: str, x: Thing, focus: Thing) -> Step:
        """As the case has it of all such rules: nothing else tells it."""
        return Step(m.Named(cls), x, False if s.case.elsewhere else None, "module", (), False)


KINDS = {CLASS: "class", RELATION: "relation", NUMBER: "number"}
REGISTERED: dict[str, Builtin] = {
    one.name: one
    for one in (
        Sides(), Done(), Before(), Told(), Parted(), Run(), Connected(), Things(), Elsewhere(),
        map_builtins.Adjacent(), map_builtins.Between(), map_builtins.Apart(), map_builtins.Within(), map_builtins.Range(),
        map_builtins.Nearest(),
    )
} | {f"grid {shape}": map_builtins.Shape(shape) for shape in SHAPES}  # fmt: skip


@cache
def named(derived: str) -> tuple[Builtin, tuple[str, ...]]:
    """The built-in that a term is derived by, and its arguments. Raises KeyError for one that is not registered."""
    words = tuple(derived.split())
    name = " ".join(words[:2]) if " ".join(words[:2]) in REGISTERED else words[0]
    return REGISTERED[name], words[len(name.split()) :]


def faults(vocabulary: Vocabulary) -> list[Problem]:
    """What is wrong with the terms that say they are derived: each names a built-in that works out terms of its kind."""
    rows = [(name, CLASS, term.derived) for name, term in vocabulary.classes.items()]
    rows += [(name, term.kind, term.derived) for name, term in vocabulary.properties.items()]
    return [problem for name, kind, derived in rows if derived for problem in fault(name, kind, derived)]


def fault(term: str, kind: str, derived: str) -> Iterator[Problem]:
    """What is wrong with one term, and what to do."""
    said = f"{term} is derived by “{derived}”"
    try:
        one, args = named(derived)
    except KeyError:
        hint = did_you_mean(derived, sorted(REGISTERED), "built-ins:")
        yield Problem(417, f"{said}, and there is no such built-in", hint=hint)
        return
    least, most = one.takes
    if len(args) not in range(least, most + 1, one.by):
        takes = " or ".join(map(str, range(least, most + 1, one.by)))
        yield Problem(417, f"{said}, with {len(args)} arguments", hint=f"give it {takes}")
    if kind not in one.gives:
        hint = f"it works out a {' or a '.join(KINDS[k] for k in one.gives)}"
        yield Problem(417, f"{said}, and is a {KINDS.get(kind, kind)}", hint=hint)


def member(situation: Surroundings, derived: str, cls: str, x: Thing, focus: Thing) -> Step:
    """Whether x is a cls as it is derived, seen from the actor of `focus`."""
    one, args = named(derived)
    return one.member(situation, args, cls, x, focus)


def related(situation: Surroundings, derived: str, name: str, x: Thing) -> Iterator[tuple[Thing, bool]]:
    """The things x is related to by a derived property, each with whether a presumption stands behind it."""
    one, args = named(derived)
    return one.related(situation, args, name, x)


def undecided(situation: Surroundings, derived: str, x: Thing) -> Iterator[Thing]:
    """The things that x may be related to by a derived property, for all that is told."""
    return named(derived)[0].undecided(situation, x)


def settled(situation: Surroundings, derived: str, x: Thing) -> bool:
    """Whether it is known of everything but what is `undecided` that x is not related to it."""
    return named(derived)[0].settled(situation, x)


def complete(situation: Surroundings, derived: str, x: Thing) -> bool:
    """Whether it is known of everything that x is related to by a derived property, so that nothing is presumed."""
    one, args = named(derived)
    return one.complete(situation, args, x)


def number(situation: Surroundings, derived: str, x: Thing) -> Fraction | None:
    """A derived quantity of x; None when it cannot be worked out."""
    one, args = named(derived)
    return one.number(situation, args, x)
