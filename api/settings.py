"""What a server is told by its environment: LOOPHOLE_… variables, each with a default that is safe on a laptop."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and switches of one server.

    workers: processes that answer; time_limit and query_limit: seconds that an answer and a query may take; patience: seconds that a question
    waits for a worker before it is told to come again; body: bytes
    that a request may hold; body_seconds: seconds it may take to arrive; rate: requests a minute for each client, 0 for
    no limit; token: what a request that changes anything must bear, "" where nothing may be changed; cache, cache_bytes: answers
    kept for the same question asked again, and the bytes that they and the pages kept may take; rows: rows of a query's result; effort:
    the goals that may be worked out for what would turn an answer (`untried` says how many changes that left out); batch_rows: rows of a
    batch; batch_seconds: seconds that all of them may take.
    """

    workers: int = 2
    time_limit: float = 3.0
    query_limit: float = 0.9
    patience: float = 2.0
    body: int = 262_144
    body_seconds: float = 0.9
    rate: int = 0
    token: str = ""
    cache: int = 2000
    cache_bytes: int = 64_000_000
    rows: int = 10_000
    effort: int = 25_000
    batch_rows: int = 2_000
    batch_seconds: float = 30.0


def from_environment() -> Settings:
    """The settings, each from LOOPHOLE_<NAME> where that is set. Raises ValueError for one that does not read."""
    found = {}
    for field in fields(Settings):
        name = f"LOOPHOLE_{field.name.upper()}"
        said = os.environ.get(name)
        if said is None:
            continue
        kind = {int: int, float: float, str: str}[type(field.default)]
        try:
            found[field.name] = kind(said)
        except ValueError:
            raise ValueError(f"{name} must be a{'n' if kind is int else ''} {kind.__name__}, not “{said}”") from None
    return Settings(**found)


def number() -> str:
    """The version of what is installed; "0" where nothing is."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("loophole-rules")
    except PackageNotFoundError:
        return "0"
