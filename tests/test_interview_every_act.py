"""Every act of every book is asked about by always saying yes, always no, and by chance: the talk ends, asks nothing twice, and comes
to what `ask` says of the case that it built. A talk that does not is caught."""

from __future__ import annotations

import random
import statistics
import zlib
from dataclasses import replace

import pytest
import yaml

from kb import asking, registry
from kb.answers.interview import MOST_QUESTIONS, Asked, Interview, asks_of, starts
from kb.errors import CaseError
from tests.night import some, turn

PLAYERS = ("yes", "no", "chance")
LEAST = {"asl": 200, "fow": 40, "vv": 30}  # kinds of act
EVERY = 24  # of how many acts of ASL one is tried in the quick test
PARTS = 16  # of the slow one
LONGEST = 9
ODD = ("is it so that", "(except", "Aerial", "?.", " unit a unit")  # what no player would say
LENGTH = 110


def acts(book: str) -> list[str]:
    """The kinds of act that a book knows."""
    return sorted(c.name for c in registry.vocabulary(book).classes.values() if "Act" in c.ancestors)


def reply(player: str, question: Asked, luck: random.Random) -> str:
    """What a player says; by chance also that he does not know, or a kind."""
    how = luck.choice(["yes", "no", "yes", "no", "unknown", "kind"]) if player == "chance" else player
    if how == "unknown":
        return how
    if how == "kind":
        return luck.choice(question.options or ("yes",)) if question.kind != "number" else "2"
    return {"yes": "1", "no": "0"}[how] if question.kind == "number" else how


def held(talk: Interview, player: str, seed: str) -> list[str]:
    """Holds a talk to its end; what is wrong with it."""
    luck, faults, asked = random.Random(zlib.crc32(seed.encode())), list[str](), set[str]()
    while question := talk.next():
        if question.text in asked:
            return [f"asked twice: {question.text}"]
        asked.add(question.text)
        if odd(question.text, talk) or len(question.text) > LENGTH:
            faults.append(f"odd: {question.text}")
        if len(asked) > MOST_QUESTIONS:
            return ["no end"]
        try:
            talk.answer(question, reply(player, question, luck))
        except CaseError:  # a kind that cannot be; he is asked again and does not know
            talk.answer(question, "unknown")
    written = yaml.safe_load(talk.text())
    if (
        player == "chance" and talk.standing.verdict == "undetermined"
    ):  # what it misses takes long to find: once is enough
        return faults if asking.case(written).things else ["no case"]
    found = asking.ask(written)
    if (found.verdict, found.cites) != (talk.proof.verdict, talk.proof.cites):
        faults.append(f"the talk says {talk.proof.verdict} {talk.proof.cites}, ask {found.verdict} {found.cites}")
    return faults


def odd(text: str, talk: Interview) -> bool:
    """Whether a question says what no player would; the act's own name may."""
    case = talk.case
    named = [talk.vocabulary.classes[cls].label for cls in case.things[case.question.thing].is_]
    for name in named:
        text = text.replace(name, "")
    return any(word in text for word in ODD)


def talk_of(book: str, act: str, kind: type[Interview] = Interview) -> Interview:
    return kind(registry.theory(book), act, "may", asking.rules)


def faults_of(book: str, names: list[str], kind: type[Interview] = Interview) -> tuple[list[str], dict[str, list[int]]]:
    """The faults of the talks about some acts, and how many questions each player was asked."""
    faults: list[str] = []
    counts: dict[str, list[int]] = {player: [] for player in PLAYERS}
    for act in names:
        for player in PLAYERS:
            talk = talk_of(book, act, kind)
            faults += [f"{book} {act}, {player}: {fault}" for fault in held(talk, player, book + act)]
            counts[player].append(len(talk.asked))
            if player != "chance" and len(talk.asked) <= 1 and talk.proof.verdict == "undetermined":
                faults.append(f"{book} {act}, {player}: open after {talk.asked}")
    return faults, counts


@pytest.mark.parametrize("book", sorted(LEAST))
def test_the_books_have_their_acts(book: str) -> None:
    assert len(acts(book)) >= LEAST[book] and registry.books() == sorted(LEAST)


@pytest.mark.slow
@pytest.mark.parametrize("book", ["fow", "vv"])
def test_a_talk_about_each_act_ends_repeats_nothing_and_says_what_ask_says(book: str) -> None:
    faults, counts = faults_of(book, acts(book))
    assert not faults, "\n".join(faults)
    for player, asked in counts.items():
        assert len(asked) >= LEAST[book] and max(asked) <= LONGEST and statistics.median(asked) <= 5, (player, asked)


@pytest.mark.slow
def test_a_talk_about_some_acts_of_asl_does() -> None:
    some = [act for act in acts("asl") if zlib.crc32(act.encode()) % EVERY == 0]
    faults, counts = faults_of("asl", ["Entry", "Move", "PillboxEntry", *some])
    assert len(some) >= 4 and not faults, "\n".join(faults)
    assert max(max(asked) for asked in counts.values()) <= LONGEST, counts


@turn(of=3, on=2)
@pytest.mark.slow
@pytest.mark.parametrize("book", sorted(LEAST))
def test_a_talk_about_what_else_may_be_asked_of_an_act_does(book: str) -> None:
    theory, talks = registry.theory(book), 0
    for act in starts(theory)[:8]:
        for asks, _ in some(asks_of(theory, act.name), of=5):
            for player in PLAYERS:
                talk = Interview(theory, act.name, asks, asking.rules)
                assert not held(talk, player, book + act.name + asks), (act.name, asks, player)
                talks += talk.case.question.kind not in ("may", "must")
    assert talks >= 9, talks


@pytest.mark.slow
@pytest.mark.parametrize("part", some(range(PARTS), of=PARTS))
def test_a_talk_about_each_act_of_asl_does(part: int) -> None:
    mine = acts("asl")[part::PARTS]
    faults, counts = faults_of("asl", mine)
    assert len(mine) >= LEAST["asl"] // PARTS and not faults, "\n".join(faults)
    for player, asked in counts.items():
        long = [row for row in zip(mine, asked, strict=True) if row[1] > LONGEST]
        assert not long and statistics.median(asked) <= 5, (player, long, asked)


# ── what the test would catch ──


class AsksTwice(Interview):
    """Asks its first question again."""

    def next(self) -> Asked | None:
        first = getattr(self, "first", None) or super().next()
        self.first = first
        return first if len(self.asked) < 2 else super().next()


class NeverEnds(Interview):
    """Asks whether it is so, and so, and so."""

    def next(self) -> Asked | None:
        question = super().next() or getattr(self, "last", None)
        self.last = question
        return (
            replace(question, text=f"{question.text} (is it really so, {len(self.asked)} times?)") if question else None
        )


class SaysOtherwise(Interview):
    """Writes down a case that leaves out what was told of the act."""

    def text(self) -> str:
        said = self.data()
        act = said["things"][said["ask"]["may"]]
        said["things"][said["ask"]["may"]] = {"is": act["is"]}
        return yaml.safe_dump(said)


class AsksOddly(Interview):
    """Asks in the words of a proof."""

    def next(self) -> Asked | None:
        question = super().next()
        return question and replace(question, text=f"is it so that {question.text}")


@pytest.mark.parametrize(
    ("kind", "said"),
    [(AsksOddly, "odd: "), (AsksTwice, "asked twice"), (NeverEnds, "no end"), (SaysOtherwise, "the talk says")],
)
def test_a_talk_that_does_not_is_caught(kind: type[Interview], said: str) -> None:
    faults, _ = faults_of("vv", ["Fire"], kind)
    assert any(said in fault for fault in faults), faults
    assert not faults_of("vv", ["Fire"])[0]


# ── the plain jobs: a sure answer in a few questions that a player understands ──

JOBS: list[tuple[str, str, dict[str, str], str, str, int]] = [
    # what is asked for: book, act, what the player says to questions with these words, the verdict, what it cites, at most so many questions
    ("asl", "Move", {"lead into": "pillbox", "who": "squad", "outside": "yes", "enemy?": "squad"}, "forbidden", "B30.42", 4),
    ("asl", "Move", {"lead into": "pillbox", "who": "squad"}, "permitted", "B30.4", 8),
    ("asl", "Move", {"lead into": "pillbox", "who": "vehicle"}, "forbidden", "B30.111", 8),
    ("asl", "Entry", {"lead into": "pillbox", "who": "squad", "phase": "MPh", "outside": "yes", "enemy?": "squad"}, "forbidden", "B30.42", 6),
    ("vv", "Move", {"lead into": "bunker", "who": "squad"}, "permitted", "20.4", 6),
    ("vv", "Entry", {"come into": "bunker", "who": "squad", "enemy in": "yes", "enemy?": "squad"}, "forbidden", "20.3", 5),
    ("fow", "Fire", {"aimed at": "bunker", "who": "infantry", "in range": "yes"}, "permitted", "ShootingAtBunkers.1", 5),
    ("fow", "Fire", {"aimed at": "bunker", "who": "air unit"}, "forbidden", "ShootingAtBunkers.6", 5),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("book", "act", "says", "verdict", "cites", "most"), JOBS)
def test_a_plain_job_takes_few_questions(
    book: str, act: str, says: dict[str, str], verdict: str, cites: str, most: int
) -> None:
    talk = talk_of(book, act)
    while question := talk.next():
        talk.answer(question, next((answer for word, answer in says.items() if word in question.text), "no"))
    assert talk.proof.verdict == verdict and cites in talk.proof.cites, (talk.proof.cites, talk.asked)
    assert len(talk.asked) <= most, talk.asked
    assert not [text for text, _ in talk.asked if odd(text, talk) or len(text) > 70]
