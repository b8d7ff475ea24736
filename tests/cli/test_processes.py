"""The command line as a process: interrupts, readers that stop, odd streams, quick help."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from settings import sampled

SLOW = """
import time
import numpy as np
from pathlib import Path
from collectives import reduce

def slow_all_reduce(n):
    rank = np.arange(n)
    while True:
        Path("started").touch()
        time.sleep(0.002)  # the other tests want to run, too
        yield reduce(rank, rank, 0)
"""


def told(err):
    """The lines on stderr but those that say how long a slow machine has been at work."""
    return [line for line in err.splitlines() if not line.endswith("s so far")]


@pytest.mark.parametrize(
    "options", sampled(["", "--json", "-o sum.npz", "-o sum.json", "-o sum.npy"], 4)
)
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
    assert (process.returncode, out, told(err)) == (130, "", ["collectives: interrupted"])
    assert {path.name for path in tmp_path.iterdir()} == {"slow.py", "started"}


@pytest.mark.parametrize("when", ["execute", "write"])
def test_interrupting_at_work_leaves_the_old_file(collectives, tmp_path, monkeypatch, when):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    (tmp_path / "sum.npy").write_bytes(b"old")
    place = {
        "execute": "collectives.recording.recording.Recording.execute",
        "write": "numpy.lib.format.write_array",
    }
    monkeypatch.setattr(place[when], interrupt)
    ended = collectives("run all-reduce ring -o sum.npy")
    assert (ended.status, ended.out, ended.err) == (130, "", "collectives: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["sum.npy"]
    assert (tmp_path / "sum.npy").read_bytes() == b"old"


def test_an_interrupt_that_an_own_function_raises_is_its_own(collectives, tmp_path):
    (tmp_path / "slow.py").write_text(
        "def a_broadcast(n):\n    raise KeyboardInterrupt\n    yield\n"
    )
    for verb in ("run", "check"):
        ended = collectives(f"{verb} slow.py:a_broadcast")
        assert (ended.status, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert "line 2" in ended.err and "KeyboardInterrupt" in ended.err


@pytest.mark.parametrize(
    ("line", "reader"),
    sampled(
        [
            (line, reader)
            for reader in ("head -n 1", "true")
            for line in ("list", "run all-reduce ring -n 30", "list --json")
        ],
        2,
    ),
)
def test_a_reader_that_stops_early_causes_no_traceback(tmp_path, line, reader):
    script = f"set -o pipefail; {sys.executable} -m collectives {line} | {reader}"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, told(ended.stderr)) == (0, [])


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

    from collectives.errors import DISTRIBUTION

    assert right("--version").out == f"collectives {version(DISTRIBUTION)}\n"
