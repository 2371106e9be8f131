"""The words of a question as the games know them: each stretch of a sentence that some book has a term for, and its kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from kb import registry
from kb.compare.comparison import books
from kb.language.english import participles, plural, singulars
from kb.language.vocabulary import Vocabulary, fold

PLAIN_WORDS = """
a an the of is are be do does did may can could must might has have to from any some what which who whose how many much there
it its that by on for with own one i you we he they his their system systems game games rule rules text say says said ever
when while and or not no if in same then this these us me please why each every also both still yet been once cannot
"""
PLACED = {
    "inside": "at", "within": "at", "in": "at", "out": "at", "into": "destination", "at": "target", "against": "target",
    "on": "target", "with": "weapon", "using": "weapon", "via": "via", "from": "from",
}  # fmt: skip
MODALS = {
    **dict.fromkeys(("may", "can", "could", "let", "lets", "allow", "allows", "permit", "permits"), "may"),
    **dict.fromkeys(("must", "require", "requires"), "must"),
}  # fmt: skip
LEAVING = frozenset(form for verb in ("leave", "exit") for form in (verb, plural(verb), *participles(verb)))
PLAIN = frozenset(PLAIN_WORDS.split()).union(MODALS)


@dataclass(frozen=True)
class Word:
    """A stretch of the sentence that the books know. kind: act, thing, place (how the next thing stands), or plain."""

    text: str
    kind: str
    name: str = ""


@lru_cache(maxsize=4096)
def canonical(word: str) -> str:
    """A word as it is compared: without its plural, a kind of a shared work as that work, a synonym as its label."""
    if word in LEAVING:  # an entry in the books' words, and the contrary of one in a player's
        return "leave"
    word = dict.fromkeys(("shoot", "shooting", "shoots", "fired"), "fire").get(word, word)
    for form in singulars(word):
        shared = works(form)
        if shared:
            return fold(shared)
        for vocabulary in vocabularies():
            name = vocabulary.resolve(form, [vocabulary.classes])
            if name is not None and not vocabulary.own(name):
                return fold(name)
    return fold(singulars(word)[-1])


def works(spelling: str) -> str:
    """The narrowest notion of a work (protected post, entrenchment) that the games share for a word; "" for none.

    Fortification itself is too wide to stand for one kind: wire and a bunker are both one.
    """
    found = None
    for vocabulary in vocabularies():
        name = vocabulary.resolve(spelling, [vocabulary.classes])
        if name is not None:
            shared = {
                a for a in vocabulary.classes[name].ancestors if not vocabulary.own(a) and a in work_notions(vocabulary)
            }
            found = shared if found is None else found & shared
    return min(found or (), default="")


def work_notions(vocabulary_of: Vocabulary) -> frozenset[str]:
    """The shared kinds of work that are narrower than a fortification, or are entrenchments."""
    classes = vocabulary_of.classes
    below = {d for top in ("Fortification", "Entrenchment") if top in classes for d in classes[top].descendants}
    return frozenset(d for d in below if not vocabulary_of.own(d) and d != "Fortification")


@lru_cache
def vocabularies() -> tuple[Vocabulary, ...]:
    """Every game's words."""
    return tuple(registry.vocabulary(book) for book in books())


def is_class(text: str) -> bool:
    """Whether some book has a class of that name, in one of the forms of the word."""
    return any(v.resolve(form_, [v.classes]) is not None for v in vocabularies() for form_ in singulars(text))


def is_act(text: str) -> bool:
    """Whether a word names a kind of act in some game."""
    word = known_word(text)
    return word is not None and word.kind == "act"


def words_of(said: list[str]) -> list[Word]:
    """The sentence cut into the longest stretches that some book knows; a stretch nobody knows has no kind."""
    found, i = [], 0
    while i < len(said):
        for n in (3, 2, 1):
            text = " ".join(said[i : i + n])
            word = known_word(text) if len(said[i : i + n]) == n else None
            if word is not None:
                break
        else:
            word, n = Word(said[i], ""), 1
        assert word is not None
        found.append(word)
        i += n
    return [w for w in found if w.kind != "plain"]


def known_word(text: str) -> Word | None:
    """What a word is to the games, in the first of them that knows it; None for an unknown one."""
    if text in PLACED:
        return Word(text, "place", PLACED[text])
    if text in PLAIN:
        return Word(text, "plain")
    for spelling in (f"to {text}", *singulars(text)):
        for vocabulary in vocabularies():
            name = vocabulary.resolve(spelling, [vocabulary.classes])
            if name is not None:
                return Word(text, "act" if "Act" in vocabulary.classes[name].ancestors else "thing", name)
    return None


def kind_of(name: str, above: str) -> bool:
    """Whether some book has the class below another."""
    return any(name in v.classes and above in v.classes[name].ancestors for v in vocabularies())


def spoken(question: str) -> list[str]:
    """The words of a question, lower case, without signs."""
    return "".join(ch if ch.isalnum() or ch in "-’'" else " " for ch in question.casefold()).split()
