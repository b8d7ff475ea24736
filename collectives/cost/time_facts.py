"""What is known of a time beside its seconds: the busiest link, phases, waiting, bandwidths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import numpy as np

from collectives.cost import busbw
from collectives.cost.busbw import Bandwidths
from collectives.cost.choose.explain import vectors_over_busiest_link
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text
from collectives.words import listed, plural

CLOCKS_DIFFER = 2  # the clocks differ so much that the reason is given
ALIKE = 1e-6  # of its seconds: links less apart are as busy
MOST_LISTED = 8  # ranks and links that are listed one by one


@dataclass(frozen=True)
class CarryingLink:
    """A link and the bytes that pass it, or should."""

    start: str
    end: str
    bytes: int

    @classmethod
    def of(cls, timing: Timing, link: int, moved: int) -> CarryingLink:
        """The link of this number."""
        src, dst = timing.topology.src[link], timing.topology.dst[link]
        return cls(timing.topology.label(int(src)), timing.topology.label(int(dst)), moved)

    def as_json(self) -> dict[str, Any]:
        """Its fields by name."""
        return {"from": self.start, "to": self.end, "bytes": self.bytes}


@dataclass(frozen=True)
class BusiestLink:
    """The link that would take longest for what it carries, with those that are as busy.

    shared_by: directions that share its capacity. share: of the time, in which it is busy.
    """

    link: CarryingLink
    shared_by: int
    vectors: float | None
    seconds: float
    share: float
    links_alike: int
    links: int

    def __str__(self) -> str:
        """What it carries, and how long that takes it."""
        alike = self.links_alike - 1
        others = f"{plural(alike, 'other')} {'carries' if alike == 1 else 'carry'}"
        if alike == self.links - 1:
            others = "the other carries" if alike == 1 else f"the other {alike} carry"
        more = f" ({others} the same)" if alike else ""
        way = "→" if self.shared_by == 1 else "↔"
        amount = f"{size_text(self.link.bytes)} = {self.vectors:.4g} S"
        busy = f"busy {percent_text(self.share)} of the time"
        return f"{self.link.start} {way} {self.link.end}{more}: {amount}, {busy}"

    def as_json(self) -> dict[str, Any]:
        """Its fields by name."""
        return self.link.as_json() | {k: v for k, v in asdict(self).items() if k != "link"}


def busiest_link(timing: Timing) -> BusiestLink | None:
    """The busiest link; None where nothing ever ends or no link carries any bytes."""
    seconds, topology = timing.link_seconds, timing.topology
    if not isfinite(timing.total) or not seconds.max(initial=0.0) > 0:
        return None
    link = int(seconds.argmax())
    longest, group = float(seconds[link]), topology.group
    return BusiestLink(
        CarryingLink.of(timing, link, int(timing.shared_bytes[link])),
        int((group == group[link]).sum()),
        vectors_over_busiest_link(timing),
        longest,
        longest / timing.total,
        len(np.unique(group[seconds >= longest * (1 - ALIKE)])),
        len(topology.capacity),
    )


def dead_links(timing: Timing) -> list[CarryingLink]:
    """The dead links over which bytes should pass, and how many."""
    dead = (timing.topology.bandwidth == 0) & (timing.link_bytes > 0)
    numbers = np.flatnonzero(dead).tolist()
    return [CarryingLink.of(timing, link, int(timing.link_bytes[link])) for link in numbers]


def late_ranks(timing: Timing) -> dict[int, float]:
    """Ranks that come late, and by how many seconds."""
    return {rank: by for rank, by in sorted(timing.costs.arrivals.items()) if by}


def late_text(delays: Mapping[int, float], adds: float | None = None) -> str:
    """Who comes late, and what of the time that is."""
    every = [f"rank {rank} starts {time_text(by)} late" for rank, by in delays.items()]
    effect = "" if adds is None else f"; that adds {time_text(adds) if adds else 'nothing'}"
    return listed(every, MOST_LISTED) + effect


def idle_seconds(timing: Timing) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Seconds without work of each rank, from when it has come."""
    idle = timing.idle.copy()
    for rank, delay in timing.costs.arrivals.items():
        idle[rank] = max(idle[rank] - delay, 0.0)
    return idle


def idle_values(timing: Timing) -> dict[str, Any]:
    """The same as values: the longest, of which rank, the mean, and of all ranks."""
    idle = idle_seconds(timing)
    of_one = {"most": float(idle.max()), "rank": int(idle.argmax()), "mean": float(idle.mean())}
    return of_one | {"of_ranks": idle.tolist()}


def bandwidths_of(timing: Timing, size: int) -> Bandwidths | None:
    """algbw and busbw, where nccl-tests have them."""
    recording, seconds = timing.recording, timing.total
    name = recording.collective.name
    if name not in {*busbw.SIZES, *busbw.OTHER_NAMES} or not size or not 0 < seconds < float("inf"):
        return None
    return busbw.bandwidths(name, recording.ranks, size, seconds)


def bandwidth_values(bandwidths: Bandwidths | None) -> dict[str, float | None]:
    """Both as values, by name."""
    return {"algbw": None, "busbw": None} if bandwidths is None else dict(vars(bandwidths))


def ports_note(timing: Timing, by_other: float | None) -> str | None:
    """Why the clocks differ: messages that one rank sends or receives in a step.

    by_other: seconds by the other clock. None where both tell about the same.
    """
    ports, name = timing.recording.counters.ports, timing.recording.algorithm
    if by_other is None or not (isfinite(timing.total) and isfinite(by_other)) or ports < 2:
        return None
    locked, flowing = (timing.total, by_other)[:: 1 if timing.clock == "lockstep" else -1]
    if flowing <= CLOCKS_DIFFER * locked:
        return None
    return (
        f"{name} uses {ports} ports at once: lockstep gives every port the same start-up at once "
        f"({time_text(locked)}), dataflow has {plural(ports, 'message')} of a rank wait for one "
        f"another at one port ({time_text(flowing)})"
    )


def seconds_text(value: float) -> str:
    """A time, or that it never ends."""
    return time_text(value) if isfinite(value) else "never ends"


def percent_text(share: float) -> str:
    """A part of a whole, in percent."""
    return f"{100 * share:.3g} %"
