"""The lectures: they run from top to bottom, exercises judge themselves, every number is true."""

import ast
import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from each import each
from lazy import lazy
from phrases import A100, BROADCAST, H100, H100_NODES, SAID, chosen, latency
from settings import THOROUGH

from animations.lab.lab_exercise import LabExercise
from collectives import record
from collectives.cost.libraries.default_algorithm import table
from collectives.cost.libraries.nccl import tuner
from collectives.units import parse_time

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
EXECUTED = [path for path in NOTEBOOKS if THOROUGH or path.stem == "04_log_step"]
TIME = r"(\S+ [µm]s) +"
NUMBERING = re.compile(r"^(\d\. |#+ Exercise \d:)", re.MULTILINE)
EXERCISE = re.compile(r"""Exercise\(["']([^"']+)""")
RIGHT = re.compile(r"^\w+: right(; | in all )", re.MULTILINE)


def read(path):
    return lazy.nbformat.read(path, as_version=4)


def exercise_of(cell):
    return LabExercise(EXERCISE.search(cell.source)[1])


def solved(cell):
    """An exercise as a student completes it: the solution, then the check of the exercise."""
    solution = exercise_of(cell).solution.lstrip()
    task, *check = ast.parse(cell.source).body
    assert names([task]) == names(ast.parse(solution).body)
    return solution + "".join(f"{ast.unparse(line)}\n" for line in check)


def names(statements):
    """What statements define: functions and variables."""
    found = set()
    for line in statements:
        if isinstance(line, ast.FunctionDef):
            found.add(line.name)
        elif isinstance(line, ast.Assign):
            found |= {node.id for node in line.targets if isinstance(node, ast.Name)}
    return found


def tagged(notebook, tag):
    return [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]


def words(cell):
    """What a cell printed, also what is hidden until a prediction is answered."""
    printed = "".join(out.text for out in cell.outputs if out.output_type == "stream")
    saved = (out.get("data", {}).get("text/html", "") for out in cell.outputs)
    hidden = (
        text for each in saved for text in re.findall(r"<pre[^>]*>(.*?)</pre>", each, re.DOTALL)
    )
    return printed + "".join(map(html.unescape, hidden))


@pytest.fixture(scope="module", params=EXECUTED, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def executed(path, places):
    """The lecture, run from top to bottom by a kernel of its own, and then with its solutions."""
    notebook = read(path)
    own = [cell.source for cell in tagged(notebook, "own")]
    exercises = tagged(notebook, "exercise")
    for exercise in exercises:
        cell = lazy.nbformat.v4.new_code_cell(solved(exercise), metadata={"tags": ["solved"]})
        notebook.cells.append(cell)
        if own and "exercise = " in exercise.source:
            notebook.cells.append(lazy.nbformat.v4.new_code_cell(own.pop()))
    assert not own
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places.items():
            patch.setenv(name, value)
        client = lazy.nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
        client.resources["metadata"] = {"path": str(path.parent)}  # where it imports from
        client.store_widget_state = False  # as JupyterLab saves it
        client.execute()
    return notebook


def test_there_are_lectures():
    assert [path.stem for path in NOTEBOOKS] == list(SAID)


def test_it_runs_and_judges_exercises(executed):
    exercises, solutions = tagged(executed, "exercise"), tagged(executed, "solved")
    assert len(exercises) == len(solutions) >= 2
    for cell in exercises:
        assert words(cell) and not RIGHT.search(words(cell)), words(cell)
    for cell in solutions:
        assert RIGHT.match(words(cell)), words(cell)
    for cell in tagged(executed, "own"):
        assert words(cell).startswith("Not yet: complete the exercise above")
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text


def test_exercises_on_schedules_show_that_of_the_student(executed):
    """Wrong as they are given, marked so; right with their solutions. Others have no schedule."""
    for tag in ("exercise", "solved"):
        for cell in tagged(executed, tag):
            shown = [out.get("data", {}).get("text/html", "") for out in cell.outputs]
            frames = [text for text in shown if "<iframe" in text]
            assert len(frames) == exercise_of(cell).shows
            wrong = tag == "exercise" and ": right, " not in words(cell)  # but a wrong lesson
            assert all(('title="Wrong: ' in text) == wrong for text in frames)


@each("path", NOTEBOOKS, lambda path: path.stem)
def test_solutions_are_nowhere_and_functions_are_defined_once(path):
    """So Run All keeps the student's function, and an export shows no solution that is open."""
    notebook = read(path)
    code = [ast.parse(cell.source).body for cell in notebook.cells if cell.cell_type == "code"]
    defined = [name for statements in code for name in names(statements)]
    for cell in tagged(notebook, "exercise"):
        exercise = exercise_of(cell)
        lines = filter(str.strip, exercise.solution.splitlines())
        assert any(line.strip() not in cell.source for line in lines)
        for name in names(ast.parse(cell.source).body[:1]):
            assert defined.count(name) == 1, name
        assert any(cell.source == f'hint("{exercise.name}")' for cell in tagged(notebook, "help"))


def test_steppers_are_saved_and_nothing_is_refused(executed):
    saved = [
        output.data["text/html"]
        for cell in executed.cells
        for output in cell.get("outputs", [])
        if "data-saved" in output.get("data", {}).get("text/html", "")
    ]
    assert saved
    asked = [text for text in saved if "<details>" in text or "<ol>" in text]
    assert all(text.count("<iframe") == 1 or text in asked for text in saved)
    assert max(map(len, saved)) <= 126_000


def test_pictures_have_alternative_texts(executed):
    for cell in executed.cells:
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            images = re.findall(r"<img\b[^>]{0,400}", data.get("text/html", ""))
            assert all(re.match(r'<img alt="[^"]{4}', image) for image in images), images
            assert "text/html" in data or not {"image/svg+xml", "image/png"} & {*data}


def test_predictions_are_asked_and_what_they_hide_is_saved(executed):
    """Run All hangs at none: what is hidden is made, and kept for where there is no kernel."""
    asking = [
        cell for cell in executed.cells if re.search(r"\b(Prediction|predict)\(", cell.source)
    ]
    asked = [
        out.data["text/html"]
        for cell in asking
        for out in cell.outputs
        if "data-saved" in out.get("data", {}).get("text/html", "")
    ]
    assert len(asked) == len(asking) >= 2
    for text in asked:
        assert "<details><summary>Answer</summary>" in text
    kept = "<details><summary><b>When you have answered"
    hiding = [text for text in asked if kept in text]  # others ask, and hide nothing
    assert len(hiding) == sum("," in cell.source for cell in asking)
    for text in hiding:
        hidden = max(map(text.find, ("<pre style", "<iframe", "<img alt")))
        assert 0 < text.find(kept) < hidden


@each("path", NOTEBOOKS, lambda path: path.stem)
def test_outputs_are_not_kept(path):
    for cell in read(path).cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert "widgets" not in read(path).metadata


@each("path", NOTEBOOKS, lambda path: path.stem)
def test_it_has_one_import(path):
    code = [ast.parse(cell.source) for cell in read(path).cells if cell.cell_type == "code"]
    nodes = [node for tree in code for node in ast.walk(tree)]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports] == ["from animations.lab import *"]


@each("path", NOTEBOOKS, lambda path: path.stem)
def test_every_number_in_the_text_is_computed_here(path):
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    text = NUMBERING.sub("", "\n".join(cells))
    for phrase in SAID[path.stem]:
        assert phrase in text
        text = text.replace(phrase, "")
    assert re.findall(r".*[\d₀-₉].*", text) == []


def test_what_is_said_in_words():
    """Seven steps if only the root of eight sends; half of the ranks of a tree send nothing."""
    assert BROADCAST.ranks - 1 == 7
    for ranks in (2, 4, 8, 16):
        sent = record("broadcast", "tree", ranks=ranks).bytes_sent
        assert sent.count(0) == ranks // 2


def test_the_last_tables_say_who_wins(executed, path):
    text = "".join(words(cell) for cell in executed.cells if cell.cell_type == "code")
    if path.stem == "03_trees":
        faster = re.findall(r"^2\^.* (\w+)$", text, re.MULTILINE)
        assert (faster[0], faster[-1]) == ("tree", "ring")
        assert faster == sorted(faster, reverse=True)
    elif path.stem == "02_ring":
        rows = re.findall(r"^ +\d+ +\d+ +\S+ +(\d+) +\d+ +\S+ +(\d+)$", text, re.MULTILINE)
        assert int(rows[0][0]) > int(rows[0][1])
        assert int(rows[-1][0]) < int(rows[-1][1])


def test_what_nccl_chooses(executed, path):
    """The cell of lecture 2 shows what the sentences below it say, for the reasons given there."""
    if path.stem != "03_trees":
        return
    (cell,) = (cell for cell in executed.cells if "nccl_ranges(machine" in cell.source)
    shown = re.split(r"^(?=\S)", words(cell), flags=re.MULTILINE)[1:]
    for machine, text in zip((H100, H100_NODES, A100), shown, strict=True):
        assert text.startswith(f"{machine.name}\n")
        algorithms = re.findall(r"to \S+ \S+ +(\w+) ", text)
        assert list(dict.fromkeys(algorithms)) == list(chosen(machine))
    quick = [latency(machine, "Tree") < latency(machine, "Ring") for machine in (H100, H100_NODES)]
    assert quick == [False, True]
    older = replace(H100_NODES, capability=A100.capability)
    assert "add from Hopper on" in tuner.why_off(older, "all_reduce", "NVLSTree", "Simple")


def column(cell, pattern):
    """What a pattern finds in the output of a cell, as numbers where it can be."""
    return [float(found) for found in re.findall(pattern, words(cell), re.MULTILINE)]


def test_what_the_lecture_on_cost_says(executed, path):
    """Its sentences about tables that it computes: growth, barriers, who waits, busbw, buckets."""
    if path.stem != "05_cost":
        return
    said = {cell.id: cell for cell in executed.cells}

    def of(phrase):
        (found,) = (cell for cell in said.values() if phrase in cell.source and "outputs" in cell)
        return found

    factors = column(of("ring_beats_trees(8"), r"^ +\d+ .* (\d\.\d\d) *$")
    assert len(factors) == 5
    assert all(3.5 < factor < 4.5 for factor in factors)  # about fourfold
    late = re.search(
        r"is 50 µs late +(\d+) µs +(\d+) µs +(\d+) µs +(\d+) µs", words(of("faults ="))
    )
    well = re.search(r"well +(\d+) µs +(\d+) µs +(\d+) µs +(\d+) µs", words(of("faults =")))
    assert late[2] == well[2]
    assert all(int(late[k]) > int(well[k]) for k in (1, 3, 4))
    idle = column(of("slow.idle"), r"idle (\d+)%")
    assert idle[2:5] == [0, 0, 0]
    assert min(idle[:2] + idle[5:]) > 30
    races = [
        [parse_time(text) for text in row]
        for row in re.findall(rf"iB +{3 * TIME}", words(of("eight rings   bytes")))
    ]
    assert len(races) == 3
    assert all(one_ring > 4 * hierarchical for one_ring, hierarchical, _ in races)
    assert [eight < hierarchical for _, hierarchical, eight in races] == [False, False, True]
    buses = column(of("meaning("), r"busbw (\d+) GB/s")
    assert buses[1] > 450
    assert buses[2] <= 50 < min(buses[3:])
    assert "Ring" not in words(of('choices("nccl"'))
    assert "Tree" not in table("nccl", "all-reduce", 8)
    hidden = column(of("modeler.buckets"), r"(\d+\.\d)%$")
    assert hidden[0] < hidden[4] > hidden[5]  # more buckets help, until they hurt
    steps = column(of("rabenseifner"), r"step \d +(\S+) µs")
    assert len(set(steps)) > 1
