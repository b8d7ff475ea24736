"""Cost of rendering beside a scene as a person would write it by hand, with Manim's defaults."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import av

from tests.benchmarks.measure import line, process_cpu, python

YARDSTICK = Path(__file__).parents[3] / "shared" / "bench" / "plain_ring_scene.py"
GOALS = {8: "<= 1.0", 32: "<= 0.8", 64: "<= 0.55"}
OURS = (
    "from collectives import record; from animations.story.storyboard import proved_storyboard; "
    "from animations.film.film import render; "
    "board = proved_storyboard(record('all_reduce', 'ring', ranks={n})); "
    "render(board, {path!r}, 'h', lambda k, n: None)"
)


def rendering() -> Iterator[str]:
    """CPU seconds per film second at 1080p60, ring all-reduce, whole processes."""
    if not YARDSTICK.exists():
        yield "film: the yardstick scene is not there; nothing to compare with"
        return
    for ranks, goal in GOALS.items():
        with tempfile.TemporaryDirectory() as folder:
            own = f"{folder}/own.mp4"
            mine = process_cpu(python(OURS.format(n=ranks, path=own)), 1) / _seconds(own)
            hand = _by_hand(ranks, folder)
        yield line(
            f"film of the ring, {ranks} ranks, 1080p60",
            f"{mine / hand:.2f} x by hand",
            goal,
            f"{mine:.2f} against {hand:.2f} CPU s per film second",
        )


def _by_hand(ranks: int, folder: str) -> float:
    os.environ["N"] = str(ranks)
    command = python("from manim.__main__ import main; main()")
    options = ["render", "-qh", "--disable_caching", "--progress_bar", "none"]
    if ranks > 8:  # its steps all cost the same; the whole would take a quarter of an hour
        options += ["-n", "0,39"]
    seconds = process_cpu([*command, *options, "--media_dir", folder, str(YARDSTICK), "Ring"], 1)
    return seconds / _seconds(str(next(Path(folder).rglob("Ring.mp4"))))


def _seconds(path: str) -> float:
    with av.open(path) as container:
        return float(container.duration) / av.time_base
