"""How what was told fits together: the parts that events have in each other, places that nothing joins, with what an attack is made."""

from __future__ import annotations

from kb.english.scene import Scene, Thing
from kb.language.vocabulary import fold


def besides(scene: Scene) -> list[Thing]:
    """The acts told besides the one asked about that are no part of it; one that the ontology has a role for is given it."""
    found = []
    for other in scene.things:
        if other is scene.act or other in scene.happened or not scene.below(other, "Act") or scene.act is None:
            continue
        if is_before(scene, other):
            scene.happened.append(other)
            continue
        if any(other in others for thing in scene.things for others in thing.links.values()):
            continue
        if not given_part(scene, other) and not given_to_part(scene, other):
            found.append(other)
    return found


def is_before(scene: Scene, event: Thing) -> bool:
    """Whether an event comes before what is asked: who must stop where he moves to has moved there."""
    act = scene.act
    if act is None or not scene.below(event, "Entry") or scene.below(act, "Entry") or scene.below(act, "Attack"):
        return False
    actor = event.links.get("actor")
    return bool(actor) and actor == act.links.get("actor") and bool(event.links.get("destination"))


def parted(scene: Scene) -> list[tuple[Thing, Thing]]:
    """Where somebody is and where he is to go, if nothing told joins the two places: one cannot know whether they are in one hex."""
    act = scene.act
    if act is None or not scene.below(act, "Entry") or scene.vocabulary.cell is None:
        return []
    found = []
    for actor in act.links.get("actor", ()):
        for here in actor.links.get("at", ()):
            for there in act.links.get("destination", ()):
                if not scene.joined(here, there, {act, actor}):
                    found.append((here, there))
    return found


def given_part(scene: Scene, event: Thing) -> bool:
    """Gives an event the part in the act asked about that the ontology names after it: the hit that a save is against."""
    act, properties = scene.act, scene.vocabulary.properties
    assert act is not None
    said = {
        fold(scene.classes[a].label)
        for k in event.kinds
        for a in scene.classes[k].ancestors
        if a not in ("Act", "Thing")
    }
    for name, prop in properties.items():
        own = prop.domain != "Act" or (prop.range not in ("Act", "Thing", "") and scene.below(event, prop.range))
        if prop.kind != "object" or not (prop.domain in scene.classes and scene.below(act, prop.domain) and own):
            continue
        names = [word.removesuffix(" of") for word in (prop.label, *prop.alt, name)]
        named = any(fold(word) in said or fold(word.split()[-1]) in said for word in names)
        if named and name not in act.links and not (prop.range in scene.classes and scene.clash(event, [prop.range])):
            act.link(name, event)
            return True
    return False


def given_to_part(scene: Scene, event: Thing) -> bool:
    """Gives an event its part in an event that the act asked about has to do with, by the same actor: for what a test is taken."""
    assert scene.act is not None
    for other in [t for others in scene.act.links.values() for t in others if scene.below(t, "Act")]:
        roles = [
            n
            for n, p in scene.vocabulary.properties.items()
            if p.kind == "object" and p.range == "Act" and p.domain not in ("Act", "") and scene.below(other, p.domain)
            if fold(p.label.split()[-1])
            not in {fold(c.label) for c in scene.classes.values()}  # named after another event
        ]
        actors = (other.links.get("actor"), event.links.get("actor"))
        if len(roles) == 1 and roles[0] not in other.links and actors[0] and actors[0] == actors[1]:
            other.link(roles[0], event)
            return True
    return False


def with_what(scene: Scene) -> None:
    """Says of which kind an attack is that was told by its weapon or ammunition: an attack with a DC is a DC attack, one with AP is
    fire, for what is shot is fired. Told as an attack only, it would be none of the kinds that rules speak of."""
    attack, fire = "Attack", "Fire"
    for act in [t for t in scene.things if attack in t.kinds and fire in scene.classes]:
        arms = [k for role in ("weapon", "ammunition") for t in act.links.get(role, ()) for k in t.kinds]
        name = scene.classes[fire].label.casefold()
        doers = [k for t in act.links.get("actor", ()) for k in t.kinds]
        arms += [k for k in doers if name in scene.classes[k].label.casefold().split()]  # a fire group fires
        if not arms or any(
            attack in scene.classes[k].ancestors and not scene.state(k) for k in act.kinds if k != attack
        ):
            continue
        labels = [label for k in arms for label in (scene.classes[k].label, *scene.classes[k].alt)]
        ways = (
            scene.vocabulary.resolve(f"{label} {kind}", [scene.classes])
            for label in labels
            for kind in ("attack", "fire")
        )
        own = next((w for w in ways if w and attack in scene.classes[w].ancestors and not scene.clash(act, [w])), fire)
        act.kinds = [own if k == attack else k for k in act.kinds]
