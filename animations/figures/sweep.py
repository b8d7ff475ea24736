"""Times of algorithms on a machine, over sizes and numbers of ranks, for figures that compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil, log2

from collectives.catalog import NO_PARAMETERS, Row
from collectives.collective import Collective, find_collective
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.ports import Turns, take_turns
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording


@dataclass(frozen=True)
class Curve:
    """An algorithm's times in seconds, or bandwidths, over sizes in bytes or numbers of ranks."""

    row: Row
    at: tuple[int, ...]
    values: tuple[float, ...]


@dataclass
class Sweep:
    """Times by a clock, each found once for an algorithm, a number of ranks and a size.

    chunks: of pipelines; None: for each time the best number.
    """

    setup: Setup
    chunks: int | None = None
    root: int = 0
    parameters: Mapping[str, int] = field(default_factory=lambda: NO_PARAMETERS)
    _seconds: dict[tuple[str, int, int], float] = field(default_factory=dict, init=False)
    _recordings: dict[tuple[str, int], Recording] = field(default_factory=dict, init=False)

    def seconds(self, row: Row, ranks: int, size: int) -> float:
        """The time of an algorithm; raises BadInput where it does not run there."""
        key = (row.algorithm, ranks, size)
        if key not in self._seconds:
            self._seconds[key] = self._timing(row, ranks, size).total
        return self._seconds[key]

    def turns(self, row: Row, ranks: int, size: int) -> Turns:
        """The time, and what it becomes where the messages of a port take turns."""
        return take_turns(self._timing(row, ranks, size))

    def _timing(self, row: Row, ranks: int, size: int) -> Timing:
        chosen = self.given(row, ranks)
        if self.chunks is None and "chunks" in row.parameters:
            chunks = best_chunks(row, ranks, size, self.setup, self.root, chosen).best
            recording = sized(row, ranks, size, chunks, self.root, chosen)
        else:
            recording = replace(self.recording(row, ranks), count=size)
        return self.setup.time(recording)

    def given(self, row: Row, ranks: int) -> dict[str, int]:
        """Those of the parameters that the algorithm takes, and the machine's."""
        names = {parameter.name for parameter in row.takes} & set(self.parameters)
        return self.setup.fill(row, ranks, {name: self.parameters[name] for name in names})

    def recording(self, row: Row, ranks: int) -> Recording:
        """The recording of an algorithm for no bytes; its steps are the same for any."""
        key = (row.algorithm, ranks)
        if key not in self._recordings:
            chunks = self.chunks if "chunks" in row.parameters else None
            recording = sized(row, ranks, 0, chunks, self.root, self.given(row, ranks))
            self.setup.machine(recording)
            self._recordings[key] = recording
        return self._recordings[key]

    def topology(self, row: Row, ranks: int) -> Topology:
        """The machine an algorithm is timed on; raises BadInput where it does not run there."""
        return self.setup.machine(self.recording(row, ranks))


def sizes_between(smallest: int, largest: int, per_octave: float) -> list[int]:
    """Sizes from least to most, evenly on a logarithmic axis.

    >>> sizes_between(1024, 16384, per_octave=0.5)
    [1024, 4096, 16384]
    """
    number = ceil(log2(0.999 * largest / smallest) * per_octave)
    return sorted({*(round(smallest * 2 ** (k / per_octave)) for k in range(number)), largest})


def comparable(name: str) -> Collective:
    """The collective of this name; raises BadInput where it has no algorithms to compare."""
    collective = find_collective(name)
    if collective.paired or not collective.moves_data:
        why = "has no algorithms to compare" if collective.paired else "moves no data"
        raise BadInput(f"{collective.title} {why}; try: all-reduce")
    return collective
