"""Mutants of a solution with one edit: those that the exercise accepts keep the promise."""

import pytest

from animations.lab.lab_exercise import LabExercise
from tests.benchmarks.one_edit import edits, judged, keeps_promise

FEWEST = 20  # edits of a solution
SOURCE = """def it(n):
    for step in range(n - 1):
        yield send(0, step + 1)
"""


def test_edits_change_one_place_and_keep_the_lines():
    lines = SOURCE.splitlines()
    for edit in edits(SOURCE):
        edited = edit.source.splitlines()
        changed = [number for number, line in enumerate(lines, 1) if edited[number - 1] != line]
        assert changed == [edit.line], edit
    texts = {edit.source.splitlines()[2].strip() for edit in edits(SOURCE)}
    assert {"yield reduce(0, step + 1)", "yield send(1, step + 1)"} <= texts
    assert "yield send(0, (step - 1))" in texts


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_no_wrong_mutant_is_accepted_and_most_are_refused_with_a_line():
    """One exercise; `make bench` has all."""
    exercise = LabExercise("ring all-gather")
    judgments = [(mutant, *judged(exercise, mutant.source)) for mutant in edits(exercise.solution)]
    assert len(judgments) >= FEWEST
    for mutant, accepted, _ in judgments:
        right = not accepted or all(keeps_promise(mutant.source, n, None) for n in (2, 3, 8))
        assert right, mutant
    named = [f"line {mutant.line}" in message for mutant, _, message in judgments]
    assert sum(named) >= 0.8 * len(named)


def test_the_second_executor_sees_what_is_wrong():
    solution = LabExercise("ring all-gather").solution
    assert keeps_promise(solution, 4, None)
    assert not keeps_promise(solution.replace("n - 1", "n - 2"), 4, None)
