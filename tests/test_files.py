"""Output files: what stands at the target before, after and when writing them fails."""

import errno
import os
import resource
import signal
import subprocess
import sys

import pytest

from collectives import files
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


KILLED = """
import os, signal
from collectives.files import replacing, working_folder
from pathlib import Path
with {how}(Path({target!r})) as part:
    part.write(b"half") if {how} is replacing else (part / "half").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("how", ["replacing", "working_folder"])
def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path, how):
    target = tmp_path / "film.mp4"
    target.write_bytes(b"old")
    code = KILLED.format(how=how, target=str(target))
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (target.read_bytes(), len(os.listdir(tmp_path))) == (b"old", 2)
    write(tmp_path / "other.json")
    assert sorted(os.listdir(tmp_path)) == ["film.mp4", "other.json"]


def test_what_another_run_is_writing_stays(tmp_path):
    with replacing(tmp_path / "slow.npy") as slow, working_folder(tmp_path / "film.mp4") as folder:
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


@pytest.mark.parametrize("moment", ["open", "flock"])
def test_a_part_that_another_run_took_for_a_dead_one_is_made_again(tmp_path, monkeypatch, moment):
    """The other run removes it before it is opened, or before it is locked."""
    module = os if moment == "open" else files.fcntl
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
