"""What is drawn of a passage: a scene for each kind, the layers of its shots, and stills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from animations.drawing.render.outlines import Outline, kept
from animations.drawing.render.painter import NO_BACKGROUND, Canvas, Layers, Pixels
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.score.score import Passage, Shot, TextCard
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard
from animations.story.training import TrainingStory


class Scene(Protocol):
    """Outlines in drawing order, in four layers, which `show` and `travel` make anew."""

    sheet: Sheet
    theme: Theme

    @property
    def still(self) -> Sequence[Outline]:
        """What never changes."""

    @property
    def settled(self) -> Sequence[Outline]:
        """What changes from shot to shot, and in some frames of a shot that travels."""

    @property
    def moving(self) -> Sequence[Outline]:
        """What changes in every frame of a shot that travels."""

    @property
    def front(self) -> Sequence[Outline]:
        """As `settled`, above what moves."""

    def show(self, moment: Any) -> None:
        """Draw a moment, with what is under way at its beginning."""

    def travels(self, moment: Any) -> bool:
        """Whether anything moves on in this moment."""

    def travel(self, time: float) -> None:
        """Put what is under way where it is at `time` of the shot, from 0 to 1."""


def scene_of(passage: Passage, theme: Theme) -> Scene:
    """The scene that draws a passage."""
    from animations.pictures.clock_stage import ClockStage
    from animations.pictures.fading import FadingStage
    from animations.pictures.page_scene import PageScene
    from animations.pictures.stage import Stage
    from animations.pictures.title_cards import TitleCard
    from animations.pictures.training import TrainingScene

    if isinstance(passage.shown, DrawnComparison):
        from animations.pictures.comparison_stage import ComparisonStage

        return ComparisonStage(passage.shown, theme)
    if isinstance(passage.shown, TextCard):
        return TitleCard(passage.shown, theme)
    if isinstance(passage.shown, Storyboard):
        if any(passage.beside):
            return FadingStage(passage.shown, theme, passage.beside)
        return Stage(passage.shown, theme)
    if isinstance(passage.shown, TrainingStory):
        return TrainingScene(passage.shown, theme)
    if isinstance(passage.shown, TimedBoard):
        return ClockStage(passage.shown, theme)
    return PageScene(passage.shown, theme)


def drawn(scene: Scene) -> list[Outline]:
    """All outlines of a scene, in drawing order."""
    return [*scene.still, *scene.settled, *scene.moving, *scene.front]


class Layered:
    """The layers of a scene's shots; an outline that stays the same is the same object."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._last: Layers = [[], [], [], []]

    def canvas(self, size: tuple[int, int], background: str = "", cues: bool = False) -> Canvas:
        """An empty canvas for the layers; its background is the theme's unless named.

        cues: whether it has room for subtitles below the page.
        """
        theme, sheet = self.scene.theme, self.scene.sheet
        area = sheet.in_film if cues else sheet.page
        return Canvas(size, background or theme.background, len(self._last), area)

    def of_frames(self, shot: Shot, frames: int) -> Iterator[tuple[Layers, int]]:
        """The pictures of a shot of so many frames, each with the number of frames it is shown."""
        travels = shot.travels and self.scene.travels(shot.moment)
        times = [i / frames for i in range(frames)] if travels else [0.0]
        for layers in self.at(shot, times if frames else []):
            yield layers, frames // len(times)

    def at(self, shot: Shot, times: Iterable[float]) -> Iterator[Layers]:
        """The layers of a shot at several times of its way, from 0 to 1."""
        scene, last = self.scene, self._last
        scene.show(shot.moment)
        still = kept(scene.still, last[0])
        for time in times:
            scene.travel(time)
            changing = (scene.settled, scene.moving, scene.front)
            known = zip(changing, last[1:], strict=True)
            self._last = last = [still, *(kept(layer, before) for layer, before in known)]
            yield last


def still(
    scene: Scene,
    shot: Shot,
    time: float,
    size: tuple[int, int],
    transparent: bool = False,
    cues: bool = False,
) -> Pixels:
    """One picture, [height, width, 3]: a shot with its chunks at `time` of their way.

    transparent: [height, width, 4], without a background. cues: with room for subtitles.
    """
    layered = Layered(scene)
    canvas = layered.canvas(size, NO_BACKGROUND * transparent, cues)
    for layers in layered.at(shot, [time]):
        canvas.draw(layers)
    return np.asarray(canvas.image()) if transparent else canvas.rgb()
