"""Rule numbers: as people write them, whether two name one rule, and in which order they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable


def same_rule(asked: str, rule: str, aliases: Iterable[tuple[str, str]] = ()) -> bool:
    """Whether a number as people write it names this rule. aliases: (other spelling, chapter id) pairs of prefixes."""
    one, two = folded(asked), folded(rule)
    if one == two:
        return True
    for spelling, chapter in aliases:
        if two.startswith(folded(chapter)) and one == folded(spelling) + two.removeprefix(folded(chapter)):
            return True
    bare = re.sub(r"^[a-z]+", "", two)
    return bool(one) and one == bare


def folded(rule: str) -> str:
    """A rule number without case, spaces and hyphens."""
    return re.sub(r"[\s_–—-]+", "", rule.casefold()).strip(".")


def sort_key(rule: str) -> tuple[str, int, str]:
    """The place of a rule in the numbering: ("B", 30, "42") for B30.42; decimals compare digit by digit."""
    match = re.fullmatch(r"([A-Za-z]*)(\d*)(?:\.(\w+))?", rule)
    if not match:
        head, _, tail = rule.rpartition(".")
        return head, 0, tail.zfill(4)
    return match.group(1), int(match.group(2) or 0), match.group(3) or ""
