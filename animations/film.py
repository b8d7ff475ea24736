"""A storyboard as a film: how long things take, subtitles, and rendering to a file."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from manim import Camera, MathTypst, Mobject, Scene, tempconfig
from PIL import Image

from animations import cards
from animations.panels import Moment
from animations.script import shots
from animations.shapes import on_page
from animations.stage import Stage, Travel
from animations.storyboard import Storyboard
from animations.theme import DARK, Theme
from collectives.errors import BadInput
from collectives.files import check_writable, replacing

QUALITIES = {  # letter: width, height in pixels, frames per second; Manim's own
    "l": (854, 480, 15),
    "m": (1280, 720, 30),
    "h": (1920, 1080, 60),
    "p": (2560, 1440, 60),
    "k": (3840, 2160, 60),
}
Progress = Callable[[int, int], None]


class Film(Scene):  # type: ignore[misc]
    """Every step of a storyboard, from the start to the proved end."""

    theme = DARK

    def board(self) -> Storyboard:
        """The storyboard that is shown."""
        raise NotImplementedError

    def progress(self, step: int, total: int) -> None:
        """Called when so many steps of `total` have been drawn."""

    def construct(self) -> None:
        """Play the script: each shot with its subtitle, each step a section."""
        board = self.board()
        self.camera.background_color = self.theme.background
        stage = Stage(board, self.theme)
        self.add(*stage.mobjects)
        formulas = _formulas(board, self.theme)
        for shot in shots(board):
            stage.show(shot.moment)
            stage.show_card(shot.card)
            self.remove(*formulas)
            if shot.card:
                self.add(*formulas)
            if shot.section:
                self.next_section(shot.section)
            self._say(shot.caption, shot.seconds)
            if shot.travels and stage.flies(shot.moment.step):
                self.play(Travel(stage, shot.seconds))
            else:
                self.wait(shot.seconds)
            if shot.travels:
                self.progress(shot.moment.step, len(board.frames))

    def _say(self, caption: str, seconds: float) -> None:
        """A subtitle for the coming seconds; a sentence that goes on is not begun again."""
        said = self.renderer.file_writer.subcaptions
        if said and said[-1].content == caption:
            said[-1].end += timedelta(seconds=seconds)
        else:
            self.add_subcaption(caption, duration=seconds)


def _formulas(board: Storyboard, theme: Theme) -> list[Mobject]:
    """The closed forms of the cards, set by Typst."""
    found = []
    for formula in cards.card_formulas(board):
        mobject = MathTypst(formula.text, font_size=40, color=theme.ink)
        x, y, _ = on_page(np.array([[formula.x, formula.y]]))[0]
        found.append(mobject.move_to([x + mobject.width / 2, y, 0]))
    return found


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
