"""Pages of lectures: what they draw of promises and clocks is what execution and clock say."""

import pytest

pytest.importorskip("cairo")  # measures words

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist, inf

import numpy as np
from each import each

from animations.course import parts
from animations.course.chart_pages import BarsPage, ValueBar
from animations.course.examples import recording_of, ring_of, timed
from animations.course.lecture import Writer, lectures, score_of_lecture
from animations.course.machine_pages import (
    ALL_DRAWN,
    DOT,
    FACTS,
    LIT,
    STOPS,
    LaneSchedule,
    LanesPage,
    MachinePage,
)
from animations.course.machine_run import MachineRun
from animations.course.messages_page import MessagesPage, SentMessages
from animations.course.parts import quantities
from animations.course.plot_page import ROOM, PlotPage
from animations.course.promises_page import Promise, PromisesPage
from animations.course.queue_page import QueuePage
from animations.course.recalled import BESIDE, Recalled
from animations.course.rings_page import RingsPage
from animations.course.switch_slots import slots, slots_by_way
from animations.course.text_pages import Marked, TablePage, WordsPage
from animations.drawing.axis import by_octaves, by_powers_of_ten, from_zero
from animations.drawing.curves import edges_of
from animations.drawing.glyphs import text_width
from animations.drawing.plot import Plot, Series
from animations.drawing.theme import DARK
from animations.pictures.step import shaded
from animations.score.pacing import spoken_seconds
from animations.score.score import Play, TextCard
from animations.whys.why import Why
from collectives import record, time
from collectives.collective import COLLECTIVES, find_collective
from collectives.cost.machines import topology
from collectives.cost.machines.faults import stall
from collectives.errors import BadInput
from collectives.training.parallel import SCHEMES
from collectives.units import size_text, time_text

ALGORITHM = {"scan": "linear", "exscan": "linear", "all_to_all": "flat"}  # else flat
DRAWN = [
    name for name in COLLECTIVES if name not in ("barrier", "send_recv", "dispatch", "combine")
]
RANKS = 4


@each("name", DRAWN)
def test_a_promise_shows_whose_data_execution_puts_where(name):
    """Every cell holds a power of two of its own, so sums say what is in them."""
    promise = Promise(COLLECTIVES[name], RANKS)
    power = (1 << np.arange(RANKS * RANKS)).reshape(RANKS, RANKS)
    algorithm = ALGORITHM.get(name, "flat")
    recording = record(name, algorithm, ranks=RANKS)
    chunks = recording.chunk_count
    given = power[:, :chunks]
    if name in ("gather", "all_gather"):  # each rank gives its own chunk
        given = np.diag(power)[:, None]
    recording = record(name, algorithm, ranks=RANKS, data=given)
    held = recording.execute().values.reshape(RANKS, -1)
    received = chunks if recording.collective.separate_buffers else 0
    for (rank, slot), sources in promise.after.items():
        if slot < chunks:
            wanted = sum(int(power[source]) for source in sources)
            assert int(held[rank, slot + received]) == wanted, (rank, slot)


def test_marks_light_cells_of_the_state_that_is_there():
    """Frames are drawn in turn, and stay: here round a row, then round a column."""
    promise, rows = Promise(COLLECTIVES["all_reduce"], RANKS), ((2,), (-1, 1))
    comes = (0, False), (0, False), (0, True), (0, True)
    page = PromisesPage("", "", promises=(promise,), comes=comes, marks=((), rows, (), rows))

    def lit(item, time):
        boxes = page.at(item, time).boxes
        filled = [box.box for box in boxes if box.color.startswith("rank")]
        return [box.box for box in boxes if box.color == "now"], filled

    assert not lit(1, 0.5)[0] and not lit(2, 0.0)[0]
    for item in (2, 4):
        (row, filled), (frames, same) = lit(item, 0.3), lit(item, 1.0)
        assert filled == same, "nothing moves while cells are spoken of"
        assert len(row) == 3 and len(frames) == 8 and frames[:2] == row[:2]
        assert frames[0].width > 3 * frames[1].height and frames[5].height > 3 * frames[4].width
        assert row[0].top > frames[4].bottom, "row 2 is below the top of a column"
        assert (row[0].x > lit(2, 0.3)[0][0].x) == (item == 4), "the state after is to the right"


@each(("name", "data_named"), [("all_reduce", False), ("all_gather", False), ("all_to_all", True)])
def test_slots_have_names_unless_data_has_numbers(name, data_named):
    page = PromisesPage("", "", promises=(Promise(COLLECTIVES[name], RANKS),), comes=((0, True),))
    texts = {line.text for line in page.at(1, 1.0).lines}
    assert ("c0" in texts) is not data_named and ("0" in texts) is data_named
    flying = {line.text for line in page.at(1, 0.5).lines}
    assert "c0" not in flying, "no data flies over names"


def test_a_page_fills_the_room_in_which_it_is_recalled():
    page = PromisesPage("", "", promises=2 * (Promise(COLLECTIVES["reduce"]),), comes=((1, True),))
    boxes = edges_of(box.box for box in Recalled(page, 1).at(0.5, BESIDE).boxes)
    assert boxes[:, :2].min(0) == pytest.approx([BESIDE.left, BESIDE.top], abs=150)
    assert boxes[:, 2].max() == pytest.approx(BESIDE.right, abs=2)


def test_data_goes_from_where_it_was_to_where_it_ends():
    promise = Promise(COLLECTIVES["broadcast"], RANKS)
    page = PromisesPage("", "", promises=(promise,), comes=((0, False), (0, True)))
    waits, goes, ended = page.at(1, 1.0), page.at(2, 0.5), page.at(2, 1.0)

    def places(drawing):
        return {(b.box.x, b.box.y) for b in drawing.boxes if b.color.startswith("rank")}

    assert len(places(waits)) == RANKS
    assert len(places(ended)) == RANKS + RANKS * RANKS
    assert places(waits) < places(goes) and not places(goes) <= places(ended)


def test_lanes_are_as_long_as_the_clock_says():
    timing = time(record("all_reduce", "ring", ranks=4), "hgx-h100", size="1MiB", clock="dataflow")
    twice = time(timing.recording, "hgx-h100", size="2MiB")
    page = LanesPage("", "", schedules=(LaneSchedule("ring", timing), LaneSchedule("twice", twice)))
    drawing = page.at(2, 1.0)
    bars = [box.box for box in drawing.boxes if box.color.startswith("rank")]
    assert len(bars) == 2 * 4 * len(timing.recording.steps)
    left, upper, lower = min(b.left for b in bars), bars[: len(bars) // 2], bars[len(bars) // 2 :]
    one, other = (max(bar.right for bar in half) - left + 2 for half in (upper, lower))
    assert one / other == pytest.approx(timing.total / twice.total, rel=1e-3)
    steps = [
        step
        for rank in range(4)
        for step in timing.messages.step[timing.messages.src == rank].tolist()
    ]
    colors = [box.color for box in drawing.boxes if box.color.startswith("rank")][: len(steps)]
    assert len(set(zip(steps, colors, strict=True))) == len(set(steps)) == len(set(colors))
    assert any("dim while it waits" in line.text for line in drawing.lines)


@each("chunks", (4, 32))
def test_brackets_count_slots_in_which_chunks_go_up_both_ways_and_down(chunks):
    """A chunk comes down on its fourth trip, so three slots at each end have one way."""
    table = {"collective": "all_reduce", "algorithm": "nvls", "ranks": 8, "machine": "hgx-h100"}
    timing = timed({**table, "chunks": chunks}, 64 << 20)
    messages, copies = timing.messages, chunks - 3
    wanted = ["3 ↑", f"{copies} ↑↓", "3 ↓"]
    page = LanesPage("", "", schedules=(LaneSchedule("nvls", timing),), comes=(None, 1, 3))
    for item, count in ((1, 0), (2, 1), (3, 3)):
        lines = [line for line in page.at(item, 1.0).lines if line.text[-1:] in {*"↑↓"}]
        assert list(dict.fromkeys(line.text for line in lines)) == wanted[:count]
    down = (messages.src == 8) & (messages.size > messages.size.max() / 2)
    ends = [end for *_, end in slots_by_way(timing)]
    last_up = messages.end[(messages.dst == 8) & (messages.size > messages.size.max() / 2)].max()
    assert ends == pytest.approx([messages.start[down].min(), last_up, timing.total])
    assert slots("", "nvls", 1, 64 << 20, "hgx-h100") == 4


def test_a_why_shows_the_steps_that_a_lecture_names():
    """Each sentence its own, with the counts of all that was sent before."""
    tables = (table for table in lectures()["in-network"].passages if table["show"] == "why")
    table = next(tables)
    score = score_of_lecture(lectures()["in-network"])
    page = next(p.shown for p in score.passages if isinstance(p.shown, Why))
    assert page.items == len(table["say"]) == len(set(page.sentences))
    ends = [
        [line.text for line in page.at(item, 1.0).lines if "= 1" in line.text]
        for item in range(1, page.items + 1)
    ]
    less, both = ["7/8 + 7/8 = 1.75"], ["7/8 + 7/8 = 1.75", "1 + 1/8 = 1.125"]
    assert ends == [[], *[less] * 8, both]
    third = page.picture.traffic[2]  # of switches that send to all of themselves, one up, one down
    assert [len(third.passed(end, 9, 0.0)) for end in (0, 1)] == [8, 8] and third.busier == 1
    names = [line.text for line in page.at(4, 1.0).lines if line.color == "now"]
    assert names == ["It adds, and sends to all: SHARP", "1"]


def test_training_before_and_after_shows_the_collectives_that_its_schemes_call():
    passages = lectures()["what-is-a-collective"].passages
    page = next(p for p in passages if "in training" in str(p.get("heading")))
    shown = {}
    for said in page["say"]:
        if "note" in said:
            scheme = said["note"].partition(":")[0].lower()
            shown.setdefault(scheme, set()).add(said.get("promise") or said["before"])
    assert shown == {scheme: set(dict(SCHEMES[scheme].calls)) for scheme in ("ddp", "fsdp")}


@each("logarithmic", (False, True))
def test_a_plot_puts_values_where_its_axes_say(logarithmic):
    xs, ys = (1.0, 8.0, 64.0), (1.0, 10.0, 100.0)
    written = "{:g}".format
    upward = by_powers_of_ten if logarithmic else from_zero
    plot = Plot(ROOM, by_octaves("n", written, xs), upward("s", written, ys))
    curve = Series("line", xs, ys, "rank 0")
    page = PlotPage("", "", plot=plot, curves=(curve,))
    drawing = page.at(1, 1.0)
    line = [stroke.points for stroke in drawing.strokes if stroke.color == "rank 0"]
    grid = {}
    for text in drawing.lines:
        grid.setdefault((text.text, text.align), text)
    for x, y, place in zip(xs, ys, (line[0][0], line[0][1], line[1][1]), strict=True):
        if (written(x), "center") in grid:
            assert place[0] == pytest.approx(grid[written(x), "center"].x)
        if (written(y), "right") in grid:
            assert place[1] + 9 == pytest.approx(grid[written(y), "right"].baseline)
    (left, low), (middle, way), (right, high) = line[0][0], line[0][1], line[1][1]
    assert middle - left == pytest.approx(right - middle)
    assert (way - low) / (high - low) == pytest.approx(0.5 if logarithmic else 9 / 99)
    figures = {text for text, align in grid if align == "right"}
    assert figures >= ({"1", "10", "100"} if logarithmic else {"0", "20", "100"})
    points = PlotPage("", "", plot=plot, curves=(replace(curve, points=True),)).at(1, 1.0)
    assert len([box for box in points.boxes if box.color == "rank 0"]) == len(xs)
    lone = replace(curve, xs=xs[-1:], ys=ys[-1:], points=True)
    begun = PlotPage("", "", plot=plot, curves=(lone,)).at(1, 0.0)
    assert [box.color for box in begun.boxes] == ["rank 0"], "said before it is there"


def test_points_lie_on_the_lines_of_their_plot():
    """A coarse line would pass beside what is said of a size."""
    passages = score_of_lecture(lectures()["ring"]).passages
    pages = [passage.shown for passage in passages if isinstance(passage.shown, PlotPage)]
    for page in (page for page in pages if any(curve.points for curve in page.curves)):
        lines = [{*zip(c.xs, c.ys, strict=True)} for c in page.curves if not c.points]
        points = [at for c in page.curves if c.points for at in zip(c.xs, c.ys, strict=True)]
        assert points and all(any(at in line for line in lines) for at in points)


def test_what_waits_for_a_late_rank_is_dim_and_the_rank_red_until_it_comes():
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 4, "machine": "ring"}
    timing = timed({**table, "late": (1, 1e-3)}, 1 << 20)
    boxes = LanesPage("", "", schedules=(LaneSchedule("late", timing),)).at(1, 1.0).boxes
    dim = [box.box for box in boxes if box.color == "well" and box.opacity < 1]
    waiting = timing.messages.end - timing.messages.sent > 1e-6
    assert len(dim) == waiting.sum() > 0
    (absent,) = (box.box for box in boxes if box.color == "wrong")
    assert max(box.right for box in dim) == pytest.approx(absent.right, abs=3)


def test_a_message_that_never_arrives_is_red_to_the_end():
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 4, "machine": "ring"}
    schedule = LaneSchedule("dead", timed({**table, "dead": (2, 3)}, 1 << 20))
    boxes = LanesPage("", "", schedules=(schedule,)).at(1, 1.0).boxes
    (lost,) = (box.box for box in boxes if box.color == "wrong")
    ends = [box.box.right for box in boxes if box.color.startswith("rank")]
    assert not schedule.ends and lost.right > 2 * max(ends) - lost.left


def test_parts_of_lectures_have_no_cards():
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 4, "machine": "ring"}
    for found in (parts.algorithm(table, "en"), parts.training({"scheme": "ddp"}, "en")):
        shown = [passage.shown for passage in found]
        assert shown and not any(isinstance(each, TextCard) for each in shown)


def test_the_end_of_a_training_step_stands_before_a_lecture_goes_on():
    """Lecture 11: 342 ms is reached, and read."""
    (passage,) = parts.training({"scheme": "ddp"}, "en")
    last = passage.shots[-1]
    assert last.moment.since == last.moment.until == passage.shown.pair.timelines[1].total
    assert last.seconds >= 1


def test_what_is_recalled_may_stand_as_it_was():
    """Lecture 11: a bar does not shrink once more beside a question."""
    page = BarsPage("", "", bars=(ValueBar("a", "1", ((1.0, "now"),), (0.0,)),))
    moving, still = Recalled(page, 1), Recalled(page, 1, still=True)
    assert still.at(0.1) == still.at(1.0) == moving.at(1.0) != moving.at(0.1)


def test_a_lecture_tells_a_run_in_its_own_sentences():
    """A sentence plays its steps, as long as it takes; those of the film are not said."""
    say = [{"en": "Rank 0 has it."}, {"en": "All that have it send.", "step": [1, 2]}]
    table = {"collective": "broadcast", "algorithm": "tree", "ranks": 4, "say": say}
    (told,) = parts.algorithm({**table, "heading": {"en": "A tree"}}, "en")
    assert [(shot.moment.step, shot.travels) for shot in told.shots] == [
        (0, True),
        (1, True),
        (2, True),
    ]
    assert told.shots[0].moment.play is Play.WAVE, "what is there glows"
    assert {shot.said for shot in told.shots} == {line["en"] for line in say}
    assert sum(shot.seconds for shot in told.shots[1:]) == spoken_seconds(say[1]["en"])
    _, *whys = parts.algorithm({**table, "heading": {"en": "A tree"}, "why": True}, "en")
    assert whys and all(isinstance(passage.shown, Why) for passage in whys)


def test_a_sentence_of_a_lecture_runs_through_steps_ahead_that_exist():
    say = [{"en": "Then all send.", "ahead": [1, 2], "follow": True}]
    table = {"collective": "broadcast", "algorithm": "tree", "ranks": 4, "say": say}
    ((shot,),) = (p.shots for p in parts.algorithm({**table, "heading": {"en": "A tree"}}, "en"))
    assert shot.travels and shot.moment.ahead == (0, 2) and shot.moment.named
    for wrong in ([1, 3], [0, 1], [2, 1]):
        say = [{"en": "Then all send.", "ahead": wrong}]
        with pytest.raises(BadInput, match=r"ahead .*no steps; try: \[1, 2\]"):
            list(parts.algorithm({**table, "say": say, "heading": {"en": "A tree"}}, "en"))


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_a_sentence_that_follows_leaves_only_two_ranks_bright(ranks):
    """Those between which what is followed goes; also of the lines only that between them."""
    say = [{"en": "All send."}, {"en": "All send.", "step": 1, "follow": True}]
    table = {"collective": "all_reduce", "algorithm": "rabenseifner", "ranks": ranks, "say": say}
    (found,) = parts.algorithm({**table, "heading": {"en": "Halve"}, "stage": "cube"}, "en")
    before, during = (shot.moment for shot in found.shots)
    board, move = found.shown, found.shown.frames[0].example
    assert not [*shaded(board, before, DARK)]
    veiled = {shape.box for shape in shaded(board, during, DARK)}
    pale = {node for node, card in enumerate(board.scenery.cards) if {*card.boxes} <= veiled}
    assert pale == {*range(ranks)} - {move.src, move.dst}


def test_the_second_lap_of_the_ring_begins_with_sums():
    """What the first lap ends with: a stripe of each rank in each finished chunk."""
    summed = Promise(find_collective("all_gather"), 4, of_sums=True)
    assert summed.tones((2, 2)) == [f"rank {rank}" for rank in range(4)]
    assert Promise(find_collective("all_gather"), 4).tones((2, 2)) == ["rank 2"]


def test_a_moment_of_lanes_outlines_what_is_under_way():
    timing = time(record("all_reduce", "ring", ranks=4), "hgx-h100", size="1MiB", clock="dataflow")
    moment = 0.6 * timing.total
    page = LanesPage("", "", schedules=(LaneSchedule("ring", timing),), comes=(None, float(moment)))
    messages = timing.messages
    under_way = (messages.start <= moment) & (messages.end > moment)
    lit = [box for box in page.at(2, 1.0).boxes if box.edge == "ink"]
    assert len(lit) == under_way.sum() > 0
    later = replace(page, comes=(None, float(moment), float(timing.total)))
    texts = {line.text for line in later.at(3, 0.0).lines}
    assert time_text(float(moment), 3) in texts  # from which its line comes
    assert not [box for box in page.at(1, 1.0).boxes if box.edge == "ink"]


def test_links_are_as_wide_as_a_run_has_worked_them():
    """One ring leaves a node by one card of four, and that link limits it."""
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 8, "machine": "cluster"}
    given = {"parameters": {"channels": 1}, "with": {"gpus": 4}}
    run = MachineRun("one ring", timed({**table, **given}, 8 << 20), limits=True)
    assert np.allclose(run.carried(run.timing.total), run.timing.link_bytes)
    half = run.carried(run.timing.total / 2)
    assert 0.4 < half[run.busiest] / run.timing.link_bytes[run.busiest] < 0.6
    page = MachinePage("", "", topology=run.timing.topology, lit=(run, ((3, 7),)))
    red = [stroke for stroke in page.at(1, 1.0).strokes if stroke.color == "wrong"]
    assert {stroke.name for stroke in red} == {
        "link-13-18",
        "link-17-18",
        "link-18-10",
        "link-18-14",
    }
    said = [line.text for line in page.at(1, 1.0).lines if "→" in line.text]
    assert said == ["NIC 3 → leaf switch 0: 14 MiB"], "one ring comes back by another card"
    lit = [stroke.name for stroke in page.at(2, 1.0).strokes if stroke.color == "now"]
    assert lit == ["link-3-13", "link-13-18", "link-17-7", "link-18-17"]


def test_a_followed_chunk_keeps_to_its_rail_and_slow_steps_are_counted():
    """A ring's chunk enters each node by one card, leaves by another, and always waits for some."""
    table = {"collective": "all_reduce", "ranks": 16, "machine": "cluster", "with": {"gpus": 4}}
    ring = {"algorithm": "ring", "parameters": {"channels": 4}}
    rails = {"algorithm": "hierarchical", "parameters": {"gpus": 4}}
    for own, cards, steps in ((ring, 8, 30), (rails, 4, 6)):
        timing = timed({**table, **own}, 8 << 20)
        run, machine = MachineRun("one", timing, pauses=True, follow=0), timing.topology
        lit = np.flatnonzero(run.worked(timing.total))
        ends = {*machine.src[lit].tolist(), *machine.dst[lit].tolist()}
        assert sum(machine.kind_of(node) == "NIC" for node in ends) == cards
        assert (run.slow_steps(0.0), run.slow_steps(timing.total)) == (0, steps)
        assert 0 < run.slow_steps(timing.total / 2) < steps
        page = MachinePage("", "", topology=machine, lit=(run,))
        assert f"slow steps: {steps} of {steps}" in [line.text for line in page.at(1, 1.0).lines]


def test_bytes_through_each_card_tell_two_faults_apart():
    """Of two rings four cards carry nothing; beside a slow card all carry as much."""
    lecture = lectures()["reading-a-benchmark"]
    (table,) = (p for p in lecture.passages if p["heading"]["en"].startswith("Two faults"))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    rings, slow = page.lit
    whole = 1.875 * (1 << 30)
    assert sorted(rings.counted(inf)) == pytest.approx([0] * 4 + [whole / 2] * 4)
    assert slow.counted(inf) == pytest.approx([whole / 8] * 8)
    numbers = [line.text for line in page.at(1, 1).lines if line.text in ("960", "0")]
    assert sorted(numbers) == ["0"] * 4 + ["960"] * 4
    times = [line.text for line in page.at(2, 0.4).lines if line.text.endswith(" ms")]
    assert times == [time_text(rings.timing.total, 3), time_text(slow.timing.total / 2, 3)]
    bars = (line for line in page.at(2, 0.1).lines if line.face == "bold" and line.x > FACTS)
    early = [line.text for line in bars if line.align == "center"]
    assert early and all(text.isdigit() for text in early), "whole numbers, while they are counted"


@pytest.mark.parametrize("passed", [0.5, 1.0])
def test_what_the_busiest_link_has_carried_is_said_with_its_ends_both_ways(passed):
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 8, "machine": "cluster"}
    given = {"parameters": {"channels": 4}, "with": {"gpus": 4}}
    run = MachineRun("four rings", timed({**table, **given}, 8 << 20))
    page = MachinePage("", "", topology=run.timing.topology, lit=(run,))
    said = [line.text for line in page.at(1, 0.8 * passed).lines if "→" in line.text]
    links = [*zip(run.timing.topology.src.tolist(), run.timing.topology.dst.tolist(), strict=True)]
    carried, ends = run.carried(passed * run.timing.total), links[run.busiest]
    sizes = [carried[links.index(way)] for way in (ends, ends[::-1])]
    texts = [size_text(round(size), digits=3, binary=True) for size in sizes]
    assert [text.rpartition(": ")[2] for text in said] == texts and sizes[0] > 0
    assert said[0].startswith("NIC") and said[1].startswith("leaf switch")


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_a_queue_has_let_in_what_the_clock_says(share):
    timing = time(record("reduce", "linear", ranks=6), "hgx-h100", size="1MiB", clock="dataflow")
    page = QueuePage("", "", timing=timing, until=(0.0, share))
    drawing = page.at(2, 1.0)
    ended = int((timing.messages.end <= share * timing.total * (1 + 1e-9)).sum())
    vectors = [box.box for box in drawing.boxes if box.color.startswith("rank")]
    whole = max(box.width for box in vectors)
    assert sum(box.width == pytest.approx(whole) for box in vectors) == 1 + ended
    waiting = [line.text for line in drawing.lines if line.color == "now_ink"]
    assert len(waiting) == 5 - ended


def test_parts_of_a_bar_change_into_those_of_the_next_beside_a_limit():
    first, then = ((6, "level 1"), (4, "level 2")), ((1, "level 1"), (4, "level 2"))
    bars = ValueBar("all", "10", first, (0, 0)), ValueBar("less", "5", then, (6, 4))
    page = BarsPage("", "", bars=bars, limit=(5, "5"))

    def widths(time):
        boxes = page.at(2, time).boxes
        return [[b.box.width for b in boxes[row : row + 2]] for row in (0, 3)], boxes

    (whole, begins), _ = widths(0.0)
    assert begins == pytest.approx(whole) and whole[0] == pytest.approx(1.5 * whole[1])
    (_, ended), boxes = widths(1.0)
    assert ended == pytest.approx([whole[0] / 6, whole[1]])
    assert boxes[5].color == "wrong" and boxes[5].box.x == pytest.approx(boxes[4].box.right)


@pytest.mark.parametrize(
    "page",
    [
        WordsPage("", "", texts=("A ring has two laps of steps.",)),
        TablePage("", "", rows=("rank 3 waits",), marks=((Marked(0),),)),
        MachinePage("", "", topology=topology("hgx-h100", 8), lit=(0,)),
        BarsPage("", "", bars=(ValueBar("ring", "14", ((14, "rank 0"),), (0,)),)),
    ],
    ids=lambda page: type(page).__name__,
)
def test_a_page_moves_while_it_is_spoken_of(page):
    times = [page.at(1, time) for time in (0.1, 0.3, 0.5)]
    assert len({repr(drawing) for drawing in times}) == 3
    assert page.at(1, 0.9) != times[-1]


def test_a_chunk_goes_round_its_ring_and_hops_between_nodes_are_counted():
    """Lecture 6: two of its hops, or all, by the lines that are drawn and by the recording."""
    passages = score_of_lecture(lectures()["machines"]).passages
    (page,) = (p.shown for p in passages if isinstance(p.shown, RingsPage))
    for item, (run, wanted) in enumerate(zip(page.runs, (2, 16), strict=True), 1):
        ring = ring_of(run.timing.recording)
        src, dst = np.transpose(ring)
        assert sorted(src) == list(range(16)) and (np.roll(src, -1) == dst).all()
        links = {tuple(link) for link in run.timing.recording.counters.links[:, :2].tolist()}
        assert links >= set(ring) and (src // 8 != dst // 8).sum() == wanted
        before, there = page.at(item, 0.0).strokes, page.at(item, 1.0).strokes
        crossing = [stroke for stroke in there if stroke.color == "now"]
        assert len(there) - len(before) == 15 and len(crossing) == sum((2, 16)[:item])
        assert all(a[1] != b[1] for a, b in (stroke.points for stroke in crossing))
        assert page.at(item, 1.0).lines[-17].text.endswith(f": {wanted}")
        half = page.at(item, 0.4)
        assert len(half.strokes) < len(there) and half.boxes != page.at(item, 0.5).boxes
    assert page.cards and page.items == 3
    for count, there in ((1, 0.1), (8, 1.0)):  # of the first ring that is there, and of all
        texts = [line.text for line in page.at(3, there).lines if line.size == 40]
        assert texts[-16:] == [str(count)] * 16
    assert [line.text for line in page.at(3, 1.0).lines if line.size == 40][:16] == ["1"] * 16


def test_links_that_a_chunk_never_takes_are_dashed_and_nothing_runs_along_them():
    """Lecture 13: both arcs stop beside rank 4."""
    lecture = lectures()["your-own"]
    (table,) = (p for p in lecture.passages if "'missing'" in str(p))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    assert not any(line.dashes for line in page.at(2, 0.5).strokes)
    dashed = [line for line in page.at(3, 0.5).strokes if line.dashes]
    assert [line.name for line in dashed] == ["link-3-4", "link-5-4"]
    names = {line.name for line in page.at(3, 0.5).strokes if line.color == "now"}
    assert len(names) == 6 and not any(name.endswith("-4") for name in names)
    dots = [box for box in page.at(3, 0.2).boxes if box.box.width == box.box.height == DOT]
    assert len(dots) == 2, "one on each way"
    dead = MachinePage("", "", topology=page.topology, lit=((),), missing={1: [(2, 3)]})
    assert [line.name for line in dead.at(1, 0.5).strokes if line.color != "link"] == ["link-2-3"]
    assert not [box for box in dead.at(1, 0.5).boxes if box.box.width == DOT], "nothing moves on it"


def test_a_way_from_rank_to_rank_is_lit_hop_by_hop_and_then_stays():
    """Lecture 13: in three steps a chunk comes to 3; when it goes the other way, 3 has it."""
    lecture = lectures()["your-own"]
    (table,) = (p for p in lecture.passages if "'missing'" in str(p))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown

    def lit(item, hops):
        time = (hops - 0.5) / 3 * ALL_DRAWN
        return [line.name for line in page.at(item, time).strokes if line.color == "now"]

    right = ["link-0-1", "link-1-2", "link-2-3"]
    assert [lit(1, hops) for hops in (1, 2, 3)] == [right[:hops] for hops in (1, 2, 3)]
    assert {*right} < {*lit(2, 1)} and "link-6-5" not in lit(2, 1)
    assert len(lit(3, 1)) == 6, "both are known"


def test_arrows_of_what_waits_come_in_turn_and_are_those_of_the_stall():
    lecture = lectures()["when-it-goes-wrong"]
    writer = Writer(lecture, "en", quantities(lecture.numbers))
    (lanes,) = (p for p in lecture.passages if p["show"] == "lanes" and "'dead'" in str(p))
    (table,) = (p for p in lecture.passages if p["show"] == "machine" and "'waits'" in str(p))
    timing = writer.passage(lanes).shown.schedules[0].timing
    whom = stall(timing.recording, timing.topology, timing.costs).waits
    page = writer.passage(table).shown
    arrows = [[line.name for line in page.at(1, t).strokes if line.arrow] for t in (0.05, 1.0)]
    assert arrows[0] == ["link-3-2"]
    assert {*arrows[1]} == {f"link-{rank}-{other}" for rank, (other, _) in whom.items()}
    assert not [box for box in page.at(1, 0.5).boxes if box.box.width == DOT], "nothing moves"


def test_steps_come_slowly_until_what_stalls_stands_still():
    lecture = lectures()["when-it-goes-wrong"]
    (table,) = (p for p in lecture.passages if p["show"] == "lanes" and "'dead'" in str(p))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    (schedule,) = page.schedules
    last = schedule.timing.messages.end[np.isfinite(schedule.timing.messages.end)].max()
    assert schedule.passed(STOPS) * schedule.seconds == pytest.approx(last)
    assert schedule.passed(STOPS / 7) * 7 == pytest.approx(schedule.passed(STOPS))
    assert schedule.passed(1.0) == 1.0


def test_the_first_steps_of_a_followed_chunk_are_slow_and_others_cross_meanwhile():
    """Lecture 7: three of 126 steps fill most of the film, and other chunks' slow links are lit."""
    lecture = lectures()["hierarchy"]
    table = [p for p in lecture.passages if p["show"] == "machine" and "'follow'" in str(p)][-1]
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    ring, _ = page.lit
    moments = [ring.moment(part) for part in (0.0, 0.35, 0.7, 1.0)]
    assert moments == pytest.approx([0, 1.5, 3, 126] * np.array(ring.timing.total / 126))
    assert ring.slow_steps(ring.moment(0.7) * 1.0001) == 3
    slow = page.topology.bandwidth.min()
    for part in (0.1, 0.5, 1.0):
        crossed = [*ring.crossed(ring.moment(part))]
        assert crossed and (page.topology.bandwidth[crossed] == slow).all()
        seen = [s for s in page.at(1, part * ALL_DRAWN).strokes if s.color == "rank 1"]
        assert seen and len(seen) <= len(crossed)
    dots = [box for box in page.at(1, 0.16).boxes if box.box.width == DOT]
    assert len(dots) == 1, "the chunk waits"


def test_a_dot_on_a_slow_link_is_as_much_slower():
    """Lecture 7: InfiniBand is nine times slower than NVLink."""
    lecture = lectures()["hierarchy"]
    table = next(p for p in lecture.passages if p["show"] == "machine" and "'light'" in str(p))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    parts = []
    for item in (1, 2):
        drawing = page.at(item, 0.1)
        way = next(line for line in drawing.strokes if line.color == "now")
        dot = next(box.box for box in drawing.boxes if box.box.width == DOT)
        parts.append(dist(way.points[0], (dot.x, dot.y)) / dist(way.points[0], way.points[-1]))
    rates = [page._kinds[kind].bandwidth for kind in page.lit[:2]]
    assert parts[0] / parts[1] == pytest.approx(rates[0] / rates[1]) == 9


def why_page(heading):
    """A page of lecture 8 about what passes a port."""
    lecture = lectures()["in-network"]
    (table,) = (p for p in lecture.passages if p.get("heading", {}).get("en") == heading)
    return Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown


def test_rows_of_a_port_stay_when_the_next_comes():
    """Lecture 8: what SHARP sends stands between forwarding and NVLS."""
    why = why_page("Forward, or add?")
    names = [name for name, *_ in why.picture.rows]
    seen = []
    for item in (1, 4, 6, len(why.sentences)):
        lines = sorted(why.picture.drawn(why.room, item, 1.0).lines, key=lambda line: line.baseline)
        seen.append([names.index(line.text) for line in lines if line.text in names])
    assert seen == [[0], [0, 2], [0, 2, 1], [0, 2, 1]]


def test_a_figure_of_a_row_that_grows_comes_with_its_last_box():
    """Lecture 8: 465 GB/s counts all 14 eighths."""
    why = why_page("The riddle solved")
    item = next(number for number, (_, further) in why.picture.figures.items() if further)
    text = why.picture.figures[item][0]
    half, whole = (why.picture.drawn(why.room, item, moment).lines for moment in (0.5, 1.0))
    assert text in [line.text for line in whole] and text not in [line.text for line in half]


def test_bytes_on_a_link_are_in_units_of_their_vector():
    """Lecture 11: of 28 GB a link carries 52.5 GB, not 48.9 GiB."""
    lecture = lectures()["data-parallel"]
    (table,) = (p for p in lecture.passages if p["show"] == "machine")
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    said = [line.text for line in page.at(2, 1.0).lines if "→" in line.text]
    assert said and all(text.endswith("52.5 GB") for text in said)


@each("name", sorted(lectures()))
def test_figures_beside_a_machine_do_not_lie_on_each_other(name):
    for table in lectures()[name].passages:
        if table["show"] == "machine":
            writer = Writer(lectures()[name], "es", quantities(lectures()[name].numbers))
            page = writer.passage(table).shown
            lines = [x for x in page.at(page.items, 1.0).lines if x.x == FACTS]
            for upper, lower in pairwise(sorted(lines, key=lambda line: line.baseline)):
                assert lower.baseline - 0.75 * lower.size > upper.baseline, (upper, lower)


@each(("gpus", "idle"), [(2, 8), (4, 0)])
def test_a_way_that_carries_nothing_is_gray_beside_its_way_back(gpus, idle):
    """In groups of two, two cards of each node send and the other two receive."""
    table = {"collective": "all_reduce", "algorithm": "hierarchical", "ranks": 8}
    table |= {"machine": "cluster", "with": {"gpus": 4}, "parameters": {"gpus": gpus}}
    run = MachineRun("", timed(table, 1 << 20), idle=True)
    page = MachinePage("", "", topology=run.timing.topology, lit=(run,))
    gray = [line for line in page.at(1, 1.0).strokes if line.color == "faint"]
    ends = {line.points[0][0] for line in page.at(1, 1.0).strokes if line.color == "now"}
    assert len(gray) == idle and not ends & {line.points[0][0] for line in gray}
    assert not [line for line in page.at(1, 0.5).strokes if line.color == "faint"]


def test_a_cable_is_as_wide_as_the_messages_that_share_it():
    """Lecture 5: messages of one step of halving and doubling, as executed."""
    passages = score_of_lecture(lectures()["cost"]).passages
    machines = (p.shown for p in passages if isinstance(p.shown, MachinePage))
    page = next(page for page in machines if page.topology.name == "ring")
    recording = record("all_reduce", "rabenseifner", ranks=8)
    items = [(k, lit) for k, lit in enumerate(page.lit, 1) if isinstance(lit, tuple)]
    for (item, ways), step in zip(items, recording.steps[:3], strict=True):
        rows = step.unrolled()  # a chunk is an eighth
        parts = Counter(zip(rows.src.tolist(), rows.dst.tolist(), strict=True))
        assert Counter(ways) == parts
        wide = {x.name: x.width for x in page.at(item, 1.0).strokes if x.color == "now"}
        assert max(wide.values()) == 4 * LIT, "half a vector passes some cable in every step"
    assert len(set(wide.values())) == 1, "four apart all messages go the same way round"
    assert len(wide) == 8


def test_colors_of_lanes_may_tell_the_network_from_links_inside():
    table = {"collective": "all_reduce", "algorithm": "hierarchical", "ranks": 8}
    timing = timed({**table, "machine": "cluster", "with": {"gpus": 4}}, 1 << 20)
    page = LanesPage("", "", schedules=(LaneSchedule("", timing),), colors="link")
    steps = {f"rank {int(step) % 8}" for step in timing.messages.step}
    (lanes,) = page.lanes
    crosses = timing.messages.src // 4 != timing.messages.dst // 4
    tones = [bar.color for bar in lanes.bars]
    assert len(steps) > 2 and tones.count("rank 1") == crosses.sum() > 0
    assert tones.count("rank 0") == (~crosses).sum()


def test_rows_of_a_promise_fly_one_after_another_and_over_no_names():
    promise = Promise(COLLECTIVES["all_reduce"], RANKS)
    page = PromisesPage("", "", promises=(promise,), comes=((0, False), (0, True)))
    names = [sum(x.text.startswith("rank") for x in page.at(2, t).lines) for t in (0.1, 0.5, 1.0)]
    assert names == [2 * RANKS, RANKS, 2 * RANKS]
    cells = [page.at(2, t).boxes[-(RANKS**3) :] for t in (0.21, 0.44, 1.0)]
    at = [[x.box.x for x in boxes[:RANKS]] for boxes in cells]  # one cell, by whose data it is
    begun, now, ended = at
    *others, second, first = range(RANKS)  # the last rank flies first, over nobody's
    assert now[first] == pytest.approx(ended[first]) and begun[second] < now[second] < ended[second]
    assert all(now[rank] == pytest.approx(begun[rank]) for rank in others)

    flying = page.at(2, 0.4).boxes[-(RANKS**3) :]  # by cell, and of each by whose data it is
    first, last = flying[0].box, flying[-1].box
    ended = page.at(2, 1.0).boxes[-(RANKS**3) :]
    assert (ended[-1].box.x - last.x) < 0.6 * (ended[0].box.x - first.x)


@each("name", ("all_to_all", "reduce_scatter"))
def test_chunks_of_a_row_that_fly_do_not_cover_each_other(name):
    promise = Promise(COLLECTIVES[name], 8)
    page = PromisesPage("", "", promises=(promise,), comes=((0, True),))
    begun, ended = ([b.box for b in page.at(1, t).boxes] for t in (0.21, 1.0))
    for now in np.linspace(0.25, 0.75, 41).tolist():
        boxes = [box.box for box in page.at(1, now).boxes]
        both = zip(boxes, begun, ended, strict=True)
        flying = [b for b, first, last in both if abs(b.x - first.x) > b.width < abs(b.x - last.x)]
        for upper, lower in combinations(flying, 2):
            across = abs(upper.x - lower.x) / upper.width
            down = abs(upper.y - lower.y) / upper.height
            assert max(across, down) > 0.75, (now, upper, lower)


def test_what_a_table_marks_may_come_with_its_mark_and_stays():
    rows, marks = ("a 1 2", "b 3 4"), ((Marked(0, 2, 4), Marked(1, 2, 4)), (Marked(1, 4),))
    page = TablePage("", "", rows=rows, marks=marks, appear=True)
    seen = [[line.text for line in page.at(item, 1.0).lines[-2:]] for item in range(3)]
    assert seen == [["a   2", "b    "], ["a 1 2", "b 3  "], ["a 1 2", "b 3 4"]]
    at_first = [line.text for line in page.at(1, 0.0).lines[-2:]]
    assert at_first == [line.text for line in page.at(0, 1.0).lines[-2:]]
    early = [line.text for line in page.at(1, 0.1).lines[-2:]]
    assert early == ["a 1 2", "b    "], "whole numbers, line by line"


def test_marks_of_a_plot_come_one_after_the_other():
    plot = Plot(ROOM, by_octaves("n", str, (1.0, 8.0)), from_zero("s", str, (1.0, 2.0)))
    page = PlotPage("", "", plot=plot, marks=(2.0, 4.0))
    lines = [sum(line.color == "now" for line in page.at(item, 1.0).lines) for item in range(3)]
    assert lines == [0, 1, 2] and page.items == 2
    half = page.at(2, 0.35)
    whole, growing = (box.box for box in half.boxes if box.color == "now")
    assert growing.height < whole.height == ROOM.height and growing.bottom == whole.bottom
    assert sum(line.color == "now" for line in half.lines) == 1, "its number comes at its end"


def test_a_point_of_a_plot_is_read_off_at_both_axes():
    plot = Plot(ROOM, by_octaves("n", str, (1.0, 8.0)), from_zero("s", str, (1.0, 2.0)))
    curves = (
        Series("line", (1.0, 8.0), (1.0, 2.0), "rank 0"),
        Series("2", (2.0,), (1.5,), "rank 1", True),
    )
    page = PlotPage("", "", plot=plot, curves=curves)
    ways = [[s.points for s in page.at(2, t).strokes if s.color == "rank 1"] for t in (0.2, 1.0)]
    (x, y) = plot.at(2.0, 1.5)
    assert ways[1] == [((x, ROOM.bottom), (x, y)), ((x, y), (ROOM.left, y))]
    assert len(ways[0]) == 1 and ways[0][0][1][1] > y, "first up from the lower axis"


def test_a_chunk_is_outlined_on_its_trips_and_a_row_is_drawn_on_to_what_busbw_counts():
    """Up a whole chunk, a ninth of two messages its shards, down a whole one, in its own tone.

    One rank's lane stands for all, above that of the switch, which sends to each of eight.
    """
    lecture = lectures()["in-network"]
    writer = Writer(lecture, "en", quantities(lecture.numbers))
    (table,) = (p for p in lecture.passages if p["show"] == "lanes")
    page = writer.passage(table).shown

    def outlined(time):
        boxes = [box for box in page.at(2, time).boxes if box.edge == "ink"]
        assert {box.color for box in boxes} <= {"rank 0"}
        return [box.box for box in boxes]

    assert [[row.node for row in lanes.rows] for lanes in page.lanes] == 2 * [[0, 8]]
    whole, trips = max(box.width for box in outlined(1)), [len(outlined(k / 5)) for k in range(5)]
    assert trips == [0, 1, 9, 10, 18]
    assert {round(box.width / whole, 1) for box in outlined(1)} == {0.1, 1.0}
    (table,) = (p for p in lecture.passages if "'as_if'" in str(p))
    (riddle,) = writer.passages_of(table)

    def outlines(item, time):
        return sum(box.edge == "wrong" for box in riddle.shown.at(item, time).boxes)

    assert [outlines(item, 1) for item in (1, 2, 3, 4, 5)] == [0, 0, 0, 10, 10]
    assert outlines(4, 0.4) == 6 and outlines(5, 0) == 10  # it grows once


def test_links_are_pale_while_they_carry_nothing():
    """Those behind a late rank fall silent one after another; at the end all are as they worked."""
    lecture = lectures()["when-it-goes-wrong"]
    (table,) = (p for p in lecture.passages if p["show"] == "machine" and "'late'" in str(p))
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    (run,) = page.lit
    silent = [len(page._silent(run, seconds)) for seconds in (0.1e-3, 0.5e-3, 1e-3, 1.9e-3)]
    assert silent == sorted(silent) and silent[0] < silent[-1] == 15  # of 16 ways all but one
    assert not page._silent(run, run.timing.total)
    pale = [stroke for stroke in page.at(1, 0.3).strokes if stroke.color == "edge"]
    assert pale and not [stroke for stroke in page.at(1, 1).strokes if stroke.color == "edge"]


def test_sums_run_under_the_layers_before_and_the_last_sticks_out():
    """And from near what sticks out is as wide as the clock says."""
    lecture = lectures()["data-parallel"]
    tables = (p for p in lecture.passages if p["show"] == "overlap")
    writer = Writer(lecture, "en", quantities(lecture.numbers))
    page, wall = (writer.passage(table).shown for table in tables)
    forward, run = page.step(64)
    assert len(run.ready) == 32 and forward + run.backward == pytest.approx(1)
    for item in (1, 2):
        drawing = page.at(item, 1)
        (end,) = (stroke.points[0][0] for stroke in drawing.strokes)
        sums = [box.box for box in drawing.boxes if box.color == "now"]
        layers = [box.box for box in drawing.boxes if box.color == "phase 1"]
        assert sum(box.right > end + 10 for box in sums) == (item == 2)
        wide = (run.exposed / run.backward * 32) * layers[-1].width
        assert sums[-1].right - end == pytest.approx(wide, rel=0.1, abs=2)
    assert len(sums) == 3 and [line.text for line in drawing.lines][-1] == "+ 2.41 ms"
    assert len(page.at(1, 0.2).boxes) < len(page.at(1, 0.5).boxes) < 65
    steps = (1, "64 GPUs: 1 s", 0), (2, "367 GPUs: 178 ms", 0), (4, "4096 GPUs: 600 ms", 31)
    for item, text, beyond in steps:
        drawing = wall.at(item, 1)
        assert drawing.lines[-1].text == text
        (end,) = (stroke.points[0][0] for stroke in drawing.strokes)
        assert sum(box.box.right > end + 10 for box in drawing.boxes) == beyond


def test_a_formula_grows_beside_the_ways_of_a_chunk():
    """And what is left under the slice of the code is what each step sends."""
    lecture = lectures()["your-own"]
    numbers = quantities(lecture.numbers)
    (table,) = (p for p in lecture.passages if "every n" in p["heading"]["en"] and "note" in str(p))
    page = Writer(lecture, "en", numbers).passage(table).shown
    notes = ["n // 2 = 4", "(n - 1) // 2 = 3", "4 + 3 = n - 1"]
    for item in (1, 2, 3):
        assert [x.text for x in page.at(item, 1).lines if "n" in x.text][-item:] == notes[:item]
    steps = recording_of({"collective": "all_gather", "function": "two_way_all_gather", "ranks": 8})
    ways = [len(step.unrolled().src) / 8 for step in steps.steps]
    assert ways == [float(numbers[f"ways{step}"].value) for step in range(4)]
    left = [7 - sum(ways[:step]) for step in range(4)]
    assert left == [float(numbers[f"left{step}"].value) for step in range(4)]


def test_what_a_switch_sends_to_all_at_once_is_one_bar():
    table = {"collective": "all_reduce", "algorithm": "nvls", "ranks": 8, "machine": "hgx-h100"}
    timing = timed({**table, "chunks": 4}, 64 << 20)
    (lanes,) = LanesPage("", "", schedules=(LaneSchedule("nvls", timing),)).lanes
    *_, switch = lanes.rows
    bars = [bar for bar in lanes.bars if abs(bar.box.y - switch.box.y) < switch.box.height / 2]
    messages = timing.messages
    assert len(bars) == len(np.unique(messages.step[messages.src == 8])) == 6
    assert all(bar.box.height > 0.8 * switch.box.height for bar in bars)


@each(("algorithm", "count"), [("ring", 14), ("recursive-doubling", 3), ("rabenseifner", 6)])
def test_messages_widen_as_the_clock_says(algorithm, count):
    """Halfway of its growth all that rank 0 sends is drawn, on the scale of the time then."""
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": 8, "machine": "hgx-h100"}
    bare, middle, full = (timed(table, size) for size in (0, 4 << 20, 8 << 20))
    row = SentMessages("", bare, full)
    page = MessagesPage("", "", rows=(row,), size=0.0, comes=((1, 0.0), (1, float(8 << 20))))
    own = middle.messages.src == 0
    starts, _, ends = row.at(0.5)
    assert np.allclose(starts, middle.messages.start[own])
    assert np.allclose(ends, middle.messages.end[own])
    assert len(page.at(1, 1.0).areas) == len(page.at(2, 0.4).areas) == count
    assert time_text(middle.total, digits=3) in {line.text for line in page.at(2, 0.4).lines}
    assert len(page.at(1, 0.4).areas) < count


def test_rows_of_a_program_leave_room_for_the_ring_that_moves_beside_them():
    lecture = lectures()["your-own"]
    (table,) = (p for p in lecture.passages if p["heading"]["en"] == "Written down")
    page = Writer(lecture, "en", quantities(lecture.numbers)).passage(table).shown
    alone = replace(page, pictures=())
    for item in range(1, page.items + 1):
        rows, ring = (
            page.at(item, 1.0).lines[: len(alone.at(item, 1.0).lines)],
            page.at(item, 0.4),
        )
        reach = max(line.x + text_width(line.text, line.size, "mono") for line in rows[2:])
        begun = min(x for stroke in ring.strokes for x, _ in stroke.points)
        assert reach < begun and min(line.size for line in rows[2:]) >= 24
        dots = [[x.box.x for x in page.at(item, t).boxes if x.color == "ink"] for t in (0.1, 0.2)]
        assert dots[0] and dots[0] != dots[1], "data moves on the ring"
