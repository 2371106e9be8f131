"""Bytes of a file to characters: text in any common encoding, or PDF; where its pages begin; what dirt was met."""

from __future__ import annotations

import hashlib
import io
import logging
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kb.errors import Place, Problem, TextError
from kb.texts.model import Finding

BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
Progress = Callable[[str, int, int], None]
"""Called with (what is being done, done, total); total is pages or characters."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as characters. `pages` are the offsets at which its pages begin; empty when it has none."""

    name: str
    text: str
    sha256: str
    pages: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()

    def page(self, offset: int) -> str:
        """The page on which a character stands, from 1; "" when the file has no pages."""
        return str(bisect_right(self.pages, offset)) if self.pages else ""


def load(path: Path, progress: Progress | None = None) -> Source:
    """Reads a text, Markdown or PDF file. Raises TextError when it cannot be read or holds no text."""
    place = Place(str(path), 1)
    try:
        data = path.read_bytes()
    except OSError as e:
        hint = "give the path of a text, Markdown or PDF file"
        raise TextError(Problem(501, f"{path} cannot be read: {e.strerror or e}", place, hint)) from None
    return from_bytes(data, str(path), progress)


def from_bytes(data: bytes, name: str, progress: Progress | None = None) -> Source:
    """The characters of a file's bytes. Raises TextError as `load` does."""
    place = Place(name, 1)
    digest = hashlib.sha256(data).hexdigest()
    findings: list[Finding] = []
    if data[:1024].lstrip().startswith(b"%PDF"):
        text = pdf(data, name, progress)
    else:
        text, findings = decode(data, name)
    if not text.strip("\0 \t\r\n\f\v\ufeff"):
        hint = "a scanned PDF needs text recognition first" if data[:4] == b"%PDF" else "choose a file with text in it"
        raise TextError(Problem(502, "there is no text in it", place, hint))
    return Source(name, text, digest, page_starts(text), tuple(findings))


def decode(data: bytes, name: str) -> tuple[str, list[Finding]]:
    """By byte order mark, else UTF-8, else UTF-16 where every other byte is nought, else Windows-1252."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace"), []
    sample = data[:4096]
    for encoding, high, low in (("utf-16-le", sample[1::2], sample[::2]), ("utf-16-be", sample[::2], sample[1::2])):
        if len(sample) > 15 and high.count(0) > 0.4 * len(high) and low.count(0) < 0.1 * len(low):
            return data.decode(encoding, "replace"), [Finding("encoding", 0, encoding, "guessed from its nought bytes")]
    strange = sum(0 < b < 9 or 13 < b < 32 for b in sample)
    if strange > 0.1 * len(sample):
        hint = "import plain text, Markdown or PDF; save a word processor's file as one of these"
        raise TextError(Problem(503, "this is not a text file", Place(name, 1), hint))
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as e:
        first = e.start
    note = f"not UTF-8 (byte {first}): read as Windows-1252"
    return data.decode("cp1252", "replace"), [Finding("encoding", 0, "cp1252", note)]


def pdf(data: bytes, name: str, progress: Progress | None) -> str:
    """The text of a PDF, pages parted by form feeds. Raises TextError when it is damaged or locked."""
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    place = Place(name, 1)
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise TextError(Problem(504, "this PDF is locked with a password", place, "save a copy without one"))
        total = len(reader.pages)
        pages = []
        for number, page in enumerate(reader.pages, 1):
            pages.append((page.extract_text() or "").replace("\f", "\n"))
            if progress:
                progress("pages", number, total)
    except TextError:
        raise
    except Exception as e:  # pypdf raises many kinds on damaged files; each means the same to the reader
        hint = "open it in a PDF viewer and save it again, or copy its text into a .txt file"
        raise TextError(Problem(505, f"this PDF cannot be read: {e}", place, hint)) from None
    return "\f".join(pages)


def page_starts(text: str) -> tuple[int, ...]:
    """Offsets at which pages begin, where the text has form feeds."""
    starts = [0]
    at = text.find("\f")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\f", at + 1)
    return tuple(starts) if len(starts) > 1 else ()
