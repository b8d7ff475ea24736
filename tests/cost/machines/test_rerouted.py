"""Messages round dead links: which path they take, and what that costs."""

import numpy as np
import pytest

from collectives import BadInput, Faults, record, time
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link
from collectives.cost.machines.rerouted import rerouted
from collectives.cost.machines.topology import from_links

DEAD = "NIC 3-leaf switch 0"


def shortest(machine, start, end):
    """The fewest links that are alive from one node to another, by breadth-first search."""
    alive = machine.bandwidth > 0
    reached, hops = {start}, 0
    while end not in reached:
        step = {
            int(dst)
            for src, dst in zip(machine.src[alive], machine.dst[alive], strict=True)
            if int(src) in reached
        }
        if step <= reached:
            return None
        reached, hops = reached | step, hops + 1
    return hops


def broken_cluster():
    machine = topology("cluster", 16)
    card = next(node for node in range(machine.nodes) if machine.label(node) == "NIC 3")
    leaf = next(node for node in range(machine.nodes) if machine.label(node) == "leaf switch 0")
    return dead_link(dead_link(machine, card, leaf), leaf, card)


def test_paths_over_a_dead_link_become_the_shortest_that_is_alive_and_others_stay():
    dead = broken_cluster()
    around = rerouted(dead)
    src, dst = np.nonzero(~np.eye(16, dtype=bool))
    usual, taken = dead.paths(src, dst), around.paths(src, dst)
    changed = 0
    for pair, (start, end) in enumerate(zip(src.tolist(), dst.tolist(), strict=True)):
        before = usual.link[usual.start[pair] : usual.start[pair + 1]]
        after = taken.link[taken.start[pair] : taken.start[pair + 1]]
        if (dead.bandwidth[before] > 0).all():
            assert after.tolist() == before.tolist()
            continue
        changed += 1
        assert (dead.bandwidth[after] > 0).all()
        assert len(after) == shortest(dead, start, end)
        ends = [start, *dead.dst[after].tolist()]
        assert dead.src[after].tolist() == ends[:-1] and ends[-1] == end
    assert changed == 2 * 8  # between rank 3 and each rank of the other node, both ways


def test_a_rank_without_another_way_keeps_its_path_and_never_arrives():
    pair = dead_link(from_links("pair", [("rank", 2)], [0, 1], [1, 0], 1e-6, 1e9), 0, 1)
    assert rerouted(pair).paths([0], [1]).link.tolist() == [0]


def test_a_dead_card_costs_time_and_not_the_result():
    ring = record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 8})
    given = {"size": "64MiB"}
    clean = time(ring, "cluster", **given).total
    stuck = time(ring, "cluster", faults=Faults(dead=DEAD), **given).total
    around = time(ring, "cluster", faults=Faults(dead=DEAD, reroute=True), **given).total
    assert clean < around < 2 * clean and stuck == float("inf")


def test_rerouting_without_a_dead_link_is_refused():
    with pytest.raises(BadInput, match="--reroute: no link is dead"):
        Faults(reroute=True)
