"""A page of a plot: lines and points over a logarithmic axis, one after the other, then marks."""

from __future__ import annotations

from dataclasses import dataclass, field

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.drawing.drawing import Drawing
from animations.drawing.plot import LABELS, Plot, Series
from animations.drawing.shapes import MOTION, Box

GROWN = 0.7  # part of its time in which a curve grows; points have their name after half of it
ROOM = Box.between(LEFT + 150, TOP + 50, RIGHT - LABELS, BOTTOM - 80)  # below the axis' name


@dataclass(frozen=True)
class PlotPage(Headed):
    """Curves that come one after the other, over axes; then marks, values with a line."""

    plot: Plot = field(kw_only=True)
    curves: tuple[Series, ...] = ()
    marks: tuple[float, ...] = ()

    @property
    def items(self) -> int:
        """How many curves come, and then marks."""
        return len(self.curves) + len(self.marks)

    def at(self, item: int, time: float) -> Drawing:
        """The curves that have come, the last growing from left to right; a point is read off."""
        plot, layers = self.plot, [self.head, self.plot.grid]
        grown = MOTION.eased(time / GROWN)
        for number, curve in enumerate(self.curves[:item], 1):
            if number == item and len({*curve.xs}) == 1:
                layers.append(plot.guides(curve, grown))
            layers.append(plot.drawn(curve, grown if number == item else 1.0))
        early = time < GROWN / 2 and any(curve.points for curve in self.curves[item - 1 : item])
        layers.append(Drawing(lines=tuple(plot.names(self.curves[: item - early], self.curves))))
        marks = self.marks[: max(0, item - len(self.curves))]
        for number, value in enumerate(marks, len(self.curves) + 1):
            now = grown if number == item else 1.0
            layers.append(plot.mark(value, plot.across.written(value), now))
        return joined(layers)
