"""An instructor's guide of a lecture: minutes, where to stop, numbers, exercises with their key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from animations.course.handout import exercises_of
from animations.course.lecture import Lecture, Table, lectures, score_of_lecture
from animations.course.lecture_file import find_or_read
from animations.course.parts import Quantity, quantities
from animations.score.score import Passage, Score, Shot
from collectives.exercises import LETTERS, Exercise
from collectives.exercises.cases import LEGEND, cases

ASKING = "?"
DRAWN = {  # what a class can guess on the board before a picture shows it
    "plot": "Axes of size and time: where do the curves go, and where do they cross?",
    "lanes": "A row for each rank over an axis of time: who waits, and for whom?",
    "machine": "The machine with the bandwidth of its links: which is in use longest?",
    "bars": "The first bar, and what it measures: how long are the others?",
}


def guide(name: str | Lecture, seed: int = 0) -> str:
    """The guide of a lecture in Markdown; raises BadInput for an unknown lecture or a bad file.

    The minutes are those of the film; the questions are its own; the answers to expect, and what
    each of them shows, are those of the exercises. No later passage needs what can be skipped.
    """
    lecture = find_or_read(name)
    score = score_of_lecture(lecture)
    chapters = list(_chapters(score))
    optional = {table["heading"]["en"] for table in lecture.passages if table.get("optional")}
    skipped = [
        f"- {name} ({clock(took)} of the film)" for _, name, took in chapters if name in optional
    ]
    lines = [
        f"# Lecture {lecture.number}: {lecture.title['en']}",
        "",
        *_session(lecture, clock(score.seconds), seed),
        "",
        "## Minutes",
        "",
        "| at | chapter | takes |",
        "|---|---|---|",
        *(f"| {clock(begins)} | {name} | {clock(seconds)} |" for begins, name, seconds in chapters),
        "",
        "## Where to stop",
        "",
        *_stops(score),
        *(f"- {t['heading']['en']} Right: {t['right']}" for t in lecture.passages if "right" in t),
        "",
        "## Skip when late",
        "",
        *(skipped or ["Nothing: a later passage needs each."]),
        "",
        "## On the board",
        "",
        *_board(lecture),
        "",
        "## Numbers",
        "",
        "Each is computed when the lecture is made, from this expression:",
        "",
        *_numbers(lecture),
        "",
        f"## Exercises, seed {seed}",
        "",
    ]
    for number, problem in enumerate(exercises_of(lecture, seed), 1):
        lines += [*_exercise(number, problem), ""]
    return "\n".join(lines).rstrip() + "\n"


def _session(lecture: Lecture, film: str, seed: int) -> list[str]:
    """What is done with the lecture, in order, and the command that makes each part."""
    own = lecture.name if lecture.name in lectures() else f"{lecture.name}.toml"
    make = f"collectives lecture {own} --format"
    steps = [
        (
            f"Lecture, 45 minutes: `{make} slides`. Its presenter's window has the notes, where to "
            f"stop, and a clock; the film (`collectives lecture {own}`, {film}) repeats it at home."
        ),
        (
            f"Exercises, of the 45 minutes: those below, in the slides and on `{make} handout`; "
            f"`{make} quiz --seed {seed + 1}` has others, with a key."
        ),
    ]
    if lecture.lab:
        steps.append(
            f"Lab, 30 to 40 minutes: `{lecture.lab}.ipynb` of `collectives lab --copy labs`; each "
            "exercise has three hints, then its solution."
        )
    if lecture.exercises:
        ten = f"collectives exercise {lecture.exercises[0][0]} --number 10 --seed {seed + 1}"
        steps.append(
            f"Homework: `{ten} -o homework.md`, its key `{ten} -c -o key.md`. Code to hand in: "
            "`collectives exercise new homework.py`; `collectives grade` marks what comes back."
        )
    return ["## The session", "", *(f"{at}. {step}" for at, step in enumerate(steps, 1))]


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds.

    >>> clock(75.4)
    '1:15'
    """
    return "{}:{:02}".format(*divmod(round(seconds), 60))


def _timed(score: Score) -> Iterator[tuple[float, Passage, Shot]]:
    """Every shot with the second at which it begins."""
    begins = 0.0
    for passage, shot in score:
        yield begins, passage, shot
        begins += shot.seconds


def _chapters(score: Score) -> Iterator[tuple[float, str, float]]:
    """When each chapter begins, its name, and how long it takes."""
    starts = [(begins, shot.chapter) for begins, _, shot in _timed(score) if shot.chapter]
    for (begins, name), (ends, _) in pairwise([*starts, (score.seconds, "")]):
        yield begins, name, ends - begins


def _stops(score: Score) -> list[str]:
    """Each question of the film: stop the film there, take answers, go on."""
    begun: dict[str, float] = {}
    for begins, _, shot in _timed(score):
        if shot.said:
            begun.setdefault(shot.said, begins)
    lines = []
    for (text, begins), (after, _) in pairwise(begun.items()):
        if stops_at(text):
            lines += [f"- **{clock(begins)}** {text}", f"  The film goes on: {after}"]
    return [*(lines or ["The film asks nothing; put the exercises in between."]), ""]


def _board(lecture: Lecture) -> Iterator[str]:
    """The steps of the lecture's algorithm on few ranks, and what a class guesses by hand."""
    firsts = {table["show"]: table for table in reversed(lecture.passages)}
    for kind in filter(firsts.get, DRAWN):
        yield f"- *{firsts[kind]['heading']['en']}* {DRAWN[kind]}"
    for table in [t for t in lecture.passages if t["show"] == "algorithm" and "algorithm" in t][:1]:
        topic = f"{table['algorithm']} {table['collective']}"
        drawn = [case for case in cases(topic, Random(0)) if case.is_printable]
        for few in sorted(drawn, key=lambda case: case.recording.ranks)[:1]:
            steps = "```text", *few.printed(), "```"
            yield from ("", f"{few.title}, step by step. {LEGEND}", "", *steps)


def _numbers(lecture: Lecture) -> list[str]:
    """Each number as its first sentence says it, with the expression it comes from."""
    text = str(lecture.passages)
    lines = []
    for name, value in quantities(lecture.numbers).items():
        spoken = _spoken(name, value, text) or format(value, "about")
        lines.append(f"- {spoken}: `{lecture.numbers[name]}`")
    return lines


def numbers_said(lecture: Lecture, passage: Table) -> tuple[str, ...]:
    """Each number that a passage says, with the expression it comes from."""
    text, expressions = str(passage), lecture.numbers
    numbers = quantities(expressions).items()
    spoken = ((_spoken(name, value, text), expressions[name]) for name, value in numbers)
    return tuple(f"{number} = {text}" for number, text in spoken if number not in ("", text))


def _spoken(name: str, value: Quantity, text: str) -> str:
    """A number as a text says it first; nothing where it does not."""
    kind = re.search(rf"\{{{name}(?::(\w+))?\}}", text)
    return format(value, kind[1] or "") if kind else ""


def stops_at(sentence: str) -> bool:
    """Whether a lecturer stops at a sentence, as it asks something."""
    return ASKING in sentence


def _exercise(number: int, problem: Exercise) -> list[str]:
    """An exercise, its answer, and what each wrong one shows."""
    lines = [f"### {number}. {problem.title}", "", *problem.markdown(), ""]
    lines += [f"Right: {' '.join(problem.solution())}", ""]
    lines += [
        f"- {letter} shows: {offered.feedback}"
        for letter, offered in zip(LETTERS, problem.answers, strict=False)
        if offered.feedback
    ]
    return lines
