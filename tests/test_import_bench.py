"""The measurement of imports: what it measures, and that a broken bound is red."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
import bench_import

from kb.texts import decode, reader


def test_the_text_it_makes_has_its_pages_and_no_number_twice() -> None:
    words = bench_import.make(12, None)
    found = reader.read(decode.Source("t", words, "", decode.page_starts(words)), "toy", "K")
    assert words.count("\f") == 11 and len(found.sections) > 60
    assert {f.kind for f in found.findings} == {"page head"}
    assert reader.unaccounted(found) == []


@pytest.mark.parametrize(("bound", "code"), [(None, 0), ("MOST_TIME", 1), ("MOST_MEMORY", 1)])
def test_a_broken_bound_is_red(
    bound: str | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_import, "MOST_TIME", 99)
    monkeypatch.setattr(bench_import, "MOST_MEMORY", 10**9)
    if bound:
        monkeypatch.setattr(bench_import, bound, -(10**9))
    monkeypatch.setattr(sys, "argv", ["bench_import.py", "--pages", "2", "4", "--rounds", "1"])
    assert bench_import.main() == code
    assert ("broken:" in capsys.readouterr().err) == bool(code)
