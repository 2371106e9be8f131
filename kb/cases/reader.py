"""Reads a case (YAML, JSON or plain mappings) against a vocabulary. The format is described in docs/cases.md.

Every fault is reported at once: unknown names with the nearest spelling, contradictions with both places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from kb.cases import completion as told, domains as fitting
from kb.cases.domains import how as how
from kb.errors import CaseError, Place, Problem, did_you_mean, nearest
from kb.language import english, norms as m
from kb.language.case import Case, Facts, Question, form
from kb.language.parser import Fault, condition
from kb.language.vocabulary import ABSENT, PropertyTerm, Vocabulary
from kb.numbers import number as number
from kb.rulebook.linker import Linker
from kb.yaml_document import Source

NOTHING_ELSE = "nothing-else"
KEYS = (
    "name", "rule", "book", "edition", "modules", "elsewhere", "title", "things", NOTHING_ELSE, "history", "ask", "expect",
    "notes",
)  # fmt: skip
NOTHING = "nothing"  # `elsewhere: nothing`: rules that are not loaded have nothing to say here
ASKS = ("may", "must", "is", "value", "effects", "which")
EXPECTS = (
    "verdict", "answer", "value", "effects", "which", "cites", "defeated", "missing", "grade", "until", "assumes", "reading",
)  # fmt: skip
COORDINATE, PLACE = "coordinate", "Place"
SPOT = re.compile(r"\d*([A-Z])\1?\d{1,2}")  # T4, AA10, 3T3
STATE = "State"
SLIP = 0.75  # how much like a nation's name one must be that is taken for a slip of the pen: Rusian, not Allies
EACH = "each"  # what stands for the candidate in a which-question
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
SIDE, NATION = (
    "side",
    "Nationality",
)  # the one property whose values a case may just name, and the classes that are sides
WORDS = ("is", "not", "unknown", "label")
BLANK = Facts("")
MOST_SOUND = 20_000  # faultless descriptions kept, so that cases that repeat them are not looked at twice


def read(data: Any, vocabulary: Vocabulary, source: Source | None = None) -> Case:
    """A checked case. Raises CaseError with every fault found."""
    return CaseReader(vocabulary, source or Source()).read(data)


def another(case: Case, ask: Any, vocabulary: Vocabulary) -> Case:
    """The same facts with another question. Raises CaseError with every fault found."""
    reader = CaseReader(vocabulary, Source(case.file))
    reader.things = dict(case.things)
    asked = reader.question(ask, ("ask",))
    question = reader.fitting(asked, [x for name, x in reader.things.items() if case.things.get(name) is not x])
    if reader.problems or question is None:
        raise CaseError(reader.problems)
    said = {**case.said, **{n: x for n, x in reader.things.items() if n not in case.things}}
    things = told.complete(reader.things, vocabulary)
    return replace(case, things=things, question=question, expect={}, said=said)


class CaseReader:
    """Turns plain values into a Case; collects problems on the way."""

    def __init__(self, vocabulary: Vocabulary, source: Source):
        self.vocabulary, self.source = vocabulary, source
        self.problems: list[Problem] = []
        self.things: dict[str, Facts] = {}

    def problem(
        self, code: int, message: str, path: tuple[Any, ...], hint: str = "", other: Place | None = None
    ) -> None:
        place = self.source.place(*path)
        if not place.file:
            message = f"{'.'.join(map(str, path))}: {message}" if path else message
        self.problems.append(Problem(code, message, place, hint, self.source.line(place), other))

    def read(self, data: Any) -> Case:
        if not isinstance(data, Mapping):
            self.problem(
                410, "a case is a mapping with book, things and ask", (), "see docs/cases.md for the shape of a case"
            )
            raise CaseError(self.problems)
        for key in data:
            if key not in KEYS:
                hint = did_you_mean(str(key), KEYS, "keys:")
                self.problem(411, f"unknown key “{key}”", (key,), hint)
        if data.get("elsewhere", NOTHING) != NOTHING:
            self.problem(
                446, f"“elsewhere” says what rules that are not loaded say; “{data['elsewhere']}” is not read", ("elsewhere",),
                "elsewhere: nothing, or leave it out",
            )  # fmt: skip
        things = data.get("things", {})
        if not isinstance(things, Mapping):
            self.problem(
                412, "“things” is a mapping from names to what is known of them", ("things",), "squad: {is: Infantry}"
            )
            things = {}
        self.given = {str(k): v for k, v in things.items()}
        for name, given in self.given.items():
            self.thing(name, given, ("things", name))
        question = self.question(data.get("ask"), ("ask",))
        history = self.names(data.get("history", []), ("history",))
        expect = data.get("expect") or {}
        if not isinstance(expect, Mapping):
            self.problem(413, "“expect” is a mapping", ("expect",), "expect: {verdict: permitted}")
            expect = {}
        for key in expect:
            if key not in EXPECTS:
                self.problem(411, f"unknown key “{key}”", ("expect", key), did_you_mean(str(key), EXPECTS, "keys:"))
        name, rule = [self.word(data, key) for key in ("name", "rule")]
        nothing_else = TRUTH.get(str(data.get(NOTHING_ELSE, False)).casefold())
        if nothing_else is None:
            here, said = (NOTHING_ELSE,), data[NOTHING_ELSE]
            self.problem(422, f"“{NOTHING_ELSE}” is true or false; “{said}” is neither", here, f"{NOTHING_ELSE}: true")
        sound = self.vocabulary.sound
        new = [facts for facts in self.things.values() if form(facts) not in sound]
        self.contradictions(new)
        question = self.fitting(question, new)
        if self.problems:
            raise CaseError(self.problems)
        assert question is not None
        if len(sound) >= MOST_SOUND:
            sound.clear()
        sound.update(map(form, new))
        return Case(
            self.vocabulary.book,
            told.complete(self.things, self.vocabulary),
            question,
            tuple(history),
            expect,
            str(data.get("title") or ""),
            self.source.file,
            str(data.get("edition") or ""),
            tuple(self.texts(data.get("modules"))),
            data.get("elsewhere") == NOTHING,
            self.things,
            bool(nothing_else),
            name,
            rule,
        )

    def word(self, data: Mapping[str, Any], key: str) -> str:
        """A text on one line, such as the case's own name; "" where it has none."""
        value = data.get(key)
        if isinstance(value, (Mapping, list)):
            self.problem(422, f"“{key}” is a text; “{value}” is none", (key,), f"{key}: TEXT")
            return ""
        return "" if value is None else str(value)

    # ── things ──

    def thing(self, name: str, given: Any, path: tuple[Any, ...]) -> None:
        if isinstance(given, (str, list)):
            given = {"is": given}
        if given is None:
            given = {}
        if type(given) is not dict and not isinstance(given, Mapping):
            self.problem(414, f"“{name}” needs a mapping such as {{is: Infantry}}", path, f"{name}: {{is: CLASS}}")
            return
        is_: tuple[str, ...] = ()
        if "is" in given:
            is_ = self.class_list(given["is"], path, "is")
        not_ = self.class_list(given["not"], path, "not") if "not" in given else ()
        unknown: tuple[str, ...] = ()
        if "unknown" in given:
            said = self.class_list(given["unknown"], path, "unknown")
            unknown = tuple([fitting.relation_meant(word, is_, self.vocabulary) for word in said])
        links: dict[str, tuple[str, ...]] = {}
        numbers: dict[str, Fraction] = {}
        properties = self.vocabulary.properties
        flags: dict[str, bool] = {}
        texts: dict[str, str] = {}
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
                links[prop.name] = self.values(name, prop, value, path, key)
                continue
            here = (*path, key)
            if prop.kind == "number":
                found = number(self.bare(value))
                if found is None:
                    self.problem(421, f"“{key}” is a number; “{value}” is none", here, 'write 3, 2.5 or "2 1/2"')
                else:
                    numbers[prop.name] = found
            elif prop.kind == "flag":
                truth = TRUTH.get(str(value).casefold())
                if truth is not None:
                    flags[prop.name] = truth
                else:
                    self.problem(422, f"“{key}” is true or false; “{value}” is neither", here, f"{key}: true")
            elif isinstance(value, (str, int)):
                texts[prop.name] = str(value)
            else:
                self.problem(422, f"“{key}” is a text; “{value}” is none", here, f"{key}: TEXT")
        self.things[name] = Facts(name, is_, not_, unknown, links, numbers, flags, str(given.get("label") or ""), texts)

    def bare(self, value: Any) -> Any:
        """A number as written, without the unit after it: `16"`, `16 inches`."""
        if not isinstance(value, str):
            return value
        amount, unit = value.rstrip("\"″”'′ "), value.strip().split(" ")[-1]
        units = {p.unit for p in self.vocabulary.properties.values() if p.unit}
        known = {u.casefold().removesuffix(end) for u in units for end in ("", "s", "es")} - {""}
        return value.strip().removesuffix(unit) if " " in value.strip() and unit.casefold() in known else amount

    def state(self, key: str, value: Any) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """`Pinned: true` says the same as is: [Pinned], `Pinned: false` as not: [Pinned]; None for any other key."""
        truth = TRUTH.get(str(value).casefold())
        if truth is None or self.vocabulary.resolve(key, [self.vocabulary.properties]):
            return None
        cls = self.vocabulary.resolve(key, [self.vocabulary.classes])
        return None if cls is None else ((cls,), ()) if truth else ((), (cls,))

    def class_list(self, value: Any, path: tuple[Any, ...], key: str) -> tuple[str, ...]:
        known = self.vocabulary.classes
        if type(value) is str and value in known:
            return (value,)
        if type(value) is list and all([type(word) is str and word in known for word in value]):
            return tuple(value)
        found = []
        path = (*path, key)
        for i, word in enumerate(value if isinstance(value, list) else [value] if value is not None else []):
            if isinstance(word, str) and (word in known or (key == "unknown" and word in self.vocabulary.properties)):
                found.append(
                    word
                )  # under “unknown” a property's exact name goes before a class's spelling (targetType)
                continue
            name = self.vocabulary.resolve(str(word), [self.vocabulary.classes])
            if name is None and path[-1] == "unknown":
                name = self.vocabulary.resolve(str(word), [self.vocabulary.properties])
            if isinstance(word, (Mapping, list)):
                here = (*path, i) if isinstance(value, list) else path
                self.problem(
                    423, f"“{key}” takes names of classes", here, "write is: [CLASS], and not: [CLASS] beside it"
                )
            elif name is None:
                hint = fitting.property_as_class(str(word), key, self.vocabulary)
                hint = hint or did_you_mean(str(word), self.spellings(self.vocabulary.classes)) or "see loophole terms"
                message, several = (
                    f"no class is called “{word}”",
                    self.vocabulary.meanings(str(word), self.vocabulary.classes),
                )
                if len(several) > 1:
                    message, hint = f"“{word}” may be {' or '.join(several)}", "write which"
                self.problem(423, message, (*path, i) if isinstance(value, list) else path, hint)
            else:
                found.append(name)
        return tuple(found)

    def spellings(self, pool: Mapping[str, Any]) -> Iterable[str]:
        for term in pool.values():
            yield term.name
            yield from term.alt

    def property(self, key: str, path: tuple[Any, ...], value: object = None) -> PropertyTerm | None:
        exact = self.vocabulary.properties.get(key)
        if exact is not None:
            return exact
        name = self.vocabulary.resolve(key, [self.vocabulary.properties])
        if name is None:
            if cls := self.vocabulary.resolve(key, [self.vocabulary.classes]):
                hint = fitting.class_as_key(key, value, cls, str(value) in self.given, self.vocabulary)
                self.problem(424, f"“{key}” is a class, not a property", path, hint)
            else:
                pool = (*self.spellings(self.vocabulary.properties), *WORDS)
                self.problem(
                    425, f"no property is called “{key}”", path, did_you_mean(key, pool) or "see loophole terms"
                )
            return None
        return self.vocabulary.properties[name]

    def values(self, owner: str, prop: PropertyTerm, value: Any, path: tuple[Any, ...], key: Any) -> tuple[str, ...]:
        """Names of the things that `value` stands for; a class or a mapping makes an unnamed thing."""
        if type(value) is str:
            if value in self.given:
                return (value,)
            term = self.vocabulary.classes.get(value)
            if term is not None and prop.range not in term.disjoint:
                unnamed = f"{owner}.{prop.name}"
                self.things[unnamed] = Facts(unnamed, self.of_its_kind((value,), prop), label=term.label)
                return (unnamed,)
        path = (*path, key)
        found = []
        listed = value if isinstance(value, list) else [value]
        if prop.functional and len(listed) > 1:
            several = english.plurals(self.vocabulary, prop.name)
            hint = f"give several as {several[0]}" if several else "tell each by itself: an act for each of them"
            if prop.name == "actor" and not several and "member" in self.vocabulary.properties:
                hint += f"; or of all as one: {{is: Group, member: [{', '.join(map(str, listed))}]}}"
            self.problem(426, f"“{prop.name}” has one value, here are {len(listed)}", path, hint)
        for i, item in enumerate(listed):
            unnamed = f"{owner}.{prop.name}" + (f".{i + 1}" if len(listed) > 1 else "")
            if isinstance(item, Mapping):
                self.thing(unnamed, item, (*path, i) if isinstance(value, list) else path)
                told_of = self.things[unnamed]
                self.things[unnamed] = replace(told_of, is_=self.of_its_kind(told_of.is_, prop))
                self.call(unnamed)
                found.append(unnamed)
            elif isinstance(item, str) and item in self.given:
                found.append(str(item))
            elif (cls := self.class_named(item, prop.range)) is not None:
                term = self.vocabulary.classes[cls]
                if prop.range in term.disjoint and fitting.ACT in term.ancestors:
                    wrong = fitting.leads_to(owner, prop, cls, self.vocabulary)
                    self.problem(wrong.code, wrong.message, wrong.path, wrong.hint)
                kinds = self.of_its_kind((cls,), prop)
                self.things[unnamed] = Facts(unnamed, kinds, label=self.vocabulary.classes[cls].label)
                found.append(unnamed)
            elif prop.name == SIDE and (named := self.side_named(item, prop.range)):
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
                self.problem(427, f"“{item}” is neither a thing of this case nor a class", path, hint)
        return tuple(found)

    def is_spot(self, item: Any, cls: str) -> bool:
        """Whether a word that names nothing in the case is the coordinate of a hex: where a place is wanted, or told as one elsewhere."""
        if not isinstance(item, str) or SPOT.fullmatch(item) is None or COORDINATE not in self.vocabulary.properties:
            return False
        return self.leads_to_places(cls) or (cls not in self.vocabulary.classes and self.told_as_place(item))

    def leads_to_places(self, cls: str) -> bool:
        """Whether what a relation leads to is a place, by its range."""
        classes = self.vocabulary.classes
        return cls in classes and PLACE in classes[cls].ancestors

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

    def side_named(self, item: Any, cls: str) -> str:
        """A side that the case only names (`side: German`), one for each name; "" for what looks like a slip of the pen."""
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

    def example(self, prop: PropertyTerm, item: str) -> str:
        """A class that a thing may be which stands in a property's place."""
        term = self.vocabulary.classes.get(prop.range)
        cell = self.vocabulary.cell
        return term.name if term is not None else cell.name if cell and SPOT.fullmatch(item) else "Thing"

    def class_named(self, word: Any, wanted: str = "") -> str | None:
        """The class that a word names; of several that it may name, one of the wanted kind (`targetType: Infantry`)."""
        classes = self.vocabulary.classes
        named = word if type(word) is str and word in classes else self.vocabulary.resolve(str(word), [classes])
        if wanted in classes and (named is None or wanted in classes[named].disjoint):
            below = {c: classes[c] for c in classes[wanted].descendants}
            phrases = (str(word), f"{word} {classes[wanted].label}")  # `phase: movement` is the movement phase
            return next((c for c in (self.vocabulary.resolve(p, [below]) for p in phrases) if c), named)
        return named

    def call(self, unnamed: str) -> None:
        """Gives a thing that is described in place a label: the narrowest kind that it is said to be."""
        facts, classes = self.things[unnamed], self.vocabulary.classes
        if facts.is_ and not facts.label:
            nouns = [c for c in facts.is_ if classes[c].when_unstated != ABSENT and not english.adjectival(classes[c])]
            kind = max(nouns or facts.is_, key=lambda c: len(classes[c].ancestors))
            self.things[unnamed] = replace(facts, label=f"the {classes[kind].label}")

    def names(self, value: Any, path: tuple[Any, ...]) -> list[str]:
        listed = value if isinstance(value, list) else [value]
        found = []
        for i, item in enumerate(listed):
            if isinstance(item, Mapping):  # an act described in place
                unnamed = ".".join(map(str, path[-1:])) + (f".{i + 1}" if len(listed) > 1 else "")
                self.thing(unnamed, item, (*path, i) if isinstance(value, list) else path)
                self.call(unnamed)
                found.append(unnamed)
            elif str(item) in self.things:
                found.append(str(item))
            elif cls := self.any_such(item):
                self.things[cls] = Facts(cls, (cls,), label=f"any {self.vocabulary.classes[cls].label}")
                found.append(cls)
            else:
                hint = did_you_mean(str(item), self.things, "things:")
                act = self.class_named(item) if isinstance(item, str) else None
                if act is not None and fitting.ACT in self.vocabulary.classes[act].ancestors:
                    hint += f"; or tell the act among them: {act[0].lower() + act[1:]}: {{is: {act}, …}}"
                self.problem(428, f"the case has no thing “{item}”", path, hint)
        return found

    def any_such(self, item: Any) -> str:
        """The class that stands for any thing of that kind, or "": it is no act, and the case has no such thing."""
        cls = self.class_named(item) if isinstance(item, str) else None
        if cls is None or cls in self.things or fitting.ACT in self.vocabulary.classes[cls].ancestors:
            return ""
        told = any(cls in self.vocabulary.classes[c].ancestors for x in self.things.values() for c in x.is_)
        return "" if told else cls

    # ── the question ──

    def question(self, ask: Any, path: tuple[Any, ...], inner: bool = False) -> Question | None:
        if not isinstance(ask, Mapping):
            self.problem(430, "“ask” is a mapping such as {may: move}", path, f"one of {', '.join(ASKS)}")
            return None
        kinds = [k for k in ask if k in ASKS]
        if "which" in kinds:
            return self.which(ask, path)
        extra = [k for k in ask if k not in ASKS and not (inner and k == "as")]
        for key in extra:
            self.problem(431, f"unknown kind of question “{key}”", (*path, key), did_you_mean(str(key), ASKS, "one of"))
        if len(kinds) != 1:
            self.problem(432, f"one question at a time; here are {len(kinds)}", path, f"one of {', '.join(ASKS)}")
            return None
        kind, value = kinds[0], ask[kinds[0]]
        here = (*path, kind)
        if kind in ("may", "must", "effects"):
            return Question(kind, self.subject(value, here, inner))
        if not isinstance(value, list) or len(value) != 2:
            shape = "[thing, class or condition]" if kind == "is" else "[quantity, thing]"
            self.problem(433, f"“{kind}” takes {shape}", here, f"{kind}: {shape}")
            return None
        if kind == "is":
            thing = self.subject(value[0], here, inner)
            return Question("is", thing, self.condition(str(value[1]), here, {EACH} if inner else set()))
        prop = self.property(str(value[0]), here)
        if prop is not None and prop.kind != "number":
            self.problem(434, f"“{value[0]}” is not a quantity", here, "ask {is: [thing, condition]} instead")
        return Question("value", self.subject(value[1], here, inner), quantity=prop.name if prop else "")

    def texts(self, value: Any) -> Iterable[str]:
        return map(str, value if isinstance(value, list) else [] if value is None else [value])

    def subject(self, value: Any, path: tuple[Any, ...], inner: bool) -> str:
        if inner and value == EACH:
            return EACH
        listed = value if isinstance(value, list) else [value]
        if len(listed) != 1:
            hint = "name one, or ask which: [THING, THING] of them, with “each” in its place"
            self.problem(439, f"a question is about one thing; here are {len(listed)}", path, hint)
            return ""
        found = self.names(listed, path)
        return found[0] if found else ""

    def which(self, ask: Mapping[str, Any], path: tuple[Any, ...]) -> Question | None:
        of = ask["which"]
        if of is None or of == []:
            self.problem(433, "“which” takes a class, or a list of things", (*path, "which"), "which: CLASS")
            return None
        rest = {k: v for k, v in ask.items() if k not in ("which", "as")}
        inner = self.question(rest, path, inner=True)
        named = isinstance(of, list) and any(str(x) in self.things for x in of)
        role = self.candidates_place(str(ask.get("as") or ""), inner, named, path)
        if isinstance(of, list):
            return Question("which", things=self.candidates(of, (*path, "which")), role=role, inner=inner)
        classes = self.class_list(of, path, "which")
        return Question("which", cls=classes[0] if classes else "", role=role, inner=inner)

    def candidates(self, listed: list[Any], path: tuple[Any, ...]) -> tuple[str, ...]:
        """Things of the case, or classes to try unnamed things of."""
        found = []
        for i, item in enumerate(listed):
            cls = None if str(item) in self.things else self.vocabulary.resolve(str(item), [self.vocabulary.classes])
            found += [cls] if cls is not None else self.names([item], (*path, i))
        return tuple(found)

    def candidates_place(self, role: str, inner: Question | None, named: bool, path: tuple[Any, ...]) -> str:
        """Where the candidates of a which-question are put: a thing, or `owner.property`; owner is the act asked about."""
        here = (*path, "as")
        if not role:
            if inner is not None and inner.thing != EACH and not m.speaks_of(inner.condition, EACH):
                hint = "as: PROPERTY, as: THING.PROPERTY, as: THING, or ask about “each”"
                self.problem(437, "the question does not say where the candidates belong", path, hint)
            return ""
        if role in self.things:
            if named:
                self.problem(
                    438, f"“{role}” is a thing already; things cannot stand in its place", here, "as: PROPERTY"
                )
            return role
        *owners, last = role.split(".")
        prop = self.property(last, here)
        if prop is not None and prop.kind != "object":
            self.problem(438, f"“{last}” is no relation between things", here, "see loophole terms for the relations")
        owner = owners[0] if owners else inner.thing if inner is not None else ""
        for step in ["", *owners[1:]]:
            owner = next(iter(self.things[owner].links.get(step, ())), "") if step else owner
            if owner not in self.things and owner != EACH:
                hint = did_you_mean(owners[0] if owners else "", self.things, "things:")
                self.problem(438, f"“{role}” leads to no thing of this case", here, hint)
                return ""
        return ".".join([*owners, prop.name if prop is not None else last])

    def condition(self, text: str, path: tuple[Any, ...], further: Iterable[str] = ()) -> m.Condition:
        # A label of several words is no expression, but may be all that is asked.
        said = text.strip().removeprefix("not ").strip()
        name = None if said in self.things else self.vocabulary.resolve(said, (self.vocabulary.classes,))
        if name is not None:
            return m.Named(name) if said == text.strip() else m.Not(m.Named(name))
        bound = {"this", *further, *self.things}
        try:
            found = condition(text, set(bound))
        except Fault as e:
            try:
                found = condition(self.vocabulary.in_one_word(text), bound)
            except Fault:
                self.problem(435, f"in “{text}” at character {e.token.column}: {e.message}", path, e.hint)
                return m.Anything()
        empty = m.Book("", "", (), m.Policy("", (), ()), ())
        linker = Linker(empty, self.vocabulary, {})
        linked = linker.condition(found)
        for p in linker.problems:
            self.problem(436, p.message, path, p.hint)
        return linked

    # ── what fits what ──

    def fitting(self, question: Question | None, new: Iterable[Facts]) -> Question | None:
        """The question as meant; what it asks, or the case newly says, of a thing of the wrong kind is a problem."""
        if question is not None:
            question, things = fitting.put(question, self.things, self.vocabulary)
            self.things.update(things)
        unread = any(problem.code == 423 for problem in self.problems)  # a kind was told, but is not known
        for found in fitting.misfits(question, self.things, self.vocabulary, new):
            if unread and found.path[-1] == "is":
                continue
            self.problem(found.code, found.message, found.path, found.hint)
        return question

    # ── contradictions ──

    def contradictions(self, new: Iterable[Facts]) -> None:
        """Facts of one thing that cannot be true together, with both places."""
        classes = self.vocabulary.classes
        for facts in new:
            name = facts.name
            for i, a in enumerate(facts.is_):
                for b in facts.is_[i + 1 :]:
                    if b in classes[a].disjoint:
                        hint = fitting.not_both(a, b, self.vocabulary)
                        self.clash(name, f"is {a}", f"is {b}", f"{name} cannot be both {a} and {b}", hint)
                for b in facts.not_:
                    if b in classes[a].ancestors:
                        more = "" if a == b else f" (every {a} is {b})"
                        self.clash(name, f"is {a}", f"not {b}", f"{name} is said to be {a} and not to be {b}{more}")

    def clash(self, name: str, one: str, other: str, message: str, hint: str = "take one of the two back") -> None:
        first, second = (self.source.place("things", name, said.split()[0]) for said in (one, other))
        line = self.source.line(second)
        self.problems.append(
            Problem(
                440,
                message,
                second,
                hint,
                line,
                first if first.file and first != second else None,
            )
        )
