"""Reads what is so of each of several acts, and where each of several is: each attack has enough FP; the first from T3, the second from T5."""

from __future__ import annotations

from kb.english.acts import FROM_WHERE
from kb.english.lexicon import DEED
from kb.english.pronouns import ORDINALS
from kb.english.references import PLACE
from kb.english.several import SeveralReader


class EachReader(SeveralReader):
    """Reads what is told of each."""

    def of_each_act(self) -> bool:
        """Each attack has enough FP; both at Normal Range: what is so of every act of a kind that was told."""
        if not self.take("each", "both", "all", "every"):
            return False
        self.take("the", "of the", "of these", "of them")
        found = self.found(DEED) if self.low() not in FROM_WHERE else None
        sense = next((s for s in found.senses if s.sort == DEED and not s.verb), None) if found is not None else None
        acts = [t for t in self.scene.things if self.scene.below(t, sense.name if sense is not None else "Attack")]
        self.i += found.length if found is not None and sense is not None else 0
        start, ends = self.i, set()
        for act in acts:
            self.i = start
            ways = (self.verb_phrase, self.predicate) if sense is not None else (self.manner,)
            if not self.tried(act, *ways):
                return False
            ends.add(self.i)
        return len(ends) == 1 and (self.over() or self.line[self.i].sign)

    def each_from(self) -> bool:
        """The first from T3, the second from T5: where each is of several who do something."""
        several, places = self.several(), []
        for nth in ("first", *ORDINALS):
            if not self.take(f"the {nth} from", f"and the {nth} from"):
                break
            place = self.noun(verbs_stop=True, states=False, places=False)
            if place is None or not (place.spot or self.scene.below(place, PLACE)):
                return False
            places.append(place)
            self.take(",")
        self.i -= bool(places) and self.line[self.i - 1].text == ","
        things = self.spread(several[0], tuple(places)) if len(places) > 1 and several else None
        return things is not None and all(self.put(t, p, self.i) for t, p in zip(things, places, strict=True))
