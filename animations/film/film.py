"""A score as a film: rendered to a file with its subtitles, or played by Manim."""

from __future__ import annotations

import re
from datetime import timedelta
from math import ceil
from pathlib import Path

from manim import Scene, UpdateFromAlphaFunc, linear
from PIL import Image

from animations.drawing.render.cache import NOTHING_KEPT, user_cache
from animations.drawing.render.manim import Mobjects
from animations.drawing.render.painter import TILE
from animations.drawing.sheet import Sheet
from animations.drawing.theme import DARK, Theme
from animations.film.engine import Progress, render_film
from animations.film.gif import write_gif
from animations.pictures.scene import Scene as StillScene
from animations.pictures.scene import drawn, scene_of, still
from animations.pictures.stage import Stage
from animations.score.score import Score, Shot
from animations.score.steps import score_of
from animations.story.storyboard import Storyboard
from collectives.choices import QUALITIES, RENDERERS
from collectives.errors import BadInput
from collectives.files import check_suffix, put, replacing, working_folder

SECTION = re.compile(r"film(_\d{4}_.*\.mp4|\.json)")  # Manim's names in a folder of sections
WORK = rf"\d+\.mp4|film\.(mp4|srt|vtt)|(sections|before)/{SECTION.pattern}"  # on the way to a film
SUFFIXES = (".mp4", ".gif", ".png")
SUBTITLES = (".srt", ".vtt")


class Film(Scene):  # type: ignore[misc]
    """Every step of a storyboard, from the start to the proved end."""

    theme = DARK

    def board(self) -> Storyboard:
        """The storyboard that is shown."""
        raise NotImplementedError

    def score(self) -> Score:
        """What is shown when: by default the score of the storyboard."""
        return score_of(self.board())

    def construct(self) -> None:
        """Play all shots, each with its subtitle, each step a section."""
        self.camera.background_color = self.theme.background
        for passage in self.score().passages:
            scene = scene_of(passage, self.theme)
            drawing = Mobjects()
            self.clear()
            self.add(drawing)
            for shot in passage.shots:
                scene.show(shot.moment)
                drawing.draw(drawn(scene))
                if shot.section:
                    self.next_section(shot.section)
                self._subtitle(shot.said, shot.seconds)
                if shot.travels and scene.travels(shot.moment):

                    def travel(mobjects: Mobjects, time: float, scene: StillScene = scene) -> None:
                        scene.travel(time)
                        mobjects.draw(drawn(scene))

                    way = UpdateFromAlphaFunc(drawing, travel)
                    self.play(way, run_time=shot.seconds, rate_func=linear)
                else:
                    self.wait(shot.seconds)

    def _subtitle(self, caption: str, seconds: float) -> None:
        """A subtitle for the coming seconds, or more time for one that is shown already."""
        captions = self.renderer.file_writer.subcaptions
        if captions and captions[-1].content == caption:
            captions[-1].end = timedelta(seconds=self.renderer.time + seconds)
            return
        self.add_subcaption(caption, duration=seconds)
        for before in captions[-2:-1]:
            before.end = min(before.end, captions[-1].start)


def picture(
    board: Storyboard,
    path: str | Path,
    shot: Shot,
    time: float = 0.0,
    size: tuple[int, int] = (1920, 1080),
    theme: Theme = DARK,
) -> None:
    """One picture as a .png: a shot with its chunks at `time` of their way, from 0 to 1."""
    _write_still(Stage(board, theme), path, shot, time, size)


def _write_still(
    scene: StillScene,
    path: str | Path,
    shot: Shot,
    time: float,
    size: tuple[int, int],
    transparent: bool = False,
) -> None:
    with replacing(path) as file:
        pixels = still(scene, shot, time, size, transparent)
        Image.fromarray(pixels).save(file, "PNG", optimize=True)


def render(
    score: Score,
    path: str | Path,
    quality: str,
    progress: Progress,
    theme: Theme = DARK,
    sections: bool = False,
    cache: bool = True,
    transparent: bool = False,
    renderer: str = RENDERERS[0],
) -> Path:
    """Render a score: .mp4 with .srt and .vtt beside it, .gif, or .png of its end; the path.

    Everything is made elsewhere and moved when it is complete, so that an interrupted render
    leaves nothing at the target. sections: also a folder NAME-sections with a film for each
    step and an index. cache: whether finished parts are kept, and taken from films rendered
    before. transparent: a .png has no background. renderer: of RENDERERS, of a .mp4: "manim" has
    every frame taken by Manim's camera, which is slower and looks the same. Raises BadInput for a
    path that cannot be written, an unknown quality and an unknown renderer.
    """
    if quality not in QUALITIES:
        raise BadInput(f"quality {quality}: must be one of {', '.join(QUALITIES)}")
    target = check_suffix(path, SUFFIXES, "a film")
    if renderer not in RENDERERS:
        raise BadInput(f"renderer {renderer}: must be one of {', '.join(RENDERERS)}")
    width, height, rate = frame_size(score.sheet, quality)
    if target.suffix == ".gif":
        write_gif(score, target, (width, height), progress, theme)
    elif target.suffix == ".png":
        passage, shot = score.result
        _write_still(scene_of(passage, theme), target, shot, 0.0, (width, height), transparent)
    else:
        size = width, height, rate
        _render_movie(score, target, size, progress, theme, sections, cache, renderer)
    return target


def frame_size(sheet: Sheet, quality: str) -> tuple[int, int, int]:
    """Width and height of a film, its shorter side as of 16:9, in even pixels, and its rate.

    The height is one of whole tiles, as encoding takes it.
    """
    long, short, rate = QUALITIES[quality]
    if sheet.width > sheet.height:
        return min(long, 2 * round(short * sheet.width / sheet.height / 2)), short, rate
    return short, TILE * ceil(short * sheet.height / sheet.width / TILE), rate


def _render_movie(
    score: Score,
    target: Path,
    size: tuple[int, int, int],
    progress: Progress,
    theme: Theme,
    sections: bool,
    cache: bool,
    renderer: str,
) -> None:
    """Render in a folder beside the target, then move the film, its subtitles, its sections."""
    sections_folder = target.with_name(f"{target.stem}-sections").resolve()
    if sections:
        _check_sections(sections_folder)
    kept = user_cache() if cache else NOTHING_KEPT
    with working_folder(target, WORK) as folder:
        movie = render_film(score, theme, size, folder, progress, sections, kept, renderer)
        if sections:
            _check_sections(sections_folder)  # again: meanwhile something may have been put there
            if sections_folder.exists():
                sections_folder.rename(folder / "before")
            (folder / "sections").rename(sections_folder)
        for suffix in SUBTITLES:  # rather none, for a moment, than those of another film
            target.with_suffix(suffix).unlink(missing_ok=True)
        put(movie, target)
        for suffix in SUBTITLES:
            put(movie.with_suffix(suffix), target.with_suffix(suffix))


def _check_sections(folder: Path) -> None:
    """Raise BadInput unless the folder is free for sections: absent, or with a film's only."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"--sections: {folder} is a file; move it, or name another film")
    for file in sorted(folder.iterdir()) if folder.exists() else ():
        if not SECTION.fullmatch(file.name):
            raise BadInput(
                f"--sections: {file} is no part of a film; move it, or name another film"
            )
