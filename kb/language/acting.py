"""An act in one sentence, who may not do what to what: `squad may not move into pillbox`."""

from __future__ import annotations

from collections.abc import Sequence

from kb.language import norms as m
from kb.language.english import OBJECT, PREPOSITIONS, article, say_link, series, verb_of
from kb.language.vocabulary import Vocabulary

# Verbs that take what they are done to without a preposition, by the role it has.
DIRECT = {
    "target": ("attack", "assault", "gap", "cross", "see", "bombard", "overrun", "close assault", "rubble", "inspect", "go on attacking"),
    "place": ("occupy",),
    "destination": ("enter",),
    "object": (
        "place", "set up", "re-roll", "gap", "cross", "turn", "lay out", "remove", "reveal", "inspect", "move", "predesignate", "switch on",
        "put on the map", "pay the MP of crossing",
    ),
}  # fmt: skip
INSTEAD = {"fight": "against"}  # of “at”, by how a verb begins: nobody fights at somebody
SAID = {"weapon": ("fire",)}  # the same, in what is said alone: whoever shoots the enemy does not shoot with him


def say_act(vocabulary: Vocabulary, cls: str, actor: str, others: Sequence[tuple[str, str]], modal: str) -> str:
    """`squad may not move into pillbox`: an act in one sentence. others: (property, thing) pairs besides the actor.

    modal: "may", "may not", "must", "need not". The verb is a synonym of the act's class that begins with "to".
    """
    term = vocabulary.classes[cls]
    verb = verb_of(term)
    instead = next((word for begins, word in INSTEAD.items() if verb.casefold().startswith(begins)), "at")
    if verb.endswith(" of"):  # a term's own verb has its preposition with it
        verb, instead = verb.removesuffix(" of"), "of"
    if verb and actor:
        others = [
            pair for pair in others if not verb.casefold().endswith(f" {pair[1].casefold()}")
        ]  # placing a Bridge: which is told
        straight = next((pair for pair in others if verb in direct(vocabulary, pair[0])), None)
        rest = [adjunct(vocabulary, prop, thing) for prop, thing in others if (prop, thing) != straight]
        tail = "".join(sorted(rest, key=lambda text: text.startswith(","))).replace(" at ", f" {instead} ", 1)
        return f"{actor} {modal} {done_to(verb, straight[1]) if straight else verb}{tail}"
    ends: dict[str, list[str]] = {}
    for prop, thing in others:
        ends.setdefault(prop, []).append(thing)
    gerund = " " in term.label and term.label.split()[0].endswith("ing")  # `forming a Fire Group`
    tail = "".join(
        f" of {series(things)}" if prop == "object" and not gerund else adjunct(vocabulary, prop, series(things))
        for prop, things in ends.items()
    )
    act = f"{actor}'s {term.label}" if actor else term.label if gerund else article(term.label)
    said = {"may": "is allowed", "may not": "is not allowed", "must": "must be done", "need not": "need not be done"}
    return f"{act}{tail} {said[modal]}"


def direct(vocabulary: Vocabulary, prop: str) -> tuple[str, ...]:
    """The verbs that take without a preposition what stands in a relation, or in one that it is of."""
    term = vocabulary.properties.get(prop)
    return tuple(verb for name in (term.below if term else (prop,)) for verb in DIRECT.get(name, SAID.get(name, ())))


def done_to(verb: str, thing: str) -> str:
    """`gap wire`; `put bunker on the map`: a verb with what it is done to, which goes before whatever else belongs to the verb."""
    words = verb.split()
    cut = next(
        (i for i, w in enumerate(words[:-1]) if w in PREPOSITIONS and words[i + 1] in ("a", "an", "the")), len(words)
    )
    return " ".join((*words[:cut], thing, *words[cut:]))


def plurals(vocabulary: Vocabulary, name: str) -> list[str]:
    """The relations akin to this one (below one that it is below) that take several things: `firers` beside `actor`."""
    properties = vocabulary.properties
    if name not in properties:
        return []
    akin = [p for p in properties.values() if p.name != name and name in p.below]
    found = [n for p in akin for n in p.below if n != p.name and n not in properties[name].below]
    return list(dict.fromkeys(n for n in found if not properties[n].functional))


def adjunct(vocabulary: Vocabulary, prop: str, thing: str) -> str:
    """` into pillbox` from a property's verbalisation "{s} goes into {o}"; else `, where it uses AP`."""
    term = vocabulary.properties[prop]
    if "Terrain" in (vocabulary.classes[term.range].ancestors if term.range in vocabulary.classes else ()):
        return f" in {thing}"
    for name in (prop, *(n for n in reversed(term.below) if n != OBJECT)):  # what it takes is at the place of it
        if said := prepositional(vocabulary, name, thing):
            return said
    return f" with {thing}" if prop == OBJECT else f", where {say_link(vocabulary, m.Role(prop), 'it', thing)}"


def prepositional(vocabulary: Vocabulary, prop: str, thing: str) -> str:
    """` into pillbox`, where the sentence of a relation has a preposition for it; else nothing."""
    term = vocabulary.properties[prop]
    words = term.verbalization.replace("{s}", "").split()
    for i, word in enumerate(words):
        if word in PREPOSITIONS and "{o}" in words[i:]:
            said = " ".join(words[i:]).replace("{o}", thing)
            before = words[i - 1] if i and words[i - 1] in ("part", "due") else ""
            return {"part": f" as part {said}", "due": f" because of {thing}"}.get(before, f" {said}")
    return ""
