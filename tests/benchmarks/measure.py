"""How things are measured: CPU seconds of calls and of whole processes, medians of several runs."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence


def median_cpu(call: Callable[[], object], runs: int = 5) -> float:
    """Median CPU seconds of a call in this process."""
    return statistics.median(_cpu(call) for _ in range(runs))


def paired_ratio(
    call: Callable[[], object], peer: Callable[[], object], runs: int = 7
) -> tuple[float, float, float]:
    """Medians of the ratio of wall times, of the call's and of its peer's, taken in turns."""
    pairs = [(_wall(call), _wall(peer)) for _ in range(runs)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    mine, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    return ratio, mine, other


def process_cpu(command: Sequence[str], runs: int = 5) -> float:
    """Median user and system seconds of a whole process."""
    return statistics.median(_process(command) for _ in range(runs))


def python_peak(code: str) -> tuple[float, float]:
    """CPU seconds and peak memory in MB of a process that runs some Python, one run.

    The peak is what the process itself reports at its end: the one of `wait4` would include
    that of the process it was forked from.
    """
    report = "; print(open('/proc/self/status').read())"
    process = subprocess.Popen(python(code + report), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    status = process.stdout.read()
    _, code_, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code_)
    peak = int(next(line for line in status.splitlines() if "VmHWM" in line).split()[1])
    return usage.ru_utime + usage.ru_stime, peak * 1024 / 1e6


def python(code: str) -> list[str]:
    """The command that runs a line of Python."""
    return [sys.executable, "-c", code]


def line(what: str, value: str, goal: str, how: str = "") -> str:
    """A line of the report."""
    return f"{what:58} {value:>22}   goal {goal:14} {how}"


def _cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _wall(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _process(command: Sequence[str]) -> float:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
