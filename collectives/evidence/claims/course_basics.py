"""Claims 1 to 11 of the course page: what collectives are, rings and trees."""

from collectives.collective import COLLECTIVES
from collectives.evidence import readings as m
from collectives.evidence.claims.claim import Claim, Part, about, more_than, printed
from collectives.training import serial_share
from collectives.training.parallel import SCHEMES


def _beyond_the_five(*schemes: str) -> int:
    """Collectives beside the usual five that some of these schemes use."""
    used = {name for scheme in schemes for name in SCHEMES[scheme].collectives}
    return len(used - set(m.FIVE))


def _against_the_ring(algorithm: str, ranks: int) -> float:
    """Time of trees against the ring's, for a vector so large that only bytes count.

    The double tree is in the limit of very many chunks: its busiest rank never waits.
    """
    pipelined = algorithm == "double-binary-tree"
    passed = (
        m.sent(algorithm, ranks, chunks=2)
        if pipelined
        else serial_share("all_reduce", algorithm, ranks)
    )
    return float(passed / m.sent("ring", ranks))


FIRST = (
    Claim(
        1,
        "there are five primitives",
        "enough for data and tensor parallelism; pipelines and experts need others",
        (
            Part(
                "collectives beside the five",
                "",
                printed("0"),
                {
                    "DDP, ZeRO, tensor": lambda: _beyond_the_five(
                        "ddp", "zero-1", "zero-3", "tensor"
                    ),
                    "pipeline, expert": lambda: _beyond_the_five("pipeline", "expert"),
                    "proved here": lambda: len(set(COLLECTIVES) - set(m.FIVE)),
                },
            ),
        ),
    ),
    Claim(
        2,
        "the table of what goes in and what comes out",
        "all five do what is promised; S is the reduce-scatter's input, the all-gather's result",
        (
            Part("of five, proved", "", printed("5"), {"8 ranks": lambda: m.kept_promises(8)}),
            Part(
                "reduce-scatter's output",
                "S",
                printed("0.125"),
                {"8 ranks": lambda: m.held_part("reduce_scatter", 8, at_the_end=True)},
            ),
            Part(
                "all-gather's input",
                "S",
                printed("0.125"),
                {"8 ranks": lambda: m.held_part("all_gather", 8, at_the_end=False)},
            ),
        ),
    ),
    Claim(
        3,
        "all-reduce is reduce-scatter and all-gather",
        "in steps and in bytes; it is also a reduce and a broadcast",
        (
            Part(
                "their steps",
                "",
                printed("14"),
                {
                    "8 ranks": lambda: (
                        m.steps("ring", 8, "reduce_scatter") + m.steps("ring", 8, "all_gather")
                    )
                },
            ),
            Part(
                "their bytes",
                "S",
                printed("1.75"),
                {
                    "8 ranks": lambda: (
                        m.sent("ring", 8, "reduce_scatter") + m.sent("ring", 8, "all_gather")
                    )
                },
            ),
        ),
    ),
    Claim(
        4,
        "a broadcast is a reduce of one value and zeros",
        "that reduce leaves the value with the root alone; an all-reduce would do",
        (
            Part(
                "ranks of 8 that end with it",
                "",
                printed("8"),
                {"reduce along a tree": lambda: m.informed("reduce", "tree", 8)},
            ),
        ),
    ),
    Claim(
        5,
        "after N-1 steps rank i holds the next rank's chunk, summed",
        "if rank i starts with chunk i; others end elsewhere, as NCCL's with chunk i",
        (
            Part(
                "ranks of 8 for which it is so",
                "",
                printed("8"),
                {"the ring of textbooks": lambda: m.owners(8)},
            ),
        ),
    ),
    Claim(
        6,
        "each half takes N-1 steps and (N-1)/N S",
        "both halves do",
        (
            Part(
                "steps",
                "",
                printed("7"),
                {
                    "reduce-scatter of 8": lambda: m.steps("ring", 8, "reduce_scatter"),
                    "all-gather of 8": lambda: m.steps("ring", 8, "all_gather"),
                },
            ),
            Part(
                "bytes",
                "S",
                printed("0.875"),
                {
                    "reduce-scatter of 8": lambda: m.sent("ring", 8, "reduce_scatter"),
                    "all-gather of 8": lambda: m.sent("ring", 8, "all_gather"),
                },
            ),
        ),
    ),
    Claim(
        7,
        "about 2 S are sent by each",
        "less by 2 S/N: 1.75 S of 8 ranks",
        (
            Part(
                "sent by each",
                "S",
                printed("2"),
                {
                    "8 ranks": lambda: m.sent("ring", 8),
                    "64 ranks": lambda: m.sent("ring", 64),
                    "1024 ranks": lambda: m.sent("ring", 1024),
                },
            ),
        ),
    ),
    Claim(
        8,
        "2 (N-1) steps of latency",
        "so it is recorded",
        (Part("steps", "", printed("14"), {"8 ranks": lambda: len(m.ring_of(8).steps)}),),
    ),
    Claim(
        9,
        "a tree takes O(log N) steps and moves about S per worker",
        "the steps are right, but it moves 2 (N-1) S in all, as a ring does",
        (
            Part(
                "growth of steps from 8 to 64 ranks",
                "x",
                about(2),
                {"tree": lambda: m.steps("tree", 64) / m.steps("tree", 8)},
            ),
            Part(
                "mean of a worker",
                "S",
                about(1, 0.1),
                {
                    "8 ranks": lambda: m.total("tree", 8) / 8,
                    "64 ranks": lambda: m.total("tree", 64) / 64,
                },
            ),
        ),
    ),
    Claim(
        10,
        "the ring scales because what it sends does not depend on N",
        "other algorithms send as little; the ring's latency is what does not scale",
        (
            Part(
                "growth from 64 to 1024 ranks",
                "x",
                about(1),
                {
                    "its bytes": lambda: m.sent("ring", 1024) / m.sent("ring", 64),
                    "its steps": lambda: m.steps("ring", 1024) / m.steps("ring", 64),
                },
            ),
        ),
    ),
    Claim(
        11,
        "for large vectors a tree is less efficient than a ring",
        "a plain tree is; a pipelined double tree comes within N/(N-1) of the ring",
        (
            Part(
                "time against a ring's, 64 ranks",
                "x",
                more_than(1.1),
                {
                    "plain tree": lambda: _against_the_ring("tree", 64),
                    "double tree, pipelined": lambda: _against_the_ring("double-binary-tree", 64),
                },
            ),
        ),
    ),
)
