"""The structure of a row is that of the links which are executed, and no other is."""

from dataclasses import replace

import pytest
from each import each, row_title
from settings import STATED, THOROUGH, recorded, settings

from collectives import ROWS, record
from collectives.structure import (
    Cube,
    Exchange,
    Groups,
    Line,
    Loose,
    Ring,
    RoutedGroups,
    Star,
    Switches,
    Torus,
    Tree,
    TwoTrees,
)

RANKS = (2, 3, 4, 5, 6, 8, 9, 12, 16, 17) if THOROUGH else (2, 3, 5, 8, 12)


def reparented(parent):
    """A tree in which one node hangs below another node, or below none."""
    node = max(v for v, above in enumerate(parent) if above >= 0)
    return (*parent[:node], -1, *parent[node + 1 :])


def wrong(structure):
    """Statements that are nearly right; none where two nodes have all that one can say."""
    match structure:
        case Ring(((_, _) | (_,), *_)) | TwoTrees(((_, _), _)) | Groups(((_,) | (_, _, _),)):
            return
        case Ring(orders, parent):
            yield replace(structure, orders=tuple(order[::-1] for order in orders[:1]))
            first = orders[0]
            yield replace(structure, orders=((first[1], first[0], *first[2:]), *orders[1:]))
            yield replace(structure, orders=orders[:1] if orders[1:] else (*orders, first[::-1]))
            yield replace(structure, parent=reparented(parent) if parent else (-1, 0) * 4)
        case Tree(parent) | Switches(parent):
            yield replace(structure, parent=reparented(parent))
            yield replace(structure, parent=(*parent[1:], parent[0]))
        case TwoTrees(parents, chunks):
            yield replace(structure, chunks=chunks[::-1])
            yield replace(structure, chunks=(chunks[0], chunks[1][1:]))
            yield replace(structure, parents=(parents[0], parents[0]))
            yield replace(structure, parents=(reparented(parents[0]), parents[1]))
        case Cube(row, distances, folded):
            yield replace(structure, distances=distances[1:])
            yield replace(structure, distances=(*distances[:-1], (len(row) - 1,)))
            yield replace(structure, distances=((1, 2), *distances[1:]))
            if len(set(distances)) > 1:
                yield replace(structure, distances=(*distances[1:], distances[0]))
            if folded:
                yield replace(structure, folded=folded[:-1])
                yield replace(structure, folded=tuple(pair[::-1] for pair in folded))
        case RoutedGroups(members):
            yield replace(structure, members=(members[0][::-1], *members[1:]))
            yield replace(structure, members=members[:-1])
        case Groups(members, inside, between, rails):
            yield replace(structure, rails=rails[:-1])
            yield replace(structure, members=(members[0][::-1], *members[1:]))
            yield replace(structure, members=members[:-1])
            yield from (replace(structure, inside=other) for other in wrong(inside))
            yield from (replace(structure, between=other) for other in wrong(between))
        case Torus(shape):
            yield Torus((*shape[1:], shape[0]))
            yield Torus((shape[0] * shape[1], *shape[2:]))
        case Line(order):
            yield Line(order[::-1])
            yield Line((*order[2:], *order[:2]))
        case Star(hubs):
            yield Star((1,) if hubs != (1,) else (0,))
            if len(hubs) < 6:
                yield Star(hubs[1:])
                yield Star((*hubs, 1))
        case Exchange(groups):
            if groups:
                yield Exchange((groups[0][::-1], *groups[1:]))
                yield Exchange(groups[1:])
        case Loose(links):
            yield Loose(links[1:])
            yield Loose((*links, (0, 7)))


@each("row", ROWS, row_title, few=20)
def test_all_links_of_the_structure_are_in_use_and_no_others(row):
    for setting in settings(row, RANKS):
        recording = recorded(row, setting)
        assert hash(recording.structure) == hash(recorded(row, setting).structure)
        assert recording.structure.agrees(recording.traffic), (setting, recording.structure)


@each("row", ROWS, row_title)
def test_another_structure_disagrees_with_the_links(row):
    """What is nearly right is refused; a torus of equal sides may be turned."""
    for n, root in ((8, 0), (6, 2)):
        if not row.accepts(n):
            continue
        recording = recorded(row, row.setting(n, root if row.promise.rooted else 0))
        for other in wrong(recording.structure):
            if not same(other, recording.structure):
                assert not other.agrees(recording.traffic), (n, other)


def same(one, other):
    """Whether two structures have the same links."""
    if one == other:
        return True
    match one, other:
        case Torus(a), Torus(b):
            sides = [[side for side in shape if side > 1] for shape in (a, b)]
            return sides[0] == sides[1]
        case Loose(a), Loose(b):
            return set(a) == set(b)
        case Ring(a), Ring(b):
            return one.parent == other.parent and sorted(a) == sorted(b)
    return False


@each("row", STATED, row_title)
def test_structures_are_made_for_one_rank_and_for_many(row):
    assert row.structure(row.setting(1)) is not None
    n = next(n for n in (1000, 1024) if row.accepts(n))
    assert row.structure(row.setting(n)) is not None


@each("row", ROWS, row_title)
def test_a_row_need_not_state_its_structure(row, monkeypatch):
    monkeypatch.setitem(vars(row), "structure", None)
    for n in filter(row.accepts, (5, 8)):
        recording = recorded(row, row.setting(n))
        assert recording.row is row and recording.structure.agrees(recording.traffic), n


@pytest.mark.parametrize(
    ("name", "also"),
    [
        (
            "ring",
            {
                *("ring all-gather", "ring reduce-scatter", "textbook-ring all-reduce"),
                *("all-gather dispatch", "reduce-scatter combine"),
            },
        ),
        (
            "rabenseifner",  # 2 x 2 x 2 ranks are a cube
            {
                *("rabenseifner reduce", "bcube all-reduce"),
                *("three-level all-reduce", "torus-3d all-reduce"),
                *("half-fold all-reduce", "half-fold reduce"),
            },
        ),
        (
            "hierarchical",
            {
                *("hierarchical all-gather", "hierarchical reduce-scatter"),
                *("torus-2d all-reduce", "two-color-torus all-reduce"),
            },
        ),
        ("bidirectional-ring", {"neighbor-exchange all-gather", "halo-exchange send-recv"}),
        ("double-binary-tree", set()),
        ("sharp", set()),
    ],
)
def test_links_tell_families_apart_but_for_known_coincidences(name, also):
    mine = record("all_reduce", name, ranks=8)
    agreed = {
        row.title
        for row in ROWS
        if row.accepts(8)
        and not row.promise.in_blocks
        and mine.structure.agrees(recorded(row, row.setting(8)).traffic)
    }
    assert agreed == {mine.title, *also}


def test_what_stands_for_a_family():
    """A sample, as one would draw it by hand."""
    kinds = {
        ("all_reduce", "bidirectional-ring", 4): Ring(((0, 1, 2, 3), (0, 3, 2, 1))),
        ("broadcast", "tree", 6): Tree((-1, 0, 0, 2, 0, 4)),
        ("all_reduce", "recursive-doubling", 5): Cube(
            (1, 2, 3, 4), ((), (1,), (2,), ()), ((0, 1),)
        ),
        ("all_gather", "bruck", 6): Cube(tuple(range(6)), ((1,), (2,), (2,)), (), circular=True),
        ("all_reduce", "leader", 4): Groups(((0, 1), (2, 3)), Tree((-1, 0)), Ring(((0, 1),)), (0,)),
        ("all_reduce", "torus-3d", 12): Torus((2, 2, 3)),
        ("all_reduce", "nvls", 3): Switches((3, 3, 3, -1)),
        ("all_reduce", "sharded-parameter-server", 3): Star((3, 4)),
        ("scan", "chain", 3): Line((0, 1, 2)),
        ("all_to_all", "hierarchical", 4): Exchange(((0, 1), (2, 3))),
        ("send_recv", "ping-pong", 3): Loose(((0, 1), (1, 0))),
    }
    for (collective, name, n), expected in kinds.items():
        assert record(collective, name, ranks=n).structure == expected
