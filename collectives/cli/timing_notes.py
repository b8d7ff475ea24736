"""What a time is made of beside messages: ranks that come late, links that are dead, many ports."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from collectives.cost.choose.ranking import RankedAlgorithm
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text
from collectives.words import listed, plural

APART = 2  # the clocks differ so much that it is told why
MOST_LISTED = 8  # ranks and links that are listed one by one


def late_report(timed: RankedAlgorithm) -> dict[str, Any] | None:
    """Who comes late, by how much, and the seconds that it adds; None where all are in time."""
    late = {rank: late for rank, late in timed.timing.costs.arrivals.items() if late}
    if not late:
        return None
    adds = timed.arrival_delay if isfinite(timed.seconds) else None
    return {"ranks": {str(rank): late[rank] for rank in sorted(late)}, "adds": adds}


def late_text(late: dict[str, Any]) -> str:
    """Who comes late, and what of the time that is."""
    every = [f"rank {rank} starts {time_text(by)} late" for rank, by in late["ranks"].items()]
    adds = late["adds"]
    effect = "" if adds is None else f"; that adds {time_text(adds) if adds else 'nothing'}"
    return listed(every, MOST_LISTED) + effect


def dead_report(timing: Timing) -> list[dict[str, Any]]:
    """The dead links over which bytes should pass, and how many."""
    topology, bytes_over = timing.topology, timing.link_bytes
    return [
        {
            "from": topology.label(int(topology.src[link])),
            "to": topology.label(int(topology.dst[link])),
            "bytes": int(bytes_over[link]),
        }
        for link in np.flatnonzero((topology.bandwidth == 0) & (bytes_over > 0)).tolist()
    ]


def dead_text(links: list[dict[str, Any]]) -> str:
    """What cannot arrive over dead links."""
    every = [f"{size_text(one['bytes'])} over {one['from']} → {one['to']}" for one in links]
    return f"cannot pass: {listed(every, MOST_LISTED)}"


def idle_report(timing: Timing) -> dict[str, Any] | None:
    """Seconds without work of each rank, from when it has come; None where the end never does."""
    if not isfinite(timing.total):
        return None
    idle = timing.idle.copy()
    for rank, late in timing.costs.arrivals.items():
        idle[rank] = max(idle[rank] - late, 0.0)
    return {
        "most": float(idle.max()),
        "rank": int(idle.argmax()),
        "mean": float(idle.mean()),
        "of_ranks": idle.tolist(),
    }


def links_text(link: dict[str, Any] | None) -> str:
    """The busiest link, what it carries and how long that takes it."""
    if link is None:
        return "none: no link carries any bytes"
    alike = link["links_alike"] - 1
    more = ""
    if alike:
        others = "other carries" if alike == 1 else f"other {alike} carry"
        more = (
            f" (the {others} the same)"
            if alike == link["links"] - 1
            else f" (as {plural(alike, 'other')})"
        )
    amount = f"{size_text(link['bytes'])} = {link['vectors']:.4g} S"
    busy = f"busy {share_text(link['share'])} of the time"
    return f"{link['from']} → {link['to']}{more}: {amount}, {busy}"


def idle_text(told: dict[str, Any]) -> str:
    """Which rank waits most, and how long all do."""
    idle, total = told["idle"], told["seconds"]
    if idle["most"] <= 1e-9 * total:
        return "no rank is"
    share = f"{share_text(idle['most'] / total)} of the time"
    text = f"at most {time_text(idle['most'])}, {share} (rank {idle['rank']}); "
    text += f"mean {time_text(idle['mean'])}, {share_text(idle['mean'] / total)}"
    return f"{text}; a late rank counts from its start" if told["late"] else text


def ports_note(timing: Timing, other: float | None) -> str | None:
    """Why the clocks differ: messages that one rank sends or receives in a step.

    other: seconds by the other clock. None where both tell about the same.
    """
    ports, name = timing.recording.counters.ports, timing.recording.algorithm
    if other is None or not (isfinite(timing.total) and isfinite(other)) or ports < 2:
        return None
    locked, flowing = (timing.total, other)[:: 1 if timing.clock == "lockstep" else -1]
    if flowing <= APART * locked:
        return None
    return (
        f"{name} uses {ports} ports at once: lockstep gives every port the same start-up at once "
        f"({time_text(locked)}), dataflow has {plural(ports, 'message')} of a rank wait for one "
        f"another at one port ({time_text(flowing)})"
    )


def share_text(share: float) -> str:
    """A part of a whole, in percent."""
    return f"{100 * share:.3g} %"
