"""Words that a rule is often tried with and that the language has not, or not there: how the same is said in it."""

from __future__ import annotations

OWN_LINE = "begin a line of its own with it"
EVENT = "on an event: causes, ends, raises, lowers or sets … of PATH (actor, this, each X) on EVENT; for a duty, cause a state and require the act of who is so"
SPAN = "so many of the events that end it: until 2 EVENT, on a line of its own"
ROUND = "sets QUANTITY of CLASS to ceil(otherwise(QUANTITY) / 2); floor rounds down"
BUT = "the widest act in the head, and below it: when none of (ACT, ACT)"
FORBIDS, REQUIRES, PERMITS = "write forbids ACT", "write requires ACT", "write permits ACT"
INSTEAD = {
    "on": EVENT, "for": SPAN, "second": SPAN, "third": SPAN, "next": SPAN, "after": EVENT, "during": "ask for it: when PATH some STATE",
    "rounds": ROUND, "rounded": ROUND, "rounding": ROUND, "up": ROUND, "down": ROUND,
    "but": BUT, "else": BUT, "everything": BUT, "anything": BUT, "other": BUT,
    "must": REQUIRES, "should": REQUIRES, "shall": REQUIRES, "may": PERMITS, "can": PERMITS, "cannot": FORBIDS, "is": "write counts CLASS as CLASS",
    "if": "write when CONDITION", "while": "write when CONDITION", "whenever": "write when CONDITION", "except": "write unless label: CONDITION",
    "when": OWN_LINE, "unless": OWN_LINE, "until": OWN_LINE, "over": OWN_LINE,
    "divides": "write multiplies … by 1/2", "halves": "write multiplies … by 1/2", "doubles": "write multiplies … by 2",
    "gains": "write raises or causes … on EVENT", "loses": "write lowers or ends … on EVENT", "removes": "write ends … on EVENT",
    "resets": "write sets QUANTITY of PATH to NUMBER on EVENT",
}  # fmt: skip


def instead(word: str) -> str:
    """How to say what a word that cannot stand there was meant to say; "" where that is not known."""
    return INSTEAD.get(word, "")
