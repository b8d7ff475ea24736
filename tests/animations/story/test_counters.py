"""The counter of time: the clock's own numbers, never below the bound, and room for its words."""

from itertools import combinations
from math import isclose

import pytest

pytest.importorskip("cairo")

from legible import box
from samples import pairs

from animations.drawing.glyphs import text_width
from animations.drawing.sheet import EDGE, LECTURE
from animations.drawing.theme import DARK, LIGHT
from animations.pictures.panels import keyframe_boxes, keyframe_text
from animations.pictures.title_cards import card_text
from animations.score.score import Keyframe
from animations.story.compose import proved_storyboard
from animations.story.counters import CounterRow, time_row
from collectives import record
from collectives.__main__ import main
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.schedule import reduce, send
from collectives.units import time_text

LINKS = """name = "two on a cable"
ranks = 2
[[link]]
between = [[0, 1]]
latency = "1us"
bandwidth = "1GB/s"
"""


def ring(ranks: int = 4, **more: int) -> Recording:
    return record("all_reduce", "ring", ranks=ranks, **more)


def timed(recording: Recording, machine: Topology | None = None) -> CounterRow:
    """The counter of time on a machine, by default the usual crossbar."""
    return time_row(lockstep(recording, machine or topology_for(recording, "crossbar")))


@pytest.mark.parametrize("name", ["crossbar", "ring", "torus-2d", "hgx-h100", "nvl72"])
def test_the_numbers_are_those_of_the_clock(name):
    for row, ranks in pairs([1, 2, 5, 8], 1):
        recording = record(row.collective, row.algorithm, ranks=ranks)
        try:
            machine = topology_for(recording, name)
            timing = lockstep(recording, machine)
        except BadInput:
            continue  # switches where the machine has none
        *_, tally = proved_storyboard(recording, machine).counters
        assert tally.values == (0.0, *timing.step_end.tolist()), row.title
        assert tally.values[-1] == timing.total, row.title
        assert tally.texts == tuple(time_text(value, 3) for value in tally.values), row.title


def test_without_a_machine_a_step_takes_5_us_and_its_bytes_at_50_gb_a_second():
    tally = timed(ring(4, count=10**6))
    chunk = 10**6 // 4 * 8
    for step, value in enumerate(tally.values):
        assert isclose(value, step * (5e-6 + chunk / 50e9), rel_tol=1e-12)
    assert tally.label == "time at 5 µs + 50 GB/s"
    assert tally.text(2) == "90 µs / 270 µs / 250 µs"
    assert isclose(tally.bound, 2 * 5e-6 + 6 * chunk / 50e9, rel_tol=1e-12)


def test_no_row_is_below_the_bound():
    met = 0
    for row, ranks in pairs(range(1, 34), 3):
        for size in (0, 8 * 10**6):
            tally = timed(sized(row, ranks, size))
            if tally.bound is None:
                continue
            assert tally.values[-1] >= tally.bound * (1 - 1e-12), (row.title, ranks, size)
            met += ranks > 1 and isclose(tally.values[-1], tally.bound, rel_tol=1e-9)
    assert met > 50, "it is reached, so it is no smaller than need be"


def test_a_barrier_takes_nothing_but_latency():
    machine = topology("crossbar", 8, latency="3us", bandwidth="1kB/s")
    tally = timed(record("barrier", "dissemination", ranks=8), machine)
    assert tally.text(3) == "9 µs / 9 µs / 9 µs"


def test_steps_in_place_take_no_time():
    schedule = [reduce(0, 1), send(1, 1), send(1, 0)]
    tally = timed(record(schedule, collective="all_reduce", ranks=2, slots=1))
    assert 0 < tally.values[1] == tally.values[2] < tally.values[3]


def test_the_default_machine_has_room_for_switches():
    recording = record("all_reduce", "parameter-server", ranks=3)
    assert timed(recording).text(2) == "10 µs / 10 µs"
    with pytest.raises(BadInput, match="needs 1 switch or server beside"):
        proved_storyboard(recording, topology("ring", 3))
    with pytest.raises(BadInput, match="4 ranks: crossbar has 3"):
        proved_storyboard(ring(4), topology("crossbar", 3))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("ring", "time on ring, 5 µs + 50 GB/s"),
        ("hgx-h100", "time on hgx-h100, 1 µs + 450 GB/s"),
        ("fully-connected", "time on fully-connected"),
        ("cluster", "time on cluster, 450/50 GB/s"),
    ],
)
def test_the_label_names_the_machine_and_what_all_messages_take(name, label):
    recording = ring(8)
    assert timed(recording, topology_for(recording, name, **_small(name))).label == label


def _small(name: str) -> dict[str, int]:
    return {"gpus": 4} if name == "cluster" else {}


def test_a_machine_that_is_no_plain_crossbar_is_named():
    recording = ring(4)
    for more in ({"half_duplex": True}, {"ports": 2}):
        machine = topology("crossbar", 4, **more)
        assert timed(recording, machine).label == "time on crossbar, 5 µs + 50 GB/s"
    assert timed(ring(1)).label == "time"


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("count", [4, 123_457])
def test_long_names_and_numbers_have_room(theme, count):
    recording = ring(7, count=count)
    machine = topology("hgx-h100", 7)
    for name in ("W" * 300, "two\nlines " * 9, "hgx-h100", "\u0130" * 24):
        named = _named(machine, name)
        board = proved_storyboard(recording, named)
        for number in range(len(board.frames) + 1):
            words = keyframe_text(board, Keyframe(number), theme)
            label, text = (
                next(word for word in words if word.text == told)
                for told in (board.counters[2].label, board.counters[2].text(number))
            )
            assert label.size == text.size
            free = LECTURE.counters.width - 2 * EDGE - text_width(text.text, text.size, "mono")
            assert text_width(label.text, label.size) < free
            assert label.size >= (17 if name == "hgx-h100" else 12)
        words = [box(word) for word in card_text(board, theme)]
        assert all(0 < word.left < word.right < LECTURE.width for word in words)
        assert not any(one.overlaps(other) for one, other in combinations(words, 2))


def _named(machine, name):
    from dataclasses import replace

    return replace(machine, name=name)


def test_bars_grow_with_the_time():
    board = proved_storyboard(ring(4, count=400))
    *_, tally = board.counters
    widths = []
    for number in (1, 3, 6):
        bars = [
            f for f in keyframe_boxes(board, Keyframe(number), DARK) if f.color == DARK.ranks[0]
        ]
        widths.append(bars[2].box.width)
    room = LECTURE.counters.width - 2 * EDGE
    assert widths == pytest.approx([room * tally.values[k] / tally.values[-1] for k in (1, 3, 6)])


TOLD = """() => [
  ...[...document.querySelectorAll(".told")].at(-1).children,
].map((part) => part.textContent)"""
BAR = """() => [...document.querySelectorAll(".counters .track")].at(-1).children[0].style.width"""
SLIDE = """(step) => {
  const slider = document.querySelector("[data-part=scrub]");
  slider.value = step;
  slider.dispatchEvent(new Event("input"));
}"""


def test_the_row_of_the_page_steps_with_the_slider(open_page):
    board = proved_storyboard(ring(4, count=10**5), topology("hgx-h100", 4))
    *_, tally = board.counters
    page = open_page(board)
    for step in (0, 3, 6, 1):
        page.evaluate(SLIDE, step)
        assert page.evaluate(TOLD) == [tally.label, tally.text(step)]
        width = float(page.evaluate(BAR).rstrip("%"))
        assert width == pytest.approx(100 * tally.values[step] / tally.values[-1], rel=1e-4)


FITS = """() => [...document.querySelectorAll(".told")].map((row) => {
  const [label, numbers] = row.children;
  const [a, b] = [label, numbers].map((part) => part.getBoundingClientRect());
  return a.right < b.left && Math.abs(a.bottom - b.bottom) < 6;
})"""


@pytest.mark.parametrize("name", ["hgx-h100", "torus-2d", "two nodes of four GPUs each"])
def test_words_of_the_page_have_room_in_one_line(name, open_page):
    recording = ring(7, count=123_457)
    board = proved_storyboard(recording, _named(topology("hgx-h100", 7), name))
    for step in (0, 5, 12):
        assert open_page(board, step=step).evaluate(FITS) == [True] * 3


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["page", "all-reduce", "ring", *words])
    return ended.value.code


def test_the_command_counts_time_on_the_machine_it_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(LINKS)
    seen = []

    def told(board, path, *more):
        seen.append((board.ranks, board.counters[2].label))

    monkeypatch.setattr("animations.player.page.write_page", told)
    for words in (
        [],
        ["--latency", "1us", "--bandwidth", "400Gb/s"],
        ["--topology", "hgx-h100"],
        ["--topology", "hgx-h100", "-n", "3"],
        ["--topology", "crossbar:ports=2"],
        ["--topology", "two.toml"],
    ):
        assert run(*words) == 0
    assert seen == [
        (4, "time on hgx-h100, 1 µs + 450 GB/s"),
        (4, "time at 1 µs + 50 GB/s"),
        (8, "time on hgx-h100, 1 µs + 450 GB/s"),
        (3, "time on hgx-h100, 1 µs + 450 GB/s"),
        (4, "time on crossbar:ports=2"),
        (2, "time on two on a cable"),
    ]


@pytest.mark.parametrize("verb", ["page", "video"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["ring", "--topology", "crosbar"], "did you mean"),
        (["ring", "--topology", "hgx-h100", "-n", "16"], "try: 8"),
        (["ring", "--topology", "none.toml"], "none.toml"),
        (["ring", "--latency", "5"], "try: 5us"),
        (["ring", "--latency", "-5us"], "must not be negative"),
        (["ring", "--bandwidth", "0GB/s"], "must be above 0"),
        (["ring", "--topology", "nvl72", "-n", "4", "--bandwidth", "1GB/s"], "links of its own"),
        (["parameter-server", "--topology", "torus-2d"], "it runs on crossbar"),
    ],
)
def test_what_is_no_machine_is_refused_in_one_line(
    verb, words, told, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main([verb, "all-reduce", *words])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True), error
    assert list(tmp_path.iterdir()) == []
