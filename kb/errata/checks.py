"""The records of errata and rulings that are shipped with the rulebooks, and whether they hold.

    records()            every record of every book, as kb.rulebook.records.Record
    ledger(book)         one book's editions and records
    check(ledger, ...)   each fault of the records, held against the rulebook and the hashes of its sentences

A record with a fault changes nothing: kb.registry applies only what passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from kb import resources
from kb.errata import reader
from kb.errors import Problem, RulebookError, did_you_mean
from kb.language import norms as m
from kb.language.rule_number import sort_key
from kb.language.vocabulary import Vocabulary
from kb.rulebook import edition, linker, records as e
from kb.rulebook.chapter_reader import encoded_labels
from kb.rulebook.records import AUTHORITIES as AUTHORITIES, OFFICIAL as OFFICIAL, UNOFFICIAL as UNOFFICIAL

if TYPE_CHECKING:
    from kb.coverage.hashes import AlignedSection

    Hashes = Mapping[str, AlignedSection]
CYCLE = 942


def path_of(book_id: str, own: Path | None = None) -> Path:
    """The file of a book's records. own: as in kb.resources.books."""
    return resources.book(book_id, own) / "errata" / "records.md"


@lru_cache
def ledger(book_id: str, own: Path | None = None) -> e.Ledger:
    """A book's editions and records as read; an empty one where it has no file. Raises RulebookError."""
    path = path_of(book_id, own)
    return reader.file(path) if path.is_file() else e.Ledger(book_id, "", "", ())


def records(book_id: str = "") -> tuple[e.Record, ...]:
    """Every record of a book, or of all books, in the order of the files. Raises RulebookError."""
    names = [book_id] if book_id else list(resources.books())
    return tuple(r for name in names for r in ledger(name).records)


def hashes(book: m.Book) -> Hashes:
    """What is kept of the book's own sentences, by rule. Raises TextError for a damaged file."""
    from kb.coverage.hashes import beside, load

    files = [beside(Path(ch.file)) for ch in book.chapters]
    return {rule: s for file in files if file.is_file() for rule, s in load(file).sections.items()}


def check(found: e.Ledger, book: m.Book, terms: Vocabulary, kept: Hashes) -> list[Problem]:
    """Every fault of a ledger: records that fit nothing, contradict each other, or do not read in the rulebook."""
    out: list[Problem] = []
    for record in found.records:
        out += faults(found, record, book, terms, kept)
    out += between(found)
    return sorted(out, key=lambda p: (p.place.file, p.place.line))


def faults(found: e.Ledger, record: e.Record, book: m.Book, terms: Vocabulary, kept: Hashes) -> list[Problem]:
    """The faults of one record by itself."""
    out = [*anchored(found, record, book, kept), *fits(found, record, book), *renumbers(record, book)]
    if out or not record.changes:
        return out
    try:
        changed = edition.apply(book, found, [record.id])
        linker.link(changed, terms)
    except RulebookError as error:
        return [*out, *error.problems]
    before = {s.rule: s for s in book_sections(book)}
    for s in book_sections(changed):
        if s != before.get(s.rule):
            out += round_trip(record, s)
    return out


def book_sections(book: m.Book) -> Iterator[m.Section]:
    """Every section of a book, in order."""
    for ch in book.chapters:
        yield from ch.sections


# ── one record ──


def anchored(found: e.Ledger, record: e.Record, book: m.Book, kept: Hashes) -> Iterator[Problem]:
    """Anchors that name no rule or sentence, and hashes that are not those of its words."""
    sections = {s.rule: s for s in book_sections(book)}
    held = found.in_base(record)
    added = {p.rule for p in record.parts if record.operation == "add rule"}
    for a in record.anchors:
        section = sections.get(a.rule)
        if section is None:
            if a.rule not in added:
                hint = did_you_mean(a.rule, sections) or "a rule by its number in the base edition"
                yield Problem(930, f"{record.id} is anchored at {a.rule}, which is no rule of {book.id}", a.place, hint)
            continue
        if a.sentence > len(section.sentences):
            n = len(section.sentences)
            yield Problem(
                931, f"{a.rule} has {n} sentence{'s' if n != 1 else ''}, not {a.sentence}", a.place, f"1 to {n}, or new"
            )
            continue
        said = a.new if held else a.old
        known = kept.get(a.rule)
        if not said or known is None:
            continue
        mine = [known.known[at].hash for at in known.pairs.get(a.sentence, range(len(known.known)))]
        if said in mine:
            continue
        elsewhere = [
            (rule, s.number_of(at)) for rule, s in kept.items() for at, k in enumerate(s.known) if k.hash == said
        ]
        where = (
            f"it is that of {elsewhere[0][0]}, sentence {elsewhere[0][1]}"
            if elsewhere
            else "no sentence of the base has it"
        )
        word = "new" if held else "old"
        message = f"the {word} hash {said[:12]}… is not that of {a.rule}" + (
            f", sentence {a.sentence}" if a.sentence > 0 else ""
        )
        yield Problem(932, message, a.place, f"{where}; there stands {', '.join(h[:12] + '…' for h in mine) or 'none'}")
    named = {a.rule for a in record.anchors}
    for part in record.parts:
        if part.rule not in named and part.rule not in added:
            hint = did_you_mean(part.rule, named, "anchors:")
            yield Problem(933, f"{record.id} changes {part.rule} and is not anchored there", part.place, hint)


def fits(found: e.Ledger, record: e.Record, book: m.Book) -> Iterator[Problem]:
    """Norms that are not where the record says they are; a side that the base holds itself; changes of nothing."""
    norms = {n.id: n for s in book_sections(book) for n in s.norms}
    held = found.in_base(record)
    other = e.BEFORE if held else e.AFTER
    for part in record.parts:
        if part.side != other:
            hint = f"write out ### {other} {part.rule} instead; the rulebook is the other side"
            yield Problem(934, f"the base {found.base} is itself the {part.side} side of {record.id}", part.place, hint)
    written = {n.id: n for p in record.side(other) for n in p.norms}
    for name in record.adds if held else record.removes:
        if name not in norms:
            hint = did_you_mean(name, norms) or "name norms of the rulebook as encoded"
            yield Problem(935, f"{record.id} names the norm {name}, which {book.id} has not", record.place, hint)
    for name in record.removes if held else record.adds:
        if name not in written:
            hint = did_you_mean(name, written, "written out:")
            yield Problem(935, f"{record.id} names the norm {name} and does not write it out", record.place, hint)
    listed = {*record.adds, *record.removes}
    for name, norm in written.items():
        base = norms.get(name)
        if base is None and name not in listed:
            key = "removes" if held else "adds"
            yield Problem(936, f"{name} is new and not among “{key}”", norm.place, f"{key}: [{name}]")
        elif base is not None and same(base, norm):
            yield Problem(
                937, f"{name} is as the rulebook has it: nothing changes", norm.place, "leave it out, or word it anew"
            )
    if (
        record.operation != "none"
        and not record.changes
        and record.kind not in e.RULINGS
        and record.kind != e.TRANSCRIPTION
        and record.scope != "spelling"
    ):
        hint = f"write ### {other} RULE with the words and norms, or operation: none"
        yield Problem(938, f"{record.id} says “{record.operation}”, and changes nothing", record.place, hint)


def same(a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms say the same, wherever they stand."""
    keys = ("head", "when", "over", "cites", "needs", "reading", "until")
    exceptions = [[(u.label, u.condition, u.cites) for u in n.unless] for n in (a, b)]
    return all(getattr(a, k) == getattr(b, k) for k in keys) and exceptions[0] == exceptions[1]


def renumbers(record: e.Record, book: m.Book) -> Iterator[Problem]:
    """Numbers that are not there to be changed, or are taken."""
    rules = {s.rule for s in book_sections(book)}
    leaving = {n for pair in record.renumber for n in pair} & rules if len(record.renumber) > 1 else set()
    for old, new in record.renumber:
        if old not in rules and new not in rules:
            yield Problem(
                939,
                f"{record.id} renumbers {old}, which is no rule of {book.id}",
                record.place,
                did_you_mean(old, rules) or "name a rule by its number",
            )
        if old in rules and new in rules and not {old, new} <= leaving:
            yield Problem(
                939, f"{record.id} renumbers {old} to {new}, which is taken", record.place, "renumber that one too"
            )


def round_trip(record: e.Record, section: m.Section) -> Iterator[Problem]:
    """Each labelled bracket of a changed rule is encoded exactly once, and each labelled exception has its bracket."""
    encoded = encoded_labels(section.norms, section.definitions)
    written = {x.label: s for s in section.sentences for x in s.exceptions}
    for label, s in written.items():
        if encoded[label] != 1 and not s.not_encoded:
            message = f"{record.id} leaves exception “{label}” of {section.rule} encoded {encoded[label]} times"
            yield Problem(940, message, record.place, "each bracket is encoded once on either side of a change")
    for label in encoded:
        if label and label not in written:
            message = f"{record.id} leaves exception “{label}” of {section.rule} in no sentence"
            yield Problem(940, message, record.place, "write the sentence with its bracket [EXC label: …]")


# ── records beside each other ──


def between(found: e.Ledger) -> Iterator[Problem]:
    """Records that name records which are not there, supersede in a circle, or hold at once and cannot."""
    by_id = {r.id: r for r in found.records}
    for record in found.records:
        for key in ("supersedes", "conflicts"):
            for name in getattr(record, key):
                if name not in by_id:
                    hint = did_you_mean(name, by_id, "records:")
                    yield Problem(941, f"{record.id}: no record is called “{name}”", record.place, hint)
    told: set[str] = set()
    for record in found.records:
        circle = circle_of(record.id, by_id)
        if circle and not told & set(circle):
            told |= set(circle)
            said = " supersedes ".join((*circle, circle[0]))
            yield Problem(
                CYCLE, f"a cycle of supersession: {said}", record.place, "the later one supersedes the earlier"
            )
    for a, b in combinations(found.records, 2):
        if b.id in a.supersedes or a.id in b.supersedes:
            continue
        both = [row.id for row in found.editions if found.holds(a, row.id) and found.holds(b, row.id)]
        if not both:
            continue
        if (shared := sorted(places(a) & places(b))) and a.changes and b.changes:
            message = f"{a.id} and {b.id} both change {shared[0]}, and both are in force in {', '.join(both)}"
            hint = f"end the range of {a.id} before {b.first}, or say that one supersedes the other"
            yield Problem(943, message, b.place, hint, other=a.place)
        elif b.id in a.conflicts or a.id in b.conflicts:
            message = f"{a.id} and {b.id} conflict, and both are in force in {', '.join(both)}"
            yield Problem(944, message, b.place, "mark one as disputed or withdrawn, or supersede it", other=a.place)


def places(record: e.Record) -> set[str]:
    """Which sentences and norms a record changes."""
    out = {
        f"{a.rule}, sentence {a.sentence}"
        for a in record.anchors
        if a.sentence > 0 and any(p.sentences for p in record.parts if p.rule == a.rule)
    }
    return out | {n.id for p in record.parts for n in p.norms} | set(record.adds) | set(record.removes)


def circle_of(start: str, by_id: Mapping[str, e.Record]) -> list[str]:
    """A chain of supersession that comes back to where it began; [] when there is none."""
    stack: list[tuple[str, tuple[str, ...]]] = [(start, (start,))]
    seen: set[str] = set()
    while stack:
        now, path = stack.pop()
        for name in by_id[now].supersedes if now in by_id else ():
            if name == start:
                return list(path)
            if name not in seen:
                seen.add(name)
                stack.append((name, (*path, name)))
    return []


# ── from a rule to its records ──


def for_rule(found: e.Ledger, rule: str) -> list[e.Record]:
    """The records that speak of a rule, by its number in the base or in any edition."""
    base = identity(found, rule)
    return [r for r in found.records if base in r.rules or rule in r.rules]


def identity(found: e.Ledger, rule: str) -> str:
    """The base number of a rule that some edition numbers so; the number itself where nothing renumbered it."""
    for record in found.records:
        pairs = [(new, old) for old, new in record.renumber] if found.in_base(record) else list(record.renumber)
        for base, other in pairs:
            if rule == other:
                return base
    return rule


def within(rule: str, chapter: str, rules: Iterable[str]) -> bool:
    """Whether a number lies between the first and the last that are encoded of its chapter: then it should be there."""
    keys = sorted(sort_key(r) for r in rules if r.startswith(f"{chapter}."))
    return bool(keys) and keys[0] <= sort_key(rule) <= keys[-1]


def stale(found: e.Ledger, book: m.Book) -> Iterator[Problem]:
    """Citations of numbers that no rule of their chapter has: renumbered, struck, or mistyped."""
    rules = {s.rule for s in book_sections(book)}
    norms = {n.id for s in book_sections(book) for n in s.norms}
    chapters = [ch.id for ch in book.chapters]
    cited = [
        (name, n.id, n.place)
        for s in book_sections(book)
        for n in s.norms
        for name in (*n.cites, *n.needs, *n.over, *(c for u in n.unless for c in u.cites))
    ]
    cited += [
        (a.rule, r.id, a.place) for r in found.records for a in r.anchors if r.operation not in ("add rule", "renumber")
    ]
    moved = {old: new for r in found.records if found.in_base(r) for old, new in r.renumber}
    for name, by, place in cited:
        rule = name.split("/")[0]
        home = [c for c in chapters if rule.startswith(f"{c}.")]
        if rule in moved:
            yield Problem(
                945, f"{by} cites {rule}, which is {moved[rule]} in edition {found.base}", place, f"cite {moved[rule]}"
            )
        elif home and rule not in rules and not any(r.startswith(rule) for r in rules) and within(rule, home[0], rules):
            hint = did_you_mean(rule, rules) or "cite a rule that is there"
            yield Problem(945, f"{by} cites {rule}, and {home[0]} has no such rule", place, hint)
        elif "/" in name and rule in rules and name not in norms:
            yield Problem(
                945,
                f"{by} cites the norm {name}, which is not there",
                place,
                did_you_mean(name, norms) or "see loophole rule for norms",
            )
