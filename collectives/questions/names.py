"""How slots, ranks and contents are called in questions."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.recording import payload
from collectives.recording.recording import Recording
from collectives.words import listed, runs

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
        return f"rank {node}" if node < ranks else f"{self._recording.helpers} {node - ranks}"

    def nodes(self, nodes: Sequence[int]) -> str:
        """Some ranks: rank 2, ranks 0 to 3 and 6."""
        parts = runs(nodes)
        if len(parts) > MOST_RUNS:
            parts = [*map(str, nodes[:MOST_RUNS]), f"{len(nodes) - MOST_RUNS} more"]
        return f"rank{'s' * (len(nodes) > 1)} {listed(parts)}"

    def slot(self, slot: int) -> str:
        """A slot: chunk 2, scratch 0, the block from rank 1; of one chunk the vector."""
        recording = self._recording
        if not recording.collective.moves_data:
            return "what it heard"
        if slot >= recording.promised_slots:
            return f"scratch {slot - recording.promised_slots}"
        if slot >= recording.chunk_count:
            number = slot - recording.chunk_count
            return f"the block from rank {number}" if self._blocks else f"received {number}"
        if recording.chunk_count == 1:
            return "the vector"
        return f"the block for rank {slot}" if self._blocks else f"chunk {slot}"

    def content(self, content: Content, slot: int) -> str:
        """What a slot holds: the sum over ranks 0 and 1; rank 3's data."""
        if not content:
            return "nothing: it stays empty"
        if self._blocks:
            blocks = [f"{rank}→{origin}" for rank, origin, _ in content]
            noun = "block" if len(blocks) == 1 else "blocks"
            return f"{noun} {listed(blocks, MOST_BLOCKS)}"
        origins = list(dict.fromkeys(origin for _, origin, _ in content))
        parts = [self._summed([c for c in content if c[1] == of], of, slot) for of in origins]
        return listed(parts)

    def _summed(self, content: Sequence[tuple[int, int, int]], origin: int, slot: int) -> str:
        """The contributions from one slot."""
        times = sorted({number for _, _, number in content})
        parts = [self._who([c[0] for c in content if c[2] == number], number) for number in times]
        who = listed(parts)
        if not self._recording.collective.moves_data:
            return f"that {who} arrived"
        chunk = f"chunk {origin} of " if origin != slot and self._recording.chunk_count > 1 else ""
        if len(content) == 1 and times == [1]:
            return f"{chunk}{who}" if chunk else f"only {who}'s data"
        return f"{f'{chunk[:-4]}, ' if chunk else ''}the {self._operation} over {who}"

    def _who(self, ranks: Sequence[int], times: int) -> str:
        """The ranks that contribute so many times."""
        everyone = len(ranks) == self._recording.ranks > 1
        who = f"all {len(ranks)} ranks" if everyone else self.nodes(ranks)
        return who if times == 1 else f"{'twice' if times == 2 else f'{times} times'} {who}"
