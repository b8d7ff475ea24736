"""Made incidents: a job that runs to its end or stops, and what PyTorch and NCCL write of it.

It shares no code with the readers: the files are written as the sources of PyTorch and NCCL print
them (their lines are cited in the readers), the stop comes of executing the ranks' calls.
"""

import json
import pickle
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

NCCL = {"all_reduce": "AllReduce", "_all_gather_base": "AllGather", "broadcast": "Broadcast"}
WATCHDOG = {
    "all_reduce": "ALLREDUCE",
    "_all_gather_base": "_ALLGATHER_BASE",
    "broadcast": "BROADCAST",
}
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


def shapes(operation, size, members):
    """The elements that go in and come out."""
    return (size, size * members) if operation == "_all_gather_base" else (size, size)


def dump(job, rank, is_json):
    """A dump of the Flight Recorder of one rank."""
    text = str if is_json else int
    names = list(job.groups)
    entries, numbers, times = [], Counter(), 1_700_000_000_000_000_000
    for at, (name, operation, size, extra) in enumerate(job.calls[rank][: job.made[rank]]):
        members = sorted(job.groups[name])
        between = operation in ("send", "recv")
        numbers[name, between] += 1
        title = operation
        if between:
            arrow = "->" if operation == "send" else "<-"
            title = f"{operation} {members.index(rank)}{arrow}{members.index(extra)}"
        into, out = shapes(operation, size, len(members))
        done = at in job.done[rank]
        left = [k for k in range(at) if k not in job.done[rank] and job.calls[rank][k][0] == name]
        state = "completed" if done else "scheduled" if left else "started"
        entries.append(
            {
                "record_id": at,
                "pg_id": names.index(name),
                "process_group": (name, "default_pg" if name == "0" else f"mesh_{name}"),
                "collective_seq_id": numbers[name, False],
                "p2p_seq_id": numbers[name, True],
                "op_id": at + 1,
                "profiling_name": f"nccl:{title}",
                "time_created_ns": times + at * 1000 + rank,
                "input_sizes": [[into]],
                "input_dtypes": ["Float" if between else extra],
                "output_sizes": [[out]],
                "output_dtypes": ["Float" if between else extra],
                "state": state,
                "time_discovered_started_ns": None if state == "scheduled" else times + at,
                "time_discovered_completed_ns": times + at if done else None,
                "retired": done or (state == "started" and job.is_stopped),
                "timeout_ms": 600000,
                "is_p2p": between,
            }
        )
    content = {
        "version": "2.4",
        "pg_config": {
            name: {
                "name": name,
                "desc": "default_pg" if name == "0" else f"mesh_{name}",
                "ranks": str(sorted(members)),
            }
            for name, members in job.groups.items()
            if rank in members
        },
        "pg_status": {
            str(names.index(name)): {
                "last_enqueued_collective": text(job.counters(rank, name)[0] or -1),
                "last_started_collective": text(job.counters(rank, name)[1] or -1),
                "last_completed_collective": text(job.counters(rank, name)[1] or -1),
            }
            for name, members in job.groups.items()
            if rank in members and job.counters(rank, name)[0]
        },
        "entries": entries,
    }
    return json.dumps(content).encode() if is_json else pickle.dumps(content, protocol=2)


def flight_recorder(job, folder):
    """The dumps of all ranks, as JSON or pickles."""
    is_json = len(job.calls) % 2 == 0
    paths = []
    for rank in job.calls:
        if rank not in job.dead:
            path = folder / f"nccl_trace_rank_{rank}{'.json' * is_json}"
            path.write_bytes(dump(job, rank, is_json))
            paths.append(path)
    return paths


def watchdog(job, folder):
    """A log of all ranks with the watchdog's lines, as PyTorch 2.6 and later prints them."""
    lines = ["epoch 3, step 700: loss 2.31"]
    for rank in job.calls:
        if rank in job.dead:
            continue
        start = f"[rank{rank}]:[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:"
        for number, (name, members) in enumerate(job.groups.items()):
            if rank not in members:
                continue
            position = sorted(members).index(rank)
            title = f"PG ID {number} PG GUID {name}({'default_pg' if name == '0' else 'mesh'})"
            enqueued, completed, call = job.counters(rank, name)
            counted = (
                f"last enqueued work: {enqueued or -1}, last completed work: {completed or -1}"
            )
            if call is None:
                if name == "0" and job.is_stopped:
                    lines.append(
                        f"{start}1683] [{title} Rank {position}] Received a dump signal due to a "
                        "collective timeout from another rank and we will try our best to dump the "
                        f"debug info. Last enqueued NCCL work: {enqueued or -1}, last completed "
                        f"NCCL work: {completed or -1}."
                    )
                continue
            into, out = shapes(call[1], call[2], len(members))
            lines.append(
                f"{start}616] [Rank {position}] Watchdog caught collective operation timeout: "
                f"WorkNCCL(SeqNum={completed + 1}, OpType={WATCHDOG[call[1]]}, NumelIn={into}, "
                f"NumelOut={out}, Timeout(ms)=600000) ran for 600060 milliseconds before timing "
                "out."
            )
            lines.append(
                f"{start}2268] [{title} Rank {position}]  failure detected by watchdog at work "
                f"sequence id: {completed + 1} PG status: {counted}"
            )
    path = folder / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return [path]


def ras_counts(job, name):
    """Of each rank of a group that answers: how often it launched each operation."""
    return {
        position: Counter(NCCL[call[1]] for _, call in job.own(rank, name))
        for position, rank in enumerate(sorted(job.groups[name]))
        if rank not in job.dead
    }


def place(rank):
    """Where a rank runs, as NCCL prints it."""
    return f"GPU {rank % 8} managed by process {4000 + rank} on node 10.0.0.{rank // 8}"


def ras(job, folder):
    """What ncclras prints as text, of NCCL 2.26."""
    table, errors, warnings = [], [], []
    for number, name in enumerate(job.groups):
        counts, size = ras_counts(job, name), len(job.groups[name])
        members = sorted(job.groups[name])
        absent = [position for position in range(size) if position not in counts]
        uneven = [
            kind
            for kind in ("Broadcast", "AllGather", "AllReduce")
            if len({own[kind] for own in counts.values()}) > 1
        ]
        kinds = ["INCOMPLETE"] * bool(absent) + ["MISMATCH"] * bool(uneven)
        table.append(
            f"{number:5d}  {1:8d}  {1:8d}  {size!s:>8}  {size:8d}  {size:8d}  {'RUNNING':>8}  "
            f"{','.join(kinds) or 'OK':>6}"
        )
        head = f"#{number}-0 ({0xFA93DAEA854B0600 + number:016x})"
        if absent:
            plural = "s" * (len(absent) > 1)
            errors.append(f"{head} INCOMPLETE")
            errors.append(f"  Missing communicator data from {len(absent)} rank{plural}")
            errors += [f"  Rank {p} -- {place(members[p])}" for p in absent] + [""]
        if uneven:
            warnings.append(f"{head} MISMATCH")
        for kind in uneven:
            warnings.append(f"  Communicator ranks have different {kind} operation counts")
            values = Counter(own[kind] for own in counts.values())
            for value, count in sorted(values.items(), key=lambda item: -item[1]):
                named = [position for position, own in counts.items() if own[kind] == value]
                if count > 1:
                    what = f"launched up to operation {value}"
                    warnings.append(
                        f"  {count} ranks have {what if value else 'not launched any operations'}"
                    )
                    if count <= 10 and count <= size * 0.25:
                        warnings += [f"  Rank {p} -- {place(members[p])}" for p in named]
                else:
                    what = f"launched up to operation {value}"
                    warnings.append(
                        f"  Rank {named[0]} has {what if value else 'not launched any operations'} "
                        f"-- {place(members[named[0]])}"
                    )
            warnings.append("")
    text = [
        *("NCCL version 2.26.2 compiled with CUDA 12.6", "", "Job summary", "===========", ""),
        *("Communicators... (0.00s)", "=============", ""),
        "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors",
        "    #  in group  per comm  per node  per comm  in group",
        *(*table, "", "Errors", "======", "", *errors, "Warnings", "========", "", *warnings),
    ]
    path = folder / "ras.txt"
    path.write_text("\n".join(text) + "\n")
    return [path]


def ras_json(job, folder):
    """What `ncclras -f json` prints."""
    communicators = []
    for number, name in enumerate(job.groups):
        counts, size = ras_counts(job, name), len(job.groups[name])
        absent = [position for position in range(size) if position not in counts]
        shared = {"host": "10.0.0.1", "pid": 4000, "cuda_dev": 0, "nvml_dev": 0}
        fine = {"init_state": 0, "async_error": 0, "finalize_called": False, "abort_flag": False}
        kinds = ("Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllReduce")
        communicators.append(
            {
                "hash": f"0x{0xFA93DAEA854B0600 + number:x}",
                "size": size,
                "ranks_count": len(counts),
                "missing_ranks_count": len(absent),
                "ranks": [
                    {"rank": p, **shared, "pid": job.groups[name][p], "status": fine}
                    | {"collective_counts": {kind: own[kind] for kind in kinds}}
                    for p, own in counts.items()
                ],
                "missing_ranks": [
                    {"rank": p, **shared, "status": {"unresponsive": True, "considered_dead": True}}
                    for p in absent
                ],
            }
        )
    content = {
        "nccl_version": "2.28.3",
        "communicators_count": len(communicators),
        "communicators": communicators,
        "ras": {"collection_time_sec": 0.0, "timeouts_count": 0},
    }
    path = folder / "ras.json"
    path.write_text(json.dumps(content, indent=2))
    return [path]


WRITERS = {"recorder": flight_recorder, "watchdog": watchdog, "ras": ras, "ras json": ras_json}


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
