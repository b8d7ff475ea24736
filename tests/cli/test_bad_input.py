"""Bad input: exit status 2, one line that names the value and the rule, and no file touched."""

import base64
import io
import json
import os
import re
import time
import zipfile
import zlib
from functools import cache
from textwrap import dedent

import numpy as np
import pytest

GOOD = np.arange(12).reshape(3, 4)
OWN = """
    import numpy as np
    from collectives import pipelined, reduce, send

    def my_broadcast(n, root=0):
        yield send(root, [r for r in range(n) if r != root])

    def needs_broadcast(n, radix):
        yield send(0, 1)

    def raises_broadcast(n):
        yield send(0, 1)
        [][n]

    def exits_broadcast(n):
        raise SystemExit(0)

    def nonsense_broadcast(n):
        yield 42

    def none_broadcast(n):
        return None

    def nothing_broadcast(n):
        yield from ()

    def halves_broadcast(n):
        yield send(0, n / 2)

    def outside_broadcast(n):
        yield send(0, n)

    def early_broadcast(n):
        yield send(1, 2)

    def deep_broadcast(n):
        yield from deep_broadcast(n)

    def endless_broadcast(n):
        while True:
            yield send(0, 1)

    def decorated(function):
        from functools import partial, wraps
        return wraps(function)(partial(function))

    @decorated
    def wrapped_broadcast(n):
        yield send(0, n // 0)

    def two_chunks(n):
        yield from pipelined([send(0, 1, chunk=1)], range(2))

    def untold(n):
        yield send(0, 1)

    number = 3
"""
LAYOUT = "ring all-reduce of 4"


def npy(array, **options):
    """An array as the bytes of a .npy file."""
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def header(text, version=1, data=b""):
    """A .npy file whose header says whatever is wanted."""
    line = text.encode()
    return b"\x93NUMPY" + bytes([version, 0]) + len(line).to_bytes(2, "little") + line + data


def described(shape, dtype="<i8", data=b""):
    return header(f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}", data=data)


def zipped(compression=zipfile.ZIP_STORED, **entries):
    """The bytes of a .zip file with these entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def broken(content, at, by=b"\xff\xff\xff\xff"):
    """Bytes with some in the middle overwritten."""
    return content[:at] + by + content[at + len(by) :]


class Bomb:
    """Makes a file when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("unpickled",)


@cache
def files():
    """Everything that is found in the folder in which the commands are run."""
    objects = npy(np.array([[Bomb(), 1], [2, 3]], dtype=object), allow_pickle=True)
    deflated = zipped(zipfile.ZIP_DEFLATED, a=npy(np.arange(4000).reshape(4, 1000)))
    bomb = zipped(**{name: npy(GOOD) for name in "abcdefghijklmnopqrstuvwxyz"})
    sizes = [match.start() + 24 for match in re.finditer(b"PK\x01\x02", bomb)]
    for at in sizes:  # each entry claims to hold 4 GiB
        bomb = broken(bomb, at, b"\xf0\xff\xff\xff")
    return {
        "good.npy": npy(GOOD),
        "good.npz": zipped(a=npy(GOOD), b=npy(GOOD)),
        "floats.npy": npy(GOOD / 8),
        "ten.npy": npy(np.arange(40).reshape(4, 10)),
        "empty.npy": b"",
        "text.npy": b"1 2 3\n4 5 6\n",
        "short.npy": npy(GOOD)[:-8],
        "cut.npy": npy(GOOD)[:40],
        "objects.npy": objects,
        "objects.npz": zipped(a=objects),
        "line.npy": npy(np.arange(4)),
        "point.npy": npy(np.float64(4)),
        "rowless.npy": npy(np.zeros((0, 4))),
        "words.npy": npy(np.array([["a", "b"], ["c", "d"]])),
        "bools.npy": npy(np.ones((2, 2), bool)),
        "complex.npy": npy(np.ones((2, 2), complex)),
        "dates.npy": npy(np.zeros((2, 2), "datetime64[s]")),
        "quad.npy": npy(np.zeros((2, 2), "longdouble")),
        "record.npy": npy(np.zeros((2, 2), "i4,f4")),
        "claims.npy": described("(4, 10**15)".replace("10**15", str(10**15))),
        "negative.npy": described("(4, -1)"),
        "many.npy": described(f"({10**15}, 0)"),
        "nested.npy": header("(" * 5000),
        "lambda.npy": header("{'descr': __import__('os').mkdir('unpickled')}"),
        "version.npy": header("{}", version=9),
        "claims.npz": zipped(a=described(f"(4, {10**15})")),
        "bomb.npz": bomb,
        "nozip.npz": b"PK\x03\x04 this is no zip file",
        "corrupt.npz": broken(deflated, len(deflated) // 2),
        "damaged.npz": broken(deflated, 60),
        "none.npz": zipped(),
        "notes.npz": zipped(a=npy(GOOD), notes=b"remember the milk"),
        "mixed.npz": zipped(a=npy(GOOD), b=npy(GOOD / 8)),
        "rows.npz": zipped(a=npy(GOOD), b=npy(np.arange(8).reshape(2, 4))),
        "data.txt": b"1 2\n3 4\n",
        "two words.npy": npy(np.arange(4)),
        "two\nlines.npy": npy(np.arange(4)),
        "größe.npy": npy(np.arange(4)),
        "-dash.npy": npy(np.arange(4)),
        "folder.npy": None,
        "folder.npz": None,
        "folder": None,
        "mine.py": dedent(OWN).encode(),
        "syntax.py": b"def f(:\n",
        "raising.py": b"1 / 0\n",
        "exiting.py": b"raise SystemExit(0)\n",
        "binary.py": b"\x00\x01\x02",
        "target.npy": b"the old file",
        "target.npz": b"the old file",
        "target.json": b"the old file",
        "list.json": b"[1, 2]",
        "deep.json": b"[" * 100_000,
        "nojson.json": b"{'single': quotes}",
        "empty.json": b"",
        "latin.json": b"\xff\xfe\x00",
        **{f"{name}.json": json.dumps(content).encode() for name, content in recordings().items()},
    }


def recordings():
    """Saved recordings with something wrong in them."""
    base = {
        "format": "collectives recording",
        "version": 1,
        "collective": "all_reduce",
        "algorithm": "ring",
        "ranks": 4,
        "root": 0,
        "nodes": 4,
        "slots": 4,
        "count": 16,
        "dtype": "int64",
        "op": "sum",
        "digest": "sha256:00",
    }
    column = {
        "dtype": "uint16",
        "length": 10**12,
        "deflate": base64.b64encode(zlib.compress(b"")).decode(),
    }
    packed = {"lengths": column, "columns": {}, "stamps": [], "sources": []}
    return {
        "other": {**base, "format": "something else"},
        "version": {**base, "version": 2},
        "noranks": {key: value for key, value in base.items() if key != "ranks"},
        "ranks": {**base, "ranks": "four"},
        "float": {**base, "ranks": 4.5},
        "true": {**base, "ranks": True},
        "manyranks": {**base, "ranks": 10**30},
        "unknown": {**base, "algorithm": "rnig"},
        "slots": {**base, "slots": 5},
        "objects": {**base, "dtype": "object"},
        "digest": base,
        "packed": {**base, "packed": packed},
        "unpacked": {**base, "packed": []},
        "escape": {**base, "algorithm": "\x1b[2J\nring"},
    }


# One row a case: what is typed, and what the line on stderr must name.
COMMANDS = [
    ("", "which command", "run"),
    ("rn all-reduce ring", "'rn'", "did you mean run?"),
    ("--jsn", "--jsn", "--version"),
    ("list all-reduce", "all-reduce"),
    ("list --jsno", "--jsno", "did you mean --json?"),
    ("run", "collectives run all-reduce ring"),
    ("run all-reduce", "all-reduce", "flat, ring, tree"),
    ("run ring", "'ring'", "choose from broadcast"),
    ("run ''", "''", "choose from broadcast"),
    ("run all-redcue ring", "'all-redcue'", "did you mean all-reduce?"),
    ("run all-reduce rnig", "'rnig'", "did you mean ring?"),
    ("run all-reduce ring tree", "'all-reduce ring tree'", "as in all-reduce ring"),
    ("run all-reduce ring --cuont 4", "--cuont", "did you mean --count?"),
    ("run all-reduce ring --json=yes", "--json", "does not take a value"),
    ("run all-reduce ring -n", "-n", "needs a value"),
    ("run all-reduce ring --op", "--op", "needs a value"),
    ("run ring.xml", "ring.xml", "nearest: a FILE.json"),
    ("check all ring", "'all'"),
]
NUMBERS = [
    ("-n 0", "-n 0", "at least 1", "nearest: 1"),
    ("-n -3", "-n -3", "nearest: 1"),
    ("-n four", "-n 'four'", "whole number"),
    ("-n 4.0", "'4.0'", "whole number"),
    ("-n 1e3", "'1e3'"),
    ("-n ''", "''"),
    ("-n ４", "'４'"),
    ("-n 2-4", "'2-4'"),
    (f"-n {'9' * 5000}", "999", "whole number"),
    ("--root x", "--root 'x'", "nearest: 0"),
    ("--root 1", "--root 1", "all-reduce has no root"),
    ("--count -1", "--count -1", "at least 0", "nearest: 0"),
    ("--count many", "--count 'many'"),
    ("--chunks 4", "chunks 4", "not pipelined"),
    ("--slots 4", "--slots 4", "your own"),
    ("--collective all-reduce", "--collective all-reduce", "your own"),
    ("-p radix=2", "-p radix=2", "leave it out"),
    ("-p radix", "'radix'", "NAME=INTEGER"),
    ("-p radix=two", "'radix=two'", "NAME=INTEGER"),
    ("-p =2", "'=2'", "NAME=INTEGER"),
    ("-p n=2", "-p n=2", "nearest: -n 2"),
    ("-p a=1 -p a=2", "-p a=2", "twice"),
    ("--op summ", "'summ'", "did you mean sum?"),
    ("--op avg", "avg of int64", "--dtype float64"),
    ("--dtype int65", "'int65'", "did you mean int64?"),
    ("--dtype ''", "''", "int8"),
    ("--dtype str", "'str'", "cannot be reduced"),
    ("--dtype object", "'object'", "cannot be reduced"),
    ("--dtype bool", "'bool'", "cannot be reduced"),
    ("--dtype complex128", "'complex128'", "cannot be reduced"),
    ("--dtype datetime64[s]", "'datetime64[s]'", "cannot be reduced"),
    ("--dtype longdouble", "'longdouble'", "cannot be reduced"),
    ("--dtype i4,i4", "'i4,i4'", "cannot be reduced"),
    ("--steps 0-2", "0-2", "1 to 6"),
    ("--steps 3-99", "3-99", "nearest: 3-6"),
    ("--steps 4-2", "4-2", "nearest: 2-4"),
    ("--steps a-b", "a-b", "1 to 6"),
    ("--steps ''", "''", "1 to 6"),
    ("-n 1 --steps 1", "there is no step"),
    ("--exact", "--exact", "int64", "--dtype float64"),
    ("--exact --dtype float32 --op max", "max", "--op sum"),
    ("--counts-only --exact", "--exact", "--counts-only"),
    ("--counts-only --data good.npy", "--data good.npy", "--counts-only"),
    ("--counts-only -o new.npy", "-o new.npy", "--counts-only"),
]
OTHER_SUBJECTS = [
    ("run broadcast tree --root 4", "root 4", "0 to 3"),
    ("run broadcast tree --root -1", "--root -1", "nearest: 0"),
    ("run broadcast tree -n 1 --root 1", "root 1"),
    ("run broadcast tree --chunks 2", "chunks 2", "not pipelined"),
    ("run broadcast ring --chunks 0", "--chunks 0", "nearest: 1"),
    ("run broadcast ring --chunks -2", "--chunks -2", "nearest: 1"),
    ("run broadcast ring --chunks few", "--chunks 'few'"),
    ("run all-gather ring --exact --dtype float64", "--exact", "all-gather adds nothing"),
]
HUGE = [  # what would take more memory, or time, than there is
    ("run all-reduce ring -n 99999999999999999999999", "99999999999999999999999 ranks", "EiB"),
    ("run all-reduce ring -n 1000000", "1000000 ranks", "TiB"),
    ("run all-reduce ring -n 3000000 --counts-only", "3000000 ranks", "1.8e+13 messages"),
    ("run all-gather flat -n 1000000", "1000000 ranks", "TiB"),
    ("run all-gather flat -n 200000 --counts-only", "200000 ranks", "TiB"),
    ("run reduce-scatter flat -n 150000 --counts-only", "150000 ranks", "TiB"),
    ("run broadcast tree -n 10000000000", "10000000000 ranks", "TiB"),
    ("run all-reduce tree --count 1000000000000", "4 ranks", "TiB"),
    ("run all-reduce tree --count 100000000000000000000000", "4 ranks", "EiB"),
    ("run all-reduce tree --count 100000000000000000000000 --counts-only", "count 1"),
    ("run broadcast ring --chunks 100000000000", "4 ranks", "TiB"),
    ("run broadcast ring --chunks 20000000 --counts-only", "20000"),
    ("check all-reduce ring -n 3000000", "3000000 ranks", "1.8e+13 messages"),
    ("check all-gather flat -n 100000", "100000 ranks", "iB are available"),
    ("check broadcast ring -n 2 --chunks 30000000", "30000"),
]
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
    ("line.npy", "shape (4,)", "nearest: (4, 1)"),
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
    ("many.npy", str(10**15), "EiB"),
    ("nested.npy", "not a numpy array file"),
    ("lambda.npy", "not a numpy array file"),
    ("version.npy", "version (9, 0)"),
    ("claims.npz", "array a", "truncated"),
    ("bomb.npz", "would take", "iB are available"),
    ("nozip.npz", "nozip.npz", "not a sound .npz file"),
    ("corrupt.npz", "corrupt.npz", "not a sound .npz file"),
    ("damaged.npz", "array a", "not a numpy array file"),
    ("none.npz", "none.npz", "no array"),
    ("notes.npz", "array notes", "not a numpy array file"),
    ("mixed.npz", "same dtype", "a has int64, b has float64"),
    ("rows.npz", "one row for each rank", "a has 3 rows, b has 2 rows"),
    ("'two words.npy'", "'two words.npy'", "(4, 1)"),
    ("größe.npy", "größe.npy", "(4, 1)"),
    ("-dash.npy", "-dash.npy", "(4, 1)"),
    ("'two\nlines.npy'", "'two\\nlines.npy'", "(4, 1)"),
    ("good.npy -n 4", "3 rows", "4 ranks", "nearest: -n 3"),
    ("good.npy --count 5", "4 elements", "count is 5"),
    ("good.npy --dtype float32", "--dtype float32", "int64"),
    ("good.npy --op avg", "good.npy", "int64", "float64"),
    ("floats.npy --dtype bool", "'bool'"),
]
OUTPUTS = [
    ("''", "''", ".npy"),
    ("sum", "sum", "nearest: sum.npy"),
    ("sum.txt", "sum.txt", "nearest: sum.npy"),
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
    ("version.json", "version 2", "reads 1"),
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
    ("nothing:f", "nothing", "no such module"),
    (":f", "''", "not the name of a module"),
    ("mine.py", "mine.py", "as in mine.py:"),
    ("syntax.py:f", "syntax.py", "SyntaxError"),
    ("syntax:f", "syntax", "SyntaxError"),
    ("raising.py:f", "raising.py", "ZeroDivisionError: division by zero"),
    ("exiting.py:f", "exiting.py", "SystemExit"),
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
    ("mine.py:my_broadcast --slots 0", "--slots 0", "nearest: 1"),
    ("mine.py:my_broadcast --root 9", "--root 9", "nearest: 3"),
    ("mine.py:my_broadcast --slots 999999999999", "would take", "iB are available"),
    ("mine.py:untold --collective scatter --slots 3", "3 slots", "nearest: 4"),
    ("builtins:dict", "builtins", "'dict'"),
    ("builtins:max --collective broadcast", "max", "no Python function"),
]
WRONG = [  # the algorithm is wrong, or breaks a rule: exit status 1
    ("mine.py:raises_broadcast", "raised IndexError: list index out of range", "mine.py line 13"),
    ("mine.py:exits_broadcast", "raised SystemExit", "mine.py line 16"),
    ("mine.py:nonsense_broadcast", "42", "yield send"),
    ("mine.py:none_broadcast", "returned None", "must yield steps"),
    ("mine.py:nothing_broadcast", "rank 1, slot 0 is empty"),
    ("mine.py:halves_broadcast", "integers", "mine.py line 28"),
    ("mine.py:outside_broadcast", "node 4", "0 to 3"),
    ("mine.py:early_broadcast", "slot 0 of rank 1 is read"),
    ("mine.py:deep_broadcast", "RecursionError"),
    ("mine.py:wrapped_broadcast", "ZeroDivisionError", "mine.py line 49"),
    ("mine.py:two_chunks --collective broadcast", "mine.py line 52", "slot 1"),
]
CHECKS = [
    ("check all -n 5-2", "'5-2'", "upwards"),
    ("check all -n 0-3", "'0-3'", "at least 1"),
    ("check all -n a", "'a'", "1-33"),
    ("check all -n 1-", "'1-'", "1-33"),
    ("check all -n ''", "''", "1-33"),
    ("check all -n 1,,2", "''", "2,4,8"),
    ("check all -n 1-999999999", "999999999", "at most"),
    ("check all --root 1", "--root 1", "leave it out"),
    ("check all --chunks 2", "--chunks 2", "leave it out"),
    ("check all --count 2", "--count 2", "leave it out"),
    ("check all -p a=2", "-p a", "leave it out"),
    ("check all-reduce ring --root 1", "--root 1", "has no root"),
    ("check broadcast tree --root 3 -n 1-3", "--root 3", "nearest: -n 4"),
    ("check all-reduce ring --slots 2", "--slots 2"),
    ("check digest.json -n 1-4", "-n 1", "has its own"),
    ("check digest.json", "digest"),
    ("check mine.py:my_brodcast", "did you mean my_broadcast?"),
    ("check mine.py:my_broadcast -p radix=2", "-p radix=2"),
    ("check mine.py:my_broadcast --op sum", "--op"),
]
BAD = (
    COMMANDS
    + OTHER_SUBJECTS
    + CHECKS
    + [(f"run all-reduce ring {options}", *names) for options, *names in NUMBERS]
    + [(f"run all-reduce ring --data {options}", *names) for options, *names in DATA]
    + [(f"run all-reduce ring -o {name}", *names) for name, *names in OUTPUTS]
    + [(f"run {options}", *names) for options, *names in RECORDINGS + OWN_SUBJECTS]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder in which all commands are called, full of files."""
    made = tmp_path_factory.mktemp("bad")
    for name, content in files().items():
        if content is None:
            (made / name).mkdir()
        else:
            (made / name).write_bytes(content)
    return made


@pytest.fixture(autouse=True)
def untouched(folder):
    """After each test the folder must be as it was, but for what Python compiles on import."""
    yield
    paths = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    found = {path.name: path.read_bytes() if path.is_file() else None for path in paths}
    assert found == files(), "a file was made, changed or removed"


def expect(ended, status, names):
    """One line on stderr that names what it must, and nothing on stdout."""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("collectives: ")
    assert ended.err.endswith("\n")
    assert len(ended.err.splitlines()) == 1
    assert len(ended.err) < 700
    assert "nearest: \n" not in ended.err
    for name in names:
        assert name in ended.err
    assert ended.status == status


def shown(case):
    return case[0].replace("\n", "\\n")[:60] if isinstance(case, tuple) else None


def test_there_are_many_cases():
    assert len(BAD) + len(HUGE) + len(WRONG) > 200
    assert len({case[0] for case in BAD}) == len(BAD)


@pytest.mark.parametrize("case", BAD, ids=shown)
def test_bad_input_is_refused_in_one_line(collectives, case):
    ended = collectives(case[0]) if case[0] else collectives(*[])
    expect(ended, 2, case[1:])
    assert ended.out == ""


@pytest.mark.parametrize("case", HUGE, ids=shown)
def test_what_would_take_too_much_is_refused_at_once(collectives, case):
    began = time.perf_counter()
    ended = collectives(case[0])
    assert time.perf_counter() - began < 1
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
    expect(collectives("run", str(tmp_path / "huge.json")), 2, ["huge.json", "256 MiB"])


def test_a_schedule_without_an_end_is_given_up(collectives, monkeypatch):
    monkeypatch.setattr("collectives.recorder.MOST_KEPT", 1000)
    ended = collectives("run mine.py:endless_broadcast --slots 1")
    expect(ended, 1, ["1000 steps", "does it ever end?"])


def test_a_folder_that_may_not_be_written_to(collectives, monkeypatch):
    def refuse(*arguments, **options):  # as for anybody but root, who may write anywhere
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    ended = collectives("run all-reduce ring -o folder/sum.npy")
    expect(ended, 2, ["folder/sum.npy: no file can be made in folder: Permission denied"])
    assert ended.out == ""


@pytest.mark.parametrize(
    "line",
    [
        "rn",
        "run all-reduce ring -n 0",
        "run all-reduce ring --data objects.npy",
        "run all-reduce ring -o missing/sum.npy",
        "run deep.json",
        "run exiting.py:f",
        "check all -n 5-2",
    ],
)
def test_a_process_ends_with_status_2_and_one_line(command, line):
    ended = command(line, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    expect(ended, 2, [])
    assert ended.out == ""


def test_too_little_memory_is_bad_input(collectives, monkeypatch):
    from collectives.recording import Recording

    def exhausted(self):
        raise MemoryError

    monkeypatch.setattr(Recording, "result", exhausted)
    expect(collectives("run all-reduce ring"), 2, ["memory"])
