"""The narrowest cut against all cuts, all partitions, published optima, and every algorithm."""

import csv
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from settings import THOROUGH, sampled

from collectives import ROWS, BadInput, narrowest_cut, record
from collectives.collective import COLLECTIVES, find_collective
from collectives.cost.bounds.cut import Cut
from collectives.cost.bounds.cut_search import Wires
from collectives.cost.bounds.max_flow import FlowNetwork
from collectives.cost.bounds.parting import MOST_PARTED
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs, LogGP
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import slow_link
from collectives.cost.machines.toml_file import read_topology
from collectives.cost.machines.topology import from_links
from collectives.cost.reached import reached

PUBLISHED = Path(__file__).parents[2] / "data" / "forestcoll"
OPTIMA = list(csv.DictReader((PUBLISHED / "optimum.csv").read_text("utf-8").splitlines()))
FROM_ALL = ("reduce", "reduce_scatter", "scatter")  # their data goes the other way


def own(random, ranks, switches, both_ways):
    """A machine with links at random, each with a bandwidth of its own."""
    nodes = ranks + switches
    pairs = [pair for pair in combinations(range(nodes), 2) if random.random() < 0.6]
    if not both_ways:
        pairs = [pair for pair in product(range(nodes), repeat=2) if random.random() < 0.4]
        pairs = [(src, dst) for src, dst in pairs if src != dst]
    pairs = pairs or [(0, 1)]
    rates = np.array([float(random.randint(1, 5)) for _ in pairs])
    kinds = [("rank", ranks), ("switch", switches)]
    return from_links("own", kinds, *zip(*pairs, strict=True), 0.0, rates, both_ways=both_ways)


def out_of(machine, nodes):
    """Bytes per second out of some nodes, from the columns of the machine."""
    inside = np.isin(machine.src, list(nodes)) & ~np.isin(machine.dst, list(nodes))
    return Fraction(float((machine.bandwidth * machine.lanes)[inside].sum()))


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def must_leave(name, inside, outside, root, ranks):
    """Vectors that must leave a set of ranks, with the data running away from where it starts."""
    if not outside or not inside:
        return Fraction(0)
    if name in ("broadcast", "reduce"):
        return Fraction(root in inside)
    if name in ("all_gather", "reduce_scatter"):
        return Fraction(len(inside), ranks)
    return Fraction(len(inside), ranks) if root in outside else Fraction(0)


def least_seconds(machine, name, root):
    """The longest that any cut takes for one vector: all cuts are tried."""
    ends = machine.src, machine.dst
    if name in FROM_ALL:
        machine = from_links("back", machine.kinds, *ends[::-1], 0.0, machine.bandwidth)
    longest = Fraction(0)
    for nodes in subsets(range(machine.nodes)):
        inside = {node for node in nodes if node < machine.ranks}
        need = must_leave(name, inside, set(range(machine.ranks)) - inside, root, machine.ranks)
        if need:
            rate = out_of(machine, nodes)
            longest = max(longest, need / rate) if rate else Fraction(10**9)
    return longest


def partitions(items):
    """All ways to put items into parts."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for place, part in enumerate(rest):
            yield [*rest[:place], [items[0], *part], *rest[place + 1 :]]


def least_seconds_between_parts(machine):
    """The same for an all-reduce, 2 (k - 1) messages between k parts: all partitions are tried."""
    further = list(subsets(range(machine.ranks, machine.nodes)))
    found = []
    for src, dst in ((machine.src, machine.dst), (machine.dst, machine.src)):
        way = from_links("way", machine.kinds, src, dst, 0.0, machine.bandwidth)
        rate = {
            ranks: min(out_of(way, (*ranks, *switches)) for switches in further)
            for ranks in subsets(range(machine.ranks))
        }
        for parts in partitions(list(range(machine.ranks))):
            if len(parts) > 1:
                capacity = sum(rate[tuple(sorted(part))] for part in parts)
                messages = 2 * (len(parts) - 1)
                found.append(messages / capacity if capacity else Fraction(10**9))
    return max(found)


def seconds(cut):
    """Exact seconds of a cut for one vector of one byte."""
    return cut.vectors / cut.bandwidth if cut.bandwidth else Fraction(10**9)


@pytest.mark.parametrize("seed", range(60 if THOROUGH else 12))
def test_no_cut_is_narrower(seed):
    random = Random(seed)
    ranks = random.randint(2, 6)
    machine = own(random, ranks, random.randint(0, 3), seed % 3 > 0)
    for name in ("broadcast", "reduce", "all_gather", "reduce_scatter", "gather", "scatter"):
        root = random.randrange(ranks)
        cut = narrowest_cut(name, machine, root=root if COLLECTIVES[name].rooted else 0)
        assert seconds(cut) == least_seconds(machine, name, root), (name, root, cut)
    cut = narrowest_cut("all_reduce", machine)
    assert seconds(cut) == least_seconds_between_parts(machine), cut
    in_switches = narrowest_cut("all_reduce", machine, in_network=True)
    assert seconds(in_switches) == max(
        least_seconds(machine, name, 0) for name in ("broadcast", "reduce")
    )


@pytest.mark.parametrize(
    ("name", "ranks"), [("hgx-h100", 8), ("ring", 6), ("line", 5), ("torus-2d", 6), ("cluster", 4)]
)
def test_no_cut_of_a_known_machine_is_narrower(name, ranks):
    machine = topology(name, ranks, **({"gpus": 2} if name == "cluster" else {}))
    assert machine.nodes <= 12
    for each in ("broadcast", "all_gather", "reduce_scatter", "gather"):
        assert seconds(narrowest_cut(each, machine)) == least_seconds(machine, each, 0)
    if ranks <= 6:
        assert seconds(narrowest_cut("all_reduce", machine)) == least_seconds_between_parts(machine)


def test_the_parts_of_a_cut_are_what_its_numbers_say():
    """The bandwidth is that of the links which are named, out of the parts or into them."""
    machine = topology("cluster", 64, leaf=2, oversubscription=4)
    for name in ("all_gather", "reduce_scatter", "all_reduce", "broadcast", "gather"):
        cut = narrowest_cut(name, machine)
        links = list(cut.links)
        rate = (machine.bandwidth * machine.lanes)[links].sum()
        assert rate == float(cut.bandwidth)
        near = {int((machine.src if cut.leaving else machine.dst)[link]) for link in links}
        assert near <= set().union(*cut.parts)
    gather = narrowest_cut("all_gather", machine)
    assert "ranks 0-15" in gather.text() and not gather.leaving
    assert narrowest_cut("reduce_scatter", machine).leaving


@pytest.mark.parametrize("row", OPTIMA, ids=[row["machine"] for row in OPTIMA])
def test_published_optima(row):
    machine = read_topology(PUBLISHED / f"{row['machine']}.toml")
    assert machine.ranks == int(row["ranks"])
    whole = Fraction(row["U"]) / (int(row["k"]) * machine.ranks * 10**9)
    for name in ("all_gather", "reduce_scatter"):
        cut = narrowest_cut(name, machine)
        assert seconds(cut) == whole and cut.reachable
    # where all ranks are alike, an all-reduce takes as long as both, one after the other
    if row["machine"].startswith("a100"):
        cut = narrowest_cut("all_reduce", machine)
        assert seconds(cut) == 2 * whole and cut.reachable


def test_an_all_reduce_may_be_faster_than_both_its_halves():
    """On a line both directions work at once; ForestColl's condition, twice, is no bound there."""
    line = topology("line", 5)
    whole, half = (narrowest_cut(name, line) for name in ("all_reduce", "all_gather"))
    assert whole.seconds(1e9) == 1e9 / 50e9 < 2 * half.seconds(1e9)
    assert whole.reachable


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize(
    ("name", "ranks"),
    sampled(
        [
            *((name, 8) for name in ("hgx-h100", "crossbar", "ring", "line", "torus-2d")),
            *((name, 6) for name in ("torus-2d", "pcie-box", "fully-connected")),
            ("cluster:gpus=2", 8),
            ("switch-tree", 8),
        ],
        3,
    ),
)
def test_no_algorithm_is_faster_than_its_cut(name, ranks, clock):
    machine, _, parameter = name.partition(":")
    more = {"gpus": 2} if parameter else {}
    tried = 0
    for row in ROWS:
        if not row.accepts(ranks):
            continue
        recording = sized(row, ranks, ranks * 10**5)
        try:
            near = reached(clock(recording, topology_for(recording, machine, **more), Costs()))
        except BadInput:  # it has no place there
            continue
        tried += near is not None
        assert near is None or near.share <= 1 + 1e-9, row.title
    assert tried > 20


def test_a_ring_without_latency_reaches_its_cut():
    machine = topology("crossbar", 8, latency=0.0)
    for name in ("all_gather", "reduce_scatter", "all_reduce"):
        ring = record(name, "ring", ranks=8, count=8 * 10**5, dtype="uint8")
        near = reached(lockstep(ring, machine, Costs()))
        assert abs(near.share - 1) < 1e-9 and near.cut.reachable


def test_a_slow_card_moves_the_cut_to_its_rank():
    machine = topology("cluster", 32)
    card, leaf = 32 + 4 + 3, 32 + 4 + 32
    assert (machine.label(card), machine.label(leaf)) == ("NIC 3", "leaf switch 0")
    slow = slow_link(machine, leaf, card, 4.0)
    cut = narrowest_cut("all_gather", slow)
    assert "must enter rank 3" in cut.text() and cut.bandwidth == 450 * 10**9 + 50 * 10**9 // 4
    assert not cut.reachable  # as much no longer reaches each node as leaves it
    tail = record("all_gather", "ring", ranks=32, count=32 * 10**4, dtype="uint8")
    assert reached(lockstep(tail, slow, Costs())).cut.parts == cut.parts


def test_uneven_shares_are_weighed():
    machine = topology("hgx-h100", 4)
    cut = narrowest_cut("all_gather", machine, sizes=[0, 0, 0, 8])
    assert cut.vectors == 1 and cut.parts == (frozenset({0}),)
    assert narrowest_cut("all_gather", machine, sizes=[0, 0, 0, 0]) is None


def test_where_no_cut_is_known_to_be_the_limit():
    machine = topology("hgx-h100", 4)
    known = {name for name in COLLECTIVES if narrowest_cut(name, machine)}
    unknown = {"all_to_all", "scan", "exscan", "barrier", "send_recv", "dispatch", "combine"}
    assert set(COLLECTIVES) - known == unknown
    assert narrowest_cut("all_reduce", topology("hgx-h100", 1)) is None
    shared = topology("crossbar", 4, half_duplex=1)
    assert not narrowest_cut("all_gather", shared).reachable
    ring = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    by_loggp = lockstep(ring, topology("crossbar", 4), Costs(loggp=LogGP(1e-6, 0.0, 0.0, 1e-9)))
    assert reached(by_loggp) is None


def test_a_machine_too_large_is_refused():
    machine = topology("fully-connected", 400)
    with pytest.raises(BadInput, match="too many to look for its narrowest cut"):
        narrowest_cut("all_reduce", machine)
    assert narrowest_cut("all_to_all", machine) is None
    with pytest.raises(BadInput, match="root 4 of 4 ranks; try: 3"):
        narrowest_cut("broadcast", topology("ring", 4), root=4)


def test_a_time_says_that_no_cut_was_looked_for_and_why(monkeypatch):
    ring = record("all_gather", "ring", ranks=8, count=8000, dtype="uint8")
    sought = reached(lockstep(ring, topology("hgx-h100", 8), Costs()))
    monkeypatch.setattr("collectives.cost.bounds.narrowest.MOST_WORK", 99)
    near = reached(lockstep(ring, topology("crossbar", 8), Costs()))
    assert str(near) == "not computed: " + near.why and "8 ranks and 16 links" in near.why
    unknown, known = near.as_json(), sought.as_json()
    assert list(unknown) == list(known) and known["not_computed"] is None
    assert {name: value for name, value in unknown.items() if value} == {"not_computed": near.why}


def test_of_a_large_machine_the_cut_is_said_to_be_the_narrowest_found():
    for ranks, known in ((MOST_PARTED, True), (MOST_PARTED + 1, False)):
        machine = topology("line", ranks)
        cut = narrowest_cut("all_reduce", machine)
        assert (cut.narrowest, cut.as_json()["narrowest"]) == (known, known)
        ring = record("all_reduce", "ring", ranks=ranks, count=8 * ranks, dtype="uint8")
        said = str(reached(lockstep(ring, machine, Costs())))
        assert ("the narrowest cut found: not all are tried above 144 ranks" in said) is not known


def test_a_link_of_a_switch_that_parts_share_is_listed_once():
    machine = topology("cluster", 4, gpus=2)
    switch = machine.ranks  # of node 0
    parts = tuple(frozenset([rank, switch]) for rank in range(2))
    cut = Cut(machine, find_collective("all_reduce"), parts, True, Fraction(2), Fraction(1), False)
    assert len(cut.links) == len(set(cut.links)) > 0
    shared = [link for link in cut.links if machine.src[link] == switch]
    assert len(shared) == 2, "to rank 1, out of the first part, and to rank 0, out of the second"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda cut: cut.text("x"), "size 'x': must be a whole number"),
        (lambda cut: cut.text(-4), "size -4: must be at least 0; try: 0"),
        (lambda cut: cut.part_name(5), "part 5: must be at most 0; try: 0"),
        (lambda cut: cut.part_name(-1), "part -1: must be at least 0; try: 0"),
        (lambda cut: narrowest_cut("all_gather", cut.topology, root=2), "root 2: all-gather has"),
        (lambda cut: narrowest_cut("barrier", cut.topology, root=2), "root 2: barrier has no root"),
    ],
)
def test_a_cut_refuses_what_it_does_not_need(call, said):
    with pytest.raises(BadInput, match=said):
        call(narrowest_cut("all_gather", topology("hgx-h100", 4)))


def test_large_machines_of_equal_nodes_are_searched_through():
    for name, ranks in (("nvl72", 72), ("cluster", 1024 if THOROUGH else 256)):
        cut = narrowest_cut("all_reduce", topology(name, ranks))
        assert cut.reachable and ranks > MOST_PARTED / 3


def test_a_flow_is_pushed_back_where_that_helps():
    """The shortest path, 0 1 2 7, is in the way of both others."""
    network = FlowNetwork(8)
    for arc in ((0, 1), (1, 2), (2, 7), (1, 3), (3, 4), (4, 7), (0, 5), (5, 6), (6, 2)):
        network.add(*arc, 1)
    assert network.push(0, 7, 9) == 2 and network.reaching(7) == {7}
    assert Wires.of(topology("ring", 3)).balanced


@pytest.mark.parametrize("size", [1, 2**50, 2**60, 2**62])
def test_sums_of_sizes_are_exact_however_large_they_are(size):
    machine = topology("hgx-h100", 8)
    cut = narrowest_cut("all_gather", machine, sizes=[size] * 8)
    assert cut.vectors == Fraction(7, 8) and cut.seconds(2**30) > 0
    with pytest.raises(BadInput, match="sizes"):
        narrowest_cut("all_gather", machine, sizes=[-size] * 8)
