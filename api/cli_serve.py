"""`loophole serve`: the web service, on this machine unless told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api import screen
from api.terminal import complain, refuse

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from starlette.types import ASGIApp


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 8000,
) -> None:
    """Serve answers, rules and queries over HTTP, with pages for people."""
    from api import twins
    from api.settings import from_environment

    try:
        settings = from_environment()
    except ValueError as e:
        refuse(674, str(e), "docs/api.md lists the settings")
    begun = twins.as_twins()  # reads the books while this process loads its own
    from api.app import create

    run(lambda: create(settings, lambda: begun), host, port)


def run(make: Callable[[], ASGIApp], host: str, port: int, path: str = "") -> None:
    """Serves an app until it is stopped, and says where. make: gives it, once the door is open. Raises CommandError (E686)."""
    import uvicorn

    from api.connections import Connection

    screen.waiting.stop()
    with listening(host, port) as door:
        config = uvicorn.Config(
            make(), log_config=logged(), access_log=False, timeout_keep_alive=20, limit_concurrency=500,
            h11_max_incomplete_event_size=65_536, server_header=False, http=Connection,
        )  # fmt: skip
        place = f"[{host}]" if ":" in host else host
        complain(f"listening on http://{place}:{door.getsockname()[1]}{path}; Ctrl-C ends it")
        uvicorn.Server(config).run(sockets=[door])


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there: made here, for the server itself would end with a traceback. Raises CommandError (E686)."""
    import socket

    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.create_server((host, port), family=family, backlog=2048)
        # What it accepts inherits it; else the body of an answer waits for the acknowledgement of its head, 40 ms.
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made
    except OSError as e:
        hint = "give an address of this machine, and a port that is free (--port 0 finds one)"
        refuse(686, f"cannot listen on {host}, port {port}: {e.strerror}", hint)


def logged() -> dict[str, object]:
    """One JSON line a request on standard output; the server's own words on standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"bare": {"format": "%(message)s"}, "named": {"format": "%(levelname)s %(name)s: %(message)s"}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "bare", "stream": "ext://sys.stdout"},
            "err": {"class": "logging.StreamHandler", "formatter": "named", "stream": "ext://sys.stderr"},
        },
        "loggers": {
            "loophole.access": {"handlers": ["out"], "level": "INFO", "propagate": False},
            "uvicorn": {"handlers": ["err"], "level": "INFO", "propagate": False},
        },
    }
