"""`collectives expect` and the figure of it: what Python says, as a table, CSV and a picture."""

import json
from pathlib import Path

import pytest

from collectives import expect

P5 = Path(__file__).parents[1] / "data" / "nccl_tests" / "aws_p5_all_reduce.txt"


def test_it_says_what_python_says(right):
    asked = "expect all-reduce --topology hgx-h100 --size 1MiB --size 1MiB-16MiB --size 1GB"
    here = expect(
        "all_reduce", topology="hgx-h100", sizes=[1 << k for k in range(20, 25)] + [10**9]
    )
    assert right(f"{asked} --json").json == json.loads(json.dumps(here.as_json()))
    out = right(asked).out
    assert "NVLS Simple" in out and "1 GB" in out and "measured range" in out
    assert "rows of 2 sources" in out and "still have a range lie in it" in out


def test_the_table_is_written_as_csv(right, folder):
    right("expect all-reduce -n 64 --topology cluster --size 1GiB -o out.csv")
    head, row = (folder / "out.csv").read_text().splitlines()
    assert head.startswith("size_bytes,time_us,time_low_us") and row.startswith("1073741824,")
    assert row.endswith(",NVLSTree Simple,0,")


def test_a_file_of_ones_own_is_a_machine(right, folder):
    (folder / "mine.toml").write_text(
        'name = "mine"\nranks = 2\n[[link]]\nbetween = [[0, 1]]\nbandwidth = "10GB/s"\n'
        'latency = "1us"\n'
    )
    report = right("expect all-reduce --topology mine.toml --size 1GB --json").json
    assert report["ranks"] == 2 and report["sizes"][0]["algorithm"] == "ring"
    assert report["sizes"][0]["seconds"] == pytest.approx(0.1, rel=0.01)


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("all-reduce", ("which machine?", "--topology hgx-h100")),
        ("all-reduce --topology hgx-h100 --size 8GiB-1MiB", ("must go up",)),
        ("all-reduce --topology hgx-h100 --size 1-", ("--size", "1-")),
        ("all-reduce --topology hgx-h100 -o out.txt", ("-o out.txt", "try: out.csv")),
        ("all-reduce ring --topology hgx-h100", ("ring",)),
    ],
)
def test_bad_input_is_one_line(collectives, asked, parts):
    ended = collectives(f"expect {asked}")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1), ended
    assert all(part in ended.err for part in parts), ended.err


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("-n 32", "measures 16 ranks"),
        ("-n 16 --size 1B-4B", "has no times between 1 B and 4 B"),
    ],
)
def test_a_measurement_that_does_not_fit_is_not_drawn(collectives, folder, asked, why):
    text = "".join(
        f"# Rank {k} Group 0 Pid 1 on a device 0 [0x1b] NVIDIA H100\n" for k in range(16)
    )
    (folder / "p5.txt").write_text(text + P5.read_text())
    ended = collectives(f"figure expect all-reduce --topology cluster {asked} --measured p5.txt")
    assert ended.status == 2 and why in ended.err, ended
