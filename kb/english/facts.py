"""Reads the facts: a clause behind an if, a sentence of its own, a key with what it holds behind a colon, a noun phrase alone."""

from __future__ import annotations

import re
from functools import partial

from kb.english.acts import CONDITION
from kb.english.amounts import singular
from kb.english.cursor import Stuck
from kb.english.lexicon import DEED, HOW, KIND, LINK
from kb.english.scene import ACT, SIDES, Thing
from kb.english.verbs import VerbReader
from kb.english.words import Word, counted

CLOSED = re.compile(  # how players say that no other rule bears on it
    r"(.*\b)?all else( about \w+( \w+)?)?( is)? in order|(it is )?otherwise (in order|possible)|"
    r"(\w+ )?(\w+ing|the \w+|it) is otherwise (possible|allowed)( to (it|him|them))?|"
    r"((the )?normal )?stacking limits? (is|are) (kept|observed|not exceeded)|no other (drm|costs?|modifiers?|modifications?)|"
    r"nothing (else|outside .*) (bars|forbids) .*|no (other )?rule (outside .* )?(bars|bears on|forbids) .*"
)


class FactReader(VerbReader):
    """Reads sentences of facts."""

    def facts(self) -> None:
        """Takes a sentence of facts, which may be several with commas and ands between them."""
        while not self.over():
            while self.take(",", "and", "but", "then", "also", "if"):
                pass
            if self.over():
                return
            if not self.fact():
                raise self.stuck()

    def fact(self) -> bool:
        """Takes one fact."""
        ways = (
            self.closed,
            self.listed_figures,
            self.keyed,
            self.keyed_number,
            self.there,
            self.clause,
            self.main_state,
            self.bare,
        )
        return any(self.attempt(way) for way in ways)

    def clause_begins(self) -> bool:
        """Whether a clause with a condition begins here."""
        return any([self.low(n) for n in range(len(c.split()))] == c.split() for c in (*CONDITION, ","))

    def conditions(self) -> None:
        """Takes the facts behind if, when, while."""
        while not self.over():
            start = self.i
            if self.low() == ",":
                self.i += 1
            taken = self.take(*CONDITION)
            while self.take(*CONDITION):
                pass
            if not taken and self.i == start:
                raise self.stuck()
            if not self.fact():
                self.i = max(self.i, start)
                raise self.stuck()

    def closed(self) -> bool:
        """All else in order; nothing else bars it: no rule that is not loaded has a say."""
        rest = [word.low for word in self.line[self.i :]]
        end = next((n for n, low in enumerate(rest) if low == ","), len(rest)) if rest[:1] == ["no"] else len(rest)
        said = " ".join(rest[:end])
        if not CLOSED.fullmatch(said):
            return False
        self.scene.elsewhere = True
        self.i += end
        return True

    def keyed(self) -> bool:
        """`target: an enemy squad`, `phase: PFPh`, `weapon: mortar`: what stands before the colon takes what stands behind it."""
        at = next((n for n in range(self.i, min(self.i + 7, len(self.line))) if self.line[n].text == ":"), -1)
        if at < 0:
            return False
        act = self.scene.act
        link = self.lexicon.meaning(self.line[self.i : at])
        role = next((s.name for s in (link.senses if link else ()) if s.sort == LINK), "")
        if act is not None and role and self.may_link(act, role) and self.attempt(partial(self.in_role, act, role, at)):
            return True
        self.take("the")
        thing = self.key(at)
        if thing is None or self.i != at:
            return False
        self.i = at + 1
        self.it = thing
        return self.described(thing)

    def key(self, at: int) -> Thing | None:
        """The thing that stands before the colon; of several that it may be, the one that the question is about."""
        start, main = self.i, self.scene.main
        try:
            return self.noun(verbs_stop=True)
        except Stuck:
            found = self.lexicon.meaning(self.line[start:at])
            sense = found.of(KIND) if found is not None else None
            if sense is None or main is None or not self.scene.alike(sense.name, main.kinds):
                raise
            self.i = at
            return main

    def listed_figures(self) -> bool:
        """`pillbox Strength Factors, left to right: 1, +3, +5`."""
        start = self.i
        for length in (1, 2, 3):
            if start + length >= len(self.line):
                return False
            meant = self.lexicon.meaning(self.line[start : start + length])
            sense = meant.of(KIND) if meant is not None else None
            if sense is None or not self.lexicon.meaning(
                [Word("first", 0, 0), *singular(self.line[start + length : start + length + 2])]
            ):
                continue
            again = self.scene.again([sense.name])
            thing = again[0] if len(again) == 1 else self.scene.new([sense.name], sense.name)
            self.i = start + length
            return self.figures(thing)
        return False

    def keyed_number(self) -> bool:
        """`Basic TK#: 13`: a number of the act, or of whom it is about."""
        start = self.i
        game = self.take("the game 's", "the")
        name = self.quantity(None)
        self.take("of that ammo", "of the attack", "of it")
        if not name or self.over() or not (self.take(":", "is") or counted(self.line[self.i])):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        act = self.scene.act
        domain = self.properties[name].domain
        where = [
            t
            for role in ("place", "destination", "target")
            for t in (act.links.get(role, ()) if act is not None else ())
        ]
        about = (
            [act]
            if domain in self.classes and ACT in self.classes[domain].ancestors
            else [*where, self.it]
            if game
            else [self.it, act]
        )
        bearer = next((t for t in about if t is not None and self.bearer(t, name) is not None), None)
        if not value or bearer is None:
            return False
        self.i += 1
        self.unit(name)
        if game and (unit := self.found(KIND)) is not None:
            self.i += unit.length  # three infantry units
        return self.numbered(bearer, name, value, start)

    def in_role(self, act: Thing, role: str, at: int) -> bool:
        """What stands in a role of the act, told behind the colon there."""
        self.i = at + 1
        if role == "phase":
            return self.phase_of(act)
        return self.filled(act, role, next(iter(act.links.get(role, ())), None))

    def filled(self, act: Thing, role: str, thing: Thing | None) -> bool:
        """What stands in a role of an act, told behind a colon."""
        start = self.i
        if thing is not None:
            return self.described(thing)
        other = self.noun(verbs_stop=True)
        if other is None or not self.join(act, role, other, start):
            return False
        self.it = other
        while self.take(","):
            if not self.attempt(lambda: self.predicate(other)):
                self.i -= 1
                break
        return True

    def described(self, thing: Thing) -> bool:
        """What is told of a thing behind a colon: its kind, its states, its numbers, a comma between them."""
        taken = False
        while not self.over():
            way = (self.predicate, self.verb_phrase, self.flagged, self.more_exactly)
            if not any(self.attempt(partial(w, thing)) for w in way):
                break
            taken = True
            if not self.take(",", "and"):
                break
        return taken

    def more_exactly(self, thing: Thing) -> bool:
        """What a thing is that was named by a wide word: the counter is a bunker, the target an enemy squad in the field."""
        start = self.i
        count = len(self.scene.things)
        other = self.noun(verbs_stop=True)
        if other is not None and self.scene.below(thing, ACT):
            for cls, role in (("Ammunition", "ammunition"), ("Weapon", "weapon")):
                if self.scene.below(other, cls) and role in self.properties and role not in thing.links:
                    thing.link(role, other)
                    return True
        if (
            other is None
            or other is thing
            or other in self.scene.things[:count]
            or self.scene.clash(thing, other.kinds)
        ):
            self.i = start
            return False
        self.scene.merge(thing, other)
        return True

    def there(self) -> bool:
        """There is an enemy squad in the pillbox."""
        if not self.take("there is", "there are", "there's"):
            return False
        if self.low() == "no":
            return self.none()
        return self.noun() is not None

    def none(self) -> bool:
        """No enemy is in the pillbox: what is not said is not so, and nothing is told; but the words must be understood."""
        mark, known = self.scene.mark(), list(self.scene.things)
        self.take("no")
        self.take("other")
        self.anew = True
        try:
            thing = self.noun(states=True, places=True)
        finally:
            self.anew = False
        if thing is None or thing in known:
            return False
        self.attempt(lambda: self.verb_phrase(thing))
        self.take("near", "nearby", "about", "there")
        self.scene.back(mark)
        return True

    def clause(self) -> bool:
        """The squad is pinned; he has 2 MF left; it costs 2 MF."""
        if self.low() == "no":
            return self.none()
        self.take("the")
        name, start = self.quantity(None), self.i
        if name and self.take("of"):
            thing = self.noun(verbs_stop=True, states=False)
            if thing is not None and self.take("is", "are"):
                value = counted(self.line[self.i]) if not self.over() else ""
                if value:
                    self.i += 1
                    self.unit(name)
                    return self.numbered(thing, name, value, start)
            return False
        if name:
            return False
        if self.attempt(self.owned_number):
            return True
        thing = self.noun(verbs_stop=True, states=False)
        if thing is None:
            return False
        if self.over() or self.clause_begins():
            return bool(self.placed) and self.placed[-1][0] is thing
        if self.amount(thing):
            return True
        if self.verb_phrase(thing) or self.flagged(thing):
            self.it = thing
            return True
        return self.done_by(thing)

    def owned_number(self) -> bool:
        """Its printed FP is 4; the squad's firepower is 6."""
        start = self.i
        ends = [n for n in range(self.i, len(self.line)) if self.line[n].low == "'s"]
        if self.take("its", "his", "their"):
            doers = self.scene.act.links.get("actor", []) if self.scene.act is not None else []
            at = self.i
            owner = next((t for t in (self.it, *doers) if t is not None and self.quantity(t)), None)
            self.i = at
        elif ends:
            whole, self.line = self.line, self.line[: ends[0]]
            owner = self.noun()
            there = self.i == ends[0]
            self.line = whole
            if not there:
                return False
            self.i += 1
        else:
            return False
        name = self.quantity(owner) if owner is not None else ""
        if not name or owner is None or not self.take("is", "are", "was"):
            return False
        value = counted(self.line[self.i]) if not self.over() else ""
        if not value:
            return False
        self.i += 1
        self.unit(name)
        return self.numbered(owner, name, value, start)

    def main_state(self) -> bool:
        """`not pinned`, `in Good Order`, `no CH`: of whom, or of the act that, the question is about."""
        it, act = self.it, self.scene.act
        if act is not None and (self.attempt(lambda: self.phase_of(act)) or self.attempt(lambda: self.manner(act))):
            return True
        for thing in (it, act):
            if thing is not None and any(
                self.attempt(partial(w, thing)) for w in (self.predicate, self.verb_phrase, self.flagged, self.denial)
            ):
                return True
        return it is not None and self.attempt(lambda: self.done_by(it))

    def denial(self, thing: Thing) -> bool:
        """`no CH`: what an act is not."""
        start = self.i
        if not self.take("no"):
            return False
        found = self.found(HOW, KIND, DEED)
        for sense in found.senses if found else ():
            if (
                self.scene.below(thing, ACT)
                and ACT
                in self.classes.get(
                    sense.name, self.classes["Thing"] if "Thing" in self.classes else next(iter(self.classes.values()))
                ).ancestors
            ):
                self.i += found.length  # type: ignore[union-attr]
                self.say(thing, sense.name, True, start)
                return True
        return False

    def bare(self) -> bool:
        """An enemy squad outside the pillbox: a noun phrase alone says that there is one, or what this hex is that was asked about."""
        known, indefinite = list(self.scene.things), self.low() in ("a", "an")
        thing = self.noun()
        if thing is None:
            return False
        sides = {k for k in thing.kinds if k in SIDES}
        shown = [t for t in known if t.shown and self.scene.alike(thing.kinds[0], t.kinds)] if thing.kinds else []
        if indefinite and thing not in known and len(shown) == 1 and not sides - {*shown[0].kinds}:
            if self.scene.clash(shown[0], thing.kinds):
                raise self.stuck("it cannot be that too")
            self.scene.merge(shown[0], thing)
        return True
