"""A way data travels as a drawing: GPUs, switches, processors and NICs, and its path lit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for, text_width
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from collectives.cost.data_ways import Hop, TransportWay, kind_of

LARGEST, SMALLEST = 30.0, 22.0  # pixels of the names of parts
BESIDE = 11.0  # pixels from a link to the arrow of a path, on the right of its way
SERVER_GPUS, PAIR_GPUS = 4, 2
ROWS = {"NVSwitch": 0.06, "GPU": 0.25, "PCIe": 0.45, "CPU": 0.65, "NIC": 0.65}
RAILS = (0.95, 0.83)  # rail 1 is between the inner NICs, above rail 0
HIGH, TALLER = 0.095, 1.4  # of parts; how much more room the rows of one server have
JOINED = (
    ("GPU", "NVSwitch"),
    ("GPU", "PCIe"),
    ("CPU", "PCIe"),
    ("NIC", "PCIe"),
    ("CPU", "CPU"),
    ("NIC", "rail"),
)
CALLED = {"PCIe": "PCIe switch", "CPU": "CPU and memory"}  # where there is room


@dataclass(frozen=True)
class TransportPicture:
    """A way in a room of a page: in one server, or between server A and, in a mirror, server B."""

    way: TransportWay
    room: Box

    @cached_property
    def parts(self) -> dict[str, Box]:
        """Where each part is, in pixels of the page."""
        if "." not in self.way.paths[0]:
            alone = _server(SERVER_GPUS)
            return {name: self._box(x, y * TALLER, width) for name, (x, y, width) in alone.items()}
        boxes = {}
        for name, (x, y, width) in _server(PAIR_GPUS).items():
            boxes[f"A.{name}"] = self._box(0.49 * x, y, 0.49 * width)
            boxes[f"B.{name}"] = self._box(1 - 0.49 * x, y, 0.49 * width)
        for rail, y in enumerate(RAILS):
            ends = boxes[f"A.NIC{rail}"], boxes[f"B.NIC{rail}"]
            width = (ends[1].right - ends[0].left) / self.room.width
            boxes[f"rail{rail}"] = self._box(0.5, y, width)
        return boxes

    def _box(self, x: float, y: float, width: float) -> Box:
        room = self.room
        center = room.left + x * room.width, room.top + y * room.height
        return Box(*center, width * room.width, HIGH * room.height)

    @cached_property
    def passed(self) -> frozenset[str]:
        """The parts that data passes."""
        return frozenset(part for hops in self.way.hops for hop in hops for part in hop)

    def drawing(self) -> Drawing:
        """All parts and links, what data passes full of color, its path as arrows."""
        links = [self._stroke(hop, "link", 5.0) for hop in _links(self.parts)]
        lit = dict.fromkeys(hop for hops in self.way.hops for hop in hops)
        arrows = [self._stroke(hop, "now", 9.0, BESIDE, arrow=True) for hop in lit]
        boxes, names = list[ColoredBox](), list[TextLine]()
        for name, box in self.parts.items():
            is_passed, tone = name in self.passed, _tone(name)
            color, edge, width = (tone, "", 0.0) if is_passed else ("panel", tone, 3.0)
            round_by = (0.28 if "GPU" in name else 0.12) * box.height
            boxes.append(ColoredBox(box, color, round_by, edge, width, name=f"part-{name}"))
            text, ink = _label(name, box), "now_ink" if is_passed else "ink"
            size = size_for(text, 0.92 * box.width, LARGEST, SMALLEST)
            names.append(TextLine(text, box.x, box.y + 0.36 * size, size, ink, align="center"))
        return Drawing(tuple(boxes), (*links, *arrows), tuple(names))

    def _stroke(
        self, hop: Hop, tone: str, width: float, shift: float = 0.0, arrow: bool = False
    ) -> Stroke:
        """A line from the edge of a part to that of the other, `shift` to the right of its way."""
        start_part, end_part = (self.parts[part] for part in hop)
        start, end = _ends(start_part, end_part)
        length = abs(end[0] - start[0]) + abs(end[1] - start[1])
        across, down = (shift * (start[1] - end[1]) / length, shift * (end[0] - start[0]) / length)
        moved = tuple((x + across, y + down) for x, y in (start, end))
        return Stroke(moved, tone, width, arrow, name=f"link-{hop[0]}-{hop[1]}")


def _server(gpus: int) -> dict[str, tuple[float, float, float]]:
    """Middle, row and width of each part of a server, in parts of its room."""
    lane = 1 / gpus
    switches = 2 if gpus > 2 else gpus
    width = 1 / switches
    parts = {"NVSwitch": (0.5, ROWS["NVSwitch"], 0.94)}
    for k in range(gpus):
        parts[f"GPU{k}"] = (lane * (k + 0.5), ROWS["GPU"], 0.78 * lane)
    for k in range(switches):
        middle, side = width * (k + 0.5), 0.265 * width * (1 - 2 * k)
        parts[f"PCIe{k}"] = (middle, ROWS["PCIe"], 0.94 * width)
        if gpus > switches:
            parts[f"CPU{k}"] = (middle, ROWS["CPU"], 0.6 * width)
        else:
            parts[f"NIC{k}"] = (middle - side, ROWS["NIC"], 0.36 * width)
            parts[f"CPU{k}"] = (middle + 0.6 * side, ROWS["CPU"], 0.36 * width)
    return parts


def _links(parts: dict[str, Box]) -> list[Hop]:
    """The links between parts, by what is above what."""
    links = []
    for source, target in permutations(parts, 2):
        kinds = kind_of(source), kind_of(target)
        near = abs(parts[source].x - parts[target].x) < parts[target].width / 2
        if kinds == ("CPU", "CPU"):
            near = source < target and source[:-1] == target[:-1]  # of one server
        if kinds == ("NIC", "rail"):
            near = source[-1] == target[-1]
        if kinds in JOINED and near:
            links.append((source, target))
    return links


def _ends(start: Box, end: Box) -> tuple[Point, Point]:
    """Where a line between two parts begins and ends: upright, or level in a row."""
    if start.y == end.y:
        way = 1 if start.x < end.x else -1
        return (start.x + way * start.width / 2, start.y), (end.x - way * end.width / 2, end.y)
    x, way = min(start, end, key=lambda box: box.width).x, 1 if start.y < end.y else -1
    return (x, start.y + way * start.height / 2), (x, end.y - way * end.height / 2)


def _tone(name: str) -> str:
    """GPUs, processors, and what only switches or sends, in a color each."""
    return {"GPU": "rank 0", "CPU": "rank 2"}.get(kind_of(name), "rank 1")


def _label(name: str, box: Box) -> str:
    """What a part is called, in short where it is narrow."""
    kind = kind_of(name)
    number = name.rpartition(kind)[2]
    called = CALLED.get(kind, kind)
    if number or "." not in name:
        called = f"{called} {number}".strip()
        return called if text_width(called, SMALLEST) <= 0.92 * box.width else f"{kind} {number}"
    return f"server {name[0]}: {called}"
