"""The clocks once more, slow and obvious, in plain Python: to hold the fast ones against.

Nothing here imports numpy or the modules it judges; a machine is told as plain lists.
"""

from dataclasses import dataclass, field
from itertools import count

NEVER = float("inf")


@dataclass
class Machine:
    """Capacity of each thing that is shared; the path of each pair of nodes.

    path[src, dst]: (latency, most bytes per second, the shared things it goes through, the port
    it leaves by, the port it comes in by). lanes[port]: messages it takes at once.
    """

    capacity: list
    path: dict
    lanes: dict


@dataclass
class Message:
    """A message of a step, with what it waits for and when it happened."""

    step: int
    src: int
    dst: int
    size: float
    reads: list = field(default_factory=list)
    needs: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    added: float = 0.0
    place: int = 0
    begin: float = 0.0
    start: float | None = None
    flow: float | None = None  # when its bytes begin to flow
    left: float = 0.0
    sent: float | None = None
    end: float | None = None


def max_min(paths, capacity, limit):
    """Raise the rates of all flows together; who meets a full link or its limit stays."""
    rate = [0.0] * len(paths)
    growing = set(range(len(paths)))
    while growing:
        steps = [limit[f] - rate[f] for f in growing]
        for link, room in enumerate(capacity):
            users = sum(paths[f].count(link) for f in growing)
            if users:
                used = sum(rate[f] * paths[f].count(link) for f in range(len(paths)))
                steps.append((room - used) / users)
        more = max(min(steps), 0.0)
        for f in growing:
            rate[f] += more
        full = set()
        for link, room in enumerate(capacity):
            used = sum(rate[f] * paths[f].count(link) for f in range(len(paths)))
            if used >= room * (1 - 1e-9):
                full.add(link)
        growing = {
            f for f in growing if rate[f] < limit[f] * (1 - 1e-9) and not full & set(paths[f])
        }
    return rate


def arrivals(begin, size, paths, capacity, limit):
    """When each flow is there: rates change whenever one begins or ends."""
    end = [b if not s else None for b, s in zip(begin, size, strict=True)]
    left = list(size)
    now = 0.0
    while None in end:
        live = [f for f in range(len(size)) if end[f] is None and begin[f] <= now]
        rate = max_min([paths[f] for f in live], capacity, [limit[f] for f in live])
        times = [left[f] / r for f, r in zip(live, rate, strict=True) if r]
        times += [begin[f] - now for f in range(len(size)) if end[f] is None and begin[f] > now]
        if not times:
            return [NEVER if e is None else e for e in end]
        step = min(times)
        for f, r in zip(live, rate, strict=True):
            left[f] -= r * step
        now += step
        for f in live:
            if left[f] <= 1e-9 * size[f]:
                end[f] = now
    return end


def messages_of(recording, gamma=None):
    """Messages of each step, with slots read and written, and the local copies of each step."""
    sizes = [int(s) for s in recording.size]
    size = {
        (node, slot): sizes[slot] if slot < len(sizes) else None
        for node in range(recording.nodes)
        for slot in range(recording.slots)
    }
    full = {
        (rank, slot)
        for rank in range(recording.ranks)
        for slot in range(recording.slots)
        if recording.precondition[rank, slot]
    }
    unit = recording.dtype.itemsize
    listed = []
    for number, step in enumerate(recording.steps):
        needs = step.chunk if step.needs is None else step.needs
        columns = (step.src, step.dst, step.chunk, needs, step.into, step.count, step.reduces)
        rows = [
            (row, s, d, c + k, w + k, i + k, adds)
            for row, (s, d, c, w, i, n, adds) in enumerate(
                zip(*(x.tolist() for x in columns), strict=True)
            )
            for k in range(n)
        ]
        found, copies, new = {}, [], {}
        for row, s, d, c, w, i, adds in rows:
            elements = size[s, c] or 0
            if i >= len(sizes):
                new[d, i] = elements
            if s == d:
                cost = elements * unit * gamma[d] if gamma and adds and (d, i) in full else 0.0
                copies.append((((s, c), (s, w)), (d, i), cost, row))
                full.add((d, i))
                continue
            message = found.setdefault((s, d), Message(number, s, d, 0.0))
            if (s, c) not in message.reads:
                message.size += elements * unit
            message.reads.append((s, c))
            message.needs.append((s, w))
            message.writes.append((d, i))
            if adds and (d, i) in full:
                message.added += elements * unit * (gamma[d] if gamma else 0.0)
            full.add((d, i))
        size.update(new)
        order = sorted(found.values(), key=lambda m: ((m.dst - m.src) % recording.nodes, m.src))
        listed.append((order, copies))
    return listed


def lockstep(recording, machine, latency=0.0, gamma=None):
    """The sum over steps of the time until the last message is there and added."""
    total = 0.0
    for messages, copies in messages_of(recording, gamma):
        paths = [machine.path[m.src, m.dst] for m in messages]
        end = arrivals(
            [latency + p[0] for p in paths],
            [m.size for m in messages],
            [p[2] for p in paths],
            machine.capacity,
            [p[1] for p in paths],
        )
        free = {}
        for come, m in sorted(zip(end, messages, strict=True), key=lambda pair: pair[0]):
            free[m.dst] = max(come, free.get(m.dst, 0.0)) + m.added
        for _, (node, _), cost, _ in copies:
            free[node] = free.get(node, 0.0) + cost
        total += max(free.values(), default=0.0)
    return total


def dataflow(recording, machine, latency=0.0, gamma=None, arrive=None):
    """When everything is over if a message waits for its data and its ports only.

    Time goes from event to event; after each, whatever can begin begins.
    """
    steps = messages_of(recording, gamma)
    every = [m for messages, _ in steps for m in messages]
    for place, m in enumerate(every):
        m.place = place
        m.left = m.size
    come = arrive or {}
    history = {}  # of each slot: ("read" or "write", step, whose time counts)
    number = count()
    copies = {}
    for step, (messages, local) in enumerate(steps):
        for m in messages:
            for cell in dict.fromkeys(m.reads + m.needs):
                history.setdefault(cell, []).append((step, "read", m))
        adding = {row for _, _, cost, row in local if cost}
        work = {}  # of each node, what it adds of its own in this step is one piece
        for sources, goal, cost, row in local:
            if row in adding:
                chunk_count, all_of_it = work.setdefault(goal[0], ([], []))
                chunk_count.append((sources, goal))
                all_of_it.append(cost)
            else:
                copies[next(number)] = (step, [(sources, goal)], [cost])
        for chunk_count, all_of_it in work.values():
            copies[next(number)] = (step, chunk_count, all_of_it)
        for m in messages:
            for cell in dict.fromkeys(m.writes):
                history.setdefault(cell, []).append((step, "write", m))
        for key, (when, chunk_count, _) in copies.items():
            for _, goal in chunk_count if when == step else ():
                history.setdefault(goal, []).append((step, "copy", key))

    def ready(cell, step):
        """When what a step finds in a slot has been written there; None: not yet."""
        written = [h for h in history.get(cell, ()) if h[0] < step and h[1] != "read"]
        times = [over(kind, who) for _, kind, who in written]
        return None if None in times else max(times, default=0.0)

    def over(kind, who):
        if kind == "copy":
            return done_copies.get(who)
        return who.sent if kind == "read" else who.end

    def touched(cell, step):
        """When all reads up to a step and all writes before it are over; None: not yet."""
        known = [
            over(kind, who)
            for when, kind, who in history.get(cell, ())
            if when < step or (when == step and kind == "read")
        ]
        return None if None in known else max(known, default=0.0)

    done_copies = {}

    def copied(key):
        """When a copy is over, of which all earlier ones are known; None: not yet."""
        step, chunk_count, costs = copies[key]
        parts = [come.get(chunk_count[0][1][0], 0.0)]
        for sources, goal in chunk_count:
            parts += [*(ready(source, step) for source in sources), touched(goal, step)]
            parts += [m.end for m in steps[step][0] if goal in m.writes]
        return None if None in parts else max(parts) + sum(costs)

    def port_free(m, side):
        """When the port can take the message: enough of those before it have let go."""
        port = machine.path[m.src, m.dst][3 + side]
        before = [o for o in every[: m.place] if machine.path[o.src, o.dst][3 + side] == port]
        if side == 0:
            over_at = [o.sent for o in before]
        else:
            over_at = [None if o.sent is None else o.sent + o.added for o in before]
        known = sorted(t for t in over_at if t is not None)
        needed = len(before) - machine.lanes[port] + 1
        if needed <= 0:
            return 0.0
        return known[needed - 1] if len(known) >= needed else None

    now = 0.0
    while True:
        again = True
        while again:
            again = False
            for m in every:
                if m.start is None:
                    parts = [ready(cell, m.step) for cell in m.reads + m.needs]
                    parts += [port_free(m, 0), port_free(m, 1), come.get(m.src, 0.0)]
                    if None not in parts and max(parts) <= now:
                        m.start = max(parts)
                        m.flow = m.start + latency + machine.path[m.src, m.dst][0]
                        again = True
                if m.flow is not None and m.flow <= now and m.sent is None and not m.size:
                    m.sent = m.flow
                    again = True
                if m.sent is not None and m.end is None:
                    parts = [touched(cell, m.step) for cell in m.writes]
                    if None not in parts:
                        m.end = max(m.sent, *parts, come.get(m.dst, 0.0)) + m.added
                        again = True
            for key in copies.keys() - done_copies.keys():
                if (end := copied(key)) is not None:
                    done_copies[key] = end
                    again = True
        times = [m.flow for m in every if m.flow is not None and m.flow > now]
        times += [m.end for m in every if m.end is not None and m.end > now]
        times += [m.sent + m.added for m in every if m.sent is not None and m.sent + m.added > now]
        times += [done for done in done_copies.values() if done > now]
        times += [late for late in come.values() if late > now]
        live = [m for m in every if m.sent is None and m.flow is not None and m.flow <= now]
        paths = [machine.path[m.src, m.dst] for m in live]
        rate = max_min([p[2] for p in paths], machine.capacity, [p[1] for p in paths])
        flows = [m.left / r for m, r in zip(live, rate, strict=True) if r]
        if not times and not flows:
            break
        after = min([now + f for f in flows] + times)
        for m, r in zip(live, rate, strict=True):
            m.left -= r * (after - now)
            if r and m.left <= 1e-9 * m.size:
                m.sent = after
        now = after
    ends = [NEVER if m.end is None else m.end for m in every]
    return max([*ends, *come.values(), *filter(None, done_copies.values())], default=0.0)


def slow_machine(made, recording):
    """A topology as the slow clocks want it."""
    placement = made.placement(recording.ranks, recording.nodes)
    path = {}
    for src, dst in recording.counters.links.tolist():
        links = made.paths([placement[src]], [placement[dst]]).link.tolist()
        late, fast = (sum(made.latency[links]), min(made.bandwidth[links]))
        shared = [int(made.group[link]) for link in links]
        path[src, dst] = late, fast, shared, ("out", links[0]), ("in", links[-1])
    lanes = {
        (side, link): int(made.lanes[link]) for side in ("out", "in") for link in range(made.links)
    }
    return Machine(made.capacity.tolist(), path, lanes)
