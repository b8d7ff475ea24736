"""Films as GIF: frames drawn without a codec between, one palette that keeps every theme color."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageColor

from animations.drawing.render.painter import Pixels
from animations.drawing.theme import DARK, Theme
from animations.pictures.scene import Layered, scene_of
from animations.score.score import Passage, Score, Shot, gives_way
from collectives.files import replacing

RATE = 10  # frames per second
COLORS = 96  # of the palette, for shades at the edges too
SWATCH = 1500  # pixels of each theme color that the palette is made from


def write_gif(
    score: Score,
    path: str | Path,
    size: tuple[int, int],
    progress: Callable[[int, int], None],
    theme: Theme = DARK,
) -> None:
    """Write a film as a GIF of this width and height.

    Cards and whys are left out, so that it loops through the steps. Pixels that do not change from
    one frame to the next are transparent in the later one, which keeps the file small.
    """
    passages = [
        dataclasses.replace(
            passage, shots=tuple(shot for shot in passage.shots if not gives_way(shot))
        )
        for passage in score.passages
        if passage.runs
    ]
    every = sum(_count(shot) for passage in passages for shot in passage.shots)
    frames: list[Pixels] = []
    durations: list[int] = []
    done = 0
    for passage in passages:
        for shot, pictures in zip(passage.shots, _drawn(passage, size, theme), strict=True):
            for frame, lasts in pictures:
                frames.append(frame)
                durations.append(lasts)
            done += _count(shot)
            progress(done, every)
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


def _drawn(
    passage: Passage, size: tuple[int, int], theme: Theme
) -> Iterator[Iterator[tuple[Pixels, int]]]:
    """The frames of each shot, each with the milliseconds it lasts."""
    layered = Layered(scene_of(passage, theme))
    canvas = layered.canvas(size)

    def frames(shot: Shot) -> Iterator[tuple[Pixels, int]]:
        count = _count(shot)
        for layers, lasted in layered.of_frames(shot, count):
            canvas.draw(layers)
            yield canvas.rgb(), round(100 * shot.seconds * lasted / count) * 10

    return map(frames, passage.shots)


def _count(shot: Shot) -> int:
    """How many frames a shot has."""
    return max(1, round(shot.seconds * RATE))


def _palette(frames: list[Pixels], theme: Theme) -> Any:
    """Colors of a sample of the frames, with enough of each theme color to be kept."""
    sample = [frame[::3, ::3].reshape(-1, 3) for frame in frames[:: max(1, len(frames) // 12)]]
    values = dataclasses.astuple(theme)
    parts = [c for value in values for c in (value if isinstance(value, tuple) else (value,))]
    colors = [ImageColor.getrgb(color)[:3] for color in parts if isinstance(color, str)]
    swatches = [np.tile(color, (SWATCH, 1)) for color in colors]
    pixels = np.concatenate([*sample, *swatches]).astype(np.uint8)
    return Image.fromarray(pixels[None]).quantize(COLORS, kmeans=3, dither=Image.Dither.NONE)
