"""Parameters of algorithms for machines of several levels: how many ranks a node or a row has."""

from __future__ import annotations

from collections.abc import Callable

from collectives.catalog.row import Parameter


def squarish(number: int, roots: int = 2) -> int:
    """The smallest divisor whose square (or other power) is at least the number.

    >>> [squarish(ranks) for ranks in (1, 2, 4, 6, 7, 8, 16)]
    [1, 2, 2, 3, 7, 4, 4]
    >>> [squarish(ranks, roots=3) for ranks in (8, 12, 27)]
    [2, 3, 3]
    """
    return next(d for d in range(1, number + 1) if number % d == 0 and d**roots >= number)


def height(hosts: int, radix: int) -> int:
    """Levels of switches above so many hosts.

    >>> [height(hosts, 4) for hosts in (1, 2, 4, 5, 16, 17)]
    [0, 1, 1, 2, 2, 3]
    """
    levels, reached = 0, 1
    while reached < hosts:
        levels, reached = levels + 1, reached * radix
    return levels


def switches(hosts: int, radix: int) -> int:
    """Switches in a tree of them above so many hosts.

    >>> [switches(hosts, 4) for hosts in (1, 2, 4, 5, 16, 17)]
    [0, 1, 1, 3, 5, 8]
    """
    found, level = 0, hosts
    while level > 1:
        level = -(-level // radix)
        found += level
    return found


def divides(ranks: int, value: int) -> bool:
    """Whether the ranks can be shared out evenly."""
    return value >= 1 and ranks % value == 0


def divisor(name: str, meaning: str, default: Callable[[int], int]) -> Parameter:
    """A parameter that must divide the number of ranks."""
    return Parameter(name, meaning, default, "a divisor of the number of ranks", divides)


def _of_the_rest(ranks: int) -> int:
    """What is square in what is left of a machine of three levels."""
    return squarish(ranks // squarish(ranks, 3))


GPUS = divisor("gpus", "ranks in a node", squarish)
GPUS_OF_THREE = divisor("gpus", "ranks in a node", lambda ranks: squarish(ranks, 3))
NODES = divisor("nodes", "nodes in a rack", _of_the_rest)
GRID_ROWS = divisor("rows", "rows of the grid", lambda ranks: ranks // squarish(ranks))
GRID_ROWS_OF_THREE = divisor("rows", "rows of a plane of the grid", _of_the_rest)
GRID_COLUMNS = divisor("columns", "columns of the grid", lambda ranks: squarish(ranks, 3))
SERVERS = Parameter("servers", "servers", lambda ranks: 2, "1 or more", lambda ranks, v: v >= 1)
DOWN = Parameter(
    "radix",
    "nodes below a switch",
    lambda ranks: max(2, squarish(ranks)),
    "2 or more",
    lambda ranks, value: value >= 2,
)
