"""What a player answers in an interview, as facts of the case: yes and no, classes, names, numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kb.answers.claim import outcome_words
from kb.answers.openings import SIDES, Asked, Opening
from kb.cases.reader import how
from kb.errors import CaseError, Problem, did_you_mean
from kb.language import english
from kb.language.case import Case, Edit
from kb.language.vocabulary import Vocabulary
from kb.numbers import number, shown
from kb.reasoner import proof as p
from kb.reasoner.reason import Answer

YES = frozenset(["yes", "y", "true"])
NO = frozenset(["no", "n", "false"])
UNKNOWN = frozenset(["unknown", "?", "u", "don't know", "don’t know", "dont know", "no idea", ""])
NONE = frozenset(["none", "nothing", "nobody", "no one", "none of these", "neither", *NO])
BACK = frozenset(["back", "undo"])
WHY = frozenset(["why", "why?"])
HELP = frozenset(["help", "help?"])
ACT = "Act"
MOST_NUMBER = 20
ARTICLES = ("a ", "an ", "the ", "my ", "our ", "some ")


@dataclass(frozen=True, slots=True)
class Reply:
    """Classes, and the name that the player gave (or that of a thing of the case)."""

    classes: tuple[str, ...] = ()
    name: str = ""


def act(vocabulary: Vocabulary, text: str) -> tuple[str, ...]:
    """The classes of an act, as one would ask for it: `move`, `fire from inside`. Raises CaseError."""
    classes = vocabulary.classes
    found = spoken(vocabulary, text)
    if not found or not any(ACT in (n, *classes[n].ancestors) for n in found):
        acts = [n for c in classes.values() if ACT in c.ancestors for n in (c.name, c.label, *c.alt)]
        hint = did_you_mean(text, acts) or "see loophole terms act"
        raise CaseError(Problem(450, f"no kind of act is called “{text}”", hint=hint))
    if all(how(classes[n]) for n in found):  # only how it is done: of what is done so, the act that it is
        what = [p for n in found for p in classes[n].parents if ACT in classes[p].ancestors and not how(classes[p])]
        found = (*(what[:1] or [ACT]), *found)
    return found


def amount(opening: Opening, text: str) -> tuple[Edit, ...]:
    """The edits by which a number is what was answered. Raises CaseError."""
    said = number(text)
    if said is None:
        raise CaseError(Problem(451, f"“{text}” is no number", hint='write 3, 2.5, "2 1/2" or unknown'))
    return (*opening.before, Edit("number", opening.thing, opening.name, said))


def amounts(opening: Opening) -> tuple[str, ...]:
    """The numbers that one would answer with: those that counters have, and those on which a rule turns."""
    if opening.kind != "number":
        return ()
    edits = [edit for atom in opening.atoms for edits in (atom.true, atom.false) for edit in (edits or ())[-1:]]
    turning = {edit.value for edit in edits if edit.kind == "number" and isinstance(edit.value, Fraction)}
    return tuple(shown(n) for n in sorted({*map(Fraction, range(MOST_NUMBER + 1)), *turning}))


def kinds(vocabulary: Vocabulary, case: Case, opening: Opening, text: str) -> Reply:
    """Classes or a thing that an answer names: `squad`, `enemy squad`, `foe = enemy squad`, `foe`. Raises CaseError."""
    own, sep, word = (part.strip() for part in text.partition("="))
    word = word if sep else text
    if opening.kind == "link" and not sep and text in case.things:
        return Reply(name=text)
    if opening.kind == "link" and sep and own in case.things:
        raise CaseError(Problem(458, f"there is a “{own}” already", hint="give it another name"))
    found = spoken(vocabulary, word)
    if not found or not (opening.kind in ("link", "is") or opening.of_kind):
        classes = vocabulary.classes.values()
        known = [n for c in classes for n in (c.name, c.label, *c.alt)]
        hint = (
            did_you_mean(word, (*known, *case.things))
            or "say none if it is none of these; else yes, no, unknown, or a class (see loophole terms)"
        )
        raise CaseError(Problem(452, f"“{word}” is neither an answer nor a class", hint=hint))
    if len(opening.options) == 1 and opening.options[0] in SIDES and not {*SIDES} & {*found}:
        found = (*opening.options, *found)  # a squad, where it was asked whether an enemy is there
    return Reply(found, own if sep else "")


def spoken(vocabulary: Vocabulary, text: str) -> tuple[str, ...]:
    """The classes that words name, the longest first: `enemy squad` is an enemy and a squad. Empty where a word is none."""
    for article in ARTICLES:
        text = text.removeprefix(article)
    words, found = text.split(), []
    while words:
        for end in range(len(words), 0, -1):
            name = vocabulary.resolve(" ".join(words[:end]), [vocabulary.classes])
            if name is not None:
                found.append(name)
                words = words[end:]
                break
        else:
            return ()
    return tuple(dict.fromkeys(found))


def fits(vocabulary: Vocabulary, case: Case, opening: Opening, reply: Reply) -> None:
    """Whether what was answered can stand where it was asked for. Raises CaseError."""
    classes = vocabulary.classes
    if opening.kind != "link":
        for cls in reply.classes:
            for other in known(vocabulary, case, opening.thing):
                if cls in classes[other].disjoint:
                    one, two = english.noun(classes[other]), english.noun(classes[cls])
                    said = f"{opening.thing} is {one} and cannot be {two}"
                    raise CaseError(Problem(453, said, hint="answer with a class that fits"))
        return
    wanted, there = vocabulary.properties[opening.name].range, case.things.get(reply.name)
    for cls in (*reply.classes, *(there.is_ if there is not None else ())):
        if wanted in classes and wanted in classes[cls].disjoint:
            one, two = english.noun(classes[cls]), english.noun(classes[wanted])
            raise CaseError(Problem(453, f"{one} cannot be {two}", hint="answer yes, no, unknown, or a fitting class"))


def known(vocabulary: Vocabulary, case: Case, thing: str) -> Iterator[str]:
    """The classes that a thing is stated to be of, and those of the places it stands in."""
    facts = case.things.get(thing)
    yield from facts.is_ if facts is not None else ()
    for other in case.things.values():
        for name, targets in other.links.items():
            wanted = vocabulary.properties[name].range
            if thing in targets and wanted in vocabulary.classes:
                yield wanted


# ── what may be answered ──


def ways(vocabulary: Vocabulary, opening: Opening) -> list[str]:
    """How a question may be answered, a line each, with what the words mean that it asks for."""
    found = []
    if opening.kind == "number":
        found.append("a number: 3, 2.5, 2 1/2")
    else:
        found.append(
            "yes, or no" if len(opening.options) == 1 or opening.kind == "fact" else "none, if it is none of these"
        )
    if opening.kind == "link":
        found.append("a kind (squad, enemy squad), with a name if you like (foe = enemy squad), or a thing of the case")
    elif opening.of_kind:
        found.append("a kind (squad, elite squad)")
    found += [
        "unknown: the answer then says what it is either way",
        "back: to the question before; why: the rules that ask",
    ]
    asked = opening.options or ((opening.atoms[0].true[-1].name,) if opening.atoms and opening.atoms[0].true else ())
    for name in asked:
        term = vocabulary.classes.get(name) or vocabulary.properties.get(name)
        if term is not None and term.definition:
            found.append(f"{term.label}: {term.definition}")
    return found


def why(standing: Answer, opening: Opening, outcomes: tuple[str, ...]) -> str:
    """`B30.42 turns on it: forbidden if so, permitted if not`."""
    rules = opening.rules
    turns = f"{english.series(rules)} turn{'s' if len(rules) == 1 else ''} on it" if rules else ""
    if not outcomes or opening.kind == "number":
        return turns or "the answer turns on it"
    if standing.verdict != p.UNDETERMINED:
        turns = f"{turns}; so far it is presumed not" if turns else "so far it is presumed not"
    turns = turns or "the answer turns on it"
    words = [outcome_words(standing, outcome) for outcome in outcomes]
    if len(words) == 2:
        return f"{turns}: {words[0]} if so, {words[1]} if not"
    return f"{turns}: it may be {english.series((w for w in dict.fromkeys(words) if w != p.IMPOSSIBLE), 'or')}"


def goes_on(case: Case, question: Asked, edits: Sequence[Edit]) -> bool:
    """Whether more may be asked of the kind of the same thing: it may be told more narrowly, and of what kind it is not is in the
    case; but who says of the act that it is none of the kinds shown is not asked about the rest one by one."""
    of_act = question.kind == "what" and question.opening.thing == case.question.thing
    return question.opening.kind == "is" and any(edit.kind != "not" or not of_act for edit in edits)
