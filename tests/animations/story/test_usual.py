"""What a picture shows unless something else is asked for: 64 MiB on a machine that people have."""

import pytest
from samples import pairs, title

from animations.scenes import scene
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.usual import usual_machine, usual_size

EVERY = pairs((2, 3, 8, 12, 16, 17, 64), 1)


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_every_algorithm_has_a_machine(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    machine = usual_machine(recording)
    lockstep(recording, machine)
    if recording.nodes == ranks:
        within_a_node = ranks <= 8 and recording.parameters.get("gpus", ranks) >= ranks
        assert machine.name == ("hgx-h100" if within_a_node else "cluster")


@pytest.mark.parametrize(
    ("algorithm", "ranks", "name"),
    [
        ("ring", 8, "hgx-h100"),
        ("ring", 16, "cluster"),
        ("hierarchical", 8, "cluster"),
        ("nvls", 8, "hgx-h100"),
        ("nvls", 16, "nvl72"),
        ("nvls-tree", 16, "cluster"),
        ("sharp", 16, "switch-tree"),
        ("parameter-server", 8, "crossbar"),
    ],
)
def test_an_algorithm_with_helpers_has_one_that_has_them(algorithm, ranks, name):
    assert usual_machine(record("all_reduce", algorithm, ranks=ranks)).name == name


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
    assert board.formulas == ("2*(N-1)", "2*(N-1)/N*S"), "chunks are even"
    odd = usual_board(record("all_reduce", "ring", ranks=6))
    assert "60 MiB" in odd.subtitle
    assert odd.as_computed


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
    assert "64 MiB" in made.board(made).subtitle


def test_one_rank_alone_is_shown_too():
    board = usual_board(record("all_reduce", "ring", ranks=1))
    assert (board.frames, board.counters[-1].values) == ((), (0.0,))
