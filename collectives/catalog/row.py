"""A row of the catalog: an algorithm with its closed forms, sources, slots, nodes, parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from collectives.algorithms.nested import TwoParts
from collectives.catalog.parameters import (
    ANY,
    CHANNELS,
    DEFAULT_CHUNKS,
    NO_PARAMETERS,
    NODE_OF_CHANNELS,
    ROUTING,
    Parameter,
    Setting,
    Sizes,
)
from collectives.collective import Collective, exchange, find_collective
from collectives.errors import BadInput
from collectives.routing import check_table, check_topk
from collectives.schedule import Schedule
from collectives.theory import Form
from collectives.words import capital, nearest, plural

if TYPE_CHECKING:
    from collectives.structure import Structure
    from collectives.theory.case import Letter

MAX_RANKS = 1 << 20
COMPOSED = ("routing", "parts")  # arguments that are made of several parameters
HELPERS = ("switch", "server")
SEARCHED = 4096  # ranks, up to which above and below a refused number an accepted one is looked for


def one(setting: Setting) -> int:
    """The whole vector is one chunk."""
    return 1


def per_rank(setting: Setting) -> int:
    """One chunk for each rank."""
    return setting.ranks


def per_rank_and_channel(setting: Setting) -> int:
    """One chunk for each rank in each channel."""
    return setting.ranks * setting.channels


def per_token(setting: Setting) -> int:
    """One chunk for each token of all ranks."""
    return setting.ranks * setting["tokens"]


def per_chunk(setting: Setting) -> int:
    """One chunk for each chunk of a pipeline."""
    return setting.chunks


def per_chunk_and_channel(setting: Setting) -> int:
    """One chunk for each chunk of the pipeline in each channel."""
    return setting.chunks * setting.channels


def power_of_two(setting: Setting) -> int:
    """One chunk for each rank of the largest power of two that the ranks hold."""
    return 1 << setting.ranks.bit_length() - 1


def ranks_only(setting: Setting) -> int:
    """No nodes but the ranks."""
    return setting.ranks


def one_helper(setting: Setting) -> int:
    """One switch or server beside the ranks."""
    return setting.ranks + 1


def no_scratch(setting: Setting) -> int:
    """No scratch slots."""
    return 0


@dataclass(frozen=True)
class Row:
    """An algorithm of the catalog.

    Parameters
    ----------
    function : callable
        Makes the steps: `function(n, …)`, with arguments named root, chunks or as in `takes`.
    form : Form
        Closed forms, and which lower bounds they reach.
    source : str
        The paper or program that describes the algorithm.
    used_by : str
        Which library uses it, and when.
    same_bits_as : tuple of str
        Library algorithms whose float sums were found equal to the last bit.
    chunk_count, scratch, nodes : callable
        Of a `Setting`: the number of chunks the vector is cut into, of further slots of each
        node, and of nodes, ranks and helpers together.
    helpers : {"switch", "server"}
        A switch has a port for every other node and adds as fast as bytes come; a server has one
        port, as a rank has.
    sizes : Sizes
        Which numbers of ranks are accepted.
    takes : tuple of Parameter
        Arguments of the function beside n, root and chunks.
    in_channels : callable
        Makes the steps where there are several channels: `function(n, …, channels)`.
    in_ways : callable
        Makes the steps where a parameter has another than its usual way: it is given what runs.
    pairs : callable
        Of a `Setting`: what a send/recv promises, see `exchange`.
    promises : callable
        Of a `Setting`: what is promised, where the collective's name does not say all of it.
    structure : callable
        Of a `Setting`: what the links are; where it is not stated it is inferred.
    against : str
        Names of the algorithms it was made to beat, by its source, or that libraries run in its
        place for large vectors; by default the classic one.
    home : str
        The machine it was made for, by the name of an option: that of its pictures, where nobody
        asks for another; by default a usual one.
    usual_size : int
        Bytes of the vector in its pictures, where nobody asks for a size; by default a usual one.
    classic : bool
        Whether algorithms of the collective are compared with it that name no other.
    display_name : str
        As people write it, where that is not the first of `names`.
    collective, names : str
        Filled in from the table: of the names the first is the algorithm's, the others are
        accepted, too.

    Examples
    --------
    >>> from collectives.catalog import find_row
    >>> row = find_row("all_reduce", "ring")
    >>> row.heading, row.form.steps, row.used_by
    ('Ring all-reduce', '2*(N-1)', 'NCCL for large vectors; MPICH (ring)')
    """

    function: Callable[..., Schedule]
    form: Form
    source: str
    used_by: str = ""
    same_bits_as: tuple[str, ...] = ()
    chunk_count: Callable[[Setting], int] = per_rank
    scratch: Callable[[Setting], int] = no_scratch
    nodes: Callable[[Setting], int] = ranks_only
    helpers: str = "switch"
    sizes: Sizes = ANY
    takes: tuple[Parameter, ...] = ()
    in_channels: Callable[..., Schedule] | None = None
    in_ways: Callable[..., Schedule] | None = None
    pairs: Callable[[Setting], Iterable[Iterable[int]]] | None = None
    promises: Callable[[Setting], Collective] | None = None
    structure: Callable[[Setting], Structure] | None = None
    against: str = ""
    home: str = ""
    usual_size: int = 0
    classic: bool = False
    display_name: str = ""
    collective: str = ""
    names: str = ""

    @cached_property
    def algorithm(self) -> str:
        """The name as the command line takes it."""
        return self.names.split()[0].lower()

    @property
    def also(self) -> tuple[str, ...]:
        """Other names of the algorithm."""
        return tuple(self.names.split()[1:])

    def __repr__(self) -> str:
        """One line: the name, and which numbers of ranks it accepts."""
        return f"<Row: {self.title}, ranks: {self.sizes.text}>"

    @property
    def title(self) -> str:
        """The name as the command line takes it: ring all-reduce, van-de-geijn broadcast."""
        return f"{self.algorithm} {self.promise.title}"

    @property
    def label(self) -> str:
        """The name as people write it, without the collective: SHARP, van de Geijn."""
        return self.display_name or self.names.split()[0]

    @property
    def heading(self) -> str:
        """The name above a picture or a page: SHARP all-reduce, Van de Geijn broadcast."""
        return capital(f"{self.label} {self.promise.title}")

    @property
    def idea(self) -> str:
        """The first line of the text of its function: what it does, in a sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the arguments beside the number of ranks; of a routing table, its own."""
        names = _further(self.in_ways or self.in_channels or self.function)
        return tuple(take.name for take in self.takes) if {*names} & {*COMPOSED} else names

    def taken(self, chosen: Mapping[str, int]) -> dict[str, int]:
        """Those of some parameters that the algorithm takes."""
        known = {parameter.name for parameter in self.takes}
        return {name: value for name, value in chosen.items() if name in known}

    @property
    def in_network(self) -> bool:
        """Whether other nodes than ranks take part, unless a parameter asks for them."""
        return self.nodes is not ranks_only and self.in_ways is None

    @property
    def promise(self) -> Collective:
        """The collective; of send/recv without its pairs, for which see `promise_in`."""
        return find_collective(self.collective)

    def promise_in(self, setting: Setting) -> Collective:
        """What the algorithm promises in one setting."""
        if self.promises is not None:
            return self.promises(setting)
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
        if ranks > MAX_RANKS:
            raise BadInput(f"ranks {ranks}: at most 2^20 are simulated; try: {MAX_RANKS}")
        known = {parameter.name: parameter for parameter in self.takes}
        for name, value in parameters.items():
            if name not in known:
                hint = nearest(name, known) if known else "leave it out"
                raise BadInput(f"{name} {value}: {self.title} has no parameter {name!r}; {hint}")
        if chunks is not None and "chunks" not in self.parameters:
            raise BadInput(f"chunks {chunks}: {self.title} is not pipelined; leave chunks out")
        filled = {name: taken.checked(ranks, parameters) for name, taken in known.items()}
        for name, taken in known.items():
            if taken.unsaid and filled[name] == taken.default(ranks, parameters):
                del filled[name]
        for taken in self.takes:  # a share of what is not there says nothing
            if taken.name not in filled:
                filled.pop(taken.share_of, None)
        setting = Setting(ranks, root, DEFAULT_CHUNKS if chunks is None else chunks, filled)
        if self.promise.routed:
            check_topk(setting["topk"], setting["experts"])
            check_table(ranks, setting["tokens"], setting["experts"])
        if not self.sizes.accepts(setting):
            raise BadInput(
                f"{plural(ranks, 'rank')}: {self.title} takes {self.sizes.text} only; "
                f"try: {self._nearest(setting, parameters)}"
            )
        return setting

    def letters(self, formulas: Iterable[str]) -> list[Letter]:
        """The letters in these formulas, each once."""
        every = {letter.symbol: letter for text in formulas for letter in self.form.letters(text)}
        return list(every.values())

    def accepts(self, ranks: int, parameters: Mapping[str, int] = NO_PARAMETERS) -> bool:
        """Whether the algorithm runs on this number of ranks."""
        try:
            self.setting(ranks, parameters=parameters)
        except BadInput:
            return False
        return True

    def schedule(self, setting: Setting) -> Schedule:
        """The algorithm's steps, made as they are pulled."""
        function = self.function_in(setting)
        arguments: dict[str, object]
        arguments = {"root": setting.root, "chunks": setting.chunks, "gpus": setting.gpus}
        arguments |= setting.parameters
        if self.in_ways is not None:
            chosen = {p: p.way(setting.parameters.get(p.name, 0)) for p in self.takes if p.ways}
            parts: dict[str, Any] = {p.name: p.ways[way] for p, way in chosen.items()}
            arguments["parts"] = TwoParts(**parts)
        if self.promise.routed:
            arguments["routing"] = setting.routing
        return function(setting.ranks, **{name: arguments[name] for name in _further(function)})

    def function_in(self, setting: Setting) -> Callable[..., Schedule]:
        """The function that makes the steps: another one in several channels, or in other ways."""
        if self.in_ways is not None and setting.other_ways:
            return self.in_ways
        if self.in_channels is None or setting.channels == 1:
            return self.function
        return self.in_channels

    def _nearest(self, setting: Setting, chosen: Mapping[str, int]) -> str:
        """The accepted numbers of ranks below and above."""

        def fits(ranks: int) -> bool:
            filled = {p.name: chosen.get(p.name) or p.default(ranks, chosen) for p in self.takes}
            filled |= {p.name: p.way(filled[p.name]) for p in self.takes if p.ways}
            return all(p.accepts(ranks, filled[p.name]) for p in self.takes) and self.sizes.accepts(
                replace(setting, ranks=ranks, parameters=filled)
            )

        below = range(setting.ranks - 1, max(0, setting.ranks - SEARCHED), -1)
        above = range(setting.ranks + 1, setting.ranks + SEARCHED)
        nearest = [next(filter(fits, way), None) for way in (below, above)]
        return " or ".join(str(ranks) for ranks in nearest if ranks) or "1"


def _further(function: Callable[..., Schedule]) -> tuple[str, ...]:
    """Names of a function's arguments beside the number of ranks."""
    return tuple(inspect.signature(function).parameters)[1:]


one_chunk = partial(Row, chunk_count=one)
in_pipeline = partial(Row, chunk_count=per_chunk)
routed_row = partial(Row, chunk_count=per_token, takes=ROUTING)
with_channels = partial(Row, takes=(CHANNELS, NODE_OF_CHANNELS))
one_ring = partial(with_channels, chunk_count=per_rank_and_channel)
channel_pipeline = partial(with_channels, chunk_count=per_chunk_and_channel)
