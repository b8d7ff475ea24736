"""Kill -9 while an output is written: the old file or none is there, the next run tidies up.

A run is stopped at events of the file system, such as the opening of a file, and at times spread
over it. `make test` stops each kind of output at a few; the long version at all, and films, too.
"""

import shutil
from functools import cache
from pathlib import Path

import pytest
from runner import FOR_FILMS, HOSTILE, Server, contents, judge

OUTPUTS = {  # what is typed, and the files it makes
    "recording": ("run all-reduce ring -n 3 -o out.json", ["out.json"]),
    "array": ("run all-reduce ring -n 3 -o out.npy", ["out.npy"]),
    "arrays": ("run all-reduce ring -n 3 -o out.npz", ["out.npz"]),
    "trace": ("time all-reduce ring -n 3 --size 1MB -o out.trace.json", ["out.trace.json"]),
    "page": ("page all-reduce ring -n 3 -o out.html", ["out.html"]),
    "drawing": ("figure traffic all-reduce ring -n 3 -o out.svg", ["out.svg"]),
    "picture": ("figure traffic all-reduce ring -n 3 -o out.png", ["out.png"]),
}
FILMS = {
    "film": ("video broadcast tree -n 2 -q l -o out.mp4", ["out.mp4", "out.srt", "out.vtt"]),
    "loop": ("video broadcast tree -n 2 -q l -o out.gif", ["out.gif"]),
    "result": ("video broadcast tree -n 2 -q l -o out.png", ["out.png"]),
    "sections": (
        "video broadcast tree -n 2 -q l --sections -o out.mp4",
        ["out.mp4", "out.srt", "out.vtt", "out-sections"],
    ),
}
KINDS = OUTPUTS | FILMS
OLD = b"the old file"
SECONDS = 120  # for a film, by the processor
PATIENT = {"seconds": SECONDS, "patience": 2 * SECONDS}


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Runs commands in an empty folder, and kills them."""
    folder = tmp_path_factory.mktemp("kills")
    running = Server(folder)
    yield running
    running.close()


@pytest.fixture(scope="module")
def filmed(tmp_path_factory):
    """The same with all that films need imported."""
    folder = tmp_path_factory.mktemp("films")
    running = Server(folder, FOR_FILMS)
    yield running
    running.close()


def start(server, old, files):
    """An empty folder, or one with old files; nothing in the temporary folder."""
    for folder in (server.folder, server.temporary):
        shutil.rmtree(folder)
        folder.mkdir()
    for name in files if old else ():
        if "." in name:
            (server.folder / name).write_bytes(OLD)


def kill(server, kind, old, **when):
    """Kill a run, hold what is there against whole files, run again, and see that all is tidy."""
    line, files = KINDS[kind]
    sizes = whole(server, kind)[1]
    start(server, old, files)
    ended = server.run(line, **PATIENT, **when)
    assert ended.status in (0, -9), ended
    for path in filter(Path.is_file, map(server.folder.joinpath, files)):
        now = path.read_bytes()
        is_whole = abs(len(now) - sizes[path.name]) <= sizes[path.name] // 10
        assert is_whole or (old and now == OLD), f"{path.name}: half-written, {len(now)} B"
    judge(server.run(line, **PATIENT), [0], seconds=SECONDS)
    found = {name.split("/")[0] for name in contents(server.folder)}
    assert found == set(files), f"beside {files}: {sorted(found - set(files))}"
    left = sorted(contents(server.temporary))
    assert not left, f"left in the temporary folder: {left}"


@cache
def whole(server, kind):
    """Of a run that is not killed: its events, the sizes of its files, and its seconds."""
    line, files = KINDS[kind]
    start(server, False, files)
    ended = server.run(line, stop_at=-1, **PATIENT)
    judge(ended, [0], seconds=SECONDS)
    made = [server.folder / name for name in files]
    sizes = {path.name: path.stat().st_size for path in made if path.is_file()}
    return int((server.beside / "events").read_text()), sizes, ended.elapsed


@pytest.mark.parametrize("kind", OUTPUTS)
def test_killed_at_events_of_the_file_system(killed, kind):
    """The last of them open, fill and rename the output."""
    events = whole(killed, kind)[0]
    for event in range(events) if HOSTILE else (events - 4, events - 2):
        kill(killed, kind, event % 4 < 2, stop_at=event)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_killed_at_times_spread_over_the_run(killed, kind):
    parts, elapsed = 20 if HOSTILE else 1, whole(killed, kind)[2]
    for part in range(parts):
        kill(killed, kind, part % 2, stop_after=elapsed * (part + 0.5) / parts)


if HOSTILE:  # a film takes long

    @pytest.mark.parametrize("kind", FILMS)
    def test_a_film_is_killed_as_it_is_rendered_and_moved(filmed, kind):
        events, _, elapsed = whole(filmed, kind)
        for part in range(6):
            kill(filmed, kind, part % 2, stop_after=elapsed * (part + 0.5) / 6)
        for event in range(events - 12, events):
            kill(filmed, kind, event % 2, stop_at=event)
