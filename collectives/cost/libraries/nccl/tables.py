"""The numbers NCCL 2.30's tuner starts from: latencies in µs, bandwidths in GB/s (10^9 B/s).

They are those of src/graph/tuning.cc; the columns of a bandwidth are 1, 2, and 3 or more nodes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

PROTOCOLS = ("LL", "LL128", "Simple")
KINDS = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce")
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of NCCL: which of a machine's graphs it uses, our row, and for what it is there.

    base: µs it takes at least with LL, LL128 and Simple. nvlink, pci, net: µs of each step.
    """

    graph: str
    row: str
    kinds: tuple[str, ...]
    nvlink: Triple
    pci: Triple
    net: Triple
    base: Triple = (0, 0, 0)
    protocols: tuple[str, ...] = ("Simple",)


def _simple(nvlink: float, pci: float, net: float) -> tuple[Triple, Triple, Triple]:
    """Steps of an algorithm that only has the protocol Simple."""
    return (0, 0, nvlink), (0, 0, pci), (0, 0, net)


ALGORITHMS: Mapping[str, Algorithm] = {
    "Tree": Algorithm(
        graph="tree",
        row="double-binary-tree",
        kinds=("all_reduce",),
        nvlink=(0.6, 1.25, 4.0),
        pci=(1.0, 1.9, 4.0),
        net=(5.0, 8.5, 14.0),
        base=(6.8, 14.0, 8.4),
        protocols=PROTOCOLS,
    ),
    "Ring": Algorithm(
        graph="ring",
        row="ring",
        kinds=KINDS,
        nvlink=(0.6, 1.9, 3.4),
        pci=(1.0, 2.5, 5.7),
        net=(2.7, 4.0, 14.0),
        base=(6.6, 14.0, 8.4),
        protocols=PROTOCOLS,
    ),
    "CollNetDirect": Algorithm("collnet", "sharp", KINDS[:3], *_simple(3.7, 3.7, 31)),
    "CollNetChain": Algorithm("collnet", "sharp", KINDS[:1], *_simple(2.8, 2.8, 30)),
    "NVLS": Algorithm("nvls", "nvls", KINDS[:3], *_simple(25, 0, 18)),
    "NVLSTree": Algorithm("nvls", "nvls-tree", KINDS[:1], *_simple(25, 0, 20.9)),
    "PAT": Algorithm("tree", "pat", KINDS[1:3], *_simple(4.0, 4.0, 14), base=(8.0, 8.0, 8.0)),
}
PATHS = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")  # nearest first
GENERATIONS = ((100, "Blackwell"), (90, "Hopper"), (80, "Ampere"), (0, "Volta"))
MOST_NVLS_RANKS = 32  # in a node, for all-gather and reduce-scatter

NET_OVERHEAD = {"amd": 2.0}  # of each step of a ring between nodes; 1 µs with other processors

LL_MOST: Mapping[str, Triple] = {  # in all; on several nodes Volta is Intel and Ampere is AMD
    "Volta": (39.0, 39.0, 20.4),
    "Ampere": (87.7, 22.5, 19.0),
    "Hopper": (141.0, 45.0, 35.0),
    "Blackwell": (282.0, 90.0, 70.0),
}
RING_LL128_MOST: Mapping[str, Triple] = {  # per channel, as all below
    "Volta": (20.0, 20.0, 20.0),
    "Ampere": (20.0, 20.0, 20.0),
    "Hopper": (36.7, 36.7, 36.7),
    "Blackwell": (40.0, 40.0, 40.0),
}
TREE_LL128_MOST: Mapping[str, Triple] = {
    "Volta": (20.0, 20.0, 20.0),
    "Ampere": (20.0, 20.0, 20.0),
    "Hopper": (36.7, 36.7, 29.0),
    "Blackwell": (55.6, 31.67, 20.0),
}
TREE_MOST: Mapping[str, Triple] = {
    "Volta": (26.5, 18.5, 10.0),
    "Ampere": (24.0, 23.6, 17.8),
    "Hopper": (38.7, 41.4, 36.0),
    "Blackwell": (70.0, 42.8, 24.0),
}
NVLS_TREE_MOST: Mapping[str, Triple] = {  # NVSwitches add from Hopper on
    "Hopper": (0.0, 57.7, 45.5),
    "Blackwell": (0.0, 96.0, 80.0),
}
NVLS_EFFICIENCY = {"Hopper": 0.85, "Blackwell": 0.74}

# What a tree reaches of its bandwidth, for 64 B, 128 B, 256 B … 512 MB.
TREE_FACTORS: Mapping[str, tuple[float, ...]] = {
    "LL": (
        *(1, 1, 1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5),
        *(0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1, 1),
    ),
    "LL128": (
        *(1, 1, 1, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6),
        *(0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1, 1),
    ),
    "Simple": (
        *(0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5),
        *(0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9),
    ),
}

# What the search for graphs tries, in GB/s per channel, and what it believes of hardware.
NVLINK = {"V100": 120.0, "A100": 240.0, "A800": 160.0, "H100": 370.8, "H200": 370.8}
NVLINK |= {"H20": 370.8, "H800": 164.8, "GH200": 370.8, "B200": 721.8, "GB200": 721.8}
NVLINK |= {"B300": 721.8, "GB300": 721.8}  # 6 x 20, 12 x 20, 8 x 20, 18 x 20.6, 8 x 20.6, 18 x 40.1
PCI = {"Volta": 12.0, "Ampere": 24.0, "Hopper": 48.0, "Blackwell": 48.0}  # x16, generations 3-5
INSIDE: Mapping[str, tuple[float, ...]] = {
    "Ampere": (40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3),
    "Hopper": (60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3),
    "Blackwell": (90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18),
}
BETWEEN: Mapping[str, tuple[float, ...]] = {
    "Ampere": (48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, 0.24, 0.12),
    "Hopper": (48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, 0.24, 0.12),
    "Blackwell": (
        *(96, 86, 80, 48, 45.1, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6),
        *(3, 2.4, 1.2, 0.24, 0.12),
    ),
}
