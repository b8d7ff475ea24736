"""What crosses the busiest link of a tree of switches is counted anew, link by link."""

from collections import Counter
from itertools import pairwise

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.sheet import FILM
from animations.score.price import price_of
from animations.story.usual import usual_board
from animations.whys.uplink import uplink_of
from collectives import record
from collectives.algorithms.in_network import switch_tree
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.machines import topology
from collectives.cost.machines.usual import usual_machine

ROWS = [
    ("all_gather", "bruck", 7),
    ("all_gather", "ring", 5),
    ("all_gather", "pat", 8),
    ("all_gather", "ring", 6),
    ("all_gather", "pat", 4),
    ("all_reduce", "torus_2d", 16),
]


def crossed(recording):
    """Chunks over the busiest link of each step, together."""
    parent, total = switch_tree(recording.ranks, 2).tolist(), 0

    def up(node):
        return [node, *(up(parent[node]) if parent[node] >= 0 else [])]

    for step in recording.steps:
        rows, loads = step.unrolled(), Counter()
        for src, dst in zip(rows.src.tolist(), rows.dst.tolist(), strict=True):
            there, back = up(src), up(dst)
            top = next(node for node in there if node in back)
            way = [*there[: there.index(top) + 1], *back[: back.index(top)][::-1]]
            loads.update(pairwise(way))
        total += max(loads.values(), default=0)
    return total


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), ROWS)
def test_as_much_crosses_as_messages_that_are_routed_bring(collective, algorithm, ranks):
    recording = record(collective, algorithm, ranks=ranks)
    link = uplink_of(timed_as_run(recording, topology("switch-tree", ranks)))
    assert len(link.chunks) == crossed(recording)
    assert all(lit in pairwise(nodes) for _, nodes, lit in link.chunks)
    assert link.vectors == pytest.approx(crossed(recording) / recording.chunk_count)


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), [ROWS[0], ROWS[1], ROWS[5]])
def test_the_verdict_draws_both_on_the_tree_and_counts_them(collective, algorithm, ranks):
    """As many chunks lie below each tree as it says, and who ends first has the shorter time."""
    board = usual_board(record(collective, algorithm, ranks=ranks), sheet=FILM)
    price = price_of(board)
    own, rival = price.page.picture.elsewhere.trees.trees
    (_, mine, total, time_here), (_, its, its_total, time_there) = own, rival
    words = [word.strip(".") for word in price.page.sentences[-1].split()]
    assert price.crosses and {total, its_total} <= {*words}
    there = board.trade.others[0].there
    assert (mine.vectors < its.vectors) == (there.own.seconds < there.rival.seconds)
    room = price.page.room
    for time in (0.4, 1.0):
        drawn = price.page.picture.drawn(room, price.page.items, time)
        lanes = [box for box in drawn.boxes if box.box.y > room.bottom - 100]
        sides = [sum((box.box.x > room.x) == right for box in lanes) for right in (0, 1)]
        said = [line.text.split("/")[0] for line in drawn.lines if "/" in line.text]
        assert sides == list(map(int, said))
    assert sides == [len(mine.chunks), len(its.chunks)]
    assert [line.text for line in drawn.lines if line.text in (time_here, time_there)]


@pytest.mark.parametrize("machine", ["hgx-h100", "torus-2d"])
def test_no_tree_is_drawn_where_there_is_none(machine):
    ring = record("all_gather", "ring", ranks=4)
    assert uplink_of(timed_as_run(ring, topology(machine, 4))) is None


def test_far_first_is_shown_on_the_machine_that_it_is_for():
    recording = record("all_gather", "pat", ranks=8)
    assert usual_machine(recording).name == "switch-tree"
    said = price_of(usual_board(recording, sheet=FILM)).page.sentences
    assert "3 starts and 1.5 vectors" in said[0] or "1.5 vectors" in said[0]
    assert any(text.startswith("The ring:") for text in said), "which is faster for large vectors"
    assert any(text.startswith("Bruck:") for text in said)
