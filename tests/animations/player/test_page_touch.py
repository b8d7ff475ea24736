"""What is selected on the page, by mouse, keys and address; its story is the recording's."""

import re

import pytest
from playwright.sync_api import Page
from pointing import POINT, middle
from samples import pairs
from settings import sampled

from animations.player.pack.data import story
from animations.story.cell_views import shortened
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import record
from collectives.units import size_text

TALE, THING = "[data-part=tale]", "[data-part=thing]"
RING = record("all_reduce", "ring", ranks=4)


def selected(page: Page) -> str:
    """What the address says is selected; the picture must agree."""
    found = re.search(r"&select=([^&]*)", page.evaluate("location.hash"))
    text = found[1] if found else ""
    assert page.locator(".sheet").get_attribute("data-selected") == text
    assert page.locator("[data-part=story]").is_visible() == bool(text)
    return text


def goto(page: Page, address: str) -> None:
    page.evaluate("address => (location.hash = address)", address)
    page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true)))")


def test_clicks_keys_and_addresses_select(open_page):
    board = proved_storyboard(RING)
    page = open_page(board, step=2)

    def click(node, slot=None):
        page.mouse.click(*page.evaluate(POINT, middle(board, node, slot)))
        return selected(page)

    assert selected(page) == ""
    assert [click(1, 3), click(1, 3), click(2), click(2)] == ["cell:1.3", "", "rank:2", ""]
    page.keyboard.press("Shift+ArrowRight")  # begins at the target of the hero
    hero = board.frames[1].example
    assert selected(page) == f"cell:{hero.dst}.{hero.into}"
    goto(page, "step=1&select=cell:3.3")
    found = []
    for key in (
        "Shift+ArrowRight",
        "Shift+ArrowLeft",
        "Shift+ArrowDown",
        "Shift+ArrowUp",
        "Escape",
    ):
        page.keyboard.press(key if key == "Escape" else f"Shift+{key}")
        found.append(selected(page))
    assert found == ["cell:3.0", "cell:3.3", "cell:0.3", "cell:3.3", ""]
    goto(page, "step=1&select=cell:3.3")
    page.get_by_role("button", name="Close the story").click()
    assert selected(page) == ""


HOSTILE = (
    "step=1&select=cell:9.9",
    "step=1&select=rank:4",
    "step=1&select=transfer:0.0",
    "step=1&select=transfer:99.0",
    "step=1&select=constructor:1",
    "step=1&select=cell:1",
    "step=1&select=<img src=x onerror=alert(1)>",
    "step=1&theme=<b>&panel=none",
)


def test_addresses_come_back_and_hostile_ones_are_ignored(open_page):
    page = open_page(proved_storyboard(RING), step=1)
    things = ["rank:1", "cell:2.3", "chunk:1", "transfer:2.1", "line:0.2", "link:0.1", "counter:1"]
    for thing in things:
        goto(page, f"step=2&select={thing}")
        assert (selected(page), page.evaluate("location.hash")) == (
            thing,
            f"#step=2&select={thing}",
        )
        assert page.locator(TALE).text_content()
    for address in HOSTILE:
        goto(page, address)
        assert selected(page) == ""
        told = page.locator("[data-part=unknown]").inner_text()
        assert told.startswith("This recording does not have what the link names: ")
        name, value = address.split("&")[1].split("=", 1)
        assert f"{name} {value[:20]}" in told
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-part=unknown]").text_content() == ""
    goto(page, "step=99")
    assert page.locator("[data-part=unknown]").inner_text().endswith("names: step 99.")
    goto(page, "step=3&theme=light&panel=transfers")
    assert page.evaluate("location.hash") == "#step=3&theme=light&panel=transfers"
    assert page.locator("#player").get_attribute("data-theme") == "light"
    goto(page, "step=3")
    assert page.locator("#player").get_attribute("data-theme") == "dark"


def test_what_is_enlarged_belongs_to_the_selection(open_page):
    board = proved_storyboard(RING)
    page = open_page(board, step=2)
    lens = page.locator("[data-part=lens]")
    for chunk in range(4):
        goto(page, f"step=2&select=chunk:{chunk}")
        assert lens.locator(".chunk").text_content() == f"chunk {chunk}"
    goto(page, "step=2&select=transfer:1.0")  # of another step
    assert not lens.is_visible()
    goto(page, "step=2&select=counter:0")
    hero = board.frames[1].example
    assert lens.locator(".way").text_content() == f"rank {hero.src} → rank {hero.dst}"
    loop = page.locator("[data-part=source] dfn")
    loop.hover()
    told = page.locator("[data-part=tip]").inner_text()
    assert (loop.text_content(), told[:20]) == ("step", "step counts from 0, ")


def test_a_click_on_a_node_of_a_tree_selects_its_rank(open_page):
    board = proved_storyboard(record("all_reduce", "double-tree", ranks=6))
    page = open_page(board, step=1)
    knots = [chip for chip in board.scenery.chips if chip.node is not None]
    assert len(knots) == 12
    for knot in knots[::5]:
        page.mouse.click(*page.evaluate(POINT, [knot.box.x, knot.box.y]))
        assert selected(page) == f"rank:{knot.node}"


def test_words_that_a_page_uses_are_explained():
    told = story(usual_board(record("all_reduce", "tree", ranks=4)))["terms"]
    assert {"vector", "lockstep", "dataflow"} <= {term for _, term, *_ in told}


def first_number(state, at) -> str:
    value = state.value(*at).tolist()[0]
    return f"{value:.4g}" if isinstance(value, float) else f"{value}"


@pytest.mark.parametrize(("row", "ranks"), sampled(pairs((5, 8), 1), 10), ids=str)
def test_a_cell_tells_what_the_recording_holds(row, ranks, open_page):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    last = len(recording.steps)
    if not last:
        return
    page = open_page(board, step=last)
    short = shortened(recording)
    for step in {1, last}:
        state, before = short.state(step), short.state(step - 1)
        for transfer in board.frames[step - 1].transfers[:3]:
            at = (transfer.dst, transfer.into)
            goto(page, f"step={step}&select=cell:{at[0]}.{at[1]}")
            holders = {int(rank) for rank in state.times[at].nonzero()[0]}
            chips = page.locator(f"{TALE} p:first-child .chip")
            assert {int(c.get_attribute("data-rank")) for c in chips.all()} == holders
            tale = page.locator(f"{TALE} .sum")
            if not board.view.shows_ranks or not tale.count():
                continue
            new = first_number(state, at)
            sent = [
                first_number(before, (m.src, m.chunk))
                for m in board.frames[step - 1].transfers
                if (m.dst, m.into) == at
            ]
            text = tale.first.text_content()
            if transfer.adds and before.full[at]:
                assert text == f"{' + '.join([first_number(before, at), *sent])} = {new}"
            elif not transfer.adds:
                assert text.split()[0] == new == sent[0]


def test_a_rank_tells_what_it_sent(open_page):
    board = proved_storyboard(RING)
    page = open_page(board, step=0)
    for step in (3, 4, 2, 6, 5):
        goto(page, f"step={step}&select=rank:1")
        sent = board.sent(step)[1]
        tale = page.locator(TALE).inner_text()
        assert f"So far: sent {step} messages, {size_text(sent)}, received" in tale
        assert f"In all: sent 6 messages, {size_text(board.sent(6)[1])}, received" in tale
