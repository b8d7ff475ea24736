"""A step of data-parallel training in numbers: what the Modeler shows, by the closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from collectives.catalog import Row, find_row
from collectives.cost.busbw import Bandwidths, bandwidths
from collectives.cost.machines.links import Link, find_link
from collectives.errors import BadInput
from collectives.training.gradients import Gradient, serial_share, volume
from collectives.training.overlap import Overlap, overlap
from collectives.training.scaling import efficiency
from collectives.values import positive, rate, seconds, whole
from collectives.words import brief, nearest

GPUS = 8  # of a node of the cluster, each with a network card of its own
INSIDE = find_link("nvlink4")
FORWARD = 1 / 3  # of the compute; the backward pass computes about twice as much
RANKS = tuple(1 << power for power in range(13))
MOST_BUCKETS = 1024
Part = tuple[int, float, bool]  # steps; share of the vector that passes in them; inside a node?


@dataclass(frozen=True)
class MachineModel:
    """Nodes of so many GPUs with NVLink; a link that can be chosen joins each GPU to a switch.

    usual: the algorithm where none is chosen.
    """

    label: str
    gpus: int
    algorithms: tuple[str, ...]
    usual: str


MACHINES = {
    "crossbar": MachineModel(
        "all ranks at one switch", 1, ("ring", "tree", "rabenseifner"), "ring"
    ),
    "cluster": MachineModel(
        f"nodes of {GPUS} GPUs", GPUS, ("ring", "hierarchical"), "hierarchical"
    ),
}


@dataclass(frozen=True)
class TrainingSetup:
    """A model and a machine to train it on: times in seconds, bandwidths in bytes per second.

    machine: "crossbar", where every rank has a link of `bandwidth` and `latency` to one switch,
    or "cluster", nodes of 8 GPUs with NVLink, where this link is the network card of each GPU.
    compute: the time of the forward and the backward pass. buckets: equal parts of the gradients;
    the all-reduce of each starts when the backward pass has computed it, so that with one bucket
    nothing overlaps.
    """

    parameters: int = 7_000_000_000
    dtype: str = "bf16"
    ranks: int = 64
    machine: str = "crossbar"
    algorithm: str = "ring"
    bandwidth: float = 50e9
    latency: float = 5e-6
    compute: float = 1.0
    buckets: int = 16

    def checked(self) -> TrainingSetup:
        """The same in Python's own numbers; raises BadInput for what cannot be timed."""
        if not isinstance(self.machine, str) or self.machine not in MACHINES:
            near = nearest(self.machine, MACHINES)
            raise BadInput(f"unknown machine {brief(self.machine)}; {near}")
        model, algorithm = MACHINES[self.machine], self.algorithm
        if not isinstance(algorithm, str) or algorithm not in model.algorithms:
            known = ", ".join(model.algorithms)
            name = brief(algorithm).strip("'")
            raise BadInput(f"{name}: a {self.machine} is modeled with {known}")
        checked = replace(
            self,
            parameters=whole("parameters", self.parameters, minimum=1),
            ranks=whole("ranks", self.ranks, minimum=1, maximum=RANKS[-1]),
            bandwidth=rate("bandwidth", self.bandwidth),
            latency=seconds("latency", self.latency),
            compute=positive("compute", self.compute, "s"),
            buckets=whole("buckets", self.buckets, minimum=1, maximum=MOST_BUCKETS),
        )
        if self.ranks > model.gpus and self.ranks % model.gpus:
            whole_nodes = self.ranks // model.gpus * model.gpus
            rule = f"each node has {model.gpus}; try: {whole_nodes}"
            raise BadInput(f"{self.ranks} ranks: {rule}")
        if not self.row.accepts(self.ranks, self.given):
            raise BadInput(f"{self.ranks} ranks: {self.row.title} takes {self.row.sizes.text}")
        return checked

    @property
    def row(self) -> Row:
        """The algorithm's row of the catalog."""
        return find_row("all_reduce", self.algorithm)

    @property
    def gpus(self) -> int:
        """GPUs of each node."""
        return min(MACHINES[self.machine].gpus, self.ranks)

    @property
    def given(self) -> dict[str, int]:
        """The machine's parameters that the algorithm takes, of one whose groups are nodes."""
        if self.row.in_channels:
            return {}
        return {taken.name: self.gpus for taken in self.row.takes if taken.name == "gpus"}

    @property
    def link(self) -> Link:
        """The link that the sliders change."""
        return Link("link", self.bandwidth, self.latency)

    @property
    def ways(self) -> list[list[Part]]:
        """The closed form of an all-reduce: parts one after another, in ways at the same time.

        The longest of these counts.
        """
        nodes, gpus = self.ranks // self.gpus, self.gpus
        if self.given:
            halves = [_part(half, gpus, 1.0, True) for half in ("reduce_scatter", "all_gather")]
            return [[halves[0], _part("all_reduce", nodes, 1 / gpus, False), halves[1]]]
        # a ring of several nodes has a channel for each GPU: its share leaves the node there
        channels = gpus if nodes > 1 and self.row.in_channels else 1
        inside = [((channels - 1 or 1) / channels, True)] * (gpus > 1)
        across = [(1 / channels, False)] * (nodes > 1)
        return [
            [_part("all_reduce", self.ranks, share, within, self.algorithm)]
            for share, within in inside + across
        ]

    def sync(self, size: int) -> float:
        """Seconds of an all-reduce of `size` bytes when nothing else runs."""
        times = (
            sum(
                steps * link.latency + share * size / link.bandwidth
                for steps, share, inside in parts
                for link in [INSIDE if inside else self.link]
            )
            for parts in self.ways
        )
        return max(times, default=0.0)


def _part(collective: str, ranks: int, share: float, inside: bool, algorithm: str = "ring") -> Part:
    """A collective of so many ranks on a share of the vector."""
    passed = float(serial_share(collective, algorithm, ranks))
    return volume(collective, algorithm, ranks).steps, passed * share, inside


@dataclass(frozen=True)
class TrainingStep:
    """A step of training in numbers."""

    setup: TrainingSetup

    @cached_property
    def gradient(self) -> Gradient:
        """The gradients that the all-reduce sums."""
        return Gradient(self.setup.parameters, self.setup.dtype)

    @cached_property
    def sync(self) -> float:
        """Seconds of the all-reduce of all gradients at once."""
        return self.setup.sync(self.gradient.bytes)

    @cached_property
    def latency(self) -> float:
        """Seconds of that all-reduce for an empty vector."""
        return self.setup.sync(0)

    @cached_property
    def sent(self) -> float:
        """Bytes the busiest rank sends."""
        setup = self.setup
        part = volume("all_reduce", setup.algorithm, setup.ranks, parameters=setup.given).sent
        return float(part) * self.gradient.bytes

    @cached_property
    def bandwidths(self) -> Bandwidths | None:
        """algbw and busbw of that all-reduce; None where nothing is sent."""
        if self.setup.ranks == 1 or not self.sync:
            return None
        return bandwidths("all_reduce", self.setup.ranks, self.gradient.bytes, self.sync)

    @cached_property
    def overlap(self) -> Overlap:
        """The backward pass and its buckets, from the start of the backward pass."""
        setup, size = self.setup, self.gradient.bytes
        parts = [
            size * (k + 1) // setup.buckets - size * k // setup.buckets
            for k in range(setup.buckets)
        ]
        known = {part: setup.sync(part) for part in set(parts)}
        return overlap(parts, self.backward, known.__getitem__, bucket_size=1, first=1)

    @property
    def forward(self) -> float:
        """Seconds of the forward pass."""
        return FORWARD * self.setup.compute

    @property
    def backward(self) -> float:
        """Seconds of the backward pass."""
        return self.setup.compute - self.forward

    @property
    def step(self) -> float:
        """Seconds of a whole step."""
        return self.setup.compute + self.overlap.exposed

    @property
    def efficiency(self) -> float:
        """The part of a step that is compute."""
        return efficiency(self.setup.compute, self.overlap.exposed)

    def on(self, ranks: int, algorithm: str) -> TrainingStep:
        """The same with other ranks and another algorithm."""
        return TrainingStep(replace(self.setup, ranks=ranks, algorithm=algorithm))

    @cached_property
    def curves(self) -> dict[str, tuple[float, ...]]:
        """The efficiency of each algorithm of the machine on each number of RANKS."""
        return {
            algorithm: tuple(self.on(ranks, algorithm).efficiency for ranks in RANKS)
            for algorithm in MACHINES[self.setup.machine].algorithms
        }


def modeled(setup: TrainingSetup) -> TrainingStep:
    """The step of a setup; raises BadInput for what cannot be timed.

    >>> step = modeled(TrainingSetup(ranks=8, buckets=1, latency=0.0))
    >>> f"{step.sync:.2f} s, {step.efficiency:.0%}"
    '0.49 s, 67%'
    """
    step = TrainingStep(setup.checked())
    step.curves  # noqa: B018
    return step
