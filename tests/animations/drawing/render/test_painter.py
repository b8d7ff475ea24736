"""What is drawn anew only where it changed is what would be drawn afresh, and what Manim draws."""

import numpy as np
import pytest

pytest.importorskip("manim")

from each import each
from manim import Camera, tempconfig
from samples import steps_of

from animations.drawing.render.manim import Mobjects
from animations.drawing.theme import DARK
from animations.pictures.scene import Layered, drawn, still
from animations.pictures.stage import Stage
from animations.pictures.title_cards import TitleCard
from animations.score.score import Keyframe, Shot, TextCard
from animations.story.compose import proved_storyboard
from collectives import record

SIZE = (480, 270)
CASES = [
    ("all_reduce", "ring", 4),
    ("broadcast", "tree", 9),
    ("all_to_all", "pairwise", 6),
    ("all_reduce", "ring", 17),
    ("all_gather", "ring", 65),
]


def board_of(collective, algorithm, ranks):
    return proved_storyboard(record(collective, algorithm, ranks=ranks))


def moments(board):
    """Shots at several times, forward and then back; few where there are many steps."""
    chosen = steps_of(board).shots
    chosen = [*chosen[:3], *chosen[-1:], chosen[2]]
    for shot in chosen if board.view.shows_ranks else chosen[2:5]:
        yield shot, [0.0, 0.13, 0.52] if shot.travels else [0.0]


@each(("collective", "algorithm", "ranks"), CASES, few=8)
def test_what_was_drawn_before_is_not_seen(collective, algorithm, ranks):
    board = board_of(collective, algorithm, ranks)
    layered = Layered(Stage(board))
    canvas, shown = layered.canvas(SIZE), None
    for shot, times in moments(board):
        for layers, time in zip(layered.at(shot, times), times, strict=True):
            changed = canvas.draw(layers)
            fresh = layered.canvas(SIZE)
            fresh.draw(layers)
            assert np.array_equal(canvas.pixels, fresh.pixels), (shot, time)
            if shown is not None:
                differ = np.argwhere(canvas.pixels != shown) // 8
                assert set(map(tuple, differ.tolist())) == set(map(tuple, changed.tolist()))
            shown = canvas.pixels.copy()


@each(("collective", "algorithm", "ranks"), CASES, few=8)
def test_pictures_are_those_that_manim_draws(collective, algorithm, ranks):
    board, size = board_of(collective, algorithm, ranks), (960, 540)
    stage, card = Stage(board), TitleCard(TextCard(board), DARK)
    for scene, shot in (
        (stage, Shot(Keyframe(2, landed=False), 1, "", travels=True)),
        (stage, Shot(Keyframe(1), 1, "")),
        (card, Shot(None, 1, "")),
    ):
        ours = still(scene, shot, 0.4, size).astype(int)
        scene.show(shot.moment)
        scene.travel(0.4)
        with tempconfig({"pixel_width": size[0], "pixel_height": size[1]}):
            camera = Camera(background_color=scene.theme.background)
            camera.capture_mobjects([Mobjects().draw(drawn(scene))])
        difference = np.abs(ours - camera.pixel_array[:, :, :3]).max(axis=2)
        assert difference.max() <= 40, "an edge is drawn in another shade"
        assert (difference > 4).mean() < 0.002


def test_a_step_on_its_way_changes_little():
    layered = Layered(Stage(board_of("all_reduce", "ring", 8)))
    canvas = layered.canvas((1920, 1080))
    step = Shot(Keyframe(3, landed=False), 1, "", travels=True)
    first, nothing, some = [
        len(canvas.draw(layers)) for layers in layered.at(step, [0.5, 0.5, 0.52])
    ]
    total = 1920 * 1080 / 64
    assert first > 0.05 * total
    assert nothing == 0
    assert 0 < some < 0.15 * total, "only what moves is drawn"


@pytest.mark.parametrize("size", [(854, 480), (333, 201)])
def test_sizes_need_not_be_whole_tiles(size):
    stage = Stage(board_of("broadcast", "flat", 2))
    pixels = still(stage, Shot(Keyframe(1), 1, ""), 0.0, size)
    assert pixels.shape == (size[1], size[0], 3)
    assert len(np.unique(pixels[:, -4:])) <= 3, "the margin is empty"
