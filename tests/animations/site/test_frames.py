"""What stands around a player on a page: what one takes away, its theme, print, axe, widths."""

import json
import re
from html import unescape
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect
from spread import THOROUGH

from animations.site.takeaways import CITATION
from collectives import load, record
from tests.animations.axe import violations

PLAYER = "players/flat-scatter-8"
PAGE = "algorithms/flat-scatter.html"
SLIDER, LAB = "lookup/scatter.html", "learn/lab-01_collectives.html"
WIDTHS = (320, 360, 768, 1366, 2560, 3440)
LARGEST = 1_500_000  # bytes of a page with its player
LOADS = re.compile(r'<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)="([^"]*)"')
BARE = ("players", "papers", "gallery.html", "reveal.html")  # with tests of their own


def pages(site):
    """All pages under THOROUGH, else those that differ most from others."""
    some = [site.folder / name for name in (PAGE, "index.html", "search.html", SLIDER, LAB)]
    paths = sorted(site.folder.rglob("*.html")) if THOROUGH else some
    return [path for path in paths if not set(BARE) & set(path.relative_to(site.folder).parts)]


@pytest.fixture
def shown(site, window):
    window.goto((site.folder / PAGE).as_uri())
    return window


@pytest.fixture
def own(site, browser):
    """A tab of a test alone, which puts a script into every page."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((site.folder / PAGE).as_uri())
    yield page
    context.close()


def test_steps_that_are_taken_away_are_those_of_the_player(site):
    taken, recording = load(site.folder / f"{PLAYER}.json"), record("scatter", "flat", ranks=8)
    links = [
        [(step.src.tolist(), step.dst.tolist()) for step in run.steps] for run in (taken, recording)
    ]
    assert links[0] == links[1]


def test_the_notebook_runs(site):
    notebook = json.loads((site.folder / f"{PLAYER}.ipynb").read_text("utf-8"))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            *lines, last = cell["source"].split("\n")
            exec("\n".join(lines), names)
            assert eval(last, names) is not None


def test_lines_embed_and_cite_the_player(site):
    text = (site.folder / PAGE).read_text("utf-8")
    lines = [
        unescape(line) for line in re.findall(r"<pre data-site[^>]*><code>(.*?)</code>", text, re.S)
    ]
    frame, element, address, entry = lines
    assert f'src="{PLAYER}.html#embed"' in frame and f'src="{PLAYER}.html#embed"' in element
    assert address == f"{PLAYER}.html#embed"
    assert (site.folder / "players" / "collective-player.js").is_file()
    cited = re.search(r"^version: (.*)$", (CITATION.parents[1] / CITATION.name).read_text(), re.M)
    assert f"version = {{{cited[1]}}}" in entry


def test_players_follow_the_theme_of_the_page(shown):
    sheet = shown.frame_locator("article iframe").locator("html")
    for theme in ("light", "dark"):
        shown.evaluate("(theme) => { document.body.dataset.theme = theme }", theme)
        expect(
            shown.frame_locator("article iframe").locator(f"[data-theme={theme}]").first
        ).to_be_visible()
    expect(sheet).to_have_count(1)


def test_on_paper_a_picture_stands_for_the_player(shown):
    picture = shown.locator("article img.printed-only")
    expect(picture).to_be_hidden()
    shown.emulate_media(media="print")
    expect(picture).to_be_visible()
    assert (
        picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth }") > 0
    )
    expect(shown.locator("article iframe")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_complains_of_nothing(site, shown, theme):
    first, each = (0, 1) if THOROUGH else (theme == "light", 2)  # every other page
    for path in pages(site)[first::each]:
        shown.goto(path.as_uri())
        shown.evaluate("(theme) => { document.body.dataset.theme = theme }", theme)
        assert not violations(shown, {path.name: []})


def test_no_page_scrolls_sideways(site, shown):
    for path in pages(site):
        shown.goto(path.as_uri())
        for width in WIDTHS:
            shown.set_viewport_size({"width": width, "height": 800})
            assert shown.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_a_page_with_its_player_is_small(site):
    """Without what search and the editor load when they are asked."""
    for path in site.folder.rglob("*.html"):
        loads = LOADS.findall(path.read_text("utf-8")) if "players" not in path.parts else []
        addresses = {unquote(urlsplit(each).path) for each in loads if not each.startswith("data:")}
        files = {(path.parent / address).resolve() for address in addresses}
        whole = sum(file.stat().st_size for file in {path, *files} if file.is_file())
        assert whole <= LARGEST or path.name == "gallery.html", (path, whole)


def test_the_lines_that_embed_a_player_play_in_a_page_of_ones_own(site, shown, tmp_path):
    """As a frame, and as an element, which keeps its height."""
    for line in shown.locator("article pre[data-site]").all_text_contents()[:2]:
        own, base = tmp_path / "own.html", f"<base href='{site.folder.as_uri()}/'>"
        own.write_text(f"<!doctype html><title>Own</title>{base}{line}")
        shown.goto(own.as_uri())
        assert shown.locator("iframe").get_attribute("src").count("embed") == 1
        shown.frame_locator("iframe").get_by_role("button", name=re.compile("^Play")).click()
        expect(shown.frame_locator("iframe").get_by_text("Step 1 of")).to_be_visible()


BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(
  window, name, { configurable: true, get() { throw new DOMException("blocked"); } })"""


def test_nothing_breaks_where_storage_is_blocked(site, own):
    wrong = []
    own.on("pageerror", lambda error: wrong.append(error))
    own.add_init_script(BLOCKED)  # as in a sandbox, which no file can be in
    for name in ("index.html", PAGE, "search.html?q=ring"):
        own.goto(f"{site.folder.as_uri()}/{name}")
        expect(own.locator("body[data-theme=auto]")).to_be_attached()
    expect(own.locator("#search-results li a").first).to_be_visible()
    own.locator(".theme-toggle").first.dispatch_event("click")
    expect(own.locator("body[data-theme=auto]")).to_have_count(0)
    assert not wrong


def test_nothing_plays_by_itself_where_motion_is_reduced(site, shown):
    shown.emulate_media(reduced_motion="reduce")
    shown.goto((site.folder / "index.html").as_uri())
    shown.wait_for_function("window.played")  # the player has spoken
    expect(
        shown.frame_locator("#first").get_by_role("button", name=re.compile("^Play"))
    ).to_be_visible()


def test_nothing_moves_when_the_page_is_loaded(own):
    own.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => list.getEntries().forEach("
        "(entry) => { window.moved += entry.value }))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    own.reload()
    expect(own.frame_locator("article iframe").get_by_role("button").first).to_be_visible()
    assert own.evaluate("window.moved") < 0.05
