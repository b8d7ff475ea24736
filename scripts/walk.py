"""Walks through README with a wheel: python scripts/walk.py FILE.whl [EXTRA ...].

Installs the wheel into a new environment and types every command of README in an empty folder, then
wrong input. Without extras, what needs one ends with status 3 and the line that installs it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
OPTIONAL = 3  # the status of what needs an extra
OWN = """from collectives.algorithms import ring


def my_all_reduce(n):
    yield from ring.ring_all_reduce(n)
"""
WRONG = (  # with the nearest choice that the line on stderr names
    ("runn all-reduce ring", "did you mean run?"),
    ("run all-reduce rong -n 4", "did you mean ring?"),
    ("run all-reduce ring -n 0", "try: "),
    ("page all-reduce ring -n 8 -o none/ring.html", "there is no folder none"),
    ("page all-reduce ring -n 8 -o ring.pdf", "try: "),
    ("check mine.py:my_all_gather", "did you mean my_all_reduce?"),
    ("check yours.py:my_all_reduce", "no such file"),
    ("lab --copy none/lectures", "there is no folder none"),
    ("lab --copy mine --no-browser", "--copy opens no JupyterLab"),
)


def commands(text: str) -> list[str]:
    """The command lines of a document's shell blocks, without their comments, and of its tables."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.split("\n")]
    in_tables = re.findall(r"^\|.*\| `(collectives [^`]*)` \|", text, re.MULTILINE)
    return [line for line in lines if line.startswith("collectives ")] + in_tables


def main(wheel: str, *extras: str) -> int:
    """Walk; 1 where a command ended in another way than it should."""
    wrong = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        environment, empty = Path(place, "environment"), Path(place, "empty")
        empty.mkdir()
        (empty / "mine.py").write_text(OWN)
        venv.create(environment, with_pip=True)
        programs = environment / ("Scripts" if os.name == "nt" else "bin")
        wanted = str(Path(wheel).resolve()) + f"[{','.join(extras)}]" * bool(extras)
        subprocess.run([programs / "python", "-m", "pip", "install", "-q", wanted], check=True)
        unicode = os.environ | {"PYTHONUTF8": "1"}
        right = [*commands((ROOT / "README.md").read_text("utf-8")), "collectives lab --copy mine"]
        calls = [(line.removeprefix("collectives "), "", 0) for line in right]
        for line, hint, status in (*calls, *((line, hint, 2) for line, hint in WRONG)):
            begun = time.monotonic()
            words = [str(programs / "collectives"), *shlex.split(line)]
            done = subprocess.run(words, cwd=empty, capture_output=True, check=False, env=unicode)
            said = done.stderr.decode()
            installs = "; type: pip install" in said
            needs_extra = done.returncode == OPTIONAL and installs and not extras
            passes = needs_extra or (done.returncode == status and hint in said)
            wrong += not passes
            took = f"{time.monotonic() - begun:6.1f} s"
            print("ok   " if passes else "WRONG", done.returncode, took, line, flush=True)
            if not passes or done.returncode:
                print(f"      {said.strip()[-500:]}", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
