"""Which norm speaks of fewer situations than another, and which of none: decided by a DL reasoner, built and shipped.

    python -m kb.ontology.subsumption build    decide and write kb/rulebooks/<book>/narrower.json (needs the reasoner's Java)
    python -m kb.ontology.subsumption check    are these current? (needs no Java)

Only norms that can compete are compared: of opposite heads on related acts, classes or the same quantity.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from kb import resources
from kb.errors import LoopholeError, Place, Problem
from kb.language import norms as m
from kb.language.vocabulary import Vocabulary
from kb.ontology import to_owl
from kb.rulebook import linker, reader


def norms_of(book_id: str) -> tuple[list[m.Norm], Vocabulary]:
    """A book's norms with every name resolved, and its vocabulary."""
    text = resources.inferred(book_id).read_text(encoding="utf-8")
    vocabulary = Vocabulary.from_json(text)
    book = linker.link(reader.book(resources.book(book_id)), vocabulary)
    return [n for ch in book.chapters for s in ch.sections for n in s.norms], vocabulary


def version(norms: list[m.Norm], vocabulary: Vocabulary) -> str:
    """SHA-256 over what the comparison depends on: the ontology and each norm's head, condition and exceptions."""
    digest = hashlib.sha256(vocabulary.version.encode())
    for n in norms:
        said = [n.id, str(n.head), str(n.when), *(str(u.condition) for u in n.unless)]
        digest.update(json.dumps(said, ensure_ascii=False).encode())
    return digest.hexdigest()


def compete(a: m.Head, b: m.Head, vocabulary: Vocabulary) -> bool:
    """Whether two heads can say opposite things of one focus."""
    classes = vocabulary.classes
    match a, b:
        case m.Deontic(one, act), m.Deontic(other, other_act):
            return other in m.CONTRARY[one] and (
                act in classes[other_act].ancestors or other_act in classes[act].ancestors
            )
        case m.CountsAs(_, target, negated), m.CountsAs(_, other, denied):
            return negated != denied and (target in classes[other].ancestors or other in classes[target].ancestors)
        case m.QuantityHead(m.SETS, quantity), m.QuantityHead(m.SETS, other):
            return quantity == other
    return False


def asks(norm: m.Norm) -> m.Condition:
    """The class of focuses that a norm applies to."""
    focus = m.subject_of(norm.head)
    return to_owl.situation(norm, focus) if focus else m.And((norm.when, *(m.Not(u.condition) for u in norm.unless)))


def decide(norms: list[m.Norm], vocabulary: Vocabulary) -> dict[str, object]:
    """What HermiT says: pairs of competing norms of which the first is the narrower, and norms that can never apply."""
    found = to_owl.compare([asks(n) for n in norms], vocabulary)
    pairs = {(i, j) for i, j in found.subsumed if (j, i) not in found.subsumed}
    narrower = sorted((norms[i].id, norms[j].id) for i, j in pairs if compete(norms[i].head, norms[j].head, vocabulary))
    return {"narrower": narrower, "never": sorted(norms[i].id for i in found.empty)}


def path_of(book_id: str) -> Path:
    """The file of a book's comparison."""
    return resources.book(book_id) / "narrower.json"


def build(book_id: str) -> Path | None:
    """Writes a book's file unless it is current; the path when written."""
    norms, vocabulary = norms_of(book_id)
    path, now = path_of(book_id), version(norms, vocabulary)
    if path.exists() and json.loads(path.read_text(encoding="utf-8"))["version"] == now:
        return None
    resources.write(path, json.dumps({"version": now, **decide(norms, vocabulary)}, indent=1) + "\n")
    return path


def check(book_id: str) -> Iterator[Problem]:
    """Problems with a book's file: missing, stale, or naming norms that can never apply."""
    norms, vocabulary = norms_of(book_id)
    path = path_of(book_id)
    do = "run python -m kb.ontology.subsumption build"
    if not path.exists():
        yield Problem(760, f"{path.name} is missing", hint=do)
        return
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["version"] != version(norms, vocabulary):
        yield Problem(761, f"{path.name} was built from other norms or terms", hint=do)
    by_id = {n.id: n for n in norms}
    for norm_id in data["never"]:
        place = by_id[norm_id].place if norm_id in by_id else Place(path.name, 1)
        yield Problem(
            762,
            f"{norm_id} can never apply: what it asks for contradicts the ontology",
            place,
            "mend its condition, or the terms that exclude each other",
        )


def main() -> int:
    """`build` writes what is stale, `check` tells it. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["build", "check"])
    do = parser.parse_args().do
    books = list(resources.books())
    problems: list[Problem] = []
    try:
        for book_id in books:
            if do == "build" and (written := build(book_id)):
                print(f"wrote {written.name}")
            problems += check(book_id)
    except LoopholeError as e:
        problems += e.problems
    print("\n".join(map(str, problems)), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
