"""Channels: every ring has a share of the data, and enters and leaves nodes elsewhere."""

from collections import Counter
from math import ceil

import pytest
from machines import divisors
from promises import RANKS, Run, algorithms, keep, name, named

from collectives import WrongSchedule, check, record, send, within
from collectives.algorithms import ring, ring_channels, tree
from collectives.catalog import find_row

ONE_RING = {
    ring_channels.rings_all_reduce: ring.ring_all_reduce,
    ring_channels.rings_reduce_scatter: ring.ring_reduce_scatter,
    ring_channels.rings_all_gather: ring.ring_all_gather,
}
WAYS = [(n, channels) for n in RANKS for channels in divisors(n)]
FEWER = [(n, channels, gpus) for n, gpus in WAYS for channels in range(1, gpus)]


def orders(n, channels, gpus):
    """The order of each ring, counted out: into each node where its share begins, and round."""
    return [
        [
            node + (ceil(channel * gpus / channels) + k) % gpus
            for node in range(0, n, gpus)
            for k in range(gpus)
        ]
        for channel in range(channels)
    ]


def one_ring(run):
    """Each step of one ring on as many ranks: who adds or writes, in places, with chunks."""
    return Run(ONE_RING[run.function], run.n).steps


def side_by_side(slot):
    """Whether each channel has all rows of one ring and no others, with its own slots."""

    def holds(run):
        n, channels, gpus = run.n, run.given["channels"], run.given["gpus"]
        for step, plain in zip(run.steps, one_ring(run), strict=True):
            expected = {
                (order[row.src], order[row.dst], slot(n, channels, channel, order, row.chunk))
                for channel, order in enumerate(orders(n, channels, gpus))
                for row in plain
            }
            if {(row.src, row.dst, row.chunk) for row in step} != expected:
                return False
            if {row.adds for row in step} != {row.adds for row in plain}:
                return False
        return all(run.last[cell] == run.whole(cell[1]) for cell in sums(run))

    return holds


def sums(run):
    """The cells that must hold a sum: none of an all-gather, those that are owned, or all."""
    if run.function is ring_channels.rings_all_gather:
        return []
    owned = run.function is ring_channels.rings_reduce_scatter
    return [
        (rank, chunk)
        for rank in range(run.n)
        for chunk in range(run.chunk_count)
        if not owned or chunk // run.given["channels"] == rank
    ]


def of_the_vector(n, channels, channel, order, chunk):
    return n * channel + chunk


def of_a_ranks_chunk(n, channels, channel, order, chunk):
    return channels * order[chunk] + channel


CHUNKS = 3


def from_root(order, root, gpus, plain):
    """A chain goes round from the root; trees take the others from the root's node on."""
    if plain is tree.double_binary_tree_all_reduce:
        return order
    trees = plain in (tree.double_tree_broadcast, tree.double_tree_reduce)
    first = root // gpus * gpus if trees else order.index(root)
    others = order[first:] + order[:first]
    others.remove(root)
    return [root, *others]


def one_pipeline(run):
    """The same rows in each channel, with chunks of its own, from the root of the run on."""
    n, gpus, plain = run.n, run.given["gpus"], PIPELINES[run.function]
    rows = [set() for _ in run.steps]
    for channel, order in enumerate(orders(n, run.given["channels"], gpus)):
        ranks = from_root(order, run.root, gpus, plain)
        for step, of_one in zip(
            rows, Run(plain, n, chunks=CHUNKS, chunk_count=CHUNKS).steps, strict=True
        ):
            step |= {
                (ranks[row.src], ranks[row.dst], CHUNKS * channel + row.chunk, row.adds)
                for row in of_one
            }
    return rows == [{(row.src, row.dst, row.chunk, row.adds) for row in step} for step in run.steps]


PIPELINES = {
    ring_channels.chains_down: ring.ring_broadcast,
    ring_channels.chains_up: ring.ring_reduce,
    ring_channels.trees_all_reduce: tree.double_binary_tree_all_reduce,
    ring_channels.trees_down: tree.double_tree_broadcast,
    ring_channels.trees_up: tree.double_tree_reduce,
}
PROMISES = {
    "In each channel a ring adds and gathers a share of the vector.": side_by_side(of_the_vector),
    "In each channel a ring adds a share of every rank's chunk.": side_by_side(of_a_ranks_chunk),
    "In each channel a ring passes on a share of every rank's chunk.": side_by_side(
        of_a_ranks_chunk
    ),
    "In each channel a share of the vector runs along a chain from the root.": one_pipeline,
    "In each channel sums of a share of the vector run along a chain to the root.": one_pipeline,
    "In each channel two trees of the rotated ranks sum a share of the vector.": one_pipeline,
    "In each channel a share goes down two trees of the other ranks.": one_pipeline,
    "In each channel sums of a share go up two trees of the other ranks.": one_pipeline,
}


@pytest.mark.parametrize("function", algorithms(ring_channels), ids=name)
def test_the_docstrings_promise_is_kept(function):
    pipelined = {"chunks": CHUNKS} if function in PIPELINES else {}
    if pipelined:
        pipelined["collective"] = named(PIPELINES[function])
    for n, channels, gpus in [*((n, gpus, gpus) for n, gpus in WAYS), *FEWER[::7]]:
        pipelined["chunk_count"] = channels * (CHUNKS if function in PIPELINES else n)
        keep(function, PROMISES, [n], channels=channels, gpus=gpus, **pipelined)


DOUBLE = "double-binary-tree"


def test_closed_forms_of_pipelines_in_channels_are_the_executed_counts():
    """Messages, too, which chunks of several channels share."""
    every = (
        ("broadcast", "ring"),
        ("all_reduce", DOUBLE),
        ("broadcast", DOUBLE),
        ("reduce", DOUBLE),
    )
    for collective, algorithm in every:
        form = find_row(collective, algorithm).form
        for n, channels, chunks in ((4, 2, 3), (6, 3, 2), (8, 8, 5), (12, 4, 1), (16, 8, 4)):
            given = {"chunks": chunks, "parameters": {"channels": channels}}
            run = record(collective, algorithm, ranks=n, count=chunks * channels, **given)
            busiest = max(run.bytes_sent)
            assert run.counters.steps == form.step_count(run.case)
            assert run.counters.messages == form.message_count(run.case)
            assert form.sent_range(run.case) == (busiest, busiest)


def test_every_rank_of_a_node_is_where_one_ring_enters_and_another_leaves():
    """So that all network cards of a node work, each in both directions for one channel."""
    for n, channels in WAYS:
        rings = ring_channels.rotated_rings(n, channels, channels).tolist()
        assert rings == orders(n, channels, channels)
        crossing = Counter(
            (end, rank)
            for order in rings
            for pair in zip(order, order[1:] + order[:1], strict=True)
            if pair[0] // channels != pair[1] // channels
            for end, rank in zip(("out", "in"), pair, strict=True)
        )
        many = [(end, rank) for end in ("out", "in") for rank in range(n)]
        assert crossing == (dict.fromkeys(many, 1) if channels < n else {})


@pytest.mark.parametrize("collective", ["all_reduce", "reduce_scatter", "all_gather"])
def test_any_number_of_channels_is_proved_with_even_and_uneven_shares(collective):
    for channels in (2, 3, 4, 8):
        for n in (channels, 2 * channels, 3 * channels):
            for count in (2 * n * channels, n * channels + n // 2 + 1, 3):
                recording = record(
                    collective, "ring", ranks=n, parameters={"channels": channels}, count=count
                )
                assert recording.check(), (n, channels, count)
                assert recording.title == f"ring {recording.collective.title}"


def test_one_channel_is_the_ring_of_the_textbook():
    for collective in ("all_reduce", "reduce_scatter", "all_gather"):
        plain = record(collective, "ring", ranks=6)
        said = record(collective, "ring", ranks=6, parameters={"channels": 1})
        assert [str(step) for step in plain.steps] == [str(step) for step in said.steps]
        assert plain.parameters == said.parameters == {} and said.given == {"channels": 1}


def test_a_chunk_may_have_a_slot_of_its_own_in_each_row_of_within():
    (step,) = within([[0, 1], [1, 0]], [send([0, 1], [1, 0], [0, 1])], [[3, 5], [4, 0]])
    assert str(step) == "0→1 =3   1→0 =5   1→0 =4   0→1 =0"
    with pytest.raises(WrongSchedule, match="slot 2 of a row of 2 chunks"):
        list(within([[0, 1]], [send(0, 1, 2)], [[3, 5]]))


def test_a_wrong_rotation_is_found():
    """Rings that enter at their channel's place but leave a rank out move data twice."""

    def skewed_all_reduce(n):
        rings = ring_channels.rotated_rings(n, 2, 2)
        rings[1] = rings[0]
        rings[1, 0] = rings[1, 1]
        yield from within(rings, ring.ring_all_reduce(n), [0, n])

    assert not check(skewed_all_reduce, slots=lambda n: 2 * n, ranks=(4, 6))
