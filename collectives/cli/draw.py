"""Does what `video` and `page` are asked for: the only place that imports the drawing layer."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

from collectives.cli.subject import DEFAULT_RANKS, Subject, asked_size
from collectives.errors import BadInput, NotInstalled
from collectives.files import check_suffix, check_writable

Timed = tuple[str | None, str | None, str | None, str | None]  # --size, --topology, --latency, …


def default_name(recording: Any, suffix: str) -> str:
    """The file in this folder a picture goes to unless named: ring-all-reduce-4.mp4.

    Own schedules name themselves, in a saved recording as they like: only letters and digits stay.
    """
    title = re.sub(r"[\W_]+", "-", recording.title, flags=re.ASCII).strip("-")[:80]
    return f"{title or 'schedule'}-{recording.ranks}{suffix}"


def make_video(
    subject: Subject,
    quality: str,
    output: str | None,
    theme: str,
    sections: bool,
    timed: Timed,
) -> None:
    """`collectives video`: render the film, show progress on stderr, print the path last."""
    if output is not None:
        check_output(output, (".mp4", ".gif", ".png"), "a film")
    if sections and not (output or ".mp4").endswith(".mp4"):
        raise BadInput(f"--sections: {output} has none; nearest: -o FILE.mp4")
    recording, topology = _timed(subject, timed)
    from animations.story.storyboard import storyboard
    from animations.story.theme import THEMES

    check_theme(theme)
    board = storyboard(recording, topology)
    path = output or default_name(recording, ".mp4")
    check_writable(path)
    try:
        from animations.film.film import QUALITIES, render
    except ImportError as problem:
        raise NotInstalled(
            f"a film needs Manim ({problem}); type: make setup, or pip install 'collectives[video]'"
        ) from None
    if quality not in QUALITIES:
        raise BadInput(f"-q {quality}: must be one of {', '.join(QUALITIES)}")
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("step {task.completed} of {task.total}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    silent = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=silent) as bar:
        task = bar.add_task(f"rendering {path}", total=max(1, len(board.frames)))

        def report(step: int, total: int) -> None:
            bar.update(task, completed=step)

        film = render(board, path, quality, report, THEMES[theme], sections)
    if film.suffix == ".mp4":
        print(f"subtitles: {film.with_suffix('.srt')}", file=sys.stderr)
    print(film)


def make_page(subject: Subject, output: str | None, theme: str, timed: Timed) -> None:
    """`collectives page`: write the page, print its path last."""
    if output is not None:
        check_output(output, (".html",), "a page")
    recording, topology = _timed(subject, timed)
    from animations.player.page import write_page
    from animations.story.storyboard import storyboard

    check_theme(theme)
    path = output or default_name(recording, ".html")
    write_page(storyboard(recording, topology), path, theme)
    print(path)


def _timed(subject: Subject, timed: Timed) -> tuple[Any, Any]:
    """The recording that is meant, and the topology its time is counted on; raises BadInput.

    As in `collectives time`: the machine says how many ranks there are where that is certain
    and -n is not given, and it shares parameters such as gpus with the algorithm.
    """
    from collectives.cli.where import Where

    size, name, latency, bandwidth = timed
    where = Where(name, latency, bandwidth)
    place = where.setup()
    own = subject.is_saved or subject.is_own
    if not subject.is_saved:
        subject = replace(subject, ranks=where.ranks(subject.ranks) or DEFAULT_RANKS)
    if not own:
        row, ranks = subject.row(), subject.ranks or DEFAULT_RANKS
        subject = replace(subject, parameters=place.fill(row, ranks, subject.parameters))
    recording = _recording(subject, size)
    if where.is_file or own:
        where.check_ranks(recording.ranks)
    where.check_fits(recording)
    topology = place.machine(recording)
    if where.name is not None and not where.is_file:
        topology = replace(topology, name=where.name)  # with its parameters, to be shown
    return recording, topology


def _recording(subject: Subject, size: str | None) -> Any:
    """The recording that is meant, of so many bytes; its values are not all made."""
    if size is None:
        return subject.recording(executed=False)
    if subject.is_saved:
        raise BadInput(f"--size {size}: a saved recording has its own; leave it out")
    asked = asked_size(size, subject)
    if asked and not subject.is_own and not subject.row().promise.moves_data:
        raise BadInput(f"--size {size}: a barrier moves no data; leave it out")
    dtype, unit = ("uint8", 1) if asked % 8 else ("int64", 8)
    return replace(subject, count=asked // unit).recording(dtype=dtype, executed=False)


def check_theme(theme: str) -> None:
    """Raise BadInput for a theme that there is not."""
    from animations.story.theme import THEMES

    if theme not in THEMES:
        raise BadInput(f"--theme {theme}: must be one of {', '.join(THEMES)}")


def check_output(output: str, suffixes: tuple[str, ...], what: str) -> None:
    """Raise BadInput for a file that `what` is not written as, or that cannot be written."""
    check_suffix(output, suffixes, what, "-o")
