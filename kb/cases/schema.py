"""The JSON Schema (2020-12) of the case format, and the pages of words that a case may use; both are generated.

python -m kb.cases.schema build     writes docs/case.schema.json, docs/vocabulary-<book>.md and the lists in docs/cases.md
python -m kb.cases.schema check     exit code 1 when one of them is not current
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kb import generated, resources
from kb.cases import glossary_page
from kb.cases.questions import ASKS
from kb.cases.reader import EXPECTS
from kb.language.vocabulary import Vocabulary

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NUMBER = r"^\s*[+\-−]?(\d+(\.\d+)?|\.\d+|\d*\s*[½¼¾⅓⅔]|(\d+\s+)?\d+/\d+)\s*$"
MEASURE = NUMBER.removesuffix(r"\s*$") + r"""(\s*["″”'′]|\s+[A-Za-z]+)?\s*$"""  # with its unit
VERDICTS = (
    "permitted", "forbidden", "required", "conflict", "silent", "outside", "undetermined", "yes", "no", "effects", "no effect",
    "not required", "which", "value", "none",
)  # fmt: skip
GRADES = ("settled", "settled if nothing else is so", "partly here", "outside", "a fact is missing", "conflict")
Json = dict[str, Any]


def case_schema(vocabularies: Mapping[str, Vocabulary]) -> Json:
    """The schema of a case. The words of each book are offered for completion; labels and abbreviations pass too."""
    names = {"type": "string", "minLength": 1}
    listed = {"anyOf": [names, {"type": "array", "items": names}]}
    amount = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": NUMBER}]}
    defs: Json = {
        "name": names,
        "names": listed,
        "told": {"description": "A thing of the case by its name, or described in place.", "anyOf": [names, {"$ref": "#/$defs/thing"}]},
        "number": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": MEASURE}]},
        "value": {
            "description": "A thing of the case, a class (an unnamed thing of that class), a thing in place, a number, "
            "true or false, or a list.",
            "anyOf": [
                {"type": ["string", "number", "boolean"]}, {"$ref": "#/$defs/thing"},
                {"type": "array", "items": {"anyOf": [names, {"$ref": "#/$defs/thing"}]}},
            ],
        },
        "thing": {
            "type": "object",
            "properties": {
                "is": {"$ref": "#/$defs/names", "description": "Its classes."},
                "not": {"$ref": "#/$defs/names", "description": "Classes that it is not."},
                "unknown": {"$ref": "#/$defs/names", "description": "Nothing is presumed of these."},
                "label": {"type": "string", "description": "What it is called in answers."},
            },
            "additionalProperties": {"$ref": "#/$defs/value"},
        },
        "question": question(names),
    }  # fmt: skip
    schema: Json = {
        "$schema": DIALECT,
        "$id": "https://w3id.org/loophole/case.schema.json",
        "title": "A Loophole case",
        "description": "A partial description of one situation, and a question about it. See docs/cases.md.",
        "type": "object",
        "required": ["book", "ask"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": ["string", "number"], "description": "What the case is called among those of its file."},
            "rule": {"type": ["string", "number"], "description": "The number of the rule that it is about."},
            "book": {"enum": sorted(vocabularies), "description": "The rulebook."},
            "edition": {"type": "string", "description": "The edition of the book; as encoded where it is not said."},
            "modules": {"$ref": "#/$defs/names", "description": "Modules in force besides those whose words are used."},
            "elsewhere": {"const": "nothing", "description": "Rules that are not loaded have nothing to say here."},
            "title": {"type": "string"},
            "notes": {"description": "For readers; not looked at."},
            "things": {
                "type": "object",
                "description": "What is known of each thing, by a name of your own.",
                "additionalProperties": {
                    "anyOf": [{"$ref": "#/$defs/thing"}, {"$ref": "#/$defs/names"}, {"type": "null"}]
                },
            },
            "nothing-else": {
                "type": "boolean",
                "description": "True: nothing else is so, and nothing else is there, than what is told.",
            },
            "history": {
                "description": "Acts that have happened, in order: by their names among the things, or described in place.",
                "anyOf": [{"$ref": "#/$defs/told"}, {"type": "array", "items": {"$ref": "#/$defs/told"}}],
            },
            "ask": {"$ref": "#/$defs/question"},
            "expect": expectations(listed, amount),
        },
        "allOf": [
            {
                "if": {"properties": {"book": {"const": book}}, "required": ["book"]},
                "then": {"properties": {"things": {"additionalProperties": {"$ref": f"#/$defs/{book}"}}}},
            }
            for book in sorted(vocabularies)
        ],
        "$defs": defs,
    }  # fmt: skip
    for book, vocabulary in sorted(vocabularies.items()):
        defs[book] = {"if": {"type": "object"}, "then": {"properties": words_of(vocabulary, f"#/$defs/{book}-class")}}
        defs[f"{book}-class"] = {
            "anyOf": [
                {"enum": sorted(n for n, t in vocabulary.classes.items() if glossary_page.CORE not in t.iri)},
                names,
            ]
        }
    return schema


def words_of(vocabulary: Vocabulary, classes: str) -> Json:
    """What each property of a book may hold."""
    one = {"$ref": classes}
    rows: Json = {key: {"anyOf": [one, {"type": "array", "items": one}]} for key in ("is", "not")}
    for name, term in sorted(vocabulary.properties.items()):
        if glossary_page.CORE in term.iri:
            continue
        about = {"description": term.definition or term.label}
        match term.kind:
            case "number":
                rows[name] = {"anyOf": [{"$ref": "#/$defs/number"}, {"type": "null"}], **about}
            case "flag":
                rows[name] = {"enum": [True, False, None, "yes", "no", "on", "off"], **about}
            case "object":
                rows[name] = {
                    "anyOf": [{"type": ["string", "null"]}, {"$ref": "#/$defs/thing"}, {"type": "array"}],
                    **about,
                }
    return rows


def question(names: Json) -> Json:
    """One kind of question each."""

    told: Json = {"$ref": "#/$defs/told"}

    def pair(first: Json, second: Json) -> Json:
        return {"type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2}

    simple: Json = {
        "may": {**told, "description": "An act: is it allowed?"},
        "may not": {**told, "description": "An act: is it forbidden?"},
        "must": {**told, "description": "An act: does it have to be done?"},
        "is": pair({**told, "description": "a thing"}, {**names, "description": "a class or a condition"}),
        "value": pair({**names, "description": "a quantity"}, {**told, "description": "a thing"}),
        "effects": {**told, "description": "An event: what does it bring about?"},
    }
    assert set(simple) | {"which"} == set(ASKS)
    one = [
        {"type": "object", "properties": {kind: shape}, "required": [kind], "additionalProperties": False}
        for kind, shape in simple.items()
    ]
    which = {
        "type": "object",
        "properties": {
            "which": {"anyOf": [names, {"type": "array", "items": names, "minItems": 1}]},
            "as": {**names, "description": "The place of the candidates: a property of the act, or a thing."},
            **simple,
        },
        "required": ["which"],
        "minProperties": 2,
        "maxProperties": 3,
        "additionalProperties": False,
    }
    return {"oneOf": [*one, which]}


def expectations(listed: Json, amount: Json) -> Json:
    """The schema of `expect`. listed: of names; amount: of a number."""
    pairs = {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}}
    number: Json = {"type": ["string", "number"]}
    rules: Json = {"anyOf": [number, {"type": "array", "items": number}]}
    rows: Json = {
        "verdict": {"anyOf": [{"enum": list(VERDICTS)}, {"type": "boolean"}, amount]},
        "answer": {"type": ["string", "number", "boolean"]},
        "value": {"anyOf": [amount, {"const": "none", "description": "Nothing loaded gives a number."}]},
        "effects": {**pairs, "description": "Exactly these [thing, class] pairs; []: none."},
        "which": {**listed, "description": "Exactly these."},
        "cites": {**rules, "description": "Rules that must be among those cited."},
        "uncited": {**rules, "description": "Rules that must not be among those cited."},
        "defeated": {**rules, "description": "Rules that must be among those that lost."},
        "missing": {**listed, "description": "Words, or names of terms, that must be asked for."},
        "grade": {"enum": list(GRADES)},
        "until": listed,
        "assumes": {**listed, "description": "Words that must stand among the assumptions; []: nothing is assumed."},
        "reading": {**listed, "description": "Words of other readings that would turn the answer; []: none would."},
    }
    assert set(rows) == set(EXPECTS)
    return {"type": "object", "properties": rows, "additionalProperties": False}


# ── files ──


def vocabularies() -> dict[str, Vocabulary]:
    """The vocabulary of each book that has one."""
    folder = resources.path("ontology") / "inferred"
    return {f.stem: Vocabulary.from_json(f.read_text(encoding="utf-8")) for f in sorted(folder.glob("*.json"))}


def files(docs: Path) -> dict[Path, str]:
    """Every generated file under docs/, with what should stand in it."""
    known = vocabularies()
    out = {docs / "case.schema.json": json.dumps(case_schema(known), ensure_ascii=False, indent=1) + "\n"}
    for book, vocabulary in known.items():
        out[docs / f"vocabulary-{book}.md"] = glossary_page.page(vocabulary)
    cases = docs / "cases.md"
    if cases.is_file():
        out[cases] = glossary_page.replaced(cases.read_text(encoding="utf-8"), known)
    return out


def stale(docs: Path) -> list[Path]:
    """The generated files that are missing or not current, and those of books that are gone."""
    return generated.stale(wanted(docs))


def wanted(docs: Path) -> dict[Path, str | None]:
    """Every generated file under docs/ with what should stand in it; None for a page of a book that is gone."""
    now = files(docs)
    return {**now, **{p: None for p in docs.glob("vocabulary-*.md") if p not in now}}


def build(docs: Path) -> list[Path]:
    """Writes the generated files that are not current, and returns them."""
    return generated.build(wanted(docs))


def main(arguments: Sequence[str] | None = None) -> int:
    """0 all current, 1 something is stale."""
    return generated.command("kb.cases.schema", lambda: wanted(resources.PACKAGE.parent / "docs"), arguments)


if __name__ == "__main__":
    sys.exit(main())
