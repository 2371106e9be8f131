"""How well questions in English are read: the shares right, asked back and wrong.

    python bench/english.py [QUESTIONS.jsonl|QUESTIONS.yaml] [-v]

Without a file: the questions of tests/english, and the sample questions of ../shared where these are at hand. A question asked
back is one of which something is not understood, or a fact missing, or that is not ruled here; a wrong one has another answer than it should.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from kb import asking, registry
from kb.answers import headline, proof_json
from kb.english import reading
from kb.errors import LoopholeError
from kb.language import english
from kb.language.vocabulary import fold
from kb.numbers import number

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "tests" / "english" / "questions.yaml"
SAMPLES = ROOT.parent / "shared" / "gold" / "dev.jsonl"
OPEN = ("undetermined", "outside", "conflict")


def rows(file: Path) -> list[dict[str, Any]]:
    """The questions of a file: book, text, answer."""
    if file.suffix == ".yaml":
        return [dict(row) for row in yaml.safe_load(file.read_text(encoding="utf-8"))]
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["system"] != "cross":
            text = " ".join([row["question"], *(f"{fact.rstrip('.')}." for fact in row["facts"])])
            found.append({"book": row["system"], "text": text, "answer": row["answer"], "id": row["id"]})
    return found


def named(wanted: Any, book: str, candidates: list[str]) -> set[str]:
    """The candidates that a list of answers speaks of, by the words of the book: Infantry (Other) is a Target Type."""
    classes = registry.vocabulary(book).classes
    plain = [re.sub(r" *\(.*", "", str(one)) for one in (wanted if isinstance(wanted, list) else [wanted])]
    names = [fold(english.singular(name)) for one in plain for name in one.split(" or ")]
    found = [
        [
            c
            for c in candidates
            if c in classes and any(fold(w).startswith(name) for w in (classes[c].label, *classes[c].alt))
        ]
        for name in names
    ]
    things = [[c for c in candidates if c not in classes and fold(english.singular(c)) == name] for name in names]
    if all(things):
        return {c for some in things for c in some}
    exact = [
        [c for c in some if name in (fold(classes[c].label), fold(c))] or some
        for name, some in zip(names, found, strict=True)
    ]
    return {c for some in exact for c in some} if all(found) else {str(wanted)}


def judged(row: dict[str, Any]) -> tuple[str, str]:
    """right, asked or wrong; and what came of it."""
    read = reading.read(row["text"], row["book"])
    if read.unread:
        first = read.unread[0]
        return "asked", f"not understood: {first.text!r} {first.question}"
    try:
        proof = asking.ask(read.data)
    except LoopholeError as e:
        return "asked", str(e.problems[0])
    given = proof_json.to_json(proof, flips=False)
    said = given["answer"]
    if proof.verdict in OPEN or said is None:
        return ("right" if row["answer"] == "undetermined" else "asked"), f"{proof.verdict}: {headline.claim(proof)}"
    wanted = row["answer"]
    claim = headline.claim(proof)
    if given["which"]:
        chosen = {one["candidate"] for one in given["which"] if one["chosen"]}
        everybody = [one["candidate"] for one in given["which"]]
        names = set() if wanted == "none" else named(wanted, row["book"], everybody)
        open_ = {one["candidate"] for one in given["which"] if one["proof"]["verdict"] in OPEN}
        if chosen != names and chosen <= names <= chosen | open_:
            return "asked", f"open for {', '.join(sorted(open_))}: {claim}"
        return ("right" if chosen == names else "wrong"), f"{said}: {claim}"
    if isinstance(wanted, bool):
        wanted = "yes" if wanted else "no"
    if isinstance(wanted, list):
        wanted = ", ".join(map(str, wanted))
    if proof.verdict in ("effects", "no effect"):
        told = fold(claim)
        said_so, _, not_so = (fold(part) for part in wanted.partition(", not "))
        same = (said_so in told and not (not_so and not_so in told)) or (
            proof.verdict == "no effect" and wanted in ("none", "no effect", "nothing")
        )
    elif proof.value is not None:
        same = number(str(wanted).removesuffix("FP").removesuffix("+")) == proof.value
    else:
        same = str(said) == str(wanted)
    return ("right" if same else "wrong"), f"{said}: {claim}"


def main() -> None:
    """Prints the shares for each file."""
    given = [Path(a) for a in sys.argv[1:] if not a.startswith("-")]
    for file in given or [f for f in (OURS, SAMPLES) if f.exists()]:
        tally: Counter[str] = Counter()
        for row in rows(file):
            verdict, why = judged(row)
            tally[verdict] += 1
            if "-v" in sys.argv or (verdict == "wrong"):
                print(
                    f"{verdict:6} {row.get('id', row['book'])} {row['text']}\n         {why}  [wanted {row['answer']}]"
                )
        total = sum(tally.values())
        shares = ", ".join(f"{tally[k]} {k} ({tally[k] / total:.1%})" for k in ("right", "asked", "wrong"))
        print(f"{file.name}: of {total}, {shares}")


if __name__ == "__main__":
    main()
