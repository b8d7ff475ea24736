"""Marks of a class: points by student and check, what most got wrong; as lines, CSV and page."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from collectives.errors import BadInput
from collectives.files import check_writable, replacing
from collectives.grading.homework import Homework
from collectives.grading.judging import CheckMark, Diagnosis
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.words import listed, plural, quoted

MOST_NAMES = 12  # of students in a line
FORMULA = ("=", "+", "-", "@", "\t")  # what spreadsheets would run
FILES = (
    "files outside its own folder cannot be read, or written",
    "files that this user can read can be read",
)
REACH = (
    "no network, no other processes",
    "the network and other processes of this user can be reached",
)


def plain_cell(word: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> plain_cell("=1+1"), plain_cell("ann")
    ("'=1+1", 'ann')
    """
    return f"'{word}" if word.startswith(FORMULA) else word


@dataclass(frozen=True)
class Graded:
    """The marks of a student, and what is wrong."""

    student: str
    path: str
    marks: tuple[CheckMark, ...]
    wrong: tuple[Diagnosis, ...]

    @property
    def points(self) -> float:
        """All points."""
        return sum(mark.points for mark in self.marks)

    @property
    def reason(self) -> str:
        """What is wrong, in a few words."""
        return "; ".join(diagnosis.kind for diagnosis in self.wrong)


@dataclass(frozen=True)
class Mistake:
    """Students who got the same wrong: the same kind, on as many ranks, in the same step."""

    diagnosis: Diagnosis
    students: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it is, of which function, and where it begins."""
        diagnosis = self.diagnosis
        ranks = f" on {plural(diagnosis.ranks, 'rank')}" if diagnosis.ranks else ""
        step = f", first in step {diagnosis.step}" if diagnosis.step else ""
        return f"{diagnosis.function}: {diagnosis.kind}{ranks}{step}"


@dataclass(frozen=True, repr=False)
class Grades:
    """The marks of a class.

    Attributes
    ----------
    homework : Homework
        The key.
    students : tuple of Graded
        By name.
    confined : tuple of bool
        Whether files, and whether network and processes, were out of reach of what was run.
    seconds : float
        How long it took.
    """

    homework: Homework
    students: tuple[Graded, ...]
    confined: tuple[bool, bool]
    seconds: float

    @property
    def columns(self) -> list[str]:
        """The checks; with their functions where these are several."""
        several = len(self.homework.tasks) > 1
        return [
            f"{task.function} {check}" if several else check
            for task in self.homework.tasks
            for check in task.points
        ]

    @property
    def groups(self) -> list[Mistake]:
        """What students got wrong, what most of them did first."""
        found: dict[tuple[str, str, int, int], list[tuple[str, Diagnosis]]] = {}
        for graded in self.students:
            for diagnosis in graded.wrong:
                key = (diagnosis.function, diagnosis.kind, diagnosis.ranks, diagnosis.step)
                found.setdefault(key, []).append((graded.student, diagnosis))
        groups = [
            Mistake(entries[0][1], tuple(student for student, _ in entries))
            for entries in found.values()
        ]
        return sorted(groups, key=lambda group: -len(group.students))

    @property
    def lost(self) -> list[tuple[str, float, float]]:
        """Each check, the mean of its points in this class, and the most there are."""
        means = []
        for at, name in enumerate(self.columns):
            marks = [graded.marks[at] for graded in self.students]
            means.append((name, sum(mark.points for mark in marks) / len(marks), marks[0].full))
        return means

    @property
    def confinement(self) -> str:
        """What students' code could reach, on this system."""
        files, reach = self.confined
        return f"{FILES[not files]}; {REACH[not reach]}"

    def table(self) -> Grid:
        """A row for each student."""
        head = ("student", *self.columns, "points", "what is wrong")
        rows = [
            (
                graded.student,
                *(f"{mark.points:g}" for mark in graded.marks),
                f"{graded.points:g}",
                graded.reason,
            )
            for graded in self.students
        ]
        return Grid(rows, head, right=range(1, len(head) - 1))

    def lines(self) -> Lines:
        """Points by student, then what most got wrong, then how they were kept apart."""
        yield self._title
        yield self.table()
        for group in self.groups:
            yield Heading("")
            yield Heading(f"{plural(len(group.students), 'student')}: {group.title}")
            yield Paragraph(listed(group.students, MOST_NAMES))
            yield Paragraph(group.diagnosis.text)
        yield ""
        yield f"Students' code: {self.confinement}"

    @property
    def _title(self) -> str:
        return f"{plural(len(self.students), 'student')}, {self.homework.total:g} points"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "file": str(self.homework.path),
            "points": self.homework.total,
            "confined": {"files": self.confined[0], "network_and_processes": self.confined[1]},
            "students": [{**asdict(graded), "points": graded.points} for graded in self.students],
            "groups": [
                {"title": group.title, "students": list(group.students)} for group in self.groups
            ],
        }

    def csv(self) -> str:
        """A row for each student, for spreadsheets and learning systems."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["student", "points", "of", *self.columns, "wrong", "diagnosis"])
        for graded in self.students:
            marks = [f"{mark.points:g}" for mark in graded.marks]
            texts = " | ".join(diagnosis.text for diagnosis in graded.wrong)
            row = [f"{graded.points:g}", f"{self.homework.total:g}", *marks]
            words = (graded.student, graded.reason, texts)
            name, reason, why = map(plain_cell, words)
            writer.writerow([name, *row, reason, why])
        return text.getvalue()

    def save(self, path: str | Path) -> None:
        """Write the marks as .csv or .json, or the page of what most got wrong as .html.

        Raises BadInput for other files, and where none can be written.
        """
        from collectives.grading.page import page

        target = check_writable(path)
        match target.suffix:
            case ".csv":
                text = self.csv()
            case ".json":
                text = json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"
            case ".html":
                text = page(self)
            case _:
                name = quoted(str(path))
                raise BadInput(f"{name}: marks are .csv, .json or .html; try: marks.csv")
        with replacing(target) as part:
            part.write(text.encode(errors="backslashreplace"))

    def __repr__(self) -> str:
        """One line: how many students, and the mean of their points."""
        mean = sum(graded.points for graded in self.students) / len(self.students)
        return f"<Grades: {self._title}, {mean:.3g} on average>"

    def __str__(self) -> str:
        """The points."""
        return f"{self._title}\n{self.table()}"
