"""The command line where Python has no modules and names of POSIX, as on Windows.

What Windows lacks is said by the availability notes of Python's library reference.
"""

import json
import subprocess
import sys

import pytest

WITHOUT = """
import json, os, shlex, signal, sys
import numpy, click, rich.console, subprocess, multiprocessing, tempfile
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "geteuid", "getuid", "kill", "killpg", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW",
             "O_NONBLOCK", "sched_getaffinity", "sysconf", "uname", "waitpid", "WNOHANG"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "setitimer", "pthread_sigmask", "valid_signals"):
    delattr(signal, name)
from collectives.__main__ import main
ended = []
for line in json.loads(sys.argv[1]):
    print("$", line, flush=True)
    print("$", line, file=sys.stderr, flush=True)
    sys.argv = ["collectives", *shlex.split(line)]
    try:
        main()
    except SystemExit as left:
        ended.append(left.code)
print("$", *ended)
"""
OWN = """
from collectives import send

def one_broadcast(n, root=0):
    yield send(root, [rank for rank in range(n) if rank != root])

def lost_broadcast(n, root=0):
    yield send(root, (root + 1) % n)

def raising_broadcast(n, root=0):
    yield send(root, 1 / 0)
"""
ANOTHERS = ".collectives-abcdefgh.part"  # another process may be writing it
COMMANDS = {  # with the status that each ends with, and words that it prints
    "run all-reduce ring -n 4": (0, "to the last bit"),
    "check all-reduce ring -n 1-4": (0, "right in all"),
    "page all-reduce ring -n 4": (0, "ring-all-reduce-4.html"),
    "time all-reduce ring -n 4 --size 1MiB": (0, "rank 0 → switch 0"),
    "lab --copy mine": (0, "trees.ipynb"),
    "check mine.py:one_broadcast --slots 1 -n 1-5": (0, "right in all"),
    "check mine.py:lost_broadcast --slots 1 -n 4": (1, "rank 2"),
    "check mine.py:raising_broadcast --slots 1 -n 4": (1, "ZeroDivisionError: division by zero"),
    "run mine.py:one_broadcast --slots 1 -n 3": (0, "all 12 elements"),
    "page mine.py -n 4": (2, "as in mine.py:one_broadcast"),
    "exercise new lab.py": (0, "lab.py"),
    "exercise handout lab.py -o copy.py": (3, "graded on Linux and macOS"),
    "grade submissions --key lab.py": (3, "graded on Linux and macOS"),
    "launch all-reduce ring -n 2 --backend mpi": (3, "ranks are launched on Linux and macOS"),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each command prints where POSIX is missing, and its status, all in one Python."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "mine.py").write_text(OWN)
    (folder / ANOTHERS).touch()
    words = [sys.executable, "-c", WITHOUT, json.dumps(list(COMMANDS))]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *out, statuses = done.stdout.split("$ ")[1:]
    err = done.stderr.split("$ ")[1:]
    texts = [first + second for first, second in zip(out, err, strict=True)]
    yield dict(zip(COMMANDS, zip(map(int, statuses.split()), texts, strict=True), strict=True))
    assert (folder / "ring-all-reduce-4.html").stat().st_size > 10_000
    assert [path.name for path in folder.glob(".collectives-*")] == [ANOTHERS]


@pytest.mark.parametrize("command", COMMANDS)
def test_it_needs_nothing_of_posix(said, command):
    status, text = said[command]
    assert status == COMMANDS[command][0], text
    assert COMMANDS[command][1] in text
    assert "unforeseen" not in text
