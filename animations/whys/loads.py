"""Why the busiest port decides: a column for each port of the vectors that pass it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within, text_width
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.structure import Star, Switches

FEWEST, MOST_PORTS = 3, 34  # ranks; columns of a panel
NAMES, ABOVE, TITLE = 44.0, 70.0, 60.0  # pixels below and above the columns, and for a title
LAST = 0.85  # of a sentence, in which vectors come
LETTER, FIGURE = 28.0, 52.0  # pixels of names, and of the number on a column
Loads = tuple[tuple[float, ...], ...]  # by port, by step: vectors


@dataclass(frozen=True)
class Panel:
    """The ports of a recording: their names, what passes them, and the most in words."""

    title: str
    names: tuple[str, ...]
    loads: Loads
    most: str

    @property
    def totals(self) -> list[float]:
        """Vectors of each port."""
        return [sum(load) for load in self.loads]


@dataclass(frozen=True, eq=False)
class PortColumns:
    """Two panels at one scale; each comes with a sentence. A box is a vector, or a part of it."""

    panels: tuple[Panel, Panel]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        tallest = max(max(panel.totals) for panel in self.panels)
        drawing, half = Drawing(), 0.48 * room.width
        for number, panel in enumerate(self.panels):
            left = room.left + number * (room.width - half)
            part = min(1.0, time / LAST) if number == item - 1 else float(number < item)
            place = Box.between(left, room.top, left + half, room.bottom)
            drawing += self._panel(panel, place, tallest, part) if part else Drawing()
        return drawing

    def _panel(self, panel: Panel, room: Box, tallest: float, part: float) -> Drawing:
        base = room.bottom - TITLE - NAMES
        scale = (base - room.top - ABOVE) / tallest
        pitch, at = room.width / len(panel.names), part * len(panel.loads[0])
        boxes, lines = list[ColoredBox](), list[TextLine]()
        most = max(panel.totals)
        for port, load in enumerate(panel.loads):
            x, high, tone = room.left + (port + 0.5) * pitch, 0.0, f"rank {port}"
            hot = panel.totals[port] > most - 1e-9
            for step, vectors in enumerate(load):
                left = vectors * min(1.0, max(0.0, at - step))
                while left > 1e-9:
                    part_left = min(1.0, left)
                    y = base - scale * (high + part_left / 2)
                    gap = max(1.0, scale * part_left - 4)
                    color = "now" if hot else tone
                    boxes.append(ColoredBox(Box(x, y, min(0.8 * pitch, 90.0), gap), color, 3))
                    high, left = high + part_left, left - part_left
            if text_width(panel.names[port], LETTER, "bold") < 1.6 * pitch:
                ink, name = "now" if hot else "faint", panel.names[port]
                lines.append(TextLine(name, x, base + 34, LETTER, ink, "bold", "center"))
        hottest = panel.totals.index(most)
        if part >= 1:
            x, y = room.left + (hottest + 0.5) * pitch, base - scale * most - 18
            x = max(x, room.left + 60)
            lines.append(TextLine(panel.most, x, y, FIGURE, "now", "bold", "center"))
        title = line_within(
            room.width, (32.0, 24.0), panel.title, room.x, room.bottom, "ink", "sans", "center"
        )
        return Drawing(tuple(boxes), (), (*lines, title))


def port_loads(recording: Recording) -> Loads:
    """By port and step the vectors that it sends, or receives if that is more; of no switch."""
    unit, size = recording.dtype.itemsize, recording.count * recording.dtype.itemsize
    switched = isinstance(recording.structure, Switches)
    ports = recording.ranks if switched else recording.nodes
    loads = [list[float]() for _ in range(ports)]
    for place, step in enumerate(recording.steps):
        rows, sizes = step.unrolled(), recording.sizes(place)
        out, into = [0] * recording.nodes, [0] * recording.nodes
        columns = (column.tolist() for column in (rows.src, rows.dst, rows.chunk))
        for src, dst, chunk in zip(*columns, strict=True):
            moved = int(sizes[src, chunk]) * unit * (src != dst)
            out[src] += moved
            into[dst] += moved
        if any(out):
            for port in range(ports):
                loads[port].append(max(out[port], into[port]) / size)
    return tuple(map(tuple, loads))


def star_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends everything to one node, or a few: the queue there, and with twice the ranks."""
    recording = facts.recording
    if not isinstance(recording.structure, Star) or facts.ranks < FEWEST or recording.row is None:
        return
    totals = [sum(load) for load in port_loads(recording)]
    most, others = max(totals), [total for total in totals if total < max(totals) - 1e-9]
    if most < 2 or not others or min(others) < max(others) - 1e-9:
        return
    twice = again(recording, recording.algorithm, 2 * facts.ranks)
    if twice is None or (larger := _most(twice)) <= most:
        return
    number = len(totals) - len(others)
    key = "star_queue" if number == 1 else "star_queues"
    name = _name(recording, totals.index(most), tell)
    fields = {"number": tell.number(most), "others": tell.number(others[0])}
    ranks = tell.ranks(2 * facts.ranks)
    sentences = (
        tell(key, **fields, node=name, nodes=tell.say.plural(number, recording.helpers)),
        tell("star_twice", ranks=ranks, number=tell.number(larger)),
    )
    picture = PortColumns(
        (_panel(recording, tell.ranks(facts.ranks), tell), _panel(twice, ranks, tell))
    )
    yield tell.why("star", sentences, picture, tell("star_aside"))


def beside_tree_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a broadcast or reduce in chunks whose busiest port passes less than that of a tree."""
    recording, name = facts.recording, facts.recording.collective.name
    if name not in ("broadcast", "reduce") or recording.chunk_count < 2 or facts.ranks < FEWEST:
        return
    tree = again(recording, "tree", facts.ranks)
    if tree is None or facts.ranks > MOST_PORTS or _most(recording) >= _most(tree):
        return
    most = tell.number(_most(tree)), tell.number(_most(recording))
    sentences = [
        tell(f"beside_{name}", number=most[0]),
        tell("beside_cut", chunks=recording.chunk_count, number=most[1]),
    ]
    titles = tell("beside_whole"), tell("beside_chunks", chunks=recording.chunk_count)
    picture = PortColumns((_panel(tree, titles[0], tell), _panel(recording, titles[1], tell)))
    yield tell.why("beside", sentences, picture, tell("star_aside"))


def again(recording: Recording, algorithm: str, ranks: int) -> Recording | None:
    """An algorithm of the same collective, of as many elements; None where it cannot be."""
    try:
        return record(recording.collective.name, algorithm, ranks=ranks, count=recording.count)
    except BadInput:
        return None


def _most(recording: Recording) -> float:
    return max(sum(load) for load in port_loads(recording))


def _panel(recording: Recording, title: str, tell: Teller) -> Panel:
    loads = port_loads(recording)
    names = tuple(
        str(port) if port < recording.ranks else _name(recording, port, tell)
        for port in range(len(loads))
    )
    return Panel(title, names, loads, tell.number(_most(recording)))


def _name(recording: Recording, node: int, tell: Teller) -> str:
    if node < recording.ranks:
        return tell.rank(node)
    return f"{tell.say.noun(recording.helpers)} {node - recording.ranks}"
