"""Partners: a small circle of ranks with a chord for each message, and the distances as chips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from animations.drawing.scenery import Chip, Ground, StageLine, Word
from animations.drawing.shapes import Box, Point
from animations.stages.staged import Staged

DOT = 29.0  # pixels of a rank on the circle
MOST_DOTS = 16  # ranks on it
DIRECTED = 8  # ranks up to which each direction of a chord is a line of its own
LETTER = 11.0  # width of a letter of a word, at most on average
CHIP = 36.0  # height of a chip


def circle_ground(staged: Staged, box: Box | None) -> Iterator[Ground]:
    """A dot for each rank, clockwise from the top; none without a box."""
    for rank, (x, y) in enumerate(_circle(staged.ranks, box)):
        yield Ground(Box(x, y, DOT, DOT), f"rank {rank}", radius=DOT)


def circle_words(staged: Staged, box: Box | None) -> Iterator[Word]:
    """The numbers of the ranks."""
    for rank, (x, y) in enumerate(_circle(staged.ranks, box)):
        yield Word(f"{rank}", x, y + 7, 19, "now_ink", "center", True)


def chords(staged: Staged, box: Box | None) -> Iterator[StageLine]:
    """A chord for each message, not there before it is sent."""
    points, directed = _circle(staged.ranks, box), staged.ranks <= DIRECTED
    drawn = staged.link_steps if directed else staged.pair_steps
    for (src, dst), steps in drawn.items() if points else ():
        (x0, y0), (x1, y1) = points[src], points[dst]
        part = (DOT / 2 + 3) / (((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
        dx, dy = part * (x1 - x0), part * (y1 - y0)
        ends = (x0 + dx, y0 + dy), (x1 - dx, y1 - dy)
        yield StageLine(ends, steps, width=3, arrow=directed, hidden=True, link=(src, dst))


def _circle(ranks: int, box: Box | None) -> list[Point]:
    if box is None:
        return []
    radius = (min(box.width, box.height) - DOT) / 2
    turns = [2 * pi * rank / ranks for rank in range(ranks)]
    return [(box.x + radius * sin(turn), box.y - radius * cos(turn)) for turn in turns]


def chips(
    box: Box, titles: Sequence[str], labels: Sequence[tuple[str, tuple[int, ...]]]
) -> tuple[tuple[Chip, ...], tuple[Word, ...]] | None:
    """Chips with these texts, lit in these steps, below the first of the titles that fits.

    None where there is no room, or nothing to be shown.
    """
    if not labels:
        return None
    longest = max(len(text) for text, _ in labels)
    wide = max(46.0, 13.0 * longest + 16)
    columns = min(len(labels), int((box.width + 8) // (wide + 8)))
    rows = -(-len(labels) // max(columns, 1))
    if not columns or 28 + rows * (CHIP + 8) > box.height:
        return None
    columns = -(-len(labels) // rows)
    chips = []
    for i, (text, steps) in enumerate(labels):
        row, column = divmod(i, columns)
        x = box.left + wide / 2 + column * (wide + 8)
        y = box.top + 28 + CHIP / 2 + row * (CHIP + 8)
        chips.append(Chip(Box(x, y, wide, CHIP), text, steps))
    title = next((text for text in titles if LETTER * len(text) <= box.width), "")
    return tuple(chips), (Word(title, box.left, box.top + 18, 20),) if title else ()


def distances(staged: Staged, groups: Sequence[Sequence[int]]) -> list[str]:
    """How far the data of each step goes, as all of its messages have it."""
    n, own = staged.ranks, staged.say("stage.own")
    links = [{(message.src, message.dst) for message in messages} for messages in staged.steps]
    around = [{(dst - src) % n for src, dst in step} for step in links]
    swapped = [{src ^ dst for src, dst in step} for step in links]
    if all(len(shift) <= 1 for shift in around):
        return [f"+{min(shift)}" if shift else own for shift in around]
    if all(len(bit) <= 1 for bit in swapped):
        return [f"⊕{min(bit)}" if bit else own for bit in swapped]
    return [_reach(staged, step, shift, groups) for step, shift in zip(links, around, strict=True)]


def _reach(
    staged: Staged, links: set[tuple[int, int]], shifts: set[int], groups: Sequence[Sequence[int]]
) -> str:
    """The reach of a step in which distances differ."""
    home = {rank: number for number, group in enumerate(groups) for rank in group}
    if home:
        within = {home[src] == home[dst] for src, dst in links}
        if len(within) == 1:
            return staged.say("stage.inside" if within == {True} else "stage.across")
    return f"+{min(shifts)} … +{max(shifts)}" if shifts else staged.say("stage.own")
