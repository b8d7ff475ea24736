"""The numbers NCCL 2.30's tuner starts from, read from `tables.toml`.

Latencies are in µs, bandwidths in GB/s (10^9 B/s).
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROTOCOLS = ("LL", "LL128", "Simple")
KINDS = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce")
PATHS = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")  # nearest first
GENERATIONS = ((100, "Blackwell"), (90, "Hopper"), (80, "Ampere"), (0, "Volta"))
MOST_NVLS_RANKS = 32  # in a node, for all-gather and reduce-scatter

NET_OVERHEAD = {"amd": 2.0}  # of each step of a ring between nodes; 1 µs with other processors
NVLS_EFFICIENCY = {"Hopper": 0.85, "Blackwell": 0.74}
PCI = {"Volta": 12.0, "Ampere": 24.0, "Hopper": 48.0, "Blackwell": 48.0}  # x16, generations 3-5
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of NCCL: which of a machine's graphs it uses, our row, and for what it is there.

    base: µs it takes at least with LL, LL128 and Simple. nvlink, pci, net: µs of each step.
    """

    graph: str
    row: str
    kinds: Sequence[str]
    protocols: Sequence[str]
    base: Triple
    nvlink: Triple
    pci: Triple
    net: Triple


def _triple(row: Sequence[float]) -> Triple:
    """The three numbers of a row; raises ValueError for more or fewer."""
    first, second, third = row
    return first, second, third


def _algorithm(row: Mapping[str, Any]) -> Algorithm:
    """An algorithm from its table; raises TypeError for fields that are missing or unknown."""
    latencies = {name: _triple(row[name]) for name in ("base", "nvlink", "pci", "net")}
    return Algorithm(**(dict(row) | latencies))


with Path(__file__).with_name("tables.toml").open("rb") as file:
    _GIVEN = tomllib.load(file)

ALGORITHMS = {name: _algorithm(row) for name, row in _GIVEN["algorithms"].items()}
LIMITS: Mapping[str, Mapping[str, Triple]] = {
    name: {generation: _triple(row) for generation, row in rows.items()}
    for name, rows in _GIVEN["limits"].items()
}
TREE_FACTORS: Mapping[str, Sequence[float]] = _GIVEN["tree_factors"]
INSIDE: Mapping[str, Sequence[float]] = _GIVEN["inside"]
BETWEEN: Mapping[str, Sequence[float]] = _GIVEN["between"]
NVLINK: Mapping[str, float] = _GIVEN["nvlink"]
