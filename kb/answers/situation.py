"""The situation of a case as it is understood: what it tells, and what that comes to in the words that rules use, with why.

told(case, vocabulary) -> Told, …               each thing with its sentences
understood(case, vocabulary) -> Understood, …   what the normal form has that the case does not tell in so many words
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kb.answers.parts import Part
from kb.cases import completion
from kb.language import english, norms as m
from kb.language.case import Case, Facts
from kb.language.vocabulary import Vocabulary

Key = tuple[str, str]  # a word and what is said by it


@dataclass(frozen=True, slots=True)
class Told:
    """What a case tells of one thing, in sentences."""

    thing: str
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Understood:
    """A fact of the normal form that is not told in so many words; `by` what it follows, `instead` of which told words."""

    thing: str
    says: str
    by: str
    instead: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentence, and why."""
        told = f", told as {english.series(f'`{word}`' for word in self.instead)}" if self.instead else ""
        return f"{self.says} ({self.by}{told})"


def told(case: Case, vocabulary: Vocabulary) -> Iterator[Told]:
    """What a case tells, thing by thing."""
    said = case.said or case.things
    for name, facts in said.items():
        yield Told(name, tuple(sentence(name, key, said, vocabulary) for key in keys(facts)))


def understood(case: Case, vocabulary: Vocabulary) -> Iterator[Understood]:
    """What follows of it, in the order in which it is found."""
    for by, before, after in completion.stages(case.said or case.things, vocabulary):
        for name, facts in after.items():
            if before.get(name) is facts:
                continue
            was, now = keys(before[name]) if name in before else {}, keys(facts)
            gone = [key for key in was if key not in now]
            new = [key for key in now if key not in was]
            for key in new:
                same = [old for old in gone if old[1] == key[1]]
                left = [
                    old
                    for old in gone
                    if old[1] not in {value for _, value in new} and (old[0] == "is") == (key[0] == "is")
                ]
                instead = tuple(f"{word}: {value}" for word, value in same or left)
                yield Understood(name, sentence(name, key, after, vocabulary), by, instead)


def parts(case: Case, vocabulary: Vocabulary) -> Iterator[Part]:
    """Both, for a reader."""
    yield Part("TOLD", tuple(Part("; ".join(row.says) or row.thing) for row in told(case, vocabulary)))
    yield Part("UNDERSTOOD", tuple(Part(row.text) for row in understood(case, vocabulary)))


def keys(facts: Facts) -> dict[Key, None]:
    """Everything that is said of a thing, in order."""
    found = [("is", cls) for cls in facts.is_] + [("not", cls) for cls in facts.not_]
    found += [(role, other) for role, others in facts.links.items() for other in others]
    found += [(role, "nothing") for role, others in facts.links.items() if not others]
    found += [(name, english.shown(number)) for name, number in facts.numbers.items()]
    found += [(name, str(flag).lower()) for name, flag in facts.flags.items()]
    found += [(name, text) for name, text in facts.texts.items()]
    found += [("unknown", word) for word in facts.unknown]
    return dict.fromkeys(found)


def sentence(name: str, key: Key, things: Mapping[str, Facts], vocabulary: Vocabulary) -> str:
    """One fact in English."""
    word, value = key
    subject = called(name, things)
    if word in ("is", "not"):
        return english.say_class(vocabulary, subject, value, word == "is")
    if word == "unknown":
        return f"it is not known of {subject} whether or what: {value}"
    term = vocabulary.properties[word]
    if term.kind == "object":
        return english.say_link(vocabulary, m.Role(word), subject, called(value, things))
    if term.kind == "flag":
        return english.say_flag(vocabulary, word, subject, value == "true")
    return f"{term.label} of {subject} is {value}"


def called(name: str, things: Mapping[str, Facts]) -> str:
    """What answers call a thing."""
    facts = things.get(name)
    return facts.label if facts is not None and facts.label else name
