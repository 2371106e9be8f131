"""Decision tables: equal to the rules over their shape, as short as can be, and a wrong row is noticed."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from api import cli
from kb import asking, registry, resources
from kb.reasoner import proof as p
from kb.research.decisions import asked, formats, table as tables, trees
from kb.research.decisions.bdd import Diagrams
from kb.research.decisions.check import disagreement, disagreements, drawn, met
from kb.research.decisions.inputs import led_to
from kb.research.decisions.rows import DecisionTable
from kb.research.decisions.text import Wording
from kb.research.decisions.together import Outcome
from tests import strategies
from tests.night import NIGHT, some, times, today

ACTS = [
    ("asl", "CloseCombat", {"target": ("Squad",)}),
    ("asl", "Inspection", {}),
    ("fow", "Attack", {}),
    ("vv", "Withdrawal", {"destination": ("Bunker",)}),
    ("vv", "Withdrawal", {}),
    ("vv", "TakingPosition", {"destination": ("Foxhole",)}),
    ("asl", "Entry", {"destination": ("Pillbox",)}),
    ("asl", "SetUp", {"place": ("Pillbox",)}),
    ("vv", "Fire", {}),
    ("fow", "Gapping", {}),
    ("fow", "Assault", {"target": ("Bunker",)}),
    ("fow", "Fire", {"target": ("Bunker",)}),
]  # fmt: skip


@lru_cache
def made(book: str, act: str, *roles: tuple[str, tuple[str, ...]]) -> DecisionTable:
    """The table of an act; several tests look at it."""
    case = tables.situation(registry.vocabulary(book), book, act, dict(roles))
    return tables.table(asking.rules(case), case)


ENTRY = ("asl", "Entry", ("destination", ("Pillbox",)))


# ── functions ──


def test_equal_functions_are_one_node_and_products_are_prime_and_irredundant() -> None:
    dice = random.Random(7)
    for _ in range(60):
        d, n = Diagrams(), 5
        wanted = {bits: dice.choice((True, False, None)) for bits in itertools.product((False, True), repeat=n)}
        cells = {bits: d.product(dict(enumerate(bits))) for bits in wanted}
        lower = d.either(*(cells[b] for b, so in wanted.items() if so))
        upper = d.either(*(cells[b] for b, so in wanted.items() if so is not False))
        rows = d.products(lower, upper)
        sums = [d.product(row) for row in rows]
        assert d.within(lower, d.either(*sums)) and d.within(d.either(*sums), upper)
        for i in range(len(sums)):
            assert not d.within(lower, d.either(*(s for j, s in enumerate(sums) if j != i))) or lower == 0
        assert d.count(lower, range(n)) == sum(so is True for so in wanted.values())
        assert d.no(d.no(lower)) == lower


# ── against the reasoner ──


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "act", "roles"),
    today(some(ACTS, of=2), of=3),
    ids=lambda told: told if isinstance(told, str) else "-".join(told),
)
def test_a_table_says_what_the_reasoner_says(book: str, act: str, roles: dict[str, tuple[str, ...]]) -> None:
    found = made(book, act, *roles.items())
    much = times(10_000, of=400)
    faults = list(disagreements(found, much, seed=11 if NIGHT else 3))
    assert not faults, (faults[0].found, faults[0].row, faults[0].case)
    assert len(list(drawn(found, much, 3))) >= min(much, 16)


@pytest.mark.slow
@pytest.mark.parametrize("book", resources.games())
def test_the_table_of_every_act_says_what_the_reasoner_says_or_what_to_tell_first(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of which nothing is told; at night all of them, by day one in thirty-six, others each day, and those that grow a quarter as wide as may be."""
    monkeypatch.setattr("kb.research.decisions.trees.MOST_LEAVES", times(trees.MOST_LEAVES, of=4))
    told = {act for b, act, roles in ACTS if b == book and not roles}
    wide = 0
    for act, _ in today([row for row in asked.acts(book) if row[0] not in told], of=36):
        try:
            found = made(book, act)
        except tables.TooWide as fault:
            wide += 1
            known = registry.vocabulary(book)
            assert fault.first and all(known.properties[name].kind == "object" for name in fault.first), act
            assert all(kind in known.classes for kinds in fault.first.values() for kind in kinds), act
            continue
        faults = list(disagreements(found, times(10_000, of=100), seed=7))
        assert not faults, (act, faults[0].found, faults[0].row, faults[0].case)
    assert wide <= 20


def test_what_takes_too_many_goals_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    case, theory = asked.posed("Gapping", "fow", {})
    assert tables.table(theory, case).rows
    for bound in ("together", "turning"):  # of a round, and of all
        with monkeypatch.context() as less:
            less.setattr(f"kb.research.decisions.together.{'turning.' if bound == 'turning' else ''}MOST_GOALS", 500)
            with pytest.raises(tables.TooWide):
                tables.table(theory, case)


@pytest.mark.slow
def test_a_relation_between_two_things_of_a_shape_is_seen_from_both_ends() -> None:
    """Where one is at is told by whom a place has in it; and what is next to a thing has that next to it."""
    found = made("asl", "CloseCombat", ("target", ("Pillbox",)))
    next_to, inside, at = (
        ("link", "target", "adjacentTo"), ("link", "here", "interior"), ("link", "target.exterior", "occupant"),
    )  # fmt: skip
    usual = {key: found.shape.inputs[key].last for key in found.together.f.keys if key[0] != "rule"}
    told = {**usual, next_to: 0, ("link", "here", "adjacentTo"): 0, ("link", "here", "nextToPillbox"): 0}
    assert all(led_to(found.shape.inputs[key].options[0]) == "here" for key in (next_to, at))
    not_so = {key: 1 for key in found.together.f.keys if key[0] == "rule"}
    barred, let = met(found, {**not_so, **told}).outcome, met(found, {**not_so, **told, at: 0}).outcome
    assert barred == Outcome(p.FORBIDDEN, True) and let != barred and inside in usual
    assert disagreement(found, told) is None and disagreement(found, {**told, at: 0}) is None
    f = found.together.f
    one_end = {**not_so, **told, ("link", "here", "adjacentTo"): 1}
    one_sided = {var: one_end[key] == n for var, (key, n) in f.where.items()}
    assert not f.d.holds(found.together.care, one_sided)


def test_a_wrong_row_is_noticed() -> None:
    found = made("fow", "Gapping")
    for n, row in enumerate(found.rows):
        other = p.PERMITTED if row.outcome.verdict == p.FORBIDDEN else p.FORBIDDEN
        wrong = [replace(r, outcome=Outcome(other, True)) if i == n else r for i, r in enumerate(found.rows)]
        assert list(disagreements(replace(found, rows=wrong), 150, 1)), row
    lost = [row for row in found.rows if row.rules != ("GappingObstacles.2",)]
    assert len(lost) < len(found.rows) and list(disagreements(replace(found, rows=lost), 150, 1))


def test_rows_are_equal_to_what_the_rules_come_to_and_none_can_be_left_out() -> None:
    found = made(*ENTRY)
    f, d = found.together.f, found.together.f.d
    left, said = found.together.care, dict.fromkeys(found.shares, 0)
    for row in found.rows:
        here = d.both(left, f.function(row.allowed))
        assert here, row
        said[row.outcome] = d.either(said[row.outcome], here)
        left = d.but(left, here)
    assert said == found.together.outcomes() and left == 0
    bars = [row for row in found.rows if row.outcome == Outcome(p.FORBIDDEN, True)]
    upper = d.either(found.together.outcomes()[Outcome(p.FORBIDDEN, True)], d.no(f.care))
    for row in bars:
        for key in row.allowed:
            assert not f.holds(upper, {k: v for k, v in row.allowed.items() if k != key}), (row, key)


# ── for a reader ──


def test_the_door_of_a_pillbox() -> None:
    lines = {line.rules: line.said for line in Wording(made(*ENTRY)).lines() if line.outcome.verdict == p.FORBIDDEN}
    assert lines[("B30.92",)] == (
        "the entry goes by something that is eliminated, the pillbox is eliminated or the unit is eliminated"
    )
    barred = [line.said for line in Wording(made(*ENTRY)).lines() if line.rules == ("B30.44",)]
    assert "an enemy that is infantry is in the pillbox, and the unit is infantry" in barred
    assert any(said.startswith("the unit is berserk, and") for said in barred)
    assert "unless the entry is in an APh or an RtPh, and the entry goes by a subterranean way" in lines[("B30.42",)]
    told = tables.text(made(*ENTRY), 80)
    assert max(map(len, told.splitlines())) <= 80 and "MAY, as far as A4" in told and "(A.2)" in told


def test_the_page_shows_what_is_printed(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = (
        (root / "docs" / "when.md")
        .read_text(encoding="utf-8")
        .partition("$ loophole when Gapping\n")[2]
        .partition("\n```")[0]
    )
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main(["when", "Gapping"]) == 0
    assert capsys.readouterr().out.strip() == shown.strip()


def test_every_form_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = made("fow", "Gapping")
    rows = list(csv.reader(io.StringIO(formats.as_csv(found))))
    assert len(rows) == len(found.rows) + 1 and len({len(row) for row in rows}) == 1
    tree = ElementTree.fromstring(formats.as_dmn(found))
    name = f"{{{formats.DMN}}}"
    assert tree.find(f".//{name}decisionTable").get("hitPolicy") == "FIRST"  # type: ignore[union-attr]
    assert len(tree.findall(f".//{name}rule")) == len(found.rows)
    inputs = len(tree.findall(f".//{name}input"))
    assert all(len(rule.findall(f"{name}inputEntry")) == inputs for rule in tree.iter(f"{name}rule"))
    assert formats.as_markdown(found).count("\n|") == 2 + len(Wording(found).lines()) - 0
    drawn_tree = formats.as_tree(found, 80).splitlines()
    assert drawn_tree[1] == "├─ MAY NOT" and drawn_tree[-1].endswith("└─ otherwise") and "│" not in drawn_tree[-1]
    for upper, lower in itertools.pairwise(drawn_tree[1:]):  # what goes on below began above
        assert all(a in "├│" for a, b in zip(upper, lower, strict=False) if b == "│"), (upper, lower)
    assert cli.main(["when", "Gapping", "--as", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["rows"]) == len(found.rows) and abs(sum(told["shares"].values()) - 1) < 1e-9


@pytest.mark.slow
def test_differences_between_chapters_and_readings(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["when", "SetUp", "--at", "Pillbox", "--diff", "chapters=A7,B30"]) == 0
    assert "no difference" in capsys.readouterr().out
    case = tables.situation(registry.vocabulary("asl"), "asl", "SetUp", {"place": ("Pillbox",)})
    rules = asking.rules(case)
    assert not tables.difference(rules, rules, case).rows
    alone = registry.theory("asl", ("A7",))
    found = tables.difference(rules, alone, case)
    assert found.rows and found.share > 0.5
    assert all(before.outcome != after for before, after in found.rows)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("when Entrry", "E450"),
        ("when Entry --into Pilbox --book asl", "E692"),
        ("when Entry --role thing=Squad --book asl", "E692"),
        ("when Entry --role thing --book asl", "E693"),
        ("when Gapping --diff nothing", "E694"),
        ("when Bombardment --book asl --into Squad --by Squad --from Squad --at Squad --target nobody", "E692"),
    ],
)
def test_mistakes(line: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(line.split()) == 2
    assert code in capsys.readouterr().err


def test_a_table_that_grows_too_wide_names_the_kinds_to_tell_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.research.decisions.bdd.MOST_NODES", 10)
    assert cli.main(["when", "Gapping"]) == 2
    err = " ".join(capsys.readouterr().err.split())
    assert "E689" in err and "--role obstacle=KIND (" in err and "AntiTankObstacle" in err


def test_a_permission_that_turns_on_what_lies_two_steps_away_is_told_in_its_words() -> None:
    rules = strategies.from_chapters([strategies.chapter("""
R1
  permits  Enter
  when     into some (occupant some (side value this.actor.side))
R2
  forbids  Enter
  when     actor some Hurt
""")])  # fmt: skip
    found = tables.table(rules, tables.situation(strategies.VOCABULARY, "arena", "Enter", {}))
    told = tables.text(found, 100)
    assert "MAY\n" in told and "with occupant: with the actor's side as its side" in told
    assert {"R1", "R2"} <= {rule for row in found.rows for rule in row.rules}
    assert not list(disagreements(found, 200, seed=1))
