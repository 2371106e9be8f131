"""Terms of the ontology named in a sentence, by label and abbreviation; and capitalised words that no term explains.

The longest match wins. Case counts where two labels differ by nothing else (ADJACENT, adjacent), where an abbreviation
is all capitals (DM, CA), and where capitals stand inside a word (RtPh); elsewhere it does not. Plurals are folded; verb
forms too for terms that are acts, events or states. A vocabulary is one book's, so homonyms of other books never match.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from kb.errors import nearest
from kb.language.english import plural, singular, stem, verb_forms
from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary
from kb.texts.model import Mention

# A number and the abbreviation written up against it are two words: 8FP, 1KIA.
TOKEN = re.compile(r"\d+[½⅓¼¾]?(?=[A-Z]{2})|[A-Za-z0-9⅝½¼¾]+(?:['’][a-z]+)?(?:#|(?<=[⅝])[\"”])?|\"\?\"")
GLUE = re.compile(r"[\s\xa0]*-?[\s\xa0]*")
# Words that a property may be called by but that name nothing when they stand alone.
GRAMMAR = {
    "in", "at", "to", "into", "from", "by", "of", "with", "on", "onto", "under", "over", "after", "before", "during",
    "through", "via", "inside", "outside", "within", "against", "per", "as", "for", "has", "have", "having", "is",
    "are", "be", "see", "than", "next", "above", "below", "around", "across", "along", "that", "which", "count",
    "number of", "not", "or", "and", "sees",
}  # fmt: skip
ABOUT_BOOKS = "/core#"  # terms of rulebooks (section, sentence, example), not of the games in them
INFLECTED = {"Act", "Event", "State"}
QUOTES = ('"', "“", "”", "''")
# Everyday turns of phrase in which a word of the game does not mean its term.
IDIOM = re.compile(r"\b(?P<word>counter(?=[ -]?clockwise)|break(?= up\b))", re.I)
SKIP = {"EXC", "EX", "NA", "VS", "I", "II", "III", "IV", "A", "OK"}
CODE = re.compile(r"\d.*|[A-Z]\d+.*")


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a term. `surface`: its words as written; `exact`: case counts; `verbal`: verb forms match.

    `quoted`: it stands in quotation marks, as in a "gray" pillbox, and names nothing without them.
    """

    term: str
    surface: tuple[str, ...]
    exact: bool
    verbal: bool
    rank: int
    synonym: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A capitalised expression that no term explains, how often it is used, and in which rules.

    `like`: a word of the lexicon that it is nearly spelt as, and may be a misprint of; "" when none is near.
    """

    text: str
    count: int
    rules: tuple[str, ...]
    like: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The spellings of one book's terms, found by their first word."""

    by_first: dict[str, list[Spelling]] = field(default_factory=dict)

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Lexicon:
        """The names of all terms of a vocabulary, as they are found in a text."""
        rows: list[tuple[ClassTerm | PropertyTerm, str]] = []
        terms: list[ClassTerm | PropertyTerm] = [*vocabulary.classes.values(), *vocabulary.properties.values()]
        for term in terms:
            if ABOUT_BOOKS not in term.iri:
                rows += [(term, spelling) for spelling in dict.fromkeys((term.label, *term.alt)) if spelling.strip()]
        labels = {term.label for term, _ in rows}
        rows = [row for row in rows if not hidden(row[1], row[0].label, labels)]
        written: dict[str, set[str]] = {}
        for _, spelling in rows:
            written.setdefault(spelling.casefold(), set()).add(spelling)
        out = cls()
        for term, spelling in rows:
            words = tuple(TOKEN.findall(spelling)) or (('"?"',) if spelling == "?" else ())
            if not words:
                continue
            exact = len(written[spelling.casefold()]) > 1
            if spelling.casefold() in GRAMMAR or (isinstance(term, PropertyTerm) and headed(spelling, written)):
                continue
            if isinstance(term, ClassTerm):
                verbal, rank = bool(INFLECTED & term.ancestors) and term.name not in INFLECTED, 0
            else:
                # "mans", "adjacent to" are verbs or phrases; "place", "target" are nouns that have no verb forms.
                verbal, rank = term.kind == "object" and (" " in term.label or term.label.endswith("s")), 2
            rank += f"/{vocabulary.book}#" not in term.iri
            out.by_first.setdefault(stem(words[0]), []).append(
                Spelling(
                    term.name,
                    words,
                    exact,
                    verbal,
                    rank,
                    spelling != term.label,
                    in_quotes(spelling) and words[0][0] != '"',
                )
            )
        for found in out.by_first.values():
            found.sort(key=lambda s: (-len(s.surface), s.rank, s.term))
        return out

    def find(self, text: str) -> list[Mention]:
        """The mentions in a sentence, in order, none overlapping another."""
        tokens = [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)]
        starts = {start: k for k, (_, start, _) in enumerate(tokens)}
        idle = {starts[m.start("word")] for m in IDIOM.finditer(text) if m.start("word") in starts}
        out: list[Mention] = []
        i = 0
        while i < len(tokens):
            best: tuple[int, int, int, Spelling] | None = None
            for spelling in self.by_first.get(stem(tokens[i][0]), ()):
                n = len(spelling.surface)
                if best and n < best[0]:
                    break
                fit = self.fits(spelling, text, tokens, i)
                # A class by its plural is nearer than a property letter by letter; verb forms come last.
                order = (min(fit, PLURAL), -spelling.rank, fit)
                if fit and (best is None or order > (min(best[1], PLURAL), best[2], best[1])):
                    best = (n, fit, -spelling.rank, spelling)
            if best and idle & set(range(i, i + best[0])):
                best = None
            if best and best[0] == 1 and (best[3].verbal or best[3].synonym) and self.in_a_name(text, tokens, i, out):
                best = None
            if best:
                start, end = tokens[i][1], tokens[i + best[0] - 1][2]
                end -= len(text[start:end]) - len(re.sub(r"['’]s?$", "", text[start:end]))
                out.append(Mention(best[3].term, text[start:end], start, end))
                i += best[0]
            else:
                i += 1
        return out

    def in_a_name(self, text: str, tokens: list[tuple[str, int, int]], i: int, before: list[Mention]) -> bool:
        """Whether a word is part of a capitalised name that is no term: "Fire" in "Fire Lane".

        A neighbour that is a term by itself makes no such name.
        """
        word, start, end = tokens[i]
        if not word[:1].isupper() or word[1:].upper() == word[1:] or not text[:start].strip():
            return False
        near = []
        known = before and before[-1].end == tokens[i - 1][2]
        if i and tokens[i - 1][1] and GLUE.fullmatch(text, tokens[i - 1][2], start) and not known:
            near.append(tokens[i - 1][0])
        if i + 1 < len(tokens) and GLUE.fullmatch(text, end, tokens[i + 1][1]):
            found = self.by_first.get(stem(tokens[i + 1][0]), ())
            if not any(self.fits(s, text, tokens, i + 1) >= PLURAL for s in found):
                near.append(tokens[i + 1][0])
        return any(w[:1].isupper() and w[1:].islower() and w not in OPENING for w in near)

    @staticmethod
    def fits(spelling: Spelling, text: str, tokens: list[tuple[str, int, int]], i: int) -> int:
        """How well a spelling fits at token i: as its least like word does."""
        n = len(spelling.surface)
        if i + n > len(tokens):
            return 0
        start, end = tokens[i][1], tokens[i + n - 1][2]
        if spelling.quoted and not (text[start - 1 : start] in QUOTES and text[end : end + 1] in QUOTES):
            return 0
        worst = SAME
        for k, (label, (word, start, _)) in enumerate(zip(spelling.surface, tokens[i : i + n], strict=True)):
            if k and not GLUE.fullmatch(text, tokens[i + k - 1][2], start):
                return 0
            fit = likeness(label, word, spelling, last=k == n - 1, first=i == 0 and k == 0)
            if not fit:
                return 0
            worst = min(worst, fit)
        return worst


SAME, BUT_FOR_CASE, PLURAL, FORM, BOTH_FORMS, UNLIKE = 5, 4, 3, 2, 1, 0


def likeness(label: str, word: str, spelling: Spelling, last: bool, first: bool) -> int:
    """How alike a label's word and a word of the text are, from SAME to UNLIKE.

    FORM: the one is a verb form of the other; BOTH_FORMS: both are forms of one verb.
    """
    word = re.sub(r"['’]s?$", "", word)
    if label == word:
        return SAME
    if spelling.synonym and label[:1].isupper() and not word[:1].isupper():
        return UNLIKE  # labels are lower case: a synonym that begins with a capital was meant to
    if capitals_count(label):
        return PLURAL if last and word in (label + "s", label + "es") else UNLIKE
    if spelling.exact and not (first and word[:1].lower() + word[1:] == label):
        if last and (word == plural(label) or (singular(word) == singular(label) and word[:1] == label[:1])):
            return PLURAL
        return UNLIKE
    a, b = label.casefold(), word.casefold()
    if word.isupper() and len(word) > 1 and not label.isupper() and len(label) < 4:
        return UNLIKE
    if a == b:
        return BUT_FOR_CASE
    if singular(a) == singular(b):
        return PLURAL
    if not spelling.verbal or len(a) < 3 or (spelling.synonym and label[:1].isupper()):
        return UNLIKE
    one, two = verb_forms(a), verb_forms(b)
    if singular(a) in two or singular(b) in one:
        return FORM
    # In a phrase "encircling" is not "encircled": one does it, the other has it done.
    return BOTH_FORMS if one & two and len(spelling.surface) == 1 else UNLIKE


def headed(spelling: str, written: dict[str, set[str]]) -> bool:
    """Whether a relation is called by another term and a preposition: "Location of", where "Location" is what is meant."""
    head, _, last = spelling.casefold().rpartition(" ")
    return last in GRAMMAR and head in written and head not in GRAMMAR


def in_quotes(spelling: str) -> bool:
    """Whether a spelling stands in quotation marks."""
    return len(spelling) > 2 and spelling[0] in '"“' and spelling[-1] in '"”'


def hidden(spelling: str, label: str, labels: set[str]) -> bool:
    """Whether a synonym is another term's label but for a capital at its beginning: the label has the word then."""
    lower = spelling[:1].lower() + spelling[1:]
    return spelling != label and spelling not in labels and not capitals_count(spelling) and lower in labels - {label}


def capitals_count(word: str) -> bool:
    """Whether a word's capitals are part of its spelling: all capitals, or capitals after the first letter."""
    return any(c.isupper() for c in word[1:])


def candidates(sentences: Iterable[tuple[str, str]], lexicon: Lexicon, least: int = 1) -> list[Candidate]:
    """Capitalised expressions that no term explains, most used first. `sentences`: (rule, sentence) pairs."""
    counts: Counter[str] = Counter()
    rules: dict[str, list[str]] = {}
    for rule, text in sentences:
        taken = [(m.start, m.end) for m in lexicon.find(text)]
        for name, a, b in capitalised(text):
            if any(x < b and a < y for x, y in taken):
                continue
            counts[name] += 1
            if rule not in rules.setdefault(name, []):
                rules[name].append(rule)
    words = sorted({w for found in lexicon.by_first.values() for s in found for w in s.surface if len(w) > 5})
    rows = [Candidate(name, n, tuple(rules[name]), like(name, words)) for name, n in counts.items() if n >= least]
    return sorted(rows, key=lambda c: (-c.count, c.text))


def like(name: str, words: list[str]) -> str:
    """The word that a long single word is nearly spelt as."""
    if len(name) < 6 or not name.isalpha() or name.isupper():
        return ""
    near = [w for w in nearest(name, words, 1) if w[0].casefold() == name[0].casefold() and abs(len(w) - len(name)) < 3]
    if not near or near[0].casefold()[:5] == name.casefold()[:5]:  # a form of the word is no misprint
        return ""
    return near[0] if SequenceMatcher(None, near[0].casefold(), name.casefold()).ratio() >= 0.75 else ""


OPENERS = "The|An?|Each|All|Any|No|Every|Some|This|These|That|If|When|While|Once|In|At|On|By|For|From|To|As|With|Only"
OPENING = {*OPENERS.split("|"), "An"} - {"An?"}
CAPITALISED = re.compile(rf"(?:\b(?:{OPENERS})[ ])?(?P<name>[A-Z][A-Za-z0-9]*(?:[ -][A-Z][A-Za-z0-9]*)*)")


def capitalised(text: str) -> Iterable[tuple[str, int, int]]:
    """Capitalised words and runs of them that do not merely begin a sentence or a clause, and are no codes."""
    for m in CAPITALISED.finditer(text):
        name, start, end = m.group("name"), *m.span("name")
        before = text[:start].rstrip()
        if start and text[start - 1] not in ' ([/"“-—':
            continue
        opens = not before or before[-1] in '.!?:;"“[(—'
        if opens and " " not in name and not capitals_count(name):
            continue
        if name in SKIP or name in OPENERS.split("|") or CODE.fullmatch(name) or len(name) < 2:
            continue
        yield name, start, end
