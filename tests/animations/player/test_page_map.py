"""The map of a page's machine: what links carry, moves of ranks by mouse and keys, the cut."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from animations.phrases import page_words
from animations.player.page import page as page_text
from animations.story.usual import usual_board
from collectives import narrowest_cut, record, time
from collectives.__main__ import main
from collectives.cost.machines.links import LINKS
from collectives.cost.machines.usual import named_machine
from collectives.units import time_text

TOTAL = "document.getElementById('player').collectives.store.story.timing.total"


@pytest.fixture(scope="module")
def board():
    """The ring on two nodes of four."""
    ring = record("all_reduce", "ring", ranks=8)
    return usual_board(ring, named_machine(ring, "cluster:gpus=4"))


@pytest.fixture
def mapped(open_page, board):
    page = open_page(board, step=0, explored=True)
    page.keyboard.press("g")
    expect(page.locator(".mapping .map")).to_be_visible()
    return page


def gpu(page, seat):
    return page.locator(f".map svg:not(.away) rect.node[data-node='{seat}']")


def drag(page, seat, other):
    starts, ends = (gpu(page, each).bounding_box() for each in (seat, other))
    page.mouse.move(starts["x"] + 8, starts["y"] + 8)
    page.mouse.down()
    page.mouse.move(ends["x"] + 8, ends["y"] + 8, steps=4)
    page.mouse.up()


def test_a_dragged_rank_is_timed_as_the_copied_command_has_it(mapped, capsys):
    told = mapped.locator(".map .told")
    ring = record("all_reduce", "ring", ranks=8)
    timings = [time(ring, "cluster", gpus=4, size="64MiB", place=place) for place in ((), ("1=4",))]
    times = [each.total for each in timings]
    first, busiest = (np.flatnonzero(t.link_use >= t.link_use.max() * (1 - 1e-6)) for t in timings)
    moves = "The bottleneck stays" if first[0] in busiest else "The bottleneck moves from"
    expect(told).to_contain_text(f"of the {time_text(times[0], digits=3)}")
    drag(mapped, 1, 4)
    expect(told).to_contain_text("Rank 1 is on GPU 4 now, rank 4 on GPU 1.")
    expect(told).to_contain_text(f"It takes {time_text(times[1], digits=3)}")
    expect(told).to_contain_text(moves)
    expect(told).to_contain_text(f"and {len(busiest) - 1} more")
    assert told.get_attribute("aria-live") == "polite"
    mapped.wait_for_url("**place=1=4**")
    mapped.keyboard.press("m")
    mapped.get_by_role("button", name="Copy command").press("Enter")
    words = mapped.locator("[data-part=effects] code").inner_text().split()
    with pytest.raises(SystemExit):
        main([*words[1:], "--json"])
    timed = json.loads(capsys.readouterr().out)
    assert timed["seconds"] == pytest.approx(mapped.evaluate(TOTAL), rel=1e-9)
    assert timed["seconds"] == pytest.approx(times[1], rel=1e-9)
    mapped.locator("h1").click()
    mapped.keyboard.press("u")
    expect(told).to_contain_text(f"It takes {time_text(times[0], digits=3)}")


def test_ranks_move_by_keys_and_figures_are_those_of_the_machine(mapped):
    gpu(mapped, 0).focus()
    mapped.keyboard.press("Enter")
    facts = mapped.locator(".mapfacts")
    expect(facts.locator("dl")).to_contain_text("3.35 TB/s (H100)")
    mapped.keyboard.press("Shift+ArrowRight")
    expect(mapped.locator(".map .told")).to_contain_text("Rank 0 is on GPU 1 now")
    expect(gpu(mapped, 1)).to_be_focused()
    expect(gpu(mapped, 1)).to_have_attribute("aria-label", "GPU 1, rank 0")
    facts.get_by_role("combobox").first.select_option("NIC 0 → leaf switch 0")
    expect(facts.locator("dl")).to_contain_text("50 GB/s each way, 100 GB/s both ways")
    expect(facts.locator("dl")).to_contain_text(LINKS["ib-ndr"].source)
    stairs = facts.locator(".stairs li").all_inner_texts()
    rates = [float(re.search(r"([\d.]+) [GT]B", each)[1]) for each in stairs]
    assert rates == [3.35, 450, 63, 50, 12.5]


def test_the_cut_is_drawn_with_its_bytes_and_the_least_time(mapped):
    ring = record("all_reduce", "ring", ranks=8)
    machine = time(ring, "cluster", gpus=4, size="64MiB").topology
    cut = narrowest_cut("all_reduce", machine)
    mapped.get_by_role("button", name="Show the cut").click()
    expect(mapped.locator(".map svg:not(.away) path.across")).to_have_count(len(cut.links))
    expect(mapped.locator(".map svg:not(.away) .cut")).to_have_count(len(cut.parts))
    said = mapped.locator(".cutting")
    expect(said).to_contain_text(f"at least {time_text(cut.seconds(64 << 20), digits=3)}")
    expect(said).to_contain_text(cut.passes)


@pytest.mark.parametrize("width", [320, 3440])
def test_nothing_leaves_the_window(mapped, width):
    mapped.set_viewport_size({"width": width, "height": 800})
    pictures = mapped.locator(".map svg[role=group]")
    expect(pictures.nth(1 if width == 320 else 0)).to_be_visible()
    over = "document.documentElement.scrollWidth <= innerWidth"
    assert mapped.evaluate(over)
    assert gpu(mapped, 0).bounding_box()["width"] >= 13


def test_a_map_is_in_the_language_that_is_chosen(open_page, board):
    ring = record("all_reduce", "ring", ranks=8)
    spanish = usual_board(ring, named_machine(ring, "cluster:gpus=4"), language="es")
    page = open_page(board, step=0, explored=True, translated=[spanish])
    for language in ("es", "en", "es"):
        page.locator("select.language").select_option(language)
        expect(page.locator("button.maps")).to_have_count(1)
        label = page_words(language)["map.map"]
        expect(page.locator("button.maps")).to_have_attribute("aria-label", label)
        key = page.locator("dialog dt", has_text=re.compile("^g$"))
        expect(key).to_have_count(1)
        expect(key.locator("+ dd")).to_have_text(page_words(language)["help.map"])
    page.keyboard.press("g")
    expect(page.locator(".mapping .map")).to_be_visible()
    facts, drawn = page.locator(".mapfacts"), page.locator(".map svg:not(.away)")
    expect(facts).to_contain_text("tienen que pasar entre los rangos 0-3 y los rangos 4-7.")
    expect(drawn).to_contain_text("conmutador de nodo 0")
    said = facts.inner_text() + drawn.text_content()
    assert re.findall(r"\d\.\d|\bswitch\b|\bmemory\b", said) == []


def test_a_map_waits_for_the_answers_it_would_tell(open_page):
    ring = record("all_reduce", "ring", ranks=8)
    asking = usual_board(ring, named_machine(ring, "cluster:gpus=4"), asks=True)
    page = open_page(asking, step=0, explored=True)
    expect(page.locator(".sheet.unanswered")).to_be_visible()
    expect(page.locator("button.maps")).to_be_hidden()
    page.keyboard.press("g")
    expect(page.locator(".sheet.mapping")).to_have_count(0)


def test_a_page_has_a_map_only_where_asked_for(board):
    plain, explored = (page_text(board, explored=each) for each in (False, True))
    assert len(explored) - len(plain) > 6_000
