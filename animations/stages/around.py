"""Cards round a ring or a circle, or in a grid: pictures of any links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from animations.drawing.scenery import TICKS, Gauge, Scenery
from animations.drawing.shapes import MOST_LINKS, Box, Point
from animations.drawing.ways import Link, crossings, round_about
from animations.stages.arrange import arranged, lens
from animations.stages.staged import SWITCH_RADIUS, Staged
from collectives.cost.choose.channels import timed_as_run
from collectives.units import time_text

PULLS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)  # of the way to the middle, for a bend
MOST_AT_ONCE = 8  # parcels that leave a card together and do not meet on bent ways
TOP, DIGITS = 64.0, 3  # pixels from the top to a clock; digits of its time
LANE = 14.0  # pixels between the middle of a link and the data that goes one way
TALLER = 0.16  # of its width, that a card is higher for each further row of cells


def around(staged: Staged, box: Box, part: float = 1.0, lane: float = LANE) -> Scenery | None:
    """Cards where their links suggest; every link is a line from the start.

    None where parcels would meet. part: of the room of a card that it fills. lane: see `LANE`.
    """
    kind, rooms = arranged(staged.nodes, staged.pairs, box, TALLER * (len(staged.lanes) - 1))
    boxes = [Box(room.x, room.y, part * room.width, part * room.height) for room in rooms]
    both = {link for link in staged.link_steps if link[::-1] in staged.link_steps}
    bends = {link: _bend(link, boxes, box) for link in staged.link_steps}
    ends = {(src, dst): (boxes[src], boxes[dst]) for src, dst in staged.link_steps}
    ways = {k: round_about(*pair, 4, lane * (k in both), bends[k]) for k, pair in ends.items()}
    at_once = Counter((link[0], k) for link, steps in staged.link_steps.items() for k in steps)
    if any(bends.values()) and max(at_once.values()) > MOST_AT_ONCE:
        return None
    plain = {link: round_about(*pair, 0, 0, bends[link]) for link, pair in ends.items()}
    return Scenery(
        kind,
        box,
        staged.cards(boxes, SWITCH_RADIUS),
        staged.fold,
        lines=staged.lines(plain) if len(staged.pairs) <= MOST_LINKS else (),
        ways=ways if kind != "grid" else {},
        gauges=_clock(staged, box),
        parcel=(min(46.0, 0.4 * boxes[0].width), min(70.0, 0.5 * boxes[0].height)),
        lens=lens(boxes, box) if kind == "ring" else None,
    )


def _clock(staged: Staged, box: Box) -> tuple[Gauge, ...]:
    """The time until a rank has its answer, of two that send, on a machine that is known."""
    machine, turns = staged.topology, [*staged.link_steps.values()]
    if machine is None or staged.recording.collective.pairs is None or turns != [(1,), (2,)]:
        return ()
    ends = (0.0, *timed_as_run(staged.recording, machine).step_end.tolist())
    ticks = [[a + k * (b - a) / TICKS for k in range(TICKS + 1)] for a, b in pairwise(ends)]
    named = [[(t, staged.say.decimal(time_text(t, DIGITS))) for t in times] for times in ticks]
    levels = tuple(tuple((t / ends[-1], text) for t, text in times) for times in named)
    shares, texts = zip(levels[0][0], *(level[-1] for level in levels), strict=True)
    return (Gauge(Box(box.x, box.top + TOP, box.width, 14), "t =", shares, texts, levels=levels),)


def _bend(link: Link, boxes: Sequence[Box], stage: Box) -> Point | None:
    """A point between the straight line and the middle, if cards lie on the straight line."""
    start, end = (boxes[node] for node in link)
    others = [box for node, box in enumerate(boxes) if node not in link]
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2

    def covered(bend: Point | None) -> int:
        lanes = (round_about(start, end, 0, lane, bend) for lane in (-LANE, 0, LANE))
        return sum(crossings(way, others) for way in lanes)

    fewest, best = covered(None), None
    for pull in PULLS if fewest else ():
        bend = x + pull * (stage.x - x), y + pull * (stage.y - y)
        if fewest and (now := covered(bend)) < fewest:
            fewest, best = now, bend
    return best
