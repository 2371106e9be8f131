"""Reads where an act leads and from where: into, out of, in; and what stands in which role of it."""

from __future__ import annotations

from kb.english.asides import OF_TURN
from kb.english.clauses import ClauseReader
from kb.english.lexicon import KIND, PHASE
from kb.english.pronouns import PRONOUNS
from kb.english.references import AT, PLACE, TERRAIN, WEAPON
from kb.english.thing import ACT, Thing
from kb.language.phrases import DIRECT

CONDITION = (
    "provided that", "provided", "given that", "while", "when", "where", "if", "because", "since", "after", "once", "although", "though", "but", "and",
)  # fmt: skip
USUAL = (
    ("Entry", "destination"),
    ("Attack", "target"),
    ("Occupation", "place"),
    ("Placement", "object"),
    ("SetUp", "object"),
)
WIDE = ("Thing", "Act", "Piece", "Place", "Unit", "Weapon")  # what many roles lead to
TOWARDS = ("into", "to", "onto", "in to", "on to", "in")


class WhitherReader(ClauseReader):
    """Reads ways."""

    def roles_of_kind(self, act: Thing, cls: str) -> list[str]:
        """The relations of an act that lead to such things and to no other kind: on the Infantry Target Type."""
        named = [n for n, p in self.properties.items() if p.range not in ("", *WIDE) and self.kind(cls, p.range)]
        return [n for n in named if self.may_link(act, n) and n not in act.links]

    def direct(self, act: Thing, leaving: bool = False) -> str:
        """The relation of an act to what stands behind its verb without a preposition."""
        if leaving and self.scene.below(act, "Entry"):
            return "from"
        kinds = [self.classes[k] for k in act.kinds]
        for role, verbs in DIRECT.items():
            if role in self.properties and any(f"to {verb}" in kind.alt for kind in kinds for verb in verbs):
                return role
        return next((role for cls, role in USUAL if self.scene.below(act, cls)), "target")

    def roles(self, act: Thing) -> list[tuple[str, str]]:
        """Which preposition says which relation of an act, the likeliest first."""
        below = self.scene.below
        found: list[tuple[str, str]] = []
        if below(act, "Entry"):
            found += [(w, "destination") for w in TOWARDS if w != "in"] + [
                ("by way of", "via"),
                ("via", "via"),
                ("by", "via"),
                ("through", "via"),
            ]
        if (
            not below(act, "Entry")
            and not below(act, "Placement")
            and not below(act, "Occupation")
            and not below(act, "SetUp")
        ):
            found += [(w, "target") for w in ("at", "on", "against", "vs", "versus", "upon", "into")]
        if below(act, "Placement") or below(act, "SetUp") or below(act, "Occupation"):
            found += [(w, "place") for w in ("in", "into", "on", "at", "inside", "onto", "within", "behind")]
        if "through" in self.properties:
            if below(act, "Entry"):  # into what is no place but lies across the way
                found += [(w, "through") for w in TOWARDS]
            found += [(w, "through") for w in ("through", "across", "over", "past", "along")]
        if not found or found[0][1] == "target":
            found += [(w, "place") for w in ("in", "at")]
        found += [("by", "actor"), ("against", "target"), ("on", "target"), ("to", "object")]
        return [(w, role) for w, role in found if role in self.properties]

    def join(self, act: Thing, role: str, thing: Thing, start: int) -> bool:
        """Relates an act to a thing by a role, where the ontology lets it; otherwise the cursor goes back."""
        if role in ("place", "destination") and self.scene.below(thing, TERRAIN):
            place = self.scene.new(["Hex"] if "Hex" in self.classes else [PLACE], "place")
            place.link("terrain", thing)
            thing = place
        prop = self.properties[role]
        if role == "actor" and self.scene.below(thing, ACT):
            return self.back_at(start)
        if self.scene.below(thing, PHASE) and role != "phase":
            self.i = start
            return False  # directed fire this phase: when, and at nothing
        kept = prop.range not in self.classes or thing.spot or not self.scene.clash(thing, [prop.range])
        if (
            prop.range in self.classes
            and kept
            and not self.vocabulary.entails(thing.kinds, prop.range)
            and not thing.spot
        ):
            kept = self.kind(prop.range, PLACE) is False and not self.scene.below(thing, ACT)
        doer = thing in act.links.get("actor", ()) and role != "actor" and self.line[self.i - 1].low != "itself"
        if (role in act.links and thing not in act.links[role]) or not kept or thing is act or doer:
            return self.back_at(start)
        act.link(role, thing)
        return True

    def sign_of_more(self) -> bool:
        """Whether a further clause begins here."""
        return any([self.low(n) for n in range(len(c.split()))] == c.split() for c in CONDITION if c != "and")

    def towards(self) -> bool:
        """Whether it is told next where the act leads."""
        return self.low() in TOWARDS

    def implied(self, act: Thing, verb: str) -> None:
        """Says where an act leads that is told without it: he enters, the one work that is spoken of."""
        works = self.works_outside()
        told = verb != "enter" or {"destination", "through"} & act.links.keys()
        if not told and len(works) == 1 and (self.over() or self.sign_of_more() or self.line[self.i].sign):
            act.link("destination", works[0])

    def inward(self, act: Thing) -> bool:
        """Takes `in`, `out` without of what: into, or out of, the one work that is spoken of."""
        low = self.low()
        if low not in ("in", "inside", "out", "outside") or not self.scene.below(act, "Entry") or "from" in act.links:
            return False
        self.i += 1
        ends = self.over() or self.sign_of_more() or self.line[self.i].sign
        works = self.works()
        if not ends or len(works) != 1 or "destination" in act.links:
            return False
        place = works[0] if low in ("in", "inside") else self.outside(works[0])
        if place is not None and low in ("out", "outside") and "from" in self.properties:
            act.link("from", works[0])
        return place is not None and self.join(act, "destination", place, self.i)

    def origin(self, act: Thing) -> bool:
        """Takes `from inside the pillbox`, `from its hex`: where the act begins, or who fires is."""
        start = self.i
        if not self.take("from", *(("out of",) if not self.scene.below(act, "Entry") else ())):
            return False
        if self.scene.below(act, "Entry") and self.take("outside") and (self.over() or self.line[self.i].sign):
            return True
        if self.low() == "outside" and not self.scene.below(act, "Entry"):
            actor = next(iter(act.links.get("actor", ())), None)
            if actor is None:
                actor = self.scene.new(["Unit" if "Unit" in self.classes else "Piece"], "firer")
                act.link("actor", actor)
            if self.where(actor):
                return True
            return self.back_at(start)
        self.take("inside", "within", "in")
        place = self.place_left()
        if place is not None and self.scene.below(place, WEAPON) and self.scene.below(act, "Attack"):
            return self.armed_with(act, place, start)  # HE from a Gun
        if place is None or not (place.spot or self.scene.below(place, PLACE)):
            return self.back_at(start)
        actor = next(iter(act.links.get("actor", ())), None)
        fired = self.scene.main is not None and self.scene.below(self.scene.main, WEAPON)
        if actor is None and not fired and "from" in self.properties:
            return self.join(act, "from", place, start)
        if actor is None or self.scene.below(actor, WEAPON):
            actor = self.scene.new([k for k in ("Infantry", "Friendly") if k in self.classes], "firer")
            act.link("actor", actor)
        return self.put(actor, place, start)

    def place_left(self) -> Thing | None:
        """What is named as that which is left, or fired from: out of it is out of the place, not of who is in it."""
        self.wanted = PLACE if self.low() in PRONOUNS else ""
        try:
            return self.noun(verbs_stop=True)
        finally:
            self.wanted = ""

    def armed_with(self, act: Thing, weapon: Thing, start: int) -> bool:
        """Says with which weapon an attack is made, told more exactly than before; who mans it is where it is."""
        told = act.links.get("weapon", ())
        if not told:
            if not self.join(act, "weapon", weapon, start):
                return False
        elif self.scene.alike(weapon.kinds[0], told[0].kinds):
            self.scene.merge(told[0], weapon)
        else:
            return False
        place = next(iter(act.links["weapon"][0].links.get(AT, ())), None)
        if place is not None and not act.links.get("actor") and not act.links.get("from") and "from" in self.properties:
            act.link("from", place)
        return True

    def left(self, act: Thing) -> bool:
        """Takes the place that is gone out of; whoever goes was there."""
        start = self.i
        if not self.take("out of"):
            return False
        place = self.place_left()
        actor = next(iter(act.links.get("actor", ())), None)
        if place is None or actor is None or not self.put(actor, place, start):
            return self.back_at(start)
        outside = self.outside(place)
        if (
            self.scene.below(act, "Entry")
            and outside is not None
            and "destination" not in act.links
            and not self.towards()
        ):
            act.link("destination", outside)
        return True

    def phase_of(self, act: Thing) -> bool:
        """Takes the phase that an act is done in: in the RtPh, before play."""
        start = self.i
        self.take("during", "in", "at", "for")
        self.take("the", "a", "its", "his", "their", "this")
        while self.take("owning", "player 's", "friendly", "own", "current", "same"):
            pass
        if self.take("next"):  # he has moved in this one
            self.scene.later = act is self.scene.act and self.scene.below(act, "Entry")
            if not self.scene.later:
                return self.back_at(start)
        found, sense = self.sensed(KIND)
        if found is None and self.low() == "before":
            found, sense = self.sensed(KIND)
        if found is not None and sense is not None and self.kind(sense.name, PHASE):
            self.i += found.length
            self.take(*OF_TURN)
            if sense.name == PHASE:
                return True  # this phase: the one that it is
            if act.links.get("phase") and sense.name not in act.links["phase"][0].kinds:
                self.i = start
                raise self.stuck("the phase is told already, and is another")
            if not act.links.get("phase"):
                act.link("phase", self.scene.new([sense.name], "phase"))
            return True
        return self.back_at(start)
