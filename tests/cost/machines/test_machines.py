"""Machines by name: every pair of ranks is joined, by the shortest way, at the figures told."""

import numpy as np
import pytest
from each import each, row_title
from settings import SOME_ROWS, taken

from collectives import BadInput, record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import MACHINES, list_machines, topology, topology_for
from collectives.cost.machines.links import find_link
from collectives.cost.machines.search import Search

CASES = [
    ("crossbar", 5, {}),
    ("crossbar", 5, {"extra": 2, "half_duplex": True}),
    ("ring", 2, {}),
    ("ring", 5, {}),
    ("ring", 6, {"half_duplex": True}),
    ("line", 5, {}),
    ("torus-2d", 12, {}),
    ("torus-2d", 16, {"rows": 2}),
    ("torus-3d", 24, {}),
    ("torus-3d", 27, {"rows": 3, "columns": 3}),
    ("fully-connected", 6, {}),
    ("pcie-box", 4, {}),
    ("pcie-box", 8, {"gpus_per_switch": 4, "generation": 5}),
    ("hgx-a100", 8, {}),
    ("hgx-h100", 7, {}),
    ("hgx-b200", 8, {}),
    ("nvl72", 72, {}),
    ("cluster", 16, {}),
    ("cluster", 16, {"gpus": 4, "leaf": 2, "spines": 2}),
    ("cluster", 24, {"gpus": 4, "leaf": 3, "rails": 1, "oversubscription": 2.0}),
    ("cluster", 16, {"gpus": 4, "nics": 2, "leaf": 1}),
    ("cluster", 16, {"gpus": 4, "stripe": 1}),
    ("switch-tree", 9, {"radix": 3}),
]


@pytest.mark.parametrize(("name", "ranks", "parameters"), CASES)
def test_paths_lead_from_rank_to_rank_by_the_fewest_hops(name, ranks, parameters):
    made = topology(name, ranks, **parameters)
    src, dst = np.nonzero(~np.eye(ranks, dtype=bool))
    links = made.src, made.dst, made.latency, made.bandwidth
    alike = np.zeros(made.links, np.intp)
    searched = Search(made.nodes, links, alike, name, made.label)(src, dst)
    paths = made.paths(src, dst)
    assert (np.diff(paths.start) == np.diff(searched.start)).all()
    for one, other, first, end in zip(src, dst, paths.start, paths.start[1:], strict=False):
        at = one
        for link in paths.link[first:end]:
            assert made.src[link] == at
            at = made.dst[link]
        assert at == other


def bandwidth(made, src, dst):
    return made.paths([src], [dst]).minimum(made.bandwidth)[0] / 1e9


def latency(made, src, dst):
    return made.paths([src], [dst]).total(made.latency)[0] * 1e6


def test_figures():
    assert bandwidth(topology("hgx-a100", 8), 0, 7) == 300
    assert bandwidth(topology("hgx-h100", 8), 0, 7) == 450
    assert bandwidth(topology("hgx-b200", 8), 0, 7) == 900
    assert bandwidth(topology("nvl72", 72), 0, 71) == 900
    assert bandwidth(topology("pcie-box", 4, generation=5), 0, 1) == 63
    assert bandwidth(topology("pcie-box", 4, width=8), 0, 1) == 15.75
    assert bandwidth(topology("fully-connected", 8), 0, 1) == 64
    assert np.isclose(latency(topology("hgx-h100", 8), 0, 1), 1.0)
    assert np.isclose(latency(topology("crossbar", 8, latency="7us"), 0, 1), 7.0)
    assert np.isclose(latency(topology("ring", 8, latency=1e-6), 0, 4), 4.0)


def test_a_cluster_is_fast_inside_and_slow_outside():
    made = topology("cluster", 16, leaf=1)
    assert bandwidth(made, 0, 7) == 450 and bandwidth(made, 0, 8) == 50
    assert np.isclose(latency(made, 0, 8), find_link("ib-ndr").latency * 1e6 + 2 * 0.3)
    assert bandwidth(topology("cluster", 16, pcie="pcie3"), 0, 8) == 15.75
    assert bandwidth(topology("cluster", 16, stripe=1), 0, 8) == 400
    trunk = topology("cluster", 32, leaf=2, oversubscription=4.0)
    kinds = [trunk.link_label(k) for k in range(trunk.links)]
    up = [b for k, b in zip(kinds, trunk.bandwidth, strict=True) if "leaf switch 0 → spine" in k]
    assert up == [2 * 8 * 50e9 / 4]


def test_rails_keep_a_nic_at_a_switch_of_its_own():
    rails = topology("cluster", 32, rails=1)
    assert dict(rails.kinds)["leaf switch"] == 8
    same, across = rails.paths([0], [8]), rails.paths([0], [9])
    assert len(same.link) == 4 and len(across.link) == 6


def through(made, src, dst, kind):
    """The nodes of a kind that a message passes."""
    passed = [made.label(made.dst[link]) for link in made.paths([src], [dst]).link]
    return [label for label in passed if label.startswith(kind)]


def test_gpus_of_one_nic_stand_beside_each_other():
    made = topology("cluster", 8, gpus=4, nics=2)
    cards = [through(made, gpu, 4, "NIC")[0] for gpu in range(4)]
    assert cards == ["NIC 0", "NIC 0", "NIC 1", "NIC 1"]


def test_the_destination_says_which_spine_a_message_takes():
    made = topology("cluster", 16, gpus=4, leaf=1, spines=2)
    for src in (0, 1):
        found = [through(made, src, dst, "spine")[0] for dst in range(4, 16)]
        assert found == ["spine switch 0", "spine switch 1"] * 6


def test_a_shared_nic_is_shared():
    """In the step to the rank k further on, min(k, 16 - k) messages leave each node of eight."""
    swap = record("all_to_all", "pairwise", ranks=16, count=16 * 10**6, dtype="uint8")
    late, once = 15 * 2e-6, 10**6 / 50e9
    for clock in (lockstep, dataflow):
        own, shared = (clock(swap, topology("cluster", 16, nics=k)).total for k in (8, 1))
        assert np.isclose(own, late + 15 * once, rtol=1e-12)
        assert np.isclose(shared, late + 64 * once, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "ranks", "parameters", "says"),
    [
        ("hgx-h100", 9, {}, "9 ranks: hgx-h100 takes 1 to 8; try: 8"),
        ("nvl72", 100, {}, "100 ranks: nvl72 takes 1 to 72; try: 72"),
        ("cluster", 12, {}, "12 ranks: a cluster of nodes of 8 takes multiples; try: 8 or 16"),
        ("cluster", 8, {"nics": 9}, "nics 9: at most one for each of 8 GPUs; try: 8"),
        ("cluster", 8, {"oversubscription": 0.5}, "oversubscription 0.5: must be at least 1"),
        ("cluster", 8, {"oversubscription": np.nan}, "oversubscription nan: must be a number"),
        ("torus-2d", 12, {"rows": 5}, "rows 5: must divide 12 on torus-2d; try: 4"),
        ("crossbr", 4, {}, "unknown topology 'crossbr'; did you mean crossbar"),
        (
            "ring",
            4,
            {"latncy": 1.0},
            "latncy: ring has no parameter 'latncy'; did you mean latency",
        ),
        ("ring", 4, {"bandwidth": 0.0}, "ring: bandwidth 0.0 B/s: must be above 0; try: 1 B/s"),
        ("ring", 4, {"bandwidth": "5"}, "bandwidth 5 has no unit; try: 5GB/s"),
        ("ring", 4, {"bandwidth": "0GB/s"}, "bandwidth 0GB/s: must be above 0; try: 1GB/s"),
        ("ring", 0, {}, "ranks 0: must be at least 1; try: 1"),
        ("crossbar", 2**63, {}, "must be at most"),
        ("pcie-box", 4, {"generation": 9}, "generation 9: must be at most 6; try: 6"),
        ("pcie-box", 4, {"width": 3}, "width 3: must be 1, 2, 4, 8 or 16"),
        ("switch-tree", 4, {"radix": 1}, "radix 1: must be at least 2"),
        ("switch-tree", 4, {"radix": True}, "radix True: must be a whole number; try: 2"),
        ("switch-tree", 4, {"link": 7}, "link 7: must be the name of a link; try: ib-ndr"),
        ("cluster", 8, {"inside": None}, "inside None: must be the name of a link"),
        ("cluster", 8, {"oversubscription": "2"}, "oversubscription '2': must be a number"),
        ("cluster", 8, {"oversubscription": np.inf}, "oversubscription inf: must be a number"),
        ("cluster", 8, {"oversubscription": 1e9}, "must be at most 1048576; try: 1048576"),
        ("cluster", 8, {"rails": 2}, "rails 2: must be 0 or 1; try: 1"),
        ("crossbar", 4, {"half_duplex": np.nan}, "half_duplex nan: must be 0 or 1"),
        ("crossbar", 4, {"latency": None}, "crossbar: latency None: must be a number"),
        ("crossbar", 4, {"latency": True}, "crossbar: latency True: must be a number"),
        ("crossbar", 4, {"bandwidth": 10**400}, "000: must be below 1e308; try: 1e308"),
        ("crossbar", 4, {"bandwidth": 1e30}, "below 2^63 bytes per second; try: 1EB/s"),
        ("pcie-box", 4, {"width": True}, "width True: must be a whole number; try: 1"),
        ("crossbar", True, {}, "ranks True: must be a whole number; try: 1"),
        ("torus-2d", 8, {"rows": -1}, "rows -1: must be at least 0"),
        ("torus-2d", 8, {"rows": "4"}, "rows '4': must be a whole number; try: 0"),
        ("torus-3d", 8, {"columns": 0.5}, "columns 0.5: must be a whole number; try: 0"),
        (None, 8, {}, "unknown topology None"),
    ],
)
def test_what_does_not_fit_is_said_with_what_does(name, ranks, parameters, says):
    with pytest.raises(BadInput) as told:
        topology(name, ranks, **parameters)
    assert says in str(told.value) and "\n" not in str(told.value)


def test_every_machine_says_what_it_is_and_takes_one_rank():
    for name, machine in MACHINES.items():
        assert machine.about.endswith(".")
        alone = topology(name, 8 if name == "cluster" else 1)
        assert name in alone.describe()


def test_machines_are_listed_with_what_each_parameter_means():
    rows = {row["name"]: row for row in list_machines()}
    assert list(rows) == list(MACHINES)
    for name, machine in MACHINES.items():
        taken = rows[name]["parameters"]
        assert [each["name"] for each in taken] == list(machine.parameters)
        assert all(each["meaning"].endswith(".") for each in taken)
    crossbar = {each["name"]: each["default"] for each in rows["crossbar"]["parameters"]}
    assert crossbar["latency"] == "5us" and crossbar["bandwidth"] == "50GB/s"
    assert crossbar["ports"] == "1" and crossbar["half_duplex"] == "0"
    assert rows["hgx-h100"]["most_ranks"] == 8 and rows["cluster"]["multiple_of"] == "gpus"


def test_a_listed_default_is_what_a_machine_has_without_it():
    """Texts with units are read back; numbers and names stand for themselves."""
    for row in list_machines():
        ranks = 8 if row["multiple_of"] else 4
        bare = topology(row["name"], ranks)
        read = {
            each["name"]: each["default"]
            for each in row["parameters"]
            if each["name"] in ("latency", "bandwidth", "inside", "outside", "pcie", "link")
        }
        again = topology(row["name"], ranks, **read)
        assert (again.latency == bare.latency).all() and (again.bandwidth == bare.bandwidth).all()


@each("row", SOME_ROWS, row_title, few=16)
def test_every_row_is_timed_on_every_machine_it_fits(row):
    recording = record(row.collective, row.algorithm, ranks=taken(row, 8))
    fits = []
    for name in MACHINES:
        try:
            made = topology_for(recording, name)
            times = [clock(recording, made).total for clock in (lockstep, dataflow)]
        except BadInput:
            continue
        fits.append(name)
        assert all(np.isfinite(times)) and min(times) > 0
    with_room = {name for name, machine in MACHINES.items() if machine.max_ranks >= 8}
    assert "crossbar" in fits and (recording.nodes != 8 or {*fits} >= with_room)


def test_what_an_algorithm_and_a_machine_have_in_common_is_the_algorithms():
    sharp = record("all_reduce", "sharp", ranks=9, parameters={"radix": 3})
    assert dict(topology_for(sharp, "switch-tree").kinds)["switch"] == sharp.nodes - 9
    levels = record("all_reduce", "hierarchical", ranks=12, parameters={"gpus": 3})
    assert dict(topology_for(levels, "cluster").kinds)["node switch"] == 4
    assert topology_for(sharp, "crossbar").placement(9, sharp.nodes).tolist() == list(
        range(sharp.nodes)
    )


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("crossbar", {"extra": 10**12}, "extra 1000000000000: must be at most 1048576"),
        ("crossbar", {"ports": 10**12}, "ports 1000000000000: must be at most 1048576"),
        ("cluster", {"spines": 10**9}, "spines 1000000000: must be at most 4096"),
        ("cluster", {"gpus": 10**12}, "gpus 1000000000000: must be at most 1048576"),
        ("cluster", {"leaf": 2**63}, "leaf 9223372036854775808: must be at most 2^63 - 1"),
    ],
)
def test_what_is_too_large_is_refused_before_it_is_made(name, parameters, says):
    with pytest.raises(BadInput) as told:
        topology(name, 8, **parameters)
    assert says in str(told.value)


def test_numbers_of_numpy_are_numbers():
    small = topology("torus-2d", np.uint8(8), rows=np.uint8(2), latency=np.float32(0.5))
    assert small.ranks == 8 and small.links == 8 * (1 + 2) and small.latency[0] == 0.5
    tree = topology("switch-tree", np.int64(9), radix=np.uint8(3))
    assert dict(tree.kinds)["switch"] == 4
    assert topology("crossbar", 4, half_duplex=np.True_).shared
    assert not topology("crossbar", 4, half_duplex=0).shared


@pytest.mark.parametrize("sides", [(1, 5), (2, 3), (2, 2), (4, 6), (3, 5)])
def test_links_diameter_and_bisection_of_a_torus(sides):
    """Counted by hand: a side of 1 has no links, one of 2 has one where others have two."""
    rows, columns = sides
    made = topology("torus-2d", rows * columns, rows=rows)
    each = sum({1: 0, 2: 1}.get(side, 2) for side in sides)
    assert made.links == rows * columns * each
    src, dst = np.nonzero(~np.eye(rows * columns, dtype=bool))
    assert np.diff(made.paths(src, dst).start).max() == rows // 2 + columns // 2
    if columns % 2 == 0:
        left = made.src % columns < columns // 2, made.dst % columns < columns // 2
        assert (left[0] & ~left[1]).sum() == rows * (2 if columns > 2 else 1)


def test_a_full_leaf_is_oversubscribed_as_told():
    made = topology("cluster", 40, leaf=2, spines=3, oversubscription=2.0)
    first = np.cumsum([0, *(number for _, number in made.kinds)])
    down, up = np.zeros((2, made.nodes))
    for leaf in range(first[3], first[4]):
        below = (made.dst == leaf) & (made.src < first[3])
        down[leaf] = made.bandwidth[below].sum()
        up[leaf] = made.bandwidth[(made.src == leaf) & (made.dst >= first[4])].sum()
    leaves = slice(first[3], first[4])
    assert np.allclose((down / np.maximum(up, 1))[leaves], [2, 2, 1])  # the last is half full
