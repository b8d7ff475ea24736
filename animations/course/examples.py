"""Recordings of lectures' tables, and schedules timed on machines with trouble."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from collectives.algorithms.ring_channels import rings_all_reduce
from collectives.algorithms.tree import below_root, binary_tree, tree_broadcast
from collectives.cost.by_name import time
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology
from collectives.cost.machines.faults import (
    dead_link,
    jittery,
    late_rank,
    slow_link,
    slow_rank,
    stall,
)
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Schedule, pipelined, reduce, send, within
from collectives.words import listed, nearest

WAYS = np.array([[1], [-1]])  # to the right, and to the left
OF_NODE = 8  # GPUs
WIDE = 64  # letters of a line of a table
TROUBLES = ("slow", "slow_link", "dead", "late", "jitter")
Table = Mapping[str, Any]


def hasty_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range((n - 1) // 2):
        to = (rank + WAYS) % n
        chunk = (rank - WAYS * step) % n
        # every rank passes chunks to both of its neighbors
        yield send(rank, to, chunk)


def two_way_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range(n // 2):
        ways = WAYS[: n - 1 - 2 * step]
        to = (rank + ways) % n
        chunk = (rank - ways * step) % n
        # every rank passes chunks to both of its neighbors
        yield send(rank, to, chunk)


def collecting_all_reduce(n: int) -> Schedule:
    """Rank 0 takes vectors of n chunks in and adds them; then it sends the sum out."""
    chunk = np.arange(n)
    for rank in range(1, n):
        # one vector after another comes in
        yield reduce(rank, 0, chunk)
    for rank in range(1, n):
        # the sum goes out as often
        yield send(0, rank, chunk)


def dealt_rings_all_reduce(n: int) -> Schedule:
    """Rings through every GPU of nodes of eight, to which the ranks are dealt out in turns."""
    order = np.arange(n).reshape(-1, OF_NODE).T.reshape(1, n)
    # every rank adds into a neighbor that is in another node, or passes the sum on
    yield from within(order, rings_all_reduce(n, channels=OF_NODE, gpus=OF_NODE))


def one_tree(n: int) -> Schedule:
    """The whole vector goes down the first of the two trees of a double binary tree."""
    yield from tree_broadcast(below_root(binary_tree(n - 1)))


def across(n: int, aside: int = 0) -> Schedule:
    """Every rank of one half sends its vector to one of the other half."""
    rank, half = np.arange(n // 2), n // 2
    # none passes on what it has: the ways do not wait for one another
    yield send(rank, half + (rank + aside) % half, 0)


FUNCTIONS = hasty_all_gather, two_way_all_gather, collecting_all_reduce, dealt_rings_all_reduce
EXAMPLES = {example.__name__: example for example in (*FUNCTIONS, one_tree, across)}
EXAMPLES["across_and_aside"] = partial(across, aside=1)


def recording_of(table: Mapping[str, Any]) -> Recording:
    """What a passage names: an algorithm of the catalog, or a function of EXAMPLES."""
    collective, ranks = table["collective"], table["ranks"]
    name, parameters = table.get("function") or table["algorithm"], table.get("with", {})
    if name in EXAMPLES:
        slots = parameters.get("chunks")
        return record(EXAMPLES[name](ranks), collective=collective, ranks=ranks, slots=slots)
    return record(collective, name, ranks=ranks, **parameters)


def ring_of(recording: Recording, chunk: int = -1) -> list[tuple[int, int]]:
    """The first hops of a chunk, by default one of rank 0's: one for each rank, round a ring."""
    if chunk < 0:
        chunk = int(recording.steps[0].chunk[recording.steps[0].src.argmin()])
    hops = ((s.src[s.chunk == chunk], s.dst[s.chunk == chunk]) for s in recording.steps)
    return [(int(src[0]), int(dst[0])) for src, dst in hops if len(src)][: recording.ranks]


def own_steps(name: str, ranks: int) -> int:
    """Steps of an example."""
    return len(_recorded(name, ranks).steps)


def own_seconds(name: str, ranks: int, size: int, machine: str, chunks: int = 0) -> float:
    """Seconds of an example for so many bytes, in chunks where it takes more than ranks."""
    return time(_recorded(name, ranks, chunks), machine, size=int(size)).total


def own_link(name: str, ranks: int) -> float:
    """Messages of a chunk each over the busiest link of an example, as a part of the vector."""
    recording = _recorded(name, ranks)
    return float(recording.counters.messages_by_link.max() / recording.chunk_count)


def proved(name: str, max_ranks: int) -> int:
    """For how many numbers of ranks, from 1, an example keeps the promise of an all-gather."""
    return sum(_recorded(name, ranks).check().ok for ranks in range(1, max_ranks + 1))


def verdict(name: str, ranks: int) -> str:
    """Whether an example is right on so many ranks: a letter."""
    return "✓" if _recorded(name, ranks).check() else "✗"


def complaint(name: str, ranks: int, line: int) -> str:
    """A line of what the check says of an example, from 0, each sentence on lines of its own.

    Without the comment of the line of code that it names.
    """
    text = re.sub(r"\(\w+\.py (line \d+): [^)]*\)", r"(\1)", str(_recorded(name, ranks).check()))
    sentences = text.partition(": ")[2].split(". ")
    return [part for sentence in sentences for part in wrap(sentence, WIDE)][line]


def loop_of(name: str, ranks: int) -> str:
    """The head of the loop around the line that the check of an example names, with its number."""
    number = int(str(_recorded(name, ranks).check()).partition(".py line ")[2].partition(":")[0])
    lines = Path(__file__).read_text("utf-8").splitlines()[:number]
    at = max(place for place, line in enumerate(lines) if line.lstrip().startswith("for "))
    return f"{at + 1} {lines[at]}"


@cache
def _tree_times(ranks: int, size: int, machine: str) -> list[float]:
    """Seconds of `one_tree` in 1, 2 and more chunks, which follow one another."""
    look: Any = {"collective": "broadcast", "ranks": ranks}
    piped = ((pipelined(one_tree(ranks), range(k)), k) for k in range(1, 65))
    runs = (record(schedule, **look, slots=chunks) for schedule, chunks in piped)
    return [time(run, machine, size=int(size)).total for run in runs]


def tree_seconds(ranks: int, size: int, machine: str) -> float:
    """Seconds of `one_tree` in its best number of chunks."""
    return min(_tree_times(ranks, size, machine))


def tree_chunks(ranks: int, size: int, machine: str) -> int:
    """That number of chunks."""
    return 1 + int(np.argmin(_tree_times(ranks, size, machine)))


def _recorded(name: str, ranks: int, chunks: int = 0) -> Recording:
    collective = "all_" + name.rpartition("_all_")[2]
    more = {"chunks": chunks} if chunks else {}
    return recording_of({"collective": collective, "function": name, "ranks": ranks, "with": more})


def source_of(name: str) -> tuple[str, ...]:
    """The lines of an example, after that of its ways."""
    lines = inspect.getsource(EXAMPLES[name]).rstrip().splitlines()
    ways = next(line for line in Path(__file__).read_text("utf-8").splitlines() if "WAYS =" in line)
    return ways, *lines


def timed(table: Table, size: int) -> Timing:
    """The timing of a table's algorithm for so many bytes, with the trouble that it names.

    slow: a rank, and how many times slower it is; slow_link: two nodes and how many times; dead:
    two nodes; late: a rank and seconds; jitter: seconds at most, and a seed.
    """
    fixed = {key: table[key] for key in ("chunks", "parameters") if key in table}
    recording = recording_of({**table, "with": fixed})
    machine, costs = _troubled(table)
    return time(recording, machine, size=size, clock=table.get("clock", "dataflow"), costs=costs)


def _troubled(table: Table) -> tuple[Topology, Costs]:
    """The machine, and what messages cost beside its links."""
    machine = topology(table["machine"], table["ranks"], **table.get("with", {}))
    costs = Costs()
    if "slow" in table:
        machine, costs = slow_rank(machine, costs, *table["slow"])
    if "slow_link" in table:
        machine = slow_link(machine, *table["slow_link"])
    if "dead" in table:
        machine = dead_link(machine, *table["dead"])
    if "late" in table:
        costs = late_rank(costs, *table["late"])
    if "jitter" in table:
        costs = jittery(costs, *table["jitter"])
    return machine, costs


def _table(algorithm: str, ranks: int, machine: str, trouble: str = "", *amounts: Any) -> Table:
    if trouble and trouble not in TROUBLES:
        raise BadInput(f"unknown trouble {trouble!r}; {nearest(trouble, TROUBLES)}")
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": ranks}
    return {**table, "machine": machine, **({trouble: amounts} if trouble else {})}


def _timed(*run: Any, clock: str = "dataflow") -> Timing:
    """Of an algorithm, ranks, bytes and a machine, then a trouble and its amounts, or none."""
    algorithm, ranks, size, machine, *trouble = run
    return timed({**_table(algorithm, ranks, machine, *trouble), "clock": clock}, size)


def troubled_seconds(*run: str | float) -> float:
    """Seconds of an all-reduce with a trouble, such as "slow_link", 2, 3, 4; without, if none."""
    return _timed(*run).total


def lockstep_seconds(*run: str | float) -> float:
    """As `troubled_seconds`, if all wait after each step."""
    return _timed(*run, clock="lockstep").total


def never_idle(*run: str | float) -> str:
    """Which ranks always send or receive in an all-reduce with a trouble."""
    timing = _timed(*run)
    return listed([str(rank) for rank in np.flatnonzero(timing.idle < 1e-6 * timing.total)])


def waiting(algorithm: str, ranks: int, machine: str, src: int, dst: int) -> int:
    """How many ranks wait for ever if a link is dead."""
    table = _table(algorithm, ranks, machine, "dead", src, dst)
    standstill = stall(record("all_reduce", algorithm, ranks=ranks), _troubled(table)[0])
    if standstill is None:
        raise BadInput(f"{algorithm}: no message goes from {src} to {dst}")
    return len(standstill.waits)


READ = (
    *(own_steps, own_seconds, own_link, proved, troubled_seconds, lockstep_seconds, waiting),
    *(tree_seconds, tree_chunks),
)
