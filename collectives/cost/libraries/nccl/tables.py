"""The numbers NCCL 2.30's tuner starts from: latencies in µs, bandwidths in GB/s (10^9 B/s).

They are those of src/graph/tuning.cc; the columns of a bandwidth are 1, 2, and 3 or more nodes.
"""

from collections.abc import Mapping

ALGORITHMS = ("Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT")
PROTOCOLS = ("LL", "LL128", "Simple")
SIMPLE_ONLY = ("CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT")
OFFERED = {  # which algorithms there are for which collective
    "all_reduce": ("Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree"),
    "all_gather": ("Ring", "CollNetDirect", "NVLS", "PAT"),
    "reduce_scatter": ("Ring", "CollNetDirect", "NVLS", "PAT"),
    "broadcast": ("Ring",),
    "reduce": ("Ring",),
}
PATHS = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")  # nearest first
GENERATIONS = ((100, "Blackwell"), (90, "Hopper"), (80, "Ampere"), (0, "Volta"))
MOST_NVLS_RANKS = 32  # in a node, for all-gather and reduce-scatter

Triple = tuple[float, float, float]

BASE_LATENCY: Mapping[str, Triple] = {  # LL, LL128, Simple
    "Tree": (6.8, 14.0, 8.4),
    "Ring": (6.6, 14.0, 8.4),
    "CollNetDirect": (0, 0, 0),
    "CollNetChain": (0, 0, 0),
    "NVLS": (0, 0, 0),
    "NVLSTree": (0, 0, 0),
    "PAT": (8.0, 8.0, 8.0),
}
STEP_LATENCY: Mapping[str, Mapping[str, Triple]] = {
    "NVLINK": {
        "Tree": (0.6, 1.25, 4.0),
        "Ring": (0.6, 1.9, 3.4),
        "CollNetDirect": (0, 0, 3.7),
        "CollNetChain": (0, 0, 2.8),
        "NVLS": (0, 0, 25),
        "NVLSTree": (0, 0, 25),
        "PAT": (0, 0, 4.0),
    },
    "PCI": {
        "Tree": (1.0, 1.9, 4.0),
        "Ring": (1.0, 2.5, 5.7),
        "CollNetDirect": (0, 0, 3.7),
        "CollNetChain": (0, 0, 2.8),
        "NVLS": (0, 0, 0),
        "NVLSTree": (0, 0, 0),
        "PAT": (0, 0, 4.0),
    },
    "NET": {
        "Tree": (5.0, 8.5, 14.0),
        "Ring": (2.7, 4.0, 14.0),
        "CollNetDirect": (0, 0, 31),
        "CollNetChain": (0, 0, 30),
        "NVLS": (0, 0, 18),
        "NVLSTree": (0, 0, 20.9),
        "PAT": (0, 0, 14),
    },
}
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

# How many threads a channel has at most, and for how many bytes one of them is worth while.
WARP = 32
THREADS = {"LL": 512, "LL128": 640, "Simple": 512}
ALL_THREADS = 640  # of Tree, PAT, CollNet and NVLS
SLOW = 12.0  # GB/s: rings that are not faster take half of the threads (Simple)
BYTES_PER_THREAD = {"LL": 8, "LL128": 8, "Simple": 64}  # LL rings: times the number of ranks

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
