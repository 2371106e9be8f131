"""What a proof may look like at all: the fields that fit its question, each row once, and only words that steps can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from kb.language import norms as m
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Outcome

VERDICTS = {
    "may": {p.PERMITTED, p.FORBIDDEN, p.CONFLICT, p.SILENT, p.UNDETERMINED, p.OUTSIDE},
    "must": {p.REQUIRED, p.PERMITTED, p.FORBIDDEN, p.CONFLICT, p.SILENT, p.UNDETERMINED, p.OUTSIDE},
    "is": {p.HOLDS, p.FAILS, p.UNDETERMINED, p.OUTSIDE},
    "value": {p.VALUE, p.CONFLICT, p.SILENT, p.UNDETERMINED, p.OUTSIDE},
    "effects": {p.EFFECTS, p.NO_EFFECT, p.UNDETERMINED, p.OUTSIDE},
    "which": {p.WHICH},
}
# The kinds of question whose proofs have something in a field.
FILLED = {
    "steps": {"is", "value"}, "contributions": {"value"}, "effects": {"effects"}, "shifts": {"effects"}, "which": {"which"}, "chosen": {"which"}, "winners": VERDICTS.keys() - {"which"},
    "considered": VERDICTS.keys() - {"which"}, "defeats": {"may", "must", "is", "value"},
}  # fmt: skip
# The reasons that a step on a piece of the rule language can give; those for membership are kb.checker.steps' own.
REASONS: dict[type, set[str]] = {
    m.Anything: {"anything"}, m.Not: {"not"}, m.And: {"and", "join"}, m.Except: {"and", "join"}, m.Or: {"or"},
    m.Some: {"some", "none", "blank", "missing"}, m.Only: {"only", "missing"}, m.Count: {"count", "missing"},
    m.HasValue: {"value", "barred", "missing"}, m.Same: {"same"}, m.Flag: {"stated", "presumed", "unknown"},
    m.Compare: {"compare"}, m.Num: {"number"}, m.Otherwise: {"otherwise"}, m.Arith: {"arith"}, m.Call: {"call"},
    m.Lookup: {"lookup", "no-cell"}, m.Aggregate: {"count", "sum", "highest", "lowest", "missing", "open"},
    m.Path: {"path", "missing", "several", "circular", "computed", "stated", "module", "default", "open", "unknown", "conflict"},
}  # fmt: skip


def once(o: Outcome) -> object:
    """By what a norm tried is told from others: what it says of each of several events is told apart."""
    return id(o) if isinstance(o.norm.head, m.Change) else o.norm.id


def faults(proof: Proof) -> Iterator[str]:
    """What is wrong with the shape of a proof, one sentence a fault."""
    kind = proof.question.kind
    if proof.verdict not in VERDICTS[kind]:
        yield f"“{proof.verdict}” is no verdict on a {kind} question"
    so_far = kind == "value" and proof.verdict in (
        p.OUTSIDE,
        p.UNDETERMINED,
    )  # then what the loaded rules make of it may be told
    if (proof.value is not None) != (proof.verdict == p.VALUE) and not so_far:
        yield "a number is told where there is none, or none where there is one"
    for name, kinds in FILLED.items():
        if kind not in kinds and getattr(proof, name):
            yield f"a proof of a {kind} question has {name}"
    if proof.missing and (proof.verdict != p.UNDETERMINED or proof.cases):
        yield "something is said to be missing, and the answer is settled"
    rows: dict[str, Iterable[Any]] = {
        "winners": map(id, proof.winners),
        "considered": map(id, proof.considered) if kind in ("is", "effects") else map(once, proof.considered),
        "defeats": ((id(d.loser), id(d.winner)) for d in proof.defeats),
        "effects": ((c.thing, c.cls) for c in proof.effects),
        "contributions": (id(c.outcome) for c in proof.contributions),
        "open": map(id, proof.open),
        "chosen": proof.chosen,
        "missing": ((row.fact, row.given) for row in proof.missing),
        "cites": proof.cites,
        "also": proof.also,
        "needs": proof.needs,
        "assumptions": proof.assumptions,
        "kin": proof.rest.kin,
        "rules of the scope": proof.scope.needs,
    }
    for name, found in rows.items():
        if any(n > 1 for n in Counter(found).values()):
            yield f"something stands twice among the {name}"
    if not set(proof.rest.kin) <= set(proof.cites):
        yield "a rule that says what kind a thing is, is not cited"
