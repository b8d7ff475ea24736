"""What a message costs beside its links: start-up, additions, LogGP, who arrives late, jitter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collectives.errors import BadInput
from collectives.values import positive, seconds, whole


@dataclass(frozen=True)
class LogGP:
    """Latency L, overhead o, gap g in seconds, and G seconds per byte.

    A message of b bytes is there after o + (b - 1) G + L + o. Its sender can start the next
    one max(g, o + (b - 1) G) after it. On a crossbar without latency of its own, where no port
    has two messages at once, this is alpha-beta with alpha = L + 2 o - G and beta = G.
    """

    L: float
    o: float
    g: float
    G: float

    def __post_init__(self) -> None:
        """Refuse what is no time."""
        for letter in ("L", "o", "g", "G"):
            seconds(letter, getattr(self, letter))


@dataclass(frozen=True)
class Costs:
    """What a message costs beside the links of its path; all zero unless given.

    By default (alpha-beta) a message of b bytes takes `latency` and the latencies of its links,
    then its bytes flow at the rate the links leave to it; it holds the port it leaves by and
    the port it comes in by from its start until its last byte is there. gamma: seconds for each
    byte that is added, spent by the receiver, whose port stays held; switches add as fast as
    bytes come. Bytes copied within a node cost nothing. loggp: holds the ports for less.
    eager: messages of more bytes are sent when the receiver is ready for them, after a round
    trip that asks for it (rendezvous); None: no message asks. arrivals: when each rank comes
    to the collective, in seconds; ranks left out are there at 0. slowness: how many times
    longer a rank takes to add. jitter: every message takes up to so many seconds longer, by
    random numbers made from `seed`.
    """

    latency: float = 0.0
    gamma: float = 0.0
    loggp: LogGP | None = None
    eager: int | None = None
    arrivals: Mapping[int, float] = field(default_factory=dict)
    slowness: Mapping[int, float] = field(default_factory=dict)
    jitter: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no time, no rank or no factor."""
        for name in ("latency", "gamma", "jitter"):
            seconds(name, getattr(self, name))
        if self.eager is not None:
            whole("eager", self.eager, 0)
        whole("seed", self.seed, 0)
        for rank, late in self.arrivals.items():
            seconds(f"arrival of rank {whole('rank', rank, 0)}", late)
        for rank, factor in self.slowness.items():
            positive(f"slowness of rank {whole('rank', rank, 0)}", factor)

    def check_ranks(self, ranks: int) -> None:
        """Raise BadInput where a rank is spoken of that does not exist."""
        for rank in (*self.arrivals, *self.slowness):
            if rank >= ranks:
                raise BadInput(f"rank {rank} of {ranks}; nearest: {ranks - 1}")
