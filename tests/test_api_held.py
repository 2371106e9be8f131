"""What keeps a server from being held up: memories bounded in bytes, lanes in which the quick never wait for the slow, one worker kept free."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import pytest

from api import graph_jobs, jobs, queries, twins
from api.kept import Kept, weight
from api.problems import Refused
from api.queries import Queries
from api.settings import Settings
from api.turns import Lane, Shares
from api.work import BARE, HURRIED, OutOfTime, Work
from kb.errors import Problem, QueryError
from kb.triplestore import sparql
from kb.triplestore.results import Table

LITTLE = Table(("n",), (), "select")


def test_what_is_kept_is_bounded_in_bytes() -> None:
    kept = Kept(10_000, 1_000_000)
    for n in range(500):
        kept.put(("job", (f"{n}" + "k" * 4_000,)), b"v" * 16_000)
    assert 30 < len(kept) < 60 and kept.bytes <= 1_000_000
    assert ("job", ("499" + "k" * 4_000,)) in kept and ("job", ("0" + "k" * 4_000,)) not in kept
    kept.put("large", b"v" * 500_000)  # one alone would drive out all others
    assert "large" not in kept and len(kept) > 30
    kept.put("again", b"v" * 100)
    before = kept.bytes
    kept.put("again", b"v" * 100)
    assert kept.bytes == before and kept.get("again") == b"v" * 100
    counted = Kept(10_000, 10**12)  # planted: bounded in entries alone, a memory takes what it is given
    for n in range(500):
        counted.put(("job", (f"{n}" + "k" * 4_000,)), b"v" * 16_000)
    assert counted.bytes > 9_000_000


def test_the_longest_unasked_goes_first_and_nothing_is_kept_where_nothing_may_be() -> None:
    kept = Kept(3, 10**6)
    for name in "abc":
        kept.put(name, name)
    assert kept.get("a") == "a"
    kept.put("d", "d")
    assert [name for name in "abcd" if name in kept] == ["a", "c", "d"]
    with pytest.raises(KeyError):
        kept.get("b")
    nothing = Kept(0, 10**6)
    nothing.put("a", "a")
    assert len(nothing) == 0
    assert weight({"a": ["x" * 1000, ("y" * 1000,)]}) > 2000 and weight(LITTLE) > weight(())


def slowly(query: str, *_: Any, spares: object = None, **__: Any) -> Table:
    """An engine that needs a while for a product."""
    limits = _[1]
    if query == "product":
        time.sleep(limits.seconds)
        raise QueryError(Problem(641, "stopped"))
    time.sleep(0.005)
    return LITTLE


async def honest(hostile: int, most_quick: float, monkeypatch: pytest.MonkeyPatch) -> float:
    """Seconds that an honest query takes, at the worst of two, while so many others ask for products."""
    monkeypatch.setattr(sparql, "ask", slowly)
    monkeypatch.setattr(queries.resource, "store", lambda: None)
    monkeypatch.setattr(queries, "MOMENT", most_quick)
    lanes = Queries(0.05, 10)

    async def attack(n: int) -> None:
        for _ in range(3):
            with pytest.raises(QueryError):
                await lanes.ask("product", f"hostile{n}")

    attacks = [asyncio.create_task(attack(n)) for n in range(hostile)]
    await asyncio.sleep(0.01)
    worst = 0.0
    for _ in range(2):
        begun = time.monotonic()
        assert await lanes.ask("ten rows", "honest") is LITTLE
        worst = max(worst, time.monotonic() - begun)
    for task in attacks:
        task.cancel()
    await asyncio.gather(*attacks, return_exceptions=True)
    lanes.close()
    return worst


@pytest.mark.slow
def test_products_of_twenty_clients_keep_no_honest_query_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = asyncio.run(honest(20, 0.02, monkeypatch))
    monkeypatch.setattr(
        Shares, "of", lambda *_: 0.0
    )  # planted: who has used much comes no later, and nothing begins quickly
    slow = asyncio.run(honest(20, 1.0, monkeypatch))
    assert quick < slow / 2 and slow > 0.6


def test_a_turn_goes_to_who_has_used_the_least_and_none_is_lost() -> None:
    async def run() -> list[str]:
        shares, order = Shares(), list[str]()
        lane = Lane(1, shares)
        shares.add("much", 9.0)
        shares.add("some", 3.0)

        async def turn(client: str) -> None:
            async with lane.turn(client):
                order.append(client)
                await asyncio.sleep(0.01)

        first = asyncio.create_task(turn("much"))
        await asyncio.sleep(0)
        rest = [asyncio.create_task(turn(c)) for c in ("much", "some", "gone", "new")]
        await asyncio.sleep(0)
        rest[2].cancel()
        await asyncio.gather(first, *rest, return_exceptions=True)
        assert lane.free == 1 and not lane.waiting
        return order

    assert asyncio.run(run()) == ["much", "new", "some", "much"]


def test_too_many_who_wait_are_told_when_to_come_again() -> None:
    async def run() -> None:
        lanes = Queries(0.2, 10, waiting=0)
        with pytest.raises(Refused) as told:
            await lanes.ask("ten rows", "honest")
        assert told.value.status == 503 and int(told.value.headers["Retry_After"]) > 0
        work = Work(Settings(workers=1))
        work.pool, work.waiting = object(), 10**6  # type: ignore[assignment]
        with pytest.raises(Refused) as told:
            await work.do(jobs.ready, keep=False)
        assert told.value.status == 503 and int(told.value.headers["Retry_After"]) > 0

    asyncio.run(run())


def test_what_may_take_long_leaves_a_worker_free() -> None:
    class Pool:
        """Counts what is at work at a time."""

        def __init__(self) -> None:
            self.now = self.most = 0

    async def run(limit: float, workers: int) -> int:
        pool, work = Pool(), Work(Settings(workers=workers, time_limit=3))

        async def asked(*_: Any) -> None:
            pool.now += 1
            pool.most = max(pool.most, pool.now)
            await asyncio.sleep(0.01)
            pool.now -= 1

        work.pool, work.asked = pool, asked  # type: ignore[assignment,method-assign]
        await asyncio.gather(*(work.do(jobs.ready, n, limit=limit, keep=False) for n in range(6)))
        return pool.most

    assert asyncio.run(run(60, 2)) == 1 and asyncio.run(run(60, 4)) == 3 and asyncio.run(run(60, 1)) == 1
    assert asyncio.run(run(3, 2)) == 2


def test_a_worker_may_spend_less_on_what_would_turn_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from api.examples import CASE

    monkeypatch.setattr(jobs.Allowed, "effort", 0)
    text = jobs.dumps(CASE).decode()
    whole = jobs.asked(text, ())
    monkeypatch.setattr(jobs.Allowed, "effort", 200)
    hurried = jobs.asked(text, ())
    assert hurried.untried > whole.untried == 0 and len(hurried.flips) < len(whole.flips)
    assert hurried.verdict == whole.verdict and hurried.cites == whole.cites


class Waits:
    """Workers that only wait: what they were at, with what effort, and for how long each waits."""

    def __init__(self, work: Work, seconds: float = 0.02):
        self.done: list[tuple[Any, int]] = []
        self.seconds = seconds
        work.pool, work.asked = object(), self.asked  # type: ignore[assignment,method-assign]

    async def asked(self, job: Any, args: Any, limit: float, effort: int, kind: str) -> str:
        self.done.append((args[0], effort))
        await asyncio.sleep(self.seconds)
        return f"{args[0]} {effort}"


def order(costs: dict[str, float]) -> list[str]:
    """In which order five questions are begun by one worker, of which two are of a kind that takes long."""

    async def run() -> list[str]:
        work = Work(Settings(workers=1))
        workers = Waits(work)
        work.takes.update(costs)
        jobs_ = [work.do(jobs.ready, "first", keep=False)]
        jobs_ += [work.do(jobs.answer, n, keep=False) for n in ("slow", "slower")]
        jobs_ += [work.do(jobs.term, n, keep=False) for n in ("quick", "quicker")]
        await asyncio.gather(*jobs_)
        return [name for name, _ in workers.done]

    return asyncio.run(run())


def test_the_quick_come_before_the_slow() -> None:
    assert order({"answer ": 0.5}) == ["first", "quick", "quicker", "slow", "slower"]
    assert order({}) == ["first", "slow", "slower", "quick", "quicker"]  # planted: nobody knows what takes long


def test_who_waits_too_long_is_told_when_to_come_again() -> None:
    async def run(patience: float) -> list[Any]:
        work = Work(Settings(workers=1, patience=patience))
        Waits(work, 0.05)
        return await asyncio.gather(*(work.do(jobs.term, n, keep=False) for n in range(5)), return_exceptions=True)

    refused = [e for e in asyncio.run(run(0.08)) if isinstance(e, Refused)]
    assert 1 <= len(refused) <= 4 and all(e.status == 503 and int(e.headers["Retry_After"]) > 0 for e in refused)
    assert not [e for e in asyncio.run(run(5)) if isinstance(e, Refused)]


def test_a_known_answer_waits_for_nobody_and_the_same_question_is_worked_out_once() -> None:
    async def run() -> None:
        work = Work(Settings(workers=1))
        workers = Waits(work)
        same = await asyncio.gather(*(work.do(jobs.term, "same") for _ in range(5)))
        assert len(set(same)) == 1 and len(workers.done) == 1
        others = [asyncio.create_task(work.do(jobs.term, n)) for n in range(9)]
        await asyncio.sleep(0)
        begun = time.monotonic()
        assert await work.do(jobs.term, "same") == same[0]
        assert time.monotonic() - begun < workers.seconds and len(workers.done) < 5
        one, two = (asyncio.create_task(work.do(jobs.term, "gone")) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()  # who leaves takes nothing from who stays
        assert str(await two).startswith("gone")
        await asyncio.gather(*others)
        assert not work.under_way and work.turns.free == 1 and not work.turns.waiting

    asyncio.run(run())


def test_while_others_wait_less_is_spent_on_what_would_turn_an_answer() -> None:
    async def run(turning: bool) -> list[int]:
        work = Work(Settings(workers=1))
        workers = Waits(work)
        asked = []
        for n in range(14):
            asked.append(asyncio.create_task(work.do(jobs.answer, n, turning=turning)))
            for _ in range(3):
                await asyncio.sleep(0)  # one request after the other comes in
        await asyncio.gather(*asked)
        assert await work.do(jobs.answer, 0, turning=turning) == f"0 {work.settings.effort}"
        hurried = await work.do(jobs.answer, 13, turning=turning)  # nobody waits now: with all that may be spent
        assert hurried == f"13 {work.settings.effort}"
        return [effort for _, effort in workers.done]

    spent = asyncio.run(run(True))
    assert set(spent[:14]) == {Settings().effort, HURRIED, BARE} and spent[0] == spent[14] == Settings().effort
    assert set(asyncio.run(run(False))) == {Settings().effort}


def test_what_takes_too_long_is_answered_without_what_would_turn_it() -> None:
    class Slow(Waits):
        async def asked(self, job: Any, args: Any, limit: float, effort: int, kind: str) -> str:
            said = await super().asked(job, args, limit, effort, kind)
            if effort > BARE or args[0] == "endless":
                raise OutOfTime(503, "it took longer than 3 s and was stopped")
            return said

    async def run() -> list[tuple[Any, int]]:
        work = Work(Settings(workers=1))
        workers = Slow(work, 0.0)
        assert await work.do(jobs.answer, "heavy", turning=True) == f"heavy {BARE}"
        for name, turning in (("endless", True), ("heavy", False)):
            with pytest.raises(OutOfTime):
                await work.do(jobs.answer, name, turning=turning)
        assert work.turns.free == 1 and not work.turns.waiting
        return workers.done

    full = Settings().effort
    assert asyncio.run(run()) == [
        ("heavy", full),
        ("heavy", BARE),
        ("endless", full),
        ("endless", BARE),
        ("heavy", full),
    ]


def test_what_asks_the_store_waits_until_it_is_built_and_is_told_when_to_come_again() -> None:
    class Builder:
        """A process that builds for so many looks."""

        def __init__(self, looks: int):
            self.looks = looks

        def is_alive(self) -> bool:
            self.looks -= 1
            return self.looks >= 0

    async def run(looks: int) -> list[Any]:
        work = Work(Settings(workers=1))
        workers = Waits(work, 0.0)
        work.builder = Builder(looks)  # type: ignore[assignment]
        with contextlib.suppress(Refused):
            await work.do(graph_jobs.description, "iri", limit=0.12)
        await work.do(jobs.term, "word")
        with pytest.raises(Refused) as told:
            work.builder = Builder(10**6)  # type: ignore[assignment]
            await work.built(0.01)
        assert told.value.status == 503 and int(told.value.headers["Retry_After"]) > 0
        return [name for name, _ in workers.done]

    assert asyncio.run(run(2)) == ["iri", "word"]
    assert asyncio.run(run(10**6)) == ["word"]  # planted: it is never done, and nobody begins to build it a second time


@pytest.mark.slow
def test_a_worker_that_was_stopped_is_there_again_at_once() -> None:
    async def run(begun: Any) -> tuple[float, float]:
        """Seconds of the first answer, with all that is read before it, and of the one after a worker was stopped."""
        work = Work(Settings(workers=1), begun)
        took = []
        try:
            for _ in range(2):
                since = time.monotonic()
                work.start() if work.pool is None else None
                await work.asked(jobs.ready, (), 60, 0, "")
                took.append(time.monotonic() - since)
                with pytest.raises(OutOfTime):
                    await work.asked(time.sleep, (30,), 0.1, 0, "")
        finally:
            work.stop()
        return took[0], took[1]

    first, again = asyncio.run(run(twins.as_twins))
    assert again < first / 2, "its twin had read the books"
