"""Machines of several levels: the sentence of each, and what crosses between nodes."""

import pytest
from exchanges import gathered, scattered
from machines import all_whole, divisors
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import hierarchical

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))


def stays(steps, part, adds):
    """Whether all rows of these steps stay in one part of the machine, with this verb."""
    rows = [row for step in steps for row in step]
    return all(part(row.src) == part(row.dst) and row.adds is adds for row in rows)


def sum_over(run, ranks, slot):
    return {(rank, slot): 1 for rank in ranks}


def in_across_and_in(run):
    gpus, nodes = run.given["gpus"], run.n // run.given["gpus"]
    cuts = [gpus - 1, gpus - 1 + 2 * (nodes - 1)]
    first, second, third = run.steps[: cuts[0]], run.steps[cuts[0] : cuts[1]], run.steps[cuts[1] :]
    for rank in range(run.n):
        node, local = divmod(rank, gpus)
        for slot in range(local * nodes, (local + 1) * nodes):  # its shard of the node's data
            members = range(node * gpus, (node + 1) * gpus)
            scattered = run.states[cuts[0]][rank, slot] == sum_over(run, members, slot)
            if not scattered or run.states[cuts[1]][rank, slot] != run.whole(slot):
                return False
    adds = [{row.adds for row in step} for step in second]
    return (
        stays(first, lambda rank: rank // gpus, adds=True)
        and all(row.src % gpus == row.dst % gpus for step in second for row in step)
        and adds == [{True}] * (nodes - 1) + [{False}] * (nodes - 1)
        and stays(third, lambda rank: rank // gpus, adds=False)
        and len(third) == gpus - 1
        and all_whole(run)
    )


def level(row, gpus, nodes):
    """0: both in one node; 1: both in one rack; 2: in different racks."""
    return (row.src // gpus != row.dst // gpus) + (
        row.src // gpus // nodes != row.dst // gpus // nodes
    )


def level_after_level(run):
    gpus, nodes = run.given["gpus"], run.given["nodes"]
    racks = run.n // gpus // nodes
    found = [{(level(row, gpus, nodes), row.adds) for row in step} for step in run.steps]
    down = [(0, True)] * (gpus - 1) + [(1, True)] * (nodes - 1) + [(2, True)] * (racks - 1)
    up = [(which, False) for which, _ in reversed(down)]
    return found == [{one} for one in down + up] and all_whole(run)


def by_the_first_of_each_node(run):
    gpus = run.given["gpus"]
    nodes, tree = run.n // gpus, (gpus - 1).bit_length()
    cuts = [tree, tree + 2 * (nodes - 1)]
    leaders = range(0, run.n, gpus)
    reduced = all(
        run.states[cuts[0]][leader, slot] == sum_over(run, range(leader, leader + gpus), slot)
        and run.states[cuts[1]][leader, slot] == run.whole(slot)
        for leader in leaders
        for slot in range(run.chunk_count)
    )
    between = [row for step in run.steps[cuts[0] : cuts[1]] for row in step]
    return (
        reduced
        and stays(run.steps[: cuts[0]], lambda rank: rank // gpus, adds=True)
        and all({row.src, row.dst} <= set(leaders) for row in between)
        and stays(run.steps[cuts[1] :], lambda rank: rank // gpus, adds=False)
        and len(run.steps) == cuts[1] + tree
        and all_whole(run)
    )


def held_by(run, state, ranks):
    """The chunks that any of these ranks has."""
    return {chunk for rank, chunk in state if rank in ranks}


def to_the_next(step, gpus, n, inside):
    """Whether all rows of a step go to the next rank of their node, or of their like in nodes."""
    for row in step:
        node, place = divmod(row.src, gpus)
        beside = node * gpus + (place + 1) % gpus
        if row.dst != (beside if inside else (row.src + gpus) % n):
            return False
    return True


def across_then_round_the_node(run):
    gpus, n = run.given["gpus"], run.n
    cut = n // gpus - 1
    nodes = [range(first, first + gpus) for first in range(0, n, gpus)]
    return (
        all(to_the_next(step, gpus, n, inside=False) for step in run.steps[:cut])
        and all(held_by(run, run.states[cut], node) == {*range(n)} for node in nodes)
        and all(to_the_next(step, gpus, n, inside=True) for step in run.steps[cut:])
        and len(run.steps) == cut + gpus - 1
        and gathered(run)
    )


def round_the_node_then_across(run):
    gpus, n = run.given["gpus"], run.n
    sums = all(
        run.states[gpus - 1][rank, chunk]
        == sum_over(run, range(rank - rank % gpus, rank - rank % gpus + gpus), chunk)
        for rank in range(n)
        for chunk in range(rank % gpus, n, gpus)
    )
    return (
        all(to_the_next(step, gpus, n, inside=True) for step in run.steps[: gpus - 1])
        and sums
        and all(to_the_next(step, gpus, n, inside=False) for step in run.steps[gpus - 1 :])
        and len(run.steps) == gpus - 1 + n // gpus - 1
        and scattered(run)
    )


PROMISES = {
    "Rings of like ranks bring all chunks to each node, where a ring passes them round.": (
        across_then_round_the_node
    ),
    "A ring adds up all chunks in each node, then rings of like ranks add them across nodes.": (
        round_the_node_then_across
    ),
    "Nodes add up inside first; then each GPU takes only its share across.": (in_across_and_in),
    "Reduce-scatter in nodes, then across a rack's nodes, then across racks, and back again.": (
        level_after_level
    ),
    "Reduce to each node's first rank, all-reduce among those, broadcast in each node.": (
        by_the_first_of_each_node
    ),
}


def settings(function, n):
    """Every way to call one of these functions for n ranks, with the number of chunks."""
    for gpus in divisors(n):
        if function is hierarchical.three_level_all_reduce:
            for nodes in divisors(n // gpus):
                yield {"gpus": gpus, "nodes": nodes, "chunk_count": n}
        else:
            leaders = function is hierarchical.leader_all_reduce
            yield {"gpus": gpus, "chunk_count": n // gpus if leaders else n}


@pytest.mark.parametrize("function", algorithms(hierarchical), ids=name)
def test_the_docstrings_promise_is_kept(function):
    for n in SIZES:
        for given in settings(function, n):
            keep(function, PROMISES, [n], **given)


def crossing(run, gpus):
    """How many slots leave each node."""
    found = [0] * (run.n // gpus)
    for row in run.rows:
        if row.src // gpus != row.dst // gpus:
            found[row.src // gpus] += row.count
    return found


def test_a_node_sends_the_others_no_more_than_an_all_reduce_of_nodes_needs():
    """2(nodes - 1) of `nodes` parts of the vector, be it through one rank or through all."""
    for n in SIZES:
        for gpus in divisors(n):
            nodes = n // gpus
            every = Run(hierarchical.hierarchical_all_reduce, n, gpus=gpus)
            assert crossing(every, gpus) == [2 * (nodes - 1) * gpus] * nodes  # of n chunks
            one = Run(hierarchical.leader_all_reduce, n, gpus=gpus, chunk_count=nodes)
            assert crossing(one, gpus) == [2 * (nodes - 1)] * nodes  # of `nodes` chunks


def test_one_rank_per_node_and_one_node_are_the_ring():
    for n in SIZES:
        ends = [Run(hierarchical.hierarchical_all_reduce, n, gpus=gpus).steps for gpus in (1, n)]
        assert ends[0] == ends[1]
