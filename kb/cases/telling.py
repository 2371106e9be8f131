"""The things of a case on the way to its normal form, with all words that are told of them: what no word is told of need not be looked for."""

from __future__ import annotations

from collections.abc import Mapping

from kb.language.case import Facts
from kb.language.vocabulary import Vocabulary

BOOKS = 16  # vocabularies of which it is kept what words are to be looked for: more than the books there are


class Telling(dict[str, Facts]):
    """Things by name. said: each word that is told, or was, of one of them: its classes, relations, numbers and texts, and what is
    said not to be known. Whoever tells something more puts the thing in its place (`things[name] = …`), and is heard so."""

    __slots__ = ("said",)

    def __init__(self, things: Mapping[str, Facts], said: set[str] | None = None):
        super().__init__(things)
        if said is None:
            said = set()
            for x in things.values():
                said.update(x.is_, x.links, x.numbers, x.texts, x.unknown)
        self.said = said

    def __setitem__(self, name: str, facts: Facts) -> None:
        super().__setitem__(name, facts)
        self.said.update(facts.is_, facts.links, facts.numbers, facts.texts, facts.unknown)

    def as_told(self) -> Telling:
        """The things as they are now, whatever is told of them next."""
        return Telling(self, self.said)

    def related(self, name: str, role: str, vocabulary: Vocabulary) -> set[str]:
        """What a thing is said to have by a relation, told from either side."""
        prop, links = vocabulary.properties[role], self[name].links
        found = {to for q in prop.below if q in links for to in links[q]}
        for q in prop.inverses:
            if q in self.said:
                found.update([other for other, facts in self.items() if name in facts.links.get(q, ())])
        return found
