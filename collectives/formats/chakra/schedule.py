"""The messages of Chakra traces: sends matched with receives, and the step of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from collectives.collective import find_collective
from collectives.errors import BadInput
from collectives.formats.chakra.nodes import COLLECTIVE, RECEIVE, SEND, Node, circle
from collectives.schedule import Step, send
from collectives.units import size_text
from collectives.words import listed, plural

Key = tuple[int, int, int]  # source, destination, tag


@dataclass(frozen=True)
class TraceMessage:
    """So many bytes from a rank to another, in a step."""

    step: int
    src: int
    dst: int
    size: int


@dataclass(frozen=True)
class Together:
    """A collective of so many bytes, and how many ranks take part."""

    name: str
    size: int
    ranks: int

    def __str__(self) -> str:
        """As messages name it: all-reduce of 1 MiB on 4 ranks."""
        of = f" of {size_text(self.size)}" if find_collective(self.name).moves_data else ""
        return f"{self.name.replace('_', '-')}{of} on {plural(self.ranks, 'rank')}"


class Trace:
    """What all ranks do: their messages, each in a step, and their collectives.

    A send and a receive match by source, destination and tag, in order. A message is in the first
    step in which both of its ends have done what they wait for, and no other one is on its link. A
    send does not wait for its receive; a collective is done when all its ranks have come to it.
    """

    def __init__(self, ranks: list[list[Node]]) -> None:
        self.ranks = len(ranks)
        self.messages: list[TraceMessage] = []
        self.collectives: list[Together] = []
        self._nodes = [node for nodes in ranks for node in nodes]
        # what happens at once: a node, or those of a collective, by the first of them
        self._event = list(range(len(self._nodes)))
        self._send_of: dict[int, int] = {}  # by its receive
        self._match()
        self._meet()
        self._run()

    def _match(self) -> None:
        """Find the send of each receive; raises BadInput for those without the other end."""
        ends: dict[int, dict[Key, list[int]]] = {
            SEND: defaultdict(list),
            RECEIVE: defaultdict(list),
        }
        for at, node in enumerate(self._nodes):
            if node.kind in ends:
                self._check_peer(node)
                ends[node.kind][_key(node)].append(at)
        sends, receives = ends[SEND], ends[RECEIVE]
        for key in sorted(sends.keys() | receives.keys()):
            out, there = sends.get(key, []), receives.get(key, [])
            if len(out) != len(there):
                src, dst, tag = key
                what = f"{plural(len(out), 'message')} with tag {tag}"
                raise BadInput(f"rank {src} sends rank {dst} {what}, which receives {len(there):,}")
            for sending, receiving in zip(out, there, strict=True):
                sent, receive = self._nodes[sending], self._nodes[receiving]
                if sent.size != receive.size:
                    raise BadInput(
                        f"{sent} sends {size_text(sent.size)}, but {receive} receives "
                        f"{size_text(receive.size)}; both ends of a message have one size"
                    )
                self._send_of[receiving] = sending

    def _check_peer(self, node: Node) -> None:
        if not 0 <= node.peer < self.ranks or node.peer == node.rank:
            raise BadInput(
                f"{node}: its peer is rank {node.peer}; it must be another one of "
                f"{plural(self.ranks, 'rank')}, each of which has a file"
            )

    def _meet(self) -> None:
        """Find the nodes that are one collective: the k-th ones of a group."""
        groups: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for at, node in enumerate(self._nodes):
            if node.kind == COLLECTIVE:
                groups[node.group][node.rank].append(at)
        for members in groups.values():
            first, *others = members.values()
            for rest in others:
                ahead, behind = self._nodes[first[0]], self._nodes[rest[0]]
                if len(rest) != len(first):
                    raise BadInput(
                        f"rank {ahead.rank} takes part in {plural(len(first), 'collective')}, but "
                        f"rank {behind.rank} of the same group in {len(rest)}"
                    )
            for indices in zip(*members.values(), strict=True):
                self._join(indices)

    def _join(self, indices: tuple[int, ...]) -> None:
        """Let the nodes at these places be one collective."""
        ahead = self._nodes[indices[0]]
        for place in indices:
            node = self._nodes[place]
            if (node.collective, node.size) != (ahead.collective, ahead.size):
                raise BadInput(
                    f"{ahead} is {Together(ahead.collective, ahead.size, len(indices))}, but "
                    f"{node} is {Together(node.collective, node.size, len(indices))}"
                )
            self._event[place] = indices[0]
        self.collectives.append(Together(ahead.collective, ahead.size, len(indices)))

    def _waits(self) -> dict[int, set[int]]:
        """What each event waits for."""
        place = {(node.rank, node.id): at for at, node in enumerate(self._nodes)}
        waits: dict[int, set[int]] = {event: set() for event in self._event}
        for at, node in enumerate(self._nodes):
            for needed in node.after:
                waits[self._event[at]].add(self._event[place[node.rank, needed]])
        for receive, sent in self._send_of.items():
            waits[receive].add(sent)
        return waits

    def _run(self) -> None:
        """Give each event the step in which it is done; raises BadInput where some never are."""
        waits = self._waits()
        before: dict[int, list[int]] = defaultdict(list)
        for event, needed in waits.items():
            for earlier_one in needed:
                before[earlier_one].append(event)
        left = {event: len(needed) for event, needed in waits.items()}
        done: dict[int, int] = {}
        free: dict[tuple[int, int, int], int] = {}
        ready = [(0, event) for event, count in left.items() if not count]
        while ready:
            _, event = heappop(ready)
            done[event] = self._step(event, waits[event], done, free)
            for later in before[event]:
                left[later] -= 1
                if not left[later]:
                    heappush(ready, (max(done[event] for event in waits[later]), later))
        if len(done) < len(waits):
            stuck = {event: needed for event, needed in waits.items() if event not in done}
            names = [str(self._nodes[event]) for event in circle(stuck)]
            raise BadInput(f"{listed(names, limit=4)}: each waits for the previous one, forever")

    def _step(
        self,
        event: int,
        needed: set[int],
        done: dict[int, int],
        free: dict[tuple[int, int, int], int],
    ) -> int:
        """The step in which an event is done, when all that it waits for is.

        free: of each link and step in which it is busy, a later step that may be free.
        """
        node, sent = self._nodes[event], self._send_of.get(event)
        after = max((done[event] for event in needed if event != sent), default=0)
        if node.kind == SEND:
            return after + 1
        if sent is None:
            return after
        step = first = max(after + 1, done[sent])
        while later := free.get((node.peer, node.rank, step)):
            step = later
        while first <= step:  # so that none of these steps is looked at one by one again
            later = free.get((node.peer, node.rank, first), step + 1)
            free[node.peer, node.rank, first] = step + 1
            first = later
        self.messages.append(TraceMessage(step, node.peer, node.rank, node.size))
        return step


def _key(node: Node) -> Key:
    ends = (node.rank, node.peer) if node.kind == SEND else (node.peer, node.rank)
    return *ends, node.values.get("comm_tag", 0)


def slots_of(messages: list[TraceMessage]) -> tuple[list[int], dict[TraceMessage, list[int]]]:
    """The bytes of each slot of a receive buffer, and the slots of equal messages of a step.

    Messages of one size share a slot, unless they come to a rank in the same step.
    """
    arriving: dict[tuple[int, int, int], int] = defaultdict(int)
    counts: dict[int, int] = defaultdict(int)
    turns: dict[TraceMessage, list[int]] = defaultdict(list)
    for message in messages:
        turn = arriving[message.step, message.dst, message.size]
        arriving[message.step, message.dst, message.size] += 1
        counts[message.size] = max(counts[message.size], turn + 1)
        turns[message].append(turn)
    first: dict[int, int] = {}
    sizes: list[int] = []
    for size in sorted(counts):
        first[size] = len(sizes)
        sizes += [size] * counts[size]
    return sizes, {
        message: [first[message.size] + k for k in turn_list]
        for message, turn_list in turns.items()
    }


def steps_of(messages: list[TraceMessage]) -> tuple[list[int], list[Step]]:
    """The bytes of each slot, and the steps: each rank sends its own block of that size."""
    sizes, slots = slots_of(messages)
    return sizes, list(_steps(slots, {size: sizes.index(size) for size in set(sizes)}, len(sizes)))


def _steps(
    slots: dict[TraceMessage, list[int]], first: dict[int, int], count: int
) -> Iterator[Step]:
    rows = np.array(
        [
            (message.step, message.src, message.dst, first[message.size], count + slot)
            for message, slot_list in slots.items()
            for slot in slot_list
        ],
        np.int64,
    ).reshape(-1, 5)
    rows = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
    for part in np.split(rows, np.flatnonzero(np.diff(rows[:, 0])) + 1):
        _, src, dst, chunk, into = part.T
        if len(part):
            yield send(src, dst, chunk, into)
