"""Rings along each dimension of a torus: ranks exchange data with neighbors in the grid only.

On two dimensions this is the hierarchical all-reduce: a row of the grid takes the place of a node.
"""

import numpy as np

from collectives.algorithms.hierarchical import hierarchical_all_reduce
from collectives.algorithms.ring import ring_all_gather, ring_reduce_scatter
from collectives.schedule import Schedule, together, within


def torus_2d_all_reduce(n: int, rows: int) -> Schedule:
    """Rows add up first; then each column adds up only its share.

    >>> from collectives.schedule import table
    >>> print(table(torus_2d_all_reduce(4, rows=2)))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +1   2→0 +0   1→3 +3   3→1 +2
    step 3   0→2 =0   2→0 =1   1→3 =2   3→1 =3
    step 4   0→1 =0..1   1→0 =2..3   2→3 =0..1   3→2 =2..3
    """
    gpus = n // rows  # ranks in a row
    yield from hierarchical_all_reduce(n, gpus)


def torus_3d_all_reduce(n: int, rows: int, columns: int) -> Schedule:
    """One dimension adds up first; then the others add up only a share.

    >>> from collectives.schedule import table
    >>> print(table(list(torus_3d_all_reduce(8, rows=2, columns=2))[2:4]))
    step 1   0→4 +1   4→0 +0   2→6 +3   6→2 +2   1→5 +5   5→1 +4   3→7 +7   7→3 +6
    step 2   0→4 =0   4→0 =1   2→6 =2   6→2 =3   1→5 =4   5→1 =5   3→7 =6   7→3 =7
    """
    lines = n // columns
    rank = np.arange(n).reshape(lines, columns)
    along = ring_reduce_scatter(columns)
    planes = lines // rows
    rest = torus_2d_all_reduce(lines, planes)
    back = ring_all_gather(columns)
    shard = lines * np.arange(columns)
    yield from within(rank, along, width=lines)
    yield from within(rank.T, rest, shard)
    yield from within(rank, back, width=lines)


def two_color_torus_all_reduce(n: int, rows: int) -> Schedule:
    """Half of the vector takes the rows first, the other half the columns.

    >>> from collectives.schedule import table
    >>> print(table(two_color_torus_all_reduce(2, rows=1)))
    step 1   0→1 +1   1→0 +0   0→1 +3   1→0 +2
    step 2   0→1 =0   1→0 =1   0→1 =2   1→0 =3
    """
    columns = n // rows
    rank = np.arange(n).reshape(rows, columns)
    turned = rank.T.reshape(n)
    first = torus_2d_all_reduce(n, rows)
    second = torus_2d_all_reduce(n, columns)
    rest = within(turned, second, first=n)
    yield from together(first, rest)
