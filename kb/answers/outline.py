"""A proof's steps as nested sentences: what kb.answers.explain prints, the pages show and the command line draws.

A Part is a sentence and the sentences under it. Nothing is decided here; every sentence says what one step of the
proof found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.language import english, norms as m
from kb.reasoner import kind_rules
from kb.reasoner.trace import Contribution, Outcome, Reached, Step, Thing
from kb.rulebook.theory import Theory

FACT, PRESUMED, IMPLIED, OPEN, RULE, QUOTE, OWN = "fact", "presumed", "implied", "open", "rule", "quote", "own"
TRITE = "trite"  # says no more than the names do: `keep is a keep`


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a proof. kind: fact, presumed, implied, open, rule (a norm), quote (our paraphrase), own (the
    reader's book), trite, or "". `subject` and `rest` are set where several such sentences can be told in one.
    """

    text: str
    parts: tuple[Part, ...] = ()
    kind: str = ""
    subject: str = ""
    rest: str = ""


# (rule, sentence numbers) to the reader's own sentences, each with where it stands.
Quotes = Callable[[str, tuple[int, ...]], Sequence[tuple[str, str]]]


class Teller:
    """Tells steps. Norms told in full once are then only named; sentences quoted once are not repeated."""

    def __init__(self, theory: Theory, quotes: Quotes | None = None):
        self.theory, self.vocabulary, self.quotes = theory, theory.vocabulary, quotes
        self.told: set[str] = set()
        self.quoted: set[tuple[str, tuple[int, ...]]] = set()

    # ── norms ──

    def norm(self, outcome: Outcome) -> tuple[Part, ...]:
        """Why a norm applies, or what it does not say, down to the facts."""
        parts: list[Part] = []
        if outcome.head is not None and not plain(outcome.head):
            parts += self.step(outcome.head)
        if outcome.when is not None:
            parts += self.step(outcome.when)
        for unless, step in outcome.unless:
            if step.value is not False:
                parts.append(
                    Part(f"exception “{unless.label}”: {'met' if step.value else 'not known'}", self.step(step))
                )
        return merged(parts)

    def named(self, outcome: Outcome, says: str = "") -> Part:
        """A norm: its title and what it says, the sentences it encodes, and the facts that meet it."""
        title = self.title(outcome.norm)
        said = says or f"{title}: {english.say_head(self.vocabulary, outcome.norm.head)}"
        if outcome.status is None and not says:
            said += ", if it applies"
        if outcome.norm.id in self.told:
            return Part(f"{said} (see above)", kind=RULE)
        self.told.add(outcome.norm.id)
        return Part(said, (*self.sentences(outcome.norm), *self.norm(outcome)), RULE)

    def sentences(self, norm: m.Norm) -> Iterator[Part]:
        """Our sentences that a norm encodes, and the reader's own where there are any; each told once."""
        section = self.theory.sections.get(norm.rule)
        if section is None or (norm.rule, norm.sentences) in self.quoted:
            return
        self.quoted.add((norm.rule, norm.sentences))
        said = [english.sentence(s.text) for s in section.sentences if s.number in norm.sentences]
        if said:
            yield Part(" ".join(said), kind=QUOTE)
        for sentence, source in self.quotes(norm.rule, norm.sentences) if self.quotes is not None else ():
            yield Part(f"{source}: “{sentence}”", kind=OWN)

    def title(self, norm: m.Norm) -> str:
        """`B30.42 An enemy outside bars the door`; with the norm's label where a rule has several."""
        section = self.theory.sections.get(norm.rule)
        if section is None:
            return norm.id
        return f"{norm.id if len(section.norms) > 1 else norm.rule} {section.title}".strip()

    def faults(self, step: Step) -> tuple[Part, ...]:
        """The plain sentences at the bottom of a condition that is not met: what was in the way."""
        tried = [q for q in step.parts if isinstance(q, Step)]
        match step.node:
            case m.And() | m.Except() | m.Not() | m.Or():
                return merged([q for s in tried for q in self.faults(s)])
            case m.Some() if len(tried) == 1 and step.value is False and "." not in tried[0].thing.name:
                return self.faults(tried[0])
            case m.Named() if step.why in ("defined", "inferred") and tried:
                return merged([q for s in tried for q in self.faults(s)])
        return self.step(step)

    # ── steps ──

    def step(self, step: Any) -> tuple[Part, ...]:
        """The sentences for one step."""
        if isinstance(step, Outcome):
            return (self.named(step),)
        if isinstance(step, Contribution):
            return (self.contribution(step),)
        if isinstance(step, Reached):
            return ()
        node = step.node
        match node:
            case m.And() | m.Except() | m.Or() | m.Not():
                found = [p for s in self.telling(step) for p in self.step(s)]
                return merged(found)
            case m.Named():
                return merged([self.member(step, node.name)])
            case m.Some() | m.Only() | m.HasValue():
                return self.restriction(step)
            case m.Count():
                return (self.count(step, node),)
            case m.Same(target):
                said = english.say_path(self.vocabulary, target)
                verb = "is" if step.value else "is not" if step.value is False else "may be"
                return (Part(f"{step.thing.label} {verb} {said}", kind=FACT),)
            case m.Flag(name, value):
                return (self.flag(step, name, value),)
            case m.Compare():
                return (self.compare(step, node),)
            case m.Anything():
                return ()
        return self.number(step)

    def telling(self, step: Step) -> Iterator[Step]:
        """The parts of a connective that bear its value out."""
        parts = [s for s in step.parts if isinstance(s, Step)]
        if step.value is None:
            yield from (s for s in parts if s.value is None)
        else:
            yield from parts

    # ── membership ──

    def member(self, step: Step, cls: str) -> Part:
        """`squad is infantry: a squad is an MMC, an MMC is infantry`."""
        x, classes = step.thing, self.vocabulary.classes
        if step.value is None:
            said = f"not known: whether {english.say_class(self.vocabulary, x.label, cls)}"
            return Part(said, tuple(p for s in step.parts for p in self.step(s)), OPEN)
        said = english.say_class(self.vocabulary, x.label, cls, bool(step.value))
        predicate = english.complement(classes[cls])
        merge = ("", "")
        if predicate.startswith("is "):
            merge = (f"{x.label} is {'' if step.value else 'not '}", predicate.removeprefix("is "))
        below = tuple(p for s in step.parts for p in self.step(s))
        source = x.kind.source.get(cls, "")
        match step.why:
            case "stated" | "denied":
                return Part(said, (), TRITE if x.label in (cls, classes[cls].label) else FACT, *merge)
            case "presumed":
                return Part(f"{said} (presumed)", (), PRESUMED, *merge)
            case "staged" | "inferred" if not below:
                way = english.say_chain(self.vocabulary, source, cls) if source in classes and source != cls else ""
                if way and (rule := kind_rules.rule(self.theory, source, cls)):
                    way += f" ({rule})"
                if step.why == "staged":
                    return Part(f"{said} ({'; '.join(filter(None, ['implied', way]))})", (), IMPLIED)
                return Part(f"{said}: {way}" if way else said, (), FACT)
            case "disjoint":
                if source in classes:
                    return Part(f"{said}: it {english.complement(classes[source])}", (), FACT)
                return Part(said, (), FACT)
            case "module":
                apart = self.apart(step, classes[cls].derived) if step.value is False else ()
                return Part(said, apart, FACT, *(("", "") if apart else merge))
            case "effect":
                return Part(f"{said}, by what has happened", below, FACT)
            case "counts" | "counts-not":
                return Part(f"{said}, for the rules count it so", below, FACT)
            case "defined" | "inferred":
                return Part(said, below, FACT)
        return Part(said, below, FACT)

    def apart(self, step: Step, derived: str) -> tuple[Part, ...]:
        """The places of a group that does not hang together: each that is joined to no other one."""
        kind, *names = derived.split()
        if kind != "groups" or len(names) < 4:
            return ()
        members, place, link = names[1:4]

        def led(x: Thing, name: str) -> list[Thing]:
            found = x.linked.get(name)
            return list(found.things) if found is not None else []

        spots = {z.name: z for y in led(step.thing, members) for z in led(y, place)}
        parts: list[Part] = []
        for z in spots.values():
            others = [] if parts and len(spots) == 2 else [w for w in spots.values() if w is not z]
            if others and not any(w in led(z, link) or z in led(w, link) for w in others):
                there = english.series([w.label for w in others], "or")
                parts.append(Part(english.say_link(self.vocabulary, m.Role(link), z.label, there, False), (), FACT))
        return tuple(parts)

    # ── relations ──

    def restriction(self, step: Step) -> tuple[Part, ...]:
        """Some, only and value: the links that bear them out, each with what is at its end."""
        node, x = step.node, step.thing
        role: m.Role = node.role
        reached = next((p for p in step.parts if isinstance(p, Reached)), None)
        tried = [p for p in step.parts if isinstance(p, Step)]
        phrase = english.role_phrase(self.vocabulary, role, x.label)
        if isinstance(node, m.HasValue):
            target = step.end.label if step.end is not None else english.say_path(self.vocabulary, node.target)
            if reached is not None:
                return (self.link(role, x, reached, ()),)
            said = english.say_link(self.vocabulary, role, x.label, target, step.value is not False)
            if step.why == "barred":
                return (
                    Part(
                        f"{said}, by a rule", tuple(self.named(o) for o in step.parts if isinstance(o, Outcome)), FACT
                    ),
                )
            if step.value is None:
                return (
                    Part(f"not known: whether {said}", merged([p for s in step.parts for p in self.step(s)]), OPEN),
                )
            return (Part(said, (), PRESUMED if step.soft else FACT),)
        wanted = english.say_condition(self.vocabulary, node.filler)
        if reached is not None:
            below = merged([p for s in tried for p in self.step(s)])
            return (self.link(role, x, reached, below),)
        if step.why == "missing":
            known = merged([p for s in tried for p in self.step(s)])
            said = phrase
            if not isinstance(node.filler, m.Anything):
                said = f"whether {english.say_filler(self.vocabulary, role, x.label, node.filler)}"
            return (Part(f"not known: {said}", known, OPEN),)
        if step.why == "blank":
            return merged([p for s in tried for p in self.step(s)])
        if not tried:
            note = " (presumed)" if step.soft else ""
            said = english.say_link(self.vocabulary, role, x.label, english.nothing(wanted))
            return (Part(said + note, (), PRESUMED if step.soft else FACT),)
        if isinstance(node, m.Only):
            return (
                Part(
                    f"{some_of('every', phrase)} {is_so(wanted)}",
                    merged([p for s in tried for p in self.step(s)]),
                    FACT,
                ),
            )
        below = merged([p for s in tried for p in self.step(s)])
        if len(tried) == 1:
            # One candidate: say of it what it is not.
            y = tried[0].thing
            if "." in y.name and step.value is False and kinds(node.filler):
                kind_of = y.made[2] if y.made is not None else next(iter(y.facts.is_), "")
                noun = english.noun(self.vocabulary.classes[kind_of]) if kind_of in self.vocabulary.classes else y.label
                said = english.say_link(self.vocabulary, role, x.label, noun)
                return (Part(f"{said}, not {wanted}", (), FACT),)
            return (self.link(role, x, None, below, y),)
        kind = OPEN if step.value is None else FACT
        head = f"{some_of('no', phrase)} {is_so(wanted)}"
        if step.value is None:
            head = f"not known: whether {some_of('one', phrase)} {is_so(wanted)}"
        return (Part(head, below, kind),)

    def link(
        self, role: m.Role, x: Thing, reached: Reached | None, below: tuple[Part, ...], y: Thing | None = None
    ) -> Part:
        """`foe is in yard`, and what is so of foe."""
        other = reached.thing if reached is not None else y
        assert other is not None
        plain_ = other.made is not None and all(q.kind == IMPLIED and not q.parts for q in below)
        label = (
            english.noun(self.vocabulary.classes[other.made[2]]) if plain_ and other.made is not None else other.label
        )
        said = english.say_link(self.vocabulary, role, x.label, label)
        code, detail = reached.why if reached is not None else ("stated", "")
        if code == "norm" and isinstance(detail, tuple):
            outcome, step = detail
            assert isinstance(outcome, Outcome)
            return Part(f"{said}, by a rule", (self.named(outcome), *self.step(step), *below), FACT)
        if code == "implied":
            return Part(f"{said} (implied)", () if plain_ else below, IMPLIED)
        if code == "module":
            return Part(f"{said} (worked out)", below, FACT)
        if code == "stated" and detail != role.name and not role.inverse and self.told_by_rule(detail, role.name):
            told = english.say_link(self.vocabulary, m.Role(detail), x.label, label)
            return Part(f"{said}: {told}", below, FACT)
        if unsaid(other, below):
            if reached is not None:
                return Part(said, (), below[0].kind)
            # `phase of move is not a rout phase: it is a movement phase` needs no second line.
            phrase = english.role_phrase(self.vocabulary, role, x.label)
            return replace(below[0], text=f"{phrase} {below[0].text.removeprefix(other.label).strip()}", subject="")
        return Part(said, below, FACT)

    def told_by_rule(self, narrower: str, name: str) -> bool:
        """Whether a relation was told by a narrower one of which a loaded rule speaks (beneath for in)."""
        properties = self.vocabulary.properties
        return narrower in properties[name].below and properties[narrower].source in self.theory.sections

    def count(self, step: Step, node: m.Count) -> Part:
        """A counting condition as a sentence."""
        amount = {"min": "at least", "max": "at most", "exactly": "exactly"}[node.kind]
        wanted = english.say_condition(self.vocabulary, node.filler)
        phrase = english.role_phrase(self.vocabulary, node.role, step.thing.label)
        tried = [p for p in step.parts if isinstance(p, Step)]
        n = sum(1 for s in tried if s.value is True)
        that = "" if isinstance(node.filler, m.Anything) else f", each {wanted}"
        verdict = {True: "", False: ", which is not so", None: ", which is not known"}[step.value]
        below = merged([p for s in tried for p in self.step(s) if not plain(s)])
        return Part(
            f"{phrase}{that}: {n}, asked {amount} {node.n}{verdict}", below, OPEN if step.value is None else FACT
        )

    # ── numbers and flags ──

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
        first, second, sign = self.expression(left), self.expression(right), english.SIGNS[node.op]
        if step.value is None:
            return Part(f"not known: whether {first} is {sign} {second}", below, OPEN)
        if not isinstance(right.node, m.Num):
            second += f" ({english.shown(right.value)})"
        said = f"{first} is {english.shown(left.value)}, {'' if step.value else 'not '}{sign} {second}"
        return Part(said, below, PRESUMED if step.soft else FACT)

    def expression(self, step: Step) -> str:
        """An expression with the things it was worked out on: `force of shot + 2`, `the sum of wall of a and b`."""
        node, parts = step.node, [p for p in step.parts if isinstance(p, Step)]
        match node:
            case m.Path() if innermost(step).why != "missing":
                inner = innermost(step)
                return f"{self.vocabulary.properties[inner.node.steps[-1]].label} of {inner.thing.label}"
            case m.Path(_, (quantity,)):
                return f"{self.vocabulary.properties[quantity].label} of {step.thing.label}"
            case m.Arith("-", m.Num(value), _) if value == 0 and len(parts) == 2:
                return f"minus {self.expression(parts[1])}"
            case m.Arith("*", m.Num(value), _) if value == 2 and len(parts) == 2:
                return f"twice {self.expression(parts[1])}"
            case m.Arith(op, _, _) if len(parts) == 2:
                return f"{self.expression(parts[0])} {'×' if op == '*' else op} {self.expression(parts[1])}"
            case m.Call(function, _) if len(parts) == len(node.args):
                return english.say_call(function, [self.expression(p) for p in parts])
            case m.Aggregate(function, _, _, quantity) if step.value is not None and taken(step):
                of = english.series([p.thing.label for p in taken(step)])
                if quantity and len(taken(step)) == 1:
                    return f"{self.vocabulary.properties[quantity].label} of {of}"
                label = f"{self.vocabulary.properties[quantity].label} of " if quantity else ""
                return f"the {english.AGGREGATES.get(function, function)} {label}{of}"
        return english.say_expr(self.vocabulary, node)

    def number(self, step: Step) -> tuple[Part, ...]:
        """Where a number comes from."""
        match step.node:
            case m.Num():
                return ()
            case m.Path():
                inner = innermost(step)
                if inner.why == "missing":
                    way = english.say_expr(self.vocabulary, inner.node)
                    return (Part(f"not known: {way} of {inner.thing.label}", (), OPEN),)
                label = f"{self.vocabulary.properties[inner.node.steps[-1]].label} of {inner.thing.label}"
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
        assert isinstance(head, m.QuantityHead)
        amount = english.shown(row.value.value) if row.value is not None and row.value.value is not None else ""
        says = english.say_expr(self.vocabulary, head.value)
        said = {
            m.SETS: f"sets it to {amount or says}", m.ADDS: f"adds {signed(amount) or says}",
            m.MULTIPLIES: f"multiplies it by {amount or says}", m.LIMITS: f"limits it to {head.bound} {amount or says}",
        }[head.op]  # fmt: skip
        if amount and amount != says:
            said += f" ({says})"
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
                below = (*below, *(q for q in self.number(row.value) if q.parts or q.kind == OPEN))
        if row.outcome.status is None or row.state == "open":
            return Part(f"{title}, if it applies, {said}", below, OPEN)
        return Part(f"{title} {said}", below, RULE)


# ── helpers ──


def principle(found: m.Principle | None) -> str:
    """` (A.2: an exception beats the sentence that it is an exception to)`."""
    if found is None:
        return ""
    said = found.says or found.name
    return f" ({found.cite}: {said})" if found.cite else f" ({said})"


def some_of(amount: str, phrase: str) -> str:
    """`no occupant of yard`, `nothing of what shot is against`."""
    if not phrase.startswith("what "):
        return f"{amount} {phrase}"
    return {"no": "nothing", "every": "all", "one": "something"}[amount] + f" of {phrase}"


def is_so(wanted: str) -> str:
    """`is pinned`, `is one that lacks a LOS`: what is said of a thing that meets a condition."""
    return f"is one {wanted}" if wanted.startswith(("that ", "with ")) else f"is {wanted}"


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


def plain(step: Any) -> bool:
    """A step that needs no telling: the act is stated to be of its kind."""
    return isinstance(step, Step) and isinstance(step.node, m.Named) and step.why in ("stated", "staged")


def kinds(c: m.Condition) -> bool:
    """Whether a condition only asks of what kind a thing is."""
    return isinstance(c, m.Named) or (isinstance(c, m.Or) and all(map(kinds, c.parts)))


def unsaid(thing: Thing, below: tuple[Part, ...]) -> bool:
    """Whether a thing has no name of its own and one sentence says all of it."""
    return "." in thing.name and len(below) == 1 and below[0].text.startswith(thing.label) and not below[0].parts


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Neighbours of one kind about one subject told in one sentence; repeats dropped."""
    out: list[Part] = []
    seen: set[str] = set()
    for part in parts:
        if (part.text in seen and not part.parts) or part.kind == TRITE:
            continue
        seen.add(part.text)
        last = out[-1] if out else None
        if (
            last is not None
            and part.subject
            and last.subject == part.subject
            and last.kind == part.kind
            and not last.parts + part.parts
        ):
            rest = f"{last.rest}\n{part.rest}"
            listed = english.series(rest.split("\n"), "or" if part.subject.endswith("not ") else "and")
            note = " (presumed)" if part.kind == PRESUMED else ""
            out[-1] = replace(last, text=f"{part.subject}{listed}{note}", rest=rest)
        else:
            out.append(part)
    return tuple(out)
