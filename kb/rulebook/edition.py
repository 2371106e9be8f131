"""Which errata are in force under an edition or at a date, and the rulebook as it then reads.

    choose(ledger, edition, as_of, without, also) -> InForce
    apply(book, ledger, toggled) -> the book with these changes put in, or taken out of the text as encoded

Pure: a rulebook as read goes in, another comes out; linking and compiling follow as for the base. A rule keeps its
identity over renumbering: records and cases speak of it by its number in the base, `numbers` gives the other number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from kb.errors import Problem, QueryError, did_you_mean
from kb.language import norms as m
from kb.rulebook import records as e


def choose(
    ledger: e.Ledger, edition: str = "", as_of: str = "", without: Iterable[str] = (), also: Iterable[str] = ()
) -> e.InForce:
    """What is in force. edition: an id of the chain, the base when "". as_of: a date, which picks the latest edition
    known to be out by then and the errata known to be in force. without, also: records taken out, or put in, by hand.

    Raises QueryError for names that are not known, for both an edition and a date, and for records not in force.
    """
    if edition and as_of:
        raise QueryError(Problem(950, "an edition and a date are two ways to say the same", hint="give one of them"))
    taken, added = (tuple(known(ledger, name) for name in names) for names in (without, also))
    chosen = edition or (at_date(ledger, as_of) if as_of else ledger.base)
    if not chosen and not (taken or added):
        return e.InForce(ledger.book, "")  # the book has no records
    if ledger.index(chosen) < 0:
        ids = [row.id for row in ledger.editions]
        hint = did_you_mean(chosen, ids) or (
            f"editions, oldest first: {', '.join(ids)}" if ids else "it has none on record"
        )
        raise QueryError(Problem(951, f"{ledger.book} has no edition “{chosen}”", hint=hint))
    held = {r.id for r in ledger.records if ledger.holds(r, chosen)}
    undated: list[str] = []
    if as_of:
        for r in ledger.records:
            if r.status not in (e.ASSERTED, e.REVIEWED) or not r.changes:
                continue
            if r.effective != e.UNDETERMINED:
                (held.add if r.effective <= latest(as_of) else held.discard)(r.id)
            elif r.id not in held and ledger.index(r.first) > ledger.index(chosen) and not dated(ledger, r.first):
                undated.append(r.id)
    for name in taken:
        if name not in held:
            record = ledger.record(name)
            since = f"it is in force from edition {record.first} on" if record is not None else ""
            raise QueryError(Problem(953, f"{name} is not in force under edition {chosen}", hint=since))
    held = (held - set(taken)) | set(added)
    superseded = {old for r in ledger.records if r.id in held for old in r.supersedes}
    held -= superseded - set(added)
    errata = tuple(r.id for r in ledger.records if r.id in held and r.changes)
    toggled = tuple(r.id for r in ledger.records if r.changes and (r.id in held) != ledger.in_base(r))
    title = ledger.editions[ledger.index(chosen)].title
    return e.InForce(ledger.book, chosen, title, as_of, errata, taken, toggled, tuple(undated))


def known(ledger: e.Ledger, name: str) -> str:
    """The id of a record by its id, or by its rule where one record alone changes that. Raises QueryError."""
    if ledger.record(name) is not None:
        return name
    fits = [r.id for r in ledger.records if r.changes and (r.id.startswith(f"{name}-") or name in r.rules)]
    fits = fits or [r.id for r in ledger.records if r.kind != e.TRANSCRIPTION and r.id.startswith(f"{name}-")]
    if len(fits) == 1:
        return fits[0]
    ids = [r.id for r in ledger.records]
    hint = f"one of {', '.join(fits)}" if fits else did_you_mean(name, ids, "records:")
    raise QueryError(Problem(952, f"{ledger.book} has no erratum “{name}”", hint=hint))


def at_date(ledger: e.Ledger, date: str) -> str:
    """The latest edition known to be out at a date; the base where none is known to be older. Raises QueryError."""
    if not e.DATE.fullmatch(date):
        raise QueryError(Problem(954, f"“{date}” is no date", hint="write 2025, 2025-06 or 2025-06-01"))
    out = [row for row in ledger.editions if row.published != e.UNDETERMINED and row.published <= latest(date)]
    return out[-1].id if out else ledger.base


def latest(date: str) -> str:
    """The last day that a date may mean: 2025 is 2025-12-31."""
    return {4: f"{date}-12-31", 7: f"{date}-31"}.get(len(date), date)


def dated(ledger: e.Ledger, edition: str) -> bool:
    """Whether it is known when an edition came out."""
    at = ledger.index(edition)
    return at >= 0 and ledger.editions[at].published != e.UNDETERMINED


# ── the rulebook as it then reads ───────────────────────────────────────────────────────────────────────


def apply(book: m.Book, ledger: e.Ledger, toggled: Iterable[str]) -> m.Book:
    """The book with each record put in (or taken out, where the base holds it). Nothing is linked or checked here."""
    wanted = set(toggled)
    chosen = [r for r in ledger.records if r.id in wanted]
    for record in chosen:
        for change in changes(record, ledger.in_base(record)):
            book = changed(book, change)
    for record in chosen:
        book = with_references(book, record, backwards=ledger.in_base(record))
    numbers = renumbered(chosen, ledger)
    return with_numbers(book, numbers) if numbers else book


@dataclass(frozen=True, slots=True)
class Change:
    """What one record does to one rule. part: what the base lacks of it; sentences: where these go, in the base's
    numbers (-1: at the end); gone: norms of the base that go; standing: the authority of the norms, "" for the chapter's."""

    rule: str
    part: e.Part | None
    sentences: tuple[int, ...]
    gone: tuple[str, ...]
    standing: str = ""


def changes(record: e.Record, in_base: bool) -> list[Change]:
    """What putting a record into the base (or taking it out) does, rule by rule."""
    parts = {p.rule: p for p in record.side(e.BEFORE if in_base else e.AFTER)}
    gone = record.adds if in_base else record.removes
    written = {n.id for p in parts.values() for n in p.norms}
    rules = dict.fromkeys((*(a.rule for a in record.anchors), *parts, *(norm.split("/")[0] for norm in gone)))
    return [
        Change(
            rule,
            parts.get(rule),
            tuple(a.sentence for a in record.anchors if a.rule == rule and a.sentence),
            tuple(n for n in gone if n.split("/")[0] == rule and n not in written),
            record.standing,
        )
        for rule in rules
    ]


def changed(book: m.Book, change: Change) -> m.Book:
    """The book with one rule changed, or added where it has none of that number."""
    chapters = []
    found = any(s.rule == change.rule for ch in book.chapters for s in ch.sections)
    home = "" if found else chapter_of(book, change.rule)
    for chapter in book.chapters:
        sections = list(chapter.sections)
        if found:
            sections = [section_with(s, change, chapter) if s.rule == change.rule else s for s in sections]
        elif chapter.id == home and change.part is not None:
            empty = m.Section(change.rule, change.part.title, (), (), change.part.place)
            sections.append(section_with(empty, change, chapter))
        kept = tuple(s for s in sections if s.sentences or s.norms or not_emptied(s, book))
        chapters.append(replace(chapter, sections=kept))
    return replace(book, chapters=tuple(chapters))


def not_emptied(section: m.Section, book: m.Book) -> bool:
    """A heading without sentences stays; a rule whose every sentence a change took away goes."""
    return not any(s.rule == section.rule and s.sentences for ch in book.chapters for s in ch.sections)


def chapter_of(book: m.Book, rule: str) -> str:
    """The chapter that a new rule belongs to, by the beginning of its number; "" where none fits."""
    fits = [c.id for c in book.chapters if rule == c.id or rule.startswith(f"{c.id}.")]
    return max(fits, key=len) if fits else ""


def section_with(section: m.Section, change: Change, chapter: m.Chapter) -> m.Section:
    """A rule with its sentences replaced, its norms replaced by id, others added, and some struck.

    An empty part strikes the sentences that it is anchored at.
    """
    part, sentences = change.part, list(section.sentences)
    given = part.sentences if part is not None else ()
    norms = part.norms if part is not None else ()
    numbers: dict[int, int] = {}  # of the part's sentences, by their number in it
    for at, one in enumerate(given):
        number = change.sentences[at] if at < len(change.sentences) else -1
        if 0 < number <= len(sentences):
            sentences[number - 1] = replace(
                one, number=number, not_encoded=one.not_encoded or sentences[number - 1].not_encoded
            )
        else:
            number = len(sentences) + 1
            sentences.append(replace(one, number=number))
        numbers[one.number] = number
    if part is not None and not given and not norms:
        sentences = [s for s in sentences if s.number not in change.sentences]
    first = tuple(n for n in change.sentences[:1] if n > 0)
    new = {
        n.id: replace(
            n,
            sentences=tuple(numbers[i] for i in n.sentences if i in numbers) or first,
            book=chapter.book,
            authority=change.standing or chapter.authority,
        )
        for n in norms
    }
    kept = [new.pop(n.id, n) for n in section.norms if n.id not in change.gone]
    return replace(section, sentences=tuple(sentences), norms=(*kept, *new.values()))


# ── references and numbers ──────────────────────────────────────────────────────────────────────────────


def with_references(book: m.Book, record: e.Record, backwards: bool) -> m.Book:
    """The book with the references that a record corrects, in the rules that it names."""
    pairs = {new: old for old, new in record.references} if backwards else dict(record.references)
    return mapped(book, pairs, {a.rule for a in record.anchors}) if pairs else book


def renumbered(records: Iterable[e.Record], ledger: e.Ledger) -> dict[str, str]:
    """Base number to number, over the records put in or taken out."""
    out: dict[str, str] = {}
    for record in records:
        for old, new in record.renumber:
            one, other = (new, old) if ledger.in_base(record) else (old, new)
            base = next((b for b, now in out.items() if now == one), one)
            out[base] = other
    return out


def numbers(ledger: e.Ledger, toggled: Iterable[str]) -> dict[str, str]:
    """The numbers of an edition by the base's, where they differ."""
    wanted = set(toggled)
    return renumbered([r for r in ledger.records if r.id in wanted], ledger)


def with_numbers(book: m.Book, numbers: Mapping[str, str]) -> m.Book:
    """The book with rules renumbered: headings, norm ids, and every reference to them."""
    book = mapped(book, numbers, None)
    return replace(
        book,
        chapters=tuple(
            replace(
                ch,
                sections=tuple(
                    replace(
                        s,
                        rule=numbers.get(s.rule, s.rule),
                        norms=tuple(
                            replace(
                                n,
                                id=moved(n.id, numbers),
                                part_of=moved(n.part_of, numbers),
                                rule=numbers.get(n.rule, n.rule),
                            )
                            for n in s.norms
                        ),
                    )
                    for s in ch.sections
                ),
                tables=tuple(replace(t, rule=numbers.get(t.rule, t.rule)) for t in ch.tables),
            )
            for ch in book.chapters
        ),
    )


def moved(name: str, numbers: Mapping[str, str]) -> str:
    """A rule number or norm id under other numbers."""
    rule, slash, label = name.partition("/")
    return numbers.get(rule, rule) + slash + label


def mapped(book: m.Book, numbers: Mapping[str, str], rules: set[str] | None) -> m.Book:
    """The book with references changed: in some rules, or in all."""

    def norm(n: m.Norm) -> m.Norm:
        if rules is not None and n.rule not in rules:
            return n
        over, lifts, cites, needs = (
            tuple(moved(x, numbers) for x in names) for names in (n.over, n.lifts, n.cites, n.needs)
        )
        unless = tuple(replace(u, cites=tuple(moved(x, numbers) for x in u.cites)) for u in n.unless)
        return replace(n, unless=unless, over=over, lifts=lifts, cites=cites, needs=needs)

    return replace(
        book,
        chapters=tuple(
            replace(ch, sections=tuple(replace(s, norms=tuple(map(norm, s.norms))) for s in ch.sections))
            for ch in book.chapters
        ),
    )


def touched(ledger: e.Ledger, toggled: Iterable[str]) -> frozenset[str]:
    """Every norm id of the base that a change takes away or words anew, and every id it brings."""
    out: set[str] = set()
    for record in ledger.records:
        if record.id in set(toggled):
            out |= {*record.adds, *record.removes, *(n.id for p in record.parts for n in p.norms)}
    return frozenset(out)
