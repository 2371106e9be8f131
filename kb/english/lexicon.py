"""What the words of a book are to somebody who asks in English: each stretch of a sentence with the terms that it may stand for.

The forms come from the ontology: names, labels, synonyms, and what its sentences say of a thing ("{s} is broken", "{s} leads into {o}"),
each with its plural or the forms of its verb. Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from msgspec import structs

from kb import registry
from kb.english.words import MULTIPLIES, Word, as_told
from kb.errors import nearest
from kb.language import english
from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary, fold

LONGEST = 10  # words of a form that are looked for
MOST_MEANT = 20_000  # stretches of words whose meaning is kept
ACT, PHASE = "Act", "Phase"
MOST_SHORT = 3  # letters of words too short for what un- makes of them: it is not what a unit is not
CORE = "/core#"  # the words in which rulebooks are described; no question is about them
DETERMINERS = frozenset(["a", "an", "the", "its", "his", "their", "her", "my", "our", "this", "that", "these", "those"])
ARTICLES = DETERMINERS | {"one"}  # words without which a form is the same: form one FG, form a FG
LEADING = ("is ", "are ", "was ", "made ", "done ", "resolved ", "comes ", "comes in ", "with ")
KIND, HOW, DEED, LINK, NUMBER, FLAG = "kind", "how", "deed", "link", "number", "flag"
# Before an article within a name.
JOINED = frozenset(["of", "to", "in", "on", "with", "for", "by", "at", "from", "into", "as", "against", "vs"])
NARROWING = frozenset(["only", "until", "rather", "than", "last", "first"])  # what these say is never passed over
WITHIN = ("in", "within", "inside")
FIRING = ("fire", "attack")
BACK = "back"  # a relation told from its other end: he directs it, where it is directed by him


@dataclass(frozen=True, slots=True)
class Sense:
    """What a stretch of words may stand for. sort: kind (of thing), how (a thing is), deed (a kind of act), link, number, flag;
    verb: whether the words are those of the doing (moves, to move), and not of the deed (a move)."""

    sort: str
    name: str
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of words with its senses. denied: whether they say that it is not so (unbroken, non-Pioneer)."""

    length: int
    senses: tuple[Sense, ...]
    denied: bool = False

    def of(self, *sorts: str) -> Sense | None:
        """The first sense of one of these sorts."""
        return next((s for s in self.senses if s.sort in sorts), None)


class Lexicon:
    """The forms of all terms of a book."""

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary = vocabulary
        # Of one sentence the same stretches are tried in many ways of reading.
        self.meant = lru_cache(MOST_MEANT)(self.looked_up)
        self.forms: dict[str, dict[Sense, int]] = {}
        self.owned: set[str] = set()  # those with a genitive in them
        # the words of which names are made: by how many columns is it lowered; bunker: concrete
        self.parts: set[str] = set()
        for cls in vocabulary.classes.values():
            if CORE not in cls.iri:
                self.class_forms(cls)
        for prop in vocabulary.properties.values():
            if CORE not in prop.iri and prop.kind != "text":
                self.property_forms(prop)

    def add(self, said: str, sense: Sense, rank: int = 0) -> None:
        """A form of a term. rank: how far it is from the term's own name."""
        key = folded(said.split())
        if "'s " in said:
            self.owned.add(key)
        if key:
            senses = self.forms.setdefault(key, {})
            senses[sense] = min(rank, senses.get(sense, rank))

    def class_forms(self, term: ClassTerm) -> None:
        """The forms of a class: as a noun and its plural, as what is said of a thing, as a verb."""
        act = ACT in term.ancestors
        sort = HOW if how(self.vocabulary, term) else DEED if act else KIND
        sense = Sense(sort, term.name)
        for label in (term.label, *term.alt) if not act else ():
            self.parts.update({*label.casefold().split()} - NARROWING if " " in label else ())
        for rank, label in enumerate((term.label, term.name, *(a for a in term.alt if not a.startswith("to ")))):
            rank = min(rank, 2)
            self.add(label, sense, rank)
            if sort != HOW:
                self.add(english.plural(label), sense, rank)
            for lead in LEADING if sort == HOW else ():
                if label.startswith(lead):
                    self.add(label.removeprefix(lead), sense, 3)
        said = english.complement(term)
        if sort == HOW:
            self.add(said.removeprefix("is "), sense, 1)
            for lead in LEADING:
                if said.startswith(lead):
                    self.add(said.removeprefix(lead), sense, 3)
        elif len(said.split()) > LONGEST // 2 and not said.startswith(("is a ", "is an ", "is the ")):
            self.add(said.removeprefix("is "), sense, 2)  # is equivalent to a building for rally
        if not said.startswith("is "):
            for form in verbal(said):
                self.add(form, Sense(HOW, term.name), 3)
        if said.startswith("has "):  # has moved in its Movement Step: moved in its Movement Step
            self.add(said.removeprefix("has "), Sense(HOW, term.name), 3)
        for label in (term.label, *term.alt) if sort == HOW else term.alt * (not act):
            first = label.split()[0]
            if (
                " " in label
                and first.isalpha()
                and first not in ("is", "has", "was")
                and english.plural(english.base_form(first)) == first
            ):
                for form in verbal(label):  # affects the contents: may it affect the contents?
                    self.add(form, Sense(HOW, term.name), 3)
            if sort == HOW and label.endswith("ed") and " " not in label:  # moved, for “has moved”
                self.add(f"has {label}", sense, 3)
        if act:
            names = [alt[3:] for alt in term.alt if alt.startswith("to ")]
            firsts = {name.split()[0] for name in names} - {name for name in names if " " not in name}
            # form a FG, as to form a Fire Group
            names += [alt for alt in term.alt if " " in alt and alt.split()[0] in firsts]
            ways = {w.split()[0].casefold() for w in (term.label, *term.alt) if w.split()[-1].casefold() in FIRING}
            words = [w for w in (term.label, *term.alt) if w.isalpha() and w.islower() and not w.endswith("ing")]
            words = [w for w in words if w not in ways - {*FIRING} or f"to {w}" in term.alt]  # direct fire: no verb
            names += words if sort == DEED else []
            for name in names:
                for form in verbal(name):
                    self.add(form, Sense(DEED, term.name, True), 1)

    def property_forms(self, term: PropertyTerm) -> None:
        """The forms of a property: its label, and what its sentence has between the two that it joins."""
        sort = {"object": LINK, "number": NUMBER, "flag": FLAG}[term.kind]
        sense = Sense(sort, term.name)
        said = term.verbalization
        for rank, label in enumerate((term.label, *term.alt)):
            self.add(label, sense, min(rank, 1))
            if " by the " in label:  # by whom may go without saying
                self.add(label.split(" by the ")[0], sense, 3)
            self.parts.update(label.casefold().split() if sort == NUMBER else ())
            if sort != LINK:
                self.add(english.plural(label), sense, 2)
        if sort == LINK and said.startswith("{s} ") and said.endswith(" {o}"):
            middle = said[4:-4].strip()
            self.add(middle.removeprefix("is "), sense, 1)
            if not middle.startswith("is "):
                for form in verbal(middle):
                    self.add(form, sense, 2)

        for words in (said.removeprefix("{s} is ").removesuffix(" {o}"), term.label, *term.alt) if sort == LINK else ():
            done, _, by = words.partition(" ")
            if by == "by" and done.endswith("ed"):  # assaulted by: who assaults it
                for form in (form for base in undone(done) for form in verbal(base)):
                    self.add(form, Sense(BACK, term.name), 1)
        if sort == LINK and said.startswith("{o} ") and said.endswith(" {s}") and not said.startswith("{o} is "):
            for form in verbal(said[4:-4].strip()):
                self.add(form, Sense(BACK, term.name), 1)

    def at(self, line: Sequence[Word], i: int, sorts: tuple[str, ...] = ()) -> Found | None:
        """The longest stretch from a place on that stands for a term (of one of these sorts); None where none does."""
        return next(self.all(line, i, sorts), None)

    def all(self, line: Sequence[Word], i: int, sorts: tuple[str, ...] = ()) -> Iterator[Found]:
        """The stretches from a place on that stand for terms, the longest first."""
        if i >= len(line) or line[i].low in DETERMINERS or line[i].text in MULTIPLIES:
            return
        longest = next((n for n, word in enumerate(line[i : i + LONGEST]) if word.sign), min(LONGEST, len(line) - i))
        for n in range(longest, 0, -1):
            part = line[i : i + n]
            owned = any(word.low == "'s" for word in part)
            if (owned and folded([word.text for word in part]) not in self.owned) or part[-1].low in DETERMINERS:
                continue  # the Encircler's own side
            found = self.meaning(part)
            if found is not None:
                two = any(
                    w.low in ("a", "an", "this", "these") and part[k].low not in JOINED
                    for k, w in enumerate(part[1:-1])
                )
                senses = tuple(
                    s for s in found.senses if (not sorts or s.sort in sorts) and not (two and s.sort == KIND)
                )
                if senses:
                    yield Found(n, senses, found.denied)

    def meaning(self, part: Sequence[Word | str]) -> Found | None:
        """What a stretch stands for as a whole; the likeliest senses first."""
        return self.meant(*(word if isinstance(word, str) else word.text for word in part)) if part else None

    def looked_up(self, *texts: str) -> Found | None:
        """See `meaning`."""
        said = [as_told(text) for text in texts]
        senses = self.senses(texts) or self.senses(said)  # Climbing is a word of its own
        if senses:
            return Found(len(texts), senses)
        if said[0].casefold() in WITHIN and len(said) > 1:
            ways = (self.senses([lead, *said[1:]]) for lead in WITHIN)
            alike = next((t for way in ways if (t := tuple(s for s in way if s.sort == FLAG))), ())
            if alike:
                return Found(len(texts), alike)
        if len(said) > 2 and sort_of_not(said):
            return self.refused(texts)
        for bare in bared(said):
            senses = tuple(s for s in self.senses(bare) if s.sort in (HOW, KIND, FLAG))
            if senses:
                return Found(len(texts), senses, True)
        return None

    def brings(self, word: Word) -> tuple[Sense, ...]:
        """The states that a verb brings about: to eliminate, to destroy."""
        bases = (english.base_form(word.low), *(undone(word.low) if word.low.endswith(("ed", "ing")) else ()))
        forms = [form for base in bases for form in english.participles(base)[1:]]
        return tuple(s for f in forms if (m := self.meaning([f])) is not None and (s := m.of(HOW)))

    def refused(self, texts: Sequence[str]) -> Found | None:
        """A stretch with a not in it: has not shot, did not move, target not in Marsh."""
        said = [text for text in texts if text.casefold() not in ("not", "no")]
        did = said[0].casefold() in ("did", "does", "do")
        ways = (
            [[form, *said[2:]] for form in english.participles(said[1].casefold())[1:]]
            if did and len(said) > 1
            else [said]
        )
        ways += [[*verbal(said[1])][2:3] + said[2:]] if did and len(said) > 1 else []
        if did and [word.casefold() for word in said[1:3]] in (["have", "to"], ["need", "to"]):  # what need not be
            ways += [[form, *said[4:]] for form in verbal(said[3])] if len(said) > 3 else []
        for way in ways:
            senses = tuple(s for s in self.senses(way) if s.sort in (HOW, FLAG))
            if senses:
                return Found(len(texts), senses, True)
        return None

    def senses(self, said: Sequence[str]) -> tuple[Sense, ...]:
        """The terms that have such a form: of each sort those nearest to their own names, spelled as here where spelling tells them apart."""
        found = self.forms.get(folded(said), {})
        chosen: list[Sense] = []
        for sense in sorted(found, key=lambda s: (s.sort, found[s], s.name)):
            others = [s for s in found if (s.sort, s.verb) == (sense.sort, sense.verb)]
            if len(others) == 1 or self.spelled(said, sense, others, found):
                chosen.append(sense)
        states = (s for s in found if s.sort == HOW and s not in chosen)  # a successful test has passed: as it fits
        return (*chosen, *sorted(states, key=lambda s: (found[s], s.name)) * bool(chosen))

    def spelled(self, said: Sequence[str], sense: Sense, others: Sequence[Sense], ranks: dict[Sense, int]) -> bool:
        """Whether, of terms that share a form, this is the one meant: as the vocabulary tells, else the nearest to its own name."""
        pool = self.vocabulary.classes if sense.sort in (KIND, HOW, DEED) else self.vocabulary.properties
        meant = self.vocabulary.resolve(" ".join(said), [pool])
        if meant in {s.name for s in others}:
            return meant == sense.name
        least = min(ranks[s] for s in others)
        return ranks[sense] == least and sum(ranks[s] == least for s in others) == 1


def how(vocabulary: Vocabulary, term: ClassTerm) -> bool:
    """Whether a class says how a thing is (broken, made from inside), not what it is."""
    first = term.label.split()[0].casefold()
    if ACT in term.ancestors and " " in term.label and (first in ("done", "made", "not") or f"{first} " in LEADING):
        return True
    named = "Piece" in term.ancestors and english.complement(term).startswith(("is a ", "is an "))
    return english.passing(vocabulary, term.name) and not named  # a hero is somebody, and heroic


def sort_of_not(said: Sequence[str]) -> bool:
    """Whether a stretch has a not within it, between other words."""
    return any(word.casefold() in ("not", "no") for word in said[1:-1])


def folded(said: Sequence[str]) -> str:
    """The form by which words are looked up: without articles, case, spaces and hyphens."""
    return fold("".join(word.replace("″", '"') for word in said if word.casefold() not in ARTICLES or len(said) == 1))


def verbal(said: str) -> Iterator[str]:
    """A verb with what goes with it, in its forms: `move`, `moves`, `moving`, `moved`; `places smoke`, `placing smoke`."""
    first, _, rest = said.partition(" ")
    base = english.base_form(first)
    tail = f" {rest}" if rest else ""
    for form in (first, base, english.plural(base), *english.participles(base)):
        yield form + tail


def undone(participle: str) -> Iterator[str]:
    """The verbs that a regular participle may be of: assaulted, to assault; carried, to carry; pinning, to pin."""
    stem = participle.removesuffix("ed").removesuffix("ing")
    for base in (stem, f"{stem}e", f"{stem[:-1]}y", stem[:-1]):
        if participle in english.participles(base):
            yield base


def bared(said: Sequence[str]) -> Iterator[list[str]]:
    """Words without what denies them: unbroken, non-Pioneer, ungapped; and armed, which is what is not unarmed."""
    first = said[0].casefold()
    for lead in ("non-", "un-", "un", "not-"):
        if first.startswith(lead) and len(first) > len(lead) + 2 and first[len(lead) :] not in ARTICLES:
            yield [said[0][len(lead) :], *said[1:]]
    if first == "outside" and len(said) > 1:  # outside the arc is not in it
        for lead in ("inside", "in", "within"):
            yield [lead, *said[1:]]
    if len(first) > MOST_SHORT:
        yield ["un" + said[0], *said[1:]]
    for n, word in enumerate(said[1:-1], 1):  # attacked through an armored facing, and not through an unarmored one
        if len(word) > MOST_SHORT * 2:
            yield [*said[:n], word.removeprefix("un") if word.startswith("un") else "un" + word, *said[n + 1 :]]
    if len(first) > MOST_SHORT * 2:
        yield ["in" + said[0], *said[1:]]  # experienced is what is not inexperienced


@lru_cache(maxsize=8)
def lexicon(book: str) -> Lexicon:
    """The lexicon of a book, made once, with the words of players as synonyms. Raises LookupError for an unknown book."""
    told = registry.vocabulary(book)
    classes = {n: structs.replace(t, alt=(*t.alt, *t.talk)) for n, t in told.classes.items()}
    properties = {n: structs.replace(t, alt=(*t.alt, *t.talk)) for n, t in told.properties.items()}
    return Lexicon(Vocabulary(told.book, told.version, classes, properties))


def near(vocabulary: Vocabulary, word: str) -> list[str]:
    """What a word may mean in a book, where that is more than one thing; else words of the book that are spelled like it."""
    meant = [cls.label for name in vocabulary.meanings(word, vocabulary.classes) for cls in [vocabulary.classes[name]]]
    if len(meant) > 1:
        return meant
    known = [n for t in vocabulary.all() if CORE not in t.iri for n in (t.label, *t.alt)]
    return list(islice(nearest(word, known), 3))
