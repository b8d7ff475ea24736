"""Widgets and questions that a saved notebook shows without a kernel; styles of dead controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from threading import RLock
from typing import Any

import traitlets
from IPython.display import display
from ipywidgets import VBox

from collectives.questions import Question
from collectives.words import capital

CONTROLS_CLASS = "collectives-controls"
RUN = "Open the notebook in JupyterLab and run the cell to move them."
STATE = "application/vnd.jupyter.widget-state+json"  # in exports, which draw widgets from it
GONE = f"""
.{CONTROLS_CLASS}:is(
  .jupyter-widgets-disconnected,
  .jp-NotebookPanel:has(:is([data-status="unknown"], [data-status="disconnected"])) *,
  html:has(script[type="{STATE}"]) body:not([data-base-url]) *
) {{
  &::before {{
    content: "No kernel listens to these controls. {RUN}" !important;
    grid-column: 1 / -1; width: 100%; color: var(--jp-warn-color0, #b85c00);
    font: 15px var(--jp-ui-font-family, sans-serif); }}
  > * {{ opacity: 0.4; pointer-events: none; }}
  .jupyter-widgets-disconnected::before {{ display: none; }}
}}
:is(:has(> .{CONTROLS_CLASS}), .{CONTROLS_CLASS} ~ *).jupyter-widgets-disconnected::before {{
  display: none; }}
"""
LOCK = RLock()  # of all widgets: a cell and a control may change them at once, in two threads
WIDGET = "application/vnd.jupyter.widget-view+json"


class SavedWidget(traitlets.HasTraits):
    """A widget with an output of its own that takes over in a saved notebook.

    JupyterLab shows nothing but an error for a widget without a kernel, whatever else its output
    has; so there are two outputs, and a style by which only one of them is seen.
    """

    _box: VBox
    _saved: list[Any]
    _choosing = False

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a choice and show it, while no other thread does."""
        with LOCK:
            super().__setattr__(name, value)

    def choose(self, **choices: Any) -> None:
        """Change several choices at once, and draw the picture once."""
        with LOCK:
            self._choosing = True
            try:
                with self.hold_trait_notifications():
                    for name, value in choices.items():
                        setattr(self, name, value)
            finally:
                self._choosing = False
            self._redraw()

    def _redraw(self) -> None:
        """Show what is chosen, unless more is being chosen."""
        with LOCK:
            if not self._choosing:
                self._show()

    def _show(self) -> None:
        """Draw the picture of what is chosen."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """The picture as a page within the page: it needs no kernel and no network."""
        raise NotImplementedError

    def _plain(self) -> dict[str, str]:
        """What is shown where there is no HTML."""
        raise NotImplementedError

    def _frame(self) -> dict[str, str]:
        return {"text/html": self._repr_html_(), **self._plain()}

    def _update_saved(self) -> None:
        for widget in self._saved:
            widget.update(self._frame(), raw=True)

    def _widget(self) -> dict[str, Any]:
        view = {"version_major": 2, "version_minor": 0, "model_id": self._box.model_id}
        return {"text/plain": type(self).__name__, WIDGET: view}

    def _ipython_display_(self) -> None:
        """Show the widget and, as an output of its own, the picture for a saved notebook."""
        show: Callable[..., Any] = display
        with LOCK:
            live = {**self._widget(), "text/html": "<!-- the next output is this one, saved -->"}
            show(live, raw=True)
            self._saved.append(show(self._frame(), raw=True, display_id=True))


def one_of_both(key: str) -> str:
    """A style that hides the saved page where the widget lives, else the dead widget's output.

    Controls are gray and say why after a restart, where the notebook has no kernel, and where it
    is exported, as a page that may draw them still. Voila's page looks like an export, but has
    a kernel and names its server.
    """
    saved, live, output = f'[data-saved="{key}"]', f'[data-stepper="{key}"]', ".jp-OutputArea-child"
    return (
        f"body:has({live}) :is({saved}, {output}:has({saved})), "
        f"{output}:not(:has({live})):has(+ {output} {saved}) {{ display: none; }}{GONE}"
    )


def asked_text(questions: Iterable[Question]) -> str:
    """Markup of questions, each with its answer folded."""
    return "".join(_asked(question) for question in questions)


def _asked(question: Question) -> str:
    right = question.right
    offered = ""
    if question.form == "choice":
        offered = "".join(f"<li>{escape(option.text)}</li>" for option in question.options)
        offered = f"<ul>{offered}</ul>"
    return (
        f"<p><b>{escape(question.prompt)}</b> ({escape(question.detail)})</p>{offered}"
        f"<details><summary>Answer</summary><p>{escape(capital(right.text))}: "
        f"{escape(question.explanation)}.</p></details>"
    )
