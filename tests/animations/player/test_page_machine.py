"""A page's machine: sliders that move all figures, and what breaks, timed as by commands."""

import json
import re

import pytest
from playwright.sync_api import expect

from animations.story.usual import usual_board
from collectives import record
from collectives import time as timed_on
from collectives.__main__ import main
from collectives.cost.choose.setup import resized
from collectives.cost.machines import MACHINES

TOTAL = "document.getElementById('player').collectives.store.story.timing.total"


@pytest.fixture
def page(open_page):
    return open_page(usual_board(record("all_reduce", "ring", ranks=8)), step=5)


def part(page, name):
    return page.locator(f"[data-part={name}]")


def test_sliders_move_all_figures_together(page):
    page.keyboard.press("m")
    size = page.locator("[name=size]")
    size.focus()
    page.keyboard.press("ArrowRight")
    page.locator("[name=bandwidth]").press("ArrowRight")
    expect(part(page, "subtitle")).to_contain_text("128 MiB")
    expect(part(page, "subtitle")).to_contain_text("bandwidth × 2")
    assert "80 MiB / 224 MiB / 224 MiB" in part(page, "counters").inner_text()
    assert "1 µs + 900 GB/s" in part(page, "counters").inner_text()
    page.locator("h1").click()
    page.keyboard.press("t")
    assert set(part(page, "list").locator(".size").all_inner_texts()) == {"16 MiB"}
    assert "sent 80 MiB" in page.locator(".sent").first.text_content()
    expect(part(page, "named")).to_have_text("128 MiB on hgx-h100, bandwidth × 2, lockstep clock")
    page.wait_for_url("**size=2&bandwidth=2")
    page.reload()
    expect(part(page, "subtitle")).to_contain_text("128 MiB")
    page.keyboard.press("u")
    expect(part(page, "subtitle")).to_contain_text(" 64 MiB")


def test_what_breaks_by_keyboard_is_told_and_timed_as_the_command_line_does(page, capsys):
    page.keyboard.press("m")
    page.locator("[data-part=target]").select_option("rank 3")
    page.locator("[data-part=breaks] button", has_text="300 µs late").press("Enter")
    effects = part(page, "effects")
    assert effects.get_attribute("aria-live") == "polite"
    expect(effects).to_contain_text("It takes 575 µs: 300 µs more than the 275 µs without.")
    expect(effects).to_contain_text("Steps overlap but do not collide")
    expect(part(page, "note")).to_contain_text("rank 0 waits")
    assert part(page, "space").is_visible()
    page.get_by_role("button", name="Copy command").press("Enter")
    words = effects.locator("code").inner_text().split()
    with pytest.raises(SystemExit):
        main([*words[1:], "--json"])
    timed = json.loads(capsys.readouterr().out)
    assert timed["seconds"] == pytest.approx(page.evaluate(TOTAL), rel=1e-9)
    page.get_by_role("button", name="Undo").press("Enter")
    expect(part(page, "subtitle")).not_to_contain_text("late")


def test_a_cut_link_stops_what_needs_it_for_ever(page):
    page.evaluate("location.hash = 'step=5&select=link:1.2'")
    page.locator("[data-part=tale] button", has_text="cut").first.press("Enter")
    expect(part(page, "caption")).to_contain_text("transfers arrive; the others never do")
    expect(part(page, "note")).to_contain_text("for ever")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    assert "never arrives" in part(page, "list").inner_text()
    page.keyboard.press("End")
    expect(part(page, "caption")).to_have_text("Step 14 of 14 — nothing of it ever arrives")


def test_the_machine_is_scrolled_to_on_a_phone_and_leaves_the_diagram_legible(open_page):
    board = usual_board(record("all_reduce", "ring", ranks=8))
    page = open_page(board, step=5, size=(390, 844))
    page.keyboard.press("m")
    panel = page.locator("[data-part=setup]")
    page.wait_for_function("() => scrollY > 0")
    bottom = panel.evaluate("panel => panel.getBoundingClientRect().bottom")
    assert bottom <= page.locator(".tools").bounding_box()["y"]
    page.set_viewport_size({"width": 1366, "height": 768})
    page.keyboard.press("x")
    link = "{ kind: 'select', thing: { kind: 'link', at: [0, 1] } }"
    page.evaluate(f"() => document.getElementById('player').collectives.store.act({link})")
    expect(page.locator("[data-part=story]")).to_be_visible()
    assert page.locator("[data-part=ways]").bounding_box()["height"] > 100


@pytest.mark.parametrize(("times", "size"), [(2**-11, 2**15), (2**-4, 2**22), (2, 2**27)])
def test_at_another_size_it_is_said_which_of_the_two_is_faster_there(times, size, page):
    seconds = []
    for name in ("ring", "recursive-doubling"):
        recording = resized(record("all_reduce", name, ranks=8), size)
        seconds.append(timed_on(recording, "hgx-h100").total)
    page.keyboard.press("End")
    setting = f"{{ kind: 'setting', setting: {{ size: {times} }} }}"
    page.evaluate(f"() => document.getElementById('player').collectives.store.act({setting})")
    faster = "recursive doubling is faster" if seconds[1] < seconds[0] else "it beats recursive"
    expect(part(page, "note")).to_contain_text(faster)


def test_the_machine_its_clock_and_a_rival_are_explained_where_they_are_named(page):
    page.keyboard.press("m")
    for name in ("hgx-h100", "lockstep"):
        expect(part(page, "named").locator("dfn", has_text=name)).to_have_count(1)
    machine = part(page, "named").locator("dfn", has_text="hgx-h100")
    expect(machine).to_have_attribute("data-meaning", MACHINES["hgx-h100"].about)
    page.keyboard.press("End")
    rival = part(page, "note").locator("dfn", has_text="recursive doubling")
    expect(rival).to_have_attribute("data-meaning", re.compile("^Partners swap whole sums"))
