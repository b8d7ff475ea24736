"""Between the command and own code's process: everything that own code starts ends with both."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

LOST = 70  # the exit status where own code has broken what its process needs
SET_DEATH_SIGNAL, ADOPT_ORPHANS = 1, 36  # of Linux's prctl


def supervised(parent: int, *streams: int) -> int:
    """Fork the process of own code: it alone returns, with the process that supervises it.

    That waits for it, closes these streams, and ends as it ends. Before, it kills what own code
    has started, in whatever session this is; so too when `parent` ends, or at a SIGTERM.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    end_with(parent, signal.SIGTERM)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1)
    supervisor = os.getpid()
    own = os.fork()
    if not own:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return supervisor
    try:
        for number in streams:
            os.close(number)
        _supervise(own)
    finally:
        os._exit(LOST)


def end_with(parent: int, number: int) -> None:
    """Have the system send this process a signal when its parent ends, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, number)
    if os.getppid() != parent:  # which has ended before that
        os._exit(LOST)


def _supervise(own: int) -> NoReturn:
    signal.signal(signal.SIGTERM, lambda *_: _kill(own))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    code = os.waitstatus_to_exitcode(os.waitpid(own, 0)[1])
    while left := _children():  # those of a child that is killed come here in its place
        for process in left:
            _kill(process)
        os.waitpid(-1, 0)
    if code < 0:
        import resource  # here: Windows, which has none, supervises nothing

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # own code's process has left one
        with suppress(OSError):  # SIGKILL needs none
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    os._exit(code)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _children() -> list[int]:
    """The children of this process; none where the system does not say."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []
    return [int(number) for number in text.split()]
