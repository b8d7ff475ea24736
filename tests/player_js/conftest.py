"""Puts this folder on the path, and the one with the mutants; Node, which runs the modules."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from animations.phrases import page_words

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "mutation")]
OLDEST = 18  # with node:test


@pytest.fixture(scope="session")
def node():
    """Node; tests are skipped without one that is new enough, or fail under NO_SKIPS."""
    path = shutil.which("node")
    told = (
        subprocess.run([path, "--version"], capture_output=True, text=True).stdout if path else ""
    )
    if not told or int(told[1:].partition(".")[0]) < OLDEST:
        give_up = pytest.fail if os.environ.get("NO_SKIPS") else pytest.skip
        give_up(f"no node of version {OLDEST} or newer on the PATH")
    words = {language: page_words(language) for language in ("en", "es")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGE_WORDS", json.dumps(words))
        patch.setenv("NODE_OPTIONS", f"--require {HERE / 'words.cjs'}")
        yield path
