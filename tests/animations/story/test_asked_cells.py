"""Contents that answers speak of are drawn as the same contents are where slots hold them."""

import numpy as np
import pytest

from animations.story.compose import proved_storyboard
from collectives import record
from collectives.questions.facts import Facts

CASES = {
    "stripes": ("all_reduce", "ring", 5),
    "blocks": ("all_to_all", "bruck", 5),
    "chunks": ("scatter", "binomial", 6),
    "bars": ("reduce_scatter", "ring", 20),
}


@pytest.mark.parametrize("view", CASES)
def test_a_content_is_the_cell_of_a_slot_that_has_it(view):
    name, algorithm, ranks = CASES[view]
    recording = record(name, algorithm, ranks=ranks)
    board, facts = proved_storyboard(recording), Facts(recording)
    assert board.view.name == view
    made, after = board.view.cell_of(recording), board.view.snapshots(recording)
    for step in (0, facts.last // 2, facts.last):
        cells = after(step)
        for node, slot in np.ndindex(recording.nodes, recording.slots):
            content = facts.content((node, slot), step)
            assert made(slot, content) == cells.cell((node, slot)), (step, node, slot)


def test_nothing_is_made_where_cells_show_no_ranks():
    recording = record("broadcast", "tree", ranks=128)
    board = proved_storyboard(recording)
    assert board.view.name == "matrix" and board.view.cell_of(recording) is None
