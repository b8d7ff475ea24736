"""Who waits for whom for ever: a chain to the lost message, closed where the sender waits too."""

from functools import lru_cache

import pytest

from animations.story.labels import labels_of
from animations.story.standstill import Standstill, standstill
from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link

CASES = {
    "chain": ("broadcast", "ring", 4, dataflow, ["3", "2", "1"]),
    "chain at a barrier": ("broadcast", "ring", 4, lockstep, ["0, 3", "2", "1"]),
    "cycle": ("all_reduce", "ring", 5, dataflow, ["1", "0", "4", "3", "2", "1"]),
    "cycle at a barrier": ("all_reduce", "ring", 5, lockstep, ["0, 3, 4", "2", "1"]),
}


@lru_cache
def found(name: str) -> tuple[Standstill, list[str]]:
    collective, algorithm, ranks, clock, _ = CASES[name]
    recording = record(collective, algorithm, ranks=ranks, chunks=1 if ranks == 4 else None)
    stands = standstill(clock(recording, dead_link(topology("ring", ranks), 1, 2)))
    assert stands
    return stands, list(stands.groups(labels_of(recording)))


@pytest.mark.parametrize("name", CASES)
def test_groups_wait_one_after_another_up_to_the_sender(name):
    stands, groups = found(name)
    assert groups == CASES[name][-1]
    assert stands.closed == (name == "cycle")
    assert (stands.chain[-1], stands.chain[-2]) == ((1,), (2,))
    for nodes, targets in zip(stands.chain, stands.chain[1:], strict=False):
        assert all(stands.waits[node] in targets for node in nodes)


@pytest.mark.parametrize("name", CASES)
def test_all_who_wait_are_in_the_chain(name):
    stands, _ = found(name)
    assert stands.more == 0
    chained = {node for nodes in stands.chain for node in nodes}
    assert stands.waits.keys() <= chained


def test_what_ends_has_no_standstill():
    assert standstill(dataflow(record("broadcast", "ring", ranks=4), topology("ring", 4))) is None


def test_who_waits_for_others_is_counted():
    broken = dead_link(dead_link(topology("ring", 6), 0, 1), 4, 5)
    stands = standstill(dataflow(record("all_gather", "neighbor_exchange", ranks=6), broken))
    assert stands
    assert stands.waits == {0: 5, 1: 0, 2: 1, 3: 2, 5: 4}
    assert (stands.chain, stands.more) == (((3,), (2,), (1,), (0,)), 1)
