"""Speed of checking, executing, counting and proving."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from collectives import record
from collectives.formats.msccl import load
from collectives.proof.prove import prove
from collectives.recording import payload
from collectives.recording.memory import execute
from tests.benchmarks.measure import (
    line,
    median_cpu,
    paired_ratio,
    process_cpu,
    python,
    python_peak,
)
from tests.msccl_programs import FOLDER, FOUND


def check_all() -> Iterator[str]:
    """The whole catalog, every root up to 9 ranks."""
    command = python("from collectives.__main__ import main; main()")
    seconds = process_cpu([*command, "check", "all", "-n", "1-33"], 3)
    yield line(
        "check all, 1 to 33 ranks",
        f"{seconds:.1f} s CPU",
        "< 20 s",
        "collectives check all -n 1-33, whole process",
    )


def ring_with_data() -> Iterator[str]:
    """Ring all-reduce on real arrays beside one copy and one add of the whole arena."""
    for mebibytes, goal in ((1, "<= 2.2"), (16, "<= 1.2")):
        elements = mebibytes * 2**20 // 8
        recording = record("all_reduce", "ring", ranks=64, count=elements)
        data = np.arange(64 * elements, dtype=np.int64).reshape(64, elements)
        memory = payload.data_memory(data, recording.precondition, recording.size, 64)
        steps = list(recording.steps)
        source, target = memory.values, data.reshape(memory.values.shape)

        def ring(steps: list = steps, memory: payload.Memory = memory) -> None:
            execute(steps, memory)

        def copy_and_add(source: np.ndarray = source, target: np.ndarray = target) -> None:
            np.copyto(target, source)
            np.add(target, source, out=target)

        ratio, mine, other = paired_ratio(ring, copy_and_add)
        yield line(
            f"ring all-reduce, 64 ranks x {mebibytes} MiB, executed",
            f"{ratio:.2f} x copy + add",
            goal,
            f"{mine * 1e3:.0f} ms against {other * 1e3:.0f} ms",
        )


def ring_counts() -> Iterator[str]:
    """Scheduling and counting the ring through its generator."""
    seconds = median_cpu(lambda: record("all_reduce", "ring", ranks=1024))
    yield line("ring counts, 1,024 ranks", f"{seconds:.3f} s CPU", "<= 0.15 s", "record(...)")
    call = "from collectives import record; r = record('{}', 'ring', ranks=16384)"
    _, half = python_peak(call.format("reduce_scatter"))
    seconds, peak = python_peak(call.format("all_reduce"))
    yield line(
        "ring counts, 16,384 ranks",
        f"{seconds:.2f} s CPU",
        "<= 4 s",
        f"whole process; peak {peak:.0f} MB, {half:.0f} MB for half of the steps",
    )


def ring_proof() -> Iterator[str]:
    """Proof of the rings of 1,024 and of 4,096 ranks."""
    for ranks, goal in ((1024, 0.2), (4096, 1.5)):
        recording = record("all_reduce", "ring", ranks=ranks)
        seconds = median_cpu(lambda recording=recording: prove(recording))
        name = f"proof of the {ranks:,}-rank ring"
        yield line(name, f"{seconds:.3f} s CPU", f"<= {goal} s", "prove(r)")


def msccl_import() -> Iterator[str]:
    """The largest of the MSCCL programs that other people wrote; nothing where there is none."""
    found = sorted(FOUND, key=lambda name: (FOLDER / name).stat().st_size)
    for name in found[-1:]:
        seconds = median_cpu(partial(load, FOLDER / name))
        yield line(f"import of {name}", f"{seconds:.2f} s CPU", "< 3 s", "formats.msccl.load")


def hierarchical_schedule() -> Iterator[str]:
    """Scheduling and counting nodes of eight GPUs."""
    call = partial(record, "all_reduce", "hierarchical", ranks=16384, parameters={"gpus": 8})
    seconds = median_cpu(call)
    name = "hierarchical all-reduce, 16,384 ranks"
    yield line(name, f"{seconds:.3f} s CPU", "<= 1 s", "record(..., gpus=8)")
