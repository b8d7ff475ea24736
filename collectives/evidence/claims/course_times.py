"""Claims 14 to 25 of the course page: times, prices, crossovers."""

from collectives.cost.machines.links import Link
from collectives.evidence import readings as m
from collectives.evidence.claims.claim import Claim, Figure, Part, about, less_than, printed
from collectives.training import Gradient
from collectives.training.parallel import sharded_bytes
from collectives.training.scaling import dollars_per_step, efficiency

SENT = 28e9  # bytes of 7B gradients that the page says are sent
COMPUTE = 0.2  # seconds, as the page has it
DAY = 86_400  # steps, of a second each
TYPICAL = Link("typical", 50e9, 5e-6)


def _overhead(milliseconds: float) -> float:
    """Communication as a percentage of compute, without overlap."""
    return 100 * (1 / efficiency(COMPUTE, milliseconds / 1e3) - 1)


def _copy_of(gigabytes: float) -> float:
    """Seconds in which the bytes that the page says are sent pass."""
    return m.copy_milliseconds(SENT, gigabytes) / 1e3


def _spread(*ranks: int) -> float:
    """The largest size at which ring and double tree take as long, against the smallest."""
    sizes = [m.crossover(each, TYPICAL) for each in ranks]
    return float(max(sizes) / min(sizes))


def _ring_part(link: str, said: Figure) -> Part:
    """The time of a ring of 8 and of very many ranks over a link."""
    return Part(
        "all-reduce of 14 GB",
        "ms",
        said,
        {
            "one way, 8 ranks": lambda: m.milliseconds(m.SEVEN_B, 8, link),
            "one way, 1024 ranks": lambda: m.milliseconds(m.SEVEN_B, 1024, link),
        },
    )


SECOND = (
    Claim(
        14,
        "7B gradients in fp16 are 14 GB, and 28 GB are sent",
        "28 GB is the limit of many ranks: 8 send 24.5 GB each",
        (
            Part("buffer", "GB", printed("14"), {"fp16": lambda: Gradient(7 * 10**9, "fp16").gb}),
            Part(
                "sent by each",
                "GB",
                printed("28"),
                {
                    "8 ranks": lambda: 14 * m.sent("ring", 8),
                    "1024 ranks": lambda: 14 * m.sent("ring", 1024),
                },
            ),
        ),
    ),
    Claim(
        15,
        "over NVLink that takes 31 ms",
        "900 GB/s adds up both directions: one way it takes twice as long",
        (_ring_part(m.NVLINK, printed("31")),),
    ),
    Claim(
        16,
        "over PCIe 4.0 x16 it takes 440 ms",
        "64 GB/s adds up both directions",
        (_ring_part("pcie4", about(440)),),
    ),
    Claim(
        17,
        "over HDR InfiniBand 1.12 s",
        "for the 28 GB that the page has; 0.98 s for 8 ranks",
        (
            Part(
                "28 GB",
                "s",
                printed("1.12"),
                {"one way": lambda: _copy_of(m.one_way(m.HDR))},
            ),
        ),
    ),
    Claim(
        18,
        "over 10 Gb Ethernet 22 s",
        "for the 28 GB that the page has; 19.6 s for 8 ranks",
        (
            Part(
                "28 GB",
                "s",
                printed("22"),
                {"one way": lambda: _copy_of(m.one_way("ethernet-10"))},
            ),
        ),
    ),
    Claim(
        19,
        "that is 15 %, 220 % and 560 % of 200 ms",
        "this follows from 31, 440 and 1120 ms; from the right ones 27, 389 and 490 %",
        (
            Part("31 ms", "%", about(15), {"as given": lambda: _overhead(31)}),
            Part("440 ms", "%", printed("220"), {"as given": lambda: _overhead(440)}),
            Part("1120 ms", "%", printed("560"), {"as given": lambda: _overhead(1120)}),
        ),
    ),
    Claim(
        20,
        "beyond 100 GPUs plain data parallelism needs ZeRO to send less",
        "ZeRO saves memory: stages 1 and 2 send as much, stage 3 half as much again",
        (
            Part(
                "bytes against plain data parallelism",
                "x",
                less_than(1),
                {
                    name: lambda name=name: (  # type: ignore[misc]
                        sharded_bytes(name, 1024, 128) / sharded_bytes("ddp", 1024, 128)
                    )
                    for name in ("zero-1", "zero-2", "zero-3")
                },
            ),
        ),
    ),
    Claim(
        21,
        "500k parameters are 1 MB, and 2 MB are sent",
        "2 MB is the limit of many ranks: two ranks send 1 MB each",
        (
            Part(
                "buffer",
                "MB",
                printed("1"),
                {"fp16": lambda: Gradient(500_000, "fp16").bytes / 1e6},
            ),
            Part(
                "sent by each",
                "MB",
                printed("2"),
                {"2 ranks": lambda: m.sent("ring", 2), "1024 ranks": lambda: m.sent("ring", 1024)},
            ),
        ),
    ),
    Claim(
        22,
        "$30 an hour make 8.3e-3 a second, 2.1e-3 a step, 180 a day",
        "8 GPUs for 31 ms, once a second; the price is high, and the right 54.44 ms make $314",
        (
            Part("a second", "$", printed("8.3e-3"), {"1 GPU": lambda: dollars_per_step(30, 1, 1)}),
            Part(
                "a step",
                "$",
                printed("2.1e-3"),
                {"8 GPUs, 31 ms": lambda: dollars_per_step(30, 8, 0.031)},
            ),
            Part(
                "a day",
                "$",
                about(180),
                {"a step a second": lambda: DAY * dollars_per_step(30, 8, 0.031)},
            ),
        ),
    ),
    Claim(
        23,
        "two RTX 4090 cost 1.9e-4 a second, 1.9e-7 a millisecond, 2 for 3 hours",
        "at $0.35 an hour each; 2.10 for 3 hours",
        (
            Part("a second", "$", printed("1.9e-4"), {"2": lambda: dollars_per_step(0.35, 2, 1)}),
            Part(
                "a millisecond",
                "$",
                printed("1.9e-7"),
                {"2": lambda: dollars_per_step(0.35, 2, 1e-3)},
            ),
            Part("3 hours", "$", printed("2"), {"2": lambda: dollars_per_step(0.35, 2, 3 * 3600)}),
        ),
    ),
    Claim(
        24,
        "1 KB is bound by latency, so that NCCL uses a tree",
        "across nodes; inside one, its tuner takes the ring with LL",
        (
            Part(
                "NCCL takes its tree for 1 KiB",
                "",
                printed("1"),
                {
                    "8 H100": lambda: m.picks_tree(1, 1 << 10),
                    "4 nodes of 8 H100": lambda: m.picks_tree(4, 1 << 10),
                },
            ),
        ),
    ),
    Claim(
        25,
        "ring and tree cross over between 256 KB and 4 MB",
        "it grows like N^2: 1 MB at 4 ranks, 912 MB at 64, with 5 us and 50 GB/s",
        (
            Part(
                "largest crossover against the smallest",
                "x",
                less_than(16),
                {"4 to 64 ranks": lambda: _spread(4, 8, 16, 64)},
            ),
        ),
    ),
)
