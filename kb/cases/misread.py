"""What to write instead of what a case says where something else is wanted: a list, a bound or a sum for a number, a state that is
denied by the word itself (`unbroken`), an expression where a question takes a name. Pure: messages and hints, no faults.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kb.language.vocabulary import PropertyTerm, Vocabulary
from kb.numbers import number, shown as numeral

NUMERAL = r"[+-]?\d+(?:\.\d+)?"
MOST = re.compile(
    rf"(?:within|up to|at most|no more than|no farther than|less than|under|<=?|≤)\s*({NUMERAL})\b.*", re.I
)
LEAST = re.compile(rf"(?:at least|no less than|more than|beyond|over|>=?|≥)\s*({NUMERAL})\b.*", re.I)
SUM = re.compile(rf"{NUMERAL}(?:\s*[-+*/]\s*{NUMERAL})+")
OPERATOR = re.compile(r"[-+*/]\s|\s[-+*/]|[()*+]|[<>=]")
COMPARISON = re.compile(r"!=|[<>=≤≥]")
COUNT = re.compile(r"(?:count|how many|number of)\b\W*(?:of\b)?\s*(?P<what>\w+)?", re.I)
WORDS = re.compile(r"[\w⅝\"'/?-]+(?:\s+[\w⅝\"'/?-]+)*")
KEPT = frozenset((
    "and", "or", "not", "that", "some", "only", "min", "max", "exactly", "value", "none", "of", "same", "as", "except",
    "true", "false", "inverse",
))  # fmt: skip
DENYING = ("not ", "un", "non-", "non", "in", "dis")


def shown(value: Any) -> str:
    """A value of a case as a person would write it: no list or number in Python's way."""
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(said)}" for key, said in value.items()) + "}"
    return numeral(value) if isinstance(value, Fraction) else str(value)


def no_number(key: str, value: Any) -> tuple[str, str]:
    """What is wrong with a value that is no number, and what to do about it."""
    text = shown(value)
    if isinstance(value, list):
        numbers = [item for item in value if number(item) is not None]
        if len(value) == 1 and numbers:
            return f"“{key}” is one number; here is a list of one, {text}", f"write {key}: {text}"
        return (
            f"“{key}” is one number; here are {len(value)}: {text}",
            f"write {key}: {shown(value[0]) if value else 'NUMBER'}, and the others of things of their own;"
            f" of what is not known write unknown: [{key}]",
        )
    said = text.strip()
    for pattern, end in ((MOST, "most"), (LEAST, "least")):
        if bound := pattern.fullmatch(said):
            hint = (
                f"write the number itself; where only the bound is known, the {end} that it may be: {key}: {bound[1]}"
            )
            return f"“{key}” is one number; “{said}” is a bound", hint
    if SUM.fullmatch(said):
        return f"“{key}” is one number; “{said}” is an expression", f"write what it comes to: {key}: NUMBER"
    return f"“{key}” is a number; “{text}” is none", 'write 3, 2.5 or "2 1/2"'


def no_quantity(text: str, thing: str, prop: PropertyTerm | None) -> tuple[str, str] | None:
    """What to do about what is asked for in a `value` question where it is not the name of a number; None for any other word."""
    if prop is not None or ((count := COUNT.match(text)) and count["what"]):
        what = prop.name if prop is not None else count["what"] if count else ""
        return (
            f"“value” takes the name of a number; “{text}” is {'a relation' if prop is not None else 'a count'}",
            f'ask whether there are so many: is: [{thing}, "{what} min 2"]; or for which it is so: which: [THING, THING], is: [each, …]',
        )
    if not OPERATOR.search(text):
        return None
    if COMPARISON.search(text):
        return f"“value” takes the name of a number; “{text}” is a condition", f'ask is: [{thing}, "{text}"]'
    return (
        f"“value” takes the name of one number; “{text}” is an expression",
        f'ask for each number by itself, or whether it comes to so much: is: [{thing}, "{text} = 2"]',
    )


def each(key: str) -> tuple[str, str]:
    """What to do about `each` where a class is wanted."""
    return (
        "“each” stands for the candidate of a “which” question and is no class",
        "which: [THING, THING], is: [each, CLASS]" if key == "is" else f"leave it out of “{key}”",
    )


def plain(text: str) -> bool:
    """Whether a condition is nothing but words, and so can only be meant for the label of a class."""
    return WORDS.fullmatch(text) is not None and KEPT.isdisjoint(text.split()) and not text[0].isdigit()


def denied(word: str, vocabulary: Vocabulary) -> str:
    """The class that a word denies: Broken for `unbroken` and `not Broken`, Unarmed for `armed`; "" for any other."""
    said = word.strip().casefold()
    for prefix in DENYING:
        for meant in (said.removeprefix(prefix) if said.startswith(prefix) else "", prefix + said):
            name = vocabulary.resolve(meant, [vocabulary.classes]) if meant and meant != said else None
            if name is not None and "State" in vocabulary.classes[name].ancestors:
                return name
    return ""
