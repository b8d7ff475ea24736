"""Places on the page: nothing overlaps, nothing leaves its card or the stage."""

from functools import cache
from itertools import combinations, pairwise

import pytest
from each import each
from samples import case_title, pairs

from animations.story.drawing import STAGE
from animations.story.storyboard import proved_storyboard
from collectives import record

SIZES = range(1, 17)


@cache
def layouts():
    return [
        (row, ranks, proved_storyboard(record(row.collective, row.algorithm, ranks=ranks)).layout)
        for row, ranks in pairs(SIZES)
    ]


def test_cards_stay_on_the_stage_and_apart():
    for row, ranks, layout in layouts():
        for i, card in enumerate(layout.cards):
            where = f"{row.title} on {ranks}: rank {i}"
            assert STAGE.left - 1 <= card.left and card.right <= STAGE.right + 1, where
            assert STAGE.top - 1 <= card.top and card.bottom <= STAGE.bottom + 1, where
            assert not any(card.overlaps(other, 8) for other in layout.cards[:i]), where


@each(("row", "ranks"), pairs([17, 32, 64], 1), case_title)
def test_cards_of_a_grid_stay_on_the_stage_and_apart(row, ranks):
    layout = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks)).layout
    if layout.kind == "matrix":
        return  # of switches, or of scratch slots, there are too many for cards
    for i, card in enumerate(layout.cards):
        assert STAGE.left - 1 <= card.left and card.right <= STAGE.right + 1
        assert STAGE.top - 1 <= card.top and card.bottom <= STAGE.bottom + 1
        assert not any(card.overlaps(other, 8) for other in layout.cards[:i])
    cells = [layout.cell(0, slot) for slot in range(layout.slots)]
    assert all(layout.cards[0].left < cell.left for cell in cells)
    assert all(cell.right < layout.cards[0].right for cell in cells)
    assert not any(a.overlaps(b) for a, b in combinations(cells, 2))


@pytest.mark.parametrize("ranks", [17, 24, 32])
def test_neighbors_on_a_ring_are_neighbors_in_a_grid(ranks):
    """Rows run to and fro: from each card to the next it is one place, sideways or down."""
    cards = proved_storyboard(record("all_reduce", "ring", ranks=ranks)).layout.cards
    lefts, tops = (sorted({getattr(card, side) for card in cards}) for side in ("left", "top"))
    places = [(lefts.index(card.left), tops.index(card.top)) for card in cards]
    assert len(tops) > 2
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(places))


def test_cells_and_stripes_stay_inside_and_apart():
    for row, ranks, layout in layouts():
        card = layout.cards[0]
        cells = [layout.cell(0, slot) for slot in range(layout.slots)]
        for slot, cell in enumerate(cells):
            where = f"{row.title} on {ranks}: slot {slot}"
            assert card.left < cell.left and cell.right < card.right, where
            assert card.top + layout.header <= cell.top, where
            assert cell.bottom <= card.bottom - layout.label_height, where
            if layout.label_height:
                below = [c.top for c in cells if c.top > cell.top] or [card.height + card.top]
                assert cell.bottom < card.top + layout.label_base(slot) < min(below), where
            assert not any(cell.overlaps(other) for other in cells[:slot]), where
            stripes = [layout.stripe(cell, rank) for rank in range(ranks)]
            assert stripes[0].top >= cell.top and stripes[-1].bottom <= cell.bottom, where
            for upper, lower in pairwise(stripes):
                assert layout.whole or upper.bottom < lower.top, where
            assert min(stripe.height for stripe in stripes) >= 2, where


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "kind"),
    [
        ("all_reduce", "ring", 8, "ring"),
        ("broadcast", "ring", 8, "ring"),
        ("broadcast", "tree", 8, "tree"),
        ("all_reduce", "tree", 16, "tree"),
        ("broadcast", "flat", 8, "star"),
        ("gather", "flat", 16, "star"),
        ("all_gather", "flat", 8, "circle"),
        ("all_reduce", "ring", 2, "ring"),
        ("all_reduce", "ring", 1, "ring"),
    ],
)
def test_the_layout_follows_the_links(collective, algorithm, ranks, kind):
    recording = record(collective, algorithm, ranks=ranks)
    assert proved_storyboard(recording).layout.kind == kind


def test_a_tree_has_its_root_on_top_and_children_below_their_parents():
    recording = record("broadcast", "tree", ranks=13, root=5)
    cards = proved_storyboard(recording).layout.cards
    assert min(range(13), key=lambda node: cards[node].y) == 5
    for parent, child in recording.counters.link_bytes:
        assert cards[parent].y < cards[child].y


@pytest.mark.parametrize(("ranks", "radix"), [(2, 2), (4, 2), (5, 2), (8, 2), (8, 4), (9, 3)])
def test_hosts_are_in_a_row_below_their_switches(ranks, radix):
    recording = record("all_reduce", "sharp", ranks=ranks, parameters={"radix": radix})
    layout = proved_storyboard(recording).layout
    assert layout.kind == ("tree" if recording.nodes > ranks + 1 else "star")
    if layout.kind == "tree":
        cards = layout.cards
        assert min(range(recording.nodes), key=lambda node: cards[node].y) == recording.nodes - 1
        assert len({card.y for card in cards[:ranks]}) == 1
        for child, parent in recording.counters.link_bytes:
            lower, upper = sorted((cards[child], cards[parent]), key=lambda card: -card.y)
            assert upper.bottom < lower.top


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
def test_a_switch_stands_in_the_middle(ranks):
    layout = proved_storyboard(record("all_reduce", "nvls", ranks=ranks)).layout
    assert layout.kind == "star"
    assert (layout.cards[ranks].x, layout.cards[ranks].y) == (STAGE.x, STAGE.y)


def test_what_is_received_lies_below_what_is_sent_and_scratch_lowest():
    layout = proved_storyboard(record("all_to_all", "bruck", ranks=4)).layout
    assert layout.lanes == ((4,), (4,), (1,))
    send, received, scratch = layout.cell(0, 1), layout.cell(0, 5), layout.cell(0, 8)
    assert send.bottom < received.top < received.bottom < scratch.top
    assert send.x == received.x
    assert layout.cell(0, 0).x == scratch.x


def test_scratch_stands_apart_from_the_chunks():
    layout = proved_storyboard(record("all_reduce", "bar-noy", ranks=5)).layout
    chunk, scratch = layout.cell(0, 0), layout.cell(0, 1)
    assert chunk.y == scratch.y
    assert scratch.left - chunk.right > 2 * (layout.pitch - chunk.width)


def test_a_matrix_has_gaps_between_its_groups():
    layout = proved_storyboard(record("all_to_all", "pairwise", ranks=65)).layout
    sent, received = layout.group_boxes(0)
    assert received.left - sent.right > layout.pitch
    assert len({round(box.right - box.left, 3) for box in (sent, received)}) == 1
