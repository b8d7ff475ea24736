"""Claims 1 to 12 of the gradient-synchronization calculator: its results and what follows."""

from collectives.cost.machines.links import find_link
from collectives.evidence import readings as m
from collectives.evidence.claims.claim import Claim, Part, about, less_than, printed
from collectives.training import Gradient, hierarchical_seconds
from collectives.training.scaling import efficiency, minimum_bandwidth, weak_scaling

SEVENTY_B = 140e9  # bytes of 70 billion gradients of 2 bytes
COMPUTE = 3.5e-3  # seconds, as the page has it
SYNC = 0.4563  # seconds, as the page has it


def _gigabits(part: float) -> float:
    """Gb/s at which 7B gradients on 8 GPUs take this part of the compute time."""
    return minimum_bandwidth(m.SEVEN_B, 8, COMPUTE, 1 / (1 + part)) * 8 / 1e9


def _gib(part: float) -> float:
    """GiB of a part of 7B gradients."""
    return part * Gradient(7 * 10**9).gib


def _over_rails(nodes: int) -> float:
    """Seconds of 70B gradients on nodes of 8 GPUs that share one 400 Gb/s card."""
    return hierarchical_seconds(SEVENTY_B, nodes, 8, find_link(m.NVLINK), find_link(m.NDR), rails=1)


FIRST = (
    Claim(
        1,
        "7B parameters make 13.04 GB of gradients",
        "these are GiB: 14 GB at 2 bytes each",
        (Part("bf16 gradients", "GB", printed("13.04"), {"7B": lambda: Gradient(7 * 10**9).gb}),),
    ),
    Claim(
        2,
        "a ring sums them up in 456.3 ms, on 8 GPUs with 400 Gb/s",
        "GiB were divided by GB/s, which is 7 % too little",
        (
            Part(
                "ring",
                "ms",
                printed("456.3"),
                {"no latency": lambda: m.milliseconds(m.SEVEN_B, 8, m.NDR)},
            ),
        ),
    ),
    Claim(
        3,
        "a tree takes 521.5 ms",
        "GiB again: 2 S/B of a pipelined double tree, in GB",
        (
            Part(
                "double tree of many chunks",
                "ms",
                printed("521.5"),
                {
                    "no latency": lambda: (
                        m.sent("double-binary-tree", 8, chunks=2)
                        * m.copy_milliseconds(m.SEVEN_B, m.one_way(m.NDR))
                    )
                },
            ),
        ),
    ),
    Claim(
        4,
        "then 99.2 % of a step of 459.8 ms are overhead, 0.8 % compute",
        "this follows from 456.3 ms and 3.5 ms, if nothing overlaps",
        (
            Part(
                "overhead",
                "%",
                printed("99.2"),
                {"as given": lambda: 100 * (1 - efficiency(COMPUTE, SYNC))},
            ),
            Part(
                "compute",
                "%",
                printed("0.8"),
                {"as given": lambda: 100 * efficiency(COMPUTE, SYNC)},
            ),
            Part(
                "step",
                "ms",
                printed("459.8"),
                {"as given": lambda: 1e3 * weak_scaling(COMPUTE, lambda ranks: SYNC, 8).seconds},
            ),
        ),
    ),
    Claim(
        6,
        "at least 29802 Gb/s are needed",
        "it leaves out the factor 2 (N-1)/N, and takes GiB for GB",
        (
            Part(
                "bandwidth",
                "Gb/s",
                printed("29802"),
                {"communication as long as compute": lambda: _gigabits(1)},
            ),
        ),
    ),
    Claim(
        7,
        "an upgrade to 119600 Gb/s is advised",
        "four times a wrong number; no efficiency leads to it",
        (
            Part(
                "bandwidth",
                "Gb/s",
                about(119600),
                {
                    "communication as long as compute": lambda: _gigabits(1),
                    "a quarter of compute": lambda: _gigabits(0.25),
                },
            ),
        ),
    ),
    Claim(
        8,
        "in the ring each GPU handles 13.04",
        "that is the buffer, in GiB; a chunk is an eighth, and 1.75 of it are sent",
        (
            Part(
                "7B gradients on 8 GPUs",
                "GiB",
                printed("13.04"),
                {
                    "buffer": lambda: _gib(1),
                    "chunk": lambda: _gib(1 / m.ring_of(8).chunk_count),
                    "sent by each": lambda: _gib(float(m.sent("ring", 8))),
                },
            ),
        ),
    ),
    Claim(
        9,
        "400 Gb/s synchronizes models up to 70B in less than a second",
        "only several cards in each node, and a hierarchy that uses them, would",
        (
            Part(
                "bf16 gradients of 70B",
                "s",
                less_than(1),
                {
                    "ring of 8": lambda: m.milliseconds(SEVENTY_B, 8, m.NDR) / 1e3,
                    "8 nodes of 8, one card each": lambda: _over_rails(8),
                    "128 nodes of 8": lambda: _over_rails(128),
                },
            ),
        ),
    ),
    Claim(
        10,
        "175B parameters in bf16 make 350 GB of gradients",
        "the buffer; an unsharded ring sends up to twice that from each GPU",
        (Part("buffer", "GB", printed("350"), {"bf16": lambda: Gradient(175 * 10**9).gb}),),
    ),
    Claim(
        11,
        "gradients grow linearly with parameters",
        "so many bytes each",
        (
            Part(
                "twice the parameters",
                "x",
                printed("2.00"),
                {"bf16": lambda: Gradient(14 * 10**9).bytes / Gradient(7 * 10**9).bytes},
            ),
        ),
    ),
    Claim(
        12,
        "a star with a master is O(n^2)",
        "the master takes in and gives out (n-1) S: O(n), all of it on one node",
        (
            Part(
                "bytes in all, 128 ranks against 64",
                "x",
                about(4),
                {
                    "reduce to a master, and back": lambda: (
                        m.total("linear", 128) / m.total("linear", 64)
                    )
                },
            ),
        ),
    ),
)
