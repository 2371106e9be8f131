"""What players say in other words, before a sentence is read: conditions in front of the question, who stands where, words that tell nothing.

Nothing that the book has a word for is touched, and each word that is left out here tells nothing of how things are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.english.asides import BE
from kb.english.forbidding import forbidden, used
from kb.english.idioms import restated
from kb.english.lexicon import DETERMINERS, KIND, Lexicon
from kb.english.nouns import SPOT
from kb.english.plain import plainly_said
from kb.english.references import PLACE
from kb.english.tenses import tensed
from kb.english.words import Word

ASKING = frozenset(["may", "can", "could", "must", "shall", "what", "which", "how", "who"])
ASKING_OF = frozenset(["is", "are", "does", "do"])  # … the squad, it
SUBJECTS = DETERMINERS | {"it", "he", "they", "she", "i", "we", "any", "another", "there"}
IN_FRONT = frozenset(
    ["if", "when", "while", "once", "after", "because", "since", "suppose", "assume", "assuming", "given", "provided"]
)
SUPPOSING = ("suppose", "supposing", "assume", "assuming", "imagine", "say")
POSSIBLE = frozenset(["possible", "allowed", "legal", "permitted", "permissible", "lawful", "ok", "okay"])
RESTRICTING = frozenset(["only", "alone", "merely"])  # of what is told to be there: nothing else is, as always
BINDING = frozenset(
    ["if", "when", "not", "after", "once", "by", "in", "during", "on", "at", "with", "against", "from", "to", "through", "for", "half", "one"]
)  # fmt: skip  # what only would make a condition of
BOUNDS = frozenset(["nor", "or", "and", "but", "to", "in", "inside", "outside", "adjacent", "that", "which", "is"])
ORDERLY = re.compile(
    r"(?:inside|within|in) (?:the|his|her|their|its|my|our) (?:player 's |owner 's |side 's |own )?set-?up (?:area|zone)"
    r"|the (?:scenario|oob|scenario 's oob) (?:provides|includes|allows|has) (?:it|him|them|the \w+|this \w+)"
    r"(?: and (?:sets|adds|names|gives) no (?:\w+ )?(?:limit|rule|restriction)s?(?: of its own)?)?"
    r"|with (?:(?:enough|sufficient|some|his|its) )?(?:movement(?: points)?|mf|mp)(?: (?:left|remaining|to spare))?"
    r"|and (?:(?:it|he|they) )?(?:has|have) (?:(?:enough|sufficient|the) )?(?:movement points|mf|mp)(?: left)?(?: for (?:it|that|the terrain|the hex))?"
)
TIMES = [[word, *after] for word in ("phase", "turn") for after in ([], [","], ["."], ["and"])]
ENDING_TIMES = [[word, *after] for word in ("phase", "turn") for after in ([], [","])]
# Another turn than that which is asked about, or than that in which it was told that something happened.
UNTOLD = re.compile(
    r"(?:how (?!many|much)|where|what|which|who|when)\b.* (?:is|are) not (?:told|stated|known|given|said)"
    r"|nothing is (?:told|stated|known|said) (?:about|of) (?:how (?!many|much)|where|what|which|who|when)\b.*"
    r"|(?:the|its|their) (?:\w+ )?(?:kind|type|sort|colour|color|make)(?: of .*)? (?:is|are) not (?:told|stated|known|given|said)"
)
TURN = r"(?:(?:in|during|on) )?(?:{who} )?(?:{which}) (?:player |game )?turn"
OWNERS = r"(?:the|its|his|her|their|my|our)(?: (?:owner|player) 's)?"
EARLIER = re.compile(
    TURN.format(who=OWNERS, which="last|previous|preceding|earlier|prior")
    + r"|in an earlier (?:player |game )?turn|(?:the|a) turn (?:before|earlier|ago)"
)
LATER = re.compile(TURN.format(who=OWNERS, which="next|following|subsequent") + r"|(?:the|a) turn (?:after|later)")
TIMED = ((EARLIER, "turn-before"), (LATER, "turn-after"))
LONGEST_TIME = 7  # words
OUTCOMES = frozenset(["outcome", "outcomes", "result", "results", "effect", "effects"])


def worded(sentences: Sequence[list[Word]], known: Lexicon) -> list[list[Word]]:
    """The sentences of a text as they are read."""
    found: list[list[Word]] = []
    asked = False
    for line in sentences:
        if UNTOLD.fullmatch(" ".join(word.low for word in line)):
            continue  # what nobody told is asked for anyway
        for part in parted(line, bool(found)):
            question = not asked and bool({w.low for w in part[:2]} & ASKING or part[0].low in ASKING_OF)
            asked = asked or question
            plain = plainly(plainly_said(part, known), known, question, bool(found))
            if plain:
                found.append(plain)
    return found


def parted(line: list[Word], told_before: bool) -> list[list[Word]]:
    """A sentence with its condition in front, as two: If he is pinned, may he move? Of one named afterwards, behind the question."""
    if line[0].low in (*ASKING, *ASKING_OF) or line[0].low not in IN_FRONT:
        return [line]
    for n in range(2, len(line) - 1):
        if line[n].text != ",":
            continue
        at = n + 1 + (line[n + 1].low == "then")
        after = [word.low for word in line[at : at + 2]]
        if len(after) > 1 and (after[0] in ASKING or (after[0] in ASKING_OF and after[1] in SUBJECTS)):
            if line[1].low.endswith("ing") or (line[1].low in ("it", "he", "they") and not told_before):
                return [[*line[at:], *line[:n]]]  # after firing, may he move: of him who is asked about
            return [line[1:n], line[at:]]
    return [line]


def between(line: list[Word]) -> list[Word]:
    """A sentence with a way told by its two hexes, L44-M45, as one between them."""
    found: list[Word] = []
    for word in line:
        if found and SPOT.fullmatch(found[-1].text) and SPOT.fullmatch(word.text) and found[-1].end + 1 == word.start:
            here = found.pop()
            while found and found[-1].low in ("across", "hexside", "the"):
                found.pop()
            found += [Word("between", here.start, here.end), here, Word("and", here.end, word.start)]
        found.append(word)
    return found


def ordered(line: list[Word]) -> list[Word]:
    """A sentence without what says that something is done where the rules want it, which is not asked about."""
    for n in range(len(line)):
        for m in range(n + 1, len(line) + 1):
            if ORDERLY.fullmatch(" ".join(w.low for w in line[n:m])) and (m == len(line) or line[m].sign):
                return line[: n - (n > 0 and line[n - 1].text == ",")] + line[m:]
    return line


def timed(line: list[Word]) -> list[Word]:
    """A sentence with another turn told in one word, behind the clause that it goes with."""
    found: list[Word] = []
    first: Word | None = None
    at = 0
    while at < len(line):
        ends = range(min(len(line), at + LONGEST_TIME), at + 1, -1)
        told = (
            (end, name) for end in ends for form, name in TIMED if form.fullmatch(" ".join(w.low for w in line[at:end]))
        )
        end, name = next(told, (0, ""))
        if name and line[end - 1 : end + 1][-1].low not in ("'s",):
            word = Word(name, line[at].start, line[end - 1].end)
            first, at = (word, end) if not found else (first, end)
            found += [word] if found else []
            at += first is word and at < len(line) and line[at].text == ","
            continue
        if first is not None and line[at].text == ",":
            found.append(first)
            first = None
        found.append(line[at])
        at += 1
    return found if first is None else [*found, first]


def anaphoric(line: list[Word], question: bool) -> list[Word]:
    """A sentence with `one` as what it stands for: neither a Beach hex nor adjacent to one."""
    for n in range(2, len(line)):
        last = n + 1 == len(line) or line[n + 1].sign
        if line[n].low != "one" or line[n - 1].low not in ("to", "in", "inside", "outside") or not last or question:
            continue
        starts = [k for k in range(n - 1) if line[k].low in ("a", "an")]
        if not starts:
            continue
        end = next(k for k in range(starts[-1] + 1, n) if line[k].low in BOUNDS or line[k].sign)
        told = [Word(w.text, line[n].start, line[n].end) for w in line[starts[-1] : end]]
        return [*line[:n], *told, *line[n + 1 :]] if len(told) > 1 else line
    return line


def place_named(line: list[Word], at: int, known: Lexicon) -> bool:
    """Whether a place is named there."""
    stretch = known.at(line, at, (KIND,)) if at < len(line) else None
    sense = stretch.of(KIND) if stretch is not None else None
    return sense is not None and PLACE in known.vocabulary.classes[sense.name].ancestors


def plainly(line: list[Word], known: Lexicon, question: bool, told_before: bool) -> list[Word]:
    """A sentence without the words that tell nothing, and who stands somewhere told as being there."""
    found: list[Word] = []
    line = restated(used(forbidden(line, known, told_before)) if question else line, question)
    line = tensed(anaphoric(ordered(timed(between(line))), question), known, question)
    named = [(i, stretch.length) for i in range(len(line)) if (stretch := known.at(line, i)) is not None]
    covered = {n for i, length in named for n in range(i, i + length)}
    at = (
        2
        if [w.low for w in line[:2]] in [[s, "that"] for s in SUPPOSING]
        else int(bool(line) and line[0].low in SUPPOSING)
    )
    while at < len(line):
        word, low = line[at], line[at].low
        after = line[at + 1].low if at + 1 < len(line) else ""
        before = found[-1].low if found else ""
        if low == "would" and after in ("be", "have"):  # what is asked about, told as it would be then
            found.append(Word("is" if after == "be" else "has", word.start, word.end))
            at += 2
            continue
        if low in ("in", "during") and after == "this" and [w.low for w in line[at + 2 : at + 4]] in TIMES:
            at += 1
            continue
        if (low == "next" and after == "to") or (
            low in ("next", "neighbouring", "neighboring") and place_named(line, at + 1, known) and at not in covered
        ):
            found.append(Word("adjacent", word.start, word.end))
        elif low in ("kind", "type", "sort") and after == "of" and before in ("a", "the") and at not in covered:
            at += 1  # a kind of pillbox
        elif (
            low in OUTCOMES
            and after == "of"
            and before == "the"
            and line[at + 2 : at + 3]
            and line[at + 2].low in DETERMINERS
        ):
            found.pop()
            at += 1  # affected by the outcome of the attack
        elif low == "at" and after == "once" and known.at(line, at) in (None, known.at(line[: at + 1], at)):
            at += 1
        elif at in covered:
            found.append(word)
        elif low == "," and after in ("too", "either", "though") and (at + 2 == len(line) or line[at + 2].sign):
            at += 1
        elif (low == "alone" and before not in BE) or (
            low in RESTRICTING and not question and after not in BINDING and before not in (*ASKING, "not")
        ):
            pass
        elif low == "this" and [w.low for w in line[at + 1 : at + 3]] in ENDING_TIMES and found:
            at += 1
            if before == "of":
                found.pop()  # in the Movement Phase of this turn
        elif low == "such":
            if after not in ("a", "an"):
                found.append(Word("this", word.start, word.end))
        else:
            found.append(word)
        at += 1
    return found
