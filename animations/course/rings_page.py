"""A page of rings: the way of a chunk from rank to rank, whose hops between nodes are counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import ceil

from animations.course.examples import ring_of
from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed
from animations.course.machine_run import MachineRun
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from collectives.recording.recording import Recording

FIRST, ROWS, GAP = TOP + 160, 760.0, 100.0  # where nodes begin, all of them; between two rings
ALL_GONE = 0.85  # of its time: until the chunk is where it began


@cache
def _rings_of(recording: Recording) -> list[list[tuple[int, int]]]:
    """All rings of a recording, each once."""
    own = (ring_of(recording, chunk) for chunk in range(recording.chunk_count))
    return list({frozenset(ring): ring for ring in own}.values())


@dataclass(frozen=True)
class RingsPage(Headed):
    """Runs beside each other; of each a chunk goes round its ring. unit: of what is counted.

    cards: whether at last all rings are drawn, one after another, and what leaves a rank's card.
    """

    runs: tuple[MachineRun, ...] = ()
    unit: str = ""
    cards: bool = False

    @property
    def items(self) -> int:
        """How many chunks go round."""
        return len(self.runs) + self.cards

    def at(self, item: int, time: float) -> Drawing:
        """The rings whose chunk has set out, that of the last on its way."""
        drawing, wide = self.head, (RIGHT - LEFT + GAP) / max(1, len(self.runs))
        for number, run in enumerate(self.runs[:item], 1):
            gone = min(1.0, time / ALL_GONE) if number == item else 1.0
            gone += time / ALL_GONE * (item > len(self.runs))
            drawing += self._ring(run, LEFT + wide * (number - 1), wide - GAP, gone)
        return drawing

    def _ring(self, run: MachineRun, left: float, wide: float, gone: float) -> Drawing:
        """The hops of a chunk so far, counted, and the ranks in a row for each node.

        gone: which part of its ring, and beyond 1 which part of all rings.
        """
        ranks, gpus = run.timing.recording.ranks, run.timing.topology.gpus
        pitch, high = wide / gpus, ROWS * gpus / ranks
        at = [(left + pitch * (k % gpus + 0.5), FIRST + high * (k // gpus)) for k in range(ranks)]
        cards = [Box(x, y, 0.74 * pitch, 60) for x, y in at]
        ring, lines, crossed = ring_of(run.timing.recording), list[Stroke](), 0
        for number, (src, dst) in enumerate(ring[: int(gone * ranks) + 1]):
            way, crosses = min(1.0, gone * ranks - number), src // gpus != dst // gpus
            crossed += crosses and way == 1
            box, chunk = cards[src], cards[src].toward(cards[dst], way)
            look = ("now", 8.0) if crosses else ("ink", 5.0)
            lines.append(Stroke(((box.x, box.y), (chunk.x, chunk.y)), *look))
        every = _rings_of(run.timing.recording) if gone > 1 else []
        hops = chain.from_iterable(every[: ceil((gone - 1) * len(every))])
        across = [(src, dst) for src, dst in hops if src // gpus != dst // gpus]
        leaves = [src for src, _ in across]
        lines += (Stroke((at[src], at[dst]), "now", 2.5) for src, dst in across)
        crossed = len(across) or crossed
        boxes = [ColoredBox(Box(chunk.x, chunk.y, 34, 34), "now", 6)]  # in the end behind a card
        texts = [TextLine(run.name, left, TOP + 50, 44, "ink", "bold")]
        texts.append(TextLine(f"{self.unit}: {crossed}", left, BOTTOM, 60, "now", "bold"))
        for rank, box in enumerate(cards):
            boxes.append(ColoredBox(box, f"rank {rank // gpus}", 12))
            texts.append(TextLine(f"{rank}", box.x, box.y + 13, 36, "now_ink", "bold", "center"))
            count, y = leaves.count(rank), box.y - 46 + 122 * (rank >= gpus)
            texts += [TextLine(f"{count}", box.x, y, 40, "now", "bold", "center")] * (gone > 1)
        return Drawing(tuple(boxes), tuple(lines), tuple(texts))
