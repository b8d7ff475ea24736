"""Does numbered tasks in several processes, as many as the machine has cores and memory for."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from collectives.errors import CollectivesError
from collectives.memory_limit import available_memory

# A process is made as a copy of this one where that is safe: it has imported all that is needed.
METHOD = "fork" if sys.platform == "linux" else "spawn"
KILLED_WITH_PARENT = 1  # Linux: PR_SET_PDEATHSIG
Task = Callable[[int], None]


def most_workers(memory: int) -> int:
    """How many processes of this many bytes each the machine has cores and room for."""
    if multiprocessing.current_process().daemon:
        return 1  # it may have no children
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(cores, available_memory() // memory))


def side_by_side(task: Task, count: int, workers: int) -> Generator[int]:
    """Do tasks 0 to count - 1 and yield the number of each that is done, in order.

    Raises what a task raises, and MemoryError if a process is killed. No process outlives this.
    """
    if min(workers, count) < 2:
        for number in range(count):
            task(number)
            yield number
        return
    context: Any = multiprocessing.get_context(METHOD)
    pool: dict[Connection, Any] = {}
    try:
        for _ in range(min(workers, count)):
            here, there = context.Pipe()
            inherited = [*pool, here] if METHOD == "fork" else []
            process = context.Process(target=_work, args=(task, there, inherited), daemon=True)
            _start(process)
            there.close()
            pool[here] = process
        yield from _in_order(_done(pool, count))
    finally:
        for pipe, process in pool.items():
            process.terminate()
            process.join()
            pipe.close()


def _start(process: Any) -> None:
    """Start a process that never frees what this one holds.

    A copy of this process has none of its threads, for which a filter of sound waits when freed.
    """
    gc.freeze()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: none is used
            process.start()
    finally:
        gc.unfreeze()


def _done(pool: dict[Connection, Any], count: int) -> Iterator[int]:
    """Hand out the tasks; the number of each when it is done."""
    tasks, running = iter(range(count)), dict[Connection, int]()

    def hand_out(pipe: Connection) -> None:
        if (number := next(tasks, None)) is not None:
            running[pipe] = number
            pipe.send(number)

    for pipe in pool:
        hand_out(pipe)
    while running:
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)
            try:
                problem = ready.recv()
            except EOFError:
                pool[ready].join()
                status = pool[ready].exitcode
                raise MemoryError(f"a process ended with status {status}") from None
            if problem is not None:
                raise problem
            yield running.pop(ready)
            hand_out(ready)


def _in_order(numbers: Iterator[int]) -> Iterator[int]:
    """The numbers from 0 on, each as soon as it and all before it have come."""
    waiting, following = set[int](), 0
    for number in numbers:
        waiting.add(number)
        while following in waiting:
            yield following
            following += 1


def _work(task: Task, pipe: Connection, inherited: list[Connection]) -> None:
    """Do the tasks that come through a pipe, until it ends with the process at its other end."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(KILLED_WITH_PARENT, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:
        return  # it was killed before it could take this one with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for handle in inherited:
        handle.close()
    with suppress(EOFError, BrokenPipeError):
        while True:
            number = pipe.recv()
            try:
                task(number)
                problem: Exception | None = None
            except Exception as raised:
                problem = _sendable(raised)
            pipe.send(problem)


def _sendable(problem: Exception) -> Exception:
    """A problem as one that can be sent to another process."""
    if isinstance(problem, OSError):
        return OSError(problem.errno, problem.strerror)
    if isinstance(problem, MemoryError | CollectivesError):
        return problem
    return RuntimeError(f"{type(problem).__name__}: {problem}")
