"""Bus bandwidths: measured rows as they are in the table, the model's beside them; the cliff."""

import pytest

from animations.figures import bandwidth_cliff, busbw
from collectives import record
from collectives.cost.busbw import bandwidths
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.errors import BadInput
from collectives.evidence.measured import compare, read

OPERATIONS = sorted({row.op for row in read()})


@pytest.mark.parametrize("op", OPERATIONS)
def test_points_are_the_table_and_lines_the_model(op, theme, legible, lines):
    data = busbw.bus_bandwidth(op)
    page = busbw.draw(data, theme)
    texts = legible(page)
    table = {(row.size_bytes, row.busbw_GBps * 1e9) for row in read() if row.op == op}
    shown = [set(zip(*points, strict=True)) for points in lines(page, "measured")]
    assert shown and all(points <= table for points in shown)
    model = {
        (one.row.setting, one.row.size_bytes): one.model.time
        for one in compare(read())
        if one.row.op == op
    }
    for curve, (sizes, rates) in zip(data.curves, lines(page, "model"), strict=True):
        assert curve.name in texts
        for one in curve.rows:
            seconds = model[one.row.setting, one.row.size_bytes] * 1e-6
            size = one.row.size_bytes
            expected = bandwidths(op, one.row.ranks, size, seconds).busbw
            assert rates[sizes.index(size)] == pytest.approx(expected, rel=1e-12)


def test_the_title_counts_what_is_met(legible):
    data = busbw.bus_bandwidth("all-reduce", "A100", 8)
    every = [one for curve in data.curves for one in curve.rows]
    met = sum(0.75 <= one.ratio <= 1.25 for one in every)
    title = f"All-reduce: the model is within 25 % of {met} of {len(every)} measurements"
    assert title in legible(busbw.draw(data))


def test_it_is_said_why_setups_are_left_out(legible):
    data = busbw.bus_bandwidth("all-reduce")
    settings = {one.row.setting for one in compare(read()) if one.row.op == data.op}
    forced = {one.row.setting for one in compare(read()) if "NCCL_ALGO" in one.row.note}
    counts = (data.measured_once, data.like_shown, data.further)
    assert len(settings - forced) <= len(data.curves) + sum(counts) <= len(settings)
    texts = " ".join(legible(busbw.draw(data))).replace("\n", " ")
    for number, why in zip(
        counts, ("measured at one size", "like one that", "beyond 5"), strict=True
    ):
        assert not number or f"{number} {why}" in texts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("scatter",), "scatter: the table has no measurements of it"),
        (("all-reduce", "V100"), "--gpu V100: not measured; there are"),
        (("all-reduce", None, 7), "-n 7: not measured; there are"),
        (("all-redcue",), "all_reduce"),
    ],
)
def test_what_was_not_measured_is_refused(words, message):
    with pytest.raises(BadInput, match=message):
        busbw.bus_bandwidth(*words)


def made(**parameters):
    names = ["ring", "hierarchical"]
    return bandwidth_cliff.cliff("all-reduce", names, 64, 1 << 30, lockstep, parameters)


@pytest.mark.parametrize("parameters", [{}, {"nics": 1}, {"gpus": 4, "nics": 2}])
def test_the_cliff_is_the_clocks(parameters, theme, legible, lines):
    data = made(**parameters)
    page = bandwidth_cliff.draw(data, theme)
    gpus = parameters.get("gpus", 8)
    said = f"Ring: {gpus} channels, as NCCL." in " ".join(legible(page)).replace("\n", " ")
    assert said == (parameters != {"nics": 1})
    ((ranks, rates),) = lines(page, "curve-ring")
    assert ranks[-1] == 64 and gpus in ranks
    for number, rate in zip(ranks, rates, strict=True):
        inside = min(number, gpus)
        nics = min(parameters.get("nics", gpus), inside)
        machine = topology("cluster", number, gpus=inside, nics=nics)
        channels = gpus if number > gpus and nics > 1 else 1
        asked = {"ranks": number, "count": 1 << 30, "dtype": "uint8"}
        ring = record("all_reduce", "ring", parameters={"channels": channels}, **asked)
        seconds = lockstep(ring, machine).total
        assert rate == bandwidths("all_reduce", number, 1 << 30, seconds).busbw
    ((_, wires),) = lines(page, "wires")
    assert wires == [450e9, 450e9, 50e9, 50e9]


def test_the_title_says_what_is_kept(legible):
    data = made()
    ring, hierarchical = (
        round(100 * curve.values[-1] / curve.values[curve.at.index(8)]) for curve in data.curves
    )
    texts = [text.replace("\n", " ") for text in legible(bandwidth_cliff.draw(data))]
    assert (
        "Beyond a node one message falls from 450 GB/s to 50 GB/s; ring keeps "
        f"{ring} % and hierarchical keeps {hierarchical} % of its bandwidth"
    ) in texts


def test_a_cliff_needs_an_outside_and_bytes():
    for words, message in (
        (("all-reduce", ["ring"], 8, 1 << 20), "-n 8: one node of 8 has no outside; try: 16"),
        (("all-reduce", ["ring"], 16, 0), "no bandwidth without bytes"),
        (("scan", ["linear"], 16, 9), "try: all-reduce"),
        (("all-reduce", ["ring"], 10**5, 9), "ring all-reduce on 65536 .*; try: -n 1024$"),
    ):
        with pytest.raises(BadInput, match=message):
            bandwidth_cliff.cliff(*words, lockstep, {})


@pytest.mark.parametrize(
    ("op", "name", "factor"),
    [
        ("all_reduce", "All-reduce", " × 2(n − 1)/n"),
        ("alltoall", "All-to-all", " × (n − 1)/n"),
        ("all_gather", "All-gather", " × (n − 1)/n"),
    ],
)
def test_the_axis_says_what_bus_bandwidth_is(op, name, factor, legible):
    texts = legible(busbw.draw(busbw.bus_bandwidth(op)))
    assert f"bus bandwidth = size / time{factor}" in texts
    assert any(text.startswith(f"{name}: ") for text in texts)
    assert "0" in texts
