"""Says a text otherwise until it is read whole: the nearest of the other ways of saying it, which tell the same, first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from kb.english.lexicon import Lexicon
from kb.english.normal import Text, ways
from kb.english.plain import plainly_said
from kb.english.unread import Reading

DEEPEST = 4  # ways of saying it one upon the other
MOST_READINGS = 80  # that are made of a text
MOST_TRIES = 15_000  # ways of reading that are tried in them
NAMES = frozenset(["a", "an", "the"])


def first_whole(lines: Text, known: Lexicon, read: Callable[[Text], Reading]) -> Reading | None:
    """The first reading of a text, said otherwise, of which everything is understood; None where there is none."""
    whole = searched([plain for line in lines if (plain := plainly_said(line, known))], known, read)
    if whole is None:
        return None
    told, reading = whole
    return replace(reading, said=". ".join(" ".join(word.text for word in line) for line in told))


def searched(lines: Text, known: Lexicon, read: Callable[[Text], Reading]) -> tuple[Text, Reading] | None:
    """The first way of saying a text of which everything is understood, with its reading."""
    found = read(lines)
    if not found.unread:
        return lines, found
    order, seen, readings, tries = count(), {spelled(lines)}, 1, found.tries
    queue = [(len(found.unread), 0, next(order), lines, found)]
    while queue:
        _, depth, _, lines, so_far = heappop(queue)
        for at in concerned(so_far, lines):
            for told in ways(lines, at, known):
                if spelled(told) in seen:
                    continue
                seen.add(spelled(told))
                reading = read(told)
                if not reading.unread:
                    return told, reading
                if depth < DEEPEST:
                    heappush(queue, (len(reading.unread), depth + 1, next(order), told, reading))
                readings, tries = readings + 1, tries + reading.tries
                if readings > MOST_READINGS or tries > MOST_TRIES:
                    return None
    return None


def spelled(lines: Text) -> tuple[tuple[str, ...], ...]:
    """Sentences by their words alone."""
    return tuple(tuple(word.text for word in line) for line in lines)


def concerned(found: Reading, lines: Text) -> list[int]:
    """The sentences in which something is not understood, or which speak of what is not."""
    rows = [row for row in found.unread if row.end]
    at = [n for n, line in enumerate(lines) if any(r.start <= w.start < r.end for r in rows for w in line)]
    about = {word for row in found.unread if not row.end for word in row.text.casefold().split()}
    at += [n for n, line in enumerate(lines) if about & {word.low for word in line} - NAMES]
    return at or [*range(len(lines))]
