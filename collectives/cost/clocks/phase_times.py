"""When each phase of an algorithm begins and ends in modeled time."""

from __future__ import annotations

from collections.abc import Iterator

from collectives.cost.clocks.timing import Timing
from collectives.recording.phases import Phase, phases

MOST_PHASED = 1 << 14  # steps that are put into phases


def phase_times(timing: Timing) -> Iterator[tuple[Phase, float, float]]:
    """Each phase, its first message's start and its last one's end; none of very many steps."""
    for phase in phases(timing.recording) if len(timing.step_start) <= MOST_PHASED else ():
        steps = slice(phase.first, phase.end)
        yield phase, float(timing.step_start[steps].min()), float(timing.step_end[steps].max())
