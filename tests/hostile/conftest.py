"""Puts this folder on the path; a server that runs cases, in a folder with hostile files."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", f"{tempfile.gettempdir()}/hypothesis")


@pytest.fixture(scope="session")
def crowded(tmp_path_factory):
    """A folder full of files that are not what they seem."""
    from hostile_files import make_files

    folder = tmp_path_factory.mktemp("hostile")
    make_files(folder)
    return folder


@pytest.fixture(scope="session")
def server(crowded):
    """Runs cases in this folder."""
    from runner import Server

    running = Server(crowded)
    yield running
    running.close()
