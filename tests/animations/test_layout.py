"""Places on the page: nothing overlaps, nothing leaves its card or the stage."""

from itertools import pairwise

import pytest

from animations.box import STAGE
from animations.layout import place
from animations.storyboard import storyboard
from collectives import ROWS, record

SIZES = range(1, 17)


def layouts():
    for row in ROWS:
        for ranks in SIZES:
            recording = record(row.collective, row.algorithm, ranks=ranks)
            links = list(recording.counters.link_bytes)
            yield row, ranks, place(ranks, recording.slots, ranks, links, 0)


def test_cards_stay_on_the_stage_and_apart():
    for row, ranks, layout in layouts():
        for i, card in enumerate(layout.cards):
            where = f"{row.title} on {ranks}: rank {i}"
            assert STAGE.left - 1 <= card.left and card.right <= STAGE.right + 1, where
            assert STAGE.top - 1 <= card.top and card.bottom <= STAGE.bottom + 1, where
            assert not any(card.overlaps(other, 8) for other in layout.cards[:i]), where


@pytest.mark.parametrize("ranks", [17, 32, 64])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_cards_of_a_grid_stay_on_the_stage_and_apart(row, ranks):
    layout = storyboard(record(row.collective, row.algorithm, ranks=ranks)).layout
    for i, card in enumerate(layout.cards):
        assert STAGE.left - 1 <= card.left and card.right <= STAGE.right + 1
        assert STAGE.top - 1 <= card.top and card.bottom <= STAGE.bottom + 1
        assert not any(card.overlaps(other, 8) for other in layout.cards[:i])
    cells = [layout.cell(0, slot) for slot in range(layout.slots)]
    assert all(layout.cards[0].left < cell.left for cell in cells)
    assert all(cell.right < layout.cards[0].right for cell in cells)
    assert not any(a.overlaps(b) for a, b in pairwise(cells))


def test_cells_and_stripes_stay_inside_and_apart():
    for row, ranks, layout in layouts():
        card = layout.cards[0]
        cells = [layout.cell(0, slot) for slot in range(layout.slots)]
        for slot, cell in enumerate(cells):
            where = f"{row.title} on {ranks}: slot {slot}"
            assert card.left < cell.left and cell.right < card.right, where
            assert card.top + layout.header <= cell.top, where
            assert cell.bottom <= card.bottom - layout.label_height, where
            assert not any(cell.overlaps(other) for other in cells[:slot]), where
            stripes = [layout.stripe(0, slot, rank) for rank in range(ranks)]
            assert stripes[0].top >= cell.top and stripes[-1].bottom <= cell.bottom, where
            for upper, lower in pairwise(stripes):
                assert upper.bottom < lower.top, where
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
    assert storyboard(recording).layout.kind == kind


def test_a_tree_has_its_root_on_top_and_children_below_their_parents():
    recording = record("broadcast", "tree", ranks=13, root=5)
    cards = storyboard(recording).layout.cards
    assert min(range(13), key=lambda node: cards[node].y) == 5
    for parent, child in recording.counters.link_bytes:
        assert cards[parent].y < cards[child].y
