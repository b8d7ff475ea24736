"""The pace of a film: slowly where a phase begins, then faster, and every step can be followed."""

import pytest

pytest.importorskip("cairo")  # draws the words of captions

from samples import length

from animations.score.score import Card
from animations.score.steps import score_of
from animations.story.storyboard import proved_storyboard
from collectives import record


def board_of(ranks):
    return proved_storyboard(record("all_reduce", "ring", ranks=ranks))


def seconds_of_steps(board):
    """How long each step is shown, from its first shot to that before the next one's."""
    found = [0.0] * len(board.frames)
    for shot in score_of(board).passages[1].shots:
        if shot.section not in ("start", "result") and shot.moment.step:
            found[shot.moment.step - 1] += shot.seconds
    return found


@pytest.mark.parametrize("ranks", [2, 4, 8, 16, 64, 96])
def test_the_first_steps_of_a_phase_are_slow_and_no_later_step_is_slower(ranks):
    board = board_of(ranks)
    steps = seconds_of_steps(board)
    for phase in board.phases:
        first, *later = steps[phase.first : phase.end]
        assert first > 2, "no time to see what begins"
        assert all(0.25 <= seconds < first for seconds in later)
        assert min(later[:1], default=2) >= 2, "the second step is as slow, but for the pause"
        assert later == sorted(later, reverse=True)


def test_the_more_ranks_the_faster_the_steps_that_repeat():
    paces = [seconds_of_steps(board_of(ranks))[2] for ranks in (4, 8, 16, 96)]
    assert paces == sorted(set(paces), reverse=True)
    assert paces[0] == pytest.approx(2), "four ranks: all steps can be followed"
    assert length(board_of(96)) < 120, "a film of 190 steps takes less than two minutes"


@pytest.mark.parametrize("ranks", [4, 16])
def test_a_phase_begins_at_rest_and_chunks_are_seen_where_they_land(ranks):
    board = board_of(ranks)
    of_step = {}
    for shot in score_of(board).passages[1].shots:
        of_step.setdefault(shot.moment.step, []).append(shot)
    for phase in board.phases:
        first, *_ = of_step[phase.first + 1]
        assert not first.travels and not first.moment.landed and first.seconds >= 0.3
    for number in range(1, len(board.frames)):
        travels, last = of_step[number][-2:]
        assert travels.travels and last.moment.landed
        assert 0.1 <= last.seconds < travels.seconds


def test_cards_can_be_read():
    cards = [(p.shown.kind, s) for p, s in score_of(board_of(4)) if isinstance(p.shown, Card)]
    assert [kind for kind, _ in cards] == ["title", "end"]
    assert all(3 <= shot.seconds <= 5 for _, shot in cards)


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls", 8), ("hierarchical", 16)])
def test_a_comment_that_is_new_can_be_read(algorithm, ranks):
    """It stands so long that 150 words are read in a minute, but for four seconds at most."""
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks))
    seconds, said = seconds_of_steps(board), set()
    for frame, stands in zip(board.frames, seconds, strict=True):
        if frame.comment not in said:
            assert stands >= min(4.0, len(frame.comment.split()) / 2.5) - 1e-9, frame.comment
        said.add(frame.comment)
    assert len(said) >= 4
