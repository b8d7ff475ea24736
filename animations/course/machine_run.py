"""A run on a machine: how long each link has worked at a moment, and what is on its way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats, Paths


@dataclass(frozen=True, eq=False)
class MachineRun:
    """What a page of a machine runs on it; limits: whether the links that limit it are red.

    counts: of which kind of nodes the bytes between each and a switch are drawn, such as "NIC".
    idle: whether links like the busiest that never carry anything are gray.
    pauses: whether links are pale while they carry nothing.
    binary: whether bytes are counted in MiB, as its vector is, or in MB.
    """

    name: str
    timing: Timing
    limits: bool = False
    counts: str = ""
    idle: bool = False
    pauses: bool = False
    binary: bool = True

    @cached_property
    def paths(self) -> Paths:
        """The links of each message."""
        timing = self.timing
        placement = timing.topology.placement(timing.recording.ranks, timing.recording.nodes)
        messages = timing.messages
        return timing.topology.paths(placement[messages.src], placement[messages.dst])

    def parts(self, now: float) -> Floats:
        """How far each message is after so many seconds, from 0 to 1."""
        messages = self.timing.messages
        return np.clip((now - messages.start) / (messages.end - messages.start), 0.0, 1.0)

    def carried(self, now: float) -> Floats:
        """Bytes that each link has carried after so many seconds."""
        links = np.diff(self.paths.start)
        moved = np.repeat(self.parts(now) * self.timing.messages.size, links)
        carried = np.zeros(self.timing.topology.links)
        np.add.at(carried, self.paths.link, moved)
        return carried

    def counted(self, now: float) -> list[float]:
        """Bytes between each of those nodes, as many as a node has GPUs, and a switch.

        Of both ways those of the busier one.
        """
        topology, carried = self.timing.topology, self.carried(now)
        busier = dict[int, float]()
        ends = zip(topology.src.tolist(), topology.dst.tolist(), carried.tolist(), strict=True)
        for src, dst, moved in ends:
            for node, end in ((src, dst), (dst, src)):
                kinds = topology.kind_of(node), topology.kind_of(end)
                if kinds[0] == self.counts and "switch" in kinds[1]:
                    busier[node] = max(busier.get(node, 0.0), moved)
        return [busier[node] for node in sorted(busier)][: topology.gpus]

    def worked(self, now: float) -> Floats:
        """Seconds that each link has worked by then."""
        topology = self.timing.topology
        return self.carried(now) / (topology.bandwidth * topology.lanes)

    @property
    def busiest(self) -> int:
        """The link that works longest."""
        return int(self.timing.link_seconds.argmax())
