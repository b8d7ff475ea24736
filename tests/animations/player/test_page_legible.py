"""Small screens and low frames: letters, what a finger touches, buttons that stay in reach."""

import pytest
from settings import THOROUGH

from animations.story.usual import usual_board
from collectives import record

NARROW = [(320, 640), (360, 740), (414, 800), (768, 1024)]
LOW = [(640, 360), (683, 384), (800, 400), (960, 400), (1280, 400)]  # 1280 x 720, 1366 x 768 by 2 …
CASES = [("all_reduce", "ring", 8), ("broadcast", "tree", 8), ("all_reduce", "ring", 16)]
MORE = [("all_to_all", "pairwise", 8), ("all_reduce", "ring", 64), ("scatter", "tree", 16)]
SMALL = """() => {
  const walker = document.createTreeWalker(document.querySelector("#player"), NodeFilter.SHOW_TEXT);
  const small = [];
  for (let text; (text = walker.nextNode()); ) {
    const part = text.parentElement;
    if (!text.data.trim() || part.closest(".unseen, .aloud, dialog")) continue;
    if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const matrix = part.getScreenCTM?.();
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(part).fontSize) * scale;
    if (size < 8.99) small.push(`${text.data} ${size}`);
  }
  return small;
}"""
PAINTED = """() => {
  const scale = document.querySelector(".stage").getScreenCTM().a;
  const calls = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    calls.push(scale * parseFloat(this.font.split(" ").at(1)));
    return fillText.call(this, text, ...rest);
  };
  const { store } = document.querySelector("#player").collectives;
  store.act({ kind: "theme" });
  CanvasRenderingContext2D.prototype.fillText = fillText;
  return calls.filter((size) => size < 8.99);
}"""
TARGETS = """() => {
  const all = ["button:not(.tick)", "input", "select", ...(innerWidth < 960 ? [".numbers"] : [])];
  return [...document.querySelectorAll(all.join())].flatMap((part) => {
    if (!part.checkVisibility({ visibilityProperty: true })) return [];
    const { width, height } = part.getBoundingClientRect();
    const name = part.dataset.part ?? part.textContent;
    return Math.min(width, height) < 23.9 ? [`${name} ${width} x ${height}`] : [];
  });
}"""
REACHED = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [stage, tools] = [".stage", ".tools"].map(box);
  const seen = stage.bottom > 40 && stage.top < innerHeight;
  const next = box("[data-part=next]");
  const on = document.elementFromPoint((next.left + next.right) / 2, (next.top + next.bottom) / 2);
  const { scrollWidth, clientWidth } = document.querySelector(".tools");
  const inside =
    tools.top >= 0 && tools.bottom <= innerHeight + 0.5 && scrollWidth <= clientWidth;
  return !seen || (inside && !!on?.closest("[data-part=next]"));
}"""
SCROLL = """(part) => scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight))"""
IN_VIEW = """() => {
  const { store } = document.querySelector("#player").collectives;
  const board = document.querySelector(".board").getBoundingClientRect();
  const [, numbers, , , , , , , followed] = store.story.frames[store.state.step - 1];
  const dst = numbers[9 * followed + 1];
  const card = document.querySelector(`.card[data-node="${dst}"]`).getBoundingClientRect();
  return board.left < card.left + card.width / 2 && card.left + card.width / 2 < board.right;
}"""


@pytest.mark.parametrize("wide", [960, 1366])
def test_a_long_source_is_legible_and_scrolls(wide, open_page):
    page = open_page(usual_board(record("all_to_all", "bruck", ranks=8)), size=(wide, 700))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(SMALL) == []
    panel, line = (
        page.locator(part).bounding_box() for part in ("[data-part=source]", ".line.now")
    )
    assert panel["y"] <= line["y"] and line["y"] + line["height"] <= panel["y"] + panel["height"]


@pytest.mark.parametrize("case", CASES + MORE if THOROUGH else CASES)
def test_letters_of_phones_and_tablets_are_legible_and_fingers_find_all(case, open_page):
    *name, ranks = case
    page = open_page(usual_board(record(*name, ranks=ranks)))
    for wide, high in NARROW:
        page.set_viewport_size({"width": wide, "height": high})
        for key in ("Home", "n"):
            page.keyboard.press(key)
            assert page.evaluate(SMALL) == [], (wide, key)
            assert page.evaluate(PAINTED) == [], (wide, key)
        assert page.evaluate(TARGETS) == [], wide
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), wide


def test_a_phone_shows_the_ranks_of_the_transfer_that_is_spoken_of(open_page):
    page = open_page(usual_board(record("all_reduce", "ring", ranks=8)), size=NARROW[0])
    for _ in range(3):
        page.keyboard.press("n")
        assert page.evaluate(IN_VIEW)
    small, framed = page.locator(".overview svg"), page.locator(".overview .view")
    for part in (0.98, 0.02):  # where it is pressed, from the left
        box = small.bounding_box()
        page.mouse.click(box["x"] + part * box["width"], box["y"] + 20)
        at = "board => board.scrollLeft / (board.scrollWidth - board.clientWidth)"
        assert round(page.locator(".board").evaluate(at)) == round(part)
        drawn = framed.bounding_box()
        middle = (drawn["x"] + drawn["width"] / 2 - box["x"]) / box["width"]
        assert (middle > 0.5) == (part > 0.5), "the frame is where the window is"
    page.set_viewport_size({"width": 1366, "height": 768})
    assert small.is_hidden()


@pytest.mark.parametrize("key", ["", "b"])
def test_buttons_are_in_reach_wherever_the_stage_is_seen(key, open_page):
    page = open_page(usual_board(record("all_reduce", "ring", ranks=8)))
    if key:
        page.keyboard.press(key)
    for wide, high in [*LOW, *NARROW]:
        page.set_viewport_size({"width": wide, "height": high})
        for part in (0, 0.25, 0.5, 0.75, 1):
            page.evaluate(SCROLL, part)
            assert page.evaluate(REACHED), (wide, high, part)
        assert page.evaluate(TARGETS) == [], (wide, high)
