"""What NCCL's tuner expects: µs of latency and GB/s of algbw, and what it corrects by size.

The formulas of src/graph/tuning.cc of NCCL 2.30.7, and of src/tuning of 2.31.2 where they differ,
for algorithms and protocols that are not off; `FORMULAS` has those of each algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from collectives.cost.libraries.nccl import tables
from collectives.cost.libraries.nccl.graphs import Graph, Machine


@dataclass(frozen=True)
class TuningCase:
    """An algorithm with a protocol, for a collective on a machine."""

    machine: Machine
    kind: str
    algorithm: str
    protocol: str

    @cached_property
    def facts(self) -> tables.Algorithm:
        """The row of the table."""
        return tables.ALGORITHMS[self.algorithm]

    @cached_property
    def graph(self) -> Graph:
        """The graph the algorithm uses."""
        return self.machine.graphs[self.facts.graph]

    @property
    def steps(self) -> int:
        """Steps of a ring as the tuner counts them."""
        ranks = self.machine.ranks
        counts = {"all_reduce": 2 * (ranks - 1), "broadcast": ranks, "reduce": ranks}
        return counts.get(self.kind, ranks - 1)

    @property
    def bus(self) -> float:
        """GB/s of all channels: on up to two nodes those inside, on more those between.

        From 2.31 on PAT and Blackwell's trees go by the smaller, and Blackwell's rings on two nodes
        by those between.
        """
        machine, graph = self.machine, self.graph
        blackwell = machine.capability >= 100
        if machine.newer and (self.algorithm == "PAT" or (self.algorithm == "Tree" and blackwell)):
            return graph.channels * min(graph.intra, graph.inter)
        inside = 1 if machine.newer and blackwell else 2  # nodes
        return graph.channels * (graph.intra if machine.nodes <= inside else graph.inter)

    @property
    def at(self) -> int:
        """The protocol's place in a row of latencies."""
        return tables.PROTOCOLS.index(self.protocol)

    @property
    def wire(self) -> str:
        """Which latency of a step there is inside a node."""
        return "nvlink" if self.graph.inside == "NVL" else "pci"

    @property
    def hop(self) -> float:
        """µs of a step inside a node."""
        return float(getattr(self.facts, self.wire)[self.at])

    @property
    def net_hop(self) -> float:
        """µs of a step between nodes; Simple also flushes, but for PAT from 2.31 on."""
        newer = self.machine.newer
        exposed = self.machine.per_node == 1 and (self.algorithm == "Ring" or not newer)
        facts = tables.ALGORITHMS["Tree"] if exposed else self.facts
        flushes = self.protocol == "Simple" and not (newer and self.algorithm == "PAT")
        return facts.net[self.at] + self.graph.latency * (2 if flushes else 1)

    @property
    def levels(self) -> int:
        """Levels of a tree of the nodes."""
        return self.machine.nodes.bit_length() - 1

    def limit(self, name: str, generation: str = "") -> float:
        """The bandwidth of this name for so many nodes of the machine's GPUs, or of others."""
        rows = tables.LIMITS[name]
        return rows[generation or self.machine.generation][min(self.machine.nodes, 3) - 1]

    @property
    def ll_limit(self) -> float:
        """The most GB/s of LL: on several nodes the processor decides."""
        machine = self.machine
        if machine.nodes == 1:
            return self.limit("ll")
        return self.limit("ll", "Ampere" if machine.processor in ("amd", "mixed") else "Volta")


def _ring_bandwidth(case: TuningCase) -> float:
    bus = case.bus
    if case.protocol == "LL":
        bus = min(case.ll_limit, bus / 2)
    elif case.protocol == "LL128":
        bus = min(0.92 * bus, case.graph.channels * case.limit("ring_ll128"))
    return bus * case.machine.ranks / case.steps


def _ring_latency(case: TuningCase) -> float:
    machine, base, simple = case.machine, case.facts.base[case.at], case.protocol == "Simple"
    if case.kind in ("broadcast", "reduce"):
        level = case.wire if machine.nodes == 1 else "net"
        if case.graph.alike:
            return base + float(getattr(case.facts, level)[case.at])
        like = tables.ALGORITHMS["Tree"] if simple else case.facts
        return base + case.steps * float(getattr(like, level)[case.at])
    hop = case.hop
    if machine.nodes > 1:
        post = tables.NET_OVERHEAD.get(machine.processor, 1.0)
        hop = max(hop, post * (3 if simple else 1))
    crossing = (machine.nodes - 1) * (2 if case.kind == "all_reduce" else 1)
    return base + (case.steps - crossing) * hop + crossing * case.net_hop


def _tree_bandwidth(case: TuningCase) -> float:
    bus, channels = case.bus, case.graph.channels
    bus = min(0.92 * bus, channels * case.limit("tree"))
    if case.protocol == "LL":
        bus = min(bus / 3.8, case.ll_limit)
    elif case.protocol == "LL128":
        bus *= 7 / 9 if case.machine.nodes == 1 else 120 / 128
        bus = min(bus, channels * case.limit("tree_ll128"))
    return bus * (0.85 if case.machine.one_gpu else 1) / 2


def _tree_latency(case: TuningCase) -> float:
    hop = case.hop
    power = (case.machine.processor, case.wire, case.protocol) == ("power", "pci", "Simple")
    if power and not case.machine.newer:
        hop = tables.ALGORITHMS["Ring"].pci[case.at]
    chain = case.machine.per_node - 1
    return case.facts.base[case.at] + 2 * (chain * hop + case.levels * case.net_hop)


def _collnet_bandwidth(case: TuningCase) -> float:
    return case.graph.channels * case.graph.intra / 2


def _collnet_direct_bandwidth(case: TuningCase) -> float:
    machine, graph = case.machine, case.graph
    if case.kind != "all_reduce":
        return machine.per_node * min(graph.intra, 0.9 * graph.inter)
    bus = graph.channels * graph.intra
    bus /= (machine.per_node / graph.channels + 1) / 2  # GPUs without a network card of their own
    return bus * (0.85 if machine.capability >= 90 else 1) / 2


def _collnet_direct_latency(case: TuningCase) -> float:
    chain = case.machine.per_node - 1
    return 2 * (min(1, chain) * case.hop + 0.4 * chain) + case.net_hop


def _collnet_chain_latency(case: TuningCase) -> float:
    return 2 * (case.machine.per_node - 1) * case.hop + case.net_hop


def _nvls_bandwidth(case: TuningCase, between: float | None = None) -> float:
    machine, graph = case.machine, case.graph
    channels, per_node = graph.channels, machine.per_node
    inside = graph.intra * tables.NVLS_EFFICIENCY[machine.generation] * (channels - 1) / channels
    inside *= 2 if case.kind == "all_reduce" else (per_node - 1) / per_node
    bus = channels * min(inside, graph.inter if between is None else between)
    return bus * machine.ranks / case.steps if case.kind == "all_reduce" else bus


def _nvls_tree_bandwidth(case: TuningCase) -> float:
    between = case.graph.inter * (2 if case.machine.nodes <= 2 else 1)
    return _nvls_bandwidth(case, min(between, case.limit("nvls_tree")))


def _no_correction(case: TuningCase, size: int) -> float:
    """No correction."""
    return 1.0


def tree_factor(case: TuningCase, size: int) -> float:
    """What part of its bandwidth a tree reaches at a size: medium sizes are slower."""
    level, factors = (size >> 6).bit_length() - 1, tables.TREE_FACTORS[case.protocol]  # from 64 B
    return factors[level] if 0 <= level < len(factors) - 1 else 1.0


def nvls_tree_factor(case: TuningCase, size: int) -> float:
    """The same of trees of NVSwitches, from Blackwell on and with Intel or AMD processors."""
    level, factors = (size >> 6).bit_length() - 1, tables.TREE_FACTORS[case.protocol]
    alike = case.machine.capability >= 100 and case.machine.processor in ("intel", "amd")
    return factors[level] if alike and 0 <= level < len(factors) else 1.0


def plateau(case: TuningCase, size: int) -> float:
    """How much longer the latency of a Simple ring between nodes is, but for tiny vectors.

    From 2.31 on that of gathers and reduce-scatters on one node of Blackwell GPUs is, too.
    """
    machine, gathers = case.machine, case.kind in ("all_gather", "reduce_scatter")
    if machine.nodes == 1:
        blackwell = machine.newer and machine.capability >= 100 and case.wire == "nvlink"
        slow = gathers and blackwell
    else:
        slow = case.kind == "all_reduce"
    if not slow or case.protocol != "Simple":
        return 1.0
    if size // (machine.channels * machine.ranks) < 64:
        return 1.0
    return 1.9 if machine.capability < 80 else 1.4


@dataclass(frozen=True)
class Formulas:
    """µs for no bytes and GB/s of algbw of an algorithm, and the factors of both by size."""

    latency: Callable[[TuningCase], float]
    bandwidth: Callable[[TuningCase], float]
    longer: Callable[[TuningCase, int], float] = _no_correction
    reached: Callable[[TuningCase, int], float] = _no_correction

    def time(self, case: TuningCase, size: int) -> float:
        """µs for so many bytes, with NCCL's corrections of what trees and rings reach."""
        rate = self.bandwidth(case) * self.reached(case, size)
        return self.latency(case) * self.longer(case, size) + size / (1000 * rate)


FORMULAS: Mapping[str, Formulas] = {
    "Tree": Formulas(_tree_latency, _tree_bandwidth, reached=tree_factor),
    "Ring": Formulas(_ring_latency, _ring_bandwidth, longer=plateau),
    "CollNetDirect": Formulas(_collnet_direct_latency, _collnet_direct_bandwidth),
    "CollNetChain": Formulas(_collnet_chain_latency, _collnet_bandwidth),
    "NVLS": Formulas(
        lambda case: case.hop + (case.net_hop if case.machine.nodes > 1 else 0), _nvls_bandwidth
    ),
    "NVLSTree": Formulas(
        lambda case: case.hop + 2 * case.levels * case.net_hop,
        _nvls_tree_bandwidth,
        reached=nvls_tree_factor,
    ),
    "PAT": Formulas(
        lambda case: (
            case.facts.base[case.at] + case.levels * (case.net_hop / 3.5) + 2.8 * case.machine.ranks
        ),
        lambda case: 0.75 * case.bus,
    ),
}
