"""What makes the page fast changes nothing that is seen, and lasts."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page
from settings import THOROUGH

from animations.story.storyboard import proved_storyboard
from collectives import record


def pixels(page: Page) -> np.ndarray:
    """The colors on the canvas, each as strong as it is opaque, and how opaque."""
    url = page.evaluate("document.querySelector('canvas').toDataURL()")
    found = np.array(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))), float)
    found[..., :3] *= found[..., 3:] / 255
    return found


@pytest.mark.parametrize("ranks", [8, 16, 17, 32, 64] if THOROUGH else [16, 64])
def test_cells_painted_one_by_one_look_as_if_painted_together(ranks, open_page):
    """Also where the pixels of neighbors meet, as in a narrow window."""
    board = proved_storyboard(record("all_reduce", "ring", ranks=ranks))
    for size in ((1280, 720), (360, 640)):
        page = open_page(board, size=size)
        for _ in range(ranks + 1):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        seen = pixels(page)
        page.keyboard.press("d")
        page.keyboard.press("d")  # paints all of it
        assert np.abs(pixels(page) - seen).max() < 4


HASH = "location.hash"


def test_the_address_follows_once_steps_rest_or_somebody_looks(open_page):
    page = open_page(proved_storyboard(record("all_reduce", "ring", ranks=4)), step=2)
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))"
    assert page.evaluate(f"{press}, {HASH}") == "#step=2"
    page.wait_for_url("**#step=3")
    for kind in ("copy", "blur", "pagehide"):
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        look = f"{press}, dispatchEvent(new Event('{kind}')), {HASH}"
        assert page.evaluate(look) == "#step=2", kind
    busy = "(() => { const end = Date.now() + 400; while (Date.now() < end); })()"
    assert page.evaluate(f"{press}, {busy}, location.hash = '#step=1', {HASH}") == "#step=1"
    page.wait_for_timeout(100)  # what was to be named before is not
    assert page.evaluate(HASH) == "#step=1"
    assert page.locator("[data-part=scrub]").input_value() == "1"
