"""Text on terminals and in pipes, and the memory that is asked for before it is taken."""

import os
import re
import subprocess
import sys

import pytest
from settings import sampled

from collectives.cli import console
from collectives.cli.console import one_line, say_lines
from collectives.text_lines import Grid, Heading, Paragraph, elements, in_columns

LAYOUTS = (lambda *table: in_columns(*table[:3]), console._wrapped_lines)
ROWS = [("ring", "2 (N-1)"), ("double binary tree", "a number of steps that takes many words")]
MEASURE = """
import resource, sys
import collectives.memory_limit as resources
from collectives.__main__ import main
asked, real = [0], resources.check_memory
def check(needed, what):
    asked[0] = max(asked[0], needed)
    real(needed, what)
resources.check_memory = check
import collectives.recording.recorder
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert ended.code == 0
taken = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
print(asked[0], taken, file=sys.stderr)
"""


@pytest.fixture
def terminal(monkeypatch):
    """Make standard output a terminal of so many columns."""

    def make(columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)

    return make


def test_a_pipe_gets_plain_lines(capsys):
    say_lines([Heading("heading"), Grid(ROWS, ("algorithm", "steps"))])
    assert capsys.readouterr().out.splitlines() == [
        "heading",
        "algorithm           steps",
        "───────────────────────────────────────────────────────────",
        "ring                2 (N-1)",
        "double binary tree  a number of steps that takes many words",
    ]


@pytest.mark.parametrize("headed", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_a_table_that_fits_is_laid_out_as_one_that_is_wrapped(headed, right):
    rows = [
        ["name", "µs", "≤ least"],
        ["ring   ", "12.5", ""],
        ["a much longer one…", "3", "2 × S"],
    ]
    tables = [lay_out(rows, headed, [False, right, False], 80) for lay_out in LAYOUTS]
    short, long = ([line.rstrip() for line in table] for table in tables)
    assert short == long and len(short) == 3 + headed


def test_letters_two_columns_wide_move_nothing(capsys):
    say_lines([Grid([("環", "one"), ("abcd", "two")])])
    assert capsys.readouterr().out.splitlines() == ["環    one", "abcd  two"]


def test_a_table_is_what_it_says_whatever_its_cells_look_like(capsys):
    """No markup, no emoji, no color; numbers flush right."""
    say_lines([Grid([("[bold]a[/]", ":smile:", "9"), ("b", "3.5 GB", "10")], right=(2,), indent=2)])
    assert capsys.readouterr().out.splitlines() == [
        "  [bold]a[/]  :smile:   9",
        "  b           3.5 GB   10",
    ]
    say_lines([Grid([])])
    assert capsys.readouterr().out == ""


def test_columns_that_can_be_spared_are_left_out_where_there_is_no_room(terminal, capsys):
    """Numbers are never broken into two lines."""
    rows = [("ring", "12.5 GB/s", "1.25x", "busy")]
    for columns, shown in ((40, rows[0]), (22, ("ring", "12.5 GB/s", "busy"))):
        terminal(columns)
        say_lines([Grid(rows, ("name", "rate", "of best", "link"), right=(1, 2), spare=(2,))])
        assert capsys.readouterr().out.splitlines()[2].split("  ")[0] == "ring"
        say_lines([Grid(rows, right=(1, 2), spare=(2,))])
        assert capsys.readouterr().out.split() == " ".join(shown).split()


def test_no_number_is_cut_where_columns_have_no_room(terminal, capsys):
    """They go into further tables, each with the first column."""
    rows = [(f"row {at}", *(f"{at}.{way} GB/s on 2,048" for way in range(9))) for at in range(3)]
    head = ("what", *(f"way {way}" for way in range(9)))
    for columns in (40, 80, 120, 300):
        terminal(columns)
        say_lines([Grid(rows, head, right=range(1, 10))])
        out = capsys.readouterr().out
        assert all(len(line) <= columns for line in out.splitlines())
        assert all(cell in out for row in (head, *rows) for cell in row)
        tables = out.count("what")
        assert out.count("row 2") == tables and (tables == 1) == (columns == 300)


def test_a_terminal_gets_lines_that_fit_and_bold_headings(terminal, capsys):
    terminal(30)
    say_lines([Heading("heading"), Grid(ROWS, indent=2)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "\x1b[1mheading\x1b[0m"
    assert max(map(len, lines[1:])) <= 30
    words = " ".join(" ".join(lines[1:]).split())
    assert sorted(words.split()) == sorted(" ".join(" ".join(row) for row in ROWS).split())


def test_a_text_is_broken_between_words(terminal, capsys):
    terminal(40)
    say_lines([Paragraph("word " * 9, "  takes", indent=9), Paragraph("")])
    assert capsys.readouterr().out.splitlines() == [
        "  takes  word word word word word word",
        "         word word word",
        "",
    ]


@pytest.mark.parametrize("columns", [80, 120])
def test_the_tables_fit_into_a_usual_terminal(right, terminal, columns):
    """Nothing of the catalog, and of a small run, has to be cut even at 80 columns."""
    terminal(columns)
    for line in (
        "list",
        "list all-reduce",
        "list links",
        "run gather tree -n 6 --steps 1",
        "time all-reduce --size 1MiB",
    ):
        plain = re.sub("\x1b\\[[0-9]*m", "", right(line).out)
        assert max(map(len, plain.splitlines())) <= columns


def test_what_controls_a_terminal_is_made_visible(capsys):
    say_lines(["a\x1b[2Jb\rc\x07", Grid([("\x1b[31m", "x")])])
    assert capsys.readouterr().out == "a\\x1b[2Jb\\rc\\x07\n\\x1b[31m  x\n"
    assert one_line("two\nlines\x00") == "two lines\\x00"


def test_a_long_message_keeps_its_beginning_and_its_end():
    line = one_line("collectives: -n " + "9" * 5000 + ": must be smaller; try: 4")
    assert len(line) < 700
    assert line.startswith("collectives: -n 999")
    assert line.endswith("must be smaller; try: 4")


def test_numbers_are_short(capsys):
    assert elements([1.0, 0.1, 1e-30, 123456789.0]) == "[1 0.1 1e-30 1.23457e+08]"
    assert elements([float("nan"), float("-inf"), -0.0]) == "[nan -inf -0]"
    assert elements([]) == "[]"


@pytest.mark.parametrize(
    "line",
    sampled(
        [
            "run all-reduce tree -n 16 --count 600000",
            "run all-reduce tree -n 16 --count 2000000 --dtype int8",
            "run all-reduce ring -n 256 --count 40000 --dtype float32",
            "run reduce-scatter ring -n 400 --count 20000",
            "run all-gather flat -n 700 --counts-only",
            "run broadcast tree -n 100000",
            "run broadcast ring -n 4 --chunks 3000",
        ],
        4,
    ),
)
def test_no_more_memory_is_taken_than_was_asked_for(tmp_path, line):
    """It is asked for before: so what passes does not end in the hands of the system."""
    ended = subprocess.run(
        [sys.executable, "-c", MEASURE, *line.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    asked, taken = map(int, ended.stderr.split())
    assert taken < asked + (64 << 20)
