"""Norms speak in normal words: what a case may tell otherwise is turned into them before any norm is tried (kb.cases.completion).

A norm that asks for a told word would ask in vain, and be passed over in silence. So it is a fault (E223), with the word to write:

* a relation of an act that is taken for another one of it (`lp:takenFor`: the `place` of an Entry is its `destination`);
* a relation by which a case tells another one (`lp:toldBy`: with whom a unit shares a Location is where it is);
* what an act is done to or with as it is of a kind (`lp:toldByKind`: a weapon that fires is the `weapon` of the shot);
* a wide kind of act by which a case tells another one (`lp:toldAs`: the Placement of a charge is a PlacedDC).

A norm with several heads may ask for what is a normal word of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.errors import Problem
from kb.language import norms as m
from kb.language.vocabulary import AT, Vocabulary
from kb.rulebook.places import Lines, of_word

Asked = tuple[m.Role, m.Condition]  # a relation of the focus that a condition reads, and what it is to lead to
Amiss = tuple[str, str]  # a told word, and the normal one


def faults(norms: Iterable[m.Norm], vocabulary: Vocabulary, lines: Lines) -> Iterator[Problem]:
    """A fault for each told word that a linked norm asks for."""
    written: dict[str, list[m.Norm]] = {}
    for norm in norms:
        written.setdefault(norm.part_of or norm.id, []).append(norm)
    for name, heads in written.items():
        amiss = [dict(told(norm, vocabulary)) for norm in heads]
        for word, normal in amiss[0].items():
            if all(word in found for found in amiss):
                place, text = of_word(word.split()[0], heads[0].place, lines)
                message = f"{name} asks for “{word}”, which cases are understood to mean otherwise before it is tried"
                yield Problem(223, message, place, f"the normal word is “{normal}”", text)


def told(norm: m.Norm, vocabulary: Vocabulary) -> Iterator[Amiss]:
    """The told words that a norm asks for, each with the normal one."""
    act = m.subject_of(norm.head)
    conditions = (norm.when, *(unless.condition for unless in norm.unless))
    with_it = {word for way in [vocabulary.told.get(AT)] if way is not None for word in way.roles}
    taken = vocabulary.meant_by.get(act, {})
    for condition in conditions:
        for role, filler in asked(condition, True):
            if not role.inverse and role.name in taken and not covers(role.name, taken[role.name], vocabulary):
                yield role.name, taken[role.name]
            for normal, way in vocabulary.by_kind.get(act, ()):
                wide = covers(way.role, normal, vocabulary)
                if role.name == way.role and not wide and is_a(filler, way.kind, vocabulary):
                    yield f"{way.role} some {filler}", normal
            for with_role, kind, meant in vocabulary.told_otherwise.get(act, ()):
                narrower = act in vocabulary.classes[meant].ancestors
                if role.name == with_role and not narrower and is_a(filler, kind, vocabulary):
                    yield f"{with_role} some {filler}", meant
        for role, _ in asked(condition, False):
            if role.name in with_it:
                yield role.name, AT


def covers(wide: str, role: str, vocabulary: Vocabulary) -> bool:
    """Whether one relation holds wherever another does: `against` reads the `target`."""
    return role in vocabulary.properties[wide].below


def is_a(filler: m.Condition, kind: str, vocabulary: Vocabulary) -> bool:
    """Whether a condition asks for a class of some kind by name."""
    return isinstance(filler, m.Named) and kind in vocabulary.classes[filler.name].ancestors


def asked(condition: m.Condition, here: bool) -> Iterator[Asked]:
    """The relations that a condition reads, each with what it leads to; `here`: those of the focus alone."""
    match condition:
        case m.And(parts) | m.Or(parts):
            for part in parts:
                yield from asked(part, here)
        case m.Not(of) | m.Bind(of, _):
            yield from asked(of, here)
        case m.Except(base, carve, _):
            yield from asked(base, here)
            yield from asked(carve, here)
        case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
            yield role, filler
            if not here:
                yield from asked(filler, here)
        case m.HasValue(role, _):
            yield role, m.Anything()
        case m.Of(root, of) if root == "this" or not here:
            yield from asked(of, here)
