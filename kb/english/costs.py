"""Reads what it costs to move that is asked for: how many MF does it cost to enter, what does he pay for the first Location that he enters."""

from __future__ import annotations

from typing import Any

from kb.english.counts import CountReader
from kb.english.pronouns import ORDINALS
from kb.english.references import PLACE
from kb.english.thing import Thing

IN_POINTS = ("in mf", "in mp", "in movement points")
ENTERING = ("to enter", "to go into", "to move into")
PAYING = ("pay", "spend", "have to pay", "need")


class CostReader(CountReader):
    """Reads costs."""

    def cost(self, name: str = "") -> dict[str, Any]:
        """How many MF does it cost a squad to enter the pillbox? name: the number asked for, where it is not the whole cost: of what is
        entered."""
        self.take(*IN_POINTS)
        actor = self.noun(verbs_stop=True)
        if actor is None and self.take("for"):
            actor = self.noun(verbs_stop=True)
        self.take(*IN_POINTS)
        if not self.take("to") or not self.cost_name():
            raise self.stuck()
        actor = actor or self.nobody()
        self.it = self.scene.main = actor
        act = self.paid_for(actor)
        return self.cost_told(name, act) if act is not None else self.fail()

    def cost_told(self, name: str, act: Thing) -> dict[str, Any]:
        """The question for the cost of an act, or for what is added to it by what is entered."""
        if name in ("", self.cost_name()):
            return self.valued(self.cost_name(), act)
        there = act.links.get("destination", [])
        works = [t for t in self.scene.things if {*there} & {*t.links.get("hex", ())}] or there
        if len(works) != 1 or self.bearer(works[0], name) is not works[0]:
            raise self.stuck()
        return self.valued(name, works[0])

    def paid_for(self, actor: Thing) -> Thing | None:
        """The act of somebody that begins here, which costs something: an entry that is paid for is a move."""
        act = self.act_of(actor)
        if act is not None and act.kinds == ["Entry"] and "Move" in self.classes:
            act.kinds = ["Move"]
        return act

    def entering(self, actor: Thing, place: Thing) -> Thing:
        """The move of somebody into a place."""
        act = self.scene.new(["Move" if "Move" in self.classes else "Entry"], "move")
        act.link("actor", actor)
        act.link("destination", place)
        return act

    def cost_of(self) -> bool:
        """Takes `does the squad pay to enter the house`, `does the house cost a squad to enter`."""
        self.i += 1
        if self.attempt(self.cost_of_nth):
            return True
        thing = self.noun(verbs_stop=True)
        if thing is None or not self.cost_name():
            return False
        if self.take("cost"):
            actor = self.noun(verbs_stop=True)
            self.take(*IN_POINTS)
            told = self.take(*ENTERING)
            if not self.scene.below(thing, PLACE) or not (told or self.over() or self.clause_begins()):
                return False
            act: Thing | None = self.entering(actor or self.nobody(), thing)
        elif self.take(*PAYING):
            self.it = thing
            act = self.paid_for(thing) if self.take("to") else self.nth_entered() if self.take("for") else None
        else:
            act = None
        return act is not None and self.costs_asked(act)

    def cost_of_nth(self) -> bool:
        """Takes `the first Location that he enters cost`, `the first Location cost that he enters`."""
        act = self.nth_entered("cost")
        self.take(*IN_POINTS)
        return act is not None and self.costs_asked(act)

    def cost_for_whom(self) -> bool:
        """Takes `for a squad of the first Location that it enters`."""
        self.take("is")
        self.it = (self.noun(verbs_stop=True, places=False) or self.nobody()) if self.take("for") else self.it
        act = self.nth_entered() if self.take("of") else None
        return act is not None and self.costs_asked(act)

    def costs_asked(self, act: Thing) -> bool:
        """Asks what an act costs."""
        self.it = self.scene.main = act.links["actor"][0]
        self.count_asked = self.valued(self.cost_name(), act)
        return self.over() or self.clause_begins()

    def nth_entered(self, verb: str = "") -> Thing | None:
        """Takes `the first Location that the squad enters`, with a verb before or behind the clause: the entry into it, where the book
        has a word for that."""
        self.take("the")
        nth = self.low()
        self.i += nth in ("first", *ORDINALS)
        kind = self.place_kind()
        name = self.vocabulary.resolve(f"{nth} {kind} entered", [self.classes]) if kind else None
        if name is None or not self.cost_name():
            return None
        before = bool(verb) and self.take(verb)
        self.take("that", "which")
        doer = self.noun(verbs_stop=True)
        deed = self.deed() if doer is not None else None
        if doer is None or deed is None or not self.kind(deed.senses[0].name, "Entry"):
            return None
        self.i += deed.length
        act = self.entering(doer, self.scene.new([kind], "place"))
        act.kinds.append(name)
        self.complements(act, False, False)
        return act if not verb or before or self.take(verb) else None
