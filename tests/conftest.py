"""What all tests share: where the checkout is, the rule texts beside it, a copy of the tree to plant faults in.

And how they are spread over processes (`-n 2`): a module stays in one, for what its tests share is made once in each;
those that share the graph of all books stay together; modules of many equal tests that share nothing fill the gaps.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from fastapi.testclient import TestClient
from rdflib import Dataset

from api import cli  # here, and not in a test, whose standard error is closed when it is over
from api.cli_plain import look_seldom
from kb.graph import dataset
from kb.triplestore import named_queries, store
from kb.triplestore.results import Table
from tests import night  # which settles what day it is, for all processes of a run

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
Run = Callable[..., tuple[int, str, str]]

# Every process that a test starts would compile all of kb anew, for as long as it takes to answer.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# CI draws the same examples each time, so that a red run means a change; a laptop keeps looking for new ones.
hypothesis.settings.register_profile("laptop", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "laptop")

look_seldom()  # as at the command line: what the books are made of stays, and is not looked through again and again

# In the order in which they start, the longest first; all others after them.
TOGETHER = {
    "agreement": ["test_agreement"],
    "graph": [
        "test_queries", "test_store_remote", "test_export", "test_graph", "test_rdf", "test_sparql", "test_api_store", "test_api_schema",
        "test_api", "test_api_graph", "test_bench_api", "test_api_hostile", "test_library_pages", "test_tapping",
    ],
    "newcomer": ["test_new_rulebook"],
    "terms": ["test_terms"],
    "certify": ["test_certify"],
}  # fmt: skip
ALONE = ("test_engine_random", "test_errata_docs", "test_pipeline_cases", "test_text_fuzz")  # each test for itself
PARTED = ("test_presumptions",)  # each part of the cases for itself, whose answers its checks share
STORE = "LOOPHOLE_STORE"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """One folder for the graph of all books, for every process of a run, and none of the reader's own."""
    if not hasattr(config, "workerinput"):
        assert os.environ["LOOPHOLE_DAY"] == str(night.DAY)
        folder = tempfile.mkdtemp(prefix="loophole-tests-")
        os.environ[STORE] = str(Path(folder) / "store")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


GROUP = {module: name for name, modules in TOGETHER.items() for module in modules}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Gives out whole groups, in the order of the tests. (xdist's own loadgroup does nothing under pytest 9.2.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Grouped(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            module = Path(nodeid.partition("::")[0]).stem
            if module in PARTED and (part := re.search(r"\[(\d+)", nodeid)):
                return f"{module} {part[1]}"
            return nodeid if module in ALONE else GROUP.get(module, module)

    if config.getoption("dist") != "load":
        return None  # asked for by name
    config.option.loadscopereorder = False
    return Grouped(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the long groups first, and what fills the gaps last, its slow tests before the others."""
    order = list(TOGETHER)

    def place(item: pytest.Item) -> tuple[int, bool]:
        name = GROUP.get(item.path.stem, "")
        alone = item.path.stem in ALONE
        return order.index(name) if name else len(order) + alone, alone and item.get_closest_marker("slow") is None

    items.sort(key=place)


@pytest.fixture(scope="session")
def store_folder() -> Path:
    """Where the graph of all books is kept for the whole run; made by the first that opens it."""
    return Path(os.environ[STORE])


@pytest.fixture(scope="session")
def books(store_folder: Path) -> Iterator[store.Embedded]:
    """The graph of all books, open; one for the tests of one process."""
    held = store.opened(str(store_folder))
    assert isinstance(held, store.Embedded) and len(held) > 100_000
    with pytest.MonkeyPatch.context() as patch:  # what is named in the graph is looked up once
        patch.setattr(named_queries, "spellings", lru_cache(named_queries.spellings))
        yield held


@pytest.fixture(scope="session")
def whole() -> Dataset:
    """The graph of all books as rdflib has it."""
    return dataset.of_books()


@pytest.fixture(scope="session")
def answers(books: store.Embedded) -> dict[str, Table]:
    """The rows of each named query, asked of everything."""
    return {name: books.select(query.text) for name, query in sorted(named_queries.named().items())}


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """The server as it is by default, but for the time it takes; for tests that leave it as they found it."""
    from api.app import create
    from api.settings import Settings

    with TestClient(create(Settings(workers=1, time_limit=60, query_limit=30))) as made:
        yield made


def tree() -> list[str]:
    """Every file of the project by its path from the root: what git tracks, and what it would track if added."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: no list of the project's files")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted({name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()})


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def files() -> list[str]:
    """See `tree`."""
    return tree()


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[..., Path]:
    """`copy_of("kb", "pyproject.toml")`: a new folder with those of the project, to plant a fault in."""

    def copy(*names: str) -> Path:
        target = tmp_path / "copy"
        for file in tree():
            if any(file == name or file.startswith(f"{name}/") for name in names):
                (target / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, target / file)
        return target

    return copy


@pytest.fixture(scope="session")
def seed() -> Callable[[int], Path]:
    """`seed(0)`: the path of that rule text in ../shared/seeds. Skips the test, by name, where the texts are absent."""

    def path(number: int) -> Path:
        found = sorted((SHARED / "seeds").glob(f"{number:03d}_*.txt"))
        if not found:
            pytest.skip(f"rule text {number:03d} is not in ../shared/seeds: texts are their publishers', not ours")
        return found[0]

    return path


@pytest.fixture(scope="session")
def gold() -> Path:
    """The file of sample questions. Skips the test where it is absent."""
    path = SHARED / "gold" / "dev.jsonl"
    if not path.exists():
        pytest.skip("../shared/gold/dev.jsonl is absent")
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of the test's own, in which nothing is imported yet."""
    monkeypatch.setenv("LOOPHOLE_LIBRARY", str(tmp_path / "library"))
    return tmp_path / "library"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("ask", "x.yaml")` gives the exit code, what was printed, and what went to standard error."""

    def go(*args: object) -> tuple[int, str, str]:
        code = cli.main([str(a) for a in args])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return go
