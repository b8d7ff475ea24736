"""What the collectives promise: which (rank, slot) hold what before, and must hold what after."""

import numpy as np
import pytest

from collectives import ROWS, BadInput, record
from collectives.collective import COLLECTIVES, exchange, find_collective, own_cells

BEFORE = {  # collective → whether a slot holds something before; of s chunks on n ranks
    "broadcast": lambda r, s, own, root: r == root,
    "reduce": lambda r, s, own, root: True,
    "all_gather": lambda r, s, own, root: own,
    "reduce_scatter": lambda r, s, own, root: True,
    "all_reduce": lambda r, s, own, root: True,
    "scatter": lambda r, s, own, root: r == root,
    "gather": lambda r, s, own, root: own,
    "scan": lambda r, s, own, root: True,
    "exscan": lambda r, s, own, root: True,
    "barrier": lambda r, s, own, root: True,
    "dispatch": lambda r, s, own, root: own,
    "combine": lambda r, s, own, root: True,
}
AFTER = {  # collective → whether something is promised of a slot after
    "broadcast": lambda r, s, own, root: True,
    "reduce": lambda r, s, own, root: r == root,
    "all_gather": lambda r, s, own, root: True,
    "reduce_scatter": lambda r, s, own, root: own,
    "all_reduce": lambda r, s, own, root: True,
    "scatter": lambda r, s, own, root: own,
    "gather": lambda r, s, own, root: r == root,
    "scan": lambda r, s, own, root: True,
    "exscan": lambda r, s, own, root: r > 0,
    "barrier": lambda r, s, own, root: True,
    "dispatch": lambda r, s, own, root: True,
    "combine": lambda r, s, own, root: own,
}
APART = ("all_to_all", "send_recv")
PAIRS = ((0, 0, 2, 1), (0, 0, 1, 0), (2, 1, 2, 0))


def due(promise, ranks, chunk_count):
    """Each cell of which something is promised, with the contributions that are due there."""
    wanted = promise.required(ranks, chunk_count, 0)
    return {
        (r, s): {(rank, int(wanted.origin[r, s])) for rank in range(first, wanted.end[r, s])}
        for r, s in np.argwhere(promise.postcondition(ranks, chunk_count, 0)).tolist()
        for first in [wanted.first[r, s]]
    }


def test_every_collective_is_tested_here():
    assert {*BEFORE, *APART} == {*AFTER, *APART} == set(COLLECTIVES)


@pytest.mark.parametrize("collective", BEFORE)
def test_promises_are_those_of_mpi(collective):
    promise = find_collective(collective)
    assert not promise.separate_buffers
    for ranks in (1, 2, 5):
        chunk_count, root = 3 * ranks, ranks // 2
        assert promise.promised_slots(chunk_count) == chunk_count
        for cells, expected in (
            (promise.precondition, BEFORE[collective]),
            (promise.postcondition, AFTER[collective]),
        ):
            assert cells(ranks, chunk_count, root).tolist() == [
                [expected(r, s, s // 3 == r, root) for s in range(chunk_count)]
                for r in range(ranks)
            ]


@pytest.mark.parametrize("collective", APART)
def test_what_is_received_lies_apart_from_what_is_sent(collective):
    promise = find_collective(collective)
    for ranks in (1, 2, 5):
        assert promise.separate_buffers and promise.promised_slots(ranks) == 2 * ranks
        sent = [[s < ranks for s in range(2 * ranks)]] * ranks
        assert promise.precondition(ranks, ranks, 0).tolist() == sent
        assert promise.postcondition(ranks, ranks, 0).tolist() == (~np.array(sent)).tolist()


def test_a_scan_sums_the_ranks_up_to_ones_own():
    for ranks in (1, 2, 5):
        assert due(find_collective("scan"), ranks, 2) == {
            (r, s): {(rank, s) for rank in range(r + 1)} for r in range(ranks) for s in range(2)
        }


def test_an_exscan_sums_the_ranks_before_ones_own():
    for ranks in (1, 2, 5):
        assert due(find_collective("exscan"), ranks, 2) == {
            (r, s): {(rank, s) for rank in range(r)} for r in range(1, ranks) for s in range(2)
        }


def test_an_all_to_all_gives_each_rank_the_block_every_rank_has_for_it():
    for ranks in (1, 2, 5):
        assert due(find_collective("all_to_all"), ranks, ranks) == {
            (r, ranks + source): {(source, r)} for r in range(ranks) for source in range(ranks)
        }


def test_an_exchange_promises_its_pairs_and_nothing_else():
    promise = exchange(PAIRS)
    assert promise.precondition(3, 2, 0).tolist() == [[True, True, False, False]] * 3
    assert due(promise, 3, 2) == {(2, 3): {(0, 0)}, (1, 2): {(0, 0)}, (2, 2): {(2, 1)}}
    assert due(exchange([]), 3, 2) == {}


def test_what_sets_collectives_apart_is_no_matter_of_their_names():
    every = COLLECTIVES.items()
    assert [name for name, promise in every if not promise.exactly_once] == ["barrier"]
    assert [name for name, promise in every if not promise.moves_data] == ["barrier"]
    assert [name for name, promise in every if promise.reduces_prefixes] == ["scan", "exscan"]
    assert [name for name, promise in every if promise.in_blocks] == ["all_to_all"]
    assert [name for name, promise in every if promise.paired] == ["send_recv"]


@pytest.mark.parametrize(
    ("promise", "chunk_count", "problem"),
    [
        (find_collective("all_gather"), 5, "try: 6"),
        (find_collective("all_to_all"), 4, "try: 3"),
        (find_collective("send_recv"), 2, "give collective="),
        (exchange([(0, 0, 3, 0)]), 2, "try: 2 for 3"),
        (exchange([(0, 2, 1, 0)]), 2, "try: 1 for 2"),
    ],
)
def test_shapes_that_make_no_sense_are_refused(promise, chunk_count, problem):
    with pytest.raises(BadInput, match=problem):
        promise.check_shape(3, chunk_count)


def test_two_pairs_of_one_destination_are_refused():
    with pytest.raises(BadInput, match="same destination"):
        exchange([(0, 0, 1, 0), (2, 0, 1, 0)])


def test_every_slot_has_one_owner():
    for ranks in range(1, 14):
        for chunk_count in (ranks, 2 * ranks, 7 * ranks):
            assert (own_cells(ranks, chunk_count).sum(axis=0) == 1).all()
            assert (own_cells(ranks, chunk_count).sum(axis=1) == chunk_count // ranks).all()


@pytest.mark.parametrize(
    "pairs", [5, [5], [(0, 1)], [(0.9, 0.5, 1.9, 0)], [(0, 0, "a", 0)], [(0, 0, 1, 0, 0)], None]
)
def test_pairs_that_are_none_are_refused(pairs):
    with pytest.raises(BadInput, match=r"^pairs .*; try: \[\(0, 0, 1, 0\)\]$"):
        exchange(pairs)


@pytest.mark.parametrize(
    ("name", "collective"),
    [
        ("allreduce", "all_reduce"),
        ("ncclAllReduce", "all_reduce"),
        ("MPI_Allreduce", "all_reduce"),
        ("all reduce", "all_reduce"),
        ("all_gather_into_tensor", "all_gather"),
        ("ReduceScatter", "reduce_scatter"),
        ("reduce_scatter_tensor", "reduce_scatter"),
        ("MPI_Reduce_scatter_block", "reduce_scatter"),
        ("alltoall", "all_to_all"),
        ("all_to_all_single", "all_to_all"),
        ("MPI_Bcast", "broadcast"),
        ("sendrecv", "send_recv"),
        ("reduce", "reduce"),
        ("MPI_Exscan", "exscan"),
        ("exclusive scan", "exscan"),
        ("ncclEpDispatch", "dispatch"),
        ("ncclEpCombine", "combine"),
        ("all_to_all_vdev_2d", "dispatch"),
        ("all_to_all_vdev_2d_offset", "combine"),
    ],
)
def test_the_names_of_mpi_nccl_and_torch_are_understood(name, collective):
    assert find_collective(name).name == collective
    algorithm = next(row.algorithm for row in ROWS if row.collective == collective)
    assert record(name, algorithm, ranks=2).collective.name == collective


@pytest.mark.parametrize("name", ["all-redcue", "allreduc", "", "mpi", "all@reduce", "sca"])
def test_other_names_are_refused(name):
    with pytest.raises(BadInput, match="unknown collective"):
        find_collective(name)
