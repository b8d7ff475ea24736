"""What makes the page fast changes nothing that is seen, and lasts."""

import base64
import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import CDPSession, Page
from settings import THOROUGH

from animations.story.compose import proved_storyboard
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
    for size in ((1280, 720), (360, 640))[0 if THOROUGH or ranks == 16 else 1 :]:
        page = open_page(board, size=size)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("d")
        page.keyboard.press("d")  # from here on nothing of the page moves
        for _ in range(ranks):
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


# Plays on and on, four times as fast; `told` has each step and when it came.
PLAY = """() => {
  const root = document.querySelector("#player");
  const { store } = Object.assign(window, root.collectives);
  const play = () => store.state.playing || store.act({ kind: "play" });
  window.told = [];
  root.addEventListener("step", ({ detail }) => window.told.push([detail, Date.now()]));
  root.addEventListener("playing", ({ detail }) => detail || setTimeout(play));
  for (let i = 0; i < 2; i++) store.act({ kind: "speed" });
  play();
}"""
SECONDS = 900 if THOROUGH else 15  # of 2,000 steps, and of some


def weighed(page: Page, session: CDPSession) -> tuple[float, float]:
    """Nodes and bytes that a page has once it comes to a certain step, without its garbage."""
    while not page.evaluate("store.state.step === 8 && store.state.part === 1"):
        page.clock.run_for(50)
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Performance.getMetrics")["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    return found["Nodes"], found["JSHeapUsedSize"]


def test_playing_on_and_on_never_sticks_nor_grows(open_page):
    """With motion, and from the end to the start again; first as long as compiled code grows."""
    board = proved_storyboard(record("all_reduce", "ring", ranks=8))
    page = open_page(board, motion=True)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.clock.pause_at(1000)
    page.evaluate(PLAY)
    page.clock.run_for(200_000 if THOROUGH else 7_000)
    nodes, heap = weighed(page, session)
    page.evaluate("window.told = []")
    page.clock.run_for(1000 * SECONDS)
    told = page.evaluate("window.told.splice(0)")
    assert len(told) > 2 * SECONDS
    for (step, begin), (following, end) in pairwise(told):
        assert following == (step + 1) % (len(board.frames) + 1)
        assert 100 < end - begin < 500
    more_nodes, more_heap = weighed(page, session)
    assert more_nodes <= nodes + 20
    assert more_heap <= heap + (250_000 if THOROUGH else 500_000)
