"""What is told as it will be, or would be, told as it is: both will fire, it would cross the hexside, has not fired yet.

A case has one time in which things are as they are told. What other time a verb is of, where that tells nothing more, is taken out here.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.english.lexicon import DEED, DETERMINERS, LINK, Lexicon
from kb.english.words import Word
from kb.language import english

AUXILIARY = frozenset(["will", "would", "shall"])
STATING = {"be": "is", "have": "has", "lie": "lies", "stand": "stands"}
GOING = (["are", "going", "to"], ["is", "going", "to"], ["is", "about", "to"], ["are", "about", "to"])
DENYING = frozenset(["not", "never", "no", "n't"])
STATES = frozenset(["able", "is", "are", "was", "were", "has", "have"])
YET, OTHERWISE = "yet", "otherwise"


def tensed(line: Sequence[Word], known: Lexicon, question: bool) -> list[Word]:
    """A sentence with what will or would be told as what is. A question is left as it is, and so is what would otherwise be."""
    found: list[Word] = []
    at = 0
    while at < len(line):
        word, low = line[at], line[at].low
        after = line[at + 1].low if at + 1 < len(line) else ""
        denied = any(w.low in DENYING for w in found) or after in DENYING
        if low in AUXILIARY and found and not question and after != "like":
            if (form := finite(line, at + 1, known)) is not None:
                found.append(Word(form, word.start, line[at + 1].end))
                at += 2
                continue
        elif [w.low for w in line[at : at + 3]] in [*GOING] and found and not question:
            if finite(line, at + 3, known) is not None:
                at += 3
                continue
        elif low == OTHERWISE and after in ("", ",") and not question and any(w.low in STATES for w in found):
            at += 1
            continue
        elif low == "target" and question and found and found[-1].low not in DETERMINERS and after in DETERMINERS:
            found.append(Word("attack", word.start, word.end))  # may they target it
            at += 1
            continue
        elif low == "here" and question and found and after in ("", ","):
            found += [Word(w, word.start, word.end) for w in ("in", "this", "hex")]
            at += 1
            continue
        elif low == YET and denied and ((found and found[-1].low in DENYING) or after in ("", ",", "and", "but")):
            at += 1
            continue
        found.append(word)
        at += 1
    return found


def finite(line: Sequence[Word], at: int, known: Lexicon) -> str | None:
    """The verb there as it is told of what is; None where no verb of the book stands there, or it is said what would otherwise be."""
    if at >= len(line) or line[at].low == OTHERWISE or any(w.low == OTHERWISE for w in line[at:]):
        return None
    if line[at].low in STATING:
        return STATING[line[at].low]
    told = english.plural(line[at].plain)
    for form in (line[at].plain, told):
        meant = known.at([*line[:at], Word(form, line[at].start, line[at].end), *line[at + 1 :]], at, (DEED, LINK))
        if meant is not None:
            return told
    return None
