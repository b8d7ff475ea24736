"""How much memory there is, so that what cannot fit is refused before it is allocated."""

from __future__ import annotations

import os
from pathlib import Path

from collectives.errors import BadInput
from collectives.units import size_text


def available_memory() -> int:
    """Bytes that can still be allocated, as the system and its control group say."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
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


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
