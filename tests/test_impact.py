"""What a change means: differing answers of the corpus, the smallest invented flip, drafts, and honest bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api import cli
from kb.cases import casebook
from kb.errata import checks
from kb.errors import QueryError, RulebookError
from kb.research import impact, sides, witness_search, witnesses
from kb.research.sides import CHAIN, VERDICT
from kb.rulebook import edition
from tests import corpus

FINN = corpus.named("a7-7-valid-finn")
DRAFT = """---
book: asl
---

## B30.6-{name} A draft {{#B30.6-{name}}}

```record
kind: erratum
authority: publisher
source: a draft
status: asserted
operation: insert
anchors: [{{rule: B30.6}}]
adds: [B30.6/{name}]
entered: a tester
checked: by eye
```

### after B30.6

{sentence}

```norms
B30.6/{name}
  {norm}
```
"""


def draft(folder: Path, name: str, norm: str) -> Path:
    path = folder / "draft.md"
    path.write_text(DRAFT.format(name=name, norm=norm, sentence="A sentence of the draft."), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_model_erratum_turns_one_case_and_leaves_the_others() -> None:
    found = impact.of_record("asl", "B30.34", corpus.beginning("b30-34-"))
    assert {n for n, _, _ in found.norms} == {
        "B30.34/unnamed",
        "B30.34/not-named",
        "B30.34/must-name",
        "B30.34/need-not-name",
        "B30.34/not-inside",
    }
    turned = {
        casebook.parted(d.name)[1]: (d.before.verdict, d.after.verdict) for d in found.differences if d.kind == VERDICT
    }
    assert turned["b30-34-att"] == ("no", "yes")
    assert all(d.before.verdict == d.after.verdict for d in found.differences if d.kind == CHAIN)
    assert found.asked >= 20 and found.before.errata == () and found.after.errata == ("B30.34-att",)


def test_no_smaller_situation_flips() -> None:
    """Every smaller set of the same facts is tried, without any guess at what matters."""
    found = impact.of_record("asl", "A7.9-conscripts")
    assert found.witness is not None and found.witness.size == 3
    ledger = checks.ledger("asl")
    now, then = sides.sides(ledger, edition.choose(ledger), edition.choose(ledger, also=["A7.9-conscripts"]))
    pool = witnesses.pool_of((now.norms()["A7.9/unit"], then.norms()["A7.9/unit"]), now)
    tried = 0
    for size in range(found.witness.size):
        for facts in witness_search.Program(pool).models(size, 5000):
            tried += 1
            assert witnesses.witness(now, then, pool, facts, size, "A7.9/unit") is None
    assert tried >= 20


def test_a_respelling_flips_nothing_and_that_is_shown() -> None:
    found = impact.of_record("asl", "A7.81")
    assert found.norms == () and found.witness is None and "answer every case alike" in found.bounds
    assert "NOTHING FLIPS" in impact.text(found)


def test_editions_are_compared() -> None:
    found = impact.of_editions("asl", "2nd-printed", "3.0-QA", [corpus.named("b30-34-att")], bound=1)
    assert len(found.norms) >= 17 and [d.kind for d in found.differences] == [VERDICT]


@pytest.mark.slow
def test_a_draft_is_asked_before_it_is_printed(tmp_path: Path) -> None:
    path = draft(
        tmp_path,
        "no-advance",
        "forbids Advance\n  when     FromInside and from some Pillbox\n  over     B30.6/advance-out",
    )
    found = impact.of_draft(path, corpus.beginning("b30-6-"))
    assert "b30-6-out-advance" in {casebook.parted(d.name)[1] for d in found.differences if d.kind == VERDICT}
    assert found.witness is not None and found.witness.after.verdict == "forbidden"
    assert "B30.6-no-advance" not in {r.id for r in checks.records()}, "a draft leaves the records alone"


def test_a_draft_that_changes_no_answer_is_told_with_its_bounds(tmp_path: Path) -> None:
    found = impact.of_draft(
        draft(tmp_path, "known", "counts Squad as Infantry"), [corpus.named("b30-6-cc-in")], bound=2
    )
    assert found.witness is None and found.differences == ()
    assert found.bounds.startswith("no answer flips within these bounds: B30.6/known: none of the ")


def test_a_faulty_draft_changes_nothing(tmp_path: Path) -> None:
    path = draft(tmp_path, "x", "forbids Advence")
    with pytest.raises(RulebookError, match=r"E201.*Advence"):
        impact.of_draft(path)
    path.write_text(path.read_text(encoding="utf-8").replace("B30.6-x", "B30.6-attack"), encoding="utf-8")
    with pytest.raises(RulebookError, match="E971"):
        impact.of_draft(path)


def test_an_unknown_erratum_is_told_with_the_nearest() -> None:
    with pytest.raises(QueryError, match=r"A7\.9-conscripts"):
        impact.book_of("A7.9-conscript")


@pytest.mark.slow
def test_the_commands_print_what_they_find(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["impact", "A7.9", "--cases", FINN.file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "loophole-impact/1" and found["invented"]["before"]["verdict"] == "yes"
    assert cli.main(["impact", "A7.9", "--cases", FINN.file]) == 0
    said = capsys.readouterr().out
    assert "A7.9/unit: worded anew" in said and "a case of 3 facts flips it" in said
    assert cli.main(["impact", "A7.9", "--cases", "no-such-folder"]) == 2
    capsys.readouterr()
    assert cli.main(["errata"]) == 0 and "B30.34-att: " in capsys.readouterr().out
    assert cli.main(["errata", "B30.34"]) == 0
    said = capsys.readouterr().out
    assert "before B30.34" in said and "after B30.34" in said and "or (targetType some AreaTargetType)" in said
    assert cli.main(["errata", "B30.343"]) == 2 and "did you mean" in capsys.readouterr().err
    assert cli.main(["errata", "--json", "--kind", "transcription-fix"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 9
