"""Parts of films that are kept: whole or not at all, the least recently used go first."""

import os

import pytest

from animations.drawing.render.cache import NOTHING_KEPT, TAG, Kept, cache_folder, user_cache
from collectives import progress

A, B = "a" * 40, "b" * 40
PARTS = [f"{letter * 40}.film" for letter in "abcd"]


def test_what_was_put_is_found_until_it_is_broken(tmp_path):
    kept = Kept(tmp_path / "new" / "film")
    assert kept.get(A) is None
    kept.put(A, b"part")
    assert kept.get(A) == b"part"
    assert kept.get(B) is None
    file = tmp_path / "new" / "film" / PARTS[0]
    for broken in (file.read_bytes()[:-1], b"", b"x" + file.read_bytes()[1:], b"x" * 100):
        file.write_bytes(broken)
        assert kept.get(A) is None
    kept.put(A, b"again")
    assert kept.get(A) == b"again"
    assert sorted(os.listdir(file.parent)) == [TAG, PARTS[0]]
    assert (file.parent / TAG).read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_nothing_is_kept_where_nothing_can_be(tmp_path):
    (tmp_path / "file").touch()
    for kept in (NOTHING_KEPT, Kept(tmp_path / "file"), Kept(tmp_path / "file" / "x")):
        kept.put(A, b"part")
        assert kept.get(A) is None
        kept.trim()
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), PermissionError(13)])
def test_a_full_disk_or_a_folder_that_is_read_only_keeps_nothing(tmp_path, monkeypatch, problem):
    def fails(path):
        raise problem

    monkeypatch.setattr("animations.drawing.render.cache.replacing", fails)
    kept = Kept(tmp_path)
    kept.put(A, b"part")
    assert kept.get(A) is None


def test_the_least_recently_used_parts_go_first(tmp_path):
    kept = Kept(tmp_path)
    for number, name in enumerate(PARTS):
        kept.put(name[:40], b"x" * 84)  # and 16 of the checksum
        os.utime(tmp_path / name, (number, number))
    kept.get(A)
    kept.trim(300)
    assert sorted(os.listdir(tmp_path)) == [TAG, PARTS[0], PARTS[2], PARTS[3]]
    kept.trim(99)
    assert os.listdir(tmp_path) == [TAG]


def user_files(folder):
    """What a user, or anybody in a shared folder, may have put beside the parts."""
    elsewhere = folder.with_name("elsewhere")
    elsewhere.write_bytes(bytes(200))
    (folder / "thesis.pdf").write_bytes(bytes(200))
    (folder / A).write_bytes(bytes(200))
    (folder / f"{A}.film.bak").write_bytes(bytes(200))
    (folder / f"{A}.film").symlink_to(elsewhere)
    os.link(elsewhere, folder / f"{B}.film")
    (folder / f"{'c' * 40}.film").mkdir()
    os.mkfifo(folder / f"{'d' * 40}.film")
    return sorted(os.listdir(folder))


def test_only_own_parts_are_read_and_removed(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    before = user_files(folder)
    kept = Kept(folder)
    own = "e" * 40
    kept.put(own, b"part")
    assert [kept.get(letter * 40) for letter in "abcde"] == [None] * 4 + [b"part"]
    kept.trim(0)
    assert sorted(os.listdir(folder)) == sorted([*before, TAG])
    assert (tmp_path / "elsewhere").stat().st_size == 200


def test_a_folder_of_somebody_else_or_a_link_to_one_is_not_used(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(progress, "announced", [said.append])
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path))
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "collectives-film").symlink_to(real)
    assert user_cache() is NOTHING_KEPT
    line = f"{tmp_path}/collectives-film is not a folder of yours; no part of a film is kept there"
    assert said == [line]
    kept = Kept(tmp_path / "collectives-film")
    kept.put(A, b"part")
    assert os.listdir(real) == []

    Kept(real).put(A, b"part")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert Kept(real).refused() and Kept(real).get(A) is None
    Kept(real).put(B, b"part")
    Kept(real).trim(0)
    assert sorted(os.listdir(real)) == [TAG, PARTS[0]]


def test_the_folder_is_where_users_expect_it(tmp_path, monkeypatch):
    monkeypatch.delenv("COLLECTIVES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "collectives" / "film"
    for base in ("", "relative/is/invalid"):
        monkeypatch.setenv("XDG_CACHE_HOME", base)
        monkeypatch.setenv("HOME", "/home/somebody")
        assert str(cache_folder()) == "/home/somebody/.cache/collectives/film"
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own" / "collectives-film"
    monkeypatch.setenv("COLLECTIVES_CACHE", "")
    assert cache_folder() is None
