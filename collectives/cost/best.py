"""What is best: how many chunks, and which algorithm for so many ranks, bytes and a machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from collectives.catalog import ROWS
from collectives.catalog.row import NO_PARAMETERS, Row
from collectives.collective import find_collective
from collectives.cost.clock import lockstep
from collectives.cost.closed import Closed, closed_form
from collectives.cost.crossover import Law, law
from collectives.cost.model import Costs
from collectives.cost.timing import Timing
from collectives.cost.topology import Topology
from collectives.errors import BadInput
from collectives.recorder import record
from collectives.recording import Recording

Clock = Callable[[Recording, Topology, Costs], Timing]
MOST_CHUNKS = 1 << 12
MOST_MESSAGES = 1 << 22  # of an algorithm that is timed beside others
COMMON = ("gpus", "rows", "columns")  # parameters that algorithms share with machines


@dataclass(frozen=True)
class Place:
    """Where an algorithm runs and how that is timed.

    machine: the topology for a recording. parameters: those that it shares with algorithms.
    """

    machine: Callable[[Recording], Topology]
    clock: Clock = lockstep
    costs: Costs = field(default_factory=Costs)
    parameters: Mapping[str, int] = field(default_factory=dict)

    def time(self, recording: Recording) -> Timing:
        """The timing of a recording."""
        return self.clock(recording, self.machine(recording), self.costs)

    def fill(self, row: Row, ranks: int, given: Mapping[str, int]) -> dict[str, int]:
        """The parameters given, and those of the machine that the algorithm takes, too."""
        filled = {
            taken.name: self.parameters[taken.name]
            for taken in row.takes
            if taken.name in self.parameters and taken.accepts(ranks, self.parameters[taken.name])
        }
        return filled | dict(given)


@dataclass(frozen=True)
class Timed:
    """An algorithm with its time. latency: the time of the same messages without bytes."""

    timing: Timing
    latency: float
    closed: Closed | None

    @property
    def name(self) -> str:
        """The algorithm's name."""
        return self.timing.recording.algorithm

    @property
    def seconds(self) -> float:
        """The time."""
        return self.timing.total

    @property
    def chunks(self) -> int | None:
        """Chunks of its pipeline, if it has one."""
        return self.timing.recording.chunks

    @property
    def moving(self) -> float:
        """What its bytes add to the time."""
        return max(0.0, self.seconds - self.latency)


@dataclass(frozen=True)
class Chunks:
    """The best number of chunks by the clock, what was tried, and the closed form's number."""

    best: int
    seconds: float
    tried: Mapping[int, float]
    closed: float | None


@dataclass(frozen=True)
class Ranking:
    """Algorithms, the fastest first, and those that are left out, with the reason."""

    timed: tuple[Timed, ...]
    left_out: tuple[tuple[Row, str], ...]

    @cached_property
    def best(self) -> Timed:
        """The fastest."""
        return self.timed[0]


def sized(
    row: Row,
    ranks: int,
    size: int,
    chunks: int | None = None,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Recording:
    """The recording of an algorithm for a vector of so many bytes."""
    return record(
        row.collective,
        row.algorithm,
        ranks=ranks,
        root=root,
        count=size if row.promise.once else 0,
        dtype="uint8",
        chunks=chunks,
        parameters=dict(parameters),
    )


def time_row(
    row: Row,
    ranks: int,
    size: int,
    place: Place,
    chunks: int | None = None,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Timed:
    """The time of one algorithm; a pipeline gets its best number of chunks unless it is given."""
    given = place.fill(row, ranks, parameters)
    if chunks is None and "chunks" in row.parameters:
        chunks = best_chunks(row, ranks, size, place, root, given).best
    return time_recording(sized(row, ranks, size, chunks, root, given), place)


def time_recording(recording: Recording, place: Place) -> Timed:
    """The time of a recording, and of its messages without bytes."""
    in_network = recording.nodes > recording.ranks
    closed = closed_form(recording, bool(place.costs.gamma), ranks_only=in_network)
    return Timed(place.time(recording), place.time(emptied(recording)).total, closed)


def emptied(recording: Recording) -> Recording:
    """The same steps for a vector of no bytes."""
    nothing = None if recording.counts is None else (0,) * len(recording.counts)
    return replace(recording, count=0, counts=nothing, data=None, _replays={})


def best_chunks(
    row: Row,
    ranks: int,
    size: int,
    place: Place,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Chunks:
    """The number of chunks with the least time by the clock, up to 4096.

    From the closed form's number, more and fewer chunks are tried, by a factor that shrinks
    whenever neither is better, and at last one more and one fewer: a best of its surroundings.
    """
    if "chunks" not in row.parameters:
        raise BadInput(f"{row.title} is not pipelined: it has no chunks")
    given = place.fill(row, ranks, parameters)
    tried: dict[int, float] = {}

    def seconds(chunks: int) -> float:
        if chunks not in tried:
            tried[chunks] = place.time(sized(row, ranks, size, chunks, root, given)).total
        return tried[chunks]

    closed = _closed_chunks(row, ranks, size, place, root, given)
    most = max(1, min(MOST_CHUNKS, size))
    best = min(most, max(1, round(closed or 4)))
    factor = 2.0
    while factor > 1.02:
        around = {min(most, max(1, round(best * by))) for by in (factor, 1 / factor)}
        found = min(around | {best}, key=lambda chunks: (seconds(chunks), chunks))
        if seconds(found) < seconds(best):
            best = found
        else:
            factor = factor**0.5
    near = range(max(1, best - 2), min(most, best + 2) + 1)
    best = min(near, key=lambda chunks: (seconds(chunks), chunks))
    return Chunks(best, seconds(best), dict(sorted(tried.items())), closed)


def _closed_chunks(
    row: Row, ranks: int, size: int, place: Place, root: int, given: Mapping[str, int]
) -> float | None:
    """q* = sqrt(c S beta / (b alpha)) of the law of the pipeline, where it follows one."""
    found: Law | None = law(row, ranks, root, given)
    if found is None:
        return None
    latency, bandwidth = alpha_beta(
        place.machine(sized(row, ranks, 0, 1, root, given)), place.costs
    )
    if not bandwidth:
        return None
    best = found.chunks(size, latency, bandwidth)
    return best if np.isfinite(best) else None


def alpha_beta(topology: Topology, costs: Costs) -> tuple[float, float]:
    """Latency and bandwidth between ranks that are next to each other, of the slowest such pair.

    >>> from collectives.cost.machines import topology
    >>> alpha_beta(topology("hgx-h100", 8), Costs())
    (1e-06, 450000000000.0)
    """
    if topology.ranks < 2:
        return costs.latency, float("inf")
    rank = np.arange(topology.ranks - 1)
    paths = topology.paths(rank, rank + 1)
    latency = float(paths.total(topology.latency).max()) + costs.latency
    bandwidth = float(paths.least(topology.bandwidth).min())
    if costs.loggp is None:
        return latency, bandwidth
    model = costs.loggp
    return latency + model.L + 2 * model.o - model.G, min(bandwidth, 1 / max(model.G, 1e-300))


def rank_algorithms(
    collective: str,
    ranks: int,
    size: int,
    place: Place,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    most_messages: int = MOST_MESSAGES,
) -> Ranking:
    """Every algorithm of a collective that runs there, the fastest first.

    parameters: given to those algorithms that take them. most_messages: algorithms of more are
    left out.
    """
    name = find_collective(collective).name
    rows = [row for row in ROWS if row.collective == name]
    known = {taken.name for row in rows for taken in row.takes}
    for given in parameters:
        if given not in known:
            raise BadInput(f"{given}: no {rows[0].promise.title} algorithm has this parameter")
    timed, left_out = [], []
    for row in rows:
        own = {taken.name for taken in row.takes}
        mine = {key: value for key, value in parameters.items() if key in own}
        try:
            few = sized(row, ranks, 0, None, root, place.fill(row, ranks, mine))
            if few.counters.messages > most_messages:
                raise BadInput(
                    f"{few.counters.messages} messages are too many to time beside others"
                )
            timed.append(time_row(row, ranks, size, place, None, root, mine))
        except BadInput as problem:
            left_out.append((row, str(problem)))
    if not timed:
        row, why = left_out[0]
        raise BadInput(f"no {row.promise.title} algorithm runs here: {why}")
    timed.sort(key=lambda one: (one.seconds, one.name))
    return Ranking(tuple(timed), tuple(left_out))
