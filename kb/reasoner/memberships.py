"""What a thing of a staged case is: stated, entailed, concluded by norms, defined, presumed absent, or open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.language import norms as m
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.reasoner import unnamed
from kb.reasoner.evaluate import evaluator
from kb.reasoner.relations import Relations
from kb.reasoner.staging import class_node
from kb.reasoner.trace import Contribution, Outcome, Step, Thing, Why


class Memberships(Relations):
    """Answers `member`: whether a thing is of a class."""

    def member(self, x: Thing, cls: str) -> Step:
        """Whether x is a cls: stated, entailed by the class tree, counted as, defined, presumed absent, or unknown."""
        return x.members.get(cls) or self.first(x, cls)

    def first(self, x: Thing, cls: str) -> Step:
        """The same where it was not asked before."""
        if x.plain or x.blank:
            if x.plain:
                node, value, why, soft = x.kind.leaves.get(cls) or self.theory.leaf(x.kind, cls)
            else:
                node, value, why, soft = x.kind.unnamed.get(cls) or unnamed.leaf(self.theory, x.kind, cls)
            if why and (x.plain or why != "presumed" or not (self.withdrawn or self.unsettled)):
                found = x.members[cls] = Step(node, x, value, why, (), soft)  # type: ignore[arg-type]
                return found
        met = self.begin(x.members, cls)
        if met is not None:
            return met or Step(class_node(cls), x, False, "circular", (), False)
        return self.finish(x.members, cls, self._member(x, cls))  # type: ignore[no-any-return]

    def _member(self, x: Thing, cls: str) -> Step:
        node = class_node(cls)
        kind = x.kind
        if x.plain and cls in self.theory.makers:  # the usual: no norm makes it so
            tried = [self.outcome(norm, x) for norm in self.theory.makers[cls]]
            if not any(o.status is not False for o in tried):
                return Step(node, x, False, "presumed", (*(o for o in tried if o.soft), *x.spared.get(cls, ())), True)
        if x.pending and cls in x.pending and (cls in kind.types or cls in kind.denied):
            return Step(node, x, None, "open", x.pending[cls], False)  # stated at first, ended, and maybe so again
        if cls in kind.types:
            effect = x.caused.get(cls)
            kept = self.kept(x, cls)
            if effect is not None and (kind.source[cls] not in x.facts.is_ or kind.source[cls] in x.ended):
                return Step(node, x, True, "effect", (effect.by, *effect.way, *kept), effect.soft or bool(kept))
            why: Why = "staged" if x.made else "stated" if kind.source[cls] == cls else "inferred"
            return Step(node, x, True, why, kept, x.soft or bool(kept))
        if cls in kind.denied:
            if kind.source.get(cls, "").startswith("not "):
                return Step(node, x, False, "denied", (), x.soft)
            by = self.ended_by(x, cls)
            return Step(node, x, False, "disjoint", by, x.soft or any(q.soft for q in by))
        term = self.vocabulary.classes[cls]
        open_steps: list[Any] = []
        pro: list[Outcome] = []
        con: list[Outcome] = []
        makes = self.theory.makes.get(cls)
        if makes:
            pro = [self.outcome(n, x) for n in makes]
            con = [self.outcome(n, x) for n in self.theory.unmakes.get(cls, ())]
            (self.made.add if any(o.status for o in pro) else self.made.discard)((x.name, cls))
            side, outs = self.resolve(pro, con)
            if side is None and not outs and any(o.status for o in pro):
                # A norm makes it so, and one that might unmake it is open.
                return Step(node, x, None, "open", tuple(o for o in con if o.status is None), False)
            if side is not None:
                outs = (*outs, *self.spared(con if side else pro, outs))
                return Step(node, x, side, "counts" if side else "counts-not", outs, any(o.soft for o in outs))
            if outs:
                self.unsettled = True
                return Step(node, x, None, "conflict", outs, False)
            open_steps += [o for o in (*pro, *con) if o.status is None]
        elif cls in self.theory.unmakes:
            con = [self.outcome(n, x) for n in self.theory.unmakes[cls]]
            held = [o for o in con if o.status]
            if held:
                return Step(node, x, False, "counts-not", tuple(held), any(o.soft for o in held))
            open_steps += [o for o in con if o.status is None]
        unmade = tuple(o for o in open_steps if isinstance(o.norm.head, m.CountsAs) and o.norm.head.negated)
        false_by: Step | None = None
        for definition in self.theory.definitions.get(cls, ()):
            step = evaluator(self.theory, definition)(self, x, {"this": x})
            if step.value is True and unmade:
                return Step(node, x, None, "open", unmade, False)
            if step.value is True:
                spared = self.spared(con)
                return Step(node, x, True, "defined", (step, *spared), step.soft or bool(spared))
            if step.value is False:
                false_by = step
            else:
                open_steps.append(step)
        if false_by is not None and len(open_steps) == len(unmade):  # what may take it away does not make it so
            return Step(node, x, False, "defined", (false_by,), false_by.soft)
        below_: list[Step] = []
        for below in self.theory.defined_below.get(cls, ()):
            if below not in kind.denied:
                step = self.member(x, below)
                below_.append(step)
                if step.value is True and unmade:
                    return Step(node, x, None, "open", unmade, False)
                if step.value is True:
                    spared = self.spared(con)
                    return Step(node, x, True, "inferred", (step, *spared), step.soft or bool(spared))
                if step.value is None:
                    open_steps.append(step)
        pending = [c for c in x.pending if cls in self.vocabulary.classes[c].ancestors] if x.pending else None
        if pending:
            open_steps += [o for c in pending for o in x.pending[c]]
            return Step(node, x, None, "open", tuple(open_steps), False)
        if term.when_unstated in (ABSENT, CONCLUDED) and term.ancestors.isdisjoint(x.facts.unknown):
            absent = term.when_unstated == ABSENT
            # Of a state, a rule that would only take it away opens nothing: the presumption is that it is not there.
            making = [o for o in open_steps if o not in unmade] if absent else open_steps
            usual = absent and (term.unshown or not self.named(x))
            if not making or (usual and not self.told_open(making)):
                if x.blank and absent:  # of what nobody told nothing is to be said but that it is as usual
                    return Step(node, x, False, "presumed", (), True)
                spared = self.spared((*pro, *below_, *(() if absent else con)))
                return Step(node, x, False, "presumed", (*making, *spared, *x.spared.get(cls, ())), True)
        if open_steps:
            return Step(node, x, None, "open", tuple(open_steps), False)
        return Step(node, x, None, "unknown", (), False)

    def kept(self, x: Thing, cls: str) -> tuple[Outcome, ...]:
        """The effects of what has happened that would have ended this of x, but for something that is presumed not to be so."""
        classes = self.vocabulary.classes
        return tuple(
            o
            for o in x.spared.get(cls, ())
            if isinstance(o.norm.head, m.Effect) and cls in classes[o.norm.head.cls].disjoint
        )

    def ended_by(self, x: Thing, cls: str) -> tuple[Outcome | Step, ...]:
        """The effect of what has happened for which x is no cls, and how it led to x, where nothing that is stated of it says so."""
        classes = self.vocabulary.classes
        if not x.caused or any(cls in classes[c].disjoint for c in x.facts.is_ if c not in x.ended):
            return ()
        by = next((made for c, made in x.caused.items() if cls in classes[c].disjoint), None)
        return (by.by, *by.way) if by is not None else ()

    def spared(self, tried: Iterable[Any], by: Iterable[Outcome] = ()) -> tuple[Any, ...]:
        """What does not speak against a finding only for something that is presumed, and would not lose to those it is by."""
        return tuple(
            q for q in tried if q.value is False and q.soft
            and not any(o.status and self.theory.stronger(o.norm, q.norm) for o in by)
        )  # fmt: skip

    def told_open(self, opens: Iterable[object]) -> bool:
        """Whether something is open for what the case tells, and not for its silence alone: what it says is not known, what
        an act of the history may have brought about, or rules that say opposite things."""
        if not (self.withdrawn or self.unsettled):
            return False
        told: dict[tuple[int, bool], bool] = {}
        return any([self.told(now, True, told) for now in opens])

    def told(self, now: object, so: bool, found: dict[tuple[int, bool], bool]) -> bool:
        """Whether an open step may come to be so (or not so) by what the case tells, silence still taken for what is usual.

        found: what was told of other steps; one that leans on itself adds nothing.
        """
        if (id(now), so) not in found:
            found[id(now), so] = False
            found[id(now), so] = self._told(now, so, found)
        return found[id(now), so]

    def _told(self, now: object, so: bool, found: dict[tuple[int, bool], bool]) -> bool:
        match now:
            case Outcome(status=None):
                if isinstance(now.norm.head, m.Effect | m.Link):
                    return True
                tried = [(now.head, so), (now.when, so), *((s, not so) for _, s in now.unless)]
                needed = [(s, then) for s, then in tried if s is not None and s.value is None]
                return (all if so else any)([self.told(s, then, found) for s, then in needed])
            case Contribution(state="open"):
                if now.op in m.HAPPENED:
                    return True
                return self.told(now.outcome, so, found) or self.told(now.value, so, found)
            case Step(value=None):
                if now.why == "conflict" or self.told_unknown(now):
                    return True
                parts: list[Any] = list(now.parts)
                if isinstance(now.node, (m.Some, m.Only, m.Count, m.HasValue)):
                    links = self.successors(now.thing, now.node.role.name, now.node.role.inverse)
                    parts += [o for of in links.perhaps.values() for o in of]
                if so and isinstance(now.node, m.Named) and (now.thing.name, now.node.name) not in self.made:
                    parts = [s for s in parts if not unmakes(s)]  # what may take it away does not bring it about
                each = [self.told(s, so is not (now.why == "not"), found) for s in parts if unsettled(s)]
                return bool(each) and (all if now.why == ("and" if so else "or") else any)(each)
        return False

    def told_unknown(self, step: Step) -> bool:
        """Whether the case says of what a step is about that it is not known."""
        unknown = step.thing.facts.unknown
        match step.node:
            case m.Named(name):
                return not self.vocabulary.classes[name].ancestors.isdisjoint(unknown)
            case m.Flag(name, _):
                return name in unknown
            case m.Some(role, _) | m.Only(role, _) | m.Count(role, _, _, _) | m.HasValue(role, _):
                return self.withheld(unknown, role.name)
            case m.Path(_, steps) | m.Aggregate(_, m.Path(_, steps), _, _):
                return steps[-1] in unknown or not (step.parts or self.withdrawn.isdisjoint(steps))
        return False

    def resolve(self, pro: Iterable[Outcome], con: Iterable[Outcome]) -> tuple[bool | None, tuple[Outcome, ...]]:
        """Which side of a constitutive question holds, and by which outcomes.

        (None, ()) when neither speaks or it is open; (None, outcomes) when both speak and neither is stronger.
        """
        pros, cons = [o for o in pro if o.status], [o for o in con if o.status]
        if not pros and not cons:
            return None, ()
        open_pro = [o for o in pro if o.status is None]
        open_con = [o for o in con if o.status is None]
        pro_wins = pros and all(any(self.theory.stronger(p.norm, c.norm) for p in pros) for c in (*cons, *open_con))
        if pro_wins:
            return True, tuple(pros)
        con_wins = cons and all(any(self.theory.stronger(c.norm, p.norm) for c in cons) for p in (*pros, *open_pro))
        if con_wins:
            return False, tuple(cons)
        return None, (*pros, *cons) if pros and cons else ()


def unsettled(step: object) -> bool:
    """Whether a part of a step is open."""
    match step:
        case Outcome():
            return step.status is None
        case Contribution():
            return step.state == "open"
        case Step():
            return step.value is None
    return False


def unmakes(step: object) -> bool:
    """Whether a step is of a norm that makes a thing not so."""
    return isinstance(step, Outcome) and isinstance(step.norm.head, m.CountsAs) and step.norm.head.negated
