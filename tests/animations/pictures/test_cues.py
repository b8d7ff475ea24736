"""Subtitles stand below all that a film draws, in two lines as browsers set them."""

import pytest

pytest.importorskip("manim")

import numpy as np
from settings import THOROUGH

from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.pictures.scene import Layered, scene_of
from animations.score.clock import clock_score
from animations.score.steps import score_of
from animations.story.usual import usual_board
from collectives import record
from collectives.cost.clocks.clock import dataflow
from collectives.cost.machines import topology

SIZE = {"4:3": (640, 480), "tall": (480, 856)}
LINE = 0.05625  # of the shorter side, as measured in Chromium
LINES = {False: 2, True: 4}  # of a cue; on a tall page lines of 42 letters are broken in two
ROWS = [
    ("all_reduce", "ring", 8),
    ("all_reduce", "double_binary_tree", 9),
    ("all_reduce", "hierarchical", 8),
    ("all_to_all", "pairwise", 4),
    ("all_reduce", "nvls", 8),
]


def scores():
    """Films of all kinds whose subtitles stand below: made when they are tested."""
    sheets = [SHEETS[name] for name in ("lecture", "4:3", "tall")]
    for number, (collective, algorithm, ranks) in enumerate(ROWS):
        recording = record(collective, algorithm, ranks=ranks)
        for place, sheet in enumerate(sheets):
            if THOROUGH or (number + place) % 3 == 0:
                yield score_of(usual_board(recording, sheet=sheet))
    ring = record("all_reduce", "ring", ranks=4)
    timing = dataflow(ring, topology("hgx-h100", 4))
    for sheet in sheets[:: 1 if THOROUGH else 2]:
        yield clock_score(usual_board(ring, sheet=sheet), timing)


def test_nothing_is_drawn_where_cues_stand():
    for score in scores():
        sheet, size = score.sheet, SIZE.get(score.sheet.name, (848, 480))
        high = round(LINES[sheet.height > sheet.width] * LINE * min(size))
        for passage in score.passages:
            layered = Layered(scene_of(passage, DARK))
            canvas = layered.canvas(size, cues=True)
            empty = canvas.rgb()[-high:]
            shots = passage.shots if THOROUGH else (*passage.shots[::40], passage.shots[-1])
            for shot in shots:
                for layers in layered.at(shot, [0.0]):
                    canvas.draw(layers)
                clear = np.array_equal(canvas.rgb()[-high:], empty)
                assert clear, f"{score.title}, {sheet.name}: {shot.said}"
