"""Boolean functions as reduced ordered binary decision diagrams: equal functions are the same node, and shortest sums of products.

    d = Diagrams(); x, y = d.var(0), d.var(1)
    d.either(x, d.both(y, d.no(x))) == d.either(x, y)
    d.products(lower, upper) -> [{0: True}, {1: True}]     an irredundant sum of products between two functions

A node is a number: 0 is false, 1 is true. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

FALSE, TRUE = 0, 1
MOST_NODES = 1_000_000
Product = dict[int, bool]  # by variable, which way it must be


class TooWide(Exception):
    """A function is too large to be held. first: the relations of an act to be told first, those whose kinds rules tell apart most, each with
    these kinds."""

    first: Mapping[str, Sequence[str]] = MappingProxyType({})


class Diagrams:
    """A table of nodes, each (variable, node if it is false, node if it is true), kept so that no two are alike."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, int, int]] = [(1 << 30, 0, 0), (1 << 30, 1, 1)]
        self.known: dict[tuple[int, int, int], int] = {}
        self.worked: dict[tuple[int, int, int], int] = {}
        self.sums: dict[tuple[int, int], tuple[list[Product], int]] = {}
        self.met: dict[tuple[int, int], bool] = {}

    def node(self, var: int, low: int, high: int) -> int:
        """The node that tells two functions apart by a variable."""
        if low == high:
            return low
        key = (var, low, high)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = len(self.nodes)
            if found > MOST_NODES:
                raise TooWide
            self.nodes.append(key)
        return found

    def var(self, n: int) -> int:
        """The function that is a variable."""
        return self.node(n, FALSE, TRUE)

    def sides(self, f: int, var: int) -> tuple[int, int]:
        """A function with a variable false, and with it true; the variable must be the first that it reads, or before it."""
        here, low, high = self.nodes[f]
        return (low, high) if here == var else (f, f)

    def choose(self, test: int, yes: int, no: int) -> int:
        """`yes` where `test` holds, else `no`."""
        if test == TRUE or yes == no:
            return yes
        if test == FALSE:
            return no
        if yes == TRUE and no == FALSE:
            return test
        if test == yes:
            yes = TRUE
        elif test == no:
            no = FALSE
        key = (test, yes, no)
        found = self.worked.get(key)
        if found is None:
            nodes = self.nodes
            a, a0, a1 = nodes[test]
            b, b0, b1 = nodes[yes]
            c, c0, c1 = nodes[no]
            var = a if a < b else b
            if c < var:
                var = c
            if a != var:
                a0 = a1 = test
            if b != var:
                b0 = b1 = yes
            if c != var:
                c0 = c1 = no
            low, high = self.choose(a0, b0, c0), self.choose(a1, b1, c1)
            found = self.worked[key] = self.node(var, low, high)
        return found

    def no(self, f: int) -> int:
        """Where a function does not hold."""
        return self.choose(f, FALSE, TRUE)

    def both(self, *fs: int) -> int:
        """Where all of some functions hold."""
        found = TRUE
        for f in fs:
            found = self.choose(found, f, FALSE)
        return found

    def either(self, *fs: int) -> int:
        """Where one of some functions holds."""
        found = FALSE
        for f in fs:
            found = self.choose(found, TRUE, f)
        return found

    def but(self, f: int, g: int) -> int:
        """Where one function holds and another does not."""
        return self.choose(g, FALSE, f)

    def within(self, f: int, g: int) -> bool:
        """Whether one function holds only where another does."""
        return self.but(f, g) == FALSE

    def meet(self, f: int, g: int) -> bool:
        """Whether two functions hold of anything together; nothing is made for it."""
        key = (f, g) if f < g else (g, f)
        found = self.met.get(key)
        if found is None:
            if FALSE in key or TRUE in key or f == g:
                return FALSE not in key
            var = min(self.nodes[f][0], self.nodes[g][0])
            (f0, f1), (g0, g1) = self.sides(f, var), self.sides(g, var)
            found = self.met[key] = self.meet(f0, g0) or self.meet(f1, g1)
        return found

    def product(self, wanted: Mapping[int, bool]) -> int:
        """Where some variables are as wanted."""
        found = TRUE
        for var in sorted(wanted, reverse=True):
            found = self.node(var, FALSE, found) if wanted[var] else self.node(var, found, FALSE)
        return found

    def holds(self, f: int, values: Mapping[int, bool]) -> bool:
        """Whether a function holds of some values; a variable that is not among them is false."""
        while f > TRUE:
            var, low, high = self.nodes[f]
            f = high if values.get(var) else low
        return f == TRUE

    def always(self, f: int, fixed: Mapping[int, bool]) -> bool:
        """Whether a function holds whatever the variables are that are not fixed."""
        seen, queue = set[int](), [f]
        while queue:
            f = queue.pop()
            if f == FALSE:
                return False
            if f != TRUE and f not in seen:
                seen.add(f)
                var, low, high = self.nodes[f]
                so = fixed.get(var)
                if so is not True:
                    queue.append(low)
                if so is not False:
                    queue.append(high)
        return True

    def reads(self, f: int) -> set[int]:
        """The variables that a function turns on."""
        found, seen, queue = set[int](), {FALSE, TRUE}, [f]
        while queue:
            f = queue.pop()
            if f not in seen:
                seen.add(f)
                var, low, high = self.nodes[f]
                found.add(var)
                queue += [low, high]
        return found

    def count(self, f: int, among: Iterable[int]) -> int:
        """For how many values of some variables, all that it reads among them, a function holds."""
        order = {var: n for n, var in enumerate(sorted(among))}
        seen = {FALSE: 0, TRUE: 1}

        def level(g: int) -> int:
            return order.get(self.nodes[g][0], len(order))

        def below(g: int) -> int:
            if g not in seen:
                _, low, high = self.nodes[g]
                seen[g] = sum(below(side) << (level(side) - level(g) - 1) for side in (low, high))
            return seen[g]

        return below(f) << level(f)

    def products(self, lower: int, upper: int) -> list[Product]:
        """Products of which none can be left out, that hold wherever `lower` does and only where `upper` does (Minato and Morreale)."""
        return self.sum_between(lower, upper)[0]

    def sum_between(self, lower: int, upper: int) -> tuple[list[Product], int]:
        """The products, and the function that is their sum."""
        if lower == FALSE:
            return [], FALSE
        if upper == TRUE:
            return [{}], TRUE
        found = self.sums.get((lower, upper))
        if found is not None:
            return found
        var = min(self.nodes[lower][0], self.nodes[upper][0])
        (l0, l1), (u0, u1) = self.sides(lower, var), self.sides(upper, var)
        without, covered0 = self.sum_between(self.but(l0, u1), u0)
        with_, covered1 = self.sum_between(self.but(l1, u0), u1)
        rest, covered = self.sum_between(self.either(self.but(l0, covered0), self.but(l1, covered1)), self.both(u0, u1))
        rows = [{var: False, **row} for row in without] + [{var: True, **row} for row in with_] + rest
        whole = self.either(covered, self.node(var, covered0, covered1))
        self.sums[lower, upper] = rows, whole
        return rows, whole
