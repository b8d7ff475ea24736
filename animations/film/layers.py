"""What a shot shows at any time, read from its scene: outlines in four layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from animations.film.painter import Canvas, Outline, outlines
from animations.film.scene import Scene
from animations.score.score import Shot

Layers = list[list[Outline]]  # what stays, what a shot settles, what moves, what lies in front


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
        shown = sheet.in_film if cues else sheet.page
        return Canvas(size, background or theme.background, len(self._last), shown)

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
        still = outlines(scene.still, last[0])
        for time in times:
            scene.travel(time)
            changing = (scene.settled, scene.moving, scene.front)
            known = zip(changing, last[1:], strict=True)
            self._last = last = [still, *(outlines(each, before) for each, before in known)]
            yield last
