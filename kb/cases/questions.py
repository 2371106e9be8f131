"""The question of a case, read: `may`, `must`, `is`, `value`, `effects`, and `which` with the place of its candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kb.cases import misread
from kb.cases.things import ThingReader
from kb.cases.words import EACH
from kb.errors import did_you_mean
from kb.language import norms as m
from kb.language.case import MAY_NOT, Question
from kb.language.parser import Fault, condition
from kb.rulebook.linker import Linker

ASKS = ("may", MAY_NOT, "must", "is", "value", "effects", "which")
LONG, LONGEST = 120, 4_000  # characters of a condition: those that a message shows, and those that it may have


class QuestionReader(ThingReader):
    """Turns what is asked into a Question."""

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
        if len(kinds) != 1 and extra and not kinds:
            return None
        if len(kinds) != 1:
            self.problem(432, f"one question at a time; here are {len(kinds)}", path, f"one of {', '.join(ASKS)}")
            return None
        kind, value = kinds[0], ask[kinds[0]]
        here = (*path, kind)
        if kind in ("may", MAY_NOT, "must", "effects"):
            turned = kind == MAY_NOT
            return Question("may" if turned else kind, self.subject(value, here, inner), turned=turned)
        if not isinstance(value, list) or len(value) != 2:
            shape = "[thing, class or condition]" if kind == "is" else "[quantity, thing]"
            self.problem(433, f"“{kind}” takes {shape}", here, f"{kind}: {shape}")
            return None
        if kind == "is":
            thing = self.subject(value[0], here, inner)
            return Question("is", thing, self.condition(str(value[1]), here, {EACH} if inner else set()))
        return Question("value", self.subject(value[1], here, inner), quantity=self.quantity(value, here))

    def quantity(self, asked: list[Any], path: tuple[Any, ...]) -> str:
        """The name of the number that is asked for; "" where it is none."""
        word, thing = misread.shown(asked[0]), misread.shown(asked[1])
        name = self.vocabulary.resolve(word, [self.vocabulary.properties])
        prop = self.vocabulary.properties[name] if name is not None else None
        if prop is not None and prop.kind == "number":
            return prop.name
        things = prop if prop is not None and prop.kind == "object" else None
        if wrong := misread.no_quantity(word, thing, things) if prop is None or things is not None else None:
            self.problem(434, wrong[0], path, wrong[1])
        elif prop is not None:
            self.problem(434, f"“{word}” is not a quantity", path, "ask {is: [thing, condition]} instead")
        elif state := self.vocabulary.resolve(word, [self.vocabulary.classes]):
            hint = f"ask whether it is so, {{is: [{thing}, {state}]}}; or these rules do not speak of such a number"
            self.problem(434, f"“{word}” is a class, not a quantity", path, hint)
        else:
            self.property(word, path)
        return ""

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
        if len(text) > LONGEST:
            self.problem(
                435, f"a condition of {len(text):,} characters", path, f"at most {LONGEST:,}; ask about a part of it"
            )
            return m.Anything()
        # A label of several words is no expression, but may be all that is asked.
        said = text.strip().removeprefix("not ").strip()
        name = None if said in self.things else self.vocabulary.resolve(said, (self.vocabulary.classes,))
        if name is not None:
            return m.Named(name) if said == text.strip() else m.Not(m.Named(name))
        if (said == EACH and EACH not in further) or text.strip() == EACH:
            message, hint = misread.each("is")
            self.problem(436, message, path, hint)
            return m.Anything()
        bound = {"this", *further, *self.things}
        try:
            found = condition(text, set(bound))
        except Fault as e:
            try:
                found = condition(self.vocabulary.in_one_word(text), bound)
            except Fault:
                if misread.plain(said) and " " in said:
                    hint = self.meant(said) or did_you_mean(said, self.spellings(self.vocabulary.classes))
                    self.problem(436, f"the ontology has no class “{said}”", path, hint or "see loophole terms")
                    return m.Anything()
                shown = text if len(text) <= LONG else text[: LONG - 1] + "…"
                self.problem(435, f"in “{shown}” at character {e.token.column}: {e.message}", path, e.hint)
                return m.Anything()
        empty = m.Book("", "", (), m.Policy("", (), ()), ())
        linker = Linker(empty, self.vocabulary, {})
        linked = linker.condition(found)
        for p in linker.problems:
            self.problem(436, p.message, path, p.hint)
        return linked
