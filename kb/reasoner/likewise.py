"""What nobody told is found likewise: of two things of which nothing is told, and that are told to be of the same kind, the same follows.

A relation of which a case says nothing leads to a blank (`Situation.blank`). What is found of one, without a look at anything else of
the case, a theory keeps (`Finding`) with what of the blank it was found upon, and the next blank takes it over as its own, proof and
all: just what would be found anew. Its steps are written out when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kb.language import norms as m
from kb.reasoner.trace import Links, Outcome, Step, Thing, Towards
from kb.rulebook.theory import Theory

Key = tuple[str, Any]  # in which memory of a thing something is kept, and under what
SORTS = ("members", "linked", "outcomes", "conditions")
MOST = 30_000  # what a theory keeps of findings, with all that was found on the way: beyond that it begins anew
EACH = 8  # ways to find the same that are kept


class Finding:
    """What was found of a blank. unknown: of what nothing was known then, by memory; read: upon what it was found, each with the finding that
    had given it; none_is: the norms of which nothing in the case is what they relate things to; given: what is known of it then, and
    by: the same slots with this finding; goals: what it took."""

    __slots__ = ("by", "given", "goals", "none_is", "read", "unknown")

    def __init__(self, of: Looking, given: dict[str, dict[Any, Any]]):
        self.none_is, self.goals, self.given = tuple(of.none_is.values()), of.goals, given
        self.unknown = {sort: frozenset([s for s, by in row.items() if by is None]) for sort, row in of.read.items()}
        self.read = [(sort, slot, by) for sort, row in of.read.items() for slot, by in row.items() if by is not None]
        self.by = {sort: dict.fromkeys(row, self) for sort, row in given.items()}


class Same(Finding):
    """What follows from the kind of a thing at once, so that it does not matter when it was found."""

    def __init__(self) -> None:
        pass


SAME = Same()


class Looking:
    """A goal of a blank that is worked out: what is read for it, by memory; what it takes; whether it looks at the blank alone."""

    __slots__ = ("apart", "goals", "key", "none_is", "read")

    def __init__(self, key: Key, goals: int):
        self.key, self.goals, self.apart = key, goals, True
        self.read: dict[str, dict[Any, Finding | None]] = {sort: {} for sort in SORTS}
        self.read[key[0]][key[1]] = None
        self.none_is: dict[str, m.Norm] = {}


class Own(dict[Any, Any]):
    """What is remembered of a blank, in one of its four memories. waiting: what was found of another blank, and not looked at here; by:
    the findings by which things are known."""

    __slots__ = ("blank", "by", "sort", "waiting")

    def __init__(self, blank: Blank, sort: str):
        self.blank, self.sort = blank, sort
        self.waiting: dict[Any, Any] = {}
        self.by: dict[Any, Finding] = {}

    def get(self, slot: Any, default: Any = None) -> Any:
        """What is remembered, and noted to be read where a goal is worked out."""
        looking = self.blank.looking
        if looking is not None and slot not in (read := looking.read[self.sort]):
            known = slot in self or slot in self.waiting
            read[slot] = by = self.by.get(slot) if known else None
            if known and by is None:
                looking.apart = False  # found with a look at something else
        found = dict.get(self, slot, default)
        if found is None and slot in self.waiting:
            found = self[slot] = self.blank.echo(self.waiting.pop(slot))
        return found

    def clear(self) -> None:
        """Forgets all."""
        dict.clear(self)
        self.waiting, self.by = {}, {}


class Blank:
    """What is known of one blank. findings: those of such things, by what was asked; rests: whether some of it may wait for a circle to be
    closed."""

    __slots__ = ("echoes", "findings", "looking", "memories", "rests", "thing")

    def __init__(self, thing: Thing, findings: dict[Key, list[Finding]]):
        self.thing, self.findings, self.rests = thing, findings, False
        self.looking: Looking | None = None
        self.echoes: dict[int, tuple[Any, Any]] = {}
        self.memories = {sort: Own(self, sort) for sort in SORTS}
        for sort, own in self.memories.items():
            setattr(thing, sort, own)

    def remembers(self, at: int) -> bool:
        """Whether a memory, by its id, is one of this blank."""
        return any(id(own) == at for own in self.memories.values())

    def known(self, key: Key, none_is: Callable[[m.Norm], bool]) -> Finding | None:
        """What was found of another blank upon just what is known of this one. none_is: whether that holds of a norm here."""
        return next((f for f in self.findings.get(key, ()) if self.like(f) and all(map(none_is, f.none_is))), None)

    def like(self, finding: Finding) -> bool:
        """Whether as much is known of this blank as was of that of which something was found."""
        memories = self.memories
        for sort, slot, by in finding.read:
            mine = memories[sort].by.get(slot)
            if mine is not by and not (by is SAME and slot not in memories[sort]):
                return False
        for sort, unknown in finding.unknown.items():
            own = memories[sort]
            if not unknown.isdisjoint(own.waiting):
                return False
            if own and any(own.by.get(slot) is not SAME for slot in unknown & own.keys()):
                return False
        return True

    def take(self, finding: Finding) -> None:
        """Has what was found of another blank be known of this one."""
        for sort, given in finding.given.items():
            own = self.memories[sort]
            own.waiting.update(given)
            own.by.update(finding.by[sort])

    def found(self) -> Finding | None:
        """What was found by the goal that is worked out, where it looked at nothing else."""
        looking, self.looking = self.looking, None
        assert looking is not None
        at, asked = looking.key
        if not looking.apart or asked not in self.memories[at]:
            return None
        given: dict[str, dict[Any, Any]] = {}
        for sort, row in looking.read.items():
            own = self.memories[sort]
            given[sort] = {
                slot: own[slot] for slot, by in row.items() if by is None and slot in own and slot not in own.by
            }
        links = {slot: found for slot, found in given["linked"].items() if not empty(found)}
        if any(found.things or found.perhaps for found in links.values()) or (at == "linked" and asked in links):
            return None
        for slot in links:  # what is barred is no other answer to what a blank is; it is asked again
            del given["linked"][slot]
        finding = Finding(looking, given)
        for sort, own in self.memories.items():
            own.by.update(finding.by[sort])
        return finding

    def forget(self) -> None:
        """Lets go of what is known of it; its steps can still be written out."""
        for own in self.memories.values():
            own.clear()
        self.memories, self.echoes = {}, {}
        for sort in SORTS:
            setattr(self.thing, sort, {})

    def echo(self, found: Any) -> Any:
        """What was found of another blank, as it is of this one."""
        if isinstance(found, (Echo, EchoTowards, EchoOutcome)):
            found = found.source
        elif not isinstance(found, (Step, Outcome)):
            return found  # a list of nothing
        held = self.echoes.get(id(found))
        if held is None:
            held = self.echoes[id(found)] = (found, echoed(found, self))
        return held[1]

    def echoes_of(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """The same of each part of a step."""
        return tuple([self.echo(part) for part in parts])


class Echo(Step):
    """A step of another blank as it is of this one. source: that step; of: this blank, as long as what it rests on is not written out."""

    source: Any
    of: Blank | None

    def written(self, of: Blank) -> None:
        """Writes out what it rests on."""
        put(self, Step, "parts", of.echoes_of(self.source.parts))


class EchoTowards(Towards):
    """The same of a relation that is left open and would have to lead to the blank itself."""

    source: Any


class EchoOutcome(Outcome):
    """The same of a norm that was tried."""

    source: Any
    of: Blank | None

    def written(self, of: Blank) -> None:
        """Writes out what it rests on."""
        source = self.source
        put(self, Outcome, "head", of.echo(source.head))
        put(self, Outcome, "when", of.echo(source.when))
        put(self, Outcome, "unless", tuple([(unless, of.echo(step)) for unless, step in source.unless]))
        put(self, Outcome, "env", {n: of.thing if x is source.focus else x for n, x in source.env.items()})


def put(echo: Any, base: type, name: str, found: Any) -> None:
    """Sets a field that is read late."""
    getattr(base, name).__set__(echo, found)


def late(base: type, name: str) -> property:
    """A field that is written out when it is read."""
    field: Any = getattr(base, name)

    def read(echo: Any) -> Any:
        of, echo.of = echo.of, None
        if of is not None:
            echo.written(of)
        return field.__get__(echo)

    def write(echo: Any, found: Any) -> None:
        read(echo)
        field.__set__(echo, found)

    return property(read, write)


for kind, base, names in ((Echo, Step, ("parts",)), (EchoOutcome, Outcome, ("head", "when", "unless", "env"))):
    for each in names:
        setattr(kind, each, late(base, each))


def echoed(found: Any, of: Blank) -> Any:
    """A step or outcome of another blank, as it is of this one."""
    if isinstance(found, Outcome):
        return EchoOutcome(found.norm, of.thing, found.status, None, None, (), {}, found.soft, found, of)
    if isinstance(found, Towards):
        parts = of.echoes_of(found.parts)
        return EchoTowards(found.node, of.thing, found.value, found.why, parts, found.soft, of.thing, found)
    return Echo(found.node, of.thing, found.value, found.why, (), found.soft, found, of)


def empty(found: Links) -> bool:
    """Whether a relation leads to nothing, and perhaps to nothing."""
    return not (found.things or found.barred or found.perhaps)


def of_kind(memory: Mapping[Any, Any], slot: Any) -> None:
    """Notes that what is remembered of a thing there follows from its kind at once."""
    if type(memory) is Own:
        memory.by[slot] = SAME
        if memory.sort == "outcomes" and memory.blank.looking is not None:
            memory.blank.looking.goals += 1


class Findings:
    """What a theory keeps: by the classes that such things are told to be of and not of, and by what was asked."""

    __slots__ = ("kept", "rows")

    def __init__(self) -> None:
        self.rows: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[Key, list[Finding]]] = {}
        self.kept = 0

    def of(self, thing: Thing) -> dict[Key, list[Finding]]:
        """Those of things like this."""
        return self.rows.setdefault((thing.facts.is_, thing.facts.not_), {})

    def keep(self, of: Blank) -> None:
        """Keeps what was found of a blank, where nothing else was looked at."""
        key = of.looking.key if of.looking is not None else ("", None)
        found = of.found()
        if found is None:
            return
        self.kept += 1 + sum(map(len, found.given.values()))
        if self.kept > MOST:
            self.rows, self.kept = {}, 0
        rows = of.findings.setdefault(key, [])
        rows.append(found)
        del rows[:-EACH]


def findings(theory: Theory) -> Findings:
    """What a theory keeps; another with other norms keeps its own."""
    if theory.likewise is None:
        theory.likewise = Findings()
    return theory.likewise  # type: ignore[no-any-return]
