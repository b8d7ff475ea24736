"""CONTRIBUTING.md is followed, in a copy of the project: what it says happens, happens."""

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from settings import THOROUGH, sampled

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
BESIDE = (
    ".binder",
    ".ci",
    ".github",
    "constraints",
    "docs",
    "notebooks",
    "scripts",
)  # not in the guide
OF_THE_CATALOG = (  # quick tests of all rows and names; of what a row may leave out, too
    "tests/test_glossary.py::test_captions_speak_in_terms",
    "tests/test_names.py",
    "tests/structure/test_stated.py::test_all_links_of_the_structure_are_in_use_and_no_others",
    "tests/structure/test_stated.py::test_structures_are_made_for_one_rank_and_for_many",
    "tests/animations/phrases/test_phrases.py::test_translations_are_of_what_sources_say",
)
WHOLE = (  # as `make test`, without its limit of lines and words of other languages for a new name
    *("-n", "3", "--dist", "worksteal"),
    *("--ignore=tests/test_contributing.py", "--ignore=tests/test_size.py"),
    (
        "--deselect=tests/animations/phrases/test_sentences.py"
        "::test_each_question_is_asked_in_every_language"
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The copy in which the guide is followed."""
    return tmp_path_factory.mktemp("copy")


@pytest.fixture(scope="module")
def followed(folder):
    """The guide, its outputs made anew: every file is written, every command is run."""
    spec = importlib.util.spec_from_file_location("guide", ROOT / "scripts" / "guide.py")
    guide = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(guide)
    return guide.followed(GUIDE, folder)


@pytest.fixture
def python(followed, folder):
    """Run Python in the copy; how it ended."""

    def call(*words, timeout=120, sample=""):
        here = dict.fromkeys(("PYTHONDONTWRITEBYTECODE", "THOROUGH"), "") | {"SAMPLE": sample}
        return subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=os.environ | here | {"PYTHONPATH": str(folder)},
        )

    return call


def test_every_command_prints_what_stands_there(followed):
    assert followed == GUIDE, "run: make readme"


def test_the_guide_shows_commands_and_messages(followed):
    assert followed.count("\n$ collectives ") >= 6
    assert followed.count("\ncollectives: ") == 2, "two wrong algorithms are told what is wrong"


def test_the_example_is_not_in_the_catalog_yet():
    from collectives import ROWS

    assert "both-ways" not in {row.algorithm for row in ROWS if row.collective == "broadcast"}


def test_the_copy_has_the_algorithm_everywhere(python, folder):
    code = """
import collectives
from animations.story.compose import proved_storyboard
from collectives.catalog.list_report import find_rows
from scripts.readme import catalog

(row,) = find_rows(["both-ways"])
board = proved_storyboard(collectives.record("broadcast", "both-ways", ranks=8))
print(row.title, "both-ways" in catalog(), collectives.__file__)
print([frame.comment for frame in board.frames])
"""
    (folder / "scripts").mkdir(exist_ok=True)
    (folder / "scripts" / "readme.py").write_text((ROOT / "scripts" / "readme.py").read_text())
    for name in ("guide.py", "release.py"):
        (folder / "scripts" / name).write_text((ROOT / "scripts" / name).read_text())
    ended = python("-c", code)
    assert ended.stderr == ""
    name = folder / "collectives" / "__init__.py"
    first, captions = ended.stdout.splitlines()
    assert first == f"both-ways broadcast True {name}"
    assert captions == str(4 * ["the ranks at both ends pass the data on"])
    assert (folder / "both-ways-broadcast-8.html").stat().st_size > 10_000


def test_the_closed_form_of_its_time_is_that_of_the_clock(python):
    """The root sends 2 vectors, but in each later step one more passes the busiest port: 5."""
    words = "collectives time broadcast both-ways -n 8 --size 1GB --latency 5us --bandwidth 50GB/s"
    ended = python("-m", *words.split(), "--json")
    report = json.loads(ended.stdout)
    assert report["seconds"] == pytest.approx(4 * 5e-6 + 5 * 0.02)
    assert report["closed_form"]["seconds"] == pytest.approx(report["seconds"])
    assert report["closed_form"]["formula"] is None


def test_what_is_wrong_is_drawn_as_wrong(python):
    words = shlex.split("collectives page mine.py:hasty_broadcast --slots 1 -n 6")
    ended = python("-m", *words)
    assert (ended.returncode, ended.stdout) == (1, "hasty-broadcast-6.html\n")
    told = "rank 3, slot 0 is empty at the end: chunk 0 of rank 0 is missing"
    assert told in " ".join(GUIDE.split())
    assert told in ended.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    sampled(
        [
            ("[: n - 1 - 2 * hop]", ""),
            ("range(n // 2)", "range((n - 1) // 2)"),
            ("[1, -1]", "[1, 1]"),
            ("root + way * hop", "root"),
        ],
        3,
    ),
)
def test_the_tests_of_the_guide_can_fail(python, folder, right, wrong):
    path = folder / "collectives" / "algorithms" / "both_ways.py"
    before = path.read_text()
    assert before.count(right) == 1
    path.write_text(before.replace(right, wrong))
    try:
        ended = python(
            "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/algorithms/test_both_ways.py"
        )
        assert ended.returncode == 1, ended.stdout
    finally:
        path.write_text(before)


def test_the_tests_of_the_project_pass_in_the_copy(python, folder):
    """By `make thorough` those of `make test`, too, README and list of survivors written anew."""
    suite = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    ended = python(*suite, *OF_THE_CATALOG)
    assert ended.returncode == 0, ended.stdout[-9999:]
    if THOROUGH:
        for name in BESIDE:
            shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
        for path in ROOT.iterdir():
            if path.is_file() and path.name != ".git":
                shutil.copy(path, folder)
        for script in (("scripts/readme.py", "--text"), ("tests/mutation/survivors.py",)):
            assert python(*script, timeout=3600).returncode == 0
        ended = python(*suite, *WHOLE, timeout=7200, sample="1")
        assert ended.returncode == 0, ended.stdout[-9999:]
