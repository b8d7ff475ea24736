"""The command line as tests call it: in this process, or as a process of its own."""

import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import packed
import pytest
from bad_files import files

from collectives.__main__ import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output as strict JSON."""
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


@pytest.fixture
def folder(tmp_path):
    """The folder in which commands are called."""
    return tmp_path


@pytest.fixture
def collectives(folder, monkeypatch, capsys):
    """Call the command line in the folder, with words or one string of them."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", sys.path[:])
    before = set(sys.modules)

    def call(*words):
        arguments = shlex.split(words[0]) if len(words) == 1 else list(words)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        found = capsys.readouterr()
        return Ended(ended.value.code, found.out, found.err)

    yield call
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture
def command(folder):
    """Run the command line as a process of its own, in the folder."""

    def call(*words, **options):
        arguments = shlex.split(words[0]) if len(words) == 1 else list(words)
        ended = subprocess.run(
            [sys.executable, "-m", "collectives", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            **options,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return call


@pytest.fixture
def right(collectives):
    """Call the command line and expect it to succeed in silence; what it printed."""

    def call(*words):
        ended = collectives(*words)
        assert (ended.status, ended.err) == (0, "")
        return ended

    return call


@pytest.fixture
def story_in():
    """A function that gives the story in a page, as far as it is JSON."""

    def read(path):
        return packed.story_in(re.search(r'id="story">([^<]*)', path.read_text())[1])

    return read


@pytest.fixture
def saved(tmp_path):
    """Save an array, or several by name, in the temporary folder; the file's name."""

    def save(name, array=None, **arrays):
        if array is not None:
            np.save(tmp_path / name, array)
        else:
            np.savez(tmp_path / name, **arrays)
        return name

    return save


@pytest.fixture
def numbers():
    """Random numbers: integers over their whole range, so that sums wrap; floats that round."""

    def make(dtype, shape=(4, 12), seed=1):
        generator = np.random.default_rng(seed)
        if np.dtype(dtype).kind == "f":
            return generator.standard_normal(shape).astype(dtype)
        info = np.iinfo(dtype)
        return generator.integers(info.min, info.max, shape, dtype, endpoint=True)

    return make


@pytest.fixture(scope="session")
def bad_folder(tmp_path_factory):
    """A folder full of bad files."""
    made = tmp_path_factory.mktemp("bad")
    for name, content in files().items():
        if content is None:
            (made / name).mkdir()
        else:
            (made / name).write_bytes(content)
    return made


@pytest.fixture
def crowded(bad_folder):
    """The same, which must be as it was at the end, but for what Python compiles on import."""
    yield bad_folder
    paths = [path for path in bad_folder.rglob("*") if "__pycache__" not in path.parts]
    found = {path.name: path.read_bytes() if path.is_file() else None for path in paths}
    assert found == files(), "a file was made, changed or removed"
