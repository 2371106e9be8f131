"""An answer in one line: the verdict, the sentence it makes of the case, and the rules that decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.answers.claim import MOST, claim as claim, few, outcome_words, verdict
from kb.answers.splits import splits
from kb.language import english, norms as m
from kb.reasoner import proof as p
from kb.reasoner.counterfactuals import asks_back
from kb.reasoner.proof import Assumption, Proof
from kb.reasoner.trace import Contribution, Outcome, Step, Thing
from kb.reasoner.unused import suffix


def headline(proof: Proof) -> str:
    """`FORBIDDEN: squad may not move into pillbox (B30.42)`; what other rules decide too says so first."""
    if proof.verdict == p.OUTSIDE:
        return f"NOT RULED HERE{not_ruled(proof)}: {claim(proof)}{suffix(proof)}"
    so_far = beyond(proof)
    if not so_far:
        ways, asking = either_way(proof)
        return f"{verdict(proof).upper()}: {claim(proof)}{ways}{by(proof, asking)}{suffix(proof)}"
    rules = deciding(proof)
    return f"{verdict(proof).upper()}{f' by {english.series(rules)}' if rules else ''}{so_far}: {claim(proof)}{suffix(proof)}"


def grade(proof: Proof, lacks: bool) -> str:
    """The grade, and what it means here. lacks: whether facts are named that would settle it."""
    says = {
        p.SETTLED: "the facts stated and the loaded rules settle it",
        p.IF_NOTHING_ELSE: "it rests on what is assumed above",
        p.PARTLY_HERE: f"{english.series(proof.needs)} also decide{'s' if len(proof.needs) == 1 else ''}, not loaded",
        p.NOT_HERE: "the loaded rules do not decide it",
        p.FACT_MISSING: "MISSING says which" if lacks else "“not known” above says what; no one fact settles it",
        p.AT_ODDS: "nothing in the book says which rule is stronger",
    }
    return f"{proof.grade} ({says[proof.grade]})"


def weighed(proof: Proof) -> tuple[Assumption, ...]:
    """What an answer leans on unsaid: first what would turn it were it not so, and of that what is assumed of the things before the act."""
    turning = {(edit.thing, edit.name) for flip in proof.flips for edit in flip.edits}

    def turns(row: Assumption) -> bool:
        place = row.thing, row.term
        return place in turning or (bool(turning) and proof.told_at(*place) in turning)

    return tuple(sorted(proof.assumptions, key=lambda row: (not turns(row), row.thing == proof.question.thing)))


def either_way(proof: Proof) -> tuple[str, tuple[str, ...]]:
    """What an open answer is either way of the one thing that settles it, `; permitted if go is in the APh, forbidden if not`, and by
    which rules."""
    for table in splits(proof):
        return f"; if {table.label} is {table.said}", ()
    for row in proof.missing if proof.question.kind in ("may", "must", "is", "value") else ():
        outcomes = row.if_true, row.if_false
        if asks_back(proof.question, row.fact):
            continue  # that it is so if it is so tells nobody anything
        if row.settles and not row.whatever and row.given is None and p.IMPOSSIBLE not in outcomes:
            yes, no = (outcome_words(proof, outcome) for outcome in outcomes)
            return f"; {yes} if {row.said(proof.theory.vocabulary)}, {no} if not", row.rules
    refs = few(tuple(dict.fromkeys(cell_elsewhere(proof)))) if proof.verdict == p.UNDETERMINED else ""
    return (f"; the table here lacks the entry, see {refs} (not loaded)" if refs else ""), ()


def cell_elsewhere(proof: Proof) -> Iterator[str]:
    """The rules not loaded that have the rest of a table of which an open number needs an entry that is not here."""
    for row in proof.contributions:
        if row.value is not None and lacks_cell(row.value):
            norm = row.outcome.norm
            yield from (ref for ref in (*norm.cites, *norm.needs) if ref not in proof.theory.sections)


def lacks_cell(step: Step) -> bool:
    """Whether a number is open for an entry that its table has not."""
    return step.why == "no-cell" or any(lacks_cell(q) for q in step.parts if isinstance(q, Step))


def beyond(proof: Proof) -> str:
    """What a partly decided answer leaves to rules that are not loaded: `, as far as A4 (not loaded) lets it move`."""
    scope = proof.scope
    if proof.verdict == p.WHICH and proof.question.inner is not None and proof.question.inner.kind == "may":
        partly = [found.scope for name, found in proof.which if name in proof.chosen and found.scope.kind == p.PARTLY]
        needs = tuple(dict.fromkeys(ref for one in partly for ref in one.needs))
        scope = p.Scope(p.PARTLY, needs, next((one.those for one in partly if one.those), ""))
    if scope.kind != p.PARTLY or not scope.needs:
        return ""
    names = few(scope.needs)
    if proof.verdict == p.VALUE:
        return f" before {names} (not loaded)"
    if proof.verdict == p.NO_EFFECT:
        return f" by the loaded rules; {names} (not loaded) may say more"
    those = scope.those or "let it be"
    if not several(scope.needs):
        verb, _, rest = those.partition(" ")
        those = f"{verb}s {rest}".strip()
    return f", as far as {names} (not loaded) {those}"


def not_ruled(proof: Proof) -> str:
    """What stands in the place of an answer that is not ruled here: how far the loaded rules go, and which decide."""
    scope = proof.scope
    names = few(scope.needs)
    if proof.question.kind == "value":
        number = english.shown(proof.value) if proof.value is not None and scope_touches(proof) else ""
        if number:
            return f": {number} before {names} (not loaded)" if names else f": {number} so far"
        return f" ({names})" if names else ""
    which = decide(proof)
    if scope.states:
        thing, cls, _ = scope.states[0]
        rules = list(dict.fromkeys([*(o.norm.rule for o in proof.winners), *scope.freed]))
        lets = f"{english.series(rules)} would allow it, but " if rules else ""
        return f": {lets}{english.say_class(proof.theory.vocabulary, thing.label, cls)}; {which}"
    if scope.kind == p.OUTSIDE and not scope.term:
        return f" ({names})" if names else ""
    nothing = {
        "may": "nothing loaded bars it",
        "must": "nothing loaded asks for it",
        "is": "nothing loaded makes it so",
    }
    return f": {nothing.get(proof.question.kind, 'nothing loaded speaks of it')}{f'; {which}' if which else ''}"


def decide(proof: Proof) -> str:
    """Which rules decide what is not ruled here: `A4, A10.5 decide (not loaded)`; "" where none is known."""
    names = few(proof.scope.needs)
    return f"{names} {'decide' if several(proof.scope.needs) else 'decides'} (not loaded)" if names else ""


def several(rules: Sequence[str]) -> bool:
    """Whether some rules take a verb in the plural: so does one with a name in the plural, such as Motivation Tests."""
    return len(rules) > 1 or rules[0].partition(" (")[0].endswith("s")


def scope_touches(proof: Proof) -> bool:
    """Whether a loaded rule has a part in a number that other rules decide; one may that waits for what is left to these."""
    rows = [row for row in proof.contributions if row.outcome.norm.id not in proof.theory.leaves]
    return any(row.state == "open" or (row.state == "counts" and not adds_nothing(row)) for row in rows)


def by(proof: Proof, first: Sequence[str] = ()) -> str:
    """The rules that decide, in brackets; some go before."""
    rules = dict.fromkeys((*first, *deciding(proof)))
    return f" ({', '.join(rules)})" if rules else ""


def deciding(proof: Proof) -> list[str]:
    """The rules that decide; of a list those that chose, then those that left out."""
    idle = {c.outcome.norm.id for c in proof.contributions if adds_nothing(c)}
    rules = list(dict.fromkeys(o.norm.rule for o in proof.winners if o.norm.id not in idle))
    if proof.verdict == p.CONFLICT:
        return []
    if proof.verdict == p.VALUE and rules:
        named = list(dict.fromkeys([*rules, *behind(proof.contributions)]))[: max(MOST, len(rules))]
        return sorted(
            named, key=lambda rule: (rule not in proof.cites, *(i for i, r in enumerate(proof.cites) if r == rule))
        )
    if proof.verdict == p.WHICH and proof.chosen:
        ordered = sorted(proof.which, key=lambda row: row[0] not in proof.chosen)
        rules = list(dict.fromkeys(rule for _, found in ordered for rule in deciding(found)))[:4]
    if proof.question.kind == "is" and not rules and proof.verdict in (p.HOLDS, p.FAILS) and not proof.scope.by:
        rules = [] if any(map(silent, proof.steps)) else list(proof.cites[:3])
    if not rules and proof.scope.by:
        rules = [proof.scope.by]
    return rules or list(dict.fromkeys(proof.scope.freed))


def silent(step: Step) -> bool:
    """Whether silence alone says so: then no rule applied, and there is none to name."""
    inner = [q for q in step.parts if isinstance(q, Step)]
    return step.why == "presumed" or (isinstance(step.node, m.Not) and any(map(silent, inner)))


def behind(rows: Iterable[Contribution]) -> Iterator[str]:
    """The rules that make what is doubled, halved or added to what it is, and those that give the numbers put together."""
    for row in rows:
        if row.state == "counts" and not adds_nothing(row):
            made = kinds_of(row.outcome.when, row.outcome.focus) if row.outcome.when is not None else ()
            yield from (o.norm.rule for o in made)
            further = list(numbers_in(row.value)) if row.value is not None else []
            yield from (r.outcome.norm.rule for r in further if not adds_nothing(r))
            yield from behind(further)


def kinds_of(step: Step, focus: Thing) -> Iterator[Outcome]:
    """The norms by which the thing in focus counts as what a condition asks of it."""
    for part in step.parts:
        if isinstance(part, Outcome) and part.status and part.focus is focus and isinstance(part.norm.head, m.CountsAs):
            yield part
            yield from of_all(part.when) if part.when is not None else ()
        elif isinstance(part, Step) and part.value is True and part.thing is focus:
            yield from kinds_of(part, focus)


def of_all(step: Step) -> Iterator[Outcome]:
    """The norms by which each of several is what a condition asks of all of them: halved fire is that of a group, for it is each member's."""
    for part in step.parts:
        if isinstance(part, Step) and part.value is True:
            yield from kinds_of(part, part.thing) if isinstance(step.node, m.Only) else of_all(part)


def numbers_in(step: Step) -> Iterator[Contribution]:
    """What the numbers that an expression puts together are made of, but for those that are nought."""
    for part in step.parts:
        if isinstance(part, Contribution):
            if part.state == "counts" and step.value != 0:
                yield part
        elif isinstance(part, Step):
            yield from numbers_in(part)


def adds_nothing(row: Contribution) -> bool:
    """Whether a contribution counts but changes nothing: +0."""
    return row.op == m.ADDS and row.state == "counts" and row.value is not None and row.value.value == 0
