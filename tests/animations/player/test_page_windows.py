"""The page in windows of many sizes: all of it is seen at once, or it is a column."""

import linecache

import pytest
from samples import few, rows_on
from settings import THOROUGH

from animations.story.compose import proved_storyboard
from collectives import record, send

LOW = [(1366, 650), (1536, 730), (1920, 950), (2560, 1080), (1100, 520)]
GO = """(step) => document.querySelector("#player").dispatchEvent(
  new CustomEvent("goto", { detail: step }))"""
OUTSIDE = """() => {
  const queries = [".head", ".board", ".side", ".tools", ".timeline", "[data-part=caption]",
    "[data-part=note]", ".now", ".variables"];
  const inside = (inner, { left, top, right, bottom }) => {
    const box = inner.getBoundingClientRect();
    return left <= box.left + 0.5 && top <= box.top + 0.5 && box.right <= right + 0.5 &&
      box.bottom <= bottom + 0.5;
  };
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const code = document.querySelector(".code").getBoundingClientRect();
  return queries.filter((query) => [...document.querySelectorAll(query)].some((element) =>
    !inside(element, window) || element.closest(".code") && !inside(element, code)));
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1000, 700), (700, 900), (400, 800)])
@pytest.mark.parametrize("ranks", [1, 4, 16])
def test_no_window_scrolls_sideways(size, ranks, open_page):
    page = open_page(proved_storyboard(record("scatter", "tree", ranks=ranks)), step=2, size=size)
    wide, high = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide <= size[0]
    assert size[0] < 1280 or high <= size[1]


def test_a_low_window_shows_all_of_the_page(open_page):
    """Caption, timeline and buttons, and the line that runs, within the panel of the source.

    A picture is tried in one of the windows, the next in another; `make thorough`: all in all.
    """
    for number, row in enumerate(few(rows_on(8), "windows")):
        board = proved_storyboard(record(row.collective, row.algorithm, ranks=8))
        page = open_page(board)
        page.evaluate(GO, len(board.frames))
        windows = LOW if THOROUGH else LOW[number % len(LOW) :][:1]
        for wide, high in windows:
            page.set_viewport_size({"width": wide, "height": high})
            assert page.evaluate(OUTSIDE) == [], (row.title, wide, high)
            width = page.locator(".sheet").bounding_box()["width"]
            assert width == pytest.approx(min(wide, high * 16 / 9), abs=1)


def long_broadcast():
    """A function of more lines than the panel of the source has room for."""
    lines = [
        "def long(ranks):\n",
        *["    ranks += 0\n"] * 45,
        "    yield send(0, range(1, ranks))\n",
    ]
    linecache.cache["<long>"] = (1, None, lines, "<long>")
    names = {"send": send}
    exec(compile("".join(lines), "<long>", "exec"), names)
    return names["long"]


def test_the_line_that_runs_is_seen_in_a_long_function(open_page):
    mine = record(long_broadcast()(4), collective="broadcast", ranks=4, slots=1)
    page = open_page(proved_storyboard(mine), size=LOW[0])
    page.evaluate(GO, 1)
    assert page.evaluate(OUTSIDE) == []


def test_a_window_too_low_for_legible_letters_scrolls(open_page):
    board = proved_storyboard(record("all_reduce", "ring", ranks=8))
    page = open_page(board, size=(1000, 300))
    assert page.locator(".sheet").bounding_box()["width"] == pytest.approx(900, abs=1)
