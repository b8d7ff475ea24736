"""Partners right and left by turns: cards round a ring of cables, along which all messages go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from animations.drawing.scenery import Chip, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box
from animations.drawing.ways import lanes, straight
from animations.stages.arrange import superellipse
from animations.stages.staged import Staged

MOST_ON_RING = 8  # cards of which partners swing round a ring
WIDE, HIGH = 0.16, 0.175  # of the stage, a card
CHUNK, ROOM = (0.155, 0.48), 0.32  # of a card, a chunk on its way, and the room to its middle
LOW = 48.0  # pixels above the ring, for distances
ROUND, SQUARE, SQUAREST = 2.4, 4.0, 7.0  # powers of the curves inside of cards, of these, outside
STOPS = 12  # points of a cable between two cards
SIDE_BY_SIDE = 9.0  # pixels from a message on a cable to the next


@dataclass(frozen=True)
class RingCables:
    """The cables from card to card: clockwise outside of the cards, the other way inside."""

    nodes: int
    inner: Box
    outer: Box

    def passed(self, link: tuple[int, int]) -> list[int]:
        """The cards from one to another the shorter way; of two even ones, odd ranks go back."""
        ahead, back = ((end - link[0]) % self.nodes for end in (link[1], 2 * link[0] - link[1]))
        turn = 1 if ahead < back or (ahead == back and link[0] % 2 == 0) else -1
        return [(link[0] + turn * k) % self.nodes for k in range(min(ahead, back) + 1)]

    def along(self, passed: Sequence[int], lane: int = 0) -> Way:
        """The way past some cards; lane: farther from the cards, beside others."""
        ahead = passed[1] == (passed[0] + 1) % self.nodes
        room, turn = (self.outer, 1) if ahead else (self.inner, -1)
        more = 2 * turn * lane * SIDE_BY_SIDE
        room = Box(room.x, room.y, room.width + more, room.height + more)
        curve = superellipse(STOPS * self.nodes, 0, 0, SQUAREST if ahead else ROUND, room)
        stops = range(STOPS * (len(passed) - 1) + 1)
        at = (curve[(STOPS * passed[0] + turn * stop) % len(curve)] for stop in stops)
        return tuple((p.x, p.y) for p in at)


def swinging(staged: Staged, box: Box, chips: tuple[Chip, ...]) -> Scenery:
    """Messages ride on the cables, and light all that they take, beside those that share them."""
    first = chips[0].box
    room = Box.between(box.left, box.top + LOW, box.right, box.bottom)
    wide, high = WIDE * box.width, HIGH * box.height
    lane = ROOM * high
    seats = Box(room.x, room.y, room.width - 4 * lane, room.height - 3.4 * lane)
    boxes = superellipse(staged.nodes, wide, high, SQUARE, seats)
    outer = Box(room.x, room.y, seats.width + 3.4 * lane, seats.height + 2 * lane)
    inner = Box(
        room.x, room.y, seats.width - 2 * wide - 3 * lane, seats.height - 2 * high - 2 * lane
    )
    cables = RingCables(staged.nodes, inner, outer)
    return Scenery(
        "ring",
        box,
        staged.cards(boxes),
        staged.fold,
        lines=(*_unlit(cables, boxes), *_lit(staged, cables)),
        words=(
            Word(staged.say("stage.distance"), first.left - 12, first.y + 7, 21, align="right"),
        ),
        chips=chips,
        ways={link: cables.along(cables.passed(link)) for link in staged.link_steps},
        parcel=(CHUNK[0] * wide, CHUNK[1] * high),
    )


def _unlit(cables: RingCables, boxes: Sequence[Box]) -> Iterator[StageLine]:
    """Each cable both ways, and where a card joins it."""
    for src, dst in ((src, src + way) for src in range(cables.nodes) for way in (1, -1)):
        way = cables.along((src, dst % cables.nodes))
        yield StageLine(way, arrow=False)
        yield StageLine(straight(boxes[src], Box(*way[0], 0, 0), 0), arrow=False)


def _lit(staged: Staged, cables: RingCables) -> Iterator[StageLine]:
    """The cables that a message takes, the last with an arrow; those that are shared in lanes."""
    links = staged.link_steps
    shared = [[(links[link], *pair) for pair in pairwise(cables.passed(link))] for link in links]
    for link, ways, lane in zip(links, shared, lanes(shared), strict=True):
        for steps, a, b in ways:
            way = cables.along((a, b), lane)
            yield StageLine(way, steps, arrow=b == link[1], hidden=True, brief=True, link=link)
