"""Films whose frames Manim's camera takes: equal to those that cairo draws, but for encoding."""

import pytest

pytest.importorskip("manim")

import av
import numpy as np
from manim import Camera
from settings import sampled

from animations.course.lecture_file import lecture_score
from animations.drawing.render.manim import CameraCanvas
from animations.drawing.theme import DARK, LIGHT
from animations.film.film import render
from animations.pictures.scene import Layered, scene_of
from animations.score.clock import clock_score
from animations.score.steps import score_of
from animations.score.training import training_score
from animations.story.training import training_story
from animations.story.usual import usual_board
from collectives import BadInput, record, topology
from collectives.__main__ import main
from collectives.cost.clocks.clock import dataflow
from collectives.training.pairs import training_pair

SIZE = (854, 480)
NOISE = 6.5  # mean square of shades between two encodings (40 dB); a missing word makes 50
EVERY = 9  # of so many shots one is compared in `make test`


def of_steps(collective, algorithm, ranks):
    return score_of(usual_board(record(collective, algorithm, ranks=ranks)))


def in_time():
    recording = record("all_reduce", "ring", ranks=3)
    timing = dataflow(recording, topology("hgx-h100", 3))
    return clock_score(usual_board(timing.recording), timing)


FILMS = {
    "ring": lambda: of_steps("all_reduce", "ring", 4),
    "tree": lambda: of_steps("broadcast", "double-binary-tree", 6),
    "nodes": lambda: of_steps("all_reduce", "hierarchical", 8),
    "time": in_time,
    "training": lambda: training_score(training_story(training_pair("ddp"))),
    "lecture": lambda: lecture_score("ring"),
}


@pytest.mark.parametrize("film", FILMS)
def test_manim_draws_what_cairo_draws(film):
    """From card to card, at a moment of each shot when data is on its way."""
    theme = LIGHT if film == "tree" else DARK
    compared = moved = 0
    for passage in FILMS[film]().passages:
        layered = Layered(scene_of(passage, theme))
        fast = layered.canvas(SIZE, cues=True)
        camera = CameraCanvas(SIZE, theme.background, layered.scene.sheet.in_film)
        moving = [shot for shot in passage.shots if shot.travels][:1]
        for shot in (*sampled(passage.shots, EVERY), *moving):
            for layers in layered.at(shot, [0.4 * shot.travels]):
                fast.draw(layers)
                camera.draw(layers)
                assert different(fast, camera) < NOISE / 2, shot
                compared, moved = compared + 1, moved + shot.travels
    assert compared > 2 and moved


def different(canvas, other):
    """The mean square of the differences of two pictures."""
    width, height = SIZE
    shown = (each.pixels[:height, :width, None].view(np.uint8) for each in (canvas, other))
    one, two = (colors.astype(np.float64) for colors in shown)
    return ((one - two) ** 2).mean()


def ended(words):
    """The exit status of a command."""
    with pytest.raises(SystemExit) as problem:
        main(words)
    return problem.value.code


def frames(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0)]


def test_a_film_by_manim_is_the_film_frame_by_frame(tmp_path, capsys):
    words = ["video", "broadcast", "tree", "-n", "2", "-q", "l", "--steps", "1", "--no-cache"]
    names = {"manim": tmp_path / "manim.mp4", "cairo": tmp_path / "cairo.mp4"}
    for renderer, path in names.items():
        assert ended([*words, "--renderer", renderer, "-o", str(path)]) == 0
    capsys.readouterr()
    pairs = list(zip(*map(frames, names.values()), strict=True))
    assert len(pairs) > 60
    noise = [((one.astype(np.float64) - two) ** 2).mean() for one, two in pairs]
    assert max(noise) < NOISE, "two ways to draw it, one film"
    texts = {path.with_suffix(".srt").read_text() for path in names.values()}
    assert len(texts) == 1


def test_only_manims_camera_draws_a_film_by_manim(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise BadInput("Manim's camera")

    monkeypatch.setattr(Camera, "capture_mobjects", broken)
    score = of_steps("broadcast", "tree", 2)
    with pytest.raises(BadInput, match="Manim's camera"):
        render(score, tmp_path / "a.mp4", "l", lambda *_: None, cache=False, renderer="manim")


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (["-o", "ring.gif"], "--renderer manim: is for films; try: -o FILE.mp4"),
        (["--format", "slides"], "--renderer: is for films, not for slides; leave it out"),
    ],
)
def test_what_manim_does_not_draw_is_refused(more, line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ended(["video", "all-reduce", "ring", "--renderer", "manim", *more]) == 2
    assert capsys.readouterr().err.strip() == f"collectives: {line}"


def test_an_unknown_renderer_is_refused_in_python_too(tmp_path):
    score = of_steps("broadcast", "tree", 2)
    with pytest.raises(BadInput, match="renderer opengl: must be one of cairo, manim"):
        render(score, tmp_path / "a.mp4", "l", lambda *_: None, renderer="opengl")
