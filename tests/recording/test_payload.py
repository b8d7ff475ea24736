import numpy as np
import pytest

from collectives.recording.payload import chunk_sizes, joined, split


@pytest.mark.parametrize(
    ("count", "slots", "sizes"),
    [
        (0, 3, [0, 0, 0]),
        (1, 3, [1, 0, 0]),
        (5, 3, [2, 2, 1]),
        (6, 3, [2, 2, 2]),
        (7, 1, [7]),
        (1 << 48, 3, [93824992236886, 93824992236885, 93824992236885]),
    ],
)
def test_the_first_chunks_are_one_larger(count, slots, sizes):
    assert chunk_sizes(count, slots).tolist() == sizes


@pytest.mark.parametrize(
    "sizes", [[0], [3], [0, 0, 0], [1, 0, 0], [2, 2, 2], [3, 2, 2], [3, 0, 5], [0, 4]]
)
def test_splitting_and_joining(sizes):
    size = np.array(sizes)
    vectors = np.arange(2 * size.sum()).reshape(2, -1)
    chunks = split(vectors, size)
    end = np.cumsum(size)
    for chunk, (first, last) in enumerate(zip(end - size, end, strict=True)):
        assert chunks[:, chunk, : last - first].tolist() == vectors[:, first:last].tolist()
        assert not chunks[:, chunk, last - first :].any()
    assert joined(chunks, size).tolist() == vectors.tolist()


def test_equal_chunks_are_a_view():
    vectors = np.arange(12).reshape(2, 6)
    assert np.shares_memory(vectors, split(vectors, np.array([2, 2, 2])))
    assert np.shares_memory(vectors, joined(split(vectors, np.array([2, 2, 2])), np.array([2] * 3)))
