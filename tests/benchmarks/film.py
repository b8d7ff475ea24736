"""Cost of films beside a scene as a person would write it by hand, and beside encoding alone."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import av

from tests.benchmarks.measure import line, process_cpu, python

YARDSTICK = Path(__file__).parents[3] / "shared" / "bench" / "plain_ring_scene.py"
GOALS = {8: "<= 0.55", 32: "<= 0.55", 64: "<= 0.35"}
RUNS = 3
BOARD = (
    "from collectives import record; from animations.story.compose import proved_storyboard; "
    "from animations.drawing.sheet import FILM; "
    "board = proved_storyboard(record('all_reduce', 'ring', ranks={n}), sheet=FILM); "
)
OURS = BOARD + (
    "from animations.film.film import render; from animations.score.steps import score_of; "
    "render(score_of(board), {path!r}, 'h', lambda k, n: None, cache=False)"
)
SET_UP = BOARD + (
    "from animations.score.steps import score_of; from animations.pictures.stage import Stage; "
    "stage = Stage(board); [stage.show(shot.moment) for shot in score_of(board).passages[1].shots]"
)


def rendering() -> Iterator[str]:
    """CPU and wall seconds per film second at 1080p60, ring all-reduce, whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        start = process_cpu(python("import animations.film.film; " + BOARD.format(n=4)), RUNS)
        yield line("film: import and storyboard of 4 ranks", f"{start:.2f} CPU s", "< 2")
        for ranks in GOALS:
            yield from _film(ranks, folder)
        ready = process_cpu(python(SET_UP.format(n=128)), RUNS)
        yield line(
            "film of the ring, 128 ranks, every picture set up", f"{ready:.1f} CPU s", "< 10"
        )


def _film(ranks: int, folder: str) -> Iterator[str]:
    what, path = f"film of the ring, {ranks} ranks, 1080p60", f"{folder}/own.mp4"
    runs = [_rendered(python(OURS.format(n=ranks, path=path))) for _ in range(RUNS)]
    length = _seconds(path)
    cpu, wall, peak = (statistics.median(column) for column in zip(*runs, strict=True))
    mine, alone = cpu / length, _encoding(path) / length
    yield line(what, f"{mine / alone:.2f} x encoding", "<= 1.8", f"{mine:.2f} CPU s a film second")
    yield line(what, f"{wall / length:.2f} s a second", "<= 0.45", f"{os.cpu_count()} cores")
    yield line(what, f"{peak / 1e9:.2f} GB", "< 1.2", "of all processes at once, at most")
    if not YARDSTICK.exists():
        yield "film: the yardstick scene is not there; nothing to compare with"
        return
    hand = _by_hand(ranks, folder)
    how = f"{mine:.2f} against {hand:.2f} CPU s per film second"
    yield line(what, f"{mine / hand:.2f} x by hand", GOALS[ranks], how)


def _rendered(command: Sequence[str]) -> tuple[float, float, float]:
    """CPU seconds, wall seconds, and most bytes that a process and its children have at once."""
    start, peak = time.perf_counter(), 0
    process = subprocess.Popen(command)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, _memory(process.pid))
        time.sleep(0.2)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, peak


def _memory(pid: int) -> int:
    """Bytes of a process and its children; what several share counts once."""
    try:
        content = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has ended
        return 0
    own = next(int(line.split()[1]) for line in content if line.startswith("Pss:"))
    return own * 1024 + sum(_memory(int(child)) for child in children)


def _encoding(path: str) -> float:
    """CPU seconds of encoding the frames of a film alone: of decoding them too, less decoding."""
    decode = f"import av; film = av.open({path!r}); film.streams.video[0].thread_count = 1; "
    frames = "frames = film.decode(video=0); "
    encode = (
        "from animations.drawing.render.encoder import encoded; import itertools; "
        "more = iter(lambda: list(itertools.islice(frames, 250)), []); "
        "[encoded(some, (1920, 1080), 60) for some in more]"
    )
    only = "from animations.drawing.render.encoder import encoded; [None for frame in frames]"
    both = process_cpu(python(decode + frames + encode), 1)
    return both - process_cpu(python(decode + frames + only), 1)


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
