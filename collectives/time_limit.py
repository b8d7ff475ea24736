"""Stops code of somebody's own that runs on and on without giving a result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from collectives.errors import WrongSchedule

OWN_SECONDS = 10.0  # of one step of an own function, and of importing its file
AGAIN = 1.0  # seconds after which code that caught the exception is stopped again
PATIENCE = 3  # times that it is stopped in this way
give_up: list[Callable[[WrongSchedule], None]] = []  # what is done then


@contextmanager
def time_limit(what: str) -> Iterator[None]:
    """Raise WrongSchedule, in the code that runs, when the block takes over `OWN_SECONDS`.

    Only the main thread can be stopped, where the system has such a signal; elsewhere there is no
    limit. Code that catches whatever is raised goes on, unless there is somebody to `give_up`.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or not hasattr(signal, "setitimer"):  # Windows has none
        yield
        return

    stops = 0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stops
        stops += 1
        why = WrongSchedule(f"{what} for {OWN_SECONDS:g} s and is stopped; does it ever end?")
        for leave in give_up if stops > PATIENCE else ():
            leave(why)
        raise why

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, OWN_SECONDS, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
