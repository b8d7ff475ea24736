"""Switches that add and copy: the sentence of each algorithm, and what each rank sends and gets."""

from collections import Counter

import pytest
from machines import all_whole
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import in_network
from collectives.catalog import parameters
from collectives.theory.case import ceil_log

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))


def swapped(step):
    return {(row.dst, row.src, row.chunk) for row in step}


def carried(step):
    return {(row.src, row.dst, row.chunk) for row in step}


def in_pipeline(run, first, second, adds):
    """Chunk k goes along the links `first` in step k and along `second` in step k + 1."""
    chunks = run.given.get("chunks", 1)
    expected = [set() for _ in range(chunks + 1)] if run.n > 1 else []
    for chunk in range(chunks if run.n > 1 else 0):
        expected[chunk] |= {(*link, chunk) for link in first}
        expected[chunk + 1] |= {(*link, chunk) for link in second}
    return list(map(carried, run.steps)) == expected and all(row.adds is adds for row in run.rows)


def from_root_to_switch_to_all_others(run):
    down = {(run.n, rank) for rank in run.others}
    reached = all(
        run.last[r, c] == {(run.root, c): 1} for r in range(run.n) for c in range(run.chunk_count)
    )
    return in_pipeline(run, {(run.root, run.n)}, down, adds=False) and reached


def in_turns_through_the_switch(run):
    """In step k rank k sends its chunk to the switch, which then sends it to all others."""
    n = run.n
    expected = [set() for _ in range(n + 1)] if n > 1 else []
    for rank in range(n if n > 1 else 0):
        expected[rank].add((rank, n, rank))
        expected[rank + 1] |= {(n, other, rank) for other in range(n) if other != rank}
    everywhere = all(run.last[r, c] == {(c, c): 1} for r in range(n) for c in range(n))
    copied = not any(row.adds for row in run.rows)
    return list(map(carried, run.steps)) == expected and everywhere and copied


def from_all_others_to_switch_to_root(run):
    up = {(rank, run.n) for rank in run.others}
    return in_pipeline(run, up, {(run.n, run.root)}, adds=True) and all_whole(run, [run.root])


def up_and_down_the_tree(run):
    """Every rank and switch but the top hands each chunk up once, then gets its sum once."""
    chunks, radix = run.chunk_count, run.given["radix"]
    height, reach = 0, 1
    while reach < run.n:
        height, reach = height + 1, reach * radix
    ups = [row for row in run.rows if row.adds]
    downs = [row for row in run.rows if not row.adds]
    up, down = ({(row.src, row.dst) for row in rows} for rows in (ups, downs))
    once = all(
        set(Counter(carried([row]).pop() for row in rows).values()) <= {1} for rows in (ups, downs)
    )
    added = Counter(parent for _, parent in up)
    return (
        once
        and len(ups) == len(downs) == len(up) * chunks
        and down == {(parent, child) for child, parent in up}
        and {child for child, _ in up} >= (set(range(run.n)) if run.n > 1 else set())
        and all(parent >= run.n for parent in added)
        and max(added.values(), default=0) <= radix
        and len(run.steps) == (2 * height + chunks - 1 if run.n > 1 else 0)
        and all_whole(run)
    )


PROMISES = {
    "Ranks take turns to send their chunk once; the switch, node n, copies it to all others.": (
        in_turns_through_the_switch
    ),
    "The root sends its data to the switch, node n, which sends it to all others at once.": (
        from_root_to_switch_to_all_others
    ),
    "The root sends every chunk once; the switch, node n, copies it to all other ranks.": (
        from_root_to_switch_to_all_others
    ),
    "The switch, node n, adds up all other ranks' data and hands the root the sum.": (
        from_all_others_to_switch_to_root
    ),
    "Chunk after chunk goes up a tree of switches that add, and its sum comes down to all ranks.": (
        up_and_down_the_tree
    ),
}
CHUNKS = (1, 2, 5)
GIVEN = {
    in_network.switch_broadcast: [{"chunk_count": 1}],
    in_network.multicast_broadcast: [{"chunks": q, "chunk_count": q} for q in CHUNKS],
    in_network.multicast_all_gather: [{}],
    in_network.switch_reduce: [{"chunks": q, "chunk_count": q} for q in CHUNKS],
    in_network.sharp_all_reduce: [
        {"radix": r, "chunks": q, "chunk_count": q} for r in (2, 3, 4, 7, 40) for q in CHUNKS
    ],
}


@pytest.mark.parametrize("function", algorithms(in_network), ids=name)
def test_the_docstrings_promise_is_kept(function):
    for given in GIVEN[function]:
        keep(function, PROMISES, SIZES, **given)


@pytest.mark.parametrize("radix", [2, 3, 4, 5, 8, 64])
def test_a_switch_tree_has_the_hosts_as_leaves_and_no_level_too_many(radix):
    for hosts in range(1, 130):
        parent = in_network.switch_tree(hosts, radix).tolist()
        children = Counter(parent[:-1])
        level = [0] * len(parent)
        for node, above in enumerate(parent[:-1]):  # parents have higher numbers
            assert above > node
            level[above] = level[node] + 1
        assert parent[-1] == -1
        assert set(children) == set(range(hosts, len(parent)))  # hosts are leaves, switches not
        assert max(children.values(), default=0) <= radix
        assert [level[node] for node in range(hosts)] == [0] * hosts
        assert sorted(level) == level
        assert len(parent) - hosts == parameters.switches(hosts, radix)
        assert max(level) == ceil_log(hosts, radix)
        assert radix ** max(level) >= hosts > (radix ** (max(level) - 1) if hosts > 1 else 0)
        for depth in range(1, max(level) + 1):  # all switches of a level are full but its last
            full = [children[node] for node in range(hosts, len(parent)) if level[node] == depth]
            assert set(full[:-1]) <= {radix}


def test_each_rank_sends_the_vector_once_and_gets_it_once():
    """Half as much as any all-reduce without switches lets the busiest of many ranks send."""
    for n in SIZES[1:]:
        run = Run(in_network.sharp_all_reduce, n, radix=3, chunks=4, chunk_count=4)
        sent, got = (Counter(row[end] for row in run.rows) for end in (0, 1))
        assert {sent[rank] for rank in range(n)} == {got[rank] for rank in range(n)} == {4}
