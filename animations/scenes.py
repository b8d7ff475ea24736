"""One Manim scene for every algorithm of the catalog, on four ranks: `RingAllReduce` and so on.

manim -pqh animations/scenes.py RingAllReduce
COLLECTIVES_RANKS=8 manim -pqh animations/scenes.py RingAllReduce
"""

from __future__ import annotations

import os
import re

from animations.film.film import Film
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS, Row
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.words import capital

RANKS = 4  # of a scene, unless its attribute `ranks` or the environment says another number
VARIABLE = "COLLECTIVES_RANKS"


def scene_name(row: Row) -> str:
    """The name of a row's scene: RingAllReduce."""
    words = f"{row.algorithm} {row.collective}".replace("-", " ").replace("_", " ").split()
    return "".join(word.capitalize() for word in words)


def scene(row: Row) -> type[Film]:
    """The scene class of a catalog row; `__module__` is ours, or Manim does not find it."""

    def board(self: Film) -> Storyboard:
        ranks: int = asked_ranks(type(self).ranks)
        return usual_board(record(row.collective, row.algorithm, ranks=ranks))

    text = f"{capital(row.title)} on {RANKS} ranks, or on as many as `ranks` says."
    inside = {"board": board, "ranks": RANKS, "__doc__": text, "__module__": __name__}
    return type(scene_name(row), (Film,), inside)


def asked_ranks(usual: int) -> int:
    """The number of ranks in the environment, or the usual one.

    Raises BadInput for what is no number.
    """
    text = os.environ.get(VARIABLE, "")
    if not re.fullmatch("[0-9]{0,6}", text, re.ASCII):
        raise BadInput(f"{VARIABLE}={text}: must be a number of ranks; try: {VARIABLE}=8")
    return int(text or usual)


for _row in ROWS:
    globals()[scene_name(_row)] = scene(_row)
