"""Several cases in one file: read one by one, tested by name and rule, asked by name, and told by the right place."""

from __future__ import annotations

from pathlib import Path

import pytest

from api import cli_cases
from kb import asking
from kb.cases import casebook, writer
from kb.errors import CaseError, Place
from kb.graph import cases
from kb.language import iris, rule_number
from kb.research import rulings
from kb.rulebook.records import Trial
from kb.yaml_document import pieces
from tests.conftest import Run

BOX = """book: asl
things:
  box: {is: Pillbox, exterior: yard}
  yard: GroundLevel
  squad: {is: [Squad, Friendly], at: yard}
  foe: {is: [Squad, Enemy], at: PLACE}
  go: {is: Move, actor: squad, destination: box}
ask: {may: go}
expect: {verdict: forbidden, cites: [RULE]}
"""


def made(name: str, rule: str, place: str = "yard", head: str = "") -> str:
    return f"{head}name: {name}\nrule: {rule}\n" + BOX.replace("PLACE", place).replace("RULE", rule)


OUTSIDE, INSIDE = made("outside", "B30.42"), made("inside", "B30.44", "box", "# held by another\n")
THIRD = made("again", "B30.42")


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "three.yaml"
    path.write_text("---\n".join((OUTSIDE, INSIDE, THIRD)), encoding="utf-8")
    return path


def problems(error: CaseError) -> list[tuple[int, int, int]]:
    return [(p.code, p.place.line, p.place.column) for p in error.problems]


# ── reading ──


def test_each_case_of_a_file_is_read_with_its_name_rule_and_place(stream: Path) -> None:
    found = casebook.in_file(stream)
    assert [(c.name, c.rule, c.line) for c in found] == [
        ("outside", "B30.42", 1), ("inside", "B30.44", 14), ("again", "B30.42", 26),
    ]  # fmt: skip
    assert found[1].place == f"{stream}:14 inside" and found[1].title == f"{stream}: inside"
    assert casebook.parted(found[1].title) == (str(stream), "inside")
    case = asking.case(found[1])
    assert (case.name, case.rule, case.file) == ("inside", "B30.44", str(stream))
    assert (asking.case(stream, "inside").things, asking.ask(found[1]).cites[0]) == (case.things, "B30.44")
    assert asking.case(writer.mapping(case)).name == "inside" and writer.mapping(case)["rule"] == "B30.44"


def test_a_file_of_one_case_is_read_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "alone.yaml"
    text = BOX.replace("PLACE", "yard").replace("RULE", "B30.42")
    for head in ("", "---\n", "# a remark\n---\n", "\ufeff", "%YAML 1.1\n---\n"):
        path.write_text(head + text + ("---\n# no more\n" if head else ""), encoding="utf-8")
        (one,) = casebook.in_file(path)
        assert (one.name, one.place, asking.case(path).name) == ("alone", str(path), ""), repr(head)
    assert iris.case("asl", str(path)) == cases.iri_of(asking.case(path)) == f"{iris.BASE}case/asl/alone"


def test_cases_without_names_are_called_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "cases" / "asl" / "two.yaml"
    path.parent.mkdir(parents=True)
    text = BOX.replace("PLACE", "yard").replace("RULE", "B30.42")
    path.write_text(f"{text}---\n{text}", encoding="utf-8")
    found = casebook.in_file(path)
    assert [c.name for c in found] == ["two-1", "two-2"]
    assert [cases.iri_of(asking.case(c)) for c in found] == [f"{iris.BASE}case/asl/two-{n}" for n in (1, 2)]


def test_marks_within_a_text_part_nothing() -> None:
    assert pieces("a: b --- c\nd: |\n  ---\n  e\nf: ---g\n") == [(0, "a: b --- c\nd: |\n  ---\n  e\nf: ---g\n")]
    assert pieces("a: 1\n---\n---\n# none\n--- {b: 2}\n") == [(0, "a: 1\n"), (4, "--- {b: 2}\n")]
    assert pieces("---\n") == [(0, "---\n")] and pieces("") == [(0, "")]


def test_a_fault_in_the_third_case_is_told_where_it_stands(stream: Path, run: Run) -> None:
    text = stream.read_text(encoding="utf-8")
    start = text.rindex("foe:")
    stream.write_text(text[:start] + text[start:].replace("Enemy", "Enmy"), encoding="utf-8")
    with pytest.raises(CaseError) as told:
        asking.case(casebook.in_file(stream)[2])
    assert [(code, line) for code, line, _ in problems(told.value)] == [(423, 33)]
    assert told.value.problems[0].line.strip().startswith("foe: {is: [Squad, Enmy]")
    code, out, err = run("test", stream)
    assert code == 2 and out.endswith("2 passed, 0 failed, 1 could not be read\n")
    assert f"{stream}:26 again: not a case" in err and f"E423 {stream}:33:" in err


def test_what_is_no_yaml_spoils_only_its_own_case(stream: Path, run: Run) -> None:
    stream.write_text(stream.read_text(encoding="utf-8").replace("# held by another", "oops: ["), encoding="utf-8")
    one, other, third = casebook.in_file(stream)
    assert other.fault is not None and one.fault is None and third.fault is None
    with pytest.raises(CaseError, match="E403"):
        _ = other.data
    assert problems(other.fault)[0][1] in (14, 15)
    code, out, err = run("test", stream, "--rule", "B30.42")
    assert code == 2 and "2 passed" in out and "E403" in err, "nobody knows what an unread case is about"


def test_a_name_twice_is_told_with_both_places(stream: Path, run: Run) -> None:
    stream.write_text(stream.read_text(encoding="utf-8").replace("name: again", "name: outside"), encoding="utf-8")
    (problem,) = casebook.in_file(stream)[2].fault.problems  # type: ignore[union-attr]
    assert (problem.code, problem.place, problem.other) == (408, Place(str(stream), 26), Place(str(stream), 1))
    code, out, err = run("test", stream)
    assert code == 2 and out.endswith("2 passed, 0 failed, 1 could not be read\n") and f"see also: {stream}:1:1" in err
    assert run("ask", stream, "--case", "outside")[0] == 2
    assert run("ask", stream, "--case", "inside")[0] == 0


@pytest.mark.parametrize(("key", "value"), [("name", "[a, b]"), ("rule", "{B30: 42}")])
def test_a_name_or_a_rule_is_a_text(key: str, value: str) -> None:
    with pytest.raises(CaseError, match="E422"):
        asking.case(f"{key}: {value}\n" + BOX)


def test_a_rule_that_looks_like_a_number_keeps_its_digits() -> None:
    (case,) = casebook.in_text("rule: 20.10\nbook: vv\n")
    assert case.rule == "20.10"


# ── asking and testing ──


def test_one_of_several_is_asked_by_its_name(stream: Path, run: Run) -> None:
    code, out, _ = run("ask", stream, "--case", "inside", "--no-flips")
    assert code == 0 and out.startswith("FORBIDDEN: squad may not move into box (B30.44)")
    code, _, err = run("ask", stream)
    assert code == 2 and f"E418 {stream}:14:1" in err and "--case NAME: outside, inside, again" in err
    code, _, err = run("ask", stream, "--case", "insid")
    assert code == 2 and f"E409 {stream}" in err and "did you mean inside?" in err
    with pytest.raises(CaseError, match="E409"):
        asking.case(BOX, "inside")


def test_each_case_is_reported_by_place_and_name(stream: Path, run: Run) -> None:
    code, out, _ = run("test", stream)
    assert code == 0
    assert out.splitlines() == [
        f"{stream}:1 outside: passed", f"{stream}:14 inside: passed", f"{stream}:26 again: passed", "3 passed, 0 failed",
    ]  # fmt: skip


def test_a_case_that_fails_among_others_is_told(stream: Path, run: Run) -> None:
    text = stream.read_text(encoding="utf-8")
    start = text.rindex("forbidden")
    stream.write_text(text[:start] + "permitted" + text[start + len("forbidden") :], encoding="utf-8")
    code, out, _ = run("test", stream, "-q")
    assert code == 1 and out.endswith("2 passed, 1 failed\n")
    assert out.startswith(f"{stream}:26 again: FAILED\n") and "verdict: expected permitted, got forbidden" in out


@pytest.mark.parametrize(
    ("rule", "names"),
    [("B30.42", ["outside", "again"]), ("b30.44", ["inside"]), ("30.42", ["outside", "again"])]
    + [(above, ["outside", "inside", "again"]) for above in ("B30", "B30.4", "b 30.4")],
)
def test_the_cases_of_a_rule_and_those_below_it(rule: str, names: list[str], stream: Path) -> None:
    found = [t.place.rpartition(" ")[2] for t in cli_cases.tests([stream], rule)]
    assert found == names


def test_a_rule_with_no_case_is_bad_input(stream: Path, run: Run) -> None:
    code, _, err = run("test", stream, "--rule", "B30.43")
    assert code == 2 and "E683" in err and "did you mean B30.44 or B30.42?" in err
    stream.write_text(BOX.replace("PLACE", "yard"), encoding="utf-8")
    assert run("test", stream, "--rule", "B30.42")[0] == 2, "a case that names no rule is about none"


def test_a_number_covers_itself_and_what_is_below_it() -> None:
    assert (
        rule_number.covers("B30", "B30.42")
        and rule_number.covers("B30.4", "B30.42")
        and rule_number.covers("B30.42", "B30.42")
    )
    assert (
        not rule_number.covers("B30.42", "B30.4")
        and not rule_number.covers("B3", "B30.4")
        and not rule_number.covers("B30", "")
    )


def test_a_record_may_name_one_case_of_several(stream: Path) -> None:
    trial = Trial({}, {}, Place(str(stream.parent / "rulings.md"), 1), "three.yaml: inside")
    data, expects = rulings.content(trial)
    assert data["name"] == "inside" and expects[""]["cites"] == ["B30.44"]
    with pytest.raises(CaseError, match="E418"):
        rulings.content(Trial({}, {}, trial.place, "three.yaml"))


def test_a_comparison_may_stand_among_others(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "across.yaml"
    rows = [
        f"name: {n}\ncompare: mines\nexpect: {{vv: {{answer: '{a}'}}}}\n" for n, a in (("right", "3"), ("wrong", "4"))
    ]
    path.write_text("---\n".join(rows), encoding="utf-8")
    code, out, _ = run("test", path)
    assert code == 1 and f"{path}:1 right: passed" in out and f"{path}:5 wrong: FAILED" in out
