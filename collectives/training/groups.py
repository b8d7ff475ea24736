"""Collectives inside equal groups of ranks, all groups at once: recorded, proved and timed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from collectives.catalog import find_row
from collectives.collective import Cells, Collective, Requirement, find_collective
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.cost.shrunk_machine import renumbered
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.recount import recounted
from collectives.schedule import within
from collectives.schedule.columns import Integers
from collectives.training.network import ALGORITHMS, Network

BYTE = np.dtype(np.uint8)


def in_groups(collective: Collective, size: int) -> Collective:
    """The promise of a collective inside each `size` consecutive ranks, without a root.

    >>> from collectives.collective import ALL_GATHER
    >>> in_groups(ALL_GATHER, 2).precondition(4, 2, 0).astype(int).tolist()
    [[1, 0], [0, 1], [1, 0], [0, 1]]
    """

    def precondition(ranks: int, chunks: int, root: int) -> Cells:
        return np.tile(collective.precondition(size, chunks, 0), (ranks // size, 1))

    def postcondition(ranks: int, chunks: int, root: int) -> Cells:
        # where buffers are separate, a recording puts that of the results behind the other
        cells = collective.postcondition(size, chunks, 0)[:, -chunks:]
        return np.tile(cells, (ranks // size, 1))

    def required(ranks: int, chunks: int, root: int) -> Requirement:
        if collective.required:
            needs = collective.required(size, chunks, 0)
        else:
            sources = collective.precondition(size, chunks, 0)
            first, last = sources.argmax(axis=0), size - sources[::-1].argmax(axis=0)
            ends = (np.tile(column, (size, 1)) for column in (first, last, np.arange(len(first))))
            needs = Requirement(*ends)
        groups = ranks // size
        group = size * np.repeat(np.arange(groups), size)[:, None]
        first, end, origin = (
            np.tile(column, (groups, 1)) for column in (needs.first, needs.end, needs.origin)
        )
        return Requirement(first + group, end + group, origin)

    return replace(
        collective,
        precondition=precondition,
        postcondition=postcondition,
        required=required,
        out_of_place=collective.separate_buffers,
    )


class GroupNetwork(Network):
    """Runs collectives inside groups of ranks of a machine, in every group at the same time.

    groups: the ranks of each, [group, place]; together all ranks that take part, and equally many
    of each group in every node where a group spans several. `ranks` are those of a group. What is
    summed takes `fewer` times fewer bytes.
    """

    def __init__(self, machine: Topology, groups: Integers, fewer: Fraction = Fraction(1)) -> None:
        others = np.setdiff1d(np.arange(machine.ranks), groups)
        order = np.concatenate([groups.ravel(), others]).astype(np.intp)
        super().__init__(renumbered(machine, order), groups.shape[1])
        self._together, self.fewer = groups.size, fewer
        self._few: dict[str, Recording] = {}
        _, self._beside = np.unique(groups[0] // machine.gpus, return_counts=True)

    @property
    def channels(self) -> int:
        """The channels of a group's ring: by each of its ranks of a node it leaves the node."""
        same = len(self._beside) > 1 and len(set(self._beside)) == 1
        return min(self.machine.channels, int(self._beside[0])) if same else 1

    def run(self, collective: str, size: int, counts: object = None) -> Timing:
        """The time of a collective on a vector of so many bytes in each group."""
        size = self.bytes_of(collective, size)
        return self._timed((collective, size), lambda: self._recorded(collective, size))

    def bytes_of(self, collective: str, size: int) -> int:
        """The bytes that are sent of so many."""
        return ceil(size / self.fewer) if find_collective(collective).reduces else size

    def _recorded(self, collective: str, size: int) -> Recording:
        """All groups side by side, executed with a few bytes and counted for the size."""
        if collective not in self._few:
            groups, beside = self._together // self.ranks, int(self._beside[0])
            self._few[collective] = recorded_in_groups(
                collective, groups, self.ranks, self.channels, beside
            )
        return recounted(self._few[collective], size, BYTE, "sum")


def recorded_in_groups(
    collective: str, groups: int, ranks: int, channels: int = 1, gpus: int = 1
) -> Recording:
    """A collective in groups of consecutive ranks at once, with a few bytes of data.

    channels, gpus: rings that leave each node of so many ranks of a group by another one.
    """
    row = find_row(collective, ALGORITHMS[collective])
    setting = row.setting(ranks)
    if row.in_channels is None or channels == 1:
        steps, channels = row.schedule(setting), 1
    else:
        steps = row.in_channels(ranks, channels, gpus)
    return record(
        within(np.arange(groups * ranks).reshape(groups, ranks), steps),
        row.algorithm,
        ranks=groups * ranks,
        collective=in_groups(row.promise, ranks),
        slots=row.chunk_count(setting) * channels,
        dtype=BYTE,
    )
