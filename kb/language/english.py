"""Terms and facts in plain English, from the ontology's own labels and verbalisations: `a squad`, `foe is not in yard`.

A verbalisation is a sentence with gaps: "{s} is a pillbox", "{s} is in {o}". A kind of act may have a synonym that
begins with "to" ("to move"), from which sentences such as "squad may not move into pillbox" are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from kb.language import norms as m
from kb.language.inflection import (
    PARTICIPLES,
    article as article,
    base_form as base_form,
    participles as participles,
    plural as plural,
    plural_verb as plural_verb,
    singular as singular,
    singulars as singulars,
    stem as stem,
    third_person,
    undone as undone,
    verb_forms as verb_forms,
    vowel,
)
from kb.language.relations import (
    PREPOSITIONS as PREPOSITIONS,
    clause as clause,
    role_phrase as role_phrase,
    verbal as verbal,
)
from kb.language.vocabulary import ABSENT, ASKED, ClassTerm, Vocabulary
from kb.numbers import shown as shown

MANNERS = (
    "made",
    "done",
    "not",
    "subject",
    "within",
)  # first words of what is said of an act that is no act of its own
DENIED = {
    "is": "is not", "are": "are not", "was": "was not", "can": "cannot", "may": "may not", "must": "need not", "could": "could not",
}  # fmt: skip
UNDONE = {
    "is not": "is",
    "may not": "may",
    "need not": "must",
    "cannot": "can",
    "could not": "could",
    "is no longer": "is still",
    "is unable": "is able",
}
PERFECT = re.compile(r"has (already )?(been|had|shot|done|\w+ed)\b")
NUMBER = re.compile(r"the (.*) (is|are) \{o\}")
WHERE = ("at ", "in ", "on ", "under ", "inside ")
ARTICLED = re.compile(r"(an?|the|no|nothing|with|not|every) ?\b")
ACT, STATE, OBJECT = "Act", "State", "object"
ADJECTIVES = (
    "adjacent",
    "brown",
    "cumulative",
    "cut",
    "done",
    "equivalent",
    "exempt",
    "full",
    "gray",
    "hit",
    "immune",
    "made",
    "meant",
    "no",
    "not",
    "shown",
    "specifically",
    "still",
    "subject",
    "unable",
    "within",
)  # first words of what is said of a thing, beside participles and prepositions
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
    first, said = term.label.split()[0], noun(term)
    kind = ARTICLED.match(said) or (
        term.when_unstated == ASKED and STATE not in term.ancestors
    )  # a building, barbed wire
    ends = first.endswith(("ed", "ing")) and (ACT in term.ancestors or not kind)
    return said.startswith("that ") or first in PREPOSITIONS or ends


def all_above(vocabulary: Vocabulary, names: Iterable[str]) -> frozenset[str]:
    """All classes that something of some classes is of."""
    return frozenset[str]().union(*(vocabulary.classes[n].ancestors for n in names))


def of_side(label: str) -> str:
    """A noun for what is only said to be on a side: `friend`, for something friendly; `enemy` is one."""
    return "friend" if label == "friendly" else label


def verb_of(term: ClassTerm) -> str:
    """What is done, `form a Fire Group`, where a class of acts has a verb."""
    return next((alt.removeprefix("to ") for alt in term.alt if alt.startswith("to ")), "")


def manner(term: ClassTerm) -> bool:
    """Whether a class of acts says in what way an act is done, and has neither a verb nor a noun for it: `made from another hex`."""
    first = noun(term).split()[0]
    return not verb_of(term) and (
        adjectival(term) or first in (*PREPOSITIONS, *MANNERS) or first.endswith(("ed", "ly"))
    )


def passing(vocabulary: Vocabulary, name: str) -> bool:
    """Whether a class says how a thing is at the moment, or what rules make of it, and not what kind of thing it is."""
    term = vocabulary.classes[name]
    if STATE in term.ancestors or ARTICLED.match(noun(term)):
        return STATE in term.ancestors
    if ACT in term.ancestors:
        return adjectival(term)
    way = adjectival(term) or term.when_unstated == ABSENT or bool(term.derived)
    return way and not any(parent != "Thing" and not passing(vocabulary, parent) for parent in term.parents)


def stative(vocabulary: Vocabulary, name: str) -> bool:
    """Whether what a class is called is no noun, and needs one before it: `something that is pinned`, but `infantry`, `OBA`."""
    said = noun(vocabulary.classes[name])
    if said.startswith(("that ", "a ", "an ", "the ")):
        return False
    first, *more = said.split()
    if first in (*PREPOSITIONS, *ADJECTIVES) or (
        (first.endswith("ed") or first in PARTICIPLES) and (not more or more[0] in (*PREPOSITIONS, "a", "an", "as"))
    ):
        return True
    above = [c for c in vocabulary.classes[name].ancestors if c != name and c in vocabulary.classes]
    return passing(vocabulary, name) or (bool(above) and all(stative(vocabulary, c) for c in above))


def any_of(term: ClassTerm) -> str:
    """Any member of a class, as the subject of an axiom: `a squad is …`, `infantry is …`, `what is pinned is …`."""
    said = noun(term)
    if said.startswith("that "):
        return f"what {said.removeprefix('that ')}"
    state = (term.when_unstated == ABSENT or term.derived) and not ARTICLED.match(said)
    return f"what is {said}" if state or said.startswith(WHERE) else said


# ── sentences ──


@lru_cache(maxsize=4096)
def negated(predicate: str) -> str:
    """`is in {o}` to `is not in {o}`; `carries {o}` to `does not carry {o}`; `has moved` to `has not moved`."""
    if PERFECT.match(predicate):
        return f"has not{predicate.removeprefix('has')}"
    for denied, verb in UNDONE.items():  # a check that is not for a result, which this one is
        if predicate.startswith(f"{denied} "):
            return verb + predicate[len(denied) :]
    for verb, denied in DENIED.items():
        if predicate == verb or predicate.startswith(verb + " "):
            return denied + predicate[len(verb) :]
    verb, _, rest = predicate.partition(" ")
    if match := re.match(r"and (\w+s)\b", rest):  # mans and fires
        rest = f"or {base_form(match[1])}{rest[match.end() :]}"
    return f"does not {base_form(verb)} {rest}".strip()


def say_class(vocabulary: Vocabulary, subject: str, cls: str, positive: bool = True) -> str:
    """`squad is pinned` / `squad is not pinned`."""
    said = complement(vocabulary.classes[cls])
    return f"{subject} {said if positive else negated(said)}"


def say_change(vocabulary: Vocabulary, subject: str, quantity: str, up: bool, by: Fraction) -> str:
    """`morale of squad goes up by 1`."""
    return f"{say_number(vocabulary, quantity, subject)} goes {'up' if up else 'down'} by {shown(by)}"


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
        template = re.sub(r"\b(an?|the|hex) \{o\}", "{o}", template)
    else:
        template = re.sub(r"\ban? \{o\}", f"{'an' if vowel(other) else 'a'} {{o}}", template)
    if not positive:
        gap, _, predicate = template.partition(" ")
        plain = gap in ("{s}", "{o}")
        template = f"{gap} {negated(predicate)}" if plain else template.replace(" is ", " is not ", 1)
    return template.replace("{s}", subject).replace("{o}", other)


def say_flag(vocabulary: Vocabulary, name: str, subject: str, positive: bool = True) -> str:
    """`keep is drawn` / `keep is not drawn`; `move makes the place overstacked`."""
    return f"{subject} {flag_predicate(vocabulary, name, positive)}"


def flag_predicate(vocabulary: Vocabulary, name: str, positive: bool = True) -> str:
    """What a true-or-false property says: `is drawn`, `does not make the place overstacked`."""
    term = vocabulary.properties[name]
    predicate = term.verbalization.removesuffix("{o}").rstrip(": ")
    if not predicate.startswith("{s} ") or "{o}" in predicate:
        first = term.label.split(" ")[0]
        predicate = term.label if third_person(first) else f"is {term.label}"
    predicate = predicate.removeprefix("{s} ")
    return predicate if positive else negated(predicate)


def say_number(vocabulary: Vocabulary, name: str, subject: str) -> str:
    """`TEM of shot`, `distance from cave to the nearest other cave`, `number of hexes moved in go`: a number by its sentence."""
    term = vocabulary.properties[name]
    found = NUMBER.fullmatch(term.verbalization)
    if found is None or "{s}" not in found[1]:
        return f"{term.label} of {subject}"
    many = found[2] == "are" and not found[1].startswith("fewest ")
    return f"{'number of ' if many else ''}{found[1]}".replace("{s}", subject)


@lru_cache(maxsize=4096)
def chain(vocabulary: Vocabulary, low: str, high: str) -> tuple[tuple[str, str], ...]:
    """The shortest way up the class tree: (class, parent) pairs, each an axiom of the classified tree."""
    ways: list[list[str]] = [[low]]
    seen = {low}
    while ways:
        way = ways.pop(0)
        if way[-1] == high:
            return tuple(pairwise(way))
        for parent in vocabulary.classes[way[-1]].parents:
            if parent not in seen and high in vocabulary.classes[parent].ancestors:
                seen.add(parent)
                ways.append([*way, parent])
    return ((low, high),) if low != high else ()


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
