"""The one proof object. Every rendering (text, tree, JSON, RDF, picture) reads it and adds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kb.language import norms as m
from kb.language.case import Amount, Case, Edit, Fact, IsA, Question
from kb.language.english import say_class, say_link, series, shown as shown
from kb.language.phrases import say_fact
from kb.language.vocabulary import Vocabulary
from kb.reasoner.trace import Caused, Contribution, Defeat, Flip, Missing, Outcome, Shift, Step, Thing, Tied
from kb.rulebook.records import InForce
from kb.rulebook.theory import Theory

# Verdicts. Deontic questions use the first six; `is` uses HOLDS and FAILS; a value is its own verdict.
PERMITTED, FORBIDDEN, REQUIRED = "permitted", "forbidden", "required"
CONFLICT, SILENT, UNDETERMINED = "conflict", "silent", "undetermined"
HOLDS, FAILS = "yes", "no"
IMPOSSIBLE = "impossible"  # of a trial: what would have to be so cannot be
VALUE, EFFECTS, NO_EFFECT, WHICH = "value", "effects", "no effect", "which"
OUTSIDE = (
    "outside"  # not ruled here: rules that are not loaded decide. Of a scope: the loaded chapters do not decide it.
)
WHOLLY, PARTLY = m.WHOLLY, m.PARTLY

# Grades: how far an answer can be leant on.
SETTLED, IF_NOTHING_ELSE, PARTLY_HERE = "settled", "settled if nothing else is so", "partly here"
NOT_HERE, FACT_MISSING, AT_ODDS = "outside", "a fact is missing", "conflict"

# Verdicts that leave the question open, and their grades.
OPEN = {UNDETERMINED: FACT_MISSING, CONFLICT: AT_ODDS, OUTSIDE: NOT_HERE}


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something the case does not say that the answer rests on. kind: presumption, staged, completeness."""

    fact: Fact
    kind: str
    thing: str = ""
    term: str = ""

    def said(self, vocabulary: Vocabulary) -> str:
        """What is assumed, in English."""
        text = say_fact(vocabulary, self.fact)
        match self.kind, self.fact:
            case "staged", _:
                return f"{text}, not named in the case"
            case "completeness", IsA():
                return f"{text}, if all there is to it is named"
            case "presumption", Amount():
                return f"{text}, nothing said otherwise"
        return text


@dataclass(frozen=True, slots=True)
class Unused:
    """A fact of the case that no rule of the question could read: the key and value as the case has them ("" for all that is said
    of a thing), the fact in words, the nearest word that is read instead, and whether it is told of the act asked about, or of
    who or what that names."""

    thing: str
    key: str
    value: str
    fact: str
    hint: str
    about: bool

    @property
    def text(self) -> str:
        """The row as a sentence."""
        if not self.key:
            return self.fact
        instead = f"; `{self.hint}` is" if self.hint else ""
        return f"`{self.key}: {self.value}` of {self.thing} is not read by this question{instead}"


@dataclass(frozen=True, slots=True)
class Overruled:
    """What a case states a thing to be (or not to be: `is_` false), or to be related to, where norms would have it otherwise.

    The case has its word. cls: "" for a relation, then `role` and `to` say which (told to be to nothing: `is_` false, to what norms
    would have it).
    """

    thing: Thing
    cls: str
    is_: bool
    norms: tuple[m.Norm, ...]
    role: m.Role | None = None
    to: Thing | None = None

    def said(self, vocabulary: Vocabulary) -> str:
        """The statement, and the norms that it stands against."""
        rules = series(dict.fromkeys(n.id for n in self.norms))
        verb = "says" if len(self.norms) == 1 else "say"
        if self.role is not None and self.to is not None:
            states = say_link(vocabulary, self.role, self.thing.label, self.to.label, self.is_)
        else:
            states = say_class(vocabulary, self.thing.label, self.cls, self.is_)
        return f"{states} as stated, though {rules} {verb} otherwise"


@dataclass(frozen=True, slots=True)
class Scope:
    """How far the loaded rules decide what is asked. kind: wholly, partly (other rules have a say in it), outside.

    needs: the rules that decide besides, or instead, and are not loaded; those: what they do. term: what the chapter's scope
    speaks of. by, says: the closing rule by which silence decides what is wholly decided here. freed: rules whose bar does
    not reach what is asked; states: what a permission does not speak of: the thing, its state and the rules on that.
    """

    kind: str = WHOLLY
    needs: tuple[str, ...] = ()
    those: str = ""
    term: str = ""
    by: str = ""
    says: str = ""
    freed: tuple[str, ...] = ()
    states: tuple[tuple[Thing, str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Rest:
    """What a decision rests on. cites: rules it leans on, decisive ones first; also: other rules that were tried.

    kin: those of the cites that are there only for saying what kind a thing is. grade: what follows from these alone.
    """

    grade: str
    cites: tuple[str, ...]
    also: tuple[str, ...]
    needs: tuple[str, ...]
    assumptions: tuple[Assumption, ...]
    kin: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Proof:
    """An answer with its reasons: a value. What follows from it (what it rests on, what would turn it, what of the case nothing
    read) is worked out by kb.reasoner.reason, whose Answer is a proof that has all that.

    verdict: see above. value: for a value question; where it is not ruled here, what the loaded rules make of it. winners: the outcomes that decide, the strongest
    first. considered: every norm tried on the question's focus, winners included, with its trace. defeats: who lost to
    whom, on which principle. silence: what it leans on that this part of the book decides where no norm does. support: constitutive and quantity outcomes and steps that the decision leans on.
    grade, cites, needs (rules that are not loaded and that the answer turns on) and assumptions come from `rest`.
    edition: the edition and the errata under which it was asked; None when it was asked of a bare theory.
    """

    case: Case
    theory: Theory
    question: Question
    verdict: str
    value: Fraction | None = None
    winners: tuple[Outcome, ...] = ()
    considered: tuple[Outcome, ...] = ()
    defeats: tuple[Defeat, ...] = ()
    steps: tuple[Step, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    effects: tuple[Caused, ...] = ()
    shifts: tuple[Shift, ...] = ()
    ties: tuple[Tied, ...] = ()
    open: tuple[Outcome | Step, ...] = ()
    which: tuple[tuple[str, Proof], ...] = ()
    chosen: tuple[str, ...] = ()
    scope: Scope = Scope()
    silence: tuple[Step, ...] = ()
    missing: tuple[Missing, ...] = ()
    # Reasoning by cases: what an open fact may be, the edits that make it so, and the proof then; all say the same.
    cases: tuple[tuple[Fact, tuple[Edit, ...], Proof], ...] = ()
    edition: InForce | None = None
    left_out: int = 0  # facts that may be missing, and that it would have taken too long to try

    @property
    def rest(self) -> Rest:
        """What the decision rests on."""
        raise NotImplementedError

    @property
    def flips(self) -> tuple[Flip, ...]:
        """Each smallest change of facts, rules or readings that turns the verdict."""
        raise NotImplementedError

    @property
    def read_otherwise(self) -> tuple[Flip, ...]:
        """Those of its flips that are other readings of an ambiguous rule."""
        return tuple(flip for flip in self.flips if flip.kind == "reading")

    def told_at(self, thing: str, term: str) -> tuple[str, str]:
        """Of what thing, and by what word, a case tells what is said of a thing by a term."""
        raise NotImplementedError

    @property
    def untried(self) -> int:
        """How many changes, and facts that may be missing, were not tried, for it would have taken too long."""
        return self.left_out

    @property
    def unused(self) -> tuple[Unused, ...]:
        """The facts of the case that nothing could read."""
        raise NotImplementedError

    @property
    def overruled(self) -> tuple[Overruled, ...]:
        """The statements of the case that the answer leans on and a norm is against."""
        raise NotImplementedError

    @property
    def grade(self) -> str:
        """How sure the answer is: see the grades above."""
        return self.rest.grade

    @property
    def cites(self) -> tuple[str, ...]:
        """The rules that decide, by number."""
        return self.rest.cites

    @property
    def also(self) -> tuple[str, ...]:
        """Rules that the decision leans on besides."""
        return self.rest.also

    @property
    def needs(self) -> tuple[str, ...]:
        """Rules that are not loaded and that the answer turns on."""
        return self.rest.needs

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What is presumed and the answer rests on."""
        return self.rest.assumptions

    @property
    def answer(self) -> str:
        """The answer in one word: yes, no, a number, or the verdict itself."""
        kind = self.question.kind
        if self.verdict == PERMITTED:
            return "yes" if kind == "may" and not self.question.turned else "no"
        if self.verdict == REQUIRED:
            return "yes"
        if self.verdict == FORBIDDEN:
            return "yes" if self.question.turned else "no"
        if self.verdict == SILENT and kind == "must":
            return "no"
        if self.verdict == VALUE:
            return shown(self.value)
        return self.verdict

    @property
    def defeated(self) -> tuple[str, ...]:
        """Rule numbers that would say otherwise but lost: beaten, or freed from by their own exception."""
        found = [d.loser.norm.rule for d in self.defeats]
        found += [c.outcome.norm.rule for c in self.contributions if c.state == "beaten"]
        winning = {w.norm.id for w in self.winners}
        found += [o.norm.rule for o in self.considered if o.exception and o.norm.id not in winning]
        return tuple(dict.fromkeys(found))
