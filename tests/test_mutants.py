"""Mutants of the chapters: drawn as stated, each a change of its file, and noticed by whom it should be."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from bench import mutants, mutations
from kb import resources


def test_sixty_mutants_are_drawn_of_all_kinds_and_books_and_each_changes_its_chapter(tmp_path: Path) -> None:
    drawn = mutations.drawn()
    kinds = Counter(mutant.kind for mutant in drawn)
    assert len(drawn) >= 60 and len(kinds) >= 9 and drawn == mutations.drawn()
    assert {mutant.book for mutant in drawn} == {"asl", "vv", "fow"}
    assert {"an exception dropped", "a modality swapped", "a contradicting norm added", "a reference broken"} <= set(
        kinds
    )
    assert {"a condition widened", "a scope overstated"} <= set(kinds)
    for n, mutant in enumerate(drawn):
        folder = tmp_path / str(n)
        shutil.copytree(resources.book(mutant.book), folder)
        mutations.written(mutant, folder)
        was, now = (
            p.read_text(encoding="utf-8")
            for p in (resources.book(mutant.book) / f"{mutant.chapter}.md", folder / f"{mutant.chapter}.md")
        )
        assert was != now, mutant


def test_a_broken_reference_is_noticed_by_the_check_and_a_swapped_modality_by_the_cases() -> None:
    drawn = [mutant for mutant in mutations.drawn() if mutant.book == "fow"]
    broken = next(mutant for mutant in drawn if mutant.kind == "a reference broken")
    swapped = next(mutant for mutant in drawn if mutant.kind == "a modality swapped")
    assert "check" in mutants.noticed(broken).by and "cases" in mutants.noticed(swapped).by
