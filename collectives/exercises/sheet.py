"""Several exercises as a sheet with its key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collectives.exercises.exercise import Exercise
from collectives.exercises.kinds import KINDS, exercise
from collectives.values import whole
from collectives.words import plural

MOST_EXERCISES = 100
MOST_TRIED = 8  # seeds for each exercise, after which one may be of the kind of another


@dataclass(frozen=True, repr=False)
class ExerciseSheet:
    """Exercises to hand out; the seed is on the sheet, so that it can be made again.

    Attributes
    ----------
    topic : str
        What they are about; "" for all algorithms.
    seed : int
        Of the first; each has the next one.
    exercises : tuple of Exercise
    """

    topic: str
    seed: int
    exercises: tuple[Exercise, ...]

    @property
    def title(self) -> str:
        """What the sheet is about, and its seed."""
        return f"{self.topic or 'Collectives'}: {plural(len(self.exercises), 'exercise')}"

    def lines(self, answer: bool = False) -> list[str]:
        """The sheet; with `answer` the key: the right answer of each and why."""
        text = [f"{self.title}, seed {self.seed}"]
        for number, problem in enumerate(self.exercises, 1):
            body = problem.solution() if answer else problem.problem()
            text += ["", f"{number}. {body[0]}", *(f"   {line}".rstrip() for line in body[1:])]
        return text

    def markdown(self, answer: bool = False) -> list[str]:
        """The sheet, or its key, as Markdown: steps and code stand in blocks of fixed pitch."""
        text = [f"# {self.title}", "", f"Seed {self.seed}."]
        for number, problem in enumerate(self.exercises, 1):
            text += ["", f"## {number}. {problem.title}", ""]
            text += problem.solution() if answer else problem.markdown()
        return text

    def as_json(self, answer: bool = False) -> dict[str, Any]:
        """The sheet as plain values."""
        problems = [problem.as_json(answer) for problem in self.exercises]
        return {"topic": self.topic, "seed": self.seed, "exercises": problems}

    def __repr__(self) -> str:
        """One line: how many exercises on what."""
        return f"<ExerciseSheet: {self.title}, seed {self.seed}>"


def sheet(
    topic: str = "", number: int = 5, seed: int = 0, kind: str | None = None
) -> ExerciseSheet:
    """A sheet of so many exercises, of different kinds as far as there are.

    Parameters
    ----------
    topic : str
        An algorithm, a collective or both; any by default.
    number : int
        How many, 1 to 100.
    seed : int
        Of the first; the same arguments give the same sheet.
    kind : str, optional
        One of `KINDS`, for exercises of one kind.

    Returns
    -------
    ExerciseSheet
        No problem twice, as far as a topic and kind have others.

    Raises
    ------
    BadInput
        For an unknown topic or kind, or another number.

    Examples
    --------
    >>> sheet("ring all-reduce", 3, seed=7)
    <ExerciseSheet: ring all-reduce: 3 exercises, seed 7>
    """
    number = whole("number of exercises", number, 1, MOST_EXERCISES)
    problems: list[Exercise] = []
    at = seed
    while len(problems) < number:
        problem = exercise(topic, kind, at)
        at += 1
        kinds = (
            {earlier.kind for earlier in problems[-(len(KINDS) // 2) :]} if kind is None else set()
        )
        same = any(problem.problem() == earlier.problem() for earlier in problems)
        if (not same and problem.kind not in kinds) or at - seed > MOST_TRIED * number:
            problems.append(problem)
    return ExerciseSheet(topic, seed, tuple(problems))
