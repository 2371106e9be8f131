"""Terms and facts in plain English, from the ontology's own labels and verbalisations: `a squad`, `foe is not in yard`.

A verbalisation is a sentence with gaps: "{s} is a pillbox", "{s} is in {o}". A kind of act may have a synonym that
begins with "to" ("to move"), from which sentences such as "squad may not move into pillbox" are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from kb.language import norms as m
from kb.language.inflection import (
    article as article,
    base_form as base_form,
    participles as participles,
    plural as plural,
    singular as singular,
    singulars as singulars,
    stem as stem,
    third_person,
    undone as undone,
    verb_forms as verb_forms,
    vowel,
)
from kb.language.vocabulary import ABSENT, ClassTerm, Vocabulary
from kb.numbers import shown as shown

DENIED = {"is": "is not", "are": "are not", "was": "was not", "can": "cannot", "may": "may not", "must": "need not"}
PREPOSITIONS = (
    "into", "from", "at", "by", "with", "against", "in", "on", "through", "via", "to", "of", "under", "over", "for",
    "inside", "outside",
)  # fmt: skip
# Verbs that take what they are done to without a preposition, by the role it has.
DIRECT = {
    "target": ("attack", "assault", "gap", "cross", "see", "bombard", "overrun", "close assault", "rubble", "inspect"),
    "place": ("occupy",),
    "destination": ("enter",),
    "object": (
        "place", "set up", "re-roll", "gap", "cross", "turn", "lay out", "remove", "reveal", "inspect", "move", "predesignate", "switch on",
    ),
}  # fmt: skip
PERFECT = re.compile(r"has (already )?(been|had|shot|done|\w+ed)\b")
VERBS = ("carries", "possesses", "controls", "has", "holds", "uses", "sees")
WHERE = ("at ", "in ", "on ", "under ", "inside ")
ARTICLED = re.compile(r"(an?|the|no|nothing|with|not|every) ?\b")
ACT, STATE = "Act", "State"
MARK = re.compile(r"\[(EXC|BUT|YET)\s+[\w-]+(?:\s+to\s+[^:\[\]]+)?\s*:\s*")


# ── nouns ──


def series(items: Iterable[str], word: str = "and") -> str:
    """`a, b and c`."""
    listed = list(items)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {word} {listed[-1]}" if listed else "nothing"


def complement(term: ClassTerm) -> str:
    """What a member of a class is said to be, without the subject: `is a pillbox`, `is pinned`."""
    if term.verbalization and "{s}" in term.verbalization:
        return term.verbalization.replace("{s}", "").strip()
    state = term.when_unstated == ABSENT or term.derived
    return f"is {term.label}" if state else f"is {article(term.label)}"


def noun(term: ClassTerm) -> str:
    """A class as a noun phrase: `a squad`, or `pinned`, or `that has moved`, where the ontology says it so."""
    said = complement(term)
    return said.removeprefix("is ") if said.startswith("is ") else f"that {said}"


def adjectival(term: ClassTerm) -> bool:
    """Whether a class says how a thing is rather than what it is: `with LOS through opposite hexspines`, `resolved normally`."""
    if any(alt.startswith("to ") for alt in term.alt):
        return False
    first = term.label.split()[0]
    return noun(term).startswith("that ") or first in PREPOSITIONS or first.endswith(("ed", "ing"))


def passing(vocabulary: Vocabulary, name: str) -> bool:
    """Whether a class says how a thing is at the moment, or what rules make of it, and not what kind of thing it is."""
    term = vocabulary.classes[name]
    if STATE in term.ancestors or ARTICLED.match(noun(term)):
        return STATE in term.ancestors
    if ACT in term.ancestors:
        return adjectival(term)
    way = adjectival(term) or term.when_unstated == ABSENT or bool(term.derived)
    return way and not any(parent != "Thing" and not passing(vocabulary, parent) for parent in term.parents)


def any_of(term: ClassTerm) -> str:
    """Any member of a class, as the subject of an axiom: `a squad is …`, `infantry is …`, `what is pinned is …`."""
    said = noun(term)
    if said.startswith("that "):
        return f"what {said.removeprefix('that ')}"
    state = (term.when_unstated == ABSENT or term.derived) and not ARTICLED.match(said)
    return f"what is {said}" if state or said.startswith(WHERE) else said


# ── sentences ──


def negated(predicate: str) -> str:
    """`is in {o}` to `is not in {o}`; `carries {o}` to `does not carry {o}`; `has moved` to `has not moved`."""
    if PERFECT.match(predicate):
        return f"has not{predicate.removeprefix('has')}"
    if predicate.startswith("is not "):  # a check that is not for a result, which this one is
        return f"is {predicate.removeprefix('is not ')}"
    for verb, denied in DENIED.items():
        if predicate == verb or predicate.startswith(verb + " "):
            return denied + predicate[len(verb) :]
    verb, _, rest = predicate.partition(" ")
    return f"does not {base_form(verb)} {rest}".strip()


def say_class(vocabulary: Vocabulary, subject: str, cls: str, positive: bool = True) -> str:
    """`squad is pinned` / `squad is not pinned`."""
    said = complement(vocabulary.classes[cls])
    return f"{subject} {said if positive else negated(said)}"


def say_change(vocabulary: Vocabulary, subject: str, quantity: str, up: bool, by: Fraction) -> str:
    """`morale of squad goes up by 1`."""
    return f"{vocabulary.properties[quantity].label} of {subject} goes {'up' if up else 'down'} by {shown(by)}"


def say_absent(vocabulary: Vocabulary, subject: str, cls: str) -> str:
    """`squad is not pinned`; of what is so only where it is shown to be: `nothing said shows that shot is at Long Range`."""
    if vocabulary.classes[cls].unshown:
        return f"nothing said shows that {say_class(vocabulary, subject, cls)}"
    return say_class(vocabulary, subject, cls, False)


def say_link(vocabulary: Vocabulary, role: m.Role, subject: str, other: str, positive: bool = True) -> str:
    """`foe is in yard`; without a verbalisation, `destination of move is pillbox`."""
    term = vocabulary.properties[role.name]
    if role.inverse:
        subject, other = other, subject
    template = term.verbalization
    if "{s}" not in template or "{o}" not in template:
        return f"{term.label} of {subject} is {'' if positive else 'not '}{other}"
    if ARTICLED.match(other):
        template = re.sub(r"\b(an?|the) \{o\}", "{o}", template)
    else:
        template = re.sub(r"\ban? \{o\}", f"{'an' if vowel(other) else 'a'} {{o}}", template)
    if not positive:
        gap, _, predicate = template.partition(" ")
        plain = gap in ("{s}", "{o}")
        template = f"{gap} {negated(predicate)}" if plain else template.replace(" is ", " is not ", 1)
    return template.replace("{s}", subject).replace("{o}", other)


def say_flag(vocabulary: Vocabulary, name: str, subject: str, positive: bool = True) -> str:
    """`keep is drawn` / `keep is not drawn`; `move makes the place overstacked`."""
    term = vocabulary.properties[name]
    predicate = term.verbalization.removesuffix("{o}").rstrip(": ")
    if not predicate.startswith("{s} ") or "{o}" in predicate:
        first = term.label.split(" ")[0]
        predicate = term.label if third_person(first) else f"is {term.label}"
    predicate = predicate.removeprefix("{s} ")
    return f"{subject} {predicate if positive else negated(predicate)}"


def role_phrase(vocabulary: Vocabulary, role: m.Role, subject: str) -> str:
    """`occupant of yard`, `what shot is against`; for an inverse role `what has yard as its outside`."""
    label = vocabulary.properties[role.name].label
    if role.inverse:
        return f"what has {subject} as its {label}"
    return f"{label} of {subject}" if loose(label) is None else clause(vocabulary, role.name, subject)


def clause(vocabulary: Vocabulary, name: str, subject: str) -> str:
    """What a relation whose label is no noun leads to: `what shot is against`, `the place it is done from`."""
    term = vocabulary.properties[name]
    gap, _, predicate = term.verbalization.partition(" ")
    if gap == "{s}" and predicate.endswith(" {o}") and predicate.split()[-2] == term.label.split()[-1]:
        place = term.range in vocabulary.classes and "Place" in vocabulary.classes[term.range].ancestors
        return f"{'the place' if place else 'what'} {subject} {predicate.removesuffix(' {o}')}"
    return f"what {subject} {loose(term.label)} {term.label}".replace("  ", " ")


def loose(label: str) -> str | None:
    """The verb that a label which is no noun goes with: `is` for `against`, none for `carries`; None for a noun."""
    first, last = label.split(" ")[0], label.split(" ")[-1]
    if last in (*PREPOSITIONS, "as") or first.endswith("ing"):
        return "is"
    return "" if " " not in label and label in VERBS else None


def say_act(vocabulary: Vocabulary, cls: str, actor: str, others: Sequence[tuple[str, str]], modal: str) -> str:
    """`squad may not move into pillbox`: an act in one sentence. others: (property, thing) pairs besides the actor.

    modal: "may", "may not", "must", "need not". The verb is a synonym of the act's class that begins with "to".
    """
    term = vocabulary.classes[cls]
    verb = next((alt.removeprefix("to ") for alt in term.alt if alt.startswith("to ")), "")
    if verb and actor:
        straight = next((pair for pair in others if verb in DIRECT.get(pair[0], ())), None)
        done_to = f" {straight[1]}" if straight else ""
        tail = "".join(adjunct(vocabulary, prop, thing) for prop, thing in others if (prop, thing) != straight)
        return f"{actor} {modal} {verb}{done_to}{tail}"
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


def plurals(vocabulary: Vocabulary, name: str) -> list[str]:
    """The relations akin to this one (below one that it is below) that take several things: `firers` beside `actor`."""
    properties = vocabulary.properties
    if name not in properties:
        return []
    akin = [p for p in properties.values() if p.name != name and name in p.below]
    found = [n for p in akin for n in p.below if n != p.name and n not in properties[name].below]
    return list(dict.fromkeys(n for n in found if not properties[n].functional))


def adjunct(vocabulary: Vocabulary, prop: str, thing: str) -> str:
    """` into pillbox` from a property's verbalisation "{s} goes into {o}"; else ` (destination: pillbox)`."""
    term = vocabulary.properties[prop]
    words = term.verbalization.replace("{s}", "").split()
    for i, word in enumerate(words):
        if word in PREPOSITIONS and "{o}" in words[i:]:
            said = " ".join(words[i:]).replace("{o}", thing)
            return f" as part {said}" if words[i - 1 : i] == ["part"] else f" {said}"
    return f" ({term.label}: {thing})"


def chain(vocabulary: Vocabulary, low: str, high: str) -> list[tuple[str, str]]:
    """The shortest way up the class tree: (class, parent) pairs, each an axiom of the classified tree."""
    ways: list[list[str]] = [[low]]
    seen = {low}
    while ways:
        way = ways.pop(0)
        if way[-1] == high:
            return list(pairwise(way))
        for parent in vocabulary.classes[way[-1]].parents:
            if parent not in seen and high in vocabulary.classes[parent].ancestors:
                seen.add(parent)
                ways.append([*way, parent])
    return [(low, high)] if low != high else []


def say_chain(vocabulary: Vocabulary, low: str, high: str) -> str:
    """`a squad is an MMC, an MMC is infantry`."""
    classes = vocabulary.classes
    return ", ".join(f"{any_of(classes[a])} {complement(classes[b])}" for a, b in chain(vocabulary, low, high))


@lru_cache(maxsize=4096)
def sentence(text: str) -> str:
    """A paraphrased sentence without its marks: `[EXC enemy: …]` as `[EXC: …]`, `[BUT x: only …]` as `only …`."""
    out = ""
    depth: list[str] = []
    i = 0
    while i < len(text):
        if match := MARK.match(text, i):
            kind = match.group(1)
            depth.append(kind)
            out += "[EXC: " if kind == "EXC" else ""
            i = match.end()
            continue
        if text[i] == "[":
            depth.append("EXC")
        if text[i] == "]" and depth:
            out += "" if depth.pop() in ("BUT", "YET") else "]"
        else:
            out += text[i]
        i += 1
    return out
