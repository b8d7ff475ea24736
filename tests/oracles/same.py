"""Which algorithm of which library adds exactly as which row of the catalog: the claims tested.

A row is named where every result has the same bits, for every number of ranks tried.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Chunks = Callable[[int, int], list[int]]

ROW = {  # library, collective, the library's algorithm → the catalog's
    ("mpich", "all_reduce", "ring"): "ring",
    ("mpich", "all_reduce", "recursive_doubling"): "recursive-doubling",
    ("mpich", "all_reduce", "recexch"): "recursive-doubling",
    ("mpich", "all_reduce", "reduce_scatter_allgather"): "rabenseifner",
    ("mpich", "all_reduce", "recursive_multiplying"): "tail-fold",
    ("mpich", "reduce", "binomial"): "tree",
    ("mpich", "reduce", "reduce_scatter_gather"): "rabenseifner",
    ("mpich", "reduce_scatter", "pairwise"): "pairwise",
    ("mpich", "reduce_scatter", "recursive_halving"): "recursive-halving",
    ("mpich", "reduce_scatter", "recursive_doubling"): "tree",
    ("mpich", "scan", "recursive_doubling"): "recursive-doubling",
    ("mpich", "exscan", "recursive_doubling"): "recursive-doubling",
    ("open_mpi", "all_reduce", "1 linear"): "linear",
    ("open_mpi", "all_reduce", "3 recursive doubling"): "recursive-doubling",
    ("open_mpi", "all_reduce", "4 ring"): "textbook-ring",
    ("open_mpi", "all_reduce", "6 Rabenseifner"): "half-fold",
    ("open_mpi", "reduce", "1 linear"): "linear",
    ("open_mpi", "reduce", "2 chain"): "chains",
    ("open_mpi", "reduce", "3 pipeline"): "ring",
    ("open_mpi", "reduce", "4 binary"): "binary-tree",
    ("open_mpi", "reduce", "5 binomial"): "tree",
    ("open_mpi", "reduce", "6 in-order binary"): "in-order-tree",
    ("open_mpi", "reduce", "7 Rabenseifner"): "half-fold",
    ("open_mpi", "reduce_scatter", "2 recursive halving"): "recursive-halving",
    ("open_mpi", "reduce_scatter", "3 ring"): "ring",
    ("open_mpi", "reduce_scatter", "4 butterfly"): "butterfly",
    ("open_mpi", "scan", "1 linear"): "chain",
    ("open_mpi", "scan", "2 recursive doubling"): "recursive-doubling",
    ("open_mpi", "exscan", "1 linear"): "chain",
    ("open_mpi", "exscan", "2 recursive doubling"): "recursive-doubling",
    ("gloo", "all_reduce", "ring"): "leftward-ring",
    ("gloo", "reduce", "ring"): "leftward-ring",
    ("gloo", "reduce_scatter", "ring"): "leftward-ring",
}


def cut(count: int, width: int, ranks: int) -> list[int]:
    """Chunks of one width; the last that has any may be shorter, those behind it are empty.

    >>> cut(13, 4, 5)
    [4, 4, 4, 1, 0]
    """
    return [min(max(count - rank * width, 0), width) for rank in range(ranks)]


def short_tail(count: int, ranks: int) -> list[int]:
    """The chunks of MPICH's ring all-reduce: as wide as the widest has to be.

    >>> short_tail(13, 5)
    [3, 3, 3, 3, 1]
    """
    return cut(count, -(-count // ranks), ranks)


def pairs_of_segments(count: int, ranks: int) -> list[int]:
    """The chunks of gloo's rings: two segments each, as wide as the widest has to be.

    This is so below 1 MiB for each segment, from where on there are more than two.

    >>> pairs_of_segments(13, 5)
    [4, 4, 4, 1, 0]
    """
    return cut(count, 2 * -(-count // (2 * ranks)), ranks)


def halved(count: int, ranks: int) -> list[int]:
    """The chunks of Open MPI's Rabenseifner: of each half that is halved, the first is smaller.

    >>> halved(13, 4)
    [3, 3, 3, 4]
    """
    if ranks == 1:
        return [count]
    return halved(count // 2, ranks // 2) + halved(count - count // 2, ranks // 2)


CHUNKS: dict[tuple[str, str, str], Chunks] = {  # where they are not the catalog's own
    ("mpich", "all_reduce", "ring"): short_tail,
    ("gloo", "all_reduce", "ring"): pairs_of_segments,
    ("gloo", "reduce", "ring"): pairs_of_segments,
}


def bits(vectors: list[np.ndarray]) -> list[bytes]:
    """The bytes of each vector: equal only where all bits are, those of zeros, too."""
    return [vector.tobytes() for vector in vectors]
