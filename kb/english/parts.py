"""How what was told fits together: the parts that events have in each other, places that nothing joins, with what an attack is made."""

from __future__ import annotations

from kb.english.lexicon import undone
from kb.english.scene import Scene
from kb.english.thing import Thing
from kb.language.vocabulary import fold


def besides(scene: Scene) -> list[Thing]:
    """The acts told besides the one asked about that are no part of it; one that the ontology has a role for is given it."""
    found = []
    for other in scene.things:
        if other in (scene.act, *scene.happened) or not scene.below(other, "Act") or scene.act is None:
            continue
        if is_before(scene, other):
            scene.happened.append(other)
            continue
        if any(other in others for thing in scene.things for others in thing.links.values()):
            continue
        if not any(way(scene, other) for way in (given_part, prompts, given_to_part, given_other)):
            found.append(other)
    return found


def against_whom(scene: Scene) -> None:
    """Takes my squad, of which it is asked whether it may be attacked, for an enemy of whoever attacks it."""
    act = scene.act
    if act is None or not scene.below(act, "Attack") or {"actor", "participants", "weapon", "from"} & {*act.links}:
        return
    for target in act.links.get("target", ()):
        if "Friendly" in target.kinds and "Enemy" in scene.classes:
            target.kinds = ["Enemy" if k == "Friendly" else k for k in target.kinds]


def is_before(scene: Scene, event: Thing) -> bool:
    """Whether an event comes before what is asked: who must stop where he moves to has moved there."""
    act = scene.act
    if act is None or not scene.below(event, "Entry") or scene.below(act, "Entry") or scene.below(act, "Attack"):
        return False
    actor = event.links.get("actor")
    return bool(actor) and actor == act.links.get("actor") and bool(event.links.get("destination"))


def named_after(scene: Scene) -> None:
    """Says to what a place belongs that is named after it: the underground Location of the ICB, to the ICB, where that is told."""
    role = scene.vocabulary.resolve("belongs to", [scene.vocabulary.properties])
    for place in [t for t in scene.things if role is not None and scene.below(t, "Place") and not t.links.get(role)]:
        names = [n for k in place.kinds for n in (scene.classes[k].label, *scene.classes[k].alt)]
        owners = {
            fold(tail) for n in names for lead in (" of the ", " of a ", " of an ") if (tail := n.partition(lead)[2])
        }
        whole = [
            t
            for t in scene.things
            if t is not place
            and any(fold(n) in owners for k in t.kinds for n in (scene.classes[k].label, *scene.classes[k].alt))
        ]
        if len(whole) == 1 and role is not None and scene.below(whole[0], scene.vocabulary.properties[role].range):
            place.link(role, whole[0])


def named_part(scene: Scene, thing: Thing, whole: Thing) -> str:
    """The relation of a whole to a part named after it: a cave (cave entrance) of a tunnel is an entrance; else ""."""
    names = [n for k in thing.kinds for n in (scene.classes[k].label, *scene.classes[k].alt)]
    last = {name.split()[-1] for name in names if " " in name}
    properties = scene.vocabulary.properties.values()
    fit = [p for p in properties if p.kind == "object" and p.label in last and p.domain != "Thing"]
    own = [p.name for p in fit if scene.below(whole, p.domain)]
    return own[0] if len(own) == 1 else ""


def ground_floor(scene: Scene) -> None:
    """Takes the ground-level Location of a building for the building itself, as rules speak of it: it is the Location that the building is."""
    role = scene.vocabulary.resolve("belongs to", [scene.vocabulary.properties])
    cell = scene.vocabulary.cell
    for place in [t for t in scene.things if cell is not None and role is not None and t.kinds == [cell.ground]]:
        whole = place.links.get(role or "", [])
        if len(whole) != 1 or {*place.links} != {role} or place.denied or place.numbers or place.flags:
            continue
        if cell is None or scene.clash(whole[0], place.kinds) or any(cell.owing.get(k) for k in whole[0].kinds):
            continue
        place.kinds, place.links = [], {}
        scene.merge(whole[0], place)


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


def part_of_event(scene: Scene) -> None:
    """Gives what was told besides the one event that befell what is asked about its part in it: the test that is taken for the hit."""
    told = [
        t
        for t in scene.things
        if scene.below(t, "Act") and not any(t in o for one in scene.things for o in one.links.values())
    ]
    events = [scene.act] if scene.act is not None else scene.happened
    if len(events) == 1:
        for other in (t for t in told if t not in events):
            given_part(scene, other, events[0])


def given_part(scene: Scene, event: Thing, act: Thing | None = None) -> bool:
    """Gives an event the part in an act, the one asked about, that the ontology names after it: the hit that a save is against."""
    act, properties = act or scene.act, scene.vocabulary.properties
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


def prompts(scene: Scene, event: Thing) -> bool:
    """Gives an entry its part in the attack asked about on whoever makes it, where the book has a relation for that."""
    act, role = scene.act, scene.vocabulary.resolve("prompted by", [scene.vocabulary.properties])
    mover = event.links.get("actor", [])
    if act is None or role is None or not scene.below(act, "Attack") or not scene.below(event, "Entry"):
        return False
    if not mover or mover != act.links.get("target") or role in act.links:
        return False
    act.link(role, event)
    return True


def given_other(scene: Scene, event: Thing) -> bool:
    """Gives whoever does what is asked about the part in an event that the ontology names after another of his kind: another Bunker is
    assaulted, of which this one is the other Bunker."""
    assert scene.act is not None
    for doer in scene.act.links.get("actor", ()):
        for name, prop in scene.vocabulary.properties.items():
            fit = (
                prop.label.casefold().startswith("other ")
                and scene.below(event, prop.domain)
                and scene.below(doer, prop.range)
            )
            suffers = [t for others in event.links.values() for t in others]
            if fit and doer not in suffers and any(scene.alike(k, doer.kinds) for t in suffers for k in t.kinds):
                event.link(name, doer)
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
    hit = scene.vocabulary.resolve("hit", [scene.classes])
    for act in [t for t in scene.things if t.kinds == [hit] and scene.below(t, attack)]:
        act.kinds.append(attack)  # a hit by a gun is of its fire
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


def narrower_hits(scene: Scene) -> None:
    """Takes a hit of who was told to attack something for a hit on that, in that attack where the book has a word for it: a team assaults
    a Nest and hits."""
    properties, hit = scene.vocabulary.properties, scene.vocabulary.resolve("hit", [scene.classes])
    for act in [t for t in scene.things if t.kinds == [hit] and t.links.get("actor")]:
        doers = act.links["actor"]
        told = [
            (t, "") for t in scene.things if t is not act and t.links.get("actor") == doers and t.links.get("target")
        ]
        told += [
            (t, role)
            for t in scene.things
            for role, others in t.links.items()
            if others == doers and role.endswith("By")
        ]
        suffers = list(
            dict.fromkeys(one for t, role in told for one in (t.links.get("target", ()) if not role else (t,)))
        )
        if len(suffers) != 1 or act.links.setdefault("target", suffers) != suffers:
            continue
        names = [scene.classes[kind].label for t, role in told for kind in t.kinds if not role]
        names += [base for _, role in told if role for base in undone(properties[role].label.removesuffix(" by"))]
        act.kinds = [
            next((n for name in names if (n := scene.vocabulary.resolve(f"{name} hit", [scene.classes]))), hit or "")
        ]


def in_the_act(scene: Scene, name: str, thing: Thing | None) -> tuple[str, Thing | None]:
    """The number that is asked for of somebody in what he does, where more is told of how he does it: his firepower in an attack at
    Long Range is that of the attack."""
    of = scene.vocabulary.properties[name].domain
    if (
        thing is not None
        and of in scene.classes
        and "Act" in scene.classes[of].ancestors
        and not scene.below(thing, "Act")
    ):
        done = [t for t in scene.things if scene.below(t, "Act") and thing in t.links.get("actor", ())]
        if scene.act is None and len(done) == 1:  # he fires. What DRM does he suffer?
            scene.happened = [t for t in scene.happened if t is not done[0]]
            scene.act = done[0]
    act = scene.act
    if act is None or thing is None or thing is act or thing not in act.links.get("actor", ()):
        return name, thing
    more = [k for k in act.kinds if k not in ("Attack", "Fire")]
    for role, words in scene.vocabulary.told_numbers.items() if more else ():
        domain = scene.vocabulary.properties[role].domain
        if name in words and domain in scene.classes and "Act" in scene.classes[domain].ancestors:
            return role, act
    return name, thing


def befalls(scene: Scene, thing: Thing | None) -> None:
    """Says of the one attack that is told, if it was told with nothing that it is made on, that it is made on what the question is about:
    is the pillbox eliminated? attack: a CH from an 81mm Gun."""
    acts = [t for t in scene.things if scene.below(t, "Act") and not scene.below(t, "Phase")]
    if (
        thing is None
        or len(acts) != 1
        or not scene.below(acts[0], "Attack")
        or "target" not in scene.vocabulary.properties
    ):
        return
    ((act),) = acts
    aimed = any(act.links.get(role) for role in ("target", "against", "place", "object", "destination"))
    own = any(thing in others for others in act.links.values())
    if aimed or own or thing is act or scene.below(thing, "Act"):
        return
    act.link("target", thing)
    if act not in scene.happened:
        scene.act = act


def meet_again(scene: Scene) -> None:
    """Takes what is told of a thing that nothing joins to the question for told of the one of its kind that is asked about, where there
    is but one and nothing speaks against it: is this gun's fire Area Fire? a captured gun fires from a bunker. What is told bears on it."""
    for _ in range(len(scene.things)):
        apart = {*scene.apart()}
        acts = [t for t in apart if scene.act is not None and scene.below(t, "Act") and t not in scene.happened]
        for thing in [*acts, *(t for t in scene.things if t in apart and t not in acts and not scene.below(t, "Act"))]:
            known = [scene.act] if thing in acts else [t for t in scene.things if t not in apart and t is not scene.act]
            found = [pairs for one in known if one is not None and (pairs := one_thing(scene, one, thing))]
            if len(found) == 1:
                for one, other in found[0].items():
                    if one in scene.things and other in scene.things:
                        scene.merge(other, one)
                break
        else:
            return


def one_thing(scene: Scene, one: Thing, other: Thing) -> dict[Thing, Thing]:
    """Which things of the second are which of the first, if the two may be one; nothing where they cannot."""
    pairs: dict[Thing, Thing] = {}
    queue = [(one, other)]
    while queue:
        one, other = queue.pop()
        if one is other or pairs.get(other) is one:
            continue
        if other in pairs or not may_be_one(scene, one, other):
            return {}
        pairs[other] = one
        for role, told in other.links.items():
            known = one.links.get(role, [])
            if not known or known == told:
                continue
            if len(known) > 1 or len(told) > 1:
                return {}
            queue.append((known[0], told[0]))
    return pairs


def may_be_one(scene: Scene, one: Thing, other: Thing) -> bool:
    """Whether nothing told of two things speaks against their being one, and their kinds speak for it."""
    sides = {"Friendly", "Enemy"}
    kinds = [k for k in other.kinds if k not in sides and not scene.state(k)]
    mine = [k for k in one.kinds if k not in sides]
    near = [k for k in kinds if scene.alike(k, mine)]
    if (
        other.letter != one.letter
        or not near
        or any(t.another or t.spot or t.count > 1 or t.fellows for t in (one, other))
    ):
        return False
    if ("Enemy" in one.kinds) != ("Enemy" in other.kinds):
        return False  # who is not called an enemy is one's own
    against = scene.clash(one, other.kinds) or scene.clash(other, one.kinds)
    numbers = any(one.numbers.get(name, value) != value for name, value in other.numbers.items())
    return not against and not numbers and not any(one.flags.get(name, so) != so for name, so in other.flags.items())
