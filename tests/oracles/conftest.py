"""Puts this folder on the path; the programs for other Pythons are not collected; Open MPI."""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from collectives.launch.player import BOARD, PHASE, PID, PLAYING, RUN

sys.path.insert(0, str(Path(__file__).parent))
collect_ignore = ["mpi_program.py", "gloo_program.py"]
if "TORCH" not in os.environ:  # a Python that has torch, which `make oracles` names
    collect_ignore += ["test_torch_programs.py", "test_torch_launch.py"]
if not {"TORCH", "MPICH", "OPEN_MPI"} & set(os.environ):  # folders of virtual environments
    collect_ignore.append("test_recorded_live.py")


@pytest.fixture(scope="session")
def open_mpi():
    """Open MPI's runner; tests that need it are skipped without, or fail under NO_SKIPS."""
    import foreign

    reason = foreign.missing()
    if reason:
        give_up = pytest.fail if os.environ.get("NO_SKIPS") else pytest.skip
        give_up(reason)
    return foreign.run_open_mpi


@pytest.fixture
def busy(tmp_path, monkeypatch):
    """A recording that takes a while to play, and what waits until rank 2 plays it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def playing():
        """The numbers of the processes, as soon as all play."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            for file in tmp_path.glob("collectives-launch-*/board"):
                board = np.frombuffer(file.read_bytes(), np.int64).reshape(-1, BOARD)
                begun = len(board) > 2 and (board[:, RUN] > 0).all()  # it may be empty yet
                if begun and board[2, PHASE] == PLAYING:
                    return board[:, PID].tolist()
            time.sleep(0.005)
        raise TimeoutError("it does not play")

    return playing
