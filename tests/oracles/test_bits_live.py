"""Maps of additions against live Open MPI: its own choice, and each algorithm with segments.

Each element is computed in the order that the map says, and must have the bits of the library.
Pairs of sizes: where two maps are said to be the same, the library's bits are the same. Numbers of
very different sizes: another order has other bits.
"""

import random

import numpy as np
import pytest
from foreign import Job, random_data
from map_arithmetic import computed
from settings import THOROUGH

from collectives import bits

KINDS = ("all_reduce", "reduce", "reduce_scatter")
NUMBERS = {"all_reduce": range(1, 7), "reduce": range(1, 8), "reduce_scatter": range(1, 5)}
OPERATION = {"all_reduce": "allreduce"}
SEEDS = range(46) if THOROUGH else (0, 9, 385)  # own choices; rings, in segments and not
PAIRS = 11 if THOROUGH else 5  # for each seed: 506 pairs in all
ENOUGH = 64  # elements in another order, of which one at least has other bits
INNER = {("all_reduce", 2), ("reduce_scatter", 1)}  # call a reduce, which chooses for itself


def start(seed):
    """Algorithms asked for, their segment size, and pairs of jobs: the second is another size."""
    rng = random.Random(seed)
    ranks = rng.choice((2, 3, 4, 5, 6, 7, 8, 9, 12) if THOROUGH else (3, 4))
    pins = {kind: rng.choice(NUMBERS[kind]) for kind in KINDS} if seed % 2 else {}
    if INNER & set(pins.items()):
        del pins["reduce"]
    pairs = []
    for _ in range(PAIRS):
        kind = rng.choice(KINDS)
        least = ranks if kind == "reduce_scatter" else 1
        most = 16 if THOROUGH and ranks < 5 else 13
        count, other = (max(int(2 ** rng.uniform(0, most)), least) for _ in range(2))
        dtype, root = rng.choice(("float32", "float64")), rng.randrange(ranks)
        data = random_data(ranks, max(count, other), dtype, rng.randrange(1 << 30))
        root = root if kind == "reduce" else 0
        pairs.append([Job(kind, data[:, :size].copy(), root) for size in (count, other)])
    return pins, rng.choice((0, 64, 1024, 4096)), pairs


def comparison(pair, pins, segment):
    """The maps of two jobs that differ in the size."""
    first, second = pair
    settings = {}
    if first.collective in pins:
        settings = {"algorithm": pins[first.collective], "segment": segment}
    return bits(
        first.collective,
        like="openmpi",
        size=first.data[0].nbytes,
        ranks=len(first.data),
        dtype=first.data.dtype.name,
        root=first.root,
        settings=settings,
        against={"size": second.data[0].nbytes},
    )


def result(job, held):
    """The vector that the library made: the root's, the ranks' parts together, or everyone's."""
    if job.collective == "reduce":
        return held[job.root]
    if job.collective == "reduce_scatter":
        return np.concatenate(held)
    assert all(vector.tobytes() == held[0].tobytes() for vector in held)
    return held[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_element_is_added_as_its_map_says_and_no_same_is_false(seed, open_mpi, tmp_path):
    pins, segment, pairs = start(seed)
    algorithms = {OPERATION.get(kind, kind): number for kind, number in pins.items()}
    more = {f"coll_tuned_{name}_algorithm_segmentsize": str(segment) for name in algorithms}
    jobs = [job for pair in pairs for job in pair]
    answers = iter(open_mpi(algorithms, jobs, tmp_path, more).results)
    for pair in pairs:
        found = comparison(pair, pins, segment)
        made = [result(job, next(answers)) for job in pair]
        for job, one, vector in zip(pair, (found.first, found.second), made, strict=True):
            assert vector.tobytes() == computed(one, job.data).tobytes(), one
        differ = np.zeros(found.common, bool)
        for run in found.differing:
            differ[run.start : run.stop] = True
        one, other = (vector[: found.common].view(np.uint8) for vector in made)
        unlike = (one != other).reshape(found.common, -1).any(axis=1)
        assert not (unlike & ~differ).any(), found
        assert (found.verdict == "same order") == (not differ.any())
        assert unlike.any() or differ.sum() < ENOUGH, found
