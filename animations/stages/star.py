"""A star: a hub, or several, whose messages queue at its border, above the nodes it serves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from animations.drawing.scenery import Gauge, Scenery, Tone, Way, Word
from animations.drawing.shapes import Box, Point
from animations.phrases import Phrases
from animations.stages.mesh import mesh
from animations.stages.staged import SWITCH_RADIUS, Staged
from collectives.structure import Star

MOST_BELOW = 16  # nodes in one row below the hub; of more, half are above it
NARROWEST = 54.0  # pixels from one of them to the next, else half are above it
LEAST_HUB, GAUGES = 300.0, 330.0  # width of a hub, and of the bars beside it
BARS = 84.0  # height of the bars above hubs, where they are not beside
OWN = 24.0  # height of the bars of the other nodes
FLIGHT = 0.3  # of the height of the stage, between the hub and the others
DOCK = 1.08  # of the width of a parcel, from one to the next in a queue
SEVERAL = 1.6  # times the width of a chunk, that several chunks are wide
PARCEL = (46.0, 52.0)
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
    totals = amounts(staged)
    return Scenery(
        "star",
        box,
        staged.cards((plan.boxes[node] for node in range(staged.nodes)), SWITCH_RADIUS),
        staged.fold,
        lines=staged.lines(ways, width=4.0 if len(others) <= MOST_BELOW else 2.0),
        words=tuple(_words(staged, plan)),
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
    middle = top + bars + tall / 2 + (OWN + tall + flight) * halves
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
    tall = (box.height - bars - shortest - rows * OWN) / (rows + 1)
    tall = min(tall, 270.0, max(2.4 * wide, 120.0))
    if tall < 50:
        return None
    flight = (box.height - bars - rows * OWN - (rows + 1) * tall) / rows
    flight = min(flight, 1.5 * shortest)
    return tall, flight, box.y - (bars + (rows + 1) * tall + rows * (flight + OWN)) / 2


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
    end = (
        hub.x + (row.index(src) - (len(row) - 1) / 2) * plan.queue,
        hub.y + side * (hub.height / 2 + off),
    )
    if number == 1:
        return start, end
    early = 0.35 * place / (number - 1)  # those of the last hub are ahead, so that none meet
    bends = _between(start, end, 0.3, 0.15 + early), _between(start, end, 0.7, 0.5 + early)
    return start, *bends, end


def _between(start: Point, end: Point, across: float, up: float) -> Point:
    return start[0] + across * (end[0] - start[0]), start[1] + up * (end[1] - start[1])


def _gauges(plan: StarPlan, totals: Amounts) -> Iterator[Gauge]:
    """What has come to and gone from each node, on one scale."""
    first, largest = plan.boxes[plan.hubs[0]], totals.largest()
    room = GAUGES if plan.beside else first.width
    top = min(card.top - OWN * (node in plan.above) for node, card in plan.boxes.items())
    of_others = totals.largest([*plan.below, *plan.above])
    wide = plan.boxes[plan.below[0]].width
    unit = min(wide / max(of_others, 1e-9), room / max(largest, 1e-9))
    for hub in plan.hubs:
        card = plan.boxes[hub]
        place = Box(card.x, top - BARS / 2 - 4, card.width, BARS)
        if plan.beside:
            place = Box(card.right + 20 + room / 2, card.y, room, min(120.0, card.height))
        yield from totals.gauges(hub, place, unit, labeled=True)
    for node in (*plan.below, *plan.above):
        card = plan.boxes[node]
        y = card.bottom + OWN / 2 + 2 if node in plan.below else card.top - OWN / 2 - 2
        yield from totals.gauges(node, Box(card.x, y, card.width, OWN - 4), unit, labeled=False)


def _words(staged: Staged, plan: StarPlan) -> Iterator[Word]:
    """What the small bars are; numbers of nodes whose cards are too narrow for them."""
    if plan.beside:
        hub = plan.boxes[plan.hubs[0]]
        base = hub.y + min(120.0, hub.height) / 2 + 30
        yield Word(staged.say("stage.same_scale"), hub.right + 20, base, 20)
    for row in (plan.below, plan.above):
        wide = plan.boxes[row[0]].width if row else 100.0
        every = -(-34 // max(1, int(wide / 0.8)))
        for i, node in enumerate(row if wide < 36 else ()):
            card = plan.boxes[node]
            if i % every == 0:
                y = card.top - 8 if node in plan.below else card.bottom + 24
                yield Word(f"{node}", card.x, y, 18, align="center")


@dataclass(frozen=True)
class Amounts:
    """For each direction and node the amount after each state: [state, node], in vectors.

    chunks: how many a vector has.
    """

    chunks: int
    say: Phrases
    received: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    sent: np.ndarray[tuple[int, int], np.dtype[np.float64]]

    def largest(self, nodes: list[int] | slice = slice(None)) -> float:
        """The largest amount of any of these nodes in either direction."""
        both = self.received[:, nodes], self.sent[:, nodes]
        return float(max(side.max(initial=0) for side in both))

    def gauges(self, node: int, box: Box, unit: float, labeled: bool) -> list[Gauge]:
        """A bar for each direction that the node uses, one below the other, of so many pixels
        a vector from the left edge of the box."""
        gauges = []
        used = [name for name in TONES if getattr(self, name)[-1, node]]
        pitch = box.height / max(1, len(used))
        for i, name in enumerate(used):
            after = getattr(self, name)[:, node].tolist()
            wide = unit * after[-1]
            high = min(20.0, pitch - TEXT) if labeled else 0.7 * pitch
            y = box.top + (i + 1) * pitch - (high / 2 + 1 if labeled else pitch / 2)
            bar = Box(box.left + wide / 2, y, wide, high)
            shares = tuple(now / after[-1] for now in after)
            texts = tuple(self._text(now, after[-1]) if labeled else "" for now in after)
            gauges.append(
                Gauge(bar, self.say(f"stage.{name}") * labeled, shares, texts, TONES[name])
            )
        return gauges

    def _text(self, now: float, total: float) -> str:
        """So many vectors, of how many; chunks where these are no whole vectors."""
        noun, unit = ("vector", 1) if total.is_integer() else ("chunk", self.chunks)
        now, total = now * unit, total * unit
        word = self.say.several(noun) if total > 1 else self.say.noun(noun)
        return self.say("stage.amount", now=f"{now:.3g}", total=f"{total:.3g}", noun=word)


def amounts(staged: Staged) -> Amounts:
    """What all nodes have received and sent in all states."""
    recording = staged.recording
    shape = (len(staged.steps) + 1, staged.nodes)
    received, sent = np.zeros(shape), np.zeros(shape)
    for number, messages in enumerate(staged.steps, 1):
        size = recording.sizes(number - 1) / max(1, recording.count)
        for message in messages:
            amount = float(size[message.src, list(dict.fromkeys(message.chunks))].sum())
            received[number, message.dst] += amount
            sent[number, message.src] += amount
    return Amounts(recording.chunk_count, staged.say, received.cumsum(axis=0), sent.cumsum(axis=0))
