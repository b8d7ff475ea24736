"""Pictures of large vectors: what is told is what the whole vector holds, and little is made."""

import json
import resource

import pytest

from animations.story.cell_views import VALUES_SHOWN
from animations.story.compose import proved_storyboard
from collectives import record
from collectives.units import time_text


@pytest.mark.parametrize(
    ("collective", "algorithm", "options"),
    [
        ("all_reduce", "ring", {"count": 4099}),
        ("all_reduce", "ring", {"count": 4099, "dtype": "float32"}),
        ("all_gather", "bruck", {"counts": (7, 0, 150, 3)}),
        ("all_to_all", "bruck", {"count": 1001}),
        ("reduce_scatter", "recursive-halving", {"count": 64, "dtype": "uint8"}),
        ("scatter", "tree", {"count": 333}),
        ("all_reduce", "nvls", {"count": 777}),
    ],
)
def test_the_values_told_are_those_of_the_whole_vector(collective, algorithm, options):
    recording = record(collective, algorithm, ranks=4, **options)
    assert recording.excerpt(VALUES_SHOWN + 1) is not recording
    for number, frame in enumerate(proved_storyboard(recording).frames):
        before = recording.state(number)
        for transfer in frame.transfers:
            whole = before.value(transfer.src, transfer.chunk)
            told = [f"{v:.4g}" if v.dtype.kind == "f" else f"{v}" for v in whole[:VALUES_SHOWN]]
            more = " …" if len(whole) > VALUES_SHOWN else ""
            assert transfer.values == (f"[{' '.join(told)}{more}]" if told else "")
            assert transfer.size == len(whole) * recording.dtype.itemsize


def test_a_short_recording_is_its_own_excerpt():
    recording = record("all_reduce", "ring", ranks=4)
    assert recording.excerpt(VALUES_SHOWN + 1) is recording


def test_a_page_of_a_gibibyte_counts_what_time_counts(right, folder, story_in):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    right("page all-reduce ring --topology hgx-h100 --size 1GiB -o ring.html")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB
    story = story_in(folder / "ring.html")
    told = right("time all-reduce ring --topology hgx-h100 --size 1GiB --json").json
    assert "1 GiB" in json.dumps(story["subtitles"])
    assert (
        story["counters"][-1][2][-1].split(" / ")[0] == time_text(told["seconds"], 3) == "4.19 ms"
    )


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--size 5", "--size 5 has no unit; try: 5B"),
        ("--size 1GiB --count 4", "--count 4: --size says how large the vector is; leave it out"),
        ("--size 1EiB", "--size 1EiB: must be at most 256TiB; try: 256TiB"),
    ],
)
def test_sizes_that_are_refused(collectives, folder, line, says):
    ended = collectives(f"page all-reduce ring {line} -o p.html")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert says in ended.err
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "line",
    [
        "figure links all-reduce ring -n 100000",
        "figure traffic all-reduce ring -n 100000",
        "figure space-time all-reduce ring -n 100000",
        "figure picture all-reduce ring -n 100000",
        "page all-reduce ring -n 100000",
        "video all-reduce ring -n 100000",
        "page broadcast ring --chunks 100000",
    ],
)
def test_what_no_picture_shows_is_refused_before_it_is_recorded(line, collectives, monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder._pull", None)
    option = "--chunks" if "--chunks" in line else "-n"
    done = collectives(line)
    most = 1024 if line.startswith(("video", "figure picture")) else 256
    said = f"collectives: {option} 100000: a picture shows 1 to {most}; try: {option} {most}\n"
    assert (done.status, done.err) == (2, said)
