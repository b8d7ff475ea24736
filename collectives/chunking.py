"""How a vector is cut into chunks: the first `count % slots` of them are one element larger."""

from __future__ import annotations

import numpy as np

from collectives.schedule.step import Integers


def chunk_sizes(count: int, slots: int) -> Integers:
    """Elements of each slot, shape [slots]; the rule of MPICH and Open MPI (early large blocks).

    >>> chunk_sizes(10, 4)
    array([3, 3, 2, 2])
    """
    whole, rest = divmod(count, slots)
    return whole + (np.arange(slots) < rest).astype(np.intp)


def chunk_bounds(count: int, slots: int) -> Integers:
    """First element of each slot and the end of the last, shape [slots + 1].

    >>> chunk_bounds(10, 4)
    array([ 0,  3,  6,  8, 10])
    """
    return np.concatenate([[0], np.cumsum(chunk_sizes(count, slots))])


def split(vectors: np.ndarray, slots: int) -> np.ndarray:
    """Vectors [node, element] as chunks [node, slot, element], short ones padded with zeros.

    Where all chunks are equal this is a view.
    """
    nodes, count = vectors.shape
    width = -(-count // slots)
    if count == width * slots:
        return vectors.reshape(nodes, slots, width)
    chunks = np.zeros((nodes, slots, width), vectors.dtype)
    bounds = chunk_bounds(count, slots)
    for slot in range(slots):
        chunk = vectors[:, bounds[slot] : bounds[slot + 1]]
        chunks[:, slot, : chunk.shape[1]] = chunk
    return chunks


def joined(chunks: np.ndarray, count: int) -> np.ndarray:
    """The inverse of `split`: chunks [node, slot, element] as vectors [node, element]."""
    nodes, slots, width = chunks.shape
    if count == width * slots:
        return chunks.reshape(nodes, count)
    sizes = chunk_sizes(count, slots)
    return np.concatenate([chunks[:, slot, : sizes[slot]] for slot in range(slots)], axis=1)
