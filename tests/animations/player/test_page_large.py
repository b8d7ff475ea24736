"""Pages of more than 16 ranks: bars and squares are the levels of the recording, in its colors."""

import json
import re
from typing import Any

import numpy as np
import pytest
from contents import held as contributions
from playwright.sync_api import Page
from samples import few, rows_on
from settings import THOROUGH, sampled

from animations.drawing.theme import DARK, LIGHT, Theme
from animations.player.page import page
from animations.story.compose import proved_storyboard
from animations.story.folded_views import Squares, level_colors, most_required
from animations.story.labels import labels_of
from animations.story.storyboard import Storyboard
from animations.story.transfers import Cell
from collectives import Recording, record

GO = """(step) => {
  const slider = document.querySelector("input[type=range]");
  slider.value = step;
  slider.dispatchEvent(new Event("input"));
}"""

BARS = f"""([steps, bars]) => JSON.stringify(steps.map((step) => {{
  ({GO})(step);
  const marks = document.querySelector(".collectives").collectives.drawn();
  return [marks.flatMap(({{ rank, faint, x, y, height }}) =>
    [rank + (faint ? bars : 0), x, y, height])];
}}))"""

# Colors at places in the canvas, as parts of its width and height, and the number beside it.
SQUARES = f"""([steps, places]) => JSON.stringify(steps.map((step) => {{
  ({GO})(step);
  const canvas = document.querySelector("canvas");
  const {{ width, height }} = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", {{ willReadFrequently: true }});
  copy.drawImage(canvas, 0, 0);
  const {{ data }} = copy.getImageData(0, 0, width, height);
  const colors = places.map(([x, y]) => {{
    const at = 4 * (Math.floor(x * width) + Math.floor(y * height) * width);
    return (data[at] << 16) + (data[at + 1] << 8) + data[at + 2];
  }});
  return [colors, Number(document.querySelector("text.complete").textContent)];
}}))"""


def sample(total: int) -> list[int]:
    """Some steps, there and back."""
    return [1, total, total // 2]


def held(recording: Recording, step: int) -> list[Cell]:
    """What every cell holds after a step, as the storyboard would have it."""
    look = Squares(labels_of(recording), None, 1).snapshots(recording)(step)
    return [look.cell(at) for at in np.ndindex(recording.nodes, recording.slots)]


def assert_bars(seen: list[list[list[float]]], board: Storyboard, marks: set[Any]) -> None:
    """Each cell has these bars [(node, well, ink)], where the scenery puts them."""
    fold, expected = board.scenery.fold, []
    for node, well, ink in sorted(marks):
        box = board.scenery.stripe(board.scenery.cards[node].cell(well), ink % fold.bars)
        expected += [ink, box.left, box.top, box.height]
    drawn = np.array([number for bar in seen for number in bar])
    assert np.abs(drawn - expected).max() < 0.03


@pytest.mark.parametrize("ranks", [17, 32, 64] if THOROUGH else [17])
def test_bars_are_those_of_the_recording(ranks, open_page):
    """Everything in which pictures differ; `make thorough`: all on 17."""
    shown = 0
    for row in few(rows_on(ranks, every=ranks == 17), "large"):
        recording = record(row.collective, row.algorithm, ranks=ranks)
        board = proved_storyboard(recording)
        if board.view.name == "matrix":
            continue  # with its switches there are too many nodes
        steps, fold = sample(len(board.frames)), board.scenery.fold
        seen = json.loads(open_page(board).evaluate(BARS, [steps, fold.bars]))
        for step, bars in zip(steps, seen, strict=True):
            assert_bars(bars, board, contributions(recording, fold, step))
        shown += 1
    assert shown > 2


def squares(page: Page, board: Storyboard, steps: list[int]) -> list[Any]:
    """Colors of all cells, and the number that is told, after each of the steps."""
    cards = [card.box for card in board.scenery.cards]
    left, top = min(card.left for card in cards), min(card.top for card in cards)
    wide = max(card.right for card in cards) - left
    high = max(card.bottom for card in cards) - top
    boxes = [board.scenery.cell(*at) for at in np.ndindex(board.nodes, board.slots)]
    places = [[(box.x - left) / wide, (box.y - top) / high] for box in boxes]
    found: list[Any] = json.loads(page.evaluate(SQUARES, [steps, places]))
    return found


def assert_squares(seen: list[Any], recording: Recording, step: int, theme: Theme) -> None:
    """Every cell has the color of its level, and the number is that of complete cells."""
    most = most_required(recording)
    colors = [int(color[1:], 16) for color in (theme.levels[0], *level_colors(theme))]
    expected = []
    for cell in held(recording, step):
        count, complete = cell.held or (0, 0)
        ink = 5 if complete else min(4, 1 + 4 * count // most) if count else 0
        expected.append(colors[ink])
    assert seen[0] == expected
    assert seen[1] == (recording.levels(step)[1][: recording.ranks] & recording.postcondition).sum()


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    sampled(
        [
            ("all_reduce", "ring", 65),
            ("broadcast", "ring", 65),
            ("reduce_scatter", "tree", 65),
            ("all_gather", "flat", 128),
            ("scatter", "tree", 128),
            ("all_reduce", "ring", 128),
            ("reduce", "tree", 256),
            ("all_to_all", "bruck", 65),
            ("barrier", "dissemination", 70),
            ("scan", "doubling", 66),
        ],
        3,
    ),
)
def test_squares_have_the_colors_of_their_levels(collective, algorithm, ranks, open_page):
    recording = record(collective, algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    page = open_page(board)
    steps = sample(len(board.frames))
    for step, seen in zip(steps, squares(page, board, steps), strict=True):
        assert_squares(seen, recording, step, DARK)
    page.keyboard.press("d")
    assert_squares(squares(page, board, [1])[0], recording, 1, LIGHT)


def test_a_matrix_is_painted_anew_when_the_window_changes(open_page):
    recording = record("all_reduce", "ring", ranks=65)
    board = proved_storyboard(recording)
    page = open_page(board, step=70)
    before = page.evaluate("document.querySelector('canvas').width")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(f"document.querySelector('canvas').width > {before}")
    assert_squares(squares(page, board, [70])[0], recording, 70, DARK)


def test_cells_that_change_are_outlined_together(open_page):
    recording = record("all_gather", "ring", ranks=65)
    board = proved_storyboard(recording)
    page = open_page(board, step=2)
    path = page.locator("[data-part=changed]").get_attribute("d")
    starts = [re.split("[hv]", part)[0].split() for part in path.split("M")[1:]]
    for transfer in board.frames[1].transfers:
        box = board.scenery.cell(transfer.dst, transfer.into)
        assert min(abs(float(x) - box.left) + abs(float(y) - box.top) for x, y in starts) < 0.05
    assert path.count("M") == 4 * len(board.frames[1].transfers)
    flat = open_page(proved_storyboard(record("broadcast", "flat", ranks=200)), step=1)
    assert flat.locator("[data-part=changed]").get_attribute("d").count("M") < 3 * 199


def test_too_many_ranks_are_refused_in_one_line():
    from collectives.errors import BadInput

    board = proved_storyboard(record("scatter", "flat", ranks=257))
    with pytest.raises(BadInput, match="257 ranks: a page shows 1 to 256; try: 256"):
        page(board)
