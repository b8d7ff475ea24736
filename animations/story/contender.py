"""One of the algorithms that are compared: its picture, its time, and what that is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from animations.story.flights import Flights, flights_of
from animations.story.storyboard import Storyboard
from collectives.cost.choose.ranking import RankedAlgorithm

ROUNDED_OFF = 1e-9  # of a time: less apart is at once


@dataclass(frozen=True)
class Contender:
    """One of the algorithms. on_path: messages on its critical path; path_bytes: of these."""

    name: str
    board: Storyboard
    timed: RankedAlgorithm
    on_path: int
    path_bytes: int

    @property
    def seconds(self) -> float:
        """When it is done, inf where it never is."""
        return self.timed.seconds

    @property
    def ends(self) -> bool:
        """Whether it is ever done."""
        return self.seconds < inf

    @cached_property
    def flights(self) -> Flights:
        """Its moves by its timing."""
        return flights_of(self.board, self.timed.timing)

    @property
    def until(self) -> float:
        """When nothing of it moves any more: it is done, or stands still for ever."""
        return self.seconds if self.ends else self.flights.seconds

    def stands(self, now: float) -> bool:
        """Whether it stands still for ever."""
        return not self.ends and now >= self.until * (1 - ROUNDED_OFF)

    @property
    def steps(self) -> int:
        """Its steps in which a message travels."""
        return self.board.steps

    def done(self, now: float) -> int:
        """How many of these have ended by now."""
        counted = np.diff([0, *(frame.counted for frame in self.board.frames)])
        return int(counted[self.timed.timing.step_end <= now * (1 + ROUNDED_OFF)].sum())

    @property
    def rate(self) -> float:
        """Bytes of the critical path a second, beside latency."""
        moved = self.timed.bytes_seconds
        return self.path_bytes / moved if moved else 0.0
