"""What a case says or asks of a thing of a kind that it cannot be said of: put right where the ontology says how, else told.

    put(question, things, vocabulary) -> (question, things)
    misfits(question, things, vocabulary) -> Misfit, Misfit, …

The number of an act may be asked of what the act is done to or with (`lp:askedThrough "CLASS RELATION KIND …"`): the TEM of a
roof is that of an attack on it. Asked so, the question goes to the one such act of the case, or to one that nothing else is said of.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from kb.cases import misread
from kb.language import norms as m
from kb.language.case import Facts, Question
from kb.language.english import PREPOSITIONS, adjectival, article
from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary, fold

Things = Mapping[str, Facts]
ACT, STATE, PIECE, ACTOR = "Act", "State", "Piece", "actor"
SPOTS = re.compile(r"\b[A-Z]{1,2}\d{1,2}\b")


@dataclass(frozen=True, slots=True)
class Misfit:
    """A fault of a case: code, where it stands (keys from the top of the document), what is wrong, what to do."""

    code: int
    path: tuple[str, ...]
    message: str
    hint: str


def put(question: Question, things: Things, vocabulary: Vocabulary) -> tuple[Question, Things]:
    """The question as meant, and the things with the act that it is about."""
    prop = vocabulary.properties.get(question.quantity) if question.kind == "value" else None
    asked = things.get(question.thing)
    if prop is None or asked is None or fits(asked, prop.domain, vocabulary):
        return question, things
    way = next((w for w in prop.asked_through if vocabulary.entails(asked.is_, w.cls)), None)
    if way is None:
        return question, things
    cls, role = way.act, way.role
    near = [x for x in things.values() if concerns(x, role, asked.name, things, vocabulary)]
    named = [x.name for x in near if vocabulary.entails(x.is_, cls)]
    if not named:
        others = {w.role for w in prop.asked_through} - {role}
        named = [x.name for x in near if may_be(x, cls, vocabulary) and others.isdisjoint(x.links)]
    if len(named) == 1:
        return replace(question, thing=named[0]), things
    if named:
        return question, things
    term = vocabulary.classes[cls]
    label = f"{term.label} with {asked.label or asked.name} as its {vocabulary.properties[role].label}"
    made = Facts(f"{asked.name}.{cls}", (cls,), links={role: (asked.name,)}, label=label)
    return replace(question, thing=made.name), {**things, made.name: made}


def may_be(act: Facts, cls: str, vocabulary: Vocabulary) -> bool:
    """Whether an act is told by a wider kind, and nothing said of it rules out that it is a cls."""
    classes = vocabulary.classes
    wider = classes[cls].ancestors - {cls, ACT}
    barred = cls in act.not_ or any(cls in classes[c].disjoint for c in act.is_)
    return not barred and any(c in wider for c in act.is_)


def relation_meant(word: str, kinds: Iterable[str], vocabulary: Vocabulary) -> str:
    """What `unknown: [WORD]` means of a thing of these kinds: of a shot, which is no Skill Test itself, the skillTest of it."""
    classes, relation = vocabulary.classes, word[:1].lower() + word[1:]
    if word in classes and relation in vocabulary.properties and any(word in classes[kind].disjoint for kind in kinds):
        return relation
    return word


def for_several(prop: PropertyTerm, kinds: Iterable[str], vocabulary: Vocabulary) -> PropertyTerm:
    """The relation by which several are told who are one group by this one (`actor: [a, b]` means `actors`); itself where there is none."""
    for name in vocabulary.singly:
        for way in vocabulary.properties[name].as_one:
            if way.role == prop.name and any(vocabulary.entails(kinds, cls) for cls in way.acts):
                return vocabulary.properties[name]
    return prop


def misfits(
    question: Question | None, things: Things, vocabulary: Vocabulary, said: Iterable[Facts]
) -> Iterator[Misfit]:
    """The faults of a case: of what is `said` of things, then of what is asked."""
    asked = question.inner if question is not None and question.kind == "which" else question
    wrong = list(asked_of(asked, things, vocabulary)) if asked is not None and asked.thing in things else []
    unkind = {found.path[1] for found in wrong if found.path[0] == "things"}  # what is told of them waits for a kind
    for facts in said:
        for key in () if facts.name in unkind else (*facts.links, *facts.numbers, *facts.flags, *facts.texts):
            prop = vocabulary.properties[key]
            if not fits(facts, prop.domain, vocabulary) and not told(prop, facts, vocabulary):
                yield said_of(facts, prop, things, vocabulary)
    yield from wrong


def said_of(facts: Facts, prop: PropertyTerm, things: Things, vocabulary: Vocabulary) -> Misfit:
    """The fault (E441) of a property said of a thing of a kind that it cannot be said of."""
    domain = vocabulary.classes[prop.domain]
    own = next(c for c in facts.is_ if prop.domain in vocabulary.classes[c].disjoint)
    hint = called_alike(facts, prop, vocabulary) or told_of_another(facts, prop, own, things, vocabulary)
    message = f"“{prop.name}” is said of {a(domain)}; {facts.name} is {a(vocabulary.classes[own])}"
    return Misfit(441, path_of(facts.name, prop.name), message, hint or f"say it of {a(domain)}")


def called_alike(facts: Facts, prop: PropertyTerm, vocabulary: Vocabulary) -> str:
    """The property to write that goes by the same word and fits the thing, or else by a phrase with that word in it; ""."""
    others = [p for p in vocabulary.properties.values() if p is not prop and fits(facts, p.domain, vocabulary)]
    same = [p for p in others if fold(prop.name) in map(fold, p.alt)][-1:]
    found = same or [p for p in others if any(prop.name in alt.split() for alt in p.alt)]
    return f"write {found[0].name}: …" if found else ""


def told_of_another(facts: Facts, prop: PropertyTerm, own: str, things: Things, vocabulary: Vocabulary) -> str:
    """Of what else to say a property: the act that a thing takes part in, or who takes part in an act; "" where neither is known."""
    domain = vocabulary.classes[prop.domain]
    way = next((w for w in prop.asked_through if vocabulary.entails(facts.is_, w.cls)), None)
    if way is not None:
        told_so = f"{{is: {way.act}, {way.role}: {facts.name}, {prop.name}: …}}"
        return f"say it of the {domain.label} it takes part in, such as {told_so}"
    if meant := alike(own, domain):
        return f"write {facts.name}: {{is: {meant}, …}}"
    bearer = next((to for named in facts.links.values() for to in named if bears(things[to], prop, vocabulary)), "")
    if bearer or may_bear(facts, prop, vocabulary):
        longer = akin(prop, facts, vocabulary)
        said = f"say it of {bearer or 'who does it'}: {bearer or ACTOR}: {{{prop.name}: …}}"
        return f"{said}; or write {longer}" if longer else said
    if ACT in domain.ancestors:
        return f"say it of the {domain.label} it takes part in, such as {new_act(domain, facts, prop.name)}"
    return ""


def bears(facts: Facts, prop: PropertyTerm, vocabulary: Vocabulary) -> bool:
    """Whether a property can be said of a thing, of which a kind is told."""
    return bool(facts.is_) and fits(facts, prop.domain, vocabulary)


def may_bear(facts: Facts, prop: PropertyTerm, vocabulary: Vocabulary) -> bool:
    """Whether a property that is said of an act is one of those who do acts: units."""
    classes = vocabulary.classes
    return vocabulary.entails(facts.is_, ACT) and PIECE in classes and PIECE in classes[prop.domain].ancestors


def akin(prop: PropertyTerm, facts: Facts, vocabulary: Vocabulary) -> str:
    """The number that fits a thing and whose label begins with that of another (“MF left after it” with “MF left”), as it is written; ""."""
    near = (
        p for p in vocabulary.properties.values()
        if p.kind == prop.kind and p.label.startswith(prop.label + " ") and fits(facts, p.domain, vocabulary)
    )  # fmt: skip
    found = next(near, None)
    return f"{found.name}: … ({found.label})" if found is not None else ""


def leads_to(owner: str, prop: PropertyTerm, own: str, vocabulary: Vocabulary) -> Misfit:
    """A kind of act in the place of something else: `weapon: OBA`."""
    classes = vocabulary.classes
    message = f"“{prop.name}” leads to {a(classes[prop.range])}; {own} is {a(classes[own])}"
    return Misfit(443, path_of(owner, prop.name), message, f"write {owner}: {{is: {own}, …}}")


def asked_of(question: Question, things: Things, vocabulary: Vocabulary) -> Iterator[Misfit]:
    """A number, a permission or a state of an act asked of what is no act, and a state of something else asked of an act."""
    facts = things[question.thing]
    word = ""
    match question.kind, question.condition:
        case "value", _:
            prop = vocabulary.properties.get(question.quantity)
            word, wanted = question.quantity, prop.domain if prop is not None else ""
        case (("may" | "must" | "effects"), _):
            word, wanted = question.kind, ACT
        case "is", (m.Named(word) | m.Not(m.Named(word))) if word in vocabulary.classes:
            wanted = ACT if ACT in vocabulary.classes[word].ancestors else ""
            if not wanted and vocabulary.entails(facts.is_, ACT) and ACT in vocabulary.classes[word].disjoint:
                yield of_an_act(question, facts, word, vocabulary)
                return
        case _:
            return
    if not wanted:
        return
    states = list(only_states(question, facts, vocabulary)) if question.kind in ("may", "must", "effects") else []
    if states or fits(facts, wanted, vocabulary):
        yield from states
        return
    classes = vocabulary.classes
    domain = classes[wanted]
    own = next(c for c in facts.is_ if wanted in classes[c].disjoint)
    acts = [
        x.name for x in things.values() if vocabulary.entails(x.is_, wanted) and facts.name in sum(x.links.values(), ())
    ]
    hint = f"ask it of {' or '.join(acts)}" if acts else ""
    if not hint and (meant := alike(own, domain)):
        hint = f"write {facts.name}: {{is: {meant}, …}}"
    if not hint and ACT in domain.ancestors:
        kind = (
            next((classes[p] for p in classes[word].parents if wanted in classes[p].ancestors), domain)
            if word in classes
            else domain
        )
        hint = f"ask it of {a(kind)} among the things, such as {new_act(kind, facts, '')}"
    message = f"“{word}” is asked of {a(domain)}; {facts.name} is {a(vocabulary.classes[own])}"
    yield Misfit(442, ("ask", question.kind), message, hint)


def of_an_act(question: Question, facts: Facts, word: str, vocabulary: Vocabulary) -> Misfit:
    """The fault (E442) of a state of those who take part asked of the act: `is: [fight, InMelee]`."""
    classes = vocabulary.classes
    own = next(c for c in facts.is_ if word in classes[c].disjoint)
    stem = fold(word).removeprefix("in")
    meant = [c for c in sorted(classes) if stem in fold(c) and c != word and ACT in classes[c].ancestors]
    fitting = next((c for c in meant if not any(c in classes[k].disjoint for k in facts.is_)), "")
    taking = [to for named in facts.links.values() for to in named]
    hint = f"ask it of {' or '.join(dict.fromkeys(taking))}" if taking else "ask it of who or what takes part in it"
    hint += f"; or is: [{facts.name}, {fitting}] ({classes[fitting].label})" if fitting else ""
    message = f"“{word}” is asked of what is no act; {facts.name} is {a(classes[own])}"
    return Misfit(442, ("ask", question.kind), message, hint)


def only_states(question: Question, facts: Facts, vocabulary: Vocabulary) -> Iterator[Misfit]:
    """A state, or nothing, given for the kind of an act that is asked about: `{is: Hidden, object: box}`."""
    classes = vocabulary.classes
    hows = [c for c in facts.is_ if how(classes[c])]
    rest = [c for c in facts.is_ if c not in hows]
    if ACT not in classes or any(STATE not in classes[c].ancestors or ACT in classes[c].ancestors for c in rest):
        return
    own = facts.is_[0] if facts.is_ else ""
    meant = [c for c in sorted(classes[ACT].descendants) if own and own in c and c != own]
    domains = (vocabulary.properties[role].domain for role in facts.links)
    kinds = [p for c in hows for p in classes[c].parents if p != ACT and ACT in classes[p].ancestors]
    kinds += [c for c in domains if c in classes and ACT in classes[c].ancestors and c != ACT]
    kinds = meant or kinds
    said = ", ".join([*kinds[:1], *(own for _ in facts.is_[:1] if not meant)])
    such = f", such as {facts.name}: {{is: {f'[{said}]' if ', ' in said else said}, …}}" if kinds else ""
    only = "only how it is done" if hows else "only a state"
    of_it = f"{only} is told, {classes[own].label}" if own else "no kind is told"
    message = f"“{question.kind}” is asked of {a(classes[ACT])}; of “{facts.name}” {of_it}"
    hint = f"say under “is” what act it is{such}"
    yield Misfit(442, path_of(facts.name, "is"), message, hint)


def how(term: ClassTerm) -> bool:
    """Whether a class of acts says in what way or where an act is done, and not what act it is: `from within the CA`."""
    return ACT in term.ancestors and term.label.split()[0] in PREPOSITIONS


def fits(facts: Facts, domain: str, vocabulary: Vocabulary) -> bool:
    """Whether a thing may be of a class, as far as is said of it."""
    return domain not in vocabulary.classes or not any(domain in vocabulary.classes[c].disjoint for c in facts.is_)


def told(prop: PropertyTerm, facts: Facts, vocabulary: Vocabulary) -> bool:
    """Whether another number, which can be said of the thing, is told by this one."""
    return any(
        prop.name in way.roles and fits(facts, vocabulary.properties[other].domain, vocabulary)
        for other, way in vocabulary.told.items()
    )


def concerns(act: Facts, role: str, name: str, things: Things, vocabulary: Vocabulary) -> bool:
    """Whether an act is done to or with a thing, or what is there; `role` told by any word that means it of such an act."""
    words = {word for cls in act.is_ for word, meant in vocabulary.meant_by.get(cls, {}).items() if meant == role} | {
        role
    }
    aims = (x for word in words for x in act.links.get(word, ()) if x in things)
    return any(x == name or name in things[x].links.get("at", ()) for x in aims)


def alike(own: str, domain: ClassTerm) -> str:
    """The class below a domain that is named after another class (FlamethrowerAttack after Flamethrower), or ""."""
    return min((c for c in domain.descendants if c.startswith(own) and c != own), key=len, default="")


def new_act(domain: ClassTerm, facts: Facts, key: str) -> str:
    """How to write an act of a kind that takes a thing, with a property where one is named."""
    return (
        f"{{is: {domain.name}, …, {key}: …}} with {facts.name} in it"
        if key
        else f"{domain.name.lower()}: {{is: {domain.name}, …}} with {facts.name} in it"
    )


def class_as_key(key: str, value: object, cls: str, is_thing: bool, vocabulary: Vocabulary) -> str:
    """What to do about a class that stands as a property of a thing: `state: Pinned`, `location: yard`."""
    named = vocabulary.resolve(str(value), [vocabulary.classes]) if not is_thing else None
    if named is not None:
        return f"write is: [{named}]"
    sides = SPOTS.findall(misread.shown(value))
    if len(sides) == 2 and vocabulary.cell is not None and {"from", "destination"} <= vocabulary.properties.keys():
        return f"tell what lies between two hexes by the hexes: from: {sides[0]}, destination: {sides[1]} of the act, or coordinate: of both places"
    ancestors = vocabulary.classes[cls].ancestors
    leads = [
        p.name for p in vocabulary.properties.values() if p.kind == "object" and not p.domain and p.range in ancestors
    ]
    if is_thing and leads:
        return f"say by a relation how they are related, such as {min(leads, key=len)}: {value}"
    return f"write is: [{key}] or not: [{key}]"


def property_as_class(word: str, key: str, vocabulary: Vocabulary) -> str:
    """What to do about a property that stands among the classes of a thing: `is: [mayCrossTrench]`. "" when it is none."""
    name = vocabulary.resolve(word, [vocabulary.properties])
    if name is None:
        return ""
    value = {"flag": "false" if key == "not" else "true", "number": "NUMBER"}.get(
        vocabulary.properties[name].kind, "THING"
    )
    return f"it is a property: write {name}: {value} beside “{key}”"


def not_both(one: str, other: str, vocabulary: Vocabulary) -> str:
    """What to do about two classes that nothing can be at once: `is: [Hex, Woods]` is better told as terrain: Woods."""
    classes = vocabulary.classes
    for x, y in ((one, other), (other, one)):
        mine, theirs = classes[x].ancestors, classes[y].ancestors
        if ACT in mine and ACT not in theirs and (STATE in theirs or adjectival(classes[y])):
            return f"take one of the two back, or say {y} of who or what takes part in it"
        if ACT in theirs and ACT not in mine and STATE not in mine and not adjectival(classes[x]):
            return f"take one of the two back, or say {y} of an act, such as act: {{is: {y}, …}}"
        leads = [
            p.name for p in vocabulary.properties.values()
            if p.kind == "object" and p.range in theirs - mine and (not p.domain or p.domain in mine)
        ]  # fmt: skip
        if leads:
            return f"take one of the two back, or tell it by a relation, such as is: {x}, {min(leads, key=len)}: {y}"
    return "take one of the two back"


def a(term: ClassTerm) -> str:
    """A class's label with its article."""
    return article(term.label)


def path_of(name: str, key: str) -> tuple[str, ...]:
    """The keys to a property of a thing; an unnamed thing is described in place, under the name of what it belongs to."""
    return ("things", *name.split("."), key)
