"""The labels of nodes, slots and moving data: on cards, in captions, in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collectives.recording.recording import Recording
from collectives.words import plural, runs

if TYPE_CHECKING:
    from animations.story.frames import Move

LONGEST = 20  # letters of the numbers of several slots or nodes; of more how many they are


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
        if not self.moves_data:
            return "news"
        return (len(moves) == 1 and self._block(moves[0])) or self.slots({m.chunk for m in moves})

    def slots(self, slots: Iterable[int]) -> str:
        """Some slots of a node in a caption."""
        some = sorted(slots)
        if len(some) == 1:
            return self.slot(some[0])
        if self.in_blocks and some[0] < self.promised_slots:
            return plural(len(some), "block")
        starts = {"chunk": 0, "received": self.chunk_count, "scratch": self.promised_slots}
        kinds = {max((at, noun) for noun, at in starts.items() if at <= slot) for slot in some}
        first, noun = min(kinds)
        if len(kinds) > 1:
            return plural(len(some), "slot")
        numbers = ", ".join(runs((slot - first for slot in some), "–"))
        if noun == "chunk":
            return f"chunks {numbers}" if len(numbers) <= LONGEST else plural(len(some), noun)
        return f"{noun} {numbers}" if len(numbers) <= LONGEST else f"{len(some)} {noun} slots"

    def nodes(self, nodes: Sequence[int]) -> str:
        """Some nodes in a caption: rank 2, ranks 1–7, all ranks, switches 0, 1."""
        if len(nodes) == 1:
            return self.node(nodes[0])
        inside = [node for node in nodes if node < self.ranks]
        if 0 < len(inside) < len(nodes):
            return f"{self.nodes(inside)} and {self.nodes([n for n in nodes if n >= self.ranks])}"
        if len(inside) == self.ranks:
            return "all ranks"
        noun, first = ("rank", 0) if inside else (self.helper, self.ranks)
        numbers = ", ".join(runs((node - first for node in sorted(nodes)), "–"))
        several = plural(2, noun).partition(" ")[2]
        return f"{several} {numbers}" if len(numbers) <= LONGEST else plural(len(nodes), noun)

    def sentence(self, moves: Sequence[Move]) -> str:
        """What a parcel does, for a caption: rank 0 adds chunks 4–7 into rank 1."""
        first, dsts = moves[0], list(dict.fromkeys(move.dst for move in moves))
        source, target = self.node(first.src), self.nodes(dsts)
        if not self.moves_data:
            return f"{source} keeps what it heard" if first.is_local else f"{source} tells {target}"
        moves = [move for move in moves if move.dst == first.dst]
        data, slots = self.contents(moves), self.slots({move.into for move in moves})
        block = self._block(first)
        expected = all(
            move.into < self.promised_slots if block else self._is_expected(move) for move in moves
        )
        if first.is_local and expected and not first.adds:
            return f"{source} keeps {data}"
        there = target if expected or self.in_blocks else f"{slots} of {target}"
        verb, to = ("adds", "into") if first.adds else ("sends", "to")
        if first.is_local:
            verb, there = ("adds", f"its {slots}") if first.adds else ("copies", slots)
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
