"""What a launch found: spans of steps, crowded machines, and the machine that was measured."""

import numpy as np
import pytest
from played import launched

from collectives import dataflow, record
from collectives.cost.machines.toml_file import parse_topology


@pytest.fixture(scope="module")
def ring():
    return launched(record("all_reduce", "ring", ranks=3), cores=3)


def test_messages_lie_within_the_spans_of_their_steps(ring):
    for node, program in enumerate(ring.plan.programs):
        times = ring.times[node] - ring.begins[:, None]
        assert (np.diff(times[:, ::5]) >= 0).all()  # each step has 5 times: it begins in order
        for number, *_ in program:
            first, last = ring.spans[:, number - 1].T
            assert (times[:, 5 * number - 4] >= first).all()
            assert (times[:, 5 * number - 1] <= last).all()
    assert (ring.spans[:, :, 1].max(axis=1) == ring.totals).all()
    assert ring.total in ring.totals and (ring.totals < ring.total).sum() <= 9


def test_a_receiver_that_waits_does_not_begin_a_step():
    tree = launched(record("broadcast", "tree", ranks=4))
    for node in range(4):  # as if all had waited from the begin of the run
        if not tree.plan.programs[node][0][1]:
            tree.times[node][:, 0] = tree.begins
    senders = [(node, steps[-1]) for node, steps in enumerate(tree.plan.programs) if steps[-1][1]]
    begun = [tree.times[node][:, -3] for node, _ in senders]  # before it has ended, and the step
    assert len(senders) == 2
    assert np.allclose(tree.spans[:, 1, 0], np.min(begun, axis=0) - tree.begins)


def test_a_launch_says_in_a_line_what_it_was(ring):
    assert repr(ring).startswith("<Launched: ring all-reduce, 3 ranks, threads, ")
    assert "oversubscribed>" in repr(launched(ring.recording, cores=1))


def test_more_processes_than_cores_are_oversubscribed(ring):
    assert not ring.oversubscribed
    assert launched(ring.recording, cores=2).oversubscribed
    ring_on_two = launched(ring.recording, cores=2)
    ring_on_two.infos[2] = ring_on_two.infos[2] | {"machine": "other"}
    assert not ring_on_two.oversubscribed and ring_on_two.hosts == 2


@pytest.mark.parametrize("algorithm", ["ring", "sharp"])
def test_the_machine_that_was_measured_has_its_latency_and_bandwidth(algorithm):
    recording = record("all_reduce", algorithm, ranks=4, count=1 << 14)
    found = launched(recording)
    latency, bandwidth = found.latency_and_bandwidth
    assert np.isclose(latency, 2e-6, rtol=1e-3) and np.isclose(
        bandwidth, (1 << 20) / 98e-6, rtol=1e-3
    )
    machine = parse_topology(found.machine_file())
    assert (machine.ranks, machine.name) == (4, "measured: threads")
    total = dataflow(recording, machine).total
    if algorithm == "ring":
        assert np.isclose(total, 6 * (latency + (1 << 15) / bandwidth), rtol=1e-4)
    assert np.isfinite(total)


def test_one_process_measures_no_machine():
    alone = launched(record("all_reduce", "ring", ranks=1), pings=())
    assert alone.machine is None and alone.machine_file() == "" and alone.total == 0
