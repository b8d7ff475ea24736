"""A page with several recordings: choices, links, times; one page load for all that is seen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from samples import pairs, title
from settings import THOROUGH

from animations.player import catalog as whole
from animations.player.catalog import catalog, whole_catalog, write_catalog
from animations.story.usual import on_usual_nodes, usual_board
from collectives import ROWS, Recording, record, send
from collectives.__main__ import main
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.topology import changed
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text

CASES = [
    *(("all_reduce", "ring", n) for n in (2, 4)),
    *(("all_reduce", "tree", n) for n in (2, 4)),
    *(("all_reduce", name, 4) for name in ("sharp", "flat")),
    ("broadcast", "tree", 4),
    ("barrier", "dissemination", 4),
]
MIB = 1 << 20


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = tmp_path_factory.mktemp("catalog") / "catalog.html"
    shown = [record(name, algorithm, ranks=n) for name, algorithm, n in CASES]
    write_catalog([(recording, usual_board(recording)) for recording in shown], path, "dark")
    context = browser.new_context(viewport={"width": 1366, "height": 650}, reduced_motion="reduce")
    tab = context.new_page()
    trouble: list[str] = []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(f"{path.as_uri()}#all-reduce/ring/4/step=3")
    tab.wait_for_selector(".sheet")
    yield tab
    context.close()
    assert trouble == []


def state(page: Page) -> list[str]:
    """What is chosen, and what is shown: collective, algorithm, ranks, step, title."""
    chosen = [page.locator(f"[data-field={name}]").input_value() for name in FIELDS]
    step = page.locator("[data-part=scrub]").input_value()
    return [*chosen, step, page.locator("h1").inner_text()]


NAMES = ("size", "latency", "bandwidth")
FIELDS = ("collective", "algorithm", "ranks")


def choose(page: Page, field: str, value: str) -> None:
    page.locator(f"[data-field={field}]").select_option(value)


def address(page: Page) -> str:
    return page.evaluate("location.hash")


def go(page: Page, state: str) -> None:
    """Follow a link within the page."""
    page.evaluate(f"location.hash = '{state}'")


def test_a_link_opens_its_state_and_choices_are_links(page):
    assert state(page) == ["all-reduce", "ring", "4", "3", "Ring all-reduce"]
    choose(page, "algorithm", "tree")
    expect(page.locator("h1")).to_have_text("Tree all-reduce")
    assert state(page)[:4] == ["all-reduce", "tree", "4", "0"]
    assert address(page) == "#all-reduce/tree/4/step=0"
    choose(page, "ranks", "2")
    expect(page).to_have_title("Tree all-reduce, 2 ranks")
    choose(page, "collective", "broadcast")  # not on 2 ranks
    expect(page.locator("h1")).to_have_text("Tree broadcast")
    assert state(page)[:3] == ["broadcast", "tree", "4"]
    assert page.locator(".goal").inner_text() == "Goal: Every rank ends with the root's data."
    page.go_back()
    expect(page).to_have_title("Tree all-reduce, 2 ranks")
    go(page, "all-reduce/ring/4/step=5")
    expect(page.locator("h1")).to_have_text("Ring all-reduce")
    assert state(page)[3] == "5"
    go(page, "all-reduce/ring/4/step=2")
    expect(page.locator("[data-part=scrub]")).to_have_value("2")
    go(page, "all-reduce/unknown/4/step=1")
    assert state(page) == ["all-reduce", "ring", "4", "2", "Ring all-reduce"]
    note = page.locator("#picker .unknown")
    expect(note).to_have_text(
        "This file has no recording all-reduce/unknown/4: you see another one."
    )
    go(page, "all-reduce/ring/4/step=2")
    expect(note).to_have_text("")


def test_sliders_are_in_the_link(page):
    go(page, "all-reduce/ring/4/step=2&size=0.0009765625&latency=100&bandwidth=7")
    shown = [page.locator(f".slider:has([name={name}]) output") for name in NAMES]
    expect(shown[0]).to_have_text("64 KiB")
    assert [each.inner_text() for each in shown] == ["64 KiB", "100 µs", "450 GB/s"]
    set_slider(page, "bandwidth", 8)
    settings = "&size=0.0009765625&latency=100&bandwidth=10"
    page.wait_for_url(f"**#all-reduce/ring/4/step=2{settings}")
    choose(page, "algorithm", "tree")
    expect(page.locator("h1")).to_have_text("Tree all-reduce")
    assert address(page) == f"#all-reduce/tree/4/step=0{settings}"
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**#all-reduce/tree/4/step=1{settings}")
    go(page, "all-reduce/ring/4/step=2")
    expect(shown[0]).to_have_text("64 MiB")


def test_keys_within_a_choice_are_not_those_of_the_player(page):
    go(page, "all-reduce/ring/4/step=1")
    expect(page.locator("[data-part=scrub]")).to_have_value("1")
    page.locator("#times [name=size]").press("End")
    page.locator("#times [name=size]").press("Home")
    assert state(page)[3] == "1"
    page.locator("#times [name=size]").blur()
    page.keyboard.press("End")
    expect(page.locator("[data-part=scrub]")).to_have_value("6")
    page.locator("[data-field=ranks]").press("Home")  # whose first choice is 2
    expect(page).to_have_title("Ring all-reduce, 2 ranks")
    page.locator("[data-field=ranks]").press("n")
    page.locator("[data-field=ranks]").press("ArrowDown")
    expect(page).to_have_title("Ring all-reduce, 4 ranks")
    page.locator("[data-field=ranks]").press("n")
    assert state(page)[3] == "0"


def test_what_was_built_is_there_when_its_recording_is_chosen_again(page):
    """Also in a sandboxed frame, which keeps nothing for the tab."""
    page.evaluate("() => { kept = Storage.prototype.setItem; Storage.prototype.setItem = null }")
    go(page, "all-reduce/ring/4/step=2")
    expect(page.locator("h1")).to_have_text("Ring all-reduce")
    page.get_by_role("button", name="Build", exact=True).click()
    page.get_by_role("button", name="Empty", exact=True).click()
    choose(page, "algorithm", "tree")
    expect(page.locator("h1")).to_have_text("Tree all-reduce")
    assert not page.locator("[data-part=bench]").is_visible()
    choose(page, "algorithm", "ring")
    expect(page.locator("[data-part=place]")).to_have_text("Step 1, new")
    assert page.locator("[data-part=rows]").inner_text() == "No transfer yet."
    page.get_by_role("button", name="Build", exact=True).click()
    assert state(page)[3:] == ["0", "Ring all-reduce"]
    page.evaluate("() => { Storage.prototype.setItem = kept }")


def set_slider(page: Page, name: str, place: int) -> str:
    """Move a slider; the value beside it."""
    page.locator(f"[name={name}]").fill(f"{place}")
    return page.locator(f".slider:has([name={name}]) output").inner_text()


@pytest.mark.parametrize("step", [0, 3, 6])
def test_at_first_the_sliders_are_where_the_counters_are(page, step):
    """One machine, one clock: what the list says is what the counters say."""
    go(page, f"all-reduce/ring/4/step={step}")
    expect(page.locator("[data-part=scrub]")).to_have_value(f"{step}")
    board = usual_board(record("all_reduce", "ring", ranks=4))
    now, total = board.counters[2].texts[step], board.counters[2].texts[-1]
    counters = page.locator("[data-part=counters]").inner_text()
    assert f"{now} / {total}" in counters and "hgx-h100" in counters
    assert page.locator(".elapsed").inner_text() == f"After step {step}: {now} of {total}"
    assert page.locator("#times h2").inner_text() == "Time on hgx-h100"
    assert page.locator("#times [aria-current=true] .seconds").inner_text() == total


@pytest.mark.parametrize(
    ("places", "size", "factors"),
    [
        ((16, 3, 5), 64 * MIB, (1, 1)),
        ((0, 9, 0), 1 << 10, (100, 0.02)),
        ((20, 0, 8), 1 << 30, (0.1, 10)),
    ],
)
def test_times_are_those_of_the_machine_with_other_links(page, places, size, factors):
    go(page, "all-reduce/ring/4/step=6")
    expect(page.locator("h1")).to_have_text("Ring all-reduce")
    shown = [set_slider(page, name, place) for name, place in zip(NAMES, places, strict=True)]
    assert shown[0] in {"64 MiB", "1 KiB", "1 GiB"}
    found = {}
    for name, algorithm, ranks in CASES:
        if (name, ranks) == ("all_reduce", 4):
            found[algorithm] = seconds(record(name, algorithm, ranks=ranks), size, *factors)
    bars = [text.split("\n") for text in page.locator("#times li").all_inner_texts()]
    compared = sorted(("ring", "tree"), key=found.__getitem__)
    others = sorted(("sharp", "flat"), key=found.__getitem__)
    more = {"sharp": ", 4 chunks, on switch-tree", "flat": ", 3 messages at once"}
    assert [(name, time) for name, time, *_ in bars] == [
        (name + more.get(name, ""), time_text(found[name], 3)) for name in compared + others
    ]
    total = time_text(found["ring"], 3)
    assert page.locator(".elapsed").inner_text() == f"After step 6: {total} of {total}"
    assert page.locator("#times [aria-current=true]").inner_text().startswith("ring")


BARS = """() => [...document.querySelectorAll("#times > ol > li")].map((row) => {
  const bar = row.querySelector("i");
  return [row.querySelector("span").textContent, parseFloat(bar.style.width), bar.className];
})"""
FIRST_SEEN = """() => {
  const list = document.querySelector("#times > ol");
  list.scrollTop = list.scrollHeight;
  const [outer, inner] = [list, list.firstElementChild].map((part) => part.getBoundingClientRect());
  return list.scrollTop > 0 && Math.abs(outer.top - inner.top) < 1;
}"""


def test_what_takes_much_longer_sets_no_scale_and_the_fastest_stays_in_view(window, tmp_path):
    names = [
        "rabenseifner",
        "ring",
        "half-fold",
        "circulant",
        "recursive-doubling",
        "bruck",
        "tail-fold",
    ]
    shown = [record("all_reduce", name, ranks=8) for name in [*names, "tree", "multicast"]]
    write_catalog([(each, usual_board(each)) for each in shown], tmp_path / "catalog.html", "dark")
    page = window
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1366, "height": 420})
    page.goto((tmp_path / "catalog.html").as_uri())
    page.wait_for_selector("#times li")
    times = {each.algorithm: seconds(each, 64 * MIB, 1, 1) for each in shown}
    middle = sorted(times.values())[len(times) // 2]
    usual = max(time for time in times.values() if time <= 3 * middle)
    bars = page.evaluate(BARS)
    assert [name for name, *_ in bars] == sorted(times, key=times.__getitem__)
    for name, width, kind in bars:
        assert width == pytest.approx(min(100, 100 * times[name] / usual), rel=1e-3)
        assert kind == ("beyond" if times[name] > usual else "")
    assert [kind for *_, kind in bars].count("beyond") == 2
    assert page.evaluate(FIRST_SEEN)


def seconds(recording: Recording, size: int, latency: float, bandwidth: float) -> float:
    """On its machine, all of whose links have other figures."""
    sized = resized(recording, size)
    machine = usual_machine(sized)
    links = {"latency": latency * machine.latency, "bandwidth": bandwidth * machine.bandwidth}
    return lockstep(sized, changed(machine, **links)).total


@pytest.mark.parametrize(("row", "ranks"), pairs((8, 16), 2), ids=title)
def test_scaled_times_are_those_of_the_clock(row, ranks):
    """What waits and what moves scale apart: to a percent also where links differ."""
    board = usual_board(recording := record(row.collective, row.algorithm, ranks=ranks))
    found, recording = board.setup_times, on_usual_nodes(recording)
    for factor in (1 / 4096, 1 / 64, 8) if board.size else ():
        scaled = found.waits[-1] + (found.times[-1] - found.waits[-1]) * factor
        sized = resized(recording, int(board.size * factor), recording.dtype)
        exact = timed_as_run(sized, usual_machine(sized)).total
        assert scaled == pytest.approx(exact, rel=0.01), factor


def test_a_bar_is_a_choice_and_a_barrier_has_no_bytes(page):
    page.locator("#times button", has_text="sharp").click()
    expect(page.locator("h1")).to_have_text("SHARP all-reduce")
    page.keyboard.press("End")
    total = page.locator("#times [aria-current=true] .seconds").inner_text()
    expect(page.locator(".elapsed")).to_have_text(re.compile(f": {total} of {total}$"))
    choose(page, "collective", "barrier")
    expect(page.locator("h1")).to_have_text("Dissemination barrier")
    set_slider(page, "latency", 5)
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".elapsed")).to_have_text("After step 2: 10 µs of 10 µs")  # 5 x 1 µs, twice


def test_the_theme_is_that_of_the_whole_page(page):
    page.locator("[data-part=theme]").click()
    assert page.locator("body").get_attribute("data-theme") == "light"
    choose(page, "collective", "all-reduce")
    expect(page.locator("#player")).to_have_attribute("data-theme", "light")
    page.locator("[data-part=theme]").click()


def test_nothing_is_wider_than_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.set_viewport_size({"width": 1366, "height": 650})
    assert page.evaluate("document.documentElement.scrollHeight") <= 650


def test_hostile_names_are_data():
    evil, texts = "</script><b>\u202e", []
    for name in ("mine", evil):
        recording = record([send(0, 1)], name, collective="broadcast", ranks=2, slots=1)
        texts.append(catalog([(recording, usual_board(recording))]))
    assert evil[:12] not in texts[1]
    assert len({text.count(tag) for text in texts for tag in ("<script", "</script>")}) == 1


@pytest.mark.parametrize("ranks", [(4, 8, 16)] if THOROUGH else [(3,)], ids=str)
def test_the_whole_catalog_is_small_enough_to_be_sent(ranks, monkeypatch):
    if not THOROUGH:
        monkeypatch.setattr(whole, "ROWS", ROWS[::8])
    shown = whole_catalog(ranks)
    player, each = 135_000, 2_600
    assert len(catalog(shown)) < (1_200_000 if THOROUGH else player + each * len(shown))
    assert {recording.ranks for recording, _ in shown} == set(ranks)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gallery"], "missing -o: the file it goes to; try: -o catalog.html"),
        (["gallery", "-n", "64", "-o", "c.html"], "a gallery shows 1 to 16 ranks"),
        (["gallery", "-o", "c.pdf"], "try: c.html"),
        (["gallery", "-o", "none/c.html"], "there is no folder"),
        (["page", "all-reduce", "ring", "--also", "ring"], "is in the page already"),
        (["page", "all-reduce", "ring", "--also", "rung"], "did you mean ring?"),
        (["page", "all-reduce", "ring", "--also", ""], "names no algorithm; try: --also tree"),
    ],
)
def test_bad_input_is_refused_in_one_line(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(words)
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True), error
    assert list(tmp_path.iterdir()) == []


def test_the_commands_write_what_they_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(whole, "ROWS", ROWS[:12])
    for words in (
        ["gallery", "-n", "1,2", "-o", "few.html"],
        ["page", "all-reduce", "ring", "--also", "tree", "--also", "broadcast ring"],
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert capsys.readouterr().out.split() == ["few.html", "ring-all-reduce-4.html"]
    index = re.search(r'id="catalog">(.*)<', Path("ring-all-reduce-4.html").read_text())[1]
    assert [entry[:3] for entry in json.loads(index)["entries"]] == [
        ["all-reduce", "ring", 4],
        ["all-reduce", "tree", 4],
        ["broadcast", "ring", 4],
    ]


def test_all_that_a_catalog_compares_has_about_the_same_size():
    """That of a hierarchy too, whose own page has a short vector."""
    boards = [board for _, board in whole_catalog([16]) if board.size]
    assert len(boards) > 50
    assert all(48 << 20 <= board.size <= 64 << 20 for board in boards)
