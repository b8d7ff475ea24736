"""Does what `lab` is asked for: becomes a JupyterLab on the labs, or copies them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from collectives.errors import BadInput, NotInstalled
from collectives.files import check_writable, replacing
from collectives.unfinished import IS_POSIX
from collectives.words import quoted

CHECKOUT = Path(__file__).parents[2] / "notebooks"
PACKAGED = Path(__file__).parents[1] / "notebooks"  # where pyproject.toml puts them in a wheel
COPIED = "collectives-lectures"  # in the current folder: a package is no place for answers


def open_lab(options: Sequence[str]) -> None:
    """`collectives lab`: hand this process over to JupyterLab, with its own options."""
    missing = [name for name in ("jupyterlab", "anywidget", "ipywidgets") if not find_spec(name)]
    if missing:
        raise NotInstalled(f"the labs need {' and '.join(missing)}", "notebook")
    source, names = lectures()
    folder = source
    if source == PACKAGED:
        folder = Path(COPIED)
        _copy(source, [name for name in names if not (folder / name).exists()], folder)
        print(folder, flush=True)
    command = [sys.executable, "-m", "jupyterlab", str(folder), *options]
    if not IS_POSIX:  # where a process that becomes another one leaves its terminal
        raise SystemExit(subprocess.call(command))
    if os.geteuid() == 0:
        command.append("--allow-root")  # as in containers; it listens to this machine only
    os.execv(sys.executable, command)


def copy_lectures(name: str, replace: bool = False, options: Sequence[str] = ()) -> None:
    """`collectives lab --copy FOLDER`: copy the labs, print each; raises BadInput.

    replace: labs that are there already are copied again, which loses the answers in them.
    """
    if options:
        raise BadInput(f"{quoted(options[0])}: --copy opens no JupyterLab, which has options")
    if not name or name.startswith("-"):  # an option stands where the folder is missing
        raise BadInput(f"--copy {quoted(name)}: names no folder; try: --copy {COPIED}")
    folder = Path(name)
    source, names = lectures()
    there = next((name for name in names if (folder / name).exists()), None)
    if there and not replace:
        raise BadInput(
            f"--copy {quoted(name)}: has {there}, perhaps with your answers; name another folder, "
            "or add --replace to lose them"
        )
    for file in _copy(source, names, folder):
        print(file)


def lectures() -> tuple[Path, list[Path]]:
    """The folder of the labs and the names of their files.

    Raises BadInput where they are missing.
    """
    folder = PACKAGED if PACKAGED.is_dir() else CHECKOUT
    files = sorted(folder.glob("*.ipynb"))
    if not files:
        raise BadInput(f"{folder}: the labs are not there; install collectives again")
    return folder, [path.relative_to(folder) for path in files]


def _copy(source: Path, names: Sequence[Path], folder: Path) -> list[Path]:
    """Copy files of one folder into another; folders are made where they are missing."""
    if not folder.exists():
        check_writable(folder)
        folder.mkdir()
    copies = [folder / name for name in names]
    for name, copied in zip(names, copies, strict=True):
        if not copied.parent.exists():
            copied.parent.mkdir()
        with replacing(copied) as target:
            target.write((source / name).read_bytes())
    return copies
