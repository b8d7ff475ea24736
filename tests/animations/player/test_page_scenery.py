"""The page draws scenery as film and figure do: lines, words, chips, gauges and grounds."""

import json
from collections import Counter
from typing import Any

import pytest
from samples import few, rows_on
from settings import THOROUGH

from animations.drawing import scenery_shapes
from animations.drawing.shapes import Box, Stroke, goal_bar
from animations.drawing.theme import DARK
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from collectives import record

SCENE = """(steps) => JSON.stringify([...Array(steps + 1).keys()].map((step) => {
  document.querySelector("#player").dispatchEvent(new CustomEvent("goto", { detail: step }));
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const hex = (color) => "#" + (color.match(/\\d+/g) ?? []).slice(0, 3)
    .map((value) => Number(value).toString(16).padStart(2, "0")).join("");
  const number = (element, name) => Number(element.getAttribute(name));
  const box = (rect) => ["x", "y", "width", "height"].map((name) => number(rect, name));
  const look = (rect) => [...box(rect), hex(getComputedStyle(rect).fill),
    hex(getComputedStyle(rect).stroke)];
  const all = (query) => ["scene", "overhead"].flatMap((name) =>
    [...part(name).querySelectorAll(query)]);
  const shown = (text) => getComputedStyle(text).display !== "none" && text.textContent.trim();
  const lines = [...part("lines").children].flatMap((group) => {
    const [curves, heads] = group.children;
    const color = hex(getComputedStyle(curves).stroke);
    const starts = curves.getAttribute("d").match(/M[^LQC]+/g);
    const arrows = heads ? heads.getAttribute("d").match(/M/g).length : 0;
    return starts.map((start, i) => [start.slice(1).trim(), color, number(curves, "stroke-width"),
      i < arrows]);
  });
  return {
    lines,
    words: [".word", ".chip text", ".gauge text"].flatMap(all).filter(shown).map((text) => [
      text.textContent.trim(), number(text, "x"), number(text, "y"),
      hex(getComputedStyle(text).fill), parseFloat(getComputedStyle(text).fontSize),
    ]),
    chips: all(".chip rect").map(look),
    bars: [...part("scene").querySelectorAll(".gauge rect:not(.track)")].map(look),
    grounds: [...part("grounds").children].map(look),
    marks: ["goals", "stale"].map((name) => part(name).getAttribute("d").match(/M[^hv]+/g) ?? []),
  };
}))"""


def corner(box: Box) -> list[float]:
    """Left, top, width and height."""
    return [box.left, box.top, box.width, box.height]


def assert_lines(seen: list[Any], board: Storyboard, step: int) -> None:
    """As many lines of each color and width, and each from where it begins."""
    lines = scenery_shapes.strokes(board.scenery, step, False, DARK)
    found = [line for line in lines if not is_hatch(line)]
    kinds = Counter((line.color, round(line.width, 2)) for line in found)
    assert Counter((color, round(width, 2)) for _, color, width, _ in seen) == kinds
    arrows = Counter(line.color for line in found if line.arrow)
    assert Counter(color for _, color, _, arrow in seen if arrow) == arrows
    starts = Counter((*(round(at, 1) for at in line.points[0]), line.color) for line in found)
    at = Counter((*map(float, start.split()), color) for start, color, _, _ in seen)
    assert at == starts


def is_hatch(stroke: Stroke) -> bool:
    """Whether it is of a hatch, which the page draws as a pattern."""
    return (stroke.color, stroke.width) == (DARK.link, 1.6)


def assert_words(seen: list[Any], board: Storyboard, step: int) -> None:
    """The same text in the same places, colors and sizes."""
    found = [t for t in scenery_shapes.moment_text(board.scenery, step, False, DARK) if t.text]
    assert [(text, color) for text, _, _, color, _ in seen] == [(t.text, t.color) for t in found]
    for (*_, x, y, _, size), line in zip(seen, found, strict=True):
        assert (x, y, size) == pytest.approx((line.x, line.baseline, line.size), abs=0.1)


def assert_boxes(seen: dict[str, Any], board: Storyboard, step: int) -> None:
    """Chips and gauges, border and filling."""
    found = list(scenery_shapes.moment_boxes(board.scenery, step, False, DARK))
    plain = [chip for chip in board.scenery.chips if not chip.hatched]
    chips, gauges = found[: 2 * len(plain)], found[2 * len(plain) :]
    colors = [
        (inner.color, edge.color)
        for edge, inner in zip(chips[: len(plain)], chips[len(plain) :], strict=True)
    ]
    places = [corner(chip.box) for chip in board.scenery.chips]
    hatched = [chip.hatched for chip in board.scenery.chips]
    filled = [look for look, idle in zip(seen["chips"], hatched, strict=True) if not idle]
    assert [tuple(look[4:]) for look in filled] == colors
    for look, place in zip(seen["chips"], places, strict=True):
        assert look[:4] == pytest.approx(place, abs=2.3)
    growing = [box for box in gauges if box.color != DARK.well]
    assert [look[4] for look in seen["bars"] if look[2]] == [box.color for box in growing]
    for look, box in zip((bar for bar in seen["bars"] if bar[2]), growing, strict=True):
        assert look[:4] == pytest.approx(corner(box.box), abs=0.1)


def assert_grounds(seen: list[Any], board: Storyboard) -> None:
    """What is behind the cards."""
    for look, ground in zip(seen, board.scenery.grounds, strict=True):
        assert look[:4] == pytest.approx(corner(ground.box), abs=0.1)
        edge = DARK.tone(ground.edge) if ground.edge else "#"
        assert look[4:] == [DARK.tone(ground.fill or "background"), edge]


def assert_marks(seen: list[list[str]], board: Storyboard, step: int) -> None:
    """Bars below the cells that are promised, veils over those that matter no more."""
    cards, stale = board.scenery.cards, board.stale(step)
    bars = [goal_bar(cards[node].cell(well)) for node, well in board.goals]
    veils = [cards[node].cell(well) for node, well in stale]
    for starts, boxes in zip(seen, (bars, veils), strict=True):
        at = [tuple(map(float, start[1:].split())) for start in starts]
        for axis, name in enumerate(("left", "top")):
            expected = sorted(getattr(box, name) for box in boxes)
            assert sorted(place[axis] for place in at) == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("ranks", [4, 8, 16, 32] if THOROUGH else [8])
def test_the_scenery_is_that_of_the_film_in_every_state(ranks, open_page):
    """Everything in which pictures differ; `make thorough`: all."""
    families = set()
    for row in few(rows_on(ranks, every=ranks == 8), "scenery"):
        board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
        if board.scenery.table:
            continue
        families.add(board.scenery.family)
        seen = json.loads(open_page(board).evaluate(SCENE, len(board.frames)))
        for step, scene in enumerate(seen):
            assert_lines(scene["lines"], board, step)
            assert_words(scene["words"], board, step)
            assert_boxes(scene, board, step)
            assert_grounds(scene["grounds"], board)
            assert_marks(scene["marks"], board, step)
    assert len(families) > 2


def test_words_of_a_step_under_way_are_still_those_before_it(open_page):
    """Brackets and gauges change as the data lands; the lines of a step are lit at once."""
    board = proved_storyboard(record("all_reduce", "recursive-doubling", ranks=8))
    page = open_page(board, motion=True)
    page.clock.pause_at(1000)
    lit = "[...document.querySelectorAll('[data-part=lines] .arrow')].length > 0"
    alike = """[...document.querySelectorAll('.word')].filter((word) =>
      getComputedStyle(word).display !== 'none').map((word) => word.textContent)"""
    assert not page.evaluate(lit)
    before = page.evaluate(alike)
    page.keyboard.press("ArrowRight")
    page.clock.run_for(400)
    assert page.evaluate(lit)
    assert page.evaluate(alike) == before
    page.clock.run_for(2000)
    assert page.evaluate(lit)
    assert page.evaluate(alike) != before
