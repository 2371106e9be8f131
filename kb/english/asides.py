"""Reads what is told of a thing in passing: between commas, in brackets, behind whose; what has become of it; on what ground it is."""

from __future__ import annotations

from functools import partial

from kb.english.amounts import POINTS, AmountReader
from kb.english.joint import counted_as
from kb.english.lexicon import BACK, DEED, DETERMINERS, HOW, KIND, PHASE
from kb.english.nouns import EMPTY
from kb.english.references import PLACE, TERRAIN
from kb.english.thing import Thing
from kb.english.words import counted
from kb.language import english

BE = ("is", "are", "was", "were", "be", "being", "been", "am")
NOT = ("not", "n't", "never", "isn't", "aren't", "wasn't", "no longer")

COSTS = ("movement cost", "MF cost", "MP cost")
AT_FIRST = (
    "otherwise",
    "normally",
    "by itself",
    *(f"after {all}modification{s}" for all in ("", "all ", "any ") for s in ("", "s")),
)
THIS = ("this", "the same", "that same", "the current", "the present")
TURNS = ("player turn", "game turn", "turn", "phase")
OF_TURN = tuple(f"of {which} {turn}" for which in THIS for turn in TURNS[:3])


class AsideReader(AmountReader):
    """Reads asides."""

    def this_time(self) -> bool:
        """Takes `earlier in this Player Turn`, `during this MPh`, `in the DFPh of the same turn`: when in the turn that is asked about
        something came to be so, which tells no more of what is still so."""
        start = self.i
        self.take("earlier", "already")
        self.take("in", "during", "within", "from")
        own = self.take(*THIS)
        if (own or self.take("the", "its", "his")) and not self.over():
            if not self.taken(KIND, below=PHASE) and not (own and self.take(*TURNS)):
                return self.back_at(start)
            self.take(*OF_TURN)
            ends = self.over() or self.line[self.i].sign or self.low() in ("and", "but", "if", "when", "while")
            return ends or self.found(DEED) is not None  # that was pinned earlier this turn shoots
        return self.back_at(start)

    def cost_name(self) -> str:
        """The number that says what an act of movement costs."""
        return next((n for label in COSTS if (n := self.vocabulary.resolve(label, [self.properties]))), "")

    def costing(self, place: Thing) -> bool:
        """Takes `costs 2 MF otherwise`, of a place: what its terrain costs, or what the entry costs that is asked about."""
        self.take(*AT_FIRST)
        terrain, act = self.vocabulary.resolve("normal terrain cost", [self.properties]), self.scene.act
        paid = act if act is not None and self.scene.below(act, "Entry") else None
        of_it = paid is not None and place in (
            *paid.links.get("actor", ()),
            paid,
        )  # it costs 2 MF: the Location that he enters
        if not self.take("costs", "cost") or not (of_it or self.scene.below(place, PLACE) or place.kinds == [TERRAIN]):
            return False
        if not self.over() and not counted(self.line[self.i]):
            self.noun(verbs_stop=True, states=False)  # costs the squad 1 MP
        value = self.number()
        points = self.take(*POINTS)
        self.take(*AT_FIRST)
        place = self.hex_of(place) if place.kinds == [TERRAIN] else place
        if not value or not (points or self.over() or self.line[self.i].sign):
            return False
        if terrain and self.bearer(place, terrain) is place:
            return self.numbered(place, terrain, value, self.i)
        return paid is not None and bool(self.cost_name()) and self.numbered(paid, self.cost_name(), value, self.i)

    def by_what(self, thing: Thing) -> bool:
        """Takes `by a DC`, of a state that somebody is told to be in: what brought it about, which tells no more of what he is but that
        he has suffered it."""
        it, mark = self.it, self.scene.mark()
        other = self.newly(verbs_stop=True) if self.take("by") else None
        self.it = it
        if other is None or not (self.over() or self.line[self.i].sign or self.low() in ("and", "but")):
            return False
        name, count = counted_as(self.scene, other), str(other.count)  # by one that the book counts
        self.scene.back(mark)
        return not name or self.numbered(thing, name, count, self.i)

    def ground_told(self, thing: Thing) -> bool:
        """Takes what ground a place is, or what work stands there: the hex is Open Ground, a woods hex, a trench hex."""
        self.take("otherwise")
        start = self.i
        self.take("a", "an")
        found, sense = self.sensed(KIND)
        fit = (
            sense is not None
            and self.scene.below(thing, PLACE)
            and (
                self.kind(sense.name, TERRAIN)
                or (self.kind(sense.name, PLACE) and self.scene.clash(thing, [sense.name]))
            )
        )
        if found is None or sense is None or found.denied or not fit or not self.cell_like(thing):
            return False
        ground = self.low(found.length) in ("hex", "terrain")
        if not self.kind(sense.name, TERRAIN) and self.more_told(found.length + ground) and ground:
            return False  # a trench hex occupied by a squad: who is in the trench, or in the hex?
        if not self.kind(sense.name, TERRAIN) and self.more_told(found.length):
            self.i = start  # a trench occupied by a squad: what stands there, of which more is told
            work = self.noun(verbs_stop=True)
            if work is None or work is thing or not self.put(work, thing, start):
                return False
            self.attempt(lambda: self.take(",") and self.occupied(work))
            return True
        if "terrain" not in self.properties or thing.links.get("terrain"):
            return False
        self.i += found.length
        self.take("hex", "terrain")
        thing.link("terrain", self.scene.new([sense.name], sense.name))
        return True

    def more_told(self, length: int) -> bool:
        """Whether more is told of what is named here: that it is occupied, empty, with something in it."""
        length += self.low(length) in ("counter", "marker")
        after = self.low(length + 1) if self.low(length) == "," else self.low(length)
        return after in (*EMPTY, "occupied", "held", "full", "that", "which", "with", "whose")

    def able(self, thing: Thing) -> bool:
        """Takes `able to assault`: that nothing else keeps him from what is asked about, which tells no more of him."""
        self.take("all", "both")
        if not self.take("able to", "free to"):
            return False
        found = self.lexicon.at(self.line, self.i, (DEED,)) if not self.over() else None
        verb = next((s for s in found.senses if s.verb), None) if found is not None else None
        act = self.scene.act
        back = self.found(BACK)  # able to direct, of who was told to direct it
        if (
            verb is None
            and back is not None
            and act is not None
            and thing in [t for s in back.senses for t in act.links.get(s.name, ())]
        ):
            self.i += back.length
            return True
        if found is None or verb is None or (act is not None and not self.scene.alike(verb.name, act.kinds)):
            return False
        self.i += found.length
        ends = self.over() or self.line[self.i].sign or self.low() in ("and", "but")
        return ends or self.unsaid(partial(self.noun, verbs_stop=True)) is not None

    def whose(self, thing: Thing) -> bool:
        """Takes `whose cover modifier is +1`: a number of what was named."""
        start = self.i
        self.take("whose own", "whose")
        name = self.quantity(thing)
        if not name or not self.take("is", "was", "are"):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        self.i += 1
        return bool(value) and self.numbered(thing, name, value, start)

    def apposed(self, thing: Thing) -> bool:
        """Takes what is told of a thing in brackets: a Bulldozer (not a tank)."""
        if not self.take("("):
            return False
        at, ways = self.ahead(")"), (self.predicate, self.other_ground)
        told = at > 0 and self.until(at, lambda: self.tried(thing, *ways))
        self.i = at + 1
        return bool(told)

    def other_ground(self, thing: Thing) -> bool:
        """Takes that a place is not on ground that it cannot be on, being on another: woods (not open terrain)."""
        told = [k for ground in thing.links.get("terrain", ()) for k in ground.kinds]
        if not told or not self.take(*NOT, "no"):
            return False
        while True:
            found, sense = self.sensed(KIND)
            if found is None or sense is None or not any(sense.name in self.classes[k].disjoint for k in told):
                return False
            self.i += found.length
            if not self.take(", or", ", and", ",", "or", "and"):
                return True

    def befell(self, thing: Thing) -> bool:
        """Takes what has become of a thing, told by its verb: a squad that broke is broken."""
        start = self.i
        verb = self.lexicon.at(self.line, self.i, (DEED,)) if not self.over() else None
        if verb is None or verb.length != 1 or not any(s.verb for s in verb.senses):
            return False
        after = self.lexicon.at(self.line, self.i + 1, (KIND,)) if self.i + 1 < len(self.line) else None
        if self.low(1) in DETERMINERS or after is not None:
            return False  # that pinned a squad: what he did to another
        names = [a[3:] for s in verb.senses for a in self.classes[s.name].alt if a.startswith("to ")]
        past = [forms for name in names if self.low() in (forms := english.participles(name)[1:])]
        for form in past[0] if past else ():
            sense = self.meant([form], HOW)
            if sense is not None and self.fits(thing, sense.name):
                self.i += 1
                self.say(thing, sense.name, False, start)
                self.tried(thing, self.where)
                while self.take("during this", "in this", "this") and self.taken(KIND):
                    pass
                return True
        return False

    def suffered(self, length: int) -> bool:
        """Whether a word that might be a state is what is done to a thing: shot at by an enemy."""
        verb = self.lexicon.at(self.line, self.i, (DEED,))
        after = [self.low(length), self.low(length + 1)]
        ends = ("", "by", "from", ",", "and")  # shot at, by whomever
        return (
            verb is not None and verb.length == length and (after[0] == "by" or (after[0] == "at" and after[1] in ends))
        )

    def moved(self, thing: Thing) -> bool:
        """Takes `moved up to the wire in this turn's Movement Step`: that it has moved, and where and when, which tells no more."""
        start = self.i
        if self.over() or not self.line[self.i].plain.casefold().endswith("ed"):
            return False
        sense = self.meant(["has", self.line[self.i].plain], HOW)
        if sense is None or not self.fits(thing, sense.name):
            return False
        self.i += 1
        self.say(thing, sense.name, False, start)
        while not self.over() and self.attempt(self.aside):
            pass
        return True

    def aside(self) -> bool:
        """Takes where something went to and when, of which no word of the book is left to say."""
        if self.take("this turn"):
            return True
        if self.take("up to"):
            return self.noun(verbs_stop=True, states=False) is not None
        if self.take("in this turn 's", "during this turn 's", "in its", "in the", "in this"):
            return self.taken(KIND, below=PHASE) is not None
        return False
