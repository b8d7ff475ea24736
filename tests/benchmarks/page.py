"""How soon the page shows a step that a key asks for, in a real browser, and how large it is.

Times are from the event to the task after the first frame painted with what it changed. As the
machine may be shared, each stands beside that of an event nobody listens to, in the same run, and
the processor's time: of the page's own thread, of which a frame has 16 ms.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from animations.player.page import page as html
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import record
from tests.benchmarks.measure import line

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"]
SIZES = {8: 120, 64: None, 256: 250}  # kB of a page, if there is a goal
OPENING = {64: 120, 256: 400}  # ms later than an empty page
WORKED = {8: 8, 64: 16}  # ranks of a page that asks: of one on which is built, at most 16
STEPS, FLIGHTS, SEEKS, SCRUBBED, OPENINGS = 80, 40, 40, 180, 9
PLAYED = 2000  # steps in which memory stays flat

PAINTED = """
  const slider = document.querySelector("input[type=range]");
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const painted = (act) => new Promise((done) => {
    const task = new MessageChannel();
    const begin = performance.now();
    act();
    task.port1.onmessage = () => {
      task.port1.close();
      done(performance.now() - begin);
    };
    (window.ask ?? requestAnimationFrame)(() => task.port2.postMessage(0));
  });
  const key = (name) => painted(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })));
"""

# There and back, as fast as by a key that is held down; or by a key that has no meaning.
WALK = f"""async ([steps, real]) => {{ {PAINTED}
  const times = [];
  for (let name = "ArrowRight"; times.length < steps; ) {{
    if (slider.value === slider.max) name = "ArrowLeft";
    if (slider.value === "0") name = "ArrowRight";
    times.push(await key(real ? name : "F9"));
    await wait(33 + 17 * Math.random());
  }}
  return times;
}}"""

# Answers of a question chosen one after another: each marks another transfer, cell or rank.
CHOOSE = f"""async ([keys, real]) => {{ {PAINTED}
  const {{ store }} = document.querySelector(".collectives").collectives;
  await key("End");
  while (document.querySelectorAll("[data-part=question] .answers input").length < 2) {{
    for (const kind of ["skip", "continue", "last"]) store.act({{ kind }});
  }}
  const times = [];
  while (times.length < keys) {{
    times.push(await key(real ? "abc"[times.length % 2] : "F9"));
    await wait(33 + 17 * Math.random());
  }}
  return times;
}}"""

# A transfer placed by keys on the workbench, then undone: cursor, pick up, cursor, put down.
BUILD = f"""async ([keys, real]) => {{ {PAINTED}
  const {{ store }} = document.querySelector(".collectives").collectives;
  if (!store.state.building) await key("b");
  const names = ["ArrowRight", "Enter", "ArrowDown", "Enter", "u"];
  const times = [];
  while (times.length < keys) {{
    times.push(await key(real ? names[times.length % names.length] : "F9"));
    await wait(33 + 17 * Math.random());
  }}
  return times;
}}"""

# Frames that the page asks for wait while `held` is a list, so that one is measured alone.
HOLD = """() => {
  const ask = requestAnimationFrame.bind(window);
  Object.assign(window, { ask, held: null });
  window.requestAnimationFrame = (act) => (window.held ? window.held.push(act) : ask(act));
}"""
RELEASE = "() => window.held.forEach(ask, (window.held = null))"

# Chunks of the step before have landed, and the next step is prepared.
LAND = f"""async () => {{ {PAINTED}
  const {{ store }} = document.querySelector(".collectives").collectives;
  while (store.state.speed !== 4) await key("s");
  while (store.state.part < 1) await wait(20);
  if (slider.value === slider.max) await key("Home");
  await wait(200 + 17 * Math.random());
}}"""

DEPART = f"""(name) => {{ {PAINTED}
  window.held = [];
  return key(name);
}}"""

SEEK = f"""async ([seeks, real]) => {{ {PAINTED}
  const jump = (i) => painted(() => {{
    slider.value = Math.round(((0.618 * i) % 1) * slider.max);
    slider.dispatchEvent(new Event("input"));
  }});
  const ways = [() => key("End"), () => key("Home"), jump];
  const times = [];
  for (let i = 0; times.length < seeks; i++) {{
    times.push(await (real ? ways[i % 3](i) : key("F9")));
    await wait(33 + 17 * Math.random());
  }}
  return times;
}}"""

# Frames a second while each frame asks for another step.
SCRUB = f"""([frames, real]) => new Promise((done) => {{ {PAINTED}
  const begin = performance.now();
  let shown = 0;
  const move = () => {{
    if (shown === frames) return done((1000 * frames) / (performance.now() - begin));
    shown++;
    if (real) {{
      slider.value = Math.round((slider.max * (1 - Math.cos(shown / 25))) / 2);
      slider.dispatchEvent(new Event("input"));
    }}
    requestAnimationFrame(move);
  }};
  requestAnimationFrame(move);
}})"""

# When the first frame with the player in it was painted, after the navigation began.
OPEN = """(() => {
  const seen = () => {
    const task = new MessageChannel();
    task.port1.onmessage = () => (globalThis.opened = performance.now());
    requestAnimationFrame(() => task.port2.postMessage(0));
  };
  addEventListener("DOMContentLoaded", () => {
    const root = document.getElementById("player");
    if (!root) return seen();
    const change = new MutationObserver(() => [change.disconnect(), seen()]);
    change.observe(root, { childList: true });
  });
})()"""

OPENED = """() => new Promise((done) => {
  const look = () => (globalThis.opened ? done(globalThis.opened) : setTimeout(look, 20));
  look();
})"""

HURRY = f"""async (steps) => {{ {PAINTED}
  for (let i = 0, name = "ArrowRight"; i < steps; i++) {{
    if (slider.value === slider.max) name = "ArrowLeft";
    if (slider.value === "0") name = "ArrowRight";
    await key(name);
  }}
}}"""


def repaint() -> Iterator[str]:
    """Steps, flights, seeks, scrubbing, opening and memory of pages of the ring all-reduce."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        yield "page: no chromium or google-chrome on the PATH"
        return
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        empty = Path(folder) / "empty.html"
        empty.write_text('<!DOCTYPE html><meta charset="utf-8"><title>empty</title>')
        for ranks, limit in SIZES.items():
            file = Path(folder) / f"{ranks}.html"
            file.write_text(html(proved_storyboard(record("all_reduce", "ring", ranks=ranks))))
            name = f"page of the ring, {ranks} ranks"
            if limit:
                size = f"{file.stat().st_size / 1000:.1f} kB"
                yield line(name, size, f"<= {limit} kB", "the HTML file")
            with _page(browser, file) as page:
                yield _times(page, f"{name}: step", WALK, STEPS, "<= 16, 25 ms")
                if ranks in OPENING:
                    yield _times(page, f"{name}: seek", SEEK, SEEKS, "<= 50 ms")
                if ranks == 64:
                    yield _scrubbing(page, name)
                yield _memory(page, name)
            if ranks in WORKED:
                yield from _working(browser, Path(folder) / f"asks-{ranks}.html", ranks, name)
            with _page(browser, file, motion=True) as page:
                yield _departures(page, f"{name}: first frame of a flight")
            if goal := OPENING.get(ranks):
                yield _opening(browser, name, file, empty, goal)
        browser.close()


def _times(page: Page, what: str, script: str, count: int, goal: str) -> str:
    """Median and 95th percentile from an event to the frame painted after it, and its cost."""
    session = _session(page)
    page.evaluate(script, [4, True])
    before = _metrics(session)
    times = page.evaluate(script, [count, True])
    after = _metrics(session)
    idle = page.evaluate(script, [count // 2, False])
    rest = _metrics(session)
    used = (after["TaskDuration"] - before["TaskDuration"]) / count
    alone = (rest["TaskDuration"] - after["TaskDuration"]) / (count // 2)
    p50, p95, empty = *_percentiles(times), _percentiles(idle)
    how = f"no step: {empty[0]:.1f}, {empty[1]:.1f} ms; CPU {1e3 * (used - alone):.1f} ms each"
    return line(what, f"{p50:.1f} ms, p95 {p95:.1f} ms", goal, how)


def _departures(page: Page, what: str) -> str:
    """The processor's time of the first frame of a flight, less that of a key with no meaning."""
    session = _session(page)
    page.evaluate(HOLD)
    used: dict[str, list[float]] = {"F9": [], "ArrowRight": []}
    times, others = [], []
    for _ in range(FLIGHTS):
        for key, costs in used.items():
            page.evaluate(LAND)
            begin = _metrics(session)["TaskDuration"]
            times.append(page.evaluate(DEPART, key))
            end = _metrics(session)["TaskDuration"]
            costs.append(1e3 * (end - begin))
            page.evaluate(RELEASE)
        page.evaluate(LAND)
        others.append(1e3 * (_metrics(session)["TaskDuration"] - end))
    alone = statistics.median(used["F9"])
    p50, p95 = _percentiles([cost - alone for cost in used["ArrowRight"]])
    (seen, _), (rest, _) = _percentiles(times[1::2]), _percentiles(others)
    how = f"CPU; painted after {seen:.1f} ms; all other frames: CPU {rest:.1f} ms"
    return line(what, f"{p50:.1f} ms, p95 {p95:.1f} ms", "<= 17, 25 ms", how)


def _working(browser: Browser, file: Path, ranks: int, name: str) -> Iterator[str]:
    """Keys while a page asks, and while a schedule is built on it."""
    board = usual_board(record("all_reduce", "ring", ranks=ranks), asks=True)
    file.write_text(html(board))
    with _page(browser, file) as page:
        yield _times(page, f"{name}: answer chosen", CHOOSE, STEPS, "<= 16, 25 ms")
    file.write_text(html(usual_board(record("all_reduce", "ring", ranks=WORKED[ranks]))))
    with _page(browser, file) as page:
        what = f"page of the ring, {WORKED[ranks]} ranks: building"
        yield _times(page, what, BUILD, STEPS, "<= 16, 25 ms")


def _scrubbing(page: Page, name: str) -> str:
    free = page.evaluate(SCRUB, [SCRUBBED, False])
    frames = page.evaluate(SCRUB, [SCRUBBED, True])
    how = f"{free:.0f} a second without a step"
    return line(f"{name}: scrubbing", f"{frames:.0f} frames a second", "60", how)


def _memory(page: Page, name: str) -> str:
    """What a page has more after many steps there and back."""
    session = _session(page)
    page.evaluate(HURRY, 100)
    before = _weighed(session)
    page.evaluate(HURRY, PLAYED)
    after = _weighed(session)
    heap, nodes = after[0] - before[0], after[1] - before[1]
    value = f"{heap / 1e3:+.0f} kB, {nodes:+.0f} nodes"
    how = f"of {before[0] / 1e6:.1f} MB and {before[1]:.0f} nodes, after {PLAYED:,} steps"
    return line(f"{name}: memory", value, "flat", how)


def _opening(browser: Browser, name: str, file: Path, empty: Path, goal: int) -> str:
    pairs: dict[Path, list[tuple[float, float]]] = {file: [], empty: []}
    for _ in range(OPENINGS):
        for path, measured in pairs.items():
            with _tab(browser) as page:
                page.add_init_script(OPEN)
                session = _session(page)
                page.goto(path.as_uri())
                measured.append((page.evaluate(OPENED), _metrics(session)["TaskDuration"]))
    (mine, used), (other, least) = (
        map(statistics.median, zip(*pairs[path], strict=True)) for path in (file, empty)
    )
    how = (
        f"{mine:.0f} ms against {other:.0f} ms of an empty page; CPU {1e3 * (used - least):.0f} ms"
    )
    return line(f"{name}: opens later by", f"{mine - other:.0f} ms", f"<= {goal} ms", how)


@contextmanager
def _tab(browser: Browser, motion: bool = False) -> Iterator[Page]:
    """A tab of its own, in which chunks are seen on their way, or not."""
    motions = "no-preference" if motion else "reduce"
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, reduced_motion=motions, color_scheme="dark"
    )
    yield context.new_page()
    context.close()


@contextmanager
def _page(browser: Browser, file: Path, motion: bool = False) -> Iterator[Page]:
    """A page in a tab of its own."""
    with _tab(browser, motion) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(".sheet")
        yield page


def _session(page: Page) -> CDPSession:
    """A session whose metrics are the processor's time of the page's thread."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def _metrics(session: CDPSession) -> dict[str, float]:
    found: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in found}


def _weighed(session: CDPSession) -> tuple[float, float]:
    """Bytes of the heap and nodes of the document, after garbage was collected."""
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    found = _metrics(session)
    return found["JSHeapUsedSize"], found["Nodes"]


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[int(0.95 * len(ordered))]
