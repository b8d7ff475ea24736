"""Pages of every width: the stage has a place of its own, and nothing lies on anything else."""

from collections.abc import Callable

import pytest
from mistakes import recorded
from playwright.sync_api import Page
from settings import THOROUGH

from animations.player.catalog import write_catalog
from animations.story.usual import usual_board
from collectives import record
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.schedule.spmd import Recv, Send

BREAKPOINTS = (480, 700, 960, 1100)  # at which the styles change what stands where
WIDTHS = sorted(
    {320, 830, 1366, 1920, *(edge + by for edge in BREAKPOINTS for by in (-1, 0))}
    | set(range(320, 1921, 40) if THOROUGH else ())
)
TROUBLE = """() => {
  const LEADING = 4; // of a line of letters, which has nothing in it
  const parts = ["#picker", "#times", "[data-part=title]", "[data-part=subtitle]",
    "[data-part=reason]", ".board",
    "[data-part=caption]", "[data-part=note]", ".tools", ".timeline", ".question", ".story",
    "[data-part=source]", "[data-part=script]", ".space", ".bench", ".counters:not(.diagnosis)",
    ".diagnosis", ".legend", ".transfers", ".programs", ".machine"];
  const seen = parts.flatMap((name) => {
    const part = document.querySelector(name);
    const box = part?.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect();
    return box && box.width && box.height ? [{ name, part, box }] : [];
  });
  const stage = seen.find(({ name }) => name === ".board");
  const { width, height } = stage?.box ?? { width: 0, height: 0 };
  const found = width < 0.4 * Math.min(innerWidth, 960) || height < width / 2
    ? [`the stage is ${width} x ${height}`] : [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the window scrolls sideways");
  seen.forEach(({ name, part, box }, at) => {
    if (box.left < 0 || box.right > innerWidth) found.push(`${name} ends outside the window`);
    const cut = part instanceof HTMLElement && part.scrollWidth > part.clientWidth + 1;
    const narrow = part.closest(".sheet")?.clientWidth < 960; // as its style sheet asks
    const scrolls = [".timeline", narrow && ".board"].includes(name);
    if (cut && !scrolls) found.push(`${name} is wider than its place`);
    for (const other of seen.slice(at + 1)) {
      if ([name, other.name].includes(".tools")) continue; // they stick to the window's foot
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (wide > 1 && high > LEADING) found.push(`${name} lies on ${other.name}`);
    }
  });
  return found;
}"""


def chain_broadcast(rank, n):
    if rank:
        yield Recv(rank - 1, count=n)
    if rank < n - 1:
        yield Send(rank + 1, count=n)


def in_all_widths(page: Page) -> dict[int, list[str]]:
    """What is wrong with the page at each width; nothing at those that are missing."""
    trouble = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if found := page.evaluate(TROUBLE):
            trouble[width] = found
    return trouble


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def skip(page: Page) -> None:
    press(page, "End")
    page.get_by_role("button", name="Skip").click()


def skip_all(page: Page) -> None:
    skips = page.get_by_role("button", name="Skip")
    press(page, "End")
    while skips.count():
        skips.click()
        press(page, "End", "End")
    press(page, "q")


ASKED = ("all_reduce", "ring"), ("all_to_all", "pairwise"), ("broadcast", "tree")
STATES: dict[str, Callable[[Page], None]] = {
    "asks": lambda page: press(page, "End"),
    "answers": skip,
    "score": skip_all,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ASKED if THOROUGH else ASKED[:1])
def test_a_question_has_a_place_of_its_own_at_every_width(name, state, open_page):
    page = open_page(usual_board(record(*name, ranks=8), asks=True))
    STATES[state](page)
    assert page.locator(".question").is_visible()
    assert in_all_widths(page) == {}


RING = record("all_reduce", "ring", ranks=8)
PAGES = {
    "schedule": lambda: RING,
    "wrong": lambda: recorded("missed_fold_all_reduce"),
    "programs": lambda: OwnAlgorithm(chain_broadcast).record(4, 0),
    "two trees": lambda: record("all_reduce", "double_binary_tree", ranks=8),  # small letters
}
KEYS = ("", "b", "x", "t", "Shift+ArrowRight", "m", "m x")


@pytest.mark.parametrize("name", PAGES)
def test_nothing_lies_on_anything_else_at_any_width(name, open_page):
    board = usual_board(PAGES[name]())
    for key in KEYS if THOROUGH or name == "schedule" else KEYS[:1]:
        page = open_page(board)
        press(page, *key.split())
        assert in_all_widths(page) == {}, key


@pytest.mark.parametrize("wide", [360, 390])
def test_what_a_step_does_is_seen_on_a_phone_without_scrolling(wide, open_page):
    page = open_page(usual_board(RING), size=(wide, 800))
    assert page.locator("[data-part=reason]").is_visible()
    press(page, "ArrowRight")
    caption, tools = (
        page.locator(part).bounding_box() for part in ("[data-part=caption]", ".tools")
    )
    assert caption["y"] + caption["height"] <= tools["y"]


def test_a_page_of_several_recordings_has_its_parts_side_by_side_or_below(open_page, tmp_path):
    shown = [record("all_reduce", name, ranks=4) for name in ("ring", "tree")]
    boards = [(recording, usual_board(recording)) for recording in shown]
    page = open_page(boards[0][1])
    write_catalog(boards, tmp_path / "catalog.html")
    page.goto((tmp_path / "catalog.html").as_uri())
    page.wait_for_selector(".sheet")
    assert in_all_widths(page) == {}
