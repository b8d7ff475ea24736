"""Presenting a page: the picture alone, the keys of a clicker, phases, a window of notes."""

import pytest
from playwright.sync_api import Page

from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from collectives import record

WINDOWS = [(1366, 768), (1280, 720), (800, 600), (360, 740)]


@pytest.fixture
def board() -> Storyboard:
    return proved_storyboard(record("all_reduce", "ring", ranks=8))


def step(page: Page) -> int:
    return int(page.locator("[data-part=scrub]").input_value())


def test_a_clicker_steps_only_while_the_page_is_presented(board, open_page):
    page = open_page(board)
    page.keyboard.press("PageDown")
    assert step(page) == 0
    page.keyboard.press("f")
    shown = []
    for key in ("PageDown", "PageDown", "Enter", "PageUp", "Shift+PageDown", "Shift+PageDown"):
        page.keyboard.press(key)
        shown.append(step(page))
    assert shown == [1, 2, 3, 2, 7, 14]  # the phases end with steps 7 and 14
    page.keyboard.press("Shift+PageUp")
    assert step(page) == 7
    page.locator("[data-part=board]").click()
    page.locator("[data-part=board]").click(modifiers=["Shift"])
    assert step(page) == 14
    page.keyboard.press("Escape")
    page.keyboard.press("PageUp")
    assert step(page) == 14
    assert page.locator("[data-part=next]").is_visible()


@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_the_picture_and_its_sentence_have_the_window_to_themselves(board, open_page, window):
    page = open_page(board, step=3)
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.keyboard.press("f")
    for part in ("next", "source", "help"):
        assert not page.locator(f"[data-part={part}]").is_visible()
    found = page.evaluate(
        """() => {
          const part = (name) => document.querySelector(`[data-part=${name}]`);
          const [stage, caption, ticks] = ["stage", "caption", "ticks"].map(part);
          const [above, below] = [stage, caption].map((each) => each.getBoundingClientRect());
          return {
            apart: below.top >= above.bottom - 1,
            inside: above.left >= 0 && above.right <= innerWidth + 1,
            size: parseFloat(getComputedStyle(caption).fontSize),
            wide: document.body.scrollWidth,
            low: ticks.getBoundingClientRect().bottom,
          };
        }"""
    )
    assert found["apart"] and found["wide"] <= window[0]
    if window[0] >= 800:  # on a phone the picture is moved within its own box
        assert found["inside"]
        assert found["low"] <= window[1] + 1  # nothing is below the window
        assert found["size"] >= window[1] / 32


def test_notes_say_the_sentence_and_the_next_one_and_their_keys_step(board, open_page):
    page = open_page(board, step=3)
    with page.expect_popup() as opened:
        page.keyboard.press("w")
    notes = opened.value
    assert board.captions[3] in notes.inner_text("body")
    assert board.captions[4] in notes.inner_text("body")
    notes.keyboard.press("ArrowRight")
    assert step(page) == 4
    assert "4 / 14" in notes.inner_text("h1")
    notes.close()
    page.keyboard.press("ArrowRight")
    assert step(page) == 5


def test_keys_in_a_field_are_the_fields(board, open_page):
    page = open_page(board)
    page.keyboard.press("m")
    page.locator("[data-part=target]").focus()
    page.keyboard.press("f")
    assert not page.locator(".presenting").count()
