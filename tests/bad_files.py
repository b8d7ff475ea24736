"""A folder full of bad files, and what the command line must answer to all of them."""

import base64
import io
import json
import os
import re
import zipfile
import zlib
from functools import cache
from textwrap import dedent

import numpy as np

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
    twice = zipped(a=npy(GOOD), b=npy(GOOD)).replace(b"b.npy", b"a.npy")
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
        "true.npy": described("(True, 12)", data=bytes(96)),
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
        "twice.npz": twice,
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
        "version": 2,
        "collective": "all_reduce",
        "algorithm": "ring",
        "ranks": 4,
        "root": 0,
        "nodes": 4,
        "pieces": 4,
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
        "version": {**base, "version": 3},
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


def expect(ended, status, names):
    """One line on stderr that names what it must, and nothing on stdout."""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("collectives: ")
    assert ended.err.endswith("\n")
    assert len(ended.err.splitlines()) == 1
    assert len(ended.err) < 700
    assert "try: \n" not in ended.err
    for name in names:
        assert name in ended.err
    assert ended.status == status


def shown(case):
    return case[0].replace("\n", "\\n")[:60] if isinstance(case, tuple) else None
