"""What nodes, slots and moving data are called: on cards, in captions, in lists."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.recording.recording import Recording


@dataclass(frozen=True)
class Names:
    """The words for one recording.

    Slots are `chunks` chunks of the rank's own vector, up to `places` received ones, then
    scratch. other: what a node is that is no rank. blocks: slot d of a rank is its block for
    rank d, and received slot s its block from rank s. tells: nothing is sent but word of who
    has been heard of.
    """

    ranks: int
    chunk_count: int
    places: int
    other: str
    blocks: bool
    moves_data: bool

    @property
    def others(self) -> str:
        """Several nodes that are no ranks."""
        return f"{self.other}{'es' if self.other.endswith('ch') else 's'}"

    def node(self, node: int) -> str:
        """A node: rank 2, switch 0."""
        return f"rank {node}" if node < self.ranks else f"{self.other} {node - self.ranks}"

    def slot(self, slot: int) -> str:
        """A slot as a caption says it: chunk 2, the block from rank 1, scratch 0."""
        if slot >= self.places:
            return f"scratch {slot - self.places}"
        if slot >= self.chunk_count:
            number = slot - self.chunk_count
            return f"the block from rank {number}" if self.blocks else f"received {number}"
        return f"its block for rank {slot}" if self.blocks else f"chunk {slot}"

    def short(self, slot: int) -> str:
        """A slot as its label says it: c2, 1→ (from rank 1), →2 (for rank 2), s0."""
        if slot >= self.places:
            return f"s{slot - self.places}"
        if slot >= self.chunk_count:
            number = slot - self.chunk_count
            return f"{number}→" if self.blocks else f"r{number}"
        return "heard" if self.moves_data else f"→{slot}" if self.blocks else f"c{slot}"

    def label(self, rank: int, origin: int, slot: int) -> str:
        """What is written on a contribution that does not lie where it came from, else nothing.

        A block always says whose it is and for whom: 0→2.
        """
        if self.blocks:
            return f"{rank}→{origin}"
        return "" if self.chunk_count == 1 or slot == origin else f"c{origin}"

    def what(self, chunk: int, into: int, labels: tuple[str, ...]) -> str:
        """What moves, for a list: chunk 2, block 0→2 → s1, scratch 0 → c0."""
        if self.moves_data:
            return "news"
        known = self.blocks and len(labels) == 1
        thing = f"block {labels[0]}" if known else self.slot(chunk)
        usual = into == chunk or self.chunk_count <= into < self.places
        return thing if usual else f"{thing} → {self.short(into)}"

    def sentence(self, src: int, dst: int, thing: tuple[int, int, tuple[str, ...], bool]) -> str:
        """What happens, for a caption; thing: slot, target slot, labels of its data, whether added.

        >>> names = Names(2, 2, 2, "switch", False, False)
        >>> names.sentence(0, 1, (1, 1, (), True))
        'rank 0 adds chunk 1 into rank 1'
        """
        chunk, into, labels, adds = thing
        one, other = self.node(src), self.node(dst)
        if self.moves_data:
            return f"{one} keeps what it heard" if src == dst else f"{one} tells {other}"
        if self.blocks and len(labels) == 1:
            data, where = f"block {labels[0]}", self.slot(into) if into >= self.places else ""
        else:
            usual = into == chunk or self.chunk_count <= into < self.places
            data, where = self.slot(chunk), "" if usual else self.slot(into)
        if src == dst:
            if not where and not adds:
                return f"{one} keeps {data}"
            verb, link = ("adds", "into its") if adds else ("copies", "to")
            return f"{one} {verb} {data} {link} {where or self.slot(into)}"
        there = f"{where} of {other}" if where and not self.blocks else other
        return f"{one} adds {data} into {there}" if adds else f"{one} sends {data} to {there}"


def names_of(recording: Recording) -> Names:
    """The words for a recording."""
    collective = recording.collective
    return Names(
        recording.ranks,
        recording.chunk_count,
        recording.promised_slots,
        recording.helpers,
        collective.in_blocks,
        not collective.moves_data,
    )
