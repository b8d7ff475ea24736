"""Debian's Open MPI, run here: the same bits, and the same bytes and messages between each pair.

The library's own traffic monitor counts what its collectives send. Most algorithms are run
on 5 or on 8 ranks, those of different operations in one start, as a start takes half a second;
the recorded bits have all numbers to 8.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from foreign import Job, random_data
from same import bits, halved, short_tail
from settings import THOROUGH

from collectives import record


class Case(NamedTuple):
    """An algorithm of Open MPI (setting coll_tuned_…_algorithm) and the catalog's row."""

    operation: str
    number: int
    collective: str
    row: str
    ranks: tuple[int, ...] = (3, 5, 8)
    pairs: str = "all"  # for which numbers of ranks the traffic is the same, too
    within: tuple[tuple[str, int], ...] = ()  # algorithms of what it calls, else of its choice


SUMS = [
    Case("allreduce", 1, "all_reduce", "linear", (5,)),
    Case("allreduce", 3, "all_reduce", "recursive-doubling"),
    Case("allreduce", 4, "all_reduce", "textbook-ring", (5,)),
    Case("allreduce", 5, "all_reduce", "textbook-ring", (5,)),
    Case("allreduce", 6, "all_reduce", "half-fold", (3, 5, 6)),
    Case("allreduce", 6, "all_reduce", "rabenseifner", (8,), pairs="powers of two"),
    Case("reduce", 1, "reduce", "linear", (5,)),
    Case("reduce", 2, "reduce", "chains", (7,)),
    Case("reduce", 3, "reduce", "ring", (8,)),
    Case("reduce", 4, "reduce", "binary-tree", (5,)),
    Case("reduce", 5, "reduce", "tree", (8,)),
    Case("reduce", 6, "reduce", "in-order-tree", (2, 5, 7)),
    Case("reduce", 7, "reduce", "half-fold", (3, 5, 6)),
    # for other numbers its pairs fold by halves: the same sums, other traffic
    Case("reduce", 7, "reduce", "rabenseifner", pairs="powers of two"),
    Case("reduce_scatter", 2, "reduce_scatter", "recursive-halving"),
    Case("reduce_scatter", 1, "reduce_scatter", "non-overlapping", (5, 8), within=(("reduce", 5),)),
    Case("reduce_scatter", 4, "reduce_scatter", "butterfly", (5, 6, 8)),
    Case("reduce_scatter", 3, "reduce_scatter", "ring", (5,)),
    Case("scan", 1, "scan", "chain", (5,)),
    Case("scan", 2, "scan", "recursive-doubling"),
    Case("exscan", 1, "exscan", "chain", (5,)),
    Case("exscan", 2, "exscan", "recursive-doubling"),
]
MOVES = [
    Case("bcast", 1, "broadcast", "flat", (5,)),
    Case("bcast", 2, "broadcast", "chains", (7,)),
    Case("bcast", 3, "broadcast", "ring", (5,)),
    Case("bcast", 4, "broadcast", "split-binary", (8,)),
    Case("bcast", 5, "broadcast", "binary-tree", (8,)),
    Case("bcast", 6, "broadcast", "doubling-tree", (5, 8)),
    Case("bcast", 7, "broadcast", "knomial", (8,)),
    Case("bcast", 8, "broadcast", "scatter-doubling", (8,)),
    Case("bcast", 9, "broadcast", "van-de-geijn", (5,)),
    Case("gather", 1, "gather", "flat", (5,)),
    Case("scatter", 1, "scatter", "flat", (5,)),
    Case("scatter", 3, "scatter", "flat", (8,)),
    Case("allgather", 6, "all_gather", "recursive-doubling", (2,)),
    # its monitor does not count the persistent requests that this one starts
    Case("alltoall", 1, "all_to_all", "flat", (5,), pairs="none"),
    Case("alltoall", 5, "all_to_all", "pairwise", (2,)),
    Case("gather", 2, "gather", "tree", (5,)),
    Case("scatter", 2, "scatter", "tree", (8,)),
    Case("allgather", 2, "all_gather", "bruck", (5,)),
    Case("allgather", 3, "all_gather", "recursive-doubling", (8,)),
    Case("allgather", 4, "all_gather", "ring", (5,)),
    Case("allgather", 5, "all_gather", "neighbor-exchange", (8,)),
    Case("alltoall", 2, "all_to_all", "pairwise", (5,)),
    Case("alltoall", 3, "all_to_all", "bruck", (8,)),
    Case("barrier", 1, "barrier", "linear", (5,)),
    Case("barrier", 3, "barrier", "tail-fold", (7, 5, 6)),
    Case("barrier", 4, "barrier", "dissemination", (5,)),
    Case("barrier", 6, "barrier", "tree", (8,)),
]
UNSEGMENTED = {  # chunks of rows that pipeline
    "chains": 1,
    "ring": 1,
    "binary-tree": 1,
    "in-order-tree": 1,
    "split-binary": 2,
}
ROOTED = ("reduce", "broadcast", "gather", "scatter")
OWN_BLOCK = ("gather", "all_gather")  # of which MPI's buffers hold no more
UNEVEN = ("all_reduce", "reduce", "reduce_scatter", "scan", "exscan", "broadcast")


def jobs(collective, ranks):
    """A few vectors: even and not, of both kinds of floats, at two roots."""
    if collective == "barrier":
        return [Job("barrier", random_data(ranks, 1, "float32"))]
    even, other = 4 * ranks, 6 * ranks + (3 if collective in UNEVEN else 0)
    share = ranks if collective in OWN_BLOCK else 1
    root = ranks - 2 if collective in ROOTED else 0
    return [
        Job(collective, random_data(ranks, even // share, "float32")),
        Job(collective, random_data(ranks, other // share, "float64"), root),
        Job(collective, random_data(ranks, other // share, "float32", seed=2), root),
    ]


def is_power(ranks):
    return ranks & (ranks - 1) == 0


def chunk_sizes(case, count, ranks, root):
    """Elements of each chunk, where they are not cut as everywhere else."""
    if case.row == "scatter-doubling":
        return short_tail(count, ranks)
    if case.row == "van-de-geijn":
        return np.roll(short_tail(count, ranks), root).tolist()  # the root's own is the first
    if case.row == "half-fold" or (case.pairs != "all" and is_power(ranks)):
        return halved(count, 1 << ranks.bit_length() - 1)
    return None


def recording(case, job):
    """The catalog's row on the same data; unsegmented, as the library is here."""
    ranks = len(job.data)
    if case.collective == "barrier":
        return record("barrier", case.row, ranks=ranks, count=0)
    pipelined = case.collective in ("reduce", "broadcast")
    return record(
        case.collective,
        case.row,
        ranks=ranks,
        root=job.root,
        data=job.data,
        chunks=UNSEGMENTED.get(case.row) if pipelined else None,
        counts=chunk_sizes(case, job.data.shape[1], ranks, job.root),
    )


def same_traffic(case, ranks):
    """Whether the case is said to send the same bytes between the same pairs."""
    return case.pairs == "all" or (case.pairs == "powers of two" and is_power(ranks))


def batches():
    """Cases that can share a start of so many ranks: one algorithm of each operation at most.

    All of a batch have the same traffic as the library, or none is said to. THOROUGH starts
    every case by itself.
    """
    found = []
    for case in SUMS + MOVES:
        for ranks in case.ranks if THOROUGH else case.ranks[-2:]:
            wanted = {case.operation: case.number, **dict(case.within)}
            for batch in () if THOROUGH else found:
                free = all(batch.algorithms.get(one, n) == n for one, n in wanted.items())
                alike = same_traffic(case, ranks) == same_traffic(batch.cases[0], ranks)
                if batch.ranks == ranks and alike and free:
                    batch.algorithms.update(wanted)
                    batch.cases.append(case)
                    break
            else:
                found.append(Batch(ranks, wanted, [case]))
    return found


class Batch(NamedTuple):
    """Cases that one start of the library runs, with the algorithms that it is given."""

    ranks: int
    algorithms: dict[str, int]
    cases: list[Case]

    def __str__(self):
        return "-".join(
            (str(self.ranks), *(f"{case.operation}{case.number}" for case in self.cases))
        )


@pytest.mark.parametrize("batch", batches(), ids=str)
def test_open_mpi_does_the_same(batch, open_mpi, tmp_path):
    """The traffic of a batch is counted together."""
    given = [(case, job) for case in batch.cases for job in jobs(case.collective, batch.ranks)]
    answer = open_mpi(batch.algorithms, [job for _, job in given], tmp_path)
    recordings = [recording(case, job) for case, job in given]
    for (case, _), ours, theirs in zip(given, recordings, answer.results, strict=True):
        assert case.collective == "barrier" or bits(ours.result()) == bits(theirs), case
    if same_traffic(batch.cases[0], batch.ranks):
        sent, messages = Counter(), Counter()
        for ours in recordings:
            counted = ours.counters
            sent.update(counted.link_bytes)
            links = map(tuple, counted.links.tolist())
            messages.update(dict(zip(links, counted.messages_by_link.tolist(), strict=True)))
        assert {link: (sent[link], messages[link]) for link in messages} == answer.traffic
