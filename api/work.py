"""Work that takes time, done in processes of its own: one long question neither stalls another client nor outlives its limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from pebble import ProcessExpired, ProcessPool

from api import graph_jobs, jobs, twins, warming
from api.kept import Kept
from api.problems import Refused
from api.settings import Settings
from api.turns import CLIENT, Lane, Shares
from kb.errors import LoopholeError

MOST_WAITING = 300  # questions that are asked or wait at a time
WEIGHS = 5.0  # how much more what a question is likely to take counts than what somebody has used
GAINS = 1.0  # what a second of waiting makes up for of the seconds that others have used less
SLOW = 0.15  # seconds from which on a kind of question leaves a worker to the quick ones
BUILDING = 30.0  # seconds that a question of the graph waits for the store to be built
LATELY = 0.2  # the weight of the last question in what one of its kind is said to take
# Goals that may be worked out for what would turn an answer while others wait, and while so many wait that the verdict alone comes first.
HURRIED, BARE, CROWD = 2_000, 1, 4


class OutOfTime(Refused):
    """A job that took longer than it may."""


class Work:
    """A pool of workers, and the answers they gave: a proof hangs on nothing but what was sent and the books.

    waiting: how many questions are asked or wait; turns: of those, who comes next: the quick before the slow, which leave a worker free, who has
    used little before who has used much; takes: the seconds that each kind of question took of late; under_way: what several may wait for.
    """

    def __init__(self, settings: Settings, begun: Callable[[], BaseContext] = twins.apart):
        """begun: how workers are begun, see api.twins."""
        self.settings, self.begun = settings, begun
        self.pool: ProcessPool | None = None
        self.builder: BaseProcess | None = None
        self.answers = Kept(settings.cache, settings.cache_bytes)
        self.waiting = 0
        self.turns = Lane(settings.workers, Shares(), max(1, settings.workers - 1), GAINS)
        self.takes: dict[str, float] = {}
        self.under_way: dict[Any, asyncio.Task[Any]] = {}

    def start(self) -> None:
        """Starts the worker processes, each ready to answer."""
        self.pool = ProcessPool(self.settings.workers, context=self.begun(), initializer=warming.warm)
        for _ in range(self.settings.workers):
            self.pool.schedule(jobs.ready)

    def prepare(self) -> None:
        """Has the store built, which takes a while the first time: by a process of its own, so that no answer waits for it."""
        self.builder = self.begun().Process(target=graph_jobs.build, daemon=True)  # type: ignore[attr-defined]
        self.builder.start()

    async def built(self, seconds: float = BUILDING) -> None:
        """Waits until the store is there, so that nothing builds it a second time. Raises Refused(503) where that takes longer."""
        until = time.monotonic() + seconds
        while self.builder is not None and self.builder.is_alive():
            if time.monotonic() > until:
                raise Refused(503, "the graph of all that is known is still being built", Retry_After="5")
            await asyncio.sleep(0.05)

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

    async def do(
        self,
        job: Callable[..., Any],
        *args: Any,
        limit: float = 0.0,
        keep: bool = True,
        state: Hashable = (),
        turning: bool = False,
    ) -> Any:
        """A job's result. Raises what it says is wrong; Refused(503) when its time is up, too many wait or no worker is there.

        limit: seconds, the settings' time_limit when 0. keep: the same question may be answered from memory, and with another that is under
        way, as long as `state` is the same: what the answer hangs on besides the arguments and the books. turning: it looks for what would turn an answer, and may spend less on that while others wait, and nothing where the whole took too
        long (`untried` says what that left out).
        """
        efforts = self.efforts() if turning else (self.settings.effort,)
        keys = [(job.__name__, (args, state), effort) for effort in efforts]
        if not keep:
            return await self.worked(job, args, limit, efforts[-1], turning)
        for key in keys:
            if key in self.answers:
                return self.answers.get(key)
        task = next((self.under_way[key] for key in keys if key in self.under_way), None)
        if task is None:
            task = self.under_way[key] = asyncio.create_task(self.worked(job, args, limit, efforts[-1], turning, key))
            task.add_done_callback(lambda done: (self.under_way.pop(key, None), done.cancelled() or done.exception()))
        return await asyncio.shield(task)  # who leaves takes nothing from who stays

    def efforts(self) -> tuple[int, ...]:
        """What may be spent on what would turn an answer, the most first, down to what may be spent as many wait as do now."""
        full, crowd = self.settings.effort, len(self.turns.waiting)
        less = [effort for effort in (HURRIED, BARE) if not full or effort < full]
        return (full, *less[: 0 if not crowd else 1 if crowd < CROWD else 2])

    async def worked(
        self, job: Callable[..., Any], args: Any, limit: float, effort: int, turning: bool, key: Any = None
    ) -> Any:
        """The same, worked out with an effort; remembered under a key."""
        if self.pool is None:
            raise Refused(503, "this server is starting or stopping", Retry_After="1")
        if self.waiting >= MOST_WAITING:
            raise Refused(503, "too many questions are waiting", Retry_After="2")
        limit = limit or self.settings.time_limit
        if job in graph_jobs.OF_THE_STORE:
            await self.built(limit)
        kind = f"{job.__name__} {effort if turning else ''}"
        cost = self.takes.get(kind, 0.0)
        long = limit > self.settings.time_limit
        self.waiting += 1
        try:
            patience = max(self.settings.patience, limit if long else 0)
            async with self.turns.turn(CLIENT.get(), WEIGHS * cost, long or cost > SLOW, patience):
                try:
                    found = await self.asked(job, args, limit, effort, kind)
                except OutOfTime:
                    if not turning or effort == BARE:
                        raise
                    key = key and (*key[:2], BARE)
                    found = await self.asked(job, args, limit, BARE, f"{job.__name__} {BARE}")
        except TimeoutError:
            wait = str(max(1, round(cost * self.waiting / self.settings.workers)))
            raise Refused(503, "too many questions are waiting before this one", Retry_After=wait) from None
        finally:
            self.waiting -= 1
        if isinstance(found, jobs.Failed):
            raise found.kind(found.problems)
        if key is not None:
            self.answers.put(key, found)
        return found

    async def asked(self, job: Callable[..., Any], args: Any, limit: float, effort: int, kind: str) -> Any:
        """A job's result from a worker that is free; what it took is noted with its kind."""
        if self.pool is None:
            raise Refused(503, "this server is starting or stopping", Retry_After="1")
        begun = time.monotonic()
        try:
            return await asyncio.wrap_future(self.pool.schedule(jobs.run, args=(effort, job, *args), timeout=limit))
        except TimeoutError:
            raise OutOfTime(503, f"it took longer than {limit:g} s and was stopped", Retry_After="60") from None
        except BrokenProcessPool:
            self.stop()
            self.start()
            raise Refused(503, "the workers had died and are started again", Retry_After="2") from None
        except (ProcessExpired, CancelledError):
            raise Refused(503, "the worker that answered this died", Retry_After="1") from None
        finally:
            took, before = time.monotonic() - begun, self.takes.get(kind)
            self.takes[kind] = took if before is None else before + LATELY * (took - before)


__all__ = ["LoopholeError", "Work"]
