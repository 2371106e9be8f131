"""What an interview can ask about: a relation, a kind, a number or a fact that is not told, as a question in plain words.

openings(rows) groups the facts that the reasoner asks for by the one thing that a player would be asked for: where to, who, what is
there. Wording asks for it in English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from kb.language import english, norms as m, phrases
from kb.language.case import Amount, Case, Edit, LeadsTo, Lists, Related
from kb.language.english import passing
from kb.language.vocabulary import Vocabulary, fold
from kb.reasoner.reason import Atom
from kb.rulebook.theory import Theory

NATION, SIDE, HOW = "Nationality", "side", "how"
WIDE = ("Unit", "Piece")  # what does an act, of whatever kind
SIDES = ("Friendly", "Enemy")
MOST_OPTIONS = 8
ABLE = ("able", "unable", "adjacent")  # first words of what a thing is like, beside participles and prepositions
MANY = 4  # kinds below one that is no help as an option
ENEMY, GAP = "Enemy", "@"
DOUBLED = re.compile(r" (in|into|at|on) (at) ")  # a place that is named by where it is


@dataclass(frozen=True, slots=True)
class Opening:
    """Something that is not told. kind: link (what stands in a relation), is (of which kind a thing is), number, or fact (whether
    that is so). name: the relation, class or number. options: the classes that would fill it; more: whether there are
    others, so that whoever denies these has not said that there is nothing;
    wide: whether the one option is so wide that it is asked what it is: of what kind the enemy is, not whether he is a ground unit."""

    kind: str
    thing: str
    name: str
    atoms: tuple[Atom, ...] = ()
    options: tuple[str, ...] = ()
    more: bool = False
    wide: bool = False

    @property
    def before(self) -> tuple[Edit, ...]:
        """The edits that make real what it is asked of."""
        return self.atoms[0].true[:-1] if self.atoms and self.atoms[0].true else ()

    @property
    def of_kind(self) -> bool:
        """Whether it is asked of what kind, or how, a thing is."""
        return self.kind == "is" or bool(
            self.atoms and self.atoms[0].true and self.atoms[0].true[-1].kind in ("is", "become")
        )

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that ask for it."""
        return tuple(dict.fromkeys(atom.rule for atom in self.atoms if atom.rule))

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others: a thing may be asked whether it is pinned, and then whether it is broken."""
        return self.kind, self.thing, self.name


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. kind: yes-no, what (a class or a thing) or number. why: the rules and the outcome each way. rules: their numbers."""

    text: str
    kind: str
    why: str
    opening: Opening
    options: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def openings(vocabulary: Vocabulary, rows: Iterable[Atom]) -> list[Opening]:
    """The openings of facts that are asked for, in the order in which they first are."""
    found: dict[tuple[str, str, str], tuple[list[Atom], Counter[str]]] = {}
    for atom in rows:
        for key, options in places(vocabulary, atom):
            listed, classes = found.setdefault(key, ([], Counter()))
            listed.append(atom)
            classes.update(options)
    return [
        Opening(kind, thing, name, tuple(atoms), main(vocabulary, options))
        for (kind, thing, name), (atoms, options) in found.items()
    ]


def places(vocabulary: Vocabulary, atom: Atom) -> Iterator[tuple[tuple[str, str, str], tuple[str, ...]]]:
    """The opening that a fact belongs to, with the classes by which it would be so."""
    if not atom.true:
        return
    edit = atom.true[-1]
    classes = vocabulary.classes
    if edit.kind == "link" and (options := tuple(n for n in atom.kinds if n in SIDES or not passing(vocabulary, n))):
        yield ("link", edit.thing, edit.name), options
    elif edit.kind in ("is", "become") and edit.name in SIDES:
        yield ("is", edit.thing, SIDE), ("Enemy",)
    elif edit.kind in ("is", "become") and not passing(vocabulary, edit.name):
        yield ("is", edit.thing, NATION if NATION in classes[edit.name].ancestors else ""), (edit.name,)
    elif edit.kind == "number":
        yield ("number", edit.thing, edit.name), ()
    else:
        yield ("fact", edit.thing, edit.name), ()


def main(vocabulary: Vocabulary, options: Mapping[str, int]) -> tuple[str, ...]:
    """The classes that most facts ask for, an enemy before all, without those that are wider or narrower than one of these."""
    classes, found = vocabulary.classes, list[str]()
    for name in sorted(options, key=lambda n: (n != ENEMY, -options[n])):
        akin = classes[name].ancestors | classes[name].descendants
        if akin.isdisjoint(found):
            found.append(name)
    return tuple(found)


def main_kinds(theory: Theory, wide: str) -> tuple[str, ...]:
    """The kinds below a class of which rules speak most."""
    classes = theory.vocabulary.classes
    often = {n: theory.speak_of(n) for n in sorted(classes[wide].descendants - {wide})}
    return main(
        theory.vocabulary,
        {n: k for n, k in often.items() if k and not (passing(theory.vocabulary, n) or classes[n].derived)},
    )


def role(vocabulary: Vocabulary, name: str) -> bool:
    """Whether what a class is called is no kind of thing that one would name: `in Good Order`, `unable to direct`."""
    term = vocabulary.classes[name]
    return english.adjectival(term) or term.label.split()[0] in (*english.PREPOSITIONS, *ABLE)


class Wording:
    """Puts openings of a case in English. given: the things that a player named himself."""

    def __init__(self, vocabulary: Vocabulary, case: Case, given: Iterable[str] = ()):
        self.vocabulary, self.case, self.given = vocabulary, case, frozenset(given)

    def text(self, opening: Opening) -> str:
        """The question."""
        classes, subject = self.vocabulary.classes, self.called(opening.thing)
        match opening.kind:
            case "link" if self.told(opening):
                return phrases.what_linked(self.vocabulary, opening.name, subject).replace("what ", "what else ", 1)
            case "link":
                if len(opening.options) == 1:
                    only = classes[opening.options[0]]
                    noun = english.article(english.of_side(only.label)) if only.name in SIDES else english.noun(only)
                    noun = f"something {noun}" if noun.startswith("that ") else noun
                    return placed(phrases.whether_linked(self.vocabulary, opening.name, subject, noun))
                return phrases.what_linked(self.vocabulary, opening.name, subject)
            case "is" if opening.name == HOW:
                if "Act" in english.all_above(self.vocabulary, self.case.things[opening.thing].is_):
                    return f"how is {subject} done?"
                return f"how is it with {subject}?"
            case "is" if opening.thing not in self.case.things and "." in opening.thing:
                owner, _, role = opening.thing.rpartition(".")
                if len(opening.options) > 1:
                    return phrases.what_linked(self.vocabulary, role, self.called(owner))
                noun = english.noun(classes[opening.options[0]])
                return phrases.whether_linked(self.vocabulary, role, self.called(owner), noun)
            case "is" if len(opening.options) > 1 and self.does(opening.thing) and not self.known(opening.thing):
                return self.who()
            case "is" if len(opening.options) > 1 or opening.wide:
                return f"what is {subject}?"
            case "is":
                return phrases.whether_is(self.vocabulary, subject, opening.options[0])
            case "number":
                term = self.vocabulary.properties[opening.name]
                asks = "how many are" if re.match(r"\w+[^s\W]s\b", term.label) else "what is"  # assaulters
                return f"{asks} the {term.label} of {subject}" + (f" (in {term.unit})" if term.unit else "") + "?"
        return self.whether(opening.atoms[0])

    def told(self, opening: Opening) -> bool:
        """Whether something is told already in the list that an opening is of."""
        facts = self.case.things.get(opening.thing)
        return facts is not None and bool(facts.links.get(opening.name))

    def whether(self, atom: Atom) -> str:
        """A fact as a question."""
        fact = atom.fact
        subject = self.called(fact.thing)
        match fact:
            case Related(_, _, role, to, True) if not role.inverse:
                other = self.called(to) if to in self.case.things else to
                return phrases.whether_linked(self.vocabulary, role.name, subject, other)
            case Amount() | Lists() | LeadsTo():
                plain = False
            case _:
                plain = getattr(fact, "so", False)
        said = phrases.say_fact(self.vocabulary, replace(fact, label=GAP))
        if plain and said.startswith(f"{GAP} "):
            return phrases.whether(subject, said.removeprefix(f"{GAP} ")).replace(GAP, subject)
        return f"is it so that {said.replace(GAP, subject)}?"

    def called(self, thing: str) -> str:
        """What a thing is called in a question: `T5` as the player has it, else `the pillbox`, `the pillbox's outside Location`."""
        facts = self.case.things.get(thing)
        if thing == self.case.question.thing and self.unspeakable():
            return "the act"
        if thing in self.given and not self.plain(thing):
            return thing
        if facts is None:
            owner, _, role = thing.rpartition(".")
            term = self.vocabulary.properties.get(role.rstrip("?"))
            if not owner or term is None:
                return f"the {thing}"
            if english.verbal(term):
                return english.clause(self.vocabulary, m.Role(term.name), self.called(owner))
            return f"{self.called(owner)}'s {term.label}"
        alike = [name for name, other in self.case.things.items() if self.kind(other) == self.kind(facts)]
        said = self.kind(facts)
        return f"the {said}" if said and alike == [thing] else f"the {thing.replace('-', ' ')}"

    def plain(self, thing: str) -> bool:
        """Whether a name is but what a thing is: `pillbox` of a pillbox."""
        label = self.kind(self.case.things[thing]) if thing in self.case.things else ""
        return thing == "unit" or (bool(label) and fold(thing) == fold(label))

    def kind(self, facts: object) -> str:
        """The label of the first class that says what a thing is."""
        classes = self.vocabulary.classes
        named = getattr(facts, "is_", ())
        plain = [n for n in named if n not in (*SIDES, *WIDE)] or [n for n in named if n == ENEMY]
        return english.of_side(classes[plain[0]].label) if plain else ""

    def does(self, thing: str) -> bool:
        """Whether a thing does the act that is asked about."""
        act = self.case.things[self.case.question.thing]
        return thing in act.links.get("actor", ())

    def known(self, thing: str) -> bool:
        """Whether it is told of what kind a thing is, be it by what it is not."""
        facts = self.case.things.get(thing)
        return facts is not None and bool(set(facts.is_) - set(SIDES) or facts.not_)

    def who(self) -> str:
        """`who is to move?`."""
        verb = self.verb()
        return f"who is {verb}?" if verb else "who does it?"

    def unspeakable(self) -> bool:
        """Whether the kind of act asked about has no word of its own that an article could stand before: `made by paying for the hex`."""
        term = self.vocabulary.classes[self.case.things[self.case.question.thing].is_[0]]
        gerund = re.match(r"\w+ing (?!of )", term.label) is not None  # `forming a Fire Group`
        odd = (" " in term.label and fold(term.label) != fold(term.name)) or english.adjectival(term)
        return gerund or (not self.verb() and odd)

    def verb(self) -> str:
        """`to move`: what is done, where there is a verb for it."""
        classes = (self.vocabulary.classes[n] for n in self.case.things[self.case.question.thing].is_)
        return next((alt for term in classes for alt in term.alt if alt.startswith("to ")), "")


def placed(text: str) -> str:
    """A question without a preposition before another: `is the unit in at ground level?`."""
    return DOUBLED.sub(r" \2 ", text)


def options(theory: Theory, opening: Opening) -> tuple[str, ...]:
    """The labels of what would fill an opening, when there is a choice; where that is wide, of what is narrower."""
    if len(opening.options) < 2 and not opening.wide:
        return ()
    listed: list[str] = []
    for name in opening.options:
        narrower = main_kinds(theory, name) if opening.kind == "is" and opening.name != HOW else ()
        listed += narrower if len(narrower) > MANY else [name]
    labels = (theory.vocabulary.classes[n].label for n in dict.fromkeys(listed))
    return tuple(labels)[: None if opening.name == HOW else MOST_OPTIONS]
