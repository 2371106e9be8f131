"""The API keeps to its own description: schemathesis sends what it allows, and what it does not, to every route."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.python.asgi import get_client

from api.app import create
from api.problems import SCHEMA
from api.settings import Settings
from tests.night import NIGHT, today

pytestmark = pytest.mark.slow
load_all_checks()


@schemathesis.serializer("application/sparql-query", "application/x-ndjson")
def as_text(context: object, value: object) -> bytes:
    return str(value).encode("utf-8", "replace")


KEPT = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method",
)  # fmt: skip
app: FastAPI = create(Settings(workers=1, time_limit=20, query_limit=5))
# From_asgi would start the workers already while tests are collected.
whole = schemathesis.openapi.from_dict(app.openapi())
whole.app = app
ROUTES = sorted({(o.ok().method, o.ok().path) for o in whole.get_all_operations()})
# These work for seconds by themselves; tests/test_api.py asks each once.
quick = whole.exclude(path_regex=r"^(/v1)?/(when|check|coverage|export/.*|errata/.*/impact)$")
EVERY = sorted(o.ok().label for o in quick.get_all_operations())
NOW = frozenset(today(EVERY, of=2))
schema = quick.include(lambda of: of.operation.label in NOW)


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    """Starts the workers, which all requests of this module then use, and waits until one has read the books."""
    with get_client(app) as client:
        for _ in range(60):
            if client.get("/ready").status_code == 200:
                break
        yield


@schema.parametrize()
@settings(
    max_examples=12, deadline=None, database=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_every_route_keeps_to_the_description(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=[CHECKS.get_one(name) for name in KEPT])


def test_there_are_routes() -> None:
    assert len(EVERY) >= 40 and len(NOW) >= (40 if NIGHT else 20)
    assert len(ROUTES) >= 15 and ("post", "/v1/ask") in ROUTES


MOST_TOKENS = 15_000


def tokens(document: object) -> float:
    """At least as many tokens as a description has: 3.5 characters for each."""
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":"))) / 3.5


def test_the_description_is_small_and_typed() -> None:
    document = app.openapi()
    assert tokens(document) < MOST_TOKENS
    schemas = document["components"]["schemas"]
    assert {"Case", "Thing", "Question", "Answer", "Problem"} <= schemas.keys()
    body = document["paths"]["/v1/ask"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/Case"}
    names = [told["operationId"] for methods in document["paths"].values() for told in methods.values()]
    assert len(names) == len(set(names)) >= 30 and max(map(len, names)) <= 20
    said = json.dumps(document)
    pointers = set(re.findall(r'"#/components/(\w+)/(\w+)"', said))
    assert pointers and not [p for p in pointers if p[1] not in document["components"][p[0]]]


def test_problems_told_by_every_route_in_full_are_noticed() -> None:
    document = json.loads(json.dumps(app.openapi()))
    for methods in document["paths"].values():
        for told in methods.values():
            told["responses"] |= {
                str(s): document["components"]["responses"]["Problem"] | {"x": SCHEMA} for s in range(400, 408)
            }
    assert tokens(document) > MOST_TOKENS


def test_the_page_of_the_api_shows_every_route() -> None:
    page = TestClient(app).get("/api").text
    shown = set(re.findall(r"<code>(?:GET|POST) ([^<]+)</code>", page))
    assert shown == set(app.openapi()["paths"])


def test_a_route_that_breaks_its_description_is_caught() -> None:
    broken = FastAPI(openapi_url="/openapi.json")

    @broken.get("/five")
    def five() -> str:
        raise RuntimeError("planted")

    planted = schemathesis.openapi.from_asgi("/openapi.json", broken)
    operation = next(iter(planted.get_all_operations())).ok()
    with pytest.raises(BaseException, match=r"(?s)planted|Server error"):
        operation.Case().call_and_validate(checks=[CHECKS.get_one("not_a_server_error")])
