"""A storyboard is the recording in other words: cells, moves, bytes, captions, phases."""

import pytest

from animations.storyboard import storyboard
from collectives import BadInput, WrongSchedule, record, reduce, send
from collectives.schedule.step import rows


def test_changed_cells_add_up_to_the_recorded_states():
    recording = record("all_reduce", "tree", ranks=6)
    board = storyboard(recording)
    for step in range(len(recording.steps) + 1):
        times = recording.state(step).times
        for (node, slot), cell in board.cells(step).items():
            assert cell == tuple(times[node, slot].nonzero()[0])
        empty = {(n, s) for n in range(6) for s in range(1)} - set(board.cells(step))
        assert all(not times[at].any() for at in empty)


def test_a_frame_holds_only_cells_that_changed():
    board = storyboard(record("broadcast", "tree", ranks=8))
    assert [len(frame.cells) for frame in board.frames] == [1, 2, 4]


def test_moves_are_the_transfers_with_what_they_carry():
    recording = record("reduce_scatter", "ring", ranks=5)
    for number, frame in enumerate(storyboard(recording).frames, 1):
        step, before = recording.steps[number - 1], recording.state(number - 1).times
        assert [(m.src, m.dst, m.chunk, m.into, 1, m.adds) for m in frame.moves] == list(rows(step))
        assert all(m.cell == tuple(before[m.src, m.chunk].nonzero()[0]) for m in frame.moves)


def test_bytes_sent_end_as_counted():
    recording = record("all_gather", "tree", ranks=7, count=30)
    assert list(storyboard(recording).frames[-1].sent) == recording.bytes_sent


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "sentence"),
    [
        ("reduce", "flat", 3, "rank 1 adds chunk 0 into rank 0, …"),
        ("broadcast", "tree", 2, "rank 0 sends chunk 0 to rank 1"),
    ],
)
def test_the_sentence_names_a_transfer_that_happens(collective, algorithm, ranks, sentence):
    board = storyboard(record(collective, algorithm, ranks=ranks))
    assert board.sentence(1).endswith(sentence)


def test_a_wrong_algorithm_is_not_drawn():
    lost = [send(0, 1)]
    recording = record(lost, collective="broadcast", ranks=3, slots=1)
    with pytest.raises(WrongSchedule, match="rank 2, slot 0"):
        storyboard(recording)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"ranks": 257}, "257 ranks: the picture shows 1 to 256"),
        ({"ranks": 2, "chunks": 257}, "257 chunks: the picture shows 1 to 256"),
    ],
)
def test_what_does_not_fit_is_refused(words, problem):
    with pytest.raises(BadInput, match=problem):
        storyboard(record("broadcast", "ring", **words))


def test_data_from_another_slot_is_not_drawn_as_if_it_belonged_there():
    detour = [send(0, 1, chunk=0, into=1), send(1, 1, chunk=1, into=0), send(0, 1, chunk=1)]
    recording = record(detour, collective="broadcast", ranks=2, slots=2)
    assert recording.check()
    with pytest.raises(BadInput, match="slot 1 of rank 1 holds data of rank 0"):
        storyboard(recording)


def test_local_moves_are_drawn_but_send_no_bytes_and_take_no_latency():
    schedule = [reduce(0, 1), send(1, 1), send(1, 0)]
    board = storyboard(record(schedule, collective="all_reduce", ranks=2, slots=1))
    assert [board.latency(step) for step in range(4)] == [0, 1, 1, 2]
    assert [len(frame.moves) for frame in board.frames] == [1, 1, 1]
    assert board.frames[1].sent == board.frames[0].sent


@pytest.mark.parametrize(("op", "word"), [("max", "maximum"), ("prod", "product")])
def test_the_promise_names_the_operation(op, word):
    board = storyboard(record("all_reduce", "ring", ranks=3, op=op))
    assert board.promise == f"Every rank ends with the {word} over all ranks"
    assert board.ending == f"{board.promise} — proved"


def test_switches_are_not_drawn_as_ranks():
    steps = [reduce([0, 1], 2), send(2, [0, 1])]
    recording = record(steps, collective="all_reduce", ranks=2, nodes=3, slots=1)
    assert recording.check()
    with pytest.raises(BadInput, match="switches"):
        storyboard(recording)


def test_a_film_of_days_is_refused():
    idle = [send(0, 0)] * 2001
    recording = record(idle, collective="all_reduce", ranks=1, slots=1)
    with pytest.raises(BadInput, match="2001 steps: a picture shows up to 2000"):
        storyboard(recording)
