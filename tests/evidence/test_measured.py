"""The model beside the measured rows: how many are met, and that every reason can be checked."""

from collections import Counter
from dataclasses import replace
from statistics import median

import pytest

from collectives.cost.busbw import factor
from collectives.errors import BadInput
from collectives.evidence import measured
from collectives.evidence.measured_model import LAUNCH, machine_of, model, wires

FOUND = measured.compare()
HEAD = ",".join(field for field in measured.Measured.__dataclass_fields__)


def row_of(**changes):
    return replace(FOUND[0].row, **changes)


def on(gpu, ranks, nodes, fabric, note="", op="all_reduce", size=10**9):
    """A row of this machine."""
    machine = {"gpu": gpu, "ranks": ranks, "nodes": nodes, "fabric": fabric, "note": note}
    return row_of(**machine, op=op, size_bytes=size)


def test_rows_are_consistent_in_themselves():
    rows = measured.read()
    assert len(rows) == 48
    for row in rows:
        assert row.size_bytes / row.time_us / 1000 == pytest.approx(row.algbw_GBps, rel=5e-3)
        busbw = row.algbw_GBps * float(factor(row.op, row.ranks))
        assert busbw == pytest.approx(row.busbw_GBps, rel=3e-3, abs=7e-3)  # two decimals


def test_every_row_has_a_model_and_a_ratio():
    assert [one.row for one in FOUND] == list(measured.read())
    for one in FOUND:
        assert one.ratio == one.model.time / one.row.time_us > 0
        assert one.missed == (not 0.75 <= one.ratio <= 1.25)
        assert 0 <= one.model.moving <= one.model.time * (1 + 1e-12)


def test_most_rows_are_met_and_every_miss_has_a_cause():
    causes = Counter(one.cause for one in FOUND if one.missed)
    assert sum(not one.missed for one in FOUND) == 34
    assert causes == {"starting": 1, "rising": 5, "fault": 4, "network": 3, "card latency": 1}
    assert all(bool(one.reason) == bool(one.cause) == one.missed for one in FOUND)


def test_all_but_one_of_the_sound_large_rows_of_up_to_144_ranks_are_met():
    """From 128 MiB on nothing is missed but the filling of a rack at 512 MiB."""
    large = [one for one in FOUND if one.row.size_bytes >= 2**27 and one.row.ranks <= 144]
    sound = [one for one in large if one.cause != "fault"]
    assert len(sound) == 23
    assert [(one.row.gpu, one.row.size_bytes) for one in sound if one.missed] == [("GB200", 2**29)]


def test_launching_is_what_small_rows_take_beyond_the_tuners_time():
    small = [
        one
        for one in FOUND
        if one.row.size_bytes <= 65536 and one.row.nodes == 1 and "tuner" in one.model.how
    ]
    assert len(small) == 6
    beyond = [one.row.time_us - (one.model.time - LAUNCH) for one in small]
    assert round(median(beyond)) == LAUNCH
    assert max(beyond) - min(beyond) < 10


MISSED = {  # of 16 MiB and more on up to two nodes: operation, GPU, ranks, size, cause
    ("all_gather", "A100-SXM4-40GB", 8, 1 << 24, "rising"),
    ("alltoall", "A100-SXM4-40GB", 8, 1 << 24, "rising"),
    ("all_reduce", "A100", 8, 1 << 24, "rising"),
    ("all_reduce", "H100 80GB", 16, 1 << 30, "fault"),  # twice: with NVLS, and without
}


def test_three_of_four_large_rows_on_up_to_two_nodes_are_met():
    """By what NCCL would do; what launching takes was found from none of these rows."""
    large = [one for one in FOUND if one.row.size_bytes >= 1 << 24 and one.row.nodes <= 2]
    met = [one for one in large if not one.missed]
    assert (len(met), len(large)) == (22, 27)
    assert len(met) >= 0.75 * len(large)
    assert {
        (one.row.op, one.row.gpu, one.row.ranks, one.row.size_bytes, one.cause)
        for one in large
        if one.missed
    } == MISSED


def test_starting_means_that_bytes_do_not_take_the_time():
    for one in FOUND:
        if one.cause == "starting":
            assert one.row.size_bytes <= 65536
            assert one.model.moving < one.row.time_us / 2
            assert f"{one.model.moving:.1f} of {one.row.time_us:.0f}" in one.reason
    times = [o.row.time_us for o in FOUND if o.row.size_bytes == 65536 and o.row.op != "alltoall"]
    assert len(times) == 5 and max(times) / min(times) < 1.06  # five operations, one time


def test_rising_means_that_a_larger_row_of_the_same_curve_is_met():
    for one in FOUND:
        if one.cause == "rising":
            larger = [
                other
                for other in FOUND
                if other.row.setting == one.row.setting
                and other.row.size_bytes > one.row.size_bytes
                and not other.missed
            ]
            assert larger and one.ratio < 1
            assert max(other.row.busbw_GBps for other in larger) > one.row.busbw_GBps * 1.25


def test_network_means_that_fewer_nodes_are_met_at_the_same_size():
    for one in FOUND:
        if one.cause == "network":
            fewer = [
                other
                for other in FOUND
                if (other.row.gpu, other.row.size_bytes) == (one.row.gpu, one.row.size_bytes)
                and other.row.ranks < one.row.ranks
            ]
            assert not any(other.missed for other in fewer) and fewer
            assert all(other.row.busbw_GBps > 1.25 * one.row.busbw_GBps for other in fewer)


def test_a_fault_is_the_posters_word():
    for one in FOUND:
        assert (one.cause == "fault") == ("fault" in one.row.note or "same cluster" in one.row.note)


def test_card_latency_lies_between_both_models():
    [one] = [one for one in FOUND if one.cause == "card latency"]
    assert one.model.unknown_latency < one.row.time_us < one.model.time
    assert (one.row.ranks, one.row.nodes) == (16, 2)
    plain = one.row.fabric.replace("3200G EFA", "8x400G")
    without = model(replace(one.row, fabric=plain, note=""))
    assert without.time == one.model.unknown_latency


def test_a_row_nothing_explains_says_so():
    fast, slow = row_of(size_bytes=2**30, time_us=1000.0), row_of(size_bytes=2**30, time_us=1e6)
    for row in (fast, slow):
        [one] = measured.compare([row])
        assert one.missed and one.cause == "not explained"


def test_rows_that_are_missed_explain_no_others():
    """Neither a larger row of the curve nor fewer nodes, if the model misses them as well."""
    large = row_of(size_bytes=2**30, time_us=1e6)
    small = row_of(size_bytes=2**27, time_us=1e5)
    far = replace(small, ranks=16, nodes=2)
    causes = [one.cause for one in measured.compare([large, small, far])]
    assert causes == ["not explained"] * 3


def test_a_row_that_is_too_fast_is_not_said_to_be_rising():
    fits = FOUND[2].row
    fast = replace(fits, size_bytes=2**27, time_us=500.0, busbw_GBps=470.0)
    assert [one.cause for one in measured.compare([fits, fast])] == ["", "not explained"]


def test_a_note_of_the_same_cluster_needs_a_fault_to_be_one():
    row = row_of(size_bytes=2**30, time_us=1e6, note="same cluster")
    assert measured.compare([row])[0].cause == "not explained"


def test_what_the_words_of_a_row_switch_off():
    h200 = ("H200", 8, 1, "NVLink4/NVSwitch")
    assert machine_of(on(*h200)).without == ()
    assert machine_of(on(*h200, "NVLS off")).without == ("NVLS", "NVLSTree")
    assert "Ring" not in machine_of(on(*h200, "NCCL_ALGO=RING")).without
    assert machine_of(on(*h200, "NCCL_ALGO=Tree")).without == ("Ring", "NVLS", "NVLSTree")
    assert machine_of(on(*h200[:3], "NVLink4/NVSwitch ring")).without == (
        "Tree",
        "NVLS",
        "NVLSTree",
    )


def test_machines_the_tuner_does_not_know_are_wires():
    """A ring of 8 at the rate of the links, whose figures are in the table of links."""
    for gpu, fabric, rate in (
        ("MI300X", "xGMI", 448e9),
        ("L40S", "PCIe 4.0 x16", 31.5e9),
        ("RTX 4090", "PCIe", 31.5e9),
        ("RTX 5090", "PCIe5", 63e9),
    ):
        assert machine_of(on(gpu, 8, 1, fabric)) is None
        found = model(on(gpu, 8, 1, fabric))
        assert found.moving == pytest.approx(1e9 * 14 / 8 / rate * 1e6)
        assert "rings at" in found.how


def test_racks_are_rings_inside_and_between():
    found = wires(on("GB200", 144, 36, "NVLink5 NVL72 + NDR IB", size=72 * 10**9))
    inside, between = 72e9 * 2 * 71 / 72 / 900e9, 1e9 * 2 * 0.5 / 50e9
    assert found.moving == pytest.approx((inside + between) * 1e6)
    assert found.time - found.moving == pytest.approx(LAUNCH + 2 * (71 * 1 + 1 * 2))


def test_grouped_sends_of_several_nodes_wait_for_the_cards():
    found = wires(on("H100", 16, 2, "NVLink4 + 8x NDR400 IB", op="alltoall", size=16 * 10**9))
    assert found.moving == pytest.approx((7e9 / 370.8e9 + 8e9 / 50e9) * 1e6)


def test_the_printed_table_has_every_row_its_ratio_and_every_reason():
    lines = list(measured.MeasuredReport(FOUND).lines())
    assert len(lines) == 1 + 48 + 14 + 1 + 7 + 2
    assert lines[-1] == "not fitted: 34 of 48 rows within 25 %"
    assert lines[1].endswith("37.8 µs    43.3 µs  1.15  NCCL's tuner: Ring LL")
    assert any("84.6 ms" in line for line in lines)
    assert all("not explained" not in line for line in lines)


def test_a_table_of_ones_own(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"# mine\n{HEAD}\nallreduce,H100,8,1,NVSwitch,1073741824,4000,268,470,me,\n\n")
    [one] = measured.compare(measured.read(path))
    assert one.row.op == "all_reduce" and not one.missed


GOOD = "all_reduce,H100,8,1,NVSwitch,1024,4000,268,470,me,"
BAD = [
    ("", "has no rows"),
    ("op,gpus\n", "unknown column 'gpus'; did you mean gpu?"),
    ("op,gpu\n", "there is no column ranks"),
    (f"{HEAD}\n{GOOD},x\n", "line 2: 12 cells, must be 11"),
    (f"{HEAD}\n{GOOD.replace('1024', '-1')}\n", "line 2: size_bytes -1: must be at least 1"),
    (f"{HEAD}\n{GOOD.replace('1024', '1KiB')}\n", "size_bytes '1KiB': must be a number"),
    (f"{HEAD}\n{GOOD.replace('1024', str(2**63))}\n", "must be at most 2^63 - 1"),
    (f"{HEAD}\n{GOOD.replace('4000', 'nan')}\n", "time_us nan: must be a number, neither"),
    (f"{HEAD}\n{GOOD.replace('4000', '0')}\n", "time_us 0: must be above 0"),
    (f"{HEAD}\n{GOOD.replace('8,1,', '1,8,')}\n", "1 rank on 8 nodes; try: 8 ranks"),
    (f"{HEAD}\n{GOOD.replace('all_reduce', 'all_redcue')}\n", "line 2: unknown operation"),
    (f"{HEAD}\n{GOOD.replace('8,1,', '²,1,')}\n", "line 2: ranks '²': must be a number"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_tables_are_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    with pytest.raises(BadInput) as caught:
        measured.read(path)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_machines_that_are_said_oddly(tmp_path):
    """One GPU that has no peers takes no time; a source may be left out."""
    alone = row_of(gpu="MI300X", ranks=1, fabric="xGMI", source="")
    assert measured.compare([alone])[0].model.time == 0
    slow = row_of(op="all_reduce", size_bytes=8, time_us=80.0, source="")
    assert measured.compare([slow])[0].cause == "starting"
    with pytest.raises(BadInput, match="network cards 0: must be at least 1"):
        model(on("H100", 16, 2, "NVLink4 + 0x100G"))
    with pytest.raises(BadInput, match="Gb/s of a network card 0: must be at least 1"):
        model(on("H100", 16, 2, "NVLink4 + 8x0G"))


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(BadInput, match=r"none\.csv: no such file; name an existing file$"):
        measured.read(tmp_path / "none.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"binary\.csv"):
        measured.read(tmp_path / "binary.csv")
