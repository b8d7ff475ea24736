"""An installed package needs no checkout: what the wheel holds, and the README's commands in it."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
from settings import THOROUGH
from test_readme import MEASURED, commands

ROOT = Path(__file__).parents[1]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
PATIENCE = 1800  # seconds
SHORTER = {"-n 1-33": "-n 1-5", "-q m": "-q l", "video all-reduce": "video all-reduce -q l"}


def run(words, folder, **more):
    """A program that ends well, in a folder: its output."""
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, **more
    )
    assert done.returncode == 0, (words, done.stderr[-2000:])
    return done.stdout


def test_no_folder_of_the_package_is_ignored():
    """The build leaves out what git ignores."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    ignored = {line.strip("/") for line in lines if line.endswith("/")} - {"__pycache__"}
    parts = {part for name in WHEEL["wheel"]["packages"] for part in (ROOT / name).rglob("*")}
    assert not {part for part in parts if part.is_dir() and part.name in ignored}


def test_the_lectures_are_found_where_the_wheel_has_them(tmp_path):
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    for name in WHEEL["wheel"]["packages"]:
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    for source, target in WHEEL["wheel"]["force-include"].items():
        shutil.copytree(ROOT / source, site / target)
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-m", "collectives", "lab", "--copy", "mine"]
    copied = run(words, empty, env=environment).split()
    lectures, mine = ROOT / "notebooks", empty / "mine"
    files = [*lectures.glob("*.ipynb")]
    assert sorted(copied) == sorted(f"mine/{path.relative_to(lectures)}" for path in files)
    for path in files:
        assert (mine / path.relative_to(lectures)).read_bytes() == path.read_bytes()
    code = "from animations.lab import *; print(Exercise('ring all-gather').name)"
    asked = run([sys.executable, "-c", code], mine, env=environment)
    assert asked == "ring all-gather\n"


def shorter(command):
    """The same command, with less to compute or to draw."""
    for old, new in SHORTER.items():
        command = command.replace(old, new)
    return command + " -q l" * command.startswith("collectives lecture")


def opened(words, folder):
    """The lines of a JupyterLab up to the address where it is open."""
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) as lab:
        lines = []
        for line in lab.stderr:
            lines.append(line)
            if "127.0.0.1" in line:
                break
        lab.terminate()
    return "".join(lines)


if THOROUGH:  # it needs an index of packages

    def test_every_command_of_the_readme_runs_from_a_wheel(tmp_path):
        folder, made = tmp_path / "empty", tmp_path / "made"
        folder.mkdir()
        run([sys.executable, "-m", "venv", str(tmp_path / "env")], tmp_path)
        place = tmp_path / "env" / "bin"
        pip = [str(place / "python"), "-m", "pip"]
        run([*pip, "wheel", "--no-deps", "-w", str(made), str(ROOT)], tmp_path)
        (wheel,) = made.glob("collectives_lab-*.whl")
        run([*pip, "install", f"{wheel}[video,figure,notebook]"], tmp_path)
        np.save(folder / "grads.npy", np.arange(12.0).reshape(4, 3))
        shutil.copy(MEASURED, folder / "out.txt")
        environment = os.environ | {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
        for command in commands():
            run(shlex.split(shorter(command)), folder, env=environment)
        run(["collectives", "lab", "--copy", "mine"], folder, env=environment)
        words = [str(place / "collectives"), "lab", "--no-browser"]
        assert "serverapp" in opened(words, folder).lower()
        assert len(list((folder / "collectives-lectures").glob("*.ipynb"))) == len(
            list((ROOT / "notebooks").glob("*.ipynb"))
        )
