"""What players say in other words, before a sentence is read: conditions in front of the question, who stands where, words that tell nothing.

Nothing that the book has a word for is touched, and each word that is left out here tells nothing of how things are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.english.forbidding import forbidden, used
from kb.english.idioms import restated
from kb.english.lexicon import KIND, Lexicon
from kb.english.plain import plainly_said, reworded
from kb.english.references import PLACE
from kb.english.words import Word

ASKING = frozenset(["may", "can", "could", "must", "shall", "what", "which", "how", "who"])
ASKING_OF = frozenset(["is", "are", "does", "do"])  # … the squad, it
POSSIBLE = frozenset(["possible", "allowed", "legal", "permitted", "permissible", "lawful", "ok", "okay"])
NEXT = frozenset(["next", "neighbouring", "neighboring"])
# Another turn than that which is asked about, or than that in which it was told that something happened.
UNTOLD = re.compile(
    r"(?:how (?!many|much)|where|what|which|who|when)\b.* (?:is|are) not (?:told|stated|known|given|said)"
    r"|nothing is (?:told|stated|known|said) (?:about|of) (?:how (?!many|much)|where|what|which|who|when)\b.*"
    r"|(?:the|its|their) (?:\w+ )?(?:kind|type|sort|colour|color|make)(?: of .*)? (?:is|are) not (?:told|stated|known|given|said)"
)


def worded(sentences: Sequence[list[Word]], known: Lexicon) -> list[list[Word]]:
    """The sentences of a text as they are read."""
    found: list[list[Word]] = []
    asked = False
    for line in sentences:
        if UNTOLD.fullmatch(" ".join(word.low for word in line)):
            continue  # what nobody told is asked for anyway
        question = not asked and bool({w.low for w in line[:2]} & ASKING or line[0].low in ASKING_OF)
        asked = asked or question
        found.append(plainly(plainly_said(line, known), known, question, bool(found)))
    return [line for line in found if line]


def plainly(line: list[Word], known: Lexicon, question: bool, told_before: bool) -> list[Word]:
    """A sentence in the words that are read, without those that tell nothing; the next hex told as one that is adjacent."""
    line = restated(used(forbidden(line, known, told_before)) if question else line, question)
    line = reworded(line, question, known)
    kinds = [found.of(KIND) if (found := known.at(line, n, (KIND,))) is not None else None for n in range(len(line))]
    places = [kind is not None and PLACE in known.vocabulary.classes[kind.name].ancestors for kind in kinds]
    beside = [n for n in range(len(line) - 1) if line[n].low in NEXT and places[n + 1] and known.at(line, n) is None]
    return [Word("adjacent", word.start, word.end) if n in beside else word for n, word in enumerate(line)]
