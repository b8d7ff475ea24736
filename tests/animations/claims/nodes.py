"""Claims of what is sent inside nodes and between them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, floor

from claims.executed import Played, flat_ring, named, share
from collectives import record
from collectives.algorithms.tree import tree_all_reduce, two_trees


def across(recording, gpus):
    """By rank the bytes it sends to other nodes, and in how many steps any does."""
    played = Played(recording)
    carried, steps = [0] * recording.ranks, 0
    unit = int(recording.size[0]) * recording.dtype.itemsize
    for step in played.steps:
        far = [(src, dst, c) for src, dst, c, *_ in step if src // gpus != dst // gpus]
        steps += bool(far)
        for src, _, _ in far:
            carried[src] += unit
    return carried, steps


def gpus_of(played):
    """How many consecutive ranks are a node: those that are linked inside."""
    groups = played.recording.structure.members
    assert [rank for group in groups for rank in group] == list(range(played.n))
    return len(groups[0])


def one_ring(played, size, gpus):
    carried, _ = across(flat_ring(played), int(gpus))
    first = carried[: int(gpus)]
    return gpus_of(played) == int(gpus) and sum(map(bool, first)) == 1 and named(max(first), size)


def ring_on_each(played, gpus, size):
    carried, _ = across(flat_ring(played), gpus_of(played))
    share = sum(carried[: int(gpus)]) // int(gpus)
    return gpus_of(played) == int(gpus) and named(share, size)


def most_cross_twice(played):
    """Whether over half of a ring's chunks leave a node twice: first added, then copied."""
    rows = [row for step in Played(flat_ring(played)).steps for row in step]
    over = [(chunk, adds) for src, _, chunk, _, adds in rows if src == gpus_of(played) - 1]
    ways = [[adds for other, adds in over if other == chunk] for chunk in range(played.n)]
    return 2 * ways.count([True, False]) > played.n


def takes_turns(played, rings):
    """Whether no step sends inside nodes and between them; each step of a ring does."""
    gpus = gpus_of(played)
    own, ring = (
        {len({src // gpus == dst // gpus for src, dst, *_ in step}) for step in way.steps}
        for way in (played, Played(flat_ring(played)))
    )
    return int(rings) == gpus and (own, ring) == ({1}, {2})


def own_share(played, part, size):
    gpus = gpus_of(played)
    carried, _ = across(played.recording, gpus)
    return part == f"1/{gpus}" and len({*carried}) == 1 and named(carried[0], size)


def own_share_once(played, part, size):
    """Of two nodes each sends the other as much as the share has bytes."""
    gpus = gpus_of(played)
    (carried, *_), _ = across(played.recording, gpus)
    once = carried * gpus == played.recording.count * played.recording.dtype.itemsize
    return once and own_share(played, part, size)


def node_adds(played, part):
    """Whether ranks of a node send only to its switch, and get a share of the node's sum."""
    gpus, n = played.recording.parameters["gpus"], played.n
    moved = [row for step in played.steps for row in step]
    inside = [row for row in moved if max(row[:2]) < n and row[0] // gpus == row[1] // gpus]
    got = {
        (dst, chunk)
        for k, step in enumerate(played.steps)
        for src, dst, chunk, *_ in step
        if dst < n <= src and len(played.held(k, src, chunk)) == gpus
    }
    return not inside and Fraction(part) == Fraction(1, gpus) == Fraction(
        len(got), n * played.recording.chunk_count
    )


def crosses_in_tree(played, size, steps=None):
    """Whether only ranks of one rail meet across the network, in pairs or in so many steps."""
    gpus, n = played.recording.parameters["gpus"], played.n
    far = [[row for row in step if max(row[:2]) < n] for step in played.steps]
    rails = {(row[0] - row[1]) % gpus for step in far for row in step}
    told = steps is None or int(steps) == sum(map(bool, far))
    most = max(port_parts(played, inside=False))
    return (
        told
        and (steps is None) == (n == 2 * gpus)
        and rails == {0}
        and bytes_of(played, most, size)
    )


def bytes_of(played, part, size):
    """Whether a size is that of such a part of the vector."""
    recording = played.recording
    return named(round(part * recording.count * recording.dtype.itemsize), size)


def at_border(played, size, steps):
    """What each GPU sends to another node in rings through all ranks, as many as a node has."""
    gpus = played.recording.parameters["gpus"]
    chosen = {"channels": gpus, "gpus": gpus}
    ring = record("all_reduce", "ring", ranks=played.n, parameters=chosen)
    carried, _ = across(ring, gpus)
    (sent,) = {Fraction(number, ring.count * ring.dtype.itemsize) for number in carried}
    exact = sent * played.recording.count * played.recording.dtype.itemsize
    named_there = named(floor(exact), size) or named(ceil(exact), size)  # of unequal chunks
    return named_there and int(steps) == len(Played(ring).steps)


def waits_for_network(played, ring, far, steps):
    """Whether in each step of a ring something crosses between nodes, and here in so many."""
    gpus = len(played.recording.structure.members[0])
    flat = Played(record("all_reduce", "ring", ranks=played.n))
    crossed = [
        [any(row[0] // gpus != row[1] // gpus for row in step) for step in each.steps]
        for each in (flat, played)
    ]
    return [crossed[0].count(True), crossed[1].count(True), len(played.steps)] == [
        int(ring),
        int(far),
        int(steps),
    ] and all(crossed[0])


def all_share(played, size, alone):
    """Whether every rank sends so much to the rank beside it on the other of two nodes."""
    beside = at_border(played, alone, 2 * (played.n - 1))
    return (
        beside and len({*port_parts(played, inside=False)}) == 1 and crosses_in_tree(played, size)
    )


def halves_sums(_, nodes, steps):
    """Whether after each step of a tree of nodes half as many hold what nobody else has."""
    n, count = int(nodes), int(steps)
    gpus = {"gpus": 2}
    large = record("all_reduce", "nvls-tree", ranks=2 * n, parameters=gpus, chunks=1)
    rows = (step.unrolled() for step in large.steps)
    hops = [
        sum(pair[0] < 2 * n > pair[1] and not chunk for *pair, chunk in triples)
        for row in rows
        for triples in [zip(row.src.tolist(), row.dst.tolist(), row.chunk.tolist(), strict=True)]
    ]
    up = [number for number in hops if number][:count]
    return up == [n >> step for step in range(1, count + 1)] and sum(up) == n - 1


def trees_of_nodes(played, down, steps, ring):
    """Whether a tree of as many nodes as a ring has takes these steps, so many of them down."""
    nodes = int(ring) // 2 + 1
    ways = [[*tree_all_reduce(tree)] for tree in two_trees(nodes)]
    taken, copies = (
        max(map(len, kept))
        for kept in (ways, [[s for s in way if not s.reduces.any()] for way in ways])
    )
    beside = record("all_reduce", "ring", ranks=nodes).counters.steps
    return (taken, beside, copies) == (int(steps), int(ring), int(down))


def sends_to_two(played, most, lap, nodes=8):
    """Whether a GPU that has two others below it sends so much, and in a ring of nodes so much."""
    gpus = played.recording.parameters["gpus"]
    for tree in two_trees(nodes):
        steps = [*tree_all_reduce(tree)]
        below = Counter(dst for step in steps for dst in step.dst.tolist() if step.reduces.any())
        sent = Counter(src for step in steps for src in step.src.tolist())
        busy = {sent[node] for node, count in below.items() if count == 2}
        if busy != {max(sent.values())}:
            return False
    own, ring = Fraction(max(sent.values()), gpus), Fraction(2 * (nodes - 1), nodes * gpus)
    return bytes_of(played, own, most) and bytes_of(played, ring, lap)


def less_inside(played, inside, rings):
    """What the busiest port passes through switches; more leaves it where nodes have rings."""
    gpus = {"gpus": played.recording.parameters["gpus"]}
    nodes = Played(record("all_reduce", "hierarchical", ranks=played.n, parameters=gpus))
    near = [r for step in nodes.steps for r in step if r[0] == 0 and r[1] < gpus["gpus"]]
    ring, own = sum(share(nodes, row[2]) for row in near), max(port_parts(played, inside=True))
    return own < ring and bytes_of(played, own, inside) and bytes_of(played, ring, rings)


def port_parts(played, inside):
    """What passes each port each way through switches, or between nodes."""
    counts = {}
    for step in played.steps:
        for src, dst, chunk, *_ in step:
            for end, rank in enumerate((src, dst)):
                key = max(src, dst) >= played.n, end, rank
                if rank < played.n:
                    counts[key] = counts.get(key, 0) + share(played, chunk)
    return [part for key, part in counts.items() if key[0] == inside]


CLAIMS = {
    r"One ring squeezes (.+) through one of (\d+) cables\.": one_ring,
    r"In (\d+) rings, or channels, each crosses at another GPU: (.+) a cable\.": ring_on_each,
    r"Most chunks cross it twice: as a partial sum, then finished\.": most_cross_twice,
    r"All (\d+) steps of a ring wait for the network; here, (\d+) of (\d+)\.": waits_for_network,
    r"But inside and network take turns here; the (\d+) rings use both at once\.": takes_turns,
    r"First add inside, and share (.+) per GPU: a cable carries (.+)\.": own_share,
    r"Add inside first: between two nodes each (.+) crosses once: (.+)\.": own_share_once,
    r"Add up inside nodes first, and each GPU keeps only (\S+)\.": node_adds,
    r"Say sums run round (\d+) rings over all GPUs; here is one\.": (
        lambda played, rings: int(rings) == played.recording.parameters["gpus"]
    ),
    r"Each GPU then sends (.+) over the network, in (\d+) steps\.": at_border,
    r"Two nodes: one sends (.+), the other sends it back; not (.+)\.": all_share,
    r"This crosses in (\d+) steps, up a tree of nodes and down: (.+)\.": (
        lambda played, steps, size: crosses_in_tree(played, size, steps)
    ),
    r"With (\d+) nodes, pairs become a tree: up in (\d+) steps\.": halves_sums,
    r"Then (\d+) more bring the total down: (\d+) steps; a ring takes (\d+)\.": trees_of_nodes,
    r"But a GPU above two others sends (.+); in a ring, (.+)\.": sends_to_two,
    r"The switch adds: (.+) on NVLink; a ring inside a node, (.+)\.": less_inside,
}
