"""Terms, conditions and norms in plain English, from the ontology's own labels and verbalisations.

A verbalisation is a sentence with gaps: "{s} is a pillbox", "{s} is in {o}". A kind of act may have a synonym that
begins with "to" ("to move"), from which sentences such as "squad may not move into pillbox" are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from kb.language import norms as m
from kb.language.vocabulary import ABSENT, ClassTerm, Vocabulary
from kb.numbers import shown as shown

DENIED = {"is": "is not", "are": "are not", "was": "was not", "can": "cannot", "may": "may not", "must": "need not"}
PREPOSITIONS = (
    "into", "from", "at", "by", "with", "against", "in", "on", "through", "via", "to", "of", "under", "over", "for",
    "inside", "outside",
)  # fmt: skip
# Verbs that take what they are done to without a preposition, by the role it has.
DIRECT = {
    "target": ("attack", "assault", "gap", "cross", "see", "bombard", "overrun", "close assault", "rubble", "inspect"),
    "place": ("occupy",),
    "destination": ("enter",),
    "object": (
        "place", "set up", "re-roll", "gap", "cross", "turn", "lay out", "remove", "reveal", "inspect", "move", "predesignate", "switch on",
    ),
}  # fmt: skip
PERFECT = re.compile(r"has (already )?(been|had|shot|done|\w+ed)\b")
VERBS = ("carries", "possesses", "controls", "has", "holds", "uses", "sees")
AGGREGATES = {"count": "number of", "sum": "sum of"}
WHERE = ("at ", "in ", "on ", "under ", "inside ")
RELATIVE = ("with ", "not ", "that ")
ARTICLED = re.compile(r"(an?|the|no|nothing|with|not|every) ?\b")
MARK = re.compile(r"\[(EXC|BUT)\s+[\w-]+\s*:\s*")
SIGNS = {"=": "exactly", "!=": "other than", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}


# ── nouns ──


def article(label: str) -> str:
    """`a squad`, `an ogre`, `a unit`, `an MMC`."""
    return f"{'an' if vowel(label) else 'a'} {label}"


def vowel(label: str) -> bool:
    """Whether a word is spoken with a vowel first; letters of an abbreviation are spoken one by one."""
    word = label.split(" ")[0]
    if sum(ch.isupper() for ch in word) > 1:
        return word[:1] in "AEFHILMNORSX"
    if word.lower().startswith(("one-", "once-")) or word.lower() == "one":  # spoken with a w
        return False
    return word[:1].lower() in "aeio" or (word[:1].lower() == "u" and not word.lower().startswith(("uni", "use")))


def series(items: Iterable[str], word: str = "and") -> str:
    """`a, b and c`."""
    listed = list(items)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {word} {listed[-1]}" if listed else "nothing"


def complement(term: ClassTerm) -> str:
    """What a member of a class is said to be, without the subject: `is a pillbox`, `is pinned`."""
    if term.verbalization and "{s}" in term.verbalization:
        return term.verbalization.replace("{s}", "").strip()
    state = term.when_unstated == ABSENT or term.derived
    return f"is {term.label}" if state else f"is {article(term.label)}"


def noun(term: ClassTerm) -> str:
    """A class as a noun phrase: `a squad`, or `pinned`, or `that has moved`, where the ontology says it so."""
    said = complement(term)
    return said.removeprefix("is ") if said.startswith("is ") else f"that {said}"


def adjectival(term: ClassTerm) -> bool:
    """Whether a class says how a thing is rather than what it is: `with LOS through opposite hexspines`, `resolved normally`."""
    if any(alt.startswith("to ") for alt in term.alt):
        return False
    first = term.label.split()[0]
    return noun(term).startswith("that ") or first in PREPOSITIONS or first.endswith(("ed", "ing"))


def any_of(term: ClassTerm) -> str:
    """Any member of a class, as the subject of an axiom: `a squad is …`, `infantry is …`, `what is pinned is …`."""
    said = noun(term)
    if said.startswith("that "):
        return f"what {said.removeprefix('that ')}"
    state = (term.when_unstated == ABSENT or term.derived) and not ARTICLED.match(said)
    return f"what is {said}" if state or said.startswith(WHERE) else said


# ── sentences ──


def negated(predicate: str) -> str:
    """`is in {o}` to `is not in {o}`; `carries {o}` to `does not carry {o}`; `has moved` to `has not moved`."""
    if PERFECT.match(predicate):
        return f"has not{predicate.removeprefix('has')}"
    for verb, denied in DENIED.items():
        if predicate == verb or predicate.startswith(verb + " "):
            return denied + predicate[len(verb) :]
    verb, _, rest = predicate.partition(" ")
    return f"does not {base_form(verb)} {rest}".strip()


def base_form(verb: str) -> str:
    """The base form of a verb in the third person: `carries` to `carry`, `passes` to `pass`, `is` to `be`."""
    irregular = {"is": "be", "are": "be", "has": "have", "does": "do", "goes": "go"}
    if verb in irregular:
        return irregular[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if re.search(r"(ss|sh|ch|x|zz)es$", verb):
        return verb[:-2]
    return verb.removesuffix("s")


def say_class(vocabulary: Vocabulary, subject: str, cls: str, positive: bool = True) -> str:
    """`squad is pinned` / `squad is not pinned`."""
    said = complement(vocabulary.classes[cls])
    return f"{subject} {said if positive else negated(said)}"


def say_absent(vocabulary: Vocabulary, subject: str, cls: str) -> str:
    """`squad is not pinned`; of what is so only where it is shown to be: `nothing said shows that shot is at Long Range`."""
    if vocabulary.classes[cls].unshown:
        return f"nothing said shows that {say_class(vocabulary, subject, cls)}"
    return say_class(vocabulary, subject, cls, False)


def say_link(vocabulary: Vocabulary, role: m.Role, subject: str, other: str, positive: bool = True) -> str:
    """`foe is in yard`; without a verbalisation, `destination of move is pillbox`."""
    term = vocabulary.properties[role.name]
    if role.inverse:
        subject, other = other, subject
    template = term.verbalization
    if "{s}" not in template or "{o}" not in template:
        return f"{term.label} of {subject} is {'' if positive else 'not '}{other}"
    if ARTICLED.match(other):
        template = re.sub(r"\b(an?|the) \{o\}", "{o}", template)
    else:
        template = re.sub(r"\ban? \{o\}", f"{'an' if vowel(other) else 'a'} {{o}}", template)
    if not positive:
        gap, _, predicate = template.partition(" ")
        plain = gap in ("{s}", "{o}")
        template = f"{gap} {negated(predicate)}" if plain else template.replace(" is ", " is not ", 1)
    return template.replace("{s}", subject).replace("{o}", other)


def say_flag(vocabulary: Vocabulary, name: str, subject: str, positive: bool = True) -> str:
    """`keep is drawn` / `keep is not drawn`; `move makes the place overstacked`."""
    term = vocabulary.properties[name]
    predicate = term.verbalization.removesuffix("{o}").rstrip(": ")
    if not predicate.startswith("{s} ") or "{o}" in predicate:
        first = term.label.split(" ")[0]
        predicate = term.label if first.endswith("s") and not first.endswith("ss") else f"is {term.label}"
    predicate = predicate.removeprefix("{s} ")
    return f"{subject} {predicate if positive else negated(predicate)}"


def role_phrase(vocabulary: Vocabulary, role: m.Role, subject: str) -> str:
    """`occupant of yard`, `what shot is against`; for an inverse role `what has yard as its outside`."""
    label = vocabulary.properties[role.name].label
    if role.inverse:
        return f"what has {subject} as its {label}"
    return f"{label} of {subject}" if loose(label) is None else clause(vocabulary, role.name, subject)


def loose(label: str) -> str | None:
    """The verb that a label which is no noun goes with: `is` for `against`, none for `carries`; None for a noun."""
    first, last = label.split(" ")[0], label.split(" ")[-1]
    if last in (*PREPOSITIONS, "as") or first.endswith("ing"):
        return "is"
    return "" if " " not in label and label in VERBS else None


def say_filler(vocabulary: Vocabulary, role: m.Role, subject: str, filler: m.Condition, positive: bool = True) -> str:
    """A relation to something of a kind: `go leads into a keep`, `actor of go is pinned`."""
    wanted = say_condition(vocabulary, filler)
    if role.inverse or wanted.startswith(("a ", "an ", "with ", "that ")):
        return say_link(vocabulary, role, subject, as_object(vocabulary, filler), positive)
    predicate = f"is {wanted}"
    if isinstance(filler, m.Named):
        predicate = complement(vocabulary.classes[filler.name])
    return f"{role_phrase(vocabulary, role, subject)} {predicate if positive else negated(predicate)}"


def say_act(vocabulary: Vocabulary, cls: str, actor: str, others: Sequence[tuple[str, str]], modal: str) -> str:
    """`squad may not move into pillbox`: an act in one sentence. others: (property, thing) pairs besides the actor.

    modal: "may", "may not", "must", "need not". The verb is a synonym of the act's class that begins with "to".
    """
    term = vocabulary.classes[cls]
    verb = next((alt.removeprefix("to ") for alt in term.alt if alt.startswith("to ")), "")
    if verb and actor:
        straight = next((pair for pair in others if verb in DIRECT.get(pair[0], ())), None)
        done_to = f" {straight[1]}" if straight else ""
        tail = "".join(adjunct(vocabulary, prop, thing) for prop, thing in others if (prop, thing) != straight)
        return f"{actor} {modal} {verb}{done_to}{tail}"
    ends: dict[str, list[str]] = {}
    for prop, thing in others:
        ends.setdefault(prop, []).append(thing)
    gerund = " " in term.label and term.label.split()[0].endswith("ing")  # `forming a Fire Group`
    tail = "".join(
        f" of {series(things)}" if prop == "object" and not gerund else adjunct(vocabulary, prop, series(things))
        for prop, things in ends.items()
    )
    act = f"{actor}'s {term.label}" if actor else term.label if gerund else article(term.label)
    said = {"may": "is allowed", "may not": "is not allowed", "must": "must be done", "need not": "need not be done"}
    return f"{act}{tail} {said[modal]}"


def plurals(vocabulary: Vocabulary, name: str) -> list[str]:
    """The relations akin to this one (below one that it is below) that take several things: `firers` beside `actor`."""
    properties = vocabulary.properties
    if name not in properties:
        return []
    akin = [p for p in properties.values() if p.name != name and name in p.below]
    found = [n for p in akin for n in p.below if n != p.name and n not in properties[name].below]
    return list(dict.fromkeys(n for n in found if not properties[n].functional))


def adjunct(vocabulary: Vocabulary, prop: str, thing: str) -> str:
    """` into pillbox` from a property's verbalisation "{s} goes into {o}"; else ` (destination: pillbox)`."""
    term = vocabulary.properties[prop]
    words = term.verbalization.replace("{s}", "").split()
    for i, word in enumerate(words):
        if word in PREPOSITIONS and "{o}" in words[i:]:
            said = " ".join(words[i:]).replace("{o}", thing)
            return f" as part {said}" if words[i - 1 : i] == ["part"] else f" {said}"
    return f" ({term.label}: {thing})"


def chain(vocabulary: Vocabulary, low: str, high: str) -> list[tuple[str, str]]:
    """The shortest way up the class tree: (class, parent) pairs, each an axiom of the classified tree."""
    ways: list[list[str]] = [[low]]
    seen = {low}
    while ways:
        way = ways.pop(0)
        if way[-1] == high:
            return list(pairwise(way))
        for parent in vocabulary.classes[way[-1]].parents:
            if parent not in seen and high in vocabulary.classes[parent].ancestors:
                seen.add(parent)
                ways.append([*way, parent])
    return [(low, high)] if low != high else []


def say_chain(vocabulary: Vocabulary, low: str, high: str) -> str:
    """`a squad is an MMC, an MMC is infantry`."""
    classes = vocabulary.classes
    return ", ".join(f"{any_of(classes[a])} {complement(classes[b])}" for a, b in chain(vocabulary, low, high))


# ── conditions ──


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


def clause(vocabulary: Vocabulary, name: str, subject: str) -> str:
    """What a relation whose label is no noun leads to: `what shot is against`, `the place it is done from`."""
    term = vocabulary.properties[name]
    gap, _, predicate = term.verbalization.partition(" ")
    if gap == "{s}" and predicate.endswith(" {o}") and predicate.split()[-2] == term.label.split()[-1]:
        place = term.range in vocabulary.classes and "Place" in vocabulary.classes[term.range].ancestors
        return f"{'the place' if place else 'what'} {subject} {predicate.removesuffix(' {o}')}"
    return f"what {subject} {loose(term.label)} {term.label}".replace("  ", " ")


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
        case m.Effect(cls, path, _):
            whom = say_path(vocabulary, path) if path.steps else "it"
            made = noun(vocabulary.classes[cls])
            return f"makes {whom} {'one ' if made.startswith('that ') else ''}{made}"


def would(said: str) -> str:
    """`sets cover to 4` to `would set cover to 4`."""
    verb, _, rest = said.partition(" ")
    return f"would {base_form(verb)} {rest}"


def sentence(text: str) -> str:
    """A paraphrased sentence without its marks: `[EXC enemy: …]` as `[EXC: …]`, `[BUT x: only …]` as `only …`."""
    out = ""
    depth: list[str] = []
    i = 0
    while i < len(text):
        if match := MARK.match(text, i):
            kind = match.group(1)
            depth.append(kind)
            out += "[EXC: " if kind == "EXC" else ""
            i = match.end()
            continue
        if text[i] == "[":
            depth.append("EXC")
        if text[i] == "]" and depth:
            out += "" if depth.pop() == "BUT" else "]"
        else:
            out += text[i]
        i += 1
    return out
