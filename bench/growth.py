"""What a larger rulebook costs: python bench/growth.py [--sizes 500 5000 50000]

The rulebook grows by renamed copies of the chapters of `asl`: in each copy the norms, their rules and every term of the game's own have
names of their own, and what all games share (a unit, a move, a place) stays what it is. So a larger book is of the shape of a real
one: most of it speaks of other things than the question, and some of it of the same. The question is that of README, asked of the
chapters as they are. Each size is measured in a process of its own:

    load      terms closed, norms indexed, and the shapes compared by which one norm is narrower than another
    first     the first answer, with what it rests on; nothing is remembered of the theory yet
    warm      the same, median of some with other facts each time, once each has been asked
    memory    the most that the process held, less the same before anything was loaded

Not measured: reading and linking Markdown, for the copies are made of what is linked already.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kb import asking, registry, resources
from kb.language.vocabulary import Vocabulary
from kb.reasoner import reason
from kb.rulebook import compiler

BOOK, SIZES, LIMIT = "asl", (500, 5_000, 50_000), 300
MOST = 4 << 30  # bytes that a process may hold; one that needs more is told as that
FLAT = 1.5  # how many times the warm answer of the smallest the largest may take


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same value with other names in it, whole or as words of a text that says how a term is worked out."""
    if isinstance(value, str):
        return names.get(value) or (" ".join(names.get(w, w) for w in value.split(" ")) if " " in value else value)
    if isinstance(value, tuple | list | frozenset):
        return type(value)(renamed(v, names) for v in value)
    if isinstance(value, dict):
        return {renamed(k, names): renamed(v, names) for k, v in value.items()}
    if isinstance(value, Struct):
        return structs.replace(
            value, **{name: renamed(getattr(value, name), names) for name in value.__struct_fields__}
        )
    return value


def grown(size: int) -> tuple[Any, str, tuple[str, ...], int]:
    """A linked book of about so many norms, its terms as a file has them, the chapters to load, and how many copies it has."""
    book = registry.book(BOOK)
    norms = {c.id: sum(len(s.norms) for s in c.sections) for c in book.chapters}
    whole = sum(norms.values())
    data = json.loads(resources.inferred(BOOK).read_text(encoding="utf-8"))
    if size < whole:  # some of the chapters, as they are
        chapters = max(
            (("B30",), ("B30", "BRT6"), ("B30", "A7")), key=lambda some: -abs(sum(norms[c] for c in some) - size)
        )
        return book, json.dumps(data), chapters, 0
    own = [n for kind in ("classes", "properties") for n, t in data[kind].items() if f"/{BOOK}#" in t["iri"]]
    rules = [x for c in book.chapters for s in c.sections for x in (s.rule, *(n.id for n in s.norms))]
    made, chapters = {kind: dict(data[kind]) for kind in ("classes", "properties")}, list(book.chapters)
    copies = round(size / whole) - 1
    for n in range(1, copies + 1):
        names = {name: f"{name}_{n}" for name in (*own, *rules, *(c.id for c in book.chapters))}
        terms = {name: names[name] for name in own}
        for kind, rows in made.items():
            for name in own:
                if name in data[kind]:
                    row = renamed({**data[kind][name], "iri": "", "definition": ""}, terms)
                    rows[terms[name]] = {**row, "label": f"{data[kind][name]['label']} {n}", "alt": []}
        chapters += [renamed(chapter, names) for chapter in book.chapters]
    told = json.dumps({**data, **made})
    return structs.replace(book, chapters=tuple(chapters)), told, (), copies


def held() -> float:
    """The most memory that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(size: int) -> dict[str, Any]:
    """The figures of one size."""
    question = asking.case(Path(__file__).resolve().parent.parent / "examples" / "pillbox.yaml")
    cases = [question]
    for word in ("Broken", "Pinned", "Berserk", "Unarmed", "Hidden", "Wounded", "Dug-In", "CX"):
        try:
            things = {**asking.writer.mapping(question)["things"]}
            things["foe"] = {**things["foe"], "not": [word]}
            cases.append(asking.case({**asking.writer.mapping(question), "things": things}))
        except asking.LoopholeError:
            continue  # no such word in this book
    before = held()
    book, text, chapters, copies = grown(size)
    making = held()
    started = time.process_time()
    terms = Vocabulary.from_json(text)
    closed = time.process_time()
    theory = compiler.theory(book, terms, chapters)
    loaded = time.process_time()

    read = {
        "norms": len(theory.norms), "terms": len(terms.classes) + len(terms.properties), "copies": copies,
        "terms_s": closed - started, "norms_s": loaded - closed, "memory_mb": held() - before, "making_mb": making - before,
    }  # fmt: skip

    def ask(case: Any) -> float:
        begun = time.process_time()
        found = reason.answer(theory, case)
        assert found.verdict == "forbidden" and "B30.42" in found.cites, (found.verdict, found.cites)
        return time.process_time() - begun

    try:
        first = ask(question)
        for case in cases:
            ask(case)
        warm = [ask(case) for case in cases]
    except asking.LoopholeError as error:  # it is read, and too large to be asked
        return {**read, "stopped": str(error).splitlines()[0]}
    return {**read, "first_ms": first * 1e3, "warm_ms": statistics.median(warm) * 1e3, "memory_mb": held() - before}


def in_a_process(size: int, limit: int) -> dict[str, Any]:
    """The figures of one size, from a process of its own; why there are none."""
    command = [sys.executable, __file__, "--one", str(size)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"failed": f"not done in {limit} s"}
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return {"failed": why[0]}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds for each size")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
        print(json.dumps(measured(options.one)))
        return 0
    print(
        "| norms | terms | terms read, s | norms indexed, s | first answer, ms | warm, ms | memory, MB |\n|---|---|---|---|---|---|---|"
    )
    rows = []
    for size in options.sizes:
        row = in_a_process(size, options.limit)
        if "failed" in row:
            print(f"| {size:,} wanted | – | {row['failed']} | | | | |", flush=True)
            continue
        first, warm = row.get("stopped", ""), ""
        if "stopped" not in row:
            rows.append(row)
            first, warm = f"{row['first_ms']:.1f}", f"{row['warm_ms']:.2f}"
        print(
            f"| {row['norms']:,} | {row['terms']:,} | {row['terms_s']:.2f} | {row['norms_s']:.2f} | {first} | {warm} | {row['memory_mb']:.0f} |",
            flush=True,
        )
    if len(rows) < 2:
        return 1
    times = rows[-1]["warm_ms"] / rows[0]["warm_ms"]
    print(f"\nA warm answer of the largest takes {times:.1f} times that of the smallest; wanted: {FLAT}")
    return 0 if times <= FLAT and len(rows) == len(options.sizes) else 1


if __name__ == "__main__":
    sys.exit(main())
