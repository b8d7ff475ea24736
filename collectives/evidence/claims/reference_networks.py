"""Claims 13 to 28 of the page on interconnects: networks, all-reduce, overlap, hierarchy."""

from collectives.evidence import readings as m
from collectives.evidence.busbw import factor
from collectives.evidence.claims.claim import Claim, Part, about, between, more_than, printed
from collectives.training.overlap import BUCKET, overlap


def _summed_meanwhile(layers: int) -> float:
    """The part of the last layer's synchronization that passes while the one before computes.

    Layers take as long to compute as to synchronize, and each is a bucket.
    """
    found = overlap([1] * layers, float(layers), lambda size: 1.0, most=1, first=1)
    return max(0.0, min(found.end[0], found.ready[1]) - found.start[0])


def _falls(nodes: int) -> float:
    """How many times fewer bytes leave a node of 8 in a hierarchy than in one ring of all."""
    return float(m.leaving("ring", nodes, 8) / m.leaving("hierarchical", nodes, 8))


SECOND = (
    Claim(
        13,
        "HDR 25, NDR 50, XDR 100, EFA 400 GB/s",
        "each way; EFA's are a machine's, an eighth for each GPU",
        (
            Part("HDR", "GB/s", printed("25"), {"one way": lambda: m.one_way("ib-hdr")}),
            Part("NDR", "GB/s", printed("50"), {"one way": lambda: m.one_way("ib-ndr")}),
            Part("XDR", "GB/s", printed("100"), {"one way": lambda: m.one_way("ib-xdr")}),
            Part("EFA", "GB/s", printed("400"), {"8 GPUs": lambda: 8 * m.one_way("efa-p5")}),
        ),
    ),
    Claim(
        15,
        "a gap of 18 between NVLink 5 and XDR",
        "both directions of one against one direction of the other",
        (
            Part(
                "NVLink 5 against XDR",
                "x",
                printed("18"),
                {"one way": lambda: m.one_way("nvlink5") / m.one_way("ib-xdr")},
            ),
        ),
    ),
    Claim(
        17,
        "a reduce-scatter is exactly half of a ring all-reduce",
        "in steps and in bytes",
        (
            Part(
                "steps",
                "x",
                printed("0.50"),
                {"8 ranks": lambda: m.steps("ring", 8, "reduce_scatter") / m.steps("ring", 8)},
            ),
            Part(
                "bytes",
                "x",
                printed("0.50"),
                {"8 ranks": lambda: m.sent("ring", 8, "reduce_scatter") / m.sent("ring", 8)},
            ),
        ),
    ),
    Claim(
        18,
        "a ring sends 2 (N-1)/N S, regardless of N",
        "it depends on N, as the formula says: from S of 2 ranks to nearly 2 S",
        (
            Part("sent by each", "S", printed("1.75"), {"8 ranks": lambda: m.sent("ring", 8)}),
            Part(
                "growth from 2 to 1024 ranks",
                "x",
                about(1),
                {"ring": lambda: m.sent("ring", 1024) / m.sent("ring", 2)},
            ),
        ),
    ),
    Claim(
        19,
        "small messages prefer a tree",
        "across nodes; inside one, NCCL's tuner takes the ring with LL",
        (
            Part(
                "NCCL takes its tree for 8 KiB",
                "",
                printed("1"),
                {
                    "8 H100": lambda: m.picks_tree(1, 1 << 13),
                    "4 nodes of 8 H100": lambda: m.picks_tree(4, 1 << 13),
                },
            ),
        ),
    ),
    Claim(
        20,
        "latency counts below 100 KB, bandwidth above 1 MB",
        "it depends on the ranks and on the link: 8 A100 measure half their busbw at 8 to 16 MiB",
        (
            Part(
                "half of a ring's time is latency at",
                "MB",
                between(0.1, 1),
                {
                    "8 ranks, NVLink 3": lambda: m.balance(8, "nvlink3") / 1e6,
                    "64 ranks, NDR": lambda: m.balance(64, "ib-ndr") / 1e6,
                    "1024 ranks, NDR": lambda: m.balance(1024, "ib-ndr") / 1e6,
                },
            ),
        ),
    ),
    Claim(
        21,
        "DDP's buckets are 25",
        "MiB; the first one is 1 MiB",
        (Part("bucket", "MiB", printed("25"), {"default": lambda: BUCKET / 2**20}),),
    ),
    Claim(
        22,
        "layer N is summed while layer N-1 computes",
        "so it is with a bucket for each layer",
        (
            Part(
                "of layer N's synchronization",
                "",
                more_than(0),
                {"4 layers alike": lambda: _summed_meanwhile(4)},
            ),
        ),
    ),
    Claim(
        23,
        "with a hierarchy traffic leaves a node once instead of N times",
        "2 (n-1)/n S of n nodes, against 2 (N-1)/N S of a ring in the order of nodes",
        (
            Part(
                "fewer bytes leave a node of 8",
                "x",
                about(8),
                {"2 nodes": lambda: _falls(2), "4 nodes": lambda: _falls(4)},
            ),
        ),
    ),
    Claim(
        28,
        "over consumer PCIe an all-reduce tops out at the slot's bandwidth",
        "busbw does; algbw is busbw times N/(2 (N-1))",
        (
            Part(
                "of the slot's bandwidth",
                "",
                about(1),
                {
                    "algbw of 2 ranks": lambda: 1 / factor("all_reduce", 2),
                    "algbw of 4 ranks": lambda: 1 / factor("all_reduce", 4),
                },
            ),
        ),
    ),
)
