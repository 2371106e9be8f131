"""The steps of a proof, each held against the piece of a norm that it stands for, its own parts, and kb.judge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from kb import grounds, judge as j, model as m, modules, words
from kb.anew import happens, stages
from kb.certify_shape import REASONS
from kb.errors import Problem
from kb.facts import Case
from kb.judge import Judge, One, find
from kb.numbers import COMPARE
from kb.steps import Contribution, Outcome, Reached, Step, Thing
from kb.theory import Theory
from kb.vocabulary import ABSENT, CONCLUDED

# What a finding of membership leans on, by its reason: the least and most norms tried, and the steps; none otherwise.
MEMBER_PARTS = {
    "counts": (1, 99, 0),
    "counts-not": (1, 99, 0),
    "conflict": (1, 99, 0),
    "effect": (1, 1, 0),
    "defined": (0, 0, 1),
}


class Walker:
    """Walks the steps of one proof; `stages` are the case before each act of its history, and after the last."""

    def __init__(self, theory: Theory, case: Case):
        self.theory, self.case = theory, case
        self.stages = list(stages(theory, case))
        self.judge = self.stages[-1]
        self.problems: list[Problem] = []
        self.seen: set[Any] = set()
        self.within: list[
            tuple[Any, ...]
        ] = []  # the norms, classes and numbers that are being checked, the outer first
        self.early: dict[int, Judge] = {}  # of what an effect of an earlier act leans on, the case before that act
        self.where: dict[int, grounds.Where] = {}  # in which case, and of what, each step was found to follow

    def problem(self, code: int, message: str) -> None:
        """Adds a fault; a proof that is wrong throughout is told of with the first fifty."""
        if len(self.problems) < 50:
            self.problems.append(Problem(code, message))

    def need(self, true: object, code: int, message: str) -> bool:
        """Adds a fault unless something is true; returns whether it is."""
        if not true:
            self.problem(code, message)
        return bool(true)

    # ── norms ──

    def outcome(self, o: Outcome, judge: Judge | None = None) -> None:
        """A norm tried: it is the book's, and its status follows from its head, condition and exceptions."""
        judge = judge or self.judge
        if (id(o), id(judge)) in self.seen:
            return
        self.seen.add((id(o), id(judge)))
        norm = self.theory.norms.get(o.norm.id)
        if not self.need(
            norm == o.norm and norm is not None, 821, f"{o.norm.id} is not in the book as the proof has it"
        ):
            return
        x = find(judge, o.focus.name)
        if x is None:
            return self.problem(822, f"the case has no thing “{o.focus.name}”")
        self.thing(o.focus, x, judge)
        assert norm is not None
        env: j.Env = {"this": x, "norm": norm.id}
        subject = j.subject_of(norm.head)
        self.within.append(("norm", norm.id, x.name))
        if o.head is not None and o.head.why == "other-kind":
            fits = same(o.head.node, m.Named(subject)) and o.head.thing.name == x.name and o.head.value is False
            self.need(fits and not judge.speaks(x, subject), 843, f"{x.name} may be a {subject}")
        elif o.head is not None:
            self.condition(o.head, m.Named(subject), x, env, judge)
        if o.when is not None:
            self.condition(o.when, norm.when, x, env, judge)
        for (unless, step), own in zip(o.unless, norm.unless, strict=False):
            if self.need(unless == own, 823, f"{norm.id} has no exception “{unless.label}” there"):
                self.condition(step, own.condition, x, dict(env), judge)
        self.within.pop()
        self.need(len(o.unless) <= len(norm.unless), 823, f"{norm.id} has fewer exceptions")
        told = [o.head.value if o.head else None if subject else True, o.when.value if o.when else None]
        tried = [s.value for _, s in o.unless]
        met = False in told or True in tried
        whole = len(tried) == len(norm.unless) and o.when is not None
        follows: j.Tri = (
            False if met else True if whole and None not in told and not any(t is not False for t in tried) else None
        )
        if not met and not whole and o.status is not False:
            self.problem(823, f"{norm.id}: a part of it was not tried")
        if not (o.head is None and o.when is None):
            self.need(o.status is follows, 824, f"{norm.id}: from its parts follows {follows}, not {o.status}")
        found = judge.status(norm, x)
        self.need(o.status is found, 824, f"{norm.id} on {x.name} should be {found}, not {o.status}")
        soft = any(s.soft for s in (o.head, o.when, *(s for _, s in o.unless)) if s is not None)
        if o.status is False:
            why = grounds.deciding(o)
            soft = why is not None and why.soft
            circular = ("norm", norm.id, x.name) in self.within
            self.need(
                circular or (why is not None and why.value is (o.exception is not None)),
                823,
                f"{norm.id} is said not to apply, and not why",
            )
        self.need(o.soft or not soft or o.status is None, 825, f"{norm.id} hides that it rests on a presumption")

    def about(self, step: Step, x: One, judge: Judge) -> None:
        """A step speaks of the very thing that is asked about, and gives a reason that a step of its kind can give."""
        self.where.setdefault(id(step), (judge, x))
        self.thing(step.thing, x, judge)
        reasons = REASONS.get(type(step.node))
        fits = reasons is None or step.why in reasons
        self.need(fits, 848, f"“{step.why}” is no reason for “{step.node}” of {x.name}")

    def thing(self, thing: Thing, x: One, judge: Judge) -> None:
        """A thing in a proof is as the case has it, and is called as it is called there."""
        if (id(thing), x.name) in self.seen:
            return
        self.seen.add((id(thing), x.name))
        if not self.need(thing.name == x.name, 832, f"a step speaks of {thing.name} where {x.name} is asked"):
            return
        self.need(thing.facts == x.facts, 832, f"of {x.name} the proof has other facts than the case")
        labels = {x.facts.label or x.name}
        owner, _, role = x.name.rpartition(".")
        if thing.made is not None:
            of = thing.made[0]
            fits = of.name == owner and thing.made[1] == role
            self.need(fits, 832, f"{x.name} is made up as something else")
            term = self.theory.vocabulary.properties[thing.made[1]]
            phrase = words.role_phrase(self.theory.vocabulary, m.Role(term.name), of.label)
            labels = {f"{of.label}'s {term.label}", phrase}
            if (y := find(judge, owner)) is not None:
                self.thing(of, y, judge)
        self.need(thing.label in labels, 832, f"{x.name} is called “{thing.label}”")

    # ── conditions ──

    def condition(self, step: Step, c: m.Condition, x: One, env: j.Env, judge: Judge) -> None:
        """A step claims a value for a condition on a thing."""
        while isinstance(c, (m.Bind, m.Of)):
            if isinstance(c, m.Bind):
                env[c.var], c = x, c.of
            else:
                y = env.get(c.root) or judge.things.get(c.root)
                if y is None:
                    self.need(step.value is None, 831, f"{c.root} stands for nothing")
                    return None
                x, c = y, c.condition
        if not self.need(same(step.node, c), 831, f"a step on “{step.node}” stands where “{c}” is asked"):
            return
        if not self.need(step.thing.name == x.name, 832, f"a step speaks of {step.thing.name} where {x.name} is asked"):
            return
        self.about(step, x, judge)
        key = (id(step), id(judge), tuple(sorted((k, v.name) for k, v in env.items() if isinstance(v, One))))
        if key in self.seen:
            return
        self.seen.add(key)
        parts = [q for q in step.parts if isinstance(q, Step)]
        if step.value is not None:
            self.need(
                step.soft or not any(q.soft for q in parts),
                833,
                f"“{c}” of {x.name} hides that it rests on a presumption",
            )
        before = dict(env)
        match c:
            case m.Named(name):
                self.member(step, name, x, judge, env)
            case m.And(conds):
                self.junction(step, conds, x, env, judge, False)
            case m.Except(base, carve, _):
                self.junction(step, (base, m.Not(carve)), x, env, judge, False)
            case m.Or(conds):
                self.junction(step, conds, x, env, judge, True)
            case m.Not(of):
                if self.need(len(parts) == 1, 834, f"“{c}” needs one part"):
                    self.condition(parts[0], of, x, dict(env), judge)
                    self.need(step.value is j.no(parts[0].value), 835, f"“{c}” does not follow from its part")
            case m.Some(role, filler) | m.Only(role, filler) | m.Count(role, _, _, filler):
                self.restriction(step, c, role, filler, x, env, judge)
            case m.HasValue(role, target):
                reached = next((q for q in step.parts if isinstance(q, Reached)), None)
                if (
                    self.need((reached is not None) == (step.value is True), 836, f"“{c}” of {x.name} shows no value")
                    and reached
                ):
                    self.reached(reached, role, x, judge)
                    ends, _ = judge.follow(x, target, before)
                    self.need(
                        any(e.name == reached.thing.name for e in ends), 836, f"{reached.thing.name} is not {target}"
                    )
                ends, _ = judge.follow(x, target, before)
                links = judge.links(x, role)
                if step.value is False and step.why in ("value", "barred"):
                    named = self.lists(x, target, before, judge)
                    if step.why == "value" and ends and (links.presumed or links.no_more):
                        named[x.name, str(role)] = (x, role)
                    self.whole(step, c, parts, named, judge)
                self.need(
                    len(step.parts) == len(parts) or step.value is not False or step.why == "barred",
                    836,
                    f"“{c}” of {x.name} leans on other parts",
                )
                self.need(
                    len(step.parts) == 1 or step.value is not True, 836, f"“{c}” of {x.name} leans on other parts"
                )
                for o in step.parts if step.why == "barred" else ():
                    if not isinstance(o, Outcome):
                        continue
                    self.outcome(o, judge)
                    head = o.norm.head
                    bars = isinstance(head, m.Relates) and head.negated and o.status is True
                    self.need(bars, 836, f"{o.norm.id} does not bar {c} of {x.name}")
            case m.Flag(name, flag):
                self.flag(step, name, flag, x)
            case m.Compare(left, sign, right):
                if self.need(len(parts) == 2, 834, f"“{c}” needs two parts"):
                    a, b = (self.expression(q, e, x, env, judge) for q, e in zip(parts, (left, right), strict=True))
                    follows = None if a is None or b is None else bool(COMPARE[sign](a, b))
                    self.need(step.value is follows, 837, f"“{c}” is {follows}: {a} {sign} {b}")
        found = judge.holds(c, x, before)
        self.need(step.value is found, 838, f"“{c}” of {x.name} should be {found}, not {step.value}")

    def flag(self, step: Step, name: str, flag: bool, x: One) -> None:
        """What is true or false of a thing: stated, presumed absent where the ontology lets one, or not known."""
        stated = x.facts.flags.get(name)
        absent = self.theory.vocabulary.properties[name].when_unstated == ABSENT and name not in x.facts.unknown
        why = "stated" if stated is not None else "presumed" if absent else "unknown"
        self.need(step.why == why, 842, f"{name} of {x.name} is {why}, not {step.why}")
        self.need(step.soft or why != "presumed", 844, f"{name} of {x.name} is presumed and does not say so")

    def junction(
        self, step: Step, conds: Sequence[m.Condition], x: One, env: j.Env, judge: Judge, telling: bool
    ) -> None:
        """`and` (telling False) and `or` (telling True): one part that decides, or all of them."""
        parts = list(step.parts)
        if step.why == "join":
            return self.joined(step, conds, x, env, judge)
        if (step.value is telling and len(parts) == 1 and len(conds) > 1) or len(conds) == 1:
            at = (
                next(
                    (i for i, c in enumerate(conds) if same(core(c), parts[0].node) and parts[0].value is telling), None
                )
                if parts
                else None
            )
            if self.need(
                at is not None and parts[0].value is step.value, 834, f"“{step.node}” does not follow from its part"
            ):
                assert at is not None
                for c in conds[:at]:
                    env.update(next((e for v, e in judge.worlds(c, x, env) if v is not False), {}))
                self.condition(parts[0], conds[at], x, env, judge)
            return
        if not self.need(len(parts) == len(conds), 834, f"“{step.node}” lacks a part"):
            return
        for c in conds:
            # Where no names are bound, the parts may have been tried in any order.
            fits = [q for q in parts if same(q.node, core(c))] if not j.binds(m.And(tuple(conds))) else parts[:1]
            if self.need(fits, 834, f"“{step.node}” lacks the part “{c}”"):
                parts.remove(fits[0])
                known = dict(env)
                self.condition(fits[0], c, x, env, judge)
                if fits[0].value is None and j.binds(c):  # what it would bind, if it were so, the parts behind it name
                    env.update(
                        next((e for v, e in judge.worlds(c, x, known) if v is None and e.keys() > known.keys()), {})
                    )
        parts = list(step.parts)
        join = j.either if telling else j.both
        self.need(step.value is join(q.value for q in parts), 835, f"“{step.node}” does not follow from its parts")

    def joined(self, step: Step, conds: Sequence[m.Condition], x: One, env: j.Env, judge: Judge) -> None:
        """Every way to bind the names of a conjunction was tried, and none bears it out."""
        values = []
        for attempt in step.parts:
            bound = dict(env)
            for part, c in zip(attempt.parts, conds, strict=False):
                inner = core(c)
                if isinstance(inner, m.Some) and part.value is None and part.why == "some" and len(part.parts) == 1:
                    names = {y.name: y for y in judge.links(x, inner.role).things}
                    y = self.through(inner.filler, part.parts[0], names, bound, judge)
                    if self.need(
                        y is not None, 836, f"{x.name} has no {inner.role} that is {part.parts[0].thing.name}"
                    ):
                        self.condition(part.parts[0], inner.filler, y, bound, judge)  # type: ignore[arg-type]
                else:
                    self.condition(part, c, x, bound, judge)
            follows = j.both(part.value for part in attempt.parts)
            self.need(
                attempt.value is follows and follows is not True, 835, f"“{step.node}” does not follow from its parts"
            )
            self.need(follows is False or len(attempt.parts) == len(conds), 834, f"“{step.node}” lacks a part")
            values.append(attempt.value)
        self.need(step.value is j.either(values), 835, f"“{step.node}” does not follow from what was tried")

    def restriction(
        self, step: Step, c: Any, role: m.Role, filler: m.Condition, x: One, env: j.Env, judge: Judge
    ) -> None:
        """`some`, `only` and counting: a witness that is there, or all there are."""
        links = judge.links(x, role)
        if step.value is not None:
            whys = {m.Some: ("some", "none", "blank"), m.Only: ("only",), m.Count: ("count",)}[type(c)]
            self.need(step.why in whys, 848, f"“{step.why}” is no reason for “{c}” of {x.name}")
            self.need(step.why != "none" or not links.things, 848, f"{x.name} has some {role}")
        parts = [q for q in step.parts if isinstance(q, Step)]
        reached = next((q for q in step.parts if isinstance(q, Reached)), None)
        names = {y.name: y for y in links.things}
        twice = not isinstance(core(filler), m.Of) and len({q.thing.name for q in parts}) < len(parts)
        self.need(not twice, 839, f"“{c}” of {x.name}: one {role} was looked at twice")
        for part in parts if step.why != "blank" else ():
            y = self.through(filler, part, names, env, judge)
            if y is None:
                self.problem(836, f"{x.name} has no {role} that is {part.thing.name}")
            else:
                self.condition(part, filler, y, env if reached else dict(env), judge)
        if isinstance(c, m.Count):
            follows = j.count(c.kind, c.n, [q.value for q in parts], links.complete)
            self.need(
                len(parts) == len(names) and step.value is follows,
                839,
                f"“{c}” of {x.name} does not follow from what was counted",
            )
            hidden = step.value is not None and links.presumed and not step.soft
            self.need(not hidden, 833, f"“{c}” of {x.name} hides that the list is presumed complete")
            return
        witness = isinstance(c, m.Some)
        if step.why == "blank":
            fits = witness and links.untold and judge.things.get(x.name) is x and len(parts) == 1
            if self.need(fits and step.soft and not step.value, 839, f"“{c}”: what {role} of {x.name} is, is told"):
                blank = judge.blank(x, role.name)
                self.condition(parts[0], filler, blank, dict(env), judge)
                self.need(parts[0].value is False, 839, f"“{c}” of {x.name} does not follow from {blank.name}")
            return
        if reached is not None:
            self.reached(reached, role, x, judge)
            fits = len(step.parts) == 2 and len(parts) == 1 and parts[0].value is witness and step.value is witness
            self.need(fits, 836, f"“{c}” of {x.name} does not follow from {reached.thing.name}")
            return
        self.need(step.value is not witness or not witness, 836, f"“{c}” of {x.name} shows no {role} that is so")
        self.need(len(parts) == len(names), 839, f"“{c}” of {x.name}: not every {role} was looked at")
        whole = [*(q.value for q in parts), None if not links.complete else not witness]
        follows = j.either(whole) if witness else j.both(whole)
        self.need(step.value is follows, 839, f"“{c}” of {x.name} is {follows} by what was looked at")
        if step.value is not None and links.presumed:
            self.need(step.soft, 833, f"“{c}” of {x.name} hides that the list is presumed complete")

    def through(self, filler: m.Condition, part: Step, names: dict[str, One], env: j.Env, judge: Judge) -> One | None:
        """The value that a part speaks of; a filler that starts elsewhere (`x: …`) is told by its place alone."""
        inner = filler
        while isinstance(inner, m.Bind):
            inner = inner.of
        if isinstance(inner, m.Of):
            return next(iter(names.values()), None)
        return names.get(part.thing.name)

    def reached(self, reached: Reached, role: m.Role, x: One, judge: Judge) -> None:
        """A value that a property is said to have, and how it is known."""
        y = find(judge, reached.thing.name)
        if not self.need(
            y is not None and y in judge.links(x, role).things,
            836,
            f"{x.name} has no {role} that is {reached.thing.name}",
        ):
            return
        assert y is not None
        code, detail = reached.why
        prop = self.theory.vocabulary.properties[role.name]
        a, b = (y, x) if role.inverse else (x, y)
        if code == "stated":
            stated = any(b.name in a.facts.links.get(q, ()) for q in prop.below) or any(
                a.name in b.facts.links.get(q, ()) for q in prop.inverses
            )
            if detail:
                self.need(detail in (*prop.below, *prop.inverses), 836, f"{detail} is no kind of {role}")
            made = (y.made and y.made[0] is x) or (x.made and x.made[0] is y)
            self.need(stated or made, 836, f"the case does not state {role} of {x.name}: {y.name}")
        elif code == "implied":
            self.need(y.made is not None and y.made[0] is x, 836, f"no axiom implies {y.name}")
        elif code == "norm":
            outcome, step = detail
            self.outcome(outcome, judge)
            head = outcome.norm.head
            if self.need(
                isinstance(head, m.Relates) and not head.negated and outcome.status and step.value,
                836,
                f"{outcome.norm.id} does not relate {x.name} to {y.name}",
            ):
                to = y if outcome.focus.name == x.name else x
                # What the norm's condition has named may be spoken of in what it relates to.
                bound = {k: find(judge, v.name) for k, v in outcome.env.items() if isinstance(v, Thing)}
                bound["this"] = find(judge, outcome.focus.name)
                self.condition(step, head.to, to, {**bound, "norm": outcome.norm.id}, judge)
        elif code == "chain":
            self.need(detail in prop.chains or detail[0] in prop.below, 836, f"no chain of {role} is {detail}")
        elif code == "module":
            self.need(detail[0] == prop.derived, 836, f"{role} is not worked out by {detail[0]}")

    # ── membership ──

    def member(self, step: Step, cls: str, x: One, judge: Judge, env: j.Env) -> None:
        """That a thing is of a class, for the reason given."""
        classes = self.theory.vocabulary.classes
        parts = [q for q in step.parts if isinstance(q, Step)]
        outs = [q for q in step.parts if isinstance(q, Outcome)]
        says = f"that {x.name} is {'' if step.value else 'not '}{cls}"
        why = step.why
        wanted = MEMBER_PARTS.get(why, (0, 0, 0))
        fits = wanted[0] <= len(outs) <= wanted[1] and len(parts) == wanted[2]
        if why in ("inferred", "open"):  # by the class tree alone or by what is below; any number of things are open
            fits = bool(step.parts) if why == "open" else not outs and len(parts) <= 1
        self.need(
            fits and len(step.parts) == len({id(q) for q in (*outs, *parts)}), 848, f"{says} leans on other parts"
        )
        if why in ("open", "conflict"):
            settled = [q for q in step.parts if q.value is not None]
            self.need((why == "conflict") == bool(settled), 848, f"{says} is called {why}")
        if why == "stated":
            self.need(cls in x.facts.is_, 842, f"the case does not state {says}")
        elif why in ("inferred", "staged") and not parts:
            self.need(
                any(cls in classes[c].ancestors for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} is not in the class tree",
            )
            self.need(why == "inferred" or x.made is not None, 843, f"{x.name} was not made up")
        elif why == "inferred":
            self.need(
                str(parts[0].node) in classes[cls].descendants and parts[0].value is True,
                843,
                f"{says} is not in the class tree",
            )
        elif why == "denied":
            self.need(any(cls in classes[c].descendants for c in x.facts.not_), 842, f"the case does not deny {says}")
        elif why == "disjoint":
            self.need(
                any(cls in classes[c].disjoint for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} does not follow from disjointness",
            )
        elif why == "presumed":
            term = classes[cls]
            withdrawn = any(u in term.ancestors for u in x.facts.unknown)
            self.need(
                term.when_unstated in (ABSENT, CONCLUDED) and not withdrawn,
                844,
                f"the ontology does not let anyone presume {says}",
            )
            self.need(step.soft and step.value is False, 844, f"{says} is presumed and does not say so")
        elif why in ("counts", "counts-not"):
            positive = why == "counts"
            for o in outs:
                head = o.norm.head
                reach = isinstance(head, m.CountsAs) and head.negated != positive and cls in (
                    classes[head.target].ancestors if positive else classes[head.target].descendants)  # fmt: skip
                self.need(
                    reach and o.status is True and o.focus.name == x.name, 845, f"{o.norm.id} does not say {says}"
                )
            self.need(outs, 845, f"no norm says {says}")
        elif why == "defined":
            known = self.theory.definitions.get(cls, ())
            self.need(
                parts and any(same(parts[0].node, core(d)) for d in known) and parts[0].value is step.value,
                846,
                f"no definition says {says}",
            )
        elif why == "effect":
            self.need(
                outs and self.brought(outs[0], cls, x, judge), 847, f"nothing that has happened makes {x.name} a {cls}"
            )
            self.need(step.soft or not outs or not outs[0].soft, 833, f"{x.name} {cls}: a presumption is hidden")
            return self.rest_of_member(step, cls, x, judge, env, [], parts)
        elif why in ("module", "unknown", "open", "conflict", "circular"):
            derived = bool(classes[cls].derived)
            if why == "module" and derived:
                again = modules.member(judge, classes[cls].derived, cls, x, env["this"])  # type: ignore[arg-type]
                self.need(again is None or step.soft >= again.soft, 833, f"{x.name} {cls}: a presumption is hidden")
            inside = why != "circular" or ("is", cls, x.name) in self.within
            self.need(inside, 848, f"{says} leans on nothing that leans on it")
            self.need(
                derived == (why == "module") or (derived and step.value is None),
                848,
                f"{cls} is not worked out by a module",
            )
            self.need(
                why == "module" or (step.value is None) == (why != "circular"),
                848,
                f"{says} is called {why} and has a value",
            )
        else:
            self.problem(848, f"“{why}” is no reason for {says}")
        self.rest_of_member(step, cls, x, judge, env, outs, parts)

    def rest_of_member(
        self, step: Step, cls: str, x: One, judge: Judge, env: j.Env, outs: list[Outcome], parts: list[Step]
    ) -> None:
        """Checks what a membership rests on: the norms that make or unmake it, definitions, narrower classes."""
        self.within.append(("is", cls, x.name))
        for o in outs:
            self.outcome(o, self.at(o, judge))
        for part in parts:
            known = [d for d in self.theory.definitions.get(cls, ()) if same(core(d), part.node)]
            self.condition(part, known[0] if known else m.Named(str(part.node)), x, {"this": x}, judge)
        self.within.pop()
        self.need(
            step.soft or not any(getattr(q, "soft", False) for q in (*outs, *parts)) or step.value is None,
            833,
            f"{x.name} {cls}: a presumption is hidden",
        )

    def at(self, o: Outcome, judge: Judge | None = None) -> Judge:
        """The case in which an outcome was found: an effect of an act that has happened, before that act."""
        if isinstance(o.norm.head, m.Effect) and o.focus.name in self.case.history:
            return self.stages[self.case.history.index(o.focus.name)]
        return judge or self.early.get(id(o), self.judge)

    def brought(self, o: Outcome, cls: str, x: One, judge: Judge) -> bool:
        """Whether an act that has happened made x a cls by this norm."""
        head = o.norm.head
        acts = [*self.case.history] + ([self.case.question.thing] if judge not in self.stages else [])
        for name, earlier in zip(acts, self.stages, strict=False):
            if (
                name == o.focus.name
                and isinstance(head, m.Effect)
                and cls in self.theory.vocabulary.classes[head.cls].ancestors
            ):
                self.outcome(o, earlier)
                if o.status is True and (x.name, head.cls) in {
                    (t, c) for t, c, _ in happens(earlier, earlier.things[name])
                }:
                    return head.cls in judge.caused.get(x.name, ())
        return False

    # ── numbers ──

    def expression(self, step: Step, e: m.Expr, x: One, env: j.Env, judge: Judge) -> Fraction | None:
        """Checks what a step claims for an expression; returns the step's value."""
        self.about(step, x, judge)
        parts = [q for q in step.parts if isinstance(q, Step)]
        without = env.get("without", j.NONE)
        if isinstance(e, m.Path) and not e.root and len(e.steps) == 1:
            self.quantity(step, x, e.steps[0], without if x is env["this"] else j.NONE, judge)
            return step.value  # type: ignore[no-any-return]
        if not self.need(same(step.node, e), 831, f"a step on “{step.node}” stands where “{e}” is asked"):
            return step.value  # type: ignore[no-any-return]
        follows: Fraction | None = None
        match e:
            case m.Num(value):
                follows = value
            case m.Path(root, steps):
                ends, _ = judge.follow(x, m.Path(root, steps[:-1]), env)
                for part in parts:
                    y = next((end for end in ends if end.name == part.thing.name), None)
                    if self.need(y is not None, 836, f"{e} does not lead to {part.thing.name}"):
                        assert y is not None
                        self.quantity(part, y, steps[-1], j.NONE, judge)
                self.need(len({q.thing.name for q in parts}) == len(parts), 834, f"“{e}” has a part twice")
                self.need(bool(parts) == (step.why != "missing"), 834, f"“{e}” shows nothing")
                values = {q.value for q in parts}
                follows = values.pop() if len(values) == 1 else None
            case m.Otherwise(quantity):
                if self.need(len(parts) == 1, 834, f"“{e}” needs one part"):
                    self.quantity(parts[0], env["this"], quantity, without | {env["norm"]}, judge)
                    follows = parts[0].value
            case m.Arith(op, left, right):
                if self.need(len(parts) == 2, 834, f"“{e}” needs two parts"):
                    follows = j.arith(
                        op, *(self.expression(q, a, x, env, judge) for q, a in zip(parts, (left, right), strict=True))
                    )
            case m.Call(function, args):
                if self.need(len(parts) == len(args), 834, f"“{e}” lacks a part"):
                    follows = j.call(
                        function, [self.expression(q, a, x, env, judge) for q, a in zip(parts, args, strict=True)]
                    )
            case m.Lookup(table, how, key, column, shift):
                wanted = [key] if shift is None else [key, shift]
                if self.need(len(parts) == len(wanted), 834, f"“{e}” lacks a part"):
                    got = [self.expression(q, a, x, env, judge) for q, a in zip(parts, wanted, strict=True)]
                    follows = j.lookup(
                        self.theory.tables[table], how, got[0], column, got[1] if shift is not None else Fraction(0)
                    )
            case m.Aggregate():
                self.aggregate(step, e, x, env, judge)
                follows = judge.number(e, x, env)
        hidden = step.value is not None and not step.soft and any(q.soft for q in parts)
        self.need(not hidden, 833, f"“{e}” of {x.name} hides that it rests on a presumption")
        self.need(step.value == follows, 849, f"“{e}” comes to {follows}, not {step.value}")
        return step.value  # type: ignore[no-any-return]

    def aggregate(self, step: Step, e: m.Aggregate, x: One, env: j.Env, judge: Judge) -> None:
        """A sum, a count or the like: the things it is made of, why those, and the lists presumed to be all there is."""
        parts = [q for q in step.parts if isinstance(q, Step)]
        ends, _ = judge.follow(x, e.path, env)
        lists = [q for q in parts if is_list(q)]
        numbers = [q for q in parts if e.quantity and str(q.node) == e.quantity]
        tried = [q for q in parts if q not in lists and q not in numbers]
        if step.value is not None:
            chosen = sorted(y.name for y in ends if judge.holds(e.filler, y, env))
            fits = not e.quantity or sorted(q.thing.name for q in numbers) == chosen
            self.need(fits, 834, f"“{e}” is made of {', '.join(chosen) or 'nothing'}")
            shown = sorted(q.thing.name for q in tried)
            everything = bool(e.quantity) and isinstance(e.filler, m.Anything)
            fits = shown == ([] if everything else sorted(y.name for y in ends))
            self.need(fits, 834, f"“{e}”: not everything that it leads to was looked at")
            self.need(step.why == e.function, 848, f"“{e}” is no {step.why}")
            self.whole(step, e, lists, self.lists(x, e.path, env, judge), judge)
        for part in (*numbers, *tried):
            y = find(judge, part.thing.name)
            if not self.need(y is not None and y in ends, 836, f"“{e}” does not lead to {part.thing.name}"):
                continue
            assert y is not None
            if part in numbers:
                self.quantity(part, y, e.quantity, j.NONE, judge)
            else:
                self.condition(part, e.filler, y, dict(env), judge)

    def lists(self, x: One, path: m.Path, env: j.Env, judge: Judge) -> dict[tuple[str, str], tuple[One, m.Role]]:
        """The lists on a path that are presumed to be all there is."""
        start = env.get(path.root) or judge.things.get(path.root) if path.root else x
        found: dict[tuple[str, str], tuple[One, m.Role]] = {}
        now = [start] if start is not None else []
        for name in path.steps if path.root or path.steps[0] in self.theory.vocabulary.properties else ():
            reached = [(y, judge.successors(y, name)) for y in now]
            found.update({(y.name, name): (y, m.Role(name)) for y, links in reached if links.presumed})
            now = [z for _, links in reached for z in links.things]
        return found

    def whole(
        self, step: Step, e: object, told: list[Step], wanted: dict[tuple[str, str], tuple[One, m.Role]], judge: Judge
    ) -> None:
        """Every list that is presumed to be whole is said to be."""
        fits = len(told) == len(wanted) and all(is_list(q) and (q.thing.name, str(q.node.role)) in wanted for q in told)
        if self.need(fits, 833, f"“{e}” of {step.thing.name} hides that a list is presumed complete"):
            for q in told:
                y, role = wanted[q.thing.name, str(q.node.role)]
                links = judge.links(y, role)
                count = m.Count(role, "exactly", len(links.things), m.Anything())
                if links.no_more:  # all there is but for what is open
                    self.need(same(q.node, count) and q.value is True and q.soft, 833, f"{q.node} is not {count}")
                else:
                    self.condition(q, count, y, {"this": y}, judge)

    def quantity(self, step: Step, x: One, name: str, without: frozenset[str], judge: Judge) -> None:
        """A number of a thing: every norm that bears on it is there, and the sum is right."""
        if not self.need(
            str(step.node) == name and step.thing.name == x.name,
            831,
            f"a step on “{step.node}” of {step.thing.name} stands where {name} of {x.name} is asked",
        ):
            return
        self.about(step, x, judge)
        if (id(step), without) in self.seen:
            return
        self.seen.add((id(step), without))
        found = judge.quantity(x, name, without)
        self.need(step.value == found, 849, f"{name} of {x.name} is {found}, not {step.value}")
        if step.why == "circular":
            self.need(
                step.value is None and ("number", name, x.name) in self.within,
                848,
                f"{name} of {x.name} leans on nothing that leans on it",
            )
            return
        rows = {r.norm.id: r for r in judge.rows(x, name, without)}
        judge.total(x, name, list(rows.values()))
        told = {c.outcome.norm.id: c for c in step.parts if isinstance(c, Contribution)}
        self.need(len(told) == len(step.parts), 853, f"{name} of {x.name} has a part twice, or another one")
        for norm_id, row in rows.items():
            self.need(
                norm_id in told or row.status is False, 853, f"{norm_id} bears on {name} of {x.name} and is left out"
            )
        self.within.append(("number", name, x.name))
        for norm_id, c in told.items():
            known = rows.get(norm_id)
            if known is None:
                self.problem(853, f"{norm_id} does not bear on {name} of {x.name}")
                continue
            self.outcome(c.outcome, judge)
            head = known.norm.head
            assert isinstance(head, m.QuantityHead)
            self.need(c.op == head.op and c.bound == head.bound, 854, f"{norm_id} {head.op}, it does not {c.op}")
            state = "idle" if known.status is False else known.state
            self.need(c.state == state, 855, f"{norm_id} is {state}, not {c.state}")
            if c.value is not None:
                env = {**c.outcome.env, "this": x, "norm": norm_id, "without": without}
                env.update({k: find(judge, v.name) for k, v in c.outcome.env.items() if hasattr(v, "facts")})
                self.expression(c.value, head.value, x, env, judge)
            if c.state == "counts":
                self.need(c.value is not None and c.value.value is not None, 855, f"{norm_id} counts without a number")
            beaten = c.state == "beaten"
            self.need(c.lost is beaten, 855, f"{norm_id} is said to be beaten, and not to be, at once")
            self.need((c.value is None) == (c.outcome.status is False), 855, f"{norm_id} does not show what it adds")
            if beaten:
                self.beaten(c)
            else:
                self.need(c.by is None and c.principle is None, 855, f"{norm_id} is beaten by nothing")
        self.within.pop()
        if step.value is not None:
            counts = any(c.state == "counts" for c in told.values())
            derived = self.theory.vocabulary.properties[name].derived
            module = bool(derived) and modules.number(judge, derived, x) is not None  # type: ignore[arg-type]
            why = "computed" if counts else "stated" if name in x.facts.numbers else "module" if module else "default"
            self.need(step.why == why, 842, f"{name} of {x.name} is {why}, not {step.why}")
            self.need(step.soft or why != "default", 844, f"{name} of {x.name} is presumed and does not say so")
        self.need(
            step.soft
            or step.value is None
            or not any(
                c.state == "counts" and (c.outcome.soft or (c.value is not None and c.value.soft))
                for c in told.values()
            ),
            833,
            f"{name} of {x.name} hides that it rests on a presumption",
        )

    def beaten(self, c: Contribution) -> None:
        """Checks that a contribution is beaten by a norm that applies and is the stronger (E820)."""
        by = c.by
        if not self.need(by is not None and by.status, 820, f"{c.outcome.norm.id} is beaten by nothing that applies"):
            return
        assert by is not None
        over = j.named(by.norm.over, c.outcome.norm)
        stronger = j.stronger(self.theory, by.norm, c.outcome.norm)
        explicit = (
            c.principle is None or c.principle.name == "explicit" or c.principle == self.theory.policy.principles[0]
        )
        self.need(
            (over and explicit) or (stronger is not None and stronger == c.principle),
            820,
            f"{by.norm.id} does not beat {c.outcome.norm.id} so",
        )


def same(a: object, b: object) -> bool:
    """Whether two pieces of the rule language read alike; a recorded proof has them as text."""
    return a is b or str(a) == str(b)


def core(c: m.Condition) -> m.Condition:
    """A condition without the names it binds and without where it starts: what its step is about."""
    while isinstance(c, (m.Bind, m.Of)):
        c = c.of if isinstance(c, m.Bind) else c.condition
    return c


def is_list(step: Step) -> bool:
    """Whether a step says of a list no more than how many it names."""
    return isinstance(step.node, m.Count) and step.node.kind == "exactly" and isinstance(step.node.filler, m.Anything)
