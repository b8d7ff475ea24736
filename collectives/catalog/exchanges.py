"""Parameters of exchange algorithms: chunks that share a message, ranks that form a group."""

from __future__ import annotations

from collectives.catalog.levels import height
from collectives.catalog.row import Parameter, Setting, Sizes, is_power_of_two
from collectives.theory import Case, Letter


def largest_aggregation(ranks: int) -> int:
    """The most that NCCL gets to, which doubles it while it is less than half of the ranks.

    >>> [largest_aggregation(ranks) for ranks in (1, 2, 4, 5, 6, 8, 9, 10)]
    [1, 1, 2, 2, 4, 4, 4, 8]
    """
    return 1 << max(0, ranks // 2 - 1).bit_length()


def least_base(ranks: int) -> int:
    """The least base that the number of ranks is a power of.

    >>> [least_base(ranks) for ranks in (1, 2, 6, 8, 9, 36)]
    [2, 2, 6, 2, 3, 6]
    """
    return next(base for base in range(2, ranks + 3) if base ** height(ranks, base) == ranks)


def is_power_of_base(setting: Setting) -> bool:
    """Whether the number of ranks is a power of the algorithm's base.

    >>> [is_power_of_base(Setting(ranks, parameters={"base": 3})) for ranks in (1, 3, 6, 9)]
    [True, True, False, True]
    """
    base, ranks = setting["base"], setting.ranks
    return bool(base ** height(ranks, base) == ranks)


def log_aggregation(case: Case) -> int:
    """log2 of the aggregation, a power of two."""
    return case.parameters["aggregation"].bit_length() - 1


def digits(case: Case) -> int:
    """Digits of a rank's number in the algorithm's base."""
    return height(case.N, case.parameters["base"])


AGGREGATION = Parameter(
    "aggregation",
    "most chunks in a message",
    lambda ranks, _: largest_aggregation(ranks),
    "a power of two, up to the first that is N//2 or more",
    lambda ranks, value: 1 <= value <= largest_aggregation(ranks) and is_power_of_two(value),
)
BASE = Parameter(
    "base",
    "ranks in a group",
    lambda ranks, _: least_base(ranks),
    "2 or more",
    lambda ranks, value: value >= 2,
)
POWERS_OF_BASE = Sizes("powers of base", is_power_of_base)
LOG_AGGREGATION = Letter("A", "log2 of aggregation", log_aggregation)
DIGITS = Letter("M", "log of N to the base", digits)
