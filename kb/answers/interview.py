"""Asks what still matters: from a kind of act to an answer, the best question first, each with the reason it is asked.

interview = Interview(theory, "Move")
while question := interview.next():
    interview.answer(question, "yes")     # or no, unknown, a class, a number, a thing's name
interview.proof; interview.data()         # the answer, and the case that was built
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from kb.answers.proof_json import facts as plain
from kb.errors import CaseError, Problem, did_you_mean
from kb.language import english, phrases
from kb.language.case import Case, Edit, Fact, Facts, Question
from kb.language.norms import Named, Role
from kb.numbers import number
from kb.reasoner import proof as p, reason
from kb.reasoner.proof import Proof
from kb.reasoner.trace import Missing
from kb.rulebook.theory import Theory
from kb.yaml_document import written

YES = frozenset(["yes", "y", "true"])
NO = frozenset(["no", "n", "false"])
UNKNOWN = frozenset(["unknown", "?", "u", "don't know", "dont know", ""])
NONE = frozenset(["none", "nothing", "none of these", *NO])
MOST_QUESTIONS = 100
MOST_TRIED = 12  # open facts that are tried either way for the next question


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. kind: yes-no, what (a class or a thing) or number. why: the rules and the outcome each way."""

    text: str
    kind: str
    why: str
    rows: tuple[Missing, ...]
    options: tuple[str, ...] = ()


class Interview:
    """Builds a case by asking; `proof` is the answer so far."""

    def __init__(self, theory: Theory, act: str, kind: str = "may"):
        classes = theory.vocabulary.classes
        name = theory.vocabulary.resolve(act, [classes])
        if name is None:
            acts = [n for c in classes.values() if "Act" in c.ancestors for n in (c.name, c.label, *c.alt)]
            hint = did_you_mean(act, acts) or "see loophole terms act"
            raise CaseError(Problem(450, f"no kind of act is called “{act}”", hint=hint))
        self.theory = theory
        thing = fresh(classes[name].label, ())
        things = {thing: Facts(thing, (name,))}
        if "actor" in theory.vocabulary.properties and "Friendly" in classes:
            things[thing] = Facts(thing, (name,), links={"actor": ("unit",)})
            things["unit"] = Facts("unit", ("Friendly",))
        self.case = Case(theory.book, things, Question(kind, thing))
        self.skipped: set[Fact] = set()
        self.asked: list[tuple[str, str]] = []
        self.proof = self.ask()

    def parted(self) -> Interview:
        """The same talk, to be gone on with apart from this one."""
        other = copy(self)
        other.skipped, other.asked = set(self.skipped), list(self.asked)
        return other

    def ask(self) -> Proof:
        """The answer to the case as it stands."""
        return reason.answer(self.theory, self.case, most=MOST_TRIED)

    # ── what to ask ──

    def next(self) -> Asked | None:
        """The best question left; None when the verdict is settled, or nothing that is left would settle it: nothing does
        where rules that are not loaded decide."""
        if len(self.asked) >= MOST_QUESTIONS or self.proof.verdict == p.OUTSIDE:
            return None
        if self.proof.verdict == p.UNDETERMINED:
            rows = [r for r in self.proof.missing if self.open(r)]
            return self.question(rows) if rows else None
        return self.confirmation()

    def open(self, row: Missing) -> bool:
        """Whether a missing fact is still to be asked for: not skipped, possible both ways."""
        return row.fact not in self.skipped and p.IMPOSSIBLE not in (row.if_true, row.if_false) and any(row.edits)

    def question(self, rows: list[Missing]) -> Asked:
        """The first row, together with those that ask for the same place to be filled."""
        first = rows[0]
        kind, thing, name = place(first)
        if kind == "number":
            return Asked(f"{self.number_text(first)}?", "number", self.why([first]), (first,))
        if kind not in ("link", "is"):
            return Asked(f"is it so that {self.said(first)}?", "yes-no", self.why([first]), (first,))
        alike = tuple(r for r in rows if place(r)[:2] == (kind, thing) and (kind == "is" or place(r)[2] == name))
        options = tuple(dict.fromkeys(o for r in alike if (o := self.option(r))))
        if len(options) > 1:
            what = self.label(thing)
            if kind == "link":
                what = english.role_phrase(self.theory.vocabulary, Role(name), what)
            labels = tuple(self.theory.vocabulary.classes[o].label for o in options)
            return Asked(f"what is {what}?", "what", self.why(alike), alike, labels)
        said = self.said(first)
        if kind == "link" and options:
            said = self.filled(thing, name, options[0])
        return Asked(f"is it so that {said}?", "yes-no", self.why(alike), alike)

    def said(self, row: Missing) -> str:
        """A missing fact in English."""
        return row.said(self.theory.vocabulary)

    def filled(self, thing: str, name: str, cls: str) -> str:
        """`charge goes into a keep`: a place filled with something of a class."""
        return phrases.say_filler(self.theory.vocabulary, Role(name), self.label(thing), Named(cls))

    def option(self, row: Missing) -> str:
        """The class that an open place would be filled with."""
        edit = row.edits[0][-1]
        if edit.kind != "link":
            return str(edit.name)
        new, described = edit.value
        stated: tuple[str, ...] = described[new].is_ if new in described else ()
        return stated[0] if stated else ""

    def number_text(self, row: Missing) -> str:
        """The question for a missing number, with its unit."""
        edit = row.edits[0][-1]
        term = self.theory.vocabulary.properties[edit.name]
        return f"what is the {term.label} of {self.label(edit.thing)}" + (f" (in {term.unit})" if term.unit else "")

    def why(self, rows: Iterable[Missing]) -> str:
        """`B30.42 turns on it: forbidden if so, permitted if not`."""
        listed = list(rows)
        rules = list(dict.fromkeys(rule for r in listed for rule in r.rules))
        said = (
            f"{english.series(rules)} turn{'s' if len(rules) == 1 else ''} on it" if rules else "the answer turns on it"
        )
        if len(listed) == 1:
            return f"{said}: {listed[0].if_true} if so, {listed[0].if_false} if not"
        outcomes = list(dict.fromkeys(r.if_true for r in listed))
        return f"{said}: it may be {english.series(outcomes, 'or')}"

    def confirmation(self) -> Asked | None:
        """A list that is presumed empty though nobody was asked, where something in it would turn the answer."""
        presumed = {(a.thing, a.term) for a in self.proof.assumptions if a.kind == "completeness"}
        if not presumed:
            return None
        for flip in self.proof.flips:
            if flip.kind != "facts" or not flip.edits or self.skipped.issuperset(flip.facts):
                continue
            last = flip.edits[-1]
            if last.kind == "link" and (last.thing, last.name) in presumed:
                away = (*flip.edits[:-1], Edit("unlink", last.thing, last.name))
                row = Missing(flip.facts[-1], (flip.edits, away), flip.verdict, self.proof.verdict)
                why = f"so far it is presumed not: {flip.verdict} if so, {self.proof.verdict} if not"
                cls = self.option(row)
                said = (
                    self.filled(last.thing, last.name, cls)
                    if cls and last.thing in self.case.things
                    else flip.said(self.theory.vocabulary)
                )
                return Asked(f"is it so that {said}?", "yes-no", why, (row,))
        return None

    # ── answers ──

    def answer(self, question: Asked, said: str) -> None:
        """Takes an answer. Raises CaseError when it is not understood or contradicts what is known."""
        text = said.strip()
        word = text.casefold()
        first = question.rows[0]
        if word in UNKNOWN:
            self.skipped |= {r.fact for r in question.rows}
        elif question.kind == "number" and (amount := number(text)) is not None:
            edit = first.edits[0][-1]
            self.apply([*first.edits[0][:-1], Edit("number", edit.thing, edit.name, amount)])
        elif question.kind == "number":
            raise CaseError(Problem(451, f"“{text}” is no number", hint='write 3, 2.5, "2 1/2" or unknown'))
        elif question.kind == "yes-no" and word in YES and place(first)[0] == "link" and self.option(first):
            self.fill(first, self.option(first))
        elif question.kind == "yes-no" and word in YES:
            self.apply(first.edits[0])
        elif word in NO or (question.kind == "what" and word in NONE):
            self.deny(question.rows)
        else:
            self.fill(first, text)
        self.asked.append((question.text, text))
        self.proof = self.ask()

    def deny(self, rows: Iterable[Missing]) -> None:
        """Makes it a fact that an open place is filled with none of these."""
        denied = [r.edits[1] for r in rows if r.edits[1]]
        self.skipped |= {r.fact for r in rows}
        lasts = [edits[-1] for edits in denied]
        if lasts and all(e.kind == "link" for e in lasts):
            # One thing there that is none of them, rather than one thing for each.
            first = lasts[0]
            name = first.value[0]
            not_ = tuple(dict.fromkeys(n for e in lasts for f in e.value[1].values() for n in f.not_))
            self.apply([*denied[0][:-1], Edit("link", first.thing, first.name, (name, {name: Facts(name, (), not_)}))])
            return
        for edits in denied:
            self.apply(edits)

    def fill(self, row: Missing, text: str) -> None:
        """Puts a class, or a thing of the case, in an open place. `NAME = CLASS` names a new thing."""
        classes = self.theory.vocabulary.classes
        edit = row.edits[0][-1]
        own, sep, word = (part.strip() for part in text.partition("="))
        word = word if sep else text
        cls = self.theory.vocabulary.resolve(word, [classes])
        if edit.kind == "link" and not sep and text in self.case.things:
            self.apply([*row.edits[0][:-1], Edit("link", edit.thing, edit.name, (text, {}))])
            return
        if cls is None:
            known = [n for c in classes.values() for n in (c.name, c.label, *c.alt)]
            hint = (
                did_you_mean(word, (*known, *self.case.things))
                or "answer yes, no, unknown, or a class (see loophole terms)"
            )
            raise CaseError(Problem(452, f"“{word}” is neither an answer nor a class", hint=hint))
        if edit.kind == "link":
            self.fits(row, cls)
            name = own if sep else fresh(classes[cls].label, self.case.things)
            new = Edit("link", edit.thing, edit.name, (name, {name: Facts(name, (cls,))}))
            self.apply([*row.edits[0][:-1], new])
            return
        for known_cls in self.known(edit.thing):
            if cls in classes[known_cls].disjoint:
                one, other = english.noun(classes[known_cls]), english.noun(classes[cls])
                raise CaseError(
                    Problem(
                        453,
                        f"{self.label(edit.thing)} is {one} and cannot be {other}",
                        hint="answer with a class that fits",
                    )
                )
        self.apply([*row.edits[0][:-1], Edit("is", edit.thing, cls)])

    def known(self, thing: str) -> Iterator[str]:
        """The classes that a thing is stated to be of, and those of the places it stands in."""
        facts = self.case.things.get(thing)
        yield from facts.is_ if facts is not None else ()
        for other in self.case.things.values():
            for name, targets in other.links.items():
                wanted = self.theory.vocabulary.properties[name].range
                if thing in targets and wanted in self.theory.vocabulary.classes:
                    yield wanted

    def fits(self, row: Missing, cls: str) -> None:
        """Whether a class can stand in an open place: what was asked for, and what the property leads to."""
        vocabulary = self.theory.vocabulary
        edit = row.edits[0][-1]
        for wanted in (self.option(row), vocabulary.properties[edit.name].range):
            if wanted in vocabulary.classes and wanted in vocabulary.classes[cls].disjoint:
                one, other = english.noun(vocabulary.classes[cls]), english.noun(vocabulary.classes[wanted])
                raise CaseError(
                    Problem(453, f"{one} cannot be {other}", hint="answer yes, no, unknown, or a fitting class")
                )

    def apply(self, edits: Iterable[Edit]) -> None:
        """Changes the case; new things get names that people would give them."""
        case = self.case
        renamed: dict[str, str] = {}
        for edit in edits:
            edit = replace(edit, thing=renamed.get(edit.thing, edit.thing))
            if edit.kind == "link":
                new, described = edit.value
                for old, facts in described.items():
                    renamed[old] = self.named(old, facts, case.things, renamed)
                things = {
                    renamed[old]: replace(facts, name=renamed[old], links=relinked(facts.links, renamed))
                    for old, facts in described.items()
                }  # fmt: skip
                edit = replace(edit, value=(renamed.get(new, new), things))
            case = edit.apply(case)
        self.case = case

    def named(self, old: str, facts: Facts, taken: Mapping[str, Any], renamed: Mapping[str, str]) -> str:
        """A name that a reader can use for a thing that was made up, apart from those taken."""
        if "." not in old and not old.endswith("?"):
            return old
        base = self.theory.vocabulary.classes[facts.is_[0]].label if facts.is_ else old.rstrip("?").rpartition(".")[2]
        return fresh(base, (*taken, *renamed.values()))

    # ── what was built ──

    def label(self, thing: str) -> str:
        """What a thing is called."""
        facts = self.case.things.get(thing)
        return facts.label or thing if facts is not None else thing

    def data(self) -> dict[str, Any]:
        """The case as plain data, ready to be written as YAML and asked again."""
        q = self.case.question
        return {
            "book": self.case.book,
            "things": {n: plain(f) for n, f in self.case.things.items()},
            "ask": {q.kind: q.thing},
        }

    def text(self) -> str:
        """The case as YAML."""
        return written(self.data())


def place(row: Missing) -> tuple[str, str, str]:
    """What a row's edit is about: (kind, thing, property or class)."""
    if not row.edits[0]:
        return "", "", ""
    edit = row.edits[0][-1]
    return ("is" if edit.kind in ("is", "become") else edit.kind), edit.thing, edit.name


def relinked(links: Mapping[str, tuple[str, ...]], renamed: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Links with things renamed."""
    return {name: tuple(renamed.get(t, t) for t in targets) for name, targets in links.items()}


def fresh(label: str, taken: Iterable[str]) -> str:
    """A name made of a label that is not taken yet: `move`, `open-ground`, `squad2`."""
    base = "-".join("".join(ch if ch.isalnum() else " " for ch in label).split()).casefold() or "thing"
    names, n = set(taken), 1
    while (name := base if n == 1 else f"{base}{n}") in names:
        n += 1
    return name
