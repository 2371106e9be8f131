"""An invented game, the arena, for tests of the engine: its terms, rules written in a line or two, and random ones.

    theory('''R1
      permits Enter''')            a theory from norms alone; the prose that the reader wants is put around them
    ask(theory, case)              the proof for a case in YAML or as a mapping

`theories()` and `cases()` draw random norms over these terms, and random cases of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from kb.cases import reader as cases_
from kb.language import norms as m
from kb.language.case import Case, Facts, Question
from kb.language.vocabulary import Vocabulary
from kb.reasoner import reason
from kb.reasoner.proof import Proof
from kb.rulebook import compiler, linker, reader
from kb.rulebook.chapter_reader import ChapterReader
from kb.rulebook.theory import Theory
from kb.yaml_document import document

IRI = "https://example.org/arena#"

# name: (parents, what silence means, more)
CLASSES: dict[str, tuple[list[str], str, dict[str, Any]]] = {
    "Fighter": ([], "asked", {}),
    "Gladiator": (["Fighter"], "asked", {"disjoint": ["Beast", "Guard"]}),
    "Beast": (["Fighter"], "asked", {"disjoint": ["Guard"]}),
    "Guard": (["Fighter"], "asked", {}),
    "Lion": (["Beast"], "asked", {}),
    "Veteran": ([], "asked", {}),
    "Place": ([], "asked", {"disjoint": ["Fighter", "Act", "Moment", "Item"]}),
    "Pit": (["Place"], "asked", {"existential": [["gate", "Gate"]], "disjoint": ["Gate", "Stand"]}),
    "Gate": (["Place"], "asked", {"disjoint": ["Stand"]}),
    "Stand": (["Place"], "asked", {}),
    "Act": ([], "asked", {"disjoint": ["Fighter", "Moment", "Item"]}),
    "Enter": (["Act"], "asked", {"disjoint": ["Strike", "Rest"]}),
    "Leap": (["Enter"], "asked", {"existential": [["moment", "Dawn"]]}),
    "Sneak": (["Enter"], "asked", {}),
    "Strike": (["Act"], "asked", {"disjoint": ["Rest"]}),
    "Rest": (["Act"], "asked", {}),
    "Moment": ([], "asked", {"disjoint": ["Fighter", "Item"]}),
    "Dawn": (["Moment"], "asked", {"disjoint": ["Dusk"]}),
    "Dusk": (["Moment"], "asked", {}),
    "Item": ([], "asked", {"disjoint": ["Fighter"]}),
    "Net": (["Item"], "asked", {"disjoint": ["Sword"]}),
    "Sword": (["Item"], "asked", {}),
    "State": ([], "absent", {}),
    "Hurt": (["State"], "absent", {}),
    "Dazed": (["State"], "absent", {"disjoint": ["Alert"]}),
    "Alert": (["State"], "absent", {}),
    "Winded": (["State"], "absent", {"source": "X7"}),
    "Favoured": ([], "absent", {}),
    "Marked": ([], "asked", {}),
    "Fit": (["Fighter"], "asked", {"definitions": ["Fighter and not (Hurt or Dazed)"]}),
    "Cornered": (["Fighter"], "asked", {"definitions": ["Fighter and at some Pit"]}),
    "Friendly": ([], "asked", {"derived": "sides"}),
    "Enemy": ([], "asked", {"derived": "sides"}),
    "RuledElsewhere": ([], "asked", {"derived": "rules elsewhere"}),
}
PROPERTIES: dict[str, dict[str, Any]] = {
    "actor": {"kind": "object", "functional": True},
    "target": {"kind": "object", "functional": True},
    "into": {"kind": "object", "functional": True},
    "moment": {"kind": "object", "functional": True, "staged": True},
    "at": {
        "kind": "object",
        "functional": True,
        "inverses": ["occupant"],
        "changed_by": [{"cls": "Sneak", "mover": "actor", "place": "into"}],
    },
    "occupant": {"kind": "object", "inverses": ["at"], "when_unstated": "complete"},
    "gate": {"kind": "object", "functional": True, "staged": True},
    "carries": {"kind": "object", "when_unstated": "complete", "below": ["carries", "wields"]},
    "wields": {"kind": "object"},
    "near": {"kind": "object", "inverses": ["near"]},
    "owes": {"kind": "object", "transitive": True, "when_unstated": "complete"},
    "from": {"kind": "object", "chains": [["actor", "at"]]},
    "side": {"kind": "object", "functional": True},
    "strength": {"kind": "number"},
    "power": {"kind": "number", "default": "0"},
    "bonus": {"kind": "number", "default": "0"},
    "open": {"kind": "flag"},
    "barred": {"kind": "flag", "when_unstated": "absent"},
}
POLICY = """
book: arena
authorities: [chapter, module, erratum, scenario]
principles:
  - {name: explicit, cite: R0.1, says: "one names the other"}
  - {name: authority, cite: R0.2, says: "a module beats the book"}
  - {name: specificity, cite: R0.3, says: "the narrower beats the wider"}
"""


def _vocabulary() -> Vocabulary:
    classes = {
        name: {"iri": IRI + name, "label": name.lower(), "parents": up, "when_unstated": silence, **more}
        for name, (up, silence, more) in CLASSES.items()
    }  # fmt: skip
    for row in classes.values():  # existential axioms are inherited, as the shipped files have them
        for parent in row["parents"]:
            row["existential"] = [*classes[parent].get("existential", []), *row.get("existential", [])]
    properties = {
        name: {"iri": IRI + name, "label": name, "below": [name], **row} for name, row in PROPERTIES.items()
    }  # fmt: skip
    return Vocabulary.from_json(
        json.dumps({"book": "arena", "version": "1", "classes": classes, "properties": properties})
    )


VOCABULARY = _vocabulary()


# ── rules in a line or two ──


def chapter(norms: str, name: str = "R", tables: str = "", authority: str = "chapter", scope: str = "") -> m.Chapter:
    """A chapter that holds these norms, with a sentence and its brackets for each rule. scope: its rows, as YAML."""
    blocks: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\S)", norms.strip()):
        blocks.setdefault(block.split()[0].split("/")[0], []).append(block.rstrip())
    out = ["---", f"book: arena\nchapter: {name}\ntitle: The arena\nauthority: {authority}"]
    out += ["scope:", *(f"  {line}" for line in scope.strip().splitlines())] if scope else []
    out += ["---"]
    for rule, texts in blocks.items():
        labels = re.findall(r"(?:unless|except)\s+([\w-]+)\s*[:(]", "\n".join(texts))
        marks = "".join(f" [EXC {label}: so]" for label in labels)
        out += [f"## {rule} A rule {{#{rule}}}", "", f"It is so{marks}.", "", "```norms", *texts, "```", ""]
    if tables:
        out += [tables]
    return ChapterReader(f"{name}.md", "\n".join(out)).read()


def theory(
    norms: str, policy: str = "", tables: str = "", module: str = "", specific: tuple[tuple[str, str], ...] = (),
    scope: str = "",
) -> Theory:  # fmt: skip
    """A theory of these norms. policy: YAML instead of POLICY; module: norms of a second chapter, of authority module; scope:
    the rows of the first chapter's scope."""
    chapters = [chapter(norms, tables=tables, scope=scope)] + (
        [chapter(module, "M", authority="module")] if module else []
    )
    return from_chapters(chapters, policy, specific)


def from_chapters(chapters: list[m.Chapter], policy: str = "", specific: tuple[tuple[str, str], ...] = ()) -> Theory:
    import tempfile
    from pathlib import Path

    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(policy or POLICY)
        file.flush()
        found, title, _ = reader.policy_file(Path(file.name))
    if not any(chapter.scope for chapter in chapters):  # then the rules are all there is to anything
        rows = tuple(m.ScopeRow(m.WHOLLY, term) for term in (*CLASSES, *PROPERTIES))
        chapters = [replace(chapters[0], scope=rows), *chapters[1:]]
    book = m.Book("arena", title, tuple(chapters), found, ())
    return compiler.theory(linker.link(book, VOCABULARY), VOCABULARY, specific=specific)


def case(data: str | Mapping[str, Any]) -> Case:
    """A checked case of the arena; `book` may be left out."""
    source = cases_.Source()
    if isinstance(data, str):
        data, source = document(data)
    return cases_.read({"book": "arena", **data}, VOCABULARY, source)


def ask(rules: Theory | str, data: str | Mapping[str, Any] | Case, deep: bool = True) -> Proof:
    """The proof for a case under some rules."""
    made = theory(rules) if isinstance(rules, str) else rules
    return reason.answer(made, data if isinstance(data, Case) else case(data), deep)


# ── random cases ──

KINDS = {"fighter": ["Fighter", "Gladiator", "Beast", "Guard", "Lion"], "place": ["Place", "Pit", "Gate", "Stand"], "item": ["Item", "Net", "Sword"],
         "moment": ["Moment", "Dawn", "Dusk"]}  # fmt: skip
MARKS = ["Veteran", "Hurt", "Dazed", "Alert", "Favoured", "Marked"]
FIGHTERS, PLACES, ITEMS = ["ann", "bob", "cat"], ["pit", "gate", "hall"], ["net", "sword"]


def facts(name: str, is_: list[str], links: dict[str, tuple[str, ...]] | None = None, **more: Any) -> Facts:
    return Facts(name, tuple(dict.fromkeys(is_)), links=links or {}, **more)


@st.composite
def marks(draw: st.DrawFn) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    """Some states said to be so, some denied, some withdrawn from what may be presumed."""
    said = draw(st.lists(st.sampled_from(MARKS), unique=True, max_size=3))
    if "Dazed" in said and "Alert" in said:
        said.remove("Alert")
    yes = said[: draw(st.integers(0, len(said)))]
    rest = said[len(yes) :]
    cut = draw(st.integers(0, len(rest)))
    return yes, tuple(rest[:cut]), tuple(rest[cut:])


@st.composite
def things(draw: st.DrawFn) -> dict[str, Facts]:
    """Fighters in places, with items, beside an act `act` of one of them and an earlier act `past`."""
    found: dict[str, Facts] = {}
    places = PLACES[: draw(st.integers(1, 3))]
    for name in places:
        links: dict[str, tuple[str, ...]] = {}
        if draw(st.booleans()):
            links["near"] = tuple(draw(st.lists(st.sampled_from(places), unique=True, max_size=2)))
        if draw(st.integers(0, 3)) == 0:
            links["gate"] = (draw(st.sampled_from(places)),)
        flags = {f: draw(st.booleans()) for f in ("open", "barred") if draw(st.booleans())}
        found[name] = facts(
            name, [draw(st.sampled_from(KINDS["place"]))], {k: v for k, v in links.items()}, flags=flags
        )
    for name in ITEMS:
        found[name] = facts(name, [draw(st.sampled_from(KINDS["item"]))], numbers=numbers(draw, ["bonus"]))
    fighters = FIGHTERS[: draw(st.integers(1, 3))]
    for name in fighters:
        kind = [draw(st.sampled_from(KINDS["fighter"]))] if draw(st.integers(0, 5)) else []
        side = draw(st.sampled_from([[], ["Friendly"], ["Enemy"]]))
        yes, no, unknown = draw(marks())
        links = {}
        if draw(st.integers(0, 3)):
            links["at"] = (draw(st.sampled_from(places)),)
        if draw(st.booleans()):
            links[draw(st.sampled_from(["carries", "wields"]))] = tuple(
                draw(st.lists(st.sampled_from(ITEMS), unique=True))
            )
        if draw(st.integers(0, 3)) == 0:
            links["owes"] = tuple(draw(st.lists(st.sampled_from(fighters), unique=True, max_size=2)))
        found[name] = facts(
            name, [*kind, *side, *yes], links, not_=no, unknown=unknown, numbers=numbers(draw, ["strength"])
        )
    for name in ("act", "past"):
        links = {}
        if draw(st.integers(0, 5)):
            links["actor"] = (draw(st.sampled_from(fighters)),)
        if draw(st.booleans()):
            links["target"] = (draw(st.sampled_from([*fighters, *places])),)
        if draw(st.booleans()):
            links["into"] = (draw(st.sampled_from(places)),)
        if draw(st.booleans()):
            moment = f"{name}.moment"
            found[moment] = facts(moment, [draw(st.sampled_from(KINDS["moment"]))])
            links["moment"] = (moment,)
        kind_ = draw(st.sampled_from(["Act", "Enter", "Leap", "Sneak", "Strike", "Rest"]))
        found[name] = facts(name, [kind_], links, numbers=numbers(draw, ["power"]))
    return found


def numbers(draw: st.DrawFn, names: list[str]) -> dict[str, Fraction]:
    return {n: Fraction(draw(st.integers(0, 3))) for n in names if draw(st.booleans())}


@st.composite
def cases(draw: st.DrawFn, kinds: tuple[str, ...] = ("may", "must", "is", "value", "effects")) -> Case:
    """A random case with a random question of one of these kinds."""
    found = draw(things())
    kind = draw(st.sampled_from(kinds))
    who = [n for n in FIGHTERS if n in found]
    if kind == "is":
        c = (
            draw(conditions(2))
            if draw(st.booleans())
            else m.Named(draw(st.sampled_from(["Favoured", "Marked", "Fit", "Cornered", "Hurt"])))
        )
        question = Question("is", draw(st.sampled_from(who)), c)
    elif kind == "value":
        question = Question("value", *draw(st.sampled_from([("act", None, "power"), (who[0], None, "strength")])))
    else:
        question = Question(kind, "act")
    history = ("past",) if draw(st.booleans()) else ()
    return Case("arena", found, question, history)


# ── random norms ──

BASE = [
    "Gladiator",
    "Beast",
    "Guard",
    "Lion",
    "Fighter",
    "Pit",
    "Gate",
    "Net",
    "Dawn",
    "Dusk",
    "Hurt",
    "Dazed",
    "Alert",
    "Fit",
    "Cornered",
    "Friendly",
    "Enemy",
]
NAMED = [
    "Gladiator",
    "Beast",
    "Guard",
    "Lion",
    "Fighter",
    "Veteran",
    "Pit",
    "Gate",
    "Net",
    "Dawn",
    "Dusk",
    *MARKS,
    "Fit",
    "Cornered",
    "Friendly",
    "Enemy",
]
ROLES = ["actor", "target", "into", "moment", "at", "occupant", "gate", "carries", "wields", "near", "owes", "from"]


@cache
def conditions(depth: int = 3, level: int = 2) -> st.SearchStrategy[m.Condition]:
    """Random conditions that bind no names. level: 0 names nothing that norms conclude, 1 relations too, 2 classes too.

    Norms that conclude a relation have conditions of level 0, those that conclude a class of level 1: else a norm might
    speak of its own failing, which has no meaning.
    """
    names, roles = NAMED if level == 2 else BASE, ROLES if level else [r for r in ROLES if r not in ("near", "carries")]
    role = st.builds(m.Role, st.sampled_from(roles), st.sampled_from([False, False, False, True]))
    leaf: st.SearchStrategy[m.Condition] = st.one_of(
        st.builds(m.Named, st.sampled_from(names)), st.builds(m.Named, st.sampled_from(names)),
        st.builds(m.Flag, st.sampled_from(["open", "barred"]), st.booleans()),
        st.builds(lambda n, o: m.Compare(m.Path("", (n,)), o, m.Num(Fraction(1))), st.sampled_from(["strength", "bonus"]), st.sampled_from(["=", "<", ">="])),
        st.builds(lambda r, s: m.HasValue(m.Role(r), m.Path("this", s)), st.sampled_from(["at", "near", "occupant"] if level else ["at", "occupant"]), st.sampled_from([("into",), ("actor", "at"), ("from",), ("actor", "carries" if level else "wields")])),
    )  # fmt: skip
    if depth == 0:
        return leaf
    inner = conditions(depth - 1, level)
    return st.one_of(
        leaf,
        st.builds(lambda a, b: m.And((a, b)), inner, inner),
        st.builds(lambda a, b: m.Or((a, b)), inner, inner),
        st.builds(m.Not, inner),
        st.builds(m.Except, inner, inner),
        st.builds(m.Some, role, inner), st.builds(m.Some, role, inner), st.builds(m.Only, role, inner),
        st.builds(m.Count, role, st.sampled_from(["min", "max", "exactly"]), st.integers(0, 2), inner),
    )  # fmt: skip


@cache
def expressions() -> st.SearchStrategy[m.Expr]:
    actor = m.Path("", ("actor", "strength"))
    return st.one_of(
        st.builds(lambda n: m.Num(Fraction(n)), st.integers(0, 3)),
        st.just(actor),
        st.builds(lambda n: m.Arith("*", actor, m.Num(Fraction(n))), st.integers(0, 3)),
        st.builds(lambda c: m.Aggregate("count", m.Path("", ("actor", "carries")), c), conditions(1)),
        st.builds(lambda f: m.Aggregate(f, m.Path("", ("actor", "carries")), m.Anything(), "bonus"), st.sampled_from(["sum", "highest", "lowest"])),
        st.builds(lambda o: m.Call("max", (m.Otherwise("power"), o)), st.just(m.Num(Fraction(2)))),
    )  # fmt: skip


ACTS = ["Act", "Enter", "Leap", "Sneak", "Strike"]
THIS = m.Path("this", ())
MADE = ["Hurt", "Dazed", "Alert", "no longer Hurt", "no longer Dazed"]


@cache
def heads() -> st.SearchStrategy[m.Head]:
    path = st.sampled_from(
        [m.Path("", ("actor",)), m.Path("", ("target",)), m.Path("this", ()), m.Path("", ("into", "occupant"))]
    )
    each, op = st.sampled_from(["Fighter", "Guard", "Hurt"]), st.sampled_from([m.RAISES, m.LOWERS])
    near, turned = (
        st.sampled_from([THIS, m.Path("", ("at", "occupant"))]),
        st.sampled_from(["Hurt", "Dazed", "Favoured"]),
    )
    return st.one_of(
        st.builds(m.Deontic, st.sampled_from([m.PERMITS, m.FORBIDS, m.REQUIRES, m.REQUIRES, m.WAIVES]), st.sampled_from(ACTS)),
        st.builds(m.Deontic, st.sampled_from([m.PERMITS, m.FORBIDS]), st.sampled_from(ACTS)),
        st.builds(m.CountsAs, st.sampled_from(["Fighter", "Beast", "Guard", ""]), st.sampled_from(["Favoured", "Marked", "Veteran"]), st.booleans()),
        st.builds(m.Relates, st.sampled_from(["Fighter", "Place"]), st.sampled_from(["near", "carries"]), conditions(1, 0), st.booleans()),
        st.builds(lambda o, v, b: m.QuantityHead(o, "power", "Act", v, b if o == m.LIMITS else ""),
                  st.sampled_from([m.SETS, m.ADDS, m.MULTIPLIES, m.LIMITS]), expressions(), st.sampled_from(["at most", "at least"])),
        st.builds(m.Effect, st.sampled_from(MADE), path, st.sampled_from(["Act", "Strike", "Enter"])),
        st.builds(m.Effect, st.sampled_from(MADE), path, st.sampled_from(["Act", "Strike", "Enter"])),
        st.builds(lambda c, e, x: m.Effect(c, THIS, e, x), st.sampled_from(MADE), st.sampled_from(["Act", "Strike", "Rest"]), each),
        st.builds(lambda c, p, e: m.Effect(c, p, e, becoming=True), st.sampled_from(MADE), near, turned),
        st.builds(m.Change, op, st.just("strength"), path, expressions(), st.sampled_from(["Act", "Strike", "Enter"])),
        st.builds(lambda o, e, x: m.Change(o, "strength", THIS, m.Num(Fraction(2)), e, x), op, st.sampled_from(["Act", "Strike"]), each),
        st.builds(lambda o, p, e: m.Change(o, "strength", p, m.Num(Fraction(1)), e, becoming=True), op, near, turned),
        st.builds(lambda p, t, e, o: m.Link("at", p, t, e, ends=o or t is None), path, st.sampled_from([m.Path("", ("into",)), None]), st.sampled_from(["Act", "Strike", "Rest"]), st.sampled_from([False, False, True])),
        st.builds(lambda p, t, e, o: m.Link("carries", p, t, e, ends=o), path, st.sampled_from([m.Path("", ("target",)), m.Path("", ("actor", "carries"))]), st.sampled_from(["Act", "Strike", "Rest"]), st.booleans()),
        st.builds(lambda e: m.Link("carries", THIS, None, "Strike", e, ends=True), each),
        st.builds(lambda c, p, e: m.Effect(c, p, m.NO_MORE + e, becoming=True), st.sampled_from(MADE), near, turned),
        st.builds(lambda p, e: m.Link("at", THIS, p, e, becoming=True), st.sampled_from([m.Path("", ("at",)), m.Path("", ("near",))]), turned),
        st.builds(m.Change, st.just(m.PUTS), st.just("strength"), path, expressions(), st.sampled_from(["Act", "Strike", "Enter"])),
        st.builds(lambda v, b: m.QuantityHead(m.LIMITS, "strength", "Fighter", m.Num(Fraction(v)), b), st.integers(0, 3), st.sampled_from(["at most", "at least"])),
    )  # fmt: skip


@st.composite
def norms(draw: st.DrawFn, number: int, ids: tuple[str, ...] = ()) -> m.Norm:
    rule = f"R1.{number}"
    head = draw(heads())
    level = 0 if isinstance(head, m.Relates) else 1 if isinstance(head, m.CountsAs) else 2
    unless = tuple(m.Unless(f"e{i}", draw(conditions(2, level))) for i in range(draw(st.sampled_from([0, 0, 0, 1, 2]))))
    over = (draw(st.sampled_from(ids)),) if ids and draw(st.integers(0, 3)) == 0 else ()
    several = st.sampled_from([(), ("Rest",), ("Enter",), ("Rest", "Enter")])
    until = (
        tuple(m.Ending(e, nth=draw(st.sampled_from([1, 1, 2]))) for e in draw(several))
        if isinstance(head, m.OnEvent)
        else ()
    )
    when = draw(st.one_of(st.just(m.Anything()), conditions(2, level), conditions(3, level)))
    authority = draw(st.sampled_from(["chapter", "chapter", "module"]))
    if isinstance(head, m.QuantityHead) and head.quantity == "strength":  # conditions speak of it: no number by itself
        when, unless = m.Anything(), ()
    return m.Norm(rule, rule, head, when, unless, over, until=until, book="arena", authority=authority)


@st.composite
def scope_rows(draw: st.DrawFn, rules: list[str]) -> m.ScopeRow:
    """How far a chapter of these rules decides a term."""
    acts = ["Act", "Enter", "Leap", "Sneak", "Strike", "Rest"]
    others = ["Hurt", "Dazed", "Favoured", "Marked", "State", "near", "power", "strength"]
    kind = draw(st.sampled_from([m.WHOLLY, m.PARTLY, m.NAMES, m.LEFT]))
    if kind == m.LEFT:
        term = draw(st.sampled_from([*acts, "power"]))  # of classes: tests/test_left.py
        return m.ScopeRow(kind, term, draw(conditions(1, 1)), ("X8",), by=draw(st.sampled_from(rules)))
    term = draw(st.sampled_from([*acts, *others]))
    condition = draw(st.one_of(st.none(), st.none(), conditions(1, 2)))
    if kind == m.WHOLLY:
        by = draw(st.sampled_from(["", "R0"]))
        return m.ScopeRow(kind, term, condition, by=by, says="nothing else is so" if by else "")
    refs = tuple(draw(st.lists(st.sampled_from(["X1", "X2", "X3"]), unique=True, min_size=1, max_size=2)))
    those = draw(st.sampled_from(["", "let it be"]))
    if kind == m.NAMES:
        return m.ScopeRow(kind, term, condition, refs, those)
    suits = tuple(draw(st.lists(st.sampled_from(["Hurt", "Dazed"]), unique=True, max_size=1)))
    bars = tuple(draw(st.lists(st.sampled_from(rules), unique=True, max_size=3)))
    return m.ScopeRow(kind, term, condition, refs, those, suits, bars)


@st.composite
def theories(draw: st.DrawFn, most: int = 8) -> Theory:
    """A theory of a few random norms under random principles."""
    found: list[m.Norm] = []
    for n in range(draw(st.integers(1, most))):
        found.append(draw(norms(n + 1, tuple(x.id for x in found))))
    sections = tuple(m.Section(n.rule, n.rule, (), (n,)) for n in found)
    names = draw(
        st.lists(
            st.sampled_from(["explicit", "authority", "specificity", "prohibition", "higher-number", "lower-number"]),
            unique=True,
            max_size=3,
        )
    )
    principles = tuple(m.Principle(n, f"R0.{i}", n) for i, n in enumerate(names))
    policy = m.Policy("arena", principles, ("chapter", "module"))
    rows = tuple(draw(st.lists(scope_rows([n.rule for n in found]), max_size=6)))
    rows += tuple(m.ScopeRow(m.WHOLLY, term) for term in (*CLASSES, *PROPERTIES)) if draw(st.booleans()) else ()
    made = m.Chapter("arena", "R", "R", "chapter", "", (), sections, (), "R.md", scope=rows)
    return compiler.theory(m.Book("arena", "arena", (made,), policy, ()), VOCABULARY)
