"""Trees as functions of the inputs of a shape, each option of an input but the last a variable of a diagram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kb.language import norms as m
from kb.research.decisions.bdd import FALSE, TRUE, Diagrams, Product
from kb.research.decisions.shape import Key, Shape
from kb.research.decisions.trees import Split, Tree, splits

RULE, LETS = "rule", "lets"
Allowed = dict[Key, frozenset[int]]  # by input, the options that a row allows


class Functions:
    """The trees of a shape as functions of its inputs, each option of an input but the last a variable."""

    def __init__(self, shape: Shape, trees: Iterable[Tree]):
        self.d, self.shape, self.care = Diagrams(), shape, TRUE
        self.reckoned: dict[str, m.Norm] = {}
        keys = dict.fromkeys(split.key for tree in trees for split in splits(tree))
        self.keys = list(keys)
        self.vars: dict[Key, list[int]] = {}
        for key in self.keys:
            first = sum(len(v) for v in self.vars.values())
            self.vars[key] = [first + n for n in range(shape.inputs[key].last)]
        self.where = {var: (key, n) for key, vs in self.vars.items() for n, var in enumerate(vs)}

    def beside(self, norm: m.Norm, what: str = "") -> int:
        """An input of its own, for what a norm asks for and the inputs do not tell: whether that is so. what: LETS for whether it lets be."""
        key: Key = (RULE, what, norm.id)
        self.reckoned[norm.id] = norm
        if key in self.vars:
            return self.d.var(self.vars[key][0])
        self.keys.append(key)
        self.vars[key] = [len(self.where)]
        self.where[len(self.where)] = (key, 0)
        return self.d.var(self.vars[key][0])

    def option(self, key: Key, n: int) -> int:
        """Where an input is one of its options: of those that exclude each other none other is."""
        vs = self.vars[key]
        return self.d.product({var: i == n for i, var in enumerate(vs)})

    def of(self, tree: Tree, value: bool | None) -> int:
        """Where a tree comes to a value."""
        if not isinstance(tree, Split):
            return TRUE if tree is value else FALSE
        found = FALSE
        for n, way in enumerate(tree.ways):
            found = self.d.either(found, self.d.both(self.option(tree.key, n), self.of(way, value)))
        return found

    def allowed(self, product: Product) -> Allowed:
        """The options that a product of variables allows."""
        found: dict[Key, set[int]] = {}
        for var, so in product.items():
            key, n = self.where[var]
            options = found.setdefault(key, set(range(len(self.vars[key]) + 1)))
            options &= {n} if so else options - {n}
        return {key: frozenset(options) for key, options in found.items()}

    def holds(self, where: int, allowed: Mapping[Key, frozenset[int]]) -> bool:
        """Whether a function, which holds of all that cannot be, holds wherever inputs are as allowed."""
        fixed: list[dict[int, bool]] = [{}]
        for key, options in allowed.items():
            vs = self.vars[key]
            if len(options) == 1 or len(vs) not in options:
                ways = [{var: i == n for i, var in enumerate(vs)} for n in options]
            else:
                ways = [{var: False for i, var in enumerate(vs) if i not in options}]
            fixed = [{**before, **way} for before in fixed for way in ways]
        return all(self.d.always(where, way) for way in fixed)

    def function(self, allowed: Mapping[Key, frozenset[int]]) -> int:
        """Where inputs are as allowed."""
        d = self.d
        return d.both(*(d.either(*(self.option(key, n) for n in options)) for key, options in allowed.items()))
