"""Send and receive: patterns of pairs, each with a function that lists the pairs."""

import numpy as np

from collectives.schedule import Schedule, send
from collectives.schedule.columns import Integers


def ping_pong_pairs(n: int) -> Integers:
    """The pairs (src, chunk, dst, slot): ranks 2i and 2i + 1 send each other a chunk.

    >>> ping_pong_pairs(5)
    array([[0, 0, 1, 0],
           [2, 0, 3, 0],
           [1, 0, 0, 0],
           [3, 0, 2, 0]])
    """
    even = np.arange(0, n - 1, 2)
    src, dst = np.append(even, even + 1), np.append(even + 1, even)
    return np.stack([src, 0 * src, dst, 0 * dst], axis=1)


def ping_pong(n: int) -> Schedule:
    """Each pair of ranks sends a chunk there and another back.

    >>> from collectives.schedule import table
    >>> print(table(ping_pong(5)))
    step 1   0→1 =0:1   2→3 =0:1
    step 2   1→0 =0:1 needs 1   3→2 =0:1 needs 1
    """
    even = np.arange(0, n - 1, 2)
    odd = even + 1
    # ping: one rank of each pair sends
    yield send(even, odd, 0, into=1)
    # pong: the other rank answers with its chunk
    yield send(odd, even, 0, into=1, needs=1)


def halo_pairs(n: int) -> Integers:
    """The pairs (src, chunk, dst, slot): left edge to the left, right edge to the right.

    Chunk 0 is a rank's left edge and chunk 1 its right one; place 0 is for what comes from the
    left neighbor and place 1 for what comes from the right one.

    >>> halo_pairs(3)
    array([[0, 0, 2, 1],
           [1, 0, 0, 1],
           [2, 0, 1, 1],
           [0, 1, 1, 0],
           [1, 1, 2, 0],
           [2, 1, 0, 0]])
    """
    rank, edge = np.tile(np.arange(n), 2), np.repeat([0, 1], n)
    return np.stack([rank, edge, (rank + 2 * edge - 1) % n, 1 - edge], axis=1)


def halo_exchange(n: int) -> Schedule:
    """Each rank of a ring hands each of its two neighbors the edge next to it.

    >>> from collectives.schedule import table
    >>> print(table(halo_exchange(3)))
    step 1   0→2 =0:3   1→0 =0:3   2→1 =0:3   0→1 =1:2   1→2 =1:2   2→0 =1:2
    """
    src, edge, dst, place = halo_pairs(n).T
    # every rank sends both neighbors the edge next to them
    yield send(src, dst, edge, into=2 + place)


def activation_pairs(n: int, chunks: int = 4) -> Integers:
    """The pairs (src, chunk, dst, slot): every activation to the next stage.

    >>> activation_pairs(3, chunks=2)
    array([[0, 0, 1, 0],
           [0, 1, 1, 1],
           [1, 0, 2, 0],
           [1, 1, 2, 1]])
    """
    stage, batch = np.divmod(np.arange((n - 1) * chunks), chunks)
    return np.stack([stage, batch, stage + 1, batch], axis=1)


def pipeline_activations(n: int, chunks: int = 4) -> Schedule:
    """Stage r sends stage r + 1 its activation of micro-batch m in step r + m + 1.

    >>> from collectives.schedule import table
    >>> print(table(pipeline_activations(3, chunks=2)))
    step 1   0→1 =0:2
    step 2   0→1 =1:3   1→2 =0:2 needs 2
    step 3   1→2 =1:3 needs 3
    """
    stage = np.arange(n - 1)
    for step in range(chunks + n - 2):
        batch = step - stage
        busy = (batch >= 0) & (batch < chunks)
        r, m = stage[busy], batch[busy]
        into = chunks + m
        need = np.where(r > 0, into, m)
        # each stage passes its activation on
        yield send(r, r + 1, m, into, needs=need)
