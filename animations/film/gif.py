"""Films as GIF: frames drawn without a codec between, one palette that keeps every theme color."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor

from animations.film.layers import Layered
from animations.film.shots import Shot, shots
from animations.film.stage import Stage
from animations.story.storyboard import Storyboard
from animations.story.theme import DARK, Theme
from collectives.files import replacing

Pixels = npt.NDArray[np.uint8]
RATE = 10  # frames per second
COLORS = 96  # of the palette, for shades at the edges too
SWATCH = 400  # pixels of each theme color that the palette is made from


def still(stage: Stage, shot: Shot, time: float, size: tuple[int, int]) -> Pixels:
    """One picture, [height, width, 3]: a shot with its chunks at `time` of their way."""
    layered = Layered(stage)
    canvas = layered.canvas(size)
    for layers in layered.at(shot, [time]):
        canvas.draw(layers)
    return canvas.rgb()


def write_gif(
    board: Storyboard,
    path: str | Path,
    size: tuple[int, int],
    progress: Callable[[int, int], None],
    theme: Theme = DARK,
) -> None:
    """Write the film of a storyboard as a GIF of this width and height.

    Cards are left out, so that it loops through the steps. Pixels that do not change from one
    frame to the next are transparent in the later one, which keeps the file small.
    """
    layered = Layered(Stage(board, theme))
    canvas = layered.canvas(size)
    frames: list[Pixels] = []
    durations: list[int] = []
    for shot in shots(board):
        if shot.card:
            continue
        count = max(1, round(shot.seconds * RATE))
        for layers, shown in layered.of_frames(shot, count):
            canvas.draw(layers)
            frames.append(canvas.rgb())
            durations.append(round(100 * shot.seconds * shown / count) * 10)
        if shot.travels:
            progress(shot.keyframe.step, len(board.frames))
    palette = _palette(frames, theme)
    images = [
        Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in frames
    ]
    with replacing(path) as file:
        images[0].save(
            file,
            "GIF",
            save_all=True,
            append_images=images[1:],
            duration=durations,
            loop=0,
            optimize=True,
            disposal=1,
        )


def _palette(frames: list[Pixels], theme: Theme) -> Any:
    """Colors of a sample of the frames, with enough of each theme color to be kept."""
    sample = [frame[::3, ::3].reshape(-1, 3) for frame in frames[:: max(1, len(frames) // 12)]]
    values = dataclasses.astuple(theme)
    given = [c for value in values for c in (value if isinstance(value, tuple) else (value,))]
    colors = [ImageColor.getrgb(color)[:3] for color in given if isinstance(color, str)]
    swatches = [np.tile(color, (SWATCH, 1)) for color in colors]
    pixels = np.concatenate([*sample, *swatches]).astype(np.uint8)
    return Image.fromarray(pixels[None]).quantize(COLORS, kmeans=3, dither=Image.Dither.NONE)
