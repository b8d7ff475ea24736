"""Renders films in parts: each is drawn and encoded by itself, and kept under what it shows."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import av
import cairo
import numpy as np

from animations.drawing.render import encoder, painter, subtitles
from animations.drawing.render.cache import NOTHING_KEPT, Kept
from animations.drawing.render.painter import Layers
from animations.drawing.render.side_by_side import most_workers, side_by_side
from animations.drawing.render.sound import Piece
from animations.drawing.theme import Theme
from animations.pictures.scene import Layered, scene_of
from animations.score.score import Score, Shot
from collectives.choices import RENDERERS
from collectives.memory_limit import check_memory

BYTES_OF_PIXEL, BYTES_OF_WORKER = 80, 150 << 20  # of memory, as measured
LEAST_SECONDS = 2.0  # seconds of a part, unless it is a section of its own
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Part:
    """Shots in a row of one passage, each with its frames; the section it begins with."""

    passage: int
    shots: tuple[tuple[Shot, int], ...]
    name: str

    @property
    def frames(self) -> int:
        """How many frames it has."""
        return sum(frames for _, frames in self.shots)


def cut(score: Score, rate: int, sections: bool = False) -> list[Part]:
    """The film in parts that begin where sections do: of one each, or of at least two seconds.

    The end of each shot is rounded to a frame, so the film is right to a frame everywhere.
    """
    parts: list[Part] = []
    seconds, done = 0.0, 0
    for number, passage in enumerate(score.passages):
        for place, shot in enumerate(passage.shots):
            long = bool(parts) and parts[-1].frames >= LEAST_SECONDS * rate
            if not place or (shot.section and (sections or long)):
                parts.append(Part(number, (), shot.section))
            last = parts[-1]
            seconds += shot.seconds
            frames = round(round(seconds * rate, 6)) - done  # half a frame is half a frame
            done += frames
            parts[-1] = replace(last, shots=(*last.shots, (shot, frames)))
    return parts


class Renderer:
    """Draws and encodes parts of a film; size: width, height, frames per second."""

    def __init__(
        self,
        score: Score,
        theme: Theme,
        size: tuple[int, int, int],
        parts: Sequence[Part],
        folder: Path,
        kept: Kept,
        renderer: str = RENDERERS[0],
    ) -> None:
        self.score, self.theme, self.size = score, theme, size
        self.parts, self.folder, self.kept, self.renderer = parts, folder, kept, renderer
        self._passage = -1  # the one whose scene is there
        self._layered: Layered
        self._picture: encoder.YuvFrame | None = None

    def __call__(self, number: int) -> None:
        """Write a part to its file in the folder: the kept one, if one shows the same."""
        layers_of_part = self.shown(self.parts[number])
        digest = self.digest(layers_of_part)
        film = self.kept.get(digest)
        frames = sum(count for _, count in layers_of_part)
        if film is None or not encoder.is_film(film, self.size[:2], self.size[2], frames):
            film = encoder.encoded(self._frames(layers_of_part), self.size[:2], self.size[2])
            self.kept.put(digest, film)
        self.path(number).write_bytes(film)

    def shown(self, part: Part) -> list[tuple[Layers, int]]:
        """The pictures of a part, each with the number of frames it is shown."""
        if part.passage != self._passage:
            scene = scene_of(self.score.passages[part.passage], self.theme)
            self._passage, self._layered, self._picture = part.passage, Layered(scene), None
        return [
            picture
            for shot, frames in part.shots
            for picture in self._layered.of_frames(shot, frames)
        ]

    def path(self, number: int) -> Path:
        """The file of a part."""
        return self.folder / f"{number}.mp4"

    def _frames(self, stills: Sequence[tuple[Layers, int]]) -> Iterator[Any]:
        picture = self._picture = self._picture or encoder.YuvFrame(self._canvas())
        for layers, count in stills:
            picture.show(layers)
            for _ in range(count):
                yield picture.frame

    def _canvas(self) -> encoder.Pictured:
        """What draws the frames: cairo, or Manim's camera."""
        if self.renderer == "cairo":
            return self._layered.canvas(self.size[:2], cues=True)
        from animations.drawing.render.manim import CameraCanvas

        return CameraCanvas(self.size[:2], self.theme.background, self._layered.scene.sheet.in_film)

    def digest(self, stills: Sequence[tuple[Layers, int]]) -> str:
        """A digest of all that the pictures depend on."""
        digest = blake2b(_means(), digest_size=20)
        digest.update(
            repr((self.size, self._layered.scene.sheet.in_film, self.theme.background)).encode()
        )
        digest.update(self.renderer.encode())
        for layers, count in stills:
            digest.update(repr((count, *map(len, layers))).encode())
            for outline in (outline for layer in layers for outline in layer):
                digest.update(outline.digest)
        return digest.hexdigest()


@lru_cache(maxsize=1)
def _means() -> bytes:
    """What else pictures depend on: this code and the versions of the libraries that draw."""
    digest = blake2b(repr((cairo.cairo_version_string(), av.__version__)).encode())
    for module in (painter, encoder):
        digest.update(Path(str(module.__file__)).read_bytes())
    frame = av.VideoFrame.from_ndarray(np.zeros((16, 16, 3), np.uint8)).reformat(format="yuv420p")
    digest.update(encoder.encoded([frame], (16, 16), 15))  # names its encoder and all its options
    return digest.digest()


def render_film(
    score: Score,
    theme: Theme,
    size: tuple[int, int, int],
    folder: Path,
    progress: Progress,
    sections: bool = False,
    kept: Kept = NOTHING_KEPT,
    renderer: str = RENDERERS[0],
) -> Path:
    """Render film.mp4 with .srt and .vtt, if wanted `sections`, in a folder; the film's path.

    progress: called with the number of frames that are done, and of all. renderer: of RENDERERS.
    """
    parts = cut(score, size[2], sections)
    renders = Renderer(score, theme, size, parts, folder, kept, renderer)
    render_parts(renders, progress)
    paths = [renders.path(number) for number in range(len(parts))]
    film = folder / "film.mp4"
    sentences = spoken(parts, size[2])
    cues = subtitles.cues(sentences, sentences[-1][1])
    voice = Piece(score.voice) if score.voice else None
    track = encoder.Track(cues, chapters(parts, size[2]), score.language, voice)
    encoder.join(paths, film, size[2], score.title, track)
    film.with_suffix(".srt").write_text(subtitles.srt(cues), "utf-8")
    film.with_suffix(".vtt").write_text(subtitles.vtt(cues), "utf-8")
    if sections:
        _write_sections(renders, folder / "sections")
    return film


def render_parts(renderer: Renderer, progress: Progress) -> None:
    """Render all parts, in as many processes as there is room for."""
    size, parts = renderer.size, renderer.parts
    memory = size[0] * size[1] * BYTES_OF_PIXEL + BYTES_OF_WORKER
    workers = min(len(parts), most_workers(memory))
    check_memory(workers * memory, f"a film of {size[0]} × {size[1]} pixels")
    with closing(side_by_side(renderer, len(parts), workers)) as done:
        ended, every = 0, sum(part.frames for part in parts)
        progress(0, every)
        for number in done:
            ended += parts[number].frames
            progress(ended, every)
    renderer.kept.trim()


def spoken(parts: Sequence[Part], rate: int) -> list[subtitles.Spoken]:
    """What is said from when to when, to a frame; one that stays is there for all its shots."""
    spans: list[tuple[str, int, int]] = []
    end = 0
    for part in parts:
        for shot, frames in part.shots:
            first = spans.pop()[1] if spans and spans[-1][0] == shot.said else end
            end += frames
            spans.append((shot.said, first, end))
    return [(first / rate, last / rate, text) for text, first, last in spans]


def chapters(parts: Sequence[Part], rate: int) -> list[subtitles.Spoken]:
    """The chapters, each up to the next or the end, with their names."""
    starts, end = list[tuple[float, str]](), 0
    for part in parts:
        for shot, frames in part.shots:
            starts += [(end / rate, shot.chapter)] if shot.chapter else []
            end += frames
    ends = [*(start for start, _ in starts[1:]), end / rate][: len(starts)]
    return [(start, last, name) for (start, name), last in zip(starts, ends, strict=True)]


def plain(name: str) -> str:
    """The name of a section as a part of a file's."""
    return re.sub(r"[^\w]+", "-", unicodedata.normalize("NFKC", name)).strip("-_") or "section"


def _write_sections(renderer: Renderer, folder: Path) -> None:
    """A film for each section, and their index, named as Manim names them."""
    folder.mkdir()
    width, height, rate = renderer.size
    index = []
    for number, part in enumerate(renderer.parts):
        file = f"film_{number:04}_{plain(part.name)}.mp4"
        frames = encoder.join([renderer.path(number)], folder / file, rate, part.name)
        index.append(
            {
                "name": part.name,
                "type": "default.normal",
                "video": file,
                "width": width,
                "height": height,
                "nb_frames": str(frames),
                "duration": f"{frames / rate:.6f}",
                "avg_frame_rate": f"{rate}/1",
                "codec_name": "h264",
                "pix_fmt": "yuv420p",
            }
        )
    (folder / "film.json").write_text(json.dumps(index, indent=4), "utf-8")
