"""Which norms are narrower and which can never apply, as the DL reasoner decides it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from kb.language import norms as m
from kb.ontology import subsumption
from kb.registry import books


@pytest.mark.parametrize("book", books())
def test_shipped_files_are_current_and_no_norm_is_dead(book: str) -> None:
    assert list(subsumption.check(book)) == []


def test_a_stale_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = books()[0]
    planted = tmp_path / "planted.json"
    planted.write_text(json.dumps({"version": "of yesterday", "narrower": [], "never": ["X.1"]}), encoding="utf-8")
    monkeypatch.setattr(subsumption, "path_of", lambda _: planted)
    assert [p.code for p in subsumption.check(book)] == [761, 762]
    planted.unlink()
    assert [p.code for p in subsumption.check(book)] == [760]


@pytest.mark.slow
@pytest.mark.reasoner
def test_the_reasoner_tells_the_narrower_norm_and_the_dead_one() -> None:
    norms, vocabulary = subsumption.norms_of("vv")
    classes = vocabulary.classes
    act = next(c for c in sorted(classes) if len(classes[c].descendants) > 1 and classes[c].disjoint)
    kind = next(c for c in sorted(classes[act].descendants) if c != act)
    wide = replace(norms[0], id="wide", head=m.Deontic(m.PERMITS, act), when=m.Anything(), unless=())
    narrow = replace(wide, id="narrow", head=m.Deontic(m.FORBIDS, act), when=m.Named(kind))
    apart = next(iter(sorted(classes[act].disjoint)))
    dead = replace(wide, id="dead", when=m.Named(apart))
    found = subsumption.decide([wide, narrow, dead], vocabulary)
    assert found["narrower"] == [("narrow", "wide")]
    assert found["never"] == ["dead"]
