"""A contact sheet of a film: pictures at even distances of time, in rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from animations.drawing.theme import Theme
from animations.pictures.scene import scene_of, still
from animations.score.score import Passage, Score, Shot
from collectives.files import replacing

COLUMNS, ROWS, WIDTH = 4, 6, 480  # pictures; pixels of each


def moments(score: Score, count: int) -> Iterator[tuple[Passage, Shot, float]]:
    """So many moments at even distances: the shot, and the part of its time that has passed."""
    begun, wanted = 0.0, [(number + 0.5) * score.seconds / count for number in range(count)]
    for passage, shot in score:
        ended = begun + shot.seconds
        while wanted and wanted[0] < ended:
            yield passage, shot, (wanted.pop(0) - begun) / shot.seconds
        begun = ended


def write_contact_sheet(score: Score, path: str | Path, theme: Theme) -> None:
    """Write the sheet as .png."""
    sheet = score.sheet
    height = round(WIDTH * sheet.height / sheet.width)
    picture = Image.new("RGB", (COLUMNS * WIDTH, ROWS * height))
    drawn: Passage | None = None
    for number, (passage, shot, time) in enumerate(moments(score, COLUMNS * ROWS)):
        if passage is not drawn:
            drawn, scene = passage, scene_of(passage, theme)
        cell = Image.fromarray(still(scene, shot, time, (WIDTH, height)))
        row, column = divmod(number, COLUMNS)
        picture.paste(cell, (column * WIDTH, row * height))
    with replacing(path) as file:
        picture.save(file, "PNG", optimize=True)
