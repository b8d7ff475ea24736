"""<collective-player>: pages in a folder, framed by an element in other pages, and in a deck."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from animations.player.element import Players, element_line, write_players
from animations.story.usual import usual_board
from collectives import Recording, record
from collectives.__main__ import main
from collectives.errors import BadInput

DECK = Path(__file__).parents[3] / "docs" / "reveal.html"
HOST = """<!DOCTYPE html><meta charset="utf-8"><title>A blog</title><body style="margin: 0">
<script src="players/collective-player.js"></script><main></main>"""
REVEAL = """// The part of reveal.js that the deck uses: one slide at a time, fragments one by one.
const Reveal = (() => {
  const heard = {};
  const slides = [...document.querySelectorAll("section")];
  let at = 0;
  const tell = (event) => heard[event]?.forEach((act) => act({}));
  const show = () => slides.forEach((slide, i) => (slide.hidden = i !== at));
  const turn = (by) => {
    const all = [...slides[at].querySelectorAll(".fragment")];
    const seen = all.filter((fragment) => fragment.classList.contains("visible"));
    const fragment = by > 0 ? all[seen.length] : seen.at(-1);
    if (fragment) fragment.classList.toggle("visible", by > 0);
    else [at] = [Math.min(Math.max(at + by, 0), slides.length - 1), show()];
    show();
    tell(!fragment ? "slidechanged" : by > 0 ? "fragmentshown" : "fragmenthidden");
  };
  return {
    getCurrentSlide: () => slides[at],
    on: (event, act) => (heard[event] ??= []).push(act),
    initialize: () => (show(), tell("ready")),
    next: () => turn(1),
    prev: () => turn(-1),
  };
})();
"""


def drawn(*algorithms: str, ranks: int = 8) -> list[tuple[Recording, object]]:
    recordings = [record("all_reduce", name, ranks=ranks) for name in algorithms]
    return [(recording, usual_board(recording)) for recording in recordings]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Players of a ring and a tree, a page that frames them, and the deck with a stand-in."""
    folder = tmp_path_factory.mktemp("element")
    write_players(drawn("ring", "tree"), folder / "players")
    (folder / "host.html").write_text(HOST)
    (folder / "reveal.js" / "dist" / "theme").mkdir(parents=True)
    for name, text in (("reveal.js", REVEAL), ("reveal.css", ""), ("theme/black.css", "")):
        (folder / "reveal.js" / "dist" / name).write_text(text)
    shutil.copy(DECK, folder)
    return folder


@pytest.fixture(scope="module")
def host(browser: Browser, folder: Path) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1100, "height": 800}, reduced_motion="reduce", color_scheme="dark"
    )
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto((folder / "host.html").as_uri())
    yield page
    context.close()
    assert trouble == []


def shown(page: Page, line: str) -> FrameLocator:
    page.evaluate(
        """line => {
          window.heard = [];
          document.querySelector("main").innerHTML = line;
          const player = document.querySelector("collective-player");
          player.addEventListener("step", ({ detail }) => heard.push(detail.step));
          player.addEventListener("end", () => heard.push("end"));
        }""",
        line,
    )
    return page.frame_locator("collective-player iframe")


def step_is(frame: FrameLocator, step: int) -> None:
    expect(frame.locator("[data-part=scrub]")).to_have_value(str(step))


def test_an_element_frames_the_page_of_its_names_as_high_as_it_is(host):
    frame = shown(
        host,
        '<collective-player algorithm="ring" collective="all_reduce" ranks="8" step="3" '
        'hide="legend"><a href="x">Ring all-reduce</a></collective-player>',
    )
    step_is(frame, 3)
    expect(host.get_by_role("link", name="Ring all-reduce")).to_be_hidden()
    assert not frame.locator(".legend").is_visible()
    assert not frame.locator(".head").is_visible()
    player = host.locator("collective-player")
    host.wait_for_function("heard.length === 1")
    inside = "() => document.querySelector('.sheet').getBoundingClientRect().height"
    for width in (1100, 640):
        host.set_viewport_size({"width": width, "height": 800})
        sheet = frame.locator(".sheet")
        host.wait_for_function(
            """() => {
              const player = document.querySelector("collective-player");
              return player.step === 3 && player.offsetHeight > 200;
            }"""
        )
        expect(sheet).to_be_visible()
        high = sheet.evaluate(inside)
        host.wait_for_function(
            "high => Math.abs(document.querySelector('collective-player').offsetHeight - high) < 2",
            arg=high,
        )
    host.set_viewport_size({"width": 1100, "height": 800})
    player.evaluate("player => player.setAttribute('step', 5)")
    step_is(frame, 5)
    player.evaluate("player => { player.step = 14; }")
    step_is(frame, 14)
    host.wait_for_function("heard.at(-1) === 'end'")
    assert host.evaluate("heard") == [3, 5, 14, "end"]
    player.evaluate("player => player.play()")
    expect(frame.locator("[data-part=play]")).to_have_attribute("aria-label", "Pause")
    player.evaluate("player => player.pause()")
    expect(frame.locator("[data-part=play]")).to_have_attribute("aria-label", "Play")


def test_a_copied_line_and_one_of_python_open_what_was_seen(host):
    source = "players/tree-all-reduce-8.html"
    line = element_line(source, 'Tree "all"-reduce <8>', "step=2&hide=code", ' height="400"')
    frame = shown(host, line)
    step_is(frame, 2)
    assert not frame.locator("[data-part=source]").is_visible()
    assert host.locator("collective-player").evaluate("player => player.offsetHeight") == 400
    assert host.locator("collective-player").get_attribute("title") == 'Tree "all"-reduce <8>'


def test_a_page_that_is_not_there_leaves_a_link_and_no_script_is_an_address(host):
    shown(host, '<collective-player algorithm="rong" ranks="8"></collective-player>')
    link = host.get_by_role("link", name="rong all-reduce, 8 ranks")
    expect(link).to_be_visible()
    assert link.evaluate("link => link.href").endswith("/players/rong-all-reduce-8.html")
    shown(
        host, "<collective-player src='javascript:window.hacked=1' title='Odd'></collective-player>"
    )
    for message in ("height", "step", "end"):
        host.evaluate(
            "kind => postMessage({ collectives: kind, height: 9, step: 1, last: 2 }, '*')", message
        )
    host.evaluate("() => new Promise((done) => setTimeout(done))")
    assert host.evaluate("[window.hacked, heard]") == [None, []]
    frame = "player => player.shadowRoot.querySelector('iframe').getAttribute('src')"
    assert host.locator("collective-player").evaluate(frame) is None
    assert host.locator("collective-player").evaluate("player => isNaN(player.step)")


def test_fragments_of_a_deck_step_its_players(host, folder):
    host.goto((folder / "reveal.html").as_uri())
    host.evaluate("Reveal.next()")
    ring = host.frame_locator("collective-player[algorithm=ring] iframe")
    for turn, step in (
        ("next", 1),
        ("next", 7),
        ("next", 14),
        ("prev", 7),
        ("prev", 1),
        ("prev", 0),
    ):
        host.evaluate(f"Reveal.{turn}()")
        step_is(ring, step)
    host.evaluate("for (let i = 0; i < 5; i++) Reveal.next()")
    step_is(host.frame_locator("collective-player[algorithm=tree] iframe"), 3)
    host.goto((folder / "host.html").as_uri())


def test_what_was_written_is_a_report(tmp_path):
    players = write_players(drawn("ring", ranks=2), tmp_path / "players", "light")
    assert repr(players) == f"<Players: 1 page in {tmp_path / 'players'}>"
    assert isinstance(players, Players)
    names = ["collective-player.js", "ring-all-reduce-2.html"]
    assert players.lines() == [str(tmp_path / "players" / name) for name in names]
    assert players.as_json()["pages"] == names[1:]
    with pytest.raises(BadInput, match="is the page of two recordings"):
        write_players(drawn("ring", "ring", ranks=2), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["players"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--element", "players", "-o", "a.html"],
            "-o a.html: with --element pages go to a folder",
        ),
        (["--element", "a/b/c"], "there is no folder a/b; make it first"),
        (["--element", "file"], "file: is a file; pages to be framed need a folder"),
        (["--element", ""], "names no folder; try: players"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as ended:
        main(["page", "all-reduce", "ring", *words])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_command_writes_a_page_for_each_algorithm(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["page", "all-reduce", "ring", "-n", "2", "--also", "tree", "--element", "p"])
    assert ended.value.code == 0
    names = ["collective-player.js", "ring-all-reduce-2.html", "tree-all-reduce-2.html"]
    assert capsys.readouterr().out.split() == [f"p/{name}" for name in names]
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == names
