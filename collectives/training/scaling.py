"""How training scales: efficiency, the communication wall, the bandwidth it takes, its price.

Sizes are in bytes, times in seconds, bandwidths in bytes per second in one direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collectives.errors import BadInput
from collectives.training.gradients import MOST_RANKS, serial_share, volume
from collectives.values import not_negative, positive, seconds, share, whole


def minimum_bandwidth(
    size: float,
    ranks: int,
    compute: float,
    efficiency: float,
    latency: float = 0.0,
    hidden: float = 0.0,
    algorithm: str = "ring",
) -> float:
    """Bytes per second that each rank needs for an efficiency: compute over the whole step.

    hidden: seconds of the synchronization that overlap with compute. With efficiency 1/2 and
    nothing hidden, communication takes as long as compute.
    """
    compute = positive("compute", compute, "s")
    goal, hidden = share("efficiency", efficiency), seconds("hidden", hidden)
    if not goal:
        raise BadInput("efficiency 0: any bandwidth will do; try: 0.01")
    room = compute * (1 / goal - 1) + hidden
    lost = volume("all_reduce", algorithm, ranks).steps * seconds("latency", latency)
    if room <= lost:
        near = compute / (compute + 2 * lost - hidden) if lost else 0.99
        raise BadInput(
            f"efficiency {efficiency}: {room:.3g} s are left for communication, but latency "
            f"alone takes {lost:.3g} s; try: {near:.3g}"
        )
    passed = serial_share("all_reduce", algorithm, ranks)
    return float(passed) * positive("size", size, "bytes") / (room - lost)


def efficiency(compute: float, exposed: float) -> float:
    """The part of a step that is compute; `exposed` is communication that nothing hides."""
    compute = positive("compute", compute, "s")
    return compute / (compute + seconds("exposed", exposed))


@dataclass(frozen=True)
class Scaling:
    """A step on so many ranks: its seconds, and speed-up and efficiency against one rank."""

    ranks: int
    seconds: float
    speedup: float
    efficiency: float


Sync = Callable[[int], float]


def weak_scaling(compute: float, sync: Sync, ranks: int) -> Scaling:
    """Each rank computes as long as one alone: the work grows with the ranks.

    Gustafson, Reevaluating Amdahl's law, CACM 31(5), 1988. sync(ranks): exposed seconds.
    """
    ranks = whole("ranks", ranks, minimum=1, maximum=MOST_RANKS)
    part = efficiency(compute, sync(ranks) if ranks > 1 else 0.0)
    return Scaling(ranks, compute / part, ranks * part, part)


def strong_scaling(compute: float, sync: Sync, ranks: int) -> Scaling:
    """The ranks share the work that takes one of them `compute` seconds.

    Amdahl, AFIPS 1967, with a synchronization that depends on the number of ranks.
    """
    ranks = whole("ranks", ranks, minimum=1, maximum=MOST_RANKS)
    part = efficiency(positive("compute", compute, "s") / ranks, sync(ranks) if ranks > 1 else 0.0)
    return Scaling(ranks, compute / ranks / part, ranks * part, part)


def amdahl(serial: float, ranks: int) -> float:
    """The speed-up if a part of the work is done by one rank: Amdahl, AFIPS 1967.

    >>> amdahl(0.0, 8), round(amdahl(0.01, 10**6), 2)
    (8.0, 99.99)
    """
    part = share("serial", serial)
    return 1 / (part + (1 - part) / whole("ranks", ranks, minimum=1))


def amdahl_limit(serial: float) -> float:
    """The speed-up that no number of ranks exceeds; infinite if nothing is serial."""
    part = share("serial", serial)
    return 1 / part if part else float("inf")


def communication_wall(
    compute: Callable[[int], float], sync: Sync, max_ranks: int = MOST_RANKS
) -> int | None:
    """The least number of ranks of which communication takes longer than compute, if any.

    compute(ranks), in seconds, must not grow with the ranks, sync(ranks) not fall: then there
    is one such number, and bisection finds it. One rank alone has no communication.
    """
    max_ranks = whole("max_ranks", max_ranks, minimum=1, maximum=MOST_RANKS)
    if max_ranks == 1:
        return None

    def longer(ranks: int) -> bool:
        return seconds("sync", sync(ranks)) > seconds("compute", compute(ranks))

    low, high = 1, 2
    while not longer(min(high, max_ranks)):
        if high >= max_ranks:
            return None
        low, high = high, 2 * high
    high = min(high, max_ranks)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if longer(middle) else (middle, high)
    return high


def dollars_per_step(price: float, ranks: int, step: float) -> float:
    """Dollars of a step of so many seconds, at a price of each GPU per hour."""
    hourly = not_negative("price", price, "dollars per hour")
    return hourly / 3600 * whole("ranks", ranks, minimum=1) * seconds("step", step)
