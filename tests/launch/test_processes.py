"""Launches that go wrong: which rank is named, by what the board and the launcher say."""

import os
import subprocess
import sys

import numpy as np
import pytest

from collectives.launch import processes
from collectives.launch.engines import Engine
from collectives.launch.player import (
    BOARD,
    DONE,
    LIBRARY,
    PEER,
    PHASE,
    PID,
    PLAYING,
    RUN,
    STARTING,
    STEP,
)
from collectives.launch.processes import Failed, _who_hangs, _why_ended, run

TORCHRUN = """\
[1]:
  rank      : {} (local_rank: 0)
  exitcode  : {} (pid: 7)
Root Cause (first observed failure):
[0]:
  rank      : {} (local_rank: 1)
  exitcode  : {} (pid: 8)
"""


def board_of(*rows):
    """A board with a row for each process: phase, run, step, and whom it waits for."""
    board = np.zeros((len(rows), BOARD), np.int64)
    for row, (phase, number, step, peer) in zip(board, rows, strict=True):
        row[[PHASE, RUN, STEP, PEER]] = phase, number, step, peer
    return board


@pytest.mark.parametrize(
    ("rows", "silent", "message"),
    [
        (
            [(PLAYING, 3, 2, 1), (PLAYING, 3, 1, -1), (PLAYING, 3, 2, 0)],
            [0, 5, 0],
            "rank 1 hangs in step 1 of run 5: no rank got any further for 8 s (--timeout 8)",
        ),
        (
            [(PLAYING, 3, 2, 1), (PLAYING, 3, 1, 0), (PLAYING, 3, 2, 1)],
            [0, 0, 0],
            "rank 1 waits for rank 0 in step 1 of run 5: no rank",
        ),
        ([(DONE, 0, 0, 0)] * 2, [9, 9], "every rank is done, but the launcher does not end"),
        ([(DONE, 0, 0, 0), (LIBRARY, 0, 0, 0)], [9, 9], "rank 1 hangs in the library's own"),
        ([(PLAYING, 0, 0, -1), (STARTING, 0, 0, 0)], [9, 9], "rank 1 did not start within 30 s"),
        ([(PLAYING, 1, 0, 2), (PLAYING, 1, 2, 0)], [2, 0], "rank 0 hangs before run 3: no rank"),
    ],
)
def test_the_rank_that_others_wait_for_is_named(rows, silent, message):
    assert _who_hangs(board_of(*rows), np.array(silent, float), 8.0).startswith(message)


def test_a_stopped_process_is_named_before_one_that_is_silent(monkeypatch):
    board = board_of((PLAYING, 1, 1, 0), (PLAYING, 1, 2, 0))
    board[:, PID] = 7, 8
    monkeypatch.setattr(processes, "_is_stopped", lambda pid: pid == 8)
    assert _who_hangs(board, np.array([9.0, 9.0]), 8.0).startswith("rank 1 is stopped in step 2")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "mpirun noticed that process rank 1 with PID 0 on node h exited on signal 9 (Killed).",
            "rank 1 died of signal 9 (Killed) in step 3 of run 4",
        ),
        ("  Process name: [[52,1],1]\n  Exit code:    3", "rank 1 died in step 3 of run 4"),
        ("=   PID 8 RUNNING AT h\n=   EXIT CODE: 9", "rank 1 died in step 3 of run 4"),
        (
            "=   PID 8 RUNNING AT h\n=   EXIT CODE: 9\nEXIT STRING: Killed (signal 9)",
            "rank 1 died of signal 9 (Killed) in step 3 of run 4",
        ),
        ("  rank      : 1 (local_rank: 1)\n  exitcode  : 3 (pid: 8)", "rank 1 died in step 3"),
        (TORCHRUN.format(0, -15, 1, -9), "rank 1 died of signal 9 (Killed) in step 3"),
        ("srun: error: h: task 1: Killed", "rank 1 died in step 3 of run 4"),
        ("-----\nno slots\nmore", "the launcher ended with status 5: no slots"),
        ("", "the launcher ended with status 5: it says nothing"),
    ],
)
def test_what_a_launcher_says_of_a_rank_is_understood(tmp_path, said, message):
    (tmp_path / "said").write_text(said)
    board = board_of((PLAYING, 1, 1, 0), (PLAYING, 2, 3, 0))
    board[:, PID] = 7, 8
    assert _why_ended(5, board, tmp_path).startswith(message)
    (tmp_path / "failed.0").write_text("MemoryError: no room")
    first = message if message.startswith("rank 1") else "rank 0 failed: MemoryError: no room"
    assert _why_ended(5, board, tmp_path).startswith(first)
    (tmp_path / "failed.0").rename(tmp_path / "failed.1")
    assert _why_ended(5, board, tmp_path) == "rank 1 failed: MemoryError: no room"


def test_a_killed_rank_is_named_before_those_that_miss_it(tmp_path):
    board = board_of((PLAYING, 1, 1, 0), (PLAYING, 2, 3, 0))
    (tmp_path / "said").write_text(TORCHRUN.format(0, -9, 1, -15))  # the first is the last
    said = _why_ended(1, board, tmp_path)
    assert said == "rank 1 died of signal 15 (Terminated) in step 3 of run 4"
    (tmp_path / "said").write_text(TORCHRUN.format(1, -9, 0, 1))
    (tmp_path / "failed.0").write_text("RuntimeError: Connection closed by peer")
    said = _why_ended(1, board, tmp_path)
    assert said == "rank 1 died of signal 9 (Killed) in step 3 of run 4"


def test_a_rank_that_dies_at_its_end_is_said_to_have_done_everything(tmp_path):
    (tmp_path / "said").write_text(TORCHRUN.format(0, -15, 1, -6))
    said = _why_ended(1, board_of((DONE, 0, 0, 0), (DONE, 0, 0, 0)), tmp_path)
    assert said == "rank 1 died of signal 6 (Aborted) while it ended, with everything done"


class Script(Engine):
    """An engine whose launcher is a line of Python."""

    def command(self, processes, folder):
        return [sys.executable, "-c", self.launcher, folder]

    def environment(self, oversubscribed):
        return dict(os.environ)


def test_a_process_of_another_launch_is_left_alone(tmp_path):
    """Its number may be one that was on the board."""
    board = board_of((DONE, 0, 0, 0))
    line = "print(flush=True); input()"
    words = [sys.executable, "-c", line, str(processes.PLAYER), str(tmp_path / "own"), "mpi"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as player:
        board[0, PID] = player.pid
        assert player.stdout.readline()  # it runs
        assert processes._left(board, tmp_path / "own") == [player.pid]
        assert processes._left(board, tmp_path / "other") == []
        player.communicate(b"\n", timeout=60)


def test_a_launcher_that_never_ends_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "START", 0.5)
    (tmp_path / "board").write_bytes(bytes(8 * BOARD * 2))
    line = "import os, sys, time; open(sys.argv[1] + '/pid', 'w').write(str(os.getpid()))"
    with pytest.raises(Failed, match=r"^rank 0 and rank 1 did not start within 1 s$"):
        run(Script("mpi", "", f"{line}; time.sleep(60)"), 2, tmp_path, 1.0, False)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_launcher_that_ends_early_has_failed(tmp_path):
    (tmp_path / "board").write_bytes(bytes(8 * BOARD * 2))
    with pytest.raises(Failed, match="the launcher ended with status 0: all is well"):
        run(Script("mpi", "", "print('all is well')"), 2, tmp_path, 1.0, False)
