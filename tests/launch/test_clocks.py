"""Clocks of several machines: the offset from rank 0's is found by messages there and back."""

import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from types import SimpleNamespace

from played import Mail

from collectives import record
from collectives.launch import player
from collectives.launch.plan import plan_of

AHEAD = {0: 0.0, 1: 0.0, 2: 5.0, 3: -2.5}  # seconds of each rank's clock
MACHINE = {0: "a", 1: "a", 2: "b", 3: "c"}


def test_offsets_are_found_to_within_what_is_said(monkeypatch):
    own, clock = threading.local(), time.perf_counter
    monkeypatch.setattr(player, "machine", lambda: MACHINE[own.rank])
    ahead = SimpleNamespace(perf_counter=lambda: clock() + AHEAD[own.rank])
    monkeypatch.setattr(player, "time", ahead)
    monkeypatch.setattr(Mail, "size", 4)
    recording = record("all_reduce", "ring", ranks=4)
    plan, lock = plan_of(recording).as_json(10.0, False), threading.Lock()
    boxes = Boxes(lock)

    def offset(rank):
        own.rank = rank
        made = player.Player(plan, Mail(rank, boxes), recording.inputs[rank])
        return made.clock_offset()

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(offset, range(4)))
    assert found[0] == found[1] == (0.0, 0.0)  # one machine, one clock
    for rank in (2, 3):
        offset_found, within = found[rank]
        assert 0 < within < 1
        assert abs(offset_found - AHEAD[rank]) <= within


class Boxes(defaultdict):
    """Boxes that threads may make."""

    def __init__(self, lock):
        super().__init__()
        self.lock = lock

    def __missing__(self, key):
        with self.lock:
            return self.setdefault(key, Queue())
