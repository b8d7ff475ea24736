"""Every help text has examples, and every example does what it says: it ends with status 0."""

import re
import shlex
from pathlib import Path

import click
import pytest
from class_of_ten import handed_in, homework
from settings import THOROUGH

from collectives.__main__ import cli

# Films, a server, real ranks, all pages: their own tests run the examples.
SMALLER = {"cluster:nics=4 -n 32": "cluster:nics=4 -n 8", "check all -n 1-4": "check all -n 1-2"}
EXPENSIVE = {"video", "compare", "lecture", "lab", "launch", *(() if THOROUGH else ("gallery",))}


def commands():
    """Every command as the words that call it; none for the program itself."""
    context = click.Context(cli)
    return [(), *((name,) for name in cli.list_commands(context))]


def smaller(line):
    """An example of all algorithms, on fewer ranks unless all is tried."""
    for large, small in () if THOROUGH else SMALLER.items():
        line = line.replace(large, small)
    return line


def examples(text):
    """The commands that a help text shows, without the program's name."""
    return re.findall(r"^ +collectives (\w.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_help_has_an_example(right, words):
    for option in ("--help", "-h"):
        text = right(*words, option).out
        assert text.startswith(" ".join(("Usage: collectives", *words)))
        assert examples(text)
        assert all(example.split()[: len(words)] == list(words) for example in examples(text))
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_example_works(right, tmp_path, words):
    if EXPENSIVE.intersection(words):
        return
    log = Path(__file__).parents[1] / "data" / "nccl_logs" / "infiniband_2x4.log"
    (tmp_path / "nccl.log").write_bytes(log.read_bytes())
    table = log.parents[1] / "nccl_tests" / "superbenchmark_all_reduce.txt"
    (tmp_path / "out.txt").write_bytes(table.read_bytes())
    own = "from collectives.algorithms.binomial import binomial_broadcast as my_broadcast"
    (tmp_path / "mine.py").write_text(own)
    if words == ("grade",):
        handed_in(homework(tmp_path / "ring_lab.py", "1-2"), tmp_path / "ring-lab-submissions")
    for example in examples(right(*words, "--help").out):
        if example.split()[0] not in EXPENSIVE:
            assert right(*shlex.split(smaller(example))).out


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_no_help_is_cut_short(right, words):
    text = right(*words, "--help").out
    assert "..." not in text.replace("[ARGS]...", "").replace("[rank, ...]", "")


def test_the_help_explains_the_exit_statuses(right):
    text = right("--help").out
    for status in ("0 done", "1 an algorithm is wrong", "2 bad input", "3 ", "130 interrupted"):
        assert status in text


@pytest.mark.parametrize("name", ["diagnose", "calibrate", "expect", "bits", "time"])
def test_a_command_without_its_words_is_shown_with_them(collectives, name):
    """As in an example of its own, not in a sentence of its help that names another command."""
    ended = collectives(name)
    assert ended.status == 2
    assert ended.err.startswith(f"collectives: collectives {name} what? as in: collectives {name} ")
