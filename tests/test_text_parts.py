"""Exceptions with what they modify, references, and terms named in sentences; on invented rules."""

from __future__ import annotations

import pytest

from kb.language.vocabulary import ClassTerm, PropertyTerm, Vocabulary
from kb.texts import exception_clauses, mentions, references
from kb.texts.decode import Source
from kb.texts.model import DANGLING, NOT_LOADED, SECTION, Section
from kb.texts.reader import read, unaccounted

# ── exceptions ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [  # (kind, what it says, what it modifies), in order
        ("A knight rides by day [EXC: a duke; 9.1].", [("bracket", "a duke; 9.1", "A knight rides by day")]),
        (
            "No one enters if an enemy knight [EXC: a sleeping one] stands there.",
            [("bracket", "a sleeping one", "an enemy knight")],
        ),
        (
            "It counts as a tower for both siege [EXC: by night; 9.2] and storm.",
            [("bracket", "by night; 9.2", "siege")],
        ),
        ("Each attack [EXC: fire; oil] vs a gate fails.", [("bracket", "fire; oil", "Each attack")]),
        ("It stops any bolt(s) [EXC: Iron] in flight.", [("bracket", "Iron", "any bolt(s)")]),
        (
            "It falls to stones of ≥ 9 lb [EXC: of ≥ 20 lb, if braced].",
            [("bracket", "of ≥ 20 lb, if braced", "of ≥ 9 lb")],
        ),
        (
            "It may be set only by a man in that tower [EXC: not if asleep] or yard.",
            [
                ("only", None, "It may be set"),
                ("bracket", "not if asleep", "It may be set only by a man in that tower"),
            ],
        ),
        (
            "He may not climb; he can only walk out and must halt outside [EXC: via a tunnel; 8.61-.62].",
            [
                ("only", "only walk out", "he can"),
                ("bracket", "via a tunnel; 8.61-.62", "he can only walk out and must halt outside"),
            ],
        ),
        (
            "A step costs one day (Exception: bog (see 9.7) costs two), plus rest.",
            [("bracket", "bog (see 9.7) costs two", "A step costs one day")],
        ),
        (
            "It is not moved with any other [EXC: mud; see E3.6], but is with smoke.",
            [("bracket", "mud; see E3.6", "It is not moved with any other")],
        ),
        (
            "A fort is a keep in all respects except that a page may leave it [EXC: at night].",
            [("except", None, "A fort is a keep in all respects"), ("bracket", "at night", "a page may leave it")],
        ),
        (
            "Except for its two doors, the hall is closed.",
            [("except", "Except for its two doors", "the hall is closed")],
        ),
        (
            "Huts may stand in any field except marsh, bog or sand.",
            [("except", "except marsh, bog or sand", "any field")],
        ),
        ("Fear affects all men except those of the guard.", [("except", "except those of the guard", "all men")]),
        ("They may not march except with a guide.", [("except", "except with a guide", "They may not march")]),
        (
            "He hits all foes (except those behind a wall, such as archers).",
            [("except", "except those behind a wall, such as archers", "all foes")],
        ),
        (
            "They strike (unless asleep, in which case they rest) at dawn.",
            [("unless", "unless asleep, in which case they rest", "They strike")],
        ),
        ("Unless led by a priest, he stays.", [("unless", "Unless led by a priest", "he stays")]),
        ("It rests—except that a duke never rests.", [("except", "except that a duke never rests", "It rests")]),
        ("Only knights may enter a keep, and they pay.", [("only", "Only knights", "may enter a keep")]),
        ("It is a hall for feasts only.", [("only", "for feasts only", "It is a hall")]),
        (
            "For burial purposes only, the count is doubled.",
            [("only", "For burial purposes only", "the count is doubled")],
        ),
        (
            "It is set only by day, and only in woods.",
            [("only", "only by day", "It is set"), ("only", "only in woods", "It is set")],
        ),
        ("Not only dukes pay, even if only once, and the only tax is salt.", []),
        ("Any ground (roads but not bridges) will do.", [("but not", "but not bridges", "roads")]),
        ("He exceeds the exceptional limit.", []),
    ],
)
def test_an_exception_and_what_it_modifies(sentence: str, expected: list[tuple[str, str | None, str]]) -> None:
    found = exception_clauses.find(sentence, references.find(sentence, "K"))
    rows = [(e.kind, e.text, e.target) for e in found]
    assert [
        (k, t if w is not None else None, g) for (k, t, g), (_, w, _) in zip(rows, expected, strict=True)
    ] == expected


def test_exceptions_nest_and_hold_their_references() -> None:
    sentence = "A man may ride [EXC: a serf [EXC: freed; 9.4]; 9.2] by day (9.9)."
    refs = references.find(sentence, "K")
    outer, inner = exception_clauses.find(sentence, refs)
    assert (outer.parent, inner.parent) == (-1, 0)
    assert [refs[i].text for i in outer.references] == ["9.4", "9.2"]
    assert [refs[i].text for i in inner.references] == ["9.4"]
    assert (inner.text, inner.target) == ("freed; 9.4", "a serf")


# ── references ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("As walls (K3.2) are.", ["K3.2"]),
        ("See also 30.42, 30.44 and 30.6.", ["B30.42", "B30.44", "B30.6"]),
        ("It ends [EXC: by tunnel; 8.61-.62].", ["B8.61-B8.62"]),
        ("So (A7.211-.212; A8.312) it stands.", ["A7.211-A7.212", "A8.312"]),
        ("See C5.1-.12 and 30.1-30.4.", ["C5.1-C5.12", "B30.1-B30.4"]),
        ("Fear is his (15.), within (A5.) limits.", ["B15", "A5"]),
        ("At worst (A.5), or above 36 [C.7].", ["A.5", "C.7"]),
        ("It obeys B23.82 at once.", ["B23.82"]),
        ("8.3 applies.", ["B8.3"]),
        ("It costs 1.5 MF, is 2.5 times as slow, and has +3.5 luck.", []),
        ("From U2 to hexside L44-M45, a 1-4-6 with 75mm at 3.", []),
        ("See A10 for more, and chapter G.", ["A10"]),
        ("Do so (P226).", ["P226"]),
        ("It moves 8.4 hexes (see 8.4).", ["B8.4"]),
        ("In 2031.5 and v1.2.3 nothing is meant.", []),
    ],
)
def test_references_in_a_sentence(sentence: str, expected: list[str]) -> None:
    found = references.find(sentence, "B")
    assert [r.rule + (f"-{r.to}" if r.to else "") for r in found] == expected


def test_where_a_reference_leads() -> None:
    loaded = references.Loaded.of_rules(["B30.1", "B30.2", "B30.4", "B30.42", "A7.372", "A7.9", "20.9", "20.10"])
    for rule, status in {
        "B30.2": SECTION,
        "B30.3": DANGLING,
        "B30.41": DANGLING,
        "B30.9": NOT_LOADED,
        "B8.6": NOT_LOADED,
        "A7.3": NOT_LOADED,
        "A7.5": DANGLING,
        "20.10": SECTION,
    }.items():
        assert loaded.status(rule) == status, rule
    assert loaded.status("B30.1", "B30.3") == DANGLING
    assert loaded.status("B30.1", "B30.4") == SECTION
    assert references.resolve([Section("B30.1", "30.1", "", "", "", (), ())], loaded)[0].rule == "B30.1"


# ── terms ───────────────────────────────────────────────────────────────────────────────────────────────


def term(name: str, label: str, *alt: str, ancestors: tuple[str, ...] = (), book: str = "toy") -> ClassTerm:
    iri = f"https://example.org/{book}#{name}"
    empty: frozenset[str] = frozenset()
    return ClassTerm(name, iri, label, frozenset({name, *ancestors}), empty, empty, alt=alt)


@pytest.fixture(scope="module")
def lexicon() -> mentions.Lexicon:
    rows = [
        term("Adjacent", "adjacent"),
        term("AdjacentHex", "ADJACENT"),
        term("Desperate", "desperate morale", "DM"),
        term("Dismantled", "dismantled", "dm"),
        term("Keep", "keep", "PB"),
        term("KeepHex", "keep hex"),
        term("Wall", "wall", ancestors=("Thing",)),
        term("Advance", "advance", ancestors=("Act",)),
        term("Retreat", "pull back", ancestors=("Act",)),
        term("Night", "night phase", "NtPh"),
        term("City", "city"),
        term("GroundLevel", "ground level"),
        term("SharedGate", "gate", book="shared"),
        term("Gate", "gate"),
        term("Within", "in"),
        term("Giant", "giant", "Tall"),
        term("Clause", "man", book="core"),
    ]
    holds = PropertyTerm("holds", "https://example.org/toy#holds", "keep", "number", ("holds",))
    return mentions.Lexicon.of(Vocabulary("toy", "1", {t.name: t for t in rows}, {"holds": holds}))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("An ADJACENT keep is not merely adjacent.", ["AdjacentHex", "Keep", "Adjacent"]),
        ("DM units drop a dm gun.", ["Desperate", "Dismantled"]),
        ("A Dm unit.", []),
        ("The keep hex holds two Keeps and the keep's wall(s).", ["KeepHex", "Keep", "Keep", "Wall"]),
        ("He advances while advancing; a walled city, two cities.", ["Advance", "Advance", "City", "City"]),
        ("In the NtPh, not the ntph.", ["Night"]),
        ("At ground-level or GROUND LEVEL, no ground/level.", ["GroundLevel", "GroundLevel"]),
        ("He pulls back, pulled back.", ["Retreat", "Retreat"]),
        ("PBs near a PB.", ["Keep", "Keep"]),
        ("A gate.", ["Gate"]),
        ("keep/wall", ["Keep", "Wall"]),
        ("Keepers wallow.", []),
        ("He may Advance at will, but an Advance Guard waits.", ["Advance"]),
        ("In the keep.", ["Keep"]),
        ("A Tall man and a tall wall.", ["Giant", "Wall"]),
    ],
)
def test_terms_named_in_a_sentence(lexicon: mentions.Lexicon, sentence: str, expected: list[str]) -> None:
    found = lexicon.find(sentence)
    assert [m.term for m in found] == expected
    assert all(sentence[m.start : m.end] == m.text for m in found)


def test_a_candidate_that_may_be_a_misprint_says_of_what(lexicon: mentions.Lexicon) -> None:
    (found,) = mentions.candidates([("K1", "A guard may Dispereate in a keep, or be DM.")], lexicon)
    assert (found.text, found.like) == ("Dispereate", "desperate")


def test_capitalised_words_that_no_term_explains_are_candidates(lexicon: mentions.Lexicon) -> None:
    rows = [
        ("K1", "The Grey Tower stands near a Keep. Towers are tall."),
        ("K2", "A knight of the Grey Tower uses his XYZ (see A7.4) in U2 [EXC: by night]."),
        ("K3", "XYZ counts. Every man knows Ann."),
    ]
    found = mentions.candidates(rows, lexicon)
    assert [(c.text, c.count, c.rules) for c in found] == [
        ("Grey Tower", 2, ("K1", "K2")),
        ("XYZ", 2, ("K2", "K3")),
        ("Ann", 1, ("K3",)),
    ]
    assert [c.text for c in mentions.candidates(rows, lexicon, least=2)] == ["Grey Tower", "XYZ"]


# ── headings without a number ──


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Fog and Weather", True), ("THE MARSH", True), ("Fog, Rain & Snow", True),
        ("Fog and weather", False), ("Fog rises.", False), ("Knights May Not Ride: see 4.1", False), ("fog", False),
    ],
)  # fmt: skip
def test_a_title_without_a_number_is_no_sentence(line: str, title: bool) -> None:
    """It stands by itself, with capitals and no full stop; all else is read as before, and nothing is lost."""
    text = f"1 Crossing\n\n1.1 Barges\n\nA knight comes aboard.\n\n{line}\n\nHe may not dig.\n"
    found = read(Source("page", text, ""), "marsh", "")
    told = [s.text for section in found.sections for s in section.sentences]
    assert told == ["A knight comes aboard.", *([] if title else [line]), "He may not dig."]
    assert (line in [text[x.start : x.end] for x in found.leftovers if x.kind == "title"]) is title
    assert unaccounted(found) == []
