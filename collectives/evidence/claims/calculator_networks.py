"""Claims 13 to 26 of the gradient-synchronization calculator: rings, overlap, networks."""

from collectives.evidence import readings as m
from collectives.evidence.busbw import factor
from collectives.evidence.claims.claim import (
    Claim,
    Part,
    about,
    between,
    less_than,
    more_than,
    printed,
)
from collectives.training import bits_of
from collectives.training.compression import quantized, top_k_gain
from collectives.training.overlap import BUCKET, make_buckets
from collectives.training.scaling import efficiency


def _in_a_bucket(dtype: str) -> float:
    """Millions of parameters whose gradients fill a bucket of PyTorch's DDP."""
    return BUCKET * 8 / bits_of(dtype) / 1e6


def _first_layer_summed(layers: int) -> int:
    """The layer, 0 next to the input, whose gradients are in the first bucket."""
    return make_buckets([BUCKET] * layers)[0].layers[0]


SECOND = (
    Claim(
        13,
        "a ring: one neighbor, n chunks, 2 (n-1) steps",
        "it sends to one neighbor, and receives from the other",
        (
            Part("partners", "", printed("1"), {"8 ranks": lambda: m.partners("ring", 8)}),
            Part("chunks", "", printed("8"), {"8 ranks": lambda: m.ring_of(8).chunk_count}),
            Part("steps", "", printed("14"), {"8 ranks": lambda: len(m.ring_of(8).steps)}),
        ),
    ),
    Claim(
        14,
        "it takes 2 (n-1)/n M/B",
        "that is the term of bandwidth; latency and reduction are to be added",
        (
            Part(
                "what passes one after another",
                "M",
                printed("1.75"),
                {"8 ranks, recorded": lambda: m.passed_in_steps(8)},
            ),
        ),
    ),
    Claim(
        15,
        "the ring is optimal in bandwidth",
        "it sends the least there is, if switches do not add",
        (
            Part(
                "sent by the busiest, against the lower bound",
                "x",
                printed("1.00"),
                {
                    f"{ranks} ranks": lambda ranks=ranks: (  # type: ignore[misc]
                        max(m.ring_of(ranks).bytes_sent) / m.ring_of(ranks).bound.sent
                    )
                    for ranks in (2, 8, 33)
                },
            ),
        ),
    ),
    Claim(
        16,
        "about 2 M are sent, whether there are 128 ranks or 16,384",
        "right for bytes; but 16,384 ranks take 32,766 steps, 0.16 s of latency at 5 us",
        (
            Part(
                "sent by each",
                "M",
                about(2),
                {
                    "128 ranks": lambda: m.sent("ring", 128),
                    "16,384 ranks": lambda: m.sent("ring", 16384),
                },
            ),
        ),
    ),
    Claim(
        17,
        "DDP's buckets hold 25M to 50M parameters",
        "they hold 25 MiB",
        (
            Part(
                "parameters in a bucket",
                "M",
                between(25, 50),
                {"fp32": lambda: _in_a_bucket("fp32"), "bf16": lambda: _in_a_bucket("bf16")},
            ),
        ),
    ),
    Claim(
        18,
        "lower layers are summed while upper ones still compute gradients",
        "the backward pass starts at the last layer, whose gradients are ready first",
        (
            Part(
                "layer of 4 that is summed first, 0 the lowest",
                "",
                printed("0"),
                {"buckets in order": lambda: _first_layer_summed(4)},
            ),
        ),
    ),
    Claim(
        19,
        "compression saves a factor of 2 to 10",
        "2 to 4 by smaller numbers; the largest 0.1 % save 125 on 8 ranks, nothing on 2048",
        (
            Part(
                "fewer bytes",
                "x",
                between(2, 10),
                {
                    "bf16 to fp8": lambda: quantized("bf16", "fp8"),
                    "fp32 to int8": lambda: quantized("fp32", "int8"),
                    "top 0.1 %, 8 ranks": lambda: top_k_gain(8, 0.001),
                    "top 0.1 %, 2048 ranks": lambda: top_k_gain(2048, 0.001),
                },
            ),
        ),
    ),
    Claim(
        20,
        "NVLink has a latency below a microsecond",
        "a hop can have; a collective takes many hops",
        (
            Part(
                "latency",
                "us",
                less_than(1),
                {
                    "a hop, by NCCL's tuner": m.hop_microseconds,
                    "14 such hops": lambda: m.steps("ring", 8) * m.hop_microseconds(),
                    "8 bytes, by NCCL's tuner": lambda: m.nccl_seconds(8) * 1e6,
                },
            ),
        ),
    ),
    Claim(
        21,
        "NVLink to InfiniBand to Ethernet: 900 to 50 to 12.5 GB/s",
        "the first adds up both directions: one way they are as 36 : 4 : 1",
        (
            Part(
                "NVLink 4",
                "GB/s",
                printed("900"),
                {
                    "both directions": lambda: m.both_ways(m.NVLINK),
                    "one": lambda: m.one_way(m.NVLINK),
                },
            ),
            Part("InfiniBand NDR", "GB/s", printed("50"), {"one": lambda: m.one_way(m.NDR)}),
            Part(
                "100 Gb Ethernet",
                "GB/s",
                printed("12.5"),
                {"one": lambda: m.one_way("ethernet-100")},
            ),
        ),
    ),
    Claim(
        22,
        "1.8 s of 2.2 s are 80 % idle",
        "81.8 %, rounded",
        (
            Part(
                "idle",
                "%",
                about(80),
                {"as given": lambda: 100 * (1 - efficiency(0.4, 1.8))},
            ),
        ),
    ),
    Claim(
        23,
        "with 12 % overhead it is 5 times as fast",
        "4.84 times from 1.8 of 2.2 s, and 4.4 times from the 80 % that the page says",
        (
            Part(
                "faster",
                "x",
                printed("5"),
                {
                    "from 1.8 of 2.2 s": lambda: 0.88 / efficiency(0.4, 1.8),
                    "from 80 %": lambda: 0.88 / efficiency(0.2, 0.8),
                },
            ),
        ),
    ),
    Claim(
        24,
        "a node sends 300 GB of gradients per second over 400G Ethernet",
        "one port carries 50 GB/s: six are needed at least",
        (
            Part(
                "bandwidth of a node",
                "GB/s",
                more_than(300),
                {
                    "one port": lambda: m.one_way("ethernet-400"),
                    "a port for each of 8 GPUs": lambda: 8 * m.one_way("ethernet-400"),
                },
            ),
        ),
    ),
    Claim(
        25,
        "a hierarchical all-reduce starts inside the node, then goes across",
        "so it is recorded",
        (
            Part(
                "steps inside the node first",
                "",
                more_than(0),
                {"2 nodes of 8": lambda: m.steps_inside_first(2, 8)},
            ),
        ),
    ),
    Claim(
        26,
        "bus bandwidth is the bytes moved in all, over time",
        "it is S/t times 2 (n-1)/n: what one rank sends, not what all send",
        (
            Part(
                "busbw on 8 ranks",
                "S/t",
                printed("14"),
                {"nccl-tests' factor": lambda: factor("all_reduce", 8)},
            ),
        ),
    ),
)
