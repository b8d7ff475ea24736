"""What algorithms take beside data: a setting, the parameters, the accepted numbers of ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from collectives.errors import BadInput
from collectives.routing import Routing, random_routing
from collectives.theory.case import ceil_log
from collectives.words import brief, nearest, plural, quoted

DEFAULT_CHUNKS = 4
MAX_SEED = (1 << 32) - 1
DEFAULT_TOKENS = 2  # of each rank, so that pictures have few slots
NO_PARAMETERS: Mapping[str, int] = {}
Default = Callable[[int, Mapping[str, int]], int]


@dataclass(frozen=True)
class Setting:
    """The arguments of one call of an algorithm: `setting["radix"]` is a parameter's value."""

    ranks: int
    root: int = 0
    chunks: int = DEFAULT_CHUNKS
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        """The value of a parameter; raises KeyError for one the algorithm does not have."""
        return self.parameters[name]

    @property
    def channels(self) -> int:
        """Rings side by side: one, unless the algorithm takes more and is given them."""
        return self.parameters.get(CHANNELS.name, CHANNELS_IF_UNSAID)

    @property
    def gpus(self) -> int:
        """Ranks of a node: as many as channels leave it, unless it is said."""
        return self.parameters.get("gpus", self.channels)

    @property
    def other_ways(self) -> bool:
        """Whether some part of the algorithm runs in another than its usual way."""
        return any(isinstance(value, NamedWay) for value in self.parameters.values())

    @property
    def is_usual(self) -> bool:
        """Whether the algorithm runs in one channel, every part of it in its usual way."""
        return self.channels == 1 and not self.other_ways

    @property
    def routing(self) -> Routing:
        """The table of a mixture of experts; raises BadInput where there is none like it."""
        chosen = self.parameters
        filled = (
            chosen.get(parameter.name, parameter.default(self.ranks, chosen))
            for parameter in ROUTING
        )
        return random_routing(self.ranks, *filled)


class NamedWay(IntEnum):
    """A choice that has a name: as text it is this name, in a setting it counts as a number.

    >>> f"{Outside.DOUBLING}", Outside.DOUBLING == 2
    ('doubling', True)
    """

    def __str__(self) -> str:
        """The name, as the command line takes it."""
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        """The name, also in a sentence."""
        return format(str(self), spec)


class Inside(NamedWay):
    """What runs inside the nodes of a machine."""

    RING = 0
    DIRECT = 1
    SWITCH = 2


class Outside(NamedWay):
    """What runs between the ranks at one place of every node."""

    RING = 0
    DIRECT = 1
    DOUBLING = 2


class OutsideReducing(NamedWay):
    """The same of a reduce-scatter."""

    RING = 0
    DIRECT = 1
    HALVING = 2


def way_named(name: str, text: str) -> NamedWay | None:
    """The choice that a text names, of any algorithm's parameter of this name.

    >>> way_named("outside", "halving"), way_named("gpus", "ring")
    (<OutsideReducing.HALVING: 2>, None)
    """
    return next((way for way in _ways(name) if str(way) == text), None)


def ways_named(name: str) -> tuple[str, ...]:
    """The names that a parameter takes in some algorithm; none for one that takes numbers.

    >>> ways_named("outside")
    ('ring', 'direct', 'doubling', 'halving')
    """
    return tuple(dict.fromkeys(map(str, _ways(name))))


def _ways(name: str) -> list[NamedWay]:
    kinds = {"inside": (Inside,), "outside": (Outside, OutsideReducing)}.get(name, ())
    return [way for kind in kinds for way in kind]


def plain(values: Mapping[str, Any]) -> dict[str, int | str]:
    """Values of parameters for a file: those with a name by it.

    >>> plain({"gpus": 4, "outside": Outside.DOUBLING})
    {'gpus': 4, 'outside': 'doubling'}
    """
    return {
        name: str(value) if isinstance(value, NamedWay) else value for name, value in values.items()
    }


@dataclass(frozen=True)
class Sizes:
    """Which numbers of ranks an algorithm accepts, in words and as a predicate."""

    text: str
    accepts: Callable[[Setting], bool]


@dataclass(frozen=True)
class Parameter:
    """A further argument of an algorithm: its default, and which values it accepts.

    default(ranks, given): may depend on the other parameters that are given (unchecked). rule:
    what a value must be, to follow "must be". accepts(ranks, value). unsaid: a setting leaves it
    out where it has its default. largest: that is accepted, where N does not say. share_of: a
    parameter that, where it is given, is the largest value, in place of the rule. ways: the
    named values, where it is no number, and the part of the algorithm that each of them means.
    """

    name: str
    meaning: str
    default: Default
    rule: str
    accepts: Callable[[int, int], bool]
    unsaid: bool = False
    largest: int = 1
    share_of: str = ""
    ways: Mapping[NamedWay, object] = field(default_factory=dict, hash=False)

    def checked(self, ranks: int, chosen: Mapping[str, int]) -> int:
        """The value given, or the default; raises BadInput, with the nearest, for a wrong one."""
        value = chosen.get(self.name)
        if value is None:
            return self.default(ranks, chosen)
        if self.ways:
            return self.way(value)
        if self.share_of in chosen:
            limit = chosen[self.share_of]
            rule = f"from 1 to {limit}, as many as {self.share_of}"
            alone = replace(self, rule=rule, accepts=lambda _, v: 1 <= v <= limit, share_of="")
            return alone.checked(ranks, chosen)
        if not self.accepts(ranks, value):
            near = (*range(2 * ranks + 2), *range(value - ranks, value + ranks + 1), self.largest)
            fitting = [choice for choice in near if self.accepts(ranks, choice)]
            choice = min(fitting, key=lambda candidate: (abs(candidate - value), candidate))
            raise BadInput(
                f"{self.name} {value}: must be {self.rule} ({plural(ranks, 'rank')}); try: {choice}"
            )
        return value

    def way(self, value: object) -> NamedWay:
        """The choice of this name or number; raises BadInput for others."""
        for way in self.ways:
            if str(value) == str(way) or (type(value) is int and value == way):
                return way
        text = str(value) if isinstance(value, NamedWay | str) else brief(value)
        near = nearest(text, list(map(str, self.ways)))
        raise BadInput(f"{self.name} {quoted(text)}: must be {self.rule}; {near}")


def squarish(number: int, roots: int = 2) -> int:
    """The smallest divisor whose square (or other power) is at least the number.

    >>> [squarish(ranks) for ranks in (1, 2, 4, 6, 7, 8, 16)]
    [1, 2, 2, 3, 7, 4, 4]
    >>> [squarish(ranks, roots=3) for ranks in (8, 12, 27)]
    [2, 3, 3]
    """
    return next(d for d in range(1, number + 1) if number % d == 0 and d**roots >= number)


def switches(hosts: int, radix: int) -> int:
    """Number of switches in a tree above the hosts, each above `radix` nodes.

    >>> [switches(hosts, 4) for hosts in (1, 2, 4, 5, 16, 17)]
    [0, 1, 1, 3, 5, 8]
    """
    switches, level = 0, hosts
    while level > 1:
        level = -(-level // radix)
        switches += level
    return switches


def is_power_of_two(number: int) -> bool:
    """Whether a positive number is a power of two."""
    return number & (number - 1) == 0


def is_power_of_base(setting: Setting) -> bool:
    """Whether the number of ranks is a power of the algorithm's base.

    >>> [is_power_of_base(Setting(ranks, parameters={"base": 3})) for ranks in (1, 3, 6, 9)]
    [True, True, False, True]
    """
    base, ranks = setting["base"], setting.ranks
    return bool(base ** ceil_log(ranks, base) == ranks)


def smallest_base(ranks: int) -> int:
    """The smallest base that the number of ranks is a power of.

    >>> [smallest_base(ranks) for ranks in (1, 2, 6, 8, 9, 36)]
    [2, 2, 6, 2, 3, 6]
    """
    return next(base for base in range(2, ranks + 3) if base ** ceil_log(ranks, base) == ranks)


def largest_aggregation(ranks: int) -> int:
    """The largest that NCCL uses: it doubles it while it is less than half of the ranks.

    >>> [largest_aggregation(ranks) for ranks in (1, 2, 4, 5, 6, 8, 9, 10)]
    [1, 1, 2, 2, 4, 4, 4, 8]
    """
    return 1 << max(0, ranks // 2 - 1).bit_length()


def divides(ranks: int, value: int) -> bool:
    """Whether groups of this size share out the ranks evenly."""
    return value >= 1 and ranks % value == 0


def divisor(name: str, meaning: str, usual: Default) -> Parameter:
    """A parameter that must divide the number of ranks."""
    return Parameter(name, meaning, usual, "a divisor of the number of ranks", divides)


def at_least(smallest: int, name: str, meaning: str, usual: Default) -> Parameter:
    """A parameter with a lower limit only."""
    return Parameter(name, meaning, usual, f"{smallest} or more", lambda _, v: v >= smallest)


def ways_of(name: str, meaning: str, ways: Mapping[NamedWay, object]) -> Parameter:
    """A parameter whose values have names, of which the first is the usual one."""
    first, names = next(iter(ways)), list(map(str, ways))
    rule = f"{', '.join(names[:-1])} or {names[-1]}"
    numbers = frozenset(map(int, ways))
    return Parameter(
        name, meaning, lambda *_: first, rule, lambda _, v: v in numbers, unsaid=True, ways=ways
    )


def multiples_of(*names: str) -> Sizes:
    """Numbers of ranks that the product of these parameters divides."""
    return Sizes(
        "multiples of " + " x ".join(names),
        lambda setting: setting.ranks % math.prod(setting[name] for name in names) == 0,
    )


def _of_three(with_name: str, second: bool = False) -> Default:
    """The default of one of three sides as equal as possible, with `with_name` given or not.

    second: this side is chosen after `with_name`.

    >>> rows, columns = _of_three("columns"), _of_three("rows", second=True)
    >>> rows(12, {}), columns(12, {}), rows(12, {"columns": 3}), columns(12, {"rows": 6})
    (3, 2, 2, 2)
    """

    def usual(ranks: int, chosen: Mapping[str, int]) -> int:
        fixed = chosen.get(with_name)
        if fixed is None or not divides(ranks, fixed):
            return squarish(ranks // squarish(ranks, 3)) if second else squarish(ranks, 3)
        return squarish(ranks // fixed)

    return usual


ANY = Sizes("any", lambda setting: True)
EVEN = Sizes("even", lambda setting: setting.ranks % 2 == 0 or setting.ranks == 1)
POWERS_OF_TWO = Sizes("powers of two", lambda setting: is_power_of_two(setting.ranks))
POWERS_OF_BASE = Sizes("powers of base", is_power_of_base)

GPUS = divisor("gpus", "ranks in a node", lambda ranks, _: squarish(ranks))
GPUS_OF_THREE = divisor("gpus", "ranks in a node", _of_three("nodes"))
NODES = divisor("nodes", "nodes in a rack", _of_three("gpus", second=True))
GRID_ROWS = divisor("rows", "rows of the grid", lambda ranks, _: ranks // squarish(ranks))
GRID_ROWS_OF_THREE = divisor(
    "rows", "rows of a plane of the grid", _of_three("columns", second=True)
)
GRID_COLUMNS = divisor("columns", "columns of the grid", _of_three("rows"))
CHANNELS_IF_UNSAID = 1
CHANNELS = Parameter(
    "channels",
    "rings or trees side by side, each with a share of the data",
    lambda *_: CHANNELS_IF_UNSAID,
    "a divisor of the number of ranks",
    divides,
    unsaid=True,
    share_of="gpus",
)
NODE_OF_CHANNELS = Parameter(
    "gpus",
    "ranks in a node, which so many channels or fewer leave; by default as many",
    lambda _, chosen: chosen.get(CHANNELS.name, CHANNELS_IF_UNSAID),
    "a divisor of the number of ranks",
    divides,
    unsaid=True,
)
SERVERS = at_least(1, "servers", "servers", lambda *_: 2)
SWITCH_RADIX = at_least(
    2, "radix", "nodes below a switch", lambda ranks, _: max(2, squarish(ranks))
)
BRUCK_RADIX = at_least(2, "radix", "partners in each step, plus one", lambda *_: 2)
KNOMIAL_RADIX = at_least(2, "radix", "ranks in a group", lambda *_: 4)
CHAINS = at_least(1, "chains", "chains below the root", lambda *_: 4)
BASE = at_least(2, "base", "ranks in a group", lambda ranks, _: smallest_base(ranks))
SHORT = Parameter(
    "short",
    "the rank with less bandwidth",
    lambda *_: 0,
    "a rank, from 0 to N - 1",
    lambda ranks, value: 0 <= value < ranks,
)
TOKENS = at_least(1, "tokens", "tokens of each rank", lambda *_: DEFAULT_TOKENS)
EXPERTS = Parameter(
    "experts",
    "experts of all ranks",
    lambda ranks, _: ranks,
    "a multiple of the number of ranks",
    lambda ranks, value: value >= 1 and value % ranks == 0,
)
TOPK = at_least(
    1, "topk", "experts of a token", lambda ranks, chosen: min(2, chosen.get("experts") or ranks)
)
SKEW = Parameter(
    "skew",
    "expert e is drawn with odds (e + 1) ** -skew",
    lambda *_: 0,
    "0 or more",
    lambda _, value: value >= 0,
    unsaid=True,
)
CAPACITY = Parameter(
    "capacity",
    "most tokens an expert takes",
    lambda ranks, chosen: ranks * (chosen.get("tokens") or DEFAULT_TOKENS),
    "1 or more",
    lambda _, value: value >= 1,
    unsaid=True,
)
SEED = Parameter(
    "seed",
    "seed of the routing table",
    lambda *_: 0,
    "from 0 to 2^32 - 1",
    lambda _, value: 0 <= value <= MAX_SEED,
    unsaid=True,
    largest=MAX_SEED,
)
ROUTING = (TOKENS, EXPERTS, TOPK, SKEW, CAPACITY, SEED)
AGGREGATION = Parameter(
    "aggregation",
    "most chunks in a message",
    lambda ranks, _: largest_aggregation(ranks),
    "a power of two, up to the first that is N//2 or more",
    lambda ranks, value: 1 <= value <= largest_aggregation(ranks) and is_power_of_two(value),
)
