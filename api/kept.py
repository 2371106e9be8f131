"""Answers and pages kept for whoever asks the same again: as many as their bytes allow, the longest unasked let go first."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

OVERHEAD = 200  # bytes that an entry takes beside what it holds


class Kept:
    """A memory of at most so many entries and bytes. bytes: what is in it."""

    def __init__(self, entries: int, most: int):
        self.entries, self.most, self.bytes = entries, most, 0
        self.found: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.found)

    def __contains__(self, key: Hashable) -> bool:
        return key in self.found

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, which is now the last asked for. Raises KeyError."""
        self.found.move_to_end(key)
        return self.found[key][0]

    def put(self, key: Hashable, value: Any) -> None:
        """Keeps a value where it fits; what else was asked for the longest ago makes room. One that takes an eighth of all is not kept."""
        size = OVERHEAD + weight(key) + weight(value)
        if not self.entries or size > self.most // 8:
            return
        self.drop(key)
        self.found[key] = value, size
        self.bytes += size
        while self.bytes > self.most or len(self.found) > self.entries:
            self.drop(next(iter(self.found)))

    def drop(self, key: Hashable) -> None:
        """Lets go of an entry, if it is there."""
        _, size = self.found.pop(key, (None, 0))
        self.bytes -= size


def weight(value: Any) -> int:
    """About how many bytes a plain value takes: its texts, and what is in its lists, maps and records."""
    total, left = 0, [value]
    while left:
        now = left.pop()
        total += sys.getsizeof(now, 64)
        if isinstance(now, dict):
            left += [*now, *now.values()]
        elif isinstance(now, (tuple, list, set, frozenset)):
            left += now
        elif not isinstance(now, (str, bytes, int, float, type(None))):
            names = getattr(type(now), "__dataclass_fields__", ()) or getattr(now, "__dict__", ())
            left += [getattr(now, name) for name in names]
    return total
