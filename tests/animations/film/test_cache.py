"""Parts of films that are kept: whole or not at all, the least recently used go first."""

import os

import pytest

from animations.film.cache import NOTHING_KEPT, Kept, cache_folder


def test_what_was_put_is_found_until_it_is_broken(tmp_path):
    kept = Kept(tmp_path / "new" / "film")
    assert kept.get("a") is None
    kept.put("a", b"part")
    assert kept.get("a") == b"part"
    assert kept.get("b") is None
    file = tmp_path / "new" / "film" / "a"
    for broken in (file.read_bytes()[:-1], b"", b"x" + file.read_bytes()[1:], b"x" * 100):
        file.write_bytes(broken)
        assert kept.get("a") is None
    kept.put("a", b"again")
    assert kept.get("a") == b"again"


def test_nothing_is_kept_where_nothing_can_be(tmp_path):
    (tmp_path / "file").touch()
    for kept in (NOTHING_KEPT, Kept(tmp_path / "file"), Kept(tmp_path / "file" / "x")):
        kept.put("a", b"part")
        assert kept.get("a") is None
        kept.trim()
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), PermissionError(13)])
def test_a_full_disk_or_a_folder_that_is_read_only_keeps_nothing(tmp_path, monkeypatch, problem):
    def fails(path):
        raise problem

    monkeypatch.setattr("animations.film.cache.replacing", fails)
    kept = Kept(tmp_path)
    kept.put("a", b"part")
    assert kept.get("a") is None


def test_the_least_recently_used_parts_go_first(tmp_path):
    kept = Kept(tmp_path)
    for number, name in enumerate("abcd"):
        kept.put(name, b"x" * 84)  # and 16 of the checksum
        os.utime(tmp_path / name, (number, number))
    kept.get("a")
    kept.trim(300)
    assert sorted(os.listdir(tmp_path)) == ["a", "c", "d"]
    kept.trim(99)
    assert os.listdir(tmp_path) == []


def test_the_folder_is_where_users_expect_it(tmp_path, monkeypatch):
    monkeypatch.delenv("COLLECTIVES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "collectives" / "film"
    for base in ("", "relative/is/invalid"):
        monkeypatch.setenv("XDG_CACHE_HOME", base)
        monkeypatch.setenv("HOME", "/home/somebody")
        assert str(cache_folder()) == "/home/somebody/.cache/collectives/film"
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.setenv("COLLECTIVES_CACHE", "")
    assert cache_folder() is None
