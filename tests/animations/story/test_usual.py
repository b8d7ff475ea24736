"""What a picture shows unless something else is asked for: 64 MiB on a machine that people have."""

import pytest
from samples import pairs, title

from animations.scenes import scene
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.usual import usual_machine, usual_names, usual_size

EVERY = pairs((2, 3, 8, 12, 16, 17, 64), 1)


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_every_algorithm_has_a_machine(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    machine = usual_machine(recording)
    lockstep(recording, machine)
    if recording.nodes == ranks and (ranks > 8 or "gpus" not in recording.parameters):
        assert machine.name in (row.home or usual_names(ranks)[0], usual_names(ranks)[0])


@pytest.mark.parametrize(
    ("algorithm", "ranks", "name"),
    [
        ("ring", 8, "hgx-h100"),
        ("ring", 16, "cluster:gpus=8"),
        ("hierarchical", 8, "cluster:gpus=4"),
        ("hierarchical", 16, "cluster:gpus=8"),
        ("nvls", 8, "hgx-h100"),
        ("nvls", 16, "nvl72"),
        ("nvls-tree", 16, "cluster:gpus=4"),
        ("sharp", 16, "switch-tree"),
        ("swing", 8, "ring"),
        ("torus-2d", 16, "torus-2d"),
        ("torus-3d", 8, "torus-3d"),
        ("parameter-server", 8, "crossbar"),
    ],
)
def test_an_algorithm_with_helpers_has_one_that_has_them(algorithm, ranks, name):
    assert usual_machine(record("all_reduce", algorithm, ranks=ranks)).name == name


def test_pictures_of_as_many_ranks_are_of_one_machine():
    """By its full name, with as many GPUs a node, and what it compares with is timed there, too."""
    names = set()
    for name in ("ring", "hierarchical", "recursive-doubling", "leader", "nvls-tree"):
        board = usual_board(record("all_reduce", name, ranks=16))
        names.add(board.setup_times.machine)
        assert board.counters[2].label.startswith("time on cluster:gpus=8")
        assert "gpus 4" not in board.subtitle
    assert names == {"cluster:gpus=8"}
    mine = usual_board(record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 4}))
    assert mine.setup_times.machine == "cluster:gpus=4", "what somebody asks for stays"


@pytest.mark.parametrize(("ranks", "label"), [(8, "1 µs + 450 GB/s"), (16, "2 µs + 50 GB/s")])
def test_servers_are_behind_links_like_those_of_their_neighbors(ranks, label):
    board = usual_board(record("all_reduce", "parameter-server", ranks=ranks))
    assert board.counters[2].label == f"time at {label}"
    assert usual_board(record("all_reduce", "parameter-server", ranks=1)).counters


@pytest.mark.parametrize("chunks", [1, 2, 3, 5, 7, 8, 17, 32, 100, 256, 1024, 4096])
def test_the_usual_size_divides_evenly(chunks):
    size = usual_size(chunks)
    assert 48 << 20 <= size <= 64 << 20
    assert size % (8 * chunks) == 0


def test_a_size_that_was_left_out_is_the_usual_one():
    board = usual_board(record("all_reduce", "ring", ranks=8))
    assert board.subtitle == "8 ranks · 8 chunks · 64 MiB · sum"
    assert board.counters[1].text(14) == "112 MiB / 112 MiB / 112 MiB"
    assert board.counters[2].label.startswith("time on hgx-h100")
    odd = usual_board(record("all_reduce", "ring", ranks=6))
    assert "60 MiB" in odd.subtitle


@pytest.mark.parametrize(("ranks", "size"), [(8, "8 MiB"), (16, "8 MiB"), (24, "7.5 MiB")])
def test_an_algorithm_for_short_vectors_is_shown_with_one(ranks, size):
    board = usual_board(record("all_reduce", "hierarchical", ranks=ranks))
    assert size in board.subtitle and board.size % (ranks << 16) == 0
    faster = [way.seconds > board.setup_times.times[-1] for way in board.trade.others]
    assert faster and all(faster), "where it wins"


def test_a_size_that_was_given_stays():
    for given in ({"count": 32}, {"counts": (4,) * 8}, {"data": [[1] * 32] * 8}):
        board = usual_board(record("all_reduce", "ring", ranks=8, **given))
        assert "256 B" in board.subtitle
    barrier = usual_board(record("barrier", "tree", ranks=4))
    assert barrier.subtitle == "4 ranks"


def test_the_values_of_a_large_vector_are_those_of_a_small_one():
    board = usual_board(record("all_reduce", "ring", ranks=4, dtype="float32", op="max"))
    assert board.subtitle == "4 ranks · 4 chunks · 64 MiB · max"
    assert board.frames[0].transfers[0].values.endswith(" …]")
    assert board.frames[0].transfers[0].size == 16 << 20


def test_scenes_show_the_usual_picture():
    ring = next(row for row in ROWS if row.title == "ring all-reduce")
    made = scene(ring)
    assert "64 MiB" in made.board(object.__new__(made)).subtitle


def test_one_rank_alone_is_shown_too():
    board = usual_board(record("all_reduce", "ring", ranks=1))
    assert (board.frames, board.counters[-1].values) == ((), (0.0,))
