"""Does what `lab` is asked for: becomes a JupyterLab on the lectures."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from collectives.errors import BadInput, NotInstalled

LECTURES = Path(__file__).parents[2] / "notebooks"  # not in the wheel


def open_lab(options: Sequence[str], lectures: Path = LECTURES) -> None:
    """`collectives lab`: hand this process over to JupyterLab, with its own options."""
    missing = [name for name in ("jupyterlab", "anywidget", "ipywidgets") if not find_spec(name)]
    if missing:
        raise NotInstalled(f"the lectures need {' and '.join(missing)}", "notebook")
    if not lectures.is_dir():
        raise BadInput(
            f"{lectures}: the lectures are not there; they come with the project's source; "
            "nearest: jupyter lab"
        )
    command = [sys.executable, "-m", "jupyterlab", str(lectures), *options]
    if os.geteuid() == 0:
        command.append("--allow-root")  # as in containers; it listens to this machine only
    os.execv(sys.executable, command)
