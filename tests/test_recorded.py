"""A proof goes out as JSON and comes back: it is accepted as it was, and what is changed in it is noticed."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from api import cli
from kb import asking, generated
from kb.checker import proof_file
from kb.checker.recorded import RecordError
from kb.errors import LoopholeError
from tests import corpus
from tests.night import some, today

EXAMPLE = Path(__file__).parent.parent / "examples" / "pillbox.yaml"
PARTS = 48
# One case for each kind of question, with a history and without, reasoning by cases and lists among them.
KINDS = (
    "a7-371-he", "a7-other-condition", "a7-4-no-naming", "a7-u-dir-final-other-mg", "a7-7-claim-takes-in-all",
    "a7-x-claimants-friend", "b30-x-31-set-outside-crest", "b30-u18-thrown-next-hex",
)  # fmt: skip
assert len(KINDS) == 8
EACH = 12  # places in a record that are changed, of each case
# What may be otherwise and nothing claimed rests on it (docs/certify.md): a step that presumes more than it must, parts that are
# not needed, by which of several statements a relation is known, of which moment an unmoved thing is, what a case is called.
UNMINDED = {"presumes", "parts", "via", "of", "name", "says", "thing"}


def told(name: str, flips: bool = False) -> dict[str, Any]:
    return as_read(asking.record(asking.ask(corpus.named(name)), flips))


@cache
def example() -> str:
    return json.dumps(asking.record(asking.ask(EXAMPLE)))


def as_read(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def faults(record: dict[str, Any]) -> list[str]:
    """What is wrong with a record, or with reading it."""
    try:
        return [str(fault) for fault in asking.certified(json.dumps(record))[1]]
    except LoopholeError as error:
        return [str(error)]


@pytest.mark.slow
@pytest.mark.parametrize("part", some(range(PARTS), of=48))
def test_every_proof_comes_back_and_is_accepted(part: int) -> None:
    mine = corpus.every()[part::PARTS]
    assert len(mine) >= 60
    wrong = {case.place: found for case in mine if (found := faults(asking.record(asking.ask(case), False)))}
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", today(KINDS, of=4))
def test_a_proof_of_each_kind_comes_back_with_what_turns_it(name: str) -> None:
    record = told(name, flips=True)
    assert faults(record) == []
    jsonschema.validate(record, proof_file.schema())


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Each leaf of a record, and each list that has something in it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*at, key))
    elif isinstance(value, list):
        for n, part in enumerate(value):
            yield from places(part, (*at, n))
        if value:
            yield at
    else:
        yield at


def changed(record: dict[str, Any], at: tuple[Any, ...]) -> dict[str, Any]:
    """The record with a leaf otherwise, or the last of a list left out."""
    found: Any = copy.deepcopy(record)
    held = found
    for key in at[:-1]:
        held = held[key]
    match held[at[-1]]:
        case bool() as value:
            held[at[-1]] = not value
        case str() as text:
            held[at[-1]] = text + "x"
        case int() | float() as number:
            held[at[-1]] = number + 1
        case list() as rows:
            rows.pop()
        case _:
            held[at[-1]] = True
    return found  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("name", today(KINDS, of=4))
def test_what_is_changed_in_a_record_is_noticed(name: str) -> None:
    record = told(name)
    every = sorted(places(record), key=str)
    some = random.Random(name).sample(every, EACH)
    unseen = [at for at in some if not faults(changed(record, at))]
    words = [next(key for key in reversed(at) if isinstance(key, str)) for at in unseen]
    assert set(words) <= UNMINDED and len(unseen) <= EACH // 4, unseen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r.update(verdict="permitted"), "E812"),
        (lambda r: r.update(title="another"), "E897: title"),
        (lambda r: r.update(sentence="FORBIDDEN: it may not"), "E897: sentence"),
        (lambda r: r["flips"][0].update(change="if it rains"), "E897: flips.0.change"),
        (lambda r: r["flips"][0].update(verdict="forbidden"), "E890"),
        (lambda r: r["rules"].update(sha256="0" * 64), "E896"),
        (lambda r: r["rules"]["chapters"].update(B30="0" * 64), "E897: rules.chapters.B30"),
        (lambda r: r["rules"]["sentences"].update({"B30.42": ["0" * 64]}), "E897: rules.sentences"),
        (lambda r: r["edition"].update(errata=[]), "E897: edition.errata"),
        (lambda r: r["considered"].pop(), "E"),
        (lambda r: r["assumptions"].pop(), "E870"),
        (lambda r: r.update(format="loophole-proof/9"), "E895"),
        (lambda r: r["because"][0].update(of=999), "E895"),
        (lambda r: r["because"][0].update(norm="B30.999"), "E895"),
        (lambda r: r["because"][0]["head"].update(node="Entry and and"), "E895"),
        (lambda r: r.pop("cites"), "E895"),
    ],
)
def test_each_of_these_is_noticed(change: Any, said: str) -> None:
    record = json.loads(example())
    change(record)
    assert any(fault.startswith(said) for fault in faults(record)), faults(record)


def test_what_is_no_record_is_refused() -> None:
    for text in ("", "{}", "[1]", "[" * 100_000, '{"format": "loophole-proof/1"}'):
        with pytest.raises(RecordError, match="E895"):
            asking.certified(text)


@pytest.mark.slow
def test_other_rules_and_other_readings_are_told_apart() -> None:
    without = asking.record(asking.ask(EXAMPLE, without=["B30.34-att"]))
    assert faults(as_read(without)) == []
    usual = json.loads(example())
    assert without["rules"]["sha256"] != usual["rules"]["sha256"]
    assert without["rules"]["chapters"]["A7"] == usual["rules"]["chapters"]["A7"]


@pytest.mark.slow
def test_the_commands_write_and_check_a_file_in_processes_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "api.cli", *args], capture_output=True, text=True, timeout=120)

    asked = run("ask", str(EXAMPLE), "--proof", str(file))
    assert asked.returncode == 0 and asked.stdout.startswith("FORBIDDEN")
    checked = run("certify", str(file))
    assert checked.returncode == 0 and checked.stdout.startswith("ACCEPTED: FORBIDDEN"), checked
    file.write_text(
        file.read_text(encoding="utf-8").replace('"verdict": "forbidden"', '"verdict": "permitted"', 1),
        encoding="utf-8",
    )
    checked = run("certify", str(file))
    assert checked.returncode == 1 and "NOT ACCEPTED" in checked.stdout, checked


def test_certify_as_json_and_its_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proof.json"
    assert cli.main(["certify", str(file)]) == 2 and "E675" in capsys.readouterr().err
    file.write_text("{}", encoding="utf-8")
    assert cli.main(["certify", str(file)]) == 2 and "E895" in capsys.readouterr().err
    file.write_text(json.dumps(asking.record(asking.ask(EXAMPLE), False)), encoding="utf-8")
    assert cli.main(["certify", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] is True


def test_the_published_format_is_current() -> None:
    assert generated.stale(proof_file.wanted()) == []
    assert proof_file.schema()["$ref"].endswith("WholeRecord")
