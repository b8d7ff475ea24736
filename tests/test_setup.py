"""Setup of a checkout, with the programs that it starts replaced: kills, no network, versions."""

import json
import runpy
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "setup.py"


class Killed(BaseException):
    """Stands for kill -9: nothing of setup runs after it."""


class Checkout:
    """A checkout in a folder of its own, whose setup starts `run` below instead of programs."""

    def __init__(self, folder):
        self.folder, self.started, self.offline = folder, [], False
        self.kill_at, self.tree = None, folder / ".venv"
        (folder / "scripts").mkdir(parents=True)
        (folder / "constraints").mkdir()
        for version in ("3.11", "3.13"):
            (folder / "constraints" / f"python{version}.txt").touch()
        shutil.copy(SCRIPT, folder / "scripts")
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.setup = runpy.run_path(str(folder / "scripts" / "setup.py"))
        self.names = self.setup["main"].__globals__
        self.names.update(run=self.run, system=lambda part: None)

    def step(self):
        if self.kill_at == len(self.started):
            raise Killed
        self.started.append(None)

    def run(self, command, shown=(), packages=None):
        """What venv and pip do, in parts between which they can be killed."""
        if "venv" in command:
            (self.tree / "bin").mkdir(exist_ok=True)
            self.step()
            shutil.copy(sys.executable, self.tree / "bin" / "python")
            self.step()
            (self.tree / "pip").touch()
        elif "install" in command:
            if self.offline:
                self.names["LOG"].write_text("Temporary failure in name resolution")
                return False
            begun = self.tree / command[-1]
            if not begun.exists():  # pip takes what was begun for installed
                begun.mkdir()
                self.step()
                (begun / "whole").touch()
        else:
            return (self.tree / "pip").exists()
        self.step()
        return True

    def main(self, part="all", latest=False):
        self.names["main"](part, latest)

    def left(self):
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*")}


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path / "checkout")


@pytest.mark.parametrize("kill_at", range(5))
def test_a_setup_that_was_killed_mends_itself(tmp_path, kill_at):
    whole = Checkout(tmp_path / "whole")
    whole.main()
    cut = Checkout(tmp_path / "cut")
    cut.kill_at = kill_at
    with pytest.raises(Killed):
        cut.main()
    assert not cut.setup["ready"]("all", False)
    cut.kill_at = None
    cut.main()
    assert cut.left() == whole.left()
    assert cut.setup["ready"]("all", False)


def test_a_ready_checkout_starts_nothing(checkout):
    checkout.main("all")
    before = len(checkout.started)
    checkout.main("all")
    checkout.main("video")
    assert len(checkout.started) == before
    (checkout.folder / "pyproject.toml").write_text("other")
    checkout.main("video")
    assert len(checkout.started) > before


PIP = """Obtaining file:///checkout
Collecting manim>=0.20 (from collectives-lab==0.1.0)
  Downloading manim-0.22.0-py3-none-any.whl (800 kB)
Collecting numpy>=2.1
Building wheel for pycairo (pyproject.toml): started
Installing collected packages: manim, numpy, pycairo, av
"""
APT = """Get:1 http://mirror stable InRelease [140 kB]
0 upgraded, 3 newly installed, 0 to remove and 1 not upgraded.
Get:1 http://mirror stable/main amd64 gcc amd64 12 [78.4 kB]
Get:2 http://mirror stable/main amd64 cpp amd64 12 [78.4 kB]
Get:3 http://mirror stable/main amd64 libc6 amd64 2 [78.4 kB]
Unpacking gcc (12) ...
Setting up gcc (12) ...
"""


def test_the_share_of_packages_and_the_time_that_is_left_are_told(checkout, tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(checkout.names["time"], "monotonic", lambda: clock[0])
    there = tmp_path / "lib" / "python3.13" / "site-packages"
    (there / "pip.dist-info").mkdir(parents=True)
    packages = checkout.setup["Packages"](10, tmp_path)
    told = []
    for line in PIP.splitlines():
        packages.heard(line)
        clock[0] += 2
        told.append(packages.text())
    assert told[1] == "downloading 1 of about 10 packages: manim; 4 s so far, about 40 s left"
    assert told[4] == "downloading 2 of about 10 packages: pycairo; 10 s so far, about 40 s left"
    assert told[5] == "installing 0 of 4 packages; 12 s so far"
    (there / "numpy.dist-info").mkdir()
    assert packages.text() == "installing 1 of 4 packages; 12 s so far, about 6 s left"

    packages = checkout.setup["Packages"]()
    assert packages.text() == "downloading packages; 0 s so far"
    told = []
    for line in APT.splitlines():
        packages.heard(line)
        clock[0] += 1
        told.append(packages.text())
    assert told[1] == "downloading 0 of 3 packages; 2 s so far"
    assert told[2] == "downloading 1 of 3 packages: gcc; 3 s so far, about 20 s left"
    assert told[5] == "unpacking 1 of 3 packages: gcc; 6 s so far, about 6 s left"
    assert told[6] == "installing 1 of 3 packages: gcc; 7 s so far, about 5 s left"


def test_the_time_that_is_left_is_not_told_from_one_package_of_many(checkout):
    packages = checkout.setup["Packages"]()
    packages.heard("0 upgraded, 111 newly installed, 0 to remove and 0 not upgraded.")
    packages.heard("Unpacking systemd (257) ...")
    packages.heard("Setting up systemd (257) ...")
    assert packages.text() == "installing 1 of 111 packages: systemd; 0 s so far"


def test_a_change_that_was_cut_off_and_taken_back_is_not_taken_for_whole(checkout):
    checkout.main("video")
    checkout.kill_at = len(checkout.started)
    with pytest.raises(Killed):
        checkout.main("all")
    assert not checkout.setup["ready"]("video", False)


def test_an_environment_of_ones_own_stays_unless_it_has_no_pip(checkout):
    (checkout.tree / "bin").mkdir(parents=True)
    shutil.copy(sys.executable, checkout.tree / "bin" / "python")
    (checkout.tree / "pip").touch()
    (checkout.tree / "own").touch()
    checkout.main()
    assert (checkout.tree / "own").exists()
    (checkout.tree / "pip").unlink()
    checkout.main(latest=True)
    assert not (checkout.tree / "own").exists()


def test_what_films_need_is_not_taken_for_everything(checkout):
    checkout.main("video")
    assert ".venv/.[video]" in checkout.left()
    checkout.main("all")
    assert ".venv/.[video,figure,notebook,dev]" in checkout.left()


def test_the_newest_versions_are_another_installation(checkout):
    checkout.main("all")
    assert not checkout.setup["ready"]("all", True)
    checkout.main("all", latest=True)
    assert checkout.setup["ready"]("all", True)


def test_without_a_network_one_sentence_says_so_and_what_was_there_stays(checkout):
    checkout.main("video")
    checkout.offline = True
    with pytest.raises(checkout.setup["SetupError"]) as problem:
        checkout.main("all")
    assert str(problem.value) == (
        "the Python libraries cannot be downloaded: is there a network? (all output: setup.log)"
    )
    assert ".venv/.[video]" in checkout.left()
    checkout.offline = False
    checkout.main("all")
    assert ".venv/.[video]" in checkout.left(), ".venv was made anew though nothing was cut off"


@pytest.mark.parametrize(("minor", "file"), [(11, 11), (12, 13), (13, 13), (14, 13)])
def test_versions_are_those_of_this_python_or_the_next_that_was_tried(
    checkout, monkeypatch, minor, file
):
    monkeypatch.setattr(sys, "version_info", (3, minor, 0))
    assert checkout.setup["constraints"]().name == f"python3.{file}.txt"


def test_an_old_python_is_refused_in_a_line():
    code = (
        "import runpy, sys; sys.version_info = (3, 9, 2); sys.argv = ['setup.py', 'all']; "
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == (
        "setup: this is Python 3.9, and 3.11 or newer is needed: name one with  "
        "make PYTHON=python3.12 ...\n"
    )


def test_every_pinned_version_is_allowed_and_every_library_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    for path in (ROOT / "constraints").glob("*.txt"):
        pins = dict(line.lower().split("==") for line in path.read_text().split())
        for requirement in map(Requirement, chain(*groups)):
            version = pins[requirement.name]
            assert requirement.specifier.contains(version), f"{path.name}: {requirement} {version}"


def test_the_stamp_is_not_read_while_it_is_half_written(checkout):
    checkout.main("all")
    stamp = checkout.tree / "setup.json"
    stamp.write_text(json.dumps(stamp.read_text())[:5])
    assert not checkout.setup["ready"]("all", False)


@pytest.mark.parametrize(
    ("programs", "installed"),
    [
        ({}, {"chromium", "nodejs", "node-typescript"}),
        ({"node": "v12.22.9", "chromium": ""}, {"nodejs", "node-typescript"}),
        ({"node": "v18.20.4", "google-chrome": ""}, {"node-typescript"}),
        ({"node": "v22.1.0", "tsc": "Version 5.4", "chromium": ""}, set()),
    ],
)
def test_programs_that_are_there_are_not_installed_again(
    checkout, tmp_path, monkeypatch, programs, installed
):
    for name, version in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}")
    optional = set(chain.from_iterable(checkout.setup["OPTIONAL"].values()))
    wanted = optional - checkout.setup["unneeded"]()
    assert wanted == installed | {"openmpi-bin", "python3-mpi4py"}
