"""Judges what a student wrote: points of each check, what is wrong, and from where on.

Only steps come from the process that runs the student's file; this one holds them against the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from collectives import algorithms
from collectives.cost.by_name import time
from collectives.cost.where import Where
from collectives.errors import CollectivesError, WrongSchedule
from collectives.grading.borrowed import taken_from
from collectives.grading.homework import Homework
from collectives.grading.task import HomeworkTask
from collectives.own_code.confined import Limits
from collectives.own_code.own_process import own_function
from collectives.proof import first_wrong as causes
from collectives.proof.check import check_own, roots
from collectives.proof.own_algorithm import OwnAlgorithm, as_far_as_it_goes
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import time_text
from collectives.words import plural, printable

MOST_TEXT = 800  # characters of a diagnosis
OWN_FOLDER = re.compile(r"\S*[/\\]tmp\w{8}[/\\]\d+[/\\]")  # in which a submission is run
ALGORITHMS = Path(algorithms.__file__).parent
SAYS = (  # what a message says that no step shows, and its kind
    (re.compile(r"raised NotImplementedError"), "not answered"),
    (re.compile(r"raised MemoryError"), "takes too much memory"),
    (re.compile(r"does it ever end"), "does not end"),
    (re.compile(r"has ended its process by SIG(XCPU|KILL)"), "does not end"),
    (re.compile(r"has ended its process|has broken the process|has closed"), "ends its process"),
    (re.compile(r"has no function|has no \w+\.py"), "the function is missing"),
    (re.compile(r"(?:importing it|own code|\)?:? \w+) raised (\w+)"), "raises {}"),
    (re.compile(r"it returned|has sent|is no step"), "yields no steps"),
)
SHOWS = {
    causes.DOUBLED: "the same data is added twice",
    causes.FOREIGN: "data comes where it does not belong",
    causes.LOST: "data is missing",
    causes.EMPTY: "an empty slot is read",
    causes.TWICE: "a slot is written twice in a step",
    causes.NOWHERE: "a rank or a chunk does not exist",
    causes.STUCK: "a sum is stuck: nothing can be added to it",
    causes.UNEQUAL: "chunks have different sizes",
}


@dataclass(frozen=True)
class CheckMark:
    """The points of one check of one function, and the most there are."""

    function: str
    check: str
    points: float
    full: float


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a function: its kind, on how many ranks, from which step on.

    ranks, step: 0 where it is of no number of ranks, of no step.
    """

    function: str
    kind: str
    text: str
    ranks: int = 0
    step: int = 0


Judged = tuple[tuple[CheckMark, ...], tuple[Diagnosis, ...]]


def judged_file(path: Path, homework: Homework, limits: Limits) -> Judged:
    """The marks of a file, and what is wrong with it; it is run in processes of its own."""
    marks: list[CheckMark] = []
    wrong: list[Diagnosis] = []
    source = path.read_bytes()
    for task in homework.tasks:
        earned: dict[str, float] = {}
        try:
            with own_function(f"{path}:{task.function}", limits) as function:
                own = OwnAlgorithm(function, task.collective, task.chunks, task.slots)
                taken = "" if task.library else taken_from(source, task.function)
                wrong += _judge(own, task, earned, taken)
        except CollectivesError as problem:
            wrong.append(_said(task, str(problem), 0) or _failed(task, "cannot be run", problem))
        except (MemoryError, OverflowError) as problem:
            wrong.append(_failed(task, "takes too much memory", problem))
        marks += _marks(task, earned)
    return tuple(marks), tuple(wrong)


def no_marks(homework: Homework, kind: str, text: str) -> Judged:
    """Of a file that cannot be judged at all."""
    marks = [mark for task in homework.tasks for mark in _marks(task, {})]
    return tuple(marks), (Diagnosis(homework.tasks[0].function, kind, _plain(text)),)


def _marks(task: HomeworkTask, earned: dict[str, float]) -> Iterator[CheckMark]:
    for check, full in task.points.items():
        yield CheckMark(task.function, check, earned.get(check, 0.0), full)


def _judge(
    own: OwnAlgorithm, task: HomeworkTask, earned: dict[str, float], taken: str = ""
) -> Iterator[Diagnosis]:
    """What is wrong with a function; what it earns is put into `earned`.

    taken: what its file takes of the library's algorithms.
    """
    wrong = None
    for n in task.numbers:
        here = _wrong_on(own, n, task)
        if here is None and n > 1 and "some" in task.points:
            earned["some"] = task.points["some"]
        wrong = wrong or here
        is_shown = here is not None and here.kind.rpartition(": ")[2] in SHOWS.values()
        if here and ("some" in earned or "some" not in task.points or not is_shown):
            break
    if wrong is None and own.promise(1).rooted and not own.takes_root:
        wrong = Diagnosis(own.name, "right for root 0 only", "it takes no root; try: root=0")
    if wrong is None:
        wrong = _borrowed(own, task, taken)
    if wrong:
        yield wrong
        return
    if "right" in task.points:
        earned["right"] = task.points["right"]
    short = {more.kind: more for more in _shortcomings(own, task)}
    yield from short.values()
    for check, full in task.points.items():
        if check not in ("some", "right") and _more(check) not in short:
            earned[check] = full


def _wrong_on(own: OwnAlgorithm, n: int, task: HomeworkTask) -> Diagnosis | None:
    """What is wrong on so many ranks; None where all is right."""
    for root in roots(own.promise(n).rooted and own.takes_root, n, None):
        verdict, _ = check_own(own, [n], root)
        if not verdict:
            return _said(task, str(verdict), n) or _seen(own, task, n, root, str(verdict))
    return None


def _said(task: HomeworkTask, text: str, ranks: int) -> Diagnosis | None:
    """The diagnosis that a message gives by itself; None where steps show what is wrong."""
    for pattern, kind in SAYS:
        if hit := pattern.search(text):
            named = kind.format(*hit.groups())
            step = re.search(r"\bstep (\d{1,7})\b", text)
            ends = kind != "does not end"
            return Diagnosis(
                task.function, named, _plain(text), ranks, int(step[1]) if step and ends else 0
            )
    return None


def _seen(own: OwnAlgorithm, task: HomeworkTask, n: int, root: int, text: str) -> Diagnosis:
    """The diagnosis of the first wrong step."""
    kind, step = "wrong data", 0
    try:
        wrong = causes.first_wrong(as_far_as_it_goes(lambda: own.record(n, root)))
    except WrongSchedule:
        wrong = None
    if wrong is not None:
        step = wrong.step
        if wrong.faults:
            kind = SHOWS[wrong.faults[0].kind]
        kind = "the ranks wait for one another" if wrong.waiting else kind
        kind = f"it stops too early: {kind}" if not step else kind
    elif "do not divide evenly" in text:
        kind = "right for sizes that divide evenly only"
    return Diagnosis(task.function, kind, _plain(text), n, step)


def _borrowed(own: OwnAlgorithm, task: HomeworkTask, taken: str) -> Diagnosis | None:
    """That the steps are those of an algorithm of this library, as far as lines and names show."""
    if task.library:
        return None
    stamps = {stamp for step in own.record(max(task.numbers), 0).steps for stamp in step.stamps}
    sources = {frame.source for stamp in stamps for frame in stamp}
    texts = [path.read_text() for path in ALGORITHMS.rglob("*.py")]
    borrowed = sorted(
        source.file
        for source in sources
        if source.text.strip() and any(source.text.strip() in text for text in texts)
    )
    if not borrowed and not taken:
        return None
    source = f"made by the library's {borrowed[0]}" if borrowed else f"taken from {taken}"
    text = f"its steps are {source} (library = true allows it)"
    return Diagnosis(task.function, "not one's own: an algorithm of the library", text)


def _shortcomings(own: OwnAlgorithm, task: HomeworkTask) -> Iterator[Diagnosis]:
    """For each check of a right function the smallest number of ranks on which it takes more."""
    left = [check for check in task.points if check not in ("some", "right")]
    for n in task.numbers if left else ():
        mine, row = own.record(n, 0), task.row
        chunks = mine.chunks if row and "chunks" in row.parameters else None
        taught = record(row.collective, row.algorithm, ranks=n, chunks=chunks) if row else None
        for check in list(left):
            have, need = _amount(check, mine, task), _enough(check, mine, taught, task)
            if need is not None and have > need:
                left.remove(check)
                amounts = _amount_text(check, have), _amount_text(check, need)
                enough = f"as {task.like} takes" if row else "the least there can be"
                if taught is not None and check == "time":  # some more than it takes is allowed
                    takes = _amount_text(check, _amount(check, taught, task))
                    enough = f"as {task.like} takes {takes}"
                text = f"right, with {amounts[0]} on {plural(n, 'rank')} instead of {amounts[1]}"
                yield Diagnosis(task.function, _more(check), f"{text}, {enough}", n)


def _more(check: str) -> str:
    return {"time": "longer than need be"}.get(check, f"more {check} than need be")


def _amount(check: str, recording: Recording, task: HomeworkTask) -> float | Fraction:
    """Steps, messages, vectors that the busiest rank sends, or seconds."""
    if check == "time":
        machine = Where(task.machine).topology(recording.ranks)
        return time(recording, machine, size=task.size).total
    if check == "bytes":
        return Fraction(max(recording.bytes_sent), int(recording.case.S) or 1)
    counters = recording.counters
    return counters.steps if check == "steps" else counters.messages


def _enough(
    check: str, mine: Recording, taught: Recording | None, task: HomeworkTask
) -> float | Fraction | None:
    """What is enough, by the algorithm that is taught or the lower bound; None where none holds."""
    if taught is not None:
        return _amount(check, taught, task) * (1 + task.within if check == "time" else 1)
    if not mine.bound.holds:
        return None
    sent = Fraction(int(mine.bound.sent), int(mine.case.S) or 1)
    return sent if check == "bytes" else mine.bound.steps


def _amount_text(check: str, amount: float | Fraction) -> str:
    if check == "time":
        return time_text(float(amount))
    return f"{float(amount):.4g} S sent" if check == "bytes" else plural(int(amount), check[:-1])


def _failed(task: HomeworkTask, kind: str, problem: BaseException) -> Diagnosis:
    return Diagnosis(task.function, kind, _plain(str(problem) or type(problem).__name__))


def _plain(text: str) -> str:
    line = OWN_FOLDER.sub("", printable(" ".join(text.split())))
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT - 1]}…"
