"""Folders of launches: gone at the end, also of those that were killed."""

import fcntl
import os
import tempfile

from collectives.launch.folder import LOCK, PREFIX, launch_folder


def test_what_a_killed_launch_left_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = ("left_123", "running_", "other_12", "of-a-user")
    left, running, other, foreign = (tmp_path / f"{PREFIX}{name}" for name in names)
    for folder in (left, running, other, foreign):
        folder.mkdir()
    (tmp_path / f"{PREFIX}link_123").symlink_to(left)
    (left / LOCK).touch()
    (foreign / LOCK).touch()
    os.mkfifo(other / LOCK)  # nobody waits for it
    (left / "plan.json").touch()
    with (running / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with launch_folder() as own, launch_folder() as another:
            assert own.is_dir() and another.is_dir() and own != another
            assert not left.exists() and running.is_dir()
            assert other.is_dir() and foreign.is_dir()
    assert not own.exists() and not another.exists()
    assert (tmp_path / f"{PREFIX}link_123").is_symlink()
