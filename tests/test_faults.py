"""Disks that are full or break at any call, and files whose bytes are garbled: what happened is told, and what was there is still there."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from api import cli, terminal
from kb import asking, registry, resources, stored
from kb.errors import LoopholeError, QueryError, TextError
from kb.graph import version as graph_version
from kb.language.vocabulary import seal, sealed
from kb.registry import Books
from kb.rulebook import fingerprint
from kb.texts import library, shelf
from kb.triplestore import store
from kb.triplestore.remote import Push, Remote
from tests import own_book
from tests.failing import failing_at, garblings, killed_at
from tests.night import NIGHT, some
from tests.test_library import BOOK

ROOT = Path(__file__).parent.parent
CODES = (errno.ENOSPC, errno.EIO, errno.EROFS) if NIGHT else (errno.ENOSPC,)
QUAD = b'<urn:a> <urn:b> "c" <urn:g> .\n'
HUT = "book: huts\nthings: {hut: {is: Hut, keeper: man}, man: {is: Unit}}\nask: {value: [load, hut]}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOOPHOLE_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("LOOPHOLE_STORE", raising=False)
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def at_every_call(below: Path, work: Callable[[], object], after: Callable[[bool], object], code: int) -> int:
    """Does a work again and again, its first writing call failing, its second …, until none fails; after: looks at what is left, told
    whether it failed. Gives how many calls there were."""
    for n in range(1, 200):
        with failing_at(n, below, code) as layer:
            try:
                work()
                failed = False
            except LoopholeError as e:
                failed = True
                assert all(p.hint and p.code in (676, 717, 719, 648) for p in e.problems), e
                assert "should not have happened" not in str(e)
        assert layer.fired or not failed
        after(failed)
        assert not [p for p in below.rglob(".new-*")], "something half written is left"
        if not layer.fired:
            return n - 1
    raise AssertionError("it never ends")


# ── full disks ──


@pytest.mark.parametrize("code", CODES)
def test_an_import_is_whole_or_not_at_all(home: Path, code: int) -> None:
    text = home / "book.txt"
    text.write_text(BOOK, encoding="utf-8")
    library.import_text(text, "toy", "K9")
    old = [s.text for _, s in pairs()]
    text.write_text(BOOK.replace("Nobody else may.", "Its porter may."), encoding="utf-8")
    new = [t.replace("Nobody else may.", "Its porter may.") for t in old]

    def after(failed: bool) -> None:
        assert [s.text for _, s in pairs()] in (old, new) and shelf.damaged("toy") == []
        if not failed:
            assert [s.text for _, s in pairs()] == new
            text.write_text(BOOK, encoding="utf-8")
            library.import_text(text, "toy", "K9")
            text.write_text(BOOK.replace("Nobody else may.", "Its porter may."), encoding="utf-8")

    assert at_every_call(home / "library", lambda: library.import_text(text, "toy", "K9"), after, code) >= 6


def pairs() -> list[tuple[Any, Any]]:
    return [
        (section, s)
        for entry in shelf.edition("toy")
        for section in shelf.sections_of(entry)
        for s in section.sentences
    ]


@pytest.mark.parametrize("code", CODES)
def test_an_export_is_whole_or_not_at_all(home: Path, code: int) -> None:
    file = home / "all.ttl"
    file.write_text("the old one", encoding="utf-8")
    new = "line\n" * 10_000

    def after(failed: bool) -> None:
        assert file.read_text(encoding="utf-8") == ("the old one" if failed else new)
        file.write_text("the old one", encoding="utf-8")

    assert at_every_call(home, lambda: terminal.write(file, new, "--out"), after, code) >= 4
    planted = home / "torn.ttl"  # planted: written straight into its file, it is torn
    with failing_at(2, home, code), pytest.raises(OSError), open(planted, "w", encoding="utf-8") as out:
        out.write("half")
        out.write("and half")
    assert planted.read_text(encoding="utf-8") == "" or planted.read_text(encoding="utf-8") == "half"
    terminal.write(Path(os.devnull), new, "--out")
    assert Path(os.devnull).exists() and not Path(os.devnull).is_file()


@pytest.mark.parametrize("code", CODES)
def test_what_is_built_and_kept_is_whole_or_made_anew(home: Path, code: int) -> None:
    built = home / "built.json"

    def after(failed: bool) -> None:
        assert not built.exists() or built.read_text(encoding="utf-8") == "{}\n"

    assert at_every_call(home, lambda: resources.write(built, "{}\n"), after, code) >= 4

    def kept() -> None:
        assert graph_version.kept("thing", "txt", lambda: b"made") == b"made"  # told or not, it is given

    assert at_every_call(home / "cache", kept, lambda failed: None, code) >= 2
    (file,) = (home / "cache").rglob("thing-*.txt")
    for how in garblings(file):
        assert graph_version.kept("thing", "txt", lambda: b"made anew") == b"made anew", how
        assert graph_version.kept("thing", "txt", lambda: b"no") == b"made anew"


def test_a_linked_book_is_kept_whole_or_made_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linked = registry.SHIPPED.linked("vv")
    made: list[int] = []

    def kept() -> stored.Linked:
        def make() -> stored.Linked:
            made.append(1)
            return linked

        return stored.kept("vv-again", stored.Linked, registry.SHIPPED.files("vv"), make)

    def after(failed: bool) -> None:
        shutil.rmtree(home / "cache", ignore_errors=True)

    assert at_every_call(home, lambda: kept() == linked, after, errno.ENOSPC) >= 4  # kept or not, it is given
    assert kept() == linked
    before = len(made)
    assert kept() == linked and len(made) == before, "it is read, and the very same"
    assert fingerprint.of(kept().book) == fingerprint.of(linked.book)
    (file,) = (home / "cache").rglob("vv-again-*")
    whole = file.read_bytes()
    for how in garblings(file):
        before = len(made)
        assert kept() == linked and len(made) == before + 1, how
        assert file.read_bytes() == whole, how
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert kept() == linked and len(made) == before + 2, "who else wrote it is not believed"
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))  # where nothing can be kept
    assert kept() == linked and len(made) == before + 3
    monkeypatch.setattr(
        "platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/loophole"
    )  # and where there is no home
    assert kept() == linked and len(made) == before + 4


def test_a_linked_book_is_made_anew_when_its_files_change(
    huts: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPHOLE_BOOKS", str(huts.parent))
    folder, chapter = home / "cache" / "loophole" / "books", huts / "1.md"
    text = chapter.read_text(encoding="utf-8")
    assert [asking.ask(HUT, books=Books()).answer for _ in range(2)] == ["30", "30"]
    assert {p.name.rpartition("-")[0] for p in folder.iterdir()} == {"huts-linked", "huts-edition"}
    try:
        chapter.write_text(text.replace("to 30", "to 31"), encoding="utf-8")
        assert asking.ask(HUT, books=Books()).answer == "31"
        chapter.write_text(text.replace("some Hut", "some Hutt"), encoding="utf-8")
        for _ in range(2):  # what has a fault is not kept
            with pytest.raises(LoopholeError, match="E201"):
                asking.ask(HUT, books=Books())
    finally:
        chapter.write_text(text, encoding="utf-8")
    assert asking.ask(HUT, books=Books()).answer == "30"
    monkeypatch.setattr(stored, "MOST", 1)
    chapter.write_text(text + "\n", encoding="utf-8")
    assert asking.ask(HUT, books=Books()).answer == "30" and len([*folder.iterdir()]) == 1, "only so many are kept"
    chapter.write_text(text, encoding="utf-8")


# ── a process that is killed ──


def at_every_kill(below: Path, work: Callable[[], object], after: Callable[[], object]) -> int:
    """Does a work in a process that is killed at its first writing call, its second …, until it gets to its end; after: looks at what is
    left, and uses it. Gives how many calls there were."""
    for n in range(1, 200):
        if not killed_at(n, below, work):
            return n - 1
        after()
    raise AssertionError("it never ends")


def halves(below: Path) -> list[Path]:
    return [p for p in below.rglob("*") if p.name.startswith(".new-") or "-new-" in p.name or "-old-" in p.name]


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")


@pytest.mark.slow
@needs_fork
def test_an_import_that_is_killed_leaves_a_library_that_can_be_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = home / "book.txt"
    text.write_text(BOOK, encoding="utf-8")
    library.import_text(text, "toy", "K9")
    old = [s.text for _, s in pairs()]
    changed = BOOK.replace("Nobody else may.", "Its porter may.")
    new = [t.replace("Nobody else may.", "Its porter may.") for t in old]
    left = 0

    def after() -> None:
        nonlocal left
        assert [s.text for _, s in pairs()] in (old, new) and shelf.damaged("toy") == []
        left += len(halves(home))
        with monkeypatch.context() as later:
            later.setattr(resources, "ABANDONED", 0.0)  # as if an hour had passed
            library.import_text(text, "toy", "K9")  # it is imported again, as anybody would
            assert [s.text for _, s in pairs()] == new
            text.write_text(BOOK, encoding="utf-8")
            library.import_text(text, "toy", "K9")
        assert not halves(home) and [s.text for _, s in pairs()] == old
        text.write_text(changed, encoding="utf-8")

    text.write_text(changed, encoding="utf-8")
    assert at_every_kill(home / "library", lambda: library.import_text(text, "toy", "K9"), after) >= 6
    assert left, "a kill leaves something half written, which somebody has to clear away"


@pytest.mark.slow
@needs_fork
def test_what_is_built_by_a_process_that_is_killed_is_whole_or_not_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, folder = home / "built.json", home / "cache" / "loophole" / "store"

    def store_made() -> int:
        return len(store.kept(folder, lambda: QUAD, "1", ours=True))

    def after() -> None:
        assert not built.exists() or built.read_text(encoding="utf-8") == "{}\n"
        built.unlink(missing_ok=True)

    assert at_every_kill(home, lambda: resources.write(built, "{}\n"), after) >= 4

    # The engine of the store has threads, which no fork takes along: a process from the start.
    made = "from pathlib import Path; from tests.failing import KILL, failing_at; from kb.triplestore import store; folder, n = Path({!r}), {}\n"
    made += "with failing_at(n, folder.parent, KILL):\n    store.kept(folder, lambda: {!r}, '2', ours=True)"
    for n in range(1, 50):
        shutil.rmtree(folder, ignore_errors=True)
        assert len(store.kept(folder, lambda: QUAD, "1", ours=True)) == 1
        run = subprocess.run([sys.executable, "-c", made.format(str(folder), n, QUAD)], cwd=ROOT, check=False)
        if run.returncode == 0:
            break
        assert run.returncode == -signal.SIGKILL
        with monkeypatch.context() as later:
            later.setattr(resources, "ABANDONED", 0.0)
            assert len(store.kept(folder, lambda: QUAD, "2", ours=True)) == 1 and not halves(home / "cache")
    assert 3 <= n < 49


@needs_fork
def test_a_push_that_is_killed_is_seen_and_resumed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "version", lambda: "1")
    names = [f"https://w3id.org/loophole/graph/{n}" for n in range(4)]
    held = store.opened(store.MEMORY, lambda: "".join(f'<urn:a> <urn:b> "c" <{name}> .\n' for name in names).encode())
    assert isinstance(held, store.Embedded)
    seen = 0
    for dies in range(1, 30):
        there = Kept(home / f"endpoint-{dies}", dies)
        if not killed_at(10**6, home / "nowhere", partial(list, store.pushed(held, there))):
            break
        cut = Kept(there.folder)
        if cut.held:
            seen += 1
            with pytest.raises(QueryError, match=r"E656.*not whole"):
                cut.graph_names()
        list(store.pushed(held, cut))
        assert Kept(there.folder).graph_names() == tuple(names)
    assert seen >= 4 and Kept(there.folder).graph_names() == tuple(names)


def test_who_has_no_home_and_no_rights_is_told(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    import platformdirs

    monkeypatch.delenv("LOOPHOLE_LIBRARY")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *a, **k: "~/.local/share/loophole")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *a, **k: "~/.cache/loophole")
    with pytest.raises(LoopholeError, match="E718"):
        shelf.root()
    assert graph_version.kept("thing", "txt", lambda: b"made") == b"made"
    assert cli.main(["library", "list"]) == 2
    assert "E718" in (said := capsys.readouterr().err) and "LOOPHOLE_LIBRARY" in said
    monkeypatch.setenv("LOOPHOLE_LIBRARY", str(home / "library"))
    monkeypatch.setattr(asking, "case", refused)
    case = home / "case.yaml"
    case.write_text(HUT, encoding="utf-8")
    assert cli.main(["ask", str(case)]) == 2
    said = capsys.readouterr().err
    assert "E719" in said and "do: " in said and "should not have happened" not in said


def refused(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", "/somewhere")


# ── garbled files ──


def test_a_garbled_library_is_found_told_mended_and_removed(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    text = home / "book.txt"
    text.write_text(BOOK, encoding="utf-8")
    library.import_text(text, "toy", "K9")
    folder = home / "library" / "toy" / "K9"
    before = snapshot(folder)
    for name in ("edition.json", next(p.name for p in folder.glob("sections-*"))):
        for how in garblings(folder / name):
            shelf.read_entry.cache_clear()
            (problem, *_) = shelf.damaged("toy")
            assert (
                problem.code in (508, 509)
                and "loophole import" in problem.hint
                and "library remove toy K9" in problem.hint
            )
            assert cli.main(["library", "list"]) == 2 and "E509" in capsys.readouterr().err, how
            with pytest.raises(TextError):
                for entry in shelf.edition("toy"):
                    list(shelf.sections_of(entry))
                    if how == "a byte changed":  # of a field that no sentence holds: the file's own checksum tells it
                        raise TextError(shelf.damaged("toy"))
            library.import_text(text, "toy", "K9")  # mends it
            assert shelf.damaged("toy") == [], how
            assert {k for k in snapshot(folder)} == set(before)
    shelf.read_entry.cache_clear()
    for name in before:
        (folder / name).write_bytes(b"{")
        assert cli.main(["library", "remove", "toy", "K9"]) == 0
        assert not folder.exists() and "removed toy K9" in capsys.readouterr().out
        library.import_text(text, "toy", "K9")
    entry = folder / "edition.json"  # planted: an index without a checksum, as they were, tells no change of a title
    told = json.loads(entry.read_text(encoding="utf-8"))
    told["sections"][0]["page"] = "9"
    entry.write_text(json.dumps(told), encoding="utf-8")
    assert shelf.damaged("toy")
    entry.write_text(json.dumps({k: v for k, v in told.items() if k != "checksum"}), encoding="utf-8")
    shelf.read_entry.cache_clear()
    assert shelf.damaged("toy") == []


def test_an_answer_does_without_a_damaged_library_and_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = home / "book.txt"
    text.write_text(BOOK, encoding="utf-8")
    library.import_text(text, "vv", "K9")
    case = home / "case.yaml"
    case.write_text("book: vv\nthings: {s: {is: Squad}}\nask: {is: [s, Squad]}", encoding="utf-8")
    assert cli.main(["ask", str(case)]) == 0 and capsys.readouterr().err == ""
    for file in (home / "library" / "vv" / "K9").iterdir():
        whole = file.read_bytes()
        for data in some((b"", whole[: len(whole) // 2], b"\0" * len(whole)), 2):
            file.write_bytes(data)
            shelf.read_entry.cache_clear()
            assert cli.main(["ask", str(case)]) == 0
            said = capsys.readouterr()
            assert said.out.startswith("YES") and "E50" in said.err and "does not turn on it" in said.err
        file.write_bytes(whole)


@pytest.fixture(scope="module")
def huts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_book.write(tmp_path_factory.mktemp("own"))


def test_garbled_files_of_a_book_are_told_or_change_nothing(huts: Path) -> None:
    def answered() -> str:
        return asking.ask(HUT, books=Books(huts.parent)).answer

    assert answered() == "30"
    for file in sorted(p for p in huts.iterdir() if p.suffix != ".ttl"):
        for how in garblings(file):
            if file.suffix == ".md" and how == "a byte changed":
                continue  # prose is whatever it is
            try:
                assert answered() == "30", f"{file.name}, {how}"
            except LoopholeError as e:
                assert all(p.hint for p in e.problems), f"{file.name}, {how}: {e}"
    assert answered() == "30"


def test_a_changed_vocabulary_is_noticed(huts: Path) -> None:
    file = huts / "vocabulary.json"
    whole = file.read_text(encoding="utf-8")
    assert sealed(whole) is True
    changed = whole.replace('"parents": ["State"]', '"parents": ["Hut"]', 1)
    assert changed != whole
    try:
        file.write_text(changed, encoding="utf-8")
        with pytest.raises(LoopholeError, match=r"E419.*not as they were built"):
            Books(huts.parent).vocabulary("huts")
        file.write_text(
            "{\n" + whole.partition("\n")[2].partition("\n")[2], encoding="utf-8"
        )  # the checksum is taken out
        with pytest.raises(LoopholeError, match=r"E419.*no checksum"):
            Books(huts.parent).vocabulary("huts")
        file.write_text(seal(changed), encoding="utf-8")  # planted: with a seal of its own it is read
        assert Books(huts.parent).vocabulary("huts").classes
    finally:
        file.write_text(whole, encoding="utf-8")


# ── the store ──


@pytest.mark.slow
def test_a_corrupt_store_is_built_anew(home: Path) -> None:
    folder = home / "cache" / "store"
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return QUAD

    assert len(store.kept(folder, make, "1")) == len(store.kept(folder, make, "1")) == 1 and made == [1]
    names = sorted(p.name for p in folder.iterdir() if p.suffix in (".sst", ".json") or p.name == "CURRENT")
    assert {"CURRENT", store.MARK} < set(names)
    for name, data in some([(name, data) for data in (b"garbage", b"") for name in names], 2):
        (folder / name).write_bytes(data)
        before = len(made)
        found = store.kept(folder, make, "1")
        assert len(found) == 1 and len(made) == before + 1, name
    for file in folder.glob("*.sst"):
        file.unlink()
    assert len(store.kept(folder, make, "1")) == 1
    (folder / store.MARK).unlink()
    with pytest.raises(QueryError, match="E648"):
        store.kept(folder, make, "1")
    assert len(store.kept(folder, make, "1", ours=True)) == 1


class Endpoint(Remote):
    """An endpoint in memory that dies at the n-th graph."""

    def __init__(self, dies: int = 0):
        super().__init__("http://x/query", "http://x/update", "http://x/store")
        self.held: dict[str, bytes] = {}
        self.dies, self.puts = dies, list[str]()

    def put(self, graph: str, triples: bytes) -> None:
        self.puts.append(graph)
        if len(self.puts) == self.dies:
            raise QueryError(store.Problem(650, "gone"))
        self.held[graph] = triples

    def drop(self, graph: str) -> None:
        del self.held[graph]

    def asked(self, query: str, graphs: tuple[str, ...], seconds: float | None) -> dict[str, Any]:
        import pyoxigraph as ox

        mine = ox.Store()
        for name, triples in self.held.items():
            mine.load(triples, format=ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(name))
        return json.loads(bytes(mine.query(query).serialize(format=ox.QueryResultsFormat.JSON) or b""))  # type: ignore[union-attr]


class Kept(Endpoint):
    """An endpoint that outlives who pushes, who is killed at its n-th change."""

    def __init__(self, folder: Path, dies: int = 0):
        super().__init__(dies)
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.held = {unquote(file.name): file.read_bytes() for file in folder.iterdir()}

    def put(self, graph: str, triples: bytes) -> None:
        self.puts.append(graph)
        if len(self.puts) == self.dies:
            os.kill(os.getpid(), signal.SIGKILL)
        (self.folder / quote(graph, "")).write_bytes(triples)
        self.held[graph] = triples


def test_a_push_that_is_cut_off_is_seen_and_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "version", lambda: "1")
    names = [f"https://w3id.org/loophole/graph/{n}" for n in range(4)]
    quads = "".join(f'<urn:a{n}> <urn:b> "c" <{name}> .\n' for n, name in enumerate(names)).encode()
    held = store.opened(store.MEMORY, lambda: quads)
    assert isinstance(held, store.Embedded)
    whole = Endpoint()
    assert [name for name, _ in store.pushed(held, whole)] == names and whole.graph_names() == tuple(names)
    calls = len(whole.puts)
    for dies in range(1, calls + 1):
        cut = Endpoint(dies)
        with pytest.raises(QueryError, match="E650"):
            list(store.pushed(held, cut))
        if cut.held:
            with pytest.raises(QueryError, match=r"E656.*not whole.*of 4 graphs"):
                cut.graph_names()
        done = set(cut.held) & set(names)
        cut.dies, cut.puts = 0, []
        assert [name for name, _ in store.pushed(held, cut)] == names
        assert cut.graph_names() == tuple(names) and {n: cut.held[n] for n in names} == {
            n: whole.held[n] for n in names
        }
        again = set(cut.puts) & set(names)
        assert len(done & again) <= 1, "what was there is not pushed again, but for the one that may have been cut"
    monkeypatch.setattr(store, "version", lambda: "2")  # of another state nothing is taken for done
    cut = Endpoint(5)
    with pytest.raises(QueryError):
        list(store.pushed(held, cut))
    monkeypatch.setattr(store, "version", lambda: "3")
    cut.dies, cut.puts = 0, []
    assert len([p for p in store.pushed(held, cut)]) == 4 and set(names) <= set(cut.puts)
    monkeypatch.setattr(
        Push, "of", classmethod(lambda cls, rows: None)
    )  # planted: without the note nobody sees that a push was cut off
    torn = Endpoint(4)
    with pytest.raises(QueryError):
        list(store.pushed(held, torn))
    assert 0 < len(torn.graph_names()) < 4
