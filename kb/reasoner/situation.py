"""A case staged against a theory: things with closed types, and what follows of membership, relations and numbers.

Everything is three-valued and returns a Step, which says what was found and why. Results are remembered, so a
Situation answers many questions about the same facts quickly. Nothing here reads files or clocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from kb.language import english, norms as m
from kb.language.case import Case
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.reasoner import builtins, quantities
from kb.reasoner.evaluate import Tried, evaluator, plan
from kb.reasoner.trace import NOTHING, Contribution, Links, Outcome, Step, Thing
from kb.reasoner.world import World
from kb.rulebook.theory import Theory, Way

NONE = {
    (complete, presumed): Links((), {}, complete, presumed) for complete in (True, False) for presumed in (True, False)
}
NO_LINKS, NO_LINKS_PRESUMED = NONE[True, False], NONE[True, True]
UNTOLD = Links((), {}, False, False, untold=True)


class Keeper:
    """Lets the things of a case forget when the last who can ask about them is gone.

    What things remember of each other goes round in circles, and would wait for the garbage collector.
    """

    __slots__ = ("blanks", "things")

    def __init__(self, things: Mapping[str, Thing], blanks: Mapping[Any, Thing]):
        self.things, self.blanks = things, blanks

    def __del__(self) -> None:
        for thing in (*self.things.values(), *self.blanks.values()):
            thing.forget()


class Situation(World):
    """One staged case, whatever is asked of it. `member`, `successors`, `quantity` and `outcome` are the questions everything
    reduces to."""

    def __init__(self, theory: Theory, case: Case, now: Case | None = None):
        """now: the case as it stands after what has happened (kb.reasoner.positions), where that is not as it is told."""
        self.theory, self.case, self.now = theory, case, now or case
        self.vocabulary = theory.vocabulary
        self.things: dict[str, Thing] = {}
        self.blanks: dict[tuple[str, str], Thing] = {}
        self.keeper = Keeper(self.things, self.blanks)
        self.quantities: dict[tuple[str, str, frozenset[str]], Step | None] = {}
        # What was remembered while something is being worked out (busy: how many things are), in order; and what was asked
        # for again meanwhile (a memory's id, a slot), each with how much had been remembered before.
        self.trail: list[tuple[dict[Any, Any], Any]] = []
        self.circles: dict[tuple[int, Any], int] = {}
        self.busy = 0
        self.done: set[str] = set()
        self.past: list[Outcome] = []
        # What the case says is not known of something, and whether rules conflict or what has happened has left something
        # open: what follows from that is not presumed away either.
        self.withdrawn: frozenset[str] = frozenset().union(*[facts.unknown for facts in case.things.values()])
        self.unsettled = False
        things, kinds, told = self.things, theory.kinds_stated, self.now.things
        for name, facts in told.items():
            kind = kinds.get((facts.is_, facts.not_)) or theory.kind_of(facts.is_, facts.not_)
            things[name] = Thing(name, facts.label or name, facts, kind, not facts.unknown)
        for name, facts in told.items():
            if facts.links:
                thing = things[name]
                for role, targets in facts.links.items():
                    for target in targets:
                        related(thing, role, things[target])

    # While something is being worked out, its memory holds None for it. Asked for again meanwhile it is taken to be
    # blank: nothing bears itself out. If it then turns out to be more than blank, what was found from then on may rest on
    # too little, and is forgotten.

    def begin(self, memory: dict[Any, Any], slot: Any) -> bool:
        """Marks that this is being worked out; False where it was so marked already."""
        if slot in memory:
            again, now = (id(memory), slot), len(self.trail)
            self.circles[again] = min(now, self.circles.get(again, now))  # what was forgotten since may be found anew
            return False
        memory[slot] = None
        self.busy += 1
        return True

    def finish(self, memory: dict[Any, Any], slot: Any, found: Any) -> Any:
        """Remembers what was found, and forgets what was found on the way as if there were nothing to it."""
        since = self.circles.pop((id(memory), slot), None) if self.circles else None
        if since is not None:
            for other, begun in self.circles.items():  # who forgets this forgets with it what leans on it
                self.circles[other] = min(begun, since)
            if not nothing(found):
                for held, name in self.trail[since:]:
                    held.pop(name, None)
                del self.trail[since:]
        memory[slot] = found
        self.busy -= 1
        if self.busy:
            self.trail.append((memory, slot))
        else:
            self.trail.clear()
        return found

    # ── membership ──

    def member(self, x: Thing, cls: str) -> Step:
        """Whether x is a cls: stated, entailed by the class tree, counted as, defined, presumed absent, or unknown."""
        return x.members.get(cls) or self.first(x, cls)

    def first(self, x: Thing, cls: str) -> Step:
        """The same where it was not asked before."""
        if x.plain:
            node, value, why, soft = x.kind.leaves.get(cls) or self.theory.leaf(x.kind, cls)
            if why:
                found = x.members[cls] = Step(node, x, value, why, (), soft)
                return found
        if not self.begin(x.members, cls):
            return Step(class_node(cls), x, False, "circular", (), False)
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
            if effect is not None and kind.source[cls] not in x.facts.is_:
                return Step(node, x, True, "effect", (effect,), effect.soft)
            why = "stated" if kind.source[cls] == cls else "inferred"
            if x.made:
                why = "staged"
            return Step(node, x, True, why, (), x.soft)
        if cls in kind.denied:
            why = "denied" if kind.source.get(cls, "").startswith("not ") else "disjoint"
            return Step(node, x, False, why, (), x.soft)
        term = self.vocabulary.classes[cls]
        open_steps: list[Any] = []
        pro: list[Outcome] = []
        con: list[Outcome] = []
        makes = self.theory.makes.get(cls)
        if makes:
            pro = [self.outcome(n, x) for n in makes]
            con = [self.outcome(n, x) for n in self.theory.unmakes.get(cls, ())]
            side, outs = self.resolve(pro, con)
            if side is None and not outs and any(o.status for o in pro):
                # A norm makes it so, and one that might unmake it is open.
                return Step(node, x, None, "open", tuple(o for o in con if o.status is None), False)
            if side is not None:
                why = "counts" if side else "counts-not"
                outs = (*outs, *self.spared(con if side else pro, outs))
                return Step(node, x, side, why, outs, any(o.soft for o in outs))
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
        if false_by is not None and not open_steps:
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
                spared = self.spared((*pro, *below_, *(() if absent else con)))
                return Step(node, x, False, "presumed", (*making, *spared, *x.spared.get(cls, ())), True)
        if open_steps:
            return Step(node, x, None, "open", tuple(open_steps), False)
        return Step(node, x, None, "unknown", (), False)

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
        seen: set[int] = set()
        queue = list(opens)
        while queue:
            now = queue.pop()
            if id(now) in seen:
                continue
            seen.add(id(now))
            match now:
                case Outcome(status=None) if isinstance(now.norm.head, m.Effect):
                    return True
                case Outcome(status=None):
                    queue += [s for s in (now.head, now.when, *(s for _, s in now.unless)) if s is not None]
                case Contribution(state="open"):
                    queue += [now.outcome, now.value]
                case Step(value=None):
                    if now.why == "conflict" or self.told_unknown(now):
                        return True
                    queue += now.parts
                    if isinstance(now.node, (m.Some, m.Only, m.Count, m.HasValue)):
                        links = self.successors(now.thing, now.node.role.name, now.node.role.inverse)
                        queue += [o for of in links.perhaps.values() for o in of]
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

    def focus(self, x: Thing, cls: str) -> bool | None:
        """Quick test whether a norm about `cls` can speak of x: False when x is plainly of another kind."""
        return self.theory.fits(x.kind, cls)

    # ── relations ──

    def successors(self, x: Thing, name: str, inverse: bool = False) -> Links:
        """What x is related to by a property, how each is known, and whether that is all."""
        key = "inverse " + name if inverse else name
        return x.linked.get(key) or self.reach(x, name, inverse, key)

    def reach(self, x: Thing, name: str, inverse: bool, key: str) -> Links:
        """The same where it was not asked before."""
        if inverse:
            found = x.linked[key] = self._inverse(x, name)
            return found
        way = self.theory.ways.get(name) or self.theory.way(name)
        if not way.indirect:
            facts, back = x.facts, x.back
            if way.alone and not facts.unknown and (not back or back.keys().isdisjoint(way.inverses)):
                told = facts.links.get(name)  # the usual: one value stated, or silence
                if told is None:
                    if name not in x.kind.existential:
                        found = x.linked[key] = NO_LINKS_PRESUMED if way.presumed else UNTOLD
                        return found
                elif len(told) == 1:
                    thing = self.things[told[0]]
                    found = x.linked[key] = Links((thing,), {thing.name: way.stated}, True, not way.functional)
                    return found
            found = x.linked[key] = self._successors(x, name, way)
            return found
        if not self.begin(x.linked, key):
            return NO_LINKS
        return self.finish(x.linked, key, self._successors(x, name, way))  # type: ignore[no-any-return]

    def _inverse(self, x: Thing, name: str) -> Links:
        prop = self.vocabulary.properties[name]
        found: dict[str, tuple[str, Any]] = {}
        for q in prop.below:
            for y in x.back.get(q, ()):
                found.setdefault(y.name, ("stated", q))
        for q in prop.inverses:
            for target in x.facts.links.get(q, ()):
                found.setdefault(target, ("stated", q))
        perhaps: dict[str, tuple[Outcome | Step, ...]] = {}
        if (self.theory.ways.get(name) or self.theory.way(name)).indirect:
            for y in list(self.things.values()):
                if y is not x and y.name not in found:
                    links = self.successors(y, name)
                    if x.name in links.why:
                        found[y.name] = links.why[x.name]
                    elif x.name in links.perhaps:  # an open rule may relate it to x
                        perhaps[y.name] = links.perhaps[x.name]
        whole = not perhaps
        return Links(tuple([self.things[n] for n in found]), found, whole, whole, perhaps=perhaps)

    def _successors(self, x: Thing, name: str, way: Way) -> Links:
        facts, back = x.facts, x.back
        found: dict[str, tuple[str, Any]] = {}
        barred: dict[str, tuple[str, Any]] = {}
        perhaps: dict[str, tuple[Outcome | Step, ...]] = {}
        stated = unsure = False
        if facts.links and not facts.links.keys().isdisjoint(way.below):
            for q in way.below:
                targets = facts.links.get(q)
                if targets is not None:
                    stated = stated or q == name or bool(targets)
                    for target in targets:
                        found.setdefault(target, ("stated", q))
        if back and not back.keys().isdisjoint(way.inverses):
            for q in way.inverses:
                for y in back.get(q, ()):
                    found.setdefault(y.name, ("stated", q))
        if way.indirect:
            unsure = self._follow_rules(x, name, way, found, barred, perhaps)
        if not found and not stated and not x.kind.existential.keys().isdisjoint(way.below):
            made = self._imply(x, way.below)
            if made is not None:
                found[made.name] = ("implied", name)
        no_more = False
        if unsure and way.functional and stated and found:  # it has its one value
            unsure = False
            perhaps.clear()
        if unsure or (facts.unknown and self.withheld(facts.unknown, name)):
            complete, presumed = False, False
            sure = way.presumed or (way.derived != "" and builtins.settled(self, way.derived, x))
            no_more = sure and not stated and not (facts.unknown and self.withheld(facts.unknown, name))
        elif (found and way.functional) or (way.derived and builtins.complete(self, way.derived, x)):
            complete, presumed = True, False
        elif found or way.presumed:
            complete, presumed = True, bool(found) or not stated
        elif stated:
            complete, presumed = True, False
        elif not barred and not perhaps:
            return UNTOLD
        else:
            complete, presumed = False, False
        if not found and not barred and not perhaps:
            return NONE[complete, presumed]
        things = self.things
        return Links(
            tuple([things[n] for n in found]), found, complete, presumed, barred, perhaps=perhaps, no_more=no_more
        )

    def withheld(self, unknown: tuple[str, ...], name: str) -> bool:
        """Whether one of the words under `unknown` is the relation itself, or one that it is told by: narrower, or the start of a chain."""
        properties = self.vocabulary.properties
        below = properties[name].below
        return any(
            word in below or any(chain[0] == word for q in below for chain in properties[q].chains) for word in unknown
        )

    def _follow_rules(
        self,
        x: Thing,
        name: str,
        way: Way,
        found: dict[str, tuple[str, Any]],
        barred: dict[str, tuple[str, Any]],
        perhaps: dict[str, tuple[Outcome | Step, ...]],
    ) -> bool:
        """Adds what chains, modules, norms and transitivity relate x to, and what norms bar; True when a norm is open."""
        prop = self.vocabulary.properties[name]
        unsure = False
        over = x.name in self.done
        for chain, steps in way.chains if way.opens(x.facts, x.back, x.kind.existential) else ():
            if over and not self.vocabulary.moving.isdisjoint(chain):
                continue  # it is over: where those who did it stand now is not where it took place
            now: Sequence[Thing] = (x,)
            for step, inverse in steps:
                if not now:
                    break
                if len(now) == 1 and not inverse:
                    now = (now[0].linked.get(step) or self.reach(now[0], step, False, step)).things
                else:
                    now = [z for y in now for z in self.successors(y, step, inverse).things]
            for y in now:
                if y.name not in found and (y is not x or chain not in prop.others):
                    found[y.name] = ("chain", chain)
        for sub in way.chained:
            for y in self.successors(x, sub).things:
                found.setdefault(y.name, ("chain", (sub,)))
        if prop.derived:
            for y, soft in builtins.related(self, prop.derived, name, x):
                found.setdefault(y.name, ("module", (prop.derived, soft)))
            for y in builtins.undecided(self, prop.derived, x):
                perhaps.setdefault(y.name, ())
                unsure = True
        for norm in self.theory.relations.get(name, ()):
            unsure = self._relate(x, name, norm, found, barred, perhaps) or unsure
        if unsure and barred:  # what is barred is not open
            for other in barred:
                perhaps.pop(other, None)
            unsure = bool(perhaps)
        if prop.transitive:
            queue = list(found)
            while queue:
                for z in self.successors(self.things[queue.pop()], name).things:
                    if z.name not in found and z is not x:
                        found[z.name] = ("transitive", name)
                        queue.append(z.name)
        return unsure

    def _relate(
        self,
        x: Thing,
        name: str,
        norm: m.Norm,
        found: dict[str, tuple[str, Any]],
        barred: dict[str, tuple[str, Any]],
        perhaps: dict[str, tuple[Outcome | Step, ...]],
    ) -> bool:
        """Adds (or bars) what a `relates` norm concludes; True when it is open and that may matter."""
        head = norm.head
        assert isinstance(head, m.Relates)
        symmetric = name in self.vocabulary.properties[name].inverses
        unsure = False
        to = evaluator(self.theory, head.to, norm)
        for a, b in [(x, y) for y in list(self.things.values())] + [
            (y, x) for y in list(self.things.values()) if symmetric
        ]:
            if a is b or self.focus(a, head.subject) is False:
                continue
            other = b if a is x else a
            outcome = self.outcome(norm, a)
            if outcome.status is False:
                continue
            step = to(self, b, outcome.env)
            if step.value is False:
                continue
            if outcome.status is None or step.value is None:
                # What an open norm would add may be missing; what it would only bar, as stated, stands.
                if not (head.negated or other.name in found):
                    unsure = True
                    opens = (step,) if step.value is None else ()
                    perhaps[other.name] = (*perhaps.get(other.name, ()), outcome, *opens)
            elif head.negated:
                found.pop(other.name, None)
                barred[other.name] = ("norm", (outcome, step))
            else:
                found.setdefault(other.name, ("norm", (outcome, step)))
        return unsure

    def _imply(self, x: Thing, roles: Iterable[str]) -> Thing | None:
        """A thing that the ontology says must be there (`C SubClassOf p some D`), made up when the case names none."""
        if not self.named(x):
            return None
        for q in roles:
            cls = x.kind.existential.get(q)
            if cls:
                return self.make(x, q, cls)
        return None

    def make(self, x: Thing, role: str, cls: str) -> Thing:
        name = f"{x.name}.{role}"
        if name not in self.things:
            kind = self.theory.kind(frozenset([cls]), frozenset())
            made = Thing.implied(name, f"{x.label}'s {self.vocabulary.properties[role].label}", kind, x, role, cls)
            self.things[name] = made
            related(x, role, made)
        return self.things[name]

    def named(self, x: Thing) -> bool:
        """Whether x is one of the case's things, or implied by them; not a blank."""
        return self.things.get(x.name) is x

    def blank(self, x: Thing, role: str) -> Thing:
        """Whatever a role of x leads to, of which the case says nothing: presumed to be as usual, and no more."""
        key = (x.name, role)
        if key not in self.blanks:
            prop = self.vocabulary.properties[role]
            cls = prop.range if prop.range in self.vocabulary.classes else ""
            kind = self.theory.kind(frozenset([cls] if cls else ()), frozenset())
            plain = english.loose(prop.label) is None
            label = (
                f"{x.label}'s {prop.label}" if plain else english.role_phrase(self.vocabulary, m.Role(role), x.label)
            )
            self.blanks[key] = Thing.implied(f"{x.name}.{role}", label, kind, x, role, cls)
        return self.blanks[key]

    # ── norms ──

    def outcome(self, norm: m.Norm, x: Thing) -> Outcome:
        """Whether a norm applies to x: its focus, its condition, and each of its exceptions."""
        found = x.outcomes.get(norm.id)
        if found is not None:
            return found
        if not self.begin(x.outcomes, norm.id):
            return Outcome(norm, x, False, None, None, (), {"this": x}, False)
        if self.theory.tried is not None:
            self.theory.tried.add(norm.id)
        subject, tried = plan(self.theory, norm)
        if subject and self.theory.fits(x.kind, subject) is False:
            other = Step(class_node(subject), x, False, "other-kind", (), False)
            found = Outcome(norm, x, False, other, None, (), {"this": x}, False)
        else:
            found = tried(self, x)
        return self.finish(x.outcomes, norm.id, found)  # type: ignore[no-any-return]

    def deontic(self, x: Thing, question: str) -> list[tuple[Tried, int]]:
        """The norms that can speak of an act in a question of what may or must be done, ready to be tried on it, each with
        its side. Nothing rests on what they say, so no circle is watched for."""
        theory = self.theory
        found = x.kind.deontic.get(question)
        if found is None:
            norms = theory.deontic_of(x.kind, question)
            ids = frozenset(n.id for n, _ in norms)
            found = x.kind.deontic[question] = (ids, [(plan(theory, n)[1], side) for n, side in norms])
        if theory.tried is not None:
            theory.tried |= found[0]
        return found[1]

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

    # ── numbers ──

    def quantity(self, x: Thing, name: str, without: frozenset[str] = frozenset()) -> Step:
        """A number of x, with every contribution to it; value None when it is not known."""
        key = (x.name, name, without)
        found = self.quantities.get(key)
        if found is not None:
            return found
        if not self.begin(self.quantities, key):
            return Step(quantities.node(name), x, None, "circular", (), False)
        return self.finish(self.quantities, key, quantities.worked_out(self, x, name, without))  # type: ignore[no-any-return]


class_node = cache(m.Named)  # one node for each class and number is enough: steps only point to them


def related(x: Thing, role: str, y: Thing) -> None:
    """Notes with y that x is related to it."""
    if y.back is NOTHING:
        y.back = {role: [x]}
    else:
        y.back.setdefault(role, []).append(x)  # type: ignore[attr-defined]


def nothing(found: Step | Outcome | Links) -> bool:
    """Whether a finding says no more than the blank that stood for it: false, no number, no links."""
    if isinstance(found, Links):
        return not found.things and found.complete
    return found.value is False or (found.value is None and isinstance(found, Step) and isinstance(found.node, m.Path))
