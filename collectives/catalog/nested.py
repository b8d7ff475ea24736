"""What hierarchical algorithms run inside and between nodes, by name, and its closed forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from collectives.algorithms import nested
from collectives.algorithms.doubling import (
    recursive_doubling_all_gather,
    recursive_halving_reduce_scatter,
)
from collectives.algorithms.flat import flat_all_gather, flat_reduce_scatter
from collectives.algorithms.parameter_server import two_shot_all_reduce
from collectives.algorithms.ring import ring_all_gather, ring_all_reduce, ring_reduce_scatter
from collectives.catalog.parameters import (
    Inside,
    NamedWay,
    Outside,
    OutsideReducing,
    Setting,
    Sizes,
    is_power_of_two,
    ways_of,
)
from collectives.theory import Case, Form, Letter

AMONG_LIKE = "what runs between the ranks at one place of every node"
Value = Callable[[Case], int | Fraction]

INSIDE = ways_of(
    "inside",
    "what runs inside the nodes; a switch adds and multicasts",
    {Inside.RING: nested.RING, Inside.DIRECT: nested.DIRECT, Inside.SWITCH: nested.SWITCH},
)
ALL_REDUCE = ways_of(
    "outside",
    AMONG_LIKE,
    {
        Outside.RING: ring_all_reduce,
        Outside.DIRECT: two_shot_all_reduce,
        Outside.DOUBLING: nested.shard_doubling_all_reduce,
    },
)
ALL_GATHER = ways_of(
    "outside",
    AMONG_LIKE,
    {
        Outside.RING: ring_all_gather,
        Outside.DIRECT: flat_all_gather,
        Outside.DOUBLING: recursive_doubling_all_gather,
    },
)
REDUCE_SCATTER = ways_of(
    "outside",
    AMONG_LIKE,
    {
        OutsideReducing.RING: ring_reduce_scatter,
        OutsideReducing.DIRECT: flat_reduce_scatter,
        OutsideReducing.HALVING: recursive_halving_reduce_scatter,
    },
)


def has_switches(setting: Setting) -> bool:
    """Whether each node has a switch."""
    return setting.parameters.get("inside") is Inside.SWITCH


def nodes(setting: Setting) -> int:
    """Ranks, and the switches of their nodes."""
    return setting.ranks + has_switches(setting) * (setting.ranks // setting["gpus"])


def fits(setting: Setting) -> bool:
    """Whether the number of nodes is one that like ranks can swap chunks on."""
    in_pairs = setting.parameters.get("outside", Outside.RING) == Outside.DOUBLING
    return not in_pairs or is_power_of_two(setting.ranks // setting["gpus"])


def powers_outside(way: NamedWay) -> Sizes:
    """Any number of ranks; of nodes a power of two where they swap in pairs."""
    return Sizes(f"any, but N/gpus a power of two if outside={way}", fits)


def _inside(count: Callable[[int], Sequence[int]]) -> Value:
    """A count inside a node of so many ranks: with a ring, direct sends or a switch."""

    def value(case: Case) -> int:
        gpus = case["gpus"]
        return count(gpus)[case.parameters.get("inside", Inside.RING)] if gpus > 1 else 0

    return value


def _between(ring: Value, direct: Value, swaps: Value) -> Value:
    """A count of the ranks at one place of every node: in a ring, direct, swapping in pairs."""

    def value(case: Case) -> int | Fraction:
        among = Case(case.N // case["gpus"], case.size[:1])
        return (ring, direct, swaps)[case.parameters.get("outside", Outside.RING)](among)

    return value


def _folds(among: Case) -> int:
    """Ranks beyond the largest power of two."""
    return among.N - (1 << among.L)


def _laps(among: Case) -> int:
    """Steps of a ring all-reduce."""
    return 2 * (among.N - 1)


def _share(among: Case) -> Fraction:
    """How often the whole data leaves each rank of a ring all-reduce."""
    return Fraction(_laps(among), among.N)


def _swaps(among: Case) -> int:
    """Messages of a recursive doubling all-reduce."""
    return (1 << among.L) * among.L + 2 * _folds(among)


STEPS_INSIDE = Letter("I", "steps inside a node", _inside(lambda g: (g - 1, 1, 2)))
MESSAGES_INSIDE = Letter("M", "messages of a rank inside", _inside(lambda g: (g - 1, g - 1, 2)))
PASSES = Letter("T", "times a chunk moves inside a node", _inside(lambda g: (g - 1, g - 1, g + 1)))
STEPS_OUTSIDE = Letter(
    "O",
    "steps between nodes",
    _between(lambda c: c.N - 1, lambda c: min(c.N - 1, 1), lambda c: c.L),
)
MESSAGES_OUTSIDE = Letter(
    "J",
    "messages of a rank to other nodes",
    _between(lambda c: c.N - 1, lambda c: c.N - 1, lambda c: c.L),
)
NODES = Letter("D", "nodes of the machine", lambda c: c.N // c["gpus"])
TO_ALL = (NODES, STEPS_INSIDE, MESSAGES_INSIDE, PASSES, STEPS_OUTSIDE, MESSAGES_OUTSIDE)


def one_way(passed_on: Letter) -> Form:
    """The forms of an all-gather or reduce-scatter in other ways; the letter K is given."""
    return Form("O+I", "N*(J+M)", "(D-1+D*K)/N*S", "(D-1+D*T)*S", where=(*TO_ALL, passed_on))


GATHERED = one_way(
    Letter(
        "K", "chunks of each node that a rank sends inside", _inside(lambda g: (g - 1, g - 1, 1))
    )
)
SCATTERED = one_way(
    Letter(
        "K", "chunks of each node that a rank sends inside", _inside(lambda g: (g - 1, g - 1, g))
    )
)
BOTH_WAYS = Form(
    "2*I+O",
    "2*N*M+gpus*X",
    "(K+E)/gpus*S",
    "(2*D*T+F)*S",
    where=(
        *(NODES, STEPS_INSIDE, MESSAGES_INSIDE, PASSES),
        Letter(
            "O",
            "steps between nodes",
            _between(_laps, lambda c: 2 * min(c.N - 1, 1), lambda c: c.L + 2 * min(_folds(c), 1)),
        ),
        Letter(
            "X",
            "messages between the ranks at one place",
            _between(lambda c: c.N * _laps(c), lambda c: c.N * _laps(c), _swaps),
        ),
        Letter(
            "K",
            "shards that a rank sends inside",
            _inside(lambda g: (2 * (g - 1), 2 * (g - 1), g + 1)),
        ),
        Letter(
            "E",
            "shards that the busiest rank sends to other nodes",
            _between(_share, _share, lambda c: c.L + min(_folds(c), 1)),
        ),
        Letter("F", "shards that the ranks at one place send", _between(_laps, _laps, _swaps)),
    ),
)
