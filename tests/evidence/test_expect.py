"""What is expected: the model of posted rows, and ranges in which rows of other sources lie."""

import csv
import io
from pathlib import Path

import pytest
from each import each

from collectives import BadInput, expect, record, time
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.where import Where
from collectives.evidence import measured_range
from collectives.evidence.expectation import ALONE, COLUMNS
from collectives.evidence.measured import compare
from collectives.evidence.measured_model import LAUNCH, machine_of, model
from collectives.evidence.posted_machine import as_posted
from collectives.formats.nccl_tests import read

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
GIB, MIB = 1 << 30, 1 << 20
ROWS = measured_range.sound_rows()


def one(size, topology="hgx-h100", **options):
    (found,) = expect("all_reduce", topology=topology, sizes=[size], **options).sizes
    return found


def test_of_rows_whose_source_is_left_out_nearly_all_lie_in_the_range_of_the_others():
    inside = ranged = 0
    for row in ROWS:
        others = [other for other in ROWS if other.row.repository != row.row.repository]
        found = measured_range.measured_range(row.row, row.model, others)
        if found is not None:
            ranged += 1
            inside += found.low <= row.row.time_us / row.model.time <= found.high
    assert measured_range.coverage() == measured_range.Coverage(inside, ranged, len(ROWS))
    assert ranged >= 32 and inside >= 0.9 * ranged


HELD_OUT = {  # whole tables, of whose sources no row is used
    "superbenchmark_all_reduce": ("hgx-a100", "all_reduce", 8, "microsoft"),
    "superbenchmark_all_gather": ("hgx-a100", "all_gather", 8, "microsoft"),
    "superbenchmark_broadcast": ("hgx-a100", "broadcast", 8, "microsoft"),
    "aws_p5_all_reduce": ("cluster:outside=efa-p5", "all_reduce", 16, "aws"),
}


@each("name", HELD_OUT)
def test_whole_tables_of_a_source_that_is_left_out_lie_in_the_ranges(name):
    machine, op, ranks, source = HELD_OUT[name]
    others = [other for other in ROWS if not other.row.repository.startswith(source)]
    rows = [row for table in read(str(DATA / f"{name}.txt")) for row in table.rows if row.size > 4]
    assert len(rows) >= 5
    for row in rows:
        posted = as_posted(Where(machine), op, ranks, row.size)
        found = measured_range.measured_range(posted, model(posted), others)
        assert found.low <= row.seconds * 1e6 / model(posted).time <= found.high, row


def test_rows_with_a_suspected_fault_make_no_range_wider():
    faulty = [found for found in compare() if found.cause == "fault"]
    assert len(faulty) == 4 and not {found.row for found in faulty} & {found.row for found in ROWS}
    assert max(1 / found.ratio for found in faulty) > 3 > one(GIB, "cluster").range.high


def test_the_range_is_narrower_at_one_gibibyte_than_at_one_mebibyte():
    small, large = one(MIB).range, one(GIB).range
    assert large.high / large.low < 1.7 < 2.2 < small.high / small.low
    assert len(large.sources) > len(small.sources) > 1


def test_few_sources_make_a_range_wider():
    large = [row for row in ROWS if row.row.ranks == 8 and row.row.size_bytes == GIB]
    alone = [row for row in large if row.row.repository == large[0].row.repository]
    ranges = [
        measured_range.measured_range(large[0].row, large[0].model, rows) for rows in (alone, large)
    ]
    times = [1 / row.ratio for row in alone]
    assert ranges[0].low == min(times) / 1.5 and ranges[0].high == max(times) * 1.5
    assert [len(found.sources) for found in ranges] == [1, 3]


@pytest.mark.parametrize(
    ("size", "machine"), [(GIB, {"ranks": 64}), (GIB, {"ranks": 8, "name": "pcie-box"})]
)
def test_where_nobody_posted_a_row_it_says_so(size, machine):
    name = machine.pop("name", "cluster")
    report = expect("all_reduce", topology=name, sizes=[size], **machine)
    assert report.sizes[0].range is None
    assert ALONE in repr(report) and any(ALONE in str(line) for line in report.lines())


def test_the_time_is_nccls_estimate_and_the_start_of_a_kernel():
    found, choice = one(GIB), tuner.choose(hgx("H100"), "all_reduce", GIB).candidate
    assert found.seconds == pytest.approx((choice.time + LAUNCH) * 1e-6)
    assert found.algorithm == choice.name == "NVLS Simple"
    assert found.busbw == pytest.approx(GIB / found.seconds * 1.75)
    low, high = found.bounds
    assert low / found.seconds == pytest.approx(found.range.low)
    assert high / found.seconds == pytest.approx(found.range.high)


@pytest.mark.parametrize("nics", [1, 4, 8])
def test_a_cluster_is_the_machine_that_nccl_s_tuner_is_asked_about(nics):
    where = Where(f"cluster:nics={nics},outside=ib-hdr")
    row = as_posted(where, "all_reduce", 16, GIB)
    assert machine_of(row) == hgx("H100", 2, 8, nics, 25.0)


def test_a_machine_of_ones_own_is_timed_by_the_clock():
    found = one(GIB, "torus-2d", ranks=4)
    ring = time(record("all_reduce", "ring", ranks=4), "torus-2d", size=GIB).total
    assert found.algorithm == "ring" and found.seconds == pytest.approx(ring)
    assert one(8, "torus-2d", ranks=16).algorithm == "double-binary-tree"
    assert one(GIB, "hgx-h100", like="openmpi").range is None


def test_the_table_is_the_values():
    report = expect("all_gather", topology="hgx-a100")
    assert [size.size for size in report.sizes] == [8 << k for k in range(31)]
    head, *rows = csv.reader(io.StringIO(report.as_csv()))
    assert tuple(head) == COLUMNS and len(rows) == 31
    for row, size, plain in zip(rows, report.sizes, report.as_json()["sizes"], strict=True):
        values = dict(zip(head, row, strict=True))
        assert float(values["time_us"]) == pytest.approx(size.seconds * 1e6, rel=1e-4)
        assert float(values["busbw_low_GBps"]) == pytest.approx(plain["busbw_low"] / 1e9, rel=1e-4)
        assert plain["seconds_low"] * plain["busbw_high"] == pytest.approx(size.size * 7 / 8)


REFUSED = [
    ({"topology": "hgx-h100", "ranks": 9}, "9 ranks: hgx-h100 takes 1 to 8"),
    ({"topology": "hgx-h100", "ranks": 1}, "one rank has no partner"),
    ({"topology": "crossbar"}, "crossbar: how many ranks? try: -n 8"),
    ({"topology": "hgx-h100", "sizes": []}, "there are none; try: 1GiB"),
    ({"topology": "hgx-h100", "sizes": [0]}, "size 0"),
    ({"topology": "hgx-h100", "sizes": range(1, 300)}, "at most 256 are taken"),
    ({"topology": "torus-2d", "ranks": 4, "like": "nccl"}, "its tuner knows GPUs"),
    ({"topology": "hgx-h100", "like": "nope"}, "unknown library 'nope'"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_cannot_be_expected_is_refused(options, why):
    with pytest.raises(BadInput) as problem:
        expect("all_reduce", **options)
    assert why in str(problem.value)


@pytest.mark.parametrize("collective", ["scan", "barrier", "send_recv", "dispatch"])
def test_what_nccl_tests_do_not_measure_is_refused(collective):
    with pytest.raises(BadInput, match=r"nccl-tests measure no .*; try: all-reduce"):
        expect(collective, topology="hgx-h100")


def test_links_of_another_speed_are_not_taken_for_those_of_posted_rows():
    plain, half = (
        expect("all_reduce", topology="hgx-h100", sizes=["1GiB"], **given)
        for given in ({}, {"bandwidth": "0.5x"})
    )
    assert plain.sizes[0].range is not None
    assert half.sizes[0].range is None
    ring = record("all_reduce", "ring", ranks=8)
    own = time(ring, "hgx-h100", size="1GiB", bandwidth="0.5x").total
    assert half.sizes[0].seconds == pytest.approx(own, rel=1e-9)
    assert half.machine == "hgx-h100, bandwidth 0.5x"
    assert "the links of hgx-h100, bandwidth 0.5x" in half.how


def test_ranks_on_other_gpus_are_not_taken_for_those_of_posted_rows():
    moved = expect("all_reduce", topology="cluster", ranks=16, sizes=["1GiB"], place="3=8")
    assert moved.sizes[0].range is None
    assert "the places of ranks of cluster, place 3=8" in moved.how
