"""The clocks and the shares of links, held against what SimGrid found on the same machines."""

import json
from pathlib import Path

import numpy as np
import pytest
from each import each

from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.fair_share import arrivals
from collectives.cost.machines import topology
from collectives.cost.machines.topology import changed, from_links

READ = json.loads((Path(__file__).parents[2] / "data" / "simgrid.json").read_text())
CASES = READ["cases"]
BANDWIDTH = 3.0


def machine(case):
    """Ours of the platform of a case."""
    kind, ranks, more = case["platform"]
    figures = {"latency": case["latency"], "bandwidth": BANDWIDTH}
    if kind == "star":
        both = figures | {"latency": 2 * case["latency"]}
        return topology("crossbar", ranks, **both, half_duplex=more == "half")
    if kind in ("ring", "line"):
        return topology(kind, ranks, **figures, half_duplex=more == "half")
    if kind == "fat-tree":
        made = topology("cluster", ranks, gpus=1, leaf=4, spines=more, oversubscription=4 / more)
        inside = (made.src < ranks) | (made.dst < ranks)  # a rank and its own NIC are one
        return changed(
            made,
            latency=np.where(inside, 0.0, case["latency"]),
            bandwidth=np.full(made.links, BANDWIDTH),
            capacity=np.full(made.links, BANDWIDTH),
        )
    nic = np.arange(ranks) // more
    hub = ranks + ranks // more
    ends = [(rank, ranks + nic[rank]) for rank in range(ranks)]
    ends += [(ranks + card, hub) for card in range(ranks // more)]
    up, down = zip(*ends, strict=True)
    kinds = [("rank", ranks), ("NIC", ranks // more), ("switch", 1)]
    return from_links("shared NICs", kinds, up + down, down + up, case["latency"], BANDWIDTH)


def recording(case):
    """The catalog's schedule with the sizes of a case."""
    collective, algorithm = case["schedule"].split()
    ranks, sizes = case["platform"][1], case["sizes"]
    whole = algorithm in ("recursive-doubling", "ping-pong")
    given = {"count": sum(sizes)} if whole else {"counts": sizes}
    if algorithm == "pipeline-activations":
        given["chunks"] = len(sizes)
    return record(collective, algorithm, ranks=ranks, dtype="uint8", **given)


def in_words(case):
    return f"{case['run']} {case['platform']} {case['latency']} {case.get('schedule', '')}"


def of(run):
    return [case for case in CASES if case["run"] == run]


@each("case", of("flows"), in_words)
def test_flows_end_when_simgrids_do(case):
    """SimGrid weighs a flow by the inverse of its latency, as TCP does."""
    made = machine(case)
    src, dst, size, start = (np.array(column) for column in zip(*case["flows"], strict=True))
    paths = made.paths(src, dst)
    late = paths.total(made.latency)
    weight = 1 / late if case["latency"] else None
    free = np.full(len(src), np.inf)
    ends = arrivals(
        start + late,
        size.astype(float),
        paths.start,
        made.group[paths.link],
        made.capacity,
        free,
        weight,
    )
    assert ends.tolist() == pytest.approx(case["ends"], rel=1e-9)


@each("case", of("steps"), in_words)
def test_steps_that_wait_for_one_another_take_as_long(case):
    assert lockstep(recording(case), machine(case)).total == pytest.approx(case["ends"], rel=1e-9)


def ends_of(timing):
    """When each rank has its last message."""
    ends = np.zeros(timing.recording.ranks)
    every = timing.messages
    np.maximum.at(ends, every.dst, every.end)
    return ends.tolist()


@each("case", of("ports"), in_words)
def test_messages_that_wait_for_ports_and_data_take_as_long(case):
    ends = ends_of(dataflow(recording(case), machine(case)))
    assert ends == pytest.approx(case["ends"], rel=1e-9)


@each("case", of("ranks"), in_words)
def test_messages_that_wait_for_both_ranks_take_as_long(case):
    """A rank is done with a step when it has sent and received: by rendezvous."""
    timing = dataflow(recording(case), machine(case), Costs(eager=0))
    ends = np.zeros(case["platform"][1])
    every = timing.messages
    np.maximum.at(ends, every.dst, every.end)
    np.maximum.at(ends, every.src, every.sent)
    assert ends.tolist() == pytest.approx(case["ends"], rel=1e-9)


def test_simgrid_was_asked_on_every_kind_of_machine():
    kinds = {(case["run"], case["platform"][0]) for case in CASES}
    names = ("star", "ring", "line", "fat-tree", "shared-nic")
    assert kinds == {(run, name) for run in ("flows", "steps", "ports", "ranks") for name in names}
