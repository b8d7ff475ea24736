"""Asks the server to run cases, with limits of time and memory, and judges how they end.

Time is that of the processor, so that a busy machine fails no case; memory is what a case needs
beyond what importing takes.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HOSTILE = os.environ.get("HOSTILE", "") not in ("", "0")
SECONDS, MEMORY = 10, 1 << 30
PATIENCE = 60  # seconds by the clock on the wall, for what waits and does nothing
INTERRUPTED = 130
PATIENCE_WITH_LONG = 8 if HOSTILE else 4  # seconds until what takes long is interrupted
STATUSES = (0, 1, 2, 3, 4, INTERRUPTED)
LONGEST = {1: 2100, 2: 700, 3: 700, 4: 700, 130: 700}  # characters of the line on stderr
OPEN = {
    name for names in tomllib.loads((HERE / "open.toml").read_text()).values() for name in names
}
PROGRESS = re.compile(r"collectives: .*\d ?(s|min|h|[KMGT]i?B)\b.*( so far.*|; Ctrl-C stops it)")
WORDS = {"NINES": "9" * 5000, "LETTERS": "a" * 40_000}
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100"}
IMPORTED = ("collectives", "animations.figures", "animations.player", "animations.story")
FOR_FILMS = ("collectives", "animations.story", "animations.pictures", "animations.film")


@dataclass(frozen=True)
class Ended:
    """How a case ended: its exit status or, negative, a signal; what it printed, what it took."""

    status: int
    out: str
    err: str
    seconds: float
    memory: int
    elapsed: float
    slow: bool


class Server:
    """A process that runs cases, in a folder of its own; a temporary folder is beside it."""

    def __init__(self, folder, packages=IMPORTED):
        self.folder = Path(folder)
        self.beside = self.folder.with_name(f"{self.folder.name}-beside")
        self.temporary = self.beside / "tmp"
        self.temporary.mkdir(parents=True)
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "server.py"), *packages],
            cwd=self.beside,
            env={
                **os.environ,
                **ENVIRONMENT,
                "TMPDIR": str(self.temporary),
                "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
                "MPLCONFIGDIR": str(self.beside),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, line=None, **case):
        """Run the words of a command line, or `code`; how it ended."""
        if line is not None:
            case["words"] = words_of(line)
        case = {
            "folder": str(self.folder),
            "out": str(self.beside / "out"),
            "err": str(self.beside / "err"),
            "events": str(self.beside / "events"),
            "seconds": SECONDS,
            "patience": PATIENCE,
            **case,
        }
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return Ended(**json.loads(self.process.stdout.readline()))

    def close(self):
        """Stop it."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def words_of(line):
    """The words of a command line, with what is too long to be written down put in."""
    if not isinstance(line, str):
        return list(line)
    for name, text in WORDS.items():
        line = line.replace(name, text)
    return shlex.split(line)


def table(name):
    """The cases of a table, by section."""
    return tomllib.loads((HERE / "tables" / f"{name}.toml").read_text())


def key_of(case):
    """What a case is called: the name of its function or file, or what is typed."""
    if isinstance(case, str):
        return case
    if isinstance(case, dict):
        return case["name"]
    return case[0] if isinstance(case, tuple) else case[1]


def title(case):
    """What a case is called where it fails."""
    return ascii(key_of(case))[1:-1][:100]


def sampled(cases, each=7):
    """All cases in the long version; in `make test` each so many, the same ones every time.

    Those that are open are left out of both.
    """
    tried = cases if HOSTILE else [case for case in cases if not is_slow(case)][::each]
    return [case for case in tried if key_of(case) not in OPEN]


def is_slow(case):
    """Whether a case takes many seconds also where it is right."""
    return isinstance(case, dict) and case.get("slow", False)


def contents(folder):
    """What is in a folder: for each name, what would change if it were written."""
    found = {}
    for entry in os.scandir(folder):
        status = entry.stat(follow_symlinks=False)
        found[entry.name] = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_mode)
        if entry.is_dir(follow_symlinks=False):
            found |= {f"{entry.name}/{name}": of for name, of in contents(entry.path).items()}
    return found


def swept(folder, before):
    """What has been made in a folder since; it is removed. Nothing else may have changed."""
    after = contents(folder)
    changed = [name for name, status in before.items() if after.get(name, status)[:2] != status[:2]]
    gone = [name for name in before if name not in after]
    made = [name for name in after if name not in before]
    for name in made:
        path = Path(folder, name)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(True)
    assert not changed and not gone, f"changed: {changed}, gone: {gone}"
    return made


def progress(ended):
    """The lines on stderr that say how long something takes, or how much memory."""
    return [line for line in ended.err.splitlines() if PROGRESS.fullmatch(line)]


def judge(ended, statuses, needles=(), seconds=SECONDS):
    """Hold how a case ended against what holds of every case, and what its table says of it."""
    lines = [line for line in ended.err.splitlines() if not PROGRESS.fullmatch(line)]
    used = f"{ended.seconds:.1f} s, {ended.memory >> 20} MiB"
    told = f"status {ended.status}, {used}\n{ended.err[-2000:]}"
    assert not ended.slow, f"no end after {ended.elapsed:.0f} s: {told}"
    assert "Traceback" not in ended.err and "Traceback" not in ended.out, told
    assert "Exception ignored" not in ended.err, told
    assert ended.seconds <= seconds, f"more than {seconds} s: {told}"
    assert ended.memory <= MEMORY, f"more than {MEMORY >> 20} MiB: {told}"
    assert ended.status in STATUSES, told
    assert ended.status in statuses, f"not {statuses}: {told}"
    if ended.status:
        assert len(lines) == 1 and lines[0].startswith("collectives: "), told
        assert len(lines[0]) <= LONGEST[ended.status], told
        assert lines[0].isprintable(), f"control characters: {told!a}"
        assert not lines[0].endswith("try: "), told
    for needle in needles:
        assert needle in ended.err, f"not about {needle!r}: {told}"


def judged(server, statuses, needles=(), **case):
    """Run a case, judge it, and see that it leaves nothing where it must not.

    Where the statuses have INTERRUPTED, it is stopped as if by Control-C after a while, by which
    it must have said how long it takes, or how much memory where that is much.
    """
    long = INTERRUPTED in statuses
    if long:
        case |= {"interrupt_after": PATIENCE_WITH_LONG, "seconds": 2 * SECONDS}
    before = contents(server.folder)
    ended = server.run(**case)
    made = swept(server.folder, before)
    beside = swept(server.temporary, {})
    told = progress(ended)
    if long and "B of memory" in " ".join(told):
        ended = replace(ended, memory=0)
    judge(ended, statuses, needles, case.get("seconds", SECONDS))
    assert told or ended.status != INTERRUPTED, "nothing says how long it takes"
    assert not beside, f"left in the temporary folder: {beside}"
    hidden = [name for name in made if name.startswith(".") or "/." in name]
    assert not hidden, f"left behind: {hidden}"
    assert ended.status == 0 or not made, f"made, though it failed: {made}"
    return ended
