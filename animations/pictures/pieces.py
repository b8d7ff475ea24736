"""A step in pieces that are addressed: ground, cards, cells, lines and counters, each by a key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from animations.drawing.drawing import in_theme
from animations.drawing.glyphs import text_width
from animations.drawing.scenery_shapes import ground_boxes, is_lit, strokes
from animations.drawing.shapes import Box, ColoredBox, Shape, TextLine, goal_bar
from animations.drawing.theme import Theme
from animations.pictures import step as picture
from animations.pictures.card_text import label_lines, name_lines, sent_lines, zeros
from animations.pictures.cells import card_wells, panel
from animations.pictures.panels import progress_text
from animations.pictures.step_flights import mark_text
from animations.score.score import Keyframe
from animations.story.cell_marks import axis_labels
from animations.story.storyboard import Storyboard
from animations.story.transfers import NodeSlot, Transfer
from animations.story.wrong import stuck_at

Piece = tuple[str, int, int]  # a kind, then a node and a well, a line or a counter, or zeros
GROUND, CARD, CELL, LINE = "ground", "card", "cell", "line"
BELOW, FRONT, COUNTER = "below", "front", "counter"
LABEL, FIGURE = 26.0, 40.0  # pixels of the letters of a counter


def pieces(board: Storyboard, keyframe: Keyframe, theme: Theme) -> dict[Piece, list[Shape]]:
    """What the stage of a keyframe shows, in drawing order; data on its way is not in it.

    It has the same keys at every keyframe of a storyboard.
    """
    drawn: dict[Piece, list[Shape]] = defaultdict(list)
    drawn[GROUND, 0, 0] += ground_boxes(board.scenery, theme)
    if board.scenery.table:
        drawn[GROUND, 0, 0] += in_theme(axis_labels(board), theme)
    _draw_cards(drawn, board, keyframe, theme)
    _draw_cells(drawn, board, keyframe, theme)
    at = keyframe.step, not keyframe.landed
    moving = () if stuck_at(board, keyframe.done) else None
    lit = [line for line in board.scenery.lines if is_lit(line, at[0], moving)]
    covered = {frozenset(line.points) for line in lit}
    for number, line in enumerate(board.scenery.lines):
        alone = replace(board.scenery, lines=(line,), chips=())
        seen = line.fixed or line in lit or frozenset(line.points) not in covered
        drawn[LINE, number, 0] += strokes(alone, *at, theme, moving) if seen else []
    hatches = strokes(replace(board.scenery, lines=()), *at, theme, moving)
    drawn[BELOW, 0, 0] += [*hatches, *picture.below(board, at, theme)]
    drawn[FRONT, 0, 0] += picture.lens(board, keyframe, theme)
    drawn[FRONT, 0, 0] += picture.faults(board, keyframe.done, theme, keyframe.revealed)
    drawn[FRONT, 0, 0] += picture.above(board, at, theme)
    drawn[FRONT, 0, 0] += progress_text(board, keyframe, theme)
    for number in range(len(board.counters)):
        drawn[COUNTER, number, 0] += _counter(board, number, keyframe.done, theme)
    return dict(drawn)


def _counter(board: Storyboard, number: int, done: int, theme: Theme) -> Iterator[TextLine]:
    """A counter's name, its figures, and below the middle one what they are."""
    box, row = counter_box(board, number), board.counters[number]
    texts = [(row.label, LABEL, "sans"), (row.text(done), FIGURE, "mono")]
    if number == len(board.counters) // 2:
        texts.append((board.heading, LABEL, "sans"))
    base = box.top
    for text, size, face in texts:
        fits = min(size, box.width / max(text_width(text, 1.0, face), 0.1))
        base += 1.15 * size
        color = theme.ink if face == "mono" else theme.faint
        yield TextLine(text, box.x, base, fits, color, face, "center")


def _draw_cards(
    drawn: dict[Piece, list[Shape]], board: Storyboard, keyframe: Keyframe, theme: Theme
) -> None:
    """Panels with their names and labels; wells that many cells share."""
    for node, card in enumerate(board.scenery.cards):
        wells = list(card_wells(board, card, theme))
        own = len(wells) == len(card.shape.cells)
        drawn[CARD, node, 0] += [*panel(board, card, theme), *([] if own else wells)]
        for well in range(len(card.shape.cells)):
            drawn[CELL, node, well] += wells[well : well + 1] if own else []
    names = name_lines(board, lambda name: text_width(name, 1.0, "bold"))
    sent = sent_lines(board, board.sent(keyframe.done))
    for node, text in (*names, *label_lines(board), *zeros(board), *sent):
        drawn[CARD, node, 0] += in_theme([text], theme)


def _draw_cells(
    drawn: dict[Piece, list[Shape]], board: Storyboard, keyframe: Keyframe, theme: Theme
) -> None:
    """What is in cells, on wells that are there already, and what is read, written or stale."""
    scenery, colors, well = board.scenery, board.view.mark_colors(theme), board.scenery.fold.well
    for node, number in board.goals:
        drawn[CELL, node, number].append(
            ColoredBox(goal_bar(scenery.cards[node].cell(number)), theme.complete)
        )
    held, stale = board.cells(keyframe.done), board.stale(keyframe.done)
    marked = {*board.outlined(keyframe.step, keyframe.landed)}
    read, written = (defaultdict[NodeSlot, list[Transfer]](list) for _ in range(2))
    for transfer in board.frames[keyframe.step - 1].transfers if keyframe.step else ():
        if not keyframe.landed and not transfer.is_local:
            read[transfer.src, well[transfer.chunk]].append(transfer)
        written[transfer.dst, well[transfer.into]].append(transfer)
    for at in [(node, number) for kind, node, number in drawn if kind == CELL]:
        marks = board.view.marks(held[at], scenery.cards[at[0]].cell(at[1])) if at in held else []
        texts = [text for text in map(mark_text, marks) if text[0]]
        drawn[CELL, *at] += [
            *(ColoredBox(mark.box, colors[mark.ink]) for mark in marks),
            *(TextLine(*text, theme.now_ink, align="center") for text in texts),
            *picture.outlined(board, stale & {at}, read[at], written[at], theme),
            *picture.traced(board, marked & {at}, theme),
        ]


def keyframes(board: Storyboard) -> Iterator[Keyframe]:
    """The start, then each step under way and landed."""
    yield Keyframe(0)
    for step in range(1, len(board.frames) + 1):
        yield from (Keyframe(step, landed) for landed in (False, True))


def piece_box(board: Storyboard, piece: Piece) -> Box:
    """The place of a piece on the page; of what belongs to no card, that of all cards."""
    kind, first, second = piece
    cards = board.scenery.cards
    if kind == CARD:
        return cards[first].box
    if kind == CELL:
        return cards[first].cell(second)
    if kind == COUNTER:
        return counter_box(board, first)
    if kind == LINE:
        line = board.scenery.lines[first]
        ends = [Box(x, y, line.width, line.width) for x, y in (line.points[0], line.points[-1])]
        return _around(ends)
    return _around([card.box for card in cards])


def _around(boxes: list[Box]) -> Box:
    return Box.between(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def counter_box(board: Storyboard, number: int) -> Box:
    """The place of a counter: side by side, in the sheet's box for them."""
    box = board.sheet.counters or board.sheet.stage
    wide = box.width / len(board.counters)
    return Box(box.left + (number + 0.5) * wide, box.y, 0.92 * wide, box.height)
