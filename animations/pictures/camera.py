"""A camera over a stage: the part of it that is seen, which moves from some cards to others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from animations.drawing.curves import rectangles
from animations.drawing.nearby import near, text_box
from animations.drawing.render.outlines import Outline, look, moved
from animations.drawing.scenery import Scenery, Word
from animations.drawing.shapes import MOTION, Box, ColoredBox, Shape, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.score.score import AWAY, Nodes
from animations.story.storyboard import Storyboard

BACK = 0.9  # of its size that a stage has which has given way to a page
SLACK = 6.0  # pixels by which what is of a stage may leave it


@dataclass(frozen=True)
class Camera:
    """Looks at one part of the stage, then at another; `until`: of a shot, that it moves."""

    stage: Box
    first: Box
    last: Box
    until: float

    def at(self, time: float) -> tuple[float, tuple[float, float]]:
        """How much larger all is at a time of the shot, and by how much it is then shifted."""
        part = MOTION.eased(time / self.until) if self.until else 1.0
        wide = self.first.width * (self.last.width / self.first.width) ** part
        if abs(self.last.width - self.first.width) > 1:  # the fixed point of both stays
            part = (wide - self.first.width) / (self.last.width - self.first.width)
        x = self.first.x + part * (self.last.x - self.first.x)
        y = self.first.y + part * (self.last.y - self.first.y)
        scale = self.stage.width / wide
        return scale, (self.stage.x - scale * x, self.stage.y - scale * y)

    def shows(self, box: Box) -> bool:
        """Whether a box of the stage is seen whole where it looks at last."""
        return self.last.holds(box)

    def uncut(self, scenery: Scenery) -> Scenery:
        """A scenery without gauges that are cut; if a word or a chip of no node is, without all."""

        def whole(*boxes: Box) -> bool:
            return all(seen.holds(box) for seen in (self.first, self.last) for box in boxes)

        gauges = tuple(gauge for gauge in scenery.gauges if whole(gauge.box))
        chips = tuple(chip for chip in scenery.chips if chip.node is not None)
        free = (chip.box for chip in scenery.chips if chip.node is None)
        if whole(*free, *map(_box_of, scenery.words)):
            return replace(scenery, gauges=gauges)
        return replace(scenery, gauges=gauges, chips=chips, words=())

    def through(self, shown: Iterable[Outline], time: float) -> list[Outline]:
        """Outlines as they are seen at a time."""
        scale, shift = self.at(time)
        return [moved(outline, scale, shift) for outline in shown if len(outline.points)]


def _box_of(word: Word) -> Box:
    """The room of a word of the stage."""
    return text_box(TextLine(word.text, word.x, word.baseline, word.size, "", align=word.align))


def camera_of(board: Storyboard, nodes: tuple[Nodes, Nodes], until: float) -> Camera:
    """The camera that moves from the cards of some nodes to those of others."""
    first, last = (_region(board, each) for each in nodes)
    return Camera(board.sheet.stage, first, last, until if first != last else 0.0)


def _region(board: Storyboard, nodes: Nodes) -> Box:
    """The part of the page that is seen: the stage, some cards, or more."""
    stage = board.sheet.stage
    if not nodes:
        return stage
    if nodes == AWAY:
        return Box(stage.x, stage.y, stage.width / BACK, stage.height / BACK)
    return near(board.scenery, stage, nodes)


def parted(shapes: Iterable[Shape], stage: Box) -> tuple[list[Shape], list[Shape]]:
    """The shapes on the stage, and those above and below it."""
    inside, outside = list[Shape](), list[Shape]()
    for shape in shapes:
        if isinstance(shape, ColoredBox):
            y = shape.box.y
        elif isinstance(shape, TextLine):
            y = shape.baseline
        else:
            y = sum(point[1] for point in shape.points) / len(shape.points)
        there = stage.top - SLACK <= y <= stage.bottom + SLACK
        (inside if there else outside).append(shape)
    return inside, outside


def around_stage(sheet: Sheet, theme: Theme) -> Outline:
    """What hides the stage above and below its place."""
    stage, width, high = sheet.stage, sheet.width, sheet.height
    top, low = stage.top - SLACK, stage.bottom + SLACK
    boxes = [Box(width / 2, top / 2, width, top)]
    boxes.append(Box(width / 2, (low + high) / 2, width, high - low))
    return Outline(rectangles(boxes), look(theme.background))
