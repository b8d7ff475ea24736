"""Runs an MSCCL program block by block: the order of its operations, and what each waits for."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from functools import lru_cache

from collectives.errors import BadInput
from collectives.formats.msccl.program import RECEIVES, SENDS, Block, Program
from collectives.formats.msccl.waits import awaited

Connection = tuple[int, int, int]  # source, destination, channel
MOST_NAMED = 4  # blocks of a cycle


@lru_cache(1)  # asked for the moments of operations and for races
def ordered(program: Program) -> tuple[tuple[Block, int], ...]:
    """Every operation in an order in which each can run: its block, and its index there.

    A block runs in order, an operation after the one it depends on, and the k-th receive of a
    connection after its k-th send. Of those that can run, one comes first that the fewest messages
    have to come before, so that what is behind it can use a link early. Raises BadInput where some
    operation never can.
    """
    _check_messages(program)
    queue = _Queue(program)
    events = tuple(queue.run())
    queue.check_done()
    return events


class _Queue:
    """The blocks that can go on, and those that wait, by what they wait for."""

    def __init__(self, program: Program) -> None:
        self._blocks = {(b.gpu, b.number): b for b in program.every_block()}
        self._done = dict.fromkeys(self._blocks, 0)
        self._depths: dict[tuple[int, int], list[int]] = {key: [] for key in self._blocks}
        self._sent: dict[Connection, deque[int]] = defaultdict(deque)  # depths of messages
        self._last: Counter[Connection] = Counter()  # the depth of the last one
        self._waiting: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        self._awaited = awaited(program)

    def run(self) -> Iterator[tuple[Block, int]]:
        """The operations; ends where none can run."""
        ready = [(0, key) for key in sorted(self._blocks)]  # a heap
        while ready:
            known, key = heapq.heappop(ready)
            block, index = self._blocks[key], self._done[key]
            if index == len(block.operations):
                continue
            wait = self._wait(key)
            if wait is not None:
                self._waiting.setdefault(wait, []).append(key)
                continue
            depth = self._depth(key)
            if depth > known:
                heapq.heappush(ready, (depth, key))
                continue
            yield block, index
            for ready_key in (key, *self._finish(key, depth)):
                heapq.heappush(ready, (depth, ready_key))

    def _depth(self, key: tuple[int, int]) -> int:
        """Messages in the longest chain that ends before the next operation of a block is done."""
        block, index = self._blocks[key], self._done[key]
        depth = self._depths[key][-1] if index else 0
        awaited = self._awaited[key][index]
        if awaited is not None:
            depth = max(depth, self._depths[awaited[0]][awaited[1]])
        if block.operations[index].kind in RECEIVES:
            link = block.receives_from, block.gpu, block.channel
            depth = max(depth, self._sent[link][0])
        return depth

    def _finish(self, key: tuple[int, int], depth: int) -> list[tuple[int, int]]:
        """Note that the next operation of a block is done; the blocks that waited for it."""
        block, index = self._blocks[key], self._done[key]
        kind = block.operations[index].kind
        free = self._waiting.pop((*key, index, 0), [])
        if kind in RECEIVES:
            self._sent[block.receives_from, block.gpu, block.channel].popleft()
        if kind in SENDS:
            link = block.gpu, block.sends_to, block.channel
            self._last[link] = 1 + max(depth, self._last[link])
            self._sent[link].append(self._last[link])
            free += self._waiting.pop(link, [])
        self._depths[key].append(depth)
        self._done[key] += 1
        return free

    def _wait(self, key: tuple[int, int]) -> tuple[int, ...] | None:
        """What the next operation of a block waits for; None if it can run."""
        block, index = self._blocks[key], self._done[key]
        awaited = self._awaited[key][index]
        if awaited is not None and self._done[awaited[0]] <= awaited[1]:
            return (*awaited[0], awaited[1], 0)
        link = block.receives_from, block.gpu, block.channel
        if block.operations[index].kind in RECEIVES and not self._sent[link]:
            return link
        return None

    def check_done(self) -> None:
        """Raise BadInput where blocks wait for each other, naming a circle of them."""
        blocks = self._blocks.items()
        key = next((key for key, block in blocks if self._done[key] < len(block.operations)), None)
        if key is None:
            return
        senders = {
            (block.gpu, block.sends_to, block.channel): key
            for key, block in self._blocks.items()
            if any(step.kind in SENDS for step in block.operations)
        }
        path: dict[tuple[int, int], None] = {}
        while key not in path:
            path[key] = None
            wait = self._wait(key)
            assert wait is not None
            key = senders[wait] if len(wait) == 3 else wait[:2]  # type: ignore[assignment]
        circle = list(path)[list(path).index(key) :]
        named = [self._blocks[key].where(self._done[key]) for key in circle[:MOST_NAMED]]
        more = f", and {len(circle) - MOST_NAMED} more" if len(circle) > MOST_NAMED else ""
        raise BadInput(
            f"it never ends: {', which waits for '.join(named)}{more}, which waits for the first; "
            "try: leave one dependency out"
        )


def _check_messages(program: Program) -> None:
    """Raise BadInput where a connection's sends and receives differ in number or length."""
    sent: dict[Connection, list[int]] = {}
    received: dict[Connection, list[int]] = {}
    for block in program.every_block():
        for step in block.operations:
            if step.kind in SENDS:
                link = block.gpu, block.sends_to, block.channel
                sent.setdefault(link, []).append(step.source.count)
            if step.kind in RECEIVES:
                link = block.receives_from, block.gpu, block.channel
                received.setdefault(link, []).append(step.source.count)
    for link in sorted({*sent, *received}):
        counts = sent.get(link, []), received.get(link, [])
        src, dst, channel = link
        if len(counts[0]) != len(counts[1]):
            raise BadInput(
                f"gpu {src} sends {len(counts[0])} messages to gpu {dst} on channel {channel}, "
                f"which receives {len(counts[1])}; try: as many"
            )
        for number, (sent_count, received_count) in enumerate(zip(*counts, strict=True), 1):
            if sent_count != received_count:
                raise BadInput(
                    f"message {number} from gpu {src} to gpu {dst} on channel {channel} has "
                    f"{sent_count} chunks, its receive {received_count}; try: cnt={sent_count}"
                )
