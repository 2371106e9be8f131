"""The walk of an answer's question: gone through for it, or known of a case that is told the same in all that the walk goes by.

walked(proof, situation) -> Walk
"""

from __future__ import annotations

from kb.language.case import Case
from kb.reasoner.alike import Frames, Lanes
from kb.reasoner.facts_read import Kept, kept
from kb.reasoner.proof import Proof
from kb.reasoner.relevance import Walk
from kb.reasoner.situation import Situation, apart
from kb.reasoner.watched import Reads, SeenCase, plain, staged, watchable
from kb.rulebook.theory import Theory

FIRST = (8, 24)  # walks that are watched, of a frame and in all, whether or not they spare others
SPARES = 2  # how many others each must then have spared: one takes three times one that is not watched
LATELY = 400  # walks watched or spared that are counted, before the older ones count half
SELDOM = 16  # cases of a frame for each that is watched nevertheless
FRAMES, WALKS = 64, 100  # kept with a theory: frames of cases, and walks in all of them
Gone = tuple[Walk, Reads]  # a walk that was gone through, and what it goes by
NEVER = 10**9  # cases until a frame is watched again that cannot be


def walked(proof: Proof, situation: Situation) -> Walk:
    """What the question could read, not gone through yet; all of it where that is known of a case that is told the same in all that it
    goes by. Of a watched case it is gone through, and what it goes by is noted."""
    case, told, theory = situation.case, plain(situation.case), situation.theory
    if isinstance(case, SeenCase):
        known = None if proof.scope.states else case.reads.walks
        found = (known.find(told) if known is not None else None) or watched(proof, theory, told, known)
        assert found is not None  # it was watched before
        case.reads.walk = found[0]
        case.reads.also(found[1])
        return found[0]
    found = None if proof.scope.states else met_before(proof, theory, told)
    if found is not None:
        return found[0].around(apart(situation))
    walk = Walk(apart(situation))
    walk.question(proof)
    return walk


def met(theory: Theory) -> Met:
    """The walks kept with a theory."""
    walks: Kept = theory.walks or kept(theory)
    if walks.met is None:
        walks.met = Met()
    found: Met = walks.met
    return found


def long(walk: Walk, case: Case) -> None:
    """Notes of a walk that it has to be gone through to its end: of the next case of its frame it is kept."""
    if walk.left and not isinstance(case, SeenCase) and watchable(case):
        frames = met(walk.theory)
        with frames.lock:
            frames.note(walk.theory, case)


def met_before(proof: Proof, theory: Theory, told: Case) -> Gone | None:
    """The walk of a case that is told alike; None where that was no long one, is not watched, or where watching does not pay."""
    frames = met(theory)
    with frames.lock:
        known = frames.noted(theory, told)
        if known is None:
            return None
        found = known.find(told)
        frames.count(0, found is not None)
        if found is not None or known.missed < (known.watched + 1) * (1 if frames.pays(known) else SELDOM):
            return found
        frames.count(1, 0)
        try:
            found = watched(proof, theory, told, known)
        except (AttributeError, TypeError):  # something reads a case in a way that is not watched
            known.missed = -NEVER
        frames.trim()
        return found


class Met(Frames[Lanes[Gone]]):
    """The walks kept with a theory. watched, spared: of late, how many were watched and how many were known, of whatever frame."""

    def __init__(self, frames: int = FRAMES, walks: int = WALKS):
        super().__init__(Lanes, frames, walks)
        self.watched = self.spared = 0

    def pays(self, known: Lanes[Gone]) -> bool:
        """Whether the walks watched so far have spared enough others: in all, and those of a frame."""
        counts = (known.watched, known.spared), (self.watched, self.spared)
        return all(done < few or spared >= SPARES * done for (done, spared), few in zip(counts, FIRST, strict=True))

    def count(self, watched: int, spared: int) -> None:
        """Notes so many more."""
        self.watched, self.spared = self.watched + watched, self.spared + spared
        if self.watched + self.spared > LATELY:
            self.watched, self.spared = self.watched // 2, self.spared // 2


def watched(proof: Proof, theory: Theory, told: Case, known: Lanes[Gone] | None) -> Gone | None:
    """The walk of a case, watched what it goes by, and kept where that is told one by one; None where it is not watched."""
    fresh = staged(theory, told)
    if known is not None:
        known.watched += 1
    if fresh is None:
        return None
    walk, reads = Walk(fresh[0], apart=True), fresh[1]
    walk.question(proof)
    walk.drain()
    found = walk.alone(), reads
    if known is not None and reads.whole:
        known.missed = -NEVER
    elif known is not None and len(known) < WALKS:
        known.add(found, reads)
    return found
