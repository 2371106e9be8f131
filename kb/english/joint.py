"""What several do, or what is done with several, where each is for itself: attacks one after another, a second hit, counters each in its hex."""

from __future__ import annotations

import re

from kb.english.scene import Scene
from kb.english.thing import Thing
from kb.language import english
from kb.language.vocabulary import Vocabulary, fold

CLAIM = "claim"
BEFORE = re.compile(r"number of (.+) that .* has (\w+) before")


def each_in_its_place(scene: Scene) -> None:
    """Takes several that are put in several places for the last of them, put in one, the others being placed already."""
    act, name = scene.act, scene.vocabulary.resolve("number placed", [scene.vocabulary.properties])
    objects, places = (act.links.get(role, []) for role in ("object", "place")) if act is not None else ([], [])
    if act is None or name is None or len(objects) != 1 or objects[0].count < 2 or len(places) != 1:
        return
    word = places[0].said.split()[-1] if places[0].said else ""
    if english.singular(word) != word and name not in act.numbers and places[0].count in (1, objects[0].count):
        act.numbers[name], objects[0].count, places[0].count = str(objects[0].count - 1), 1, 1


def one_after_another(scene: Scene) -> None:
    """Takes what several are told to do consecutively for one act of each."""
    name = scene.vocabulary.resolve("consecutively", [scene.classes])
    for act in [t for t in scene.things if name in t.kinds and not claims(scene, t)]:
        doers = [d for t in act.links.get("actor", ()) for d in (t, *t.fellows)]
        if len(doers) == 1 and doers[0].count > 1:
            doers += [scene.new(doers[0].kinds, doers[0].said) for _ in range(doers[0].count - 1)]
            for other in doers[1:]:
                other.denied = list(doers[0].denied)
            doers[0].count = 1
        if len(doers) < 2:
            continue
        act.links["actor"], doers[0].fellows = doers[:1], []
        for doer in doers[1:]:
            other = scene.new(act.kinds, act.said)
            other.denied, other.numbers = list(act.denied), dict(act.numbers)
            other.links = {role: list(there) for role, there in act.links.items()} | {"actor": [doer]}
            if act in scene.happened:
                scene.happened.append(other)


def unplaced(scene: Scene) -> list[Thing]:
    """Those who are to make separate attacks, if it is not told where they are: one cannot know whether they are in one place."""
    doers = scene.act.links.get("actor", []) if scene.act is not None and scene.separate(scene.act) else []
    several = len(doers) > 1 or any(doer.fellows or doer.count > 1 for doer in doers)
    return [doer for doer in doers if several and not doer.links.get("at")]


def claims(scene: Scene, act: Thing) -> bool:
    """Whether an act is a claim, by its name."""
    return any(CLAIM in scene.classes[kind].label.casefold().split() for kind in act.kinds)


def rests_on(scene: Scene) -> None:
    """Says of a claim on which of the acts that were told it rests: those of the kind that the book lets it rest on; and when they were done."""
    claim = scene.act
    role = scene.vocabulary.resolve("basis", [scene.vocabulary.properties])
    if claim is None or role is None or not claims(scene, claim) or claim.links.get(role):
        return
    wanted = scene.vocabulary.properties[role].range
    for act in [t for t in scene.things if t is not claim and scene.below(t, wanted)]:
        claim.link(role, act)
        for phase in act.links.get("phase", ()):
            claim.link("phase", phase)
        for target in act.links.get("target", ()) if not {"target", "place"} & claim.links.keys() else ():
            claim.link("target", target)
        if act in scene.happened:
            scene.happened.remove(act)


def counted_before(vocabulary: Vocabulary, said: str, verb: str = "") -> str:
    """The number that is defined as how many of something somebody has suffered before; "" where the book has none."""
    found = []
    for prop in vocabulary.properties.values():
        match = BEFORE.fullmatch(prop.definition) if prop.kind == "number" else None
        if match is not None and fold(match[1]) == fold(said) and verb in ("", match[2]):
            found.append(prop.name)
    return found[0] if len(found) == 1 else ""


def counted_as(scene: Scene, act: Thing) -> str:
    """The number by which the book counts acts like one that somebody has suffered before; "" where it has none."""
    labels = [scene.classes[k].label for k in act.kinds if not scene.state(k)]
    state = "successful " if len(labels) < len(act.kinds) else ""
    names = (counted_before(scene.vocabulary, f"{state}{english.plural(label)}") for label in labels)
    return next((name for name in names if name), "")


def not_the_first(scene: Scene) -> list[Thing]:
    """Takes from `a second successful Firepower Test` what came before; gives the acts of which that is not known."""
    open_: list[Thing] = []
    for act in [t for t in scene.things if t.nth and scene.below(t, "Act")]:
        name, earlier = counted_as(scene, act), str(act.nth - 1)
        targets = act.links.get("target", [])
        before = [t for t in scene.happened if t is not act and any(scene.alike(k, t.kinds) for k in act.kinds)]
        if name and targets and all(t.numbers.get(name, earlier) == earlier for t in targets):
            for target in targets:
                target.numbers[name] = earlier
        elif len(before) != act.nth - 1:
            open_.append(act)
    return open_
