"""The critical path: no gap in it, and by itself as long as the whole."""

import numpy as np
import pytest
from settings import SOME_ROWS, sampled

from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.critical_path import critical_path
from collectives.cost.machines import topology, topology_for
from collectives.errors import BadInput
from collectives.recording.recorder import record

MACHINES = [("crossbar", {}), ("ring", {}), ("cluster", {"gpus": 2, "nics": 1}), ("hgx-h100", {})]
CASES = [(row, n, machine) for row in SOME_ROWS for n in (4, 6, 8) for machine in MACHINES]


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("case", sampled(CASES, 11), ids=lambda case: f"{case[0].title}-{case[1]}")
def test_the_path_has_no_gap(case, clock):
    row, ranks, (name, more) = case
    if not row.accepts(ranks):
        return
    recording = sized(row, ranks, 1 << 16)
    try:
        timing = clock(recording, topology_for(recording, name, **more))
    except BadInput:
        return  # it has no place there
    path, messages = critical_path(timing), timing.messages
    assert (len(path) > 0) == (len(messages) > 0)
    if len(path):
        start, end = messages.start[path], messages.end[path]
        assert start[0] == pytest.approx(0, abs=1e-9 * timing.total)
        ended, left = end[:-1], messages.sent[path][:-1]
        due = np.where(np.isclose(start[1:], ended, rtol=1e-9), ended, left)
        assert start[1:] == pytest.approx(due, rel=1e-9)
        assert end[-1] == pytest.approx(timing.total, rel=1e-9)


def test_a_link_may_be_left_before_its_message_has_ended():
    """With one NIC a node, messages between nodes queue for it while all arrive late."""
    recording = record("all_reduce", "flat", ranks=4, count=1 << 16, dtype="uint8")
    timing = dataflow(recording, topology("cluster", 4, gpus=2, nics=1))
    path, messages = critical_path(timing), timing.messages
    assert len(path) > 1 and messages.start[path[0]] == 0
    assert messages.start[path[1]] == messages.sent[path[0]] < messages.end[path[0]]


@pytest.mark.parametrize("algorithm", ["ring", "tree", "rabenseifner", "double_binary_tree"])
def test_on_a_crossbar_it_is_the_time_in_closed_form(algorithm):
    recording = record("all_reduce", algorithm, ranks=8, count=1 << 20, dtype="uint8")
    timing = dataflow(recording, topology("crossbar", 8, latency="5us", bandwidth="1GB/s"))
    path = critical_path(timing)
    together = len(path) * 5e-6 + timing.messages.size[path].sum() / 1e9
    assert together == pytest.approx(timing.total, rel=1e-9)


def test_a_path_begins_where_a_late_rank_comes():
    recording = record("broadcast", "flat", ranks=4, count=4000, dtype="uint8")
    costs = Costs(arrivals={0: 1e-3})
    timing = dataflow(recording, topology("crossbar", 4, latency="5us"), costs)
    path = critical_path(timing)
    assert timing.messages.start[path[0]] == pytest.approx(1e-3)
    assert np.all(timing.messages.src[path] == 0)
