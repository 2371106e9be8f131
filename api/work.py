"""Work that takes time, done in processes of its own: one long question neither stalls another client nor outlives its limit."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any

from pebble import ProcessExpired, ProcessPool

from api import graph_jobs, jobs
from api.problems import Refused
from api.settings import Settings
from kb.errors import LoopholeError


class Work:
    """A pool of workers, and the answers they gave: a proof depends on nothing but what was sent and the books."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.pool: ProcessPool | None = None
        self.builder: BaseProcess | None = None
        self.answers: OrderedDict[Any, Any] = OrderedDict()

    def start(self) -> None:
        """Starts the worker processes, each with the books read."""
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPool(self.settings.workers, context=context, initializer=jobs.warm)
        for _ in range(self.settings.workers):
            self.pool.schedule(jobs.ready)

    def prepare(self) -> None:
        """Has the store built, which takes a while the first time: by a process of its own, so that no answer waits for it."""
        self.builder = multiprocessing.get_context("spawn").Process(target=graph_jobs.build, daemon=True)
        self.builder.start()

    def stop(self) -> None:
        """Ends the workers, and what they are at."""
        if self.builder is not None:
            self.builder.terminate()
            self.builder.join()
            self.builder = None
        if self.pool is not None:
            self.pool.stop()
            self.pool.join()
            self.pool = None

    async def do(self, job: Callable[..., Any], *args: Any, limit: float = 0.0, keep: bool = True) -> Any:
        """A job's result. Raises what it says is wrong; Refused(503) when its time is up or no worker is there.

        limit: seconds, the settings' time_limit when 0. keep: the same question may be answered from memory.
        """
        key = (job.__name__, args)
        if keep and key in self.answers:
            self.answers.move_to_end(key)
            return self.answers[key]
        if self.pool is None:
            raise Refused(503, "this server is starting or stopping", Retry_After="1")
        limit = limit or self.settings.time_limit
        try:
            found = await asyncio.wrap_future(self.pool.schedule(jobs.run, args=(job, *args), timeout=limit))
        except TimeoutError:
            raise Refused(503, f"it took longer than {limit:g} s and was stopped", Retry_After="60") from None
        except BrokenProcessPool:
            self.stop()
            self.start()
            raise Refused(503, "the workers had died and are started again", Retry_After="2") from None
        except (ProcessExpired, CancelledError):
            raise Refused(503, "the worker that answered this died", Retry_After="1") from None
        if isinstance(found, jobs.Failed):
            raise found.kind(found.problems)
        if keep and self.settings.cache:
            self.answers[key] = found
            if len(self.answers) > self.settings.cache:
                self.answers.popitem(last=False)
        return found


__all__ = ["LoopholeError", "Work"]
