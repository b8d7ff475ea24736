"""Switches under a row of ranks: a link to each rank, and uplinks that light what crosses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.drawing.scenery import Card, Ground, StageLine, Word
from animations.drawing.shapes import Align, Box
from animations.stages.staged import Staged

HALVED = (8, 16)  # ranks of which a film speaks of their halves
BELOW, HIGH, UP = 22.0, 34.0, 44.0  # pixels under cards, of a switch, of an uplink
TALL = BELOW + 2 * HIGH + UP  # pixels of all of it
ASIDE, TEXT = 7.0, 21.0  # pixels of a direction beside the middle of its link, of letters


@dataclass(frozen=True)
class Halves:
    """Two switches, each of one half of the ranks, and one that joins them."""

    grounds: tuple[Ground, ...] = ()
    lines: tuple[StageLine, ...] = ()
    words: tuple[Word, ...] = ()


def has_switches(staged: Staged) -> bool:
    """Whether the machine is the one its algorithm is made for, and two halves meet on its top."""
    row, machine, half = staged.recording.row, staged.topology, staged.ranks // 2
    if row is None or machine is None or staged.nodes > staged.ranks or staged.ranks not in HALVED:
        return False
    hops, ends = staged.hops, (slice(half), slice(half, None))
    inside = max(hops[side, side].max() for side in ends)
    return row.home == machine.name and bool(inside < hops[ends].min())


def halves(staged: Staged, cards: Sequence[Card]) -> Halves:
    """The switches under these cards."""
    half, floor = len(cards) // 2, max(card.box.bottom for card in cards) + BELOW
    sides = cards[:half], cards[half:]
    low = [Box.between(s[0].box.left, floor, s[-1].box.right, floor + HIGH) for s in sides]
    top = low[0].bottom + UP
    joins = Box.between(low[0].left, top, low[1].right, top + HIGH)
    grounds = tuple(Ground(box, "panel", "edge", 9) for box in (*low, joins))
    downs = (
        StageLine(((card.x, card.box.bottom), (card.x, floor)), tone="edge", fixed=True)
        for card in cards
    )
    names = (
        Word(staged.say.noun("switch"), box.x, box.y + 7, TEXT, align="center")
        for box in (*low, joins)
    )
    uplinks = [_uplink(staged, box, top, side) for side, box in enumerate(low)]
    lines = (*downs, *(line for drawn, _ in uplinks for line in drawn))
    return Halves(grounds, lines, (*names, *(word for _, words in uplinks for word in words)))


def _uplink(staged: Staged, box: Box, top: float, side: int) -> tuple[list[StageLine], list[Word]]:
    """Both directions of a switch's uplink, lit by what crosses; beside it how many chunks do."""
    half, lines, words = staged.ranks // 2, [], []
    for up in (True, False):
        begins = side if up else 1 - side  # the half that it comes from
        crossing = [
            sum(len(m.chunks) for m in messages if m.src // half == begins != m.dst // half)
            for messages in staged.steps
        ]
        x, aside = box.x + (-ASIDE if up else ASIDE), -16 if up else 16
        ends = (x, box.bottom + 2), (x, top - 2)
        steps = tuple(number for number, chunks in enumerate(crossing, 1) if chunks)
        lines.append(StageLine(ends if up else ends[::-1], steps))
        for number in steps:
            text = staged.say.plural(crossing[number - 1], "chunk")
            align: Align = "right" if up else "left"
            words.append(Word(text, x + aside, top - 14, TEXT, "now", align, True, step=number))
    return lines, words
