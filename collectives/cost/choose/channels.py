"""Rings and trees as libraries run them: in channels that use every network card of a node."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from collectives.catalog.parameters import CHANNELS, NODE_OF_CHANNELS
from collectives.cost.clocks.clock import FREE, Clock, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.recount import recounted
from collectives.words import plural

MOST_ROWS = 1 << 28  # of all channels together: a minute of work
CARD = "NIC"  # the kind of nodes by which machines leave a box
MOST_KEPT = 8  # rings in channels that are remembered


def channels_there(recording: Recording, topology: Topology) -> int:
    """How many channels a library runs an algorithm in, where nobody says how many; at least 1.

    >>> from collectives import record, topology
    >>> ring = record("all_reduce", "ring", ranks=16)
    >>> channels_there(ring, topology("cluster", 16)), channels_there(ring, topology("nvl72", 16))
    (8, 1)
    """
    row, chosen = recording.row, CHANNELS.name in recording.given
    if row is None or row.in_channels is None or chosen or recording.uneven:
        return 1
    return topology.channels if recording.ranks % topology.gpus == 0 else 1


def channel_parameters(recording: Recording, topology: Topology) -> dict[str, int]:
    """The parameters of an algorithm in as many channels as a library uses; none where one."""
    channels = channels_there(recording, topology)
    if channels == 1:
        return {}
    return {CHANNELS.name: channels, NODE_OF_CHANNELS.name: topology.gpus}


def as_libraries_run(recording: Recording, topology: Topology) -> Recording:
    """The same algorithm in as many channels as a library uses there; itself where that is one.

    What is executed and drawn is one ring unless several are asked for. Times are those of all
    channels, but for so many ranks that recording them would take minutes.
    """
    channels = channels_there(recording, topology)
    if channels == 1 or channels * recording.counters.rows > MOST_ROWS:
        return recording
    name, root, chunks = recording.collective.name, recording.root, recording.chunks
    chosen = {**recording.given, **channel_parameters(recording, topology)}
    parameters = tuple(sorted(chosen.items()))
    run = in_channels(name, recording.algorithm, recording.ranks, root, chunks, parameters)
    return recounted(run, recording.count, recording.dtype, recording.op)


@lru_cache(maxsize=MOST_KEPT)
def in_channels(
    collective: str,
    algorithm: str,
    ranks: int,
    root: int,
    chunks: int | None,
    chosen: tuple[tuple[str, int], ...],
) -> Recording:
    """An algorithm in channels, with a few bytes in each chunk: recorded once for all sizes."""
    return record(
        collective,
        algorithm,
        ranks=ranks,
        root=root,
        chunks=chunks,
        dtype="uint8",
        parameters=dict(chosen),
    )


def timed_as_run(
    recording: Recording, topology: Topology, clock: Clock = lockstep, costs: Costs = FREE
) -> Timing:
    """The timing of a recording, in as many channels as a library uses there."""
    run = as_libraries_run(recording, topology)
    timing = clock(run, topology, costs)
    return timing if run is recording else replace(timing, one_ring=recording)


def cards_note(timing: Timing) -> str:
    """How few network cards carry bytes of an algorithm that libraries run in one channel.

    Nothing where all do, where none does, or where a node has one.

    >>> from collectives import record, topology
    >>> tree = record("broadcast", "tree", ranks=16)
    >>> cards_note(lockstep(tree, topology("cluster", 16)))
    '2 of 16 NICs carry bytes, in the one channel it is written for'
    """
    machine, row = timing.topology, timing.recording.row
    cards = np.array([kind == CARD for kind, number in machine.kinds for _ in range(number)])
    if machine.channels == 1 or row is None or row.in_channels is not None:
        return ""
    ends = np.unique(np.stack([machine.src, machine.dst])[:, timing.link_bytes > 0])
    busy, every = int(cards[ends].sum()), int(cards.sum())
    if not 0 < busy < every:
        return ""
    return f"{busy} of {plural(every, CARD)} carry bytes, in the one channel it is written for"


def channels_note(recording: Recording, topology: Topology) -> str:
    """What is said of the channels of a time; nothing where one ring is all there is.

    recording: what was timed, as `as_libraries_run` returns it.
    """
    row, channels = recording.row, recording.setting.channels
    if row is None or row.in_channels is None or topology.channels == 1:
        return ""
    noun = "pair of trees" if row.structure else "ring"
    few = "uses few of the network cards" if row.structure else "leaves a node by one network card"
    if channels == 1:
        return (
            f"1 of {topology.channels} channels: one {noun} {few}; "
            f"NCCL runs {topology.channels} side by side here"
        )
    if channels != topology.channels:
        return f"{channels} channels: each is a {noun} with a share of the vector"
    return (
        f"{channels} channels, as NCCL runs them on nodes with several network cards: each is a "
        f"{noun} with a share of the vector that leaves a node by another rank"
    )
