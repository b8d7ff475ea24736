"""An exercise as a page of a lecture: what is asked, the options, and the answer when it comes."""

from __future__ import annotations

from dataclasses import dataclass

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for, text_width
from animations.drawing.shapes import TextLine, in_lines
from collectives.exercises import LETTERS, Exercise

SIZES = (44.0, 40.0, 36.0, 32.0, 28.0, 25.0, 22.0)  # pixels of the letters, the first that fit
PITCH = 1.34  # of a line, in letters
ABOVE = 16.0  # pixels by which a page without numbers may begin higher


@dataclass(frozen=True)
class ExercisePage(Headed):
    """A problem; its one item is the answer, a mark beside the right option or the number."""

    problem: Exercise | None = None

    @property
    def items(self) -> int:
        """The answer."""
        return 1

    def at(self, item: int, time: float) -> Drawing:
        """The problem, and with its item the answer."""
        assert self.problem
        size = next((size for size in SIZES if self._height(size) <= BOTTOM - TOP), SIZES[-1])
        layers, base = [self.head], TOP - ABOVE + size
        for text in self._lines(self.problem.text, size):
            layers.append(_line(text, base, size))
            base += PITCH * size
        base += 0.5 * size
        if self.problem.material:
            small = self._material_size(size)
            for text in self.problem.material:
                layers.append(_line(text, base, small, face="mono"))
                base += PITCH * small
            base += 0.5 * size
        for text, right in self._options():
            shown = right and item > 0
            lines = self._lines(text, size)
            for row, line in enumerate(lines):
                tone = "ink" if shown or not item else "faint"
                layers.append(_line(line, base, size, tone, "bold" if shown else "sans"))
                if shown and not row:
                    mark = bar(LEFT, base - 0.34 * size, 10, size, "now")
                    layers.append(Drawing(boxes=(mark,)))
                base += PITCH * size
        if self.problem.value is not None and item:
            layers.append(_line(self.problem.right, base, size, "ink", "bold"))
        return joined(layers)

    def _options(self) -> list[tuple[str, bool]]:
        assert self.problem
        lettered = zip(LETTERS, self.problem.answers, strict=False)
        return [(f"{letter}) {offered.text}", offered.right) for letter, offered in lettered]

    def _lines(self, text: str, size: float) -> list[str]:
        return in_lines(text, lambda line: text_width(line, size) <= RIGHT - LEFT - 40)

    def _material_size(self, size: float) -> float:
        assert self.problem
        return size_for(max(self.problem.material, key=len), RIGHT - LEFT - 40, size, 14.0, "mono")

    def _height(self, size: float) -> float:
        assert self.problem
        texts = [self.problem.text, *(text for text, _ in self._options())]
        rows = sum(len(self._lines(text, size)) for text in texts)
        rows += self.problem.value is not None
        high = PITCH * size * rows + 1.5 * size - ABOVE
        if self.problem.material:
            high += PITCH * self._material_size(size) * len(self.problem.material)
        return high


def _line(text: str, base: float, size: float, tone: str = "ink", face: str = "sans") -> Drawing:
    return Drawing(lines=(TextLine(text, LEFT + 40, base, size, tone, face),))
