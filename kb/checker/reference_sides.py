"""Whose side things are on, for the Judge: a case's flags (sides and nations), and which of them are friends and which are foes.

Flags are gathered once, with what is said of anybody under them; a thing is then looked up by its flag.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kb.checker.reference_values import One, Tri
from kb.language.vocabulary import MEMBER

FRIEND, FOE = "Friendly", "Enemy"
Judge = Any  # kb.checker.reference.Judge, which looks here


class Sides:
    """The sides of a case as it stands."""

    def __init__(self, judge: Judge):
        self.judge = judge
        self.all = list(judge.things.values())

    @cached_property
    def known(self) -> dict[str, str]:
        """By flag, what the first under it is said to be; whose unit acts is a friend where nobody says."""
        found: dict[str, str] = {}
        for x in self.all:
            if told := outright(x):
                for flag in self.flags(x):
                    found.setdefault(flag, told)
        if mover := self.acting():
            found.setdefault(mover, FRIEND)
        return found

    def told(self, x: One) -> list[One]:
        """What is told to be the side of a thing."""
        return self.judge.successors(x, "side").things if "side" in self.judge.vocabulary.properties else []

    def nation(self, x: One) -> str:
        """The nation that a thing is said to be of."""
        above = self.judge.vocabulary.classes
        return next((c for c in x.facts.is_ if "Nationality" in above[c].ancestors), "")

    def flags(self, x: One) -> set[str]:
        """All flags that a thing is under."""
        return {self.own(x), *map(self.flag, self.told(x))} - {""}

    def flag(self, side: One) -> str:
        """The flag of a side: its class where the case gives a class for it, its nation where that has no second side, else its name."""
        if side.facts.is_ and side.name.endswith(".side"):
            return side.facts.is_[0]
        nation = self.nation(side)
        others = [
            y for y in self.all if nation and y is not side and "Side" in y.facts.is_ and self.nation(y) == nation
        ]
        two = len(others) + ("Side" in side.facts.is_) > 1
        return side.name if two or not nation else nation

    def own(self, x: One) -> str:
        """The flag that a thing flies by itself: a side and its player their own, all others that of their nation."""
        leads = "Side" in x.facts.is_ or any(x.name in y.facts.links.get("side", ()) for y in self.all)
        return self.flag(x) if leads else self.nation(x)

    def acting(self) -> str:
        """The flag of the unit that acts in what is asked, where nobody says whether it is a friend; else ""."""
        things = self.judge.things
        act = things.get(self.judge.case.question.thing)
        who = next((things.get(name) for name in act.facts.links.get("actor", ())), None) if act is not None else None
        if who is None or outright(who):
            return ""
        named = [things[name] for name in who.facts.links.get("side", ())[:1] if name in things]
        return self.flag(named[0]) if named else self.own(who)

    def of(self, x: One) -> str:
        """The side of a thing: friend, foe, or its flag where neither is said of it; "" where nothing tells."""
        if told := outright(x):
            return told
        if "side" not in self.judge.vocabulary.properties:
            return ""
        under = self.told(x)
        if under and (told := outright(under[0])):
            return told
        flag = self.flag(under[0]) if under else self.own(x)
        return self.known.get(flag, flag)

    def against_foes(self, x: One) -> bool:
        """Whether x acts at a foe, or where a foe is and no friend."""
        roles = self.judge.vocabulary.doers
        if x.made is not None:
            acts = [x.made[0]] if x.made[1] in roles else []
        else:
            acts = [a for a in self.all if any(x.name in a.facts.links.get(role, ()) for role in roles)]
        for aim in (name for a in acts for name in a.facts.links.get("target", ())):
            met = {outright(y) for y in self.all if y.name == aim or aim in y.facts.links.get("at", ())}
            if FOE in met and FRIEND not in met:
                return True
        return False

    def piece(self, x: One) -> bool:
        """Whether x is told to be a piece."""
        above = self.judge.vocabulary.classes
        return x.made is None and any("Piece" in above[c].ancestors for c in x.facts.is_)

    def taken(self, x: One) -> str:
        """The side of a thing, or what it is taken for: a piece that acts against foes, or that is asked about beside one, is a friend."""
        if (found := self.of(x)) or not self.piece(x):
            return found
        asked = x.name == self.judge.case.question.thing
        beside = asked and any(outright(y) == FOE for y in self.all if y is not x)
        return FRIEND if beside or self.against_foes(x) else ""

    def seen(self, cls: str, x: One, focus: One) -> tuple[Tri, bool]:
        """Whether x is a friend, or a foe, of who acts in the focus; and whether that is presumed."""
        wanted = cls == FRIEND
        judge = self.judge
        actors = judge.successors(focus, "actor").things if "actor" in judge.vocabulary.properties else []
        theirs = self.of(x)
        if actors and (actors[0] is x or (not theirs and x.name in actors[0].facts.links.get(MEMBER, ()))):
            return wanted, False
        mine = self.of(actors[0]) if actors else FRIEND
        friends = FRIEND in self.known.values()
        if not actors and not friends and theirs not in ("", FRIEND, FOE):  # a nation: of whom he puts somewhere, maybe
            put = judge.successors(focus, "object").things if "object" in judge.vocabulary.properties else []
            mine = next(filter(None, (self.of(y) for y in put if self.piece(y))), "")
            if not mine:
                return None, False
        presumed = not mine
        mine = mine or FRIEND
        if not theirs and self.against_foes(x):
            theirs, presumed = FRIEND, True
        # Of what nation an actor is that nobody places, nobody knows: another nation may be his own.
        if not theirs or (presumed and theirs not in (mine, FRIEND, FOE)):
            return None, False
        return (mine == theirs) is wanted, presumed

    def related(self, x: One, friends: bool) -> list[One]:
        """Those of the side of x, or of another."""
        mine = self.taken(x)
        rows = [(y, self.taken(y)) for y in self.all] if mine else []
        return [y for y, theirs in rows if theirs and (mine == theirs) is friends]

    def undecided(self, x: One) -> list[One]:
        """The pieces of which it is not known whether they are of the side of x."""
        if not self.piece(x):
            return []
        mine = self.taken(x)
        return [y for y in self.all if y is not x and self.piece(y) and not (mine and self.taken(y))]


def outright(x: One) -> str:
    """What a thing is said to be: friend, foe, or "" where neither is said."""
    if FRIEND in x.facts.is_ or FOE in x.facts.not_:
        return FRIEND
    return FOE if FOE in x.facts.is_ or FRIEND in x.facts.not_ else ""
