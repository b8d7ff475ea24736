"""One Manim scene for every algorithm of the catalog, on four ranks: `RingAllReduce` and so on.

manim -pqh animations/scenes.py RingAllReduce
"""

from __future__ import annotations

from animations.film.film import Film
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS, Row
from collectives.recording.recorder import record

RANKS = 4


def scene_name(row: Row) -> str:
    """The name of a row's scene: RingAllReduce."""
    words = f"{row.algorithm} {row.collective}".replace("-", " ").replace("_", " ").split()
    return "".join(word.capitalize() for word in words)


def scene(row: Row) -> type[Film]:
    """The scene class of a catalog row; `__module__` is ours, or Manim does not find it."""

    def board(self: Film) -> Storyboard:
        return usual_board(record(row.collective, row.algorithm, ranks=RANKS))

    text = f"{row.title[:1].upper()}{row.title[1:]} on {RANKS} ranks."
    return type(scene_name(row), (Film,), {"board": board, "__doc__": text, "__module__": __name__})


for _row in ROWS:
    globals()[scene_name(_row)] = scene(_row)
