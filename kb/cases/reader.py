"""Reads a case (YAML, JSON or plain mappings) against a vocabulary. The format is described in docs/cases.md.

Every fault is reported at once: unknown names with the nearest spelling, contradictions with both places.
A CaseReader resolves words, reads things and questions with them (words, things, questions), and here puts the case together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from kb.cases import completion, domains, meaning, misread, turns
from kb.cases.domains import how as how
from kb.cases.questions import QuestionReader
from kb.cases.words import TRUTH
from kb.errors import CaseError, Problem, did_you_mean
from kb.language.case import Case, Facts, Question, form
from kb.language.vocabulary import Vocabulary
from kb.yaml_document import Source

NOTHING_ELSE = "nothing-else"
KEYS = (
    "name", "rule", "book", "edition", "modules", "elsewhere", "title", "things", NOTHING_ELSE, "history", "ask", "expect",
    "notes",
)  # fmt: skip
MEANT = {"facts": "things", "situation": "things", "question": "ask", "query": "ask"}  # what others call a key
NOTHING = "nothing"  # `elsewhere: nothing`: rules that are not loaded have nothing to say here
EXPECTS = (
    "verdict", "answer", "value", "effects", "which", "cites", "uncited", "defeated", "missing", "grade", "until", "assumes",
    "reading",
)  # fmt: skip
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
    history = turns.ordered(reader.things, list(case.history), question)
    history = turns.settle(reader.things, history, question, vocabulary)
    said = {n: x for n, x in case.said.items() if n in reader.things}
    said |= {n: x for n, x in reader.things.items() if n not in case.things}
    things = completion.complete(reader.things, vocabulary)
    return replace(case, things=things, question=question, history=tuple(history), expect={}, said=said)


class CaseReader(QuestionReader):
    """Turns plain values into a Case; collects problems on the way."""

    def read(self, data: Any) -> Case:
        if not isinstance(data, Mapping):
            self.problem(
                410, "a case is a mapping with book, things and ask", (), "see docs/cases.md for the shape of a case"
            )
            raise CaseError(self.problems)
        for key in data:
            if key not in KEYS:
                meant = MEANT.get(str(key).casefold())
                hint = f"write {meant}" if meant else did_you_mean(str(key), KEYS, "keys:")
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
        happened = self.vocabulary.happened
        history += [x for x, facts in self.things.items() if x not in history and not happened.isdisjoint(facts.is_)]
        self.on_the_map()
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
        history = turns.ordered(self.things, history, question)
        history = turns.settle(self.things, history, question, self.vocabulary)
        if len(sound) >= MOST_SOUND:
            sound.clear()
        sound.update(map(form, new))
        return Case(
            self.vocabulary.book,
            completion.complete(self.things, self.vocabulary),
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
            self.problem(422, f"“{key}” is a text; “{misread.shown(value)}” is none", (key,), f"{key}: TEXT")
            return ""
        return "" if value is None else str(value)

    # ── what fits what ──

    def fitting(self, question: Question | None, new: Iterable[Facts]) -> Question | None:
        """The question as meant; what it asks, or the case newly says, of a thing of the wrong kind is a problem."""
        if question is not None:
            question, things = domains.put(question, self.things, self.vocabulary)
            self.things.update(things)
        told = {problem.code for problem in self.problems}
        unread, clashing = not told.isdisjoint((423, 440)), 440 in told  # a kind was told that is unknown, or clashes
        for found in domains.misfits(question, self.things, self.vocabulary, new):
            if (unread and (found.path[-1] == "is" or found.code == 442)) or (clashing and found.code == 441):
                continue
            self.problem(found.code, found.message, found.path, found.hint)
        return question if question is None or self.problems else meaning.asked(question, self.things, self.vocabulary)

    # ── contradictions ──

    def contradictions(self, new: Iterable[Facts]) -> None:
        """Facts of one thing that cannot be true together, with both places."""
        classes = self.vocabulary.classes
        for facts in new:
            name = facts.name
            for i, a in enumerate(facts.is_):
                for b in facts.is_[i + 1 :]:
                    if b in classes[a].disjoint:
                        hint = domains.not_both(a, b, self.vocabulary)
                        self.clash(name, f"is {a}", f"is {b}", f"{name} cannot be both {a} and {b}", hint)
                for b in facts.not_:
                    if b in classes[a].ancestors:
                        more = "" if a == b else f" (every {a} is {b})"
                        self.clash(name, f"is {a}", f"not {b}", f"{name} is said to be {a} and not to be {b}{more}")

    def clash(self, name: str, one: str, other: str, message: str, hint: str = "take one of the two back") -> None:
        keys = (name,) if name in self.given else name.split(".")  # an unnamed thing is described at that which has it
        first, second = (self.source.place("things", *keys, said.split()[0]) for said in (one, other))
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
