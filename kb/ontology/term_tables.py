"""Files of terms: Markdown whose tables have a term a row, and whose ```turtle blocks say what no row can.

Here a file is taken apart into its head, its rows and its blocks, each with its place; kb.ontology.term_columns has what a
row may say, kb.ontology.term_builder makes the Turtle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from kb import yaml_document
from kb.errors import LoopholeError, Place, Problem, did_you_mean
from kb.ontology.sources import NOT_TERMS
from kb.ontology.term_columns import COLUMNS, KINDS, Kind
from kb.ontology.turtle import BASE

HEAD = ("title", "description", "license", "iri")
_RULER = re.compile(r"\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
_FRONT = 'a file of terms begins with ---, then title: "…", then ---'


@dataclass(frozen=True)
class Cell:
    """What stands under one heading in one row, with its place and the whole line."""

    text: str
    place: Place
    line: str


@dataclass(frozen=True)
class Row:
    """A row of a table: what kind its table is of, its term, and its other cells that are not empty, by heading.

    columns: the headings of its table, filled here or not.
    """

    kind: Kind
    term: Cell
    cells: dict[str, Cell]
    columns: tuple[str, ...]


@dataclass
class Document:
    """A file of terms. file: what it is called in messages; turtle: (line, text) of each block."""

    path: Path
    file: str
    namespace: str
    head: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    turtle: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def built(self) -> Path:
        """The Turtle file that is made from it."""
        return self.path.with_suffix(".ttl")


def files(folder: Path, own: bool = False) -> list[Path]:
    """The files of terms of the ontology's folder; with `own`, of a folder of books: those in <book>/terms/ beside a policy."""
    if own:
        found = [p for policy in folder.glob("*/policy.yaml") for p in policy.parent.glob("terms/*.md")]
    else:
        found = [*folder.glob("*.md"), *folder.glob("*/*.md")]
    return sorted(p for p in found if p.name not in NOT_TERMS)


def table_of(turtle: Path) -> Path | None:
    """The file of terms that a Turtle file is made from, None for one that is written by hand."""
    path = turtle.with_suffix(".md")
    return path if path.is_file() and path.name not in NOT_TERMS else None


def read(folder: Path, root: str = "ontology", own: bool = False) -> list[Document]:
    """Every file of terms. root: what the folder is called in messages.

    Raises LoopholeError with every fault of form: E731 the head, E732 a heading, E733 a row that has too much.
    """
    found = [_document(path, folder, root) for path in files(folder, own)]
    if problems := [p for document in found for p in document.problems]:
        raise LoopholeError(problems)
    return found


def _document(path: Path, folder: Path, root: str) -> Document:
    name = path.relative_to(folder).as_posix()
    made = Document(path, f"{root}/{name}", f"{BASE}{name.partition('/')[0].removesuffix('.md')}#")
    lines = path.read_text(encoding="utf-8").splitlines()
    made.head = {"iri": name.removesuffix(".md")} | _head(lines, made)
    body = lines.index("---", 1) + 1 if lines[:1] == ["---"] and "---" in lines[1:] else 0
    number, kind, columns = body, None, list[str]()
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("```"):
            block = _block(lines, number)
            if line.strip() == "```turtle":
                made.turtle.append((number, "\n".join(block)))
            number += len(block) + 1
        elif not line.lstrip().startswith("|"):
            columns = []
        elif columns:
            made.rows += _row(made, number, line, kind, columns)
        else:
            kind, columns = _heading(made, number, line)
            if number < len(lines) and _RULER.fullmatch(lines[number]):
                number += 1
            else:
                hint = "put a line |---| with as many parts under the headings of a table"
                made.problems.append(Problem(732, "a table without its second line", Place(made.file, number), hint))
    return made


def _head(lines: Sequence[str], made: Document) -> dict[str, str]:
    place = Place(made.file, 1)
    if lines[:1] != ["---"] or "---" not in lines[1:]:
        made.problems.append(Problem(731, "no head", place, _FRONT))
        return {}
    try:
        told = yaml_document.values("\n".join(lines[1 : lines.index("---", 1)]))
    except yaml.YAMLError as error:
        made.problems.append(Problem(731, f"the head is no YAML: {error}", place, _FRONT))
        return {}
    if not isinstance(told, dict) or not told.get("title"):
        made.problems.append(Problem(731, "the head has no title", place, _FRONT))
        return {}
    for key in told:
        if key not in HEAD:
            hint = did_you_mean(str(key), HEAD, "a head has")
            made.problems.append(Problem(731, f"the head has no “{key}”", place, hint))
    return {str(key): str(value) for key, value in told.items()}


def _block(lines: Sequence[str], start: int) -> list[str]:
    """The lines of a fenced block, without its fences."""
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("```")), len(lines))
    return list(lines[start:end])


def _cells(line: str) -> Iterator[tuple[int, str]]:
    """(column, text) of each cell of a line; `\\|` is a | in the text."""
    start = line.index("|") + 1
    for found in re.finditer(r"(?:[^|\\]|\\.)*(?:\||$)", line[start:]):
        if not found[0]:
            continue
        text = found[0].removesuffix("|")
        if text.strip() or found[0].endswith("|"):
            indent = len(text) - len(text.lstrip()) if text.strip() else min(len(text), 1)
            yield start + found.start() + indent + 1, text.strip().replace("\\|", "|")


def _heading(made: Document, number: int, line: str) -> tuple[Kind | None, list[str]]:
    names = [text.lower() for _, text in _cells(line)]
    kind = KINDS.get(names[0] if names else "")
    if kind is None:
        hint = did_you_mean(names[0] if names else "", KINDS, "a table begins with")
        message = f"no table is of “{names[0] if names else ''}”"
        made.problems.append(Problem(732, message, Place(made.file, number), hint, line))
        return None, names or [""]
    known = [name for name, column in COLUMNS.items() if kind.name in column.kinds]
    for i, (at, text) in list(enumerate(_cells(line)))[1:]:
        name = text.lower()
        if name not in known:
            why = f"a table of {kind.name} has no column" if name in COLUMNS else "there is no column"
            hint = did_you_mean(name, known, f"a table of {kind.name} may have")
            made.problems.append(Problem(732, f"{why} “{text}”", Place(made.file, number, at), hint, line))
        elif name in names[:i]:
            hint = "leave one of them"
            made.problems.append(Problem(732, f"two columns “{text}”", Place(made.file, number, at), hint, line))
    return kind, names


def _row(made: Document, number: int, line: str, kind: Kind | None, columns: Sequence[str]) -> Iterator[Row]:
    cells = [Cell(text, Place(made.file, number, at), line) for at, text in _cells(line)]
    if len(cells) > len(columns):
        extra = cells[len(columns)]
        message = f"a row of {len(cells)} cells under {len(columns)} headings"
        hint = "write \\| for a | inside a cell"
        made.problems.append(Problem(733, message, extra.place, hint, line))
    elif kind is not None and any(cell.text for cell in cells):
        filled = {name: cell for name, cell in zip(columns, cells, strict=False) if cell.text}
        first = filled.pop(columns[0], cells[0])
        last = made.rows[-1] if made.rows else None
        if kind.name == "apart" and last is not None and last.kind is kind and last.term.text.endswith(","):
            made.rows.pop()  # the list goes on
            first = Cell(f"{last.term.text} {first.text}", last.term.place, last.term.line)
        yield Row(kind, first, filled, tuple(columns))
