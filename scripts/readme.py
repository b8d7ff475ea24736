"""Makes what comes from the code in README.md, docs/ and CONTRIBUTING.md: `make readme`."""

from __future__ import annotations

import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from textwrap import fill

from collectives import ROWS, record, table
from collectives.__main__ import cli
from collectives.algorithms import ring
from collectives.catalog import Row
from collectives.collective import COLLECTIVES
from collectives.cost.choose.ring_or_trees import ring_beats_trees
from collectives.cost.libraries.nccl.nccl_names import NO_PICTURE, VARIABLE, NcclName, nccl_names
from collectives.cost.machines.grids import ALPHA, BANDWIDTH
from collectives.proof.addition_order import addition_order
from collectives.proof.rounding import compare
from collectives.proof.rounding_lines import IN_SWITCHES, adds_in_switches
from collectives.recording.recording import Recording
from collectives.units import rate_text, size_text, time_text

sys.path.insert(0, str(Path(__file__).parent))
from guide import GUIDE, followed, ran
from release import install, trial

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
WRONG = r"<!-- wrong -->\n```python\n(.*?)```"
STEPPER = ROOT / "docs" / "stepper.png"
CURVES = ROOT / "docs" / "crossover.svg"


def catalog() -> str:
    """The algorithms of each collective as a Markdown table; bold: least steps and least bytes."""
    lines = ["| collective | what it promises | algorithms |", "|---|---|---|"]
    for name, rows in groupby(ROWS, lambda row: row.collective):
        promise = COLLECTIVES[name]
        names = [
            f"**{row.algorithm}**" if {"R", "B"} <= set(row.form.optimal) else row.algorithm
            for row in rows
        ]
        lines.append(f"| {promise.title} | {promise.sentence} | {', '.join(names)} |")
    return "\n".join(lines)


def orders() -> str:
    """The all-reduces of four ranks, those with the same bits in one row of a Markdown table."""
    same: dict[tuple[bytes, ...], list[Row]] = {}
    found: dict[str, Recording] = {}
    for row in ROWS:
        if row.collective == "all_reduce" and row.accepts(4):
            recording = record("all_reduce", row.algorithm, ranks=4, count=4096, dtype="float32")
            found[row.algorithm] = recording
            bits = tuple(vector.tobytes() for vector in recording.result())
            same.setdefault(bits, []).append(row)
    lines = ["| all-reduce | sums on four ranks | elements that differ |", "|---|---|---|"]
    for rows in same.values():
        recording = found[rows[0].algorithm]
        sums = addition_order(recording)
        shown = f"`{sums[0].expression}`" + (f" and {len(sums) - 1} more" if sums[1:] else "")
        compared = compare(recording, recording.result(), exact=False)
        differing = f"{compared.differing / compared.elements:.0%}"
        if compared.disagreeing:
            differing += ", and the ranks from each other"
        names = (row.algorithm + "\\*" * adds_in_switches(found[row.algorithm]) for row in rows)
        lines.append(f"| {', '.join(names)} | {shown} | {differing} |")
    note = fill(f"\\* whose order: {IN_SWITCHES}.", 100, break_on_hyphens=False)
    return "\n".join([*lines, "", note])


def session(*lines: str) -> str:
    """Commands and what they print, on the wrong algorithm that the README shows."""
    (block,) = re.findall(WRONG, "".join(page.read_text() for page in PAGES), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mine.py").write_text(block)
        printed = [ran(f"$ {line}\n?\n", Path(folder), ROOT) for line in lines]
    return "```console\n" + "".join(printed) + "```"


def wrong() -> str:
    """What is said of the wrong algorithm."""
    return session("collectives check mine.py:passing_on_all_reduce -n 3")


def same_bits() -> str:
    """A map of a vector, and where another size is added in another order."""
    asked = "collectives bits all-reduce --like openmpi -n 3 --size 4KiB"
    return session(asked, f"{asked} --against size=2KiB")


IMPORTS = "import numpy as np\n\nfrom collectives.schedule import Schedule, reduce, send\n\n\n"


def algorithm() -> str:
    """The ring all-reduce as it stands in the source, with its imports, without its doctests."""
    functions = (ring.ring_reduce_scatter, ring.ring_all_gather, ring.ring_all_reduce)
    sources = [
        re.sub(r'\n\n    >>> .*?"""', '"""', inspect.getsource(function), flags=re.DOTALL)
        for function in functions
    ]
    return "```python\n" + IMPORTS + "\n\n".join(sources).strip() + "\n```"


def steps() -> str:
    """What it does on four ranks."""
    recording = record("all_reduce", "ring", ranks=4)
    return f"```\n{table(recording.steps)}\n```"


def crossover_table() -> str:
    """The crossovers of ring and two trees as a Markdown table, with a sentence above it."""
    figures = f"{time_text(ALPHA)} a message, {rate_text(BANDWIDTH)} a link"
    lines = [
        f"Ring or two trees on a crossbar ({figures})? From this size on the ring is faster:",
        "",
        "| ranks | by the clock | closed form | if filling the pipeline were free |",
        "|---:|---:|---:|---:|",
    ]
    for ranks in (8, 16, 32):
        found = ring_beats_trees(ranks)
        sizes = (found.clock, found.closed, found.limit)
        cells = (size_text(size, digits=3, binary=False) if size else "never" for size in sizes)
        lines.append(f"| {ranks} | {' | '.join(cells)} |")
    return "\n".join(lines)


KINDS = {  # of NCCL's names, with their headings
    "algorithm": "Algorithms",
    "protocol": "Protocols",
    "kernel": "Kernels",
    "transport": "Transports",
    "path": "Paths, nearest first",
    "term": "Terms",
    "RCCL": "What RCCL has besides",
    "ncclx": "What ncclx has besides",
}


def names() -> str:
    """Everything that NCCL has a name for: a part for each kind, then tables of variables."""
    found = nccl_names().names
    lines = []
    for kind, title in KINDS.items():
        lines += [f"## {title}", ""]
        lines += [line for one in found if one.kind == kind for line in _name_lines(one)]
        lines += [""]
    lines += ["## Variables"]
    variables = [one for one in found if one.kind == VARIABLE]
    for area, group in groupby(variables, lambda one: one.area):
        lines += [
            "",
            f"### About {area}",
            "",
            "| variable | default | what it does | modeled time |",
        ]
        lines += ["|---|---|---|---|", *map(_variable_row, group)]
    return "\n".join(lines)


def _name_lines(one: NcclName) -> list[str]:
    """A name with what is known of it, as an item of a list."""
    code = ("picture", "path", "log line", "forced by")
    facts = [
        f"  - {title}: {f'`{text}`' if title in code and text != NO_PICTURE else text}"
        for title, text in one.facts.items()
    ]
    return [f"- **{one.name}**: {one.what}", *facts]


def _variable_row(one: NcclName) -> str:
    """A variable as a row: marked where the user guide has none, or a version has not."""
    versions = f" (from {one.since})" * bool(one.since) + f" (until {one.until})" * bool(one.until)
    mark = "\\*" * one.from_name
    cells = (f"`{one.name}`{mark}{versions}", f"`{one.default}`", one.what)
    return f"| {' | '.join(cells)} | {one.effect or one.facts['modeled time']} |"


FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]


def crossover() -> str:
    """From which size on a ring beats two trees, and the picture of one row of that."""
    made = crossover_table()
    (title,) = re.findall(r"<dc:title>(.*)</dc:title>", CURVES.read_text())
    (ranks, drawn) = re.findall(r" on (\d+) ranks, .*?: .* up to (.*?), then ", title)[0]
    (told,) = re.findall(rf"^\| {ranks} \| (.*?) \|", made, re.MULTILINE)
    if told.replace(" ", "") != drawn.replace(" ", ""):
        raise SystemExit(f"docs/{CURVES.name} shows {drawn}, the table {told}: make readme")
    return f"{made}\n\n![{title}]({CURVES.name})"


PARTS: dict[str, Callable[[], str]] = {
    "catalog": catalog,
    "algorithm": algorithm,
    "steps": steps,
    "orders": orders,
    "verdict": wrong,
    "bits": same_bits,
    "crossover": crossover,
    "nccl": names,
    "install": install,
    "trial": trial,
}


def filled(texts: dict[Path, str]) -> dict[Path, str]:
    """The pages with every part between its two markers made anew, once among all of them."""
    for name, make in PARTS.items():
        pattern = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
        holders = [page for page, text in texts.items() for _ in pattern.findall(text)]
        if len(holders) != 1:
            raise SystemExit(f"{len(holders)} parts are named {name}; there must be one")
        part = f"{make()}\n"
        texts = texts | {holders[0]: pattern.sub(lambda _, part=part: part, texts[holders[0]])}
    return texts


def main() -> None:
    """Write the pages, CONTRIBUTING.md and, without --text, the pictures; --check: only look."""
    texts = {page: page.read_text() for page in PAGES}
    if not {"--check", "--text"} & set(sys.argv):
        compare_sizes()
    made = filled(texts)
    if "--check" in sys.argv:
        old = [str(page.relative_to(ROOT)) for page in PAGES if made[page] != texts[page]]
        raise SystemExit(f"out of date, make readme: {', '.join(old)}" if old else 0)
    for page, text in made.items():
        page.write_text(text)
    with tempfile.TemporaryDirectory() as folder:
        GUIDE.write_text(followed(GUIDE.read_text(), Path(folder)))
    if "--text" not in sys.argv:
        from pictures import draw  # needs Manim

        draw(ROOT / "docs")
        photograph()


def compare_sizes() -> None:
    """Time against size of a ring and of two trees, with the crossover that the table tells."""
    words = "figure time-size all-reduce double-binary-tree ring -n 16 --topology crossbar"
    cli([*words.split(), "--size", "1KB-1GB", "-o", str(CURVES)], standalone_mode=False)


def photograph() -> None:
    """A screenshot of the page that steps, in a real browser."""
    from playwright.sync_api import sync_playwright

    from animations.player.page import page
    from animations.story.usual import usual_board

    board = usual_board(record("all_reduce", "ring", ranks=8))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "ring.html"
        file.write_text(page(board))
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        view = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        view.goto(f"{file.as_uri()}#step=6")
        view.wait_for_timeout(500)
        view.screenshot(path=STEPPER)
        browser.close()


if __name__ == "__main__":
    main()
