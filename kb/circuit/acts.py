"""What may or must be done, in all lanes at once: norms against norms, and how far the chapters decide where none speaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from kb.circuit.bars import but_for
from kb.circuit.conditions import Lanes
from kb.circuit.scope import Bare, narrowest, on_acts, sources
from kb.circuit.staged import by_name
from kb.circuit.values import One, Parts, put, union, vectors
from kb.language import norms as m
from kb.reasoner import proof as p
from kb.rulebook.theory import SIDES, Theory

MANY = 10  # lanes, of which it pays to look at single ones first
MOST_SEEN = 4  # single lanes that are looked at for what decides in many
Vector = tuple[bool | None, ...]


def verdicts(lanes: Lanes, focus: One, kind: str) -> Parts[str]:
    """The verdict on an act in a `may` or `must` question."""
    sides = SIDES[kind]
    norms = [n for n in lanes.theory.deontic if n.head.mode in sides and lanes.speaks(focus, n.head.act)]  # type: ignore[union-attr]
    found: Parts[str] = {}
    firm = firmly(lanes, focus, kind, norms)
    put(found, p.FORBIDDEN if kind == "may" else p.REQUIRED, firm)
    rest = lanes.undecided
    tried = [(n, lanes.status(n, focus, rest)) for n in norms if rest]
    tried = [(n, held) for n, held in tried if rest & ~held[1]]
    silent = rest & ~union(t for _, (t, _) in tried)
    under = Under(lanes, focus, kind)
    silence = under.silence(silent)
    for at, values in vectors(rest, [held for _, held in tried]):
        told = [(n, value) for (n, _), value in zip(tried, values, strict=True) if value is not False]
        if any(value for _, value in told):
            for verdict, some in under.act(*settled(lanes.theory, kind, told, ""), at).items():
                put(found, verdict, some)
            continue
        for quiet, some in silence.items():
            if at & some:
                for verdict, those in under.act(*settled(lanes.theory, kind, told, quiet), at & some).items():
                    put(found, verdict, those)
    return found


def firmly(lanes: Lanes, focus: One, kind: str, norms: Sequence[m.Norm]) -> int:
    """The lanes in which one norm decides whatever the others say: a bar (in `must`, a duty) that beats all that may speak against it.
    Those that some lane is without are looked at first, for an answer leans on them, then those that what few are left may turn on; which
    others may do that is seen in single lanes, the last that is left and the first by turns."""
    sides, ours, theory = SIDES[kind], -1 if kind == "may" else 1, lanes.theory
    barring = [n for n in norms if sides[n.head.mode] == ours]  # type: ignore[union-attr]
    against = [n for n in norms if sides[n.head.mode] != ours]  # type: ignore[union-attr]
    rest, seen, expected = lanes.every, set[str](), set[Any]()

    def undecided(norm: m.Norm, rest: int) -> int:
        at = lanes.status(norm, focus, rest)[0]
        for other in against:
            if at and theory.stronger(norm, other) is None:
                at &= lanes.status(other, focus, at)[1]
        return rest & ~at

    for norm in barring:
        if norm.id in lanes.struck and rest:
            rest = undecided(norm, rest)
            seen.add(norm.id)
    for norm in barring if rest.bit_count() <= MANY else ():
        if some := rest & lanes.hints.get(norm.rule, 0):
            rest ^= some ^ undecided(norm, some)
    for turn in range(MOST_SEEN):
        if rest.bit_count() <= MANY:
            break
        lane = rest.bit_length() - 1 if turn % 2 == 0 else (rest & -rest).bit_length() - 1
        one = Lanes(theory, lanes.cases[lane : lane + 1], budget=lanes.budget)
        one.done, x = lanes.done, one.things[focus.name]
        verdicts(one, x, kind)
        expected |= {by_name(key) for key in one.memo if key[0] == "to"}
        for norm in barring:
            if norm.id not in seen and one.status(norm, x, 1)[0]:
                seen.add(norm.id)
                rest = undecided(norm, rest)
    lanes.leave(lanes.every & ~rest)
    lanes.expected = frozenset(expected)
    return lanes.every & ~rest


def settled(
    theory: Theory, kind: str, told: Sequence[tuple[m.Norm, bool | None]], silence: str
) -> tuple[str, list[m.Norm]]:
    """The verdict and the norms that decide. An open norm does not matter where the answer is the same with it and without."""
    sides = SIDES[kind]
    pro, con = ([(n, v) for n, v in told if sides[n.head.mode] == side] for side in (1, -1))  # type: ignore[union-attr]
    result = contest(theory, kind, [n for n, v in pro if v], [n for n, v in con if v], silence)
    if any(v is None for _, v in told):
        # Who wins does so with more on its own side, and with fewer on the other: the extremes tell of all between.
        for more, others in product((False, True), repeat=2):
            ours, theirs = [n for n, v in pro if v or more], [n for n, v in con if v or others]
            if contest(theory, kind, ours, theirs, silence)[0] != result[0]:
                return p.UNDETERMINED, []
    return result


def contest(theory: Theory, kind: str, pro: list[m.Norm], con: list[m.Norm], silence: str) -> tuple[str, list[m.Norm]]:
    """A side wins when each norm of the other side is beaten by one of its own."""
    if not pro and not con:
        return silence, []
    stronger = theory.stronger
    ours, theirs = (
        bool(one) and all(any(stronger(o, t) is not None for o in one) for t in other)
        for one, other in ((pro, con), (con, pro))
    )
    if ours and not theirs:
        return (p.PERMITTED if kind == "may" else p.REQUIRED), pro
    if theirs and not ours:
        forbids = any(n.head.mode == m.FORBIDS for n in con)  # type: ignore[union-attr]
        return (p.FORBIDDEN if forbids else p.PERMITTED), con
    return p.CONFLICT, [*pro, *con]


class Under:
    """The rows of the chapters' scopes that an act is under, and what they come to."""

    def __init__(self, lanes: Lanes, focus: One, kind: str):
        self.lanes, self.focus, self.kind, self.theory = lanes, focus, kind, lanes.theory
        self.elsewhere = union(1 << i for i, case in enumerate(lanes.cases) if case.elsewhere)
        self.rows: list[m.ScopeRow] = []
        self.held: list[tuple[int, Vector]] = []
        self.bare: Bare | None = None
        self.let: dict[str, int] = {}

    def ways(self, at: int) -> Iterator[tuple[int, list[m.ScopeRow], list[m.ScopeRow]]]:
        """Some lanes, those put together that are under the same rows: these, and those that they may be under."""
        if at and not self.held:
            found = on_acts(self.lanes, self.focus, self.lanes.undecided)
            self.rows = [row for row, _ in found]
            self.held = vectors(self.lanes.undecided, [held for _, held in found])
        for lanes, values in self.held:
            if lanes & at:
                pairs = list(zip(self.rows, values, strict=True))
                yield lanes & at, [r for r, v in pairs if v], [r for r, v in pairs if v is None]

    def closing(self, sure: list[m.ScopeRow]) -> list[m.ScopeRow]:
        """The rows by which silence decides; what may be done is closed by closing rules alone."""
        counted = [row for row in sure if self.kind == "must" or row.kind != m.WHOLLY or row.by]
        return [row for row in narrowest(self.theory, counted) if row.kind == m.WHOLLY]

    def silence(self, at: int) -> Parts[str]:
        """The verdict on an act of which no norm speaks, in some lanes."""
        found: Parts[str] = {}
        may = self.kind == "may"
        for lanes, sure, open_ in self.ways(at):
            if not may:
                put(found, p.SILENT, lanes & self.elsewhere)
                lanes &= ~self.elsewhere
            if self.closing(sure):
                put(found, p.FORBIDDEN if may else p.SILENT, lanes)
            elif any(row.kind == m.WHOLLY and (row.by or not may) for row in open_):
                put(found, p.UNDETERMINED, lanes)
            elif may:
                free = lanes & (self.elsewhere | union(some for _, some in self.freed(sure, lanes & ~self.elsewhere)))
                put(found, p.PERMITTED, free)
                put(found, p.OUTSIDE, lanes & ~free)
            else:
                put(found, p.OUTSIDE, lanes)
        return self.owing(found) if may else found

    def owing(self, found: Parts[str]) -> Parts[str]:
        """The same, open where the act is not told with what it must be told with, and that may matter."""
        for roles, lanes in self.untold(found.get(p.PERMITTED, 0) | found.get(p.OUTSIDE, 0)).items():
            if not roles:
                continue
            name, places = self.focus.name, [i for i in range(len(self.lanes.cases)) if lanes >> i & 1]
            cases = []
            for i in places:
                case = self.lanes.cases[i]
                facts = case.things[name]
                facts = replace(facts, unknown=tuple(dict.fromkeys((*facts.unknown, *roles))), one_sided=True)
                cases.append(replace(case, things={**case.things, name: facts}))
            other = Lanes(self.theory, cases, budget=self.lanes.budget)
            other.done = self.lanes.done
            other.struck = {norm: narrowed(some, places) for norm, some in self.lanes.struck.items()}
            matters = verdicts(other, other.things[name], self.kind).get(p.UNDETERMINED, 0)
            spread = widened(matters, places)
            for reason, lost in other.lost.items():
                self.lanes.lose(reason, widened(lost, places))
            found = {verdict: some & ~spread for verdict, some in found.items()}
            put(found, p.UNDETERMINED, spread)
        return found

    def untold(self, at: int) -> Parts[tuple[str, ...]]:
        """The relations that the act must be told with and that nothing tells."""
        found: Parts[tuple[str, ...]] = {(): at}
        properties = self.lanes.vocabulary.properties
        for prop in self.lanes.vocabulary.owed_by_acts if at else ():
            owed_in = 0
            spared = union(self.focus.is_a(cls) for cls in prop.spared)
            for owed in prop.must_be_told:
                lanes = at & self.focus.is_a(owed.act) & ~spared & ~self.focus.unknown((prop.name,)) & ~owed_in
                if lanes:
                    words = frozenset(q for w in (prop.name, *owed.instead) for q in properties[w].below)
                    lanes &= ~self.focus.tells(words)
                    owed_in |= lanes & ~union(self.lanes.successors(self.focus, prop.name, lanes).things.values())
            if owed_in:
                after: Parts[tuple[str, ...]] = {}
                for roles, lanes in found.items():
                    put(after, (*roles, prop.name), lanes & owed_in)
                    put(after, roles, lanes & ~owed_in)
                found = after
        return found

    def act(self, verdict: str, winners: list[m.Norm], at: int) -> Parts[str]:
        """What a verdict comes to within the scope, in some lanes. winners: the norms that decide."""
        firm = bool(winners) and (self.kind == "must" or verdict != p.PERMITTED)
        found: Parts[str] = {}
        if firm or verdict in (p.CONFLICT, p.UNDETERMINED):
            return {verdict: at}
        for lanes, sure, _ in self.ways(at):
            closed = self.closing(sure)
            if winners or not closed:
                put(found, verdict, lanes & self.elsewhere)
                lanes &= ~self.elsewhere
            others = [row for row in sure if row.kind != m.WHOLLY]
            if closed and not (winners and others):
                put(found, verdict, lanes)
                continue
            free = self.freed(others, lanes) if not winners and verdict == p.PERMITTED else []
            if not winners and not free:
                put(found, verdict, lanes)
                continue
            for some, norms in self.together(winners, free, lanes):
                strange = some & self.beyond({s for row in others for s in row.suits}, norms, some)
                put(found, p.OUTSIDE, strange)
                put(found, p.PERMITTED if norms else verdict, some & ~strange)
        return found

    def together(
        self, winners: list[m.Norm], free: list[tuple[m.Norm, int]], at: int
    ) -> Iterator[tuple[int, list[m.Norm]]]:
        """Some lanes by the norms that let the act be."""
        for some, values in vectors(at, [(lanes, ~lanes) for _, lanes in free]):
            yield some, [*winners, *(n for (n, _), value in zip(free, values, strict=True) if value)]

    def beyond(self, suits: set[str], norms: list[m.Norm], at: int) -> int:
        """The lanes in which the act, or who does it, is in a state that a permission does not speak of, and other rules do."""
        if not norms:
            return 0
        lanes, classes = self.lanes, self.lanes.vocabulary.classes
        read: set[str] = set(suits)
        for norm in norms:
            read |= m.names_in(norm.head) | m.names_in(norm.when) | m.names_in(tuple(u.condition for u in norm.unless))
        doers = {self.focus: at}
        for role in lanes.vocabulary.doers:
            for y, some in lanes.successors(self.focus, role, at).things.items():
                put(doers, y, some & at)
        found = 0
        for x, some in doers.items():
            for form in x.forms:
                for name in form.facts.is_:
                    term = classes[name]
                    if "State" in term.ancestors and not term.derived and term.ancestors.isdisjoint(read):
                        elsewhere = sources(term)
                        if elsewhere and lanes.theory.sections.keys().isdisjoint(elsewhere):
                            found |= some & form.lanes
        return found

    # ── bars that let an act be ──

    def freed(self, under: list[m.ScopeRow], at: int) -> list[tuple[m.Norm, int]]:
        """The norms that bar and do not reach the act, of those that a chapter says are all by which it bars such an act."""
        named = {rule for row in under for rule in row.bars}
        bars = [n for n in self.theory.deontic if n.rule in named and n.head.mode == m.FORBIDS] if named and at else []  # type: ignore[union-attr]
        found = []
        for norm in bars:
            if norm.id not in self.let:
                if self.bare is None:
                    self.bare = Bare(self.lanes)
                self.let[norm.id] = but_for(self.lanes, self.bare, norm, self.focus, self.lanes.undecided)
                for reason, lost in self.bare.lost.items():
                    self.lanes.lose(reason, lost)
            if self.let[norm.id] & at:
                found.append((norm, self.let[norm.id] & at))
        return found


def narrowed(lanes: int, places: list[int]) -> int:
    """Some lanes as they are numbered among those in these places."""
    return union(1 << k for k, place in enumerate(places) if lanes >> place & 1)


def widened(lanes: int, places: list[int]) -> int:
    """The other way round."""
    return union(1 << place for k, place in enumerate(places) if lanes >> k & 1)
