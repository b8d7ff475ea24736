"""Partners right and left by turns: cards round a ring of cables, along which all messages go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from animations.drawing.scenery import Chip, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box
from animations.drawing.ways import straight
from animations.stages.arrange import superellipse
from animations.stages.staged import Staged

MOST_ON_RING = 8  # cards of which partners swing round a ring
WIDE, HIGH = 0.16, 0.175  # of the stage, a card
CHUNK, ROOM = (0.155, 0.48), 0.32  # of a card, a chunk on its way, and the room to its middle
LOW = 48.0  # pixels above the ring, for distances
ROUND, SQUARE, SQUAREST = 2.4, 4.0, 7.0  # powers of the curves inside of cards, of these, outside
STOPS = 10  # points of a way between two cards
FIRST, SIDE_BY_SIDE = 6.0, 9.0  # pixels from a cable to a line beside it, and on to the next


def swinging(staged: Staged, box: Box, chips: tuple[Chip, ...]) -> Scenery:
    """Clockwise messages fly outside of the ring of cards, others inside.

    A message lights all cables that it takes, beside those that take the same ones.
    """
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
    cables = [*pairwise((*range(staged.nodes), 0))]
    return Scenery(
        "ring",
        box,
        staged.cards(boxes),
        staged.fold,
        lines=(
            *(StageLine(straight(boxes[a], boxes[b], 0), arrow=False) for a, b in cables),
            *_lit(staged, boxes),
        ),
        words=(
            Word(staged.say("stage.distance"), first.left - 12, first.y + 7, 21, align="right"),
        ),
        chips=chips,
        ways=dict(_ways(staged, outer, inner)),
        parcel=(CHUNK[0] * wide, CHUNK[1] * high),
    )


def _ways(staged: Staged, outer: Box, inner: Box) -> Iterator[tuple[tuple[int, int], Way]]:
    """Along a curve outside of the cards, or inside, from one of them to another."""
    curves = [
        superellipse(STOPS * staged.nodes, 0, 0, power, box)
        for power, box in ((SQUAREST, outer), (ROUND, inner))
    ]
    for link in staged.link_steps:
        passed = _passed(link, staged.nodes)
        ahead = passed[1] == (passed[0] + 1) % staged.nodes
        stops = range(STOPS * (len(passed) - 1) + 1)
        at = (STOPS * passed[0] + (stop if ahead else -stop) for stop in stops)
        curve = curves[0] if ahead else curves[1]
        yield link, tuple((p.x, p.y) for p in (curve[k % len(curve)] for k in at))


def _lit(staged: Staged, boxes: Sequence[Box]) -> Iterator[StageLine]:
    """A line beside each cable that a message takes, the last with an arrow."""
    beside: dict[tuple[int, int, tuple[int, ...]], float] = {}  # of what takes a cable at once
    for link, steps in staged.link_steps.items():
        for a, b in pairwise(_passed(link, staged.nodes)):
            beside[a, b, steps] = lane = (
                beside.get((a, b, steps), FIRST - SIDE_BY_SIDE) + SIDE_BY_SIDE
            )
            ends = straight(boxes[a], boxes[b], 3, -lane)
            yield StageLine(ends, steps, arrow=b == link[1], hidden=True, brief=True, link=link)


def _passed(link: tuple[int, int], nodes: int) -> list[int]:
    """The cards from one to another the shorter way; of two even ones, odd ranks go back."""
    ahead, back = ((end - link[0]) % nodes for end in (link[1], 2 * link[0] - link[1]))
    forward = ahead < back or (ahead == back and link[0] % 2 == 0)
    return [(link[0] + (k if forward else -k)) % nodes for k in range(min(ahead, back) + 1)]
