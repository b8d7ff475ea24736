"""Why the busiest port decides: a column for each port of the vectors that pass it."""

from __future__ import annotations

from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording

FEWEST, MOST_PORTS = 3, 34  # ranks; columns of a panel
NAMES, ABOVE, TITLE = 44.0, 70.0, 60.0  # pixels below and above the columns, and for a title
LAST = 0.85  # of a sentence, in which vectors come
LETTER, FIGURE = 28.0, 52.0  # pixels of names, and of the number on a column
Loads = tuple[tuple[float, ...], ...]  # by port, by step: vectors


@dataclass(frozen=True)
class PortPanel:
    """The ports of a recording: their names, what passes them, and the most in words.

    port: the port that is spoken of, the busiest where it is None.
    """

    title: str
    names: tuple[str, ...]
    loads: Loads
    busiest: str
    port: int | None = None


@dataclass(frozen=True, eq=False)
class PortColumns:
    """Panels at one scale; each comes with a sentence. A box is a vector, or a part of it."""

    panels: tuple[PortPanel, ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        tallest = max(sum(load) for panel in self.panels for load in panel.loads)
        drawing, share = Drawing(), len(self.panels)
        wide = (1 - 0.04 * (share - 1)) * room.width / share
        for number, panel in enumerate(self.panels):
            left = room.left + number * (wide + 0.04 * room.width)
            part = min(1.0, time / LAST) if number == item - 1 else 1.0
            place = Box.between(left, room.top, left + wide, room.bottom)
            drawing += self._panel(panel, place, tallest, part) if number < item else Drawing()
        return drawing

    def _panel(self, panel: PortPanel, room: Box, tallest: float, part: float) -> Drawing:
        base = room.bottom - TITLE - NAMES
        scale = (base - room.top - ABOVE) / tallest
        pitch, at = room.width / len(panel.names), part * len(panel.loads[0])
        boxes, lines = list[ColoredBox](), list[TextLine]()
        totals = [*map(sum, panel.loads)]
        busiest = max(totals) if panel.port is None else totals[panel.port]
        for port, load in enumerate(panel.loads):
            x, high, tone = room.left + (port + 0.5) * pitch, 0.0, f"rank {port}"
            hot = totals[port] > busiest - 1e-9 if panel.port is None else port == panel.port
            for step, vectors in enumerate(load):
                left = vectors * min(1.0, max(0.0, at - step))
                while left > 1e-9:
                    piece = min(1.0, left)
                    y, tall = base - scale * (high + piece / 2), max(1.0, scale * piece - 4)
                    box = Box(x, y, min(0.8 * pitch, 90.0), tall)
                    boxes.append(ColoredBox(box, "now" if hot else tone, 3))
                    high, left = high + piece, left - piece
            if text_width(panel.names[port], LETTER, "bold") < 1.6 * pitch:
                ink, name = "now" if hot else "faint", panel.names[port]
                lines.append(TextLine(name, x, base + 34, LETTER, ink, "bold", "center"))
        if part >= 1:
            marked = totals.index(busiest) if panel.port is None else panel.port
            x = max(room.left + (marked + 0.5) * pitch, room.left + 60)
            y = base - scale * busiest - 18
            lines.append(TextLine(panel.busiest, x, y, FIGURE, "now", "bold", "center"))
        lines.append(TextLine(panel.title, room.x, room.bottom, 30, "ink", align="center"))
        ground = Stroke(((room.left, base), (room.right, base)), "edge", 3)
        return Drawing(tuple(boxes), (ground,), tuple(lines))


def again(
    recording: Recording, algorithm: str, ranks: int, count: int | None = None
) -> Recording | None:
    """An algorithm of the same collective, of as many elements; None where it cannot be."""
    elements = recording.count if count is None else count
    try:
        return record(recording.collective.name, algorithm, ranks=ranks, count=elements)
    except BadInput:
        return None
