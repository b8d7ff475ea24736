"""A prediction in a notebook: questions, and what they hide until they are answered."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets import Output, VBox

from animations.notebook.saved import SavedWidget, asked_text, one_of_both
from animations.phrases import phrases
from animations.player.pack.question_data import question_data
from animations.player.page import asset, player_script, player_style
from collectives.errors import BadInput
from collectives.questions import Question

Shown = dict[str, Any]  # an output of a cell, as notebooks have it
PRE = '<pre style="font-family: var(--jp-code-font-family, monospace)">'
ANSWERED = "<b>When you have answered</b>"
IMAGES = ("image/png", "image/jpeg")
OWN = re.compile(r'data-saved="\w+"')  # by which a widget of its own hides the output before it


class Prediction(SavedWidget, anywidget.AnyWidget):
    """Questions in a notebook, and below them what answers them, once they are answered.

    The table, figure or widget is there when the cell has run, but is seen only after each
    question is answered or skipped. A saved or exported notebook has the questions as text, and
    their answers and the picture folded.

    Parameters
    ----------
    questions
        What is asked, in this order, such as `predictions.ring_questions.doubled(32)`.
    hidden
        A function that prints or returns what is hidden, or that itself.

    Attributes
    ----------
    answers : list of dict
        Each answer so far, with the keys kind, step, asked, answered (None if it was skipped),
        because, right and right_reason. Set it to [] to be asked again.
    is_shown : bool
        Whether what was hidden is seen.

    Raises
    ------
    BadInput
        For something else than questions.

    Examples
    --------
    >>> from collectives import record
    >>> from collectives.questions import questions
    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> prediction = Prediction(questions(recording), recording)
    >>> prediction.is_shown
    False
    """

    _esm = player_script("entry/prediction.js", "prediction.html")
    _css = player_style() + asset("prediction.css")
    key = traitlets.Unicode().tag(sync=True)
    story = traitlets.Dict().tag(sync=True)
    answers = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(
        self, questions: Iterable[Question], hidden: object | Callable[[], object] = None
    ) -> None:
        self.questions = _checked(questions)
        asked = [question_data(question, phrases("en")) for question in self.questions]
        story = {"title": "Prediction", "ranks": 0, "names": [], "frames": [], "questions": asked}
        self._saved: list[Any] = []
        super().__init__(key=uuid4().hex, story=story)
        self._outputs = _outputs(hidden)
        if isinstance(hidden, SavedWidget):
            hidden._saved.append(_Follower(self))
        self._below = Output()
        self._box = VBox([self, self._below])
        self._show()
        self.observe(lambda _: self._redraw(), "answers")

    @property
    def is_shown(self) -> bool:
        """Whether what was hidden is seen."""
        return len(self.answers) >= len(self.questions)

    def _show(self) -> None:
        """Show or hide what the questions hide."""
        live = [_live(output) for output in self._outputs]
        self._below.outputs = tuple(live) if self.is_shown else ()

    def _repr_html_(self) -> str:
        """The questions as text, and what they hide, folded: it needs no kernel."""
        outputs = "".join(map(_markup, self._outputs))
        if self.questions and outputs:
            outputs = f"<details><summary>{ANSWERED}</summary>{outputs}</details>"
        return (
            f"<style>{one_of_both(self.key)}</style>"
            f'<div data-saved="{self.key}">{asked_text(self.questions)}{outputs}</div>'
        )

    def _plain(self) -> dict[str, str]:
        return {"text/plain": "\n".join(question.prompt for question in self.questions)}

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the text for where there is no kernel."""
        return {**self._widget(), **self._frame()}, {}


class _Follower:
    """The output of a hidden widget: what is saved of it is part of the prediction."""

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction

    def update(self, *_: Any, **__: Any) -> None:
        """Save what the widget shows now."""
        self._prediction._update_saved()


def _checked(questions: Iterable[Question]) -> tuple[Question, ...]:
    """What is asked; raises BadInput for anything else."""
    checked = tuple(questions) if isinstance(questions, Iterable) else (questions,)
    for question in checked:
        if not isinstance(question, Question):
            raise BadInput(
                f"questions: {type(question).__name__} instead of Question; try: "
                "predictions.ring_questions.doubled(32)"
            )
    return checked


def _outputs(hidden: object) -> list[Shown]:
    """What a function prints, displays and returns, or what a value shows, as outputs."""
    with capture_output() as caught:
        value = hidden() if callable(hidden) and not isinstance(hidden, SavedWidget) else hidden
    outputs = [
        {"output_type": "stream", "name": name, "text": text}
        for name, text in (("stdout", caught.stdout), ("stderr", caught.stderr))
        if text
    ]
    outputs += [_display(output.data, output.metadata) for output in caught.outputs]
    if isinstance(value, SavedWidget):
        outputs.append(_display(value._widget(), {}) | {"widget": value})
    elif value is not None:
        shell = InteractiveShell.instance() if InteractiveShell.initialized() else None
        formatter: Any = (shell and shell.display_formatter) or DisplayFormatter()
        outputs.append(_display(*formatter.format(value)))
    return outputs


def _display(data: Any, metadata: Any) -> Shown:
    return {"output_type": "display_data", "data": data, "metadata": metadata or {}}


def _live(output: Shown) -> Shown:
    """An output as the kernel's front end takes it."""
    return {name: value for name, value in output.items() if name != "widget"}


def _markup(output: Shown) -> str:
    """An output as markup for a saved notebook."""
    if "widget" in output:
        return OWN.sub("", str(output["widget"]._repr_html_()))
    if "text" in output:
        return f"{PRE}{html.escape(output['text'])}</pre>"
    data = output["data"]
    if "text/html" in data:
        return str(data["text/html"])
    for kind in IMAGES:
        if kind in data:
            return f'<img alt="" style="max-width: 100%" src="data:{kind};base64,{data[kind]}">'
    return f"{PRE}{html.escape(str(data.get('text/plain', '')))}</pre>"
