"""Whole collectives, held against what SMPI, SimGrid's MPI, took for its own on the same machines.

SMPI sends 16 bytes of its own with every message, whose rates it shares like any others.
"""

import json
from pathlib import Path

import pytest
from each import each

from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.step_messages import MessageSource, StepMessages
from collectives.cost.machines import topology
from collectives.cost.machines.topology import from_links

READ = json.loads((Path(__file__).parents[2] / "data" / "smpi.json").read_text())
BANDWIDTH, BLOCK, CASES = READ["bandwidth"], READ["block"], READ["cases"]
ROW = {  # SMPI's algorithm → the catalog's
    ("allreduce", "lr"): ("all_reduce", "ring"),
    ("allreduce", "rdb"): ("all_reduce", "recursive-doubling"),
    ("allreduce", "rab_rdb"): ("all_reduce", "rabenseifner"),
    ("allgather", "ring"): ("all_gather", "pairwise"),  # to the next, the one after it, …
    ("allgather", "rdb"): ("all_gather", "recursive-doubling"),
    ("allgather", "bruck"): ("all_gather", "bruck"),
    ("alltoall", "pair"): ("all_to_all", "exchange"),
    ("alltoall", "ring"): ("all_to_all", "pairwise"),
    ("bcast", "binomial_tree"): ("broadcast", "tree"),
}
RING = [case for case in CASES if case[0][0] == "ring"]
ONE_PORT = [case for case in CASES if case[0][0] != "ring"]


@pytest.fixture(autouse=True)
def envelope(monkeypatch):
    """Let every message have 16 bytes more."""
    bare = MessageSource.__iter__

    def longer(source):
        for one in bare(source):
            yield StepMessages(one.step, one.routes, one.size + 16.0, one.added, one.local)

    monkeypatch.setattr(MessageSource, "__iter__", longer)


def machine(kind, ranks, more, latency):
    """Ours of the machine of a case."""
    half = more == "half"
    if kind == "star":
        return topology(
            "crossbar", ranks, latency=2 * latency, bandwidth=BANDWIDTH, half_duplex=half
        )
    if kind == "ring":
        return topology("ring", ranks, latency=latency, bandwidth=BANDWIDTH, half_duplex=half)
    leaves = ranks // more
    ends = [(rank, ranks + rank // more) for rank in range(ranks)]
    ends += [(ranks + leaf, ranks + leaves) for leaf in range(leaves)]
    low, high = zip(*ends, strict=True)
    kinds = [("rank", ranks), ("leaf", leaves), ("spine", 1)]
    return from_links("tree", kinds, low + high, high + low, latency, BANDWIDTH)


def made(case):
    """The catalog's schedule, and the machine."""
    where, operation, algorithm, _ = case
    count = BLOCK * where[1]
    schedule = record(*ROW[operation, algorithm], ranks=where[1], count=count, dtype="uint8")
    return schedule, machine(*where)


def in_words(case):
    return " ".join(map(str, [*case[0], *case[1:3]]))


@each("case", CASES, in_words)
def test_lockstep_is_smpis_time(case):
    """All is even, so that every rank comes to a step at once."""
    assert lockstep(*made(case)).total == pytest.approx(case[3], rel=1e-9)


@each("case", ONE_PORT, in_words)
def test_dataflow_is_smpis_time_where_ranks_have_one_port(case):
    assert dataflow(*made(case)).total == pytest.approx(case[3], rel=1e-9)


@each("case", RING, in_words)
def test_dataflow_is_smpis_time_on_rings_where_both_ranks_come_first(case):
    """In a ring ranks have two ports: a root sends both ways at once, SMPI one after the other."""
    time = dataflow(*made(case), Costs(eager=0)).total
    if case[0][1] == 6 and case[1] == "bcast":
        assert time == pytest.approx(2 / 3 * case[3], rel=1e-9)
    else:
        assert time == pytest.approx(case[3], rel=1e-9)


def test_every_algorithm_was_run_on_every_kind_of_machine():
    kinds = {(*case[1:3], case[0][0]) for case in CASES}
    assert kinds == {(*names, kind) for names in ROW for kind in ("star", "ring", "tree")}


def test_the_bytes_of_smpis_own_are_seen():
    """Without them the times are shorter, by 16 of 1,016 bytes where messages have a block."""
    (case,) = [c for c in CASES if c[0] == ["star", 8, "full", 0.0] and c[2] == "lr"]
    assert case[3] == pytest.approx(14 * 1016 / BANDWIDTH, rel=1e-12)
