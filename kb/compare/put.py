"""A question in English put to each game: read in the words of each, a shared kind of work as each of the game's own kinds of it.

Where a game cannot take it, the row says so and names the rules of that game that speak of the same act and kind of thing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kb import registry
from kb.compare.comparison import UNSAID, Comparison, Wording, books
from kb.compare.kindred import SPEAK, near_shared, rules_on
from kb.compare.words import kind_of, known_word, works
from kb.english import asked as english
from kb.english.reading import Reading
from kb.errors import nearest
from kb.language.english import singulars
from kb.language.vocabulary import Vocabulary
from kb.yaml_document import listed

UNREAD = "not understood"
ALIKE = 0.8  # how like two words are of which one is a slip for the other
WORD = re.compile(r"[\w’'-]+")
NAMED = re.compile(r"\b(?:an?|any|the|every|another) ([\w’'-]+)", re.I)
LEADS = re.compile(r"^\s*in which (of the )?(games?|systems?) (?=(may|can|must|is|are|does|do)\b)", re.I)


def put(sentence: str) -> Comparison | None:
    """A comparison with a wording for each game, and each of its kinds of the work spoken of; None where no game takes it whole and none
    has rules that speak of it."""
    said = LEADS.sub("", sentence).strip()
    spot, about = work(said)
    wordings, taken = [], False
    if strange(said):
        return None
    for book in books():
        kinds = own_kinds(registry.vocabulary(book), about) if about else []
        for name, label in kinds or [("", "")]:
            text = f"{said[: spot[0]]}{label}{said[spot[1] :]}" if label else said
            reading = english.understood(text, book)
            reading, note = in_shared_words(reading) if reading.unread else (reading, "")
            if not reading.unread and not (about and not kinds):
                taken = True
                things, ask, done = (reading.data.get(key, ()) for key in ("things", "ask", "history"))
                wordings.append(Wording(things, ask, tuple(done), book=book, where=name, says=note))
            else:
                unread = [] if about and not kinds else [row.text for row in reading.unread if row.text in said]
                says = speaking(said, book, unread)
                wordings.append(Wording({}, None, answers={"else": UNREAD}, book=book, where=name, says=says))
    wordings = [without_act(wording, {a for w in wordings for a in acts_of(w)}) for wording in wordings]
    if not (taken or any(SPEAK in wording.says for wording in wordings)):
        return None
    question = sentence.strip()[:1].upper() + sentence.strip()[1:]
    return Comparison("", question, about, Wording({}, None), tuple(wordings))


def acts_of(wording: Wording) -> set[str]:
    """The kinds of act that a wording of a game asks about."""
    asked = [wording.things.get(str(name)) for name in (wording.ask or {}).values()]
    kinds = [kind for thing in asked if thing is not None for kind in listed(thing.get("is", ()))]
    return {kind for kind in kinds if kind_of(kind, "Act")}


def without_act(wording: Wording, acts: set[str]) -> Wording:
    """A wording that its game cannot take whole, where others do: that game says nothing, where it has no act that they ask about."""
    if not wording.answers or not acts or acts & {*registry.vocabulary(wording.book).classes}:
        return wording
    return replace(wording, answers={"else": UNSAID})


def strange(sentence: str) -> bool:
    """Whether a sentence has a word that no game knows, and that is misspelt or names a thing; for another, a verb or a manner, the rules
    that speak of the rest are shown."""
    readings = [english.understood(sentence, book) for book in books()]
    unread = [{row.text: row.like for row in reading.unread if " " not in row.text} for reading in readings]
    words = [word for word in set.intersection(*map(set, unread)) if word and known_word(word.casefold()) is None]
    named = {match[1].casefold() for match in NAMED.finditer(sentence)}
    return any(word.casefold() in named or any(misspelt(word, row[word]) for row in unread) for word in words)


def misspelt(word: str, like: tuple[str, ...]) -> bool:
    """Whether a word is spelt nearly like one that a game knows, and is not what that is made from: sqaud, not protect of protection, nor
    hurt of turret."""
    said = word.casefold()
    near = (x for x in like if abs(len(x) - len(word)) < 2 and not x.casefold().startswith(said))
    return bool(nearest(word, near, 1, ALIKE))


def in_shared_words(reading: Reading) -> tuple[Reading, str]:
    """The question with each word that a game has not put as the narrowest notion that it shares with those that have it (a squad as
    infantry), and what the reader is told of that."""
    vocabulary, text, told = registry.vocabulary(reading.book), reading.text, []
    for row in sorted(reading.unread, key=lambda row: -row.start):
        known = known_word(row.text.casefold()) if " " not in row.text.strip() else None
        shared = near_shared(known.name) if known is not None and known.kind == "thing" else []
        name = next((a for a in shared if a in vocabulary.classes), None)
        if name is None:
            return reading, ""
        label = vocabulary.classes[name].label
        told.append(f"{row.text} is taken as {label}: it has no other word for it")
        text = text[: row.start] + label + text[row.end :]
    again = english.understood(text, reading.book)
    return (reading, "") if again.unread else (again, "; ".join(reversed(told)))


def work(sentence: str) -> tuple[tuple[int, int], str]:
    """Where a sentence names a work that the games share a notion of (bunker, trench), and that notion; "" where it names none."""
    found = list(WORD.finditer(sentence))
    for n in (3, 2, 1):
        for first, last in zip(found, found[n - 1 :], strict=False):
            text = sentence[first.start() : last.end()]
            for form in singulars(text):
                if shared := works(form):
                    return (first.start(), last.end()), shared
    return (0, 0), ""


def own_kinds(vocabulary: Vocabulary, about: str) -> list[tuple[str, str]]:
    """A book's own kinds of a shared notion, with what each is called in a sentence."""
    from kb.compare.compare import kinds

    return [(term.name, term.label) for term in kinds(vocabulary, about) if term is not None]


def speaking(sentence: str, book: str, unread: list[str]) -> str:
    """What a game's row says where it cannot take the question: what is not understood, and which of its rules speak of the same."""
    speak = rules_on(sentence, book)
    told = f"“{unread[0]}” is not understood in its words" if unread else ""
    rules = f"{SPEAK}: {', '.join(speak)}" if speak else "none of its loaded rules speak of it"
    return "; ".join(said for said in (told, rules) if said)
