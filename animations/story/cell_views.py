"""How cells are drawn that show whose data is in them: as colored boxes, with a legend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from animations.drawing.scenery import Fold, Scenery
from animations.drawing.shapes import Box
from animations.drawing.theme import Theme
from animations.story.labels import Labels
from animations.story.transfers import EMPTY, Cell, NodeSlot
from collectives.collective import Cells
from collectives.questions.names import Content
from collectives.recording.recording import MAX_TIMES, Recording

MOST_NUMBERED = 8  # ranks up to which stripes have numbers
READABLE = 16  # width of a cell in which a number can be read
ROOMY = 44  # width of a cell in which a block's whole label can be read
VALUES_SHOWN = 4  # elements of a moving chunk that are printed
Array = npt.NDArray[Any]
Shares = npt.NDArray[np.int64]
Drawn = Callable[[Array, Cells, NodeSlot], Cell]


class CellMark(NamedTuple):
    """A colored box in a cell: the index of its color, its box, and its text."""

    ink: int
    box: Box
    text: str


class Snapshot(NamedTuple):
    """All slots after a step: the cell of each, its first values and number as text, its elements.

    well: the cell that is drawn for a well of a node, which several slots may share.
    """

    cell: Callable[[NodeSlot], Cell]
    well: Callable[[NodeSlot], Cell]
    elements: Callable[[NodeSlot], int]
    values: Callable[[NodeSlot], str] = lambda at: ""
    number: Callable[[NodeSlot], str] = lambda at: ""


def shortened(recording: Recording) -> Recording:
    """The same schedule on as many elements of each chunk as are shown, and one more."""
    return recording.excerpt(VALUES_SHOWN + 1)


@dataclass(frozen=True)
class View:
    """How the cells of a storyboard are drawn; by default each contribution is a stripe.

    most_required: the largest number of contributions that a promised cell needs.
    """

    labels: Labels
    scenery: Scenery
    most_required: int

    name: ClassVar[str] = "stripes"
    payload: ClassVar[str] = "contributions"  # what of a recording it shows
    shows_ranks: ClassVar[bool] = True  # whose data is in a cell, else how much of it
    has_bars: ClassVar[bool] = True  # marks have places of their own in a cell
    edge: ClassVar[str] = "edge"  # the tone round a cell
    explanation: ClassVar[str] = "stripes"  # which pattern says how to read it

    @property
    def labels_blocks(self) -> bool:
        """Whether the legend's title says what labels in cells mean."""
        return False

    @property
    def fold(self) -> Fold:
        """How ranks and slots share bars and wells."""
        return self.scenery.fold

    @property
    def colors(self) -> int:
        """How many colors marks have, where these are of ranks, groups of them, or chunks."""
        return self.fold.bars

    def ink(self, rank: int, slot: int) -> int:
        """The color of a contribution, from that slot of that rank."""
        return self.fold.bar[rank]

    def snapshots(self, recording: Recording) -> Callable[[int], Snapshot]:
        """A function that gives all slots after a step."""
        short = shortened(recording)

        def after(step: int) -> Snapshot:
            state, size = short.state(step), recording.sizes(step)

            def cell(at: NodeSlot) -> Cell:
                if not size[at] and self.labels.moves_data:
                    return EMPTY
                return self.content(state.times[at], state.origin[at], at[1])

            def values(at: NodeSlot) -> str:
                return _first_values(state.value(*at).tolist())

            def number(at: NodeSlot) -> str:
                return _text(state.value(*at)[:1].tolist())

            return Snapshot(cell, cell, lambda at: int(size[at]), values, number)

        return after

    def drawn(self, recording: Recording) -> Drawn:
        """The cell of a slot's well, from the payload of all slots and whether they are full."""

        def stripes(values: Array, full: Cells, at: NodeSlot) -> Cell:
            times, origin = np.minimum(values[at], MAX_TIMES).astype(np.int64)
            return self.content(times, origin, at[1])

        return stripes

    def cell_of(self, recording: Recording) -> Callable[[int, Content], Cell] | None:
        """A function that gives the cell of a slot with some contents; None if they are no ranks.

        These need not be contents that the slot ever has.
        """

        def cell(slot: int, content: Content) -> Cell:
            times, origins = np.zeros((2, recording.ranks), np.int64)
            for rank, origin, number in content:
                times[rank] += number
                origins[rank] += origin * number
            return self.content(times, origins, slot)

        return cell

    def content(self, of: Shares, origin: Shares, slot: int) -> Cell:
        """Whose contributions a slot holds, and from which slots where these are others."""
        times = of.tolist()
        ranks = tuple(rank for rank, count in enumerate(times) if count)
        if not self.labels.moves_data or not ranks:
            return Cell(ranks)
        texts = tuple(self._label(rank, times[rank], int(origin[rank]), slot) for rank in ranks)
        return Cell(ranks, texts if any(texts) else ())

    def _label(self, rank: int, times: int, origin: int, slot: int) -> str:
        """The label of a contribution; of several of a rank, whose `origin` is a sum, how many."""
        return self.labels.contribution(rank, origin, slot) if times == 1 else f"{rank}×{times}"

    def number(self, cell: Cell) -> int:
        """How much of the result is in a cell, as far as a sentence says it."""
        return len(cell.held)

    def packed(self, cell: Cell) -> list[Any]:
        """A cell that is not empty as the page has it."""
        bars, held = self.colors, cell.held
        faint = [bar - bars for bar in held if bar >= bars]
        return [[bar for bar in held if bar < bars], faint, *cell.labels]

    def marks(self, cell: Cell, box: Box, limit: int = MOST_NUMBERED) -> list[CellMark]:
        """The marks of a cell that is not empty, in a box: at its own height each contribution's.

        It has a label, or its number if there are at most `limit` ranks.
        """
        numbers = [f"{ink}" if self.colors <= limit else "" for ink in cell.held]
        texts = [label or n for label, n in zip(cell.labels or numbers, numbers, strict=True)]
        stripes = (self.scenery.stripe(box, ink % self.colors) for ink in cell.held)
        return [CellMark(*mark) for mark in zip(cell.held, stripes, texts, strict=True)]

    def mark_colors(self, theme: Theme) -> tuple[str, ...]:
        """The colors of marks."""
        return tuple(map(theme.rank, range(self.colors)))

    def legend_key(self) -> str:
        """Of the phrase above the legend that says what a mark is."""
        return f"{'' if self.labels.moves_data else 'heard_'}{self.name}"

    def explain(self) -> str:
        """How to read a mark."""
        return self.labels.say(f"reading.{self.explanation}")

    def legend_labels(self) -> list[str]:
        """A label for each color; empty for a color that is not in use."""
        return [f"{ink}" for ink in range(self.colors)]


class Blocks(View):
    """Nothing is added: what is in a cell fills it, in the color of its rank."""

    name = "blocks"
    explanation = "blocks"

    @property
    def labels_blocks(self) -> bool:
        """Whether they are blocks from one rank for another."""
        return self.labels.in_blocks

    def legend_key(self) -> str:
        """How a block is labeled, where its label can be read."""
        width = self.scenery.cards[0].shape.widest.width
        if not self.labels.in_blocks or width < READABLE:
            return super().legend_key()
        return "block_roomy" if width >= ROOMY else "block_narrow"


class ChunkColors(View):
    """All data is one rank's: each chunk has a color."""

    name = "chunks"
    explanation = "chunks"

    @property
    def colors(self) -> int:
        """One for each chunk."""
        return self.labels.chunk_count

    def ink(self, rank: int, slot: int) -> int:
        """That of the chunk."""
        return slot

    def cell_of(self, recording: Recording) -> Callable[[int, Content], Cell]:
        """All chunks of a content."""
        return lambda slot, content: Cell(tuple(origin for _, origin, _ in content))

    def content(self, of: Shares, origin: Shares, slot: int) -> Cell:
        """The chunk that is in it."""
        return Cell(tuple(origin[of.nonzero()].tolist()))


def _first_values(values: list[Any]) -> str:
    """The first of some values, as text."""
    text = _text(values[:VALUES_SHOWN])
    return f"[{text}{' …' * (len(values) > VALUES_SHOWN)}]" if text else ""


def _text(values: list[Any]) -> str:
    return " ".join(f"{v:.4g}" if isinstance(v, float) else f"{v}" for v in values)
