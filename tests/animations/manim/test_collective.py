"""A collective as mobjects: where its parts are after it was moved, and what its steps show."""

import pytest

pytest.importorskip("manim")

import numpy as np
from manim import ORIGIN, RIGHT, UP, Indicate, Scene, VGroup, tempconfig
from samples import kinds
from settings import SOME_ROWS, THOROUGH

from animations.drawing.render.manim import ORIGIN as MIDDLE
from animations.drawing.render.manim import UNIT, WIDTH
from animations.drawing.render.outlines import Outline
from animations.drawing.render.painter import Canvas
from animations.drawing.theme import DARK
from animations.manim import Collective
from animations.manim.group import STAGE
from animations.pictures.stage import Stage
from animations.score.score import Keyframe
from animations.story.usual import usual_board
from collectives import BadInput, record
from collectives.schedule.step import rows

ROWS = kinds() if THOROUGH else [row for row in SOME_ROWS if row.accepts(4)][:6]
MOVED = [("all_reduce", "ring", 4), ("broadcast", "binomial", 5), ("all_to_all", "pairwise", 4)]


@pytest.fixture(scope="module")
def made():
    """A ring of four, of which tests take copies."""
    return Collective("all_reduce", "ring", ranks=4)


@pytest.fixture
def ring(made):
    return made.copy().show(0)


def plane(x, y):
    """A point of the page as a complex number: 135 pixels a unit, (960, 540) in the middle."""
    return complex(x - 960, 540 - y) / 135


def corners(box):
    """The corners of a cell on the page, in Manim's plane."""
    return {plane(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)}


def near(points, others):
    """Whether every point is one of the others, to a hundredth of a pixel."""
    return all(min(abs(p - other) for other in others) < 1e-4 for p in points)


def flying(group):
    """The corners of what is on its way: the outlines of the parcels, of all but one and of one."""
    there = [
        part.points for part in group._flying.submobjects[3:5] if np.ptp(part.points, axis=0).any()
    ]
    return {complex(*p[:2]) for points in there for p in points[::4]}


def turned(z):
    """Scaled to a half, turned by a radian about the origin, then moved."""
    return 0.5 * np.exp(1j) * z + (2 - 1j)


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), MOVED)
def test_data_flies_from_cells_to_cells_where_they_are_now(collective, algorithm, ranks):
    group = Collective(collective, algorithm, ranks=ranks)
    group.scale(0.5, about_point=ORIGIN).rotate(1, about_point=ORIGIN).shift([2, -1, 0])
    scenery = group.board.scenery
    for number, frame in enumerate(group.board.frames, 1):
        starts = [scenery.cell(transfer.src, transfer.chunk) for transfer in frame.transfers]
        ends = [scenery.cell(transfer.dst, transfer.into) for transfer in frame.transfers]
        step = group.step(number)
        for time, boxes in ((0.0, starts), (0.95, ends)):
            step.begin()
            step.interpolate(time)
            expected = {turned(z) for box in boxes for z in corners(box)}
            assert near(flying(group), expected) and near(expected, flying(group))
        step.finish()


def test_data_flies_to_a_rank_that_was_moved_alone_and_its_line_ends_there(ring):
    ring.rank(1).shift(3 * RIGHT + UP)
    step, line = ring.step(1), ring.link(0, 1)
    before = line.get_right()
    step.begin()
    step.interpolate(0.95)
    landed = ring.board.scenery.cell(1, ring.board.frames[0].transfers[0].into)
    assert near({z + 3 + 1j for z in corners(landed)}, flying(ring))
    assert np.allclose(ring.cell(1, 0).get_center()[:2] - [3, 1], at(ring, 1, 0), atol=1e-6)
    assert np.linalg.norm(line.get_right() - before) > 1


def at(group, rank, slot):
    """The middle of a cell on the page, in Manim's plane."""
    box = group.board.scenery.cell(rank, slot)
    return [(box.x - 960) / 135, (540 - box.y) / 135]


def holders(recording):
    """By an execution of our own: whose data every cell holds, in each state."""
    held = {(r, s): {r} for r in range(recording.ranks) for s in range(recording.slots)}
    yield dict(held)
    for step in recording.steps:
        before = dict(held)
        for src, dst, chunk, into, count, adds in rows(step):
            for i in range(count):
                kept = held[dst, into + i] if adds else set()
                held[dst, into + i] = before[src, chunk + i] | kept
        yield dict(held)


def drawn_holders(group):
    """Whose colors are in every cell."""
    hues = {DARK.rank(rank): rank for rank in range(group.board.ranks)}
    return {
        (rank, slot): {
            hues[color]
            for part in group.cell(rank, slot)[1:]
            if part.get_fill_opacity() == 1 and np.ptp(part.points[:, 0])
            for color in [part.fill_color.to_hex().lower()]
            if color in hues
        }
        for rank in range(group.board.ranks)
        for slot in range(group.board.slots)
    }


@pytest.mark.parametrize("algorithm", ["ring", "recursive-doubling", "rabenseifner"])
def test_a_step_begins_and_ends_with_the_states_of_the_recording(algorithm):
    recording = record("all_reduce", algorithm, ranks=4)
    group, states = Collective(recording), list(holders(recording))
    assert drawn_holders(group) == states[0] != states[-1]
    for number in (2, 1, *range(3, len(states))):  # the second first: it begins with the first
        step = group.step(number)
        step.begin()
        assert drawn_holders(group) == states[number - 1]
        step.interpolate(0.5)
        assert drawn_holders(group) == states[number - 1]
        step.finish()
        assert drawn_holders(group) == states[number]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_it_shows_what_a_film_shows(row):
    recording = record(row.collective, row.algorithm, ranks=4)
    group = Collective(recording)
    state = min(2, len(group.board.frames))
    stage = Stage(usual_board(recording, sheet=STAGE))
    stage.show(Keyframe(state))
    film = painted([*stage.still, *stage.settled, *stage.front])
    group.show(state).remove(group.counters)
    parts = [outline_of(part) for part in group.family_members_with_points()]
    different = np.abs(painted(parts).astype(int) - film).max(axis=2) > 24
    assert different[:460].mean() < 0.002


def outline_of(mobject):
    """What is drawn of a mobject without its parts."""
    colors = *mobject.fill_rgbas[0].tolist(), *mobject.stroke_rgbas[0].tolist()
    points = mobject.points[:, :2] * (UNIT, -UNIT) + MIDDLE
    return Outline(points, (*colors, float(mobject.stroke_width) / WIDTH * UNIT))


def painted(parts):
    """A picture of outlines."""
    canvas = Canvas((960, 540), DARK.background, 1, STAGE.page)
    canvas.draw([parts])
    return canvas.rgb()


def test_a_scene_plays_it_like_any_mobject(ring):
    """Also when it is moved while a step is played; at the end all is where a copy is."""
    same = ring.copy().shift(UP).show(2)
    with tempconfig({"dry_run": True, "frame_rate": 2, "quality": "low_quality"}):
        scene = Scene()
        scene.add(ring)
        scene.play(ring.step(1), run_time=1)
        scene.play(Indicate(ring.cell(3, 1)), Indicate(ring.link(0, 1)), run_time=1)
        scene.play(ring.animate.shift(UP), ring.step(2), run_time=1)
    assert ring.state == 2
    pairs = zip(ring.get_family(), same.get_family(), strict=True)
    assert all(np.allclose(mine.points, other.points, atol=1e-6) for mine, other in pairs)


def test_all_steps_come_one_after_another(ring):
    steps = ring.all_steps(run_time=0.5)
    assert [step.number for step in steps.animations] == [1, 2, 3, 4, 5, 6]
    assert steps.run_time == 3
    with tempconfig({"dry_run": True, "frame_rate": 2}):
        scene = Scene()
        scene.add(ring)
        scene.play(steps)
    assert ring.state == 6


def test_its_family_is_the_same_in_every_state(ring):
    """So that Manim can transform it from any state to another."""
    sizes = {len(ring.show(state).family_members_with_points()) for state in range(7)}
    step = ring.step(1)
    step.begin()
    step.interpolate(0.5)
    assert sizes == {len(ring.family_members_with_points())}


def test_colors_do_not_make_an_anchor_visible(ring):
    ring.set_color("#ff0000").set_opacity(1).set_stroke("#ff0000", 5)
    anchor = ring.cell(0, 0).anchor
    assert anchor.fill_opacity == anchor.stroke_opacity == anchor.stroke_width == 0


def test_counters_are_those_of_the_recording(ring):
    values = [row.texts for row in ring.board.counters]
    assert isinstance(ring.counters, VGroup) and len(ring.counters) == len(values) == 3
    widths = [ring.show(state).counters[0].width for state in (0, 6)]
    assert values[0][0] == "0" and values[0][-1] == "6" and widths[0] > 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda ring: ring.rank(4), "rank 4: must be at most 3; try: 3"),
        (lambda ring: ring.cell(0, 9), "slot 9: must be at most 3; try: 3"),
        (lambda ring: ring.step(0), "step 0: must be at least 1; try: 1"),
        (
            lambda _: Collective("all_reduce", "ring", ranks=1).all_steps(),
            "moves here; try: ranks=2",
        ),
        (lambda ring: ring.show(7), "state 7: must be at most 6; try: 6"),
        (lambda ring: ring.step("a"), "step 'a': must be a whole number; try: 1"),
        (lambda ring: ring.rank(None), "rank None: must be a whole number; try: 0"),
        (lambda ring: ring.cell(0, 1.5), "slot 1.5: must be a whole number; try: 2"),
        (lambda ring: ring.link(0, 2), r"link\(0, 2\): no message passes there; try: link\(0, 1\)"),
        (
            lambda _: Collective("all_reduce", "ring", ranks=3, theme="drak"),
            "unknown theme 'drak'; did you mean dark",
        ),
        (lambda _: Collective("all_reduce", "ring", ranks=17), "289 cells: .* at most 256"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(ring, call, words):
    with pytest.raises(BadInput, match=words):
        call(ring)
