"""README and docs/ are true: their commands and their Python run, their tables are complete.

That their generated parts are up to date is checked by `make lint`.
"""

import re
import shlex
import shutil
import subprocess
import sys
from code import InteractiveConsole
from pathlib import Path

import numpy as np
import pytest
from class_of_ten import handed_in, homework
from each import each
from settings import THOROUGH

from animations.drawing.render.cache import cache_folder
from animations.player import catalog
from collectives import ROWS
from collectives.__main__ import cli, main

ROOT = Path(__file__).parent.parent
PAGES = {
    page: page.read_text() for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
ALL = "\n".join(PAGES.values())
GUIDE = ROOT / "CONTRIBUTING.md"
LONGEST = 200  # lines of the README
MEASURED = ROOT / "tests/data/nccl_tests/superbenchmark_all_reduce.txt"  # as out.txt
LOG = ROOT / "tests/data/nccl_logs/nvlink_8.log"  # as nccl.log
HANG = ROOT / "tests/data/hangs/lightning_20832.log"  # as job.log


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", ALL, flags=re.DOTALL)


def commands():
    lines = [line.partition("#")[0].strip() for block in blocks("sh") for line in block.split("\n")]
    return [line for line in lines if line.startswith("collectives")]


def table(name):
    """The cells of a generated table, without its head, and the notes below it."""
    (text,) = re.findall(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", ALL, re.DOTALL)
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_every_catalog_row_is_listed():
    found = [
        (title, algorithm.strip("*"))
        for title, _, algorithms in table("catalog")
        for algorithm in algorithms.split(", ")
    ]
    assert found == [(row.promise.title, row.algorithm) for row in ROWS]


def test_every_all_reduce_of_four_ranks_has_its_order_shown():
    said = [name for names, _, _ in table("orders") for name in names.split(", ")]
    found = [name.removesuffix("\\*") for name in said]
    in_switches = [name for name in found if name not in said]
    assert in_switches == ["sharp", "nvls-tree", "nvls"], "the note says whose order it is"
    wanted = [r.algorithm for r in ROWS if r.collective == "all_reduce" and r.accepts(4)]
    assert sorted(found) == sorted(wanted)


def anchors(page):
    """The names of the headings of a page, as links have them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@each("page", [*PAGES, GUIDE], lambda page: page.name)
def test_the_links_lead_somewhere(page):
    text = page.read_text()
    for path, anchor in re.findall(r"\]\(([\w/.-]*)(?:#([\w-]+))?\)", text):
        target = page.parent / path if path else page
        assert target.is_file(), path
        assert not anchor or anchor in anchors(target), anchor


def test_the_readme_is_short_and_leads_to_every_page():
    readme = PAGES[ROOT / "README.md"]
    assert len(readme.splitlines()) <= LONGEST
    for page in (ROOT / "docs").glob("*.md"):
        assert f"(docs/{page.name})" in readme


def test_the_kinds_of_figures_are_counted():
    kinds = len(cli.commands["figure"].commands)
    assert f"{kinds} kinds of figures" in ALL.replace("fifteen", "15")


def test_the_folder_in_which_films_are_kept_is_the_one_that_it_names(monkeypatch):
    monkeypatch.setenv("COLLECTIVES_CACHE", "mine")
    kept = cache_folder()
    words = (
        f"`COLLECTIVES_CACHE` names a folder, films are kept in the folder `{kept.name}` inside it"
    )
    assert kept.parent.name == "mine" and words in " ".join(ALL.split())


def test_the_picture_is_there():
    for page, text in PAGES.items():
        for path in re.findall(r"!\[.*?\]\((.*?)\)", text):
            assert (page.parent / path).stat().st_size > 1000


@pytest.mark.parametrize("command", commands())
def test_every_command_runs(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.save("grads.npy", np.arange(12.0).reshape(4, 3))
    shutil.copy(MEASURED, "out.txt")
    if "ring_lab" in command and "new" not in command:
        handed_in(homework(tmp_path / "ring_lab.py", "1-2"), tmp_path / "submissions")
    words = shlex.split(command)[1:]
    if words[0] in ("video", "compare", "lecture"):
        assert words[0] in cli.commands, "films are rendered in tests of their own"
        return
    if words[0] == "check":
        words[-1] = "1-5"
    if words[0] == "gallery" and not THOROUGH:
        monkeypatch.setattr(catalog, "ROWS", ROWS[:12])
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0, capsys.readouterr().err
    if "sum.npy" in words:
        np.testing.assert_array_equal(np.load("sum.npy"), np.full((4, 1), 1) * [[18, 22, 26]])


class Prompt(InteractiveConsole):
    """Python at a prompt, into which a block is pasted line by line."""

    def paste(self, block):
        for line in [*block.split("\n"), ""]:
            more = self.push(line)
        assert not more, "it waits for more"

    def showtraceback(self):
        raise

    def showsyntaxerror(self, *names, **more):
        raise


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split("\n")[0])
def test_python_can_be_pasted(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "displayhook", repr)
    shutil.copy(LOG, "nccl.log")
    shutil.copy(HANG, "job.log")
    shutil.copy(MEASURED, "out.txt")
    Prompt().paste(block)


def test_a_program_without_its_wait_races_as_the_page_prints(tmp_path, monkeypatch, capsys):
    text = PAGES[ROOT / "docs" / "check.md"]
    (program,) = [block for block in blocks("python") if "signal=step" in block]
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(re.sub(r"\n *yield WaitSignal.*", "", program))
    command, _, printed = text.partition("$ collectives check mine.py:ring_all_gather")[
        2
    ].partition("\n")
    with pytest.raises(SystemExit):
        main(["check", "mine.py:ring_all_gather", *command.split()])
    assert capsys.readouterr().err.split() == printed.partition("```")[0].split()


def test_the_tests_of_an_algorithm_run(tmp_path):
    (tests,) = [block for block in blocks("python") if "def test_" in block]
    (tmp_path / "test_relay.py").write_text(tests)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    ended = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert "33 passed" in ended.stdout, ended.stdout


def test_the_first_block_of_commands_makes_collectives_a_command():
    first = next(block for block in blocks("sh") if "collectives" in block)
    assert "&& . .venv/bin/activate && pip install " in first.splitlines()[0]


def test_the_places_exist():
    for folder, names in re.findall(
        r"^\| `([\w/.]+)`(.*?) \|", GUIDE.read_text(), flags=re.MULTILINE
    ):
        for place in [folder, *re.findall(r"`([\w./]+)`", names)]:
            parent = ROOT if place == folder else (ROOT / folder).parent
            assert (parent / place).exists(), place
