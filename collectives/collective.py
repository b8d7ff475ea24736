"""What each collective promises: which contributions each slot holds before and after."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from collectives import library_calls
from collectives.errors import BadInput
from collectives.library_calls import LibraryCalls
from collectives.schedule.columns import Integers
from collectives.theory import exact
from collectives.theory.form import Count
from collectives.values import instance
from collectives.words import brief, nearest, plural

Cells = npt.NDArray[np.bool_]
Pair = tuple[int, int, int, int]
Bounds = tuple[Count, Count, Count]  # bytes that the busiest rank must send; send or receive; all
NO_CALLS = LibraryCalls()
NOTHING: Bounds = (exact.nothing, exact.nothing, exact.nothing)
VECTOR: Bounds = (exact.the_vector, exact.the_vector, exact.all_to_others)
SHARES: Bounds = (exact.share_of_all, exact.all_but_the_smallest, exact.all_to_others)
FROM_ROOT: Bounds = (exact.all_but_the_roots, exact.all_but_the_roots, exact.all_but_the_roots)
TO_ROOT: Bounds = (exact.largest_but_the_roots, *FROM_ROOT[:2])
TWICE: Bounds = (exact.share_of_twice, exact.share_of_twice, exact.twice_to_others)
BLOCKS: Bounds = (exact.all_but_the_smallest, exact.blocks, exact.all_to_others)


@dataclass(frozen=True)
class Requirement:
    """The contributions a cell must hold: of ranks `first` to `end` - 1, from slot `origin`.

    Three integer arrays of shape [rank, slot]; read only where `postcondition` holds.
    """

    first: Integers
    end: Integers
    origin: Integers


@dataclass(frozen=True)
class Collective:
    """A promise by (rank, slot), for a vector that is cut into chunks.

    At the start, the cells of `precondition(ranks, chunks, root)` (bool, [rank, slot]) hold the
    data of their own rank: cell (r, s) is one contribution (r, s). At the end, each cell of
    `postcondition` must hold the contributions that `required(ranks, chunks, root)` names,
    exactly once (at least once where not `exactly_once`), and nothing else. Without `required`,
    cell (r, s) must hold every contribution to slot s. Where `reduces`, several ranks contribute
    to a slot; elsewhere exactly one does.
    """

    name: str
    sentence: str
    precondition: Callable[[int, int, int], Cells] = field(compare=False)
    postcondition: Callable[[int, int, int], Cells] = field(compare=False)
    reduces: bool = False
    required: Callable[[int, int, int], Requirement] | None = field(default=None, compare=False)
    exactly_once: bool = True
    moves_data: bool = True
    paired: bool = False  # it promises what its pairs say
    pairs: tuple[Pair, ...] | None = None  # of send/recv: (src, chunk, dst, slot)
    bounds: Bounds = field(default=NOTHING, compare=False)  # of point-to-point messages
    out_of_place: bool = False  # as `precondition` says, but results have slots of their own
    routed: bool = False  # it promises what a routing table says, see `collectives.routed_promises`
    holders: Callable[[int, int, int], Cells] | None = field(  # cells whose data is not all zero
        default=None, compare=False
    )
    calls: LibraryCalls = field(default=NO_CALLS, compare=False)  # the line of each library

    def __repr__(self) -> str:
        """One line: the name, and what it promises."""
        return f"<Collective: {self.title}: {self.sentence.lower()}>"

    def check_shape(self, ranks: int, chunk_count: int) -> None:
        """Raise BadInput unless the promise is defined for this number of ranks and chunks."""
        if (self.owned or self.in_blocks) and chunk_count % ranks:
            rule = f"gives each of {ranks} ranks the same number of slots"
            rule = f"has a block for each of {plural(ranks, 'rank')}" if self.in_blocks else rule
            near = max(1, round(chunk_count / ranks)) * ranks
            raise BadInput(f"{chunk_count} slots: {self.title} {rule}; try: {near}")
        if self.paired and self.pairs is None:
            raise BadInput(
                "send-recv promises what its pairs say; give collective=exchange(pairs) in Python"
            )
        if self.routed and self.pairs is None:
            raise BadInput(
                f"{self.title} promises what its routing table says; give "
                f"collective={self.name}(routing) in Python"
            )
        for pair in self.pairs or ():
            for value, limit in zip(pair, (ranks, chunk_count, ranks, chunk_count), strict=True):
                if not 0 <= value < limit:
                    raise BadInput(
                        f"pair {pair}: (src, chunk, dst, slot) on {plural(ranks, 'rank')} of "
                        f"{plural(chunk_count, 'chunk')}; "
                        f"try: {min(max(value, 0), limit - 1)} for {value}"
                    )

    @property
    def title(self) -> str:
        """The name as people write it: all-reduce."""
        return self.name.replace("_", "-")

    @property
    def rooted(self) -> bool:
        """Whether one rank, the root, starts with all the data or ends with it."""
        return root_cells in (self.precondition, self.postcondition)

    @property
    def owned(self) -> bool:
        """Whether each rank owns an equal share of the slots, at the start or at the end."""
        return own_cells in (self.precondition, self.postcondition)

    @property
    def separate_buffers(self) -> bool:
        """Whether each rank has slots for what it sends and as many for what it receives."""
        return self.out_of_place or self.precondition is sent_cells

    @property
    def in_blocks(self) -> bool:
        """Whether each rank has a block for each rank, as in an all-to-all."""
        return self.required in (blocks_for_each, blocks_in_place)

    @property
    def promises_nothing(self) -> bool:
        """Whether it has no promise, so that nothing can be proved of it."""
        return self.name == CUSTOM.name

    @property
    def reduces_prefixes(self) -> bool:
        """Whether each rank ends with the sum over some of the ranks only, as in a scan."""
        return self.required in (lower_ranks, ranks_before)

    def promised_slots(self, chunk_count: int) -> int:
        """Slots of each rank that the promise covers: scratch slots come after them."""
        return 2 * chunk_count if self.separate_buffers else chunk_count


def every_cell(ranks: int, chunk_count: int, root: int = 0) -> Cells:
    """Every slot of every rank."""
    return np.ones((ranks, chunk_count), np.bool_)


def root_cells(ranks: int, chunk_count: int, root: int) -> Cells:
    """Every slot of the root, none elsewhere."""
    cells = np.zeros((ranks, chunk_count), np.bool_)
    cells[root] = True
    return cells


def cells_but_rank_0(ranks: int, chunk_count: int, root: int = 0) -> Cells:
    """Every slot of every rank but rank 0."""
    cells = every_cell(ranks, chunk_count)
    cells[0] = False
    return cells


def own_cells(ranks: int, chunk_count: int, root: int = 0) -> Cells:
    """The slots each rank owns: of s slots, rank r has r * s / ranks and those that follow.

    >>> own_cells(2, 4).astype(int)
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """
    rank, slot = np.arange(ranks)[:, None], np.arange(chunk_count)
    cells: Cells = slot * ranks // chunk_count == rank
    return cells


def sent_cells(ranks: int, chunk_count: int, root: int = 0) -> Cells:
    """The send buffer, where there are separate buffers: the first half of the slots."""
    return np.tile(np.arange(2 * chunk_count) < chunk_count, (ranks, 1))


def received_cells(ranks: int, chunk_count: int, root: int = 0) -> Cells:
    """The receive buffer, where there are separate buffers: the second half of the slots."""
    return ~sent_cells(ranks, chunk_count)


def lower_ranks(ranks: int, chunk_count: int, root: int = 0) -> Requirement:
    """Rank r needs the data of ranks 0 to r.

    >>> lower_ranks(3, 1).end.ravel()
    array([1, 2, 3])
    """
    slot, rank = np.meshgrid(np.arange(chunk_count), np.arange(ranks))
    return Requirement(np.zeros_like(rank), rank + 1, slot)


def ranks_before(ranks: int, chunk_count: int, root: int = 0) -> Requirement:
    """Rank r needs the data of ranks 0 to r - 1.

    >>> ranks_before(3, 1).end.ravel()
    array([0, 1, 2])
    """
    needs = lower_ranks(ranks, chunk_count)
    return replace(needs, end=needs.end - 1)


def blocks_for_each(ranks: int, chunk_count: int, root: int = 0) -> Requirement:
    """Block s of rank r's receive buffer needs the block of rank s that is for rank r."""
    slot, rank = np.meshgrid(np.arange(2 * chunk_count), np.arange(ranks))
    per_block = max(1, chunk_count // ranks)  # chunks of a block
    source, part = np.divmod(slot % chunk_count, per_block)
    return Requirement(source, source + 1, rank * per_block + part)


def blocks_in_place(ranks: int, chunk_count: int, root: int = 0) -> Requirement:
    """The same where what is received takes the place of what was sent."""
    needs = blocks_for_each(ranks, chunk_count)
    return Requirement(
        *(column[:, :chunk_count] for column in (needs.first, needs.end, needs.origin))
    )


def exchange(pairs: Iterable[Iterable[int]]) -> Collective:
    """The promise of a send/recv: which sender's chunk each receiver ends with.

    Parameters
    ----------
    pairs : iterable of (src, chunk, dst, slot)
        Chunk `chunk` of rank `src` ends in slot `slot` of the receive buffer of rank `dst`.

    Returns
    -------
    Collective
        As `collective=` of `record` and `check`.

    Raises
    ------
    BadInput
        If a pair is not four whole numbers, or two have the same destination.

    Examples
    --------
    >>> exchange([(0, 0, 1, 0)]).postcondition(2, 1, 0).astype(int)
    array([[0, 0],
           [0, 1]])
    """
    checked = _pairs(pairs)
    source = {(dst, slot): (src, chunk) for src, chunk, dst, slot in checked}
    if len(source) < len(checked):
        raise BadInput("two pairs have the same destination; each received slot is promised once")

    def postcondition(ranks: int, chunk_count: int, root: int) -> Cells:
        cells = np.zeros((ranks, 2 * chunk_count), np.bool_)
        for dst, slot in source:
            cells[dst, chunk_count + slot] = True
        return cells

    def required(ranks: int, chunk_count: int, root: int) -> Requirement:
        first, origin = np.zeros((2, ranks, 2 * chunk_count), np.intp)
        for (dst, slot), (src, chunk) in source.items():
            first[dst, chunk_count + slot], origin[dst, chunk_count + slot] = src, chunk
        return Requirement(first, first + 1, origin)

    return replace(SEND_RECV, postcondition=postcondition, required=required, pairs=checked)


def _pairs(listed: Iterable[Iterable[int]]) -> tuple[Pair, ...]:
    """Pairs in whole numbers; raises BadInput for anything else."""
    pairs: list[Pair] = []
    try:
        for pair in listed:
            src, chunk, dst, slot = map(operator.index, pair)
            pairs.append((src, chunk, dst, slot))
    except (TypeError, ValueError):
        raise BadInput(
            f"pairs {brief(listed)}: each must be four whole numbers (src, chunk, dst, slot); "
            "try: [(0, 0, 1, 0)]"
        ) from None
    return tuple(pairs)


BROADCAST = Collective(
    "broadcast",
    "Every rank ends with the root's data",
    root_cells,
    every_cell,
    bounds=VECTOR,
    calls=library_calls.BROADCAST,
)
REDUCE = Collective(
    "reduce",
    "The root ends with the sum over all ranks",
    every_cell,
    root_cells,
    reduces=True,
    bounds=VECTOR,
    calls=library_calls.REDUCE,
)
ALL_GATHER = Collective(
    "all_gather",
    "Every rank ends with every rank's chunk",
    own_cells,
    every_cell,
    bounds=SHARES,
    calls=library_calls.ALL_GATHER,
)
REDUCE_SCATTER = Collective(
    "reduce_scatter",
    "Rank r ends with chunk r of the sum over all ranks",
    every_cell,
    own_cells,
    reduces=True,
    bounds=SHARES,
    calls=library_calls.REDUCE_SCATTER,
)
ALL_REDUCE = Collective(
    "all_reduce",
    "Every rank ends with the sum over all ranks",
    every_cell,
    every_cell,
    reduces=True,
    bounds=TWICE,
    calls=library_calls.ALL_REDUCE,
)
SCATTER = Collective(
    "scatter",
    "Rank r ends with chunk r of the root's data",
    root_cells,
    own_cells,
    bounds=FROM_ROOT,
    calls=library_calls.SCATTER,
)
GATHER = Collective(
    "gather",
    "The root ends with every rank's chunk",
    own_cells,
    root_cells,
    bounds=TO_ROOT,
    calls=library_calls.GATHER,
)
ALL_TO_ALL = Collective(
    "all_to_all",
    "Every rank ends with the block that each rank has for it",
    sent_cells,
    received_cells,
    required=blocks_for_each,
    bounds=BLOCKS,
    calls=library_calls.ALL_TO_ALL,
)
SCAN = Collective(
    "scan",
    "Rank r ends with the sum over ranks 0 to r",
    every_cell,
    every_cell,
    reduces=True,
    required=lower_ranks,
    bounds=VECTOR,
    calls=library_calls.SCAN,
)
EXSCAN = Collective(
    "exscan",
    "Every rank but rank 0 ends with the sum over the ranks before it",
    every_cell,
    cells_but_rank_0,
    reduces=True,
    required=ranks_before,
    bounds=VECTOR,
    calls=library_calls.EXSCAN,
)
BARRIER = Collective(
    "barrier",
    "Every rank ends knowing that all ranks have arrived",
    every_cell,
    every_cell,
    exactly_once=False,
    moves_data=False,
    calls=library_calls.BARRIER,
)
SEND_RECV = Collective(
    "send_recv",
    "Every receiver ends with what its sender has for it",
    sent_cells,
    received_cells,
    paired=True,
    calls=library_calls.SEND_RECV,
)

DISPATCH = Collective(
    "dispatch",
    "Every rank ends with the tokens that its experts take",
    own_cells,
    every_cell,
    routed=True,
    calls=library_calls.DISPATCH,
)
COMBINE = Collective(
    "combine",
    "Every token comes back as the sum of its experts' weighted outputs",
    every_cell,
    own_cells,
    reduces=True,
    routed=True,
    calls=library_calls.COMBINE,
)
CUSTOM = replace(  # somebody else's exchange: input, output, and no word on what goes where
    exchange(()), name="custom", sentence="Nothing is promised, so nothing is proved"
)

IN_PLACE_ALL_TO_ALL = replace(
    ALL_TO_ALL, precondition=every_cell, postcondition=every_cell, required=blocks_in_place
)

COLLECTIVES = {
    collective.name: collective
    for collective in (
        *(BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_REDUCE, SCATTER, GATHER),
        *(ALL_TO_ALL, SCAN, EXSCAN, BARRIER, SEND_RECV, DISPATCH, COMBINE),
    )
}


# names of MPI, NCCL and torch.distributed, without their prefixes, hyphens and underscores
SPELLINGS = {name.replace("_", ""): name for name in COLLECTIVES} | {
    "bcast": "broadcast",
    "allgatherintotensor": "all_gather",
    "reducescattertensor": "reduce_scatter",
    "reducescatterblock": "reduce_scatter",
    "alltoallsingle": "all_to_all",
    "exclusivescan": "exscan",
    "epdispatch": "dispatch",
    "epcombine": "combine",
    "alltoallvdev2d": "dispatch",
    "alltoallvdev2doffset": "combine",
}


def find_collective(name: str) -> Collective:
    """The collective of this name, as here or as MPI, NCCL or torch write it; raises BadInput.

    >>> find_collective("all-reduce").name, find_collective("ncclAllReduce").name
    ('all_reduce', 'all_reduce')
    """
    instance("collective", name, str, "all_reduce")
    return _spelled(name)


@cache
def _spelled(name: str) -> Collective:
    plain = name.lower().translate(dict.fromkeys(map(ord, "-_ ")))
    key = plain.removeprefix("mpi").removeprefix("nccl")
    if key not in SPELLINGS:
        known = [collective.title for collective in COLLECTIVES.values()]
        close = nearest(name.lower().replace("_", "-"), known)
        raise BadInput(f"unknown collective {brief(name)}; {close}")
    return COLLECTIVES[SPELLINGS[key]]


def collective_of(function: str) -> Collective | None:
    """The collective that ends a function's name: `my_all_reduce`, `my_allreduce`; else None.

    A whole word goes before a longer part of one: `small_gather` is a gather.
    """
    endings = [(name, name) for name in COLLECTIVES] + list(SPELLINGS.items())
    matches = [
        (f"_{function}".endswith(f"_{ending}"), len(ending), name)
        for ending, name in endings
        if function.endswith(ending)
    ]
    return COLLECTIVES[max(matches)[2]] if matches else None
