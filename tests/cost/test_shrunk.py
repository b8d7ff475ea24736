"""A communicator that shrinks: what the ranks that remain run, by hand and for every choice."""

from itertools import combinations

import numpy as np
import pytest
from each import each

from collectives import BadInput, lockstep, record, shrunk, topology
from collectives.catalog import ROWS
from collectives.cost.shrunk_machine import nodes_of, uneven_rings, without_ranks
from collectives.proof.prove import prove

ALPHA, RATE, SIZE = 5e-6, 50e9, 84_000_000
NIC = 50e9
RINGS = [("all_reduce", 2), ("all_gather", 1), ("reduce_scatter", 1)]


def ring(ranks=16, name="all_reduce"):
    return record(name, "ring", ranks=ranks)


def test_a_ring_before_and_after_by_hand():
    found = shrunk(ring(4), [1], "crossbar", size=SIZE)
    assert found.before.total == pytest.approx(6 * (ALPHA + SIZE / 4 / RATE))
    assert found.after.total == pytest.approx(4 * (ALPHA + SIZE / 3 / RATE))
    assert found.verdict and found.gone == (1,) and not found.idle and not found.refused
    assert "renumbered" in "\n".join(map(str, found.lines()))


def test_the_machine_keeps_its_links():
    """Of a ring machine without rank 1 the way from 0 to 2, now 1, is two links long."""
    plain = topology("ring", 4)
    less = without_ranks(plain, [1])
    assert less.links == plain.links and less.ranks == 3
    assert [less.label(node) for node in range(4)] == [
        "rank 0",
        "rank 1",
        "rank 2",
        "removed rank 0",
    ]
    assert less.paths([0], [1]).link.tolist() == plain.paths([0], [2]).link.tolist()
    assert lockstep(ring(3), less).total > lockstep(ring(3), topology("ring", 3)).total


@pytest.mark.parametrize(("name", "rounds"), RINGS)
def test_a_card_falls_idle_and_the_others_share_its_load(name, rounds):
    """16 ranks in 8 channels; 15 in 7, as the smaller node has 7 ranks."""
    size = 16 * 15 * 56 * 1000
    found = shrunk(ring(name=name), [3], "cluster", size=size)
    before = rounds * 15 * (2e-6 + size / 16 / 8 / NIC)
    after = rounds * 14 * (2e-6 + size / 15 / 7 / NIC)
    assert (found.before.total, found.after.total) == pytest.approx((before, after))
    assert found.idle == ("NIC 3",)
    values = found.as_json()
    assert (values["before"]["channels"], values["after"]["channels"]) == (8, 7)


def test_one_rank_of_each_node_leaves_channels_of_the_catalog():
    found = shrunk(ring(), [3, 11], "cluster", size=SIZE)
    assert found.after.recording.row is not None
    assert found.after.recording.setting.channels == 7
    assert found.idle == ("NIC 3", "NIC 11") and "on 2 x 7 H100" in found.library


def test_without_a_node_all_stays_inside_the_other():
    found = shrunk(ring(), range(8, 16), "cluster", size=SIZE)
    alone = lockstep(record("all_reduce", "ring", ranks=8, count=SIZE, dtype="uint8"),
                     topology("hgx-h100", 8))  # fmt: skip
    assert found.after.total == pytest.approx(alone.total)
    assert {"NIC 0", "NIC 15", "leaf switch 0", "node switch 1"} <= {*found.idle}


def test_nodes_of_unlike_sizes_whose_ranks_fill_nodes_have_no_channels_of_the_catalog():
    """5 + 3 of 24 ranks leave 16, as many as two whole nodes."""
    gone = [8, 9, 10, 16, 17, 18, 19, 20]
    found = shrunk(ring(24), gone, "cluster", size=SIZE)
    assert found.as_json()["after"]["channels"] == 3
    trees = record("all_reduce", "double-binary-tree", ranks=24)
    assert shrunk(trees, gone, "cluster", size=SIZE).as_json()["after"]["channels"] == 1


@each("words", [("all_reduce", "double-binary-tree"), ("broadcast", "ring")])
def test_where_only_one_channel_is_modeled_both_times_are_of_one(words):
    given = record(*words, ranks=16)
    found = shrunk(given, [3], "cluster", size=SIZE)
    values = found.as_json()
    assert (values["before"]["channels"], values["after"]["channels"]) == (1, 1)
    assert "1 in both times" in "\n".join(map(str, found.lines()))
    found = shrunk(given, [3, 11], "cluster", size=SIZE)
    assert found.as_json()["after"]["channels"] == 7
    assert "1 in both times" not in "\n".join(map(str, found.lines()))


@each("name", [name for name, _ in RINGS])
def test_rings_on_uneven_nodes_are_right_whoever_leaves(name):
    machine = topology("cluster", 9, gpus=3)
    made = 0
    for gone in (g for k in (1, 2, 3) for g in combinations(range(9), k)):
        left = np.delete(np.arange(9), gone)
        run = uneven_rings(ring(len(left), name), machine, left)
        if run is None:
            continue
        made += 1
        assert prove(run), gone
        nodes = [node.tolist() for node in nodes_of(machine, left)]
        of = {rank: at for at, node in enumerate(nodes) for rank in node}
        out = {s for s, d in run.counters.links.tolist() if of[s] != of[d]}
        assert all(len(out & {*node}) >= min(map(len, nodes)) for node in nodes)
    assert made > 20


def test_what_does_not_accept_the_new_number_says_so():
    given = record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 8})
    found = shrunk(given, [3], "cluster", size=SIZE)
    assert "divisor" in found.refused and "15 ranks" in found.refused
    assert found.after.recording.algorithm == "ring"
    assert repr(found).startswith("<Shrunk: hierarchical ") and "\n" not in repr(found)


def test_the_fold_beyond_a_power_of_two_is_named():
    doubling = record("all_reduce", "recursive-doubling", ranks=8)
    found = shrunk(doubling, [3], size=SIZE)
    assert found.as_json()["folded"] == [0, 2, 4]
    assert found.after.total > found.before.total
    assert not shrunk(doubling, [4, 5, 6, 7], size=SIZE).as_json()["folded"]
    assert not shrunk(ring(8), [3], size=SIZE).as_json()["folded"]


@each("name", ["tree", "double-binary-tree", "leader", "linear", "flat"])
def test_ranks_that_rest_on_a_power_of_two_too_are_no_fold(name):
    """Leaves of a tree rest whatever the number of ranks is."""
    found = shrunk(record("all_reduce", name, ranks=16), [3, 5], size=SIZE)
    assert found.as_json()["folded"] == []
    assert "no power of two" not in "\n".join(map(str, found.lines()))


def test_channels_that_the_new_number_refuses_are_left_out_and_the_algorithm_stays():
    given = record("all_reduce", "ring", ranks=8, parameters={"channels": 4})
    found = shrunk(given, [3], "hgx-h100", size=SIZE)
    assert (found.after.recording.algorithm, found.as_json()["after"]["channels"]) == ("ring", 1)
    text = "\n".join(map(str, found.lines()))
    assert "channels 4: must be a divisor" in text and "ring all-reduce runs without it" in text


def test_the_root_is_renumbered():
    tree = record("broadcast", "tree", ranks=8, root=5)
    found = shrunk(tree, [0, 3], size=SIZE)
    assert found.after.recording.root == 3
    with pytest.raises(BadInput, match="rank 5 is the root"):
        shrunk(tree, [5])


@each("row", [row for row in ROWS if row.accepts(8)], lambda row: row.title, few=20)
def test_every_row_shrinks_or_says_why_not(row):
    recording = record(row.collective, row.algorithm, ranks=8)
    found = shrunk(recording, [6])
    assert found.verdict is not None and found.after.recording.ranks == 7
    assert bool(found.refused) == (not row.accepts(7, recording.given))
    assert list(map(str, found.lines())) and found.as_json()["correct"]
