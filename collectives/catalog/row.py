"""What a row of the catalog is: an algorithm, what it promises, takes, costs and comes from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from collectives.collective import Collective, exchange, find_collective
from collectives.errors import BadInput
from collectives.schedule import Schedule
from collectives.theory import Form
from collectives.words import nearest, plural

DEFAULT_CHUNKS = 4
NO_PARAMETERS: Mapping[str, int] = {}
MOST_RANKS = 1 << 20
HELPERS = ("switch", "server")
FAR = 4096  # how far from a number that is not accepted the nearest that is is looked for


@dataclass(frozen=True)
class Setting:
    """One way to call an algorithm: `setting["radix"]` is the value of a parameter."""

    ranks: int
    root: int = 0
    chunks: int = DEFAULT_CHUNKS
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        """The value of a parameter; raises KeyError for one the algorithm does not have."""
        return self.parameters[name]


@dataclass(frozen=True)
class Sizes:
    """Which numbers of ranks an algorithm accepts, in words and as a predicate."""

    text: str
    accepts: Callable[[Setting], bool]


@dataclass(frozen=True)
class Parameter:
    """A further argument of an algorithm: its default and rule for so many ranks.

    usual(ranks, given): the default, beside the values of other parameters that are given,
    right or not. rule: what a value must be, in words that follow "must be".
    accepts(ranks, value).
    """

    name: str
    meaning: str
    usual: Callable[[int, Mapping[str, int]], int]
    rule: str
    accepts: Callable[[int, int], bool]

    def default(self, ranks: int, given: Mapping[str, int] = NO_PARAMETERS) -> int:
        """The value where none is given, beside those of other parameters that are."""
        return self.usual(ranks, given)

    def checked(self, ranks: int, given: Mapping[str, int]) -> int:
        """The value given, or the default; raises BadInput, with the nearest, for a wrong one."""
        value = given.get(self.name)
        if value is None:
            return self.default(ranks, given)
        if not self.accepts(ranks, value):
            near = sorted(range(1, 2 * ranks + 2), key=lambda other: (abs(other - value), other))
            choice = next((v for v in near if self.accepts(ranks, v)), self.default(ranks))
            raise BadInput(
                f"{self.name} {value}: must be {self.rule} ({plural(ranks, 'rank')}); "
                f"nearest: {choice}"
            )
        return value


def one(setting: Setting) -> int:
    """The whole vector is one chunk."""
    return 1


def per_rank(setting: Setting) -> int:
    """One chunk for each rank."""
    return setting.ranks


def per_chunk(setting: Setting) -> int:
    """One chunk for each chunk of a pipeline."""
    return setting.chunks


def power_of_two(setting: Setting) -> int:
    """One chunk for each rank of the largest power of two that there is room for."""
    return 1 << setting.ranks.bit_length() - 1


def ranks_only(setting: Setting) -> int:
    """No nodes but the ranks."""
    return setting.ranks


def nothing(setting: Setting) -> int:
    """No scratch slots."""
    return 0


def is_power_of_two(number: int) -> bool:
    """Whether a positive number is a power of two."""
    return number & (number - 1) == 0


ANY = Sizes("any", lambda setting: True)
EVEN = Sizes("even", lambda setting: setting.ranks % 2 == 0 or setting.ranks == 1)
POWERS_OF_TWO = Sizes("powers of two", lambda setting: is_power_of_two(setting.ranks))
RADIX = Parameter(
    "radix", "partners of a step, and one", lambda *_: 2, "2 or more", lambda ranks, v: v >= 2
)


@dataclass(frozen=True)
class Row:
    """An algorithm of the catalog.

    function(n, …) makes the steps. form: its closed forms. optimal: which lower bounds it reaches
    for all accepted numbers of ranks: R(ounds), B(ytes of the busiest rank), T(otal bytes).
    used_by: which library uses it, and when. source: where it is described. chunks: how many the
    vector is cut into; scratch: further slots; nodes: ranks and helper nodes, which are what
    `helpers` says: a "switch" has a port for every other node and adds as fast as bytes come, a
    "server" has one port, as a rank has. takes: arguments beside n, root and chunks. name: as
    people write it, where the algorithm's is not that. also: other names it is known by.
    same_bits_as: library algorithms whose float sums were found equal to the last bit. pairs: what
    a send/recv promises.
    """

    collective: str
    algorithm: str
    function: Callable[..., Schedule]
    form: Form
    optimal: str = ""
    used_by: str = ""
    source: str = ""
    chunk_count: Callable[[Setting], int] = per_rank
    scratch: Callable[[Setting], int] = nothing
    nodes: Callable[[Setting], int] = ranks_only
    helpers: str = "switch"
    sizes: Sizes = ANY
    takes: tuple[Parameter, ...] = ()
    name: str = ""
    also: tuple[str, ...] = ()
    same_bits_as: tuple[str, ...] = ()
    pairs: Callable[[Setting], Iterable[Iterable[int]]] | None = None

    @property
    def title(self) -> str:
        """The name as the command line takes it: ring all-reduce, van-de-geijn broadcast."""
        return f"{self.algorithm} {self.promise.title}"

    @property
    def heading(self) -> str:
        """What stands above a picture or a page: SHARP all-reduce, Van de Geijn broadcast."""
        name = self.name or self.algorithm.replace("-", " ")
        return f"{name[:1].upper()}{name[1:]} {self.promise.title}"

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """What the function takes beside the number of ranks."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    @property
    def promise(self) -> Collective:
        """The collective; of send/recv without its pairs, for which see `promise_in`."""
        return find_collective(self.collective)

    def promise_in(self, setting: Setting) -> Collective:
        """What the algorithm promises in one setting."""
        return self.promise if self.pairs is None else exchange(self.pairs(setting))

    def slots(self, setting: Setting) -> int:
        """Slots of each node: for chunks, for what is received, and scratch."""
        return self.promise.promised_slots(self.chunk_count(setting)) + self.scratch(setting)

    def setting(
        self,
        ranks: int,
        root: int = 0,
        chunks: int | None = None,
        parameters: Mapping[str, int] = NO_PARAMETERS,
    ) -> Setting:
        """The arguments of one call, with defaults; raises BadInput for those that do not fit."""
        if ranks > MOST_RANKS:
            raise BadInput(f"ranks {ranks}: at most 2^20 are simulated; nearest: {MOST_RANKS}")
        known = {parameter.name: parameter for parameter in self.takes}
        for name, value in parameters.items():
            if name not in known:
                hint = nearest(name, known) if known else "leave it out"
                raise BadInput(f"{name} {value}: {self.title} has no parameter {name!r}; {hint}")
        if chunks is not None and "chunks" not in self.parameters:
            raise BadInput(f"chunks {chunks}: {self.title} is not pipelined; leave chunks out")
        filled = {name: taken.checked(ranks, parameters) for name, taken in known.items()}
        setting = Setting(ranks, root, DEFAULT_CHUNKS if chunks is None else chunks, filled)
        if not self.sizes.accepts(setting):
            raise BadInput(
                f"{plural(ranks, 'rank')}: {self.title} takes {self.sizes.text} only; "
                f"nearest: {self._nearest(setting, parameters)}"
            )
        return setting

    def accepts(self, ranks: int, parameters: Mapping[str, int] = NO_PARAMETERS) -> bool:
        """Whether the algorithm runs on so many ranks."""
        try:
            self.setting(ranks, parameters=parameters)
        except BadInput:
            return False
        return True

    def schedule(self, setting: Setting) -> Schedule:
        """The algorithm's steps, made as they are pulled."""
        given = {"root": setting.root, "chunks": setting.chunks, **setting.parameters}
        return self.function(setting.ranks, **{name: given[name] for name in self.parameters})

    def _nearest(self, setting: Setting, given: Mapping[str, int]) -> str:
        """The accepted numbers of ranks below and above."""
        found = []
        for way in (-1, 1):
            for apart in range(1, FAR):
                ranks = setting.ranks + way * apart
                if ranks < 1:
                    break
                filled = {p.name: given.get(p.name) or p.default(ranks, given) for p in self.takes}
                fits = all(p.accepts(ranks, filled[p.name]) for p in self.takes)
                if fits and self.sizes.accepts(replace(setting, ranks=ranks, parameters=filled)):
                    found.append(str(ranks))
                    break
        return " or ".join(found) or "1"
