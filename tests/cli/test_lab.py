"""`collectives lab` becomes a JupyterLab on the lectures."""

import os
import sys
from pathlib import Path

import pytest

from collectives.cli import lab

ROOT = Path(__file__).parents[2]
SOURCES = [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]


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
    assert ended.err == (f"collectives: the labs need {name}; type: make -C {ROOT} setup\n")


def test_without_the_lectures_it_says_where_they_should_be(
    collectives, folder, started, monkeypatch
):
    monkeypatch.setattr(lab, "CHECKOUT", folder / "none")
    ended = collectives("lab")
    assert (ended.status, started) == (2, [])
    assert "none: the labs are not there; install collectives again" in ended.err


def test_the_lectures_are_copied(collectives, folder):
    ended = collectives("lab --copy mine")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == [f"mine/{name}" for name in SOURCES]
    for name in SOURCES:
        assert (folder / "mine" / name).read_bytes() == (ROOT / "notebooks" / name).read_bytes()


def test_a_copy_replaces_nothing(collectives, folder):
    (folder / "mine").mkdir()
    (folder / "mine/03_trees.ipynb").write_text("answers")
    (folder / "file").touch()
    for words, said in (
        ("--copy mine", "--copy mine: has 03_trees.ipynb, perhaps with your answers; name anoth"),
        ("--copy file", "file is a file, not a folder"),
        ("--copy none/mine", "there is no folder none; make it first"),
        ("--copy=", "--copy '': names no folder; try: --copy collectives-lectures"),
        ("--copy --replace", "--copy --replace: names no folder; try: --copy collectives-lec"),
        ("--copy new --no-browser", "--no-browser: --copy opens no JupyterLab"),
        ("--replace", "--replace: needs --copy FOLDER; try: --copy collectives-lectures --replace"),
    ):
        ended = collectives(f"lab {words}")
        assert (ended.status, ended.out) == (2, "")
        assert said in ended.err and ended.err.count("\n") == 1
    assert (folder / "mine/03_trees.ipynb").read_text() == "answers"
    assert sorted(file.name for file in folder.iterdir()) == ["file", "mine"]
    assert len(list((folder / "mine").iterdir())) == 1


def test_a_copy_replaces_what_it_is_told_to_replace(collectives, folder):
    (folder / "mine").mkdir()
    for name in ("02_trees.ipynb", "notes.txt"):
        (folder / "mine" / name).write_text("answers")
    assert collectives("lab --copy mine --replace").status == 0
    assert (folder / "mine/notes.txt").read_text() == "answers"
    for name in SOURCES:
        assert (folder / "mine" / name).read_bytes() == (ROOT / "notebooks" / name).read_bytes()


def test_an_installed_package_opens_a_copy_that_keeps_answers(
    collectives, folder, started, monkeypatch
):
    monkeypatch.setattr(lab, "PACKAGED", ROOT / "notebooks")
    assert collectives("lab").out == "collectives-lectures\n"
    answered = folder / "collectives-lectures/03_trees.ipynb"
    answered.write_text("answers")
    (folder / "collectives-lectures/05_cost.ipynb").unlink()
    assert collectives("lab").status == 0
    assert [words[3] for _, words in started] == ["collectives-lectures"] * 2
    assert answered.read_text() == "answers"
    assert (folder / "collectives-lectures/05_cost.ipynb").stat().st_size > 1000
