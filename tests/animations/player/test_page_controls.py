"""Every control of the page by touch and by keys; terms; hostile strings and numbers in stories."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Page
from samples import pairs
from settings import sampled

from animations.player.page import write_page
from animations.story.cell_views import shortened
from animations.story.compose import proved_storyboard
from collectives import record, send
from collectives.schedule import Source, SourceFrame
from collectives.units import size_text
from collectives.words import plural

TALE, TIP = "[data-part=tale]", "[data-part=tip]"
RING = record("all_reduce", "ring", ranks=4)


CLOSED = """() => new Promise((done) => {
  const { store } = document.querySelector("#player").collectives;
  const look = () => (store.state.help ? requestAnimationFrame(look) : done());
  look();
})"""


def goto(page: Page, address: str) -> str:
    """Follow a link within the page; what the story then says, without its title."""
    page.evaluate("address => (location.hash = address)", address)
    page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true)))")
    return page.locator(TALE).text_content()


def state(page: Page) -> dict[str, str]:
    """What the player shows, by its store."""
    return page.evaluate(
        """() => {
          const { selection, ...rest } = document.querySelector("#player").collectives.store.state;
          const text = selection ? `${selection.kind}:${selection.at.join(".")}` : "";
          return { ...rest, selection: text };
        }"""
    )


def test_every_control_is_used_by_touch(browser, tmp_path):
    """On a phone, whose story covers neither stage nor buttons."""
    board = proved_storyboard(RING)
    write_page(board, tmp_path / "page.html", "dark")
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(**phone, reduced_motion="reduce")
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector(".sheet")

    def tap(part):
        page.locator(part if part[0] in "[.#" else f"[data-part={part}]").first.tap()
        return state(page)

    assert [tap(part)["step"] for part in ("next", "next", "back", "last", "first")] == [
        1,
        2,
        1,
        6,
        0,
    ]
    assert [tap("play")["playing"] for _ in range(2)] == [True, False]
    assert [tap("speed")["speed"] for _ in range(4)] == [2, 4, 0.5, 1]
    assert [tap("transfers")["panel"] for _ in range(2)] == ["transfers", "counters"]
    assert [tap("diagram")["diagram"] for _ in range(2)] == ["steps", ""]
    assert [tap("theme")["theme"] for _ in range(2)] == ["light", "dark"]
    assert tap("help")["help"]
    tap("[data-part=dialog] form button")
    page.evaluate(CLOSED)
    goto(page, "step=3")
    page.locator(".board").evaluate("board => (board.scrollLeft = board.scrollWidth)")
    card, cell = board.scenery.cards[2].box, board.scenery.cards[2].cell(1)
    for box, kind in ((cell, "cell:2.1"), (cell, ""), (card, "rank:2")):
        edge = box.top + (6 if box is card else box.height / 2)
        x, y = box.x - board.sheet.stage.left, edge - board.sheet.stage.top
        stage = page.locator("[data-part=stage]").bounding_box()
        scale = stage["width"] / board.sheet.stage.width
        page.touchscreen.tap(stage["x"] + scale * x, stage["y"] + scale * y)
        assert state(page)["selection"] == kind
        stage = page.locator("[data-part=stage]").bounding_box()
    goto(page, "step=3&select=cell:2.1")
    story = page.locator("[data-part=story]").bounding_box()
    for part in ("board", "timeline"):
        box = page.locator(f".{part}").bounding_box()
        assert box["y"] + box["height"] <= story["y"]
    assert story["y"] + 100 < page.locator(".tools").bounding_box()["y"]  # at the window's foot
    assert page.locator(TIP).is_hidden()
    tap(".story dfn")
    assert page.locator(TIP).is_visible()
    page.get_by_text("Follow chunk 1").tap()
    assert state(page)["selection"] == "chunk:1"
    page.locator(f"{TALE} [data-step='4']").tap()
    assert state(page)["step"] == 4
    assert tap("close")["selection"] == ""
    context.close()


def test_enter_selects_what_has_the_focus_and_terms_are_told(open_page):
    page = open_page(proved_storyboard(RING), step=2)
    for selector, thing in (
        (".counters [role=button] >> nth=1", "counter:1"),
        ("[data-part=source] [role=button] >> nth=0", "line:0."),
        ("[data-part=list] [role=button] >> nth=2", "transfer:2.2"),
        ("[data-part=lanes] [role=button] >> nth=3", "rank:3"),
    ):
        goto(
            page,
            "step=2&panel=transfers&clock=steps"
            if "li" in selector or "lanes" in selector
            else "step=2",
        )
        page.locator(selector).focus()
        page.keyboard.press("Enter")
        assert state(page)["selection"].startswith(thing)
    goto(page, "step=2&select=cell:1.2")
    link = page.locator(f"{TALE} [data-thing^='chunk']")
    link.focus()
    page.keyboard.press("Enter")
    assert state(page)["selection"] == "chunk:2"
    term = page.locator(f"{TALE} dfn").first
    tip = page.locator(TIP)
    for show, hide in (
        (term.hover, lambda: page.locator("h1").hover()),
        (term.focus, term.blur),
        (term.focus, lambda: page.keyboard.press("Escape")),
    ):
        show()
        assert tip.is_visible()
        assert tip.text_content() == term.get_attribute("data-meaning")
        hide()
        assert tip.is_hidden()


EVIL = "</script><img src=x onerror=alert(1)>\u202e<b>&amp;"


def test_hostile_strings_in_stories_are_text(open_page):
    """In the name of the algorithm, its function, its lines and its comments."""
    long = "w" * 400
    text = f"def mine(n):\n    # {EVIL}\n    yield '{EVIL}', '{long}'\n"
    stamp = (SourceFrame(Source("mine", EVIL, 1, text), 3),)
    recording = record(
        [send(0, 1).under(stamp)], f"{EVIL}{long}", collective="broadcast", ranks=2, slots=1
    )
    page = open_page(proved_storyboard(recording), step=1)
    for thing in (
        "cell:1.0",
        "rank:0",
        "chunk:0",
        "transfer:1.0",
        "line:0.2",
        "link:0.1",
        "counter:0",
    ):
        goto(page, f"step=1&clock=lockstep&select={thing}")
        story = page.locator("[data-part=story]")
        assert story.locator("img, script, b:not(.sum)").count() == 0
        assert "\u202e" not in story.text_content()
        told = "<img src=x onerror=alert(1)>" in story.text_content()
        assert told == (thing.split(":")[0] in ("cell", "transfer", "line")), thing
        assert story.evaluate("(part) => part.scrollWidth <= part.clientWidth"), thing


def flow(board, step, src, dst) -> str:
    """Messages and bytes from one node to another in the first steps, -1: any; as text."""
    messages, bytes_sent = set(), {}
    for frame in board.frames[:step]:
        for transfer in frame.transfers:
            if not transfer.is_local and src in (-1, transfer.src) and dst in (-1, transfer.dst):
                messages.add((frame.number, transfer.src, transfer.dst))
                bytes_sent[frame.number, transfer.src, transfer.dst, transfer.chunk] = transfer.size
    size = f", {size_text(sum(bytes_sent.values()))}" if board.labels.moves_data else ""
    return plural(len(messages), "message") + size


@pytest.mark.parametrize(("row", "ranks"), sampled(pairs((5, 8), 1), 15), ids=str)
def test_numbers_of_stories_are_the_recordings(row, ranks, open_page):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board, short = proved_storyboard(recording), shortened(recording)
    last = len(board.frames)
    if not last:
        return
    page, name = open_page(board, step=0), board.labels.node
    for step in sorted({1, last}):
        transfers = board.frames[step - 1].transfers
        transfer = next((each for each in transfers if not each.is_local), transfers[0])
        for node in (transfer.src, transfer.dst):
            tale = goto(page, f"step={step}&select=rank:{node}")
            for part, until in (("So far", step), ("In all", last)):
                sent, got = flow(board, until, node, -1), flow(board, until, -1, node)
                assert f"{part}: sent {sent}, received {got}." in tale
        tale = goto(page, f"step={step}&select=link:{transfer.src}.{transfer.dst}")
        there, back = (
            flow(board, step, transfer.src, transfer.dst),
            flow(board, step, transfer.dst, transfer.src),
        )
        ends = name(transfer.src), name(transfer.dst)
        assert f"So far: {ends[0]} → {ends[1]} {there}; {ends[1]} → {ends[0]} {back}." in tale
        tale = goto(page, f"step={step}&select=transfer:{step}.{transfers.index(transfer)}")
        assert (f": {size_text(transfer.size)}." in tale) == (
            board.labels.moves_data and transfer.size > 0
        )
        at = transfer.dst, transfer.into
        if at[0] < ranks and recording.postcondition[at]:
            goto(page, f"step={step}&select=cell:{at[0]}.{at[1]}")
            missing = page.locator(f"{TALE} .missing").all()
            due = range(recording.required.first[at], recording.required.end[at])
            held = set(short.state(step).times[at].nonzero()[0].tolist())
            told = {int(chip.get_attribute("data-rank")) for chip in missing}
            origin, begins = recording.required.origin[at], recording.precondition
            assert told == {r for r in due if r not in held and begins[r, origin]}
        for number, counter in enumerate(board.counters):
            now, total, *_ = counter.text(step).split(" / ")
            tale = goto(page, f"step={step}&select=counter:{number}")
            assert f"After step {step}: {now}. In all: {total}." in tale
    lines = Counter(
        (m.source.text, m.source.first) for frame in board.frames for m in frame.transfers
    )
    texts = list(dict.fromkeys(m.source.text for frame in board.frames for m in frame.transfers))
    for (text, line), made in list(lines.items())[:4]:
        tale = goto(page, f"step=1&select=line:{texts.index(text)}.{line}")
        assert re.search(rf"It made {made} transfers? in \d+ steps?: ", tale)
