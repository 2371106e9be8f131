"""The format of a recorded proof, as types: what a reader of one may count on. kb.checker.proof_file has the whole file.

Numbers are text ("5", "-1/2"); `of` and `names` are places in the list of things of the same proof, from 0. A condition or an
expression (`node`) is the text of a piece of the rule language. What follows from the rest (`text`, `sentence`, `axioms` …) is
there for readers, and must be what follows.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

FORMAT = "loophole-proof/1"
Json = dict[str, Any]


class ThingRecord(Struct, forbid_unknown_fields=True):
    """A thing at one moment. facts: as a case states them; is, not: what they come to; made: whose, by what, as what it is implied."""

    name: str
    label: str
    called: str
    facts: Json
    made: tuple[int, str, str] | None
    is_: tuple[str, ...] = field(name="is")
    not_: tuple[str, ...] = field(name="not")


class ExceptionRecord(Struct, forbid_unknown_fields=True):
    """An exception of a norm that was tried."""

    label: str
    cites: tuple[str, ...]
    met: bool | None
    step: StepRecord


class Tried(Struct, forbid_unknown_fields=True):
    """A norm tried on a thing: whether it applies, its head, its condition and its exceptions. names: whom it has named."""

    norm: str
    rule: str
    says: str
    applies: bool | None
    presumes: bool
    thing: str
    of: int
    names: dict[str, int]
    sentences: tuple[int, ...]
    head: StepRecord | None
    when: StepRecord | None
    unless: tuple[ExceptionRecord, ...]
    reading: str | None


class Considered(Tried):
    """A norm tried on what was asked about: whether it decides, and why it does not."""

    decides: bool
    why_not: str | None
    nearness: float | None


class NormStep(Tried, tag_field="kind", tag="norm"):
    """A norm tried, as what a step leans on."""


class StepRecord(Struct, forbid_unknown_fields=True, tag_field="kind", tag="step"):
    """A condition or an expression, what it comes to for a thing, and why."""

    node: str
    thing: str
    of: int
    value: bool | str | None
    why: str
    presumes: bool
    parts: tuple[StepRecord | NormStep | LinkStep | ContributionStep, ...]
    text: str | UnsetType = UNSET
    axioms: tuple[tuple[str, str, str], ...] | UnsetType = UNSET


class LinkStep(Struct, forbid_unknown_fields=True, tag_field="kind", tag="link"):
    """What a relation leads to, and how that is known: via names the property, the chain or the built-in relation."""

    to: str
    of: int
    why: str
    via: tuple[str, ...]
    parts: tuple[StepRecord | NormStep, ...]


class ContributionRecord(Struct, forbid_unknown_fields=True):
    """A norm's part in a number: counts, beaten, conflict, open or idle."""

    norm: str
    rule: str
    op: str
    bound: str | None
    state: str
    value: StepRecord | None
    by: str | None
    principle: str | None
    outcome: Tried


class ContributionStep(ContributionRecord, tag_field="kind", tag="contribution"):
    """A norm's part in a number, as what a step leans on."""


class DefeatRecord(Struct, forbid_unknown_fields=True):
    """Which norm lost to which, tried on which things, and on which principle."""

    loser: str
    winner: str
    principle: str
    cite: str
    says: str
    on: tuple[str, str]


class EffectRecord(Struct, forbid_unknown_fields=True):
    """What a thing becomes."""

    thing: str
    by: str
    rule: str
    direct: bool
    outcome: Tried
    cls: str = field(name="class")
    way: tuple[StepRecord, ...] = ()


class ChangeRecord(Struct, forbid_unknown_fields=True):
    """A number that is raised or lowered, and by how much."""

    thing: str
    quantity: str
    op: str
    amount: StepRecord | None
    by: str
    rule: str
    outcome: Tried


class TieRecord(Struct, forbid_unknown_fields=True):
    """A relation that is brought about or ended."""

    thing: str
    relation: str
    to: str
    ends: bool
    by: str
    rule: str
    outcome: Tried


class ScopeRecord(Struct, forbid_unknown_fields=True):
    """How far the loaded rules decide what is asked."""

    kind: str
    needs: tuple[str, ...]
    those: str
    term: str
    by: str
    says: str
    freed: tuple[str, ...]
    states: tuple[tuple[int, str, tuple[str, ...]], ...]


class FactRecord(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that may be so; which parts there are goes by its kind."""

    kind: str
    thing: str
    label: str | UnsetType = UNSET
    cls: str | UnsetType = UNSET
    role: str | UnsetType = UNSET
    filler: str | UnsetType = UNSET
    to: str | tuple[str, ...] | UnsetType = UNSET
    perhaps: tuple[str, ...] | UnsetType = UNSET
    flag: str | UnsetType = UNSET
    quantity: str | UnsetType = UNSET
    op: str | UnsetType = UNSET
    value: str | UnsetType = UNSET
    so: bool | UnsetType = UNSET


class EditRecord(Struct, forbid_unknown_fields=True):
    """A change of the case: is, become (`instead` of which classes), not, link, unlink, number, flag."""

    kind: str
    thing: str
    name: str
    to: str | UnsetType = UNSET
    things: dict[str, Json] | UnsetType = UNSET
    value: bool | str | UnsetType = UNSET
    instead: tuple[str, ...] | UnsetType = UNSET


class AssumptionRecord(Struct, forbid_unknown_fields=True):
    """Something the case does not say that the answer rests on."""

    text: str
    kind: str
    thing: str
    term: str
    fact: FactRecord


class UnusedRecord(Struct, forbid_unknown_fields=True):
    """A fact of the case that no rule of the question could read."""

    thing: str
    fact: str
    value: str
    says: str
    text: str
    hint: str
    about: bool


class OverruledRecord(Struct, forbid_unknown_fields=True):
    """A statement of the case that norms are against."""

    thing: str
    of: tuple[int, ...]
    relation: str | None
    inverse: bool
    to: str | None
    norms: tuple[str, ...]
    text: str
    cls: str | None = field(name="class")
    is_: bool = field(name="is")


class MissingRecord(Struct, forbid_unknown_fields=True):
    """A fact that would settle an open answer, and the outcome each way."""

    asks: str
    if_true: str
    if_false: str
    settles: bool
    rules: tuple[str, ...]
    edits: tuple[tuple[EditRecord, ...], tuple[EditRecord, ...]]
    fact: FactRecord
    given: FactRecord | None


class FlipRecord(Struct, forbid_unknown_fields=True):
    """A smallest change that turns the answer: of facts, of one rule, or of a reading."""

    kind: str
    change: str
    verdict: str
    value: str | None
    edits: tuple[EditRecord, ...]
    facts: tuple[FactRecord, ...]
    norm: str | None
    reading: tuple[str, str] | None


class CandidateRecord(Struct, forbid_unknown_fields=True):
    """A candidate of a list, whether it is in, and the proof for it."""

    candidate: str
    chosen: bool
    proof: ProofRecord


class BranchRecord(Struct, forbid_unknown_fields=True):
    """One of the two cases of reasoning by cases."""

    fact: FactRecord
    edits: tuple[EditRecord, ...]
    proof: ProofRecord


class ProofRecord(Struct, forbid_unknown_fields=True):
    """An answer with its proof."""

    format: str
    book: str
    chapters: tuple[str, ...]
    edition: Json | None
    title: str
    question: Json
    situation: Json
    verdict: str
    answer: str | None
    value: str | None
    so_far: str | None
    scope: str | None
    decided: ScopeRecord
    grade: str
    sentence: str
    cites: tuple[str, ...]
    also: tuple[str, ...]
    kin: tuple[str, ...]
    defeated: tuple[str, ...]
    needs: tuple[str, ...]
    closure: Json | None
    because: tuple[Tried, ...]
    considered: tuple[Considered, ...]
    defeats: tuple[DefeatRecord, ...]
    steps: tuple[StepRecord, ...]
    contributions: tuple[ContributionRecord, ...]
    effects: tuple[EffectRecord, ...]
    changes: tuple[ChangeRecord, ...]
    open: tuple[StepRecord | NormStep, ...]
    silence: tuple[StepRecord, ...]
    cases: tuple[BranchRecord, ...]
    which: tuple[CandidateRecord, ...]
    assumptions: tuple[AssumptionRecord, ...]
    unused: tuple[UnusedRecord, ...]
    overruled: tuple[OverruledRecord, ...]
    missing: tuple[MissingRecord, ...]
    flips: tuple[FlipRecord, ...] | None
    untried: int | None
    things: tuple[ThingRecord, ...]
    terms: dict[str, str]
    ties: tuple[TieRecord, ...] = ()
