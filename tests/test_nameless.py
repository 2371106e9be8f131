"""Cases that differ in the names of their things alone have one answer, each in its own names: held on every book's case files."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from api import jobs
from api.examples import CASE
from kb import registry
from kb.cases import nameless as names
from kb.cases.casebook import Written
from kb.cases.nameless import Nameless, form, nameless
from kb.language import norms as m
from tests import corpus, night

EACH, FLIPS, CALLED = (
    9,
    7,
    6,
)  # of the day's cases each so many: with their answers, with what turns them, by names that norms use


def text_of(case: Written) -> str:
    """A case as somebody sends it, without what only its file says."""
    left_out = ("expect", "rule", "note")
    return json.dumps({k: v for k, v in case.data.items() if k not in left_out}, default=str, ensure_ascii=False)


def bare(text: str) -> Nameless | None:
    return nameless(text, registry.vocabulary)


def of_today(each: int) -> list[tuple[str, Nameless]]:
    """Cases in JSON, each with what it is without names."""
    texts = [text_of(case) for case in night.today(corpus.every(), of=12)[::each]]
    found = [(text, bare(text)) for text in texts]
    assert len(found) > 400 // each and sum(n is not None for _, n in found) > 0.9 * len(found)
    return [(text, n) for text, n in found if n is not None]


def said(text: str, flips: bool = False) -> bytes:
    return jobs.answer(text, jobs.JSON, flips, ())[1]


def differences(cases: list[tuple[str, Nameless]], flips: bool) -> list[str]:
    """The cases of which another answer comes when their names are taken out, and put in again."""
    return [text for text, n in cases if n.filled(form(said(n.text, flips))) != said(text, flips)]


def test_an_answer_does_not_hang_on_names() -> None:
    cases = of_today(EACH)
    assert sum(len(n.names) for _, n in cases) > 2 * len(cases)
    assert not differences(cases, flips=False)
    assert not differences(cases[::FLIPS], flips=True)


def test_what_something_is_called_matters_where_it_is_a_word_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(corpus.named("fow-shoot-then-carrier"))
    assert not differences([(text, n) for n in [bare(text)] if n], flips=False)
    monkeypatch.setattr(
        names, "words_of", lambda vocabulary: frozenset()
    )  # planted: “with carrier” of a Demolition carrier
    planted = bare(text)
    assert planted is not None and b"carrier" in planted.names.values()
    assert differences([(text, planted)], flips=False)


def of_norms(book: str) -> list[bytes]:
    """The names by which norms call what they speak of."""
    theory, found = registry.theory(book), dict[str, None]()

    def walk(node: object) -> Iterator[str]:
        if isinstance(node, m.Bind):
            yield node.var
        for part in m.made_of(node):
            yield from walk(part)

    for norm in theory.norms.values():
        for part in (norm.head, norm.when, *(u.condition for u in norm.unless)):
            found.update(dict.fromkeys(walk(part)))
    words = names.words_of(theory.vocabulary)
    return [name.encode() for name in found if names.NAME.fullmatch(name) and name not in words]


def test_what_a_norm_calls_something_is_no_thing_of_that_name() -> None:
    captured = text_of(corpus.named("b30-2-dm-a-friend-at-the-door"))  # its box was once that of B30.2/for-purposes
    asked, first = 0, bare(captured)
    assert first is not None and b"box" in first.names.values() and "box" in map(bytes.decode, of_norms("asl"))
    assert not differences([(captured, first)], flips=False)
    for text, n in of_today(CALLED):
        ours = of_norms(json.loads(text)["book"])
        things = [key for key in n.names if key.isdigit()]
        if not ours:
            continue
        offset = asked % len(ours)
        theirs = dict(zip(things, [*ours[offset:], *ours[:offset]], strict=False))
        case = Nameless(n.text, {**n.names, **theirs})
        asked += 1
        assert case.filled(form(said(n.text))) == said(case.filled(form(n.text.encode())).decode()), text
    assert asked > 30


@pytest.mark.parametrize(
    ("things", "taken"),
    [
        ({"alpha": "Squad", "yard": "GroundLevel"}, "alpha yard"),
        ({"squad": "Squad", "b2": "Hex", "Alpha": "Squad"}, ""),  # a word of the game, a coordinate, no plain name
        ({"alpha": {"is": "Squad", "at": "yard"}, "yard": "GroundLevel"}, "alpha yard"),
        ({"alpha": {"is": "Squad", "label": "alpha"}}, ""),  # it is told what it is called
        ({"alpha": {"is": "alpha"}}, ""),
        ({"alpha": {"is": "Squad", "at": {"is": "Hex", "alpha": "x"}}}, ""),
        ({"alpha": {"is": "Squad", "label": "old alpha"}}, ""),
        ({"alpha": {"is": "Squad", "target": ["bravo", "alpha"]}, "bravo": "Squad"}, "alpha bravo"),
    ],
)
def test_a_name_is_taken_out_where_it_is_nothing_but_a_name(things: dict[str, object], taken: str) -> None:
    found = bare(json.dumps({"book": "asl", "things": things, "ask": {"is": ["go", "Broken"]}}))
    assert " ".join(name.decode() for name in (found.names.values() if found else ())) == taken


def test_names_are_left_where_a_condition_speaks_of_them_and_where_a_case_does_not_read() -> None:
    case = {"book": "asl", "things": {"alpha": "Squad", "yard": "Hex"}, "ask": {"is": ["alpha", "at value yard"]}}
    found = bare(json.dumps(case))
    assert found is not None and list(found.names.values()) == [b"alpha"]
    for text in ("", "{", "[1]", "book: asl", '{"book": "asl"}', "[" * 100_000, json.dumps({**case, "title": "qzq"})):
        assert bare(text) is None
    twice = json.dumps(case).replace('"ask"', '"alpha": 1, "ask"')
    assert bare(twice) is None or b"alpha" not in bare(twice).names.values()  # type: ignore[union-attr]


def test_what_a_case_is_called_is_said_as_it_is_written() -> None:
    text = json.dumps({**CASE, "title": "A 100 % sure “door” %(0)b"}, ensure_ascii=False)
    found = bare(text)
    assert found is not None and "door" not in found.text
    assert found.filled(form(said(found.text))) == said(text)


def test_one_answer_is_worked_out_for_all_names(client: TestClient) -> None:
    work = client.app.state.work  # type: ignore[attr-defined]
    replies = {}
    for name in ("alpha", "bravo", "zulu"):
        text = json.dumps(CASE).replace('"squad"', f'"{name}"')
        replies[name] = client.post("/v1/ask?flips=false", content=text), len(work.answers)
        assert replies[name][0].content == said(text)
    assert (
        len({kept for _, kept in replies.values()}) == 1 and len({r.headers["etag"] for r, _ in replies.values()}) == 3
    )
    text = json.dumps(CASE).replace('"squad"', '"alpha"').replace('"Enemy"', '"Enemmy"')
    told = client.post("/v1/ask", content=text)
    assert told.status_code == 422 and "qzq" not in told.text and "Enemmy" in told.text
