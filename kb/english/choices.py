"""Reads questions with a choice in them: which units may, a squad or a half-squad; and what would be otherwise: unless.

Of several kinds asked about at once each is put to the rules in its turn, as a `which` question of a case puts them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from kb.english.cursor import Stuck
from kb.english.lexicon import KIND
from kb.english.questions import MAY, MUST, QuestionReader
from kb.english.references import WEAPON
from kb.english.scene import ACT, SIDES, Thing

PICKING = ("which", "what", "which of", "what kind of", "what kinds of", "which kind of", "which kinds of")


class ChoiceReader(QuestionReader):
    """Reads questions of which there are several at once. choice: the thing that may be each of some kinds, and the kinds."""

    choice: tuple[Thing, list[str] | str] | None = None

    def question(self) -> dict[str, Any] | None:
        """What the sentence asks; with a choice in it, for which of those the answer is yes."""
        start = self.i
        if self.attempt(self.picked):
            asked: dict[str, Any] | None = self.picking
            self.conditions()
        else:
            self.i = start
            asked = super().question()
        if asked is None or self.choice is None:
            return asked
        if not {"may", "must"} & asked.keys():
            raise Stuck(start, "ask it of one of them at a time")
        return {"which": (*self.choice, asked)}

    picking: dict[str, Any]

    def picked(self) -> bool:
        """Which units may enter the pillbox? Which weapons may a squad fire?"""
        if not self.take("which", "what") or self.take("of"):
            return False
        self.take("kind of", "kinds of", "type of", "types of")
        found = self.found(KIND)
        sense = found.of(KIND) if found is not None else None
        if found is None or sense is None or found.denied:
            return False
        self.i += found.length
        kind = "may" if self.take(*MAY) else "must" if self.take(*MUST) else ""
        if not kind or self.low() == "not" or self.over():
            return False
        each = self.scene.new([sense.name], f"each {sense.name}")
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
        self.choice = (each, sense.name)
        return True

    def asked(self, kind: str, subject: Thing, start: int) -> dict[str, Any]:
        """The question whether one of several may: a squad or a half-squad."""
        self.attempt(partial(self.alternatives, subject))
        return super().asked(kind, subject, start)

    def alternatives(self, subject: Thing) -> bool:
        """Takes the other kinds that a subject may be of: or a half-squad, or a crew."""
        kinds = [k for k in subject.kinds if k not in SIDES]
        if len(kinds) != 1 or subject.links or subject.denied or subject.count != 1 or self.scene.below(subject, ACT):
            return False
        while self.take("or", ","):
            self.take("or")
            self.take("a", "an")
            found = self.found(KIND)
            sense = found.of(KIND) if found is not None else None
            if found is None or sense is None or found.denied or self.scene.clash(subject, []):
                return False
            kinds.append(sense.name)
            self.i += found.length
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
