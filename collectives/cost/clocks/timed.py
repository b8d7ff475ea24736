"""What the clocks hand over, run of equal steps by run: the times of its messages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collectives.cost.clocks.step_messages import Load
from collectives.cost.machines.paths import Floats, Integers

Own = tuple[Integers, Floats, Floats]


@dataclass(slots=True)
class Timed:
    """Steps of one load, each `length` after the one before it, with the times of its messages.

    `spread` is start, end of sending and end of each message, from `base` on. alone: whether
    nothing else happens from the start of the first to the end of the last of these steps.
    own: nodes that add something of their own, and from when until when.
    """

    load: Load
    base: float
    spread: tuple[Floats, Floats, Floats]
    times: int = 1
    length: float = 0.0
    alone: bool = False
    own: Own | None = None

    @property
    def at(self) -> Floats:
        """When each of these steps begins; a step after one that never ends never does."""
        later = np.arange(1, self.times) * self.length
        return self.base + np.concatenate([[0.0], later])
