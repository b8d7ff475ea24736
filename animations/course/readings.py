"""What lectures measure beside the readings of claims; sizes in bytes, times in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import cast

import numpy as np

from animations.course import benchmarks, examples, switch_slots, training_numbers
from collectives.catalog import find_row
from collectives.cost.by_name import time
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.ranking import time_row
from collectives.cost.clocks.timing import Timing
from collectives.cost.where import Where
from collectives.evidence.readings import READINGS, Reading
from collectives.proof.addition_order import addition_order
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.training.gradients import volume


@cache
def seconds(
    collective: str, algorithm: str, ranks: int, size: int, machine: str, clock: str = "lockstep"
) -> float:
    """Seconds an algorithm takes on a machine, with its best number of chunks.

    machine: as the command line names it, with parameters of its own behind a colon.
    """
    return _best(collective, algorithm, ranks, size, Where(machine, clock=clock)).total


def best_chunks(collective: str, algorithm: str, ranks: int, size: int, machine: str) -> int:
    """The number of chunks in which an algorithm is fastest."""
    return _best(collective, algorithm, ranks, size, Where(machine)).recording.chunk_count


def _best(collective: str, algorithm: str, ranks: int, size: int, where: Where) -> Timing:
    """The timing with the best number of chunks."""
    row, setup = find_row(collective, algorithm), where.setup()
    return time_row(row, ranks, int(size), setup, 0, setup.fill(row, ranks, {})).timing


@cache
def channel_seconds(ranks: int, channels: int, size: int, machine: str) -> float:
    """Seconds of a ring all-reduce in so many channels."""
    recording = record("all_reduce", "ring", ranks=ranks, parameters={"channels": channels})
    return _seconds_on(machine, recording, size)


def _seconds_on(machine: str, recording: Recording, size: int) -> float:
    """Seconds on a machine of this name, with parameters of its own behind a colon."""
    return time(recording, Where(machine).topology(recording.ranks), size=int(size)).total


@cache
def chunked_seconds(
    collective: str, algorithm: str, ranks: int, chunks: int, size: int, machine: str
) -> float:
    """Seconds an algorithm takes with so many chunks."""
    recording = record(collective, algorithm, ranks=ranks, chunks=chunks)
    return _seconds_on(machine, recording, size)


@cache
def grouped_seconds(ranks: int, group: int, size: int, machine: str) -> float:
    """Seconds of a hierarchical all-reduce whose groups are of so many ranks."""
    recording = record("all_reduce", "hierarchical", ranks=ranks, parameters={"gpus": group})
    return _seconds_on(machine, recording, size)


@cache
def turning_size(collective: str, first: str, second: str, ranks: int, machine: str) -> int:
    """Bytes from which on the other is the faster one, for good; 0 where there are none."""
    turns = crossings(
        lambda size: seconds(collective, first, ranks, size, machine),
        lambda size: seconds(collective, second, ranks, size, machine),
        smallest=1 << 10,
        largest=1 << 34,
    )
    return turns[-1].size if turns and turns[-1].second_wins else 0


def total_sent(collective: str, algorithm: str, ranks: int) -> Fraction:
    """What all nodes send together, as a part of the vector."""
    return volume(collective, algorithm, ranks).total


def leaves(ranks: int) -> int:
    """Ranks that never send in a broadcast by a binary tree."""
    links = record("broadcast", "binary-tree", ranks=ranks, chunks=1).counters.links
    return ranks - len(np.unique(links[:, 0]))


def order(algorithm: str, chunk: int) -> str:
    """In which order an all-reduce of four ranks adds a chunk, as an expression."""
    sums = addition_order(record("all_reduce", algorithm, ranks=4))
    return next(term.expression for term in sums if chunk in term.chunks)


def crossing(name: str, ranks: int, gpus: int, chunks: int = 0) -> int:
    """Hops from node to node of a chunk once round the ring of an algorithm, or of an example."""
    table = {"collective": "all_reduce", "algorithm": name, "ranks": ranks}
    recording = examples.recording_of({**table, "with": {"chunks": chunks} if chunks else {}})
    return sum(src // gpus != dst // gpus for src, dst in examples.ring_of(recording))


TEXTS = order, examples.verdict, examples.complaint, examples.loop_of, examples.never_idle
READ: Sequence[Reading] = (
    *(seconds, best_chunks, chunked_seconds, grouped_seconds, turning_size),
    *(total_sent, leaves, crossing, channel_seconds),
    *(*benchmarks.READ, *examples.READ, *switch_slots.READ, *training_numbers.READ),
    *(cast(Reading, text) for text in (*TEXTS, benchmarks.tuned_choice)),  # as all of a sentence
)
LECTURE_READINGS = {**READINGS, **{reading.__name__: reading for reading in READ}}
