"""The figures of how chapters are written: each is seen to change when what it counts is planted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.coverage import style
from kb.coverage.style import Figures, of_chapter
from kb.research import style_page, unused_classes

CHAPTER = """---
book: huts
chapter: "1"
---

## 1.1 Going in {#1.1}

Anybody may go in.
<!-- not said -->

```norms
1.1/in
  permits  Entry   # as ever
  when     destination some Hut
             and actor some Unit
1.1/out
  forbids  Entry
  when     via some Window
  over     1.1/in
```

Table: doors

| a | b |
|---|---|
| 1 | 2 |

EX: The miller goes in.
> case: miller
"""
PLAIN = Figures(sentences=3, norms=2, over=1, cross=0, high=0, wide=0)


def test_a_chapter_is_counted() -> None:
    assert of_chapter(CHAPTER) == PLAIN and PLAIN.share == Fraction(2, 3)


@pytest.mark.parametrize(
    ("old", "new", "name", "value"),
    [
        ("Anybody may go in.", "Anybody may go in.\nNobody stays.", "sentences", 4),
        ("1.1/out\n", "1.1/more\n  permits  Entry\n1.1/out\n", "norms", 3),
        ("1.1/out\n", "define Narrow: via some Window\n1.1/out\n", "norms", 2),
        ("over     1.1/in", "over     1.1/in, 1.1", "over", 2),
        ("over     1.1/in", "over     2.3/there", "cross", 1),
        ("actor some Unit", "actor some Unit\n             and via some Door", "high", 0),
        ("actor some Unit", "actor some Unit\n             and via some Door\n             and not Locked", "high", 1),
        ("via some Window", "via some Window\n    or C\n    or D\n    or E\n    # F", "high", 1),
        ("when     via", "exactly when via\n    a\n    b\n    c", "high", 1),
        ("  when     via some Window", "  when     via some " + "W" * 100, "wide", 0),
        ("  when     via some Window", "  when     via some " + "W" * 101, "wide", 1),
        ("Anybody may go in.", "Anybody may go in" + " and out" * 20 + ".", "wide", 0),
    ],
)
def test_a_planted_fault_changes_its_figure(old: str, new: str, name: str, value: int) -> None:
    assert old in CHAPTER
    planted = of_chapter(CHAPTER.replace(old, new, 1))
    assert getattr(planted, name) == value
    others = [f for f in Figures.__dataclass_fields__ if f not in (name, "over")]
    assert all(getattr(planted, f) == getattr(PLAIN, f) for f in others)


def test_figures_are_added_up_and_held_against_targets() -> None:
    two = style.total([PLAIN, of_chapter(CHAPTER.replace("1.1/in\n```", "9.9\n```"))])
    assert two == Figures(6, 4, 2, 1, 0, 0)
    assert style.missed(PLAIN, 15) == []
    assert style.missed(two, 16) == [
        "of them in another chapter: 1, at most 0",
        "classes that nothing uses: 16, at most 15",
    ]
    assert style.missed(Figures(sentences=50, norms=126), 0) == [
        "norms a sentence: 2.6, at most 2.5"
    ]  # 2.52, rounded up
    table = style.table({"huts 1": PLAIN}, {"all": 3})
    assert table[1] == ["huts 1", "3", "2", "0.7", "1", "0", "0", "0", ""] and table[2][-1] == "3"
    assert table[-1] == ["at most", "", "", "2.5", "40", "0", "0", "0", "15"]


@pytest.mark.slow
def test_the_page_is_current_and_an_old_one_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert style_page.main(["check"]) == 0
    old = tmp_path_factory.mktemp("docs") / "style.md"
    old.write_text(style_page.page().replace("| all |", "| none |"), encoding="utf-8")
    monkeypatch.setattr(style_page, "place", lambda: old)
    assert style_page.main(["check"]) == 1 and style_page.main(["build"]) == 0 and style_page.main(["check"]) == 0
    assert style_page.main([]) == 2


def test_a_class_is_used_by_a_condition_a_case_or_a_question() -> None:
    unused = unused_classes.of_book("vv")
    assert "Strongpoint" in unused  # why tunnels are dug, which no norm looks at
    assert not {"Pillbox", "Bunker"} & set(unused)
    assert unused_classes.asked("Pillbox", ()) and not unused_classes.asked("Strongpoint", ("strongpoint",))


def test_a_definition_a_scope_and_a_record_use_classes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "OwesReRoll" not in unused_classes.of_book("fow")  # a part of what FinallyPassed is
    assert not {"Conscript", "ShownByCounter"} & set(unused_classes.of_book("asl"))  # spoken of by errata alone
    monkeypatch.setattr(unused_classes, "in_norms", lambda book: iter(()))
    monkeypatch.setattr(unused_classes, "asked", lambda name, labels, book="": False)
    assert {"OwesReRoll", "FinallyPassed"} <= set(unused_classes.of_book("fow"))  # no use of a definition nobody uses
