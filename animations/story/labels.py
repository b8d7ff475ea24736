"""The labels of nodes, slots and moving data: on cards, in captions, in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from animations.phrases import Phrases, phrases
from animations.story.transfers import Transfer
from collectives.recording.recording import Recording
from collectives.words import runs

LONGEST = 20  # letters of the numbers of several slots or nodes; of more how many they are


@dataclass(frozen=True)
class Labels:
    """The labels of one recording.

    Slots are the `chunk_count` chunks of the rank's own vector, the received ones up to
    `promised_slots`, then scratch. helper: the noun for a node that is no rank, in English.
    in_blocks: slot d of a rank is its block for rank d, and received slot s its block from rank s.
    moves_data: false where a message only says whose messages its sender has received.
    """

    ranks: int
    chunk_count: int
    promised_slots: int
    helper: str
    in_blocks: bool
    moves_data: bool
    language: str = "en"

    @property
    def has_arrivals(self) -> bool:
        """Whether what is received has slots of its own."""
        return self.promised_slots > self.chunk_count

    @property
    def uncut(self) -> bool:
        """Whether a rank's data is its vector: there is one chunk, and no slot for arrivals."""
        return self.moves_data and not self.in_blocks and self.promised_slots == 1

    @property
    def say(self) -> Phrases:
        """What is said in the language of the picture."""
        return phrases(self.language)

    def node(self, node: int, section: str = "labels") -> str:
        """A node: rank 2, switch 0; as in a sentence, where the section is "some"."""
        noun, first = ("rank", 0) if node < self.ranks else (self.helper, self.ranks)
        return self.say(f"{section}.node", noun=self.say.noun(noun), number=node - first)

    def slot(self, slot: int, section: str = "labels") -> str:
        """A slot: chunk 2, all of the vector, the block from rank 1, scratch 0."""
        if self.uncut and not slot:
            return self.say(f"{section}.vector")
        kind, first = "block_for" if self.in_blocks else "chunk", 0
        if slot >= self.promised_slots:
            kind, first = "scratch", self.promised_slots
        elif slot >= self.chunk_count:
            kind, first = "block_from" if self.in_blocks else "received", self.chunk_count
        return self.say(f"{section}.{kind}", number=slot - first)

    def short(self, slot: int) -> str:
        """A slot below its cell: c2, 1→ (from rank 1), →2 (for rank 2), s0."""
        if slot >= self.promised_slots:
            return f"s{slot - self.promised_slots}"
        if slot >= self.chunk_count:
            number = slot - self.chunk_count
            return f"{number}→" if self.in_blocks else f"r{number}"
        return (
            f"→{slot}"
            if self.in_blocks
            else f"c{slot}"
            if self.moves_data
            else self.say("labels.heard")
        )

    def contribution(self, rank: int, origin: int, slot: int) -> str:
        """The label of a contribution that does not lie where it came from, else nothing.

        A block always names its source and its destination: 0→2.
        """
        if self.in_blocks:
            return f"{rank}→{origin}"
        return "" if self.chunk_count == 1 or slot == origin else f"c{origin}"

    def data(self, transfer: Transfer) -> str:
        """What moves, for a list: chunk 2, block 0→2 → s1, scratch 0 → c0."""
        if not self.moves_data:
            return self.say("labels.news")
        name = self._block(transfer, "labels") or self.slot(transfer.chunk)
        if self._is_expected(transfer):
            return name
        return self.say("labels.into", data=name, slot=self.short(transfer.into))

    def contents(self, transfers: Sequence[Transfer]) -> str:
        """What moves from one node to another: chunk 3, chunks 4–7, chunks 0, 2, 5, 4 blocks."""
        if not self.moves_data:
            return self.say("labels.news")
        block = len(transfers) == 1 and self._block(transfers[0])
        return block or self.slots({transfer.chunk for transfer in transfers})

    def slots(self, slots: Iterable[int]) -> str:
        """Some slots of a node in a caption."""
        some = sorted(slots)
        if len(some) == 1:
            return self.slot(some[0], "some")
        if self.in_blocks and some[0] < self.promised_slots:
            return self.say.plural(len(some), "block")
        starts = {"chunk": 0, "received": self.chunk_count, "scratch": self.promised_slots}
        kinds = {max((at, noun) for noun, at in starts.items() if at <= slot) for slot in some}
        first, noun = min(kinds)
        if len(kinds) > 1:
            return self.say.plural(len(some), "slot")
        numbers = ", ".join(runs((slot - first for slot in some), "–"))
        if len(numbers) > LONGEST:
            return self.say.plural(len(some), noun if noun == "chunk" else f"{noun}_slot")
        return self.say(f"some.several_{noun}", numbers=numbers)

    def nodes(self, nodes: Sequence[int]) -> str:
        """Some nodes in a caption: rank 2, ranks 1–7, all ranks, switches 0, 1."""
        if len(nodes) == 1:
            return self.node(nodes[0], "some")
        inside = [node for node in nodes if node < self.ranks]
        if 0 < len(inside) < len(nodes):
            return self.say.listed([*map(self.nodes, (inside, sorted({*nodes} - {*inside})))])
        if len(inside) == self.ranks:
            return self.say("some.all_ranks")
        noun, first = ("rank", 0) if inside else (self.helper, self.ranks)
        numbers = ", ".join(runs((node - first for node in sorted(nodes)), "–"))
        if len(numbers) > LONGEST:
            return self.say.plural(len(nodes), noun)
        return self.say("some.nodes", nouns=self.say.several(noun), numbers=numbers)

    def others(self, nodes: Sequence[int]) -> str:
        """Some nodes beside a rank: all 7 others, or their numbers."""
        every = len(nodes) == self.ranks - 1 > 2 and max(nodes) < self.ranks
        return self.say("some.all_others", number=len(nodes)) if every else self.nodes(nodes)

    def sentence(self, transfers: Sequence[Transfer], senders: Sequence[int] = ()) -> str:
        """What a parcel does, for a caption: rank 1 adds chunks 4–7 from rank 0.

        senders: all who add to the same cells in the same step, where these are several.
        """
        first, dsts = transfers[0], list(dict.fromkeys(transfer.dst for transfer in transfers))
        say, target = self.say, self.nodes(dsts)
        source = self.others(senders) if senders else self.node(first.src, "some")
        if not self.moves_data:
            key = "keeps_heard" if first.is_local else "tells"
            return say(f"sentences.{key}", source=source, target=target)
        transfers = [transfer for transfer in transfers if transfer.dst == first.dst]
        data, slots = self.contents(transfers), self.slots({m.into for m in transfers})
        block = self._block(first)
        expected = all(
            m.into < self.promised_slots if block else self._is_expected(m) for m in transfers
        )
        if first.is_local and expected and not first.adds:
            return say("sentences.keeps", source=source, data=data)
        own = expected or self.in_blocks
        there, key = slots, "adds_in_place" if first.adds else "copies"
        if not first.is_local:
            key = "add" + "s" * (len(dsts) == 1) + "_into" * (not own) if first.adds else "sends"
            there = target if own else say("sentences.slots_of", slots=slots, target=target)
        fields = {"source": source, "data": data, "there": there, "target": target}
        return say(f"sentences.{key}", slots=slots, **fields)

    def _block(self, transfer: Transfer, section: str = "some") -> str:
        """The block that moves, where it is exactly one."""
        labels = transfer.cell.labels
        is_block = self.in_blocks and len(labels) == 1
        return self.say(f"{section}.block", label=labels[0]) if is_block else ""

    def _is_expected(self, transfer: Transfer) -> bool:
        """Whether data goes to the slot of the same chunk, or to one for received data."""
        return (
            transfer.into == transfer.chunk
            or self.chunk_count <= transfer.into < self.promised_slots
        )


def labels_of(recording: Recording, language: str = "en") -> Labels:
    """The labels of a recording in a language."""
    collective = recording.collective
    counts = recording.ranks, recording.chunk_count, recording.promised_slots
    kinds = recording.helpers, recording.in_blocks, collective.moves_data
    return Labels(*counts, *kinds, language)
