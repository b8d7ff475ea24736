"""The machines NCCL's tuner is asked about: what its search finds in nodes of NVSwitch GPUs.

The tuner does not see a machine but one graph for each algorithm: so many channels, each of so
many GB/s. `hgx` makes these graphs as the search does for GPUs around NVSwitches, with as many
channels between nodes as there are network cards; `Machine` takes any others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from collectives.cost.libraries.nccl import tables
from collectives.errors import BadInput
from collectives.values import not_negative, one_of, positive, whole
from collectives.words import brief, nearest, plural

CAPABILITY = {"V100": 70, "A100": 80, "A800": 80, "B200": 100, "GB200": 100}
CAPABILITY |= {"B300": 103, "GB300": 103}  # all others of the table are Hoppers: 90
PROCESSORS = ("intel", "amd", "mixed", "arm", "power")
RELEASES = ("2.30.7", "2.31.2")  # whose tuners the formulas follow
MOST_CHANNELS = 64
MOST_CAPABILITY = 1000


@dataclass(frozen=True)
class Graph:
    """What the search found for an algorithm: channels of `intra` and `inter` GB/s each.

    inside and outside: the kind of path between GPUs of a node and to a network card.
    latency: µs the network card says it adds. alike: all channels visit the GPUs in one order.
    """

    channels: int
    intra: float
    inter: float
    inside: str = "NVL"
    outside: str = "PIX"
    latency: float = 0.0
    alike: bool = True

    def __post_init__(self) -> None:
        """Raise BadInput for what cannot be."""
        whole("channels", self.channels, minimum=1, maximum=MOST_CHANNELS)
        for name in ("intra", "inter"):
            positive(f"{name} bandwidth", getattr(self, name), "GB/s")
        not_negative("latency", self.latency, "µs")
        for path in (self.inside, self.outside):
            if path not in tables.PATHS:
                raise BadInput(f"unknown path {path!r}; {nearest(path, tables.PATHS)}")


@dataclass(frozen=True)
class Machine:
    """Ranks on nodes, and one graph for each of tree, ring, nvls and collnet that there is.

    capability: the least compute capability of a GPU, times 10. channels: of a communicator.
    one_gpu: the tree's traffic between nodes goes through one GPU ("pattern tree" in logs).
    without: algorithms and protocols that are switched off (NCCL_ALGO, NCCL_PROTO).
    release: the version of NCCL.
    """

    name: str
    ranks: int
    nodes: int
    capability: int
    graphs: Mapping[str, Graph] = field(hash=False)
    processor: str = "intel"
    channels: int = 24
    one_gpu: bool = False
    collnet: bool = False
    most_capability: int = 0  # 0: all GPUs are alike
    without: tuple[str, ...] = ()
    release: str = RELEASES[0]

    def __post_init__(self) -> None:
        """Raise BadInput for what cannot be."""
        whole("ranks", self.ranks, minimum=1)
        whole("nodes", self.nodes, minimum=1)
        whole("channels", self.channels, minimum=1, maximum=MOST_CHANNELS)
        for name in ("capability", "most_capability"):
            whole(name, getattr(self, name), maximum=MOST_CAPABILITY)
        _release(self.release)
        if self.ranks % self.nodes:
            near = max(1, round(self.ranks / self.nodes)) * self.nodes
            raise BadInput(
                f"{plural(self.ranks, 'rank')} on {self.nodes} nodes: "
                f"every node must have the same number; try: {near} ranks"
            )
        if self.processor not in PROCESSORS:
            choice = nearest(self.processor, PROCESSORS)
            raise BadInput(f"unknown processor {self.processor!r}; {choice}")
        for kind in ("tree", "ring"):
            if kind not in self.graphs:
                raise BadInput(f"{self.name}: there is no graph for {kind}")
        known = (*tables.ALGORITHMS, *tables.PROTOCOLS)
        for name in self.without:
            if name not in known:
                raise BadInput(f"unknown algorithm or protocol {name!r}; {nearest(name, known)}")

    @property
    def generation(self) -> str:
        """The row of the tables that is for these GPUs."""
        return generation(self.capability)

    @property
    def newer(self) -> bool:
        """Whether the formulas are those of 2.31, where they differ."""
        return self.release != RELEASES[0]

    @property
    def per_node(self) -> int:
        """Ranks of a node."""
        return self.ranks // self.nodes


def _release(value: object) -> None:
    """Raise BadInput, with the nearest version, for a release whose tuner is not followed."""
    versions = {release: _version(release) for release in RELEASES}
    if re.fullmatch(r"\d{1,4}(\.\d{1,4}){1,2}", str(value)) and value not in versions:
        asked = _version(str(value))
        near = min(versions, key=lambda release: abs(versions[release] - asked))
        raise BadInput(f"release {brief(value)}: unknown; did you mean {near}?")
    one_of("release", value, RELEASES)


def _version(release: str) -> int:
    """A version as a number, which grows with it."""
    major, minor, patch = [*map(int, release.split(".")), 0][:3]
    return (major * 10_000 + minor) * 10_000 + patch


def generation(capability: int) -> str:
    """The architecture of a compute capability, as far as the tuner tells them apart."""
    return next(name for lowest, name in tables.GENERATIONS if capability >= lowest)


def hgx(
    gpu: str,
    nodes: int = 1,
    per_node: int = 8,
    nics: int = 8,
    nic: float = 50.0,
    latency: float = 0.0,
    processor: str = "intel",
) -> Machine:
    """Nodes of GPUs around NVSwitches, with `nics` network cards of `nic` GB/s each.

    >>> hgx("H100").graphs["ring"]
    Graph(channels=12, intra=30.0, inter=30.0, inside='NVL', ..., alike=True)
    >>> hgx("H100").graphs["nvls"].intra, hgx("H100").graphs["nvls"].inter
    (40, 60)
    """
    model = str(gpu).upper()
    if model not in tables.NVLINK:
        raise BadInput(f"unknown GPU {brief(gpu)}; {nearest(model, tables.NVLINK)}")
    nodes, per_node = whole("nodes", nodes, 1), whole("GPUs of a node", per_node, 1, maximum=16)
    nics, nic = whole("network cards", nics, 1), positive("network card", nic, "GB/s")
    capability = CAPABILITY.get(model, 90)
    era = generation(capability)
    lists = tables.INSIDE if nodes == 1 else tables.BETWEEN
    every = lists.get(era, lists["Ampere"])
    total, heads, fastest = tables.NVLINK[model], per_node, every[0]
    if nodes > 1:  # several cards of a GPU work as one
        heads = min(nics, per_node)
        fastest = max(min(nic * nics / heads, tables.PCI[era]), every[-1])
    speeds = tuple(speed for speed in every if speed <= fastest)
    ring = _ring(total, speeds, heads, nodes, capability)
    tree = ring if nodes == 1 else _tree(total, every, fastest, heads, per_node, ring[0])
    shapes = {"tree": tree, "ring": ring}
    if capability >= 90 and per_node > 1:
        shapes["nvls"] = _nvls(total, speeds, heads)
    shared = {"latency": latency, "outside": "PIX" if nics >= per_node else "PXB"}
    shared["alike"] = nodes == 1
    return Machine(
        f"{nodes} x {per_node} {model}",
        nodes * per_node,
        nodes,
        capability,
        {kind: Graph(*graph, **shared) for kind, graph in shapes.items()},  # type: ignore[arg-type]
        processor,
        min(MOST_CHANNELS, 2 * ring[0]),
    )


Found = tuple[int, float, float]  # channels, and GB/s of each inside and between nodes


def _ring(total: float, speeds: Sequence[float], heads: int, nodes: int, capability: int) -> Found:
    """The most GB/s in all that fit the links of a GPU; few fast channels are split in two."""
    best, rate = 1, speeds[-1]
    for speed in speeds:
        if best * rate >= total or speed < 0.49 * rate:
            break
        channels = int(total / speed) if nodes == 1 else min(heads, int(total / speed))
        if channels * speed > best * rate:
            best, rate = channels, speed
    if rate >= 25 and not (capability > 80 and rate < 50 and best > 4):
        best, rate = 2 * best, rate / 2
    return best, float(rate), float(rate)


def _tree(
    total: float, speeds: Sequence[float], fastest: float, heads: int, per_node: int, channels: int
) -> Found:
    """One chain of GPUs for each network card, inside up to twice as fast as between nodes."""
    load = heads * (per_node - 1) / per_node  # a chain's last GPU sends nothing on
    fits = [speed for speed in reversed(speeds) if speed * load <= total]
    inter = intra = max((speed for speed in fits if speed <= fastest), default=speeds[-1])
    for speed in fits:
        if inter < speed and intra < 2 * inter:
            intra = speed
    return channels, intra * heads / channels, inter * heads / channels


def _nvls(total: float, speeds: Sequence[float], heads: int) -> Found:
    """A channel for each GPU that is a head: it loads each link once, its head's link twice."""
    channels, intra = 0, speeds[-1]
    for speed in speeds:
        if channels and speed < 0.49 * intra:
            break
        now = min(heads, int(total / speed) - 1)
        if now > channels or now * speed > channels * intra:
            channels, intra = now, speed
    inter = intra
    for speed in sorted(speeds):
        if inter < speed and inter < 2 * intra:
            inter = speed
    return max(channels, 1), intra, inter
