"""A mesh: every rank sends to every other one, on chords inside an oval of cards."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, hypot, pi, sin, tan

from animations.drawing.scenery import Ground, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box, Point
from animations.drawing.ways import straight
from animations.stages.arrange import superellipse
from animations.stages.ring import frame
from animations.stages.staged import MOST_PLAIN, Staged

Link = tuple[int, int]
INSIDE = 20.0  # pixels from a card to its port
POWER = 2.6  # of the superellipse of cards
LARGEST = 40.0  # width of a parcel
INNERMOST = 0.3  # of the oval, that the lane of the longest ways is large


def mesh(staged: Staged, box: Box) -> Scenery | None:
    """Cards on an oval, each with a port on its inside; from 17 ranks on, a disc for all chords."""
    n = staged.nodes
    boxes = _oval(n, box) if n <= MOST_PLAIN else frame(n, box)
    if boxes is None:
        return None
    disc = _disc(boxes, box)
    ports = [_port(place, disc) for place in boxes]
    wide, ways = _ways(ports, disc) if n <= MOST_PLAIN else (0.0, {})
    dense = n > MOST_PLAIN
    return Scenery(
        "mesh",
        box,
        staged.cards(boxes),
        staged.fold,
        grounds=(Ground(disc, "panel", "edge", min(disc.width, disc.height) / 2),) if dense else (),
        lines=tuple(_spokes(staged, boxes, ports) if dense else _chords(staged, ports)),
        words=tuple(_words(staged, disc)) if dense else (),
        ways={link: ways[link] for link in staged.link_steps if link in ways},
        parcel=(wide or 12.0, 1.1 * wide or 12.0),
    )


def _oval(nodes: int, box: Box) -> tuple[Box, ...] | None:
    """Cards that leave room for chords."""
    for share in range(200 if nodes < 6 else 150, 40, -4):
        wide = share / 1000 * box.width
        tall = min(max(0.66 * wide, 84.0), 0.16 * box.height)
        boxes = superellipse(nodes, wide, tall, POWER, box)
        if not any(a.overlaps(b, 12) for i, a in enumerate(boxes) for b in boxes[:i]):
            return tuple(Box(b.x, b.y, wide, tall) for b in boxes)
    return None


def _disc(boxes: tuple[Box, ...], box: Box) -> Box:
    """The largest oval inside all cards, of the shape of the stage."""
    corners = [
        (place.x + x * place.width / 2 - box.x, place.y + y * place.height / 2 - box.y)
        for place in boxes
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
    ]
    wide, tall = box.width / 2, box.height / 2
    part = min(hypot(x / wide, y / tall) for x, y in corners)
    return Box(box.x, box.y, 2 * (part * wide - INSIDE), 2 * (part * tall - INSIDE))


def _port(place: Box, disc: Box) -> Point:
    """The point of the disc that is nearest to a card, seen from the middle."""
    dx, dy = place.x - disc.x, place.y - disc.y
    part = hypot(dx / disc.width, dy / disc.height) * 2 or 1.0
    return disc.x + dx / part, disc.y + dy / part


def _ways(ports: list[Point], disc: Box) -> tuple[float, dict[Link, Way]]:
    """The width of a parcel, and the way of each link: the shorter way round, in its lane.

    All links of one distance share an oval of their own, a smaller one for longer ways, so that
    everything can travel at once and nothing meets.
    """
    nodes = len(ports)
    turns = [atan2((y - disc.y) / disc.height, (x - disc.x) / disc.width) for x, y in ports]
    lanes = sorted(range(1, nodes), key=lambda shift: (min(shift, nodes - shift), shift))
    deep = (1 - INNERMOST) / max(1, nodes - 2)
    ways = {}
    for lane, shift in enumerate(lanes):
        part = 1 - lane * deep
        for src in range(nodes):
            dst = (src + shift) % nodes
            turn = (turns[dst] - turns[src]) % (2 * pi) - 2 * pi * (2 * shift > nodes)
            ways[src, dst] = _arc(disc, part, turns[src], turn)
    pitch = deep * min(disc.width, disc.height) / 2
    return min(LARGEST, 1.06 * pitch, INNERMOST * pi * disc.height / nodes), ways


def _arc(disc: Box, part: float, start: float, turn: float) -> Way:
    """A part of an oval in the disc, as one curve."""
    wide, tall = part * disc.width / 2, part * disc.height / 2
    handle, end = 4 / 3 * tan(turn / 4), start + turn
    unit = (
        (cos(start), sin(start)),
        (cos(start) - handle * sin(start), sin(start) + handle * cos(start)),
        (cos(end) + handle * sin(end), sin(end) - handle * cos(end)),
        (cos(end), sin(end)),
    )
    return tuple((disc.x + wide * x, disc.y + tall * y) for x, y in unit)


def _chords(staged: Staged, ports: list[Point]) -> Iterator[StageLine]:
    """A line for each pair of ranks."""
    for (src, dst), steps in staged.pair_steps.items():
        ends = ports[src], ports[dst]
        yield StageLine(ends, steps, "now_faint", 1.8, arrow=False, link=(src, dst))


def _spokes(staged: Staged, boxes: tuple[Box, ...], ports: list[Point]) -> Iterator[StageLine]:
    """A line from each card to the disc, lit when its rank sends or receives."""
    for node, (place, end) in enumerate(zip(boxes, ports, strict=True)):
        steps = {step for link, when in staged.link_steps.items() if node in link for step in when}
        way = straight(place, Box(*end, 0, 0), 2)
        yield StageLine(way, tuple(sorted(steps)), "now_faint", 2.4, False, link=(node, node))


def _words(staged: Staged, disc: Box) -> Iterator[Word]:
    """What the disc stands for."""
    say, peak = staged.say, max(map(len, staged.steps))
    yield Word(say("stage.mesh"), disc.x, disc.y - 6, 24, "ink", "center")
    yield Word(say("stage.messages", number=f"{peak:,}"), disc.x, disc.y + 28, 21, align="center")
