"""`collectives.compare`: times are those of `time`, its reasons are true, any subject is taken."""

import json
from math import inf

import numpy as np
import pytest

import collectives
from collectives import BadInput, Faults, WrongSchedule, compare, record, reduce, save, send
from collectives.catalog import find_row
from collectives.comparison.path_waits import path_of
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.machines.usual import usual_machine
from collectives.cost.where import Where


def slow_all_reduce(n):
    """Everybody's data goes to rank 0 in turn, and the sum from it in turn."""
    for rank in range(1, n):
        # rank 0 adds the data of another rank
        yield reduce(rank, 0, chunk=0, count=n)
    for rank in range(1, n):
        # rank 0 gives the sum to another rank
        yield send(0, rank, chunk=0, count=n)


def careless_all_reduce(n):
    """It forgets the last rank."""
    for rank in range(1, n):
        # rank 0 adds the data of another rank
        yield reduce(rank, 0, chunk=0, count=n)
    for rank in range(1, n - 1):
        # rank 0 gives the sum to another rank
        yield send(0, rank, chunk=0, count=n)


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_times_are_those_of_time_and_the_order_is_theirs(clock):
    named = {"ranks": 8, "size": "64KiB", "topology": "hgx-h100", "clock": clock}
    comparison = compare("all-reduce", "ring", "tree", "nvls", chunks=4, **named)
    timings = [
        collectives.time(record("all_reduce", name, ranks=8), "hgx-h100", size="64KiB", clock=clock)
        for name in ("ring", "tree", "nvls")
    ]
    assert [one.seconds for one in comparison.contenders] == [each.total for each in timings]
    assert comparison.order == tuple(np.argsort([each.total for each in timings]))
    assert repr(comparison).startswith("<Comparison: NVLS ")
    assert "\n" not in repr(comparison)


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_from_each_size_on_the_one_that_is_named_is_the_fastest(clock):
    comparison = compare("all_reduce", "ring", "tree", ranks=8, topology="hgx-h100", clock=clock)
    names = [comparison.contenders[number].name for _, number in comparison.ranges]
    assert names == ["tree", "ring"]
    start = comparison.ranges[1][0]
    for size, first in ((start // 2, "tree"), (2 * start, "ring")):
        there = compare("all_reduce", "ring", "tree", ranks=8, size=size, topology="hgx-h100")
        assert there.first.name == first
    assert [text.split()[0] for text in comparison.sizes] == names


def test_of_two_that_take_as_long_neither_is_called_the_fastest():
    comparison = compare("all_to_all", "tournament", "pairwise", ranks=8, topology="hgx-h100")
    assert comparison.ties
    text = "\n".join(map(str, comparison.lines()))
    assert "Never slower: tournament up to 16 GiB" in text and "Fastest" not in text


def test_what_a_critical_path_waits_for_is_counted_message_by_message():
    setup = collectives.time(record("all_reduce", "ring", ranks=4), size=4096, clock="dataflow")
    path = path_of(setup)
    assert (path.messages, path.waits["data"]) == (6, 5)
    busy = collectives.time(
        record("broadcast", "linear", ranks=4), "crossbar", size="1MB", clock="dataflow"
    )
    assert path_of(busy).waits == {"data": 0, "port": 2, "link": 0, "step": 0}
    steps = collectives.time(record("all_reduce", "ring", ranks=4), size=4096)
    assert path_of(steps).waits["step"] == path_of(steps).messages - 1
    for each in (setup, busy, steps):
        assert 0 < path_of(each).seconds <= each.total
    assert path_of(steps).step == 1


def test_functions_recordings_files_and_rows_stand_side_by_side(tmp_path):
    saved = record("all_reduce", "tree", ranks=4)
    save(saved, tmp_path / "tree.json")
    row = next(row for row in collectives.ROWS if row.title == "ring all-reduce")
    subjects = slow_all_reduce, tmp_path / "tree.json", saved, row
    comparison = compare(*subjects, size="1MiB", topology="hgx-h100")
    assert [one.recording.ranks for one in comparison.contenders] == [4] * 4
    assert len({one.recording.case.S for one in comparison.contenders}) == 1
    names = [one.name for one in comparison.contenders]
    assert names[:3] == ["slow_all_reduce", "tree (1)", "tree (2)"]
    assert comparison.contenders[1].seconds == comparison.contenders[2].seconds


def test_lines_say_who_is_first_why_and_who_waits_for_what():
    comparison = compare("all_reduce", "ring", "tree", ranks=8, size="64KiB", topology="hgx-h100")
    text = " ".join(" ".join(str(line).split()) for line in comparison.lines())
    assert "all-reduce · 8 ranks · 64 KiB on hgx-h100, dataflow clock" in text
    assert "Tree: it has 6 µs of latency in 6 steps, ring 14 µs in 14" in text
    assert (
        "Ring: 14 messages one after another: 13 wait for data that the one before brings" in text
    )
    assert "Fastest: tree up to " in text
    values = json.loads(json.dumps(comparison.as_json(), allow_nan=False))
    assert [one["algorithm"] for one in values["algorithms"]] == ["tree", "ring"]
    assert values["fastest"][0]["algorithm"] == "tree"


def test_what_faults_stop_is_never_done():
    comparison = compare(
        *("broadcast", "ring", "linear"),
        ranks=4,
        size="64KiB",
        topology="ring",
        faults=Faults(dead="1-2"),
        chunks=4,
    )
    assert not any(one.ends for one in comparison.contenders)
    assert comparison.contenders[0].seconds == inf > comparison.seconds > 0
    assert comparison.why == "none of them ever ends"
    assert comparison.as_json()["algorithms"][0]["seconds"] is None
    assert comparison.trouble.clean < (inf, inf)


@pytest.mark.parametrize("number", range(4))
def test_beside_a_dead_card_stands_the_time_of_all_channels(number):
    """Whichever card is dead, also one that the ring that is drawn does not use."""
    common = {"ranks": 8, "size": "1MiB", "topology": "cluster:gpus=4"}
    dead = Faults(dead=f"rank {number}-NIC {number}")
    comparison = compare("all_reduce", "ring", "tree", faults=dead, **common)
    healthy = compare("all_reduce", "ring", "tree", **common)
    times = tuple(one.seconds for one in healthy.contenders)
    assert comparison.trouble.clean == pytest.approx(times)
    assert healthy.contenders[0].timed.timing.recording.setting.channels == 4
    assert not comparison.contenders[0].ends
    timing = comparison.contenders[0].timed.timing
    assert (timing.one_ring is None) == (number in (0, 3)), "what stops is drawn as it is timed"


@pytest.mark.parametrize(
    ("ranks", "names"),
    [
        (8, ("ring", "tree")),
        (8, ("ring", "parameter-server")),
        (16, ("ring", "hierarchical")),
        (16, ("ring", "three-level")),
        (16, ("ring", "nvls-tree")),
        (16, ("tree", "parameter-server")),
    ],
)
def test_without_a_machine_it_is_that_of_the_pictures(ranks, names):
    """Of all algorithms with servers, or of none: the links are those of the films of them."""
    comparison = compare("all_reduce", *names, ranks=ranks)
    for one in comparison.contenders:
        alone = usual_machine(one.recording if "server" not in names[1] else served(ranks))
        machine = one.timed.timing.topology
        assert machine.latency.max() == pytest.approx(alone.latency.max(), rel=1e-3)
        assert machine.bandwidth.max() == pytest.approx(alone.bandwidth.max(), rel=1e-3)
        assert machine.channels == alone.channels


def served(ranks):
    return record("all_reduce", "parameter-server", ranks=ranks)


def test_parameters_of_algorithms_are_given_as_to_record():
    common = {"ranks": 16, "size": "1MiB", "topology": "cluster"}
    four = compare("all_reduce", "ring", "tree", parameters={"channels": 4}, **common)
    assert four.contenders[0].recording.parameters == {"channels": 4, "gpus": 8}
    one = compare("all_reduce", "ring", "tree", parameters={"channels": 1}, **common)
    eight = compare("all_reduce", "ring", "tree", **common)
    every = [each.contenders[0].seconds for each in (eight, four, one)]
    assert every == sorted(every) and every[0] < every[2]


OTHER_ROOTS = [record("broadcast", "tree", ranks=4, root=root) for root in (1, 2)]
OPTIONS = [
    ({"parameters": {"chanels": 4}}, "chanels=4: none of these algorithms takes it; did you"),
    ({"parameters": {1: 2}}, 'parameters: the name 1: must be text; try: {"radix": 3}'),
    ({"chunks": 3}, "chunks=3: none of these algorithms is pipelined; leave it out"),
    ({"root": 1}, "root=1: all-reduce has no root; leave it out"),
    ({"ranks": 1}, "ranks=1: nothing moves; try: ranks=2"),
    ({"ranks": 1 << 13}, "ranks=8192: a comparison shows 2 to 4096 ranks; try: ranks=4096"),
    ({"parameters": 5}, 'parameters 5: must be a dict; try: {"radix": 3}'),
    ({"parameters": {"channels": "x"}}, "channels 'x': must be a whole number"),
    ({"channels": 4}, "channels: of a machine that is not named, or of an algorithm; try: param"),
    ({"gpus": 4}, "gpus: which machine has it? try: topology='cluster:gpus=4'"),
    ({"foo": 1}, "foo: no parameter of a machine; choose from"),
]


@pytest.mark.parametrize(("options", "says"), OPTIONS, ids=[says for _, says in OPTIONS])
def test_bad_options_are_one_line(options, says):
    with pytest.raises(BadInput) as refused:
        compare("all_reduce", "ring", "tree", **{"ranks": 8, **options})
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("root", [None, 1, 2])
def test_recordings_of_other_roots_are_refused_without_a_circle(root):
    with pytest.raises(BadInput, match=r"^recordings with roots 1 and 2: must have one root; rec"):
        compare(*OTHER_ROOTS, root=root)


def test_links_without_a_machine_are_those_of_a_crossbar():
    comparison = compare("all_reduce", "ring", "tree", ranks=4, size="1MiB", latency="1us")
    assert comparison.first.timed.timing.topology.name == "crossbar"


REFUSED = [
    (("all_reduce",), "all-reduce: name 2 to 4 algorithms; try: all-reduce ring tree"),
    ((), "all-reduce: name 2 to 4 algorithms; try: all-reduce ring tree"),
    (("all_reduce", "ring", "broadcast", "tree"), "unknown all-reduce algorithm 'broadcast'"),
    (("all_reduce", "ring", 5), "5: no algorithm, function or recording; try: compare("),
    (("all_reduce", "ring", "nothing.json"), "nothing.json: no such file"),
    (("send_recv", "ping-pong"), "send-recv: its algorithms send different things"),
]


@pytest.mark.parametrize(("subjects", "says"), REFUSED, ids=[str(each[0]) for each in REFUSED])
def test_bad_input_is_one_line(subjects, says):
    with pytest.raises(BadInput) as refused:
        compare(*subjects)
    assert str(refused.value).startswith(says)
    assert "\n" not in str(refused.value)


def test_recordings_must_have_as_many_ranks():
    few, many = (record("all_reduce", "ring", ranks=ranks) for ranks in (4, 8))
    with pytest.raises(BadInput, match="recordings on 4 and 8 ranks"):
        compare(few, many)
    with pytest.raises(BadInput, match=r"^ranks=8: a recording has 4 ranks; try: ranks=4"):
        compare("all_reduce", "tree", few, ranks=8)


def test_a_wrong_algorithm_is_not_compared():
    with pytest.raises(WrongSchedule, match="careless_all_reduce on 4 ranks: rank 3"):
        compare("all_reduce", "ring", careless_all_reduce, ranks=4)


def test_a_machine_may_be_named_with_its_parameters():
    named = compare("all_reduce", "ring", "tree", ranks=16, topology="cluster:gpus=4")
    given = compare("all_reduce", "ring", "tree", ranks=16, topology="cluster", gpus=4)
    built = compare(
        "all_reduce", "ring", "tree", topology=collectives.topology("cluster", 16, gpus=4), ranks=16
    )
    seconds = [[one.seconds for one in each.contenders] for each in (named, given, built)]
    assert seconds[0] == seconds[1] == seconds[2]


def test_subjects_are_of_one_collective_and_root():
    broadcast = record("broadcast", "tree", ranks=4, root=2)
    with pytest.raises(BadInput, match="all-reduce and broadcast: must be one collective"):
        compare(record("all_reduce", "ring", ranks=4), broadcast)
    both = compare("broadcast", "linear", broadcast)
    assert [one.recording.root for one in both.contenders] == [2, 2]
    with pytest.raises(BadInput, match=r"^root=1: a recording has another; try: root=2"):
        compare("broadcast", "linear", broadcast, root=1)


def test_a_pipeline_has_about_the_fastest_number_of_chunks_unless_it_is_asked_for_another():
    common = {"ranks": 8, "size": "64MiB", "topology": "hgx-h100"}
    ring, tree = compare("broadcast", "ring", "tree", **common).contenders
    chain = find_row("broadcast", "ring")
    setup = Where("hgx-h100", clock="dataflow").setup()
    every = {
        chunks: compare("broadcast", f"ring:chunks={chunks}", "tree", **common)
        .contenders[0]
        .seconds
        for chunks in (4, ring.recording.chunks)
    }
    best = best_chunks(chain, 8, 64 << 20, setup).seconds
    assert best <= ring.seconds == every[ring.recording.chunks] < 1.01 * best < every[4]
    assert tree.recording.chunks is None
    bare, _ = compare("broadcast", "ring", "tree", **{**common, "size": 0}).contenders
    assert bare.recording.chunks == 1


def test_chunks_and_why_so_many_are_in_the_lines():
    common = {"ranks": 8, "size": "64MiB", "topology": "hgx-h100"}
    free = compare("broadcast", "ring", "tree", **common)
    asked = compare("broadcast", "ring", "tree", chunks=6, **common)
    assert free.chunks[0].endswith(" chunks, about the fastest number at this size")
    assert asked.chunks == ("ring: 6 chunks",)
    assert [one["chunks"] for one in asked.as_json()["algorithms"]] == [6, None]
    assert "chunks Ring: 6 chunks." in [str(line) for line in asked.lines()]


def test_parameters_that_are_asked_for_are_in_the_name_and_those_of_a_machine_are_not():
    common = {"ranks": 16, "size": "64KiB", "topology": "cluster"}
    asked = compare("all_reduce", "hierarchical:outside=doubling", "ring", **common)
    assert [one.name for one in asked.contenders] == ["hierarchical (outside doubling)", "ring"]
    assert [asked.short_name(one) for one in asked.contenders] == ["hierarchical", "ring"]
    twice = compare("all_reduce", "hierarchical:outside=doubling", "hierarchical", **common)
    names = [twice.short_name(one) for one in twice.contenders]
    assert names == ["outside doubling", "hierarchical"]
