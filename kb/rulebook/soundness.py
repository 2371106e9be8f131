"""What a book says of itself, held against what is there: the norms that are named, the rules that are cited, who beats whom.

Each of these was once passed over in silence: the norm stood, and did nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from kb.errors import Problem, RulebookError, did_you_mean
from kb.language import norms as m
from kb.language.rule_number import sort_key, under
from kb.language.vocabulary import Vocabulary
from kb.rulebook import linker, normal_words, places
from kb.rulebook.chapter_reader import Unread
from kb.rulebook.overrides import against
from kb.rulebook.places import Lines, of_word
from kb.rulebook.theory import names

ACT, STATE = "Act", "State"
WORDS = (201, 202, 203, 208)  # faults of single words
DEFINED = re.compile(r"define\s+(\w+)")


def linked(read: Callable[[], m.Book], terms: Vocabulary) -> m.Book:
    """A book, read, linked and found sound. Raises RulebookError with all its faults, in the order of the text: where some of
    it does not read, the words of the rest are looked up all the same."""
    try:
        book = read()
    except Unread as unread:
        raise RulebookError(places.told([*unread.problems, *words(unread.rest, terms)])) from None
    except RulebookError as error:
        raise RulebookError(places.told(error.problems)) from None
    lines = places.lines_of(c.file for c in book.chapters)
    try:
        made = linker.link(book, terms, lines)
    except RulebookError as error:
        raise RulebookError(places.told(error.problems)) from None
    norms = [n for c in made.chapters for s in c.sections for n in s.norms]
    if problems := [
        *linker.unscoped(made, terms),
        *faults(made, terms, lines),
        *normal_words.faults(norms, terms, lines),
    ]:
        raise RulebookError(places.told(problems))
    return made


def words(rest: m.Book, terms: Vocabulary) -> list[Problem]:
    """The words that mean nothing in what of a book does read. What names a norm, a rule, a table or a definition is not
    looked at: it may stand in what does not."""
    lines = places.lines_of(c.file for c in rest.chapters)
    defined = {found[1] for text in lines.values() for line in text if (found := DEFINED.match(line))}
    try:
        linker.link(rest, terms, lines)
    except RulebookError as error:
        return [p for p in error.problems if p.code in WORDS and places.word_at(p) not in defined]
    return []


def faults(book: m.Book, terms: Vocabulary, lines: Lines) -> list[Problem]:
    """The faults of a linked book, in no order: E220 a label that is not there, E221 a rule that is not, E222 two norms
    over each other, E224 what is counted is ended, E225 two norms that say otherwise on one condition,
    E226 a norm that says otherwise than the terms, E227 an end that no event brings."""
    norms = [n for c in book.chapters for s in c.sections for n in s.norms]
    cited = Cited(book)
    return [
        *labels(norms, lines),
        *contrary(norms, lines),
        *ended(norms, terms, lines),
        *otherwise(book, lines),
        *against_terms(norms, terms, lines),
        *endless(norms, terms, lines),
        *cited.faults(norms, lines),
    ]


def otherwise(book: m.Book, lines: Lines) -> Iterator[Problem]:
    """A fault for each norm that says otherwise than one before it in its chapter, on the very same condition, or on that but for the
    exceptions that one of the two has: whichever stands, the other decides nothing, or only what is excepted. Rival readings of one
    text do, and a module may take back what a chapter says."""
    for chapter in book.chapters:
        met: dict[object, list[m.Norm]] = {}
        for norm in (n for s in chapter.sections for n in s.norms):
            before = met.setdefault((parts_of(norm), norm.reading), [])
            for other in before:
                mine, theirs = ({str(u.condition) for u in n.unless} for n in (norm, other))
                if opposed(norm.head, other.head) and (mine == theirs or not (mine and theirs)):
                    place, text = of_word(norm.id, norm.place, lines)
                    but = "" if mine == theirs else f" but for the exceptions of {norm.id if mine else other.id}"
                    message = f"{norm.id} {norm.head}, and {other.id} {other.head}, on the very same condition{but}"
                    hint = "take one of the two out, or say in one of them when it is otherwise"
                    yield Problem(225, message, place, hint, text, other.place)
                    break
            before.append(norm)


def against_terms(norms: Iterable[m.Norm], terms: Vocabulary, lines: Lines) -> Iterator[Problem]:
    """A fault for each norm that counts things as what by the terms none of them is, or as not what all of them are."""
    for norm in norms:
        head = norm.head
        kind = terms.classes.get(head.subject) if isinstance(head, m.CountsAs) else None
        if kind is None or not isinstance(head, m.CountsAs):
            continue
        if head.target in (kind.ancestors if head.negated else kind.disjoint):
            place, text = of_word(head.target, norm.place, lines)
            each = "each" if head.negated else "no"
            message = f"{norm.id} {head}; by the terms {each} “{head.subject}” is one"
            yield Problem(226, message, place, "take the norm out, or change the terms", text)


def parts_of(norm: m.Norm) -> frozenset[str]:
    """What a norm turns on, however its parts are ordered, its exceptions left out."""
    parts = norm.when.parts if isinstance(norm.when, m.And) else (norm.when,)
    return frozenset(map(str, parts))


def opposed(a: m.Head, b: m.Head) -> bool:
    """Whether one of two heads cannot stand beside the other, of what both are about."""
    match a, b:
        case m.Relates(_, _, to, _), m.Relates(_, _, other, _) if to != other:
            return False
        case m.QuantityHead(value=value), m.QuantityHead(value=other) if value == other:
            return False
    return against(a, b) and m.subject_of(a) == m.subject_of(b)


def ended(norms: list[m.Norm], terms: Vocabulary, lines: Lines) -> Iterator[Problem]:
    """A fault for each norm that ends what others count things as: that would bar it for good."""
    counted = {n.head.target: n for n in norms if isinstance(n.head, m.CountsAs) and not n.head.negated}
    for norm in norms:
        if not (isinstance(norm.head, m.Effect) and norm.head.ends):
            continue
        for name in sorted(terms.classes[norm.head.term].descendants & counted.keys()):
            by = counted[name]
            place, text = of_word(norm.head.term, norm.place, lines)
            hint = "end, or change, what it is counted by"
            yield Problem(224, f"{norm.id} ends “{name}”, which {by.id} counts things as", place, hint, text, by.place)


def endless(norms: Iterable[m.Norm], terms: Vocabulary, lines: Lines) -> Iterator[Problem]:
    """A fault for each `until` that would end nothing, for it names a state, which nobody does."""
    for norm in norms:
        for name in (ending.event for ending in norm.until):
            above = terms.classes[name].ancestors
            if STATE in above and ACT not in above:
                place, text = of_word(name, norm.place, lines)
                message = f"“until {name}”: that is a state, no event that could end what {norm.id} says"
                hint = f"name the act or moment that ends it, or write a norm: ends … of this on becoming {name}"
                yield Problem(227, message, place, hint, text)


def labels(norms: list[m.Norm], lines: Lines) -> Iterator[Problem]:
    """A fault for each norm that goes over one that its rule has not."""
    known = set().union(*(n.names for n in norms))
    rules = {n.rule for n in norms}
    for norm in norms:
        for name in dict.fromkeys(norm.over):
            rule, _, label = name.partition("/")
            if not label or name in known or rule not in rules:
                continue
            place, text = of_word(name, norm.place, lines)
            has = sorted(n for n in known if n.startswith(f"{rule}/")) or [rule]
            hint = did_you_mean(name, has) or f"{rule} has {', '.join(has)}"
            yield Problem(220, f"“{name}” names no norm: {rule} has none called “{label}”", place, hint, text)


def contrary(norms: list[m.Norm], lines: Lines) -> Iterator[Problem]:
    """A fault for each two norms that each go over the other: nothing decides between them."""
    by_name = m.by_name(norms)
    met: set[frozenset[str]] = set()
    for norm in norms:
        for name in norm.over:
            for other in by_name.get(name, ()):
                pair = frozenset((norm.id, other.id))
                if len(pair) == 1 or pair in met or not names(other.over, norm):
                    continue
                if not (norm.id in other.over and other.id in norm.over) and not against(norm.head, other.head):
                    continue  # by the number of a rule that both stand in, and they say nothing otherwise
                met.add(pair)
                place, text = of_word(name, norm.place, lines)
                message = f"{norm.id} goes over {other.id}, and that one over {norm.id}"
                yield Problem(
                    222, message, place, "take one of the two out: the exception goes over the rule", text, other.place
                )


class Cited:
    """The rules of a book, by which a reference to one of its chapters can be told from a slip of the pen."""

    def __init__(self, book: m.Book):
        self.rules = {s.rule for c in book.chapters for s in c.sections}
        self.whole = {name for c in book.chapters for name in (c.id, *c.aliases)}
        self.spellings = [(alias, c.id) for c in book.chapters for alias in c.aliases]
        self.first: dict[tuple[str, int], tuple[str, int, str]] = {}
        self.afar: dict[str, bool] = {}
        for rule in self.rules:
            key = sort_key(rule)
            self.first[key[:2]] = min(key, self.first.get(key[:2], key))
        self.book = book

    def missing(self, ref: str) -> bool:
        """Whether a reference is to a rule that its chapter, which is loaded, has not. A chapter may begin in the middle:
        what is numbered before its first rule is not loaded."""
        for alias, chapter in self.spellings:
            if ref.startswith(f"{alias}."):
                ref = chapter + ref.removeprefix(alias)
        if ref in self.whole or ref in self.rules or any(under(rule, ref) for rule in self.rules):
            return False
        key = sort_key(ref)
        first = self.first.get(key[:2])
        return first is not None and key > first

    def away(self, ref: str) -> bool:
        """Whether a reference is to a rule that is not loaded, of a chapter that is not or from before its first rule."""
        if ref not in self.afar:
            here = ref in self.whole or ref in self.rules or any(under(rule, ref) for rule in self.rules)
            self.afar[ref] = not (here or self.missing(ref))
        return self.afar[ref]

    def faults(self, norms: Iterable[m.Norm], lines: Lines) -> Iterator[Problem]:
        """A fault for each such reference of a norm or of a row of a chapter's scope."""
        refs = [
            (ref, norm.place, norm.id) for norm in norms
            for ref in (*norm.cites, *norm.needs, *(r for u in norm.unless for r in u.cites))
        ]  # fmt: skip
        for chapter in self.book.chapters:
            refs += [(ref, row.place, "the scope") for row in chapter.scope for ref in (*row.refs, row.by)]
        for ref, place, who in dict.fromkeys(refs):
            if self.missing(ref):
                found, text = of_word(ref, place, lines)
                hint = did_you_mean(ref, sorted(self.rules)) or "cite a rule that is there"
                yield Problem(221, f"{who} cites {ref}, a rule that its chapter has not", found, hint, text)
