"""Exercises made of the player's questions: the steps so far are printed instead of drawn."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from random import Random

from collectives.exercises.cases import LEGEND, ExerciseCase
from collectives.exercises.exercise import LETTERS, MOST_WRONG, Draft, Offered
from collectives.questions.amounts import steps_of_twice
from collectives.questions.balance import balanced
from collectives.questions.changes import changed_line
from collectives.questions.choose import BEFORE_A_STEP
from collectives.questions.question import Question
from collectives.questions.variants import Variants
from collectives.questions.why import WHY

MOST_LINES = 30  # of code
FEWEST_ANSWERS = 3  # with fewer it is a guess


def before_a_step(kind: str) -> Callable[[ExerciseCase, Random], Draft | None]:
    """The maker of a kind that asks what a step does, the steps before it printed."""

    def make(case: ExerciseCase, random: Random) -> Draft | None:
        if not case.is_printable or case.facts.last < 2:
            return None
        drawn = random.randrange(2, case.facts.last + 1)
        steps = sorted(range(2, case.facts.last + 1), key=lambda step: step != drawn)
        asked = (BEFORE_A_STEP[kind](case.facts, step, random) for step in steps)
        question = next(filter(None, asked), None)
        if question is None:
            return None
        ends = question.step - (kind not in ("bytes", "sum"))
        printed = case.printed(1, case.facts.last if kind == "done" else ends)
        return _drafted(case, question, printed, LEGEND)

    return make


def steps_on_twice_the_ranks(case: ExerciseCase, random: Random) -> Draft | None:
    """How many steps the algorithm takes on twice the ranks."""
    question = steps_of_twice(case.facts, random, None)
    return _drafted(case, question) if question else None


def line_changed(case: ExerciseCase, random: Random) -> Draft | None:
    """What breaks if a line is changed; the function in which it stands is printed."""
    row = case.recording.row
    question = changed_line(case.facts, random)
    if row is None or question is None:
        return None
    name = question.detail.removeprefix("in ").partition(":")[0]
    code = code_of(row.function.__globals__.get(name))
    return _drafted(case, question, code) if 0 < len(code) <= MOST_LINES else None


def code_of(function: object) -> list[str]:
    """The lines of a function, of its docstring the first alone."""
    if not inspect.isfunction(function):
        return []
    lines = inspect.getsource(function).rstrip().split("\n")
    quotes = [number for number, line in enumerate(lines) if '"""' in line]
    if len(quotes) > 1:  # the docstring has further lines
        lines[quotes[0]] += '"""'
        del lines[quotes[0] + 1 : quotes[1] + 1]
    return lines


def variant(kind: str, of_all: bool = False) -> Callable[[ExerciseCase, Random], Draft | None]:
    """The maker of a kind that asks for the time of a variant, or for what none can do better.

    of_all: what is asked is about all algorithms of the collective.
    """

    def make(case: ExerciseCase, random: Random) -> Draft | None:
        if case.recording.uneven:
            return None
        question = WHY[kind](Variants(case.facts, None), random)
        draft = _drafted(case, question) if question else None
        return replace(draft, title=case.collective_title) if draft and of_all else draft

    return make


def _drafted(
    case: ExerciseCase, question: Question, material: list[str] | None = None, legend: str = ""
) -> Draft | None:
    """A question with its options as an exercise; None where these are too few or too many."""
    options = question.options
    if len(options) < FEWEST_ANSWERS:
        return None
    if question.form == "place" and len(options) > len(LETTERS):
        return None
    if question.form == "number":
        few = Random(question.prompt + question.right.text)  # so that the draw is the question's
        wrong = [option for option in options if option is not question.right]
        kept = balanced(question.right, wrong, MOST_WRONG, few)
        options = tuple(few.sample([question.right, *kept], 1 + len(kept)))
    answers = tuple(
        Offered(option.text, not option.misconception, option.feedback, option.misconception)
        for option in options
    )
    text = f"{question.prompt} ({question.detail}) {legend}"
    return Draft(case.title, text.strip(), question.explanation, material or [], answers)
