"""Where a talk can begin: the kinds of act of a book, the usual ones first; and the narrower kinds that an answer may be given in."""

from __future__ import annotations

from dataclasses import dataclass

from kb.answers.openings import SIDES, WIDE, Opening, main_kinds
from kb.language import english
from kb.language.case import Case
from kb.rulebook.theory import Theory

ACT = "Act"
MOST_KINDS = 8


@dataclass(frozen=True, slots=True)
class Start:
    """A kind of act. label: what it is called; also: its other words; means: what it is; norms: how many say whether it may be done."""

    name: str
    label: str
    also: tuple[str, ...]
    means: str
    norms: int


def starts(theory: Theory) -> tuple[Start, ...]:
    """The kinds of act that one asks about, those on which most is said first; what all games share goes before a game's own."""
    classes = theory.vocabulary.classes
    heads = [norm.head.act for norm in theory.deontic]  # type: ignore[union-attr]
    found: list[tuple[float, Start]] = []
    for name in classes[ACT].descendants - {ACT}:
        term = classes[name]
        if english.adjectival(term):
            continue
        direct = heads.count(name)
        akin = sum(1 for act in heads if act != ACT and act != name and act in term.ancestors | term.descendants)
        weight = (direct + akin / 4) * (2 if any(alt.startswith("to ") for alt in term.alt) else 1)
        weight *= 1 if theory.vocabulary.own(name) else 2
        found.append((weight, Start(name, term.label, term.alt, term.definition, direct + akin)))
    return tuple(start for _, start in sorted(found, key=lambda row: (-row[0], row[1].label)))


def kinds(theory: Theory, opening: Opening) -> dict[str, tuple[str, ...]]:
    """By label of what is offered for an opening: the labels of the narrower kinds of which rules speak most, where there are any.

    Whoever is asked whether an enemy is there may as well say of what kind he is.
    """
    classes = theory.vocabulary.classes
    if opening.kind not in ("link", "is") or not opening.options:
        return {}
    found = {}
    for name in opening.options:
        wide = next((n for n in WIDE if n in classes), name) if name in SIDES else name
        narrower = [n for n in main_kinds(theory, wide) if n != name]
        below = [n for one in narrower for n in (one, *main_kinds(theory, one)) if n not in SIDES]
        if below:
            found[classes[name].label] = tuple(classes[n].label for n in dict.fromkeys(below))[:MOST_KINDS]
    return found


def there(theory: Theory, case: Case, opening: Opening) -> tuple[str, ...]:
    """The things of a case that could fill an opening."""
    if opening.kind != "link":
        return ()
    known = theory.vocabulary
    return tuple(
        name for name, facts in case.things.items()
        if name != opening.thing and any(known.entails(facts.is_, cls) for cls in opening.options)
    )  # fmt: skip
