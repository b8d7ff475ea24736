"""A deadlock as it is drawn: arrows between cards, and the line at which each rank stands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from animations.drawing.scenery import Card, Scenery, Way
from animations.drawing.ways import point as at
from animations.story.labels import Labels
from animations.story.source import SourceLine, source_line
from collectives.errors import Waiting, cycle_in

BULGES = (0.0, 0.22, -0.22, 0.45, -0.45, 0.7, -0.7)  # of an arrow, in parts of its length
SAMPLES = 60  # points at which an arrow is looked at
CLEAR = 6.0  # pixels between an arrow and a card that it does not belong to
HEAD, SPREAD = 20.0, 0.45  # pixels of the lines of a head, and their angle
MOST_NAMED = 8  # ranks of a cycle in a sentence


@dataclass(frozen=True)
class Stuck:
    """Who waits for whom.

    rows: what each rank waits for, and the line, in words. lines: for each node that waits the line
    alone, or that it has ended. arrows: curves from who waits to whom, each with its head, those
    of a cycle first, one after another. pairs: the ranks of these. closing: how many make the
    cycle, 0 if there is none. alike: what all wait for (receive, send, signal), if it is one
    thing. peers: for whom each program of one rank waits. source: where the
    first one stands in its code.
    """

    rows: tuple[tuple[str, str], ...]
    lines: dict[int, str]
    arrows: tuple[tuple[Way, ...], ...]
    pairs: tuple[tuple[int, int], ...] = ()
    closing: int = 0
    alike: str = ""
    peers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    source: SourceLine | None = None


def stuck(waiting: Sequence[Waiting], scenery: Scenery, labels: Labels) -> Stuck | None:
    """What is drawn of ranks that wait for one another; None where nobody does."""
    if not waiting:
        return None
    say, rows, lines = labels.say, [], dict[int, str]()
    for call in waiting:
        key = "wrong.waits_to_send" if call.sends else "wrong.waits_to_receive"
        key = "wrong.waits_for_signal" if call.signal else key
        line = say("wrong.line", line=call.line) if call.line else ""
        lines.setdefault(call.rank, line)
        ends = {"node": labels.node(call.rank), "other": labels.node(call.peer)}
        rows.append((say(key, **ends), f"{call.file}, {line}" if line else ""))
    for rank in list(dict.fromkeys(call.peer for call in waiting if call.peer not in lines)):
        rows.append((say("wrong.has_ended", node=labels.node(rank)), ""))
        lines[rank] = say("wrong.ended")
    cycle = cycle_in((call.rank, call.peer) for call in waiting)
    ring = zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
    closed = [pair for pair in ring if len({*pair}) > 1]
    pairs_waiting = [(call.rank, call.peer) for call in waiting if call.rank != call.peer]
    if not closed:  # first who waits for one that has ended
        pairs_waiting.sort(key=lambda pair: any(pair[1] == call.rank for call in waiting))
    pairs = tuple(dict.fromkeys([*closed, *pairs_waiting]))
    peers: dict[int, tuple[int, ...]] = {}
    for call in waiting:
        peers[call.rank] = (*peers.get(call.rank, ()), call.peer)
    drawn = tuple(arrows(pairs, scenery))
    source = source_line(waiting[0].stamp)
    kinds = {_kind(call) for call in waiting}
    alike = kinds.pop() if len(kinds) == 1 else ""
    return Stuck(tuple(rows), lines, drawn, pairs, len(closed), alike, peers, source)


def _kind(call: Waiting) -> str:
    """What a rank waits for."""
    return "signal" if call.signal else "send" if call.sends else "receive"


def sentence(waiting: Sequence[Waiting], labels: Labels) -> str:
    """In a few words, who waits for whom."""
    cycle = cycle_in((call.rank, call.peer) for call in waiting)
    if not cycle:
        stuck_at = {call.rank for call in waiting}
        last = next(call for call in waiting if call.peer not in stuck_at)
        ends = {"node": labels.node(last.rank, "some"), "other": labels.node(last.peer, "some")}
        return labels.say("wrong.waits_for_ended", **ends)
    named = [*map(str, cycle), str(cycle[0])]
    if len(cycle) > MOST_NAMED:
        named[MOST_NAMED // 2 : -2] = ["…"]
    return labels.say("wrong.cycle", ranks=" → ".join(named))


def arrows(pairs: Sequence[tuple[int, int]], scenery: Scenery) -> Iterator[tuple[Way, ...]]:
    """An arrow from who waits to whom, for each pair; none between the rows of a matrix."""
    if scenery.table:
        return
    for src, dst in pairs:
        others = [card for node, card in enumerate(scenery.cards) if node not in (src, dst)]
        ends = scenery.cards[src], scenery.cards[dst]
        bulges = BULGES[1:] if (dst, src) in pairs else BULGES
        curves = [_curve(*ends, bulge) for bulge in bulges]
        crossed = [sum(_inside(curve, others)) for curve in curves]
        curve = _outside(curves[crossed.index(min(crossed))], *ends)
        yield (curve, *_head(curve))


def _curve(start: Card, end: Card, bulge: float) -> Way:
    """From middle to middle, to the left of the straight line where it bulges."""
    (x, y), (dx, dy) = (start.x, start.y), (end.x - start.x, end.y - start.y)
    middle = x + dx / 2 + bulge * dy, y + dy / 2 - bulge * dx
    return (x, y), middle, (end.x, end.y)


def _inside(curve: Way, cards: Sequence[Card]) -> list[int]:
    """At each sample of a curve, in how many of these cards it lies, or close to them."""
    points = [at(curve, sample / (SAMPLES - 1)) for sample in range(SAMPLES)]
    boxes = [(card.x, card.y, card.box.width / 2, card.box.height / 2) for card in cards]
    return [
        sum(abs(x - u) < wide + CLEAR and abs(y - v) < high + CLEAR for u, v, wide, high in boxes)
        for x, y in points
    ]


def _outside(curve: Way, start: Card, end: Card) -> Way:
    """The part of a curve between two cards."""
    inside = enumerate(_inside(curve, (start, end)))
    free = [sample / (SAMPLES - 1) for sample, cards in inside if not cards]
    first, last = (free[0], free[-1]) if len(free) > 1 else (0.4, 0.6)
    (ax, ay), (bx, by), (cx, cy) = curve
    x, y = (  # the control point of the part: the blossom of the curve at its ends
        (1 - first) * (1 - last) * a + (first + last - 2 * first * last) * b + first * last * c
        for a, b, c in ((ax, bx, cx), (ay, by, cy))
    )
    return at(curve, first), (x, y), at(curve, last)


def _head(curve: Way) -> Iterator[Way]:
    """The two lines of an arrow's head."""
    (bx, by), (x, y) = curve[-2:]
    angle = math.atan2(by - y, bx - x)
    length = min(HEAD, 0.4 * math.dist(curve[0], curve[-1]))
    for turn in (angle - SPREAD, angle + SPREAD):
        yield (x + length * math.cos(turn), y + length * math.sin(turn)), (x, y)
