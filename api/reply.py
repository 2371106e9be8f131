"""Answers as HTTP has them: the form that the client prefers, and an ETag, so that what is unchanged is not sent again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from api import jobs
from api.problems import Refused

JSON, TURTLE, JSON_LD, HTML = "application/json", "text/turtle", "application/ld+json", "text/html"
SVG = "image/svg+xml"
RDF_XML, N_TRIPLES, FUNCTIONAL = "application/rdf+xml", "application/n-triples", "text/owl-functional"
LINKED = (TURTLE, RDF_XML, JSON_LD, N_TRIPLES)  # the forms of anything in the graph, the best liked first


def preferred(accept: str, offers: Sequence[str]) -> str | None:
    """The offer that an Accept header likes best, the earlier of equals; None when it takes none of them (RFC 9110 12.5.1)."""
    if not accept.strip():
        return offers[0]
    best: tuple[float, int, str] | None = None
    ranges = [parse(item) for item in accept.split(",")[:50]]
    for at, offer in enumerate(offers):
        fits = [(specific(name), q) for name, q in ranges if matches(name, offer)]
        if fits:
            q = max(fits)[1]
            if q > 0 and (best is None or q > best[0]):
                best = (q, at, offer)
    return best[2] if best else None


def parse(item: str) -> tuple[str, float]:
    """A media range of an Accept header, and its weight from 0 to 1."""
    name, *parameters = (part.strip() for part in item.split(";"))
    q = next((p[2:] for p in parameters if p.startswith("q=")), "1")
    try:
        return name.lower(), max(0.0, min(1.0, float(q)))
    except ValueError:
        return name.lower(), 0.0


def matches(name: str, offer: str) -> bool:
    """Whether a media range takes an offer."""
    return name in ("*/*", offer, offer.partition("/")[0] + "/*")


def specific(name: str) -> int:
    """How closely a media range names a type: 0 any, 1 its family, 2 itself."""
    return 0 if name == "*/*" else 1 if name.endswith("/*") else 2


def negotiate(request: Request, offers: Sequence[str]) -> str:
    """The media type to answer in. Raises Refused(406)."""
    found = preferred(request.headers.get("accept", ""), offers)
    if found is None:
        raise Refused(406, f"this is to be had as {', '.join(offers)}", Vary="Accept")
    return found


def reply(request: Request, content: Any, media: str = JSON, known_as: str = "", **headers: str) -> Response:
    """A response with an ETag over what it holds (known_as: where that is made already); 304 when the client has just that."""
    body = (
        content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else jobs.dumps(content)
    )
    tag = known_as or jobs.tag(media, body)
    found = {
        "etag": tag,
        "vary": "accept",
        "cache-control": "no-cache",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    known = [t.strip().removeprefix("W/") for t in request.headers.get("if-none-match", "").split(",")]
    if request.method in ("GET", "HEAD") and (tag in known or "*" in known):
        return Response(status_code=304, headers=found)
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    return Response(body, media_type=media + charset, headers=found)
