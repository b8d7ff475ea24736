"""Tells a waiting user, on stderr, what takes long and much memory; lets memory end in an error."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from pathlib import Path

from collectives import progress, time_limit
from collectives.errors import WrongSchedule
from collectives.memory_limit import available_memory
from collectives.units import size_text, time_text

FIRST = 2.0  # seconds until somebody is told; the next line comes after as long again
FIRST_IN_FILE = 8.0  # where nobody may be waiting
LONGEST_SILENCE = 60.0
MANY_BYTES = 1 << 30
ended = threading.Event()  # set when there is nothing more to tell


def watch() -> None:
    """Begin to tell, and let memory end in an error before the system has none left."""
    time_limit.give_up.append(_leave)
    progress.announced.append(_say)
    threading.Thread(target=_tell, daemon=True).start()
    _limit_memory()


def _leave(problem: WrongSchedule) -> None:
    """Leave at once: own code catches what would stop it."""
    _say(f"own code, which catches what would stop it, {problem}")
    os._exit(problem.status)


def _tell() -> None:
    start, wait = time.monotonic(), FIRST if sys.stderr.isatty() else FIRST_IN_FILE
    while not ended.wait(wait):
        elapsed = time.monotonic() - start
        wait = min(elapsed, LONGEST_SILENCE)
        _say(_state(elapsed))


def _state(elapsed: float) -> str:
    """What is under way, since when, and about how long it will take."""
    now = progress.longest()
    text = f"{now.name or 'at work'}: {time_text(round(elapsed))} so far"
    text += f", {now.text}" if now.text else ""
    peak = _peak()
    return text + (f", {size_text(peak)} of memory" if peak > MANY_BYTES else "")


def _peak() -> int:
    """The most memory that this process had, in bytes; 0 where the system does not say.

    getrusage has that of the process which started this one, too.
    """
    try:
        match = re.search(
            r"^VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE
        )
    except OSError:
        return 0
    return int(match[1]) << 10 if match else 0


def _say(text: str) -> None:
    print(f"collectives: {text}\n", end="", file=sys.stderr, flush=True)  # in one piece


def _limit_memory() -> None:
    """Let an allocation fail that the memory of the machine cannot serve."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[5])
    except (ImportError, OSError, ValueError, IndexError):
        return  # a system that does not say how much it has given
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = pages * resource.getpagesize() + available_memory()
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
