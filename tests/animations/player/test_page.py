"""The page in a real browser draws every state of the recording, and nothing else."""

import dataclasses
import json
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cairo")  # sets the text on chunks of a film

from contents import held
from each import each, row_title
from playwright.sync_api import Page
from samples import sample, title
from settings import SOME_ROWS, THOROUGH, sampled

from animations.drawing.theme import DARK
from animations.pictures.step_flights import StepFlights
from animations.player import page as page_module
from animations.stages.views import MOST_ON_PAGES
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from animations.story.transfers import Cell
from collectives import Recording, Row, record, reduce, send
from collectives.collective import find_collective
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import slow_link
from collectives.schedule.step import rows

RANKS = (1, 2, 3, 4, 5, 8, 9, 16)
MANY = 16 if THOROUGH else 8

# What is drawn now and after each key: boxes in tenths of a unit of the stage.
WALK = """([steps, blocks]) => {
  const stage = document.querySelector(".stage");
  const texts = (query) => [...document.querySelectorAll(query)].map((text) => text.textContent);
  const { collectives } = document.querySelector(".collectives");
  const look = () => ({
    stripes: collectives.drawn().map(({ node, well, rank, faint, x, y, width, height }) => {
      const box = [x, y, x + width, y + height].map((value) => Math.round(10 * value));
      return [node, well, rank, Number(faint), ...box];
    }),
    labels: collectives.drawn().filter(({ em, text, rank }) =>
      em && (!/^\\d+$/.test(text) || text !== `${rank}` || blocks)
    ).map(({ node, well, text }) => [node, well, text]),
    moves: [...stage.querySelectorAll(".move")].map((move) => {
      const { src, dst, chunk, into, verb } = move.dataset;
      return [...[src, dst, chunk, into].map(Number), verb];
    }),
    caption: texts("[data-part=caption]")[0],
    note: texts("[data-part=note]")[0],
    numbers: texts(".numbers"),
    sent: texts(".sent"),
    now: texts(".now"),
    variables: texts(".variables"),
  });
  const seen = [look()];
  for (const key of [...Array(steps).fill("ArrowRight"), ...Array(steps).fill("ArrowLeft")]) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    seen.push(look());
  }
  return JSON.stringify(seen);
}"""


def recordings(row: Row) -> list[Recording]:
    """The row for some number of ranks that has stripes; the root is in the middle, or 0.

    It differs from row to row; few rows have all. `make thorough`: two, at most 4 and at least 5.
    """
    rooted = find_collective(row.collective).rooted
    return [
        record(row.collective, row.algorithm, ranks=n, root=n // 2 if rooted and n % 2 else 0)
        for n in sample(row, RANKS, 2 if THOROUGH else 1)
    ]


def walk(page: Page, steps: int, blocks: bool = False) -> list[dict[str, Any]]:
    """What is drawn in each state, forward to the last and back to the first, by keys.

    blocks: every cell has a label, which may look like its rank.
    """
    seen: list[dict[str, Any]] = json.loads(page.evaluate(WALK, [steps, blocks]))
    return seen


def stripe_boxes(board: Storyboard) -> np.ndarray:
    """Left, top, right and bottom of the stripe of every node, well and color."""
    scenery = board.scenery
    boxes = np.empty((board.nodes, scenery.fold.wells, board.view.colors, 4))
    for node, well, bar in np.ndindex(boxes.shape[:3]):
        box = scenery.stripe(scenery.cards[node].cell(well), bar)
        boxes[node, well, bar] = box.left, box.top, box.right, box.bottom
    return boxes


def assert_labels(seen: dict[str, Any], board: Storyboard, step: int) -> None:
    """Where something is written beside ranks it is the label, or what follows its arrow."""
    told = {
        (node, slot, text)
        for (node, slot), cell in board.cells(step).items()
        for label in filter(None, cell.labels)
        for text in (label, label.rpartition("→")[2])
    }
    assert set(map(tuple, seen["labels"])) <= told
    if board.scenery.cell(0, 0).width >= 24:
        expected = sum(len(list(filter(None, cell.labels))) for cell in board.cells(step).values())
        assert len(seen["labels"]) == expected


def assert_state(
    seen: dict[str, Any], recording: Recording, step: int, board: Storyboard, boxes: np.ndarray
) -> None:
    """The stripes that are seen are the contributions there are, each where the scenery puts it."""
    stripes = np.array(seen["stripes"]).reshape(-1, 8)
    node, well, bar, faint = stripes[:, :4].astype(int).T
    inks = bar + board.view.colors * faint
    marks = zip(node.tolist(), well.tolist(), inks.tolist(), strict=True)
    assert sorted(marks) == sorted(held(recording, board.scenery.fold, step))
    assert_labels(seen, board, step)
    assert np.abs(stripes[:, 4:] / 10 - boxes[node, well, bar]).max(initial=0) < 0.2


def assert_words(seen: dict[str, Any], recording: Recording, board: Storyboard, step: int) -> None:
    """Caption, counters, source and moving chunks are the storyboard's and the recording's."""
    total = len(board.frames)
    sent = board.frames[step - 1].sent if step else (0,) * board.nodes
    assert seen["numbers"] == [tally.text(step) for tally in board.counters]
    shown = [f"sent {board.amount(count)}" for count in sent]
    assert seen["sent"] == [
        text for text, card in zip(shown, board.scenery.cards, strict=True) if card.shape.shows_sent
    ]
    if step == total:
        assert seen["note"] == f"{board.ending}."
    if not step:
        assert seen["moves"] == seen["now"] == []
        return
    assert seen["caption"] == board.captions[step]
    made = [
        [src, dst, chunk, into, "+" if adds else "="]
        for src, dst, chunk, into, _, adds in rows(recording.steps[step - 1].unrolled())
    ]
    narrow = board.scenery.cards[0].cell(0).width < 5  # cells are marked together
    assert sorted(seen["moves"]) == ([] if narrow else sorted(made))
    line = board.frames[step - 1].source
    assert seen["now"] == list(line.text[line.first : line.last + 1])
    assert seen["variables"] == ["   ".join(f"{name} = {value}" for name, value in line.locals)]


@pytest.mark.parametrize("row", sampled(SOME_ROWS, 2), ids=title)
def test_every_state_is_drawn_forward_and_back(row, open_page):
    for recording in recordings(row):
        board = proved_storyboard(recording)
        if board.view.name == "matrix":
            continue  # with its switches there are too many nodes
        total, boxes = len(board.frames), stripe_boxes(board)
        seen = walk(open_page(board), total, board.labels.in_blocks)
        for step, one in zip([*range(total), *range(total, -1, -1)], seen, strict=True):
            assert_state(one, recording, step, board, boxes)
            assert_words(one, recording, board, step)


def test_a_cell_that_is_forgotten_is_noticed(open_page, monkeypatch):
    recording = record("all_reduce", "ring", ranks=4)
    board = proved_storyboard(recording)
    whole = page_module.story

    def broken(of: Storyboard, **more: Any) -> dict[str, Any]:
        told = whole(of, **more)
        del told["frames"][2][2][-3:]
        return told

    monkeypatch.setattr(page_module, "story", broken)
    seen = walk(open_page(board), len(board.frames))
    assert_state(seen[2], recording, 2, board, stripe_boxes(board))
    with pytest.raises(AssertionError):
        assert_state(seen[3], recording, 3, board, stripe_boxes(board))


def test_every_stripe_of_a_cell_says_which_chunk_it_came_from(open_page):
    both = [reduce([0, 1], 1, chunk=[0, 1], into=2), reduce([0, 1], [1, 0]), reduce(0, 1, 1)]
    schedule = [*both, send(1, 0, 1)]
    recording = record(schedule, collective="all_reduce", ranks=2, slots=2, scratch=1)
    page = open_page(proved_storyboard(recording), step=1)
    found = page.evaluate("document.querySelector('.collectives').collectives.drawn()")
    texts = [mark["text"] for mark in found if (mark["node"], mark["well"]) == (1, 2)]
    assert texts == ["c0", "c1"]


@pytest.mark.parametrize("ranks", [8, 16])
def test_stripes_lie_open_in_the_color_of_their_rank(ranks, open_page):
    board = proved_storyboard(record("all_reduce", "ring", ranks=ranks))
    page = open_page(board, step=ranks - 2, size=(3840, 2160))  # thin stripes in whole pixels
    found = page.evaluate(
        """() => {
          const canvas = document.querySelector("canvas");
          const stage = document.querySelector(".stage");
          const box = canvas.getBoundingClientRect();
          const copy = new OffscreenCanvas(canvas.width, canvas.height)
            .getContext("2d", { willReadFrequently: true });
          copy.drawImage(canvas, 0, 0);
          const ratio = canvas.width / box.width;
          const marks = document.querySelector(".collectives").collectives.drawn();
          return marks.map(({ rank, x, y, width, height }) => {
            const at = new DOMPoint(x, y).matrixTransform(stage.getScreenCTM());
            const far = new DOMPoint(x + width, y + height).matrixTransform(stage.getScreenCTM());
            const top_most = document.elementFromPoint((at.x + far.x) / 2, (at.y + far.y) / 2);
            const place = [at.x - box.left, at.y - box.top, far.x - at.x, far.y - at.y];
            const [left, top, wide, high] = place.map((size) => ratio * size);
            const { data } = copy.getImageData(left, Math.floor(top + high / 2), wide, 1);
            const colors = [];
            for (let i = 0; i < data.length; i += 4) {
              if (data[i + 3] > 200) colors.push([...data.slice(i, i + 3)]); // in whole
            }
            const veiled = top_most.dataset.part === "stale"; // of no more use
            return [rank, top_most === stage || veiled, colors];
          });
        }"""
    )
    assert {rank for rank, _, _ in found} == set(range(ranks))
    for rank, is_open, colors in found:
        hue = np.array(list(bytes.fromhex(DARK.rank(rank)[1:])))
        from_hue = np.abs(colors - hue).max(axis=1)
        assert is_open
        assert (from_hue < 16).mean() > 0.2, rank
        if ranks == 16:  # nothing is written on them
            assert ((from_hue > 25).mean() > 0.2) == (rank >= 8), rank


FLIGHT = """() => [...document.querySelectorAll(".move")].filter((move) =>
  !move.closest("[opacity='0']") // kept for the next step
).map((move) => {
  const stage = document.querySelector(".stage").getScreenCTM().inverse();
  const outline = move.querySelector(".outline") ?? move; // what has landed is only outlined
  const { left, top, right, bottom } = outline.getBoundingClientRect();
  const [from, to] = [[left, top], [right, bottom]].map(([x, y]) =>
    new DOMPoint(x, y).matrixTransform(stage));
  const { src, dst, chunk, into } = move.dataset;
  const held = [...move.querySelectorAll(".stripe")].map((stripe) => Number(stripe.dataset.rank));
  const box = [(from.x + to.x) / 2, (from.y + to.y) / 2, to.x - from.x, to.y - from.y];
  return [[src, dst, chunk, into].map(Number), held, box];
})"""


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("all_reduce", "ring", 4), ("all_gather", "flat", MANY), ("scatter", "tree", MANY)],
)
def test_chunks_travel_from_their_cell_to_the_next(collective, algorithm, ranks, open_page):
    recording = record(collective, algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    page = open_page(board, motion=True)
    page.clock.pause_at(1000)
    for frame in board.frames:
        before, after = board.cells(frame.number - 1), board.cells(frame.number)
        page.keyboard.press("ArrowRight")
        departing = page.evaluate(FLIGHT)
        assert len(departing) == len(frame.transfers)
        for (src, _, chunk, _), inside, box in departing:
            assert tuple(inside) == before[src, chunk].held
            assert box == pytest.approx(list(astuple(board.scenery.cell(src, chunk))), abs=0.5)
        assert drawn(page) == held_in(before)
        page.clock.run_for(600)
        under_way = page.evaluate(FLIGHT)
        assert all(a[-1] != b[-1] for a, b in zip(departing, under_way, strict=True))
        assert drawn(page) == held_in(before)
        page.clock.run_for(1000)
        for (_, dst, _, into), _, box in page.evaluate(FLIGHT):
            assert box == pytest.approx(list(astuple(board.scenery.cell(dst, into))), abs=0.5)
        assert drawn(page) == held_in(after)


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [
        ("all_reduce", "ring", 8),
        ("all_gather", "flat", MANY),
        ("all_reduce", "rabenseifner", 8),
        ("all_reduce", "nvls", 8),
    ],
)
def test_parcels_travel_as_in_the_film(collective, algorithm, ranks, open_page):
    """The boxes of all their chunks, as they rise, on their way, and as they land."""
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    step_flights = StepFlights(board, board.frames[0], ranks)
    page = open_page(board, motion=True)
    page.clock.pause_at(1000)
    page.keyboard.press("ArrowRight")
    begin, duration = page.evaluate("performance.now()"), max(700, 1400 - 50 * board.nodes)
    for part in (0.06, 0.2, 0.5, 0.8, 0.95):
        page.clock.run_for(round(part * duration - (page.evaluate("performance.now()") - begin)))
        time = (page.evaluate("performance.now()") - begin) / duration
        early, late = (boxes_in_film(board, step_flights, time - lag / duration) for lag in (20, 0))
        seen = page.evaluate(FLIGHT)
        assert len(seen) == len(late)
        for transfer, _, box in seen:
            low = np.minimum(early[tuple(transfer)], late[tuple(transfer)]) - 1
            high = np.maximum(early[tuple(transfer)], late[tuple(transfer)]) + 1
            assert (low < box).all(), (time, transfer)
            assert (box < high).all(), (time, transfer)


def test_parcels_travel_by_the_clock_that_was_asked_for(open_page):
    """A step lasts from its first begin to its last end; in between each has its own time."""
    machine = slow_link(topology("ring", 4), 1, 2, 3)
    recording = record("all_reduce", "ring", ranks=4, count=1 << 20)
    times = [dataflow(recording, machine), lockstep(recording, machine)]
    board = proved_storyboard(recording, machine, time=lambda shown: times)
    step_flights = StepFlights(board, board.frames[0], 4)
    messages = times[0].messages
    first = {
        (int(a), int(b)): (start, end)
        for k, a, b, start, end in zip(
            messages.step, messages.src, messages.dst, messages.start, messages.end, strict=True
        )
        if k == 0
    }
    whole = max(end for _, end in first.values())
    page = open_page(board, motion=True)
    assert page.locator("[data-part=clocks] [aria-pressed=true]").inner_text() == "dataflow"
    page.clock.pause_at(1000)
    page.keyboard.press("ArrowRight")
    begin, duration = page.evaluate("performance.now()"), max(700, 1400 - 50 * board.nodes)
    apart = 0.0
    for part in (0.2, 0.5, 0.8):
        page.clock.run_for(round(part * duration - (page.evaluate("performance.now()") - begin)))
        time = (page.evaluate("performance.now()") - begin) / duration
        links = [
            (step_flights.columns[i].transfer.src, step_flights.columns[i].transfer.dst)
            for i in range(4)
        ]
        own = [time * whole / first[link][1] for link in links]
        late = boxes_in_film(board, step_flights, [min(each, 0.9999) for each in own])
        early = boxes_in_film(board, step_flights, [min(each * 0.95, 0.9999) for each in own])
        for transfer, _, box in page.evaluate(FLIGHT):
            low = np.minimum(early[tuple(transfer)], late[tuple(transfer)]) - 12
            high = np.maximum(early[tuple(transfer)], late[tuple(transfer)]) + 12
            assert (low < box).all(), (time, transfer)
            assert (box < high).all(), (time, transfer)
        apart = max(apart, max(own) - min(own))
    assert apart > 0.5, "one link is slower than the others"


def boxes_in_film(
    board: Storyboard, step_flights: StepFlights, time: float | list[float]
) -> dict[tuple[int, ...], Any]:
    """Middle and size of what a film draws of each transfer of its first step."""
    hero = [
        board.frames[0].transfers[m]
        for m in board.frames[0].parcels[board.frames[0].hero].transfers
    ]
    columns = sorted(
        step_flights.columns, key=lambda column: any(column.transfer is one for one in hero)
    )
    outlines = np.concatenate(step_flights.at(time)[2:4]).reshape(len(columns), -1, 2)
    low, high = outlines.min(axis=1), outlines.max(axis=1)
    boxes = np.hstack([(low + high) / 2, high - low])
    keys = ((m.src, m.dst, m.chunk, m.into) for m in (column.transfer for column in columns))
    return dict(zip(keys, boxes, strict=True))


def held_in(cells: dict[tuple[int, int], Cell]) -> dict[tuple[int, int], tuple[int, ...]]:
    """The ranks in each cell."""
    return {at: cell.held for at, cell in cells.items()}


def drawn(page: Page) -> dict[tuple[int, int], tuple[int, ...]]:
    """The ranks in each cell that is not empty."""
    marks = page.evaluate("document.querySelector('.collectives').collectives.drawn()")
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    for mark in marks:
        at = (mark["node"], mark["well"])
        found[at] = (*found.get(at, ()), mark["rank"])
    return found


def test_hostile_words_stay_words(open_page):
    bad = "</script><img src=x onerror=alert(1)><!-- \u2028 ]]> <b> &amp; \x00 ' \""
    board = proved_storyboard(record("all_reduce", "ring", ranks=2))
    words = {"text": (bad,), "first": 0, "last": 0, "locals": ((bad, 1),)}
    frames = []
    for frame in board.frames:
        line = dataclasses.replace(frame.source, **words)
        transfers = tuple(dataclasses.replace(m, source=line) for m in frame.transfers)
        parcels = tuple(
            dataclasses.replace(parcel, remark=parcel.remark._replace(text=bad))
            for parcel in frame.parcels
        )
        frames.append(dataclasses.replace(frame, parcels=parcels, transfers=transfers))
    phases = tuple(dataclasses.replace(phase, name=bad, promise=bad) for phase in board.phases)
    words = {"title": bad, "subtitle": bad, "promise": bad, "ending": bad}
    board = dataclasses.replace(board, frames=tuple(frames), phases=phases, **words)
    page = open_page(board, step=1)
    assert page.locator("h1").text_content() == bad
    assert page.locator(".now").text_content() == bad
    assert page.locator(".variables").text_content() == f"{bad} = 1"
    assert page.locator("[data-part=caption]").text_content().startswith(f"Step 1 of 2 — {bad}: ")
    assert page.locator(".phase").first.text_content() == bad
    assert page.locator("img").count() == 0
    assert page.title() == f"{bad}, 2 ranks".replace("\x00", "\ufffd")


def test_data_can_neither_end_nor_begin_markup():
    board = proved_storyboard(record("all_reduce", "ring", ranks=2))
    board = dataclasses.replace(board, title="<script><!--\ud800", ending="</script>")
    text = page_module.page(board)
    text.encode()
    assert text.count("<script") == text.count("</script>") == 3
    assert "<!--" not in text


@each("row", sampled(SOME_ROWS, 12), row_title)
def test_pages_are_small(row):
    for ranks, most in ((8, 120_000), (16, 130_000), (64, 200_000)):
        recording = row.accepts(ranks) and record(row.collective, row.algorithm, ranks=ranks)
        if recording and recording.chunk_count <= MOST_ON_PAGES:  # short-rank on 64 has 504
            board = proved_storyboard(recording)
            assert len(page_module.page(board).encode()) <= most, ranks
