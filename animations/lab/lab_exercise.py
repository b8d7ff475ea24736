"""An exercise of a lab: its check, its three hints, and its solution, which stay closed."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

import collectives
from animations.lab.entries import find_entry
from animations.lab.judges import JUDGES
from animations.lab.shown import LabMarkup
from animations.notebook.stepper import Stepper
from collectives.algorithms import binomial, ring
from collectives.errors import BadInput, CollectivesError
from collectives.proof.prove import Verdict
from collectives.schedule.pulling import described
from collectives.units import parse_size, size_text, time_text

OPTIONS = ("chunks", "slots", "root")  # of `check`
WORDS = ("send", "reduce", "within", "together", "pipelined", "transposed", "backwards", "record")


class LabExercise:
    """An exercise: what an answer is checked for.

    A schedule must keep the promise of its collective, and take no more steps, messages and bytes
    than an algorithm of the catalog; on a machine, no more time than the fastest one. Other answers
    are compared with what is computed by executing.

    Parameters
    ----------
    name
        Of the exercise, such as "ring all-gather".

    Attributes
    ----------
    verdict : Verdict
        Of the last answer that was checked.

    Raises
    ------
    BadInput
        For an unknown name.

    Examples
    --------
    >>> exercise = LabExercise("ring all-gather")
    >>> exercise.judge(exercise.solved())
    <Verdict: right: ring_all_gather: right in all 16 cases>
    """

    def __init__(self, name: str) -> None:
        self._entry = find_entry("exercise", name)
        self.name = name
        self.hints: tuple[str, ...] = tuple(self._entry["hints"])
        self.solution: str = self._entry["solution"]
        self.extra: tuple[str, ...] = tuple(self._entry.get("extra", ()))
        self.verdict = Verdict(False, "nothing was checked yet")

    def __repr__(self) -> str:
        """One line."""
        return f"<Exercise {self.name!r}: {self.verdict.text}>"

    @property
    def shows(self) -> bool:
        """Whether the answer is a schedule, which `check` shows."""
        return "shown" in self._entry

    def judge(self, answer: Any, **setting: Any) -> Verdict:
        """Whether an answer is right; else what is wrong. `setting`: see the lab."""
        judge = self._entry.get("judge")
        try:
            self.verdict = JUDGES[judge](answer, **setting) if judge else self._schedule(answer)
        except CollectivesError as problem:
            self.verdict = Verdict(False, str(problem))
        return self.verdict

    def check(self, answer: Any, **setting: Any) -> Stepper | None:
        """Print the verdict on an answer, and show a schedule, up to the step that goes wrong."""
        print(self.judge(answer, **setting))
        if not self.shows or not callable(answer):
            return None
        options = {key: self._entry[key] for key in ("chunks", "slots") if key in self._entry}
        return Stepper(answer, ranks=self._entry["shown"], **options)

    def solved(self) -> Any:
        """What the solution defines, which is right."""
        return answer_in(self.solution)

    def _schedule(self, answer: Callable[..., Any]) -> Verdict:
        options = {key: self._entry[key] for key in OPTIONS if key in self._entry}
        numbers, like = self._entry["ranks"], self._entry.get("like")
        verdict = collectives.check(answer, ranks=numbers, like=like, **options)
        if not verdict or "machine" not in self._entry:
            return verdict
        ranks, size = self._entry["shown"], parse_size(self._entry["size"], "size")
        machine = self._entry["machine"]
        own = collectives.record(answer, ranks=ranks, slots=options.get("slots"))
        mine = collectives.time(own, machine, size=size).total
        ranked = collectives.rank(own.collective.name, ranks=ranks, size=size, topology=machine)
        best = ranked.best
        text = (
            f"On {ranks} ranks of {machine}, {size_text(size)}: {time_text(mine)}; the fastest "
            f"of the catalog, {best.name}, takes {time_text(best.timing.total)}"
        )
        if mine > self._entry.get("within", 1.02) * best.timing.total:
            return Verdict(False, f"{own.algorithm}: right, but slow. {text}")
        return Verdict(True, verdict.text, f"{verdict.counts}\n{text}")


def hint(name: str) -> LabMarkup:
    """The hints of an exercise, one in the other, and in the last one the solution; all closed."""
    exercise = LabExercise(name)
    inner = _closed("Solution", f"<pre>{escape(exercise.solution)}</pre>")
    for number, text in reversed([*enumerate(exercise.hints, start=1)]):
        label = f"Hint {number} of {len(exercise.hints)}"
        inner = _closed(label, f"<p>{_inline(text)}</p>{inner}")
    return LabMarkup(inner, f"hints for {name}, closed")


def _closed(label: str, inner: str) -> str:
    return f"<details><summary><b>{label}</b></summary>{inner}</details>"


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def answer_in(source: str, file: str = "<your lines>") -> Any:
    """What the last statement of a source defines; raises BadInput for one that does not run."""
    names = {"np": np, "binomial": binomial, "ring": ring, "steps_of": steps_of}
    names |= {name: getattr(collectives, name) for name in WORDS}
    lines = source.splitlines(keepends=True)
    linecache.cache[file] = (len(source), None, lines, file)  # for what is said of a line
    try:
        tree = ast.parse(source)
        exec(compile(tree, file, "exec"), names)
    except SyntaxError as problem:
        raise BadInput(f"line {problem.lineno} of your lines: {problem.msg}") from None
    except Exception as problem:
        raise BadInput(f"your lines raised {described(problem)}") from None
    last = tree.body[-1]
    if isinstance(last, ast.FunctionDef):
        return names[last.name]
    return names[ast.unparse(last.targets[0])] if isinstance(last, ast.Assign) else None


def steps_of(collective: str, algorithm: str, ranks: int, **parameters: int) -> Any:
    """The steps of an algorithm of the catalog, for a schedule of one's own to yield.

    Raises BadInput for one that is not there, or does not take these ranks.

    >>> len(steps_of("all_gather", "ring", 4))
    3
    """
    return collectives.record(collective, algorithm, ranks=ranks, parameters=parameters).steps
