import numpy as np
import pytest

from collectives.chunking import chunk_bounds, chunk_sizes, joined, split


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
    assert chunk_bounds(count, slots).tolist() == [sum(sizes[:k]) for k in range(slots + 1)]


@pytest.mark.parametrize("count", range(12))
@pytest.mark.parametrize("slots", [1, 2, 5, 7])
def test_joined_undoes_split(count, slots):
    vectors = np.arange(1, 3 * count + 1).reshape(3, count)
    chunks = split(vectors, slots)
    assert np.array_equal(joined(chunks, count), vectors)
    for slot, chunk in enumerate(np.array_split(vectors, slots, axis=1)):
        size = chunk.shape[1]
        assert np.array_equal(chunks[:, slot, :size], chunk)
        assert (chunks[:, slot, size:] == 0).all()


def test_equal_chunks_are_a_view():
    vectors = np.zeros((2, 6))
    assert np.shares_memory(split(vectors, 3), vectors)
    assert not np.shares_memory(split(vectors, 4), vectors)
