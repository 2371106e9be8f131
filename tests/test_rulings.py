"""Rulings as tests, accepted as interpretation norms; conflicts as questions, and their answers as records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api import cli
from kb import asking, registry
from kb.errata import checks, reader
from kb.errors import QueryError
from kb.research import conflicts, errata_page, impact, rulings, witnesses
from kb.rulebook import records as e
from kb.texts import extracted

RULING = """---
book: asl
---

## {name} A ruling {{#{name}}}

```record
kind: {kind}
authority: {by}
source: a letter
status: asserted
operation: none
anchors: [{{rule: B30.42}}]
question: May a squad move in past an enemy that is Concealed?
answer: "{answer}"
entered: a tester
checked: by eye
```

```case
things:
  squad:   {{is: [Squad, Friendly], at: yard}}
  foe:     {{is: [Squad, Enemy, Concealed], at: yard}}
  yard:    GroundLevel
  pillbox: {{is: Pillbox, exterior: yard, capacity: 3}}
  move:    {{is: Move, actor: squad, destination: pillbox, mfLeft: 4}}
ask: {{may: move}}
expect: {{verdict: {verdict}}}
```
"""
Capture = pytest.CaptureFixture[str]


def ruling(folder: Path, verdict: str, kind: str = "official-qa", by: str = "rules-editor") -> Path:
    path = folder / "rulings.md"
    answer = "Yes." if verdict == "permitted" else "No."
    path.write_text(RULING.format(name="hidden", kind=kind, by=by, answer=answer, verdict=verdict), encoding="utf-8")
    return path


# ── rulings are tests ──


def test_a_ruling_that_the_rules_bear_out_passes(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["test", str(ruling(tmp_path, "forbidden"))]) == 0
    assert "hidden: passed" in capsys.readouterr().out


def test_a_ruling_that_they_do_not_bear_out_is_a_finding(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["test", str(ruling(tmp_path, "permitted"))]) == 1
    said = capsys.readouterr().out
    assert "FINDING hidden on B30.42: rules-editor (a letter) answered “Yes.”" in said
    assert "verdict: expected permitted, got forbidden" in said and "0 passed, 1 failed" in said


@pytest.mark.slow
def test_folders_of_records_are_asked_with_the_cases(capsys: Capture) -> None:
    assert cli.main(["test", "-q", str(checks.path_of("asl").parent), "examples/errata"]) == 0
    count = int(capsys.readouterr().out.split(" passed")[0])
    assert count >= 23


@pytest.mark.slow
def test_an_accepted_ruling_is_a_norm_with_its_own_authority(tmp_path: Path, capsys: Capture) -> None:
    draft = tmp_path / "draft.md"
    assert cli.main(["accept", "hidden", "--file", str(ruling(tmp_path, "permitted")), "--to", str(draft)]) == 0
    assert cli.main(["test", str(draft)]) == 0
    assert cli.main(["accept", "hidden", "--file", str(tmp_path / "rulings.md"), "--to", str(draft)]) == 2
    capsys.readouterr()
    (record,) = reader.file(draft, checks.ledger).records
    (part,) = record.side(e.AFTER)
    assert [str(n.head) for n in part.norms] == ["permits Move"] and part.norms[0].over == ("B30.42",)
    (trial,) = record.trials
    found = rulings.tried(record, trial, "")
    assert found.misses == () and found.proof.winners[0].norm.authority == "ruling"
    assert found.proof.edition is not None and "hidden-accepted" in found.proof.edition.errata
    report = impact.of_draft(draft)
    assert {d.after.verdict for d in report.differences if d.kind == "verdict"} == {"permitted"}
    # The ruling's condition alone asks for more facts than the bound; the search goes as far as it asks.
    assert report.witness is not None and report.witness.size > witnesses.FACTS
    assert (report.witness.before.verdict, report.witness.after.verdict) == ("forbidden", "permitted")
    assert impact.of_draft(draft, bound=1).witness is None, "a bound that is asked for is kept"
    # The interpretation speaks of cases like the ruling's alone: an enemy in plain sight still bars the door.
    assert asking.ask(Path("examples/pillbox.yaml")).verdict == "forbidden"


def test_what_the_players_agree_on_has_a_lower_standing(tmp_path: Path) -> None:
    path = ruling(tmp_path, "permitted", "unofficial-qa", "players")
    draft = reader.text_of(rulings.accepted(rulings.named("hidden", path)), "draft.md", checks.ledger)
    assert draft.records[0].standing == "players"
    order = registry.theory("asl").policy.authorities
    assert "players" not in order and order.index("ruling") < order.index("erratum")


def test_a_ruling_without_a_case_or_with_an_odd_answer_cannot_be_accepted(tmp_path: Path) -> None:
    path = ruling(tmp_path, "permitted")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.split("```case")[0], encoding="utf-8")
    with pytest.raises(QueryError, match="E965"):
        rulings.accepted(rulings.named("hidden", path))
    path.write_text(text.replace("{verdict: permitted}", "{verdict: undetermined}"), encoding="utf-8")
    with pytest.raises(QueryError, match="E966"):
        rulings.accepted(rulings.named("hidden", path))
    with pytest.raises(QueryError, match=r"E963.*\n.*hidden"):
        rulings.named("hiden", path)


# ── cross reference ──


def test_a_rule_shows_its_errata_and_they_their_rule(capsys: Capture) -> None:
    assert cli.main(["rule", "B30.34"]) == 0
    assert "errata and rulings\n  B30.34-att: " in capsys.readouterr().out
    assert cli.main(["rule", "B30.34", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["errata"] == ["B30.34-att"]
    assert [r.id for r in errata_page.found("B30.34")] == ["B30.34-att"]
    assert {r.id for r in errata_page.found("B30.6")} == {"B30.6-attack", "B30.6-stop"}


def test_imported_errata_and_questions_are_unreviewed_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPHOLE_LIBRARY", str(tmp_path / "library"))
    folder = tmp_path / "data"
    for name, content in {
        "errata/1.json": [{"ruleid": "B30.6", "content": "An invented erratum.", "source": "j"}],
        "q+a/b.json": {"B": [{"caption": "c", "ruleids": ["B30.42"], "content": [{"question": "Invented?", "answers": [["No.", "x"]]}]}]},
        "q+a/sources.json": {"x": "a club"},
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    extracted.import_folder(folder, "asl")
    found = errata_page.imported("asl")
    assert [(r.kind, r.status, r.rules) for r in found] == [
        ("erratum", "unreviewed", ("B30.6",)), ("unofficial-qa", "unreviewed", ("B30.42",)),
    ]  # fmt: skip
    assert found[1].answer == "No." and found[1].source == "a club" and not any(r.changes for r in found)
    assert "imported-qa-1" in {r.id for r in errata_page.found("B30.42")}
    assert registry.in_edition("asl").errata == ("B30.34-att",), "what nobody has reviewed is not in force"


# ── from contradiction to erratum ──


@pytest.mark.slow
def test_a_conflict_becomes_a_question_and_its_answer_a_record(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["question", "A7.8/broken", "A7.8/counter"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("A7.8: In this situation, is it right that ") and "yes, says A7.8/counter: " in said
    assert "ask: {must: " in said and "no, says A7.8/broken: " in said
    for answer, verdict in (("yes", "required"), ("no", "permitted")):
        path = tmp_path / f"{answer}.md"
        command = [
            "question",
            "A7.8/counter",
            "A7.8/broken",
            "--answer",
            answer,
            "--source",
            "a letter",
            "--to",
            str(path),
        ]
        assert cli.main(command) == 0 and cli.main(["test", str(path)]) == 0
        found = impact.of_draft(path)
        assert {(d.before.verdict, d.after.verdict) for d in found.differences if d.kind == "verdict"} == {
            ("conflict", verdict)
        }
        assert found.witness is not None
        assert {found.witness.before.verdict, found.witness.after.verdict} == {"conflict", verdict}


@pytest.mark.slow
def test_every_question_rests_on_a_conflict_that_the_reasoner_finds() -> None:
    found = list(conflicts.conflicts("fow", 5))
    assert len(found) >= 3
    for c in found:
        made = registry.theory("fow")
        assert made.stronger(c.yes, c.no) is None and made.stronger(c.no, c.yes) is None
        assert c.yes.rule in conflicts.text(c) and c.no.rule in conflicts.text(c)


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [("B30.42", "B30.4", 982), ("B30.42", "B30.6/check", 981), ("B30.42x", "B30.4", 980), ("A7.4/no-friends-not", "A7.4/no-friends", 982)],
)  # fmt: skip
def test_what_is_no_conflict_is_told_so(one: str, other: str, code: int) -> None:
    with pytest.raises(QueryError, match=f"E{code}"):
        conflicts.between("asl", one, other)


def test_norms_that_cannot_meet_are_told_so_with_the_bounds() -> None:
    made = registry.theory("fow")
    a, b = next((a, b) for a, b in conflicts.pairs(made) if conflicts.meeting(made, a, b) is None)
    with pytest.raises(QueryError, match=f"E983.*at most {conflicts.FACTS} facts"):
        conflicts.between("fow", a.id, b.id)
