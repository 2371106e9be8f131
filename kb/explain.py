"""A proof in English: the verdict in one line, the chain that bears it out, what lost and why, and what would turn it.

text(proof)     for a terminal or a message
outline(proof)  the same as nested sentences (kb.outline.Part), for pages and pictures
headline(proof) the first line alone
dot(proof)      the chain as a Graphviz graph
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb import model as m, proof as p, words
from kb.facts import Question
from kb.outline import FACT, OPEN, OWN, PRESUMED, QUOTE, RULE, Part, Quotes, Teller, merged, principle
from kb.proof import Proof
from kb.steps import Caused, Outcome, Step

WIDTH, MOST_WINNERS, MOST_LOSERS, MOST_FLIPS = 100, 4, 5, 8
SAYING = {
    m.PERMITS: "would allow it",
    m.FORBIDS: "would forbid it",
    m.REQUIRES: "would require it",
    m.WAIVES: "would excuse it",
}


@dataclass(frozen=True, slots=True)
class Loser:
    """A norm that did not decide: in one sentence why, with the steps, and how near it came (above 1: it applied)."""

    outcome: Outcome
    says: str
    why: str
    parts: tuple[Part, ...]
    near: float


def text(proof: Proof, quotes: Quotes | None = None, flips: bool = True, width: int = WIDTH) -> str:
    """The answer for a reader. `quotes` brings the reader's own sentences; without `flips` nothing is tried out."""
    return "\n".join(printed(outline(proof, quotes, flips), width))


def printed(part: Part, width: int = WIDTH) -> Iterator[str]:
    """The first line, then each section, told apart by a blank line."""
    yield from textwrap.wrap(part.text, width, subsequent_indent="  ", break_long_words=False)
    for section in part.parts:
        yield ""
        yield from lines(section, 0, width)


def lines(part: Part, depth: int, width: int) -> Iterator[str]:
    """A sentence at its depth, wrapped, and the sentences under it."""
    indent = "  " * depth
    for row in part.text.split("\n"):
        more = indent + ("    " if depth else "  ")
        yield from textwrap.wrap(
            row, max(width, 40), initial_indent=indent, subsequent_indent=more, break_long_words=False
        )
    for below in part.parts:
        yield from lines(below, depth + 1, width)


def outline(proof: Proof, quotes: Quotes | None = None, flips: bool = True) -> Part:
    """The whole answer as nested sentences: the headline, and a section for each thing there is to say."""
    return Part(headline(proof), tuple(s for s in sections(proof, quotes, flips) if s.parts or s.kind))


def sections(proof: Proof, quotes: Quotes | None, flips: bool) -> Iterator[Part]:
    teller = Teller(proof.theory, quotes)
    if proof.which:
        yield from which_sections(proof)
    elif proof.contributions or proof.question.kind == "value":
        yield Part("HOW IT IS MADE UP", made_up(proof, teller))
    else:
        yield because(proof, teller)
    yield lost(proof, teller)
    yield Part("EXCEPTIONS TRIED", tuple(exceptions(proof, teller)))
    yield Part("ASSUMED", tuple(Part(a.text, kind=PRESUMED) for a in proof.assumptions))
    yield Part("MISSING", tuple(missing(proof)))
    if flips:
        yield Part("WOULD FLIP IT", tuple(flip_lines(proof)))
    yield Part("NEEDS RULES NOT LOADED", tuple(Part(rule) for rule in proof.needs))
    yield Part(f"GRADE: {grade(proof)}", kind="grade")


# ── the first line ──


def headline(proof: Proof) -> str:
    """`FORBIDDEN: squad may not move into pillbox (B30.42)`."""
    return f"{verdict(proof).upper()}: {claim(proof)}{by(proof)}"


def verdict(proof: Proof) -> str:
    if proof.verdict == p.VALUE:
        return words.shown(proof.value)
    if proof.verdict == p.PERMITTED and proof.question.kind == "must":
        return "not required"
    return proof.verdict


def by(proof: Proof) -> str:
    """The rules that decide, in brackets."""
    rules = list(dict.fromkeys(o.norm.rule for o in proof.winners))
    if proof.verdict == p.CONFLICT:
        return ""
    if proof.verdict == p.WHICH:
        rules = list(proof.cites[:4]) if proof.chosen else []
    if proof.question.kind == "is" and not rules:
        rules = list(proof.cites[:3]) if proof.verdict in (p.HOLDS, p.FAILS) else []
    if not rules and proof.closure is not None:
        rules = [proof.closure.cite] if proof.closure.cite else []
    return f" ({', '.join(rules)})" if rules else ""


def claim(proof: Proof) -> str:
    """The verdict as a sentence about the case."""
    question, vocabulary = proof.question, proof.theory.vocabulary
    label = name_of(proof, question.thing)
    match proof.verdict:
        case p.PERMITTED:
            return act(proof, "may" if question.kind == "may" else "need not")
        case p.FORBIDDEN:
            return act(proof, "may not")
        case p.REQUIRED:
            return act(proof, "must")
        case p.CONFLICT if question.kind == "value":
            return f"the rules give {vocabulary.properties[question.quantity].label} of {label} more than one value"
        case p.CONFLICT:
            return f"the rules contradict each other on whether {act(proof, question.kind)}"
        case p.HOLDS | p.FAILS:
            assert question.condition is not None
            return statement(proof, question, proof.verdict == p.HOLDS)
        case p.VALUE:
            term = vocabulary.properties[question.quantity]
            return f"{term.label} of {label}" + (f", in {term.unit}" if term.unit else "")
        case p.EFFECTS:
            return words.series([becomes(proof, c.thing, c.cls) for c in proof.effects])
        case p.NO_EFFECT:
            return f"{label} brings about nothing that the loaded rules speak of"
        case p.WHICH if question.inner is not None and question.inner.kind == "value":
            return words.series([f"{candidate(proof, n)} {verdict(found)}" for n, found in proof.which])
        case p.WHICH:
            return words.series([candidate(proof, n) for n in proof.chosen]) if proof.chosen else "none"
        case p.SILENT:
            return f"no loaded rule says {asked(proof)}"
    return f"it is open {asked(proof)}"


def asked(proof: Proof) -> str:
    """The question as an indirect one."""
    question = proof.question
    label = name_of(proof, question.thing)
    match question.kind:
        case "may" | "must":
            return f"whether {act(proof, question.kind)}"
        case "is":
            return f"whether {statement(proof, question, True)}"
        case "value":
            return f"what {proof.theory.vocabulary.properties[question.quantity].label} of {label} is"
        case "effects":
            return f"what {label} brings about"
    return "which"


def statement(proof: Proof, question: Question, positive: bool) -> str:
    vocabulary = proof.theory.vocabulary
    label = name_of(proof, question.thing)
    match question.condition:
        case m.Named(name):
            return words.say_class(vocabulary, label, name, positive)
        case m.Some(role, m.Named(name)) if not role.inverse:
            other = words.noun(vocabulary.classes[name])
            return words.say_link(vocabulary, role, label, other, positive)
        case m.HasValue(role, m.Path(_, steps)) if steps and not role.inverse:
            return words.say_link(vocabulary, role, label, name_of(proof, steps[-1]), positive)
        case m.HasValue(role, m.Path(root, ())) if not role.inverse:
            return words.say_link(vocabulary, role, label, name_of(proof, root), positive)
    assert question.condition is not None
    return f"{label} {'is' if positive else 'is not'} {words.say_condition(vocabulary, question.condition)}"


def act(proof: Proof, modal: str) -> str:
    """The act asked about in one sentence: who may not do what, to what."""
    question, vocabulary = proof.question, proof.theory.vocabulary
    facts = proof.case.things[question.thing]
    if not facts.is_:
        return f"{question.thing} {modal} be done"
    # Of several kinds stated, the narrowest names the act.
    cls = max(facts.is_, key=lambda c: len(vocabulary.classes[c].ancestors))
    actor = facts.links.get("actor", ())
    others = [
        (prop, name_of(proof, thing)) for prop, things in facts.links.items() for thing in things
        if prop not in ("actor", "phase", "from")
    ]  # fmt: skip
    return words.say_act(vocabulary, cls, name_of(proof, actor[0]) if actor else "", others[:3], modal)


def name_of(proof: Proof, thing: str) -> str:
    facts = proof.case.things.get(thing)
    return facts.label or thing if facts is not None else thing


def becomes(proof: Proof, thing: str, cls: str) -> str:
    """`foe becomes fallen`: the effect's class after a verb of change."""
    said = words.complement(proof.theory.vocabulary.classes[cls])
    label = name_of(proof, thing)
    return f"{label} becomes {said.removeprefix('is ')}" if said.startswith("is ") else f"{label} then {said}"


def candidate(proof: Proof, name: str) -> str:
    """A candidate of a which-question: a class by its label, a thing by its name."""
    classes = proof.theory.vocabulary.classes
    if proof.question.things and name in proof.case.things:
        return name_of(proof, name)
    return classes[name].label if name in classes else name


# ── the chain ──


def because(proof: Proof, teller: Teller) -> Part:
    """What decides: each winning norm with its sentences and its facts; both sides of a conflict."""
    if proof.verdict == p.UNDETERMINED:
        return Part("WHAT IT TURNS ON", tuple(turns(proof, teller)))
    if proof.question.kind == "is":
        return Part("BECAUSE", tuple(q for step in proof.steps for q in teller.step(step)))
    if proof.question.kind == "effects":
        return Part("BECAUSE", tuple(effect(proof, c, teller) for c in proof.effects))
    parts: list[Part] = []
    if proof.closure is not None:
        says = proof.closure.says or "what no rule allows is not allowed"
        cite = f"{proof.closure.cite}: " if proof.closure.cite else ""
        parts.append(Part(f"no loaded rule settles it; {cite}{says}", kind=RULE))
    shown = proof.winners if proof.verdict == p.CONFLICT else proof.winners[:MOST_WINNERS]
    for outcome in shown:
        mode = f" {saying(proof, outcome)}" if proof.verdict == p.CONFLICT else ""
        parts.append(teller.named(outcome, f"{teller.title(outcome.norm)}{mode}"))
    if rest := proof.winners[len(shown) :]:
        names = words.series(dict.fromkeys(o.norm.id for o in rest))
        parts.append(Part(f"{names} say{'s' if len(rest) == 1 else ''} so too"))
    return Part("BECAUSE", tuple(parts))


def effect(proof: Proof, caused: Caused, teller: Teller) -> Part:
    """One thing that is brought about, and by which rule."""
    said = becomes(proof, caused.thing, caused.cls) + ("" if caused.direct else ", for it then counts as one")
    return teller.named(caused.by, f"{said}: {teller.title(caused.by.norm)}")


def turns(proof: Proof, teller: Teller) -> Iterator[Part]:
    """The norms that may or may not apply, each with what is not known; then those that do, as things stand."""
    for open_ in proof.open:
        if isinstance(open_, Outcome):
            teller.told.add(open_.norm.id)
            quoted = tuple(teller.sentences(open_.norm))
            says = f"{teller.title(open_.norm)} {saying(proof, open_)}, if it applies"
            yield Part(says, (*quoted, *unknowns(open_, teller)), RULE)
        elif isinstance(open_, Step):
            yield from only_open(teller.step(open_))
    beaten = {d.loser.norm.id for d in proof.defeats}
    for outcome in proof.considered:
        if outcome.status and outcome.norm.id not in beaten and proof.question.kind in ("may", "must"):
            yield teller.named(outcome, f"{teller.title(outcome.norm)} {saying(proof, outcome)}, and applies")


def unknowns(outcome: Outcome, teller: Teller) -> tuple[Part, ...]:
    steps = [outcome.head, outcome.when, *(s for _, s in outcome.unless)]
    return only_open(merged([q for s in steps if s is not None and s.value is None for q in teller.step(s)]))


def only_open(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Only what is not known, and what stands over it."""
    kept = (replace(q, parts=only_open(q.parts)) for q in parts)
    return tuple(q for q in kept if q.kind == OPEN or q.parts)


def made_up(proof: Proof, teller: Teller) -> tuple[Part, ...]:
    """Every contribution to a number, those that were suppressed included, and what was given."""
    question = proof.question
    label = proof.theory.vocabulary.properties[question.quantity].label
    order = {m.SETS: 0, m.ADDS: 1, m.MULTIPLIES: 2, m.LIMITS: 3}
    parts: list[Part] = []
    stated = proof.case.things[question.thing].numbers.get(question.quantity)
    sets = [r for r in proof.contributions if r.op == m.SETS and r.state == "counts"]
    default = proof.theory.vocabulary.properties[question.quantity].default
    if stated is not None:
        parts.append(Part(f"the case gives it as {words.shown(stated)}", kind=FACT))
    elif not sets and default is not None:
        parts.append(Part(f"{label} is {words.shown(default)} where nothing sets it", kind=PRESUMED))
    for row in sorted(proof.contributions, key=lambda r: order[r.op]):
        if row.state in ("counts", "beaten", "conflict", "open"):
            parts.append(teller.contribution(row))
    return tuple(parts)


def which_sections(proof: Proof) -> Iterator[Part]:
    """The answer for each candidate, the chosen ones first."""
    rows: dict[str, list[str]] = {}
    for name, found in proof.which:
        key = headline_short(found)
        rows.setdefault(key, []).append(candidate(proof, name))
    yield Part("ONE BY ONE", tuple(Part(f"{words.series(names)}: {key}") for key, names in rows.items()))


def headline_short(found: Proof) -> str:
    if found.effects:
        return words.series([becomes(found, c.thing, c.cls) for c in found.effects]) + by(found)
    return verdict(found) + by(found)


# ── what lost ──


def lost(proof: Proof, teller: Teller) -> Part:
    """Norms that would say otherwise or might have decided, the nearest first; the rest only counted."""
    found = losers(proof, teller)
    near = [r for r in found if r.near >= 0.25][:MOST_LOSERS]
    parts = [Part(f"{r.says}, {r.why}", r.parts, RULE) for r in near]
    if rest := len(found) - len(near):
        rules = list(dict.fromkeys(r.outcome.norm.rule for r in found if r not in near))
        names = ", ".join(rules[:6]) + (" …" if len(rules) > 6 else "")
        parts.append(Part(f"{rest} more norm{'s do' if rest > 1 else ' does'} not apply here ({names})"))
    return Part("LOST", tuple(parts))


def losers(proof: Proof, teller: Teller) -> list[Loser]:
    """Every norm considered that did not decide, the nearest first."""
    winning = {o.norm.id for o in proof.winners}
    found: list[Loser] = []
    seen: set[str] = set()
    beaten = [(d.loser, d.winner, d.principle) for d in proof.defeats if d.loser.norm.id not in winning]
    for outcome, winner, ground in beaten:
        if outcome.norm.id in seen:
            continue
        seen.add(outcome.norm.id)
        says = f"{teller.title(outcome.norm)} {saying(proof, outcome)}"
        if not proof.contributions:
            found.append(Loser(outcome, says, f"but {winner.norm.rule} beats it{principle(ground)}", (), 2.0))
    for outcome in proof.considered:
        if outcome.norm.id in winning | seen or outcome.status is None:
            continue
        seen.add(outcome.norm.id)
        says = f"{teller.title(outcome.norm)} {saying(proof, outcome)}"
        if outcome.exception is not None:
            unless, step = outcome.exception
            found.append(Loser(outcome, says, f"but its exception “{unless.label}” is met", teller.step(step), 1.5))
        elif outcome.status is False:
            step_ = outcome.when if outcome.when is not None and outcome.when.value is False else outcome.head
            if step_ is None:
                continue
            parts = teller.faults(step_)
            short = len(parts) <= 2
            why = f"but {'; '.join(q.text for q in parts)}" if short else "but not all that it asks is so"
            below = tuple(q for part in parts for q in part.parts) if short else parts
            found.append(Loser(outcome, says, why, below, nearness(outcome)))
        elif proof.verdict != p.UNDETERMINED:
            found.append(Loser(outcome, says, "but others outdo it", (), 1.0))
    return sorted(found, key=lambda r: -r.near)


def saying(proof: Proof, outcome: Outcome) -> str:
    head = outcome.norm.head
    if isinstance(head, m.Deontic):
        return SAYING[head.mode]
    if isinstance(head, m.CountsAs):
        return "would count it so" if not head.negated else "would count it not so"
    if isinstance(head, m.QuantityHead):
        return words.would(words.say_head(proof.theory.vocabulary, head))
    return words.would(words.say_head(proof.theory.vocabulary, head))


def nearness(outcome: Outcome) -> float:
    """How much of what a norm asks was met before the first thing that was not: 0 to 1."""
    if outcome.when is None or outcome.when.value is not False:
        return 0.0
    return near(outcome.when)


def near(step: Step) -> float:
    tried = [s for s in step.parts if isinstance(s, Step)]
    match step.node:
        case m.And(parts) if tried:
            at = next((i for i, q in enumerate(parts) if q is tried[0].node or q == tried[0].node), 0)
            return (at + near(tried[0])) / len(parts)
        case m.Except() if tried:
            return 0.9 if isinstance(tried[0].node, m.Not) else near(tried[0]) * 0.9
        case m.Or() if tried:
            return max(near(s) for s in tried)
        case m.Some() | m.Only() | m.Count():
            return 0.2 + 0.8 * max((near(s) for s in tried), default=0.0)
        case m.Not():
            return 0.7
        case m.Compare() | m.Flag():
            return 0.6
        case m.Named():
            return 0.5 if step.why == "presumed" else 0.0
    return 0.0


def exceptions(proof: Proof, teller: Teller) -> Iterator[Part]:
    """Every labelled exception of a norm that decides or lost by it, met or not."""
    seen: set[tuple[str, str]] = set()
    shown = [*proof.winners, *(d.loser for d in proof.defeats), *(o for o in proof.considered if o.exception)]
    for outcome in shown:
        for unless, step in outcome.unless:
            key = (outcome.norm.id, unless.label)
            if key in seen:
                continue
            seen.add(key)
            cites = f" [{', '.join(unless.cites)}]" if unless.cites else ""
            verdict_ = {True: "met", False: "not met", None: "not known"}[step.value]
            # What meets an exception is told where the norm stands among those that lost.
            parts = () if step.value is True and outcome.exception is not None else teller.step(step)
            inline = f": {parts[0].text}" if len(parts) == 1 else ""
            below = parts[0].parts if len(parts) == 1 else parts
            yield Part(f"{outcome.norm.rule} {unless.label}{cites}: {verdict_}{inline}", below)


# ── assumptions, missing facts, flips, grade ──


def missing(proof: Proof) -> Iterator[Part]:
    """The facts that would settle it, the best first, with the outcome each way."""
    for row in sorted(proof.missing, key=lambda r: r.if_true == r.if_false):
        if "impossible" in (row.if_true, row.if_false):
            continue
        rules = f" ({', '.join(row.rules)})" if row.rules else ""
        yes, no = (outcome_words(proof, said) for said in (row.if_true, row.if_false))
        each = f"{yes} if so, {no} if not" if yes != no else "it does not settle it alone"
        yield Part(f"{row.asks}? {each}{rules}")


def flip_lines(proof: Proof) -> Iterator[Part]:
    """What would turn the answer, grouped by what it would then be."""
    groups: dict[str, list[str]] = {}
    for flip in proof.flips:
        kind = {"facts": "if ", "rule": "", "reading": ""}[flip.kind]
        groups.setdefault(flip.verdict, []).append(f"{kind}{flip.change}")
    for outcome, changes in groups.items():
        shown = [Part(change) for change in changes[:MOST_FLIPS]]
        if len(changes) > MOST_FLIPS:
            shown.append(Part(f"{len(changes) - MOST_FLIPS} more"))
        yield Part(f"to {outcome_words(proof, outcome)}:", tuple(shown))


def outcome_words(proof: Proof, outcome: str) -> str:
    """A flip's answer: a verdict or number as it is, effects as what becomes what."""
    pairs = [row.rsplit(" ", 1) for row in outcome.split(", ")]
    if proof.question.kind == "effects" and all(len(q) == 2 and q[1] in proof.theory.vocabulary.classes for q in pairs):
        return words.series([becomes(proof, thing, cls) for thing, cls in pairs])
    return outcome


def grade(proof: Proof) -> str:
    says = {
        p.DEFINITE: "the facts stated and the loaded rules settle it",
        p.ASSUMING: "it rests on what is assumed above",
        p.UNDECIDED: "a fact is missing",
        p.NEEDS: f"it turns on {words.series(proof.needs)}, which is not loaded",
    }
    return f"{proof.grade} ({says[proof.grade]})"


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
    told = ("BECAUSE", "HOW IT IS MADE UP", "WHAT IT TURNS ON", "ONE BY ONE")
    draw(Part(whole.text, tuple(q for s in whole.parts if s.text in told for q in s.parts)), None)
    return "\n".join([*out, "}"])


__all__ = ["Loser", "Quotes", "dot", "headline", "losers", "outline", "text"]
