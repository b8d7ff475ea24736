"""Parcels: what travels together is one flight, and every move is in exactly one."""

import pytest
from samples import pairs, title

from animations.story.compose import proved_storyboard
from collectives import record, reduce, send
from collectives.schedule.step import merged


def timed_board(collective, algorithm, ranks):
    """The numbers of transfers and of parcels of each step."""
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    return [(len(frame.transfers), len(frame.parcels)) for frame in board.frames]


def contents(board, step):
    """What each parcel of a step carries, in words."""
    frame = board.frames[step]
    transfers = [[frame.transfers[i] for i in parcel.transfers] for parcel in frame.parcels]
    return [board.labels.contents([m for m in of if m.dst == of[0].dst]) for of in transfers]


EVERY = pairs((2, 3, 5, 8, 16), 1)


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_parcels_part_the_moves_of_each_step(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    for frame in proved_storyboard(recording).frames:
        assert sorted(i for parcel in frame.parcels for i in parcel.transfers) == [
            *range(len(frame.transfers))
        ]
        for parcel in frame.parcels:
            transfers = [frame.transfers[i] for i in parcel.transfers]
            assert {(m.src, m.adds) for m in transfers} == {(parcel.src, parcel.adds)}
            assert len({transfer.source.first for transfer in transfers}) == 1, "one statement"
            slots = {
                dst: [(m.chunk, m.into) for m in transfers if m.dst == dst] for dst in parcel.dsts
            }
            assert sum(map(len, slots.values())) == len(transfers)
            assert len({tuple(some) for some in slots.values()}) == 1, "copies of the same"
            assert len(parcel.dsts) == 1 or parcel.src >= ranks
            assert parcel.is_local == all(transfer.is_local for transfer in transfers)
        ways = [(parcel.src, parcel.dsts, parcel.adds) for parcel in frame.parcels]
        if recording.nodes == ranks:
            assert len(set(ways)) == len(ways), "one flight from one rank to another"


@pytest.mark.parametrize(
    ("algorithm", "ranks", "most"),
    [
        ("hierarchical", 16, (64, 16)),
        ("torus-2d", 16, (64, 16)),
        ("rabenseifner", 8, (32, 8)),
        ("nvls", 8, (144, 25)),
        ("sharp", 16, (40, 25)),
        ("parameter-server", 8, (8, 8)),
    ],
)
def test_what_travels_together_is_one_flight(algorithm, ranks, most):
    assert max(timed_board("all_reduce", algorithm, ranks)) == most


def test_a_switch_sends_one_parcel_that_forks():
    board = proved_storyboard(record("all_reduce", "nvls", ranks=4, chunks=1))
    (parcel,) = board.frames[-1].parcels
    assert (parcel.src, parcel.dsts, parcel.transfers) == (4, (0, 1, 2, 3), tuple(range(16)))
    assert (parcel.adds, contents(board, -1)) == (False, ["chunks 0–3"])
    server = proved_storyboard(record("all_reduce", "parameter-server", ranks=4)).frames[-1]
    assert len(server.parcels) == 4, "a server sends each rank a message of its own"


def test_what_adds_and_what_overwrites_travels_apart():
    empty = merged([reduce(0, 1, 0), send(0, 1, [1, 2])])
    board = proved_storyboard(record([empty], collective="broadcast", ranks=2, slots=3))
    assert contents(board, 0) == ["chunk 0", "chunks 1, 2"]


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ([3], "chunk 3"),
        ([4, 5, 6, 7], "chunks 4–7"),
        ([5, 0, 2], "chunks 0, 2, 5"),
        ([0, 2, 4, 6, 8, 10, 12, 14], "8 chunks"),
    ],
)
def test_a_parcel_says_what_is_in_it(chunks, text):
    steps = [send(0, 1, chunks), send(0, 1, [c for c in range(16) if c not in chunks])]
    board = proved_storyboard(record(steps, collective="broadcast", ranks=2, slots=16))
    assert contents(board, 0) == [text]


def test_blocks_and_scratch_slots_are_counted_or_named():
    bruck = proved_storyboard(record("all_to_all", "bruck", ranks=8))
    assert set(contents(bruck, 1)) == {"4 blocks"}
    pairwise = proved_storyboard(record("all_to_all", "pairwise", ranks=4))
    assert contents(pairwise, 0)[1] == "block 1→2"
    barrier = proved_storyboard(record("barrier", "dissemination", ranks=4))
    assert set(contents(barrier, 0)) == {"news"}
    both = [send(0, 1, [0, 1], [2, 3]), send(1, 1, [2, 3], [0, 1])]
    board = proved_storyboard(record(both, collective="broadcast", ranks=2, slots=2, scratch=2))
    assert [contents(board, step)[0] for step in (0, 1)] == ["chunks 0, 1", "scratch 0, 1"]
