"""Why chunks pay in a chain or a tree: the first fills it, and each further one is a step later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from animations.whys.counted import Flying, counted_formula
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Line

FIRST, OTHERS = range(1, 3)  # the sentences
BAND, LABEL = 170.0, 170.0  # pixels of the band of the formula, and of names of links
TALLEST = 150.0  # pixels of a row
MOST_CELLS = 24  # links, and steps, of a grid that is drawn
MOST_COLUMNS = 48  # of the whole vector's way, in steps of a chunk
LAST = 0.75  # of a sentence, in which chunks come


@dataclass(frozen=True, eq=False)
class ChainGrid:
    """A row for each link, a column for each step; a cell is filled where a chunk crosses.

    crossed: (row, step, chunk). links: the names of rows. first: steps of the first chunk. source:
    the formula of all steps, whose terms are the steps of the first chunk and those of the others.
    whole: in how many chunks the vector is cut where its way in one piece is shown above, first.
    taken: how long both take.
    """

    crossed: tuple[tuple[int, int, int], ...]
    links: tuple[str, ...]
    first: int
    steps: int
    source: str
    whole: int = 0
    taken: tuple[str, str] = ("", "")

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        if not self.whole:
            return self._cut(room, item, time)
        middle = room.top + 0.42 * (room.height - BAND)
        upper = Box.between(room.left, room.top, room.right, middle)
        lower = Box.between(room.left, middle, room.right, room.bottom)
        drawing = self._in_one(upper, time / LAST if item == 1 else 1.0)
        if item > 1:
            drawing += self._cut(lower, min(item - 1, OTHERS), time if item - 1 <= OTHERS else 1.0)
        if item - 1 > OTHERS:
            drawing += self._saved(upper, lower, min(1.0, time / LAST))
        return drawing

    def _in_one(self, room: Box, part: float) -> Drawing:
        """The vector in one piece, link after link, as far as it has come."""
        count, left = len(self.links), room.left + LABEL
        high, wide = (room.height - 50) / count, (room.width - LABEL) / count
        boxes, lines = list[ColoredBox](), list[TextLine]()
        for row, name in enumerate(self.links):
            x, y = left + row * wide, room.top + (row + 0.5) * high
            lines.append(TextLine(name, left - 14, y + 10, 28, "faint", align="right"))
            come = wide * min(1.0, max(0.0, count * part - row))
            for tone, length in (("well", wide), ("rank 0", come)):
                box = Box(x + length / 2, y, length, 0.8 * high)
                boxes += [ColoredBox(box, tone, 5)] * (length > 0)
        return Drawing(tuple(boxes), (), tuple(lines))

    def _saved(self, upper: Box, lower: Box, part: float) -> Drawing:
        """Time passes until each way ends; and how long it took."""
        strokes, x = list[Stroke](), self.cell(lower, 0, self.steps - 1).right
        now = upper.left + LABEL + part * (upper.width - LABEL)
        ends = (upper.right, upper.bottom, "ink"), (x, lower.bottom - BAND, "now")
        for end, low, tone in ends:
            at = min(now, end)
            strokes.append(Stroke(((at, upper.top), (at, low)), tone, 4, dashes=(3, 3)))
        whole = self.taken[0], upper.right - 14, upper.y - 25, 40, "ink", "bold"
        cut = TextLine(self.taken[1], x + 14, lower.y - 0.4 * BAND, 40, "now", "bold")
        texts = *[cut] * (now >= x), *[TextLine(*whole, "right")] * (part >= 1)
        return Drawing((), tuple(strokes), texts)

    def _cut(self, room: Box, item: int, time: float) -> Drawing:
        """The chunks, one after another."""
        at = min(1.0, time / LAST) * (self.first if item == FIRST else self.steps)
        lines = list[TextLine]()
        for row, name in enumerate(self.links):
            box = self.cell(room, row, 0)
            right = room.left + LABEL - 14
            lines.append(TextLine(name, right, box.y + 10, 28, "faint", align="right"))
        boxes = list[ColoredBox]()
        every = 1 + (self.cell(room, 0, 0).width < 22 * len(str(self.steps)))  # of numbers
        for step in range(self.steps):
            x, text = self.cell(room, 0, step).x, str(step + 1) * (step % every == 0)
            lines.append(TextLine(text, x, room.top + 30, 28, "faint", align="center"))
            for row in range(len(self.links)):
                boxes.append(ColoredBox(self.cell(room, row, step), "well", 5, "edge", 1))
                for chunk in (c for r, s, c in self.crossed if (r, s) == (row, step)):
                    if (step < at and (not chunk or item > FIRST)) or (item > FIRST and not chunk):
                        boxes.append(ColoredBox(self.cell(room, row, step), f"rank {chunk}", 5))
        return Drawing(tuple(boxes), (), tuple(lines)) + self._formula(room, item, time)

    def cell(self, room: Box, row: int, step: int) -> Box:
        """The cell of a row in a step."""
        pitch = (room.width - LABEL) / (len(self.links) * self.whole or self.steps)
        high = min(TALLEST, (room.height - BAND - 50) / len(self.links))
        x = room.left + LABEL + (step + 0.5) * pitch
        return Box(x, room.top + 50 + (row + 0.5) * high, 0.9 * pitch, 0.84 * high)

    def _formula(self, room: Box, item: int, time: float) -> Drawing:
        """The steps that were counted, and the term that they become."""
        counts = 0, self.first, self.steps
        count, gained = counts[item - (time <= LAST)], counts[item] - counts[item - 1]
        flying = Flying(str(gained), item, (time - LAST) / (1 - LAST))
        y = room.bottom - BAND / 2 + 30
        return counted_formula(
            room.x, y, count, self.source, range(FIRST, item + 1), (FIRST, OTHERS), flying
        )


def chain_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of links through which chunks follow one another, a link further in every step."""
    line, chunks = facts.recording.structure, facts.recording.chunk_count
    if chunks < 2 or facts.ranks < 3 or not facts.even:
        return
    hops = len(set(levels(facts).values()))
    if not 1 < hops <= MOST_CELLS or not facts.steps == hops + chunks - 1 <= MOST_CELLS:
        return
    crossed = tuple((level, level + c, c) for level in range(hops) for c in range(chunks))
    if isinstance(line, Line):
        names = tuple(f"{a} → {b}" for a, b in zip(line.order, line.order[1:], strict=False))
        batches = facts.recording.collective.name == "send_recv"
        kind, source = "batch" if batches else "chain", "«1|N - 1» + «2|q - 1»"
    elif facts.recording.collective.name in ("broadcast", "reduce"):
        names = tuple(tell("levels_name", number=level + 1) for level in range(hops))
        kind, source = "levels", "«1|h» + «2|q - 1»"
    else:
        return
    sentences = [
        tell(f"{kind}_first", steps=tell.count(hops)),
        tell("chain_others", chunks=tell.count(chunks - 1), steps=facts.steps),
    ]
    grid, need = (crossed, names, hops, facts.steps, source), 0
    picture = ChainGrid(*grid)
    if kind != "levels" and hops * chunks <= MOST_COLUMNS:
        times = tell.figure(hops), tell.figure(facts.steps / chunks)
        fields = {"whole": times[0], "cut": times[1], "steps": facts.steps, "chunks": chunks}
        sentences = [tell(f"{kind}_whole", **fields), *sentences, tell("chain_saved", **fields)]
        need = 1
        taken = tell("chain_time", n=times[0]), tell("chain_time", n=times[1])
        picture = ChainGrid(*grid, chunks, taken)
    named = "levels" if kind == "levels" else "chain"
    aside = tell(f"{named}_aside", ranks=tell.ranks(facts.ranks), chunks=chunks, levels=hops)
    yield tell.why(kind, sentences, picture, aside, need)


def levels(facts: WhyFacts) -> dict[tuple[int, int], int]:
    """By link how many are before it, where every chunk crosses each a step after the one before.

    Nothing where a link carries some chunk earlier, later, or not at all.
    """
    crossing: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node, target, step, sent in facts.hops:
        crossing.setdefault((node, target), []).extend((c, step) for c in sent.numbers)
    first = {link: ways[0][1] for link, ways in crossing.items()}
    chunks = range(facts.recording.chunk_count)
    follows = all(ways == [(c, first[link] + c) for c in chunks] for link, ways in crossing.items())
    return first if follows else {}
