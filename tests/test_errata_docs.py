"""docs/errata.md shows every erratum as the software tells it now, and each has an invented case that flips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb import asking, registry
from kb.research import errata_docs, impact, sides, witnesses
from tests import corpus
from tests.night import some

PAGE = Path(__file__).parent.parent / "docs" / "errata.md"
TEXT = PAGE.read_text(encoding="utf-8")
UNTOUCHED = errata_docs.shown(corpus.named("b30-4-by-hex").title).strip("`")
FLIP = {
    "B30.34-att", "B30.6-attack", "A7.4-att", "A7.5-unit", "A7.52-any", "A7.531-marked", "A7.55-able", "A7.7-vehicular",
    "A7.9-conscripts", "T6.4-counter",
}  # fmt: skip
SHOWN = [found[2] for found in errata_docs.MARK.finditer(TEXT)]


def part(name: str) -> str:
    (found,) = [f for f in errata_docs.MARK.finditer(TEXT) if f[2] == name]
    return found[0]


def test_every_erratum_is_on_the_page() -> None:
    assert errata_docs.missing(TEXT) == []
    assert errata_docs.missing(TEXT.replace("generated: A7.9-conscripts", "generated: A7.9")) == ["A7.9-conscripts"]
    assert len(SHOWN) >= 12 and set(SHOWN) > FLIP


@pytest.mark.slow
@pytest.mark.parametrize("name", some(SHOWN, of=3))
def test_what_the_page_says_is_so_and_its_invented_case_flips(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[impact.Impact] = []
    search = impact.of_record
    monkeypatch.setattr(impact, "of_record", lambda *given: kept.append(search(*given)) or kept[-1])
    assert errata_docs.stale(TEXT, [name]) == [], "run python -m kb.research.errata_docs build"
    for found in kept:
        assert (found.witness is not None) == (name in FLIP), found.bounds
        if found.witness is not None:
            flips(name, found.witness)


def flips(name: str, found: witnesses.Witness) -> None:
    """The reasoner says so of the printed case too, asked through the front door on either side."""
    held = name in registry.in_edition("asl").errata
    before = asking.ask(found.case, without=[name] if held else ())
    after = asking.ask(found.case, also=() if held else [name])
    assert (before.verdict, before.value) == (found.before.verdict, found.before.value)
    assert (after.verdict, after.value) == (found.after.verdict, found.after.value)
    assert sides.flips(before, after)


@pytest.mark.slow
def test_a_part_that_is_not_so_is_seen() -> None:
    assert "answer every case alike" in part("A7.81-spelling")
    for name, old, new in (
        ("A7.81-spelling", "Fire Lane", "Firelane"),
        ("B30.34-att", ": b30-34-att`: NO → YES", ": b30-34-att`: YES → NO"),  # a case's answer
        ("B30.34-att", "B30.34.yaml: b30-34-att", "B30.34.yaml: b30-42-no-such"),  # a case that is gone
        ("B30.34-att", "by other words: ", f"by other words: `{UNTOUCHED}`, "),  # one untouched
        ("B30.34-att", "(3 facts, found", "(4 facts, found"),  # what was invented
    ):
        planted = TEXT.replace(part(name), part(name).replace(old, new))
        assert planted != TEXT
        assert [name in said for said in errata_docs.stale(planted, [name])] == [True], (name, old)
        assert errata_docs.page(planted, whole=False, only=["list"]) == planted


def test_all_cases_are_asked_where_the_page_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case that the page does not name comes onto it; one that it names and that is not in the corpus goes."""
    names = ("b30-34-att", "b30-34-oba", "b30-42-withdraw")
    monkeypatch.setattr(errata_docs, "CORPUS", tuple(map(corpus.named, names)))
    bare = re.sub(r"Of the project's cases.*?(?=\n\nThe smallest)", "None", part("B30.34-att"), flags=re.S)
    built = errata_docs.page(bare)
    assert (
        ": b30-34-att`: NO → YES" in built
        and f"by other words: {errata_docs.shown(corpus.named('b30-34-oba').title)}\n" in built
    )
    assert len(errata_docs.listed(built)) == 2
