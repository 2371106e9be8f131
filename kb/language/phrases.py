"""Conditions, expressions and what norms say, as phrases: `a squad that is not pinned`, `twice wall of target`, `forbids it`.

Made of the nouns and sentences of kb.language.english, from the labels and verbalisations of the ontology.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.language import english, norms as m
from kb.language.case import (
    Absent,
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
from kb.language.english import (
    ARTICLED,
    any_of,
    article,
    base_form,
    clause,
    complement,
    loose,
    negated,
    noun,
    role_phrase,
    say_link,
    series,
)
from kb.language.questions import (
    what_linked as what_linked,
    whether as whether,
    whether_is as whether_is,
    whether_linked as whether_linked,
)
from kb.language.vocabulary import Vocabulary
from kb.numbers import shown

AGGREGATES = {"count": "number of", "sum": "sum of"}
SIGNS = {"=": "exactly", "!=": "other than", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
RELATIVE = ("with ", "not ", "that ")


def say_filler(vocabulary: Vocabulary, role: m.Role, subject: str, filler: m.Condition, positive: bool = True) -> str:
    """A relation to something of a kind: `go leads into a keep`, `actor of go is pinned`."""
    wanted = say_condition(vocabulary, filler)
    if role.inverse or wanted.startswith(("a ", "an ", "with ", "that ")):
        return say_link(vocabulary, role, subject, as_object(vocabulary, filler), positive)
    predicate = f"is {wanted}"
    if isinstance(filler, m.Named):
        predicate = complement(vocabulary.classes[filler.name])
    return f"{role_phrase(vocabulary, role, subject)} {predicate if positive else negated(predicate)}"


def say_condition(vocabulary: Vocabulary, c: m.Condition) -> str:
    """A short phrase for what a condition asks for: `a keep`, `a phase that is a night phase`."""
    match c:
        case m.Named(name):
            return noun(vocabulary.classes[name])
        case m.And(parts):
            return joined(vocabulary, parts)
        case m.Or(parts):
            return series([say_condition(vocabulary, p) for p in parts], "or")
        case m.Not(m.Some(role, filler)) if predicate_of(vocabulary, role):
            return f"that {with_object(negated(predicate_of(vocabulary, role)), as_object(vocabulary, filler))}"
        case m.Not(m.HasValue(role, target)) if predicate_of(vocabulary, role):
            return f"that {negated(predicate_of(vocabulary, role)).replace('{o}', say_path(vocabulary, target))}"
        case m.Not(m.Named(name)) if noun(vocabulary.classes[name]).startswith("that "):
            return f"that {negated(complement(vocabulary.classes[name]))}"
        case m.Not(of):
            return f"not {say_condition(vocabulary, of)}"
        case m.Except(base, carve, _):
            return f"{say_condition(vocabulary, base)} (except {say_condition(vocabulary, carve)})"
        case m.Some(role, filler) if predicate_of(vocabulary, role):
            return f"that {with_object(predicate_of(vocabulary, role), as_object(vocabulary, filler))}"
        case m.Some(role, filler) if predicate_of_end(vocabulary, role):
            end = as_object(vocabulary, filler)
            return f"with {end}{' and' if ' that ' in end else ''} that {predicate_of_end(vocabulary, role)}"
        case m.Some(role, filler):
            return f"with {vocabulary.properties[role.name].label}: {say_condition(vocabulary, filler)}"
        case m.Only(role, filler):
            return f"with {vocabulary.properties[role.name].label} only: {say_condition(vocabulary, filler)}"
        case m.Count(role, kind, n, filler):
            amount = {"min": f"at least {n}", "max": f"at most {n}", "exactly": f"exactly {n}"}[kind]
            return f"with {amount} {vocabulary.properties[role.name].label}: {say_condition(vocabulary, filler)}"
        case m.HasValue(role, target) if predicate_of(vocabulary, role):
            return f"that {predicate_of(vocabulary, role).replace('{o}', say_path(vocabulary, target))}"
        case m.HasValue(role, target):
            return f"with {vocabulary.properties[role.name].label} {say_path(vocabulary, target)}"
        case m.Same(target):
            return f"the same as {say_path(vocabulary, target)}"
        case m.Flag(name, value):
            return f"{'' if value else 'not '}{vocabulary.properties[name].label}"
        case m.Compare(left, op, right):
            return f"with {say_expr(vocabulary, left)} {SIGNS[op]} {say_expr(vocabulary, right)}"
        case m.Bind(of, _) | m.Of(_, of):
            return say_condition(vocabulary, of)
    return "anything"


def predicate_of(vocabulary: Vocabulary, role: m.Role) -> str:
    """`carries {o}`: what a relation says of its subject; "" where its sentence does not begin with it."""
    template = vocabulary.properties[role.name].verbalization
    gap, _, predicate = template.partition(" ")
    return predicate if gap == "{s}" and not role.inverse and "{o}" in predicate else ""


def with_object(predicate: str, other: str) -> str:
    """`is in a {o}` and `a PFPh` to `is in a PFPh`."""
    bare = re.sub(r"\b(an?|the) \{o\}", "{o}", predicate) if ARTICLED.match(other) else predicate
    return bare.replace("{o}", other)


def predicate_of_end(vocabulary: Vocabulary, role: m.Role) -> str:
    """`is in it`: what a relation whose sentence begins with its other end says of that end; else ""."""
    gap, _, predicate = vocabulary.properties[role.name].verbalization.partition(" ")
    return predicate.replace("{s}", "it") if gap == "{o}" and not role.inverse and "{s}" in predicate else ""


def as_object(vocabulary: Vocabulary, c: m.Condition) -> str:
    """A condition as what a verb is done to: `a gun`, `something that is pinned`, `something that carries a gun`."""
    if isinstance(c, m.Or) and any(say_condition(vocabulary, part).startswith(RELATIVE) for part in c.parts):
        return series([as_object(vocabulary, part) for part in c.parts], "or")
    wanted = say_condition(vocabulary, c)
    if wanted.startswith(RELATIVE):
        return f"something {wanted}"
    state = isinstance(c, m.Named) and any_of(vocabulary.classes[c.name]).startswith("what ")
    return f"something that is {wanted}" if state and not ARTICLED.match(wanted) else wanted


def nothing(wanted: str) -> str:
    """`no tunnel`, `nothing that is drawn`, `nothing with a gun`."""
    if match := re.match(r"an? ", wanted):
        return f"no {wanted[match.end() :]}"
    if wanted == "anything":
        return "nothing"
    return f"nothing {wanted}" if wanted.startswith(RELATIVE) else f"nothing that is {wanted}"


def joined(vocabulary: Vocabulary, parts: Sequence[m.Condition]) -> str:
    """A conjunction: `an enemy that is a ground unit, with weapon: a gun, and not pinned`."""
    said = [say_condition(vocabulary, p) for p in parts]
    kinds = [s for s in said if s.startswith(("a ", "an "))]
    states = [s for s in said if not s.startswith(("a ", "an ", *RELATIVE))]
    rest = [s for s in said if s.startswith(RELATIVE)]
    if kinds and (more := [*kinds[1:], *states]):
        first = f"{kinds[0]} that is {series(more)}"
    else:
        first = series([*kinds, *states]) if kinds or states else ""
    return " ".join(filter(None, [first, series(rest) if rest else ""]))


def say_path(vocabulary: Vocabulary, path: m.Path) -> str:
    """`the actor`, `the actor's weapon`, `the hex of what it takes`."""
    said = "" if path.root in ("", "this") else path.root
    for step in path.steps:
        term = vocabulary.properties.get(step)
        label = term.label if term is not None else step
        if loose(label) is not None or (term is not None and term.verbalization == f"{{s}} {label} {{o}}"):
            said = clause(vocabulary, step, said or "it")
        elif " " in said and said.startswith(("what ", "the place ")):
            said = f"the {label} of {said}"
        else:
            said = f"{said}'s {label}" if said else f"the {label}"
    return said or "it"


def say_expr(vocabulary: Vocabulary, e: m.Expr) -> str:
    """An expression in words as far as that helps: `twice cover otherwise`, `wall of target`."""
    match e:
        case m.Num(value):
            return shown(value)
        case m.Path(root, steps):
            label = vocabulary.properties[steps[-1]].label if steps else root
            way = say_path(vocabulary, m.Path(root, steps[:-1])) if steps[:-1] or root not in ("", "this") else ""
            return f"{label} of {way}" if way else label
        case m.Otherwise(quantity):
            return f"{vocabulary.properties[quantity].label} as it would be otherwise"
        case m.Arith("*", m.Num(value), right) if value == 2:
            return f"twice {say_expr(vocabulary, right)}"
        case m.Arith("-", m.Num(value), right) if value == 0:
            return f"minus {say_expr(vocabulary, right)}"
        case m.Arith(op, left, right):
            return f"{say_expr(vocabulary, left)} {'×' if op == '*' else op} {say_expr(vocabulary, right)}"
        case m.Call(function, args):
            return say_call(function, [say_expr(vocabulary, a) for a in args])
        case m.Aggregate(function, path, filler, quantity):
            of = say_path(vocabulary, path)
            wanted = say_condition(vocabulary, filler)
            relative = wanted if wanted.startswith(RELATIVE) else f"(each {wanted})"
            that = "" if isinstance(filler, m.Anything) else f" {relative}"
            what = f" {vocabulary.properties[quantity].label} of" if quantity else ""
            return f"the {AGGREGATES.get(function, function)}{what} {of}{that}"
        case m.Lookup(table, how, key, column, shift):
            moved = "" if shift is None else f", moved by {say_expr(vocabulary, shift)}"
            row = "row" if how == "is" else "row at or below"
            return f"table {table}, {row} {say_expr(vocabulary, key)}{moved}, column {column}"
        case m.Defined():  # of a book that is not linked
            return str(e)


def say_call(function: str, said: Sequence[str]) -> str:
    """`cover rounded down`, `the least of a and b`."""
    shapes = {"floor": "{} rounded down", "ceil": "{} rounded up", "abs": "the size of {}"}
    if function in shapes:
        return shapes[function].format(said[0])
    return f"the {'least' if function == 'min' else 'greatest'} of {series(said)}"


def say_head(vocabulary: Vocabulary, head: m.Head) -> str:
    """What a norm says, as `permits it`, `counts it as a bunker`, `sets cover to 4`."""
    match head:
        case m.Deontic(mode, act):
            return f"{mode} {article(vocabulary.classes[act].label)}"
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
            return {
                m.SETS: f"sets {label} to {amount}", m.ADDS: f"adds {amount} to {label}",
                m.MULTIPLIES: f"multiplies {label} by {amount}", m.LIMITS: f"limits {label} to {bound} {amount}",
            }[op]  # fmt: skip
        case m.Change(op, quantity, path, value):
            whom = say_path(vocabulary, path) if path.steps else "it"
            return f"{op} {vocabulary.properties[quantity].label} of {whom} by {say_expr(vocabulary, value)}"
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
        case Absent(_, label, cls):
            return english.say_absent(vocabulary, label, cls)
        case Related(_, label, role, to, so):
            return english.say_link(vocabulary, role, label, to, so)
        case RelatedToKind(_, label, name, cls, so):
            return english.say_link(vocabulary, m.Role(name), label, english.noun(vocabulary.classes[cls]), so)
        case Reaches(_, label, role, filler, so):
            return say_filler(vocabulary, role, label, filler, so)
        case Lists():
            return say_list(vocabulary, fact)
        case LeadsTo(thing, label, name):
            return f"{english.role_phrase(vocabulary, m.Role(name), label)} (“{name}: …” of {thing})"
        case Flagged(_, label, flag, so):
            return english.say_flag(vocabulary, flag, label, so)
        case Amount(_, label, quantity, op, value):
            number = f"{vocabulary.properties[quantity].label} of {label}"
            return " ".join(f"{number} is {THAN[op]} {shown(value)}".split()) if op else number
        case OwnSide():
            return "the acting unit is on the asker's side"


def say_list(vocabulary: Vocabulary, fact: Lists) -> str:
    """What all there is to a relation is: `unit carries gun and nothing else`; `unit does not carry anything`."""
    label, role = fact.label, fact.role
    if not fact.to and not fact.perhaps and predicate_of(vocabulary, role):
        # The verb says it more plainly than `carries nothing`.
        term = vocabulary.properties[role.name]
        word = term.label
        verb = word.startswith("has ") or term.verbalization.startswith(f"{{s}} {word} ")  # b mans nothing
        if english.loose(word) is None and not verb:
            return f"no {word} of {label} is named"
        return english.say_link(vocabulary, role, label, "anything", False)
    only = f"{english.series(fact.to)} and nothing else" if fact.to else "nothing"
    if fact.perhaps:
        only += f" but, maybe, {english.series(fact.perhaps, 'or')}"
    return english.say_link(vocabulary, role, label, only)
