"""Reads a rule text: characters in; sections, sentences, exceptions, references and leftovers out.

Every character of the input is in a sentence, in a heading, or in a leftover with a name; `unaccounted` proves it.
The text is the reader's own copy. Nothing of it is kept by this module.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from kb.texts import blocks as styles, cleaning, exception_clauses, references, sentences
from kb.texts.decode import Progress, Source
from kb.texts.layout import HEADING, Block
from kb.texts.model import BRACKET, Finding, Leftover, Section, Sentence, Span, Text, sentence_hash

# Words, but not the halves of one that is broken at a line's end.
WORD = re.compile(r"[A-Za-z]+-[ \t]*\r?[\n\f]\s*[a-z]*|(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*)")
WORDY = re.compile(r"[^\W_]")
EXAMPLE = re.compile(r"(?:EX|Ex|Example|EXAMPLE)S?\s?:")
ENDS = (".", "!", "?", ":", '."', ".”", ".)", ".]", "?)", "]")
REPORT_EVERY = 200  # blocks


def prefix_of(chapter: str) -> str:
    """The letters that begin the rule numbers of a chapter: B of B30, none of 20."""
    m = re.match(r"[A-Za-z]+", chapter)
    return m.group().upper() if m else ""


def read(
    source: Source, book: str, chapter: str, aliases: tuple[str, ...] = (), progress: Progress | None = None
) -> Text:
    """Reads one text. `chapter` ("B30", "B", "20", "") says which letters its rule numbers begin with.

    Never raises for odd text: what is not understood is a leftover or a finding.
    """
    sections: list[Section] = []
    found = scan(source, chapter, sections.append, aliases, progress)
    sections = references.resolve(sections, references.Loaded.of(sections))
    claims = Claims()
    for section in sections:
        claims.add(section)
    leftovers = sorted([*found.leftovers, *claims.gaps(source.text, found.leftovers)], key=lambda x: x.start)
    prefix = prefix_of(chapter)
    return Text(book, chapter, prefix, len(source.text), tuple(sections), tuple(leftovers), found.findings)


@dataclass(frozen=True, slots=True)
class Scan:
    """What is known of a text once its sections have gone by; `leftovers` without the gaps between them."""

    leftovers: tuple[Leftover, ...]
    findings: tuple[Finding, ...]


def scan(
    source: Source,
    chapter: str,
    sink: Callable[[Section], None],
    aliases: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Scan:
    """Reads a text and hands each section to `sink` as it ends, so that none need be kept; references unresolved."""
    text = source.text
    letters = tuple(prefix_of(a) for a in aliases)
    blocks = styles.read(text, prefix_of(chapter), letters)
    reader = TextReader(source, prefix_of(chapter), set(letters), sink)
    for n, block in enumerate(blocks.blocks):
        reader.block(block)
        if progress and n % REPORT_EVERY == 0:
            progress("characters", block.spans[0][0], len(text))
    reader.finish()
    findings = sorted([*source.findings, *blocks.findings, *reader.findings], key=lambda f: f.start)
    if progress:
        progress("characters", len(text), len(text))
    return Scan((*blocks.leftovers, *reader.leftovers), tuple(findings))


class Claims:
    """The stretches of the input that sections hold; kept as bare numbers, for there are many."""

    def __init__(self) -> None:
        self.starts, self.ends = array("q"), array("q")

    def add(self, section: Section) -> None:
        """Notes which of the text a section takes."""
        for spans in (section.heading, *(s.spans for s in section.sentences)):
            self.starts.extend(a for a, _ in spans)
            self.ends.extend(b for _, b in spans)

    def spans(self, leftovers: Iterable[Leftover]) -> list[Span]:
        """These and the leftovers', in order."""
        return sorted([*zip(self.starts, self.ends, strict=True), *((x.start, x.end) for x in leftovers)])

    def gaps(self, text: str, leftovers: Iterable[Leftover]) -> Iterator[Leftover]:
        """What nothing claimed: spaces, and the marks that stand between blocks."""
        at = 0
        for start, end in [*self.spans(leftovers), (len(text), len(text))]:
            if start > at:
                yield Leftover("mark" if text[at:start].strip() else "space", at, start)
            at = max(at, end)


def unaccounted(text: Text) -> list[tuple[str, int, int]]:
    """Stretches of the input that nothing holds ("lost") or two things hold ("twice"); [] when all is accounted for."""
    out = []
    at = 0
    claims = Claims()
    for section in text.sections:
        claims.add(section)
    for start, end in claims.spans(text.leftovers):
        if start > at:
            out.append(("lost", at, start))
        elif start < at:
            out.append(("twice", start, at))
        at = max(at, end)
    if at != text.length:
        out.append(("lost", at, text.length))
    return out


TITLED = re.compile(r"[A-Z][\w'’-]*(?:,? (?:&|[\w'’-]+)){0,5}")


def is_title(line: str) -> bool:
    """Whether a paragraph of one short line is a heading: no full stop, and a capital on each word but small ones."""
    if not TITLED.fullmatch(line):
        return False
    return all(word[0].isupper() for word in line.split() if len(word) > 3)


class TextReader:
    """Gathers blocks into sections. `words` are all words of the text, to mend broken ones by."""

    def __init__(self, source: Source, prefix: str, aliases: set[str], sink: Callable[[Section], None]):
        self.source, self.prefix, self.aliases, self.sink = source, prefix, aliases, sink
        self.words = {m["word"].casefold() for m in WORD.finditer(source.text) if m["word"]}
        self.leftovers: list[Leftover] = []
        self.findings: list[Finding] = []
        self.last: Sentence | None = None
        self.now: list[Sentence] = []
        self.head: Section | None = None
        self.example = False
        self.named = ""
        self.named_page = ""
        self.bullets: dict[str, int] = {}
        self.ids: set[str] = set()
        self.trail: list[str] = []
        self.levels: list[tuple[int, str]] = []

    def block(self, block: Block) -> None:
        """Takes a block of the text."""
        if block.kind == HEADING:
            self.heading(block)
        else:
            self.paragraph(block)

    def heading(self, block: Block) -> None:
        """Takes a heading: a section begins, or a title that its rules stand under."""
        page = block.page or self.source.page(block.spans[0][0])
        self.findings += [
            Finding("footnote mark", block.spans[0][0], note, f"on the title {block.title}") for note in block.notes
        ]
        if block.named:
            rule = run_together(block.title)
            self.named, self.named_page = rule, page
            if rule in self.bullets:
                self.findings.append(Finding("heading again", block.spans[0][0], block.title, "its bullets count on"))
            self.bullets.setdefault(rule, 0)
            while self.levels and self.levels[-1][0] >= block.level:
                self.levels.pop()
            parent = self.levels[-1][1] if self.levels else ""
            self.levels.append((block.level, rule))
            self.open(Section(rule, "", block.title, parent, page, tuple(block.spans), (), block.notes))
            return
        self.named = ""
        number = block.number
        letters = prefix_of(number)
        if letters in self.aliases:
            number, letters = number[len(letters) :], ""
        rule = number if letters else self.prefix + number
        if rule in self.ids:
            self.findings.append(Finding("number again", block.spans[0][0], number, "this number heads two sections"))
        self.ids.add(rule)
        self.open(Section(rule, number, block.title, self.parent(rule), page, tuple(block.spans), (), block.notes))

    def parent(self, rule: str) -> str:
        """The section a number stands in: the longest earlier number that begins it and is no sibling of it."""
        while self.trail:
            top = self.trail[-1]
            dotted = "." in top[len(self.prefix) :]
            if rule.startswith(top) and rule != top and (dotted or rule.startswith(top + ".")):
                break
            if counts_on(top, rule):
                self.trail.pop()
                break
            self.trail.pop()
        parent = self.trail[-1] if self.trail else ""
        self.trail.append(rule)
        return parent

    def open(self, section: Section) -> None:
        """Begins a section; the one before it ends."""
        self.close()
        self.head, self.now, self.example = section, [], False

    def close(self) -> None:
        """Ends the section that is open and hands it on."""
        if self.head is not None:
            self.sink(replace(self.head, sentences=tuple(self.now)))
        elif self.now:
            first = self.now[0]
            if first.text[0].islower():
                note = "the text begins in mid-sentence"
                self.findings.append(Finding("lost beginning", first.spans[0][0], first.text[:40], note))
            self.sink(Section("", "", "", "", first.page, (), tuple(self.now)))
        self.last = self.now[-1] if self.now else self.last
        self.now = []

    def finish(self) -> None:
        """Ends the last section; tells of a text that ends in mid-sentence."""
        self.close()
        if self.last and not self.last.text.endswith(ENDS):
            note = "the text ends in mid-sentence"
            self.findings.append(Finding("lost end", self.last.spans[-1][0], self.last.text[-40:], note))

    def paragraph(self, block: Block) -> None:
        """Takes a paragraph, sentence by sentence; a bullet is a rule of its own."""
        if block.bullet and self.named:
            self.bullets[self.named] += 1
            rule = f"{self.named}.{self.bullets[self.named]}"
            self.open(Section(rule, str(self.bullets[self.named]), "", self.named, self.named_page, (), ()))
        title = (
            "" if block.bullet or block.example or len(block.spans) > 1 else self.source.text[slice(*block.spans[0])]
        )
        if is_title(title):
            self.leftovers.append(Leftover("title", *block.spans[0]))
            self.findings.append(Finding("title", block.spans[0][0], title, "a heading without a number: no sentence"))
            return
        self.example = self.example or block.example
        reading = cleaning.clean(self.source.text, block.spans, self.words)
        self.leftovers += reading.leftovers
        self.findings += reading.findings
        found = list(sentences.split(reading.text))
        spans = cleaning.source_spans(reading.pieces, [(a, b) for a, b, _ in found])
        for (start, end, note), pieces in zip(found, spans, strict=True):
            if pieces and WORDY.search(reading.text, start, end):  # else stray punctuation: a leftover
                self.sentence(reading, start, end, note, pieces)

    def sentence(self, reading: cleaning.Reading, start: int, end: int, note: str, spans: list[Span]) -> None:
        """Takes a sentence with its references. note: why it is taken to begin here, where that is in doubt."""
        text = reading.text[start:end]
        self.example = self.example or bool(EXAMPLE.match(text))
        if note:
            self.findings.append(Finding(note, spans[0][0], text[:40], "a new sentence is taken to begin here"))
        refs = references.find(text, self.prefix)
        excs = exception_clauses.find(text, refs)
        if any(e.kind == BRACKET and text[e.end - 1] not in ")]" for e in excs):
            self.findings.append(Finding("bracket never closed", spans[0][0], text[:40], "taken to the sentence's end"))
        if len(excs) == exception_clauses.MOST:
            self.findings.append(
                Finding("endless sentence", spans[0][0], text[:40], f"only {len(excs)} exceptions are kept")
            )
        self.now.append(
            Sentence(
                number=len(self.now) + 1,
                text=text,
                hash=sentence_hash(text),
                spans=tuple(spans),
                page=self.head.page if self.named and self.head else self.source.page(spans[0][0]),
                example=self.example,
                exceptions=excs,
                references=refs,
                footnotes=tuple(mark for at, mark in reading.notes if start < at <= end),
                errata=tuple(mark for at, mark in reading.errata if start <= at < end),
            )
        )


def run_together(title: str) -> str:
    """A heading's words as an id: "Shooting at Bunkers" is ShootingAtBunkers."""
    return "".join(w[0].upper() + w[1:] for w in re.findall(r"[A-Za-z0-9]+", title)) or "Untitled"


def counts_on(top: str, rule: str) -> bool:
    """Whether a number is the next sibling of another, counting in whole numbers: 20.9 and 20.10."""
    a, _, m = top.rpartition(".")
    b, _, n = rule.rpartition(".")
    return a == b and m.isdigit() and n.isdigit() and int(n) == int(m) + 1
