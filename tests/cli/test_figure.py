"""`collectives figure`: every kind writes a file, its help is true, and bad input is one line."""

import re
import shlex
from pathlib import Path

import pytest
from settings import sampled

from animations.drawing.theme import LIGHT
from collectives.__main__ import cli

KINDS = sorted(cli.commands["figure"].commands)


def examples(text):
    return re.findall(r"^ +collectives (figure \w.*)$", text, re.MULTILINE)


def test_there_are_fifteen_kinds():
    assert KINDS == [
        "bandwidth-cliff",
        "bits",
        "bounds",
        "busbw",
        "delivery",
        "expect",
        "links",
        "picture",
        "space-time",
        "storyboard",
        "time-ranks",
        "time-size",
        "topology",
        "traffic",
        "transport",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_help_whose_examples_work(kind, right, folder):
    text = right("figure", kind, "--help").out
    assert max(map(len, text.splitlines())) <= 80 and "..." not in text
    found = examples(text)
    assert found
    for example in sampled(found, 9):
        words = shlex.split(example)
        assert words[1] == kind
        name = right(*words).out.strip()
        assert name.startswith(f"{kind}-") and name.endswith(".svg")
        assert (folder / name).read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_figure_goes_where_it_is_told(suffix, right, folder):
    words = f"figure traffic all-reduce ring -n 4 --theme light -o mine.{suffix}"
    assert right(words).out == f"mine.{suffix}\n"
    assert [path.name for path in folder.iterdir()] == [f"mine.{suffix}"]


def test_own_and_saved_schedules_have_figures(right, folder):
    source = "from collectives import send\n\n\ndef my_broadcast(n):\n    yield send(0, 1)\n"
    (folder / "mine.py").write_text(source)
    assert right("figure traffic mine.py:my_broadcast -n 2 --slots 1").out.startswith("traffic-my")
    right("run broadcast tree -n 5 -o saved.json")
    assert right("figure space-time saved.json").out == "space-time-tree-broadcast-5.svg\n"


def test_a_machine_of_ones_own_is_drawn(right, folder):
    from collectives.cost.machines.toml_file import EXAMPLE

    (folder / "own.toml").write_text(EXAMPLE)
    assert right("figure topology own.toml").out == "topology-own-4.svg\n"
    cut = right("figure topology own.toml --cut reduce --root 3").out
    assert cut == "topology-own-4-reduce-cut.svg\n"
    assert right("figure links all-reduce ring --topology own.toml").out.endswith("-own.svg\n")


BAD = [
    ("figure", "which command? choose from bandwidth-cliff"),
    ("figure trafic all-reduce ring", "did you mean traffic?"),
    ("figure traffic", "as in: collectives figure traffic all-reduce ring -n 8"),
    ("figure traffic all-reduce rnig", "did you mean ring?"),
    ("figure traffic all-reduce ring --theme drak", "--theme drak: unknown; did you mean dark?"),
    ("figure traffic all-reduce ring -o a.jpg", "try: a.svg"),
    ("figure traffic all-reduce ring -o no/a.svg", "there is no folder no"),
    ("figure traffic all-reduce ring --size 5", "has no unit; try: 5B"),
    ("figure traffic all-reduce ring --size 1MiB --count 4", "--count 4: --size says"),
    ("figure traffic barrier tree --size 1MiB", "a barrier moves no data"),
    ("figure traffic all-gather ring -n 300", "try: -n 256"),
    ("figure space-time all-reduce ring -n 40", "try: -n 16"),
    ("figure space-time all-reduce ring --clock lokcstep", "did you mean lockstep?"),
    ("figure links all-reduce ring --topology tours-2d", "did you mean torus-2d?"),
    ("figure links all-reduce ring -n 9 --topology hgx-h100", "try: 8"),
    ("figure time-size", "as in: collectives figure time-size all-reduce ring"),
    ("figure time-size all-reduce ring --size 1MiB", "a range of sizes; try: 1KiB-1GiB"),
    ("figure time-size all-reduce ring --size 2MiB-1KiB", "must go up"),
    ("figure time-size all-reduce ring --chunks 3", "none of these is pipelined"),
    ("figure time-size all-reduce ring --root 1", "has no root"),
    ("figure time-ranks all-reduce ring -n 1", "try: 2-32"),
    ("figure time-ranks all-reduce ring -n 9-12 --topology hgx-h100", "try: 8"),
    ("figure bounds barrier", "moves no data"),
    ("figure bounds", "as in: collectives figure bounds all-reduce -n 8"),
    ("figure bounds broadcast --root 8", "try: 7"),
    ("figure busbw all-reduce --gpu V100", "--gpu V100: not measured"),
    ("figure bandwidth-cliff all-reduce ring --topology ring", "try: cluster:nics=1"),
    ("figure bandwidth-cliff all-reduce", "name algorithms too"),
    ("figure topology", "as in: collectives figure topology hgx-h100"),
    ("figure topology hgx-h100 -n 9", "try: 8"),
    ("figure topology own.toml", "no such file"),
    ("figure topology hgx-h100 --latency 5us", "has links of its own"),
    ("figure topology hgx-h100 --cut all-gathr", "did you mean all-gather?"),
    ("figure topology hgx-h100 --cut all-to-all", "no cut is known to limit it; try: all-gather"),
    ("figure topology hgx-h100 --cut all-reduce --root 1", "has no root"),
    (
        "figure topology hgx-h100 --cut broadcast --root 8",
        "--root 8: the machine has 8 ranks; try: --root 7",
    ),
    ("figure topology ring -n 1 --cut barrier", "no cut is known to limit it; try: all-gather"),
    ("figure topology hgx-h100 --root 1", "a machine has no root; try: --cut broadcast"),
    ("figure topology ring -n 1 --cut gather", "one rank has no partner"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_input_is_one_line_and_leaves_no_file(words, message, collectives, folder):
    ended = collectives(words)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("\n") == 1 and message in ended.err, ended.err
    assert list(folder.iterdir()) == []


def test_without_matplotlib_it_is_said_what_to_install():
    code = "import sys; sys.modules['matplotlib'] = None; from collectives.__main__ import main; "
    code += "main(['figure', 'busbw', 'all-reduce'])"
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 3
    assert "a figure needs matplotlib" in done.stderr
    assert "type: make -C " in done.stderr


def test_a_name_without_glyphs_is_one_line_on_stderr(command, folder):
    (folder / "own.py").write_text(
        "from collectives import send\n\n\ndef \U00020089_broadcast(n):\n    yield send(0, 1)\n"
    )
    words = "figure traffic own.py:\U00020089_broadcast -n 2 --slots 1 -o a.svg"
    done = command(words)
    said = [line for line in done.err.splitlines() if " so far" not in line]
    assert done.status == 0 and len(said) == 1, done.err
    assert said[0].startswith("collectives: no font here has ") and r"\U00020089" in said[0]
    assert r"\U00020089 broadcast" in (folder / "a.svg").read_text()


SHAPES = [("lecture", "960 540"), ("4:3", "800 600"), ("tall", "540 960")]  # in points


def test_a_picture_is_of_one_step_on_a_sheet(right, collectives, folder):
    for sheet, shape in SHAPES:
        right(f"figure picture all-reduce ring -n 4 --step 3 --sheet {sheet} -o of.svg")
        text = (folder / "of.svg").read_text()
        assert 'width="{}pt" height="{}pt"'.format(*shape.split()) in text
        assert "<dc:title>Ring all-reduce</dc:title>" in text
    right("figure picture all-reduce ring -n 4 --step 3 --language es -o of.svg")
    assert "<dc:title>All-reduce en anillo</dc:title>" in (folder / "of.svg").read_text()
    ended = collectives("figure picture all-reduce ring --language em")
    assert ended.status == 2 and "--language em: unknown; choose from en, es" in ended.err
    ended = collectives("figure picture all-reduce ring -n 4 --step 7")
    assert ended.status and "--step 7" in ended.err and "try: 6" in ended.err


def test_storyboards_are_light_and_have_no_background_where_none_is_wanted(right, folder):
    right("figure storyboard all-reduce ring -n 2 -o a.svg")
    right("figure storyboard all-reduce ring -n 2 --transparent -o b.svg")
    given, clear = ((folder / name).read_text() for name in ("a.svg", "b.svg"))
    page = LIGHT.background
    assert "Step 2 of 2" in given
    assert given.count(f"fill: {page}") == clear.count(f"fill: {page}") + 1


def test_time_over_sizes_is_that_of_the_machine_of_films_and_lectures(collectives, folder):
    """The crossover of a pair is one number, and the title says on which machine."""
    from animations.course.readings import turning_size
    from collectives.units import size_text

    ended = collectives("figure time-size all-reduce ring recursive-doubling -o of.svg")
    assert ended.status == 0, ended
    turn = size_text(
        turning_size("all_reduce", "recursive-doubling", "ring", 8, "hgx-h100"), 3, True
    )
    title = f"All-reduce on 8 ranks, hgx-h100: recursive-doubling up to {turn}, then ring"
    assert f"<dc:title>{title}</dc:title>" in (folder / "of.svg").read_text()
