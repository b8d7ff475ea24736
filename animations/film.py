"""A storyboard as a film: how long things take, subtitles, and rendering to a file."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from manim import Camera, Scene, tempconfig
from PIL import Image

from animations import panels
from animations.panels import Moment
from animations.stage import Stage, Travel
from animations.storyboard import Storyboard
from animations.theme import DARK
from collectives.errors import BadInput
from collectives.files import check_writable, replacing

QUALITIES = {  # letter: width, height in pixels, frames per second; Manim's own
    "l": (854, 480, 15),
    "m": (1280, 720, 30),
    "h": (1920, 1080, 60),
    "p": (2560, 1440, 60),
    "k": (3840, 2160, 60),
}
OPENING, PAUSE, ENDING = 2.0, 0.4, 3.0  # seconds
Progress = Callable[[int, int], None]


class Film(Scene):  # type: ignore[misc]
    """Every step of a storyboard, from the start to the proved end."""

    def board(self) -> Storyboard:
        """The storyboard that is shown."""
        raise NotImplementedError

    def progress(self, step: int, total: int) -> None:
        """Called when so many steps of `total` have been drawn."""

    def construct(self) -> None:
        """Draw the start, each step with its subtitle, and the end."""
        board = self.board()
        total = len(board.frames)
        self.camera.background_color = DARK.background
        stage = Stage(board)
        stage.show(Moment(0))
        self.add(*stage.mobjects)
        self._hold(OPENING if total else ENDING, panels.caption(board, Moment(0)))
        phase = -1
        for number, frame in enumerate(board.frames, 1):
            first = frame.phase != phase
            phase = frame.phase
            travel, rest = tempo(board, number)
            caption = panels.caption(board, Moment(number))
            stage.show(Moment(number, landed=False))
            pause = PAUSE if first else 0.0
            self.add_subcaption(caption, duration=pause + travel + rest)
            if first:
                self.wait(pause)
            if stage.flies(number):
                self.play(Travel(stage, travel))
            else:
                self.wait(travel)
            stage.show(Moment(number))
            self.wait(rest)
            self.progress(number, total)
        if total:
            self._hold(ENDING, f"{board.ending}.")

    def _hold(self, seconds: float, caption: str) -> None:
        self.add_subcaption(caption, duration=seconds)
        self.wait(seconds)


def still(board: Storyboard, path: str | Path, moment: Moment, time: float = 0.0) -> None:
    """One picture as a .png of 1920 × 1080: a moment, the chunks at `time` of their way."""
    stage = Stage(board)
    stage.show(moment)
    stage.travel(time)
    with tempconfig({"pixel_width": 1920, "pixel_height": 1080}):
        camera = Camera(background_color=DARK.background)
        camera.capture_mobjects(stage.mobjects)
    with replacing(path) as file:
        Image.fromarray(camera.pixel_array[:, :, :3]).save(file, "PNG", optimize=True)


def tempo(board: Storyboard, number: int) -> tuple[float, float]:
    """Seconds a step travels and rests: slowly for the first two of a phase, then faster."""
    phase = board.phases[board.frames[number - 1].phase]
    if number - phase.first <= 2:
        return 1.6, 0.4
    if board.view == "matrix":
        return 0.25, 0.05
    travel = 1.6 if board.nodes <= 4 else 1.0 if board.nodes <= 8 else 0.7
    return travel, 0.4 if travel > 1 else 0.15


def render(board: Storyboard, path: str | Path, quality: str, progress: Progress) -> Path:
    """Render a storyboard to an .mp4 with an .srt beside it; the path of the film.

    Everything is made in a temporary folder and moved when it is complete, so that an
    interrupted render leaves nothing at the target. Raises BadInput for a path that cannot be
    written and an unknown quality.
    """
    if quality not in QUALITIES:
        raise BadInput(f"-q {quality}: must be one of {', '.join(QUALITIES)}")
    target = check_writable(path)
    if target.suffix != ".mp4":
        raise BadInput(f"{path}: a film is written as .mp4; nearest: {target.with_suffix('.mp4')}")
    width, height, rate = QUALITIES[quality]
    with tempfile.TemporaryDirectory(prefix="collectives-") as folder:
        settings: dict[str, Any] = {
            "media_dir": folder,
            "output_file": "film",
            "pixel_height": height,
            "pixel_width": width,
            "frame_rate": rate,
            "disable_caching": True,
            "progress_bar": "none",
            "verbosity": "ERROR",
            "write_to_movie": True,
            "video_encoder_options": {"preset": "veryfast", "crf": "20"},
        }
        logging.getLogger("manim").setLevel(logging.ERROR)
        with tempconfig(settings):
            scene = _film_of(board, progress)
            scene.render()
            movie = Path(scene.renderer.file_writer.movie_file_path)
        subtitles = movie.with_suffix(".srt")
        for made, place in ((subtitles, target.with_suffix(".srt")), (movie, target)):
            with made.open("rb") as file, replacing(place) as out:
                shutil.copyfileobj(file, out)
    return target


def _film_of(story: Storyboard, report: Progress) -> Film:
    class Render(Film):
        """The film of one storyboard."""

        def board(self) -> Storyboard:
            return story

        def progress(self, step: int, total: int) -> None:
            report(step, total)

    return Render()
