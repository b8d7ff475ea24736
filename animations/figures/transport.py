"""How data travels, two ways side by side; and how LL, LL128 and Simple lay it out in a buffer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import fitted
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.theme import DARK, Theme
from animations.figures.slide import put, slide
from animations.pictures.transport_picture import TransportPicture
from collectives.cost.data_ways import (
    BUFFERS,
    LAYOUTS,
    NVLINK,
    PCIE,
    WIRE,
    BufferLayout,
    TransportWay,
    transport,
)
from collectives.cost.machines import topology
from collectives.cost.one_message import DELIVERIES
from collectives.units import rate_text, size_text, time_text
from collectives.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOMS = Box.between(54, 240, 924, 825), Box.between(996, 240, 1866, 825)
NAME, FACT, BYTE = 38.0, 32.0, 25.0  # pixels of a name, of what is said of it, and of bytes
LINKS = (
    f"NVLink {rate_text(NVLINK.bandwidth)}, PCIe {rate_text(PCIE.bandwidth)}, network "
    f"{rate_text(WIRE.bandwidth)}, each way. Time of the links alone: processors and their memory "
    "take none, and a part of the data is passed on while the next comes."
)
BAR = Box.between(54, 0, 1866, 84)  # bytes of a buffer, at the top of the page
TOPS, BYTES = (330, 570, 810), 128  # upper edges of the buffers; bytes that each shows
AFTER = 420.0  # pixels of fence and counter


def draw(name: str, theme: Theme = DARK, size: int = 1 << 20) -> Figure:
    """A transport; or by the name `ll` the buffers of the protocols."""
    if name == BUFFERS:
        return _draw_buffers(theme, size)
    pictured = transport(name)
    page = slide(pictured.title, LINKS, theme)
    for way, room in zip(pictured.ways, ROOMS, strict=True):
        put(page, (TransportPicture(way, room).drawing() + _words(way, room, size)).shapes, theme)
    return page


def _words(way: TransportWay, room: Box, size: int) -> Drawing:
    """Its name above the picture of a way; below it what it takes, and why."""
    times = f"{rate_text(way.bandwidth)}, {time_text(way.latency)}"
    times += f": {size_text(size)} in {time_text(way.seconds(size))}"
    if not way.is_modeled:
        times = f"more than {time_text(way.latency)}: CPU link not modeled"
    crossed = f"{plural(way.slots, 'link')} of PCIe; " if way.slots else ""
    below = room.bottom + 60
    lines = (
        TextLine(way.name, room.left, room.top - 28, NAME, "ink", "bold"),
        TextLine(times, room.left, below, FACT, "ink", "bold"),
        TextLine(fitted(crossed + way.why, room.width, FACT), room.left, below + 44, FACT, "ink"),
    )
    return Drawing(lines=lines)


def _draw_buffers(theme: Theme, size: int) -> Figure:
    """The buffers of LL, LL128 and Simple: which bytes are data, and which say that it is there."""
    shares = " %, ".join(f"{100 * layout.share:g}" for layout in LAYOUTS.values())
    title = f"LL, LL128 and Simple: a flag beside the data saves the fence; {shares} % are data"
    small = (
        f"Blue: data. LL, LL128: {BYTES} B to scale; data and flag arrive in one store, and the "
        "receiver looks at the flag. Simple, not to scale: a fence waits until the data is there, "
        "then one counter tells of all 512 KiB. Times on the wire of an hgx-h100, as in figure "
        "delivery."
    )
    page = slide(title, small, theme)
    for (name, layout), top in zip(LAYOUTS.items(), TOPS, strict=True):
        put(page, _buffer(name, layout, top, size).shapes, theme)
    return page


def _buffer(name: str, layout: BufferLayout, top: float, size: int) -> Drawing:
    """A row of bytes, data and flags in a color each, with its name and its share above."""
    x, boxes, lines = BAR.left, list[ColoredBox](), list[TextLine]()
    for width, text, tone in _pieces(layout):
        box = Box.between(x + 1.5, top, x + width - 1.5, top + BAR.height)
        x += width
        color, edge, ink = (tone, "", "now_ink") if tone else ("panel", "edge", "ink")
        boxes.append(ColoredBox(box, color, 4, edge, 3 if edge else 0))
        lines.append(TextLine(text, box.x, box.y + 9, BYTE, ink, align="center"))
    seconds = DELIVERIES[layout.delivery].seconds(size, topology("hgx-h100", 2))
    share = f"{100 * layout.share:g} % data: {size_text(size)} in {time_text(seconds)}"
    base = top - 24
    lines += (
        TextLine(name, BAR.left, base, NAME, "ink", "bold"),
        TextLine(layout.about, BAR.left + 190, base, FACT, "ink"),
        TextLine(share, BAR.right, base, FACT, "ink", "bold", "right"),
    )
    return Drawing(tuple(boxes), (), tuple(lines))


def _pieces(layout: BufferLayout) -> Iterator[tuple[float, str, str]]:
    """Width, text and tone of each piece of a row; no tone: nothing lies there, time passes."""
    if not layout.flag:
        yield BAR.width - AFTER, "data", "rank 0"
        yield AFTER / 2, "fence", ""
        yield AFTER / 2, "counter", "rank 1"
        return
    scale = BAR.width / BYTES
    for _ in range(BYTES // (layout.data + layout.flag)):
        yield layout.data * scale, f"{layout.data} B", "rank 0"
        yield layout.flag * scale, f"{layout.flag} B", "rank 1"
