"""Of every verb: no option takes an empty text, and outputs are refused before any work."""

import os

import click
import pytest
from each import each

from collectives.cli.commands import cli

RING = "all-reduce ring"
WORDS = {  # a valid command line for each verb, as short as can be
    "list": "",
    "run": RING,
    "check": RING,
    "time": f"{RING} --size 1KiB",
    "video": RING,
    "lecture": "ring",
    "compare": f"{RING} tree",
    "page": RING,
    "program": f"{RING} --for mpi4py",
    "launch": f"{RING} --backend mpi -n 2",
    "convert": f"{RING} ring.xml",
    "log": "nccl.log",
    "bits": "all-reduce --like gloo --size 1KiB",
    "expect": "all-reduce --topology hgx-h100",
    "diagnose": "out.txt",
    "calibrate": "out.txt -o mine.toml",
    "train": "--parameters 7B --ranks 8 --topology hgx-h100",
    "gallery": "-o all.html",
    "exercise": "ring",
    "grade": ".",
    "claims": "",
    "lab": "",
    "figure traffic": RING,
    "figure picture": RING,
    "figure storyboard": RING,
    "figure space-time": RING,
    "figure links": RING,
    "figure time-size": RING,
    "figure time-ranks": RING,
    "figure bounds": "all-reduce",
    "figure busbw": "all-reduce",
    "figure bits": "all-reduce --like gloo --size 1KiB",
    "figure expect": "all-reduce --topology hgx-h100",
    "figure bandwidth-cliff": "",
    "figure delivery": "",
    "figure transport": "pxn",
    "figure topology": "hgx-h100",
}


def verbs(command, path=()):
    """Every command that is no group, by its words."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from verbs(command.get_command(click.Context(command), name), (*path, name))
    else:
        yield " ".join(path), command


def options(command):
    """The options of a command that take a value."""
    return [p for p in command.params if isinstance(p, click.Option) and not p.is_flag]


VERBS = dict(verbs(cli))
TEXTS = [(verb, option.opts[0]) for verb in VERBS for option in options(VERBS[verb])]
OUTPUTS = [(verb, name) for verb, name in TEXTS if name in ("-o", "--save-machine")]
SUFFIXES = {"time": ".trace.json", "lecture": ".mp4", "video": ".mp4", "--save-machine": ".toml"}
FIRST = {
    "calibrate": ".toml",
    "page": ".html",
    "gallery": ".html",
    "program": ".py",
    "run": ".npy",
    "compare": ".png",
    "expect": ".csv",
    "exercise": ".md",
    "grade": ".csv",
}


def words(verb, *more):
    """The command line of a verb, with these words in place of those it has."""
    given = WORDS[verb].split()
    if more[0] in given:
        given = given[: given.index(more[0])] + given[given.index(more[0]) + 2 :]
    return [*verb.split(), *given, *more]


def suffix(verb, name):
    return SUFFIXES.get(name) or (SUFFIXES | FIRST).get(verb, ".svg")


def test_every_verb_is_here():
    assert set(WORDS) == set(VERBS)
    assert len(OUTPUTS) >= 20


@each(("verb", "name"), TEXTS, " ".join)
def test_an_empty_text_is_refused(verb, name, collectives, folder):
    (folder / "nccl.log").write_text("nothing")
    ended = collectives(*words(verb, name, ""))
    assert ended.status == 2 and not ended.out, ended
    assert ended.err.count("\n") == 1 and "''" in ended.err, ended.err
    assert os.listdir(folder) == ["nccl.log"]


@pytest.fixture
def idle(monkeypatch):
    """No verb may begin its work."""

    def work(*_, **__):
        pytest.fail("it began to work")

    for place in (  # where it would begin
        *("subject.Subject.recording", "video.timed", "draw.timed", "lecture.check_manim"),
        *("log.log", "expect.expected", "compare.ComparisonRequest.placed", "placed.placed"),
    ):
        monkeypatch.setattr(f"collectives.cli.{place}", work)


@each(("verb", "name"), OUTPUTS, " ".join)
def test_an_output_that_cannot_be_is_refused_before_any_work(verb, name, collectives, folder, idle):
    (folder / "nccl.log").write_text("nothing")
    ending = suffix(verb, name)
    (folder / f"folder{ending}").mkdir(exist_ok=True)
    (folder / "file").touch()
    cases = {
        f"missing/x{ending}": "there is no folder missing",
        f"folder{ending}": "is a folder; name a file in it",
        f"file/x{ending}": "file is a file, not a folder",
        "x.unknown": "written as .",
        "x": "written as .",
    }
    before = sorted(os.listdir(folder))
    for path, why in cases.items():
        ended = collectives(*words(verb, name, path))
        assert ended.status == 2 and why in ended.err and path in ended.err, (path, ended)
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("video all-reduce ring --format slides -o missing/deck", "there is no folder"),
        ("video all-reduce ring --format slides -o file", "is a file"),
        ("lecture --all -o missing/films", "there is no folder missing"),
        ("lecture --all -o file", "is a file"),
        ("lecture --all -o file/films", "file is a file, not a folder"),
    ],
)
def test_a_folder_that_cannot_be_is_refused_before_any_work(line, why, collectives, folder, idle):
    (folder / "file").touch()
    ended = collectives(line)
    assert ended.status == 2 and why in ended.err, ended
    assert os.listdir(folder) == ["file"]


@pytest.mark.parametrize("given", ["-q l", "--theme light", "--language es", "-q h", "-o x.mp4"])
def test_options_of_a_lecture_without_its_name_are_refused(given, collectives):
    ended = collectives(f"lecture {given}")
    name = given.split()[0]
    assert ended.status == 2 and not ended.out
    assert ended.err.startswith(f"collectives: {given}: name a lecture;"), ended.err
    assert f"collectives lecture ring {given}" in ended.err and name in ended.err


@each("verb", [verb for verb in VERBS if {(verb, "--seed"), (verb, "--jitter")} <= {*TEXTS}])
def test_a_seed_without_random_delays_is_refused(verb, collectives, folder):
    ended = collectives(*words(verb, "--seed", "1"))
    assert ended.status == 2 and "--seed 1: there is no jitter" in ended.err, ended
    assert not os.listdir(folder)
