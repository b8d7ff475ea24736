"""A run on a machine: how long each link has worked at a moment, and what is on its way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
import numpy.typing as npt

from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats, Paths


def slots_of(timing: Timing) -> Mapping[tuple[int, ...], list[int]]:
    """The slots in each message, by its step and its ends."""
    slots = defaultdict[tuple[int, ...], list[int]](list)
    for number, step in enumerate(timing.recording.steps):
        rows = step.unrolled()
        for src, dst, slot in zip(rows.src, rows.dst, rows.chunk.tolist(), strict=True):
            slots[number, int(src), int(dst)].append(slot)
    return slots


@dataclass(frozen=True, eq=False)
class MachineRun:
    """What a page of a machine runs on it; limits: whether the links that limit it are red.

    counts: of which kind of nodes the bytes between each and a switch are drawn, such as "NIC".
    idle: whether links like the busiest that never carry anything are gray.
    pauses: whether links are pale while they carry nothing.
    binary: whether bytes are counted in MiB, as its vector is, or in MB.
    follow: a chunk of which alone the messages are drawn, or -1 for all; of the others it is seen
    which slow links they take.
    pace: parts of its film, from 0 to 1, and the seconds that have passed then.
    """

    name: str
    timing: Timing
    limits: bool = False
    counts: str = ""
    idle: bool = False
    pauses: bool = False
    binary: bool = True
    follow: int = -1
    pace: tuple[tuple[float, float], ...] = ()

    @cached_property
    def paths(self) -> Paths:
        """The links of each message."""
        timing = self.timing
        placement = timing.topology.placement(timing.recording.ranks, timing.recording.nodes)
        messages = timing.messages
        return timing.topology.paths(placement[messages.src], placement[messages.dst])

    @cached_property
    def drawn(self) -> npt.NDArray[np.bool_]:
        """Of each message whether it is drawn: if it has the chunk that is followed."""
        slots, messages = slots_of(self.timing), self.timing.messages
        keys = zip(messages.step, messages.src, messages.dst, strict=True)
        return np.array([self.follow in (-1, *slots[key]) for key in keys], np.bool_)

    @cached_property
    def slow(self) -> npt.NDArray[np.bool_]:
        """Of each message whether the slowest link on its way is slower than that of others."""
        rates = self.timing.topology.bandwidth[self.paths.link]
        slowest: Floats = np.minimum.reduceat(rates, self.paths.start[:-1])
        return np.asarray(slowest < slowest.max())

    def slow_steps(self, now: float) -> int:
        """How many steps have waited for a slow link after so many seconds."""
        messages = self.timing.messages
        return len(np.unique(messages.step[self.slow & (messages.end <= now)]))

    def moment(self, part: float) -> float:
        """The seconds that have passed after a part of its film, from 0 to 1."""
        parts, moments = zip((0.0, 0.0), *self.pace, (1.0, self.timing.total), strict=True)
        return float(np.interp(part, parts, moments))

    def crossed(self, now: float) -> set[int]:
        """Slow links on which something that is not drawn is under way, and at the end all."""
        messages, paths = self.timing.messages, self.paths
        under = (messages.start <= now) & ((now < messages.end) | (now >= self.timing.total))
        under &= ~self.drawn & self.slow
        links = paths.link[np.repeat(under, np.diff(paths.start))]
        rates = self.timing.topology.bandwidth[links]
        return {*links[rates == rates.min(initial=inf)].tolist()}

    def parts(self, now: float) -> Floats:
        """How far each message that is drawn is after so many seconds, from 0 to 1."""
        messages = self.timing.messages
        gone = (now - messages.start) / (messages.end - messages.start)
        return np.where(self.drawn, np.clip(gone, 0.0, 1.0), 0.0)

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
