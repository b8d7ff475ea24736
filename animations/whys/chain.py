"""Why a chain pays with chunks: the first fills it, and each further one is a step later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Line

FIRST, OTHERS = range(1, 3)  # the sentences
LETTERS, BAND, LABEL = 72.0, 170.0, 170.0  # pixels of the formula, its band, and of names of links
MOST_CELLS = 24  # links, and steps, of a grid that is drawn
LAST = 0.75  # of a sentence, in which chunks come


@dataclass(frozen=True, eq=False)
class ChainGrid:
    """A row for each link, a column for each step; a cell is filled where a chunk crosses.

    crossed: (link, step, chunk). links: their names. source: the formula of all steps, whose terms
    are the steps of the first chunk and those of the others.
    """

    crossed: tuple[tuple[int, int, int], ...]
    links: tuple[str, ...]
    steps: int
    source: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        hops, part = len(self.links), min(1.0, time / LAST)
        drawing = self.steps if item > FIRST else hops
        at = part * hops if item == FIRST else part * self.steps
        pitch = (room.width - LABEL) / self.steps
        high = min(90.0, (room.height - BAND - 50) / hops)
        boxes, lines = list[ColoredBox](), list[TextLine]()
        for row, name in enumerate(self.links):
            base = room.top + 50 + (row + 0.5) * high + 10
            lines.append(TextLine(name, room.left + LABEL - 20, base, 28, "faint", align="right"))
        for step in range(self.steps):
            x = room.left + LABEL + (step + 0.5) * pitch
            lines.append(TextLine(str(step + 1), x, room.top + 30, 28, "faint", align="center"))
            for row in range(hops):
                box = Box(x, room.top + 50 + (row + 0.5) * high, 0.9 * pitch, 0.84 * high)
                boxes.append(ColoredBox(box, "well", 5, "edge", 1))
        for row, step, chunk in self.crossed:
            seen = step < at and (not chunk or item > FIRST)
            if seen or (item > FIRST and not chunk):
                x = room.left + LABEL + (step + 0.5) * pitch
                box = Box(x, room.top + 50 + (row + 0.5) * high, 0.9 * pitch, 0.84 * high)
                boxes.append(ColoredBox(box, f"rank {chunk}", 5))
        return Drawing(tuple(boxes), (), tuple(lines)) + self._formula(room, item, time, drawing)

    def _formula(self, room: Box, item: int, time: float, steps: int) -> Drawing:
        """The steps that were counted, and the term that they become."""
        y, typeset = room.bottom - BAND / 2 + 30, formula(self.source)
        left = room.x - (typeset.width * LETTERS + 160) / 2
        lit = {FIRST} if item > FIRST else set()
        lit |= {item} if time >= 1 else set()
        tones = {0: "ink" if item > FIRST else "line"} | dict.fromkeys(lit, "now")
        count = steps if time > LAST else (0 if item == FIRST else len(self.links))
        number = TextLine(
            str(count), left + 60, y + 0.36 * LETTERS, LETTERS, "ink", "bold", "right"
        )
        drawing = Drawing(lines=(number,))
        drawing += formula("=").drawn(left + 84, y, LETTERS, lambda _: "faint")
        drawing += typeset.drawn(left + 160, y, LETTERS, lambda term: tones.get(term, "line"))
        if LAST < time < 1:
            goal = typeset.box(item, left + 160, y, LETTERS)
            way = MOTION.eased((time - LAST) / (1 - LAST))
            x = left + 40 + way * (goal.x - left - 40)
            gained = steps if item == FIRST else steps - len(self.links)
            base = y + 0.36 * LETTERS - 100 * way * (1 - way)
            drawing += Drawing(
                lines=(TextLine(str(gained), x, base, LETTERS, "now", "bold", "center"),)
            )
        return drawing


def chain_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a chain through which chunks follow one another, a link further in every step."""
    line, chunks = facts.recording.structure, facts.recording.chunk_count
    if not isinstance(line, Line) or chunks < 2 or facts.ranks < 3 or not facts.even:
        return
    hops = len(line.order) - 1
    place = {rank: number for number, rank in enumerate(line.order)}
    crossed = tuple(
        (place[rank], step, chunk)
        for rank in line.order
        for step, sent in enumerate(facts.sends[rank])
        if sent
        for chunk in sent.numbers
    )
    follows = all(step == link + chunk for link, step, chunk in crossed)
    if not follows or len(crossed) != hops * chunks or max(hops, facts.steps) > MOST_CELLS:
        return
    names = tuple(f"{a} → {b}" for a, b in zip(line.order, line.order[1:], strict=False))
    picture = ChainGrid(crossed, names, facts.steps, "«1|N - 1» + «2|q - 1»")
    sentences = [
        tell("chain_first", steps=tell.count(hops)),
        tell("chain_others", chunks=tell.count(chunks - 1), steps=facts.steps),
    ]
    aside = tell("chain_aside", ranks=tell.ranks(facts.ranks), chunks=chunks)
    yield tell.why("chain", sentences, picture, aside)
