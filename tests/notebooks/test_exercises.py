"""Exercises of the labs: solutions are right, classic mistakes are not; hints, lines to order."""

import json
import re
import tomllib
from html import unescape
from pathlib import Path

import pytest
from each import each
from settings import sampled

from animations.lab import __all__ as exported
from animations.lab import hint, parsons
from animations.lab.computed_predictions import asked_of
from animations.lab.entries import entries
from animations.lab.lab_exercise import LabExercise, answer_in
from animations.lab.line_order import CUT
from collectives import BadInput

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
SOURCE = "\n".join(path.read_text("utf-8") for path in NOTEBOOKS)
MISTAKES = tomllib.loads(Path(__file__).with_name("lab_mistakes.toml").read_text("utf-8"))
CASES = [(name, *mistake) for name, mistakes in MISTAKES.items() for mistake in mistakes]
ORDERED = [name for name in entries("exercise") if rf"parsons(\"{name}\")" in SOURCE]


def judged(name, source):
    return LabExercise(name).judge(answer_in(source))


@each("name", sampled(entries("exercise"), 4))
def test_solutions_are_right_and_what_is_given_is_not(name):
    exercise = LabExercise(name)
    assert judged(name, exercise.solution), exercise.judge(exercise.solved())
    cells = [cell for path in NOTEBOOKS for cell in json.loads(path.read_text())["cells"]]
    [cell] = [cell for cell in cells if f'Exercise("{name}")' in "".join(cell["source"])]
    task = "".join(cell["source"]).split("\nexercise = ")[0].split("\nExercise(")[0]
    assert not judged(name, task)


@each(("name", "old", "new", "said"), sampled(CASES, 4))
def test_classic_mistakes_are_told(name, old, new, said):
    solution = LabExercise(name).solution
    assert old in solution
    try:
        verdict = judged(name, solution.replace(old, new))
    except BadInput as problem:
        verdict = problem
    assert not getattr(verdict, "ok", False) and re.search(said, str(verdict)), verdict


def test_every_exercise_has_mistakes_and_a_place_in_a_lab():
    assert {*MISTAKES} == {*entries("exercise")}
    for name in entries("prediction"):
        assert rf"\"{name}\"" in SOURCE, name


@each("name", entries("exercise"))
def test_three_hints_stand_one_in_the_other_and_the_solution_in_the_last(name):
    exercise, markup = LabExercise(name), hint(name).html
    assert len(exercise.hints) == 3 and re.findall("<details[^>]*>", markup) == ["<details>"] * 4
    assert markup.endswith("</details>" * 4)
    summaries = re.findall(r"<summary><b>(.*?)</b>", markup)
    assert summaries == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Solution"]
    assert exercise.solution in unescape(markup.split("Solution")[1])


@each("name", sampled(ORDERED, 4))
def test_lines_in_their_order_are_right_and_as_they_are_shown_are_not(name):
    mixed = parsons(name)
    assert not mixed.check()
    mixed.order = mixed.right
    assert mixed.check() and name in repr(mixed.exercise)
    assert mixed.order[-1] != CUT or not mixed.exercise.extra
    shown = unescape(mixed._repr_html_())
    assert all(line in shown for line in mixed.lines) and mixed.source not in shown


def test_lines_are_moved_by_their_buttons():
    mixed = parsons("ring all-gather")
    first = list(mixed.order)
    row = mixed._box.children[1]
    assert row.children[0].disabled and row.children[1].tooltip == "Move line 1 down"
    row.children[1].click()
    assert mixed.order == [first[1], first[0], *first[2:]]
    assert mixed.lines[first[1]].split("\n")[0] in unescape(mixed._rows[0].value)
    mixed._box.children[-2].click()
    assert re.search(r'role="status">(line \d of your lines|.*on \d rank)', mixed._said.value)


def test_lines_below_the_last_row_are_left_out():
    mixed = parsons("broken reduce-scatter")
    mixed.order = [CUT, *range(len(mixed.lines))]
    assert mixed.source == "def broken_reduce_scatter(n):\n"
    assert "line 1 of your lines: expected an indented block" in str(mixed.check())


@pytest.mark.parametrize("call", [LabExercise, parsons, hint])
def test_an_unknown_exercise_is_refused_with_the_nearest(call):
    with pytest.raises(BadInput, match="'ring all-gater'; did you mean ring all-gather"):
        call("ring all-gater")
    with pytest.raises(BadInput, match="has no lines to order; try: hint"):
        parsons("bottlenecks")


@each("name", entries("prediction"))
def test_predictions_have_one_answer_that_executing_gives(name):
    [question] = asked_of(name)
    right = [option for option in question.options if not option.misconception]
    texts = [option.text for option in question.options]
    assert right == [question.right] and len({*texts}) == len(texts) >= 3
    assert all(option.feedback.endswith(".") for option in question.options if option not in right)
    assert question.hint.endswith("?") and question.explanation


def raising(*_, **__):
    raise ZeroDivisionError("division by zero")


@each("name", sampled(entries("exercise"), 4))
def test_hostile_answers_are_wrong_in_words(name):
    """Nothing that is bound to the name of an answer ends in a traceback."""
    for answer in (None, 3, "text", [], {}, [[]], {"scheme": []}, {1: 2}, print, int, raising):
        verdict = LabExercise(name).judge(answer)
        assert not verdict and verdict.text and "Traceback" not in verdict.text


def test_an_untrue_prediction_is_refused(monkeypatch):
    entry = dict(entries("prediction")["order of a ring"])
    entry["right"], entry["wrong"][0][0] = entry["wrong"][0][0], entry["right"]
    monkeypatch.setattr("animations.lab.computed_predictions.find_entry", lambda *_: entry)
    with pytest.raises(BadInput, match="is not what executing gives"):
        asked_of("order of a ring")


def test_right_but_slow_is_not_the_answer():
    """Proved, and beside the fastest algorithm of the catalog on the machine of the exercise."""
    one_way = "def my_broadcast(n, root=0):\n    for hop in range(n - 1):\n"
    one_way += "        yield send((root + hop) % n, (root + hop + 1) % n)\n"
    said = str(judged("both ways", one_way))
    assert re.match(r"my_broadcast: right, but slow\. On 8 ranks of ring, 64 KiB: 44\.18 µs", said)
    assert re.search(r"the fastest of the catalog, [\w-]+, takes 2\d\.\d+ µs$", said)


def test_all_that_the_door_names_is_there():
    import animations.lab

    for name in exported:
        assert getattr(animations.lab, name) is not None
    assert len({*exported}) == len(exported)
