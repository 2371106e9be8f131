"""Real servers in processes of their own, on loopback and a free port, for as long as a test needs them: ours, and Oxigraph's."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def serving(*program: str, **settings: str) -> Iterator[str]:
    """The base address of a server that is ready. program: what Python runs, else the command line; settings: LOOPHOLE_… variables."""
    port = free_port()
    env = {**os.environ, **settings}
    command = [sys.executable, *(program or ("-m", "api.cli")), "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address + "/ready", process)
            yield address
        finally:
            end(process)


@contextmanager
def oxigraph(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The base address of an Oxigraph server that answers, and its process. folder: where its store is kept."""
    port = free_port()
    command = [
        str(Path(sys.executable).parent / "oxigraph"),
        "serve",
        "--location",
        str(folder),
        "--bind",
        f"127.0.0.1:{port}",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            up(f"http://127.0.0.1:{port}/", process)
            yield f"http://127.0.0.1:{port}", process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a server, by force where it does not go."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def up(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Waits until a server answers, whatever it says."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            httpx.get(url, timeout=2)
            return
        except httpx.TransportError:
            assert process.poll() is None, f"the server ended with {process.returncode}"
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer after {seconds} s")


def wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Waits until a server says 200."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.poll() is None, f"the server ended with {process.returncode}"
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"{url} is not ready after {seconds} s")
