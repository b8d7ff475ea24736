"""The text and bars of a picture, as plain data: position, size, color."""

from __future__ import annotations

from animations.film.glyphs import fitted, text_width
from animations.film.shots import Keyframe
from animations.film.source_panel import current_line, source_text
from animations.story import cell_marks
from animations.story.drawing import (
    COLUMN,
    COUNTERS,
    INSIDE,
    INSIDE_RIGHT,
    LEGEND,
    MARGIN,
    RIGHT,
    ROOM,
    SOURCE,
    STAGE,
    TABLE,
    TIMELINE,
    Box,
    ColoredBox,
    TextLine,
)
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme

WIDE = STAGE.right - MARGIN - 10  # of the lines above the stage
LEAST_NAME = 18.0  # pixels of the name of a card; a smaller one is cut to its number
SMALLEST_NAME = 15.0  # of that number; smaller ones are left out


def fixed_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """Text that stays: title, names of ranks, labels of slots, headings, legend."""
    top = COUNTERS.top
    lines = [
        TextLine(fitted(board.title, WIDE, 46, "bold"), MARGIN, 78, 46, theme.ink, "bold"),
        TextLine("Counters", INSIDE, top + 40, 27, theme.ink, "bold"),
        TextLine(board.heading, INSIDE_RIGHT, top + 39, 19, theme.faint, align="right"),
    ]
    width = TIMELINE.width / max(1, len(board.frames))
    for i, phase in enumerate(board.phases):
        name = fitted(phase.name, width * (phase.end - phase.first) - 12, 22)
        x = TIMELINE.left + width * phase.first
        lines.append(TextLine(name, x, 1054, 22, phase_color(theme, i)))
    rows = _row_text if board.view == "matrix" else _card_text
    return lines + rows(board, theme) + _legend_text(board, theme)


def _card_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The labels of the slots of each card."""
    lines, wells = [], board.scenery.fold.well
    for card in board.scenery.cards:
        shape = card.shape
        for slot in range(board.slots if shape.labels else 0):
            if wells.index(wells[slot]) != slot:
                continue
            x, y = card.cell(wells[slot]).x, card.box.top + shape.labels[wells[slot]]
            text = board.labels.short(slot)
            lines.append(TextLine(text, x, y, shape.label_size, theme.faint, align="center"))
    return lines


def card_names(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The name of each card, or its number where that has no room; none on rows of a matrix."""
    lines = []
    for node, card in enumerate(board.scenery.cards if not board.scenery.table else ()):
        box, shape = card.box, card.shape
        if shape.header < SMALLEST_NAME:
            continue
        edge = 0.12 if shape.name_at == "center" else 0.2
        room = 0.42 * box.width if shape.shows_sent else box.width - min(16, edge * box.width)
        size, color = min(26.0, 0.82 * shape.header), theme.tone(card.name_tone)
        for name in (board.labels.node(node), board.labels.node(node).split()[-1]):
            fit = min(size, size * room / text_width(name, size, "bold"))
            if fit >= LEAST_NAME:
                break
        if fit < SMALLEST_NAME:
            continue
        base = box.top + 0.78 * shape.header + 2
        x = box.left + (12 if fit == size or shape.shows_sent else min(8, 0.1 * box.width))
        x = box.x if shape.name_at == "center" else x
        lines.append(TextLine(name, x, base, fit, color, "bold", shape.name_at))
    return lines


def _row_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """Labels of the rows and columns of the matrix."""
    return [
        TextLine(text, x, base, size, theme.faint, align=align)
        for text, x, base, size, align in cell_marks.axis_labels(board)
    ]


def _legend_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The meaning of the marks."""
    title = cell_marks.legend_title(board)
    size = min(23, 23 * ROOM / text_width(title, 23))
    lines = [
        TextLine(title, INSIDE, LEGEND.top + 38, size, theme.ink),
        TextLine(cell_marks.legend_note(board), INSIDE, LEGEND.bottom - 18, 21, theme.faint),
    ]
    small = 21 if board.shows_ranks or board.view == "bars" else 18
    for mark, label in enumerate(cell_marks.legend_labels(board)):
        box = swatch(board, mark)
        lines.append(TextLine(label, box.right + 8, box.bottom - 4, small, theme.ink))
    return lines


def keyframe_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """Text of one keyframe: subtitle, caption, source, counters, bytes sent."""
    frame = board.frames[keyframe.step - 1] if keyframe.step else None
    subtitle, caption = board.subtitle, board.captions[keyframe.step]
    if frame:
        phase = board.phases[frame.phase].name
        subtitle += f" · phase {frame.phase + 1} of {len(board.phases)}: {phase}"
    lines = [
        TextLine(fitted(subtitle, WIDE, 25), MARGIN, 118, 25, theme.faint),
        TextLine(fitted(caption, RIGHT - MARGIN, 30), MARGIN, 950, 30, theme.ink),
    ]
    if text := board.invariant(keyframe.step):
        lines.append(TextLine(fitted(text, RIGHT - MARGIN, 23), MARGIN, 986, 23, theme.faint))
    source = next((each.source for each in (frame, *board.frames[:1]) if each), None)
    if source is not None:
        lines += source_text(source, bool(frame), theme)
    lines += _counter_text(board, keyframe, theme)
    lines += _lens_text(board, keyframe, theme) + _progress_text(board, keyframe, theme)
    sent = board.sent(keyframe.done)
    for node, card in enumerate(board.scenery.cards):
        if card.shape.shows_sent:
            base = card.box.top + 0.78 * card.shape.header + 1
            text = f"sent {board.amount(sent[node])}"
            size = min(19.0, max(17.0, card.box.width / 15))
            right = card.box.right - 12
            lines.append(TextLine(text, right, base, size, theme.faint, align="right"))
    return lines


def fixed_boxes(board: Storyboard, theme: Theme) -> list[ColoredBox]:
    """Panels, tracks of the bars and swatches."""
    boxes = [ColoredBox(box, theme.panel, 14) for box in (SOURCE, COUNTERS, LEGEND)]
    boxes += [ColoredBox(_track(row), theme.well, 7) for row in range(len(board.counters))]
    colors = zip(cell_marks.mark_colors(board, theme), cell_marks.legend_labels(board), strict=True)
    for mark, (color, label) in enumerate(colors):
        if label:
            boxes.append(ColoredBox(swatch(board, mark), color, 3))
    return boxes


def keyframe_boxes(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[ColoredBox]:
    """The current line's band, the bars with their marks, the timeline."""
    boxes = []
    if keyframe.step and (source := board.frames[keyframe.step - 1].source) is not None:
        boxes.append(current_line(source, theme))
    for row, counter in enumerate(board.counters):
        track, scale = _track(row), max(counter.values[-1], counter.bound or 0) or 1
        if now := counter.values[keyframe.done]:
            width = track.width * now / scale
            bar = Box(track.left + width / 2, track.y, width, 14)
            boxes.append(ColoredBox(bar, theme.ranks[0], 7))
        if counter.bound is not None:
            mark = track.left + track.width * counter.bound / scale
            boxes.append(ColoredBox(Box(mark, track.y, 4, 28), theme.now))
    return boxes + _timeline(board, keyframe, theme)


def phase_color(theme: Theme, phase: int) -> str:
    """The color of a phase on the timeline."""
    return theme.phases[phase % len(theme.phases)]


def swatch(board: Storyboard, mark: int) -> Box:
    """The legend's square of a color; eight in a row, or five that have longer labels."""
    columns = 8 if board.shows_ranks or board.view == "bars" else cell_marks.PARTIAL + 1
    x = INSIDE + 12 + (mark % columns) * ROOM / columns
    return Box(x, LEGEND.top + 74 + 38 * (mark // columns), 24, 24)


def _timeline(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[ColoredBox]:
    boxes = []
    pitch = TIMELINE.width / max(1, len(board.frames))
    width = pitch - min(6.0, 0.2 * pitch)
    for i, frame in enumerate(board.frames):
        box = Box(TIMELINE.left + (i + 0.5) * pitch, TIMELINE.y, width, TIMELINE.height)
        color = phase_color(theme, frame.phase) if i < keyframe.done else theme.edge
        color = theme.now if i + 1 == keyframe.step and not keyframe.landed else color
        boxes.append(ColoredBox(box, color, 7))
    return boxes


def _counter_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    lines = []
    for row, counter in enumerate(board.counters):
        base, text = _track(row).top - 13, counter.text(keyframe.done)
        wide = text_width(counter.label, 22) + text_width(text, 22, "mono")
        size = min(22.0, 22 * (ROOM - 16) / wide)
        lines.append(TextLine(counter.label, INSIDE, base, size, theme.ink))
        lines.append(TextLine(text, INSIDE_RIGHT, base, size, theme.ink, "mono", "right"))
    return lines


def _lens_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The name of the enlarged chunk, above it, and its way, below."""
    lens = board.scenery.lens
    if lens is None or not keyframe.step:
        return []
    move = board.frames[keyframe.step - 1].example
    way = f"{board.labels.node(move.src)} → {board.labels.node(move.dst)}"
    return [
        TextLine(board.labels.data(move), lens.x, lens.top - 16, 28, theme.ink, "bold", "center"),
        TextLine(way, lens.x, lens.bottom + 36, 23, theme.faint, align="center"),
    ]


def _progress_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The number of promised cells that are complete, large, beside the matrix."""
    if board.view != "matrix":
        return []
    x, y, complete = TABLE.right + 44, STAGE.y, board.complete[keyframe.done]
    return [
        TextLine(f"{complete}", x, y - 40, 84, theme.complete, "bold"),
        TextLine(f"of {len(board.promised)}", x, y + 12, 34, theme.ink),
        TextLine("promised cells", x, y + 58, 27, theme.faint),
        TextLine("are complete", x, y + 94, 27, theme.faint),
    ]


def _track(row: int) -> Box:
    return Box(COLUMN.x, COUNTERS.top + 94 + 58 * row, ROOM, 14)
