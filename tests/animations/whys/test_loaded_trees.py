"""What crosses the busiest link of a tree of switches is counted anew, message by message."""

import re
from collections import Counter
from itertools import pairwise

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.sheet import FILM
from animations.score.price import price_of
from animations.story.usual import usual_board
from animations.whys.loaded_trees import BEGINS
from animations.whys.uplink import uplink_of
from collectives import record
from collectives.algorithms.in_network import switch_tree
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.machines import topology
from collectives.cost.machines.usual import usual_machine

ROWS = [
    ("all_gather", "bruck", 7),
    ("all_gather", "ring", 5),
    ("all_gather", "sparbit", 8),
    ("all_reduce", "bruck", 7),
]


def crossed(recording):
    """Chunks over the busiest link, in all steps together, and the ranks behind it."""
    parent, loads = switch_tree(recording.ranks, 2).tolist(), Counter()

    def up(node):
        return [node, *(up(parent[node]) if parent[node] >= 0 else [])]

    for step in recording.steps:
        rows = step.unrolled()
        for src, dst in zip(rows.src.tolist(), rows.dst.tolist(), strict=True):
            there, back = up(src), up(dst)
            top = next(node for node in there if node in back)
            way = [*there[: there.index(top) + 1], *back[: back.index(top)][::-1]]
            loads.update(pairwise(way))
    most = max(loads.values())
    lower = {min(link) for link, load in loads.items() if load == most}
    return most, [{rank for rank in range(recording.ranks) if at in up(rank)} for at in lower]


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), ROWS)
def test_the_link_that_is_lit_is_the_busiest(collective, algorithm, ranks):
    recording = record(collective, algorithm, ranks=ranks)
    _, behind, _ = uplink_of(timed_as_run(recording, topology("switch-tree", ranks)))
    assert {*behind} in crossed(recording)[1]


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), ROWS)
def test_a_verdict_draws_both_on_the_tree_and_counts_what_passes(collective, algorithm, ranks):
    board = usual_board(record(collective, algorithm, ranks=ranks), sheet=FILM)
    price = price_of(board)
    there, picture = board.trade.others[0].there, price.page.picture
    trees = picture.elsewhere.trees.trees
    assert price.crosses and [tree[2] for tree in trees] == [
        cost.time for cost in picture.elsewhere.costs
    ]
    counted = []
    for (tree, *_), side in zip(trees, (there.own, there.rival), strict=True):
        recording = side.uplink.value[2]
        counted.append(crossed(recording)[0] / recording.chunk_count)
        assert tree.traffic[0].busier == pytest.approx(counted[-1])
    said = re.fullmatch(r".*[,:] (\S+) vectors(?: in turn)?, not (\S+)\.", price.page.sentences[-1])
    assert [*map(float, said.groups())] == pytest.approx(sorted(counted), abs=0.005)
    drawn = picture.drawn(price.page.room, price.page.items, 1.0)
    assert {lasts for *_, lasts in trees} <= {line.text for line in drawn.lines}


def test_as_much_passes_both_links_in_as_much_time():
    """So who passes less has ended while the other one still sends."""
    page = price_of(usual_board(record("all_gather", "bruck", ranks=7), sheet=FILM)).page
    counts = []
    for time in (BEGINS, 0.322, 0.465, 0.608):
        texts = [line.text for line in page.picture.drawn(page.room, page.items, time).lines]
        counts.append([int(text.split("/")[0]) for text in texts if "/7" in text])
    assert counts == [[], [3, 2], [5, 5], [11, 6]], "in turn, as all of a step comes at its end"


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), ROWS)
def test_a_chunk_is_as_wide_below_both_trees(collective, algorithm, ranks):
    """So who passes more has the longer row."""
    page = price_of(usual_board(record(collective, algorithm, ranks=ranks), sheet=FILM)).page
    drawing = page.picture.drawn(page.room, page.items, 1.0)
    low = max(box.box.bottom for box in drawing.boxes)
    lowest = [box.box for box in drawing.boxes if box.box.bottom == pytest.approx(low)]
    assert {box.right > page.room.x for box in lowest} == {False, True}, "on both sides"
    assert len({round(box.width, 3) for box in lowest}) == 1


def test_what_no_link_of_a_tree_carries_alone_is_not_said():
    """The torus loads links near ranks in some steps, and far ones in others."""
    page = price_of(usual_board(record("all_reduce", "torus_2d", ranks=16), sheet=FILM)).page
    assert not any("switch tree" in text for text in page.sentences)


@pytest.mark.parametrize("machine", ["hgx-h100", "torus-2d"])
def test_no_tree_is_drawn_where_there_is_none(machine):
    ring = record("all_gather", "ring", ranks=4)
    assert uplink_of(timed_as_run(ring, topology(machine, 4))) is None


def test_far_first_is_shown_on_the_machine_that_it_is_for():
    recording = record("all_gather", "pat", ranks=8)
    assert usual_machine(recording).name == "switch-tree"
    said = price_of(usual_board(recording, sheet=FILM)).page.sentences
    assert any(text.startswith("The ring:") for text in said), "which is faster for large vectors"
    assert any(text.startswith("Bruck:") for text in said)
