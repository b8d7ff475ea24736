"""Scenery at a moment: lines, boxes and text in the colors of a theme, for film and figure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from animations.drawing.scenery import Chip, Scenery, StageLine
from animations.drawing.shapes import UNLIT, Box, ColoredBox, Stroke, TextLine, hatch
from animations.drawing.theme import Theme

EDGE = 2.2  # pixels of the border of chips and grounds
DASH = 9.0  # pixels, half of what a dash and the gap after it take
SMALL = 13.0  # pixels of the smallest text of a chip


def strokes(
    scenery: Scenery,
    step: int,
    under_way: bool,
    theme: Theme,
    moving: Collection[tuple[int, tuple[int, int]]] | None = None,
) -> list[Stroke]:
    """The lines after `step` steps, the last of them under way or landed; lit ones last.

    moving: the steps and links of messages on their way, where steps are not the clock.
    """
    quiet, lit = [], []
    for line in scenery.lines:
        if not is_shown(line.states, step - under_way):
            continue
        tone = theme.tone(line.tone)
        if is_lit(line, step, moving):
            lit.append(Stroke(line.points, tone, line.width, line.arrow))
        elif line.fixed:
            quiet.append(Stroke(line.points, tone, line.width))
        elif not line.brief and (not line.hidden or _used(line, step)):
            color = theme.edge if _used(line, step) else theme.link
            quiet.append(Stroke(line.points, color, UNLIT * line.width))
    hatched = [chip.box for chip in scenery.chips if chip.hatched]
    lines = [Stroke(points, theme.link, 1.6) for box in hatched for points in hatch(box)]
    return lines + quiet + lit


def is_lit(
    line: StageLine, step: int, moving: Collection[tuple[int, tuple[int, int]]] | None
) -> bool:
    """Whether a message of the step, or one that moves, passes along a line."""
    if line.fixed:
        return False
    if moving is None:
        return step in line.steps
    return any(number in line.steps and line.carries(*link) for number, link in moving)


def _used(line: StageLine, step: int) -> bool:
    return bool(line.steps) and line.steps[0] <= step


def is_shown(states: tuple[int, int] | None, state: int) -> bool:
    """Whether something is there after so many steps."""
    return states is None or states[0] <= state <= states[1]


def ground_boxes(scenery: Scenery, theme: Theme) -> Iterator[ColoredBox]:
    """The boxes behind the cards: each with a border, and its filling over it."""
    for ground in scenery.grounds:
        box = ground.box
        if ground.edge:
            yield ColoredBox(box, theme.tone(ground.edge), ground.radius)
        if ground.dashed:
            yield from _gaps(box, theme.background)
        fill = theme.tone(ground.fill or "background")
        inner = Box(box.x, box.y, box.width - 2 * EDGE, box.height - 2 * EDGE)
        yield ColoredBox(inner if ground.edge else box, fill, max(ground.radius - EDGE, 0))


def _gaps(box: Box, color: str) -> Iterator[ColoredBox]:
    """What is left out of the border of a box that is dashed."""
    across, down = int(box.width / DASH), int(box.height / DASH)
    for i in range(1, across, 2):
        yield ColoredBox(Box(box.left + i * DASH + DASH / 2, box.y, DASH, box.height), color)
    for i in range(1, down, 2):
        yield ColoredBox(Box(box.x, box.top + i * DASH + DASH / 2, box.width, DASH), color)


def moment_boxes(
    scenery: Scenery, step: int, under_way: bool, theme: Theme, also: Collection[int] = ()
) -> Iterator[ColoredBox]:
    """Chips and gauges after `step` steps, the last of them under way or landed.

    Borders of chips, then what is in them; hatched ones are lines. also: other steps under way.
    """
    insides = []
    for chip in scenery.chips:
        if chip.hatched:
            continue
        edge, fill, _ = _chip_colors(chip, step, theme, also)
        box = chip.box
        border = min(EDGE, 0.2 * box.width, 0.2 * box.height)
        inner = Box(box.x, box.y, box.width - 2 * border, box.height - 2 * border)
        yield ColoredBox(box, edge, 7)
        insides.append(ColoredBox(inner, fill, 5))
    yield from insides
    for gauge in scenery.gauges:
        yield ColoredBox(gauge.box, theme.well, 6)
        share = gauge.shares[step - under_way]
        wide = gauge.box.width * (share or 1)
        left = Box(gauge.box.left + wide / 2, gauge.box.y, wide, gauge.box.height)
        yield ColoredBox(left, theme.tone(gauge.tone) if share else theme.well, 6)


def _chip_colors(
    chip: Chip, step: int, theme: Theme, also: Collection[int]
) -> tuple[str, str, str]:
    """Border, filling and text."""
    tone = theme.tone(chip.tone)
    if not {step, *also}.isdisjoint(chip.steps):
        return theme.now, theme.now if not chip.stays else tone, theme.now_ink
    if chip.stays and chip.steps and chip.steps[-1] < step:
        return tone, tone, theme.now_ink
    if not chip.steps:
        return theme.line, theme.well, theme.faint
    return theme.edge if chip.stays else tone, theme.panel, theme.faint


def moment_text(
    scenery: Scenery, step: int, under_way: bool, theme: Theme, also: Collection[int] = ()
) -> Iterator[TextLine]:
    """Words, texts of chips and of gauges after `step` steps; see `moment_boxes`."""
    for word in scenery.words:
        if word.step in (None, step) and is_shown(word.states, step - under_way):
            face = "bold" if word.bold else "sans"
            tone = theme.tone(word.tone)
            yield TextLine(word.text, word.x, word.baseline, word.size, tone, face, word.align)
    for chip in scenery.chips:
        size = min(20.0, 0.62 * chip.box.height, 1.5 * chip.box.width / max(1, len(chip.text)))
        if chip.text and size >= SMALL:
            color = _chip_colors(chip, step, theme, also)[2]
            base = chip.box.y + 0.36 * size
            yield TextLine(chip.text, chip.box.x, base, size, color, "sans", "center")
    for gauge in scenery.gauges:
        box, text = gauge.box, gauge.texts[step - under_way]
        yield TextLine(f"{gauge.label} {text}".strip(), box.left, box.top - 8, 20, theme.ink)
