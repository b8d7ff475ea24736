"""Every point beside the bounds is counted, and none of one port is beyond them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from each import each
from samples import in_themes
from settings import THOROUGH, sampled

from animations.figures.bounds import ONE_PORT, bounds, draw
from collectives import ROWS, record
from collectives.errors import BadInput

COLLECTIVES = sorted(
    {row.collective for row in ROWS} - {"barrier", "send_recv", "dispatch", "combine"}
)


def points(page):
    """{(steps, vectors)} of the markers of each kind."""
    found = {}
    for line in page.axes[0].lines:
        gid = line.get_gid() or ""
        if gid.startswith("point-"):
            at = (line.get_xdata()[0], line.get_ydata()[0])
            found.setdefault(gid.removeprefix("point-"), set()).add(at)
    return found


@pytest.mark.parametrize(
    ("collective", "ranks", "theme"), in_themes(sampled(product(COLLECTIVES, [2, 8, 13]), 4))
)
def test_points_are_counted_and_legible(collective, ranks, theme, legible):
    data = bounds(collective, ranks)
    page = draw(data, theme)
    texts = " ".join(legible(page)).replace("\n", " ")
    rows = {row.algorithm: row for row in ROWS if row.collective == collective}
    assert {point.row.algorithm for point in data.points} == {
        name for name, row in rows.items() if row.accepts(ranks) and name != "short-rank"
    }
    assert ("Not shown: short-rank" in texts) == (collective == "all_reduce")
    shown = points(page)
    for point in data.points:
        chunks = 4 if "chunks" in point.row.parameters else None
        made = record(collective, point.row.algorithm, ranks=ranks, chunks=chunks)
        vector = made.count * made.dtype.itemsize
        nodes = made.nodes if made.helpers == "server" else ranks
        port = Fraction(max(made.bytes_sent[:nodes] + made.bytes_received[:nodes]), vector)
        assert (point.steps, point.port) == (made.counters.steps, port)
        assert (point.steps, float(port)) in shown[point.kind]
        if point.kind == ONE_PORT:
            assert made.counters.ports <= 1
            assert point.steps >= data.steps and point.port >= data.port
        assert point.row.label in texts or " more" in texts
    assert sum(map(len, shown.values())) <= len(data.points)


def test_the_lines_are_the_bounds(lines):
    data = bounds("all_reduce", 8)
    page = draw(data)
    assert (data.steps, data.port) == (3, Fraction(7, 4))
    ((x, _),) = lines(page, "bound-steps")
    ((_, y),) = lines(page, "bound-port")
    assert x == [3, 3] and y == [1.75, 1.75]


def test_a_reduce_is_judged_by_what_its_root_receives():
    data = bounds("reduce", 8)
    ports = {point.row.algorithm: point.port for point in data.points}
    assert (ports["flat"], ports["tree"], ports["ring"], data.port) == (7, 3, 1, 1)
    servers = {p.row.algorithm: p.port for p in bounds("all_reduce", 8).points}
    assert servers["parameter-server"] == 8


def test_the_title_names_those_that_reach_both(legible):
    texts = legible(draw(bounds("scatter", 8)))
    title = "Scatter on 8 ranks: tree and Bine have the fewest steps and the fewest bytes"
    assert title in [text.replace("\n", " ") for text in texts]


def test_what_one_port_cannot_do_says_how_it_can(legible):
    texts = " ".join(legible(draw(bounds("all_reduce", 8)))).replace("\n", " ")
    for name in ("two-shot", "flat", "linear"):
        assert f"{name} (7 ports)" in texts
    assert "double-binary-tree (" not in texts  # on the possible side
    assert "Hatched: impossible with one port. △ can be there: several messages" in texts
    assert "□ can be there: switches or servers add, too" in texts


def test_a_line_leads_to_every_name_that_is_not_beside_its_point():
    page = draw(bounds("all_reduce", 8))
    leaders = [line for line in page.artists if line.get_gid() == "leader"]
    far, points = 0, [(p.steps, float(p.port)) for p in bounds("all_reduce", 8).points]
    names = [text for text in page.axes[0].texts if "or more" not in text.get_text()]
    for text in names:
        box = text.get_window_extent()
        places = page.axes[0].transData.transform(points)
        far += min(np.hypot(*(np.clip(at, box.min, box.max) - at)) for at in places) > 25
    assert len(leaders) >= far > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("barrier", 8), "moves no data; try: all-reduce"),
        (("send-recv", 8), "has no algorithms to compare; try: all-reduce"),
        (("dispatch", 8), "its bounds are those of a routing table; try: all-to-all"),
        (("all-reduce", 1), "try: 2"),
        (("all-reduce", 1000), "try: 128"),
        (("all-reduce", 8, 4, 1), "has no root; leave it out"),
    ],
)
def test_what_has_no_bounds_is_refused(words, message):
    with pytest.raises(BadInput, match=message):
        bounds(*words)


def test_names_have_the_color_of_their_points_and_are_nearest_to_them(theme, legible):
    data = bounds("all_reduce", 64)
    page = draw(data, theme)
    legible(page)
    made = page.axes[0]
    colors = {
        line.get_gid().removeprefix("point-"): line.get_color()
        for line in made.lines
        if (line.get_gid() or "").startswith("point-")
    }
    at = {p.row.label: made.transData.transform((p.steps, float(p.port))) for p in data.points}
    kinds = {point.row.label: point.kind for point in data.points}
    labels = 0
    for text in made.texts:
        names = [
            part.partition(" (●")[0].partition(" (63 ports")[0]
            for part in text.get_text().replace("\n", " ").split(", ")
        ]
        names = [name.partition(" (△")[0].partition(" (□")[0] for name in names]
        if not all(name in kinds for name in names):
            continue
        labels += 1
        assert {colors[kinds[name]] for name in names} == {text.get_color()}
        box = text.get_window_extent()
        away = {
            name: np.hypot(*(np.clip(place, box.min, box.max) - place))
            for name, place in at.items()
        }
        own = away[names[0]]
        others = [far for name, far in away.items() if not np.allclose(at[name], at[names[0]])]
        assert own > 25 or own < min(others), text.get_text()  # a line leads to all but the nearest
    assert labels >= 12


def leaders_of(page):
    """Each leader as a line of places from its point to its name, in pixels."""
    found = []
    for line in page.artists:
        if line.get_gid() == "leader":
            begin, end = line.get_transform().transform(line.get_xydata())
            found.append(begin + (end - begin) * np.linspace(0, 1, 200)[:, None])
    return found


@each(
    ("collective", "ranks"),
    sampled(product(["all_reduce", "all_gather"], (8, 16, 24)), 5),
)
def test_a_leader_ends_at_its_name_and_crosses_no_other_name_point_or_leader(collective, ranks):
    data = bounds(collective, ranks)
    page = draw(data)
    axes, leaders = page.axes[0], leaders_of(page)
    assert leaders
    points = axes.transData.transform(list({(p.steps, float(p.port)) for p in data.points}))
    names = [(text, text.get_window_extent()) for text in axes.texts]
    for number, leader in enumerate(leaders):
        own = np.hypot(*(points - leader[0]).T).argmin()
        away = np.hypot(*(np.delete(points, own, axis=0)[:, None] - leader).T)
        assert away.min() > 12
        for other in leaders[:number]:
            assert (
                np.hypot(*(other[:, None] - leader).T).min() > 2
                or own == np.hypot(*(points - other[0]).T).argmin()
            )
        text, _ = min(names, key=lambda one: distance(leader[-1], one[1]))
        assert text.get_ha() == side(leader) or "\n" not in text.get_text()
        for other, box in names:
            inside = (box.min + 3 < leader) & (leader < box.max - 3)
            assert other is text or not inside.all(axis=1).any(), other.get_text()


@each(
    ("collective", "ranks"),
    sampled(
        [*product(["all_reduce"], (4, 16, 32, 64)), *product(["all_gather", "reduce"], (8, 16))], 4
    ),
)
def test_no_name_and_no_leader_of_another_point_crosses_a_bound(collective, ranks):
    data = bounds(collective, ranks)
    page = draw(data)
    axes = page.axes[0]
    x, y = axes.transData.transform((data.steps, float(data.port)))
    for text in axes.texts:
        box = text.get_window_extent()
        assert not box.x0 < x < box.x1, text.get_text()
        assert not box.y0 + 3 < y < box.y1 - 3, text.get_text()
    for leader in leaders_of(page):
        begin, end = leader[0][0], leader[-1][0]
        beyond = (begin - x) * (end - x) < 0 and abs(begin - x) > 20  # its point is on the bound
        assert not beyond


@each("ranks", [24, 32, 48, 64, 100] if THOROUGH else [24])
def test_no_leader_runs_through_a_name(ranks):
    page = draw(bounds("all_reduce", ranks))
    names = [text.get_window_extent() for text in page.axes[0].texts]
    for leader in leaders_of(page):
        for box in names:
            assert not ((box.min + 3 < leader) & (leader < box.max - 3)).all(axis=1).any()


def distance(at, box):
    return np.hypot(*(np.clip(at, box.min, box.max) - at))


def side(leader):
    """Where the lines of a name begin, to which a line leads."""
    across = leader[-1][0] - leader[0][0]
    return "center" if abs(across) < 1 else "left" if across > 0 else "right"


def test_no_axis_has_a_number_twice():
    page = draw(bounds("scatter", 4))
    page.canvas.draw()
    shown = [text.get_text() for text in page.axes[0].get_xticklabels(which="both")]
    shown = [text for text in shown if text]
    assert len(shown) == len(set(shown)) and {"1", "2", "3", "4"} <= set(shown)
