"""Why it takes as long as it does, and why one algorithm is the fastest: each in a sentence."""

from __future__ import annotations

from math import isfinite

import numpy as np

from collectives.cost.best import Ranking, Timed
from collectives.cost.units import size_text, time_text

SAME = 0.001  # of a time: less apart is as fast


def limit(timed: Timed) -> str:
    """What limits an algorithm: latency, a link, or waiting."""
    timing = timed.timing
    if not isfinite(timing.total):
        return "it never ends"
    if not timing.total:
        return "nothing is sent"
    share, steps = timed.latency / timing.total, timing.recording.counters.steps
    if share >= 0.5:
        return (
            f"{_percent(share)} of the time is latency, of {_steps(steps)}: "
            "fewer steps would help, faster links would not"
        )
    return f"{_percent(share)} of the time is latency; {_busiest(timed)}"


def _busiest(timed: Timed) -> str:
    """What the busiest link carries, and whether that is what takes the time."""
    timing = timed.timing
    use = timing.link_use
    most = float(use.max())
    first = int(use.argmax())
    alike = int((use >= most * (1 - SAME)).sum()) - 1
    label = timing.topology.link_label(first)
    others = f" and {alike} other links carry" if alike > 1 else " carries"
    others = " and another link carry" if alike == 1 else others
    carried = f"{label}{others} {size_text(int(timing.link_bytes[first]))}"
    each = " each" if alike else ""
    told = f"{carried}{each}, for which {_percent(most)} of it would do"
    return told if most + timed.latency / timing.total < 0.9 else f"{carried}{each} in the rest"


def why_best(ranking: Ranking) -> str:
    """Why the first of a ranking is: beside the next that is slower, and the one after the same.

    Compared are the two parts of a time: latency (steps), and what bytes add to it (links).
    """
    best = ranking.best
    if not isfinite(best.seconds):
        return "no algorithm ever ends here"
    slower = [one for one in ranking.timed if one.seconds > best.seconds * (1 + SAME)]
    name = best.row.algorithm
    as_fast = [
        one.row.algorithm for one in ranking.timed[1:] if one.seconds <= best.seconds * (1 + SAME)
    ]
    also = f"; as fast, within 0.1 %: {_listed(as_fast)}" if as_fast else ""
    if not slower:
        alone = "it is the only one that runs here" if not as_fast else "all that run here tie"
        return f"{name}: {alone}{also}"
    return f"{name}: {_compared(best, slower[0])}{also}"


def _compared(best: Timed, other: Timed) -> str:
    """What the best has ahead of another."""
    name = other.row.algorithm
    if not isfinite(other.seconds):
        return f"{name} never ends"
    steps = best.timing.recording.counters.steps, other.timing.recording.counters.steps
    least = best.seconds * SAME
    sooner, faster = other.latency - best.latency, other.moving - best.moving
    in_steps = f"latency of {time_text(best.latency)} ({_steps(steps[0])})"
    in_steps += f" instead of {time_text(other.latency)} ({_steps(steps[1])})"
    in_bytes = f"its bytes take {time_text(best.moving)} instead of {time_text(other.moving)}"
    in_bytes += _links(best, other)
    if sooner > least and faster > least:
        return f"beside {name}, {in_steps}, and {in_bytes}"
    if faster > least:
        more = f", which outweighs {time_text(-sooner)} more latency" if -sooner > least else ""
        return f"beside {name}, {in_bytes}{more}"
    more = f", which outweighs {time_text(-faster)} more for bytes" if -faster > least else ""
    rest = more or ", and its bytes take as long"
    return f"beside {name}, {in_steps}{rest}"


def _links(best: Timed, other: Timed) -> str:
    """How many vectors the busiest link carries in both, where that differs."""
    size = best.timing.recording.count
    if not size:
        return ""
    loads = [
        float(np.max(one.timing.link_seconds * one.timing.topology.bandwidth, initial=0.0)) / size
        for one in (best, other)
    ]
    if abs(loads[0] - loads[1]) <= SAME * max(loads):
        return ""
    return f" ({loads[0]:.3g} vectors over the busiest link, not {loads[1]:.3g})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 or not share else f"{100 * share:.1g} %"


def _steps(number: int) -> str:
    return f"{number} step" + ("s" if number != 1 else "")


def _listed(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if names[most:] else "")
