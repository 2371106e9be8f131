"""A comparison made from a sentence that nobody wrote a question for: “may ACTOR ACT (PLACE) THING”, “is a THING a CLASS”."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from kb import registry
from kb.compare.comparison import KIND, Comparison, Wording, books
from kb.compare.words import (
    LEAVING,
    MODALS,
    PLAIN,
    Word,
    is_act,
    is_class,
    kind_of,
    known_word,
    spoken,
    vocabularies,
    words_of,
    works,
)
from kb.language.english import undone
from kb.language.norms import PERMITS, Deontic
from kb.language.phrases import DIRECT
from kb.language.vocabulary import fold


def built(sentence: str) -> Comparison | None:
    """A comparison made from "may ACTOR ACT (PLACE) THING"; None when the sentence has another form or unknown words."""
    said = spoken(sentence)
    begins = next((i for i, word in enumerate(said) if word in MODALS), len(said))
    if any(word not in PLAIN for word in said[:begins]) or LEAVING & {*said}:
        return None  # what is left is no destination
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
    if " " in act.text and not after:
        return None  # gap an obstacle: what it is done to is in its name, and is read in each game's own words
    doers = [w for w in before if w.kind == "thing" and not kind_of(w.name, "State")]
    if not all(kind_of(doer.name, "Piece") or kind_of(doer.name, "Weapon") for doer in doers):
        return None  # a squad in barbed wire: not who does it, but where he is
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
            elif role == "at" and "target" in things["act"]:
                return None  # fired at in a tunnel: who is in it is not who fires
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
    done = next((word for word in undone(verb) if is_act(word)), "")
    if not done:
        return said
    rest = said[at + 2 :]
    by = rest.index("by") if "by" in rest else len(rest)
    return [said[0], *rest[by + 1 :], done, *said[1:at], *rest[:by]]


def usual_role(act: str) -> str:
    """How an act is joined to the thing named after it: as the books' own norms on such acts have it, else as its object."""
    for above, role in (("Entry", "destination"), ("Attack", "target"), ("Occupation", "place")):
        if kind_of(act, above):
            return role
    verbs = {alt.removeprefix("to ") for v in vocabularies() if act in v.classes for alt in v.classes[act].alt}
    if role := next((role for role, direct in DIRECT.items() if verbs & {*direct}), ""):
        return role  # gap an obstacle
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
