"""What Manim itself does with us: the example of the docs, scenes by name, the plugin."""

import os
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("manim")

import av
import numpy as np

from animations import scenes
from collectives import BadInput, record

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "manim.md").read_text()


def manim(*words, folder, **environment):
    """Manim, as its users call it, elsewhere; how it ended."""
    return subprocess.run(
        [sys.executable, "-m", "manim", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def example():
    """The scene on the page."""
    return re.search(r"<!-- file: scene.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)[1]


def test_the_example_of_the_page_is_short_and_renders(tmp_path):
    assert len(example().splitlines()) <= 22
    (tmp_path / "scene.py").write_text(example())
    words = ["-r", "214,120", "--fps", "1", "--media_dir", "media", "scene.py", "Ring"]
    done = manim(*words, folder=tmp_path)
    assert done.returncode == 0, done.stderr + done.stdout
    (film,) = (path for path in tmp_path.rglob("Ring.mp4"))
    with av.open(str(film)) as container:
        frames = [
            frame.to_ndarray(format="gray").astype(int) for frame in container.decode(video=0)
        ]
    changed = [np.abs(now - before).max() > 40 for before, now in pairwise(frames)]
    assert len(frames) > 8 and sum(changed) > len(changed) / 2


def test_manim_lists_the_plugin_that_the_project_names(tmp_path):
    """As it is installed: with the entry points of pyproject.toml in its metadata."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ((name, module),) = project["entry-points"]["manim.plugins"].items()
    installed = tmp_path / "plugged-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[manim.plugins]\n{name} = {module}\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = manim("plugins", "-l", folder=tmp_path, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert "• collectives" in done.stdout and "Missing" not in done.stdout


def test_a_plugin_that_manim_imports_is_cheap():
    """Manim imports it before it is complete itself, in every scene of everybody."""
    code = (
        "import sys, animations.manim; print('numpy' in sys.modules, 'collectives' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_a_scene_has_as_many_ranks_as_its_class_or_the_environment_says(monkeypatch):
    monkeypatch.delenv(scenes.VARIABLE, raising=False)
    eight = type("Eight", (scenes.RingAllReduce,), {"ranks": 8})
    boards = [scene.board(scene.__new__(scene)) for scene in (scenes.RingAllReduce, eight)]
    assert [board.ranks for board in boards] == [4, 8]
    monkeypatch.setenv(scenes.VARIABLE, "3")
    board = eight.board(eight.__new__(eight))
    assert len(board.frames) == len(record("all_reduce", "ring", ranks=3).steps)
    monkeypatch.setenv(scenes.VARIABLE, "three")
    with pytest.raises(BadInput, match="COLLECTIVES_RANKS=three: must be a number of ranks; try"):
        scenes.asked_ranks(4)
