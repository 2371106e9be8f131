"""Reads what somebody wants to do, before it is asked about: A squad wants to fire. May it?"""

from __future__ import annotations

from kb.english.each import EachReader

VERBS = ("want", "wants", "wish", "wishes", "intends", "plans", "is about", "are about", "would like", "try", "tries")
WANTING = tuple(f"{verb} to" for verb in VERBS)


class IntentReader(EachReader):
    """Reads intentions. The scene keeps the act that is wanted."""

    def intended(self) -> bool:
        """He wants to fire: what is asked about, where nothing is yet."""
        doer = self.noun(verbs_stop=True) if self.scene.act is None else None
        while doer is not None and self.take("and"):
            other = self.newly(verbs_stop=True)
            if other is None or other is doer:
                return False
            doer.fellows.append(other)
        act = self.act_of(doer) if doer is not None and self.take(*WANTING) else None
        if act is None:
            return False
        self.scene.main = self.it = doer
        self.scene.wanted = act
        return True
