"""A step as an animation of Manim: data flies from cells to cells, where they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from manim import Animation, linear

from animations.manim.anchored import at_frame
from animations.pictures.stage import flown
from animations.pictures.step_flights import StepFlights
from animations.score.score import Keyframe
from animations.story.flights import flies

if TYPE_CHECKING:
    from animations.manim.group import CollectiveGroup

FLYING = 7  # outlines of what is on its way, beside those of the marks: see `StepFlights`


class StepAnimation(Animation):  # type: ignore[misc]
    """One step of a `Collective`, from the state before it to the state after it.

    >>> from animations.manim import Collective
    >>> ring = Collective("all_reduce", "ring", ranks=3)
    >>> step = ring.step(2, run_time=1.5)
    >>> step.begin()
    >>> ring.state
    1
    >>> step.finish()
    >>> ring.state
    2
    """

    def __init__(self, group: CollectiveGroup, number: int, **options: Any) -> None:
        super().__init__(group, **{"rate_func": linear, **options})
        self.number = number
        self._flights: StepFlights | None = None

    def create_starting_mobject(self) -> CollectiveGroup:
        """The group itself: a step is drawn from the recording, not from what was there."""
        group: CollectiveGroup = self.mobject
        return group

    def begin(self) -> None:
        """Show the state before the step, and its data in the cells it leaves."""
        board, frame = self.mobject.board, self.mobject.board.frames[self.number - 1]
        self._flights = None
        if flies(board.scenery, frame):
            colors = board.view.mark_colors(self.mobject.drawn.theme)
            self._flights = StepFlights(board, frame, len(colors))
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Draw the step at a part of its time."""
        time = self.rate_func(min(max(alpha, 0.0), 1.0))
        self.mobject.draw(Keyframe(self.number, landed=time >= 1))
        if self._flights is not None and time < 1:
            self._fly(self._flights, time)

    def _fly(self, flights: StepFlights, time: float) -> None:
        """Draw the data on its way between where its cells are now."""
        group, board, theme = self.mobject, self.mobject.board, self.mobject.drawn.theme
        ends = [
            [group.cell(node, slot).anchor.frame for node, slot in (from_, to)]
            for column in flights.columns
            for from_, to in [
                (
                    (column.transfer.src, column.transfer.chunk),
                    (column.transfer.dst, column.transfer.into),
                )
            ]
        ]
        start, end = np.array(ends).swapaxes(0, 1)
        frames = start + flights.traveled(time) * (end - start)
        owned = flights.owned(time)
        drawn = flown([points for points, _ in owned], board.view.mark_colors(theme), theme)
        group.fly(drawn, [at_frame(points, frames[owner]) for points, owner in owned])
