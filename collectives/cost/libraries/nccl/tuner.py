"""NCCL 2.30's tuner: the latency and bandwidth it gives every algorithm and protocol, and its pick.

NCCL has no thresholds. For each algorithm and protocol that is not off it computes
latency + bytes / bandwidth, and takes the smallest. This is src/graph/tuning.cc of NCCL 2.30.7
in other words; times in µs and bandwidths in GB/s (10^9 B/s), as NCCL's log has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from collectives.collective import find_collective
from collectives.cost.libraries.nccl import tables
from collectives.cost.libraries.nccl.graphs import Machine
from collectives.cost.libraries.nccl.model import FORMULAS, TuningCase
from collectives.errors import BadInput
from collectives.units import time_text
from collectives.values import whole


@dataclass(frozen=True)
class Candidate:
    """An algorithm with a protocol: `bandwidth` GB/s of algbw, or why it is `off`."""

    algorithm: str
    protocol: str
    latency: float = 0.0
    bandwidth: float = 0.0
    time: float = float("inf")
    off: str = ""

    @property
    def name(self) -> str:
        """The name in short: Ring LL128."""
        return f"{self.algorithm} {self.protocol}"

    @property
    def seconds(self) -> float:
        """The time in seconds, as the clocks have it."""
        return self.time * 1e-6


@dataclass(frozen=True)
class TunerChoice:
    """What NCCL would run, and why."""

    candidate: Candidate
    reason: str


def choose(machine: Machine, collective: str, size: int) -> TunerChoice:
    """The algorithm and protocol NCCL picks for a vector of so many bytes.

    >>> from collectives.cost.libraries.nccl.graphs import hgx
    >>> [choose(hgx("H100"), "all-reduce", 2**exponent).candidate.name for exponent in (20, 21)]
    ['Ring LL', 'NVLS Simple']
    """
    ways = candidates(machine, collective, size)
    if machine.ranks == 1:
        return TunerChoice(Candidate("Ring", "Simple", time=0.0), "one rank sends nothing")
    ranked = sorted((way for way in ways if not way.off), key=lambda way: way.time)
    if not ranked:
        raise BadInput(f"{machine.name}: every algorithm is off; {ways[0].off}")
    best = ranked[0]
    reason = f"{best.name} takes {time_text(best.seconds)}"
    if len(ranked) > 1:
        reason += f", {ranked[1].name} {time_text(ranked[1].seconds)}"
    return TunerChoice(best, reason)


def candidates(machine: Machine, collective: str, size: int) -> tuple[Candidate, ...]:
    """Every algorithm with every protocol, with its time for so many bytes or why it is off."""
    kind = find_collective(collective).name
    if kind not in tables.KINDS:
        known = ", ".join(name.replace("_", "-") for name in tables.KINDS)
        title = kind.replace("_", "-")
        raise BadInput(
            f"NCCL's tuner does not time {title}: it is a group of sends; choose from {known}"
        )
    size = whole("size", size)
    ways = []
    for algorithm in tables.ALGORITHMS:
        for protocol in tables.PROTOCOLS:
            off = why_off(machine, kind, algorithm, protocol)
            if off:
                ways.append(Candidate(algorithm, protocol, off=off))
                continue
            case, its = TuningCase(machine, kind, algorithm, protocol), FORMULAS[algorithm]
            numbers = its.latency(case), its.bandwidth(case), its.time(case, size)
            ways.append(Candidate(algorithm, protocol, *numbers))
    return tuple(ways)


def why_off(machine: Machine, kind: str, algorithm: str, protocol: str) -> str:
    """Why NCCL does not consider this algorithm with this protocol; empty if it does."""
    facts = tables.ALGORITHMS[algorithm]
    if machine.ranks == 1:
        return "one rank has nothing to send"
    for name in (algorithm, protocol):
        if name in machine.without:
            return f"{name} is switched off"
    if kind not in facts.kinds:
        return f"there is no {algorithm} {kind.replace('_', '-')}"
    if protocol not in facts.protocols:
        return f"{algorithm} has no {protocol}"
    if facts.graph == "collnet" and not machine.collnet:
        return "CollNet is not enabled"
    graph = machine.graphs.get(facts.graph)
    if graph is None:
        return f"the machine has no graph for {algorithm}"
    if protocol == "LL128":
        return _why_no_ll128(machine, graph.inside, graph.outside)
    if algorithm == "PAT" and machine.per_node > 1:
        return "PAT needs nodes of one GPU"
    return _why_no_switches(machine, kind, algorithm) if facts.graph == "nvls" else ""


def _why_no_switches(machine: Machine, kind: str, algorithm: str) -> str:
    """Why NVSwitches cannot add here with NVLS or NVLSTree."""
    if machine.capability < 90:
        return "NVSwitches add from Hopper on"
    if machine.graphs["nvls"].channels < 2:
        return "NVLS needs two channels"
    if algorithm == "NVLSTree":
        return "NVLSTree needs several nodes" if machine.nodes == 1 else ""
    if machine.nodes > 1 and not machine.collnet:
        return "NVLS between nodes needs CollNet"
    if kind == "all_reduce":
        return ""
    if machine.per_node == 1:
        return "NVLS needs nodes of several GPUs"
    limit = tables.MOST_NVLS_RANKS
    return f"more than {limit} GPUs in a node" if machine.per_node > limit else ""


def _why_no_ll128(machine: Machine, inside: str, outside: str) -> str:
    farthest = "PXN" if machine.capability >= 90 else "PXB"
    newest = machine.most_capability or machine.capability
    if machine.capability < 70:
        return "LL128 is for Volta and later"
    if machine.capability != newest and machine.capability < 90:
        return "LL128 before Hopper needs GPUs that are alike"
    if tables.PATHS.index(inside) > tables.PATHS.index("NVB"):
        return f"LL128 needs NVLink inside a node, not {inside}"
    if tables.PATHS.index(outside) > tables.PATHS.index(farthest):
        return f"LL128 reaches network cards up to {farthest}, not {outside}"
    return ""


def ranges(machine: Machine, collective: str, sizes: Iterable[int]) -> list[tuple[int, int, str]]:
    """The choice by size: from, to (both among the sizes) and the candidate's name.

    >>> from collectives.cost.libraries.nccl.graphs import hgx
    >>> for row in ranges(hgx("A100"), "all-reduce", (2**e for e in range(3, 35))):
    ...     print(*row)
    8 2097152 Ring LL
    4194304 16777216 Ring LL128
    33554432 17179869184 Ring Simple
    """
    chosen = [(choose(machine, collective, size).candidate.name, size) for size in sorted(sizes)]
    alike = [(name, [size for _, size in pairs]) for name, pairs in groupby(chosen, itemgetter(0))]
    return [(sizes[0], sizes[-1], name) for name, sizes in alike]
