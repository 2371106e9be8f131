"""Groups: whether the members of one hang together by a relation between the places they are in.

`lp:derivedBy "groups connected MEMBERS PLACE LINK [CLASS]"`: the places (by PLACE) of the members (by MEMBERS, those of CLASS
alone where one is named) form one connected whole under LINK.
"""

from __future__ import annotations

from kb.reasoner.builtin import CLASS, Args, Builtin, Reads
from kb.reasoner.trace import Thing
from kb.reasoner.world import Surroundings


class Connected(Builtin):
    """Whether a group hangs together."""

    name, takes, gives = "groups connected", (3, 4), (CLASS,)

    def holds(self, s: Surroundings, args: Args, x: Thing) -> tuple[bool | None, bool]:
        """By where its members are."""
        return connected(s, x, *args)

    def reads(self, reader: Reads, args: Args, x: Thing, focus: Thing | None) -> None:
        """The members, their places, and what joins these."""
        members, place, link = args[:3]
        for y in reader.role(x, members):
            for z in reader.role(y, place):
                reader.role(z, link)


def connected(
    situation: Surroundings, x: Thing, members: str, place: str, link: str, of: str = ""
) -> tuple[bool | None, bool]:
    """True or False, and whether lists presumed complete bear it out; None when a place or link is not known.

    A group in one place is connected, and so is a single member, wherever it is.
    """
    classes = situation.vocabulary.classes
    links = situation.successors(x, members)
    spots: dict[str, Thing] = {}
    lost = not links.complete
    counted = [y for y in links.things if not of or any(of in classes[c].ancestors for c in y.facts.is_)]
    if len(counted) == 1 and links.complete:
        return True, links.presumed
    for y in counted:
        found = situation.successors(y, place).things
        spots.update((z.name, z) for z in found)
        lost = lost or not found
    sure = reach(situation, spots, link, False)
    if lost:
        # A member somewhere unknown may join what is apart, or stand apart itself.
        return None, False
    if len(sure) == len(spots):
        return True, links.presumed
    return (None, False) if len(reach(situation, spots, link, True)) == len(spots) else (False, True)


def reach(situation: Surroundings, spots: dict[str, Thing], link: str, hopeful: bool) -> set[str]:
    """The places that the first one is joined to; `hopeful`: also by links that are not ruled out."""
    queue = list(spots)[:1]
    found = set(queue)
    while queue:
        here = spots[queue.pop()]
        links = situation.successors(here, link)
        near = {z.name for z in links.things}
        for name, there in spots.items():
            if name in found:
                continue
            if name in near or (hopeful and may_join(situation, here, there, link)):
                found.add(name)
                queue.append(name)
    return found


def may_join(situation: Surroundings, here: Thing, there: Thing, link: str) -> bool:
    """Whether nothing rules out that two places are joined: neither all that either is joined to is known, nor bars a norm the other."""
    near, back = situation.successors(here, link), situation.successors(there, link)
    return not (near.complete or back.complete or there.name in near.barred or here.name in back.barred)
