"""`collectives lab` becomes a JupyterLab on the lectures."""

import os
import sys
from pathlib import Path

import pytest

from collectives.cli import lab

ROOT = Path(__file__).parents[2]


@pytest.fixture
def started(monkeypatch):
    """The commands that this process would have become."""
    found = []
    monkeypatch.setattr(os, "execv", lambda program, words: found.append((program, words)))
    return found


@pytest.mark.parametrize("user", [0, 1000])
def test_it_opens_the_lectures(collectives, started, monkeypatch, user):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    ended = collectives("lab --no-browser --port=9999")
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    folder = str(ROOT / "notebooks")
    words = [sys.executable, "-m", "jupyterlab", folder, "--no-browser", "--port=9999"]
    assert started == [(sys.executable, words + ["--allow-root"] * (user == 0))]
    assert list(Path(folder).glob("*.ipynb"))


@pytest.mark.parametrize("name", ["jupyterlab", "anywidget"])
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    collectives, started, monkeypatch, name
):
    monkeypatch.setitem(sys.modules, name, None)
    ended = collectives("lab")
    assert (ended.status, ended.out, started) == (3, "", [])
    assert ended.err == (f"collectives: the lectures need {name}; type: make -C {ROOT} setup\n")


def test_without_the_lectures_it_says_where_they_should_be(folder, started):
    with pytest.raises(lab.BadInput, match=r"the lectures are not there.*nearest: jupyter lab"):
        lab.open_lab([], folder / "notebooks")
    assert started == []
