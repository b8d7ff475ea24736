"""A storyboard is the recording in other words: cells, moves, bytes, captions, phases."""

import pickle
from dataclasses import fields

import numpy as np
import pytest
from samples import pairs, sample, title
from settings import SOME_ROWS, THOROUGH, taken

from animations.drawing.theme import DARK
from animations.phrases import phrases
from animations.pictures.step import still
from animations.score.score import Keyframe
from animations.story.compose import proved_storyboard, storyboard
from animations.story.storyboard import MOST_LETTERS
from animations.story.transfers import Cell
from animations.story.usual import usual_board
from collectives import ROWS, BadInput, Recording, WrongSchedule, record, reduce, send
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology_for
from collectives.proof.prove import Verdict
from collectives.schedule.step import rows

MOST = 4 if THOROUGH else 2  # numbers of ranks that a row is tried on


def test_changed_cells_add_up_to_the_recorded_states():
    recording = record("all_reduce", "tree", ranks=6)
    board = proved_storyboard(recording)
    for step in range(len(recording.steps) + 1):
        times = recording.state(step).times
        for (node, slot), cell in board.cells(step).items():
            assert cell.held == tuple(times[node, slot].nonzero()[0])
            assert cell.labels == (), "all data lies where it came from"
        empty = {(n, s) for n in range(6) for s in range(1)} - set(board.cells(step))
        assert all(not times[at].any() for at in empty)


def test_a_frame_holds_only_cells_that_changed():
    board = proved_storyboard(record("broadcast", "tree", ranks=8))
    assert [len(frame.cells) for frame in board.frames] == [1, 2, 4]


def test_moves_are_the_transfers_with_what_they_carry():
    recording = record("reduce_scatter", "ring", ranks=5)
    for number, frame in enumerate(proved_storyboard(recording).frames, 1):
        step, before = recording.steps[number - 1], recording.state(number - 1).times
        assert [(m.src, m.dst, m.chunk, m.into, 1, m.adds) for m in frame.transfers] == list(
            rows(step)
        )
        for transfer in frame.transfers:
            assert transfer.cell.held == tuple(before[transfer.src, transfer.chunk].nonzero()[0])


def test_bytes_sent_end_as_counted():
    recording = record("all_gather", "tree", ranks=7, count=30)
    assert list(proved_storyboard(recording).frames[-1].sent) == recording.bytes_sent


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "sentence"),
    [
        ("reduce", "flat", 3, "rank 0 adds the vector from ranks 1, 2"),
        ("all_reduce", "nvls", 8, "switch 0 adds chunks 0–7 from all ranks"),
        ("all_reduce", "ring", 4, "rank 1 adds chunk 3 from rank 0"),
        ("broadcast", "tree", 2, "rank 0 sends the vector to rank 1"),
    ],
)
def test_the_sentence_names_a_transfer_that_happens(collective, algorithm, ranks, sentence):
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    assert board.sentence(1).partition(" (")[0].endswith(sentence)


@pytest.mark.parametrize(("row", "ranks"), pairs((3, 8), 2), ids=title)
def test_who_adds_to_a_cell_is_named_whole(row, ranks):
    """That a sum is there after a step is never said of one of several who make it."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    for frame in board.frames:
        target = frame.example.dst, frame.example.into
        into = {m.src for m in frame.transfers if (m.dst, m.into) == target and not m.is_local}
        if (
            board.labels.moves_data
            and frame.example.adds
            and "data)" in board.sentence(frame.number)
        ):
            assert set(frame.senders or [frame.example.src]) == into, (row.title, frame.number)


def test_a_sentence_says_whose_data_is_then_in_the_cell():
    steps = [reduce(1, 0), reduce(2, 0), send(0, [1, 2])]
    board = proved_storyboard(record(steps, collective="all_reduce", ranks=3, slots=1))
    assert [board.sentence(number) for number in (1, 2, 3)] == [
        "rank 0 adds the vector from rank 1 (2 ranks' data)",
        "rank 0 adds the vector from rank 2 (all ranks' data)",
        "rank 0 sends the vector to rank 1",
    ]
    folded = proved_storyboard(record("all_reduce", "ring", ranks=17))
    assert "(" not in folded.sentence(16)  # of a cell that several chunks share
    large = proved_storyboard(record("all_reduce", "ring", ranks=65))
    assert large.sentence(64).endswith("(complete)")
    assert "(" not in large.sentence(15)


def test_a_verdict_that_does_not_say_where_it_is_wrong_is_not_drawn():
    recording = record("broadcast", "ring", ranks=3)
    timing = lockstep(recording, topology_for(recording, "crossbar"))
    with pytest.raises(WrongSchedule, match="no proof"):
        storyboard(recording, verdict=Verdict(False, "no proof"), timing=timing)


def test_a_storyboard_takes_its_verdict_and_its_timing(monkeypatch):
    recording = record("broadcast", "ring", ranks=3)
    machine = topology_for(recording, "ring", latency="7us")
    timing, board = lockstep(recording, machine), proved_storyboard(recording, machine)

    def refuse(*_):
        raise AssertionError("it proves or times by itself")

    monkeypatch.setattr(Recording, "check", refuse)
    monkeypatch.setattr("animations.story.compose.timed_as_run", refuse)
    drawn = storyboard(recording, verdict=Verdict(True, ""), timing=timing)
    assert drawn.counters == board.counters
    assert drawn.counters[2].values == (0.0, *timing.step_end)


def test_each_move_has_the_line_that_made_it():
    recording = record("all_reduce", "double-binary-tree", ranks=8)
    several = 0
    for frame, step in zip(proved_storyboard(recording).frames, recording.steps, strict=True):
        step = step.unrolled()
        for transfer, origin in zip(frame.transfers, step.origin.tolist(), strict=True):
            inner = step.stamps[origin][-1]
            text = inner.source.lines[inner.line - inner.source.first].strip()
            assert transfer.source.function == inner.source.function
            assert text in (line.strip() for line in transfer.source.text[transfer.source.first :])
            assert transfer.source.locals == inner.locals
        assert frame.source == frame.example.source
        several += len({transfer.source for transfer in frame.transfers}) > 1
    assert several, "both trees are at work in one step"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"ranks": 1025}, "1025 ranks: the picture shows 1 to 1024"),
        ({"ranks": 2, "chunks": 1025}, "1025 chunks: the picture shows 1 to 1024"),
    ],
)
def test_what_does_not_fit_is_refused(words, problem):
    with pytest.raises(BadInput, match=problem):
        proved_storyboard(record("broadcast", "ring", **words))


def test_data_from_another_slot_says_where_it_came_from():
    detour = [send(0, 1, chunk=0, into=1), send(1, 1, chunk=1, into=0), send(0, 1, chunk=1)]
    board = proved_storyboard(record(detour, collective="broadcast", ranks=2, slots=2))
    chunks = [frame.cells for frame in board.frames]
    assert chunks == [{(1, 1): Cell((0,))}, {(1, 0): Cell((0,))}, {(1, 1): Cell((1,))}]
    assert board.sentence(1) == "rank 0 sends chunk 0 to chunk 1 of rank 1"
    assert board.sentence(2) == "rank 1 copies chunk 1 to chunk 0"
    kept = [send(0, 1, 0, into=2), send(1, 1, 2, into=0), send(1, 0, 1)]
    board = proved_storyboard(record(kept, collective="all_gather", ranks=2, slots=2, scratch=1))
    assert board.frames[0].cells == {(1, 2): Cell((0,), ("c0",))}
    assert board.frames[1].cells == {(1, 0): Cell((0,))}


@pytest.mark.parametrize(
    ("algorithm", "ranks"), [("pairwise", 5), ("bruck", 4), ("hierarchical", 6)]
)
def test_blocks_say_whose_they_are_and_for_whom(algorithm, ranks):
    recording = record("all_to_all", algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    assert board.view.name == "blocks"
    for step in range(len(recording.steps) + 1):
        state, cells = recording.state(step), board.cells(step)
        assert set(cells) == {(int(n), int(s)) for n, s in np.argwhere(state.full)}
        for at, cell in cells.items():
            (rank,) = cell.held
            assert cell.labels == (f"{rank}→{int(state.origin[at][rank])}",)
    ends = [board.cells(len(board.frames))[2, ranks + rank].labels[0] for rank in range(ranks)]
    assert ends == [f"{rank}→2" for rank in range(ranks)], "a column of what was sent"


def test_steps_in_place_are_shown_but_not_counted():
    schedule = [reduce(0, 1), send(1, 1), send(1, 0)]
    board = proved_storyboard(record(schedule, collective="all_reduce", ranks=2, slots=1))
    assert (len(board.frames), board.steps) == (3, 2)
    steps, sent, time = board.counters
    assert (steps.values, sent.values) == ((0, 1, 1, 2), (0, 32, 32, 32))
    assert time.values[1] == time.values[2] == time.values[3] / 2
    assert [board.captions[number].partition(" — ")[0] for number in (1, 2, 3)] == [
        "Step 1 of 3",
        "Step 2 of 3, in place",
        "Step 3 of 3",
    ]
    assert board.frames[1].sent == board.frames[0].sent


def test_numbers_of_steps_differ_from_their_count_only_where_it_is_said():
    """In the caption of the start, of each step in place, and beside the counter."""
    differ = 0
    every = [(row, ranks) for row in ROWS for ranks in sample(row, (1, 2, 3, 8), MOST)]
    for row, ranks in every:
        board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
        counted, last = board.counters[0].values[-1], len(board.frames)
        start, *steps = board.captions
        assert all(f"Step {k} of {last}" in text for k, text in enumerate(steps, 1)), row.title
        assert sum(", in place — " in text for text in steps) == last - counted
        assert start.endswith(f"{last - counted} in place") == (counted < last)
        assert board.counters[0].label.startswith("steps that send") == (counted < last)
        differ += counted < last
    assert differ > 20
    assert (
        "GPU: 3 steps and 1 in place"
        in proved_storyboard(record("all_to_all", "bruck", ranks=8)).captions[0]
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_first_sentence_says_why_anybody_needs_a_collective(language):
    """Of a sum where it is a sum, of several ranks; a collective without words has its goal."""
    say, seen = phrases(language), set()
    for row in SOME_ROWS:
        recording = record(row.collective, row.algorithm, ranks=taken(row, 4, 8))
        board = proved_storyboard(recording, language=language)
        own = f"needs.{row.algorithm.replace('-', '_')}"
        assert board.need == say(own if own in say.patterns else f"needs.{row.collective}")
        assert board.captions[0].startswith(board.need.removesuffix("."))
        assert len(board.need.split()) <= say.most_words
        seen.add(board.need)
    assert len(seen) >= len({row.collective for row in SOME_ROWS})
    assert not proved_storyboard(record("all_reduce", "ring", ranks=4, op="max")).need
    assert not proved_storyboard(record("all_reduce", "ring", ranks=1)).need


def test_counters_are_those_of_the_recording():
    for row, ranks in pairs([1, 4, 5, 7, 8, 12]):
        recording = record(row.collective, row.algorithm, ranks=ranks)
        board = proved_storyboard(recording)
        steps, busiest, _ = board.counters
        assert steps.values[-1] == recording.counters.steps, row.title
        if row.collective != "barrier":
            assert busiest.values[-1] == recording.bytes_busiest_port, row.title
            assert busiest.bound in (None, recording.bound.busiest_port), row.title
            assert not board.frames or list(board.frames[-1].sent) == recording.bytes_sent
        else:
            messages = recording.counters.messages_sent
            received = recording.counters.messages_received
            assert busiest.values[-1] == max(*messages, *received), row.title
            assert not board.frames or list(board.frames[-1].sent) == messages.tolist()


def test_the_busiest_port_is_that_of_a_root_or_a_server():
    flat, server = (
        proved_storyboard(record(*names, ranks=4))
        for names in (("reduce", "flat"), ("all_reduce", "parameter-server"))
    )
    assert flat.counters[1].text(1) == "96 B / 96 B / 32 B"
    assert server.counters[1].text(1) == "128 B / 128 B"


def test_what_goes_to_two_slots_of_a_rank_is_sent_once():
    board = proved_storyboard(record("all_reduce", "bar-noy", ranks=5))
    assert len(board.scenery.cards[0].shape.cells) == 2
    assert [frame.sent for frame in board.frames] == [(32 * k,) * 5 for k in (1, 2, 3)]
    assert board.sentence(2).endswith("rank 1 adds scratch 0 from rank 0 into 2 slots")


def test_a_barrier_tells_who_has_been_heard_of():
    board = proved_storyboard(record("barrier", "dissemination", ranks=5))
    assert board.frames[-1].cells[0, 0] == Cell((0, 1, 2, 3, 4))
    assert board.sentence(1).endswith(": rank 0 tells rank 1")
    assert board.subtitle == "5 ranks"
    assert {transfer.values for frame in board.frames for transfer in frame.transfers} == {""}
    assert [tally.text(2) for tally in board.counters] == [
        "2 / 3 / 3",
        "2 / 3 / –",
        "10 µs / 15 µs / 15 µs",
    ]
    assert board.amount(board.frames[-1].sent[0]) == "3 messages"


def test_data_held_twice_says_so():
    doubled = [reduce(0, 1, into=1), reduce(0, 1, into=1), send(0, 1)]
    recording = record(doubled, collective="broadcast", ranks=2, slots=1, scratch=1)
    board = proved_storyboard(recording)
    assert [board.cells(step).get((1, 1)) for step in (1, 2)] == [
        Cell((0,)),
        Cell((0,), ("0×2",)),
    ]
    assert board.wrong is None


def test_received_data_is_named_by_its_chunk():
    board = proved_storyboard(record("send_recv", "halo-exchange", ranks=4))
    assert board.cells(1)[3, 3] == Cell((0,), ("c0",))
    assert [board.labels.short(slot) for slot in range(4)] == ["c0", "c1", "r0", "r1"]
    assert board.sentence(1).endswith("rank 1 sends chunk 0 to rank 0")  # side by side


@pytest.mark.parametrize(("op", "word"), [("max", "maximum"), ("prod", "product")])
def test_the_promise_names_the_operation(op, word):
    board = proved_storyboard(record("all_reduce", "ring", ranks=3, op=op))
    assert board.promise == f"Every rank ends with the {word} over all ranks"
    assert board.ending == f"{board.promise} — proved"


def test_switches_have_names_and_no_bounds():
    steps = [reduce([0, 1], 2), send(2, [0, 1])]
    board = proved_storyboard(record(steps, collective="all_reduce", ranks=2, nodes=3, slots=1))
    assert board.subtitle == "2 ranks · 1 switch · 1 chunk · 32 B · sum"
    assert board.cells(1)[2, 0] == Cell((0, 1))
    assert board.sentence(2) == "switch 0 sends the vector to all ranks"
    assert board.heading == "now / this algorithm (no bound with switches)"
    assert [(tally.label, tally.text(1), tally.bound) for tally in board.counters] == [
        ("steps", "1 / 2", None),
        ("through the busiest port", "32 B / 32 B", None),
        ("time at 5 µs + 50 GB/s", "5 µs / 10 µs", None),
    ]
    assert board.frames[1].sent == (32, 32, 64)


def test_a_node_is_a_server_where_the_algorithm_says_so():
    board = proved_storyboard(record("all_reduce", "parameter-server", ranks=3))
    assert board.labels.node(3) == "server 0"
    assert board.heading.endswith("(no bound with servers)")


def test_captions_name_one_of_several_lines_where_all_are_too_many():
    for row, ranks in pairs([4, 8]):
        board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
        for number in range(1, len(board.frames) + 1):
            assert len(board.sentence(number)) <= MOST_LETTERS, row.title


def test_a_film_of_days_is_refused():
    idle = [send(0, 0)] * 2049
    recording = record(idle, collective="all_reduce", ranks=1, slots=1)
    with pytest.raises(BadInput, match="2049 steps: a picture shows up to 2048"):
        proved_storyboard(recording)


def test_what_only_a_page_shows_is_made_when_it_asks():
    board = usual_board(record("all_reduce", "ring", ranks=4))
    assert still(board, Keyframe(3), DARK)
    unmade = [getattr(board, each.name) for each in fields(board) if "when_asked" in each.name]
    assert len(unmade) == 8 and not any("value" in vars(each) for each in unmade)
    copied = pickle.loads(pickle.dumps(board))
    assert copied.trade == board.trade and board.trade.others
    assert copied.task == board.task and copied.times == board.times and len(board.times) == 2
