"""Runs the launcher of an engine and watches its processes: who died, who hangs, no orphans."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from collectives.errors import CollectivesError
from collectives.launch.engines import PLAYER, Engine
from collectives.launch.player import (
    BEAT,
    BOARD,
    DONE,
    PEER,
    PHASE,
    PHASES,
    PID,
    PLAYING,
    PROGRESS,
    RUN,
    STARTING,
    STEP,
    WARM_UP,
)
from collectives.words import listed

LOOK = 0.05  # seconds between two looks at the board
FROZEN = 0.6  # seconds after which a process that shows no life does not run
START = 30.0  # seconds to start all processes: on a busy machine that takes long
GRACE = 1.0  # seconds for a launcher to end its processes; of the timeout it is taken off
SAID = (  # what launchers say of a process that died
    re.compile(r"process rank (\d+) with PID"),  # Open MPI, of a signal
    re.compile(r"Process name: \[\[\d+,\d+\],(\d+)\]"),  # Open MPI, of an exit status
    re.compile(r"task (\d+): (?:Exited|Killed|Terminated)"),  # srun
)
PID_SAID = re.compile(r"PID (\d+) RUNNING AT")  # MPICH
SIGNAL_SAID = re.compile(r"signal (\d+) \(|\(signal (\d+)\)")  # Open MPI; MPICH
TORCHRUN = re.compile(r"rank\s+: (\d+) \(local_rank.*\n\s*exitcode\s+: (-?\d+)")
Board = npt.NDArray[np.int64]


class Failed(CollectivesError):  # noqa: N818
    """A launch that came to no end: the line names the rank."""

    status = 1


def run(engine: Engine, nodes: int, folder: Path, timeout: float, oversubscribed: bool) -> None:
    """Start a player for each node and wait for them; raises Failed, and leaves none behind."""
    board: Board = np.memmap(folder / "board", np.int64, "r", shape=(nodes, BOARD))
    command = engine.command(nodes, str(folder))
    with (
        (folder / "said").open("wb") as output,
        started(command, output, engine.environment(oversubscribed), board, folder) as launcher,
    ):
        _watch(launcher, board, timeout)
    if launcher.returncode or not (board[:, PHASE] == DONE).all():
        raise Failed(_why_ended(launcher.returncode, board, folder))


@contextmanager
def started(
    command: list[str], output: object, environment: dict[str, str], board: Board, folder: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """The launcher, and at the end of the block neither it nor any process of the board."""
    if shutil.which("setpriv"):  # the launcher ends with this process, however that ends
        command = ["setpriv", "--pdeathsig", "TERM", *command]
    launcher = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,  # type: ignore[call-overload]
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )
    try:
        yield launcher
    finally:
        _end(launcher, board, folder)


def _end(launcher: subprocess.Popen[bytes], board: Board, folder: Path) -> None:
    """End the launcher, then every process of the board that it leaves."""
    if launcher.poll() is None:
        for pid in _left(board, folder):  # a stopped process would not hear of its end
            _signal(pid, signal.SIGKILL)
        launcher.terminate()
        with suppress(subprocess.TimeoutExpired):
            launcher.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(launcher.pid, signal.SIGKILL)
    for pid in _left(board, folder):
        _signal(pid, signal.SIGKILL)
    launcher.wait()


def _left(board: Board, folder: Path) -> list[int]:
    """The processes of the board that still run on this machine."""
    return [int(pid) for pid in board[:, PID] if pid and _is_player(int(pid), folder)]


def _is_player(pid: int, folder: Path) -> bool:
    """Whether a process is a player of this launch: its number may have gone to another one."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return {str(PLAYER).encode(), str(folder).encode()} <= set(words)


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _watch(launcher: subprocess.Popen[bytes], board: Board, timeout: float) -> None:
    """Wait for the launcher; raises Failed where a process does not get any further."""
    patience = max(timeout - GRACE, 0.8 * timeout)
    moved = np.full(len(board), time.monotonic())  # when each process last got further
    alive = moved.copy()  # when it last showed any life
    before = board.copy()
    while True:
        with suppress(subprocess.TimeoutExpired):
            launcher.wait(LOOK)
            return
        now, seen = time.monotonic(), board.copy()
        moved[seen[:, PROGRESS] != before[:, PROGRESS]] = now
        alive[(seen[:, [BEAT, PROGRESS]] != before[:, [BEAT, PROGRESS]]).any(axis=1)] = now
        before = seen
        starting = (seen[:, PHASE] == STARTING).any()
        if now - moved.max() > (max(START, timeout) if starting else patience):
            raise Failed(_who_hangs(seen, now - alive, timeout))


def _who_hangs(board: Board, silent: npt.NDArray[np.float64], timeout: float) -> str:
    """The rank that the others wait for, and where."""
    starting = np.flatnonzero(board[:, PHASE] == STARTING)
    if starting.size:
        which = listed([f"rank {rank}" for rank in starting.tolist()], 4)
        return f"{which} did not start within {max(START, timeout):g} s"
    open_ = np.flatnonzero(board[:, PHASE] != DONE)
    if not open_.size:
        return f"every rank is done, but the launcher does not end: it had {timeout:g} s"
    stopped = [rank for rank in open_.tolist() if _is_stopped(int(board[rank, PID]))]
    frozen = open_[silent[open_] > FROZEN].tolist()
    waits = f"no rank got any further for {timeout:g} s (--timeout {timeout:g})"
    for suspects, what in ((stopped, "is stopped"), (frozen, "hangs")):
        if suspects:
            rank = min(suspects, key=lambda rank: tuple(board[rank, [PHASE, RUN, STEP]]))
            return f"rank {rank} {what} {_place(board[rank])}: {waits}"
    rank = min(open_.tolist(), key=lambda rank: tuple(board[rank, [PHASE, RUN, STEP]]))
    return f"rank {rank} waits for rank {board[rank, PEER]} {_place(board[rank])}: {waits}"


def _is_stopped(pid: int) -> bool:
    """Whether a process was stopped by a signal."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return False
    return state in ("T", "t")


def _place(row: npt.NDArray[np.int64]) -> str:
    """How far a process is."""
    if row[PHASE] != PLAYING:
        return PHASES[row[PHASE]]
    number = row[RUN] + WARM_UP
    return f"in step {row[STEP]} of run {number}" if row[STEP] else f"before run {number}"


def _why_ended(status: int, board: Board, folder: Path) -> str:
    """Which rank died, by what it or the launcher says."""
    text = (folder / "said").read_text(errors="replace")
    for rank, number in _who_died(text, board):
        if 0 <= rank < len(board) and not (folder / f"failed.{rank}").exists():
            how = f" of signal {number} ({signal.strsignal(number)})" if number else ""
            return f"rank {rank} died{how} {_place(board[rank])}"
    written = sorted(folder.glob("failed.*"), key=lambda file: file.stat().st_mtime)
    if written:  # perhaps for want of one that died
        return f"rank {written[0].suffix[1:]} failed: {written[0].read_text()[:300]}"
    lines = [line.strip(" -=*") for line in text.splitlines()]
    why = next((line for line in lines if line), "it says nothing")
    return f"the launcher ended with status {status}: {why[:300]}"


def _who_died(text: str, board: Board) -> list[tuple[int, int]]:
    """The ranks of which a launcher says that they died, and of which signal; 0 where of none."""
    signaled = SIGNAL_SAID.search(text)
    number = int(signaled[1] or signaled[2]) if signaled else 0
    deaths = [(int(match[1]), number) for pattern in SAID if (match := pattern.search(text))]
    by_pid = PID_SAID.search(text)
    if by_pid and int(by_pid[1]) in board[:, PID]:
        deaths.append((int(np.flatnonzero(board[:, PID] == int(by_pid[1]))[0]), number))
    codes = [(int(rank), max(0, -int(code))) for rank, code in TORCHRUN.findall(text)]
    later = [
        code for code in codes[:-1] if code[1] != signal.SIGTERM
    ]  # by which it ends the others
    return deaths + codes[-1:] + later  # the last is the first that failed
