"""What lectures say of benchmarks: rows that others measured, and what NCCL's tuner expects."""

from __future__ import annotations

from functools import cache

from collectives.cost.busbw import factor
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.errors import BadInput
from collectives.evidence.measured import read

_rows, _machine = cache(read), cache(hgx)


def measured(what: str, op: str, gpu: str, ranks: int, size: int) -> float:
    """A measured row, in seconds or bytes a second: what is "time", "algbw" or "busbw".

    gpu: its name, or how that begins. Of several rows the one with the highest bandwidth.
    """
    rows = [
        row
        for row in _rows()
        if (row.op, row.ranks, row.size_bytes) == (op, ranks, size) and row.gpu.startswith(gpu)
    ]
    if not rows:
        raise BadInput(f"there is no measurement of {op} of {size} bytes on {ranks} {gpu}")
    best = max(rows, key=lambda row: (row.gpu == gpu, row.busbw_GBps))
    known = {"time": best.time_us / 1e6, "algbw": best.algbw_GBps * 1e9}
    return known.get(what, best.busbw_GBps * 1e9)


def on_line(op: str, gpu: str, ranks: int, low: int, high: int, size: float) -> float:
    """Seconds for a size on the line through two measured rows; for 0 bytes its latencies."""
    first, last = (measured("time", op, gpu, ranks, end) for end in (low, high))
    return first + (size - low) * (last - first) / (high - low)


def tuned_busbw(gpu: str, nodes: int, size: float) -> float:
    """The busbw that NCCL's tuner expects of its choice, in bytes a second."""
    machine = _machine(gpu, nodes=nodes)
    seconds = tuner.choose(machine, "all_reduce", round(size)).candidate.seconds
    return size / seconds * float(factor("all_reduce", machine.ranks))


def tuned_choice(gpu: str, nodes: int, size: int) -> str:
    """What NCCL's tuner chooses for an all-reduce, as "Ring LL"."""
    return tuner.choose(_machine(gpu, nodes=nodes), "all_reduce", size).candidate.name


READ = (measured, on_line, tuned_busbw)
