"""How soon the page shows a step that a key asks for, in a real browser, and how large it is."""

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from animations.player.page import page as html
from animations.story.storyboard import proved_storyboard
from collectives import record
from tests.benchmarks.measure import line

STEPS = 80
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# From the event to the task after the first frame that is painted with what it changed.
REPAINT = """async (steps) => {
  const key = (name) => new Promise((done) => {
    document.addEventListener("keydown", (event) => {
      const task = new MessageChannel();
      task.port1.onmessage = () => done(performance.now() - event.timeStamp);
      requestAnimationFrame(() => task.port2.postMessage(0));
    }, { once: true, capture: true });
    document.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  });
  const times = [];
  const slider = document.querySelector("input[type=range]");
  for (let direction = "ArrowRight"; times.length < steps; ) {
    if (slider.value === slider.max) direction = "ArrowLeft";
    if (slider.value === "0") direction = "ArrowRight";
    times.push(await key(direction));
    await new Promise((done) => setTimeout(done, 33 + 17 * Math.random()));
  }
  return times;
}"""


def repaint() -> Iterator[str]:
    """Milliseconds from key to painted step of the ring all-reduce, and sizes of its page.

    Steps follow each other as fast as by a key that is held down.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        yield "page: no chromium or google-chrome on the PATH"
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        for ranks, limit in ((8, 65), (16, None), (64, 150)):
            yield from _measured(browser, ranks, limit)
        browser.close()


def _measured(browser: Browser, ranks: int, limit: int | None) -> Iterator[str]:
    text = html(proved_storyboard(record("all_reduce", "ring", ranks=ranks)))
    times = sorted(_open(browser, text).evaluate(REPAINT, STEPS))
    p50, p95 = statistics.median(times), times[int(0.95 * len(times))]
    yield line(
        f"page of the ring, {ranks} ranks: from key to paint",
        f"{p50:.1f} ms, p95 {p95:.1f} ms",
        "<= 20, 40 ms",
        f"{STEPS} steps in Chromium, each drawn whole",
    )
    if limit is not None:
        size = f"{len(text.encode()) / 1000:.1f} kB"
        yield line(f"page of the ring, {ranks} ranks", size, f"<= {limit} kB", "the HTML file")


def _open(browser: Browser, text: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text)
        page.goto(path.as_uri())
        page.wait_for_selector(".sheet")
    return page
