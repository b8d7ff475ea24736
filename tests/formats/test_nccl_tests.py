"""What nccl-tests print: real samples, and files that are not as they should be."""

import random
import re
import string
import time
from pathlib import Path

import pytest
from each import each
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from settings import THOROUGH

from collectives.errors import BadInput
from collectives.formats.nccl_tests import MAX_RANKS, ranks_by_rates, read

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
HEAD = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
UNITS = "# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)"
ROW = "1024 256 float sum -1 36.07 0.03 0.05 0 35.77 0.03 0.05 0"
FLIPS = 2000 if THOROUGH else 100  # bytes that are flipped in real files, one after the other
MANY = 1_000_000 if THOROUGH else 100_000  # lines
MADE = 1000 if THOROUGH else 60  # files of hypothesis


def lines(*texts):
    return "\n".join(texts)


def tables(tmp_path, text):
    path = tmp_path / "out.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(str(path))


# --- what others posted

SAMPLES = {  # operation, ranks, hosts, devices, rows, the largest size and its times in µs, root
    "superbenchmark_all_reduce": ("", 8, 1, "A100-SXM4-40GB", 34, 1 << 33, 63896, 63959, None),
    "superbenchmark_alltoall": ("", 8, 1, "A100-SXM4-40GB", 8, 1 << 33, 33508, 33234, None),
    "superbenchmark_all_gather": ("", 8, 1, "A100-SXM4-40GB", 7, 1 << 33, 33646, 32669, None),
    "superbenchmark_broadcast": ("", 8, 1, "A100-SXM4-40GB", 7, 1 << 33, 36896, 36599, 0),
    "aws_p5_all_reduce": ("", 0, 0, None, 15, 1 << 34, 66132, 66109, -1),
    "oci_two_nodes_all_reduce": (
        "all_reduce", 16, 2, "NVIDIA A100-SXM4-40GB", 1, 10 << 30, 104989, 104997, -1,
    ),
}  # fmt: skip


@each("name", SAMPLES)
def test_real_samples(name):
    (table,) = read(str(DATA / f"{name}.txt"))
    last, devices = table.rows[-1], list(table.devices) or [None]
    assert devices == [SAMPLES[name][3]]
    found = (table.operation, table.ranks, len(table.hosts), *devices, len(table.rows), last.size)
    times = (round(each.seconds * 1e6) for each in (last.out_of_place, last.in_place))
    assert (*found, *times, last.root) == SAMPLES[name]
    assert last.kind == "float" and last.op in ("sum", "")
    for row in table.rows:
        if row.size:
            rate = row.size / row.out_of_place.seconds
            assert abs(rate - row.out_of_place.algbw) <= 0.006e9 + 0.001 * rate


def test_samples_name_their_source():
    for path in DATA.glob("*.txt"):
        assert re.match(r"# Source: https://github\.com/\S+", path.read_text())
    assert {path.stem for path in DATA.glob("*.txt")} == set(SAMPLES)


def test_busbw_over_algbw_tells_the_ranks():
    (table,) = read(str(DATA / "aws_p5_all_reduce.txt"))
    table.operation = "all_reduce"
    assert list(ranks_by_rates(table)) == [16]
    table.operation = "broadcast"  # whose busbw is the same on any number
    assert list(ranks_by_rates(table)) == []


# --- variants


def test_columns_versions_and_launchers(tmp_path):
    without = "# size count type redop root time algbw busbw time algbw busbw"
    short = "1024 256 float sum -1 36.07 0.03 0.05 35.77 0.03 0.05"
    (table,) = tables(tmp_path, lines(without, short))
    assert table.rows[0].out_of_place.wrong is None
    assert table.rows[0].in_place.seconds == pytest.approx(35.77e-6)
    one = "# size count type redop root time algbw busbw #wrong"
    (table,) = tables(tmp_path, lines(one, "1024 256 float sum -1 36.07 0.03 0.05 3"))
    assert table.rows[0].in_place is None and table.rows[0].out_of_place.wrong == 3
    cpu = HEAD.replace("time", "cputime")
    (table,) = tables(tmp_path, lines(cpu, ROW))
    assert table.rows[0].seconds == pytest.approx(36.07e-6)
    (table,) = tables(tmp_path, lines(HEAD, UNITS.replace("us", "ms"), ROW))
    assert table.rows[0].seconds == pytest.approx(36.07e-3)
    for label in ("0: ", "[1,0]<stdout>:", "[1,0]<stdout>: ", "   "):
        text = lines(*(label + line for line in (HEAD, UNITS, ROW)))
        assert tables(tmp_path, text)[0].rows[0].size == 1024
    (table,) = tables(tmp_path, lines(HEAD, ROW.replace(" 0 35", " N/A 35")).encode("utf-8-sig"))
    assert table.rows[0].out_of_place.wrong is None
    (table,) = tables(tmp_path, lines(HEAD, ROW.replace("36.07", "N/A")))
    assert table.rows[0].out_of_place is None and table.rows[0].seconds == pytest.approx(35.77e-6)


def test_several_runs_and_groups(tmp_path):
    device = "#  Rank {} Group {} Pid 7 on host{} device 0 [0x1b] NVIDIA H100 80GB HBM3".format
    gather = [device(k, 0, 0) for k in range(2)]
    halves = [device(k, k % 2, k) for k in range(4)]
    text = lines(
        "$ ./build/all_gather_perf -b 8", *gather, HEAD, UNITS, ROW, "",
        "# Collective test starting: alltoall_perf", *halves, HEAD, ROW, ROW,
    )  # fmt: skip
    first, second = tables(tmp_path, text)
    assert (first.operation, first.ranks, first.hosts) == ("all_gather", 2, ("host0",))
    assert (second.operation, second.ranks) == ("alltoall", 2)
    assert second.hosts == ("host0", "host2") and len(second.rows) == 2
    assert second.devices == ("NVIDIA H100 80GB HBM3",)
    few = lines(device(0, 0, 0), device(15, 0, 1), HEAD, ROW)  # others left out by the poster
    assert tables(tmp_path, few)[0].ranks == 16


# --- as it is posted: lines after https://github.com/NVIDIA/nccl-tests/issues/249 and .../29,
# https://github.com/NVIDIA/nccl/issues/583, .../1453, https://github.com/aws/aws-k8s-tester/pull/503

MARKED = lines(
    "# nThread 1 nGpus 1 minBytes 8 maxBytes 16777216 step: 2(factor) warmup iters: 5 iters: 5",
    "#",
    "# Using devices",
    "#  Rank  0 Group  0 Pid    127 on worker-0 device  0 [0x00] NVIDIA A10G",
    "#  Rank  1 Group  0 Pid     93 on worker-1 device  0 [0000:c1:00.0] NVIDIA A10G",
    "#",
    "#                                                              out-of-place",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time"
    "   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)"
    "  (GB/s)  (GB/s)",
    "worker-0:127:140 [0] NCCL INFO Connected all trees",
    "        1024           256     float     sum      -1    36.07    0.03    0.03      0    35.77"
    "    0.03    0.03      0",
    "        2048           512     float     sum      -1    36.10    0.06    0.06      0    35.80"
    "    0.06    0.06    N/A",
    "# Out of bounds values : 0 OK",
    "# Avg bus bandwidth    : 0.045",
)
COMMAND = "$ mpirun -np 2 ./build/all_reduce_perf -b 1K -e 2K"


def before(label):
    """The same with a label before each line."""
    return "\n".join(label + line for line in MARKED.splitlines())


def numbered(text):
    """The same with a time before each line, as logs of containers have."""
    return "\n".join(
        f"2025-05-16T16:39:{k:02}.20{k}-07:00 {line}" for k, line in enumerate(text.splitlines())
    )


POSTED = {
    "as printed": MARKED,
    "without #": MARKED.replace("\n#", "\n").removeprefix("#"),
    "without # and blanks": "\n".join(line.lstrip("# ") for line in MARKED.splitlines()),
    "with other blanks": MARKED.replace("\n#", "\n").replace("  ", " \N{NO-BREAK SPACE}"),
    "quoted": before("> "),
    "quoted twice, without #": before("> > ").replace("#  ", "  "),
    "of mpirun": before("[1,0]<stdout>:"),
    "of mpirun, without #": before("[1,0]<stdout>:").replace(":#", ":"),
    "of srun": before(" 0: "),
    "of pdsh": before("node-1: "),
    "of a rank": before("[0] "),
    "of Ray": before("(EngineCore_DP0 pid=10) (Worker pid=285, ip=192.0.2.12) "),
    "of docker": before("node-1  | "),
    "of a container": numbered(MARKED),
    "of a container, without #": numbered(MARKED.replace("\n#", "\n")),
    "with the end of lines of Windows": MARKED.replace("\n", "\r\n"),
}


@each("shape", POSTED)
def test_posted_output_is_read_as_the_printed_one(tmp_path, shape):
    (table,) = tables(tmp_path, lines(COMMAND, POSTED[shape]))
    (printed,) = tables(tmp_path, lines(COMMAND, MARKED))
    assert (table.operation, table.ranks, table.hosts) == (
        "all_reduce", 2, ("worker-0", "worker-1"),
    )  # fmt: skip
    assert table == printed
    assert [row.out_of_place.seconds for row in table.rows] == pytest.approx([36.07e-6, 36.1e-6])


def test_an_older_table_without_its_marks(tmp_path):
    text = lines(
        "   Rank  0 Pid 1821213 on AI-A100 device  0 [0x00] NVIDIA A100-SXM4-40GB",
        "       size         count    type   redop     time   algbw   busbw  error     time   algbw"
        "   busbw  error",
        "        (B)    (elements)                     (ms)  (GB/s)  (GB/s)            (ms)  (GB/s)"
        "  (GB/s)",
        "  1048576        262144   float     sum    47.38   22.13   38.73  2e-07    46.84   22.39"
        "   39.18  2e-07",
    )
    (table,) = tables(tmp_path, text)
    assert table.devices == ("NVIDIA A100-SXM4-40GB",)
    assert table.rows[0].seconds == pytest.approx(47.38e-3)


def test_programs_that_are_built_are_not_what_is_measured(tmp_path):
    built = "Linking  /nccl-tests/build/reduce.o > /nccl-tests/build/reduce_perf"
    (table,) = tables(tmp_path, lines(COMMAND, built, MARKED))
    assert table.operation == "all_reduce"


# --- files that are not as they should be

TWICE = "# Rank  0 Group  0 Pid 7 on host device 0 [0x1b] NVIDIA H100"
BAD = {
    "empty": ("", "has no line of columns"),
    "prose": ("how fast is it?", "nccl-tests"),
    "no rows": (lines(HEAD, UNITS), "rows of numbers"),
    "rows without columns": (ROW, "line of columns"),
    "a cell too few": (lines(HEAD, ROW.rpartition(" ")[0]), "line 2: 12 cells, must be 13"),
    "a cell too many": (lines(HEAD, ROW + " 7"), "line 2: 14 cells"),
    "cut off": (lines(HEAD, ROW, "2048 512 flo"), "line 3: 3 cells"),
    "interleaved": (lines(HEAD, ROW[:30] + "host:1:2 [0] NCCL INFO Init"), "line 2"),
    "negative time": (lines(HEAD, ROW.replace("36.07", "-36.07")), "line 2: time '-36.07'"),
    "no time": (lines(HEAD, ROW.replace("36.07", "0.00")), "must be above 0"),
    "time nan": (lines(HEAD, ROW.replace("36.07", "nan")), "time 'nan'"),
    "time inf": (lines(HEAD, ROW.replace("36.07", "inf")), "time 'inf'"),
    "time 1e999": (lines(HEAD, ROW.replace("36.07", "1e999")), "time '1e999'"),
    "time of words": (lines(HEAD, ROW.replace("36.07", "fast")), "time 'fast'"),
    "underscores": (lines(HEAD, ROW.replace("36.07", "3_6.07")), "time '3_6.07'"),
    "negative wrong": (lines(HEAD, ROW.replace(" 0 35", " -1 35")), "#wrong '-1'"),
    "size with a unit": (lines(HEAD, ROW.replace("1024", "8M")), "size '8M'"),
    "size of a fraction": (lines(HEAD, ROW.replace("1024", "1.5")), "size '1.5'"),
    "negative size": (lines(HEAD, ROW.replace("1024", "-1024")), "size '-1024'"),
    "huge size": (lines(HEAD, ROW.replace("1024", "9" * 17)), "at most"),
    "1,000 digits": (lines(HEAD, ROW.replace("1024", "9" * 1000)), "whole number"),
    "a root of words": (lines(HEAD, ROW.replace("-1", "none")), "root 'none'"),
    "a root below": (lines(HEAD, ROW.replace("-1", "-2")), "root '-2'"),
    "unknown unit": (lines(HEAD, UNITS.replace("us", "h"), ROW), "unknown unit 'h'"),
    "unknown rate": (lines(HEAD, UNITS.replace("GB/s", "Gbit/s"), ROW), "choose from GB/s"),
    "two units": (lines(HEAD, UNITS.replace("us", "ms", 1), ROW), "several units"),
    "unknown columns": (lines(HEAD.replace("algbw", "speed"), ROW), "unknown columns"),
    "three times": (lines(HEAD + " time algbw busbw #wrong", ROW), "unknown columns"),
    "a rank twice": (lines(TWICE, TWICE, HEAD, ROW), "built without MPI"),
    "many ranks": (TWICE.replace(" 0 ", f" {MAX_RANKS} ", 1), "at most"),
    "many rows": (lines(HEAD, *[ROW] * 2000), "line 258: more than 256 rows"),
    "a million rows": (HEAD + "\n" + (ROW + "\n") * 1_000_000, "the limit is"),
    "many short lines": ("#\n" * MANY, "nccl-tests"),
    "many lines of NCCL_DEBUG": (
        lines(HEAD, *["host:1 NCCL INFO x"] * (MANY * 4 // 5)),
        "rows of numbers",
    ),
    "sixteen million lines": ("\n" * 16_000_000, "more than 1,048,576 lines"),
    "one long line": ("# size count time" + " time" * 3_000_000, "line of columns"),
    "a long word": ("a" * 15_000_000, "nccl-tests"),
    "a long program": ("x_" * 7_000_000 + "_perf", "nccl-tests"),
    "a long device": ("# Rank 0 Pid 1 on " + "a" * 15_000_000, "nccl-tests"),
    "blanks": ("#" + " " * 15_000_000 + "Rank", "nccl-tests"),
    "bytes": (bytes(range(256)) * 100, "is not text"),
    "negative busbw": (lines(HEAD, ROW.replace("0.05", "-0.05")), "busbw '-0.05'"),
    "algbw nan": (lines(HEAD, ROW.replace("0.03", "nan")), "algbw 'nan'"),
    "busbw of words": (lines(HEAD, ROW.replace("0.05", "high")), "busbw 'high'"),
    "time of 41 digits": (lines(HEAD, ROW.replace("36.07", "3" * 41)), "must be a number"),
    "time of 30 years": (lines(HEAD, ROW.replace("36.07", "1e16")), "time '1e16'"),
    "a comma for a point": (lines(HEAD, ROW.replace("36.07", "36,07")), "time '36,07'"),
    "time with its unit": (lines(HEAD, ROW.replace("36.07", "36.07us")), "time '36.07us'"),
    "size in other digits": (lines(HEAD, ROW.replace("1024", "١٠٢٤")), "must be a whole number"),
    "size with a sign": (lines(HEAD, ROW.replace("1024", "+1024")), "size '+1024'"),
    "size in hex": (lines(HEAD, ROW.replace("1024", "0x400")), "size '0x400'"),
    "size as a power": (lines(HEAD, ROW.replace("1024", "1e3")), "size '1e3'"),
    "count of a fraction": (lines(HEAD, ROW.replace("256", "256.5")), "count '256.5'"),
    "count of words": (lines(HEAD, ROW.replace("256", "many")), "rows of numbers"),
    "root of ten digits": (lines(HEAD, ROW.replace("-1", "1234567890")), "root '1234567890'"),
    "root of a fraction": (lines(HEAD, ROW.replace("-1", "0.5")), "root '0.5'"),
    "wrong of words": (lines(HEAD, ROW.replace(" 0 35", " few 35")), "#wrong 'few'"),
    "wrong nan": (lines(HEAD, ROW.replace(" 0 35", " nan 35")), "#wrong 'nan'"),
    "two rates": (lines(HEAD, UNITS.replace("GB/s", "MB/s", 1), ROW), "several units"),
    "no busbw": (lines(HEAD.replace(" busbw", ""), ROW), "unknown columns"),
    "count before size": (lines(HEAD.replace("size count", "count size"), ROW), "unknown columns"),
    "unlike halves": (lines(HEAD.removesuffix(" #wrong"), ROW), "unknown columns"),
    "a rank of nine digits": (TWICE.replace(" 0 ", " 999999999 ", 1), "at most"),
    "semicolons": (lines(HEAD, ROW.replace(" ", ";")), "rows of numbers"),
    "UTF-16": (lines(HEAD, ROW).encode("utf-16"), "is not text"),
    "columns in a sentence": ("The columns are size count time algbw busbw\n" + ROW, "must be 5"),
    "columns of another program": (lines("size count avg min max", ROW), "line of columns"),
    "a label before rows alone": (
        lines(HEAD, f"[1,0]<stdout>: {ROW}"),
        "of its columns, which have none",
    ),
    "a label of another process": (
        lines(f"[1,0]<stdout>:{HEAD}", f"[1,1]<stdout>:{ROW}"),
        "row '[1,1]<stdout>:1024' does not have the label of its columns, '[1,0]<stdout>:'",
    ),
    "numbers of lines": (lines(f"1 {HEAD}", f"2 {ROW}"), "14 cells, must be 13"),
    "one number before all lines": (lines(f"1 {HEAD}", f"1 {ROW}"), "14 cells, must be 13"),
    "rows in one line": (lines(HEAD, f"{ROW} {ROW}"), "26 cells"),
    "bars between cells": (lines(HEAD, "| " + ROW.replace(" ", " | ")), "rows of numbers"),
    "a rank twice, without #": (lines(TWICE[1:], TWICE[1:], HEAD[1:], ROW), "built without MPI"),
    "headers of many ranks": (
        lines(*(TWICE.replace(" 0 ", f" {k} ", 1) for k in range(20_000)), *[HEAD] * 10_000),
        "rows of numbers",
    ),
    "many short headers": ("#size count time algbw busbw\n" * (MANY // 2), "rows of numbers"),
    "many programs": (
        "".join(f"a{'b' * (k % 30)}_perf\n" for k in range(MANY // 2)),
        "line of col",
    ),
    "many lines of units": (lines(HEAD, *[UNITS] * (MANY // 4)), "rows of numbers"),
    "a device for each header": (lines(*[TWICE, HEAD] * (MANY // 10)), "rows of numbers"),
    "zeros": (b"\0" * 1000, "nccl-tests"),
}


def test_there_are_many_bad_files():
    assert len(BAD) >= 60


@each("name", BAD, few=16)
def test_bad_files_are_refused_in_one_line(tmp_path, name):
    text, words = BAD[name]
    begun = time.process_time()
    with pytest.raises(BadInput) as refused:
        tables(tmp_path, text)
    assert time.process_time() - begun < 10
    message = str(refused.value)
    assert words in message and "\n" not in message and len(message) < 400


def test_flipped_bytes_of_real_files_are_read_or_refused(tmp_path):
    """So many files, each with a byte that is another one, or left out."""
    choose = random.Random(15)
    originals = [path.read_bytes() for path in sorted(DATA.glob("*.txt"))]
    path = tmp_path / "flipped.txt"
    read_whole = several_lines = 0
    for _ in range(FLIPS):
        content = bytearray(choose.choice(originals))
        at = choose.randrange(len(content))
        if choose.random() < 0.2:
            del content[at : at + choose.randrange(1, 200)]
        else:
            content[at] = choose.randrange(256)
        path.write_bytes(content)
        try:
            read_whole += all(table.rows for table in read(str(path)))
        except BadInput as problem:
            several_lines += "\n" in str(problem)
    assert not several_lines
    assert FLIPS * 0.2 < read_whole < FLIPS


CELLS = st.one_of(
    st.integers(-10, 1 << 60).map(str),
    st.floats(width=32).map(str),
    st.sampled_from(["N/A", "float", "sum", "none", "-1", "0", "#wrong", "1e5", "--", "٣", "²"]),
    st.text(string.printable, max_size=8),
)
LINES = st.one_of(
    st.sampled_from([HEAD, UNITS, ROW, TWICE, "# Using devices", "./all_reduce_perf -b 8"]),
    st.lists(CELLS, max_size=15).map(" ".join),
    st.lists(CELLS, max_size=15).map(lambda cells: "# " + " ".join(cells)),
    st.permutations(HEAD.split()).map(" ".join),
)


@settings(
    max_examples=MADE,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(LINES, max_size=20))
def test_made_up_files_are_read_or_refused(tmp_path, made):
    try:
        found = all(table.rows for table in tables(tmp_path, lines(*made)))
    except BadInput as problem:
        found = "\n" not in str(problem)
    assert found
