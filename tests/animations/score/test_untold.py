"""A film of a wrong schedule gives nothing away until the mistake is seen and named."""

import re
from functools import cache

import numpy as np
import pytest
from mistakes import FUNCTIONS, recorded
from settings import THOROUGH, sampled

from animations.drawing.shapes import TextLine
from animations.drawing.theme import DARK
from animations.pictures.clock_stage import ClockStage
from animations.pictures.step import still
from animations.pictures.title_cards import card_text
from animations.score.clock import clock_score
from animations.score.score import Keyframe, TextCard
from animations.score.steps import score_of
from animations.score.transcript import sentences
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from animations.whys.why import Why
from collectives import WrongSchedule, send
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.schedule.spmd import Recv, Send

TRIED = list(FUNCTIONS) if THOROUGH else sampled(FUNCTIONS, 4)
SPOILERS = ("wrong", "WRONG", "Wrong", "dashed", "deadlock", "proved")


@pytest.fixture(scope="module", autouse=True)
def soon_endless():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)
        yield


@cache
def board_of(name, language="en"):
    return usual_board(recorded(name), language=language)


def in_red(shapes):
    """What is drawn in the color of mistakes."""
    return [
        shape
        for shape in shapes
        if DARK.wrong in (getattr(shape, "color", ""), getattr(shape, "edge", ""))
    ]


def own_words(board):
    """What the schedule itself says, and it may say anything: its name and its source."""
    lines = [line for frame in board.frames if frame.source for line in frame.source.text]
    return [board.wrong.name, *map(str, lines)]


def texts(shapes, board):
    said = own_words(board)
    found = [shape.text for shape in shapes if isinstance(shape, TextLine) and shape.text]
    return [text for text in found if not any(text.strip() in known for known in said)]


def passages_of(board):
    """Those of a film of what is wrong, and whether one follows in which a step more mends it."""
    *passages, last = score_of(board).passages
    mends = isinstance(last.shown, Storyboard) and last.shown.wrong is None
    return (passages, True) if mends else ([*passages, last], False)


@pytest.mark.parametrize("name", TRIED)
def test_nothing_is_marked_before_the_mistake_is_named(name):
    board = board_of(name)
    card, shown, *whys, marked = passages_of(board)[0]
    assert all(isinstance(passage.shown, Why) for passage in whys)
    assert isinstance(card.shown, TextCard) and marked.shown.wrong
    board = marked.shown
    plain = texts(card_text(card.shown.board, DARK), board)
    last, named = len(board.frames), False
    for shot in shown.shots:
        drawn = still(shown.shown, shot.moment, DARK)
        if not named:
            named = shot.moment.revealed > 0
        if named:
            assert shot.moment.step == last and shot.moment.landed
        else:
            plain += [shot.said, *texts(drawn, board)]
            assert not in_red(drawn)
    assert named
    assert not [text for text in plain if any(word in text for word in SPOILERS)]
    assert score_of(board).title.replace("-", " ").lower() == name.replace("_", " ")


@pytest.mark.parametrize("name", TRIED)
def test_it_stands_still_before_the_mistake_is_named_and_is_marked_at_last(name):
    board = board_of(name)
    (_, shown, *_, marked), mends = passages_of(board)
    before, first = next(
        (one, other)
        for one, other in zip(shown.shots, shown.shots[1:], strict=False)
        if other.moment.revealed and not one.moment.revealed
    )
    assert before.moment == Keyframe(len(board.frames)) and before.seconds >= 1.0
    assert first.said != before.said
    red = in_red(still(shown.shown, first.moment, DARK))
    assert bool(red) == bool(board.wrong.outlines)
    said = marked.shots[0].said
    assert re.search(r"hops away: |never sends it to ", said) if mends else said[:5] == "WRONG"
    assert in_red(still(board, marked.shots[0].moment, DARK))


def test_what_is_doubled_is_named_with_its_place_and_whose_it_is():
    said = [shot.said for _, shot in score_of(board_of("whole_tensor_all_reduce"))]
    assert "Rank 0 has the data of rank 2 more than once." in said
    said = [shot.said for _, shot in score_of(board_of("add_for_copy_all_reduce"))]
    assert "Chunk 1 of rank 0 has the data of rank 0 more than once." in said
    spanish = score_of(board_of("whole_tensor_all_reduce", "es"))
    assert "El rango 0 tiene más de una vez los datos del rango 2." in [s.said for _, s in spanish]


def test_a_page_says_what_did_it():
    (why,) = board_of("whole_tensor_all_reduce").whys
    assert why.sentences[0] == "Rank 2 is counted twice: 44 instead of 27."  # 1 + 9 + 17
    assert "Rank 0 had that part already, and the sum brought it again." in why.sentences
    assert why.sentences[2] == "Line 27 did that, in step 2." and "yield" in why.picture.code
    assert why.sentences[3] == "After step 1, no sums fit together to count every rank once."
    causes = {
        "wrong_chunk_all_reduce": "It was there, and what came from rank 1 was written over it.",
        "stale_read_reduce": "What came from rank 1 did not have it yet.",
        "root_mix_up_reduce": "After the last step it is still not there.",
        "swapped_blocks_all_to_all": "It came from rank 1 in step 1.",
    }
    for name, cause in causes.items():
        (why,) = board_of(name).whys
        assert cause in why.sentences
    assert not board_of("two_writers_all_gather").whys


def hasty_broadcast(n, root=0):
    """Both ways round the ring, a step too few for even n."""
    way = np.array([1, -1])
    for hop in range((n - 1) // 2):
        yield send((root + way * hop) % n, (root + way * (hop + 1)) % n)


@pytest.mark.parametrize(("ranks", "root"), [(4, 0), (6, 0), (6, 5), (16, 3)])
def test_a_schedule_that_does_too_little_is_run_with_the_step_that_it_lacks(ranks, root):
    board = usual_board(OwnAlgorithm(hasty_broadcast, slots=1).record(ranks, root))
    far, steps = (root + ranks // 2) % ranks, (ranks - 1) // 2
    mend = board.wrong.mend
    assert (mend.src[0] - root) % ranks == steps and mend.dst.tolist() == [far]
    *_, marked, mended = score_of(board).passages
    plural = f"{steps} step{'s' * (steps > 1)}"
    assert [shot.said for shot in marked.shots] == [
        f"This way rank {far} is {steps + 1} hops away: {plural} cannot reach it.",
    ]
    assert in_red(still(board, marked.shots[0].moment, DARK))
    assert mended.shown.wrong is None and len(mended.shown.frames) == steps + 1
    drawn = still(board, marked.shots[0].moment, DARK)
    counted = {shape.text.split(" hop")[0] for shape in drawn if isinstance(shape, TextLine)}
    assert {f"{hop}" for hop in range(1, steps + 2)} <= counted
    assert list(dict.fromkeys(shot.said for shot in mended.shots)) == [
        "One more step brings it, and the promise is kept.",
        f"A step covers one hop: {steps + 1} hops need at least {steps + 1} steps.",
    ]


def hasty_all_gather(n):
    """Both ways round the ring, a step too few for even n."""
    rank, way = np.arange(n), np.array([[1], [-1]])
    for step in range((n - 1) // 2):
        yield send(rank, (rank + way) % n, (rank - way * step) % n)


@pytest.mark.parametrize("ranks", [4, 8])
def test_a_ring_that_lacks_a_step_is_drawn_as_a_ring_with_it(ranks):
    board = usual_board(OwnAlgorithm(hasty_all_gather).record(ranks, 0))
    mend, (*_, mended) = board.wrong.mend, score_of(board).passages
    assert (mend.dst - mend.src).tolist() == [1 - ranks, *[1] * (ranks - 1)]
    places = [[card.box for card in each.scenery.cards] for each in (board, mended.shown)]
    assert places[0] == places[1]


def test_only_a_schedule_that_one_more_step_would_put_right_is_mended():
    mended = {name for name in FUNCTIONS if board_of(name).wrong.mend}
    assert mended == {"lost_tail_broadcast"}
    said = [shot.said for _, shot in score_of(board_of("lost_tail_broadcast"))]
    assert "Rank 0 has it, but never sends it to rank 1." in said


def test_what_its_author_says_of_a_wrong_schedule_is_not_spoken():
    (comment,) = {frame.comment for frame in board_of("whole_tensor_all_reduce").frames}
    said = [shot.said.lower() for _, shot in score_of(board_of("whole_tensor_all_reduce"))]
    assert comment and not any(comment.lower() in text for text in said)


def test_some_steps_and_modeled_time_give_nothing_away_either():
    board = board_of("whole_tensor_all_reduce")
    first, rest = score_of(board, steps=(1, 2)).passages
    assert first.shown.wrong is None and rest.shown.wrong
    (only,) = score_of(board, steps=(1, 1)).passages
    assert only.shown.wrong is None
    machine = topology("crossbar", board.ranks)
    timed = usual_board(recorded("whole_tensor_all_reduce"), machine)
    card, shown, marked = clock_score(timed, lockstep(timed_recording(timed), machine)).passages
    assert card.shown.board.wrong is None and shown.shown.board.wrong is None
    assert marked.shown.board.wrong and marked.shots[0].said.startswith("WRONG")
    stage = ClockStage(shown.shown, DARK)
    stage.show(shown.shots[-1].moment)


def timed_recording(board):
    """What is drawn of it."""
    from collectives.proof.first_wrong import first_wrong

    recording = first_wrong(recorded("whole_tensor_all_reduce")).recording
    assert len(recording.steps) == len(board.frames)
    return recording


def all_send_first_all_reduce(rank, n):
    yield Send((rank + 1) % n, 0)
    yield Recv((rank - 1) % n, 0)


def ended_broadcast(rank, n):
    if rank:
        yield Recv(rank - 1, 0)
        if rank == 1:
            yield Recv(0, 0)
    else:
        yield Send(1, 0)


def stuck(program, ranks, language="en"):
    with pytest.raises(WrongSchedule) as raised:
        OwnAlgorithm(program).record(ranks, 0)
    return proved_storyboard(raised.value.recording, language=language)


@pytest.mark.parametrize("ranks", [2, 4, 6])
def test_a_deadlock_closes_arrow_by_arrow(ranks):
    board = stuck(all_send_first_all_reduce, ranks)
    _, shown, marked = score_of(board).passages
    revealed = [shot.moment.revealed for shot in shown.shots if shot.moment.revealed]
    assert revealed == [*range(1, ranks + 1), ranks], "one arrow more in each shot, then why"
    counts = [
        len(in_red(still(shown.shown, Keyframe(len(board.frames), revealed=count), DARK)))
        for count in range(ranks + 1)
    ]
    assert counts == [3 * count for count in range(ranks + 1)], "a curve and two lines of its head"
    said = [shot.said for shot in shown.shots]
    assert "Rank 0 waits for rank 1." in said
    assert said[-2:] == [
        f"Rank {ranks - 1} waits for rank 0: the circle is closed.",
        "All wait to send, so nobody comes to receive.",
    ]
    assert marked.shown.wrong.stuck.closing == ranks
    _, told, _ = score_of(stuck(all_send_first_all_reduce, ranks, "es")).passages
    assert "El rango 0 espera al rango 1." in [shot.said for shot in told.shots]


def half_send_first_all_reduce(rank, n):
    if rank % 2:
        yield Recv((rank + 1) % n, 0)
    yield Send((rank + 1) % n, 0)


def one_sends_to_a_circle_all_reduce(rank, n):
    yield Send(0, 0) if rank == 2 else Recv(1 - rank, 0)


def all_receive_first_all_reduce(rank, n):
    yield Recv((rank - 1) % n, 0)
    yield Send((rank + 1) % n, 0)


def test_a_deadlock_says_why_where_all_wait_for_the_same():
    _, shown, _ = score_of(stuck(all_receive_first_all_reduce, 3)).passages
    assert shown.shots[-1].said == "All wait to receive, so nobody comes to send."
    for program, ranks in ((half_send_first_all_reduce, 4), (one_sends_to_a_circle_all_reduce, 3)):
        assert stuck(program, ranks).wrong.stuck.alike == ""


def test_who_waits_for_a_rank_that_has_ended_comes_first():
    board = stuck(ended_broadcast, 4)
    halted = board.wrong.stuck
    assert (halted.closing, halted.pairs[0]) == (0, (1, 0))
    _, shown, _ = score_of(board).passages
    assert shown.shots[-1].said == "Rank 1 waits for rank 0, which does no more."


def test_steps_that_a_wrong_schedule_never_shows_are_not_counted():
    """It has six and four are drawn: of the last phase no number of steps is said."""
    board = usual_board(recorded("wrong_chunk_all_reduce", 4))
    assert len(board.phases) == 2
    told = [part.said for part in sentences(score_of(board))]
    assert [text for text in told if " takes " in text or " comes " in text] == [
        f"{board.phases[0].name.capitalize()} takes {board.phases[0].end} steps.",
        f"Then comes {board.phases[1].name}.",
    ]


def test_a_caption_that_says_which_ranks_act_is_not_told_which():
    first = board_of("empty_read_broadcast").frames[0]
    assert "every rank that has the data sends it on" in first.comment


def test_a_schedule_that_a_step_would_mend_is_told_in_half_a_minute():
    board = usual_board(OwnAlgorithm(hasty_broadcast, slots=1).record(6, 0))
    assert 29 < sum(shot.seconds for _, shot in score_of(board, 30.0)) < 31
