"""The verdict in a word, and as a sentence about the case: “squad may not move into pillbox”, “foe becomes Fanatic”."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from kb.cases import completion
from kb.language import english, norms as m, phrases
from kb.language.case import Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Missing, Shift

PARTICIPLE = re.compile(r"[a-z]+ed\b")  # what is done to a thing; a state that a game names by it has a capital
MOST = 4  # rules named behind a number
UNSAID = {p.OUTSIDE: "not ruled here", p.SILENT: "silence of the loaded rules"}


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
            ends = next((o.norm.until for o in proof.winners if o.norm.until), ())
            until = english.series([vocabulary.classes[e.event].label for e in ends], "or")
            return act(proof, "must") + (f", until {until}" if ends else "")
        case p.CONFLICT if question.kind == "value":
            return f"the rules give {english.say_number(vocabulary, question.quantity, label)} more than one value"
        case p.CONFLICT:
            return f"the rules contradict each other on whether {act(proof, question.kind)}"
        case p.HOLDS | p.FAILS:
            assert question.condition is not None
            return statement(proof, question, proof.verdict == p.HOLDS)
        case p.VALUE:
            term = vocabulary.properties[question.quantity]
            return english.say_number(vocabulary, question.quantity, label) + (
                f", in {term.unit}" if term.unit and term.unit not in term.label else ""
            )
        case p.EFFECTS:
            return brought_about(proof)
        case p.NO_EFFECT:
            return f"{label} brings about nothing that the loaded rules speak of"
        case p.WHICH if question.inner is not None and question.inner.kind == "value":
            return english.series([f"{candidate(proof, n)} {verdict(found)}" for n, found in proof.which])
        case p.WHICH:
            said = [english.series([candidate(proof, n) for n in proof.chosen])] if proof.chosen else []
            return "; ".join([*said, *open_for(proof), *unruled(proof)]) or "none"
        case p.OUTSIDE if question.kind == "value":
            return english.say_number(vocabulary, question.quantity, label)
        case p.OUTSIDE if question.kind == "effects":
            return f"what {label} brings about"
        case p.OUTSIDE:
            return asked(proof)
        case p.SILENT:
            return f"no loaded rule says {asked(proof)}"
    known = any(s.value is not None and s.value.value is not None for s in proof.shifts)
    if proof.question.kind == "effects" and (proof.effects or proof.ties or known):
        return f"{brought_about(proof)}; it is open what else {label} brings about"
    return f"it is open {asked(proof)}"


def open_for(proof: Proof) -> Iterator[str]:
    """The candidates of a list of which it is not known whether they are on it, and what is not known."""
    left = [(n, found) for n, found in proof.which if found.verdict == p.UNDETERMINED]
    if left:
        lacks = list(dict.fromkeys(lacking(found, row) for _, found in left for row in found.missing[:1]))[:MOST]
        names = english.series([candidate(proof, n) for n, _ in left[:MOST]])
        more = f" and {len(left) - MOST} more" if len(left) > MOST else ""
        yield f"open for {names}{more}" + (f": not known {english.series(lacks, 'or')}" if lacks else "")


def unruled(proof: Proof) -> Iterator[str]:
    """The candidates of a list that the loaded rules do not decide about."""
    left = [n for n, found in proof.which if found.verdict == p.OUTSIDE]
    if left:
        more = f" and {len(left) - MOST} more" if len(left) > MOST else ""
        needs = few(tuple(dict.fromkeys(r for n, found in proof.which if n in left for r in found.scope.needs)))
        yield f"not ruled here: {english.series([candidate(proof, n) for n in left[:MOST]])}{more}" + (
            f" ({needs})" if needs else ""
        )


def lacking(proof: Proof, row: Missing) -> str:
    """A missing fact as an indirect question: `whether foe is armed`, `what MF left of squad is`."""
    said = row.said(proof.theory.vocabulary)
    return f"what {said} is" if row.whatever else f"whether {said}"


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
            return f"what {english.say_number(proof.theory.vocabulary, question.quantity, label)} is"
        case "effects":
            return f"what {label} brings about"
    return "which"


def statement(proof: Proof, question: Question, positive: bool) -> str:
    """What was asked, as a sentence that says yes, or no."""
    assert question.condition is not None
    return clause(proof, name_of(proof, question.thing), question.condition, positive)


def is_complement(vocabulary: Vocabulary, c: m.Condition) -> bool:
    """Whether a condition is a class that a thing is said to be: `is pinned`, not `has fired`."""
    return isinstance(c, m.Named) and english.complement(vocabulary.classes[c.name]).startswith("is ")


def clause(proof: Proof, label: str, c: m.Condition, positive: bool) -> str:
    """A condition as what it says of its subject: `squad is in box and is not pinned`."""
    vocabulary = proof.theory.vocabulary
    match c:
        case m.Not(of):
            return clause(proof, label, of, not positive)
        case m.And((m.Only(within) as all_so, m.Or((_, m.Some(there, m.Anything()))))) if within == there:
            return clause(proof, label, all_so, positive)
        case m.And(parts) | m.Or(parts) if not all(is_complement(vocabulary, part) for part in parts):
            both = "and" if isinstance(c, m.And) else "or"
            said = list(dict.fromkeys(clause(proof, label, part, True) for part in parts))
            whole = english.series([said[0], *(s.removeprefix(f"{label} ") for s in said[1:])], both)
            return whole if positive else f"it is not so that {whole}"
        case m.Count(role, kind, n, filler):
            amount = {"min": "at least", "max": "at most", "exactly": "exactly"}[kind]
            of_what = phrases.ends(vocabulary, role, label, filler)
            return f"the number of {of_what} is {'' if positive else 'not '}{amount} {n}"
        case m.Compare(m.Path() as left, op, right):
            much = f"{phrases.SIGNS[op]} {phrases.say_expr(vocabulary, right)}"
            return f"{phrases.say_expr(vocabulary, left)} of {label} is {'' if positive else 'not '}{much}"
        case m.Some(role, filler) if phrases.predicate_of_end(vocabulary, role) and not isinstance(filler, m.Named):
            end = phrases.predicate_of_end(vocabulary, role)
            end = " ".join(label if word == "it" else word for word in end.split())
            wanted = phrases.as_object(vocabulary, filler)
            return f"{wanted if positive else phrases.none_of(vocabulary, filler)} {end}"
        case m.Named(name):
            return english.say_class(vocabulary, label, name, positive)
        case m.Only(role, m.Named(name)) if not role.inverse:
            each = f"every {vocabulary.properties[role.name].label} of {label}"
            return f"{'' if positive else 'not '}{english.say_class(vocabulary, each, name, True)}"
        case m.Some(role, m.Some(m.Role(completion.HAS_GROUND, False), m.Named() as ground)):
            return clause(proof, label, m.Some(role, ground), positive)
        case m.Some(role, filler) if (isinstance(filler, m.Named) and not role.inverse) or phrases.predicate_of(
            vocabulary, role
        ):
            wanted = phrases.as_object(vocabulary, filler, phrases.kind_at(vocabulary, role, positive))
            return english.say_link(vocabulary, role, label, wanted, positive)
        case m.HasValue(role, m.Path(root, steps)) if not role.inverse or phrases.predicate_of(vocabulary, role):
            return english.say_link(vocabulary, role, label, name_of(proof, (root, *steps)[-1]), positive)
    return f"{label} {'is' if positive else 'is not'} {phrases.say_condition(vocabulary, c)}"


def act(proof: Proof, modal: str) -> str:
    """The act asked about in one sentence: who may not do what, to what."""
    question, vocabulary = proof.question, proof.theory.vocabulary
    facts = proof.case.things[question.thing]
    if not facts.is_:
        return f"{question.thing} {modal} be done"
    # Of several kinds stated, the narrowest names the act; what only says how it is done does not.
    kinds = [c for c in facts.is_ if not english.adjectival(vocabulary.classes[c])]
    cls = max(kinds or facts.is_, key=lambda c: len(vocabulary.classes[c].ancestors))
    # A group that acts is told by a relation of its own, akin to the actor's and for several.
    role = (
        "actor"
        if facts.links.get("actor")
        else next((p for p in phrases.plurals(vocabulary, "actor") if p in facts.links), "")
    )
    actor = facts.links.get(role, ())
    others = [
        (prop, english.series([name_of(proof, thing) for thing in things]))
        for prop, things in facts.links.items()
        if things and prop not in ("actor", "phase", "from", role)
    ]
    if not others and facts.links.get("from"):
        others = [("from", english.series([name_of(proof, thing) for thing in facts.links["from"]]))]
    return phrases.say_act(
        vocabulary, cls, english.series([name_of(proof, a) for a in actor]) if actor else "", others[:3], modal
    )


def name_of(proof: Proof, thing: str) -> str:
    """What a thing is called: by its label, else by its name."""
    facts = proof.case.things.get(thing)
    return facts.label or thing if facts is not None else thing


def brought_about(proof: Proof) -> str:
    """All that an event brings about: what things become, and the numbers that change."""
    return english.series(
        [becomes(proof, c.thing, c.cls) for c in proof.effects]
        + [changes(proof, c) for c in proof.shifts if c.value is not None and c.value.value is not None]
        + [ties(proof, t.thing, t.role, t.to, t.ends) for t in proof.ties]
    )


def ties(proof: Proof, thing: str, role: str, to: str, ends: bool) -> str:
    """`truck carries squad from then on`."""
    end = name_of(proof, to) if to else "anything"
    said = english.say_link(proof.theory.vocabulary, m.Role(role), name_of(proof, thing), end, not ends)
    return f"{said} from then on"


def changes(proof: Proof, shift: Shift) -> str:
    """`morale of squad goes up by 1`."""
    assert shift.value is not None
    return changed(proof, shift.thing, shift.quantity, shift.op, shift.value.value)


def changed(proof: Proof, thing: str, quantity: str, op: str, by: Fraction) -> str:
    """The same of a number that goes up or down by so much, or becomes so much."""
    vocabulary, whose = proof.theory.vocabulary, name_of(proof, thing)
    if op == m.PUTS:
        return f"{english.say_number(vocabulary, quantity, whose)} becomes {english.shown(by)}"
    return english.say_change(vocabulary, whose, quantity, op == m.RAISES, by)


def becomes(proof: Proof, thing: str, cls: str) -> str:
    """`foe becomes fallen`: the effect's class after a verb of change."""
    said = english.complement(proof.theory.vocabulary.classes[cls.removeprefix(m.NO_MORE)])
    label = name_of(proof, thing)
    if cls.startswith(m.NO_MORE):
        return (
            f"{label} is no longer {said.removeprefix('is ')}"
            if said.startswith("is ")
            else f"{label} no longer {said}"
        )
    if not said.startswith("is "):
        return f"{label} then {said}"
    done_to_it = PARTICIPLE.match(said.removeprefix("is "))  # nobody becomes eliminated
    return f"{label} {said}" if done_to_it else f"{label} becomes {said.removeprefix('is ')}"


def candidate(proof: Proof, name: str) -> str:
    """A candidate of a which-question: a class by its label, a thing by its name."""
    classes = proof.theory.vocabulary.classes
    if proof.question.things and name in proof.case.things:
        return name_of(proof, name)
    return classes[name].label if name in classes else name


def few(rules: Sequence[str]) -> str:
    """The first few of some rules, in a row."""
    return ", ".join(rules[:MOST]) + (" …" if len(rules) > MOST else "")


def verdict(proof: Proof) -> str:
    """The verdict in a word; a number for a value."""
    if proof.verdict == p.VALUE:
        return english.shown(proof.value)
    if proof.verdict == p.PERMITTED and proof.question.kind == "must":
        return "not required"
    return "not ruled here" if proof.verdict == p.OUTSIDE else proof.verdict


def outcome_words(proof: Proof, outcome: str) -> str:
    """A flip's answer: a verdict or number as it is, effects as what becomes what."""
    if outcome in UNSAID:
        return UNSAID[outcome]
    if proof.question.kind != "effects":
        return outcome
    told: list[str] = []
    for row in outcome.split(", "):
        thing, _, what = row.partition(" ")
        match what.split():
            case [quantity, (m.RAISES | m.LOWERS | m.PUTS) as op, by]:
                told.append(changed(proof, thing, quantity, op, Fraction(by)))
            case [role, ("causes" | "ends") as how, *to]:
                told.append(ties(proof, thing, role, "".join(to), how == "ends"))
            case _ if what in proof.theory.vocabulary.classes:
                told.append(becomes(proof, thing, what))
            case _:
                return outcome
    return english.series(told)
