"""The dataflow clock where messages share links: events in time, max-min rates between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from collectives.cost.clocks.contention import never_shared
from collectives.cost.clocks.delays import Delays
from collectives.cost.clocks.event_clock import INTO, NOTHING, OUT, Item, Plan, Walk
from collectives.cost.clocks.fair_flows import Streams
from collectives.cost.clocks.step_messages import Load
from collectives.cost.clocks.timed import Own
from collectives.cost.machines.paths import Floats, Paths
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.memory_limit import check_memory

MOST_MESSAGES = 1 << 20  # a minute or two
MESSAGE_BYTES = 2000  # of memory, with all that waits for it


class Network:
    """All messages of a recording, what each waits for, and the network they share.

    The rules are those of `PortClocks`, only that the rates at which bytes flow change whenever
    a flow begins or ends.
    """

    def __init__(self, topology: Topology, slots: int, delays: Delays) -> None:
        self._topology, self._slots, self._delays = topology, slots, delays
        self._items: list[Item] = []
        self._after: list[list[int]] = []
        self.loads: list[Load] = []
        self._columns: dict[str, list[Floats]] = defaultdict(list)
        self._paths: list[Paths] = []
        self._queues: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._ready: dict[int, list[int]] = {}  # items that make a slot ready to be read
        self._readers: dict[int, list[int]] = defaultdict(list)  # messages that read it since
        self._here: dict[int, list[int]] = defaultdict(list)  # of each node, in earlier steps
        self._own: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of each step
        self._start: list[int] = []  # the item that starts each message
        self._end: list[int] = []

    def add(self, load: Load, ordered: bool = True) -> None:
        """Put a step's messages behind all those before; `ordered` by their data too."""
        pattern, first = load.pattern, len(self._start)
        self.loads.append(Load(load.step, pattern, load.size, load.added))
        check_messages(first + pattern.number, self._topology)
        size = np.broadcast_to(load.size, pattern.number).astype(np.float64)
        columns = {
            "lead": self._delays.lead(pattern, size),
            "flow": self._delays.flow(size),
            "flight": pattern.flight,
            "limit": pattern.limit,
            "added": self._delays.gamma[pattern.dst] * load.added,
            "size": size,
        }
        for name, column in columns.items():
            self._columns[name].append(column)
        self._paths.append(pattern.paths)
        come = self._delays.arrive[pattern.src], self._delays.arrive[pattern.dst]
        starts = [self._item(first + m, come[0][m]) for m in range(len(size))]
        ends = [self._item(~(first + m), come[1][m]) for m in range(len(size))]
        for end in ends:
            self._items[end].waits = 1  # for its last byte
        self._start += starts
        self._end += ends
        for turn in pattern.rounds:
            for m in turn.tolist():
                self._queues[OUT, int(pattern.out[m])].append(first + m)
                self._queues[INTO, int(pattern.into[m])].append(first + m)
        if ordered:
            self._order(load, starts, ends)
        if self._delays.costs.eager is not None:
            self._rendezvous(load, size, starts, ends)

    def _order(self, load: Load, starts: list[int], ends: list[int]) -> None:
        """What each message waits for because of the slots it reads, needs and writes."""
        step, slots = load.step.unrolled(), self._slots
        row = load.pattern.of_row
        row = row if step is load.step else np.repeat(row, load.step.count)
        reads = (step.src * slots + step.chunk).tolist()
        needs = reads if step.needs is None else (step.src * slots + step.needs).tolist()
        writes = (step.dst * slots + step.into).tolist()
        messages = row.tolist()
        waits: dict[int, set[int]] = defaultdict(set)
        writer: dict[int, list[int]] = defaultdict(list)
        copies: dict[int, list[int]] = defaultdict(list)
        at = self._delays.arrive[step.dst].tolist()
        adds = self._own_work(load)
        adding = [False] * len(load.step) if load.own is None else (load.own > 0).tolist()
        which = np.repeat(np.arange(len(load.step)), load.step.count).tolist()
        rows = zip(which, messages, reads, needs, writes, at, strict=True)
        for k, m, read, need, write, come in rows:
            if m >= 0:
                item = starts[m]
                for cell in (read, need) if need != read else (read,):
                    self._readers[cell].append(item)
                writer[write].append(ends[m])
            else:
                item = adds[write // slots] if adding[k] else self._item(NOTHING, come)
                copies[write].append(item)
            waits[item].update(self._ready.get(read, ()), self._ready.get(need, ()))
        for write in dict.fromkeys([*writer, *copies]):
            before = [*self._ready.get(write, ()), *self._readers.pop(write, ())]
            items = writer[write] + copies[write]
            for item in items:
                waits[item].update(before)
            for copy in copies[write]:  # what a node has itself it adds last
                waits[copy].update(writer[write])
            self._ready[write] = list(dict.fromkeys(items))
        for item, others in waits.items():
            for other in others:
                self._follow(other, item)

    def _own_work(self, load: Load) -> dict[int, int]:
        """An item for each node that adds something of its own: all of it is one piece of work."""
        if load.own is None:
            return {}
        gamma, dst = self._delays.gamma, load.step.dst
        takes = np.bincount(dst, load.own, len(gamma)) * gamma
        work = {}
        for node in np.unique(dst[load.own > 0]).tolist():
            work[node] = self._item(NOTHING, float(self._delays.arrive[node]))
            self._items[work[node]].takes = float(takes[node])
            self._own[len(self.loads) - 1].append((work[node], node))
        return work

    def _rendezvous(self, load: Load, size: Floats, starts: list[int], ends: list[int]) -> None:
        """Large messages wait until their receiver is done with all steps before."""
        pattern, eager = load.pattern, self._delays.costs.eager or 0
        src, dst = pattern.src.tolist(), pattern.dst.tolist()
        for m, start in enumerate(starts):
            if size[m] > eager:
                self._items[start].time = max(
                    self._items[start].time, float(self._delays.arrive[dst[m]])
                )
                for other in self._here[dst[m]]:
                    self._follow(other, start)
        mine: dict[int, list[int]] = defaultdict(list)
        for m, start in enumerate(starts):
            mine[src[m]].append(start)
            mine[dst[m]].append(ends[m])
        for node, items in mine.items():
            done = self._item(NOTHING, 0.0)
            for other in {*items, *self._here[node]}:
                self._follow(other, done)
            self._here[node] = [done]

    def _item(self, message: int, time: float) -> int:
        self._items.append(Item(0, float(time), message))
        self._after.append([])
        return len(self._items) - 1

    def _follow(self, earlier: int, later: int) -> None:
        self._after[earlier].append(later)
        self._items[later].waits += 1

    def own(self, number: int) -> Own | None:
        """After `run`: which nodes add something of their own in a step, from when until when."""
        if number not in self._own:
            return None
        items, nodes = zip(*self._own[number], strict=True)
        end = np.array([self._items[item].time for item in items])
        return np.array(nodes), end - [self._items[item].takes for item in items], end

    def run(self) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it never comes to it."""
        if not self._start:
            return (np.zeros(0),) * 3
        columns = {name: np.concatenate(parts) for name, parts in self._columns.items()}
        paths, most = _where_shared(self._topology, _joined(self._paths))
        columns["limit"] = np.minimum(columns["limit"], most)
        plan = Plan(
            self._items,
            self._after,
            self._start,
            self._end,
            self._queues,
            columns,
            Streams(paths, columns["limit"], self._topology.capacity),
            self._topology.lanes,
            self._delays.gap,
        )
        return Walk(plan).times()


def check_messages(number: int, topology: Topology) -> None:
    """Raise BadInput where so many messages that share links take too long, or too much memory."""
    if number > MOST_MESSAGES:
        raise BadInput(
            f"{number} messages share links on {topology.name}: too many for the dataflow clock, "
            "which takes 2^20; nearest: the lockstep clock, or fewer ranks"
        )
    check_memory(MESSAGE_BYTES * number, f"{number} messages that share links")


def _joined(parts: Iterable[Paths]) -> Paths:
    """All paths one after another."""
    listed = list(parts)
    many = np.concatenate([np.diff(part.start) for part in listed])
    start = np.concatenate([[0], np.cumsum(many)]).astype(np.intp)
    return Paths(start, np.concatenate([part.link for part in listed]))


def _where_shared(topology: Topology, paths: Paths) -> tuple[Paths, Floats]:
    """The groups of links that paths may share with others, and the least the others have."""
    group = topology.group[paths.link]
    alone = never_shared(topology, paths)[group]
    before = np.concatenate([[0], np.cumsum(~alone)])
    own = np.where(alone, topology.capacity[group], np.inf)
    most: Floats = np.minimum.reduceat(own, paths.start[:-1])
    return Paths(before[paths.start], group[~alone]), most
