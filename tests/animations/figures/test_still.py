"""What the matplotlib figure draws, read back from its patches, is the recording's state."""

import io

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from contents import held
from samples import pairs, title
from settings import sampled

from animations.drawing.shapes import Box
from animations.drawing.theme import LIGHT
from animations.figures.still import figure
from animations.story.compose import proved_storyboard
from collectives import record


def drawn(page, board):
    """{(node, slot, ink)} of the marks, each of which must lie in its own cell."""
    found = set()
    for patch in page.axes[0].patches:
        if (patch.get_gid() or "").startswith("mark-"):
            node, slot, ink = map(int, patch.get_gid().split("-")[1:])
            cell = board.scenery.cards[node].cell(slot)
            box = box_of(patch)
            assert cell.left < box.x < cell.right and cell.top < box.y < cell.bottom
            if board.view.name == "stripes":
                assert int((box.y - cell.top) / cell.height * board.ranks) == ink
            found.add((node, slot, ink))
    return found


def box_of(patch):
    """What a patch covers."""
    extents = patch.get_path().get_extents()
    return Box.between(extents.x0, extents.y0, extents.x1, extents.y1)


def gids(page):
    """The names of all patches that have one."""
    return [patch.get_gid() for patch in page.axes[0].patches if patch.get_gid()]


@pytest.mark.parametrize(("row", "ranks"), sampled(pairs([1, 2, 3, 5, 8, 16], 1), 4), ids=title)
def test_figure_equals_recording(row, ranks):
    """After every step on up to 5 ranks, on more at the start, in the middle and at the end."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    total = len(recording.steps)
    for step in range(total + 1) if ranks <= 5 else sorted({0, total // 2, total}):
        page = figure(board, step)
        if board.view.name == "matrix":
            assert_levels(drawn(page, board), recording, step)
        else:
            assert drawn(page, board) == held(recording, board.scenery.fold, step)
        transfers = board.frames[step - 1].transfers if step else ()
        wells = {f"written-{m.dst}-{board.scenery.fold.well[m.into]}" for m in transfers}
        assert wells == {gid for gid in gids(page) if gid.startswith("written-")}
        veils = {f"stale-{node}-{well}" for node, well in board.stale(step)}
        assert veils == {gid for gid in gids(page) if gid.startswith("stale-")}


def test_a_folded_figure_shows_what_is_there_and_what_is_not_full():
    recording = record("all_reduce", "ring", ranks=32)
    board = proved_storyboard(recording)
    assert board.view.name == "bars"
    assert drawn(figure(board, 35), board) == held(recording, board.scenery.fold, 35)


def test_a_matrix_shows_what_is_there_and_what_is_complete():
    recording = record("all_reduce", "ring", ranks=65)
    board = proved_storyboard(recording)
    assert board.view.name == "matrix"
    assert_levels(drawn(figure(board, 68), board), recording, 68)


def assert_levels(marks, recording, step):
    """Every cell that is not empty is marked, and those that are complete in the last ink."""
    count, complete = recording.levels(step)
    assert {at[:2] for at in marks} == {(int(n), int(s)) for n, s in np.argwhere(count)}
    assert {at[:2] for at in marks if at[2] == 4} == {
        (int(n), int(s)) for n, s in np.argwhere(complete)
    }


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_a_figure_can_be_saved(kind):
    page = figure(proved_storyboard(record("broadcast", "tree", ranks=8)), 2, LIGHT)
    file = io.BytesIO()
    page.savefig(file, format=kind)
    assert len(file.getvalue()) > 5000
    if kind == "svg":
        assert b'id="mark-4-0-0"' in file.getvalue()


def test_a_step_that_does_not_exist_is_refused():
    with pytest.raises(IndexError):
        figure(proved_storyboard(record("broadcast", "tree", ranks=8)), 4)


def test_promised_cells_have_a_bar_where_others_have_none():
    board = proved_storyboard(record("reduce_scatter", "ring", ranks=4))
    bars = {patch.get_gid(): patch for patch in figure(board, 2).axes[0].patches if patch.get_gid()}
    bars = {gid: patch for gid, patch in bars.items() if gid.startswith("goal-")}
    assert set(bars) == {f"goal-{rank}-{rank}" for rank in range(4)}
    for gid, patch in bars.items():
        cell = board.scenery.cell(*map(int, gid.split("-")[1:]))
        box = box_of(patch)
        assert cell.left < box.left < cell.right and cell.bottom < box.top
    every = proved_storyboard(record("all_reduce", "ring", ranks=4))
    assert not any(gid.startswith("goal-") for gid in gids(figure(every, 2)))


def test_very_many_marks_are_one_shape_for_each_color(monkeypatch):
    board = proved_storyboard(record("all_gather", "ring", ranks=65))
    apart = [patch for patch in figure(board, 9).axes[0].patches if patch.get_gid()]
    marks = [patch for patch in apart if patch.get_gid().startswith("mark-")]
    for module in ("cells", "step"):
        monkeypatch.setattr(f"animations.pictures.{module}.MOST_NAMED", 60)
    page = figure(board, 9)
    assert not gids(page)
    colors = {mark.get_facecolor() for mark in marks}
    (joined,) = (patch for patch in page.axes[0].patches if len(patch.get_path()) == 650 * 6)
    assert colors == {joined.get_facecolor()} and len(marks) == 650
    corners = {tuple(np.round(corner, 6)) for corner in joined.get_path().vertices[::6]}
    assert corners == {tuple(np.round((box_of(m).left, box_of(m).top), 6)) for m in marks}
