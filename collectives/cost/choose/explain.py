"""Why it takes as long as it does, and why one algorithm is the fastest: each in a sentence."""

from __future__ import annotations

from math import isfinite

import numpy as np

from collectives.cost.choose.ports import AS_FAST
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text
from collectives.words import listed, percent, plural

AS_BUSY = 1e-3  # of its use: links less apart are as busy
A_REASON = 1 / 4  # of a difference in time: what bytes on a link explain at least, to be named


def bottleneck(timed: RankedAlgorithm) -> str:
    """What limits an algorithm: latency, a link, or waiting."""
    timing = timed.timing
    if not isfinite(timing.total):
        return "it never ends"
    if not timing.total:
        return "nothing is sent"
    text = f"{_delay(timed)}{_limit(timed)}"
    return f"{text[0].upper()}{text[1:]}"


def _delay(timed: RankedAlgorithm) -> str:
    """What ranks that arrive late add to the time."""
    share = timed.arrival_delay / timed.seconds
    if share < AS_FAST / 2:
        return ""
    ranks = [rank for rank, seconds in timed.timing.costs.arrivals.items() if seconds]
    who = f"rank {ranks[0]} arrives late and adds"
    if len(ranks) > 1:
        who = f"{len(ranks)} ranks arrive late and add"
    return f"{who} {percent(share)} of the time; "


def _limit(timed: RankedAlgorithm) -> str:
    timing = timed.timing
    share, steps = timed.latency / timing.total, timing.recording.counters.steps
    if share >= 0.5:
        helps = "fewer or shorter steps" if steps > 1 else "a shorter step"
        return (
            f"the latency of {plural(steps, 'step')} takes {percent(share)} of the time: "
            f"{helps} would help, faster links would not"
        )
    return f"latency takes {percent(share)} of the time; {_busiest(timed)}"


def _busiest(timed: RankedAlgorithm) -> str:
    """What the busiest link carries, and whether that is what takes the time."""
    timing = timed.timing
    use = timing.link_use
    longest = float(use.max())
    first = int(use.argmax())
    busy = timing.topology.group[use >= longest * (1 - AS_BUSY)]
    alike, label = len(np.unique(busy)), timing.topology.cable_label(first)
    size = size_text(int(timing.shared_bytes[first]))
    if longest + (timed.latency + timed.arrival_delay) / timing.total > 0.9:
        links = f"each of {alike} links, such as {label}" if alike > 1 else label
        return f"the rest is {size} over {links}"
    carry = f"the busiest link, {label}, carries {size} and is"
    if alike > 1:
        carry = f"the {alike} busiest links, such as {label}, carry {size} each and are"
    return f"{carry} busy {percent(longest)} of the time: the rest is waiting"


def why_best(ranking: Ranking) -> str:
    """Why the first of a ranking is the fastest: what it has ahead of the next that is slower.

    Compared are the two parts of a time: latency (steps), and what bytes add to it (links).
    """
    best = ranking.best
    if not isfinite(best.seconds):
        return "no algorithm ever ends here"
    slower = [slow for slow in ranking.timed if slow.seconds > best.seconds * (1 + AS_FAST)]
    name = best.name
    as_fast = [
        near.name for near in ranking.timed[1:] if near.seconds <= best.seconds * (1 + AS_FAST)
    ]
    also = f"; within 1 % of it: {listed(as_fast, 6)}" if as_fast else ""
    if not slower:
        alone = "it is the only one that runs here" if not as_fast else "all that run here tie"
        if ranking.crowded and not as_fast:
            alone = "all others need ports that take more messages at once"
        return f"{name}: {alone}{also}"
    return f"{name}: {difference(best, slower[0])}{also}"


def difference(best: RankedAlgorithm, row: RankedAlgorithm, name: str = "") -> str:
    """What the best has ahead of another, which is called by this name."""
    name = name or row.name
    if not isfinite(row.seconds):
        return f"{name} never ends"
    steps = [row.timing.recording.counters.steps for row in (best, row)]
    margin = best.seconds * AS_FAST / 2
    sooner, faster = row.latency - best.latency, row.bytes_seconds - best.bytes_seconds
    latency = f"{time_text(best.latency)} of latency in {plural(steps[0], 'step')}"
    latency += f", {name} {time_text(row.latency)} in {steps[1]}"
    times = time_text(best.bytes_seconds), time_text(row.bytes_seconds)
    moved = f"its bytes take {times[0]}, those of {name} {times[1]}"
    moved += _links(best, row)
    if sooner > margin and faster > margin:
        return f"{moved}; and it has {latency}"
    if faster > margin:
        more = f", which outweighs {time_text(-sooner)} more latency" if -sooner > margin else ""
        return moved + more
    more = f", which outweighs {time_text(-faster)} more for bytes" if -faster > margin else ""
    alike = "; their bytes take as long" if best.bytes_seconds else "; there are no bytes"
    return f"it has {latency}{more or alike}"


def _links(best: RankedAlgorithm, row: RankedAlgorithm) -> str:
    """Vectors over the busiest links of both, where these alone are a reason.

    So the links are as fast as each other, and the difference is a good part of that in time.
    """
    mine, others = vectors_over_busiest_link(best.timing), vectors_over_busiest_link(row.timing)
    speeds = {busiest_bandwidth(entry.timing) for entry in (best, row)}
    if mine is None or others is None or len(speeds) > 1:
        return ""
    more, longer = others / mine - 1, row.bytes_seconds - best.bytes_seconds
    if more < AS_FAST or more * best.bytes_seconds < A_REASON * longer:
        return ""
    noun = "vector" if mine == 1 else "vectors"
    return f" ({mine:.3g} {noun} over the busiest link, not {others:.3g})"


def busiest_bandwidth(timing: Timing) -> float:
    """The bandwidth of the link that is busy longest, in bytes per second."""
    return float(timing.topology.bandwidth[int(timing.link_seconds.argmax())])


def vectors_over_busiest_link(timing: Timing) -> float | None:
    """How many vectors the busiest link carries, with those that share its capacity; or None."""
    size = timing.recording.count * timing.recording.dtype.itemsize
    seconds = timing.link_seconds
    if not size or not seconds.max(initial=0.0) > 0:
        return None
    return float(timing.shared_bytes[int(seconds.argmax())]) / size
