"""Pages from templates: everything is escaped, rules that a text names become links."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import lru_cache, wraps
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment
from markupsafe import Markup, escape

from api.kept import Kept
from api.pictures import environment
from api.reply import HTML, reply

MOST_KEPT = 300  # pages, for whoever asks again
MENU = (
    ("Ask", "/ask"), ("Search", "/search"), ("Rules", "/rules"), ("Terms", "/terms"), ("Compare", "/compare"),
    ("Errata", "/errata"), ("Coverage", "/coverage"), ("Queries", "/queries"),
)  # fmt: skip


@lru_cache
def templates() -> Environment:
    """The templates, escaping everything; read once."""
    made = environment()
    made.globals["address"] = address
    made.globals["linked"] = linked
    made.globals["mentioned"] = mentioned
    made.globals["menu"] = MENU
    made.globals["sentence"] = sentence
    return made


def sentence(text: str) -> str:
    """A text with a capital at its head."""
    return text[:1].upper() + text[1:]


def address(book: str, kind: str, name: str) -> str:
    """Where a rule or term stands on this server."""
    return f"/id/{kind}/{quote(book)}/{quote(name, safe='')}"


def linked(text: str, book: str, rules: tuple[str, ...]) -> Markup:
    """Text with each rule that it names as a link; everything else escaped."""
    found = pattern(rules)
    out, at = Markup(""), 0
    for match in found.finditer(text) if found else ():
        rule = match.group()
        link = Markup('<a href="{}">{}</a>').format(address(book, "rule", rule), rule)
        out += escape(text[at : match.start()]) + link
        at = match.end()
    return out + escape(text[at:])


def mentioned(text: str, rules: tuple[str, ...]) -> list[str]:
    """The rules that a text names, each once."""
    found = pattern(rules)
    return list(dict.fromkeys(found.findall(text))) if found else []


@lru_cache(maxsize=16)
def pattern(rules: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds any of some rules' numbers in a text, the longest first; None for no rules."""
    longest = sorted(rules, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest))})(?![\w]|\.\d)") if rules else None


def kept(route: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """A route whose pages are made once for an address: they depend on nothing but what was sent and the books, as answers do."""

    @wraps(route)
    async def first(request: Request, **values: Any) -> Response:
        pages: Kept = request.app.state.pages
        key = f"{request.url.path}?{request.url.query}"
        if key in pages:
            return reply(request, pages.get(key), HTML)
        made = await route(request, **values)
        if made.status_code == 200:
            pages.put(key, bytes(made.body))
        return made

    return first


def page(request: Request, name: str, status: int = 200, **values: Any) -> Response:
    """A page from a template; a 200 one with an ETag, and 304 where the reader has it."""
    html = templates().get_template(name).render(**values)
    if status != 200:
        return HTMLResponse(html, status)
    return reply(request, html, HTML)
