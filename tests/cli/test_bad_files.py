"""Bad files, own functions and saved recordings: one line, and nothing unpickled, run or left."""

import os

import pytest
from bad_files import expect, shown

# One row a case: what is typed, and what the line on stderr must name.
DATA = [
    ("nothing.npy", "nothing.npy", "no such file"),
    ("god.npy", "god.npy", "did you mean good.npy?"),
    ("folder.npy", "folder.npy", "directory"),
    ("folder.npz", "folder.npz", "directory"),
    ("''", "''", ".npy or a .npz"),
    ("data.txt", "data.txt", ".npy or a .npz"),
    ("empty.npy", "empty.npy", "not a numpy array file"),
    ("text.npy", "text.npy", "not a numpy array file"),
    ("short.npy", "short.npy", "truncated"),
    ("cut.npy", "cut.npy", "not a numpy array file"),
    ("objects.npy", "objects.npy", "never unpickled"),
    ("objects.npz", "array a", "never unpickled"),
    ("line.npy", "shape (4,)", "try: (1, 4) for 1 rank, (4, 1) for 4 ranks"),
    ("point.npy", "shape ()", "[rank, element]"),
    ("rowless.npy", "shape (0, 4)", "one for each rank"),
    ("words.npy", "<U1", "cannot be reduced"),
    ("bools.npy", "bool", "cannot be reduced"),
    ("complex.npy", "complex128", "cannot be reduced"),
    ("dates.npy", "datetime64[s]", "cannot be reduced"),
    ("quad.npy", "float128", "cannot be reduced"),
    ("record.npy", "cannot be reduced"),
    ("claims.npy", "truncated", str(8 * 4 * 10**15)),
    ("negative.npy", "(4, -1)", "damaged"),
    ("true.npy", "(True, 12)", "damaged"),
    ("many.npy", str(10**15), "at most 2^20"),
    ("nested.npy", "not a numpy array file"),
    ("lambda.npy", "not a numpy array file"),
    ("version.npy", "version (9, 0)"),
    ("claims.npz", "array a", "truncated"),
    ("bomb.npz", "unpacks from", "try: numpy.savez"),
    ("nozip.npz", "nozip.npz", "not a sound .npz file"),
    ("corrupt.npz", "corrupt.npz", "not a sound .npz file"),
    ("damaged.npz", "array a", "not a numpy array file"),
    ("none.npz", "none.npz", "no array"),
    ("twice.npz", "array a", "occurs twice"),
    ("notes.npz", "array notes", "not a numpy array file"),
    ("mixed.npz", "same dtype", "a has int64, b has float64"),
    ("rows.npz", "one row for each rank", "a has 3 rows, b has 2 rows"),
    ("'two words.npy'", "'two words.npy'", "(4, 1)"),
    ("größe.npy", "größe.npy", "(4, 1)"),
    ("-dash.npy", "-dash.npy", "(4, 1)"),
    ("'two\nlines.npy'", "'two\\nlines.npy'", "(4, 1)"),
    ("good.npy -n 4", "3 rows", "4 ranks", "try: -n 3"),
    ("good.npy --count 5", "4 elements", "count is 5"),
    ("good.npy --dtype float32", "--dtype float32", "int64"),
    ("good.npy --op avg", "good.npy", "int64", "float64"),
    ("floats.npy --dtype bool", "'bool'"),
]
OUTPUTS = [
    ("''", "''", ".npy"),
    ("sum", "sum", "try: sum.npy"),
    ("sum.txt", "sum.txt", "try: sum.npy"),
    ("sum.NPY", "sum.NPY", ".npy"),
    ("folder", "folder", ".npy"),
    ("folder.npy", "folder.npy", "is a folder"),
    ("missing/sum.npy", "missing/sum.npy", "no folder missing"),
    ("data.txt/sum.npy", "data.txt", "not a folder"),
    ("/proc/sum.npy", "/proc/sum.npy", "/proc"),
    ("/dev/null.npy/sum.npy", "/dev/null.npy"),
    ("folder/", "folder/", ".npy"),
    ("'new\x1b[2J.txt'", "\\x1b[2J"),
]
RECORDINGS = [
    ("nothing.json", "nothing.json", "no such file"),
    ("versoin.json", "versoin.json", "did you mean version.json?"),
    ("empty.json", "not a recording"),
    ("nojson.json", "not a recording"),
    ("latin.json", "not a recording"),
    ("list.json", "not a recording"),
    ("deep.json", "not a recording"),
    ("other.json", '"format"'),
    ("version.json", "version 3", "reads 2"),
    ("noranks.json", '"ranks" is missing'),
    ("ranks.json", "'four'", "an integer"),
    ("float.json", "4.5", "an integer"),
    ("true.json", "True", "an integer"),
    ("manyranks.json", "ranks 1"),
    ("unknown.json", "'rnig'", "did you mean ring?"),
    ("slots.json", "5 slots"),
    ("objects.json", "'object'", "cannot be reduced"),
    ("digest.json", "digest"),
    ("packed.json", "packed.json"),
    ("unpacked.json", '"packed"', "an object"),
    ("escape.json", "\\x1b[2J"),
    ("digest.json -n 4", "-n 4", "has its own"),
    ("digest.json --root 1", "--root 1", "has its own"),
    ("digest.json --count 8", "--count 8", "has its own"),
    ("digest.json --chunks 2", "--chunks 2", "has its own"),
    ("digest.json -p a=1", "-p a", "has its own"),
]
OWN_SUBJECTS = [
    ("nothing.py:f", "nothing.py", "no such file"),
    ("mien.py:f", "mien.py", "did you mean mine.py?"),
    ("nothing:f", "collectives: nothing: no such module"),
    (":f", "''", "not the name of a module"),
    ("mine.py", "mine.py", "as in mine.py:"),
    ("syntax.py:f", "collectives: syntax.py: importing it raised SyntaxError"),
    ("syntax:f", "collectives: syntax: importing it raised SyntaxError"),
    ("binary.py:f", "binary.py"),
    ("folder:f", "folder has no function 'f'"),
    ("mine.py:my_brodcast", "'my_brodcast'", "did you mean my_broadcast?"),
    ("mine.py:", "has no function ''"),
    ("mine.py:number", "'number'", "no function"),
    ("mine.py:untold", "untold", "--collective"),
    ("mine.py:untold --collective brodcast", "'brodcast'", "did you mean broadcast?"),
    ("mine.py:needs_broadcast", "'radix'", "-p radix=VALUE"),
    ("mine.py:needs_broadcast -p radx=2", "-p radx=2", "did you mean radix?"),
    ("mine.py:my_broadcast -p radix=2", "-p radix=2", "leave it out"),
    ("mine.py:my_broadcast --chunks 2", "--chunks 2", "--slots 2"),
    ("mine.py:my_broadcast --slots 0", "--slots 0", "try: 1"),
    ("mine.py:my_broadcast --root 9", "--root 9", "try: 3"),
    ("mine.py:my_broadcast --slots 999999999999", "would take", "B are available"),
    ("mine.py:untold --collective scatter --slots 3", "3 slots", "try: 4"),
    ("builtins:dict", "builtins", "'dict'"),
    ("builtins:max --collective broadcast", "max", "no Python function"),
]
WRONG = [  # the algorithm is wrong, or breaks a rule: exit status 1
    ("raising.py:f", "collectives: raising.py line 1: importing it raised ZeroDivisionError: div"),
    ("raising:f", "collectives: raising.py line 1: importing it raised ZeroDivisionError"),
    ("exiting.py:f", "collectives: exiting.py line 1: importing it raised SystemExit"),
    ("mine.py:raises_broadcast", "raised IndexError: list index out of range", "mine.py line 13"),
    ("mine.py:exits_broadcast", "raised SystemExit", "mine.py line 16"),
    ("mine.py:nonsense_broadcast", "42", "yield send"),
    ("mine.py:none_broadcast", "returned None", "must yield steps"),
    ("mine.py:nothing_broadcast", "rank 1, slot 0 is empty"),
    ("mine.py:halves_broadcast", "integers", "mine.py line 28"),
    ("mine.py:outside_broadcast", "node 4", "0 to 3"),
    ("mine.py:early_broadcast", "nothing was written into slot 0 of rank 1"),
    ("mine.py:deep_broadcast", "RecursionError"),
    ("mine.py:wrapped_broadcast", "ZeroDivisionError", "mine.py line 49"),
    ("mine.py:two_chunks --collective broadcast", "mine.py line 52", "slot 1"),
]
BAD = (
    [(f"run all-reduce ring --data {options}", *names) for options, *names in DATA]
    + [(f"run all-reduce ring -o {name}", *names) for name, *names in OUTPUTS]
    + [(f"run {options}", *names) for options, *names in RECORDINGS + OWN_SUBJECTS]
)


@pytest.fixture
def folder(crowded):
    """Commands are called in a folder that must stay as it is."""
    return crowded


def test_there_are_many_cases():
    assert len(BAD) + len(WRONG) > 100
    assert len({case[0] for case in BAD}) == len(BAD)


@pytest.mark.parametrize("case", BAD, ids=shown)
def test_a_bad_file_is_refused_in_one_line(collectives, case):
    ended = collectives(case[0]) if case[0] else collectives(*[])
    expect(ended, 2, case[1:])
    assert ended.out == ""


@pytest.mark.parametrize("case", WRONG, ids=shown)
def test_a_schedule_that_breaks_a_rule_is_explained_in_one_line(collectives, case):
    ended = collectives(f"run {case[0]} --slots 1 -o target.json")
    expect(ended, 1, case[1:])
    assert "written" not in ended.out


@pytest.mark.parametrize("target", ["target.npy", "target.npz", "target.json"])
def test_refused_input_leaves_the_old_file(collectives, target):
    """The fixture compares the whole folder, before and after."""
    for line in ("--root 9", "--data short.npy", "--data ten.npy -n 3", "--steps 9-10"):
        assert collectives(f"run all-reduce ring {line} -o {target}").status == 2


def test_a_zero_character_in_a_name_is_refused(collectives):
    for words in (
        ["run", "all-reduce", "ring", "--data", "a\0.npy"],
        ["run", "all-reduce", "ring", "-o", "a\0.npy"],
        ["run", "a\0.json"],
        ["run", "a\0.py:f"],
        ["run", "a\0:f"],
        ["run", "all-reduce", "ring\0"],
    ):
        expect(collectives(*words), 2, ["\\x00"])


def test_a_huge_recording_is_not_read(collectives, tmp_path):
    with open(tmp_path / "huge.json", "wb") as file:
        file.truncate(1 << 40)
    expect(collectives("run", str(tmp_path / "huge.json")), 2, ["huge.json", "64 MiB"])


def test_a_schedule_without_an_end_is_given_up(collectives, monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)
    ended = collectives("run mine.py:endless_broadcast --slots 1")
    expect(ended, 1, ["1000 steps", "does it ever end?"])


STRANGE = """
from collectives import send

class Silent(Exception):
    def __str__(self):
        raise ValueError

def silent_broadcast(n):
    yield send(0, 1)
    raise Silent

def stops_broadcast(n):
    yield send(0, 1)
    next(iter(()))

def places_broadcast(n, /):
    yield send(0, range(1, n))
"""


def test_what_functions_raise_is_said_in_one_line_however_strange(collectives, tmp_path):
    (tmp_path / "strange.py").write_text(STRANGE)
    name = str(tmp_path / "strange.py")
    expect(collectives(f"run {name}:silent_broadcast --slots 1"), 1, ["Silent", "line 10"])
    expect(collectives(f"run {name}:stops_broadcast --slots 1"), 1, ["StopIteration", "line 14"])
    assert collectives(f"run {name}:places_broadcast --slots 1").status == 0


@pytest.mark.parametrize("words", ["{}.json", "{}.py:f", "all-reduce ring --data {}.npy"])
def test_a_pipe_is_not_waited_for(collectives, tmp_path, words):
    for suffix in (".json", ".py", ".npy"):
        os.mkfifo(tmp_path / f"pipe{suffix}")
    words = words.format(tmp_path / "pipe")
    expect(collectives(f"run {words}"), 2, ["pipe", "is not a regular file"])


def test_a_folder_that_may_not_be_written_to(collectives, monkeypatch):
    def refuse(*arguments, **options):  # as for anybody but root, who may write anywhere
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    ended = collectives("run all-reduce ring -o folder/sum.npy")
    expect(ended, 2, ["folder/sum.npy: no file can be made in folder: Permission denied"])
    assert ended.out == ""
