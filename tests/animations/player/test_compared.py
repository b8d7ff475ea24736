"""The page of a comparison: its algorithms side by side on one clock, or one step by step."""

import re
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import pytest
from axe import violations
from playwright.sync_api import Browser, Page, expect
from settings import THOROUGH

from animations import side_by_side
from collectives import compare
from collectives.__main__ import main
from collectives.units import time_text

LINE = "compare all-reduce ring tree -n 4 --size 64KiB --theme dark -o"
SEEK = "part => { const { seek, moment } = beside.collectives; seek(part * moment().whole); }"
WHOLE = "#beside > .head .verdict"
MOMENT = "() => beside.collectives.moment()"
VERDICT = (
    "Tree finishes first, after 4.58 µs. Ring has then finished 4 of 6 steps. "
    "Ring takes 1.4 times as long: 6.22 µs. Tree saves 2 µs of latency, and loses 364 ns on bytes."
)


OWN = """import numpy as np
from collectives.schedule import reduce


def ring_all_reduce(n):
    rank = np.arange(n)
    distance = 1
    while distance < n:
        yield reduce(rank, rank ^ distance, 0, count=n)
        distance *= 2
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("compared") / "race.html"
    with pytest.raises(SystemExit):
        main([*LINE.split(), str(path), "--edit"])
    return path.as_uri()


@pytest.fixture(scope="module")
def shown(browser: Browser):
    """A tab for all tests, and what its pages complain of."""
    page = browser.new_page(viewport={"width": 1366, "height": 800}, reduced_motion="reduce")
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    yield page, trouble
    page.close()


@pytest.fixture
def tab(shown, address):
    page, trouble = shown
    trouble.clear()
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".contender .state")
    yield page
    page.evaluate("sessionStorage.clear()")
    assert trouble == []


def states(page: Page) -> list[str]:
    return page.locator(".contender .state").all_inner_texts()


def test_the_page_says_who_is_first_why_and_at_which_sizes_not(tab):
    assert tab.locator("#beside h1").inner_text() == "Ring or tree?"
    assert tab.locator(WHOLE).inner_text() == VERDICT
    assert tab.locator(".turn").inner_text() == "From 352 KiB up, ring is faster."
    paths = tab.locator(".contender .path").all_inner_texts()
    said = compare("all_reduce", "ring", "tree", ranks=4, size="64KiB")
    for path, one in zip(paths, said.contenders, strict=True):
        assert path == f"Its time: {one.path.text}."


def test_both_are_at_one_moment_and_who_is_done_says_by_how_much(tab):
    assert states(tab) == ["0 / 6", "0 / 4"]
    tab.keyboard.press("ArrowRight")
    moving = tab.locator(".contender .trip:visible")
    assert moving.count() == 4 + 2, "the ring's four, and the tree's first two"
    expect(tab.locator("#beside > .aloud")).to_contain_text(
        "Ring: Step 1 of 6: 4 messages on their way. Tree: Step 1 of 4: 2 messages on their way."
    )
    tab.evaluate(SEEK, 0.8)
    assert states(tab)[1] == "done after 4.58 µs"
    doing = tab.locator(".contender .doing").last
    assert doing.inner_text() == "Done after 4.58 µs: 1.64 µs sooner than ring."
    tab.keyboard.press("End")
    assert states(tab) == ["done after 6.22 µs", "done after 4.58 µs"]
    rows = tab.locator(".counted tbody tr").all_inner_texts()
    assert rows[0].split("\t") == ["Steps done", "6 / 6", "4 / 4"]
    assert tab.locator("[data-part=scrub]").get_attribute("aria-valuetext") == "6.22 µs of 6.22 µs"
    tab.keyboard.press("ArrowLeft")
    assert tab.evaluate(MOMENT)["now"] < tab.evaluate(MOMENT)["whole"]


def test_time_passes_until_all_are_done(tab):
    tab.evaluate(SEEK, 0.97)
    tab.keyboard.press(" ")
    expect(tab.locator(".contender.done")).to_have_count(2)
    expect(tab.locator("#beside [data-part=play]")).to_have_attribute("aria-label", "Play")
    expect(tab.locator("#beside > .aloud")).to_contain_text("Ring: Done after 6.22 µs")


def test_what_waits_is_hatched_in_its_lane_and_on_its_card(tab):
    tab.evaluate(SEEK, 0.3)
    assert "waits for rank" in tab.locator(".contender .doing").last.inner_text()
    assert tab.locator(".contender").last.locator("rect.waits").count() == 2
    assert tab.locator(".contender").first.locator("rect.waits").count() == 0
    hatched = tab.locator(".lanes path[fill^=url]")
    drawn = [path.get_attribute("d") for path in hatched.all()]
    assert drawn[0] == "" != drawn[1]


def test_sliders_and_faults_move_both_and_the_verdict(tab):
    tab.keyboard.press("m")
    tab.locator("#beside input[name=size]").press("End")
    expect(tab.locator(WHOLE)).to_contain_text("Ring finishes first")
    expect(tab.locator(".turn")).to_have_text("Below 352 KiB, tree is faster.")
    tab.locator("#beside input[name=size]").press("Home")
    tab.locator("[data-part=breaks] button").first.click()
    expect(tab.locator(WHOLE)).to_contain_text("The late rank 0 costs")
    expect(tab.locator("[data-part=effects]")).to_contain_text(
        re.compile("Ring: It takes .*Tree: It")
    )
    tab.wait_for_url(re.compile(r"#side-by-side/size=.*late=0"))
    tab.get_by_role("button", name="Undo").click()
    expect(tab.locator("[data-part=mends]")).to_be_empty()


def test_an_address_names_the_moment_and_the_machine(tab, address):
    tab.goto(f"{address}?again#side-by-side/time=3us&latency=2&theme=light")
    tab.wait_for_selector(".contender .state")
    assert tab.evaluate(MOMENT)["now"] == pytest.approx(3e-6)
    assert tab.evaluate(MOMENT)["whole"] == pytest.approx(12.22e-6, rel=1e-3)
    assert tab.locator("body").get_attribute("data-theme") == "light"


@pytest.mark.parametrize("width", [320, 768] if THOROUGH else [320])
def test_nothing_is_wider_than_the_window_and_axe_has_no_complaint(tab, width):
    tab.set_viewport_size({"width": width, "height": 700})
    assert violations(tab, {"page": ["ArrowRight"], "machine": ["m"]}) == {}
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.set_viewport_size({"width": 1366, "height": 800})


def test_a_bar_of_the_comparison_shows_its_algorithm(tab):
    tab.get_by_role("button", name="Step by step").first.click()
    tab.wait_for_selector(".sheet")
    part = tab.locator(".compared")
    assert part.locator("h2").inner_text() == "Ring or tree?"
    rows = part.locator("button")
    assert rows.all_inner_texts() == ["ring\n6.22 µs", "tree\n4.58 µs"]
    assert tab.locator("#times input[name=size] + *, #times output").first.inner_text() == "64 KiB"
    assert rows.first.get_attribute("aria-current") == "true"
    rows.last.click()
    expect(tab.locator("#player h1")).to_have_text("Tree all-reduce")
    assert rows.last.get_attribute("aria-current") == "true"
    assert rows.first.get_attribute("aria-current") == "false"
    assert tab.url.endswith("#all-reduce/tree/4/step=0")
    times = tab.locator("#times ol").last
    assert times.locator(".seconds").all_inner_texts() == ["4.58 µs", "6.22 µs"], "one clock"
    counters = tab.locator("[data-part=counters]").inner_text()
    assert "/ 4.58 µs" in counters and "hgx-h100" in counters
    assert "Tree saves 2 µs of latency" in part.inner_text()
    tab.get_by_role("button", name="Side by side").click()
    expect(tab.locator("#beside h1")).to_be_visible()
    expect(tab.locator("#player")).to_be_hidden()


def run(page: Page, text: str) -> None:
    """Write a text in the first editor, and run it."""
    if page.locator(".editor").first.is_hidden():
        page.get_by_role("button", name="Edit the code").first.click()
    code = page.get_by_role("textbox", name="Code of the schedule").first
    code.fill(text or code.input_value())
    code.press("Control+Enter")


def test_own_lines_race_those_of_the_library(tab):
    names: dict[str, Any] = {}
    exec(OWN, names)
    said = compare("all_reduce", names["ring_all_reduce"], "tree", ranks=4, size="64KiB")
    run(tab, OWN)
    whole = tab.locator(WHOLE)
    time = time_text(said.contenders[0].seconds, 3)
    expect(whole).to_contain_text(f"Ring, edited finishes first, after {time}.")
    steps = said.contenders[0].recording.counters.steps
    assert states(tab)[0] == f"0 / {steps}"
    tab.evaluate(SEEK, 1)
    cells = tab.evaluate("() => beside.querySelectorAll('.unmet').length")
    assert (cells, states(tab)[0]) == (0, f"done after {time}")
    run(tab, OWN.replace("distance *= 2", "distance += 1"))
    expect(whole).to_have_text(re.compile(r"^Ring, edited .*; its time does not count\.$"))
    tab.evaluate(SEEK, 1)
    assert tab.locator(".contender").first.get_attribute("class") == "contender stuck"
    assert tab.locator(".unmet").count() > 0
    tab.get_by_role("button", name="Revert").first.click()
    expect(whole).to_have_text(VERDICT)


def test_a_run_of_the_code_as_it_is_takes_as_long(tab):
    run(tab, "")
    expect(tab.locator(WHOLE)).to_have_text(VERDICT.replace("Ring ", "Ring, edited "))


def test_nothing_can_be_edited_where_there_is_no_code(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line, told in (
        ("all-reduce ring tree --edit", "--edit: the terminal has no editor; try: -o race.html"),
        ("all-reduce ring tree --edit -o a.mp4", "--edit: a.mp4 has no editor; try: -o race.html"),
        ("all-reduce ring tree -n 32 --edit -o a.html", "--edit: a page of 32 ranks does not show"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["compare", *line.split()])
        assert ended.value.code == 2
        assert told in capsys.readouterr().err


@pytest.mark.parametrize(("language", "foreign"), [("es", r"\d\.\d|A el"), ("zh", "[。：；，、] ")])
def test_numbers_and_sentences_are_as_the_language_writes_them(tab, tmp_path, language, foreign):
    with pytest.raises(SystemExit):
        main([*LINE.split(), str(tmp_path / "page.html"), "--language", language])
    tab.goto((tmp_path / "page.html").as_uri())
    expect(tab.locator(WHOLE)).to_contain_text("1,4" if language == "es" else "1.4")
    tab.locator("[data-part=scrub]").first.press("ArrowRight")
    said = tab.locator("#beside").inner_text()
    assert re.findall(foreign, said) == []


def test_python_makes_the_same_page(address):
    comparison = compare("all_reduce", "ring", "tree", ranks=4, size="64KiB", topology="hgx-h100")
    page = side_by_side(comparison, edit=True, theme="dark")
    assert page.text == Path(url2pathname(address.removeprefix("file://"))).read_text("utf-8")
    assert 'sandbox="allow-scripts allow-downloads"' in page._repr_html_()
