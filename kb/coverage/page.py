"""Coverage as one plain web page that needs no server, no script and no other file."""

from __future__ import annotations

from html import escape

from kb.coverage.coverage import ChapterCoverage, Report, SectionCoverage

STYLE = """
:root { color-scheme: light dark; --open: #b3261e; --done: #2e6b34; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .words { text-align: left; }
.open { color: var(--open); font-weight: 600; } .done { color: var(--done); }
.bar { display: flex; height: .6rem; border: 1px solid var(--line); } .bar i { display: block; }
.encoded { background: #2e6b34; } .explained { background: #c9a227; } .left { background: #b3261e; }
"""
COLUMNS = (
    "rule", "sentences", "encoded", "explained", "open", "norms", "exceptions", "encoded", "explained", "open",
    "references", "terms",
)  # fmt: skip
CHAPTER_COLUMNS = (
    "chapter", "covered", "sentences", "encoded", "explained", "open", "exceptions", "open", "norms",
    "references", "terms",
)  # fmt: skip


def page(report: Report, open_only: bool = False) -> str:
    """The report as HTML; of each chapter only the rules with something open where asked."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'>",
        f"<title>Coverage</title><style>{STYLE}</style></head><body><h1>Coverage</h1>",
        "<p>A sentence is <b>encoded</b> when a norm stands for it, <b>explained</b> when the rulebook says in place ",
        "why none does, else <b>open</b>. An exception of the book has exactly one encoded exception.</p>",
        overview(report),
        *(chapter(c, open_only) for c in report.chapters),
        "</body></html>\n",
    ]
    return "".join(parts)


def overview(report: Report) -> str:
    """The table of chapters."""
    rows = []
    for c in report.chapters:
        t = c.totals()
        rows.append(
            f"<tr><td><a href='#{anchor(c)}'>{escape(c.book)} {escape(c.chapter)}</a></td><td>{c.percent:g} %</td>"
            f"<td>{t['sentences']}</td>"
            f"<td>{t['encoded']}</td><td>{t['explained']}</td><td{flag(t['open'])}>{t['open']}</td><td>{t['exceptions']}</td>"
            f"<td{flag(t['exceptions open'])}>{t['exceptions open']}</td><td>{t['norms']}</td>"
            f"<td>{t['references']}</td><td>{t['terms']}</td></tr>"
        )
    head = "".join(f"<th scope='col'>{h}</th>" for h in CHAPTER_COLUMNS)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def chapter(c: ChapterCoverage, open_only: bool = False) -> str:
    """One chapter: its bar, what is wrong with it, its rules."""
    total = max(c.sentences, 1)
    widths = (("encoded", c.encoded), ("explained", c.explained), ("left", c.open))
    bar = "".join(f"<i class='{name}' style='width:{100 * n / total:.1f}%'></i>" for name, n in widths)
    notes = "".join(
        f"<p class='open'>{escape(label)}: {escape('; '.join(found[:20]))}{' …' if len(found) > 20 else ''}</p>"
        for label, found in (
            ("not read", c.problems),
            ("changed since it was aligned", c.stale),
            ("references that lead nowhere", c.dangling),
            ("not in the ontology", c.unknown_terms),
        )
        if found
    )
    head = "".join(f"<th scope='col'>{h}</th>" for h in COLUMNS)
    body = "".join(row(s) for s in c.sections if s.anything_open or not open_only)
    return (
        f"<h2 id='{anchor(c)}'>{escape(c.book)} {escape(c.chapter)} {escape(c.title)}</h2><div class='bar' role='img' "
        f"aria-label='{c.percent:g} per cent covered'>{bar}</div>{notes}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def row(s: SectionCoverage) -> str:
    """One rule's row."""
    e = s.exceptions
    lost = len(e.open) + e.unmarked
    names = f" ({', '.join(map(str, s.open))})" if s.open and s.sentences > 1 else ""
    why = f" ({escape(', '.join(e.open))})" if e.open else ""
    return (
        f"<tr><td>{escape(s.rule)} {escape(s.title)}</td><td>{s.sentences}</td><td>{s.encoded}</td>"
        f"<td>{s.explained}</td>"
        f"<td{flag(len(s.open))}>{len(s.open)}{names}</td><td>{s.norms}</td><td>{e.written}</td><td>{e.encoded}</td><td>{e.explained}</td>"
        f"<td{flag(lost)}>{lost}{why}</td><td>{s.references}</td>"
        f"<td>{len(s.terms)}</td></tr>"
    )


def flag(n: int) -> str:
    """The mark of a cell that holds something open."""
    return " class='open'" if n else ""


def anchor(c: ChapterCoverage) -> str:
    """The chapter's anchor on the page."""
    return escape(f"{c.book}-{c.chapter}".replace(" ", "-"), quote=True)
