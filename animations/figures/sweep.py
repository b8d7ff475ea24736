"""What is asked of a clock: how long an algorithm takes, on a machine, with which parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from collectives.catalog import NO_PARAMETERS, Row
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.ports import Turns, take_turns
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording


@dataclass
class Question:
    """What is timed where: `seconds` asks the clock, once for each algorithm, ranks and size.

    chunks: of pipelines; None: for each time the best number.
    """

    setup: Setup
    chunks: int | None = None
    root: int = 0
    parameters: Mapping[str, int] = field(default_factory=lambda: NO_PARAMETERS)
    _known: dict[tuple[str, int, int], float] = field(default_factory=dict, init=False, repr=False)
    _made: dict[tuple[str, int], Recording] = field(default_factory=dict, init=False, repr=False)

    def seconds(self, row: Row, ranks: int, size: int) -> float:
        """The time of an algorithm; raises BadInput where it does not run there."""
        key = (row.algorithm, ranks, size)
        if key not in self._known:
            self._known[key] = self._timing(row, ranks, size).total
        return self._known[key]

    def turns(self, row: Row, ranks: int, size: int) -> Turns:
        """The time, and what it becomes where the messages of a port take turns."""
        return take_turns(self._timing(row, ranks, size))

    def _timing(self, row: Row, ranks: int, size: int) -> Timing:
        given = self.given(row, ranks)
        if self.chunks is None and "chunks" in row.parameters:
            chunks = best_chunks(row, ranks, size, self.setup, self.root, given).best
            made = sized(row, ranks, size, chunks, self.root, given)
        else:
            made = replace(self.recording(row, ranks), count=size)
        return self.setup.time(made)

    def given(self, row: Row, ranks: int) -> dict[str, int]:
        """Those of the parameters that the algorithm takes, and the machine's."""
        taken = {parameter.name for parameter in row.takes}
        mine = {name: value for name, value in self.parameters.items() if name in taken}
        return self.setup.fill(row, ranks, mine)

    def recording(self, row: Row, ranks: int) -> Recording:
        """The recording of an algorithm for no bytes; its steps are the same for any."""
        key = (row.algorithm, ranks)
        if key not in self._made:
            chunks = self.chunks if "chunks" in row.parameters else None
            made = sized(row, ranks, 0, chunks, self.root, self.given(row, ranks))
            self.setup.machine(made)
            self._made[key] = made
        return self._made[key]

    def topology(self, row: Row, ranks: int) -> Topology:
        """The machine an algorithm is timed on; raises BadInput where it does not run there."""
        return self.setup.machine(self.recording(row, ranks))
