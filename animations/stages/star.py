"""A star: a hub, or several, whose messages queue at its border, above the nodes it serves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, product

from animations.drawing.scenery import Card, Gauge, Scenery, StageLine, Tone, Way, Word
from animations.drawing.shapes import Box, Point
from animations.stages.mesh import mesh
from animations.stages.staged import SWITCH_RADIUS, Staged
from collectives.structure import Star

MOST_BELOW = 16  # nodes in one row below the hub; of more, half are above it
NARROWEST = 54.0  # pixels from one of them to the next, else half are above it
LEAST_HUB, GAUGES = 300.0, 330.0  # width of a hub, and of the bars beside it
BARS = 84.0  # height of the bars above hubs, where they are not beside
FLIGHT = 0.3  # of the height of the stage, between the hub and the others
DOCK = 1.08  # of the width of a parcel, from one to the next in a queue
SEVERAL = 1.6  # times the width of a chunk, that several chunks are wide
PARCEL = (70.0, 64.0)
GAP = 6.0
TEXT = 30.0  # pixels of the height of a line of text above a bar
TONES: dict[str, Tone] = {"received": "local", "sent": "phase 1"}


@dataclass(frozen=True)
class StarPlan:
    """Which nodes are hubs, and which stand below and above them; the boxes of all."""

    hubs: tuple[int, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    boxes: dict[int, Box]
    parcel: float
    queue: float  # from one parcel that waits to the next
    high: float  # of a parcel
    beside: bool  # whether the bars of the hub are beside it


def star(staged: Staged, box: Box, structure: Star) -> Scenery | None:
    """Hubs in a row; every message comes from them or goes to them."""
    hubs = structure.hubs
    others = tuple(node for node in range(staged.nodes) if node not in hubs)
    if not others:
        return mesh(staged, box)
    links = {(src in hubs) + (dst in hubs) for src, dst in staged.link_steps}
    if links - {1}:
        return None
    plan = _plan(staged, box, hubs, others)
    if plan is None:
        return None
    ways = {link: _way(plan, link) for link in staged.link_steps}
    cards = staged.cards((plan.boxes[node] for node in range(staged.nodes)), SWITCH_RADIUS)
    totals = Amounts(staged)
    return Scenery(
        "star",
        box,
        cards,
        staged.fold,
        lines=tuple(_lines(staged, plan, ways, cards[hubs[0]])),
        words=tuple(_words(plan)),
        gauges=tuple(_gauges(plan, totals)),
        ways=ways,
        parcel=(plan.parcel, plan.high),
    )


def _plan(
    staged: Staged, box: Box, hubs: tuple[int, ...], others: tuple[int, ...]
) -> StarPlan | None:
    """Hubs above the others; one that has very many is between two rows of them."""
    halves = len(hubs) == 1 and (len(others) > MOST_BELOW or box.width / len(others) < NARROWEST)
    count = -(-len(others) // 2) if halves else len(others)
    below, above = others[:count] if not halves else others[-count:], others[: len(others) - count]
    pitch = min(box.width / count, 210.0)
    wide = min(0.8 * pitch, 170.0)
    times = (
        SEVERAL if any(len(m.chunks) > 1 for messages in staged.steps for m in messages) else 1.0
    )
    room = (box.width - (len(hubs) - 1) * 40) / len(hubs)
    beside = len(hubs) == 1 and box.width >= LEAST_HUB + 2 * GAUGES + 40
    bars, usable = (0.0, room - 2 * GAUGES - 40) if beside else (BARS, room)
    parcel = min(PARCEL[0], 0.86 * wide / len(hubs) / times, usable / (count + 0.6) / DOCK / times)
    if parcel < 4:
        return None
    queue = DOCK * times * parcel
    hub = min(room, max(LEAST_HUB if beside else 0.8 * room, (count + 0.6) * queue))
    heights = _heights(box, bars, 1 + halves, wide)
    if heights is None:
        return None
    tall, flight, top = heights
    middle = top + bars + tall / 2 + (tall + flight) * halves
    boxes = {
        node: Box(box.x + (i - (len(hubs) - 1) / 2) * (hub + 40), middle, hub, tall)
        for i, node in enumerate(hubs)
    }
    for nodes, side in ((below, 1), (above, -1)):
        for i, node in enumerate(nodes):
            x = box.x + (i - (len(nodes) - 1) / 2) * pitch
            boxes[node] = Box(x, middle + side * (tall + flight), wide, tall)
    high = min(PARCEL[1], 1.5 * parcel, flight / 2)
    if len(hubs) > 1:  # what goes to one of them passes above what goes to another
        high = min(high, 0.17 * flight / (len(hubs) - 1))
    return StarPlan(hubs, below, above, boxes, parcel, queue, high, beside)


def _heights(box: Box, bars: float, rows: int, wide: float) -> tuple[float, float, float] | None:
    """The height of cards, what is between hub and others, and where it all begins."""
    shortest = FLIGHT * box.height
    tall = (box.height - bars - shortest) / (rows + 1)
    tall = min(tall, 270.0, max(2.4 * wide, 120.0))
    if tall < 50:
        return None
    flight = (box.height - bars - (rows + 1) * tall) / rows
    flight = min(flight, 1.5 * shortest)
    return tall, flight, box.y - (bars + (rows + 1) * tall + rows * flight) / 2


def _way(plan: StarPlan, link: tuple[int, int]) -> Way:
    """Between the place of a node in the queue of a hub, and that of the hub at the node."""
    src, dst = link
    if dst not in plan.hubs:
        return _way(plan, (dst, src))[::-1]
    side = -1 if src in plan.above else 1
    row, number = (plan.above if side < 0 else plan.below), len(plan.hubs)
    hub, node, place = plan.boxes[dst], plan.boxes[src], plan.hubs.index(dst)
    off = GAP + plan.high / 2
    queue = min(plan.queue, node.width / number)
    start = node.x + (place - (number - 1) / 2) * queue, node.y - side * (node.height / 2 + off)
    middle = len(row) // 2 if number == 1 else (len(row) - 1) / 2  # one stands before its port
    end = (
        hub.x + (row.index(src) - middle) * plan.queue,
        hub.y + side * (hub.height / 2 + off),
    )
    if number == 1:
        return start, end
    early = 0.35 * place / (number - 1)  # those of the last hub are ahead, so that none meet
    bends = _between(start, end, 0.3, 0.15 + early), _between(start, end, 0.7, 0.5 + early)
    return start, *bends, end


def _lines(
    staged: Staged, plan: StarPlan, ways: dict[tuple[int, int], Way], card: Card
) -> Iterator[StageLine]:
    """Lines of all ways: those of the only server meet at its port; card: its one, of one cell."""
    ends, alone = ways, plan.hubs == (staged.ranks,) and not plan.above
    if alone and len(card.shape.cells) == 1:
        hub, half = card.box, 0.6 * plan.parcel
        port, sides = (hub.x, hub.bottom + GAP), [(hub.x + x, hub.bottom) for x in (-half, half)]
        yield StageLine(tuple(sides), tone="now", width=8.0, arrow=False, fixed=True)
        ends = {
            link: (way[0], port) if link[1] in plan.hubs else (port, way[-1])
            for link, way in ways.items()
        }
    yield from staged.lines(ends, width=4.0 if len(plan.below + plan.above) <= MOST_BELOW else 2.0)


def _between(start: Point, end: Point, across: float, up: float) -> Point:
    return start[0] + across * (end[0] - start[0]), start[1] + up * (end[1] - start[1])


def _gauges(plan: StarPlan, totals: Amounts) -> Iterator[Gauge]:
    """What has come to and gone from each hub, on one scale."""
    first = plan.boxes[plan.hubs[0]]
    room = GAUGES if plan.beside else first.width
    top = min(card.top for card in plan.boxes.values())
    unit = room / max(totals.largest(plan.hubs), 1e-9)
    for hub in plan.hubs:
        card = plan.boxes[hub]
        place = Box(card.x, top - BARS / 2 - 4, card.width, BARS)
        if plan.beside:
            place = Box(card.right + 20 + room / 2, card.y, room, min(120.0, card.height))
        yield from totals.gauges(hub, place, unit)


def _words(plan: StarPlan) -> Iterator[Word]:
    """Numbers of nodes whose cards are too narrow for them."""
    for row in (plan.below, plan.above):
        wide = plan.boxes[row[0]].width if row else 100.0
        every = -(-34 // max(1, int(wide / 0.8)))
        for i, node in enumerate(row if wide < 36 else ()):
            card = plan.boxes[node]
            if i % every == 0:
                y = card.top - 8 if node in plan.below else card.bottom + 24
                yield Word(f"{node}", card.x, y, 18, align="center")


class Amounts:
    """What each node receives and sends, in vectors, message by message."""

    def __init__(self, staged: Staged) -> None:
        recording = staged.recording
        self._chunks, self._say = recording.chunk_count, staged.say
        self._steps = list[list[tuple[int, int, float]]]()
        for number, messages in enumerate(staged.steps):
            size = recording.sizes(number) / max(1, recording.count)
            chunks = [list(dict.fromkeys(message.chunks)) for message in messages]
            self._steps.append(
                [
                    (m.src, m.dst, float(size[m.src, c].sum()))
                    for m, c in zip(messages, chunks, strict=True)
                ]
            )

    def levels(self, node: int, arrives: bool) -> list[tuple[float, ...]]:
        """For each step the amount before it, and after each of the messages of a node."""
        levels, last = list[tuple[float, ...]](), 0.0
        for messages in self._steps:
            sizes = [size for *ends, size in messages if ends[arrives] == node]
            levels.append(tuple(accumulate(sizes, initial=last)))
            last = levels[-1][-1]
        return levels

    def largest(self, nodes: Iterable[int]) -> float:
        """The largest amount of any of these nodes in either direction."""
        sides = product(nodes, (True, False))
        return max((self.levels(*side)[-1][-1] for side in sides), default=0.0)

    def gauges(self, node: int, box: Box, unit: float) -> list[Gauge]:
        """A bar for each direction that the node uses, one below the other, of so many pixels
        a vector from the left edge of the box."""
        gauges = []
        sides = ((name, name == "received") for name in TONES)
        every = [(*side, self.levels(node, side[1])) for side in sides]
        used = [side for side in every if side[2][-1][-1]]
        pitch = box.height / max(1, len(used))
        for i, (name, arrives, levels) in enumerate(used):
            total = levels[-1][-1]
            wide = unit * total
            high = min(20.0, pitch - TEXT)
            bar = Box(box.left + wide / 2, box.top + (i + 1) * pitch - high / 2 - 1, wide, high)
            texted = [
                tuple((now / total, self._text(now, total)) for now in level) for level in levels
            ]
            shares, texts = zip(texted[0][0], *(level[-1] for level in texted), strict=True)
            label, end = self._say(f"stage.{name}"), (node, arrives)
            gauges.append(Gauge(bar, label, shares, texts, TONES[name], end, tuple(texted)))
        return gauges

    def _text(self, now: float, total: float) -> str:
        """So many vectors, of how many; chunks where these are no whole vectors."""
        noun, unit = ("vector", 1) if total.is_integer() else ("chunk", self._chunks)
        now, total = now * unit, total * unit
        word = self._say.several(noun) if total > 1 else self._say.noun(noun)
        return self._say("stage.amount", now=f"{now:.3g}", total=f"{total:.3g}", noun=word)
