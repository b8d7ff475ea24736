"""Maps of additions: layouts, what is certain of them, and what pins the order of two setups."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
from settings import sampled

from collectives import BadInput, addition_order, bits, log, record, topology
from collectives.bitwise.addition_map import shown
from collectives.bitwise.layouts import PROTOCOLS, gloo_ring, nccl_channels, nccl_ring

SIZES = (4, 1000, 1 << 14, 49_380, 1 << 16, 1 << 20, (1 << 20) + 4, 1 << 25, 1 << 28)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_nccls_chunks_cover_the_vector_once_whatever_the_channels(name):
    cases = product(SIZES, (1, 2, 3, 8, 24, 32, 64), (2, 3, 8), (2, 4, 8))
    for size, channels, ranks, itemsize in sampled(list(cases), 7):
        count = max(1, size // itemsize)
        shares = nccl_channels(count, itemsize, ranks, PROTOCOLS[name], channels)
        assert sum(shares) == count and len(shares) <= channels and min(shares) > 0
        end = 0
        for chunk in nccl_ring(count, itemsize, ranks, name, channels):
            assert chunk.start == end < chunk.stop and 0 <= chunk.chunk < ranks
            end = chunk.stop
        assert end == count


def test_nccls_channels_are_those_of_a_log():
    """NCCL: AllReduce: 33554432 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..31}."""
    assert len(nccl_channels(1 << 23, 4, 2, PROTOCOLS["Simple"], 32)) == 32


def test_a_short_vector_uses_few_channels():
    used = [len(nccl_channels(1 << k, 4, 8, PROTOCOLS["Simple"], 24)) for k in range(10, 20)]
    assert used == sorted(used) and used[0] == 1 and used[-1] > 16


def test_a_large_chunk_runs_in_loops():
    chunks = list(nccl_ring(1 << 26, 4, 8, "Simple", 2))
    assert {chunk.loop for chunk in chunks} == set(range(8))
    assert chunks[0].stop - chunks[0].start == 1 << 19  # 2 MiB


def test_gloos_segments_end_at_a_mebibyte():
    assert gloo_ring(1 << 20, 4, 4) == [1 << 18] * 4
    assert gloo_ring((1 << 23) + 1, 2, 4) == [4194308, 4194301]  # 17 segments each


def test_nccls_ring_starts_behind_the_chunks_owner_and_its_tree_is_a_chain_on_a_node():
    ring = bits("all_reduce", like="nccl", ranks=4, size=64, settings={"algorithm": "Ring"})
    assert ring.order_of(0) == "((x1 + x2) + x3) + x0"
    tree = bits("all_reduce", like="nccl", ranks=4, size="1MiB", settings={"algorithm": "tree"})
    assert tree.orders == ["((x2 + x3) + x1) + x0"]
    root = bits("reduce", like="nccl", ranks=4, size="1MiB", root=2)
    assert root.orders == ["((x0 + x3) + x1) + x2"]
    parts = bits("reduce_scatter", like="nccl", ranks=4, size="1MiB", settings={"protocol": "LL"})
    assert parts.order_of(0) == "((x1 + x2) + x3) + x0" and len(parts.parts) == 4


LOG = Path(__file__).parents[1] / "data" / "nccl_logs" / "rings_2x8.log"


def test_nccls_orders_are_those_of_the_executed_ring():
    executed = addition_order(record("all_reduce", "ring", ranks=8))
    by_chunk = {chunk: one.expression for one in executed for chunk in one.chunks}
    found = bits("all_reduce", like="nccl", size="64KiB", settings={"algorithm": "Ring"})
    assert {part.order for part in found.parts} == {*by_chunk.values()}
    for part in found.parts:
        assert part.order == by_chunk[int(part.place.split()[-1])]


def of_log(path, size, **more):
    settings = {"algorithm": "Ring", "log": str(path)}
    asked = {"like": "nccl", "ranks": 16, "size": size, "settings": settings}
    return bits("all_reduce", **asked, **more)


def test_rings_of_a_log_are_those_of_its_executed_schedule():
    executed = {one.expression for one in addition_order(log(LOG).recording())}
    found = of_log(LOG, "256KiB")
    assert "4 of 8 channels" in found.algorithm and "log" in found.notes[1]
    assert {*found.orders} == executed
    assert "no whole ring of channel 5" in of_log(LOG, "16MiB").unknown


def test_the_same_job_on_other_racks_adds_in_another_order(tmp_path):
    other = tmp_path / "other.log"
    other.write_text(LOG.read_text().replace("0    5   12   15", "0    5   15   12"))
    found = of_log(LOG, "256KiB", against={"log": str(other)})
    assert found.verdict == "another order"
    ((start, stop),) = {(found.differing[0].start, found.differing[-1].stop)}
    (first, *_, last) = [part for part in found.first.parts if part.place.startswith("channel 3")]
    assert first.start <= start and stop == last.stop == 1 << 16
    assert of_log(LOG, "64KiB", against={"log": str(other)}).verdict == "same order"  # 1 channel
    with pytest.raises(BadInput, match="has 16 ranks; try: -n 16"):
        bits("reduce", like="nccl", ranks=8, size=64, settings={"log": str(LOG)})


def test_nvls_and_several_nodes_have_no_order_that_can_be_said():
    switch = bits("all_reduce", like="nccl", size="64MiB")
    assert "NVLS" in switch.algorithm and "rounded once" in switch.unknown
    far = bits("all_reduce", like="nccl", size="1MiB", ranks=16)
    assert "log=nccl.log" in far.unknown and far.order_of(0) == ""
    same = bits("all_reduce", like="nccl", size="64MiB", against={"size": "64MiB"})
    assert same.verdict == "cannot say" and not same.differing


def test_only_nccls_basis_says_that_it_is_not_verified():
    for library in ("openmpi", "mpich", "gloo", "nccl"):
        found = bits("all_reduce", like=library, size="64KiB", ranks=4)
        assert ("not verified" in found.basis) == (library == "nccl")


def test_two_sizes_differ_from_an_element_on_and_a_pin_is_one():
    found = bits("all_reduce", like="openmpi", ranks=3, size="4KiB", against={"size": "2KiB"})
    assert found.verdict == "another order" and found.common == 512
    (run,) = found.differing
    assert (run.start, run.stop) == (342, 512)
    first = found.pins[0]
    assert first.settings == {"algorithm": "recursive-doubling"}
    pinned = bits(
        "all_reduce",
        like="openmpi",
        ranks=3,
        size="4KiB",
        settings=first.settings,
        against={"size": "2KiB"},
    )
    assert pinned.verdict == "same order"


def test_channels_are_a_setting_and_pinning_them_is_found():
    settings = {"algorithm": "ring"}
    asked = {"like": "nccl", "size": "64KiB", "settings": settings}
    found = bits("all_reduce", **asked, against={"channels": 1})
    assert found.differing[0].start == 1024
    assert {"channels": "1"} in [pin.settings for pin in found.pins]
    assert {"algorithm": "Tree"} in [pin.settings for pin in found.pins]


def test_other_ranks_add_other_sums_and_two_ranks_never_differ():
    assert bits("reduce", like="gloo", size=64, against={"ranks": 3}).verdict == "another order"
    for library in ("mpich", "gloo", "nccl"):
        two = {"like": "openmpi", "ranks": 2, "size": 4096, "against": {"like": library}}
        assert bits("all_reduce", **two).verdict == "same order"


def test_few_elements_take_another_algorithm_of_open_mpi():
    few = bits("all_reduce", like="openmpi", ranks=4, size=8, settings={"algorithm": 4})
    assert few.algorithm == "recursive doubling" and "fewer elements" in few.rule


@pytest.mark.parametrize("size", ["0B", "4KiB"])
@pytest.mark.parametrize("against", [None, {"size": "2KiB"}, {"ranks": 4}])
def test_lines_and_json_agree(against, size):
    found = bits("all_reduce", like="openmpi", ranks=3, size=size, against=against)
    text = "\n".join(map(str, found.lines()))
    value = json.loads(json.dumps(found.as_json()))
    if against is None and size == "0B":
        assert "no elements" in text and value["parts"] == []
    elif against is None:
        assert "0 – 341  " in text
        assert [part["start"] for part in value["parts"]] == [0, 342, 683]
    else:
        assert value["verdict"] in text and value["first"]["ranks"] == 3
    assert "\n" not in repr(found)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("try: all-reduce", {"collective": "broadcast", "like": "nccl", "size": 64}),
        ("choose from openmpi", {"like": "vllm", "size": 64}),
        ("which size", {"like": "gloo"}),
        ("must be at most 64", {"like": "gloo", "size": 64, "ranks": 65}),
        ("has no such setting", {"like": "gloo", "size": 64, "settings": {"channels": 8}}),
        ("must be a dict", {"like": "gloo", "size": 64, "against": 5}),
        ("must be text", {"like": 5, "size": 64}),
        ("must be text", {"like": "nccl", "size": 64, "topology": topology("ring", 4)}),
        ("whole elements", {"like": "gloo", "size": 63}),
        ("which library", {"against": {"size": 5}, "dumps": ([1.0], [1.0])}),
        ("must be two", {"dumps": ([1.0],)}),
        ("must be alike", {"dumps": ([1.0], [1.0, 2.0])}),
        ("blocks of the same size", {"collective": "reduce_scatter", "like": "nccl", "size": 60}),
        ("1 float64 and 1 int64", {"dumps": ([1.0], [1])}),
        ("have 1 and 2 calls", {"dumps": ([[1.0]], [[1.0], [1.0]])}),
        ("in any order", {"dumps": ([1], [2]), "like": "gloo"}),
        ("a vector for each call", {"dumps": (5, [1.0])}),
    ],
)
def test_what_cannot_be_mapped_is_refused_in_a_line(words, given):
    collective = given.pop("collective", "all_reduce")
    with pytest.raises(BadInput) as raised:
        bits(collective, **given)
    assert words in str(raised.value) and "\n" not in str(raised.value)


def test_no_name_of_a_long_order_is_cut():
    """On 64 ranks no x6 stands for x60, whatever the room is."""
    order = bits("all_reduce", like="openmpi", ranks=64, size="64KiB").orders[0]
    every = re.findall(r"\w+", order)
    for room in range(20, 120):
        start, end = (re.findall(r"\w+", half) for half in shown(order, room).split(" … "))
        assert every[: len(start)] + every[len(every) - len(end) :] == start + end, room
