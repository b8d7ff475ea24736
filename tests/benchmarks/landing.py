"""How soon the landing page of the site moves, and judges a changed line, beside an empty page."""

from __future__ import annotations

import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from animations.site import build_site
from tests.benchmarks.measure import line
from tests.benchmarks.page import BROWSERS, FLAGS

OPENINGS = 5
CUT = ("barrier",)
MOVES = re.compile(r"^Step 1 of \d+")


def opening() -> Iterator[str]:
    """Medians from asking for the page, and from asking for the first verdict."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site, empty = Path(name) / "site", Path(name) / "empty.html"
        build_site(site, CUT)
        empty.write_text("<!doctype html><p>Step 1 of 1</p>", "utf-8")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        times = [_opened(browser, site / "index.html", empty) for _ in range(OPENINGS)]
        browser.close()
    peer, moves, verdict = (statistics.median(each) for each in zip(*times, strict=True))
    how = f"{moves:.2f} s against {peer:.2f} s"
    yield line("landing page moves", f"{moves / peer:.1f} x an empty page", "<= 1 s", how)
    how = f"{verdict:.2f} s, with the start of Python"
    yield line("first verdict", f"{verdict / peer:.1f} x an empty page", "<= 3 s", how)


def _opened(browser: Browser, page_file: Path, empty: Path) -> tuple[float, float, float]:
    """Seconds until the empty page stands, until the player moves, from Run to the verdict."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    begin = time.perf_counter()
    page.goto(empty.as_uri())
    page.get_by_text(MOVES).wait_for()
    peer = time.perf_counter() - begin
    begin = time.perf_counter()
    page.goto(page_file.as_uri(), wait_until="commit")
    player = page.frame_locator("#first")
    player.get_by_text(MOVES).wait_for()
    moves = time.perf_counter() - begin
    player.get_by_label("Code of the schedule").press("Control+End")
    page.keyboard.type("# mine")
    begin = time.perf_counter()
    player.get_by_role("button", name="Run").click()
    player.get_by_text("not tried yet").wait_for(state="hidden")
    verdict = time.perf_counter() - begin
    page.close()
    return peer, moves, verdict
