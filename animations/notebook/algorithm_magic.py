"""The cell magic `%%algorithm`: a cell defines a schedule, is run, judged and shown."""

from __future__ import annotations

import ast
import shlex
from argparse import ArgumentParser
from typing import Any, NoReturn

from IPython.core.error import UsageError

from animations.notebook.stepper import Stepper
from collectives.collective import collective_of
from collectives.errors import CollectivesError
from collectives.proof.lesson import counts_text, missed_lesson
from collectives.proof.own_algorithm import OwnAlgorithm, named_collective
from collectives.words import plural

SHAPE = "def my_all_reduce(n): … yield reduce(…)"
Shell = Any  # IPython's, most of which has no types


class MagicOptions(ArgumentParser):
    """The options of the magic, refused in one line."""

    def __init__(self) -> None:
        super().__init__("%%algorithm", add_help=False)
        self.add_argument("-n", "--ranks", type=int, default=4)
        self.add_argument("--root", type=int, default=0)
        for name in ("--collective", "--like"):
            self.add_argument(name)
        for name in ("--chunks", "--slots", "--count"):
            self.add_argument(name, type=int)

    def error(self, message: str) -> NoReturn:
        """Refuse a line."""
        raise UsageError(message)


def register(shell: Shell) -> None:
    """Add the magic to a shell."""

    def algorithm(line: str, cell: str) -> Stepper | None:
        """Run the cell, judge the schedule that its last function yields, and show it.

        One that is right with its proof, one that is wrong at its first wrong step:

            %%algorithm -n 4
            def my_all_reduce(n):
                rank = np.arange(n)
                for step in range(n - 1):
                    yield reduce(rank, (rank + 1) % n, (rank - step - 1) % n)

        Options: -n RANKS (default 4), --collective NAME (default: the end of the function's name),
        --root R, --chunks C of a pipeline, --slots C of the vector (default: one for each rank),
        --count ELEMENTS, --like ALGORITHM of the catalog, which it must not exceed in steps,
        messages and bytes.
        """
        return _stepper_of(shell, line, cell)

    shell.register_magic_function(algorithm, "cell", "algorithm")


def _stepper_of(shell: Shell, line: str, cell: str) -> Stepper | None:
    """What the magic gives."""
    options = vars(MagicOptions().parse_args(_words(line)))
    like = options.pop("like")
    function = _defined(shell, f"# %%algorithm {line}\n{cell}")
    if function is None:
        return None
    try:
        named_collective(function, options["collective"])
    except CollectivesError as problem:
        raise UsageError(str(problem)) from None
    stepper = Stepper(function, **options)
    if not stepper.story:
        raise UsageError(stepper.problem)
    print(stepper.problem or _proof(function, options, like))
    return stepper


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as problem:
        raise UsageError(f"{line}: {problem}") from None


def _defined(shell: Shell, cell: str) -> Any:
    """The last function of a cell, which is run; None where it fails, and said so itself.

    Lines are counted from that of the magic, as the notebook numbers them.
    """
    hook = shell.displayhook
    outer = hook.exec_result  # which a cell within a cell forgets
    ran = shell.run_cell(cell)
    hook.exec_result = outer
    if not ran.success:
        return None
    code = shell.transform_cell(cell)
    nodes = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    names = [node.name for node in nodes if node.name in shell.user_ns]  # not deleted again
    promising = [name for name in names if collective_of(name)]
    for name in (promising or names)[-1:]:
        return shell.user_ns[name]
    raise UsageError(f"the cell defines no function; try: {SHAPE}")


def _proof(function: Any, options: dict[str, Any], like: str | None) -> str:
    """What was proved of a schedule that is right, and its counts; or which lesson it misses."""
    own = OwnAlgorithm(function, options["collective"], options["chunks"], options["slots"])
    ranks, root = options["ranks"], options["root"]
    if like is not None and (missed := missed_lesson(own, like, [(ranks, root)])):
        return missed
    recording = own.record(ranks, root, count=options["count"])
    return f"right on {plural(ranks, 'rank')}: {recording.check()}\n{counts_text(recording)}"
