"""Draws the pictures of README.md: a film of half a minute, and moments of other films."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

from animations.drawing.sheet import FILM
from animations.drawing.theme import DARK
from animations.film.gif import write_gif
from animations.pictures.scene import scene_of, still
from animations.score.comparison import still_of_comparison
from animations.score.score import Keyframe, Passage, Score, Shot
from animations.score.steps import score_of
from animations.score.training import training_score
from animations.story.comparison import drawn_comparison
from animations.story.training import training_story
from animations.story.usual import usual_board
from collectives import record
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized
from collectives.training.pairs import training_pair

COLORS, WIDE, SMALL = 96, (960, 540), (640, 360)  # of pictures; sides of pictures and of the GIF
STEPS = {  # collective, algorithm, ranks, step and parameters of a picture
    "two-trees": ("all_reduce", "double_binary_tree", 8, 3, {}),
    "hierarchy": ("all_reduce", "hierarchical", 16, 5, {"parameters": {"gpus": 4}}),
    "pipeline": ("broadcast", "ring", 4, 6, {"chunks": 8}),
}


def draw(folder: Path) -> None:
    """The film of a ring all-reduce in half a minute as a GIF, and a picture of other films."""
    board = usual_board(record("all_reduce", "ring", ranks=4, dtype="float32"), sheet=FILM)
    write_gif(score_of(board, 30), folder / "ring-all-reduce.gif", SMALL, lambda step, total: None)
    for name, (score, number, time) in shared_pictures().items():
        passage, shot = list(score)[number]
        image = Image.fromarray(still(scene_of(passage, DARK), shot, time, WIDE))
        image.quantize(COLORS, kmeans=1, dither=Image.Dither.NONE).save(
            folder / f"{name}.png", optimize=True
        )


def shared_pictures() -> dict[str, tuple[Any, int, float]]:
    """Films by the names of pictures of them, each with the number of a shot and a time of it."""
    found: dict[str, tuple[Any, int, float]] = {}
    for name, (collective, algorithm, ranks, step, more) in STEPS.items():
        board = usual_board(record(collective, algorithm, ranks=ranks, **more), sheet=FILM)
        line = board.captions[step].partition(" \u2014 ")[2]
        shot = Shot(Keyframe(step, landed=False, line=f"{line[:1].upper()}{line[1:]}."), 1.0, "")
        found[name] = Score(board.title, (Passage(board, (shot,)),)), 0, 0.5
    rows = [sized(find_row("all_reduce", name), 8, 1 << 16) for name in ("ring", "tree")]
    race = drawn_comparison(compare_recordings(rows, setup_on("hgx-h100", "dataflow")))
    found["race"] = still_of_comparison(race), 0, 0.0
    story = training_score(training_story(training_pair("1f1b")))
    found["one-forward-one-backward"] = story, -1, 0.0
    return found
