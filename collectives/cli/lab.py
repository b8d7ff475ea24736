"""Does what `lab` is asked for: becomes a JupyterLab on the lectures, or copies them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from collectives.errors import BadInput, NotInstalled
from collectives.files import check_writable, replacing
from collectives.words import quoted

CHECKOUT = Path(__file__).parents[2] / "notebooks"
PACKAGED = Path(__file__).parents[1] / "notebooks"  # where pyproject.toml puts them in a wheel
COPIED = "collectives-lectures"  # in the current folder: a package is no place for answers


def open_lab(options: Sequence[str]) -> None:
    """`collectives lab`: hand this process over to JupyterLab, with its own options."""
    missing = [name for name in ("jupyterlab", "anywidget", "ipywidgets") if not find_spec(name)]
    if missing:
        raise NotInstalled(f"the lectures need {' and '.join(missing)}", "notebook")
    found = lectures()
    folder = found[0].parent
    if folder == PACKAGED:
        folder = Path(COPIED)
        _copy([file for file in found if not (folder / file.name).exists()], folder)
        print(folder, flush=True)
    command = [sys.executable, "-m", "jupyterlab", str(folder), *options]
    if os.geteuid() == 0:
        command.append("--allow-root")  # as in containers; it listens to this machine only
    os.execv(sys.executable, command)


def copy_lectures(name: str, options: Sequence[str] = ()) -> None:
    """`collectives lab --copy FOLDER`: copy the lectures, print each; raises BadInput."""
    if options:
        raise BadInput(f"{quoted(options[0])}: --copy opens no JupyterLab, which has options")
    if not name:
        raise BadInput(f"--copy '': names no folder; nearest: --copy {COPIED}")
    folder, found = Path(name), lectures()
    there = next((file.name for file in found if (folder / file.name).exists()), None)
    if there:
        raise BadInput(
            f"--copy {quoted(name)}: has {there}, perhaps with your answers; name another folder"
        )
    for file in _copy(found, folder):
        print(file)


def lectures() -> list[Path]:
    """The notebooks of the lectures; raises BadInput where they are missing."""
    folder = PACKAGED if PACKAGED.is_dir() else CHECKOUT
    found = sorted(folder.glob("*.ipynb"))
    if not found:
        raise BadInput(f"{folder}: the lectures are not there; install collectives again")
    return found


def _copy(files: Sequence[Path], folder: Path) -> list[Path]:
    """Copy files into a folder, which is made where it is missing."""
    if not folder.exists():
        check_writable(folder)
        folder.mkdir()
    copies = [folder / file.name for file in files]
    for file, copied in zip(files, copies, strict=True):
        with replacing(copied) as target:
            target.write(file.read_bytes())
    return copies
