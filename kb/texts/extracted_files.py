"""The files that extraction tools write of an electronic rulebook: what each holds, read and checked value by value."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.errors import Place, Problem
from kb.texts import references
from kb.texts.extracted_model import Footnote, GlossaryEntry, Heading, Question, Remark, Target

RULE = re.compile(r"[A-Z]{1,4}\d*(?:\.\d+)*|\d+(?:\.\d+)*")
TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
BREAK = re.compile(r"<(?:br|p|li|/p|/li)\b[^<>]{0,100}>", re.I)


UNREAD = object()  # what a file that cannot be read holds; None is what "null" holds


class Reader:
    """Reads JSON values with their path, and gathers what is wrong with them."""

    def __init__(self, folder: Path, aliases: Mapping[str, str]):
        self.folder, self.aliases = folder, aliases
        self.problems: list[Problem] = []
        self.unplaced: dict[str, None] = {}
        self.file = ""

    def problem(self, where: str, message: str) -> None:
        """Adds a fault (E540) of the file being read. where: keys from the top."""
        hint = "extract the data again, or leave this file out of the folder"
        self.problems.append(Problem(540, f"{where or 'the file'}: {message}", Place(self.file, 1), hint))

    def load(self, path: Path) -> Any:
        """The content of a JSON file; None, with a fault, where it cannot be read."""
        self.file = str(path)
        try:
            return json.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as e:
            self.problem("", f"cannot be read: {e.strerror or e}")
        except (ValueError, RecursionError) as e:
            self.problem("", f"is not JSON: {e}")
        return UNREAD

    def rows(self, value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The mappings of a list, with their paths."""
        if not isinstance(value, list):
            self.problem(where, f"a list is expected, this is {kind(value)}")
            return
        for i, row in enumerate(value):
            if isinstance(row, dict):
                yield f"{where}[{i}]", row
            else:
                self.problem(f"{where}[{i}]", f"a mapping is expected, this is {kind(row)}")

    def items(self, value: Any, where: str) -> Iterator[tuple[str, str, Any]]:
        """(key, where, value) of a mapping; a fault where it is none."""
        if not isinstance(value, dict):
            self.problem(where, f"a mapping is expected, this is {kind(value)}")
            return
        for key, inner in value.items():
            yield f"{where}.{key}".lstrip("."), str(key), inner

    def text(self, row: Mapping[str, Any], key: str, where: str, needed: bool = False) -> str:
        """A text of a row; "" where it is not there, with a fault where it is needed or no text."""
        value = row.get(key)
        if value is None:
            if needed:
                self.problem(f"{where}.{key}".lstrip("."), "is missing")
            return ""
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            self.problem(f"{where}.{key}".lstrip("."), f"text is expected, this is {kind(value)}")
            return ""
        return plain(str(value))

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        """One text or a list of them."""
        if value is None:
            return ()
        if isinstance(value, str):
            return (plain(value),)
        if not isinstance(value, list) or not all(isinstance(v, (str, int)) for v in value):
            self.problem(where, f"a list of texts is expected, this is {kind(value)}")
            return ()
        return tuple(plain(str(v)) for v in value)

    def rules(self, value: Any, where: str) -> tuple[str, ...]:
        """Rule ids, in this project's form; both ends of a range are written out: K9.21-K9.23."""
        out: dict[str, None] = {}
        for text in self.texts(value, where):
            for rule in self.rule_ids(text):
                out.setdefault(rule)
        return tuple(out)

    def rule_ids(self, text: str) -> list[str]:
        """The rules that a text such as `B30.1-.3` names: its ends."""
        text = text.strip().replace("–", "-")
        first, dash, last = text.partition("-")
        ends = [first] if not dash or not RULE.fullmatch(first) else [first, whole(first, last)]
        out = []
        for end in ends:
            end = end.strip().rstrip(".")
            if not RULE.fullmatch(end):
                self.unplaced.setdefault(text)
            for alias, name in self.aliases.items():
                if end == alias or end.startswith(alias + "."):
                    end = name + end[len(alias) :]
            out.append(end)
        return ["-".join(out)] if len(out) == 2 else out

    def one_rule(self, text: str) -> str:
        """The first rule that a text names; "" for none."""
        return self.rule_ids(text)[0] if text.strip() else ""


def whole(first: str, last: str) -> str:
    """The end of a range with its chapter: ".212" after A7.211 is A7.212."""
    letters = re.match(r"[A-Z]*", first)
    return (
        last
        if RULE.fullmatch(last) and last[:1].isalpha()
        else (letters.group() if letters else "")
        + references.completed(first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), last.strip())
    )


def plain(text: str) -> str:
    """Text without its HTML: breaks become line ends, tags go, character references are read."""
    text = TAG.sub("", BREAK.sub("\n", text)) if "<" in text else text
    lines = (" ".join(line.split()) for line in html.unescape(text).split("\n"))
    return "\n".join(line for line in lines if line)


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    names = {
        dict: "a mapping",
        list: "a list",
        str: "text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        type(None): "nothing",
    }
    return names.get(type(value), type(value).__name__)


def glossary(r: Reader, value: Any) -> list[GlossaryEntry]:
    """The entries of an index (*.index)."""
    out = []
    for where, row in r.rows(value, ""):
        pointers = tuple(
            (r.text(p, "caption", at), r.rules(p.get("ruleids"), f"{at}.ruleids"))
            for at, p in (r.rows(row["rulerefs"], f"{where}.rulerefs") if row.get("rulerefs") is not None else ())
        )
        rules = r.rules(row.get("ruleids"), f"{where}.ruleids")
        see = r.texts(row.get("see_also"), f"{where}.see_also")
        out.append(
            GlossaryEntry(
                r.text(row, "title", where, True),
                r.text(row, "subtitle", where),
                r.text(row, "content", where),
                rules,
                pointers,
                see,
            )
        )
    return out


def targets(r: Reader, value: Any) -> list[Target]:
    """Where rules stand in the book (*.targets)."""
    out = []
    for where, rule, row in r.items(value, ""):
        if not isinstance(row, dict):
            r.problem(where, f"a mapping is expected, this is {kind(row)}")
            continue
        out.append(Target(r.one_rule(rule), r.text(row, "caption", where), r.text(row, "page_no", where)))
    return out


def chapters(r: Reader, value: Any) -> list[Heading]:
    """The headings of a book (*.chapters)."""
    out = []
    for where, row in r.rows(value, ""):
        found = r.rows(row.get("sections") or [], f"{where}.sections")
        sections = tuple((r.text(s, "caption", at), r.one_rule(r.text(s, "ruleid", at))) for at, s in found)
        out.append(
            Heading(
                r.text(row, "title", where, True),
                r.text(row, "chapter_id", where),
                r.text(row, "page_no", where),
                sections,
            )
        )
    return out


def footnotes(r: Reader, value: Any) -> list[Footnote]:
    """Footnotes by chapter and number (*.footnotes)."""
    out = []
    for where, chapter, notes in r.items(value, ""):
        for at, number, row in r.items(notes, where):
            if not isinstance(row, dict):
                r.problem(at, f"a mapping is expected, this is {kind(row)}")
                continue
            captions = row.get("captions")
            if isinstance(captions, list):
                captions = [" ".join(map(str, c.values())) if isinstance(c, dict) else c for c in captions]
            out.append(Footnote(chapter, number, r.texts(captions, f"{at}.captions"), r.text(row, "content", at, True)))
    return out


def questions(r: Reader, value: Any, sources: Mapping[str, str], fixups: Mapping[str, str]) -> list[Question]:
    """Questions and answers (q+a/*.json); sources: abbreviations to titles, fixups: misspellings to what is meant."""

    def fixed(text: str) -> str:
        for old, new in fixups.items():
            text = text.replace(old, new)
        return text

    out = []
    for where, group, entries in r.items(value, ""):
        for at, row in r.rows(entries, where):
            rules = r.rules(row.get("ruleids"), f"{at}.ruleids")
            for here, part in r.rows(row.get("content"), f"{at}.content"):
                answers = []
                given = part.get("answers")
                if given is not None and not isinstance(given, list):
                    r.problem(f"{here}.answers", f"a list is expected, this is {kind(given)}")
                    given = None
                for n, answer in enumerate(given or ()):
                    pair = [answer] if isinstance(answer, str) else answer
                    if not isinstance(pair, list) or not 1 <= len(pair) <= 3 or not isinstance(pair[0], str):
                        r.problem(f"{here}.answers[{n}]", "an answer is a list: its text and the key of its source")
                        continue
                    key = str(pair[1]) if len(pair) > 1 and pair[1] is not None else ""
                    answers.append((fixed(plain(pair[0])), sources.get(key, key)))
                caption = r.text(row, "caption", at)
                other = part.get("see_other")
                see = ", ".join(r.texts(other, f"{here}.see_other"))
                out.append(
                    Question(
                        group,
                        caption,
                        rules,
                        fixed(r.text(part, "question", here)),
                        tuple(answers),
                        see,
                        r.text(part, "image", here),
                    )
                )
    return out


def remarks(r: Reader, value: Any) -> list[Remark]:
    """Errata and annotations by rule."""
    return [
        Remark(
            r.one_rule(r.text(row, "ruleid", where, True)),
            r.text(row, "content", where, True),
            r.text(row, "source", where),
        )
        for where, row in r.rows(value, "")
    ]


def synonyms(r: Reader, value: Any) -> dict[str, tuple[str, ...]]:
    """Words by words to search for too; a list of lists is read as sets of words that all mean the same."""
    if isinstance(value, list):
        return {str(group[0]): tuple(map(str, group[1:])) for group in value if isinstance(group, list) and group}
    return {key: r.texts(words, where) for where, key, words in r.items(value, "")}


def pairs(r: Reader, value: Any) -> dict[str, str]:
    """A mapping of texts to texts."""
    return {key: r.text({"": inner}, "", where) for where, key, inner in r.items(value, "")}


def raw(r: Reader, value: Any, name: str) -> dict[str, Any]:
    """Data that are kept as they came: vehicle and ordnance notes, the sequence of play."""
    if not isinstance(value, (dict, list)):
        r.problem("", f"a mapping or a list is expected, this is {kind(value)}")
        return {}
    return {name: value}
