"""What the tools of `loophole mcp` say: short plain text for a model to read. Each runs in a worker and takes and gives plain values."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from api import jobs
from kb import asking, registry, resources
from kb.answers import explain
from kb.answers.parts import QUOTE, RULE, Part
from kb.errors import CaseError, Problem, QueryError, did_you_mean
from kb.search import lookup, wording

WIDE = 10_000  # characters of a line: a model needs no lines broken for it
DEEP, LOST, FLIPS, UNDER, ASSUMED, LISTED = 3, 3, 5, 6, 8, 12  # how much of an answer is told in short
LONGEST = 12_000  # characters of any result
CLAUSE = 200  # characters of a norm's clause that is told in full
NAMED = re.compile(r"  [a-z]+ +(?:\w+ (?:by|of|as|to) \w+ )*")
WORD = re.compile(r"[A-Za-z]\w+")
GRAMMAR = frozenset(re.findall(r"\w+", "and as by except inverse max min not only or same some sum that this to value"))
PAGES = {
    "guide": "how to state a case: read it first",
    "asl": "Advanced Squad Leader: you mean … you write …",
    "vv": "Valor & Victory: the same",
    "fow": "Flames of War: the same",
    "cases": "all about cases",
    "rulebook": "writing a rulebook of one's own",
    "rules": "the language in which rules are written",
}
CASE = re.compile(r"""^\s*\{|^["']?(book|things|ask)["']?\s*:""", re.M)  # what no question in English has
FILES = {"cases": "cases.md", "rulebook": "new-rulebook.md", "rules": "rule-language.md"}


def guide(page: str) -> str:
    """A page of the documentation. Raises QueryError (E615) for a page there is none of."""
    if page == "guide":
        return resources.read_text(resources.PACKAGE.parent / "api" / "mcp_guide.md", 615)
    if page not in PAGES:
        hint = did_you_mean(page, PAGES, "pages:")
        raise QueryError(Problem(615, f"there is no page “{page}”", hint=hint))
    return resources.read_text(resources.path("docs") / FILES.get(page, f"{page}-modelling.md"), 615)


# ── finding ──


def words(text: str, book: str) -> str:
    """The words of a book for each phrase: how it is put in a case, and the terms."""
    out: list[str] = []
    told: set[str] = set()
    for found in wording.find(text, book):
        out.append(f"## {found.phrase}")
        rows = {f"you mean {n.text}" if n.write else n.text: "" for n in found.notes}
        rows |= {wording.line(t): t.name for t in found.terms}
        out += [f"- {row}" for row in rows if row not in told]
        if above := [name for row, name in rows.items() if row in told]:
            out.append(f"- above: {', '.join(filter(None, above)) or 'how it is put'}")
        told.update(rows)
        if not rows:
            out.append("- nothing; say it in other words, or look at the rule")
    return cut("\n".join(out))


def rule(number: str, book: str, whole: bool = False) -> str:
    """A rule: our words, its norms in the rule language (whose words a case uses), references, errata. whole: a long clause too, of
    which else only the words that it reads are told."""
    from kb.errata import checks

    found = lookup.rule(number, jobs.which_books(book), registry.theory)
    said = lookup.text(found, asking.quotes(found.theory), WIDE)
    known = checks.for_rule(checks.ledger(found.theory.book), found.section.rule)
    said += "".join(f"\n{r.kind} {r.id}: {r.title} ({r.status})" for r in known)
    return cut(said if whole else "\n".join(brief(said)))


def brief(rule: str) -> Iterator[str]:
    """The lines of a rule: norms that read the same together, and of a long clause the words that it reads and no line above it does."""
    told: set[str] = set()
    for block in together(rule.split("\n\n")):
        for line in ["", *block]:
            clause = NAMED.match(line)
            read = dict.fromkeys(w for w in WORD.findall(line[clause.end() :]) if w not in GRAMMAR) if clause else {}
            new = ", ".join(word for word in read if word not in told) or "words above"
            yield f"{clause[0]}… reads {new} (whole: true)" if clause and len(line) > CLAUSE else line
            told.update(read)


def together(blocks: Iterable[str]) -> Iterable[list[str]]:
    """The lines of each block, of norms with one and the same condition those of one block: their names, what each says, the condition."""
    found: dict[tuple[str, ...], list[str]] = {}
    for block in blocks:
        name, *said = block.split("\n")
        alike = tuple(said[1:]) if "/" in name and said[1:] else (block,)
        if alike in found:
            first = found[alike]
            first[0] += f", {name}"
            first.insert(len(first) - len(alike), said[0])
        else:
            found[alike] = [name, *said]
    return found.values()


def search(query: str, book: str, kind: str) -> str:
    """Rules, errata, rulings and terms that words find."""
    from kb.search import ranking

    found = ranking.search(query, book, kind, LISTED)
    rows = [
        f"- {h.number} {h.title if h.title != h.number else ''} ({h.book}, {h.kind}): {h.snippet}" for h in found.hits
    ]
    return cut("\n".join([*rows, f"{len(found.hits)} of {found.total}"]))


# ── cases ──


def stated(text: str) -> str:
    """A case, read and held against the rules: as understood, what was not used, what is missing."""
    proof = asking.ask(asking.case(text))
    outline = explain.outline(proof, flips=False, situation=True)
    shown = [s for s in outline.parts if s.text in ("TOLD", "UNDERSTOOD", "NOT USED", "MISSING")]
    asked = f"the case reads; asked: {proof.question.kind} {about(proof)}"
    notes = [] if any(s.text == "NOT USED" for s in shown) else ["", "NOT USED: nothing, every fact is read"]
    return cut("\n".join([asked, *sections(shown), *notes]))


def about(proof: Any) -> str:
    """What the question is about."""
    return str(getattr(proof.question, "thing", "") or getattr(proof.question, "about", ""))


def answer(text: str, whole: bool, options: jobs.Options, book: str = "") -> str:
    """The answer to a case, or to a question in English: how that was understood, then the verdict and why, in short or whole.
    Raises CaseError (E463) for what was not understood of it."""
    if not CASE.search(text):
        read = asking.in_english(text, book)
        if read.unread:
            raise CaseError(read.problems())
        return cut(f"UNDERSTOOD AS\n{read.yaml}\n\n{answer(read.yaml, whole, options)}")
    proof = jobs.asked(text, options)
    if whole:
        return cut(explain.text(proof, asking.quotes(proof.theory), width=WIDE))
    outline = explain.outline(proof, situation=False)
    return cut("\n".join([outline.text, *sections(short(outline.parts))]))


def short(parts: Iterable[Part]) -> Iterator[Part]:
    """The sections of an answer, each cut down to what a reader wants first."""
    most = {"LOST": LOST, "WOULD FLIP IT": FLIPS, "ASSUMED": ASSUMED}
    deep = {"BECAUSE": DEEP, "WHAT IT TURNS ON": DEEP, "HOW IT IS MADE UP": 2, "WOULD FLIP IT": 2, "MISSING": 2}
    for s in parts:
        if s.text.startswith("EDITION") or s.text == "EXCEPTIONS TRIED":
            continue
        if s.text == "WOULD FLIP IT":
            s = replace(s, parts=tuple(map(sayable, s.parts)))
        yield trimmed(s, deep.get(s.text, 1), most.get(s.text, LISTED))


def sayable(changes: Part) -> Part:
    """The changes that turn an answer alike, without those of so many conditions that nobody would say them."""
    told = tuple(p for p in changes.parts if len(p.text) <= explain.LONG)
    left = len(changes.parts) - len(told)
    return replace(changes, parts=(*told, Part(f"… {left} longer (whole: true)")) if left else told)


def trimmed(part: Part, deep: int, most: int) -> Part:
    """A part without what stands too deep or too far down; but what the rules made so is told down to the rule."""
    kept = [trimmed(p, deep - 1, UNDER) for p in part.parts[:most]] if deep else []
    if not deep:
        kept = [trimmed(p, 0, UNDER) for p in part.parts[:UNDER] if p.kind in (RULE, QUOTE) or ruled(p)]
    more = (Part(f"… {len(part.parts) - most} more (whole: true)"),) if deep and len(part.parts) > most else ()
    return Part(part.text, (*kept, *more), part.kind)


def ruled(part: Part) -> bool:
    """Whether a rule stands under it."""
    return any(p.kind == RULE or ruled(p) for p in part.parts)


def sections(parts: Iterable[Part]) -> Iterator[str]:
    """Sections as lines, a blank line before each."""
    for section in parts:
        yield ""
        yield from explain.lines(section, 0, WIDE)


def interview(act: str, book: str, asks: str, answers: tuple[str, ...]) -> str:
    """The next question that matters, or the answer and the case that was built."""
    try:
        talk = jobs.talked(act, book, asks, answers[: jobs.MOST_ANSWERS])
    except CaseError as e:
        raise CaseError(replace(p, hint=acts(act, book) or p.hint) if p.code == 450 else p for p in e.problems) from e
    question = talk.next()
    so_far = "".join(f"so far: {asked} {said}\n" for asked, said in talk.asked)
    if question is None:
        said = "\n".join([explain.headline(talk.proof), *sections(short(explain.outline(talk.proof).parts))])
        return cut(f"{so_far}{said}\n\nTHE CASE\n{talk.text()}")
    such = f"\nsuch as: {', '.join(question.options)}" if question.options else ""
    return (
        f"{so_far}{question.text}\nwhy: {question.why}{such}\n"
        f"(answer by calling again with answers: the {len(answers)} so far and this one: "
        "yes, no, unknown, a kind, a number, a name, or back)"
    )


def acts(said: str, book: str) -> str:
    """What to do about an act of an unknown kind: the kinds that its words find."""
    found = [t.name for row in wording.find(said, book) for t in row.terms if wording.use(t) == "act"]
    return f"acts that it may be: {', '.join(found)}" if found else ""


def tested(text: str) -> str:
    """What each of some cases misses of what it expects."""
    import json

    found = json.loads(jobs.test(text))
    rows = [f"{found['passed']} passed, {found['failed']} failed"]
    for n, row in enumerate(found["results"], 1):
        if not row["passed"]:
            rows += [f"case {n}: {'; '.join(map(str, row['mismatches']))}", f"  given: {row['answer']['sentence']}"]
    return cut("\n".join(rows))


# ── across games, errata ──


def compared(question: str) -> str:
    """One question put to every game, a line for each answer; without a question, those that have names."""
    from kb.compare import compare, comparison, page, question as wanted

    if not question:
        return cut("\n".join(f"{c.name}: {c.question}" for c in comparison.named().values()))
    found = compare.answer(wanted.find(question, comparison.named()))
    rows = [f"- {g.title}, {g.what}: {g.answer} ({g.rules or 'no rule'}) {g.because}" for g in page.grouped(found)]
    return cut("\n".join([found.comparison.question, *rows, *page.notes(found, WIDE)]))


def impact(name: str) -> str:
    """What an erratum or ruling turns; without a name, those on record. Raises QueryError (E956)."""
    from kb.research import errata_page, impact as impacts

    if not name:
        return cut("\n".join(f"{r.id} ({r.book}, {r.kind}, {r.status}): {r.title}" for r in errata_page.found("")))
    if not any(r.id == name for r in errata_page.found(name)):
        raise jobs.unknown_erratum(name)
    return cut(impacts.text(impacts.of_record(impacts.book_of(name), name), WIDE, LOST))


def cut(said: str) -> str:
    """A result that is not too long for a model."""
    said = textwrap.dedent(said).strip()
    return said if len(said) <= LONGEST else said[:LONGEST] + "\n… (cut: ask for less)"
