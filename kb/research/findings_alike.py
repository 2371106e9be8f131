"""Findings about norms of which one says what another says, as their form shows: no situation is looked for.

    permits Entry  when actor some Infantry and FromInside                 says all that
    permits Entry  when actor some Infantry and FromInside and ByTunnel    says

Where the two stand in different rules, kb.research.findings_twice looks for situations too, and what it finds goes by the same name.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import PROVEN, Finding
from kb.research.study import Study, concluded
from kb.rulebook.compiler import conjuncts


def findings(study: Study) -> Iterator[Finding]:
    """A finding for each norm that asks for all that another asks for, and for more, and says the same."""
    by_head: dict[str, list[m.Norm]] = {}
    for norm in study.theory.norms.values():
        by_head.setdefault(str(norm.head), []).append(norm)
    seen: set[tuple[str, ...]] = set()
    for norms in by_head.values():
        for wide in norms:
            for narrow in norms:
                if not takes_in(wide, narrow):
                    continue
                found = repeated(study, wide, narrow)
                if (name := (*found.rules, found.key)) not in seen:
                    seen.add(name)
                    yield found


def takes_in(wide: m.Norm, narrow: m.Norm) -> bool:
    """Whether one norm applies wherever another does, by what each asks for; of two that ask for the same the first by name."""
    if wide is narrow or (wide.part_of or wide.id) == (narrow.part_of or narrow.id):
        return False
    one, other = asks(wide), asks(narrow)
    return one[0] <= other[0] and one[1] <= other[1] and (one != other or wide.id < narrow.id)


def asks(norm: m.Norm) -> tuple[frozenset[str], frozenset[str]]:
    """The parts of a norm's condition, and its exceptions."""
    parts = frozenset(str(part) for part in conjuncts(norm.when) if not isinstance(part, m.Anything))
    return parts, frozenset(str(unless.condition) for unless in norm.unless)


def repeated(study: Study, wide: m.Norm, narrow: m.Norm) -> Finding:
    """The finding that a norm says nothing that another does not."""
    said = phrases.say_head(study.theory.vocabulary, wide.head)
    key = "" if wide.rule != narrow.rule else f"{wide.id} {narrow.id}"
    return Finding(
        study.book.id, "repeated", tuple(sorted({wide.rule, narrow.rule})), f"{narrow.id} says what {wide.id} says ({said}), and asks for more.",
        f"Could {narrow.id} be left out?", "the parts of the two conditions", PROVEN, (wide.id, narrow.id),
        tuple(sorted(concluded(wide) & concluded(narrow))), (study.chain(wide), study.chain(narrow)), None, key,
    )  # fmt: skip
