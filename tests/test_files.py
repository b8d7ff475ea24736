"""Output files: what stands at the target before, after and when writing them fails."""

import errno
import os
import resource
import signal
import subprocess
import sys

import pytest

from collectives import unfinished
from collectives.errors import BadInput
from collectives.files import replacing, working_folder


def write(path, data=b"new"):
    with replacing(path) as file:
        file.write(data)


def fail(path, failure):
    with replacing(path) as file:
        file.write(b"half")
        raise failure


def test_a_link_keeps_its_place_and_its_file_is_replaced(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "real.json", tmp_path / "link.json"
    link.symlink_to(real)
    for data in (b"first", b"second"):
        write(link, data)
        assert link.is_symlink()
        assert real.read_bytes() == data
    assert os.listdir(real.parent) == ["real.json"]


def test_a_link_that_leads_back_to_itself_is_refused(tmp_path):
    (tmp_path / "x.json").symlink_to("y.json")
    (tmp_path / "y.json").symlink_to("x.json")
    with pytest.raises(BadInput, match=r"x\.json: is a link that leads back to itself"):
        write(tmp_path / "x.json")
    assert (tmp_path / "x.json").is_symlink()
    (tmp_path / "new.json").symlink_to("none.json")
    write(tmp_path / "new.json")
    assert (tmp_path / "none.json").read_bytes() == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    target = tmp_path / "result.npy"
    target.touch()
    target.chmod(mode)
    write(target)
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", mode)


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_mode_that_the_user_asks_for(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write(tmp_path / "x.npy")
    finally:
        os.umask(before)
    assert (tmp_path / "x.npy").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError, OSError(28, "No space left")])
def test_an_interrupted_writing_leaves_the_old_file_and_nothing_else(tmp_path, failure):
    target = tmp_path / "x.npy"
    target.write_bytes(b"old")
    with pytest.raises((KeyboardInterrupt, ValueError)):
        fail(target, failure)
    assert (target.read_bytes(), os.listdir(tmp_path)) == (b"old", ["x.npy"])


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
        (OSError("the encoder stopped"), "the encoder stopped"),
    ],
)
def test_a_failure_to_write_says_why(tmp_path, failure, why):
    with pytest.raises(BadInput) as problem:
        fail(tmp_path / "x.npy", failure)
    assert str(problem.value) == f"{tmp_path / 'x.npy'}: cannot be written: {why}"


def test_a_file_that_cannot_be_read_meanwhile_is_named_itself(tmp_path):
    with pytest.raises(BadInput) as problem, replacing(tmp_path / "x.npy"):
        (tmp_path / "input.npy").read_bytes()
    assert str(problem.value) == f"{tmp_path / 'input.npy'}: No such file or directory"


def test_a_full_disk_is_said_in_a_line(tmp_path, monkeypatch):
    """A limit on the size of files fails as a full disk does, and needs no disk."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(BadInput, match=r"x\.npy: cannot be written: File too large"):
            write(tmp_path / "x.npy", bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert os.listdir(tmp_path) == []


def test_a_folder_without_room_for_its_mark_is_not_left(tmp_path):
    """No file may have a byte: as on a disk that is full."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with (
            pytest.raises(BadInput, match="cannot be written: File too large"),
            working_folder(tmp_path / "x.mp4", ".*"),
        ):
            pytest.fail("there is a folder")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert os.listdir(tmp_path) == []


KILLED = """
import os, signal
from collectives.files import replacing, working_folder
from pathlib import Path
with {how}(Path({target!r}){made}) as part:
    part.write(b"half") if {how} is replacing else (part / "half.mp4").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def kill(how, target):
    """Have a process killed while it makes an output."""
    made = ", '[a-z]+.mp4'" * (how == "working_folder")
    code = KILLED.format(how=how, target=str(target), made=made)
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("how", ["replacing", "working_folder"])
def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path, how):
    target = tmp_path / "film.mp4"
    target.write_bytes(b"old")
    kill(how, target)
    assert (target.read_bytes(), len(os.listdir(tmp_path))) == (b"old", 2)
    write(tmp_path / "other.json")
    assert sorted(os.listdir(tmp_path)) == ["film.mp4", "other.json"]


REMOVED_HALF = """
import os, sys
from pathlib import Path
from collectives.unfinished import unfinished
remove, count = os.unlink, 0
def cut_off(*words, **options):
    global count
    if count == {at}:
        os._exit(0)
    count += 1
    remove(*words, **options)
os.unlink = cut_off
with unfinished(Path(sys.argv[1]), r"[0-9].mp4") as part:
    for number in range(3):
        (part / f"{{number}}.mp4").write_bytes(b"film")
"""


@pytest.mark.parametrize("at", range(4))
def test_a_folder_whose_removal_was_cut_off_is_removed_by_the_next(tmp_path, at):
    """Its mark goes last: in a folder without it nothing is known to be ours."""
    code = REMOVED_HALF.format(at=at)
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert len(list(tmp_path.iterdir())) == 1
    write(tmp_path / "new.json")
    assert [path.name for path in tmp_path.iterdir()] == ["new.json"]


def test_what_another_run_is_writing_stays(tmp_path):
    with (
        replacing(tmp_path / "slow.npy") as slow,
        working_folder(tmp_path / "f.mp4", "part") as folder,
    ):
        slow.write(b"slow")
        (folder / "part").touch()
        write(tmp_path / "quick.npy")
        assert (folder / "part").exists()
    assert sorted(os.listdir(tmp_path)) == ["quick.npy", "slow.npy"]
    assert (tmp_path / "slow.npy").read_bytes() == b"slow"


def test_what_others_call_alike_stays(tmp_path):
    kept = [".collectives-notes", "collectives-a.part", ".x.part"]
    for name in kept:
        (tmp_path / name).touch()
    write(tmp_path / "x.json")
    assert sorted(os.listdir(tmp_path)) == sorted([*kept, "x.json"])


NAME = ".collectives-abcd_123.part"


def test_nothing_of_anybody_else_is_removed_or_waited_for(tmp_path):
    os.mkfifo(tmp_path / NAME)
    os.mkfifo(tmp_path / ".collectives-x.part")
    (tmp_path / ".collectives-x_345678.part").symlink_to(tmp_path / "notes.txt")
    (tmp_path / "notes.txt").write_text("mine")
    os.link(tmp_path / "notes.txt", tmp_path / ".collectives-y_345678.part")
    for name in (".collectives-y.part", ".collectives-z_345678.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text("mine")
    before = sorted(os.listdir(tmp_path))
    write(tmp_path / "x.json")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "x.json"])
    assert (tmp_path / ".collectives-z_345678.part" / "notes.txt").read_text() == "mine"


def test_what_another_user_left_stays(tmp_path, monkeypatch):
    kill("working_folder", tmp_path / "film.mp4")
    (tmp_path / NAME).write_bytes(b"half")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    write(tmp_path / "x.json")
    assert len(os.listdir(tmp_path)) == 3
    monkeypatch.undo()
    write(tmp_path / "x.json")
    assert os.listdir(tmp_path) == ["x.json"]


@pytest.mark.parametrize("foreign", ["notes.txt", "deep/half.mp4", "link.mp4", "fifo.mp4"])
def test_a_folder_that_was_left_stays_if_it_holds_what_was_not_made_in_it(tmp_path, foreign):
    kill("working_folder", tmp_path / "film.mp4")
    (left,) = tmp_path.iterdir()
    path = left / foreign
    path.parent.mkdir(exist_ok=True)
    if "link" in foreign:
        path.symlink_to("/dev/zero")
    elif "fifo" in foreign:
        os.mkfifo(path)
    else:
        path.touch()
    write(tmp_path / "x.json")
    assert (left / "half.mp4").exists() and os.path.lexists(path)
    path.unlink()
    write(tmp_path / "x.json")
    assert os.listdir(tmp_path) == ["x.json"]


@pytest.mark.parametrize("mark", [b"", b"mine", unfinished.SIGNATURE + b"(", b"\xff"])
def test_a_folder_with_another_mark_stays(tmp_path, mark):
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / unfinished.MARK).write_bytes(mark)
    (folder / "half.mp4").touch()
    write(tmp_path / "x.json")
    assert len(os.listdir(folder)) == 2


@pytest.mark.parametrize("moment", ["open", "flock"])
def test_a_part_that_another_run_took_for_a_dead_one_is_made_again(tmp_path, monkeypatch, moment):
    """The other run removes it before it is opened, or before it is locked."""
    module = os if moment == "open" else unfinished.fcntl
    real, taken = getattr(module, moment), []

    def first_removed(*arguments, **options):
        if not taken and not str(arguments[0]).startswith("/proc"):
            taken.extend(part.unlink() for part in tmp_path.glob(".collectives-*.part"))
        return real(*arguments, **options)

    monkeypatch.setattr(module, moment, first_removed)
    with replacing(tmp_path / "x.json"):
        write(tmp_path / "y.json")
    assert taken
    assert sorted(os.listdir(tmp_path)) == ["x.json", "y.json"]
