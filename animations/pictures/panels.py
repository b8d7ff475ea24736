"""The text and bars of a picture, as plain data: position, size, color."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from animations.drawing.glyphs import line_within, size_for, text_width, wrapped
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.sheet import EDGE, MARGIN, Sheet
from animations.drawing.theme import Theme
from animations.pictures.card_text import label_lines, name_lines, sent_lines, zeros
from animations.pictures.foot import Foot, caption_text, explained, headline
from animations.pictures.source_panel import current_line, source_text
from animations.pictures.standstill_panel import line_text, standing_text
from animations.score.score import Keyframe
from animations.story import cell_marks
from animations.story.cell_marks import axis_labels
from animations.story.counters import CounterRow
from animations.story.folded_views import PARTIAL
from animations.story.storyboard import Frame, Storyboard
from animations.story.wrong import Wrong, stuck_at
from collectives.units import size_text

TITLE = 46.0, 34.0  # pixels, of a page
SMALLEST_SUBTITLE = 18.0  # pixels; wider ones are cut
FILM_TITLE, FILM_BASE, BELOW_BAND = (34.0, 22.0), 38.0, 26.0  # its baseline; more, below a band
FILM_SIZES = 26.0, 18.0  # pixels of what stands beside the title of a film
SMALLEST_NOTE = 15.0  # of the signs below the legend
SMALLEST_PHASE = 17.0  # of the name of a phase
SMALLEST_COUNT = 30.0  # of the complete cells of a matrix
NARROW = 84.0  # pixels of a label of the legend of a matrix
SMALLEST_DIAGNOSIS = 13.0  # pixels; a longer one is cut
BAND, TEXT, BORDER = {True: 32.0, False: 50.0}, 0.72, 8.0  # what marks a wrong one; of a band


def fixed_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """Text that stays: title, names of phases, labels of slots, headings, legend."""
    sheet, lines = board.sheet, list[TextLine]()
    if head := sheet.head:
        sizes, base = (TITLE, head.top + 46) if sheet.cues else (FILM_TITLE, head.top + FILM_BASE)
        base += BELOW_BAND * bool(board.wrong and not sheet.cues)
        title, left = board.title, head.left
        lines.append(line_within(head.width, sizes, title, left, base, theme.ink, "bold"))
    if board.wrong:
        lines += _wrong_text(board, board.wrong, theme)
    elif box := sheet.counters:
        left, right, top = box.left + EDGE, box.right - EDGE, box.top
        lines.append(TextLine(board.say("counters.title"), left, top + 40, 27, theme.ink, "bold"))
        lines.append(TextLine(board.heading, right, top + 39, 19, theme.faint, align="right"))
    lines += _phase_names(board, theme)
    return lines + slot_labels(board, theme) + _legend_text(board, theme)


def slot_labels(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The labels of slots: on the cards, of a matrix along its axes."""
    labels = (*label_lines(board), *zeros(board))
    on_cards = axis_labels(board) if board.scenery.table else [line for _, line in labels]
    return _in_colors(on_cards, theme)


def _wrong_text(board: Storyboard, wrong: Wrong, theme: Theme) -> list[TextLine]:
    """The band on top, and what is wrong in place of the counters."""
    page, box = board.sheet.page, board.sheet.counters
    tall = TEXT * BAND[board.sheet.cues]
    size = size_for(wrong.band, page.width - 4 * BORDER, tall, 14, "bold")
    lines = [TextLine(wrong.band, page.x, tall, size, theme.now_ink, "bold", "center")]
    if box is None:
        return lines
    left, wide, high = box.left + EDGE, box.width - 2 * EDGE, box.height - 70
    lines.append(TextLine(wrong.heading, left, box.top + 40, 27, theme.wrong, "bold"))
    sizes = (22.0, 20.0, 18.0, 16.0, 15.0, SMALLEST_DIAGNOSIS)
    rows = {size: max(1, int(high / (1.3 * size))) for size in sizes}
    every = {size: wrapped(wrong.diagnosis, wide, size, 1 << 10) for size in sizes}
    size = next((s for s in sizes if len(every[s]) <= rows[s]), SMALLEST_DIAGNOSIS)
    for row, text in enumerate(wrapped(wrong.diagnosis, wide, size, rows[size])):
        base = box.top + 52 + size + 1.3 * size * row
        lines.append(TextLine(text, left, base, size, theme.ink))
    return lines


def _wrong_boxes(sheet: Sheet, theme: Theme) -> list[ColoredBox]:
    """A band on top of the page, and a border round what stands on it."""
    page, band, high = sheet.page, BAND[sheet.cues], sheet.height - MARGIN * sheet.cues
    wide = Box(page.x, band / 2, page.width, band), Box(page.x, high - 3, page.width, 6)
    sides = (Box(x, high / 2, BORDER, high) for x in (BORDER / 2, page.right - BORDER / 2))
    return [ColoredBox(box, theme.wrong) for box in (*wide, *sides)]


def _phase_names(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The names of the phases, below the timeline."""
    line = board.sheet.timeline
    if line is None or not board.sheet.cues:
        return []
    lines, width = [], line.width / max(1, board.planned)
    for i, phase in enumerate(board.phases):
        room = width * (phase.end - phase.first) - 12
        sizes, x = (22, SMALLEST_PHASE), line.left + width * phase.first
        lines.append(line_within(room, sizes, phase.name, x, line.y + 34, phase_color(theme, i)))
    return lines


def card_names(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The name of each card, or its number where that has no room; none on rows of a matrix."""
    names = name_lines(board, lambda name: text_width(name, 1.0, "bold"))
    return _in_colors((line for _, line in names), theme)


def _in_colors(lines: Iterable[TextLine], theme: Theme) -> list[TextLine]:
    """Lines in the colors of their tones."""
    return [replace(line, color=theme.tone(line.color)) for line in lines]


def _legend_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The meaning of the marks."""
    box = board.sheet.legend
    if box is None:
        return []
    title, left = cell_marks.legend_title(board), box.left + EDGE
    size = min(23, 23 * (box.width - 2 * EDGE) / text_width(title, 23))
    note, room = cell_marks.legend_note(board), box.width - 2 * EDGE
    lines = [
        TextLine(title, left, box.top + 38, size, theme.ink),
        line_within(room, (21, SMALLEST_NOTE), note, left, box.bottom - 18, theme.faint),
    ]
    small = 21.0 if board.view.has_bars else 18
    for mark, label in enumerate(board.view.legend_labels()):
        square = _swatch(board, box, mark)
        if board.scenery.table:
            small = size_for(label, NARROW, 18, 15)
        lines.append(TextLine(label, square.right + 8, square.bottom - 4, small, theme.ink))
    return lines


def keyframe_text(
    board: Storyboard, keyframe: Keyframe, theme: Theme, foot: Foot = caption_text
) -> list[TextLine]:
    """Text of one keyframe: subtitle, foot, source, counters, bytes sent."""
    sheet = board.sheet
    frame = board.frames[keyframe.step - 1] if keyframe.step else None
    lines = foot(board, keyframe, theme)
    if sheet.cues:
        lines += subtitle_text(board, frame, theme)
    else:
        lines += where_text(board, keyframe, theme)
    source = next((entry.source for entry in (frame, *board.frames[:1]) if entry), None)
    halted = stuck_at(board, keyframe.done)
    if halted and sheet.source:
        lines += standing_text(board, halted, sheet.source, theme)
    elif source is not None and sheet.source:
        lines += source_text(source, sheet.source, bool(frame), theme)
    lines += _counter_text(board, keyframe, theme)
    lines += _lens_text(board, keyframe, theme) + progress_text(board, keyframe, theme)
    if halted:
        return lines + line_text(board, halted, theme)
    return lines + sent_text(board, board.sent(keyframe.done), theme) * sheet.cues


def subtitle_text(board: Storyboard, frame: Frame | None, theme: Theme) -> list[TextLine]:
    """What is shown, and the phase of a step."""
    lines = []
    if head := board.sheet.head:
        subtitle = board.subtitle
        if frame and len(board.phases) > 1:
            phase = board.phases[frame.phase].name
            number, total = frame.phase + 1, len(board.phases)
            named = {"number": number, "total": total, "name": phase}
            subtitle = board.say("subtitle.phase", subtitle=subtitle, **named)
        sizes, base = (25, SMALLEST_SUBTITLE), head.top + 86
        lines.append(line_within(head.width, sizes, subtitle, head.left, base, theme.faint))
    return lines


def where_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """Of a film the step, beside its title where there is room, else below it."""
    head, (largest, smallest) = board.sheet.head, FILM_SIZES
    if head is None or (board.wrong and keyframe.step == len(board.frames)):
        return []
    text = headline(board, keyframe)
    size = min(FILM_TITLE[0], head.width / text_width(board.title, 1.0, "bold"))
    room = head.width - text_width(board.title, size, "bold") - 2 * EDGE
    if board.sheet.width < board.sheet.height:
        base = head.top + FILM_BASE + 44
        return [line_within(head.width, FILM_SIZES, text, head.left, base, theme.faint)]
    if text_width(text, smallest) > room:
        return []
    size, base = size_for(text, room, largest, smallest), head.top + FILM_BASE
    return [TextLine(text, head.right, base, size, theme.faint, align="right")]


def sent_text(board: Storyboard, sent: Sequence[int], theme: Theme) -> list[TextLine]:
    """What each node has sent, on its card where there is room."""
    return _in_colors((line for _, line in sent_lines(board, sent)), theme)


def fixed_boxes(board: Storyboard, theme: Theme) -> list[ColoredBox]:
    """Panels, tracks of the bars and swatches."""
    sheet = board.sheet
    panels = (sheet.source, sheet.counters, sheet.legend)
    boxes = [ColoredBox(box, theme.panel, 14) for box in panels if box]
    if board.wrong:
        boxes += _wrong_boxes(sheet, theme)
    elif sheet.counters:
        rows = range(len(board.counters))
        boxes += [ColoredBox(_track(sheet.counters, row), theme.well, 7) for row in rows]
    colors = zip(board.view.mark_colors(theme), board.view.legend_labels(), strict=True)
    for mark, (color, label) in enumerate(colors):
        if label and sheet.legend:
            boxes.append(ColoredBox(_swatch(board, sheet.legend, mark), color, 3))
    return boxes


def keyframe_boxes(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[ColoredBox]:
    """The current line's band, the bars with their marks, the timeline."""
    boxes, sheet = [], board.sheet
    source = board.frames[keyframe.step - 1].source if keyframe.step else None
    if source is not None and sheet.source and not stuck_at(board, keyframe.done):
        boxes.append(current_line(source, sheet.source, theme))
    for row, counter in enumerate(_counters(board)):
        assert sheet.counters
        track = _track(sheet.counters, row)
        scale = max(counter.values[-1], counter.bound or 0) or 1
        if now := counter.values[keyframe.done]:
            width = track.width * now / scale
            bar = Box(track.left + width / 2, track.y, width, 14)
            boxes.append(ColoredBox(bar, theme.ranks[0], 7))
        if counter.bound is not None:
            mark = track.left + track.width * counter.bound / scale
            boxes.append(ColoredBox(Box(mark, track.y, 4, 28), theme.now))
    return boxes + _timeline(board, keyframe, theme)


def _counters(board: Storyboard) -> tuple[CounterRow, ...]:
    """The rows that are shown: none of a wrong schedule, nor where there is no room for them."""
    return board.counters if board.sheet.counters and not board.wrong else ()


def phase_color(theme: Theme, phase: int) -> str:
    """The color of a phase on the timeline."""
    return theme.phases[phase % len(theme.phases)]


def _swatch(board: Storyboard, legend: Box, mark: int) -> Box:
    """The legend's square of a color; eight in a row, or five that have longer labels."""
    columns = 8 if board.view.has_bars else PARTIAL + 1
    x = legend.left + EDGE + 12 + (mark % columns) * (legend.width - 2 * EDGE) / columns
    return Box(x, legend.top + 74 + 38 * (mark // columns), 24, 24)


def _timeline(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[ColoredBox]:
    line, boxes = board.sheet.timeline, list[ColoredBox]()
    if line is None:
        return boxes
    counting = [step for step in range(board.planned) if step not in board.quiet]
    pitch = line.width / max(1, len(counting))
    width = pitch - min(6.0, 0.2 * pitch)
    for place, i in enumerate(counting):
        box = Box(line.left + (place + 0.5) * pitch, line.y, width, line.height)
        color = theme.edge
        if i < keyframe.done:
            color = phase_color(theme, board.frames[i].phase)
        color = theme.now if i + 1 == keyframe.step and not keyframe.landed else color
        if board.wrong and i + 1 == board.wrong.step:
            color = theme.wrong
        boxes.append(ColoredBox(box, color, 7))
    return boxes


def _counter_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    box, lines = board.sheet.counters, list[TextLine]()
    for row, counter in enumerate(_counters(board)):
        assert box
        track = _track(box, row)
        base, text = track.top - 13, counter.text(keyframe.done)
        wide = text_width(counter.label, 22) + text_width(text, 22, "mono")
        size = min(22.0, 22 * (track.width - 28) / wide)
        lines.append(TextLine(counter.label, track.left, base, size, theme.ink))
        lines.append(TextLine(text, track.right, base, size, theme.ink, "mono", "right"))
    return lines


def _lens_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The name of the enlarged chunk, above it, its way, below, and beside it what words mean."""
    lens = board.scenery.lens
    if lens is None or not keyframe.step or stuck_at(board, keyframe.done):
        return []
    transfer = board.frames[keyframe.step - 1].example
    way = f"{board.labels.node(transfer.src)} → {board.labels.node(transfer.dst)}"
    size = f" · {size_text(transfer.size)}" if board.scenery.largest else ""
    name = f"{board.labels.data(transfer)}{size}"
    lines = [
        TextLine(name, lens.x, lens.top - 16, 28, theme.ink, "bold", "center"),
        TextLine(way, lens.x, lens.bottom + 36, 23, theme.faint, align="center"),
    ]
    return lines + (explained(board, lens, theme) if keyframe.named and keyframe.step == 1 else [])


def progress_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The number of promised cells that are complete, large, beside the matrix."""
    if not board.scenery.table:
        return []
    stage, x, promised = board.sheet.stage, board.sheet.table.right + 44, len(board.promised)
    y, complete = stage.y, board.complete[keyframe.done]
    size = size_for(f"{promised:,}", stage.right - x, 84, SMALLEST_COUNT, "bold")
    return [
        TextLine(f"{complete:,}", x, y - 40, size, theme.complete, "bold"),
        TextLine(board.say("matrix.of", number=f"{promised:,}"), x, y + 12, 34, theme.ink),
        TextLine(board.say("matrix.promised"), x, y + 58, 27, theme.faint),
        TextLine(board.say("matrix.are_complete"), x, y + 94, 27, theme.faint),
    ]


def _track(counters: Box, row: int) -> Box:
    return Box(counters.x, counters.top + 94 + 58 * row, counters.width - 2 * EDGE, 14)
