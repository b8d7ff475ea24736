"""What NCCL 2.30's tuner expects: µs of latency and GB/s of algbw, and what it corrects by size.

The formulas of src/graph/tuning.cc of NCCL 2.30.7, for algorithms and protocols that are not off.
`kind` is the name of a collective: all_reduce, all_gather, reduce_scatter, broadcast, reduce.
"""

from __future__ import annotations

from collectives.cost.libraries.nccl import tables
from collectives.cost.libraries.nccl.graphs import Graph, Machine


def time(machine: Machine, kind: str, algorithm: str, protocol: str, size: int) -> float:
    """µs for so many bytes, with NCCL's corrections of what trees and rings reach."""
    rate = bandwidth(machine, kind, algorithm, protocol)
    rate *= tree_factor(machine, kind, algorithm, protocol, size)
    lost = latency(machine, kind, algorithm, protocol)
    lost *= plateau(machine, kind, algorithm, protocol, size)
    return lost + size / (1000 * rate)


def steps(kind: str, ranks: int) -> int:
    """Steps of a ring as the tuner counts them."""
    return {"all_reduce": 2 * (ranks - 1), "broadcast": ranks, "reduce": ranks}.get(kind, ranks - 1)


def bandwidth(machine: Machine, kind: str, algorithm: str, protocol: str) -> float:
    """GB/s of algbw that NCCL expects of an algorithm with a protocol that is not off."""
    graph, era, column = _graph(machine, algorithm), machine.generation, min(machine.nodes, 3) - 1
    collnet, ranks = algorithm.startswith("CollNet"), machine.ranks
    channels, per_node = graph.channels, machine.per_node
    bus = channels * (graph.intra if machine.nodes <= 2 or collnet else graph.inter)
    many = "Ampere" if machine.processor in ("amd", "mixed") else "Volta"
    ll_most = tables.LL_MOST[era if machine.nodes == 1 else many][column]
    if algorithm.startswith("NVLS"):
        inside = graph.intra * tables.NVLS_EFFICIENCY[era] * (channels - 1) / channels
        inside *= 2 if kind == "all_reduce" else (per_node - 1) / per_node
        between = graph.inter
        if algorithm == "NVLSTree":
            between *= 2 if machine.nodes <= 2 else 1
            between = min(between, tables.NVLS_TREE_MOST[era][column])
        bus = channels * min(inside, between)
    elif algorithm == "Ring" and protocol == "LL":
        bus = min(ll_most, bus / 2)
    elif algorithm == "Ring" and protocol == "LL128":
        bus = min(0.92 * bus, channels * tables.RING_LL128_MOST[era][column])
    elif algorithm == "Tree":
        bus = min(0.92 * bus, channels * tables.TREE_MOST[era][column])
        if protocol == "LL":
            bus = min(bus / 3.8, ll_most)
        elif protocol == "LL128":
            bus *= 7 / 9 if machine.nodes == 1 else 120 / 128
            bus = min(bus, channels * tables.TREE_LL128_MOST[era][column])
        bus *= 0.85 if machine.one_gpu else 1
    elif algorithm == "PAT":
        bus *= 0.75
    elif algorithm == "CollNetDirect" and kind == "all_reduce":
        bus /= (per_node / channels + 1) / 2  # GPUs without a network card of their own
        bus *= 0.85 if machine.capability >= 90 else 1
    elif algorithm == "CollNetDirect":
        bus = per_node * min(graph.intra, 0.9 * graph.inter)
    if algorithm == "Ring" or (algorithm.startswith("NVLS") and kind == "all_reduce"):
        return bus * ranks / steps(kind, ranks)
    return bus / 2 if kind == "all_reduce" else bus


def latency(machine: Machine, kind: str, algorithm: str, protocol: str) -> float:
    """µs that NCCL expects an algorithm to take for no bytes at all."""
    graph, nodes, at = _graph(machine, algorithm), machine.nodes, tables.PROTOCOLS.index(protocol)
    wire = "NVLINK" if graph.inside == "NVL" else "PCI"
    base, hop = tables.BASE_LATENCY[algorithm][at], tables.STEP_LATENCY[wire][algorithm][at]
    if (machine.processor, wire, algorithm, protocol) == ("power", "PCI", "Tree", "Simple"):
        hop = tables.STEP_LATENCY[wire]["Ring"][at]
    far = tables.STEP_LATENCY["NET"]["Tree" if machine.per_node == 1 else algorithm][at]
    far += graph.latency * (2 if protocol == "Simple" else 1)  # Simple also flushes
    levels, chain = nodes.bit_length() - 1, machine.per_node - 1
    if algorithm == "Ring" and kind in ("broadcast", "reduce"):
        level = wire if nodes == 1 else "NET"
        if graph.alike:
            return base + tables.STEP_LATENCY[level]["Ring"][at]
        like = "Tree" if protocol == "Simple" else "Ring"
        return base + steps(kind, machine.ranks) * tables.STEP_LATENCY[level][like][at]
    if algorithm == "Ring":
        if nodes > 1:
            post = tables.NET_OVERHEAD.get(machine.processor, 1.0)
            hop = max(hop, post * (3 if protocol == "Simple" else 1))
        crossing = (nodes - 1) * (2 if kind == "all_reduce" else 1)
        return base + (steps(kind, machine.ranks) - crossing) * hop + crossing * far
    if algorithm == "Tree":
        return base + 2 * (chain * hop + levels * far)
    if algorithm == "CollNetDirect":
        return base + 2 * (min(1, chain) * hop + 0.4 * chain) + far
    if algorithm == "CollNetChain":
        return base + 2 * chain * hop + far
    if algorithm == "NVLS":
        return hop + (far if nodes > 1 else 0)
    if algorithm == "NVLSTree":
        return base + hop + 2 * levels * far
    return base + levels * (far / 3.5) + 2.8 * machine.ranks  # PAT


def tree_factor(machine: Machine, kind: str, algorithm: str, protocol: str, size: int) -> float:
    """What part of its bandwidth a tree reaches at a size: medium sizes are slower."""
    level = (size >> 6).bit_length() - 1  # 64 B, 128 B, ...
    if kind != "all_reduce" or level < 0:
        return 1.0
    alike = machine.capability >= 100 and machine.processor in ("intel", "amd")
    if (algorithm == "Tree" and level < 23) or (algorithm == "NVLSTree" and alike and level < 24):
        return tables.TREE_FACTORS[protocol][level]
    return 1.0


def plateau(machine: Machine, kind: str, algorithm: str, protocol: str, size: int) -> float:
    """How much longer the latency of a Simple ring between nodes is, but for tiny vectors."""
    if (kind, algorithm, protocol) != ("all_reduce", "Ring", "Simple") or machine.nodes == 1:
        return 1.0
    if size // (machine.channels * machine.ranks) < 64:
        return 1.0
    return 1.9 if machine.capability < 80 else 1.4


def workers(machine: Machine, algorithm: str, protocol: str, size: int) -> tuple[int, int]:
    """Channels and threads of each: first channels are dropped, then threads are halved.

    As long as there are fewer bytes than what makes all these threads worth while.
    """
    if algorithm.startswith("NVLS"):
        channels = machine.nvls_channels
        both = algorithm == "NVLS" and machine.nodes > 1
        return min(channels, machine.channels) if both else channels, tables.ALL_THREADS
    if algorithm == "CollNetDirect":
        return _collnet_channels(machine, size), tables.ALL_THREADS
    ring, channels = _graph(machine, "Ring"), machine.channels
    threads, each = tables.THREADS[protocol], tables.BYTES_PER_THREAD[protocol]
    if algorithm == "Ring":
        each *= machine.ranks if protocol == "LL" else 1
        slow = ring.intra * ring.channels <= tables.SLOW
        threads //= 2 if protocol == "Simple" and slow else 1
    elif algorithm == "CollNetChain":
        threads, each = tables.ALL_THREADS, 512
    channels = max(1, min(channels, size // (threads * each)))
    while size < channels * threads * each and threads % 128 == 0:
        threads //= 2
    if algorithm == "Ring" and protocol == "Simple":
        threads += tables.WARP  # one to synchronize
    if algorithm in ("Tree", "PAT"):
        threads = tables.ALL_THREADS
    return channels, max(threads, 3 * tables.WARP)


def _collnet_channels(machine: Machine, size: int) -> int:
    """Channels for a switch that adds: one at a time is dropped, the fewer the less readily."""
    channels, each, floor = machine.channels, 512, 16
    load = tables.ALL_THREADS * machine.per_node
    while floor and size < channels * load * each:
        while size < channels * load * each and channels > floor:
            each //= 2 if channels == floor + floor // 2 else 1
            channels -= 1
        floor //= 2
    return channels


def _graph(machine: Machine, algorithm: str) -> Graph:
    graph = machine.graph(algorithm)
    assert graph is not None, f"{algorithm} is off"
    return graph
