"""Puts slots, data, transfers and places in the source into words."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.proof.diagnosis.contents import UNKNOWN, Content, bits
from collectives.proof.diagnosis.history import Cell, SlotTransfer
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.provenance import Stamp, caption, line_name
from collectives.words import listed, runs

MAX_LISTED = 4  # numbers, or kinds of data, in one list


class DiagnosisPhrases:
    """How things of one recording are called."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._kind = recording.collective
        self._quoted: set[str] = set()

    def node(self, number: int) -> str:
        """A rank, or a node that is none."""
        return f"{'rank' if number < self._recording.ranks else 'node'} {number}"

    def slot(self, cell: Cell) -> str:
        """A slot by its rank and number."""
        return f"slot {cell[1]} of {self.node(cell[0])}"

    def slots(self, cells: Sequence[Cell]) -> str:
        """Several slots; those of one number together."""
        if len({slot for _, slot in cells}) == 1:
            return f"slot {cells[0][1]} of {named([rank for rank, _ in cells])}"
        return listed([self.slot(cell) for cell in cells], MAX_LISTED)

    def data(self, content: Content) -> str:
        """Whose data it is: chunk 2 of ranks 0 and 1."""
        parts = [self.ranks_data(slot, ranks) for slot, (ranks, _) in sorted(content.items())]
        if len(parts) > MAX_LISTED:
            parts = [*parts[: MAX_LISTED - 1], f"{len(parts) - MAX_LISTED + 1} other chunks"]
        return listed(parts)

    def ranks_data(self, slot: int, ranks: int) -> str:
        """The data these ranks (as bits) had in this slot."""
        if slot == UNKNOWN:
            return "data of other slots"
        who = named(bits(ranks))
        if not self._kind.moves_data:
            return f"the arrival of {who}"
        if self._recording.in_blocks:
            return f"the block of {who} for rank {slot}"
        return f"chunk {slot} of {who}"

    def at(self, row: SlotTransfer) -> str:
        """The step of a transfer, with its line; with that line's comment the first time."""
        stamp = stamp_of(self._recording.steps[row.step - 1], row.index)
        place = lines(stamp, comment=lines(stamp) not in self._quoted)
        self._quoted.add(lines(stamp))
        return f"step {row.step}{place}"

    def transfer(self, row: SlotTransfer, read: Content, before: Content) -> str:
        """What a transfer does, to a slot that held `before`."""
        source = f"{self.node(row.src[0])} {'adds' if row.adds else 'sends'} its slot {row.src[1]}"
        target, old = self.slot(row.dst), self.data(before)
        held = f"{source} ({self.data(read)})"
        if row.src == row.dst:
            return f"{held} into itself"
        if row.src[0] == row.dst[0]:
            target = f"its slot {row.dst[1]}"
        if row.adds and before:
            again = any(ranks & before.get(slot, (0, 0))[0] for slot, (ranks, _) in read.items())
            return f"{held} into {target}, which {'already ' if again else ''}holds {old}"
        if row.adds:
            return f"{held} into {target}, which is empty"
        return f"{held} over {old} in {target}" if before else f"{held} into {target}"


def stamp_of(step: Step, index: int) -> Stamp:
    """Where the transfer of one slot of a step comes from."""
    return step.stamps[int(step.unrolled().origin[index])]


def lines(stamp: Stamp, comment: bool = True) -> str:
    """The line of the source that made a transfer, and its comment, in parentheses.

    Where a function of another file yields it, the line there that calls that function, too.
    """
    if not stamp:
        return ""
    inner = {frame.source.file: frame.line for frame in stamp}
    names = " → ".join(line_name(file, line) for file, line in inner.items())
    comment_text = caption(stamp) if comment else ""
    return f" ({names}: {comment_text})" if comment_text else f" ({names})"


def named(numbers: Sequence[int]) -> str:
    """Ranks in words.

    >>> named([0]), named([0, 2]), named([0, 1, 2, 5]), named(range(0, 20, 2))
    ('rank 0', 'ranks 0 and 2', 'ranks 0 to 2 and 5', '10 ranks (0, 2, 4, 6, …)')
    """
    parts = runs(numbers)
    if len(parts) > MAX_LISTED:
        return f"{len(numbers)} ranks ({', '.join(parts[:MAX_LISTED])}, …)"
    return f"rank{'' if len(numbers) == 1 else 's'} {listed(parts)}"
