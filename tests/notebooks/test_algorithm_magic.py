"""The cell magic %%algorithm: a cell is run, its schedule judged and shown."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from animations import Stepper

RIGHT = '''
def mine_all_gather(n):
    """Round the ring."""
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank passes on what came last
        yield send(rank, (rank + 1) % n, (rank - step) % n)
'''


@pytest.fixture(scope="module")
def shell():
    made = InteractiveShell.instance()
    made.history_manager.enabled = False
    made.run_line_magic("load_ext", "animations")
    made.run_cell("import numpy as np\nfrom collectives import reduce, send")
    yield made
    InteractiveShell.clear_instance()


@pytest.fixture
def run(shell, capsys):
    """Run a cell: what it gives, and what it prints."""

    def call(line, body):
        found = shell.run_cell(f"%%algorithm {line}\n{body}")
        return found.result, "".join(capsys.readouterr())

    return call


def test_a_right_schedule_is_shown_with_its_proof(run, shell):
    stepper, said = run("-n 5", RIGHT)
    assert isinstance(stepper, Stepper)
    assert (stepper.ranks, stepper.step, stepper.problem) == (5, 0, "")
    assert said.startswith(
        "right on 5 ranks: mine_all_gather: every rank ends with every rank's chunk\n"
    )
    assert len(list(shell.user_ns["mine_all_gather"](5))) == 4


def test_a_wrong_one_is_shown_at_its_first_wrong_step(run):
    stepper, said = run("", RIGHT.replace("rank - step", "rank"))
    assert (stepper.step, stepper.ranks) == (3, 4)
    assert said.startswith("mine_all_gather on 4 ranks: ")
    stepper, said = run("--ranks 3 --slots 1", "def my_reduce(n):\n    yield reduce([1, 1], 0)\n")
    assert stepper.step == 1
    assert "It goes wrong in step 1 (your cell, line 3): " in said, "counted from the magic"
    assert said.partition("\n")[0] == stepper.problem


def test_what_breaks_off_is_shown_as_far_as_it_goes(run):
    body = "def f(n, root):\n    yield send(root, 1)\n    1 / 0\n"
    stepper, said = run("--collective broadcast --root 2", body)
    assert stepper.step == 1
    assert "step 2 (your cell, line 4): f raised ZeroDivisionError" in said


def test_options_are_those_of_the_function(run):
    body = (
        "def my_broadcast(n, chunks):\n    for c in range(chunks):\n        yield send(0, 1, c)\n"
    )
    stepper, said = run("-n 2 --chunks 3 --count 6", body)
    assert said.startswith("right on 2 ranks: my_broadcast")
    assert (stepper.chunks, stepper.count) == (3, 6)


def test_of_several_functions_the_last_that_promises_is_shown(run):
    _, said = run("", f"def pair(r):\n    return r\n{RIGHT}\ndef helper(n):\n    return n\n")
    assert said.startswith("right on 4 ranks: mine_all_gather")


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("np", "import numpy as np"),
        ("send", "from collectives import reduce, send"),
    ],
)
def test_a_cell_without_an_import_is_told_which(run, shell, monkeypatch, name, lacks):
    monkeypatch.delitem(shell.user_ns, name)
    stepper, said = run("", RIGHT)
    assert stepper.problem == said.partition("\n")[0]
    assert f"raised NameError: name '{name}' is not defined; try: {lacks}\n" in said


@pytest.mark.parametrize(
    ("line", "body", "said"),
    [
        ("-n x", RIGHT, "argument -n/--ranks: invalid int value: 'x'"),
        ("--rank 3 --ranked", RIGHT, "unrecognized arguments: --ranked"),
        ("", "x = 1", "the cell defines no function; try: def my_all_reduce(n): … yield"),
        ("", "def f(n):\n    yield send(0, 1)", "f: its name does not end in a collective; name"),
        ("--collective broadcat", RIGHT, "unknown collective 'broadcat'; did you mean broadcast?"),
        ("-n 999", RIGHT, "999 ranks: a page shows 1 to 256; try: 256"),
        (
            "",
            "def f_reduce(n):\n    return 7",
            "f_reduce on 4 ranks, root 0: it returned 7; it must",
        ),
    ],
)
def test_mistakes_are_one_line(run, line, body, said):
    stepper, out = run(line, body)
    assert stepper is None
    assert out.startswith(f"UsageError: {said}") and out.count("\n") == 1


def test_a_cell_that_fails_shows_its_own_error(run):
    stepper, out = run("", "def f_reduce(n:\n    pass\n")
    assert stepper is None and "SyntaxError" in out and "UsageError" not in out


def test_a_function_that_is_deleted_again_is_none_and_one_rank_is_one(run):
    body = "def my_broadcast(n):\n    yield from ()\n"
    assert run("-n 1", body)[1].startswith("right on 1 rank: ")
    stepper, out = run("-n 1", f"{body}del my_broadcast\n")
    assert stepper is None and out.startswith("UsageError: the cell defines no function")
