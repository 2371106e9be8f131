"""Reads how two stand to each other: A is ADJACENT to B and B to C; the two are ADJACENT; neither has a LOS to the other."""

from __future__ import annotations

from functools import partial

from kb.english.asides import BE, NOT
from kb.english.keys import KeyReader
from kb.english.lexicon import LINK

MANY = 2


class StandingReader(KeyReader):
    """Reads how things stand to each other."""

    def stands(self) -> bool:
        """A is ADJACENT to B and B to C; A is not ADJACENT to C; A and B are ADJACENT."""
        neither = self.take("neither")
        first = self.lettered()
        nor = self.lettered() if neither and first is not None and self.take("nor") else None
        if first is None or self.low() not in BE or (neither and nor is None):
            return False
        pair, self.listed = self.listed, ()
        self.i += 1
        denied = self.take(*NOT) or neither
        pair = () if neither else pair
        sense = self.taken(LINK)
        if sense is None or not self.may_link(first, sense.name):
            return False
        if len(pair) == MANY:
            if denied and any(b in a.links.get(sense.name, ()) for a, b in (pair, pair[::-1])):
                raise self.stuck("it was told that they are")
            for one in pair if denied else ():
                one.links.setdefault(sense.name, [])
            return (self.over() or self.line[self.i].sign) and (denied or self.relate(first, sense.name, pair[1]))
        other = self.lettered() or self.noun(verbs_stop=True)
        if other is None:
            return False
        for one in self.listed or (other,):
            if denied and one in first.links.get(sense.name, ()):
                raise self.stuck("it was told that it is")
            if not denied and not self.relate(first, sense.name, one):
                return False
            for place in (first, one, *([nor] if nor is not None else [])) if denied else ():
                place.links.setdefault(sense.name, [])
        self.listed = ()
        while not denied and self.attempt(partial(self.gapped, sense.name)):
            pass
        return True

    def gapped(self, role: str) -> bool:
        """Takes `and B to C`, behind a relation: that they stand so, too."""
        self.take(",")
        self.take("and")
        one = self.lettered()
        if one is None or not self.take("to", "with"):
            return False
        other = self.lettered()
        self.listed = ()
        return other is not None and self.relate(one, role, other)
