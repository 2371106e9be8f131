"""Asks the cases that records hold: the flip case of an erratum on either side of it, the case of a ruling as it stands.

A ruling whose case is not answered as it says is a *finding*: the rule or its encoding says otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from kb import asking, registry, resources
from kb.answers import expectations
from kb.cases import casebook
from kb.cases.reader import read
from kb.errata import checks, reader
from kb.errors import CaseError, Problem, QueryError, did_you_mean
from kb.language import norms as m
from kb.language.case import Case
from kb.reasoner import reason
from kb.reasoner.proof import Proof
from kb.rulebook import edition, records as e
from kb.yaml_document import Source, written


@dataclass(frozen=True)
class Tried:
    """One asking of a record's case. side: before, after, or "" for a ruling; misses: what is not as it says."""

    record: e.Record
    side: str
    proof: Proof
    misses: tuple[str, ...]


def case_of(record: e.Record, trial: e.Trial, side: str) -> Case:
    """A record's case with what it expects on one side. Raises CaseError, at the place of the case."""
    data, expects = content(trial)
    wanted = expects.get(side, {})
    try:
        found = read({**data, "expect": dict(wanted)}, registry.vocabulary(record.book), Source(trial.place.file))
    except CaseError as error:
        raise CaseError(replace(p, place=trial.place) for p in error.problems) from None
    return found


def content(trial: e.Trial) -> tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]]]:
    """The case of a trial and its expectations, from its file where it names one. Raises CaseError."""
    if not trial.file:
        return trial.data, trial.expects
    file, name = casebook.parted(trial.file)
    path = Path(trial.place.file).parent / file
    path = path if path.is_file() else resources.PACKAGE.parent / file
    if not path.is_file():
        raise CaseError(
            Problem(
                964,
                f"there is no case {trial.file}",
                trial.place,
                "a path from here, or from the project; PATH: NAME of several",
            )
        )
    data = casebook.one(casebook.in_text(resources.read_text(path, 964, CaseError), str(path)), name).data
    sides = ("before", "after", "expect")
    expects = {"" if k == "expect" else k: data[k] for k in sides if k in data}
    return {k: v for k, v in data.items() if k not in sides}, expects


def tried(record: e.Record, trial: e.Trial, side: str) -> Tried:
    """A record's case asked on one side of its change: with it, without it, or in the base for a ruling."""
    found = case_of(record, trial, side)
    proof: Proof
    ledger = checks.ledger(record.book)
    if ledger.record(record.id) is not None:
        held = record.id in registry.in_edition(record.book).errata
        without = (record.id,) if side == e.BEFORE and held else ()
        also = (record.id,) if side == e.AFTER and not held and record.changes else ()
        proof = asking.ask(found, without=without, also=also)
    else:
        proof = asked_beside(record, found, side)
    return Tried(record, side, proof, tuple(expectations.mismatches(proof)))


def asked_beside(record: e.Record, case: Case, side: str) -> Proof:
    """A case asked with, or without, a record that is not shipped, put beside those that are."""
    ledger = checks.ledger(record.book)
    joined = structs.replace(ledger, records=(*ledger.records, record))
    held = record.id in edition.choose(joined).errata
    without = (record.id,) if held and (side == e.BEFORE or not record.changes) else ()
    also = (record.id,) if side != e.BEFORE and not held and record.changes else ()
    under = edition.choose(joined, without=without, also=also)
    books = registry.SHIPPED.with_records(joined)
    made = books.theory(record.book, asking.in_force(case), (), under.toggled)
    return reason.made(reason.Answer, reason.answer(made, case), edition=under)


def run(records: Iterable[e.Record]) -> Iterable[Tried]:
    """Every case of every record, on each side that it speaks of."""
    for record in records:
        for trial in record.trials:
            for side in content(trial)[1]:
                yield tried(record, trial, side)


def finding(found: Tried) -> str:
    """What a failing case says: of a ruling, that the rule or its encoding says otherwise; "" when it passes."""
    if not found.misses:
        return ""
    record, misses = found.record, "; ".join(found.misses)
    if found.side:
        return f"{record.id}, {found.side} the change: {misses}"
    says = f"{record.authority} ({record.source}) answered “{record.answer or 'see the case'}”"
    cites = ", ".join(found.proof.cites) or "no rule"
    return (
        f"FINDING {record.id} on {', '.join(record.rules)}: {says}, but the rules as encoded say otherwise, by {cites}: {misses}\n"
        f"  either the encoding of {', '.join(record.rules)} is wrong, or the ruling goes beyond the text:\n"
        f"  loophole accept {record.id} makes it an interpretation norm with its own authority"
    )


def of_file(path: Path) -> tuple[e.Record, ...]:
    """The records of a file; the shipped ones of a book where it is the file of these. Raises RulebookError."""
    shipped = next((b for b in registry.books() if checks.path_of(b).resolve() == path.resolve()), None)
    return checks.ledger(shipped).records if shipped else reader.file(path, checks.ledger).records


def named(name: str, path: Path | None = None) -> e.Record:
    """A record by its id, in a file or among those shipped. Raises QueryError with the nearest."""
    every = of_file(path) if path is not None else checks.records()
    found = next((r for r in every if r.id == name), None)
    if found is None:
        hint = did_you_mean(name, [r.id for r in every]) or "loophole errata lists them"
        raise QueryError(Problem(963, f"no record is called “{name}”", hint=hint))
    return found


# ── a ruling accepted ───────────────────────────────────────────────────────────────────────────────────


def accepted(record: e.Record) -> str:
    """A draft file in which the ruling is an interpretation norm. Raises QueryError where its case gives none.

    The norm says for every case like the ruling's what the ruling says, over the norms that decided it otherwise.
    """
    trial = next((t for t in record.trials if "" in content(t)[1]), None)
    if trial is None:
        raise QueryError(
            Problem(965, f"{record.id} has no case with an expected verdict", record.place, "add a case block")
        )
    found = tried(record, trial, "")
    proof, case = found.proof, found.proof.case
    rule = record.rules[0] if record.rules else next(iter(proof.cites), "")
    head = head_of(record, proof, str(case.expect.get("verdict", case.expect.get("value", ""))))
    beaten = list(dict.fromkeys(w.norm.id for w in proof.winners))
    condition = description(case, case.question.thing)
    norm = [f"{rule}/{record.id}", f"  {head}"]
    norm += [f"  when     {condition}"] if condition else []
    norm += [f"  over     {', '.join(beaten)}"] if beaten else []
    ledger = checks.ledger(record.book)
    data, expects = content(trial)
    lines = [
        "---", f"book: {record.book}", "---", "", f"## {record.id}-accepted {record.title} {{#{record.id}-accepted}}", "",
        "```record", f"kind: {record.kind}", f"authority: {record.authority}", f"source: {quoted(record.source)}",
        "status: asserted", "operation: insert", f"editions: {{from: {quoted(ledger.base)}}}", f"anchors: [{{rule: {quoted(rule)}}}]",
        f"adds: [{rule}/{record.id}]", *([f"question: {quoted(record.question)}"] if record.question else []),
        *([f"answer: {quoted(record.answer)}"] if record.answer else []), *([f"supersedes: [{record.id}]"] if ledger.record(record.id) else []),
        f"entered: made from {record.id}", "checked: not yet", "```", "", f"### after {rule}", "",
        f"{record.question} {record.answer}".strip() or record.title, "", "```norms", *norm, "```", "",
        "```case", written({k: v for k, v in {**data, "expect": dict(expects[""])}.items() if k != "book"}).rstrip(), "```", "",
    ]  # fmt: skip
    return "\n".join(lines)


def head_of(record: e.Record, proof: Proof, wanted: str) -> str:
    """The head that says what a ruling answers. Raises QueryError for questions that one norm cannot answer."""
    question, focus = proof.question, proof.case.things[proof.question.thing] if proof.question.thing else None
    cls = next(iter(focus.is_), "Thing") if focus is not None else "Thing"
    said = wanted.casefold()
    match question.kind:
        case "may" if said in ("permitted", "forbidden"):
            return f"{'permits' if said == 'permitted' else 'forbids'} {cls}"
        case "must" if said in ("required", "permitted", "silent"):
            return f"{'requires' if said == 'required' else 'waives'} {cls}"
        case "is" if isinstance(question.condition, m.Named) and said in ("yes", "no", "true", "false"):
            return f"counts {cls} as {'' if said in ('yes', 'true') else 'not '}{question.condition.name}"
        case "value" if said:
            return f"sets {question.quantity} of {cls} to {said}"
    hint = "write the norm by hand under ### after RULE"
    raise QueryError(
        Problem(966, f"{record.id} answers “{question}” with “{wanted}”: no single norm says that", record.place, hint)
    )


def description(case: Case, name: str) -> str:
    """All that a case says of a thing and of what it leads to, as a condition on it."""
    names: dict[str, str] = {name: "this"}

    def of(thing: str) -> list[str]:
        facts = case.things[thing]
        root = names[thing] == "this"
        parts = list(facts.is_[1:]) if root else [f"{next(iter(facts.is_), 'Thing')} as {names[thing]}", *facts.is_[1:]]
        parts += [f"not {c}" for c in facts.not_]
        parts += [f"{n} {'true' if v else 'false'}" for n, v in facts.flags.items()]
        parts += [f"{n} = {v}" for n, v in facts.numbers.items()]
        for role, ends in facts.links.items():
            for end in ends:
                if end in names:
                    parts.append(f"{role} value {names[end]}")
                else:
                    names[end] = f"x{len(names)}"
                    parts.append(f"{role} some ({' and '.join(of(end))})")
            if not ends:
                parts.append(f"not {role} some Thing")
        for other, said in case.things.items():
            for role, ends in said.links.items():
                if thing in ends and other not in names:
                    names[other] = f"x{len(names)}"
                    parts.append(f"inverse {role} some ({' and '.join(of(other))})")
        return parts

    said = " and ".join(of(name))
    for bound in names.values():
        if f"value {bound}" not in said:
            said = re.sub(rf" as {bound}\b", "", said)
    return said


def quoted(said: str) -> str:
    """A text as YAML takes it on one line, whatever is in it."""
    return json.dumps(said, ensure_ascii=False)
