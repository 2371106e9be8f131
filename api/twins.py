"""How workers are begun: each for itself, or as twins of one process that has read everything. Loads nothing, so that the process can begin early."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext


def apart() -> BaseContext:
    """Each for itself: a process may have several servers, each with other books."""
    return multiprocessing.get_context("spawn")


def as_twins() -> BaseContext:
    """Those of the one server of a process, as twins of one that begins now to make itself ready (api.nursery), where the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return apart()
    from multiprocessing import forkserver

    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["api.nursery"])
    forkserver.ensure_running()
    return found
