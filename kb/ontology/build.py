"""The ontology's files kept in order: built from tables, classified for each book, checked to be current.

    python -m kb.ontology.build build     write the Turtle of the tables, and ontology/inferred/<book>.json (needs Java)
    python -m kb.ontology.build check     are these current, and is Turtle by hand in canonical style? (needs no Java)
    python -m kb.ontology.build hygiene   is every term labelled, defined, sourced? (queries/hygiene)
    python -m kb.ontology.build format    rewrite Turtle by hand that is not; name some files to rewrite only these

An inferred file holds what kb.language.vocabulary.Vocabulary.from_json reads. Its `version` is a hash of the Turtle that it was
made from, and its `tree` a hash of the class tree found, so that a check can redo all the rest without a reasoner.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph
from rdflib import Graph, URIRef

from kb import resources
from kb.errors import NOWHERE, LoopholeError, Place, Problem
from kb.language.vocabulary import Vocabulary, seal
from kb.ontology import sources as sources_, term_builder, term_tables, vocabulary_rows
from kb.ontology.dl_reasoner import Tree, agree, classify
from kb.ontology.sources import Scope, Source, faults
from kb.ontology.turtle import canonical, curie, head_comments

FORMAT = "1"  # of the inferred files; part of their version

__all__ = [
    "build",
    "build_own",
    "canonical",
    "check",
    "hygiene",
    "main",
    "reformat",
    "untidy",
    "version",
    "vocabulary_text",
]


def version(scope: Scope) -> str:
    """SHA-256 over what the classification of a book depends on: its namespaces and the text of its files."""
    digest = hashlib.sha256(json.dumps([FORMAT, scope.book, scope.namespaces]).encode())
    for source in scope.sources:
        digest.update(json.dumps([source.name, source.text]).encode())
    return digest.hexdigest()


def build(
    ontology_dir: Path, out_dir: Path, rulebooks: Path | None = None, *, force: bool = False, both: bool = True
) -> list[Path]:
    """Write the Turtle of each file of terms, and `<book>.json` for each book, where these are not current; returns the
    files written.

    Two reasoners have to agree on the class tree; with `both` false HermiT alone is run, for a quick look.
    Raises LoopholeError: E70x for faults in the files, E72x from the reasoners, E73x for tables of terms, E74x for marks
    that cannot be read.
    """
    written = term_builder.write(ontology_dir)
    scopes = sources_.scopes(sources_.read(ontology_dir), rulebooks or resources.path("rulebooks"))
    return written + _build([(scope, out_dir / f"{scope.book}.json") for scope in scopes], force, both)


def build_own(*, force: bool = False, both: bool = True) -> list[Path]:
    """The same for the terms of the reader's own books; returns the files written. Raises LoopholeError."""
    folder = resources.own()
    if folder is None:
        return []
    written = term_builder.write(folder, str(folder), own=True)
    return written + _build(sources_.own_scopes(folder), force, both)


def _build(scopes: list[tuple[Scope, Path]], force: bool, both: bool) -> list[Path]:
    written = []
    problems: list[Problem] = []
    for scope, path in scopes:
        if not force and not stale(scope, path):
            continue
        if found := faults(scope):
            problems += [p for p in found if p not in problems]
            continue
        try:
            vocabulary_rows.marked(scope)  # told at once, and not after seconds of Java
            tree = (agree if both else classify)(scope.graph)
            text = vocabulary_text(scope, tree)
        except LoopholeError as error:
            problems += [_explained(p, scope) for p in error.problems]
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        resources.write(path, text)
        written.append(path)
    if problems:
        raise LoopholeError(problems)
    return written


def vocabulary_text(scope: Scope, tree: Tree) -> str:
    """The inferred file of a book: JSON, one term a line."""
    rows = vocabulary_rows.rows(scope, tree)
    head = {"book": scope.book, "version": version(scope), "tree": _tree_hash(version(scope), rows["classes"])}
    parts = [f"{_json(k)}: {_json(v)}" for k, v in head.items()]
    for kind in ("classes", "properties"):
        lines = [f"  {_json(name)}: {_json(row)}" for name, row in sorted(rows[kind].items())]
        parts.append(f"{_json(kind)}: {{\n" + ",\n".join(lines) + "\n}")
    return seal("{\n" + ",\n".join(parts) + "\n}\n")


def stale(scope: Scope, path: Path) -> str:
    """Why an inferred file is not current, "" when it is. Runs no reasoner: the tree in the file is taken to be the
    reasoners' when its hash fits, and everything else is worked out again from it."""
    if not path.is_file():
        return "there is no such file"
    text = path.read_text(encoding="utf-8")
    try:
        data: dict[str, Any] = json.loads(text)
        known = Vocabulary.from_json(seal(text))  # whatever was done to it: what that was is to be told
        if data["version"] != version(scope):
            return "the Turtle has changed since it was built"
        if data["tree"] != _tree_hash(data["version"], data["classes"]):
            return "its class tree was edited by hand"
        tree = {t.iri: frozenset(known.classes[a].iri for a in t.ancestors) for t in known.classes.values()}
        current = vocabulary_text(scope, tree)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return f"it does not read ({type(error).__name__}: {error})"
    except LoopholeError:
        return "the Turtle has faults"
    return "" if text == current else "it is not what its Turtle and class tree give"


def check(ontology_dir: Path, out_dir: Path, rulebooks: Path | None = None) -> list[Problem]:
    """E714 for each Turtle file that is not what its tables give, E710 for one written by hand that is not in canonical
    style, E712 for each inferred file that is not current, E713 for one that no book asks for, and every fault of the files
    themselves. Empty when all is well. Needs no Java."""
    if problems := term_builder.stale(ontology_dir):
        return problems
    try:
        sources = sources_.read(ontology_dir)
        found = sources_.scopes(sources, rulebooks or resources.path("rulebooks"))
    except LoopholeError as error:
        return list(error.problems)
    problems += [p for path in _files(ontology_dir) if (p := _not_canonical(path, ontology_dir))]
    for scope in found:
        problems += [p for p in faults(scope) if p not in problems]
        path = out_dir / f"{scope.book}.json"
        if why := stale(scope, path):
            place = Place(f"ontology/{out_dir.name}/{path.name}", 1)
            problems.append(Problem(712, f"stale: {why}", place, "run python -m kb.ontology.build build"))
    problems += check_own()
    for path in sorted(out_dir.glob("*.json")):
        if path.stem not in {scope.book for scope in found}:
            place = Place(f"ontology/{out_dir.name}/{path.name}", 1)
            problems.append(Problem(713, f"no book is called “{path.stem}”", place, "delete the file"))
    return problems


def check_own(book: str = "") -> list[Problem]:
    """The faults of the terms of the reader's own books, or of one, and E712 or E714 for each that is not built anew."""
    folder = resources.own()
    if folder is None:
        return []
    if problems := term_builder.stale(folder, str(folder), own=True):
        return problems
    for scope, path in sources_.own_scopes(folder):
        if book not in ("", scope.book):
            continue
        problems += [p for p in faults(scope) if p not in problems]
        if why := stale(scope, path):
            problems.append(Problem(712, f"stale: {why}", Place(str(path), 1), "run loophole build"))
    return problems


def hygiene(sources: Iterable[Source], queries: Path) -> list[Problem]:
    """E750 for each row that a query of a folder finds in the merged files: one query, one fault, any row a failure.

    A query's first lines say `#+ summary:` and `#+ severity:`; it selects ?term and may select ?detail.
    """
    sources = list(sources)
    store = pyoxigraph.Store()
    for source in sources:
        store.load(source.text.encode(), pyoxigraph.RdfFormat.TURTLE)
    problems = []
    for path in sorted(queries.glob("*.rq")):
        text = path.read_text(encoding="utf-8")
        summary = next((x.removeprefix("#+ summary:").strip() for x in text.splitlines() if "summary:" in x), path.stem)
        try:
            rows = _rows(store, text)
        except (SyntaxError, ValueError) as error:
            place = Place(f"queries/hygiene/{path.name}", 1)
            hint = "it must read SELECT ?term ?detail WHERE { … }"
            problems.append(Problem(751, f"the query does not run: {error}", place, hint))
            continue
        for term, detail in rows:
            nodes = [URIRef(name) for name in (term, detail) if "://" in name]
            told = [source.place(n) for n in nodes for source in sources if (n, None, None) in source.graph]
            place = told[0] if told else NOWHERE
            said = f" ({curie(detail) if '://' in detail else detail})" if detail else ""
            hint = f"see queries/hygiene/{path.name}"
            problems.append(Problem(750, f"{summary}: {curie(term)}{said}", place, hint))
    return problems


def untidy(own: Path | None = None) -> list[Problem]:
    """What hygiene finds in the terms shipped. own: a folder of the reader's own that is looked at with them."""
    mine = sources_.read(own, str(own)) if own else []
    return hygiene([*sources_.read(resources.path("ontology")), *mine], resources.path("queries") / "hygiene")


def _rows(store: pyoxigraph.Store, query: str) -> list[tuple[str, str]]:
    """(term, detail) of each row; the detail is "" where a query selects none."""
    found = store.query(query)
    names = {v.value for v in found.variables} if isinstance(found, pyoxigraph.QuerySolutions) else set()
    if "term" not in names or not isinstance(found, pyoxigraph.QuerySolutions):
        raise ValueError("it selects no ?term")
    return [(_text(row["term"]), _text(row["detail"]) if "detail" in names else "") for row in found]


def _text(value: object) -> str:
    return value.value if isinstance(value, pyoxigraph.NamedNode | pyoxigraph.Literal) else ""


def reformat(paths: Sequence[Path]) -> list[Path]:
    """Rewrite Turtle files in canonical style, keeping the comment lines at their head; returns those that changed.

    Raises LoopholeError (E701, E711) and writes none of them when one does not parse or cannot be nested.
    """
    texts = {path: (path.read_text(encoding="utf-8"), _canonical_text(path)) for path in paths}
    changed = [path for path, (old, new) in texts.items() if old != new]
    for path in changed:
        resources.write(path, texts[path][1])
    return changed


def _canonical_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    try:
        graph = Graph().parse(data=text, format="turtle")
        return canonical(graph, head_comments(text))
    except LoopholeError as error:
        raise LoopholeError([Problem(p.code, p.message, Place(path.name, 1), p.hint) for p in error.problems]) from None
    except Exception as error:  # rdflib's parsers raise many kinds
        raise LoopholeError(Problem(701, f"not Turtle: {error}", Place(path.name, 1), "mend the syntax")) from None


def _not_canonical(path: Path, folder: Path) -> Problem | None:
    text, name = path.read_text(encoding="utf-8"), f"ontology/{path.relative_to(folder).as_posix()}"
    try:
        wanted = _canonical_text(path)
    except LoopholeError as error:
        p = error.problems[0]
        return Problem(p.code, p.message, Place(name, 1), p.hint)
    if text == wanted:
        return None
    pairs = zip((*text.splitlines(), ""), (*wanted.splitlines(), ""), strict=False)
    number, (line, other) = next(((i, p) for i, p in enumerate(pairs, 1) if p[0] != p[1]), (1, ("", "")))
    hint = f"run python -m kb.ontology.build format {name}" + (
        f"; it would read: {other.strip()}" if other.strip() else ""
    )
    return Problem(710, "not in canonical style from here on", Place(name, number), hint, line)


def _files(folder: Path) -> list[Path]:
    """The Turtle that is written by hand."""
    found = (p for p in sorted(folder.rglob("*.ttl")) if term_tables.table_of(p) is None)
    return [p for p in found if not p.relative_to(folder).as_posix().startswith("inferred/")]


def _explained(problem: Problem, scope: Scope) -> Problem:
    """A reasoner's complaint with the place of the term it names."""
    for source in scope.sources:
        for node in sources_.terms(source.graph, scope.iris()):
            if problem.message.endswith(f" {curie(str(node))}"):
                hint = (
                    vocabulary_rows.clash(scope, str(node))
                    or problem.hint
                    or "an axiom about it asks for the impossible"
                )
                return Problem(problem.code, problem.message, source.place(node), hint)
    return Problem(problem.code, f"{scope.book}: {problem.message}", problem.place, problem.hint)


def _tree_hash(stamp: str, classes: dict[str, dict[str, Any]]) -> str:
    tree = {name: row.get("parents", []) for name, row in sorted(classes.items())}
    return hashlib.sha256(json.dumps([stamp, tree]).encode()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0 all well, 1 a check failed, 2 bad input."""
    parser = argparse.ArgumentParser(prog="python -m kb.ontology.build", description="Keep the ontology in order.")
    parser.add_argument("action", choices=("build", "check", "hygiene", "format"))
    parser.add_argument("files", nargs="*", type=Path, help="format only these files")
    parser.add_argument("--force", action="store_true", help="build even what is current")
    parser.add_argument("--quick", action="store_true", help="build with HermiT alone")
    told = parser.parse_args(arguments)
    folder = resources.path("ontology")
    try:
        if told.action == "build":
            for path in build(folder, folder / "inferred", force=told.force, both=not told.quick):
                print(f"wrote ontology/{path.relative_to(folder).as_posix()}")
            for path in build_own(force=told.force, both=not told.quick):
                print(f"wrote {path}")
        elif told.action == "format":
            for path in reformat(told.files or _files(folder)):
                print(f"rewrote {path.name}")
        else:
            problems = check(folder, folder / "inferred") if told.action == "check" else untidy(resources.own())
            if problems:
                print(*problems, sep="\n")
                return 1
    except LoopholeError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
