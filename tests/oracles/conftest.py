"""Puts this folder on the path; the programs for other Pythons are not collected; Open MPI."""

import os
import sys
from pathlib import Path

import pytest

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
