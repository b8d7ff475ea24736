"""The one table of algorithms: a row and a function are all it takes to add one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from collectives import theory
from collectives.algorithms import binomial, flat, ring
from collectives.collective import Collective, find_collective
from collectives.errors import BadInput, nearest
from collectives.schedule import Schedule
from collectives.theory import Form

DEFAULT_CHUNKS = 4


@dataclass(frozen=True)
class Row:
    """An algorithm: which promise it keeps, the function that makes it, and what is known of it.

    slots(ranks, chunks) is the number of slots the function works on. `form` holds its closed
    forms, and names their source.
    """

    collective: str
    algorithm: str
    function: Callable[..., Schedule]
    slots: Callable[[int, int], int]
    form: Form

    @property
    def title(self) -> str:
        """The name as people write it: ring all-reduce."""
        return f"{self.algorithm} {self.promise.title}"

    @property
    def promise(self) -> Collective:
        """The collective."""
        return find_collective(self.collective)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """What the function takes beside the number of ranks: of root and chunks."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    def schedule(self, ranks: int, root: int = 0, chunks: int = DEFAULT_CHUNKS) -> Schedule:
        """The algorithm's steps for so many ranks, made as they are pulled."""
        given = {"root": root, "chunks": chunks}
        return self.function(ranks, **{name: given[name] for name in self.parameters})


def one(ranks: int, chunks: int) -> int:
    """The whole vector is one slot."""
    return 1


def per_rank(ranks: int, chunks: int) -> int:
    """One slot for each rank."""
    return ranks


def per_chunk(ranks: int, chunks: int) -> int:
    """One slot for each chunk of a pipeline."""
    return chunks


ROWS = (
    Row("broadcast", "flat", flat.flat_broadcast, one, theory.FLAT_BROADCAST),
    Row("broadcast", "ring", ring.ring_broadcast, per_chunk, theory.CHAIN),
    Row("broadcast", "tree", binomial.binomial_broadcast, one, theory.TREE_BROADCAST),
    Row("reduce", "flat", flat.flat_reduce, one, theory.FLAT_REDUCE),
    Row("reduce", "ring", ring.ring_reduce, per_chunk, theory.CHAIN),
    Row("reduce", "tree", binomial.binomial_reduce, one, theory.TREE_REDUCE),
    Row("scatter", "flat", flat.flat_scatter, per_rank, theory.FLAT_SCATTER),
    Row("scatter", "tree", binomial.binomial_scatter, per_rank, theory.TREE_SCATTER),
    Row("gather", "flat", flat.flat_gather, per_rank, theory.FLAT_GATHER),
    Row("gather", "tree", binomial.binomial_gather, per_rank, theory.TREE_GATHER),
    Row("all_gather", "flat", flat.flat_all_gather, per_rank, theory.FLAT_ALL_GATHER),
    Row("all_gather", "ring", ring.ring_all_gather, per_rank, theory.RING_LAP),
    Row("all_gather", "tree", binomial.binomial_all_gather, per_rank, theory.TREE_ALL_GATHER),
    Row("reduce_scatter", "flat", flat.flat_reduce_scatter, per_rank, theory.FLAT_REDUCE_SCATTER),
    Row("reduce_scatter", "ring", ring.ring_reduce_scatter, per_rank, theory.RING_LAP),
    Row(
        "reduce_scatter",
        "tree",
        binomial.binomial_reduce_scatter,
        per_rank,
        theory.TREE_REDUCE_SCATTER,
    ),
    Row("all_reduce", "flat", flat.flat_all_reduce, one, theory.FLAT_ALL_REDUCE),
    Row("all_reduce", "ring", ring.ring_all_reduce, per_rank, theory.RING_ALL_REDUCE),
    Row("all_reduce", "tree", binomial.binomial_all_reduce, one, theory.TREE_ALL_REDUCE),
)


def find_row(collective: str, algorithm: str) -> Row:
    """The row of these names, hyphens or underscores; raises BadInput with the nearest.

    >>> find_row("all-reduce", "ring").title
    'ring all-reduce'
    """
    wanted = find_collective(collective)
    rows = {row.algorithm: row for row in ROWS if row.collective == wanted.name}
    key = algorithm.replace("_", "-").lower()
    if key not in rows:
        raise BadInput(f"unknown {wanted.title} algorithm {algorithm!r}; {nearest(key, rows)}")
    return rows[key]
