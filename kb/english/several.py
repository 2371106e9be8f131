"""Reads what is told of several at once: both have LOS, neither is in a pillbox; A is ADJACENT to B and B to C."""

from __future__ import annotations

from kb.english.asides import BE
from kb.english.clauses import HAVE
from kb.english.lexicon import KIND
from kb.english.nouns import ENTERED
from kb.english.references import AT, PLACE
from kb.english.standing import MANY, StandingReader
from kb.english.thing import ACT, Thing
from kb.language.english import base_form, plural, singular

ALL, NOBODY = ("both", "all", "each", "they", "these"), ("neither", "none")
PARTS = ("taking part", "take part", "takes part", "participating", "participate", "participates")
NO_PART = (
    *(f"{do} not {part}" for do in ("does", "do", "is", "are") for part in PARTS),
    "takes no part",
    "take no part",
)


class SeveralReader(StandingReader):
    """Reads clauses about several things."""

    def several(self) -> list[Thing]:
        """The things that were told together: two squads, squads in A and B; none where nothing was."""
        found = [t for t in self.scene.things if (t.fellows or t.count > 1) and not self.scene.below(t, ACT)]
        found = [t for t in found if not any(t in one.fellows for one in found)]
        if found or self.scene.pair:
            return self.together_with(found[0]) if len(found) == 1 else self.scene.pair if not found else []
        groups = [m for t in self.scene.things if len(m := t.links.get("member", [])) > 1]
        if groups:
            return groups[0] if len(groups) == 1 else []
        act = self.scene.act
        parties = (
            [t for r in ("actor", "target") for t in act.links.get(r, ()) if t.kinds or t.spot]
            if act is not None
            else []
        )
        if len(parties) == MANY:
            return parties
        pieces = [t for t in self.scene.things if self.somebody(t)] if self.low() == "both" else []
        return pieces if len(pieces) == MANY else []

    def together_with(self, thing: Thing) -> list[Thing]:
        """A thing and those told together with it, and together with these."""
        return [thing, *(one for fellow in thing.fellows for one in self.together_with(fellow))]

    def of_all(self) -> bool:
        """Both have a LOS to the target: what is so of each."""
        things, all_ = self.several(), self.low() == "all"
        if not self.take(*(f"{word} of them" for word in ALL), *ALL):
            return False
        found = self.found(KIND)  # both squads
        sense = found.of(KIND) if found is not None and not found.denied else None
        if sense is not None and all_ and not all(self.scene.alike(sense.name, t.kinds) for t in things):
            things = []
        if sense is not None and all_ and not things:  # all units: all that were told, but for whom it is done to
            done_to = self.scene.act.links.get("target", []) if self.scene.act is not None else []
            things = [t for t in self.scene.things if self.scene.below(t, sense.name) and t not in done_to]
        if found is not None and sense is not None and all(self.scene.alike(sense.name, t.kinds) for t in things):
            self.i += found.length
        if not things:
            return False
        start, ends = self.i, set()
        self.among = things
        try:
            for thing in things:
                self.i = start
                ways = (self.verb_phrase, self.able, self.taking_part, self.predicate, self.as_asked)
                if not self.tried(thing, *ways):
                    return False
                ends.add(self.i)
        finally:
            self.among = []
        return len(ends) == 1

    def one_and_other(self) -> bool:
        """Takes `one is in the pillbox, the other outside it`: what is so of the one, and of the other, of two told together."""
        act = self.scene.act
        doers = (
            [t for role in ("actor", *self.part_takers()) for t in act.links.get(role, ())] if act is not None else []
        )
        pair = self.several() or (doers if len(doers) == 1 else [])
        if (
            len(pair) == 1
            and not pair[0].fellows
            and (pair[0].count == MANY or (pair[0].count == 1 and self.plural_said(pair[0])))
        ):
            pair[0].count = 1
            pair[0].fellows = [self.one_more(pair[0])]
            pair = [pair[0], *pair[0].fellows]
        if len(pair) != MANY:
            return False
        for thing, word in zip(pair, (("one of them", "one"), ("the other one", "the other")), strict=True):
            self.take(",")
            self.take("and", "but")
            found = self.found(KIND) if self.take(*word) else None
            if self.line[self.i - 1].low not in ("one", "other", "them"):
                return False
            if found is not None and any(self.scene.alike(s.name, thing.kinds) for s in found.senses if s.sort == KIND):
                self.i += found.length
            self.take(*BE)
            if not self.tried(thing, self.where, self.verb_phrase, self.predicate):
                return False
            self.tried(thing, self.where)  # outside it in the same hex
            if self.over() and word[0] == "one of them":
                return True
        self.scene.pair = pair
        return self.over() or self.line[self.i].sign

    def plural_said(self, thing: Thing) -> bool:
        """Whether a thing was told as several, of which it was not said how many: the squads."""
        word = thing.said.split()[-1] if thing.said else ""
        return bool(word) and singular(word) != word

    def as_asked(self, thing: Thing) -> bool:
        """Takes `fire at the same target in the PFPh`, of those who do what is asked about: more of that act."""
        act, found = self.scene.act, self.deed()
        verb = next((s for s in found.senses if s.verb), None) if found is not None else None
        doers = (
            [t for others in act.links.values() for t in (*others, *(f for o in others for f in o.fellows))]
            if act
            else []
        )
        if act is None or found is None or verb is None or thing not in doers:
            return False
        if not self.scene.alike(verb.name, act.kinds):
            return False
        self.i += found.length
        self.complements(act)
        return self.over() or self.line[self.i].sign or self.low() in ("and", "but")

    def of_none(self) -> bool:
        """Neither is in a pillbox: what is so of none. That none is somewhere tells nothing, for that is not said of them."""
        things = self.several()
        if self.i and self.low() == "neither" and "nor" in [w.low for w in self.line[self.i :]]:
            return False  # the squad stays there, neither pinned nor broken: of the squad
        if not things or not self.take(*(f"{word} of them" for word in NOBODY), *NOBODY):
            return False
        bare, start = self.low() not in (*BE, *HAVE), self.i
        if self.attempt(self.has_none_of):
            return True
        for thing in things:
            self.i = start
            mark = self.scene.mark()
            anybody = self.scene.new(thing.kinds, "none")
            if not (self.predicate(anybody) if bare else self.verb_phrase(anybody)):
                return False
            new = [k for k in anybody.kinds if k not in thing.kinds]
            there = {role: [k for t in others for k in t.kinds] for role, others in anybody.links.items()}
            self.scene.back(mark)
            for role, kinds in there.items():
                if any(self.scene.alike(k, t.kinds) == MANY for t in thing.links.get(role, ()) for k in kinds):
                    raise self.stuck("it was told that he is")
            for kind in new:
                self.say(thing, kind, True, start)
        return True

    def has_none_of(self) -> bool:
        """Takes `uses ordnance, a FT or a DC`, of none: what is not said to be used is not."""
        if not self.take("uses", "use", "fires", "fire", "has", "have", "holds", "carries"):
            return False
        mark, known = self.scene.mark(), [*self.scene.things]
        while True:
            other = self.newly(verbs_stop=True)
            if other is None or other in known or not self.scene.below(other, "Piece"):
                return False
            if not self.take(", or", "or", ","):
                self.scene.back(mark)
                return True

    def some_of_them(self) -> bool:
        """The leader and the squad are in the same Location; a squad, a leader and another squad advance: what is said
        of all who are named as the subject."""
        things = self.named_together()
        if not things:
            return False
        if self.low() in ("are", "were", "have", "is", *ENTERED):  # two who stand somewhere are told as “is”
            if self.tried(things, self.in_one_place, self.in_several_places):
                return True
            if self.tried(things, self.so_of_each):
                return True
        return self.done_together(things)

    def so_of_each(self, things: list[Thing]) -> bool:
        """Takes `are pinned and in a pillbox`: what is told of the first is told of each, in one pillbox."""
        first = things[0]
        told, own = set(first.facts()), {r: [*o] for r, o in first.links.items()}
        there = {(t, r) for t in self.scene.things for r, o in t.links.items() if first in o}
        if not (self.verb_phrase(first) or (self.low() in ENTERED and self.where(first))):
            return False
        for other in things[1:]:
            for cls in [k for k in (*first.kinds, *first.denied) if k not in told]:
                denied = cls in first.denied
                if not self.fits(other, cls, denied):
                    return False
                self.say(other, cls, denied, self.i)
            for role, others in first.links.items():
                if role not in told or others != own.get(role):
                    other.links.setdefault(role, []).extend(o for o in others if o not in own.get(role, ()))
            other.numbers.update({n: v for n, v in first.numbers.items() if n not in told})
            other.flags.update({n: v for n, v in first.flags.items() if n not in told})
            for thing in self.scene.things:
                for role, others in thing.links.items():
                    if first in others and (thing, role) not in there and other not in others:
                        others.append(other)
        self.scene.pair = things
        return True

    def named_together(self) -> list[Thing]:
        """The things that are named as one subject, with an and before the last: a squad and a leader; else none."""
        things: list[Thing] = []
        joined = ""
        while joined != "and":
            thing = self.noun(verbs_stop=True, states=False, places=False)
            if thing is None or thing in things or (things and any(self.scene.below(t, ACT) for t in (thing, *things))):
                return []
            things.append(thing)
            if self.take(", and", "and"):
                last = self.noun(verbs_stop=True, states=False, places=False)
                return [] if last is None or last in things or self.low() == "and" else [*things, last]
            joined = "," if self.take(",") else "and"
        return []

    def in_one_place(self, things: list[Thing]) -> bool:
        """Takes `are in the same Location`, of some who are named together."""
        start = self.i
        if not self.take(*(f"{be} in {one}" for be in ("are", "were", "is") for one in ("the same", "one"))):
            return False
        sense = self.taken(KIND, below=PLACE)
        if sense is None:
            return False
        there = next((at for t in things if (at := t.links.get(AT))), None)
        place = there[0] if there else self.scene.new([sense.name], "place")
        return all(self.put(t, place, start) for t in things)

    def in_several_places(self, things: list[Thing]) -> bool:
        """Takes `are in ADJACENT Locations`, of some who are named together: that each is in one of them."""
        first = things[0]
        if not self.take(*BE) or first.fellows:
            return False
        first.fellows = things[1:]
        told = self.in_several(first)
        first.fellows = []
        self.scene.pair = things
        return told

    def done_together(self, things: list[Thing]) -> bool:
        """Takes `advance into the hex`, `are fired at`: one act, in which each of some has the same part."""
        first, known = things[0], list(self.scene.things)
        found = self.deed()
        if found is not None and self.low() == plural(base_form(self.low())):
            return False  # a squad, and a leader fires: he alone does it
        if not self.done_by(first):
            return False
        act = next((t for t in self.scene.things if t not in known and any(first in o for o in t.links.values())), None)
        if act is None or not self.scene.below(act, ACT) or not self.share(act, things, first):
            return False
        self.it = first
        self.same_act()
        self.scene.pair = things
        return True

    def share(self, act: Thing, things: list[Thing], first: Thing) -> bool:
        """Gives all of some things the part in an act that one of them has; False where it has none."""
        role = next((r for r, others in act.links.items() if first in others), "")
        for thing in things if role else ():
            if thing is not first:
                self.does(act, thing) if role == "actor" else act.link(role, thing)
        return bool(role)

    def taking_part(self, thing: Thing) -> bool:
        """Takes `taking part`, of those who do what is asked about."""
        act = self.scene.act
        doers = [t for others in act.links.values() for t in others] if act is not None else []
        told = any(thing is t or thing in t.fellows for t in doers)
        if not self.take(*(PARTS if told else NO_PART)):
            return False  # who is not told to do what is asked about has no part in it
        self.in_it()
        return True

    def in_it(self) -> None:
        """Takes `in the attack`, behind that somebody has a part, or none: in what is asked about."""
        mark, start = self.scene.mark(), self.i
        if not (self.take("in") and self.noun(states=False) is not None):
            self.i = start
        self.scene.back(mark)
