"""Conditions and expressions as phrases: `a squad that is not pinned`, `targets of shot that are pinned`, `twice wall of target`.

Made of the nouns and sentences of kb.language.english, from the labels and verbalisations of the ontology.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from kb.language import english, norms as m, number_phrases
from kb.language.english import ARTICLED, complement, negated, noun, say_link, series
from kb.language.inflection import plural_verb
from kb.language.kinds import kind_at as kind_at, kindly, manifold as manifold, stative as stative
from kb.language.number_phrases import (
    bracketed as bracketed,
    say_arith as say_arith,
    say_call as say_call,
    say_entry as say_entry,
    say_path as say_path,
    say_taken as say_taken,
)
from kb.language.relations import (
    ARTICLE,
    PREPOSITIONS,
    predicate_of as predicate_of,
    predicate_of_end as predicate_of_end,
    role_phrase,
    sentence,
    verbal,
    with_object,
)
from kb.language.stand_ins import plain
from kb.language.vocabulary import Vocabulary

SIGNS = {"=": "exactly", "!=": "other than", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
UNLIKE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
CLAUSES = ("with ", "without ", "whose ", "that ", "which ", "other than ", "not one ")
RELATIVE = ("not ", *CLAUSES)
MOST_SAID = 20_000  # phrases remembered: the norms of all books have some ten thousand conditions


def say_filler(vocabulary: Vocabulary, role: m.Role, subject: str, filler: m.Condition, positive: bool = True) -> str:
    """A relation to something of a kind: `go leads into a keep`, `actor of go is pinned`."""
    if role.inverse or manifold(vocabulary.properties[role.name]) or not stative(vocabulary, filler):
        if not positive and predicate_of_end(vocabulary, role):
            return say_link(vocabulary, role, subject, none_of(vocabulary, filler))
        other = as_object(vocabulary, filler, kind_at(vocabulary, role, positive))
        return say_link(vocabulary, role, subject, other, positive)
    predicate = f"is {say_condition(vocabulary, filler)}"
    if isinstance(filler, m.Named):
        predicate = complement(vocabulary.classes[filler.name])
    return f"{role_phrase(vocabulary, role, subject)} {predicate if positive else negated(predicate)}"


@lru_cache(maxsize=MOST_SAID)
def say_condition(vocabulary: Vocabulary, c: m.Condition) -> str:
    """A short phrase for what a condition asks for: `a keep`, `a phase that is a night phase`."""
    c = plain(vocabulary, c)
    match c:
        case m.Named(name):
            return noun(vocabulary.classes[name])
        case m.And(parts):
            return joined(vocabulary, parts)
        case m.Or(parts):
            return series([say_condition(vocabulary, p) for p in parts], "or")
        case m.Not(m.Some(role, m.Not(m.Same(target)))) if predicate_of(vocabulary, role):
            return f"that {put(predicate_of(vocabulary, role), f'nothing but {say_path(vocabulary, target)}')}"
        case m.Not(m.HasValue(role, target) | m.Some(role, m.Same(target))):
            return whose(vocabulary, role, say_path(vocabulary, target), False)
        case m.Not(m.Some(role, filler)) if predicate_of(vocabulary, role):
            wanted = as_object(vocabulary, filler, kind_at(vocabulary, role, False))
            return f"that {put(negated(predicate_of(vocabulary, role)), wanted)}"
        case m.Not(m.Some(role, filler)) if predicate_of_end(vocabulary, role):
            return f"with {placed(none_of(vocabulary, filler), predicate_of_end(vocabulary, role))}"
        case m.Not(m.Named(name)) if noun(vocabulary.classes[name]).startswith("that "):
            return f"that {negated(complement(vocabulary.classes[name]))}"
        case m.Not(m.Same(target)):
            return f"other than {say_path(vocabulary, target)}"
        case m.Not(m.Bind(of, _) | m.Of(_, of)):
            return say_condition(vocabulary, m.Not(of))
        case m.Not(m.Not(of)):
            return say_condition(vocabulary, of)
        case m.Not(m.Compare(left, op, right)):
            return say_condition(vocabulary, m.Compare(left, UNLIKE[op], right))
        case m.Not(m.Flag(name, value)):
            return say_condition(vocabulary, m.Flag(name, not value))
        case m.Not(m.Or(parts)) if not all(isinstance(part, m.Named) for part in parts):
            return joined(vocabulary, [m.Not(part) for part in parts])
        case m.Not(m.And(parts)) if not stative(vocabulary, c.of):
            return series([say_condition(vocabulary, m.Not(part)) for part in parts], "or")
        case m.Not(of):
            said = say_condition(vocabulary, of)
            if said.startswith("not "):
                return said.removeprefix("not ")
            if said.startswith("unable "):
                return said.removeprefix("un")
            if said.startswith("with no "):
                return f"with some {said.removeprefix('with no ')}"
            if said.startswith("with "):
                return f"without {said.removeprefix('with ')}"
            return f"not one {said}" if said.startswith(CLAUSES) else f"not {said}"
        case m.Except(base, carve, _):
            return f"{say_condition(vocabulary, base)} (except {say_condition(vocabulary, carve)})"
        case m.HasValue(role, target) | m.Some(role, m.Same(target)):
            return whose(vocabulary, role, say_path(vocabulary, target))
        case m.Some(role, filler) if predicate_of(vocabulary, role):
            wanted = as_object(vocabulary, filler, kind_at(vocabulary, role))
            return f"that {put(predicate_of(vocabulary, role), wanted)}"
        case m.Some(role, filler) if predicate_of_end(vocabulary, role):
            term = vocabulary.properties[role.name]
            if term.functional and not role.inverse and not verbal(term):
                return f"whose {term.label} {predicative(vocabulary, filler)}"
            end = as_object(vocabulary, filler, kind_at(vocabulary, role))
            return f"with {placed(end, predicate_of_end(vocabulary, role))}"
        case m.Some(role, filler):
            return f"with {vocabulary.properties[role.name].label}: {say_condition(vocabulary, filler)}"
        case m.Only(role, filler):
            return f"with only {ends(vocabulary, role, 'it', filler)}"
        case m.Count(role, "max", 0, filler):
            return f"with no {ends(vocabulary, role, 'it', filler, False)}"
        case m.Count(role, kind, n, filler):
            amount = {"min": f"at least {n}", "max": f"at most {n}", "exactly": f"exactly {n}"}[kind]
            return f"with {amount} {ends(vocabulary, role, 'it', filler, n != 1)}"
        case m.Same(target):
            return f"the same as {say_path(vocabulary, target)}"
        case m.Flag(name, value):
            return f"that {english.flag_predicate(vocabulary, name, value)}"
        case m.Compare(left, op, right):
            first, second = (bracketed(e, say_expr(vocabulary, e), 1) for e in (left, right))
            return f"with {first} {SIGNS[op]} {second}"
        case m.Bind(of, _) | m.Of(_, of):
            return say_condition(vocabulary, of)
    return "anything"


def whose(vocabulary: Vocabulary, role: m.Role, other: str, positive: bool = True) -> str:
    """A relation to something known, behind a noun: `that is aimed at box`, `which the actor is in`, `with box as its outside`."""
    if predicate := predicate_of(vocabulary, role):
        return f"that {put(predicate if positive else negated(predicate), other)}"
    gap, _, predicate = sentence(vocabulary, role).partition(" ")
    if gap == "{o}" and (predicate.endswith(" {s}") or role.inverse):
        said = (predicate if positive else negated(predicate)).replace("{s}", "it")
        return f"which {other} {said.removesuffix(' it')}" if said.endswith(" it") else f"with {other} {being(said)}"
    return f"with {other} {'' if positive else 'not '}as its {vocabulary.properties[role.name].label}"


def being(said: str) -> str:
    """`is the outside of it in its hex` to `as the outside of it in its hex`; `fires at it too` to `such that it fires at it too`."""
    for verb, instead in (("is not ", "not as "), ("is ", "as ")):
        if said.startswith(verb):
            return instead + said.removeprefix(verb)
    return f"such that it {said}"


def placed(end: str, predicate: str) -> str:
    """`an enemy that is pinned` and `is in it` to `an enemy in it that is pinned`; with `shoots in it`: `… that is pinned and shoots in it`."""
    where = predicate.removeprefix("is ")
    if where != predicate and where.split()[0] in PREPOSITIONS:
        more = re.search(r" (that|with|without|which|whose|other than)\b| \(", end)
        at = more.start() if more is not None else len(end)
        return f"{end[:at]} {where}{end[at:]}"
    if " that " not in end:
        return f"{end} that {predicate}"
    plain = end.count(" that ") == 1 and not re.search(r" (with|which|whose|or)\b", end)
    return f"{end} and {'' if plain else 'that '}{predicate}"


def predicative(vocabulary: Vocabulary, c: m.Condition) -> str:
    """A condition as a verb phrase: `is pinned`, `has an enemy in it`, `leads into a keep`."""
    if isinstance(c, m.Or) and not kindly(vocabulary, c) and not stative(vocabulary, c):
        return series([predicative(vocabulary, part) for part in c.parts], "or")
    said = either(vocabulary, c)
    if said.startswith("which "):
        return f"is what {said.removeprefix('which ')}"
    for begins, verb in (("that ", ""), ("with ", "has "), ("without ", "lacks ")):
        if said.startswith(begins) and not re.search(r", (that|with)|(and|or) (that|with)\b", said):
            return verb + said.removeprefix(begins)
    return f"is one {said}" if said.startswith(CLAUSES) else f"is {said}"


def put(predicate: str, other: str) -> str:
    """`is in a {o}` and `a PFPh` to `is in a PFPh`."""
    return with_object(predicate, other, ARTICLED.match(other) is not None)


def as_object(vocabulary: Vocabulary, c: m.Condition, kind: str = "something") -> str:
    """A condition as what a verb is done to: `a gun`, `something that is pinned`, `a unit that carries a gun`."""
    if isinstance(c, m.Same):
        return say_path(vocabulary, c.target)
    wanted = say_condition(vocabulary, c)
    if isinstance(c, m.Or) and not stative(vocabulary, c):
        return series([as_object(vocabulary, part, kind) for part in c.parts], "or")
    if wanted.startswith(CLAUSES):
        return f"{kind} {wanted}"
    return f"{kind} that is {wanted}" if stative(vocabulary, c) else wanted


def say_none(vocabulary: Vocabulary, role: m.Role, subject: str, filler: m.Condition, it: str = "") -> str:
    """A relation to nothing of a kind: `go leads into no keep`; `go does not lead into a keep that is full or anything in a moat`.

    it: what the thing that a path begins with is called.
    """
    if isinstance(filler, m.Same):  # to nothing that is the same as it: not to it
        return say_link(vocabulary, role, subject, say_path(vocabulary, filler.target, it), False)
    wanted = say_condition(vocabulary, filler)
    if wanted.startswith("the "):  # there is one of it: the Island Command Bunker
        return say_link(vocabulary, role, subject, wanted, False)
    simple = not isinstance(filler, m.Or) or kindly(vocabulary, filler) or stative(vocabulary, filler)
    if simple or predicate_of_end(vocabulary, role):
        return say_link(vocabulary, role, subject, none_of(vocabulary, filler))
    return say_link(vocabulary, role, subject, as_object(vocabulary, filler, "anything"), False)


def none_of(vocabulary: Vocabulary, c: m.Condition) -> str:
    """`no tunnel`, `no gun or mortar`, `nothing that is drawn`, `nothing with a gun`."""
    said = [say_condition(vocabulary, part) for part in c.parts] if isinstance(c, m.Or) else []
    if said and all(re.match(r"an? [^,]*$", one) and " that " not in one for one in said):
        return f"no {series([one.split(' ', 1)[1] for one in said], 'or')}"
    if kindly(vocabulary, c):
        return f"no {re.sub(r'^an? ', '', say_condition(vocabulary, c))}"
    return nothing(as_object(vocabulary, c, "anything") if isinstance(c, m.Or) else say_condition(vocabulary, c))


def nothing(wanted: str) -> str:
    """`no tunnel`, `nothing that is drawn`, `nothing with a gun`."""
    if match := re.match(r"an? ", wanted):
        return f"no {wanted[match.end() :]}"
    if match := re.match(r"anything\b ?", wanted):
        return f"nothing {wanted[match.end() :]}".rstrip()
    return f"nothing {wanted}" if wanted.startswith(CLAUSES) else f"nothing that is {wanted}"


def joined(vocabulary: Vocabulary, parts: Sequence[m.Condition], many: bool = False, things: str = "") -> str:
    """A conjunction: `an enemy with a gun that is in it, and that is a ground unit and not pinned`.

    many: of several, `enemies that are pinned`; things: what they are called where no part says of what kind they are.
    """
    parts = [p for p in taken_apart(vocabulary, parts) if say_condition(vocabulary, p) != "anything"]
    said = [either(vocabulary, p) for p in parts]
    kinds = [i for i, p in enumerate(parts) if kindly(vocabulary, p)]
    head = said[kinds[0]] if kinds else ""
    if many:
        head = say_many(vocabulary, parts[kinds[0]]) if kinds else things
    plain = [s for i, s in enumerate(said) if i not in kinds[:1] and not s.startswith(CLAUSES)]
    plain.sort(key=lambda s: s.startswith("not "))
    asides = [s for s in said if s.startswith(CLAUSES) and not s.startswith("that ")]
    verbs = [f"is {all_of(plain)}"] if plain else []
    clauses = [
        (s.removeprefix("that "), isinstance(p, m.Or))
        for p, s in zip(parts, said, strict=True)
        if s.startswith("that ")
    ]
    if not head and not asides and plain and not clauses:
        return all_of(plain)
    if many:
        verbs, clauses = [plural_verb(v) for v in verbs], [(plural_verb(v), split) for v, split in clauses]
    verbs += [f"either {v}" if split and len(verbs) + len(clauses) > 1 else v for v, split in clauses]
    tails = [*asides, *([f"that {series(verbs)}"] if verbs else [])]
    return " ".join(filter(None, [head, series(tails) if tails else ""]))


def taken_apart(vocabulary: Vocabulary, parts: Sequence[m.Condition]) -> Iterator[m.Condition]:
    """The parts of a conjunction, those of a definition that is one of them for it."""
    for part in map(partial(plain, vocabulary), parts):
        yield from taken_apart(vocabulary, part.parts) if isinstance(part, m.And) else (part,)


def either(vocabulary: Vocabulary, c: m.Condition) -> str:
    """A condition as a part of a conjunction; alternatives of which not all are kinds, or not all states, as `that is pinned or with …`."""
    if not isinstance(c, m.Or) or kindly(vocabulary, c) or stative(vocabulary, c):
        return say_condition(vocabulary, c)
    said = [either(vocabulary, part) for part in c.parts]
    told = sorted((s if s.startswith(CLAUSES) else f"that is {s}" for s in said), key=lambda s: s.startswith("that "))
    if all(s.startswith("that ") for s in told):
        return f"that {series([s.removeprefix('that ') for s in told], 'or')}"
    return series(told, "or")


def all_of(plain: Sequence[str]) -> str:
    """`pinned, an enemy and not broken`; `not berserk or heroic`."""
    if len(plain) > 1 and all(s.startswith("not ") for s in plain):
        return f"not {series([s.removeprefix('not ') for s in plain], 'or')}"
    return series(plain)


def say_many(vocabulary: Vocabulary, c: m.Condition, things: str = "things") -> str:
    """A condition of several things: `units that are pinned`; things: what they are called where it says no kind."""
    c = plain(vocabulary, c)
    match c:
        case m.Anything():
            return things
        case m.And(parts):
            return joined(vocabulary, parts, True, things)
        case m.Or(parts) if not stative(vocabulary, c):
            return series([say_many(vocabulary, part, things) for part in parts], "or")
        case m.Except(base, carve, _):
            return f"{say_many(vocabulary, base, things)} (except {say_many(vocabulary, carve, things)})"
        case m.Named() if kindly(vocabulary, c):
            wanted = say_condition(vocabulary, c)
            return english.plural(wanted.split(" ", 1)[1]) if wanted.startswith(("a ", "an ")) else wanted
    wanted = say_condition(vocabulary, c)
    if wanted.startswith("that "):
        return f"{things} that {plural_verb(wanted.removeprefix('that '))}"
    return f"{things} {wanted}" if wanted.startswith(CLAUSES) else f"{things} that are {wanted}"


def ends(vocabulary: Vocabulary, role: m.Role, subject: str, filler: m.Condition, many: bool = True) -> str:
    """All that a relation leads to and that is of a kind: `minefields that go comes into`; or the one: `unit that it is manned by`."""
    term = vocabulary.properties[role.name]
    named = "things"
    if not many:
        wanted = re.sub(
            r"^(an? |some(?=thing))",
            "",
            as_object(vocabulary, filler, kind_at(vocabulary, role)).replace("anything", "thing"),
        )
        return f"{wanted}{' and' if ' that ' in wanted else ''} {led(vocabulary, role, subject, False)}"
    if not role.inverse and not verbal(term):
        named = f"{term.label if term.label.endswith('s') else english.plural(term.label)} of {subject}"
    kindless = isinstance(filler, m.Anything) or "#" in say_many(vocabulary, filler, "#")
    if kindless and named != "things":
        return say_many(vocabulary, filler, named)
    if named == "things" and kind_at(vocabulary, role) != "something":
        named = english.plural(kind_at(vocabulary, role).split(" ", 1)[-1])
    wanted = say_many(vocabulary, filler, named)
    return f"{wanted}{' and' if ' that ' in wanted else ''} {led(vocabulary, role, subject, True)}"


def led(vocabulary: Vocabulary, role: m.Role, subject: str, many: bool) -> str:
    """What a relation says of what it leads to, behind a noun: `that shot is aimed at`, `that are in yard`."""
    if predicate := predicate_of(vocabulary, role):
        first, _, rest = predicate.partition("{o}")
        several = re.fullmatch(r"the .*[^s]s", subject)
        first = ARTICLE.sub("", first.rstrip())
        return f"that {subject} {plural_verb(first) if several else first}{rest}"
    if predicate := predicate_of_end(vocabulary, role, subject):
        return f"that {plural_verb(predicate) if many else predicate}"
    return f"of {subject}"


@lru_cache(maxsize=MOST_SAID)
def say_expr(vocabulary: Vocabulary, e: m.Expr) -> str:
    """An expression in words as far as that helps: `twice cover otherwise`, `wall of target`."""
    return number_phrases.say_expr(vocabulary, e, ends)
