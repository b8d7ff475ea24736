"""What questions are made of: what slots hold, what is sent and who is done, step by step."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from collectives.memory_limit import check_memory
from collectives.questions.names import Content, Names
from collectives.recording import payload
from collectives.recording.memory import Memory
from collectives.recording.recording import Recording
from collectives.recording.replay import Replay
from collectives.schedule import Step
from collectives.schedule.columns import Integers

EXACT_ENTRIES = 1 << 21  # of the contents of all slots, up to which these are asked for


class Facts:
    """A recording as questions see it; steps are counted from 1."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.names = Names(recording)
        self.last = len(recording.steps)
        self.steps: list[Step] = [step.unrolled() for step in recording.steps]
        self.add = np.add if recording.collective.exactly_once else np.maximum
        self._replay: Replay | None = None

    @property
    def is_small(self) -> bool:
        """Whether contents are known to the last contribution."""
        cells = self.recording.nodes * self.recording.slots
        return cells * self.recording.precondition.size <= EXACT_ENTRIES

    def start(self) -> Memory:
        """The contributions before the first step."""
        entries = self.recording.nodes * self.recording.slots * self.recording.precondition.size
        check_memory(8 * entries, "the contents of all slots")
        return payload.vector_memory(self.recording.precondition, self.recording.nodes)

    def content(self, cell: tuple[int, int], step: int) -> Content:
        """What a slot holds after a step; nothing where it is empty."""
        self._replay = self._replay or Replay(self.recording.steps, self.start(), self.add)
        return self.listed(self._replay.at(step).values[cell])

    def listed(self, vector: np.ndarray) -> Content:
        """Contributions as (rank, origin slot, times)."""
        slots = self.recording.slots
        there = np.flatnonzero(vector).tolist()
        return tuple((*divmod(at, slots), int(vector[at])) for at in there)

    def joined(self, *contents: Content) -> Content:
        """Several contents added up; where once is enough, the union."""
        times: dict[tuple[int, int], int] = {}
        union = not self.recording.collective.exactly_once
        for rank, origin, number in (part for content in contents for part in content):
            known = times.get((rank, origin), 0)
            times[rank, origin] = max(known, number) if union else known + number
        return tuple(sorted((rank, origin, number) for (rank, origin), number in times.items()))

    def everybody(self, origin: int) -> Content:
        """The data that all ranks have for a slot at the start."""
        held = self.recording.precondition[:, origin]
        return tuple((int(rank), origin, 1) for rank in np.flatnonzero(held))

    @cached_property
    def sent(self) -> Integers:
        """Sent by each node up to the end of each step, [step, node]: in bytes, or messages."""
        return self._moved("src")

    @cached_property
    def received(self) -> Integers:
        """As `sent`, received."""
        return self._moved("dst")

    def busiest(self, step: int) -> int:
        """The rank that has sent most by the end of a step, the first of several."""
        return int(self.sent[step, : self.recording.ranks].argmax())

    def _moved(self, end: str) -> Integers:
        recording, slots = self.recording, self.recording.slots
        total = np.zeros((self.last + 1, recording.nodes), np.intp)
        for number, step in enumerate(self.steps, 1):
            away = step.src != step.dst
            key = (step.src * recording.nodes + step.dst) * slots + step.chunk
            unit = slots if not recording.collective.moves_data else 1  # a message, or each slot
            messages = np.unique(key[away] // unit)
            link, slot = np.divmod(messages * unit, slots)
            src, dst = np.divmod(link, recording.nodes)
            size = recording.sizes(number - 1)[src, slot] * recording.dtype.itemsize
            weights = size if recording.collective.moves_data else np.ones_like(src)
            np.add.at(total[number], src if end == "src" else dst, weights)
        return np.cumsum(total, axis=0)

    def rows(self, step: int) -> list[tuple[int, int, int, int, bool]]:
        """The slots that move to other nodes in a step: src, dst, chunk, into, whether it adds."""
        rows = self.steps[step - 1]
        columns = (rows.src, rows.dst, rows.chunk, rows.into, rows.reduces)
        every = zip(*(column.tolist() for column in columns), strict=True)
        return [row for row in every if row[0] != row[1]]

    def sent_in(self, step: int) -> set[tuple[int, int]]:
        """The nodes and slots that send in a step."""
        return {(src, chunk) for src, _, chunk, _, _ in self.rows(step)}

    @cached_property
    def links(self) -> dict[int, list[int]]:
        """The nodes that each node is linked to, in ascending order."""
        neighbors: dict[int, set[int]] = {}
        for rank, neighbor in self.recording.counters.links.tolist():
            neighbors.setdefault(rank, set()).add(neighbor)
            neighbors.setdefault(neighbor, set()).add(rank)
        return {node: sorted(others) for node, others in neighbors.items()}

    @cached_property
    def done(self) -> list[int]:
        """The step after which each rank has what it is promised; 0 where it is nothing new."""
        memory, recording = self.start(), self.recording
        done = [0] * recording.ranks
        for number, step in enumerate(recording.steps, 1):
            before = memory.values[: recording.ranks].copy()
            memory.combine(step, self.add)
            changed = (memory.values[: recording.ranks] != before).any(axis=2)
            for rank in np.flatnonzero((changed & recording.postcondition).any(axis=1)).tolist():
                done[rank] = number
        return done
