"""The fixed contract of list, run and check: words, defaults, tables, files, exit statuses."""

import os
import signal
import subprocess
import sys
import time
from textwrap import dedent

import numpy as np
import pytest

from collectives.catalog import ROWS

PIPELINED = [row for row in ROWS if "chunks" in row.parameters]
OTHERS = [row for row in ROWS if "chunks" not in row.parameters]
MINE = """
    import numpy as np
    from collectives import pipelined, reduce, send

    def my_broadcast(n, root=0):
        '''The root passes the data on.'''
        for hop in range(n - 1):
            # one more rank gets the data
            yield send((root + hop) % n, (root + hop + 1) % n)

    def relay(n, root, far):
        yield send(root, (root + far) % n)
        yield send(root, [r for r in range(n) if r not in (root, (root + far) % n)])

    def piped_broadcast(n, chunks):
        yield from pipelined(my_broadcast(n), range(chunks))

    def lazy_all_reduce(n):
        yield reduce(np.arange(1, n), 0)
"""


@pytest.fixture
def mine(tmp_path):
    """A module of own schedules in the current folder."""
    (tmp_path / "mine.py").write_text(dedent(MINE))


def words(row):
    return f"{row.collective} {row.algorithm}"


# --- list


def test_list_names_every_algorithm_once(right):
    table = right("list").out
    for row in ROWS:
        cells = (row.promise.title, row.algorithm)
        assert sum(tuple(line.split()[:2]) == cells for line in table.splitlines()) == 1


def test_list_json_has_an_object_for_every_row(right):
    found = right("list --json").json
    assert [(row["collective"], row["algorithm"]) for row in found] == [
        (row.collective, row.algorithm) for row in ROWS
    ]
    assert all({"collective", "algorithm", "ranks", "parameters"} <= set(row) for row in found)
    assert {tuple(row["parameters"]) for row in found} == {(), ("root",), ("root", "chunks")}


# --- run: defaults and names


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_defaults_are_4_ranks_root_0_and_4_elements_of_int64_per_slot(right, row):
    report = right(f"run {words(row)} --json").json
    slots = row.slots(4, 4)
    assert (
        report
        | {
            "collective": row.collective,
            "algorithm": row.algorithm,
            "ranks": 4,
            "root": 0,
            "count": 4 * slots,
            "dtype": "int64",
            "op": "sum",
            "slots": slots,
            "correct": True,
        }
        == report
    )


@pytest.mark.parametrize("row", PIPELINED, ids=lambda row: row.title)
def test_a_pipeline_has_4_chunks_unless_told_otherwise(right, row):
    assert right(f"run {words(row)} --json").json["slots"] == 4
    assert right(f"run {words(row)} --chunks 7 --json").json["slots"] == 7


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.title)
@pytest.mark.parametrize("verb", ["run", "check"])
def test_chunks_are_refused_where_nothing_is_pipelined(collectives, verb, row):
    ended = collectives(f"{verb} {words(row)} --chunks 4")
    assert (ended.status, ended.out) == (2, "")
    assert "chunks 4" in ended.err


@pytest.mark.parametrize("name", ["all-reduce", "all_reduce", "ALL-REDUCE", "All_Reduce"])
def test_names_have_hyphens_or_underscores(right, name):
    assert right(f"run {name} ring --json").json["collective"] == "all_reduce"
    assert right(f"check {name} ring -n 2 --json").json["ok"] is True


# --- run: what it prints


def test_json_has_the_keys_scripts_rely_on_with_their_types(right):
    report = right("run all-reduce ring -n 5 --json").json
    for key in ("ranks", "root", "count", "slots", "steps", "transfers", "messages"):
        assert type(report[key]) is int
    for key in ("collective", "algorithm", "dtype", "op"):
        assert type(report[key]) is str
    for key in ("bytes_sent", "bytes_received"):
        assert [type(number) for number in report[key]] == [int] * 5
    assert report["correct"] is True
    assert {key: type(value) for key, value in report["lower_bound"].items()} == {
        "steps": int,
        "ports": int,
        "bytes": int,
    }


def test_json_has_the_numbers_of_the_ring(right):
    report = right("run all-reduce ring -n 8 --count 1024 --dtype float32 --json").json
    assert (report["steps"], report["transfers"], report["messages"]) == (14, 112, 112)
    assert report["bytes_sent"] == report["bytes_received"] == [2 * 7 * 512] * 8
    assert report["lower_bound"] == {"steps": 3, "ports": 1, "bytes": 2 * 7 * 512}


def test_counts_only_executes_nothing(right):
    full = right("run all-reduce ring -n 6 --json").json
    counted = right("run all-reduce ring -n 6 --counts-only --json").json
    assert counted.pop("correct") is None
    assert full.pop("correct") is True
    assert full.pop("rounding")["differing"] == 0
    assert counted == full
    assert "nothing was executed" in right("run all-reduce ring --counts-only").out


def test_every_transfer_and_what_it_leaves_is_shown(right):
    table = right("run all-reduce ring -n 3 --count 3").out
    for line in (
        "ring all-reduce · 3 ranks · 3 int64 = 24 B in 3 slots · sum",
        "step 1 of 4: every rank adds a chunk into its right neighbour",
        "rank 0 → 1  + adds slot 2  8 B  now from ranks 0, 1  [9]",
        "rank 2 → 0  = sends slot 2  8 B  now from all 3 ranks  [18]",
        "rank 0: [12 15 18]",
        "correct: every rank ends with the sum over all ranks",
    ):
        assert line in table


def test_the_table_says_minimum_where_it_computes_the_minimum(right):
    table = right("run all-reduce ring --op min").out
    assert "Every rank ends with the minimum over all ranks." in table
    assert "equal numpy's minimum, to the last bit" in table
    assert "+ adds" not in table


def test_no_line_is_wider_than_a_terminal(right):
    for line in (
        "list",
        "run all-reduce ring",
        "run scatter tree -n 16",
        "check all-reduce ring -n 1-4",
    ):
        assert max(map(len, right(line).out.splitlines())) <= 100


def test_no_line_ends_in_blanks(right):
    for line in ("list", "run all-reduce ring -n 12", "run gather tree -n 5 --count 12"):
        assert all(text == text.rstrip() for text in right(line).out.splitlines())


def test_steps_shows_these_steps_only(right):
    def shown(options):
        lines = right(f"run all-reduce ring -n 4 {options}").out.splitlines()
        return [int(line.split()[1]) for line in lines if line.startswith("  step ")]

    assert shown("") == [1, 2, 3, 4, 5, 6]
    assert shown("--steps 2-4") == [2, 3, 4]
    assert shown("--steps 6") == [6]
    assert shown("--steps 3-3 --counts-only") == [3]
    assert shown("--counts-only") == []


@pytest.mark.parametrize(("ranks", "hidden"), [(20, 0), (21, 0), (22, 2), (30, 18), (40, 38)])
def test_a_table_of_more_than_40_steps_hides_its_middle_and_says_so(right, ranks, hidden):
    total = 2 * (ranks - 1)
    lines = right(f"run all-reduce ring -n {ranks} --count 8").out.splitlines()
    shown = [int(line.split()[1]) for line in lines if line.startswith("  step ")]
    said = [line for line in lines if "steps hidden" in line]
    if hidden:
        assert shown == [*range(1, 21), *range(total - 19, total + 1)]
        assert said == [f"… {hidden} steps hidden, 21 to {total - 20}; see --steps A-B"]
    else:
        assert shown == list(range(1, total + 1))
        assert said == []


def test_the_root_is_shown_also_among_many_ranks(right):
    assert "rank 39: [" in right("run reduce tree -n 40 --root 39").out


# --- run: subjects and files


def test_a_recording_is_saved_and_is_a_subject(right, tmp_path):
    before = right("run broadcast ring -n 5 --root 2 --chunks 3 -o saved.json --json").json
    after = right("run saved.json --json").json
    assert after == before
    assert right("check saved.json").out == "ring broadcast on 5 ranks: right\n"
    assert right("check saved.json --json").json["ok"] is True


@pytest.mark.parametrize(
    "subject", ["mine:my_broadcast", "mine.py:my_broadcast", "./mine.py:my_broadcast"]
)
def test_own_functions_are_subjects(right, mine, subject):
    report = right(f"run {subject} --slots 1 -n 6 --root 4 --json").json
    assert (report["collective"], report["algorithm"]) == ("broadcast", "my_broadcast")
    assert (report["ranks"], report["root"], report["steps"]) == (6, 4, 5)
    assert "step 1 of 5: one more rank gets the data" in right(f"run {subject} --slots 1 -n 6").out
    assert right(f"check {subject} --slots 1 -n 1-5 --json").json["cases"] == 1 + 2 + 3 + 4 + 5


def test_own_functions_are_saved_and_run_without_their_file(right, mine, tmp_path):
    before = right("run mine:my_broadcast --slots 1 --count 3 -o own.json --json").json
    (tmp_path / "mine.py").unlink()
    assert right("run own.json --json").json == before
    assert "one more rank gets the data" in right("run own.json").out


def test_no_compiled_file_is_left_beside_an_own_file(right, mine, tmp_path):
    right("run mine.py:my_broadcast --slots 1")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_arguments_are_filled_by_name_and_with_p(right, mine):
    line = "mine.py:relay --collective broadcast --slots 1 -p far=2"
    assert right(f"run {line} -n 5 --root 1 --json").json["correct"] is True
    assert right(f"check {line} -n 3-5").out.startswith("relay: right in all 12 cases")


def test_chunks_of_an_own_function_are_its_slots(right, mine):
    assert right("run mine.py:piped_broadcast --json").json["slots"] == 4
    assert right("run mine.py:piped_broadcast --chunks 3 --json").json["steps"] == 2 + 3


# --- check


def test_check_all_checks_every_row(right):
    report = right("check all -n 1-3 --json").json
    assert report["ok"] is True
    assert len(report["algorithms"]) == len(ROWS)
    assert all(found["ok"] for found in report["algorithms"])
    rooted = sum(row.promise.rooted for row in ROWS)
    assert report["cases"] == 3 * len(ROWS) + 3 * rooted
    assert right("check all -n 1,2").out.splitlines()[-1].startswith(f"{len(ROWS)} algorithms, ")


@pytest.mark.parametrize(
    ("numbers", "cases"), [("1-33", 33), ("2,4,8", 3), ("5", 1), ("1-3,3,2,8-9", 5)]
)
def test_check_takes_numbers_lists_and_ranges(right, numbers, cases):
    assert right(f"check all-gather tree -n {numbers} --json").json["cases"] == cases


def test_check_tries_1_to_33_ranks_and_every_root_up_to_9(right):
    assert right("check all-reduce tree --json").json["cases"] == 33
    assert right("check broadcast tree --json").json["cases"] == sum(range(1, 10)) + 24
    assert right("check broadcast tree --root 2 --json").json["cases"] == 31


def test_check_takes_chunks_and_count(right):
    said = right("check reduce ring --chunks 5 --count 12 -n 3 --root 1").out
    assert said == "ring reduce: right in the one case (3 ranks, root 1, count 12)\n"


def test_a_wrong_algorithm_is_named_and_ends_with_1(collectives, mine):
    for line in (
        "run mine.py:lazy_all_reduce --slots 1",
        "check mine.py:lazy_all_reduce --slots 1 -n 2-9",
    ):
        ended = collectives(line)
        assert ended.status == 1
        assert ended.err.count("\n") == 1
        assert "lazy_all_reduce" in ended.err
        assert "rank 1, slot 0 ends wrong: slot 0 of rank 0" in ended.err


def test_a_wrong_algorithm_is_wrong_in_json_too(collectives, mine):
    ran = collectives("run mine.py:lazy_all_reduce --slots 1 --json")
    assert (ran.status, ran.json["correct"]) == (1, False)
    checked = collectives("check mine.py:lazy_all_reduce --slots 1 --json")
    assert (checked.status, checked.json["ok"]) == (1, False)
    assert checked.json["cases"] == 2  # it stops at 2 ranks


def test_a_wrong_algorithm_writes_no_result(collectives, mine, tmp_path):
    (tmp_path / "old.npy").write_bytes(b"old")
    assert collectives("run mine.py:lazy_all_reduce --slots 1 -o old.npy").status == 1
    assert (tmp_path / "old.npy").read_bytes() == b"old"
    assert "step 1 of 1" in collectives("run mine.py:lazy_all_reduce --slots 1").out


# --- files


@pytest.mark.parametrize("name", ["sum.npy", "sum.npz", "sum.json"])
def test_output_files_are_replaced_and_nothing_else_is_left(right, tmp_path, name):
    (tmp_path / name).write_bytes(b"old")
    assert right(f"run all-reduce ring -o {name}").out.endswith(f"written: {name}\n")
    assert (tmp_path / name).read_bytes() != b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_results_are_files_numpy_reads(right, tmp_path):
    right("run all-reduce ring -o sum.npy")
    right("run all-reduce ring -o sum.npz")
    want = (np.arange(64) % 100 + 1).reshape(4, 16).sum(axis=0)
    np.testing.assert_array_equal(np.load(tmp_path / "sum.npy"), np.tile(want, (4, 1)))
    np.testing.assert_array_equal(np.load(tmp_path / "sum.npz")["result"], np.tile(want, (4, 1)))


def test_a_full_disk_leaves_the_old_file(collectives, tmp_path, monkeypatch):
    (tmp_path / "sum.npy").write_bytes(b"old")
    real, calls = os.replace, []

    def fail(*paths):
        calls.append(paths)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    ended = collectives("run all-reduce ring -o sum.npy")
    monkeypatch.setattr(os, "replace", real)
    assert (ended.status, len(calls), ended.out) == (2, 1, "")
    assert ended.err == "collectives: sum.npy: cannot be written: No space left on device\n"
    assert [path.name for path in tmp_path.iterdir()] == ["sum.npy"]
    assert (tmp_path / "sum.npy").read_bytes() == b"old"


# --- processes


SLOW = """
import numpy as np
from pathlib import Path
from collectives import reduce

def slow_all_reduce(n):
    rank = np.arange(n)
    while True:
        Path("started").touch()
        yield reduce(rank, rank, 0)
"""


@pytest.mark.parametrize("options", ["", "--json", "-o sum.npy", "-o sum.npz", "-o sum.json"])
def test_interrupting_ends_with_130_one_line_and_no_file(tmp_path, options):
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["run", "slow.py:slow_all_reduce", "--slots", "1", *options.split()]
    process = subprocess.Popen(
        [sys.executable, "-m", "collectives", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(600):
        if (tmp_path / "started").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "collectives: interrupted\n")
    assert {path.name for path in tmp_path.iterdir()} == {"slow.py", "started"}


@pytest.mark.parametrize("when", ["execute", "write"])
def test_interrupting_at_work_leaves_the_old_file(collectives, tmp_path, monkeypatch, when):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    (tmp_path / "sum.npy").write_bytes(b"old")
    place = {
        "execute": "collectives.recording.Recording.execute",
        "write": "numpy.lib.format.write_array",
    }
    monkeypatch.setattr(place[when], interrupt)
    ended = collectives("run all-reduce ring -o sum.npy")
    assert (ended.status, ended.out, ended.err) == (130, "", "collectives: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["sum.npy"]
    assert (tmp_path / "sum.npy").read_bytes() == b"old"


def test_interrupting_an_own_function_is_not_its_fault(collectives, tmp_path):
    (tmp_path / "slow.py").write_text(
        "def a_broadcast(n):\n    raise KeyboardInterrupt\n    yield\n"
    )
    for verb in ("run", "check"):
        ended = collectives(f"{verb} slow.py:a_broadcast")
        assert (ended.status, ended.out, ended.err) == (130, "", "collectives: interrupted\n")


@pytest.mark.parametrize("line", ["list", "run all-reduce ring -n 30", "list --json"])
@pytest.mark.parametrize("reader", ["head -n 1", "true"])
def test_a_reader_that_stops_early_causes_no_traceback(tmp_path, line, reader):
    script = f"set -o pipefail; {sys.executable} -m collectives {line} | {reader}"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_result_is_written_although_nobody_reads_the_table(tmp_path):
    script = f"{sys.executable} -m collectives run all-reduce ring -n 40 -o sum.npy | true"
    subprocess.run(["bash", "-c", script], cwd=tmp_path, timeout=60, check=True)
    assert np.load(tmp_path / "sum.npy").shape == (40, 160)


def test_output_that_cannot_be_written_is_said_in_one_line(tmp_path):
    script = f"{sys.executable} -m collectives list > /dev/full"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert ended.stderr == "collectives: output cannot be written: No space left on device\n"


def test_a_closed_output_or_an_encoding_without_arrows_is_no_failure(command, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = command("run all-reduce ring", env=environment)
    assert (ended.status, ended.err) == (0, "")
    assert "rank 0 \\u2192 1" in ended.out
    script = f"{sys.executable} -m collectives run all-reduce ring >&-"
    assert subprocess.run(["bash", "-c", script], cwd=tmp_path, timeout=60).returncode == 0


@pytest.mark.parametrize("words", ["--help", "run --help", "--version"])
def test_help_imports_neither_numpy_nor_rich(tmp_path, words):
    code = f"""
import sys
from collectives.__main__ import main
try:
    main({words.split()!r})
except SystemExit as ended:
    assert ended.code == 0
print("heavy:", [name for name in ("numpy", "rich", "manim", "animations") if name in sys.modules])
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert ended.stdout.splitlines()[-1] == "heavy: []"


def test_the_version_is_that_of_the_package(right):
    from importlib.metadata import version

    assert right("--version").out == f"collectives {version('collectives')}\n"
