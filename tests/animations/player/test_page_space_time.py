"""Transfers in space and time, on each clock: those of the recording, which can be touched."""

import re

import numpy as np
import pytest
from settings import SOME_ROWS, sampled

from animations.story.message_times import TICKS
from animations.story.usual import usual_board
from collectives import record
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines.usual import usual_machine, usual_size
from collectives.glossary import TERMS

GO = """(hash) => new Promise((done) => {
  addEventListener("hashchange", () => setTimeout(done), { once: true });
  location.hash = hash;
})"""
DRAWN = """(part) => [...document.querySelectorAll(`[data-part=${part}] path`)].flatMap((path) =>
  [...path.getAttribute("d").matchAll(/M([-\\d.]+) ([-\\d.]+)L([-\\d.]+) ([-\\d.]+)/g)]
    .map((found) => found.slice(1).map(Number)))"""
CLOCKS = {"lockstep": lockstep, "dataflow": dataflow}


def usual(name, algorithm, ranks):
    recording = record(name, algorithm, ranks=ranks)
    sized = resized(recording, usual_size(recording.chunk_count), recording.dtype)
    return usual_board(recording), sized


def lines_of(messages, total):
    """Of each message when it begins, from whom, when it ends, at whom, as the page draws it."""
    columns = (messages.start / total, messages.src, messages.end / total, messages.dst)
    return {tuple(row) for row in np.round(np.stack(columns, axis=1), 3).tolist()}


def seen(page, part, nodes=1):
    drawn = page.evaluate(DRAWN, part)
    return [(x / 1000, y / 100 - 0.5, right / 1000, low / 100 - 0.5) for x, y, right, low in drawn]


@pytest.fixture
def page(open_page):
    board, _ = usual("all_reduce", "double-tree", 6)
    page = open_page(board, step=2)
    page.evaluate(GO, "step=2&clock=steps")
    return page


def test_every_message_is_where_the_clock_has_it(page):
    _, sized = usual("all_reduce", "double-tree", 6)
    for clock, timed in CLOCKS.items():
        page.get_by_role("button", name=clock, exact=True).click()
        assert page.evaluate("location.hash") == f"#step=2&clock={clock}"
        assert page.locator("[data-part=tip]").inner_text() == TERMS[clock]
        timing = timed(sized, usual_machine(sized))
        wanted = lines_of(timing.messages, timing.total)
        found = np.round(np.array(seen(page, "plane")), 3)
        close = np.array(sorted(wanted))
        assert len({tuple(row) for row in found.tolist()}) == len(wanted)
        for row in found:
            assert np.abs(close - row).max(axis=1).min() <= 0.0011, (clock, row)


def test_steps_selection_and_now_are_seen_and_touched(page):
    board, _ = usual("all_reduce", "double-tree", 6)
    steps = len(board.frames)
    total = sum(len(frame.transfers) for frame in board.frames)
    assert len(seen(page, "plane")) == total
    assert len(seen(page, "lit")) == len(board.frames[1].transfers)
    now = page.locator("[data-part=moment]").get_attribute("style")
    assert float(re.search(r"left: ([\d.]+)%", now)[1]) == pytest.approx(100 * 2 / steps, abs=0.1)
    page.evaluate(GO, "step=2&clock=steps&select=rank:3")
    ends = [m for frame in board.frames for m in frame.transfers if 3 in (m.src, m.dst)]
    assert len(seen(page, "mine")) == len(ends)
    transfer = board.frames[0].transfers[0]
    box = page.locator("[data-part=ways]").bounding_box()
    x = box["x"] + box["width"] * 0.5 / steps
    y = box["y"] + box["height"] * ((transfer.src + transfer.dst) / 2 + 0.5) / board.nodes
    page.mouse.click(x, y)
    assert "select=transfer:1." in page.evaluate("location.hash")
    assert len(seen(page, "mine")) == 1
    page.mouse.click(x, y)
    assert "select" not in page.evaluate("location.hash")
    page.locator("[data-part=lanes] [data-thing='rank:2']").press("Enter")
    assert page.evaluate("location.hash").endswith("select=rank:2&clock=steps")


def test_the_diagram_takes_the_place_of_the_source(page):
    source, space = page.locator("[data-part=source]"), page.locator("[data-part=space]")
    assert (source.is_visible(), space.is_visible()) == (False, True)
    page.keyboard.press("x")
    assert (source.is_visible(), space.is_visible()) == (True, False)
    assert page.evaluate("location.hash") == "#step=2"
    page.get_by_role("button", name="Space and time").click()
    assert (source.is_visible(), space.is_visible()) == (False, True)
    page.evaluate(GO, "step=1&clock=none")
    assert source.is_visible()


@pytest.mark.parametrize("row", sampled(SOME_ROWS, 8), ids=lambda row: row.title)
def test_times_of_all_moves_are_those_of_their_messages(row):
    ranks = next(n for n in (8, 9, 16) if row.accepts(n))
    board = usual_board(record(row.collective, row.algorithm, ranks=ranks))
    for times in board.times:
        assert len(times.steps) == len(board.frames)
        ends = [tick for step in times.steps for tick in step[1::2]]
        assert max(ends) == TICKS
        for step, frame in zip(times.steps, board.frames, strict=True):
            assert len(step) in (2, 2 * len(frame.transfers)) or all(
                m.is_local for m in frame.transfers
            )
            assert all(start <= end for start, end in zip(step[::2], step[1::2], strict=True))


def test_many_ranks_are_seen_in_parts(open_page):
    board = usual_board(record("all_reduce", "ring", ranks=64))
    page = open_page(board, step=50)
    page.evaluate(GO, "step=50&clock=dataflow")
    axis = page.locator("[data-part=axis]").inner_text()
    assert (
        page.locator("[data-part=ways]")
        .get_attribute("aria-label")
        .startswith("2560 transfers of steps 41 to 80, by the clock of dataflow")
    )
    assert axis.count("ms") + axis.count("µs") == 2
    assert len(seen(page, "lit")) == 64
