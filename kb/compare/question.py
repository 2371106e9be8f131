"""A question across games in plain words: one of those shipped, or one made from the words that the books know.

`find("can mortars shoot out of a pillbox")` looks for the shipped question with these words (or words that name the same
shared notion); failing that it builds one of the form "may ACTOR ACT (in, into, at …) THING".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from kb import registry
from kb.compare.compare import KIND, Comparison, Wording, books, spoken
from kb.errors import CaseError, Problem, nearest
from kb.language.norms import PERMITS, Deontic
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
PLAIN = frozenset(PLAIN_WORDS.split()).union(MODALS)


@dataclass(frozen=True)
class Word:
    """A stretch of the sentence that the books know. kind: act, thing, place (how the next thing stands), or plain."""

    text: str
    kind: str
    name: str = ""


def find(sentence: str, known: Mapping[str, Comparison]) -> Comparison:
    """The comparison that a sentence asks for: by its name, by its words, or made. Raises CaseError with what is near."""
    if sentence.strip() in known:
        return known[sentence.strip()]
    asked = [canonical(w) for w in spoken(sentence) if w not in PLAIN]
    if asked:
        likes = {c.name: likeness(asked, c, form(sentence)) for c in known.values()}
        ranked = sorted(known.values(), key=lambda c: (-likes[c.name], c.name))
        if ranked and likes[ranked[0].name] > 0:
            return either_way(ranked[0], asked, sentence.strip())
    made = built(sentence) or classed(sentence)
    if made is not None:
        return made
    raise CaseError(refused(sentence, known))


def likeness(asked: Iterable[str], other: Comparison, way: str = "") -> float:
    """How well a shipped question has the words asked; 0 when it lacks one of them, or asks in another way.

    One word alone asks for a question only if that has no other.
    """
    return max((likeness_to(asked, text, way) for text in (other.question, *other.also, *other.contrary)), default=0.0)


def either_way(found: Comparison, asked: Sequence[str], sentence: str) -> Comparison:
    """The comparison found, turned round where the words are those of a wording that asks the contrary."""
    way = form(sentence)
    likes = {text: likeness_to(asked, text, way) for text in (found.question, *found.also, *found.contrary)}
    nearest_wording = max(likes, key=lambda text: likes[text])
    contrary = nearest_wording in found.contrary
    if denies(sentence) != denies(nearest_wording):
        return replace(found, question=f"{sentence[:1].upper()}{sentence[1:].rstrip('? ')}?", turned=not contrary)
    if contrary:
        return replace(found, question=nearest_wording.rstrip("?") + "?", turned=True)
    return found


def denies(sentence: str) -> bool:
    """Whether a question asks what is not so: "may artillery not fire at …"."""
    return any(word in ("not", "cannot") for word in spoken(sentence))


def likeness_to(asked: Iterable[str], wording: str, way: str) -> float:
    """How well one wording has the words asked: the part of its words that they are."""
    said = set(asked)
    has = {canonical(w) for w in spoken(wording) if w not in PLAIN}
    fits = said <= has and {way, form(wording)} != {"whether", "how much"}
    best = len(said) / len(has) if fits else 0.0
    return best if best >= (0.5 if len(said) > 1 else 1.0) else 0.0


def form(sentence: str) -> str:
    """How a sentence asks: "how much" for a number, "whether" for yes or no; "" for any other way."""
    said = spoken(sentence)
    while said and (said[0] in ("in", "which", "of", "the", "for") or said[0].startswith(("system", "game"))):
        said = said[1:]
    if said[:1] == ["how"] and said[1:2] and said[1] in ("many", "much", "far", "long"):
        return "how much"
    return "whether" if said and said[0] in (*MODALS, "is", "are", "does", "do", "will") else ""


@lru_cache(maxsize=4096)
def canonical(word: str) -> str:
    """A word as it is compared: without its plural, a kind of a shared work as that work, a synonym as its label."""
    word = dict.fromkeys(("shoot", "shooting", "shoots", "fired"), "fire").get(word, word)
    for form in forms(word):
        shared = works(form)
        if shared:
            return fold(shared)
        for vocabulary in vocabularies():
            name = vocabulary.resolve(form, [vocabulary.classes])
            if name is not None and not vocabulary.own(name):
                return fold(name)
    return fold(forms(word)[-1])


def forms(word: str) -> list[str]:
    """The word, and what it may be the plural of."""
    return [word] + [word.removesuffix(end) for end in ("s", "es") if word.endswith(end) and len(word) > len(end) + 2]


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


# ── a question that nobody wrote down ──


def built(sentence: str) -> Comparison | None:
    """A comparison made from "may ACTOR ACT (PLACE) THING"; None when the sentence has another form or unknown words."""
    said = spoken(sentence)
    begins = next((i for i, word in enumerate(said) if word in MODALS), len(said))
    if any(word not in PLAIN for word in said[:begins]):
        return None
    said = active(said[begins:])  # "in which of the systems may …" asks no more than "may …"
    if not said:
        return None
    read = words_of(said[1:])
    if any(word.kind == "" for word in read):
        return None
    acts = [i for i, word in enumerate(read) if word.kind == "act"]
    if not acts:
        return None
    before, act, after = read[: acts[0]], read[acts[0]], read[acts[0] + 1 :]
    doers = [w for w in before if w.kind == "thing" and not kind_of(w.name, "State")]
    states = [w.text for w in before if w.kind == "thing" and kind_of(w.name, "State")]  # each book has its own pinned
    things: dict[str, Any] = {"actor": {"is": ["Infantry", "Friendly"]}, "act": {"is": act.name, "actor": "actor"}}
    for doer in doers:
        if kind_of(doer.name, "Weapon") and kind_of(act.name, "Attack"):
            things["act"]["weapon"] = doer.name
        else:
            things["actor"] = {"is": [doer.name, "Friendly"]}
    things["actor"]["is"] += states
    about = place_things(things, act, [*(w for w in before if w.kind == "place"), *after])
    if about is None:
        return None
    ask = {MODALS[said[0]]: "act"}
    inside = Wording({}, None, where="Unit", says="it is itself a unit here: nobody is inside it")
    enclosed = about and (things["act"].get("destination") == "post" or things["actor"].get("at") == "post")
    question = sentence.strip()[:1].upper() + sentence.strip()[1:]
    others = (*((inside,) if enclosed else ()), *before_play(things, ask))
    return Comparison("", question, about, Wording(things, ask), others)


def classed(sentence: str) -> Comparison | None:
    """A comparison made from "is a THING a CLASS" or "does a THING VERB …", where a book has such a class; else None."""
    said = [word for word in spoken(sentence) if word not in ("a", "an", "the", "every", "any")]
    begins = next((i for i, word in enumerate(said) if word in ("is", "are", "does", "do")), len(said))
    if any(word not in PLAIN for word in said[:begins]):
        return None
    said = said[begins + 1 :]
    for n in (3, 2, 1):
        thing, rest = known_word(" ".join(said[:n])), said[n:]
        rest = rest[2:] if rest[:2] in (["count", "as"], ["counts", "as"]) else rest
        if thing is None or thing.kind != "thing" or not rest or kind_of(thing.name, "State"):
            continue
        cls = next((c for c in (" ".join(rest), " ".join([rest[0] + "s", *rest[1:]])) if is_class(c)), None)
        if cls is None:
            return None
        shared = works(thing.text)
        things = {"post": {"is": KIND if shared else thing.name}}
        question = sentence.strip()[:1].upper() + sentence.strip()[1:]
        return Comparison("", question, shared, Wording(things, {"is": ["post", fold(cls)]}))
    return None


def is_class(text: str) -> bool:
    """Whether some book has a class of that name, in one of the forms of the word."""
    return any(v.resolve(form_, [v.classes]) is not None for v in vocabularies() for form_ in forms(text))


def before_play(things: dict[str, Any], ask: dict[str, str]) -> list[Wording]:
    """A setup is asked of in the phase that a book's norms permit setting up in, where they name one."""
    if things["act"]["is"] != "SetUp":
        return []
    found = []
    for book in books():
        classes = registry.vocabulary(book).classes
        for norm in registry.theory(book).deontic:
            head = norm.head
            if isinstance(head, Deontic) and head.mode == PERMITS and "SetUp" in classes[head.act].ancestors:
                phase = re.search(r"\bphase some (\w+)", str(norm.when))
                if phase:
                    found.append(Wording({**things, "act": {**things["act"], "phase": phase[1]}}, ask, book=book))
                    break
    return found


def place_things(things: dict[str, Any], act: Word, after: list[Word]) -> str | None:
    """Put what follows the act in its place; gives the shared kind of work spoken of, "" for none, None for too much."""
    about, how = "", ""
    for word in after:
        if word.kind == "place":
            how = word.name
        elif word.kind == "thing":
            role, how = how or usual_role(act.name), ""
            if role == "at" and kind_of(act.name, "Entry"):
                role = "destination"
            elif role == "target" and kind_of(word.name, "Weapon") and kind_of(act.name, "Attack"):
                role = "weapon"  # a mortar may be fired
            elif role == "from" and kind_of(act.name, "Attack"):
                role = "at"  # who fires from a place is in it
            if kind_of(word.name, "Terrain") and act_on_ground(act.name):
                things["act"]["place"] = {"is": "Hex", "terrain": word.name}
                continue
            shared = works(word.name) or (word.name if kind_of(word.name, "Fortification") else "")
            if shared and about:
                return None
            name: Any = word.name
            if shared:
                about, name, things["post"] = shared, "post", {"is": KIND}
                if role == "object" and kind_of(act.name, "Placement"):
                    things["act"]["is"] = "SetUp"  # works are set up, unless a book says otherwise
            holder = things["actor"] if role == "at" else things["act"]
            if role in holder:
                return None
            holder[role] = name if role != "target" or shared else {"is": [word.name, "Enemy"]}
        elif word.kind == "act":
            return None
    return about


def active(said: list[str]) -> list[str]:
    """`may a bunker be attacked by a tank` as `may a tank attack a bunker`; any other sentence as it is."""
    if "be" not in said[1:-1]:
        return said
    at = said.index("be", 1)
    verb = said[at + 1]
    tries = (verb, verb.removesuffix("d"), verb.removesuffix("ed"), verb.removesuffix("ied") + "y")
    done = next((word for word in tries if is_act(word)), "")
    if not done:
        return said
    rest = said[at + 2 :]
    by = rest.index("by") if "by" in rest else len(rest)
    return [said[0], *rest[by + 1 :], done, *said[1:at], *rest[:by]]


def is_act(text: str) -> bool:
    """Whether a word names a kind of act in some game."""
    word = known_word(text)
    return word is not None and word.kind == "act"


def usual_role(act: str) -> str:
    """How an act is joined to the thing named after it: as the books' own norms on such acts have it, else as its object."""
    for above, role in (("Entry", "destination"), ("Attack", "target"), ("Occupation", "place")):
        if kind_of(act, above):
            return role
    conditions = [
        str(norm.when) for book in books() for norm in registry.theory(book).deontic
        if isinstance(norm.head, Deontic) and norm.head.act == act
    ]  # fmt: skip
    said = Counter(
        role for text in conditions for role in re.findall(r"\b(target|object|place|destination) some", text)
    )
    return max(sorted(said), key=lambda role: said[role], default="object")


def act_on_ground(act: str) -> bool:
    """Whether terrain named after an act is that of the place where something is put."""
    return kind_of(act, "Placement") or kind_of(act, "SetUp")


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
    for spelling in (f"to {text}", *forms(text)):
        for vocabulary in vocabularies():
            name = vocabulary.resolve(spelling, [vocabulary.classes])
            if name is not None:
                return Word(text, "act" if "Act" in vocabulary.classes[name].ancestors else "thing", name)
    return None


def kind_of(name: str, above: str) -> bool:
    """Whether some book has the class below another."""
    return any(name in v.classes and above in v.classes[name].ancestors for v in vocabularies())


# ── what is said of a question that cannot be answered ──


def refused(sentence: str, known: Mapping[str, Comparison]) -> Problem:
    """Which words nobody knows, what is spelt like them, and what can be asked."""
    spelt = {w for c in known.values() for text in (c.question, *c.also, *c.contrary) for w in spoken(text)} | {
        name.casefold() for v in vocabularies() for t in v.all() for name in (t.label, *t.alt) if " " not in name
    }
    asked = [w for w in spoken(sentence) if w not in PLAIN and w not in PLACED]
    strange = [w for w in asked if not any(f in spelt for f in forms(w)) and known_word(w) is None]
    if strange:
        close = {w: nearest(w, spelt, 2) for w in strange}
        said = ", ".join(f"“{w}”" + (f" (did you mean {' or '.join(c)}?)" if c else "") for w, c in close.items())
        message = f"no book knows {said}"
    else:
        message = f"“{sentence.strip()}” is none of the questions that can be put to every game"
    words = {canonical(w) for w in asked}
    ranked = sorted(known.values(), key=lambda c: -len(words & {canonical(w) for w in spoken(c.question)}))
    best = "\n".join(f"      {c.name}: {c.question}" for c in ranked[:4])
    hint = (
        f"ask “may ACTOR ACT in|into|at THING”, or one of these ({len(known)} in all: loophole compare --list)\n{best}"
    )
    return Problem(461, message, hint=hint)
