"""What a thing is: stated, concluded by norms, defined, or presumed not to be; for the Judge."""

from __future__ import annotations

from kb.checker.reference_builtins import Derived
from kb.checker.reference_open import Telling
from kb.checker.reference_values import One, Tri
from kb.language.vocabulary import ABSENT, CONCLUDED


class Memberships(Derived):
    """Whether a thing is of a class."""

    def member(self, x: One, cls: str, focus: One) -> Tri:
        """Whether x is a cls. focus: from whom modules see it."""
        term = self.vocabulary.classes[cls]
        if term.derived:
            return self.derived_member(x, cls, focus)[0]
        return self.once(("is", x.name, cls), False, lambda: self._member(x, cls))  # type: ignore[no-any-return]

    def _member(self, x: One, cls: str) -> Tri:
        if cls in self.pending.get(x.name, ()) and (cls in x.types or cls in x.denied):
            return None  # stated at first, ended, and maybe so again
        if cls in x.types or cls in x.denied:
            return cls in x.types
        term = self.vocabulary.classes[cls]
        makes = {n.id: self.status(n, x) for n in self.making(cls, False)}
        unmakes = {n.id: self.status(n, x) for n in self.making(cls, True)}
        yes, nay = ([i for i, s in rows.items() if s] for rows in (makes, unmakes))
        if yes and all(any(self.beats(p, c) for p in yes) for c, s in unmakes.items() if s is not False):
            return True
        if nay and all(any(self.beats(c, p) for c in nay) for p, s in makes.items() if s is not False):
            return False
        if yes:
            self.clash = self.clash or bool(nay)
            return None
        defined = [self.holds(d, x, {"this": x}) for d in self.theory.definitions.get(cls, ())]
        below = [
            self.member(x, d, x) for d in sorted(term.descendants) if d != cls and d not in x.denied and self.theory.definitions.get(d)
        ]  # fmt: skip
        if True in defined or True in below:
            return True if None not in unmakes.values() else None
        if False in defined and None not in (*makes.values(), *defined):
            return False  # what may take it away does not make it so
        making = None in (*makes.values(), *defined, *below)
        open_ = making or None in unmakes.values()
        if any(cls in self.vocabulary.classes[c].ancestors for c in self.pending.get(x.name, ())):
            return None
        if any(u in term.ancestors for u in x.facts.unknown) or not self.presumes(x, cls):
            return None
        if term.when_unstated == CONCLUDED:
            return None if open_ else False
        if term.when_unstated != ABSENT:
            return None
        # A state that an open rule would bring about is open; where silence alone opens it, its term may say otherwise,
        # and what nobody named is as usual.
        usual = term.unshown or self.things.get(x.name) is not x
        return False if not making or (usual and not self.told_open(x, cls)) else None

    def told_open(self, x: One, cls: str) -> bool:
        """Whether it is what the case tells, and not its silence alone, that leaves open whether x is a cls."""
        telling = Telling(self)
        return not telling.nothing() and telling.made(x, cls, True)
