"""Wrong schedules are drawn until that is seen; every still says so, and films in the end."""

import io

import numpy as np
import pytest
from interpreter import start as started
from interpreter import states
from mistakes import FUNCTIONS, recorded
from msccl_programs import program
from PIL import Image, ImageColor
from settings import THOROUGH, sampled

from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.figures.still import figure
from animations.pictures.panels import fixed_boxes, fixed_text, keyframe_boxes, keyframe_text
from animations.player.pack.data import story
from animations.player.snapshot import png
from animations.score.score import Keyframe
from animations.score.story import story as beats
from animations.story.clock_words import under_way_text
from animations.story.compose import proved_storyboard
from animations.story.timed_board import timed_board_of
from animations.story.usual import usual_board
from animations.story.wrong import Attempt, with_steps
from collectives import WrongSchedule, record, reduce, send
from collectives.cost.clocks.clock import dataflow
from collectives.cost.machines import topology
from collectives.formats.msccl import recording_of
from collectives.formats.msccl.program import parse_program
from collectives.proof.first_wrong import first_wrong

SOME = [
    "add_for_copy_all_reduce",  # doubled
    "missed_fold_all_reduce",  # lost
    "swapped_blocks_all_to_all",  # foreign
    "root_mix_up_reduce",  # at the end
    "two_writers_all_gather",
    "empty_read_broadcast",
    "forgotten_yield_from_broadcast",
]
TRIED = list(FUNCTIONS) if THOROUGH else SOME


@pytest.fixture(scope="module", autouse=True)
def soon_endless():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)
        yield


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_mistake_is_drawn_to_its_first_wrong_step(name):
    recording = recorded(name)
    wrong, board = first_wrong(recording), usual_board(recording)
    assert board.wrong.step == wrong.step
    attempted = wrong.attempted is not None
    assert len(board.frames) == len(wrong.recording.steps) + attempted
    assert board.title == f"Wrong: {name}" and board.wrong.band.startswith("WRONG — ")
    assert board.wrong.text == str(recording.check())
    assert board.captions[-1].endswith(wrong.sentence)
    assert len(board.captions) == len(board.frames) + 1
    told = [board.title, board.subtitle, board.ending, board.wrong.band, *board.captions]
    assert not any(word in " ".join(told) for word in ("proved", "complete", " of 1", "bound"))
    cells = {tuple(cell) for cell in zip(*recording.precondition.nonzero(), strict=True)}
    held = states(started((int(r), int(s)) for r, s in cells), wrong.recording.steps)
    for (node, slot), content in held[-1].items():
        shown = board.cells(len(board.frames))[node, slot]
        assert len(shown.held) == len({rank for rank, _ in content}) or board.view.name == "chunks"
    for fault in wrong.faults:
        around = board.scenery.cell(*fault.cell)
        boxes = [(box, crossed) for box, crossed, _ in board.wrong.outlines]
        inside = [(box, crossed) for box, crossed in boxes if box.overlaps(around, -2)]
        assert inside and any(c for _, c in inside) == (fault.kind in ("lost", "empty"))


def test_what_is_there_twice_says_how_often():
    board = usual_board(recorded("add_for_copy_all_reduce"))
    assert board.cells(2)[0, 1].labels == ("0×2", "")
    assert board.frames[1].example.dst == 0 and board.frames[1].example.into == 1
    for other in (1, 2):  # with chunk 2 the mean of both is the number of a chunk that did not move
        both = record([reduce(0, 1, [0, other], 0)], collective="reduce", ranks=2, root=1, slots=3)
        assert proved_storyboard(both).cells(1)[1, 0].labels == ("0×2", ""), "from different slots"


def test_a_refused_step_changes_nothing():
    board = usual_board(recorded("empty_read_broadcast"))
    assert [len(frame.transfers) for frame in board.frames] == [2]
    assert board.frames[0].cells == {} and board.frames[0].sent == (0, 0, 0, 0)
    assert board.cells(1) == board.cells(0)
    assert board.counters[0].values == (0, 0)
    assert board.frames[0].example.src == 2, "the caption's example is what is wrong"


@pytest.mark.parametrize(
    ("second", "slots", "cell", "sentence"),
    [
        (send(0, 4), 1, "rank 0", "node 4 does not exist"),
        (send(0, 1, chunk=0, into=7), 2, "chunk 0 of rank 0", "slot 7 does not exist"),
    ],
)
def test_of_a_cell_that_goes_nowhere_that_is_said_not_that_its_partner_is_missing(
    second, slots, cell, sentence
):
    """The partner may be there, without such a slot."""
    with pytest.raises(WrongSchedule) as raised:
        record([send(0, 1), second], collective="broadcast", ranks=4, slots=slots)
    board = proved_storyboard(raised.value.recording)
    assert board.wrong.named == f"{cell} goes to or from a place that does not exist"
    assert board.wrong.sentence == sentence


def test_a_sum_that_has_data_twice_is_not_said_to_be_the_sum_of_all():
    steps = [reduce(2, 1), reduce(1, 0), reduce(1, 0)]
    board = proved_storyboard(record(steps, collective="reduce", ranks=3, slots=1))
    said = [beat.said for beat in beats(board)]
    assert sum("the sum of all 3" in sentence for sentence in said) == 1
    assert "Rank 0 adds the vector from rank 1." in said


@pytest.mark.parametrize("name", ["empty_read_broadcast", "endless_broadcast"])
def test_modeled_time_ends_with_the_diagnosis(name):
    machine = topology("crossbar", recorded(name).ranks)
    board = usual_board(recorded(name), machine, time=lambda it: [dataflow(it, machine)])
    found = timed_board_of(board, board.timing)
    assert under_way_text(found, found.seconds) == board.captions[-1]


def test_a_step_that_is_none_leaves_those_before():
    def mine(n):
        yield send(0, 1)
        yield "no step"

    with pytest.raises(WrongSchedule) as raised:
        record(mine(3), collective="broadcast", ranks=3, slots=1)
    board = proved_storyboard(raised.value.recording)
    assert board.captions[1].startswith("Step 2 is refused — 'no step' is no step")
    assert board.wrong.band == "WRONG — step 2 cannot be executed; it is drawn up to there"
    assert (len(board.frames), board.wrong.attempted) == (1, False)


def test_what_comes_later_is_not_drawn():
    steps = [send(0, 1), send(2, 1), send(1, 0), send(0, 2)]
    board = proved_storyboard(record(steps, collective="broadcast", ranks=3, slots=1, root=0))
    assert board.wrong is not None and len(board.frames) < 4


@pytest.mark.parametrize("sheet", sampled(SHEETS, 2))
@pytest.mark.parametrize("name", sampled(TRIED, 3))
def test_stills_are_marked_throughout(name, sheet):
    board = usual_board(recorded(name), sheet=SHEETS[sheet])
    band = [line for line in fixed_text(board, DARK) if line.text == board.wrong.band]
    assert [line.color for line in band] == [DARK.now_ink]
    assert sum(box.color == DARK.wrong for box in fixed_boxes(board, DARK)) == 4
    for step in range(len(board.frames) + 1):
        keyframe = Keyframe(step)
        lines = fixed_text(board, DARK) + keyframe_text(board, keyframe, DARK)
        texts = " ".join(line.text for line in lines)
        assert "proved" not in texts and "bound" not in texts
        boxes = fixed_boxes(board, DARK) + keyframe_boxes(board, keyframe, DARK)
        for line in lines:
            assert -1 <= line.baseline <= board.sheet.height
        assert boxes
    drawn = figure(board, len(board.frames))
    marks = drawn.findobj(lambda artist: str(artist.get_gid()).startswith("wrong-"))
    assert bool(marks) == bool(board.wrong.outlines)


@pytest.mark.parametrize("name", sampled(TRIED, 3))
def test_the_page_and_the_picture_for_untrusted_notebooks_are_marked(name):
    board = usual_board(recorded(name))
    packed = story(board)
    assert packed["wrong"]["band"] == board.wrong.band
    assert packed["wrong"]["text"] in str(recorded(name).check()).replace("step", "Step", 1) or (
        packed["wrong"]["text"][1:] in board.wrong.text
    )
    with Image.open(io.BytesIO(png(board))) as image:
        red = image.convert("RGB").getcolors(1 << 20)
    assert any(color == ImageColor.getrgb(DARK.wrong) and n > 1000 for n, color in red)


def test_right_schedules_have_no_mark():
    board = proved_storyboard(record("all_reduce", "ring", ranks=3))
    assert board.wrong is None and story(board)["wrong"] is None
    assert not any(box.color == DARK.wrong for box in fixed_boxes(board, DARK))


@pytest.mark.parametrize(("ranks", "view"), [(20, "bars"), (70, "matrix")])
def test_many_ranks_are_marked_too(ranks, view):
    steps = [reduce(rank, rank - 1) for rank in range(ranks - 1, 1, -1)] + [reduce(1, 0, 0)] * 2
    board = proved_storyboard(record(steps, collective="reduce", ranks=ranks, slots=1))
    assert (board.view.name, board.wrong.step) == (view, ranks)
    assert board.wrong.outlines
    figure(board, len(board.frames))


def test_a_state_before_a_refused_step_is_the_executed_one_however_often_it_is_asked_for():
    whole = record("all_reduce", "ring", ranks=4)
    attempt = with_steps(whole, [*whole.steps, whole.steps[0]], Attempt)
    for step in (1, 1, 2, 5, 3, 1, 6, 7):
        wanted = whole.state(min(step, len(whole.steps)))
        assert np.array_equal(attempt.state(step).times, wanted.times)


def test_a_data_race_is_told_in_the_band():
    """Every step of the order that was tried is drawn, and no cell is marked as wrong."""
    blocks = [[f"{1 - r} -1 0: s i0", f"-1 {1 - r} 0: rrc i0 i0"] for r in (0, 1)]
    recording = recording_of(parse_program(program("allreduce", *blocks, chunks=1)), True)
    board = usual_board(recording)
    assert board.wrong.band == "WRONG — nothing orders two of its operations"
    assert not board.wrong.outlines and len(board.frames) == len(recording.steps)
    assert recording.unordered in board.captions[-1]
