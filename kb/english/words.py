"""The words of a question, with where they stand: cut into sentences and clauses, each word as typed and in lower case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kb.numbers import IN_WORDS, number

WORD = re.compile(
    r"\d+(?:-\d+){2,}|"  # numbers in a row: a 1-3-5 pillbox
    r"\d+(?:/\d+|[.,]\d+)?[½⅓¼⅔¾]?|[½⅓¼⅔¾]"  # a number, with its unit run on to it taken apart: 5FP
    r"|[^\W\d_][\w’'#/⅝]*(?:-[\w’'#/]+)*"  # a word, with hyphens and apostrophes: non-Pioneer, pillbox's, TK#
    r"|[^\w\s]"
)
# “by 30.4”, “as far as 7.82 goes”, “(8.6)”: which rule somebody has in mind does not change what he asks.
CITED = re.compile(
    r"\([\"“]\?[\"”]\)|"  # a concealed ("?") squad: the sign of the word
    r"\(?\bEX(?:C)?:? ?[A-Z]{0,4}\d+\.\d+:?\)?|,? ?\bas far as [A-Z]{0,4}\d+\.\d+ goes,?|"
    r"(?:^|,? )(?:\b(?:received|given|granted|purchased) )?\b(?:[Bb]y|[Uu]nder|[Pp]er) (?:rule )?[A-Z]{0,4}\d+\.\d+,?|\([A-Z]{0,4}\d+\.\d+\)|\bquestion on [A-Z]{0,4}\d+\.\d+"
)
GOING = {  # what is moving in books: the verb, its third person, past and -ing form
    "go": "goes went going", "drive": "drives drove driving", "walk": "walks walked walking", "climb": "climbs climbed climbing",
    "crawl": "crawls crawled crawling", "come": "comes came coming",
}  # fmt: skip
SAME = {"put": "place", "puts": "places", "rolled": "rolls", "ran": "moved"} | {
    said: as_told for verb, forms in GOING.items() for said, as_told in zip((verb, *forms.split()), ("move", "moves", "moved", "moving"), strict=False)
}  # fmt: skip
METRIC = re.compile(r"(?<=[\"″”])/ ?\d+ ?cm\b")  # 16\"/40cm: the same once more
PAIR = re.compile(r"\b([A-Z]{1,2}\d{1,2})-([A-Z]{1,2}\d{1,2})\b")  # a way from one hex to another
SIGNED = re.compile(r"[+\-–−]$")
# What English has of its own: words that join others and are no term of a book.
PLAIN_WORDS = """
a an the its his their her my our your this that these those another any some each every other same both no not n't
never without it he she they him them itself there which who whose what what's how many much whether is are was were be
being been am has have had having does do did may can could might must shall need allowed permitted able in inside
within at on into onto to from out of off by with using via through across over past along against vs versus upon under
outside as for and or but nor if when while where after before then so please also too now still treated considered
counted use uses try make take takes made perform attempt conduct conducts conducting carry claim claimed taken attempted done used
conducted happens happen becomes become get gets receive leave provide give pay spend cost costs applies apply result
case like turn holds contains occupied held carries carrying possesses manning armed away distant near nearby about
provided given although though empty unoccupied vacant all else order otherwise possible nothing rule bars forbids
bears point section resolved stacking normal limits limit kept observed exceeded modification modifications modifier modifiers friendly own during target firer mover attacker weapon second third fourth fifth longer
entitled got behind rolls only just exactly possible necessary required obliged forced doubling halving doubles halves allows stated told known whether permits itself between different part taking participating participate participates current instead together purposely lawfully straight neither affect affects affected regarded kinds types sorts exist keep keeps good user holder possessor operator lists provides includes grants allots gave unless who greater higher more larger than less lower smaller above below least most equal exactly those up left right predesignated none game nobody i we me us first fail fails failed pass passes passed suffer suffers suffered
want wants wanting intends plans afterwards afterward subsequently add adds added runs twice outright either enough see determine decide
earlier here beforehand subject subjected once again since called harm hurt damage score scores scored exposed liable free clear nowhere close well turn-before turn-after join together long far wide high hold contain fit stack doubled halved time special scenario applies member foot stay stays stayed remain remains remained
later subsequently better worse stronger weaker because safe immune protected effect effects forbidden prohibited may-not fewest smallest largest lowest highest greatest biggest minimum maximum
"""
PLAIN = frozenset(PLAIN_WORDS.split())
TELLING_NOTHING = frozenset(
    ["purposely", "lawfully", "straight", "directly", "already", "currently", "automatically", "simply"]
)  # of what is told as it is now
MULTIPLIES = frozenset(["doubles", "halves"])  # verbs; Doubles is what the dice show
MOST_WORDS = 10_000  # that are kept in lower case
ENDS, STOPS = frozenset(".;?!"), frozenset(",:()")


@lru_cache(maxsize=MOST_WORDS)
def lowered(text: str) -> str:
    """A word in lower case, with plain apostrophes."""
    return text.casefold().replace("’", "'")


def as_told(text: str) -> str:
    """A word as books have it: go is move."""
    return SAME.get(lowered(text), text)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign of a text. low: in lower case, with plain apostrophes; start, end: where it stands there."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The word in lower case."""
        return lowered(self.text)

    @property
    def plain(self) -> str:
        """The word as books have it: go is move."""
        return as_told(self.text)

    @property
    def sign(self) -> bool:
        """Whether it is no word but a sign between words."""
        return self.text in ENDS or self.text in STOPS


def words(text: str) -> list[Word]:
    """The words and signs of a text; a plus or minus before a number is part of it, a genitive's ending a word of its own."""
    found: list[Word] = []
    text = METRIC.sub(lambda match: " " * len(match[0]), text)
    text = text.replace("″", '"').replace("”", '"').replace("“", '"')
    text = PAIR.sub(r"\1 \2", text)
    for match in WORD.finditer(text):
        word = Word(match[0], match.start(), match.end())
        before = found[-1] if found else None
        if before is not None and SIGNED.match(before.text) and before.end == word.start and word.text[0].isdigit():
            found[-1] = Word(before.text + word.text, before.start, word.end)
        elif word.low.endswith("'s") and len(word.text) > 2:
            found += [Word(word.text[:-2], word.start, word.end - 2), Word("'s", word.end - 2, word.end)]
        elif word.low.endswith("s'") and len(word.text) > 2:
            found += [Word(word.text[:-1], word.start, word.end - 1), Word("'s", word.end - 1, word.end)]
        else:
            found.append(word)
    return found


def sentences(text: str) -> list[list[Word]]:
    """The sentences of a text, without the signs that end them, and without the numbers of rules that it refers to."""
    found: list[list[Word]] = [[]]
    text = CITED.sub(lambda match: " " * len(match[0]), text)
    for word in words(text):
        if word.text in ENDS:
            found.append([])
        elif word.low in TELLING_NOTHING and found[-1]:
            pass
        elif word.low == "range" and [w.low for w in found[-1][-2:]] == ["los", "and"]:
            found[-1].pop()  # LOS and range to it: who sees it, and may reach it
        else:
            found[-1].append(word)
    return [sentence for sentence in found if sentence]


def stems(word: Word) -> list[str]:
    """The words that an adverb is made of: successfully, successful; none of a word that is none."""
    low = word.low
    return [low[:-2], f"{low[:-3]}y"] if low.endswith("ly") and len(low) > len("only") + 1 else []


def counted(word: Word) -> str:
    """The number that a word is, as a case has it; "" for a word that is none."""
    if word.low in IN_WORDS:
        return str(IN_WORDS[word.low])
    said = number(word.text.replace("−", "-").replace("–", "-").lstrip("+"))
    return "" if said is None else word.text.replace("−", "-").replace("–", "-").lstrip("+")
