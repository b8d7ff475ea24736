"""Ranks of a launch that are struck by a signal: they are named, and none is left."""

import os
import signal
import threading
import time

import pytest

from collectives import record
from collectives.launch.processes import Failed
from collectives.launch.run import launch

SLOW = {"ranks": 4, "count": 400_000}
SIGNALS = {
    "dies": (signal.SIGKILL, r"^rank 2 died of signal 9 \(Killed\) (in step|before run)"),
    "stops": (
        signal.SIGSTOP,
        r"^rank 2 is stopped .*: no rank got any further for 3 s \(--timeout 3",
    ),
}


def runs(pid):
    """Whether a process is there, and has not ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def gone(pids):
    """Whether these processes end within a second or two."""
    end = time.monotonic() + 2
    while any(map(runs, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(runs, pids))


def is_named(kind, busy, tmp_path, backend, ranks=4, python=None):
    """Strike rank 2 while it plays: the launch names it, and leaves neither process nor file."""
    number, message = SIGNALS[kind]
    struck = []

    def strike():
        struck.extend(busy())
        os.kill(struck[2], number)
        struck.append(time.monotonic())

    thread = threading.Thread(target=strike)
    thread.start()
    recording = record("all_reduce", "ring", **SLOW | {"ranks": ranks})
    with pytest.raises(Failed, match=message):
        launch(recording, backend, timeout=3.0 if kind == "stops" else 10.0, python=python)
    thread.join()
    *pids, begun = struck
    assert time.monotonic() - begun < 10
    assert gone(pids)
    assert not list(tmp_path.glob("collectives-launch-*"))
