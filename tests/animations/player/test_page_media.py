"""The page on what readers have: narrow columns, paper, forced colors, light systems, readers."""

import io
import linecache
import re
from typing import Any

import numpy as np
import pytest
from contrast import contrast, luminance
from PIL import Image
from playwright.sync_api import Page, expect

from animations.drawing.theme import DARK, LIGHT, THEMES, Theme
from animations.player.page import write_page
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from collectives import record, send

GO = """(step) => document.querySelector("#player").dispatchEvent(
  new CustomEvent("goto", { detail: step }))"""
PLACES = """() => {
  const box = (query) => document.querySelector(query).getBoundingClientRect();
  const [board, code] = [box(".board"), box(".code")];
  const over = [...document.querySelectorAll(
    "h1, [data-part=subtitle], [data-part=caption], [data-part=note], .code .line, .row")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1);
  return {
    beside: code.left >= board.right && code.top < board.bottom,
    below: code.top >= board.bottom,
    sideways: document.documentElement.scrollWidth - innerWidth,
    over: over.map((element) => element.dataset.part ?? element.className),
    board: board.width / innerWidth,
  };
}"""
NAME = "a_function_with_a_long_name_" * 3 + "broadcast"


def own(name: str, docstring: str, comment: str) -> Storyboard:
    """The storyboard of a broadcast with these words."""
    lines = [
        "def own(ranks):\n",
        f'    """{docstring}"""\n',
        f"    # {comment}\n",
        "    yield send(0, range(1, ranks))\n",
    ]
    lines[0] = lines[0].replace("own", name if name.isidentifier() else "own")
    linecache.cache["<words>"] = (1, None, lines, "<words>")
    names: dict[str, Any] = {"send": send}
    exec(compile("".join(lines), "<words>", "exec"), names)
    steps = next(made for key, made in names.items() if key in (name, "own"))(4)
    return proved_storyboard(record(steps, name, collective="broadcast", ranks=4, slots=1))


def long_words() -> Storyboard:
    comment = "every rank of the others gets what the root has at its start " * 4
    return own(NAME, "Each rank has the data of the root. " * 5, comment)


def ring(ranks: int) -> Storyboard:
    return proved_storyboard(record("all_reduce", "ring", ranks=ranks))


@pytest.mark.parametrize("board", [long_words, lambda: ring(16), lambda: ring(128)])
def test_source_is_beside_the_picture_from_700_pixels_on(board, open_page):
    """And nothing is wider than the page, down to 320 pixels, nor cut off."""
    page = open_page(board())
    page.evaluate(GO, 1)
    for width in (320, 360, 480, 699, 700, 760, 959, 960, 1366):
        page.set_viewport_size({"width": width, "height": 700})
        found = page.evaluate(PLACES)
        assert (found["beside"], found["below"]) == (width >= 700, width < 700), width
        assert (found["sideways"], found["over"]) == (0, []), width
        assert found["board"] >= (0.55 if width >= 700 else 0.9), width


def seen(page: Page, *queries: str) -> list[bool]:
    return [page.locator(query).first.is_visible() for query in queries]


def canvas_color(page: Page) -> tuple[int, ...]:
    """The color of the first square of the matrix."""
    ink = "document.querySelector('canvas').getContext('2d')"
    found = page.evaluate(f"[...{ink}.getImageData(1, 1, 1, 1).data]")
    page.trouble.clear()  # which has a hint that pixels can be read faster
    return tuple(found[:3])


def rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color[1:]))


def test_paper_is_light_and_has_no_buttons(open_page):
    page = open_page(ring(80), own=True)
    page.evaluate(GO, 3)
    caption = page.locator("[data-part=caption]").text_content()
    parts = (".tools", "[data-part=scrub]", ".board", ".code", ".counters", ".legend")
    assert seen(page, *parts) == [True] * 6
    dark = canvas_color(page)
    page.emulate_media(media="print")
    expect(page.locator("#player")).to_have_attribute("data-theme", "light")
    assert seen(page, *parts) == [False] * 2 + [True] * 4
    assert page.locator("[data-part=caption]").text_content() == caption
    assert (dark, canvas_color(page)) == (rgb(DARK.levels[1]), rgb(LIGHT.levels[1]))
    page.emulate_media(media="screen")
    expect(page.locator("#player")).to_have_attribute("data-theme", "dark")
    assert seen(page, ".tools") == [True]
    assert canvas_color(page) == dark
    page.context.close()


def test_the_page_follows_the_system_unless_a_theme_was_asked_for(tmp_path, open_page):
    page = open_page(ring(4), own=True)
    root = page.locator("#player")
    expect(root).to_have_attribute("data-theme", "dark")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(root).to_have_attribute("data-theme", scheme)
    write_page(ring(4), tmp_path / "asked.html", "light")
    page.goto((tmp_path / "asked.html").as_uri())
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        expect(root).to_have_attribute("data-theme", "light")
    page.context.close()


FORCED = """() => {
  const style = (query, name) => getComputedStyle(document.querySelector(query))[name];
  return {
    line: [style(".code .now", "color"), style(".code .now", "backgroundColor")],
    bar: [style(".counters .bar", "backgroundColor"), style(".counters .track", "backgroundColor")],
    timeline: [style(".timeline .bar", "backgroundColor"), style(".sheet", "backgroundColor")],
    left: [style(".timeline .track", "backgroundColor"), style(".collectives", "backgroundColor")],
    button: [style(".tools button", "color"), style(".collectives", "backgroundColor")],
    picture: [style(".board", "backgroundColor"), style(".stripe", "fill")],
  };
}"""


def test_forced_colors_leave_nothing_invisible(open_page):
    """The system's colors for all but the picture, which stands on a ground of its own."""
    page = open_page(ring(4), own=True)
    page.evaluate(GO, 2)
    page.emulate_media(forced_colors="active")
    found = page.evaluate(FORCED)
    assert found.pop("picture") == [f"rgb{rgb(DARK.background)}", f"rgb{rgb(DARK.ranks[0])}"]
    for name, (one, other) in found.items():
        assert one != other, name
    page.context.close()


HOSTILE = "x\u202e\u2066\x1b[2J\x07y\u200f<b>"
SAID = """() => [document.title, document.body.textContent, document.body.innerHTML].join("\\n")"""


def test_what_turns_the_direction_of_text_is_seen_as_its_escape(open_page):
    page = open_page(own(f"own {HOSTILE}", f"Doc {HOSTILE} of it.".replace("\x1b", ""), HOSTILE))
    for step in (0, 1):
        page.evaluate(GO, step)
        said = page.evaluate(SAID)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]", said)
    assert r"x\u202e\u2066\x1b[2J\x07y\u200f<b>" in page.locator("h1").text_content()
    assert page.locator("b:not(.lower b)").count() == 0


COUNTED = """(steps) => {
  const parts = ["caption", "note"].map((part) => document.querySelector(`[data-part=${part}]`));
  const counts = [0, 0];
  const observers = parts.map((part, i) => new MutationObserver(() => counts[i]++));
  observers.forEach((observer, i) =>
    observer.observe(parts[i], { childList: true, characterData: true, subtree: true }));
  const walk = async () => {
    for (let step = 1; step <= steps; step++) {
      document.querySelector("#player").dispatchEvent(new CustomEvent("goto", { detail: step }));
      await null;
    }
    return counts;
  };
  return walk();
}"""


def test_a_note_that_stays_is_announced_once(open_page):
    """Notes of the seven steps of each phase are the same; the last step has the ending."""
    board = ring(8)
    page = open_page(board)
    live = page.locator("[aria-live=polite]")
    assert {"caption", "note"} <= {each.get_attribute("data-part") for each in live.all()}
    assert page.evaluate(COUNTED, len(board.frames)) == [14, 3]


MARKS = """() => [...document.querySelectorAll(".phase")].map((phase) => [
  Number(phase.style.getPropertyValue("--marks")),
  parseFloat(getComputedStyle(phase.querySelector(".name")).fontSize),
  phase.querySelector(".name").scrollWidth <= phase.querySelector(".name").clientWidth,
])"""


@pytest.mark.parametrize(("ranks", "marks"), [(65, 64), (80, 15.8)])
def test_a_timeline_of_many_steps_is_read_and_used(ranks, marks, open_page):
    page = open_page(ring(ranks), size=(1366, 650))
    assert [phase[0] for phase in page.evaluate(MARKS)] == pytest.approx([marks] * 2)
    assert all(size >= 12 and fits for _, size, fits in page.evaluate(MARKS))
    bar = page.get_by_role("slider", name="Step")
    bar.focus()
    steps = []
    for key in ("ArrowRight", "PageUp", "ArrowLeft", "End"):
        page.keyboard.press(key)
        steps.append(int(bar.input_value()))
    total = 2 * (ranks - 1)
    assert (steps[0], steps[1] - steps[2], steps[3]) == (1, 1, total)
    assert steps[1] >= total // 10
    assert bar.evaluate("(bar) => getComputedStyle(bar).outlineStyle") == "solid"


STARTS = """() => {
  const stage = document.querySelector(".stage").getScreenCTM();
  const marks = document.querySelector(".collectives").collectives.drawn();
  return marks.map(({ node, x, y, width, height }) => {
    const [from, to] = [[x, y], [x + width, y + height]].map(([x, y]) =>
      new DOMPoint(x, y).matrixTransform(stage));
    return [node, from.x, from.y, to.x, to.y];
  });
}"""
THEME = """(root, theme) => {
  const { store } = root.collectives;
  if (store.state.theme !== theme) store.act({ kind: "theme" });
}"""


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [
        ("all_reduce", "ring", 64),
        ("all_reduce", "nvls", 33),
        ("reduce", "leftward-ring", 48),
        ("gather", "tree", 48),
    ],
)
def test_the_start_of_many_ranks_is_seen(collective, algorithm, ranks, open_page):
    """In the cells of each rank some pixels have a contrast of 3 : 1 with the well."""
    page = open_page(
        proved_storyboard(record(collective, algorithm, ranks=ranks)), size=(1366, 650)
    )
    for theme in (DARK, LIGHT):
        page.locator("#player").evaluate(THEME, name_of(theme))
        seen = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")) / 255
        contrasts = contrast(luminance(seen), luminance(np.array(rgb(theme.well)) / 255))
        marked = dict.fromkeys(range(ranks), 0)
        for node, left, top, right, bottom in page.evaluate(STARTS):
            area = contrasts[int(top) : int(np.ceil(bottom)), int(left) : int(np.ceil(right))]
            marked[node] += int((area >= 3).sum())
        few = {node: pixels for node, pixels in marked.items() if pixels < 8}
        assert few == {}, name_of(theme)


def name_of(theme: Theme) -> str:
    return next(name for name, each in THEMES.items() if each is theme)
