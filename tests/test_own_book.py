"""A book of the reader's own is whole: in the graph, in queries and exports, and in what is wrong with it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from api import cli, watch
from kb import asking, registry
from kb.answers import explain, proof_json
from kb.errors import CaseError, Problem, RulebookError
from kb.graph import dataset, export
from kb.language.vocabulary import Vocabulary
from kb.reasoner.proof import Proof
from kb.rulebook.chapter_reader import ChapterReader
from kb.triplestore import sparql, store
from tests import own_book


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book, its terms classified once."""
    return own_book.write(tmp_path_factory.mktemp("huts"))


@pytest.fixture
def huts(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the book, which is found like those that Loophole brings."""
    book = Path(shutil.copytree(whole, tmp_path / "books" / "huts"))
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(tmp_path / "books"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    registry.SHIPPED.forget()
    yield book
    registry.SHIPPED.forget()


@pytest.mark.slow
def test_its_terms_are_in_the_graph_and_can_be_asked_by_their_prefix(huts: Path) -> None:
    held = store.opened("memory", lambda: dataset.nquads("huts"))
    found = sparql.ask("SELECT ?l WHERE { huts:keeper rdfs:label ?l ; a owl:ObjectProperty }", held)
    assert found.shown() == [["keeper"]]
    found = sparql.ask("SELECT ?c WHERE { ?c rdfs:subClassOf tac:ProtectedPost ; rdfs:label 'hut'@en }", held)
    assert found.shown() == [["huts:Hut"]]
    assert "huts" in dataset.prefixes()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ttl", "ofn", "nq"])
def test_exports_have_its_terms(huts: Path, kind: str) -> None:
    """Its own relation stands in a condition: where it was not declared, functional syntax could not write it."""
    text = export.of_format(kind, "huts", cases=False)
    assert "post of planks" in text
    if kind == "ofn":
        assert "Declaration(ObjectProperty(<https://w3id.org/loophole/huts#keeper>))" in text


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("speed: 30 pounds", "“speed” is told in inches; here stands “30 pounds”"),
        ('load: 30"', "“load” is told in pounds"),
        ("count: 3 inches", ""),
        ("speed: 30 inches", ""),
        ("speed: 30inches", ""),
        ("speed: 1 inch", ""),
        ('speed: 30"', ""),
        ("load: 30 pounds", ""),
        ("load: 30", ""),
    ],
)
def test_a_number_is_told_in_its_own_unit(huts: Path, told: str, said: str) -> None:
    text = f"book: huts\nthings:\n  hut: {{is: Hut, {told}}}\nask: {{value: [load, hut]}}\n"
    if not said:
        assert asking.case(text).things["hut"].numbers
        return
    with pytest.raises(CaseError) as caught:
        asking.case(text)
    (problem,) = caught.value.problems
    assert problem.code == 444 and said in problem.message and problem.place.line == 3 and problem.hint


def faults(book: Path, old: str, new: str) -> list[Problem]:
    """What is wrong with the chapter once some words of it are others."""
    path = book / "1.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    try:
        registry.book("huts")
    except RulebookError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "said", "under"),
    [
        ("over     1.1/in", "over     1.1/inn", 220, "  over     1.1/inn", "did you mean 1.1/in", "Anybody may go into a hut"),
        ("over     1.1/in", "over     1.9", 207, "  over     1.9", "did you mean", "Anybody may go"),
        ("over     1.1/in", "over     1.1/in\n  cites    1.15, A4", 221, "  cites    1.15, A4", "did you mean", "Anybody"),
        ("when     destination some Hut", "when     destination some Hut\n  over     1.1/kept", 222, "  over     1.1/kept", "take one", "Anybody"),
        ("when     destination some Hut", "when     place some Hut", 223, "  when     place some Hut", "“destination”", "Anybody"),
        ("when     destination some Hut", "when     destination some Hut\n1.1/odd\n  ends     Hindered of this on Strike", 224, "  ends     Hindered of this on Strike", "end, or change", "Anybody"),
        ("when     destination some Hut", "when     destination some Hut\n1.1/odd\n  forbids  Entry\n  when     destination some Hut", 225, "1.1/odd", "take one", "Anybody"),
        ("destination some (Hut and keeper some Unit)\n  excepts  full\n  over     1.1/in", "destination some Hut\n  unless   full: destination some (Hut and keeper some Unit)", 225, "1.1/kept", "take one", "Anybody"),
        ("counts   Hut as Tended", "counts   Hut as not ProtectedPost", 226, "  counts   Hut as not ProtectedPost", "change the terms", "A hut with"),
        ("when     destination some Hut", "when     destination some Hut\n1.1/odd\n  causes   Eliminated of this on Strike\n  until    Hindered", 227, "  until    Hindered", "on becoming Hindered", "Anybody"),
        ("keeper some Unit)", "keeper some keeper)", 201, "  when     destination some (Hut and keeper some keeper)", "small letter", "Anybody"),
        ("A hut with a keeper is tended.\n", "", 140, "```norms", "write the sentence", ""),
        ("keeper some Unit)", "keeper some Unti)", 201, "  when     destination some (Hut and keeper some Unti)", "did you mean Unit", "Anybody"),
        ("permits  Entry", "permit  Entry", 135, "  permit  Entry", "permits", "Anybody may go into a hut"),
    ],
)  # fmt: skip
def test_what_was_silent_is_told_with_its_line_and_sentence(
    huts: Path, old: str, new: str, code: int, line: str, said: str, under: str
) -> None:
    found = [p for p in faults(huts, old, new) if p.code == code]
    assert len(found) == 1, found
    (problem,) = found
    assert problem.line == line and said in problem.hint and problem.under.startswith(under)
    assert (huts / "1.md").read_text(encoding="utf-8").splitlines()[problem.place.line - 1] == line
    assert bool(problem.under) == bool(under) and (f"under: {under}" in str(problem)) == bool(under)


def test_a_book_with_no_fault_has_none_and_may_cite_what_is_not_loaded(huts: Path) -> None:
    assert faults(huts, "over     1.1/in", "over     1.1/in\n  cites    A4, 1, 1.2, 2.3, 1") == []


def test_rival_readings_may_say_otherwise_on_one_condition(huts: Path) -> None:
    rule = "when     destination some Hut"
    rival = f"{rule}\n  reading  in:so\n1.1/odd\n  forbids  Entry\n  {rule}\n  reading  in:not-so"
    assert 225 not in {p.code for p in faults(huts, rule, rival)}
    registry.SHIPPED.forget()
    assert 225 in {p.code for p in faults(huts, "reading  in:not-so", "reading  in:so")}


def test_a_name_error_behind_a_syntax_error_is_told_with_it(huts: Path) -> None:
    path = huts / "1.md"
    path.write_text(
        path.read_text(encoding="utf-8").replace("counts   Hut as Tended", "counts   Hut as Tendet"), encoding="utf-8"
    )
    found = faults(huts, "destination some Hut\n", "destination some (Hut\n")
    assert [p.code for p in found] == [131, 201] and [p.place.line for p in found] == sorted(
        p.place.line for p in found
    )


def test_what_stands_in_a_part_that_does_not_read_is_not_missed_elsewhere(huts: Path) -> None:
    """The norm that another goes over is there, and only cannot be read."""
    assert [p.code for p in faults(huts, "permits  Entry", "permit  Entry")] == [136, 135]


def test_a_block_right_under_another_stands_under_the_same_sentence(huts: Path) -> None:
    assert faults(huts, "1.1/kept", "```\n\n```norms\n1.1/kept") == []
    norms = [n for s in registry.book("huts").chapters[0].sections for n in s.norms]
    assert [n.sentences for n in norms[:2]] == [(1,), (1,)]


def said(*arguments: str) -> tuple[int, str]:
    out: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.cli_books.out", out.append)
        code = cli.main(["check", *arguments])
    return code, "\n".join(out)


@pytest.mark.slow
def test_one_book_is_checked_alone(huts: Path) -> None:
    code, text = said("--book", "huts")
    assert code == 0 and text.startswith("huts: 1 chapters, 4 rules, 12 norms") and text.endswith("no problems")
    assert "asl" not in text and "ontology:" not in text
    (huts / "1.md").write_text(
        (huts / "1.md").read_text(encoding="utf-8").replace("some Hut", "some Hutt", 1), encoding="utf-8"
    )
    registry.SHIPPED.forget()
    code, text = said("--book", "huts")
    assert code == 1 and "E201" in text and "under: Anybody may go into a hut" in text and "1 problem" in text


def test_its_terms_are_checked_with_it(huts: Path) -> None:
    path = huts / "terms.ttl"
    path.write_text(path.read_text(encoding="utf-8").replace('"tended"@en', '"Hut"@en', 1), encoding="utf-8")
    code, text = said("--book", "huts")
    assert code == 1 and "E712" in text  # not classified anew
    assert "E709" in text and "huts:Hut and huts:Tended are both called “Hut”" in text


@pytest.mark.parametrize(
    "arguments", [("--watch",), ("--strict",), ("--watch", "--style", "--book", "huts"), ("--book", "hutts")]
)
def test_options_that_do_not_go_together_are_told(huts: Path, arguments: tuple[str, ...]) -> None:
    assert said(*arguments)[0] == 2


def test_a_saved_sentence_is_checked_in_under_a_second_and_nothing_else_is_read(
    huts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the real poll of the files; each save is made while the watch waits for one."""
    chapter, other = huts / "1.md", huts / "2.md"
    front = (
        chapter.read_text(encoding="utf-8").partition("---\n\n")[0].replace('chapter: "1"', 'chapter: "2"') + "---\n\n"
    )
    other.write_text(front + "## 2.1 More {#2.1}\n\nNo more.\n> not encoded (note): says nothing\n", encoding="utf-8")
    good = chapter.read_text(encoding="utf-8")
    texts = [good.replace("some Hut\n", "some Hutt\n", 1), good]
    read: list[str] = []
    told: list[str] = []
    when: list[float] = []
    plain = ChapterReader.read
    monkeypatch.setattr(ChapterReader, "read", lambda self: (read.append(Path(self.file).name), plain(self))[1])

    def wait(seconds: float) -> None:
        assert seconds <= 0.2
        monkeypatch.setattr(Vocabulary, "from_json", classmethod(lambda cls, text: pytest.fail("terms read anew")))
        if not texts:
            raise KeyboardInterrupt
        chapter.write_text(texts.pop(0), encoding="utf-8")
        when.append(time.process_time())

    def out(text: str) -> None:
        told.append(text)
        if text.endswith(" s"):
            assert time.process_time() - when[-1] < 1

    registry.vocabulary("huts")
    with pytest.raises(KeyboardInterrupt):
        watch.run(out, "huts", watch.saved(huts, wait))
    assert len(when) == 2 and read == ["1.md", "2.md", "1.md"], "the last text is as the first: it is read already"
    bad = next(t for t in told if "E201" in t)
    assert "did you mean Hut" in bad and "when     destination some Hutt\n" in bad and "^" in bad
    assert "under: Anybody may go into a hut" in bad
    assert [t for t in told if t in ("1 problem", "no problems")] == ["no problems", "1 problem", "no problems"]


def test_a_change_of_terms_is_looked_at_whole(huts: Path) -> None:
    told: list[str] = []
    saves = iter([{huts / "terms.ttl"}, {huts / "1.md"}])
    watch.run(told.append, "huts", saves)
    assert sum(t.startswith("terms: 0 problems") for t in told) == 2  # at the start and then


def test_figures_of_style_are_no_faults_but_when_asked(huts: Path) -> None:
    code, text = said("--style", "--book", "huts")
    assert code == 0 and "every target is met" in text and "huts 1" in text
    assert said("--style", "--book", "huts", "--strict")[0] == 0
    (huts / "1.md").write_text(
        (huts / "1.md").read_text(encoding="utf-8").replace("permits  Entry", "permits  Entry  #" + " long" * 30),
        encoding="utf-8",
    )
    registry.SHIPPED.forget()
    code, text = said("--style", "--book", "huts")
    assert code == 0 and "lines of norms over 120 columns: 1, at most 0" in text
    assert said("--style", "--book", "huts", "--strict")[0] == 1


def strike(ask: str, me: str = "", foe: str = "", hit: str = "") -> Proof:
    """The answer to a question about a strike; what me, the foe and the strike are besides."""
    return asking.ask(
        asking.case(
            f"book: huts\nthings:\n  me: {{is: [Infantry, Friendly{me}]}}\n  foe: {{is: [Infantry, Enemy{foe}]}}\n"
            f"  hit: {{is: [Strike{hit}], actor: me, target: foe}}\nask: {{{ask}}}\n"
        )
    )


def section(proof: Proof, title: str) -> str:
    """What stands under a title of an answer."""
    return next((part for part in explain.text(proof).split("\n\n") if part.startswith(title)), "")


@pytest.mark.parametrize(("ask", "title"), [("may: hit", "BECAUSE"), ("value: [dice, hit]", "HOW IT IS MADE UP")])
def test_the_fact_that_an_answer_turns_on_by_way_of_another_is_told(huts: Path, ask: str, title: str) -> None:
    """A strike that is hindered because of who is struck: that he is hidden stands in the reasons, and would flip it."""
    proof = strike(ask, foe=", Hidden")
    assert proof.verdict == "forbidden" or proof.value == 1
    assert "foe is a hidden" in section(proof, title) and "if foe is not a hidden" in section(proof, "WOULD FLIP IT")


def test_why_what_would_hinder_it_does_not_is_told(huts: Path) -> None:
    """It is eased by who strikes: that he is hidden is why the norm that lost did not apply."""
    proof = strike("value: [dice, hit]", me=", Hidden", foe=", Hidden")
    assert proof.value == 2 and "me is a hidden" in section(proof, "LOST")
    assert "if me is not a hidden" in section(proof, "WOULD FLIP IT")


def test_what_is_stated_against_a_rule_has_its_word_and_that_is_said(huts: Path) -> None:
    for ask, answer in (("is: [hit, Hindered]", "yes"), ("may: hit", "no")):
        proof = strike(ask, me=", Hidden", hit=", Hindered")
        assert proof.answer == answer
        assert "hit is a hindered as stated, though 1.4/not says otherwise" in section(proof, "STATED AGAINST A RULE")
        (row,) = proof_json.to_json(proof)["overruled"]
        assert row["thing"] == "hit" and row["is"] is True and row["norms"] == ["1.4/not"]
    assert strike("is: [hit, Hindered]", hit=", Hindered").overruled == (), "no norm is against it"
    assert strike("is: [hit, Hindered]", me=", Hidden", foe=", Hidden").overruled == (), "nothing is stated"


def test_the_reasons_cite_no_norm_that_is_beaten(huts: Path) -> None:
    proof = strike("is: [hit, Hindered]", me=", Hidden", foe=", Hidden")
    assert proof.answer == "no" and "1.4/hindered" not in section(proof, "BECAUSE")
    assert "1.4/hindered" in section(proof, "LOST")


def test_a_norm_that_does_not_apply_is_not_told_as_if_it_did(huts: Path) -> None:
    """What spared a conclusion stands among its reasons: with the word that it did not come to it."""
    told = section(strike("may: hit", foe=", Hidden"), "BECAUSE")
    assert "1.4/not Strikes: counts it as not a hindered, but does not apply" in " ".join(told.split())
    assert "1.4/hindered Strikes: counts it as a hindered\n" in told
