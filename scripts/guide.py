"""Does what CONTRIBUTING.md says, in a copy of the project, and writes what its commands print.

A block after `<!-- file: PATH -->` is written to that file, one after `<!-- row: PATH -->` is added
to a file of the catalog, and in a block of `console` every line after `$ ` is a command. Where
a command is followed by what it prints, that is made anew, long lines broken.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "CONTRIBUTING.md"
WIDTH = 98  # of what is printed
COPIED = ("collectives", "animations", "tests")
BLOCK = re.compile(r"(?:<!-- (file|row): (\S+) -->\n)?```(python|console)\n(.*?)```", re.DOTALL)
# compiled modules are copied, too, but for those that are just being written
UNIMPORTANT = shutil.ignore_patterns("*-pytest-*", "*.pyc.*", ".*")


def followed(text: str, folder: Path) -> str:
    """The guide with the output of every command made anew, in a folder that is made for it."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=UNIMPORTANT)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return BLOCK.sub(lambda found: _follow(found, folder), text)


def _follow(found: re.Match[str], folder: Path) -> str:
    what, path, language, content = found.groups()
    if what == "file":
        (folder / path).write_text(content)
    elif what == "row":
        _add_row(folder / path, content)
    elif language == "console":
        printed = "".join(ran(part, folder) for part in re.split(r"^(?=\$ )", content, flags=re.M))
        return found[0].replace(content, printed)
    return found[0]


def _add_row(path: Path, content: str) -> None:
    """Imports go to the top of a catalog file, the row to the end of its table."""
    lines = content.splitlines(keepends=True)
    imports = "".join(line for line in lines if line.startswith("from "))
    row = "".join(line for line in lines if not line.startswith("from ")).strip("\n")
    text = path.read_text().rstrip()
    first = text.index("\nfrom ") + 1
    assert text.endswith("\n}"), f"{path} does not end with its table"
    path.write_text(f"{text[:first]}{imports}{text[first:-1]}{row}\n}}\n")


def ran(part: str, folder: Path, package: Path | None = None) -> str:
    """A command and what it prints, if that is shown; where it may say that something is wrong.

    package: where the packages are, if not in the folder.
    """
    if not part.startswith("$ "):
        return part
    line, _, shown = part.removeprefix("$ ").partition("\n")
    name, *words = shlex.split(line)
    ended = subprocess.run(
        [sys.executable, "-m", name, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": str(package or folder)},
    )
    printed = ended.stdout + ended.stderr
    if ended.returncode and not (shown and ended.returncode == 1):
        raise SystemExit(f"CONTRIBUTING.md: {line}\n{printed}")
    return f"$ {line}\n" + (_wrapped(printed) if shown else "")


def _wrapped(text: str) -> str:
    """Text whose long lines are broken between words."""
    lines = (
        line if len(line) <= WIDTH else textwrap.fill(line, WIDTH) for line in text.split("\n")
    )
    return "\n".join(lines)
