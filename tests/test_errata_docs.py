"""docs/errata.md shows every erratum as the software tells it now."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import errata_docs

PAGE = Path(__file__).parent.parent / "docs" / "errata.md"


def test_every_erratum_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert errata_docs.missing(text) == []
    assert errata_docs.missing(text.replace("generated: A7.9-conscripts", "generated: A7.9")) == ["A7.9-conscripts"]
    assert len(errata_docs.MARK.findall(text)) >= 12


def test_a_page_that_is_not_current_is_seen() -> None:
    (part,) = [f for f in errata_docs.MARK.finditer(PAGE.read_text(encoding="utf-8")) if f[2] == "A7.81-spelling"]
    assert errata_docs.page(part[0]) == part[0] and "answer every case alike" in part[0]
    stale = part[0].replace("Fire Lane", "Firelane")
    assert errata_docs.page(stale) == part[0] != stale


@pytest.mark.slow
def test_the_page_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert errata_docs.page(text) == text, "run python -m kb.errata_docs build"
