"""A decision table as a tree, Markdown, CSV, DMN (hit policy FIRST) and JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar
from xml.sax.saxutils import escape, quoteattr

from kb.research.decisions.functions import RULE
from kb.research.decisions.rows import DecisionTable, Row
from kb.research.decisions.shape import Key
from kb.research.decisions.table import Difference
from kb.research.decisions.text import Line, Wording, head, sort_words, text
from kb.research.decisions.together import Outcome

A = TypeVar("A")
B = TypeVar("B")
DMN = "https://www.omg.org/spec/DMN/20191111/MODEL/"


def as_tree(made: DecisionTable, width: int) -> str:
    """By outcome, then by rule with its title: every way in which it comes to that."""
    sections = made.shape.theory.sections
    out = [made.title]
    by_outcome = [(o, [*lines]) for o, lines in groupby(Wording(made).lines(), key=lambda line: line.outcome)]
    for outcome, lines, below in branches(by_outcome):
        out += branch(head(made, outcome), below, "", width)
        by_rules = [(rules, [*some]) for rules, some in groupby(lines, key=lambda line: line.rules)]
        for rules, ways, further in branches(by_rules):
            titles = [f"{rule} {sections[rule].title}".strip() for rule in rules if rule in sections]
            out += branch("; ".join(titles) or "no rule", further, below, width)
            for way, _, last in branches([(line, None) for line in ways]):
                out += branch(way.said, last, below + further, width)
    return "\n".join(out)


def branches(rows: Sequence[tuple[A, B]]) -> Iterator[tuple[A, B, str]]:
    """Each of the branches of a node, with what stands before all that is below it: a line on to the next branch, if there is one."""
    for n, (one, below) in enumerate(rows, 1):
        yield one, below, "   " if n == len(rows) else "│  "


def branch(said: str, below: str, before: str, width: int) -> list[str]:
    """The lines of a branch. before: what stands before them; below: before what is below it."""
    first, *rest = textwrap.wrap(said, max(width - len(before) - 3, 30))
    return [f"{before}{'└─ ' if below.isspace() else '├─ '}{first}", *(f"{before}{below}{more}" for more in rest)]


def of_books(made: Sequence[DecisionTable], width: int) -> str:
    """The tables of several books as text, one after the other."""
    return "\n\n".join(f"{one.shape.theory.book}\n{text(one, width)}" for one in made)


def as_markdown(made: DecisionTable) -> str:
    """A table in Markdown."""
    out = [f"**{made.title}**", "", "| | outcome | rules | when |", "|---|---|---|---|"]
    for n, line in enumerate(Wording(made).lines(), 1):
        out.append(
            f"| {n} | {sort_words(line.outcome)} | {', '.join(line.rules)} | {line.said} |".replace("|  |", "| |")
        )
    return "\n".join([*out, "", "The first row that is met decides.", "", *(f"* {note}" for note in made.notes)])


def as_csv(made: DecisionTable) -> str:
    """A row a line; a column for each input, empty where it does not matter."""
    wording, keys = Wording(made), used(made)
    told = io.StringIO()
    rows = csv.writer(told, lineterminator="\n")
    rows.writerow(["row", "outcome", "rules", *(wording.name(key) for key in keys)])
    for n, row in enumerate(made.rows, 1):
        cells = [wording.condition(key, row.allowed[key]) if key in row.allowed else "" for key in keys]
        rows.writerow([n, sort_words(row.outcome), " ".join(row.rules), *cells])
    return told.getvalue().rstrip("\n")


def as_dmn(made: DecisionTable) -> str:
    """A decision table of the Decision Model and Notation, with the options of each input as its values."""
    wording, keys = Wording(made), used(made)
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<definitions xmlns="{DMN}" id="loophole" name={quoteattr(made.title)} namespace="https://loophole.example/when">',
        f'  <decision id="decision" name={quoteattr(made.title)}>',
        '    <decisionTable id="table" hitPolicy="FIRST">',
    ]
    for n, key in enumerate(keys, 1):
        values = ", ".join(quoted(v) for v in options(made, wording, key))
        out += [
            f'      <input id="input{n}" label={quoteattr(wording.name(key))}>',
            f'        <inputExpression id="expression{n}" typeRef="string"><text>input{n}</text></inputExpression>',
            f"        <inputValues><text>{escape(values)}</text></inputValues>",
            "      </input>",
        ]
    out.append('      <output id="outcome" label="outcome" typeRef="string"/>')
    out.append('      <annotation name="rules"/>')
    for n, row in enumerate(made.rows, 1):
        out.append(f'      <rule id="rule{n}">')
        out += [
            f'        <inputEntry id="entry{n}-{i}"><text>{escape(entry(made, wording, row, key))}</text></inputEntry>'
            for i, key in enumerate(keys, 1)
        ]
        out.append(
            f'        <outputEntry id="outcome{n}"><text>{escape(quoted(sort_words(row.outcome)))}</text></outputEntry>'
        )
        out.append(f"        <annotationEntry><text>{escape(', '.join(row.rules))}</text></annotationEntry>")
        out.append("      </rule>")
    return "\n".join([*out, "    </decisionTable>", "  </decision>", "</definitions>"])


def to_json(made: DecisionTable) -> dict[str, Any]:
    """A table as JSON: the inputs with their options, each row with the options that it allows, and the same in English."""
    wording, keys = Wording(made), [*made.together.f.keys]
    names = {key: f"{key[1]}.{key[2]}" if key[1] else key[2] for key in keys}
    rows = [
        {
            "outcome": row.outcome.verdict, "by_rule": row.outcome.by_rule, "rules": list(row.rules),
            "when": list(wording.conditions(row.allowed)),
            "allowed": {names[key]: sorted(allowed) for key, allowed in row.allowed.items()},
        }
        for row in made.rows
    ]  # fmt: skip
    inputs = [{"name": names[key], "options": options(made, wording, key)} for key in keys]
    return {
        "title": made.title, "inputs": inputs, "rows": rows, "lines": [in_json(line) for line in wording.lines()],
        "needs": {sort_words(o): list(rules) for o, rules in made.needs.items() if rules},
        "shares": {sort_words(o): share for o, share in made.shares.items()}, "rules": made.by_rule,
        "notes": list(made.notes),
    }  # fmt: skip


def difference_json(found: Difference) -> dict[str, Any]:
    """Where two theories differ, as JSON: in which share of the shape, and each situation with what it comes to by the first and the second."""
    wording = Wording(found.table)
    by_pair: dict[tuple[Outcome, Outcome], list[Row]] = {}
    for row, then in found.rows:
        by_pair.setdefault((row.outcome, then), []).append(row)
    rows = [
        {"before": sort_words(before), "after": sort_words(then), "rules": list(line.rules), "when": line.said}
        for (before, then), group in by_pair.items()
        for line in map(wording.line, wording.groups(group))
    ]
    return {"title": found.table.title, "share": found.share, "rows": rows}


def in_json(line: Line) -> dict[str, Any]:
    """A row as text prints it."""
    return {"outcome": sort_words(line.outcome), "rules": list(line.rules), "when": line.said}


def used(made: DecisionTable) -> list[Key]:
    """The inputs that a row names, in the order in which rules ask for them."""
    return [key for key in made.together.f.keys if any(key in row.allowed for row in made.rows)]


def options(made: DecisionTable, wording: Wording, key: Key) -> list[str]:
    """What an input may be, in English."""
    size = 2 if key[0] == RULE else len(made.shape.inputs[key].options)
    return [wording.condition(key, [n]) for n in range(size)]


def entry(made: DecisionTable, wording: Wording, row: Row, key: Key) -> str:
    """A cell of a row in DMN: the options that it allows; "-" for any."""
    if key not in row.allowed:
        return "-"
    values = options(made, wording, key)
    return ", ".join(quoted(values[n]) for n in sorted(row.allowed[key]))


def quoted(said: str) -> str:
    """A string of DMN's expression language."""
    return '"' + said.replace("\\", "\\\\").replace('"', '\\"') + '"'
