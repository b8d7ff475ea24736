"""What PyTorch and NCCL write of a job that ran or stopped, in each format.

It shares no code with the readers: the files are written as the sources of PyTorch and NCCL print
them, whose lines are cited in the readers.
"""

import json
import pickle
from collections import Counter

NCCL = {"all_reduce": "AllReduce", "_all_gather_base": "AllGather", "broadcast": "Broadcast"}
WATCHDOG = {
    "all_reduce": "ALLREDUCE",
    "_all_gather_base": "_ALLGATHER_BASE",
    "broadcast": "BROADCAST",
}


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
