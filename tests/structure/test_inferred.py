"""The structure of any schedule is inferred: of the catalog's rows, as if they were one's own."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from each import each, row_title
from settings import STATED, THOROUGH, recorded, settings
from structures_by_hand import BY_HAND

from collectives import ROWS, load, pipelined, record, reduce, save, send, together, within
from collectives.algorithms.ring import ring_all_reduce
from collectives.algorithms.tree import tree_all_reduce
from collectives.structure import (
    Cube,
    Exchange,
    Groups,
    Line,
    Loose,
    Ring,
    Star,
    Switches,
    Torus,
    Tree,
    TwoTrees,
)
from collectives.structure.inference import inferred
from collectives.structure.traffic import Traffic

RANKS = (
    (5, 6, 7, 8, 9, 12, 16, 17) if THOROUGH else (5, 8, 12)
)  # on two, three and four ranks most links are those of a ring


NUMBERS = (1, 2, 3, 4, *RANKS)
STATED = [row for row in STATED if not row.promise.routed]  # whose links are those of its data
UNSTATED = [row for row in ROWS if not row.structure and row.title in BY_HAND]


def from_zero(structure):
    """A cube whose seats begin with rank 0: turned by a power of two it has the same links."""
    if not isinstance(structure, Cube) or len(structure.row) & (len(structure.row) - 1):
        return structure
    return replace(structure, row=tuple(rank ^ structure.row[0] for rank in structure.row))


def hidden(recording):
    """The recording without its row of the catalog."""
    return replace(recording, row=None)


@cache
def inferences(row):
    """The row in each setting: (setting, structure that is stated, structure that is inferred)."""
    found = [(s, recorded(row, s)) for s in settings(row, RANKS) if s.is_usual]
    return [(setting, one.structure, hidden(one).structure) for setting, one in found]


def as_inferred(row, setting):
    """The kinds that are inferred where they are not the stated one, and why."""
    given, ranks = setting.parameters, setting.ranks
    if setting.chunks == 1 and isinstance(row.structure(setting), TwoTrees):
        return Tree  # a single chunk takes one of two trees
    sides = [given[name] for name in ("gpus", "nodes", "rows", "columns") if name in given]
    if row.collective in ("all_gather", "reduce_scatter") and sides:
        return Torus if 1 < sides[0] < ranks else Ring  # rings both ways, in one phase
    if row.collective == "all_reduce" and sides:
        sides.append(ranks // int(np.prod(sides)))
        if sorted(sides)[-2] == 1:  # a machine of one node, or of nodes of one rank
            return {"leader": (Ring, Tree), "nvls-tree": (Switches, Loose, TwoTrees)}.get(
                row.algorithm, Ring
            )
        if row.algorithm in ("torus-2d", "torus-3d"):
            return Groups  # the same steps as hierarchical ones
    return None


@each("row", STATED, row_title)
def test_the_kind_that_is_inferred_is_the_one_that_is_stated(row):
    for setting, stated, found in inferences(row):
        expected = as_inferred(row, setting) or type(stated)
        assert isinstance(found, expected), (setting, found)


SAME = {  # but for what cannot be known, from 5 ranks on
    "three-level all-reduce",  # a rack of one node, and its like
    "leader all-reduce",  # a tree of three ranks is a star
    "nvls-tree all-reduce",  # two trees of two ranks are a ring
    "hierarchical all-to-all",  # whose groups are in no link
}


@each("row", STATED, row_title)
def test_what_is_inferred_is_all_that_is_stated(row):
    for setting, stated, found in inferences(row):
        if as_inferred(row, setting) is None and row.title not in SAME:
            assert found == stated, setting


@each("row", STATED, row_title)
def test_what_is_inferred_everywhere_is_not_stated(row, monkeypatch):
    stated = [recorded(row, setting).structure for setting in settings(row, NUMBERS)]
    monkeypatch.setitem(vars(row), "structure", None)
    assert [recorded(row, setting).structure for setting in settings(row, NUMBERS)] != stated


@each("row", UNSTATED, row_title)
def test_what_is_not_stated_is_inferred_as_it_is_drawn_by_hand(row):
    """Of few ranks, too, whose links other shapes have: they keep the kind that more ranks have."""
    for setting in settings(row, NUMBERS):
        if setting.channels > 1 and row.promise.rooted:
            continue  # chains side by side are no shape of their own
        recording = recorded(row, setting)
        by_hand = BY_HAND[row.title](setting)
        if setting.ranks > 1:
            assert from_zero(recording.structure) == from_zero(by_hand), setting
        assert setting.ranks > 1 or recording.structure in (Loose(()), by_hand)


def test_three_levels_are_groups_of_groups():
    for n, given in ((27, {}), (24, {"gpus": 4, "nodes": 3})):
        recording = record("all_reduce", "three-level", ranks=n, parameters=given)
        assert hidden(recording).structure == recording.structure
        assert isinstance(recording.structure.between, Groups)


def own(steps, ranks=8, collective="all_reduce", **more):
    return record(steps, collective=collective, ranks=ranks, **more).structure


def bare(recording):
    """The steps alone, as an import has them: no source, no groups."""
    return [
        replace(step, stamps=((),), origin=0 * step.origin, groups=()) for step in recording.steps
    ]


@pytest.mark.parametrize(
    ("name", "ranks", "found"),
    [
        ("hierarchical", 16, Torus((4, 4))),  # the links of both are those of a grid
        ("torus-3d", 27, Torus((3, 3, 3))),
        ("two-color-torus", 12, Torus((3, 4))),
        ("ring", 5, Ring(((0, 1, 2, 3, 4),))),
        ("torus-3d", 8, Cube(tuple(range(8)), ((1,), (2,), (4,), (4,), (2,), (1,)))),
    ],
)
def test_links_alone_tell_much(name, ranks, found):
    recording = record("all_reduce", name, ranks=ranks)
    assert own(bare(recording), ranks, slots=recording.chunk_count) == found


def test_ones_own_schedules():
    rank = np.arange(8)
    nodes = rank.reshape(2, 4)
    assert own(ring_all_reduce(8)) == Ring((tuple(range(8)),))
    assert own(within(nodes, ring_all_reduce(4))) == Loose(
        tuple(sorted((a, (a + 1) % 4 + a // 4 * 4) for a in range(8)))
    )
    gather = [reduce([1, 2, 3], 0), send(0, [1, 2, 3])]
    leaders = [*within(nodes, gather), *within([[0, 4]], ring_all_reduce(2))]
    assert own(leaders) == Groups(((0, 1, 2, 3), (4, 5, 6, 7)), Star((0,)), Ring(((0, 1),)), (0,))
    one, two = (tree_all_reduce(np.array(p)) for p in ([-1, 0, 0, 1, 1], [1, 2, -1, 2, 3]))
    trees = together(pipelined(one, [0, 1]), pipelined(two, [2]))
    assert own(trees, 5, slots=3) == TwoTrees(((-1, 0, 0, 1, 1), (1, 2, -1, 2, 3)), ((0, 1), (2,)))
    assert own([send(a, b) for a, b in pairwise((2, 0, 3, 1))], 4) == Line((2, 0, 3, 1))
    assert own([send(0, 1)], 4) == Loose(((0, 1),))
    assert own([], 4) == Loose(())


def test_rank_in_groups_that_are_not_all_ranks():
    """Groups of `within` that leave ranks out, or overlap, are no machine."""
    steps = [send(0, 1), send([1, 2], [2, 3])]
    assert isinstance(own(within([[0, 1, 2, 3], [3, 4, 5, 6]], steps), 7), Line)
    assert isinstance(own(within([[0, 1, 2, 3]], steps), 7), Loose)


def test_links_both_ways_are_a_ring_only_where_all_ranks_use_them_alike():
    exchange = record("all_gather", "neighbor-exchange", ranks=8)
    assert isinstance(hidden(exchange).structure, Cube)
    rank = np.arange(8)
    both = [reduce(rank, (rank + 1) % 8), reduce(rank, (rank - 1) % 8)]
    ring = Ring((tuple(range(8)), (0, *range(7, 0, -1))))
    assert own(both) == ring and own([*together(both[:1], both[1:])]) == ring


def test_switches_and_servers_are_told_apart_by_what_helpers_are():
    steps = [reduce(np.arange(4), 4), send(4, np.arange(4))]
    assert own(steps, 4, nodes=5, slots=1) == Switches((4, 4, 4, 4, -1))
    assert own(steps, 4, nodes=5, slots=1, helpers="server") == Star((4,))


def test_a_saved_recording_has_the_same_structure(tmp_path):
    nodes = np.arange(8).reshape(2, 4)
    steps = [*within(nodes, ring_all_reduce(4)), *within(nodes.T, ring_all_reduce(2))]
    recording = record(steps, collective="all_reduce", ranks=8)
    save(recording, tmp_path / "own.json")
    assert isinstance(recording.structure, Groups)
    assert load(tmp_path / "own.json").structure == recording.structure


def test_groups_of_a_damaged_file_do_no_harm():
    step = replace(send([0, 1], [1, 0]), groups=(((0, 99), (5, 5)),))
    traffic = Traffic(2, 2, [step])
    assert inferred(traffic) == Ring(((0, 1),))
    step = replace(send([0, 1], [1, 0]), groups=(((0,), (1,)),))
    assert inferred(Traffic(2, 2, [step])) == Ring(((0, 1),))


def test_all_pairs_of_many_ranks_are_a_star_of_all():
    n = 400
    rank = np.arange(n)
    src, dst = np.nonzero(rank[:, None] != rank)
    assert inferred(Traffic(n, n, [send(src, dst)])) == Star(tuple(range(n)))
    most = src + dst != 1
    some = inferred(Traffic(n, n, [send(src[most], dst[most])]))
    assert isinstance(some, Loose) and len(some.links) == n * (n - 1) - 2


def test_blocks_are_an_exchange():
    assert isinstance(hidden(record("all_to_all", "bruck", ranks=6)).structure, Exchange)
