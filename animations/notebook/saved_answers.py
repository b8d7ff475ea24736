"""Writes what was answered to the predictions of a notebook as a table, to hand in or to count."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from animations.notebook.prediction import Prediction
from collectives.files import check_suffix, replacing
from collectives.grading.grades import plain_cell

COLUMNS = ("kind", "step", "asked", "answered", "because", "right", "right_reason")


def save_answers(path: str | Path, *predictions: Prediction) -> None:
    """Write what was answered to these predictions, a row for each question, as .csv or .json.

    Parameters
    ----------
    path
        The file.
    *predictions
        By default all that end a cell of this notebook.

    Raises
    ------
    BadInput
        For other files, and where none can be written.

    Notes
    -----
    `answered` is empty where a question was skipped; `right` says whether the answer is, and
    `right_reason` whether the reason that was chosen is. Nobody vouches for what a student's own
    notebook says.
    """
    target = check_suffix(path, (".csv", ".json"), "answers")
    chosen = predictions or _displayed()
    rows = [
        {"prediction": number, **{name: answer.get(name) for name in COLUMNS}}
        for number, prediction in enumerate(chosen, 1)
        for answer in prediction.answers
    ]
    text = io.StringIO()
    if target.suffix == ".json":
        json.dump(rows, text, ensure_ascii=False, indent=1)
    else:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("prediction", *COLUMNS))
        for row in rows:
            cells = ("" if value is None else plain_cell(str(value)) for value in row.values())
            writer.writerow(cells)
    with replacing(target) as part:
        part.write(text.getvalue().encode(errors="backslashreplace"))


def _displayed() -> tuple[Prediction, ...]:
    """The predictions that ended a cell, each once."""
    shell = InteractiveShell.instance() if InteractiveShell.initialized() else None
    outputs = shell.user_ns.get("Out", {}).values() if shell else ()
    return tuple({id(value): value for value in outputs if isinstance(value, Prediction)}.values())
