"""Puts slots, data, transfers and places in the source into words."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.proof.diagnosis.contents import UNKNOWN, Content, bits
from collectives.proof.diagnosis.history import Cell, SlotTransfer
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.provenance import Stamp, caption, line_name
from collectives.words import Quoted, Worded, linked, listed, runs

MAX_LISTED = 4  # numbers, or kinds of data, in one list


class DiagnosisPhrases:
    """How things of one recording are called."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._kind = recording.collective
        self._quoted: set[str] = set()

    def node(self, number: int) -> str:
        """A rank, or a node that is none."""
        noun = "rank" if number < self._recording.ranks else "node"
        return Worded(f"{noun} {{number}}", number=number)

    def slot(self, cell: Cell) -> str:
        """A slot by its rank and number."""
        return Worded("slot {slot} of {node}", slot=cell[1], node=self.node(cell[0]))

    def slots(self, cells: Sequence[Cell]) -> str:
        """Several slots; those of one number together."""
        if len({slot for _, slot in cells}) == 1:
            who = named([rank for rank, _ in cells])
            return Worded("slot {slot} of {node}", slot=cells[0][1], node=who)
        return listed([self.slot(cell) for cell in cells], MAX_LISTED)

    def data(self, content: Content) -> str:
        """Whose data it is: chunk 2 of ranks 0 and 1."""
        parts = [self.ranks_data(slot, ranks) for slot, (ranks, _) in sorted(content.items())]
        if len(parts) > MAX_LISTED:
            more = len(parts) - MAX_LISTED + 1
            parts = [*parts[: MAX_LISTED - 1], Worded("{number} other chunks", number=more)]
        return listed(parts)

    def ranks_data(self, slot: int, ranks: int) -> str:
        """The data these ranks (as bits) had in this slot."""
        if slot == UNKNOWN:
            return "data of other slots"
        who = named(bits(ranks))
        if not self._kind.moves_data:
            return Worded("the arrival of {who}", who=who)
        if self._recording.in_blocks:
            return Worded("the block of {who} for rank {rank}", who=who, rank=slot)
        return Worded("chunk {chunk} of {who}", chunk=slot, who=who)

    def at(self, row: SlotTransfer) -> str:
        """The step of a transfer, with its line; with that line's comment the first time."""
        stamp = stamp_of(self._recording.steps[row.step - 1], row.index)
        place = lines(stamp, comment=lines(stamp) not in self._quoted)
        self._quoted.add(lines(stamp))
        return Worded("step {step}{place}", step=row.step, place=place)

    def transfer(self, row: SlotTransfer, read: Content, before: Content) -> str:
        """What a transfer does, to a slot that held `before`."""
        node, slot = self.node(row.src[0]), row.src[1]
        pattern = f"{{node}} {'adds' if row.adds else 'sends'} its slot {{slot}} ({{data}})"
        source = Worded(pattern, node=node, slot=slot, data=self.data(read))
        target, old = self.slot(row.dst), self.data(before)
        if row.src[0] == row.dst[0]:
            target = Worded("its slot {slot}", slot=row.dst[1])
        pattern = "{source} into {target}"
        if row.src == row.dst:
            pattern = "{source} into itself"
        elif row.adds and before:
            again = any(ranks & before.get(slot, (0, 0))[0] for slot, (ranks, _) in read.items())
            pattern += f", which {'already ' if again else ''}holds {{old}}"
        elif row.adds:
            pattern += ", which is empty"
        elif before:
            pattern = "{source} over {old} in {target}"
        return Worded(pattern, source=source, target=target, old=old)


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
    names = linked((line_name(file, line) for file, line in inner.items()), " → ")
    own = Quoted(caption(stamp) if comment else "")
    return Worded(" ({lines}: {comment})" if own else " ({lines})", lines=names, comment=own)


def named(numbers: Sequence[int]) -> str:
    """Ranks in words.

    >>> named([0]), named([0, 2]), named([0, 1, 2, 5]), named(range(0, 20, 2))
    ('rank 0', 'ranks 0 and 2', 'ranks 0 to 2 and 5', '10 ranks (0, 2, 4, 6, …)')
    """
    parts = runs(numbers)
    if len(parts) > MAX_LISTED:
        first = tuple(parts[:MAX_LISTED])
        return Worded("{number} ranks ({first}, …)", number=len(numbers), first=first)
    pattern = "rank {number}" if len(numbers) == 1 else "ranks {numbers}"
    return Worded(pattern, number=listed(parts), numbers=listed(parts))
