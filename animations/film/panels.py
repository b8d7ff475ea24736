"""The words and bars of a picture, as plain data: where, how large, in which color."""

from __future__ import annotations

from dataclasses import replace

from animations.film.glyphs import fitted, text_width
from animations.film.sheet import (
    COLUMN,
    COUNTERS,
    INSIDE,
    INSIDE_RIGHT,
    LEGEND,
    MARGIN,
    RIGHT,
    SOURCE,
    TIMELINE,
    Fill,
    Moment,
    Words,
)
from animations.film.source_panel import current_line, source_words
from animations.story.box import STAGE, TABLE, Box
from animations.story.cell_marks import PARTIAL, axis, head, inks, labels, signs, tells_whose
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme
from collectives.words import plural


def fixed_words(board: Storyboard, theme: Theme) -> list[Words]:
    """Words that stay: title, names of ranks, labels of slots, headings, legend."""
    words = [
        Words(board.title, MARGIN, 78, 46, theme.ink, "bold"),
        Words("Counters", INSIDE, COUNTERS.top + 40, 27, theme.ink, "bold"),
        Words(
            board.heading,
            INSIDE_RIGHT,
            COUNTERS.top + 39,
            19,
            theme.faint,
            align="right",
        ),
    ]
    width = TIMELINE.width / max(1, len(board.frames))
    for i, phase in enumerate(board.phases):
        room = width * (phase.end - phase.first) - 12
        color = phase_color(theme, i)
        name = fitted(phase.name, room, 22)
        words.append(Words(name, TIMELINE.left + width * phase.first, 1054, 22, color))
    rows = _row_words if board.view == "matrix" else _card_words
    return words + rows(board, theme) + _legend_words(board, theme)


def _card_words(board: Storyboard, theme: Theme) -> list[Words]:
    """The name of each card and the labels of its slots."""
    layout, words = board.layout, []
    size = min(26.0, 0.82 * layout.header)
    for node, card in enumerate(layout.cards):
        base = card.top + 0.78 * layout.header + 2
        colored = tells_whose(board) and node < board.ranks
        color = theme.rank(node) if colored else theme.ink
        name = board.names.node(node)
        room = 0.42 * card.width if layout.shows_sent else card.width - 16
        fit = min(size, size * room / text_width(name, size, "bold"))
        words.append(Words(name, card.left + 12, base, fit, color, "bold"))
        for slot in range(board.slots if layout.label_height else 0):
            x, y = layout.cell(node, slot).x, card.top + layout.label_base(slot)
            text, small = board.names.short(slot), 19 if len(layout.lanes) == 1 else 17
            words.append(Words(text, x, y, small, theme.faint, align="center"))
    return words


def _row_words(board: Storyboard, theme: Theme) -> list[Words]:
    """Numbers of some rows of the matrix, and what its rows and columns are."""
    return [
        Words(text, x, base, size, theme.faint, align=align)
        for text, x, base, size, align in axis(board)
    ]


def card_color(board: Storyboard, node: int, theme: Theme) -> str:
    """The color of a card's border: its rank's, where ranks have colors; a switch has none."""
    if node >= board.ranks:
        return theme.faint
    return theme.rank(node) if tells_whose(board) else theme.edge


def card_radius(board: Storyboard, node: int) -> float:
    """How round a card's corners are; switches are rounder than ranks."""
    return 14 if node < board.ranks else min(30.0, 0.17 * board.layout.cards[node].height)


def _legend_words(board: Storyboard, theme: Theme) -> list[Words]:
    """What the marks mean."""
    room = INSIDE_RIGHT - INSIDE
    words = [Words(head(board), INSIDE, LEGEND.top + 38, 23, theme.ink)]
    words[0] = replace(words[0], size=min(23, 23 * room / text_width(words[0].text, 23)))
    words.append(Words(signs(board), INSIDE, LEGEND.bottom - 18, 21, theme.faint))
    size = 21 if tells_whose(board) else 18
    for mark, label in enumerate(labels(board)):
        box = swatch(board, mark)
        words.append(Words(label, box.right + 8, box.bottom - 4, size, theme.ink))
    return words


def moment_words(board: Storyboard, moment: Moment, theme: Theme) -> list[Words]:
    """Words of one moment: subtitle, caption, source, counters, bytes sent."""
    frame = board.frames[moment.step - 1] if moment.step else None
    phase = f" · phase {frame.phase + 1} of {len(board.phases)}: " if frame else ""
    subtitle = board.subtitle + (phase + board.phases[frame.phase].name if frame else "")
    words = [
        Words(fitted(subtitle, 1130, 25), MARGIN, 118, 25, theme.faint),
        Words(fitted(caption(board, moment), RIGHT - MARGIN, 30), MARGIN, 966, 30, theme.ink),
    ]
    source = frame.source if frame else (board.frames[0].source if board.frames else None)
    if source is not None:
        words += source_words(source, bool(frame), theme)
    words += _counter_words(board, moment, theme)
    words += _lens_words(board, moment, theme) + _progress_words(board, moment, theme)
    if board.layout.shows_sent:
        sent = _sent(board, moment.done)
        for node, card in enumerate(board.layout.cards):
            base = card.top + 0.78 * board.layout.header + 1
            text = f"sent {board.amount(sent[node])}"
            size = min(19.0, max(17.0, card.width / 15))
            words.append(Words(text, card.right - 12, base, size, theme.faint, align="right"))
    return words


def caption(board: Storyboard, moment: Moment) -> str:
    """The sentence below the stage."""
    if not board.frames:
        return f"{board.ending}: nothing has to move"
    if not moment.step:
        goal = f"{board.promise[:1].lower()}{board.promise[1:]}"
        return f"Start — {goal} after {plural(board.steps, 'step')}"
    return board.caption(moment.step)


def fixed_fills(board: Storyboard, theme: Theme) -> list[Fill]:
    """Panels, tracks of the bars and swatches."""
    fills = [Fill(box, theme.panel, 14) for box in (SOURCE, COUNTERS, LEGEND)]
    for row in range(len(board.counters)):
        fills.append(Fill(_track(row), theme.well, 7))
    for mark, (color, label) in enumerate(zip(inks(board, theme), labels(board), strict=True)):
        if label:
            fills.append(Fill(swatch(board, mark), color, 3))
    return fills


def moment_fills(board: Storyboard, moment: Moment, theme: Theme) -> list[Fill]:
    """The current line's band, the bars with their marks, the timeline."""
    fills = []
    if moment.step and (source := board.frames[moment.step - 1].source) is not None:
        fills.append(current_line(source, theme))
    for row, tally in enumerate(board.counters):
        track, scale = _track(row), max(tally.values[-1], tally.bound or 0) or 1
        if now := tally.values[moment.done]:
            width = track.width * now / scale
            fills.append(Fill(Box(track.left + width / 2, track.y, width, 14), theme.ranks[0], 7))
        if tally.bound is not None:
            mark = track.left + track.width * tally.bound / scale
            fills.append(Fill(Box(mark, track.y, 4, 28), theme.now))
    return fills + _timeline(board, moment, theme)


def phase_color(theme: Theme, phase: int) -> str:
    """The color of a phase on the timeline: tints that take turns."""
    return theme.phases[phase % len(theme.phases)]


def swatch(board: Storyboard, mark: int) -> Box:
    """The legend's square of an ink; eight in a row, or five that have longer labels."""
    columns = 8 if tells_whose(board) else PARTIAL + 1
    pitch = (INSIDE_RIGHT - INSIDE) / columns
    x = INSIDE + 12 + (mark % columns) * pitch
    return Box(x, LEGEND.top + 74 + 38 * (mark // columns), 24, 24)


def _timeline(board: Storyboard, moment: Moment, theme: Theme) -> list[Fill]:
    fills = []
    total = len(board.frames)
    pitch = TIMELINE.width / max(1, total)
    gap = min(6.0, 0.2 * pitch)
    for i, frame in enumerate(board.frames):
        box = Box(TIMELINE.left + (i + 0.5) * pitch, TIMELINE.y, pitch - gap, TIMELINE.height)
        color = phase_color(theme, frame.phase) if i < moment.done else theme.edge
        color = theme.now if i + 1 == moment.step and not moment.landed else color
        fills.append(Fill(box, color, 7))
    return fills


def _counter_words(board: Storyboard, moment: Moment, theme: Theme) -> list[Words]:
    words = []
    for row, tally in enumerate(board.counters):
        base, text = _track(row).top - 13, tally.text(moment.done)
        wide = text_width(tally.label, 22) + text_width(text, 22, "mono")
        size = min(22.0, 22 * (INSIDE_RIGHT - INSIDE - 16) / wide)
        words.append(Words(tally.label, INSIDE, base, size, theme.ink))
        words.append(Words(text, INSIDE_RIGHT, base, size, theme.ink, "mono", "right"))
    return words


def _lens_words(board: Storyboard, moment: Moment, theme: Theme) -> list[Words]:
    """What the enlarged chunk is, above it, and its way, below."""
    lens = board.layout.lens
    if lens is None or not moment.step:
        return []
    move = board.frames[moment.step - 1].moves[0]
    way = f"{board.names.node(move.src)} → {board.names.node(move.dst)}"
    what = board.names.what(move.chunk, move.into, move.cell.labels)
    return [
        Words(what, lens.x, lens.top - 16, 28, theme.ink, "bold", "center"),
        Words(way, lens.x, lens.bottom + 36, 23, theme.faint, align="center"),
    ]


def _progress_words(board: Storyboard, moment: Moment, theme: Theme) -> list[Words]:
    """How many of the promised cells are complete, large, beside the matrix."""
    if board.view != "matrix":
        return []
    x = TABLE.right + 44
    return [
        Words(f"{board.complete(moment.done)}", x, STAGE.y - 40, 84, theme.complete, "bold"),
        Words(f"of {len(board.due)}", x, STAGE.y + 12, 34, theme.ink),
        Words("promised cells", x, STAGE.y + 58, 27, theme.faint),
        Words("are complete", x, STAGE.y + 94, 27, theme.faint),
    ]


def _track(row: int) -> Box:
    return Box(COLUMN.x, COUNTERS.top + 94 + 58 * row, INSIDE_RIGHT - INSIDE, 14)


def _sent(board: Storyboard, done: int) -> tuple[int, ...]:
    return board.frames[done - 1].sent if done else (0,) * board.nodes
