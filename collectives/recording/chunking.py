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


def split(vectors: np.ndarray, size: Integers) -> np.ndarray:
    """Vectors [node, element] as chunks [node, chunk, element], short ones padded with zeros.

    `size[chunk]` is in elements. Where all chunks are equal this is a view.
    """
    nodes, chunk_count = len(vectors), len(size)
    width = int(size.max())
    if width == int(size.min()):
        return vectors.reshape(nodes, chunk_count, width)
    chunks = np.zeros((nodes, chunk_count, width), vectors.dtype)
    end = np.cumsum(size)
    for chunk, (first, last) in enumerate(zip(end - size, end, strict=True)):
        chunks[:, chunk, : last - first] = vectors[:, first:last]
    return chunks


def joined(chunks: np.ndarray, size: Integers) -> np.ndarray:
    """The inverse of `split`: chunks [node, chunk, element] as vectors [node, element]."""
    nodes, chunk_count, width = chunks.shape
    if width == int(size.min()):
        return chunks.reshape(nodes, chunk_count * width)
    return np.concatenate([chunks[:, chunk, : size[chunk]] for chunk in range(chunk_count)], axis=1)
