"""What may be done with a kind of thing: the acts of which norms ask whether such a thing has a part in them, each as a case that a
talk goes on from.

uses(theory, "Pillbox") -> (("may one move into the pillbox?", case as YAML), …)
"""

from __future__ import annotations

from collections import Counter

from kb.answers import reads
from kb.answers.moments import DOER, fresh
from kb.language import phrases
from kb.rulebook.theory import Theory
from kb.yaml_document import written

MOST, FROM = 12, "from"


def uses(theory: Theory, name: str) -> tuple[tuple[str, str], ...]:
    """What may be done with a kind of thing, those on which most norms turn first."""
    known = theory.vocabulary
    akin = {n for n in known.classes[name].ancestors if known.own(n)} | {name}
    often: Counter[tuple[str, str]] = Counter()
    for norm in theory.deontic:
        found = reads.Reads()
        reads.walk(theory, found, norm.when, (), 0)
        for (way, role), kinds in found.lists.items():
            if not way and not akin.isdisjoint(kinds):
                act = norm.head.act  # type: ignore[union-attr]
                often[act, told_by(theory, act, role)] += 1
    rows: dict[tuple[str, bool], tuple[str, str]] = {}
    for (act, role), _ in often.most_common():
        if (act, role == FROM) not in rows and (said := question(theory, act, role, name)):
            rows[act, role == FROM] = said, case(theory, act, role, name)
    return tuple(rows.values())[:MOST]


def told_by(theory: Theory, act: str, role: str) -> str:
    """The relation by which a player tells what norms ask for by another: a place is moved into, a target fired at."""
    below = theory.vocabulary.properties[role].below
    where = "destination" if "Entry" in theory.vocabulary.classes[act].ancestors else "place"
    return next((n for n in ("target", where, "object") if n in below), role)


def question(theory: Theory, act: str, role: str, name: str) -> str:
    """Whether it may be done, of the thing in a relation: `may one move into the pillbox?`; "" where there is no verb for it."""
    known = theory.vocabulary
    the, does = f"the {known.classes[name].label}", role in known.doers
    who, others = (the, []) if does else ("one", [(role, the)])
    said = phrases.say_act(known, act, who, others, "may")
    return (
        f"may {who} {said.removeprefix(f'{who} may ')}?" if said.startswith(f"{who} may ") and "," not in said else ""
    )


def case(theory: Theory, act: str, role: str, name: str) -> str:
    """The case in which an act is done with a thing, as YAML."""
    classes = theory.vocabulary.classes
    done = fresh(classes[act].label, ())
    thing = fresh(classes[name].label, (done,))
    if role in theory.vocabulary.doers:
        things: dict[str, object] = {done: {"is": act, "actor": thing}, thing: {"is": [name, "Friendly"]}}
    else:
        things = {done: {"is": act, "actor": DOER, role: thing}, DOER: {"is": "Friendly"}, thing: {"is": name}}
    return written({"book": theory.book, "things": things, "ask": {"may": done}})
