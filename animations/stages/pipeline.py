"""A pipeline: ranks in a row, and below it which link carries which chunk in each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from animations.drawing.scenery import Card, Chip, Scenery, Tone, Way, Word
from animations.drawing.shapes import Box
from animations.drawing.ways import straight
from animations.stages.staged import Message, Staged
from collectives.structure import Line
from collectives.words import runs

NARROWEST = 62.0  # pixels from one card to the next; else the line has several rows
CARD = 0.66  # of this distance that a card fills
WIDEST, TALLEST = 200.0, 280.0  # of a card
HEIGHT, TURN = 92.0, 52.0  # pixels of a card, at least, and between two rows of cards
LOW_HEIGHT, LOW_TURN = 74.0, 42.0  # the same where there are more than two rows
LANE = 17.0  # pixels from the middle of a link to what travels one way, where both are used
TEXT = 32.0  # height of a row of the grid from which its chips have text
HIGHEST, THINNEST = 56.0, 3.0  # pixels of a row of the grid
MOST_CHIPS = 640
LABEL = 86.0  # width of the labels of the grid's rows
HEAD, FOOT = 48.0, 62.0  # height of the lines above and below the grid


@dataclass(frozen=True)
class StepGrid:
    """Where the grid of links and steps stands: its upper left corner and its pitch."""

    left: float
    top: float
    wide: float
    high: float
    links: tuple[tuple[int, int], ...]
    steps: int

    @property
    def readable(self) -> bool:
        """Whether its chips have text."""
        return self.high >= TEXT and self.wide >= 26

    def box(self, row: int, step: int) -> Box:
        """The place of a link in a step, which counts from 1."""
        gap = min(6.0, 0.14 * self.high, 0.14 * self.wide)
        x, y = self.left + (step - 0.5) * self.wide, self.top + (row + 0.5) * self.high
        return Box(x, y, self.wide - gap, self.high - gap)


def pipeline(staged: Staged, box: Box, line: Line) -> Scenery | None:
    """The cards of a line side by side, and a grid that fills as the steps pass."""
    place = {node: i for i, node in enumerate(line.order)}
    links = tuple(sorted(staged.link_steps, key=lambda link: (place[link[0]], place[link[1]])))
    rows = -(-len(place) // max(1, int(box.width / NARROWEST)))
    height, turn = (HEIGHT, TURN) if rows < 3 else (LOW_HEIGHT, LOW_TURN)
    pitch = min(box.width / max(-(-len(place) // rows), 3), WIDEST + 140)
    width, turns = min(CARD * pitch, WIDEST), (rows - 1) * turn
    grid = _grid(staged, box, links, rows * height + turns)
    below = 0.0 if grid is None else HEAD + len(links) * grid.high + FOOT
    tall = min((box.height - below - turns) / rows, TALLEST, max(height, 2.6 * width))
    if tall < HEIGHT / 2:
        return None
    rest = (box.height - below - turns - rows * tall) / 2
    if grid is not None:
        grid = replace(grid, top=grid.top - rest)
    seats = [_seat(place[node], len(place), rows) for node in range(staged.nodes)]
    top = box.top + rest + tall / 2
    cards = staged.cards(
        Box(box.x + column * pitch, top + row * (tall + turn), width, tall) for row, column in seats
    )
    parcel = (min(46.0, pitch - width - 8), min(64.0, 0.5 * tall) if rows == 1 else turn - 8)
    return Scenery(
        "pipeline",
        box,
        cards,
        staged.fold,
        lines=staged.lines({link: _way(staged, cards, link) for link in links}),
        words=() if grid is None else (*_labels(staged, grid), *_phases(staged, grid)),
        chips=() if grid is None else tuple(_chips(staged, grid)),
        ways={link: _way(staged, cards, link, parcel) for link in links},
        parcel=parcel,
    )


def _seat(place: int, number: int, rows: int) -> tuple[int, float]:
    """Row and column (0 in the middle) of a place on the line, which runs to and fro."""
    columns = -(-number // rows)
    row, column = divmod(place, columns)
    middle = (columns - 1) / 2
    return row, (middle - column if row % 2 else column - middle)


def _way(
    staged: Staged,
    cards: tuple[Card, ...],
    link: tuple[int, int],
    parcel: tuple[float, float] = (0.0, 0.0),
) -> Way:
    """From card to card in the lane of its direction, so far before both that a parcel rests."""
    start, end = (cards[node].box for node in link)
    half = parcel[0] if start.y == end.y else parcel[1]
    return straight(start, end, half / 2 + 3, LANE if link[::-1] in staged.link_steps else 0.0)


def _grid(
    staged: Staged, box: Box, links: tuple[tuple[int, int], ...], cards: float
) -> StepGrid | None:
    """The grid below cards of this height; None for a single chunk, and without room for it."""
    steps, room = len(staged.steps), box.height - HEAD - FOOT - cards
    if (
        not links
        or staged.recording.chunk_count < 2
        or sum(map(len, staged.link_steps.values())) > MOST_CHIPS
    ):
        return None
    high = room / len(links)
    high = min(HIGHEST, max(0.7 * high, min(high, TEXT)))
    wide = min(104.0, (box.width - LABEL) / steps)
    if min(high, wide) < THINNEST:
        return None
    left = box.x + (LABEL - wide * steps) / 2
    return StepGrid(left, box.bottom - FOOT - high * len(links), wide, high, links, steps)


def _chips(staged: Staged, grid: StepGrid) -> Iterator[Chip]:
    """A chip for each chunk on a link; where a link idles a hatched one, unless there are many."""
    some = len(grid.links) * grid.steps <= MOST_CHIPS
    for row, link in enumerate(grid.links):
        for number, messages in enumerate(staged.steps, 1):
            carried = [message for message in messages if (message.src, message.dst) == link]
            if carried:
                text = _text(staged, carried) if grid.readable else ""
                tone = _tone(staged, _chunk(staged, carried[0].chunks[0]))
                yield Chip(grid.box(row, number), text, (number,), tone, stays=True)
            elif some:
                yield Chip(grid.box(row, number), "", (), hatched=True)


def _chunk(staged: Staged, slot: int) -> int:
    """The number of the chunk that is in a slot, as far as slots say it."""
    return slot % staged.recording.chunk_count


def _text(staged: Staged, messages: list[Message]) -> str:
    """The chunks that travel together."""
    return ", ".join(runs(sorted({_chunk(staged, s) for m in messages for s in m.chunks}), "–"))


def _tone(staged: Staged, chunk: int) -> Tone:
    """The tone of a chunk: not that of a rank where the colors of cells are those of ranks."""
    return f"rank {chunk}" if staged.by_chunk else f"phase {chunk}"


def _labels(staged: Staged, grid: StepGrid) -> Iterator[Word]:
    """What the rows and the columns of the grid are."""
    say, right = staged.say, grid.left + grid.steps * grid.wide
    yield Word(say("stage.grid"), grid.left - LABEL + 4, grid.top - 14, 20)
    if len(grid.links) * grid.steps <= MOST_CHIPS and right - grid.left > 560:
        yield Word(say("stage.hatched"), right, grid.top - 14, 20, align="right")
    every = -(-24 // int(max(grid.high, 1)))
    for row, (src, dst) in enumerate(grid.links):
        if row % every == 0:
            base = grid.top + (row + 0.5) * grid.high + 7
            yield Word(f"{src} → {dst}", grid.left - 10, base, 19, align="right")
    base = grid.top + len(grid.links) * grid.high + 25
    every = next(
        n for n in (1, 2, 5, 10, 20, 50, 100) if n * grid.wide >= (30 if grid.steps < 10 else 38)
    )
    yield Word(say("stage.step"), grid.left - 10, base, 19, align="right")
    for step in range(1, grid.steps + 1):
        if step % every == 0:
            yield Word(f"{step}", grid.left + (step - 0.5) * grid.wide, base, 19, align="center")


def _phases(staged: Staged, grid: StepGrid) -> Iterator[Word]:
    """Below the grid: the pipeline fills, is full, drains."""
    busy = [len({(message.src, message.dst) for message in messages}) for messages in staged.steps]
    busiest = max(busy)
    first, last = busy.index(busiest) + 1, len(busy) - busy[::-1].index(busiest)
    say, full = staged.say, "all_busy" if busiest == len(grid.links) else "links_busy"
    parts = (
        (say("stage.fill"), [*map(bool, busy)].index(True) + 1, first - 1),
        (say(f"stage.{full}", number=busiest), first, last),
        (say("stage.drain"), last + 1, len(busy)),
    )
    for text, start, end in parts if busiest > 1 else ():
        middle = grid.left + (start + end - 1) / 2 * grid.wide
        if end >= start and 10.5 * len(text) <= (end - start + 1) * grid.wide:
            base = grid.top + len(grid.links) * grid.high + 53
            yield Word(text, middle, base, 20, "local", "center")
