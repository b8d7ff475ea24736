"""The page in use: keys, buttons, addresses, its policy, small windows, words that fit."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Page
from samples import few, kinds, of_count, rows_on
from settings import THOROUGH

from animations.drawing.curves import sampled
from animations.drawing.theme import DARK
from animations.story.compose import proved_storyboard
from animations.story.counters import counter_rows
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives import Row, record, send
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology_for
from collectives.schedule import Source, SourceFrame

CAPTION = "[data-part=caption]"


@pytest.fixture
def board() -> Storyboard:
    return proved_storyboard(record("all_reduce", "ring", ranks=4))


def board_of(row: Row, ranks: int, count: int | None) -> Storyboard:
    """The row's storyboard for a vector of `count` elements: only its counters grow with it."""
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
    if count is None or not board.labels.moves_data:
        return board
    large = record(row.collective, row.algorithm, ranks=ranks, **of_count(row, count))
    frames = [
        replace(
            frame,
            sent=tuple(sent * count // 100 for sent in frame.sent),
            busiest=frame.busiest * count // 100,
        )
        for frame in board.frames
    ]
    counters = counter_rows(
        [0, *(frame.counted for frame in frames)],
        [0, *(frame.busiest for frame in frames)],
        lockstep(large, topology_for(large, "crossbar")),
    )
    return replace(board, frames=tuple(frames), counters=counters)


def step_shown(page: Page) -> int:
    """The step of the slider."""
    return int(page.locator("[data-part=scrub]").input_value())


def step_of(page: Page, board: Storyboard) -> int:
    """The step that is shown, by caption and slider, which must agree."""
    step = board.captions.index(page.locator(CAPTION).text_content())
    assert step_shown(page) == step
    return step


def test_keys_step_forward_and_back(board, open_page):
    page = open_page(board)
    shown = []
    for key in [
        "ArrowRight",
        "n",
        "ArrowRight",
        "ArrowLeft",
        "p",
        "End",
        "ArrowRight",
        "n",
        "Home",
        "ArrowLeft",
    ]:
        page.keyboard.press(key)
        shown.append(step_of(page, board))
    assert shown == [1, 2, 3, 2, 1, 6, 6, 6, 0, 0]


def test_keys_with_modifiers_belong_to_the_browser(board, open_page):
    page = open_page(board, step=2)
    prevented = page.evaluate(
        """() => ["ctrlKey", "altKey", "metaKey"].map((name) => {
          const given = { key: "ArrowLeft", bubbles: true, cancelable: true, [name]: true };
          return !document.body.dispatchEvent(new KeyboardEvent("keydown", given));
        })"""
    )
    assert (prevented, step_of(page, board)) == ([False] * 3, 2)


def test_buttons_have_names_and_work(board, open_page):
    page = open_page(board)
    shown = []
    for name in ("Next step", "Last step", "Step back", "First step"):
        page.get_by_role("button", name=name, exact=True).click()
        shown.append(step_of(page, board))
    assert shown == [1, 6, 5, 0]
    unnamed = page.locator("button:not([aria-label]):not(.bench *, .machine *)").all_text_contents()
    assert unnamed == ["steps", "lockstep", "dataflow", "Why 6?", "Close"]
    assert page.locator("[data-part=next]").get_attribute("aria-disabled") == "false"
    assert page.locator("[data-part=first]").get_attribute("aria-disabled") == "true"


@pytest.mark.parametrize("motion", [True, False])
def test_play_runs_to_the_end_and_starts_again(motion, board, open_page):
    page = open_page(board, motion=motion, own=not motion)
    if not motion:
        page.clock.install(time=0)
    page.clock.pause_at(10_000)
    play = page.locator("[data-part=play]")
    page.keyboard.press("Space")
    assert play.get_attribute("aria-label") == "Pause"
    page.clock.run_for(3_000)
    assert 0 < step_of(page, board) < 6
    page.keyboard.press("Space")
    paused = step_of(page, board)
    page.clock.run_for(20_000)
    assert (step_of(page, board), play.get_attribute("aria-label")) == (paused, "Play")
    play.focus()
    page.keyboard.press("Space")
    page.clock.run_for(20_000)
    assert (step_of(page, board), play.get_attribute("aria-label")) == (6, "Play")
    play.click()
    assert step_of(page, board) == 0
    page.clock.run_for(2_000)
    assert step_of(page, board) == 1


def test_space_presses_the_button_that_has_the_focus(board, open_page):
    page = open_page(board)
    page.locator("[data-part=last]").focus()
    page.keyboard.press("Space")
    assert step_of(page, board) == 6
    assert page.locator("[data-part=play]").get_attribute("aria-label") == "Play"


FLYING = """() => {
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  return document.querySelectorAll("[opacity='1'] .badge").length;
}"""


SIGNS = """() => {
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  return [...document.querySelectorAll("[opacity='1'] .badge")]
    .map((badge) => getComputedStyle(badge).visibility);
}"""


@pytest.mark.parametrize(("ranks", "seen"), [(4, "visible"), (8, "hidden")])
def test_signs_are_left_out_where_they_would_hide_what_moves(ranks, seen, open_page):
    page = open_page(proved_storyboard(record("all_gather", "flat", ranks=ranks)), motion=True)
    assert page.evaluate(SIGNS) == [seen] * ranks * (ranks - 1)


LENS = "document.querySelectorAll('[data-part=lens] .stripe').length"


def test_the_enlarged_chunk_is_the_sum_once_it_has_landed(board, open_page):
    page = open_page(board, motion=True)
    for sent in (1, 2):
        page.evaluate(FLYING)
        assert page.evaluate(LENS) == sent
        page.clock.run_for(20_000)
        assert page.evaluate(LENS) == sent + 1


@pytest.mark.parametrize("motion", [True, False])
def test_chunks_fly_unless_the_reader_prefers_reduced_motion(motion, board, open_page):
    page = open_page(board, motion=motion)
    assert page.evaluate(FLYING) == (4 if motion else 0)
    assert step_of(page, board) == 1


def played(page: Page, install: bool) -> list[int]:
    """Plays to the end; the milliseconds from each step to the next."""
    if install:
        page.clock.install(time=0)
    page.clock.pause_at(10_000)
    page.evaluate(
        """() => {
          window.times = [];
          const player = document.querySelector("#player");
          player.addEventListener("step", () => window.times.push(Date.now()));
        }"""
    )
    page.keyboard.press("Space")
    page.clock.run_for(200_000)
    times: list[int] = page.evaluate("window.times")
    return [late - early for early, late in pairwise(times)]


@pytest.mark.parametrize("motion", [True, False])
def test_playback_leaves_time_to_read_each_step(motion, board, open_page):
    """As much without motion as the flight of the chunks would take."""
    steps = played(open_page(board, motion=motion, own=not motion), install=not motion)
    assert len(steps) == 5
    if motion:
        assert 4_000 <= steps.pop(0) <= 6_000  # begins with one transfer alone
    assert 1_500 <= min(steps) <= max(steps) <= 2_500


def test_playback_of_many_steps_waits_less_at_each(open_page):
    """A hundred steps without motion take a minute and a half, not three."""
    board = proved_storyboard(record("broadcast", "ring", ranks=3, chunks=100))
    steps = played(open_page(board, own=True), install=True)
    assert len(steps) == 100
    assert 60_000 <= sum(steps) <= 95_000


def test_next_during_a_flight_lands_it_first(board, open_page):
    page = open_page(board, motion=True)
    page.clock.pause_at(1000)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        page.clock.run_for(50)
    drawn = "document.querySelector('.collectives').collectives.drawn().length"
    held = page.evaluate(drawn)
    assert held == sum(len(cell.held) for cell in board.cells(2).values())
    page.keyboard.press("ArrowLeft")
    assert step_of(page, board) == 2
    assert page.evaluate(drawn) == held


def test_the_address_names_the_step(board, open_page):
    assert step_of(open_page(board, step=3), board) == 3
    assert step_of(open_page(board, step=99), board) == 6
    page = open_page(board, step="x<img>")
    assert step_of(page, board) == 0
    page.evaluate("location.hash = '#step=5'")
    page.wait_for_function("document.querySelector('[data-part=caption]').textContent[5] === '5'")
    assert step_of(page, board) == 5
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**#step=3")  # soon after, as browsers refuse many changes


def test_help_explains_the_keys(board, open_page):
    page = open_page(board)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Help")
    assert dialog.is_visible()
    assert "Home, End" in dialog.text_content()
    assert dialog.evaluate("dialog => dialog.scrollTop") == 0  # though its button is at the end
    page.keyboard.press("ArrowRight")
    assert step_of(page, board) == 0
    dialog.evaluate(  # as Escape does; a key that comes at once is not lost
        """dialog => {
          dialog.requestClose();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
        }"""
    )
    assert not dialog.is_visible()
    assert step_of(page, board) == 1
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()


def test_help_and_the_story_of_a_counter_say_which_algorithm_takes_fewer_steps(open_page):
    board = usual_board(record("all_reduce", "ring", ranks=8))
    page = open_page(board, step=len(board.frames))
    reading, tale = (page.locator(f"[data-part={part}]") for part in ("reading", "tale"))
    page.locator("[data-part=counters] .numbers").first.click()
    for sentence in board.trade.sentences:
        assert sentence in reading.text_content()
        assert sentence in tale.text_content()
    assert board.trade.verdict[0] in page.locator("[data-part=note]").text_content()


def test_focus_is_seen_and_changes_are_announced(board, open_page):
    page = open_page(board)
    names = []
    tools = [
        *("First step", "Step back", "Play", "Next step", "Last step"),
        *("Speed: 1×", "Transfers in words", "Space and time"),
        *("Dark or light", "Help", "Step"),
    ]
    while "Step" not in names:
        page.keyboard.press("Tab")
        name, style, width, color = page.evaluate(
            """() => {
              const { outlineStyle, outlineWidth, outlineColor } =
                getComputedStyle(document.activeElement);
              const name = document.activeElement.ariaLabel;
              return [name, outlineStyle, parseFloat(outlineWidth), outlineColor];
            }"""
        )
        red, green, blue = bytes.fromhex(DARK.now[1:])
        assert (style, color) == ("solid", f"rgb({red}, {green}, {blue})")
        assert width >= 2
        names.append(name)
    assert [name for name in names if name in tools] == tools
    assert page.locator(CAPTION).get_attribute("aria-live") == "polite"


def test_the_policy_stops_everything_else(board, open_page):
    page = open_page(board)
    refused = page.evaluate(
        """async () => {
          const refused = [];
          document.addEventListener("securitypolicyviolation", (event) => {
            refused.push(event.effectiveDirective);
          });
          const add = (name, attributes) =>
            document.body.append(Object.assign(document.createElement(name), attributes));
          add("script", { textContent: "window.hacked = 1" });
          add("style", { textContent: "body { display: none }" });
          add("img", { src: "https://example.invalid/x.png" });
          add("b", { innerHTML: "<i onclick='window.hacked = 1' style='color: red'></i>" });
          document.querySelector("i[onclick]").click();
          add("base", { href: "https://example.invalid/" });
          add("form", { action: "https://example.invalid/" });
          document.body.lastElementChild.submit();
          await fetch("https://example.invalid/").catch(() => refused.push("fetch failed"));
          for (let wait = 0; wait < 50 && !refused.includes("form-action"); wait++) {
            await new Promise((done) => setTimeout(done, 100));
          }
          return refused;
        }"""
    )
    stopped = {"script-src-elem", "style-src-elem", "img-src", "script-src-attr", "style-src-attr"}
    stopped |= {"connect-src", "fetch failed", "base-uri", "form-action"}
    assert stopped <= set(refused)
    assert page.evaluate("window.hacked") is None
    assert page.locator("body").is_visible()
    for line in page.trouble:
        assert "Content Security Policy" in line or line == "asks for https://example.invalid/x.png"
    page.trouble.clear()


WORDS = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const { collectives } = document.querySelector(".collectives");
  const ink = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.querySelector("canvas")).fontFamily;
  const numbers = collectives.drawn().filter(({ em }) => em).map((mark) => {
    ink.font = `bold ${mark.em}px ${family}`;
    return { ...mark, wide: ink.measureText(mark.text).width };
  });
  return [...document.querySelectorAll(".card")].map((card) => [
    box(card.querySelector(".frame")),
    [
      ...card.querySelectorAll(":scope > text"),
      ...document.querySelectorAll(`[data-part=names] [data-node="${card.dataset.node}"]`),
    ].map((text) => [text.textContent, ...box(text)]),
    numbers.filter(({ node }) => node === Number(card.dataset.node)).map(
      ({ text, wide, width }) => [text, wide, width]),
  ]);
}"""


def assert_words_lie_in_their_cards_and_apart(page: Page, where: object) -> None:
    for frame, words, numbers in page.evaluate(WORDS):
        for i, (_, left, top, right, bottom) in enumerate(words):
            assert frame[0] < left, where
            assert frame[1] < top, where
            assert right < frame[2], where
            assert bottom < frame[3], where
            for _, other_left, other_top, other_right, other_bottom in words[i + 1 :]:
                beside = right <= other_left or other_right <= left
                assert beside or bottom <= other_top or other_bottom <= top, where
        for number, wide, room in numbers:
            assert wide < room, (where, number)


@pytest.mark.parametrize("ranks", [2, 8] if THOROUGH else [8])
def test_words_lie_in_their_cards_and_apart(ranks, open_page):
    """Everything in which pictures differ; 16 ranks, where it is tight, are tried below."""
    for row in few(kinds(), "words"):
        page = open_page(board_of(row, ranks, 123_456_789), step=99)
        assert_words_lie_in_their_cards_and_apart(page, row.title)


CLIPPED = """() => [
  ".now", ".variables", "[data-part=source]", "[data-part=caption]", ".row", ".numbers", ".side",
].flatMap((query) => [...document.querySelectorAll(query)]).filter((element) => {
  if (getComputedStyle(element).overflowY !== "auto" || !element.matches(".code")) return true;
  const { top, bottom } = element.getBoundingClientRect(); // a long source scrolls to what runs
  const runs = [...element.querySelectorAll(".now")].map((now) => now.getBoundingClientRect());
  return !runs.length || runs.some((now) => now.top < top - 1 || now.bottom > bottom + 1);
}).filter((element) =>
  element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline" ||
  element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).display !== "inline"
).map((element) => element.className || element.dataset.part)"""


GO = """(step) => document.querySelector("#player").dispatchEvent(
  new CustomEvent("goto", { detail: step }))"""


@pytest.mark.parametrize(("ranks", "count"), [(16, 123_456_789), (4, None)][: 2 if THOROUGH else 1])
def test_nothing_that_counts_is_cut_off_or_covered(ranks, count, open_page):
    """At the first step of each function, for all that pictures differ in; `make thorough`: all."""
    for row in few(rows_on(ranks, every=ranks == 16), "covered"):
        board = board_of(row, ranks, count)
        functions = {frame.source.function: frame.number for frame in reversed(board.frames)}
        page = open_page(board)
        for step in sorted(functions.values()):
            page.evaluate(GO, step)
            assert step_shown(page) == step
            assert page.evaluate(CLIPPED) == [], (row.title, step)
        page.evaluate(GO, len(board.frames))
        assert_words_lie_in_their_cards_and_apart(page, row.title)


def test_two_players_share_a_document_and_leave_it(board, window):
    from animations.player.pack.data import story
    from animations.player.page import player_script

    found = window.evaluate(
        """async ([code, story]) => {
          document.body.innerHTML = "<div></div><div></div>";
          const { play } = await import(URL.createObjectURL(
            new Blob([code], { type: "text/javascript" })));
          const roots = [...document.querySelectorAll("div")];
          const leave = roots.map((root) => play(root, story));
          const press = (target) => target.dispatchEvent(
            new KeyboardEvent("keydown", { key: "End", bubbles: true }));
          press(document.body);
          press(roots[1].querySelector("button"));
          const captions = () => [...document.querySelectorAll("[data-part=caption]")]
            .map((caption) => caption.textContent.slice(0, 6));
          const shown = captions();
          const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
          leave[1]();
          press(roots[1]);
          return [shown, captions(), new Set(ids).size === ids.length, location.hash];
        }""",
        [player_script(), story(proved_storyboard(record("all_reduce", "ring", ranks=9)))],
    )
    assert found == [["All GP", "Step 1"], ["All GP"], True, ""]


def test_long_names_stay_in_their_place(open_page):
    """A name, its code and its remarks, however long."""
    name = "q" * 300
    text = f"def {name}(n):\n    # {name}\n    yield 1\n"
    stamp = (SourceFrame(Source(name, "f.py", 1, text), 3),)
    steps = [send(0, 1).under(stamp)]
    recording = record(steps, name, collective="broadcast", ranks=2, slots=1)
    page = open_page(proved_storyboard(recording))
    page.keyboard.press("ArrowRight")
    wide = "[...document.querySelectorAll('h1, .head p, .code .line, [data-part=note]')]"
    inside = "(part, edge) => part.getBoundingClientRect().right <= edge"
    side = page.evaluate("document.querySelector('.side').getBoundingClientRect().left")
    assert page.locator("h1").evaluate(inside, side)
    assert page.locator("h1").evaluate("part => getComputedStyle(part).overflow") == "hidden"
    assert page.evaluate(f"{wide}.every(part => part.scrollHeight < 400)")
    assert page.locator(".code .line").first.evaluate("e => e.getBoundingClientRect().height > 8")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    remark = page.locator(".code .line").nth(1)
    assert remark.evaluate("part => part.scrollWidth <= part.clientWidth")


@pytest.mark.parametrize("algorithm", ["swing", "ring"])
def test_every_line_between_cards_is_drawn_as_long_as_it_is(algorithm, open_page):
    """Also one along a ring of cables, which has more points than a curve of SVG."""
    board = usual_board(record("all_reduce", algorithm, ranks=8))
    page = open_page(board)
    page.evaluate(GO, 3)
    lit = [sampled(line.points) for line in board.scenery.lines if 3 in line.steps]
    long = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in lit)
    lengths = page.evaluate("""() => [...document.querySelectorAll("#player path")]
      .map((path) => path.getTotalLength())""")
    assert lit and any(length == pytest.approx(long, rel=0.01) for length in lengths)
