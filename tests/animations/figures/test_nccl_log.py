"""The drawing of an NCCL log: an arrow for each pair next in a ring, in the way it is connected."""

from pathlib import Path

import pytest
from each import each

from animations.drawing.theme import LIGHT
from animations.figures.nccl_log import (
    DIRECT,
    P2P,
    ROOM,
    SHARED,
    SOCKET,
    STAGED,
    UNKNOWN,
    draw,
    way_of,
)
from collectives.errors import BadInput
from collectives.formats.nccl_log import read_log
from collectives.formats.nccl_log.log import parse_log

FOLDER = Path(__file__).parents[2] / "data" / "nccl_logs"


def sample(name):
    """The log of a sample."""
    return read_log(FOLDER / f"{name}.log")


def marks(page, kind):
    """What is drawn of a kind, by its name."""
    found = {artist.get_gid(): artist for axes in page.axes for artist in axes.get_children()}
    return {gid: artist for gid, artist in found.items() if gid and gid.startswith(kind)}


def words(page):
    """All text on a page."""
    texts = [*page.texts, *(text for axes in page.axes for text in axes.texts)]
    return " ".join(
        text.get_text().replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ") for text in texts
    )


@pytest.fixture(scope="module")
def page():
    """The rings of two nodes, drawn."""
    return draw(sample("infiniband_2x4"))


def test_an_arrow_goes_from_each_rank_to_the_next(page):
    order = (0, 2, 5, 7, 4, 6, 1, 3)
    wanted = {f"edge-{a}-{b}" for a, b in zip(order, (*order[1:], 0), strict=True)}
    assert marks(page, "edge").keys() == wanted


def test_a_connection_over_the_network_looks_different(page):
    arrows = marks(page, "edge")
    network = {arrows[name].get_facecolor() for name in ("edge-2-5", "edge-6-1")}
    inside = {arrows[name].get_facecolor() for name in arrows} - network
    assert len(network) == len(inside) == 1


def test_ranks_are_in_the_box_of_their_node_and_do_not_touch(page):
    seats = {
        int(gid[5:]): mark.get_path().get_extents() for gid, mark in marks(page, "rank").items()
    }
    assert sorted(seats) == list(range(8))
    assert all(seats[rank].x1 < 674 for rank in range(4))
    assert all(seats[rank].x0 > 674 for rank in range(4, 8))
    for one in seats:
        assert not any(seats[one].overlaps(seats[other]) for other in seats if other != one)


def test_the_title_and_the_legend_count(page):
    assert words(page).startswith(
        "NCCL's ring of 8 ranks on 2 nodes: 6 from GPU to GPU and 2 over the network"
    )
    assert "P2P: 6" in words(page) and "Network: 2" in words(page)
    assert "Few channels, 2" in words(page)


def test_the_tree_is_drawn_from_children_to_parents():
    log = sample("infiniband_2x4")
    arrows = marks(draw(log, "tree", LIGHT), "edge")
    both = {
        f"edge-{child}-{parent}"
        for parents in log.largest.trees.values()
        for child, parent in enumerate(parents)
        if parent >= 0
    }
    assert arrows.keys() == both


def test_ranks_without_a_line_are_set_apart():
    page = draw(sample("rings_2x8"))
    assert "host not named" in words(page)
    gids = [artist.get_gid() for axes in page.axes for artist in axes.get_children()]
    dashed = {name for name in marks(page, "rank") if gids.count(name) > 1}  # box and border apart
    assert dashed == {f"rank-{rank}" for rank in range(8, 16)}


@each(
    ("via", "way"),
    [
        ("P2P/CUMEM", P2P),
        ("SHM/direct/direct", SHARED),
        ("NET/IB/0/GDRDMA", DIRECT),
        ("NET/IB/0", STAGED),
        ("NET/Socket/0", SOCKET),
    ],
)
def test_the_way_of_a_connection(via, way):
    one = parse_log(f"h:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[0] via {via}".encode()).largest
    assert way_of(one, (0, 1)) == way_of(one, (1, 0)) == way
    assert way_of(one, (0, 2)) == UNKNOWN


def test_of_several_connections_the_slowest_is_drawn():
    lines = [f"h:1:2 [0] NCCL INFO Channel 00 : 0 -> 1 via {via}" for via in ("SHM", "P2P/IPC")]
    assert way_of(parse_log("\n".join(lines).encode()).largest, (0, 1)) == SHARED


def made(nodes, per_node):
    """The log of one ring over so many nodes."""
    ranks = nodes * per_node
    ring = [((r - 1) % ranks, r, (r + 1) % ranks) for r in range(ranks)]
    lines = [
        f"h{r // per_node}:{r}:1 [0] NCCL INFO Ring 00 : {before} -> {r} -> {after}"
        for before, r, after in ring
    ]
    return parse_log("\n".join(lines).encode())


@each(("nodes", "per_node"), [(1, 2), (3, 5), (16, 8), (2, 64), (5, 1)])
def test_no_ranks_touch_on_any_number_of_nodes(legible, nodes, per_node):
    page = draw(made(nodes, per_node))
    legible(page)
    seats = [mark.get_path().get_extents() for mark in marks(page, "rank").values()]
    assert len(seats) == nodes * per_node
    for k, seat in enumerate(seats):
        assert not any(seat.overlaps(other) for other in seats[:k])
        assert ROOM.left <= seat.x0 < seat.x1 <= ROOM.right
        assert ROOM.top <= seat.y0 < seat.y1 <= ROOM.bottom


def test_ranks_too_small_for_their_numbers_are_named_by_node():
    shown = words(draw(made(16, 8)))
    assert "h3 · 24-31" in shown


@each(("nodes", "per_node"), [(1, 129), (17, 2)])
def test_what_is_too_large_is_refused(nodes, per_node):
    with pytest.raises(BadInput, match="at most 128 on 16 can be drawn"):
        draw(made(nodes, per_node))


@each("name", ["nvlink_8", "roce_host_memory", "sockets_2x8", "shm_8", "tuner_2_30"])
def test_the_drawing_of_a_sample_is_legible(legible, name):
    legible(draw(sample(name), theme=LIGHT))


@each("name", ["stuck_2x2", "tuner_numbers"])
def test_a_log_without_connections_is_refused(name):
    with pytest.raises(BadInput, match="no whole ring and no connection"):
        draw(sample(name))
