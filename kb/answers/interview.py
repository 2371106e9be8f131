"""Asks what still matters: from a kind of act to an answer, what most likely decides first, each with the reason it is asked.

interview = Interview(theory, "Move")
while question := interview.next():
    interview.answer(question, "yes")     # or no, unknown, back, classes, a number, a thing's name
interview.proof; interview.data()         # the answer, and the case that was built

Every question is tried before it is put: the case is made that each answer would make, read as any case is, and asked. What could
not be so, or would change nothing, is not asked. What comes of the talk is thus what `ask` says of the case that it built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace as changed
from typing import Any

from msgspec.structs import replace

from kb.answers import replies
from kb.answers.agenda import Agenda
from kb.answers.lists import kinds_like as kinds_like, others as others
from kb.answers.moments import DOER, Moment, applied, renamed
from kb.answers.openings import HOW as HOW, SIDE, SIDES, WIDE, Asked as Asked, Opening, Wording, options
from kb.answers.proof_json import facts as plain
from kb.answers.replies import amounts as amounts, spoken as spoken
from kb.answers.starts import (
    PLAIN as PLAIN,
    Start as Start,
    asks_of as asks_of,
    kinds as kinds,
    starts as starts,
    subject,
    there as there,
    things as things,
)
from kb.answers.switches import Switch as Switch, Switches as Switches, switches as switches
from kb.answers.uses import uses as uses
from kb.cases import reader, writer
from kb.errors import CaseError, LoopholeError, Problem
from kb.language import english
from kb.language.case import Case, Edit, Facts
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p, reason
from kb.reasoner.counterfactuals import said
from kb.reasoner.reason import Answer
from kb.rulebook.theory import Theory
from kb.yaml_document import written

HELP, WHY = replies.HELP, replies.WHY  # what a player says who wants more than the question
MOST_QUESTIONS = 24
PLENTY = 8  # after so many questions what is presumed is no longer asked about; the answer lists it
FEW = 4  # the same where other rules decide
MOST_TRIED = 8  # openings that are tried for the next question
act_named = replies.act
Rules = Callable[[Case], Theory]


class Interview:
    """Builds a case by asking; `proof` is the answer so far.

    act: a kind of act, or of thing of which a number or a kind is asked. asks: what is asked of it: may,
    must, effects, the name of a number, or a kind that it may be of.
    rules: the rules that a case brings into force, where that is not one theory for all.
    """

    def __init__(self, theory: Theory, act: str, asks: str = "may", rules: Rules | None = None):
        self.vocabulary = theory.vocabulary
        self.rules: Rules = rules or (lambda case: theory)
        self.begin(Moment(subject(theory, act, asks)))

    @classmethod
    def about(cls, case: Case, vocabulary: Vocabulary, rules: Rules, passed: Iterable[str] = ()) -> Interview:
        """A talk that goes on from a case that is already told. passed: questions that are not asked again. Raises CaseError."""
        talk = cls.__new__(cls)
        talk.vocabulary, talk.rules = vocabulary, rules
        told = replace(case, things=case.said or case.things, said={}, expect={})
        talk.begin(Moment(told, asked=tuple((question, "no") for question in passed), given=frozenset(told.things)))
        return talk

    def begin(self, now: Moment) -> None:
        """Starts with what is known."""
        self.now = now
        self.past: tuple[Moment, ...] = ()
        self.standing = self.tried(now.told)  # how the question stands; what is missing is not looked for
        self.whole: Answer | None = None
        self.coming: Asked | None = None
        self.looked = False

    def parted(self) -> Interview:
        """The same talk, to be gone on with apart from this one."""
        return copy(self)

    # ── what is known ──

    @property
    def asked(self) -> list[tuple[str, str]]:
        """The questions so far and the answers to them."""
        return list(self.now.asked)

    @property
    def case(self) -> Case:
        """The case that was built."""
        return self.now.told

    @property
    def theory(self) -> Theory:
        """The rules that it is asked of."""
        return self.standing.theory

    @property
    def proof(self) -> Answer:
        """The answer to the case as it stands: what `ask` says of it."""
        if self.standing.verdict != p.UNDETERMINED:
            return self.standing
        if self.whole is None:
            self.whole = reason.answer(self.theory, self.standing.case)
        return self.whole

    def tried(self, case: Case) -> Answer:
        """The answer to a case, read as one that is written down. Raises CaseError where it does not read."""
        found = reader.read(self.data(case), self.vocabulary)
        return reason.answer(self.rules(found), found, False)

    def after(self, edits: Iterable[Edit]) -> str:
        """What the answer would be; `impossible` where the case would make no sense."""
        try:
            return said(self.tried(self.edited(edits).told))
        except (KeyError, LoopholeError):
            return p.IMPOSSIBLE

    # ── what to ask ──

    def next(self) -> Asked | None:
        """The best question left; None when the answer is settled, or nothing that is left would settle it."""
        if not self.looked:
            self.coming, self.looked = self.found(), True
        return self.coming

    def found(self) -> Asked | None:
        """Looks for it: of one act or thing, which is what rules are asked about step by step."""
        if not self.of_one:
            return None
        open_ = self.standing.verdict == p.UNDETERMINED
        if len(self.now.asked) >= (FEW if self.standing.verdict == p.OUTSIDE else MOST_QUESTIONS if open_ else PLENTY):
            return None
        best, tries, agenda = None, 0, Agenda(self.standing, self.now)
        for opening, tells in agenda:
            text = Wording(self.vocabulary, self.now.told, self.now.given).text(opening)
            if agenda.itself(opening) or opening.key in self.now.closed or text in (q for q, _ in self.now.asked):
                continue
            if tells:  # any player tells it with the act
                if self.possible(opening):
                    return self.question(opening, text, ())
                continue
            if tries >= MOST_TRIED:
                break
            tries += 1
            outcomes = self.outcomes(opening)
            if open_ and self.alike(opening, outcomes):
                return None  # reasoning by cases: the answer is the same either way
            if not self.matters(outcomes) or (not open_ and agenda.by_the_way(opening) and p.UNDETERMINED in outcomes):
                continue
            question = self.question(opening, text, outcomes)
            if not open_ or p.UNDETERMINED not in outcomes[:1] or outcomes[-1] != p.UNDETERMINED:
                return question
            best = best or question
        if best is not None and any(answer.casefold() in replies.UNKNOWN for _, answer in self.now.asked):
            return None  # what would settle it is not known
        return best

    def more(self) -> tuple[Asked, ...]:
        """What else may be told, for whoever wants to, beside what is asked next."""
        if not self.of_one:
            return ()
        coming, wording = self.next(), Wording(self.vocabulary, self.now.told, self.now.given)
        gone = {*self.now.closed, *((coming.opening.key,) if coming else ())}
        listed = Agenda(self.standing, self.now).further()
        rows = [(o, wording.text(o)) for o in listed if o.key not in gone or o.more or o.name == HOW]
        kept = [(o, text) for o, text in rows if text not in dict(self.now.asked) or o.more or o.name == HOW]
        return tuple(self.question(o, text, ()) for o, text in kept)

    @property
    def of_one(self) -> bool:
        """Whether the question is put of one thing of the case, not of a list."""
        return self.now.told.question.thing in self.now.told.things

    def possible(self, opening: Opening) -> bool:
        """Whether an opening can be filled at all."""
        return not opening.options or self.after(self.filled(opening, opening.options[:1])) != p.IMPOSSIBLE

    def outcomes(self, opening: Opening) -> tuple[str, ...]:
        """What the answer would be, for some ways in which it could be filled, and at last if it is not."""
        if opening.kind in ("link", "is"):
            ways = [self.after(self.filled(opening, (n,))) for n in opening.options[:3]]
            no = self.after(self.denied(opening)) if self.denied(opening) else self.stands
            return (*ways, no)
        atom = opening.atoms[0]
        return tuple(self.after(edits) if edits else p.IMPOSSIBLE for edits in (atom.true, atom.false))

    @property
    def stands(self) -> str:
        """How the question stands, as one comparable string."""
        return said(self.standing)

    def matters(self, outcomes: tuple[str, ...]) -> bool:
        """Whether an answer would bring anything: it can be so, it can be otherwise, and one of that tells more."""
        *ways, no = outcomes
        if no == p.IMPOSSIBLE or all(way == p.IMPOSSIBLE for way in ways):
            return False
        told = no == self.stands and any(way not in (p.IMPOSSIBLE, no) for way in ways)
        return told or self.standing.verdict == p.UNDETERMINED

    def alike(self, opening: Opening, outcomes: tuple[str, ...]) -> bool:
        """Whether the answer is the same either way, and so is no longer open."""
        if not opening.atoms or not opening.atoms[0].whole or len(set(outcomes)) > 1 or p.UNDETERMINED in outcomes:
            return False
        return self.proof.verdict != p.UNDETERMINED

    def question(self, opening: Opening, text: str, outcomes: tuple[str, ...]) -> Asked:
        """An opening as a question."""
        several = opening.kind in ("link", "is") and (len(opening.options) != 1 or opening.wide or opening.name == HOW)
        kind = "number" if opening.kind == "number" else "what" if several else "yes-no"
        why = replies.why(self.standing, opening, outcomes)
        return Asked(text, kind, why, opening, options(self.theory, opening), opening.rules)

    def reasons(self, question: Asked) -> list[tuple[str, str, str]]:
        """The rules that ask for it: number, title and what they say in our words."""
        found = [self.theory.sections[rule] for rule in question.rules if rule in self.theory.sections]
        return [(s.rule, s.title, " ".join(english.sentence(line.text) for line in s.sentences)) for s in found]

    def help(self, question: Asked) -> list[str]:
        """How a question may be answered, and what the words mean that it asks for."""
        return replies.ways(self.vocabulary, question.opening)

    # ── answers ──

    def answer(self, question: Asked, said: str) -> None:
        """Takes an answer. Raises CaseError when it is not understood or contradicts what is known."""
        text = " ".join(said.split())
        if text.casefold() in replies.BACK:
            self.back()
            return
        edits, given = self.meant(question, text)
        opening, row = question.opening, (question.text, text)
        closed = self.now.closed if replies.goes_on(self.now.told, question, edits) else self.now.closed | {opening.key}
        now, self.now = self.now, changed(self.now, closed=closed)
        try:
            then = self.edited(edits)
            then = renamed(self.vocabulary, self.now, then, opening.thing, given)
            standing = self.tried(then.told) if edits else self.standing
        finally:
            self.now = now
        filled = (*now.filled, opening if edits else None)
        then = changed(then, asked=(*now.asked, row), given=then.given | {*given}, filled=filled)
        self.past, self.now, self.standing = (*self.past, self.now), then, standing
        self.whole, self.coming, self.looked = None, None, False

    def meant(self, question: Asked, text: str) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
        """What an answer makes so, and the name that it gives. Raises CaseError."""
        opening, word = question.opening, text.casefold()
        if word in replies.UNKNOWN:
            return (), ()
        if question.kind == "number":
            return replies.amount(opening, text), ()
        if word in replies.YES:
            return self.filled(opening, opening.options[:1]), ()
        if word in replies.NO or (question.kind == "what" and word in replies.NONE):
            edits = self.denied(opening)
            return (edits if edits and self.after(edits) != p.IMPOSSIBLE else ()), ()
        reply = replies.kinds(self.vocabulary, self.now.told, opening, text)
        replies.fits(self.vocabulary, self.now.told, opening, reply)
        return self.filled(opening, reply.classes, reply.name), (reply.name,) if reply.name else ()

    def back(self) -> None:
        """Takes the last answer back. Raises CaseError where there is none."""
        if not self.past:
            raise CaseError(Problem(457, "this is the first question", hint="answer it, or ask for help"))
        *before, self.now = self.past
        self.past = tuple(before)
        self.standing = self.tried(self.now.told)
        self.whole, self.coming, self.looked = None, None, False

    def filled(self, opening: Opening, classes: tuple[str, ...], name: str = "") -> tuple[Edit, ...]:
        """The edits that fill an opening: with something of some classes, or with a thing of the case."""
        if opening.kind == "link":
            if name in self.now.told.things:
                return (*opening.before, Edit("link", opening.thing, opening.name, (name, {})))
            if classes and not {*classes} - {*SIDES}:  # an enemy: a unit of theirs
                classes = (*classes, *(n for n in WIDE[:1] if n in self.vocabulary.classes))
            new = name or f"{opening.thing}.{opening.name}?"
            return (*opening.before, Edit("link", opening.thing, opening.name, (new, {new: Facts(new, classes)})))
        if opening.of_kind and classes:
            return (*opening.before, *(Edit("is", opening.thing, n) for n in classes))
        return opening.atoms[0].true

    def denied(self, opening: Opening) -> tuple[Edit, ...]:
        """The edits that say of an opening that nothing of the sort fills it."""
        if opening.kind == "link":
            if opening.more or self.standing.lists(opening.thing, opening.name):
                return ()  # to say that nothing is there would take back what was told
            prop = self.vocabulary.properties[opening.name]
            if prop.when_unstated != "asked" or not opening.options:
                return (*opening.before, Edit("unlink", opening.thing, opening.name))
            new = f"{opening.thing}.{opening.name}?"
            none = {new: Facts(new, (), opening.options)}
            return (*opening.before, Edit("link", opening.thing, opening.name, (new, none)))
        if opening.kind == "is" and opening.name == SIDE:
            return (*opening.before, Edit("is", opening.thing, "Friendly"))
        if opening.kind == "is":
            other = [
                Edit("is", opening.thing, n) for n in WIDE[:1] if opening.thing == DOER and n in self.vocabulary.classes
            ]
            return (*opening.before, *other, *(Edit("not", opening.thing, n) for n in opening.options))
        return opening.atoms[0].false

    def edited(self, edits: Iterable[Edit]) -> Moment:
        """The next moment after some edits, in the player's words where these reach, else in those that the case was read in."""
        rows = tuple(edits)
        try:
            return applied(self.vocabulary, self.now, rows)
        except KeyError:
            return applied(self.vocabulary, changed(self.now, told=self.standing.case), rows)

    # ── what was built ──

    def data(self, case: Case | None = None) -> dict[str, Any]:
        """The case as plain data, ready to be written as YAML and asked again."""
        case = case or self.now.told
        things = {n: plain(f) | ({"label": f.label} if f.label else {}) for n, f in case.things.items()}
        return {**writer.mapping(case), "things": things}

    def text(self) -> str:
        """The case as YAML."""
        return written(self.data())
