"""Numbers, comparisons and flags of a proof as nested sentences: where each number comes from, and what each norm adds to it."""

from __future__ import annotations

from kb.answers.parts import FACT, OPEN, PRESUMED, RULE, Part, Telling, merged, principle
from kb.language import english, norms as m, phrases
from kb.reasoner.trace import Contribution, Step


class Numbers(Telling):
    """Tells the steps that are numbers, or lean on them."""

    def flag(self, step: Step, name: str, value: bool) -> Part:
        """A true-or-false property as a sentence."""
        x = step.thing
        if step.value is None:
            return Part(f"not known: whether {english.say_flag(self.vocabulary, name, x.label)}", (), OPEN)
        said = english.say_flag(self.vocabulary, name, x.label, value is step.value)
        return Part(said + (" (presumed)" if step.why == "presumed" else ""), (), PRESUMED if step.soft else FACT)

    def compare(self, step: Step, node: m.Compare) -> Part:
        """`force of shot is 9, more than twice cover as it would be otherwise (8)`."""
        left, right = (p for p in step.parts if isinstance(p, Step))
        below = merged([p for s in (left, right) for p in self.number(s) if not isinstance(s.node, m.Num)])
        below = tuple(p for p in below if p.parts or p.kind in (OPEN, PRESUMED))
        first, second = (phrases.bracketed(q.node, self.expression(q), 1) for q in (left, right))
        sign = phrases.SIGNS[node.op]
        if step.value is None:
            return Part(f"not known: whether {first} is {sign} {second}", below, OPEN)
        if not isinstance(right.node, m.Num):
            second += f" ({english.shown(right.value)})"
        said = f"{first} is {english.shown(left.value)}, {'' if step.value else 'not '}{sign} {second}"
        return Part(said, below, PRESUMED if step.soft else FACT)

    def expression(self, step: Step) -> str:
        """An expression with the things it was worked out on: `force of shot + 2`, `the sum of wall of a and b`."""
        node, parts = self.spoken(step.node), [p for p in step.parts if isinstance(p, Step)]
        match node:
            case m.Path() if innermost(step).why != "missing":
                inner = innermost(step)
                return english.say_number(self.vocabulary, inner.node.steps[-1], inner.thing.label)
            case m.Path(_, (quantity,)):
                return english.say_number(self.vocabulary, quantity, step.thing.label)
            case m.Arith("/", m.Num(), m.Num()):
                return phrases.say_expr(self.vocabulary, node)
            case m.Arith() if len(parts) == 2:
                return phrases.say_arith(node, *map(self.expression, parts))
            case m.Call(function, args) if len(parts) == len(args):
                return phrases.say_call(function, [self.expression(p) for p in parts], args)
            case m.Aggregate(function, _, _, quantity) if step.value is not None and taken(step):
                of = english.series([p.thing.label for p in taken(step)])
                if quantity and len(taken(step)) == 1:
                    return english.say_number(self.vocabulary, quantity, of)
                return phrases.say_taken(self.vocabulary, function, quantity, of)
        return phrases.say_expr(self.vocabulary, node)

    def number(self, step: Step) -> tuple[Part, ...]:
        """Where a number comes from."""
        match step.node:
            case m.Num():
                return ()
            case m.Path():
                inner = innermost(step)
                if inner.why == "missing":
                    way = phrases.say_expr(self.vocabulary, self.spoken(inner.node))
                    return (Part(f"not known: {way} of {inner.thing.label}", (), OPEN),)
                label = english.say_number(self.vocabulary, inner.node.steps[-1], inner.thing.label)
                if inner.value is None:
                    return (Part(f"not known: {label}", tuple(p for s in inner.parts for p in self.step(s)), OPEN),)
                below = tuple(
                    self.contribution(r) for r in inner.parts if isinstance(r, Contribution) and r.state != "idle"
                )
                said = f"{label} is {english.shown(inner.value)}"
                if inner.why == "default":
                    return (Part(f"{said} (nothing sets it otherwise)", below, PRESUMED if inner.soft else FACT),)
                return (Part(said, below, FACT),)
            case m.Lookup() | m.Aggregate():
                own = taken(step)
                shown = [s for s in step.parts if isinstance(s, Step) and (s in own or untold(s) or left_out(s))]
                below = merged([p for s in shown for p in self.step(s)])
                said = self.expression(step)
                if step.value is None:
                    why = " (the table has no such cell)" if step.why == "no-cell" else ""
                    return (Part(f"not known: {said}{why}", below, OPEN),)
                return (Part(f"{said} is {english.shown(step.value)}", below, FACT),)
        return tuple(p for s in step.parts if isinstance(s, Step) for p in self.number(s))

    def contribution(self, row: Contribution) -> Part:
        """One norm's part in a number."""
        head = row.outcome.norm.head
        assert isinstance(head, m.QuantityHead | m.Change)
        amount = english.shown(row.value.value) if row.value is not None and row.value.value is not None else ""
        with self.tried(row.outcome):
            says = phrases.say_expr(self.vocabulary, self.spoken(head.value))
        said = {
            m.SETS: f"sets it to {amount or says}", m.ADDS: f"adds {signed(amount) or says}",
            m.MULTIPLIES: f"multiplies it by {amount or says}", m.LIMITS: f"limits it to {row.bound} {amount or says}",
            m.RAISES: f"raises it by {amount or says}", m.LOWERS: f"lowers it by {amount or says}", m.PUTS: f"sets it to {amount or says}",
        }[head.op]  # fmt: skip
        if amount and amount != says:
            said += f" ({says})"
        if isinstance(head, m.Change) and not (head.each or head.becoming):
            said += f" at {row.outcome.focus.label}"
        title = self.title(row.outcome.norm)
        if row.state == "beaten":
            by = row.by.norm.rule if row.by is not None else "another rule"
            return Part(f"{title} would have it that it {said}, but loses to {by}{principle(row.principle)}", (), RULE)
        below: tuple[Part, ...] = ()
        if row.outcome.norm.id in self.told:
            said += " (see above)"
        else:
            self.told.add(row.outcome.norm.id)
            below = (*self.sentences(row.outcome.norm), *self.norm(row.outcome))
            if row.value is not None:
                with self.tried(row.outcome):
                    below = (*below, *(q for q in self.number(row.value) if q.parts or q.kind == OPEN))
        if row.outcome.status is None or row.state == "open":
            return Part(f"{title}, if it applies, {said}", below, OPEN)
        return Part(f"{title} {said}", below, RULE)


def signed(amount: str) -> str:
    """An amount with its sign."""
    return amount if not amount or amount.startswith("-") else f"+{amount}"


def innermost(step: Step) -> Step:
    """The quantity step at the end of a path."""
    while isinstance(step.node, m.Path) and step.why == "path" and isinstance(step.parts[0], Step):
        step = step.parts[0]
    return step


def taken(step: Step) -> list[Step]:
    """The parts of a sum, a count, a table or the like that make the number; the others tell why those are the ones."""
    parts = [p for p in step.parts if isinstance(p, Step)]
    if isinstance(step.node, m.Aggregate):
        counted = not step.node.quantity
        return [p for p in parts if isinstance(p.node, m.Path) or (counted and p.value is True and not whole_list(p))]
    return parts


def whole_list(step: Step) -> bool:
    """Whether a step tells no more than that a list is presumed to be all there is."""
    node = step.node
    return step.soft and isinstance(node, m.Count) and node.kind == "exactly" and isinstance(node.filler, m.Anything)


def untold(step: Step) -> bool:
    """What a number rests on and the case does not say; that a list is all there is stands among the assumptions."""
    return step.value is None or (step.soft and not isinstance(step.node, m.Count))


def left_out(step: Step) -> bool:
    """Something that a rule, and not its kind, keeps from being taken."""
    return step.value is False and by_rule(step)


def by_rule(step: Step) -> bool:
    """Whether what a step says rests on a norm that counts something as what it is not by its kind."""
    return step.why == "counts" or any(by_rule(p) for p in step.parts if isinstance(p, Step))
