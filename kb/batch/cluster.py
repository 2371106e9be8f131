"""A Dask cluster that runs already: its workers answer the chunks. Each must have this version of Loophole, and the same books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kb.batch import chunks as work
from kb.batch.pools import Lost
from kb.batch.reading import Job
from kb.batch.sources import Row
from kb.batch.told import Told
from kb.errors import CaseError, Problem

REACHED = 10  # seconds to wait for a scheduler
AGAIN = 3  # times that the scheduler itself gives a chunk to another worker


class Cluster:
    """The workers of a scheduler, by its address: tcp://host:8786. Raises CaseError (E481, E484)."""

    apart = True

    def __init__(self, address: str, task: Any = work.answered):
        try:
            import distributed
        except ImportError:
            hint = 'pip install "loophole-rules[cluster]", or leave --scheduler out'
            raise CaseError(
                Problem(481, "a cluster needs dask and distributed, which are not installed", hint=hint)
            ) from None
        self.where, self.task = f"the cluster at {address}", task
        hint = "give the address that the scheduler told when it started: tcp://HOST:8786"
        try:
            self.client: Any = distributed.Client(address, timeout=REACHED, set_as_default=False)
            threads = sum(self.client.nthreads().values())
        except (OSError, ValueError, TypeError) as e:
            raise CaseError(Problem(484, f"no scheduler of a cluster answers at {address}: {e}", hint=hint)) from None
        if not threads:
            self.client.close()
            raise CaseError(Problem(484, f"the cluster at {address} has no workers", hint="start one: dask worker"))
        self.room = 2 * threads

    def submit(self, job: Job, rows: Sequence[Row]) -> Any:
        """Has a worker answer some rows."""
        return self.client.submit(self.task, job, tuple(rows), pure=False, retries=AGAIN)

    def result(self, given: Any) -> list[Told]:
        """The answers."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            found: list[Told] = given.result()
        except (KilledWorker, CancelledError, TimeoutError, OSError, EOFError) as e:
            raise Lost(f"the cluster lost it ({type(e).__name__})") from e
        finally:
            given.release()
        return found

    def stop(self) -> None:
        """Leaves the cluster, which runs on."""
        self.client.close()
