"""Exercises about time and machines: by hand on a crossbar, and across nodes."""

from __future__ import annotations

from random import Random

import numpy as np

from collectives.cost.by_name import time
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import slow_link
from collectives.cost.machines.topology import Topology
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
    return _by_hand(case, random, 1)


def slowed_by_hand(case: ExerciseCase, random: Random) -> Draft | None:
    """How long an algorithm takes with a slow cable, one step after another."""
    return _by_hand(case, random, random.choice(FACTORS)) if case.is_printable else None


def _by_hand(case: ExerciseCase, random: Random, factor: int) -> Draft | None:
    """How long it takes with a cable that carries 1/factor."""
    recording, ranks = case.recording, case.recording.ranks
    if recording.uneven or recording.nodes > ranks:
        return None
    part = random.choice((1, 2, 4)) * MIB
    size = recording.chunk_count * part
    latency, machine, bandwidth = _machine(ranks, random)
    rank, large = random.randrange(ranks), resized(recording, size)
    healthy = lockstep(large, machine)
    # node number `ranks` is the switch of a crossbar
    slowed = slow_link(slow_link(machine, rank, ranks, factor), ranks, rank, factor)
    took = lockstep(large, slowed).total * 1e6
    steps = range(1, case.facts.last + 1)
    parts = [any(rank in row[:2] for row in case.facts.rows(k)) for k in steps]
    bytes_time = (healthy.step_end - healthy.step_start) * 1e6 - latency
    waits = len(parts) * latency
    if not np.isclose(waits + bytes_time @ np.where(parts, factor, 1), took):
        return None  # in some step another rank is busy for longer
    cable = f"Now the cable of rank {rank} has 1/{factor} of that bandwidth, both ways. "
    why = f"; rank {rank} is in {sum(parts)} of them, whose bytes take {factor} times as long"
    slow = factor > 1
    return Draft(
        case.title,
        f"A step takes {latency} µs and, for what its busiest port carries in one direction, "
        f"{bandwidth} (10⁹ bytes a second). The vector has {size_text(size)} in "
        f"{plural(recording.chunk_count, 'chunk')}, {size_text(part)} each "
        f"(1 MiB is 1,048,576 bytes). {cable * slow}How many µs does it take, one step after "
        f"another?{f' {LEGEND}' * slow}",
        f"{plural(len(parts), 'step')} × {latency} µs = {waits} µs, and the bytes of the busiest "
        f"ports take {took - waits:.5g} µs{why * slow}",
        case.printed() if slow else (),
        value=took,
        unit="µs",
    )


def _machine(ranks: int, random: Random) -> tuple[int, Topology, str]:
    """A crossbar: its latency in µs, itself, and its bandwidth as text."""
    latency, bandwidth = random.choice(LATENCIES), f"{random.choice(BANDWIDTHS)} GB/s"
    machine = topology("crossbar", ranks, latency=f"{latency}us", bandwidth=bandwidth)
    return latency, machine, bandwidth


def best_chunks(case: ExerciseCase, random: Random) -> Draft | None:
    """With how many chunks a pipeline is the fastest."""
    own, row = case.recording, case.recording.row
    if row is None or "chunks" not in row.parameters or own.uneven or own.nodes > own.ranks:
        return None
    size, names = random.choice((1, 2, 4, 8)) * MIB, (own.collective.name, row.algorithm)
    latency, machine, bandwidth = _machine(own.ranks, random)
    cut = [record(*names, ranks=own.ranks, root=own.root, chunks=chunks) for chunks in CHUNKS]
    took = [time(run, machine, size=size).total * 1e6 for run in cut]
    steps = [run.counters.steps for run in cut]
    whole = size / machine.bandwidth[0] * 1e6
    by_hand = np.array(steps) * (latency + whole / np.array(CHUNKS))
    best, second = sorted(took)[:2]
    if second < CLEAR * best or not np.allclose(took, by_hand):
        return None  # in the second case some step carries more than a chunk
    numbers = (listed([*map(str, counts)]) for counts in (CHUNKS, steps))
    return Draft(
        case.title,
        "In {} equal chunks it takes {} steps. ".format(*numbers)
        + f"A step takes {latency} µs and, for one chunk, {bandwidth} (10⁹ bytes a second). "
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
