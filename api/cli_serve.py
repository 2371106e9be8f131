"""`loophole serve`: the web service, on this machine unless told otherwise."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command()
    def serve(
        host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for every one.")] = "127.0.0.1",
        port: Annotated[int, typer.Option(help="The port; 0 for a free one.")] = 8000,
    ) -> None:
        """Serve answers, rules and queries over HTTP, with pages for people."""
        import uvicorn

        from api.app import create
        from api.settings import from_environment

        try:
            settings = from_environment()
        except ValueError as e:
            raise typer.BadParameter(str(e)) from None
        uvicorn.run(
            create(settings), host=host, port=port, log_config=logged(), access_log=False,
            timeout_keep_alive=20, limit_concurrency=500, h11_max_incomplete_event_size=65_536, server_header=False,
        )  # fmt: skip


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
