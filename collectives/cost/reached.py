"""How near a time comes to what the narrowest cut of the machine allows."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from collectives.cost.bounds.cut import NAMES, Cut
from collectives.cost.bounds.narrowest import cut_of
from collectives.cost.bounds.parting import MOST_PARTED
from collectives.cost.clocks.timing import Timing
from collectives.cost.time_facts import percent_text
from collectives.errors import TooLarge
from collectives.units import time_text

NOT_ALL = f"the narrowest cut found: not all are tried above {MOST_PARTED} ranks"


@dataclass(frozen=True)
class Reached:
    """The cut, what a vector of `size` bytes takes at minimum, and what it took."""

    cut: Cut
    size: int
    minimum: float
    seconds: float

    @property
    def share(self) -> float:
        """The part of the time that the cut explains: 1 where nothing can be faster."""
        return self.minimum / self.seconds

    def __str__(self) -> str:
        """The share, and where the cut is."""
        share = percent_text(self.share)
        share = share if self.cut.reachable else f"at least {share}"
        where, time = self.cut.text(self.size), time_text(self.minimum)
        caveat = "" if self.cut.narrowest else f"; {NOT_ALL}"
        return (
            f"{share} of what {self.cut.topology.name} allows: {where}, which takes {time}{caveat}"
        )

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        values = {"seconds": self.minimum, "share": self.share, **self.cut.as_json()}
        return values | {"not_computed": None}


@dataclass(frozen=True)
class NoCut:
    """Why the narrowest cut was not looked for."""

    why: str

    def __str__(self) -> str:
        """That it is not known, and why."""
        return f"not computed: {self.why}"

    def as_json(self) -> dict[str, Any]:
        """The same as values: all of a cut's names, but null for what is not known."""
        return dict.fromkeys(("seconds", "share", *NAMES)) | {"not_computed": self.why}


def reached(timing: Timing) -> Reached | NoCut | None:
    """How near a timing comes to its narrowest cut; of a machine too large for one, why it is not.

    None where no cut is known to be the limit, where nothing ends or nothing moves, and by LogGP,
    where bytes have a time of their own.
    """
    size = timing.recording.case.S
    if not isfinite(timing.total) or not timing.total or not size or timing.costs.loggp:
        return None
    try:
        cut = cut_of(timing.recording, timing.topology)
    except TooLarge as problem:
        return NoCut(problem.what)
    return None if cut is None else Reached(cut, size, cut.seconds(size), timing.total)
