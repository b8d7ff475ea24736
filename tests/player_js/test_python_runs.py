"""MicroPython with its stand-ins makes the schedules that Python makes, and they are judged alike.

Every algorithm of the catalog is there by name, and every classic mistake.
"""

import inspect
import json
import subprocess
import tarfile
from dataclasses import asdict
from pathlib import Path

import mistakes
import numpy as np
import pytest
from settings import THOROUGH

from animations.player.pack.editor import TRIED, Editing, Trial, editing_of_own, editing_of_row
from animations.player.pack.interpreter import FOLDER, RECORD, interpreter
from animations.player.pack.library import library
from collectives import ROWS, WrongSchedule
from collectives.proof.first_wrong import first_wrong
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.routing import Routing
from collectives.schedule.combinators import Schedule

HERE = Path(__file__).parent
BROKEN = HERE.parent / "gallery" / "broken.py"
CANNOT: dict[str, str] = {}  # a title: why it does not run in MicroPython
MOST_STEPS = 400  # more than any of these has, but for those that never end
REFUSED = {
    "import numpy as np\n\ndef f_barrier(n):\n    yield np.linspace(0, 1, n)\n": (4, "linspace"),
    "def f_barrier(n):\n    yield send(0, 1)\n": (2, "; try: from collectives import send"),
    "def f_barrier(n):\n    yield np.arange(n)\n": (2, "; try: import numpy as np"),
    "def f_barrier(n):\n    yield snd(0, 1)\n": (2, "name 'snd' isn't defined"),
    "import torch\n\ndef f_barrier(n):\n    yield 1\n": (1, "torch"),
    "def f_barrier(n)\n    yield 1\n": (1, "syntax"),
    "from collectives import send\n\ndef f_barrier(n):\n    while True:\n        "
    "yield send(0, 1)\n": (5, "more than 400 steps"),
    "from collectives import reduce\nimport numpy as np\n\ndef f_barrier(n):\n"
    "    rank = np.arange(n)\n    yield reduce(rank, rank / 2)\n": (6, "must be integers"),
    "import numpy as np\n\ndef f_barrier(n):\n    rank = np.arange(n)\n    yield rank[n]\n": (
        5,
        "out of bounds",
    ),
    "def f_barrier(n):\n    yield 3\n": (2, "is no step"),
    "def f_barrier(n):\n    raise SystemExit\n": (2, "SystemExit"),
    "import numpy as np\n\ndef f_barrier(n):\n    yield np.arange(n)[-1 < np.arange(n)]\n": (
        4,
        "write the array before the number",
    ),
    "def f_barrier(n):\n    return f_barrier(n)\n": (2, "RuntimeError: maximum recursion"),
    "from collectives import send\n\ndef f_barrier(n):\n    yield send(0, 1)\n"
    "    f_barrier(n, n)\n": (5, "argument"),
}


def sampled(number: int, ranks: tuple[int, ...] | range) -> list[int]:
    """All of these numbers of ranks, or for each case one of them."""
    every = list(ranks)
    return every if THOROUGH else sorted({every[number % 17]})


def rows_of(step):
    """The rows of a step as the page has them."""
    columns = [step.src, step.dst, step.chunk, step.into, step.count, step.reduces]
    columns += [] if step.needs is None else [step.needs]
    return np.stack([column.astype(int) for column in columns], axis=1).tolist()


def catalog():
    """Each algorithm on some numbers of ranks it accepts, with the steps of Python."""
    for number, row in enumerate(ROWS):
        accepted = [n for n in TRIED if row.accepts(n)]
        some = [n for n in sampled(number, TRIED) if n in accepted] or accepted[-1:]
        editing = editing_of_row(row, row.setting(some[-1]))
        trials = [trial for trial in editing.trials if trial.ranks in some]
        assert trials, row.title
        schedules = [list(pulled(row.schedule(row.setting(each.ranks)))) for each in trials]
        yield row.title, Editing(editing.text, editing.function, tuple(trials)), schedules


def pulled(schedule: Schedule):
    """The steps that move anything."""
    from collectives.schedule.stamping import stamped

    return (step for step in stamped(schedule) if len(step))


def wrong_ones():
    """Each classic mistake on some numbers of ranks, with Python's first wrong step."""
    text = BROKEN.read_text()
    for number, (name, function) in enumerate(mistakes.FUNCTIONS.items()):
        given = mistakes.SETTINGS.get(name, {})
        own = OwnAlgorithm(
            function, given.get("collective"), given.get("chunks"), given.get("slots")
        )
        editing = editing_of_own(own, text, 8, 0)
        some = {*sampled(number, TRIED), mistakes.SMALLEST.get(name, 2)} - {1}
        if name == "root_mix_up_reduce":
            editing = editing_of_own(own, text, 8, 1)
        trials = [trial for trial in editing.trials if trial.ranks in some]
        endless = name == "endless_broadcast"  # which Python runs for tens of thousands of steps
        recordings = [None if endless else of_own(own, trial) for trial in trials]
        yield name, Editing(editing.text, name, tuple(trials)), recordings


def of_own(own, trial):
    """The recording of a function, as far as it goes."""
    try:
        return own.record(trial.ranks, trial.arguments.get("root", 0))
    except WrongSchedule as problem:
        return problem.recording


@pytest.fixture(scope="module")
def runs(node, tmp_path_factory):
    """What MicroPython makes of every case, in one process: pairs of a case and its results."""
    folder = tmp_path_factory.mktemp("micropython")
    with tarfile.open(next(FOLDER.glob("*.tgz"))) as files:
        files.extractall(folder, filter="data")
    right, wrong = list(catalog()), list(wrong_ones())
    task = right[0][1].trials[0].task
    refused = [
        Editing(text, "f_barrier", (Trial(2, {"n": 2}, {**task, "begins": [], "needs": []}),))
        for text in REFUSED
    ]
    editings = [each for _, each, _ in (*right, *wrong)] + refused
    told = {"folder": str(folder), "files": library(), "cases": [asdict(e) for e in editings]}
    told["most"] = MOST_STEPS
    done = subprocess.run(
        [node, HERE / "python_runs.mjs"],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    after = len(right) + len(wrong)
    return {
        "right": list(zip(right, found, strict=False)),
        "wrong": list(zip(wrong, found[len(right) : after], strict=True)),
        "refused": list(zip(REFUSED.values(), found[after:], strict=True)),
    }


def test_every_algorithm_makes_the_same_steps_and_is_right(runs):
    assert {title for (title, _, _), _ in runs["right"]} == {row.title for row in ROWS}
    differ = {}
    for (title, editing, schedules), found in runs["right"]:
        for trial, steps, one in zip(editing.trials, schedules, found, strict=True):
            made = one["made"]
            same = made["steps"] == [rows_of(step) for step in steps] and one["trial"]["right"]
            if "error" in made or not same:
                differ[title] = f"{trial.ranks} ranks: {made.get('error', 'other steps')}"
    assert differ.keys() == CANNOT.keys(), differ


def test_the_text_of_every_editor_makes_the_same_steps_in_python():
    """What is saved as mine.py runs there, too, with the routing table of the row."""
    for title, editing, schedules in catalog():
        space: dict[str, object] = {}
        exec(compile(editing.text, "mine.py", "exec"), space)
        for trial, steps in zip(editing.trials, schedules, strict=True):
            given = dict(trial.arguments)
            if "routing" in given:
                given["routing"] = Routing(**given["routing"])
            made = [rows_of(step) for step in pulled(space[editing.function](**given))]
            assert made == [rows_of(step) for step in steps], title


def test_every_row_of_a_step_knows_the_yield_it_came_from(runs):
    for (title, editing, schedules), found in runs["right"]:
        lines = editing.text.split("\n")
        for steps, one in zip(schedules, found, strict=True):
            for step, stamps in zip(steps, one["made"]["lines"], strict=True):
                for origin, stamp in zip(step.origin.tolist(), stamps, strict=True):
                    own = [frame.source.function for frame in step.stamps[origin]]
                    assert [function for function, _, _ in stamp] == own, title
                    for _, file, line in stamp:
                        if file == "mine.py":
                            assert "yield" in lines[line - 1], (title, line)


def test_every_mistake_is_judged_as_python_judges_it(runs):
    assert {name for (name, _, _), _ in runs["wrong"]} == set(mistakes.FUNCTIONS)
    for (name, editing, recordings), found in runs["wrong"]:
        for trial, recording, one in zip(editing.trials, recordings, found, strict=True):
            case, steps = (name, trial.ranks), one["made"]["steps"]
            if recording is not None:
                before = [rows_of(step) for step in recording.steps]
                assert steps[: len(before)] == before, case
            wrong = recording is None or first_wrong(recording)
            assert one["trial"]["right"] is not bool(wrong), (case, one["trial"])
            if recording is None or not wrong or wrong.endless:
                continue
            assert one["trial"]["step"] == wrong.step, case


def test_a_mistake_is_wrong_in_some_trial(runs):
    for (name, _, _), found in runs["wrong"]:
        assert not all(one["trial"]["right"] for one in found), name


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_cannot_run_is_refused_by_name_and_line(runs, number):
    (line, name), [one] = runs["refused"][number]
    assert one["made"]["line"] == line
    assert name in one["made"]["error"]
    assert not one["trial"]["right"]


def test_the_interpreter_is_its_own_package_untouched():
    assert interpreter().program.startswith(b"\0asm")
    with tarfile.open(next(FOLDER.glob("*.tgz"))) as files:
        told = json.load(files.extractfile("package/package.json"))
    record = RECORD.read_text()
    for key in ("name", "version", "license"):
        assert f'{key} = "{told[key]}"' in record
    assert "Damien P. George" in (FOLDER / "LICENSE").read_text()


def test_the_integrity_that_npm_tells_is_that_of_the_file():
    import base64
    import hashlib
    import tomllib

    digest = hashlib.sha512(next(FOLDER.glob("*.tgz")).read_bytes()).digest()
    told = tomllib.loads(RECORD.read_text())["integrity"]
    assert told == f"sha512-{base64.b64encode(digest).decode()}"


def test_rewritten_code_names_each_algorithm():
    for row in ROWS:
        path = inspect.getmodule(row.function).__name__.replace(".", "/")
        assert f"def {row.function.__name__}(" in library()[f"{path}.py"]
