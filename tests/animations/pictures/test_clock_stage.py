"""Films in modeled time: chunks land on screen when the clock says, and waiting is seen."""

import re
from collections import defaultdict
from dataclasses import replace
from math import ceil, inf

import numpy as np
import pytest

pytest.importorskip("manim")

from settings import THOROUGH

from animations.drawing.glyphs import text_points, text_width
from animations.drawing.scenery_shapes import strokes
from animations.drawing.sheet import SHEETS, in_modeled_time
from animations.drawing.theme import DARK
from animations.film.engine import cut
from animations.pictures.clock_panel import ClockPanel
from animations.pictures.clock_stage import ClockStage
from animations.score.clock import ClockSpan, clock_score, on_clock_sheet
from animations.story.clock_words import under_way_text, waiting, waiting_text
from animations.story.compose import proved_storyboard
from animations.story.timed_board import timed_board_of
from collectives import ROWS, record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link, slow_link

RATE = 6  # frames per second
LATE, JITTER = Costs(arrivals={1: 3e-5}), Costs(jitter=8e-6, seed=3)
CASES = [
    ("all_reduce", "ring", 4, dataflow, LATE),
    ("all_reduce", "recursive_doubling", 4, lockstep, JITTER),
    ("broadcast", "tree", 5, dataflow, JITTER),
]
if THOROUGH:
    CASES += [
        (row.collective, row.algorithm, ranks, clock, costs)
        for row in ROWS
        for ranks in (4, 6, 8)
        if row.accepts(ranks)
        for clock, costs in ((dataflow, JITTER), (lockstep, LATE))
    ]


def film(name, algorithm, ranks, clock=dataflow, costs=LATE, machine=None, **more):
    """A storyboard with its timing and its score."""
    recording = record(name, algorithm, ranks=ranks, **more)
    board = proved_storyboard(recording, machine)
    timing = clock(recording, machine or topology_for(recording, "crossbar"), costs)
    return board, timing, clock_score(board, timing)


def drawn(scene):
    """The inks in each cell, read from the points of the scene's outlines."""
    scenery, found = scene.board.scenery, defaultdict(set)
    cells = {
        (node, well): card.cell(well)
        for node, card in enumerate(scenery.cards)
        for well in range(scenery.fold.wells)
    }
    for number, outline in enumerate(scene.stripes):
        for at in outline.points.reshape(-1, 16, 2).mean(axis=1):
            for where, box in cells.items():
                if abs(at[0] - box.x) < box.width / 2 and abs(at[1] - box.y) < box.height / 2:
                    found[where].add(number)
    return dict(found)


def frames(score):
    """Each frame of the shots in which time runs: its number among them, and its scene."""
    scene, number = ClockStage(score.passages[1].shown, DARK), 0
    for part in cut(score, RATE):
        for shot, count in part.shots if part.passage == 1 else ():
            scene.show(shot.moment)
            for i in range(count if shot.travels else 0):
                scene.travel(i / count)
                yield number, scene
                number += 1


# Rows whose cells have several writers in a step, or their last one at the very end.
SHARED = {"linear", "knomial", "nvls", "bcube", "two-shot", "parameter-server"}
SHARED |= {"sharded-parameter-server", "chains", "short-rank"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{case[2]}-{case[3].__name__}")
def test_chunks_land_when_the_clock_says_to_a_frame(case):
    board, timing, score = film(*case)
    assert board.scenery.fold.is_plain
    if not board.view.shows_ranks:  # a matrix: its colors say how much, not whose
        assert case[1] in SHARED
        return
    messages, pace = timing.messages, score.passages[1].shown.pace
    columns = (messages.step + 1, messages.src, messages.dst, messages.end)
    end_of = {(k, a, b): float(e) for k, a, b, e in zip(*columns, strict=True)}
    seen, last = defaultdict(list), {}
    for number, scene in frames(score):
        now = drawn(scene)
        for at in now:
            if now[at] != last.get(at, set()):
                seen[at].append((number, now[at]))
        last = now
    checked = 0
    for frame in board.frames:
        for at, cell in frame.cells.items():
            writers = [m for m in frame.transfers if (m.dst, m.into) == at]
            if len(writers) > 1 or writers[0].is_local or not cell.held:
                continue
            end = end_of[frame.number, writers[0].src, writers[0].dst]
            first = end / pace * RATE
            due = ceil(first - 1e-9)  # the first frame at which it has landed; shots end at frames
            if due >= number:
                continue  # within a frame of the shot of the end
            near = [n for n, inks in seen[at] if inks == set(cell.held) and abs(n - due) <= 1]
            assert near, (frame.number, at, first, seen[at])
            checked += 1
    assert checked or len(board.frames) < 2 or case[1] in SHARED


def points(scene):
    """The points of everything that is drawn."""
    every = [*scene.settled, *scene.moving, *scene.front]
    return [outline.points for outline in every]


def test_a_moment_is_drawn_alike_whatever_was_drawn_before():
    _board, _timing, score = film("all_reduce", "ring", 4)
    timed_board = score.passages[1].shown
    times = np.linspace(0, timed_board.seconds, 9).tolist()
    forward, backward = ClockStage(timed_board, DARK), ClockStage(timed_board, DARK)
    seen = []
    for now in times:
        forward.go(now)
        seen.append(points(forward))
    for now, wanted in zip(reversed(times), reversed(seen), strict=True):
        backward.go(now)
        for one, other in zip(points(backward), wanted, strict=True):
            assert np.array_equal(one, other), now


def test_the_labels_that_something_flies_over_lie_above_it():
    _board, _timing, score = film("all_reduce", "ring", 4)
    scene = ClockStage(score.passages[1].shown, DARK)
    for part, lifted in ((0.3, True), (1.0, False)):
        scene.go(part * scene.timed_board.seconds)
        above = {line.text for outline in scene.front for line in outline.texts}
        assert ("c0" in above) == lifted, "only while something flies"


def test_who_waits_is_hatched_and_named():
    _board, _timing, score = film("all_reduce", "ring", 4, costs=Costs(arrivals={2: 1e-3}))
    timed_board = score.passages[1].shown
    scene = ClockStage(timed_board, DARK)
    scene.go(9e-4)
    assert waiting(timed_board, 9e-4) == [(0, 3), (1, 0), (2, None), (3, 2)]
    text = "Rank 2 is late; rank 0 waits for rank 3; rank 1 waits for rank 0; 1 more wait"
    assert waiting_text(timed_board, 9e-4) == text
    assert hatched(scene) == {0, 1, 2, 3}
    scene.go(timed_board.seconds)
    assert not scene._hatches


def test_steps_that_overlap_are_all_named():
    _board, _timing, score = film("all_reduce", "ring", 6, costs=Costs(arrivals={3: 5e-5}))
    timed_board = score.passages[1].shown
    texts = {
        timed_board.under_way(now): under_way_text(timed_board, now)
        for now in np.linspace(0, timed_board.seconds, 80).tolist()
    }
    for steps, text in texts.items():
        if len(steps) > 1:
            named = text.partition(" — ")[0]
            assert re.match(rf"Steps {steps[0]}\b", named) and " to " not in named
            assert " of 10 under way" in text
        elif steps:
            assert text.startswith(f"Step {steps[0]} of 10")
    assert max(map(len, texts)) > 1


@pytest.mark.parametrize("case", [("all_reduce", "tree", 8), ("all_to_all", "bruck", 6)])
def test_a_caption_names_a_message_that_is_on_its_way(case):
    _board, _timing, score = film(*case, costs=Costs(arrivals={1: 5e-5}))
    timed_board, named = score.passages[1].shown, 0
    for now in np.linspace(0, timed_board.seconds, 60).tolist():
        pattern = r"rank (\d+) (?:adds|sends)[^;]*? (?:into|to) rank (\d+)"
        if found := re.search(pattern, under_way_text(timed_board, now)):
            named += 1
            assert tuple(map(int, found.groups())) in {ends for _, ends in timed_board.moving(now)}
    assert named > 10


def test_a_film_behind_a_dead_link_ends_with_who_waits_for_whom():
    broken = dead_link(topology("ring", 4), 1, 2)
    _board, timing, score = film("broadcast", "ring", 4, machine=broken, chunks=1, costs=Costs())
    assert timing.total == inf
    assert score.seconds < 120
    *_, (passage, shot) = score
    scene = ClockStage(passage.shown, DARK)
    scene.show(shot.moment)
    assert scene._crosses, "a cross on the message that never arrives"
    last = shot.moment.last
    assert under_way_text(passage.shown, last) == (
        "Step 2: the message of rank 1 never reaches rank 2"
    )
    assert waiting_text(passage.shown, last) == "Rank 2 waits for rank 1; rank 3 waits for rank 2"
    scene.show(ClockSpan(0.0, 0.0))
    assert not scene._crosses


@pytest.mark.parametrize("clock", [dataflow, lockstep])
def test_at_a_standstill_who_is_hatched_is_who_is_said_to_wait(clock):
    broken = dead_link(topology("ring", 4), 1, 2)
    more = {"machine": broken, "clock": clock, "costs": Costs()}
    board, _timing, score = film("all_reduce", "ring", 4, **more)
    timed_board = score.passages[1].shown
    scene = ClockStage(timed_board, DARK)
    scene.go(0.5 * timed_board.seconds)
    assert scene._row is None
    scene.go(timed_board.seconds)
    said = {text.text for text in scene._row.text} - {"→", "who waits for whom:"}
    assert said == ({"0", "1", "2", "3"} if clock is dataflow else {"0, 3", "2", "1"})
    sender = set() if clock is dataflow else {1}
    assert hatched(scene) == {0, 1, 2, 3} - sender
    heights = [y for stroke in scene._crosses for _, y in stroke.points]
    assert min(heights) < board.scenery.box.bottom < max(heights), "crosses: on the way, in the row"


def hatched(scene):
    """The nodes whose cards are hatched."""
    points = [point for stroke in scene._hatches for point in stroke.points]
    return {
        node
        for node, card in enumerate(scene.board.scenery.cards)
        for x, y in points
        if abs(x - card.x) < card.shape.width / 2 and abs(y - card.y) < card.shape.height / 2
    }


def test_only_ways_of_messages_on_their_way_are_lit():
    slow = slow_link(topology("ring", 4), 1, 2, 3)
    more = {"machine": slow, "count": 1 << 22, "costs": Costs()}
    board, _timing, score = film("all_reduce", "ring", 4, **more)
    timed_board, lines = score.passages[1].shown, {line.link: line for line in board.scenery.lines}
    seen = set()
    for now in (np.linspace(0.01, 0.97, 23) * timed_board.seconds).tolist():
        step, moving = timed_board.begun(now), timed_board.moving(now)
        colors = [stroke.color for stroke in strokes(board.scenery, step, True, DARK, moving)]
        lit = {link for _, link in moving}
        assert colors.count(DARK.now) == len(lit & set(lines))
        seen.add(len(lit))
    assert len(seen) > 1, "some links idle while the slow one works"


def test_the_page_has_a_lane_for_each_rank():
    board, timing, score = film("all_reduce", "ring", 4)
    assert board.sheet.lanes is None
    assert score.sheet == in_modeled_time(board.sheet)
    scene = ClockStage(score.passages[1].shown, DARK)
    assert sorted(row.node for row in scene._panel.lanes.rows) == [0, 1, 2, 3]
    timed_board = timed_board_of(
        board, timing
    )  # on the sheet of steps: the stage alone, for a comparison
    ClockStage(timed_board, DARK).go(0.5 * timed_board.seconds)


def test_a_still_of_a_tall_page_names_its_clock_alone():
    recording = record("all_reduce", "ring", ranks=3)
    board = proved_storyboard(recording, sheet=SHEETS["tall"])
    timing = dataflow(recording, topology("hgx-h100", 3))
    still = on_clock_sheet(replace(board, timing=timing))
    texts = [getattr(shape, "text", "") for shape in ClockPanel(still, DARK).still()]
    assert "no barriers" in texts


@pytest.mark.parametrize(("algorithm", "ranks"), [("ring", 8), ("sharp", 8), ("tree", 32)])
def test_beside_the_lanes_of_a_film_stand_names_that_one_can_read(algorithm, ranks):
    recording = record("all_reduce", algorithm, ranks=ranks)
    board = proved_storyboard(recording, sheet=SHEETS["film in time"])
    timing = dataflow(recording, topology_for(recording, "crossbar"))
    panel = ClockPanel(on_clock_sheet(replace(board, timing=timing)), DARK)
    names = [
        word for word in panel.lanes.words if word.align == "right" and "s" not in word.text[1:]
    ]
    assert all(word.size >= board.sheet.smallest for word in panel.lanes.words)
    assert [name.text for name in names][:2] == ["rank 0", "rank 1"]
    gaps = np.diff([name.baseline for name in names])
    assert (gaps >= 0.8 * names[0].size).all()
    area = panel.still()[0].box
    assert all(name.x - text_width(name.text, name.size) >= area.left for name in names)


def test_the_clock_never_shows_more_than_all_time():
    recording = record("all_reduce", "ring", ranks=1)
    board, timing = proved_storyboard(recording), dataflow(recording, topology("hgx-h100", 1))
    still = on_clock_sheet(replace(board, timing=timing))
    assert [line.text for line in ClockPanel(still, DARK).time(still.seconds)] == ["0.000 s"]


def test_the_title_stays_above_the_stage():
    ring = record("all_reduce", "ring", ranks=4)
    timing = dataflow(ring, topology("hgx-h100", 4))
    stage = ClockStage(on_clock_sheet(replace(proved_storyboard(ring), timing=timing)), DARK)
    stage.go(0.0)
    head = stage.sheet.head
    title = text_points(stage.board.title, head.left, head.top + 46, 46, "bold")
    shown = [outline.points for outline in (*stage.still, *stage.settled)]
    assert any(len(points) >= len(title) and np.isin(title, points).all() for points in shown)


def test_a_film_has_its_sentence_below_the_stage_unless_all_wait_for_ever():
    def written(passage, shot):
        scene = ClockStage(passage.shown, DARK)
        scene.show(shot.moment)
        return {line.text for outline in scene.settled for line in outline.texts}

    def score(machine):
        recording = record("all_reduce", "ring", ranks=4)
        board = replace(proved_storyboard(recording, machine), sheet=SHEETS["film in time"])
        return clock_score(board, dataflow(recording, machine, Costs()))

    _, *shots = score(topology("ring", 4))
    for passage, shot in shots:
        assert shot.said in written(passage, shot)
        assert not any("Step" in text for text in written(passage, shot))
    *_, (passage, shot) = score(dead_link(topology("ring", 4), 1, 2))
    assert "who waits for whom:" in written(passage, shot)
