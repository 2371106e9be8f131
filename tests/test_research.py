"""Each kind of finding has a planted defect that it finds, and does not find where that is mended; and the report of findings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from api import cli, watch
from kb import registry, resources
from kb.errors import QueryError
from kb.language import norms as m
from kb.reasoner.proof import Proof
from kb.research import findings, judged, report
from kb.research.finding import KINDS, NOTE, Finding
from kb.research.shapes import Shapes
from kb.research.study import Study
from kb.rulebook import compiler
from kb.rulebook.chapter_reader import ChapterReader
from tests import own_book, strategies
from tests.conftest import Run

OWN = (
    strategies.POLICY
    + """  - {name: prohibition, cite: "", says: "our reading"}
"""
)
TIE = (
    strategies.POLICY
    + """  - {name: higher-number, cite: R0.4, says: "the later stands"}
"""
)


def study(*chapters: m.Chapter, policy: str = "", notes: str = "") -> Study:
    """The arena's book of these chapters, under study."""
    made = strategies.from_chapters(list(chapters), policy)
    linked = m.Book("arena", "The arena", tuple(made.chapters.values()), made.policy, ())

    def ask(data: Mapping[str, Any]) -> Proof:
        return strategies.ask(made, {k: v for k, v in data.items() if k != "expect"}, False)

    def ask_so(data: Mapping[str, Any], readings: Mapping[str, str]) -> Proof:
        other = compiler.theory(linked, strategies.VOCABULARY, readings=dict(readings))
        return strategies.ask(other, data, False)

    return Study(linked, made, Shapes(made, ask, ask_so), notes)


def prose(text: str, name: str = "R", authority: str = "chapter", more: str = "") -> m.Chapter:
    """A chapter in full, its sentences as told."""
    head = f"---\nbook: arena\nchapter: {name}\ntitle: The arena\nauthority: {authority}\n{more}---\n"
    return ChapterReader(f"{name}.md", head + text).read()


def of_kind(found: list[Finding], kind: str) -> list[Finding]:
    """The findings of a kind."""
    return [f for f in found if f.kind == kind]


def norms(text: str, **more: Any) -> list[Finding]:
    """What is found of a chapter that is these norms."""
    return findings.of_study(study(strategies.chapter(text), **more))


# ── planted defects: (kind, norms with it, the same without, policy, rules that the finding is about) ──

ENTER = """
R1
  permits  Enter
  when     into some Pit and actor some Gladiator
"""
PLANTED = {
    "conflict": (ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n",
                 ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n  over     R1\n", "", ["R1", "R2"]),
    "tie-break": (ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n",
                  ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n  over     R1\n", TIE, ["R1", "R2"]),
    "own-principle": (ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n",
                      ENTER + "R2\n  forbids  Enter\n  when     actor some Beast and into some Gate\n", OWN, ["R1", "R2"]),
    "override": (ENTER + "R2\n  forbids  Enter\n  when     into some Pit and actor some Hurt\n  over     R1\n",
                 ENTER + "R2\n  forbids  Enter\n  when     actor some Beast\n  over     R1\n", "", ["R1", "R2"]),
    "barred-means": ("R1\n  requires Strike\n  when     actor some Hurt\nR2\n  forbids  Strike\n  when     actor some Hurt and target some Pit\n",
                     "R1\n  requires Strike\n  when     actor some Hurt\nR2\n  forbids  Rest\n  when     actor some Hurt\n", OWN, ["R1", "R2"]),
    "two-values": ("R1\n  sets     strength of Gladiator to 2\nR2\n  sets     strength of Fighter to 3\n  when     Hurt\n",
                   "R1\n  sets     strength of Gladiator to 2\nR2\n  sets     strength of Fighter to 3\n  when     Hurt\n  over     R1\n", "", ["R1", "R2"]),
    "repeated": ("R1\n  forbids  Enter\n  when     actor some Hurt\nR2\n  forbids  Enter\n  when     actor some (Hurt and Gladiator)\n",
                 "R1\n  forbids  Enter\n  when     actor some Hurt\nR2\n  forbids  Enter\n  when     into some Gate\n", "", ["R1", "R2"]),
    "settled-twice": ("R1\n  forbids  Enter\n  when     actor some (Hurt and Gladiator and Veteran and Alert and Marked) and into some Pit\nR2\n  forbids  Enter\n  when     actor some (Hurt and Gladiator and Veteran and Alert and Marked) and moment some Dawn\n",
                      "R1\n  forbids  Enter\n  when     actor some Hurt\nR2\n  forbids  Enter\n  when     into some Gate\n", "", ["R1", "R2"]),
    "dead-exception": ("R1\n  forbids  Enter\n  when     actor some Gladiator\n  unless   never: actor some Beast\n",
                       "R1\n  forbids  Enter\n  when     actor some Gladiator\n  unless   never: actor some Hurt\n", "", ["R1"]),
    "swallowed-rule": ("R1\n  forbids  Enter\n  when     actor some Lion\n  unless   all: actor some Beast\n",
                       "R1\n  forbids  Enter\n  when     actor some Beast\n  unless   all: actor some Lion\n", "", ["R1"]),
    "idle-norm": ("R1\n  forbids  Enter\n  when     actor some Hurt\nR2\n  forbids  Enter\n  when     actor some (Hurt and (Gladiator or Beast or Guard))\n",
                  "R1\n  forbids  Enter\n  when     actor some Dazed\nR2\n  forbids  Enter\n  when     actor some (Hurt and Gladiator)\n", "", ["R1", "R2"]),
    "circle": ("R1\n  counts   Fighter as Favoured\n  when     Marked\nR2\n  counts   Fighter as Marked\n  when     Favoured\n",
               "R1\n  counts   Fighter as Favoured\n  when     Marked\nR2\n  counts   Fighter as Marked\n  when     Hurt\n", "", ["R1", "R2"]),
    "no-value": ("R1\n  forbids  Enter\n  when     actor some (strength > 3)\n",
                 "R1\n  forbids  Enter\n  when     actor some (strength > 3)\nR2\n  sets     strength of Fighter to 2\n", "", ["R1"]),
    "gap": ("R1\n  forbids  Enter\n  when     actor some Gladiator\nR1/beasts\n  permits  Enter\n  when     actor some Beast\n",
            "R1\n  forbids  Enter\n  when     actor some Gladiator\nR1/beasts\n  permits  Enter\n  when     actor some Beast\nR1/guards\n  permits  Enter\n  when     actor some Guard\n", "", ["R1"]),
    "two-senses": ("R1\n  counts   Place as Favoured\n  when     Pit or Gate\nR2\n  counts   Place as Marked\n  when     Pit or Stand\n",
                   "R1\n  counts   Place as Favoured\n  when     Gate\nR2\n  counts   Place as Marked\n  when     Pit or Stand\n", "", ["R1", "R2"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_defect_is_found_and_a_mended_one_is_not(kind: str) -> None:
    planted, mended, policy, rules = PLANTED[kind]
    found = of_kind(norms(planted, policy=policy), kind)
    assert found and all(set(f.rules) == set(rules) for f in found), found
    assert not of_kind(norms(mended, policy=policy), kind)
    for finding in found:
        if finding.witness is not None:
            assert finding.witness.certified and finding.witness.case["ask"], finding
            assert finding.question.endswith("?") and finding.method and finding.sure


def test_an_act_barred_whatever_one_does_is_found() -> None:
    rules = """
R1
  counts   Fighter as Dazed
  when     at some Pit and not Alert
R2
  forbids  Strike
  when     actor some Dazed
"""
    loud = "R3\n  forbids  Strike\n  when     actor some Alert\n"
    (found,) = of_kind(norms(rules + loud), "barred-means")
    assert set(found.norms) == {"R1", "R2", "R3"} and found.witness is not None and found.witness.certified
    assert not of_kind(norms(rules + "R3\n  forbids  Strike\n  when     actor some Hurt\n"), "barred-means")


def test_an_act_is_barred_whatever_one_does_though_one_bar_asks_for_one_of_several_things() -> None:
    rules = """
R1
  forbids  Strike
  when     actor some (at some Pit and not Alert)
"""
    several = "R2\n  forbids  Strike\n  when     actor some ({})\n"
    (found,) = of_kind(norms(rules + several.format("Alert or Hurt")), "barred-means")
    assert set(found.norms) == {"R1", "R2"} and found.witness is not None and found.witness.certified
    assert not of_kind(norms(rules + several.format("Dazed or Hurt")), "barred-means")


def test_a_bar_that_a_permission_says_again_is_found() -> None:
    bar = "R1\n  forbids  Enter\n  when     actor some Hurt\n"
    found = of_kind(norms(bar + "R2\n  permits  Enter\n  when     actor some (Gladiator and not Hurt)\n"), "repeated")
    assert [f.rules for f in found] == [("R1", "R2")]
    assert not of_kind(
        norms(bar + "R2\n  permits  Enter\n  when     actor some (Gladiator and not Dazed)\n"), "repeated"
    )


TEXT = """## R1.1 Going in {#R1.1}

A gladiator [EXC sore: not a hurt one; R1.2] goes into a pit.

```norms
R1.1
  permits  Enter
  when     actor some Gladiator and into some Pit
  unless   sore: actor some Hurt  [R1.2]
```

## R1.2 Rest {#R1.2}

Whoever rests is favoured.

```norms
R1.2
  counts   Fighter as Favoured
  when     inverse actor some Rest
```
"""


def words(text: str, kind: str, **more: Any) -> list[Finding]:
    """The findings of a kind about a chapter in full."""
    return of_kind(findings.of_study(study(prose(text), **more)), kind)


def test_a_reference_to_nothing_on_the_point_is_found() -> None:
    (found,) = words(TEXT, "reference-off-point")
    assert found.rules == ("R1.1", "R1.2")
    on_point = TEXT.replace("counts   Fighter as Favoured", "counts   Fighter as Hurt").replace(
        "is favoured", "is hurt"
    )
    assert not words(on_point, "reference-off-point")


def test_a_reference_to_a_rule_that_is_not_there_is_found() -> None:
    gone = TEXT.replace("; R1.2]", "; R1.7]")
    (found,) = words(gone, "reference-missing")
    assert found.rules == ("R1.1", "R1.7")
    assert not words(TEXT, "reference-missing")


def test_a_rule_that_is_leaned_on_and_not_loaded_is_noted() -> None:
    (found,) = words(TEXT.replace("; R1.2]", "; Q4.4]"), "reference-not-loaded")
    assert found.words == ("Q4.4",) and found.level == NOTE
    assert not words(TEXT, "reference-not-loaded")


def test_a_number_left_out_is_found() -> None:
    (found,) = words(TEXT.replace("R1.2", "R1.12").replace("R1.1 ", "R1.1 ", 1), "numbering")
    assert "R1.11" in found.words
    assert not words(TEXT.replace("R1.2", "R1.11"), "numbering")


def test_a_hedge_and_another_mode_are_found() -> None:
    (found,) = words(TEXT.replace("Whoever rests is", "Whoever rests is usually"), "modality")
    assert found.words == ("usually",)
    (other,) = words(TEXT.replace("goes into a pit", "must go into a pit"), "modality")
    assert "must" in other.words
    assert not words(TEXT, "modality")


def test_a_word_that_nothing_explains_is_found() -> None:
    text = (
        TEXT.replace("R1.2", "X7")
        .replace("Whoever rests", "Whoever is winded")
        .replace("inverse actor some Rest", "Winded")
    )
    (found,) = words(text, "undefined-term")
    assert found.words == ("Winded",)
    assert not words(text.replace("when     Winded", "when     Hurt"), "undefined-term")


YET = """## R1 Going in {#R1}

Nobody who is hurt goes in.

```norms
R1
  forbids  Enter
  when     actor some Hurt
```

## R2 Gladiators {#R2}

A gladiator [YET all to R1: always does].

```norms
R2
  permits  Enter
  when     actor some Gladiator
  excepts  all
```
"""


def test_an_exception_that_the_text_does_not_mark_is_found() -> None:
    (found,) = words(YET, "unmarked-exception")
    assert set(found.rules) == {"R1", "R2"} and found.witness is not None and found.witness.verdict == "permitted"
    assert not words(YET.replace("[YET all to R1:", "[EXC all:"), "unmarked-exception")


def test_what_a_module_takes_away_is_found() -> None:
    base = prose("## R1 Beasts {#R1}\n\nA beast is at bay (BA).\n\n```norms\nR1\n  counts   Beast as Favoured\n```\n\n"
                 "## R2 Striking {#R2}\n\nOne that is favoured strikes.\n\n```norms\nR2\n  permits  Strike\n  when     actor some Favoured\n```\n")  # fmt: skip
    module = "## M1 Lions {#M1}\n\nA lion has none of it.\n\n```norms\nM1\n  counts   Lion as %sFavoured\n```\n"
    (found,) = of_kind(
        findings.of_study(study(base, prose(module % "not ", "M", "module", "builds-on: [R]\n"))), "removed-need"
    )
    assert found.rules == ("M1", "R2")
    assert not of_kind(
        findings.of_study(study(base, prose(module % "", "M", "module", "builds-on: [R]\n"))), "removed-need"
    )


def test_a_chapter_that_decides_what_another_says_it_decides_is_found() -> None:
    scope = "scope: {wholly: [Enter, Favoured]}\n"
    other = strategies.chapter(
        "Q1\n  forbids  Enter\n  when     actor some Hurt\n",
        "Q",
        scope="{wholly: [Strike], names: [{of: [Enter], with: [R1.1]}]}",
    )
    (found,) = of_kind(findings.of_study(study(prose(TEXT, more=scope), other)), "scope-clash")
    assert found.words == ("Enter",)
    partly = "scope: {partly: [{of: [Enter], with: [Q1], those: let it}], wholly: [Favoured]}\n"
    assert not of_kind(findings.of_study(study(prose(TEXT, more=partly), other)), "scope-clash")


NOTES = """## R

| dispute | readings | why |
|---|---|---|
| `who` (R1.1) | `gladiators`: only they; `all`: everybody | the sentence does not say |

* **R1.1, pits.** A pit is one that is open.
"""
READING = """R1.1
  forbids  Enter
  when     actor some (Hurt and Gladiator)
  reading  who:gladiators
R1.1/all
  forbids  Enter
  when     actor some Hurt
  reading  who:all
"""


def test_a_disputed_reading_is_found_with_a_situation_in_which_it_matters() -> None:
    found = norms(READING, notes=NOTES)
    (dispute,) = of_kind(found, "reading")
    assert dispute.witness is not None and "gladiators" in dispute.question and "everybody" in dispute.says
    (note,) = of_kind(found, "our-reading")
    assert note.rules == ("R1.1",) and "open" in note.says
    assert not of_kind(norms(ENTER), "reading") and not of_kind(norms(ENTER), "our-reading")


def test_a_sentence_left_to_a_person_is_noted() -> None:
    text = TEXT + "\nWho is the better one, the crowd says.\n> not encoded (umpire): the crowd decides\n"
    (found,) = words(text, "not-decided")
    assert found.rules == ("R1.2",)


def test_every_kind_has_a_planted_defect() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert not [kind for kind in KINDS if f'"{kind}"' not in text]


# ── the run: what changed only, ids that stay, what is kept ──


def test_only_what_a_change_has_a_part_in_is_looked_at_again() -> None:
    text = (
        PLANTED["conflict"][0]
        + "R3\n  permits  Rest\n  when     actor some Beast\nR4\n  forbids  Rest\n  when     actor some Hurt\n"
    )
    made = study(strategies.chapter(text))
    assert len(of_kind(findings.of_study(made), "conflict")) == 2
    (found,) = of_kind(findings.of_study(made, {"R4"}), "conflict")
    assert found.rules == ("R3", "R4")


def test_a_finding_keeps_its_name_and_goes_through_json() -> None:
    (one,) = of_kind(norms(PLANTED["conflict"][0]), "conflict")
    (other,) = of_kind(norms(PLANTED["conflict"][0] + "R3\n  permits  Rest\n"), "conflict")
    assert one.id == other.id
    again = findings.from_json(json.loads(json.dumps(findings.to_json(one), default=str)))
    assert again.id == one.id and again.witness is not None and again.witness.verdict == "conflict"


@pytest.fixture(scope="module")
def written_huts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of huts, written and classified once: that takes some seconds."""
    return own_book.write(tmp_path_factory.mktemp("huts") / "books")


@pytest.fixture
def huts(written_huts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The book of huts, the reader's own, with a cache of its own."""
    folder = tmp_path / "books" / "huts"
    shutil.copytree(written_huts.parent, tmp_path / "books")
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path / "books"))
    monkeypatch.setattr(resources, "cache", lambda: tmp_path / "cache")
    registry.SHIPPED.forget()
    findings.forget()
    return folder


def test_the_report_tells_what_is_new_and_forgets_it_when_it_is_judged(huts: Path, run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "research", "huts", "--jobs", "1", "--out", str(tmp_path / "one.json"), "--out", str(tmp_path / "one.md")
    )
    assert code == 1 and "new" in out.splitlines()[0]
    told = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert told["new"] and told["findings"][0]["number"] == 1
    text = (tmp_path / "one.md").read_text(encoding="utf-8")
    assert all(name in text for name in told["new"])
    for name in told["new"]:
        assert (
            run("research", "huts", "--accept", name, "--because", "so it is", "--mark", "right", "--jobs", "1")[0] == 0
        )
    code, out, _ = run("research", "huts", "--jobs", "1", "--since", str(tmp_path / "one.json"))
    assert code == 0 and "0 new" in out and "0 come, 0 changed, 0 gone" in out
    code, out, _ = run("research", "huts", "--jobs", "1", "--kind", "conflict", "--since", str(tmp_path / "one.json"))
    assert code == 0 and "0 come, 0 changed, 0 gone" in out and "found no longer" not in out
    assert len(judged.of_book("huts")) == len(told["new"])


def test_a_change_is_told_against_the_earlier_report(huts: Path, run: Run, tmp_path: Path) -> None:
    run("research", "huts", "--jobs", "1", "--out", str(tmp_path / "one.json"))
    chapter = huts / "1.md"
    text = chapter.read_text(encoding="utf-8")
    chapter.write_text(
        text.replace("  excepts  full\n  over     1.1/in\n", "  excepts  full\n", 1).replace(
            "Whoever is hindered does not strike.", "Whoever is hindered usually does not strike."
        ),
        encoding="utf-8",
    )
    registry.SHIPPED.forget()
    findings.forget()
    code, out, _ = run("research", "huts", "--jobs", "1", "--since", str(tmp_path / "one.json"))
    assert code == 1 and "usually" in out and "1 come" in out


def test_what_a_run_has_done_is_kept_for_the_next(huts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = findings.run("huts", 1)
    calls: list[str] = []
    monkeypatch.setattr(findings, "piece", lambda *a: calls.append(str(a)) or [])
    assert [f.id for f in findings.run("huts", 1)] == [f.id for f in first] and not calls
    findings.run("huts", 1, anew=True)
    assert calls


def test_a_finding_is_shown_in_full_and_what_there_is_none_of_is_told(huts: Path, run: Run) -> None:
    (one, *_) = findings.run("huts", 1)
    assert "research" in {command.callback.__name__ for command in cli.app.registered_commands if command.callback}
    code, out, _ = run("research", "huts", one.id, "--jobs", "1")
    assert code == 0 and one.id in out and "Question:" in out
    for args, number in (
        (("research", "huts", "conflict-0"), "E986"), (("research", "huts", "--kind", "conflct"), "E680"),
        (("research", "huts", "--waive", "gap-0", "--because", "x", "--jobs", "1"), "E986"),
        (("research", "huts", "--out", "x.txt"), "E696"), (("research", "huts", "--accept", one.id), "E684"),
        (("research", "nuts"), "E420"),
    ):  # fmt: skip
        code, _, err = run(*args)
        assert code == 2 and number in err, (args, err)


def test_a_judgement_that_says_nothing_known_is_a_fault(huts: Path) -> None:
    for row in (
        "- {id: a-1, as: fine, because: x}",
        "- {id: a-1, as: waived}",
        "- [a]",
        "- {id: a, as: waived, because: x}\n- {id: a, as: waived, because: x}",
    ):
        judged.path_of("huts").write_text(row + "\n", encoding="utf-8")
        with pytest.raises(QueryError, match="E985"):
            judged.of_book("huts")


def test_the_page_shows_every_finding(huts: Path) -> None:
    found = findings.run("huts", 1)
    made = report.of("huts", found)
    html = report.content(made, ".html")
    assert found and all(f.id in html for f in found)
    assert all(f.id in report.content(made, ".md") for f in found if f.level != NOTE)


def test_a_watch_tells_what_a_save_has_brought(huts: Path) -> None:
    chapter = huts / "1.md"
    text = chapter.read_text(encoding="utf-8")
    worse = text.replace(
        "1.4/may\n  permits  Strike\n",
        "1.4/may\n  permits  Strike\n\n1.4/never\n  requires Strike\n  when     Hindered and Strike\n",
        1,
    )
    told: list[str] = []

    def saves() -> Iterator[set[Path]]:
        for content in (text + "\n", worse, worse + "\n"):
            chapter.write_text(content, encoding="utf-8")
            yield {chapter}

    watch.run(told.append, "huts", saves(), research=True)
    found = [t for t in told if "barred-means" in t]
    assert worse != text and len(found) == 1 and "1.4/never" in found[0]
    assert told.index(found[0]) > [i for i, t in enumerate(told) if t.startswith("\n── ")][1], (
        "nothing was new at the first save"
    )


# ── what careful readers listed, and what of it the reports have ──

LISTED = Path(__file__).parent / "research" / "readers.yaml"
FOUND = Path(__file__).parent / "research" / "found.yaml"
SHARE = 0.8


def test_the_reports_find_what_careful_readers_listed() -> None:
    listed = yaml.safe_load(LISTED.read_text(encoding="utf-8"))
    found = yaml.safe_load(FOUND.read_text(encoding="utf-8"))
    pages = "".join(p.read_text(encoding="utf-8") for p in report.place("x").parent.glob("research-*.md"))
    assert found.keys() <= {row["id"] for row in listed}
    missing = [name for name, ids in found.items() if not all(one in pages for one in ids)]
    assert not missing, "found.yaml names findings that no report has"
    wanted = [row["id"] for row in listed if row["machine"]]
    assert len(listed) >= 150 and len(wanted) >= 90
    assert len([name for name in wanted if found.get(name)]) / len(wanted) >= SHARE


AGAIN = LISTED.with_name("second.yaml")
FOUND_AGAIN = LISTED.with_name("second_found.yaml")
FOUND_OF_AGAIN = 84  # of 89


def test_the_reports_find_what_two_other_readers_listed() -> None:
    listed = {row["id"] for row in yaml.safe_load(AGAIN.read_text(encoding="utf-8"))}
    found = yaml.safe_load(FOUND_AGAIN.read_text(encoding="utf-8"))
    pages = "".join(p.read_text(encoding="utf-8") for p in report.place("x").parent.glob("research-*.md"))
    assert len(listed) == 89 and found.keys() <= listed
    assert not [name for name, ids in found.items() if not all(one in pages for one in ids)]
    assert len(found) >= FOUND_OF_AGAIN


def test_few_findings_are_marked_wrong_and_each_is_looked_at() -> None:
    for book in resources.games():
        marks = [row.mark for row in judged.of_book(book).values()]
        assert marks and all(marks)
        assert marks.count(judged.WRONG) / len(marks) < 0.15


# ── what the text checks of numbers, references, scopes and repetitions find ──

PIT = """## R1.1 The pit {#R1.1}

A pit is two deep.

```norms
R1.1
  sets     strength of Pit to 2
```
"""


def test_a_number_that_no_sentence_has_is_found() -> None:
    (found,) = words(PIT.replace("to 2", "to 3"), "untold-number")
    assert found.rules == ("R1.1",) and "the number 3" in found.says
    for text in (PIT, PIT.replace("two deep", "2 deep"), PIT.replace("two deep", "deep (double)"), PIT.replace("to 2", "to 1 + 1")):  # fmt: skip
        assert not words(text, "untold-number"), text
    elsewhere = "\n## R1.2 Depth {#R1.2}\n\nThree is the depth.\n> not encoded (note): R1.1 has it\n"
    assert not words(PIT.replace("to 2", "to 3\n  cites    R1.2") + elsewhere, "untold-number")
    for numbered in ("two-fold R1.3", "deep as R12 says", "deep (12.3)"):
        assert words(PIT.replace("two deep", numbered).replace("to 2", "to 3"), "untold-number"), numbered


def test_a_reference_that_one_norm_alone_makes_is_found() -> None:
    lone = TEXT.replace("  when     inverse actor some Rest", "  when     inverse actor some Rest\n  cites    Q4.47")
    (found,) = words(lone, "reference-missing")
    assert found.rules == ("R1.2", "Q4.47") and found.sure == "by the words"
    assert not words(lone.replace("Whoever rests is favoured.", "Whoever rests is favoured (Q4.47)."), "reference-missing")  # fmt: skip


def test_a_scope_that_says_more_than_its_rules_is_found() -> None:
    scope = "scope: {wholly: [Enter, Favoured], partly: [{of: [Strike], with: [Q4], those: let it}]}\n"

    def clashes(text: str, more: str = scope, *others: m.Chapter) -> list[Finding]:
        return of_kind(findings.of_study(study(prose(text, more=more), *others)), "scope-clash")

    assert not clashes(TEXT)
    (found,) = clashes(TEXT.replace("[R1.2]\n", "[R1.2]\n  needs    Q4.4\n"))
    assert found.words == ("Enter",) and "needs Q4.4" in found.says
    assert not clashes(TEXT.replace("[R1.2]\n", "[R1.2]\n  needs    R1.2\n"))
    closed = scope.replace("wholly: [Enter,", 'wholly: [{of: [Enter], by: R1.1, says: "no more"},')
    assert not clashes(TEXT, closed)
    (found,) = clashes(TEXT.replace("permits  Enter", "forbids  Enter"), closed)
    assert "never done" in found.says
    other = prose(TEXT.replace("R1", "Q1"), "Q", more="scope: {partly: [{of: [Enter], with: [X4], those: let it}], wholly: [Favoured]}\n")  # fmt: skip
    assert any("leaves it to X4" in f.says for f in clashes(TEXT, scope, other))


def test_what_one_norm_says_again_in_its_own_rule_is_found_by_its_form() -> None:
    again = (
        ENTER + "R1/again\n  permits  Enter\n  when     into some Pit and actor some Gladiator and moment some Dawn\n"
    )
    (found,) = [f for f in of_kind(norms(again), "repeated") if f.key]
    assert found.key == "R1 R1/again" and found.sure == "proven"
    other = again.replace("actor some Gladiator and moment", "actor some Beast and moment")
    assert not of_kind(norms(other), "repeated")


# ── kinds of thing that are passed over, limits that are nothing, rights and duties ──


def test_a_number_that_some_kinds_are_given_and_others_not_is_found() -> None:
    two = "R1\n  sets     strength of Pit to 2\nR2\n  sets     strength of Gate to 3\n"
    found = [f for f in of_kind(norms(two), "no-value") if "Stand" in f.words]
    assert [f.rules for f in found] == [("R1", "R2")] and "of stand no rule does" in found[0].says
    for more in ("R3\n  sets     strength of Stand to 1\n", "R3\n  sets     strength of Place to 1\n"):
        assert not of_kind(norms(two + more), "no-value"), more


def test_a_limit_that_another_rule_makes_nothing_is_found() -> None:
    limit = "R1\n  permits  Enter\n  when     power >= this.bonus\n"
    none = "R2\n  sets     bonus of Enter to {}\n  when     actor some Hurt\n"
    (found,) = of_kind(norms(limit + none.format(0)), "no-value")
    assert found.rules == ("R1", "R2") and "makes it nothing" in found.says
    assert not of_kind(norms(limit + none.format(1)), "no-value")


def test_what_is_a_right_in_one_rule_and_a_duty_in_another_is_found() -> None:
    right = "R1\n  permits  Rest\n  when     actor some Hurt\n"
    duty = "R2\n  {} Rest\n  when     actor some Dazed\n"
    (found,) = of_kind(norms(right + duty.format("requires")), "modality")
    assert found.rules == ("R1", "R2") and "right" in found.says and "duty" in found.says
    assert not of_kind(norms(right + duty.format("permits ")), "modality")


def test_kinds_for_which_nothing_comes_of_it_are_found() -> None:
    rules = """
R1.1
  counts   Strike as Favoured
  when     target some (Gladiator or Beast or Guard)
R1.2
  causes   Hurt of target on Strike
  when     target some {}
"""
    (found,) = of_kind(norms(rules.format("(Gladiator or Beast)")), "gap")
    assert found.words == ("Guard",) and "for beast and gladiator alone" in found.says
    assert not of_kind(norms(rules.format("(Gladiator or Beast or Guard)")), "gap")


def test_a_state_that_some_of_the_kinds_are_never_in_is_found() -> None:
    rules = """
R1
  counts   Gladiator, Lion as Hurt
  when     at some Pit
R2
  forbids  Enter
  when     actor some (Fighter and Hurt)
"""
    found = [f for f in of_kind(norms(rules), "gap") if "Hurt" in f.words]
    assert len(found) == 1 and found[0].words == ("Hurt", "Guard")
    everybody = rules.replace("Gladiator, Lion as", "Fighter as")
    assert not [f for f in of_kind(norms(everybody), "gap") if "Hurt" in f.words]
    related = rules.replace("R2\n  forbids  Enter\n  when     actor some (", "R2\n  relates  Rest by target to (")
    assert [f.words for f in of_kind(norms(related), "gap") if "Hurt" in f.words] == [("Hurt", "Guard")]


def test_two_rules_that_alone_speak_of_an_act_are_read_together() -> None:
    rules = "R1\n  permits  Rest\n  when     at some Pit and moment some Dawn\nR2\n  forbids  Rest\n  when     actor some Hurt\n"
    (found,) = of_kind(norms(rules, policy=OWN), "own-principle")
    assert set(found.rules) == {"R1", "R2"} and found.witness is not None
    more = "".join(
        f"R{n}\n  forbids  Rest\n  when     actor some {kind}\n" for n, kind in ((3, "Dazed"), (4, "Veteran"))
    )
    assert not [f for f in of_kind(norms(rules + more, policy=OWN), "own-principle") if f.rules[0] == "R2"]


def test_a_reference_of_what_narrows_a_kind_is_held_to_what_is_so_then() -> None:
    text = """## R1.1 Cost {#R1.1}

Whoever enters is at 2 [EXC free: not at a pit; R1.2].

```norms
define Dear: Place except free (Pit)
R1.1
  sets     strength of Enter to 2
  when     into some Dear
```

## R1.2 Pits {#R1.2}

A pit is favoured.

```norms
R1.2
  counts   Pit as Favoured
```
"""
    (found,) = words(text, "reference-off-point")
    assert found.rules == ("R1.1", "R1.2")
    told = text.replace("counts   Pit as Favoured", "sets     strength of Pit to 0").replace(
        "is favoured", "has no strength"
    )
    assert not words(told, "reference-off-point")


def test_words_that_a_whole_chapter_goes_by_are_told_once() -> None:
    rule = "## X{0} The {0} {{#X{0}}}\n\nWho is winded stays.\n\n```norms\nX{0}\n  forbids  {1}\n  when     actor some Winded\n```\n\n"
    acts = ("Enter", "Strike", "Rest")
    text = "".join(rule.format(n + 7, act) for n, act in enumerate(acts))
    (found,) = of_kind(findings.of_study(study(prose(text, name="X"))), "undefined-term")
    assert found.words == ("Winded",) and len(found.rules) == 3 and "in many rules" in found.says
    (one,) = of_kind(findings.of_study(study(prose(rule.format(7, "Enter"), name="X"))), "undefined-term")
    assert "in many rules" not in one.says


def test_a_norm_that_asks_for_what_another_says_is_never_so_is_found() -> None:
    rules = "R1\n  counts   Beast as not Hurt\nR2\n  forbids  Enter\n  when     actor some ({} and Hurt)\n"
    (found,) = [f for f in of_kind(norms(rules.format("Lion")), "two-senses") if "Hurt" in f.words]
    assert found.rules == ("R1", "R2") and "there is no beast" in found.says
    assert not [f for f in of_kind(norms(rules.format("Guard")), "two-senses") if "Hurt" in f.words]


@pytest.mark.parametrize(
    ("duty", "bar", "kind"),
    [
        ("requires Enter\n  when     actor some Hurt", "forbids  Leap, Sneak\n  when     actor some Hurt", "barred-means"),
        ("requires Strike\n  when     actor some Hurt and target some Beast", "forbids  Strike\n  when     target some (Beast and at some Pit)", "barred-means"),
        ("requires Enter\n  when     actor some Hurt", "permits  Enter\n  only when actor some Veteran", "barred-means"),
        ("counts   Fighter as Favoured\n  exactly when Hurt", "counts   Fighter as Favoured\n  exactly when Dazed", "conflict"),
    ],
    ids=["each way of doing it barred", "barred where it is to be done", "let to others alone", "a word defined twice"],
)  # fmt: skip
def test_what_issue_and_readers_name_is_found(duty: str, bar: str, kind: str) -> None:
    found = of_kind(norms(f"R1\n  {duty}\nR2\n  {bar}\n", policy=OWN), kind)
    assert found and all(f.rules == ("R1", "R2") for f in found)
    assert not of_kind(norms(f"R1\n  {duty}\nR2\n  permits  Rest\n  when     actor some Hurt\n", policy=OWN), kind)
