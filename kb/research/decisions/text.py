"""A decision table in English: conditions of the inputs' own facts, grouped by what they are about, with the rules beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kb.language import english, norms as m, phrases
from kb.language.case import Amount, Fact, Reaches
from kb.language.rule_number import sort_key
from kb.reasoner import proof as p
from kb.research.decisions.functions import LETS, RULE
from kb.research.decisions.inputs import NUMBER, Input, Key
from kb.research.decisions.rows import DecisionTable, Row
from kb.research.decisions.together import BEYOND, FREED, SILENT, Outcome
from kb.rulebook.compiler import conjuncts

HEADS = {
    p.FORBIDDEN: "MAY NOT", p.CONFLICT: "THE RULES CONTRADICT EACH OTHER", p.PERMITTED: "MAY", BEYOND: "NOT RULED HERE", SILENT: "NO RULE ALLOWS IT", FREED: "MAY, FOR WHAT A RULE BARS ON A CONDITION IT LETS BE WITHOUT IT",
}  # fmt: skip
MARGIN = 12


@dataclass(frozen=True, slots=True)
class Line:
    """A row for a reader. outcome; rules; conditions: sentences that all hold; unless: sentences of which not all hold."""

    outcome: Outcome
    rules: tuple[str, ...]
    conditions: tuple[str, ...]
    unless: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The conditions in one sentence; "otherwise" where there are none."""
        whole = ", and ".join(self.conditions)
        if not self.unless:
            return whole or "otherwise"
        return f"{whole}, unless {', and '.join(self.unless)}" if whole else f"unless {', and '.join(self.unless)}"


class Wording:
    """Puts the rows of a table in English."""

    def __init__(self, table: DecisionTable):
        self.table, self.shape, self.vocabulary = table, table.shape, table.shape.vocabulary

    # ── one input ──

    def condition(self, key: Key, allowed: Iterable[int]) -> str:
        """An input that is one of some of its options."""
        kept = sorted(allowed)
        if key[0] == RULE:
            return self.let_be(key[2], kept == [0]) if key[1] == LETS else self.of_rule(key[2], kept == [0])
        row = self.shape.inputs[key]
        out = [n for n in range(len(row.options)) if n not in kept]
        if row.last in kept and row.options[row.last].fact is None:
            return self.facts(row, out, False)
        return self.facts(row, kept, True)

    def facts(self, row: Input, options: Sequence[int], so: bool) -> str:
        """Some options of an input: that one of them is so, or that none is."""
        if row.key[0] == NUMBER and len(options) > 1 and (bound := outer(row, options)) is not None:
            return self.fact(bound)
        facts = [f for n in options if (f := row.options[n].fact) is not None]
        reach = [f for f in facts if isinstance(f, Reaches)]
        rest = [f for f in facts if not isinstance(f, Reaches)]
        said = []
        if reach:
            fillers = widest(list(dict.fromkeys(f.filler for f in reach)))
            wanted = fillers[0] if len(fillers) == 1 else m.Or(fillers)
            one = reach[0]
            said.append(self.fact(Reaches(one.thing, one.label, one.role, wanted, so)))
        said += [self.fact(f if so else denied(f)) for f in rest]
        return f" {'or' if so else 'and'} ".join(said)

    def fact(self, fact: Fact) -> str:
        """A fact in English."""
        return phrases.say_fact(self.vocabulary, fact)

    def of_rule(self, norm_id: str, so: bool) -> str:
        """What a norm asks for and no input tells: its comparisons of numbers."""
        norm, act = self.table.together.f.reckoned[norm_id], self.shape.label(self.shape.base.question.thing)
        parts = [c for c in conjuncts(norm.when) if compares(c)] or [norm.when]
        asked = parts[0] if len(parts) == 1 else m.And(tuple(parts))
        start, _, rest = phrases.say_condition(self.vocabulary, asked).partition(" ")
        predicate = rest if start == "that" else phrases.predicative(self.vocabulary, asked)
        return f"{act} {predicate if so else english.negated(predicate)}"

    def let_be(self, norm_id: str, so: bool) -> str:
        """That a bar lets the act be, where no input tells whether it does."""
        predicate = f"is let be by what {norm_id} asks for"
        return f"{self.shape.label(self.shape.base.question.thing)} {predicate if so else english.negated(predicate)}"

    def name(self, key: Key) -> str:
        """What an input is called at the head of a column: a thing and a term."""
        if key[0] == RULE:
            return key[2]
        term = self.vocabulary.classes.get(key[2]) or self.vocabulary.properties[key[2]]
        return f"{self.shape.label(key[1])}: {term.label}"

    # ── rows ──

    def conditions(self, allowed: dict[Key, frozenset[int]]) -> tuple[str, ...]:
        """The conditions of a row, those on one thing in one sentence."""
        order = [key for key in self.shape.inputs if key in allowed] + [k for k in allowed if k[0] == RULE]
        return told_together([(self.subject(key), self.condition(key, allowed[key])) for key in order])

    def subject(self, key: Key) -> str:
        """What a condition is about."""
        return self.shape.label(key[1]) if key[1] in self.shape.base.things else ""

    def lines(self) -> list[Line]:
        """The rows of the table: of one rule, those that differ in one thing are told in one."""
        found: list[Line] = []
        rows = self.table.rows
        n = 0
        while n < len(rows):
            end = n
            while end < len(rows) and rows[end].outcome == rows[n].outcome:
                end += 1
            block = sorted(rows[n:end], key=lambda row: [sort_key(rule) for rule in row.rules[:1]])
            found += [self.line(group) for group in self.groups(block)]
            n = end
        return found

    def groups(self, rows: Sequence[Row]) -> list[list[Row]]:
        """Rows that are alike but for one condition each."""
        groups: list[list[Row]] = []
        for row in rows:
            for group in groups:
                both = shared([*group, row])
                if group[0].rules == row.rules and all(len(r.allowed) - len(both) == 1 for r in [*group, row]):
                    group.append(row)
                    break
            else:
                groups.append([row])
        return groups

    def line(self, group: Sequence[Row]) -> Line:
        """Rows that are alike but for one condition each, as one."""
        first = group[0]
        if len(group) == 1:
            return Line(first.outcome, first.rules, self.conditions(first.allowed))
        both = shared(group)
        apart = [(key, row.allowed[key]) for row in group for key in row.allowed if key not in both]
        against = {key: frozenset(range(self.size(key))) - options for key, options in apart}
        if len(against) == len(apart) and all(self.plainly_not(key, options) for key, options in apart):
            return Line(first.outcome, first.rules, self.conditions(both), self.conditions(against))
        either = either_of([(self.subject(key), self.condition(key, options)) for key, options in apart])
        return Line(first.outcome, first.rules, (*self.conditions(both), either))

    def size(self, key: Key) -> int:
        """How many options an input has."""
        return 2 if key[0] == RULE else len(self.shape.inputs[key].options)

    def plainly_not(self, key: Key, options: frozenset[int]) -> bool:
        """Whether a condition says that something is not so."""
        return self.size(key) - 1 in options


def outer(row: Input, options: Sequence[int]) -> Fact | None:
    """The one limit of the ranges of a number that lie side by side up to its end; None of others."""
    side_by_side = list(options) == list(range(options[0], options[-1] + 1))
    edge = row.options[options[0]] if options[-1] == row.last else row.options[options[-1]] if options[0] == 0 else None
    if not side_by_side or edge is None or not isinstance(edge.fact, Amount):
        return None
    return replace(edge.fact, op=">=" if options[-1] == row.last else "<=") if edge.fact.op == "=" else edge.fact


def widest(fillers: list[m.Condition]) -> tuple[m.Condition, ...]:
    """Some conditions less those that say more of a kind that is named as well: obstacles that are gapped, beside obstacles."""
    named = {c for c in fillers if isinstance(c, m.Named)}
    return tuple(c for c in fillers if not (isinstance(c, m.And) and named & {*c.parts}))


def denied(fact: Fact) -> Fact:
    """A fact, put the other way round."""
    return replace(fact, so=not fact.so) if hasattr(fact, "so") else fact


def shared(rows: Sequence[Row]) -> dict[Key, frozenset[int]]:
    """The conditions that rows have in common."""
    return {k: v for k, v in rows[0].allowed.items() if all(row.allowed.get(k) == v for row in rows[1:])}


def told_together(rows: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Sentences, each with what it is about; neighbours that say what one thing is in one: `the unit is pinned and infantry`."""
    found: list[tuple[str, list[str]]] = []
    for subject, said in sorted(rows, key=lambda row: [s for s, _ in rows].index(row[0])):
        start = f"{subject} is "
        if subject and said.startswith(start) and " or " not in said:
            if found and found[-1][0] == start:
                found[-1][1].append(said.removeprefix(start))
                continue
            found.append((start, [said.removeprefix(start)]))
        else:
            found.append(("", [said]))
    return tuple(f"{start}{english.series(said)}" for start, said in found)


def either_of(rows: Sequence[tuple[str, str]]) -> str:
    """One of some sentences: `the unit is a vehicle or an animal, or the move is a rout`."""
    by_start: dict[str, list[str]] = {}
    for subject, said in rows:
        start = f"{subject} is " if subject and said.startswith(f"{subject} is ") else ""
        by_start.setdefault(start or said, []).append(said.removeprefix(start) if start else "")
    said_ = [f"{start}{english.series(ends, 'or')}" if ends != [""] else start for start, ends in by_start.items()]
    return ", or ".join(said_) if len(by_start) < len(rows) else english.series(said_, "or")


def compares(c: object) -> bool:
    """Whether a condition compares numbers somewhere."""
    if isinstance(c, m.Compare):
        return True
    return any(map(compares, m.made_of(c)))


# ── text ──


def text(table: DecisionTable, width: int) -> str:
    """A table for a terminal."""
    wording = Wording(table)
    rows = wording.lines()
    out = [table.title, ""]
    last: Outcome | None = None
    beside = all(len(rule) < MARGIN - 1 for line in rows for rule in line.rules)
    for n, line in enumerate(rows, 1):
        if line.outcome != last:
            out += [*([""] if last else []), *textwrap.wrap(head(table, line.outcome), width)]
            last = line.outcome
        cites = ", ".join(line.rules)
        rules = textwrap.wrap(cites or "–", MARGIN - 1) if beside else []
        whole = line.said if beside or not cites else f"{line.said}  [{cites}]"
        margin = MARGIN if beside else 0
        said = textwrap.wrap(whole, width - margin - 5, break_long_words=False, break_on_hyphens=False)
        for i in range(max(len(rules), len(said))):
            number = f"{n:3}. " if i == 0 else "     "
            out.append(
                f"{number}{(rules[i] if i < len(rules) else ''):{margin}}{said[i] if i < len(said) else ''}".rstrip()
            )
    out += ["", *textwrap.wrap("The first row that is met decides.", width)]
    out += [f"  {line}" if i else line for note in table.notes for i, line in enumerate(textwrap.wrap(note, width - 2))]
    return "\n".join(out)


def sort_words(outcome: Outcome) -> str:
    """An outcome in a few words."""
    if outcome.sort == SILENT:
        return "forbidden: no rule allows it" if outcome.verdict == p.FORBIDDEN else "not ruled here"
    return {BEYOND: "not ruled here: other rules on that state", FREED: "permitted: barred only otherwise"}.get(
        outcome.sort, outcome.verdict
    )


def differences(table: DecisionTable, rows: Sequence[tuple[Row, Outcome]], names: tuple[str, str], width: int) -> str:
    """Where two theories differ, for a terminal. names: what each is called."""
    wording, out = Wording(table), list[str]()
    by_pair: dict[tuple[Outcome, Outcome], list[Row]] = {}
    for row, then in rows:
        by_pair.setdefault((row.outcome, then), []).append(row)
    for (before, then), group in by_pair.items():
        out += ["", *textwrap.wrap(f"{names[0]}: {sort_words(before)}; {names[1]}: {sort_words(then)}", width)]
        for line in map(wording.line, wording.groups(group)):
            rules = ", ".join(line.rules)
            out += textwrap.wrap(f"{rules}  {line.said}", width, initial_indent="  ", subsequent_indent=" " * MARGIN)
    return "\n".join(out[1:])


def head(table: DecisionTable, outcome: Outcome) -> str:
    """What stands over the rows of an outcome."""
    said = HEADS[outcome.sort]
    needs = ", ".join(table.needs.get(outcome, ()))
    if outcome.sort == p.PERMITTED and needs:
        said += f", as far as {needs} (not loaded) let it"
    if outcome.sort == BEYOND and needs:
        said += f": {needs} (not loaded) say what then is so"
    if outcome.sort == SILENT:
        said = (
            f"MAY NOT, for no rule allows it ({table.closing})"
            if outcome.verdict == p.FORBIDDEN
            else f"NOT RULED HERE{': ' + needs + ' (not loaded) decide' if needs else ''}"
        )
    return said
