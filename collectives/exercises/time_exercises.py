"""Exercises about time and machines: by hand on a crossbar, and across nodes."""

from __future__ import annotations

from random import Random

import numpy as np

from collectives.cost.by_name import time
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import slow_link
from collectives.exercises.cases import LEGEND, ExerciseCase
from collectives.exercises.exercise import Draft
from collectives.recording.recorder import record
from collectives.units import size_text
from collectives.words import listed, plural

MIB = 1 << 20
LATENCIES = (2, 5, 10)  # µs
BANDWIDTHS = (10, 25, 50)  # GB/s
NODE = 4  # ranks
FACTORS = (2, 3, 4)  # by which a cable is slower
CHUNKS = (1, 2, 4, 8, 16, 32)
CLEAR = 1.03  # as much as the second best number of chunks takes longer


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


def slowed_by_hand(case: ExerciseCase, random: Random) -> Draft | None:
    """How long an algorithm takes with a slow rank, one step after another."""
    recording, steps = case.recording, range(1, case.facts.last + 1)
    if recording.uneven or not case.is_printable:
        return None
    ranks, part = recording.ranks, random.choice((1, 2, 4)) * MIB
    latency, bandwidth = random.choice(LATENCIES), random.choice(BANDWIDTHS)
    rank, factor = random.randrange(ranks), random.choice(FACTORS)
    large = resized(recording, part * recording.chunk_count)
    # node number `ranks` is its switch
    machine = topology("crossbar", ranks, latency=f"{latency}us", bandwidth=f"{bandwidth}GB/s")
    healthy = lockstep(large, machine)
    slowed = slow_link(slow_link(machine, rank, ranks, factor), ranks, rank, factor)
    took = lockstep(large, slowed).total * 1e6
    waits = [any(rank in row[:2] for row in case.facts.rows(k)) for k in steps]
    carried = (healthy.step_end - healthy.step_start) * 1e6 - latency
    by_hand = latency + carried * np.where(waits, factor, 1)
    if not any(waits) or not np.isclose(by_hand.sum(), took):
        return None  # in some step another rank is busy for longer
    return Draft(
        case.title,
        f"A step takes {latency} µs and, for what its busiest port carries in one direction, "
        f"{bandwidth} GB/s (10⁹ bytes a second); each chunk has {size_text(part)} (1 MiB is "
        f"1,048,576 bytes). Now the cable of rank {rank} has 1/{factor} of that bandwidth, both "
        f"ways. How many µs does it take, one step after another? {LEGEND}",
        f"rank {rank} takes part in {sum(waits)} of {plural(len(waits), 'step')}, whose "
        f"bytes take {factor} times as long: {took:.5g} µs instead of {healthy.total * 1e6:.5g} µs",
        case.printed(),
        value=took,
        unit="µs",
    )


def best_chunks(case: ExerciseCase, random: Random) -> Draft | None:
    """With how many chunks a pipeline is the fastest."""
    own, row = case.recording, case.recording.row
    if row is None or "chunks" not in row.parameters or own.uneven or own.nodes > own.ranks:
        return None
    size, latency = random.choice((1, 2, 4, 8)) * MIB, random.choice(LATENCIES)
    bandwidth, names = random.choice(BANDWIDTHS), (own.collective.name, row.algorithm)
    cut = [record(*names, ranks=own.ranks, root=own.root, chunks=chunks) for chunks in CHUNKS]
    machine = topology("crossbar", own.ranks, latency=f"{latency}us", bandwidth=f"{bandwidth}GB/s")
    took = [time(run, machine, size=size).total * 1e6 for run in cut]
    steps = [run.counters.steps for run in cut]
    by_hand = [
        number * (latency + size / chunks / bandwidth / 1e3)
        for number, chunks in zip(steps, CHUNKS, strict=True)
    ]
    best, second = sorted(took)[:2]
    if second < CLEAR * best or not np.allclose(took, by_hand):
        return None  # in the second case some step carries more than a chunk
    numbers = (listed([*map(str, counts)]) for counts in (CHUNKS, steps))
    return Draft(
        case.title,
        "In {} equal chunks it takes {} steps. ".format(*numbers)
        + f"A step takes {latency} µs and, for one chunk, {bandwidth} GB/s (10⁹ bytes a second). "
        f"The vector has {size_text(size)} (1 MiB is 1,048,576 bytes). With which of these numbers "
        "of chunks is it the fastest?",
        f"timed, they take {listed([f'{micros:.4g}' for micros in took])} µs",
        value=CHUNKS[took.index(best)],
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
