"""The lines of a solution to put in order, judged by execution: for those who are stuck."""

from __future__ import annotations

from html import escape
from random import Random
from typing import Any
from uuid import uuid4

import traitlets
from ipywidgets import HTML, Button, HBox, Layout, VBox

from animations.lab.lab_exercise import LabExercise, answer_in
from animations.notebook.saved import CONTROLS_CLASS, SavedWidget, one_of_both
from collectives.errors import BadInput, CollectivesError
from collectives.proof.prove import Verdict

CUT = -1  # in the order of the lines: all below it is left out
BELOW = "↓ Lines below this one are not needed ↓"


class Parsons(SavedWidget):
    """Lines to order; some are not needed and go below the last row.

    Parameters
    ----------
    name
        Of an exercise whose answer is a function.

    Attributes
    ----------
    order : list of int
        The lines from top to bottom as numbers of `lines`; those after -1 are left out.
    lines : tuple of str
        The lines, in the order in which they are shown first.

    Raises
    ------
    BadInput
        For an unknown name, and where there is nothing to order.

    Examples
    --------
    >>> mixed = Parsons("ring all-gather")
    >>> mixed.order = mixed.right
    >>> mixed.check()
    <Verdict: right: ring_all_gather: right in all 16 cases>
    """

    order = traitlets.List(traitlets.Int())

    def __init__(self, name: str) -> None:
        self.exercise = LabExercise(name)
        self._head, kept = _blocks(self.exercise.solution)
        if len(kept) < 3 or not self._head.startswith("def "):
            raise BadInput(f"exercise {name!r}: has no lines to order; try: hint({name!r})")
        extra = list(self.exercise.extra)
        self.lines: tuple[str, ...] = tuple(_mixed([*kept, *extra], name))
        self.right = [*map(self.lines.index, kept), CUT, *map(self.lines.index, extra)]
        super().__init__(order=[*range(len(self.lines)), CUT])
        self._key = uuid4().hex
        self._saved: list[Any] = []
        self._buttons: dict[tuple[int, int], Button] = {}
        self._rows = [HTML(layout=Layout(flex="1")) for _ in self.order]
        self._said = HTML()
        judged = Button(description="Check", tooltip="Run these lines and judge them")
        judged.on_click(lambda _: self.check())
        head = HTML(f'<pre data-stepper="{self._key}">{escape(self._head)}</pre>')
        rows = [self._row(place) for place in range(len(self._rows))]
        self._box = VBox([head, *rows, judged, self._said]).add_class(CONTROLS_CLASS)
        self._show()
        self.observe(lambda _: self._redraw(), "order")

    @property
    def source(self) -> str:
        """The function as it is ordered now."""
        used = self.order[: self.order.index(CUT)] if CUT in self.order else self.order
        return "\n".join([self._head, *(self.lines[number] for number in used)]) + "\n"

    def check(self) -> Verdict:
        """The verdict on the function as it is ordered now, which is also shown."""
        try:
            verdict = self.exercise.judge(answer_in(self.source))
        except CollectivesError as problem:
            verdict = Verdict(False, str(problem))
        self._said.value = f'<p role="status">{escape(str(verdict))}</p>'
        return verdict

    def _row(self, place: int) -> HBox:
        buttons = []
        for sign, way, by in (("↑", "up", -1), ("↓", "down", 1)):
            button = Button(
                description=sign,
                tooltip=f"Move line {place + 1} {way}",
                disabled=not 0 <= place + by < len(self._rows),
                layout=Layout(width="36px", flex="none"),
            )
            button.on_click(lambda _, by=by: self._move(place, by))
            self._buttons[place, by] = button
            buttons.append(button)
        return HBox([*buttons, self._rows[place]])

    def _move(self, place: int, by: int) -> None:
        """Move a line by a row; the same button of that row is focused, to move it on."""
        order, other = list(self.order), place + by
        order[place], order[other] = order[other], order[place]
        self.order = order
        self._buttons[other, by].focus()

    def _show(self) -> None:
        for row, number in zip(self._rows, self.order, strict=True):
            row.value = _pre(BELOW if number == CUT else self.lines[number])

    def _repr_html_(self) -> str:
        """The lines as they are shown first, for where there is no kernel."""
        lines = "".join(f"<li>{_pre(line)}</li>" for line in self.lines)
        return (
            f'<style>{one_of_both(self._key)}</style><div data-saved="{self._key}">'
            f"{_pre(self._head)}<ol>{lines}</ol>"
            f"<p>Put these lines in order: run the cell in JupyterLab. {len(self.exercise.extra)} "
            "of them not needed.</p></div>"
        )

    def _plain(self) -> dict[str, str]:
        return {"text/plain": "\n".join([self._head, *self.lines])}


def _pre(line: str) -> str:
    return f'<pre style="margin: 0">{escape(line)}</pre>'


def _blocks(solution: str) -> tuple[str, list[str]]:
    """The first line of a function, and its other lines, each with the comment above it."""
    head, *rest = solution.strip().splitlines()
    blocks: list[str] = []
    comment = ""
    for line in rest:
        if line.strip().startswith("#"):
            comment = f"{line}\n"
        elif line.strip() and not line.strip().startswith('"""'):
            blocks.append(comment + line)
            comment = ""
    return head, blocks


def _mixed(lines: list[str], name: str) -> list[str]:
    """The lines in another order, the same one every time."""
    mixed, random = list(lines), Random(name)
    while mixed == lines:
        random.shuffle(mixed)
    return mixed
