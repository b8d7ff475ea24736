"""Parameters of algorithms for machines of several levels: how many ranks a node or a row has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collectives.catalog.row import Parameter

Usual = Callable[[int, Mapping[str, int]], int]


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


def divisor(name: str, meaning: str, usual: Usual) -> Parameter:
    """A parameter that must divide the number of ranks."""
    return Parameter(name, meaning, usual, "a divisor of the number of ranks", divides)


def _side(ranks: int, given: Mapping[str, int]) -> int:
    """Ranks in a node, or columns, of a machine that is as square as can be."""
    return squarish(ranks)


def _of_three(other: str, rest: bool = False) -> Usual:
    """A side of three that are as equal as can be, or that fit the other one that is given.

    rest: of those two that have a name, the one that is chosen second.

    >>> first, second = _of_three("rows"), _of_three("columns", rest=True)
    >>> first(12, {}), second(12, {}), first(12, {"rows": 3}), second(12, {"columns": 6})
    (3, 2, 2, 2)
    """

    def usual(ranks: int, given: Mapping[str, int]) -> int:
        fixed = given.get(other)
        if fixed is None or not divides(ranks, fixed):
            return squarish(ranks // squarish(ranks, 3)) if rest else squarish(ranks, 3)
        return squarish(ranks // fixed)

    return usual


GPUS = divisor("gpus", "ranks in a node", _side)
GPUS_OF_THREE = divisor("gpus", "ranks in a node", _of_three("nodes"))
NODES = divisor("nodes", "nodes in a rack", _of_three("gpus", rest=True))
GRID_ROWS = divisor("rows", "rows of the grid", lambda ranks, _: ranks // squarish(ranks))
GRID_ROWS_OF_THREE = divisor("rows", "rows of a plane of the grid", _of_three("columns", rest=True))
GRID_COLUMNS = divisor("columns", "columns of the grid", _of_three("rows"))
SERVERS = Parameter("servers", "servers", lambda *_: 2, "1 or more", lambda ranks, v: v >= 1)
DOWN = Parameter(
    "radix",
    "nodes below a switch",
    lambda ranks, _: max(2, squarish(ranks)),
    "2 or more",
    lambda ranks, value: value >= 2,
)
