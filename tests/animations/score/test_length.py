"""Films of a given length, and of some of the steps."""

from itertools import groupby

import pytest

pytest.importorskip("cairo")  # draws the words of captions

from animations.score.score import TextCard
from animations.score.sentences import problem, result
from animations.score.steps import score_of
from animations.story.usual import usual_board
from animations.whys.why import Why
from collectives import record
from collectives.errors import BadInput

RING = usual_board(record("all_reduce", "ring", ranks=8))


@pytest.mark.parametrize("seconds", [60, 70, 90, 110])
def test_a_film_is_as_long_as_is_asked(seconds):
    assert score_of(RING, seconds=seconds).seconds == pytest.approx(seconds, abs=0.6)


def on_stage(passage):
    return not isinstance(passage.shown, TextCard | Why)


def test_what_can_be_left_out_is_left_out_first():
    whole, short = (list(score_of(RING, seconds=seconds)) for seconds in (150, 70))
    said = [{shot.said for _, shot in shots} for shots in (whole, short)]
    assert said[1] - {"The same again."} < said[0]
    left_out = " ".join(said[0] - said[1])
    assert "doubling beats the ring" in left_out and RING.textbook.idea in left_out
    moments = [
        {(shot.moment.step, shot.moment.landed) for passage, shot in shots if on_stage(passage)}
        for shots in (whole, short)
    ]
    assert moments[0] == moments[1], "every step is still shown"
    others = {why.heading for why in RING.whys}
    chapters = [
        [shot.chapter for _, shot in shots if shot.chapter and shot.chapter not in others]
        for shots in (whole, short)
    ]
    assert chapters[0] == chapters[1]


def test_a_sentence_about_data_stands_over_no_other_step():
    """Where the sentence of a later step is left out, that of the step before is gone, too."""
    board = usual_board(record("all_reduce", "hierarchical", ranks=6, parameters={"gpus": 3}))
    steps = {}
    for passage, shot in score_of(board, seconds=90):
        if on_stage(passage) and shot.travels and shot.moment.step and not shot.moment.landed:
            steps.setdefault(shot.said, set()).add(shot.moment.step)
    named = {said: at for said, at in steps.items() if said.startswith(("Rank", "This chunk"))}
    assert named and all(len(at) == 1 for at in named.values())
    assert "The same again." in steps


def test_too_short_is_refused_with_the_least_seconds():
    with pytest.raises(BadInput, match=r"--seconds 6: .* take (\d+) s; try: \d+") as refused:
        score_of(RING, seconds=6)
    least = int(str(refused.value).rpartition(" ")[2])
    assert score_of(RING, seconds=least).seconds <= least + 0.6


@pytest.mark.parametrize("algorithm", ["ring", "nvls", "double_binary_tree"])
def test_half_a_minute_tells_why_it_is_needed_and_every_step(algorithm):
    board = usual_board(record("all_reduce", algorithm, ranks=8))
    score = score_of(board, seconds=30)
    assert score.seconds == pytest.approx(30, abs=0.6)
    title, *middle, end = score.passages
    stage = next(filter(on_stage, middle))
    assert sum(shot.seconds for shot in title.shots) < 6
    assert title.shots[0].said == board.need
    assert {shot.moment.step for shot in stage.shots if shot.travels} == {
        *range(1, 1 + board.steps)
    }
    last = stage.shots[-1].moment
    assert (last.step, last.landed) == (board.steps, True), "the result is seen"
    said = {shot.said for _, shot in score}
    assert end.shots[-1].said in said - {""}
    told = {"Seven vectors queue into rank 0, then seven out."}
    told |= {"Each port sends 1/8 in every step: 14 steps, 1.75 vectors."}
    assert algorithm != "ring" or told <= said


@pytest.mark.parametrize(
    ("collective", "algorithm", "text"),
    [
        ("broadcast", "split_binary", "more steps: only one rank has the data"),
        ("all_gather", "multicast", "The same again."),
    ],
)
def test_half_a_minute_says_nothing_that_was_said_or_that_held_before(collective, algorithm, text):
    score = score_of(usual_board(record(collective, algorithm, ranks=8)), seconds=30)
    said = [sentence for sentence, _ in groupby(shot.said for _, shot in score)]
    assert sum(text in sentence for sentence in said) == (text == "The same again.")


@pytest.mark.parametrize(
    ("algorithm", "ranks", "copies"),
    [("ring", 4, True), ("ring", 8, True), ("rabenseifner", 8, False), ("tree", 8, False)],
)
def test_the_second_lap_of_half_a_minute_says_that_it_copies(algorithm, ranks, copies):
    board = usual_board(record("all_reduce", algorithm, ranks=ranks))
    back, score = board.phases[-1].first + 1, score_of(board, seconds=30)
    said = [s.said for passage, s in score if on_stage(passage) and s.moment.step > back]
    assert said
    assert (set(said) == {"Now copies of finished chunks go the same way."}) == copies


def test_a_failure_that_half_a_minute_has_no_time_for_is_not_what_it_ends_on():
    """In Chinese there is none of it for six ranks; in English there is."""
    recording = record("all_reduce", "ring", ranks=6)
    for language, name in (("zh", "一个端口"), ("en", "One port")):
        board = usual_board(recording, language=language)
        *opens, last = [shot.said for _, shot in score_of(board, seconds=30)]
        assert (name in last) == (board.whys[0].brief in opens) == (language == "en")


def test_some_steps_are_shown_without_cards():
    score = score_of(RING, steps=(3, 5))
    assert not any(isinstance(passage.shown, TextCard) for passage in score.passages)
    shots = score.passages[0].shots
    assert [shots[0].moment.step, shots[-1].moment.step] == [2, 5]
    assert shots[0].said == "2 of 14 steps are done."
    assert {shot.moment.step for shot in shots} == {2, 3, 4, 5}
    assert not any("proved" in shot.said for shot in shots)


@pytest.mark.parametrize("steps", [(0, 3), (3, 15), (5, 3), (20, 30)])
def test_steps_that_there_are_not_are_refused(steps):
    with pytest.raises(BadInput, match=rf"--steps {steps[0]}-{steps[1]}: .*try: \d+-\d+"):
        score_of(RING, steps=steps)


@pytest.mark.parametrize(
    ("algorithm", "own"), [("halo_exchange", True), ("pipeline_activations", False)]
)
def test_the_end_of_a_halo_exchange_is_what_its_ranks_then_hold(algorithm, own):
    board = usual_board(record("send_recv", algorithm, ranks=6))
    assert ("a copy of its neighbors' edges" in result(board)[0]) == own


@pytest.mark.parametrize("ranks", [3, 6, 16])
def test_what_ranks_of_a_halo_exchange_have_to_send_are_edges_not_their_block(ranks):
    board = usual_board(record("send_recv", "halo_exchange", ranks=ranks))
    said = f"{ranks} ranks each send both edges of a block, 64 MiB together."
    assert problem(board) == said and board.labels.chunk_count == 2


def test_half_a_minute_shows_the_first_step_slowly_and_that_which_finishes_a_chunk():
    score = score_of(usual_board(record("all_reduce", "ring", ranks=8)), seconds=30)
    stage = next(filter(on_stage, score.passages[1:]))
    flights = [shot for shot in stage.shots if shot.travels and not shot.moment.landed]
    first, *quick, last = [shot.seconds for shot in flights if shot.moment.step <= 7]
    assert min(first, last) > 1.5 > 2 * max(quick)
    assert all(shot.moment.named for shot in flights)
    cards = sum(shot.seconds for at in (0, -1) for shot in score.passages[at].shots)
    assert cards <= score.seconds / 4 + 1e-9
