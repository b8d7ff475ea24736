"""How much memory there is, so that what cannot fit is refused before it is allocated."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from collectives.errors import BadInput
from collectives.progress import announce
from collectives.units import size_text

ANNOUNCED = 1 << 30  # bytes from which it is said in advance that they are taken


def available_memory() -> int:
    """Bytes that can still be allocated, as the system and its control group say."""
    free = _memory_of_system()
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    limit, used = _read("/sys/fs/cgroup/memory.max"), _read("/sys/fs/cgroup/memory.current")
    if limit.strip().isdigit() and used.strip().isdigit():
        free = min(free, int(limit) - int(used))
    return free


def check_memory(needed: int, what: str) -> None:
    """Raise BadInput, saying how much it would take, if `needed` bytes cannot be had."""
    free = available_memory() if needed > 1 << 24 else needed
    if needed > free:
        raise BadInput(f"{what} would take {size_text(needed)}; {size_text(free)} are available")
    if needed > ANNOUNCED:
        announce(f"{what}: {size_text(needed)} of memory will be taken; Ctrl-C stops it")


def _memory_of_system() -> int:
    """Free memory in bytes, or all there is, or no limit, where the system says no more."""
    for name in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        with suppress(AttributeError, ValueError, OSError):
            return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    return sys.maxsize


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
