"""Exercises about time and machines: by hand on a crossbar, and across nodes."""

from __future__ import annotations

from random import Random

from collectives.cost.by_name import time
from collectives.exercises.cases import ExerciseCase
from collectives.exercises.exercise import Draft
from collectives.recording.recorder import record
from collectives.units import size_text
from collectives.words import listed, plural

MIB = 1 << 20
LATENCIES = (2, 5, 10)  # µs
BANDWIDTHS = (10, 25, 50)  # GB/s
NODE = 4  # ranks


def time_by_hand(case: ExerciseCase, random: Random) -> Draft | None:
    """How long an algorithm takes by α and B, one step after another."""
    recording = case.recording
    if recording.uneven or recording.nodes > recording.ranks:
        return None
    size = recording.chunk_count * random.choice((1, 2, 4)) * MIB
    latency, bandwidth = random.choice(LATENCIES), random.choice(BANDWIDTHS)
    timing = time(
        recording, "crossbar", size=size, latency=f"{latency}us", bandwidth=f"{bandwidth}GB/s"
    )
    waits = recording.counters.steps * latency
    micros = timing.total * 1e6
    carried = (micros - waits) * bandwidth * 1e3  # bytes
    part = size_text(size // recording.chunk_count)
    return Draft(
        case.title,
        f"A step takes {latency} µs and, for what its busiest port carries in one direction, "
        f"{bandwidth} GB/s (10⁹ bytes a second). The vector has {size_text(size)} in "
        f"{plural(recording.chunk_count, 'chunk')}, {part} each (1 MiB is 1,048,576 bytes). How "
        "many µs does it take, one step after another?",
        f"{plural(recording.counters.steps, 'step')} × {latency} µs = {waits} µs, and the busiest "
        f"ports of the steps carry {size_text(round(carried))} in all: {micros - waits:.5g} µs",
        value=micros,
        unit="µs",
    )


def ring_placed(case: ExerciseCase, random: Random) -> Draft | None:
    """How many messages of a step of a ring cross between two nodes, ranks placed at random."""
    if case.recording.algorithm != "ring":
        return None
    recording = record(case.recording.collective.name, "ring", ranks=2 * NODE)
    first = sorted(random.sample(range(recording.ranks), NODE))
    second = [rank for rank in range(recording.ranks) if rank not in first]
    links = recording.counters.links.tolist()
    if len(links) != recording.ranks:  # a chain to or from a root
        return None
    crossing = [(src, dst) for src, dst in links if (src in first) != (dst in first)]
    names = listed([f"{src}→{dst}" for src, dst in crossing])
    return Draft(
        f"{recording.heading} on {recording.ranks} ranks",
        f"Ranks {listed([str(rank) for rank in first])} are on one node, "
        f"{listed([str(rank) for rank in second])} on another. Each step has one message from "
        "every rank to the next, from the last to rank 0. How many of a step's messages cross "
        "from node to node?",
        f"{names} cross; there are never fewer than 2, one each way",
        value=len(crossing),
    )
