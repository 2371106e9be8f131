"""From a contradiction to a question: two norms that meet and of which neither is the stronger, put to the designer.

conflicts(book)             the pairs, each with a smallest situation in which both apply and nothing decides
between(book, one, other)   one such pair
text(conflict)              a question to be answered with yes or no, that cites both rules
answered(conflict, ...)     the answer as a draft record: the norm that holds, over the other
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb import asking, registry
from kb.answers import explain
from kb.errata import checks
from kb.errors import LoopholeError, Problem, QueryError, did_you_mean
from kb.language import norms as m
from kb.ontology import subsumption
from kb.reasoner import reason
from kb.reasoner.proof import CONFLICT, FAILS, FORBIDDEN, HOLDS, PERMITTED, REQUIRED, Proof
from kb.research import witness_facts, witness_search
from kb.rulebook import records as e
from kb.rulebook.theory import Theory
from kb.yaml_document import written

FACTS, TRIES = 6, 40  # bounds of the search for a situation: facts said, and situations of a size tried
LISTED = "loophole question lists the pairs that meet undecided"


@dataclass(frozen=True)
class Conflict:
    """Two norms that say opposite things of one focus. yes: the one that holds if the question is answered with yes."""

    book: str
    yes: m.Norm
    no: m.Norm
    case: Mapping[str, Any]
    proof: Proof


def pairs(made: Theory) -> Iterator[tuple[m.Norm, m.Norm]]:
    """The norms that can say opposite things and of which no principle of the book makes one the stronger."""
    norms = list(made.norms.values())
    for i, a in enumerate(norms):
        for b in norms[i + 1 :]:
            if not isinstance(a.head, (m.Deontic, m.CountsAs)) or not subsumption.compete(
                a.head, b.head, made.vocabulary
            ):
                continue
            if made.stronger(a, b) is None and made.stronger(b, a) is None:
                yield a, b


def conflicts(book_id: str, most: int = 20) -> Iterator[Conflict]:
    """Pairs of norms that really meet: in the situation found the reasoner says conflict. Raises LoopholeError."""
    made = registry.theory(book_id)
    found = 0
    for a, b in pairs(made):
        met = meeting(made, a, b)
        if met is not None:
            yield met
            found += 1
            if found >= most:
                return


def between(book_id: str, one: str, other: str) -> Conflict:
    """The conflict of two norms by their ids. Raises QueryError when there is none, saying why."""
    made = registry.theory(book_id)
    for name in (one, other):
        if name not in made.norms:
            raise QueryError(
                Problem(
                    980, f"{book_id} has no norm “{name}”", hint=did_you_mean(name, made.norms) or "see loophole rule"
                )
            )
    a, b = made.norms[one], made.norms[other]
    if not subsumption.compete(a.head, b.head, made.vocabulary):
        raise QueryError(
            Problem(981, f"{one} and {other} do not say opposite things: “{a.head}”, “{b.head}”", hint=LISTED)
        )
    for x, y in ((a, b), (b, a)):
        principle = made.stronger(x, y)
        if principle is not None:
            why = f"{principle.cite}: {principle.says}" if principle.cite else principle.says
            raise QueryError(
                Problem(
                    982,
                    f"{x.id} beats {y.id} ({why}): there is nothing to ask",
                    hint=LISTED,
                )
            )
    found = meeting(made, a, b)
    if found is None:
        bounds = f"no situation of at most {FACTS} facts was found in which both apply and nothing else decides"
        raise QueryError(Problem(983, f"{one} and {other} do not meet: {bounds}", hint=LISTED))
    return found


def meeting(made: Theory, a: m.Norm, b: m.Norm) -> Conflict | None:
    """A smallest situation in which both norms apply and the reasoner finds a conflict between them."""
    narrow = a if witness_search.narrower(a.head, b.head, made.vocabulary) else b
    pool = witness_facts.Pool(made.vocabulary, narrow.head)
    for norm in (a, b):
        pool.norm(norm)
    pool.concrete()
    for _, facts in witness_search.together(pool, FACTS, TRIES, (a, b)):
        data = pool.case(facts)
        try:
            case = asking.case(data)
            proof = reason.answer(registry.theory(made.book, asking.in_force(case)), case, False)
        except LoopholeError:
            continue
        applied = {o.norm.id for o in proof.considered if o.status} | {w.norm.id for w in proof.winners}
        if not {a.id, b.id} <= applied:
            continue
        if proof.verdict == CONFLICT or isinstance(a.head, m.CountsAs):
            yes, no = (a, b) if affirms(a.head) else (b, a)
            return Conflict(made.book, yes, no, data, proof)
    return None


def affirms(head: m.Head) -> bool:
    """Whether a norm answers the question of its head with yes."""
    if isinstance(head, m.Deontic):
        return head.mode in (m.PERMITS, m.REQUIRES)
    return isinstance(head, m.CountsAs) and not head.negated


# ── the question, and its answer ──


def verdict(conflict: Conflict, yes: bool) -> str:
    """What the answer would be."""
    kind = conflict.proof.question.kind
    if kind == "is":
        return HOLDS if yes else FAILS
    if kind == "must":
        return REQUIRED if yes else PERMITTED  # what need not be done may be left
    return PERMITTED if yes else FORBIDDEN


def asks(conflict: Conflict) -> str:
    """The question in one sentence, without the rules."""
    told = replace(conflict.proof, verdict=verdict(conflict, True), winners=(), steps=conflict.proof.steps)
    said = explain.headline(told).partition(": ")[2].partition(" (")[0]
    return f"In this situation, is it right that {said}?"


def text(conflict: Conflict, width: int = 100) -> str:
    """The question for a reader: the rules, the situation, what each of them says."""
    made = conflict.proof.theory
    rules = " & ".join(dict.fromkeys((conflict.yes.rule, conflict.no.rule)))
    out = textwrap.wrap(f"{rules}: {asks(conflict)}", width, subsequent_indent="  ")
    out += ["", *(f"    {row}" for row in written(conflict.case).splitlines()), ""]
    for word, norm in (("yes", conflict.yes), ("no", conflict.no)):
        section = made.sections[norm.rule]
        sentences = " ".join(s.text for s in section.sentences if s.number in norm.sentences)
        says = f"{word}, says {norm.id}: {sentences or section.title}"
        out += textwrap.wrap(says, width, initial_indent="  ", subsequent_indent="    ")
    out += textwrap.wrap(
        "Nothing in the book says which of the two is the stronger.",
        width,
        initial_indent="  ",
        subsequent_indent="    ",
    )
    return "\n".join(out)


def answered(conflict: Conflict, yes: bool, by: str, source: str, kind: str = e.OFFICIAL) -> str:
    """The answer as the text of a draft record: a ruling with its case, and the norm that holds over the other."""
    holds, falls = (conflict.yes, conflict.no) if yes else (conflict.no, conflict.yes)
    name = f"{holds.rule}-over-{falls.rule}" if holds.rule != falls.rule else holds.id.replace("/", "-over-")
    taken = {r.id for r in checks.records(conflict.book)}
    name = next(n for n in (name, *(f"{name}-{i}" for i in range(2, 1000))) if n not in taken)
    expected = {**conflict.case, "expect": {"verdict": verdict(conflict, yes), "cites": [holds.rule]}}
    q = lambda said: json.dumps(said, ensure_ascii=False)  # noqa: E731
    return "\n".join([
        "---", f"book: {conflict.book}", "---", "", f"## {name} {holds.id} against {falls.id} {{#{name}}}", "",
        "```record", f"kind: {kind}", f"authority: {by}", f"source: {q(source)}", "status: asserted", "operation: replace",
        f"editions: {{{span(conflict.book, holds)}}}",
        f"anchors: [{', '.join(f'{{rule: {q(r)}}}' for r in dict.fromkeys((holds.rule, falls.rule)))}]",
        f"question: {q(asks(conflict))}", f"answer: {q('Yes.' if yes else 'No.')}",
        f"entered: {q(f'made from the conflict of {holds.id} and {falls.id}')}", "checked: not yet", "```", "",
        f"### after {holds.rule}", "", "```norms", *source_of(holds, falls), "```", "",
        "```case", *written(expected).splitlines()[1:],
        "```", "",
    ])  # fmt: skip


def span(book_id: str, norm: m.Norm) -> str:
    """From the edition encoded to the last before some record words the norm anew: then it has to be asked again."""
    ledger = checks.ledger(book_id)
    later = [
        ledger.index(r.first)
        for r in ledger.records
        if norm.id in {n.id for p in r.parts for n in p.norms} | set(r.removes)
        and ledger.index(r.first) > ledger.index(ledger.base)
    ]
    last = f", to: {json.dumps(ledger.editions[min(later) - 1].id)}" if later else ""
    return f"from: {json.dumps(ledger.base)}{last}"


def source_of(norm: m.Norm, beaten: m.Norm) -> list[str]:
    """A norm's own lines in the rulebook, with `over` for one more."""
    lines = Path(norm.place.file).read_text(encoding="utf-8").splitlines()[norm.place.line - 1 :]
    end = next(
        (i for i, row in enumerate(lines[1:], 1) if row.strip() == "```" or (row and not row[0].isspace())), len(lines)
    )
    mine = [row.rstrip() for row in lines[:end] if row.strip()]
    over = [i for i, row in enumerate(mine) if row.split()[0] == "over"]
    if over:
        mine[over[0]] = f"{mine[over[0]]}, {beaten.id}"
    else:
        mine.append(f"  over     {beaten.id}")
    return mine
