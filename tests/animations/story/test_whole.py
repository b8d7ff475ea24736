"""Where nothing is added, what is in a cell fills it: colored by its source, or by chunk."""

import pytest
from samples import sample, title

from animations.drawing.theme import DARK
from animations.stages.choose import MOST_ROUTED
from animations.story.cell_marks import cell_contents, legend
from animations.story.compose import proved_storyboard
from collectives import ROWS, record

ADDS = {"reduce", "all_reduce", "reduce_scatter", "scan", "exscan", "barrier", "combine"}
EVERY = [
    (row, ranks)
    for row in ROWS
    if row.collective not in ADDS
    for ranks in sample(row, (2, 3, 5, 8, 16), 1)
    if ranks <= MOST_ROUTED or not row.promise.routed  # else a matrix of what is complete
]


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_what_is_complete_fills_its_cell(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    assert board.view.name in ("blocks", "chunks")
    state = recording.state(len(board.frames))
    for (node, slot), mark in cell_contents(board, len(board.frames)):
        box = board.scenery.cell(node, slot)
        assert mark.box.height > 0.9 * box.height - 4
        (rank,) = state.times[node, slot].nonzero()[0]
        by_chunk = board.view.name == "chunks"
        assert mark.ink == (state.origin[node, slot, rank] if by_chunk else rank)
        assert mark.ink < len(board.view.mark_colors(DARK))


@pytest.mark.parametrize(
    ("collective", "algorithm", "view"),
    [
        ("broadcast", "ring", "chunks"),
        ("broadcast", "tree", "blocks"),
        ("scatter", "tree", "chunks"),
        ("gather", "tree", "blocks"),
        ("all_gather", "ring", "blocks"),
        ("all_to_all", "pairwise", "blocks"),
        ("reduce", "ring", "stripes"),
        ("all_reduce", "ring", "stripes"),
        ("barrier", "dissemination", "stripes"),
    ],
)
def test_colors_tell_chunks_apart_where_all_data_is_of_one_rank(collective, algorithm, view):
    board = proved_storyboard(record(collective, algorithm, ranks=5))
    assert board.view.name == view
    head, labels, _ = legend(board)
    if view == "chunks":
        assert head == "Color and number: which chunk it is"
        assert labels == [f"{chunk}" for chunk in range(board.labels.chunk_count)]
        tones = {card.tone for card in board.scenery.cards}
        assert not any(tone.startswith("rank") for tone in tones), "a color is a chunk"
    else:
        assert labels == [f"{rank}" for rank in range(5)]


@pytest.mark.parametrize("ranks", [24, 64])
def test_few_chunks_of_one_rank_keep_their_colors_on_many_ranks(ranks):
    board = proved_storyboard(record("broadcast", "ring", ranks=ranks))
    assert (board.view.name, board.view.colors, board.scenery.fold.wells) == ("chunks", 4, 4)
    marks = cell_contents(board, len(board.frames))
    assert len(marks) == 4 * ranks
    assert all(mark.ink == well for (_, well), mark in marks)
    many = proved_storyboard(record("broadcast", "ring", ranks=ranks, chunks=17))
    assert many.view.name == "bars"


def test_folded_cells_are_full_where_nothing_is_added():
    gathered = proved_storyboard(record("all_gather", "ring", ranks=32))
    assert (gathered.view.name, gathered.scenery.whole) == ("bars", True)
    cells = cell_contents(gathered, len(gathered.frames))
    assert {mark.ink for _, mark in cells} == set(range(8)), "none is faint at the end"
    for (node, well), mark in cells:
        box = gathered.scenery.cards[node].cell(well)
        assert mark.box.height > 0.9 * box.height - 4
    summed = proved_storyboard(record("all_reduce", "ring", ranks=32))
    assert not summed.scenery.whole
    assert legend(gathered)[2] == "= overwrites"
