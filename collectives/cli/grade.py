"""Does what `collectives grade`, `exercise new` and `exercise handout` are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from collectives.cli.console import say, say_report
from collectives.errors import BadInput
from collectives.files import check_own, check_suffix, check_writable, replacing
from collectives.grading import grade, load_homework, scaffold
from collectives.grading.grade import check_solution
from collectives.grading.page import MARK
from collectives.own_code.confined import Limits
from collectives.words import quoted

UNCHANGED = {"kind": None, "seed": 0, "number": 1, "answer": False, "as_list": False}


def grade_class(
    folder: str, *, key: str | None, output: str | None, seconds: int, as_json: bool
) -> None:
    """`collectives grade`; raises BadInput."""
    pages = [] if output is None else [check_writable(output)]
    if pages and pages[0].suffix != ".html":
        pages.append(check_own(pages[0].with_suffix(".html"), MARK, pages[0]))
    limits = Limits(seconds=seconds)
    limits = replace(limits, step_seconds=min(limits.step_seconds, seconds))
    grades = grade(folder, key, limits=limits)
    say_report(grades, as_json)
    for path in pages:
        grades.save(path)
        if not as_json:
            say(str(path))


def write_homework(topic: Sequence[str], *, output: str | None, as_json: bool, **rest: Any) -> None:
    """`collectives exercise new` and `handout`; raises BadInput."""
    verb, *words = topic
    usage = f"exercise {verb} ring_lab.py" + (" -o handout.py" if verb == "handout" else "")
    changed = {name for name, value in rest.items() if value != UNCHANGED[name]}
    if len(words) != 1 or changed or (verb == "new") == (output is not None):
        raise BadInput(f"{' '.join(topic)}: takes one file, nothing else; try: {usage}")
    (source,) = words
    target = check_suffix(source if output is None else output, (".py",), "homework")
    if verb == "new":
        if target.exists():
            raise BadInput(f"{quoted(source)}: exists, and is not replaced; try: another name")
        text = scaffold(source)
    else:
        homework = load_homework(source)
        if target.exists() and target.samefile(source):
            raise BadInput(f"{quoted(source)}: would replace your own; try: {usage}")
        check_solution(homework)
        text = homework.handout()
    with replacing(target) as part:
        part.write(text.encode())
    say_report(load_homework(source), as_json)
    if not as_json:
        say(str(target))
