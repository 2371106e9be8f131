"""The smallest invented case that a change flips: found by guided search, then through all that the bounds allow.

kb.research.witness_facts makes the facts to choose from, witness_search the candidates; here both sides are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb import asking, registry
from kb.answers import proof_json as records
from kb.errors import LoopholeError
from kb.language import norms as m
from kb.language.case import Case
from kb.ontology import subsumption
from kb.reasoner.proof import UNDETERMINED, Proof
from kb.research import witness_facts, witness_search
from kb.research.sides import Side, flips
from kb.rulebook.theory import goes_over, names

FACTS, GUIDED, FREE = 6, 150, 1500  # bounds of a search: facts said; situations of a size tried by guess, and all told
REACH = 18  # facts, where the conditions themselves ask for more than the bound before anything can flip
MOST_MISSING, SETTLED = 3, 60


@dataclass(frozen=True)
class Witness:
    """A smallest invented case that flips: `size` facts besides what the question itself names."""

    case: Mapping[str, Any]
    size: int
    norm: str
    before: Proof
    after: Proof


def invent(
    before: Side, after: Side, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]], bound: int
) -> tuple[Witness | None, str]:
    """The smallest case found that flips, with what was tried; or none, with the bounds within which there is none."""
    if not norms:
        return None, "no norm is added, taken away or worded anew: both rulebooks answer every case alike"
    best: Witness | None = None
    tried = 0
    # First what the wordings themselves turn on, then also what they beat, then only where there is something to beat.
    for wider, against in ((False, False), (True, False), (True, True)):
        start = tried
        for name, old, new in norms:
            beaten = beaten_by(old or new, before) if wider else []
            if wider and not beaten:
                continue
            turned = strength(old, new, before)
            pool = pool_of((old, new), before, [*beaten, *turned])
            limit = bound + wider if best is None else best.size - 1
            reach = REACH if best is None and bound >= FACTS else limit
            must = beaten if against else []
            found_by = (
                witness_search.together(pool, limit, GUIDED, (new, turned[0]), reach)
                if turned and new is not None
                else witness_search.situations(pool, limit, GUIDED, (old, new), must, reach)
            )
            for size, facts in found_by:
                tried += 1
                found = witness(before, after, pool, facts, size, name, settle=against and tried - start < SETTLED)
                if found is not None:
                    best = found
                    break
        if best is not None:
            return (
                best,
                f"the smallest of {tried} situations tried, each of at most {max(bound + wider, best.size)} facts",
            )
    return exhausted(before, after, norms, bound)


def exhausted(
    before: Side, after: Side, norms: Sequence[tuple[str, m.Norm | None, m.Norm | None]], bound: int
) -> tuple[Witness | None, str]:
    """Every situation within the bounds, whatever the conditions say of it."""
    told = []
    for name, old, new in norms:
        pool = pool_of((old, new), before)
        total, full = 0, -1
        for size in range(bound + 1):
            count = 0
            for facts in witness_search.Program(pool).models(size, FREE):
                count += 1
                found = witness(before, after, pool, facts, size, name)
                if found is not None:
                    return found, f"found among all situations of at most {size} facts, not by the conditions alone"
            total += count
            if count >= FREE:
                break
            full = size
        told.append(f"{name}: none of the {total} situations of at most {full} of {len(pool.facts)} facts")
    return None, "no answer flips within these bounds: " + "; ".join(told)


def strength(old: m.Norm | None, new: m.Norm | None, side: Side) -> list[m.Norm]:
    """The norms that only one wording beats, where the two ask for the same."""
    if old is None or new is None or old.when != new.when:
        return []
    if [u.condition for u in old.unless] != [u.condition for u in new.unless]:
        return []
    turned = {*old.over, *old.carves} ^ {*new.over, *new.carves}
    terms = registry.vocabulary(side.ledger.book)
    return [n for n in side.norms().values() if names(turned, n) and subsumption.compete(old.head, n.head, terms)]


def beaten_by(norm: m.Norm | None, side: Side) -> list[m.Norm]:
    """The norms with an opposite head that a norm beats: those that it names, and of permissions those that it bars."""
    assert norm is not None
    terms, theory = registry.vocabulary(side.ledger.book), side.theory(())
    deontic = isinstance(norm.head, m.Deontic)
    return [
        n for n in side.norms().values()
        if (goes_over(norm, n) or (deontic and theory.stronger(norm, n))) and subsumption.compete(norm.head, n.head, terms)
    ]  # fmt: skip


def pool_of(pair: tuple[m.Norm | None, m.Norm | None], side: Side, beaten: Sequence[m.Norm] = ()) -> witness_facts.Pool:
    """The facts that the two wordings of a norm, and the norms that it beats, can turn on."""
    one = pair[0] or pair[1]
    assert one is not None
    pool = witness_facts.Pool(registry.vocabulary(side.ledger.book), one.head)
    for norm in (*pair, *beaten):
        if norm is not None:
            pool.norm(norm)
    pool.concrete()
    return pool


def witness(
    before: Side,
    after: Side,
    pool: witness_facts.Pool,
    facts: Sequence[witness_facts.Fact],
    size: int,
    name: str,
    settle: bool = False,
) -> Witness | None:
    """The case that says these facts, if it is one and its answer flips; with `settle`, facts found missing are added."""
    data = pool.case(facts)
    try:
        case = asking.case(data)
        one, other = before.ask(case), after.ask(case)
    except LoopholeError:
        return None  # the facts contradict each other, or the question cannot be put
    if flips(one, other):
        return Witness(data, size, name, one, other)
    return settled(before, after, data, case, size, name, MOST_MISSING) if settle else None


def settled(
    before: Side, after: Side, data: Mapping[str, Any], case: Case, size: int, name: str, deeper: int
) -> Witness | None:
    """The case with the facts added that an open answer turns on, where the answers then differ."""
    one, other = before.ask(case), after.ask(case)
    if (one.verdict == UNDETERMINED) == (other.verdict == UNDETERMINED) or not deeper:
        return None
    side, sure = (before, other) if one.verdict == UNDETERMINED else (after, one)
    for row in side.ask(case, True).missing[:MOST_MISSING]:
        for edits, then in zip(row.edits, (row.if_true, row.if_false), strict=False):
            if not edits or then == sure.verdict:
                continue
            edited = case
            try:
                for edit in edits:
                    edited = edit.apply(edited)
                if any(mark in name for name in edited.things for mark in ".?"):
                    continue  # a thing that the reasoner made up is no story to tell
                plain = {**data, "things": {n: records.facts(f) for n, f in edited.things.items()}}
                again = asking.case(plain)
                if flips(first := before.ask(again), second := after.ask(again)):
                    return Witness(plain, size + 1, name, first, second)
                found = settled(before, after, plain, again, size + 1, name, deeper - 1)
            except LoopholeError:
                continue
            if found is not None:
                return found
    return None
