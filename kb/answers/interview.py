"""Asks what still matters: from a kind of act to an answer, what most likely decides first, each with the reason it is asked.

interview = Interview(theory, "Move")
while question := interview.next():
    interview.answer(question, "yes")     # or no, unknown, back, classes, a number, a thing's name
interview.proof; interview.data()         # the answer, and the case that was built

Every question is tried before it is put: the case is made that each answer would make, read as any case is, and asked. What could
not be so, or would change nothing, is not asked. What comes of the talk is thus what `ask` says of the case that it built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace as changed
from typing import Any

from kb.answers import replies
from kb.answers.openings import SIDE, SIDES, Opening, Wording, openings, state
from kb.answers.proof_json import facts as plain
from kb.cases import reader
from kb.errors import CaseError, LoopholeError, Problem, did_you_mean
from kb.language import english
from kb.language.case import Case, Edit, Facts, Question
from kb.reasoner import inquiry, proof as p, reason
from kb.reasoner.counterfactuals import said
from kb.reasoner.reason import Answer
from kb.rulebook.theory import Theory
from kb.yaml_document import written

MOST_QUESTIONS = 24
PLENTY = 8  # after so many questions what is presumed is no longer asked about; the answer lists it
FEW = 4  # the same where other rules decide
MOST_KINDS = 5  # that are named beside the one that a rule asks for
WIDE = ("Unit", "Piece")  # what does an act, of whatever kind
MOST_TRIED = 8  # openings that are tried for the next question

Rules = Callable[[Case], Theory]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. kind: yes-no, what (a class or a thing) or number. why: the rules and the outcome each way. rules: their numbers."""

    text: str
    kind: str
    why: str
    opening: Opening
    options: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a talk has come. told: the case so far; closed: openings that are not asked about again; given: names that the player gave."""

    told: Case
    closed: frozenset[tuple[str, str, str]] = frozenset()
    asked: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()


class Interview:
    """Builds a case by asking; `proof` is the answer so far.

    rules: the rules that a case brings into force, where that is not one theory for all.
    """

    def __init__(self, theory: Theory, act: str, kind: str = "may", rules: Rules | None = None):
        classes = theory.vocabulary.classes
        name = theory.vocabulary.resolve(act, [classes])
        if name is None:
            acts = [n for c in classes.values() if "Act" in c.ancestors for n in (c.name, c.label, *c.alt)]
            hint = did_you_mean(act, acts) or "see loophole terms act"
            raise CaseError(Problem(450, f"no kind of act is called “{act}”", hint=hint))
        self.vocabulary = theory.vocabulary
        self.rules: Rules = rules or (lambda case: theory)
        thing = replies.fresh(classes[name].label, ())
        things = {thing: Facts(thing, (name,))}
        if "actor" in theory.vocabulary.properties and "Friendly" in classes:
            things[thing] = Facts(thing, (name,), links={"actor": ("unit",)})
            things["unit"] = Facts("unit", ("Friendly",))
        self.now = Moment(Case(theory.book, things, Question(kind, thing)))
        self.past: tuple[Moment, ...] = ()
        self.standing = self.tried(self.now.told)  # how the question stands; what is missing is not looked for
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
        """Looks for it."""
        open_ = self.standing.verdict == p.UNDETERMINED
        if len(self.now.asked) >= (FEW if self.standing.verdict == p.OUTSIDE else MOST_QUESTIONS if open_ else PLENTY):
            return None
        best, tries = None, 0
        for opening, tells in self.worth_asking():
            text = Wording(self.vocabulary, self.now.told, self.now.given).text(opening)
            if opening.key in self.now.closed or text in (q for q, _ in self.now.asked):
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
            if not self.matters(outcomes) or (not open_ and self.by_the_way(opening) and p.UNDETERMINED in outcomes):
                continue
            question = self.question(opening, text, outcomes)
            if not open_ or p.UNDETERMINED not in outcomes[:1] or outcomes[-1] != p.UNDETERMINED:
                return question
            best = best or question
        if best is not None and any(answer.casefold() in replies.UNKNOWN for _, answer in self.now.asked):
            return None  # what would settle it is not known
        return best

    def worth_asking(self) -> Iterator[tuple[Opening, bool]]:
        """What could be asked, the likeliest to decide first, and whether any player tells it with the act."""
        act, doers = self.now.told.question.thing, self.vocabulary.doers
        missed = inquiry.missing(self.standing)
        presumed = openings(self.vocabulary, inquiry.presumed(self.standing))
        wanted = openings(self.vocabulary, missed.atoms)
        for role in missed.roles:
            alike = [o for o in (*wanted, *presumed) if o.key == ("link", act, role)]
            atoms = tuple(a for o in alike for a in o.atoms)
            yield Opening("link", act, role, atoms, tuple(dict.fromkeys(n for o in alike for n in o.options))), True
        if missed.roles:
            return
        wording = Wording(self.vocabulary, self.now.told)
        who = [o for o in wanted if o.kind == "is" and not o.name and wording.does(o.thing) and not wording.known(o.thing)]
        if not self.standing.winners and self.bare(act):
            frame = [o for o in (*wanted, *presumed) if o.kind == "link" and o.thing == act and o.name not in doers]
            for opening in sorted(frame, key=lambda o: -len(o.atoms))[:1]:
                yield opening, True
        for opening in who:
            yield changed(opening, options=self.kinds_of_doer(opening)), True
        if self.standing.verdict == p.UNDETERMINED:
            rest = [o for o in wanted if o not in who]
        else:
            rest = [one for o in presumed if o.kind == "link" and self.apt(o) for one in self.one_by_one(o)]
        for opening in sorted(rest, key=self.weight):
            yield opening, False

    def apt(self, opening: Opening) -> bool:
        """Whether a list would be asked about: who does an act is told, and of how it is done little is asked beside what it is done to."""
        act = self.now.told.question.thing
        asked = [key for key in self.now.closed if key[0] == "link" and key[1] == act]
        return opening.thing != act or (opening.name not in self.vocabulary.doers and len(asked) < 2)

    def by_the_way(self, opening: Opening) -> bool:
        """Whether it is one more thing that an act may be done to, or from, where one is told."""
        act = self.now.told.question.thing
        told = self.now.told.things[act].links.items()
        return opening.thing == act and any(role != "actor" and things for role, things in told)

    def one_by_one(self, opening: Opening) -> Iterator[Opening]:
        """A list of which nothing is told, asked about by one kind of thing: is an enemy there?"""
        whatever = self.vocabulary.properties[opening.name].range
        for name in opening.options:
            if whatever != name:
                yield changed(opening, options=(name,), more=len(opening.options) > 1)

    def weight(self, opening: Opening) -> tuple[bool, bool, int]:
        """Whether enemies are about, and then what most rules speak of, is asked first; numbers are asked last."""
        names = [opening.name] if opening.kind == "link" else []
        often = len(opening.atoms) + inquiry.speak_of(self.theory, *names, *opening.options[:1])
        return opening.kind == "number", opening.options[:1] != ("Enemy",), -often

    def bare(self, act: str) -> bool:
        """Whether nothing is told of an act but who does it, and nothing was asked that would tell more."""
        told = self.now.told.things[act].links.keys() - {"actor"}
        return not told and not any(key[0] == "link" and key[1] == act for key in self.now.closed)

    def kinds_of_doer(self, opening: Opening) -> tuple[str, ...]:
        """The kinds that rules ask for of who does an act; where it is but one, with the main kinds beside it."""
        classes = self.vocabulary.classes
        told = tuple(n for n in opening.options if n not in WIDE)
        wide = next((n for n in WIDE if n in classes), "")
        if len(told) > 1 or not wide:
            return told or opening.options
        below = [n for n in self.below(wide) if not classes[n].descendants & {*told} - {n}]
        akin = {*told}.union(*(classes[n].ancestors | classes[n].descendants for n in told))
        return (*[n for n in below if n not in akin][:MOST_KINDS], *told)

    def below(self, wide: str) -> Iterator[str]:
        """The main kinds below a class: its own, and those below one of them that has several, the largest first."""
        classes = self.vocabulary.classes

        def kinds(name: str) -> list[str]:
            found = [n for n in classes[name].descendants - {name} if name in classes[n].parents]
            found = [n for n in found if not (state(classes[n]) or classes[n].derived or n in SIDES)]
            return sorted(found, key=lambda n: (-len(classes[n].descendants), n))

        for kind in kinds(wide):
            yield from narrower if len(narrower := kinds(kind)) > 1 else [kind]

    def possible(self, opening: Opening) -> bool:
        """Whether an opening can be filled at all."""
        ways = [self.after(self.filled(opening, (n,))) for n in opening.options[:1]]
        return not ways or any(way != p.IMPOSSIBLE for way in ways)

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
        if self.standing.verdict == p.UNDETERMINED:
            return True
        return any(way not in (p.IMPOSSIBLE, self.stands) for way in ways)

    def alike(self, opening: Opening, outcomes: tuple[str, ...]) -> bool:
        """Whether the answer is the same either way, and so is no longer open."""
        if not opening.atoms or not opening.atoms[0].whole or len(set(outcomes)) > 1 or p.UNDETERMINED in outcomes:
            return False
        return self.proof.verdict != p.UNDETERMINED

    def question(self, opening: Opening, text: str, outcomes: tuple[str, ...]) -> Asked:
        """An opening as a question."""
        options = Wording(self.vocabulary, self.now.told).options(opening)
        several = opening.kind in ("link", "is") and len(opening.options) != 1
        kind = "number" if opening.kind == "number" else "what" if several else "yes-no"
        return Asked(text, kind, self.why(opening, outcomes), opening, options, opening.rules)

    def why(self, opening: Opening, outcomes: tuple[str, ...]) -> str:
        """`B30.42 turns on it: forbidden if so, permitted if not`."""
        rules = opening.rules
        turns = f"{english.series(rules)} turn{'s' if len(rules) == 1 else ''} on it" if rules else ""
        if not outcomes:
            return turns or "the answer turns on it"
        if self.standing.verdict != p.UNDETERMINED:
            turns = f"{turns}; so far it is presumed not" if turns else "so far it is presumed not"
        turns = turns or "the answer turns on it"
        if len(outcomes) == 2:
            return f"{turns}: {outcomes[0]} if so, {outcomes[1]} if not"
        ways = [way for way in dict.fromkeys(outcomes) if way != p.IMPOSSIBLE]
        return f"{turns}: it may be {english.series(ways, 'or')}"

    # ── answers ──

    def answer(self, question: Asked, said: str) -> None:
        """Takes an answer. Raises CaseError when it is not understood or contradicts what is known."""
        text = " ".join(said.split())
        word = text.casefold()
        if word in replies.BACK:
            self.back()
            return
        opening = question.opening
        given: tuple[str, ...] = ()
        if word in replies.UNKNOWN:
            edits: tuple[Edit, ...] = ()
        elif question.kind == "number":
            edits = replies.amount(opening, text)
        elif word in replies.YES:
            edits = self.filled(opening, opening.options[:1])
        elif word in replies.NO or (question.kind == "what" and word in replies.NONE):
            edits = self.denied(opening)
            if edits and self.after(edits) == p.IMPOSSIBLE:
                edits = ()
        else:
            reply = replies.kinds(self.vocabulary, self.now.told, opening, text)
            replies.fits(self.vocabulary, self.now.told, opening, reply)
            edits, given = self.filled(opening, reply.classes, reply.name), (reply.name,) if reply.name else ()
        told = opening.kind == "is" and bool(edits) and edits != self.denied(opening)  # it may be told more narrowly yet
        closed = self.now.closed if told else self.now.closed | {opening.key}
        now, self.now = self.now, changed(self.now, closed=closed)
        try:
            then = self.edited(edits)
            standing = self.tried(then.told) if edits else self.standing
        finally:
            self.now = now
        then = changed(then, asked=(*now.asked, (question.text, text)), given=then.given | set(given))
        self.past, self.now, self.standing = (*self.past, self.now), then, standing
        self.whole, self.coming, self.looked = None, None, False

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
            new = name or f"{opening.thing}.{opening.name}?"
            there = Edit("link", opening.thing, opening.name, (new, {new: Facts(new, classes)}))
            return (*opening.before, there)
        if opening.kind == "is":
            return (*opening.before, *(Edit("is", opening.thing, n) for n in classes))
        return opening.atoms[0].true

    def denied(self, opening: Opening) -> tuple[Edit, ...]:
        """The edits that say of an opening that nothing of the sort fills it."""
        if opening.kind == "link":
            if opening.more or inquiry.listed(self.standing, opening.thing, opening.name):
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
            return (*opening.before, *(Edit("not", opening.thing, n) for n in opening.options))
        return opening.atoms[0].false

    def edited(self, edits: Iterable[Edit]) -> Moment:
        """The next moment after some edits, in the player's words where these reach, else in those that the case was read in."""
        rows = tuple(edits)
        try:
            return replies.applied(self.vocabulary, self.now, rows)
        except KeyError:
            return replies.applied(self.vocabulary, changed(self.now, told=self.standing.case), rows)

    # ── what was built ──

    def data(self, case: Case | None = None) -> dict[str, Any]:
        """The case as plain data, ready to be written as YAML and asked again."""
        case = case or self.now.told
        q = case.question
        return {"book": case.book, "things": {n: plain(f) for n, f in case.things.items()}, "ask": {q.kind: q.thing}}

    def text(self) -> str:
        """The case as YAML."""
        return written(self.data())
