"""What research finds in a book: a Finding, of one of the kinds in KINDS, each with a name that stays the same from report to report.

A finding is about rules and words; where a situation shows it, it has a smallest one (a Witness), which is a case that runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DEFECT, TENSION, NOTE = "defect", "tension", "note"
LEVELS = (DEFECT, TENSION, NOTE)  # in the order of the report

# How sure a finding is.
PROVEN = "proven"  # by a reasoner that leaves nothing out
SHOWN = "shown"  # by a situation, which the proof checker has certified
BOUNDED = "within the bounds"  # nothing else was found in the situations tried
LIKELY = "by the words"  # what words have in common is no proof


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding. asks: why an editor would want to know."""

    name: str
    title: str
    level: str
    asks: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("conflict", "Conflicts that nothing settles", DEFECT, "two rules say opposite things, and no principle of the book tells which stands"),
        Kind("barred-means", "Duties whose means is barred", DEFECT, "what one rule asks for, another forbids, or makes impossible"),
        Kind("removed-need", "What a module takes away and a rule needs", DEFECT, "a rule of the book speaks of what the module says is not there"),
        Kind("dead-exception", "Exceptions that can never fire", DEFECT, "no situation has been found in which the exception makes a difference"),
        Kind("idle-norm", "Norms that never decide anything", DEFECT, "without it every situation that was tried has the same answer"),
        Kind("swallowed-rule", "Exceptions that swallow their rule", DEFECT, "wherever the rule would apply, an exception to it is met"),
        Kind("no-value", "Numbers that have no base", DEFECT, "a number is changed, compared or asked for, and nothing says what it is"),
        Kind("two-values", "Numbers that have two", DEFECT, "two rules give one number two values in one situation"),
        Kind("circle", "Circles", DEFECT, "what is said leads back to itself"),
        Kind("reference-missing", "References to rules that are not there", DEFECT, "the number that is named stands nowhere in its chapter"),
        Kind("reference-off-point", "References that lead to nothing on the point", DEFECT, "the rule named says nothing of what it is named for"),
        Kind("undefined-term", "Words that are used and not explained", DEFECT, "a rule turns on a word of its own that no rule explains"),
        Kind("numbering", "Numbers that are left out", DEFECT, "between two rules a number is missing"),
        Kind("gap", "Situations of which no rule speaks", TENSION, "the act is regulated here, and of this case nothing is said"),
        Kind("unmarked-exception", "Sentences that carve from each other without a word", TENSION, "they say opposite things, and the book does not say that one is the exception"),
        Kind("override", "Rules set over others by the encoding", TENSION, "that the one goes over the other is said by us, not by an exception in the text"),
        Kind("tie-break", "Conflicts settled by a mere tie-break", TENSION, "only which of the rules has the higher number decides"),
        Kind("own-principle", "Conflicts settled by a principle of our own", TENSION, "the book does not state the principle by which the one wins"),
        Kind("settled-twice", "One thing settled twice, in different words", TENSION, "each applies where the other does not: is that meant?"),
        Kind("repeated", "What stands twice", TENSION, "one of the two could go, or will be forgotten when the other is changed"),
        Kind("two-senses", "Words in two senses", TENSION, "a reader who knows the one sense will read it into the other rule"),
        Kind("modality", "Words that leave open whether it is a rule", TENSION, "“generally”, “usually”: is there an exception, and where does it stand?"),
        Kind("scope-clash", "Chapters at odds about who decides", TENSION, "a chapter says that it decides something wholly, and other rules decide it too"),
        Kind("untold-number", "Numbers that no sentence has", TENSION, "a norm says a number that neither its sentence nor a rule that it cites tells"),
        Kind("reading", "Disputed readings", TENSION, "the text bears two readings, and answers differ"),
        Kind("our-reading", "What we had to settle to encode it", NOTE, "the text leaves it open; our notes say how it is read, and why"),
        Kind("not-decided", "Sentences that decide nothing", NOTE, "the sentence is left to a person, or says nothing that a norm could say"),
        Kind("reference-not-loaded", "Rules that are leaned on and not loaded", NOTE, "an answer that turns on them is incomplete"),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Witness:
    """A smallest situation that shows a finding. case: as a case file has it, with `expect`; answer: the headline; told: the
    proof in words; certified: whether the proof checker found no fault in it."""

    case: Mapping[str, Any]
    verdict: str
    answer: str
    told: str
    certified: bool


@dataclass(frozen=True)
class Finding:
    """One finding. says: what is found, in a sentence or two; question: to be answered with yes or no; chains: what each of the
    norms says, a line each; method: how it was found; sure: how sure that makes it.

    key: what tells it from another of the same kind about the same rules: norms, a word.
    """

    book: str
    kind: str
    rules: tuple[str, ...]
    says: str
    question: str
    method: str
    sure: str
    norms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    witness: Witness | None = None
    key: str = ""

    @property
    def id(self) -> str:
        """The name of the finding: the same in each report, as long as its kind, its rules (of one with a key: the first) and its key are."""
        said = "|".join((self.book, self.kind, *(self.rules[:1] if self.key else sorted(self.rules)), self.key))
        return f"{self.kind}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"

    @property
    def level(self) -> str:
        """defect, tension or note."""
        return KINDS[self.kind].level


def order(found: Finding) -> tuple[object, ...]:
    """Where a finding stands in a report: worst first, then by kind, then in the order of rules."""
    return (LEVELS.index(found.level), list(KINDS).index(found.kind), found.rules, found.id)
