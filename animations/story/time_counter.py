"""The counter of time: what the lockstep clock says after each step, on a machine that is named."""

from __future__ import annotations

import re

import numpy as np

from animations.story.counters import Tally
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rate_text

USUAL = "crossbar"
MOST_LABEL, MOST_NAME = 33, 24  # letters, so that the numbers have room beside them
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))


def time_row(recording: Recording, topology: Topology | None = None) -> Tally:
    """The time so far in each state: of the `lockstep` clock, to the last digit.

    Without a topology: on a crossbar of 5 µs a message and 50 GB/s a port, in each direction.

    The lower bound is that of `time_bound`: so many steps, each of at least the latency between
    two ranks, and the bytes of the busiest rank. Lockstep cannot beat the sum. A step in which a
    message travels takes that latency and then as long as the bytes of each of its senders
    take to leave, so all steps together take that latency once for each, and there are at least
    as many as the bound of steps says; and as long as the bytes of any one rank take, so also of
    the one that sends most, and that are at least as many as the bound of bytes says. There is
    none where switches or servers take part.
    """
    machine = topology_for(recording, USUAL) if topology is None else topology
    timing = lockstep(recording, machine)
    least = time_bound(recording, machine, timing.costs)
    values = (0.0, *timing.step_end.tolist())
    return Tally(
        _label(recording, machine),
        values,
        tuple(map(time_words, values)),
        None if least is None else least.seconds,
        "" if least is None else time_words(least.seconds),
    )


def time_words(seconds: float) -> str:
    """Seconds to three digits with a unit.

    >>> time_words(5e-6), time_words(0.0123456), time_words(0.0), time_words(0.9999e-3)
    ('5 µs', '12.3 ms', '0 s', '1 ms')
    """
    if not seconds:
        return "0 s"
    told = ((float(f"{seconds / scale:.3g}"), unit) for scale, unit in UNITS)
    number, unit = next((each for each in told if each[0] >= 1), (seconds / UNITS[-1][0], "ps"))
    return f"{number:.0f} {unit}" if 1000 <= number < 1e5 else f"{number:.3g} {unit}"


def _label(recording: Recording, machine: Topology) -> str:
    """What is timed: the machine, and what every message takes, where all take the same."""
    name = " ".join(machine.name.split())
    name = name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"
    figures = _figures(recording, machine)
    of_ranks = machine.lanes[np.minimum(machine.src, machine.dst) < machine.ranks]
    plain = machine.name == USUAL and not machine.shared and int(of_ranks.max()) == 1
    if plain:
        return f"time at {figures}" if figures else "time"
    whole = f"time on {name}, {figures}"
    return whole if figures and len(whole) <= MOST_LABEL else f"time on {name}"


def _figures(recording: Recording, machine: Topology) -> str:
    """Latency and bandwidth between all nodes that exchange messages, if they are the same."""
    pairs = recording.counters.links
    if not len(pairs):
        return ""
    placement = machine.placement(recording.ranks, recording.nodes, recording.title)
    paths = machine.paths(*placement[pairs].T)
    late, fast = paths.total(machine.latency), paths.least(machine.bandwidth)
    if np.ptp(late) > 1e-9 * late.max() or np.ptp(fast) > 0:
        return ""
    rate = re.sub(r"(?<=\d)(?=[A-Za-z])", " ", rate_text(float(fast[0])), count=1)
    return f"{time_words(float(late[0]))} + {rate}"
