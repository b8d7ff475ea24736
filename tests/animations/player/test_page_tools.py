"""What the page offers beside its steps: transfers in words, scrubbing, speeds, themes."""

from dataclasses import replace
from itertools import product

import pytest
from playwright.sync_api import Page
from samples import few, of_count, rows_on
from settings import THOROUGH, sampled

from animations.drawing.theme import DARK, LIGHT
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from animations.story.transfers import Transfer
from collectives import record
from collectives.schedule.step import rows
from collectives.units import size_text

LISTED = """() => [...document.querySelectorAll("[data-part=list] li")].map((item) =>
  [...item.children].map((part) => part.textContent))"""
ALL_LISTED = f"""(steps) => [...Array(steps + 1).keys()].map((step) => {{
  document.querySelector("#player").dispatchEvent(new CustomEvent("goto", {{ detail: step }}));
  return ({LISTED})();
}})"""
SIZES = [(1280, 720), (1920, 1080)]


@pytest.fixture
def board() -> Storyboard:
    return proved_storyboard(record("all_reduce", "ring", ranks=4))


def step_of(page: Page) -> int:
    return int(page.locator("[data-part=scrub]").input_value())


@pytest.mark.parametrize(("ranks", "dtype"), [(5, "int64"), (6, "float32")][: 2 if THOROUGH else 1])
def test_transfers_are_told_with_the_values_that_move(ranks, dtype, open_page):
    """Everything in which pictures differ; `make thorough`: every row."""
    for row in few(rows_on(ranks, every=ranks == 5), "tools"):
        words = of_count(row, 29)
        recording = record(row.collective, row.algorithm, ranks=ranks, dtype=dtype, **words)
        board = proved_storyboard(recording)
        if not board.view.shows_ranks:
            continue  # of folded chunks no values are told
        page = open_page(board)
        page.keyboard.press("t")
        seen = page.evaluate(ALL_LISTED, len(recording.steps))
        assert seen[0] == []
        for number, step in enumerate(recording.steps, 1):
            state, cells = recording.state(number - 1), board.cells(number - 1)
            expected = []
            for src, dst, chunk, into, _, adds in rows(step.unrolled()):
                moving = state.value(src, chunk)
                transfer = Transfer(src, dst, chunk, into, adds, cells[src, chunk], 0, "", "", None)
                one, other = board.labels.node(src), board.labels.node(dst)
                alike = one.split()[0] == other.split()[0]
                first = " ".join(f"{value:g}" for value in moving[:4])
                expected.append(
                    [
                        f"{one} → {other.split()[1] if alike else other}",
                        "+" if adds else "=",
                        board.labels.data(transfer),
                        size_text(moving.nbytes) if moving.nbytes else "",
                        f"[{first}{' …' if len(moving) > 4 else ''}]" if first else "",
                    ]
                )
            assert seen[number] == expected


def test_transfers_take_the_place_of_the_counters(board, open_page):
    page = open_page(board, step=2)
    page.get_by_role("button", name="Transfers in words").click()
    assert page.locator(".transfers").is_visible()
    assert not page.locator(".counters").is_visible()
    page.keyboard.press("t")
    assert not page.locator(".transfers").is_visible()
    assert page.locator(".legend").is_visible()


def test_transfers_of_many_ranks_have_no_values_and_an_end(open_page):
    page = open_page(proved_storyboard(record("all_gather", "flat", ranks=20)), step=1)
    page.keyboard.press("t")
    listed = page.evaluate(LISTED)
    assert (len(listed), listed[0]) == (301, ["rank 0 → 1", "=", "chunk 0", "32 B", ""])
    assert page.locator("[data-part=list] li").last.text_content() == "… and 80 more"


OVERLAPS = """() => {
  const parts = [".head", ".board", ".code", ".lower", ".tools", "[data-part=caption]",
    "[data-part=note]", ".timeline"].map((query) => [query, document.querySelector(query)]);
  const boxes = parts.map(([query, part]) => [query, part.getBoundingClientRect()]);
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 ||
    a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => [a, b]));
  const values = [...document.querySelectorAll("[data-part=list] li > *")];
  return [
    pairs.filter(([a, b]) => !apart(a[1], b[1])).map(([a, b]) => [a[0], b[0]]),
    values.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
      .map((part) => part.textContent),
    document.documentElement.scrollHeight > innerHeight,
  ];
}"""


@pytest.mark.parametrize(
    ("ranks", "size"), sampled(product([4, 8, 16, 32, 64, 128], SIZES), 3), ids=str
)
def test_nothing_overlaps_with_or_without_transfers(size, ranks, open_page):
    page = open_page(
        proved_storyboard(record("all_reduce", "ring", ranks=ranks)), step=ranks, size=size
    )
    assert page.evaluate(OVERLAPS) == [[], [], False]
    page.keyboard.press("t")
    assert page.evaluate(OVERLAPS) == [[], [], False]


def test_the_scrub_bar_is_used_by_keys_and_pointer(board, open_page):
    page = open_page(board)
    bar = page.get_by_role("slider", name="Step")
    bar.focus()
    shown = []
    for key in ("ArrowRight", "ArrowUp", "End", "ArrowDown", "Home", "ArrowLeft"):
        page.keyboard.press(key)
        shown.append(step_of(page))
        assert bar.get_attribute("aria-valuetext") == f"step {shown[-1]} of 6"
    assert shown == [1, 2, 6, 5, 0, 0]
    box = page.locator("[data-part=phases]").bounding_box()
    for step in (4, 1, 6):
        x = box["x"] + box["width"] * step / 6
        page.mouse.click(min(x, box["x"] + box["width"] - 1), box["y"] + 4)
        assert step_of(page) == step


def test_speeds_are_kept_while_it_plays(board, open_page):
    page = open_page(board, motion=True)
    page.clock.pause_at(10_000)
    speed = page.locator("[data-part=speed]")
    reached = []
    for name in ("1×", "2×", "4×", "0.5×"):
        assert (speed.text_content(), speed.get_attribute("aria-label")) == (name, f"Speed: {name}")
        page.keyboard.press("Home")
        page.keyboard.press("n")  # the first step of a playback is slow
        page.keyboard.press("Space")
        page.clock.run_for(2_500)
        reached.append(step_of(page))
        page.keyboard.press("Space")
        page.keyboard.press("s")
    assert speed.text_content() == "1×"
    assert reached[3] < reached[0] < reached[1] < reached[2], reached


def test_light_and_dark(board, tmp_path, window):
    from animations.player.page import write_page

    def colors() -> list[str]:
        found: list[str] = page.evaluate(
            """() => [".collectives", ".legend .stripe", ".panel"].map((query, i) =>
              getComputedStyle(document.querySelector(query))[i === 1 ? "fill" : "backgroundColor"]
            )"""
        )
        return found

    def rgb(name: str) -> list[int]:
        return list(bytes.fromhex(name[1:]))

    def painted() -> list[int]:
        """The color of the first stripe on the canvas."""
        found: list[int] = page.evaluate(
            """() => {
              const canvas = document.querySelector("canvas");
              const { left, top, width } = canvas.getBoundingClientRect();
              const [mark] = document.querySelector(".collectives").collectives.drawn();
              const at = new DOMPoint(mark.x + mark.width / 8, mark.y + mark.height / 2)
                .matrixTransform(document.querySelector(".stage").getScreenCTM());
              const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
              copy.drawImage(canvas, 0, 0);
              const ratio = canvas.width / width;
              return [...copy.getImageData(
                ratio * (at.x - left), ratio * (at.y - top), 1, 1).data.slice(0, 3)];
            }"""
        )
        return found

    def of(theme: object) -> list[str]:
        names = (theme.background, theme.ranks[0], theme.panel)
        return [f"rgb{tuple(bytes.fromhex(name[1:]))}" for name in names]

    write_page(board, tmp_path / "light.html", "light")
    page = window
    page.goto((tmp_path / "light.html").as_uri())
    page.wait_for_selector(".sheet")
    assert colors() == of(LIGHT)
    assert painted() == rgb(LIGHT.ranks[0])
    page.keyboard.press("d")
    assert colors() == of(DARK)
    assert painted() == rgb(DARK.ranks[0])
    page.get_by_role("button", name="Dark or light").click()
    assert colors() == of(LIGHT)


def test_a_step_whose_source_is_not_known_says_so(board, open_page):
    frames = tuple(
        replace(frame, transfers=tuple(replace(m, source=None) for m in frame.transfers))
        for frame in board.frames
    )
    page = open_page(replace(board, frames=frames), step=1)
    assert page.locator("[data-part=source]").text_content() == "source not known"
    one = open_page(proved_storyboard(record("all_reduce", "ring", ranks=1)))
    assert one.locator("[data-part=source]").text_content() == "no code has to run"
    assert one.locator("[data-part=note]").text_content().endswith("— proved.")
