"""Tables of terms: they give the Turtle that is shipped, cell by cell; what is wrong in one is told with its place."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, Graph, Literal, URIRef
from rdflib.compare import isomorphic

from kb.errors import LoopholeError
from kb.ontology import build, sources, term_builder, turtle
from kb.ontology.term_columns import COLUMNS, KINDS, label_of
from kb.ontology.term_tables import Document, files, read
from tests.night import today

ROOT = Path(__file__).resolve().parent.parent
ONTOLOGY = ROOT / "ontology"
GAME = f"{turtle.BASE}game#"
HEAD = "---\ntitle: A game\n---\n\n"
KIND = "| kind | is a | means | source |\n|---|---|---|---|\n"


@cache
def built() -> tuple[tuple[Document, str], ...]:
    return tuple(term_builder.texts(ONTOLOGY))


# ── the tables and the Turtle that is shipped ───────────────────────────────────────────────────────────


def test_every_file_but_the_shapes_is_built_from_tables() -> None:
    by_hand = {p.name for p in ONTOLOGY.rglob("*.ttl")} - {p.with_suffix(".ttl").name for p in files(ONTOLOGY)}
    assert by_hand == {"shapes.ttl"} and len(built()) >= 27


@pytest.mark.slow
@pytest.mark.parametrize("document", [d for d, _ in built()], ids=lambda d: d.file)
def test_the_tables_give_the_graph_that_is_shipped(document: Document) -> None:
    text = next(text for d, text in built() if d.file == document.file)
    shipped, given = Graph().parse(document.built), Graph().parse(data=text, format="turtle")
    assert len(shipped) > 10 and isomorphic(shipped, given)
    assert document.built.read_text(encoding="utf-8") == text


def test_the_tables_are_shorter_by_far_and_no_cell_stands_in_two_places() -> None:
    tables = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in [*files(ONTOLOGY), ONTOLOGY / "shapes.ttl"])
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in ONTOLOGY.rglob("*.ttl"))
    assert tables <= 0.6 * lines  # what issue 16 asks; far fewer now
    for document, _ in built():
        for row in document.rows:
            told = {heading: cell.text for heading, cell in row.cells.items()}
            if row.kind.declares:
                label = told.get("label", label_of(row.term.text))
                assert told.get("label") != label_of(row.term.text), (
                    f"{row.term.place}: the label follows from the name"
                )
                assert told.get("reads") != row.kind.sentence(label), f"{row.term.place}: the sentence follows"


def copy(folder: Path) -> Path:
    shutil.copytree(ONTOLOGY, folder / "ontology")
    return folder / "ontology"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    today(
        [
            ("asl/b30.md", "| B30.91 |", "| B30.92 |", "dcterms:source"),
            ("vv/words.md", "| dead; killed |", "| dead |", "skos:altLabel"),
            ("fow/acts.md", "| Hit or FirepowerTest or HittingAttack |", "| Hit or FirepowerTest |", "owl:unionOf"),
            ("tactics.md", "| AirUnit, GroundUnit |", "| GroundUnit, AirUnit |", "owl:members"),
            ("core.md", "lp:Wholly )", "lp:Wholly lp:Asked )", "owl:distinctMembers"),
            ("asl/b30.ttl", '"actual entry"@en', '"real entry"@en', "rdfs:label"),
        ],
        of=2,
    ),
)
def test_a_changed_cell_and_an_edited_file_are_noticed(
    file: str, old: str, new: str, line: str, tmp_path: Path
) -> None:
    folder = copy(tmp_path)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    (problem,) = term_builder.stale(folder)
    name = Path(file).with_suffix("").as_posix()
    assert problem.code == 714 and problem.place.file == f"ontology/{name}.ttl" and line in problem.line
    assert f"edit ontology/{name}.md" in problem.hint
    assert term_builder.write(folder) == [folder / f"{name}.ttl"]
    assert term_builder.write(folder) == []


def test_the_check_of_the_ontology_tells_it_first(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    edited = (folder / "asl" / "errata.md").read_text(encoding="utf-8").replace("| A1.25 |", "| A1.24 |")
    (folder / "asl" / "errata.md").write_text(edited, encoding="utf-8")
    assert [p.code for p in build.check(folder, folder / "inferred")] == [714]


def test_a_term_is_found_in_its_row() -> None:
    found = sources.read(ONTOLOGY)
    (place,) = {s.place(URIRef(f"{turtle.BASE}asl#Pillbox")) for s in found if s.name == "asl/places.ttl"}
    assert place.file == "ontology/asl/places.md"
    assert (ROOT / place.file).read_text(encoding="utf-8").splitlines()[place.line - 1].startswith("| Pillbox | ")
    (place,) = {s.place(URIRef(f"{turtle.BASE}tactics#Placement")) for s in found if s.name == "asl/b30.ttl"}
    line = (ROOT / place.file).read_text(encoding="utf-8").splitlines()[place.line - 1]
    assert line[place.column - 1 :].startswith("Placement") and line.startswith("|")


def test_the_readme_tells_every_table_and_column() -> None:
    text = (ONTOLOGY / "README.md").read_text(encoding="utf-8")
    assert [name for name in (*KINDS, *COLUMNS) if f"`{name}`" not in text] == []


# ── what a row says ─────────────────────────────────────────────────────────────────────────────────────


def game(folder: Path, text: str, shared: bool = True) -> Path:
    """An ontology of one game with that file of terms, beside what all games share."""
    (folder / "ontology" / "game").mkdir(parents=True)
    for name in ("core", "tactics") if shared else ():
        shutil.copy(ONTOLOGY / f"{name}.ttl", folder / "ontology")
    (folder / "ontology" / "game" / "units.md").write_text(text, encoding="utf-8")
    return folder / "ontology"


def graph(folder: Path, text: str) -> Graph:
    ((_, made),) = term_builder.texts(game(folder, text))
    return Graph().parse(data=made, format="turtle")


def test_a_row_is_a_term(tmp_path: Path) -> None:
    """All that a row may say, against Turtle written out."""
    text = (
        HEAD
        + """What stands between tables is for people.

| kind | is a | means | source | unstated | also called | label | reads |
|---|---|---|---|---|---|---|---|
| Ogre | Unit | unit that eats | 1.1, 2 | asked | brute; "big" one |
| Dozer | Vehicle, weapon some Mortar | vehicle that \\| pushes | usage |  |  | bull-dozer | {s} pushes |

| state | is a | means | exactly |
|---|---|---|---|
| Fed | State | state of an ogre that has eaten | Ogre and not (Dozer or at some Hex) |

| number | of | means | default | unit | values |
|:---|---|---|---|---|---|
| mealsLeft | Ogre | number of meals | 2 | meals | integer |

| flag | of | means |
|---|---|---|
| isHungry | Ogre | flag that says so |

| relation | of | to | means | marks | is a | inverse of | by way of |
|---|---|---|---|---|---|---|---|
| eats | Ogre | Thing | thing that an ogre eats | one, symmetric | target | eatenBy | at occupant; target |
| eatenBy | Thing | Ogre | ogre that eats a thing |

| term | also called | taken for |
|---|---|---|
| target | prey | Move place, Move object |
| target |  | Fire place |

| apart |
|---|
| Ogre, |
| Dozer, Hex |

```turtle
game:Ogre rdfs:comment "an aside"@en .
```
"""
    )
    wanted = """
    <https://w3id.org/loophole/game/units> a owl:Ontology ; dcterms:title "A game"@en .
    game:Ogre a owl:Class ; rdfs:subClassOf tac:Unit ; skos:definition "unit that eats"@en ; dcterms:source "1.1", "2" ;
        lp:whenUnstated lp:Asked ; skos:altLabel "brute"@en, "\\"big\\" one"@en ; rdfs:label "ogre"@en ;
        lp:verbalization "{s} is an ogre"@en ; rdfs:comment "an aside"@en .
    game:Dozer a owl:Class ; rdfs:subClassOf tac:Vehicle ,
        [ a owl:Restriction ; owl:onProperty tac:weapon ; owl:someValuesFrom tac:Mortar ] ; dcterms:source "usage" ;
        skos:definition "vehicle that | pushes"@en ; rdfs:label "bull-dozer"@en ; lp:verbalization "{s} pushes"@en .
    game:Fed a owl:Class ; rdfs:subClassOf tac:State ; dcterms:source "usage" ; rdfs:label "fed"@en ;
        skos:definition "state of an ogre that has eaten"@en ; lp:verbalization "{s} is fed"@en ; owl:equivalentClass
        [ a owl:Class ; owl:intersectionOf ( game:Ogre [ a owl:Class ; owl:complementOf [ a owl:Class ; owl:unionOf (
            game:Dozer [ a owl:Restriction ; owl:onProperty tac:at ; owl:someValuesFrom tac:Hex ] ) ] ] ) ] .
    game:mealsLeft a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain game:Ogre ; rdfs:range xsd:integer ;
        skos:definition "number of meals"@en ; dcterms:source "usage" ; rdfs:label "meals left"@en ;
        lp:verbalization "the meals left of {s} is {o}"@en ; lp:defaultValue 2 ; lp:unit "meals" .
    game:isHungry a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain game:Ogre ; rdfs:range xsd:boolean ;
        skos:definition "flag that says so"@en ; dcterms:source "usage" ; rdfs:label "is hungry"@en ;
        lp:verbalization "{s} is hungry: {o}"@en .
    game:eats a owl:ObjectProperty , owl:FunctionalProperty , owl:SymmetricProperty ; rdfs:subPropertyOf tac:target ;
        rdfs:domain game:Ogre ; rdfs:range owl:Thing ; skos:definition "thing that an ogre eats"@en ; owl:inverseOf game:eatenBy ;
        owl:propertyChainAxiom ( tac:at tac:occupant ) , ( tac:target ) ;
        dcterms:source "usage" ; rdfs:label "eats"@en ; lp:verbalization "{s} is eats {o}"@en .
    game:eatenBy a owl:ObjectProperty ; rdfs:domain owl:Thing ; rdfs:range game:Ogre ;
        skos:definition "ogre that eats a thing"@en ; dcterms:source "usage" ; rdfs:label "eaten by"@en ;
        lp:verbalization "{s} is eaten by {o}"@en .
    tac:target skos:altLabel "prey"@en ; lp:takenFor "Move place Move object Fire place" .
    [] a owl:AllDisjointClasses ; owl:members ( game:Ogre game:Dozer tac:Hex ) .
    """
    prefixes = "".join(f"@prefix {p}: <{iri}> . " for p, iri in (*turtle.PREFIXES.items(), ("game", GAME)))
    assert isomorphic(graph(tmp_path, text), Graph().parse(data=prefixes + wanted, format="turtle"))


def test_what_follows_may_stand_in_another_row(tmp_path: Path) -> None:
    more = "\n| term | label | reads |\n|---|---|---|\n| Ogre | brute | {s} eats |\n"
    made = graph(tmp_path, HEAD + KIND + "| Ogre | Unit | unit that eats | 1 |\n" + more)
    ogre = URIRef(GAME + "Ogre")
    assert list(made.objects(ogre, RDFS.label)) == [Literal("brute", lang="en")]
    assert list(made.objects(ogre, turtle.lp("verbalization"))) == [Literal("{s} eats", lang="en")]
    assert (
        (ogre, RDF.type, OWL.Class) in made and made.value(ogre, SKOS.definition) and made.value(ogre, DCTERMS.source)
    )


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("StoneDugout", "stone dugout"),
        ("roomLeft", "room left"),
        ("DMPurpose", "DM purpose"),
        ("knownToIt", "known to it"),
    ],
)
def test_a_label_is_the_name_split_at_its_capitals(name: str, label: str) -> None:
    assert label_of(name) == label


# ── what is wrong is told with its place ────────────────────────────────────────────────────────────────

OGRE = "| Ogre | Unit | unit that eats | 1 |\n"
STATE = "\n| state | is a | means | source | unstated |\n|---|---|---|---|---|\n"
NUMBER = "\n| number | of | means | default | values | marks |\n|---|---|---|---|---|---|\n"
TERM = "\n| term | {} |\n|---|---|\n| Ogre | {} |\n"
FAULTS = [
    (KIND, 731, (1, 1), "no head", "begins with ---"),
    ("---\ntitle: [\n---\n", 731, (1, 1), "the head is no YAML", "title"),
    (HEAD.replace("title", "titel"), 731, (1, 1), "the head has no title", "title"),
    (HEAD.replace("---\n\n", "licence: x\n---\n\n"), 731, (1, 1), "the head has no “licence”", "did you mean license"),
    (HEAD + KIND.replace("| kind", "| kinds") + OGRE, 732, (5, 1), "no table is of “kinds”", "did you mean kind"),
    (HEAD + KIND.replace("means", "meens") + OGRE, 732, (5, 17), "no column “meens”", "did you mean means"),
    (HEAD + KIND.replace("source", "unit") + OGRE, 732, (5, 25), "a table of kind has no column “unit”", "may have"),
    (HEAD + KIND.replace("source", "means") + OGRE, 732, (5, 25), "two columns “means”", "leave one"),
    (HEAD + KIND.splitlines()[0] + "\n" + OGRE, 732, (5, 1), "without its second line", "|---|"),
    (HEAD + KIND + OGRE.replace("eats", "eats | and drinks"), 733, (7, 47), "5 cells under 4 headings", "\\|"),
    (HEAD + KIND + OGRE + OGRE, 734, (8, 3), "“Ogre” has two rows", "one row"),
    (HEAD + KIND + OGRE + TERM.format("means", "an ogre"), 734, (11, 10), "two cells for “means”", "one row"),
    (HEAD + KIND + OGRE + OGRE.replace("Ogre", "Og_Re").replace("Ogre", "x") + OGRE.replace("Ogre", "OgRe"),
     735, (9, 3), "the same label as game:Og_Re: og re", "column “label”"),
    (HEAD + KIND + OGRE.replace("unit that eats", ""), 736, (7, 3), "“means” is empty", "genus"),
    (HEAD + KIND + OGRE.replace("Unit", ""), 736, (7, 3), "“is a” is empty", "Thing"),
    (HEAD + KIND + OGRE.replace("| 1 |", "|"), 736, (7, 3), "“source” is empty", "usage"),
    (HEAD + KIND.replace(" is a |", "", 1) + OGRE.replace(" Unit |", ""), 736, (7, 3), "“is a” is missing", "Thing"),
    (HEAD + KIND + OGRE.replace("Unit", "Vehicle, Unti"), 737, (7, 19), "no term is called “Unti”", "did you mean Unit"),
    (HEAD + KIND + OGRE.replace("Unit", "Squiggle"), 737, (7, 10), "“Squiggle”", "give it a row of its own"),
    (HEAD + KIND + OGRE.replace("Unit", "Unit, target some Unti"), 737, (7, 28), "“Unti”", "did you mean Unit"),
    (HEAD + KIND + OGRE.replace("Unit", "tc:Unit"), 737, (7, 10), "“tc:Unit”", "did you mean tac"),
    (HEAD + KIND + OGRE.replace("Unit", "at"), 737, (7, 10), "“at”", "did you mean"),
    (HEAD + KIND + OGRE + TERM.replace("| Ogre", "| Orge").format("source", "1"), 737, (11, 3), "“Orge”", "Ogre"),
    (HEAD + KIND + OGRE + "\n| apart |\n|---|\n| Ogre, Orge |\n", 737, (11, 9), "“Orge”", "did you mean Ogre"),
    (HEAD + KIND + OGRE + "\n| apart |\n|---|\n| Ogre |\n", 738, (11, 3), "one class alone", "two or more"),
    (HEAD + KIND + OGRE.replace("Ogre", "big ogre"), 738, (7, 3), "“big ogre” is no name", "letters and digits"),
    (HEAD + KIND + OGRE.replace("Ogre", ""), 738, (7, 3), "a row without a name", "letters and digits"),
    (HEAD + KIND + OGRE.replace("Unit", "Unit and and Hex"), 738, (7, 19), "in the column “is a”", ""),
    (HEAD + KIND + OGRE.replace("Unit", "range >= this.range"), 738, (7, 10), "a row cannot say", "turtle block"),
    (HEAD + STATE[1:] + "| Fed | State | state of one who ate | 1 | absent, or not |\n", 738, (7, 44), "“absent, or not”", "absent"),
    (HEAD + KIND + OGRE + TERM.format("reads", "it eats"), 738, (11, 10), "no {s} stands in", "{s}"),
    (HEAD + KIND + OGRE + NUMBER + "| meals | Ogre | meals left | two |\n", 738, (11, 31), "“two” is no number", "1/2"),
    (HEAD + KIND + OGRE + NUMBER + "| meals | Ogre | meals left | | intiger |\n", 738, (11, 33), "“intiger”", "integer"),
    (HEAD + KIND + OGRE + NUMBER + "| meals | Ogre | meals left | | | manny |\n", 738, (11, 35), "“manny”", "many"),
    (HEAD + "| term | staged |\n|---|---|\n| at | no |\n", 738, (7, 8), "“no” is not yes", "yes"),
    (HEAD + "| term | taken for |\n|---|---|\n| at | Move place, Move |\n", 738, (7, 20), "has to be 2 names", "commas"),
    (HEAD + "```turtle\ntac:at rdfs:label\n```\n", 701, (6, 1), "not Turtle", "“;”"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("text", "code", "place", "says", "hint"), FAULTS, ids=[f"{f[1]}-{f[3][:24]}" for f in FAULTS])
def test_a_fault_is_told_with_its_place(
    text: str, code: int, place: tuple[int, int], says: str, hint: str, tmp_path: Path
) -> None:
    folder = game(tmp_path, text)
    with pytest.raises(LoopholeError) as raised:
        term_builder.texts(folder)
    problem = raised.value.problems[0]
    assert (problem.code, problem.place.line, problem.place.column) == (code, *place), str(problem)
    assert problem.place.file == "ontology/game/units.md" and says in problem.message and hint in problem.hint, str(
        problem
    )
    assert [p.code for p in term_builder.stale(folder)] == [p.code for p in raised.value.problems]


def test_every_number_of_a_fault_is_planted() -> None:
    rooms = (ROOT / "kb" / "ontology").glob("term_*.py")
    given = {int(n) for p in rooms for n in re.findall(r"(?:Problem|problem|Amiss)\(\s*(7\d\d)", p.read_text("utf-8"))}
    assert given == {code for _, code, *_ in FAULTS} | {714}


def test_a_readme_is_no_file_of_terms(tmp_path: Path) -> None:
    folder = game(tmp_path, HEAD + KIND + OGRE)
    (folder / "game" / "README.md").write_text("| kinds |\n", encoding="utf-8")
    assert [d.file for d in read(folder)] == ["ontology/game/units.md"]
