"""Opens a storyboard's page in the browser."""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from animations.player.pack.editor import Editing
from animations.player.page import write_page
from animations.story.storyboard import Storyboard

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import the samples

Open = Callable[..., Page]
SIZE = (1280, 720)


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Iterator[Page]:
    """The tab in which nothing moves: one for all tests, as a new one takes a second to make."""
    page = _tab(browser, SIZE, False)
    yield page
    page.context.close()


@pytest.fixture(scope="session")
def moving(browser: Browser) -> Iterator[Callable[[], Page]]:
    """The tab in which things move, with its clock at 0 again; made when it is first asked for."""
    made: list[Page] = []

    def at_rest() -> Page:
        if not made:
            made.append(_tab(browser, SIZE, True))
        (page,) = made
        page.trouble.clear()
        page.mouse.move(0, 0)
        page.goto("about:blank")
        page.clock.install(time=0)
        page.clock.resume()
        return page

    yield at_rest
    for page in made:
        page.context.close()


@pytest.fixture
def open_page(
    browser: Browser, tab: Page, moving: Callable[[], Page], tmp_path: Path
) -> Iterator[Open]:
    """open_page(storyboard, step=, size=, motion=): its page, the same tab each time.

    With a step it is opened by an address that names the step.

    Nothing moves unless `motion`, and then only as fast as `page.clock` is told to run, in
    another tab. With `own` the tab is of this test alone, for who stops its clock. Whatever the
    page complains of or asks for is in `page.trouble`, which must be empty at the end.
    """
    pages = {"still": tab}
    tab.trouble.clear()
    tab.mouse.move(0, 0)
    tab.goto("about:blank")
    path = tmp_path / "page.html"
    loads = count()  # an address that differs only behind the # would not be loaded anew

    def opened(
        board: Storyboard,
        step: int | None = None,
        size: tuple[int, int] = SIZE,
        motion: bool = False,
        own: bool = False,
        editing: Editing | None = None,
        translated: Sequence[Storyboard] = (),
        explored: bool = False,
    ) -> Page:
        write_page(board, path, editing=editing, translated=translated, explored=explored)
        kind = "own" if own else "moving" if motion else "still"
        if kind not in pages:
            pages[kind] = _tab(browser, size, motion) if own else moving()
        page = pages[kind]
        if page.viewport_size != {"width": size[0], "height": size[1]}:
            page.set_viewport_size({"width": size[0], "height": size[1]})
        if step is not None:
            page.goto(f"{path.as_uri()}?{next(loads)}#step={step}")
            page.wait_for_selector(".sheet")
            return page
        if not page.url.endswith(("about:blank", "#step=0")):
            page.goto("about:blank")
        page.set_content(path.read_text("utf-8"))  # three times as fast as a file's address
        page.wait_for_selector(".sheet")
        return page

    yield opened
    for page in pages.values():
        if not page.is_closed() and page.url.startswith("file:"):
            page.evaluate("sessionStorage.clear()")  # which pages of other tests share
    trouble = [line for page in pages.values() for line in page.trouble]
    if "own" in pages:
        pages["own"].context.close()
    assert trouble == []


def _tab(browser: Browser, size: tuple[int, int], motion: bool) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark",
        reduced_motion="no-preference" if motion else "reduce",
    )
    page = context.new_page()
    trouble: list[str] = []
    page.trouble = trouble
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request",
        lambda request: (
            request.url.startswith(("file:", "blob:")) or trouble.append(f"asks for {request.url}")
        ),
    )
    if motion:
        page.clock.install(time=0)  # before anything is opened
    return page
