"""The films of the standing list: letters that can be read, and something that moves."""

from dataclasses import replace

import pytest

pytest.importorskip("manim")

from filmed import STANDING, measured, share_of_cards
from settings import THOROUGH

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from animations.drawing.sheet import FILM, FILM_FOUR_TO_THREE, FILM_TALL
from animations.score.comparison import score_of_comparison
from animations.score.steps import CARDS, score_of
from animations.score.training import training_score
from animations.story.comparison import drawn_comparison
from animations.story.training import training_story
from animations.story.usual import usual_board
from collectives import record
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized
from collectives.training.pairs import PAIRS, training_pair

FEW = 16  # ranks up to which all of a film is measured
SHEETS = (FILM, FILM_FOUR_TO_THREE, FILM_TALL)
CASES = [(case, sheet) for case in STANDING for sheet in (SHEETS if THOROUGH else (FILM,))]
SOME = [  # of a few shots
    (("all_reduce", "ring", 64, {}), FILM_FOUR_TO_THREE),
    (("all_reduce", "double_binary_tree", 8, {}), FILM_FOUR_TO_THREE),
    (("all_reduce", "hierarchical", 16, {"gpus": 4}), FILM_TALL),
    (("all_to_all", "bruck", 8, {}), FILM),
]

SHORT = [  # where a price as long as usual is too long, and where even the title is
    ("all_gather", "ring", 5, {}),
    ("broadcast", "ring", 6, {}),
    ("all_reduce", "parameter_server", 6, {}),
    ("all_reduce", "swing", 8, {}),
    ("all_reduce", "ring", 1, {}),
]


def film(case, sheet):
    collective, algorithm, ranks, parameters = case
    recording = record(collective, algorithm, ranks=ranks, parameters=parameters or None)
    return score_of(usual_board(recording, sheet=sheet))


@pytest.mark.parametrize(("case", "sheet"), CASES if THOROUGH else SOME)
def test_no_letter_is_smaller_than_a_45th_of_the_height(case, sheet):
    found = measured(film(case, sheet), times=1, every=1 if THOROUGH else 9)
    assert len(found.letters) > 10
    assert found.small == []


def test_no_letter_of_a_comparison_is_smaller():
    names = ("ring", "tree", "nvls") if THOROUGH else ("ring", "tree")
    rows = [sized(find_row("all_reduce", name), 8, 1 << 16) for name in names]
    comparison = compare_recordings(rows, setup_on("hgx-h100", "dataflow"))
    found = measured(score_of_comparison(drawn_comparison(comparison)), times=1)
    assert len(found.letters) > 20 and found.small == []


# short films, whose price is told at two sizes
TWO_SIZES = {("scatter", "tree"): 0.29, ("gather", "tree"): 0.27, ("all_gather", "pat"): 0.24}


@pytest.mark.parametrize("case", STANDING if THOROUGH else SHORT)
def test_title_and_price_are_less_than_a_quarter_of_a_film(case):
    share, most = share_of_cards(film(case, FILM)), TWO_SIZES.get(case[:2], CARDS)
    assert 0 < round(share, 2) <= most and CARDS < 0.25


@pytest.mark.parametrize("case", STANDING if THOROUGH else [STANDING[0], ("scan", "chain", 6, {})])
def test_half_of_the_time_something_moves(case):
    if case[2] == 1:
        return  # nothing travels
    assert measured(film(case, FILM)).motion >= 0.5, case


@pytest.mark.parametrize("name", lectures() if THOROUGH else ["when-it-goes-wrong"])
def test_a_lecture_moves_most_of_its_time(name):
    """More than a third of it, standing still while one talks, would be too much."""
    assert measured(lecture_score(name)).motion >= 0.6, name


@pytest.mark.parametrize("name", PAIRS if THOROUGH else ("ddp",))
def test_letters_of_training_are_large_enough(name):
    """But for the stage inside a bar, which is a page in small."""
    story = training_story(training_pair(name))
    story = replace(story, beats=tuple(replace(beat, bar=None) for beat in story.beats))
    found = measured(training_score(story), times=1)
    assert len(found.letters) > 10 and found.small == []
