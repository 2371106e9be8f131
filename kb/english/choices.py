"""Reads questions with a choice in them: which units may, a squad or a half-squad; and what would be otherwise: unless.

Of several kinds asked about at once each is put to the rules in its turn, as a `which` question of a case puts them.
"""

from __future__ import annotations

from typing import Any

from kb.english.acts import MADE
from kb.english.counts import DO
from kb.english.cursor import Stuck
from kb.english.definitions import LEAST, MOST
from kb.english.facts import GIVING
from kb.english.lexicon import KIND
from kb.english.questions import MODES, QuestionReader
from kb.english.references import TERRAIN, WEAPON
from kb.english.thing import ACT, SIDES, Thing
from kb.english.whether import PAIR
from kb.english.words import counted
from kb.language.english import plural

MODAL = tuple(verb for verbs in MODES.values() for verb in verbs)
KINDS = ("kind", "kinds", "type", "types", "sort", "sorts")
THAN = (
    (("greater than", "higher than", "more than", "larger than", "above"), ">"),
    (("less than", "lower than", "smaller than", "below"), "<"),
    (("at least",), ">="), (("at most",), "<="), (("equal to", "the same as", "exactly"), "="),
)  # fmt: skip


MORE = ("more", "greater", "higher", "better", "larger", "bigger", "stronger")
LESS = ("less", "fewer", "lower", "worse", "smaller", "weaker")
GIVES = (*GIVING, *map(plural, GIVING), "have", "has", "offers", "protects with")


class ChoiceReader(QuestionReader):
    """Reads questions of which there are several at once. choice: the thing that may be each of some kinds, and the kinds."""

    choice: tuple[Thing | str | tuple[Thing, str], list[str] | list[Thing] | str] | None = None

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks; with a choice in it, for which of those the answer is yes."""
        start = self.i
        ways = (
            self.kinds_of,
            self.picked_of,
            self.picked_most,
            self.picked,
            self.picked_part,
            self.compared,
            self.has_more,
        )
        if any(self.attempt(way) for way in ways):
            asked: dict[str, Any] | None = self.picking
            self.conditions()
        else:
            self.i = start
            asked = super().question()
        if asked is None or self.choice is None:
            return asked
        if not MODES.keys() & asked.keys() and not isinstance(self.choice[1], str) and self.choice[0]:
            raise Stuck(start, "ask it of one of them at a time")
        return {"which": (*self.choice, asked)}

    picking: dict[str, Any]

    def picked(self) -> bool:
        """Which units may enter the pillbox? Which weapons may a squad fire?"""
        if not self.take("which", "what", "who") or self.take("of"):
            return False
        cls = "Unit" if self.line[self.i - 1].low != "which" and self.low() in MODAL else self.picked_kind()
        if cls not in self.classes:
            return False
        kind = self.mode()
        if not kind or self.over():
            return False
        each = self.scene.new([cls], f"each {cls}")
        if self.deed() is not None or self.low() == "be":
            self.picking = self.asked(kind, each, self.i)
        else:
            doer = self.noun(verbs_stop=True)
            if doer is None or doer is each or self.low() == "not":
                raise self.stuck()
            self.scene.main = self.it = doer
            act = self.act_of(doer)
            if act is None:
                raise self.stuck()
            arms = self.scene.below(each, WEAPON) and self.scene.below(act, "Fire")
            role = "weapon" if arms else self.direct(act)
            if role in act.links or not self.join(act, role, each, self.i):
                raise self.stuck()
            self.picking = {kind: act}
        self.choice = (each, cls)
        return True

    def kinds_of(self) -> bool:
        """Which are the three types of Bunkers? What kinds of Bunkers are there?"""
        if not self.take("which", "what"):
            return False
        told = self.take("are", "is") and (self.take("the") or True)
        self.i += bool(counted(self.line[self.i])) if told and not self.over() else 0
        cls = self.picked_kind() if self.low() in KINDS and (told or self.low(1) == "of") else ""
        if cls not in self.classes or not (told or self.take("are there", "exist")) or not self.over():
            return False
        each = self.scene.main = self.scene.new([cls], f"each {cls}")
        self.picking, self.choice = {"is": (each, cls)}, (each, cls)
        return True

    def picked_of(self) -> bool:
        """Which of these may enter the pillbox: a squad, a tank, a Gun? Which of a squad, a leader and a Gun may enter it?"""
        if self.take("which of"):
            behind = self.take("these", "the following", "them", "those")
        else:  # which teams may cross it: an infantry team or a tank
            behind = self.take("which", "what") and bool(self.picked_kind())
            if not behind:
                return False
        end, at = self.ahead(*MODAL), self.ahead(":")
        if end < 0 or (behind and at < end):
            return False
        whole, verb = self.line, self.i if behind else end
        self.i, self.line = (at + 1, whole) if behind else (self.i, whole[:end])
        things = self.several_named()
        last = self.i
        self.i, self.line = verb, whole[:at] if behind else whole
        kind = self.mode()
        self.picking = self.asked(kind, things[0], self.i) if len(things) > 1 else {}
        self.i, self.line = last if behind else self.i, whole
        so = self.picking.get("is", (None, ""))
        if so[0] is not None and so[0] is things[0] and isinstance(so[1], str):
            self.picking, self.choice = {"is": ("each", so[1])}, ("", things)
            self.scene.main, self.scene.beside, self.scene.listed = None, things, things
            return True
        act = self.picking.get(kind)
        role = next((r for r, o in act.links.items() if o == things[:1]), "") if act is not None else ""
        if act is None or not role:
            return False
        del act.links[role]
        self.choice, self.scene.beside, self.scene.listed = (role, things), things, things
        return True

    def picked_most(self) -> bool:
        """Which gives more cover, a trench or a foxhole? Which of these has the highest TEM: …: whose number is greater than another's, or the
        greatest of all."""
        if not self.take("which of these", "which of the two", "which", "what") or not self.take(*GIVES):
            return False
        self.take("the")
        word, sign = self.low(), self.compares()
        name = self.quantity(None) if sign else ""
        things = self.several_named() if name and self.take(",", ":") else []
        if len(things) < PAIR or any(self.bearer(t, name) is not t for t in things):
            return False
        one_of_two = len(things) == PAIR and word in (*MORE, *LESS)  # of two alike neither gives more
        join, sign = (" or ", sign) if one_of_two else (" and ", f"{sign}=")
        told = [part for t in things for part in (join, f"{name} {sign} ", t, f".{name}")]
        self.picking, self.choice = {"is": ("each", told[1:])}, ("", things)
        self.scene.main, self.scene.beside, self.scene.listed = None, things, things
        return True

    def compares(self) -> str:
        """Takes `more`, `the lowest`: the sign of the comparison; "" where none stands here."""
        signs = (((*MORE, *MOST), ">"), ((*LESS, *LEAST), "<"))
        return next((sign for words, sign in signs if self.take(*words)), "")

    def has_more(self) -> bool:
        """Does a trench give more cover than a foxhole?"""
        one = self.noun(verbs_stop=True) if self.take(*DO) else None
        sign = self.compares() if one is not None and self.take(*GIVES) and (self.take("a") or True) else ""
        name = self.quantity(one) if sign else ""
        other = self.newly() if name and self.take("than") else None
        if one is None or other is None or any(self.bearer(t, name) is not t for t in (one, other)):
            return False
        self.scene.main, self.scene.beside = one, [other]
        self.picking = {"is": (one, [f"{name} {sign} ", other, f".{name}"])}
        return self.over() or self.clause_begins()

    def several_named(self) -> list[Thing]:
        """The things of a list, each another one than those before: a squad, a tank or a Gun; none where it is not read whole."""
        things: list[Thing] = []
        self.anew = True
        try:
            while (thing := self.noun(verbs_stop=True)) is not None:
                things.append(thing)
                if not self.take(", and", ", or", ",", "and", "or"):
                    break
        finally:
            self.anew = False
        return things if self.over() else []

    def picked_part(self) -> bool:
        """On which Target Types may a TH attempt be resolved? In which phase may a squad fire?"""
        if not (self.take("on", "in", "at", "with", "from", "during", "against") and self.take("which", "what")):
            return False
        cls = self.picked_kind()
        kind = self.mode()
        if cls not in self.classes or not kind:
            return False
        doer = self.noun(verbs_stop=True)
        if doer is None or self.low() == "not":
            return False
        self.scene.main = self.it = doer
        if self.scene.below(doer, ACT):
            act: Thing | None = doer
            if not (self.take("be") and self.take(*MADE, "used", "done", "taken", "attempted")):
                return False
            self.complements(doer, False, False)
            self.scene.act = doer
        else:
            act = self.act_of(doer, passive=self.take("be"))
        if act is None:
            return False
        if cls == TERRAIN or self.cell(cls):  # in which hexes: those of which terrain
            role = next((role for word, role in self.roles(act) if word == "in"), "")
            place = self.scene.new(["Hex"], "hex")
            if "terrain" not in self.properties or role in act.links or not self.join(act, role, place, self.i):
                return False
            self.choice, self.picking = ((place, "terrain"), TERRAIN), {kind: act}
            return True
        roles = self.roles_of_kind(act, cls)
        if len(roles) != 1:
            return False
        each = self.scene.new([cls], f"each {cls}")
        act.link(roles[0], each)
        self.choice = (each, cls)
        self.picking = {kind: act}
        return True

    def picked_kind(self) -> str:
        """The kind of thing that is asked for; "" where none stands here."""
        self.take("kind of", "kinds of", "type of", "types of")
        sense = self.taken(KIND, bare=True)
        return sense.name if sense is not None else ""

    def compared(self) -> bool:
        """Is the cover of the trench greater than that of the bunker? Is the squad's FP at least 4?"""
        if not self.take("is", "are"):
            return False
        one = self.measured("")
        sign = next((sign for words, sign in THAN if self.take(*words)), "")
        if one is None or not sign:
            return False
        thing, name = one
        self.scene.main = self.it = thing
        value = self.number()
        if value:
            self.unit(name)
            self.picking = {"is": (thing, [f"{name} {sign} {value}"])}
            return self.over() or self.clause_begins()
        self.anew = True  # the infantry in the bunker is not that in the trench
        try:
            other = self.measured(name)
        finally:
            self.anew = False
        if other is None or other[1] != name or other[0] is thing:
            return False
        self.scene.beside = [other[0]]
        self.picking = {"is": (thing, [f"{name} {sign} ", other[0], f".{name}"])}
        return self.over() or self.clause_begins()

    def measured(self, name: str) -> tuple[Thing, str] | None:
        """Whose number, and which: the TEM of the pillbox, the squad's FP; name: what `that of` means."""
        if name and self.take("that of", "those of", "the one of"):
            thing = self.noun(verbs_stop=False, states=False)
            return (thing, name) if thing is not None and self.bearer(thing, name) is thing else None
        start = self.i
        self.take("the")
        if (found := self.quantity(None)) and self.take("of", "for"):
            thing = self.noun(verbs_stop=False, states=False)
        else:
            self.i = start
            ends = self.ahead("'s")
            thing = self.until(ends, self.noun) if ends >= 0 else None
            self.i += thing is not None
            found = self.quantity(thing) if thing is not None else ""
        return (thing, found) if thing is not None and found and self.bearer(thing, found) is thing else None

    def asked(self, kind: str, subject: Thing, start: int) -> dict[str, Any]:
        """The question whether somebody may; whether he may not is whether he may, turned round."""
        self.tried(subject, self.alternatives)
        if kind != "may not":
            return super().asked(kind, subject, start)
        ((so, what),) = super().asked("may", subject, start).items()
        if so == "is" and isinstance(what[1], str):  # what can be so
            return {"is": (what[0], what[1].removeprefix("not ") if what[1].startswith("not ") else f"not {what[1]}")}
        if so != "may":
            raise Stuck(start, "asked whether it is forbidden: ask whether it may be done", True)
        return {kind: what}

    def alternatives(self, subject: Thing) -> bool:
        """Takes the other kinds that a subject may be of: or a half-squad, or a crew."""
        kinds = [k for k in subject.kinds if k not in SIDES]
        if len(kinds) != 1 or subject.links or subject.denied or subject.count != 1 or self.scene.below(subject, ACT):
            return False
        while self.take("or", ","):
            self.take("or")
            self.take("a", "an")
            sense = self.taken(KIND, bare=True)
            if sense is None or self.scene.clash(subject, []):
                return False
            kinds.append(sense.name)
        if len(kinds) < 2:
            return False
        shared = set.intersection(*({*self.classes[k].ancestors} for k in kinds)) - {"Thing"}
        wide = [a for a in shared if not any(a != b and a in self.classes[b].ancestors for b in shared)]
        subject.kinds = [*(k for k in subject.kinds if k in SIDES), *wide]
        self.choice = (subject, kinds)
        return bool(wide)

    def conditions(self) -> None:
        """Takes the facts behind if, when, while; and behind unless, what is not so."""
        while not self.over():
            if self.low() == "," and self.low(1) == "unless":
                self.i += 1
            if self.low() != "unless":
                super().conditions()
                return
            if not self.attempt(self.unless):
                raise self.stuck()

    def clause_begins(self) -> bool:
        """Whether a clause with a condition begins here."""
        return self.low() == "unless" or super().clause_begins()

    def sign_of_more(self) -> bool:
        """Whether a further clause begins here."""
        return self.low() == "unless" or super().sign_of_more()

    def unless(self) -> bool:
        """Takes `unless he is pinned`: that it is not so. That somebody is not there tells nothing, as everywhere."""
        self.take("unless")
        if self.low() in ("no", "neither") or any(self.low(n) in ("not", "no", "without") for n in range(12)):
            raise self.stuck("say it without unless")
        mark = self.scene.mark()
        before = {
            thing: (set(thing.kinds), {r: list(o) for r, o in thing.links.items()}) for thing in self.scene.things
        }
        if not self.fact() or not self.over():
            return False
        said = [(t, [k for k in t.kinds if k not in before[t][0]]) for t in self.scene.things if t in before]
        more = any(t.links != before[t][1] for t in before)
        met = [t for t in self.scene.things if t not in before]
        self.scene.back(mark)
        for thing, kinds in said:
            for kind in kinds:
                self.say(thing, kind, True, self.i)
        return bool(met) or any(kinds for _, kinds in said) or more
