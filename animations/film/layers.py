"""What a shot shows at any time, read from the stage: outlines in four layers."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from manim import tempconfig

from animations.film.painter import Canvas, Outline, outlines
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
        theme, sheet = self.stage.theme, self.stage.board.sheet
        return Canvas(size, theme.background, len(self._last), sheet.width)

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
        if shot.card:  # which covers all else
            yield [[], [], [], outlines([*stage.card, *self._formulas])]
            return
        for time in times:
            stage.travel(time)
            self._last = last = [still, settled, outlines(stage.moving, last[2]), front]
            yield last

    @cached_property
    def _formulas(self) -> list[Any]:
        logging.getLogger("manim").setLevel(logging.ERROR)
        with TemporaryDirectory(dir=self._folder) as folder, tempconfig({"media_dir": folder}):
            return formulas(self.stage.board, self.stage.theme)
