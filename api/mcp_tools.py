"""The tools of `loophole mcp`: what each is called, takes and does. Their description is handed to a model whole, so it is short."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from api import mcp_authoring, mcp_jobs
from kb.errors import LoopholeError, Problem, QueryError, did_you_mean

TEXT, FLAG, LIST, MAP = "string", "boolean", "array", "object"
PLAIN: dict[str, type] = {TEXT: str, FLAG: bool, LIST: list, MAP: dict}
LONGEST, MOST = 60_000, 200  # characters of an argument; texts of a list
ELSEWHERE = re.compile(
    r"loophole ([a-z]+)(?: --\w+)?|docs/([\w-]+)\.md|--([a-z]+)"
)  # what a hint names that no tool is
AS_TOOL = {"terms": "find_words", "coverage": "search", "errata": "impact", "build": "check"}


@dataclass(frozen=True, slots=True)
class Argument:
    """What a tool takes. kind: TEXT, FLAG, LIST or MAP (both of texts); about: what it is, for a model."""

    kind: str
    about: str = ""
    needed: bool = False

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        found: dict[str, Any] = {"type": self.kind}
        if self.about:
            found["description"] = self.about
        if self.kind == LIST:
            found["items"] = {"type": TEXT}
        if self.kind == MAP:
            found["additionalProperties"] = {"type": TEXT}
        return found


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. call: makes a job and its arguments of what was given; seconds: what it may take, the server's usual
    limit when 0; writes: whether it writes files of the reader's own; turning: whether it looks for what would turn an answer."""

    name: str
    about: str
    takes: Mapping[str, Argument]
    call: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    seconds: float = 0.0
    writes: bool = False
    turning: bool = False

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        found: dict[str, Any] = {
            "type": "object",
            "properties": {name: argument.schema() for name, argument in self.takes.items()},
        }
        if needed := [name for name, argument in self.takes.items() if argument.needed]:
            found["required"] = needed
        return found

    def given(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, those left out as nothing. Raises QueryError (E616) with every fault."""
        problems = []
        hint = f"{self.name} takes {', '.join(self.takes)}"
        for name, value in told.items():
            argument = self.takes.get(name)
            if argument is None:
                near = did_you_mean(name, self.takes) or hint
                problems.append(Problem(616, f"{self.name} takes no “{name}”", hint=near))
            elif value is not None and not fits(argument.kind, value):
                problems.append(
                    Problem(616, f"“{name}” is to be of the type {argument.kind}", hint=argument.about or hint)
                )
        for name, argument in self.takes.items():
            if argument.needed and told.get(name) in (None, ""):
                problems.append(Problem(616, f"{self.name} needs “{name}”", hint=argument.about or hint))
        if problems:
            raise QueryError(problems)
        return {
            name: told[name] if told.get(name) is not None else PLAIN[argument.kind]()
            for name, argument in self.takes.items()
        }


def fits(kind: str, value: Any) -> bool:
    """Whether a value is of a kind, and not too long."""
    if not isinstance(value, PLAIN[kind]):
        return False
    if isinstance(value, bool):
        return True
    texts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return len(texts) <= MOST and all(isinstance(t, str) and len(t) <= LONGEST for t in texts)


# ── the tools ──

BOOK = Argument(TEXT, "asl, vv, fow or your own")
NEEDED = Argument(TEXT, BOOK.about, True)
CASE = Argument(TEXT, "the case as YAML or JSON", True)

TOOLS = (
    Tool(
        "guide",
        "Start here: how a case is stated. page guide (default); asl, vv, fow: how to put things in that game; cases: the whole format; rulebook, rules: for authors.",
        {"page": Argument(TEXT)},
        lambda a: (mcp_jobs.guide, a["page"] or "guide"),
    ),
    Tool(
        "find_words",
        "The words that a case may use for what a player says, and how to write it. Give every notion of the question at once, parted by commas: things, act, states, numbers, what is asked.",
        {"words": Argument(TEXT, "going in, enemy outside, tunnel, TEM", True), "book": NEEDED},
        lambda a: (mcp_jobs.words, a["words"], a["book"]),
    ),
    Tool(
        "search",
        "Find rules, errata, rulings and terms by words or number. To see which rule decides, before rule.",
        {"query": Argument(TEXT, "", True), "book": BOOK, "kind": Argument(TEXT, "rule, term, erratum or ruling")},
        lambda a: (mcp_jobs.search, a["query"], a["book"], a["kind"]),
    ),
    Tool(
        "rule",
        "A rule in our words with its norms. What a norm reads under when, unless and its head are the words to state in a case.",
        {
            "number": Argument(TEXT, "B30.42", True),
            "book": BOOK,
            "whole": Argument(FLAG, "long clauses too"),
        },
        lambda a: (mcp_jobs.rule, a["number"], a["book"], a["whole"]),
    ),
    Tool(
        "state_case",
        "Check a case before asking: as it was understood, which facts no rule of the question reads (NOT USED: say them otherwise), what is MISSING.",
        {"case": CASE},
        lambda a: (mcp_jobs.stated, a["case"]),
    ),
    Tool(
        "ask",
        "Answer a case: the verdict, by which rules, what lost, what was assumed, what would turn it. NOT RULED HERE: the loaded rules do not decide it. Never make up a verdict that this does not give.",
        {
            "case": Argument(TEXT, "the case as YAML or JSON; or, with book, a question in English", True),
            "book": Argument(TEXT, "only with English"),
            "whole": Argument(FLAG, "the whole proof"),
            "reading": Argument(TEXT, "another reading of an ambiguous rule, DISPUTE:OPTION"),
        },
        lambda a: (mcp_jobs.answer, a["case"], a["whole"], readings(a["reading"]), a["book"]),
        turning=True,
    ),
    Tool(
        "interview",
        "Build a case by being asked only what matters: call with the act, then again with all answers so far, until it answers.",
        {
            "act": Argument(TEXT, "a kind of act: Move, fire from inside", True),
            "book": NEEDED,
            "answers": Argument(LIST, "yes, no, unknown, a kind, a number, back"),
            "asks": Argument(TEXT, "may (if left out), must, effects, a number (TEM), a kind"),
            "must": Argument(FLAG, "must it, not may it"),
        },
        lambda a: (
            mcp_jobs.interview,
            a["act"],
            a["book"],
            "must" if a["must"] else a["asks"] or "may",
            tuple(a["answers"]),
        ),
        seconds=20,
    ),
    Tool(
        "compare",
        "One question put to every game, side by side. Without a question: those that can be asked.",
        {"question": Argument(TEXT, "words, or the name of a listed one")},
        lambda a: (mcp_jobs.compared, a["question"]),
        seconds=20,
    ),
    Tool(
        "impact",
        "Which answers an erratum or ruling turns. Without a name: those on record.",
        {"erratum": Argument(TEXT)},
        lambda a: (mcp_jobs.impact, a["erratum"]),
        seconds=60,
    ),
    Tool(
        "test",
        "Ask cases that say what they expect (expect: {verdict, cites}), in YAML parted by ---; tells the misses.",
        {"cases": Argument(TEXT, "", True)},
        lambda a: (mcp_jobs.tested, a["cases"]),
        seconds=60,
    ),
    Tool(
        "new_book",
        "Authors: begin a rulebook of your own, or write its files (read guide page rulebook first).",
        {
            "book": Argument(TEXT, "its id: small letters and digits", True),
            "title": Argument(TEXT),
            "files": Argument(MAP, "path (1.md, terms/x.md, policy.yaml) to its text"),
            "replace": Argument(FLAG, "replace files that say something else"),
        },
        lambda a: (mcp_authoring.write, a["book"], a["title"], a["files"], a["replace"]),
        writes=True,
    ),
    Tool(
        "check",
        "Authors: build the terms of a book of your own and check it; faults with number, place and what to do.",
        {"book": NEEDED},
        lambda a: (mcp_authoring.check, a["book"]),
        seconds=120,
        writes=True,
    ),
)


def readings(said: str) -> tuple[tuple[str, Any], ...]:
    """A reading as options of a job. Raises QueryError (E680)."""
    from api.answers import options_of

    return options_of([said] if said else None, None, "", "", None)


def find(name: str) -> Tool:
    """The tool of a name. Raises QueryError (E617) with the nearest."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    hint = did_you_mean(name, [t.name for t in TOOLS], "tools:")
    raise QueryError(Problem(617, f"there is no tool “{name}”", hint=hint))


def mendable(wrong: LoopholeError) -> str:
    """What is wrong, for a model: what to do is told by tools and their arguments, for it has no terminal and no docs."""
    n = len(wrong.problems)
    told = [str(replace(p, hint=ELSEWHERE.sub(in_tools, p.hint))) for p in wrong.problems]
    return "\n".join([*told, "", f"{n} problem{'s' if n != 1 else ''}: mend and call again"])


def in_tools(named: re.Match[str]) -> str:
    """The tool for a command of the terminal, the page of the guide for one of docs/, the argument for an option; else as it is."""
    command, page, option = named.groups()
    if command:
        tool = AS_TOOL.get(command, command)
        return tool if any(t.name == tool for t in TOOLS) else named[0]
    if page:
        pages = {file: f"tool guide, page {name}" for name, file in mcp_jobs.FILES.items()} | {"cases.md": "tool guide"}
        return pages.get(f"{page}.md", named[0])
    return str(option)
