"""Reads what goes with an act: what it is done to, with, from, into, by way of, in which phase and manner; each by its preposition and what the ontology lets there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kb.english.asides import NOT
from kb.english.clauses import JOINING
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK
from kb.english.references import AMMUNITION, WEAPON
from kb.english.scene import ACT, Thing
from kb.english.whither import TOWARDS, WhitherReader
from kb.english.words import MULTIPLIES
from kb.language.english import participles, plural

LEAVING = frozenset(form for verb in ("leave", "exit") for form in (verb, plural(verb), *participles(verb)))
ADVERBS = frozenset(["out", "back", "on", "over", "up", "down", "off", "straight"])
USING = frozenset(["use", "uses", "using", "used"])
FILLERS = (
    "also", "too", "in this case", "like this", "now", "in this attack", "then", "afterwards", "after that",
    *(f"{lead}{turn}" for turn in ("turn", "player turn", "phase") for lead in ("this ", "in the same ", "the same ", "earlier this ", "earlier in the same ", "later this ", "later in the same ")),
)  # fmt: skip  # they tell nothing
STAYING = tuple(
    f"and {verb}{there}" for there in (" there", " in it", "") for verb in ("stayed", "stays", "remained", "remains")
)
MADE = ("made", "fired", "resolved", "conducted", "coming")
FROM_WHERE = ("from", "against", "at", "on", "vs", "by", "in", "through", "with")


class ActReader(WhitherReader):
    """Reads the parts of acts. last: how an act was last said to be done, and where."""

    last: tuple[Thing, str, int] | None = None

    def complements(self, act: Thing, leaving: bool = False, direct: bool = True) -> None:
        """Takes everything that goes with an act."""
        doer = self.doer
        self.doer = next(iter(act.links.get("actor", ())), None)
        try:
            self.each_complement(act, leaving, direct)
        finally:
            self.doer = doer

    def each_complement(self, act: Thing, leaving: bool, direct: bool) -> None:
        """Takes one after the other."""
        first = True
        while not self.over() and not self.sign_of_more():
            if direct and first and self.attempt(lambda: self.object_of(act, leaving)):
                first = False
                continue
            first = False
            if not self.complement(act):
                return

    def object_of(self, act: Thing, leaving: bool) -> bool:
        """Takes what is done something to."""
        start = self.i
        role = self.direct(act, leaving)
        setting = any(self.scene.below(act, cls) for cls in ("Placement", "SetUp"))
        thing = self.filler(act, role, partial(self.noun, places=not setting))
        if thing is None or thing is act:
            self.i = start
            return False
        doers = act.links.get("actor", [])
        if self.scene.below(act, "Entry") and [t.said for t in doers] == ["I"] and self.scene.below(thing, "Piece"):
            act.links["actor"] = [thing]  # I move my squad: it moves
            self.scene.things.remove(doers[0])
            self.it = self.scene.main = thing
            return True
        if self.scene.below(act, "Entry") and doers and thing not in doers and self.scene.below(thing, "Piece"):
            raise Stuck(start, f"who moves: ask whether “{thing.said}” may", True)
        if role == "target" and self.scene.below(thing, WEAPON) and self.scene.below(act, "Fire"):
            role = "weapon"  # a mortar may be fired
        end = self.i
        if self.join(act, role, thing, start):
            return True
        across = role == "destination" and "through" in self.properties  # what is no place but lies across the way
        self.i = end if across else start
        return across and self.join(act, "through", thing, start)

    def filler(self, act: Thing, role: str, read: Callable[[], Thing | None]) -> Thing | None:
        """What stands in a role of an act, read as a thing that may stand there: by which a pronoun is known."""
        wanted = self.properties[role].range if role in self.properties else ""
        self.wanted = wanted if wanted in self.classes else ""
        try:
            return read()
        finally:
            self.wanted = ""

    def from_afar(self, act: Thing) -> bool:
        """Takes `from 18 inches away`: how far off what it is done to is."""
        others = act.links.get("target") or act.links.get("actor") or ()
        return self.take("from") and len(others) == 1 and self.away(others[0], "")

    def part_takers(self) -> tuple[str, ...]:
        """The relation of an act to those who do it together, where the book has one."""
        role = self.vocabulary.resolve("participants", [self.properties])
        return (role,) if role else ()

    def as_group(self, act: Thing) -> bool:
        """Takes `as a FG`, `as one`: of several who do it."""
        doers = [t for role in ("actor", *self.part_takers()) for t in act.links.get(role, ())]
        if (
            not (self.take("together as", "as") and self.take("a", "an", "one"))
            or sum(t.count + len(t.fellows) for t in doers) < 2
        ):
            return False
        found = self.found(KIND)
        sense = found.of(KIND) if found is not None else None
        if found is not None and sense is not None and self.kind(sense.name, "Group"):
            self.i += found.length
            return True
        return self.line[self.i - 1].low == "one" and (self.over() or self.line[self.i].sign)

    def goes_with(self, act: Thing) -> bool:
        """Takes what goes with an act that is told to be such: its fire is Prep Fire at a squad."""
        return (
            not self.over()
            and not self.sign_of_more()
            and self.line[self.i].low not in (*JOINING,)
            and self.complement(act)
        )

    def complement(self, act: Thing) -> bool:
        """Takes one thing that goes with an act, whatever stands here."""
        if self.take(*FILLERS) or self.outwards(act):
            return True
        if self.take("earlier-turn"):
            act.earlier = act is not self.scene.act
            return act.earlier
        if self.scene.below(act, "Entry") and self.take(*STAYING):
            return True
        if self.take("later-turn"):
            self.scene.later = act is self.scene.act
            return self.scene.later
        if self.scene.below(act, "Entry") and self.take("together"):
            return True  # who fires together is a group
        if not self.over() and self.line[self.i].text in MULTIPLIES:
            self.i += 1  # PBF doubles: that it is such
            return True
        if self.low() == "(" and self.low(2) == ")" and self.line[self.i + 1].text in MULTIPLIES:
            self.i += 3
            return True
        if self.low() in MADE and self.low(1) in FROM_WHERE:  # MG fire, made against the squad
            self.i += 1
        if (
            self.low() == "from"
            and self.low(1) in ("inside", "within", "in")
            and self.attempt(lambda: self.origin(act))
        ):
            return True
        ways: list[Callable[[], bool]] = [
            lambda: self.purpose(act), lambda: self.manner(act), lambda: self.phase_of(act), lambda: self.set_role(act), lambda: self.origin(act), lambda: self.left(act),
        ]  # fmt: skip
        ways += [partial(self.same_target, act)]
        ways += [partial(self.by_word, act, word, role) for word, role in self.roles(act)]
        ways += [
            lambda: self.of(act),
            lambda: self.inward(act),
            lambda: self.as_group(act),
            lambda: self.from_afar(act),
            lambda: self.take("again") and self.done_before(act),
            lambda: self.take("and") and self.amount(act),
            lambda: self.instrument(act),
            lambda: self.flagged(act),
            lambda: self.as_kind(act),
            lambda: self.by_kind(act),
            lambda: self.of_actor(act),
        ]
        return any(self.attempt(way) for way in ways)

    def purpose(self, act: Thing) -> bool:
        """Takes `to gap the wire`: for which other act of his it is done. Read where verbs are."""
        return False

    def outwards(self, act: Thing) -> bool:
        """Takes `out`, `back` before where an act leads, which tells no more of it."""
        leads = self.low() in ADVERBS and self.low(1) in (*TOWARDS, "from", "at") and self.scene.below(act, "Entry")
        self.i += leads
        return leads

    def done_before(self, act: Thing) -> bool:
        """Whether an act is told to have been done once already: again."""
        return any(self.scene.alike(k, other.kinds) for other in self.scene.happened for k in act.kinds)

    def by_word(self, act: Thing, word: str, role: str) -> bool:
        """Takes a preposition and the thing that stands in a role behind it."""
        if not self.take(word):
            return False
        start = self.i
        thing = self.filler(act, role, partial(self.noun, states=role != "destination"))
        if thing is None:
            return False
        if role == "actor" and self.scene.below(thing, WEAPON):
            role = "weapon"
        return self.join(act, role, thing, start)

    def same_target(self, act: Thing) -> bool:
        """Takes `at the same squad`, of several who do one act: at one thing, which is none of them."""
        doers = [t for role in ("actor", *self.part_takers()) for t in act.links.get(role, ())]
        if sum(t.count + len(t.fellows) for t in doers) < 2 or not self.take(
            "at the same", "on the same", "against the same"
        ):
            return False
        if self.take("target", "target unit", "target units"):
            return True
        told, self.anew = act.links.get("target"), True
        try:
            other = self.noun(verbs_stop=True)
        finally:
            self.anew = False
        if other is None or not told:
            return other is not None and self.join(act, "target", other, self.i)
        if not self.scene.alike(other.kinds[0], told[0].kinds):
            return False
        self.scene.merge(told[0], other)
        return True

    def as_kind(self, act: Thing) -> bool:
        """Takes `with ATFP`, `in Close Combat`: of which narrower kind an act is."""
        if not self.take("with", "using", "in", "as"):
            return False
        self.take("a", "an", "the")
        found = self.found(DEED, KIND)
        sense = (found.of(DEED) or found.of(KIND)) if found is not None else None
        if found is None or sense is None or not any(k in self.classes[sense.name].ancestors for k in act.kinds):
            return False
        self.i += found.length
        self.scene.refine(act, [sense.name])
        return True

    def by_kind(self, act: Thing) -> bool:
        """Takes `on the Area Target Type`: what can only stand in one role of the act."""
        if not self.take("on", "as", "in", "under", "with", "using"):
            return False
        thing = self.noun(verbs_stop=True)
        roles = self.roles_of_kind(act, thing.kinds[0]) if thing is not None and thing.kinds else []
        return thing is not None and len(roles) == 1 and self.join(act, roles[0], thing, self.i)

    def of_actor(self, act: Thing) -> bool:
        """Takes what belongs to the one who acts: with 2 MF left."""
        actor = next(iter(act.links.get("actor", ())), None)
        if actor is None or self.low() not in ("with", "carrying", "having"):
            return False
        if self.low() == "with":  # a weapon might be that of the place, or of the target
            self.i += 1
            return self.amount(actor) or self.points_left(actor)
        return self.having(actor)

    def manner(self, act: Thing) -> bool:
        """Takes how an act is done, in the words that the ontology has for it: from outside the CA, at Long Range, by paying one MF."""
        start = self.i
        if self.low() in ("against", "at", "vs", "on") and self.attempt(lambda: self.told_of_target(act)):
            return True
        denied = self.take(*NOT) or self.take("without")
        for found in self.lexicon.all(self.line, self.i, (HOW, DEED)) if not self.over() else ():
            for sense in found.senses:
                if (sense.verb and found.length == 1 and not found.of(HOW)) or self.of_longer(found.length):
                    continue
                if (
                    ACT in self.classes[sense.name].ancestors
                    and self.fits(act, sense.name, denied != found.denied)
                    and (sense.sort == HOW or found.length > 1 or denied)
                ):
                    self.i += found.length
                    self.say(act, sense.name, denied != found.denied, start)
                    self.last = (act, sense.name, start)
                    return True
        self.i = start
        return False

    def told_of_target(self, act: Thing) -> bool:
        """Takes `against a target not in Marsh`: what the ontology says of the attack by its target."""
        start = self.i
        self.i += 1
        self.take("a", "an", "the")
        for found in self.lexicon.all(self.line, self.i, (HOW,)):
            sense = found.of(HOW)
            if (
                sense is not None
                and found.length > 2
                and self.fits(act, sense.name, found.denied)
                and ACT in self.classes[sense.name].ancestors
            ):
                self.i += found.length
                self.say(act, sense.name, found.denied, start)
                return True
        return False

    def set_role(self, act: Thing) -> bool:
        """Takes a relation of an act that the ontology has its own words for: directed by a leader, separately from another squad."""
        start = self.i
        link = self.found(LINK)
        if link is None or (
            link.length == 1
            and self.low() in (*TOWARDS, "from", "at", "through", "inside", "has", "with", "under", "over", "across")
        ):
            return False
        for sense in link.senses:
            if self.may_link(act, sense.name) and sense.name not in act.links:
                self.i = start + link.length
                thing = self.noun(verbs_stop=False)
                if thing is not None and self.join(act, sense.name, thing, start):
                    return True
        self.i = start
        return False

    def instrument(self, act: Thing) -> bool:
        """Takes the weapon, the ammunition, a number that an act is done with."""
        start = self.i
        if not self.take("with", "by using", "using", "at", "of", "has"):
            return False
        if self.amount(act):
            return True
        thing = self.noun(verbs_stop=True)
        if thing is not None:
            for cls, role in (
                ((WEAPON, "weapon"), (AMMUNITION, "ammunition")) if self.scene.below(act, "Attack") else ()
            ):
                if self.scene.below(thing, cls) and role in self.properties and role not in act.links:
                    act.link(role, thing)
                    return True
        self.i = start
        return False
