"""A page in a frame of another page: what its address leaves out, and messages both ways."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from animations.player.page import write_page
from animations.story.usual import usual_board
from collectives import record

BOARD = usual_board(record("all_reduce", "ring", ranks=8))
HOST = """<!DOCTYPE html><meta charset="utf-8"><title>A textbook</title>
<iframe style="border: 0; display: block"></iframe>
<script>
  const said = [];
  addEventListener("message", ({ data, source }) => source === frames[0] && said.push(data));
</script>"""
PANELS = {
    "title": ".head",
    "code": "[data-part=source]",
    "counters": ".counters",
    "legend": ".legend",
    "caption": "[data-part=caption]",
    "timeline": ".timeline",
    "buttons": ".tools",
}
FITTING = [  # width and height of a frame, what is hidden, whether the code is beside the picture
    (1264, 640, "", True),
    (1000, 480, "", True),
    (1000, 560, "code,counters,legend", False),
    (700, 640, "", False),
]
HOSTILE = [
    ["step", 3],
    "step",
    None,
    7,
    {"collectives": "step"},
    {"collectives": "step", "step": "3"},
    {"collectives": "step", "step": 2.5},
    {"collectives": "step", "step": {"valueOf": 3}},
    {"collectives": "<img src=x onerror=alert(1)>", "step": 3},
    {"collectives": "act", "kind": "theme"},
    {"collectives": "constructor", "step": 3},
    {"collectives": ["step"], "step": 3},
]
Framed = Callable[..., Frame]


@pytest.fixture(scope="module")
def host(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("embedded")
    write_page(BOARD, folder / "ring.html")
    (folder / "host.html").write_text(HOST)
    context = browser.new_context(
        viewport={"width": 1300, "height": 900}, reduced_motion="reduce", color_scheme="dark"
    )
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto((folder / "host.html").as_uri())
    yield page
    context.close()
    assert trouble == []


@pytest.fixture
def framed(host: Page) -> Framed:
    """framed(address, width, height): the page in a frame of this size, anew."""

    def shown(address: str, width: int = 1264, height: int = 640) -> Frame:
        host.evaluate(
            """([address, width, height]) => {
              const old = document.querySelector("iframe");
              const frame = old.cloneNode();
              said.length = 0;
              Object.assign(frame.style, { width: `${width}px`, height: `${height}px` });
              frame.src = `ring.html${address}`;
              old.replaceWith(frame);
            }""",
            [address, width, height],
        )
        host.frame_locator("iframe").locator(".sheet").wait_for()
        return host.frames[-1]

    return shown


def send(host: Page, message: object) -> None:
    host.evaluate("message => frames[0].postMessage(message, '*')", message)


def said(host: Page, kind: str) -> list[dict[str, object]]:
    return host.evaluate("kind => said.filter(({ collectives }) => collectives === kind)", kind)


def step_is(frame: Frame, step: int) -> None:
    expect(frame.locator("[data-part=scrub]")).to_have_value(str(step))


def test_panels_are_hidden_by_the_address_behind_either_sign(framed):
    for address in ("#step=2&hide=", "?hide="):
        frame = framed(f"{address}code,caption,buttons")
        seen = {name for name, part in PANELS.items() if frame.locator(part).is_visible()}
        assert seen == set(PANELS) - {"code", "caption", "buttons"}
    frame.evaluate("location.hash = '#step=2&hide=title,legend,counters,timeline'")
    expect(frame.locator(".head")).to_be_hidden()
    seen = {name for name, part in PANELS.items() if frame.locator(part).is_visible()}
    assert seen == {"code", "caption", "buttons"}
    frame.locator("[data-part=next]").click()
    frame.wait_for_url("**#step=3&hide=title,counters,legend,timeline")


def test_what_an_address_misspells_is_said_in_a_line_and_ignored(framed):
    frame = framed("#step=2&hide=code,kode&embed=odd&stpe=3&time=soon&<img src=x>=1")
    line = frame.locator("[data-part=unknown]")
    expect(line).to_have_text(
        "This recording does not have what the link names: hide code,kode, embed odd, stpe 3, "
        "time soon, <img src x>=1."
    )
    step_is(frame, 2)
    assert not frame.locator("[data-part=source]").is_visible()
    assert frame.locator(".head").is_visible()
    frame.evaluate("location.hash = '#time=soon'")
    expect(line).to_have_text("This recording does not have what the link names: time soon.")
    step_is(frame, 0)


@pytest.mark.parametrize("size", [1, 0.25])
def test_a_time_is_the_last_step_that_is_over_then(framed, size):
    """By the counters of a board that Python makes for this size."""
    bytes_of_all = round(64 * 2**20 * size)
    board = usual_board(record("all_reduce", "ring", ranks=8, count=bytes_of_all // 8))
    ends = board.counters[-1].values
    frame = framed(f"#time=0us&size={size}")
    for step in (0, 1, 5, 13):
        for seconds, number in ((ends[step], step), (ends[step + 1] * 0.999, step)):
            frame.evaluate(f"location.hash = '#time={seconds * 1e6:.4f}us&size={size}'")
            frame.wait_for_url(f"**#step={number}*")
            step_is(frame, number)
            assert frame.locator("[data-part=unknown]").text_content() == ""
    frame.evaluate(f"location.hash = '#time=1s&size={size}'")
    step_is(frame, 14)
    expect(frame.locator("[data-part=unknown]")).to_contain_text("time 1s")


@pytest.mark.parametrize(("width", "height", "hidden", "beside"), FITTING)
def test_what_is_embedded_fits_its_frame(framed, width, height, hidden, beside):
    frame = framed(f"#step=3&embed&hide={hidden}", width, height)
    for part in (".head", *(() if beside else ("[data-part=source]", ".counters"))):
        assert not frame.locator(part).is_visible()
    for part in ("[data-part=stage]", "[data-part=caption]", "[data-part=next]", ".timeline"):
        box = frame.locator(part).evaluate("part => part.getBoundingClientRect().toJSON()")
        assert 0 <= box["left"] < box["right"] <= width, part
        assert 0 <= box["top"] < box["bottom"] <= height, part
    assert frame.locator("[data-part=source]").is_visible() == beside
    assert frame.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize("width", [1264, 800, 400])
def test_what_is_embedded_tall_says_how_high_it_is(host, framed, width):
    frame = framed("#step=3&embed=tall", width, 300)
    host.wait_for_function("said.some(({ collectives }) => collectives === 'height')")
    host.evaluate(
        """() => {
          const { style } = document.querySelector("iframe");
          const follow = ({ data }) => data.height && (style.height = `${data.height}px`);
          addEventListener("message", follow);
          said.forEach((data) => follow({ data }));
        }"""
    )
    frame.wait_for_function(
        "innerHeight > 300 && document.documentElement.scrollHeight <= innerHeight"
    )
    bottom = frame.evaluate("document.querySelector('.sheet').getBoundingClientRect().bottom")
    assert frame.evaluate("innerHeight") - 1 < bottom <= frame.evaluate("innerHeight")
    assert frame.locator("[data-part=source]").is_visible()


def test_messages_move_the_steps_and_tell_them(host, framed):
    frame = framed("#step=3&embed")
    host.wait_for_function("said.some(({ collectives }) => collectives === 'step')")
    assert said(host, "step") == [{"collectives": "step", "step": 3, "last": 14}]
    for step in (7, 8, 0, 14):
        send(host, {"collectives": "step", "step": step})
        step_is(frame, step)
    host.wait_for_function("said.some(({ collectives }) => collectives === 'end')")
    assert [each["step"] for each in said(host, "step")] == [3, 7, 8, 0, 14]
    send(host, {"collectives": "step", "step": 99})
    send(host, {"collectives": "step", "step": -4})
    step_is(frame, 0)
    send(host, {"collectives": "play"})
    send(host, {"collectives": "play"})
    expect(frame.locator("[data-part=play]")).to_have_attribute("aria-label", "Pause")
    send(host, {"collectives": "pause"})
    expect(frame.locator("[data-part=play]")).to_have_attribute("aria-label", "Play")


def test_nobody_else_moves_the_steps_and_nothing_else_is_obeyed(host, framed):
    frame = framed("#step=5&embed")
    before = frame.evaluate("JSON.stringify(player.collectives.store.state)")
    for message in HOSTILE:
        send(host, message)
    frame.evaluate(
        "postMessage({ collectives: 'step', step: 1 }, '*')"
    )  # its own, not the parent's
    frame.evaluate("() => new Promise((done) => setTimeout(done))")  # after all messages
    assert frame.evaluate("JSON.stringify(player.collectives.store.state)") == before
    assert frame.locator("img").count() == 0
    send(host, {"collectives": "step", "step": 6})
    step_is(frame, 6)


def test_a_page_that_is_not_embedded_tells_nothing(host, framed):
    frame = framed("#step=5")
    send(host, {"collectives": "step", "step": 6})
    step_is(frame, 6)
    host.evaluate("() => new Promise((done) => setTimeout(done))")
    assert host.evaluate("said") == []


def test_buttons_copy_the_lines_that_embed_what_is_seen(framed):
    frame = framed("#step=4&select=rank:2&hide=code")
    frame.locator("[data-part=help]").click()
    field = frame.get_by_role("textbox", name="What was copied")
    for name, address in (
        ("<iframe>", "step=4&select=rank:2&embed&hide=code"),
        ("<collective-player>", "step=4&select=rank:2&hide=code"),
    ):
        frame.get_by_role("button", name=name, exact=True).click()
        source, title = frame.evaluate(
            """line => {
              const parsed = new DOMParser().parseFromString(line, "text/html").body.firstChild;
              return [parsed.getAttribute("src"), parsed.title];
            }""",
            field.input_value(),
        )
        assert (urlsplit(source).path, urlsplit(source).fragment) == ("ring.html", address)
        assert title == "Ring all-reduce, 8 ranks"
        assert field.input_value().startswith(name[:-1])
    assert frame.evaluate("location.hash") == "#step=4&select=rank:2&hide=code"
