"""Work that takes time, done in processes of its own: one long question neither stalls another client nor outlives its limit."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractAsyncContextManager, nullcontext
from multiprocessing.process import BaseProcess
from typing import Any

from pebble import ProcessExpired, ProcessPool

from api import graph_jobs, jobs
from api.kept import Kept
from api.problems import Refused
from api.settings import Settings
from kb.errors import LoopholeError

MOST_WAITING = 300  # questions that are asked or wait at a time


class Work:
    """A pool of workers, and the answers they gave: a proof depends on nothing but what was sent and the books.

    waiting: how many questions are asked or wait; long: the way of work that may take longer than an answer, which leaves one worker free.
    """

    def __init__(self, settings: Settings):
        self.settings = settings
        self.pool: ProcessPool | None = None
        self.builder: BaseProcess | None = None
        self.answers = Kept(settings.cache, settings.cache_bytes)
        self.waiting = 0
        self.long = asyncio.Semaphore(max(1, settings.workers - 1))

    def start(self) -> None:
        """Starts the worker processes, each with the books read."""
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPool(
            self.settings.workers, context=context, initializer=jobs.warm, initargs=(self.settings.effort,)
        )
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

    def lane(self, limit: float) -> AbstractAsyncContextManager[None]:
        """The way of a job that may take so long."""
        return self.long if limit > self.settings.time_limit else nullcontext()

    async def do(self, job: Callable[..., Any], *args: Any, limit: float = 0.0, keep: bool = True) -> Any:
        """A job's result. Raises what it says is wrong; Refused(503) when its time is up or no worker is there.

        limit: seconds, the settings' time_limit when 0. keep: the same question may be answered from memory.
        """
        key = (job.__name__, args)
        if keep and key in self.answers:
            return self.answers.get(key)
        if self.pool is None:
            raise Refused(503, "this server is starting or stopping", Retry_After="1")
        if self.waiting >= MOST_WAITING:
            raise Refused(503, "too many questions are waiting", Retry_After="2")
        limit = limit or self.settings.time_limit
        self.waiting += 1
        try:
            async with self.lane(limit):
                found = await asyncio.wrap_future(self.pool.schedule(jobs.run, args=(job, *args), timeout=limit))
        except TimeoutError:
            raise Refused(503, f"it took longer than {limit:g} s and was stopped", Retry_After="60") from None
        except BrokenProcessPool:
            self.stop()
            self.start()
            raise Refused(503, "the workers had died and are started again", Retry_After="2") from None
        except (ProcessExpired, CancelledError):
            raise Refused(503, "the worker that answered this died", Retry_After="1") from None
        finally:
            self.waiting -= 1
        if isinstance(found, jobs.Failed):
            raise found.kind(found.problems)
        if keep:
            self.answers.put(key, found)
        return found


__all__ = ["LoopholeError", "Work"]
