"""A matrix: rows of cells, in groups with gaps between them."""

from animations.story.compose import proved_storyboard
from collectives import record


def test_a_matrix_has_gaps_between_its_groups():
    card = proved_storyboard(record("all_to_all", "pairwise", ranks=65)).scenery.cards[0]
    sent, received = card.shape.groups
    pitch = card.shape.cells[1].x - card.shape.cells[0].x
    assert received.left - sent.right > pitch
    assert len({round(box.right - box.left, 3) for box in (sent, received)}) == 1
