"""Reads what goes with an act: what it is done to, with, from, into, by way of, in which phase and manner; each by its preposition and what the ontology lets there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kb.english.clauses import JOINING
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, KIND, LINK
from kb.english.manners import MannerReader
from kb.english.places import UNITS
from kb.english.pronouns import PRONOUNS
from kb.english.references import AMMUNITION, AT, WEAPON
from kb.english.thing import SIDES, Thing
from kb.english.whither import TOWARDS
from kb.english.words import MULTIPLIES, counted
from kb.language.english import participles, plural

LEAVING = frozenset(form for verb in ("leave", "exit") for form in (verb, plural(verb), *participles(verb)))
ADVERBS = frozenset(["out", "back", "on", "over", "up", "down", "off", "straight"])
FILLERS = (
    "also", "too", "above ground", "in this case", "like this", "on foot", "now", "in this attack", "then", "afterwards", "after that",
    *(f"{lead}{turn}" for turn in ("turn", "player turn", "phase") for lead in ("this ", "in the same ", "the same ", "earlier this ", "earlier in the same ", "later this ", "later in the same ")),
)  # fmt: skip  # they tell nothing
STAYING = tuple(
    f"and {verb}{there}"
    for there in (" there", " in it", "")
    for verb in ("stay", "stayed", "stays", "remain", "remained", "remains")
)
MADE = ("made", "fired", "resolved", "conducted", "coming")
FROM_WHERE = ("from", "against", "at", "on", "vs", "by", "in", "through", "with")


class ActReader(MannerReader):
    """Reads the parts of acts."""

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
        if self.scene.below(act, "Entry") and counted(self.line[self.i]):
            return self.far_moved(act)
        setting = any(self.scene.below(act, cls) for cls in ("Placement", "SetUp"))
        thing = self.filler(act, role, partial(self.noun, places=not setting))
        if thing is None or thing is act:
            return self.back_at(start)
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

    def far_moved(self, act: Thing) -> bool:
        """Takes `8 inches`, of a move: how far it goes, where the book has a number for that."""
        value, unit = counted(self.line[self.i]), self.low(1)
        plural_ = unit if unit.endswith("s") else plural(unit)
        ways = (f"{plural_} of the move", "length of the move", f"{plural_} moved")
        name = next((n for way in ways if (n := self.vocabulary.resolve(way, [self.properties]))), None)
        if unit not in UNITS or name is None or self.properties[name].unit not in ("", plural_):
            return False
        bearer = next((t for t in (act, *act.links.get("actor", ())) if self.bearer(t, name) is t), None)
        self.i += 2
        for end in range(len(self.line), self.i, -1):  # three hexes in a tunnel
            narrow = self.meant([act.said, *self.line[self.i : end]], DEED)
            if narrow is not None and self.kind(narrow.name, act.kinds[0]):
                act.kinds, self.i = [narrow.name], end
                break
        return bearer is not None and self.numbered(bearer, name, value, self.i)

    def filler(self, act: Thing, role: str, read: Callable[[], Thing | None]) -> Thing | None:
        """What stands in a role of an act, read as a thing that may stand there: by which a pronoun is known."""
        wanted = self.properties[role].range if role in self.properties else ""
        self.wanted, self.aimed = wanted if wanted in self.classes else "", role == "target"
        try:
            return read()
        finally:
            self.wanted, self.aimed = "", False

    def from_afar(self, act: Thing) -> bool:
        """Takes `from 18 inches away`: how far off what it is done to is."""
        others = act.links.get("target") or act.links.get("actor") or ()
        return self.take("from") and len(others) == 1 and self.away(others[0], "")

    def joined_with(self, act: Thing) -> bool:
        """Takes `with a squad in the pillbox`, of who forms a group: with whom."""
        doers = act.links.get("actor", ())
        words = {w for k in act.kinds for w in self.classes[k].label.casefold().split()}
        groups = [c for c in self.classes.values() if "Group" in c.ancestors and {*c.label.casefold().split()} <= words]
        if not groups or len(doers) != 1 or not self.take("with", "together with"):
            return False
        other = self.newly(verbs_stop=True)
        if other is None or other is doers[0] or not self.scene.below(other, "Piece"):
            return False
        doers[0].fellows.append(other)
        return True

    def as_group(self, act: Thing) -> bool:
        """Takes `as a FG`, `as one`: of several who do it."""
        doers = [t for role in ("actor", *self.part_takers()) for t in act.links.get(role, ())]
        if (
            not (self.take("together as", "as") and self.take("a", "an", "one"))
            or sum(t.count + len(t.fellows) for t in doers) < 2
        ):
            return False
        if self.taken(KIND, below="Group"):
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
        if self.take("turn-before"):
            act.earlier = act is not self.scene.act
            return act.earlier
        if self.take(*(("there",) if self.scene.below(act, "Attack") else STAYING)):
            return True
        if self.take("turn-after"):
            self.scene.later = act is self.scene.act
            return self.scene.later
        if any(self.scene.below(act, c) for c in ("Entry", "Occupation", "SetUp")) and self.take("together", "at once"):
            return True  # who fires together is a group
        if not self.over() and self.line[self.i].text in MULTIPLIES:
            self.i += 1  # PBF doubles: that it is such
            return True
        if self.low() == "(" and self.low(2) == ")" and self.line[self.i + 1].text in MULTIPLIES:
            self.i += 3
            return True
        if self.low() in MADE and self.low(1) in FROM_WHERE:  # MG fire, made against the squad
            self.i += 1
        if self.low() == "from" and self.low(1) in ("inside", "within", "in") and self.tried(act, self.origin):
            return True
        ways: list[Callable[[], bool]] = [
            lambda: self.purpose(act), lambda: self.manner(act), lambda: self.phase_of(act), lambda: self.set_role(act), lambda: self.origin(act), lambda: self.left(act),
        ]  # fmt: skip
        ways[:0] = [lambda: self.in_hex_of(act)]
        ways += [partial(self.same_target, act), lambda: self.low() == "by" and self.as_kind(act)]
        ways += [partial(self.by_word, act, word, role) for word, role in self.roles(act)]
        ways += [
            lambda: self.of(act),
            lambda: self.inward(act),
            lambda: self.as_group(act),
            lambda: self.joined_with(act),
            lambda: self.from_afar(act),
            lambda: self.take("again"),
            lambda: self.take("and") and self.amount(act),
            lambda: self.as_part(act),
            lambda: self.instrument(act),
            lambda: self.flagged(act),
            lambda: self.as_kind(act),
            lambda: self.of_actor(act),
            lambda: self.adverb(act),
            lambda: self.undone(act),
            lambda: self.instead(act),
            partial(self.lacking, act),
            lambda: self.between(act),
            lambda: self.by_doing(act),
        ]
        return any(self.attempt(way) for way in ways)

    def instead(self, act: Thing) -> bool:
        """Takes `instead of attacking in the Fire Phase`: what is not done, which tells nothing but in which phase both would be."""
        found = self.found(DEED) if self.take("instead of", "in lieu of", "in place of") and not self.over() else None
        if found is None:
            return False
        mark, other = self.scene.mark(), self.scene.new([found.senses[0].name], "instead")
        self.i += found.length
        self.complements(other)
        phases = [kind for thing in other.links.get("phase", ()) for kind in thing.kinds]
        self.scene.back(mark)
        for kind in phases:
            act.link("phase", self.scene.new([kind], "phase"))
        return True

    def in_hex_of(self, act: Thing) -> bool:
        """Takes `in the same hex as a pillbox`, of what is put somewhere: in the hex of that."""
        put = any(self.scene.below(act, cls) for cls in ("Placement", "SetUp"))
        several = any(t.count > 1 or t.fellows for t in act.links.get("object", ()))
        if put and several and "Hex" in self.classes and self.take("in the same hex") and self.low() != "as":
            return self.join(act, "place", self.scene.new(["Hex"], "hex"), self.i)  # two pillboxes, in one hex
        if not put or not self.take("in the same hex as", "into the same hex as", "in the hex of"):
            return False
        other = self.noun(verbs_stop=True, states=False)
        return other is not None and self.join(act, "place", self.hex_of(other), self.i)

    def by_doing(self, act: Thing) -> bool:
        """Takes `by firing his MG`, of whoever does it: what he serves, in what he does."""
        doers = act.links.get("actor", ())
        if len(doers) != 1 or not self.take("by") or not self.low().endswith("ing"):
            return False
        self.named, self.it = None, doers[0]  # his MG
        if not self.linked_back(doers[0]):
            return False
        self.take("in the attack", "in this attack", "in it")
        return True

    def outwards(self, act: Thing) -> bool:
        """Takes `out`, `back` before where an act leads, which tells no more of it; `out` alone, of where somebody is."""
        leads = self.low() in ADVERBS and self.low(1) in (*TOWARDS, "from", "at") and self.scene.below(act, "Entry")
        here = self.doer.links.get(AT, ()) if self.doer is not None and self.low() == "out" else ()
        if here and not leads and self.scene.below(act, "Entry") and {"from", "destination"}.isdisjoint(act.links):
            act.link("from", here[0])
            leads = True
        self.i += leads
        return leads

    def by_word(self, act: Thing, word: str, role: str) -> bool:
        """Takes a preposition and the thing that stands in a role behind it."""
        if not self.take(word) or (word == "at" and role == "place" and self.low() in PRONOUNS):
            return False  # fires at it: at whom, and not where
        start = self.i
        thing = self.filler(act, role, partial(self.noun, states=role != "destination"))
        if thing is None:
            return False
        if role == "actor" and self.scene.below(thing, WEAPON):
            role = "weapon"
        if (
            role == "actor"
            and self.scene.below(thing, "Attack")
            and not {*thing.links}
            and self.fits(act, thing.kinds[0])
        ):
            act.add(thing.kinds)  # rubbled by a Bombardment
            self.scene.things.remove(thing)
            return True
        if role == "actor" and self.scene.below(thing, AMMUNITION):
            role = "ammunition"
        role = self.own_role(act, thing) or role
        if role == "actor" and thing.kinds in (["Fire"], ["Attack"]) and not {*thing.links} - {"actor"}:
            self.scene.things.remove(thing)  # hit by a team's shooting: by the team
            for doer in thing.links.get("actor", ()):
                act.link("actor", doer)
            return True
        return self.join(act, role, thing, start)

    def of_actor(self, act: Thing) -> bool:
        """Takes what belongs to the one who acts: with 2 MF left."""
        actor = next(iter(act.links.get("actor", ())), None)
        if actor is None or self.low() not in ("with", "carrying", "having"):
            return False
        if self.low() == "with" and actor.said == "I" and not {*actor.kinds} - {*SIDES}:
            self.i += 1  # what does it take to gap it with an infantry team: what it takes the team
            other = self.newly(verbs_stop=True)
            if other is None or not self.scene.below(other, "Unit"):
                return False
            self.scene.merge(actor, other)
            return True
        if self.low() == "with":  # a weapon might be that of the place, or of the target
            self.i += 1
            return self.amount(actor) or self.points_left(actor)
        return self.having(actor)

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
        return self.back_at(start)

    def as_part(self, act: Thing) -> bool:
        """Takes `with a Nest as its Aiming Point`: a part that something is given in an act, by its name."""
        start = self.i
        thing = self.noun(verbs_stop=True) if self.take("with", "using", "taking") else None
        if thing is None or not self.take("as its", "as the", "as his", "as"):
            return False
        self.take("a", "an")
        link = self.found(LINK)
        for sense in link.senses if link is not None else ():
            if sense.sort == LINK and self.may_link(act, sense.name) and sense.name not in act.links:
                self.i += link.length  # type: ignore[union-attr]
                return self.join(act, sense.name, thing, start)
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
        return self.back_at(start)
