"""A full disk: one line on stderr, exit status 2, the old file or none, nothing left behind.

A limit on the size of files is a full disk everywhere; where root may mount one, so is a small
tmpfs, for the output or for temporary files.
"""

import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from each import each
from runner import HOSTILE, Server, contents, judge, sampled

OUTPUTS = [
    "run all-reduce ring -n 8 --count 100000 -o out.npy",
    "run all-reduce ring -n 8 --count 100000 -o out.npz",
    "run own.py:all_reduce -n 60 -o out.json",
    "time all-reduce ring -n 8 --size 1MB -o out.trace.json",
    "page all-reduce ring -n 8 -o out.html",
    "figure traffic all-reduce ring -n 8 -o out.svg",
    "figure traffic all-reduce ring -n 8 -o out.png",
    "figure traffic all-reduce ring -n 8 -o out.pdf",
    "log nccl.log -o out.xml",
    "log nccl.log -o out.svg",
    "program all-reduce ring -n 60 --for mpi4py -o out.py",
    "gallery -n 4 -o out.html",
    "convert all-reduce ring -n 8 out.xml",
    "compare all-reduce ring tree -n 4 -o out.html",
]
FILMS = ["video broadcast tree -n 2 -q l -o out.mp4", "video broadcast tree -n 2 -q l -o out.gif"]
OWN = "from collectives.algorithms.ring import ring_all_reduce as all_reduce\n"
LOG = Path(__file__).parents[1] / "data" / "nccl_logs" / "nvlink_8.log"
OLD = b"the old file"
ROOM = 8192  # bytes, smaller than each output
MOUNT = ["mount", "-t", "tmpfs", "-o", f"size={4 * ROOM}", "none"]  # with room for what is read
SECONDS = 60  # for a film, by the processor
PATIENT = {"seconds": SECONDS, "patience": 2 * SECONDS}


def may_mount():
    """Whether a tmpfs can be mounted here, and taken away again."""
    if not shutil.which("mount"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        mount = subprocess.run([*MOUNT, folder], capture_output=True)
        return mount.returncode == 0 and not subprocess.run(["umount", folder]).returncode


def fill(folder):
    """Leave no room on a disk."""
    with suppress(OSError), (folder / "filling").open("wb", buffering=0) as file:
        while file.write(bytes(512)):
            pass


def put_inputs(folder):
    """What the commands read: a file of own schedules, and a log."""
    (folder / "own.py").write_text(OWN)
    shutil.copy(LOG, folder / "nccl.log")


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """Runs commands in a folder, with what they read."""
    running = Server(tmp_path_factory.mktemp("disk"))
    put_inputs(running.folder)
    yield running
    running.close()


@pytest.fixture
def full(tmp_path):
    """A tmpfs with little room."""
    folder = tmp_path / "full"
    folder.mkdir()
    subprocess.run([*MOUNT, folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


def refused(disk, line, folder, **case):
    """Run a command that has no room: the old file stays, and nothing else is left.

    The message begins with the name of the output, not with that of what is read.
    """
    before = contents(folder)
    ended = disk.run(line, folder=str(folder), **PATIENT, **case)
    assert contents(folder) == before, "something was left or changed"
    judge(ended, [2], [f"collectives: {line.rpartition(' ')[2]}: "], SECONDS)
    left = contents(disk.temporary)
    assert not left, f"left in the temporary folder: {left}"


LINES = sampled(OUTPUTS + (FILMS if HOSTILE else []), 2)


@pytest.mark.parametrize("old", [False, True], ids=["none", "old"])
def test_a_file_that_grows_too_large_is_refused(disk, old):
    @each("line", LINES, str, few=3)
    def grows(line):
        target = disk.folder / line.rpartition(" ")[2]
        if old:
            target.write_bytes(OLD)
        try:
            refused(disk, line, disk.folder, file_bytes=ROOM)
        finally:
            target.unlink(missing_ok=True)

    grows()


if may_mount():

    @each("line", LINES, str, few=3)
    def test_a_full_disk_is_said_in_one_line(disk, full, line):
        put_inputs(full)
        fill(full)
        refused(disk, line, full)

    @each("line", LINES, str, few=3)
    def test_a_full_disk_for_temporary_files_is_no_traceback(disk, full, line):
        """What needs no temporary file is made."""
        fill(full)
        try:
            ended = disk.run(line, environment={"TMPDIR": str(full)}, **PATIENT)
            judge(ended, [0, 2], seconds=SECONDS)
            assert list(contents(full)) == ["filling"]
        finally:
            for left in set(contents(disk.folder)) - {"own.py", "nccl.log"}:
                (disk.folder / left).unlink()
