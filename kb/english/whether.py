"""Reads questions whether something is so: is the squad Fanatic, are the two ADJACENT, does the bunker block LOS."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kb.english.asides import BE
from kb.english.counts import DO
from kb.english.definitions import DefinitionReader
from kb.english.facts import GIVING
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND, LINK
from kb.english.pronouns import PRONOUNS
from kb.english.thing import ACT, SIDES, Thing

PAIR = 2
BECOMING = ("become", "becomes", "count as", "be treated as", "get", "remain", "stay", "go", "turn")


class WhetherReader(DefinitionReader):
    """Reads questions whether something is so."""

    def whether(self) -> dict[str, Any] | None:
        """Is the squad Fanatic? Is a pillbox an obstacle to LOS? Does a bunker block line of sight?"""
        verb = self.low()
        if verb not in (*BE, *DO):
            return None
        if verb in DO and self.attempt(self.applies):
            return {"is": (self.scene.main, self.class_asked)}
        if verb in BE and any(self.tried(anew, self.stand_so) for anew in (False, True)):
            return self.so_asked
        if verb in BE and self.attempt(self.so_after):
            return self.so_asked
        if verb in BE and any(self.attempt(way) for way in (self.one_to_another, self.parted_subject, self.passive_so)):
            return self.so_asked
        if verb in DO and any(self.tried(stop, self.does_so) for stop in (True, False)):
            return self.so_asked
        self.i += 1
        if self.low() == "they" and self.one_of_several():
            raise self.stuck("who are “they”?")
        subject = self.that_act() or self.noun(verbs_stop=verb in DO, states=False)
        if subject is None:
            raise self.stuck()
        if verb in BE and self.line[self.i - 1].low == "it":
            subject = self.befallen(subject)
        self.asked_of(subject)
        if (so := self.so_of_act(subject)) is not None:
            return so
        self.take("still", "now", "treated as", "considered", "counted as")
        ways = [partial(self.whole, way) for way in (self.undergoes, self.attacked_so, self.turns_so)]
        if verb in BE and self.tried(subject, *ways, self.class_so):
            return self.so_asked
        raise self.stuck()

    def befallen(self, it: Thing) -> Thing:
        """What `it` is in a question of what is so, behind what it would have done: what was done to."""
        acts = [t for t in (self.began[2], *self.scene.happened[-1:]) if t is not None]
        done = [t for t in acts if any(it in t.links.get(role, ()) for role in ("actor", "weapon"))]
        told_so = any(self.scene.state(kind) for kind in it.kinds if kind not in SIDES)
        suffers = [t for act in done[:1] for t in act.links.get("target", ()) if not told_so]
        return suffers[0] if len(suffers) == 1 else it

    def so_after(self) -> bool:
        """Takes `are they in Melee`, behind what they did, where the book has a word for what that results in."""
        act, self.i = self.began[2], self.i + 1
        if act is None or not self.take("they both", "they", "both", "the two"):
            return False
        self.take("now", "then", "still", "afterwards")
        so = self.meant(["resulting", *self.line[self.i :]], HOW)
        if so is None or not self.fits(act, so.name):
            return False
        self.i = len(self.line)
        self.it = self.scene.main = self.scene.act = act
        self.so_asked = {"is": (act, so.name)}
        return True

    def so_of_act(self, subject: Thing) -> dict[str, Any] | None:
        """What was read as how an act is done, where nothing else is asked of it: is its fire Area Fire, may it affect the pillbox."""
        if self.last is None or self.last[0] is not subject or not (self.over() or self.clause_begins()):
            return None
        subject.kinds.remove(self.last[1])
        return {"is": (subject, self.last[1])}

    def parted_subject(self) -> bool:
        """Takes `is the pillbox Concealment Terrain`: of what it is asked, and what is asked, where no word stands between the two and
        they would be read as the name of one thing."""
        self.i += 1
        if self.low() in PRONOUNS:
            return False
        start, whole = self.i, self.line
        end = next(
            (n for n in range(start, len(whole)) if whole[n].sign or whole[n].low in ("if", "when", "while")),
            len(whole),
        )
        for at in range(start + 1, end):
            found = self.lexicon.at(whole, at, (KIND, HOW))
            if found is None or at + found.length != end or whole[at - 1].low in (*DETERMINERS, *BE, "as"):
                continue
            subject = self.until(at, partial(self.noun, states=False))
            if subject is not None:
                self.asked_of(subject)
                return self.class_so(subject)
            self.i = start
        return False

    def passive_so(self) -> bool:
        """Takes `is a squad attacked by the minefield`: of whom it is asked, and what is done to him by what, which is no part of his name."""
        self.i += 1
        by = self.ahead("by", start=2)
        subject = self.until(by - 1, partial(self.noun, states=False)) if by > 0 else None
        if subject is None:
            return False
        self.asked_of(subject)
        return self.tried(subject, *(partial(self.whole, way) for way in (self.undergoes, self.attacked_so)))

    def asked_of(self, subject: Thing) -> None:
        """Says of whom it is asked, whether something is so; of an act, with all that goes with it."""
        self.it = self.scene.main = subject
        if self.scene.below(subject, ACT):
            self.scene.act = subject
            self.complements(subject, False, False)

    def does_so(self, verbs_stop: bool) -> bool:
        """Takes `does the hit destroy the Nest`: whether what the verb says of somebody, or of something, is so."""
        self.i += 1
        self.verb_awaited = True
        try:
            subject = self.noun(verbs_stop, states=False)
            if subject is None:
                return False
            self.asked_of(subject)
        finally:
            self.verb_awaited = False
        ways = (
            self.becomes, self.attacked_so, self.stops_so, self.turns_so, self.comes_off, self.affects, self.attacks_so, self.brings_about, self.results_in, self.has_number, self.gets, self.relates, self.is_so
        )  # fmt: skip
        return any(self.attempt(partial(self.whole, way, subject)) for way in ways)

    def whole(self, way: Callable[[Thing], bool], subject: Thing) -> bool:
        """Whether a way of reading takes all up to the conditions."""
        return way(subject) and (self.over() or self.clause_begins())

    def becomes(self, subject: Thing) -> bool:
        """Takes `become Fanatic`, `count as a moving unit`: what it is."""
        return self.take(*BECOMING, *BE) and self.class_so(subject)

    def class_so(self, subject: Thing) -> bool:
        """Takes the class that is asked for, with what goes with it."""
        self.take("a", "an", "the")
        found = self.asked_class(subject)
        sense = found.of(HOW, KIND, DEED) if found is not None else None
        if found is None or sense is None or not (self.fits(subject, sense.name) or sense.sort == KIND):
            return False
        last = self.lexicon.at(self.line, self.i + found.length - 1, (DEED,))
        if last is not None and "by" in [self.low(n) for n in range(found.length)]:
            return False  # affected by the attack: by which?
        self.i += found.length
        self.so_asked = {"is": (subject, f"not {sense.name}" if found.denied else sense.name)}
        if self.scene.below(subject, ACT):
            self.complements(subject, False, False)
        else:
            self.after(subject, False, True)
            self.tried(subject, self.flagged)
        return True

    def comes_off(self, subject: Thing) -> bool:
        """Takes `pass its Motivation Test`: whether an act of his is as the verb says, passed."""
        known = {t: [*t.kinds] for t in self.scene.things}
        if self.scene.below(subject, ACT) or not self.came_off(subject):
            return False
        said = [(t, k) for t in self.scene.things if subject in t.links.get("actor", ()) for k in t.kinds[-1:]]
        if len(said) != 1 or said[0][1] in known.get(said[0][0], ()):
            return False
        ((act, state),) = said
        act.kinds.remove(state)
        self.scene.act = self.scene.main = act
        self.so_asked = {"is": (act, state)}
        return True

    def has_number(self, subject: Thing) -> bool:
        """Takes `give a TEM of 3`, `have 2 MF left`, `cost 2 MF`: whether its number is that."""
        if not self.take(*GIVING, "have", "get", "cost", "need", "receive", "suffer", "incur"):
            return False
        mark, end = self.scene.mark(), self.i
        if not self.amount(subject):
            self.take("a", "an", "the", "any")
            name = self.quantity(subject)  # suffer a morale drop: one that is other than nought
            self.so_asked = {"is": (subject, [f"{name} != 0"])}
            return bool(name) and self.line[self.i - 1].low not in ("mf", "mp")
        end, new = self.i, dict(subject.numbers)
        self.scene.back(mark)
        told = [(n, v) for n, v in new.items() if n not in subject.numbers]
        self.i = end
        self.so_asked = {"is": (subject, [f"{name} = {value}" for name, value in told])}
        return len(told) == 1

    def gets(self, subject: Thing) -> bool:
        """Takes `get an Armour Save`: whether he may make it; `need a Skill Test`: whether he must."""
        kind = "must" if self.take("need", "require") else "may"
        if self.scene.below(subject, ACT) or (
            kind == "may" and not self.take("get", "receive", "have", "take", "make")
        ):
            return False
        act = self.noun(states=False)
        if act is None or not self.scene.below(act, ACT) or act.links.get("actor"):
            return False
        self.scene.act = act
        act.link("actor", subject)
        self.complements(act, False, False)
        self.so_asked = {kind: act}
        return True

    def relates(self, subject: Thing) -> bool:
        """Takes `connect to the building`, `have LOS to it`: how two stand to each other."""
        link = self.found(LINK)
        self.i += link.length if link is not None else 0
        other = self.noun(verbs_stop=True) if link is not None and not self.over() else None
        roles = [s.name for s in (link.senses if link is not None else ()) if self.may_link(subject, s.name)]
        if self.scene.below(subject, ACT):  # an attack has nothing, as somebody has a gun
            kinds = {r: self.properties[r].domain for r in roles}
            roles = [r for r in roles if kinds[r] == ACT or (kinds[r] in self.classes and self.kind(kinds[r], ACT))]
        if other is None or other is subject or not roles:
            return False
        self.so_asked = {"is": (subject, (roles[0], other))}
        self.scene.beside = [other]
        return True

    def is_so(self, subject: Thing) -> bool:
        """Takes what is said of a thing by a verb: cower, block line of sight; of somebody, of what he does."""
        found, sense = self.sensed(HOW)
        if found is None or sense is None:
            return False
        if not self.fits(subject, sense.name) and "Attack" in self.classes[sense.name].ancestors:
            subject = self.deed_of(subject, "Attack") or subject
        if not self.fits(subject, sense.name):
            return False
        self.i += found.length
        self.so_asked = {"is": (subject, f"not {sense.name}" if found.denied else sense.name)}
        if self.scene.below(subject, ACT):
            self.scene.act = subject
            self.complements(subject, False, False)  # cower on Original Doubles
        else:
            # block LOS through its hex
            self.attempt(lambda: self.take("through", "across") and self.noun() is self.hex_of(subject))
        return True

    def stand_so(self, anew: bool) -> bool:
        """Takes `are they ADJACENT`, `are the squad and the leader ADJACENT`, `is the trench connected to the house`: how two stand
        to each other. anew: whether the second is another one than those met before."""
        self.i += 1
        if self.take("they", "they both", "the two"):
            told = [t for t in self.scene.things if self.scene.below(t, "Piece")]
        else:
            one, joined = self.noun(verbs_stop=True, states=False), self.take("and")
            other = self.newly(verbs_stop=True, states=False, anew=anew) if joined else None
            told = [t for t in (one, other) if t is not None]
        link, sense = self.sensed(LINK)
        if len(told) != len({*map(id, told)}) or len(told) != PAIR or link is None or sense is None:
            return False
        self.i += link.length
        self.take("to each other")
        self.scene.main = self.it = told[0]
        self.scene.beside = [told[1]]
        self.so_asked = {"is": (told[0], (sense.name, told[1]))}
        return self.may_link(told[0], sense.name) and (self.over() or self.clause_begins())

    def one_to_another(self) -> bool:
        """Takes `is the trench connected to the house`, `are units in it ADJACENT to units outside it`."""
        self.i += 1
        for at in range(self.i + 1, len(self.line) - 1):
            link = self.lexicon.at(self.line, at, (LINK,))
            if link is None or link.length < PAIR:
                continue
            start, one = self.i, self.until(at, partial(self.noun, verbs_stop=True, states=False))
            if one is None:
                return self.back_at(start)
            self.scene.main = self.it = one
            self.anew = self.low() not in PRONOUNS
            try:
                return self.relates(one)
            finally:
                self.anew = False
        return False

    def applies(self) -> bool:
        """Takes `does TPBF apply between a squad and an enemy squad`: whether an attack of one on the other is such."""
        self.i += 1
        found = self.found(HOW, DEED, KIND)
        sense = found.of(HOW, DEED) if found is not None else None
        if found is None or sense is None or found.denied or ACT not in self.classes[sense.name].ancestors:
            return False
        self.i += found.length
        wide = next(
            (c for c in ("Fire", "CloseCombat", "Attack", "Entry") if c in self.classes and self.kind(sense.name, c)),
            "",
        )
        if not wide or wide == sense.name:
            return False
        if self.take("apply between"):
            one = self.noun(verbs_stop=True)
            if one is None or not self.take("and"):
                return False
            other = self.noun(verbs_stop=True)
            act = self.scene.new([wide], sense.name)
            if other is None or other is one:
                return False
            act.link("actor", one)
            act.link("target", other)
        else:
            return False
        self.scene.main = self.scene.act = self.it = act
        self.class_asked = sense.name
        return True

    def asked_class(self, subject: Thing):  # type: ignore[no-untyped-def]
        """The class that an is-question asks for, the longest that stands here and may be said of the subject."""
        for found in self.lexicon.all(self.line, self.i, (HOW, KIND, DEED)) if not self.over() else ():
            senses = [s for s in found.senses if not s.verb and (s.sort != DEED or self.scene.below(subject, ACT))]
            if senses:
                return type(found)(found.length, tuple(senses), found.denied)
        return None
