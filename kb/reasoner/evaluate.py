"""Turns conditions and expressions into functions of (situation, thing, bound names); each gives a Step.

Strong Kleene logic: `and` is false if a part is, unknown if a part is, else true. Where a conjunction is false for
several reasons, one that rests on no presumption is preferred, so that an answer assumes no more than it must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kb.language import norms as m
from kb.language.vocabulary import ABSENT
from kb.numbers import COMPARE
from kb.reasoner import at_first, builtins
from kb.reasoner.at_first import Tried
from kb.reasoner.codegen import Writer
from kb.reasoner.expressions import Env, Run
from kb.reasoner.restrictions import Restrictions, binds
from kb.reasoner.trace import Reached, Step, Thing
from kb.reasoner.world import World
from kb.rulebook.theory import MOST_ASKED, Theory

Choices = Callable[[World, Thing, Env], Iterator[tuple[Step, Env]]]
DEAR = 4  # the cost of a part from which on it is not tried beside a failure that rests on a presumption


def evaluator(theory: Theory, c: m.Condition, norm: m.Norm | None = None) -> Run:
    """The compiled form of a condition; `norm` is the norm it stands in (for `otherwise`)."""
    key = (id(c), norm.id if norm else "")
    found = theory.compiled.get(key)
    if found is None:
        # The condition is kept beside its function, so that its id stays its own.
        found = theory.compiled[key] = (Compiler(theory, norm).condition(c), c)
    return found[0]  # type: ignore[index,no-any-return]


def of_question(theory: Theory, c: m.Condition) -> Run:
    """The compiled form of a condition that is asked about; only so many are kept, for what-if trials ask again."""
    found = theory.asked.get(c)
    if found is None:
        if len(theory.asked) >= MOST_ASKED:
            theory.asked.clear()
        found = theory.asked[c] = Apart(theory, None).condition(c)
    return found  # type: ignore[return-value]


def number_of(theory: Theory, e: m.Expr, norm: m.Norm | None = None) -> Run:
    """The compiled form of an expression."""
    key = (id(e), norm.id if norm else "")
    found = theory.compiled.get(key)
    if found is None:
        found = theory.compiled[key] = (Compiler(theory, norm).expr(e), e)
    return found[0]  # type: ignore[index,no-any-return]


def plan(theory: Theory, norm: m.Norm) -> tuple[str, Tried, bool]:
    """A norm ready to be tried: the class that something must be of to be looked at, a function of the situation and the focus, and
    whether it is looked at too where the case says that it is not known whether it is of that class."""
    found = theory.compiled.get(norm.id)
    if found is None:
        event = norm.head if isinstance(norm.head, m.OnEvent) else None
        # Of what turns into something, what it was is no word against it.
        subject = "" if event is not None and event.becoming else m.subject_of(norm.head)
        each = event is not None and bool(event.each)
        found = theory.compiled[norm.id] = (subject, Compiler(theory, norm).tried(norm), each)
    return found  # type: ignore[return-value]


class Compiler(Restrictions):
    """Compiles the conditions of one norm."""

    def condition(self, c: m.Condition) -> Run:
        """A condition as a function: the connectives, classes, flags and `some` written out, the others as they stand here."""
        return self.other(c) or at_first.often(at_first.condition(self, c), lambda: Writer(self).alone(c))

    def tried(self, norm: m.Norm) -> Tried:
        """A norm as a function of the situation and its focus."""
        subject = m.subject_of(norm.head)
        return at_first.often_tried(at_first.norm(self, norm, subject), lambda: Writer(self).norm(norm, subject))

    def called(self, c: m.Condition) -> Run:
        """What the source of another function calls for a condition; one for all norms where it is remembered."""
        slot = self.kept(c) if isinstance(c, m.Some) else None
        if slot is None:
            return self.condition(c)
        found = self.theory.compiled.get(slot)
        if found is None:
            found = self.theory.compiled[slot] = self.some(c, slot)  # type: ignore[arg-type]
        return found  # type: ignore[return-value]

    def binds(self, c: m.Condition) -> bool:
        return binds(c)

    def ordered(self, c: m.And) -> tuple[list[m.Condition], int]:
        """The parts of a conjunction, the cheap first, and how many are cheap."""
        parts = self.cheap_first(c.parts)
        return parts, sum(self.cost(p) < DEAR for p in parts)

    def other(self, c: m.Condition) -> Run | None:
        """The function of a condition that is not written out."""
        match c:
            case m.Named(name) if self.vocabulary.classes[name].derived:
                return self.seen(c, self.vocabulary.classes[name].derived)
            case m.And(parts) if binds(c):
                return self.joined(c, parts)
            case m.Except(base, carve, _) if binds(c):
                return self.joined(c, (base, m.Not(carve)))
            case m.Some() if self.kept(c) is None:
                return self.some(c)
            case m.Only(role, filler):
                return self.only(c, role, self.condition(filler))
            case m.Count(role, kind, n, filler):
                return self.count(c, role, kind, n, self.condition(filler))
            case m.HasValue(role, target):
                return self.has_value(c, role, target)
            case m.Same(target):
                return self.same(c, target)
            case m.Of(root, condition):
                return self.of(c, root, self.condition(condition))
            case m.Bind(of, var):
                return self.bind(c, self.condition(of), var)
            case m.Compare(left, op, right):
                return self.compare(c, self.expr(left), COMPARE[op], self.expr(right))
        return None

    # ── remembered ──

    def lasting(self, c: m.Condition) -> bool:
        """Whether a condition comes to the same for a thing from wherever it is asked: it looks at no other name."""
        match c:
            case m.Named(name):
                return not self.theory.vocabulary.classes[name].derived
            case m.And(parts) | m.Or(parts):
                return all(map(self.lasting, parts))
            case m.Except(base, carve, _):
                return self.lasting(base) and self.lasting(carve)
            case m.Not(of) | m.Some(_, of) | m.Only(_, of) | m.Count(_, _, _, of):
                return self.lasting(of)
        return isinstance(c, (m.Flag, m.Anything))

    def kept(self, c: m.Some) -> int | None:
        """The slot of a condition that many norms ask: worked out once for each thing, whoever asks."""
        return self.theory.slot(c) if self.lasting(c) else None

    def seen(self, c: m.Named, module: str) -> Run:
        """A class that depends on the focus too: worked out once for each thing and focus."""

        def kept(s: World, x: Thing, env: Env) -> Step:
            this: Thing = env["this"]
            slot = (c.name, this.name)
            return x.conditions.get(slot) or s.once(x.conditions, slot, builtins.member, s, module, c.name, x, this)

        return kept

    # ── Boolean connectives ──

    def cheap_first(self, parts: tuple[m.Condition, ...]) -> list[m.Condition]:
        """Parts of a conjunction by what they cost to try."""
        return sorted(parts, key=self.cost)

    def cost(self, c: m.Condition) -> int:
        match c:
            case m.Named(name):
                term = self.theory.vocabulary.classes[name]
                plain = name not in self.theory.makes and name not in self.theory.definitions
                return 0 if plain and term.when_unstated != ABSENT else 2 if plain else 3
            case m.Flag():
                return 2
            case m.Not(of):
                return self.cost(of)
            case m.Some(_, m.Named(name)):
                return 4 if name in self.theory.makes else 1
            case m.Some(_, m.Or(parts)):
                # A choice of classes is cheap; one that looks further, from thing to thing, is not.
                return 1 if all(isinstance(p, m.Named) for p in parts) else 4
        return 4

    def joined(self, c: m.Condition, parts: tuple[m.Condition, ...]) -> Run:
        """A conjunction that names things on the way: it holds if it holds for one that a name can stand for."""
        choices = self.choices(c, parts)

        def run(s: World, x: Thing, env: Env) -> Step:
            tried = list(choices(s, x, env))
            for wanted in ((True, False), (True, True), (None, False)):
                found = next(((step, e) for step, e in tried if (step.value, step.soft) == wanted), None)
                if found is not None and (found[0].value or len(tried) == 1):
                    env.update(found[1])
                    return found[0]
            steps = [step for step, _ in tried]
            if len(steps) == 1:
                return Step(c, x, False, "and", steps[0].parts[-1:], steps[0].soft)
            value = None if any(step.value is None for step in steps) else False
            return Step(c, x, value, "join", tuple(steps), value is False and any(step.soft for step in steps))

        return run

    def choices(self, c: m.Condition, parts: tuple[m.Condition, ...] = ()) -> Choices:
        """A condition tried once for each way to bind its names: the step, and the names as they then stand."""
        match c:
            case m.Bind(of, var):
                inner = self.choices(of)
                return lambda s, x, env: ((step, {**e, var: x}) for step, e in inner(s, x, {**env, var: x}))
            case m.And() | m.Except() if parts or binds(c):
                if not parts:
                    parts = c.parts if isinstance(c, m.And) else (c.base, m.Not(c.carve))
                return self.attempts(c, [self.choices(part) for part in parts])
            case m.Some(role, filler) if binds(c):
                return self.witnesses(c, role, self.choices(filler))
            case m.Of(root, of) if binds(c):
                inner = self.choices(of)

                def elsewhere(s: World, x: Thing, env: Env) -> Iterator[tuple[Step, Env]]:
                    y = env.get(root)
                    return inner(s, y, env) if y is not None else iter([(Step(c, x, None, "unbound", (), False), env)])

                return elsewhere
        plain = self.condition(c)
        return lambda s, x, env: iter([(plain(s, x, env), env)])

    def attempts(self, c: m.Condition, parts: list[Choices]) -> Choices:
        """Each way to bind the names of all parts, the first part's first."""

        # What calls itself stands outside `run`: inside, each run would leave a circle to the garbage collector.
        def go(s: World, x: Thing, number: int, held: tuple[Step, ...], e: Env) -> Iterator[tuple[Step, Env]]:
            if number == len(parts):
                value = None if any(q.value is None for q in held) else True
                yield Step(c, x, value, "and", held, value is True and any(q.soft for q in held)), e
                return
            for step, after in parts[number](s, x, e):
                if step.value is False:
                    yield Step(c, x, False, "and", (*held, decided(step)), step.soft), after
                else:
                    yield from go(s, x, number + 1, (*held, step), after)

        def run(s: World, x: Thing, env: Env) -> Iterator[tuple[Step, Env]]:
            return go(s, x, 0, (), env)

        return run

    def witnesses(self, c: m.Some, role: m.Role, inner: Choices) -> Choices:
        name, inverse = role.name, role.inverse
        untold = self.untold(c, self.condition(c.filler))

        def run(s: World, x: Thing, env: Env) -> Iterator[tuple[Step, Env]]:
            links = s.successors(x, name, inverse)
            failed: dict[str, Step] = {}
            met = False
            for y in links.things:
                for step, e in inner(s, y, env):
                    if step.value is False:
                        failed.setdefault(y.name, decided(step))
                    else:
                        met = True
                        reached = (Reached(links, y), step) if step.value else (step,)
                        yield Step(c, x, step.value, "some", reached, any(q.soft for q in reached)), e
            if links.untold and s.named(x):
                yield untold(s, x, env), env
            elif not links.complete:
                yield Step(c, x, None, "missing", tuple(failed.values()), False), env
            elif not met:
                soft = links.presumed or any(q.soft for q in failed.values())
                yield Step(c, x, False, "some" if failed else "none", tuple(failed.values()), soft), env

        return run

    def bind(self, c: m.Condition, of: Run, var: str) -> Run:
        def run(s: World, x: Thing, env: Env) -> Step:
            env[var] = x
            return of(s, x, env)

        return run

    def of(self, c: m.Condition, root: str, of: Run) -> Run:
        def run(s: World, x: Thing, env: Env) -> Step:
            y = env.get(root)
            return of(s, y, env) if y is not None else Step(c, x, None, "unbound", (), False)

        return run


class Apart(Compiler):
    """Compiles a condition that is asked about: it uses what norms remember of things, and has nothing more remembered."""

    def kept(self, c: m.Some) -> int | None:
        return self.theory.shared.get(c) if self.lasting(c) else None

    def of_focus(self, e: m.Expr, run: Run) -> Run:
        return run


def decided(step: Step) -> Step:
    """A conjunction that fails, by the part alone that fails."""
    if step.why != "and" or len(step.parts) < 2:
        return step
    return Step(step.node, step.thing, False, "and", step.parts[-1:], step.soft)
