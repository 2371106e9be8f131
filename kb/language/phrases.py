"""What norms and facts say, as sentences: `forbids a move`, `sets cover to 4`, `foe is in yard`.

Conditions and expressions (kb.language.condition_phrases) and questions (kb.language.questions) are found here, too.
"""

from __future__ import annotations

from kb.language import english, norms as m
from kb.language.acting import DIRECT as DIRECT, plurals as plurals, say_act as say_act
from kb.language.case import (
    Absent,
    AbsentAtFirst,
    Amount,
    Fact,
    Flagged,
    IsA,
    LeadsTo,
    Lists,
    OwnSide,
    Reaches,
    Related,
    RelatedToKind,
)
from kb.language.condition_phrases import (
    SIGNS as SIGNS,
    as_object as as_object,
    bracketed as bracketed,
    ends as ends,
    kind_at as kind_at,
    manifold as manifold,
    none_of as none_of,
    nothing as nothing,
    predicate_of as predicate_of,
    predicate_of_end as predicate_of_end,
    predicative as predicative,
    say_arith as say_arith,
    say_call as say_call,
    say_condition as say_condition,
    say_entry as say_entry,
    say_expr as say_expr,
    say_filler as say_filler,
    say_none as say_none,
    say_path as say_path,
    say_taken as say_taken,
    stative as stative,
)
from kb.language.english import article, base_form, complement, negated, noun
from kb.language.questions import (
    what_linked as what_linked,
    whether as whether,
    whether_is as whether_is,
    whether_linked as whether_linked,
)
from kb.language.relations import verbal
from kb.language.stand_ins import called as called, of_norm as of_norm
from kb.language.vocabulary import Vocabulary
from kb.numbers import shown


def say_head(vocabulary: Vocabulary, head: m.Head) -> str:
    """What a norm says, as `permits it`, `counts it as a bunker`, `sets cover to 4`."""
    match head:
        case m.Deontic(mode, act):
            said = noun(vocabulary.classes[act])
            return f"{mode} {article(vocabulary.classes[act].label) if said.startswith('that ') else said}"
        case m.CountsAs(_, target, negated_):
            said = complement(vocabulary.classes[target])
            if not said.startswith("is "):
                return f"holds that it {negated(said) if negated_ else said}"
            return f"counts it as {'not ' if negated_ else ''}{said.removeprefix('is ')}"
        case m.Relates(_, role, to, negated_):
            wanted = as_object(vocabulary, to)
            if predicate := predicate_of(vocabulary, m.Role(role)):
                return f"holds that it {(negated(predicate) if negated_ else predicate).replace('{o}', wanted)}"
            verb = "denies" if negated_ else "gives"
            return f"{verb} it the {vocabulary.properties[role].label} {say_condition(vocabulary, to)}"
        case m.QuantityHead(op, quantity, _, value, bound):
            label, amount = vocabulary.properties[quantity].label, say_expr(vocabulary, value)
            added = bracketed(value, amount, 1)
            return {
                m.SETS: f"sets {label} to {amount}", m.ADDS: f"adds {added} to {label}",
                m.MULTIPLIES: f"multiplies {label} by {amount}", m.LIMITS: f"limits {label} to {bound} {amount}",
            }[op]  # fmt: skip
        case m.Link(role, path, to):
            whom = say_path(vocabulary, path) if path.steps else "it"
            end = "anything" if to is None else say_path(vocabulary, to) if to.steps else "it"
            return f"brings it about that {english.say_link(vocabulary, m.Role(role), whom, end, not head.ends)}"
        case m.Change(op, quantity, path, value):
            whom = say_path(vocabulary, path) if path.steps else "it"
            if op == m.PUTS:
                return f"sets {english.say_number(vocabulary, quantity, whom)} to {say_expr(vocabulary, value)}"
            return f"{op} {english.say_number(vocabulary, quantity, whom)} by {say_expr(vocabulary, value)}"
        case m.Effect(_, path, _):
            whom = say_path(vocabulary, path) if path.steps else "it"
            made = noun(vocabulary.classes[head.term])
            if head.ends:
                return f"lets {whom} no longer be {made}"
            return f"makes {whom} {'one ' if made.startswith('that ') else ''}{made}"


def would(said: str) -> str:
    """`sets cover to 4` to `would set cover to 4`."""
    verb, _, rest = said.partition(" ")
    return f"would {base_form(verb)} {rest}"


# How a number stands to another.
THAN = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least", "=": "", "!=": "not"}


def say_fact(vocabulary: Vocabulary, fact: Fact) -> str:
    """A fact in English."""
    match fact:
        case IsA(_, label, cls, so):
            return english.say_class(vocabulary, label, cls, so)
        case AbsentAtFirst(_, label, cls):
            return f"{english.say_absent(vocabulary, label, cls)} at first"
        case Absent(_, label, cls):
            return english.say_absent(vocabulary, label, cls)
        case Related(_, label, role, to, so):
            return english.say_link(vocabulary, role, label, to, so)
        case RelatedToKind(_, label, name, cls, so):
            return say_filler(vocabulary, m.Role(name), label, m.Named(cls), so)
        case Reaches(_, label, role, filler, so):
            return say_filler(vocabulary, role, label, filler, so)
        case Lists():
            return say_list(vocabulary, fact)
        case LeadsTo(thing, label, name):
            return f"{english.role_phrase(vocabulary, m.Role(name), label)} (“{name}: …” of {thing})"
        case Flagged(_, label, flag, so):
            return english.say_flag(vocabulary, flag, label, so)
        case Amount(_, label, quantity, op, value):
            number = english.say_number(vocabulary, quantity, label)
            return " ".join(f"{number} is {THAN[op]} {shown(value)}".split()) if op else number
        case OwnSide():
            return "the acting unit is on the asker's side"


def say_list(vocabulary: Vocabulary, fact: Lists) -> str:
    """What all there is to a relation is: `unit carries gun and nothing else`; `unit does not carry anything`."""
    label, role = fact.label, fact.role
    if not fact.to and not fact.perhaps and predicate_of(vocabulary, role):
        # The verb says it more plainly than `carries nothing`.
        term = vocabulary.properties[role.name]
        verb = term.label.startswith("has ") or term.verbalization.startswith(f"{{s}} {term.label} ")  # b mans nothing
        if not role.inverse and not verbal(term) and not verb:
            return f"no {term.label} of {label} is named"
        return english.say_link(vocabulary, role, label, "anything", False)
    only = english.series([*fact.to, "nothing else"]) if fact.to else "nothing"
    if fact.perhaps:
        only += f" but, maybe, {english.series(fact.perhaps, 'or')}"
    return english.say_link(vocabulary, role, label, only)
