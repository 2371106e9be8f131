"""A Part: a sentence of a proof and the sentences under it; and what every telling keeps, so that nothing is told twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from kb.language import english, norms as m, phrases
from kb.language.case import Facts
from kb.reasoner.trace import Outcome, Reached, Step, Thing
from kb.rulebook.theory import Theory

FACT, PRESUMED, IMPLIED, OPEN, RULE, QUOTE, OWN = "fact", "presumed", "implied", "open", "rule", "quote", "own"
NOTHING: Mapping[str, Facts] = {}
T = TypeVar("T")
TRITE = "trite"  # says no more than the names do: `keep is a keep`


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a proof. kind: fact, presumed, implied, open, rule (a norm), quote (our paraphrase), own (the
    reader's book), trite, or "". `subject`, `rest` and `note` are set where several such sentences can be told in one.
    """

    text: str
    parts: tuple[Part, ...] = ()
    kind: str = ""
    subject: str = ""
    rest: str = ""
    note: str = ""


# (rule, sentence numbers) to the reader's own sentences, each with where it stands.
Quotes = Callable[[str, tuple[int, ...]], Sequence[tuple[str, str]]]


class Telling:
    """What was told so far. Norms told in full once are then only named; sentences quoted once are not repeated."""

    def __init__(self, theory: Theory, quotes: Quotes | None = None, things: Mapping[str, Facts] = NOTHING):
        self.theory, self.vocabulary, self.quotes, self.things = theory, theory.vocabulary, quotes, things
        self.told: set[str] = set()
        self.told_lost: set[str] = set()  # norms that did not apply, told as what decides
        self.focus = ""  # what the norm that is told was tried on is called
        self.names: dict[str, str] = {}  # the names that it binds, and what they stand for is called
        self.quoted: set[tuple[str, tuple[int, ...]]] = set()

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

    @contextmanager
    def tried(self, outcome: Outcome) -> Iterator[None]:
        """Tells of what a norm was tried on: that is `this` and `it`, and its names are those of what they stood for."""
        around = self.focus, self.names
        names = phrases.of_norm(self.vocabulary, outcome.norm)
        if names and outcome.status:
            names |= {var: outcome.env[var].label for var in names if var in outcome.env}
        self.focus, self.names = outcome.focus.label, names
        try:
            yield
        finally:
            self.focus, self.names = around

    def spoken(self, node: T) -> T:
        """A condition or an expression of the norm that is told, with what its names stand for."""
        return phrases.called(node, self.names) if self.names else node

    def bind(self, c: m.Condition, x: Thing) -> None:
        """Lets the names that a condition gives to a thing stand for it from here on; from the proof alone, so that a recorded one says the same."""
        if not self.names:
            return
        match c:
            case m.Bind(of, var):
                self.names[var] = x.label
                self.bind(of, x)
            case m.And(parts):
                for part in parts:
                    self.bind(part, x)
            case m.Except(base):
                self.bind(base, x)

    def name(self, step: Step) -> None:
        """Lets names stand for what a step tried them on, or, where it failed later, for what it was tried on."""
        match step.node:
            case m.Some(_, filler) | m.Only(_, filler) | m.Count(_, _, _, filler):
                reached = next((p.thing for p in step.parts if isinstance(p, Reached)), None)
                tried = [p.thing for p in step.parts if isinstance(p, Step)]
                if reached is not None or len(tried) == 1:
                    self.bind(filler, reached or tried[0])
            case m.And():
                self.bind(step.node, step.thing)

    def title(self, norm: m.Norm) -> str:
        """`B30.42 An enemy outside bars the door`; with the norm's label where a rule has several."""
        section = self.theory.sections.get(norm.rule)
        if section is None:
            return norm.id
        return f"{norm.id if len(section.norms) > 1 else norm.rule} {section.title}".strip()

    def by_way(self, x: Thing, name: str, chain: tuple[str, ...], end: str) -> str:
        """`yard is the outside of pillbox and foe is in yard`: a relation in the words by which it is told; "" where it is not told so."""
        said, now, facts = list[str](), x.label, x.facts
        for step in chain[:-1] if chain == self.theory.told_by(name) else ():
            to = facts.links.get(step, ())
            if len(to) != 1 or to[0] not in self.things:
                return ""
            facts = self.things[to[0]]
            before, now = now, facts.label or facts.name
            said.append(english.say_link(self.vocabulary, m.Role(step), before, now))
        return english.series([*said, english.say_link(self.vocabulary, m.Role(chain[-1]), now, end)]) if said else ""

    def step(self, step: Any) -> tuple[Part, ...]:
        """The sentences for one step."""
        raise NotImplementedError

    def norm(self, outcome: Outcome) -> tuple[Part, ...]:
        """Why a norm applies, or what it does not say, down to the facts."""
        raise NotImplementedError


def principle(found: m.Principle | None) -> str:
    """` (A.2: an exception beats the sentence that it is an exception to)`."""
    if found is None:
        return ""
    said = found.says or found.name
    return f" ({found.cite}: {said})" if found.cite else f" ({said})"


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Neighbours of one kind about one subject told in one sentence; repeats dropped."""
    parts = tuple(parts)
    if len(parts) < 2:
        return parts if parts and parts[0].kind != TRITE else ()
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
            and (last.kind, last.note) == (part.kind, part.note)
            and not last.parts + part.parts
        ):
            rest = "\n".join(dict.fromkeys((*last.rest.split("\n"), *part.rest.split("\n"))))
            listed = english.series(rest.split("\n"), "or" if part.subject.endswith("not ") else "and")
            out[-1] = replace(last, text=f"{part.subject}{listed}{part.note}", rest=rest)
        else:
            out.append(part)
    return tuple(out)


def unsaid(thing: Thing, below: tuple[Part, ...]) -> bool:
    """Whether a thing has no name of its own and one sentence says all of it."""
    return "." in thing.name and len(below) == 1 and below[0].text.startswith(thing.label) and not below[0].parts


def plain(step: Any) -> bool:
    """A step that needs no telling: the act is stated to be of its kind."""
    return isinstance(step, Step) and isinstance(step.node, m.Named) and step.why in ("stated", "staged")


def kinds(c: m.Condition) -> bool:
    """Whether a condition only asks of what kind a thing is."""
    return isinstance(c, m.Named) or (isinstance(c, m.Or) and all(map(kinds, c.parts)))
