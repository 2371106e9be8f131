"""Reads acts that are named by a noun: direct the attack, use foxholes, use Volley Fire when shooting, be part of a FG."""

from __future__ import annotations

from kb.english.acts import ActReader
from kb.english.lexicon import DEED, HOW, KIND, LINK, Found
from kb.english.references import PLACE, WEAPON
from kb.english.thing import ACT, Thing
from kb.language.english import base_form


class UseReader(ActReader):
    """Reads acts by their nouns."""

    def deed(self) -> Found | None:
        """The verb here, as a stretch of words that names a kind of act."""
        for found in self.lexicon.all(self.line, self.i, (DEED,)) if not self.over() else ():
            if any(s.verb for s in found.senses) and self.low(found.length - 1) != "one":  # attack one
                return found
        return None

    def done_to(self, actor: Thing | None, asked: bool) -> Thing | None:
        """An act named by its verb and what it is done to, which is told with an article: direct the attack, to direct fire."""
        start, verb = self.i, base_form(self.low())
        if self.low(1) not in ("the", "this", "that", "an", "another"):
            return None
        known = list(self.scene.things)
        self.i += 1
        mark = self.scene.mark()
        thing = self.noun(states=False)
        for found in (f for n in ("fire", "attack") if (f := self.lexicon.meaning([verb, n]))):
            sense = next((s for s in found.senses if s.sort == DEED and s.verb), None)
            told = (
                thing is not None
                and self.scene.below(thing, "Attack")
                and (thing in known or not {*thing.links} - {"actor", "weapon"})
            )
            if sense is None or not told:
                continue
            end = self.i
            his = thing is not None and thing not in known  # the squad's fire, that of a FG, and not just any
            his = his and thing is not None and (bool(thing.links) or thing.kinds not in (["Fire"], ["Attack"]))
            if thing not in known and not his:
                self.scene.back(mark)
            self.i = end
            act = self.scene.new([sense.name], "act")
            act.links.update({"object": [thing]} if his and thing is not None else {})
            return self.noun_act(act, actor, asked)
        self.scene.back(mark)
        self.i = start
        return None

    def noun_act(self, act: Thing, actor: Thing | None, asked: bool) -> Thing:
        """An act told by a noun, with who does it and all that goes with it; the one asked about where none is yet."""
        if asked and self.scene.act is None:
            self.scene.act = act
        if actor is not None and actor is not act:
            if self.scene.below(actor, ACT):
                raise self.stuck()  # an attack does nothing itself
            act.link("actor", actor)
        self.complements(act, False, False)
        return act

    def used_place(self, actor: Thing | None) -> Thing | None:
        """Takes `use foxholes`, of a place: to be in it; `use a flamethrower`: to fire it."""
        self.i += 1
        place = self.noun(verbs_stop=True)
        if place is not None and self.scene.below(place, WEAPON) and "Fire" in self.classes and actor is not None:
            self.scene.act = act = self.scene.new(["Fire"], "use")
            act.link("weapon", place)
            return self.noun_act(act, actor, False)
        stay = self.meant(["stay"], DEED)
        if place is None or not self.scene.below(place, PLACE) or stay is None or actor is None:
            self.i -= 1
            return None
        self.scene.act = act = self.scene.new([stay.name], "use")
        act.link("actor", actor)
        act.link("place", place)
        self.complements(act, False, False)
        return act

    def used_as(self, actor: Thing | None, asked: bool) -> bool:
        """Takes `a Bunker as the Aiming Point of a bombardment`: a part that a thing is given in an act told as a noun."""
        thing = self.noun(verbs_stop=True)
        if thing is None or not self.take("as"):
            return False
        self.take("the", "an", "a", "its")
        link = self.found(LINK)
        if link is None or link.of(LINK) is None:
            return False
        role = link.of(LINK).name  # type: ignore[union-attr]
        self.i += link.length
        if not self.take("of", "for", "in"):
            return False
        act = self.noun()
        if act is None or not self.scene.below(act, ACT) or not self.may_link(act, role):
            return False
        if actor is not None and "actor" not in act.links:
            act.link("actor", actor)
        act.link(role, thing)
        if asked:
            self.scene.act = act
        return True

    def made_use(self, actor: Thing | None, asked: bool) -> bool:
        """Takes `Volley Fire when shooting at a Bunker`: what there is an act of using, and what it is used in."""
        start = self.i
        self.take("a", "an", "the", "any")
        found, sense = self.sensed(KIND)
        if found is None or sense is None or not asked:
            return False
        wider = sorted(self.classes[sense.name].ancestors)
        uses = (self.lexicon.meaning(f"use the {self.classes[a].label}".split()) for a in wider)
        deed = next((d for u in uses if u is not None and (d := u.of(DEED)) is not None), None)
        roles = [n for n, p in self.properties.items() if p.range in wider and p.kind == "object"]
        if deed is None or not roles:
            return False
        self.i += found.length
        self.scene.act = act = self.scene.new([deed.name], " ".join(w.text for w in self.line[start : self.i]))
        role = min((r for r in roles if self.may_link(act, r)), key=lambda r: len(self.properties[r].below), default="")
        if not role:
            return False
        act.link(role, self.scene.new([sense.name], sense.name))
        if actor is not None:
            act.link("actor", actor)
        if self.take("when", "while", "in", "to", "for"):
            inner = self.deed()
            self.i += inner.length if inner is not None else 0
        self.complements(act, False, False)
        return True

    def in_group(self, subject: Thing) -> bool:
        """Takes `be part of a multi-Location FG`, `join in one FG`: that somebody is of those who form one."""
        if not self.take(
            "part of", "a part of", "a member of", "members of", "join together in", "join in", "join", "in"
        ):
            return False
        if not self.take("a", "an", "the", "one", "this", "that"):
            return False
        how = self.found(HOW)
        self.i += how.length if how is not None else 0
        found, sense = self.sensed(KIND)
        if found is None or sense is None or not self.kind(sense.name, "Group"):
            return False
        deed = self.meant(["form", *self.classes[sense.name].label.split()], DEED)
        if deed is None:
            return False
        self.i += found.length
        self.scene.act = act = self.scene.new([deed.name], "act")
        act.link("actor", subject)
        if self.take("with"):
            other = self.newly(verbs_stop=True)
            if other is None or other is subject:
                return False
            subject.fellows.append(other)
        if not subject.fellows and subject.count < 2:  # nobody is a group by himself
            subject.fellows.append(self.scene.new(["Unit" if "Unit" in self.classes else "Piece"], "another"))
        for state in (s for s in (how.senses if how is not None else ()) if s.sort == HOW):
            if not self.fits(act, state.name, how.denied):  # type: ignore[union-attr]
                return False
            self.say(act, state.name, how.denied, self.i)  # type: ignore[union-attr]
        self.complements(act, False, False)
        return True
