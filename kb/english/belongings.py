"""Says whose a thing is: the fire of a MG, its crew, the tunnel complex of a hex, a part of a whole."""

from __future__ import annotations

from kb.english.cursor import Stuck
from kb.english.parts import given_part, named_part
from kb.english.references import AT, HEX, PLACE, WEAPON, References
from kb.english.thing import ACT, Thing


class BelongingsReader(References):
    """Says to whom or to what things belong."""

    def belongs(self, thing: Thing, owner: Thing, start: int) -> None:
        """Says whose a thing is; the Pillbox counter of a bunker is the bunker."""
        if thing is owner:
            return
        if self.scene.below(thing, "Attack") and self.scene.below(owner, WEAPON) and "weapon" in self.properties:
            if thing.links.get("weapon", [owner]) != [owner]:
                raise Stuck(start, f"is it done with “{owner.said}”, or with another one?")
            thing.link("weapon", owner)  # the fire of a MG
        elif self.scene.below(thing, ACT) and self.scene.below(owner, ACT):
            if not given_part(self.scene, thing, owner):
                raise Stuck(start, f"how does “{thing.said}” belong to “{owner.said}”?")
        elif self.scene.below(thing, ACT):
            if thing.links.get("actor", [owner]) != [owner]:
                raise Stuck(start, f"“{owner.said}” does it, or another one?")
            thing.link("actor", owner)
        elif self.scene.below(thing, WEAPON) and self.scene.below(owner, WEAPON):
            holders = [t for t in self.scene.things if owner in t.links.get("possesses", ())]
            if len(holders) != 1:
                raise Stuck(start, f"whose is “{thing.said}”?")
            holders[0].link("possesses", thing)  # a tank's MA with its MG
        elif self.scene.below(thing, WEAPON) and not self.scene.below(owner, PLACE) and "possesses" in self.properties:
            owner.link("possesses", thing)
        elif (
            self.scene.below(thing, "Unit")
            and self.scene.below(owner, WEAPON)
            and (serving := self.vocabulary.resolve("manning", [self.properties]))
        ):
            thing.link(serving, owner)  # its crew
        elif self.scene.below(owner, HEX) and self.scene.below(thing, PLACE) and not self.scene.below(thing, HEX):
            thing.link("hex" if "hex" in self.properties else AT, owner)  # the tunnel complex of that hex
        elif self.scene.below(thing, HEX):
            for role in ("hex", AT):
                if role in self.properties and (role == AT or self.scene.below(owner, PLACE)):
                    owner.link(role, thing)
                    break
        elif "carriedBy" in self.properties and self.scene.below(owner, "Vehicle") and self.scene.below(thing, "Unit"):
            thing.link("carriedBy", owner)  # the vehicle's Passengers
        elif (part := self.part_role(thing, owner)) is not None:
            thing.link(part, owner)
        elif whole := named_part(self.scene, thing, owner):
            owner.link(whole, thing)
        elif (
            self.scene.below(thing, PLACE)
            and self.scene.below(owner, "Piece")
            and owner.links.get(AT, [thing]) == [thing]
        ):
            owner.link(AT, thing)  # his bunker: the one that he is in
        elif thing not in [o for others in owner.links.values() for o in others]:
            raise Stuck(start, f"how does “{thing.said}” belong to “{owner.said}”?")

    def part_role(self, thing: Thing, owner: Thing) -> str | None:
        """The relation by which a place belongs to another one, where the book has one."""
        role = self.vocabulary.resolve("belongs to", [self.properties])
        fit = role is not None and all(
            self.properties[role].domain in x.kinds or self.scene.below(x, self.properties[role].domain)
            for x in (thing, owner)
        )
        return role if fit else None
