"""A lecture as a notebook: it runs from top to bottom, and its exercises are checked."""

import json

import pytest
from lazy import lazy
from settings import THOROUGH

pytest.importorskip("anywidget")

from short_lecture import LECTURE

from animations.course.handout import exercises_of
from animations.course.lecture import lectures
from animations.course.lecture_notebook import lecture_notebook
from animations.lab.printed_exercise import HINTS, PrintedExercise
from collectives import BadInput

RUN = [LECTURE, *(lectures().values() if THOROUGH else ())]


@pytest.mark.parametrize("lecture", RUN, ids=lambda lecture: lecture.name)
def test_it_runs_from_top_to_bottom(lecture, tmp_path):
    text = lecture_notebook(lecture, seed=1)
    notebook = lazy.nbformat.reads(text, as_version=4)
    lazy.nbformat.validate(notebook)
    client = lazy.nbclient.NotebookClient(notebook, timeout=90, kernel_name="python3")
    client.resources["metadata"] = {"path": str(tmp_path)}
    client.store_widget_state = False
    client.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = " ".join(str(output) for cell in code for output in cell.outputs)
    steppers = sum(table["show"] == "algorithm" for table in lecture.passages)
    assert shown.count("application/vnd.jupyter.widget-view+json") == steppers
    waiting = sum(any(hint in str(cell.outputs) for hint in HINTS) for cell in code)
    assert waiting == len(lecture.exercises)
    assert code[0].source == "from animations.lab import *"
    words = " ".join(cell.source for cell in notebook.cells)
    assert all(" ".join(each.solution()) not in words for each in exercises_of(lecture, 1))


def test_passages_have_their_pictures_and_sentences():
    cells = json.loads(lecture_notebook(LECTURE))["cells"]
    bars = next(cell for cell in cells if "## How many <steps>?" in cell["source"])
    assert "It has 4." in bars["source"] and "attachment:picture.png" in bars["source"]
    assert bars["attachments"]["picture.png"]["image/png"].startswith("iVBOR")
    assert len({cell["id"] for cell in cells}) == len(cells)
    spanish = json.loads(lecture_notebook(LECTURE, "es"))["cells"]
    assert "Son 4." in str(spanish) and "PrintedExercise" not in str(spanish)


def test_an_answer_is_judged_by_what_executing_gives():
    choice, number = (PrintedExercise(*pair, seed=1) for pair in LECTURE.exercises)
    for letter, offered in zip("ABCDEF", choice.problem.answers, strict=False):
        said = repr(choice.check(letter.lower()))
        assert said.startswith("Right: " if offered.right else f"Not right. {offered.feedback}")
    value = number.problem.value
    assert repr(number.check(value)).startswith(f"Right: {number.problem.right}")
    for wrong in (1.1 * value + 1, float("nan"), float("inf"), 10**400):
        assert repr(number.check(wrong)) == "Not right."
    assert number.problem.text in " ".join(repr(number).split())


@pytest.mark.parametrize("answer", ["Z", "", 3, None, b"AAA", "ABC"])
def test_what_is_no_answer_is_refused(answer):
    with pytest.raises(BadInput, match=r"must be a letter, A to [CD]; try: 'A'"):
        PrintedExercise("ring all-reduce", "next", seed=1).check(answer)
    with pytest.raises(BadInput, match=r"must be a number; try: 12"):
        PrintedExercise("ring all-reduce", "bytes", seed=1).check("twelve")
