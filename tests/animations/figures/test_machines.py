"""Machines are drawn whole: every node at a place of its own, every link, with its figures."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from samples import in_themes
from settings import sampled

from animations.figures import link_load, machine
from animations.pictures.machine_layout import lay_out
from animations.pictures.machine_picture import link_kinds
from collectives import narrowest_cut, record
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.setup import Setup, emptied
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.topology import from_links
from collectives.errors import BadInput

DRAWN = [
    ("crossbar", 8, {}),
    ("ring", 2, {}),
    ("ring", 8, {}),
    ("ring", 64, {}),
    ("line", 6, {}),
    ("torus-2d", 16, {}),
    ("torus-2d", 7, {}),
    ("torus-2d", 24, {"rows": 2}),
    ("torus-3d", 8, {}),
    ("torus-3d", 27, {}),
    ("torus-3d", 64, {}),
    ("fully-connected", 8, {}),
    ("pcie-box", 8, {}),
    ("pcie-box", 8, {"gpus_per_switch": 4}),
    ("hgx-a100", 8, {}),
    ("hgx-h100", 1, {}),
    ("hgx-b200", 5, {}),
    ("nvl72", 72, {}),
    ("cluster", 16, {}),
    ("cluster", 16, {"nics": 4, "leaf": 1, "spines": 2, "oversubscription": 2.0}),
    ("cluster", 32, {"rails": 1}),
    ("cluster", 8, {"gpus": 2, "stripe": 1}),
    ("switch-tree", 8, {"radix": 2}),
    ("switch-tree", 13, {"radix": 3}),
]


def apart(seats):
    """Whether no seat covers another."""
    return all(
        abs(a.x - b.x) >= (a.width + b.width) / 2 or abs(a.y - b.y) >= (a.height + b.height) / 2
        for a, b in combinations(seats, 2)
    )


def gids(page):
    """The names of all that is drawn of a machine, each of which has one."""
    every = [patch.get_gid() for patch in page.axes[0].patches]
    assert None not in every
    return set(every)


@pytest.mark.parametrize(("name", "ranks", "more", "theme"), in_themes(sampled(DRAWN, 3)))
def test_a_machine_is_drawn_whole(name, ranks, more, theme, legible):
    built = topology(name, ranks, **more)
    assert apart(lay_out(built).boxes)
    page = machine.draw(built, theme)
    texts = " ".join(legible(page)).replace("\n", " ")
    nodes = {gid for gid in gids(page) if gid.startswith("node")}
    assert nodes == {f"node-{node}" for node in range(built.nodes)}
    pairs = zip(built.src.tolist(), built.dst.tolist(), strict=True)
    links = {gid for gid in gids(page) if gid.startswith("link")}
    assert links == {f"link-{min(pair)}-{max(pair)}" for pair in pairs}
    found = link_kinds(built)
    both = sum(kind.number * (2 if kind.both else 1) for kind in found)
    assert both == built.links
    for kind in found:
        assert machine.rate_text(kind.bandwidth) in texts and kind.name() in texts


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "name", "more"),
    [
        ("all_reduce", "ring", 16, "cluster", {"nics": 4, "leaf": 1, "spines": 2}),
        ("all_reduce", "ring", 16, "torus-2d", {}),
        ("broadcast", "tree", 8, "hgx-h100", {}),
        ("all_to_all", "pairwise", 8, "fully-connected", {}),
        ("all_gather", "ring", 8, "ring", {}),
        ("all_reduce", "sharp", 8, "switch-tree", {"radix": 2}),
        ("broadcast", "tree", 1, "crossbar", {}),
    ],
)
def test_color_and_width_of_a_link_are_its_use(
    collective, algorithm, ranks, name, more, theme, legible
):
    recording = record(collective, algorithm, ranks=ranks, count=1 << 24, dtype="uint8")
    setup = Setup(lambda made: topology_for(made, name, **more), lockstep)
    data = link_load.load(recording, setup)
    page = link_load.draw(data, theme)
    legible(page)
    timing = timed_as_run(recording, setup.machine(recording))
    assert np.array_equal(data.use, timing.link_use)
    drawn = {stroke.name: stroke for stroke in link_load.strokes(data, theme)}
    order = np.argsort(data.use, kind="stable").tolist()
    ends = [(int(timing.topology.src[k]), int(timing.topology.dst[k])) for k in order]
    widths = [drawn[f"link-{src}-{dst}"].width for src, dst in ends]
    assert widths == sorted(widths)
    assert {f"link-{src}-{dst}" for src, dst in ends} <= gids(page)
    for k, (src, dst) in zip(order, ends, strict=True):
        assert (drawn[f"link-{src}-{dst}"].color == "line") == (data.use[k] == 0)


def test_the_name_of_ones_own_machine_says_nothing_of_its_shape():
    named = from_links("torus of mine", [("rank", 3)], [0, 1], [1, 2], 1e-6, 1e9, both_ways=True)
    plain = from_links("mine", [("rank", 3)], [0, 1], [1, 2], 1e-6, 1e9, both_ways=True)
    assert lay_out(named) == lay_out(plain)


def test_the_busiest_link_is_named(legible):
    recording = record("broadcast", "tree", ranks=8, count=1 << 28, dtype="uint8")
    setup = Setup(lambda made: topology_for(made, "hgx-h100"), lockstep)
    texts = " ".join(legible(link_load.draw(link_load.load(recording, setup)))).replace("\n", " ")
    assert "the busiest link is busy 100 % of the time" in texts
    assert "768 MiB" in texts and "over rank 0 → switch 0, the busiest" in texts


def test_the_bytes_of_both_directions_fill_the_cable_they_share(legible):
    recording = record("all_reduce", "ring", ranks=4, count=1 << 28, dtype="uint8")
    setup = Setup(lambda made: topology_for(made, "crossbar", half_duplex=True), lockstep)
    texts = " ".join(legible(link_load.draw(link_load.load(recording, setup)))).replace("\n", " ")
    assert "every link is busy 100 % of the time" in texts
    assert "768 MiB" in texts and "over rank 0 ↔ switch 0, one of the 8 busiest" in texts
    assert "Links that share a capacity are filled by the bytes of all." in texts


@pytest.mark.parametrize(
    ("name", "ranks", "more", "collective", "inside"),
    [
        ("cluster", 16, {"leaf": 1, "oversubscription": 4.0}, "all_gather", [range(8)]),
        ("torus-2d", 9, {}, "reduce_scatter", [[0]]),
        ("line", 4, {}, "all_reduce", [[0], [1], [2], [3]]),
        ("fully-connected", 8, {}, "broadcast", [[1]]),
    ],
)
def test_the_narrowest_cut_is_drawn_on_its_machine(
    name, ranks, more, collective, inside, theme, legible
):
    """Nodes of a part are full of color, the links of the cut are lit, and no others."""
    built = topology(name, ranks, **more)
    cut = narrowest_cut(collective, built)
    assert [[n for n in sorted(part) if n < ranks] for part in cut.parts] == list(map(list, inside))
    page = machine.draw(built, theme, cut)
    texts = " ".join(legible(page)).replace("\n", " ")
    assert f"{float(cut.vectors):.4g} S" in texts and machine.rate_text(cut.bandwidth) in texts
    looks = {patch.get_gid(): patch for patch in page.axes[0].patches}
    panel, now = to_rgba(theme.panel), to_rgba(theme.now)
    full = {gid for gid, patch in looks.items() if patch.get_facecolor() != panel}
    lit = {gid for gid, p in looks.items() if now in (p.get_edgecolor(), p.get_facecolor())}
    assert {gid for gid in full if gid.startswith("node")} == {
        f"node-{node}" for part in cut.parts for node in part
    }
    ends = {(int(built.src[link]), int(built.dst[link])) for link in cut.links}
    assert {gid for gid in lit if gid.startswith("link")} == {
        f"link-{min(pair)}-{max(pair)}" for pair in ends
    }


def test_what_is_too_large_is_refused():
    for name, ranks in (("ring", 300), ("fully-connected", 40)):
        with pytest.raises(BadInput, match="try: fewer ranks"):
            machine.draw(topology(name, ranks))


def test_links_of_one_direction_are_told_apart(legible):
    one_way = from_links("loop", [("rank", 3)], [0, 1, 2], [1, 2, 0], 1e-6, [1e9, 1e9, 2e9])
    told = {kind.name(): kind.bandwidth for kind in link_kinds(one_way)}
    assert told == {"2 × rank → rank": 1e9, "1 × rank → rank": 2e9}
    assert "1 GB/s" in legible(machine.draw(one_way))


@pytest.mark.parametrize(("name", "ranks", "more"), [*sampled(DRAWN[1:], 3), ("line", 64, {})])
def test_all_nodes_of_a_kind_have_their_numbers_or_their_row_tells_which_they_are(
    name, ranks, more, legible
):
    built = topology(name, ranks, **more)
    legible(machine.draw(built))
    picture = machine.picture_of(built)
    seats = {(round(seat.x), round(seat.y)): node for node, seat in enumerate(picture.boxes)}
    lines = picture.nodes().lines
    middles = [(round(line.x), round(line.baseline - 0.36 * line.size)) for line in lines]
    at = {seats.get(middle): line for middle, line in zip(middles, lines, strict=True)}
    for kind in {built.kind_of(node) for node in range(built.nodes)}:
        every = [node for node in range(built.nodes) if built.kind_of(node) == kind]
        there = [at[node] for node in every if node in at]
        assert len(there) in (0, len(every))
        assert len({line.size for line in there}) <= 1
        rest = f"0-{len(every) - 1}"
        texts, names = {line.text for line in lines}, {built.label(node) for node in every}
        assert there or names <= texts or {kind, rest} <= texts or name == "ring"


def test_neighbors_of_a_long_line_are_side_by_side(legible):
    built = topology("line", 40)
    seats = lay_out(built).boxes
    steps = {(round(abs(a.x - b.x)), round(abs(a.y - b.y))) for a, b in pairwise(seats)}
    assert len(steps) == 2
    assert all(0 in step for step in steps)
    short = topology("line", 8)
    assert not any("Pale" in text for text in legible(machine.draw(short)))


def test_small_print_of_machines_reads_well(legible):
    said = {name: " ".join(legible(machine.draw(topology(name, 8)))) for name in
            ("crossbar", "cluster", "hgx-h100", "torus-2d")}  # fmt: skip
    assert "ports ports" not in said["crossbar"]
    assert "gpus" not in said["cluster"]
    assert "They are modeled as one switch" in said["hgx-h100"].replace("\n", " ")
    assert "Pale: links round the ends" in said["torus-2d"].replace("\n", " ")


def test_several_busiest_links_are_told(legible):
    recording = record("all_reduce", "ring", ranks=16, count=1 << 24, dtype="uint8")
    data = link_load.load(recording, Setup(lambda made: topology_for(made, "torus-2d"), lockstep))
    assert len(data.busiest) == 20
    texts = " ".join(legible(link_load.draw(data))).replace("\n", " ")
    share = f"{100 * data.use.max():.0f} %"
    assert f"uses 20 of 64 links, each busy {share} of the time; the rest is latency" in texts
    silent = lockstep(emptied(recording), data.timing.topology).total
    assert data.latency == silent / data.timing.total == pytest.approx(1 - data.use.max())
    assert f"time in all, {100 * data.latency:.0f} % of it latency" in texts
    assert "over rank 0 → rank 4, one of the 20 busiest" in texts
