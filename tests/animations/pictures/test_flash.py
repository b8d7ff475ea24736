"""No picture flashes: the first frame of a shot is nearly the second one, in films and lectures."""

import numpy as np
import pytest

pytest.importorskip("cairo")  # draws

from settings import THOROUGH

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from animations.drawing.sheet import FILM
from animations.drawing.theme import DARK
from animations.pictures.scene import Layered, scene_of
from animations.score.steps import score_of
from animations.story.usual import usual_board
from collectives import record
from tests.animations.filmed import STANDING

SIZE, RATE = (160, 90), 30
MOST = 8.0  # of 255, in the mean of all pixels, from the first frame of a shot to the second
SOME = [("all_reduce", "ring", 8, {}), ("all_reduce", "swing", 8, {})]


def jumps(score):
    """Of each shot that moves, the change from its first frame to the second, and its words."""
    for passage in score.passages:
        layered = Layered(scene_of(passage, DARK))
        canvas = layered.canvas(SIZE)
        for shot in passage.shots:
            if shot.travels and layered.scene.travels(shot.moment):
                frames = []
                for time in (0.0, 1 / max(2, shot.seconds * RATE)):
                    for layers in layered.at(shot, [time]):
                        canvas.draw(layers)
                    frames.append(np.asarray(canvas.rgb()).astype(float))
                yield np.abs(frames[1] - frames[0]).mean(), shot.said


@pytest.mark.parametrize("case", STANDING if THOROUGH else SOME)
def test_no_film_flashes_when_a_shot_begins(case):
    collective, algorithm, ranks, parameters = case
    recording = record(collective, algorithm, ranks=ranks, parameters=parameters or None)
    found = [*jumps(score_of(usual_board(recording, sheet=FILM)))]
    assert found and max(found)[0] < MOST, max(found)


@pytest.mark.parametrize("name", lectures() if THOROUGH else ["ring"])
def test_no_lecture_flashes_when_a_shot_begins(name):
    found = [*jumps(lecture_score(name))]
    assert len(found) > 10 and max(found)[0] < MOST, max(found)
