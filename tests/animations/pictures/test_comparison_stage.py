"""Algorithms side by side in a film: each at its own state at one time, flags when done."""

from dataclasses import replace

import pytest

pytest.importorskip("manim")

import av
import numpy as np
from PIL import ImageColor

from animations.drawing.curves import joined
from animations.drawing.render.outlines import look
from animations.drawing.theme import DARK
from animations.film.film import render
from animations.pictures.comparison_stage import ComparisonStage
from animations.score.comparison import ComparisonSpan, score_of_comparison
from animations.score.score import Passage, Score
from animations.story.comparison import drawn_comparison
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized


@pytest.fixture(scope="module")
def shown():
    """Ring and tree for 64 KiB on four ranks."""
    rows = [find_row("all_reduce", algorithm) for algorithm in ("ring", "tree")]
    setup = setup_on("hgx-h100", "dataflow")
    return drawn_comparison(compare_recordings([sized(row, 4, 64 << 10) for row in rows], setup))


@pytest.fixture(scope="module")
def scene(shown):
    """Its scene."""
    return ComparisonStage(shown, DARK)


def boxes_of(scene, color):
    """Left, top, right and bottom of the scene's own moving rectangles of a color."""
    drawn = sum(len(stage.moving) for stage in scene._stages)
    shown = [each.points for each in scene.moving[drawn:] if each.look == look(color)]
    straight = (each for each in shown if np.abs(np.diff(each[:4], 2, axis=0)).max() < 1e-6)
    points = joined([each for each in straight if len(each) % 16 == 0]).reshape(-1, 16, 2)
    x, y = points[:, :, 0], points[:, :, 1]
    return np.stack([x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1)], axis=1)


def test_a_flag_is_there_from_the_moment_one_is_done(shown, scene):
    for number, each in enumerate(shown.contenders):
        color = DARK.rank(number)
        flags = []
        for part in (0.99, 1.0):
            scene.show(ComparisonSpan(part * each.seconds, part * each.seconds))
            flags.append(len(boxes_of(scene, color)))
        assert flags == [0, 4], "a pole and a flag in its panel, the same over its lanes"


def test_lanes_are_covered_from_now_on(shown, scene):
    half = shown.seconds / 2
    scene.show(ComparisonSpan(half, half))
    covers = boxes_of(scene, DARK.well)
    assert len(covers) == sum(len(lanes.rows) for lanes in scene._lanes)
    for lanes in scene._lanes:
        assert covers[:, 0] == pytest.approx(lanes.x(half), abs=0.01)
    scene.show(ComparisonSpan(0.0, shown.seconds))
    scene.travel(0.5)
    assert boxes_of(scene, DARK.well) == pytest.approx(covers)


def test_a_film_shows_both_and_stands_where_the_first_is_done(shown, tmp_path):
    shots = score_of_comparison(shown).passages[0].shots
    run = next(shot for shot in shots if shot.travels)
    done = shots[shots.index(run) + 1]
    some = tuple(replace(shot, seconds=1.0) for shot in (run, done))
    path = render(
        Score(shown.title, (Passage(shown, some),)), tmp_path / "race.mp4", "l", lambda *_: None
    )
    with av.open(str(path)) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) == 30
    tone = np.array(ImageColor.getrgb(DARK.rank(shown.order[0])))
    near = [int((np.abs(frame - tone.astype(int)).max(axis=2) < 40).sum()) for frame in frames]
    assert near[0] < near[14] < near[20], "bars grow, then flags come"
    assert np.abs(frames[20].astype(int) - frames[29]).max() < 30, "the clock stands"
    assert (tmp_path / "race.srt").read_text("utf-8").count("-->") == sum(
        bool(shot.said) for shot in some
    )
