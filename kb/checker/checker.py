"""Checks a proof step by step without the reasoner: what is claimed must follow from the case, the norms and the ontology.

    certify(proof, theory, case) -> problems      empty: the proof is accepted

Each step is held against the piece of a norm that it stands for (its syntax tree, not the reasoner's word), against its
own parts (does the value follow from them, is a needed part missing), and against kb.checker.reference, which works the same thing
out in the plainest way. What a proof claims without showing ("nothing makes it so", "these are all") is worked out too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from kb.checker import shape
from kb.checker.grounding import Grounding
from kb.checker.reference_answers import answer, candidate, effects_open, possible, reading
from kb.checker.support import tried_below, walk
from kb.checker.verdicts import Verdicts
from kb.errors import Problem
from kb.language.case import Case, Edit, brought_about
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Contribution, Outcome, Step
from kb.rulebook.records import InForce
from kb.rulebook.theory import Theory

OF_A_BOOK = (
    "book",
    "policy",
    "norms",
    "tables",
    "definitions",
    "specific",
    "vocabulary",
    "chapters",
)  # what an answer can turn on
Quoted = Sequence[tuple[str, str]]  # (rule number, a sentence quoted as that rule's)


def certify(
    proof: Proof, theory: Theory | None = None, case: Case | None = None, *, edition: InForce | None = None,
    deep: bool = False, quoted: Quoted = (), digests: Callable[[str], frozenset[str]] | None = None,
) -> list[Problem]:  # fmt: skip
    """Every fault of a proof; none: accepted.

    theory and case: what the proof is to be held against; its own when left out. edition: what that theory is of, when it
    is known. deep: what it says of missing facts and
    flips is worked out too. quoted: sentences shown with the proof, each of which must have a hash that `digests` gives
    for its rule (SHA-256, hexadecimal, of the sentence with its white space made single).
    """
    checker = Checker(theory or proof.theory, case or proof.case)
    checker.proof(proof, deep)
    if edition is not None:
        checker.need(proof.edition == edition, 805, "the proof is of another edition, or of other errata")
    if digests is not None:
        for rule, sentence in quoted:
            if hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest() not in digests(rule):
                checker.problem(880, f"a sentence quoted as {rule}'s is not in the book as it was imported")
    return checker.problems


class Checker(Verdicts, Grounding):
    """Checks one proof: the answer, what it rests on, and what would turn it."""

    # ── the answer ──

    def proof(self, proof: Proof, deep: bool) -> None:
        """Checks a whole proof: what it answers, how, on what. deep: missing facts and flips too."""
        self.need(proof.question == self.case.question, 801, "the proof answers another question")
        self.need(
            proof.case.things == self.case.things and proof.case.history == self.case.history,
            801,
            "the proof is of another case",
        )
        same = all(getattr(proof.theory, name) == getattr(self.theory, name) for name in OF_A_BOOK)
        self.need(proof.theory is self.theory or same, 805, "the proof is of another rulebook")
        for fault in shape.faults(proof):
            self.problem(804, fault)
        if getattr(proof, "cases", ()):
            self.by_cases(proof)
            return self.what_if(proof) if deep else None
        # Worked out before any step is looked at, so that nothing in the proof can colour it.
        found = answer(self.theory, self.case, self.judge) if proof.question.kind != "which" else ""
        later = {id(c.by) for c in proof.effects if not c.direct}
        # The innermost first: what an event brings about may lean on what the same event has made of things.
        for root in (*proof.winners, *proof.considered, *proof.steps):
            for now in reversed(list(walk([root], decisive=True))):
                o = effect_of(now)
                if o is not None and (isinstance(now, Step) or id(o) not in self.early) and self.trials(o):
                    self.early |= {id(q): self.at(o) for q in tried_below([now]) if id(q) not in self.early}
        for step in walk([*proof.winners, *proof.considered, *proof.steps, *proof.open], decisive=True):
            doubtful = isinstance(step, Step) and step.value is None and self.doubts(step.node)
            if doubtful and (judge := self.moment(step)) is not None:  # type: ignore[arg-type]
                self.early = {id(q): judge for q in tried_below([step])} | self.early
        for o in dict.fromkeys((*proof.winners, *proof.considered, *(x for x in proof.open if isinstance(x, Outcome)))):
            if id(o) not in later:
                self.outcome(o, self.at(o))
        for d in proof.defeats:
            self.defeat(d.loser, d.winner, d.principle)
        self.left_open(proof)
        kind = proof.question.kind
        {
            "may": self.deontic,
            "must": self.deontic,
            "is": self.holds,
            "value": self.number,
            "effects": self.effects,
            "which": self.which,
        }[kind](proof)
        if kind != "which":
            self.rests(proof)
            if not self.problems:
                self.need(said(proof) == found, 802, f"the answer should be {found}, not {said(proof)}")
            if proof.effects or proof.shifts or proof.ties:
                open_ = effects_open(self.judge, self.judge.things[proof.question.thing])
                self.need(
                    (proof.verdict == p.UNDETERMINED) is open_,
                    802,
                    "it is not as open as it says what else comes about",
                )
        if deep:
            self.what_if(proof)

    def by_cases(self, proof: Proof) -> None:
        """Settled whichever way an open fact falls: each branch is a proof of its own, and both say the same."""
        self.need(len(proof.cases) == 2, 803, "reasoning by cases needs both cases")
        for text, edits, branch in proof.cases:
            case = self.case
            for edit in edits:
                case = edit.apply(case)
            self.need(said(branch) == said(proof), 803, f"where {text}, the answer is another")
            self.need(branch.verdict == proof.verdict != p.UNDETERMINED, 803, f"where {text}, it is not settled")
            self.problems += certify(branch, self.theory, case)
        shown = ("verdict", "value", "winners", "considered", "defeats", "effects", "scope")
        one = proof.cases[0][2]
        self.need(all(getattr(proof, f) == getattr(one, f) for f in shown), 803, "what is shown is of neither case")
        self.gathered(proof, [branch for _, _, branch in proof.cases])
        sides = [edits[-1] for _, edits, _ in proof.cases]
        self.need(not self.came(sides), 803, "that it came to be so is neither of the two cases")
        if proof.steps:
            self.asked(proof)
            self.need(proof.steps[0].value is None, 803, "what is asked is settled without two cases")
        rows = [c for s in proof.steps for c in s.parts if isinstance(c, Contribution)]
        self.need([*proof.contributions] == rows, 840, "the contributions told are not those of the step")
        self.need(len(sides) == 2 and exclusive(*sides), 803, "the two cases do not leave only these two possibilities")

    def came(self, sides: Iterable[Edit]) -> bool:
        """Whether one of two cases is that something is so from the start, where it may also have come to be so."""
        return bool(self.case.history) and any(e.kind in ("is", "not") and e.name in self.becoming() for e in sides)

    def one_or_the_other(self, edits: tuple[tuple[Edit, ...], tuple[Edit, ...]]) -> bool:
        """Whether two changes, of one fact of a thing that is told, leave nothing else that might be so."""
        if [len(side) for side in edits] != [1, 1] or edits[0][0].thing not in self.case.things:
            return False
        sides = (edits[0][0], edits[1][0])
        return exclusive(*sides) and not self.came(sides)

    # ── which ──

    def which(self, proof: Proof) -> None:
        """Checks a list: every candidate asked and certified, those chosen that answer yes (E860 to E862)."""
        q, classes = proof.question, self.theory.vocabulary.classes
        kinds = () if q.things else classes[q.cls].descendants - {q.cls}
        wanted = set(q.things) or {n for n in kinds if self.theory.vocabulary.own_word(n) is None}
        self.need(
            {n for n, _ in proof.which} == wanted and len(proof.which) == len(wanted),
            860,
            "the candidates are not all there",
        )
        yes: list[str] = []
        no: set[str] = set()
        for name, found in proof.which:
            wanted_case = candidate(self.case, name)
            self.need(found.question == wanted_case.question, 861, f"for {name} another question is answered")
            self.problems += certify(found, self.theory, wanted_case)
            if (so := affirmed(found)) is not None:
                (yes.append if so else no.add)(name)
        if q.cls:
            yes = [n for n in yes if not no & classes[n].descendants]
            yes = [n for n in yes if not any(o != n and o in classes[n].ancestors for o in yes)]
        self.need(set(proof.chosen) == set(yes), 862, f"the answer is {', '.join(yes) or 'none'}")
        self.gathered(proof, [found for _, found in proof.which])

    def what_if(self, proof: Proof) -> None:
        """Each flip turns the answer as it says; each missing fact would lead where it says."""
        for flip in proof.flips:
            theory, case, change = self.theory, self.case, flip.said(self.theory.vocabulary)
            if flip.kind == "facts":
                for edit in flip.edits:
                    case = edit.apply(case)
            elif flip.kind == "rule":
                norm_id = flip.norm
                theory = replace(theory, norms={k: n for k, n in theory.norms.items() if k != norm_id})
                self.need(norm_id in self.theory.norms, 890, f"there is no norm {norm_id} to be without")
            else:
                norms = reading(theory, *flip.reading)
                self.need(norms is not None, 890, f"“{change}” is no other reading")
                theory = replace(theory, norms=norms or theory.norms)
            found = answer(theory, case)
            self.need(found == flip.verdict != said(proof), 890, f"“{change}” leads to {found}, not {flip.verdict}")
            self.need(
                flip.value is None or p.shown(flip.value) == found,
                890,
                f"“{change}” leads to {found}, not {flip.value}",
            )
        for row in proof.missing:
            asks = row.said(self.theory.vocabulary)
            for edits, then in zip(row.edits, (row.if_true, row.if_false), strict=True):
                case = self.case
                for edit in edits:
                    case = edit.apply(case)
                found = answer(self.theory, case) if edits and possible(self.theory, case) else p.IMPOSSIBLE
                self.need(found == then, 891, f"“{asks}” leads to {found}, not {then}")
            same = row.if_true == row.if_false not in (p.UNDETERMINED, p.IMPOSSIBLE)
            open_ = not (same and proof.question.kind != "effects" and self.one_or_the_other(row.edits))
            self.need(open_, 891, f"“{asks}” changes nothing either way: the answer is {row.if_true}")
            settles = p.UNDETERMINED not in (row.if_true, row.if_false)
            self.need(settles or not row.settles, 891, f"“{asks}” does not settle it")
            self.need(row.settles or not settles or row.if_true == row.if_false, 891, f"“{asks}” settles it")


def effect_of(now: object) -> Outcome | None:
    """The norm on an effect for which a step of a proof holds (with how that led to its thing), or which it is."""
    if isinstance(now, Step) and now.why in ("effect", "disjoint"):
        return next((q for q in now.parts if isinstance(q, Outcome)), None)
    return now if isinstance(now, Outcome) else None


def exclusive(one: Edit, other: Edit) -> bool:
    """Whether two changes are of one fact, so and not so."""
    kinds = [one.kind, other.kind]
    opposite = kinds == ["is", "not"] or (kinds == ["flag", "flag"] and one.value is not other.value)
    return opposite and (one.thing, one.name) == (other.thing, other.name)


def said(proof: Proof) -> str:
    """An answer as one comparable string, as the flips of a proof say it."""
    made = [(c.thing, c.cls, "") for c in proof.effects]
    known = [(c, c.value.value) for c in proof.shifts if c.value is not None and c.value.value is not None]
    made += [(c.thing, f"{c.quantity} {c.op} {value}", "") for c, value in known]
    made += [(t.thing, f"{t.role} {'ends' if t.ends else 'causes'}", t.to) for t in proof.ties]
    if made:
        return brought_about(proof.case, made)
    return p.shown(proof.value) if proof.verdict == p.VALUE else proof.verdict


def affirmed(proof: Proof) -> bool | None:
    """Whether an answer is a yes or a no; None for one that is neither."""
    must = proof.question.kind == "must"
    yes = {p.REQUIRED, p.HOLDS, p.EFFECTS, *(() if must else (p.PERMITTED,))}
    no = {p.FORBIDDEN, p.FAILS, *((p.PERMITTED, p.SILENT) if must else ())}
    if proof.question.turned:
        yes, no = no, yes
    return True if proof.verdict in yes else False if proof.verdict in no else None
