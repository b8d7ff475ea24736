"""Claims of an engineering blog on the bandwidth of all-reduce."""

from collectives.evidence import readings as m
from collectives.evidence.claims.claim import (
    Claim,
    Page,
    Part,
    between,
    less_than,
    more_than,
    printed,
)
from collectives.theory import Case, lower_bound
from collectives.training import Gradient
from collectives.training.parallel import state_bytes

BUFFER = 50e9
ABOVE = 41_000_000_000  # parameters that do not fit 80 GB with 2 bytes each


def _least_sent(ranks: int) -> float:
    """The least that the busiest rank of an all-reduce can send, as a part of the vector."""
    case: Case = m.ring_of(ranks).case
    return lower_bound(m.ring_of(ranks).collective, case).sent / case.S


PAGE = Page(
    "A",
    "an engineering blog on all-reduce bandwidth",
    16,
    (
        Claim(
            2,
            "a model above 80 GB is trained with a full copy on each GPU",
            "what does not fit cannot be copied whole: sharding is what follows, not copies",
            (
                Part(
                    "a copy of 41B parameters",
                    "GB",
                    less_than(80),
                    {
                        "bf16 weights alone": lambda: Gradient(ABOVE).gb,
                        "with gradients and Adam": lambda: state_bytes(0, ABOVE, 8) / 10**9,
                    },
                ),
            ),
        ),
        Claim(
            3,
            "in an all-reduce every GPU sends to every other",
            "only a one-shot algorithm does; others have one partner, or a few",
            (
                Part(
                    "partners of each of 8 GPUs",
                    "",
                    printed("7"),
                    {
                        "one-shot": lambda: m.partners("flat", 8),
                        "recursive doubling": lambda: m.partners("recursive-doubling", 8),
                        "ring": lambda: m.partners("ring", 8),
                    },
                ),
            ),
        ),
        Claim(
            4,
            "8 GPUs with 50 GB each put 400 GB on the wires",
            "400 GB are the inputs added up; 2 (N-1) S is the least that must travel",
            (
                Part(
                    "sent by all",
                    "GB",
                    printed("400"),
                    {
                        "ring": lambda: m.total("ring", 8) * 50,
                        "tree": lambda: m.total("tree", 8) * 50,
                        "one-shot": lambda: m.total("flat", 8) * 50,
                        "NVLS": lambda: m.total("nvls", 8) * 50,
                    },
                ),
            ),
        ),
        Claim(
            5,
            "an all-reduce of 50 GB on 8 GPUs takes milliseconds",
            "hundreds of them over NVLink; over one network card each it is seconds",
            (
                Part(
                    "time",
                    "ms",
                    between(1, 1000),
                    {
                        "NVLink 4": lambda: m.milliseconds(BUFFER, 8, m.NVLINK),
                        "400 Gb/s InfiniBand": lambda: m.milliseconds(BUFFER, 8, m.NDR),
                    },
                ),
            ),
        ),
        Claim(
            6,
            "a ring takes two laps",
            "2 (N-1) steps are two laps less two steps",
            (Part("laps of 8 ranks", "", printed("2"), {"ring": lambda: m.steps("ring", 8) / 8}),),
        ),
        Claim(
            7,
            "a ring uses bandwidth well, and one slow link slows it",
            "it reaches the lower bound, and every step uses every link",
            (
                Part(
                    "sent, against the lower bound",
                    "x",
                    printed("1.00"),
                    {"8 ranks": lambda: float(m.sent("ring", 8)) / _least_sent(8)},
                ),
                Part(
                    "steps that use one given link",
                    "",
                    printed("1.00"),
                    {"8 ranks": lambda: m.steps_over_one_link(8)},
                ),
            ),
        ),
        Claim(
            8,
            "a tree has fewer hops than a ring",
            "2 ceil(log2 N) against 2 (N-1); for large vectors it is not faster for that",
            (
                Part(
                    "steps of a tree against a ring",
                    "x",
                    less_than(1),
                    {
                        "8 ranks": lambda: m.steps("tree", 8) / m.steps("ring", 8),
                        "1024 ranks": lambda: m.steps("tree", 1024) / m.steps("ring", 1024),
                    },
                ),
            ),
        ),
        Claim(
            10,
            "trees are for larger clusters",
            "NCCL's tuner compares times, which depend on the size, too",
            (
                Part(
                    "NCCL takes its tree on 16 nodes of 8 H100",
                    "",
                    printed("1"),
                    {
                        "1 KiB": lambda: m.picks_tree(16, 1 << 10),
                        "1 GiB": lambda: m.picks_tree(16, 1 << 30),
                    },
                ),
            ),
        ),
        Claim(
            11,
            "NVLink of an H100 reaches 900 GB/s",
            "as the sum of both directions: it is half of that each way",
            (
                Part(
                    "NVLink 4",
                    "GB/s",
                    printed("900"),
                    {"both directions added": lambda: m.both_ways(m.NVLINK)},
                ),
            ),
        ),
        Claim(
            12,
            "400 Gb/s InfiniBand is much slower than NVLink",
            "nine times, each way; not eighteen times",
            (
                Part(
                    "NVLink 4 against InfiniBand",
                    "x",
                    more_than(2),
                    {"one direction each": lambda: m.one_way(m.NVLINK) / m.one_way(m.NDR)},
                ),
            ),
        ),
    ),
)
