"""The messages of torch, by a stand-in for it: threads in place of its processes."""

import gc
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from collectives import BadInput, NotInstalled, record
from collectives.launch import play
from collectives.launch.transports import Torch

RANKS = 3
DROPPED = []  # the threads in which works ended


class Tensor:
    """As much of a tensor as is asked for."""

    def __init__(self, values):
        self.values = values

    def to(self, device):
        assert device == "cpu"
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.values


class Work:
    """A message that is on its way."""

    def __init__(self, operation, boxes, rank):
        kind, tensor, peer, _ = operation
        self.pull = None
        if kind == "isend":
            boxes[rank, peer].put(bytes(tensor.values))
        else:
            self.pull = lambda: tensor.values.__setitem__(
                slice(None), bytearray(boxes[peer, rank].get(timeout=10))
            )

    def wait(self):
        if self.pull:
            self.pull()

    def __del__(self):
        DROPPED.append(threading.current_thread())


@pytest.fixture
def torch(monkeypatch):
    """A stand-in whose ranks are threads; it refuses messages of no bytes, as gloo does."""
    boxes = {(a, b): Queue() for a in range(RANKS) for b in range(RANKS)}
    own, begun = threading.local(), ["gloo"]

    def operation(kind, tensor, peer, group):
        assert len(tensor.values) and peer != own.rank and group is None
        return kind, tensor, peer, group

    made, dist = ModuleType("torch"), ModuleType("torch.distributed")
    made.from_numpy, made.__version__ = Tensor, "2"
    made.cuda = SimpleNamespace(is_available=lambda: False)
    names = {
        "isend": "isend",
        "irecv": "irecv",
        "P2POp": operation,
        "is_initialized": lambda: begun,
        "init_process_group": lambda backend: begun.append(backend),
        "get_rank": lambda group: own.rank,
        "get_world_size": lambda group: RANKS,
        "get_backend": lambda group: "gloo",
        "batch_isend_irecv": lambda made: [Work(one, boxes, own.rank) for one in made],
    }
    vars(dist).update(names)
    monkeypatch.setitem(sys.modules, "torch", made)
    monkeypatch.setitem(sys.modules, "torch.distributed", dist)
    DROPPED.clear()
    return SimpleNamespace(own=own, boxes=boxes, begun=begun)


def played(torch, recording, data=None):
    def one(rank):
        torch.own.rank = rank
        return play(recording, data=None if data is None else data[rank])

    with ThreadPoolExecutor(RANKS) as threads:
        return list(threads.map(one, range(RANKS)))


@pytest.mark.parametrize(
    ("collective", "algorithm", "options"),
    [
        ("all_reduce", "ring", {"dtype": "float32", "count": 7, "op": "avg"}),
        ("all_to_all", "bruck", {"count": 9}),
        ("barrier", "dissemination", {}),
        ("reduce_scatter", "ring", {"count": 2}),
    ],
)
def test_a_recording_is_played_inside_a_job_of_torch(torch, collective, algorithm, options):
    recording = record(collective, algorithm, ranks=RANKS, **options)
    for found, expected in zip(played(torch, recording), recording.result(), strict=True):
        assert found.tobytes() == expected.tobytes()
    assert all(box.empty() for box in torch.boxes.values())


def test_each_rank_may_bring_data_of_its_own(torch):
    data = np.arange(12.0).reshape(3, 4)
    recording = record("all_reduce", "tree", ranks=RANKS, count=4, dtype="float64")
    for found in played(torch, recording, data):
        assert found.tolist() == data.sum(axis=0).tolist()


def test_who_waits_for_a_message_can_say_so_meanwhile(torch):
    torch.own.rank = 0
    transport, buffer = Torch(), np.zeros(1, np.uint8)
    requests, _ = transport.start([], [(1, buffer)])
    assert transport.finished(requests) == transport.finished(requests) == []
    torch.boxes[1, 0].put(b"\7")
    found = []
    while not found:
        found = transport.finished(requests)
    assert (found, buffer[0], transport.finished(requests)) == ([0], 7, [])
    transport.release()


def waiting():
    """The threads that wait for messages."""
    return [one for one in threading.enumerate() if one.name == "waits for messages"]


def test_no_thread_outlives_what_it_waits_for(torch):
    recording = record("all_reduce", "ring", ranks=RANKS)
    played(torch, recording)
    gc.collect()
    assert not waiting() and DROPPED
    assert not [one for one in DROPPED if one.name == "waits for messages"]  # it would abort


def test_a_job_that_has_no_process_group_gets_one(torch, monkeypatch):
    torch.own.rank = 0
    monkeypatch.setenv("RANK", "0")
    torch.begun.clear()
    for _ in range(2):
        Torch().release()
        assert torch.begun == ["gloo"]


def test_a_rank_that_waits_in_vain_is_named_by_timeout(torch):
    torch.own.rank = 0
    with pytest.raises(TimeoutError, match="waits for rank 2"):
        play(record("all_reduce", "ring", ranks=RANKS), timeout=0.1)


def test_play_outside_of_a_job_says_how_to_start_one(torch, monkeypatch):
    recording = record("all_reduce", "ring", ranks=RANKS)
    torch.begun.clear()
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(BadInput, match=r"^no job of torch\.distributed; try: start "):
        play(recording)
    monkeypatch.setitem(sys.modules, "torch.distributed", None)
    with pytest.raises(NotInstalled, match=r"needs torch .*; type: pip install torch"):
        play(recording)


def test_what_does_not_fit_the_job_is_said(torch):
    torch.own.rank = 0
    with pytest.raises(BadInput, match="3 processes: ring all-reduce is recorded for 4; try"):
        play(record("all_reduce", "ring", ranks=4))
    recording = record("all_reduce", "ring", ranks=RANKS, count=4)
    with pytest.raises(BadInput, match=r"data of shape \(3,\) and dtype int64: the recording has"):
        play(recording, data=np.arange(3))
    with pytest.raises(BadInput, match="recording"):
        play("ring")
