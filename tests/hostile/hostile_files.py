"""Makes a folder of hostile files, and says what the command line must answer to each.

The cases are in tables by kind: a name, its content, or what makes it, and how reading it ends.
"""

import os
from pathlib import Path

from hostile_arrays import ARRAYS, npy
from hostile_dumps import DUMPS
from hostile_logs import LOGS, TRACES
from hostile_machines import MACHINES
from hostile_programs import CASES as PROGRAMS
from hostile_recordings import RECORDINGS

READERS = {  # how a file is read, by its ending
    ".json": "run {}",
    ".xml": "check {}",
    ".et": "check {}",
    ".log": "log {}",
    ".npy": "run all-reduce ring --data {}",
    ".npz": "run all-reduce ring --data {}",
    ".toml": "time all-reduce ring --size 1MB --topology {}",
    ".py": "run {}:f_broadcast --slots 1",
}
MACHINE = """
name = "three in a row"
ranks = 3
[[link]]
between = [[0, 1], [1, 2]]
bandwidth = "10GB/s"
latency = "2us"
"""
OWN = [
    ("syntax.py", b"def f_broadcast(n:\n", 2, "SyntaxError"),
    ("nul.py", b"def f_broadcast(n):\n    yield \0\n", 2, "nul.py"),
    ("latin.py", b"# \xe9\ndef f_broadcast(n):\n    yield\n", [1, 2]),
    ("coding.py", b"# coding: rot13\n", 2, "coding.py"),
    ("binary.py", bytes(range(256)), 2, "binary.py"),
    ("empty.py", b"", 2, "none at all"),
    ("deep.py", b"x = " + b"(" * 5000 + b")" * 5000, 2, "deep.py"),
    ("nested.py", b"x = " + b"-" * 200_000 + b"1", 2, "nested.py"),
    ("bom.py", b"\xef\xbb\xbffrom collectives import send\r\ndef f_broadcast(n):\r\n    yield send(0, range(1, n))\r\n", 0),
    ("class.py", b"class f_broadcast: pass\n", 2, "f_broadcast"),
    ("number.py", b"f_broadcast = 3\n", 2, "f_broadcast"),
    ("lambda.py", b"from collectives import send\nf_broadcast = lambda n: [send(0, range(1, n))]\n", 2, "--collective"),
    ("huge.py", b"x = '" + b"a" * 5_000_000 + b"'\n", 2, "f_broadcast"),
]  # fmt: skip


def link_to(target):
    """Makes a symbolic link."""
    return lambda path: path.symlink_to(target)  # which is None


def sparse(size, start=b""):
    """Makes a file of so many bytes, nearly all of which are zero and take no room."""

    def make(path):
        with path.open("wb") as file:
            file.write(start)
            file.truncate(size)

    return make


def special(suffix):
    """What is no regular file, or endless, or larger than it looks, with the ending of a kind."""
    return [
        (f"fifo{suffix}", os.mkfifo, 2, f"fifo{suffix}"),
        (f"folder{suffix}", Path.mkdir, 2, f"folder{suffix}"),
        (f"zero{suffix}", link_to("/dev/zero"), 2, f"zero{suffix}"),
        (f"random{suffix}", link_to("/dev/urandom"), 2, f"random{suffix}"),
        (f"nothing{suffix}", link_to("/dev/null"), 2, f"nothing{suffix}"),
        (f"loop{suffix}", link_to(f"loop{suffix}"), 2, f"loop{suffix}"),
        (f"dangling{suffix}", link_to("nowhere"), 2, f"dangling{suffix}"),
        (f"memory{suffix}", link_to("/proc/self/mem"), 2, f"memory{suffix}"),
        (f"sparse{suffix}", sparse(3 << 30), 2, f"sparse{suffix}"),
        (f"blank{suffix}", b"", 2, f"blank{suffix}"),
    ]


FILES = {
    "recordings": RECORDINGS + special(".json"),
    "programs": PROGRAMS + special(".xml"),
    "traces": TRACES + special(".0.et"),
    "logs": LOGS + special(".log"),
    "dumps": DUMPS,
    "arrays": ARRAYS + special(".npy") + special(".npz"),
    "machines": MACHINES + special(".toml"),
    "own": OWN + special(".py"),
}
USEFUL = [("good.npy", npy(), 0), ("floats.npy", npy(dtype=float), 0), ("machine.toml", MACHINE, 0)]


def make_files(folder):
    """Write all files of the tables into a folder, and a few that are as they should be."""
    for name, content, *_ in [case for kind in FILES.values() for case in kind] + USEFUL:
        path = Path(folder, name)
        content = content(path) if callable(content) else content
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name in ("folder", "folder.html", "folder.mp4"):
        Path(folder, name).mkdir(exist_ok=True)
    for name in ("fifo.html", "fifo.svg"):
        os.mkfifo(Path(folder, name))
