"""What a shot shows at any time, read from the stage: outlines in four layers."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from manim import tempconfig

from animations.film.painter import FRAME, Canvas, Outline, outlines
from animations.film.shots import Shot
from animations.film.stage import Stage
from animations.film.title_cards import formulas

Layers = list[list[Outline]]  # what stays, what a shot settles, what moves, names


class Layered:
    """The layers of a stage's shots; an outline that stays the same is the same object.

    folder: for files that Manim makes of formulas, for a moment; else one of the system's.
    """

    def __init__(self, stage: Stage, folder: Path | None = None) -> None:
        self.stage, self._folder = stage, folder
        self._last: Layers = [[], [], [], []]

    def canvas(self, size: tuple[int, int]) -> Canvas:
        """An empty canvas for the layers."""
        return Canvas(size, self.stage.theme.background, len(self._last))

    def of_frames(self, shot: Shot, frames: int) -> Iterator[tuple[Layers, int]]:
        """The pictures of a shot of so many frames, each with the number of frames it is shown."""
        travels = shot.travels and self.stage.draws_moves(shot.keyframe.step)
        times = [i / frames for i in range(frames)] if travels else [0.0]
        for layers in self.at(shot, times if frames else []):
            yield layers, frames // len(times)

    def at(self, shot: Shot, times: Iterable[float]) -> Iterator[Layers]:
        """The layers of a shot at several times of its way, from 0 to 1."""
        stage, last = self.stage, self._last
        stage.show(shot.keyframe)
        stage.show_card(shot.card)
        still = outlines(stage.still, last[0])
        settled = outlines(stage.settled, last[1])
        front = outlines(stage.front, last[3])
        card = outlines([*stage.card, *(self._formulas if shot.card else ())])
        for time in times:
            stage.travel(time)
            self._last = last = [still, settled, outlines(stage.moving, last[2]), front]
            yield _seen([*last[:3], [*front, *card]]) if shot.card else last

    @cached_property
    def _formulas(self) -> list[Any]:
        logging.getLogger("manim").setLevel(logging.ERROR)
        with TemporaryDirectory(dir=self._folder) as folder, tempconfig({"media_dir": folder}):
            return formulas(self.stage.board, self.stage.theme)


def _seen(layers: Layers) -> Layers:
    """The layers without what a page of one color covers, as a card does."""
    top = layers[-1]
    cover = max((i for i, outline in enumerate(top) if _covers(outline)), default=None)
    return layers if cover is None else [*([] for _ in layers[:-1]), top[cover:]]


def _covers(outline: Outline) -> bool:
    """Whether it is an opaque rectangle as large as the page."""
    points = np.abs(outline.points[:, :2])
    corners = (np.isclose(points, np.array(FRAME) / 2)).all(axis=1)
    return len(points) == 16 and corners.sum() == 8 and outline.look[3] == 1.0
