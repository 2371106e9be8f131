"""Where a talk can begin: the kinds of act of a book, and of thing, the usual ones first, and what may be asked of one; and the
narrower kinds that an answer may be given in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kb.answers import replies
from kb.answers.moments import DOER, fresh
from kb.answers.openings import SIDES, WIDE, Opening, main_kinds, role
from kb.errors import CaseError, Problem, did_you_mean
from kb.language import english, norms as m, phrases
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import ABSENT, Vocabulary
from kb.rulebook.theory import Theory

ACT = "Act"
MOST_KINDS = 16
MOST_NUMBERS, MOST_STATES = 24, 24  # of an act that one may ask about
ON_THE_TABLE = ("Piece", "Place", "Terrain", "Fortification", "Entrenchment", "Group")  # what one would ask about
PLAIN = {
    "may": "may it be done?",
    "must": "must it be done?",
    "effects": "what happens?",
}  # questions that need no further word


@dataclass(frozen=True, slots=True)
class Start:
    """A kind of act, or of thing. label: what it is called; also: its other words; means: what it is; norms: how many speak of it."""

    name: str
    label: str
    also: tuple[str, ...]
    means: str
    norms: int


def starts(theory: Theory) -> tuple[Start, ...]:
    """The kinds of act that one asks about, those on which most is said first; what all games share goes before a game's own."""
    classes = theory.vocabulary.classes
    heads = [norm.head.act for norm in theory.deontic]  # type: ignore[union-attr]
    found: list[tuple[float, Start]] = []
    for name in classes[ACT].descendants - {ACT}:
        term = classes[name]
        if english.manner(term):
            continue
        direct = heads.count(name)
        akin = sum(1 for act in heads if act != ACT and act != name and act in term.ancestors | term.descendants)
        weight = (direct + akin / 4) * (2 if any(alt.startswith("to ") for alt in term.alt) else 1)
        weight *= 1 if theory.vocabulary.own(name) else 2
        label = english.verb_of(term) or term.label  # what is to be done? re-roll, switch on the carrier
        found.append((weight, Start(name, label, (*term.alt, term.label), term.definition, direct + akin)))
    return tuple(start for _, start in sorted(found, key=lambda row: (-row[0], row[1].label)))


def things(theory: Theory) -> tuple[Start, ...]:
    """The kinds of thing of which norms say a number, or whether it is of some kind, those on which most is said first; and the
    kinds below them that a player has on the table."""
    classes, known = theory.vocabulary.classes, theory.vocabulary
    spoken = Counter(h.of if isinstance(h, m.QuantityHead) else h.subject for h in said_of(theory) if apt(known, h))
    found: list[tuple[float, Start]] = []
    for name, term in classes.items():
        if not of_the_table(known, name):
            continue
        direct, above = spoken[name], sum(spoken[n] for n in term.ancestors - {name})
        if direct or (above and known.own(name) and not term.descendants - {name}):
            found.append((direct + above / 9, Start(name, term.label, term.alt, term.definition, direct)))
    return tuple(start for _, start in sorted(found, key=lambda row: (-row[0], row[1].label)))


def of_the_table(vocabulary: Vocabulary, name: str) -> bool:
    """Whether a class is a kind of thing that a player has before him, and no role or state of one."""
    term = vocabulary.classes[name]
    if "Nationality" in term.ancestors:
        return True
    state = english.passing(vocabulary, name) or role(vocabulary, name)
    return not (state or term.derived or term.ancestors.isdisjoint(ON_THE_TABLE))


def said_of(theory: Theory) -> list[m.QuantityHead | m.CountsAs]:
    """The heads of norms that say a number of something, or of what kind it is."""
    heads = (norm.head for norm in theory.norms.values())
    return [h for h in heads if isinstance(h, m.QuantityHead | m.CountsAs)]


def apt(vocabulary: Vocabulary, head: m.QuantityHead | m.CountsAs) -> bool:
    """Whether anybody would ask for what a head says: for a number, or for a state or treatment."""
    return isinstance(head, m.QuantityHead) or head.target in vocabulary.classes


def subject(theory: Theory, words: str, asks: str) -> Case:
    """The case that a talk begins with: an act and who does it, or a thing. Raises CaseError for what is neither (E450)."""
    known, classes = theory.vocabulary, theory.vocabulary.classes
    found = replies.spoken(known, words)
    if found and asks not in PLAIN and not any(ACT in classes[n].ancestors for n in found):
        thing = fresh(classes[found[0]].label, ())
        return Case(theory.book, {thing: Facts(thing, found)}, question_of(theory, asks, thing))
    is_ = replies.act(known, words)
    thing = fresh(classes[is_[0]].label, ())
    told = {thing: Facts(thing, is_)}
    if "actor" in known.properties and "Friendly" in classes:
        told[thing] = Facts(thing, is_, links={"actor": (DOER,)})
        told[DOER] = Facts(DOER, ("Friendly",))
    return Case(theory.book, told, question_of(theory, asks, thing))


def question_of(theory: Theory, asks: str, act: str) -> Question:
    """The question of an act that some words put: may, must, effects, or the name of a number or of a kind. Raises CaseError (E459)."""
    known = theory.vocabulary
    if asks in PLAIN:
        return Question(asks, act)
    numbers = {name: term for name, term in known.properties.items() if term.kind == "number"}
    if term := known.resolve(asks, [numbers]):
        return Question("value", act, quantity=term)
    if term := known.resolve(asks, [known.classes]):
        return Question("is", act, condition=m.Named(term))
    words = [*PLAIN, *(term.label for term in numbers.values())]
    hint = did_you_mean(asks, words) or f"one of {', '.join(PLAIN)}, the name of a number, or that of a kind"
    raise CaseError(Problem(459, f"“{asks}” is nothing that can be asked of an act", hint=hint))


def asks_of(theory: Theory, act: str) -> tuple[tuple[str, str], ...]:
    """What norms say of a kind of act or thing, as the words for `question_of` and how it is put; the numbers and kinds of which most norms speak."""
    known = theory.vocabulary
    term, wide = known.classes[act], known.classes[ACT].ancestors
    akin = (term.ancestors | term.descendants) - (wide - {act})
    heads = [norm.head for norm in theory.norms.values()]
    modes = {h.mode in (m.REQUIRES, m.WAIVES) for h in heads if isinstance(h, m.Deontic) and h.act in akin}
    events = {h.event for h in heads if isinstance(h, m.OnEvent)}
    numbers = Counter(h.quantity for h in heads if isinstance(h, m.QuantityHead) and h.of in akin)
    states = Counter(
        h.target for h in heads if isinstance(h, m.CountsAs) and h.subject in akin and h.target not in term.ancestors
    )
    rows = [("may", False in modes), ("must", True in modes), ("effects", not events.isdisjoint(akin))]
    found = [(word, PLAIN[word]) for word, there in rows if there]
    found += [(n, f"{known.properties[n].label}?") for n, _ in numbers.most_common(MOST_NUMBERS)]
    return (
        *found,
        *((n, phrases.whether_is(known, "it", n)) for n, _ in states.most_common(MOST_STATES)),
    )


def kinds(theory: Theory, opening: Opening) -> dict[str, tuple[str, ...]]:
    """By label of what is offered for an opening, the labels of narrower kinds, those of which rules speak most first.

    Whoever is asked whether an enemy is there may as well say of what kind he is; where no rule asks for a kind, there is still
    what the relation may lead to.
    """
    classes = theory.vocabulary.classes
    if opening.kind not in ("link", "is"):
        return {}
    unit = next((n for n in WIDE if n in classes), "")
    sides = [n for n in reversed(SIDES) if n in classes and unit]
    asked = [*opening.options]
    if opening.kind == "link" and (
        not asked or {*asked} & {*SIDES}
    ):  # of either side, and where no rule asks: whatever there is
        wide = theory.vocabulary.properties[opening.name].range
        anything = wide not in classes or unit in classes[wide].descendants
        asked += [n for n in (sides if anything else [wide]) if n not in asked]
    found = {}
    for name in asked:
        wide = unit if name in SIDES and unit else name
        listed = (*main_kinds(theory, wide), *plainest(theory, wide))
        if name in SIDES:  # whoever stands somewhere is a counter, a squad or a truck
            listed = (*plainest(theory, wide), *main_kinds(theory, wide))
        below = [n for n in listed if n not in (name, *SIDES)]
        found[name] = tuple(n for n in dict.fromkeys(below) if not role(theory.vocabulary, n))[:MOST_KINDS]
    if opening.kind == "is" and unit and any(unit in classes[n].ancestors for n in opening.options):
        told = {*opening.options}.union(*found.values())
        found[unit] = tuple(n for n in plainest(theory, unit) if n not in told)[:MOST_KINDS]
    return {classes[n].label: tuple(classes[k].label for k in narrower) for n, narrower in found.items()}


def plainest(theory: Theory, wide: str) -> list[str]:
    """The kinds below a class that have no narrower ones, but for special ones presumed absent: what counters are called, a squad or a truck, though rules may speak of wider ones."""
    classes = theory.vocabulary.classes
    plain = {
        n
        for n in classes[wide].descendants - {wide}
        if not (english.passing(theory.vocabulary, n) or classes[n].derived)
    }
    usual = {n for n in plain if classes[n].when_unstated != ABSENT}
    last = [n for n in plain if not (classes[n].descendants - {n}) & usual and not role(theory.vocabulary, n)]
    often = {
        n: max((theory.speak_of(a) for a in classes[n].ancestors & classes[wide].descendants), default=0) for n in last
    }
    return sorted(last, key=lambda n: (-often[n], len(classes[n].label), n))


def there(theory: Theory, case: Case, opening: Opening) -> tuple[str, ...]:
    """The things of a case that could fill an opening."""
    if opening.kind != "link":
        return ()
    known = theory.vocabulary
    return tuple(
        name for name, facts in case.things.items()
        if name != opening.thing and any(known.entails(facts.is_, cls) for cls in opening.options)
    )  # fmt: skip
