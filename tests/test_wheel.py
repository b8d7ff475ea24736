"""An installed package needs no checkout: what the wheel holds, and the README's commands in it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from class_of_ten import handed_in
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


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The variables of a Python that finds what the wheel holds, and no checkout."""
    site = tmp_path_factory.mktemp("site")
    for name in WHEEL["wheel"]["packages"]:
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    for source, target in WHEEL["wheel"]["force-include"].items():
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, site / target)
    return os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": ""}


def test_the_lectures_are_found_where_the_wheel_has_them(installed, tmp_path):
    words = [sys.executable, "-m", "collectives", "lab", "--copy", "mine"]
    copied = run(words, tmp_path, env=installed).split()
    lectures, mine = ROOT / "notebooks", tmp_path / "mine"
    files = [*lectures.glob("*.ipynb")]
    assert sorted(copied) == sorted(f"mine/{path.relative_to(lectures)}" for path in files)
    for path in files:
        assert (mine / path.relative_to(lectures)).read_bytes() == path.read_bytes()
    code = "from animations.lab import *; print(Exercise('ring all-gather').name)"
    asked = run([sys.executable, "-c", code], mine, env=installed)
    assert asked == "ring all-gather\n"


PLAIN = """
import json, shlex, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
from collectives.__main__ import main
for line in json.loads(sys.argv[2]):
    print("$", line, file=sys.stderr, flush=True)
    try:
        main(shlex.split(line))
    except SystemExit as left:
        print("=", left.code, file=sys.stderr, flush=True)
"""
OPTIONAL = ("cairo", "manim", "av", "PIL", "matplotlib", "anywidget", "ipywidgets", "jupyterlab",
            "ml_dtypes", "sphinx", "myst_parser", "nbformat", "traitlets")  # fmt: skip
WITHOUT_EXTRAS = {  # commands, with the extra that each needs
    "list nccl LL128": "",
    "run all-reduce ring -n 4 -o sum.npy": "",
    "check all-reduce ring -n 1-4": "",
    "page all-reduce ring -n 4 --edit": "",
    "page all-reduce ring -n 4 --language zh": "",
    "compare all-reduce ring tree -n 4 -o race.html": "",
    "time all-reduce --like openmpi -n 4 --size 1MiB": "",
    "exercise ring --seed 7": "",
    "claims C2": "",
    "program all-reduce ring -n 4 --for mpi4py": "",
    "video all-reduce ring -n 4": "video",
    "lecture ring": "video",
    "compare all-reduce ring tree -n 4 -o race.mp4": "video",
    "figure links all-reduce ring -n 4 -o links.svg": "figure",
    "page all-reduce ring -n 8 --topology hgx-h100": "figure",
    "lab": "notebook",
    "run all-reduce ring -n 4 --dtype bfloat16": "bfloat16",
}


def test_a_plain_installation_does_what_needs_no_extra_and_names_those_of_the_rest(
    installed, tmp_path
):
    hidden, lines = json.dumps(OPTIONAL), json.dumps(list(WITHOUT_EXTRAS))
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, hidden, lines],
        cwd=tmp_path, env=installed, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ended = dict(re.findall(r"^\$ (.*)\n((?:.*\n)*?= \d+)$", done.stderr, re.MULTILINE))
    assert list(ended) == list(WITHOUT_EXTRAS)
    for line, extra in WITHOUT_EXTRAS.items():
        *said, status = ended[line].split("\n")
        assert status == ("= 3" if extra else "= 0"), (line, said)
        if extra:
            assert said[-1].endswith(f"; type: pip install 'collectives-lab[{extra}]'")


def test_the_site_has_the_documents_that_the_wheel_brings(installed, tmp_path):
    code = "from animations.site.documents import *; write_documents(Path('site'))"
    code += "; from animations.site.takeaways import *; print(bibtex('Ring'))"
    (tmp_path / "site").mkdir()
    assert "The collectives developers" in run(
        [sys.executable, "-c", code], tmp_path, env=installed
    )
    pages = {path.stem for path in (tmp_path / "site.work" / "drafts" / "docs").glob("*.sheet")}
    assert pages >= {path.stem for path in (ROOT / "docs").glob("*.md")}


def shorter(command):
    """The same command, with less to compute or to draw."""
    for old, new in SHORTER.items():
        command = command.replace(old, new)
    is_film = command.startswith("collectives lecture") and "--format" not in command
    return command + " -q l" * is_film


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
        for command in dict.fromkeys(commands()):
            if " grade " in command:  # of a homework that an earlier command has made
                handed_in(folder / "ring_lab.py", folder / "submissions")
            run(shlex.split(shorter(command)), folder, env=environment)
        run(["collectives", "lab", "--copy", "mine"], folder, env=environment)
        words = [str(place / "collectives"), "lab", "--no-browser"]
        assert "serverapp" in opened(words, folder).lower()
        assert len(list((folder / "collectives-lectures").glob("*.ipynb"))) == len(
            list((ROOT / "notebooks").glob("*.ipynb"))
        )
