"""What films draw: scenes, one for each kind of thing that a passage of a score shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from manim import VMobject

from animations.score.score import Passage, TextCard
from animations.story.comparison import Comparison
from animations.story.flights import Flights
from animations.story.sheet import Sheet
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme
from animations.story.training import TrainingStory


class Scene(Protocol):
    """Mobjects in drawing order, in four layers; `show` and `travel` put new points in them.

    still: never change. settled: change from shot to shot. moving: change in every frame of a
    shot that travels. front: as settled, above what moves; both may change
    in some of its frames, too.
    """

    sheet: Sheet
    theme: Theme
    still: list[VMobject]
    settled: list[VMobject]
    moving: list[VMobject]
    front: list[VMobject]

    def show(self, moment: Any) -> None:
        """Draw a moment, with what is under way at its beginning."""

    def travels(self, moment: Any) -> bool:
        """Whether anything moves on in this moment."""

    def travel(self, time: float) -> None:
        """Put what is under way where it is at `time` of the shot, from 0 to 1."""


def scene_of(passage: Passage, theme: Theme, folder: Path | None = None) -> Scene:
    """The scene that draws a passage.

    folder: for files that Manim makes of formulas, for a moment; else one of the system's.
    """
    from animations.film.clock_stage import ClockStage
    from animations.film.page_scene import PageScene
    from animations.film.stage import Stage
    from animations.film.title_cards import TitleCard
    from animations.film.training import TrainingScene

    if isinstance(passage.shown, Comparison):
        from animations.film.comparison_stage import ComparisonStage

        return ComparisonStage(passage.shown, theme)
    if isinstance(passage.shown, TextCard):
        return TitleCard(passage.shown, theme, folder)
    if isinstance(passage.shown, Storyboard):
        return Stage(passage.shown, theme)
    if isinstance(passage.shown, TrainingStory):
        return TrainingScene(passage.shown, theme)
    if isinstance(passage.shown, Flights):
        return ClockStage(passage.shown, theme)
    return PageScene(passage.shown, theme)


def mobjects(scene: Scene) -> list[VMobject]:
    """All mobjects of a scene, in drawing order."""
    return [*scene.still, *scene.settled, *scene.moving, *scene.front]
