"""A command line that starts fast: only the command asked for is built, and texts are taken as they were typed.

typer has pydantic convert every value, a text to a text and nothing to nothing too, and importing pydantic costs half as
much as a whole answer.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

TEXTS = (str, list[str], list[str] | None)
YOUNG = 50_000  # new objects before the collector looks for circles among them; 700 where nobody says otherwise

Process = Callable[[Any, Any], Any]


def look_seldom() -> None:
    """Has the garbage collector look seldom: a rulebook is many small objects that all stay."""
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


def only(app: typer.Typer, name: str) -> typer.Typer:
    """The same command line with this one command; `app` itself where none of its commands is called so."""
    found = [c for c in app.registered_commands if name and name == (c.name or getattr(c.callback, "__name__", ""))]
    if not found:
        return app
    less = typer.Typer(
        name=app.info.name, cls=app.info.cls, help=app.info.help, no_args_is_help=True, add_completion=False,
        pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    less.registered_commands = found
    less.callback()(group)
    return less


def group() -> None:
    """Stands above the one command, which would lose its name without it."""


class PlainGroup(TyperGroup):
    """The commands. Texts, and options that are not given, need no conversion."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The group's options; texts among them need no conversion."""
        return [plain(param, {}) for param in super().get_params(ctx)]


class Plain(TyperCommand):
    """A command. Texts, and options that are not given, need no conversion; whatever else goes typer's own way."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's options by the types that its function states; texts need no conversion."""
        kinds = get_type_hints(inspect.unwrap(self.callback)) if self.callback else {}
        return [plain(param, kinds) for param in super().get_params(ctx)]


def plain(param: Any, kinds: dict[str, Any]) -> Any:
    """The parameter, which leaves unconverted what is not given, and texts where its command wants texts."""
    if not hasattr(param.process_value, "process"):
        param.process_value = AsTyped(param, kinds.get(param.name) in TEXTS, param.process_value)
    return param


class AsTyped:
    """A parameter's `process_value`, passed by where it has nothing to do."""

    def __init__(self, param: Any, text: bool, process: Process):
        self.param, self.text, self.process = param, text, process

    def __call__(self, ctx: Any, value: Any) -> Any:
        """The parameter's value; as it is where it is text or not given."""
        nothing = value in (None, ()) and not self.param.required
        texts = value if isinstance(value, (list, tuple)) else (value,)
        if nothing or (self.text and texts and all(isinstance(v, str) for v in texts)):
            back = self.param.callback
            return back(ctx, self.param, value) if back else value
        return self.process(ctx, value)
