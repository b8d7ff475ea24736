"""Storyboards on paper: which panels there are, what stands below them, and where."""

import re
from itertools import combinations, pairwise

import pytest
from settings import sampled

from animations.drawing.sheet import PANEL
from animations.figures.slide import renderer, save
from animations.figures.step_panels import MOST_PANELS, draw, panels
from animations.story.usual import usual_board
from collectives import ROWS, record


def board_for(collective, algorithm, ranks, language="en"):
    """Its storyboard on the sheet of panels."""
    recording = record(collective, algorithm, ranks=ranks)
    return usual_board(recording, None, "", PANEL, language=language)


def spans(board, *most):
    """The first and last step of each panel."""
    return [(panel.first, panel.last) for panel in panels(board, *most)]


def test_each_step_is_a_panel_and_what_repeats_is_one():
    assert spans(board_for("all_reduce", "ring", 4)) == [(k, k) for k in range(7)]
    folded = [(0, 0), (1, 1), (2, 7), (8, 8), (9, 14)]
    assert spans(board_for("all_reduce", "ring", 8)) == folded
    assert [each.alike for each in panels(board_for("all_reduce", "ring", 8))] == [
        last - first > 1 for first, last in folded
    ]


@pytest.mark.parametrize("row", sampled(ROWS, 9), ids=lambda row: row.title)
def test_panels_are_few_and_show_all_steps(row):
    n = next(n for n in (16, 8, 9, 4, 2) if row.accepts(n))
    board = board_for(row.collective, row.algorithm, n)
    for most in (MOST_PANELS, 4):
        found = spans(board, most)
        assert len(found) <= most
        assert found[0] == (0, 0)
        assert found[-1][1] == len(board.frames)
        assert all(a[1] + 1 == b[0] <= b[1] for a, b in pairwise(found))


@pytest.mark.parametrize("language", ["en", "es"])
def test_captions_and_panels_have_room_of_their_own(language):
    page = draw(board_for("all_reduce", "ring", 8, language))
    whole, *drawn = page.axes
    panels_ = [axes.get_window_extent() for axes in drawn]
    texts = [text.get_window_extent(renderer(page)) for text in whole.texts]
    words = [text.get_text() for text in whole.texts]
    assert any(word in words for word in ("Steps 2–7 of 14, alike", "Pasos 2–7 de 14, iguales"))
    assert not [word for word in words if word.endswith("…")], "nothing is cut"
    width, height = page.canvas.get_width_height()
    for box in texts + panels_:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
    apart = [box.padded(-1) for box in texts + panels_]
    assert not [1 for one, other in combinations(apart, 2) if one.overlaps(other)]


def test_text_can_be_selected_and_files_are_small(tmp_path):
    board = board_for("all_reduce", "ring", 8)
    page = draw(board)
    for suffix in ("svg", "pdf"):
        save(page, tmp_path / f"f.{suffix}", text=True)
        assert (tmp_path / f"f.{suffix}").stat().st_size < 2 << 20
    text = (tmp_path / "f.svg").read_text()
    assert re.search(r"<text[^>]*>Step 1 of 14</text>", text)
    assert len(re.findall(r"<text[^>]*>rank 7</text>", text)) == 5
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))
    assert b"/FontFile2" in (tmp_path / "f.pdf").read_bytes()
