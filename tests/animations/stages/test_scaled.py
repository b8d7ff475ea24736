"""Widths show sizes: every cell, mark and flight is as wide as the recording's chunk is large."""

from itertools import cycle, islice

import numpy as np
import pytest
from settings import THOROUGH

from animations.pictures.card_text import zeros
from animations.pictures.step_flights import StepFlights
from animations.story.cell_marks import cell_contents, explanation, legend_note
from animations.story.compose import proved_storyboard
from collectives import record

COUNTS = [(1, 2, 3, 4000), (5, 0, 3, 40), (0, 7, 0, 0, 12), (9, 8, 7, 6, 5), (2, 1)]
ROWS = [
    *(("all_gather", name, 8) for name in ("ring", "flat", "hierarchical", "nvls", "bruck")),
    *(("reduce_scatter", name, 8) for name in ("ring", "recursive-halving", "tree")),
    *(("all_to_all", name, 8) for name in ("flat", "pairwise", "hierarchical")),
    *(("gather", "tree", 7), ("scatter", "flat", 5), ("broadcast", "ring", 5)),
    *(("all_reduce", "torus-2d", 8), ("all_reduce", "ring", 6), ("reduce", "split-binary", 6)),
]
LEAST, SIDE = 1 / 6, 24.0


def uneven(collective, algorithm, ranks, counts):
    chunks = record(collective, algorithm, ranks=ranks).chunk_count
    sizes = list(islice(cycle(counts), chunks))
    recording = record(collective, algorithm, ranks=ranks, counts=sizes)
    return recording, proved_storyboard(recording)


def wanted(size, largest):
    """Which part of the width of the largest a chunk has; an empty one none."""
    return max(size / largest, LEAST) if size else None


@pytest.mark.parametrize("counts", COUNTS, ids=str)
@pytest.mark.parametrize("row", ROWS if THOROUGH else ROWS[::3], ids=lambda row: "-".join(row[:2]))
def test_cells_are_as_wide_as_what_they_hold(row, counts):
    recording, board = uneven(*row, counts)
    scenery = board.scenery
    assert scenery.fold.is_plain
    largest = recording.size.max()
    whole = {card.shape.widest.width for card in scenery.cards}
    for state in range(len(recording.steps) + 1):
        size = recording.sizes(state)
        held = recording.contributors(state).any(axis=2)
        marked = {at for at, _ in cell_contents(board, state)}
        assert marked == {tuple(at) for at in np.argwhere(held & (size > 0)).tolist()}
        for node, slot in np.argwhere(held).tolist():
            cell = scenery.cell(node, slot)
            share = wanted(size[node, slot], largest)
            if share is None:
                assert cell.width == cell.height <= SIDE
                assert slot in scenery.cards[node].shape.hollow
            elif len(whole) == 1:
                assert cell.width == pytest.approx(share * max(whole))
    hollow = sum(len(card.shape.hollow) for card in scenery.cards)
    assert [line.text for _, line in zeros(board)] == ["∅"] * hollow


@pytest.mark.parametrize("counts", COUNTS, ids=str)
@pytest.mark.parametrize("row", ROWS if THOROUGH else ROWS[1::3], ids=lambda row: "-".join(row[:2]))
def test_chunks_fly_as_wide_as_they_are_large(row, counts):
    recording, board = uneven(*row, counts)
    largest = recording.size.max() * recording.dtype.itemsize
    for frame in board.frames:
        columns = StepFlights(board, frame, board.view.colors).columns
        full = max(
            (c.beside.width / wanted(c.transfer.size, largest) for c in columns if c.transfer.size),
            default=0,
        )
        for column in columns:
            share = wanted(column.transfer.size, largest)
            if share is None:
                assert not column.cell.held, "an empty chunk has no data on its way"
                assert column.beside.width == column.beside.height <= SIDE
            else:
                assert column.cell.held
                assert column.beside.width <= share * full + 1e-9
        alike = {c.parcel: 0.0 for c in columns}
        for column in columns:
            if column.transfer.size:
                width = column.beside.width / wanted(column.transfer.size, largest)
                assert alike[column.parcel] in (0.0, pytest.approx(width)), "one scale a parcel"
                alike[column.parcel] = width


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_the_picture_says_where_its_scale_is_cut(counts):
    recording, board = uneven("all_gather", "ring", len(counts), counts)
    least = min(size for size in recording.size.tolist() if size)
    cut = least < LEAST * recording.size.max()
    assert ("not to scale" in legend_note(board)) == cut
    assert "width: size" in legend_note(board)
    said = " ".join(explanation(board))
    assert ("1/6" in said) == cut
    assert ("hollow" in said) == (0 in counts)


def test_the_caption_follows_a_chunk_that_has_data():
    _, board = uneven("all_gather", "ring", 5, (0, 7, 0, 0, 12))
    assert all(frame.example.size for frame in board.frames)


@pytest.mark.parametrize("options", [{}, {"count": 64}, {"count": 10_000}], ids=str)
def test_chunks_of_one_size_are_drawn_in_one_width(options):
    board = proved_storyboard(record("all_reduce", "ring", ranks=8, **options))
    assert len({cell.width for card in board.scenery.cards for cell in card.shape.cells}) == 1
    assert "width" not in legend_note(board)


def test_a_count_that_is_not_divisible_shows_in_the_widths():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4, count=10))
    cells = board.scenery.cards[0].shape.cells
    assert [round(cell.width / cells[0].width, 3) for cell in cells] == [1, 1, 0.667, 0.667]


def test_wells_of_several_slots_are_as_wide_as_all_of_them_are_large():
    counts = [1, 0, 3, 8] * 8
    recording = record("all_gather", "ring", ranks=32, counts=counts)
    scenery = proved_storyboard(recording).scenery
    assert not scenery.fold.is_plain
    sizes = [0] * scenery.fold.wells
    for slot, well in enumerate(scenery.fold.well):
        sizes[well] += counts[slot]
    cells = scenery.cards[0].shape.cells
    whole = max(cell.width for cell in cells)
    for cell, size in zip(cells, sizes, strict=True):
        assert cell.width == pytest.approx(wanted(size, max(sizes)) * whole)
