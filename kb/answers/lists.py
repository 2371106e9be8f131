"""One question put of every kind that an answer of a talk could have been: `May it cross wire? And what else?`

others(theory, now, data, n)     the case that asks which of them, as YAML; "" where there is no choice
kinds_like(theory, case, data)    the same of the thing asked about
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.answers.moments import Moment
from kb.answers.openings import SIDES, WIDE, Opening
from kb.answers.starts import plainest
from kb.language import english
from kb.language.case import Case
from kb.rulebook.theory import Theory
from kb.yaml_document import written

MOST, MOST_LIKE = 16, 30
INNER = ("may", "must", "is", "value")  # questions that may be put of each of a list


def others(theory: Theory, now: Moment, data: Mapping[str, Any], n: int) -> str:
    """The case that asks for which kinds the answer is yes, in the place of what the n-th answer named; "" where there is no choice."""
    passed = len(now.asked) - len(now.filled)  # questions that were passed over
    opening, case = now.filled[n - passed] if n >= passed else None, now.told
    if opening is None or case.question.kind not in INNER:
        return ""
    place, thing = where(case, opening)
    told = case.things[thing].is_ if thing in case.things else ()
    names = [name for name in dict.fromkeys((*told, *offered(theory, opening, told))) if name not in (*SIDES, *WIDE)][
        :MOST
    ]
    if not place or len(names) < 2:
        return ""
    return written({**data, "ask": {"which": names, "as": place, **data["ask"]}})


def kinds_like(theory: Theory, case: Case, data: Mapping[str, Any]) -> str:
    """The case that asks for which kinds like the thing asked about the answer is yes; "" for an act, and where there are none."""
    classes = theory.vocabulary.classes
    thing = case.question.thing
    facts = case.things.get(thing)
    if facts is None or not facts.is_ or case.question.kind not in INNER or "Act" in classes[facts.is_[0]].ancestors:
        return ""
    wide = [n for n in (facts.is_[0], *classes[facts.is_[0]].parents) if len(classes[n].descendants) > 1]
    names = [n for n in plainest(theory, wide[0]) if theory.vocabulary.own(n)] if wide else []
    return written({**data, "ask": {"which": names[:MOST_LIKE], "as": thing, **data["ask"]}}) if len(names) > 1 else ""


def offered(theory: Theory, opening: Opening, told: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds that a question offered; where it asked for one that is wide, or something below one was told, those below it."""
    above = english.all_above(theory.vocabulary, told) - {*told}
    wide = [n for n in opening.options if n in above] or [n for n in opening.options if n not in SIDES]
    below = plainest(theory, wide[0]) if len(wide) == 1 else []
    return tuple(below or wide)


def where(case: Case, opening: Opening) -> tuple[str, str]:
    """The place of the candidates, as `which` has it, and the thing that the answer put there."""
    about, things = case.question.thing, case.things
    if opening.kind == "is" and not opening.name:
        doers = things[about].links.get("actor", ()) if about in things else ()
        thing = opening.thing if opening.thing in things else next(iter(doers), "")
        return thing, thing
    if opening.kind != "link" or opening.thing not in things:
        return "", ""
    there = things[opening.thing].links.get(opening.name, ())
    place = opening.name if opening.thing == about else f"{opening.thing}.{opening.name}"
    return (place, there[0]) if len(there) == 1 else ("", "")
