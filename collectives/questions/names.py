"""How slots, ranks and contents are called in questions."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.recording import payload
from collectives.recording.recording import Recording
from collectives.words import Worded, listed, runs

Content = tuple[tuple[int, int, int], ...]  # (rank, slot it came from, times), in ascending order
MOST_BLOCKS = 3  # that are named
MOST_RUNS = 4  # of numbers of ranks


class Names:
    """The names of one recording."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._blocks = recording.in_blocks
        self._operation = payload.OPERATIONS[recording.op]

    def node(self, node: int) -> str:
        """A node: rank 2, switch 0."""
        ranks = self._recording.ranks
        if node < ranks:
            return Worded("rank {number}", number=node)
        return Worded(f"{self._recording.helpers} {{number}}", number=node - ranks)

    def nodes(self, nodes: Sequence[int]) -> str:
        """Some ranks: rank 2, ranks 0 to 3 and 6."""
        parts = runs(nodes)
        if len(parts) > MOST_RUNS:
            first = map(str, nodes[:MOST_RUNS])
            parts = [*first, Worded("{number} more", number=len(nodes) - MOST_RUNS)]
        if len(nodes) == 1:
            return self.node(nodes[0])
        return Worded("ranks {numbers}", numbers=listed(parts))

    def slot(self, slot: int) -> str:
        """A slot: chunk 2, scratch 0, the block from rank 1; of one chunk the vector."""
        recording = self._recording
        if not recording.collective.moves_data:
            return "what it heard"
        if slot >= recording.promised_slots:
            return Worded("scratch {number}", number=slot - recording.promised_slots)
        if slot >= recording.chunk_count:
            number = slot - recording.chunk_count
            pattern = "the block from rank {number}" if self._blocks else "received {number}"
            return Worded(pattern, number=number)
        if recording.chunk_count == 1:
            return "the vector"
        pattern = "the block for rank {number}" if self._blocks else "chunk {number}"
        return Worded(pattern, number=slot)

    def place(self, node: int, slot: int) -> str:
        """A slot of a node: chunk 2 of rank 1."""
        return Worded("{slot} of {node}", slot=self.slot(slot), node=self.node(node))

    def sends(self, src: int, slot: int, dst: int) -> str:
        """That a node sends a slot to another one."""
        names = {"src": self.node(src), "slot": self.slot(slot), "dst": self.node(dst)}
        return Worded("{src} sends {slot} to {dst}", **names)

    def content(self, content: Content, slot: int) -> str:
        """What a slot holds: the sum over ranks 0 and 1; rank 3's data."""
        if not content:
            return "nothing: it stays empty"
        if self._blocks:
            blocks = listed([f"{rank}→{origin}" for rank, origin, _ in content], MOST_BLOCKS)
            return Worded("block {names}" if len(content) == 1 else "blocks {names}", names=blocks)
        origins = list(dict.fromkeys(origin for _, origin, _ in content))
        parts = [self._summed([c for c in content if c[1] == of], of, slot) for of in origins]
        return listed(parts)

    def _summed(self, content: Sequence[tuple[int, int, int]], origin: int, slot: int) -> str:
        """The contributions from one slot."""
        times = sorted({number for _, _, number in content})
        parts = [self._who([c[0] for c in content if c[2] == number], number) for number in times]
        who = listed(parts)
        alone = len(content) == 1
        if not self._recording.collective.moves_data:
            pattern = "that {rank} arrived" if alone else "that {ranks} arrived"
            return Worded(pattern, rank=who, ranks=who)
        strange = origin != slot and self._recording.chunk_count > 1
        if alone and times == [1]:
            pattern = "chunk {chunk} of {who}" if strange else "only {who}'s data"
            return Worded(pattern, chunk=origin, who=who)
        pattern = f"{'chunk {chunk}, ' * strange}the {self._operation} over {{who}}"
        return Worded(pattern, chunk=origin, who=who)

    def _who(self, ranks: Sequence[int], times: int) -> str:
        """The ranks that contribute so many times."""
        everyone = len(ranks) == self._recording.ranks > 1
        who = Worded("all {number} ranks", number=len(ranks)) if everyone else self.nodes(ranks)
        if times == 1:
            return who
        return Worded("twice {who}" if times == 2 else "{times} times {who}", times=times, who=who)
