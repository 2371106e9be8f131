"""The things of a case, read: what each is, its relations, numbers and flags; things described or only named in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from kb.cases import domains, misread, units
from kb.cases.cells import PLACE
from kb.cases.words import SPOT, TRUTH, WORDS, Words
from kb.errors import did_you_mean, nearest
from kb.language import english, phrases
from kb.language.case import Facts
from kb.language.vocabulary import ABSENT, Cell, PropertyTerm, Vocabulary
from kb.numbers import number
from kb.yaml_document import Source

COORDINATE = "coordinate"
STATE = "State"
SLIP = 0.75  # how much like a nation's name one must be that is taken for a slip of the pen: Rusian, not Allies
GROUND, HAS_GROUND = "Terrain", "terrain"  # what a place is made of, and how that is told
SIDE, NATION = "side", "Nationality"  # the one property whose values a case may just name; the classes that are sides
BLANK = Facts("")


class ThingReader(Words):
    """Turns what is said of things into their Facts."""

    def __init__(self, vocabulary: Vocabulary, source: Source):
        super().__init__(vocabulary, source)
        self.soil = vocabulary.below(GROUND)
        self.cell = vocabulary.cell.name if vocabulary.cell is not None else ""

    def thing(self, name: str, given: Any, path: tuple[Any, ...]) -> None:
        if isinstance(given, (str, list)):
            given = {"is": given}
        elif given is None:
            given = {}
        elif type(given) is not dict and not isinstance(given, Mapping):
            self.problem(414, f"“{name}” needs a mapping such as {{is: Infantry}}", path, f"{name}: {{is: CLASS}}")
            return
        is_ = self.class_list(given["is"], path, "is") if "is" in given else ()
        not_ = self.class_list(given["not"], path, "not") if "not" in given else ()
        unknown: tuple[str, ...] = ()
        if "unknown" in given:
            said = self.class_list(given["unknown"], path, "unknown")
            unknown = tuple([domains.relation_meant(word, is_, self.vocabulary) for word in said])
        links: dict[str, tuple[str, ...]] = {}
        numbers: dict[str, Fraction] = {}
        flags: dict[str, bool] = {}
        texts: dict[str, str] = {}
        properties, named = self.vocabulary.properties, self.given
        self.things[name] = BLANK  # keeps the order of the file; completed below
        for key, value in given.items():
            prop = properties.get(key)
            if prop is None:
                if key in WORDS:
                    continue
                if state := self.state(str(key), value):
                    is_, not_ = (*is_, *state[0]), (*not_, *state[1])
                    continue
                prop = self.property(str(key), (*path, key), value)
            if prop is None or value is None:
                continue
            if prop.kind == "object":
                if type(value) is str and value in named:
                    links[prop.name] = (value,)
                    continue
                if prop.functional and isinstance(value, list) and len(value) > 1:
                    prop = domains.for_several(prop, is_, self.vocabulary)
                links[prop.name] = self.values(name, prop, value, path, key)
                continue
            here = (*path, key)
            if prop.kind == "number":
                amount, unit = units.parted(value, self.vocabulary)
                found = number(amount)
                if not units.fits(unit, prop):
                    told = f"is told in {prop.unit}" if prop.unit else "has no unit"
                    self.problem(
                        444,
                        f"“{key}” {told}; here stands “{value}”",
                        here,
                        f"write {key}: {amount} {prop.unit}".rstrip(),
                    )
                elif found is None:
                    message, hint = misread.no_number(key, value)
                    self.problem(421, message, here, hint)
                else:
                    numbers[prop.name] = found
            elif prop.kind == "flag":
                truth = TRUTH.get(str(value).casefold())
                if truth is not None:
                    flags[prop.name] = truth
                else:
                    self.problem(
                        422, f"“{key}” is true or false; “{misread.shown(value)}” is neither", here, f"{key}: true"
                    )
            elif isinstance(value, (str, int)):
                texts[prop.name] = str(value)
            else:
                self.problem(422, f"“{key}” is a text; “{misread.shown(value)}” is none", here, f"{key}: TEXT")
        if not_:
            is_ = (*is_, *self.other_halves(is_, not_))
        if self.cell in is_ or not self.soil.isdisjoint(is_):
            is_ = self.parted(name, is_, links)
        self.things[name] = Facts(name, is_, not_, unknown, links, numbers, flags, str(given.get("label") or ""), texts)

    def other_halves(self, is_: tuple[str, ...], not_: tuple[str, ...]) -> Iterator[str]:
        """What is not of one half of its kind is of the other: Fire that is not Direct Fire is Indirect Fire."""
        classes = self.vocabulary.classes
        wide = {a for c in is_ for a in classes[c].ancestors}
        for cls in not_:
            halves = classes[cls].halves
            if halves and halves[0] in wide and halves[1] not in wide:
                yield halves[1]

    def parted(self, name: str, is_: tuple[str, ...], links: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
        """The kinds of a place without those of its terrain, which become that: `is: [Hex, Woods]` says terrain: Woods. Of a cell
        of the map, without those of other places, too."""
        classes, cell = self.vocabulary.classes, self.vocabulary.cell
        within, told = cell is not None and cell.name in is_, links.get(HAS_GROUND, ())
        soil = tuple([c for c in is_ if GROUND in classes[c].ancestors and not told])
        works = tuple(
            [c for c in is_ if c not in soil and GROUND not in classes[c].ancestors and within and self.elsewhere(c)]
        )
        rest = tuple([c for c in is_ if c not in soil and c not in works])
        if not self.vocabulary.entails(rest, PLACE):
            return is_
        for kinds in (soil, works):
            if kinds:
                unnamed = f"{name}.{HAS_GROUND}" + (f".{len(told) + 1}" if told else "")
                self.things[unnamed] = Facts(unnamed, kinds, label=classes[kinds[0]].label)
                told = links[HAS_GROUND] = (*told, unnamed)
        return rest

    def elsewhere(self, cls: str) -> bool:
        """Whether a class is of places none of which is a cell of the map."""
        term, cell = self.vocabulary.classes[cls], self.vocabulary.cell
        return PLACE in term.ancestors and cell is not None and cell.name in term.disjoint

    def state(self, key: str, value: Any) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """`Pinned: true` says the same as is: [Pinned], `Pinned: false` as not: [Pinned]; None for any other key."""
        truth = TRUTH.get(str(value).casefold())
        if truth is None or self.vocabulary.resolve(key, [self.vocabulary.properties]):
            return None
        cls = self.vocabulary.resolve(key, [self.vocabulary.classes])
        return None if cls is None else ((cls,), ()) if truth else ((), (cls,))

    def values(self, owner: str, prop: PropertyTerm, value: Any, path: tuple[Any, ...], key: Any) -> tuple[str, ...]:
        """Names of the things that `value` stands for; a class or a mapping makes an unnamed thing."""
        if type(value) is str and value not in self.given:
            term = self.vocabulary.classes.get(value)
            if term is not None and prop.range not in term.disjoint:
                return (self.of_a_class(value, owner, prop),)
        path = (*path, key)
        found = []
        listed = value if isinstance(value, list) else [value]
        if prop.functional and len(listed) > 1:
            akin = (self.vocabulary.properties[name] for name in phrases.plurals(self.vocabulary, prop.name))
            several = [p.name for p in akin if p.domain == prop.domain == domains.ACT]
            each = "tell each by itself: an act for each of them, and in the `history:` those that went before"
            hint = f"several that act as one are its {several[0]}; otherwise {each}" if several else each
            if not several and prop.domain != domains.ACT:
                hint = f"write the one; what is not known is left out, or unknown: [{prop.name}]"
            if prop.name == "actor" and "member" in self.vocabulary.properties:
                group, classes = self.vocabulary.properties["member"].domain, self.vocabulary.classes
                below = classes[group].descendants - {group}
                widest = [name for name in sorted(below) if classes[name].ancestors & below <= {name}]
                hint += f"; or of all as one: {{is: {' or '.join(widest) or group}, member: [{', '.join(map(str, listed))}]}}"
            self.problem(426, f"“{prop.name}” has one value, here are {len(listed)}", path, hint)
        for i, item in enumerate(listed):
            unnamed = f"{owner}.{prop.name}" + (f".{i + 1}" if len(listed) > 1 else "")
            if isinstance(item, Mapping):
                self.thing(unnamed, item, (*path, i) if isinstance(value, list) else path)
                told_of = self.things[unnamed]
                self.things[unnamed] = replace(told_of, is_=self.of_its_kind(told_of.is_, prop))
                self.call(unnamed, "" if english.verbal(prop) else prop.label)
                found.append(unnamed)
            elif isinstance(item, str) and item in self.given:
                found.append(str(item))
            elif (cls := self.class_named(item, prop.range)) is not None:
                term = self.vocabulary.classes[cls]
                if prop.range in term.disjoint and domains.ACT in term.ancestors:
                    wrong = domains.leads_to(owner, prop, cls, self.vocabulary)
                    self.problem(wrong.code, wrong.message, wrong.path, wrong.hint)
                found.append(self.of_a_class(cls, owner, prop, unnamed))
            elif (prop.name == SIDE or self.told_as_side(item)) and (named := self.side_named(item)):
                found.append(named)
            elif self.is_spot(item, prop.range):  # a hex of the map, by its coordinate
                cell = self.vocabulary.cell
                self.things.setdefault(
                    item, Facts(item, (cell.name if cell else prop.range,), texts={COORDINATE: item})
                )
                found.append(item)
            else:
                hint = did_you_mean(str(item), (*self.given, *self.spellings(self.vocabulary.classes)))
                if isinstance(item, bool):
                    hint = f"“{prop.name}” leads to a thing: name the thing, or write [] for none."
                named = f"say under things what {item} is, such as {item}: {self.example(prop, str(item))}"
                hint = f"{hint} Otherwise {named}" if hint else f"{named}; or write a class for an unnamed thing"
                self.problem(427, f"“{misread.shown(item)}” is neither a thing of this case nor a class", path, hint)
        return tuple(found)

    def of_a_class(self, cls: str, owner: str, prop: PropertyTerm, name: str = "") -> str:
        """The unnamed thing of a class that a relation leads to; a side (`side: German`) is one in the whole case."""
        facts = Facts(
            name or f"{owner}.{prop.name}", self.of_its_kind((cls,), prop), label=self.vocabulary.classes[cls].label
        )
        if prop.name == SIDE and (same := next((n for n in self.sides if self.things[n].is_ == facts.is_), "")):
            return same
        if prop.name == SIDE:
            self.sides.append(facts.name)
        self.things[facts.name] = facts
        return facts.name

    def is_spot(self, item: Any, cls: str) -> bool:
        """Whether a word that names nothing in the case is the coordinate of a hex: where a place is wanted, or told as one elsewhere."""
        if not isinstance(item, str) or SPOT.fullmatch(item) is None or COORDINATE not in self.vocabulary.properties:
            return False
        if self.leads_to_places(cls):
            return True
        if cls in self.vocabulary.classes:
            return False
        return self.told_as_place(item) or (self.by_coordinates() and not nearest(item, self.given, alike=SLIP))

    def by_coordinates(self) -> bool:
        """Whether the case says where something is by the coordinate of a hex."""
        told = [value for facts in self.given.values() if isinstance(facts, Mapping) for value in facts.values()]
        return any(self.told_as_place(x) for x in told if isinstance(x, str) and SPOT.fullmatch(x))

    def leads_to_places(self, cls: str) -> bool:
        """Whether what a relation leads to is a place, by its range."""
        classes = self.vocabulary.classes
        return cls in classes and PLACE in classes[cls].ancestors

    def on_the_map(self) -> None:
        """A place that is called as a hex of the map is in that hex, where several are called so or the case names others by their
        coordinates. H1 and H2 are no hexes of the map where all are called by the first letter of what they are."""
        cell = self.vocabulary.cell
        if cell is None:
            return
        called = [name for name in self.things if SPOT.fullmatch(name) and self.of_the_map(self.things[name], cell)]
        if not called:
            return
        some = len(called) > 1 and any(all(c[0] != name[0] for c in self.things[name].is_) for name in called)
        if some or any(COORDINATE in facts.texts for facts in self.things.values()):
            for name in called:
                facts = self.things[name]
                self.things[name] = replace(facts, texts={**facts.texts, COORDINATE: name})

    def of_the_map(self, facts: Facts, cell: Cell) -> bool:
        """Whether a thing is told to be a place, no work that stands in one, and nothing else says where it is."""
        apart = cell.pieces.isdisjoint(facts.is_) and cell.owing.keys().isdisjoint(facts.is_)
        told = COORDINATE in facts.texts or not cell.telling.isdisjoint(facts.links)
        return self.vocabulary.entails(facts.is_, PLACE) and apart and not told

    def told_as_place(self, item: str) -> bool:
        """Whether something of the case is said to be in a place of that name."""
        keys = [
            (key, value) for told in self.given.values() if isinstance(told, Mapping) for key, value in told.items()
        ]
        for key, value in keys:
            if item == value or (isinstance(value, list) and item in value):
                name = self.vocabulary.resolve(str(key), [self.vocabulary.properties])
                if name is not None and self.leads_to_places(self.vocabulary.properties[name].range):
                    return True
        return False

    def of_its_kind(self, classes: tuple[str, ...], prop: PropertyTerm) -> tuple[str, ...]:
        """The classes of an unnamed thing; one of which at most states are told is what the relation leads to, in those."""
        known = self.vocabulary.classes
        if prop.name == SIDE and prop.range in known:  # no unit of that nation is meant
            return (*classes, prop.range)
        if prop.range not in known or not all(STATE in known[c].ancestors for c in classes):
            return classes
        return (prop.range, *classes)

    def told_as_side(self, item: Any) -> bool:
        """Whether something of the case is said to be on a side of that name."""
        keys = {
            key for told in self.given.values() if isinstance(told, Mapping) for key, to in told.items() if to == item
        }
        return any(self.vocabulary.resolve(str(key), [self.vocabulary.properties]) == SIDE for key in keys)

    def side_named(self, item: Any) -> str:
        """A side that the case only names (`side: German`), one for each name; "" for what looks like a slip of the pen."""
        cls = self.vocabulary.properties[SIDE].range
        nations = [c for c, term in self.vocabulary.classes.items() if NATION in term.ancestors]
        spellings = [s for c in nations for s in (c, self.vocabulary.classes[c].label, *self.vocabulary.classes[c].alt)]
        if not isinstance(item, str) or nearest(item, spellings, alike=SLIP):
            return ""
        alike = (n for n, facts in self.things.items() if n.casefold() == item.casefold() and facts.is_ == (cls,))
        same = next(alike, "")
        if not same and item not in self.things:
            self.things[item] = Facts(item, (cls,))
            same = item
        return same

    def call(self, unnamed: str, part: str) -> None:
        """Gives a thing that is described in place a label: the narrowest kind that it is said to be, with its part where that says
        only how it is: the friendly actor."""
        facts, classes = self.things[unnamed], self.vocabulary.classes
        if facts.is_ and not facts.label:
            nouns = [c for c in facts.is_ if classes[c].when_unstated != ABSENT and not english.adjectival(classes[c])]
            kind = max(nouns or facts.is_, key=lambda c: len(classes[c].ancestors))
            said = classes[kind].label
            if english.stative(self.vocabulary, kind) and said[0].islower() and part:
                said += f" {part}"
            gerund = domains.ACT in classes[kind].ancestors and " a " in said  # forming a Fire Group
            self.things[unnamed] = replace(facts, label=said if gerund else f"the {said}")

    def names(self, value: Any, path: tuple[Any, ...]) -> list[str]:
        listed = value if isinstance(value, list) else [value]
        found = []
        for i, item in enumerate(listed):
            if isinstance(item, Mapping):  # an act described in place
                unnamed = ".".join(map(str, path[-1:])) + (f".{i + 1}" if len(listed) > 1 else "")
                self.thing(unnamed, item, (*path, i) if isinstance(value, list) else path)
                self.call(unnamed, "act")
                found.append(unnamed)
            elif str(item) in self.things:
                found.append(str(item))
            elif cls := self.any_such(item):
                self.things[cls] = Facts(cls, (cls,), label=f"any {self.vocabulary.classes[cls].label}")
                found.append(cls)
            else:
                hint = did_you_mean(str(item), self.things, "things:")
                act = self.class_named(item) if isinstance(item, str) else None
                if act is not None and domains.ACT in self.vocabulary.classes[act].ancestors:
                    hint += f"; or tell the act among them: {act[0].lower() + act[1:]}: {{is: {act}, …}}"
                self.problem(428, f"the case has no thing “{item}”", path, hint)
        return found

    def any_such(self, item: Any) -> str:
        """The class that stands for any thing of that kind, or "": it is no act, and the case has no such thing."""
        cls = self.class_named(item) if isinstance(item, str) else None
        if cls is None or cls in self.things or domains.ACT in self.vocabulary.classes[cls].ancestors:
            return ""
        told = any(cls in self.vocabulary.classes[c].ancestors for x in self.things.values() for c in x.is_)
        return "" if told else cls
