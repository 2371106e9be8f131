"""Pictures: what a case tells is in them and in their words, nothing else is, and nothing that is written in a case becomes markup."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from api import drawing, pictures, trees
from kb import asking, registry
from kb.answers import explain, scene
from kb.answers.scene import Scene
from tests import corpus

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "pillbox.yaml"
YARD = """
book: asl
things:
  move: {is: Move, actor: ours, destination: box}
  ours: {is: [Squad, Friendly, Broken]}
  box: {is: Pillbox, exterior: yard, occupant: guard}
  yard: {is: [GroundLevel], occupant: foe}
  guard: {is: [Leader, Friendly]}
  foe: {is: [Tank, Enemy]}
ask: {may: move}
"""
MAP = """
book: asl
things:
  t3: {is: GroundLevel, coordinate: T3}
  u4: {is: GroundLevel, coordinate: U4}
  t5: {is: GroundLevel, coordinate: T5}
  a: {is: [Squad, Friendly], at: t3}
  b: {is: [Squad, Enemy], at: u4}
  shot: {is: Fire, actor: a, target: b}
ask: {may: shot}
"""


def of(text: str) -> Scene:
    case = asking.case(text)
    return scene.scene(case, registry.vocabulary(case.book))


def test_each_thing_stands_where_it_is_told() -> None:
    found = of(YARD)
    there, untold = (next(c for c in found.cells if c.told is told) for told in (True, False))
    (work,) = there.works
    assert (work.name, [p.name for p in work.pieces], work.sign) == ("box", ["guard"], "post")
    assert [(p.name, p.side, p.sign) for p in there.pieces] == [("foe", "Enemy", "tank")]
    assert [(p.name, p.side, p.states) for p in untold.pieces] == [("ours", "Friendly", ("broken",))]
    (arrow,) = found.arrows
    assert (arrow.kind, arrow.start, arrow.end, arrow.asked) == ("move", "ours", "box", True)


def test_the_words_say_what_the_picture_shows() -> None:
    said = of(YARD).text
    assert "in it guard (leader) (ours)" in said and "foe (tank) (the enemy's)" in said
    assert "where is not told" in said and "Ours moves to box: move (asked about)" in said


def test_hexes_lie_as_their_coordinates_do() -> None:
    at = {c.names[0]: c.at for c in of(MAP).cells}
    (ax, ay), (bx, by), (cx, cy) = at["t3"], at["u4"], at["t5"]
    assert (bx - ax, by - ay) == (1, 1) and (cx - ax, cy - ay) == (0, 4)
    other = {c.names[0]: c.at for c in of(MAP.replace("U4", "U8")).cells}
    assert other["u4"] != at["u4"], "a picture that does not read coordinates"


def test_an_arc_is_drawn_towards_what_lies_in_it() -> None:
    text = """
book: asl
things:
  box: {is: Pillbox, exterior: yard}
  yard: GroundLevel
  field: {is: GroundLevel, HOW: box}
  a: {is: [Squad, Friendly], at: box}
  foe: {is: [Squad, Enemy], at: field}
  shot: {is: Fire, actor: a, target: foe}
ask: {may: shot}
"""
    inside, outside = (of(text.replace("HOW", how)) for how in ("withinCAOf", "outsideCAOf"))
    assert "Field lies within the arc of box" in inside.text and "Field lies outside the arc of box" in outside.text
    one, other = (drawing.of_scene(s).wedges for s in (inside, outside))
    assert len(one) == len(other) == 1 and one != other
    assert not drawing.of_scene(of(text.replace(", HOW: box", ""))).wedges, "an arc that nobody told"


def test_what_a_case_says_is_no_markup() -> None:
    bad = YARD.replace("ours", '"<b onload=x>"')
    svg = pictures.situation(asking.ask(bad), "<i>")
    assert "<b" not in svg and "<i>" not in svg and "&lt;b onload=x&gt;" in svg
    ET.fromstring(svg)


@pytest.mark.parametrize("standalone", [True, False])
def test_a_picture_is_well_formed_and_has_its_words(standalone: bool) -> None:
    proof = asking.ask(EXAMPLE)
    root = ET.fromstring(pictures.situation(proof, "t", standalone))
    tags = [e.tag.rpartition("}")[2] for e in root]
    assert tags[:2] == ["title", "desc"] and (root[1].text or "").startswith("In yard (ground level): pillbox")
    assert ("}" in root.tag) is standalone


def test_every_sign_names_a_term_of_some_book() -> None:
    table = yaml.safe_load((ROOT / "ontology" / "signs.yaml").read_text(encoding="utf-8"))
    known = {name for book in registry.books() for name in registry.vocabulary(book).names()}
    rows = [name for part in table.values() for name in part]
    assert len(rows) > 60 and [name for name in rows if name not in known] == []
    drawn = {sign for part in ("pieces",) for sign in table[part].values()}
    assert drawn == set(pictures.SIGNS) and set(table["terrain"].values()) <= set(pictures.FILLS)


@pytest.mark.slow
def test_cases_of_every_book_are_drawn() -> None:
    some = corpus.every()[::40]
    assert len(some) > 80
    books = set()
    for written in some:
        case = asking.case(written)
        books.add(case.book)
        found = scene.scene(case, registry.vocabulary(case.book))
        drawn = drawing.of_scene(found)
        spots = [c.at for c in found.cells]
        assert len(set(spots)) == len(spots), f"{written.name}: two cells in one place"
        assert drawn.width > 0 and found.text
    assert books == {"asl", "fow", "vv"}


# ── trees ──


def test_a_proof_is_drawn_down_to_its_facts() -> None:
    proof = asking.ask(EXAMPLE)
    root = ET.fromstring(trees.of_proof(explain.outline(proof, flips=False), "t", standalone=True))
    boxes = [e for e in root.iter() if e.tag.endswith("}rect") and e.get("rx")]
    text = " ".join(e.text or "" for e in root.iter() if e.tag.endswith("}text"))
    assert len(boxes) >= 8 and "FORBIDDEN" in text and "B30.42" in text and "enemy squad is in yard" in text
    places = [(float(b.get("x", 0)), float(b.get("y", 0))) for b in boxes]
    assert len(set(places)) == len(places)


def test_a_tree_that_is_too_large_says_what_it_leaves_out() -> None:
    root = trees.Node("root", [trees.Node(str(n), [trees.Node("leaf") for _ in range(9)]) for n in range(9)])
    trees.cut(root, 30)
    assert [b.text for b in root.below[0].below] == ["9 more below"] and len(list(trees.every(root))) == 19


def test_exceptions_and_neighbours_name_what_the_rule_says() -> None:
    from api import lookups

    _, titles, exceptions, neighbours = lookups.rule_shown("B30.4", "asl")
    assert (
        "by tunnel; 8.6" in exceptions
        and "beaten by" in exceptions
        and re.search(r'href="/id/rule/asl/B30.42"', exceptions)
    )
    assert "B30.8 Bunkers" in neighbours and "A8.1 (not loaded)" in neighbours and len(titles) > 40
    alone = lookups.rule_drawn("B30.4", "asl", "exceptions")
    assert "href" not in alone and alone.startswith("<svg xmlns")


def test_the_command_line_draws(capsys: pytest.CaptureFixture[str]) -> None:
    from api.cli import app

    for more, sign in (((), "yard (ground level)"), (("--tree",), "An enemy outside bars the")):
        with pytest.raises(SystemExit) as ended:
            app(["ask", str(EXAMPLE), "--svg", *more])
        said = capsys.readouterr().out
        assert ended.value.code == 0 and sign in said
        ET.fromstring(said)
