"""Reads what is said of things: how they are, of what kind, in which phase; what follows a noun, and what follows a verb."""

from __future__ import annotations

from collections.abc import Callable

from kb.english.asides import BE, NOT
from kb.english.lexicon import DEED, HOW, KIND
from kb.english.nouns import ENTERED
from kb.english.pronouns import PRONOUNS
from kb.english.references import AT, PLACE, TERRAIN
from kb.english.states import StateReader
from kb.english.thing import ACT, SIDES, Thing

JOINING = (",", "and", "but", "nor", "or")
HAVE = ("has", "have", "had", "holds", "carries", "possesses", "having")
WHICH = ("that", "who", "which")


class ClauseReader(StateReader):
    """Reads predicates."""

    def after(self, thing: Thing, states: bool, places: bool) -> None:
        """Takes what follows a noun and belongs to it: in the pillbox, not pinned, with 2 MF left, that has moved."""
        while not self.over():
            start = self.i
            if places and self.tried(thing, self.where):
                continue
            if states and (places or self.low() not in (*ENTERED, "outside")) and self.tried(thing, self.way):
                continue
            if self.tried(thing, self.using_way, self.having, self.of, self.away, self.extent, self.occupied):
                continue
            if self.attempt(lambda: self.undergone(thing) or self.in_the_midst(thing)):
                continue
            if self.low() in WHICH and self.low(1):
                self.i += 1
                if self.low() != "it" and self.tried(thing, self.verb_phrase, self.done_by):
                    continue
                self.i = start
                if self.scene.below(thing, PLACE) and self.tried(thing, self.where_somebody_is):
                    continue
                self.i = start + 1
                if self.tried(thing, self.done_to_it):
                    continue
                self.i = start
            if self.low() in PRONOUNS and self.tried(thing, self.of_whom):
                continue
            if self.low() == "whose" and self.tried(thing, self.whose):
                continue
            if self.low() == "(" and self.tried(thing, self.apposed):
                continue
            self.i = start
            return

    def of_target(self, thing: Thing) -> bool:
        """Takes `within Normal Range`, of what is fired at: how the act is done."""
        act = self.scene.act
        return act is not None and thing in act.links.get("target", ()) and self.manner(act)

    def of(self, thing: Thing) -> bool:
        """Takes whose a thing is, or what it is of: the roof of a Command Bunker, an HE Concentration of 105mm OBA."""
        if not self.take("of"):
            return False
        start = self.i
        if not self.scene.below(thing, ACT) and self.tried(thing, self.amount):
            return True  # open terrain of cover modifier 0
        self.take("hex")
        other = self.noun_of_another(thing)
        if other is None:
            return False
        if other is thing:  # a Barrage of 105mm OBA: the same again
            return self.scene.below(thing, ACT)
        if other.spot:
            return self.put(thing, other, start)
        if self.of_what_is_his(thing, other):
            return True
        if self.scene.below(thing, "Group") and "member" in self.properties and not self.scene.below(other, PLACE):
            for one in (other, *other.fellows):
                thing.link("member", one)
            return True
        if self.scene.below(thing, "Piece") and self.scene.below(other, PLACE) and AT not in thing.links:
            return self.put(thing, other, start)  # another squad of its Location
        self.belongs(thing, other, start)
        return True

    def way(self, thing: Thing) -> bool:
        """Takes a state of a thing: pinned, not in Good Order, without LOS."""
        start = self.i
        without = self.take("without", "with no") and (self.take("a", "an", "any") or True)
        denied = without or self.take(*NOT) or self.denying
        if self.empty(thing, denied):
            return True
        found = self.found(HOW)
        if found is None and self.low() in ("with", "in", "on"):
            found, self.i = self.skipped_found()
        sense = found.of(HOW) if found else None
        if found is not None and (self.suffered(found.length) or self.bare_verb(found.length)):
            found = None
        if found is None or sense is None or not self.fits(thing, sense.name, denied != found.denied):
            return self.back_at(start)
        sense = self.nearest_state(thing, found, denied != found.denied)
        sense = self.kindred_state(thing, sense) or sense
        self.i += found.length
        self.say(thing, sense.name, denied != found.denied, start)
        if self.low() == "by" and not denied and not self.scene.below(thing, ACT):
            self.tried(thing, self.by_what)
        if self.line[self.i - 1].low == "moved":  # up to the obstacle, in this turn's Movement Step
            while not self.over() and self.attempt(self.aside):
                pass
        return True

    def verb_phrase(self, thing: Thing) -> bool:
        """Takes a verb and what it says of a thing: is pinned, has 2 MF left, is not in the pillbox, has moved."""
        start = self.i
        if self.attempt(lambda: (self.take("has", "have", "was", "were") or True) and self.counted_deed(thing)):
            while not self.over() and self.attempt(self.aside):
                pass
            return True
        # has moved, does not have LOS: what the ontology has a word for
        if self.tried(thing, self.moved, self.had, self.befell, self.came_off, self.suffers, self.costing):
            return True
        if self.attempt(
            lambda: (
                self.take(*BE, "has been", "have been", "had been")
                and (self.take("then") or True)
                and self.predicate(thing)
            )
        ):
            return True
        if self.tried(thing, self.stays):
            return True
        if self.low() in HAVE and self.low(1) != "been" and self.attempt(lambda: self.take(*HAVE) and self.has(thing)):
            return True
        if self.tried(thing, self.holding, self.holds_place, self.using):
            return True
        self.i = start
        return self.linked(thing)

    def predicate(self, thing: Thing) -> bool:
        """Takes what a thing is said to be: pinned and in the pillbox; not concealed; an enemy squad; outside."""
        taken = False
        neither = self.take("neither")
        self.take("both")
        while not self.over():
            start = self.i
            listed = not neither and self.denies_several()
            neither = neither or listed
            self.denying = neither
            further = (
                (self.where, self.having, self.amount, self.away, self.extent, self.occupied) if not neither else ()
            )
            ways: tuple[Callable[[Thing], bool], ...] = (
                *further, self.becomes_later, self.able, self.multiplied, self.way, self.ground_told, self.of_act, self.class_of, self.relation_of,
                self.of_what_make, self.row_of, self.had, self.not_there, self.as_usual, self.of_target, self.in_this_phase,
            )  # fmt: skip  # further: what needs no and before it
            if taken and self.line[self.i - 1].low not in JOINING:
                ways = (self.in_this_phase, *further)
            if not self.tried(thing, *ways):
                self.i = start
                break
            taken = True
            while self.scene.below(thing, ACT) and self.tried(thing, self.goes_with):
                pass
            if self.low() in JOINING and not (self.enclosed and self.low() == ","):
                if self.low() == "or" and not neither:
                    break
                ends = neither and self.low() in ("and", "but")
                self.i += 1
                self.take("and", "but", *(("or",) if neither else ()), *BE)
                neither = neither and not ends
        self.denying = False
        if taken and self.i and self.line[self.i - 1].low in (",", "and", "but"):
            self.i -= 1
        return taken

    def had(self, thing: Thing) -> bool:
        """Takes what a thing has or has not done, in the ontology's words, behind others: pinned, has not shot."""
        found, did = self.found(HOW), self.low() in (*HAVE, "did", "does")
        long = found is not None and found.length > 2 and self.low().endswith("ed")
        if not (did or long) or not self.takes_state(thing, HOW):
            return False
        while not self.over() and self.line[self.i - 1].low == "moved" and self.attempt(self.aside):
            pass
        return True

    def class_of(self, thing: Thing) -> bool:
        """Takes of what kind a thing is said to be: an enemy, a mortar, a half-squad, not a tank."""
        start = self.i
        denied = self.take(*NOT) or self.denying
        said = start > 0 and self.line[start - 1].low in BE
        none = not denied and (said or self.scene.below(thing, ACT)) and self.take("no")  # no leader directs the attack
        denied = denied or none
        noun = not (none or self.take("a", "an", "the"))
        kinds: list[str] = []
        while not self.over():
            found = self.found(KIND, HOW, DEED) if not kinds else self.found(KIND)
            if found is not None and self.suffered(found.length):
                break
            sense = (found.of(KIND) or found.of(HOW) or found.of(DEED)) if found else None
            if (
                found is None
                or sense is None
                or not (
                    self.fits(thing, sense.name)
                    or (denied and not kinds and not self.told_of_another(thing, sense.name))
                )
            ):
                break
            if denied and sense.sort == KIND and self.of_another_sort(thing, sense.name):
                break  # that an act is no squad, or a squad no pillbox, tells nothing: of whom is it said?
            if (
                denied
                and self.kind(sense.name, TERRAIN)
                and self.scene.below(thing, PLACE)
                and not self.on_other(thing, sense.name)
            ):
                break  # whether a place is not on such ground is told by what it is on
            kinds.append(sense.name)
            noun = noun or sense.sort != HOW
            self.i += found.length
            denied = denied != found.denied
        noun = noun or self.over()
        another = self.line[start].low in ("a", "an") and not (start and self.line[start - 1].low in (*BE, ":"))
        if another and {*kinds} & {*SIDES} - {*thing.kinds}:  # an enemy squad, told by itself, is one more
            return self.back_at(start)
        if denied and len(kinds) > 1:
            # not a dm SW: of what is not both, the state is not so, as it is not unless it is told
            kinds = (
                [k for k in kinds if self.scene.state(k)]
                if not self.vocabulary.entails(thing.kinds, kinds[0])
                else kinds
            )
        if not kinds or not noun or (denied and len(kinds) > 1) or (not thing.kinds and not self.may_be(thing, kinds)):
            return self.back_at(start)
        for name in kinds:
            if denied:
                if not self.scene.clash(thing, [name]):  # a squad, not a mortar: that it is none is known
                    self.say(thing, name, True, start)
            else:
                self.scene.refine(thing, [name])
                if name in SIDES:
                    thing.add([name])
        return True
