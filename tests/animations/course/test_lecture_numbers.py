"""Numbers of lectures on trouble, benchmarks and training: each found in another way, too."""

import csv
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np
import pytest
from spread import SAMPLE

pytest.importorskip("cairo")  # measures words

from animations.course import benchmarks, examples, training_numbers
from animations.course.examples import timed, troubled_seconds, waiting
from animations.course.lecture import lectures, score_of_lecture
from animations.course.lecture_file import lecture_score
from animations.course.machine_pages import LaneSchedule, LanesPage, MachinePage
from animations.course.machine_run import MachineRun
from animations.course.messages_page import MessagesPage
from animations.course.parts import quantities
from animations.course.readings import LECTURE_READINGS, chunked_seconds, total_sent
from animations.course.shards_page import ShardsPage
from animations.course.slices_page import SlicesPage
from collectives import BadInput, check, record
from collectives.cost.choose.ring_or_trees import ring_beats_trees
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.machines import topology
from collectives.evidence.measured import ROWS
from collectives.training.pairs import training_pair

MIB, GIB = 1 << 20, 1 << 30
ALPHA, BANDWIDTH = 5e-6, 50e9  # of a link of the machine "ring"
STEPS = 14  # of a ring all-reduce of 8
RING = {"collective": "all_reduce", "algorithm": "ring", "ranks": 8, "machine": "ring"}


def test_trouble_takes_as_long_as_by_hand():
    healthy = STEPS * (ALPHA + 8 * MIB / BANDWIDTH)
    given = "ring", 8, 64 * MIB, "ring"
    assert troubled_seconds(*given) == pytest.approx(healthy)
    assert troubled_seconds(*given, "late", 5, 0.002) == pytest.approx(healthy + 0.002)
    crawl = STEPS * 8 * MIB / (BANDWIDTH / 4) + ALPHA
    assert troubled_seconds(*given, "slow_link", 2, 3, 4) == pytest.approx(crawl, rel=0.01)
    with pytest.raises(BadInput, match="slow_link"):
        troubled_seconds(*given, "slow_lnk", 2, 3, 4)


def test_the_ring_wins_later_and_later_by_the_clock():
    """As the page on work says it: each time more than three times later."""
    sizes = [ring_beats_trees(ranks).clock or 0 for ranks in (8, 16, 32)[: 2 if SAMPLE else 3]]
    assert [round(size / 1e4) for size in sizes] == [143, 487, 1639][: len(sizes)]
    assert all(more > 3 * less for less, more in pairwise(sizes))


def test_cards_that_no_ring_uses_are_not_shown_as_the_best_a_machine_does():
    """A lecture that names eight cards says what a ring in eight channels takes with them."""
    written = {name: each.numbers for name, each in lectures().items()}
    assert written["machines"]["rings"] == 'channel_seconds(16, 8, 64*MiB, "cluster")'
    assert written["data-parallel"]["channels"] == "flat_seconds(gradient_bytes(7e9) / 8, 64)"


def test_only_the_sender_at_a_slow_link_never_waits():
    messages = timed({**RING, "slow_link": [2, 3, 4]}, 64 * MIB).messages
    busy = [(messages.end - messages.start)[messages.src == rank].sum() for rank in range(8)]
    assert np.argmax(busy) == 2
    assert busy[2] > 0.99 * messages.end.max() and np.delete(busy, 2).max() < 0.5 * busy[2]


def test_marks_beside_a_slow_link_are_where_ranks_three_and_five_send_on():
    """What rank 3 sends is what rank 2 sent it last; two hops later rank 5 passes the sum on."""
    messages = timed({**RING, "slow_link": [2, 3, 4]}, 64 * MIB).messages
    numbers = quantities(lectures()["when-it-goes-wrong"].numbers)
    passages = lecture_score("when-it-goes-wrong", "en").passages
    pages = (page for page in passages if getattr(page.shown, "colors", "") == "chunk")
    page = next(page for page in pages if float in map(type, page.shown.comes))
    for item, (name, rank, step) in enumerate((("third", 3, 3), ("fifth", 5, 5)), 2):
        (own,) = np.flatnonzero((messages.src == rank) & (messages.step == step))
        (last,) = np.flatnonzero((messages.src == rank - 1) & (messages.step == step - 1))
        assert messages.start[own] == pytest.approx(float(numbers[name].value), rel=1e-3)
        lit = [box.box for box in page.shown.at(item, 1.0).boxes if box.edge == "ink"]
        rows = {row.node: row.box.y for row in page.shown.lanes[0].rows}
        assert [box.y for box in lit] == pytest.approx([rows[rank - 1], rows[rank]]), name
        assert messages.end[last] == pytest.approx(messages.start[own])
        drawing = page.shown.at(item, 1.0)
        (shaft,) = (box.box for box in drawing.boxes if (box.color, box.box.width) == ("now", 6))
        assert (shaft.top, shaft.bottom) == (lit[0].y, lit[1].y)  # from cause to effect
        assert shaft.x == pytest.approx(lit[0].right, abs=4)
        assert shaft.x == pytest.approx(lit[1].left, abs=4)
        assert "▼" in [line.text for line in drawing.lines if line.x == shaft.x]
    late = timed({**RING, "late": [5, 0.002]}, 64 * MIB).messages
    again = late.start[(late.src == 4) & (late.start > 0.002)].min()
    healed = float(numbers["healed"].value)
    sends = late.src[(late.start < healed) & (late.end > healed)]
    assert sorted(sends.tolist()) == [*range(8)] and healed > again  # the last that sends again


def test_jitter_costs_a_ring_and_recursive_doubling_as_much_a_step():
    """So fewer steps help, where bytes are few; no delay is longer than 20 µs."""
    numbers = quantities(lectures()["when-it-goes-wrong"].numbers)
    value = {key: float(numbers[key].value) for key in ("cost", "own_cost")}
    assert value["cost"] == pytest.approx(value["own_cost"], rel=0.05) and value["cost"] < 20e-6
    latency, links, least = (float(numbers[key].value) for key in ("bare", "crossed", "rest"))
    assert latency == pytest.approx(7 * ALPHA, rel=1e-3) and round(links) == 7
    assert least == pytest.approx(7 * 65536 / BANDWIDTH, rel=1e-3)
    dead = timed({**RING, "dead": (2, 3)}, MIB).messages
    ended = np.isfinite(dead.end)
    assert (dead.dst[ended] == 2).sum() == numbers["got"].value and not (dead.src[ended] == 2).any()


def test_at_a_dead_link_all_wait_and_the_smallest_step_is_next_to_it():
    assert waiting("ring", 8, "ring", 2, 3) == 8
    schedule = LaneSchedule("dead", timed({**RING, "dead": (2, 3)}, MIB))
    page = LanesPage("", "", schedules=(schedule,), comes=(None, inf, inf))
    rows = {row.node: row.box.y for row in page.lanes[0].rows}
    lines, down = page.at(2, 1.0).lines, dict.fromkeys(rows, -1) | {0: 7}
    for after in range(8):
        rank = (3 + after) % 8
        (step,) = (line for line in lines if line.text == f"waits for step {after + 1}")
        assert step.baseline == pytest.approx(rows[rank], abs=20)
        assert step.color == ("now_ink" if rank == 2 else "ink"), "dark on the bar that hangs"
        heads = [line.baseline for line in lines if line.text in {*"▲▼"}]
        assert any(head == pytest.approx(rows[rank + down[rank]], abs=20) for head in heads)
    assert len(heads) == 8 and not any(t.text == "waits for step 1" for t in page.at(1, 1.0).lines)
    began = page.at(3, 0.1).lines  # all at once, and the earliest stands out
    lit = [line.text for line in began if line.color == "now" and line.text[-1] in "▲▼12345678"]
    assert lit == ["waits for step 1", "▲"]
    assert sum(line.text in {*"▲▼"} for line in began) == 8
    with pytest.raises(BadInput, match="no message"):
        waiting("ring", 8, "ring", 3, 2)


def test_a_message_that_comes_late_is_dim_as_long_as_it_is_late():
    """No longer than jitter says; what is left of each bar is as long as without delays."""
    late, calm = (timed({**RING, **more}, 64 << 10) for more in ({"jitter": [20e-6, 1]}, {}))
    schedule = LaneSchedule("late", late)
    page = LanesPage("", "", schedules=(schedule,))
    lanes, dim = page.lanes[0], page.lanes[0].waits
    longest = lanes.x(20e-6) - lanes.x(0)
    assert len(dim) == len(late.messages) == 8 * 14
    assert 0 < max(box.width for box in dim) <= longest * (1 + 1e-9)
    usual = calm.messages.end - calm.messages.start
    bright = late.messages.end - late.messages.start - usual
    assert sum(box.width for box in dim) == pytest.approx(bright.sum() / 20e-6 * longest)
    assert not LanesPage("", "", schedules=(LaneSchedule("calm", calm),)).lanes[0].waits


def test_notes_say_whose_vectors_rank_0_has_added_after_each_swap():
    """And the pairs that swap are those of recursive doubling, as executed."""
    recording = record("all_reduce", "recursive-doubling", ranks=8)
    (table,) = (p for p in lectures()["when-it-goes-wrong"].passages if "'note'" in str(p))
    for number, (step, line) in enumerate(zip(recording.steps, table["say"], strict=True), 1):
        rows = step.unrolled()
        swaps = zip(rows.src.tolist(), rows.dst.tolist(), strict=True)
        assert {*swaps} == {tuple(way) for way in line["way"]}
        added = [str(k) for k in np.flatnonzero(recording.contributors(number)[0, 0])]
        short = [*added[:2], "…", added[-1]] if len(added) > 4 else added
        assert line["note"]["en"] == f"rank 0: {'+'.join(short)}"


def test_measured_rows_are_those_of_the_table():
    lines = [line for line in ROWS.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = [row for row in csv.DictReader(lines) if row["gpu"] == "H100 80GB"]
    row = next(r for r in rows if (r["ranks"], r["size_bytes"]) == ("8", str(GIB)))
    given = "all_reduce", "H100", 8, GIB
    assert benchmarks.measured("busbw", *given) == float(row["busbw_GBps"]) * 1e9
    assert benchmarks.measured("algbw", *given) == float(row["algbw_GBps"]) * 1e9
    assert benchmarks.measured("time", *given) == pytest.approx(float(row["time_us"]) * 1e-6)
    with pytest.raises(BadInput, match="there is no measurement of"):
        benchmarks.measured("time", "all_reduce", "H100", 8, 1)


def test_the_tuner_says_what_it_said_in_a_log():
    """An H200 node logged RING LL up to 1 MiB, NVLS SIMPLE from 2 MiB."""
    machine = hgx("H200", nodes=1)
    for size, name in ((MIB, "Ring LL"), (2 * MIB, "NVLS Simple")):
        assert tuner.choose(machine, "all_reduce", size).candidate.name == name
    assert benchmarks.tuned_busbw("H100", 1, GIB) == pytest.approx(473e9, rel=1e-3)


def test_numbers_of_training_by_hand():
    size, link = 140e9, 50e9
    flat = 2 * 63 / 64 * size / link + 126 * 2e-6
    assert training_numbers.flat_seconds(size, 64) == pytest.approx(flat)
    rings = LECTURE_READINGS["channel_seconds"](64, 8, size, "cluster")  # executed in 8 channels
    assert training_numbers.flat_seconds(size / 8, 64) == pytest.approx(rings, rel=1e-3)
    assert training_numbers.exposed(size, 80, 10.0, size, 64) == pytest.approx(flat)
    share = size / 80 / link * 2 * 63 / 64
    hidden = training_numbers.exposed(size, 80, 80 * share * 2, size / 80, 64)
    assert hidden == pytest.approx(share, rel=0.01)
    buckets = 2 * 63 / 64 * size / link + 8 * 126 * 2e-6
    assert training_numbers.bucket_seconds(size, 8, 64) == pytest.approx(buckets)
    hides, waits = (training_numbers.step_seconds(size, 8, work, 64) for work in (6000.0, 6.0))
    assert hides == pytest.approx(6000 / 64 + buckets / 8)
    assert waits == pytest.approx(6 / 64 * (1 / 3 + 2 / 3 / 8) + buckets)
    first = training_numbers.wall(14e9, 60.0, 8)
    sums = [training_numbers.bucket_seconds(14e9, 8, n) - 60 / n for n in (first - 1, first)]
    assert sums[0] <= 0 < sums[1]
    assert [round(training_numbers.held(k, 7.5e9, 64) / 1e9, 1) for k in (0, 3)] == [120.0, 1.9]


def test_the_wall_is_that_of_the_buckets_taught():
    """At it a step waits for its sums, far beyond it more GPUs are slower, with buckets as good."""
    numbers = quantities(lectures()["data-parallel"].numbers)
    first, size, work = int(numbers["wall"].value), 14e9 / 8, 2 / 3 * 64
    last = training_numbers.exposed(size, 32, work / (first - 1), 1, first - 1)
    assert last == pytest.approx(training_numbers.flat_seconds(size / 32, first - 1))
    assert training_numbers.exposed(size, 32, work / 400, 1, 400) > 2 * last
    there, at_end, best = (float(numbers[key].value) for key in ("there", "last", "best"))
    assert float(numbers["single"].value) == best  # as the film says
    assert there == pytest.approx(64 / first + last, rel=0.01) and best < there < at_end
    counts = [training_numbers.step_seconds(size, 32, 64, 4096, k + 1) for k in range(32)]
    assert best == min(counts) and at_end == counts[0]
    floor = float(numbers["floor"].value)
    assert floor == pytest.approx(training_numbers.flat_seconds(size, 4096) - 8190 * 2e-6, rel=1e-3)
    assert floor < best < 2 * floor


def test_slices_of_a_product_add_up_to_the_whole():
    """As matrices by hand, executed, and in every sum that is drawn on the way."""
    x, a, b = training_numbers.X, training_numbers.A, training_numbers.B
    result = training_numbers.slices_sum()
    parts = np.maximum(x @ a, 0)[:, None] * b
    assert result.tolist() == parts.sum(axis=0).tolist() != (x @ a @ b).tolist()
    page = SlicesPage("", of=(x, a, b), result=result)
    texts = [[line.text for line in page.at(item, 1.0).lines] for item in range(6)]
    assert texts[5][-4:] == [*map(str, result)] and texts[4][-5:-1] == ["5", "0", "5", "10"]
    early = [line.text for line in page.at(5, 0.4).lines][-4:]
    assert early == [*map(str, parts[:2].sum(axis=0))]
    sums = [box.box.y for box in page.at(5, 1.0).boxes if box.color == "now"]
    own = {line.baseline for line in page.at(5, 1.0).lines if line.text.startswith("GPU ")}
    rows = sorted({*sums})
    assert len(sums) == b.size and np.diff(rows).tolist() == np.diff(sorted(own)).tolist()
    assert ["f(1) + f(-4) ≠ f(-3)" in of for of in texts] == [item == 3 for item in range(6)]
    colored = [box for box in page.at(2, 0.99).boxes if box.color.startswith("rank")]
    assert len(colored) == a.size + len(b) and len({box.color for box in colored}) == len(b)


def test_every_reading_has_a_name_of_its_own():
    for module in (benchmarks, training_numbers):
        for reading in module.READ:
            assert LECTURE_READINGS[reading.__name__] is reading


def test_the_first_example_is_wrong_for_even_numbers_and_the_second_never():
    ranks = range(1, 34)
    for name, wanted in (
        ("hasty_all_gather", lambda n: n % 2),
        ("two_way_all_gather", lambda n: 1),
    ):
        verdict = check(examples.EXAMPLES[name], collective="all_gather", ranks=[7])
        assert verdict.ok
        found = [examples.verdict(name, n) == "✓" for n in ranks]
        assert found == [bool(wanted(n)) for n in ranks]
        assert examples.proved(name, 33) == sum(found)


def test_the_second_example_takes_half_as_many_steps_and_as_long_where_one_port_is_all():
    steps = [examples.own_steps("two_way_all_gather", n) for n in range(1, 12)]
    assert steps == [n // 2 for n in range(1, 12)]
    chunk, way = 8 * MIB, ("two_way_all_gather", 8, 64 * MIB)
    assert examples.own_seconds(*way, "ring") == pytest.approx(4 * (ALPHA + chunk / BANDWIDTH))
    ring = LECTURE_READINGS["seconds"]("all_gather", "ring", 8, 64 * MIB, "hgx-h100")
    assert examples.own_seconds(*way, "hgx-h100") == pytest.approx(ring, rel=0.05)


def test_the_code_a_lecture_shows_is_the_code_it_runs():
    shown = [p["source"] for p in lectures()["your-own"].passages if "source" in p]
    run = [p["function"] for p in lectures()["your-own"].passages if p["show"] == "algorithm"]
    assert shown == list(dict.fromkeys(run))
    assert examples.loop_of("hasty_all_gather", 8).endswith("for step in range((n - 1) // 2):")
    lines = [examples.complaint("hasty_all_gather", 8, line) for line in range(4)]
    assert lines[0].endswith("chunk 4 of rank 4 is missing")
    assert lines[1].startswith("All of it is in slot 4 of rank 1 since step 3 (line ")
    assert lines[3] == "The schedule ends after step 3"
    for name in shown:
        ways, *lines = examples.source_of(name)
        assert ways.startswith(f"WAYS = np.array({examples.WAYS.tolist()})")
        assert "\n".join(lines) + "\n" in Path(examples.__file__).read_text()


def test_gpus_keep_what_a_stage_of_zero_leaves_and_the_rest_goes():
    """Lecture 12: one model throughout, and each GPU keeps another part of what is in shards."""
    passages = lectures()["sharded-parallel"].passages
    bytes_of, room = training_numbers.case_of("fsdp", "parameters"), 80e9
    pages = [p.shown for p in score_of_lecture(lectures()["sharded-parallel"]).passages]
    first, last = (page for page in pages if isinstance(page, ShardsPage))
    assert [p["show"] for p in passages].count("shards") == 2
    whole = [first._state(item) for item in range(first.items + 1)]
    assert whole == [(0, 0), (1, 0), (2, 0), (3, 0), (3, 0)] and last._state(0) == (3, 0)
    for stage in range(4):
        for rank in range(4):
            kept = [size for size, _ in last.parts(rank, stage, 1.0)]
            assert sum(kept) == pytest.approx(training_numbers.held(stage, bytes_of, 4))
            assert (sum(kept) < room) == (stage == 3)
    halfway = [[tone for _, tone in last.parts(rank, 3, 0.5)][:4] for rank in range(4)]
    assert halfway == [["level 2" if k == rank else "well" for k in range(4)] for rank in range(4)]
    bucket = float(quantities(lectures()["sharded-parallel"].numbers)["bucket"].value)
    peak = training_pair("fsdp").after.peak(0)
    assert (peak - training_numbers.held(3, bytes_of, 4)) / bucket == pytest.approx(3)
    page = last.at(1, 1.0)
    assert [line.text for line in page.lines if "GB" in line.text] == ["80 GB"] + ["112 GB"] * 4
    dark = [line.text for line in last.at(1, 0.24).lines if "GB" in line.text]
    assert dark == ["80 GB"] + ["112 GB"] * 4, "what is dark counts no more, before it shrinks"


def test_the_model_is_right_for_large_vectors_and_the_more_optimistic_the_smaller():
    sizes = 64 << 10, 16 * MIB, GIB
    small, middle, large = (
        benchmarks.tuned_busbw("A100", 1, size)
        / benchmarks.measured("busbw", "all_reduce", "A100-SXM4", 8, size)
        for size in sizes
    )
    assert small > 2 > middle > 1.2 and large == pytest.approx(1, abs=0.05)
    took = benchmarks.measured("time", "all_reduce", "A100-SXM4", 8, sizes[0])
    on_the_wire = 1.75 * sizes[0] / benchmarks.measured("busbw", "all_reduce", "A100-SXM4", 8, GIB)
    assert on_the_wire < 0.02 * took  # so nearly all of it is start-up


def test_time_is_latencies_and_bytes_for_both_vectors_of_the_formula():
    """The machine whose messages are drawn is that of the fit.

    The idle cards of two rings are those over which nothing goes.
    """
    every = quantities(lectures()["reading-a-benchmark"].numbers)
    number = {name: float(each.value) for name, each in every.items()}
    latencies = number["steps"] * number["latency"]
    for size, took in ((64 << 10, number["t1"]), (GIB, number["t3"])):
        assert latencies + 1.75 * size / number["fitted"] == pytest.approx(took / 1e6)
    assert number["waited"] == pytest.approx(latencies / number["t1"] * 1e6)
    assert number["little"] == pytest.approx(latencies / number["t3"] * 1e6)
    pages = [p.shown for p in score_of_lecture(lectures()["reading-a-benchmark"]).passages]
    (page,) = (page for page in pages if isinstance(page, MessagesPage))
    for size, took in ((64 << 10, number["t1"]), (GIB, number["t3"])):
        assert page.rows[0].seconds(size / GIB) == pytest.approx(took / 1e6, rel=1e-4)
    between = page.rows[0].seconds((16 << 20) / GIB)  # of no ring that fits both ends
    assert (
        number["middle"] == pytest.approx(number["t2"] / 1e6) and number["middle"] > 1.3 * between
    )
    chosen = {benchmarks.tuned_choice("A100", 1, size) for size in (64 << 10, 16 << 20, GIB)}
    assert chosen == {"Ring LL", "Ring LL128", "Ring Simple"}
    assert number["planned"] == pytest.approx(240e9, rel=1e-4) and number["wire"] == 300e9
    assert number["each"] == 2 * 15 / 16 * number["eighth"]
    assert number["each"] / 50e9 + 30 * number["step"] == pytest.approx(number["healthy"])
    assert number["slow"] == pytest.approx(number["few"], rel=1e-3)  # each of both faults
    assert number["busbw"] * number["slow"] == pytest.approx(2 * 15 / 16 * GIB)
    assert number["fitted_middle"] == pytest.approx(between, rel=1e-4)
    rings = record("all_reduce", "ring", ranks=16, parameters={"channels": 2})
    src, dst = rings.counters.links[:, :2].T
    over = src // 8 != dst // 8
    assert len({*(src[over] % 8).tolist(), *(dst[over] % 8).tolist()}) == 8 - number["idle_nics"]


def test_each_card_tested_alone_tells_the_slow_one_and_another_partner_which_end():
    """A slow card of either hypothesis takes as long; its counters tell nothing, its tests do."""
    lecture = lectures()["reading-a-benchmark"]
    numbers = quantities(lecture.numbers)
    pages = [p.shown.lit for p in score_of_lecture(lecture).passages if hasattr(p.shown, "lit")]
    *_, faults, counters, tests, mended = (
        [x for x in lit if isinstance(x, MachineRun)] for lit in pages
    )
    for sick in (faults[1], *counters):
        assert sick.timing.total == pytest.approx(float(numbers["slow"].value))
        assert sick.counted(sick.timing.total) == pytest.approx([float(numbers["each"].value)] * 8)
    assert mended[0].timing.total == pytest.approx(float(numbers["healthy"].value))
    for aside, run in enumerate(tests):
        messages, early = run.timing.messages, run.counted(run.timing.total / 4)
        assert messages.dst.tolist() == [8 + (rank + aside) % 8 for rank in range(8)]
        assert int(np.argmin(early)) == 5 and sorted(early)[1] > 3.9 * early[5]
        assert run.timing.messages.size.tolist() == [float(numbers["each"].value)] * 8


def test_links_are_as_wide_as_their_bytes_even_where_one_is_slow():
    """Only red tells the slow card: at both its ways as wide a line, the red one above."""
    lecture = lectures()["reading-a-benchmark"]
    pages = [p.shown for p in score_of_lecture(lecture).passages if hasattr(p.shown, "lit")]
    strokes = pages[-4].at(2, 1.0).strokes
    cards = [line for line in strokes if line.name.endswith("-34") and line.color != "link"]
    assert len({line.width for line in cards}) == 1
    assert [line.name for line in strokes if line.color == "wrong"] == ["link-20-34"]
    assert strokes[-1].name == "link-20-34"


def test_groups_of_two_send_over_two_of_eight_cards():
    for gpus in (2, 4, 8):
        run = record("all_reduce", "hierarchical", ranks=64, parameters={"gpus": gpus})
        src, dst = run.counters.links[:, :2].T
        assert len(np.unique(src[src // 8 != dst // 8] % 8)) == gpus


def test_every_sender_but_one_has_gaps_and_two_ranks_are_never_idle():
    timing = timed({**RING, "slow_link": [2, 3, 4]}, 64 * MIB)
    assert np.flatnonzero(timing.idle < 0.01 * timing.total).tolist() == [2, 3]


def test_orders_of_a_ring_wait_as_long_and_carry_what_is_said():
    """Lecture 6: bars of latencies and bytes are those of the busiest card of the runs."""
    numbers = quantities(lectures()["machines"].numbers)
    value = {key: float(number.value) for key, number in numbers.items() if key != "right"}
    for load, wait, took in (("share", "wait", "rings"), ("crossed", "dealt_wait", "dealt")):
        assert value[wait] == pytest.approx(30 * 2e-6, rel=0.01)  # PCIe has none in the model
        assert value[took] == pytest.approx(30 * 2e-6 + value[load] / 50e9, rel=0.01)
    assert (value["cross"], value["zigzag"]) == (2, 16)


def test_halving_on_a_ring_of_cables_waits_for_half_a_vector_in_each_step():
    halves, cables = record("all_reduce", "rabenseifner", ranks=8), topology("ring", 8)
    for step in halves.steps:
        rows = step.unrolled()
        load = np.bincount(cables.paths(rows.src, rows.dst).link)
        assert load.max() == halves.chunk_count / 2
    far = cables.paths(np.array([0, 5, 6, 7]), np.array([4, 1, 2, 3])).link
    (cable,) = np.flatnonzero((cables.src == 0) & (cables.dst == 1))
    assert (far == cable).sum() == 4
    further = np.flatnonzero((cables.src == 1) & (cables.dst == 2))
    rows = [step.unrolled() for step in halves.steps]
    loads = [
        np.bincount(cables.paths(r.src, r.dst).link, minlength=cables.links)[[cable, *further]]
        for r in rows
    ]
    assert sum(loads)[0] == 2.5 * halves.chunk_count
    assert [int(near < far) for near, far in loads] == [0, 1, 0, 0, 1, 0]


def test_a_hierarchy_works_inside_then_across_then_inside():
    """Lecture 7: three phases of the run, one after the other."""
    numbers = quantities(lectures()["hierarchy"].numbers)
    run = {"collective": "all_reduce", "algorithm": "hierarchical", "ranks": 64}
    messages = timed({**run, "machine": "cluster", "clock": "lockstep"}, GIB).messages
    across = messages.src // 8 != messages.dst // 8
    ends = [
        messages.end[across & (messages.step == step)].size > 0
        for step in range(int(messages.step.max()) + 1)
    ]
    assert ends == [False] * 7 + [True] * 14 + [False] * 7
    half, rails = (float(numbers[name].value) for name in ("half", "rails"))
    assert messages.start[across].min() == pytest.approx(half)
    assert messages.end[across].max() == pytest.approx(half + rails)
    assert messages.end.max() == pytest.approx(2 * half + rails)
    assert messages.end.max() == pytest.approx(float(numbers["staged"].value))


def test_the_lone_tree_is_timed_as_it_is_drawn_and_doubling_sends_whole_vectors():
    """Lecture 3: a step of k chunks takes a latency and, for two children, two k-ths."""
    numbers = {
        key: float(number.value) for key, number in quantities(lectures()["trees"].numbers).items()
    }
    vector = 64 * MIB / 450e9
    by_hand = {k: (k + 3) * 1e-6 + (2 * (k + 1) + 2) * vector / k for k in range(1, 65)}
    best = min(by_hand, key=by_hand.__getitem__)
    assert numbers["single_best"] == best
    assert numbers["single"] == pytest.approx(by_hand[best])
    assert numbers["doubling"] == pytest.approx(3 * (1e-6 + vector))
    steps = [numbers[f"{who}_steps"] for who in ("chain", "tree")]
    assert numbers["best"] / steps[0] < numbers["double"] / steps[1]  # each step takes longer


@pytest.mark.parametrize("algorithm", ["ring", "linear"])
def test_both_all_reduces_of_lecture_1_move_fourteen_vectors(algorithm):
    assert total_sent("all_reduce", algorithm, 8) == 14


def test_who_waits_after_each_step_takes_the_sum_of_the_slowest_messages():
    run = "ring", 8, 1 << 20, "hgx-h100", "jitter", 5e-6, 2
    table = {"collective": "all_reduce", "algorithm": "ring", "ranks": 8, "machine": "hgx-h100"}
    messages = timed({**table, "jitter": [5e-6, 2]}, 1 << 20).messages
    alone = [(messages.end - messages.start)[messages.step == step].max() for step in range(14)]
    assert examples.lockstep_seconds(*run) == pytest.approx(sum(alone))
    assert examples.lockstep_seconds(*run) > 1.1 * troubled_seconds(*run)


def test_nvlink_and_cards_work_as_long_as_lecture_6_says():
    """By the clock's own links: of the rings of the course, and of those dealt out."""
    numbers = quantities(lectures()["machines"].numbers)
    rings = {"collective": "all_reduce", "algorithm": "ring", "ranks": 16, "machine": "cluster"}
    rings |= {"parameters": {"channels": 8}}
    dealt = {**rings, "function": "dealt_rings_all_reduce", "parameters": {}, "chunks": 128}
    for table, fast, slow in ((rings, "fast", "bytes"), (dealt, "", "dealt_bytes")):
        timing = timed(table, 64 * MIB)
        works, bandwidth = timing.link_seconds, timing.topology.bandwidth
        assert works[bandwidth == 50e9].max() == pytest.approx(float(numbers[slow].value))
        inside = works[bandwidth == 450e9].max()
        assert inside == pytest.approx(float(numbers[fast].value) if fast else 0)
    assert float(numbers["each"].value) == pytest.approx(2e-6)


def test_the_chain_and_the_trees_of_lecture_3_have_the_chunks_that_are_best():
    numbers = quantities(lectures()["trees"].numbers)
    (table,) = (t for t in lectures()["trees"].passages if "Two trees against" in str(t))
    schedules = [line["lanes"] for line in table["say"] if "lanes" in line]
    for row, name in zip(schedules, ("chain_best", "trees_best"), strict=True):
        assert row["chunks"] == numbers[name].value

        def seconds(chunks, row=row):
            run = "broadcast", row["algorithm"], 8, chunks, 64 * MIB, "hgx-h100"
            return chunked_seconds(*run)

        best = row["chunks"]
        assert seconds(best) < min(seconds(best - 4), seconds(best + 4))
        assert len(record("broadcast", row["algorithm"], ranks=8, chunks=best).steps) == int(
            numbers["chain_steps" if row["algorithm"] == "ring" else "tree_steps"].value
        )


def test_the_second_tree_gives_each_place_to_the_next_rank():
    first, second = record("broadcast", "double-binary-tree", ranks=8, chunks=2).structure.parents
    after = {-1: -1, 0: 0} | {rank: rank % 7 + 1 for rank in range(1, 8)}
    assert all(second[after[rank]] == after[parent] for rank, parent in enumerate(first))
    for one, other in ((first, second), (second, first)):
        assert not any(rank in other for rank in range(8) if one.count(rank) > 1)
    assert all(tree.count(rank) == 1 for tree in (first, second) for rank in (0, 1))


def test_colors_of_lanes_may_tell_chunks():
    """In a chain, chunk k leaves rank r in step k + r."""
    table = {"collective": "broadcast", "algorithm": "ring", "ranks": 8, "machine": "hgx-h100"}
    timing = timed({**table, "chunks": 8}, MIB)
    page = LanesPage("", "", schedules=(LaneSchedule("", timing),), colors="chunk")
    messages = timing.messages
    (lanes,) = page.lanes
    order = np.lexsort((messages.start, messages.src))
    wanted = [f"rank {k}" for k in (messages.step - messages.src)[order].tolist()]
    assert [bar.color for bar in lanes.bars] == wanted
    assert any("chunk" in line.text for line in page.at(1, 1.0).lines)
    table |= {"collective": "all_reduce", "algorithm": "nvls", "chunks": 4}
    (lanes,) = LanesPage(
        "", "", schedules=(LaneSchedule("", timed(table, 64 * MIB)),), colors="chunk"
    ).lanes
    sums = sorted((bar for bar in lanes.bars if bar.box.width > 99), key=lambda bar: bar.box.left)
    down = [bar.color for bar in sums if bar.box.y == max(each.box.y for each in lanes.bars)]
    assert down == [f"rank {chunk}" for chunk in range(4)]


def test_a_chunk_reaches_the_last_of_sixteen_when_its_lecture_says():
    """Lecture 3, on the clocks of what it draws; a chain takes 15 messages of 2 MiB."""
    numbers = quantities(lectures()["trees"].numbers)
    pages = [p.shown for p in score_of_lecture(lectures()["trees"]).passages]
    (page,) = (page for page in pages if isinstance(page, MachinePage))
    drawn = [run.timing.total for run in page.lit]
    said = [float(numbers[name].value) for name in ("chain16", "trees16")]
    assert said == pytest.approx(drawn)
    assert said[0] == pytest.approx(15 * (1e-6 + 2 * MIB / 450e9))


def test_lanes_of_the_best_chunks_are_cut_in_as_many():
    trees = lectures()["trees"]
    best = {key: n.value for key, n in quantities(trees.numbers).items() if key.endswith("_best")}
    drawn = [
        line["lanes"]["chunks"]
        for passage in trees.passages
        for line in passage.get("say", ())
        if "_best}" in str(line.get("lanes", ""))
    ]
    assert drawn == [best["chain_best"], best["trees_best"]]
