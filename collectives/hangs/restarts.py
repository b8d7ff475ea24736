"""Jobs that were started again: of one log with several starts, the lines of the last.

The watchdog's counters never fall while a process lives (ProcessGroupNCCL.cpp: `lastEnqueuedSeq`);
torchrun starts all ranks again and goes on in the same log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectives.hangs.watchdog import WatchdogLine


def of_last_start(lines: Sequence[WatchdogLine]) -> tuple[list[WatchdogLine], str]:
    """The lines of a file from its last start on, and a note where there was one before."""
    first, rank = 0, -1
    highest: dict[tuple[object, ...], int] = {}
    for at, line in enumerate(lines):
        if line.counters is None:
            continue
        of = line.job_rank, line.position, line.group
        if line.counters.enqueued < highest.get(of, -1):
            first, rank, highest = at, line.position, {}
        highest[of] = line.counters.enqueued
    if not first:
        return list(lines), ""
    while first and _is_call_of(lines[first - 1], lines[first]):
        first -= 1  # a call is printed before the counters
    note = (
        f"rank {rank} has enqueued less than before in {lines[first].origin}: the job was started "
        "again, and lines before that are left out"
    )
    return list(lines[first:]), note


def _is_call_of(line: WatchdogLine, counted: WatchdogLine) -> bool:
    """Whether a line is a call of the rank whose counters another one has."""
    ranks = (line.job_rank, line.position), (counted.job_rank, counted.position)
    return line.call is not None and ranks[0] == ranks[1]
