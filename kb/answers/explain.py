"""A proof in English: the verdict in one line, the chain that bears it out, what lost and why, and what would turn it.

text(proof)     for a terminal or a message
outline(proof)  the same as nested sentences (kb.answers.outline.Part), for pages and pictures
headline(proof) the first line alone
dot(proof)      the chain as a Graphviz graph
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb.answers import situation as understanding
from kb.answers.claim import UNSAID, becomes, brought_about, candidate, changes, claim, outcome_words, ties, verdict
from kb.answers.defeated import Loser, decisive, exceptions, losers, lost, saying
from kb.answers.headline import adds_nothing, beyond, by, decide, grade, headline, weighed
from kb.answers.outline import Teller
from kb.answers.parts import FACT, OPEN, OWN, PRESUMED, QUOTE, RULE, Part, Quotes, merged
from kb.answers.splits import splits
from kb.language import english, norms as m, phrases
from kb.language.case import Amount, Edit, LeadsTo
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Caused, Missing, Outcome, Step
from kb.rulebook.records import InForce

WIDTH, MOST_WINNERS, MOST_FLIPS = 100, 4, 8
LONG = 150  # letters of a change that is told behind the plainer ones


def text(
    proof: Proof, quotes: Quotes | None = None, flips: bool = True, width: int = WIDTH, situation: bool = False
) -> str:
    """The answer for a reader. `quotes` brings the reader's own sentences; without `flips` nothing is tried out; with `situation`
    it is told first what was understood."""
    return "\n".join(printed(outline(proof, quotes, flips, situation), width))


def printed(part: Part, width: int = WIDTH) -> Iterator[str]:
    """The first line, then each section, told apart by a blank line."""
    yield from wrapped(part.text, width, "", "  ")
    for section in part.parts:
        yield ""
        yield from lines(section, 0, width)


def lines(part: Part, depth: int, width: int) -> Iterator[str]:
    """A sentence at its depth, wrapped, and the sentences under it."""
    indent = "  " * depth
    for row in part.text.split("\n"):
        yield from wrapped(row, max(width, 40), indent, indent + ("    " if depth else "  "))
    for below in part.parts:
        yield from lines(below, depth + 1, width)


def wrapped(row: str, width: int, indent: str, more: str) -> list[str]:
    """A line, in several where it is longer than the width, those after the first further in."""
    if row and len(indent) + len(row) <= width and row.isprintable() and row[-1] != " ":
        return [indent + row]  # most are short, and need no looking at word by word
    return textwrap.wrap(row, width, initial_indent=indent, subsequent_indent=more, break_long_words=False)


def outline(proof: Proof, quotes: Quotes | None = None, flips: bool = True, situation: bool = False) -> Part:
    """The whole answer as nested sentences: the headline, and a section for each thing there is to say."""
    first = understanding.parts(proof.case, proof.theory.vocabulary) if situation else ()
    return Part(headline(proof), tuple(s for s in (*first, *sections(proof, quotes, flips)) if s.parts or s.kind))


def sections(proof: Proof, quotes: Quotes | None, flips: bool) -> Iterator[Part]:
    """The parts of an answer for a reader, in order; parts with nothing in them included."""
    teller = Teller(proof.theory, quotes, proof.case.things)
    if proof.which:
        yield from which_sections(proof)
    elif proof.contributions or proof.question.kind == "value":
        yield Part("HOW IT IS MADE UP", made_up(proof, teller))
    else:
        if proof.question.kind == "effects" and proof.verdict == p.UNDETERMINED:
            yield Part("COMES ABOUT", tuple(comes_about(proof, teller)))
        yield because(proof, teller)
    yield lost(proof, teller)
    yield Part("EXCEPTIONS TRIED", tuple(exceptions(proof, teller)))
    yield Part("NOT USED", tuple(Part(row.text) for row in proof.unused))
    yield Part("STATED AGAINST A RULE", tuple(Part(o.said(proof.theory.vocabulary)) for o in proof.overruled))
    yield Part("ASSUMED", assumed(proof, flips))
    yield Part("MISSING", tuple(missing(proof)))
    if flips:
        yield Part("WOULD FLIP IT", tuple(flip_lines(proof)))
    yield Part("NEEDS RULES NOT LOADED", tuple(Part(rule) for rule in proof.needs))
    yield Part(f"GRADE: {grade(proof, any(missing(proof)))}", kind="grade")
    if proof.edition is not None and proof.edition.edition:
        yield Part(f"EDITION: {edition(proof.edition)}", kind="edition")


# ── the chain ──


def because(proof: Proof, teller: Teller) -> Part:
    """What decides: each winning norm with its sentences and its facts; both sides of a conflict."""
    if proof.verdict == p.UNDETERMINED or proof.open:
        return Part("WHAT IT TURNS ON", tuple(turns(proof, teller)))
    if proof.question.kind == "is":
        told = tuple(q for step in proof.steps for q in teller.step(step))
        if proof.verdict == p.FAILS and [(q.kind, q.parts) for q in told] == [(PRESUMED, ())]:
            told = (replace(told[0], parts=tuple(decisive(proof, teller))),)
        return Part("BECAUSE", told)
    if proof.question.kind == "effects":
        return Part("BECAUSE", tuple(comes_about(proof, teller)))
    parts: list[Part] = []
    if not proof.winners and (proof.scope.by or proof.scope.says):
        says = proof.scope.says or "what no rule allows is not allowed"
        cite = f"{proof.scope.by}: " if proof.scope.by else ""
        parts.append(Part(f"no loaded rule settles it; {cite}{says}", kind=RULE))
    shown = proof.winners if proof.verdict == p.CONFLICT else proof.winners[:MOST_WINNERS]
    for outcome in shown:
        mode = f" {saying(proof, outcome)}" if proof.verdict == p.CONFLICT else ""
        parts.append(teller.named(outcome, f"{teller.title(outcome.norm)}{mode}"))
    if rest := proof.winners[len(shown) :]:
        names = english.series(dict.fromkeys(o.norm.id for o in rest))
        parts.append(Part(f"{names} say{'s' if len(rest) == 1 else ''} so too"))
    return Part("BECAUSE", tuple(parts))


def effect(proof: Proof, caused: Caused, teller: Teller) -> Part:
    """One thing that is brought about, and by which rule."""
    said = becomes(proof, caused.thing, caused.cls) + ("" if caused.direct else ", for it then counts as one")
    return teller.named(caused.by, f"{said}: {teller.title(caused.by.norm)}")


def comes_about(proof: Proof, teller: Teller) -> Iterator[Part]:
    """What an event surely brings about, each by its norm."""
    for c in proof.effects:
        yield effect(proof, c, teller)
    for s in proof.shifts:
        if s.value is not None and s.value.value is not None:
            yield teller.named(s.by, f"{changes(proof, s)}: {teller.title(s.by.norm)}")
    for t in proof.ties:
        yield teller.named(t.by, f"{ties(proof, t.thing, t.role, t.to, t.ends)}: {teller.title(t.by.norm)}")


def turns(proof: Proof, teller: Teller) -> Iterator[Part]:
    """The norms that may or may not apply, each with what is not known; then those that do, as things stand."""
    for open_ in proof.open:
        if isinstance(open_, Outcome):
            teller.told.add(open_.norm.id)
            quoted = tuple(teller.sentences(open_.norm))
            says = f"{teller.title(open_.norm)} {saying(proof, open_)}, if it applies{whose(open_)}"
            yield Part(says, (*quoted, *unknowns(open_, teller)), RULE)
        elif isinstance(open_, Step):
            yield from only_open(teller.step(open_))
    beaten = {d.loser.norm.id for d in proof.defeats}
    for outcome in proof.considered:
        if outcome.status and outcome.norm.id not in beaten and proof.question.kind in ("may", "must"):
            yield teller.named(outcome, f"{teller.title(outcome.norm)} {saying(proof, outcome)}, and applies")


def whose(outcome: Outcome) -> str:
    """To which of all the things that an event concerns a norm may apply."""
    head = outcome.norm.head
    return f" to {outcome.focus.label}" if isinstance(head, m.OnEvent) and (head.each or head.becoming) else ""


def unknowns(outcome: Outcome, teller: Teller) -> tuple[Part, ...]:
    """What is open of an outcome's condition and exceptions."""
    steps = [outcome.head, outcome.when, *(s for _, s in outcome.unless)]
    with teller.tried(outcome):
        return only_open(merged([q for s in steps if s is not None and s.value is None for q in teller.step(s)]))


def only_open(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Only what is not known, and what stands over it."""
    kept = (replace(q, parts=only_open(q.parts)) for q in parts)
    return tuple(q for q in kept if q.kind == OPEN or q.parts)


def made_up(proof: Proof, teller: Teller) -> tuple[Part, ...]:
    """Every contribution to a number, those that were suppressed included, and what was given."""
    question = proof.question
    label = proof.theory.vocabulary.properties[question.quantity].label
    order = {m.SETS: 0, m.RAISES: 1, m.LOWERS: 1, m.ADDS: 2, m.MULTIPLIES: 3, m.LIMITS: 4}
    parts: list[Part] = []
    stated = proof.case.things[question.thing].numbers.get(question.quantity)
    sets = [r for r in proof.contributions if r.op == m.SETS and r.state == "counts"]
    default = proof.theory.vocabulary.properties[question.quantity].default
    if stated is not None:
        parts.append(Part(f"the case gives it as {english.shown(stated)}", kind=FACT))
    elif not sets and default is not None:
        parts.append(Part(f"{label} is {english.shown(default)} where nothing sets it", kind=PRESUMED))
    idle = [row for row in proof.contributions if adds_nothing(row)]
    for row in sorted(proof.contributions, key=lambda r: order[r.op]):
        if row.state in ("counts", "beaten", "conflict", "open") and row not in idle:
            parts.append(teller.contribution(row))
    if idle:
        vocabulary = proof.theory.vocabulary
        heads = [(row.outcome.norm.id, row.outcome.norm.head) for row in idle]
        sums = [
            (name, phrases.say_expr(vocabulary, head.value)) for name, head in heads if isinstance(head, m.QuantityHead)
        ]
        names = english.series([f"{name} ({what})" for name, what in sums])
        parts.append(Part(f"{names} add{'s' if len(idle) == 1 else ''} nothing"))
    return tuple(parts)


COLUMNS = ("YES", "NO", "NOT RULED HERE", "OPEN")


def which_sections(proof: Proof) -> Iterator[Part]:
    """The answer for each candidate: for which it is yes, no, not ruled here and open; one by one where it is no yes or no."""
    rows: dict[str, dict[tuple[str, tuple[Part, ...]], list[str]]] = {}
    for name, found in proof.which:
        key = headline_short(found), tuple(missing(found))
        rows.setdefault(column(found), {}).setdefault(key, []).append(candidate(proof, name))
    for title in sorted(rows, key=lambda title: COLUMNS.index(title) if title in COLUMNS else 0):
        told = (Part(f"{english.series(names)}: {key}", lacks) for (key, lacks), names in rows[title].items())
        yield Part(title, tuple(told))


def column(found: Proof) -> str:
    """Under which head of a list a candidate stands."""
    if found.verdict == p.OUTSIDE:
        return "NOT RULED HERE"
    if found.verdict in p.OPEN:
        return "OPEN"
    return {"yes": "YES", "no": "NO"}.get(found.answer, "ONE BY ONE")


def headline_short(found: Proof) -> str:
    """The answer in a few words and by which rules."""
    if found.verdict == p.EFFECTS:
        return brought_about(found) + by(found)
    return verdict(found) + by(found)


# ── assumptions, missing facts, flips, grade ──


def missing(proof: Proof) -> Iterator[Part]:
    """The facts that would settle it, the best first, with the outcome each way; kinds that differ in a table of their own."""
    tables = splits(proof)
    told = [row for table in tables for row in table.rows]
    yield from (Part(f"what {table.label} is: {table.said} ({english.series(table.rules)})") for table in tables)
    for row in sorted(proof.missing, key=lambda r: not isinstance(r.fact, LeadsTo) and r.if_true == r.if_false):
        if p.IMPOSSIBLE in (row.if_true, row.if_false) or row in told:
            continue
        rules = f" ({', '.join(row.rules)})" if row.rules else ""
        yes, no = (outcome_words(proof, said) for said in (row.if_true, row.if_false))
        samples = [sample(edits) for edits in row.edits]
        if asks_itself(proof, row):
            each = "the answer itself: no loaded rule gives it here"
        elif isinstance(row.fact, LeadsTo):
            each = f"{yes} or {no}, as that may be" if yes != no else "only then can it be told"
        elif yes == no:
            each = "it does not settle it alone"
        elif None not in samples and row.whatever:
            each = f"with {samples[0]}, {yes}; with {samples[1]}, {no}"
        else:
            each = f"{yes} if so, {no} if not"
        yield Part(f"{row.said(proof.theory.vocabulary)}? {each}{rules}")
    if proof.left_out:
        facts = "fact" if proof.left_out == 1 else "facts"
        yield Part(f"{proof.left_out} more open {facts} left out, for they take too long to try")


def sample(edits: Sequence[Edit]) -> str | None:
    """The number that a missing fact was tried with; None where it is no number."""
    last = edits[-1] if edits else None
    return english.shown(last.value) if last is not None and last.kind == "number" else None


def asks_itself(proof: Proof, row: Missing) -> bool:
    """Whether a missing fact is the number that the question asks for."""
    asked = (proof.question.thing, proof.question.quantity)
    return row.whatever and isinstance(row.fact, Amount) and (row.fact.thing, row.fact.quantity) == asked


def flip_lines(proof: Proof) -> Iterator[Part]:
    """What would turn the answer, grouped by what it would then be."""
    groups: dict[str, list[str]] = {}
    for flip in proof.flips:
        kind = {"facts": "if ", "rule": "", "reading": ""}[flip.kind]
        groups.setdefault(flip.verdict, []).append(f"{kind}{flip.said(proof.theory.vocabulary)}")
    for outcome, told in groups.items():
        changes = sorted(dict.fromkeys(told), key=lambda said: len(said) > LONG)  # two things may be called alike
        shown = [Part(change) for change in changes[:MOST_FLIPS]]
        if len(changes) > MOST_FLIPS:
            shown.append(Part(f"{len(changes) - MOST_FLIPS} more"))
        said = outcome_words(proof, outcome)
        sentence = proof.question.kind == "effects" and said != outcome and outcome not in UNSAID
        yield Part(f"{'so that' if sentence else 'to'} {said}:", tuple(shown))
    if left_out := proof.untried - proof.left_out:
        what = "change" if left_out == 1 else "changes"
        yield Part(f"{left_out} more {what} left out, for they take too long to try")


def assumed(proof: Proof, flips: bool) -> tuple[Part, ...]:
    """What the answer leans on unsaid; where flips are told, first what would turn it were it not so."""
    rows = weighed(proof) if flips else proof.assumptions
    return tuple(Part(row.said(proof.theory.vocabulary), kind=PRESUMED) for row in rows)


def edition(under: InForce) -> str:
    """The edition and the errata that an answer was given under."""
    asked = f" as of {under.as_of}" if under.as_of else ""
    errata = f"errata in force: {', '.join(under.errata)}" if under.errata else "no errata in force"
    without = f"; without {', '.join(under.without)}" if under.without else ""
    undated = f"; not known to be in force by then: {', '.join(under.undated)}" if under.undated else ""
    return f"{under.book} {under.edition}{asked} ({errata}{without}{undated})"


# ── picture ──


def dot(proof: Proof) -> str:
    """The chain of the answer as a Graphviz digraph: facts flow up into the verdict."""
    out = ["digraph proof {", "  rankdir=BT; node [shape=box, fontname=sans];"]
    styles = {RULE: "style=filled, fillcolor=lightyellow", PRESUMED: "style=dashed", OPEN: "style=dotted, color=red"}
    count = 0

    def draw(part: Part, above: int | None) -> None:
        nonlocal count
        if part.kind in (QUOTE, OWN):
            return
        here, count = count, count + 1
        said = "\\n".join(textwrap.wrap(part.text, 40)).replace('"', "'")
        style = f", {styles[part.kind]}" if part.kind in styles else ""
        out.append(f'  n{here} [label="{said}"{style}];')
        if above is not None:
            out.append(f"  n{here} -> n{above};")
        for below in part.parts:
            draw(below, here)

    whole = outline(proof, flips=False)
    told = ("BECAUSE", "HOW IT IS MADE UP", "WHAT IT TURNS ON", "ONE BY ONE", *COLUMNS)
    draw(Part(whole.text, tuple(q for s in whole.parts if s.text in told for q in s.parts)), None)
    return "\n".join([*out, "}"])


__all__ = ["Loser", "Quotes", "beyond", "claim", "decide", "dot", "headline", "losers", "outline", "text"]
