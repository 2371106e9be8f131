"""What can be turned in an answer: each fact told, each assumption, each flip and each missing fact, with the case in which it is otherwise.

switches(proof) -> Switches       every case is one that somebody could have written, and can be asked as it is
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from kb.answers import situation
from kb.answers.claim import outcome_words
from kb.answers.explain import MOST_FLIPS
from kb.answers.headline import weighed
from kb.answers.moments import Moment, applied
from kb.cases import reader, writer
from kb.errors import LoopholeError
from kb.language import english
from kb.language.case import Absent, Case, Edit, Facts, IsA
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.proof import Assumption
from kb.reasoner.reason import Answer
from kb.yaml_document import written


@dataclass(frozen=True, slots=True)
class Switch:
    """text: what is so, or would be; case: the case in which it is turned, as YAML, "" where it cannot be; to: the answer then, where it
    was tried; reading: the dispute and option, where it is a reading that is turned."""

    text: str
    case: str = ""
    to: str = ""
    reading: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Missed:
    """A fact that is not known. rules: those that ask for it; ways: yes and no, each with the answer then."""

    text: str
    rules: tuple[str, ...]
    ways: tuple[Switch, ...]


@dataclass(frozen=True, slots=True)
class Switches:
    """Everything that can be turned. told: by thing."""

    told: tuple[tuple[str, tuple[Switch, ...]], ...]
    assumed: tuple[Switch, ...]
    missing: tuple[Missed, ...]
    flips: tuple[Switch, ...]


def switches(proof: Answer, flips: bool = True) -> Switches:
    """What can be turned in an answer. flips: with what would turn it, which takes a while."""
    turned = tuple(turning(proof)) if flips else ()
    return Switches(tuple(told(proof)), tuple(assumed(proof)), tuple(missing(proof)), turned)


def text(case: Case, vocabulary: Vocabulary) -> str:
    """A case as YAML; "" where it would not read."""
    said = writer.mapping(case)
    try:
        reader.read(said, vocabulary)
    except LoopholeError:
        return ""
    return written(said)


def after(proof: Answer, edits: Iterable[Edit]) -> str:
    """The case after some edits, as YAML; "" where it would make no sense."""
    bare = replace(proof.case, said={}, expect={}, title="")
    vocabulary = proof.theory.vocabulary
    try:
        return text(applied(vocabulary, Moment(bare), edits).told, vocabulary)
    except KeyError:
        return ""


def told(proof: Answer) -> Iterator[tuple[str, tuple[Switch, ...]]]:
    """What the case tells, thing by thing, each fact with the case that lacks it."""
    case, vocabulary = proof.case, proof.theory.vocabulary
    things = case.said or case.things
    for name, facts in things.items():
        rows = []
        for key in situation.keys(facts):
            said = situation.sentence(name, key, things, vocabulary)
            rows.append(Switch(said, text(without(case, name, key), vocabulary)))
        yield situation.called(name, things), tuple(rows)


def without(case: Case, name: str, key: situation.Key) -> Case:
    """A case less one fact, in its own words; a thing of which then nothing speaks goes with it."""
    word, value = key
    things = dict(case.said or case.things)
    facts = things[name]
    match word:
        case "is":
            facts = replace(facts, is_=tuple(n for n in facts.is_ if n != value))
        case "not":
            facts = replace(facts, not_=tuple(n for n in facts.not_ if n != value))
        case "unknown":
            facts = replace(facts, unknown=tuple(n for n in facts.unknown if n != value))
        case _ if word in facts.links:
            left = tuple(n for n in facts.links[word] if n != value)
            links = {role: others for role, others in facts.links.items() if role != word}
            facts = replace(facts, links={**links, word: left} if left else links)
        case _:
            facts = replace(
                facts,
                numbers={n: v for n, v in facts.numbers.items() if n != word},
                flags={n: v for n, v in facts.flags.items() if n != word},
                texts={n: v for n, v in facts.texts.items() if n != word},
            )
    things[name] = facts
    left_alone = replace(case, things=things, said={}, expect={}, title="")
    if word in case.things[name].links if name in case.things else False:
        things = {n: f for n, f in things.items() if n != value or spoken_of(left_alone, n)}
    return replace(left_alone, things=things)


def spoken_of(case: Case, name: str) -> bool:
    """Whether something of a case still leads to a thing, or from it."""
    facts: Facts = case.things[name]
    others = (other for f in case.things.values() for targets in f.links.values() for other in targets)
    return bool(facts.links) or name in others or name == case.question.thing


def assumed(proof: Answer) -> Iterator[Switch]:
    """What is assumed, each with the case that says the contrary, where one word says it; first what would turn the answer."""
    for row in weighed(proof):
        edit = contrary(row)
        yield Switch(row.said(proof.theory.vocabulary), after(proof, (edit,)) if edit is not None else "")


def contrary(row: Assumption) -> Edit | None:
    """The edit that states the contrary of an assumption; None where that takes more than a word."""
    match row.fact:
        case Absent(thing, _, cls):
            return Edit("is", thing, cls)
        case IsA(thing, _, cls, so):
            return Edit("not" if so else "is", thing, cls)
    return None


def missing(proof: Answer) -> Iterator[Missed]:
    """The facts that would settle it, each way with the answer then."""
    for row in proof.missing:
        if p.IMPOSSIBLE in (row.if_true, row.if_false):
            continue
        ways = []
        for word, edits, to in zip(("yes", "no"), row.edits, (row.if_true, row.if_false), strict=True):
            said = (
                f"{english.shown(edits[-1].value)}" if row.whatever and edits and edits[-1].kind == "number" else word
            )
            if edits and (changed := after(proof, edits)):
                ways.append(Switch(said, changed, outcome_words(proof, to)))
        yield Missed(row.said(proof.theory.vocabulary), row.rules, tuple(ways))


def turning(proof: Answer) -> Iterator[Switch]:
    """What would turn the answer, at most a few for each other answer."""
    seen: dict[str, int] = {}
    texts: set[str] = set()
    for flip in proof.flips:
        said = flip.said(proof.theory.vocabulary)
        if said in texts or seen.get(flip.verdict, 0) >= MOST_FLIPS:
            continue
        texts.add(said)
        seen[flip.verdict] = seen.get(flip.verdict, 0) + 1
        changed = after(proof, flip.edits) if flip.kind == "facts" else ""
        yield Switch(said, changed, outcome_words(proof, flip.verdict), flip.reading)
