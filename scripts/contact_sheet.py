"""Draws what the project shows, each as a picture in a folder, and compares two such folders.

python scripts/contact_sheet.py FOLDER [WORD ...]     all pictures, or those whose name has a word
python scripts/contact_sheet.py --against OLD NEW     what differs, as NEW/differences.png

Everything is drawn by the commands a user types, so that the script runs on any commit: a step of
every row of the catalog, every kind of figure, six films as eight frames each, twenty pages in
Chromium. `make contact-sheet` draws into build/contact-sheet.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageDraw

from collectives import ROWS, record

ROOT = Path(__file__).parent.parent
OWN = """import numpy as np

from collectives import reduce


def passing_on_all_reduce(n):
    \"\"\"Everybody passes its sum on to the right, n - 1 times.\"\"\"
    rank = np.arange(n)
    for _ in range(n - 1):
        # every rank adds its sum into its right neighbor
        yield reduce(rank, (rank + 1) % n)
"""
PROGRAM = """from collectives.schedule.spmd import Recv, Send


def stuck_all_gather(rank, n):
    \"\"\"Every rank receives before it sends, so that nobody ever sends.\"\"\"
    yield Recv((rank - 1) % n, (rank - 1) % n)
    yield Send((rank + 1) % n, rank)
"""
FIGURES = """
picture all-reduce ring -n 8 --clock dataflow --at 90us
picture all-reduce ring -n 4 --sheet slide --theme light
picture own.py:passing_on_all_reduce -n 4
storyboard all-reduce ring -n 8
storyboard broadcast tree -n 8 --theme dark
space-time all-reduce ring -n 4
space-time broadcast ring -n 6 --clock dataflow
links all-reduce ring -n 16 --topology torus-2d
links all-reduce ring --topology cluster:nics=4
time-size all-reduce ring recursive-doubling -n 16
time-size broadcast tree ring -n 4 --size 1KB-1GB
time-ranks all-reduce ring bruck -n 2-32
bounds all-reduce -n 8
bounds all-gather -n 8 --theme light
busbw all-reduce
busbw all-reduce --gpu A100 -n 8
bandwidth-cliff
delivery
transport p2p
transport shm
transport net
transport pxn
transport nvls
transport collnet
transport ll
topology hgx-h100
topology cluster -n 16
topology torus-2d -n 16
topology cluster:leaf=1,oversubscription=4 -n 32 --cut all-gather
topology torus-2d -n 16 --cut all-reduce
traffic all-reduce ring -n 8
traffic all-reduce swing -n 16
"""
FILMS = """
video all-reduce ring -n 8
video all-reduce hierarchical -n 8 --clock dataflow --late 5=60us
video own.py:passing_on_all_reduce -n 4
video all-reduce double-binary-tree -n 16 --language es --theme light
compare all-reduce ring tree -n 8 --size 64KiB
lecture data-parallel
"""
PAGES = """
page all-reduce ring -n 4
page all-reduce ring -n 8 --ask
page all-reduce ring -n 8 --theme light
page all-reduce ring -n 16
page all-reduce ring -n 64
page all-reduce double-binary-tree -n 8
page all-reduce hierarchical -n 16
page all-reduce recursive-doubling -n 8
page all-reduce swing -n 8
page all-reduce sharp -n 8
page all-reduce nvls -n 8
page all-reduce torus-2d -n 16
page all-gather bruck -n 9
page all-to-all pairwise -n 6
page broadcast tree -n 8 --clock dataflow
page reduce-scatter ring -n 6 --topology hgx-h100 --size 1GiB
page own.py:passing_on_all_reduce -n 4
page program.py:stuck_all_gather -n 4
compare all-reduce ring tree -n 8 --size 64KiB
gallery -n 4
"""
FRAMES, STEPS, WINDOW = 8, 3, {"width": 1366, "height": 768}
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
CELL, SAME = (640, 360), 8  # a picture of the differences; levels of a channel that rounding makes


@dataclass(frozen=True)
class Job:
    """A picture: its name, the command that makes its file, and how a picture comes of the file."""

    name: str
    words: list[str]
    suffix: str
    finish: Callable[[Path, Path], object]


def jobs() -> Iterator[Job]:
    """All pictures, by kind."""
    for row in ROWS:
        ranks = next(n for n in (*range(8, 17), *range(8, 0, -1)) if row.accepts(n))
        steps = len(record(row.collective, row.algorithm, ranks=ranks).steps)
        words = ["figure", "picture", row.collective, row.algorithm]
        words += ["-n", str(ranks), "--step", str((steps + 1) // 2)]
        yield Job(f"row {row.title}", words, ".png", shutil.copy)
    for text in FIGURES.split("\n")[1:-1]:
        yield Job(f"figure {text}", ["figure", *text.split()], ".png", shutil.copy)
    for text in FILMS.split("\n")[1:-1]:
        quality = ["-q", "l", *([] if text.startswith("lecture") else ["--no-cache"])]
        yield Job(f"film {text}", [*text.split(), *quality], ".mp4", film_sheet)
    for text in PAGES.split("\n")[1:-1]:
        yield Job(f"page {text}", text.split(), ".html", page_picture)


def film_sheet(film: Path, picture: Path) -> None:
    """Frames of a film, evenly spaced, four in a row."""
    with av.open(str(film)) as container:
        frames = [frame.to_image() for frame in container.decode(video=0)]
    chosen = [frames[round(k * (len(frames) - 1) / (FRAMES - 1))] for k in range(FRAMES)]
    tile(chosen, 4).save(picture)


def page_picture(page: Path, picture: Path) -> None:
    """A page in Chromium after some steps."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        tab = browser.new_page(viewport=WINDOW, reduced_motion="reduce", color_scheme="dark")
        tab.goto(page.as_uri())
        tab.wait_for_selector(".collectives")
        for _ in range(STEPS):
            tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(300)
        tab.screenshot(path=picture)
        browser.close()


def tile(pictures: list[Image.Image], columns: int) -> Image.Image:
    """Pictures of one size in rows."""
    wide, high = pictures[0].size
    sheet = Image.new("RGB", (columns * wide, -(-len(pictures) // columns) * high))
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number % columns * wide, number // columns * high))
    return sheet


def draw(folder: Path, job: Job) -> str:
    """Make a picture; what went wrong, if it did."""
    with tempfile.TemporaryDirectory() as work:
        Path(work, "own.py").write_text(OWN)
        Path(work, "program.py").write_text(PROGRAM)
        file = Path(work, "made" + job.suffix)
        command = [sys.executable, "-m", "collectives", *job.words, "-o", str(file)]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True)
        if done.returncode not in (0, 1) or not file.exists():
            return f"{job.name}: status {done.returncode}: {done.stderr.strip()[-300:]}"
        job.finish(file, folder / f"{job.name.replace('/', ' ')}.png")
    return ""


def draw_all(folder: Path, words: list[str]) -> int:
    """Draw what has one of these words in its name, or all; the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [job for job in jobs() if not words or any(word in job.name for word in words)]
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for number, problem in enumerate(pool.map(partial(draw, folder), chosen), 1):
            failed += bool(problem)
            print(f"\r{number} of {len(chosen)}", problem, end="\n" * bool(problem), flush=True)
    print(f"\n{folder}")
    return int(bool(failed))


def changed(old: Path, new: Path) -> float:
    """The share of the pixels that differ; all of them where one is missing or of another size."""
    if not (old.exists() and new.exists()):
        return 1.0
    before, after = (np.asarray(Image.open(path).convert("RGB"), np.int16) for path in (old, new))
    if before.shape != after.shape:
        return 1.0
    return float((np.abs(before - after).max(axis=2) > SAME).mean())


def compare(old: Path, new: Path) -> int:
    """List pictures that differ, most first, and put them side by side; the exit status."""
    names = {path.name for folder in (old, new) for path in folder.glob("*.png")}
    shares = {name: changed(old / name, new / name) for name in names - {"differences.png"}}
    differ = sorted((name for name in shares if shares[name]), key=lambda name: -shares[name])
    for name in differ:
        print(f"{shares[name]:8.3%}  {name}")
    print(f"{len(differ)} of {len(shares)} pictures differ")
    if differ:
        cells = [_cell(folder / name, name) for name in differ for folder in (old, new)]
        tile(cells, 2).save(new / "differences.png")
    return int(bool(differ))


def _cell(path: Path, name: str) -> Image.Image:
    cell = Image.new("RGB", CELL, "gray")
    if path.exists():
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((CELL[0], CELL[1] - 16))
        cell.paste(picture, (0, 16))
    ImageDraw.Draw(cell).text((2, 2), name, "white")
    return cell


def main() -> int:
    """Draw, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", metavar="OLD", type=Path)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/contact-sheet"))
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    if given.against:
        return compare(given.against, given.folder)
    return draw_all(given.folder, given.words)


if __name__ == "__main__":
    sys.exit(main())
