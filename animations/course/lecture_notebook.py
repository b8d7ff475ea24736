"""A lecture as a notebook: its passages, a stepper of each recording, exercises with checks."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

from animations.course.examples import source_of
from animations.course.handout import (
    MOST_SEED,
    HandoutPart,
    exercises_of,
    parts_by_passage,
    without_gaps,
)
from animations.course.lecture import Lecture, Table
from animations.course.lecture_file import find_or_read
from animations.phrases import phrases
from collectives.values import whole

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
PICTURE = "picture.png"
IMPORT = "from animations.lab import *"


def lecture_notebook(name: str | Lecture, language: str = "en", seed: int = 0) -> str:
    """A lecture as the text of a notebook, which imports `animations.lab` and nothing else.

    Each passage has its picture and its sentences; of a recording there is a stepper, which asks
    before it shows, and exercises are checked. Raises BadInput for an unknown lecture, a bad file
    or a seed that is none.
    """
    lecture = find_or_read(name)
    seed = whole("seed", seed, 0, MOST_SEED)
    cells = list(_cells(lecture, language, seed))
    for number, cell in enumerate(cells):
        cell["id"] = f"{lecture.number:02}-{number:02}"
    book = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _cells(lecture: Lecture, language: str, seed: int) -> Iterator[dict[str, Any]]:
    say = phrases(language)
    head = f"# {lecture.title.get(language, lecture.title['en'])}"
    if language in lecture.goal:
        head += f"\n\n{say('lecture_page.goal')} {lecture.goal[language]}"
    yield _markdown(head)
    yield _code(IMPORT)
    for table, parts in parts_by_passage(lecture, language):
        stepped = table["show"] == "algorithm"
        for place, part in enumerate(parts):
            yield _passage(part, pictured=not stepped or place > 0)
            if stepped and not place:
                yield _code(_stepper(table))
    if language != "en":
        return
    problems = exercises_of(lecture, seed)
    for number, problem in enumerate(problems, 1):
        heading = say("deck.exercise", number=number, total=len(problems), title=problem.title)
        yield _markdown("\n".join((f"## {heading}", "", *problem.markdown())))
        call = f"PrintedExercise({problem.topic!r}, {problem.kind!r}, seed={problem.seed})"
        yield _code(f"answer = ...\n{call}.check(answer)")


def _passage(part: HandoutPart, pictured: bool) -> dict[str, Any]:
    """A passage: its picture, unless a stepper shows it, and what is said."""
    texts = [f"## {part.heading}"] * bool(part.heading)
    texts += [f"![{part.shows}](attachment:{PICTURE})"] * pictured
    cell = _markdown("\n\n".join((*texts, *map(without_gaps, part.sentences))))
    if pictured:
        image = base64.b64encode(part.picture).decode()
        cell["attachments"] = {PICTURE: {"image/png": image}}
    return cell


def _stepper(table: Table) -> str:
    """The code that shows a recording; an example that is not in the catalog stands in it."""
    if "function" in table:
        lines = [line.replace(" -> Schedule", "") for line in source_of(table["function"])]
        return "\n".join((*lines, "", f"Stepper({table['function']}, ranks={table['ranks']})"))
    words = [repr(table["collective"]), repr(table["algorithm"]), f"ranks={table['ranks']}"]
    words += [f"{key}={value!r}" for key, value in table.get("with", {}).items()]
    return f"Stepper(record({', '.join(words)}), ask=True)"


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, Any]:
    output: dict[str, Any] = {"execution_count": None, "outputs": []}
    return {"cell_type": "code", "metadata": {}, "source": text, **output}
