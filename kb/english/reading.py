"""A question in English read as a case: what was understood, what was not, and what to ask back.

    read("May a pinned squad move?", "asl") -> Reading(data, problems)

Only a reading without problems is put to the rules: words that are not understood may be what the answer turns on.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from kb.english import parts
from kb.english.choices import ChoiceReader
from kb.english.cursor import Stuck, Tangled
from kb.english.figures import ROW
from kb.english.joint import each_in_its_place, not_the_first, one_after_another, rests_on, unplaced
from kb.english.letters import LETTERS
from kb.english.lexicon import Lexicon, lexicon, near
from kb.english.nouns import SPOT
from kb.english.places import UNITS
from kb.english.scene import Scene
from kb.english.search import first_whole
from kb.english.silences import tells_nothing
from kb.english.thing import Thing
from kb.english.unread import Reading as Reading, Unread as Unread
from kb.english.wording import POSSIBLE, worded
from kb.english.words import PLAIN, Word, counted, sentences, stems

OPEN = ("how does", "by what", "what have", "what is the question")  # asked where a way of saying may tell
MADE_BY = {"actor", "weapon", "ammunition"}  # by which the kind of a shot is known


def read(text: str, book: str, otherwise: bool = True) -> Reading:
    """A text as a case of a book; what is not read as it stands is said otherwise (`search`), and the first that is read whole is taken.
    Raises LookupError for an unknown book."""
    known, lines = lexicon(book), sentences(text)
    stands = as_told(text, book, lines)
    meant = any(row.end for row in stands.unread) and all(
        not r.question or r.question.startswith(OPEN) for r in stands.unread
    )
    found = first_whole(lines, known, partial(as_told, text, book)) if stands.unread and otherwise and meant else None
    return found or stands


def as_told(text: str, book: str, told_lines: list[list[Word]]) -> Reading:
    """Sentences of a text as a case, read as they stand."""
    known = lexicon(book)
    scene = Scene(known.vocabulary)
    unread: list[Unread] = []
    asked: dict[str, Any] | None = None
    begun: Thing | None = None  # whom what was told began with
    lines = worded(told_lines, known)
    for line in lines:
        strange = [] if tells_nothing(" ".join(word.low for word in line)) else unknown(text, line, known)
        if strange:
            unread += strange
            asked = asked or {}
            continue
        reader, met = ChoiceReader(known, scene, line), len(scene.things)
        try:
            if not asked:
                if scene.main is not None and "Enemy" in scene.main.kinds and mine(scene):
                    # an enemy is outside; my squad is in it: may it, the squad, go out
                    scene.main = reader.it = scene.last
                asked = reader.question()
                scene.open = asked is not None and asked.get("value", ("", scene))[1] is None
                if not asked:
                    reader.facts()
                    first = next((t for t in scene.things[met:] if scene.below(t, "Piece")), reader.it)
                    scene.main = begun = scene.main or first  # of whom it is asked next
                    scene.last = reader.it
            else:
                reader.facts()
                scene.last = reader.it
            if not reader.over():
                raise Stuck(reader.i)
        except Stuck as stuck:
            stuck = max(stuck, reader.farthest, key=lambda s: s.far) if reader.farthest.start < len(line) else stuck
            unread.append(told(text, line, stuck, known))
        except (Tangled, RecursionError):
            unread.append(
                Unread(line[0].start, line[-1].end, text[line[0].start : line[-1].end], "say it in shorter sentences")
            )
            break
    if not asked:
        if not unread:
            unread.append(
                Unread(0, len(text), text, "what is the question? Begin it with may, must, is, what or how many")
            )
        return Reading(text, book, {}, tuple(unread), scene.tries)
    asked_of = asked.get("is", (None,))[0]
    of_thing = isinstance(asked_of, Thing) and not scene.below(asked_of, "Act")
    act, scene.act = scene.act, None if of_thing else scene.act  # what befell it is told of it, and not asked
    parts.meet_again(scene)
    scene.act = act
    if of_thing:
        parts.part_of_event(scene)
    parts.against_whom(scene)
    parts.narrower_hits(scene)
    parts.with_what(scene)
    parts.named_after(scene)
    parts.ground_floor(scene)
    each_in_its_place(scene)
    one_after_another(scene)
    rests_on(scene)
    if scene.hangs and not any(scene.state(k) for t in scene.things if scene.below(t, "Act") for k in t.kinds):
        unread.append(Unread(0, 0, "can", "that hangs on how it comes off: what is thrown, or passed?"))
    if "value" in asked:
        asked["value"] = parts.in_the_act(scene, *asked["value"])
    of_act = "value" in asked and asked["value"][1] is None
    parts.befalls(scene, asked["is"][0] if "is" in asked else scene.main if of_act else asked.get("effects"))
    ask = question(asked, scene)
    if ask is None:
        unread.append(Unread(0, len(text), text, "by what does it happen?"))
        return Reading(text, book, {}, tuple(unread), scene.tries)
    if scene.act is not None and of_thing and scene.act.links:
        if barely_told(scene, scene.act):
            unread.append(Unread(0, 0, scene.act.said, f"by whom, and with what: “{scene.act.said}”?"))
        scene.happened.append(scene.act)  # is the tank eliminated? It drives into a minefield
        scene.act = None
    scene.happened = [t for t in scene.happened if t is not scene.act and t in scene.things]
    history = scene.history()
    scene.happened = history or scene.happened
    if not history and (scene.happened or scene.later):
        unread.append(Unread(0, 0, "turn", "what is done in which turn cannot be told in this book"))
    if isinstance(asked_of, Thing) and asked["is"][1] in asked_of.kinds and not history:
        unread.append(Unread(0, 0, asked_of.said, f"“{asked_of.said}” is told to be so: what has become of it?"))
    unread += [Unread(0, 0, t.said, f"what came before “{t.said}”?") for t in not_the_first(scene)]
    idle = [t for t in scene.things if t.doing]  # what he does so was not told
    unread += [Unread(0, 0, t.said, f"how does “{t.said}” bear on it?") for t in (*parts.besides(scene), *idle)]
    unread += [Unread(0, 0, a.said, f"are “{a.said}” and “{b.said}” in one hex?") for a, b in parts.parted(scene)]
    unread += [Unread(0, 0, t.said, f"are “{t.said}” in one place?") for t in unplaced(scene)]
    doers = known.vocabulary.resolve("participants", [known.vocabulary.properties])
    shot = scene.act if "value" in asked else None
    if (
        shot is not None
        and (shot.kinds[:1] == ["Fire"] or (shot.kinds == ["Attack"] and "from" in shot.links))
        and not {*shot.links} & {*MADE_BY, doers}
        and not shot.numbers
    ):
        unread.append(Unread(0, 0, shot.said, f"with what is “{shot.said}” made?"))
    things = scene.mapping()
    data: dict[str, Any] = {"book": book, "things": things, "ask": question(asked, scene)}
    if history:
        data["history"] = [act.name for act in history]
    if scene.elsewhere:
        data["elsewhere"] = "nothing"
    of_himself = begun in (asked.get("is", (None,))[0], asked.get("value", (None, None))[1])
    for thing in scene.apart(None if of_himself else begun):
        unread.append(
            Unread(0, 0, thing.said or thing.name, f"how does “{thing.said or thing.name}” stand to the rest?")
        )
    return Reading(text, book, data, tuple(unread), scene.tries)


def mine(scene: Scene) -> bool:
    """Whether the last sentence was about somebody who is no enemy."""
    last = scene.last
    return last is not None and last in scene.things and scene.below(last, "Piece") and "Enemy" not in last.kinds


def barely_told(scene: Scene, act: Thing) -> bool:
    """Whether no more is told of an act than its kind and whom it befalls, so that what it brings about cannot be known."""
    states = [k for k in act.kinds if scene.state(k)]
    return not ({*act.links} - {"target", "against", "object"} or act.numbers or act.flags or states or act.denied)


def unknown(text: str, line: list[Word], known: Lexicon) -> list[Unread]:
    """The words of a sentence that neither English nor the book has."""
    covered: set[int] = set()
    for i in range(len(line)):
        for found in known.all(line, i):
            covered.update(range(i, i + found.length))
            break
    for i in range(1, len(line) - 1):  # printed 4FP
        if counted(line[i]) and known.meaning([line[i - 1], line[i + 1]]) is not None:
            covered.update((i - 1, i + 1))
    strange: list[Unread] = []
    for i, word in enumerate(line):
        plain = (
            word.sign or word.low == "'s" or any(word.low in known_ for known_ in (PLAIN, POSSIBLE, UNITS, known.parts))
        )
        plain = plain or bool(counted(word) or word.text in LETTERS or ROW.match(word.text) or SPOT.match(word.text))
        if not (i in covered or plain or known.brings(word) or any(known.meaning([stem]) for stem in stems(word))):
            strange.append(
                Unread(word.start, word.end, text[word.start : word.end], "", tuple(near(known.vocabulary, word.text)))
            )
    return strange


def question(asked: dict[str, Any], scene: Scene) -> dict[str, Any] | None:
    """The question in the form of a case."""
    ((kind, what),) = asked.items()
    if kind == "which":
        place, kinds, inner = what
        listed = kinds if isinstance(kinds, str) else [k if isinstance(k, str) else k.name for k in kinds]
        role = f"{place[0].name}.{place[1]}" if isinstance(place, tuple) else getattr(place, "name", place)
        where = {"as": role} if role else {}
        return {"which": listed, **where, **(question(inner, scene) or {})}
    if kind == "value":
        name, thing = what
        thing = thing or scene.act
        if thing is None:
            return None
        if (
            scene.act is not None
            and scene.vocabulary.properties[name].domain in scene.classes
            and "Act" in scene.classes[scene.vocabulary.properties[name].domain].ancestors
            and not scene.below(thing, "Act")
        ):
            thing = scene.act
        return {"value": [name, thing.name]}
    if kind == "is":
        thing, cls = what
        if isinstance(cls, list):
            cls = "".join(part if isinstance(part, str) else part.name for part in cls)
        elif isinstance(cls, tuple):
            cls = f"{cls[0]} value {cls[1].name}"
        return {"is": [getattr(thing, "name", thing), cls]}  # each of those of which it is asked, which
    if kind == "effects":
        return {"effects": scene.act.name} if scene.act is not None else None
    assert isinstance(what, Thing)
    return {kind: what.name}


def told(text: str, line: list[Word], stuck: Stuck, known: Lexicon) -> Unread:
    """What is not understood of a sentence: from the place where it sticks on."""
    at = min(stuck.start, len(line) - 1)
    word = line[at]
    like = tuple(near(known.vocabulary, word.text)) if known.at(line, at) is None else ()
    asks = "how does that bear on it?" if word.low == "to" and line[at - 1].low == "wants" else stuck.question
    return Unread(word.start, line[-1].end, text[word.start : line[-1].end], asks, like)
