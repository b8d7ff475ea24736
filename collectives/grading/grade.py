"""Grades a class: each file is judged in a process of its own, several at a time."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any

from collectives import time_limit
from collectives.errors import BadInput, NotInstalled
from collectives.files import path_of
from collectives.grading.grades import Graded, Grades
from collectives.grading.homework import Homework, load_homework
from collectives.grading.judging import Judged, judged_file, no_marks
from collectives.grading.submissions import Submission, check_folder, key_beside, submissions
from collectives.own_code.confined import Limits, possible
from collectives.unfinished import IS_POSIX
from collectives.values import instance, whole
from collectives.words import quoted

MOST_AT_ONCE = 8
SPARE = 5.0  # seconds beyond its limit in which a judge may say itself what is wrong
MEMORY = 1 << 30  # bytes that the judge of one file may take
GLANCE = 0.2  # seconds between two looks at the time


def grade(
    folder: str | Path,
    key: str | Path | None = None,
    *,
    limits: Limits | None = None,
    jobs: int | None = None,
) -> Grades:
    """Grade what a class has handed in.

    Each file is copied and run in a new process, which is confined as far as the system can; only
    steps come back, and are judged here. The solution in the key is judged first, in the same way.

    Parameters
    ----------
    folder : str or Path
        With submitted/STUDENT/ASSIGNMENT/FILE, ASSIGNMENT-STUDENT/FILE or STUDENT.py.
    key : str or Path, optional
        The lecturer's file; by default the one that is in `folder`, in source/ or beside it.
    limits : Limits, optional
        Time, memory and output of each file.
    jobs : int, optional
        Files that are judged at the same time; by default one for each processor.

    Returns
    -------
    Grades
        Points of each student, and what most got wrong.

    Raises
    ------
    BadInput
        Where there is nothing to grade, or the key's own solution does not earn all points.
    NotInstalled
        On systems without POSIX processes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from collectives.grading import load_homework, scaffold
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "key.py").write_text(scaffold("key.py"))
    >>> _ = (folder / "ann.py").write_text(load_homework(folder / "key.py").handout())
    >>> print(grade(folder))
    1 student, 10 points
    student  some  right  steps  messages  bytes  points  what is wrong
    ───────────────────────────────────────────────────────────────────
    ann         0      0      0         0      0       0  not answered
    """
    _check_system()
    if folder == "":
        raise BadInput("'': names no folder; try: .")
    start, place = monotonic(), path_of(folder)
    check_folder(place)
    limits = instance("limits", limits or Limits(), Limits, "Limits(seconds=30)")
    at_once = whole("jobs", os.cpu_count() or 1 if jobs is None else jobs, 1, 64)
    homework = load_homework(key_beside(place) if key is None else key)
    handed_in = submissions(place, homework)
    (solution,) = _judged([_as_submission(homework)], homework, limits, 1)
    _check_key(homework, solution)
    judged = _judged(handed_in, homework, limits, min(at_once, MOST_AT_ONCE))
    graded = [
        Graded(submission.student, submission.path, *verdict)
        for submission, verdict in zip(handed_in, judged, strict=True)
    ]
    return Grades(homework, tuple(graded), possible(), monotonic() - start)


def check_solution(homework: Homework, limits: Limits | None = None) -> None:
    """Raise BadInput unless the solution in a homework earns all points."""
    _check_system()
    (solution,) = _judged([_as_submission(homework)], homework, limits or Limits(), 1)
    _check_key(homework, solution)


def _check_system() -> None:
    if not IS_POSIX:
        raise NotInstalled(
            "files are graded on Linux and macOS", command="collectives check FILE.py:FUNCTION"
        )


def _check_key(homework: Homework, solution: Judged) -> None:
    marks, wrong = solution
    if wrong:
        earned = sum(mark.points for mark in marks)
        raise BadInput(
            f"{quoted(str(homework.path))}: its own solution earns {earned:g} of "
            f"{homework.total:g} points: {wrong[0].kind}: {wrong[0].text}"
        )


def _as_submission(homework: Homework) -> Submission:
    return Submission("key", str(homework.path), homework.text.encode())


def _judged(
    handed_in: Sequence[Submission], homework: Homework, limits: Limits, jobs: int
) -> list[Judged]:
    """The verdict on each, by processes of which at most so many run at the same time."""
    verdicts: dict[int, Judged] = {}
    waiting = list(enumerate(handed_in))
    running: dict[Any, tuple[int, Any, float]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    number, submission = waiting.pop(0)
                    if submission.problem:
                        verdicts[number] = no_marks(homework, "file not run", submission.problem)
                        continue
                    path = Path(place, str(number), homework.path.name)
                    path.parent.mkdir()
                    path.write_bytes(submission.content)
                    receiver, process = _started(path, homework, limits)
                    running[receiver] = number, process, monotonic() + limits.seconds + SPARE
                ready = wait(list(running), GLANCE)
                for receiver, (number, process, until) in list(running.items()):
                    if receiver in ready or monotonic() > until:
                        verdicts[number] = _verdict(receiver, receiver in ready, homework, limits)
                        del running[receiver]
                        process.kill()
                        process.join()
        finally:
            for _, process, _ in running.values():
                process.kill()
    return [verdicts[number] for number in range(len(handed_in))]


def _verdict(receiver: Connection, ready: bool, homework: Homework, limits: Limits) -> Judged:
    """What a judge says, or that it says nothing."""
    if not ready:
        return no_marks(homework, "does not end", f"takes more than {limits.seconds:g} s in all")
    try:
        judged: Judged = receiver.recv()
    except (EOFError, OSError):
        return no_marks(homework, "cannot be judged", "its steps take too much memory or time")
    return judged


def _started(path: Path, homework: Homework, limits: Limits) -> tuple[Connection, Any]:
    """A process that judges a file, and where it says what it has found."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_judge, args=(path, homework, limits, sender))
    with warnings.catch_warnings():  # of threads: ours only wait
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    return receiver, process


def _judge(path: Path, homework: Homework, limits: Limits, sender: Connection) -> None:
    """What that process does: nothing that a file makes it do costs another one anything."""
    os.setsid()
    _limit_memory()
    time_limit.OWN_SECONDS = limits.step_seconds
    sender.send(judged_file(path, homework, limits))


def _limit_memory() -> None:
    import resource

    with suppress(OSError, ValueError, IndexError):
        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, resource.RLIM_INFINITY))
