"""Pages of chunks of several sizes: what stands and what flies is as wide as its size calls for."""

import json
from itertools import product

import pytest
from playwright.sync_api import Page
from settings import THOROUGH

from animations.drawing.widths import HOLLOW, LEAST_SHARE
from animations.story.compose import proved_storyboard
from collectives import record

SIZES = (360, 740), (800, 900), (1366, 768)
FLYING = """() => JSON.stringify([...document.querySelectorAll(".trip .move")].map((move) => {
  const backdrop = move.querySelector(".backdrop");
  const [wide, high] = ["width", "height"].map((name) => Number(backdrop.getAttribute(name)));
  return [Number(move.dataset.chunk), wide, high, move.querySelectorAll(".stripe").length];
}))"""
STANDING = """() => JSON.stringify({
  marks: document.querySelector(".collectives").collectives.drawn()
    .map(({ node, well, width }) => [node, well, width]),
  zeros: [...document.querySelectorAll("text.zero")].map((text) => {
    const { width } = text.getBoundingClientRect();
    const wells = document.querySelector("path.well");
    const above = wells.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [text.textContent, above ? width : 0];
  }),
})"""
RECORDINGS = {
    "empty": record("all_gather", "recursive-doubling", ranks=4, counts=[20, 0, 3, 40]),
    "cut": record("reduce_scatter", "ring", ranks=4, counts=[1, 2, 3, 4000]),
    "blocks": record("all_to_all", "pairwise", ranks=5, counts=[4, 0, 8, 1, 2]),
}
CASES = [*(product if THOROUGH else zip)(RECORDINGS, SIZES)]


def share(size: int, largest: int) -> float:
    return max(size / largest, LEAST_SHARE)


def flying(page: Page) -> list[list[float]]:
    """Chunk, width, height and marks of all that is on its way, half a second into the step."""
    page.keyboard.press("ArrowRight")
    page.clock.run_for(600)
    found = json.loads(page.evaluate(FLYING))
    page.clock.run_for(10_000)
    return found


@pytest.mark.parametrize(("name", "size"), CASES, ids=str)
def test_chunks_fly_on_a_page_as_wide_as_they_are_large(name, size, open_page):
    recording = RECORDINGS[name]
    page = open_page(proved_storyboard(recording), size=size, motion=True)
    counts = recording.size.tolist()
    for _ in recording.steps:
        moves = flying(page)
        assert moves
        scale = [w / share(counts[c], max(counts)) for c, w, _, _ in moves if counts[c]]
        assert max(scale, default=0) - min(scale, default=0) < 0.2, "one scale for all of a step"
        for chunk, width, height, marks in moves:
            assert (marks > 0) == (counts[int(chunk)] > 0)
            assert counts[int(chunk)] or width == height <= HOLLOW


@pytest.mark.parametrize(("name", "size"), CASES, ids=str)
def test_chunks_stand_on_a_page_as_wide_as_they_are_large(name, size, open_page):
    recording = RECORDINGS[name]
    board = proved_storyboard(recording)
    page = open_page(board, size=size)
    page.keyboard.press("End")
    seen = json.loads(page.evaluate(STANDING))
    held = recording.sizes(len(recording.steps))
    assert {(node, well) for node, well, _ in seen["marks"]} == {
        (node, slot) for node, slot in zip(*map(list, held.nonzero()), strict=True)
    }
    largest = recording.size.max()
    scale = [width / share(held[node, well], largest) for node, well, width in seen["marks"]]
    assert max(scale) < 1.15 * min(scale), "but for the margins of narrow cells"
    hollow = sum(len(card.shape.hollow) for card in board.scenery.cards)
    assert [text for text, _ in seen["zeros"]] == ["∅"] * hollow
    assert all(width > 1 for _, width in seen["zeros"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
