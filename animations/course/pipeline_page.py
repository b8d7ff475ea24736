"""A page of a pipeline: a lane for each stage, more and more micro-batches, turns counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from animations.course.headed import LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import HATCH, MOTION, Align, Box, ColoredBox, Stroke, TextLine
from animations.drawing.time_lanes import hatched, span
from animations.story.training import texts
from collectives.training.timeline import Span, Timeline
from collectives.units import time_text
from collectives.words import percent

FIRST, ROWS, HIGH = LEFT + 190.0, 430.0, 0.66  # pixels: where lanes begin, all rows; part of a row
COUNTED, SHARES, SHARE = TOP + ROWS + 16, TOP + ROWS + 194, 430.0  # below: turns, runs; of a run
GONE = 0.85  # part of a sentence in which time passes, or turns are counted
NAME, FIGURE = 34.0, 50.0  # pixels of letters
TONES = {"forward": "phase 0", "backward": "phase 1"}
PARTS = "forward", "whole", "wide", "turns"


@dataclass(frozen=True)
class PipelinePage(Headed):
    """A step in more and more micro-batches; then its forward pass from near, its turns counted.

    run: the step in so many micro-batches. comes: of each item how many, and what it brings: its
    "forward" pass, the "whole" step, at the scale of the first or as "wide" as the page, or the
    "turns" of its forward pass.
    """

    run: Callable[[int], Timeline] = field(kw_only=True)
    comes: tuple[tuple[int, str], ...] = ()

    @property
    def items(self) -> int:
        """How many times something passes, or is counted."""
        return len(self.comes)

    def at(self, item: int, time: float) -> Drawing:
        """The lanes, as far as time has passed; below them turns, and how much each run waits."""
        (before, *past), (count, *state) = self._state(item - 1), self._state(item)
        past = past if before == count else [0.0, state[1]]
        moved, line = MOTION.eased(min(time / GONE, 1.0)), self.run(count)
        passed, seen = (a + (b - a) * moved for a, b in zip(past, state, strict=True))
        layers = [self.head, *self._lanes(line, passed, seen)]
        if item and self.comes[item - 1][1] == "turns":
            layers += _turns(line, seen, moved)
        runs = dict.fromkeys(number for number, _ in self.comes[:item])
        ended = [number for number in runs if number != count or passed == line.total]
        layers += (self._share(*run) for run in enumerate(ended))
        return joined(layers)

    def _state(self, item: int) -> tuple[int, float, float]:
        """After an item: how many micro-batches, and how many seconds have passed, and are seen."""
        count, part = self.comes[item - 1] if item > 0 else (self.comes[0][0], "")
        line, widest = self.run(count), self.run(self.comes[0][0]).total
        forward = _work(line)[-1].end
        seen = {"wide": line.total, "turns": forward}.get(part, widest)
        return count, {"": 0.0, "forward": forward}.get(part, line.total), seen

    def _lanes(self, line: Timeline, passed: float, seen: float) -> Iterator[Drawing]:
        """What each stage has done, and hatched where it waits; one micro-batch is outlined."""
        now, followed = min(passed, seen), f"{len(_work(line)) // 2}"
        for stage in range(line.gpus):
            name = texts(self.language)["words"]["stage"].format(number=stage)
            tone = f"rank {stage % 8}"
            yield _words(name, LEFT, _box(line, stage, 0, 0, seen).y + 0.36 * NAME, NAME, tone)
            for start, end in (gap for gap in line.waiting(stage) if gap[0] < now):
                box = _box(line, stage, start, min(end, now), seen)
                yield Drawing(strokes=tuple(hatched(box, "faint", 1.4, HATCH)))
        for part in (part for part in line.spans if part.start < now):
            width, edge = (8.0, "ink") if part.label == followed else (3.0, "")
            box = _box(line, part.gpu, part.start, min(part.end, now), seen)
            if part.timing:  # a hop
                ends = (part.timing.messages.src[0], part.timing.messages.dst[0])
                points = tuple((box.x, _box(line, int(end), 0, 0, seen).y) for end in ends)
                yield Drawing(strokes=(Stroke(points, "now", width),))
                continue
            yield Drawing((ColoredBox(box, TONES[part.kind], 4, edge, 5.0),))
            if part.end <= now and box.width > NAME:
                yield _words(part.label, box.x, box.y + 0.36 * NAME, NAME, "now_ink", "center")

    def _share(self, place: int, count: int) -> Drawing:
        """How long a run takes, and what part of it stages wait."""
        line, x = self.run(count), LEFT + SHARE * place
        waits = f"{percent(line.waited)} {texts(self.language)['kinds']['waiting']}"
        head = _words(f"m = {count}: {time_text(line.total, 3)}", x, SHARES, NAME, "faint")
        share = _words(waits, x, SHARES + 56, FIGURE, "ink")
        wide = (SHARE - 50.0) * line.total / self.run(self.comes[0][0]).total  # all on one scale
        works = bar(x, SHARES - 62, wide * (1 - line.waited), 30.0, "phase 0")
        rest = span(works.box.right, x + wide, works.box.y, works.box.height, 0.0, 0.0)
        scaled = Drawing((works,), tuple(hatched(rest, "faint", 1.4, HATCH)))
        return head + share + scaled


def _work(line: Timeline) -> list[Span]:
    """The forward pass of the last stage."""
    return [part for part in line.lane(line.gpus - 1) if part.kind == "forward"]


def _idle(line: Timeline) -> int:
    """How many turns, each as long as a micro-batch on a stage, the last stage waits at first."""
    first = _work(line)[0]
    return round(first.start / (first.end - first.start))


def _box(line: Timeline, stage: int, start: float, end: float, seen: float) -> Box:
    """The part of a stage's lane between two times."""
    left, right = (FIRST + (RIGHT - FIRST) * min(time / seen, 1.0) for time in (start, end))
    pitch = ROWS / line.gpus
    return span(left, right, TOP + 20 + pitch * (stage + 0.5), HIGH * pitch, 2.0, 2.0)


def _words(text: str, x: float, y: float, size: float, tone: str, align: Align = "left") -> Drawing:
    return Drawing(lines=(TextLine(text, x, y, size, tone, "bold", align),))


def _turns(line: Timeline, seen: float, counted: float) -> Iterator[Drawing]:
    """Below the last stage its idle turns and those in which it works, one after another."""
    work, idle = _work(line), _idle(line)
    now = round(counted * (idle + len(work)))
    rows = (0.0, work[0].start, idle), (work[0].start, work[-1].end, len(work))
    for start, end, turns in rows:
        done, now = min(turns, max(0, now)), now - turns
        box = _box(line, 0, start, end, seen)
        edges = [box.left + box.width * k / turns for k in range(done + 1)]
        for left, right in pairwise(edges):
            yield Drawing(
                strokes=(Stroke(((left + 5, COUNTED), (right - 5, COUNTED)), "now", 8.0),)
            )
        yield _words(
            f"{done or ''}", (edges[0] + edges[-1]) / 2, COUNTED + 58, FIGURE, "now", "center"
        )
