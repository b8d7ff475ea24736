"""The labels of nodes, slots and moving data: on cards, in captions, in lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collectives.recording.recording import Recording
from collectives.words import plural, runs

if TYPE_CHECKING:
    from animations.story.storyboard import Move

LONGEST_NUMBERS = 20  # letters of the numbers of slots that move together; else how many


@dataclass(frozen=True)
class Labels:
    """The labels of one recording.

    Slots are the `chunk_count` chunks of the rank's own vector, the received ones up to
    `promised_slots`, then scratch. helper: the noun for a node that is no rank. in_blocks: slot
    d of a rank is its block for rank d, and received slot s its block from rank s. moves_data:
    false where a message only says whose messages its sender has received.
    """

    ranks: int
    chunk_count: int
    promised_slots: int
    helper: str
    in_blocks: bool
    moves_data: bool

    def node(self, node: int) -> str:
        """A node: rank 2, switch 0."""
        return f"rank {node}" if node < self.ranks else f"{self.helper} {node - self.ranks}"

    def slot(self, slot: int) -> str:
        """A slot in a caption: chunk 2, the block from rank 1, scratch 0."""
        if slot >= self.promised_slots:
            return f"scratch {slot - self.promised_slots}"
        if slot >= self.chunk_count:
            number = slot - self.chunk_count
            return f"the block from rank {number}" if self.in_blocks else f"received {number}"
        return f"its block for rank {slot}" if self.in_blocks else f"chunk {slot}"

    def short(self, slot: int) -> str:
        """A slot below its cell: c2, 1→ (from rank 1), →2 (for rank 2), s0."""
        if slot >= self.promised_slots:
            return f"s{slot - self.promised_slots}"
        if slot >= self.chunk_count:
            number = slot - self.chunk_count
            return f"{number}→" if self.in_blocks else f"r{number}"
        return f"→{slot}" if self.in_blocks else f"c{slot}" if self.moves_data else "heard"

    def contribution(self, rank: int, origin: int, slot: int) -> str:
        """The label of a contribution that does not lie where it came from, else nothing.

        A block always names its source and its destination: 0→2.
        """
        if self.in_blocks:
            return f"{rank}→{origin}"
        return "" if self.chunk_count == 1 or slot == origin else f"c{origin}"

    def data(self, move: Move) -> str:
        """What moves, for a list: chunk 2, block 0→2 → s1, scratch 0 → c0."""
        if not self.moves_data:
            return "news"
        name = self._block(move) or self.slot(move.chunk)
        return name if self._is_expected(move) else f"{name} → {self.short(move.into)}"

    def contents(self, moves: Sequence[Move]) -> str:
        """What moves from one node to another: chunk 3, chunks 4–7, chunks 0, 2, 5, 4 blocks."""
        slots = sorted({move.chunk for move in moves})
        if not self.moves_data:
            return "news"
        if len(slots) == 1:
            return self._block(moves[0]) or self.slot(slots[0])
        if self.in_blocks:
            return plural(len(slots), "block")
        starts = {"chunk": 0, "received": self.chunk_count, "scratch": self.promised_slots}
        kinds = {max((at, noun) for noun, at in starts.items() if at <= slot) for slot in slots}
        first, noun = min(kinds)
        if len(kinds) > 1:
            return plural(len(slots), "slot")
        numbers = ", ".join(runs((slot - first for slot in slots), "–"))
        if len(numbers) > LONGEST_NUMBERS:
            return plural(len(slots), noun) if noun == "chunk" else f"{len(slots)} {noun}"
        return f"{noun}{'s' * (noun == 'chunk')} {numbers}"

    def sentence(self, move: Move) -> str:
        """What a transfer does, for a caption: rank 0 adds chunk 1 into rank 1."""
        source, target = self.node(move.src), self.node(move.dst)
        if not self.moves_data:
            return f"{source} keeps what it heard" if move.is_local else f"{source} tells {target}"
        block, slot = self._block(move), self.slot(move.into)
        expected = move.into < self.promised_slots if block else self._is_expected(move)
        data = block or self.slot(move.chunk)
        if move.is_local and expected and not move.adds:
            return f"{source} keeps {data}"
        there = target if expected or self.in_blocks else f"{slot} of {target}"
        verb, to = ("adds", "into") if move.adds else ("sends", "to")
        if move.is_local:
            verb, there = ("adds", f"its {slot}") if move.adds else ("copies", slot)
        return f"{source} {verb} {data} {to} {there}"

    def _block(self, move: Move) -> str:
        """The block that moves, where it is exactly one."""
        labels = move.cell.labels
        return f"block {labels[0]}" if self.in_blocks and len(labels) == 1 else ""

    def _is_expected(self, move: Move) -> bool:
        """Whether data goes to the slot of the same chunk, or to one for received data."""
        return move.into == move.chunk or self.chunk_count <= move.into < self.promised_slots


def labels_of(recording: Recording) -> Labels:
    """The labels of a recording."""
    collective = recording.collective
    return Labels(
        recording.ranks,
        recording.chunk_count,
        recording.promised_slots,
        recording.helpers,
        collective.in_blocks,
        collective.moves_data,
    )
