"""What hostile clients send to a real server is refused or stopped within a second or so, and others are answered meanwhile."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from api import cli_serve, connections
from api.examples import CASE
from tests.served import serving

pytestmark = pytest.mark.slow
SOON = 10.0  # seconds: about one is meant, and slack for a busy machine
TEXT = {"content-type": "application/yaml"}


HASTY = 4.0  # seconds that the server waits for the head of a first request, here
HASTILY = f"from api import cli, connections; connections.HEAD = {HASTY}; raise SystemExit(cli.main())"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving("-c", HASTILY, LOOPHOLE_WORKERS="1") as address:
        assert httpx.post(address + "/v1/ask", json=CASE, timeout=20).status_code == 200
        yield address


def raw(server: str, *pieces: bytes, pause: float = 0.0, wait: float = 10.0) -> tuple[bytes, float]:
    """Sends bytes as they are; what came back, and how long that took."""
    host, _, port = urlsplit(server).netloc.partition(":")
    start = time.monotonic()
    with socket.create_connection((host, int(port)), timeout=wait) as s:
        try:
            for piece in pieces:
                s.sendall(piece)
                time.sleep(pause)
            found = s.recv(65_536)
        except (ConnectionError, TimeoutError):
            found = b""
    return found, time.monotonic() - start


HEAD = b"POST /v1/ask HTTP/1.1\r\nhost: x\r\n"


def large(server: str) -> int:
    return httpx.post(server + "/v1/ask", content=b"a" * 10_000_000, timeout=20).status_code


def deep_json(server: str) -> int:
    return httpx.post(server + "/v1/ask", content="[" * 10_000 + "]" * 10_000, timeout=20).status_code


def deep_objects(server: str) -> int:
    return httpx.post(server + "/v1/interview", content='{"a":' * 10_000, headers={"content-type": "application/json"}, timeout=20).status_code  # fmt: skip


def deep_yaml(server: str) -> int:
    return httpx.post(server + "/v1/ask", content="- " * 20_000, headers=TEXT, timeout=20).status_code


def aliases(server: str) -> int:
    rows = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"] + [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return httpx.post(server + "/v1/ask", content="\n".join(rows), headers=TEXT, timeout=20).status_code


def long_digits(server: str) -> int:
    return httpx.post(server + "/v1/ask", content="book: asl\nthings: {a: {is: Squad, capacity: " + "9" * 200_000 + "}}\nask: {may: a}", timeout=20).status_code  # fmt: skip


def many_things(server: str) -> int:
    things = "\n".join(f"  t{n}: {{is: [Squad, Enemy], at: yard}}" for n in range(4000))
    body = f"book: asl\nthings:\n  yard: {{is: GroundLevel}}\n{things}\n  m: {{is: Move, actor: t0}}\nask: {{may: m}}"
    return httpx.post(server + "/v1/ask", content=body, headers=TEXT, timeout=20).status_code


def nested_condition(server: str) -> int:
    condition = "(" * 5000 + "Squad" + ")" * 5000
    body = f"book: asl\nthings: {{a: {{is: Squad}}}}\nask: {{is: [a, '{condition}']}}"
    return httpx.post(server + "/v1/ask", content=body, headers=TEXT, timeout=20).status_code


def odd_text(server: str) -> int:
    return httpx.post(server + "/v1/ask", content="book: a\x00sl\u202e\ufffe: x", headers=TEXT, timeout=20).status_code


def not_utf8(server: str) -> int:
    return httpx.post(server + "/v1/ask", content=b"\xff\xfe\xfa" * 1000, timeout=20).status_code


def regex_bomb(server: str) -> int:
    return httpx.get(server + "/v1/terms", params={"word": "(a+)+$" * 10}, timeout=20).status_code


def long_path(server: str) -> int:
    return httpx.get(server + "/v1/rules/" + "9" * 5000, timeout=20).status_code


ATTACKS: dict[Callable[[str], int], set[int]] = {
    large: {413}, deep_json: {422}, deep_objects: {422}, deep_yaml: {422}, aliases: {422}, long_digits: {422},
    many_things: {200, 422, 503}, nested_condition: {200, 422}, odd_text: {422}, not_utf8: {422}, regex_bomb: {404}, long_path: {404, 422},
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.__name__)
def test_it_is_refused_soon_and_others_are_answered(server: str, attack: Callable[[str], int]) -> None:
    slowest: list[float] = []
    done = threading.Event()

    def bystander() -> None:
        with httpx.Client(timeout=20) as other:
            while not done.is_set():
                start = time.monotonic()
                assert other.get(server + "/live").status_code == 200
                slowest.append(time.monotonic() - start)
                time.sleep(0.02)

    thread = threading.Thread(target=bystander)
    thread.start()
    while not slowest and thread.is_alive():
        time.sleep(0.01)
    start = time.monotonic()
    try:
        status = attack(server)
    finally:
        took = time.monotonic() - start
        done.set()
        thread.join()
    assert status in ATTACKS[attack]
    assert took < SOON + (2 if attack is many_things else 0), f"it took {took:.1f} s"
    assert slowest and max(slowest) < SOON
    assert httpx.post(server + "/v1/ask?flips=false", json=CASE, timeout=20).json()["verdict"] == "forbidden"


def test_a_body_that_drips_is_cut_off(server: str) -> None:
    said, took = raw(server, HEAD + b"content-length: 1000\r\n\r\n", *[b"x"] * 100, pause=0.1)
    assert took < 12 and (not said or b" 408 " in said.split(b"\r\n")[0])
    said, took = raw(server, HEAD + b"content-length: 1000\r\n\r\nx")
    assert b" 408 " in said.split(b"\r\n")[0] and took < SOON


def test_chunks_without_end_are_cut_off(server: str) -> None:
    chunk = b"10000\r\n" + b"y" * 65_536 + b"\r\n"
    said, took = raw(server, HEAD + b"transfer-encoding: chunked\r\n\r\n", *[chunk] * 40)
    assert (not said or b" 413 " in said.split(b"\r\n")[0]) and took < SOON


def test_headers_without_end_are_refused(server: str) -> None:
    said, took = raw(server, b"GET /live HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 100_000)
    assert (not said or b" 400 " in said.split(b"\r\n")[0]) and took < SOON


def test_idle_connections_keep_nobody_out(server: str) -> None:
    host, _, port = urlsplit(server).netloc.partition(":")
    idle = [socket.create_connection((host, int(port))) for _ in range(600)]  # more than there is room for
    idle[-1].sendall(b"GET /live HTTP/1.1\r\nx-slow: ")  # one that begins and never ends its head
    try:
        start = time.monotonic()
        assert httpx.get(server + "/live", timeout=20).status_code == 200
        assert httpx.post(server + "/v1/ask?flips=false", json=CASE, timeout=20).status_code == 200
        assert time.monotonic() - start < SOON
    finally:
        for s in idle:
            s.close()


def test_a_connection_that_asks_nothing_is_closed_and_a_kept_one_answers_at_once(server: str) -> None:
    host, _, port = urlsplit(server).netloc.partition(":")
    begun = time.monotonic()
    with socket.create_connection((host, int(port)), timeout=HASTY + 10) as silent, httpx.Client() as kept:
        assert kept.get(server + "/live").status_code == 200
        assert silent.recv(1) == b""  # closed by the server, and nothing said
        assert HASTY / 2 < time.monotonic() - begun < connections.HEAD
        assert kept.get(server + "/live").status_code == 200
    with cli_serve.listening("127.0.0.1", 0) as door, socket.create_connection(door.getsockname()) as one:
        taken, _ = door.accept()
        with taken:
            assert one and taken.getsockopt(
                socket.IPPROTO_TCP, socket.TCP_NODELAY
            )  # else 40 ms go by before a body is sent


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fpyproject.toml", "/id/rule/asl/..%2f..%2f..%2fetc%2fpasswd", "/id/rule/..%2f..%2fetc/passwd", "/static/%00"],
)  # fmt: skip
def test_no_path_leads_out_of_its_folder(server: str, path: str) -> None:
    said, _ = raw(server, f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
    status = int(said.split()[1])
    assert status in (400, 404, 422) and b"FastAPI" not in said and b"[project]" not in said and b"root:" not in said


def test_a_header_cannot_be_slipped_in(server: str) -> None:
    found = httpx.get(server + "/live", headers={"x-request-id": "a%0d%0aset-cookie: b"})
    assert "set-cookie" not in found.headers and found.headers["x-request-id"] != "a%0d%0aset-cookie: b"
