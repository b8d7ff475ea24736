"""NVSwitches: the sentence of each algorithm, and what each rank sends and gets."""

from collections import Counter
from inspect import signature

import pytest
from machines import all_whole, divisors
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import nvls

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))
FEW = (*range(1, 9), 12)


def steps_are(run, *expected):
    """Exactly these steps, as (source, destination, chunk, count, adds) each; none for one rank."""
    found = [{(r.src, r.dst, r.chunk, r.count, r.adds) for r in step} for step in run.steps]
    return found == (list(expected) if run.n > 1 else [])


def added_and_handed_out(n):
    ranks = range(n)
    return {(r, n, 0, n, True) for r in ranks}, {(n, r, r, 1, False) for r in ranks}


def stored_in_all(n):
    ranks = range(n)
    return {(r, n, r, 1, False) for r in ranks}, {(n, r, 0, n, False) for r in ranks}


def chunk_r_to_rank_r(run):
    ends = all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))
    return ends and steps_are(run, *added_and_handed_out(run.n))


def all_chunks_to_all(run):
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.n)]
    ends = all(run.last[rank, chunk] == {(chunk, chunk): 1} for rank, chunk in cells)
    return ends and steps_are(run, *stored_in_all(run.n))


def fetched_and_stored(run):
    both = added_and_handed_out(run.n) + stored_in_all(run.n)
    return all_whole(run) and steps_are(run, *both)


def chunk_after_chunk(run, once):
    """Chunk k takes the steps `once` takes, k steps later and k times as many slots further."""
    chunks = run.given["chunks"]
    width = run.chunk_count // chunks
    expected = [set() for _ in range(len(once) + chunks - 1 if once else 0)]
    for late in range(chunks):
        for time, step in enumerate(once, late):
            expected[time] |= {(s, d, c + late * width, k, adds) for s, d, c, k, adds in step}
    return all_whole(run) and steps_are(run, *expected)


def shards_one_chunk_after_another(run):
    once = added_and_handed_out(run.n) + stored_in_all(run.n)
    return chunk_after_chunk(run, once if run.n > 1 else ())


def trees_one_chunk_after_another(run):
    gpus = run.given["gpus"]
    alone = Run(nvls.two_level_all_reduce, run.n, gpus=gpus, chunk_count=gpus)
    once = [{(r.src, r.dst, r.chunk, r.count, r.adds) for r in step} for step in alone.steps]
    return chunk_after_chunk(run, once)


def on_two_trees(run):
    """Between ranks s of their nodes; the parents of the even shards differ from the odd ones'."""
    gpus = run.given["gpus"]
    nodes = run.n // gpus
    heads = all({row.src % gpus, row.dst % gpus, row.chunk} == {row.chunk} for row in run.rows)
    trees = [
        {(row.src // gpus, row.dst // gpus) for row in run.rows if row.adds and row.chunk == shard}
        for shard in range(gpus)
    ]
    sums = all(
        run.last[node * gpus + s, s] == {(other * gpus + s, s): 1 for other in range(nodes)}
        for node in range(nodes)
        for s in range(gpus)
    )
    by_turns = all(tree == trees[shard % 2] for shard, tree in enumerate(trees))
    two = gpus == 1 or nodes == 1 or trees[0] != trees[1]
    return heads and sums and by_turns and two and all(len(tree) == nodes - 1 for tree in trees)


def in_nodes_between_and_in_nodes(run):
    gpus = run.given["gpus"]
    nodes = run.n // gpus
    to_switch = [{row.dst >= run.n for row in step} for step in run.steps]
    from_switch = [{row.src >= run.n for row in step} for step in run.steps]
    trees = 2 * (nodes - 1).bit_length()
    inside = 1 if gpus > 1 else 0  # a node of one rank needs no switch
    own = all(
        max(row.src, row.dst) - run.n == min(row.src, row.dst) // gpus
        for row in run.rows
        if max(row.src, row.dst) >= run.n
    )
    return (
        to_switch == ([{True}, {False}] * inside + [{False}] * trees + [{True}, {False}] * inside)
        and from_switch
        == ([{False}, {True}] * inside + [{False}] * trees + [{False}, {True}] * inside)
        and own
        and all_whole(run)
    )


def direct_sums_handed_out(run):
    ranks = range(run.n)
    sums = {(src, dst, dst, 1, True) for src in ranks for dst in ranks if src != dst}
    return all_whole(run) and steps_are(run, sums, *stored_in_all(run.n))


def all_data_handed_to_all(run):
    """Each rank gets what every other rank has sent, in a slot of its own in the switch."""
    up = {(r, run.n, 0, 1, False) for r in range(run.n)}
    down = {(run.n, d, 1 + r, 1, True) for r in range(run.n) for d in range(run.n) if r != d}
    return all_whole(run) and steps_are(run, up, down)


PROMISES = {
    "Each rank sums its chunk from direct sends; the switch then hands every sum to all ranks.": (
        direct_sums_handed_out
    ),
    "The switch, node n, hands every rank's data to all others, and each rank adds it all up.": (
        all_data_handed_to_all
    ),
    "The switch, node n, adds up the data of all ranks and hands each the sum of its chunk.": (
        chunk_r_to_rank_r
    ),
    "Each rank stores its chunk in the switch, node n, which sends all chunks to all ranks.": (
        all_chunks_to_all
    ),
    "Each rank fetches the sum of one shard through the switch and stores it in all ranks.": (
        fetched_and_stored
    ),
    "Each chunk is summed in the switch, and every sum goes to all ranks.": (
        shards_one_chunk_after_another
    ),
    "Switches add inside nodes, trees add between them, and the sums come back.": (
        trees_one_chunk_after_another
    ),
    "Shard s is summed over rank s of every node: on one tree if s is even, on another if odd.": (
        on_two_trees
    ),
    "Switches add within nodes, two trees add between them, switches send the sums to the ranks.": (
        in_nodes_between_and_in_nodes
    ),
}


def given(function, n):
    """Chunks and nodes in which a function is tried on so many ranks."""
    taken = signature(function).parameters
    for gpus in divisors(n) if "gpus" in taken else [None]:
        node = {} if gpus is None else {"gpus": gpus}
        for chunks in (1, 2, 5) if "chunks" in taken else [None]:
            pipe = {} if chunks is None else {"chunks": chunks}
            width = 1 if function is nvls.multicast_all_reduce else gpus or n
            yield {"chunk_count": width * (chunks or 1)} | node | pipe


@pytest.mark.parametrize("function", algorithms(nvls), ids=name)
def test_the_docstrings_promise_is_kept(function):
    for n in SIZES if "chunks" not in signature(function).parameters else FEW:
        for options in given(function, n):
            keep(function, PROMISES, [n], **options)


@pytest.mark.parametrize("chunks", [1, 2, 3])
def test_each_rank_sends_and_gets_the_vector_and_one_shard(chunks):
    for n in FEW[1:]:
        run = Run(nvls.nvls_all_reduce, n, chunks=chunks, chunk_count=n * chunks)
        sent, got = Counter(), Counter()
        for row in run.rows:
            sent[row.src] += row.count
            got[row.dst] += row.count
        moved = {sent[rank] for rank in range(n)} | {got[rank] for rank in range(n)}
        assert moved == {(n + 1) * chunks}


def test_between_nodes_no_rank_is_busier_than_two_children_and_a_parent_make_it():
    for nodes in SIZES:
        run = Run(nvls.heads_all_reduce, 4 * nodes, gpus=4, chunk_count=4)
        assert max(run.sent()) == min(nodes - 1, 3)
