"""Made incidents: a job that runs to its end or stops; the stop comes of executing all calls."""

import random
from dataclasses import dataclass, field
from itertools import pairwise

from incident_files import WATCHDOG, WRITERS

SIZES = (1, 1024, 4096, 65536, 1 << 20)


@dataclass
class Job:
    """Groups with their ranks, and what each rank calls: (group, operation, elements, dtype)."""

    groups: dict
    calls: dict
    stops: dict = field(default_factory=dict)  # rank: after how many calls it calls no more
    dead: tuple = ()  # ranks that write nothing
    ahead: int = 2  # calls that a rank enqueues before it waits for the first of them

    def run(self):
        """Enqueue and complete calls until nothing moves; a call differs, and never completes."""
        self.done = {rank: [] for rank in self.calls}
        self.made = dict.fromkeys(self.calls, 0)
        moved = True
        while moved:
            moved = False
            for rank, calls in self.calls.items():
                limit = min(len(calls), self.stops.get(rank, len(calls)))
                pending = self.made[rank] - len(self.done[rank])
                if self.made[rank] < limit and pending <= self.ahead:
                    self.made[rank] += 1
                    moved = True
            for name in self.groups:
                moved |= self.complete(name)
            moved |= self.deliver()
        return self

    def own(self, rank, name):
        """The collectives of a rank in a group that it has enqueued: their places and what."""
        return [
            (at, call)
            for at, call in enumerate(self.calls[rank][: self.made[rank]])
            if call[0] == name and call[1] not in ("send", "recv")
        ]

    def complete(self, name):
        """Complete the first call of a group that all have enqueued alike."""
        firsts = {}
        for rank in self.groups[name]:
            left = [(at, call) for at, call in self.own(rank, name) if at not in self.done[rank]]
            if not left or rank in self.dead:
                return False
            firsts[rank] = left[0]
        if len({call for _, call in firsts.values()}) > 1:
            return False
        for rank, (at, _) in firsts.items():
            self.done[rank].append(at)
        return True

    def deliver(self):
        """Complete the first send and receive that meet."""
        open_ends = [
            (rank, at, call)
            for rank, calls in self.calls.items()
            for at, call in enumerate(calls[: self.made[rank]])
            if call[1] in ("send", "recv") and at not in self.done[rank]
        ]
        for rank, at, (_, kind, size, peer) in open_ends:
            for other, there, (_, end, length, back) in open_ends:
                if (kind, end) == ("send", "recv") and (other, back) == (peer, rank):
                    if size == length:
                        self.done[rank].append(at)
                        self.done[other].append(there)
                        return True
                    break
        return False

    def counters(self, rank, name):
        """How many collectives of a group a rank enqueued, completed, and the first it waits in."""
        own = self.own(rank, name)
        left = [k for k, (at, _) in enumerate(own) if at not in self.done[rank]]
        first = left[0] if left else len(own)
        return len(own), first, own[first][1] if left else None


@dataclass
class Incident:
    """A job that was run, what is wrong with it, and whose call it is."""

    kind: str
    job: Job
    ranks: tuple = ()
    formats: tuple = tuple(WRITERS)  # those in which it can be seen


def training(chance, size):
    """A job of a group of all ranks and groups of two halves, with the calls of a few steps."""
    ranks = list(range(size))
    half = size // 2
    groups = {"0": ranks, "1": ranks[:half], "2": ranks[half:]}
    length = chance.randint(3, 5)
    steps = [
        [
            ("0", chance.choice(list(WATCHDOG)), chance.choice(SIZES), "Float"),
            ("own", "all_reduce", chance.choice(SIZES), "BFloat16"),
            ("0", "all_reduce", chance.choice(SIZES) + 1, "Float"),
        ]
        for _ in range(length)
    ]
    calls = {
        rank: [
            (("1" if rank < half else "2") if name == "own" else name, *call)
            for step in steps
            for name, *call in step
        ]
        for rank in ranks
    }
    return Job(groups, calls, ahead=chance.choice([0, 2, 4]))


def incident(kind, seed):
    """An incident of a kind, with numbers of its own."""
    chance = random.Random(f"{kind} {seed}")
    job = training(chance, chance.choice([4, 6, 7, 8, 16]))
    rank = chance.randrange(len(job.calls))
    calls = job.calls[rank]
    at = 3 * chance.randint(1, len(calls) // 3 - 2)  # the first call of a step: one of all ranks
    formats = tuple(WRITERS)
    who = (rank,)
    if kind == "healthy":
        who = ()
    elif kind == "behind":
        job.stops[rank] = at
    elif kind == "missing":
        job.dead = (rank,)
    elif kind == "operation":
        name, operation, size, dtype = calls[at]
        others = [one for one in WATCHDOG if one != operation]
        calls[at] = (name, chance.choice(others), size, dtype)
    elif kind == "size":
        calls[at] = (*calls[at][:2], calls[at][2] + 7, calls[at][3])
        formats = ("recorder", "watchdog")
    elif kind == "dtype":
        calls[at] = (*calls[at][:3], "Half")
        formats = ("recorder",)
    elif kind == "order":
        job.ahead = 6
        job.calls = {r: [*c[:at], *_three(r, job), *c[at:]] for r, c in job.calls.items()}
        calls = job.calls[rank]
        calls[at], calls[at + 1] = calls[at + 1], calls[at]
        formats = ("recorder",)
    elif kind == "group":
        job.ahead = 6
        own = "1" if rank < len(job.calls) // 2 else "2"
        calls[at] = (own, *calls[at][1:])
        formats = ("recorder",)
    elif kind == "skipped":
        job.ahead = 6
        job.calls = {r: [*c[:at], *_three(r, job), *c[at:]] for r, c in job.calls.items()}
        del job.calls[rank][at]
        formats = ("recorder",)
    elif kind == "subgroup":
        job.stops[rank] = at + 1  # before its half's all-reduce
    elif kind == "peer":
        other = (rank + 1) % len(job.calls)
        for one in job.calls.values():
            del one[at:]
        calls.append(("0", "send", 99, other))
        who = (other,)
        formats = ("recorder",)
    elif kind == "circle":
        other = (rank + 1) % len(job.calls)
        for one in job.calls.values():
            del one[at:]
        calls += [("0", "send", 99, other), ("0", "recv", 99, other)]
        job.calls[other] += [("0", "send", 99, rank), ("0", "recv", 99, rank)]
        job.ahead, who = 0, (rank, other)
        formats = ("recorder",)
    elif kind == "chain":
        for one in job.calls.values():
            del one[at:]
        line = sorted(job.calls)
        for lower, upper in pairwise(line):  # each receives, then sends on
            job.calls[upper].append(("0", "recv", 99, lower))
        for lower, upper in pairwise(line):
            job.calls[lower].append(("0", "send", 99, upper))
        job.ahead, who = 0, (0,)
        job.stops[0] = at
        formats = ("recorder",)
    elif kind == "tangled":
        other = (rank + 1) % len(job.calls)
        calls.insert(at, ("0", "send", 99, other))
        job.calls[other].insert(at + 1, ("0", "recv", 99, rank))
        job.ahead, who = 0, (rank, other)
        formats = ()  # of two that wait for each other none is singled out
    elif kind == "crossed":
        calls[at], calls[at + 1] = calls[at + 1], calls[at]
        job.ahead = 0
        formats = ("recorder",)
    job.is_stopped = kind != "healthy"
    return Incident(kind, job.run(), who, formats)


def _three(rank, job):
    """Three calls of all ranks that follow each other."""
    return [("0", "all_reduce", size, "Float") for size in (11, 22, 33)]
