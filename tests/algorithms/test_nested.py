"""Hierarchical collectives from two parts: the sentences, for every pair of parts."""

import pytest
from exchanges import log_steps
from machines import all_whole, divisors
from promises import Run, keep
from settings import sampled_ranks

import collectives
from collectives import BadInput, record
from collectives.algorithms import hierarchical, nested
from collectives.algorithms.doubling import (
    recursive_doubling_all_gather,
    recursive_halving_reduce_scatter,
)
from collectives.algorithms.flat import flat_all_gather, flat_reduce_scatter
from collectives.algorithms.parameter_server import two_shot_all_reduce
from collectives.algorithms.ring import ring_all_gather, ring_all_reduce, ring_reduce_scatter

SIZES = sampled_ranks((*range(1, 19), 24, 27, 32, 33))
INSIDE = (nested.RING, nested.DIRECT, nested.SWITCH)
IN_PAIRS = (recursive_doubling_all_gather, recursive_halving_reduce_scatter)


def inside_steps(gpus, inside):
    if gpus == 1:
        return 0
    return {nested.RING: gpus - 1, nested.DIRECT: 1, nested.SWITCH: 2}[inside]


def node(place, n, gpus):
    """The node of a rank, or of a switch."""
    return place // gpus if place < n else place - n


def stays_in_nodes(steps, run):
    gpus = run.given["gpus"]
    ends = [(row.src, row.dst) for step in steps for row in step]
    return all(node(src, run.n, gpus) == node(dst, run.n, gpus) for src, dst in ends)


def among_like(steps, run):
    gpus = run.given["gpus"]
    return all(row.src % gpus == row.dst % gpus for step in steps for row in step)


def of_node(run, rank, slot):
    gpus = run.given["gpus"]
    first = rank - rank % gpus
    return {(member, slot): 1 for member in range(first, first + gpus)}


def in_across_and_in(run):
    gpus, nodes = run.given["gpus"], run.n // run.given["gpus"]
    once = inside_steps(gpus, run.given["parts"].inside)
    end = len(run.steps) - once
    shards = [
        (rank, slot)
        for rank in range(run.n)
        for slot in range(rank % gpus * nodes, (rank % gpus + 1) * nodes)
    ]
    return (
        stays_in_nodes(run.steps[:once] + run.steps[end:], run)
        and among_like(run.steps[once:end], run)
        and all(run.states[once][cell] == of_node(run, *cell) for cell in shards)
        and all(run.states[end][cell] == run.whole(cell[1]) for cell in shards)
        and all_whole(run)
    )


def across_then_in(run):
    n, gpus = run.n, run.given["gpus"]
    cut = len(run.steps) - inside_steps(gpus, run.given["parts"].inside)
    nodes = [range(first, first + gpus) for first in range(0, n, gpus)]
    held = [{chunk for rank, chunk in run.states[cut] if rank in members} for members in nodes]
    return (
        among_like(run.steps[:cut], run)
        and held == [{*range(n)}] * len(nodes)
        and stays_in_nodes(run.steps[cut:], run)
        and all(run.last[rank, k] == {(k, k): 1} for rank in range(n) for k in range(n))
    )


def in_then_across(run):
    n, gpus = run.n, run.given["gpus"]
    cut = inside_steps(gpus, run.given["parts"].inside)
    own = [(rank, chunk) for rank in range(n) for chunk in range(rank % gpus, n, gpus)]
    return (
        stays_in_nodes(run.steps[:cut], run)
        and all(run.states[cut][cell] == of_node(run, *cell) for cell in own)
        and among_like(run.steps[cut:], run)
        and all(run.last[rank, rank] == run.whole(rank) for rank in range(n))
    )


def whole_shards_in_pairs(run):
    far = [abs(row.src - row.dst) for step in run.steps for row in step]
    power = run.n & (run.n - 1) == 0
    every = all(row.count == run.n for row in run.rows)
    in_turn = far == sorted(far) and len(run.steps) == log_steps(run.n) if power else True
    return every and in_turn and all_whole(run)


PROMISES = {
    "Partners swap whole shards, at twice the distance in each step.": whole_shards_in_pairs,
    "Nodes add up inside first; then each GPU takes only its share across.": (in_across_and_in),
    "Like ranks gather across nodes, then each node's ranks hand one another what they have.": (
        across_then_in
    ),
    "Each node's ranks add up every node's chunks, then like ranks add them across nodes.": (
        in_then_across
    ),
}
OUTSIDE = {
    nested.nested_all_reduce: (
        ring_all_reduce,
        two_shot_all_reduce,
        nested.shard_doubling_all_reduce,
    ),
    nested.nested_all_gather: (ring_all_gather, flat_all_gather, recursive_doubling_all_gather),
    nested.nested_reduce_scatter: (
        ring_reduce_scatter,
        flat_reduce_scatter,
        recursive_halving_reduce_scatter,
    ),
}


@pytest.mark.parametrize("inside", INSIDE, ids=["ring", "direct", "switch"])
@pytest.mark.parametrize("function", OUTSIDE, ids=lambda function: function.__name__)
def test_the_docstrings_promise_is_kept(function, inside):
    for n in SIZES:
        for gpus in divisors(n):
            for outside in OUTSIDE[function]:
                if outside in IN_PAIRS and (n // gpus) & (n // gpus - 1):
                    continue
                parts = nested.TwoParts(outside, inside)
                keep(function, PROMISES, [n], gpus=gpus, parts=parts, chunk_count=n)


def test_shard_doubling_all_reduce_keeps_its_promise():
    for n in SIZES:
        keep(nested.shard_doubling_all_reduce, PROMISES, [n], chunk_count=n)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (nested.nested_all_gather, hierarchical.hierarchical_all_gather),
        (nested.nested_reduce_scatter, hierarchical.hierarchical_reduce_scatter),
        (nested.nested_all_reduce, hierarchical.hierarchical_all_reduce),
    ],
    ids=lambda function: function.__name__,
)
def test_rings_outside_and_inside_are_the_steps_of_the_textbook(parts, whole):
    for n in SIZES:
        for gpus in divisors(n):
            rings = nested.TwoParts(OUTSIDE[parts][0], nested.RING)
            one = Run(parts, n, gpus=gpus, parts=rings, chunk_count=n)
            other = Run(whole, n, gpus=gpus, chunk_count=n)
            assert [sorted(step) for step in one.steps] == [sorted(step) for step in other.steps]


def kinds(**ways):
    recording = record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 4, **ways})
    found = recording.structure
    return type(found.inside).__name__, type(found.between).__name__


def test_the_structure_of_each_way_is_inferred():
    assert kinds(outside="doubling") == ("Ring", "Cube")
    assert kinds(inside="switch", outside="direct") == ("Switches", "Star")
    assert kinds(inside="direct") == ("Star", "Ring")


def test_nvrar_takes_log_many_steps_between_nodes():
    """Recursive doubling between 8 nodes of 4: 2 x 3 steps inside and 3 outside, not 14."""
    given = {"gpus": 4, "outside": "doubling"}
    steps = record("all_reduce", "hierarchical", ranks=32, parameters=given).counters.steps
    assert steps == 2 * 3 + 3
    ring = record("all_reduce", "hierarchical", ranks=32, parameters={"gpus": 4})
    assert ring.counters.steps == 2 * 3 + 2 * 7


@pytest.mark.parametrize(
    ("ways", "problem"),
    [
        ({"outside": "halving"}, "outside halving: must be ring, direct or doubling; choose from"),
        ({"inside": "swich"}, "inside swich: must be ring, direct or switch; did you mean switch"),
        ({"inside": True}, "inside True: must be ring"),
        ({"outside": 3}, "outside 3: must be ring"),
    ],
)
def test_ways_that_there_are_not_are_refused_with_the_nearest(ways, problem):
    with pytest.raises(BadInput) as refusal:
        record("all_gather", "hierarchical", ranks=8, parameters=ways)
    assert str(refusal.value).startswith(problem)


def test_a_number_of_nodes_that_does_not_fit_is_refused_and_others_named():
    with pytest.raises(BadInput, match=r"N/gpus a power of two if outside=doubling only; try: "):
        record("all_gather", "hierarchical", ranks=6, parameters={"gpus": 2, "outside": 2})


def test_ways_are_saved_by_name_and_read_again(tmp_path):
    given = {"gpus": 2, "outside": "doubling", "inside": "switch"}
    one = record("all_gather", "hierarchical", ranks=8, parameters=given)
    path = tmp_path / "ways.json"
    collectives.save(one, path)
    assert '"outside": "doubling"' in path.read_text("utf-8").replace('":"', '": "')
    again = collectives.load(path)
    assert again.parameters == one.parameters
    assert again.counters.steps == one.counters.steps
