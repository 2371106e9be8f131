"""What a theory is, as SHA-256: the same rules give the same figure on every machine, and no other rules do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec import Struct

from kb.language import norms as m

WHERE = ("place", "file")  # where something was read is no part of what it says


def of(*pieces: object) -> str:
    """The SHA-256 of some pieces of a rulebook, written in one way: sets sorted, numbers exact, places left out."""
    text = json.dumps([plain(piece) for piece in pieces], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def of_chapters(chapters: Mapping[str, m.Chapter], norms: Mapping[str, m.Norm], rest: object) -> dict[str, str]:
    """Each chapter's: its sections as they read, and its norms as they are in force. Under "", that of all with the rest."""
    found = {}
    for name, chapter in chapters.items():
        rules = {section.rule for section in chapter.sections}
        found[name] = of(chapter, [norms[n] for n in sorted(norms) if norms[n].rule in rules])
    return {**found, "": of(found, sorted(norms), rest)}


def plain(piece: object) -> Any:
    """A piece of a rulebook as JSON."""
    if piece is None or isinstance(piece, str | bool):
        return piece
    if isinstance(piece, list | tuple):
        return [plain(part) for part in piece]
    if isinstance(piece, int | Fraction):
        return str(piece)
    if isinstance(piece, set | frozenset):
        return sorted(json.dumps(plain(part), ensure_ascii=False) for part in piece)
    if isinstance(piece, Mapping):
        return {str(key): plain(piece[key]) for key in sorted(piece, key=str)}
    kind: Any = type(piece)
    return [kind.__name__, *(plain(getattr(piece, name)) for name in parts_of(kind))]


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a piece that say something. Raises TypeError for another class."""
    if not issubclass(kind, Struct):
        raise TypeError(f"a {kind.__name__} is no piece of a rulebook")
    return tuple(name for name in kind.__struct_fields__ if name not in WHERE)
