"""The pace of a film: slowly where something is new, then faster."""

from collections import Counter

import pytest

pytest.importorskip("cairo")  # draws the words of captions

from samples import length, steps_of

from animations.score.pacing import spoken_seconds
from animations.score.score import BECOMES_STAGE, Play, TextCard
from animations.score.steps import score_of
from animations.story.compose import proved_storyboard
from collectives import record


def board_of(ranks):
    return proved_storyboard(record("all_reduce", "ring", ranks=ranks))


def seconds_of_steps(board):
    """How long each step is shown, from its first shot to that before the next one's."""
    found = [0.0] * len(board.frames)
    for shot in steps_of(board).shots:
        if shot.section not in ("start", "result") and shot.moment.step:
            found[shot.moment.step - 1] += shot.seconds
    return found


@pytest.mark.parametrize("ranks", [2, 4, 8, 16, 64])
def test_the_first_step_of_a_phase_is_slow_and_what_repeats_is_fast(ranks):
    board = board_of(ranks)
    steps = seconds_of_steps(board)
    for phase in board.phases:
        first, *later = steps[phase.first : phase.end]
        assert first > 5, "no time to see what begins"
        assert all(0.1 <= each < first for each in later[:-1])
        if len(later) > 4:
            assert max(later[:-1]) < 2


def test_the_more_ranks_the_faster_the_steps_that_repeat():
    paces = [seconds_of_steps(board_of(ranks))[3] for ranks in (8, 16, 64, 90)]
    assert paces == sorted(set(paces), reverse=True)
    assert length(board_of(96)) < 120, "a film of 190 steps takes less than two minutes"


@pytest.mark.parametrize("ranks", [4, 16])
def test_a_phase_begins_where_its_data_is_and_chunks_are_seen_where_they_land(ranks):
    board = board_of(ranks)
    of_step = {}
    for shot in steps_of(board).shots:
        of_step.setdefault(shot.moment.step, []).append(shot)
    for phase in board.phases:
        first, *_ = of_step[phase.first + 1]
        assert first.travels and not first.moment.landed and first.moment.part[0] == 0
    for number in range(1, len(board.frames)):
        travels = [s for s in of_step[number] if s.travels and not s.moment.landed]
        landed = [s for s in of_step[number] if s.moment.landed]
        assert travels[-1].moment.part[1] == 1 and sum(s.seconds for s in landed) >= 0.1


@pytest.mark.parametrize("ranks", [5, 16])
def test_data_travels_slowly_in_the_first_step_and_in_the_last_of_a_phase(ranks):
    board = board_of(ranks)
    travels, rests = Counter(), Counter()
    for shot in steps_of(board).shots:
        rests[shot.moment.step] += shot.seconds * (shot.moment.play is Play.LANDED)
        travels[shot.moment.step] += shot.seconds * (not shot.moment.landed)
    for phase in board.phases:
        assert travels[phase.first + 2] < 0.8 * travels[phase.first + 1]
        assert rests[phase.end] >= 1.2


def test_a_later_step_of_whose_data_nothing_is_said_is_faster_than_a_first_one():
    board = proved_storyboard(record("all_to_all", "bruck", ranks=16))
    shots = [shot for shot in steps_of(board).shots if not shot.moment.landed]
    (later, first) = ([shot for shot in shots if shot.moment.step == step] for step in (4, 2))
    assert len({shot.said for shot in later}) == 1
    assert 1 < later[-1].seconds < 0.8 * first[-1].seconds


@pytest.mark.parametrize(("algorithm", "step"), [("pairwise", 6), ("bruck", 1)])
def test_a_step_in_which_nothing_is_sent_takes_one_sentence(algorithm, step):
    board = proved_storyboard(record("all_to_all", algorithm, ranks=6))
    assert all(transfer.is_local for transfer in board.frames[step - 1].transfers)
    shots = [shot for shot in steps_of(board).shots if not shot.moment.landed]
    (flight,) = (shot for shot in shots if shot.moment.step == step)
    assert flight.seconds < 3.5


def test_a_card_of_few_words_stands_until_it_is_seen(monkeypatch):
    monkeypatch.setattr("animations.score.sentences.opening", lambda board: ["A ring."])
    title, *_ = score_of(board_of(4)).passages
    assert spoken_seconds("A ring.") < 3
    assert sum(shot.seconds for shot in title.shots) == pytest.approx(3.5)


def test_cards_stand_as_long_as_their_sentences():
    score = score_of(board_of(4))
    cards = [shot for passage, shot in score if isinstance(passage.shown, TextCard)]
    assert {card.said for card in cards} == {"All GPUs need the sum of their gradients."}
    lasts = sum(card.seconds for card in cards)
    assert lasts >= max(spoken_seconds(cards[0].said), 0.8) - 1e-9
    assert cards[-1].moment == BECOMES_STAGE, "the cards go to where the stage has them"
    slides = score_of(board_of(4), whole=16)
    assert all(shot.moment != BECOMES_STAGE for _, shot in slides), "a slide stays on its title"


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls", 8), ("hierarchical", 16)])
def test_a_comment_that_is_new_is_spoken(algorithm, ranks):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks))
    said = " ".join(shot.said for _, shot in score_of(board)).lower()
    parts = {part for frame in board.frames for part in frame.comment.split("; ")}
    assert len(parts) >= 4
    if "and the switch adds what meets there." in said:  # which says as much
        parts.remove("the switch adds up the data of all ranks")
    assert all(part.lower() in said for part in parts)


@pytest.mark.parametrize(
    ("collective", "algorithm"), [("barrier", "dissemination"), ("scan", "doubling")]
)
def test_the_obvious_way_is_seen_for_longer_than_its_one_sentence_takes(collective, algorithm):
    board = proved_storyboard(record(collective, algorithm, ranks=8))
    shown = next(p for p in score_of(board).passages if p.shots[0].chapter.startswith("Why not"))
    (said,) = {shot.said for shot in shown.shots}
    assert spoken_seconds(said) < 6 <= sum(shot.seconds for shot in shown.shots) <= 8
