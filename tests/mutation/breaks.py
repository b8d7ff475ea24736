"""Breaks one line of the product at a time and sees that the tests named for it fail.

python tests/mutation/breaks.py [-j JOBS] [WORD ...] runs those of breaks.toml whose name or file
holds one of the words, all of them without words. The checkout is never changed: each job has a
copy of it. The status is 1 if a break survives, or if a named test fails without any break.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("breaks.toml")
COPIED = ("collectives", "animations", "notebooks", "scripts", "tests", "docs")
NEVER_ENDS = 300  # seconds, after which a broken program is taken for one that never ends


@dataclass(frozen=True)
class Break:
    """In `file`, `old` (part of one line, there once) becomes `new`, and one of `tests` fails."""

    name: str
    file: str
    old: str
    new: str
    tests: list[str]

    def applied(self, root: Path = ROOT) -> str:
        """The text of the broken file."""
        text = (root / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {text.count(self.old)} times in {self.file}")
        return text.replace(self.old, self.new)


def table() -> list[Break]:
    """All breaks, in their order."""
    listed = tomllib.loads(TABLE.read_text("utf-8"))
    return [Break(name, **fields) for name, fields in listed.items()]


def run(tree: Path, words: Sequence[str], limit: float | None = NEVER_ENDS) -> tuple[int, str]:
    """The status and the output of pytest in a copy of the tree; limit: seconds it may take."""
    options = ["-q", "-p", "no:cacheprovider"]
    own = {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "NO_SKIPS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *words],
            cwd=tree,
            env=os.environ | own,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, "FAILED it never ends"
    return done.returncode, done.stdout + done.stderr


def judged(tree: Path, one: Break) -> tuple[bool, str]:
    """Whether a break is caught, and the line that says by what; the tree is as it was then."""
    path = tree / one.file
    whole, start = path.read_bytes(), time.monotonic()
    path.write_text(one.applied(tree), "utf-8")
    try:
        status, output = run(tree, ["-x", *one.tests])
    finally:
        path.write_bytes(whole)
    took = f"{time.monotonic() - start:4.0f} s"
    failed = re.search(r"^FAILED (\S.*?)(?: - .*)?$", output, re.MULTILINE)
    if status == 1 and failed:
        return True, f"caught    {took}  {one.name}: {failed[1]}"
    why = "" if status == 0 else f" (pytest ends with {status}: {output.strip()[-300:]})"
    return False, f"SURVIVED  {took}  {one.name}: {' '.join(one.tests)}{why}"


def judgments(breaks: Sequence[Break], jobs: int) -> Iterator[tuple[bool, str]]:
    """What becomes of each break, in their order, several at once."""
    with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            tree = Path(folder) / str(job)
            for name in COPIED:
                shutil.copytree(ROOT / name, tree / name)
            for path in filter(Path.is_file, ROOT.iterdir()):
                shutil.copy(path, tree)
            trees.put(tree)

        def judge(one: Break) -> tuple[bool, str]:
            tree = trees.get()
            try:
                return judged(tree, one)
            finally:
                trees.put(tree)

        whole = trees.get()
        words = dict.fromkeys(word for one in breaks for word in one.tests)
        status, output = run(whole, ["-n", str(jobs), *words], limit=None)
        trees.put(whole)
        if status:
            yield False, f"the tests fail without any break:\n{output[-3000:]}"
            return
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(judge, breaks)


def main() -> int:
    """Judge the breaks that are asked for; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only breaks with one of these in name or file")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="breaks at once (default 2)")
    given = parser.parse_args()
    breaks = [
        one
        for one in table()
        if not given.words or any(word in f"{one.name} {one.file}" for word in given.words)
    ]
    if not breaks:
        parser.error("no break has such a word in its name or file")
    start, caught, every = time.monotonic(), 0, 0
    for well, line in judgments(breaks, max(1, given.jobs)):
        print(line, flush=True)
        caught, every = caught + well, every + 1
    minutes = (time.monotonic() - start) / 60
    print(f"{caught} of {len(breaks)} breaks are caught, in {minutes:.1f} minutes")
    return int(not caught == every == len(breaks))


if __name__ == "__main__":
    sys.exit(main())
