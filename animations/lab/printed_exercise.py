"""A printed exercise in a notebook, with a check of what is answered."""

from __future__ import annotations

from html import escape

from animations.lab.shown import LabMarkup
from collectives.errors import BadInput
from collectives.exercises import LETTERS, exercise
from collectives.words import quoted

HINTS = "Not yet: put a letter in place of ...", "Not yet: put a number in place of ..."


class PrintedExercise:
    """An exercise that is also given on paper, with the same seed.

    Parameters
    ----------
    topic, kind, seed
        As `collectives.exercise` takes them.

    Raises
    ------
    BadInput
        For an unknown topic or kind, or what is no answer.

    Examples
    --------
    >>> printed = PrintedExercise("ring all-reduce", "bytes", seed=1)
    >>> print(printed.check(...))
    Not yet: put a number in place of ...
    """

    def __init__(self, topic: str, kind: str, seed: int = 0) -> None:
        self.problem = exercise(topic, kind, seed)

    def __repr__(self) -> str:
        """The problem, without its answer."""
        return "\n".join(self.problem.problem())

    def check(self, answer: object) -> LabMarkup:
        """Whether an answer is right, and why; of a wrong one what it shows."""
        problem, feedback = self.problem, ""
        letters = LETTERS[: len(problem.answers)]
        letter = answer.strip().upper().rstrip(").") if isinstance(answer, str) else ""
        if answer is ...:
            return _text(HINTS[problem.value is not None])
        if problem.value is not None:
            if isinstance(answer, bool) or not isinstance(answer, int | float):
                raise BadInput(f"answer {quoted(str(answer))}: must be a number; try: 12")
            right = problem.accepts(answer)
        elif letter in list(letters):
            offered = problem.answers[letters.index(letter)]
            right, feedback = offered.right, offered.feedback
        else:
            rule = f"must be a letter, {letters[0]} to {letters[-1]}"
            raise BadInput(f"answer {quoted(str(answer))}: {rule}; try: 'A'")
        solved = f"Right: {' '.join(problem.solution())}"
        return _text(solved if right else f"Not right. {feedback}".rstrip())


def _text(text: str) -> LabMarkup:
    return LabMarkup(f"<p>{escape(text)}</p>", text)
