"""Machines with so many times the latency and bandwidth of their links."""

import numpy as np
import pytest

from collectives import record, time
from collectives.cost.like import advice
from collectives.cost.machines import topology
from collectives.cost.machines.scaled import scaled
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput


@pytest.mark.parametrize("name", ["hgx-h100", "ring", "cluster:gpus=4"])
def test_all_links_and_shared_capacities_are_scaled(name):
    ring = record("all_reduce", "ring", ranks=8)
    plain = Where(name).setup().machine(ring)
    other = Where(name, "4x", "0.5x").setup().machine(ring)
    assert np.allclose(other.latency, 4 * plain.latency, rtol=1e-15)
    assert np.allclose(other.bandwidth, plain.bandwidth / 2, rtol=1e-15)
    assert np.allclose(other.capacity, plain.capacity / 2, rtol=1e-15)
    assert other.name.endswith(", latency 4x, bandwidth 0.5x")
    named = Where(name, "4x", "0.5x").named(Where(name, "4x", "0.5x").setup()).machine(ring)
    assert named.name == f"{name}, latency 4x, bandwidth 0.5x"


def test_times_of_bare_messages_scale_with_their_latency_and_bytes_with_the_bandwidth():
    ring = record("all_reduce", "ring", ranks=8)
    bare, whole = (time(ring, "hgx-h100", size=size).total for size in (0, "64MiB"))
    assert time(ring, "hgx-h100", size=0, latency="3x").total == pytest.approx(3 * bare, rel=1e-12)
    faster = time(ring, "hgx-h100", size="64MiB", bandwidth="4x").total
    assert faster == pytest.approx(bare + (whole - bare) / 4, rel=1e-12)
    own = time(ring, topology("hgx-h100", 8), size="64MiB", bandwidth="4x").total
    assert own == pytest.approx(faster, rel=1e-12)


def test_no_times_are_refused_and_none_change_nothing():
    machine = topology("ring", 4)
    assert scaled(machine, {}) is machine
    with pytest.raises(BadInput, match=r"latency 0x: must be above 0; try: 2x"):
        time(record("all_reduce", "ring", ranks=4), "ring", latency="0x")


@pytest.mark.parametrize("changed", [{"bandwidth": "0.5x"}, {"place": "3=0"}])
def test_nccls_choice_is_said_to_be_of_a_machine_as_it_is_built(changed):
    """Its tuner knows GPUs and their usual links, whatever these are here."""
    usual, other = (
        advice("nccl", "all_reduce", 8, 1 << 30, where_of("hgx-h100", "lockstep", None, given))
        for given in ({}, changed)
    )
    assert (usual.machine, other.machine) == ("1 x 8 H100", "1 x 8 H100 as built")
    assert other.choice.rule == usual.choice.rule.replace("H100", "H100 as built")
