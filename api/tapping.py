"""What the page to ask on shows, worked out by a worker: from the answers tapped so far, or a case, to a view of plain values.

begun(book, words) -> tuple[Begin, …]     the acts and things to begin with
seen(state) -> View | Choice              everything else

A state is what the address says, and all that there is: nothing is kept between two pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from api import jobs, pictures, trees
from kb import asking, registry
from kb.answers import explain, scene as scenes
from kb.answers.interview import (
    HOW,
    PLAIN,
    Asked,
    Interview,
    Start,
    Switches,
    amounts,
    asks_of,
    kinds,
    kinds_like,
    others,
    starts,
    switches,
    there,
    things,
    uses,
)
from kb.answers.parts import Part
from kb.asking import Proof
from kb.errors import CaseError, LoopholeError, Problem

SHOWN_APART = ("TOLD", "ASSUMED", "MISSING", "WOULD FLIP IT")  # sections that the page has as switches
UNDETERMINED = "undetermined"
TELLS = " :: "  # between a question that was not asked and its answer
MOST_MORE = 24
SIDES = ("enemy", "friendly")  # labels that a kind is told after: enemy squad


@dataclass(frozen=True, slots=True)
class State:
    """book, act, asks: what a talk begins with (asks: may, must, effects, a number, a kind); or case: the case, as YAML or JSON. answers: those tapped, in order; past: questions
    that are not put again; readings: dispute and option; turn: whether what would turn the answer is looked for; whole: whether
    the answer is shown though something is left to ask."""

    book: str = ""
    act: str = ""
    asks: str = "may"
    case: str = ""
    answers: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    turn: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Begin:
    """What a book offers to begin with: how many acts and kinds of thing there are, and the first of them."""

    book: str
    title: str
    count: int
    acts: tuple[Start, ...]
    many: int
    things: tuple[Start, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of thing of which it is not said yet what is asked. numbers, states: what rules say of it, as words and how it is put; uses: what
    may be done with it, as a question and the case that asks so."""

    state: State
    title: str
    label: str
    means: str
    numbers: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    uses: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """What may be tapped: what stands on it, what is then answered, and the narrower ones."""

    label: str
    said: str
    narrower: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Put:
    """A question as it is shown. numbers: those that may be tapped; why: the rules that ask, and the answer each way. wider: more to choose from, kind by kind; here: things of the case."""

    text: str
    kind: str
    why: str
    options: tuple[Option, ...]
    wider: tuple[Option, ...]
    here: tuple[str, ...]
    ways: tuple[str, ...]
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a page shows of a state. final: whether the answer stands; part: the proof, None where it is not shown yet;
    asks: what else may be asked of the act, where nothing is answered yet; fault: what was not understood of the last answer, which is
    then left out of the state; others: for each answer the case that asks which else would do in its place; like: the case that
    asks it of each kind like the thing asked about; about: what is asked, `move: may it be done?`."""

    state: State
    book: str
    case: str
    title: str
    question: Put | None
    more: tuple[Put, ...]
    asked: tuple[tuple[str, str], ...]
    verdict: str
    sentence: str
    final: bool
    part: Part | None
    rules: tuple[str, ...]
    turned: Switches | None
    picture: str
    text: str
    asks: tuple[tuple[str, str], ...] = ()
    fault: tuple[Problem, ...] = ()
    others: tuple[str, ...] = ()
    like: str = ""
    about: str = ""
    title_of_book: str = ""


@lru_cache(maxsize=16)
def beginnings(book: str) -> tuple[tuple[Start, ...], tuple[Start, ...]]:
    """The acts of a book, and the kinds of thing, the usual ones first. Raises CaseError (E420)."""
    return starts(registry.theory(book)), things(registry.theory(book))


def begun(book: str, words: str, most: int) -> tuple[Begin, ...]:
    """By book, how many acts and kinds of thing there are, and the first of those that some words are about."""
    rows = []
    wanted = words.casefold().split()
    for name in jobs.which_books(book):
        acts, kinds_of = (fitting(listed, wanted) for listed in beginnings(name))
        rows.append(Begin(name, titled(name), len(acts), acts[:most], len(kinds_of), kinds_of[:most]))
    return tuple(rows)


def fitting(listed: tuple[Start, ...], wanted: list[str]) -> tuple[Start, ...]:
    """Those that some words are about; what is called so goes before what is only explained with the word."""
    found = [s for s in listed if all(w in " ".join((s.label, *s.also, s.means)).casefold() for w in wanted)]
    if wanted:
        found.sort(key=lambda s: not all(w in " ".join((s.label, *s.also)).casefold() for w in wanted))
    return tuple(found)


def titled(book: str) -> str:
    """The name of a book in full."""
    return registry.book(book).title or book


@lru_cache(maxsize=64)
def talked(start: State) -> Interview:
    """A talk after the answers of a state. Raises CaseError."""
    if not start.answers:
        if not start.case:
            return jobs.talked(start.act, start.book, start.asks, ())
        found = asking.case(start.case)
        return Interview.about(found, registry.vocabulary(found.book), asking.rules, start.past)
    talk = talked(replace(start, answers=start.answers[:-1])).parted()
    text, told, said = start.answers[-1].rpartition(TELLS)
    if told:
        one = next((q for q in talk.more() if q.text == text), None)
        if one is None:
            raise CaseError(Problem(454, f"“{text}” is not to be told here", hint="tap what the page offers"))
        talk.answer(one, said)
        return talk
    question = talk.next()
    if question is None:
        raise CaseError(
            Problem(454, f"nothing is left to ask, and “{start.answers[-1]}” answers no question", hint="leave it out")
        )
    talk.answer(question, start.answers[-1])
    return talk


def chosen(state: State) -> Choice | None:
    """What may be asked of the kind of thing that a state is about; None where it is about an act, or says what is asked. Raises CaseError (E420)."""
    if state.case or state.asks not in PLAIN:
        return None
    theory = registry.theory(state.book)
    found = next((s for s in beginnings(state.book)[1] if s.name == state.act), None)
    if found is None:
        return None
    asks = [row for row in asks_of(theory, found.name) if row[0] not in PLAIN]
    numbers = tuple(row for row in asks if row[0] in theory.vocabulary.properties)
    states = tuple(row for row in asks if row not in numbers)
    return Choice(state, titled(state.book), found.label, found.means, numbers, states, uses(theory, found.name))


def asking_so(state: State) -> State:
    """A state as it is; where nothing says whether an act may be done, what rules do say of it is asked: whether it must be, or what happens."""
    if state.case or state.asks != "may":
        return state
    theory = registry.theory(state.book)
    if state.act not in theory.vocabulary.classes:
        return state
    plain = [word for word, _ in asks_of(theory, state.act) if word in PLAIN]
    return replace(state, asks=plain[0]) if plain and "may" not in plain else state


def seen(state: State) -> View | Choice:
    """The view of a state; a choice where it is not said yet what is asked of a thing. Raises CaseError for a case, a book or an act that does not read."""
    if (choice := chosen(state)) is not None:
        return choice
    state = asking_so(state)
    start = replace(state, readings=(), turn=False, whole=False)
    fault: tuple[Problem, ...] = ()
    try:
        talk = talked(start)
    except CaseError as e:
        if not start.answers:
            raise
        fault, start = tuple(e.problems), replace(start, answers=start.answers[:-1])
        state = replace(state, answers=start.answers)
        talk = talked(start)
    question = talk.next()
    final = question is None or state.whole or bool(state.case)
    written = state.case if state.case and not state.answers else talk.text()
    proof: Proof = asked(written, state.readings) if final else talk.standing
    part = explain.outline(proof, asking.quotes(proof.theory), flips=False, situation=True) if final else None
    if part is not None:
        part = replace(part, parts=tuple(s for s in part.parts if s.text not in SHOWN_APART))
    sentence = explain.headline(proof)
    drawn = scenes.scene(proof.case, proof.theory.vocabulary)
    first = len(state.past) if state.case else 0
    return View(
        state, proof.theory.book, written, proof.case.title, put(talk, question) if question is not None else None,
        tuple(put(talk, q) for q in talk.more()[:MOST_MORE]),
        tuple(talk.asked[first:]), proof.verdict, sentence, final, part, tuple(proof.theory.sections),
        turnable(proof, state.turn and final), pictures.situation(proof, "The situation", standalone=False), drawn.text,
        asks_of(talk.theory, proof.case.things[proof.question.thing].is_[0]) if state.act and not state.answers else (), fault,
        tuple(others(talk.theory, talk.now, talk.data(), n) for n in range(first, len(talk.asked))), kinds_like(talk.theory, talk.case, talk.data()), about(talk, state), titled(proof.theory.book),
    )  # fmt: skip


def about(talk: Interview, state: State) -> str:
    """What a talk is about, `move: may it be done?`; "" for a case."""
    if state.case:
        return ""
    kind = talk.case.things[talk.case.question.thing].is_[0]
    put_as = {**PLAIN, **dict(asks_of(talk.theory, kind))}
    label = next(
        (s.label for s in beginnings(talk.theory.book)[0] if s.name == kind), talk.vocabulary.classes[kind].label
    )
    return f"{label}: {put_as.get(state.asks, state.asks)}"


def asked(text: str, readings: tuple[str, ...]) -> Proof:
    """The answer to a case. Raises what asking.ask raises."""
    pairs = dict(reading.partition(":")[::2] for reading in readings)
    return asking.ask(asking.case(text), readings=pairs, effort=jobs.Allowed.effort)


def turnable(proof: Proof, turn: bool) -> Switches:
    """The switches of an answer; without what would turn it where that is not looked for. What a name says already is left out."""
    found = switches(proof, turn)  # type: ignore[arg-type]
    told = [(name, tuple(s for s in rows if not trite(s.text, name))) for name, rows in found.told if "." not in name]
    return replace(found, told=tuple((name, rows) for name, rows in told if rows))


def trite(sentence: str, name: str) -> bool:
    """Whether a sentence only says that a thing is what it is called."""
    words = sentence.casefold().replace("-", " ").split()
    bare = [w for w in words if w not in ("is", "a", "an", "the")]
    return bare == name.casefold().replace("-", " ").split() * 2


def put(talk: Interview, question: Asked) -> Put:
    """A question with what may be tapped."""
    things = talk.case.things
    narrower = kinds(talk.theory, question.opening) if question.opening.name != HOW else {}

    def said(label: str, side: str = "") -> str:
        if side:
            return f"{side} {label}"  # an enemy squad
        return f"a {label}" if label in things else label  # the kind, where a thing is called just so

    def option(label: str) -> Option:
        side = label if label in SIDES else ""
        below = (k for k in narrower.get(label, ()) if k not in question.options)
        return Option(label, said(label), tuple(Option(k, said(k, side)) for k in below))

    labels = question.options or (tuple(narrower)[:1] if question.kind == "yes-no" else ())
    here = there(talk.theory, talk.case, question.opening)
    ways = tuple(talk.help(question))
    wider = tuple(option(label) for label in narrower if label not in labels and question.kind == "what")
    return Put(
        question.text,
        question.kind,
        question.why,
        tuple(map(option, labels)),
        wider,
        here,
        ways,
        amounts(question.opening),
    )


def drawn_alone(state: State) -> str:
    """The situation of a state as a picture of its own. Raises CaseError."""
    talk = talked(replace(state, readings=(), turn=False, whole=False))
    return pictures.situation(talk.standing, explain.headline(talk.standing))


def chain_drawn(state: State) -> str:
    """The chain of a state's answer as a picture of its own. Raises CaseError."""
    talk = talked(replace(state, readings=(), turn=False, whole=False))
    proof = asked(state.case if state.case and not state.answers else talk.text(), state.readings)
    return trees.of_proof(explain.outline(proof, flips=False), "The proof", standalone=True)


def words(book: str, begun_with: str, most: int = 12) -> bytes:
    """The words of a book that begin so, for completion: name, label and kind. Raises CaseError (E420)."""
    start = begun_with.casefold()
    found = [
        (term.name, term.label)
        for term in registry.vocabulary(book).all()
        if start and any(word.casefold().startswith(start) for word in (term.name, term.label, *term.alt))
    ]
    found.sort(key=lambda row: (not row[0].casefold().startswith(start), len(row[0])))
    return jobs.dumps({"words": [{"name": name, "label": label} for name, label in found[:most]]})


__all__ = ["LoopholeError", "State", "View", "begun", "chain_drawn", "drawn_alone", "seen", "words"]
