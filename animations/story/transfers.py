"""What a slot holds, in the terms of a view, and data on its way from slot to slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from animations.story.source import SourceLine

NodeSlot = tuple[int, int]


class Cell(NamedTuple):
    """The content of a slot, in the terms of the view; an empty one holds nothing.

    In "stripes" and "blocks", `held` are the ranks whose contributions are in it, in order, and
    `labels` the label of each, where that is not just its rank; in "chunks" `held` is the chunk
    that is in it; in "levels" and "matrix" `held`
    is the number of contributions and whether (1 or 0) these are exactly the required ones. In
    "bars" the content is that of a well, and `held` are its bars: the number of one that is full,
    that number plus the number of bars for one that is not.
    """

    held: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


EMPTY = Cell()


@dataclass(frozen=True, slots=True)
class Transfer:
    """Data on its way: from slot `chunk` of `src` to slot `into` of `dst`; `cell` is in it.

    size: in bytes. values: its first elements as text, or nothing where there are many ranks;
    number: the first one in the slot it goes to, after the step.
    source: the statement that made the transfer, None where its text is not known.
    """

    src: int
    dst: int
    chunk: int
    into: int
    adds: bool
    cell: Cell
    size: int
    values: str
    number: str
    source: SourceLine | None

    @property
    def is_local(self) -> bool:
        """Whether it stays on its node: drawn, but no message and no bytes."""
        return self.src == self.dst
