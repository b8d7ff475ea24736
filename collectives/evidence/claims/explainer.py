"""Claims of an explainer of distributed training with an animated ring."""

from collectives.cost.machines.links import find_link
from collectives.evidence import readings as m
from collectives.evidence.claims.claim import (
    Claim,
    Page,
    Part,
    about,
    less_than,
    more_than,
    printed,
)
from collectives.training import sync_seconds
from collectives.training.scaling import amdahl, amdahl_limit, strong_scaling


def _gain_of_twice_the_ranks(ranks: int) -> float:
    """The speed-up of 2 N ranks against N: 1 s of work, 100 MB to synchronize over 400 Gb/s."""
    found = [
        strong_scaling(1.0, lambda n: sync_seconds(1e8, n, find_link(m.NDR)), each).speedup
        for each in (ranks, 2 * ranks)
    ]
    return found[1] / found[0]


def _least_seconds(ranks: int) -> float:
    """The latency of the fewest steps there can be, over NVLink."""
    return m.ring_of(ranks).bound.steps * find_link(m.NVLINK).latency


PAGE = Page(
    "B",
    "an explainer of distributed training with an animated ring",
    14,
    (
        Claim(
            1,
            "GPUs are synchronized with nanosecond precision",
            "a single hop takes about a microsecond, a collective several of them",
            (
                Part(
                    "least time of 8 GPUs",
                    "us",
                    less_than(1),
                    {
                        "3 steps of NVLink": lambda: _least_seconds(8) * 1e6,
                        "8 bytes, by NCCL's tuner": lambda: m.nccl_seconds(8) * 1e6,
                    },
                ),
            ),
        ),
        Claim(
            3,
            "ideally 8 GPUs are 8 times as fast",
            "if nothing is serial",
            (Part("speed-up", "x", printed("8"), {"nothing serial": lambda: amdahl(0, 8)}),),
        ),
        Claim(
            4,
            "a ring all-reduce: latency O(log N), bandwidth O(N-1)",
            "latency grows like N, and the bytes of a rank do not grow: both are wrong",
            (
                Part(
                    "growth of steps from 8 to 64 ranks",
                    "x",
                    about(2),
                    {"ring": lambda: m.steps("ring", 64) / m.steps("ring", 8)},
                ),
                Part(
                    "growth of bytes of a rank",
                    "x",
                    about(9),
                    {"ring": lambda: m.sent("ring", 64) / m.sent("ring", 8)},
                ),
            ),
        ),
        Claim(
            5,
            "beyond the communication wall more GPUs give diminishing returns",
            "once synchronization grows by more than compute shrinks, returns are negative",
            (
                Part(
                    "speed-up by twice the ranks",
                    "x",
                    more_than(1),
                    {
                        "8 to 16": lambda: _gain_of_twice_the_ranks(8),
                        "1024 to 2048": lambda: _gain_of_twice_the_ranks(1024),
                    },
                ),
            ),
        ),
        Claim(
            6,
            "1 % of serial work limits the speed-up to 100",
            "Amdahl's law; the time of an all-reduce is no constant part, though",
            (Part("limit", "x", printed("100"), {"1 % serial": lambda: amdahl_limit(0.01)}),),
        ),
        Claim(
            8,
            "an all-reduce sums, and hands the sum to everyone",
            "executed on numbers, it does",
            (
                Part(
                    "ranks of 8 that end with the sum",
                    "",
                    printed("8"),
                    {
                        "ring": lambda: m.summed("ring", 8),
                        "tree": lambda: m.summed("tree", 8),
                        "one-shot": lambda: m.summed("flat", 8),
                    },
                ),
            ),
        ),
        Claim(
            12,
            "sums in switches double the bandwidth",
            "S instead of 2 (N-1)/N S each way; NVLS also sends the switch's part",
            (
                Part(
                    "bytes of a ring against those with switches",
                    "x",
                    about(2),
                    {
                        "SHARP, 8 ranks": lambda: m.sent("ring", 8) / m.sent("sharp", 8),
                        "SHARP, 1024 ranks": lambda: m.sent("ring", 1024) / m.sent("sharp", 1024),
                        "NVLS, 8 ranks": lambda: m.sent("ring", 8) / m.sent("nvls", 8),
                    },
                ),
            ),
        ),
    ),
)
