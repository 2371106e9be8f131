"""What research finds of sentences that stand side by side as they are read, of what comes to nothing, of names and of likeness: each
planted, and not found where it is mended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from kb.language.vocabulary import Vocabulary
from kb.research import (
    findings_duties,
    findings_gaps,
    findings_joined,
    findings_likeness,
    findings_moot,
    findings_names,
    findings_numbers,
    findings_pairs,
    findings_words,
)
from kb.research.finding import Finding
from kb.research.study import Study
from tests import strategies
from tests.test_research import OWN, prose, study

Finder = Callable[[Study], Iterator[Finding]]
HEAD = "## {0} {2} {{#{0}}}\n\n{1}\n\n```norms\n{3}\n```\n"


def rules(*rows: str) -> str:
    """A chapter's text: of each row the rule, its sentence, its title and its norms, by strokes."""
    return "\n".join(HEAD.format(*row.split(" | ", 3)) for row in rows)


def of_words(text: str, **terms: dict[str, object]) -> Study:
    """A chapter under study, some of whose terms have other names or sources."""
    found = study(prose(text))
    if not terms:
        return found
    classes = {
        name: {"iri": strategies.IRI + name, "label": name.lower(), "parents": up, "when_unstated": silence, **more}
        | terms.get(name, {})
        for name, (up, silence, more) in strategies.CLASSES.items()
    }
    properties = {n: {"iri": strategies.IRI + n, "label": n, "below": [n], **row} for n, row in strategies.PROPERTIES.items()}  # fmt: skip
    text = json.dumps({"book": "arena", "version": "1", "classes": classes, "properties": properties})
    return replace(found, theory=replace(found.theory, vocabulary=Vocabulary.from_json(text)))


HURT_MARKED = "R2 | Hurt ones are marked by lot. | The lot | R2\n  causes   Marked of target on Strike\n  when     actor some Hurt"
TWO = (
    "R1 | Only a gladiator goes into the pit. | Going in | R1\n  permits  Enter\n  when     into some Pit and actor some Gladiator\n"
    "```\n\n{}\n\n```norms\nR1/more\n  permits  Enter\n  when     into some Pit and actor some Guard"
)
APART = "R2 | At the gate one is not alert. | The gate | R2\n  counts   Fighter as not Alert\n  when     {}"
STAY = "R1 | Who is at a place may not rest there. | Places | R1\n  forbids  Rest\n  when     actor.at some Place"
KIND = "R2 | Who is in a pit may {}. | The pit | R2\n  permits  Strike\n  when     actor.at some Pit"
PLACES = {"Place": {"source": "R1"}, "Pit": {"source": "R2"}}
EXCEPTED = (
    "R1 | Entering is for some [EXC one: Leaping and Sneaking]. | Two lists | R1\n  forbids  Enter\n  unless   one: Leap or Sneak\n"
    "```\n\nThen it is marked [EXC two: {}].\n\n```norms\nR1/two\n  counts   Act as Marked\n  unless   two: {}"
)

PLANTED: dict[str, tuple[Finder, str, str, dict[str, dict[str, object]]]] = {
    "a norm stops short where another speaks, without a word": (
        findings_joined.stopped_short,
        rules("R1 | Whoever strikes marks the other. | A blow | R1\n  causes   Marked of target on Strike\n  when     actor some (not Hurt)", HURT_MARKED),
        rules("R1 | Whoever strikes marks the other, unless hurt. | A blow | R1\n  causes   Marked of target on Strike\n  when     actor some (not Hurt)", HURT_MARKED),
        {},
    ),
    "only one, and another too": (
        findings_joined.only_and_also,
        rules(TWO.format("A guard may go into the pit.")),
        rules(TWO.format("[YET more to R1: A guard may go into the pit.]").replace("some Guard", "some Guard\n  excepts  more")),
        {},
    ),
    "put beside what it is not": (
        findings_joined.put_beside,
        rules("R1 | Whoever is at the gate or alert strikes. | Alarm | R1\n  permits  Strike\n  when     at some Gate or Alert", APART.format("at some Gate")),
        rules("R1 | Whoever is at the gate or alert strikes. | Alarm | R1\n  permits  Strike\n  when     at some Gate or Alert", APART.format("at some Stand")),
        {},
    ),
    "a kind is let do what its genus may not": (
        findings_joined.freed,
        rules(STAY, KIND.format("rest and strike")), rules(STAY, KIND.format("strike")), PLACES,
    ),
    "two lists of exceptions": (
        findings_joined.two_lists,
        rules(EXCEPTED.format("Strikes and Rests", "Strike or Rest")), rules(EXCEPTED.format("Leaps and Strikes", "Leap or Strike")), {},
    ),
    "brought about though it is so already": (
        findings_moot.already,
        rules("R1 | So it goes. | A blow | R1\n  causes   Hurt of target on Strike\n  when     target some (Gladiator and Hurt)"),
        rules("R1 | So it goes. | A blow | R1\n  causes   Hurt of target on Strike\n  when     actor some (Gladiator and Hurt)"),
        {},
    ),
    "an exception to what is not covered": (
        findings_moot.outside,
        rules("R1 | A lion strikes [BUT man: but no gladiator]. | Blows | R1\n  permits  Strike\n  when     actor some (Fighter except man (Gladiator))"),
        rules("R1 | A fighter strikes, so a lion [BUT man: but no gladiator]. | Blows | R1\n  permits  Strike\n  when     actor some (Fighter except man (Gladiator))"),
        {},
    ),
    "made what may not do it": (
        findings_moot.self_barred,
        rules("R1 | So it goes. | Rest | R1\n  counts   Fighter as Marked\n  when     inverse actor some Rest", "R2 | So it goes. | Rest | R2\n  forbids  Rest\n  when     actor some Dazed"),
        rules("R1 | So it goes. | Rest | R1\n  counts   Fighter as Marked\n  when     inverse actor some Rest", "R2 | So it goes. | Rest | R2\n  forbids  Rest\n  when     actor some Hurt"),
        {"Marked": {"label": "counts as dazed"}},
    ),
    "barred from a duty that does not excuse": (
        findings_moot.excused,
        rules("R1 | So it goes. | Rest | R1\n  requires Rest\n  when     not actor some (Gladiator or Guard)", "R2 | So it goes. | Rest | R2\n  forbids  Rest\n  when     actor some (Gladiator or Lion)"),
        rules("R1 | So it goes. | Rest | R1\n  requires Rest\n  when     not actor some (Gladiator or Beast)", "R2 | So it goes. | Rest | R2\n  forbids  Rest\n  when     actor some (Gladiator or Lion)"),
        {},
    ),
    "one of two ways barred": (
        findings_moot.ways_barred,
        rules("R1 | So it goes. | Both | R1\n  requires Enter\n  when     into some Place", "R2 | So it goes. | Rest | R2\n  forbids  Rest\n  when     actor some Beast"),
        rules("R1 | So it goes. | Both | R1\n  requires Enter\n  when     into some Place", "R2 | So it goes. | Rest | R2\n  forbids  Sneak\n  when     actor some Beast"),
        {"Enter": {"label": "strike or rest"}},
    ),
    "several names": (
        findings_names.several,
        rules("R1 | Into the pit goes a beast. | One | R1\n  permits  Enter", "R2 | The hollow is deep. | Two | R2\n  permits  Rest"),
        rules("R1 | Into the pit goes a beast. | One | R1\n  permits  Enter", "R2 | The pits are deep. | Two | R2\n  permits  Rest"),
        {"Pit": {"alt": ["hollow", "pits"], "source": "R1"}},
    ),
    "two spellings": (
        findings_names.several,
        rules("R1 | Into the pit hole goes a beast. | One | R1\n  permits  Enter", "R2 | The pithole is deep. | Two | R2\n  permits  Rest"),
        rules("R1 | Into the pit hole goes a beast. | One | R1\n  permits  Enter", "R2 | The pit holes are deep. | Two | R2\n  permits  Rest"),
        {"Pit": {"label": "pit hole", "alt": ["pithole"], "source": "R1"}},
    ),
    "a genus of which no rule says what is one": (
        findings_names.unlisted,
        rules("R1 | A fighter may rest, and no lion enters. | One | R1\n  permits  Rest\n  when     actor some Fighter"),
        rules("R1 | A fighter may rest, and no lion enters. | One | R1\n  permits  Rest\n  when     actor some Fighter\nR1/is\n  counts   Lion as Fighter"),
        {"Fighter": {"source": "R1"}},
    ),
    "likeness": (
        findings_likeness.likenesses,
        rules("R1 | A guard enters just as a gladiator would. | One | R1\n  permits  Enter"), rules("R1 | A guard enters. | One | R1\n  permits  Enter"), {},
    ),
    "a list that may go on": (
        findings_likeness.open_lists,
        rules("R1 | Beasts such as Lions enter. | One | R1\n  permits  Enter"), rules("R1 | Lions enter. | One | R1\n  permits  Enter"), {},
    ),
    "a measure in several rules": (
        findings_numbers.in_several_rules,
        rules("R1 | Four paces on is the pit. | One | R1\n  permits  Enter", "R2 | A leap is 4 paces. | Two | R2\n  permits  Leap"),
        rules("R1 | Four paces on is the pit. | One | R1\n  permits  Enter", "R2 | A leap is 5 paces. | Two | R2\n  permits  Leap"),
        {},
    ),
    "until when": (
        findings_likeness.how_long,
        rules("R1 | So it goes. | One | R1\n  causes   Hurt of target on Strike\n  until    Rest", "R2 | So it goes. | Two | R2\n  causes   Hurt of actor on Leap"),
        rules("R1 | So it goes. | One | R1\n  causes   Hurt of target on Strike\n  until    Rest", "R2 | So it goes. | Two | R2\n  causes   Hurt of actor on Leap\n  until    Rest"),
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", PLANTED)
def test_it_is_found_where_it_is_planted_and_not_where_it_is_mended(what: str) -> None:
    finder, planted, mended, terms = PLANTED[what]
    (found,) = finder(of_words(planted, **terms))
    assert "R1" in found.rules and found.question.endswith("?") and found.says.endswith((".", "?"))
    assert not list(finder(of_words(mended, **terms)))


def test_a_duty_of_manner_falls_away_with_the_whole_and_two_halves_of_a_sentence_are_one() -> None:
    text = "R1\n  requires {}\n  when     actor some Hurt\nR2\n  forbids  Enter\n  when     actor some Hurt and into some Pit\n"
    kinds = []
    for act in ("Enter", "Sneak"):
        made = study(strategies.chapter(text.format(act)), policy=OWN)
        a, b = made.theory.norms.values()
        kinds.append(findings_pairs.settled(made, a, b)[0])
    assert kinds == ["barred-means", ""]


# ── false alarms that had a cause in common ──

LOUD = "R1\n  counts   Fighter as Dazed\n  when     at some Pit and not Alert\nR2\n  forbids  Strike\n  when     actor some Dazed\nR3\n  forbids  Strike\n  when     actor some Alert\n"
OWED = "R1\n  requires Strike\n  when     actor some Hurt\nR2\n  forbids  Strike\n  when     actor some Hurt and target some Beast\n"
KINDS = "R1\n  counts   Fighter as {0}\n  when     not {1}\nR2\n  counts   Fighter as {1}\n  when     not {0}\n"
OFTEN = "R1 | Whoever is hurt may strike {}. | Blows | R1\n  forbids  Strike\n  when     actor some Hurt"


def pairs_of(made: Study) -> Iterator[Finding]:
    """What is found of duties that are barred."""
    met = findings_pairs.meetings(made, findings_pairs.candidates(made))
    return findings_pairs.findings(made, [row for row in met if row.kind == "barred-means"])


ALARMS: dict[str, tuple[Finder, str, str]] = {
    "of two states of which one ends the other each has its bar": (
        findings_duties.findings, LOUD, LOUD + "R4\n  counts   Fighter as not Dazed\n  when     Alert\n",
    ),
    "what is barred there is not owed there": (
        pairs_of, OWED, OWED + "R3\n  waives   Strike\n  when     target some Beast\n  lifts    R1\n",
    ),
    "what is none of two kinds is the third": (
        findings_gaps.circles, KINDS.format("Favoured", "Marked"), KINDS.format("Gladiator", "Guard"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ALARMS)
def test_no_alarm_is_raised_where_there_is_no_cause(what: str) -> None:
    finder, alarm, none = ALARMS[what]
    assert list(finder(study(strategies.chapter(alarm), policy=OWN)))
    assert not list(finder(study(strategies.chapter(none), policy=OWN)))


def test_a_leave_that_is_a_limit_too_may_be_a_bar() -> None:
    assert list(findings_words.modes(study(prose(rules(OFTEN.format("at dawn"))))))
    assert not list(findings_words.modes(study(prose(rules(OFTEN.format("once"))))))
